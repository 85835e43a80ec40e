"""Transcript of sealed deals as one viewer received them, written to a file as evidence if a check fails.

Of each table the game in play and the hand before it are kept in memory. Where a check fails they become a file, mode
600, in the format that `put-verify` and `scripts/verify/verify.mjs` read, so that others can repeat the check.
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

from put_client.places import state_folder
from put_protocol.games.unions import Event
from put_protocol.messages import TableSnapshot
from put_protocol.seal.checker import Checker
from put_protocol.seal_events import Openings, Sealed
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, Said, info_after
from put_protocol.table_info import TableState
from put_runtime.private_files import make_private_folder, open_private

HANDS = 100
"""Hands kept of one game."""

BLIND_LINES = 20_000
"""Lines kept of a blind game, which can be checked from its beginning alone."""

LINES = 1_000
"""Lines kept of one hand, or of a table that seals nothing: a hand has a tenth of it."""

Line = dict[str, object] | Struct


class _Part(NamedTuple):
    """Everything from the first seal of a hand to that of the next."""

    head: list[Line]
    """The heading to write if the file begins with this part."""
    lines: list[Line]


class Transcript:
    """Messages that a viewer received and sent at one table."""

    def __init__(self, snapshot: TableSnapshot, end: bytes | None, *, joins: bool) -> None:
        """The table as it was when the viewer came. `joins`: during a game."""
        self._snapshot = snapshot
        self._info = snapshot.info
        """The table as it is now, as far as events and snapshots tell it."""
        self._parts: tuple[_Part, ...] = (
            _Part([self._head(end, joins=joins, is_counted=end is not None, is_fresh=None if joins else False)], []),
        )
        """Those of the game in play, and the one before it."""
        self._game = 0
        """The part in which the game in play began."""
        if snapshot.sealed is not None:
            self._append(_bare(snapshot))

    def add(self, received: Event | Openings | TableSnapshot, checker: Checker | None = None) -> None:
        """Add what was received. `checker`: the state of the viewer's checks before it; None: it is not sealed."""
        if isinstance(received, Said):
            return  # chat is no evidence
        if isinstance(received, Sealed) and not received.stock and checker is not None:
            head = [
                self._head(
                    checker.own.end,
                    joins=False,
                    is_counted=checker.own.is_counted,
                    is_fresh=checker.is_fresh,
                    misses=checker.absences.misses,
                )
            ]
            self._begin(_Part(head, []))
        elif len(self._parts[-1].lines) >= (LINES if checker is not None else BLIND_LINES):
            head = [
                self._head(None if checker is None else checker.own.end, joins=True, is_counted=False, is_fresh=None)
            ]
            self._parts, self._game = (_Part(head, []),), 0
        if isinstance(received, GameStarted):
            self._game = len(self._parts) - 1
        self._info = received.info if isinstance(received, TableSnapshot) else info_after(self._info, received)
        self._append(_bare(received) if isinstance(received, TableSnapshot) else received)

    def _begin(self, part: _Part) -> None:
        """Another hand. Of those before the game in play, the last is kept."""
        first = max(0, self._game - 1, len(self._parts) - HANDS)
        self._parts = (*self._parts[first:], part)
        self._game = max(0, self._game - first)

    def add_own(self, what: str, **fields: object) -> None:
        """Add what the viewer did: cut, promised an end, was counted, or lost the connection; what they know of purses
        and times; or the view that they were sent in place of the one that follows from the events."""
        self._append({"type": what, **fields})

    def _append(self, line: Line) -> None:
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
        info = self._info
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
            "info": replace(info, state=TableState.PLAYING),  # the purses are those of another time
            "knows_acts": True,
        }


def _bare(snapshot: TableSnapshot) -> TableSnapshot:
    """The snapshot without the view, which the checks do not use."""
    return replace(snapshot, view=None, turn=None)


def keep(transcript: Transcript, server: str, table: int, deal: int) -> Path | None:
    """Write the evidence; returns its path, or None where it cannot be written."""
    place = re.sub(r"[^A-Za-z0-9.]+", "-", server).strip("-")
    name = f"{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}_{place}_table-{table}_deal-{deal}"
    folder = state_folder() / "evidence"
    try:
        make_private_folder(folder)
        path, descriptor = _fresh(folder, name)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(msgspec.json.encode(line) + b"\n" for line in transcript)
    except OSError:
        return None
    return path


def _fresh(folder: Path, name: str) -> tuple[Path, int]:
    """A new file, opened: other processes may catch the same table in the same second.

    :raises OSError: it cannot be made.
    """
    for number in count(1):
        path = folder / (f"{name}.jsonl" if number == 1 else f"{name}_{number}.jsonl")
        try:
            return path, open_private(path, os.O_WRONLY | os.O_EXCL)
        except FileExistsError:
            continue
    raise AssertionError("itertools.count has no end")
