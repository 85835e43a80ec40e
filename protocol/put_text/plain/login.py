"""Login of a plain connection: what a person types before the welcome, to say who they are. Pure."""

from dataclasses import dataclass, replace

from put_protocol import PROTOCOL_VERSION
from put_protocol.limits import PLAIN_HELLO_MS
from put_protocol.messages import Hello
from put_protocol.text import printable
from put_text.plain.commands import Quit
from put_text.presenters.registry import families_in_words

PROMPT = (
    'This is a put server, in plain English. Say who you are: "name Moll", if you are Moll.',
    f'You have {PLAIN_HELLO_MS // 60_000} minutes for it. Say "help" for help.',
)
"""Sent to a peer who has not said who they are."""

_HELP = (
    "name NAME: come in under this name, of 1 to 24 characters.",
    "bot NAME: the same, for a program; everyone is told that it is one. So is name NAME as a bot.",
    "password TEXT: say it before your name, where the server asks for one; or say it behind your name.",
    "back WORDS: come back to your seat, with the words you were given.",
    "numbers on|off: hear every event with its number, or without.",
    "quit: close the connection.",
)

_PASSWORD = 'This server asks for a password: say it behind your name, or "password" and the password first.'


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginState:
    """What was typed so far."""

    asks_password: bool
    """The server has a password."""
    password: str = ""
    is_numbered: bool = False


def log_in(state: LoginState, line: str) -> LoginState | Hello | Quit | tuple[str, ...]:
    """What a line leads to: a new state, a hello, the end, or an answer."""
    words = printable(line.expandtabs(1)).split()
    word, rest = (words[0].casefold(), words[1:]) if words else ("", [])
    match word, rest:
        case "name" | "bot", [_, *_]:
            return _log_in_as(state, rest, is_bot=word == "bot")
        case "back", [token]:
            return Hello(
                PROTOCOL_VERSION, password=state.password, knows=families_in_words(), client="plain", token=token
            )
        case "back", [token, password] if state.asks_password:
            return Hello(PROTOCOL_VERSION, password=password, knows=families_in_words(), client="plain", token=token)
        case "password", [_, *_]:
            return replace(state, password=" ".join(rest))
        case "numbers", ["on" | "off"]:
            return replace(state, is_numbered=rest == ["on"])
        case "help", _:
            return _HELP
        case "quit", []:
            return Quit()
        case _:
            return PROMPT


def _log_in_as(state: LoginState, words: list[str], *, is_bot: bool) -> Hello | tuple[str, ...]:
    words, says_bot = _without_bot(words)
    password = state.password
    if state.asks_password and not password:
        if len(words) < 2:
            return (_PASSWORD,)
        *words, password = words
        words, says_too = _without_bot(words)
        says_bot = says_bot or says_too
    return Hello(
        PROTOCOL_VERSION, " ".join(words), password, is_bot or says_bot, knows=families_in_words(), client="plain"
    )


def _without_bot(words: list[str]) -> tuple[list[str], bool]:
    is_said = len(words) > 3 and [word.casefold() for word in words[-3:]] == ["as", "a", "bot"]
    return (words[:-3], True) if is_said else (words, False)
