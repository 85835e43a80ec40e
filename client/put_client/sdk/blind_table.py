"""A client's side of a table that is dealt blind: folds entries, replaces places by cards, signs acts.

For a seat that holds its key, the server knows only the places of cards: `#17` in a hand, a choice, or an act. Here our
own share opens the card of a place, so higher layers see no places. `read` handles messages, `signed` makes our acts.

Every entry is checked on arrival: the server's receipt, the author's signature, and whether it was due. Every shown
card must be opened by the transcript, at a place of its player. Proofs of shuffles take longer, and are checked by
`BlindGame.unexamined`; we give no share before they hold (`Party.due`).

Pure (no clock, no I/O), except for `KeyMemory`, which draws the secret of a game.

It is one module, because each message is checked against all that came before it: who keeps a key, which hands are lost
for missed parts, and which cards were dealt decide together whether a server lies.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from put_client.sdk.deal_checks import DealCounts, DealSummary, Unproved
from put_client.sdk.read_hand import NotDealt, ReadHand
from put_client.sdk.session_store import KeyMemory
from put_protocol.blind import IS_AVAILABLE
from put_protocol.blind.blind_game import MOST_ENTRIES, NOTHING_CHECKED, BlindGame
from put_protocol.blind.deal import READ, Blame, Deal
from put_protocol.blind.missed_parts import MissedParts, Misses
from put_protocol.blind.party import Party
from put_protocol.blind.transcript import SERVER, Entry, Kind, ServerFault, Terms
from put_protocol.blind_acts import (
    Ruling,
    RulingKind,
    ShownCard,
    SignedAct,
    act_body,
    read_act,
    read_ruling,
    unseen_body,
)
from put_protocol.blind_events import SERVER_HOLDS, BlindBegun, BlindEntry, BlindOpened, OpenedPlace, PartMissed
from put_protocol.cards import Card, place_card, place_of
from put_protocol.deal_steps import DealSteps, HandsDealt, StockRenewed, TurnedUp, begins_deal, is_draw
from put_protocol.errors import ProofError
from put_protocol.games.unions import Event
from put_protocol.games.unknown import UnknownAction
from put_protocol.messages import Act, Decision, Events, TableSnapshot
from put_protocol.rule_sets import has_hands, may_be_read, pack_of
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.shown import Shown
from put_protocol.table_events import GameStarted, LeftGame, TimedOut, info_after
from put_protocol.table_info import TableInfo
from put_protocol.text import printable
from put_text.catalogue import ENGLISH, card_in_words, say, speaking
from put_text.phrases import Speaker

if TYPE_CHECKING:
    from put_text.notation import Sheet

OTHER_STORY = "an entry follows another transcript"
"""The reason in `Transcript.check_order` for an entry that names an unknown head."""

HANDS = 200
"""Hands whose own cards are remembered: more than in a long game."""


class NoKey(Exception):
    """An act cannot be signed: the key is lost, or no hand is in play."""


class Unsound(Exception):
    """A message that an honest server does not send; the sentence says why."""

    events: tuple[Event, ...] = ()
    """Readable events of the faulty message."""


class BlindTable:
    def __init__(self, snapshot: TableSnapshot, keys: KeyMemory | None, *, keeps_key: bool = False) -> None:
        """`keys`: of this person; None: a witness without a key. `keeps_key`: they sat down to keep it."""
        self.table = snapshot.table
        self.viewer: Viewer = snapshot.viewer
        self.game: BlindGame | None = None
        self.party: Party | None = None
        """The holder of our key; None: we hold none here."""
        self.has_lost_key = False
        """Another key of the seat was published: another program of this person has it, or it is lost or given up."""
        self.signed_acts: deque[tuple[int, Seat, SignedAct]] = deque()  # at most `MOST_ENTRIES`
        """Acts in transcripts without events so far: number of the game, seat, and act. A returning client may get the
        end of one game and the beginning of the next in one message."""
        self.pending_entry: bytes | None = None
        """Our sent entry that has not come back yet."""
        self._gave_up_in: int | None = None
        """Number of the last game in which we gave up our seat, or may have lost it."""
        self._keys = keys
        self._keeps_key = keeps_key and not snapshot.info.plain
        self._cards = pack_of(snapshot.info.game, snapshot.info.options)
        """None: the rule set is unknown here."""
        self._info = snapshot.info
        """The table as changed by events and messages since."""
        self._begun_in: int | None = None
        """Number of the table's game in which the blind game began; None: we were away."""
        self._terms_before: Terms | None = None
        """Terms that we knew before the state of another blind game came, until the table comes, too."""
        self._own_by_place: dict[Card, Card] = {}
        self._has_come = False
        """We were told of the table before."""
        self._is_resumed = False
        """The state of a game came, and not the table yet."""
        self._blames_before: tuple[Blame, ...] = ()
        self._is_whole = not any(seat.missed for seat in snapshot.info.seats)
        """We have seen all of the game in play that decides who loses a hand."""
        self._misses = MissedParts()
        self._due_miss: Seat | None = None
        """The last seat to blame, if no event says so yet."""
        self._table_shown = 0
        self._read: ReadHand | None = None
        """The hand in play, if the server reads the pack."""
        self._is_partly_known = False
        """We arrived during a hand that the server reads, so it is not completely checked."""
        self._unused = 0
        """Number of the deal in play, if an event of it must come; 0: one came, or a player left before."""
        self.counts: DealCounts = Counter()
        self._counted: tuple[int, int] | None = None
        """The last counted deal: numbers of the transcript and of the deal."""
        self.is_checked = IS_AVAILABLE and snapshot.info.options.get("dealing") == "blind"
        """Games here may be dealt blind, and the code for checks is installed."""
        self._unproved: Unproved | None = None
        """Reason why no deal of the game in play is proved; None: they may be."""
        self.hands: dict[tuple[int, int], Mapping[Card, Card]] = {}
        """Our own cards by place, listed by game and hand."""
        self._come_back(snapshot.info)

    @property
    def seat(self) -> Seat | None:
        return None if self.viewer == GALLERY else Seat(int(self.viewer))

    @property
    def unproved(self) -> Unproved | None:
        """Reason why the deal in play is not proved, although no fault was found; None: there is none."""
        return self._unproved or (Unproved.MISSED if self.playing is not None and self._is_partly_known else None)

    @property
    def playing(self) -> Deal | None:
        return None if self.game is None else self.game.playing

    @property
    def number(self) -> int:
        """Number of the deal in play, otherwise of the coming one; 0: there is none."""
        return self.game.deals[0].number if self.game is not None and self.game.deals else 0

    @property
    def blames(self) -> tuple[Blame, ...]:
        """All blames since we came, including earlier games."""
        return (*self._blames_before, *(() if self.game is None else self.game.blames))

    def is_due(self) -> bool:
        """True if the transcript waits for us, judged without expensive work."""
        return self.game is not None and self.party is not None and bool(self.party.awaited(self.game))

    def wrong_shuffle(self) -> str | None:
        """The sentence for a shuffle that does not hold in a hand that was dealt all the same; None: there is none."""
        deal = self.playing
        if deal is None or not deal.is_shared or deal.wrong is None:
            return None
        return say("fault-shuffle", deal=deal.number, seat=deal.wrong + 1)

    def give_up(self) -> None:
        """Note that we gave up our seat in the game in play, or may lose it: the server may then hold our key in it."""
        self._gave_up_in = self._info.games

    def resume(self, span: bytes) -> None:
        """Continue from the state sent by the server, after we came or missed a part.

        :raises Unsound: the state is malformed, unsigned, or contradicts what we know.
        """
        if not self.is_checked:
            return
        try:
            game = BlindGame.resumed(span)
        except ProofError as error:
            raise Unsound(say("fault-state", why=error.reason)) from None
        known = self.game
        if known is not None and known.terms == game.terms:
            if not _goes_on(known, game, self.seat):
                raise Unsound(say("fault-another-deal"))
        else:
            self._check_terms(game.terms)
            self._blames_before, self._begun_in = self.blames, None
            self._terms_before = None if known is None else known.terms
        self.game, self._own_by_place, self._table_shown, self._is_resumed = game, {}, 0, True
        self.pending_entry = None  # the span has it, or it never arrived: it will not be sent separately any more
        self.signed_acts.clear()
        self._take_key(game.terms)
        self._read, self._unused, self._is_whole = None, 0, False
        self._misses.clear()
        self._is_partly_known = game.playing is not None and game.playing.is_read
        self._check_deal()
        self._read_hand()

    def read(self, message: TableSnapshot | Events | Decision) -> Any:
        """Fold the message's entries, and replace places by cards.

        :raises Unsound: an honest server does not send it.
        """
        match message:
            case Events():
                self._has_come = True
                events: list[Event] = []
                for number, event in enumerate(message.events):
                    try:
                        events.append(self._read_event(event))
                    except Unsound as error:
                        error.events = (*events, *message.events[number:])
                        raise
                self._note(message.info or self._info)
                view = message.view if message.view is None else self._carded(message.view)
                return replace(message, events=tuple(events), view=view)
            case TableSnapshot():
                self._come_back(message.info)
                self._has_come = True
                self.pending_entry = None  # the game may have ended with it while we were away: then no span tells so
                if message.view is None:
                    return message
                self._note_hand(getattr(message.view, "hand", 0))
                return replace(message, view=self._carded(message.view))
            case Decision():
                says = self._in_words
                legal = tuple([self._carded(choice) for choice in message.legal])
                legal = tuple([replace(choice, says=says(choice.says)) for choice in legal])
                return replace(message, legal=legal, asks=says(message.asks), why=says(message.why))

    def signed(self, act: Act) -> Act:
        """Our act in its signed form.

        :raises NoKey: the act cannot be signed here.
        """
        game, party, seat = self.game, self.party, self.seat
        if self.has_lost_key:
            raise NoKey(say("client-key-elsewhere"))
        if game is None or party is None or seat is None:
            return act
        deal = game.playing
        if deal is None:
            raise NoKey("no hand is in play")
        values = act.action.values if isinstance(act.action, UnknownAction) else {}
        card = values.get("card", getattr(act.action, "card", None))
        if card is None or deal.is_read:
            body = act_body(act.action)
            if deal.is_read and act.action.IS_UNSEEN:
                body = unseen_body(deal.unseen_key(seat, deal.shared_secret(party.keys[seat])), act.action)
            self.pending_entry = party.act(game, seat, deal.number, body)
            return replace(act, entry=self.pending_entry)
        token = next((token for token, held in self._own_by_place.items() if held == card), None)
        place = None if token is None else place_of(token)
        if token is None or place is None:
            raise NoKey(f"you do not hold {_in_english(card)}")
        self.pending_entry = party.show(game, seat, place)
        return replace(act, action=_renamed(act.action, {card: token}.get), entry=self.pending_entry)

    def is_overtaken(self, entry: bytes) -> bool:
        """True if we signed an entry before we saw our last one. `entry`: empty if an act is not signed."""
        return bool(entry) and self.game is not None and self.game.transcript.is_overtaken(Entry.parse(entry))

    def summaries(self, known: int) -> tuple[DealSummary, ...]:
        """Deals repeated since the first `known` blames, and the deal in play, otherwise the coming one."""
        game = self.game
        if game is None or self._unproved in (Unproved.PLAIN, Unproved.BLIND):
            return ()
        number = game.terms.game
        fresh = self.blames[known:]
        blamed = [DealSummary(number, one.deal, blamed=one.seat, is_ruling=one.is_ruling) for one in fresh if one.deal]
        deal = game.playing or game.coming
        if deal is None:
            return tuple(blamed)
        seats = [Seat(seat) for seat in range(len(deal.keys))]
        own = {place: card for token, card in self._own_by_place.items() if (place := place_of(token)) is not None}
        seen = own | dict(deal.shown) if deal is game.playing else {}
        # The cards of a pack that the server reads are shown by its reading, and not at their places.
        hands = [] if deal.is_read else [(seat, deal.hand(seat)) for seat in seats]
        unseen = [(seat, sum(place not in seen for place in hand)) for seat, hand in hands]
        told = DealSummary(
            number,
            deal.number,
            tuple([one.seat for one in deal.shuffles]),
            tuple([seat for seat, _ in deal.awaits()]),
            deal.is_read,
            tuple([seat for seat in seats if game.terms.holders[seat] == SERVER_HOLDS]),
            tuple([(seen[place], deal.owners[place]) for place in sorted(seen) if deal.owners[place] != READ]),
            tuple([(seat, count) for seat, count in unseen if count]),
        )
        return (*blamed, told)

    def named(self, sheet: "Sheet") -> "Sheet":
        """A game from the server with our own cards in place of places, for each hand that we could read."""
        names: Mapping[Card, Card] = {}
        steps = []
        for step in sheet.steps:
            events = []
            for event in step.events:
                if begins_deal(event.deal_steps()):
                    names = self.hands.get((sheet.number, getattr(event, "hand", 0)), {})
                events.append(event if event.SHOWS is None else _renamed(event, names.get))
            steps.append(step._replace(events=tuple(events)))
        return replace(sheet, steps=tuple(steps))

    def _note_hand(self, hand: int) -> None:
        if self._own_by_place:
            self.hands[self._info.games, hand] = self._own_by_place
            if len(self.hands) > HANDS:
                del self.hands[next(iter(self.hands))]

    def _check_terms(self, terms: Terms) -> None:
        if terms.table != self.table:
            raise Unsound(say("fault-table", table=terms.table))
        if self._cards is not None and terms.cards != self._cards:
            raise Unsound(say("fault-pack"))
        if len(terms.holders) != len(self._info.seats):
            raise Unsound(say("fault-players"))
        if self.game is not None and terms.game <= self.game.terms.game:
            raise Unsound(say("fault-begun-again"))

    def _take_key(self, terms: Terms) -> None:
        self.party, self.has_lost_key = None, False
        seat, game = self.seat, self.game
        if seat is None or game is None or self._keys is None:
            return
        if terms.holders[seat] == SERVER_HOLDS:
            if self._info.seats[seat].holds_key and self._gave_up_in != self._info.games:
                if self._has_come or self._keeps_key:
                    raise Unsound(self._speaker.say("fault-key", seat=seat))
                self.has_lost_key = True  # we may have given it up before we came
            return
        told = game.keys[seat]
        secret = self._keys.secret_of(self.table, terms.hash, is_told=told is not None)
        try:
            party = None if secret is None else Party.holding(secret, terms, [seat])
        except ProofError:
            raise Unsound(say("fault-key-given")) from None
        self.has_lost_key = party is None or (told is not None and told != party.keys[seat].point)
        self.party = None if self.has_lost_key else party

    def _read_event(self, event: Event) -> Event:
        match event:
            case BlindBegun() | BlindEntry() | BlindOpened() if not self.is_checked:
                pass
            case BlindBegun(terms=data):
                self._begin(data)
            case BlindOpened(places=places):
                self._open(places)
            case BlindEntry():
                self._hear(event)
            case _:
                if isinstance(event, GameStarted):
                    self._start(event)
                self._info = info_after(self._info, event)
                if event.SHOWS is not None:
                    event = self._carded(event)
                if isinstance(event, TimedOut | LeftGame) and event.seat == self.seat:
                    self.give_up()
                if isinstance(event, PartMissed) and self.is_checked and self._is_whole:
                    self._check_miss(event)
                steps = event.deal_steps()
                self._lose_hands(steps)
                if any(isinstance(step, HandsDealt) for step in steps):
                    self._note_hand(getattr(event, "hand", 0))
                self._check_cards(event, steps)
                if begins_deal(steps):
                    self._count()
        return event

    def _come_back(self, info: TableInfo) -> None:
        """Compare with the table before we were away: another game may be in play."""
        if self.game is not None and info.is_in_play and info.plain:
            if info.games == self._info.games:
                raise Unsound(say("fault-another-deal"))
            self.signed_acts.clear()
        before, self._terms_before = self._terms_before, None
        if self.game is not None and before is not None and info.is_in_play and info.games == self._info.games:
            self._check_keys(before, self.game.terms)
        self._note(info)
        if info.is_in_play:
            self._note_dealing(info.plain)
            if self.game is not None and self._is_resumed:
                self._take_key(self.game.terms)  # by now we know in which game of the table
        self._is_resumed = False

    def _note(self, info: TableInfo) -> None:
        """A player who keeps their key keeps it in their seat."""
        if self.seat is not None:
            known, told = self._info.seats[self.seat], info.seats[self.seat]
            if known.holds_key and not (told.holds_key or told.is_gone) and told.name == known.name:
                raise Unsound(self._speaker.say("fault-key", seat=self.seat))
        self._info = info

    def _note_dealing(self, plain: str) -> None:
        """`plain`: why the game in play is not dealt blind; empty: it is."""
        self._unproved = self._why_unproved(plain)
        if self._unproved in (Unproved.PLAIN, Unproved.BLIND):
            self._blames_before, self.game, self.party, self.has_lost_key = self.blames, None, None, False

    def _start(self, started: GameStarted) -> None:
        self._note_dealing(started.plain)
        self._unused, self._is_whole = 0, True
        self._misses.clear()

    def _lose_hands(self, steps: DealSteps) -> None:
        """A deal comes into play: seats that owe a hand lose it."""
        if any(isinstance(step, HandsDealt) for step in steps):
            self._misses.note_hand_over()
        if begins_deal(steps) or any(isinstance(step, StockRenewed) for step in steps):
            self._misses.note_play(is_draw=is_draw(steps))
            self._unused = 0

    def _check_miss(self, told: PartMissed) -> None:
        known, due, self._due_miss = self._misses.get(told.seat, Misses()), self._due_miss, None
        if told.seat != due or (told.missed, told.is_dismissed) != (known.missed, known.is_dismissed):
            raise Unsound(say("fault-not-missed", name=self._speaker.name(told.seat)))

    def _why_unproved(self, plain: str) -> Unproved | None:
        if plain or self._info.options.get("dealing") != "blind":
            return Unproved.PLAIN
        if not IS_AVAILABLE:
            return Unproved.BLIND
        return Unproved.PACK if self._cards is None else None

    def _begin(self, data: bytes) -> None:
        try:
            terms = Terms.parse(data)
        except ProofError as error:
            raise Unsound(say("fault-terms", why=error.reason)) from None
        self._check_terms(terms)
        if self._is_whole and self._begun_in != self._info.games:  # later in a game, those who left lose theirs
            for seat, chair in enumerate(self._info.seats):
                keeps_key = chair.holds_key or (self._keeps_key and seat == self.seat)
                if keeps_key and terms.holders[seat] == SERVER_HOLDS:
                    raise Unsound(self._speaker.say("fault-key", seat=Seat(seat)))
        self._check_used()
        before, self._blames_before = self.game, self.blames
        self.game = BlindGame.begun(terms)
        self._own_by_place, self._table_shown, self.pending_entry = {}, 0, None
        self._take_key(terms)
        if self._begun_in == self._info.games and before is not None:
            self._check_keys(before.terms, terms)
        self._begun_in = self._info.games

    def _check_keys(self, before: Terms, after: Terms) -> None:
        """Check the terms that follow others within a game: only players who leave it end the keys of a deal, and lose
        theirs."""
        kept = [key if key == before.holders[seat] else SERVER_HOLDS for seat, key in enumerate(after.holders)]
        if tuple(kept) != after.holders or after.holders == before.holders:
            raise Unsound(say("fault-begun-again"))

    def _hear(self, told: BlindEntry) -> None:
        before = self.game
        if before is None:
            raise Unsound(say("fault-step"))
        try:
            self.game = after = before.told((told.entry, told.receipt), NOTHING_CHECKED)
            self._follow(Entry.parse(told.entry), before, after)
        except ServerFault as fault:
            raise Unsound(self._fault(told.entry, fault.reason)) from None
        except ProofError as error:
            raise Unsound(say("fault-signature", why=error.reason)) from None
        if told.entry == self.pending_entry or len(after.blames) != len(before.blames):
            self.pending_entry = None

    def _follow(self, entry: Entry, before: BlindGame, after: BlindGame) -> None:
        """:raises ProofError: the entry is no act of any game."""
        for blame in after.blames[len(before.blames) :]:
            self._unused = 0
            if self._is_whole and after.terms.holders[blame.seat] != SERVER_HOLDS:
                self._misses.note_miss(blame.seat)
                self._due_miss = blame.seat
        match entry.kind:
            case Kind.KEY if entry.author == self.seat:
                self._take_key(after.terms)
            case Kind.DEAL:
                self._take_deal(after)
            case Kind.RENEW:
                self._check_used()
            case Kind.SHARES:
                self._read_hand()
            case Kind.ACT if entry.author == SERVER:
                self._note_ruling(read_ruling(entry.body))
            case Kind.ACT:
                self._note_act(entry.author, read_act(entry.body))
            case Kind.SHOW:
                card = None if after.playing is None else after.playing.shown.get(entry.body[0])
                self._note_act(entry.author, None if card is None else ShownCard(card))
            case _:
                pass

    def _note_ruling(self, ruling: Ruling) -> None:
        if ruling.ruling is RulingKind.MISSED and self._is_whole and not self._misses.lose_turn(ruling.seat):
            raise Unsound(say("fault-hand-taken", name=self._speaker.name(ruling.seat)))
        if ruling.ruling is RulingKind.LEFT:
            self._unused = 0
            if ruling.seat == self.seat:
                self.give_up()
        self._note_signed(ruling.seat, ruling)

    def _note_act(self, seat: Seat, act: SignedAct | None) -> None:
        """`act`: None: what was shown is no card."""
        if self._misses.loses_hand(seat):
            raise Unsound(say("fault-lost-hand", name=self._speaker.name(seat)))
        if act is not None:
            self._note_signed(seat, act)

    def _note_signed(self, seat: Seat, act: SignedAct) -> None:
        """No act is forgotten until its event is told: an honest server sends the event together with the act."""
        if len(self.signed_acts) >= MOST_ENTRIES:
            raise ServerFault("the game has too many entries")
        self.signed_acts.append((self._info.games, seat, act))

    def _take_deal(self, game: BlindGame) -> None:
        deal = game.playing
        assert deal is not None
        self._check_used()
        self._own_by_place, self._table_shown, self._unused = {}, 0, deal.number
        self._check_deal()
        if not deal.is_stock:
            self._read, self._is_partly_known = (ReadHand(deal) if deal.is_read else None), False

    def _check_deal(self) -> None:
        """Check who gets places of the deal in play, before we give our shares of it."""
        deal = self.playing
        if deal is not None and deal.is_read and not may_be_read(self._info):
            raise Unsound(say("fault-reads"))
        if deal is not None and not deal.is_read and not has_hands(self._info, deal.owners):
            raise Unsound(say("fault-hands", deal=deal.number))

    def _check_used(self) -> None:
        """Check that the server uses each deal: it may deal again only for a public reason. It can read the cards of a
        seat that it holds as soon as all others have given their shares."""
        if self._unused and self._unproved is None:  # in an unknown game, the use cannot be seen
            raise Unsound(say("fault-deals-again", deal=self._unused))

    def _open(self, places: tuple[OpenedPlace, ...]) -> None:
        if self._unproved is not None:
            return
        deal = self.playing
        if self._read is None or deal is None:
            if not self._is_partly_known:
                raise Unsound(say("fault-opened"))
            return
        try:
            self._read.open(places, deal)
        except NotDealt as error:
            raise Unsound(say("fault-deal", deal=deal.number, why=str(error))) from None

    def _fault(self, data: bytes, reason: str) -> str:
        author = Entry.parse(data).author
        message = "fault-other-story" if reason == OTHER_STORY else "fault-let-through"
        return self._speaker.say(message, seat=None if author == SERVER else Seat(author), why=reason)

    def _read_hand(self) -> None:
        """Open our own cards, after every other seat gave its shares of them."""
        game, party, deal = self.game, self.party, self.playing
        if game is None or deal is None or not deal.is_shared or deal.is_read or party is None or self.seat is None:
            return
        for place, card in party.hand(game, self.seat).items():
            if card is None:
                raise Unsound(say("fault-no-card", deal=deal.number))
            self._own_by_place[place_card(place)] = card

    def _count(self) -> None:
        """Count the deal in play once, when its first cards are dealt. By then all shares are given, and no honest seat
        gives a share before all shuffles are checked."""
        game, deal = self.game, self.playing
        at = None if game is None or deal is None else (game.terms.game, deal.number)
        if at is None or at != self._counted:
            self.counts[self.unproved] += 1
        self._counted = at

    def _check_cards(self, event: Event, steps: DealSteps) -> None:
        """Check that every card in an event was dealt so, and opened by the transcript."""
        if not self.is_checked or self._unproved in (Unproved.PLAIN, Unproved.BLIND):
            return
        shown, deal = event.shows(self.viewer), self.playing
        if deal is None:
            if shown or begins_deal(steps):
                raise Unsound(say("fault-no-deal"))
            return
        if begins_deal(steps) and not deal.is_shared:
            raise Unsound(say("fault-dealt-to", deal=deal.number))
        if deal.is_read:
            self._check_read(deal, shown, steps)
            return
        if any(isinstance(step, HandsDealt) and step.counts != deal.counts for step in steps):
            raise Unsound(say("fault-dealt-to", deal=deal.number))
        turned_up = any(isinstance(step, TurnedUp) for step in steps)
        for one in shown:
            if turned_up:
                opened = deal.shown.get(self._table_shown) if self._table_shown < len(deal.owners) else None
                is_sound = opened == one.card and deal.owners[self._table_shown] is None
                self._table_shown += 1
            elif one.is_own and self.party is None:
                is_sound = True  # the server reads this hand, and sends it only to us
            elif one.is_own:
                is_sound = one.card in self._own_by_place.values()
            else:
                is_sound = any(deal.owners[place] == one.seat for place, card in deal.shown.items() if card == one.card)
            if not is_sound:
                holder, card = None if turned_up else one.seat, Card(printable(one.card))
                raise Unsound(self._speaker.say("fault-not-dealt", deal=deal.number, card=card, seat=holder))

    def _check_read(self, deal: Deal, shown: tuple[Shown, ...], steps: DealSteps) -> None:
        if self._read is None:
            return  # it is partly known
        try:
            self._read.check(shown, steps, deal)
        except NotDealt as error:
            cards = tuple([Card(printable(one.card)) for one in shown])
            says = str(error) or say("fault-shown", cards=cards)
            raise Unsound(say("fault-deal", deal=deal.number, why=says)) from None

    @property
    def _speaker(self) -> Speaker:
        return Speaker(tuple([one.name for one in self._info.seats]), self.viewer)

    def _carded(self, value: Any) -> Any:
        return _renamed(value, self._own_by_place.get)

    def _in_words(self, text: str) -> str:
        """Words of the server's with our cards in place of places."""
        for token, card in sorted(self._own_by_place.items(), key=lambda one: -len(one[0])):
            text = re.sub(rf"{re.escape(_in_english(token))}\b", _in_english(card), text)
        return text


def _in_english(card: Card) -> str:
    with speaking(ENGLISH):
        return card_in_words(card)


def _goes_on(known: BlindGame, now: BlindGame, seat: Seat | None) -> bool:
    """True if one state of a game may lead to the other: it contains our last entry, all that we know of its deals, and
    the last head that we know at its point, unless that is too old to be kept. (Only the server says which are.)"""
    are_known = all(key is None or key == told for key, told in zip(known.keys, now.keys, strict=True))
    if now.transcript.seen < known.transcript.seen or not are_known:
        return False
    deals = {deal.number: deal for deal in (*now.beside, *now.deals)}
    if not all(deals[deal.number].goes_on(deal) for deal in (*known.beside, *known.deals) if deal.number in deals):
        return False
    if now.blames[: len(known.blames)] != known.blames:
        return False
    if seat is not None and now.transcript.last.get(seat, -1) < known.transcript.last.get(seat, -1):
        return False
    at = known.transcript.seen - now.transcript.first
    return at < 0 or now.transcript.heads[at] == known.transcript.heads[-1]


def _renamed(value: Any, card_of: Callable[[Any], Any]) -> Any:
    match value:
        case str():
            return card_of(value) or value
        case tuple():
            return tuple([_renamed(item, card_of) for item in value])
        case list():  # of a family that is not known here
            return [_renamed(item, card_of) for item in value]
        case dict():
            return {name: _renamed(item, card_of) for name, item in value.items()}
        case Struct():
            fields = asdict(value)
            changed = {name: after for name, one in fields.items() if (after := _renamed(one, card_of)) != one}
            return replace(value, **changed) if changed else value
        case _:
            return value
