"""Blind tables that are adjourned, at real servers: players go home with their keys in files, and come back."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from put_client.places import state_folder
from put_client.sdk.deal_checks import CheckFailed, DealWarning
from put_client.sdk.errors import Refusal
from put_client.sdk.session_store import SavedSession, SessionLock
from put_protocol.blind_events import PartMissed
from put_protocol.games.put import Dealt, GameEnded, Play
from put_protocol.messages import Decision, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, LeftGame, Paused, TimedOut
from tests.client.checking_players import BACKSTOP_S, Noting, assert_all_is_proved, close, house, look_on, soon
from tests.crashes.disturbances import ServerProcess

MONTH = 31 * 24 * 60
"""The longest pause, in minutes."""


async def arrive(port: int, name: str) -> tuple[Noting, SessionLock]:
    """A player with the file that they left, as `put-client` reads it."""
    lock = SessionLock.take(f"127.0.0.1:{port}", name)
    assert lock is not None
    client = await Noting.connect(
        "127.0.0.1",
        port,
        name=name,
        token=lock.token,
        incarnation=lock.incarnation,
        note_incarnation=lock.note_incarnation,
        keys=lock.keys,
        is_bot=True,
        waits=soon,
    )
    lock.leave(client.token, client.incarnation, client.keys)
    return client, lock


async def adjourned(port: int) -> tuple[int, list[tuple[str, ...]]]:
    """Two players get their hands, agree to a pause, and go. Gives the table and the hands."""
    players = [await arrive(port, name) for name in ("Moll", "Nan")]
    (moll, _), (nan, _) = players
    table = await moll.open_table("put-1674", options={"dealing": "blind", "pack": 28, "target": 3})
    for client, _ in players:
        await client.sit(table)
    looking = [asyncio.ensure_future(look_on(client)) for client, _ in players]
    for client, _ in players:
        await client.has_heard(Dealt)
    await moll.pause(table, MONTH)
    await nan.pause(table)
    for (client, lock), task in zip(players, looking, strict=True):
        await client.has_heard(Paused)
        task.cancel()
        await client.close(keep=True)
        lock.let_go()
    return table, [client.all_of(Dealt)[-1].cards for client, _ in players]


async def play_on(client: Noting, table: int, games: int = 1) -> None:
    """Play cards until so many games are over."""
    async for message in client:
        if isinstance(message, Decision):
            actions = [choice.action for choice in message.legal]
            await client.act(
                table, message.decision, next((one for one in actions if isinstance(one, Play)), actions[0])
            )
        if len(client.all_of(GameEnded)) == games:
            return


def has_missed(client: Noting) -> list[object]:
    return [*client.all_of(PartMissed), *client.all_of(TimedOut), *client.all_of(CheckFailed)]


@pytest.mark.timeout(120)  # four processes
async def test_adjourned_game_goes_on_with_keys_from_files(tmp_path: Path) -> None:
    """The server was killed twice and replaced by another meanwhile: the same hands, and all that follows is proved."""
    server = ServerProcess(tmp_path / "data", 1674)
    await server.start()
    try:
        async with asyncio.timeout(2 * BACKSTOP_S):
            table, hands = await adjourned(server.port)
            for _ in range(2):
                await server.kill()
                await server.start()
            await server.upgrade()
            clients = [(await arrive(server.port, name))[0] for name in ("Moll", "Nan")]
            for client, hand in zip(clients, hands, strict=True):
                snapshot = await anext(client)
                assert isinstance(snapshot, TableSnapshot)
                assert snapshot.view is not None
                assert snapshot.view.cards == hand
            playing = [asyncio.ensure_future(play_on(client, table)) for client in clients]
            for client in clients:
                await client.go_on(table)
            await asyncio.gather(*playing)
            for client in clients:
                assert has_missed(client) == client.all_of(LeftGame) == []
                assert_all_is_proved(client)
            await close(*clients)
    finally:
        await server.kill()


def spoil(name: str, secret: bytes) -> None:
    """Put another secret in place of a player's; empty: none."""
    for path in state_folder().glob("*.json"):
        saved = msgspec.json.decode(path.read_bytes(), type=SavedSession)
        if saved.name == name:
            games = {table: replace(key, secret=secret) for table, key in saved.games.items() if secret}
            path.write_bytes(msgspec.json.encode(replace(saved, games=games)))


@pytest.mark.parametrize("is_lost", [True, False], ids=["lost", "another's"])
async def test_player_whose_key_is_gone_hears_so_and_loses_alone(*, is_lost: bool) -> None:
    """With a file that has no key, or that of another table: they can neither see nor play their cards, and give the
    game up. Nothing is held against either; the next game is dealt with new keys, and proved."""
    async with house() as server:
        table, _ = await adjourned(server.port)
        spoil("Moll", b"" if is_lost else b"another table's".ljust(32, b"."))
        clients = [(await arrive(server.port, name))[0] for name in ("Moll", "Nan")]
        moll, nan = clients
        playing = [asyncio.ensure_future(play_on(client, table)) for client in clients]
        for client in clients:
            await client.go_on(table)
        with pytest.raises(Refusal, match="another program of yours has it, or it is lost"):
            await playing[0]
        (notice,) = moll.all_of(DealWarning)
        assert notice.says == (
            "The key of your cards is not here: another program of yours has it, or it is lost. "
            "You can neither see nor play them."
        )
        await moll.resign(table)
        await playing[1]
        assert [event.winners for event in nan.all_of(GameEnded)] == [(Seat(1),)]
        assert has_missed(moll) == has_missed(nan) == []
        playing = [asyncio.ensure_future(play_on(client, table, 2)) for client in clients]
        for client in clients:
            await client.again(table)
        await asyncio.gather(*playing)
        assert nan.all_of(GameStarted)[-1].plain == ""
        assert has_missed(moll) == has_missed(nan) == []
        assert_all_is_proved(nan)
        assert moll.checks[-1].is_proved
        await close(*clients)
