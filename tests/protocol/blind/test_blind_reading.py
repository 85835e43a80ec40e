"""Read deals: the server reads what it cannot choose, and opens places to whoever may see them."""

from dataclasses import replace

import pytest
from msgspec import structs

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.deal import READ, Blame, Deal
from put_protocol.blind.group import POINT_BYTES
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.party import deal_entry, renew_entry, wrong_shares_entry
from put_protocol.blind.shares import SHARE_BYTES, masked, private_shares
from put_protocol.blind.shuffle import PLACE_BYTES
from put_protocol.blind.transcript import Entry, Kind, ServerFault
from put_protocol.errors import ProofError
from put_protocol.seats import Seat
from tests.protocol.blind.blind_table import MINIATURE, SERVER_KEY, BlindTable, reader_of

ANN, BEN, CAT = map(Seat, range(3))
OWNERS = (ANN, BEN, CAT, READ, READ)


def read_table() -> BlindTable:
    table = BlindTable([0, 1, 255])
    table.play(OWNERS)
    return table


def playing(game: BlindGame) -> Deal:
    assert game.playing is not None
    return game.playing


def test_server_reads_the_pack_and_can_prove_each_card() -> None:
    table = read_table()
    reading = table.reading
    assert reading.wrong is None
    assert set(reading.read) == set(MINIATURE)
    for view in table.views.values():
        for place, card in enumerate(reading.read):
            assert playing(view).opened_by(place, reading.opening(place)) == card
    assert table.judged().fault is None


def test_card_is_opened_by_the_shares_of_its_own_place_alone() -> None:
    """Another place's, changed ones, or too few do not open it, so no other card can be shown in its place."""
    table = read_table()
    deal, reading = playing(table.views[0]), table.reading
    right, other = reading.opening(0), reading.opening(1)
    changed = right[:40] + bytes([right[40] ^ 1]) + right[41:]
    swapped = right[:SHARE_BYTES] + other[SHARE_BYTES:]
    for shares in (other, changed, swapped, right[SHARE_BYTES:], right + right[:SHARE_BYTES], b""):
        with pytest.raises(ProofError):
            deal.opened_by(0, shares)
    with pytest.raises(ProofError):
        deal.opened_by(len(MINIATURE), right)


def test_what_is_given_to_the_server_tells_nobody_else() -> None:
    """The shares are in the entry that everybody gets, and no key but that of the deal unmasks them: neither another
    player's, nor those that the server keeps."""
    table = read_table()
    deal = playing(table.game)
    for seat in (ANN, BEN, CAT):
        for other in (ANN, BEN, CAT):
            key = table.party_of(other).keys[other]
            if other != seat:
                assert deal.wrongly_given(seat, deal.keys[seat] * key.secret)
    for key in (SERVER_KEY, reader_of(deal.number + 1)):
        assert deal.wrongly_given(ANN, deal.keys[ANN] * key.secret)
    assert not deal.wrongly_given(ANN, deal.keys[ANN] * reader_of(deal.number).secret)


def test_wrong_shares_are_proved_against_who_gave_them() -> None:
    table = BlindTable([0, 1, 255])
    table.settle()
    table.deal(OWNERS)
    view = table.views[0]
    (honest,) = table.due(0)
    body = bytearray(Entry.parse(honest).body)
    body[SHARE_BYTES + 3] ^= 1
    entry = view.transcript.entry(ANN, Kind.SHARES, 1, bytes(body))
    table.order(view.transcript.signed(entry, table.party_of(ANN).keys[ANN]))
    table.settle()
    assert table.reading.wrong == ANN
    table.order(wrong_shares_entry(table.game, SERVER_KEY, table.reading, ANN))
    assert table.game.playing is None
    assert table.game.blames == (Blame(deal=1, seat=ANN, kind=Kind.SHARES),)
    assert table.judged().game.blames == table.game.blames


@pytest.mark.parametrize("half", [0, POINT_BYTES], ids="ab")
def test_pack_with_what_is_no_point_is_the_shufflers_fault(half: int) -> None:
    """Also if every other player gives shares of it, and the server is the first to look."""
    table = BlindTable([0, 1, 2])
    while Entry.parse(entry := table.next() or b"").author != CAT or Entry.parse(entry).kind is not Kind.SHUFFLE:
        table.order(entry)
    told = Entry.parse(entry)
    body = bytearray(told.body)
    body[4 * PLACE_BYTES + half] = 9
    table.order(table.game.transcript.signed(replace(told, body=bytes(body)), table.party_of(CAT).keys[CAT]))
    table.deal(OWNERS)
    for seat in (ANN, BEN, CAT):
        shares = table.game.transcript.entry(seat, Kind.SHARES, 1, bytes(SHARE_BYTES * len(MINIATURE)))
        if half:  # all but that half can be opened
            key, deal = table.party_of(seat).keys[seat], playing(table.game)
            given = private_shares(key, deal.bases(range(len(MINIATURE))))
            shares = replace(shares, body=masked(given, deal.shared_secret(key), deal.context(seat)))
        table.order(table.game.transcript.signed(shares, table.party_of(seat).keys[seat]))
    wrong = table.reading.wrong
    assert wrong is not None
    table.order(wrong_shares_entry(table.game, SERVER_KEY, table.reading, wrong))
    assert table.game.blames == (Blame(deal=1, seat=CAT, kind=Kind.SHUFFLE),)


@pytest.mark.parametrize("key", [SERVER_KEY, reader_of(2)], ids=["server", "another deal"])
def test_shares_are_called_wrong_by_the_key_of_their_deal_alone(key: SecretKey) -> None:
    """Under another key nothing holds that was given, so any seat could be named."""
    table = read_table()
    entry = wrong_shares_entry(table.game, SERVER_KEY, replace(table.reading, key=key), BEN)
    head = table.game.transcript.next_head(entry)
    with pytest.raises(ServerFault, match="a proof does not hold"):
        table.views[0].told((entry, table.game.transcript.receipt(head, SERVER_KEY)))


def test_key_of_a_deal_is_a_point() -> None:
    """Behind all places, and behind no fewer; and no deal that is not read has one."""
    table = BlindTable([0, 1, 255])
    table.settle()
    right = reader_of(1).point.encoded
    for owners, reader in ((OWNERS, right[:-1]), (OWNERS, right * 2), (OWNERS, bytes(33)), ((ANN, BEN, CAT), right)):
        with pytest.raises(ProofError):
            table.order(deal_entry(table.game, SERVER_KEY, owners, reader))
    table.order(deal_entry(table.game, SERVER_KEY, OWNERS, right))


def test_server_that_calls_right_shares_wrong_is_convicted() -> None:
    """It has read the pack by then, and may not like it."""
    table = read_table()
    game = table.game
    entry = wrong_shares_entry(game, SERVER_KEY, table.reading, BEN)
    head = game.transcript.next_head(entry)
    told = entry, game.transcript.receipt(head, SERVER_KEY)
    with pytest.raises(ServerFault, match="shares hold"):
        table.views[0].told(told)


def test_stock_is_shuffled_by_those_who_are_left() -> None:
    """A new deal of the cards that came back, beside the first; its state goes into a span like any other."""
    table = read_table()
    table.settle()
    cards = tuple([card for card in MINIATURE if card in table.reading.read[2:]])
    assert len(cards) == 3
    table.order(renew_entry(table.game, SERVER_KEY, (BEN, CAT), cards))
    assert table.game.coming is not None
    with pytest.raises(ProofError):
        table.deal((BEN, READ, READ))
    table.settle()
    assert [one.seat for one in table.game.coming.shuffles] == [BEN, CAT]
    table.deal((BEN, READ, READ))
    table.settle()
    deal, reading = playing(table.game), table.reading
    assert (deal.is_stock, set(reading.read), len(table.game.beside)) == (True, set(cards), 1)
    assert playing(table.views[0]).opened_by(2, reading.opening(2)) == reading.read[2]
    again = BlindGame.resumed(table.game.span())
    for name in ("playing", "beside"):
        assert repr(getattr(again, name)) == repr(getattr(table.game, name))
    assert again.span() == table.game.span()
    (renewed,) = [entry for _, entry in table.game.kept if Entry.parse(entry).kind is Kind.RENEW]
    forged = renewed[:-1] + bytes([renewed[-1] ^ 1])
    with pytest.raises(ProofError, match="does not hold"):
        BlindGame.resumed(table.game.span().replace(renewed, forged))
    assert table.judged().fault is None
    table.play(OWNERS)
    assert (table.game.beside, playing(table.game).cards) == ((), MINIATURE)


def test_stock_that_nobody_shuffled_is_refused() -> None:
    """A pack that is read has to be whole, and a stock is of cards of the pack, after a deal that was read."""
    table = read_table()
    table.settle()
    for seats, cards in (((), MINIATURE), ((BEN, BEN), MINIATURE), ((BEN, Seat(7)), MINIATURE), ((BEN,), ())):
        with pytest.raises(ProofError):
            table.order(renew_entry(table.game, SERVER_KEY, seats, cards))
    reader = reader_of(2).point.encoded
    for owners, key in (((ANN, READ), reader), ((*OWNERS[:3], None, READ), reader), ((ANN, BEN) * 2, reader)):
        with pytest.raises(ProofError):
            table.order(deal_entry(table.game, SERVER_KEY, owners, key))
    plain = BlindTable([0, 1])
    plain.play([ANN, BEN])
    with pytest.raises(ProofError):
        plain.order(renew_entry(plain.game, SERVER_KEY, (ANN,), MINIATURE))
    assert structs.replace(table.game, beside=()) == table.game
