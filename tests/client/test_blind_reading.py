"""What a client says to a server that reads a deal, as the rules need it, and lies about what it read."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from put_client.sdk.blind_table import Unsound
from put_client.sdk.read_hand import NotDealt, ReadHand
from put_protocol.blind.deal import READ, Deal
from put_protocol.blind.party import deal_entry, renew_entry, ruling_entry
from put_protocol.blind.reading import Reading
from put_protocol.blind_acts import Ruling, RulingKind, act_body
from put_protocol.blind_events import BlindOpened, OpenedPlace
from put_protocol.cards import Card
from put_protocol.deal_steps import HandsDealt, LaidDown, MoreDealt, PassedOn, StockRenewed, WentOut
from put_protocol.games.put import Dealt, Played
from put_protocol.seats import Seat
from put_protocol.shown import Shown
from tests.client.test_blind_attacks import ANN, BEN, INFO, Told
from tests.protocol.blind.blind_table import SERVER_KEY, BlindTable

OWNERS = (ANN, BEN, ANN, BEN, *[READ] * 48)
READ_INFO = replace(INFO, is_read=True)


class Reader(Told):
    """A server that reads, at Ann's table."""

    def __init__(self) -> None:
        super().__init__(info=READ_INFO)
        self.begin()
        self.settle()
        self.order(deal_entry(self.server.game, SERVER_KEY, OWNERS))
        self.settle()
        deal = self.server.game.playing
        assert deal is not None
        self.reading = Reading.of(deal, SERVER_KEY)

    def card(self, place: int) -> Card:
        card = self.reading.read[place]
        assert card is not None
        return card

    def open(self, *places: int) -> BlindOpened:
        opened = [OpenedPlace(1, place, self.reading.opening(place)) for place in places]
        return BlindOpened(tuple(opened))

    def hand(self, *places: int) -> Dealt:
        return Dealt(1, BEN, ANN, (2, 2), tuple(map(self.card, places)))


def stacked_hand(told: Reader) -> None:
    told.tell(told.open(0, 20), told.hand(0, 20))


def wrong_shares(told: Reader) -> None:
    opened = told.open(0).places[0]
    told.tell(BlindOpened((replace(opened, shares=told.reading.opening(1)),)))


def card_without_proof(told: Reader) -> None:
    told.tell(told.open(0), told.hand(0, 2))


def card_of_another(told: Reader) -> None:
    told.tell(told.open(0, 2), told.hand(0, 2))
    told.tell(told.open(0), Played(BEN, told.card(0), leads=True))


def dealt_again(told: Reader) -> None:
    told.order(deal_entry(told.server.game, SERVER_KEY, OWNERS))


def dealt_to_others(told: Reader) -> None:
    told.tell(told.open(0, 2), replace(told.hand(0, 2), counts=(3, 1)))


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        (stacked_hand, "shown, and not dealt to who showed it"),
        (wrong_shares, "a card was opened by wrong shares"),
        (card_without_proof, "shown, and not dealt to who showed it"),
        (card_of_another, "shown, and not dealt to who showed it"),
        (dealt_again, "the server has read it, and deals again"),
        (dealt_to_others, "it was told to other players than it was dealt to"),
    ],
)
def test_lie_about_what_was_read_is_caught(lie: Callable[[Reader], None], says: str) -> None:
    with pytest.raises(Unsound, match=says):
        lie(Reader())


def test_deal_that_is_called_off_for_a_departure_is_no_lie() -> None:
    told = Reader()
    left = act_body(Ruling(RulingKind.LEFT, BEN))
    told.order(ruling_entry(told.server.game, SERVER_KEY, 1, left))
    dealt_again(told)


def test_server_may_read_only_where_the_rules_need_it() -> None:
    """Else no share of a hand is given to it."""
    told = Told()
    told.begin()
    told.settle()
    with pytest.raises(Unsound, match="wants to read the pack"):
        told.order(deal_entry(told.server.game, SERVER_KEY, OWNERS))


class Stocked:
    """A hand of five cards, two each, of which the fifth is drawn: Ann has laid a card down, and the stock is out."""

    def __init__(self) -> None:
        self.table = BlindTable([0, 1])
        self.table.play((ANN, BEN, ANN, BEN, READ))
        self.first = self._playing()
        self.hand = ReadHand(self.first)
        self.hand.check((), (HandsDealt((2, 2)),), self.first)
        self.reading = Reading.of(self.first, SERVER_KEY)
        self.cards = [card for card in self.reading.read if card is not None]
        self.see(0, 2)
        self.hand.check((), (LaidDown(ANN, 1, (self.cards[0],)),), self.first)
        self.hand.check((), (MoreDealt((ANN,)),), self.first)
        self.see(4)

    def _playing(self) -> Deal:
        assert self.table.game.playing is not None
        return self.table.game.playing

    def see(self, *places: int) -> None:
        opened = [OpenedPlace(1, place, self.reading.opening(place)) for place in places]
        self.hand.open(tuple(opened), self.first)
        self.hand.check(tuple([Shown(self.cards[place], ANN, is_own=True) for place in places]), (), self.first)

    def renewed(self, *places: int) -> Deal:
        cards = [card for card in self.first.cards if card in {self.cards[place] for place in places}]
        self.table.order(renew_entry(self.table.game, SERVER_KEY, (ANN, BEN), tuple(cards)))
        self.table.play((BEN, *[READ] * (len(cards) - 1)))
        return self._playing()


def test_stock_is_of_the_cards_that_came_back() -> None:
    told = Stocked()
    told.hand.check((), (LaidDown(BEN, 1),), told.first)
    told.hand.check((), (StockRenewed(1),), told.renewed(0))
    told.hand.check((), (MoreDealt((BEN,)),), told.first)


@pytest.mark.parametrize(("places", "count"), [((2,), 1), ((0, 1), 2), ((0, 4), 2)])
def test_stock_of_other_cards_is_caught(places: tuple[int, ...], count: int) -> None:
    """One that we hold, or more than came back."""
    told = Stocked()
    told.hand.check((), (LaidDown(BEN, 1),), told.first)
    with pytest.raises(NotDealt, match="other cards than came back"):
        told.hand.check((), (StockRenewed(count),), told.renewed(*places))


def test_stock_that_nobody_shuffled_is_caught() -> None:
    told = Stocked()
    told.hand.check((), (WentOut((BEN,)),), told.first)
    with pytest.raises(NotDealt, match="nobody shuffled it"):
        told.hand.check((), (StockRenewed(3),), told.first)


def test_card_that_was_passed_on_may_be_shown_by_who_got_it() -> None:
    """Once for each card that was."""
    told = Stocked()
    told.hand.check((), (PassedOn(ANN, BEN, None),), told.first)
    for place, is_fine in ((2, True), (4, False)):
        told.hand.open((OpenedPlace(1, place, told.reading.opening(place)),), told.first)
        shown = (Shown(told.cards[place], Seat(1)),)
        if is_fine:
            told.hand.check(shown, (), told.first)
        else:
            with pytest.raises(NotDealt):
                told.hand.check(shown, (), told.first)
