"""Names as people see them: which look alike, and which nobody may have.

A name is compared by its skeletons (UTS 39): every character is replaced by what it looks like. Case hides and makes
likenesses: `I` is like `l`, and a Cyrillic capital Ve like `B`, but neither in lower case. So a name has two skeletons,
of its own letters and of its small letters, and two names look alike if they have one in common.

A skeleton finds whole names that look alike; that a name mixes alphabets is a reason of its own to refuse it. What may
mix is what UTS 39 calls highly restrictive: letters of one script, or Latin with the scripts of Japanese, Chinese or
Korean. Digits, signs and spaces go with any.
"""

import unicodedata
from bisect import bisect_right

from put_protocol.text import listed, same_name
from put_server.lobby.lookalikes import ALIKE, SCRIPTS

MARKS = 2
"""Marks above and below one letter: as many as Vietnamese has. More reach into the lines of others."""

RESERVED = (
    *("you", "nobody", "somebody", "everybody", "everyone", "operator", "server", "house", "gallery", "dealer"),
    *("admin", "administrator", "moderator", "system", "putserver"),
)
"""What the game's own sentences call somebody, and who speaks for the server; with `the` before it, too. House players
have the names of people, and are told apart by `is_house`."""

_LOOKS = {ord(character): target for target, sources in ALIKE.items() for character in sources}
_STARTS = sorted((first, last, name) for name, ranges in SCRIPTS.items() for first, last in ranges)
_FIRSTS = [first for first, _, _ in _STARTS]
_MAY_MIX = (
    {"Latin", "Han", "Hiragana", "Katakana"},
    {"Latin", "Han", "Bopomofo"},
    {"Latin", "Han", "Hangul"},
)


def skeletons(name: str) -> frozenset[str]:
    """Two names look alike if they have one of these in common."""
    composed = unicodedata.normalize("NFKC", name)
    return frozenset(
        same_name(unicodedata.normalize("NFKC", form).translate(_LOOKS)) for form in (composed, same_name(name))
    )


_RESERVED_LOOKS = frozenset(skeleton for word in RESERVED for skeleton in skeletons(word))


def flaw_of_look(name: str) -> str | None:
    """What is wrong with how a name looks that can be shown, as the end of a sentence, or None if it will do."""
    scripts = _scripts(name)
    if len(scripts) > 1 and not any(scripts <= together for together in _MAY_MIX):
        return f"mixes letters that may be taken for each other, {listed(sorted(scripts))}; use one alphabet"
    if _has_stacked_marks(name):
        return f"has more than {MARKS} marks on one letter"
    for words in (_letters(name), _letters(same_name(name)).removeprefix("the")):
        if not _RESERVED_LOOKS.isdisjoint(skeletons(words)):
            return "is kept for the server, or looks like one that is"
    return None


def _letters(name: str) -> str:
    """The name without what is easily overlooked: spaces and signs."""
    return "".join([character for character in name if unicodedata.category(character)[0] in "LMN"])


def _scripts(name: str) -> set[str]:
    found = {_script(character) for character in unicodedata.normalize("NFKC", name)}
    return found - {""}


def _script(character: str) -> str:
    """Of a letter; empty: of what goes with any."""
    at = bisect_right(_FIRSTS, ord(character)) - 1
    if at >= 0 and ord(character) <= _STARTS[at][1]:
        return _STARTS[at][2] if unicodedata.category(character)[0] in "LM" else ""
    return ""


def _has_stacked_marks(name: str) -> bool:
    marks = 0
    for character in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > MARKS:
            return True
    return False
