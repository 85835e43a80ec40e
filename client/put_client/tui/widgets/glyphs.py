"""The signs that a terminal can show, chosen by its encoding and its kind.

A terminal that is not in UTF-8 shows question marks for most signs, and the fonts of consoles have letters, lines and
shades, but no suits, rounded corners or dots. Who wants fewer signs than that asks for `ascii`.
"""

from collections.abc import Mapping
from dataclasses import replace

from put_client.settings import DEFAULTS, Settings
from put_client.tui.widgets.theme import ASCII, CONSOLE, UNICODE, Theme

CARD_BACKS: Mapping[str, str] = {"dots": "░", "shade": "▒", "lattice": "\u2573", "waves": "≈", "plain": " "}
"""Fillings for the backs of cards, where the terminal has the signs."""

_CONSOLES = ("linux", "cons25", "wscons", "pccon")
_OLD = ("vt52", "vt100", "vt102", "vt220", "vt320", "ansi", "dumb", "cygwin", "sun", "wyse")


def glyphs_for(settings: Settings, environment: Mapping[str, str], encoding: str | None) -> Theme:
    """The signs for a terminal. `encoding`: of standard output, as Python found it."""
    theme = _most(environment, encoding)
    if settings.ascii:
        theme = ASCII
    back = CARD_BACKS[settings.card_back]
    if theme is ASCII or settings.card_back == DEFAULTS.card_back:
        return theme
    return replace(theme, back=back) if theme is UNICODE or settings.card_back in ("shade", "plain") else theme


def _most(environment: Mapping[str, str], encoding: str | None) -> Theme:
    """All that it can show."""
    if _codeset(environment) not in ("", "utf8") or _plain(encoding or "") not in ("", "utf8"):
        return ASCII
    term = environment.get("TERM", "")
    kind = term.partition(".")[2] or term  # as in screen.linux
    if kind.startswith(_CONSOLES):
        return CONSOLE
    return ASCII if kind.startswith(_OLD) else UNICODE


def _codeset(environment: Mapping[str, str]) -> str:
    """The encoding that the locale names, without what programs write differently; empty: none."""
    named = (environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((value for value in named if value), "")
    if locale in ("C", "POSIX"):
        return "ascii"  # for which Python takes UTF-8
    return _plain(locale.partition(".")[2].partition("@")[0])


def _plain(encoding: str) -> str:
    return encoding.lower().replace("-", "").replace("_", "")
