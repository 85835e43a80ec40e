"""The law of secrecy, on bytes: change only what a viewer may not know, and what they get is identical.

Packs are re-dealt under a recorded game: of each pack the cards that the viewer has not seen by a moment of the game
change places among all places they cannot see into - other hands and the undealt stock alike - and the game is played
again with the same inputs up to that moment. What a viewer has seen, and what may not change because the rules make it
public, each family says for itself (`secrets`).
"""

import re

import msgspec
import pytest

from put_protocol.cards import Card
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Purpose, Shuffle
from put_text.catalogue import card_in_words
from tests.conformance.random_games import Pack, encode, observe
from tests.conformance.scopes import scopes
from tests.conformance.secrets import SECRETS
from tests.conformance.tables import Table, at_every_table, games_at, rng_of

NOTATION = re.compile(rb"(?:[0-9]{1,2}|[JQKAC])[shdcbtwuo](?![a-z])|[IVX]+")
"""Anything in bytes that might be a card; words go on, as `Coins`, where `Co` is a card."""

_IN_RULES = {Card("0t")}
"""Cards that sentences about rules name: the Fool may always be played."""

ADDRESS = re.compile("0x[0-9a-f]+")


@at_every_table
def test_what_a_viewer_may_not_know_changes_no_byte_they_get(table: Table) -> None:
    """Each seat and the gallery get the same bytes - events, views, whose turn, their own decisions - whatever the
    cards are that they have not seen."""
    others_differ, runs = 0, 0
    redealt = SECRETS[table.family].redealt
    for played in games_at(table, share=0.35):
        rng = rng_of(table, -played.seed)
        held = [
            number for number, step in enumerate(played.steps, 1) if any(played.game.view(step.state, GALLERY).counts)
        ]
        for viewer in played.setup.viewers:
            for steps in (played.steps, played.steps[: rng.choice(held or [1])]):
                again = redealt(rng, played, steps, viewer)
                assert len(again) == len(steps)
                for number, (true, other) in enumerate(zip(steps, again, strict=True)):
                    told = observe(played.game, true, viewer), observe(played.game, other, viewer)
                    assert told[0] == told[1], f"{played.setup}, seed {played.seed}, step {number}, {viewer}"
                if steps is not played.steps:
                    runs += 1
                    others_differ += any(
                        observe(played.game, true, seat) != observe(played.game, other, seat)
                        for true, other in zip(steps, again, strict=True)
                        for seat in played.setup.viewers
                        if seat not in (viewer, GALLERY)
                    )
    assert runs > 12
    # With nine seats and more so many cards are known, or bound to be where they are, that fewer can be moved.
    assert others_differ > runs / (2 if table.seats < 9 else 4), (
        "the cards of others were to be changed, or nothing is shown by this"
    )


@at_every_table
def test_no_bytes_hold_a_card_their_viewer_may_not_see(table: Table) -> None:
    """At every step of every game no hidden card's notation, and no hidden card's name, is in what a viewer gets."""
    hidden_cards = 0
    for played in games_at(table, share=0.3):
        of_rules = cards_in(text_of(encode(played.game.view(played.steps[0].state, GALLERY))))
        for viewer in played.setup.viewers:
            for piece in scopes(played, played.steps):
                if not isinstance(piece[0].given, Pack):
                    continue
                hidden = set(piece[0].given.cards) - of_rules
                for step in piece:
                    hidden -= SECRETS[table.family].learns(played, step, viewer)
                    told = observe(played.game, step, viewer)
                    for part in map(text_of, told):
                        assert cards_in(part).isdisjoint(hidden), (
                            f"{played.setup}, seed {played.seed}, {viewer}: {part!r}"
                        )
                        if b" of " in part:
                            names = map(card_in_words, hidden - _IN_RULES)
                            assert not any(re.search(rf"{name}\b".encode(), part) for name in names)
                hidden_cards += len(hidden)
    assert hidden_cards > 400


def text_of(part: bytes) -> bytes:
    """The same as text: in a frame the length of a string may look like a rank before it."""
    return msgspec.json.encode(msgspec.msgpack.decode(part)) if part else part


def cards_in(part: bytes) -> set[Card]:
    """Everything in the bytes that has the notation of a card."""
    return {Card(found.decode()) for found in NOTATION.findall(part)}


@at_every_table
def test_hands_are_their_owners_alone(table: Table) -> None:
    """A view's own cards are as many as its seat holds and in no other seat's view, or nobody has any yet; the gallery
    has none."""
    holding = 0
    for played in games_at(table, share=0.5):
        for step in played.steps:
            *seats, gallery = [played.game.view(step.state, viewer) for viewer in played.setup.viewers]
            assert gallery.cards == ()
            assert all(view.counts == gallery.counts for view in seats)
            held = [card for view in seats for card in view.cards]
            assert len(set(held)) == len(held)
            if held:
                holding += 1
                assert tuple(len(view.cards) for view in seats) == gallery.counts
    assert holding > 40


@at_every_table
def test_events_reach_everyone_together(table: Table) -> None:
    """Every viewer gets as many events of each step as every other: their number tells nothing."""
    for played in games_at(table, share=0.5):
        for step in played.steps:
            assert len({len(step.seen_by(viewer)) for viewer in played.setup.viewers}) == 1


@at_every_table
def test_states_and_facts_show_and_encode_no_hand(table: Table) -> None:
    """No state and no fact of a game with cards in it can be encoded, and none shows a card of a hand in any text, but
    what everyone has seen."""
    hidden_cards = 0
    learns = SECRETS[table.family].learns
    for played in games_at(table, share=0.2):
        for piece in scopes(played, played.steps):
            public: set[Card] = set()
            for step in piece:
                state = step.state
                for encoded in (encode, msgspec.json.encode, msgspec.to_builtins):
                    with pytest.raises(TypeError):
                        encoded(state)
                public |= learns(played, step, GALLERY)
                views = [played.game.view(state, Seat(seat)) for seat in range(played.setup.seats)]
                held = {card for view in views for card in view.cards} - public
                text = ADDRESS.sub("", f"{state!r} {state} {step.facts!r} {step.facts}")
                assert cards_in(text.encode()).isdisjoint(held)
                hidden_cards += len(held)
                for fact in step.facts:
                    with pytest.raises(TypeError):
                        encode(fact)
    assert hidden_cards > 50


def test_detector_finds_a_leak() -> None:
    """The scan would find a card: in an event, in a view, as a word or inside another."""
    assert cards_in(text_of(encode({"cards": (Card("10h"), Card("As"))}))) == {"10h", "As"}
    assert cards_in(msgspec.json.encode({"says": "they hold 3s!"})) == {"3s"}
    assert cards_in(text_of(encode(("XXI", 5, "to_move", [2, 21])))) == {"XXI"}


@at_every_table
def test_pack_is_asked_for_in_one_order(table: Table) -> None:
    """The pack awaited is the same cards in the same order through a whole game, and a renewed stock is asked for in
    the order of the cards: asking tells nothing of any deal."""
    for played in games_at(table, share=0.1):
        awaited = [played.game.awaits(step.state) for step in played.steps]
        wanted = [awaits for awaits in awaited if isinstance(awaits, Shuffle)]
        assert len({want.cards for want in wanted if want.purpose is not Purpose.STOCK}) == 1
        for want in wanted:
            if want.purpose is Purpose.STOCK:
                assert list(want.cards) == [card for card in wanted[0].cards if card in want.cards]
