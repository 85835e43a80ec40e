"""Opponents: they choose among the legal actions at random by a seed, so that the client is asked what it must be.

Which actions bring that about, `scenes` says for each family.
"""

import random
from collections.abc import Callable, Collection, Iterator

from put_conformance.scenes import choose
from put_protocol.messages import Act, Again, Cut, Decision, Events, Promise, Request, ServerMessage, TableSnapshot
from put_protocol.seal.cuts import Chain
from put_protocol.seal_events import Sealed
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import TableState

LINKS = 256
"""Links of an opponent's chain: more deals than any case has."""

CALLED_OFF = 2
"""The deal that opponents who cut call off."""

NAMES = (
    "Zo\u00eb",
    "Bj\u00f6rn",
    "Ines",
    "Ji\u0159\u00ed",
    "Ol\u00edvia",
    "S\u00f8ren",
    "Tam\u00e1s",
    "Ursula",
    "\u0141ukasz",
    "Wanda",
)
"""Most have letters of more than one byte, which may arrive cut in two."""


class ScriptedPlayer:
    """One opponent. It receives what any player receives, and returns its requests."""

    def __init__(self, rng: random.Random, wanted: Callable[[], Collection[str]], secret: bytes | None = None) -> None:
        """`wanted` says which scenes the client has yet to be asked in; with a secret it cuts sealed deals."""
        self._chain = None if secret is None else Chain(secret, LINKS)
        self._links = LINKS
        """Those of the chain that it has not given."""
        self._rng = rng
        self._wanted = wanted
        self._requests = 0
        self._seat: Seat | None = None
        self._asked_again = 0

    def next_id(self) -> int:
        self._requests += 1
        return self._requests

    @property
    def end(self) -> bytes | None:
        """The hash of its next cut; None: it takes no part in the cutting."""
        return None if self._chain is None else self._chain.link(self._links)

    def receive(self, message: ServerMessage) -> list[Request]:
        """Its requests in answer to a message."""
        return [*self._cuts(message), *self._answers(message)]

    def _cuts(self, message: ServerMessage) -> Iterator[Request]:
        """A cut for each deal that is sealed; in place of the second, a promise that calls the deal off."""
        if self._chain is None:
            return
        if not isinstance(message, Events) or self._seat is None:
            return
        for event in message.events:
            if not isinstance(event, Sealed) or event.cuts[self._seat] != self.end:
                continue
            self._links -= 1
            link = self._chain.link(self._links)
            if event.deal == CALLED_OFF:
                yield Promise(self.next_id(), message.table, link)
            else:
                yield Cut(self.next_id(), message.table, event.deal, link)

    def _answers(self, message: ServerMessage) -> list[Request]:
        match message:
            case Decision():
                action = choose(self._rng, [choice.action for choice in message.legal], self._wanted())
                return [Act(self.next_id(), message.table, message.decision, action)]
            case TableSnapshot(viewer=viewer, info=info) if viewer != GALLERY:
                self._seat = viewer
                self._asked_again = info.games if info.is_in_play else 0
            case Events(table=table, info=info) if info is not None and self._seat is not None:
                is_over = info.games and info.state in (TableState.BETWEEN, TableState.FILLING)
                if is_over and info.games > self._asked_again and not info.seats[self._seat].is_house:
                    self._asked_again = info.games
                    return [Again(self.next_id(), table)]
            case _:
                pass
        return []
