"""The checks a client is judged by, each with the heading of docs/protocol.md that asks for it."""

from dataclasses import dataclass
from enum import StrEnum


class Section(StrEnum):
    """The headings of docs/protocol.md that checks send an author to."""

    FRAMING = "Speaking"
    HELLO = "Hello and welcome"
    REQUESTS = "Requests and answers"
    HEARTS = "Hearts"
    GOODBYES = "Goodbyes"
    SITTING = "Opening and sitting"
    GAME = "A game"
    DECISIONS = "Decisions"
    TIME = "Time"
    PAUSES = "Pauses"
    RETURN = "Coming back"
    REFUSALS = "Refusals"
    LIMITS = "Limits and reasons"
    VERSIONS = "Versions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing a client does right or wrong."""

    name: str
    """Stable: scripts may look for it in the JSON of a report."""
    should: str
    """What the client should do, as a sentence that begins with a verb."""
    section: Section
    is_needed: bool = True
    """A scene in which it never came to this was not reached."""
    is_lasting: bool = False
    """Right as long as nothing is wrong, once it could have been."""


def _always(name: str, should: str, section: Section, *, is_lasting: bool = True) -> Check:
    return Check(name=name, should=should, section=section, is_lasting=is_lasting, is_needed=not is_lasting)


HELLO = _always("hello", "Connects and says a hello that lets it in.", Section.HELLO, is_lasting=False)
SITS = _always(
    "sits",
    "Sits down: where it is invited, at a table that is there, or at one it opens.",
    Section.SITTING,
    is_lasting=False,
)
VERSION = _always("version", "Says a protocol version that is spoken here.", Section.VERSIONS)
IS_BOT = _always("is_bot", "Says in hello that it is a program: is_bot.", Section.HELLO)
SCHEMA = _always("schema", "Sends messages that fit the schema, and no field that is not in it.", Section.FRAMING)
IDS = _always("ids", "Gives every request of a connection an id of its own.", Section.REQUESTS)
LEGAL = _always("legal", "Answers with one of the legal actions of the decision.", Section.DECISIONS)
OWN = _always("own_decision", "Answers only decisions that it was asked.", Section.DECISIONS)
ONCE = _always("once", "Answers no decision again that was answered.", Section.DECISIONS)
IN_TIME = _always("in_time", "Answers within the time there is.", Section.TIME)
PACE = _always("pace", "Asks no faster than the limits allow, and reads what it is sent.", Section.LIMITS)
STAYS = _always("stays", "Stays until the scene is over, or leaves with a bye.", Section.GOODBYES)

ALWAYS = (HELLO, SITS, VERSION, IS_BOT, SCHEMA, IDS, LEGAL, OWN, ONCE, IN_TIME, PACE, STAYS)
"""Judged in every scene, beside the scene's own."""
