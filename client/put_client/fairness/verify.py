"""`put-verify`: checks a recorded game, or evidence, from what its viewer received alone."""

import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NoReturn

import msgspec

from put_client.fairness.recorded import BadLine, blind_witness, read_lines
from put_client.fairness.referee import Referee
from put_client.fairness.verdict import Verdict, Witnessed
from put_client.replay import heading, load
from put_protocol.games.unions import Event
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seal.checker import Checker
from put_protocol.seal.terms import terms_of
from put_protocol.seal_events import Openings
from put_protocol.seats import GALLERY
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo
from put_protocol.text import printable
from put_runtime import exit_codes
from put_runtime.command_line import Parser
from put_text.notation import NotationError, Sheet

UNFAIR = 1
"""The exit status where a check fails."""

UNPROVED = 2
"""The exit status where no check fails, and not every deal is proved."""


def verify(sheet: Sheet) -> Verdict:
    """Check every deal, and the game by its rules. The viewer's own chain of cuts and acts are not in the file, so they
    are checked as a witness's."""
    checker = Checker(
        sheet.table,
        sheet.viewer,
        terms=terms_of(sheet.game, sheet.options),
        is_exhibition=sheet.is_exhibition,
        is_witness=True,
    )
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
    witnessed = Witnessed(
        checker, Referee(begun, knows_acts=False), sheet.viewer, sheet.names, blind_witness(begun, has_steps=False)
    )
    witnessed.compare(Events(table=sheet.table, first=1, events=(GameStarted(sheet.number, sheet.names),)))
    for step in sheet.steps:
        for opened in step.openings:
            witnessed.take(opened)
        for event in step.events:
            witnessed.take(event)
        witnessed.compare(Events(table=sheet.table, first=1, events=step.events))
    return witnessed.verdict()


def _received(sheet: Sheet) -> Iterator[Openings | Event]:
    """Everything the viewer received, in order."""
    for step in sheet.steps:
        yield from step.openings
        yield from step.events


def lines_of(sheet: Sheet) -> Iterator[bytes]:
    """The game for another verifier, `scripts/verify/verify.mjs`: a JSON object a line."""
    head = {
        "type": "viewer",
        "table": sheet.table,
        "viewer": sheet.viewer,
        "game": sheet.game,
        "options": sheet.options,
        "is_exhibition": sheet.is_exhibition,
        "is_witness": True,
    }
    yield msgspec.json.encode(head)
    yield from map(msgspec.json.encode, _received(sheet))


def parser() -> Parser:
    flags = Parser(
        prog="put-verify",
        description="Check a game as its viewer was told it: its sealed deals, and by the rules all that happened in "
        "it. The file is in Put notation, or evidence that a client kept or the page saved.",
        epilog=f"The exit status is 0 if every deal is proved, {UNFAIR} if something does not hold, and {UNPROVED} if "
        "nothing is wrong and not every deal is proved.",
    )
    flags.add_argument("file", type=Path, help="the game, in Put notation or as lines of JSON")
    flags.add_argument(
        "--lines",
        action="store_true",
        help="check nothing, and write what was told for another verifier: JSON, an object a line",
    )
    return flags


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Verify a file; the process ends with it."""
    given = parser().parse_args(arguments)
    file: Path = given.file
    try:
        with file.open("rb") as opened:
            if opened.read(1) == b"{" and not given.lines:
                sys.exit(_verify_lines(chain([b"{" + opened.readline()], opened)))
        sheet = load(file)
    except (NotationError, BadLine) as error:
        sys.exit(_complain(file, f"{error}", exit_codes.DATAERR))
    except OSError as error:
        sys.exit(_complain(file, f"{error.strerror}", exit_codes.NOINPUT))
    if given.lines:
        for line in lines_of(sheet):
            print(line.decode())
        sys.exit(exit_codes.OK)
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
        seen = "from the gallery" if viewer.viewer == GALLERY else f"as seat {viewer.viewer} (you) saw it"
        for says in (f"Table {viewer.table}, {seen}.", *verdicts[-1].says):
            print(says)
    return _status(verdicts)


def _status(verdicts: Sequence[Verdict]) -> int:
    if any(verdict.failures for verdict in verdicts):
        return UNFAIR
    return exit_codes.OK if verdicts and all(verdict.is_proved for verdict in verdicts) else UNPROVED


def _complain(file: Path, says: str, code: int) -> int:
    print(f"put-verify: {printable(str(file))}: {says}.", file=sys.stderr)
    return code
