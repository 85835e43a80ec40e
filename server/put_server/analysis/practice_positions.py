"""Positions to practise on. A position is derived from its number and the rules, so it need not be stored.

Two perfect players play a hand, starting from scores that the number determines. The position is a decision in it that
matters.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from put_protocol.analysis import Situation, action_kind
from put_protocol.games.put import PutView
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.driver import Driver
from put_rules.facts import seen_by
from put_rules.game import Game, OptionValue, RuleSet, Shuffle, Turn
from put_rules.prose import Wording
from put_rules.record import SeatTurns
from put_server.analysis.evaluation import Evaluation, Oracle

SEATS = 2

MOST_NUMBER = 2**53 - 1
"""Greatest number of a position: the greatest whole number that every program has."""

MATTERS = 0.02
"""A decision matters if its worst action costs a game in fifty or more."""

LEAST_SHARE = 0.1
"""It also matters if perfect play takes a second action at least this often ..."""

LEAST_DIFFERENCE = 0.005
"""... and the actions differ in value by at least this."""

HANDS = 50
"""Most hands played to find such a decision; usually the first or second has one."""


class PracticePosition(NamedTuple):
    situation: Situation
    evaluation: Evaluation
    wording: Wording


class NoPositionFound(Exception):
    """No decision mattered in `HANDS` hands."""


def find_position(
    rule_set: RuleSet, options: Mapping[str, OptionValue], number: int, oracle: Oracle
) -> PracticePosition:
    """The position with this number. All options must be given and valid.

    :raises NoPositionFound: no decision mattered to the oracle.
    """
    rng = Random(f"{rule_set.offer.name} {sorted(options.items())} {number}")
    game = rule_set.make(SEATS, options)
    for _ in range(HANDS):
        moments = _hand(game, rng, oracle)
        rng.shuffle(moments)
        for situation, wording in moments:
            evaluation = oracle.evaluation(situation)
            if evaluation is not None and _matters(evaluation):
                return PracticePosition(situation, evaluation, wording)
    raise NoPositionFound


def _hand(game: Game[Any, Any], rng: Random, oracle: Oracle) -> list[tuple[Situation, Wording]]:
    """The decisions of both players in one hand."""
    driver = Driver(game, Seat(rng.randrange(SEATS)))
    view = driver.view(Seat(0))
    assert isinstance(view, PutView)
    driver.start(replace(driver.state, scores=tuple([rng.randrange(view.target) for _ in range(SEATS)])))
    wanted = driver.awaits
    assert isinstance(wanted, Shuffle)
    pack = list(wanted.cards)
    rng.shuffle(pack)
    facts = driver.deal(tuple(pack))
    turns = {Seat(seat): SeatTurns(game, Seat(seat)) for seat in range(SEATS)}
    moments: list[tuple[Situation, Wording]] = []
    while True:
        for seat, each in turns.items():
            each.see(seen_by(facts, seat))
        if not isinstance(turn := driver.awaits, Turn):
            return moments
        situation = turns[turn.seat].situation(driver.state)
        if situation.is_choice:
            moments.append((situation, game.wording(driver.state)))
        facts = driver.act(_chosen(situation, rng, oracle))


def _chosen(situation: Situation, rng: Random, oracle: Oracle) -> Action:
    if len(situation.legal) == 1:
        return situation.legal[0].action
    policy = oracle.policy(situation)
    return rng.choices(list(policy), list(policy.values()))[0]


def _matters(evaluation: Evaluation) -> bool:
    spread = max(evaluation.values.values()) - min(evaluation.values.values())
    shares: dict[tuple[type, str], float] = {}
    for action, share in evaluation.policy.items():
        shares[action_kind(action)] = shares.get(action_kind(action), 0.0) + share
    is_mixed = sum(share >= LEAST_SHARE for share in shares.values()) > 1
    return spread >= MATTERS or (is_mixed and spread >= LEAST_DIFFERENCE)
