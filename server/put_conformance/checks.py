"""Checks for a client, each with the heading of docs/reference.md that requires it; and their results."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Section(StrEnum):
    """Headings of docs/reference.md for failed checks."""

    FRAMING = "Speaking"
    HELLO = "Hello and welcome"
    REQUESTS = "Requests and answers"
    HEARTBEATS = "Heartbeats"
    GOODBYES = "Goodbyes"
    SITTING = "Opening and sitting"
    GAME = "A game"
    CHANGES = "Changes in place of whole views"
    DECISIONS = "Decisions"
    TIME = "Time"
    PAUSES = "Pauses"
    RETURN = "Coming back"
    LOST = "What was lost"
    REFUSALS = "Refusals"
    LIMITS = "Bounds"
    VERSIONS = "Versions"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    """Stable: scripts may look for it in the JSON of a report."""
    should: str
    """The requirement, as a sentence that begins with a verb."""
    section: Section
    is_needed: bool = True
    """A case that does not reach this check counts as not reached."""
    is_lasting: bool = False
    """It passes if no fault occurs from its beginning to the end of the case."""


def _lasting(name: str, should: str, section: Section) -> Check:
    return Check(name, should, section, is_needed=False, is_lasting=True)


def _optional(name: str, should: str, section: Section) -> Check:
    return Check(name, should, section, is_needed=False)


# In every case.
HELLO = Check("hello", "Connects and says a hello that lets it in.", Section.HELLO)
SITS = Check("sits", "Sits down: where it is invited, at a table that is there, or at one it opens.", Section.SITTING)
VERSION = _lasting("version", "Says a protocol version that is spoken here.", Section.VERSIONS)
IS_BOT = _lasting("is_bot", "Says in hello that it is a program: is_bot.", Section.HELLO)
SCHEMA = _lasting("schema", "Sends messages that fit the schema, and no field that is not in it.", Section.FRAMING)
IDS = _lasting("ids", "Gives every request of a connection an id of its own.", Section.REQUESTS)
LEGAL = _lasting("legal", "Answers with one of the legal actions of the decision.", Section.DECISIONS)
OWN = _lasting("own_decision", "Answers only decisions that it was asked.", Section.DECISIONS)
ONCE = _lasting("once", "Answers no decision again that was answered.", Section.DECISIONS)
IN_TIME = _lasting("in_time", "Answers within the time there is.", Section.TIME)
PACE = _lasting("pace", "Asks no faster than the limits allow, and reads what it is sent.", Section.LIMITS)
STAYS = _lasting("stays", "Stays until the case is over, or leaves with a bye.", Section.GOODBYES)

ALWAYS = (HELLO, SITS, VERSION, IS_BOT, SCHEMA, IDS, LEGAL, OWN, ONCE, IN_TIME, PACE, STAYS)
"""Judged in every case, in addition to the case's own checks."""

# Harmless input.
IGNORES_FIELDS = Check("ignores_fields", "Ignores fields it does not know, and plays on.", Section.VERSIONS)
IGNORES_MESSAGES = Check("ignores_messages", "Ignores messages it does not know, and plays on.", Section.VERSIONS)
IGNORES_EVENTS = Check("ignores_events", "Ignores events it does not know, and plays on.", Section.VERSIONS)
COUNTS_EVENTS = Check(
    "counts_events",
    "Counts unknown events too: seen gives the number of the last event, known or not.",
    Section.RETURN,
)
ASKS_WHOLE = _optional(
    "asks_whole",
    "If it asked for changes: asks for the whole view when it gets an event that it does not know, by refresh, or by "
    "coming back with views whole.",
    Section.CHANGES,
)
JOINS = Check("joins", "Waits for the rest of a message that has arrived in part.", Section.FRAMING)
SPLITS = Check("splits", "Reads every message of a piece, in order.", Section.FRAMING)
READS_LONG = Check("reads_long", "Reads messages up to the limit of a frame.", Section.FRAMING)

# Lost connections.
RETURNS = Check("returns", "Connects again by itself when the connection drops.", Section.RETURN)
TOKEN = Check("token", "Says hello with its token, to get its seat back.", Section.RETURN)
SEEN = Check("seen", "Gives in seen the number of the last event it has of each table.", Section.RETURN)
ASKED = _optional(
    "asked", "Names in asked, if it does, the requests whose answers never came and no others.", Section.RETURN
)
COUNTS = _optional(
    "incarnation", "Counts its hellos in incarnation, if it does, from one connection to the next.", Section.RETURN
)
ANSWERS_AGAIN = Check("answers_again", "Answers the decision that waits for it still.", Section.RETURN)
DEALS_AGAIN = Check("deals_again", "Does its part of a blind deal that was lost with the connection.", Section.RETURN)
GOES_ON = Check("goes_on", "Goes on with the next decision, and not with the last.", Section.RETURN)
NOTICES = Check(
    "notices",
    "Takes the connection for dropped when it has heard nothing for the dead_ms of welcome.",
    Section.HEARTBEATS,
)
COMES_IN = Check(
    "comes_in",
    "Comes in by another name, or later, when its own is taken by the connection that dropped.",
    Section.HELLO,
)

# Lost requests.
SITS_AFTER_ALL = Check("sits_after_all", "Comes to a table although its requests for one were lost.", Section.LOST)
ONE_TABLE = Check(
    "one_table",
    "Plays at the table that it opened or sat down at, although the ok was lost: names the request in asked.",
    Section.LOST,
)
AGAIN_AFTER_ALL = Check(
    "again_after_all", "Asks once more for another game, or leaves, when the request was lost.", Section.LOST
)
PLAYS_THE_NEXT = Check(
    "plays_the_next", "Plays the game that began although the ok to its request for it was lost.", Section.LOST
)

# Losses while the client is away.
GOES_ELSEWHERE = Check(
    "goes_elsewhere",
    "Plays at another table, or says bye, when its own is not among the tables of welcome.",
    Section.RETURN,
)
COMES_LATER = Check(
    "comes_later", "Comes back later, with its token, when its hello is refused as server_full.", Section.REFUSALS
)
BEGINS_ANEW = Check(
    "begins_anew",
    "Says hello without its token when that is refused as bad_token, and plays on as a new person.",
    Section.REFUSALS,
)

# Refused requests.
TOO_LATE = Check("too_late", "Accepts a too_late, and answers the next decision.", Section.REFUSALS)
ILLEGAL = Check(
    "illegal",
    "Chooses another action of the legal list when one is refused as illegal, and does not end.",
    Section.REFUSALS,
)
WAITS = Check("waits", "Waits for retry_after_ms when it was too fast, and asks for nothing meanwhile.", Section.LIMITS)
ASKS_AGAIN = Check("asks_again", "Asks again for what was refused as too fast.", Section.LIMITS)

# Heartbeats.
PONG = Check("pong", "Answers every ping with a pong.", Section.HEARTBEATS)
ACCEPTS_SILENCE = Check("bears_silence", "Bears silence, or breaks it with a ping.", Section.HEARTBEATS)

# Changes of a table.
PLAYS_ON = Check("plays_on", "Plays on when others ask for a pause, whether it agrees to it or not.", Section.PAUSES)
LETS_GO = Check("lets_go", "Asks for nothing more at a table that it has left.", Section.SITTING)
AGAIN = Check("again", "Asks for another game when one is over, or leaves: others wait for its word.", Section.GAME)

# The others at the table.
OUTLIVES = Check(
    "outlives",
    "Plays the next game when an opponent has left in the middle of one and another is there, or leaves.",
    Section.GAME,
)
BEARS_ABSENCE = Check(
    "bears_absence", "Waits for an opponent who is away, and plays on when they are back.", Section.TIME
)
READS_NAMES = Check("reads_names", "Plays on with names of 24 letters that are three bytes each.", Section.LIMITS)
PLAYS_BESIDE = Check("plays_beside", "Plays on at its table when it is invited to another.", Section.SITTING)
PLAYS_AT_BOTH = _optional(
    "plays_at_both", "If it sits down at another table: plays at both, as each asks.", Section.SITTING
)
PAIRS = _optional(
    "pairs_by_id",
    "If it asks two things at once: takes each answer for that of the request with its id, in whatever order.",
    Section.REQUESTS,
)

# Goodbyes.
COMES_BACK = Check("comes_back", "Comes back, with its token, after a goodbye that is not for good.", Section.RETURN)
PATIENT = Check("patient", "Leaves time between attempts while the server is away.", Section.RETURN)
STAYS_AWAY = Check(
    "stays_away",
    "Ends, or waits to be told: it does not connect again by itself, where two copies of it would take turns.",
    Section.GOODBYES,
)


class CheckStatus(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    NOT_REACHED = "not_reached"
    """the client was never in a position to pass or fail"""
    SKIPPED = "skipped"
    """the case is about a rule set, and the client chose another"""


NOT_DONE = "It did not: "
"""First words of the detail of a check that was not passed by the end of the case."""


class CheckResults:
    """Results of one case's checks.

    A check is not reached until it is begun; from then on the client can fail it. The first fault is final.
    """

    def __init__(self, checks: Sequence[Check]) -> None:
        self.checks = tuple(checks)
        self._found: dict[Check, str | None] = {}
        """The fault of each check that was begun; empty: it is passed; None: it is open."""

    def begin(self, *checks: Check) -> None:
        """The client can fail these from now on."""
        for check in checks:
            self._found.setdefault(check, None)

    def withdraw(self, check: Check) -> None:
        """Undo `begin`, unless the check is decided."""
        if self.is_open(check):
            del self._found[check]

    def passed(self, *checks: Check) -> None:
        for check in checks:
            self._found[check] = self.detail(check)

    def failed(self, check: Check, detail: str) -> None:
        """`detail`: what the client did instead, in a sentence."""
        self._found[check] = self.detail(check) or detail

    @property
    def decided(self) -> int:
        return sum(found is not None for found in self._found.values())

    def is_open(self, check: Check) -> bool:
        """It was begun, and is not decided."""
        return check in self._found and self._found[check] is None

    def is_decided(self, check: Check) -> bool:
        return self._found.get(check) is not None

    def is_faulty(self, check: Check) -> bool:
        return bool(self._found.get(check))

    def close(self, why: str) -> None:
        """End the case, for the reason `why`: open checks pass if lasting, otherwise they fail."""
        for check in self.checks:
            if self.is_open(check):
                if check.is_lasting:
                    self.passed(check)
                else:
                    self.failed(check, f"{NOT_DONE}{why}.")

    def status(self, check: Check) -> CheckStatus:
        if self.is_faulty(check):
            return CheckStatus.FAIL
        return CheckStatus.PASS if self.is_decided(check) else CheckStatus.NOT_REACHED

    def detail(self, check: Check) -> str:
        """The fault in a sentence; empty: none."""
        return self._found.get(check) or ""

    def overall(self) -> CheckStatus:
        statuses = {self.status(check) for check in self.checks if check.is_needed or self.is_faulty(check)}
        if CheckStatus.FAIL in statuses:
            return CheckStatus.FAIL
        return CheckStatus.NOT_REACHED if CheckStatus.NOT_REACHED in statuses else CheckStatus.PASS
