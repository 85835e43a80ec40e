"""Verdict on all that one viewer was told of a table: each deal in words, and everything that does not hold."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from put_client.fairness.fairness_text import called_off, not_proved
from put_client.fairness.referee import Referee
from put_protocol.deal_steps import begins_deal, is_draw
from put_protocol.games.unions import Event
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.seal.checker import Checker
from put_protocol.seal.findings import DealSummary, Failure, Objection, Proof, Stage, Tally, Unproved
from put_protocol.seal_events import Openings, Sealed
from put_protocol.seats import Viewer
from put_protocol.table_events import seated_names
from put_protocol.text import counted
from put_text.phrases import Names, format_cards, format_seats

if TYPE_CHECKING:  # with coincurve, which may be missing
    from put_client.fairness.blind_witness import BlindWitness


class Verdict(NamedTuple):
    """The result of checking a game."""

    says: tuple[str, ...]
    """A sentence or more for each deal, in their order, and one for all of them."""
    failures: tuple[Failure | Objection, ...]
    is_proved: bool
    """True if there were deals and every one is proved."""


class _Deal(NamedTuple):
    """A deal and its seal."""

    what: str
    sealed: int | None
    unproved: Unproved | None
    names: Names
    """Names of the players at that time."""


class Witnessed:
    """Everything that a viewer was told, checked as it is taken."""

    def __init__(
        self,
        checker: Checker,
        referee: Referee | None,
        viewer: Viewer,
        names: tuple[str, ...],
        blind: "BlindWitness | None" = None,
    ) -> None:
        """`referee`: None where nothing is known of the table's rules. `names`: those of the players, by seat. `blind`:
        where the table is dealt blind."""
        self.blind = blind
        self.checker = checker
        self.failures: list[Failure | Objection] = []
        self._referee = referee
        self._viewer = viewer
        self._names = names
        self._deals: list[_Deal] = []

    def take(self, one: Openings | Event) -> None:
        """Check the proofs, or the seal of an event."""
        if self.blind is not None:
            if not isinstance(one, Openings):
                self.blind.take(one)
            return
        checker = self.checker
        self.failures += checker.check(one)
        if isinstance(one, Openings):
            return
        self._names = seated_names(self._names, one)
        if isinstance(one, Sealed):
            self._deals.append(_Deal("a new stock" if one.stock else "", one.deal, None, self._names))
        elif begins_deal(steps := one.deal_steps()):
            what = "the draw for the deal" if is_draw(steps) else f"hand {getattr(one, 'hand', '')}".rstrip()
            if checker.unproved is not None:
                self._deals.append(_Deal(what, None, checker.unproved, self._names))
            elif self._deals:
                self._deals[-1] = self._deals[-1]._replace(what=what)

    def compare(self, message: TableSnapshot | Events | Decision, now: float = 0.0) -> None:
        """Compare what a message tells of the game with its rules. `now`: as for the referee."""
        flaw = None if self._referee is None else self._referee.receive(message, now)
        if flaw is not None:
            self.failures.append(Objection(flaw))
            self._referee = None

    def verdict(self) -> Verdict:
        checker, failures = self.checker, self.failures
        if self.blind is not None:
            return self._blind_verdict(self.blind)
        summaries = {summary.deal: summary for summary in checker.deals}
        said = [_in_words(deal, summaries.get(deal.sealed or 0), self._viewer) for deal in self._deals]
        said += [f"NOT FAIR: {failure.says}" for failure in failures]
        is_proved = not failures and checker.tally.proved == checker.tally.dealt > 0
        return Verdict((*said, *_all(checker.tally, failures)), tuple(failures), is_proved)

    def _blind_verdict(self, blind: "BlindWitness") -> Verdict:
        failures = [*([] if blind.flaw is None else [Objection(str(blind.flaw))]), *self.failures]
        said = [*blind.says(), *[f"NOT FAIR: {failure.says}" for failure in failures]]
        if failures:
            said += _all(Tally(), failures)
        elif blind.deals:
            said.append("Every deal is proved, as far as its viewer saw it.")
        return Verdict(tuple(said), tuple(failures), not failures and blind.deals > 0)


def _in_words(deal: _Deal, summary: DealSummary | None, viewer: Viewer) -> str:
    if summary is not None:
        return _sealed(deal, summary, viewer)
    if deal.sealed is not None:
        return f"Deal {deal.sealed}: its seal is no good, so nothing of it can be checked."
    what = f"{deal.what[0].upper()}{deal.what[1:]}"
    return f"{what}: not proved, because there is no seal of it here."


def _sealed(deal: _Deal, summary: DealSummary, viewer: Viewer) -> str:
    head = f"Deal {summary.deal}{f', {deal.what}' if deal.what else ''}"
    if summary.stage is Stage.VOID:
        return called_off(summary, deal.names, viewer)
    cutters = format_seats(summary.cutters, deal.names, viewer) if summary.cutters else "nobody"
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


def _all(tally: Tally, failures: Sequence[Failure | Objection]) -> Iterator[str]:
    """A sentence about all deals together."""
    if failures:
        yield f"This was not dealt or played fairly, or this is not what was told of it: {len(failures)} found."
    elif not tally.dealt:
        yield "Nothing was dealt here, so nothing can be said of it."
    elif tally.proved == tally.dealt:
        yield "Every deal is proved, as far as its viewer saw it."
    elif not tally.proved:
        yield "Nothing is wrong with what is here, and nothing is proved."
    else:
        yield f"Nothing is wrong with what is here; {tally.proved} of {tally.dealt} deals are proved."
