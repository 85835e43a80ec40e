"""Figures as they come, in lines a person can read, and all of them as JSON for a program."""

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class Report:
    """What was measured. A line shows the median, the least and the most of all rounds, and whether the aim is met."""

    def __init__(self) -> None:
        self._figures: list[dict[str, Any]] = []
        self._section = ""

    def section(self, title: str) -> None:
        self._section = title
        print(f"\n{title}\n{'-' * len(title)}", flush=True)

    def note(self, text: str) -> None:
        print(f"  {text}", flush=True)

    def figure(
        self,
        name: str,
        rounds: Sequence[float],
        unit: str,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        decimals: int = 0,
    ) -> float:
        """Show a figure measured in so many rounds; returns the median."""
        middle = statistics.median(rounds)
        shown = f"  {name:<58} {middle:>12,.{decimals}f} {unit:<10}"
        if len(rounds) > 1:
            shown += f" {min(rounds):,.{decimals}f} to {max(rounds):,.{decimals}f}"
        is_met = None
        if at_least is not None or at_most is not None:
            is_met = (at_least is None or middle >= at_least) and (at_most is None or middle <= at_most)
            aim = f"at least {at_least:,g}" if at_least is not None else f"at most {at_most:,g}"
            shown = f"{shown:<108}  aim: {aim}, {'met' if is_met else 'NOT MET'}"
        print(shown, flush=True)
        self._figures.append(
            {
                "section": self._section,
                "name": name,
                "unit": unit,
                "median": middle,
                "rounds": list(rounds),
                "at_least": at_least,
                "at_most": at_most,
                "is_met": is_met,
            }
        )
        return middle

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """Write everything to a file."""
        path.write_text(json.dumps({**about, "figures": self._figures}, indent=2) + "\n")
