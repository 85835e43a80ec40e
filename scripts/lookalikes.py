"""Writer of `put_server/lobby/lookalikes.py`: which characters look alike, and of which script each letter is.

    python -m scripts.lookalikes

The tables are Unicode's (UTS 39, and Scripts), from the package confusable_homoglyphs. They are written down, not read
at run time, because the lobby decides names by them: a replay must decide as the server did, whatever package is
installed. The package would also take 18 MB and a tenth of a second, and read files from where an environment variable
says. It has no skeletons either, only groups.
"""

import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from confusable_homoglyphs import categories, confusables  # type: ignore[import-untyped]  # it has no types

from put_protocol.text import is_printable

TARGET = Path(__file__).parents[1] / "server/put_server/lobby/lookalikes.py"

HEAD = '''"""Tables of Unicode: characters that look alike, and scripts of letters. `scripts/lookalikes.py` wrote them.

They are part of what the lobby decides by, and so of a journal: whoever renews them renews the edition of its policy.
"""

# ruff: noqa: E501

'''


def alike() -> dict[str, str]:
    """For every character that a composed name may have: what it looks like, if that is something else."""
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
    by_target: dict[str, str] = defaultdict(str)
    for source, target in sorted(alike().items()):
        by_target[target] += source
    lines = [HEAD, "# fmt: off\n", "ALIKE: dict[str, str] = {\n"]
    lines += [f"    {target!a}: {sources!a},\n" for target, sources in sorted(by_target.items())]
    lines += ["}\n", '"""By what they look like: the characters that do."""\n\n']
    lines.append("SCRIPTS: dict[str, tuple[tuple[int, int], ...]] = {\n")
    for name, ranges in scripts().items():
        body = ", ".join(f"(0x{first:X}, 0x{last:X})" for first, last in ranges)
        lines.append(f'    "{name.replace("_", " ").title()}": ({body},),\n')
    lines += ["}\n", '"""Ranges of code points of each script."""\n', "# fmt: on\n"]
    return "".join(lines)


def main() -> None:
    TARGET.write_text(written(), "utf-8")
    sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
