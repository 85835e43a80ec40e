"""Errors of a journal, in sentences an operator can act upon."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec


class JournalError(Exception):
    """The file cannot be used; the sentence says why and what to do. The file was not changed."""


@contextmanager
def as_journal_errors(path: Path) -> Iterator[None]:
    """Raise errors of the file as `JournalError`."""
    try:
        yield
    except (
        OSError,
        sqlite3.Error,
        UnicodeDecodeError,
        msgspec.DecodeError,
    ) as error:  # the last: a text in a damaged file
        raise JournalError(f"{path} {_reason(error)}") from None


def _reason(error: OSError | sqlite3.Error | UnicodeDecodeError | msgspec.DecodeError) -> str:
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if isinstance(error, OSError) or "unable to open" in said:
        return f"cannot be opened ({said}); choose another directory with --data"
    if "locked" in said:
        return "is in use by another put-server; choose another --data"
    if any(word in said for word in ("full", "disk I/O", "readonly")):
        return f"cannot be read or written ({said}); see to its disk, or choose another --data"
    return (
        f"is damaged or not a journal of put-server ({said}); it was left as it is. "
        "Move it away, or choose another --data"
    )
