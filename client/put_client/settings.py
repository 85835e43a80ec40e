"""The player's settings: what they are, their defaults, and what may be said of suits and keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from put_client import keymap
from put_client.places import config_folder
from put_protocol.text import NAME_LENGTH, capitalized, flaw_of_name
from put_runtime.settings import SettingsError, SettingsReader, must_be, setting
from put_text.catalogue import ENGLISH, languages, say

Pairs = tuple[tuple[str, str], ...]


COLOURS = (
    *("none", "black", "red", "green", "yellow", "blue", "magenta", "cyan", "gray"),
    *("bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "white"),
)
"""Colours of a suit: the terminal's own sixteen, which its owner has chosen to be readable."""

SUIT_COLOURS: Mapping[str, str] = {
    "spades": "none",
    "hearts": "red",
    "diamonds": "bright-blue",
    "clubs": "green",
    "swords": "bright-blue",
    "batons": "green",
    "cups": "red",
    "coins": "yellow",
    "trumps": "magenta",
}
"""Default colours. Red and green differ in lightness, too, and blue from both for every eye."""


def config_file() -> Path:
    """The file of settings, by the customs of the system."""
    return config_folder() / "config.toml"


def _name(value: Any, source: str) -> str:
    if not isinstance(value, str):
        raise must_be(source, "name", "text", value)
    if value and (flaw := flaw_of_name(value)) is not None:
        said = say("refused-flaw", flaw=flaw, most=NAME_LENGTH)
        raise SettingsError(say("client-name-not-taken", source=source, name=repr(value), flaw=said))
    return value


def _language(value: Any, source: str) -> str:
    if value not in ("", *languages()):
        raise must_be(source, "language", " or ".join(languages()), value)
    return str(value)


def _pairs(table: str, value: Any, source: str, known: Mapping[str, object]) -> Pairs:
    """A table of the file, every name in it known and every value text."""
    if not isinstance(value, dict):
        raise SettingsError(f"{source}: {table} must be a table, with a line [{table}] above it, not {value!r}")
    for name, text in value.items():
        if name not in known:
            raise SettingsError(f"{source}: there is no {table}.{name}; there are {', '.join(known)}")
        if not isinstance(text, str):
            raise SettingsError(f"{source}: {table}.{name} must be text, not {text!r}")
    return tuple(value.items())


def _adapted(read: dict[str, Any]) -> dict[str, Any]:
    """A file of an older client had the colours of suits in a table `theme`."""
    if not isinstance(read.get("theme"), dict) or "suits" in read:
        return read
    return {("suits" if name == "theme" else name): value for name, value in read.items()}


def _suits(value: Any, source: str) -> Pairs:
    pairs = _pairs("suits", value, source, SUIT_COLOURS)
    for suit, colour in pairs:
        if colour not in COLOURS:
            raise SettingsError(f"{source}: suits.{suit} must be one of {', '.join(COLOURS)}, not {colour!r}")
    return pairs


def _keys(value: Any, source: str) -> Pairs:
    pairs = _pairs("keys", value, source, keymap.commands())
    for command, key in pairs:
        if not keymap.is_key(key):
            allowed = "one character that is neither a digit nor a space, or one of f1 to f12"
            raise SettingsError(f"{source}: keys.{command} must be {allowed}, not {key!r}")
    clash = keymap.clash(pairs)
    if clash is not None:
        raise SettingsError(f"{source}: every key in keys must mean one thing, and {clash}")
    return pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the player, from a file, the environment and flags."""

    name: str = setting("", "who you are; asked for if left out", check=_name)
    language: str = setting(
        "", "the language: en or fr; that of the environment, as LANG, if left out", check=_language
    )
    line: bool = setting(False, "no full screen: sentences out, lines in")
    ascii: bool = setting(False, "no character beyond ASCII")
    editing: bool = setting(
        True, "in line mode, a prompt with editing and history; without it the terminal reads the lines"
    )
    brief: bool = setting(False, "in line mode, few words: choices only when you ask, with an empty line")
    full: bool = setting(False, "in line mode, all words also after three games, when few are usual")
    ask_before_deciding: bool = setting(True, "ask once more before you put, see or throw in")
    search: bool = setting(True, "look for servers on this network where none is named")
    keep_record: bool = setting(True, "keep a record of your games on this machine")
    teach: bool = setting(True, "give notes for beginners, each of them once")
    coach: bool = setting(False, "against the house, show what each choice is worth at every decision of yours")
    bell: bool = setting(
        True, "ring the bell when it is your turn, or when a player asks for you, while the window is not in use"
    )
    sounds: bool = setting(False, "in line mode, ring the bell at each turn of yours, too")
    title: bool = setting(True, "say in the title of the window whose move it is")
    notify: bool = setting(True, "the same as the bell, as a notification, in terminals that are known to take them")
    motion: bool = setting(
        True, "move what happens on the table; NO_MOTION in the environment, or a slow connection, turns it off, too"
    )
    mouse: bool = setting(True, "take clicks and the wheel; without it the terminal selects text as ever")
    theme: str = setting(
        "terminal",
        "colours: those of the terminal, green felt, light, or high contrast",
        choices=("terminal", "felt", "light", "contrast"),
    )
    deck: str = setting("four", "suits in four colours, or in two", choices=("four", "two"))
    card_back: str = setting(
        "dots", "what the backs of cards are filled with", choices=("dots", "shade", "lattice", "waves", "plain")
    )
    suits: Pairs = setting(  # noqa: RUF009  # a field
        (),
        "the colour of each suit, where it is not that of the theme; a suit is never told by its colour alone",
        check=_suits,
        is_only_in_file=True,
    )
    keys: Pairs = setting(  # noqa: RUF009  # a field
        (),
        "another key for a command: one character, neither a digit nor a space, or one of f1 to f12",
        check=_keys,
        is_only_in_file=True,
    )


DEFAULTS = Settings()
SETTINGS = SettingsReader(Settings, "put-client", _adapted)


def settle(flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """The settings from all their sources; `flags` holds only what was given. Without `file` the user's own is read,
    if there is one.

    :raises SettingsError: a file cannot be read, or a setting is unknown or has no such value.
    """
    return SETTINGS.settle(flags, environment, file or config_file(), must_exist=file is not None)


def spoken(settings: Settings, environment: Mapping[str, str]) -> str:
    """The language to say everything in: the one that is set, or that of the environment; English where there is no
    catalogue for it."""
    named = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = settings.language or next(filter(None, named), "").partition(".")[0].partition("_")[0]
    return wanted if wanted in languages() else ENGLISH


def example() -> str:
    """A file with every setting as it is without one, each behind a sign that makes a comment of it."""
    said = [
        "Settings of put-client: take the # before one away to change it. Flags and variables go before this file.",
        *(f"{capitalized(known.full)} ({SETTINGS.variable(name)})." for name, known in SETTINGS.flags.items()),
        f"{capitalized(SETTINGS.table['suits'].says)}. There are {', '.join(COLOURS)}.",
        f"{capitalized(SETTINGS.table['keys'].says)}.",
    ]
    parts: list[list[str]] = [
        [],
        *([f"#{name} = {_shown(getattr(DEFAULTS, name))}"] for name in SETTINGS.flags),
        ["[suits]", *(f'#{suit} = "{colour}"' for suit, colour in SUIT_COLOURS.items())],
        ["[keys]", *(f'#{name} = "{key}"  # {says}' for name, (key, says) in keymap.commands().items())],
    ]
    paragraphs = [
        "".join(f"{line}\n" for line in (*wrap(comment, 100, initial_indent="# ", subsequent_indent="# "), *part))
        for comment, part in zip(said, parts, strict=True)
    ]
    return "\n".join(paragraphs)


def _shown(value: str | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
