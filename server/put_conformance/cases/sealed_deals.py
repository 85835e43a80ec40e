"""Sealed deals: requirements on every client where others cut, on a client that cuts, and on one that checks."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from put_conformance import checks
from put_conformance.case import CaseContext, FaultInjector
from put_conformance.cases.reconnects import Dropped
from put_conformance.client_connection import CandidateConnection, Outgoing
from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_protocol.seal_events import DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat
from put_server.table.sealed_deal import CUT_MS
from put_server.table.step_waits import PULSE_MS

WATCHED_MS = 800
"""Time for which a client that cuts or checks is watched after a false message."""

CROSSING = 1
"""Answers that may be on their way when a wrong proof arrives."""


class SealedDeals(Dropped):
    """Has opponents cut, and one of them call a deal off. Then drops the connection: at a cut, if the client cuts."""

    name = "sealed"
    summary = "Opponents cut sealed deals, one is called off; the connection drops, at a cut if the client cuts."
    is_sealed = True
    tries = (checks.RETURNS, checks.TOKEN, checks.SEEN, checks.BEARS_SEALS, checks.CUTS)

    _voids = 0

    def __init__(self, context: CaseContext, tried: Sequence[checks.Check]) -> None:
        super().__init__(context, tried)
        self._seals = _Seals()

    @property
    def is_due(self) -> bool:
        return bool(self._voids) and super().is_due

    def outgoing(self, connection: CandidateConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        for event in self._seals.follow(message):
            if isinstance(event, Sealed):
                self.results.begin(checks.BEARS_SEALS)
                if self._seals.is_asked:
                    self.results.begin(checks.CUTS)
            else:
                self._voids += 1
                if self._seals.was_missed_in(event):
                    self.results.failed(checks.CUTS, f"It did not cut deal {event.deal} in time, and was left out.")
        if isinstance(message, messages.Refused) and message.code is RefusalCode.BAD_CUT and not self._drops:
            self.results.failed(checks.CUTS, "Its cut was refused as bad_cut: it does not hash to what sealed names.")
        return super().outgoing(connection, message)

    def strike(self, connection: CandidateConnection, decision: messages.Decision) -> Iterable[Outgoing]:
        if self._seals.is_asked:
            return (decision,)
        self._drop(connection, decision)
        return ()

    def incoming(self, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
        super().incoming(connection, message)
        self._seals.hear(message)
        if isinstance(message, messages.Cut) and self.is_due:
            self._drop(connection)
            return False
        return not _sits_for_house(self.context, connection, message)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        if self._seals.is_asked:
            self.results.passed(checks.CUTS)
        if self._drops and self._had is None:
            self.results.passed(checks.BEARS_SEALS)


class DeniedCut(FaultInjector):
    """Tells a client that cuts that a cut of its never came, as a server does that wants the link for two seals."""

    name = "denied-cut"
    summary = "A client that cuts is told that a cut of its own never came."
    is_sealed = True
    tries = (checks.LINKS,)
    moves_before = 2

    _denied: bytes | None = None

    def __init__(self, context: CaseContext, tried: Sequence[checks.Check]) -> None:
        super().__init__(context, tried)
        self._seals = _Seals()

    @property
    def is_done(self) -> bool:
        if self._seals.is_asked or self._denied:
            return self.results.is_decided(checks.LINKS)
        return self.moves >= self.moves_before

    def outgoing(self, connection: CandidateConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        self._seals.follow(message)
        return (message,)

    def incoming(self, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
        self._seals.hear(message)
        if not isinstance(message, messages.Cut):
            return not _sits_for_house(self.context, connection, message)
        if self._denied is None:
            self._denied = message.link
            self.watch(checks.LINKS, WATCHED_MS)
            assert connection.peer is not None
            self.context.server.skip(CUT_MS)
            connection.peer.answer_ping()  # as if the client's pong had come, and no cut before it
            self.context.server.skip(PULSE_MS)
            says = "that deal was called off: no cut of yours had come"
            self.context.send(connection, messages.Refused(message.id, RefusalCode.TOO_LATE, says, field="deal"))
            return False
        if message.link == self._denied:
            self.results.failed(checks.LINKS, f"It gave the same link for deal {message.deal} as for the one before.")
        else:
            self.results.passed(checks.LINKS)
        return True


class FalseProof(FaultInjector):
    """Sends a client that asked for openings a proof that proves nothing."""

    name = "false-proof"
    summary = "A card of a sealed deal is proved wrongly, to a client that asked for the proofs."
    is_sealed = True
    tries = (checks.VERIFIES,)
    moves_before = 2

    _checks_proofs = False
    _acts = 0

    @property
    def is_done(self) -> bool:
        return self.results.is_decided(checks.VERIFIES) if self._checks_proofs else self.moves >= self.moves_before

    def incoming_hello(self, connection: CandidateConnection, hello: messages.Hello) -> messages.Hello:
        self._checks_proofs = hello.openings
        return hello

    def outgoing(self, connection: CandidateConnection, message: messages.ServerMessage) -> Iterable[Outgoing]:
        if isinstance(message, Openings) and message.openings and self.moves >= self.moves_before:
            if not self.has_struck:
                self.note_strike()
                self.watch(checks.VERIFIES, WATCHED_MS)
            first, *others = message.openings
            return (replace(message, openings=(replace(first, salt=bytes(32)), *others)),)
        return (message,)

    def incoming(self, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
        if self.has_struck and isinstance(message, messages.Act):
            self._acts += 1
            if self._acts > CROSSING:
                self.results.failed(checks.VERIFIES, "It played on, though the proof of a card was wrong.")
        return not _sits_for_house(self.context, connection, message)


class _Seals:
    """The last seal, and whether the client promised another end in place of cutting."""

    def __init__(self) -> None:
        self._seat: Seat | None = None
        self._sealed: Sealed | None = None
        self._has_promised = False

    @property
    def is_asked(self) -> bool:
        """The client is to cut the last deal that was sealed."""
        return self._sealed is not None and self._seat is not None and self._sealed.cuts[self._seat] is not None

    def was_missed_in(self, void: DealVoided) -> bool:
        """This deal was called off because no cut of the client came."""
        return self.is_asked and self._seat in void.seats and not self._has_promised

    def follow(self, message: messages.ServerMessage) -> list[Sealed | DealVoided]:
        """The seals, and the deals called off, in a message to the client."""
        if isinstance(message, messages.TableSnapshot) and message.viewer != GALLERY:
            self._seat = message.viewer
        if not isinstance(message, messages.Events):
            return []
        told = [event for event in message.events if isinstance(event, Sealed | DealVoided)]
        for event in told:
            if isinstance(event, Sealed):
                self._sealed, self._has_promised = event, False
        return told

    def hear(self, message: messages.ClientMessage) -> None:
        """Note a message of the client's."""
        self._has_promised = self._has_promised or isinstance(message, messages.Promise)


def _sits_for_house(context: CaseContext, connection: CandidateConnection, message: messages.ClientMessage) -> bool:
    """Give an invited house player's seat to an opponent who cuts, which house players do not. Returns whether."""
    if not isinstance(message, messages.Invite) or message.person:
        return False
    table = context.server.table(message.table)
    if table is None:
        return False
    free = next((seat for seat, chair in enumerate(table.seating.chairs) if chair.sitter is None), None)
    if free is None:
        return False
    context.send(connection, messages.Ok(message.id, table=message.table, seat=Seat(free)))
    context.server.fill_seats(table)
    return True
