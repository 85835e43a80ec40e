"""The holder of secrets: nothing gets what is inside by accident."""

import copy
import json
import logging
import pickle
import re
from collections.abc import Callable
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
import pytest

from put_protocol.cards import Card
from put_protocol.games.put import Dealt
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.facts import HandsDealt, Hidden

HANDS: tuple[tuple[Card, ...], ...] = ((Card("3s"), Card("2h")), (Card("Kd"), Card("10c")))
SECRET = Hidden(HANDS)
CARDS = [card for hand in HANDS for card in hand]


@pytest.mark.parametrize(
    "encode",
    [
        msgspec.msgpack.encode,
        msgspec.msgpack.Encoder().encode,
        msgspec.json.encode,
        msgspec.json.Encoder().encode,
        msgspec.to_builtins,
        json.dumps,
        msgpack.packb,
        pickle.dumps,
        copy.deepcopy,
    ],
    ids=[
        "msgpack",
        "msgpack-encoder",
        "json",
        "json-encoder",
        "builtins",
        "json-standard",
        "msgpack-package",
        "pickle",
        "deepcopy",
    ],
)
@pytest.mark.parametrize("wrap", [lambda s: s, lambda s: [s], lambda s: {"cards": s}], ids=["bare", "list", "map"])
def test_hidden_cannot_be_encoded(encode: Callable[[Any], Any], wrap: Callable[[Any], Any]) -> None:
    """No codec, pickle or copy takes a hidden thing, alone or within another."""
    with pytest.raises(TypeError):
        encode(wrap(SECRET))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_hidden_cannot_be_pickled(protocol: int) -> None:
    """By no protocol of pickle."""
    with pytest.raises(TypeError):
        pickle.dumps(SECRET, protocol)


def test_hidden_cannot_be_copied() -> None:
    """Not even by a shallow copy."""
    with pytest.raises(TypeError):
        copy.copy(SECRET)


def test_hidden_shows_nothing() -> None:
    """Neither repr nor str nor formatting, nor a log line, nor an error, shows what is inside."""
    record = logging.LogRecord("put", logging.INFO, __file__, 1, "state %s %r", (SECRET, SECRET), None)
    shown = [
        repr(SECRET),
        str(SECRET),
        f"{SECRET}",
        f"{SECRET!s} {SECRET!r} {SECRET!a}",
        f"{SECRET}",
        "{} {!r}".format(SECRET, SECRET),  # noqa: UP032  # each way of formatting is tried
        "%s %r" % (SECRET, SECRET),  # noqa: UP031
        repr([SECRET]),
        record.getMessage(),
        str(ValueError(SECRET)),
        repr(dir(SECRET)),
    ]
    assert not any(card in text for card in CARDS for text in shown)
    assert not hasattr(SECRET, "__dict__")


def test_hidden_is_equal_iff_what_it_holds_is() -> None:
    """So that a replayed state can be compared with a played one; but a hash, which would tell, there is none."""
    assert Hidden(HANDS) == SECRET
    assert Hidden(HANDS[::-1]) != SECRET
    assert SECRET != HANDS
    with pytest.raises(TypeError):
        hash(SECRET)


def test_hidden_in_a_struct_cannot_be_encoded() -> None:
    """A struct of the wire with a secret in the wrong field is an error, not a leak."""

    class Wrong(msgspec.Struct):
        cards: Any

    for encode in (msgspec.msgpack.encode, msgspec.json.encode, msgspec.to_builtins):
        with pytest.raises(TypeError):
            encode(Wrong(SECRET))


def test_dealt_hands_are_seen_by_their_owners_only() -> None:
    """Of a deal each seat sees its own cards, the gallery none; and the fact itself shows none."""
    fact = HandsDealt(Dealt(hand=1, dealer=Seat(0), eldest=Seat(1), counts=(2, 2)), SECRET)

    def seen_by(viewer: Viewer) -> Dealt:
        event = fact.seen_by(viewer)
        assert isinstance(event, Dealt)
        return event

    assert seen_by(Seat(0)).cards == HANDS[0]
    assert seen_by(Seat(1)).cards == HANDS[1]
    assert seen_by(GALLERY).cards == ()
    assert seen_by(GALLERY).counts == (2, 2)
    shown = re.sub("0x[0-9a-f]+", "", repr(fact))  # its address may have the letters of a card
    assert not any(card in shown for card in CARDS)
