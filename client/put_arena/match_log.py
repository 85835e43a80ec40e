"""Log of a match: every game and fault as it comes, so that an interrupted match goes on where it was.

A file of JSON arrays, one a line, only ever appended to. The first line says what is played. A line that was not
written to its end, as when the arena is killed, counts for nothing. Rounds that were not finished are played again from
their beginning, for a bot may remember the games of a round.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from put_arena.conduct import Conduct, Fault
from put_arena.results import Played
from put_arena.schedule import Round, base_of

VERSION = 2


class BadLog(Exception):
    """The match in the file cannot go on; the sentence says why."""


class MatchLog:
    """The log of one match, open to be appended to."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one.

        :raises OSError: it can be neither read nor made.
        :raises BadLog: it is no such log.
        """
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)  # the seed is in it
        whole, newline, torn = path.read_bytes().rpartition(b"\n")
        try:
            lines = [msgspec.json.decode(line) for line in whole.splitlines()]
            self.match: dict[str, Any] = self._match_in(lines[0]) if lines else {}
            self._games, self._notes = _read(lines[1:])
        except (ValueError, TypeError, IndexError, msgspec.DecodeError):
            raise BadLog(f"{path} is no log of a match") from None
        if torn and not lines:
            raise BadLog(f"{path} is no log of a match, or has only the beginning of one: delete it")
        os.truncate(self._file, len(whole) + len(newline))

    def _match_in(self, line: Any) -> dict[str, Any]:
        kind, version, match = line
        if kind != "match" or version != VERSION:
            raise BadLog(f"{self.path} is no log of a match, or one of another version")
        return dict(match)

    def begin(self, match: Mapping[str, Any]) -> None:
        """Begin the log of this match. In a log that was begun it must be the same.

        :raises BadLog: it is another match.
        """
        if not self.match:
            self.match = dict(match)
            self._write("match", VERSION, match)
            return
        for name, value in match.items():
            if self.match.get(name) != msgspec.json.decode(msgspec.json.encode(value)):
                raise BadLog(f"{self.path} is of another match: its {name} is {self.match.get(name)}, not {value}")

    def restore(self, rounds: Sequence[Round], conduct: Sequence[Conduct]) -> tuple[list[Played], list[Round]]:
        """The games of finished rounds, and the rounds that are still to be played; faults go to `conduct`."""
        for kind, competitor, *rest in self._notes:
            if kind == "out":
                conduct[competitor].out = rest[0]
            else:
                conduct[competitor].note(Fault(rest[0]), rest[1])
        kept: list[Played] = []
        left = []
        for round_ in rounds:
            games = self._games.get(round_.name, [])
            if _sets(games, len(round_.seatings)) >= round_.games:
                kept += games
            else:
                left.append(round_)
                if games:
                    self._write("again", round_.name)
        return kept, left

    def add_game(self, game: Played) -> None:
        self._write("game", game.match, game.round, game.number, game.seating, game.seats, game.paid, game.luck)

    def add_fault(self, competitor: int, fault: Fault, says: str) -> None:
        self._write("fault", competitor, fault, says)

    def add_out(self, competitor: int, says: str) -> None:
        self._write("out", competitor, says)

    def _write(self, *line: object) -> None:
        os.write(self._file, msgspec.json.encode(line) + b"\n")


def _read(lines: Sequence[Any]) -> tuple[dict[str, list[Played]], list[Any]]:
    """The games by the round that was planned, and what was noted of competitors."""
    games: dict[str, list[Played]] = {}
    notes = []
    for kind, *rest in lines:
        if kind == "game":
            match, name, number, seating, seats, paid, luck = rest
            played = Played(
                match=match,
                round=name,
                number=number,
                seating=seating,
                seats=tuple(seats),
                paid=tuple(paid),
                luck=tuple(luck),
            )
            games.setdefault(base_of(name), []).append(played)
        elif kind == "again":
            games.pop(rest[0], None)
        elif kind in ("fault", "out"):
            notes.append((kind, *rest))
        else:
            raise ValueError(kind)
    return games, notes


def _sets(games: Sequence[Played], seatings: int) -> int:
    by_set: dict[tuple[str, int], set[int]] = {}
    for game in games:
        by_set.setdefault((game.round, game.number), set()).add(game.seating)
    return sum(len(found) == seatings for found in by_set.values())
