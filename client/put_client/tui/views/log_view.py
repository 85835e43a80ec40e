"""The log and the talk as lines: the end of it in a pane, and all of it on a page."""

from collections.abc import Iterable

from put_client.tui.model import AtTable, EntryKind, LogEntry
from put_client.tui.widgets.canvas import Fragment, Line, wrap
from put_client.tui.widgets.theme import ALARM, FAINT, PLAIN, STRONG, Theme
from put_text.catalogue import say


def log_lines(table: AtTable, unread_from: int | None, width: int, theme: Theme) -> list[Line]:
    """The whole log, talk included, with a rule before what was unread."""
    log = table.log
    if not log.entries:
        return [((PLAIN, say("screen-nothing-happened")),)]
    first = log.noted - len(log.entries)
    lines: list[Line] = [((FAINT, say("screen-forgotten")),)] if first > 0 else []
    for number, entry in enumerate(log.entries, start=first):
        if number == unread_from:
            unread = f" {say('screen-unread-from-here')} "
            lines.append(((ALARM, unread), (FAINT, theme.horizontal * max(width - len(unread), 0))))
        lines += lines_of_entry(entry, width)
    return lines


def lines_of_entry(entry: LogEntry, width: int) -> list[Line]:
    """An entry in lines; what follows the first is indented."""
    rows = wrap(entry.text, width - 1)
    if len(rows) > 1:
        rest = entry.text[len(rows[0]) :].lstrip() if entry.text.startswith(rows[0]) else " ".join(rows[1:])
        rows = (rows[0], *wrap(rest, width - 2))
    lines: list[Line] = []
    for number, row in enumerate(rows):
        if number:
            lines.append(((PLAIN, " " + row),))
        elif entry.kind is EntryKind.TALK and ": " in row:
            name, _, said = row.partition(": ")
            lines.append(((STRONG, f"{name}: "), (PLAIN, said)))
        else:
            lines.append((_styled(entry, row),))
    return lines


def _styled(entry: LogEntry, row: str) -> Fragment:
    if entry.kind is EntryKind.NOTE:
        return FAINT, row
    return (STRONG if entry.begins else PLAIN), row


def tail(entries: Iterable[LogEntry], width: int, height: int) -> list[Line]:
    """The last entries, given last first, that fit whole; of the very last as much as fits."""
    lines: list[Line] = []
    for entry in entries:
        told = lines_of_entry(entry, width)
        if lines and len(told) + len(lines) > height:
            break
        lines = told + lines
    return lines[-height:] if height else []
