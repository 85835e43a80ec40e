"""Positions to practise on. A position follows from its number and the rules alone, so nobody need remember it.

Two perfect players play a hand from scores that the number decides, and a decision of it that matters is asked again.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from put_protocol.games.put import (
    Dealt,
)
from put_protocol.games.unions import (
    Action,
    Event,
)
from put_protocol.seats import Seat
from put_server.analysis.turns import Faced, essence
from put_server.analysis.verdicts import Master, Opinion
from put_server.games.game import Game, OptionValue, RuleSet, Shuffle, Turn

SEATS = 2

MATTERS = 0.02
"""A decision matters where the worst of its actions costs a game in fifty or more."""

MIXES = 0.1
"""It is interesting, too, where perfect play does a second thing at least so often ..."""

HAIR = 0.005
"""... and it is not quite the same what one does."""

HANDS = 50
"""Hands played until one has such a decision; the first or the second nearly always has."""


class Drilled(NamedTuple):
    """A decision to be taken again."""

    faced: Faced
    opinion: Opinion
    asks: str
    why: str


class NothingFound(Exception):
    """In so many hands no decision mattered."""


def drilled(rule_set: RuleSet, options: Mapping[str, OptionValue], number: int, master: Master) -> Drilled:
    """The position of this number. All options are given, and valid.

    :raises NothingFound: the master is indifferent to everything.
    """
    dice = Random(f"{rule_set.offer.name} {sorted(options.items())} {number}")
    game = rule_set.make(SEATS, options)
    for _ in range(HANDS):
        moments = _hand(game, dice, master)
        dice.shuffle(moments)
        for faced, asks, why in moments:
            opinion = master.opinion(faced)
            if opinion is not None and _matters(opinion):
                return Drilled(faced, opinion, asks, why)
    raise NothingFound


def _hand(game: Game[Any], dice: Random, master: Master) -> list[tuple[Faced, str, str]]:
    """The decisions of both in one hand."""
    state = game.begin(Seat(dice.randrange(SEATS)))
    target = game.view(state, Seat(0)).target
    state = replace(state, scores=tuple([dice.randrange(target) for _ in range(SEATS)]))
    told: dict[Seat, list[Event]] = {Seat(seat): [] for seat in range(SEATS)}
    moments: list[tuple[Faced, str, str]] = []
    is_dealt = False
    while True:
        match game.awaits(state):
            case Shuffle(cards=cards) if not is_dealt:
                pack = list(cards)
                dice.shuffle(pack)
                state, facts = game.deal(state, tuple(pack))
                is_dealt = True
            case Turn(seat=seat):
                faced = Faced(seat, game.view(state, seat), game.choices(state), tuple(told[seat]))
                if faced.is_choice:
                    moments.append((faced, game.asks(state), game.why(state)))
                state, facts = game.act(state, _chosen(faced, dice, master))
            case _:
                return moments
        for seat, events in told.items():
            for event in [event for fact in facts if (event := fact.seen_by(seat)) is not None]:
                if isinstance(event, Dealt):
                    events.clear()
                events.append(event)


def _chosen(faced: Faced, dice: Random, master: Master) -> Action:
    if len(faced.legal) == 1:
        return faced.legal[0].action
    mixture = master.mixture(faced)
    return dice.choices(list(mixture), list(mixture.values()))[0]


def _matters(opinion: Opinion) -> bool:
    spread = max(opinion.values.values()) - min(opinion.values.values())
    shares: dict[tuple[type, str], float] = {}
    for action, share in opinion.mixture.items():
        shares[essence(action)] = shares.get(essence(action), 0.0) + share
    is_mixed = sum(share >= MIXES for share in shares.values()) > 1
    return spread >= MATTERS or (is_mixed and spread >= HAIR)
