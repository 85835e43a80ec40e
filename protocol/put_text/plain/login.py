"""Login of a plain connection: lines before the welcome that identify a person. Pure."""

import re
from dataclasses import dataclass, replace

from put_protocol import PROTOCOL_VERSION
from put_protocol.connection import GREETING
from put_protocol.limits import PLAIN_HELLO_MS, PLAIN_WORDS
from put_protocol.messages import Hello
from put_protocol.text import printable
from put_text.catalogue import ENGLISH, language_named, say
from put_text.parse_action import command_in_english
from put_text.plain.text_state import EndSession
from put_text.presenters import families_in_words

TYPES = "plain"
"""The `client` of a hello from a person who types: they get words as a token."""


def prompt() -> tuple[str, ...]:
    return (say("plain-greeting", greeting=GREETING), say("plain-say-who", minutes=PLAIN_HELLO_MS // 60_000))


_HELP = ("name", "bot", "password", "back", "numbers", "language", "quit")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginState:
    asks_password: bool
    password: str = ""
    is_numbered: bool = False
    language: str = ENGLISH


def log_in(state: LoginState, line: str) -> LoginState | Hello | EndSession | tuple[str, ...]:
    """The result of a line: a new state, a hello, the end, or an answer."""
    words = command_in_english(printable(line.expandtabs(1))).split()
    word, rest = (words[0].casefold(), words[1:]) if words else ("", [])
    match word, rest:
        case "name" | "bot", [_, *_]:
            return _log_in_as(state, rest, is_bot=word == "bot")
        case "back", [_, *_]:
            return _come_back(state, " ".join(rest))
        case "password", [_, *_]:
            return replace(state, password=" ".join(rest))
        case "numbers", ["on" | "off"]:
            return replace(state, is_numbered=rest == ["on"])
        case "language", [name] if (found := language_named(name)) is not None:
            return replace(state, language=found)
        case "help", _:
            return tuple([say(f"plain-login-{word}", words=PLAIN_WORDS) for word in _HELP])
        case "quit", []:
            return EndSession()
        case _:
            return prompt()


_WORDS = re.compile(rf"((?:[a-z]{{5}}[ ,.-]+){{{PLAIN_WORDS - 1}}}[a-z]{{5}})[ ,.]*(.*)", re.ASCII | re.IGNORECASE)


def _come_back(state: LoginState, said: str) -> Hello | tuple[str, ...]:
    """Resume with the given words, separated in any way; or with a program's token, which is one word."""
    found = _WORDS.fullmatch(said)
    if found is not None:
        token, password = " ".join(re.split("[ ,.-]+", found[1].lower())), found[2]
    else:
        token, _, password = said.partition(" ")
    if password and not state.asks_password:
        return (say("plain-say-back", words=PLAIN_WORDS),)
    return Hello(
        PROTOCOL_VERSION,
        password=password or state.password,
        knows=families_in_words(),
        client=TYPES,
        language=state.language,
        token=token,
    )


def _log_in_as(state: LoginState, words: list[str], *, is_bot: bool) -> Hello | tuple[str, ...]:
    words, says_bot = _without_bot(words)
    password = state.password
    if state.asks_password and not password:
        if len(words) < 2:
            return (say("plain-password"),)
        *words, password = words
        words, says_too = _without_bot(words)
        says_bot = says_bot or says_too
    return Hello(
        PROTOCOL_VERSION,
        " ".join(words),
        password,
        is_bot or says_bot,
        knows=families_in_words(),
        client=TYPES,
        language=state.language,
    )


def _without_bot(words: list[str]) -> tuple[list[str], bool]:
    is_said = len(words) > 3 and [word.casefold() for word in words[-3:]] == ["as", "a", "bot"]
    return (words[:-3], True) if is_said else (words, False)
