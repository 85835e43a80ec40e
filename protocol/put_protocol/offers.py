"""Offers of a server, as its `welcome` lists them: rule sets with their options, house players, and limits."""

from collections.abc import Mapping
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.seats import Direction


class RuleChange(Struct, frozen=True, omit_defaults=True):
    """A line of the rules that changes with an option."""

    line: int
    """The line's place in `rules`, from 0."""
    says: str
    """The changed line, with `{}` for the value; empty: the line is omitted."""
    value: str | int | None = None
    """The value that changes the line. Left out: every non-default value without its own change for this line."""


class OptionOffer(Struct, frozen=True, omit_defaults=True):
    """An option of a rule set. Its value is one of `values`, a whole number from `least` to `most`, or a text of at
    most `longest` characters."""

    name: str
    """Name in `open`."""
    meaning: str
    """Words for people."""
    default: str | int
    """Value if `open` does not name the option."""
    values: tuple[str | int, ...] = ()
    """All allowed values; empty: the option is a number or a text."""
    least: int | None = None
    """The least value of a number."""
    most: int | None = None
    """The largest value of a number."""
    longest: int | None = None
    """The longest text, in characters."""
    changes: tuple[RuleChange, ...] = ()
    """Lines of `rules` that change if the value is not the default."""


class GameOffer(Struct, frozen=True, omit_defaults=True):
    """A rule set that can be played here."""

    name: str
    """Name in `open`."""
    title: str
    """Words for people."""
    source: str
    """Author and year of the rules."""
    summary: str
    """A sentence or two for people."""
    seats: tuple[int, ...]
    """Possible numbers of seats."""
    options: tuple[OptionOffer, ...]
    """Options that `open` may set."""
    rules: tuple[str, ...] = ()
    """The rules for a newcomer under default options, one or a few sentences a line. `changes` of an option differ."""
    family: str = "put"
    """Family of games: it determines the actions, events and view."""
    direction: Direction = Direction.CLOCKWISE
    """The direction in which it is played."""
    primer: tuple[int, ...] = ()
    """Indices of the lines of `rules` that a newcomer needs before a first game. They fit one screen of a phone."""

    @property
    def defaults(self) -> dict[str, str | int]:
        """A new dictionary at each call."""
        return {option.name: option.default for option in self.options}

    def under(self, options: Mapping[str, str | int]) -> Self:
        """This offer with the rules as they are under these options."""
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
    """A house player that you can invite."""

    name: str
    """Name in `invite`."""
    meaning: str
    """The way it plays, for people."""


class Limits(Struct, frozen=True):
    """The limits of one connection."""

    frame_bytes: int
    """The longest frame or line, either way."""
    requests_per_second: int
    """Sustained rate. Legal moves and requests for another game are not counted."""
    requests_at_once: int
    """A burst after some quiet."""
    tables: int
    """Most tables that one person may sit at or watch."""
    quiet_ms: int
    """Silence after which the server pings."""
    dead_ms: int
    """Silence after which the server considers you gone. While other people wait for your move, and you are no bot, the
    server pings you after one second, and considers you gone if you do not answer in 3."""
    longest_turn: int = 86_400
    """The largest `turn` of `open`, in seconds."""
    longest_bank: int = 86_400
    """The largest `bank` of `open`, in seconds."""
    patience: int = 0
    """Seconds for each decision at tables whose `turn` is 0. Then it is made as at other tables. 0: no limit."""
    first_move: int = 0
    """Seconds for each decision at such a table before the player's first move in the game, if the table has no
    passcode and both players are guests. 0: no special limit."""
    lobby_pages: int = 0
    """Most pages that a `look` may ask for; 0: the server has no pages, and always sends the whole lobby."""
    part_ms: int = 0
    """Milliseconds for each part of a blind deal that the table waits for: a key, a shuffle or shares. Then you are
    pinged, and the part counts as missed 2 seconds after your answer."""
