"""Claims about accidents in the dealing, the Laws that settle them, and exhibitions."""

from collections import Counter
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest

from put_protocol.cards import Card
from put_protocol.games.put import Accident, Dealt, FreshDeal
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Awaits, BadOption, Purpose, Shuffle
from put_rules.table_options import TableOptions
from put_server.table.table_deals import Deals
from put_server.table.table_effects import TableId, WantPack
from tests.conformance.random_games import Setup, Step, shuffled
from tests.games.put_tables import allies
from tests.games.staged_games import events, game_cards, hands_of, random_games, table

# --- the Laws: accidents ---


def accident_in(game: Any, state: Any, pack: tuple[Card, ...]) -> Accident | None:
    """What goes wrong when this pack is dealt."""
    after, facts = game.deal(state, pack)
    found = [event for event in Step(None, facts, after).seen_by(GALLERY) if isinstance(event, Accident)]
    return found[0] if found else None


@pytest.mark.parametrize("misdeals", [1, 20, 50])
def test_laws_accidents_come_by_chance_and_all_alike(misdeals: int) -> None:
    """Of all orders of the cards that nobody sees, at the smallest pack there is, the share asked for makes an
    accident, to one in a thousand; and each of the five laws has the same part of them."""
    setup = table(4, game="put-1674", misdeals=misdeals, pack=28)
    game = setup.game()
    state = game.begin(setup.dealer)
    cards = game_cards(setup)
    laws = Counter(
        accident.law
        for order in permutations(cards[21:])
        if (accident := accident_in(game, state, (*cards[:21], *order))) is not None
    )
    assert set(laws) == {1, 2, 3, 4, 5}
    assert abs(laws.total() / 5040 - misdeals / 100) < 0.001
    assert max(laws.values()) - min(laws.values()) <= 1


@pytest.mark.parametrize(
    ("name", "seats"),
    [("put-1674", 3), ("put-1800", 2), ("put-partners", 4), ("put-parlett", 2), ("put-tavern", 4)],
)
def test_laws_accident_befalls_whom_the_law_says(name: str, seats: int) -> None:
    """By laws 2, 3 and 5 it is the dealer's, by 1 and 4 any adversary's alike, never a partner's; the share and the
    kinds are as asked for, within four standard deviations."""
    setup = table(seats, dealer=1, game=name, misdeals=50)
    game = setup.game()
    state = game.begin(setup.dealer)
    rng = Random(f"accidents {name}")
    deals = 1500
    packs = (shuffled(rng, game_cards(setup)) for _ in range(deals))
    found = [accident for pack in packs if (accident := accident_in(game, state, pack)) is not None]
    assert_share(len(found), deals, 0.5)
    adversaries = {Seat(seat) for seat in range(seats)} - set(allies(setup, Seat(1)))
    for law in range(1, 6):
        of_law = [accident for accident in found if accident.law == law]
        assert_share(len(of_law), len(found), 0.2)
        assert all((accident.card is not None) == (law in (1, 2, 3)) for accident in of_law)
        by_seat = Counter(accident.seat for accident in of_law)
        if law in (1, 4):
            assert set(by_seat) == adversaries
            for seat in adversaries:
                assert_share(by_seat[seat], len(of_law), 1 / len(adversaries))
        else:
            assert set(by_seat) == {Seat(1)}


def assert_share(count: int, whole: int, share: float) -> None:
    """So many of the whole are this share of it, within four standard deviations."""
    assert abs(count - whole * share) <= 4 * (whole * share * (1 - share)) ** 0.5


def test_laws_no_accident_but_where_one_is_wanted() -> None:
    """The server deals without accidents; a fresh deal has none either, and the same dealer deals it."""
    fresh = 0
    for name in ("put-1674", "put-1800", "put-partners", "put-parlett", "put-tavern"):
        for _, steps in random_games(40, name, misdeals=0):
            assert not any(isinstance(event, Accident) for event in events(steps))
        for _, steps in random_games(60, name, misdeals=50, accidents=False):
            hands = list(hands_of(steps))
            for hand, again in pairwise(hands):
                if any(isinstance(event, FreshDeal) for event in hand):
                    fresh += 1
                    assert not any(isinstance(event, Accident) for event in again)
                    first, second = hand[0], again[0]
                    assert isinstance(first, Dealt)
                    assert isinstance(second, Dealt)
                    assert second.dealer == first.dealer
    assert fresh > 50


# --- the exhibition ---


@pytest.mark.parametrize(
    ("arranged", "reason"),
    [("3s 3s", "twice"), ("1s", "no card"), ("4s", "no card"), ("3s, 2s", "no card")],
    ids=["twice", "no-card", "not-in-the-short-pack", "commas"],
)
def test_arranged_cards_must_be_of_the_pack(arranged: str, reason: str) -> None:
    """An exhibition's cards are different cards of its pack, or there is no table."""
    setup = table(arranged=arranged, pack=28)
    with pytest.raises(BadOption, match=reason) as refused:
        TableOptions.of(setup.options).check(setup.game())
    assert refused.value.name == "arranged"


def test_arranged_cards_are_dealt_first() -> None:
    """A table wants every deal of an exhibition with its cards on top; the draw it does not."""
    setup = table(dealer=None, arranged="3s 2d 2s")
    game = setup.game()
    state = game.begin(None)
    cards = game_cards(setup)
    assert game.awaits(state) == Shuffle(cards, Purpose.DRAW, (Seat(0), Seat(1)))
    assert wanted(setup, game.awaits(state)).top == ()
    state, _ = game.deal(state, cards)
    assert wanted(setup, game.awaits(state)).top == (Card("3s"), Card("2d"), Card("2s"))
    state, _ = game.deal(state, shuffled(Random(0), cards, (Card("3s"), Card("2d"), Card("2s"))))
    assert game.view(state, Seat(1)).cards[:2] == (Card("3s"), Card("2s"))


def wanted(setup: Setup, awaits: Awaits) -> WantPack:
    """The pack that a table asks for."""
    (want,) = Deals(TableId(7), TableOptions.of(setup.options), deals_name="").want(awaits, 1)
    assert isinstance(want, WantPack)
    return want
