"""Presenters: events and views in words, for people without a screen to draw on, and notes for beginners.

Laws: an event is one sentence, and the sentences alone let a newcomer follow a game to its end. The reader's own seat
is "you". Names, talk and the server's phrases are made safe to print. No rules are used: all content comes from the
event, the view, or the list of legal actions.

This module has the sentences for events of the table and of blind deals; each family has a presenter module for its
events. The presenter of an event, a view or an action is found by type. `plain_values` replaces a missing presenter,
and then choices have the server's words (`Choice.says`).
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from msgspec import Struct

from put_protocol import table_events
from put_protocol.blind_events import BlindBegun, BlindEntry, BlindEvent, BlindOpened, PartMissed
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Event, GameView
from put_protocol.seats import Seat, Viewer
from put_protocol.text import bare_tag, printable, sentence
from put_text.catalogue import has_message, say, vocabulary
from put_text.phrases import Names, Speaker, format_minutes
from put_text.presenters import plain_values
from put_text.translated import in_own_words


class Presenter(Protocol):
    """A family of games in clauses, without initial capitals and full stops."""

    @property
    def GRAVE(self) -> tuple[type[Struct], ...]:  # noqa: N802  # a constant of a module
        """Actions that need a confirmation, because they decide a hand or a game."""

    def event_clause(self, event: Any, who: Speaker) -> str:
        """One clause with the whole content of the event."""

    def view_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """The whole current game, one clause each; the last says whose move it is."""

    def introduction_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """Facts to know before the first card, a clause each."""

    def score_clauses(self, view: Any, who: Speaker) -> Iterable[str]:
        """The score, or each player's gains and what is still to be won, one clause each."""


_module: Callable[[str], Any] = import_module

PRESENTERS: dict[str, Presenter] = {
    family: _module(f"{__name__}.{family}") for family in FAMILIES if find_spec(f"{__name__}.{family}") is not None
}
"""Listed by name of the family; optional."""


_FAMILY_OF: Mapping[type, str] = {
    struct: family.name for family in FAMILIES.values() for struct in (family.view, *family.events, *family.actions)
}


def presenter_of(struct: Struct) -> Presenter:
    return PRESENTERS.get(_FAMILY_OF.get(type(struct), ""), plain_values)


def typed_words(action: type[Struct]) -> frozenset[str]:
    """Words for an action, or before its values, besides its tag and the server's phrase."""
    message = _message_about(action, "typed")
    presenter = PRESENTERS.get(_FAMILY_OF.get(action, ""), plain_values)
    return vocabulary(message) if message else getattr(presenter, "TYPED", {}).get(action, frozenset())


def typed_verb(action: Struct) -> str:
    """The first such word in the language of this context; empty: none."""
    message = _message_about(type(action), "typed")
    return say(message).partition("|")[0].strip() if message else ""


def why_not(words: str, action: Struct) -> str | None:
    """Reason why the words mean no legal action of this action's family; None: they are words for no action."""
    family = FAMILIES.get(_FAMILY_OF.get(type(action), ""))
    for kind in () if family is None else family.actions:
        message = _message_about(kind, "cannot")
        has_values = bool(kind.__struct_fields__)
        for phrase in typed_words(kind) if message else ():
            if words == phrase or (has_values and words.startswith(f"{phrase} ")):
                return say(message)
    return None


def _message_about(action: type[Struct], about: str) -> str:
    """The message of the family about an action; empty: there is none."""
    message = f"{_FAMILY_OF.get(action, 'words')}-{about}-{bare_tag(action)}"
    return message if has_message(message) else ""


def families_in_words() -> tuple[str, ...]:
    """Families with a presenter here, for `knows` of a `hello`, in the order of `FAMILIES`."""
    return tuple([family for family in FAMILIES if family in PRESENTERS])


def format_event(event: Event, names: Names, *, you: Viewer, owner: Seat | None = None, is_brief: bool = False) -> str:
    """One sentence with the whole content of the event. `is_brief`: without what the listener already knows, so
    possibly empty.

    `owner`: the player whose own cards it shows, if not the reader.
    """
    clause = event_clause(event, Speaker(names, you, owner, is_brief=is_brief))
    return sentence(clause) if clause else ""


def event_clause(event: Event, who: Speaker) -> str:
    if isinstance(event, table_events.TableEvent):
        return _table_event(event, who)
    if isinstance(event, BlindEvent):
        return _blind_event(event, who)
    return presenter_of(event).event_clause(event, who)


def format_view(view: Struct, names: Names, you: Viewer) -> tuple[str, ...]:
    """The whole current game, one sentence each; the last says whose move it is."""
    return tuple(map(sentence, presenter_of(view).view_clauses(view, Speaker(names, you))))


def format_introduction(view: GameView, names: Names, you: Viewer) -> tuple[str, ...]:
    """Facts to know before a game's first card, one sentence each."""
    return tuple(map(sentence, presenter_of(view).introduction_clauses(view, Speaker(names, you))))


def format_score(view: GameView, names: Names, you: Viewer, *more: str) -> str:
    """The score, or gains and what is still to be won, followed by `more` clauses, in one sentence."""
    return sentence(say("words-semicolon").join([*presenter_of(view).score_clauses(view, Speaker(names, you)), *more]))


def _table_event(event: table_events.TableEvent, who: Speaker) -> str:
    match event:
        case table_events.Sat(seat=seat, name=name, is_house=is_house, is_bot=is_bot):
            kind = "house" if is_house else "bot" if is_bot else "person"
            return who.say("table-sat", seat=seat, name=_named(name), kind=kind, number=seat + 1)
        case table_events.Stood(seat=seat, name=name):
            return who.say("table-stood", seat=seat, name=_named(name), number=seat + 1)
        case table_events.GameStarted(game=game, names=players, plain=plain):
            seated = Speaker(players, who.you).names(map(Seat, range(len(players))))
            begins = who.say("table-started", game=game, players=seated)
            return f"{begins}. {say('table-deals-alone', why=printable(in_own_words(plain)))}" if plain else begins
        case table_events.PauseAsked(minutes=minutes) | table_events.Paused(minutes=minutes):
            return who.tell(event, f"table-{bare_tag(event)}", length=format_minutes(minutes))
        case table_events.Said(name=name, text=text, seat=seat, muted=muted):
            said = {} if muted else {"seat": seat, "text": printable(text)}
            return who.say("table-said-muted" if muted else "table-said", name=_named(name), **said)
        case table_events.GameOver(gains=gains):
            return who.tell(event, "table-over", gained=who.gains(gains))
        case _:
            return who.tell(event, f"table-{bare_tag(event)}")


def _blind_event(event: BlindEvent, who: Speaker) -> str:
    match event:
        case BlindBegun(is_read=True):
            return say("table-blind-read")
        case BlindBegun():
            own, held = event.held_seats()
            sees = [who.say("table-blind-sees", seat=seat) for seat in own]
            server = [say("table-blind-server", names=who.names(held))] if held else []
            return say("table-blind", sees=", ".join([*sees, *server]))
        case BlindEntry() | BlindOpened():
            return ""
        case PartMissed(is_dismissed=is_dismissed):
            return who.tell(event, "table-part-missed", loses="seat" if is_dismissed else "hand")


def _named(name: str) -> str:
    return printable(name) or say("table-a-player")
