"""A client against a server that sends without end: what it keeps has limits, and it leaves with a sentence."""

import asyncio
import itertools
from collections.abc import Iterable
from unittest.mock import AsyncMock

import msgspec
import pytest
from msgspec.structs import replace

from put_client import recording
from put_client.recording import Recording, recorded
from put_client.sdk import evidence
from put_client.sdk.client import Client, connect
from put_client.sdk.deal_checks import SPANS, CheckFailed, DealChecks
from put_client.sdk.errors import BadServer
from put_client.sdk.traffic import INBOX_BYTES, LOBBY_BYTES, LOBBY_ENTRIES, WHILE_ASKING, LobbyHeld
from put_client.sdk.wire import READ_BYTES
from put_client.tui.model import ENTRY_LENGTH, LOG_ENTRIES, TALK_ENTRIES, AtTable, EntryKind, LogEntry
from put_protocol.blind_events import MOST_SPAN_PARTS, SPAN_PART_BYTES, BlindEntry, BlindSpan
from put_protocol.cards import Card
from put_protocol.codecs import FRAMES
from put_protocol.connection import ClientConnection
from put_protocol.errors import NumberingError
from put_protocol.games.put import Played
from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Events, LobbyState, Notice, ServerMessage, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import PersonInfo
from tests.client.hearing import SNAPSHOT
from tests.client.scripted_server import Peer, Server, info, welcome

LONG = "x" * 60_000


def snapshot(table: int, options: dict[str, int | str] | None = None) -> TableSnapshot:
    return TableSnapshot(table=table, viewer=GALLERY, number=0, info=replace(info(), id=table, options=options or {}))


async def joined(server: Server) -> tuple[Client, Peer]:
    async def arrive() -> Peer:
        peer = await server.arrival()
        await peer.welcome()
        return peer

    arriving = asyncio.create_task(arrive())
    client = await connect("127.0.0.1", server.port, name="Moll", waits=lambda: ())
    return client, await arriving


async def flood(peer: Peer, messages: Iterable[ServerMessage], client: Client) -> None:
    """Send as long as the client takes it, and so much more that sockets are full."""
    for message in messages:
        peer.say(message)
        while peer.unsent > 2**20:
            before = client._traffic.inbox.count
            for _ in range(50):
                await asyncio.sleep(0)
            if client._traffic.inbox.count == before:
                return


# --- the connection --------------------------------------------------------------------------------------------------


def test_connection_follows_no_more_tables_than_it_can_name() -> None:
    """Endless `table` messages, each of another table, end it; tables that were left do not count."""
    connection = ClientConnection(0)
    connection.receive(FRAMES.encode(welcome()), 0)
    for number in range(REQUEST_ARRAY_ITEMS):
        (shown,) = connection.receive(FRAMES.encode(snapshot(number)), 0)
        assert isinstance(shown, TableSnapshot)
    (error,) = connection.receive(FRAMES.encode(snapshot(REQUEST_ARRAY_ITEMS)), 0)
    assert isinstance(error, NumberingError)
    assert connection.is_closed


async def test_client_leaves_a_server_that_shows_tables_without_end(server: Server) -> None:
    """With a sentence."""
    client, peer = await joined(server)
    for number in range(2 * REQUEST_ARRAY_ITEMS):
        peer.say(snapshot(number))
    with pytest.raises(BadServer, match="more than 64 tables at once"):
        async for _ in client:
            pass
    await client.close()


async def test_what_nobody_reads_is_bounded_in_bytes(server: Server) -> None:
    """A program that is busy holds no more than that of a server which sends its longest messages without end."""
    client, peer = await joined(server)
    await flood(peer, itertools.repeat(snapshot(1, {"arranged": LONG})), client)
    assert INBOX_BYTES <= client._traffic.inbox.bytes < INBOX_BYTES + 2 * READ_BYTES
    assert client.waiting < 100
    await client.close()


async def test_answer_behind_much_else_is_still_found(server: Server) -> None:
    """While a request is in flight there is room for ten times as much, and no more."""
    client, peer = await joined(server)
    asking = asyncio.create_task(client.look())
    async with asyncio.timeout(10):
        while not client._traffic.in_flight:  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0)
    await flood(peer, itertools.repeat(Notice(LONG)), client)
    most = INBOX_BYTES * WHILE_ASKING
    assert most <= client._traffic.inbox.bytes < most + 2 * READ_BYTES
    asking.cancel()
    await client.close()


# --- the lobby -------------------------------------------------------------------------------------------------------


def test_lobby_that_changes_for_ever_is_no_larger_for_it() -> None:
    """Tables open and close, people come and go; a new whole picture begins anew."""
    size = LobbyHeld()
    for number in range(3 * LOBBY_ENTRIES):
        size.receive(LobbyState(tables=(snapshot(number).info,), people=(PersonInfo(name=f"p{number}"),)), 1_000)
        size.receive(LobbyState(closed=(number,), departed=(f"p{number}",)), 100)
    assert not size._sizes
    assert size._bytes == 0
    for _ in range(3):
        size.receive(LobbyState(people=tuple(PersonInfo(name=f"p{n}") for n in range(10_000)), begins=True), 600_000)


def test_lobby_without_end_is_no_lobby() -> None:
    """In entries, and in bytes."""
    size = LobbyHeld()
    for number in range(LOBBY_ENTRIES):
        size.receive(LobbyState(people=(PersonInfo(name=str(number)),)), 20)
    with pytest.raises(BadServer, match="larger than any lobby"):
        size.receive(LobbyState(people=(PersonInfo(name="one more"),)), 20)
    size = LobbyHeld()
    for number in range(LOBBY_BYTES // len(LONG) - 1):
        size.receive(LobbyState(people=(PersonInfo(name=str(number)),)), len(LONG))
    with pytest.raises(BadServer, match="larger than any lobby"):
        size.receive(LobbyState(people=(PersonInfo(name="one more"),)), 2 * len(LONG))


async def test_client_leaves_a_server_whose_lobby_has_no_end(server: Server) -> None:
    """Also while its program reads all of it."""
    client, peer = await joined(server)
    sending = asyncio.create_task(_endless_lobby(peer))
    with pytest.raises(BadServer, match="larger than any lobby"):
        async for _ in client:
            pass
    sending.cancel()
    await client.close()


async def _endless_lobby(peer: Peer) -> None:
    for number in itertools.count():
        peer.say(LobbyState(people=tuple(PersonInfo(name=f"{number} {n}") for n in range(900))))
        while peer.unsent > 2**16:  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0)


# --- tables ----------------------------------------------------------------------------------------------------------


def test_log_and_talk_keep_so_many_entries_of_such_length() -> None:
    """However long and however many the server's sentences are."""
    table = AtTable(info=info(), viewer=GALLERY, names=("", ""))
    for _ in range(2 * LOG_ENTRIES):
        table = table.note(LogEntry(LONG, EntryKind.TALK))
    assert (len(table.log.entries), len(table.log.talk)) == (LOG_ENTRIES, TALK_ENTRIES)
    assert {len(entry.text) for entry in (*table.log.entries, *table.log.talk)} == {ENTRY_LENGTH}


def test_game_without_end_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in steps nor in bytes; the next game is."""
    monkeypatch.setattr(recording, "MOST_STEPS", 50)
    began = Events(table=7, first=1, events=(GameStarted(game=1, names=("Moll", "Nan")),))
    step = Events(table=7, first=2, events=(Played(Seat(0), Card("3s")),))
    kept: Recording | None = None
    for number in range(52):
        kept = recorded(kept, step if number else began, info(), GALLERY, 0)
    assert kept is None
    assert recorded(kept, began, info(), GALLERY, 0) is not None
    monkeypatch.setattr(recording, "MOST_JSON_BYTES", 1_000)
    kept = recorded(None, began, info(), GALLERY, 0)
    for _ in range(50):
        kept = recorded(kept, step, info(), GALLERY, 0)
    assert kept is None


@pytest.mark.parametrize("bound", ["LINES", "MOST_BYTES"])
def test_evidence_of_a_game_without_end_is_bounded(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In lines and in bytes: a server can tell deals that are made anew for ever. What is kept then begins with the
    state of the game, and of two games no more is kept than of each."""
    monkeypatch.setattr(evidence, bound, {"LINES": 50, "MOST_BYTES": 500_000}[bound])
    kept = evidence.ReceivedTranscript(SNAPSHOT)
    most = begun = 0
    for number in range(400):
        kept.add(GameStarted(number, ("Moll", "Nan")) if number % 90 == 89 else BlindEntry(bytes(12_000), bytes(64)))
        if kept.is_full:
            kept.begin_anew(b"state")
            begun += 1
            assert [line["type"] for line in kept if isinstance(line, dict)] == ["viewer", "span"]
        most = max(most, sum([len(msgspec.json.encode(line)) for line in kept]))
    assert begun > 2
    assert most < 2_000_000


async def test_half_a_state_is_none_of_a_later_table() -> None:
    """The connection was lost in the middle of it, and the game over before it was back: no lie of the server's."""
    checks, before = DealChecks("here"), snapshot(1, {"dealing": "blind"})
    checks.attach(AsyncMock(), lambda _: None)
    for one in (before, replace(before, number=60, info=replace(before.info, games=1))):
        checks.read(one)
        assert not [news for news in checks.receive(one, None, 0.0) if isinstance(news, CheckFailed)]
        checks.add_span(BlindSpan(1, 1, 2, b"half"))
        checks.lose()
    checks.stop()


async def test_seat_that_nobody_asked_for_is_no_honest_servers() -> None:
    """A client that came to a table anew would know nothing of what it was told there."""
    checks = DealChecks("here")
    checks.attach(AsyncMock(), lambda _: None)
    for is_asked in (True, False):
        if is_asked:
            checks.sit(1)
        checks.read(snapshot(1))  # asked for before the seat
        seated = replace(snapshot(1), viewer=Seat(0), number=8)
        if is_asked:
            checks.read(seated)
        else:
            with pytest.raises(BadServer, match="a seat that you did not ask for"):
                checks.read(seated)
    checks.stop()


def test_seat_that_a_table_does_not_have_is_no_honest_servers() -> None:
    checks, told = DealChecks("here"), snapshot(1)
    checks.sit(1)
    with pytest.raises(BadServer, match="a seat that the table does not have"):
        checks.read(replace(told, viewer=Seat(len(told.info.seats))))


def test_states_of_games_are_kept_for_few_tables() -> None:
    """Those of more, whose tables never come, are no honest server's; a client that checks nothing keeps none."""
    data = bytes(SPAN_PART_BYTES)
    checks, unchecked = DealChecks("here"), DealChecks("here", is_checking=False)
    for table, part in itertools.product(range(1, SPANS + 1), range(1, MOST_SPAN_PARTS + 1)):
        unchecked.add_span(BlindSpan(table, part, MOST_SPAN_PARTS, data))
        checks.add_span(BlindSpan(table, part, MOST_SPAN_PARTS, data))
    with pytest.raises(BadServer, match="parts that do not follow one another"):
        checks.add_span(BlindSpan(SPANS + 1, 1, 1, data))
    assert not unchecked._spans
