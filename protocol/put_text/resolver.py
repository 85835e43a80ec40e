"""Rendering of files in Project Fluent's format, as far as the catalogue uses it.

Project Fluent's `fluent.syntax` parses the files. Its `fluent.runtime` could render them, but requires Babel: 36 MB of
dates, currencies and numbers in 700 languages, half of an installation. This module renders text, arguments, references
to other messages, numbers in words, and variants. A variant is chosen by a text or a number equal to its name; `one`
stands for the numbers in `words-one` of the language. The words in `words-elided` lose their vowel before a vowel of an
argument: `le pari d'Anne`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from fluent.syntax import FluentParser, ast

_PARSER = FluentParser(with_spans=False)

Form: TypeAlias = tuple[Sequence[tuple[str, bool]], Mapping[str, str]]
"""A form of a message: its parts, each a text with False, or an argument's name with True; and the arguments that
select it."""


_VOWELS = frozenset("a\u00e0\u00e2e\u00e9\u00e8\u00ea\u00ebi\u00ee\u00efo\u00f4u\u00f9\u00fb\u0153")

_MESSAGE = re.compile(r"^([a-z][\w-]*) =.*(?:\n(?:[ }].*)?)*", re.MULTILINE)
"""Source of a message: lines after the first begin with a space or a brace."""


class Messages(Mapping[str, ast.Message]):
    """The messages of a file by name. Each is parsed on first use: most are never used, and each takes two
    kilobytes."""

    def __init__(self, file: str) -> None:
        self._texts = {match[1]: match[0] for match in _MESSAGE.finditer(file)}
        self._parsed: dict[str, ast.Message] = {}

    def __getitem__(self, name: str) -> ast.Message:
        found = self._parsed.get(name)
        if found is None:
            parsed = _PARSER.parse_entry(self._texts[name])
            assert isinstance(parsed, ast.Message)
            found = self._parsed[name] = parsed
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, name: object) -> bool:
        return name in self._texts


class Bundle:
    """The messages of a part of one language."""

    def __init__(self, own: Messages, words: Messages) -> None:
        """`words`: messages to which all may refer."""
        self._own = own
        self._words = words
        self._ones = set(map(int, self.say("words-one", {}).split("|")))
        self._elided = tuple([f" {word} " for word in self.say("words-elided", {}).split("|") if word])

    def __contains__(self, message: str) -> bool:
        return message in self._own or message in self._words

    def _message(self, name: str) -> Any:
        return self._own[name] if name in self._own else self._words[name]

    def has_brief(self, message: str) -> bool:
        return bool(self._message(message).attributes)

    def say(self, message: str, arguments: Mapping[str, Any], *, is_brief: bool = False) -> str:
        """The message, or its attribute with the short form.

        :raises LookupError: the message does not exist, or lacks an argument.
        """
        found = self._message(message)
        return str(self._value(found.attributes[0].value if is_brief else found.value, arguments))

    def _value(self, node: Any, arguments: Mapping[str, Any]) -> Any:
        """Text of a part of a message; for an argument, its value."""
        match node:
            case ast.Pattern(elements=elements):
                text = ""
                for element in elements:
                    value = str(self._value(element, arguments))
                    is_argument = isinstance(element, ast.Placeable)
                    text = (self._elide(text) if is_argument and value[:1].casefold() in _VOWELS else text) + value
                return text
            case ast.TextElement(value=text):
                return text
            case ast.Placeable(expression=inside):
                return self._value(inside, arguments)
            case ast.StringLiteral():
                return node.parse()["value"]
            case ast.VariableReference(id=name):
                return arguments[name.name]
            case ast.MessageReference(id=name):
                return self._value(self._message(name.name).value, arguments)
            case ast.SelectExpression(selector=selector, variants=variants):
                return self._value(self._chosen(self._value(selector, arguments), variants), arguments)
            case ast.FunctionReference(id=ast.Identifier(name="WORD"), arguments=call):
                number = self._value(call.positional[0], arguments)
                return number if isinstance(number, str) else self.say("words-number", {"number": number})
            case _:
                raise LookupError(f"the catalogue does not use {type(node).__name__}")

    def _elide(self, text: str) -> str:
        """The text before a vowel."""
        return f"{text[:-2]}'" if f" {text}".endswith(self._elided) else text

    def _chosen(self, value: Any, variants: Sequence[ast.Variant]) -> ast.Pattern:
        """The first variant named like the value, otherwise the default."""
        names = {str(value), "one" if value in self._ones else ""}
        found = [one for one in variants if key_of(one) in names] or [one for one in variants if one.default]
        return found[0].value

    def forms(self, message: str) -> Iterator[Form]:
        yield from self._forms([self._message(message).value], {})

    def _forms(self, nodes: Sequence[Any], chosen: Mapping[str, str]) -> Iterator[Form]:
        if not nodes:
            yield (), chosen
            return
        first, rest = nodes[0], nodes[1:]
        match first:
            case ast.Pattern(elements=elements):
                yield from self._forms([*elements, *rest], chosen)
            case ast.Placeable(expression=inside):
                yield from self._forms([inside, *rest], chosen)
            case ast.MessageReference(id=name):
                yield from self._forms([self._message(name.name).value, *rest], chosen)
            case ast.SelectExpression(selector=ast.VariableReference(id=ast.Identifier(name=name)), variants=variants):
                known = self._chosen(chosen[name], variants) if name in chosen else None
                for one in variants:
                    if known is None and key_of(one) != "other":
                        yield from self._forms([one.value, *rest], {**chosen, name: key_of(one)})
                    elif known in (None, one.value):
                        for parts, others in self._forms([one.value, *rest], chosen):
                            yield parts, {name: "other", **others}
            case ast.FunctionReference(arguments=call):
                yield from self._forms([*call.positional, *rest], chosen)
            case _:
                is_argument = isinstance(first, ast.VariableReference)
                part = first.id.name if is_argument else self._value(first, {})
                for parts, others in self._forms(rest, chosen):
                    yield ((part, is_argument), *parts), others


def key_of(variant: ast.Variant) -> str:
    key = variant.key
    return str(key.value if isinstance(key, ast.NumberLiteral) else key.name)
