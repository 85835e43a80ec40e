"""Texts of a decision, as messages: the question, the choices, and the reasons, so that a newcomer understands the
effects."""

from functools import cache, lru_cache

from msgspec.structs import asdict

from put_protocol.games import primero
from put_protocol.games.primero import Moment
from put_protocol.games.unions import Choice
from put_protocol.text import Phrase, bare_tag
from put_rules.primero.rules import MOST_THROWN_IN, ORDER, Worth, worth_of
from put_rules.primero.state import PrimeroState
from put_rules.prose import Wording, choice_in_words, wording_of


def choice(state: PrimeroState, action: primero.PrimeroAction) -> Choice:
    """The choice of the seat to move, to whom alone it goes: its text may tell their hand."""
    seat = state.to_move
    assert seat is not None
    match action:
        case primero.Raise(amount=amount):
            return _choice(action, paid=state.due_of(seat) + amount)
        case primero.See():
            return _choice(action, paid=state.due_of(seat))
        case primero.Refuse():
            return _OUT if state.levels[-1].took else _choice(action)
        case primero.Announce() | primero.GoOn() | primero.Stand():
            return _beside_own(action, worth_of(state.hands.unseal()[seat]))
        case _:
            return _choice(action)


def wording(state: PrimeroState) -> Wording:
    """The question and the reason, each short enough for one line of a terminal."""
    situation = _situation(state)
    is_taken = state.view.moment is Moment.ANSWER and state.levels[-1].took and situation != "taker"
    return wording_of(Phrase(f"primero-asks-{situation}"), Phrase(f"primero-why-{'taken' if is_taken else situation}"))


def _situation(state: PrimeroState) -> str:
    """The phase, or why the seat to move may not trade, refuse or raise in it."""
    view = state.view
    assert view.to_move is not None
    assert view.moment is not None
    if view.moment is Moment.ANSWER and state.must_take:
        return "taker"
    if view.moment is Moment.ANSWER and not state.may_raise(view.to_move):
        return "no-raise"
    return "no-trade" if view.moment is Moment.OPEN and view.running >= MOST_THROWN_IN else str(view.moment)


# Each phrase is made once. Those of a raise are as many as bets may become high, so the oldest are forgotten.

_OUT = choice_in_words(primero.Refuse(), "primero-choose-out")


@lru_cache(maxsize=4096)
def _choice(action: primero.PrimeroAction, **about: int) -> Choice:
    """The choice with its message. The message has the fields of the action and `about` as arguments."""
    return choice_in_words(action, f"primero-choose-{bare_tag(action)}", **asdict(action), **about)


@cache
def _beside_own(action: primero.Announce | primero.GoOn | primero.Stand, own: Worth) -> Choice:
    about: dict[str, int | str] = {"category": str(own.category), "points": own.points}
    if isinstance(action, primero.Announce):
        is_own, is_more = action.category is own.category, ORDER[action.category] > ORDER[own.category]
        about |= {"category": str(action.category), "beside": "own" if is_own else "more" if is_more else "less"}
    return choice_in_words(action, f"primero-choose-{bare_tag(action)}", **about)
