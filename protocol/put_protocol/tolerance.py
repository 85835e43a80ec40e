"""Tolerance of a client for a server of a later release: unknown parts of a message are read apart from the rest.

`taken_apart` is called only for a message that does not convert. It takes out the fields with views, events and actions
of unknown tags, so that the rest may convert, and makes their values. Other faults stay, so the second attempt meets
them.
"""

from collections.abc import Container
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct, structs

from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.games.unknown import UnknownAction, UnknownEvent, UnknownUnseenAction, UnknownView
from put_protocol.messages import Question
from put_protocol.offers import GameOffer, OptionOffer

Raw = dict[str, Any]


class Apart(NamedTuple):
    """A message without the fields that have unknown parts."""

    known: Raw
    others: Raw
    """Those fields, as the converted message has them."""


def taken_apart(message: Raw) -> Apart:
    """:raises msgspec.ValidationError: a field with an unknown part is invalid for another reason, too."""
    known, others = dict(message), Raw()
    if message.get("type") in ("events", "table", "decision", "position"):
        view, events, question = message.get("view"), _list(message, "events"), message.get("decision")
        if isinstance(view, dict) and _is_unknown(view, "view", _VIEWS):
            del known["view"]
            others["view"] = UnknownView(view["view"], _values(view, "view"))
        if any(_is_unknown(event, "event", _EVENTS) for event in events):
            known["events"], others["events"] = [], tuple(map(_event, events))
        if _has_unknown_choice(message):
            known["legal"], others["legal"] = [], tuple(map(_choice, message["legal"]))
        if isinstance(question, dict) and _has_unknown_choice(question):
            asked = msgspec.convert({**question, "legal": []}, Question)
            del known["decision"]
            others["decision"] = structs.replace(asked, legal=tuple(map(_choice, question["legal"])))
    elif message.get("type") == "welcome":
        known["games"] = [_lenient(game, GameOffer) for game in _list(message, "games")]
    for info in (known.get("info"), *_list(known, "tables")):
        if isinstance(info, dict) and isinstance(options := info.get("options"), dict):
            info["options"] = {
                name: value if type(value) in (int, str) else str(value) for name, value in options.items()
            }
    return Apart(known, others)


def has_unknown_action(raw: object) -> bool:
    """True if a message contains an unknown action, at any depth."""
    inside = raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else ()
    return _is_unknown(raw, "do", _ACTIONS) or any(map(has_unknown_action, inside))


_ACTIONS, _EVENTS, _VIEWS = (
    frozenset(struct.__struct_config__.tag for struct in get_args(union)) for union in (Action, Event, GameView)
)


def _is_unknown(raw: object, tag_field: str, tags: Container[object]) -> bool:
    return isinstance(raw, dict) and isinstance(tag := raw.get(tag_field), str) and tag not in tags


def _values(raw: Raw, tag_field: str) -> Raw:
    return {name: value for name, value in raw.items() if name != tag_field}


def _event(raw: Any) -> Event:
    if _is_unknown(raw, "event", _EVENTS):
        return UnknownEvent(raw["event"], _values(raw, "event"))
    return msgspec.convert(raw, Event)


def _has_unknown_choice(raw: Raw) -> bool:
    return any(map(_is_unknown_choice, _list(raw, "legal")))


def _is_unknown_choice(raw: object) -> bool:
    if not isinstance(raw, dict) or not _is_unknown(raw.get("action"), "do", _ACTIONS):
        return False
    return isinstance(raw.get("says", ""), str)


def _choice(raw: Any) -> Choice:
    if not _is_unknown_choice(raw):
        return msgspec.convert(raw, Choice)
    action = raw["action"]
    kind = UnknownUnseenAction if raw.get("is_unseen") is True else UnknownAction
    return Choice(kind(action["do"], _values(action, "do")), raw.get("says", ""))


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
