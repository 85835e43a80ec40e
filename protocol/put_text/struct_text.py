"""Structs as one line of words, and back: the tag, then ` field=value` for each non-default field.

The type of a field determines the form of its value, so a new Struct needs no code here:

    a number                  12, -3
    true or false             true, false
    a text, an enum's value   as it is, if it is a word of letters, digits, `_`, `.` and `-` that begins with a letter
                              or digit: 3s, thrown_in; else in quotes, as in JSON: "Well played."
    bytes                     two letters each, as in 0f3c
    nothing                   -
    several of these          with commas between them: 3s,10h,4d; none at all: the value is empty
    anything else             JSON, with no blank outside of quotes

Laws: what is written reads back as equal; no character that may not be shown is written, for files are looked at in
terminals; behind ` ;` a line may say anything.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, inspect

from put_protocol.text import is_printable

S = TypeVar("S", bound=Struct)

_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_NUMBER = re.compile(r"-?[0-9]{1,20}")
_NAME = re.compile(r"[a-z][a-z_]*(?:\.[a-z][a-z_]*)?")  # of a family and its event
_FIELD = re.compile(rf'[ \t]+([a-z][a-z_]*)=((?:{_QUOTED}|[^\s";]++)*+)')
_ITEM = re.compile(rf'((?:{_QUOTED}|[^",]++)*+)(,|\Z)')
_END = re.compile(r"[ \t]*(?:;.*)?")
_BOOLEANS = {"true": True, "false": False}


class FieldError(ValueError):
    """The text is no such Struct; the message is a clause for the reader."""


class ParsedLine(NamedTuple):
    name: str
    fields: Mapping[str, str]
    """Values in their written form."""


def words_of(struct: Struct) -> str:
    words = [str(struct.__struct_config__.tag)]
    for field in _fields(type(struct)):
        value = getattr(struct, field.name)
        if value != _default(field):
            words.append(f"{field.name}={_written(value, field.type)}")
    return " ".join(words)


def quoted(text: str) -> str:
    """The text in quotes, as in JSON; unprintable characters are escaped."""
    return _shown(json.dumps(text, ensure_ascii=False))


def _shown(text: str) -> str:
    return text if is_printable(text) else "".join([c if is_printable(c) else json.dumps(c)[1:-1] for c in text])


def _written(value: Any, kind: inspect.Type) -> str:
    match _plain(kind):
        case inspect.UnionType() as union if (one := _optional(union)) is not None:
            return "-" if value is None else _written(value, one)
        case inspect.BoolType():
            return "true" if value else "false"
        case inspect.IntType():
            return str(value)
        case inspect.StrType() | inspect.EnumType():
            return str(value) if _BARE.fullmatch(value) else quoted(value)
        case inspect.BytesType():
            return str(value.hex())
        case inspect.VarTupleType(item_type=item) if _is_word(item):
            return ",".join([_written(one, item) for one in value])
        case inspect.TupleType(item_types=items) if all(map(_is_word, items)):
            return ",".join([_written(one, item) for one, item in zip(value, items, strict=True)])
        case _:
            return _shown(msgspec.json.encode(value).decode())


def split(line: str) -> ParsedLine:
    """The words of a line, without a comment after ` ;`.

    :raises FieldError: the line does not have this form.
    """
    name = _NAME.match(line)
    if name is None:
        raise FieldError("no name stands where one must")
    fields: dict[str, str] = {}
    at = name.end()
    while found := _FIELD.match(line, at):
        if found[1] in fields:
            raise FieldError(f"{found[1]} is given twice")
        fields[found[1]] = found[2]
        at = found.end()
    if not _END.fullmatch(line, at):
        raise FieldError(f"{line[at : at + 20].strip()!r} is no field=value")
    return ParsedLine(name[0], fields)


def struct_of(words: ParsedLine, kind: type[S]) -> S:
    """The Struct in these words. Unknown fields are skipped, as on the wire: they are from a later version.

    :raises FieldError: a field is missing or invalid.
    """
    values: dict[str, Any] = {}
    for field in _fields(kind):
        if field.name in words.fields:
            values[field.name] = _read(field.name, words.fields[field.name], field.type)
        elif field.required:
            raise FieldError(f"{field.name} is missing")
    config = kind.__struct_config__
    if config.tag_field is not None:
        values[config.tag_field] = config.tag
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise FieldError(str(error)) from None


def unquoted(text: str) -> str:
    """The text without its quotes. :raises FieldError: it has none."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, str):
        raise FieldError(f"{text[:40]} is no text in quotes")
    return found


def _read(name: str, text: str, kind: inspect.Type) -> Any:
    kind = _plain(kind)
    match kind:
        case inspect.UnionType() if (one := _optional(kind)) is not None:
            return None if text == "-" else _read(name, text, one)
        case inspect.BoolType() if text in _BOOLEANS:
            return _BOOLEANS[text]
        case inspect.IntType() if _NUMBER.fullmatch(text):
            return int(text)
        case inspect.StrType() | inspect.EnumType() if text:
            value = text if _BARE.fullmatch(text) else unquoted(text)
            if isinstance(kind, inspect.StrType) or value in {str(member.value) for member in kind.cls}:
                return value
        case inspect.BytesType() if _HEX.fullmatch(text):
            return bytes.fromhex(text)
        case inspect.VarTupleType(item_type=item) if _is_word(item):
            return [_read(name, one, item) for one in _items(text)]
        case inspect.TupleType(item_types=items) if all(map(_is_word, items)) and len(_items(text)) == len(items):
            return [_read(name, one, item) for one, item in zip(_items(text), items, strict=True)]
        case inspect.VarTupleType() | inspect.StructType() | inspect.DictType() | inspect.UnionType():
            try:
                return msgspec.json.decode(text)
            except (msgspec.DecodeError, RecursionError):
                pass
        case _:
            pass
    raise FieldError(f"{name} cannot be {text[:40]!r}")


def _items(text: str) -> list[str]:
    """Items separated by commas outside quotes."""
    items: list[str] = []
    at = 0
    while text and (found := _ITEM.match(text, at)):
        items.append(found[1])
        at = found.end()
        if not found[2]:
            break
    if text and (not items or at < len(text)):
        raise FieldError(f"{text[:40]!r} is no list")
    return items


@cache
def _fields(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info.fields


def _default(field: inspect.Field) -> Any:
    """Default of the field; for a required field, a value that equals nothing."""
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _plain(kind: inspect.Type) -> inspect.Type:
    return _plain(kind.type) if isinstance(kind, inspect.Metadata) else kind


def _optional(union: inspect.UnionType) -> inspect.Type | None:
    """The only type of the union besides None, if there is exactly one."""
    others = [one for one in union.types if not isinstance(one, inspect.NoneType)]
    return others[0] if union.includes_none and len(others) == 1 else None


def _is_word(kind: inspect.Type) -> bool:
    kind = _plain(kind)
    if isinstance(kind, inspect.UnionType):
        one = _optional(kind)
        return one is not None and _is_word(one)
    return isinstance(kind, inspect.IntType | inspect.BoolType | inspect.StrType | inspect.EnumType | inspect.BytesType)
