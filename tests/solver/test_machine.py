"""The solver restates how two play a hand; here it is held to the machine that deals at the tables."""

from collections import Counter
from random import Random

import pytest

from put_protocol.cards import rank_of
from put_protocol.games.put import (
    Play,
    Put,
    See,
    ThrowIn,
)
from put_protocol.games.unions import (
    Action,
)
from put_protocol.seats import Seat
from put_server.games.game import Game, Over, Shuffle, Turn
from put_server.games.put.state import PutState
from put_server.games.registry import GAMES
from put_server.house.solved.hands import Ranks
from put_server.house.solved.payoffs import OPTIONS, Ruling
from put_server.house.solved.tree import COURSES, FIRST, End, Move, Say, Spot
from tests.house.sample_hands import Table

RULINGS = (
    *(Ruling(game=game, target=target) for game in COURSES for target in (1, 2, 5)),
    Ruling(game="put-1674", drawn_put="anew"),
    Ruling(game="put-1800", drawn_put="anew", target=3),
    Ruling(game="put-parlett", outright="double"),
    *(Ruling(game=game, pack=pack, target=3) for game in COURSES for pack in (32, 28)),
)

_SAID: dict[type[Action], Say] = {Put: Say.PUT, See: Say.SEE, ThrowIn: Say.THROW}


def machine_of(ruling: Ruling) -> Game[PutState]:
    """The machine of a ruling, for two."""
    offered = {option.name for option in GAMES[ruling.game].offer.options}
    return Table(ruling.game, 2, {name: ruling.options[name] for name in OPTIONS if name in offered}).game


def move_of(action: Action, ranking: tuple[str, ...]) -> Move:
    """An action as the solver has it."""
    if isinstance(action, Play):
        return len(ranking) - 1 - ranking.index(rank_of(action.card))
    return _SAID[type(action)]


def hand_of(state: PutState, seat: Seat, ranking: tuple[str, ...]) -> Ranks:
    """What a seat holds."""
    return tuple(sorted(len(ranking) - 1 - ranking.index(rank_of(card)) for card in state.hands.unseal()[seat]))


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_solvers_hand_is_the_machines_hand(ruling: Ruling) -> None:
    """At every decision the same side is to move and may do the same; hands end at the same moment, and so that every
    score, and the stakes of a game, are worth to eldest what the machine makes of it."""
    game, tree, dice = machine_of(ruling), ruling.tree, Random(str(ruling))
    # Numbers that tell every score apart, so that equal payoffs mean that the same score follows.
    worths = {score: dice.uniform(-1, 1) for score in ruling.scores()}
    met: Counter[object] = Counter()
    for _ in range(150):
        state = game.begin(None)
        dealt: tuple[Seat, tuple[int, int]] | None = None
        spot: Spot | End = FIRST
        liking = {say: dice.choice((0.05, 1.0, 3.0)) for say in Say}
        while True:
            awaits = game.awaits(state)
            if dealt is not None and not isinstance(awaits, Turn):
                eldest, score = dealt
                dealt = None
                assert isinstance(spot, End)
                met[spot] += 1
                if isinstance(awaits, Over):
                    worth = float(game.paid(state)[eldest])
                else:
                    next_eldest = Seat(1 - state.dealer)
                    found = worths[state.scores[next_eldest], state.scores[state.dealer]]
                    worth = found if next_eldest == eldest else -found
                assert ruling.ends(score, worths)[spot] == worth
            match awaits:
                case Over():
                    break
                case Shuffle(cards=pack):
                    state, _ = game.deal(state, tuple(dice.sample(pack, len(pack))))
                    if game.awaits(state) == Turn(state.eldest):
                        dealt, spot = (state.eldest, (state.scores[state.eldest], state.scores[state.dealer])), FIRST
                case Turn(seat=seat):
                    assert isinstance(spot, Spot)
                    assert dealt is not None
                    ranking = game.view(state, seat).ranking
                    hand = hand_of(state, seat, ranking)
                    side = int(seat != state.eldest)
                    assert tree.ranks == len(ranking)
                    assert tree.actor(spot) == side
                    assert tree.cards(spot, side) == len(hand)
                    assert tree.cards(spot, 1 - side) == len(state.hands.unseal()[1 - seat])
                    legal = game.legal(state)
                    moves = [move_of(action, ranking) for action in legal]
                    assert {(type(move), move) for move in moves} == {
                        (type(move), move) for move in tree.moves_of(spot, hand)
                    }
                    met[spot.moment, spot.trick] += 1
                    likings = [liking[move] if isinstance(move, Say) else 1.0 for move in moves]
                    (choice,) = dice.choices(range(len(legal)), likings)
                    state, _ = game.act(state, legal[choice])
                    spot = tree.after(spot, moves[choice])
    # Without a put, a hand of the nineteenth century has no third trick; and in Parlett's a put accepted is spent.
    never = {"put-1674": set(), "put-1800": {End.DRAWN}, "put-parlett": {End.DRAWN_PUT}}[ruling.game]
    assert {end for end in met if isinstance(end, End)} == set(End) - never
