"""Views of hands as a test describes them, and games that house players play among themselves."""

from collections.abc import Callable, Sequence
from random import Random

from put_protocol.actions import Action, Choice, Play, Put, See, ThrowIn
from put_protocol.cards import Card
from put_protocol.seats import Seat
from put_protocol.views import Moment, PutView, TrickView
from put_server.games.game import Over, Shuffle, Turn
from put_server.games.put.machine import PutGame
from put_server.games.put.rules import PUT_1674, RANKING
from put_server.games.put.state import PutState
from put_server.house.player import Player

ANSWERS: tuple[Choice, ...] = (Choice(See(), "see"), Choice(ThrowIn(), "throw in"))


def cards(text: str) -> tuple[Card, ...]:
    """`3s 3h 2d` as cards."""
    return tuple(Card(card) for card in text.split())


def asked(held: str, *, scores: tuple[int, ...] = (0, 0), target: int = 5, seen_by: tuple[Seat, ...] = ()) -> PutView:
    """Seat 0 holds these and is asked to see the put of the last seat, who is to lead the first trick."""
    seats = len(scores)
    return PutView(
        target=target,
        scores=scores,
        hand=1,
        dealer=Seat(0),
        eldest=Seat(seats - 1),
        cards=cards(held),
        counts=(len(held.split()),) * seats,
        playing=(True,) * seats,
        tricks=(0,) * seats,
        to_move=Seat(0),
        moment=Moment.ANSWER,
        putter=Seat(seats - 1),
        seen_by=seen_by,
        ranking=RANKING,
    )


def leading(
    held: str,
    *,
    scores: tuple[int, ...] = (0, 0),
    tricks: tuple[int, ...] | None = None,
    past: Sequence[TrickView] = (),
    putter: Seat | None = None,
) -> PutView:
    """Seat 0 holds these and is to lead."""
    seats = len(scores)
    return PutView(
        target=5,
        scores=scores,
        hand=1,
        dealer=Seat(seats - 1),
        eldest=Seat(0),
        cards=cards(held),
        counts=(len(held.split()),) * seats,
        playing=(True,) * seats,
        tricks=tricks or (0,) * seats,
        past=tuple(past),
        to_move=Seat(0),
        moment=Moment.LEAD,
        putter=putter,
        seen_by=() if putter is None else (Seat(1),),
        ranking=RANKING,
    )


def turns(held: str) -> tuple[Choice, ...]:
    """To play one of these, or to put."""
    return (*plays(held), Choice(Put(), 'say "I put"'))


def plays(held: str) -> tuple[Choice, ...]:
    """To play one of these."""
    return tuple(Choice(Play(card), f"play {card}") for card in cards(held))


def play_game(
    game: PutGame,
    players: Sequence[Player],
    dice: Random,
    watch: Callable[[PutState, tuple[Action, ...], Action], None],
) -> Over:
    """A whole game; `watch` is told every state in which somebody was to move, what was legal and what he did."""
    state = game.begin(None)
    while True:
        match game.awaits(state):
            case Over() as over:
                return over
            case Shuffle(cards=pack):
                state, _ = game.deal(state, tuple(dice.sample(pack, len(pack))))
            case Turn(seat=seat):
                action = players[seat].choose(game.view(state, seat), game.choices(state), seat)
                watch(state, game.legal(state), action)
                state, _ = game.act(state, action)


def game_of(seats: int) -> PutGame:
    """The seventeenth-century game."""
    return PutGame(PUT_1674, seats)
