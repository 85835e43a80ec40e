"""A status in a few aligned lines, for a person."""

from collections.abc import Iterable, Sequence

from put_protocol.text import counted
from put_server.admin.admin_calls import JournalNumbers, Outboxes, PeopleCounts, ServerStatus, TableCounts

_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def status_lines(status: ServerStatus) -> tuple[str, ...]:
    """The status in lines. The first identifies the server; every other line has its subject in the first column."""
    stopping = ", stopping" if status.is_draining else ""
    rows = (
        *counts(status.tables, status.people, status.house_players),
        ("games", f"{status.games_finished} finished since the start"),
        ("connections", str(status.connections)),
        ("outboxes", _outboxes(status.outboxes)),
        ("journal", _journal(status.journal)),
    )
    title = f"{status.name}: put-server {status.version}, up {length_of_time(status.uptime_s)}{stopping}"
    return (title, *aligned(rows))


def counts(tables: TableCounts, people: PeopleCounts, house_players: int) -> Sequence[tuple[str, str]]:
    by_state = (
        f"{tables.playing} playing, {tables.paused} paused, {tables.filling} filling, {tables.between} between games"
    )
    return (
        ("tables", f"{tables.total}: {by_state}; {tables.spectators} watching"),
        ("people", f"{people.here} here, {people.away} away, {people.bots} of them bots"),
        ("house", f"{house_players} seated"),
    )


def aligned(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Lines from subjects and texts, in aligned columns. No subject is longer than `connections`."""
    return [f"{subject:<11}  {said}" for subject, said in rows]


def commits(p50_ms: float | None, p99_ms: float | None) -> str:
    if p50_ms is None or p99_ms is None:
        return "no commit yet"
    return f"commits {p50_ms:.1f} ms (p50), {p99_ms:.1f} ms (p99)"


def _outboxes(outboxes: Outboxes) -> str:
    if not outboxes.waiting:
        return "nothing waits"
    peers = counted(outboxes.waiting, "peer")
    return f"{size_of(outboxes.bytes)} wait for {peers}, {size_of(outboxes.largest)} for the slowest"


def _journal(journal: JournalNumbers | None) -> str:
    if journal is None:
        return "nothing is kept"
    records, took = counted(journal.records, "record"), commits(journal.commit_p50_ms, journal.commit_p99_ms)
    return f"{journal.path}: {size_of(journal.bytes)}, {records} since the checkpoint, {took}"


def size_of(count: int) -> str:
    """Size in the largest unit of which there is at least one."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes" if count != 1 else "1 byte"


def length_of_time(seconds: int) -> str:
    """Duration in its two largest units."""
    parts: list[str] = []
    for unit, size in _UNITS:
        count, seconds = divmod(seconds, size)
        if count or parts:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"
