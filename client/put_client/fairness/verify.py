"""`put-verify`: checks a recorded game, or evidence, from what its viewer received alone."""

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NoReturn

from put_client.fairness.recorded import BadLine, read_lines
from put_client.fairness.verdict import FairnessVerdict, Witnessed
from put_client.localized_parser import LocalizedParser
from put_client.settings import spoken
from put_client.sheet_replay import heading, load
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import GALLERY
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo
from put_protocol.text import printable
from put_runtime import exit_codes
from put_text.catalogue import LANGUAGE, say
from put_text.notation import NotationError, Sheet
from put_text.phrases import Speaker

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
    """Verify a file; the process ends with it."""
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
