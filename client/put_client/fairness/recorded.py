"""Recorded traffic, checked again: evidence that a client kept, what the page saved, or lines for another verifier.

The form is that of `scripts/verify/verify.mjs`, which says it in full: a JSON object a line, each a message as it
travelled, or an event alone below a line that says who its viewer is. No secret of a chain is in it, only its ends and
the links that were given; so the viewer's own cuts are checked by those.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from put_client.fairness.referee import Referee
from put_client.fairness.verdict import Witnessed
from put_protocol.blind import IS_AVAILABLE
from put_protocol.blind_events import BlindEntry, BlindOpened
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.messages import Act, Decision, Events, Resign, ServerMessage, TableSnapshot
from put_protocol.parts import parts
from put_protocol.seal.checker import Checker
from put_protocol.seal.cuts import LINKS, Chain
from put_protocol.seal.terms import terms_of
from put_protocol.seal_events import Openings, Sealed
from put_protocol.seats import Seat, Viewer
from put_protocol.table_info import TableInfo

if TYPE_CHECKING:
    from put_client.fairness.blind_witness import BlindWitness

Line = Mapping[str, Any]


class BadLine(ValueError):
    """A line that cannot be read; the sentence says which."""


class _GivenLinks(Chain):
    """A chain of which the end is known, and each link from when it was given."""

    __slots__ = ("_given",)

    def __init__(self, end: bytes) -> None:
        self.length = LINKS
        self._given = {LINKS: end}

    def give(self, number: int, link: bytes) -> None:
        self._given[number] = link

    def link(self, number: int) -> bytes:
        return self._given[number]


class RecordedViewer:
    """One viewer of a table."""

    def __init__(self, head: Line, snapshot: TableSnapshot | None) -> None:
        """`head`: as in a line of `type` `viewer`; `snapshot`: the table as it was then, if it was told whole."""
        viewer, end = head["viewer"], _bytes(head.get("end"))
        self.table: int = head["table"]
        self.viewer: Viewer = viewer
        self.head = head
        self.is_untold = True
        """Nothing was told since the line that says who the viewer is."""
        checker = Checker(
            self.table,
            viewer,
            terms=terms_of(head["game"], head.get("options", {})) if "game" in head else None,
            chain=None if end is None else _GivenLinks(end),
            joins=head.get("joins", False),
            is_exhibition=head.get("is_exhibition", False),
            is_witness=head.get("is_witness", False),
        )
        checker.own.is_counted = head.get("is_counted", end is not None)
        checker.is_fresh = head.get("is_fresh", None if head.get("joins") else False)
        checker.absences.note_misses({Seat(int(seat)): count for seat, count in head.get("misses", {}).items()})
        info = snapshot.info if snapshot is not None else _converted(head.get("info"), TableInfo)
        referee = blind = None
        if info is not None and info.seats:
            begun = snapshot or TableSnapshot(table=self.table, viewer=viewer, number=0, info=info)
            blind = blind_witness(begun)
            signed = None if blind is None else blind.table.signed_acts
            referee = Referee(begun, knows_acts=head.get("knows_acts", False), signed=signed)
        names = () if info is None else tuple([seat.name or f"seat {place}" for place, seat in enumerate(info.seats)])
        self.witnessed = Witnessed(checker, referee, viewer, names, blind)
        self._checker, self._referee = checker, referee
        self._has_dropped = False
        self._now = 0.0
        """Time by the viewer's own clock, as the file has it."""
        self._events: list[Event] = []
        """Events that were told alone, and are still to be compared: a line does not say which came together."""

    def act(self, line: Line) -> None:
        """Something that the viewer did, or that the server answered them."""
        self.settle()
        own = self._checker.own
        match line["type"]:
            case "cut" if line.get("link") is not None and isinstance(own.chain, _GivenLinks):
                own.chain.give(own.links_left - 1, _bytes(line["link"]) or b"")
                self._checker.cut()
            case "promise":
                end = _bytes(line.get("end"))
                if end is None:
                    own.withdraw()
                elif end != own.end:
                    own.renew(_GivenLinks(end))
            case "span" if self.witnessed.blind is not None:
                self.witnessed.blind.resume(_bytes(line["data"]) or b"")
            case "counted":
                own.count()
            case "dropped":
                self._has_dropped = True
                if self._referee is not None:
                    self._referee.lose()
            case "act" if self._referee is not None:
                self._referee.send(Act(1, self.table, 1, msgspec.convert(line["action"], Action)))
            case "known" if self._referee is not None:  # to the viewer, before what follows
                self._referee.know(msgspec.convert(line["purses"], list[int | None]), ends=float(line["ends"]))
                self._now = float(line["now"])
            case "view":  # in place of the one that follows
                shown = msgspec.convert(line["view"], GameView)
                self.witnessed.compare(Events(table=self.table, first=1, events=(), view=shown))
            case "gives_up" | "resign" | "leave" | "stand" if self._referee is not None:
                self._referee.send(Resign(1, self.table))
            case _:
                pass

    def hear(self, event: Event) -> None:
        """An event that is told alone."""
        if isinstance(event, BlindEntry | BlindOpened):
            self.settle()  # a step comes ahead of what it makes happen
        self.is_untold = self._has_dropped = False
        self.witnessed.take(event)
        self._events.append(event)

    def settle(self) -> None:
        """Compare the events that were told alone until here."""
        events, self._events = tuple(self._events), []
        if events:
            self.witnessed.compare(Events(table=self.table, first=1, events=events), self._now)

    def receive(self, message: ServerMessage) -> None:
        """A message of this table."""
        self.is_untold = False
        self.settle()
        match message:
            case TableSnapshot(sealed=sealed, links=links):
                self.witnessed.failures += self._checker.check_snapshot(
                    sealed, links, is_in_play=message.info.is_in_play, has_dropped=self._has_dropped
                )
                self.witnessed.compare(message)
            case Events():
                for event in message.events:
                    self.witnessed.take(event)
                self.witnessed.compare(message)
            case Openings():
                self.witnessed.take(message)
            case Decision():
                self.witnessed.compare(message)
            case _:
                return
        self._has_dropped = False

    def join(self, sealed: Sealed, links: Iterable[bytes | None]) -> None:
        self.witnessed.failures += self._checker.join(sealed, links)


def read_lines(lines: Iterable[bytes]) -> list[RecordedViewer]:
    """The viewers of a recording, each with what was found.

    :raises BadLine: one cannot be read.
    """
    recording = _Recording()
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                recording.take(msgspec.json.decode(line))
            except (msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError) as error:
                raise BadLine(f"line {number}: {error}") from None
    for viewer in recording.viewers:
        viewer.settle()
    return recording.viewers


class _Recording:
    def __init__(self) -> None:
        self.viewers: list[RecordedViewer] = []
        self._at: dict[int, RecordedViewer] = {}
        self._latest: RecordedViewer | None = None
        self._asked: dict[int, Line] = {}
        self._ends: dict[int, str | None] = {}
        """Promises of requests for a seat, by table: whoever is seated next there begins with it."""
        self._is_welcome = False

    def take(self, line: Line) -> None:
        kind = "event" if "event" in line else line.get("type")
        match kind:
            case "event":
                self._viewer_of(line).hear(msgspec.convert(line, Event))
            case "viewer":
                self._begin(RecordedViewer(line, None))
            case "welcome":
                self._come_back(line)
            case "left":
                self._at.pop(line["table"], None)
            case "told":  # the rest of a message whose events were told alone
                self._receive(line["message"])
            case "table" | "events" | "openings" | "decision":
                self._receive(line)
            case "ok" | "refused":
                self._answer(line)
            case "sit" | "watch":
                self._ends[line["table"]] = line.get("end")
                self._at.pop(line["table"], None)
            case _:
                actor = self._actor(line)
                if kind == "promise" and "id" in line:
                    self._asked[line["id"]] = line
                if actor is not None and kind is not None:
                    actor.act(line)

    def _begin(self, viewer: RecordedViewer) -> None:
        self.viewers.append(viewer)
        self._at[viewer.table] = self._latest = viewer

    def _viewer_of(self, line: Line) -> RecordedViewer:
        viewer = self._actor(line)
        if viewer is None:
            raise ValueError("nothing before it says who the viewer is")
        return viewer

    def _actor(self, line: Line) -> RecordedViewer | None:
        return self._latest if "table" not in line else self._at.get(line["table"])

    def _come_back(self, line: Line) -> None:
        if self._is_welcome:
            for viewer in self._at.values():
                viewer.act({"type": "dropped"})
            self._at = {table: viewer for table, viewer in self._at.items() if table in line.get("tables", self._at)}
        self._is_welcome = True

    def _answer(self, line: Line) -> None:
        asked = self._asked.pop(line["id"], None)
        if asked is not None and line["type"] == "ok" and (viewer := self._actor(asked)):
            viewer.act({"type": "counted"})

    def _receive(self, line: Line) -> None:
        for part in parts(_message(line)):
            table = getattr(part, "table", None)
            viewer = None if table is None else self._at.get(table)
            if isinstance(part, TableSnapshot) and (viewer is None or viewer.is_untold):
                self._show(part, viewer)
            elif viewer is not None:
                viewer.receive(part)

    def _show(self, snapshot: TableSnapshot, begun: RecordedViewer | None) -> None:
        """The table as it is when its viewer comes. `begun`: the viewer of a line of its own, which says more."""
        info, end = snapshot.info, self._ends.pop(snapshot.table, None)
        head = {
            "table": snapshot.table,
            "viewer": snapshot.viewer,
            "end": end,
            "game": info.game,
            "options": info.options,
        }
        head |= {"joins": info.is_in_play and end is None, "is_exhibition": info.is_exhibition}
        if begun is not None:
            self.viewers.remove(begun)
            head |= begun.head
        viewer = RecordedViewer(head, snapshot)
        self._begin(viewer)
        viewer.is_untold = False
        if snapshot.sealed is not None:
            viewer.join(snapshot.sealed, snapshot.links)


def blind_witness(begun: TableSnapshot, *, has_steps: bool = True) -> "BlindWitness | None":
    """The checks of a table that is dealt blind; None: it is not. `has_steps`: as for the witness.

    :raises ValueError: such deals cannot be checked here.
    """
    if begun.info.options.get("dealing", "sealed") == "sealed":
        return None
    if not IS_AVAILABLE:
        raise ValueError("this game was dealt blind, and coincurve, which checks that, is not installed")
    from put_client.fairness.blind_witness import BlindWitness  # noqa: PLC0415  # with coincurve

    return BlindWitness(begun, has_steps=has_steps)


def _message(line: Line) -> ServerMessage:
    """The message, also one of which a recording has not kept all that a table has to say of itself."""
    if "info" in line:
        info = {"id": line["table"], "options": {}, "seats": [], "clock": {}, **line["info"]}
        line = {**line, "info": info}
    message: ServerMessage = msgspec.convert(line, ServerMessage)
    return message


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else msgspec.convert(text, bytes)


def _converted(raw: object, kind: Callable[..., Any]) -> Any:
    return None if raw is None else msgspec.convert(raw, kind)
