"""Viewers of a sealed table in a test: what each is told or does, step by step, and what their checker finds in it."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

from put_protocol import seal_events
from put_protocol.games.unions import Event
from put_protocol.seal.checker import Checker
from put_protocol.seal.cuts import Chain
from put_protocol.seal.findings import Failure
from put_protocol.seal.terms import SealTerms
from put_protocol.seats import Viewer


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table shown anew."""

    sealed: seal_events.Sealed | None = None
    """The deal that is being cut."""
    links: tuple[bytes | None, ...] = ()
    is_in_play: bool = True


Own = Literal["cut", "renew", "withdraw", "counted", "dropped"]
Checked = Event | seal_events.Openings
Step = Checked | Snapshot | Own
"""What a viewer is told, or does: cut, take another chain, take no part, hear that their end is known, or drop."""

LINKS = 320
REMEMBERED = 2
"""Hands whose proofs an honest server sends again after a drop. Whoever misses as many cuts is shown the table anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Who checks what."""

    table: int
    viewer: Viewer
    terms: SealTerms | None = None
    secret: bytes | None = None
    """Of their chain, if they take part."""
    joins: bool = False
    is_exhibition: bool = False
    is_witness: bool = False

    def chain(self, number: int) -> Chain:
        """The first chain, from 0, and those that follow when it is renewed."""
        return Chain(self.secret if not number and self.secret else sha256(bytes([number])).digest(), LINKS)

    def checker(self) -> Checker:
        return Checker(
            self.table,
            self.viewer,
            terms=self.terms,
            chain=None if self.secret is None else self.chain(0),
            joins=self.joins,
            is_exhibition=self.is_exhibition,
            is_witness=self.is_witness,
        )


class CheckerRun:
    """Steps taken by a checker."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.checker = setting.checker()
        self.link: bytes | None = None
        """What the last cut gave."""
        self._renewed = 0
        self._has_dropped = False

    def take(self, step: Step) -> tuple[Failure, ...]:
        """What is wrong with it."""
        checker = self.checker
        match step:
            case "cut":
                self.link = checker.cut()
            case "renew":
                self._renewed += 1
                checker.own.renew(self.setting.chain(self._renewed))
            case "withdraw":
                checker.own.withdraw()
            case "counted":
                checker.own.count()
            case "dropped":
                self._has_dropped = True
            case Snapshot():
                has_dropped, self._has_dropped = self._has_dropped, False
                return checker.check_snapshot(
                    step.sealed, step.links, is_in_play=step.is_in_play, has_dropped=has_dropped
                )
            case seal_events.Openings(table=table) if table != self.setting.table:
                pass  # it is told to the checker of that table
            case _:
                return checker.check(step)
        return ()


@dataclass(slots=True)
class Viewing:
    """A viewer with their checker, and the record of what they were told."""

    setting: Setting
    run: CheckerRun = field(init=False)
    steps: list[Step] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    caught: list[tuple[str, str]] = field(default_factory=list)
    """What was being told when something was found, and the fault."""
    proofs: dict[int, list[seal_events.Openings]] = field(default_factory=dict)
    """By deal, to be sent again after a drop."""
    missed: list[Checked] | None = None
    """Events since the connection dropped; None: it stands."""

    def __post_init__(self) -> None:
        self.run = CheckerRun(self.setting)

    @property
    def checker(self) -> Checker:
        return self.run.checker

    def take(self, step: Step) -> None:
        """They are told it, or do it."""
        self.steps.append(step)
        for failure in self.run.take(step):
            self.failures.append(failure)
            self.caught.append((type(step).__name__, failure.fault.value))

    def send(self, *told: Checked) -> None:
        """Told now, or when their connection is back."""
        for one in told:
            if isinstance(one, seal_events.Openings):
                self.proofs.setdefault(one.deal, []).append(one)
            if self.missed is None:
                self.take(one)
            elif not isinstance(one, seal_events.Openings):
                self.missed.append(one)

    def cut(self) -> bytes | None:
        self.take("cut")
        return self.run.link

    def drop(self) -> None:
        """The connection is lost."""
        if self.missed is None:
            self.take("dropped")
            self.missed = []

    def come_back(self, snapshot: Snapshot, dealt: list[list[int]]) -> None:
        """What was missed is told, with the proofs of the last deals again, each ahead of it or behind its seal; or the
        table is shown anew. `dealt`: the deals so far that were not voided, hand by hand."""
        missed, self.missed = self.missed, None
        if missed is None:
            return
        if sum(isinstance(event, seal_events.CutsShown) for event in missed) >= REMEMBERED:
            self.take(snapshot)
            return
        *before, latest = [deal for hand in dealt[-REMEMBERED:] for deal in hand] or [0]
        seals = [
            at for at, event in enumerate(missed, 1) if isinstance(event, seal_events.Sealed) and event.deal == latest
        ]
        split = seals[0] if seals else 0
        for deal in before if split else dealt[-1][:-1] if dealt else ():
            self._prove_again(deal)
        for event in missed[:split]:
            self.take(event)
        self._prove_again(latest)
        for event in missed[split:]:
            self.take(event)

    def _prove_again(self, deal: int) -> None:
        told = self.proofs.get(deal, ())
        if told:
            turned = next((one.turned for one in told if one.turned is not None), None)
            accident = next((one.accident for one in told if one.accident is not None), None)
            openings = tuple([opening for one in told for opening in one.openings])
            self.take(seal_events.Openings(self.setting.table, deal, openings, turned, accident=accident))
