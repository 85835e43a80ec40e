"""Files of a match: its log, and its games as the gallery saw them, for `put-client --replay` and `put-verify`.

The log gets every game and fault at once, so that an interrupted match can continue. It is an append-only file of JSON
arrays, one a line. The first line describes the match. An incomplete last line, left by a killed arena, is ignored.
Unfinished rounds are played again from the beginning, because a bot may remember the games of a round.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from put_arena.competitors import Conduct, Fault
from put_arena.results import Played
from put_arena.schedule import Round, planned_name
from put_client.recording import Recording, recorded, sheet_of
from put_client.sdk.wire import now_ms
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import GALLERY
from put_protocol.table_info import TableInfo
from put_text.notation import write

VERSION = 2


class _Match(Struct, frozen=True, array_like=True, tag="match"):
    """The first line."""

    version: int
    terms: dict[str, Any]


class _Again(Struct, frozen=True, array_like=True, tag="again"):
    """A round is played again from its beginning."""

    round: str


class Faulty(Struct, frozen=True, array_like=True, tag="fault"):
    competitor: int
    fault: Fault
    says: str


class Disqualified(Struct, frozen=True, array_like=True, tag="out"):
    competitor: int
    says: str


_Line = _Match | Played | _Again | Faulty | Disqualified


class BadLog(Exception):
    """The match in the file cannot continue. The sentence says why."""


class MatchLog:
    def __init__(self, path: Path) -> None:
        """Read the file, if there is one.

        :raises OSError: it can neither be read nor created.
        :raises BadLog: the file is not a match log.
        """
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)  # the seed is in it
        whole, newline, torn = path.read_bytes().rpartition(b"\n")
        try:
            self._lines: list[_Line] = [msgspec.json.decode(line, type=_Line) for line in whole.splitlines()]
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise BadLog(f"{path} is no log of a match, or one of another version") from None
        first = self._lines[0] if self._lines else _Match(VERSION, {})
        if not isinstance(first, _Match) or first.version != VERSION:
            raise BadLog(f"{path} is no log of a match, or one of another version")
        if torn and not self._lines:
            raise BadLog(f"{path} is no log of a match, or has only the beginning of one: delete it")
        self.match = first.terms
        os.truncate(self._file, len(whole) + len(newline))

    def begin(self, match: Mapping[str, Any]) -> None:
        """Begin the log of this match. An existing log must be of the same match.

        :raises BadLog: the log is of another match.
        """
        if not self.match:
            self.match = dict(match)
            self.write(_Match(VERSION, self.match))
            return
        for name, value in match.items():
            if self.match.get(name) != msgspec.json.decode(msgspec.json.encode(value)):
                raise BadLog(f"{self.path} is of another match: its {name} is {self.match.get(name)}, not {value}")

    def restore(self, rounds: Sequence[Round], conduct: Sequence[Conduct]) -> tuple[list[Played], list[Round]]:
        """The games of finished rounds, and the remaining rounds. Faults are added to `conduct`."""
        games: dict[str, list[Played]] = {}
        for line in self._lines:
            match line:
                case Played(round=name):
                    games.setdefault(planned_name(name), []).append(line)
                case _Again(round=name):
                    games.pop(name, None)
                case Faulty(competitor=competitor, fault=fault, says=says):
                    conduct[competitor].note(fault, says)
                case Disqualified(competitor=competitor, says=says):
                    conduct[competitor].out = says
                case _Match():
                    pass
        kept: list[Played] = []
        left = []
        for round_ in rounds:
            played = games.get(round_.name, [])
            seatings = Counter([(game.round, game.number) for game in played])
            if sum(count == len(round_.seatings) for count in seatings.values()) >= round_.games:
                kept += played
            else:
                left.append(round_)
                if played:
                    self.write(_Again(round_.name))
        return kept, left

    def write(self, line: _Line) -> None:
        os.write(self._file, msgspec.json.encode(line) + b"\n")


class Saving:
    """A folder of saved games, such as `match-1-round-2-game-03-seating-1.put`."""

    def __init__(self, folder: Path) -> None:
        """:raises OSError: the folder cannot be created."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._infos: dict[int, TableInfo] = {}
        self._games: dict[int, Recording | None] = {}

    def take(self, message: Events | TableSnapshot, round_: Round, seating: int) -> None:
        """Add a message that a table's gallery received. The file is written when the game is over.

        :raises OSError: a file cannot be written.
        """
        number = message.table
        info = message.info or self._infos[number]
        self._infos[number] = info
        if isinstance(message, TableSnapshot):
            self._games[number] = None
            return
        game = recorded(self._games.get(number), message, info, GALLERY, now_ms())
        self._games[number] = game
        if game is None or not game.is_over or message.view is None or game.number > round_.games:
            return
        self._games[number] = None
        name = f"{round_.name.replace(', ', '-').replace(' ', '-')}-game-{game.number:02}-seating-{seating + 1}.put"
        sheet = sheet_of(game, info, message.view, "The arena")
        (self.folder / name).write_text(write(sheet), "utf-8")
