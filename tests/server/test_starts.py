"""What a start loads is what `tests/budget.toml` says."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

MODULES = tomllib.loads((Path(__file__).parents[1] / "budget.toml").read_text())["modules"]
STARTS = {
    "put-server --version": "from put_server.cli import main; main(['--version'])",
    "put-server status": "from put_server.cli import main; main(['status', '--data', 'nowhere'])",
    "put-client": "import put_client.cli, put_client.tui.app",
}
_COUNT = """
import sys
try:
    {start}
except SystemExit:
    pass
print("loaded", sum(name.startswith("put_") for name in sys.modules))
"""


@pytest.mark.parametrize("start", STARTS)
def test_start_loads_what_is_written_down(start: str, tmp_path: Path) -> None:
    """Not more, and not less: what need not be loaded is a wait that every user has, and a gain is kept."""
    command = [sys.executable, "-c", _COUNT.format(start=STARTS[start])]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=tmp_path)
    assert int(ran.stdout.split()[-1]) == MODULES[start]
