"""The findings of a rehearsal: for a person to read, and as JSON with the same content under stable names."""

import textwrap
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from put_conformance.checks import Check
from put_conformance.marks import Mark, Marks

WIDTH = 100
"""Characters a line of the text, as far as words allow."""


class Finding(Struct, frozen=True):
    """One check of one scene."""

    name: str
    status: Mark
    should: str
    section: str
    """The heading of docs/protocol.md to read."""
    did: str = ""
    """What the client did, where there is something to say of it."""
    needed: bool = True
    """If not, the scene passes also where this was not reached."""


class SceneReport(Struct, frozen=True):
    """One scene."""

    name: str
    status: Mark
    tries: str
    game: str
    seats: int
    seconds: float
    moves: int
    """Of the client that were carried out."""
    checks: tuple[Finding, ...]
    said: tuple[str, ...] = ()
    """The last that the client wrote to its standard error, if it was started here and something was wrong."""


class Summary(Struct, frozen=True):
    """Scenes, counted."""

    passed: int
    failed: int
    not_reached: int


class Report(Struct, frozen=True):
    """A rehearsal."""

    status: Mark
    """`pass` if every scene passed."""
    seed: int
    scenes: tuple[SceneReport, ...]
    summary: Summary
    rehearsal: int = 1
    """The version of this format; within it fields are only added."""

    @property
    def is_right(self) -> bool:
        return self.status is Mark.PASS


def finding(check: Check, marks: Marks) -> Finding:
    """How a check came out."""
    return Finding(check.name, marks.mark(check), check.should, check.section.value, marks.did(check), check.is_needed)


def report_of(scenes: tuple[SceneReport, ...], *, seed: int) -> Report:
    """The whole of the scenes. None at all is nothing to be content with."""
    counted = [scene.status for scene in scenes]
    summary = Summary(counted.count(Mark.PASS), counted.count(Mark.FAIL), counted.count(Mark.NOT_REACHED))
    status = Mark.FAIL if summary.failed else Mark.NOT_REACHED if summary.not_reached or not scenes else Mark.PASS
    return Report(status, seed, scenes, summary)


def to_json(report: Report) -> str:
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()


_SIGNS = {Mark.PASS: "pass", Mark.FAIL: "FAIL", Mark.NOT_REACHED: "not reached"}


def scene_told(scene: SceneReport) -> Iterator[str]:
    """One scene as lines. What is wrong is told in full, or where nothing is, what was not reached."""
    yield f"{_SIGNS[scene.status]}: {scene.name} ({scene.game}, {scene.seats} seats, {_lasted(scene)})"
    yield from _wrapped(scene.tries, "    ")
    missed = [check for check in scene.checks if check.status is Mark.NOT_REACHED and check.needed]
    is_wrong = scene.status is Mark.FAIL
    for check in [check for check in scene.checks if check.status is Mark.FAIL] or missed:
        yield from _wrapped(f"{_SIGNS[check.status]}: {check.name}: {check.should}", "    ", "      ")
        if check.did:
            yield from _wrapped(check.did, "      ")
        yield f'      docs/protocol.md, "{check.section}"'
    if is_wrong and missed:
        yield from _wrapped(f"not reached: {', '.join(check.name for check in missed)}", "    ", "      ")
    right = [check.name for check in scene.checks if check.status is Mark.PASS]
    if right:
        yield from _wrapped(f"right: {', '.join(right)}", "    ", "      ")
    for line in scene.said:
        yield f"    | {line}"


def _lasted(scene: SceneReport) -> str:
    moves = "1 move" if scene.moves == 1 else f"{scene.moves} moves"
    return f"{moves}, {scene.seconds:.1f} s"


def summary_told(report: Report) -> str:
    """The last line."""
    counted = report.summary
    whole = "All is right" if report.is_right else "Not all is right"
    return (
        f"{whole}: {len(report.scenes)} scenes, {counted.passed} passed, {counted.failed} failed, "
        f"{counted.not_reached} not reached (seed {report.seed})."
    )


def _wrapped(text: str, first: str, rest: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest or first,
        break_long_words=False,
        break_on_hyphens=False,
    )
