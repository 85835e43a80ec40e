"""Tables for checkers of deals: packs of rule sets, and effects of events on deals.

The packs are found by beginning a game of each rule set with every value of its options. Events declare their effects.
"""

import json
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from put_protocol.cards import PACKS, in_order
from put_protocol.deal_steps import Step
from put_protocol.games.tricks import CardPlayed, TrickOver
from put_protocol.games.unions import Action, GameEvent
from put_protocol.rule_sets import Choice, KnownRuleSet
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.game import RuleSet, Shuffle
from put_rules.registry import GAMES
from scripts.reference.shapes import tag_of
from scripts.reference.tables import table

_NAMES = {cards: name for name, cards in PACKS.items()}


def rule_sets() -> dict[str, KnownRuleSet]:
    return {name: _known(rule_set) for name, rule_set in GAMES.items()}


def rule_sets_file() -> str:
    """The terms for the clients, one rule set per line."""
    lines = [f"    {json.dumps(name)}: {_text(known)}" for name, known in rule_sets().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


_WRITTEN = "// Written by scripts/docs from the wire's types and the rule sets. Do not edit it.\n"


def page_packs() -> str:
    """The page's module of packs and rule sets, for its checker."""
    packs = _module("The packs, in canonical order.", "PACKS", dict(PACKS))
    terms = _module("How the deals of a rule set follow from its options.", "RULE_SETS", rule_sets())
    told: dict[str, list[str]] = {}
    for kind in get_args(Action):
        if kind.TOLD_BY:
            told.setdefault(kind.TOLD_BY, []).append(tag_of(kind))
    unseen = {tag_of(kind): True for kind in get_args(Action) if kind.IS_UNSEEN}
    acts = _module("The acts that each event tells.", "ACTS", told)
    hashed = _module("Acts that name cards which others do not see.", "UNSEEN_ACTS", unseen)
    return "\n".join([_WRITTEN, *packs, *terms, *acts, *hashed])


def page_tables() -> str:
    """The page's module of events: the director needs it at once, the checker later."""
    events = {
        tag_of(kind): {
            **({} if kind.SHOWS is None else {"shows": kind.SHOWS}),
            **({"steps": [_step(step) for step in kind.STEPS]} if kind.STEPS else {}),
            **({"trick": "plays"} if issubclass(kind, CardPlayed) else {}),
            **({"trick": "ends"} if issubclass(kind, TrickOver) else {}),
        }
        for kind in (*get_args(GameEvent), GameOver)
    }
    means = "The cards that an event of a game shows, its steps, and whether it plays to a trick or ends one."
    return "\n".join([_WRITTEN, *_module(means, "EVENTS", events)])


def packs_table() -> list[str]:
    """The terms as lines of a table; rule sets with equal terms share them."""
    games: dict[tuple[str, str], list[str]] = {}
    for name, known in rule_sets().items():
        for at, (value, pack) in enumerate(known.packs):
            option = f"`{known.option}` `{value}`{'' if at else ' (or left out)'}" if known.option else ""
            ranks = " ".join(dict.fromkeys(card[:-1] for card in PACKS[pack]))
            row = option, f"{len(PACKS[pack])}: {ranks}"
            games.setdefault(row, []).append(f"`{name}`")
    rows = [[", ".join(names), *row] for row, names in games.items()]
    return table(["game", "option", "cards"], rows)


def _known(rule_set: RuleSet) -> KnownRuleSet:
    offer = rule_set.offer
    of_option = {
        option: [(value, _pack(rule_set, {option.name: value})) for value in option.values] for option in offer.options
    }
    is_read = rule_set.make(offer.seats[0], offer.defaults).needs_hands()
    hands = {} if is_read else {seats: _awaited(rule_set, {}, seats).to.count(Seat(0)) for seats in offer.seats}
    choosing = [option for option, packs in of_option.items() if len({pack for _, pack in packs}) > 1]
    if not choosing:
        return KnownRuleSet((("", _pack(rule_set, {})),), is_read=is_read, hands=hands)
    (option,) = choosing  # with two, `KnownRuleSet` would have to know more
    packs = sorted(of_option[option], key=lambda pair: pair[0] != option.default)
    return KnownRuleSet(tuple(packs), option.name, is_read, hands)


def _pack(rule_set: RuleSet, options: dict[str, Choice]) -> str:
    return _NAMES[in_order(_awaited(rule_set, options, rule_set.offer.seats[0]).cards)]


def _awaited(rule_set: RuleSet, options: dict[str, Choice], seats: int) -> Shuffle:
    """The first pack of a game."""
    game = rule_set.make(seats, {**rule_set.offer.defaults, **options})
    awaits = game.awaits(game.begin(Seat(0)))
    assert isinstance(awaits, Shuffle)
    return awaits


def _step(step: Step) -> dict[str, Any]:
    return {"step": step.kind.__name__, **({"fields": step.fields} if step.fields else {})}


def _module(means: str, name: str, values: dict[str, Any]) -> Iterator[str]:
    yield f"// {means}"
    yield f"export const {name} = {{"
    yield from [f"    {json.dumps(key)}: {_text(value)}," for key, value in values.items()]
    yield "};\n"


def _text(value: Any) -> str:
    return json.dumps(msgspec.to_builtins(value))
