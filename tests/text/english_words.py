"""English that is left in what is said in another language."""

import re

_ENGLISH = (
    "the of you your yours is are was were with and to for not there this that has have had from which it its they "
    "them their be been by who what when where how everyone every each all any other another first then than would "
    "could should cannot does did says said hand hands trick tricks card cards play plays lead leads take takes wins "
    "won lose loses deal deals dealer seat seats stake pool trumps spades hearts diamonds clubs swords batons cups "
    "knave queen king ace waits here trade trades bet bets raise raises "
)
_WORDS = frozenset(_ENGLISH.split())

_IDENTIFIER = re.compile(
    r"^[a-z_]+(?=\u00a0:)|The Oak|The Put Table|[\w-]+=[\w-]+|"
    r'"[^"]*"|«[^»]*»|\([a-z_]+\)|back( [a-z]{5})+|[a-z0-9]+-[a-z0-9-]+'
)
"""What is typed or named so in every language."""


def english_in(text: str) -> set[str]:
    """Words of it that are English and no French."""
    return set(re.findall(r"(?<![\w'])[a-z]+(?![\w'])", _IDENTIFIER.sub(" ", text).casefold())) & _WORDS
