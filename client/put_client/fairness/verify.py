"""`put-verify`: checks the sealed deals of a recorded game, from what its viewer received alone."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from put_client.fairness.fairness_text import called_off, not_proved
from put_client.replay import heading, load
from put_protocol.deal_steps import begins_deal, is_draw
from put_protocol.games.unions import Event
from put_protocol.seal.checker import Checker
from put_protocol.seal.findings import DealSummary, Failure, Proof, Stage, Tally, Unproved
from put_protocol.seal.terms import terms_of
from put_protocol.seal_events import Openings, Sealed
from put_protocol.table_events import seated_names
from put_protocol.text import counted, printable
from put_runtime import exit_codes
from put_runtime.command_line import Parser
from put_text.notation import NotationError, Sheet
from put_text.phrases import Names, format_cards, format_seats

UNFAIR = 1
"""The exit status where a check fails."""

UNPROVED = 2
"""The exit status where no check fails, and not every deal is proved."""


class SheetVerdict(NamedTuple):
    """The result of checking a game."""

    says: tuple[str, ...]
    """A sentence or more for each deal, in their order, and one for all of them."""
    failures: tuple[Failure, ...]
    is_proved: bool
    """True if there were deals and every one is proved."""


class _Deal(NamedTuple):
    """A deal and its seal."""

    what: str
    sealed: int | None
    unproved: Unproved | None
    names: Names
    """Names of the players at that time."""


def verify(sheet: Sheet) -> SheetVerdict:
    """Check every deal. The viewer's own chain of cuts is not in the file, so their cuts are checked as a witness's."""
    checker = Checker(
        sheet.table,
        sheet.viewer,
        terms=terms_of(sheet.game, sheet.options),
        is_exhibition=sheet.is_exhibition,
        is_witness=True,
    )
    names = sheet.names
    deals: list[_Deal] = []
    failures: list[Failure] = []
    for one in _received(sheet):
        failures += checker.check(one)
        if isinstance(one, Openings):
            continue
        names = seated_names(names, one)
        if isinstance(one, Sealed):
            deals.append(_Deal("a new stock" if one.stock else "", one.deal, None, names))
        elif begins_deal(steps := one.deal_steps()):
            what = "the draw for the deal" if is_draw(steps) else f"hand {getattr(one, 'hand', '')}".rstrip()
            if checker.unproved is not None:
                deals.append(_Deal(what, None, checker.unproved, names))
            elif deals:
                deals[-1] = deals[-1]._replace(what=what)
    summaries = {summary.deal: summary for summary in checker.deals}
    said = [_in_words(deal, summaries.get(deal.sealed or 0), sheet) for deal in deals]
    said += [f"NOT FAIR: {failure.says}" for failure in failures]
    is_proved = not failures and checker.tally.proved == checker.tally.dealt > 0
    return SheetVerdict((*said, *_all(checker.tally, failures)), tuple(failures), is_proved)


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


def _in_words(deal: _Deal, summary: DealSummary | None, sheet: Sheet) -> str:
    if summary is not None:
        return _sealed(deal, summary, sheet)
    if deal.sealed is not None:
        return f"Deal {deal.sealed}: its seal is no good, so nothing of it can be checked."
    what = f"{deal.what[0].upper()}{deal.what[1:]}"
    return f"{what}: not proved, because there is no seal of it here."


def _sealed(deal: _Deal, summary: DealSummary, sheet: Sheet) -> str:
    head = f"Deal {summary.deal}{f', {deal.what}' if deal.what else ''}"
    if summary.stage is Stage.VOID:
        return called_off(summary, deal.names, sheet.viewer)
    cutters = format_seats(summary.cutters, deal.names, sheet.viewer) if summary.cutters else "nobody"
    if summary.stage is Stage.SEALED:
        return f"{head}: sealed, for {cutters} to cut, and not dealt."
    said = [f"{summary.words}", f"cut by {cutters}"]
    for proof, says in ((Proof.PROVED, "proved"), (Proof.AWAITED, "not yet proved"), (Proof.FAILED, "NOT PROVED")):
        cards = [card.card for card in summary.cards if card.proof is proof]
        if proof is Proof.FAILED and cards:
            said.append(f"{says}: {format_cards(cards)}")
        elif cards:
            said.append(f"{counted(len(cards), 'card')} {says}")
    said.append("the other pack is whole" if summary.is_turned else "the other pack was NOT TURNED UP")
    if summary.is_whole:
        said.append("so is this one, which was opened after the game")
    if summary.unproved is not None:
        said.append(not_proved(summary.unproved).removesuffix("."))
    return f"{head}: {'; '.join(said)}."


def _all(tally: Tally, failures: Sequence[Failure]) -> Iterator[str]:
    """A sentence about all deals together."""
    if failures:
        yield f"This game was not dealt fairly, or this is not what was told of it: {len(failures)} found."
    elif not tally.dealt:
        yield "Nothing was dealt here, so nothing can be said of it."
    elif tally.proved == tally.dealt:
        yield "Every deal is proved, as far as its viewer saw it."
    elif not tally.proved:
        yield "Nothing is wrong with what is here, and nothing is proved."
    else:
        yield f"Nothing is wrong with what is here; {tally.proved} of {tally.dealt} deals are proved."


def parser() -> Parser:
    flags = Parser(
        prog="put-verify",
        description="Check the sealed deals of a game of Put, written down as its viewer was told it.",
        epilog=f"The exit status is 0 if every deal is proved, {UNFAIR} if something does not hold, and {UNPROVED} if "
        "nothing is wrong and not every deal is proved.",
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
    sys.exit(UNFAIR if verdict.failures else exit_codes.OK if verdict.is_proved else UNPROVED)


def _complain(file: Path, says: str, code: int) -> int:
    print(f"put-verify: {printable(str(file))}: {says}.", file=sys.stderr)
    return code
