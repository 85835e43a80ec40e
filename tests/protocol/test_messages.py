"""The schema: what holds for every message, whoever adds the next one."""

import sys
from typing import Any, get_args

import pytest
from msgspec import Struct, inspect

import put_protocol
from put_protocol.blind_events import BlindEvent
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.limits import BIN_BYTES, MAP_ITEMS, REQUEST_ARRAY_ITEMS
from put_protocol.messages import (
    Act,
    Again,
    Bye,
    ClientMessage,
    Decision,
    Events,
    Hello,
    Ok,
    Ping,
    Pong,
    Push,
    Request,
    ServerMessage,
)
from put_protocol.table_events import TableEvent
from tests.protocol.strategies import CLIENT_KINDS, SERVER_KINDS

UNIONS: dict[str, Any] = {"client": ClientMessage, "server": ServerMessage, "event": Event, "action": Action}
HEARTBEATS = (Ping, Pong)


def structs_in(kind: inspect.Type) -> dict[type[Struct], inspect.StructType]:
    """Every Struct a type can hold, at any depth."""
    match kind:
        case inspect.StructType():
            found = {kind.cls: kind}
            for field in kind.fields:
                found |= structs_in(field.type)
            return found
        case inspect.UnionType():
            return {cls: one for part in kind.types for cls, one in structs_in(part).items()}
        case inspect.Metadata():
            return structs_in(kind.type)
        case inspect.VarTupleType():
            return structs_in(kind.item_type)
        case inspect.DictType():
            return structs_in(kind.value_type)
        case _:
            return {}


TRAVELLING = structs_in(inspect.type_info(ClientMessage | ServerMessage))


def by_name(kind: Any) -> str:
    return str(kind.__name__)


@pytest.mark.parametrize("union", UNIONS.values(), ids=UNIONS.keys())
def test_tags_of_a_union_are_unique_words(union: Any) -> None:
    """Every member is told from the others by a tag of its own, under one name, in lower case."""
    configs = [kind.__struct_config__ for kind in get_args(union)]
    tags = [config.tag for config in configs]
    assert len(set(tags)) == len(tags)
    assert len({config.tag_field for config in configs}) == 1
    assert all(tag == tag.lower() and tag.replace("_", "").replace(".", "", 1).isalpha() for tag in tags)


def test_only_heartbeats_go_both_ways() -> None:
    """No message but ping and pong belongs to both directions, and no tag means two things."""
    assert set(CLIENT_KINDS) & set(SERVER_KINDS) == set(HEARTBEATS)
    tags = [kind.__struct_config__.tag for kind in {*CLIENT_KINDS, *SERVER_KINDS}]
    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize("kind", [kind for kind in CLIENT_KINDS if kind not in HEARTBEATS], ids=by_name)
def test_client_message_forbids_unknown_fields(kind: type[Struct]) -> None:
    """A client that misspells a field is told, and not obeyed without it."""
    assert kind.__struct_config__.forbid_unknown_fields


@pytest.mark.parametrize("kind", SERVER_KINDS, ids=by_name)
def test_server_message_tolerates_unknown_fields_at_any_depth(kind: type[Struct]) -> None:
    """A server newer than its client may say more: nothing it sends forbids fields."""
    assert [cls.__name__ for cls, one in structs_in(inspect.type_info(kind)).items() if one.forbid_unknown_fields] == []


def test_struct_is_frozen_and_says_what_it_is() -> None:
    """Nothing that travels can be changed after it was made, and all of it is documented."""
    for kind in TRAVELLING:
        assert kind.__struct_config__.frozen, kind
        assert kind.__doc__ is not None, kind
        assert kind.__doc__[0].isupper(), kind
        assert kind.__doc__.rstrip().endswith((".", '"')), kind


def test_struct_has_no_field_named_as_its_tag() -> None:
    """A field never hides behind the tag, and every field travels under its own name."""
    for kind, info in TRAVELLING.items():
        assert info.tag_field not in {field.encode_name for field in info.fields}, kind
        assert all(field.name == field.encode_name for field in info.fields), kind


@pytest.mark.parametrize("kind", get_args(Request), ids=by_name)
def test_request_carries_an_id_that_json_can_hold(kind: type[Struct]) -> None:
    """Every request must have an id, from 1 to the largest whole number JavaScript can tell from its neighbours."""
    first = TRAVELLING[kind].fields[0]
    assert first.name == "id"
    assert first.required
    assert isinstance(first.type, inspect.Metadata)
    assert first.type.type == inspect.IntType(ge=1, le=2**53 - 1)


def test_only_requests_carry_an_id_from_the_client() -> None:
    """What is answered otherwise or not at all has none: hello, push, ping, pong and bye."""
    others = {kind for kind in CLIENT_KINDS if "id" not in kind.__struct_fields__}
    assert others == {Hello, Push, Ping, Pong, Bye} == set(CLIENT_KINDS) - set(get_args(Request))


def test_event_union_lists_every_event() -> None:
    """The events of every family, of the table and of blind deals together are the events that travel, and so with
    actions and views; a family's tags begin with its name, but for Put's, which was alone once."""
    events = {event for family in FAMILIES.values() for event in family.events}
    assert set(get_args(Event)) == {*events, *get_args(TableEvent), *get_args(BlindEvent)}
    actions = {action for family in FAMILIES.values() for action in family.actions}
    assert set(get_args(Action)) == actions
    assert set(get_args(GameView)) == {family.view for family in FAMILIES.values()}
    for family in FAMILIES.values():
        for kind in (*family.events, *family.actions):
            tag = str(kind.__struct_config__.tag)
            assert tag.startswith(f"{family.name}.") or (family.name == "put" and "." not in tag)


@pytest.mark.parametrize("kind", CLIENT_KINDS, ids=by_name)
def test_text_from_a_client_has_a_limit(kind: type[Struct]) -> None:
    """No text of a client's is unbounded by the schema, wherever it stands."""
    for one in structs_in(inspect.type_info(kind)).values():
        for field in one.fields:
            assert all(text.max_length is not None for text in texts_in(field.type)), f"{one.cls.__name__}.{field.name}"


def texts_in(kind: inspect.Type) -> list[inspect.StrType]:
    match kind:
        case inspect.StrType():
            return [kind]
        case inspect.Metadata():
            return texts_in(kind.type)
        case inspect.UnionType():
            return [text for part in kind.types for text in texts_in(part)]
        case inspect.VarTupleType():
            return texts_in(kind.item_type)
        case inspect.DictType():
            return texts_in(kind.key_type) + texts_in(kind.value_type)
        case _:
            return []


def parts_of(kind: inspect.Type) -> list[inspect.Type]:
    """A type and the types of what it holds, but for what the Structs in it hold."""
    match kind:
        case inspect.Metadata():
            return parts_of(kind.type)
        case inspect.UnionType():
            return [part for one in kind.types for part in parts_of(one)]
        case inspect.VarTupleType():
            return [kind, *parts_of(kind.item_type)]
        case inspect.TupleType():
            return [kind, *(part for one in kind.item_types for part in parts_of(one))]
        case inspect.DictType():
            return [kind, *parts_of(kind.key_type), *parts_of(kind.value_type)]
        case _:
            return [kind]


SCALARS = (
    *(inspect.IntType, inspect.StrType, inspect.BoolType, inspect.NoneType, inspect.LiteralType, inspect.EnumType),
    inspect.StructType,
)


def test_types_bound_what_the_codecs_do_not_count() -> None:
    """Every map, every run of bytes and every list of a request has its limit in its type, and no field takes just
    anything: so what is decoded straight is within the limits."""
    for kind in TRAVELLING:
        is_request = kind in structs_in(inspect.type_info(ClientMessage))
        for part in (part for field in TRAVELLING[kind].fields for part in parts_of(field.type)):
            match part:
                case inspect.DictType():
                    assert (part.max_length or sys.maxsize) <= MAP_ITEMS, kind
                case inspect.BytesType():
                    assert (part.max_length or sys.maxsize) <= BIN_BYTES, kind
                case inspect.VarTupleType():
                    assert not is_request or (part.max_length or sys.maxsize) <= REQUEST_ARRAY_ITEMS, kind
                case inspect.TupleType():
                    assert len(part.item_types) <= REQUEST_ARRAY_ITEMS, kind
                case _:
                    assert isinstance(part, SCALARS), kind


def test_version_of_this_library_is_accepted() -> None:
    """Who speaks our own version is let in."""
    assert max(put_protocol.ACCEPTED_VERSIONS) == put_protocol.PROTOCOL_VERSION


@pytest.mark.parametrize("message", [Act, Again, Decision, Events, Ok])
def test_message_of_a_move_holds_nothing_that_the_search_for_cycles_visits(message: type[Struct]) -> None:
    """A move makes dozens of these, and a table keeps its last events."""
    assert [kind for kind in structs_in(inspect.type_info(message)) if kind.__struct_config__.gc] == []
