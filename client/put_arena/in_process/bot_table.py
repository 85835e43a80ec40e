"""One table of a round, in process: the server's rules and the bots' sessions, directly connected.

A bot gets what a server's table would send to its seat: the events of each fact, the view of the state after them, the
table's description when it changes, and the choices. A bot that asks for no events gets none, and its view is made only
when it has to choose.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from put_arena.orders import BadBot, made
from put_arena.results import LUCK_COUNTED
from put_arena.schedule import Round
from put_client.bots.bot import Bot
from put_client.bots.bot_session import BotSession
from put_protocol.games.put import PutView
from put_protocol.games.unions import Action, Choice
from put_protocol.messages import Act, Decision, Events, Request, Resign, TableSnapshot
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameStarted
from put_protocol.table_info import Admits, ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.driver import Driver
from put_rules.facts import Fact, Open, seen_by
from put_rules.game import Game, NotAwaited, Over, Purpose, Shuffle
from put_rules.table_options import TableOptions
from put_server.house import registry
from put_server.house.player import Player
from put_server.house.put.solved.hand_worths import HandWorths
from put_server.house.put.solved.position import ranks_of
from put_server.house_runner import terms_at

if TYPE_CHECKING:
    from put_arena.in_process.round_worker import RoundWorker


class TurnOver(BaseException):
    """The time of a turn has run out: raised wherever the bot is. It is no `Exception`, so bots that catch every
    `Exception` do not catch it."""


@dataclass(eq=False)
class _Chair:
    """A seat, with the requests of its session."""

    seat: Seat
    competitor: int
    name: str
    dice_from: str
    leavers: list["_Chair"]
    session: BotSession | None = None
    """None: a house player sits here."""
    house: Player | None = None
    house_name: str = ""
    wants_events: bool = False
    dice: random.Random = field(default_factory=random.Random)
    answer: Action | None = None
    late_in_a_row: int = 0
    purse: int = 0

    async def ask(self, make: Callable[[int], Request]) -> None:
        """All seats here play on until the table is over, and there are no pauses: only two requests do anything."""
        match make(1):
            case Act(action=action):
                self.answer = action
            case Resign():
                self.leavers.append(self)
            case _:
                pass


class BotTable:
    def __init__(
        self,
        number: int,
        worker: "RoundWorker",
        round_: Round,
        seating: int,
        on_gallery: Callable[[Events], None] | None,
    ) -> None:
        """`on_gallery` gets the messages that spectators would see."""
        self.luck: float | None = None
        """Luck of the first seat in the deals of this game, or of the last one."""
        self._number = number
        self._worker = worker
        self._round = round_
        seats = round_.seatings[seating]
        self._deals = round_.deals(worker.rules.seed)
        options = TableOptions.of(worker.terms.options)
        self._arranged = options.arranged
        self._game: Game[Any, Any] = worker.terms.rule_set.make(len(seats), worker.terms.options)
        self._why_plain = options.way(self._game, (), is_named=True).why_plain
        self._on_gallery = on_gallery
        self._leavers: list[_Chair] = []
        """Chairs that resigned and are still in the game."""
        self._chairs = [self._seated(Seat(seat), competitor) for seat, competitor in enumerate(seats)]
        self._guests = [chair for chair in self._chairs if chair.session is not None]
        houses = [(chair, chair.house) for chair in self._chairs if chair.house is not None]
        self._learners = [(chair, house) for chair, house in houses if type(house).saw is not Player.saw]
        self._has_followers = (
            on_gallery is not None or bool(self._learners) or any(chair.wants_events for chair in self._guests)
        )
        self._next_event: dict[Viewer, int] = {chair.seat: 1 for chair in self._chairs} | {GALLERY: 1}
        self._decision = 0
        self._game_number = 0
        self._paid = (0,) * len(seats)
        self._driver: Driver

    def _seated(self, seat: Seat, number: int) -> _Chair:
        worker = self._worker
        competitor, kind = worker.competitors[number], worker.kinds[number]
        chair = _Chair(seat, number, competitor.label, self._round.dice(worker.rules.seed, seat), self._leavers)
        if kind is None:
            terms = replace(terms_at(worker.rules.game, worker.terms.options), notebook=worker.notebook)
            chair.house = registry.player(competitor.what, chair.dice, terms)
            chair.house_name = registry.kind_at(competitor.what, terms, 2)
            return chair
        chair.wants_events = kind.saw is not Bot.saw
        chair.session = BotSession(
            made(kind, chair.dice),
            chair,
            self._number,
            is_enough=lambda played: played >= self._round.games,
            on_error=lambda error: worker.note_error(number, error),
            on_begin=lambda game: chair.dice.seed(f"{chair.dice_from} {game}"),
            in_thread=False,
            choose_s=worker.rules.turn,
        )
        chair.session.begin(seat)
        return chair

    def _describe(self, state: TableState) -> TableInfo:
        between = state is TableState.BETWEEN and self._game_number > 0
        return TableInfo(
            id=self._number,
            game=self._worker.terms.rule_set.offer.name,
            options=self._worker.terms.options,
            seats=tuple(
                [
                    SeatInfo(
                        name=chair.name,
                        is_house=chair.session is None,
                        is_bot=chair.session is not None,
                        agrees=chair.session is None or not between,
                        purse=chair.purse,
                        house=chair.house_name,
                    )
                    for chair in self._chairs
                ]
            ),
            clock=ClockInfo(turn=self._worker.rules.turn),
            state=state,
            games=self._game_number,
            admits=Admits.BOTS,
            is_exhibition=True,
            plain=self._why_plain,
        )

    async def open(self) -> None:
        info = self._describe(TableState.BETWEEN)
        for chair in self._guests:
            assert chair.session is not None
            await chair.session.receive(TableSnapshot(self._number, chair.seat, 0, info))

    async def play(self) -> tuple[int, ...]:
        """Play the next game. Returns its payments, by seat."""
        game, chairs = self._game, self._chairs
        self._game_number += 1
        for chair in chairs:
            if chair.house is not None:
                chair.dice.seed(f"{chair.dice_from} {self._game_number}")
        self._leavers.clear()
        self.luck = None if self._worker.terms.worths is None else 0.0
        packs = 0
        self._paid = (0,) * len(chairs)
        driver = self._driver = Driver(game)
        started = Open(GameStarted(self._game_number, tuple([chair.name for chair in chairs]), self._why_plain))
        told: tuple[Fact, ...] = (started,)
        is_info_new = True
        while not isinstance(awaits := driver.awaits, Over):
            facts: tuple[Fact, ...] = ()
            is_left = bool(self._leavers)
            if is_left:
                with suppress(NotAwaited):
                    facts = driver.leave(self._leavers.pop().seat)
            elif isinstance(awaits, Shuffle):
                packs += 1
                facts = self._deal(awaits, packs)
            elif (action := await self._answer(chair := chairs[awaits.seat])) is not None:
                facts = driver.act(action)
                self._worker.note_act()
            elif self._leavers:
                continue
            else:
                self._note_late(chair)
                facts = driver.expire()
            told += facts
            paid = game.paid(driver.state)
            if paid != self._paid:
                self._pay(paid)
                is_info_new = True
            if isinstance(driver.awaits, Shuffle) and not is_left:
                continue  # it comes with the deal, as from a server
            if is_info_new or self._has_followers or driver.is_game_over:
                await self._publish(told, is_info_new=is_info_new)
            told, is_info_new = (), False
        return self._paid

    def _pay(self, paid: tuple[int, ...]) -> None:
        for chair, now, before in zip(self._chairs, paid, self._paid, strict=True):
            chair.purse += now - before
        self._paid = paid

    def _deal(self, awaits: Shuffle, number: int) -> tuple[Fact, ...]:
        worker = self._worker
        top = self._arranged if awaits.purpose is Purpose.HAND else ()
        deal = (f"{self._deals}, game {self._game_number}", number)
        pack = worker.shuffler.shuffled(awaits.cards, top, deal=deal)
        luck = worker.shuffler.luck(deal=deal) if awaits.misdeals else None
        facts = self._driver.deal(pack, luck)
        if worker.terms.worths is not None and awaits.purpose is Purpose.HAND:
            self._weigh(worker.terms.worths)
        return facts

    def _weigh(self, worths: HandWorths) -> None:
        """Add the luck of the hand that was just dealt. It depends only on the cards and the score, not on the players'
        actions, so its mean is always 0."""
        one, other = (self._driver.view(chair.seat) for chair in self._chairs)
        assert isinstance(one, PutView)
        assert isinstance(other, PutView)
        assert one.eldest is not None
        view, eldest, dealer = one, one.eldest, 1 - one.eldest
        hands = ranks_of(one), ranks_of(other)
        luck = worths.luck((view.scores[eldest], view.scores[dealer]), hands[eldest], hands[dealer])
        assert self.luck is not None
        if abs(self.luck) < LUCK_COUNTED:
            self.luck += luck if eldest == 0 else -luck

    async def _answer(self, chair: _Chair) -> Action | None:
        """The action of this seat; None: it has resigned, or its time has run out."""
        view, choices = self._driver.view(chair.seat), self._driver.choices()
        session = chair.session
        if session is None:
            assert chair.house is not None
            chosen: Action = chair.house.choose(view, choices, chair.seat)
            return chosen
        self._decision += 1
        session.view = view
        in_english = tuple([Choice(choice.action, choice.says) for choice in choices])
        if not await self._receive(chair, session, Decision(self._number, self._decision, "", in_english)):
            return None
        action, chair.answer = chair.answer, None
        if action is not None:
            chair.late_in_a_row = 0
        return action

    def _note_late(self, chair: _Chair) -> None:
        chair.late_in_a_row += 1
        self._worker.note_late(chair.competitor, chair.late_in_a_row)

    async def _publish(self, facts: tuple[Fact, ...], *, is_info_new: bool = False) -> None:
        """Send the events to followers, and changes of the table to all bots."""
        is_over = self._driver.is_game_over
        info = None
        if is_info_new or is_over:
            info = self._describe(TableState.BETWEEN if is_over else TableState.PLAYING)
        for chair, learner in self._learners:
            seen = self._events(chair.seat, facts, info)
            learner.saw(seen.view, seen.events, chair.seat)
        for chair in self._guests:
            if chair.wants_events:
                await self._tell(chair, self._events(chair.seat, facts, info))
            elif info is not None:
                await self._tell(chair, Events(self._number, self._next_event[chair.seat], (), info=info))
        if self._on_gallery is not None:
            self._on_gallery(self._events(GALLERY, facts, info))

    async def _tell(self, chair: _Chair, message: Events) -> None:
        assert chair.session is not None
        if not await self._receive(chair, chair.session, message):
            self._note_late(chair)

    async def _receive(self, chair: _Chair, session: BotSession, message: Events | Decision) -> bool:
        """Hand a bot a message. False: its time ran out.

        :raises BadBot: it raised what is no `Exception`, which ends the match.
        """
        self._worker.set_alarm(self._worker.rules.turn)
        try:
            await session.receive(message)
            self._worker.set_alarm(0)
        except TurnOver:
            return False
        except Exception:
            raise
        except BaseException as error:  # the bot's own code: it may call sys.exit
            raise BadBot(f"{chair.name} ended it by {error!r}") from error
        return True

    def _events(self, viewer: Viewer, facts: tuple[Fact, ...], info: TableInfo | None) -> Events:
        seen = seen_by(facts, viewer)
        first = self._next_event[viewer]
        self._next_event[viewer] = first + len(seen)
        return Events(self._number, first, seen, info=info, view=self._driver.view(viewer))
