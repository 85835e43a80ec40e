"""Words for a decision: the question, the choices, and why these, so that a newcomer knows what follows."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import assert_never

from put_protocol.cards import name_of
from put_protocol.games import primero
from put_protocol.games.primero import Category
from put_protocol.games.unions import Choice
from put_rules import betting
from put_rules.primero.rules import MOST_THROWN_IN, ORDER, Worth, worth_of
from put_rules.primero.state import ANSWER, OPEN, Phase, PrimeroState

CATEGORIES = {
    Category.NUMERUS: "a Numerus",
    Category.PRIMERO: "a Primero",
    Category.SUPREMUS: "a Supremus",
    Category.FLUXUS: "a Fluxus",
    Category.CHORUS: "a Chorus",
}
"""The words that are said."""


QUESTIONS: Mapping[Phase, str] = {
    Phase.OPEN: "Bet, or trade one card or both.",
    Phase.ANSWER: "Do you see the bet, raise it, or refuse it?",
    Phase.VADA: "Vada, an immediate showdown? Or go on?",
    Phase.ANNOUNCE: "Announce the category of your hand.",
    Phase.BET: "Bet, or pass.",
    Phase.TRADE: "Trade one or two cards, or stand.",
}
"""The question to the seat to move, unless it may not trade, refuse or raise."""

REASONS: Mapping[Phase, str] = {
    Phase.OPEN: "After the first bet nobody may trade. If everyone trades, it is dealt again.",
    Phase.ANSWER: "Who refuses is out if anybody takes it; if nobody does, it is withdrawn.",
    Phase.VADA: "Everyone is asked; only who holds a Primero or a Fluxus may call it.",
    Phase.ANNOUNCE: "Not below your hand; but a Chorus may repeat a Primero, Supremus or Fluxus.",
    Phase.BET: "Nobody has to take a bet in this round; if all refuse, it goes back to you.",
    Phase.TRADE: "The showdown follows. You cannot draw back what you lay down.",
}
"""The reason it may do this and no more, likewise."""


def choice(state: PrimeroState, action: primero.PrimeroAction) -> Choice:
    """The action with its words."""
    match action:
        case primero.Raise() | primero.See():
            return _at_a_price(action, _due(state))
        case primero.Refuse():
            return _OUT if state.betting.top.took else _REFUSE
        case primero.Announce() | primero.GoOn() | primero.Stand():
            return _beside_own(action, _worth(state))
        case primero.Bet() | primero.Trade() | primero.Pass() | primero.Vada():
            return _by_itself(action)
        case _:
            assert_never(action)


def question(state: PrimeroState) -> str:
    """The question to the seat to move."""
    phase = state.phase
    if phase is ANSWER:
        if betting.must_take(state.betting, state.playing):
            return "Do you see the bet, or raise it?"
        if not _may_raise(state):
            return "See the bet, or refuse?"
    if phase is OPEN and state.running >= MOST_THROWN_IN:
        return "Bet: nobody may trade in this deal."
    return QUESTIONS[phase]


def why(state: PrimeroState) -> str:
    """The reason the seat to move may do this and no more. Short enough for one line of a terminal."""
    phase = state.phase
    if phase is ANSWER:
        if betting.must_take(state.betting, state.playing):
            return "All others refused the first bet of the hand, so you must take it."
        if state.betting.top.took:
            return "Somebody has taken the bet, so who refuses it is out of the hand."
        if not _may_raise(state):
            return "Who refuses is out if anybody takes the bet. You may not raise any more."
    if phase is OPEN and state.running >= MOST_THROWN_IN:
        return "Everyone traded in three deals running, so now the first to speak bets."
    return REASONS[phase]


def _may_raise(state: PrimeroState) -> bool:
    assert state.to_move is not None
    return state.betting.may_raise(state.to_move)


def _due(state: PrimeroState) -> int:
    assert state.to_move is not None
    return state.betting.due(state.to_move)


def _worth(state: PrimeroState) -> Worth:
    """The hand of the seat to move. The phrases of its choices are told to that seat alone."""
    assert state.to_move is not None
    return worth_of(state.hands.unseal()[state.to_move])


# Each phrase is made once. Those of a raise are as many as bets may become high, so the oldest are forgotten.

_REFUSE = Choice(primero.Refuse(), "refuse the bet")
_OUT = Choice(primero.Refuse(), "refuse the bet: you are out")


@cache
def _by_itself(action: primero.Bet | primero.Trade | primero.Pass | primero.Vada) -> Choice:
    match action:
        case primero.Bet(amount=amount):
            return Choice(action, f"bet {amount}")
        case primero.Trade(cards=cards):
            return Choice(action, f"trade {' and '.join(map(name_of, cards))}")
        case primero.Pass():
            return Choice(action, "pass")
        case primero.Vada():
            return Choice(action, "call vada: everyone shows now")
        case _:
            assert_never(action)


@lru_cache(maxsize=1024)
def _at_a_price(action: primero.Raise | primero.See, due: int) -> Choice:
    match action:
        case primero.Raise(amount=amount):
            return Choice(action, f"raise by {amount}: pay {due + amount}")
        case primero.See():
            return Choice(action, f"see the bet: pay {due}")
        case _:
            assert_never(action)


@cache
def _beside_own(action: primero.Announce | primero.GoOn | primero.Stand, own: Worth) -> Choice:
    hand = f"{CATEGORIES[own.category]} of {own.points}"
    match action:
        case primero.Stand():
            return Choice(action, f"stand: keep {hand}")
        case primero.GoOn():
            return Choice(action, f"go on: you hold {hand}")
        case primero.Announce(category=category):
            beside = f"you hold {hand}"
            if category is not own.category:
                beside = f"{'more' if ORDER[category] > ORDER[own.category] else 'less'} than you hold"
            return Choice(action, f"announce {CATEGORIES[category]}: {beside}")
        case _:
            assert_never(action)
