"""The page's sentences in French: a file that has each of them, as the page says them in English."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from put_protocol.cards import Card, roman
from put_text.catalogue import card_in_words, speaking
from tests.text.english_words import english_in

FOLDER = Path(__file__).parents[2] / "server/put_server/web"
FRENCH: dict[str, str] = json.loads((FOLDER / "texts-fr.json").read_text("utf-8"))
SOURCES = {path.name: path.read_text("utf-8") for path in [*FOLDER.glob("*.js"), *FOLDER.glob("blind/*.js")]}

RANKS = {"A": "ace", "K": "king", "Q": "queen", "C": "cavalier", "J": "knave"}
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
TAROT = {"w": "swords", "b": "batons", "u": "cups", "o": "coins"}


def said_in(source: str) -> Iterator[str]:
    """The sentences that a module says, with `{}` for what varies."""
    for begin in re.finditer(r"(?<![\w$])t`", source):
        at, depth, key = begin.end(), 0, ""
        while depth or source[at] != "`":
            if source.startswith("${", at):
                key += "" if depth else "{}"
                depth, at = depth + 1, at + 1
            elif depth:
                depth += {"{": 1, "}": -1}.get(source[at], 0)
            else:
                key += source[at]
            at += 1
        yield key


def names() -> dict[str, str]:
    """The cards as the page names them in English, with their names in French."""
    french = {rank: [*"23456789", "10", *"JQKA"] for rank in SUITS} | {
        rank: [*"123456789", "10", *"JCQK"] for rank in TAROT
    }
    cards = {
        f"the {RANKS.get(rank, rank)} of {(SUITS | TAROT)[suit]}": Card(f"{rank}{suit}")
        for suit in french
        for rank in french[suit]
    }
    cards |= {"the Fool": Card("0t"), **{f"trump {roman(number)}": Card(f"{number}t") for number in range(1, 22)}}
    with speaking("fr"):
        return {name: card_in_words(card) for name, card in cards.items()}


def test_every_sentence_of_the_page_is_there_in_french() -> None:
    """Each that is said, and none more, with as much that varies; cards as the catalogue calls them."""
    said = {key for source in SOURCES.values() for key in said_in(source)}
    assert len(said) > 200
    assert said - set(FRENCH) == set()
    named = {key for key, french in names().items() if FRENCH.get(key) == french}
    assert named == set(names())
    words = "\n".join(SOURCES.values())
    assert {key for key in set(FRENCH) - said - named if f'"{key}"' not in words} == set()
    for english, french in FRENCH.items():
        assert english.count("{}") == french.count("{}"), english


def test_what_is_found_wrong_is_said_in_the_same_language() -> None:
    """No sentence about a server that lies, nor one for the player, stands in the code as it is said."""
    words = "\n".join(SOURCES.values())
    assert len(re.findall(r"new (?:Unsound|NoKey)\(t`", words)) > 20
    assert re.findall(r"""(?:new (?:Unsound|NoKey)|\bnotify)\((?:[\w.]+, )?["`].*""", words) == []


def test_no_sentence_in_french_is_english() -> None:
    """Nor has a mark without its space, or with one where a line may end."""
    assert {english: found for english, french in FRENCH.items() if (found := english_in(french))} == {}
    assert [french for french in FRENCH.values() if re.search(r" [;:?!»]|« |[^\s\u00a0][;?!»](?=\s|$)", french)] == []


def test_stylesheets_say_no_words() -> None:
    """They would be English in every language."""
    sheets = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.css"))
    assert re.findall(r"""\bcontent: "[^"]*[A-Za-z]{2}[^"]*"|\bcontent: '[^']*[A-Za-z]{2}[^']*'""", sheets) == []


def test_french_calls_itself_english_where_the_english_does() -> None:
    """What came in English once, and is French now, is not told otherwise."""
    assert [key for key, french in FRENCH.items() if "anglais" in french and "English" not in key] == []
