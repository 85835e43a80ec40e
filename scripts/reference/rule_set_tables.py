"""Rule sets in the reference: decisions, actions, and an agent's observations.

Decisions and actions are found by random games, not from the rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from random import Random

from put_env.env_table import Table
from put_env.families import codec_of
from put_env.families.codec import NumberBlock
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.seats import GALLERY
from put_rules.game import BadOption, Turn
from put_rules.registry import GAMES
from put_rules.table_options import TableOptions
from put_text.catalogue import say
from scripts.reference.shapes import tag_of
from scripts.reference.tables import folded, table
from tests.conformance.random_games import Setup, random_game, random_setup, random_temper


def shown(value: str | int) -> str:
    return f"`{value}`" if value != "" else "none"


def bounds(option: OptionOffer) -> str:
    if option.values:
        return ", ".join(map(shown, option.values))
    if option.longest is not None:
        return f"text, up to {option.longest} characters"
    least = option.least or 0
    return f"{least} up" if option.most is None else say("command-range", least=least, most=option.most)


GAMES_EACH = 120
"""Most random games of each rule set. Twice as many find nothing new; a test repeats this check with other seeds."""

TURNS_EACH = 2_000
"""Turns after which no further game begins. Where games are long, a few of them show everything."""


@dataclass(slots=True)
class AskedAt:
    always: set[str] = field(default_factory=set)
    """Actions that were always legal."""
    ever: set[str] = field(default_factory=set)
    """Actions that were sometimes legal."""
    only: dict[str, frozenset[str]] = field(default_factory=dict)
    """Listed by action: options with non-default values whenever it was legal."""
    when: frozenset[str] = frozenset()
    """Options with non-default values whenever the moment occurred."""

    def see(self, legal: set[str], chosen: frozenset[str]) -> None:
        """Note an occurrence, at a table with these non-default options."""
        self.always = self.always & legal if self.ever else set(legal)
        self.when = self.when & chosen if self.ever else chosen
        for action in legal:
            self.only[action] = self.only.get(action, chosen) & chosen
        self.ever |= legal


@cache
def moments_of(name: str, first: int = 0, games: int = GAMES_EACH) -> dict[StrEnum, AskedAt]:
    """Moments of a rule set over many random games."""
    asked: dict[StrEnum, AskedAt] = {}
    turns = 0
    for seed in range(first, first + games):
        if turns >= TURNS_EACH:
            break
        rng = Random(f"{name} {seed}")
        setup = _half_usual(rng, random_setup(rng, name))
        chosen = _non_default_options(setup)
        for moment, legal in _turns(rng, setup):
            asked.setdefault(moment, AskedAt()).see(legal, chosen)
            turns += 1
    return asked


def _turns(rng: Random, setup: Setup) -> Iterator[tuple[StrEnum, set[str]]]:
    game = setup.game()
    for step in random_game(rng, setup, random_temper(rng)):
        if isinstance(game.awaits(step.state), Turn):
            moment = game.view(step.state, GALLERY).moment
            assert moment is not None
            yield moment, {tag_of(type(action)) for action in game.legal(step.state)}


def _half_usual(rng: Random, setup: Setup) -> Setup:
    """The table with about half of its options reset to defaults, so that none is always chosen."""
    options = dict(setup.options)
    for option in GAMES[setup.name].offer.options:
        if rng.random() < 0.5:
            options[option.name] = option.default
    try:
        TableOptions.of(options).check(GAMES[setup.name].make(setup.seats, options))
    except BadOption:  # the cards arranged were of the pack that another option had chosen
        options["arranged"] = ""
    return replace(setup, options=options)


def _non_default_options(setup: Setup) -> frozenset[str]:
    defaults = GAMES[setup.name].offer.defaults
    return frozenset(name for name, value in setup.options.items() if value != defaults[name])


def moments_tables() -> list[str]:
    lines: list[str] = []
    for name, rule_set in GAMES.items():
        offer = rule_set.offer
        options = ", ".join(f"`{option.name}`" for option in offer.options)
        seats = " or ".join(map(str, offer.seats))
        lines += [
            "",
            *folded(f"**`{name}`**: {offer.title}, for {seats}. [Rules and options](games/{name}.md): {options}."),
            "",
        ]
        asked = moments_of(name)
        rows = [_row(moment, asked[moment]) for moment in type(next(iter(asked))) if moment in asked]
        lines += table(["`moment`", "legal every time", "legal at times", "only with options"], rows)
    return lines[1:]


def _row(moment: StrEnum, seen: AskedAt) -> list[str]:
    always = ", ".join(f"`{action}`" for action in sorted(seen.always))
    at_times = ", ".join(
        f"`{action}`{_condition(seen.only[action] - seen.when)}" for action in sorted(seen.ever - seen.always)
    )
    return [f"`{moment}`", always, at_times, _options(seen.when)]


def _condition(options: frozenset[str]) -> str:
    return f" (only with {_options(options)})" if options else ""


def _options(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def observations_table(offer: GameOffer) -> list[str]:
    """Observation of a rule set's smallest table, block by block, and its actions."""
    codec = codec_of(Table(rule_set=offer.name))
    return [
        f"{codec.layout.size} numbers with {min(offer.seats)} seats:",
        "",
        *table(["numbers", "names", "from", "to", "meaning"], map(_row_of_block, codec.layout.blocks)),
        "",
        f"{len(codec.actions)} actions: {', '.join(_shortened(codec.actions, 36))}.",
    ]


def _row_of_block(block: NumberBlock) -> list[str]:
    first, last = block.at, block.at + len(block.labels) - 1
    numbers = f"{first}" if first == last else f"{first} to {last}"
    names = ", ".join(_shortened(block.names, 13))
    return [numbers, names, f"{block.least:g}", f"{block.most:g}", block.means]


def _shortened(names: tuple[str, ...], most: int) -> list[str]:
    """All names, or if there are many, the first ones and the last."""
    shown = [f"`{name}`" for name in names]
    return shown if len(shown) <= most else [*shown[:3], "...", shown[-1]]
