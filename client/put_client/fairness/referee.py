"""Referee of one table: compares all messages about its games with the rules.

Laws: there is never an objection to an honest server, across drops and restarts, and despite all that the viewer cannot
see. The first message that contradicts the rules causes an objection, and then the table is not compared any more.

A game is compared from its beginning. A viewer who arrives during a game, or misses events for good, waits for the next
game. docs/fair-dealing.md lists what cannot be checked from a seat.

Times are compared without the server's clock. When the server states a player's time, it has already received our last
answered request. So that time cannot be over until it has passed since we sent the request.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from put_client.fairness.replay import Followed, NotByRules, RulesReplay
from put_protocol.analysis import WeighGame
from put_protocol.blind_acts import Ruling, RulingKind, SignedAct, is_of_action
from put_protocol.cards import place_of
from put_protocol.deal_steps import is_draw
from put_protocol.games import families
from put_protocol.games.unions import Action, Event
from put_protocol.messages import Act, Decision, Events, Leave, Request, Resign, Stand, TableSnapshot, Turn
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameOver, GameStarted, LeftGame, Sat, Stood, TimedOut, info_after, seated_names
from put_protocol.table_info import SeatInfo, TableInfo
from put_protocol.text import printable
from put_rules import game as machine
from put_rules.game import BadOption, Game, Over
from put_rules.record import Departure, Move, Pack, SeatTurns
from put_rules.registry import GAMES
from put_text.catalogue import listed, say, translated
from put_text.phrases import Speaker
from put_text.presenters import format_event

if TYPE_CHECKING:
    from put_text.notation import Sheet

SLACK_S = 1.0
"""Tolerance for an early time-out: clocks are not read at the same moment."""

DRIFT = 0.01
"""Additional tolerance, as a share of the player's time: clocks do not run at the same speed."""

_OF_A_GAME = (TimedOut, LeftGame, GameOver)
"""Table events that the rules of a game also produce."""


def _events_of_game(name: str) -> tuple[type, ...]:
    known = GAMES.get(name)
    return _OF_A_GAME if known is None else (*_OF_A_GAME, *families.FAMILIES[known.offer.family].events)


class _Objected(Exception):
    """A message contradicts the rules; the sentence says how."""


class Referee:
    def __init__(
        self,
        snapshot: TableSnapshot,
        *,
        knows_acts: bool = True,
        signed: deque[tuple[int, Seat, SignedAct]] | None = None,
    ) -> None:
        """`knows_acts`: it gets all of the viewer's requests. `signed`: acts of players signed by their clients, and
        rulings of the server, in order, with the number of the game; None: nothing is signed here."""
        info = snapshot.info
        self._viewer = snapshot.viewer
        self._first_info = info
        self._current_info = info
        self.names = tuple([seat.name or f"seat {place}" for place, seat in enumerate(info.seats)])
        """Current or last player of each seat."""
        self._of_game = _events_of_game(info.game)
        self._game = _rules_of(info.game, info.options, len(info.seats))
        self._replay: RulesReplay | None = None
        """The game in play, from its first event of the rules."""
        self._turns: SeatTurns | None = None
        """The viewer's turns in that game, if `played` needs them."""
        self._begins = False
        """A game has begun, without such an event so far."""
        self._dealers: frozenset[Seat | None] = frozenset((None, *map(Seat, range(len(info.seats)))))
        """Possible first dealers of the next game; None: the players may draw for it."""
        self._last_players: tuple[str, ...] = ()
        self._has_new_player = False
        self.purses: list[int | None] = [None if info.is_in_play else seat.purse for seat in info.seats]
        """None: unknown until the next statement."""
        self._number = snapshot.number
        self._acts_without_event: list[Action] = []
        self._knows_acts = knows_acts
        self._signed = signed
        self.may_leave = False
        self._has_dropped = False
        self.earliest_timeout = 0.0
        """Earliest end of the time of the player to move, in seconds by our clock."""

    @property
    def played(self) -> WeighGame | None:
        """The viewer's turns in the last game, if the server did not see their hands and so cannot analyse them. None:
        the server can, or the game was not compared completely."""
        if self._turns is None or self._replay is None or not isinstance(self._replay.awaits(), Over):
            return None
        known, turns = self._current_info, tuple(self._turns.turns)
        return WeighGame(known.game, known.options, known.id, known.games, Seat(int(self._viewer)), turns)

    def know(self, purses: Iterable[int | None], *, ends: float) -> None:
        """Continue with the knowledge of another referee of this table."""
        self.purses, self.earliest_timeout = [*purses, *self.purses][: len(self.purses)], ends

    def send(self, request: Request) -> None:
        if isinstance(request, Act):
            self._acts_without_event.append(request.action)
        elif isinstance(request, Leave | Resign | Stand):
            self.may_leave = True

    def lose(self) -> None:
        self._has_dropped = self.may_leave = True

    def receive(self, message: TableSnapshot | Events | Decision, now: float, heard: float = 0.0) -> str | None:
        """Compare a message; call this in order of arrival. Returns its fault in a sentence.

        `heard`: when the viewer's latest answered request was sent, in seconds like `now`; 0: there is none.
        """
        try:
            match message:
                case Decision():
                    self._compare_choices(message)
                    return None
                case TableSnapshot():
                    self._look(message)
                case Events():
                    self._follow(message, now)
            if message.info is not None:
                self._compare_info(message.info)
            if message.turn is not None:
                self._compare_turn(message.turn, heard)
        except _Objected as objected:
            return str(objected)
        return None

    def in_own_words(self, decision: Decision) -> Decision:
        """The decision with texts made from the rules; with the server's texts if the game is not compared."""
        replay = self._replay
        if replay is None:
            return decision
        game, state = replay.game, replay.state
        own = {one.action: replace(one, says=translated(one.phrase, one.says)) for one in game.choices(state)}
        legal = tuple([own[choice.action] for choice in decision.legal])
        asks, why = game.wording(state).spoken()
        return replace(decision, legal=legal, asks=asks, why=why)

    def _look(self, snapshot: TableSnapshot) -> None:
        """Compare a new snapshot: the expected state, or a later one after missed events."""
        was_lost, self._has_dropped = self._has_dropped, False
        if snapshot.number == self._number:
            self._compare_view(snapshot.view)
        elif not was_lost:
            raise _Objected(say("fault-shown-anew"))
        else:
            self._number, self._current_info = snapshot.number, snapshot.info
            self._give_up()

    def _give_up(self) -> None:
        self._replay, self._turns, self._begins = None, None, False
        self._dealers = frozenset((None, *map(Seat, range(len(self.names)))))
        self.purses = [None] * len(self.names)

    def _follow(self, message: Events, now: float) -> None:
        self._has_dropped = False
        self._number = message.first + len(message.events) - 1
        told: list[Event] = []
        for event in message.events:
            if type(event) in self._of_game:
                told.append(event)
            else:
                self._play(told, now)
                self._note_table_event(event)
                told = []
        self._play(told, now)
        if self._signed and self._replay is None and not self._begins:
            self._signed.clear()  # of a game that is not compared
        if message.view is not None:
            self._compare_view(message.view)

    def _note_table_event(self, event: Event) -> None:
        self._current_info = info_after(self._current_info, event)
        is_in_play = self._replay is not None and not isinstance(self._replay.awaits(), Over)
        match event:
            case Sat(name=name) if is_in_play and not (
                event.is_house and self._first_info.options.get("abandoned") == "house"
            ):
                raise _Objected(say("fault-seated", name=printable(name)))
            case Sat(seat=seat) | Stood(seat=seat) if seat < len(self.names):
                self.names = seated_names(self.names, event)
                self.purses[seat] = None
                self._has_new_player = self._has_new_player or isinstance(event, Sat)
            case GameStarted():
                self._start(event)
            case _:
                pass

    def _start(self, started: GameStarted) -> None:
        replay, names = self._replay, started.names
        if started.game != self._current_info.games:
            raise _Objected(say("fault-game-number", known=self._current_info.games, told=started.game))
        if names != tuple([seat.name for seat in self._current_info.seats]):
            raise _Objected(say("fault-other-players", names=tuple(map(printable, names))))
        if replay is not None and not isinstance(replay.awaits(), Over):
            raise _Objected(say("fault-begun-early"))
        if replay is not None:
            ended = replay.awaits()
            assert isinstance(ended, Over)
            # Other people draw for the deal. After a change with equal names they may be the same people, or others.
            is_other = self._has_new_player and names != self._last_players
            goes_on = not self._has_new_player and not self._first_info.is_exhibition and replay.has_dealt
            self._dealers = frozenset({None} if is_other else {ended.dealer} if goes_on else {None, ended.dealer})
        self._last_players, self._has_new_player, self.may_leave = names, False, False
        self._acts_without_event.clear()
        while self._signed and self._signed[0][0] < started.game:  # of a game that was not compared
            self._signed.popleft()
        self._replay, self._turns, self._begins = None, None, self._game is not None
        if not self._begins:
            self.purses = [None] * len(self.purses)  # what it pays is not known

    def _play(self, told: list[Event], now: float) -> None:
        if told and self._begins:
            self._begin(told[0])
        replay = self._replay
        if replay is None or not told:
            return
        try:
            for followed in replay.follow(told):
                self._check_act(replay, followed)
                self._check_signed(replay, followed)
                if isinstance(first := followed.told[0], TimedOut) and now + SLACK_S < self.earliest_timeout:
                    seconds = round(self.earliest_timeout - now)
                    raise _Objected(say("fault-too-soon", told=self._in_words(first), seconds=seconds))
                if self._turns is not None:
                    self._turns.take(followed.before, followed.given, followed.told)
                before, after = replay.game.paid(followed.before), replay.game.paid(followed.after)
                for seat, purse in enumerate(self.purses):
                    if purse is not None:
                        self.purses[seat] = purse + after[seat] - before[seat]
                self.earliest_timeout = 0.0
        except NotByRules as error:
            raise _Objected(self._says_otherwise(error)) from None

    def _begin(self, first: Event) -> None:
        """Handle the first event of a game, which shows the dealer."""
        assert self._game is not None
        self._begins = False
        has_draw = is_draw(first.deal_steps())
        dealer: Seat | None = None if has_draw else getattr(first, "dealer", None)
        if dealer is None and not has_draw:
            if len(self._dealers) > 1:  # a player left before it came out
                if self._signed is not None and not self._current_info.plain:
                    _, _, signed = self._signed.popleft() if self._signed else (0, None, None)
                    if not isinstance(signed, Ruling) or signed.ruling is not RulingKind.LEFT:
                        raise _Objected(say("fault-unsigned", told=self._in_words(first)))
                self._give_up()
                return
            (dealer,) = self._dealers
        if dealer not in self._dealers:
            speaker = Speaker(self.names, self._viewer)
            deals = [say("fault-draw") if d is None else speaker.say("fault-deals", seat=d) for d in self._dealers]
            raise _Objected(say("fault-dealer", dealers=listed(sorted(deals), "or"), told=self._in_words(first)))
        self._replay = RulesReplay(self._game, self._viewer, dealer)
        if self._viewer != GALLERY and self._current_info.is_solved and self._current_info.hides_hands:
            self._turns = SeatTurns(self._game, self._viewer)

    def _check_act(self, replay: RulesReplay, followed: Followed) -> None:
        """Compare events of the viewer's own acts with what they sent."""
        awaits = replay.game.awaits(followed.before)
        if not self._knows_acts:
            return
        match followed.given:
            case Move(action=action) if isinstance(awaits, machine.Turn) and awaits.seat == self._viewer:
                is_own = action in self._acts_without_event
                self._acts_without_event.clear()
                if not is_own:
                    raise _Objected(say("fault-not-done", told=self._in_words(followed.told[0])))
            case Departure(seat=seat) if seat == self._viewer and not self.may_leave:
                raise _Objected(say("fault-not-given-up", told=self._in_words(followed.told[0])))
            case _:
                pass

    def _check_signed(self, replay: RulesReplay, followed: Followed) -> None:
        """Compare events of any player's acts with the transcript of a blind game."""
        awaits = replay.game.awaits(followed.before)
        if self._signed is None or self._current_info.plain or isinstance(followed.given, Pack):
            return
        _, seat, signed = self._signed.popleft() if self._signed else (0, None, None)
        match followed.given, awaits:
            case Move(action=action), machine.Turn(seat=mover):
                is_signed = seat == mover and signed is not None and is_of_action(signed, action)
            case Departure(seat=gone), _:
                is_signed = signed == Ruling(RulingKind.LEFT, gone)
            case _, machine.Turn(seat=mover):
                is_signed = signed in (Ruling(RulingKind.TIMED_OUT, mover), Ruling(RulingKind.MISSED, mover))
            case _:
                is_signed = False
        if not is_signed:
            raise _Objected(say("fault-unsigned", told=self._in_words(followed.told[0])))

    def _says_otherwise(self, error: NotByRules) -> str:
        at = next(
            (at for at, (mine, theirs) in enumerate(zip(error.expected, error.told, strict=False)) if mine != theirs), 0
        )
        told = error.told[at]
        if at >= len(error.expected) or (type(error.expected[at]) is not type(told) and at == 0):
            return say("fault-not-now", told=self._in_words(told))
        expected = self._in_words(error.expected[at])
        if expected == self._in_words(told):
            return say("fault-differs", what=self._differing(error.expected[at], told), expected=expected)
        return say("fault-otherwise", told=self._in_words(told), expected=expected)

    def _compare_turn(self, turn: Turn, heard: float) -> None:
        limits = [limit for limit in (turn.turn_ms, turn.bank_ms) if limit is not None]
        if limits and heard:
            self.earliest_timeout = max(self.earliest_timeout, heard + min(limits) / 1000 * (1 - DRIFT))
        clock, speaker = self._first_info.clock, Speaker(self.names, self._viewer)
        for what, left, limit in (("turn", turn.turn_ms, clock.turn), ("bank", turn.bank_ms, clock.bank)):
            if left is not None and limit and left > limit * 1000:
                raise _Objected(
                    speaker.say("fault-time", what=what, seat=turn.seat, told=-(-left // 1000), limit=limit)
                )
        replay = self._replay
        if replay is None:
            return
        if replay.missing is not None:
            raise _Objected(say("fault-missing", missing=self._in_words(replay.missing)))
        awaits = replay.awaits()
        mover = awaits.seat if isinstance(awaits, machine.Turn) else None
        if mover != turn.seat:
            raise _Objected(speaker.say("fault-mover", told=self._named(turn.seat), seat=mover))

    def _compare_view(self, view: Any) -> None:
        replay = self._replay
        if self._begins and self._game is not None:
            replay = RulesReplay(self._game, self._viewer, None)  # no dealer is known
        if replay is None:
            return
        expected = replay.view()
        if view != expected or replay.missing is not None:
            raise _Objected(say("fault-view", what=self._differing(expected, view)))

    def _compare_choices(self, decision: Decision) -> None:
        replay = self._replay
        if replay is None:
            return
        awaits = replay.awaits()
        if not isinstance(awaits, machine.Turn) or awaits.seat != self._viewer or replay.missing is not None:
            raise _Objected(say("fault-not-your-turn"))
        offered = {choice.action: choice.says for choice in decision.legal}
        legal = {choice.action: choice.says for choice in replay.game.choices(replay.state)}
        for action in offered.keys() - legal.keys():
            raise _Objected(say("fault-offered", choice=printable(offered[action])))
        for action in legal.keys() - offered.keys():
            raise _Objected(say("fault-not-offered", choice=legal[action]))

    def _compare_info(self, info: TableInfo) -> None:
        was = self._first_info
        terms: list[tuple[str, str, object, object]] = [
            ("option", name, was.options.get(name), info.options.get(name))
            for name in sorted({*was.options, *info.options})
        ]
        terms += [
            ("game", "", was.game, info.game),
            ("seats", "", len(was.seats), len(info.seats)),
            ("turn", "", was.clock.turn, info.clock.turn),
            ("bank", "", was.clock.bank, info.clock.bank),
        ]
        for what, name, was_told, is_told in terms:
            if was_told != is_told:
                option, before, after = (printable(str(text)) for text in (name, was_told, is_told))
                raise _Objected(say("fault-changed", what=what, option=option, before=before, after=after))
        if info.games != self._current_info.games:
            raise _Objected(say("fault-games-begun", known=self._current_info.games, told=info.games))
        for seat, (sitter, chair) in enumerate(zip(map(_sitter, self._current_info.seats), info.seats, strict=True)):
            if sitter != _sitter(chair):
                raise _Objected(say("fault-sitter", seat=seat + 1, known=_named(sitter), told=_named(chair)))
        if (replay := self._replay) is not None or self._begins:
            is_over = replay is not None and isinstance(replay.awaits(), Over)
            if is_over == info.is_in_play:
                raise _Objected(say("fault-over" if is_over else "fault-not-over"))
        is_followed = self._begins or self._replay is not None or not info.is_in_play
        for seat, (purse, told) in enumerate(zip(self.purses, info.seats, strict=True)):
            if purse is not None and is_followed and purse != told.purse and told.name is not None:
                raise _Objected(say("fault-purse", name=self._named(Seat(seat)), purse=purse, told=told.purse))
            self.purses[seat] = told.purse if is_followed else None

    def _differing(self, expected: object, told: object) -> str:
        if type(expected) is not type(told) or not isinstance(expected, Struct):
            return say("fault-not-this-game")
        names = [name for name in expected.__struct_fields__ if getattr(expected, name) != getattr(told, name)]
        return ", ".join(name.replace("_", " ") for name in names) or say("fault-what-happened")

    def _named(self, seat: Seat) -> str:
        return Speaker(self.names, self._viewer).name(seat)

    def _in_words(self, event: Event) -> str:
        return format_event(event, self.names, you=self._viewer)


_NOBODY = SeatInfo()


def _sitter(seat: SeatInfo) -> SeatInfo:
    """The player in a seat, without other fields."""
    return _NOBODY if seat.is_gone else SeatInfo(seat.name, is_house=seat.is_house, is_bot=seat.is_bot)


def _named(sitter: SeatInfo) -> str:
    if sitter.name is None:
        return say("fault-no-player")
    kind = "house" if sitter.is_house else "bot" if sitter.is_bot else "person"
    return say("fault-player", name=printable(sitter.name), kind=kind)


def _rules_of(name: str, options: Mapping[str, str | int], seats: int) -> Game[Any, Any] | None:
    rule_set = GAMES.get(name)
    if rule_set is None:
        return None
    usual = rule_set.offer.defaults
    if any(type(value) is not type(usual.get(option, value)) for option, value in options.items()):
        return None
    try:
        return rule_set.make(seats, {**usual, **options})
    except (BadOption, LookupError, ValueError):
        return None


def turns_of(sheet: "Sheet") -> WeighGame | None:
    """Turns of a recorded game, to be weighed. None: it is no whole game of a seat that follows from the rules, or a
    card of the viewer's is not known."""
    game, seat = _rules_of(sheet.game, sheet.options, len(sheet.players)), sheet.viewer
    events = [event for step in sheet.steps for event in step.events]
    told = [event for event in events if type(event) in _events_of_game(sheet.game)]
    is_unread = any(place_of(one.card) is not None for event in told for one in event.shows(seat))
    if game is None or seat == GALLERY or not told or is_unread:
        return None
    if any(isinstance(event, Sat) and event.seat == seat for event in events):
        return None  # another player went on in their place
    dealer = None if is_draw(told[0].deal_steps()) else getattr(told[0], "dealer", None)
    replay, turns = RulesReplay(game, seat, dealer), SeatTurns(game, seat)
    try:
        for followed in replay.follow(told):
            turns.take(followed.before, followed.given, followed.told)
    except NotByRules:
        return None
    if not isinstance(replay.awaits(), Over):
        return None
    return WeighGame(sheet.game, dict(sheet.options), sheet.table, sheet.number, seat, tuple(turns.turns))
