"""What one viewer was told of sealed deals, kept for as long as it may have to be shown to others.

Of each table the deal in play and the one before are kept in memory. Where a check fails they become a file, mode 600,
in the lines that `scripts/verify/verify.mjs` reads, so that others can find the same without this client.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from put_client.cloakroom import directory
from put_protocol.events import Event, Said
from put_protocol.seal.told import Openings, Sealed
from put_protocol.seats import Viewer

LINES = 1_000
"""Kept of one deal, or of a table that seals nothing: a hand has a tenth of it."""

Line = dict[str, object] | Struct


class _Part(NamedTuple):
    """From one seal to the next."""

    head: list[Line]
    """What to begin with, if it is the first that is told."""
    lines: list[Line]


class Transcript:
    """What a viewer was told at a table, and what he did."""

    def __init__(self, table: int, viewer: Viewer, end: bytes | None, *, is_midway: bool) -> None:
        self._table = table
        self._viewer = viewer
        self._parts: tuple[_Part, ...] = (_Part([self._head(end, is_midway=is_midway)], []),)
        """At most two."""

    def told(self, told: Event | Openings, end: bytes | None, *, is_counted: bool) -> None:
        """This is told; with where his chain stands, and whether every seal must name it."""
        if isinstance(told, Said):
            return  # what people say is nobody's evidence
        chain: list[Line] = [] if end is None else [{"type": "chain", "end": end}]
        if isinstance(told, Sealed):
            head = [self._head(end, is_midway=False)] if is_counted else [self._head(None, is_midway=False), *chain]
            self._parts = (self._parts[-1], _Part(head, []))
        elif len(self._parts[-1].lines) >= LINES:
            self._parts = (_Part([self._head(None, is_midway=True), *chain], []),)
        self._parts[-1].lines.append(told)

    def did(self, what: str, **fields: bytes | None) -> None:
        """He cut, named an end, missed something, or was heard."""
        self._parts[-1].lines.append({"type": what, **fields})

    def __iter__(self) -> Iterator[Line]:
        yield from self._parts[0].head
        for part in self._parts:
            yield from part.lines

    def _head(self, end: bytes | None, *, is_midway: bool) -> Line:
        return {"type": "viewer", "table": self._table, "viewer": self._viewer, "end": end, "is_midway": is_midway}


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
