"""Hypothesis strategies: any message the schema allows, made from the schema itself, and any cutting of a stream."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec import Struct, inspect
from msgspec.structs import replace

from put_protocol.codecs import Message
from put_protocol.messages import ClientMessage, ServerMessage
from put_protocol.seats import Seat
from put_text.notation import LARGEST

CLIENT_KINDS: tuple[type[Struct], ...] = get_args(ClientMessage)
SERVER_KINDS: tuple[type[Struct], ...] = get_args(ServerMessage)


@cache
def instances(kind: type[Struct]) -> st.SearchStrategy[Any]:
    """Any value of a Struct. Texts without a limit of their own stay below 40 characters and lists below 4 items."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return st.builds(kind, **{field.name: _values(field.type) for field in info.fields})


def _values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.Metadata():
            return _values(kind.type)
        case inspect.IntType():
            least = -(2**63) if kind.ge is None else kind.ge
            below = 2**64 if kind.lt is None else kind.lt
            return st.integers(least, below - 1 if kind.le is None else kind.le)
        case inspect.StrType():
            return st.text(min_size=kind.min_length or 0, max_size=40 if kind.max_length is None else kind.max_length)
        case inspect.BytesType():
            if kind.min_length is not None and kind.min_length == kind.max_length:  # a hash: one is as good as another
                return st.integers(0, 255).map(partial(_repeated, kind.min_length))
            return st.binary(min_size=kind.min_length or 0, max_size=40 if kind.max_length is None else kind.max_length)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.EnumType():
            return st.sampled_from(list(kind.cls))
        case inspect.UnionType():
            return st.one_of([_values(one) for one in kind.types])
        case inspect.VarTupleType():
            most = 3 if kind.max_length is None else min(kind.max_length, 3)
            return st.lists(_values(kind.item_type), min_size=kind.min_length or 0, max_size=most).map(tuple)
        case inspect.TupleType():
            return st.tuples(*map(_values, kind.item_types))
        case inspect.DictType():
            return st.dictionaries(_values(kind.key_type), _values(kind.value_type), max_size=3)
        case inspect.StructType():
            return instances(kind.cls)
        case _:
            raise AssertionError(f"no strategy for {kind}: a new kind of field needs one here")


def _repeated(length: int, byte: int) -> bytes:
    return bytes([byte]) * length


_hints = cache(get_type_hints)


@cache
def about(kind: type[Struct], players: int) -> st.SearchStrategy[Any]:
    """A Struct in which every seat is one of so many players', and what is counted by seat is counted of each."""
    return _about(kind, players)


@st.composite
def _about(draw: st.DrawFn, kind: type[Struct], players: int) -> Any:
    value = draw(instances(kind))
    seats = st.integers(0, players - 1).map(Seat)
    by_seat = st.lists(st.integers(-LARGEST, LARGEST), min_size=players, max_size=players).map(tuple)
    changed: dict[str, Any] = {}
    for name, hint in _hints(kind).items():
        if hint is Seat:
            changed[name] = draw(seats)
        elif hint == Seat | None:
            changed[name] = draw(st.none() | seats)
        elif hint == tuple[Seat, ...]:
            changed[name] = tuple(draw(st.lists(seats, max_size=4)))
        elif hint == tuple[int, ...]:
            changed[name] = draw(st.just(()) | by_seat)
        elif get_origin(hint) is tuple and isinstance(item := get_args(hint)[0], type) and issubclass(item, Struct):
            changed[name] = tuple(draw(st.lists(about(item, players), max_size=3)))
    return replace(value, **changed)


@cache
def client_messages() -> st.SearchStrategy[ClientMessage]:
    return st.one_of([instances(kind) for kind in CLIENT_KINDS])


@cache
def server_messages() -> st.SearchStrategy[ServerMessage]:
    return st.one_of([instances(kind) for kind in SERVER_KINDS])


@cache
def messages() -> st.SearchStrategy[Message]:
    return client_messages() | server_messages()


@st.composite
def chunkings(draw: Callable[[st.SearchStrategy[list[int]]], list[int]], data: bytes) -> list[bytes]:
    """The same bytes in pieces, as a socket may hand them out."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    return [data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]
