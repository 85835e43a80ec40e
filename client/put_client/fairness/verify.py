"""`put-verify`: checks a recorded game, or evidence, using only what its viewer received.

A third party has no key. The file contains the own cards of its player as cards. All cards shown to others must be
opened by the transcript of the deal.

Evidence was saved by a client or the page, in the format of docs/fair-dealing.md: one JSON object a line, each a
message as sent, or a single event after a line with its viewer.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec
from msgspec.structs import replace

from put_client.arguments import LocalizedParser
from put_client.fairness.fairness_text import in_sentences
from put_client.fairness.referee import Referee
from put_client.places import shown
from put_client.sdk.blind_table import BlindTable, Unsound
from put_client.sdk.deal_checks import DealSummary
from put_client.sdk.errors import Objection
from put_client.settings import spoken
from put_client.sheet_replay import heading, load
from put_protocol.blind import IS_AVAILABLE
from put_protocol.blind_events import BlindEntry, BlindOpened
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.messages import Act, Decision, Events, Resign, ServerMessage, TableSnapshot
from put_protocol.parts import parts
from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_events import GameStarted, seated_names
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo
from put_protocol.text import printable
from put_runtime import exit_codes
from put_text.catalogue import LANGUAGE, say
from put_text.notation import NotationError, Sheet
from put_text.phrases import Speaker
from put_text.translated import in_own_words

Line = Mapping[str, Any]


class FairnessVerdict(NamedTuple):
    says: tuple[str, ...]
    """One or more sentences for each deal, in order, and one for all of them."""
    failures: tuple[Objection, ...]
    is_proved: bool
    """True if there were deals and all are proved."""


class Witness:
    """A viewer of a table. Everything that they received is checked in its order, up to the first failure."""

    def __init__(self, begun: TableSnapshot, *, knows_acts: bool, has_steps: bool = True) -> None:
        """`begun`: the table when the viewer came. `knows_acts`: the viewer's acts are included. `has_steps`: the file
        has the steps of its deals; a sheet has none.

        :raises ValueError: such deals cannot be checked here.
        """
        self.viewer = begun.viewer
        self.deals = BlindTable(begun, None)
        is_blind = begun.info.options.get("dealing") == "blind"
        if is_blind and has_steps and not IS_AVAILABLE:
            raise ValueError("this game was dealt blind, and coincurve, which checks that, is not installed")
        self._has_steps = has_steps
        self._is_plain = begun.info.options.get("dealing") == "plain"
        signed = self.deals.signed_acts if is_blind and has_steps else None
        self._referee = Referee(begun, knows_acts=knows_acts, signed=signed)
        self.failures: list[Objection] = []
        self.cut: int | None = None
        """Number of the last line before a missing one: the file is incomplete."""
        self._now = 0.0
        """Time by the viewer's clock, from the file."""
        self._events: list[Event] = []
        """Single events still to be compared: a line does not show which came together."""
        self._names = tuple([seat.name or "" for seat in begun.info.seats])
        self._said: list[str] = []
        self._deal: DealSummary | None = None
        self._blames = 0
        self._has_begun = False
        self._is_partial = False
        """The first game goes on from a state."""

    def hear(self, event: Event) -> None:
        """Take an event that is a line of its own."""
        if isinstance(event, BlindEntry | BlindOpened):
            self.settle()  # a step comes ahead of what it makes happen
        self._take(event)
        self._events.append(event)

    def settle(self) -> None:
        """Compare the single events so far."""
        events, self._events = tuple(self._events), []
        if events:
            self._compare(Events(table=self.deals.table, first=1, events=events), self._now)

    def receive(self, message: ServerMessage) -> None:
        """Take a whole message."""
        self.settle()
        if self.failures:
            return
        match message:
            case TableSnapshot():
                with self._checking():
                    self.deals.read(message)
                # Events in a file have no numbers, so the time between counts as missed.
                self._compare(replace(message, number=-1))
            case Events():
                for event in message.events:
                    self._take(event)
                self._compare(message)
            case Decision():
                self._compare(message)
            case _:
                pass

    def act(self, line: Line) -> None:
        """Take a line of the viewer's own: an act, or what they know."""
        self.settle()
        if self.failures:
            return
        match line["type"]:
            case "span":
                self._is_partial = self._is_partial or not self._has_begun
                with self._checking():
                    self.deals.resume(msgspec.convert(line["data"], bytes))
                    self._examine()
            case "dropped":
                self._referee.lose()
            case "act":
                self._referee.send(Act(1, self.deals.table, 1, msgspec.convert(line["action"], Action)))
            case "known":  # to the viewer, before what follows
                self._referee.know(msgspec.convert(line["purses"], list[int | None]), ends=float(line["ends"]))
                self._now = float(line["now"])
            case "view":  # in place of the one that follows
                shown = msgspec.convert(line["view"], GameView)
                self._compare(Events(table=self.deals.table, first=1, events=(), view=shown))
            case "gives_up":
                self._referee.send(Resign(1, self.deals.table))
            case _:
                pass

    @contextmanager
    def _checking(self) -> Iterator[None]:
        """Note a flaw that is found in this block."""
        try:
            yield
        except Unsound as flaw:
            self.failures.append(Objection(str(flaw), self.deals.number))

    def _take(self, event: Event) -> None:
        """Check an event's part in the deals."""
        if self.failures or not self._has_steps:
            return
        self._names = seated_names(self._names, event)
        self._has_begun = self._has_begun or isinstance(event, GameStarted)
        if isinstance(event, GameStarted) and event.plain:
            self._said.append(say("verify-plain", game=event.game, why=printable(in_own_words(event.plain))))
        with self._checking():
            self.deals.read(Events(table=self.deals.table, first=1, events=(event,)))
            self._examine()
            self._note()

    def _examine(self) -> None:
        game = self.deals.game
        for deal in () if game is None else game.unexamined():
            assert game is not None
            game = game.with_examined(deal.examined())
        self.deals.game = game
        if (says := self.deals.wrong_shuffle()) is not None:
            raise Unsound(says)

    def _note(self) -> None:
        """Note the state of the deal in play, and report the one before it."""
        for deal in self.deals.summaries(self._blames):
            if self._deal is not None and self._deal.key != deal.key:
                self._tell_deal()
            if deal.blamed is not None:
                self._said += in_sentences(deal, self._names, self.viewer)
            elif not deal.awaited and deal.shufflers:
                self._deal = deal
        self._blames = len(self.deals.blames)

    def _tell_deal(self) -> None:
        if self._deal is not None:
            self._said += in_sentences(self._deal, self._names, self.viewer)
        self._deal = None

    def _compare(self, message: TableSnapshot | Events | Decision, now: float = 0.0) -> None:
        """Compare a message about the game with the rules. `now`: as in the referee."""
        if self.failures:
            return
        if any(blame.seat == self.viewer for blame in self.deals.blames):
            self._referee.may_leave = True
        flaw = self._referee.receive(message, now)
        if flaw is not None:
            self.failures.append(Objection(flaw, self.deals.number))

    def verdict(self) -> FairnessVerdict:
        self._tell_deal()
        before = [say("verify-partial")] if self._is_partial else []
        said = [*before, *self._said, *[say("verify-fault", fault=failure.says) for failure in self.failures]]
        proved, dealt = self.deals.counts[None], self.deals.counts.total()
        is_proved = not self.failures and 0 < proved == dealt and self.cut is None
        if self.cut is not None:
            said.append(say("verify-cut", line=self.cut))
        if self.failures:
            said.append(say("verify-unfair"))
        elif not self._has_steps:
            said.append(say("verify-by-rules", plain=self._is_plain))
        elif not dealt:
            said.append(say("verify-nothing"))
        elif is_proved:
            said.append(say("verify-proved"))
        else:
            said.append(say("verify-some-proved", proved=proved, dealt=dealt))
        return FairnessVerdict(tuple(said), tuple(self.failures), is_proved)


class BadLine(ValueError):
    """An unreadable line; the sentence names it."""


_NO_LINE = (
    *(msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError),
    *(ArithmeticError, AssertionError, RecursionError),
)
"""Errors of a line that no viewer can have saved. Otherwise the program would end with the status of an unfair game."""


def read_lines(lines: Iterable[bytes]) -> list[Witness]:
    """The viewers of a recording, each with its results.

    :raises BadLine: a line is unreadable.
    """
    recording = _Recording()
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                recording.take(msgspec.json.decode(line))
            except _NO_LINE as error:
                raise BadLine(f"line {number}: {error}") from None
    for viewer in recording.viewers:
        viewer.settle()
    return recording.viewers


class _Recording:
    """Lines of a file, for the viewer whom the last line with a viewer names."""

    def __init__(self) -> None:
        self.viewers: list[Witness] = []
        self._head: Line = {}
        self._is_untold = False
        """No message since the line with the viewer."""
        self._last: int | None = None
        """Number of the last line; None: lines have no numbers."""

    def take(self, line: Line) -> None:
        kind = "event" if "event" in line else line.get("type")
        viewer = self.viewers[-1] if self.viewers else None
        match kind:
            case "viewer":
                self.viewers.append(_witness(line, None))
                self._head, self._is_untold, self._last = line, True, line.get("line")
                return
            case _ if viewer is not None and not self._follows(viewer, line):
                return
            case "table" if viewer is None or self._is_untold:  # before it says more of the viewer
                head = self._head if viewer else line
                snapshot = _message(line)
                assert isinstance(snapshot, TableSnapshot)
                self.viewers[-1:] = [_witness(head, snapshot)]
                self._last = line.get("line")
            case _ if viewer is None:
                raise ValueError("nothing before it says who the viewer is")
            case "event":
                viewer.hear(msgspec.convert(line, Event))
            case "told" | "table" | "events" | "decision":  # `told`: a message whose events were added separately
                for part in parts(_message(line["message"] if kind == "told" else line)):
                    viewer.receive(part)
            case None:
                return
            case _:
                viewer.act(line)
                self._is_untold = self._is_untold and kind != "span"
                return
        self._is_untold = False

    def _follows(self, viewer: Witness, line: Line) -> bool:
        """True if no line is missing before this one. After a missing line nothing can be checked."""
        if self._last is not None and viewer.cut is None:
            if line.get("line") == self._last + 1:
                self._last += 1
            else:
                viewer.cut = self._last
        return viewer.cut is None


def _witness(head: Line, snapshot: TableSnapshot | None) -> Witness:
    """`head`: a line of `type` `viewer`; `snapshot`: the whole table then, if sent."""
    table, viewer = head["table"], msgspec.convert(head["viewer"], Viewer)
    info = snapshot.info if snapshot is not None else msgspec.convert(head["info"], TableInfo)
    if info.seats and viewer != GALLERY and not 0 <= viewer < len(info.seats):
        raise ValueError(f"its viewer is seat {viewer}, which the table does not have")
    begun = snapshot or TableSnapshot(table=table, viewer=viewer, number=0, info=info)
    return Witness(begun, knows_acts=head.get("knows_acts", False))


def _message(line: Line) -> ServerMessage:
    """The message, even if the recording lacks some fields of the table."""
    if "info" in line:
        info = {"id": line["table"], "options": {}, "seats": [], "clock": {}, **line["info"]}
        line = {**line, "info": info}
    message: ServerMessage = msgspec.convert(line, ServerMessage)
    return message


UNFAIR_STATUS = 1

UNPROVED = 2
"""Exit status if no check fails but some deals are not proved."""


def verify(sheet: Sheet) -> FairnessVerdict:
    """Check a game by its rules. The file lacks the steps of its deals and its viewer's acts."""
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
    viewer = Witness(begun, knows_acts=False, has_steps=False)
    for events in ((GameStarted(sheet.number, sheet.names),), *[step.events for step in sheet.steps]):
        viewer.receive(Events(table=sheet.table, first=1, events=events))
    return viewer.verdict()


def parser() -> LocalizedParser:
    statuses = say("verify-statuses", unfair=UNFAIR_STATUS, unproved=UNPROVED)
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
    """Check a recording, and print the results of each viewer. Returns the exit status.

    :raises BadLine: it is unreadable.
    """
    verdicts = []
    for viewer in read_lines(lines):
        verdicts.append(viewer.verdict())
        seat = None if viewer.viewer == GALLERY else viewer.viewer
        begins = Speaker((), GALLERY).say("verify-seen", table=viewer.deals.table, seat=seat)
        for says in (begins, *verdicts[-1].says):
            print(says)
    return _status(verdicts)


def _status(verdicts: Sequence[FairnessVerdict]) -> int:
    if any(verdict.failures for verdict in verdicts):
        return UNFAIR_STATUS
    return exit_codes.OK if verdicts and all(verdict.is_proved for verdict in verdicts) else UNPROVED


def _complain(file: Path, says: str, code: int) -> int:
    print(f"put-verify: {shown(file)}: {says}.", file=sys.stderr)
    return code
