"""A viewer's steps for two verifiers: taken again by a fresh checker, and written as lines for the other program."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import dropwhile
from typing import Any

import msgspec

from put_protocol import seal_events
from put_protocol.seal.checker import Checker
from put_protocol.seal.findings import Failure
from put_protocol.seal.terms import SealTerms, terms_of
from tests.seal.viewings import CheckerRun, Setting, Snapshot, Step

GAMES: tuple[tuple[str, Mapping[str, str | int]], ...] = (
    ("put-1674", {}),
    ("put-1800", {"pack": 32}),
    ("put-tavern", {"pack": 28}),
    ("put-partners", {}),
    ("put-partners", {"pack": 32}),
    ("truc", {}),
    ("truc", {"ranking": "printed"}),
    ("triomphe-forcee", {}),
    ("primero", {}),
)
"""Rule sets with options, each with terms of its own."""


def game_of(terms: SealTerms) -> tuple[str, dict[str, str | int]] | None:
    """A rule set with options that has these terms, as the second verifier is told them; None: no rule set has."""
    for name, options in GAMES:
        with_chance = {**options, "misdeals": terms.misdeals}
        if terms_of(name, with_chance) == terms:
            return name, with_chance
    return None


def replay(
    setting: Setting, steps: Iterable[Step], *, is_whole: bool = False
) -> tuple[Checker, tuple[Failure, ...], list[dict[str, Any]]]:
    """A fresh checker that was told these steps, what it found, and the lines that tell the other verifier the same.

    `is_whole`: in whole messages, as they travel. That verifier knows terms by the name of a rule set, so a pack that
    no rule set has is unknown to both here.
    """
    game = None if setting.terms is None else game_of(setting.terms)
    run = CheckerRun(setting if game else replace(setting, terms=None))
    lines = _beginning(setting, game, run.checker.own.end, is_whole=is_whole)
    failures: list[Failure] = []
    deal = 0
    for step in dropwhile(lambda step: isinstance(step, Snapshot), steps):  # which would be how the viewer came
        failures += run.take(step)
        deal = step.deal if isinstance(step, seal_events.Sealed) else deal
        lines += _whole_lines(setting, step, run, deal) if is_whole else _lines(setting, step, run)
    return run.checker, tuple(failures), lines


def _beginning(
    setting: Setting, game: tuple[str, dict[str, str | int]] | None, end: bytes | None, *, is_whole: bool
) -> list[dict[str, Any]]:
    name, options = game or ("unknown", {})
    at = {"table": setting.table, "viewer": setting.viewer}
    if not is_whole:
        known = {"game": name, "options": options} if game else {}
        others = {"joins": setting.joins, "is_exhibition": setting.is_exhibition, "is_witness": setting.is_witness}
        return [{"type": "viewer", **at, "end": end, **known, **others}]
    sit = [] if end is None else [{"type": "sit", "id": 1, "table": setting.table, "end": end}, {"type": "ok", "id": 1}]
    state = "playing" if setting.joins else "filling"
    info = {"game": name, "options": options, "state": state, "is_exhibition": setting.is_exhibition}
    return [{"type": "welcome", "tables": []}, *sit, {"type": "table", **at, "number": 0, "info": info}]


def _lines(setting: Setting, step: Step, run: CheckerRun) -> list[dict[str, Any]]:
    match step:
        case "cut":
            return [{"type": "cut", "link": run.link}]
        case "renew":
            return [{"type": "promise", "end": run.checker.own.end}]
        case "withdraw":
            return [{"type": "promise", "end": None}]
        case "counted" | "dropped":
            return [{"type": step}]
        case Snapshot():
            return [_snapshot(setting, step)]
        case _:
            plain: dict[str, Any] = msgspec.to_builtins(step, builtin_types=(bytes,))
            return [plain]


def _whole_lines(setting: Setting, step: Step, run: CheckerRun, deal: int) -> list[dict[str, Any]]:
    table = setting.table
    match step:
        case "cut" if run.link is not None:
            return [
                {"type": "cut", "id": 2, "table": table, "deal": deal, "link": run.link},
                {"type": "ok", "id": 2},
            ]
        case "cut":
            return []
        case "renew":
            return [{"type": "promise", "id": 3, "table": table, "end": run.checker.own.end}]
        case "withdraw":
            return [{"type": "promise", "id": 3, "table": table}]
        case "counted":
            end = run.checker.own.end
            return [{"type": "promise", "id": 3, "table": table, "end": end}, {"type": "ok", "id": 3}]
        case "dropped":
            return [{"type": "welcome", "tables": [table]}]
        case Snapshot() | seal_events.Openings():
            return _lines(setting, step, run)
        case _:
            return [{"type": "events", "table": table, "first": 1, "events": _lines(setting, step, run)}]


def _snapshot(setting: Setting, snapshot: Snapshot) -> dict[str, Any]:
    info = {"game": "unknown", "state": "playing" if snapshot.is_in_play else "between"}
    plain = {"type": "table", "table": setting.table, "viewer": setting.viewer, "number": 0, "info": info}
    if snapshot.sealed is not None:
        plain["sealed"] = msgspec.to_builtins(snapshot.sealed, builtin_types=(bytes,))
    return {**plain, "links": snapshot.links}
