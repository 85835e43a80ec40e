"""Pins: every package of the environment by version and SHA-256, for every supported Python and system.

    python scripts/pins.py [--upgrade]     needs uv on the PATH; keeps the versions there are, or takes the latest

Writes requirements.txt (imports of server and client, and build tools), requirements-dev.txt (additional packages for
checks and tests), and requirements-mcp.txt (additional packages for put-mcp). Each pin is one line, so that a change is
one line of a diff.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

RUNTIME = "hatchling>=1.27\nsetuptools\nwheel\nnats-py>=2.16\n"
"""Packages besides this one's dependencies. The first three are for building: pip would fetch them unpinned. setuptools
and wheel are only for `nkeys`, which has no wheel. With nats-py a cluster can be tried, without credentials for
NATS."""

HEAD = "# Written by scripts/pins.py.\n"
RUNTIME_TOO = "-r requirements.txt\n"

OPTIONS = "--universal --python-version 3.11.2 --generate-hashes --no-emit-index-url --no-annotate --no-header --quiet"


def resolved(more: str, options: list[str], known: str) -> list[str]:
    """Pins of the package and of `more`; pins in `known` stay unchanged."""
    with tempfile.TemporaryDirectory() as folder:
        asked, written = Path(folder, "asked.in"), Path(folder, "written.txt")
        asked.write_text(more, "utf-8")
        written.write_text(known, "utf-8")
        command = ["uv", "pip", "compile", *OPTIONS.split(), *options, "pyproject.toml", str(asked), "-o", str(written)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return re.sub(r" \\\n +", " ", written.read_text("utf-8")).splitlines()


def main() -> None:
    runtime = ROOT / "requirements.txt"
    more = {extra: ROOT / f"requirements-{extra}.txt" for extra in ("dev", "mcp")}
    known = ""
    if sys.argv[1:] != ["--upgrade"]:
        written = "".join(file.read_text("utf-8") for file in (runtime, *more.values()) if file.exists())
        known = "".join(dict.fromkeys(written.replace(RUNTIME_TOO, "").splitlines(keepends=True)))
    pins = resolved(RUNTIME, [], known)
    runtime.write_text(HEAD + "\n".join(pins) + "\n", "utf-8")
    for extra, file in more.items():
        all_pins = resolved(RUNTIME, ["--extra", extra, "--constraints", runtime.name], known)
        file.write_text(HEAD + RUNTIME_TOO + "\n".join(pin for pin in all_pins if pin not in pins) + "\n", "utf-8")


if __name__ == "__main__":
    main()
