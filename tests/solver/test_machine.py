"""The tree of solved games restates the rules of play for two; it agrees with the rules engine of the tables."""

from collections import Counter
from random import Random

import pytest

from put_protocol.cards import rank_of
from put_protocol.games.put import Play, Put, PutAction, See, ThrowIn
from put_protocol.seats import Seat
from put_rules.game import Over, Shuffle, Turn
from put_rules.put.machine import PutGame
from put_rules.put.state import PutState
from put_rules.registry import GAMES
from put_server.house.put.solved.payoffs import OPTIONS, Variant
from put_server.house.put.solved.rank_sets import Ranks
from put_server.house.put.solved.tree import FIRST, SOLVABLE, End, Move, PublicState, Say
from tests.house.sample_hands import Table

VARIANTS = (
    *(Variant(game=game, target=target) for game in SOLVABLE for target in (1, 2, 5)),
    Variant(game="put-1674", drawn_put="anew"),
    Variant(game="put-1800", drawn_put="anew", target=3),
    Variant(game="put-parlett", outright="double"),
    *(Variant(game=game, pack=pack, target=3) for game in SOLVABLE for pack in (32, 28)),
)

_SAID: dict[type[PutAction], Say] = {Put: Say.PUT, See: Say.SEE, ThrowIn: Say.THROW}


def machine_of(variant: Variant) -> PutGame:
    """The rules engine of a variant, for two."""
    offered = {option.name for option in GAMES[variant.game].offer.options}
    return Table(variant.game, 2, {name: variant.options[name] for name in OPTIONS if name in offered}).game


def move_of(action: PutAction, ranking: tuple[str, ...]) -> Move:
    """An action as the solver has it."""
    if isinstance(action, Play):
        return len(ranking) - 1 - ranking.index(rank_of(action.card))
    return _SAID[type(action)]


def hand_of(state: PutState, seat: Seat, ranking: tuple[str, ...]) -> Ranks:
    """What a seat holds."""
    return tuple(sorted(len(ranking) - 1 - ranking.index(rank_of(card)) for card in state.hands.unseal()[seat]))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_solvers_hand_is_the_machines_hand(variant: Variant) -> None:
    """At every decision the same side is to move and may do the same; hands end at the same moment, and so that every
    score, and the stakes of a game, are worth to eldest what the rules engine makes of it."""
    game, tree, dice = machine_of(variant), variant.tree, Random(str(variant))
    # Numbers that tell every score apart, so that equal payoffs mean that the same score follows.
    worths = {score: dice.uniform(-1, 1) for score in variant.scores()}
    met: Counter[object] = Counter()
    for _ in range(150):
        state = game.begin(None)
        dealt: tuple[Seat, tuple[int, int]] | None = None
        public: PublicState | End = FIRST
        liking = {say: dice.choice((0.05, 1.0, 3.0)) for say in Say}
        while True:
            awaits = game.awaits(state)
            if dealt is not None and not isinstance(awaits, Turn):
                eldest, score = dealt
                dealt = None
                assert isinstance(public, End)
                met[public] += 1
                if isinstance(awaits, Over):
                    worth = float(game.paid(state)[eldest])
                else:
                    next_eldest = Seat(1 - state.dealer)
                    found = worths[state.scores[next_eldest], state.scores[state.dealer]]
                    worth = found if next_eldest == eldest else -found
                assert variant.ends(score, worths)[public] == worth
            match awaits:
                case Over():
                    break
                case Shuffle(cards=pack):
                    state, _ = game.deal(state, tuple(dice.sample(pack, len(pack))))
                    if game.awaits(state) == Turn(state.eldest):
                        dealt, public = (state.eldest, (state.scores[state.eldest], state.scores[state.dealer])), FIRST
                case Turn(seat=seat):
                    assert isinstance(public, PublicState)
                    assert dealt is not None
                    ranking = game.view(state, seat).ranking
                    hand = hand_of(state, seat, ranking)
                    side = int(seat != state.eldest)
                    assert tree.ranks == len(ranking)
                    assert tree.actor(public) == side
                    assert tree.cards(public, side) == len(hand)
                    assert tree.cards(public, 1 - side) == len(state.hands.unseal()[1 - seat])
                    legal = game.legal(state)
                    moves = [move_of(action, ranking) for action in legal]
                    assert {(type(move), move) for move in moves} == {
                        (type(move), move) for move in tree.moves_of(public, hand)
                    }
                    met[public.moment, public.trick] += 1
                    likings = [liking[move] if isinstance(move, Say) else 1.0 for move in moves]
                    (choice,) = dice.choices(range(len(legal)), likings)
                    state, _ = game.act(state, legal[choice])
                    public = tree.after(public, moves[choice])
    # Without a put, a hand of the nineteenth century has no third trick; and in Parlett's a put accepted is spent.
    never = {"put-1674": set(), "put-1800": {End.DRAWN}, "put-parlett": {End.DRAWN_PUT}}[variant.game]
    assert {end for end in met if isinstance(end, End)} == set(End) - never
