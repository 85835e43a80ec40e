"""Cards and their notation."""

import pytest

from put_protocol import cards
from put_text.catalogue import card_in_words


def test_pack_has_each_card_once_suit_by_suit() -> None:
    """A fresh pack of all ranks has 52 different cards: the first suit from its first rank to its last, and so on."""
    pack = cards.pack_of(cards.RANKS)
    assert len(pack) == len(set(pack)) == 52
    assert pack[:3] == ("2s", "3s", "4s")
    assert pack[12:14] == ("As", "2h")
    assert pack[-1] == "Ac"


def test_pack_keeps_the_order_of_ranks_it_is_given() -> None:
    """A short pack has only the ranks asked for, in the order they were given."""
    assert cards.pack_of(("3", "A")) == ("3s", "As", "3h", "Ah", "3d", "Ad", "3c", "Ac")


def test_card_is_its_rank_and_its_suit() -> None:
    """Every card of the pack is taken apart into the rank and suit it was made of, 10 included."""
    assert [(cards.rank_of(card), cards.suit_of(card)) for card in cards.pack_of(cards.RANKS)] == [
        (rank, suit) for suit in cards.SUITS for rank in cards.RANKS
    ]


@pytest.mark.parametrize(
    ("card", "name"),
    [
        ("3s", "the 3 of spades"),
        ("10h", "the 10 of hearts"),
        ("Jc", "the knave of clubs"),
        ("Qd", "the queen of diamonds"),
        ("Ks", "the king of spades"),
        ("Ad", "the ace of diamonds"),
    ],
)
def test_card_is_said_as_at_the_table(card: str, name: str) -> None:
    """Court cards and aces have names, the others their number."""
    assert card_in_words(cards.Card(card)) == name


def test_card_of_an_unknown_pack_is_still_said() -> None:
    """A rank or suit of a pack to come is said by its letters; it breaks nobody's screen."""
    assert card_in_words(cards.Card("Ux")) == "the U of x"


def test_suits_have_a_name_and_a_sign_each() -> None:
    """Every suit of every pack can be said, no two alike, and only ranks of a pack have names of their own."""
    suits = {cards.suit_of(card) for card in cards.CARD_ORDER}
    assert set(cards.SUIT_NAMES) == suits
    assert set(cards.SUIT_SIGNS) == set(cards.SUITS), "French suits have signs of their own"
    assert len(set(cards.SUIT_NAMES.values())) == len(suits)
    assert len(set(cards.SUIT_SIGNS.values())) == 4
    assert set(cards.NAMED_RANKS) <= {cards.rank_of(card) for card in cards.CARD_ORDER}
