"""Writer of `put_server/lobby/lookalikes.txt`: which characters look alike, and of which script each letter is.

    python -m scripts.lookalikes

The tables are Unicode's (UTS 39, and Scripts), from the package confusable_homoglyphs. They are written down, not read
at run time, because the lobby decides names by them: a replay must decide as the server did, whichever package is
installed. The package would also take 18 MB and a tenth of a second, and read files from where an environment variable
says. It has no skeletons either, only groups.
"""

import re
import sys
import textwrap
import unicodedata
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from confusable_homoglyphs import categories, confusables  # type: ignore[import-untyped]  # it has no types

from put_protocol.text import is_printable

TARGET = Path(__file__).parents[1] / "server/put_server/lobby/lookalikes.txt"

_OF_LETTERS = re.compile("(LATIN|GREEK|CYRILLIC) (?:(SMALL|CAPITAL) LETTER|LETTER SMALL CAPITAL) (.+?)(?: WITH .+)?")
_OF_SIGNS = re.compile("(?:NEGATIVE|REGIONAL|CROSSED|SQUARED) .*LETTER ([A-Z])")

HEAD = """\
# Tables of Unicode, written by scripts/lookalikes.py. A word of the first is a character or a few, and the characters
# that look like them; one of the second is a letter, and those with a stroke, a hook and the like; one of the third is
# a script, and ranges of its letters and marks. All by code point.
# They are part of what the lobby decides by, and so of a journal: new ones need a new edition of the policy.
"""


def alike() -> dict[str, str]:
    """Look-alike of every character that a composed name may have, if that is another character."""
    groups = {text: [_bare(found["c"]) for found in near] for text, near in confusables.confusables_data.items()}
    found: dict[str, str] = {}
    for source, near in groups.items():
        # The package tells of each group all from its centre, and the centre from all.
        centre = near[0] if len(near) == 1 and (len(groups.get(near[0], ())) > 1 or near[0] < source) else source
        target = unicodedata.normalize("NFKC", centre)
        if len(source) == 1 and source != target and unicodedata.is_normalized("NFKC", source) and is_printable(source):
            found[source] = target
    return found


def _bare(text: str) -> str:
    return text.replace("\u200e", "")


def scripts() -> dict[str, list[tuple[int, int]]]:
    """Ranges of letters and marks by script, but those that go with any."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for first, last, alias, _ in categories.categories_data["code_points_ranges"]:
        name = categories.categories_data["iso_15924_aliases"][alias]
        if name in ("COMMON", "INHERITED"):
            continue
        ranges = found[name]
        if ranges and not any(unicodedata.category(chr(c))[0] in "LM" for c in range(ranges[-1][1] + 1, first)):
            ranges[-1] = ranges[-1][0], last
        else:
            ranges.append((first, last))
    return dict(sorted(found.items()))


def written() -> str:
    ranges = [
        f"{name.title()}={','.join(f'{first:X}-{last:X}' for first, last in found)}"
        for name, found in scripts().items()
    ]
    return HEAD + "".join(
        f"\n{textwrap.fill(' '.join(words), 120, break_on_hyphens=False, break_long_words=False)}\n"
        for words in (_by_target(alike()), _by_target(letters()), ranges)
    )


def letters() -> dict[str, str]:
    """Letters that are another one as a small capital, or on a sign, or with a stroke or a hook, by their names. Of the
    last only those of which `alike` says nothing: one letter is not to be like two that are not alike."""
    told = alike()
    others = told.keys() | set("".join(told.values()))
    found: dict[str, str] = {}
    for letter in filter(is_printable, map(chr, range(sys.maxunicode + 1))):
        name = unicodedata.name(letter, "")
        if sign := _OF_SIGNS.fullmatch(name):
            found[letter] = sign[1]
        elif (match := _OF_LETTERS.fullmatch(name)) and (
            "SMALL CAPITAL" in name or others.isdisjoint((letter, letter.swapcase()))
        ):
            script, case, base = match.groups()
            with suppress(KeyError):
                found[letter] = unicodedata.lookup(f"{script} {case or 'CAPITAL'} LETTER {base}")
    return {
        letter: target
        for letter, target in found.items()
        if letter != target and unicodedata.normalize("NFKD", letter) == letter
    }


def _by_target(targets: dict[str, str]) -> list[str]:
    found: dict[str, str] = defaultdict(str)
    for source, target in sorted(targets.items()):
        found[target] += source
    return [f"{_points(target)}={_points(sources)}" for target, sources in sorted(found.items())]


def _points(text: str) -> str:
    return ",".join(f"{ord(character):X}" for character in text)


def main() -> None:
    TARGET.write_text(written(), "ascii")
    sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
