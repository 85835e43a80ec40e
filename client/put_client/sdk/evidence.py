"""Transcript of what one viewer was told of sealed deals, kept for as long as it may have to be shown to others.

Of each table the deal in play and the one before are kept in memory. Where a check fails they become a file, mode 600,
in the lines that `scripts/verify/verify.mjs` reads, so that others can find the same without this client.
"""

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from put_client.sdk.session_store import directory
from put_protocol.games.unions import (
    Event,
)
from put_protocol.messages import TableSnapshot
from put_protocol.seal.checking import Checker
from put_protocol.seal_events import Openings, Sealed
from put_protocol.seats import Seat
from put_protocol.table_events import (
    Said,
)

LINES = 1_000
"""Kept of one deal, or of a table that seals nothing: a hand has a tenth of it."""

Line = dict[str, object] | Struct


class _Part(NamedTuple):
    """From one seal to the next."""

    head: list[Line]
    """What to begin with, if it is the first that is told."""
    lines: list[Line]


class Transcript:
    """What a viewer was told at a table, and what they did."""

    def __init__(self, snapshot: TableSnapshot, end: bytes | None, *, joins: bool) -> None:
        """The table as the viewer came to it. `joins`: in the middle of a game."""
        self._snapshot = snapshot
        self._parts: tuple[_Part, ...] = (
            _Part([self._head(end, joins=joins, is_counted=end is not None, is_fresh=None if joins else False)], []),
        )
        """At most two."""
        if snapshot.sealed is not None:
            self._add(_bare(snapshot))

    def told(self, told: Event | Openings | TableSnapshot, checker: Checker) -> None:
        """This is told, to a viewer whose checks stand so."""
        if isinstance(told, Said):
            return  # what people say is nobody's evidence
        if isinstance(told, Sealed):
            head = [
                self._head(
                    checker.end,
                    joins=False,
                    is_counted=checker.is_counted,
                    is_fresh=checker.is_fresh,
                    misses=checker.misses,
                )
            ]
            self._parts = (self._parts[-1], _Part(head, []))
        elif len(self._parts[-1].lines) >= LINES:
            head = [self._head(checker.end, joins=True, is_counted=False, is_fresh=None)]
            self._parts = (_Part(head, []),)
        self._add(_bare(told) if isinstance(told, TableSnapshot) else told)

    def did(self, what: str, **fields: bytes | None) -> None:
        """They cut, promised an end, were heard, or their connection dropped."""
        self._add({"type": what, **fields})

    def _add(self, line: Line) -> None:
        self._parts[-1].lines.append(line)

    def __iter__(self) -> Iterator[Line]:
        yield from self._parts[0].head
        for part in self._parts:
            yield from part.lines

    def _head(
        self,
        end: bytes | None,
        *,
        joins: bool,
        is_counted: bool,
        is_fresh: bool | None,
        misses: Mapping[Seat, int] | None = None,
    ) -> Line:
        info = self._snapshot.info
        return {
            "type": "viewer",
            "table": self._snapshot.table,
            "viewer": self._snapshot.viewer,
            "end": end,
            "game": info.game,
            "options": info.options,
            "is_exhibition": info.is_exhibition,
            "joins": joins,
            "is_counted": is_counted,
            "is_fresh": is_fresh,
            "misses": misses or {},
        }


def _bare(snapshot: TableSnapshot) -> TableSnapshot:
    """Without the game, of which nothing is checked by it."""
    return replace(snapshot, view=None, turn=None)


def keep(transcript: Transcript, server: str, table: int, deal: int) -> Path | None:
    """Write it down: where it is; None: it cannot be kept here."""
    place = re.sub(r"[^A-Za-z0-9.]+", "-", server).strip("-")
    name = f"{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}_{place}_table-{table}_deal-{deal}"
    folder = directory() / "evidence"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path, descriptor = _fresh(folder, name)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(msgspec.json.encode(line) + b"\n" for line in transcript)
    except OSError:
        return None
    return path


def _fresh(folder: Path, name: str) -> tuple[Path, int]:
    """A file that was not there, open: others may catch the same in the same second.

    :raises OSError: it cannot be made.
    """
    for number in count(1):
        path = folder / (f"{name}.jsonl" if number == 1 else f"{name}_{number}.jsonl")
        try:
            return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
    raise AssertionError("numbers do not end")
