"""Old games go from the stream of a shard's finished games, and no number is used twice."""

from collections import Counter
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from put_rules.facts import Hidden
from put_rules.record import GameRecord
from put_server.cluster import finished_games
from put_server.cluster.broker import BrokerNames
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.finished_games import FinishedGames, OldGames
from put_server.cluster.migration import StoredCluster
from put_server.cluster.shard_stream import ShardStream
from put_server.cluster.stream_journal import GAME, encode_game_row
from put_server.journal import retention
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import GameColumns
from put_server.journal.journal_schema import crc
from put_server.journal.records import encode
from put_server.journal.retention import ENDED, GAMES_AT_ONCE, Retention
from put_server.settings import Settings
from tests.cluster.nats_server import connected, nats_server, needs_nats

pytestmark = needs_nats

NOW = datetime(2026, 11, 23, tzinfo=UTC)

DAYS = 3 * GAMES_AT_ONCE + 10


def _row(number: int) -> GameColumns:
    """A game that ended so many days before the last."""
    ended = (NOW - timedelta(days=DAYS - number)).strftime(ENDED)
    return (number, ended, 4, number, "put-1674", "", None, bytes(1_000), 0)


async def test_games_are_kept_for_as_long_and_as_far_as_the_operator_says(tmp_path: Path) -> None:
    """By their age, a few at a time; by the bytes of all shards; never the last, however old it is."""
    async with nats_server(tmp_path) as server, connected(server) as client:
        name = BrokerNames("test").games(0)
        stream = ShardStream(client, name, replicas=1)
        await stream.make()
        await stream.append([(GAME, encode_game_row(_row(number))) for number in range(1, DAYS + 1)])

        async def kept(retention: Retention, now: datetime = NOW) -> tuple[int, int]:
            """How often games were removed, and how many stay."""
            old = OldGames(client, name, retention, shards=2)
            times = 0
            while await old.remove_some(now):
                times += 1
            await old.remove_some(now)
            return times, old.games

        assert await kept(Retention()) == (0, DAYS)
        assert await kept(Retention(days=DAYS)) == (0, DAYS)
        assert await kept(Retention(days=DAYS - 5)) == (0, DAYS - 4)
        assert await kept(Retention(days=DAYS - 2 * GAMES_AT_ONCE)) == (1, DAYS - 2 * GAMES_AT_ONCE + 1)
        assert await kept(Retention(megabytes=1)) == (0, DAYS - 2 * GAMES_AT_ONCE + 1)
        assert await kept(Retention(days=1), NOW + timedelta(days=1_000)) == (1, 1)
        left = await stream.read()
        assert [found.sequence for found in left] == [DAYS]
        made = ClusterConfig(shards=2, replicas=1, passcode_key="", made_by="")
        assert await FinishedGames(client, "test", made).game(2 * (DAYS - 1)) is None

        await stream.append([(GAME, encode_game_row((*_row(DAYS + 1)[:7], bytes(600_000), 0)))])
        assert (await kept(Retention(megabytes=2)))[1] == 2
        assert (await kept(Retention(megabytes=1)))[1] == 1
        assert [found.sequence for found in await stream.read()] == [DAYS + 1]


async def test_games_of_others_stay_whoever_plays_much(tmp_path: Path) -> None:
    """The most crowded network of the most crowded wider one loses its oldest, and what is left is found."""
    origins = ["b.z", "", *["a.x", "a.y"] * 20, "a.y", "b.z"]
    async with nats_server(tmp_path) as server, connected(server) as client:
        name = BrokerNames("test").games(0)
        stream = ShardStream(client, name, replicas=1)
        await stream.make()
        rows = [(*_row(number)[:7], bytes(50_000), 0) for number in range(1, len(origins) + 1)]
        kinds = [f"{GAME}.{origin}".removesuffix(".") for origin in origins]
        await stream.append([(kind, encode_game_row(row)) for kind, row in zip(kinds, rows, strict=True)])
        old = OldGames(client, name, Retention(megabytes=2), shards=2)
        while await old.remove_some(NOW):
            pass
        left = await stream.read()
        kept = Counter(found.kind for found in left)
        assert old.bytes <= 2**20
        assert (kept["game.b.z"], kept["game"]) == (2, 1)
        assert 5 < kept["game.a.x"] <= kept["game.a.y"] <= kept["game.a.x"] + 1
        games = FinishedGames(client, "test", ClusterConfig(shards=2, replicas=1, passcode_key="", made_by=""))
        for number in range(1, len(origins) + 1):
            if number in [found.sequence for found in left]:
                with pytest.raises(JournalError, match="damaged"):  # it is found, and its sum is none
                    await games.game(2 * number)
            else:
                assert await games.game(2 * number) is None


async def test_clock_that_is_set_forward_takes_no_game_of_a_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at a single server."""

    class Ahead(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Ahead":
            return cls(9999, 1, 1, tzinfo=tz)

    for module in (finished_games, retention):
        monkeypatch.setattr(module, "datetime", Ahead)
    monkeypatch.setattr(retention, "AGED_AFTER_S", 0.0)
    async with nats_server(tmp_path) as server, connected(server) as client:
        name = BrokerNames("test").games(0)
        stream = ShardStream(client, name, replicas=1)
        await stream.make()
        ended = datetime.now(UTC).strftime(ENDED)
        await stream.append([(GAME, encode_game_row((number, ended, *_row(number)[2:]))) for number in (1, 2, 3)])
        old = OldGames(client, name, Retention(days=1), shards=1)
        assert not await old.remove_some()
        assert len(await stream.read()) == 3


async def test_message_that_cannot_be_read_hides_no_game(tmp_path: Path) -> None:
    """Every other game is found, listed and removed in its time, and a sentence names the message."""
    made = ClusterConfig(shards=2, replicas=1, passcode_key="", made_by="")
    async with nats_server(tmp_path) as server, connected(server) as client:
        name = BrokerNames("test").games(0)
        stream = ShardStream(client, name, replicas=1)
        await stream.make()
        rows = [_game(number) for number in range(1, 10)]
        damaged = (1, 4, 5, 6, 9)
        kept = [b"\xc1" if row[0] in damaged else encode_game_row(row) for row in rows]
        await stream.append([(GAME, data) for data in kept])
        games = FinishedGames(client, "test", made)
        for row in rows:
            found = await games.game(2 * row[0])
            assert (found is None) == (row[0] in damaged)
        listed, flaws = await games.latest(100)
        assert [row.id for row in listed] == [2 * row[0] for row in reversed(rows) if row[0] not in damaged]
        assert len(flaws) == len(damaged)
        for number, flaw in zip(reversed(damaged), flaws, strict=True):
            assert f"message {number} of stream {name} cannot be read" in flaw
        unreadable: list[str] = []
        stored = await StoredCluster(client, Settings(cluster="test"), made)._games(0, unreadable)
        assert [row[0] for row in stored] == [row[0] for row in rows if row[0] not in damaged]
        assert unreadable == flaws[::-1]
        while await OldGames(client, name, Retention(days=1), shards=2).remove_some(NOW):
            pass
        assert [kept.sequence for kept in await stream.read()] == list(damaged)


def _game(number: int) -> GameColumns:
    record = GameRecord(4, number, "put-1674", {}, (), None, Hidden(b""))
    columns = (number, "2026-01-01T00:00:00Z", 4, number, "put-1674", "[]", None, encode(record))
    return (*columns, crc(*columns))
