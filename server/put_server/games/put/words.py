"""What the choices of Put are called when they are put to a player."""

from functools import cache
from typing import assert_never

from put_protocol.actions import Action, Choice, Play, Put, See, ThrowIn
from put_protocol.cards import name_of
from put_protocol.views import Moment
from put_server.games.put.state import PutState


@cache
def choice(action: Action, *, leads: bool) -> Choice:
    """The action with its words."""
    match action:
        case Play(card=card):
            return Choice(action, f"{'lead' if leads else 'play'} {name_of(card)}")
        case Put():
            return Choice(action, 'say "I put"')
        case See():
            return Choice(action, "see the put and play for the game")
        case ThrowIn():
            return Choice(action, "throw in your cards")
        case _:
            assert_never(action)


def question(state: PutState, moment: Moment) -> str:
    """What the seat to move is asked."""
    trick = len(state.past) + 1
    match moment:
        case Moment.LEAD:
            return f"Lead to trick {trick}."
        case Moment.REPLY:
            return f"Play to trick {trick}."
        case Moment.ANSWER:
            return "Do you see the put, or throw in?"
        case _:
            assert_never(moment)
