"""Clients that check every deal of an honest server: every card is proved, and nobody is accused, drops or not."""

import asyncio
import random
from pathlib import Path

import pytest

from put_client import play
from put_client.sdk import deal_checks as module
from put_client.sdk.deal_checks import DealChecked, ProofStanding, SealBroken
from put_client.sdk.traffic import Message
from put_protocol.games.put import DealerFound, Dealt, GameEnded, Played
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.messages import Cut, Events, Promise, TableSnapshot
from put_protocol.seal.cuts import Chain
from put_protocol.seal.findings import Tally, Unproved
from put_protocol.seal_events import CutsShown, DealVoided, Openings, Sealed
from tests.client.checking_players import (
    BACKSTOP_S,
    Calm,
    Noting,
    assert_all_is_proved,
    close,
    guest,
    house,
    look_on,
    sit_down,
)
from tests.repetitions import TURN
from tests.seal.known_games import KNOWN, fewest_and_most


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
        assert {(told.standing, told.unproved) for told in gallery.checks} == {
            (ProofStanding.UNPROVED, Unproved.NOT_SEALED)
        }
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
        assert {(told.standing, told.unproved) for told in moll.checks} == {
            (ProofStanding.UNPROVED, Unproved.EXHIBITION)
        }
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
        assert (gallery.checks[0].standing, gallery.checks[0].unproved) == (ProofStanding.UNPROVED, Unproved.JOINED)
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
                self._wire.current.send(
                    Cut(self._wire.current.connection.next_id(), table, event.deal, self.chain.link(3))
                )

    def _promise(self, table: int) -> None:
        self.chain = Chain(len(self.noted).to_bytes(32), 4)
        self._wire.current.send(Promise(self._wire.current.connection.next_id(), table, self.chain.link(4)))


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


@pytest.mark.parametrize(
    ("game", "seats", "games"), [("put-1674", 3, 3 if TURN else 2), ("put-partners", 4, 3)], ids=str
)
async def test_connections_that_drop_all_the_time_leave_nothing_unproved(game: str, seats: int, games: int) -> None:
    """Neither to players nor to the gallery, and nobody is accused; no deal is called off, and no link is lost."""
    dice = random.Random(seats)
    async with house() as server:
        players = [await guest(server, f"P{seat}") for seat in range(seats)]
        gallery = await guest(server, "Eve")
        table = await players[0].open_table(game, seats=seats)
        await gallery.watch(table)
        watching = asyncio.ensure_future(look_on(gallery))
        playing = sit_down(table, *players, games=games, boldness=0.1)
        drops = 0
        while not all(one.done() for one in playing):
            for _ in range(dice.randrange(60)):
                await asyncio.sleep(0)
            dice.choice((*players, gallery))._wire.current.drop()
            drops += 1
        records = [one.result() for one in playing]
        assert [record.games for record in records] == [games] * seats
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
        assert all(record.deals == record.proved > games for record in records)


async def test_server_that_restarts_accuses_itself_of_nothing(tmp_path: Path) -> None:
    """A deal that was being cut goes on, and the game with it, and nothing is unproved."""
    async with asyncio.timeout(BACKSTOP_S):
        async with house(tmp_path) as server:
            port = server.port
            players = [await guest(server, name) for name in ("Moll", "Nan")]
            table = await players[0].open_table("put-1674")
            playing = sit_down(table, *players, games=3)
            for client in players:
                await client.has_heard(Played, 3)
        async with house(tmp_path, port):
            records = await asyncio.gather(*playing)
            assert [record.games for record in records] == [3, 3]
            await close(*players)
        for client, record in zip(players, records, strict=True):
            assert client.all_of(SealBroken) == []
            assert client.all_of(DealVoided) == []
            assert record.deals == record.proved
