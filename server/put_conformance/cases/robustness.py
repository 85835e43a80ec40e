"""Harmless input that a client must accept: unknown words, bytes in odd pieces, the longest possible message."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from put_conformance.case import Case, CaseContext, FaultInjector
from put_conformance.checks import Check, Section
from put_conformance.client_connection import ClientConnection, Delivery, Outgoing
from put_protocol.limits import FRAME_BYTES
from put_protocol.messages import (
    ClientMessage,
    Decision,
    Events,
    Hello,
    Notice,
    Refresh,
    ServerMessage,
    TableSnapshot,
    ViewForm,
    Welcome,
)

MOVES = 5
"""With so many in spite of everything the check passes."""

_STRANGE = {"bells": [1, "two", None, {"three": 3.5}], "says": "Ring the bell, Zo\u00eb."}


class Harmless(FaultInjector):
    """Changes what the client is sent in a way it must not mind: it must play on."""

    enough = MOVES

    def incoming_hello(self, connection: ClientConnection, hello: Hello) -> Hello:
        self.results.begin(self.checks[0])
        return hello

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self.moves >= self.enough:
            self.results.passed(self.checks[0])


def _with_unknown_fields(body: Any) -> Any:
    """The same with an unknown field in every map, except in options, which have no fields."""
    if isinstance(body, list | tuple):
        return [_with_unknown_fields(item) for item in body]
    if not isinstance(body, dict):
        return body
    known = {
        key: value if key == "options" and isinstance(value, dict) else _with_unknown_fields(value)
        for key, value in body.items()
    }
    return {"x_rehearsal": _STRANGE, **known}


def _without_unknown_field(body: Any) -> Any:
    """A request whose action came with an unknown field: a client may send it back as it came, or without."""
    if isinstance(body, dict) and isinstance(action := body.get("action"), dict):
        action = {key: value for key, value in action.items() if key != "x_rehearsal" or value != _STRANGE}
        return {**body, "action": action}
    return body


class UnknownFields(Harmless):
    def connected(self, connection: ClientConnection) -> None:
        connection.transform = _with_unknown_fields
        connection.restore = _without_unknown_field


class UnknownMessages(Harmless):
    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Welcome):
            return (message, {"type": "x_rehearsal", **_STRANGE})
        return ({"type": "x_rehearsal", "table": getattr(message, "table", 0), **_STRANGE}, message)


ASKS_WHOLE = Check(
    name="asks_whole",
    should="If it asked for changes: asks for the whole view by refresh when it gets an event that it does not know.",
    section=Section.CHANGES,
    is_needed=False,
)


class UnknownEvents(Harmless):
    """Adds an unknown event to every message of events, so the client's event numbers run ahead of the lobby's."""

    _is_broken = False
    _folds = False
    """The client asked for changes."""

    def __init__(self, context: CaseContext, checks: Sequence[Check]) -> None:
        super().__init__(context, checks)
        self._more: dict[int, int] = {}
        self._numbers: dict[int, int] = {}

    def incoming_hello(self, connection: ClientConnection, hello: Hello) -> Hello:
        super().incoming_hello(connection, hello)
        self._folds = hello.views is ViewForm.CHANGES
        if not self._is_broken:
            return hello
        counts = self.checks[1]
        seen = {one.table: one.number for one in hello.seen}
        for table, number in self._numbers.items():
            if table in seen and seen[table] != number:
                self.results.failed(counts, f"It had seen event {number} of table {table}, and said {seen[table]}.")
        self.results.passed(counts)
        return msgspec.structs.replace(hello, seen=())  # it gets the whole table instead of what it missed

    def incoming(self, connection: ClientConnection, message: ClientMessage) -> bool:
        if isinstance(message, Refresh):
            self.results.passed(ASKS_WHOLE)
        return True

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        match message:
            case Events(table=table, first=first):
                if self._folds and message.moment:
                    self.results.begin(ASKS_WHOLE)
                more = self._more.get(table, 0)
                body = connection.map_of(message)
                events = [*body["events"], {"event": "x_rehearsal", "seat": 0, **_STRANGE}]
                self._more[table] = more + 1
                self._numbers[table] = first + more + len(events) - 1
                return ({**body, "first": first + more, "events": events},)
            case TableSnapshot(table=table, number=number):
                number += self._more.get(table, 0)
                self._numbers[table] = number
                return (msgspec.structs.replace(message, number=number),)
            case Decision() if self.moves >= MOVES and not self._is_broken:
                self._is_broken = True
                self.results.begin(self.checks[1])
                if self.results.is_begun(ASKS_WHOLE) and not self.results.is_decided(ASKS_WHOLE):
                    self.results.failed(ASKS_WHOLE, "It went on without: its view may be wrong.")
                connection.break_off()
                return ()
            case _:
                return (message,)


class Bytewise(Harmless):
    enough = 2  # each is some thousands of pieces

    def connected(self, connection: ClientConnection) -> None:
        connection.delivery = Delivery.BYTEWISE


class Batched(Harmless):
    def connected(self, connection: ClientConnection) -> None:
        connection.delivery = Delivery.BATCHED

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Decision):
            return (Notice("The candles, please."), message, Notice("The fire, please."))
        return (message,)


class Longest(Harmless):
    """Sends a notice that fills a frame before every decision."""

    def outgoing(self, connection: ClientConnection, message: ServerMessage) -> Iterable[Outgoing]:
        if not isinstance(message, Decision):
            return (message,)
        delimiter = 4 if connection.encoded(message)[0] == 0 else 1
        says = "long " * (FRAME_BYTES // 5 - 20)
        short = FRAME_BYTES - (len(connection.encoded(Notice(says))) - delimiter)
        says += "!" * short
        return (Notice(says), message)


def _should(name: str, should: str, section: Section) -> Check:
    return Check(name=name, should=should, section=section)


def cases(game: str) -> Iterator[Case]:
    """All with one rule set: they do not depend on the rules."""
    for name, summary, fault_injector, checks in (
        (
            "unknown-fields",
            "Every map sent, at every depth, has a field that is in no schema.",
            UnknownFields,
            (_should("ignores_fields", "Ignores fields it does not know, and plays on.", Section.VERSIONS),),
        ),
        (
            "unknown-messages",
            "Between the messages there are others of a type that is in no schema.",
            UnknownMessages,
            (_should("ignores_messages", "Ignores messages it does not know, and plays on.", Section.VERSIONS),),
        ),
        (
            "unknown-events",
            "Among the events there are others of a kind that is in no schema; then the connection is cut.",
            UnknownEvents,
            (
                _should("ignores_events", "Ignores events it does not know, and plays on.", Section.VERSIONS),
                _should(
                    "counts_events",
                    "Counts unknown events too: seen gives the number of the last event, known or not.",
                    Section.RETURN,
                ),
                ASKS_WHOLE,
            ),
        ),
        (
            "bytewise",
            "Every message arrives a byte at a time, cut in the middle of lengths, words and letters.",
            Bytewise,
            (_should("joins", "Waits for the rest of a message that has arrived in part.", Section.FRAMING),),
        ),
        (
            "batched",
            "Messages are held back and arrive several in one piece.",
            Batched,
            (_should("splits", "Reads every message of a piece, in order.", Section.FRAMING),),
        ),
        (
            "longest",
            f"Before every decision there is a notice of {FRAME_BYTES:,} bytes, the longest possible.",
            Longest,
            (_should("reads_long", "Reads messages up to the limit of a frame.", Section.FRAMING),),
        ),
    ):
        yield Case(name=name, summary=summary, game=game, checks=checks, fault_injector=fault_injector)
