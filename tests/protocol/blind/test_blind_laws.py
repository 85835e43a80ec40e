"""Laws of blind deals, at every number of seats, with every mix of holders of keys, and every pack."""

from collections.abc import Iterator
from itertools import product

import pytest

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.group import Point
from put_protocol.blind.party import Party
from put_protocol.blind.shares import opened
from put_protocol.blind.transcript import Kind
from put_protocol.cards import FULL_PACK, PACKS
from put_protocol.seats import Seat
from tests.protocol.blind.blind_table import BlindTable, in_turn, secret_of
from tests.repetitions import TURN, some

SERVERS = 0
"""The number of the party that the server is."""

A_HAND = 2

MIXES = [
    tuple([SERVERS if is_held else seat + 1 for seat, is_held in enumerate(held)])
    for seats in range(2, 7)
    for held in product((False, True), repeat=seats)
]
"""Each seat's key with its own client, or with the server."""


def cards_after(table: BlindTable, seats: int) -> None:
    """A hand that is read by its owners, then shown to everybody."""
    hands = {seat: table.hand(seat) for seat in map(Seat, range(seats))}
    for seat, hand in hands.items():
        for place, card in hand.items():
            table.show(seat, place)
            assert {view.playing.shown[place] for view in (table.game, *table.views.values()) if view.playing} == {card}


FEW_SEATS = 28
"""Mixes of two to four seats, each of which the suite tries; of those of more it tries some."""


@pytest.mark.parametrize("holders", [*MIXES[:FEW_SEATS], *some(MIXES[FEW_SEATS:], 14)], ids=str)
def test_every_mix_of_holders_deals_different_cards(holders: tuple[int, ...]) -> None:
    """Whoever holds the keys, each owner reads their hand, all see what is shown, and no card comes twice."""
    seats = len(holders)
    dealt = seats * (A_HAND if seats < 5 else 1)
    cards = FULL_PACK[: dealt + 1]
    table = BlindTable(holders, cards)
    table.play([*in_turn(seats, dealt), None])
    assert table.game.playing is not None
    assert set(table.game.playing.shown) == {dealt}, "the upturned card is all that is shown"
    cards_after(table, seats)
    assert sorted(table.game.playing.shown.values()) == sorted(cards)
    assert not table.game.blames
    for view in table.views.values():
        assert view.playing is not None
        assert (view.playing.wrong, view.playing.checked) == (None, len(set(holders)))


EACH_PACK = [(name, 2 + (seats + at) % 5) for seats in range(5) for at, name in enumerate(PACKS)]
"""Each pack with each number of seats; the suite tries each pack, and each number."""


@pytest.mark.parametrize(("name", "seats"), EACH_PACK if TURN else EACH_PACK[: len(PACKS)])
def test_every_pack_comes_out_whole(name: str, seats: int) -> None:
    """With every place dealt and shown, every card of the pack came out once, and the record proves it."""
    cards = PACKS[name]
    table = BlindTable((*range(1, seats), SERVERS), cards)
    table.play(in_turn(seats, len(cards)))
    assert table.game.playing is not None
    for place, owner in enumerate(table.game.playing.owners):
        assert owner is not None
        entry = table.party_of(owner).show(table.game, owner, place)
        table.game, receipt = table.game.taken(entry, table.server)
        table.told.append((entry, receipt))
    assert table.game.playing is not None
    assert sorted(table.game.playing.shown.values()) == sorted(cards)
    if seats == 2:
        judgement = table.judged()
        assert judgement.fault is None
        assert judgement.game.transcript == table.game.transcript


@pytest.mark.parametrize("seats", range(2, 7))
def test_all_but_one_learn_nothing_of_the_hand_of_the_one(seats: int) -> None:
    """With every other secret and the server's, a place that was not shown opens to no card; nor does its record have
    the share that is missing."""
    cards = FULL_PACK[: A_HAND * seats + 1]
    table = BlindTable(range(1, seats + 1), cards)
    table.play([*in_turn(seats, A_HAND * seats), None])
    for victim in map(Seat, range(seats)):
        deal = table.game.playing
        assert deal is not None
        first, *unseen = deal.hand(victim)
        table.show(victim, first)
        others = [table.party_of(Seat(seat)).keys[Seat(seat)].secret for seat in range(seats) if seat != victim]
        own = table.party_of(victim).keys[victim].secret
        for place in unseen:
            a, minus_b = deal.pack.a(place), deal.pack.minus_b(place)
            assert opened(minus_b, [a * secret for secret in others], cards) is None
            assert opened(minus_b, [a * secret for secret in (*others, own)], cards) is not None
            assert (a * own).encoded not in table.record()
            assert all(party.hand(view, victim)[place] is None for party, view in colluders(table, victim))


def colluders(table: BlindTable, victim: Seat) -> Iterator[tuple[Party, BlindGame]]:
    """Parties that read the victim's hand with a key of their own in its place."""
    for holder, party in table.parties.items():
        (key,) = party.keys.values()
        if holder != table.holder_of(victim):
            yield Party({victim: key}), table.views[holder]


def test_every_game_is_dealt_in_another_order() -> None:
    """The same secrets deal other cards in every game, because what they give hangs on its terms."""
    cards = FULL_PACK[:8]
    found = set()
    for game in range(8):
        table = BlindTable((1, 2), cards, game=game)
        table.play(in_turn(2, 8))
        deal = table.game.playing
        assert deal is not None
        found.add(tuple({**table.hand(Seat(0)), **table.hand(Seat(1))}.values()))
    assert len(found) == 8


def test_a_hand_does_not_need_those_who_left() -> None:
    """After the shares, a seat's hand can be read and shown though all others have gone."""
    table = BlindTable((1, 2, 3), FULL_PACK[:10])
    table.play(in_turn(3, 9))
    del table.views[2], table.views[3], table.parties[2], table.parties[3]
    for place in table.hand(Seat(0)):
        table.show(Seat(0), place)
    assert table.game.playing is not None
    assert len(table.game.playing.shown) == 3


def test_the_next_deal_is_shuffled_while_a_hand_is_played() -> None:
    """When a hand ends, the pack of the next lies ready, and is dealt without waiting."""
    table = BlindTable((1, 2), FULL_PACK[:7])
    for number in (1, 2, 3):
        table.play(in_turn(2, 6))
        assert table.game.playing is not None
        assert table.game.coming is not None
        assert (table.game.playing.number, table.game.coming.number) == (number, number + 1)
        assert table.game.coming.is_shuffled
        assert not table.game.awaits()
        cards_after(table, 2)


def test_a_party_that_was_killed_does_the_same_again() -> None:
    """From its secret and the transcript a party makes the same bytes: no step needs anything else to be kept."""
    table = BlindTable((1, 2), FULL_PACK[:7])
    steps = 0
    while (entry := table.next()) is not None:
        for holder, old in table.parties.items():
            again = Party.holding(secret_of(holder), table.terms, old.seats)
            view = BlindGame.begun(table.terms)
            for told in table.told:
                view = view.told(told)
            assert again.due(view) == old.due(table.views[holder])
            steps += len(old.due(view))
        table.order(entry)
    assert steps >= 5


def test_a_holder_of_several_keys_shuffles_once() -> None:
    """One shuffle by each party is what hides the pack; more would be work for nothing."""
    table = BlindTable((1, SERVERS, 2, SERVERS), FULL_PACK[:5])
    table.settle()
    assert table.game.coming is not None
    assert [shuffle.seat for shuffle in table.game.coming.shuffles] == [0, 1, 2]
    kinds = [entry[1] for entry, _ in table.told]
    assert kinds.count(Kind.KEY) == 4


def test_a_pack_tells_nothing_of_its_order_to_those_without_the_secret() -> None:
    """The same cards in another order, or encrypted with other factors, share no bytes but the terms'."""
    table = BlindTable((1, 2), FULL_PACK[:5])
    table.settle()
    assert table.game.coming is not None
    deal = table.game.coming
    points: list[Point] = [point for one in deal.shuffles for half in one.statement.after.halves() for point in half]
    assert len(set(points)) == len(points) == 20
