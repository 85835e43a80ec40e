"""Measure the server: rules, throughput, latency, and memory. See docs/performance.md."""

import argparse
import gc
import os
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.benches import blind, cluster, games, harness, screen_drawing, served_moves
from scripts.benches.harness import Report

SECTIONS = {
    "rules": games.measure,
    "served": served_moves.measure_rate,
    "latency": served_moves.measure_latency,
    "gallery": served_moves.measure_gallery,
    "durability": served_moves.measure_durability,
    "blind": blind.measure,
    "memory": served_moves.measure_memory,
    "terminal": screen_drawing.measure,
    "arena": games.measure_arena,
    "env": games.measure_environments,
    "cluster": cluster.measure,
}


def main() -> None:
    flags = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    flags.add_argument("--quick", action="store_true", help="fewer and shorter rounds: two minutes in place of twelve")
    flags.add_argument("--only", choices=list(SECTIONS), help="one section")
    flags.add_argument("--json", type=Path, metavar="FILE", help="write every figure with its rounds to a file")
    asked = flags.parse_args()
    about = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load_average": os.getloadavg()[0],
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "is_quick": asked.quick,
    }
    print(f"Python {about['python']}, {about['system']}, {about['cores']} cores", end="; ")
    print(f"load average before: {about['load_average']:.2f} (this should be near 0)")
    if harness.CORE_MEASURED == harness.CORE_LOAD:
        print("There is only one core. Server and load share it, so the figures mean little.")
    print("Each figure is the median of its rounds, then the least and the most.")
    os.sched_setaffinity(0, {harness.CORE_LOAD})
    report = Report()
    for name, measure in SECTIONS.items():
        if asked.only in {None, name}:
            gc.collect()
            measure(report, is_quick=asked.quick)
    if asked.json is not None:
        report.save(asked.json, about)


if __name__ == "__main__":
    main()
