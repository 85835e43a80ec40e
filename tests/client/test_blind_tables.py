"""Blind deals at a real server: bots that hold their keys, whoever else sits there, and a server that lies."""

import asyncio
from collections.abc import Iterator
from itertools import count

import pytest
from msgspec.structs import replace

from put_client.fairness.referee import Referee
from put_client.fairness.verify import UNFAIR_STATUS, main
from put_client.sdk.blind_table import BlindTable
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealWarning, ProofStanding, Unproved
from put_client.sdk.errors import Cheated
from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.transcript import SERVER, Terms
from put_protocol.blind_events import BlindBegun, BlindEntry
from put_protocol.games.families import deals_hand
from put_protocol.games.put import Dealt, DidPut, GameEnded, Put, ThrowIn
from put_protocol.games.tricks import TrickOver
from put_protocol.messages import Act, Decision, Events, Recalled, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.shown import WireEvent
from put_protocol.table_events import GameStarted
from put_rules.facts import Fact, Open
from put_server.table.blind_runner import BlindRunner
from put_text.notation import read
from tests.client.checking_players import Noting, assert_all_is_proved, close, guest, house, look_on, sit_down
from tests.repetitions import some

BLIND: dict[str, int | str] = {"dealing": "blind"}
SMALL = BLIND | {"pack": 28}
"""Of Put."""


def deal_of(game: BlindGame) -> int | None:
    return None if game.playing is None else game.playing.number


class Dropping(Noting):
    """Loses its connection again and again."""

    every = 5

    async def __anext__(self) -> object:  # type: ignore[override]  # as that of its base
        message = await super().__anext__()
        if isinstance(message, Decision) and len(self.all_of(Decision)) % self.every == 0:
            self._wire.current.drop()
        return message


async def dropping(port: int, name: str) -> Dropping:
    def soon() -> Iterator[float]:
        return (0.005 for _ in count())

    return await Dropping.connect("127.0.0.1", port, name=name, is_bot=True, waits=soon)


def assert_proved(client: Noting) -> None:
    """Every deal, and nothing above the client knows of places."""
    assert client.all_of(CheckFailed) == []
    last = client.checks[-1]
    assert last.standing is ProofStanding.PROVED
    assert last.tally.proved == last.tally.dealt > 1
    for message in client.noted:
        if isinstance(message, Events | TableSnapshot):
            view = message.view
            events = message.events if isinstance(message, Events) else ()
            told = [event for event in events if event.SHOWS is not None]
            assert "'#" not in f"{view} {told}"


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    some(
        [
            ("put-1674", {"target": 3, "pack": 28}, 2),
            ("put-partners", {"target": 2, "pack": 28}, 4),
            ("triomphe-forcee", {"hands": 2}, 4),
            ("primero", {"hands": 2}, 3),
        ],
        3,
    ),
)
async def test_bots_with_keys_play_through_cut_connections(
    game: str, options: dict[str, int | str], seats: int
) -> None:
    """Two players who keep their keys, one of whom loses every fifth connection, and somebody who looks on."""
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await dropping(server.port, "Nan")
        table = await moll.open_table(game, seats=seats, options=BLIND | options)
        for seat in range(2, seats):
            await moll.invite(table, seat, "beginner")
        looker = await guest(server, "Lou")
        await looker.watch(table)
        looking = asyncio.ensure_future(look_on(looker))
        records = await asyncio.gather(*sit_down(table, moll, nan, games=1, boldness=0.5))
        await looker.has_heard(DealChecked, 2)
        looking.cancel()
        for client in (moll, nan, looker):
            assert_proved(client)
        assert [record.proved == record.deals > 0 for record in records] == [True, True]
        dealt = [event for event in looker.all_of(WireEvent) if deals_hand(event)]
        assert dealt
        assert all(not event.shows(GALLERY) for event in dealt)
        await close(moll, nan, looker)


@pytest.mark.parametrize("how", some(["leave", "resign"], 2))
async def test_game_goes_on_with_other_keys_when_a_player_gives_up(how: str) -> None:
    """It is begun again among the others, and their clients find nothing wrong; so is the next game."""
    async with house() as server:
        moll, nan, ned = [await guest(server, name) for name in ("Moll", "Nan", "Ned")]
        table = await moll.open_table("put-1674", seats=3, options=SMALL | {"target": 2})
        playing = sit_down(table, moll, nan, games=2)
        looking = asyncio.ensure_future(look_on(ned))
        await moll.has_heard(TableSnapshot)
        await ned.sit(table)
        await ned.has_heard(Dealt)
        await getattr(ned, how)(table)
        await moll.has_heard(GameEnded)
        if how == "leave":
            await moll.invite(table, None, "beginner")
        else:
            await ned.again(table)
            await ned.has_heard(GameStarted, 2)
            await ned.resign(table)
        await asyncio.gather(*playing)
        begun = [Terms.parse(event.terms) for event in moll.all_of(BlindBegun)]
        assert [terms.holders[2] for terms in begun][:2] == [2, SERVER]
        assert len(begun) > 2
        for client in (moll, nan):
            assert_proved(client)
        await close(moll, nan, ned)
        await asyncio.gather(looking, return_exceptions=True)


async def test_games_that_are_told_at_once_are_signed_each() -> None:
    """A client that comes back is told the end of one game and the beginning of the next in one message: with all of
    two games in one, nobody is accused."""
    async with house() as server:
        moll, nan, looker = await guest(server, "Moll"), await guest(server, "Nan"), await guest(server, "Lou")
        table = await moll.open_table("put-1674", options=SMALL | {"target": 2})
        await looker.watch(table)
        looking = asyncio.ensure_future(look_on(looker))
        await asyncio.gather(*sit_down(table, moll, nan, games=2))
        await looker.has_heard(GameEnded, 2)
        looking.cancel()
        await close(moll, nan, looker)
    begun: TableSnapshot = looker.all_of(TableSnapshot)[0]
    messages: list[Events] = [one for one in looker.noted if isinstance(one, Events)]
    told = [event for message in messages for event in message.events]
    once = replace(messages[0], events=tuple(told), view=None, turn=None, info=None)
    blind = BlindTable(begun, None)
    referee = Referee(begun, signed=blind.signed_acts)
    assert referee.receive(blind.read(once), 0.0) is None
    assert len([event for event in told if isinstance(event, GameStarted)]) == 2


async def test_a_game_that_is_recalled_has_our_own_cards() -> None:
    """The server has their places alone; and the page of each deal has them."""

    async def play(one: Noting, wanted: Put | ThrowIn) -> None:
        async for message in one:
            if isinstance(message, Decision):
                actions = [choice.action for choice in message.legal]
                await one.act(table, message.decision, wanted if wanted in actions else actions[0])
            if one.all_of(GameEnded):
                return

    async with house() as server:
        moll, ned = await guest(server, "Moll"), await guest(server, "Ned")
        table = await moll.open_table("put-1674", options=SMALL | {"target": 2})
        await moll.sit(table)
        await ned.sit(table)
        await asyncio.gather(play(moll, Put()), play(ned, ThrowIn()))
        await moll.recall(table)
        while not moll.all_of(Recalled):
            await anext(moll)
        told = read("".join(part.text for part in moll.all_of(Recalled)))
        hands = [event.cards for step in told.steps for event in step.events if isinstance(event, Dealt)]
        assert any(card.startswith("#") for hand in hands for card in hand), "some were never shown"
        named = moll.named(table, told)
        hands = [event.cards for step in named.steps for event in step.events if isinstance(event, Dealt)]
        assert hands == [event.cards for event in moll.all_of(Dealt)]
        last = {(deal.game, deal.deal): deal for deal in moll.deals}
        pages = [[card for card, seat in deal.cards if seat == 0] for deal in last.values()]
        assert [sorted(page) for page in pages if page] == [sorted(hand) for hand in hands]
        await close(moll, ned)


async def test_a_seat_without_a_key_is_named_to_all() -> None:
    """Whose cards the server can read, everybody at the table is told; and they play on."""
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", checked=False)
        table = await moll.open_table("put-1674", seats=3, options=SMALL | {"target": 2})
        await moll.invite(table, 2)
        await asyncio.gather(*sit_down(table, moll, nan, games=1, boldness=0.5))
        infos = [message.info for message in moll.noted if isinstance(message, Events | TableSnapshot) and message.info]
        assert [seat.holds_key for seat in infos[-1].seats] == [True, False, False]
        assert_proved(moll)
        await close(moll, nan)


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("put-partners", {"target": 1, "pack": 28}, 4),
        ("triomphe-forcee", {"hands": 1}, 4),
        ("primero", {"hands": 1}, 3),
    ],
)
async def test_who_calls_by_nc_plays_where_the_server_reads_hands(
    game: str, options: dict[str, int | str], seats: int
) -> None:
    """The server holds their key, says so, and proves their cards to the others like any."""
    async with house() as server:
        moll = await guest(server, "Moll")
        table = await moll.open_table(game, seats=seats, options=BLIND | options)
        friends = [await guest(server, f"Friend {seat}") for seat in range(2, seats)]
        playing = sit_down(table, moll, *friends, games=1, boldness=0.0)  # each hand is played to its last card
        await moll.has_heard(TableSnapshot)
        lines, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"name Nan\nask off\nsit {table}\n".encode())
        said: list[str] = []

        async def type_on() -> None:
            while line := await lines.readline():
                said.append(line.decode().rstrip())
                if said[-1].startswith("Your move."):
                    writer.write(b"#1\n")

        typing = asyncio.ensure_future(type_on())
        record, *_ = await asyncio.gather(*playing)
        typing.cancel()
        writer.close()
        assert_proved(moll)
        assert record.proved == record.deals > 0
        assert any(
            "this server can read every hand in this game, and cannot choose them" in one.lower() for one in said
        )
        is_asked = any(one.startswith("Your move.") for one in said)
        assert is_asked or (game == "triomphe-forcee" and not moll.all_of(TrickOver))  # La Mort ends hands unplayed
        await close(moll, *friends)


@pytest.mark.parametrize(
    ("options", "checked", "why"),
    [
        ({"dealing": "plain"}, True, "the table asks for it"),
        (SMALL, False, "nobody here keeps the key of their cards"),
    ],
)
async def test_a_plain_deal_is_told_and_counted_as_one(options: dict[str, int | str], checked: bool, why: str) -> None:
    """Nothing of it is proved, and nobody is accused of that."""
    async with house() as server:
        moll, nan = await guest(server, "Moll", checked=checked), await guest(server, "Nan", checked=False)
        looker = await guest(server, "Lou")
        table = await moll.open_table("put-1674", options=options)
        await looker.watch(table)
        looking = asyncio.ensure_future(look_on(looker))
        await asyncio.gather(*sit_down(table, moll, nan, games=1, boldness=0.5))
        await looker.has_heard(DealChecked)
        looking.cancel()
        assert [event.plain for event in looker.all_of(GameStarted)] == [why]
        last = looker.checks[-1]
        assert (last.standing, last.unproved) == (ProofStanding.UNPROVED, Unproved.PLAIN)
        assert looker.all_of(CheckFailed) == moll.all_of(CheckFailed) == []
        await close(moll, nan, looker)


async def test_a_put_that_nobody_signed_is_caught_and_its_evidence_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server tells Moll that Nan put. The file that she keeps convinces whoever reads it."""
    honest = BlindRunner.act

    def act(runner: BlindRunner, *given: object) -> tuple[Fact, ...]:
        facts = honest(runner, *given)  # type: ignore[arg-type]  # as they came
        if not any(isinstance(fact, Open) and isinstance(fact.event, DidPut) for fact in facts):
            return facts
        return tuple([one for one in facts if not (isinstance(one, Open) and isinstance(one.event, BlindEntry))])

    monkeypatch.setattr(BlindRunner, "act", act)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", checked=False)
        table = await moll.open_table("put-1674", options=SMALL)
        playing = sit_down(table, moll, nan, games=3, boldness=1.0)
        with pytest.raises(Cheated, match=r"Nobody signed what was told: (You put|Nan puts)") as caught:
            await playing[0]
        playing[1].cancel()
        await close(moll, nan)
    assert caught.value.evidence is not None
    with pytest.raises(SystemExit) as ended:
        main([str(caught.value.evidence)])
    assert ended.value.code == UNFAIR_STATUS
    said = capsys.readouterr().out
    assert "every shuffle is proved" in said
    assert "The server can see the cards of Nan in it." in said
    assert f"NOT FAIR: {caught.value.failures[0].says}" in said


async def test_act_that_was_signed_before_our_last_entry_was_heard_is_signed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer to the entry before was lost: every act is signed first by the transcript of the act before."""
    whole = BlindTable.signed
    known: dict[Seat, BlindGame] = {}
    late: set[tuple[Seat, int]] = set()

    def signed(self: BlindTable, act: Act) -> Act:
        assert self.game is not None
        assert self.seat is not None
        now, before, place = self.game, known.get(self.seat, self.game), (self.seat, act.decision)
        known[self.seat] = now
        if place in late or before.terms != now.terms or deal_of(before) != deal_of(now) or before is now:
            return whole(self, act)
        late.add(place)
        self.game = before
        try:
            return whole(self, act)
        finally:
            self.game = now

    monkeypatch.setattr(BlindTable, "signed", signed)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan")
        table = await moll.open_table("put-1674", options=SMALL)
        records = await asyncio.gather(*sit_down(table, moll, nan, games=1))
        assert late
        assert [record.games for record in records] == [1, 1]
        assert_all_is_proved(moll)
        await close(moll, nan)


async def test_a_client_that_was_killed_has_its_cards_again() -> None:
    """From its token and what is kept beside it: the same hand, and it plays on. Without that it can only look on."""
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan")
        table = await moll.open_table("put-1674", options=SMALL)
        await moll.sit(table, 0)
        await nan.sit(table, 1)
        looking = [asyncio.ensure_future(look_on(client)) for client in (moll, nan)]
        await moll.has_heard(Dealt)
        hand = moll.all_of(Dealt)[-1].cards
        token, keys, incarnation = moll.token, moll.keys, moll.incarnation
        for task in looking:
            task.cancel()
        await moll.close(keep=True)
        async with await Client.connect(
            "127.0.0.1", server.port, token=token, incarnation=incarnation, keys=keys, is_bot=True
        ) as again:
            snapshot = await anext(again)
            assert isinstance(snapshot, TableSnapshot)
            assert snapshot.view is not None
            assert snapshot.view.cards == hand
            token, incarnation = again.token, again.incarnation
            await again.close(keep=True)
        async with await Client.connect(
            "127.0.0.1", server.port, token=token, incarnation=incarnation, is_bot=True
        ) as without:
            assert isinstance(await anext(without), TableSnapshot)
            notice = await anext(without)
            assert isinstance(notice, DealWarning)
            assert "another program of yours" in notice.says
        await close(nan)
