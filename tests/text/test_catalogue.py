"""The catalogue of sentences: what the code says is there, in each language, and nothing else."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, TextElement, VariableReference
from fluent.syntax.visitor import Visitor

from put_protocol.games.families import FAMILIES
from put_protocol.seats import Seat
from put_protocol.table_events import TimedOut
from put_protocol.text import Phrase
from put_rules.registry import GAMES
from put_text.catalogue import ENGLISH, forms_in_english, languages, say, speaking, translated
from put_text.presenters import format_event
from put_text.translated import in_own_words, offer_in_language
from tests.text.french_said import FrenchSaid

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "protocol/put_text/languages"
PARTS = [(file.parent.name, file.stem) for file in sorted(CATALOGUE.glob("*/*.ftl"))]
NAMED = re.compile(r"[a-z]+(-[A-Za-z0-9_]+)+")
BY_FAMILY = ("typed", "cannot", "task")
"""Messages that are found by an action or a moment of a family."""


class _Found(Visitor):
    """Variables and messages that a message refers to."""

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.messages: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802  # named by the library
        self.variables.add(node.id.name)

    def visit_MessageReference(self, node: VariableReference) -> None:  # noqa: N802
        self.messages.add(node.id.name)


@cache
def messages(language: str, part: str) -> dict[str, _Found]:
    """The messages of a part, with what each refers to, and with its short form's name."""
    found = {}
    for entry in FluentParser().parse((CATALOGUE / language / f"{part}.ftl").read_text("utf-8")).body:
        assert not isinstance(entry, Junk), entry.content
        if isinstance(entry, Message):
            inside = _Found()
            inside.visit(entry)
            assert entry.id.name not in found
            found[entry.id.name] = inside
    return found


def variables(language: str, part: str, message: str) -> set[str]:
    """The arguments that a message needs, with those of the messages it refers to."""
    own = messages(language, part)
    found = own[message] if message in own else messages(language, "words")[message]
    deeper = [variables(language, part, other) for other in found.messages if other != message]
    return found.variables.union(*deeper)


@cache
def named_in_code() -> tuple[set[str], set[str], set[str]]:
    """Texts of the code that could be names of messages; the beginnings of names; and the names that are said."""
    whole, begun, said = set[str](), set[str](), set[str]()
    for folder in ("protocol", "server", "client", "scripts"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                match node:
                    case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if NAMED.fullmatch(f"{text}x"):
                        begun.add(text)
                    case ast.Constant(value=str(text)) if NAMED.fullmatch(text):
                        whole.add(text)
                    case ast.Call(func=ast.Name(id="say") | ast.Attribute(attr="say" | "tell"), args=args):
                        said |= {
                            str(arg.value) for arg in args if isinstance(arg, ast.Constant) and "-" in str(arg.value)
                        }
                    case _:
                        pass
    return whole, begun, said


@pytest.mark.parametrize(("language", "part"), [(language, part) for language, part in PARTS if language != ENGLISH])
def test_part_of_a_language_is_whole(language: str, part: str) -> None:
    """It has the messages of English, none more, and needs no argument that English does not get."""
    assert list(messages(language, part)) == list(messages(ENGLISH, part))
    for message in messages(language, part):
        given = variables(ENGLISH, part, message)
        persons = {name.removesuffix("-name") for name in given if name.endswith("-name")}
        assert variables(language, part, message) <= given | persons | {f"{name}-name" for name in persons}, message


def test_messages_and_code_know_each_other() -> None:
    """What the code says is in the catalogue, and nothing is there that is never said."""
    parts = {part for language, part in PARTS if language == ENGLISH}
    every = {message for part in parts for message in messages(ENGLISH, part)}
    referred = {other for part in parts for found in messages(ENGLISH, part).values() for other in found.messages}
    whole, begun, said = named_in_code()
    by_family = tuple(f"{family}-{about}-" for family in FAMILIES for about in BY_FAMILY)
    of_argparse = "usage-"  # which says them; `LocalizedParser` knows them again
    assert {one for one in every - whole - referred if not one.startswith((*begun, *by_family, of_argparse))} == set()
    assert {text for text in said if text.partition("-")[0] in parts} <= every


def test_text_of_a_server_is_said_in_the_language_as_far_as_it_is_known() -> None:
    """One that is not in the catalogue, or that has other arguments there, is said in the English that came with it."""
    assert languages() == ("en", "fr")
    with speaking("fr"):
        assert say("words-is-to", seat="you", task=say("words-task-move")) == "c'est à toi de jouer"
        assert translated(Phrase("words-cards", {"count": 3}), "three cards") == "trois cartes"
        assert translated(Phrase("words-cards"), "three cards") == "three cards"
        assert translated(Phrase("whist-trick"), "a trick") == "a trick"
    assert translated(Phrase("words-cards", {"count": 3}), "3 cards") == "3 cards"


UNCONVERTED = {
    "client/put_client": {
        *("arguments.py", "bots/bot.py", "bots/cli.py", "bots/loading.py", "bots/playing.py", "mcp_guest.py"),
        *("record/store.py", "sdk/blind_table.py", "sdk/lasting_wire.py", "sdk/table_check.py"),
    },
    "protocol/put_text": set[str](),
    "server/put_rules": set[str](),
    "server/put_server/lobby": {"presence.py"},
    "server/put_server/table": set[str](),
}
"""Modules that say something themselves, or to programs and operators, by the folders in which no other does."""

WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z]{2,}[,;:]? [a-z]{2,}")


@pytest.mark.parametrize("folder", UNCONVERTED)
def test_module_holds_no_sentence(folder: str) -> None:
    """What is said stands in the catalogue. Words for programmers, in errors and the log, stay where they are."""
    speaking_ones = set()
    for file in (ROOT / folder).rglob("*.py"):
        tree, aside = ast.parse(file.read_text("utf-8")), set[int]()
        for node in ast.walk(tree):
            is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            is_log = isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("log.", "logging."))
            if is_docstring or is_log or isinstance(node, ast.Raise | ast.Assert):
                aside |= {id(inside) for inside in ast.walk(node)}
        said = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in aside]
        if any(isinstance(node.value, str) and WORDS.search(node.value) for node in said):
            speaking_ones.add(str(file.relative_to(ROOT / folder)))
    assert speaking_ones == UNCONVERTED[folder]


SPACED = re.compile(r" [;:?!»]|« |[^\s\u00a0…({\[\"][;?!»](?=\s|$)|«(?!\u00a0)")
"""A mark of French without its space, or with one where a line may end."""


@pytest.mark.parametrize("part", [part for language, part in PARTS if language == "fr"])
def test_french_marks_have_their_spaces(part: str) -> None:
    """A space that does not part from its mark stands before ; : ? ! and », and after «."""
    wrong = {}
    for entry in FluentParser().parse((CATALOGUE / "fr" / f"{part}.ftl").read_text("utf-8")).body:
        if isinstance(entry, Message) and "typed" not in entry.id.name and entry.id.name != "heard-commands":
            texts = _Texts()
            texts.visit(entry)
            wrong[entry.id.name] = [text for text in texts.found if SPACED.search(text)]
    assert {name: texts for name, texts in wrong.items() if texts} == {}


class _Texts(Visitor):
    """The texts of a message."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_TextElement(self, node: TextElement) -> None:  # noqa: N802  # named by the library
        self.found.append(node.value)


def test_english_of_a_server_is_found_again() -> None:
    """Each form of what a server says in English leads back to what is said, so it can be said in another language."""
    for message in [one for part in ("refused", "offer", "rules") for one in messages(ENGLISH, part)]:
        for parts, chosen in forms_in_english(message):
            given: dict[str, Any] = {**chosen, **{name: 7 for name, is_argument in parts if is_argument}}
            english = say(message, **given)
            with speaking("fr"):
                assert not english or in_own_words(english) == say(message, **given), message


def test_rules_are_french_at_every_value_of_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value is put into the French line later, and may be one."""
    french = FrenchSaid(monkeypatch)
    with speaking("fr"):
        offer = offer_in_language(GAMES["put-1674"].offer)
        for options in ({"target": 2}, {"misdeals": 1}):
            lines = offer.under(options).rules
            assert [line for line in lines if french.others(line) or re.search(r"\b1 \w+s\b", line)] == []


@pytest.mark.parametrize(
    ("name", "whose"),
    [("Anne", "d'Anne"), ("\u00c9ve", "d'\u00c9ve"), ("Moll", "de Moll"), ("Yann", "de Yann"), ("", "de ")],
)
def test_french_word_loses_its_vowel_before_a_name_that_begins_with_one(name: str, whose: str) -> None:
    """English has no such word."""
    with speaking("fr"):
        assert format_event(TimedOut(Seat(1)), ("", name or None), you=Seat(0)).startswith(
            f"Le temps {whose}" if name else "Le temps de "
        )
        assert say("deal-server-sees", names=f"{name} et toi").startswith(f"Ce serveur tient les cartes {whose} et toi")
    assert say("deal-server-sees", names=name).startswith(f"This server holds the cards of {name}")
