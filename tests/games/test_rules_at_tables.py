"""Rules in prose as a table's options have them: each sentence is compared with games that are played there."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from put_protocol.cards import TRUMPS
from put_protocol.games.primero import Bet
from put_protocol.games.put import Accident, DealerFound, Drawn, GameEnded, HandEnded, Moment, Put, PutView, ThrowIn
from put_protocol.games.triomphe import Dealt as TriompheDealt
from put_protocol.games.triomphe import Declared
from put_protocol.games.unions import Action
from put_protocol.offers import GameOffer
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import is_printable
from put_rules.game import LUCK, OptionValue, Shuffle, Turn
from put_rules.put.rule_sets import RULE_SETS
from put_rules.registry import GAMES
from put_rules.table_options import OFFERS
from tests.conformance.random_games import Setup, Step, Temper, random_game

NODE = shutil.which("node")
WORDS = (Path(__file__).parents[2] / "server/put_server/web/words.js").as_uri()

FIRST = ("put-1674", "triomphe-forcee", "primero")
"""The first rule set of each family that the page introduces."""

OF_EVERY_TABLE = {option.name for option in OFFERS}
FEW = {"target": (1, 3, 7), "misdeals": (20, 50), "hands": (1, 3), "limit": (1, 4)}
"""Values of options that have many."""

CHOSEN = [
    (name, option.name, value)
    for name, rule_set in GAMES.items()
    for option in rule_set.offer.options
    if option.name not in OF_EVERY_TABLE
    for value in (option.values or FEW[option.name])
]
"""Each option of each rule set under each value, or some."""


def games(name: str, options: dict[str, OptionValue], **liking: float) -> Iterator[tuple[Any, tuple[Step, ...]]]:
    """Random games at such a table, without end."""
    offer = GAMES[name].offer
    kinds: dict[type[Action], float] = {ThrowIn: liking.get("throw_in", 1.0)}
    for seed in range(10_000):
        rng = Random(f"{name} {options} {seed}")
        seats = rng.choice(offer.seats)
        setup = Setup(name=name, seats=seats, options=_all(offer, options), dealer=None)
        yield setup.game(), tuple(random_game(rng, setup, Temper(liking=kinds, expires=0.0, leaves=0.0)))
    raise AssertionError("nothing was found")


def _all(offer: GameOffer, options: dict[str, OptionValue]) -> dict[str, OptionValue]:
    return {option.name: options.get(option.name, option.default) for option in offer.options}


@pytest.mark.parametrize("name", GAMES)
def test_primer_fits_the_screen_of_a_phone(name: str) -> None:
    """A few lines of the rules, as the options of the table have them. The first game of each family has enough."""
    offer = GAMES[name].offer
    assert len(offer.primer) >= (6 if name in FIRST else 0)
    for option, value in [(option, value) for game, option, value in CHOSEN if game == name]:
        told = offer.under({option: value})
        assert len(told.primer) <= 12
        assert sum(len(told.rules[line]) for line in told.primer) <= 1_000


def _first(name: str, option: str, value: OptionValue) -> tuple[Any, tuple[Step, ...]]:
    return next(games(name, {option: value}))


def _ended(name: str, option: str, value: OptionValue, **liking: float) -> Iterator[tuple[Step, Step, HandEnded]]:
    """Each end of a hand, with the states before and after it."""
    for _, steps in games(name, {option: value}, **liking):
        for before, step in pairwise(steps):
            for event in step.seen_by(GALLERY):
                if isinstance(event, HandEnded):
                    yield before, step, event


def cut(name: str, option: str, value: OptionValue) -> str:
    """The card that the player found to deal drew, among those drawn."""
    for game, steps in games(name, {option: value}):
        (events,) = (step.seen_by(GALLERY) for step in steps[1:2])
        drawn = [event for event in events if isinstance(event, Drawn)]
        found = next((event.seat for event in events if isinstance(event, DealerFound)), None)
        if len(drawn) == 1 and found is not None:
            ranking = game.view(steps[0].state, GALLERY).ranking
            places = [ranking.index(card[:-1]) for card in drawn[0].cards]
            own = places[drawn[0].seats.index(found)]
            return f"the {'best' if own == min(places) else 'worst'} deals"
    raise AssertionError


def pack(name: str, option: str, value: OptionValue) -> str:
    """The ranks of the cards that are dealt from."""
    game, steps = _first(name, option, value)
    awaits, view = game.awaits(steps[0].state), game.view(steps[0].state, GALLERY)
    assert isinstance(awaits, Shuffle)
    assert isinstance(view, PutView)
    assert {card[:-1] for card in awaits.cards} == set(view.ranking)
    assert len(awaits.cards) == 4 * len(view.ranking) == value
    return f"Cards rank {' '.join(view.ranking)}, the three"


def ranking(name: str, option: str, value: OptionValue) -> str:
    """The size of the pack, and its ranks."""
    game, steps = _first(name, option, value)
    awaits, ranks = game.awaits(steps[0].state), game.view(steps[0].state, GALLERY).ranking
    best = {"7": "seven", "6": "six"}[ranks[0]]
    return f"from a pack of {len(awaits.cards)}. Cards rank {' '.join(ranks)}, the {best} being"


def target(name: str, option: str, value: OptionValue) -> str:
    """The points of a player who won by points."""
    for _, steps in games(name, {option: value}, throw_in=9.0):
        for event in steps[-1].seen_by(GALLERY):
            if isinstance(event, GameEnded) and event.how.value == "points":
                points = max(event.scores)
                return "first point" if points == 1 else f"to {points} points"
    raise AssertionError


def drawn_put(name: str, option: str, value: OptionValue) -> str:
    """The scores before a drawn hand with an accepted put, and after it."""
    for before, _, ended in _ended(name, option, value, throw_in=0.3):
        if ended.winner is None and before.state.putter is not None and any(before.state.scores):
            if ended.scores == before.state.scores:
                return "nothing comes of the put: the scores stay as they are"
            assert not any(ended.scores)
            return "everybody begins anew without a point"
    raise AssertionError


def misdeals(name: str, option: str, value: OptionValue) -> str:
    """Accidents in a hundred deals whose lucks are evenly spread."""
    if not value:
        return "What you have said or played cannot be taken back."
    game = GAMES[name].make(GAMES[name].offer.seats[0], _all(GAMES[name].offer, {option: value}))
    state = game.begin(Seat(0))
    awaits = game.awaits(state)
    assert isinstance(awaits, Shuffle)
    lucks = [LUCK * place // 100 + 1 for place in range(100)]
    facts = [fact for luck in lucks for fact in game.deal(state, awaits.cards, luck)[1]]
    accidents = sum(isinstance(fact.seen_by(GALLERY), Accident) for fact in facts)
    return f"The Laws of Put settle accidents, {accidents} in 100 deals."


def outright(name: str, option: str, value: OptionValue) -> str:
    """The stakes of a game that a hand won."""
    for _, steps in games(name, {option: value}, throw_in=0.1):
        for event in steps[-1].seen_by(GALLERY):
            if isinstance(event, GameEnded) and event.how.value == "outright":
                return {-1: "The loser of a game pays a stake.", -2: "or two if it was won outright"}[min(event.paid)]
    raise AssertionError


def rubber(name: str, option: str, value: OptionValue) -> str:
    """The games that the winner of a rubber has won."""
    _, steps = _first(name, option, value)
    return {2: "win two games wins the rubber", 1: "One game is the whole rubber"}[max(steps[-1].state.rubber)]


def tied_trick(name: str, option: str, value: OptionValue) -> str:
    """The result of a trick and a tie: a hand that is won at once, or one that a trick of the other's draws."""
    for _, after, ended in _ended(name, option, value, throw_in=0.01):
        winners = [trick.winner for trick in after.state.past]
        if None in winners and len(set(winners)) == len(winners) and ended.how.value in ("tricks", "drawn"):
            if ended.winner is not None and len(winners) == 2:
                return "A tied trick belongs to the player who took the first trick that was not tied."
            if ended.winner is None and len(winners) == 3:
                return "Two tricks win the hand, or one with two tied. One trick each and a tie,"
    raise AssertionError


def two_handed(name: str, option: str, value: OptionValue) -> str:
    """The moves of a receiver who is to lead to the first trick."""
    game, steps = _first(name, option, value)
    legal: set[type[Action]] = set()
    for step in steps:
        if isinstance(game.awaits(step.state), Turn) and game.moment(step.state) is Moment.LEAD:
            legal |= set(map(type, game.legal(step.state)))
            break
    assert Put in legal
    return "First eldest leads a card, or puts, or throws in." if ThrowIn in legal else "There is no other throwing in."


def limit(name: str, option: str, value: OptionValue) -> str:
    """The highest bet that may be made."""
    game, steps = _first(name, option, value)
    bets = [
        action.amount
        for step in steps
        if isinstance(game.awaits(step.state), Turn)
        for action in game.legal(step.state)
        if isinstance(action, Bet)
    ]
    return f"No bet may be higher than {max(bets)}"


def hands(name: str, option: str, value: OptionValue) -> str:
    """The hands of a sitting."""
    game, steps = _first(name, option, value)
    played = game.public_view(steps[-1].state).hand
    return f"{played} hands." if played > 1 else "one hand."


def stake(name: str, option: str, value: OptionValue) -> str:
    """The part of the pool that each player staked."""
    _, steps = _first(name, option, value)
    dealt = next(event for step in steps for event in step.seen_by(GALLERY) if isinstance(event, TriompheDealt))
    return f"everyone stakes {dealt.stakes[dealt.dealer]} for the pool"


def force(name: str, option: str, value: OptionValue) -> str:
    """The trump that brought two stakes."""
    for _, steps in games(name, {option: value}):
        for step in steps:
            for event in step.seen_by(GALLERY):
                if isinstance(event, Declared) and len(event.cards) == 1 and event.paid == 4:
                    return f"La Force, trump {'XI' if event.cards[0] == f'11{TRUMPS}' else 'IX'}, two."
    raise AssertionError


PLAYED: dict[str, Callable[[str, str, OptionValue], str]] = {
    played.__name__: played
    for played in (
        cut, pack, ranking, target, drawn_put, misdeals, outright, rubber,
        tied_trick, two_handed, limit, hands, stake, force,
    )
}  # fmt: skip
"""By option: what a game says of it, in the words of the rules."""


@pytest.mark.parametrize(("name", "option", "value"), CHOSEN)
def test_rules_say_what_is_played(name: str, option: str, value: OptionValue) -> None:
    """Each value of each option has its sentence, which a game with it bears out."""
    rules = " ".join(GAMES[name].offer.under({option: value}).rules)
    assert PLAYED[option](name, option, value) in rules


@pytest.mark.parametrize(("name", "option", "value"), CHOSEN)
def test_rules_of_a_table_are_sentences(name: str, option: str, value: OptionValue) -> None:
    """Short enough to be read, the option's value in its place, and other rules than by default."""
    offer = GAMES[name].offer
    rules = offer.under({option: value}).rules
    assert 10 <= len(rules) <= 25
    for line in rules:
        assert line.endswith(".")
        assert "{" not in line
        assert len(line) <= 120
        assert is_printable(line)
    default = next(each.default for each in offer.options if each.name == option)
    assert (rules == offer.rules) == (value == default)


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_page_tells_the_same_rules() -> None:
    """Of every table, as the other clients do."""
    assert NODE is not None
    games = [GAMES[name].offer for name in GAMES]
    infos = [{"game": name, "options": {option: value}} for name, option, value in CHOSEN]
    script = f"""import {{ rulesOf }} from {json.dumps(WORDS)};
        const {{ games, infos }} = JSON.parse(await new Response(process.stdin).text());
        console.log(JSON.stringify(infos.map((info) => rulesOf({{ games }}, info))));"""
    told = subprocess.run(
        [NODE, "--input-type=module", "-e", script],
        input=msgspec.json.encode({"games": games, "infos": infos}),
        capture_output=True,
        timeout=60,
        check=True,
    ).stdout
    assert json.loads(told) == [list(GAMES[name].offer.under({option: value}).rules) for name, option, value in CHOSEN]


def test_options_unknown_to_an_offer_change_no_rules() -> None:
    """A table may have options that an older offer does not name."""
    offer = RULE_SETS[0].offer()
    assert offer.under({"no such": 3, "target": 5}) == offer
