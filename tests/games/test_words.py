"""Words of the rules: prose before a player sits down, and with every decision the reason for it."""

import re
from typing import Any

import pytest

from put_protocol.cards import pack_of
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Put, PutView, See, ThrowIn
from put_protocol.messages import Welcome
from put_protocol.offers import HouseOffer, Limits
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import is_printable
from put_rules.game import Shuffle, Turn
from put_rules.put.rule_sets import RULE_SETS
from put_rules.registry import GAMES
from put_text.catalogue import card_in_words, say
from tests.conformance.tables import Table, at_every_table, games_at

LINE = 78
"""Columns there are for a reason on a terminal of eighty."""


@at_every_table
def test_every_decision_says_why_it_is_what_it_is(table: Table) -> None:
    """In a line of a terminal, and in words that name no card: they are the same whatever anybody holds."""
    reasons = set()
    for played in games_at(table, share=0.1):
        game = played.game
        reasons |= {game.wording(step.state).why for step in played.steps if isinstance(game.awaits(step.state), Turn)}
    assert all(0 < len(reason) <= LINE and is_printable(reason) for reason in reasons)
    for card in pack_of(("2", "3", "A", "K", "4")):
        assert not any(card_in_words(card).removeprefix("the ") in reason for reason in reasons)
    assert len(reasons) < 20, "there is one for each kind of moment, not for each hand"


def test_throwing_in_among_many_says_what_it_costs() -> None:
    """A point if all do; nothing once somebody has seen; and the last who could see gives the point."""
    game = GAMES["put-tavern"].make(4, {})
    state = game.begin(Seat(0))
    while not isinstance(awaits := game.awaits(state), Turn):
        assert isinstance(awaits, Shuffle)
        state, _ = game.deal(state, awaits.cards, None)

    def throwing_in(state: Any) -> str:
        return next(choice.says for choice in game.choices(state) if isinstance(choice.action, ThrowIn))

    state, _ = game.act(state, Put())
    assert throwing_in(state) == "throw in your cards: if all do, the putter has a point"
    assert game.wording(state).why.startswith("If all throw in, they have a point;")
    seen, _ = game.act(state, See())
    assert throwing_in(seen) == "throw in your cards: the others play for the game"
    assert game.wording(seen).why.startswith("The put is seen: ")
    for _ in range(2):
        state, _ = game.act(state, ThrowIn())
    assert throwing_in(state) == "throw in your cards and give up a point"


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_told_in_a_page(name: str) -> None:
    """Ten to twenty-five lines, each short enough to be read, for whoever has only a screen."""
    rules = GAMES[name].offer.rules
    assert 10 <= len(rules) <= 25
    for line in rules:
        assert line.endswith(".")
        assert len(line) <= 120
        assert is_printable(line)


@pytest.mark.parametrize("name", [rules.name for rules in RULE_SETS])
def test_rules_in_prose_say_what_the_records_say(name: str) -> None:
    """The ranking, the number of players, and what the defaults of the options come to."""
    offer = GAMES[name].offer
    text = " ".join(offer.rules).lower()
    options = offer.defaults
    game = GAMES[name].make(offer.seats[0], options)
    view = game.view(game.begin(None), GALLERY)
    assert isinstance(view, PutView)
    assert f"cards rank {' '.join(view.ranking).lower()}" in text
    assert say("words-number", number=offer.seats[0]) in text
    assert re.search(rf"first (pair )?to {view.target if view.target != 12 else 'twelve'} points", text)
    assert ("the best deals" in text) == (options["cut"] == "high")
    assert ("the worst deals" in text) == (options["cut"] == "low")


@pytest.mark.parametrize("codec", [FRAMES, LINES])
def test_welcome_with_all_rules_fits_a_frame(codec: Codec) -> None:
    """With room to spare for as many games again."""
    welcome = Welcome(
        version=2,
        server="s" * 60,
        name="n" * 24,
        token="t" * 64,
        limits=Limits(65_536, 20, 40, 8, 30_000, 75_000),
        games=tuple(rule_set.offer for rule_set in GAMES.values()),
        houses=tuple(HouseOffer(f"house {number}", "m" * 100) for number in range(10)),
        tables=tuple(range(1, 9)),
    )
    assert len(codec.encode(welcome)) < 65_536 / 2
