"""Checks of what a table is opened with against what is offered."""

from collections.abc import Mapping

from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import ClockInfo
from put_rules.game import OptionValue, RuleSet
from put_server.lobby.policy import Policy
from put_server.table.refusal import RequestRefused


def checked_options(offer: GameOffer, asked: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Every option of the rule set, chosen or by default.

    :raises RequestRefused: one is unknown or out of its bounds; it is named, and so are the bounds.
    """
    known = {option.name: option for option in offer.options}
    for name, value in asked.items():
        option = known.get(name)
        if option is None:
            has = ", ".join(known) or "none"
            raise RequestRefused(RefusalCode.BAD_OPTION, f"{offer.name} has no such option; it has {has}", field=name)
        if not _fits(option, value):
            raise RequestRefused(RefusalCode.BAD_OPTION, f"{name} must be {_bounds(option)}", field=name)
    return {name: asked.get(name, option.default) for name, option in known.items()}


def _fits(option: OptionOffer, value: OptionValue) -> bool:
    if option.values:
        return value in option.values
    if option.longest is not None:
        return isinstance(value, str) and len(value) <= option.longest
    return isinstance(value, int) and (option.least or 0) <= value and (option.most is None or value <= option.most)


def _bounds(option: OptionOffer) -> str:
    if option.values:
        return " or ".join(str(value) for value in option.values)
    if option.longest is not None:
        return f"a text of at most {option.longest} characters"
    return f"a whole number from {option.least} to {option.most}"


def checked_clock(turn: int, bank: int, policy: Policy) -> ClockInfo:
    """The clock of a table.

    :raises RequestRefused: one of its times is longer than the operator allows.
    """
    for name, value, most in (("turn", turn, policy.longest_turn), ("bank", bank, policy.longest_bank)):
        if value > most:
            raise RequestRefused(RefusalCode.BAD_OPTION, f"{name} must be a whole number from 0 to {most}", field=name)
    return ClockInfo(turn=turn, bank=bank)


def checked_seats(offer: GameOffer, seats: int) -> int:
    """The number of seats.

    :raises RequestRefused: the rule set is not played by so many.
    """
    if seats not in offer.seats:
        numbers = " or ".join(str(number) for number in offer.seats)
        raise RequestRefused(RefusalCode.BAD_OPTION, f"{offer.name} is played with {numbers} seats", field="seats")
    return seats


def checked_game(games: Mapping[str, RuleSet], name: str) -> RuleSet:
    """The rule set of this name.

    :raises RequestRefused: there is none.
    """
    rule_set = games.get(name)
    if rule_set is None:
        raise RequestRefused(RefusalCode.UNKNOWN_GAME, f"no such rule set; there are {', '.join(games)}", field="game")
    return rule_set
