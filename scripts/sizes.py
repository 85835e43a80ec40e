"""Sizes of the project, as a measure of complexity, counted from git's files.

scripts/check --sizes       every count, now and at the branch's beginning
"""

import ast
import io
import re
import subprocess
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

MAIN_BRANCHES = ("@{upstream}", "origin/main", "origin/master", "main")
"""Possible parent branches of this one; the first that exists is used."""

BEGINS_WITH_CLAUSE = re.compile(
    r"(What|Who|Whose|Where|When|Why|How|Whether|Which|Whatever|Whoever|Of|As|At|Until|Between|To|With|For|From|In|On|By"
    r"|If|Since)\b"
)

GENERATED_PART = re.compile(r"<!-- [a-z ]+(: [a-z0-9-]+)? -->.*?<!-- end -->", re.DOTALL)
VAGUE = re.compile(r"\b(nobody|somebody|whoever|whatever)\b", re.IGNORECASE)


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


def _modules(files: list[SourceFile]) -> list[SourceFile]:
    return [file for file in _code(files) if file.path.endswith(".py")]


def _docstrings(files: list[SourceFile]) -> Iterator[tuple[str, bool]]:
    """Docstrings, including those of fields, and whether each is a function's or a class's."""
    for _, text in _modules(files):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                if doc := ast.get_docstring(node):
                    yield doc, not isinstance(node, ast.Module)
                yield from ((doc, False) for doc in _field_docstrings(node.body))


def _field_docstrings(body: list[ast.stmt]) -> Iterator[str]:
    """Strings below an assignment."""
    for above, below in pairwise(body):
        if not (isinstance(above, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr)):
            continue
        if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            yield below.value.value


def _repeated(names: Iterator[str]) -> int:
    return sum(count > 1 for count in Counter(names).values())


def _classes(files: list[SourceFile]) -> Iterator[str]:
    for _, text in _modules(files):
        yield from (node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))


COUNTS: dict[str, Callable[[list[SourceFile]], int]] = {
    "lines of Python and JavaScript outside tests": lines,
    "modules of Python outside tests": lambda files: len(_modules(files)),
    "lines of tests": lambda files: sum(text.count("\n") for path, text in files if path.startswith("tests/")),
    "words of documentation outside generated parts": lambda files: sum(
        len(GENERATED_PART.sub("", text).split()) for path, text in files if path.endswith(".md")
    ),
    "docstrings": lambda files: sum(1 for _ in _docstrings(files)),
    "docstrings that begin with a clause": lambda files: sum(
        bool(BEGINS_WITH_CLAUSE.match(doc)) for doc, _ in _docstrings(files)
    ),
    "docstrings of four words or fewer": lambda files: sum(
        is_part and len(doc.split()) <= 4 for doc, is_part in _docstrings(files)
    ),
    "lines with nobody, somebody, whoever, whatever": lambda files: sum(
        bool(VAGUE.search(line)) for _, text in _modules(files) for line in text.splitlines()
    ),
    "basenames that occur twice": lambda files: _repeated(
        name for file in _modules(files) if (name := file.path.rpartition("/")[2]) != "__init__.py"
    ),
    "class names that occur twice": lambda files: _repeated(_classes(files)),
}
