"""Tables of Unicode, read from `lookalikes.txt`: characters that look alike, and scripts of letters."""

from functools import cache
from importlib.resources import files


@cache
def looks() -> dict[str, str]:
    """Look of each character that looks like another."""
    return _by_source(0)


@cache
def letters() -> dict[str, str]:
    """Plain letter of each letter with a stroke or hook, and the capital of each small capital."""
    return _by_source(1)


@cache
def ranges() -> list[tuple[int, int, str]]:
    """First and last code point of letters of one script, and its name; in order."""
    return sorted(
        (int(first, 16), int(last, 16), name.replace("_", " "))
        for name, found in _table(2)
        for first, last in (each.split("-") for each in found.split(","))
    )


def _by_source(number: int) -> dict[str, str]:
    return {
        source: "".join(map(_character, target.split(",")))
        for target, sources in _table(number)
        for source in map(_character, sources.split(","))
    }


def _table(number: int) -> list[tuple[str, str]]:
    text = (files("put_server.lobby") / "lookalikes.txt").read_text("ascii")
    _, *tables = text.split("\n\n")
    return [(name, rest) for name, _, rest in (word.partition("=") for word in tables[number].split())]


def _character(code_point: str) -> str:
    return chr(int(code_point, 16))
