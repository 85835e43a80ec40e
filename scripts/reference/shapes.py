"""Descriptions of the wire's types: their fields in words, and the docstring under each."""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import chain, pairwise
from types import ModuleType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import fields

from put_protocol.cards import Card
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.messages import ClientMessage, ServerMessage
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Gallery, Seat

CLIENT: tuple[type[Struct], ...] = get_args(ClientMessage)
SERVER: tuple[type[Struct], ...] = get_args(ServerMessage)
EVENTS: tuple[type[Struct], ...] = get_args(Event)
ACTIONS: tuple[type[Struct], ...] = get_args(Action)
VIEWS: tuple[type[Struct], ...] = get_args(GameView)
TAGGED = (*CLIENT, *SERVER, *EVENTS, *ACTIONS, *VIEWS)

_UNIONS_WITH_SECTIONS: tuple[tuple[frozenset[Any], str], ...] = (
    (frozenset(EVENTS), "[event](#events-one-by-one)"),
    (frozenset(ACTIONS), "[action](#actions)"),
    (frozenset(VIEWS), "[view](#views)"),
)


TEXT_LENGTH, LARGEST = 128, 2**53 - 1
"""The usual bounds, which the page states once."""

_USUAL: Mapping[str, str] = {
    "bank_ms": "Left on the bank, in milliseconds.",
    "deal": "Which deal of the table.",
    "is_bot": "A program, as it said in `hello`.",
    "is_house": "Of the house, and no guest.",
    "seat": "Whose it is.",
    "table": "The table's number.",
}
"""Meanings of fields with these names and no docstring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    name: str
    type: str
    """Type in words, with links to sections."""
    absent: str | None
    """Value when it is left out, as JSON; None: required."""
    says: str
    """Its docstring, or the description of its type."""
    is_usual: bool
    """It has no docstring: its name or type is enough."""


class Undocumented(Exception):
    """A field without any description."""


@cache
def docstrings_in(kind: type | ModuleType) -> Mapping[str, str]:
    """The docstring under each attribute of a class, also inherited, or name of a module."""
    bodies = [_tree(kind).body] if isinstance(kind, ModuleType) else map(_body_of, reversed(kind.__mro__))
    said: dict[str, str] = {}
    for before, after in chain.from_iterable(map(pairwise, bodies)):
        match before, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                said[name] = plain(text)
            case _:
                pass
    return said


@cache
def _tree(module: ModuleType) -> ast.Module:
    """Parsed once for all classes; `inspect` would parse it for each."""
    return ast.parse(inspect.getsource(module))


def _body_of(kind: type) -> list[ast.stmt]:
    """Its statements; none of a class of a library."""
    tree = _tree(sys.modules[kind.__module__]) if kind.__module__.startswith("put_") else ast.Module([], [])
    return [
        one for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind.__name__ for one in node.body
    ]


def plain(text: str | None) -> str:
    """A docstring in one line, for a reader who knows no Python."""
    return re.sub(r"\bNone\b", "`null`", " ".join((text or "").split()))


def tag_of(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


def family_of(kind: type) -> str | None:
    """The family whose module defines this type; None: no family."""
    name = kind.__module__.rpartition(".")[2]
    return name if name in FAMILIES and kind.__module__.startswith("put_protocol.games.") else None


def title_of(kind: type) -> str:
    """Title of a structure or enumeration on the page. If two families have the same name, it is preceded by the
    family, except for Put, as with tags."""
    family = family_of(kind)
    is_alone = sum(other.__name__ == kind.__name__ for other in (*structures(), *vocabularies())) < 2
    return kind.__name__ if is_alone or family in (None, "put") else f"{family}.{kind.__name__}"


@cache
def shapes(kind: type[Struct]) -> tuple[Shape, ...]:
    """:raises Undocumented: neither the field nor its type has a description."""
    hints = get_type_hints(kind, include_extras=True)
    said = docstrings_in(kind)
    made = []
    for field in fields(kind):
        says = said.get(field.name) or _said_by(hints[field.name]) or _USUAL.get(field.name)
        if not says:
            raise Undocumented(f"{kind.__name__}.{field.name} has no docstring")
        made.append(
            Shape(
                name=field.name,
                type=in_words(hints[field.name]),
                absent=_absent(field),
                says=says,
                is_usual=field.name not in said,
            )
        )
    return tuple(made)


def _absent(field: msgspec.structs.FieldInfo) -> str | None:
    if field.default_factory is not NODEFAULT:
        return msgspec.json.encode(field.default_factory()).decode()
    return None if field.default is NODEFAULT else msgspec.json.encode(field.default).decode()


def _said_by(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        return next((meta.description for meta in hint.__metadata__ if meta.description), "")
    return next((said for part in _parts(hint) if (said := _said_by(part))), "")


def _parts(hint: Any) -> tuple[Any, ...]:
    return tuple(part for part in get_args(hint) if part not in (type(None), ...))


_PLAIN: Mapping[Any, str] = {
    Seat: "seat",
    Card: "card",
    Gallery: '`"gallery"`',
    int: "number",
    str: "text",
    bool: "`true` or `false`",
    bytes: "bytes",
}


def in_words(hint: Any) -> str:
    """A type in the words of the page."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, parts = get_origin(hint), _parts(hint)
    if origin is Annotated:
        return _bounded(hint)
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in parts)
    if origin is tuple:
        return _list_of(hint, parts)
    if origin is dict:
        return f"map of {in_words(parts[0])} to {in_words(parts[1])}"
    if parts:
        return _either(hint, parts)
    if hint in EVENTS:
        return f"[event `{tag_of(hint)}`](#events-one-by-one)"
    if hint in SERVER:
        return f"[message `{tag_of(hint)}`](#from-the-server)"
    if isinstance(hint, type) and issubclass(hint, Struct | Enum):
        anchor = "refusals" if hint is RefusalCode else title_of(hint).replace(".", "").lower()
        return f"[{title_of(hint)}](#{anchor})"
    raise Undocumented(f"no words for {hint}: a new kind of field needs some")


def _list_of(hint: Any, parts: tuple[Any, ...]) -> str:
    if ... not in get_args(hint):
        return f"list of {len(parts)}: {', '.join(map(in_words, parts))}"
    of = in_words(parts[0])
    return f"list of ({of})" if " or " in of and not of.startswith("[") else f"list of {of}"


def _either(hint: Any, parts: tuple[Any, ...]) -> str:
    for members, name in _UNIONS_WITH_SECTIONS:
        if members <= set(parts):
            return name
    words = [in_words(part) for part in parts]
    return " or ".join([*words, "`null`"] if type(None) in get_args(hint) else words)


def _bounded(hint: Any) -> str:
    inner, meta = hint.__origin__, hint.__metadata__[0]
    words = in_words(inner)
    if inner is Card or inner is Seat:
        return words
    assert isinstance(meta, Meta)
    if inner is bytes:
        return f"{meta.max_length} bytes"
    if inner is str:
        if meta.max_length == TEXT_LENGTH:
            return "text"
        return f"text, up to {meta.max_length:,} characters"
    if get_origin(inner) is tuple:
        return f"{words}, up to {meta.max_length}"
    if get_origin(inner) is dict:
        return f"{words}; up to {meta.max_length} of them"
    assert inner is int
    most = meta.le if meta.lt is None else meta.lt - 1
    assert most is not None
    if most == LARGEST:
        return "number"
    return f"number, {meta.ge} to {most:,}"


def structures() -> tuple[type[Struct], ...]:
    """Structs inside messages that are not messages, events, actions or views, in order of appearance."""
    return tuple(kind for kind in _met() if issubclass(kind, Struct) and kind not in TAGGED)


def vocabularies() -> tuple[type[Enum], ...]:
    """Enumerations, except refusals, which have their own section."""
    return tuple(kind for kind in _met() if issubclass(kind, Enum) and kind is not RefusalCode)


@cache
def _met() -> tuple[type, ...]:
    return found_in(TAGGED)


def found_in(kinds: Iterable[type[Struct]]) -> tuple[type, ...]:
    """All classes that these contain, including themselves, in order of appearance."""
    return tuple(dict.fromkeys(found for kind in kinds for found in _within(kind)))


def _within(hint: Any) -> Iterator[type]:
    """The classes in a type: itself first, then those of its fields."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
        hints = get_type_hints(hint, include_extras=True)
        for field in fields(hint):
            yield from _within(hints[field.name])
    elif isinstance(hint, type) and issubclass(hint, Enum):
        yield hint
    else:
        for part in _parts(hint):
            if not isinstance(part, str | Meta):
                yield from _within(part)
