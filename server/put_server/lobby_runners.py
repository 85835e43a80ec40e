"""Runners beside the dispatcher of one lobby: house players, analysis of play, and parts of blind deals."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Protocol

from put_rules.registry import GAMES
from put_server.analysis.service import AnalysisService, FairQueue, WorkerProcess, payers_of
from put_server.house_runner import HouseRunner
from put_server.lobby.lobby import Lobby
from put_server.settings import Settings
from put_server.table.blind_deals import Worked, worked_out
from put_server.table.table_effects import PersonId, TableId, WantParts
from put_server.transport.dispatcher import Dispatcher

log = logging.getLogger(__name__)

MOST_WAITING = 10_000
"""Longest queue: more than the number of tables."""


class Done(Protocol):
    def __call__(self, wanted: WantParts, entries: tuple[bytes, ...], read: int, cost: float) -> None:
        """`cost`: processor time in microseconds."""


class PartsRunner:
    """Does the server's work for blind deals, outside the event loop.

    A part is a shuffle with its proof, shares after a check of the others' shuffles, or the reading of a pack: 10 to
    100 ms each. A thread does one after another, in fair turns by the origins of the tables. Each table has at most one
    waiting part, which limits the queue. The result is an input like any other: it is in the journal, so a replay does
    not repeat the work.
    """

    def __init__(self, origin_of: Callable[[TableId], str]) -> None:
        """`origin_of`: the address that opened a table."""
        self._origin_of = origin_of
        self._queue: FairQueue[WantParts] = FairQueue(MOST_WAITING)

    def want(self, wanted: WantParts) -> None:
        """Queue the work. Does not block."""
        self._queue.put(payers_of(self._origin_of(wanted.table), PersonId(wanted.table)), wanted)

    async def run(self, done: Done, wait: Callable[[int], float] = lambda _: 0.0) -> None:
        """Work forever, and pass on the results; one owned task. `wait`: seconds for which a table is not served
        because of debts."""
        loop = asyncio.get_running_loop()
        while True:
            payers, wanted = await self._queue.next()
            if (seconds := wait(wanted.table)) > 0:
                loop.call_later(seconds, self.want, wanted)
                continue
            worked, taken = await asyncio.to_thread(_timed, wanted)
            self._queue.charge(payers, taken)
            try:
                done(wanted, *worked, taken * 1e6)
            except Exception:  # a bug at one table leaves only this table without its deal
                log.exception("parts of a blind deal could not be handed in")


def _timed(wanted: WantParts) -> tuple[Worked, float]:
    begun = time.thread_time()
    try:
        worked = worked_out(wanted)
    except Exception as error:  # noqa: BLE001  # as above
        # A trace might name a card.
        log.error("a part of a blind deal could not be worked out: %s", type(error).__name__)
        worked = Worked((), 0)
    return worked, time.thread_time() - begun


class LobbyRunners:
    """The runners of one lobby. They are created first, and work after `dispatcher` is set."""

    dispatcher: Dispatcher

    def __init__(self, lobby: Lobby, settings: Settings, *, thinks: bool, worker: WorkerProcess | None = None) -> None:
        """`thinks`: house players pause before they act. `worker`: shared by several lobbies; None: create two."""
        self.houses = HouseRunner(
            lobby.is_followed, lobby.has_guests, seed=settings.seed, thinks=thinks, worker=worker or WorkerProcess()
        )
        self.analysis = AnalysisService(
            GAMES,
            tell=lambda person, message: self.dispatcher.tell(person, message),  # noqa: PLW0108  # it is made later
            sits_at=lobby.sits_at,
            origin_of=lobby.origin_of,
            charge=lambda person, cost: self.dispatcher.charge(person, cost),  # noqa: PLW0108  # as above
            worker=worker,
            seed=settings.seed,
        )
        self.parts = PartsRunner(lobby.opened_from)
        self._settings = settings

    def begin(self) -> None:
        """Begin, before anyone is served, with or without restored tables."""
        is_exhibition = self._settings.seed is not None
        # An exhibition repeats exactly, and so it counts its starts from 1.
        today = 1 if is_exhibition else time.time_ns() // 1_000_000
        self.dispatcher.begin(self._settings.policy, is_exhibition=is_exhibition, today=today)

    def works(self) -> list[Coroutine[None, None, None]]:
        """The runners' work, which never ends: make owned tasks of it."""
        dispatcher = self.dispatcher
        return [
            self.analysis.run(),
            self.parts.run(dispatcher.parts_done, dispatcher.house_wait),
            self.houses.run(dispatcher.house_acts, work=dispatcher.house_work, wait=dispatcher.house_wait),
        ]
