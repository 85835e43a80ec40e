"""Checks of a request to open a table against the server's offers."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import ClockInfo
from put_rules.game import OptionValue, RuleSet
from put_server.lobby.policy import Policy
from put_server.table.table_effects import RequestRefused


def checked_options(offer: GameOffer, asked: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Every option of the rule set: as chosen, or the default.

    :raises RequestRefused: an option is unknown or out of bounds; the message names it and the bounds.
    """
    known = {option.name: option for option in offer.options}
    for name, value in asked.items():
        option = known.get(name)
        if option is None:
            has = ", ".join(known)
            raise RequestRefused(RefusalCode.BAD_OPTION, "refused-option", field=name, game=offer.name, options=has)
        _require_fit(option, value)
    return {name: asked.get(name, option.default) for name, option in known.items()}


def _require_fit(option: OptionOffer, value: OptionValue) -> None:
    if not _fits(option, value):
        name = option.name
        raise RequestRefused(RefusalCode.BAD_OPTION, "refused-value", field=name, option=name, **_bounds(option))


def _fits(option: OptionOffer, value: OptionValue) -> bool:
    if option.values:
        return value in option.values
    if option.longest is not None:
        return isinstance(value, str) and len(value) <= option.longest
    return isinstance(value, int) and (option.least or 0) <= value and (option.most is None or value <= option.most)


def _bounds(option: OptionOffer) -> dict[str, Any]:
    if option.values:
        return {"kind": "one", "values": ", ".join(map(str, option.values))}
    if option.longest is not None:
        return {"kind": "text", "most": option.longest}
    return {"kind": "number", "least": option.least, "most": option.most}


@lru_cache(maxsize=64)  # for the tables to share
def checked_clock(turn: int, bank: int, policy: Policy) -> ClockInfo:
    """:raises RequestRefused: a time is longer than the operator allows."""
    for name, value, most in (("turn", turn, policy.longest_turn), ("bank", bank, policy.longest_bank)):
        _require_fit(OptionOffer(name, "", 0, least=0, most=most), value)
    return ClockInfo(turn=turn, bank=bank)


def checked_seats(offer: GameOffer, seats: int) -> int:
    """:raises RequestRefused: the rule set does not allow this number of players."""
    if seats not in offer.seats:
        numbers = ", ".join(map(str, offer.seats))
        raise RequestRefused(RefusalCode.BAD_OPTION, "refused-seats", field="seats", game=offer.name, numbers=numbers)
    return seats


def checked_game(games: Mapping[str, RuleSet], name: str) -> RuleSet:
    """:raises RequestRefused: no rule set has this name."""
    rule_set = games.get(name)
    if rule_set is None:
        raise RequestRefused(RefusalCode.UNKNOWN_GAME, "refused-games", field="game", games=", ".join(games))
    return rule_set
