"""Lessons of Primero."""

from put_protocol.games import primero
from put_protocol.messages import Decision
from put_protocol.text import printable
from put_text.lessons.lesson import AtEvent, Sight


def _first_bet(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Bet) for choice in decision.legal):
        return ""
    return (
        "Each of the others in turn sees a bet, raises it or refuses it. A player who refuses is out of the hand if "
        "another takes the bet. Your purse may go below nothing."
    )


def _announced(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Announce) for choice in decision.legal):
        return ""
    return f"What you announce is not checked in the end: it may be more than you hold. {printable(decision.why)}"


AT_EVENTS: dict[type, tuple[str, AtEvent]] = {}

AT_DECISIONS = (("primero.bet", _first_bet), ("primero.announce", _announced))
