"""`put-verify`: checks a recorded game, or evidence, from what its viewer received alone.

Evidence is what a client kept, or the page saved, in the form of docs/fair-dealing.md: a JSON object a line, each a
message as it travelled, or an event alone below a line that says who its viewer is.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from put_client.arguments import LocalizedParser
from put_client.fairness.verdict import FairnessVerdict, Witnessed
from put_client.settings import spoken
from put_client.sheet_replay import heading, load
from put_protocol.blind_events import BlindEntry, BlindOpened
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.messages import Act, Decision, Events, Resign, ServerMessage, TableSnapshot
from put_protocol.parts import parts
from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo
from put_protocol.text import printable
from put_runtime import exit_codes
from put_text.catalogue import LANGUAGE, say
from put_text.notation import NotationError, Sheet
from put_text.phrases import Speaker

Line = Mapping[str, Any]


class BadLine(ValueError):
    """A line that cannot be read; the sentence says which."""


class RecordedViewer:
    def __init__(self, head: Line, snapshot: TableSnapshot | None) -> None:
        """`head`: as in a line of `type` `viewer`; `snapshot`: the table as it was then, if it was told whole."""
        self.table: int = head["table"]
        self.viewer: Viewer = msgspec.convert(head["viewer"], Viewer)
        self.head = head
        self.is_untold = True
        """Nothing was told since the line that says who the viewer is."""
        self._line = head.get("line")
        """The number of the last line; None: the lines have none."""
        info = snapshot.info if snapshot is not None else msgspec.convert(head["info"], TableInfo)
        if info.seats and self.viewer != GALLERY and not 0 <= self.viewer < len(info.seats):
            raise ValueError(f"its viewer is seat {self.viewer}, which the table does not have")
        begun = snapshot or TableSnapshot(table=self.table, viewer=self.viewer, number=0, info=info)
        self.witnessed = Witnessed(begun, knows_acts=head.get("knows_acts", False))
        self._now = 0.0
        """Time by the viewer's own clock, as the file has it."""
        self._events: list[Event] = []
        """Events that were told alone, and are still to be compared: a line does not say which came together."""

    def follows(self, line: Line) -> bool:
        """True if no line is missing before this one. Where one is, nothing can be said of all that comes after it."""
        witnessed = self.witnessed
        if self._line is not None and witnessed.cut is None:
            if line.get("line") == self._line + 1:
                self._line += 1
            else:
                witnessed.cut = self._line
        return witnessed.cut is None

    def act(self, line: Line) -> None:
        """Something that the viewer did, or that the server answered them."""
        self.settle()
        referee = self.witnessed.referee
        match line["type"]:
            case "span":
                self.is_untold = False
                self.witnessed.resume(msgspec.convert(line["data"], bytes))
            case "dropped":
                referee.lose()
            case "act":
                referee.send(Act(1, self.table, 1, msgspec.convert(line["action"], Action)))
            case "known":  # to the viewer, before what follows
                referee.know(msgspec.convert(line["purses"], list[int | None]), ends=float(line["ends"]))
                self._now = float(line["now"])
            case "view":  # in place of the one that follows
                shown = msgspec.convert(line["view"], GameView)
                self.witnessed.compare(Events(table=self.table, first=1, events=(), view=shown))
            case "gives_up":
                referee.send(Resign(1, self.table))
            case _:
                pass

    def hear(self, event: Event) -> None:
        """An event that is told alone."""
        if isinstance(event, BlindEntry | BlindOpened):
            self.settle()  # a step comes ahead of what it makes happen
        self.is_untold = False
        self.witnessed.take(event)
        self._events.append(event)

    def settle(self) -> None:
        """Compare the events that were told alone until here."""
        events, self._events = tuple(self._events), []
        if events:
            self.witnessed.compare(Events(table=self.table, first=1, events=events), self._now)

    def receive(self, message: ServerMessage) -> None:
        self.is_untold = False
        self.settle()
        match message:
            case TableSnapshot():
                self.witnessed.come_back(message)
            case Decision():
                self.witnessed.compare(message)
            case Events():
                for event in message.events:
                    self.witnessed.take(event)
                self.witnessed.compare(message)
            case _:
                pass


_NO_LINE = (
    *(msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError),
    *(ArithmeticError, AssertionError, RecursionError),
)
"""Errors of a line that no viewer can have kept. Any other would end the program with the status of an unfair game."""


def read_lines(lines: Iterable[bytes]) -> list[RecordedViewer]:
    """The viewers of a recording, each with what was found.

    :raises BadLine: one cannot be read.
    """
    viewers: list[RecordedViewer] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                _take(viewers, msgspec.json.decode(line))
            except _NO_LINE as error:
                raise BadLine(f"line {number}: {error}") from None
    for viewer in viewers:
        viewer.settle()
    return viewers


def _take(viewers: list[RecordedViewer], line: Line) -> None:
    kind = "event" if "event" in line else line.get("type")
    viewer = viewers[-1] if viewers else None
    match kind:
        case "viewer":
            viewers.append(RecordedViewer(line, None))
        case _ if viewer is not None and not viewer.follows(line):
            pass
        case "table" if viewer is None or viewer.is_untold:  # a line of its own before it says more of the viewer
            head = line if viewer is None else {**viewer.head, "line": line.get("line")}
            snapshot = _message(line)
            assert isinstance(snapshot, TableSnapshot)
            viewers[-1:] = [RecordedViewer(head, snapshot)]
            viewers[-1].is_untold = False
        case _ if viewer is None:
            raise ValueError("nothing before it says who the viewer is")
        case "event":
            viewer.hear(msgspec.convert(line, Event))
        case (
            "told" | "table" | "events" | "decision"
        ):  # the first is the rest of a message whose events were told alone
            for part in parts(_message(line["message"] if kind == "told" else line)):
                viewer.receive(part)
        case _ if kind is not None:
            viewer.act(line)
        case _:
            pass


def _message(line: Line) -> ServerMessage:
    """The message, also one of which a recording has not kept all that a table has to say of itself."""
    if "info" in line:
        info = {"id": line["table"], "options": {}, "seats": [], "clock": {}, **line["info"]}
        line = {**line, "info": info}
    message: ServerMessage = msgspec.convert(line, ServerMessage)
    return message


UNFAIR = 1
"""The exit status where a check fails."""

UNPROVED = 2
"""The exit status where no check fails, and not every deal is proved."""


def verify(sheet: Sheet) -> FairnessVerdict:
    """Check a game by its rules. The steps of its deals, and its viewer's acts, are not in the file."""
    seats = tuple([SeatInfo(name) for name in sheet.names])
    info = TableInfo(
        sheet.table,
        sheet.game,
        dict(sheet.options),
        seats,
        ClockInfo(),
        games=sheet.number - 1,
        is_exhibition=sheet.is_exhibition,
    )
    begun = TableSnapshot(table=sheet.table, viewer=sheet.viewer, number=0, info=info)
    witnessed = Witnessed(begun, knows_acts=False, has_steps=False)
    witnessed.compare(Events(table=sheet.table, first=1, events=(GameStarted(sheet.number, sheet.names),)))
    for step in sheet.steps:
        witnessed.compare(Events(table=sheet.table, first=1, events=step.events))
    return witnessed.verdict()


def parser() -> LocalizedParser:
    statuses = say("verify-statuses", unfair=UNFAIR, unproved=UNPROVED)
    flags = LocalizedParser(prog="put-verify", description=say("verify-about"), epilog=statuses)
    flags.add_argument("file", type=Path, help=say("verify-file"))
    return flags


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    LANGUAGE.set(spoken("", os.environ))
    given = parser().parse_args(arguments)
    file: Path = given.file
    try:
        with file.open("rb") as opened:
            if opened.read(1) == b"{":
                sys.exit(_verify_lines(chain([b"{" + opened.readline()], opened)))
        sheet = load(file)
    except (NotationError, BadLine) as error:
        sys.exit(_complain(file, f"{error}", exit_codes.DATAERR))
    except OSError as error:
        sys.exit(_complain(file, f"{error.strerror}", exit_codes.NOINPUT))
    verdict = verify(sheet)
    for says in (heading(sheet), *verdict.says):
        print(says)
    sys.exit(_status([verdict]))


def _verify_lines(lines: Iterator[bytes]) -> int:
    """Check a recording, and say what each of its viewers can know. Returns the exit status.

    :raises BadLine: it cannot be read.
    """
    verdicts = []
    for viewer in read_lines(lines):
        verdicts.append(viewer.witnessed.verdict())
        seat = None if viewer.viewer == GALLERY else viewer.viewer
        begins = Speaker((), GALLERY).say("verify-seen", table=viewer.table, seat=seat)
        for says in (begins, *verdicts[-1].says):
            print(says)
    return _status(verdicts)


def _status(verdicts: Sequence[FairnessVerdict]) -> int:
    if any(verdict.failures for verdict in verdicts):
        return UNFAIR
    return exit_codes.OK if verdicts and all(verdict.is_proved for verdict in verdicts) else UNPROVED


def _complain(file: Path, says: str, code: int) -> int:
    print(f"put-verify: {printable(str(file))}: {says}.", file=sys.stderr)
    return code
