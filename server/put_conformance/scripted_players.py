"""Opponents: they choose among the legal actions at random by a seed, so that the client is asked what it must be.

Which actions bring that about, `scenes` says for each family.
"""

import random
from collections.abc import Callable, Collection

from put_conformance.scenes import choose
from put_protocol.messages import Act, Again, Decision, Events, Request, ServerMessage, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import TableState

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

    def __init__(self, rng: random.Random, wanted: Callable[[], Collection[str]]) -> None:
        """`wanted` says which scenes the client has yet to be asked in."""
        self._rng = rng
        self._wanted = wanted
        self._requests = 0
        self._seat: Seat | None = None
        self._asked_again = 0

    def next_id(self) -> int:
        self._requests += 1
        return self._requests

    def receive(self, message: ServerMessage) -> list[Request]:
        """Its requests in answer to a message."""
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
