"""What is told travels as bytes in either codec, and holds only what it should."""

from typing import Any, get_args

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
import pytest

from put_protocol.events import Event
from put_protocol.seal.packs import seal
from put_protocol.seal.shown import cards_shown
from put_protocol.seal.told import FULL_PACK, CutsShown, DealVoided, Openings, Sealed, SealEvent
from put_protocol.seats import GALLERY, Seat
from tests.protocol import samples

SECRET = bytes(range(32))
SEALING = seal(SECRET, 1, 2, FULL_PACK)
TOLD = (
    Sealed(2, SEALING.roots, (Seat(0), Seat(1)), (SECRET, None)),
    CutsShown(2, (SECRET, None)),
    DealVoided(2, (Seat(1),)),
    Openings(1, 2, (SEALING.packs[0].opening(51),), SEALING.packs[1].whole(), SEALING.packs[0].whole()),
)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: type(told).__name__)
def test_told_comes_back_the_same(told: Any) -> None:
    """From msgpack, from JSON, and from the plain objects either is decoded to, under their tags."""
    packed = msgspec.msgpack.encode(told)
    written = msgspec.json.encode(told)
    assert msgspec.msgpack.decode(packed, type=type(told)) == told
    assert msgspec.convert(msgpack.unpackb(packed), type(told)) == told
    assert msgspec.convert(msgspec.json.decode(written), type(told)) == told


def test_bytes_travel_as_bin_and_as_base64() -> None:
    """A root is 34 bytes in msgpack, and 44 characters in JSON."""
    assert b"\xc4\x20" + SEALING.roots[0] in msgspec.msgpack.encode(TOLD[0])
    assert b'"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="' in msgspec.json.encode(TOLD[1])


def test_hash_of_another_length_is_refused() -> None:
    """What is no hash does not reach a checker."""
    for link in (b"", bytes(31), bytes(33)):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"event": "cut", "deal": 1, "links": [link]}, CutsShown)


def test_events_of_the_seal_are_told_apart_from_the_others() -> None:
    """Their tags are nobody else's."""
    tags = [struct.__struct_config__.tag for struct in {*get_args(Event), *get_args(SealEvent)}]
    assert len(set(tags)) == len(tags)


def test_every_card_of_an_event_is_found_with_who_holds_it() -> None:
    """Whatever event shows a card, the names of its fields say whose it is; there are no others."""
    for event in get_args(Event):
        fields = set(event.__struct_fields__)
        holds = {name for name, hint in event.__annotations__.items() if "Card" in str(hint)}
        assert holds <= {"card", "cards"}
        assert "seat" in fields or "card" not in fields
    told = [event for message in samples.REPLIES for event in getattr(message, "events", ())]
    assert {type(event) for event in told if cards_shown(event, Seat(0))}
    for event in told:
        plain = msgspec.to_builtins(event)
        held = (plain["card"],) if plain.get("card") else plain.get("cards", ())
        assert tuple([card for card, _, _ in cards_shown(event, GALLERY)]) == held
