"""The player's settings, with defaults and allowed values for suits and keys."""

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
"""Colours of a suit: the terminal's sixteen colours, which its owner has chosen to be readable."""

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


THEMES = ("terminal", "felt", "light", "contrast")


def config_file() -> Path:
    return config_folder() / "config.toml"


def _name(value: Any, source: str, name: str) -> str:
    if not isinstance(value, str):
        raise must_be(source, name, "text", value)
    if value and (flaw := flaw_of_name(value)) is not None:
        said = say("refused-flaw", flaw=flaw, most=NAME_LENGTH)
        raise SettingsError(say("client-name-not-taken", source=source, name=repr(value), flaw=said))
    return value


def _language(value: Any, source: str, name: str) -> str:
    if value not in ("", *languages()):
        raise must_be(source, name, " or ".join(languages()), value)
    return str(value)


def _pairs(table: str, value: Any, source: str, known: Mapping[str, object]) -> Pairs:
    """A table of the file; all its names must be known, and all values text."""
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


def _suits(value: Any, source: str, name: str) -> Pairs:
    pairs = _pairs(name, value, source, SUIT_COLOURS)
    for suit, colour in pairs:
        if colour not in COLOURS:
            raise SettingsError(f"{source}: suits.{suit} must be one of {', '.join(COLOURS)}, not {colour!r}")
    return pairs


def _keys(value: Any, source: str, name: str) -> Pairs:
    pairs = _pairs(name, value, source, keymap.commands())
    for command, key in pairs:
        if not keymap.is_key(key):
            allowed = say("client-what-key")
            raise SettingsError(f"{source}: keys.{command} must be {allowed}, not {key!r}")
    clash = keymap.clash(pairs)
    if clash is not None:
        raise SettingsError(f"{source}: every key in keys must mean one thing, and {clash}")
    return pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    name: str = setting("", "help-name", check=_name)
    language: str = setting("", "help-language", check=_language)
    line: bool = setting(False, "help-line")
    ascii: bool = setting(False, "help-ascii")
    editing: bool = setting(True, "help-editing")
    brief: bool = setting(False, "help-brief")
    full: bool = setting(False, "help-full")
    ask_before_deciding: bool = setting(True, "help-ask_before_deciding")
    search: bool = setting(True, "help-search")
    keep_record: bool = setting(True, "help-keep_record")
    teach: bool = setting(True, "help-teach")
    coach: bool = setting(False, "help-coach")
    bell: bool = setting(True, "help-bell")
    sounds: bool = setting(False, "help-sounds")
    title: bool = setting(True, "help-title")
    notify: bool = setting(True, "help-notify")
    motion: bool = setting(True, "help-motion")
    mouse: bool = setting(True, "help-mouse")
    theme: str = setting("terminal", "help-theme", choices=THEMES)
    deck: str = setting("four", "help-deck", choices=("four", "two"))
    card_back: str = setting("dots", "help-card_back", choices=("dots", "shade", "lattice", "waves", "plain"))
    suits: Pairs = setting(  # noqa: RUF009  # a field
        (), "help-suits", check=_suits, is_only_in_file=True
    )
    keys: Pairs = setting(  # noqa: RUF009  # a field
        (), "help-keys", check=_keys, is_only_in_file=True
    )


DEFAULTS = Settings()
SETTINGS = SettingsReader(Settings, "put-client", _adapted, say)


def settle(flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """The settings from all sources; `flags` has only given ones. Without `file` the user's own is read, if any.

    :raises SettingsError: a file is unreadable, or a setting is unknown or has an invalid value.
    """
    return SETTINGS.settle(flags, environment, file or config_file(), must_exist=file is not None)


def spoken(language: str, environment: Mapping[str, str]) -> str:
    """The language to use: the setting, or that of the environment; English if it has no catalogue."""
    named = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = language or next(filter(None, named), "").partition(".")[0].partition("_")[0]
    return wanted if wanted in languages() else ENGLISH


def example() -> str:
    """A file with the default of every setting, each commented out."""
    said = [
        say("help-file"),
        *(f"{capitalized(SETTINGS.meaning(name))} ({SETTINGS.variable(name)})." for name in SETTINGS.flags),
        say("help-colours", says=capitalized(SETTINGS.meaning("suits")), colours=", ".join(COLOURS)),
        f"{capitalized(SETTINGS.meaning('keys'))}.",
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
