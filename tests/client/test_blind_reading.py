"""What a client says to a server that reads a deal, as the rules need it, and lies about what it read."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from put_client.sdk.blind_table import Unsound
from put_client.sdk.deal_checks import Unproved
from put_protocol.blind.deal import READ
from put_protocol.blind.party import deal_entry, renew_entry, ruling_entry, wrong_shares_entry
from put_protocol.blind.reading import Reading
from put_protocol.blind_acts import Ruling, RulingKind, act_body
from put_protocol.blind_events import BlindOpened, OpenedPlace
from put_protocol.cards import PACKS, Card
from put_protocol.games import primero
from put_protocol.games.put import Dealt, Gave, Give, Play, Played
from put_protocol.seats import Seat
from tests.client.test_blind_attacks import ANN, BEN, INFO, Told
from tests.protocol.blind.blind_table import SERVER_KEY, reader_of

CARDS = PACKS["put-28"]
OWNERS = (ANN, BEN, ANN, BEN, *[READ] * 24)
READ_INFO = replace(INFO, game="put-partners", options={"dealing": "blind", "pack": 28}, is_read=True)


class Reader(Told):
    """A server that reads, at Ann's table."""

    def __init__(self, *, is_shared: bool = True) -> None:
        super().__init__(info=READ_INFO, cards=CARDS)
        self.begin()
        self.settle()
        self.order(deal_entry(self.server.game, SERVER_KEY, OWNERS, reader_of(1).point.encoded))
        if is_shared:
            self.settle()
        deal = self.server.game.playing
        assert deal is not None
        self.reading = Reading(deal, reader_of(1))

    def card(self, place: int) -> Card:
        card = self.reading.read[place]
        assert card is not None
        return card

    def open(self, *places: int) -> BlindOpened:
        opened = [OpenedPlace(1, place, self.reading.opening(place)) for place in places]
        return BlindOpened(tuple(opened))

    def hand(self, *places: int) -> Dealt:
        return Dealt(1, BEN, ANN, (2, 2), tuple(map(self.card, places)))

    def deal_all(self) -> None:
        """The whole pack is dealt, Ben is out, and Ann has laid down the first of her cards."""
        self.tell(self.open(0, 2), self.hand(0, 2))
        self.tell(primero.MoreDealt((ANN, BEN) * 12, 0))
        self.act(ANN, b"\xc1" + bytes(32))
        self.tell(primero.WentOut((BEN,)), self.open(0), primero.Traded(ANN, 1, (self.card(0),)))

    def act(self, seat: Seat, body: bytes) -> None:
        self.order(self.server.parties[seat].act(self.server.game, seat, 1, body))

    def renew(self, *places: int) -> None:
        """All shuffle a stock of the cards at these places."""
        cards = tuple([card for card in CARDS if card in set(map(self.card, places))])
        self.order(renew_entry(self.server.game, SERVER_KEY, (ANN, BEN), cards))
        self.settle()
        number = self.server.game.coming.number if self.server.game.coming else 0
        reader = reader_of(number).point.encoded
        self.order(deal_entry(self.server.game, SERVER_KEY, [READ] * len(cards), reader))
        self.settle()


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
    told.order(deal_entry(told.server.game, SERVER_KEY, OWNERS, reader_of(2).point.encoded))


def dealt_to_others(told: Reader) -> None:
    told.tell(told.open(0, 2), replace(told.hand(0, 2), counts=(3, 1)))


def hand_after_its_stock(told: Reader) -> None:
    honest_stock(told)
    told.tell(told.hand())


def stock_that_nobody_shuffled(told: Reader) -> None:
    told.deal_all()
    told.tell(primero.StockRenewed(14))


def stock_with_our_card(told: Reader) -> None:
    told.deal_all()
    told.renew(2, *BENS[1:])
    told.tell(primero.StockRenewed(14))


def stock_without_a_card(told: Reader) -> None:
    told.deal_all()
    told.renew(*BENS[1:])
    told.tell(primero.StockRenewed(13))


def stock_before_its_time(told: Reader) -> None:
    told.tell(told.open(0, 2), told.hand(0, 2), primero.WentOut((BEN,)))
    told.renew(*range(3, 28))
    told.tell(primero.StockRenewed(25))


def card_that_was_not_drawn(told: Reader) -> None:
    """The player is given the second place of the stock."""
    told.deal_all()
    told.renew(*BENS)
    told.tell(primero.StockRenewed(14))
    stock = told.server.game.playing
    assert stock is not None
    reading = Reading(stock, reader_of(stock.number))
    card = reading.read[1]
    assert card is not None
    told.tell(BlindOpened((OpenedPlace(stock.number, 1, reading.opening(1)),)), primero.Drew(ANN, 1, 13, (card,)))


def card_that_was_not_passed_on(told: Reader) -> None:
    """Ben was given one of Ann's cards, and plays both."""
    told.tell(told.open(0, 2), told.hand(0, 2))
    told.act(ANN, act_body(Give()))
    told.act(BEN, act_body(Play(told.card(0))))
    told.tell(told.open(0), Gave(ANN, BEN, told.card(0)), Played(BEN, told.card(0), leads=True))
    told.tell(told.open(2), Played(BEN, told.card(2)))


def shares_called_wrong(told: Reader) -> None:
    told.force(wrong_shares_entry(told.server.game, SERVER_KEY, told.reading, BEN))


def share_shown_to_all(told: Reader) -> None:
    """Shares of such a deal go to the server alone, so one more opens no card."""
    told.force(told.server.parties[1].show(told.server.game, BEN, 1))


def honest_stock(told: Reader) -> None:
    told.deal_all()
    told.renew(*BENS)
    told.tell(primero.StockRenewed(14))


BENS = range(1, 28, 2)

READ_SENTENCES: dict[Callable[[Reader], None], str] = {
    stacked_hand: "shown, and not dealt to who showed it",
    wrong_shares: "a card was opened by wrong shares",
    card_without_proof: "shown, and not dealt to who showed it",
    card_of_another: "shown, and not dealt to who showed it",
    dealt_again: "Deal 1 was not played, and the server deals again",
    dealt_to_others: "it was told to other players than it was dealt to",
    hand_after_its_stock: "it was told to other players than it was dealt to",
    stock_that_nobody_shuffled: "the stock was renewed, and nobody shuffled it",
    stock_with_our_card: "the stock was renewed with other cards than came back",
    stock_without_a_card: "the stock was renewed with other cards than came back",
    stock_before_its_time: "the stock was renewed with other cards than came back",
    card_that_was_not_drawn: "shown, and not dealt to who showed it",
    card_that_was_not_passed_on: "shown, and not dealt to who showed it",
    share_shown_to_all: "a place is not this seat's to show",
    shares_called_wrong: "shares hold of which the server says that they do not",
}


@pytest.mark.parametrize("lie", READ_SENTENCES, ids=lambda lie: lie.__name__)
def test_lie_about_what_was_read_is_caught(lie: Callable[[Reader], None]) -> None:
    with pytest.raises(Unsound, match=READ_SENTENCES[lie]):
        lie(Reader())


def test_hand_told_before_its_shares_is_caught() -> None:
    """Also if it shows no card yet."""
    told = Reader(is_shared=False)
    with pytest.raises(Unsound, match="it was told to other players than it was dealt to"):
        told.tell(told.hand())


def test_hand_of_a_span_is_unproved() -> None:
    """A viewer who comes back to the state of a deal that the server reads cannot check its hand."""
    told = Reader()
    told.ann.resume(told.server.game.span())
    told.tell(told.hand())
    assert told.ann.counts == {Unproved.MISSED: 1}


def test_cards_that_the_server_reads_are_not_counted_as_unseen() -> None:
    """We have seen ours, and of the others' nothing is known by place."""
    told = Reader()
    told.tell(told.open(0, 2), told.hand(0, 2))
    (deal,) = told.ann.summaries(0)
    assert deal.is_read
    assert deal.unseen == ()


def test_honest_stock_is_no_lie() -> None:
    honest_stock(Reader())


def test_deal_that_is_called_off_for_a_departure_is_no_lie() -> None:
    told = Reader()
    left = act_body(Ruling(RulingKind.LEFT, BEN))
    told.order(ruling_entry(told.server.game, SERVER_KEY, 1, left))
    dealt_again(told)
