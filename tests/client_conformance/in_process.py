"""A rehearsal in the test's own process, of a client in another."""

import sys
from collections.abc import Sequence
from pathlib import Path

from put_conformance.cases.registry import all_scenes
from put_conformance.checks import Check
from put_conformance.marks import Mark
from put_conformance.report import Finding, Report, scene_told
from put_conformance.suite import Plan, rehearse
from put_server.games.registry import GAMES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

SCENES = all_scenes(GAMES)

PATIENCE_S = 8.0
"""For what a right client does at once, on however busy a machine."""


def stdlib(fault: str = "", manner: str = "invited") -> list[str]:
    """The client of `faulty_client.py`."""
    return [sys.executable, str(HERE / "faulty_client.py"), "{host}", "{port}", "{name}", fault, manner, "{game}"]


async def rehearsed(
    command: Sequence[str], *names: str, timeout_s: float = PATIENCE_S, seed: int = 1674, at_once: int = 4
) -> Report:
    """The report of these scenes."""
    scenes = [SCENES[name] for name in names]
    plan = Plan(scenes=scenes, command=command, timeout_s=timeout_s, seed=seed, at_once=at_once)
    return await rehearse(plan, GAMES, listens=lambda _: None, played=lambda _: None)


def told(report: Report) -> str:
    """What was wrong, for a test that fails."""
    return "\n".join(line for scene in report.scenes if scene.status is not Mark.PASS for line in scene_told(scene))


def found(report: Report, scene: str, check: Check | str) -> Finding:
    """How one check of one scene came out."""
    name = check if isinstance(check, str) else check.name
    (played,) = [one for one in report.scenes if one.name == scene]
    return next(one for one in played.checks if one.name == name)
