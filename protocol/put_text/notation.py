"""Put notation: a game as one viewer saw it, as a text that a person can read and a program can parse.

    ; Put notation 1
    [Game "put-1674"]
    [Option "target" 5]
    ...
    view put target=5 scores=0,0 ranking=3,2,A,K,Q,J,10,9,8,7,6,5,4
    0.000     drawn seats=0,1 cards=3s,Kd               ; For the deal Moll draws the 3 of spades and ...
              dealer seat=0                             ; Moll deals first.

The first line names the format and its version. Then come tags, the opening view, and an event a line, written by
`struct_text`. A time, in seconds since the game began, begins a step; the lines indented under it belong to the same
step.
Laws:
- The first character determines the kind of a line: `;` a comment, `[` a tag, a digit or a blank an event, a small
  letter a line of another kind: `view`. Blank lines have no meaning.
- A reader skips unknown tags, fields and kinds of lines: the game can be followed without them. An unknown event is an
  error, because nothing after it could be trusted. Exceptions are the events of sealed deals of earlier releases, which
  do not affect the game.
- A sheet contains only what its viewer received. So a reader needs no rules, and cannot reveal a secret.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import Struct

from put_protocol.games.families import deals_hand, family_of
from put_protocol.games.unions import Event, GameEvent, GameView
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import seated_names
from put_protocol.text import printable
from put_text.presenters import format_event
from put_text.struct_text import FieldError, quoted, split, struct_of, unquoted, words_of

VERSION = 1
"""Version that is written, and the latest that can be read."""

FILE_LENGTH = 4 * 1024 * 1024
"""Most characters of a sheet: twenty times the longest of 10,000 random games."""

LINE_LENGTH = 64 * 1024
"""Most characters of a line, as on the wire."""

EVENTS = 20_000
"""Most events of a sheet: over ten times the most of those games (1,566). It limits the work of a reader."""

PLAYERS = 10
"""Seats are 0 to 9."""

ITEMS = 128
"""Most items of a list: more than the cards of a pack."""

LARGEST = 999
"""Largest number counted by seat: cards, tricks, points, stakes. A screen may draw a mark for each."""

_TIMES = 10
"""Width of the time, or of the blanks below it."""

_COMMENTS = 51
"""Width of an event, before its English comment."""


_FORMER = frozenset({"sealed", "cut_made", "cut", "void"})
"""Events of the sealed deals of earlier releases."""


class SheetPlayer(Struct, frozen=True, omit_defaults=True):
    """The player in a seat when the game began."""

    name: str
    is_bot: bool = False
    is_house: bool = False


class SheetStep(NamedTuple):
    """One or more events that came together."""

    at_ms: int
    """Time since the game began."""
    events: tuple[Event, ...]


class Sheet(Struct, frozen=True, kw_only=True):
    """A game from its beginning, finished or not."""

    game: str
    """The rule set."""
    options: Mapping[str, str | int]
    table: int
    number: int
    """Number of the game at the table, from 1."""
    date: str = ""
    """Time of its beginning or end, in ISO 8601, UTC; empty: unknown."""
    server: str = ""
    viewer: Viewer
    players: tuple[SheetPlayer, ...]
    """Players by seat."""
    is_exhibition: bool = False
    """Its packs repeated from a seed or were arranged, so it did not count."""
    is_assisted: bool = False
    """A player used the coach."""
    opening: GameView
    """The viewer's, before anything happened."""
    steps: tuple[SheetStep, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([player.name for player in self.players])


class NotationError(ValueError):
    """The text is no valid sheet. The message can be shown to anyone: `line 7: there is no seat 9`."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {printable(reason)}")
        self.line = line
        """Line number, from 1."""
        self.reason = printable(reason)


def write(sheet: Sheet) -> str:
    lines = [f"; Put notation {VERSION}", *_tags(sheet), "", f"view {words_of(sheet.opening)}"]
    owner = None if sheet.viewer == GALLERY else sheet.viewer
    names = sheet.names
    for at_ms, events in sheet.steps:
        if any(map(deals_hand, events)) or lines[-1].startswith("view"):
            lines.append("")
        time = f"{at_ms // 1000}.{at_ms % 1000:03d} "
        for event in events:
            names = seated_names(names, event)
            told = f"{time:<{_TIMES}}{words_of(event)}"
            lines.append(f"{told:<{_COMMENTS}} ; {format_event(event, names, you=GALLERY, owner=owner)}")
            time = ""
    return "".join([f"{line}\n" for line in lines])


def _tags(sheet: Sheet) -> Iterator[str]:
    yield _tag("Game", sheet.game)
    for option, value in sheet.options.items():
        yield _tag("Option", option, value)
    for name in ("Table", "Number", "Date", "Server"):
        if (value := getattr(sheet, name.lower())) != "":
            yield _tag(name, value)
    for seat, player in enumerate(sheet.players):
        marks = [mark for mark, holds in (("bot", player.is_bot), ("house", player.is_house)) if holds]
        yield _tag("Player", seat, player.name, *marks)
    yield _tag("Viewer", sheet.viewer)
    for name in ("Exhibition", "Assisted"):
        if getattr(sheet, f"is_{name.lower()}"):
            yield _tag(name)


def _tag(name: str, *values: str | int) -> str:
    return f"[{' '.join([name, *[quoted(value) if isinstance(value, str) else str(value) for value in values]])}]"


_FIRST = re.compile(r"; Put notation ([0-9]{1,9})\s*")
_TAG = re.compile(r"\[([A-Za-z]+)([^\n]*?)\][ \t]*(?:;.*)?")
_TAG_VALUE = re.compile(r'[ \t]+("(?:[^"\\]|\\.)*+"|-?[0-9]{1,20})')
_TIMED = re.compile(r"([0-9]{1,9})\.([0-9]{3})[ \t]+")
_OTHER = re.compile(r"[a-z][a-z_]*")

_TAGS = frozenset(["Option", "Player", "Game", "Date", "Server", "Table", "Number", "Viewer", "Exhibition", "Assisted"])
_EVENTS: Mapping[str, type[Struct]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Event)}
_VIEWS: Mapping[str, type[GameView]] = {str(kind.__struct_config__.tag): kind for kind in get_args(GameView)}


def read(text: str) -> Sheet:
    """:raises NotationError: the text is no sheet, or of a later version."""
    if len(text) > FILE_LENGTH:
        raise NotationError(1, f"the file is longer than {FILE_LENGTH} characters")
    lines = text.split("\n")
    first = _FIRST.fullmatch(lines[0])
    if first is None:
        raise NotationError(1, "this is no game in Put notation, which begins with `; Put notation 1`")
    if not 1 <= int(first[1]) <= VERSION:
        raise NotationError(1, f"this is version {int(first[1])} of the notation, and version {VERSION} is known here")
    reading = _Reading()
    for number, line in enumerate(lines[1:], 2):
        try:
            if len(line) > LINE_LENGTH:
                raise FieldError(f"the line is longer than {LINE_LENGTH} characters")
            reading.take(line.rstrip())
        except FieldError as error:
            raise NotationError(number, str(error)) from None
    try:
        return reading.sheet()
    except FieldError as error:
        raise NotationError(len(lines), str(error)) from None


class _Reading:
    def __init__(self) -> None:
        self._tags: dict[str, Any] = {}
        """Fields of the sheet, by the name of their tag."""
        self._options: dict[str, str | int] = {}
        self._players: list[SheetPlayer] = []
        self._opening: GameView | None = None
        self._steps: list[tuple[int, list[Event]]] = []
        self._count = 0

    def take(self, line: str) -> None:
        other = _OTHER.match(line)
        if not line.strip() or line.lstrip().startswith(";"):
            return
        if line.startswith("["):
            self._take_tag(line)
        elif line[0] in "0123456789 \t":
            self._take_event(line)
        elif other is None:
            raise FieldError(f"{line[:40]!r} is no line of this notation")
        elif other[0] == "view":
            self._take_view(line)
        elif other[0] in _EVENTS:
            raise FieldError(f"{other[0]} stands behind neither a time nor blanks")

    def _take_tag(self, line: str) -> None:
        found = _TAG.fullmatch(line)
        if found is None:
            raise FieldError("this tag has no end, or no name")
        name, values = found[1], _values(found[2])
        match name, values:
            case "Option", (str(option), value) if option not in self._options:
                self._options[option] = value
            case "Player", (int(seat), str(player), *marks) if seat == len(self._players) < PLAYERS:
                self._players.append(SheetPlayer(player, is_bot="bot" in marks, is_house="house" in marks))
            case ("Game" | "Date" | "Server", (str(),)) | ("Table" | "Number", (int(),)) if name not in self._tags:
                self._tags[name] = values[0]
            case "Viewer", (int() | "gallery" as viewer,) if name not in self._tags:
                self._tags[name] = viewer
            case "Exhibition" | "Assisted", () if name not in self._tags:
                self._tags[name] = True
            case _ if name in _TAGS:
                raise FieldError(f"the tag {name} comes twice, out of order, or with other values than it has")
            case _:
                return  # of a later version, or another program's
        if self._opening is not None:
            raise FieldError(f"the tag {name} must stand before the view")

    def _take_view(self, line: str) -> None:
        if self._opening is not None:
            raise FieldError("a second view: a sheet has one, at its beginning")
        for wanted in ("Game", "Table", "Number", "Viewer"):
            if wanted not in self._tags:
                raise FieldError(f"before the view there must be a tag {wanted}")
        if not self._players:
            raise FieldError("before the view there must be a tag Player for each seat")
        viewer = self._tags["Viewer"]
        if viewer != GALLERY and viewer not in range(len(self._players)):
            raise FieldError(f"the viewer is in seat {viewer}, and no player is")
        words = split(line.removeprefix("view").lstrip(" \t"))
        if words.name not in _VIEWS:
            raise FieldError(f"a view of {words.name} is not known here: this is a later version's sheet")
        self._opening = struct_of(words, _VIEWS[words.name])
        _check(self._opening, len(self._players))

    def _take_event(self, line: str) -> None:
        if self._opening is None:
            raise FieldError("an event before the view")
        timed = _TIMED.match(line)
        if timed is None and not line[0].isspace():
            raise FieldError("a time is seconds with three decimals, as in 12.345, and an event follows it")
        if timed is None and not self._steps:
            raise FieldError("the first event has no time")
        self._count += 1
        if self._count > EVENTS:
            raise FieldError(f"more than {EVENTS} events")
        words = split(line[timed.end() :] if timed is not None else line.lstrip(" \t"))
        if timed is not None:
            self._steps.append((int(timed[1]) * 1000 + int(timed[2]), []))
        if words.name in _FORMER:
            return
        if words.name not in _EVENTS:
            raise FieldError(f"an event {words.name!r} is not known here: this is a later version's sheet")
        family, kind = family_of(self._opening), _EVENTS[words.name]
        if kind in get_args(GameEvent) and kind not in family.events:
            raise FieldError(f"{words.name} is no event of the family {family.name}")
        event: Any = struct_of(words, kind)
        _check(event, len(self._players))
        self._steps[-1][1].append(event)

    def sheet(self) -> Sheet:
        if self._opening is None:
            raise FieldError("the file ends before the view")
        fields = {f"is_{name.lower()}" if value is True else name.lower(): value for name, value in self._tags.items()}
        steps = tuple([SheetStep(at_ms, tuple(events)) for at_ms, events in self._steps if events])
        players = tuple(self._players)
        return Sheet(**fields, options=self._options, players=players, opening=self._opening, steps=steps)


def _values(text: str) -> tuple[str | int, ...]:
    """The values of a tag; from other programs, those that can be parsed."""
    values: list[str | int] = []
    at = 0
    while found := _TAG_VALUE.match(text, at):
        values.append(unquoted(found[1]) if found[1].startswith('"') else int(found[1]))
        at = found.end()
    return tuple(values)


def _check(struct: Struct, players: int) -> None:
    """Check that every seat has a player, that lists by seat are complete, and that all sizes are possible in a game.
    Programs that show the game rely on this.

    :raises FieldError: a check failed.
    """
    for name, hint in _hints(type(struct)).items():
        value = getattr(struct, name)
        if isinstance(value, tuple) and len(value) > ITEMS:
            raise FieldError(f"{name} has {len(value)} items, over the limit of {ITEMS}")
        if hint in (tuple[int, ...], tuple[bool, ...]):
            if value and len(value) != players:
                raise FieldError(f"{name} has {len(value)} items, and there are {players} players")
            if any(abs(item) > LARGEST for item in value):
                raise FieldError(f"{name} has a number over the limit of {LARGEST}")
            continue
        is_seat = Seat in (hint, *get_args(hint))
        for item in value if get_origin(hint) is tuple else (value,):
            if isinstance(item, Struct):
                _check(item, players)
            elif is_seat and item is not None and not 0 <= item < players:
                raise FieldError(f"there is no seat {item}")


_hints: Callable[[type[Struct]], Mapping[str, Any]] = cache(get_type_hints)
