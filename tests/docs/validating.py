"""A validator of JSON Schema, as far as the protocol's schema needs one, written from the specification (2020-12)."""

import re
from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any]

TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}

SAYS_NOTHING = frozenset({"$schema", "$defs", "title", "description", "default", "contentEncoding"})
"""Keywords that refuse no value."""


def is_valid(value: Any, schema: Any, root: Schema) -> bool:
    """Whether the schema allows the value. A keyword that is not known here is an error, and not a pass."""
    if isinstance(schema, bool):
        return schema
    return all(_holds(value, keyword, said, schema, root) for keyword, said in schema.items())


def _holds(value: Any, keyword: str, said: Any, schema: Schema, root: Schema) -> bool:
    if keyword in SAYS_NOTHING:
        return True
    match keyword:
        case "$ref":
            assert said.startswith("#/$defs/")
            return is_valid(value, root["$defs"][said.removeprefix("#/$defs/")], root)
        case "anyOf":
            return any(is_valid(value, one, root) for one in said)
        case "oneOf":
            return sum(is_valid(value, one, root) for one in said) == 1
        case "type":
            return TYPES[said](value)
        case "const":
            return _same(value, said)
        case "enum":
            return any(_same(value, one) for one in said)
        case "minimum" | "maximum" | "exclusiveMaximum" if TYPES["integer"](value):
            return bool({"minimum": value >= said, "maximum": value <= said, "exclusiveMaximum": value < said}[keyword])
        case "pattern" if isinstance(value, str):
            return re.search(said.removesuffix("$") + r"\Z", value) is not None
        case "minLength" | "maxLength" if isinstance(value, str):
            return bool(len(value) >= said if keyword == "minLength" else len(value) <= said)
        case "minItems" | "maxItems" if isinstance(value, list):
            return bool(len(value) >= said if keyword == "minItems" else len(value) <= said)
        case "prefixItems" if isinstance(value, list):
            return all(is_valid(one, its, root) for one, its in zip(value, said, strict=False))
        case "items" if isinstance(value, list):
            return all(is_valid(one, said, root) for one in value[len(schema.get("prefixItems", ())) :])
        case "required" if isinstance(value, dict):
            return all(name in value for name in said)
        case "properties" if isinstance(value, dict):
            return all(is_valid(value[name], its, root) for name, its in said.items() if name in value)
        case "additionalProperties" if isinstance(value, dict):
            return all(
                is_valid(one, said, root) for name, one in value.items() if name not in schema.get("properties", ())
            )
        case "propertyNames" if isinstance(value, dict):
            return all(is_valid(name, said, root) for name in value)
        case "maxProperties" if isinstance(value, dict):
            return bool(len(value) <= said)
        case _ if keyword in ABOUT_OTHERS:
            return True
        case _:
            raise AssertionError(f"{keyword} is a keyword this validator does not know")


ABOUT_OTHERS = frozenset(
    {
        *("minimum", "maximum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "prefixItems"),
        *("items", "required", "properties", "additionalProperties", "propertyNames", "maxProperties"),
    }
)
"""Keywords that hold for values of any other type than their own."""


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other
