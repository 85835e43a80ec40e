"""Events and proofs of a seal: they travel as bytes in either codec, and hold only what they should."""

from typing import Any, get_args, get_type_hints

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
import pytest

from put_protocol.cards import FULL_PACK, Card
from put_protocol.games import put
from put_protocol.games.put import Accident, Discarded, Gave, TakenUp
from put_protocol.games.unions import Event
from put_protocol.seal.packs import seal
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, Sealed, SealEvent
from put_protocol.seats import GALLERY, Seat
from put_protocol.shown import Shows
from tests.protocol import samples

SECRET = bytes(range(32))
SEALING = seal(SECRET, 1, 2, FULL_PACK, has_accidents=True)
TOLD = (
    Sealed(2, SEALING.roots, (Seat(0), Seat(1)), (SECRET, None)),
    CutsShown(2, (SECRET, None)),
    DealVoided(2, (Seat(1),), (Seat(0),), (SECRET, SECRET)),
    Openings(
        1,
        2,
        (SEALING.packs[0].opening(51),),
        SEALING.packs[1].whole(),
        SEALING.packs[0].whole(),
        SEALING.packs[0].accident(),
    ),
    CutMade(2, Seat(1), SECRET),
    Sealed(2, SEALING.roots, (Seat(0), Seat(1)), (None, None), (), True, 50, (Seat(0),)),
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


def test_every_event_says_which_cards_it_shows() -> None:
    """Each class of the union with a field for cards declares it, and no other; the fields that it names are there."""
    for event in get_args(Event):
        hints = get_type_hints(event)
        has_cards = any("Card" in str(hint) or "ShownHand" in str(hint) for hint in hints.values())
        assert has_cards == (event.SHOWS is not None) or event is Sealed, event
        shows = event.SHOWS or Shows()
        named = {name for name in (shows.cards, shows.hands, shows.by, *(shows.loose_if or ())[:1]) if name}
        assert named <= set(event.__struct_fields__), event


def test_steps_of_an_event_name_its_fields() -> None:
    """Each step is declared with the fields that it has, from fields of the event."""
    for event in get_args(Event):
        for step in event.STEPS:
            assert set(step.fields) <= set(step.kind.__struct_fields__), event
            sources = [source for source in step.fields.values() if not isinstance(source, bool)]
            named = {name for source in sources for name in ([source] if isinstance(source, str) else source)}
            assert named | set((step.when or ())[:1]) <= set(event.__struct_fields__), event


def test_every_card_of_an_event_is_shown_with_who_holds_it() -> None:
    """Of every sample of an event, all cards in it; but no card of those that a pack is made of."""
    told = [event for message in samples.REPLIES for event in getattr(message, "events", ())]
    told += [
        Accident(1, Seat(1), Card("3s")),
        Discarded(Seat(1), Card("3s")),
        Gave(Seat(1), Seat(0), Card("3s")),
        TakenUp((1, 1), (Card("3s"),)),
    ]
    assert {type(event) for event in told} >= {event for event in get_args(put.PutEvent) if "shows" in vars(event)}
    for event in told:
        plain = msgspec.to_builtins(event)
        held = (plain["card"],) if plain.get("card") else plain.get("cards", ())
        shown = event.shows(Seat(0))
        assert tuple([one.card for one in shown]) == (() if isinstance(event, Sealed) else held)
        if plain["event"] in {"dealt", "taken_up"}:
            assert {(one.seat, one.is_own) for one in shown} <= {(Seat(0), True)}
            assert {(one.seat, one.is_own) for one in event.shows(GALLERY)} <= {(None, True)}
        elif plain["event"] != "drawn":
            assert {one.seat for one in shown} <= {plain.get("seat"), None}


def test_every_event_that_shows_cards_says_what_it_does_to_a_deal() -> None:
    """If only that it does nothing; so no event of a family is forgotten in the checks."""
    for event in get_args(Event):
        assert ("shows" in vars(event)) <= ("deal_steps" in vars(event)), event


def test_seal_shows_no_card_though_it_lists_some() -> None:
    """What a pack is made of is nobody's hand."""
    told = Sealed(1, SEALING.roots, (Seat(0),), (None,), FULL_PACK[:20])
    assert [told.shows(viewer) for viewer in (Seat(0), Seat(1), GALLERY)] == [(), (), ()]


def test_card_found_faced_is_nobodys() -> None:
    """By the third law a card lies in the pack; by the others it is in a hand."""
    shown = [Accident(law, Seat(1), Card("3s")).shows(GALLERY)[0].seat for law in (1, 2, 3)]
    assert shown == [1, 1, None]
