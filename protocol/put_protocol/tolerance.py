"""Tolerance of a client for a server of a later release: unknown parts are cut out of a message and kept aside.

`taken_apart` is called only for a message that does not convert. It cuts out views, events and actions with unknown
tags, so the rest may convert, and `put_together` puts them back into the converted message. Other faults stay in the
map, so the second attempt reports them.
"""

from collections.abc import Callable, Container, Iterator
from typing import Any, NamedTuple, TypeVar, get_args

import msgspec
from msgspec import Struct, structs

from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.games.unknown import UnknownAction, UnknownEvent, UnknownUnseenAction, UnknownView
from put_protocol.offers import GameOffer, OptionOffer

Raw = dict[str, Any]
T = TypeVar("T", bound=Struct)


class Apart(NamedTuple):
    """A message with its unknown parts cut out."""

    known: Raw
    unknown: dict[str, Callable[[Any], Any]]
    """Listed by field of the message: a function from the converted value to the complete value."""


def taken_apart(message: Raw) -> Apart:
    """Cut the unknown parts out of a message's map."""
    apart = Apart(dict(message), {})
    if message.get("type") in ("events", "table", "decision", "position"):
        _take_view(apart)
        _take_events(apart)
        _take_choices(apart)
        _take_question(apart)
    elif message.get("type") == "welcome":
        apart.known["games"] = [_lenient(game, GameOffer) for game in _list(message, "games")]
    for info in (apart.known.get("info"), *_list(apart.known, "tables")):
        if isinstance(info, dict) and isinstance(options := info.get("options"), dict):
            info["options"] = {
                name: value if type(value) in (int, str) else str(value) for name, value in options.items()
            }
    return apart


def has_unknown_action(raw: object) -> bool:
    """True if a message contains an unknown action, at any depth."""
    inside = raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else ()
    return _is_unknown(raw, "do", _ACTIONS) or any(map(has_unknown_action, inside))


def put_together(message: T, apart: Apart) -> T:
    """The converted message with its unknown parts put back."""
    return structs.replace(message, **{field: make(getattr(message, field)) for field, make in apart.unknown.items()})


_ACTIONS, _EVENTS, _VIEWS = (
    frozenset(struct.__struct_config__.tag for struct in get_args(union)) for union in (Action, Event, GameView)
)


def _is_unknown(raw: object, tag_field: str, tags: Container[object]) -> bool:
    return isinstance(raw, dict) and isinstance(tag := raw.get(tag_field), str) and tag not in tags


def _values(raw: Raw, tag_field: str) -> Raw:
    return {name: value for name, value in raw.items() if name != tag_field}


def _take_view(apart: Apart) -> None:
    view = apart.known.get("view")
    if isinstance(view, dict) and _is_unknown(view, "view", _VIEWS):
        del apart.known["view"]
        apart.unknown["view"] = lambda _: UnknownView(view["view"], _values(view, "view"))


def _take_events(apart: Apart) -> None:
    events = _list(apart.known, "events")
    if any(_is_unknown(event, "event", _EVENTS) for event in events):
        apart.known["events"] = [event for event in events if not _is_unknown(event, "event", _EVENTS)]
        apart.unknown["events"] = lambda known: tuple(_events(events, iter(known)))


def _events(raw: list[Any], known: Iterator[Event]) -> Iterator[Event]:
    for event in raw:
        if _is_unknown(event, "event", _EVENTS):
            yield UnknownEvent(event["event"], _values(event, "event"))
        else:
            yield next(known)


def _take_choices(apart: Apart) -> None:
    choices = _list(apart.known, "legal")
    if any(map(_is_unknown_choice, choices)):
        apart.known["legal"] = [choice for choice in choices if not _is_unknown_choice(choice)]
        apart.unknown["legal"] = lambda known: tuple(_choices(choices, iter(known)))


def _take_question(apart: Apart) -> None:
    question = apart.known.get("decision")
    if isinstance(question, dict):
        inside = Apart(dict(question), {})
        _take_choices(inside)
        if inside.unknown:
            apart.known["decision"] = inside.known
            apart.unknown["decision"] = lambda known: put_together(known, inside)


def _is_unknown_choice(raw: object) -> bool:
    if not isinstance(raw, dict) or not _is_unknown(raw.get("action"), "do", _ACTIONS):
        return False
    return isinstance(raw.get("says", ""), str)


def _choices(raw: list[Any], known: Iterator[Choice]) -> Iterator[Choice]:
    for choice in raw:
        if _is_unknown_choice(choice):
            action = choice["action"]
            kind = UnknownUnseenAction if choice.get("is_unseen") is True else UnknownAction
            yield Choice(kind(action["do"], _values(action, "do")), choice.get("says", ""))
        else:
            yield next(known)


def _list(raw: Raw, name: str) -> list[Any]:
    found = raw.get(name)
    return found if isinstance(found, list) else []


def _lenient(raw: object, kind: type[Struct]) -> object:
    """The map without optional fields whose values do not convert."""
    if not isinstance(raw, dict):
        return raw
    kept = dict(raw)
    if kind is GameOffer:
        options = [_lenient(option, OptionOffer) for option in _list(raw, "options")]
        kept["options"] = [option for option in options if _converts(option, OptionOffer)]
    for field in structs.fields(kind):
        if not field.required and field.name in kept and not _converts(kept[field.name], field.type):
            del kept[field.name]
    return kept


def _converts(raw: object, kind: Any) -> bool:
    try:
        msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        return False
    return True
