"""Harmless input that a client must accept: unknown fields, bytes in odd pieces, the longest possible message."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from put_conformance import checks
from put_conformance.case import FaultInjector
from put_conformance.case_runner import CaseRunner
from put_conformance.client_connection import Delivery, Outgoing
from put_protocol import messages
from put_protocol.limits import FRAME_BYTES

ENOUGH_MOVES = 5
_STRANGE = {"bells": [1, "two", None, {"three": 3.5}], "says": "Ring the bell, Zo\u00eb."}


class Harmless(FaultInjector):
    """Changes messages to the client in a harmless way: it must continue to play."""

    enough = ENOUGH_MOVES

    def incoming_hello(self, hello: messages.Hello) -> messages.Hello:
        self.results.begin(self.checks[0])
        return hello

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self.moves >= self.enough:
            self.results.passed(self.checks[0])


def _with_unknown_fields(body: Any) -> Any:
    """Add an unknown field to every map, except to options, which have no fields."""
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
    """Remove it from an action: a client may send an action back with or without it."""
    if isinstance(body, dict) and isinstance(action := body.get("action"), dict):
        action = {key: value for key, value in action.items() if key != "x_rehearsal" or value != _STRANGE}
        return {**body, "action": action}
    return body


class UnknownFields(Harmless):
    name = "unknown-fields"
    summary = "Every map sent, at every depth, has a field that is in no schema."
    tries = (checks.IGNORES_FIELDS,)

    def connected(self) -> None:
        self.connection.transform = _with_unknown_fields
        self.connection.restore = _without_unknown_field


class UnknownMessages(Harmless):
    name = "unknown-messages"
    summary = "Between the messages there are others of a type that is in no schema."
    tries = (checks.IGNORES_MESSAGES,)

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Welcome):
            return (message, {"type": "x_rehearsal", **_STRANGE})
        return ({"type": "x_rehearsal", "table": getattr(message, "table", 0), **_STRANGE}, message)


class UnknownEvents(Harmless):
    """Adds an unknown event to every message of events, so the client's event numbers are ahead of the lobby's."""

    name = "unknown-events"
    summary = "Among the events there are others of a kind that is in no schema; then the connection is cut."
    tries = (checks.IGNORES_EVENTS, checks.COUNTS_EVENTS, checks.ASKS_WHOLE)
    moves_before = ENOUGH_MOVES

    def __init__(self, runner: CaseRunner) -> None:
        super().__init__(runner)
        self._wants_changes = False
        self._more: dict[int, int] = {}
        self._numbers: dict[int, int] = {}

    def incoming_hello(self, hello: messages.Hello) -> messages.Hello:
        super().incoming_hello(hello)
        folded, self._wants_changes = self._wants_changes, hello.views is messages.ViewForm.CHANGES
        if folded and not self._wants_changes:
            self.results.passed(checks.ASKS_WHOLE)
        for one in hello.seen:
            number = self._numbers.get(one.table, one.number)
            if self.has_struck and one.number != number:
                says = f"It had seen event {number} of table {one.table}, and said {one.number}."
                self.results.failed(checks.COUNTS_EVENTS, says)
        if self.has_struck:
            self.results.passed(checks.COUNTS_EVENTS)
        return replace(hello, seen=())  # it gets the whole table instead of what it missed

    def incoming(self, message: messages.ClientMessage) -> bool:
        if isinstance(message, messages.Refresh):
            self.results.passed(checks.ASKS_WHOLE)
        return True

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        match message:
            case messages.Events(table=table, first=first):
                if self._wants_changes and message.moment:
                    self.results.begin(checks.ASKS_WHOLE)
                more = self._more.get(table, 0)
                body = self.connection.map_of(message)
                events = [*body["events"], {"event": "x_rehearsal", "seat": 0, **_STRANGE}]
                self._more[table] = more + 1
                self._numbers[table] = first + more + len(events) - 1
                return ({**body, "first": first + more, "events": events},)
            case messages.TableSnapshot(table=table, number=number):
                number += self._more.get(table, 0)
                self._numbers[table] = number
                return (replace(message, number=number),)
            case _:
                return super().outgoing(message)

    def strike(self, decision: messages.Decision) -> Iterable[Outgoing]:
        self.note_strike(checks.COUNTS_EVENTS)
        if self.results.is_open(checks.ASKS_WHOLE):
            self.results.failed(checks.ASKS_WHOLE, "It went on without: its view may be wrong.")
        self.connection.break_off()
        return ()


class Bytewise(Harmless):
    name = "bytewise"
    summary = "Every message arrives a byte at a time, cut in the middle of lengths, words and letters."
    tries = (checks.JOINS,)
    enough = 2  # each is some thousands of pieces

    def connected(self) -> None:
        self.connection.delivery = Delivery.BYTEWISE


class Batched(Harmless):
    name = "batched"
    summary = "Messages are held back and arrive several in one piece."
    tries = (checks.SPLITS,)

    def connected(self) -> None:
        self.connection.delivery = Delivery.BATCHED

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, messages.Decision):
            return (messages.Notice("The candles, please."), message, messages.Notice("The fire, please."))
        return (message,)


class Longest(Harmless):
    name = "longest"
    summary = f"Before every decision there is a notice of {FRAME_BYTES:,} bytes, the longest possible."
    tries = (checks.READS_LONG,)

    def outgoing(self, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if not isinstance(message, messages.Decision):
            return (message,)
        delimiter = 4 if self.connection.encoded(message)[0] == 0 else 1
        says = "long " * (FRAME_BYTES // 5 - 20)
        says += "!" * (FRAME_BYTES - (len(self.connection.encoded(messages.Notice(says))) - delimiter))
        return (messages.Notice(says), message)
