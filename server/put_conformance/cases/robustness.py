"""Harmless input that the client must endure: words nobody knows, bytes in odd pieces, a message as long as can be."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from put_conformance.case import Mischief, Play, Scene
from put_conformance.checks import Check, Section
from put_conformance.fault_injector import Line, Manner, Told
from put_protocol.limits import FRAME_BYTES
from put_protocol.messages import Decision, Events, Hello, Notice, ServerMessage, TableSnapshot, Welcome

MOVES = 5
"""After so many in spite of everything it has endured it."""

_STRANGE = {"bells": [1, "two", None, {"three": 3.5}], "says": "Ring the bell, Zo\u00eb."}


class Endures(Mischief):
    """The client is to go on as if nothing were."""

    enough = MOVES

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0

    def said_hello(self, line: Line, hello: Hello) -> Hello:
        self.marks.begin(self.checks[0])
        return hello

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1
        if self._moves >= self.enough:
            self.marks.passed(self.checks[0])


def _adorned(body: Any) -> Any:
    """The same with a field that nobody knows in every map of the schema's; options and actions are the client's own
    words, which it may send back."""
    if isinstance(body, list | tuple):
        return [_adorned(item) for item in body]
    if not isinstance(body, dict):
        return body
    whole = {
        key: value if key == "action" or (key == "options" and isinstance(value, dict)) else _adorned(value)
        for key, value in body.items()
    }
    return {"x_rehearsal": _STRANGE, **whole}


class UnknownFields(Endures):
    def connected(self, line: Line) -> None:
        line.adorn = _adorned


class UnknownMessages(Endures):
    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Welcome):
            return (message, {"type": "x_rehearsal", **_STRANGE})
        return ({"type": "x_rehearsal", "table": getattr(message, "table", 0), **_STRANGE}, message)


class UnknownEvents(Endures):
    """One such event in every message of events, so what is numbered here and in the lobby drifts apart."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._more: dict[int, int] = {}
        self._numbers: dict[int, int] = {}
        self._is_broken = False

    def said_hello(self, line: Line, hello: Hello) -> Hello:
        super().said_hello(line, hello)
        if not self._is_broken:
            return hello
        counts = self.checks[1]
        seen = {one.table: one.number for one in hello.seen}
        for table, number in self._numbers.items():
            if table in seen and seen[table] != number:
                self.marks.failed(counts, f"It had seen event {number} of table {table}, and said {seen[table]}.")
        self.marks.passed(counts)
        return msgspec.structs.replace(hello, seen=())  # what it missed is not told again: it gets the whole table

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        match message:
            case Events(table=table, first=first):
                more = self._more.get(table, 0)
                body = line.map_of(message)
                events = [*body["events"], {"event": "x_rehearsal", "seat": 0, **_STRANGE}]
                self._more[table] = more + 1
                self._numbers[table] = first + more + len(events) - 1
                return ({**body, "first": first + more, "events": events},)
            case TableSnapshot(table=table, number=number):
                number += self._more.get(table, 0)
                self._numbers[table] = number
                return (msgspec.structs.replace(message, number=number),)
            case Decision() if self._moves >= MOVES and not self._is_broken:
                self._is_broken = True
                self.marks.begin(self.checks[1])
                line.break_off()
                return ()
            case _:
                return (message,)


class Bytewise(Endures):
    enough = 2  # each is some thousands of pieces

    def connected(self, line: Line) -> None:
        line.manner = Manner.BYTEWISE


class Batched(Endures):
    def connected(self, line: Line) -> None:
        line.manner = Manner.BATCHED

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision):
            return (Notice("Gentlemen, the candles."), message, Notice("Gentlemen, the fire."))
        return (message,)


class Longest(Endures):
    """A notice that fills a frame, before every decision."""

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if not isinstance(message, Decision):
            return (message,)
        delimiter = 4 if line.encoded(message)[0] == 0 else 1
        says = "long " * (FRAME_BYTES // 5 - 20)
        short = FRAME_BYTES - (len(line.encoded(Notice(says))) - delimiter)
        says += "!" * short
        return (Notice(says), message)


def _should(name: str, should: str, section: Section) -> Check:
    return Check(name=name, should=should, section=section)


def scenes(game: str) -> Iterator[Scene]:
    """All of one rule set, for nothing in them is a matter of rules."""
    for name, tries, mischief, checks in (
        (
            "unknown-fields",
            "Every map that is sent, at every depth, has a field that is in no schema.",
            UnknownFields,
            (_should("ignores_fields", "Ignores fields it does not know, and plays on.", Section.VERSIONS),),
        ),
        (
            "unknown-messages",
            "Between the messages come others of a type that is in no schema.",
            UnknownMessages,
            (_should("ignores_messages", "Ignores messages it does not know, and plays on.", Section.VERSIONS),),
        ),
        (
            "unknown-events",
            "Among the events come others of a kind that is in no schema; then the line is cut.",
            UnknownEvents,
            (
                _should("ignores_events", "Ignores events it does not know, and plays on.", Section.VERSIONS),
                _should(
                    "counts_events", "Counts them all the same: seen tells of the last, known or not.", Section.RETURN
                ),
            ),
        ),
        (
            "bytewise",
            "Every message comes a byte at a time, cut in the middle of lengths, words and letters.",
            Bytewise,
            (_should("joins", "Waits for the rest of a message that has come in part.", Section.FRAMING),),
        ),
        (
            "batched",
            "Messages are held back and come several in one piece.",
            Batched,
            (_should("splits", "Reads every message of a piece, in order.", Section.FRAMING),),
        ),
        (
            "longest",
            f"Before every decision comes a notice of {FRAME_BYTES:,} bytes, the longest there can be.",
            Longest,
            (_should("reads_long", "Reads messages up to the limit of a frame.", Section.FRAMING),),
        ),
    ):
        yield Scene(name=name, tries=tries, game=game, checks=checks, mischief=mischief)
