"""Words for a decision: the question, the choices, and why these, so that a newcomer knows what follows."""

from functools import cache

from put_protocol.cards import FOOL, SUIT_NAMES, TRUMPS, name_of
from put_protocol.games.triomphe import Play
from put_protocol.games.unions import Choice
from put_rules.triomphe.rules import suit_led
from put_rules.triomphe.state import TriompheState


@cache
def choice(action: Play, is_led: bool) -> Choice:
    """Playing a card, in words."""
    if action.card == FOOL:
        return Choice(action, f"{'play' if is_led else 'lead'} the Fool: it never takes a trick")
    return Choice(action, f"{'play' if is_led else 'lead'} {name_of(action.card)}")


def question(state: TriompheState) -> str:
    """The question to the seat to move."""
    return f"{'Play' if state.trick_cards else 'Lead'} to trick {len(state.past) + 1}."


def why(state: TriompheState) -> str:
    """The reason the seat to move may do this and no more. Short enough for one line of a terminal."""
    if not state.trick_cards:
        return "Whoever leads may lead any card."
    return _why_follow(suit_led(state.trick_cards))


def _why_follow(led: str) -> str:
    if not led:
        return "Only the Fool was led: play anything, and your card sets the suit."
    if led == TRUMPS:
        return "Trumps led: play one if you can, else any card; the Fool always."
    return f"{SUIT_NAMES[led].capitalize()} led: follow suit, else trump, else any card; the Fool always."
