"""The benches: the load plays at the server and the echo, and only the server's packages are needed."""

import subprocess
import sys
from pathlib import Path

from scripts.benches import harness
from scripts.benches.load import Echoes, LoadedTables

ROOT = Path(__file__).resolve().parents[2]


def test_load_plays_at_the_server_and_the_echo() -> None:
    """Games follow one another at the server, and the echo answers."""
    with harness.server() as process:
        tables = LoadedTables(process.port, 2)
        tables.run_moves(200)
        tables.close()
    with harness.echo() as process:
        echoes = Echoes(process.port, 2)
        count, _ = echoes.run(0.05)
        echoes.close()
    assert count > 0


def test_bench_needs_no_package_of_the_tests() -> None:
    """Whoever has the server can measure it."""
    program = "import sys; sys.modules.update(pytest=None, hypothesis=None, tests=None); import scripts.bench"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
