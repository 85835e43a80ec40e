"""House runner: seats house players, passes them the events of their seats, and their moves to the dispatcher.

The time of a house player's answer reveals nothing about its cards. Some choices take longer than others; so it chooses
at once, but answers after a delay that starts with the question and does not depend on the choice. With people the
delay has a human length, from a separate source of chance, so that they can follow. With programs it is constant, but
longer if the player uses another process for its choice. If only house players play, and at exhibitions,
whose packs may be known, it answers at once. If its opponents owe too much for its work, it chooses only when the debt
is paid.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from put_protocol.games.unions import GameView
from put_protocol.messages import Act, Events, Question, ServerMessage, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted
from put_rules.registry import GAMES
from put_server.analysis.analysis_worker import Solved
from put_server.analysis.service import WorkerProcess
from put_server.house import registry
from put_server.house.player import Notebook, Player, Terms
from put_server.table.table_effects import PersonId

log = logging.getLogger(__name__)

THOUGHT = (0.7, 1.9)
"""Shortest and longest delay from a question to its answer with people, in seconds."""

PACE = 0.05
"""Delay with programs: longer than a choice takes, except a few on a slow machine. Those are answered after two or
three delays."""

WORK = 1.0
"""Delay with programs after work in another process: longer than that work takes."""

PATIENCE_S = 5.0
"""Time limit of such work; the player does not wait longer."""

MOST_WORK = 8
"""Most players in the queue for such work; others choose without it."""


def terms_at(game: str, options: Mapping[str, str | int]) -> Terms:
    rule_set = GAMES[game]
    return Terms(game=game, options=options, family=rule_set.offer.family, has_opening=rule_set.has_opening)


@dataclass(slots=True)
class _HousePlayer:
    """A house player in its seat, and its current choice."""

    house: str
    chance: random.Random
    player: Player | None = None
    """None until the game is known."""
    seat: Seat | None = None
    view: GameView | None = None
    decision: Question | None = None
    table: int = 0
    """The table of the last question."""
    asked_at: float = 0.0
    """Time of that question, by the event loop's clock."""
    moment: float = 0.0
    """Delay of the answer in seconds; 0: none."""
    worked: float = 0.0
    """Microseconds that another process worked on this choice."""
    thought: asyncio.Handle | None = None
    """The rest of the delay, after the choice."""


class HouseRunner:
    def __init__(
        self,
        is_followed: Callable[[int], bool],
        has_guests: Callable[[int], bool],
        *,
        seed: int | None = None,
        thinks: bool = True,
        worker: WorkerProcess | None = None,
    ) -> None:
        """`is_followed`: true if people sit at or watch a table; `has_guests`: true if anyone except house players
        does. A seed makes every table an exhibition. `worker`: for long work on a choice; None: done in the event
        loop."""
        self._is_followed = is_followed
        self._has_guests = has_guests
        self._seed = seed
        self._thinks = thinks
        self._worker = worker
        self._working: set[asyncio.Task[None]] = set()
        self.notebook = Notebook()
        self._chance = random.Random(seed) if seed is not None else random.SystemRandom()
        self._seated: dict[PersonId, _HousePlayer] = {}
        self._ready: asyncio.Queue[tuple[PersonId, Act | None]] = asyncio.Queue()
        """House players who must choose, or who have chosen and must answer: at most one entry for each question."""

    async def run(
        self,
        act: Callable[[PersonId, Act], None],
        *,
        work: Callable[[int, str, float], AbstractContextManager[None]] = lambda *_: nullcontext(),
        wait: Callable[[int], float] = lambda _: 0.0,
    ) -> None:
        """Let house players choose, one after another, and pass their moves to `act`; one owned task. `work` charges
        microseconds of another process to a table; `wait`: seconds for which a table is not served."""
        working = self._working
        try:
            async with asyncio.TaskGroup() as tasks:
                while True:
                    person, move = await self._ready.get()
                    seated = self._seated.get(person)
                    if seated is None or (move is None and seated.decision is None):
                        continue
                    table = seated.table
                    if (seconds := wait(table)) > 0:
                        loop = asyncio.get_running_loop()
                        seated.thought = loop.call_later(seconds, self._ready.put_nowait, (person, move))
                        continue
                    try:
                        if move is None and (problem := self._problem(seated)) is not None:
                            working.add(task := tasks.create_task(self._work_out(person, seated, problem)))
                            task.add_done_callback(working.discard)
                            continue
                        worked, seated.worked = seated.worked, 0.0
                        with work(table, seated.house, worked):
                            if move is None:
                                move = self._choose(person)
                            if move is not None and person in self._seated:
                                act(person, move)
                    except Exception:  # a session boundary: a bug in one house player leaves that one without a move
                        log.exception("a house player could not move")
                    await asyncio.sleep(0)  # peers are heard between any two: a choice may take a tenth of a second
        finally:
            if self._worker is not None and not self._worker.is_shared:
                await self._worker.end()

    def _problem(self, seated: _HousePlayer) -> Any:
        """Work that the player needs before it chooses; None: none, or it does all of it itself."""
        player, decision = seated.player, seated.decision
        if self._worker is None or decision is None or len(decision.legal) < 2 or player is None:
            return None
        if (problem := player.problem()) is None:
            return None
        if len(self._working) < MOST_WORK:
            return problem
        player.take(None)
        return None

    async def _work_out(self, person: PersonId, seated: _HousePlayer, problem: Any) -> None:
        """Solve a problem in another process, then let the player choose. The table's clock runs meanwhile."""
        assert self._worker is not None
        player, decision, answer = seated.player, seated.decision, None
        try:
            async with asyncio.timeout(PATIENCE_S):
                answer = await self._worker.ask(problem)
        except Exception as error:  # noqa: BLE001  # a session boundary, too: all house players share this task
            log.warning("a house player chooses without its work (%s)", type(error).__name__)
        if seated.decision is decision and player is not None:
            seated.moment = max(seated.moment, WORK) if seated.moment else 0.0
            seated.worked = answer.cost if isinstance(answer, Solved) else 0.0
            player.take(answer.solution if isinstance(answer, Solved) else None)
            self._ready.put_nowait((person, None))

    def seat(self, person: PersonId, house: str) -> None:
        chance = random.Random(random.SystemRandom().getrandbits(64))
        self._seated[person] = _HousePlayer(house, chance)

    def dismiss(self, person: PersonId) -> None:
        seated = self._seated.pop(person)
        if seated.thought is not None:
            seated.thought.cancel()

    def forget(self, name: str) -> bool:
        return self.notebook.forget(name)

    def tell(self, person: PersonId, message: ServerMessage) -> bool:
        seated = self._seated.get(person)
        if seated is None:
            return False
        match message:
            case TableSnapshot(viewer=viewer, view=view, info=info) if viewer != GALLERY:
                if seated.player is None:
                    seated.player = registry.player(
                        seated.house,
                        seated.chance,
                        replace(terms_at(info.game, info.options), notebook=self.notebook),
                    )
                seated.seat, seated.view = viewer, view
                if view is not None:
                    names = tuple([one.name or "" for one in info.seats])
                    seated.player.saw(view, (GameStarted(info.games, names),), viewer)
            case Events(view=view, turn=turn, events=events):
                seated.view = view or seated.view
                if seated.player is not None and seated.view is not None and seated.seat is not None:
                    seated.player.saw(seated.view, events, seated.seat)
                if view is not None and (turn is None or turn.seat != seated.seat):
                    seated.decision = None  # the clock, or a departure, has decided
            case _:
                return True
        if message.decision is not None:
            self._think(person, seated, message.table, message.decision)
        return True

    def _think(self, person: PersonId, seated: _HousePlayer, table: int, decision: Question) -> None:
        if seated.thought is not None:
            seated.thought.cancel()
        seated.decision, seated.table = decision, table
        seated.asked_at = asyncio.get_running_loop().time()
        seated.moment = self._moment(table)
        self._ready.put_nowait((person, None))

    def _moment(self, table: int) -> float:
        if self._thinks and self._is_followed(table):
            return self._chance.uniform(*THOUGHT)
        return PACE if self._thinks and self._seed is None and self._has_guests(table) else 0.0

    def _choose(self, person: PersonId) -> Act | None:
        """A move to make at once. None: there is none, or it waits for the end of its delay."""
        seated = self._seated.get(person)
        if seated is None or seated.decision is None:
            return None
        decision, seated.decision, seated.thought = seated.decision, None, None
        assert seated.player is not None
        assert seated.view is not None
        assert seated.seat is not None
        if self._seed is not None:  # after a crash an exhibition continues identically: no earlier thinking is used
            seated.chance.seed(f"{self._seed} {seated.table} {decision.number}")
        action = seated.player.choose(seated.view, decision.legal, seated.seat)
        move = Act(1, seated.table, decision.number, action)
        if not seated.moment:
            return move
        loop = asyncio.get_running_loop()
        moments = 1 + (loop.time() - seated.asked_at) // seated.moment
        due = seated.asked_at + moments * seated.moment
        seated.thought = loop.call_at(due, self._ready.put_nowait, (person, move))
        return None

    def close(self) -> None:
        for seated in self._seated.values():
            if seated.thought is not None:
                seated.thought.cancel()
