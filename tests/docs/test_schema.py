"""The JSON Schema allows what travels, and refuses what the server would."""

import json
import random
from functools import cache
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, inspect

from put_protocol.cards import CARD_ORDER
from put_protocol.codecs import LINES, decoder_of_replies, decoder_of_requests
from put_protocol.errors import MessageError
from put_protocol.games.unions import Action, Event
from put_protocol.messages import ClientMessage
from put_server.lobby.inputs import Ask
from scripts.reference.schema import name_of, schema
from scripts.reference.shapes import structures, title_of, vocabularies
from tests.docs.validating import is_valid
from tests.lobby.lobby_harness import LobbyHarness
from tests.protocol.strategies import CLIENT_KINDS, SERVER_KINDS, client_messages, server_messages
from tests.repetitions import often

KINDS: tuple[type[Struct], ...] = (*CLIENT_KINDS, *SERVER_KINDS, *get_args(Event), *get_args(Action), *structures())


@cache
def whole() -> Any:
    """The schema, which takes a while to make."""
    return schema()


@cache
def careless() -> Any:
    """It as the codec takes cards, of whatever pack."""
    return {**whole(), "$defs": {**whole()["$defs"], "card": {"type": "string", "minLength": 2, "maxLength": 4}}}


def is_allowed(side: str, message: Any, schema: Any = None) -> bool:
    return is_valid(message, {"$ref": f"#/$defs/{side}"}, schema or whole())


@pytest.mark.parametrize("text", ["", "s", "1s", "11h", "AsA", "0w", "22t", "01t", "3t\n", " 3s", "put"])
def test_card_has_a_pattern(text: str) -> None:
    """It allows every card there is, and nothing else."""
    assert all(is_valid(card, whole()["$defs"]["card"], whole()) for card in CARD_ORDER)
    assert not is_valid(text, whole()["$defs"]["card"], whole())


def on_the_wire(message: Any) -> Any:
    return json.loads(LINES.encode(message))


def test_every_type_is_there_with_every_field() -> None:
    """Each with its tag, what must be there, what it means, and nothing else."""
    for kind in dict.fromkeys(KINDS):
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType), kind
        definition = whole()["$defs"][name_of(kind)]
        tags = {} if info.tag_field is None else {info.tag_field: {"const": info.tag}}
        fields = {field.name: field.required for field in info.fields}
        assert set(definition["properties"]) == {*tags, *fields}, kind
        assert {name: definition["properties"][name] for name in tags} == tags, kind
        assert set(definition["required"]) == {*tags, *(name for name, required in fields.items() if required)}, kind
        assert definition["description"], kind
        assert all(definition["properties"][name]["description"] for name in fields), kind
        assert definition.get("additionalProperties", True) is not info.forbid_unknown_fields, kind


def test_every_word_is_there() -> None:
    """The closed sets are closed in the schema, too."""
    for words in vocabularies():
        assert sorted(whole()["$defs"][title_of(words)]["enum"]) == sorted(member.value for member in words)


def test_nothing_is_defined_that_nobody_refers_to() -> None:
    """Each definition is reached from one side or the other."""
    reached, waiting = set(), ["client", "server"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += refs(whole()["$defs"][name])
    assert reached == set(whole()["$defs"])


@pytest.mark.parametrize("count", [64, 65])
def test_lists_are_as_long_as_the_server_takes_them(count: int) -> None:
    """And no longer; options likewise."""
    hello = {"type": "hello", "version": 1, "token": "x", "asked": [1] * count}
    table = {"type": "open", "id": 1, "game": "put-1674", "options": {f"option {n}": n for n in range(count)}}
    for message in (hello, table):
        try:
            decoder_of_requests(LINES).decode(json.dumps(message).encode())
        except MessageError:
            assert not is_allowed("client", message)
            assert count == 65
        else:
            assert is_allowed("client", message)
            assert count == 64


def test_schema_allows_what_either_side_may_send() -> None:
    """So it is enough to hold a message against what its side may send."""
    assert whole()["anyOf"] == [{"$ref": "#/$defs/client"}, {"$ref": "#/$defs/server"}]
    assert whole().keys() <= {"$schema", "$defs", "title", "description", "anyOf"}


def refs(schema: Any) -> list[str]:
    """The names of what a schema refers to."""
    if isinstance(schema, list):
        return [name for one in schema for name in refs(one)]
    if not isinstance(schema, dict):
        return []
    named = [schema["$ref"].removeprefix("#/$defs/")] if isinstance(schema.get("$ref"), str) else []
    return named + [name for one in schema.values() for name in refs(one)]


def test_traffic_of_random_evenings_is_allowed() -> None:
    """Everything asked and told while guests come, play, lose their lines and misbehave."""
    harness = LobbyHarness(seed=5)
    for _ in range(1_500):
        harness.random_step()
    asked = [event.request for _, event in harness.records if isinstance(event, Ask)]
    told = [message for mail in harness.mail.values() for message in mail]
    for side, messages in (("client", asked), ("server", told)):
        seen = set()
        for message in messages:
            assert is_allowed(side, on_the_wire(message)), message
            seen.add(type(message))
        assert len(seen) > 6, "too dull an evening to prove anything"


@given(message=client_messages())
@often(50)
def test_any_request_is_allowed(message: ClientMessage) -> None:
    """Whatever a client's types can hold."""
    assert is_allowed("client", on_the_wire(message), careless())


@given(message=server_messages())
@often(50)
def test_any_reply_is_allowed(message: Any) -> None:
    """Whatever a server's types can hold."""
    assert is_allowed("server", on_the_wire(message), careless())


WRONG: tuple[Any, ...] = (None, True, False, -1, 0, 1, 10**12, "", "gallery", "put", "x" * 129, [], [1], [0] * 65, {})
"""What stands where something else should, or by chance fits."""


@pytest.mark.parametrize(
    ("side", "messages", "decoder"),
    [
        ("client", client_messages(), decoder_of_requests(LINES)),
        ("server", server_messages(), decoder_of_replies(LINES)),
    ],
)
def test_schema_refuses_what_the_codec_refuses(side: str, messages: Any, decoder: Any) -> None:
    """Fields are dropped, added and spoilt, at any depth; both say the same of what comes of it."""

    @given(message=messages, seed=st.integers(0, 2**32))
    @often(100)
    def check(message: Any, seed: int) -> None:
        spoilt = on_the_wire(message)
        spoil(spoilt, random.Random(seed))
        if spoilt.get("type") in ("ping", "pong"):
            return  # what they have beside is ignored, whatever a schema says of it; but a list may still be too long
        try:
            decoder.decode(json.dumps(spoilt).encode())
        except MessageError as error:
            verdict, said = False, error.reason
        else:
            verdict, said = True, "accepted"
        verdicts.append(verdict)
        assert is_valid(spoilt, {"$ref": f"#/$defs/{side}"}, careless()) is verdict, (spoilt, said)

    verdicts: list[bool] = []
    check()
    assert 2 < sum(verdicts) < len(verdicts) - 2, "all fits, or nothing does: it proves nothing"


@pytest.mark.parametrize("data", ["", "AAAA", "AAA=", "AA==", "put", "A===", "AA==AAAA", "AA_-", "AA A", "x" * 129])
def test_bytes_are_base64_to_schema_and_codec_alike(data: str) -> None:
    span = {"type": "blind_span", "table": 1, "part": 1, "parts": 1, "data": data}
    try:
        decoder_of_replies(LINES).decode(json.dumps(span).encode())
    except MessageError:
        fits = False
    else:
        fits = True
    assert fits is (data in {"", "AAAA", "AAA=", "AA=="})
    assert is_valid(span, {"$ref": "#/$defs/server"}, careless()) is fits


def spoil(value: Any, dice: random.Random) -> None:
    """Change one thing somewhere inside."""
    inner = [part for part in (value.values() if isinstance(value, dict) else value) if isinstance(part, dict | list)]
    if inner and dice.random() < 0.7 and (found := dice.choice(inner)):
        spoil(found, dice)
    elif isinstance(value, list):
        value[dice.randrange(len(value))] = dice.choice(WRONG)
    elif value:
        name = dice.choice([*value, "unknown"])
        if name != "unknown" and dice.random() < 0.3:
            del value[name]
        else:
            # Fields that nobody knows are passed over, by the schema however long; the codec bounds every list.
            value[name] = dice.choice([one for one in WRONG if name != "unknown" or one != [0] * 65])
