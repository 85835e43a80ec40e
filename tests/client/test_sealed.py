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

from put_client import sealed as module
from put_client.bot import Bot, Record, play
from put_client.client import Client, Message
from put_client.errors import Cheated
from put_client.sealed import DealChecked, SealBroken, Standing
from put_protocol.actions import Action, Choice, Put
from put_protocol.cards import Card
from put_protocol.events import Dealt, Event, GameEnded, Played, Said
from put_protocol.messages import Cut, Events, Notice, Ok, Promise, Say, ServerMessage, Sit, TableSnapshot
from put_protocol.seal.chain import after
from put_protocol.seal.findings import DealSummary, Fault, Proof, Stage
from put_protocol.seal.packs import Sealing, seal
from put_protocol.seal.told import FULL_PACK, CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.views import GameView, TableState
from put_server.app import Server, serving
from put_server.games.opening import Opener
from put_server.games.record import Pack
from put_server.games.registry import GAMES
from put_server.settings import Settings
from put_server.table import table as tables
from put_server.table.sealing import SealedDeal
from tests.client.scripted import Peer, info
from tests.client.scripted import Server as Scripted
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
    def standings(self) -> list[Standing | None]:
        return [message.standing for message in self.noted if isinstance(message, DealChecked)]

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


def assert_all_is_proved(client: Noting, *, besides: int = 1) -> None:
    """Nobody is accused; every card of every deal that was dealt is proved, but of so many at the end."""
    assert client.all_of(SealBroken) == []
    dealt = [deal for deal in client.deals.values() if deal.stage is Stage.CUT]
    assert all(deal.is_turned for deal in dealt)
    assert all(card.proof is Proof.PROVED for deal in dealt[: len(dealt) - besides] for card in deal.cards)
    assert any(deal.cards for deal in dealt)


# --- an honest server ------------------------------------------------------------------------------------------------


SHORT = ("put-1800", "put-partners", "put-parlett")
"""Games in which the calm soon put."""


@pytest.mark.parametrize(
    ("game", "seats"),
    [(name, seats) for name, rules in GAMES.items() for seats in rules.offer.seats],
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
    """His seat is named as one that takes no part; he is told no proofs, and the other's stand without him."""
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        table = await moll.open_table("put-1674")
        await asyncio.gather(*sit_down(table, moll, nan))
        await close(moll, nan)
        assert_all_is_proved(moll)
        assert {deal.cutters for deal in moll.deals.values()} == {(0,)}
        assert nan.all_of(Openings) == nan.all_of(DealChecked) == []


async def test_house_cuts_like_everyone() -> None:
    """From the second deal on: its first word comes when the first is sealed already."""
    async with house() as server:
        moll = await guest(server, "Moll")
        await play(Calm(1), moll, house="steady", games=2)
        await close(moll)
        assert_all_is_proved(moll)
        assert {deal.cutters for number, deal in moll.deals.items() if number > 1} == {(0, 1)}


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
        assert gallery.standings == [Standing.UNSEALED]
        assert gallery.all_of(SealBroken) == []


async def test_exhibition_is_not_sealed_and_nobody_is_accused() -> None:
    """Where the cards are arranged a proof would prove nothing."""
    async with house() as server:
        moll = await guest(server, "Moll")
        table = await moll.open_table("put-1674", options={"arranged": "3s 3h"})
        await moll.invite(table)
        await asyncio.gather(*sit_down(table, moll, games=1))
        await close(moll)
        assert moll.standings == [Standing.UNSEALED]
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
    """He is told that the deal in play is not checked, accuses nobody, and proves the next."""
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
        assert gallery.standings[0] is Standing.UNCHECKED
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
    """Takes part, and whenever it is to cut promises another end instead; after many of them takes part no more."""

    ends = 20

    async def __anext__(self) -> Message:
        message = await super().__anext__()
        if isinstance(message, TableSnapshot):
            self._promise(message.table)
        elif isinstance(message, Events):
            for event in message.events:
                if isinstance(event, Sealed) and event.cuts[1] == self.ends.to_bytes(32):
                    self.ends -= 1
                    self._promise(message.table)
        return message

    def _promise(self, table: int) -> None:
        end = self.ends.to_bytes(32) if self.ends else None
        self._wire.send(Promise(self._wire.connection.next_id(), table, end))


async def test_chain_is_renewed_however_many_deals_are_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them takes a link, and it may be somebody else who calls them off."""
    monkeypatch.setattr(module, "LINKS", 4)
    monkeypatch.setattr(module, "FEW_LINKS", 3)
    monkeypatch.setattr(tables, "CALLED_OFF_MS", 0)  # he is not stopped
    async with house() as server:
        moll = await guest(server, "Moll")
        nan = await Fickle.connect("127.0.0.1", server.port, name="Nan", is_bot=True, sealed=False)
        table = await moll.open_table("put-1674")
        await asyncio.gather(*sit_down(table, moll, nan, games=2))
        await close(moll, nan)
        assert moll.all_of(SealBroken) == []
        voided = moll.all_of(DealVoided)
        assert len(voided) > module.LINKS
        assert not any(event.seats for event in voided), "nobody had to be left out"
        assert moll.all_of(CutsShown)[-1].links[0] is not None


# --- the line --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), [("put-1674", 2), ("put-1674", 3), ("put-partners", 4)])
async def test_lines_that_drop_all_the_time_accuse_nobody(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither players nor the gallery; and of what nobody missed, cards are proved."""
    monkeypatch.setattr(tables, "CALLED_OFF_MS", 0)  # no true line drops fifteen times while one deal is cut
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
        assert [one.result().games for one in playing] == [3] * seats
        await close(*players, gallery)
        await watching
        assert drops > 5
        for client in (*players, gallery):
            assert client.all_of(SealBroken) == []
            assert not any(event.seats for event in client.all_of(DealVoided)), "everyone cut in time"
        proved = [card for deal in players[0].deals.values() for card in deal.cards if card.proof is Proof.PROVED]
        assert proved


async def test_server_that_restarts_accuses_itself_of_nothing(tmp_path: Path) -> None:
    """A deal that was being cut is sealed anew, and the game goes on."""
    async with asyncio.timeout(BACKSTOP_S):
        async with house(tmp_path) as server:
            port = server.port
            players = [await guest(server, name) for name in ("Moll", "Nan")]
            table = await players[0].open_table("put-1674")
            playing = sit_down(table, *players, games=6)
            for client in players:
                await client.has_heard(Played, 3)
        async with house(tmp_path, port):
            assert [record.games for record in await asyncio.gather(*playing)] == [6, 6]
            await close(*players)
        for client in players:
            assert client.all_of(SealBroken) == []
            assert Standing.PROVED in client.standings[client.standings.index(Standing.UNCHECKED) :]


# --- a cheat ---------------------------------------------------------------------------------------------------------

THIRD = 3
"""The deal from which on it cheats."""


def swap_cards(patch: pytest.MonkeyPatch) -> None:
    """The first card dealt is changed for one that nobody was to get, after the cuts."""
    honest = SealedDeal.dealt

    def dealt(deal: SealedDeal, table: int) -> tuple[Pack, Opener]:
        pack, opener = honest(deal, table)
        if deal.sealed.deal < THIRD:
            return pack, opener
        return Pack((pack.cards[-1], *pack.cards[1:-1], pack.cards[0]), pack.seal), opener

    patch.setattr(SealedDeal, "dealt", dealt)


def alter_openings(
    patch: pytest.MonkeyPatch, alter: Callable[[Openings], Openings], *, of: Viewer | None = None
) -> None:
    """Of this viewer, or of everybody."""
    honest = Opener.openings

    def openings(opener: Opener, viewer: Viewer, events: tuple[Event, ...]) -> Openings | None:
        told = honest(opener, viewer, events)
        is_altered = told is not None and told.deal >= THIRD and of in (None, viewer)
        return alter(told) if is_altered and told is not None else told

    patch.setattr(Opener, "openings", openings)


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
    turn_up_nothing: (Fault.NOT_TURNED, "it was dealt before the other pack was turned up"),
}


@pytest.fixture
async def caught(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Noting, Noting, Cheated]:
    """Who caught the cheat, his adversary who checks nothing, and what was found."""
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

OPEN = info(TableState.BETWEEN, games=1)
PLAYING = info(TableState.PLAYING, games=1)
TO = (Seat(0), Seat(1)) * 3


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


async def heard(who: Seated, *messages: ServerMessage) -> list[Message]:
    """What the client made of it."""
    who.peer.say(*messages, Notice("that is all"))
    came: list[Message] = []
    async for message in who.client:
        if isinstance(message, Notice):
            break
        came.append(message)
    return came


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


async def test_who_is_asked_for_a_cut_he_gave_names_his_end_and_cuts_the_next_deal(server: Scripted) -> None:
    """The link was lost with the line, or so it is said: it is never given again."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, None),)))
    link = (await cut_of(who)).link
    await heard(who, Events(7, 2, (DealVoided(1), sealed(2, who.end, None))))
    assert await promise_of(who) == link
    await heard(who, Events(7, 4, (DealVoided(2), sealed(3, link, None))))
    assert after((await cut_of(who)).link) == link
    await close(who.client)


async def test_who_is_left_out_names_his_end_until_he_is_heard(server: Scripted) -> None:
    """He did not cut in time, whoever's fault that was; and it is no fault of the next deals that he has no part."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, None),)))
    link = (await cut_of(who)).link
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    came = await heard(who, Events(7, 2, (DealVoided(1, (Seat(0),)), hand)))
    assert await promise_of(who) == link
    assert isinstance(came[-1], DealChecked)
    assert came[-1].standing is Standing.UNSEALED
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_hand_without_a_seal_is_a_cheat_to_who_takes_part(server: Scripted) -> None:
    """He said so when he sat down, and the server has answered."""
    who = await seated(server)
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    await heard(who, Events(7, 1, (hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_SEALED]
    assert (await who.peer.hear(Say)).text.startswith("I stop: deal 0: there is no seal for it.")
    assert await promise_of(who) is None
    await close(who.client)


async def test_what_was_missed_is_not_checked_and_the_next_seal_is(server: Scripted) -> None:
    """After a drop nothing is accused for what comes without its proofs, up to the table as it is; and the end is named
    again."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, None),)))
    link = (await cut_of(who)).link
    who.peer.drop()
    back = Seated(who.client, await server.arrival(), link, who.seat)
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    cut = CutsShown(1, (link, None))
    await back.peer.welcome_back(
        Events(7, 2, (cut, hand)), Events(7, 4, (Played(Seat(0), Card("3s"), leads=True),), info=PLAYING), tables=(7,)
    )
    assert await promise_of(back) == link
    await heard(back, Events(7, 5, (Played(Seat(1), Card("4s")),)))
    assert who.client.all_of(SealBroken) == []
    assert who.client.standings[-1:] == [Standing.UNCHECKED]
    await heard(back, Events(7, 6, (sealed(2, link, None),)))
    assert after((await cut_of(back)).link) == link
    assert who.client.standings[-1:] == [Standing.AWAITED]
    await close(who.client)


@needs_node
@pytest.mark.parametrize("trouble", ["drop", "late", "left out", "renewed"])
async def test_evidence_tells_what_became_of_the_chain(
    server: Scripted, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a drop, a cut that came too late, a deal without us, and with another chain, too: both verifiers find one
    and the same fault, a hand before its cuts were shown."""
    if trouble == "renewed":
        monkeypatch.setattr(module, "FEW_LINKS", module.LINKS)
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, None),)))
    link = (await cut_of(who)).link
    match trouble:
        case "drop":
            who.peer.drop()
            who = Seated(who.client, await server.arrival(), link, who.seat)
            await who.peer.welcome_back(Events(7, 2, (DealVoided(1),), info=PLAYING), tables=(7,))
            assert await promise_of(who) == link
        case "late":
            await heard(who, Events(7, 2, (DealVoided(1, (Seat(0),)),)))
            assert await promise_of(who) == link
        case "left out":
            await heard(who, Events(7, 2, (DealVoided(1, (Seat(0),)), sealed(2, None, None), DealVoided(2))))
            assert await promise_of(who) == await promise_of(who) == link
        case _:
            await heard(who, Events(7, 2, (CutsShown(1, (link, None)),)))
            link = await promise_of(who) or b""
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    first, deal = (5, 3) if trouble == "left out" else (3, 2)
    await heard(who, Events(7, first, (sealed(deal, link, None),)))
    await cut_of(who)
    await heard(who, Events(7, first + 1, (hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_CUT]
    assert broken.error.evidence is not None
    (viewer,) = verified(broken.error.evidence)["viewers"]
    assert viewer["findings"] == msgspec.to_builtins(list(broken.error.failures))
    await close(who.client)


async def test_seat_of_another_process_is_cut_from_a_new_chain(server: Scripted) -> None:
    """Who comes back with a token alone knows nothing of the links that were given."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, token="t0", waits=soon))
    peer = await server.arrival()
    await peer.welcome(TableSnapshot(7, Seat(0), 9, OPEN), tables=(7,))
    who = Seated(await connecting, peer, b"", Seat(0))
    end = await promise_of(who)
    assert end is not None
    await heard(who, Events(7, 10, (sealed(5, bytes(32), None),)))
    assert await promise_of(who) == end
    await heard(who, Events(7, 11, (DealVoided(5), sealed(6, end, None))))
    assert after((await cut_of(who)).link) == end
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_who_sits_down_again_cuts_from_the_chain_he_sat_down_with(server: Scripted) -> None:
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
