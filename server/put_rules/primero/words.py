"""Texts of a decision, as messages: the question, the choices, and the reasons, so that a newcomer understands the
effects."""

from functools import cache, lru_cache

from msgspec.structs import asdict

from put_protocol.games import primero
from put_protocol.games.unions import Choice
from put_protocol.text import Phrase, bare_tag
from put_rules import betting
from put_rules.primero.rules import MOST_THROWN_IN, ORDER, Worth, worth_of
from put_rules.primero.state import ANSWER, OPEN, PrimeroState
from put_rules.prose import choice_in_words


def choice(state: PrimeroState, action: primero.PrimeroAction) -> Choice:
    match action:
        case primero.Raise(amount=amount):
            return _choice(action, paid=_due(state) + amount)
        case primero.See():
            return _choice(action, paid=_due(state))
        case primero.Refuse():
            return _OUT if state.betting.top.took else _choice(action)
        case primero.Announce() | primero.GoOn() | primero.Stand():
            return _beside_own(action, _worth(state))
        case _:
            return _choice(action)


def question(state: PrimeroState) -> Phrase:
    return Phrase(f"primero-asks-{_situation(state)}")


def why(state: PrimeroState) -> Phrase:
    """The reason, short enough for one line of a terminal."""
    is_taken = state.phase is ANSWER and state.betting.top.took and not _is_taker(state)
    return Phrase(f"primero-why-{'taken' if is_taken else _situation(state)}")


def _situation(state: PrimeroState) -> str:
    """The phase, or why the seat to move may not trade, refuse or raise in it."""
    if state.phase is ANSWER and _is_taker(state):
        return "taker"
    if state.phase is ANSWER and not _may_raise(state):
        return "no-raise"
    return "no-trade" if state.phase is OPEN and state.running >= MOST_THROWN_IN else str(state.phase)


def _is_taker(state: PrimeroState) -> bool:
    return betting.must_take(state.betting, state.playing)


def _may_raise(state: PrimeroState) -> bool:
    assert state.to_move is not None
    return state.betting.may_raise(state.to_move)


def _due(state: PrimeroState) -> int:
    assert state.to_move is not None
    return state.betting.due(state.to_move)


def _worth(state: PrimeroState) -> Worth:
    """The hand of the seat to move. Texts of its choices go only to that seat."""
    assert state.to_move is not None
    return worth_of(state.hands.unseal()[state.to_move])


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
