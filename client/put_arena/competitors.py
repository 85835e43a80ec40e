"""Competitors of a match, parsed from the command line; and their conduct, with faults that may disqualify them."""

import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePath

from put_protocol.text import flaw_of_name, printable, same_name

LABEL_LENGTH = 18
"""Leaves room in a player's name for the number of a copy."""

DIRECTOR = "The director"
"""Name of the client that opens the tables; no competitor may have it."""


class Kind(StrEnum):
    SDK = "sdk"
    """a Python class, in a process of the arena's"""
    STDIO = "stdio"
    """a command that speaks JSON lines on its standard input and output"""
    DIAL = "dial"
    """a command that connects by itself"""
    HOUSE = "house"
    """a house player, who lives in the server"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Competitor:
    label: str
    """Unique name."""
    kind: Kind
    what: str
    """The class, as `put_client.bots.loading` takes it, the command, or the house player's name."""
    typed: str

    @property
    def files(self) -> tuple[str, ...]:
        """Its files that the typed text names."""
        if self.kind is Kind.HOUSE:
            return ()
        words = [self.what.rpartition(":")[0] or self.what, self.what]
        if self.kind is not Kind.SDK:
            words = shlex.split(self.what)[1:]  # the first may be an interpreter that others need
        return tuple([os.path.realpath(word) for word in words if Path(word).is_file()])

    @property
    def folders(self) -> tuple[str, ...]:
        """Folders of its files and of its program. A module has the current folder."""
        found = [Path(path).parent for path in self.files]
        if self.kind in (Kind.STDIO, Kind.DIAL) and (program := shutil.which(shlex.split(self.what)[0])):
            found += [Path(program).absolute().parent, Path(program).resolve().parent]
        elif self.kind is Kind.SDK and not found:
            found.append(Path.cwd())
        return tuple([str(folder) for folder in found])

    def person(self, copy: int = 0) -> str:
        """Name of one of its players. A competitor has several players where one player would see more than a seat."""
        return self.label if copy == 0 else f"{self.label} ({copy + 1})"


class CompetitorError(ValueError):
    """The text names no competitor. The sentence says what is allowed."""


_LABELLED = re.compile(r"([\w .-]{1,40})=(.+)", re.DOTALL)


def parse(typed: Sequence[str]) -> tuple[Competitor, ...]:
    """The competitors, in this order. A repeated name gets a number.

    :raises CompetitorError: a text names no competitor, or there are fewer than two.
    """
    found: list[Competitor] = []
    taken = {same_name(DIRECTOR)}
    for text in typed:
        label, kind, what = _parsed(text)
        competitor = Competitor(label=_free(label, taken), kind=kind, what=what, typed=text)
        taken.add(same_name(competitor.label))
        found.append(competitor)
    if len(found) < 2:
        raise CompetitorError("a match needs two competitors or more; name one twice to let it play itself")
    return tuple(found)


def _parsed(text: str) -> tuple[str, Kind, str]:
    labelled = _LABELLED.fullmatch(text)
    label, what = (labelled[1].strip(), labelled[2]) if labelled is not None else ("", text)
    prefix, colon, rest = what.partition(":")
    if colon and prefix in (Kind.STDIO, Kind.DIAL):
        kind = Kind(prefix)
        words = _words(rest, text)
        if kind is Kind.DIAL and "{port}" not in rest:
            raise CompetitorError(
                f"{_shown(text)} is not told where to connect: put {{host}}, {{port}} and {{name}} in it"
            )
        return label or _program(words), kind, rest
    if colon and prefix == Kind.HOUSE:
        if not rest:
            raise CompetitorError(f"{_shown(text)} names no house player; house:steady is one")
        return label or rest, Kind.HOUSE, rest
    if not what.strip():
        raise CompetitorError("an empty word names no competitor")
    is_file = what.endswith(".py") or "/" in what
    name = what.rpartition(":")[2] if colon else PurePath(what).stem if is_file else what.rpartition(".")[2]
    return label or name, Kind.SDK, what


def _words(command: str, text: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CompetitorError(f"{_shown(text)} is no command: {str(error).lower()}") from None
    if not words:
        raise CompetitorError(f"{_shown(text)} names no command")
    return words


def command_words(command: str, **places: str) -> list[str]:
    """The command's words, with `{host}`, `{port}` and `{name}` filled in."""
    words = shlex.split(command)
    for name, value in places.items():
        words = [word.replace(f"{{{name}}}", value) for word in words]
    return words


def _program(words: Sequence[str]) -> str:
    """The label of a command: its second word if it is a file, as in `node bot.mjs`; otherwise its first."""
    is_file = len(words) > 1 and not words[1].startswith(("-", "{")) and ("." in words[1] or "/" in words[1])
    return PurePath(words[1] if is_file else words[0]).stem


def _free(label: str, taken: set[str]) -> str:
    label = printable(label).strip()[:LABEL_LENGTH].strip()
    if flaw_of_name(label) is not None:
        label = "bot"
    if same_name(label) not in taken:
        return label
    number = 2
    while same_name(f"{label[: LABEL_LENGTH - 3]} {number}") in taken:
        number += 1
    return f"{label[: LABEL_LENGTH - 3]} {number}"


def _shown(text: str) -> str:
    return repr(printable(text)[:80])


MOST_SAID = 5
"""Number of a competitor's faults whose words are kept: the first ones."""


class Fault(StrEnum):
    ILLEGAL = "illegal"
    """chose an illegal action; a class resigns the game by it, a program is asked again"""
    LATE = "late"
    """let the time of a turn run out"""
    CRASHED = "crashed"
    """raised an error, or its process ended"""
    TOO_FAST = "too fast"
    """asked more often than the server allows"""
    GARBAGE = "garbage"
    """sent an invalid message"""
    IDLE = "idle"
    """did not come, sit down, or go on to the next game"""


@dataclass(slots=True, kw_only=True)
class Conduct:
    turn: float = 0.0
    """Seconds of a turn."""
    most_late: int = 1
    """Turns that run out in a row and disqualify."""
    faults: Counter[Fault] = field(default_factory=Counter)
    says: list[str] = field(default_factory=list)
    """The first faults in words."""
    ends: Counter[str] = field(default_factory=Counter)
    """Number of times that the process of each of its players ended by itself."""
    out: str = ""
    """Reason for its disqualification; empty: it still plays."""
    on_note: Callable[[Fault | None, str], None] | None = None
    """Gets every fault, and None with the reason for its disqualification."""

    def note(self, fault: Fault, says: str = "", running: int = 0) -> None:
        """`running`: a turn ran out, the last of this many in a row."""
        if running:
            says = f"was not done in the {self.turn:.0f} seconds of a turn"
        self.faults[fault] += 1
        if self.on_note is not None:
            self.on_note(fault, says)
        if says and len(self.says) < MOST_SAID and says not in self.says:
            self.says.append(says)
        if running >= self.most_late:
            self.disqualify(f"it was too late {running} times in a row")

    def disqualify(self, says: str) -> None:
        """The first reason stands."""
        if not self.out:
            self.out = says
            if self.on_note is not None:
                self.on_note(None, says)
