"""Offers of a server, as its `welcome` lists them: rule sets with their options, house players, and limits."""

from collections.abc import Mapping
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.seats import Direction


class RuleChange(Struct, frozen=True, omit_defaults=True):
    """A line of the rules that reads otherwise under an option."""

    line: int
    """The line's place in `rules`, from 0."""
    says: str
    """The line as it reads then, with `{}` for the value; empty: there is no such line."""
    value: str | int | None = None
    """The value under which it does; left out: every one but the default and those that other changes of this line
    name."""


class OptionOffer(Struct, frozen=True, omit_defaults=True):
    """An option of a rule set: one of `values`, a whole number from `least` to `most`, or a text no longer than
    `longest` characters."""

    name: str
    """The form that `open` takes."""
    meaning: str
    """Words for people."""
    default: str | int
    """The value that it has where `open` does not name it."""
    values: tuple[str | int, ...] = ()
    """All it can have; empty: it is a number or a text."""
    least: int | None = None
    """The least value of a number."""
    most: int | None = None
    """The largest value of a number."""
    longest: int | None = None
    """The longest text, in characters."""
    changes: tuple[RuleChange, ...] = ()
    """The lines of `rules` that read otherwise where it has another value than its default."""


class GameOffer(Struct, frozen=True, omit_defaults=True):
    """A rule set that can be played here."""

    name: str
    """The form that `open` takes."""
    title: str
    """Words for people."""
    source: str
    """Author and year of the rules."""
    summary: str
    """A sentence or two for people."""
    seats: tuple[int, ...]
    """The numbers of seats it can be played with."""
    options: tuple[OptionOffer, ...]
    """The options that `open` may choose."""
    rules: tuple[str, ...] = ()
    """The rules for a player who has never heard of it, a sentence or a few to a line, under the options' defaults;
    `changes` of an option are what it changes."""
    family: str = "put"
    """The family of games it belongs to, whose actions, events and view it has."""
    direction: Direction = Direction.CLOCKWISE
    """The direction in which it is played."""
    primer: tuple[int, ...] = ()
    """Indices of the lines of `rules` that a newcomer needs before a first game: one screen of a phone."""

    @property
    def defaults(self) -> dict[str, str | int]:
        """A new dictionary at each call."""
        return {option.name: option.default for option in self.options}

    def under(self, options: Mapping[str, str | int]) -> Self:
        """The same with its rules as they are at a table of these options."""
        lines = dict(enumerate(self.rules))
        for option in self.options:
            value = options.get(option.name, option.default)
            if value != option.default:
                said = {change.line: change.says for change in option.changes if change.value is None}
                said |= {change.line: change.says for change in option.changes if change.value == value}
                lines |= {line: says.replace("{}", str(value)) for line, says in said.items()}
        left = [line for line in sorted(lines) if lines[line]]
        primer = tuple([left.index(line) for line in self.primer if line in left])
        return replace(self, rules=tuple([lines[line] for line in left]), primer=primer)


class HouseOffer(Struct, frozen=True):
    """A house player that can be invited."""

    name: str
    """The form that `invite` takes."""
    meaning: str
    """The way it plays, for people."""


class Limits(Struct, frozen=True):
    """The limits of one connection."""

    frame_bytes: int
    """The longest frame or line, either way."""
    requests_per_second: int
    """Sustained. Accepted moves, and asking for another game, are never counted."""
    requests_at_once: int
    """A burst after some quiet."""
    tables: int
    """That one person may sit at or watch."""
    quiet_ms: int
    """Silence after which the server pings."""
    dead_ms: int
    """Silence after which it takes you for gone. While other people wait for your move, and you are no bot, you are
    pinged after a second, and taken for gone if you do not answer in 3."""
    longest_turn: int = 86_400
    """The most that `turn` of `open` may be, in seconds."""
    longest_bank: int = 86_400
    """The most that `bank` of `open` may be, in seconds."""
    patience: int = 0
    """Seconds for each decision at tables whose `turn` is 0; then it is decided as at others. 0: no limit."""
    first_move: int = 0
    """Seconds for each decision there until the player has moved once in the game, where the table has no passcode and
    two guests play. 0: as for others."""
    lobby_pages: int = 0
    """Pages that a `look` may ask for; 0: none, for the server tells the whole lobby."""
    part_ms: int = 0
    """Time for each part of a blind deal that the table waits for: a key, a shuffle or shares. Then you are pinged, and
    it is missing 2 seconds after your answer."""
