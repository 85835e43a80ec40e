"""Everything continuous integration runs: scripts/check for every system, then a game of house players to its end. The
arguments are those of scripts/check."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

if __name__ == "__main__":  # started by any Python
    from scripts.environment import enter

    enter("dev")

from scripts import check  # noqa: E402  # its folder is known by now

GAME = ("scripts/play.py", "--watch", "--games", "1", "--seed", "7")

GAME_S = 120
"""Twenty times what it takes."""


def main() -> int:
    """Returns the exit code: whether anything failed."""
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    failed = check.main(everywhere=True)
    # Silent when it passes, so that pytest's last lines stay the last.
    how = ""
    try:
        game = subprocess.run(
            [sys.executable, *GAME],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            timeout=GAME_S,
            check=False,
        )
        said = game.stdout
        how = f"status {game.returncode}" if game.returncode else ""
    except subprocess.TimeoutExpired as late:
        how, said = f"no end within {GAME_S} seconds", late.stdout or b""
    if how:
        print(f"\n== {' '.join(GAME)} ({how})", file=sys.stderr)
        print(said.decode(errors="replace"), file=sys.stderr)
    return bool(failed or how)


if __name__ == "__main__":
    sys.exit(main())
