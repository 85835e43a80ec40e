"""The tavern keeper: seats house players and passes them what their seats are told, and their answers back.

House players take no part in the cutting of sealed deals: their cuts would be the server's own, and prove nothing.

Opposite a person a house player takes a human moment, so that one can follow and so that a quick answer tells
nothing; among machines it answers at once. A thought is timed from a source of chance of its own: how long it takes
says nothing of the cards.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from put_protocol.games.unions import (
    GameView,
)
from put_protocol.messages import Act, Decision, Events, Request, ServerMessage, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_server.house.player import HOUSES, Player, Terms
from put_server.table.effects import PersonId

THOUGHT = (0.7, 1.9)
"""Seconds, from and to."""


@dataclass(slots=True)
class _Guest:
    """A house player in its seat, and the thought it is having."""

    house: str
    """Its kind."""
    chance: random.Random
    """The player's."""
    player: Player | None = None
    """None until it is told what is played."""
    seat: Seat | None = None
    view: GameView | None = None
    decision: Decision | None = None
    """What it is to answer."""
    thought: asyncio.Handle | None = None
    """The moment it takes before it does."""


class HouseRunner:
    """All house players."""

    def __init__(self, *, seed: int | None = None, thinks: bool = True) -> None:
        self._seed = seed
        self._thinks = thinks
        self._chance = random.Random(seed) if seed is not None else random.SystemRandom()
        self._guests: dict[PersonId, _Guest] = {}
        self._ready: deque[Callable[[], None]] = deque()
        self._next: asyncio.Handle | None = None
        self._act: Callable[[PersonId, Request], None]
        self._is_followed: Callable[[int], bool]

    def serve(self, *, act: Callable[[PersonId, Request], None], is_followed: Callable[[int], bool]) -> None:
        """Where answers go, and whether people sit at or watch a table. To be called before anyone is seated."""
        self._act = act
        self._is_followed = is_followed

    def seat(self, person: PersonId, house: str) -> None:
        chance = random.Random(random.SystemRandom().getrandbits(64))
        self._guests[person] = _Guest(house, chance)

    def dismiss(self, person: PersonId) -> None:
        guest = self._guests.pop(person)
        if guest.thought is not None:
            guest.thought.cancel()

    def tell(self, person: PersonId, message: ServerMessage) -> bool:
        guest = self._guests.get(person)
        if guest is None:
            return False
        match message:
            case TableSnapshot(viewer=viewer, view=view, info=info) if viewer != GALLERY:
                if guest.player is None:
                    guest.player = HOUSES[guest.house].make(guest.chance, Terms(game=info.game, options=info.options))
                guest.seat, guest.view = viewer, view
            case Events(view=view):
                guest.view = view or guest.view
            case Decision():
                self._think(person, guest, message)
            case _:
                pass
        return True

    def _think(self, person: PersonId, guest: _Guest, decision: Decision) -> None:
        if guest.thought is not None:
            guest.thought.cancel()
        guest.decision = decision
        loop = asyncio.get_running_loop()
        if self._thinks and self._is_followed(decision.table):
            guest.thought = loop.call_later(self._chance.uniform(*THOUGHT), self._be_ready, person)
        else:
            self._be_ready(person)

    def _be_ready(self, person: PersonId) -> None:
        self._soon(partial(self._answer, person))

    def _soon(self, act: Callable[[], None]) -> None:
        """One acts after another, and peers are heard between any two: an answer may take a tenth of a second."""
        self._ready.append(act)
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        act = self._ready.popleft()
        self._next = asyncio.get_running_loop().call_soon(self._go_on) if self._ready else None
        act()

    def _answer(self, person: PersonId) -> None:
        guest = self._guests.get(person)
        if guest is None or guest.decision is None:
            return
        decision, guest.decision, guest.thought = guest.decision, None, None
        assert guest.player is not None
        assert guest.view is not None
        assert guest.seat is not None
        if self._seed is not None:  # a show goes on the same after a crash: nothing depends on what was thought before
            guest.chance.seed(f"{self._seed} {decision.table} {decision.decision}")
        action = guest.player.choose(guest.view, decision.legal, guest.seat)
        self._act(person, Act(1, decision.table, decision.decision, action))

    def close(self) -> None:
        """Think no more."""
        if self._next is not None:
            self._next.cancel()
        for guest in self._guests.values():
            if guest.thought is not None:
                guest.thought.cancel()
