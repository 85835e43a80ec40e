"""Lessons of Triomphe Forcée."""

from put_protocol.games import triomphe
from put_protocol.messages import Decision
from put_protocol.text import printable
from put_text.catalogue import say
from put_text.lessons import AtEvent, Sight


def _first_trick(decision: Decision, sight: Sight) -> str:
    view: triomphe.TriompheView = sight.view
    if view.to_move != sight.seat or not decision.why:
        return ""
    return say("lesson-triomphe-play", why=printable(decision.why))


AT_EVENTS: dict[type, tuple[str, AtEvent]] = {}

AT_DECISIONS = (("triomphe.play", _first_trick),)
