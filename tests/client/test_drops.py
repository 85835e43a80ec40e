"""A connection that drops in any phase of a deal, a server that is killed there, a client that begins anew: real
clients at a real server end with every deal proved, no link of a chain wasted, and nobody accused."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing, suppress
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from put_client import Bot, Record, play
from put_client.fairness.fairness_text import news_of
from put_client.sdk import deal_checks as module
from put_client.sdk.deal_checks import DealChecked, ProofStanding, SealBroken
from put_client.sdk.errors import NoServer, Refusal, Unanswered
from put_client.sdk.traffic import Message
from put_protocol.games.put import Dealt, HandEnded, Played, TrickEnded
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.messages import Act, ClientMessage, Cut, Decision, Events, ServerMessage
from put_protocol.seal.findings import DealSummary, Unproved
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged
from put_server.app import Server
from tests.client.checking_players import Noting, house
from tests.client.relay import Fate, Relay, relaying
from tests.repetitions import TURN

MOLL, NAN = Seat(0), Seat(1)

FIRST = 2
"""The hand from which on the drop is waited for."""

AFTER = 2
"""Hands that are dealt behind it."""

AnyMessage = ClientMessage | ServerMessage | Message


def has(*kinds: type[Event]) -> Callable[[AnyMessage], bool]:
    """An event of such a kind is told."""
    return lambda message: isinstance(message, Events) and any(isinstance(event, kinds) for event in message.events)


def is_led_by_nan(message: AnyMessage) -> bool:
    """Nan leads to a trick."""
    told = message.events if isinstance(message, Events) else ()
    return any(isinstance(event, Played) and event.seat == NAN and event.leads for event in told)


def has_proofs(message: AnyMessage) -> bool:
    """Cards are told, with their proofs."""
    return isinstance(message, Events) and bool(message.openings)


def is_of(*kinds: type[AnyMessage]) -> Callable[[AnyMessage], bool]:
    return lambda message: isinstance(message, kinds)


class Phase(NamedTuple):
    """Where the connection ends."""

    name: str
    is_there: Callable[[AnyMessage], bool]
    fate: Fate
    is_cutting: bool = False
    """No card of the deal in play has been dealt, or the hand is over: there is nothing to miss."""


PHASES = (
    Phase("the seal is told, and lost", has(Sealed), Fate.IS_LOST, is_cutting=True),
    Phase("the seal is heard, and the cut lost", is_of(Cut), Fate.IS_LOST, is_cutting=True),
    Phase("the cut is taken, and its answer lost", is_of(Cut), Fate.IS_LAST),
    Phase("a cut is told", has(CutMade), Fate.IS_LAST),
    Phase("a cut is told, and lost", has(CutMade), Fate.IS_LOST),
    Phase("the proofs are lost", has_proofs, Fate.IS_LOST),
    Phase("the proofs are heard", has_proofs, Fate.IS_LAST),
    Phase("all cuts are told, and lost", has(CutsShown), Fate.IS_LOST),
    Phase("the cards are dealt", has(Dealt), Fate.IS_LAST),
    Phase("a card is led", is_led_by_nan, Fate.IS_LAST),
    Phase("a card is led, and lost", is_led_by_nan, Fate.IS_LOST),
    Phase("a card is played, and its answer lost", is_of(Act), Fate.IS_LAST),
    Phase("the hand is over", has(HandEnded), Fate.IS_LAST),
    Phase("the hand is over, and its end lost", has(HandEnded), Fate.IS_LOST),
)


def at_each(phases: Iterable[Phase]) -> pytest.MarkDecorator:
    """A test for each of them."""
    return pytest.mark.parametrize("phase", list(phases), ids=lambda phase: phase.name.replace(" ", "_"))


EVERY_PHASE = at_each(PHASES)

APART = {
    "the seal is told, and lost",
    "the cut is taken, and its answer lost",
    "a cut is told, and lost",
    "the proofs are lost",
    "all cuts are told, and lost",
    "the cards are dealt",
    "a card is led, and lost",
    "a card is played, and its answer lost",
    "the hand is over, and its end lost",
}
"""Phases in which the server's state differs: the others differ from one of these by what the client still heard."""

SERVER_PHASES = at_each(phase for phase in PHASES if TURN or phase.name in APART)
"""For a server that is started anew, and for a client that knows nothing of what was heard; a campaign takes all."""


class How(StrEnum):
    """What the client is told when it is back."""

    EVENTS = "the missed events"
    ANEW = "the table, shown anew"


class Player:
    """Plays the first card it may, hand after hand, until it is stopped."""

    def __init__(self, client: Noting, table: int) -> None:
        self.client = client
        self.table = table
        self.waits_for: Callable[[], bool] = lambda: True
        """What must be so before it acts."""
        self.hands = 0
        """Dealt, as far as it was told one by one."""
        self._changed = asyncio.Event()
        self._task = asyncio.ensure_future(self._play())

    async def _play(self) -> None:
        asked: Decision | None = None
        acting: asyncio.Task[None] | None = None
        async for message in self.client:
            self.hands += has(Dealt)(message)
            if isinstance(message, Decision):
                asked = message
            if asked is not None and self.waits_for():
                acting = asyncio.ensure_future(self._act(asked))
                asked = None
            self._changed.set()
        if acting is not None:
            await acting

    async def _act(self, decision: Decision) -> None:
        with suppress(Unanswered, NoServer, Refusal):  # it is asked again if it is still to be answered
            await self.client.act(self.table, decision.decision, decision.legal[0].action)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Whenever it was told something this is looked at."""
        while not is_so():
            assert not self._task.done(), "the connection ended"
            self._changed.clear()
            await self._changed.wait()

    async def close(self) -> None:
        await self.client.close(keep=True)
        await self._task

    @property
    def last(self) -> DealChecked:
        return self.client.checks[-1]

    @property
    def said(self) -> list[str]:
        """What people are told at once of what was checked."""
        checks = self.client.checks
        return [
            says
            for before, now in zip([None, *checks], checks, strict=False)
            for says in news_of(before, now, ("Moll", "Nan"), MOLL)
        ]

    @property
    def links_used(self) -> int:
        """Of the chain that is cut from now."""
        check = self.client._traffic.sealing._checks[self.table]
        assert isinstance(check, module._TableCheck)
        return module.LINKS - check._checker.own.links_left


class Evening:
    """Two players at a table, each behind a relay of their own."""

    def __init__(self, server: Server, moll: Relay, nan: Relay) -> None:
        self.server = server
        self.relays = (moll, nan)
        self.players: list[Player] = []
        self.dropped = asyncio.Event()
        self.hand = 0
        """In which the drop came."""

    async def begin(self) -> None:
        clients = [await come(relay, name) for relay, name in zip(self.relays, ("Moll", "Nan"), strict=True)]
        table = await clients[0].open_table("put-1674", options={"target": 21})
        for client in clients:
            await client.sit(table)
            self.players.append(Player(client, table))

    def drop_at(self, phase: Phase, *, both: bool = False) -> None:
        """End Moll's connection in this phase of a later deal, once. With `both` that of the other, too, and nobody
        comes back before the relays are opened."""
        moll = self.relays[0]
        dealt = 0

        def rule(message: AnyMessage) -> Fate:
            nonlocal dealt
            dealt += has(Dealt)(message)
            if dealt < FIRST or self.dropped.is_set() or not phase.is_there(message):
                return Fate.PASSES
            self.dropped.set()
            self.hand = dealt
            if both:
                for relay in self.relays:
                    relay.is_open.clear()
                self.relays[1].end()
            return phase.fate

        moll.rule = rule

    async def play_on(self) -> None:
        """So many hands more, up to the middle of one."""
        for player in self.players:
            hands = player.hands + AFTER
            await player.until(lambda: player.hands >= hands and player.last.standing is ProofStanding.PROVED)  # noqa: B023


async def come(relay: Relay, name: str = "", token: str = "") -> Noting:
    return await Noting.connect("127.0.0.1", relay.port, name=name, token=token, is_bot=True, waits=patient)


def patient() -> Iterable[float]:
    while True:
        yield 0.005


@asynccontextmanager
async def evening(data: Path | None = None) -> AsyncIterator[Evening]:
    async with house(data) as server, relaying(server.port) as moll, relaying(server.port) as nan:
        at = Evening(server, moll, nan)
        await at.begin()
        try:
            yield at
        finally:
            for player in at.players:
                await player.close()


@asynccontextmanager
async def killed_and_started(at: Evening, data: Path) -> AsyncIterator[None]:
    """The server as it is from its journal, as that is now. The other one is not heard of any more."""
    with closing(sqlite3.connect(data / "put.sqlite3")) as kept, TemporaryDirectory() as again:
        with closing(sqlite3.connect(Path(again) / "put.sqlite3")) as copy:
            kept.backup(copy)
        async with house(Path(again)) as server:
            for relay in at.relays:
                relay.server_port = server.port
                relay.is_open.set()
            yield


def assert_all_is_proved(player: Player, *, missed: int = 0) -> None:
    """Every deal, but for so many that the table was shown anew in; none was called off, and nobody accused."""
    assert player.client.all_of(SealBroken) == []
    assert player.client.all_of(DealVoided) == []
    tally = player.last.tally
    assert tally.unproved == (((Unproved.MISSED, missed),) if missed else ())
    deal = player.last.deal
    assert isinstance(deal, DealSummary)
    assert deal.cutters == (MOLL, NAN)
    assert tally.dealt == deal.deal - 1, "every deal but the one in play is counted"
    assert player.links_used == deal.deal, "one link for each deal"


async def play_on_and_check(at: Evening, phase: Phase, *, is_shown_anew: bool = False) -> None:
    await at.play_on()
    moll, nan = at.players
    missed = sum(count for _, count in moll.last.tally.unproved) if is_shown_anew else 0
    assert missed <= (not phase.is_cutting)
    assert len([says for says in moll.said if "lost with the connection" in says]) == missed
    assert_all_is_proved(moll, missed=missed)
    assert_all_is_proved(nan)
    for player in at.players:
        await player.close()


@EVERY_PHASE
@pytest.mark.parametrize("how", How, ids=lambda how: how.name.lower())
async def test_drop_leaves_nothing_unproved(phase: Phase, how: How) -> None:
    """In any phase of a deal. Only where the table is shown anew while cards are in play, that one deal is not proved,
    and is said not to be."""
    async with evening() as at:
        at.relays[0].forgets_events = how is How.ANEW
        at.drop_at(phase)
        await at.dropped.wait()
        await play_on_and_check(at, phase, is_shown_anew=how is How.ANEW)


@SERVER_PHASES
async def test_server_that_is_killed_leaves_nothing_unproved(phase: Phase, tmp_path: Path) -> None:
    """In any phase of a deal, when it starts from its journal."""
    data = tmp_path / "data"
    async with evening(data) as at:
        at.drop_at(phase, both=True)
        await at.dropped.wait()
        async with killed_and_started(at, data):
            await play_on_and_check(at, phase)


@pytest.mark.parametrize("how", How, ids=lambda how: how.name.lower())
async def test_deal_waits_for_who_is_away_when_it_is_due(how: How) -> None:
    """It is sealed when they are back, and they cut it."""
    async with evening() as at:
        moll, nan = at.players
        relay = at.relays[0]
        relay.forgets_events = how is How.ANEW
        is_last_lead = False

        def rule(message: AnyMessage) -> Fate:
            """Moll leads to the last trick of a hand, and goes."""
            nonlocal is_last_lead
            for event in message.events if isinstance(message, Events) else ():
                is_last_lead = isinstance(event, TrickEnded) and event.number == 2 and event.leader == MOLL
            if isinstance(message, Act) and is_last_lead and not at.dropped.is_set():
                relay.is_open.clear()
                at.dropped.set()
                nan.waits_for = lambda: PresenceChanged(MOLL, away=True) in nan.client.all_of(PresenceChanged)
                return Fate.IS_LAST
            return Fate.PASSES

        relay.rule = rule
        await at.dropped.wait()
        ends = len(nan.client.all_of(HandEnded))
        await nan.until(lambda: len(nan.client.all_of(HandEnded)) > ends)
        relay.is_open.set()
        await at.play_on()
        told = nan.client.all_of(HandEnded | PresenceChanged | Sealed)  # type: ignore[arg-type]  # isinstance takes it
        back = told.index(PresenceChanged(MOLL, away=False))
        assert isinstance(told[back - 1], HandEnded), "nothing was sealed while Moll was away"
        assert isinstance(told[back + 1], Sealed)
        missed = 1 if how is How.ANEW else 0
        assert_all_is_proved(moll, missed=missed)
        assert_all_is_proved(nan)


@SERVER_PHASES
async def test_client_that_begins_anew_proves_what_comes_then(phase: Phase) -> None:
    """Its new process has another chain. The deal in play is said not to be checked, or is called off if it waits for a
    link of the former chain; every later one is proved to both."""
    async with evening() as at:
        moll, nan = at.players
        at.relays[0].is_open.set()
        at.drop_at(phase)
        await at.dropped.wait()
        await moll.close()
        again = Player(await come(at.relays[0], token=moll.client.token), moll.table)
        at.players[0] = again
        await at.play_on()
        assert moll.client.all_of(SealBroken) == again.client.all_of(SealBroken) == nan.client.all_of(SealBroken) == []
        voided = nan.client.all_of(DealVoided)
        assert [event.seats for event in voided] in ([], [(MOLL,)])
        assert nan.last.tally.unproved == ()
        assert nan.last.tally.deals_called_off == len(voided)
        assert sum(count for _, count in again.last.tally.unproved) <= 1
        assert isinstance(again.last.deal, DealSummary)
        assert again.last.deal.cutters == (MOLL, NAN)
        assert again.links_used == again.last.tally.proved + 1


# --- bots ------------------------------------------------------------------------------------------------------------


class Watchful(Bot):
    """Notes how far each deal was proved when it was asked."""

    def __init__(self) -> None:
        self.was_proved: list[bool] = []
        self.why: list[Unproved | None] = []
        self.records: list[Record] = []

    async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        self.was_proved.append(self.is_proved)
        self.why.append(None if self.checked is None else self.checked.unproved)
        return legal[0].action

    def game_over(self, record: Record) -> None:
        self.records.append(record)


class Outcome(NamedTuple):
    """What a bot has to say of a game."""

    bot: Watchful
    record: Record
    deals: int
    """That were sealed."""


async def bots(*, sealed: bool = True, forgets_events: bool = False, **options: str | int) -> Outcome:
    """A bot that played a game with the house, and lost its connection in a hand of it."""
    async with house() as server, relaying(server.port) as relay:
        relay.forgets_events = forgets_events
        client = await Noting.connect("127.0.0.1", relay.port, name="Moll", waits=patient, sealed=sealed)
        dropped = False

        def rule(message: AnyMessage) -> Fate:
            nonlocal dropped
            if dropped or not isinstance(message, Events) or Dealt not in map(type, message.events):
                return Fate.PASSES
            dropped = True
            return Fate.IS_LAST

        relay.rule = rule
        bot = Watchful()
        record = await play(bot, client, house="steady", options=options)
        assert dropped
        await client.close()
        return Outcome(bot, record, max(client.deals, default=0))


async def test_bot_knows_that_its_deals_are_proved() -> None:
    """At every choice, after a drop too; and its record counts every deal of the game, also as `game_over` has it."""
    bot, record, deals = await bots()
    assert all(bot.was_proved)
    assert record.deals == record.proved == deals > 1
    assert bot.records == [record]


async def test_bot_knows_that_a_deal_is_not_proved() -> None:
    """Arranged, shown anew in the middle, or not checked at all; and its record counts that."""
    bot, record, _ = await bots(arranged="3s 3h")
    assert not any(bot.was_proved)
    assert set(bot.why) == {Unproved.EXHIBITION}
    assert (record.deals > 1, record.proved) == (True, 0)
    bot, record, deals = await bots(forgets_events=True)
    assert Unproved.MISSED in bot.why
    assert not any(proved for proved, why in zip(bot.was_proved, bot.why, strict=True) if why is not None)
    assert record.proved == record.deals - 1 == deals - 1
    bot, record, _ = await bots(sealed=False)
    assert not any(bot.was_proved)
    assert (record.deals, record.proved) == (0, 0)
    assert bot.records == [record]
