"""Transcript of a table as one viewer received it, written to a file as evidence if a check fails.

For each table, the current and the previous game are kept in memory, from the viewer's arrival. If a check fails, they
are written to a file with mode 600, in the format of `put-verify` and `scripts/verify/verify.mjs`, so that others can
repeat the check."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from put_client.places import state_folder
from put_protocol.games.unions import Event
from put_protocol.messages import TableSnapshot
from put_protocol.table_events import GameStarted, Said, info_after
from put_protocol.table_info import TableState
from put_runtime.private_files import make_private_folder, open_private

LINES = 20_000
"""Most lines of a game, which usually has some hundreds. Then the transcript restarts with the current state of the
deals."""

MOST_BYTES = 32 * 1024 * 1024
"""Most bytes in the file: a deal of ten seats and 78 cards has 0.4 MB."""

Line = dict[str, object] | Struct


class _Game:
    """The part of a transcript from the start of one game to the start of the next."""

    def __init__(self, head: Line) -> None:
        """`head`: first line of a file that begins here."""
        self.head = head
        self.lines: list[Line] = []
        self.size = 0

    def add(self, line: Line) -> None:
        self.lines.append(line)
        self.size += len(msgspec.json.encode(line))


class ReceivedTranscript:
    def __init__(self, snapshot: TableSnapshot) -> None:
        """`snapshot`: the table when the viewer came."""
        self._snapshot = snapshot
        self._current_info = snapshot.info
        self._games = [_Game(self._head())]
        """The game in play, and the previous one."""

    def add(self, received: Event | TableSnapshot) -> None:
        if isinstance(received, Said):
            return  # chat is no evidence
        if isinstance(received, GameStarted):
            self._games = [self._games[-1], _Game(self._head())]
        if isinstance(received, TableSnapshot):
            self._current_info = received.info
            received = replace(received, view=None, turn=None)
        else:
            self._current_info = info_after(self._current_info, received)
        self._games[-1].add(received)

    def add_own(self, what: str, **fields: object) -> None:
        """Add an act of the viewer, a lost connection, their knowledge of purses and times, the state of deals from
        which they continue, or a received view that does not follow from the events."""
        self._games[-1].add({"type": what, **fields})

    @property
    def is_full(self) -> bool:
        """True if the game is too long to be kept completely."""
        game = self._games[-1]
        return len(game.lines) >= LINES or game.size >= MOST_BYTES

    def begin_anew(self, span: bytes) -> None:
        """Drop everything except the state of the blind game in play; empty: there is none."""
        self._games = [_Game(self._head())]
        if span:
            self.add_own("span", data=span)

    def __iter__(self) -> Iterator[Line]:
        yield self._games[0].head
        for game in self._games:
            yield from game.lines

    def numbered(self) -> Iterator[bytes]:
        """Lines of a file with numbers, which show whether lines are missing."""
        for number, line in enumerate(self, 1):
            yield msgspec.json.encode({**msgspec.to_builtins(line), "line": number})

    def _head(self) -> Line:
        info = self._current_info
        return {
            "type": "viewer",
            "table": self._snapshot.table,
            "viewer": self._snapshot.viewer,
            "game": info.game,
            "options": info.options,
            "info": replace(info, state=TableState.PLAYING),  # the purses are those of another time
            "knows_acts": True,
        }


def keep(transcript: ReceivedTranscript, server: str, table: int, deal: int) -> Path | None:
    """Write the evidence; returns its path, or None if it cannot be written."""
    place = re.sub(r"[^A-Za-z0-9.]+", "-", server).strip("-")
    # Other processes of this person may save the same deal: the time is exact, and the process is in the name.
    name = f"{datetime.now(UTC):%Y-%m-%dT%H%M%S.%fZ}_{place}_table-{table}_deal-{deal}_{os.getpid()}.jsonl"
    path = state_folder() / "evidence" / name
    try:
        make_private_folder(path.parent)
        with os.fdopen(open_private(path, os.O_WRONLY | os.O_EXCL), "wb") as file:
            file.writelines(line + b"\n" for line in transcript.numbered())
    except OSError:
        return None
    return path
