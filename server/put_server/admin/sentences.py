"""Sentences of answers to an operator, common to a single server and a cluster."""

from collections.abc import Sequence

from put_protocol.messages import Goodbye
from put_protocol.text import TALK_LENGTH, counted, flaw_of_talk
from put_server.admin import admin_calls
from put_server.transport.origins import parse_network
from put_text.catalogue import say_in_english

NAMES_SHOWN = 20
"""Names to list when one was not found."""


def flaw_of(call: admin_calls.Call) -> str:
    """Mistake in a call, as a sentence; empty: none."""
    match call:
        case admin_calls.AskAnnounce(text=text):
            return _flaw_of_words("the announcement", text)
        case admin_calls.AskKick(because=because, address=address):
            return _flaw_of_words("the reason", because) if because else (address and _flaw_of_address(address))
        case admin_calls.AskBan(address=address) | admin_calls.AskUnban(address=address):
            return _flaw_of_address(address)
        case _:
            return ""


def _flaw_of_words(what: str, words: str) -> str:
    flaw = flaw_of_talk(words)
    return "" if flaw is None else f"{what} {say_in_english('refused-flaw', flaw=flaw, most=TALK_LENGTH)}"


def _flaw_of_address(address: str) -> str:
    try:
        parse_network(address)
    except ValueError:
        return f"{address[:TALK_LENGTH]!r} is neither an address nor a prefix of addresses"
    return ""


def kicked(because: str = "") -> Goodbye:
    return Goodbye(code="kicked", says=say_in_english("refused-sent-away", because=because or "none"))


def announced(people: int) -> str:
    return f"told to {counted(people, 'person', 'people')}"


def person_sent_away(name: str) -> str:
    return f"{name} was sent away"


def sent_away(people: int, connections: int) -> str:
    others = counted(connections, "other connection")
    return f"sent away: {counted(people, 'person', 'people')}; closed: {others}"


def nobody_called(name: str, names: Sequence[str], people: int) -> str:
    """`names`: of some people here, sorted; `people`: number of people here."""
    names = names[:NAMES_SHOWN]
    more = f" and {people - len(names)} more" if people > len(names) else ""
    here = f"here are {', '.join(names)}{more}" if names else "no one is here"
    return f"no one is called {name[:TALK_LENGTH]!r}; {here}"


def banned(address: str, done: str) -> str:
    return f"{address} is banned; {done}"


def not_banned(address: str) -> str:
    return f"{address} is not banned; put-server bans lists those that are"


def no_longer_banned(address: str) -> str:
    return f"{address} is no longer banned"
