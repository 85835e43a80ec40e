"""A status in a few aligned lines, for a person."""

from put_protocol.text import counted
from put_server.admin.admin_calls import JournalNumbers, Outboxes, ServerStatus

_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def status_lines(status: ServerStatus) -> tuple[str, ...]:
    """The lines; the first says which server it is, every other has its subject in the first column."""
    tables, people = status.tables, status.people
    stopping = ", stopping" if status.is_draining else ""
    by_state = (
        f"{tables.playing} playing, {tables.paused} paused, {tables.filling} filling, {tables.between} between games"
    )
    rows = (
        ("tables", f"{tables.total}: {by_state}; {tables.spectators} watching"),
        ("people", f"{people.here} here, {people.away} away, {people.bots} of them bots"),
        ("house", f"{status.house_players} seated"),
        ("games", f"{status.games_finished} finished since the start"),
        ("connections", str(status.connections)),
        ("outboxes", _outboxes(status.outboxes)),
        ("journal", _journal(status.journal)),
    )
    width = max(len(subject) for subject, _ in rows)
    title = f"{status.name}: put-server {status.version}, up {length_of_time(status.uptime_s)}{stopping}"
    return (title, *(f"{subject:<{width}}  {said}" for subject, said in rows))


def _outboxes(outboxes: Outboxes) -> str:
    if not outboxes.waiting:
        return "nothing waits"
    peers = counted(outboxes.waiting, "peer")
    return f"{size_of(outboxes.bytes)} wait for {peers}, {size_of(outboxes.largest)} for the slowest"


def _journal(journal: JournalNumbers | None) -> str:
    if journal is None:
        return "nothing is kept"
    commits = "no commit yet"
    if journal.commit_p50_ms is not None and journal.commit_p99_ms is not None:
        commits = f"commits {journal.commit_p50_ms:.1f} ms (p50), {journal.commit_p99_ms:.1f} ms (p99)"
    records = counted(journal.records, "record")
    return f"{journal.path}: {size_of(journal.bytes)}, {records} since the checkpoint, {commits}"


def size_of(count: int) -> str:
    """Bytes, in the largest unit of which there is one whole."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes" if count != 1 else "1 byte"


def length_of_time(seconds: int) -> str:
    """A length of time in its two largest units."""
    parts: list[str] = []
    for unit, size in _UNITS:
        count, seconds = divmod(seconds, size)
        if count or parts:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"
