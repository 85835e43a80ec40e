"""A JSON Schema (2020-12) of every message, for validators and code generators in any language; and TypeScript types of
all messages for the page, made from it.

It describes the Structs: msgspec makes most of it, and this module adds descriptions of fields, lengths of lists and
maps, and the names used in the documentation.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Meta, Struct

from put_protocol import PROTOCOL_VERSION
from put_protocol.cards import WireCard
from put_protocol.limits import ARRAY_ITEMS, REQUEST_ARRAY_ITEMS
from put_protocol.messages import Seen
from scripts.reference.shapes import (
    ACTIONS,
    CLIENT,
    EVENTS,
    SERVER,
    TAGGED,
    VIEWS,
    docstrings_in,
    plain,
    shapes,
    structures,
    tag_of,
    title_of,
    vocabularies,
)

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def name_of(kind: type) -> str:
    """Name of a type in `$defs`: as in the documentation, and unique."""
    if kind in CLIENT and kind in SERVER:
        return tag_of(kind)
    where = next((name for name, (_, kinds) in _UNIONS.items() if kind in kinds), None)
    return title_of(kind) if where is None else f"{where}.{tag_of(kind)}"


_UNIONS: Mapping[str, tuple[str, tuple[type[Struct], ...]]] = {
    "client": ("What a client may send.", CLIENT),
    "server": ("What a server of this version may send. A later one may add fields and events.", SERVER),
    "event": ("What happened.", EVENTS),
    "action": ("What a player may do.", ACTIONS),
    "view": ("A game as one viewer sees it.", VIEWS),
}
"""Unions with a definition of their own: what they are, and their members."""

_ASKED = "client.action"
"""Definition of an action in a request, in which a server refuses unknown fields."""

CARD_PATTERN = "^(?:(?:[2-9]|10|[JQKA])[shdc]|(?:[1-9]|10|[JCQK])[wbuo]|(?:1?[0-9]|2[01])t)$"
"""Pattern of every card: the French pack, the suits of the tarot pack, and its trumps. Codecs do not check it, so that
older clients accept packs of later releases."""

(WIRE_CARD,) = [meta.description or "" for meta in get_args(WireCard) if isinstance(meta, Meta)]
"""Description of a card's type, by which it is recognized here."""

BASE64_PATTERN = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
"""Bytes as the codec accepts them: validators do not check `contentEncoding`."""


def schema() -> Schema:
    """The whole schema: any message at the root; messages of each side under `client` and `server`."""
    (_, made) = msgspec.json.schema_components([*CLIENT, *SERVER], ref_template="#/$defs/{name}")
    structs = (*TAGGED, *structures())
    kinds = {made_as: kind for kind in (*structs, *vocabularies()) for made_as in (kind.__name__, _whole_name(kind))}
    names = {name: name_of(kinds[name]) if name in kinds else name for name in made}
    assert len({*names.values()}) == len(names), "two types have one name"
    definitions: Schema = {
        union: {"description": says, "oneOf": [_ref(name_of(kind)) for kind in members]}
        for union, (says, members) in _UNIONS.items()
    }
    definitions["card"] = {
        "description": f"{WIRE_CARD[0].upper()}{WIRE_CARD[1:]}. A server answers any other text with `illegal`.",
        "type": "string",
        "pattern": CARD_PATTERN,
    }
    from_client = {*CLIENT, Seen}
    for name, one in made.items():
        items = REQUEST_ARRAY_ITEMS if kinds.get(name) in from_client else ARRAY_ITEMS
        definitions[names[name]] = _mended(one, names, items)
    definitions[_ASKED] = {
        "description": "What a player does: an action, and no field beside its own.",
        "oneOf": [
            {**_ref(name_of(kind)), "propertyNames": {"enum": ["do", *kind.__struct_fields__]}} for kind in ACTIONS
        ],
    }
    for kind in CLIENT:
        if "action" in kind.__struct_fields__:
            definitions[name_of(kind)]["properties"]["action"] = _ref(_ASKED)
    for kind in structs:
        for shape in shapes(kind):
            definitions[name_of(kind)]["properties"][shape.name]["description"] = shape.says
    for words in vocabularies():
        said = docstrings_in(words)
        listed = "; ".join(f"{member.value}: {said[member.name]}" for member in words)
        definitions[name_of(words)]["description"] += f" {listed}."
    return {
        "$schema": DIALECT,
        "title": f"The Put protocol, version {PROTOCOL_VERSION}",
        "description": "A message, as a line of JSON. In msgpack bytes are bin and no base64; the rest is the same.",
        "anyOf": [_ref("client"), _ref("server")],
        "$defs": definitions,
    }


def _whole_name(kind: type) -> str:
    """Name that msgspec gives a type whose own name is not unique."""
    return re.sub(r"[^a-zA-Z0-9.\-_]", "_", f"{kind.__module__}.{kind.__qualname__}")


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _mended(one: Any, names: dict[str, str], items: int) -> Any:
    """Schema from msgspec, with our names, `const` for tags, and limits for all lists and maps."""
    if isinstance(one, list):
        return [_mended(part, names, items) for part in one]
    if not isinstance(one, dict):
        return one
    if one.get("description") == WIRE_CARD and one.get("type") == "string":
        return _ref("card")
    if "discriminator" in one:
        tags = set(one["discriminator"]["mapping"])
        (union,) = [name for name, (_, members) in _UNIONS.items() if tags == {tag_of(kind) for kind in members}]
        return _ref(union)
    mended = {key: _mended(value, names, items) for key, value in one.items() if key not in ("properties", "title")}
    if "properties" in one:  # its keys are names of fields, not keywords
        mended["properties"] = {field: _mended(value, names, items) for field, value in one["properties"].items()}
    if "$ref" in mended:
        mended["$ref"] = _ref(names[mended["$ref"].rpartition("/")[2]])["$ref"]
    if "description" in mended and isinstance(mended["description"], str):
        mended["description"] = plain(mended["description"])
    if mended.get("contentEncoding") == "base64":
        mended["pattern"] = BASE64_PATTERN
    if mended.get("type") == "array":
        mended.setdefault("maxItems", items)
    if len(mended.get("enum", ())) == 1:
        (mended["const"],) = mended.pop("enum")
    return mended


_HEAD_OF_TYPES = """\
// Written by scripts/docs from the schema of the protocol. Do not edit it.

type KeyOf<U> = U extends unknown ? keyof U : never;
type FieldOf<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;
/** One of several kinds, which a later server may have more of: any field of them may be there. */
type AnyOf<U, Tag extends string> = { [K in Exclude<KeyOf<U>, Tag>]?: FieldOf<U, K> } & { [K in Tag]: string };
"""

_TAGS_OF_UNIONS = {"event": "event", "action": "do", "client.action": "do", "view": "view"}
"""Unions whose members share fields, and the field that identifies a member."""

_PLAIN_TYPES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def page_types() -> str:
    definitions = schema()["$defs"]
    lines = []
    for name, one in definitions.items():
        said = f"AnyOf<{_type(one)}, {json.dumps(_TAGS_OF_UNIONS[name])}>" if name in _TAGS_OF_UNIONS else _type(one)
        lines.append(f"type {_type_name(name)} = {said};\n")
    return "\n".join([_HEAD_OF_TYPES, "".join(lines)])


def _type_name(name: str) -> str:
    """Name of a definition: its parts, capitalized. An `Event` is one of the browser's."""
    if name == "event":
        return "TableEvent"
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._]", name))


def _type(one: Schema) -> str:
    match one:
        case {"$ref": str(path)}:
            return _type_name(path.rpartition("/")[2])
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": parts} | {"oneOf": parts}:
            return " | ".join(dict.fromkeys(map(_type, parts)))
        case {"prefixItems": parts}:
            return f"[{', '.join(map(_type, parts))}]"
        case {"type": "array"}:
            item = _type(one["items"])
            return f"({item})[]" if " | " in item else f"{item}[]"
        case {"type": "object", "properties": properties}:
            required = one.get("required", ())
            fields = [f"{name}{'' if name in required else '?'}: {_type(part)}" for name, part in properties.items()]
            return f"{{ {'; '.join(fields)} }}"
        case {"type": "object", "additionalProperties": part}:
            return f"Record<string, {_type(part)}>"
        case {"type": str(name)}:
            return _PLAIN_TYPES[name]
        case _:
            raise ValueError(f"no type for {one}")
