"""Competitors, by what a person types."""

import pytest

from put_arena.competitors import DIRECTOR, Competitor, CompetitorError, Kind, command_words, parse
from put_protocol.text import NAME_LENGTH, flaw_of_name


def one(typed: str) -> Competitor:
    """The first of two."""
    return parse([typed, "house:steady"])[0]


@pytest.mark.parametrize(
    ("typed", "kind", "label", "what"),
    [
        ("a.py", Kind.SDK, "a", "a.py"),
        ("bots/mine/a.py", Kind.SDK, "a", "bots/mine/a.py"),
        ("a.py:Bold", Kind.SDK, "Bold", "a.py:Bold"),
        ("my_package.mine:Bold", Kind.SDK, "Bold", "my_package.mine:Bold"),
        ("my_package.mine", Kind.SDK, "mine", "my_package.mine"),
        ("stdio:./mybot --fast", Kind.STDIO, "mybot", "./mybot --fast"),
        ("stdio:node bots/bot.mjs --stdio", Kind.STDIO, "bot", "node bots/bot.mjs --stdio"),
        ("dial:node bot.mjs {host} {port} {name}", Kind.DIAL, "bot", "node bot.mjs {host} {port} {name}"),
        ("dial:mybot {host}:{port}", Kind.DIAL, "mybot", "mybot {host}:{port}"),
        ("house:sharp", Kind.HOUSE, "sharp", "sharp"),
        ("fast=stdio:./mybot --fast", Kind.STDIO, "fast", "./mybot --fast"),
        ("v 2=a.py:Bold", Kind.SDK, "v 2", "a.py:Bold"),
    ],
)
def test_a_competitor_is_known_by_what_is_typed(typed: str, kind: Kind, label: str, what: str) -> None:
    """The word before the colon tells how it comes to the tables, the rest what it is called."""
    assert one(typed) == Competitor(label=label, kind=kind, what=what, typed=typed)


def test_competitors_of_one_name_are_numbered() -> None:
    """Also where the names differ in case only, or one is the director's."""
    labels = [c.label for c in parse(["a.py", "other/A.py", "a.py", "house:a", f"{DIRECTOR}=b.py"])]
    assert labels == ["a", "A 2", "a 3", "a 4", "The director 2"]


def test_every_player_of_a_competitor_has_a_name_that_will_do() -> None:
    """However long or odd the file's name is."""
    for typed in ("x" * 60 + ".py", "\u202e.py", "stdio:'a\tb'", "   spaced   =a.py"):
        for copy in range(4):
            name = one(typed).person(copy)
            assert flaw_of_name(name) is None
            assert len(name) <= NAME_LENGTH


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("stdio:", "names no command"),
        ("stdio:'unclosed", "is no command: no closing quotation"),
        ("dial:node bot.mjs", "is not told where to connect"),
        ("house:", "names no house player"),
        ("", "names no competitor"),
    ],
)
def test_what_names_nobody_is_told_in_a_sentence(typed: str, says: str) -> None:
    """It says what would do."""
    with pytest.raises(CompetitorError, match=says):
        one(typed)


def test_one_competitor_is_no_match() -> None:
    """They may be named twice."""
    with pytest.raises(CompetitorError, match="two competitors or more"):
        parse(["a.py"])
    assert [c.label for c in parse(["a.py", "a.py"])] == ["a", "a 2"]


def test_a_commands_places_are_filled_after_it_is_split() -> None:
    """So a name with a blank or a quote in it stays one word."""
    assert command_words("bot '{name}' --at {host}:{port}", host="h", port="1", name="it's me") == [
        "bot",
        "it's me",
        "--at",
        "h:1",
    ]
