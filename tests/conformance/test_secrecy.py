"""The law of secrecy, on bytes: change only what a viewer may not know, and what they get is identical.

Packs are re-dealt under a recorded game: of each pack the cards that the viewer has not seen by a moment of the game
change places among all places they cannot see into - other hands and the undealt stock alike - and the game is played
again with the same inputs up to that moment. (Where an input of others names a card they have not seen, as a discard
does, it is renamed along with the packs.)

Two things that happen in the open hang on hidden cards, and stay as they were, so that the course is the same one:
which of their cards a player gave a partner (the best, the first dealt of equals), and the accident in a deal without a
luck (the order of the undealt cards makes it). That is all that anybody may conclude from them.

What a viewer has seen is computed here from the rules' own words and not from what they were sent, or a leak would hide
itself: the cards they hold, unless an accident is not settled yet; the cards played to tricks, drawn for the deal, or
seen in an accident.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from random import Random

import msgspec
import pytest

from put_protocol.cards import Card, name_of, rank_of
from put_protocol.games.put import Accident, Dealt, Drawn, Gave, Moment, Play
from put_protocol.seats import GALLERY, Seat, Viewer
from put_server.games.game import Shuffle
from tests.conformance.random_games import Act, Input, Pack, Step, encode, observe, replayed, shuffled
from tests.conformance.tables import Played, Table, at_every_table, games_at, rng_of

NOTATION = re.compile(rb"(?:10|[1-9JQKAC])[shdcb]|[IVX]+")
"""Anything in bytes that might be a card."""

ADDRESS = re.compile("0x[0-9a-f]+")


def learns(played: Played, step: Step, viewer: Viewer) -> set[Card]:
    """The cards that a viewer may know from this step on, as long as this pack is in play."""
    view = played.game.view(step.state, viewer)
    is_blind = viewer == GALLERY or view.moment is Moment.ACCIDENT
    cards = set() if is_blind else set(view.cards)
    if isinstance(step.given, Act) and isinstance(step.given.action, Play):
        cards.add(step.given.action.card)
    for event in step.seen_by(GALLERY):
        if isinstance(event, Drawn):
            cards.update(event.cards)
        elif isinstance(event, Accident) and event.law in (1, 2, 3):
            assert event.card is not None
            cards.add(event.card)
    return cards


def packs_in_play(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """The steps cut where a pack is supplied; the first piece has none."""
    start = 0
    for place, step in enumerate(steps):
        if isinstance(step.given, Pack) and place:
            yield steps[start:place]
            start = place
    yield steps[start:]


def redealt(rng: Random, played: Played, steps: tuple[Step, ...], viewer: Viewer) -> list[Input]:
    """The inputs of these steps, with all that the viewer has not seen in them in other places."""
    inputs: list[Input] = []
    for piece in packs_in_play(steps):
        renamed: dict[Card, Card] = {}
        match piece[0].given:
            case Pack(cards=pack):
                known = set().union(*(learns(played, step, viewer) for step in piece))
                known.update(map(Card, str(played.setup.options["arranged"]).split()))
                renamed = dict(zip(pack, another_pack(rng, played, piece, pack, known), strict=True))
            case _:
                pass
        inputs += [renamed_input(step.given, renamed) for step in piece if step.given is not None]
    return inputs


def another_pack(
    rng: Random, played: Played, piece: tuple[Step, ...], pack: tuple[Card, ...], known: set[Card]
) -> tuple[Card, ...]:
    """The pack with its unknown cards in other places: givers give from the same place in their hands, and the stock
    below its first card has the same order."""
    stock = len(pack)
    for event in piece[0].seen_by(GALLERY):
        match event:
            case Dealt(counts=counts):
                stock = sum(counts) + 1
            case Accident(law=law):
                stock -= law in (4, 5)  # the first card of the stock is in somebody's hand
            case _:
                pass
    assert known.isdisjoint(pack[stock:]), "nobody has seen the stock"
    strength = {rank: -place for place, rank in enumerate(played.game.view(piece[0].state, GALLERY).ranking)}
    givings = giving_hands(played, piece)
    for tries in range(300):
        if tries == 250:  # a gift so low that hardly anything is below it: those hands stay as they are
            known = known.union(*givings)
        unknown = shuffled(rng, sorted(set(pack) - known))
        others = iter(unknown)
        above = [card if card in known else next(others) for card in pack[:stock]]
        below = sorted(set(pack) - set(above))
        order = sorted(pack[stock:])
        renamed = dict(zip(pack, (*above, *(below[order.index(card)] for card in pack[stock:])), strict=True))
        if all(best(hand, strength) == best([renamed[card] for card in hand], strength) for hand in givings):
            return tuple(renamed.values())
    raise AssertionError("the true pack at least is such a one")


def giving_hands(played: Played, piece: tuple[Step, ...]) -> list[tuple[Card, ...]]:
    """The hands out of which a best card was given."""
    hands: list[tuple[Card, ...]] = []
    for before, step in itertools.pairwise(piece):
        givers = [event.seat for event in step.seen_by(GALLERY) if isinstance(event, Gave)]
        hands += [played.game.view(before.state, giver).cards for giver in givers]
    return hands


def best(hand: Sequence[Card], strength: dict[str, int]) -> int:
    """The place of the best card in a hand, the first of equals."""
    values = [strength[rank_of(card)] for card in hand]
    return values.index(max(values))


def renamed_input(given: Input, renamed: dict[Card, Card]) -> Input:
    """An input with its cards renamed."""
    match given:
        case Pack(cards=cards, luck=luck):
            return Pack(tuple(renamed.get(card, card) for card in cards), luck)
        case Act(action=action) if "card" in action.__struct_fields__:
            fields = msgspec.structs.asdict(action)
            return Act(type(action)(**{**fields, "card": renamed.get(fields["card"], fields["card"])}))
        case _:
            return given


@at_every_table
def test_what_a_viewer_may_not_know_changes_no_byte_of_his(table: Table) -> None:
    """Each seat and the gallery get the same bytes - events, views, whose turn, their own decisions - whatever the
    cards are that they have not seen."""
    others_differ, runs = 0, 0
    for played in games_at(table, share=0.3):
        rng = rng_of(table, -played.seed)
        for viewer in played.setup.viewers:
            moment = rng.randint(1, len(played.steps))
            for steps in (played.steps, played.steps[:moment]):
                again = list(replayed(played.setup, redealt(rng, played, steps, viewer)))
                runs += 1
                assert len(again) == len(steps)
                for number, (true, other) in enumerate(zip(steps, again, strict=True)):
                    told = observe(played.game, true, viewer), observe(played.game, other, viewer)
                    assert told[0] == told[1], f"{played.setup}, seed {played.seed}, step {number}, {viewer}"
                others_differ += any(
                    observe(played.game, true, seat) != observe(played.game, other, seat)
                    for true, other in zip(steps, again, strict=True)
                    for seat in played.setup.viewers
                    if seat not in (viewer, GALLERY)
                )
    assert runs > 100
    assert others_differ > runs / 2, "the cards of others were to be changed, or nothing is shown by this"


@at_every_table
def test_no_bytes_hold_a_card_their_viewer_may_not_see(table: Table) -> None:
    """At every step of every game no hidden card's notation, and no hidden card's name, is in what a viewer gets."""
    hidden_cards = 0
    for played in games_at(table, share=0.3):
        for viewer in played.setup.viewers:
            for piece in packs_in_play(played.steps):
                if not isinstance(piece[0].given, Pack):
                    continue
                hidden = set(piece[0].given.cards)
                for step in piece:
                    hidden -= learns(played, step, viewer)
                    told = observe(played.game, step, viewer)
                    for part in map(text_of, told):
                        assert cards_in(part).isdisjoint(hidden), (
                            f"{played.setup}, seed {played.seed}, {viewer}: {part!r}"
                        )
                        if b" of " in part:
                            assert not any(name_of(card).encode() in part for card in hidden)
                hidden_cards += len(hidden)
    assert hidden_cards > 1000


def text_of(part: bytes) -> bytes:
    """The same as text: in a frame the length of a string may look like a rank before it."""
    return msgspec.json.encode(msgspec.msgpack.decode(part)) if part else part


def cards_in(part: bytes) -> set[Card]:
    """Everything in the bytes that has the notation of a card."""
    return {Card(found.decode()) for found in NOTATION.findall(part)}


@at_every_table
def test_hands_are_their_owners_alone(table: Table) -> None:
    """A view's own cards are as many as its seat was dealt and in no other seat's view, nor are those they threw away;
    a gift is known to the two partners; the gallery has none; and until an accident is settled nobody has."""
    accidents = 0
    for played in games_at(table, share=0.5):
        for step in played.steps:
            views = [played.game.view(step.state, viewer) for viewer in played.setup.viewers]
            *seats, gallery = views
            assert gallery.cards == gallery.thrown == ()
            assert gallery.gave is None
            held = [card for view in seats for card in (*view.cards, *view.thrown)]
            assert len(set(held)) == len(held)
            assert all(
                (view.gave is not None) == (seat in view.givers and bool(view.counts))
                for seat, view in enumerate(seats)
            )
            if gallery.moment is Moment.ACCIDENT:
                accidents += 1
                assert not held
            elif gallery.counts:
                assert tuple(len(view.cards) for view in seats) == gallery.counts
            else:
                assert not held
    assert accidents > 2 or "misdeals" not in played.setup.options


@at_every_table
def test_events_reach_everyone_together(table: Table) -> None:
    """Every viewer gets as many events of each step as every other: their number tells nothing."""
    for played in games_at(table, share=0.5):
        for step in played.steps:
            assert len({len(step.seen_by(viewer)) for viewer in played.setup.viewers}) == 1


@at_every_table
def test_states_and_facts_show_and_encode_no_hand(table: Table) -> None:
    """No state and no fact of a game with cards in it can be encoded, and none shows a card of a hand in any text."""
    shown = 0
    for played in games_at(table, share=0.1):
        for step in played.steps:
            state = step.state
            for encoded in (encode, msgspec.json.encode, msgspec.to_builtins):
                with pytest.raises(TypeError):
                    encoded(state)
            held = {card for seat in range(played.setup.seats) for card in played.game.view(state, Seat(seat)).cards}
            text = ADDRESS.sub("", f"{state!r} {state} {step.facts!r} {step.facts}")
            assert cards_in(text.encode()).isdisjoint(held)
            shown += len(held)
            for fact in step.facts:
                with pytest.raises(TypeError):
                    encode(fact)
    assert shown > 100


def test_detector_finds_a_leak() -> None:
    """The scan would find a card: in an event, in a view, as a word or inside another."""
    assert cards_in(text_of(encode({"cards": (Card("10h"), Card("As"))}))) == {"10h", "As"}
    assert cards_in(msgspec.json.encode({"says": "he holds 3s!"})) == {"3s"}
    assert cards_in(text_of(encode(("XXI", 5, "to_move", [2, 21])))) == {"XXI"}


@at_every_table
def test_pack_is_asked_for_in_one_order(table: Table) -> None:
    """The pack awaited is the same cards in the same order through a whole game: asking tells nothing of any deal."""
    for played in games_at(table, share=0.1):
        awaited = [played.game.awaits(step.state) for step in played.steps]
        assert len({awaits.cards for awaits in awaited if isinstance(awaits, Shuffle)}) == 1
