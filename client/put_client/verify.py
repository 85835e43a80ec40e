"""`put-verify`: a game in Put notation, its sealed deals checked by nothing but what its viewer was told."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from put_client.replay import heading, load
from put_protocol.english import Names, hand_in_words, seats_in_words
from put_protocol.events import Dealt, Drawn, Event
from put_protocol.following import seated
from put_protocol.notation import NotationError, Sheet
from put_protocol.seal.checking import Checker
from put_protocol.seal.findings import DealSummary, Failure, Proof, Stage
from put_protocol.seal.told import Openings, Sealed
from put_protocol.text import printable

UNFAIR = 1
"""The exit status where something does not hold, as of programs that compare."""


class Verdict(NamedTuple):
    """What there is to say of a game."""

    says: tuple[str, ...]
    """A sentence or more a deal, in their order, and one of all of them."""
    failures: tuple[Failure, ...]


class _Deal(NamedTuple):
    """Cards that were dealt, and the seal they had."""

    what: str
    sealed: int | None
    names: Names
    """Of those who sat there then."""


def verify(sheet: Sheet) -> Verdict:
    """Check every deal of it. Whoever plays a game cuts from a chain; of the viewer's own nothing is known here."""
    checker = Checker(sheet.table, sheet.viewer, is_witness=True)
    names = sheet.names
    deals: list[_Deal] = []
    failures: list[Failure] = []
    for one in _told(sheet):
        failures += checker.take(one)
        if isinstance(one, Openings):
            continue
        names = seated(names, one)
        if isinstance(one, Sealed):
            deals.append(_Deal("", one.deal, names))
        elif isinstance(one, Dealt | Drawn):
            what = f"hand {one.hand}" if isinstance(one, Dealt) else "the draw for the deal"
            if checker.is_unsealed:
                deals.append(_Deal(what, None, names))
            elif deals:
                deals[-1] = deals[-1]._replace(what=what)
    said = []
    for deal in deals:
        summary = None if deal.sealed is None else checker.summary(deal.sealed)
        said.append(_unsealed(deal) if summary is None else _sealed(deal, summary, sheet))
    said += [f"NOT FAIR: {failure.says}" for failure in failures]
    return Verdict((*said, _all(deals, failures)), tuple(failures))


def _told(sheet: Sheet) -> Iterator[Openings | Event]:
    """All of it, in the order in which it came."""
    for step in sheet.steps:
        yield from step.openings
        yield from step.events


def lines_of(sheet: Sheet) -> Iterator[bytes]:
    """The same for another verifier, `scripts/verify/verify.mjs`: a JSON object a line."""
    yield msgspec.json.encode({"type": "viewer", "table": sheet.table, "viewer": sheet.viewer, "is_witness": True})
    yield from map(msgspec.json.encode, _told(sheet))


def _unsealed(deal: _Deal) -> str:
    if deal.sealed is not None:
        return f"Deal {deal.sealed}: it was sealed for what is no pack of cards."
    return f"{deal.what[0].upper()}{deal.what[1:]}: there is no seal of it here, so nothing of it can be checked."


def _sealed(deal: _Deal, summary: DealSummary, sheet: Sheet) -> str:
    head = f"Deal {summary.deal}{f', {deal.what}' if deal.what else ''}"
    if summary.stage is Stage.VOID:
        return f"{head}: void; nothing of it counts."
    cutters = seats_in_words(summary.cutters, deal.names, sheet.viewer) if summary.cutters else "nobody"
    if summary.stage is Stage.SEALED:
        return f"{head}: sealed, for {cutters} to cut, and not dealt."
    said = [f"{summary.words}", f"cut by {cutters}"]
    for proof, says in ((Proof.PROVED, "proved"), (Proof.AWAITED, "not yet proved"), (Proof.FAILED, "NOT PROVED")):
        cards = [card.card for card in summary.cards if card.proof is proof]
        if proof is Proof.FAILED and cards:
            said.append(f"{says}: {hand_in_words(cards)}")
        elif cards:
            said.append(f"{len(cards)} card{'' if len(cards) == 1 else 's'} {says}")
    said.append("the other pack is whole" if summary.is_turned else "the other pack was NOT TURNED UP")
    if summary.is_whole:
        said.append("so is this one, which was opened after the game")
    return f"{head}: {'; '.join(said)}."


def _all(deals: Sequence[_Deal], failures: Sequence[Failure]) -> str:
    bare = sum(deal.sealed is None for deal in deals)
    if failures:
        return f"This game was not dealt fairly, or this is not what was told of it: {len(failures)} found."
    if not bare:
        return "Every deal is fair, as far as its viewer saw it."
    if bare == len(deals):
        return "Nothing here was sealed, so nothing can be said of it."
    return f"What was sealed is fair, as far as its viewer saw it; {bare} of {len(deals)} deals were not."


# --- the command -----------------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(os.EX_USAGE, f"{self.prog}: {message}\n{self.format_usage()}")


def parser() -> argparse.ArgumentParser:
    """Every flag."""
    flags = _Parser(
        prog="put-verify",
        description="Check the sealed deals of a game of Put, written down as its viewer was told it.",
        epilog=f"The exit status is 0 if nothing is wrong, {UNFAIR} if something does not hold.",
    )
    flags.add_argument("file", type=Path, help="the game, in Put notation")
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
        sheet = load(file)
    except NotationError as error:
        sys.exit(_complain(file, f"{error}", os.EX_DATAERR))
    except OSError as error:
        sys.exit(_complain(file, f"{error.strerror}", os.EX_NOINPUT))
    if given.lines:
        for line in lines_of(sheet):
            print(line.decode())
        sys.exit(os.EX_OK)
    verdict = verify(sheet)
    for says in (heading(sheet), *verdict.says):
        print(says)
    sys.exit(UNFAIR if verdict.failures else os.EX_OK)


def _complain(file: Path, says: str, code: int) -> int:
    print(f"put-verify: {printable(str(file))}: {says}.", file=sys.stderr)
    return code
