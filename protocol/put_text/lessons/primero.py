"""Lessons of Primero."""

from put_protocol.games import primero
from put_protocol.messages import Decision
from put_protocol.text import printable
from put_text.catalogue import say
from put_text.lessons import AtEvent, Sight


def _first_bet(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Bet) for choice in decision.legal):
        return ""
    return say("lesson-primero-bet")


def _announced(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Announce) for choice in decision.legal):
        return ""
    return say("lesson-primero-announce", why=printable(decision.why))


AT_EVENTS: dict[type, tuple[str, AtEvent]] = {}

AT_DECISIONS = (("primero.bet", _first_bet), ("primero.announce", _announced))
