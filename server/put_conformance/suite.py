"""The whole rehearsal: scene after scene, or several at once where the client is started here."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from put_conformance import checks
from put_conformance.case import Scene
from put_conformance.client_process import Candidate, CannotStart, filled_in
from put_conformance.fake_server import Remembered
from put_conformance.fault_injector import Hearer, Line
from put_conformance.marks import Mark
from put_conformance.report import Report, SceneReport, report_of
from put_conformance.runner import Performance, Start
from put_server.games.game import RuleSet

NAME = "Candidate"
"""What a client started here is asked to call itself."""

PATIENCE_S = 60.0
"""For a client that is not started here to come to a scene: somebody may have to start it by hand."""


class NoRoom(Exception):
    """The address cannot be had; the sentence says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be rehearsed, and how."""

    scenes: Sequence[Scene]
    command: Sequence[str] = ()
    """Of the client; empty: it comes by itself."""
    host: str = "127.0.0.1"
    port: int = 0
    """0: any that is free; each scene its own, where the client is told which."""
    seed: int = 1674
    timeout_s: float = 10.0
    """For any one thing the client is to do."""
    at_once: int = 4
    """Scenes, where the client is started here and ports are free to choose."""


class _Doors:
    """Who is at home to whoever connects."""

    def __init__(self) -> None:
        self.hearer: Hearer | None = None

    def line(self) -> Line:
        return Line(self._find)

    def _find(self) -> Hearer:
        return self.hearer or _NOBODY


class _Nobody:
    def connected(self, line: Line) -> bool:
        return False

    def heard(self, line: Line, message: object) -> None: ...

    def misheard(self, line: Line, error: object) -> None: ...

    def overflowed(self, line: Line) -> None: ...

    def failed(self, bug: Exception) -> None: ...

    def lost(self, line: Line) -> None: ...


_NOBODY = _Nobody()


async def rehearse(
    plan: Plan,
    games: Mapping[str, RuleSet],
    *,
    listens: Callable[[str], None],
    played: Callable[[SceneReport], None],
) -> Report:
    """Play the scenes. `listens` hears what to tell whoever starts the client; `played` each report as it comes.

    :raises NoRoom: the port cannot be had.
    :raises CannotStart: the command cannot be run.
    """
    reports: dict[str, SceneReport] = {}
    remembered = Remembered()
    together = plan.at_once if plan.command and not plan.port else 1
    slots = asyncio.Semaphore(together)

    async def play(scene: Scene, doors: _Doors, port: int) -> SceneReport:
        start = _starter(plan, scene, port) if plan.command else None
        performance = Performance(
            scene,
            games,
            seed=plan.seed,
            timeout_s=plan.timeout_s,
            patience_s=PATIENCE_S,
            start=start,
            remembered=Remembered() if plan.command else remembered,
        )
        doors.hearer = performance
        try:
            return await performance.run()
        finally:
            doors.hearer = None

    async def play_apart(scene: Scene) -> None:
        async with slots:
            doors = _Doors()
            server = await _listen(plan, doors, 0)
            try:
                report = await play(scene, doors, server.sockets[0].getsockname()[1])
            finally:
                server.close()
            reports[scene.name] = report
            played(report)

    if plan.command and not plan.port:
        try:
            async with asyncio.TaskGroup() as tasks:
                for scene in plan.scenes:
                    tasks.create_task(play_apart(scene))
        except* (NoRoom, CannotStart, BrokenPipeError) as errors:  # the last: whoever read the report has gone
            raise errors.exceptions[0] from None
    else:
        doors = _Doors()
        server = await _listen(plan, doors, plan.port)
        port = server.sockets[0].getsockname()[1]
        if not plan.command:
            listens(f"Let the client come to {plan.host}:{port}, and come again for each scene until this ends.")
        try:
            for number, scene in enumerate(plan.scenes, 1):
                if not plan.command:
                    listens(f"Scene {number} of {len(plan.scenes)}, {scene.name}: {scene.tries}")
                report = await play(scene, doors, port)
                reports[scene.name] = report
                played(report)
                if not plan.command and _nobody_came(report):
                    listens(f"Nobody came within {PATIENCE_S:g} seconds; the scenes after this one are not played.")
                    break
        finally:
            server.close()
    return report_of(tuple([reports[scene.name] for scene in plan.scenes if scene.name in reports]), seed=plan.seed)


def _nobody_came(report: SceneReport) -> bool:
    hello = next(check for check in report.checks if check.name == checks.HELLO.name)
    return hello.status is not Mark.PASS and report.seconds >= PATIENCE_S


async def _listen(plan: Plan, doors: _Doors, port: int) -> asyncio.Server:
    try:
        return await asyncio.get_running_loop().create_server(doors.line, plan.host, port)
    except (OSError, UnicodeError) as error:
        said = getattr(error, "strerror", None) or error
        raise NoRoom(f"cannot listen on {plan.host}:{port}: {said}") from None


def _starter(plan: Plan, scene: Scene, port: int) -> Start:
    values = {
        "host": plan.host,
        "port": str(port),
        "name": NAME,
        "game": scene.game,
        "seats": str(scene.seats),
        "scene": scene.name,
    }
    return lambda: Candidate.start(filled_in(plan.command, values))
