"""Sizes of the project, counted from git's files.

scripts/check --sizes       every count, now and at the branch's beginning
"""

import io
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

MAIN_BRANCHES = ("@{upstream}", "origin/main", "origin/master", "main")
"""Possible parent branches of this one; the first that exists is used."""

GENERATED_PART = re.compile(r"<!-- [a-z ]+(: [a-z0-9-]+)? -->.*?<!-- end -->", re.DOTALL)


class SourceFile(NamedTuple):
    path: str
    text: str


def sources(revision: str) -> list[SourceFile]:
    """Python, own JavaScript and pages of documentation; an empty revision is the work tree."""
    if not revision:
        listed = _git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
        paths = [path for path in listed if _is_counted(path) and (ROOT / path).is_file()]
        return [SourceFile(path, (ROOT / path).read_text("utf-8")) for path in paths]
    packed = subprocess.run(["git", "archive", revision], capture_output=True, cwd=ROOT, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return [
            SourceFile(member.name, content.read().decode("utf-8"))
            for member in archive
            if _is_counted(member.name) and (content := archive.extractfile(member)) is not None
        ]


def lines(files: list[SourceFile]) -> int:
    """Lines of Python and own JavaScript outside tests: the budget."""
    return sum(text.count("\n") for _, text in _code(files))


def beginning() -> str:
    """The commit at which this branch left the main one; empty: unknown, or this commit itself."""
    head = _git("rev-parse", "HEAD").strip()
    for name in MAIN_BRANCHES:
        commit = _git("merge-base", "HEAD", name).strip()
        if commit:
            return "" if commit == head and not _git("status", "--porcelain") else commit
    return ""


def budget() -> str:
    """Lines outside tests as a sentence, with the difference to the branch's beginning."""
    now = lines(sources(""))
    start = beginning()
    change = f" ({now - lines(sources(start)):+,} on this branch)" if start else ""
    return f"{now:,} lines of Python and JavaScript outside tests{change}"


def table() -> str:
    start = beginning()
    before, now = (sources(start) if start else None), sources("")
    rows = []
    for title, count in COUNTS.items():
        change = f"  {count(now) - count(before):+,}" if before is not None else ""
        rows.append(f"{count(now):>9,}  {title}{change}")
    return "\n".join(rows)


def _git(*words: str) -> str:
    """Output of a git command; empty if it fails."""
    return subprocess.run(["git", *words], capture_output=True, text=True, cwd=ROOT, check=False).stdout


def _is_counted(path: str) -> bool:
    return path.endswith((".py", ".js", ".mjs", ".md")) and "/vendor/" not in path


def _code(files: list[SourceFile]) -> Iterator[SourceFile]:
    return (file for file in files if not file.path.startswith(("tests/", "docs/")) and not file.path.endswith(".md"))


COUNTS: dict[str, Callable[[list[SourceFile]], int]] = {
    "lines of Python and JavaScript outside tests": lines,
    "modules of Python outside tests": lambda files: sum(path.endswith(".py") for path, _ in _code(files)),
    "lines of tests": lambda files: sum(text.count("\n") for path, text in files if path.startswith("tests/")),
    "words of documentation outside generated parts": lambda files: sum(
        len(GENERATED_PART.sub("", text).split()) for path, text in files if path.endswith(".md")
    ),
}
