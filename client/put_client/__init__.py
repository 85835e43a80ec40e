"""A client of a put server: the SDK for programs and bots, and two ways to show a table to a person.

    from put_client import Bot, connect, play

Idea: a client is thin. It plays without rules: every decision lists the legal actions, events contain their whole
outcome, and `put_text` makes sentences from both. Import law: put_protocol, put_text and, for the terminal,
prompt_toolkit; never put_server.

The names in `__all__` are public. They are imported on first use, so that `put-client` does not load the code for bots,
and a bot never loads the terminal. The packages are internal: `sdk` (a connection that reconnects), `fairness` (checks
by the rules, and results for people), `bots` (bots and their runner), `line` and `tui` (two ways to play).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from put_client.bots.bot import Bot, IllegalChoice, OnError, Played, RandomBot, Record
    from put_client.bots.playing import BadTerms, Terms, play, play_invited, play_tables
    from put_client.sdk.client import Client, connect
    from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealWarning
    from put_client.sdk.dialler import Security
    from put_client.sdk.errors import (
        BadServer,
        CannotTrust,
        Cheated,
        ClientError,
        Disconnected,
        KeyChanged,
        NoServer,
        NotEncrypted,
        NotVerified,
        Refusal,
        Rejected,
        Unanswered,
    )
    from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
    from put_client.sdk.traffic import Message
else:

    def __getattr__(name: str) -> object:
        for module in _MODULES if name in __all__ else ():
            if (found := getattr(import_module(f"put_client.{module}"), name, None)) is not None:
                return found
        raise AttributeError(f"module 'put_client' has no attribute {name!r}")


__all__ = ["Bot", "IllegalChoice", "OnError", "Played", "RandomBot", "Record"]
__all__ += ["BadTerms", "Terms", "play", "play_invited", "play_tables"]
__all__ += [
    "CheckFailed",
    "Client",
    "ConnectionBack",
    "ConnectionLost",
    "DealChecked",
    "DealWarning",
    "Message",
    "Security",
    "connect",
]
__all__ += ["BadServer", "CannotTrust", "Cheated", "ClientError", "Disconnected", "KeyChanged", "NoServer"]
__all__ += ["NotEncrypted", "NotVerified", "Refusal", "Rejected", "Unanswered"]

_MODULES = (
    "bots.bot",
    "bots.playing",
    "sdk.client",
    "sdk.deal_checks",
    "sdk.dialler",
    "sdk.errors",
    "sdk.lasting_wire",
    "sdk.traffic",
)
