"""Types of all messages for the page, in TypeScript, made of the schema of the protocol."""

import json
import re

from scripts.reference.schema import Schema, schema

_HEAD = """\
// Written by scripts/docs from the schema of the protocol. Do not edit it.

type KeyOf<U> = U extends unknown ? keyof U : never;
type FieldOf<U, K> = U extends unknown ? (K extends keyof U ? U[K] : never) : never;
/** One of several kinds, which a later server may have more of: any field of them may be there. */
type AnyOf<U, Tag extends string> = { [K in Exclude<KeyOf<U>, Tag>]?: FieldOf<U, K> } & { [K in Tag]: string };
"""

_TAGS = {"event": "event", "action": "do", "client.action": "do", "view": "view"}
"""Unions whose members are read by the fields that they have in common, and the field that tells them apart."""

_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def page_types() -> str:
    """The file of types."""
    definitions = schema()["$defs"]
    lines = []
    for name, one in definitions.items():
        said = f"AnyOf<{_type(one)}, {json.dumps(_TAGS[name])}>" if name in _TAGS else _type(one)
        lines.append(f"export type {_name(name)} = {said};\n")
    return "\n".join([_HEAD, "".join(lines)])


def _name(name: str) -> str:
    """Name of a definition: its parts, each with a capital."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[._]", name))


def _type(one: Schema) -> str:
    match one:
        case {"$ref": str(path)}:
            return _name(path.rpartition("/")[2])
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
            return _PLAIN[name]
        case _:
            raise ValueError(f"no type for {one}")
