"""Commit queue: numbers the input of a journal, and collects it for the next commit: records, finished games, and
changes to the sources of deals. It does not know where batches are stored."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct, field

from put_rules.record import Chance
from put_runtime.histogram import Histogram
from put_server.journal.forked import Forked, can_fork
from put_server.journal.journal_reader import (
    ChanceColumns,
    CheckpointRow,
    DealKey,
    GameColumns,
    JournalRecord,
    JournalRows,
    RecordRow,
)
from put_server.journal.journal_schema import crc
from put_server.journal.lobby_replay import bring_back
from put_server.journal.records import chance_in, encode, split_chances, without_chance
from put_server.journal.retention import ENDED, Retention, digest
from put_server.lobby.inputs import Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.lobby.prefixes import networks_of
from put_server.lobby.settling import Entry
from put_server.table.table_effects import DealOver, GameConcluded, TableId

log = logging.getLogger(__name__)

LATENCIES = 1_000
"""Number of recent commits whose latency is remembered: a minute of a busy server."""

_DEALT = frozenset((Secret, Shuffled))
"""Inputs with the source of a deal."""


class Erase(Struct, frozen=True, tag="erase"):
    """Remains of a deal, which replace its source."""

    remains: ChanceColumns


class Compaction(Struct, frozen=True, tag="compact"):
    """A checkpoint: the lobby after a record, which replaces all records up to that one."""

    number: int
    at: int
    crc: int
    deals: list[DealKey]
    """Number and table of each deal in play at the checkpoint. Their sources or remains stay; all other ones then are
    erased."""
    is_behind: bool
    """True: there are later records. False: the sources of `deals` come just before it, in place of former ones."""
    blob: bytes

    @property
    def row(self) -> CheckpointRow:
        return self.number, self.at, self.blob, self.crc


Change = ChanceColumns | Erase | Compaction
"""A change to the sources of deals; changes are applied in order. A shard's journal stores them in this form."""

_encode_compaction = msgspec.msgpack.Encoder().encode
_decode_compaction = msgspec.msgpack.Decoder(Compaction).decode


class Forgotten(Struct):
    """A person whose name is removed from all finished games."""

    name: str
    games: int = 0
    """Number of games with the name, known after the commit; so is `left`."""
    left: str = ""
    """Reason why traces of the name may be left, as a sentence; empty: none are."""


class Batch(Struct):
    """Content of one transaction, and its callbacks."""

    records: list[RecordRow] = field(default_factory=list)
    games: list[GameColumns] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    forgotten: list[Forgotten] = field(default_factory=list)
    waiting: list[Callable[[], None]] = field(default_factory=list)
    """Callbacks after the commit, in order."""
    since: float = 0.0
    """Time at which the first of them began to wait."""
    networks: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Listed by number of the game: networks that opened its table, the widest first; empty: unknown."""

    @property
    def is_empty(self) -> bool:
        return not (self.records or self.changes or self.waiting)


class CommitQueue:
    """Numbers the input and collects it in batches; the committer takes them one by one."""

    most_records = 5_000
    """Records after which a checkpoint is due: another worker replays them in a quarter of a second."""

    def __init__(self) -> None:
        self._batch = Batch()
        self.number = 0
        """Number of the last record handed in."""
        self.last_time = 0
        """Time of the last record, when the journal was opened. The clock continues from here: clocks stood still while
        nothing was recorded."""
        self._checkpoint = 0
        """Number of the last record that the checkpoint replaces."""
        self._game = 0
        """Number of the last finished game."""
        self.key_of_networks = b""
        """Key of the digests of networks; empty: networks are not stored."""
        self._live: dict[TableId, list[int]] = {}
        """Numbers of the stored sources of each table's current hand, the first deal first; for a blind game those of
        the game and of its read deals."""
        self._wake = asyncio.Event()
        self._forked: Forked | None = None
        """Makes a checkpoint."""
        self.uncommitted = 0
        """Calls of `record` without a callback yet."""
        self._is_closing = False
        self.commits = Histogram()
        self._latencies: deque[float] = deque(maxlen=LATENCIES)
        self.retention = Retention()
        """Limits for finished games; set before the first is passed in."""

    def record(self, entries: Sequence[Entry], then: Callable[[], None], games: Sequence[GameConcluded] = ()) -> None:
        """Record these entries and finished games, and replace the sources of finished deals by their remains. Call
        back when all is stored, in the order of the calls. The queue is bounded by the requests that sessions may make
        before they are answered."""
        batch = self._batch
        for entry in entries:
            if not isinstance(entry, tuple):
                batch.changes += self._erase(entry)
                continue
            at, event = entry
            self.number = number = self.number + 1
            if type(event) in _DEALT:
                assert isinstance(event, Secret | Shuffled)
                self._begin_deal(number, event)
                batch.changes.append(_chance_row(number, event.table, chance_in(event)))
                event = without_chance(event)
            blob = encode(event)
            batch.records.append((number, at, blob, crc(number, at, blob)))
        for game in games:
            if self.retention.exhibitions or not game.record.is_exhibition:
                batch.games.append(self._row_of(game))
        if not batch.waiting:
            batch.since = time.perf_counter()
            self._wake.set()
        batch.waiting.append(then)
        self.uncommitted += 1

    def _note_kept(self, kept: JournalRows) -> None:
        """Note where the journal stands, and the deals in play at its checkpoint."""
        self._checkpoint = kept.number
        self.number, self.last_time = kept.last
        for number, table, *_ in kept.at_rest():
            self._live.setdefault(table, []).append(number)

    def bring_back(self, lobby: Lobby, kept: JournalRows) -> Iterator[JournalRecord]:
        """Replay the journal into an empty lobby, one record in each step. This also finds the deals in play by the
        rules themselves: a stored source may belong to no deal, for example after a misdeal.

        :raises DoesNotFollow: a record could not have been recorded.
        """
        for record, effects in bring_back(lobby, kept.lobby(), kept.inputs()):
            if isinstance(record.input, Secret | Shuffled):
                self._begin_deal(record.number, record.input)
            for effect in effects:
                if isinstance(effect, DealOver):
                    self._end_deals(effect)
            yield record

    def _begin_deal(self, number: int, event: Secret | Shuffled) -> None:
        self._live[event.table] = [*self._live.get(event.table, ())[: event.beside], number]

    def _end_deals(self, over: DealOver) -> list[int]:
        """Numbers of the sources that are no longer needed."""
        numbers = self._live.pop(over.table, [])  # empty for a file of an earlier version, until its first checkpoint
        if kept := numbers[: over.kept]:
            self._live[over.table] = kept
        return numbers[over.kept :]

    def _erase(self, over: DealOver) -> list[Change]:
        # The last of them may be that of a stock which was called off: a reader of its record needs it still.
        rows = zip(self._end_deals(over), over.remains, strict=False)
        return [Erase(_chance_row(number, over.table, chance)) for number, chance in rows]

    def _row_of(self, game: GameConcluded) -> GameColumns:
        self._game += 1
        if self.key_of_networks and game.origin:
            around = networks_of(game.origin)[1:]
            self._batch.networks[self._game] = tuple([digest(network, self.key_of_networks) for network in around])
        row = (
            self._game,
            time.strftime(ENDED, time.gmtime()),
            game.record.table,
            game.record.number,
            game.record.rule_set,
            _json(game.record.players),
            None if game.end is None else _json(game.end),
            encode(game.record),
        )
        return (*row, crc(*row))

    def go_on(self, number: int, at: int, checkpoint: LobbyCheckpoint) -> None:
        """Continue another journal after its record with this number. Nothing may have been recorded here yet.

        The sources get numbers that no record has. A program that is killed before it commits the checkpoint may have
        stored them in the stream of a shard, where none may pass for that of a record."""
        _, chances = split_chances(checkpoint)
        self._live.clear()
        self.number = number + max(map(len, chances.values()), default=0)
        self.compact(at, checkpoint)

    def add_games(self, rows: Sequence[GameColumns]) -> None:
        """Copy finished games of another journal unchanged, with the next records; the oldest first."""
        self._batch.games += rows
        self._game = rows[-1][0]

    def compact(self, at: int, checkpoint: LobbyCheckpoint) -> None:
        """Store a checkpoint of the current lobby, which replaces all records so far.

        Sources keep their numbers. Those of a new journal, or of a file of an earlier version, have none, and get the
        last ones: in a file at the same moment as the checkpoint, so that none passes for that of another record."""
        self._give_up_checkpoint()  # it would be of an earlier moment
        lobby, chances = split_chances(checkpoint)
        known, end = self._live, self.number + 1
        self._live = {
            table: known[table] if len(known.get(table, ())) == len(made) else [*range(end - len(made), end)]
            for table, made in chances.items()
        }
        rows = [
            _chance_row(one, table, chance)
            for table, of_table in chances.items()
            for one, chance in zip(self._live[table], of_table, strict=True)
        ]
        self._add(_compaction(self.number, at, lobby, [row[:2] for row in rows], is_behind=False), rows)

    def _add(self, compaction: Compaction, sources: Sequence[ChanceColumns] = ()) -> None:
        self._batch.changes += [*sources, compaction]
        self._checkpoint = compaction.number
        self._wake.set()

    def compact_behind(self, at: int, take: Callable[[], LobbyCheckpoint]) -> None:
        """Start a checkpoint of the current lobby in another process, while recording continues. Does nothing while one
        is being made."""
        if self._forked is not None:
            return
        if not can_fork():
            self.compact(at, take())
            return
        number, live = self.number, dict(self._live)

        def work() -> bytes:
            taken = take()
            if not self._follows(taken):
                return b""
            lobby, chances = split_chances(taken)
            known = [(table, zip(live[table], of_table, strict=True)) for table, of_table in chances.items()]
            deals = [(one, table) for table, sources in known for one, _ in sources]
            return _encode_compaction(_compaction(number, at, lobby, deals, is_behind=True))

        def done(made: memoryview | None) -> None:
            self._forked = None
            if made is None:
                log.warning("a checkpoint could not be made; the next is tried later")
                return
            if not made:
                self._note_divergence()
                return
            self._add(_decode_compaction(made))

        try:
            self._forked = Forked(work, done)
        except OSError as error:
            log.warning("a checkpoint could not be begun (%s); the next is tried later", error.strerror)

    def _follows(self, lobby: LobbyCheckpoint) -> bool:
        """True if the lobby matches the records, as far as they are compared. Called in the child process."""
        return True

    def _note_divergence(self) -> None:
        """The lobby of a started checkpoint does not match the records."""

    @property
    def since_checkpoint(self) -> int:
        """Records that a restart would have to replay."""
        return self.number - self._checkpoint

    @property
    def latency(self) -> tuple[float, float] | tuple[None, None]:
        """Milliseconds from the first record of a commit to its end: the median, and the 99th percentile."""
        if not (taken := sorted(self._latencies)):
            return None, None
        return round(taken[len(taken) // 2] * 1000, 3), round(taken[len(taken) * 99 // 100] * 1000, 3)

    def _take(self) -> Batch:
        batch, self._batch = self._batch, Batch()
        return batch

    def _call_back(self, batch: Batch) -> None:
        """A batch is committed: run its callbacks in order."""
        if batch.waiting:
            self._latencies.append(time.perf_counter() - batch.since)
        for then in batch.waiting:
            self.uncommitted -= 1
            then()

    def finish(self) -> None:
        """Let `run` end once everything is committed."""
        self._give_up_checkpoint()
        self._is_closing = True
        self._wake.set()

    def close(self) -> None:
        """Give up a checkpoint in progress; may be called again."""
        self._give_up_checkpoint()

    def _give_up_checkpoint(self) -> None:
        if self._forked is not None:
            self._forked.give_up()
            self._forked = None


def _chance_row(number: int, table: TableId, chance: Chance) -> ChanceColumns:
    blob = encode(chance)
    return number, table, blob, crc(number, table, blob)


def _compaction(number: int, at: int, lobby: LobbyCheckpoint, deals: list[DealKey], *, is_behind: bool) -> Compaction:
    blob = encode(lobby)
    return Compaction(number, at, crc(number, at, blob), deals, is_behind=is_behind, blob=blob)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
