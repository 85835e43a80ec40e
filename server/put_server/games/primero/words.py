"""Words for a decision: the question, the choices, and why these, so that a newcomer knows what follows."""

from typing import assert_never

from put_protocol.cards import name_of
from put_protocol.games import primero
from put_protocol.games.primero import Category
from put_protocol.games.unions import Choice
from put_server.games.primero import betting
from put_server.games.primero.hands import ORDER, Worth, worth_of
from put_server.games.primero.rules import MOST_THROWN_IN
from put_server.games.primero.state import Phase, PrimeroState

CATEGORIES = {
    Category.NUMERUS: "a Numerus",
    Category.PRIMERO: "a Primero",
    Category.SUPREMUS: "a Supremus",
    Category.FLUXUS: "a Fluxus",
    Category.CHORUS: "a Chorus",
}
"""As they are said."""


class Words:
    """The words of the game."""

    __slots__ = ()

    def choice(self, state: PrimeroState, action: primero.PrimeroAction) -> Choice:
        """The action with its words."""
        return Choice(action, _phrase(state, action))

    def question(self, state: PrimeroState) -> str:
        """What the seat to move is asked."""
        match state.phase:
            case Phase.OPEN if state.running >= MOST_THROWN_IN:
                return "Bet: nobody may trade in this deal."
            case Phase.OPEN:
                return "Bet, or trade one card or both."
            case Phase.ANSWER if betting.must_take(state.betting, state.playing):
                return "Do you see the bet, or raise it?"
            case Phase.ANSWER:
                return "Do you see the bet, raise it, or refuse it?" if _may_raise(state) else "See the bet, or refuse?"
            case Phase.VADA:
                return "Vada, an immediate showdown? Or go on?"
            case Phase.ANNOUNCE:
                return "Announce the category of your hand."
            case Phase.BET:
                return "Bet, or pass."
            case Phase.TRADE:
                return "Trade one or two cards, or stand."
            case _:
                raise AssertionError("nobody is asked")

    def why(self, state: PrimeroState) -> str:
        """Why the seat to move may do this and no more. Short enough for one line of a terminal."""
        match state.phase:
            case Phase.OPEN if state.running >= MOST_THROWN_IN:
                return "Everyone traded in three deals running, so now the first to speak bets."
            case Phase.OPEN:
                return "After the first bet nobody may trade. If everyone trades, it is dealt again."
            case Phase.ANSWER if betting.must_take(state.betting, state.playing):
                return "All others refused the first bet of the hand, so you must take it."
            case Phase.ANSWER:
                return self._why_answer(state)
            case Phase.VADA:
                return "Everyone is asked; only who holds a Primero or a Fluxus may call it."
            case Phase.ANNOUNCE:
                return "Not below your hand; but a Chorus may repeat a Primero, Supremus or Fluxus."
            case Phase.BET:
                return "Nobody has to take a bet in this round; if all refuse, it goes back to you."
            case Phase.TRADE:
                return "The showdown follows. You cannot draw back what you lay down."
            case _:
                raise AssertionError("nobody is asked")

    def _why_answer(self, state: PrimeroState) -> str:
        if state.betting.top.took:
            return "Somebody has taken the bet, so who refuses it is out of the hand."
        if not _may_raise(state):
            return "Who refuses is out if anybody takes the bet. You may not raise any more."
        return "Who refuses is out if anybody takes it; if nobody does, it is withdrawn."


def _may_raise(state: PrimeroState) -> bool:
    assert state.to_move is not None
    return state.betting.may_raise(state.to_move)


def _phrase(state: PrimeroState, action: primero.PrimeroAction) -> str:
    match action:
        case primero.Bet(amount=amount):
            return f"bet {amount}"
        case primero.Raise(amount=amount):
            return f"raise by {amount}: pay {_due(state) + amount}"
        case primero.See():
            return f"see the bet: pay {_due(state)}"
        case primero.Refuse():
            return "refuse the bet: you are out" if state.betting.top.took else "refuse the bet"
        case primero.Pass():
            return "pass"
        case primero.Trade(cards=cards):
            return f"trade {' and '.join(map(name_of, cards))}"
        case primero.Stand():
            return f"stand: keep {_own(state)}"
        case primero.Vada():
            return "call vada: everyone shows now"
        case primero.GoOn():
            return f"go on: you hold {_own(state)}"
        case primero.Announce(category=category):
            return f"announce {CATEGORIES[category]}: {_beside_own(state, category)}"
        case _:
            assert_never(action)


def _due(state: PrimeroState) -> int:
    assert state.to_move is not None
    return state.betting.due(state.to_move)


def _worth(state: PrimeroState) -> Worth:
    """What the seat to move holds. The phrases of its choices are told to nobody else."""
    assert state.to_move is not None
    return worth_of(state.hands.unseal()[state.to_move])


def _own(state: PrimeroState) -> str:
    worth = _worth(state)
    return f"{CATEGORIES[worth.category]} of {worth.points}"


def _beside_own(state: PrimeroState, category: Category) -> str:
    own = _worth(state).category
    if category is own:
        return f"you hold {_own(state)}"
    return "more than you hold" if ORDER[category] > ORDER[own] else "less than you hold"
