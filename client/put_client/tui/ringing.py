"""Notifications for a person who looks elsewhere: a bell, a desktop notification, and the window title.

A call comes from the difference of two models: it is our turn; a player has put; a person invites us, sits down at our
table, or asks for another game, a pause or its end; and, once for each decision, that time is short. The title shows
the state of the table, without a call. Bell and notification come only while the window is not in use, which
`Attention` tracks.

Law: names and words of others never contain control sequences. All text outside a frame passes `plain`.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

from put_client.tui.model import AtTable, Model
from put_client.tui.views.prompt_view import CLOCK_WARNS_MS, invitation_in_words, pause_in_words
from put_protocol.seats import Seat
from put_protocol.text import printable
from put_text.catalogue import say

LONGEST_TEXT = 100

BUSY_MS = 20_000
"""Time after a key for which the window counts as in use, if the terminal does not report focus."""

GAP_MS = 5_000
"""Least time between two calls, so that a table with frequent changes does not ring all the time. Our turn always rings
at once."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Call(Struct, frozen=True):
    """An event that a person who looks elsewhere wants to know."""

    says: str
    is_urgent: bool = False
    """It is our turn."""


def call_of(before: Model, after: Model) -> Call | None:
    """The most urgent call for what changed between two models."""
    here, table = before.table, after.table
    if table is not None and table.is_asked and _is_new_decision(here, table):
        putter = _putter_to_answer(table)
        if putter:
            return Call(say("screen-ring-put", name=putter), is_urgent=True)
        return Call(say("screen-ring-move", table=table.id), is_urgent=True)
    if after.invitation is not None and after.invitation != before.invitation:
        return Call(invitation_in_words(after.invitation))
    if table is not None and table.seat is not None and here is not None and here.id == table.id:
        arrived = _arrived(here, table)
        if arrived:
            return Call(say("screen-ring-sits", name=arrived, table=table.id))
        return _agreement_wanted(here, table)
    return None


def _agreement_wanted(before: AtTable, table: AtTable) -> Call | None:
    names = [
        seat.name
        for old, seat in zip(before.info.seats, table.info.seats, strict=False)
        if seat.agrees and not old.agrees and not seat.is_house
    ]
    if table.is_between and not table.agrees and names:
        return Call(say("screen-ring-again", name=names[0], table=table.id))
    asked = () if before.info.pause is None else before.info.pause.seats
    new = () if table.info.pause is None else tuple(seat for seat in table.info.pause.seats if seat not in asked)
    if not new or table.has_asked:
        return None
    if table.is_paused:
        return Call(say("screen-ring-ready", name=table.name(new[0]), table=table.id))
    return Call(pause_in_words(table))


def hurry_of(model: Model, now: int) -> Call | None:
    """The call for a decision of ours with little time left."""
    table = model.table
    if table is None or not table.is_asked or table.clock is None or table.clock.seat != table.seat:
        return None
    left = table.clock.left(now)
    if left is None or left > CLOCK_WARNS_MS:
        return None
    return Call(say("screen-ring-late", table=table.id), is_urgent=True)


def _is_new_decision(before: AtTable | None, table: AtTable) -> bool:
    old = None if before is None or before.id != table.id else before.decision
    return table.decision is not None and (old is None or old.decision != table.decision.decision)


def _putter_to_answer(table: AtTable) -> str:
    view = table.view
    putter = getattr(view, "putter", None)
    is_answer = getattr(view, "moment", None) == "answer"
    return table.name(Seat(putter)) if is_answer and isinstance(putter, int) and putter != table.seat else ""


def _arrived(before: AtTable, table: AtTable) -> str:
    """Name of a person who has just sat down, except house players, who are invited."""
    known = {seat.name for seat in before.info.seats}
    names = (seat.name for seat in table.info.seats if seat.name is not None and not seat.is_house)
    return next((name for name in names if name not in known), "")


def title_of(model: Model, *, is_ascii: bool) -> str:
    pointer, dot = (">", "-") if is_ascii else ("▶", "·")
    table = model.table
    if model.invitation is not None and (table is None or not table.is_playing):
        invited = say("screen-title-invited", name=model.invitation.by, table=model.invitation.table)
        says = f"{pointer} {invited}"
    elif table is None:
        return "Put"
    elif table.is_asked:
        putter = _putter_to_answer(table)
        says = f"{pointer} {say('screen-title-put', name=putter) if putter else say('screen-title-move')}"
    else:
        says = say("screen-title-table", table=table.id)
    return plain(f"{says} {dot} Put", is_ascii=is_ascii)


def plain(text: str, *, is_ascii: bool) -> str:
    """The text without terminal control sequences."""
    text = _CONTROLS.sub("", printable(text))
    if is_ascii:
        # A terminal that is not in UTF-8 takes some bytes of it for controls.
        text = text.encode("ascii", "replace").decode("ascii")
    return text[:LONGEST_TEXT]


class Abilities(Struct, frozen=True, kw_only=True):
    """Sequences that the terminal understands besides frames."""

    has_title: bool = True
    note: str = ""
    """Sequence of a notification, with a place for its text; empty: it has none."""
    is_in_tmux: bool = False


OSC_9 = "\x1b]9;Put: {}\x07"
"""That of iTerm2. The text never begins with a digit, which is something else to some terminals."""
OSC_777 = "\x1b]777;notify;Put;{}\x07"
"""That of rxvt."""
OSC_99 = "\x1b]99;;Put: {}\x1b\\"
"""That of kitty."""

_NO_TITLE = ("linux", "eterm", "dumb", "vt100", "vt102", "vt220", "ansi", "cons25", "sun")
_BY_VARIABLE = {"KITTY_WINDOW_ID": OSC_99, "WEZTERM_PANE": OSC_777, "VTE_VERSION": OSC_777}
"""Sequences by a variable that the terminal sets. Of those with `VTE_VERSION` some show it, the others ignore it."""
_BY_PROGRAM = {"iTerm.app": OSC_9, "WezTerm": OSC_777, "ghostty": OSC_777, "Hyper": OSC_9}
_BY_TERM = {"xterm-kitty": OSC_99, **dict.fromkeys(("xterm-ghostty", "wezterm", "foot", "rxvt", "contour"), OSC_777)}


def abilities(environment: Mapping[str, str]) -> Abilities:
    """Abilities of a known terminal. An unknown one gets no notification, because it might print the sequence."""
    term = f"{environment.get('TERM', '')}-"
    known = (
        *(note for name, note in _BY_TERM.items() if term.startswith(f"{name}-")),
        *(note for name, note in _BY_VARIABLE.items() if name in environment),
        _BY_PROGRAM.get(environment.get("TERM_PROGRAM", ""), ""),
    )
    has_title = not any(term.startswith(f"{name}-") for name in _NO_TITLE)
    return Abilities(has_title=has_title, note=known[0], is_in_tmux="TMUX" in environment)


def title_sequence(title: str) -> str:
    return f"\x1b]2;{title}\x07"


SAVE_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
"""Commands of the terminal's title stack. A terminal without one ends with an empty title, which most shells
replace."""

FOCUS_ON, FOCUS_OFF = "\x1b[?1004h", "\x1b[?1004l"
FOCUS_IN, FOCUS_OUT = "\x1b[I", "\x1b[O"
"""Focus reports of a terminal, once they are requested."""
BELL = "\x07"


def note_sequence(call: Call, able: Abilities, *, is_ascii: bool) -> str:
    """A notification in this terminal's sequence; empty: not supported."""
    sequence = able.note.format(plain(call.says, is_ascii=is_ascii).replace(";", ","))
    if not sequence or not able.is_in_tmux:
        return sequence
    doubled = sequence.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{doubled}\x1b\\"


class Attention:
    """Tracks whether the window is in use. Times are milliseconds."""

    def __init__(self, now: int) -> None:
        self._has_focus: bool | None = None
        """None: not reported by the terminal."""
        self._last_key = now
        self._last_call: int | None = None

    def note_key(self, now: int) -> None:
        self._last_key = now

    def note_focus(self, *, has_focus: bool) -> None:
        self._has_focus = has_focus

    def is_here(self, now: int) -> bool:
        """True if the player probably looks at the window."""
        return now - self._last_key < BUSY_MS if self._has_focus is None else self._has_focus

    def lets(self, call: Call, now: int) -> bool:
        """True if the call may be made now; it is then counted."""
        if self.is_here(now):
            return False
        if not call.is_urgent and self._last_call is not None and now - self._last_call < GAP_MS:
            return False
        self._last_call = now
        return True
