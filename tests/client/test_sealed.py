"""Clients that cut and check: an honest server is believed whatever becomes of the line, and a cheat is caught."""

import asyncio
import random
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from put_client import Bot, Record, play
from put_client.sdk import deal_checks as module
from put_client.sdk.client import Client, Message
from put_client.sdk.deal_checks import DealChecked, SealBroken, Standing
from put_client.sdk.errors import Cheated
from put_protocol.cards import FULL_PACK, Card
from put_protocol.games.put import DealerFound, Dealt, GameEnded, HandEnded, HandWon, Played, Put
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.messages import (
    Cut,
    Events,
    Hello,
    LookAway,
    Notice,
    Ok,
    Promise,
    Say,
    ServerMessage,
    Sit,
    TableSnapshot,
)
from put_protocol.seal.cuts import Chain, after
from put_protocol.seal.findings import DealSummary, Fault, Proof, Stage, Tally, Unproved
from put_protocol.seal.packs import Sealing, seal
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import PresenceChanged, Said, Sat
from put_protocol.table_info import TableState
from put_server.app import Server, serving
from put_server.games.live_deal import CardProver, LiveDeal, unsealed
from put_server.games.record import Seal
from put_server.settings import Settings
from put_server.table.sealing import SealedDeal
from tests.client.scripted_server import Peer, info, welcome
from tests.client.scripted_server import Server as Scripted
from tests.repetitions import TURN
from tests.seal.known_games import KNOWN, fewest_and_most
from tests.seal.test_verifiers import needs_node, verified

BACKSTOP_S = 60
"""For a whole test: never waited out by one that passes."""


def soon() -> Iterable[float]:
    """Attempts without end, one right after another."""
    while True:
        yield 0.005


class Noting(Client):
    """Keeps what whoever follows it was told."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.noted: list[Message] = []
        self._came = asyncio.Event()

    async def __anext__(self) -> Message:
        message = await super().__anext__()
        self.noted.append(message)
        self._came.set()
        return message

    async def has_heard(self, kind: type, count: int = 1) -> None:
        """So many of a kind."""
        while len(self.all_of(kind)) < count:
            self._came.clear()
            await self._came.wait()

    @property
    def deals(self) -> dict[int, DealSummary]:
        """Each deal as it was told of last."""
        told = [message.deal for message in self.noted if isinstance(message, DealChecked)]
        return {deal.deal: deal for deal in told if deal is not None}

    @property
    def checks(self) -> list[DealChecked]:
        return [message for message in self.noted if isinstance(message, DealChecked)]

    @property
    def standings(self) -> list[Standing | None]:
        return [told.standing for told in self.checks]

    def all_of(self, kind: type) -> list[Any]:
        """Events, or messages, of a kind."""
        events = [event for message in self.noted if isinstance(message, Events) for event in message.events]
        return [one for one in (*self.noted, *events) if isinstance(one, kind)]


@asynccontextmanager
async def house(data: Path | None = None, port: int = 0) -> AsyncIterator[Server]:
    settings = Settings(host="127.0.0.1", port=port, data=str(data) if data is not None else ":memory:")
    async with asyncio.timeout(BACKSTOP_S), serving(settings, thinks=False) as server:
        yield server


async def guest(server: Server, name: str, *, sealed: bool = True) -> Noting:
    return await Noting.connect("127.0.0.1", server.port, name=name, is_bot=True, waits=soon, sealed=sealed)


class Calm(Bot):
    """Plays the first card it may, so that a game has many hands; now and then, if it is to, whatever it may."""

    def __init__(self, seed: int, boldness: float = 0.0) -> None:
        self._dice = random.Random(seed)
        self._boldness = boldness

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action | Awaitable[Action]:
        return (self._dice.choice(legal) if self._dice.random() < self._boldness else legal[0]).action


class Waiting(Calm):
    """Does nothing before it is let go on."""

    def __init__(self) -> None:
        super().__init__(0)
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()

    async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        self.asked.set()
        await self.go_on.wait()
        return legal[0].action


def sit_down(table: int, *clients: Client, games: int = 2, boldness: float = 0.0) -> list["asyncio.Future[Record]"]:
    """A bot for each."""
    return [
        asyncio.ensure_future(play(Calm(seat, boldness), client, table=table, games=games))
        for seat, client in enumerate(clients)
    ]


async def look_on(client: Noting) -> None:
    """Until somebody ends it."""
    async for _ in client:
        pass


async def close(*clients: Client) -> None:
    for client in clients:
        await client.close()


def assert_all_is_proved(client: Noting, *, besides: int = 1, missed: int = 0) -> None:
    """Nobody is accused; every card of every deal that was dealt is proved, but of so many at the end, and of so many
    in which the table was shown anew."""
    assert client.all_of(SealBroken) == []
    dealt = [deal for deal in client.deals.values() if deal.stage is Stage.CUT and deal.unproved is None]
    assert sum(deal.unproved is not None for deal in client.deals.values()) <= missed
    assert all(deal.is_turned for deal in dealt)
    assert all(card.proof is Proof.PROVED for deal in dealt[: len(dealt) - besides] for card in deal.cards)
    assert any(deal.cards for deal in dealt)


# --- an honest server ------------------------------------------------------------------------------------------------


EITHER = (slice(None), slice(None)) if TURN else (slice(None, 1), slice(-1, None))
"""The suite tries one game at the fewest and the next at the most seats, a campaign every game at both."""

SHORT = ("put-1800", "put-partners", "put-parlett")
"""Games in which the calm soon put."""


@pytest.mark.parametrize(
    ("game", "seats"),
    [(name, seats) for number, name in enumerate(KNOWN) for seats in fewest_and_most(name)[EITHER[number % 2]]],
    ids=str,
)
async def test_games_of_every_kind_are_proved_to_players_and_gallery(game: str, seats: int) -> None:
    """To the last card, deal for deal, and with the same words for all."""
    async with house() as server:
        players = [await guest(server, f"P{seat}") for seat in range(seats)]
        gallery = await guest(server, "Eve")
        table = await players[0].open_table(game, seats=seats)
        await gallery.watch(table)
        watching = asyncio.ensure_future(look_on(gallery))
        await asyncio.gather(*sit_down(table, *players, games=4 if game in SHORT else 1, boldness=0.1))
        await close(*players, gallery)
        await watching
        for client in (*players, gallery):
            assert_all_is_proved(client)
            assert client.all_of(DealVoided) == []
            assert all(len(deal.cutters) == seats for deal in client.deals.values())
        words = [deal.words for deal in players[0].deals.values()]
        assert len(set(words)) == len(words) >= 2
        for client in (*players[1:], gallery):
            assert [deal.words for deal in client.deals.values()][: len(words) - 1] == words[:-1]


async def test_who_does_not_cut_plays_with_who_does() -> None:
    """Their seat is named as one that takes no part; they get no proofs, and the other's proofs hold without them."""
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        table = await moll.open_table("put-1674")
        await asyncio.gather(*sit_down(table, moll, nan))
        await close(moll, nan)
        assert_all_is_proved(moll)
        assert {deal.cutters for deal in moll.deals.values()} == {(0,)}
        assert nan.all_of(Openings) == nan.all_of(DealChecked) == []


async def test_house_takes_no_part_in_the_cutting() -> None:
    """Its cuts would be the server's own. Every deal is proved without it."""
    async with house() as server:
        moll = await guest(server, "Moll")
        record = await play(Calm(1), moll, house="steady", games=2)
        await close(moll)
        assert_all_is_proved(moll)
        assert {deal.cutters for deal in moll.deals.values()} == {(0,)}
        assert record.deals == record.proved == len(moll.deals)


async def test_deals_of_those_who_do_not_cut_are_not_sealed_and_nobody_is_accused() -> None:
    """To the gallery it is told, deal for deal, from the first."""
    async with house() as server:
        players = [await guest(server, name, sealed=False) for name in ("Moll", "Nan")]
        gallery = await guest(server, "Eve")
        table = await players[0].open_table("put-1674")
        await gallery.watch(table)
        watching = asyncio.ensure_future(look_on(gallery))
        await asyncio.gather(*sit_down(table, *players))
        await close(*players, gallery)
        await watching
        assert {(told.standing, told.unproved) for told in gallery.checks} == {(Standing.UNPROVED, Unproved.NOT_SEALED)}
        dealt = len(gallery.all_of(Dealt)) + len(gallery.all_of(DealerFound))
        assert gallery.checks[-1].tally == Tally(unproved=((Unproved.NOT_SEALED, dealt),))
        assert gallery.all_of(SealBroken) == []


async def test_exhibition_is_not_sealed_and_nobody_is_accused() -> None:
    """Where the cards are arranged a proof would prove nothing."""
    async with house() as server:
        moll = await guest(server, "Moll")
        table = await moll.open_table("put-1674", options={"arranged": "3s 3h"})
        await moll.invite(table)
        await asyncio.gather(*sit_down(table, moll, games=1))
        await close(moll)
        assert {(told.standing, told.unproved) for told in moll.checks} == {(Standing.UNPROVED, Unproved.EXHIBITION)}
        assert moll.checks[-1].tally.proved == 0
        assert moll.all_of(SealBroken) == []


async def test_packs_opened_after_the_game_are_whole() -> None:
    """Where the table says so, both packs of every deal are checked to their last card when it is over."""
    async with house() as server:
        players = [await guest(server, name) for name in ("Moll", "Nan")]
        table = await players[0].open_table("put-1674", options={"open": "after_game"})
        await asyncio.gather(*sit_down(table, *players, games=2))
        await close(*players)
        ends = [place for place, one in enumerate(players[1].noted) if _ends_game(one)]
        first = {deal.deal.deal for deal in players[1].noted[: ends[0]] if isinstance(deal, DealChecked) and deal.deal}
        assert len(first) >= 2
        assert all(players[1].deals[number].is_whole for number in first)
        assert_all_is_proved(players[1])


def _ends_game(message: Message) -> bool:
    return isinstance(message, Events) and any(isinstance(event, GameEnded) for event in message.events)


async def test_who_comes_in_the_middle_checks_from_the_next_seal_on() -> None:
    """They are told that the deal in play is not checked, accuse nobody, and prove the next."""
    async with house() as server:
        players = [await guest(server, name) for name in ("Moll", "Nan")]
        gallery = await guest(server, "Eve")
        table = await players[0].open_table("put-1674")
        slow = Waiting()
        playing = [*sit_down(table, players[0]), asyncio.ensure_future(play(slow, players[1], table=table, games=2))]
        await slow.asked.wait()
        await gallery.watch(table)
        slow.go_on.set()
        watching = asyncio.ensure_future(look_on(gallery))
        await asyncio.gather(*playing)
        await close(*players, gallery)
        await watching
        assert (gallery.checks[0].standing, gallery.checks[0].unproved) == (Standing.UNPROVED, Unproved.JOINED)
        assert gallery.checks[-1].tally.unproved == ((Unproved.JOINED, 1),)
        assert_all_is_proved(gallery)


async def test_spectator_who_sits_down_cuts() -> None:
    """The seat is another viewer, with a chain of its own."""
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan")
        table = await moll.open_table("put-1674")
        await moll.watch(table)
        await asyncio.gather(*sit_down(table, moll, nan))
        await close(moll, nan)
        assert_all_is_proved(moll)
        assert {deal.cutters for deal in moll.deals.values()} == {(0, 1)}


async def test_chain_is_renewed_before_it_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sitting may be longer than any chain, and no deal goes without a cut for it."""
    monkeypatch.setattr(module, "LINKS", module.FEW_LINKS + 4)
    async with house() as server:
        secrets = iter(range(1, 1000))
        moll = await Noting.connect(
            "127.0.0.1", server.port, name="Moll", chain_secret=lambda: next(secrets).to_bytes(32)
        )
        nan = await guest(server, "Nan")
        table = await moll.open_table("put-1674")
        await asyncio.gather(*sit_down(table, moll, nan, games=4))
        await close(moll, nan)
        assert_all_is_proved(moll)
        assert next(secrets) > 4
        assert {deal.cutters for deal in moll.deals.values()} == {(0, 1)}


class Fickle(Noting):
    """Takes part, and promises another end in place of every second cut."""

    voids = 0
    chain: Chain

    async def __anext__(self) -> Message:
        message = await super().__anext__()
        if isinstance(message, TableSnapshot):
            self._promise(message.table)
        elif isinstance(message, Events):
            for event in message.events:
                self._answer(message.table, event)
        return message

    def _answer(self, table: int, event: Event) -> None:
        if isinstance(event, CutsShown):
            self._promise(table)
        elif isinstance(event, Sealed) and event.cuts[1] == self.chain.link(4):
            if event.deal % 2:
                self.voids += 1
                self._promise(table)
            else:
                self._wire.send(Cut(self._wire.connection.next_id(), table, event.deal, self.chain.link(3)))

    def _promise(self, table: int) -> None:
        self.chain = Chain(len(self.noted).to_bytes(32), 4)
        self._wire.send(Promise(self._wire.connection.next_id(), table, self.chain.link(4)))


async def test_chain_is_renewed_however_many_deals_are_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them takes a link, and it may be somebody else who calls them off; who that is, is told and counted."""
    monkeypatch.setattr(module, "LINKS", 4)
    monkeypatch.setattr(module, "FEW_LINKS", 3)
    async with house() as server:
        moll = await guest(server, "Moll")
        nan = await Fickle.connect("127.0.0.1", server.port, name="Nan", is_bot=True, sealed=False)
        table = await moll.open_table("put-1674")
        await asyncio.gather(*sit_down(table, moll, nan, games=2))
        await close(moll, nan)
        assert moll.all_of(SealBroken) == []
        voided = moll.all_of(DealVoided)
        assert nan.voids > module.LINKS
        assert sum(1 in event.seats for event in voided) == nan.voids
        assert moll.all_of(CutsShown)[-1].links[0] is not None
        tally = moll.checks[-1].tally
        assert tally.unproved == ()
        assert tally.deals_called_off == len(voided)
        assert [(one.seat, one.drops) for one in tally.suspects][-1] == (1, 0)


# --- the line --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), [("put-1674", 2), ("put-1674", 3), ("put-partners", 4)])
async def test_connections_that_drop_all_the_time_leave_nothing_unproved(game: str, seats: int) -> None:
    """Neither to players nor to the gallery, and nobody is accused; no deal is called off, and no link is lost."""
    dice = random.Random(seats)
    async with house() as server:
        players = [await guest(server, f"P{seat}") for seat in range(seats)]
        gallery = await guest(server, "Eve")
        table = await players[0].open_table(game, seats=seats)
        await gallery.watch(table)
        watching = asyncio.ensure_future(look_on(gallery))
        playing = sit_down(table, *players, games=3, boldness=0.1)
        drops = 0
        while not all(one.done() for one in playing):
            for _ in range(dice.randrange(60)):
                await asyncio.sleep(0)
            dice.choice((*players, gallery))._wire.drop()
            drops += 1
        records = [one.result() for one in playing]
        assert [record.games for record in records] == [3] * seats
        await close(*players, gallery)
        await watching
        assert drops > 5
        for client in (*players, gallery):
            assert client.all_of(SealBroken) == []
            assert client.all_of(DealVoided) == []
            missed = sum(count for _, count in client.checks[-1].tally.unproved)
            shown_anew = len(client.all_of(TableSnapshot)) - 1 if client is gallery else 0  # nobody waits for her
            assert missed <= shown_anew
            assert_all_is_proved(client, missed=missed)
        assert all(record.deals == record.proved > 3 for record in records)


async def test_server_that_restarts_accuses_itself_of_nothing(tmp_path: Path) -> None:
    """A deal that was being cut goes on, and the game with it, and nothing is unproved."""
    async with asyncio.timeout(BACKSTOP_S):
        async with house(tmp_path) as server:
            port = server.port
            players = [await guest(server, name) for name in ("Moll", "Nan")]
            table = await players[0].open_table("put-1674")
            playing = sit_down(table, *players, games=6)
            for client in players:
                await client.has_heard(Played, 3)
        async with house(tmp_path, port):
            records = await asyncio.gather(*playing)
            assert [record.games for record in records] == [6, 6]
            await close(*players)
        for client, record in zip(players, records, strict=True):
            assert client.all_of(SealBroken) == []
            assert client.all_of(DealVoided) == []
            assert record.deals == record.proved


# --- a cheat ---------------------------------------------------------------------------------------------------------

THIRD = 3
"""The deal from which on it cheats."""


def swap_cards(patch: pytest.MonkeyPatch) -> None:
    """The first card dealt is changed for one that nobody was to get, after the cuts."""
    honest = SealedDeal.dealt

    def dealt(deal: SealedDeal, table: int, *, opens_after: bool) -> LiveDeal:
        live = honest(deal, table, opens_after=opens_after)
        if deal.sealed.deal < THIRD:
            return live
        first, *others, last = live.pack.cards
        return LiveDeal(replace(live.pack, cards=(last, *others, first)), live.prover)

    patch.setattr(SealedDeal, "dealt", dealt)


def alter_openings(
    patch: pytest.MonkeyPatch, alter: Callable[[Openings], Openings], *, of: Viewer | None = None
) -> None:
    """Of this viewer, or of everybody."""
    honest = CardProver.openings_due

    def see(prover: CardProver, viewer: Viewer, events: Iterable[Event]) -> Openings | None:
        told = honest(prover, viewer, events)
        is_altered = told is not None and told.deal >= THIRD and of in (None, viewer)
        return alter(told) if is_altered and told is not None else told

    patch.setattr(CardProver, "openings_due", see)


def prove_nothing(patch: pytest.MonkeyPatch) -> None:
    """Cards come without proofs."""
    alter_openings(patch, lambda told: replace(told, openings=()))


def open_with_other_noise(patch: pytest.MonkeyPatch) -> None:
    """Envelopes had other noise in them than is said now."""
    noisy = tuple
    alter_openings(patch, lambda told: replace(told, openings=noisy(replace(o, salt=bytes(32)) for o in told.openings)))


def turn_up_nothing(patch: pytest.MonkeyPatch) -> None:
    """The pack that is not played stays face down."""
    alter_openings(patch, lambda told: replace(told, turned=None))


CHEATS = {
    swap_cards: (Fault.HOLDER, "it was not dealt to the player who showed it"),
    prove_nothing: (Fault.UNOPENED, "it was shown without an opening"),
    open_with_other_noise: (Fault.LEAF, "its opening does not give the root of the pack in play"),
    turn_up_nothing: (Fault.NOT_TURNED, "a pack that was due was not turned up"),
}


@pytest.fixture
async def caught(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Noting, Noting, Cheated]:
    """The player who caught the cheat, the adversary who checks nothing, and what was found."""
    request.param(monkeypatch)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        table = await moll.open_table("put-1674")
        mine, others = sit_down(table, moll, nan)
        with pytest.raises(Cheated) as error:
            await mine
        await nan.has_heard(Said)
        with pytest.raises(Cheated):
            await moll.act(table, 1, Put())
        others.cancel()
        await close(moll, nan)
        return moll, nan, error.value


@pytest.mark.parametrize("caught", CHEATS, indirect=True, ids=lambda cheat: cheat.__name__)
async def test_cheat_is_caught(caught: tuple[Noting, Noting, Cheated], state_home: Path, request: Any) -> None:
    """At the first card that is not as it was sealed: play ends there, the table hears why, and evidence is kept."""
    moll, nan, error = caught
    fault, says = CHEATS[request.node.callspec.params["caught"]]
    first = error.failures[0]
    assert (first.fault, first.deal >= THIRD) == (fault, True)
    assert str(error).startswith("The dealer at table 1 does not deal fairly. Deal ")
    assert says in str(error)
    assert moll.standings[-1] is Standing.BROKEN
    assert [one.error for one in moll.all_of(SealBroken)] == [error]
    (word,) = nan.all_of(Said)
    assert word.name == "Moll"
    assert word.text == f"I stop: d{first.says[1:]} I keep the evidence."
    assert error.evidence is not None
    assert error.evidence.parent == state_home / "evidence"
    assert stat.S_IMODE(error.evidence.stat().st_mode) == 0o600
    assert stat.S_IMODE(error.evidence.parent.stat().st_mode) == 0o700
    assert f"table-1_deal-{first.deal}" in error.evidence.name


@needs_node
@pytest.mark.parametrize("caught", CHEATS, indirect=True, ids=lambda cheat: cheat.__name__)
async def test_evidence_convinces_the_other_verifier(caught: tuple[Noting, Noting, Cheated]) -> None:
    """It finds the same in the file, and nothing else."""
    error = caught[2]
    assert error.evidence is not None
    (viewer,) = verified(error.evidence)["viewers"]
    assert viewer["viewer"] == 0
    assert viewer["findings"] == msgspec.to_builtins(list(error.failures))


async def test_evidence_that_cannot_be_kept_ends_play_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody says that it is."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    prove_nothing(monkeypatch)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        mine, others = sit_down(await moll.open_table("put-1674"), moll, nan)
        with pytest.raises(Cheated) as error:
            await mine
        await nan.has_heard(Said)
        others.cancel()
        await close(moll, nan)
    assert error.value.evidence is None
    assert nan.all_of(Said)[0].text.endswith(": it was shown without an opening.")


class Judging(Calm):
    """Notes the faults that it is told of."""

    def __init__(self) -> None:
        super().__init__(0)
        self.faults: list[Cheated] = []
        self.playing: asyncio.Future[Record] | None = None

    def on_fault(self, error: Cheated) -> None:
        assert self.playing is not None
        assert not self.playing.done(), "the error is raised afterwards"
        self.faults.append(error)


class Confused(Judging):
    """Fails when it hears of a fault."""

    def on_fault(self, error: Cheated) -> None:
        super().on_fault(error)
        raise RuntimeError("what now?")


@pytest.mark.parametrize("kind", [Judging, Confused])
async def test_bot_is_told_of_a_fault_before_it_is_raised(kind: type[Judging], monkeypatch: pytest.MonkeyPatch) -> None:
    """With the error; and it is raised whatever the bot makes of it."""
    prove_nothing(monkeypatch)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        table = await moll.open_table("put-1674")
        bot = kind()
        bot.playing = asyncio.ensure_future(play(bot, moll, table=table, games=2))
        (others,) = sit_down(table, nan)
        with pytest.raises(Cheated) as error:
            await bot.playing
        assert bot.faults == [error.value]
        assert not bot.is_proved
        others.cancel()
        await close(moll, nan)


async def test_gallery_catches_a_cheat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where those who sit are told the truth."""
    alter_openings(monkeypatch, lambda told: replace(told, turned=None), of=GALLERY)
    async with house() as server:
        moll, eve = await guest(server, "Moll"), await guest(server, "Eve")
        table = await moll.open_table("put-1674")
        await moll.invite(table)
        await eve.watch(table)
        watching = asyncio.ensure_future(look_on(eve))
        (playing,) = sit_down(table, moll, games=5)
        await eve.has_heard(SealBroken)
        await playing
        await close(moll, eve)
        await watching
    (broken,) = eve.all_of(SealBroken)
    assert broken.error.failures[0].fault is Fault.NOT_TURNED
    assert moll.all_of(SealBroken) == []


# --- a server whose every word is the test's -------------------------------------------------------------------------

THEIRS = Chain(b"theirs".ljust(32), 8)
"""Of whoever sits opposite."""

OPEN = info(TableState.BETWEEN, games=1)
PLAYING = info(TableState.PLAYING, games=1)
MOLL = Seat(0)
TO = (MOLL, Seat(1)) * 3


class Seated(NamedTuple):
    """A client in a seat of table 7, and the server's end of it."""

    client: Noting
    peer: Peer
    end: bytes
    seat: Seat


async def seated(server: Scripted, seat: int = 0) -> Seated:
    """Who sat down with the end of a chain."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, name=f"P{seat}", waits=soon))
    peer = await server.arrival()
    await peer.welcome()
    client = await connecting
    sitting = asyncio.ensure_future(client.sit(7))
    asked = await peer.hear(Sit)
    peer.say(TableSnapshot(7, Seat(seat), 0, OPEN), Ok(id=asked.id, table=7, seat=Seat(seat)))
    await sitting
    assert asked.end is not None
    return Seated(client, peer, asked.end, Seat(seat))


def packs_of(number: int) -> Sealing:
    return seal(number.to_bytes(32), 7, number, FULL_PACK)


def sealed(number: int, *ends: bytes | None, packs: Sealing | None = None) -> Sealed:
    return Sealed(number, (packs or packs_of(number)).roots, TO, ends)


def void(number: int, *seats: int) -> DealVoided:
    """Called off because of these, with both packs turned up."""
    first, second = packs_of(number).packs
    return DealVoided(number, tuple(map(Seat, seats)), seeds=(first.seed, second.seed))


class Dealing(NamedTuple):
    """A deal that an honest server has dealt."""

    cut: CutsShown
    hand: Dealt
    """As seat 0 sees it."""
    openings: Openings
    """For seat 0, ahead of it."""
    live: LiveDeal


def dealing(seal: Sealed, *links: bytes | None) -> Dealing:
    """With these cuts."""
    cut = CutsShown(seal.deal, links)
    live = unsealed(7, Seal(seal.deal.to_bytes(32), seal, cut), opens_after=False)
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), live.pack.cards[0:6:2])
    assert live.prover is not None
    openings = live.prover.openings_due(Seat(0), (hand,))
    assert openings is not None
    return Dealing(cut, hand, openings, live)


def led(dealt: Dealing) -> tuple[Openings, Played]:
    """The other's first card, and its proof."""
    played = Played(Seat(1), dealt.live.pack.cards[1], leads=True)
    assert dealt.live.prover is not None
    openings = dealt.live.prover.openings_due(Seat(0), (played,))
    assert openings is not None
    return openings, played


async def heard(who: Seated, *messages: ServerMessage) -> list[Message]:
    """What the client made of it."""
    who.peer.say(*messages, Notice("that is all"))
    came: list[Message] = []
    async for message in who.client:
        if isinstance(message, Notice):
            break
        came.append(message)
    return came


async def dropped(who: Seated, server: Scripted, *then: ServerMessage) -> Seated:
    """The connection is lost, and this is told on the next one."""
    who.peer.drop()
    back = who._replace(peer=await server.arrival())
    await back.peer.welcome_back(*then, tables=(7,))
    return back


async def cut_of(who: Seated) -> Cut:
    cut = await who.peer.hear_cut()
    assert isinstance(cut, Cut)
    return cut


async def promise_of(who: Seated) -> bytes | None:
    promise = await who.peer.hear_cut()
    assert isinstance(promise, Promise)
    return promise.end


async def words_of(first: Seated, second: Seated, *packs: Sealing) -> list[str | None]:
    """What two players read to each other, who were shown these packs' seals."""
    links = []
    for who, shown in zip((first, second), packs, strict=True):
        await heard(who, Events(7, 1, (sealed(1, first.end, second.end, packs=shown),)))
        links.append((await cut_of(who)).link)
    words = []
    for who in (first, second):
        await heard(who, Events(7, 2, (CutsShown(1, tuple(links)),)))
        words.append(who.client.deals[1].words)
        assert who.client.all_of(SealBroken) == []
    return words


async def test_players_who_were_told_the_same_have_the_same_words(server: Scripted) -> None:
    """Over different lines."""
    first, second = await seated(server), await seated(server, 1)
    same, other = await words_of(first, second, packs_of(1), packs_of(1))
    assert same is not None
    assert same == other
    await close(first.client, second.client)


async def test_players_who_were_shown_other_seals_have_other_words(server: Scripted) -> None:
    """No check of either's finds what a man in the middle did; reading the words does."""
    first, second = await seated(server), await seated(server, 1)
    mine, yours = await words_of(first, second, packs_of(1), packs_of(2))
    assert None not in (mine, yours)
    assert mine != yours
    await close(first.client, second.client)


async def test_cut_is_given_at_once_and_before_anybody_hears_of_the_seal(server: Scripted) -> None:
    """Nobody has taken the message when the link is there, and it is the one that was promised."""
    who = await seated(server)
    who.peer.say(Events(7, 1, (sealed(1, who.end, None),)))
    cut = await cut_of(who)
    assert (cut.table, cut.deal, after(cut.link)) == (7, 1, who.end)
    came = await heard(who)
    assert [type(message) for message in came] == [TableSnapshot, Events, DealChecked]
    assert isinstance(came[-1], DealChecked)
    assert came[-1].standing is Standing.AWAITED
    await close(who.client)


async def test_who_is_asked_for_a_cut_they_gave_name_their_end_and_cut_the_next_deal(server: Scripted) -> None:
    """The deal before was called off while their cut was on its way, or so it is said: no link is given twice."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    link = (await cut_of(who)).link
    await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
    assert await promise_of(who) == link
    await heard(who, Events(7, 4, (void(2, 0), sealed(3, link, None))))
    assert await promise_of(who) == link
    assert after((await cut_of(who)).link) == link
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_who_is_left_out_names_their_end_until_they_are_heard(server: Scripted) -> None:
    """And it is no fault of the next deals that they have no part, but they are told that these are not proved."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    link = (await cut_of(who)).link
    await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
    assert await promise_of(who) == link
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    came = await heard(who, Events(7, 4, (void(2, 0), hand)))
    assert await promise_of(who) == link
    assert await promise_of(who) == link
    assert isinstance(came[-1], DealChecked)
    assert (came[-1].standing, came[-1].unproved) == (Standing.UNPROVED, Unproved.NOT_COUNTED)
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_who_is_blamed_though_they_cut_has_caught_the_table(server: Scripted) -> None:
    """Also where the server has shown nothing of the cut, for the connection stands."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    await cut_of(who)
    await heard(who, Events(7, 2, (void(1, 0),)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.BLAME]
    await close(who.client)


async def test_table_shown_anew_without_a_drop_is_caught(server: Scripted) -> None:
    """That would hide the deal in play."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, None),), info=PLAYING))
    await heard(who, TableSnapshot(7, Seat(0), 1, PLAYING))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.SNAPSHOT]
    await close(who.client)


async def test_hand_without_a_seal_is_a_cheat_to_who_takes_part(server: Scripted) -> None:
    """They said so when they sat down, and the server has answered."""
    who = await seated(server)
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    await heard(who, Events(7, 1, (hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_SEALED]
    assert (await who.peer.hear(Say)).text.startswith("I stop: deal 0: there is no seal for it.")
    assert await promise_of(who) is None
    await close(who.client)


async def test_what_was_missed_is_checked_when_it_is_told(server: Scripted) -> None:
    """With its proofs, which come first: a drop leaves nothing unproved."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    dealt = dealing(seal, (await cut_of(who)).link, None)
    who = await dropped(who, server, dealt.openings, Events(7, 2, (dealt.cut, dealt.hand), info=PLAYING))
    await heard(who)
    assert who.client.standings[-1] is Standing.PROVED
    openings, played = led(dealt)
    await heard(who, openings, Events(7, 4, (played,)))
    assert who.client.standings[-1] is Standing.PROVED
    assert [card.proof for card in who.client.deals[1].cards] == [Proof.PROVED] * 4
    await close(who.client)


async def test_missed_card_without_its_proof_is_caught(server: Scripted) -> None:
    """After a drop as before it; and though the server never says again how the table is now."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    dealt = dealing(seal, (await cut_of(who)).link, None)
    _, played = led(dealt)
    who = await dropped(who, server, dealt.openings, Events(7, 2, (dealt.cut, dealt.hand)), Events(7, 4, (played,)))
    await heard(who)
    (broken,) = who.client.all_of(SealBroken)
    assert [(failure.fault, failure.card) for failure in broken.error.failures] == [(Fault.UNOPENED, played.card)]
    await close(who.client)


async def test_server_that_never_ends_the_catching_up_is_checked_all_the_same(server: Scripted) -> None:
    """Its deals are proved as long as they are, and the first card that is not is found. Nothing is cut as long as what
    was missed may still be on its way, for the deal that waits may be over; but no longer than that."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    link = (await cut_of(who)).link
    dealt = dealing(seal, link, None)
    who = await dropped(who, server, dealt.openings, Events(7, 2, (dealt.cut, dealt.hand)))
    await heard(who)
    assert who.client.standings[-1] is Standing.PROVED
    openings, played = led(dealt)
    await heard(who, openings, Events(7, 4, (played,)))
    assert who.client.standings[-1] is Standing.PROVED
    await heard(who, Events(7, 5, (sealed(2, link, None),)))
    assert await sent_by(who) == []
    await heard(who, Events(7, 6, ()))
    assert after((await cut_of(who)).link) == link
    await heard(who, Events(7, 6, (dealt.hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_CUT]
    await close(who.client)


@pytest.mark.parametrize("how", ["void", "cut"])
@pytest.mark.parametrize("at", range(5), ids=lambda at: f"{at} in the first message")
async def test_seal_that_is_over_is_not_answered_when_it_is_told_late(server: Scripted, how: str, at: int) -> None:
    """What was missed may hold a seal and what became of it. Nothing is cut before all of that has come, so no link is
    given for a deal that is over, and the one that waits is cut, once."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    link = (await cut_of(who)).link
    await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))  # asks for a link that was given
    assert await promise_of(who) == link
    if how == "void":
        somebody_else = Sat(Seat(1), "Jack")  # who has missed nothing yet
        over: tuple[Event, ...] = (somebody_else, sealed(3, link, THEIRS.link(8)), void(3, 1))
    else:
        over = (sealed(3, None, THEIRS.link(8)), CutsShown(3, (None, THEIRS.link(7))))
    missed = (void(2, 0), *over, sealed(4, link, None))
    who = await dropped(who, server, Events(7, 4, missed[:at]), Events(7, 4 + at, missed[at:], info=PLAYING))
    await heard(who)
    sent = await sent_by(who)
    assert all(promise.end == link for promise in sent if isinstance(promise, Promise))
    (cut,) = [cut for cut in sent if isinstance(cut, Cut)]
    assert (cut.deal, after(cut.link)) == (4, link)
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def sent_by(who: Seated) -> list[Cut | Promise]:
    """What else was cut and promised, up to a request that is made now."""
    asking = asyncio.ensure_future(who.client.look_away())
    asked = await who.peer.hear(LookAway)
    who.peer.say(Ok(id=asked.id))
    await asking
    return [who.peer.cuts.get_nowait() for _ in range(who.peer.cuts.qsize())]


async def test_deals_that_are_told_in_one_message_are_each_summed_up(server: Scripted) -> None:
    """What was missed may end one deal and hold others: none is left as it was before."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    link = (await cut_of(who)).link
    dealt = dealing(seal, link, None)
    over = HandEnded(HandWon.THROWN_IN, MOLL, 1, (1, 0))
    missed = (dealt.cut, dealt.hand, over, sealed(2, link, THEIRS.link(8)), void(2, 1), sealed(3, link, None))
    who = await dropped(who, server, dealt.openings, Events(7, 2, missed, info=PLAYING))
    await heard(who)
    assert [(number, deal.stage) for number, deal in who.client.deals.items()] == [
        (1, Stage.CUT),
        (2, Stage.VOID),
        (3, Stage.SEALED),
    ]
    assert {card.proof for card in who.client.deals[1].cards} == {Proof.PROVED}
    assert who.client.checks[-1].tally.proved == 1
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


@pytest.mark.parametrize("is_shown_anew", [False, True])
async def test_cut_that_may_be_lost_is_given_again_for_the_same_seal(server: Scripted, is_shown_anew: bool) -> None:
    """Once on each connection, and no other link; to the message that has the table as it is now."""
    who = await seated(server)
    seal = sealed(1, who.end, THEIRS.link(8))
    await heard(who, Events(7, 1, (seal,), info=PLAYING))
    cut = await cut_of(who)
    for number in range(1, 4):
        told: ServerMessage = Events(7, number + 1, (), info=PLAYING)
        if is_shown_anew:
            told = TableSnapshot(7, Seat(0), number, PLAYING, sealed=seal, links=(None, THEIRS.link(7)))
        who = await dropped(who, server, told)
        again = await cut_of(who)
        assert (again.deal, again.link) == (1, cut.link)
        await heard(who, Events(7, number + 1, (PresenceChanged(Seat(1), away=True),), info=PLAYING))
        assert await sent_by(who) == []
    assert who.client.standings[-1] is Standing.AWAITED
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


@pytest.mark.parametrize("is_shown_anew", [False, True])
async def test_cut_that_was_heard_is_not_given_again(server: Scripted, is_shown_anew: bool) -> None:
    """The server says so: after a drop, too."""
    who = await seated(server)
    seal = sealed(1, who.end, THEIRS.link(8))
    await heard(who, Events(7, 1, (seal,), info=PLAYING))
    cut = await cut_of(who)
    told: ServerMessage = Events(7, 2, (CutMade(1, Seat(0), cut.link),), info=PLAYING)
    if is_shown_anew:
        told = TableSnapshot(7, Seat(0), 2, PLAYING, sealed=seal, links=(cut.link, None))
    who = await dropped(who, server, told)
    await heard(who)
    assert [sent for sent in await sent_by(who) if isinstance(sent, Cut)] == []
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


@needs_node
@pytest.mark.parametrize("trouble", ["drop", "shown anew", "asked again", "left out", "renewed"])
async def test_evidence_tells_what_became_of_the_chain(
    server: Scripted, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a drop, a link that was asked for again, a deal without us, and with another chain, too: both verifiers
    find one and the same fault, a hand before its cuts were shown."""
    if trouble == "renewed":
        monkeypatch.setattr(module, "FEW_LINKS", module.LINKS)
    who = await seated(server)
    seal = sealed(1, who.end, THEIRS.link(8))
    await heard(who, Events(7, 1, (seal,), info=PLAYING))
    link = (await cut_of(who)).link
    number, deal = 2, 2
    match trouble:
        case "drop":
            who = await dropped(who, server, Events(7, 2, (void(1, 1),), info=PLAYING))
            number = 3
        case "shown anew":
            links = (link, None)
            who = await dropped(who, server, TableSnapshot(7, Seat(0), 1, PLAYING, sealed=seal, links=links))
            assert await promise_of(who) == link
            await heard(who, Events(7, 2, (void(1, 1),)))
            number = 3
        case "asked again":
            await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
            assert await promise_of(who) == link
            await heard(who, Events(7, 4, (void(2, 0),)))
            assert await promise_of(who) == link
            number, deal = 5, 3
        case "left out":
            await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
            assert await promise_of(who) == link
            somebody_else = Sat(Seat(1), "Jack")  # who has missed nothing yet
            await heard(who, Events(7, 4, (void(2, 0), somebody_else, sealed(3, None, THEIRS.link(8)), void(3, 1))))
            assert await promise_of(who) == link
            number, deal = 8, 4
        case _:
            await heard(who, Events(7, 2, (CutsShown(1, (link, THEIRS.link(7))),)))
            link = await promise_of(who) or b""
            number = 3
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    await heard(who, Events(7, number, (sealed(deal, link, None),)))
    await cut_of(who)
    await heard(who, Events(7, number + 1, (hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_CUT]
    assert broken.error.evidence is not None
    assert stat.S_IMODE(broken.error.evidence.stat().st_mode) == 0o600
    (viewer,) = verified(broken.error.evidence)["viewers"]
    assert viewer["findings"] == msgspec.to_builtins(list(broken.error.failures))
    await close(who.client)


async def test_seat_of_another_process_is_cut_from_a_new_chain(server: Scripted) -> None:
    """Who comes back with a token alone knows nothing of the links that were given: the deal that waits for one of them
    is called off, and the next one is cut."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, token="t0", waits=soon))
    peer = await server.arrival()
    await peer.welcome(TableSnapshot(7, Seat(0), 9, OPEN), tables=(7,))
    who = Seated(await connecting, peer, b"", Seat(0))
    end = await promise_of(who)
    assert end is not None
    await heard(who, Events(7, 10, (sealed(5, bytes(32), None),)))
    assert await promise_of(who) == end
    await heard(who, Events(7, 11, (void(5, 0), sealed(6, end, None))))
    assert await promise_of(who) == end
    assert after((await cut_of(who)).link) == end
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_process_that_comes_back_to_a_seal_cuts_the_next_one(server: Scripted) -> None:
    """The one that waits for a link of the process before is called off, and nobody is accused of that."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, token="t0", waits=soon))
    peer = await server.arrival()
    shown = TableSnapshot(7, Seat(0), 9, PLAYING, sealed=sealed(5, bytes(32), None), links=(None, None))
    await peer.welcome(shown, tables=(7,))
    who = Seated(await connecting, peer, b"", Seat(0))
    end = await promise_of(who)
    assert end is not None
    await heard(who)
    assert await sent_by(who) == []
    seal = sealed(6, end, None)
    await heard(who, Events(7, 10, (void(5, 0), seal)))
    assert await promise_of(who) == end
    dealt = dealing(seal, (await cut_of(who)).link, None)
    await heard(who, dealt.openings, Events(7, 12, (dealt.cut, dealt.hand)))
    assert who.client.standings[-1] is Standing.PROVED
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_who_sits_down_again_cuts_from_the_chain_they_sat_down_with(server: Scripted) -> None:
    """Also in the same seat: links of the sitting before are known, and cut nothing."""
    who = await seated(server)
    sitting = asyncio.ensure_future(who.client.sit(7))
    asked = await who.peer.hear(Sit)
    who.peer.say(TableSnapshot(7, Seat(0), 4, OPEN), Ok(id=asked.id, table=7, seat=Seat(0)))
    await sitting
    assert asked.end is not None
    assert asked.end != who.end
    await heard(who, Events(7, 5, (sealed(1, asked.end, None),)))
    assert after((await cut_of(who)).link) == asked.end
    await close(who.client)


async def test_seat_whose_ok_was_lost_is_cut_from_the_chain_it_was_asked_for_with(server: Scripted) -> None:
    """The connection dropped when we had sat down and the deal was sealed: it is our chain that the seal names."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, name="P0", waits=soon))
    peer = await server.arrival()
    await peer.welcome()
    client = await connecting
    sitting = asyncio.ensure_future(client.sit(7))
    asked = await peer.hear(Sit)
    assert asked.end is not None
    seal = sealed(1, asked.end, None)
    shown = TableSnapshot(7, MOLL, 2, PLAYING, sealed=seal, links=(None, None))
    peer.drop()
    who = Seated(client, await server.arrival(), asked.end, MOLL)
    hello = await who.peer.hear(Hello)
    assert hello.asked == (asked.id,)
    who.peer.say(welcome("P0", (7,)), Ok(id=asked.id, table=7, seat=MOLL), shown)
    await sitting
    dealt = dealing(seal, (await cut_of(who)).link, None)
    await heard(who, dealt.openings, Events(7, 3, (dealt.cut, dealt.hand)))
    assert who.client.standings[-1] is Standing.PROVED
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_client_that_is_not_to_check_asks_for_nothing(server: Scripted) -> None:
    """Neither proofs nor cuts; what comes all the same is handed on as any event."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, name="Moll", sealed=False))
    peer = await server.arrival()
    hello = await peer.welcome(TableSnapshot(7, Seat(0), 0, OPEN))
    assert not hello.openings
    client = await connecting
    sitting = asyncio.ensure_future(client.sit(7))
    asked = await peer.hear(Sit)
    assert asked.end is None
    peer.say(Ok(id=asked.id, seat=Seat(0)))
    await sitting
    await heard(Seated(client, peer, b"", Seat(0)), Events(7, 1, (sealed(1, None, None),)))
    assert client.all_of(DealChecked) == []
    assert peer.cuts.empty()
    await close(client)
