"""Lessons of Primero."""

from put_protocol.games import primero
from put_protocol.messages import Decision
from put_protocol.text import printable
from put_text.lessons.lesson import AtEvent, Sight


def _first_bet(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Bet) for choice in decision.legal):
        return ""
    return (
        "A bet is put to the others in turn: each sees it, raises it or refuses, and who refuses is out if anybody "
        "takes it. The purse may go below nothing."
    )


def _announced(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Announce) for choice in decision.legal):
        return ""
    return f"What you announce is not checked in the end: it may be more than you hold. {printable(decision.why)}"


AT_EVENTS: dict[type, tuple[str, AtEvent]] = {}

AT_DECISIONS = (("primero.bet", _first_bet), ("primero.announce", _announced))
