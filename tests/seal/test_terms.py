"""Terms of sealed deals: the client's knowledge of the packs agrees with the games themselves."""

from collections.abc import Iterator
from itertools import product

import pytest

from put_protocol.cards import in_order
from put_protocol.seal.terms import SealTerms, terms_of
from put_protocol.seats import Seat
from put_rules.game import OptionValue, Shuffle
from put_rules.registry import GAMES
from tests.seal.known_games import KNOWN

OF_THE_PACK = ("pack", "ranking", "misdeals")
CHANCES = (0, 1, 50)
"""Tried of a number that may be any of many."""


def settings() -> Iterator[tuple[str, dict[str, OptionValue]]]:
    """Every rule set that is known, with every choice of what its pack may be and of its accidents."""
    for name, rule_set in GAMES.items():
        if name not in KNOWN:
            continue
        offered = {option.name: option for option in rule_set.offer.options if option.name in OF_THE_PACK}
        values = [option.values or CHANCES for option in offered.values()]
        for chosen in product(*values):
            yield name, dict(zip(offered, chosen, strict=True))


SETTINGS = tuple(settings())


@pytest.mark.parametrize(("name", "options"), SETTINGS, ids=str)
def test_terms_are_what_the_game_awaits(name: str, options: dict[str, OptionValue]) -> None:
    """The cards of its shuffle, its chance of accidents in the first hand, and when its cards are proved."""
    rule_set = GAMES[name]
    terms = terms_of(name, options)
    assert terms is not None
    defaults = {option.name: option.default for option in rule_set.offer.options}
    for seats in rule_set.offer.seats:
        game = rule_set.make(seats, {**defaults, **options})
        for dealer in (None, Seat(0)):
            awaits = game.awaits(game.begin(dealer))
            assert isinstance(awaits, Shuffle)
            misdeals = terms.misdeals if dealer is not None else 0
            cards = in_order(awaits.cards)
            expected = terms._replace(misdeals=misdeals, renews=False)
            assert SealTerms(cards, rule_set.opens_late, awaits.misdeals) == expected
            assert len(cards) == len(awaits.cards)


def test_terms_have_a_default_for_each_option() -> None:
    """A table that says nothing plays with what the rule set has for it."""
    for name, rule_set in GAMES.items():
        defaults = {option.name: option.default for option in rule_set.offer.options}
        assert terms_of(name, {}) == terms_of(name, defaults)


def test_every_choice_of_a_pack_is_tried() -> None:
    """No option changes what is dealt but these, and no rule set is forgotten that clients have known."""
    assert {"put-1674", "put-1800", "put-partners", "put-parlett", "put-tavern", "truc"} <= set(KNOWN)
    assert {len(terms.cards) for name, options in SETTINGS if (terms := terms_of(name, options))} == {
        28,
        32,
        40,
        52,
        78,
    }


@pytest.mark.parametrize(
    ("game", "options"), [("whist", {}), ("", {}), ("put-1674", {"pack": 40}), ("put-1674", {"pack": "52"})]
)
def test_terms_of_what_is_not_known_are_none(game: str, options: dict[str, OptionValue]) -> None:
    """Then nobody can tell whether the pack is the right one."""
    assert terms_of(game, options) is None
