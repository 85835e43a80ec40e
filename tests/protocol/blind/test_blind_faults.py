"""Who is to blame: wrong, false and missing parts, entries that are refused, and a server that tells two stories."""

import struct
from collections.abc import Callable
from dataclasses import replace

import pytest
from msgspec import structs

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.deal import Blame
from put_protocol.blind.group import POINT_BYTES, base
from put_protocol.blind.keys import key_of_seed
from put_protocol.blind.party import Party, deal_entry, missing_entry, ruling_entry
from put_protocol.blind.shuffle import PLACE_BYTES
from put_protocol.blind.transcript import SERVER, Entry, Kind, ServerFault, Terms, join_pieces, split_pieces
from put_protocol.cards import FULL_PACK, Card
from put_protocol.errors import ProofError
from put_protocol.seats import Seat
from tests.protocol.blind.blind_table import MINIATURE, SERVER_KEY, BlindTable, careless, in_turn

ANN, BEN, CID = Seat(0), Seat(1), Seat(2)


def resigned(table: BlindTable, entry: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """An entry whose author changed its body and signed it again."""
    one = Entry.parse(entry)
    changed = replace(one, body=change(one.body), proof=b"")
    return table.game.transcript.signed(changed, table.party_of(one.author).keys[one.author])


def swapped(body: bytes) -> bytes:
    """Two places of the pack swapped."""
    return body[PLACE_BYTES : 2 * PLACE_BYTES] + body[:PLACE_BYTES] + body[2 * PLACE_BYTES :]


def doubled(body: bytes) -> bytes:
    """One place of the pack copied over another."""
    return body[:PLACE_BYTES] * 2 + body[2 * PLACE_BYTES :]


def off_the_curve(body: bytes) -> bytes:
    return b"\x02" + (5).to_bytes(32, "big") + body[POINT_BYTES:]


def altered_response(body: bytes) -> bytes:
    return body[:-1] + bytes([body[-1] ^ 1])


WRONG_SHUFFLES = (swapped, doubled, off_the_curve, altered_response)


def until_shuffle(table: BlindTable, seat: Seat) -> bytes:
    """The entry with a seat's shuffle, when it is due."""
    while True:
        entry = table.next()
        assert entry is not None
        one = Entry.parse(entry)
        if one.kind is Kind.SHUFFLE and one.author == seat:
            return entry
        table.order(entry)


@pytest.mark.parametrize("change", WRONG_SHUFFLES)
@pytest.mark.parametrize("cheat", [ANN, CID])
def test_a_wrong_shuffle_is_accused_and_its_seat_blamed(change: Callable[[bytes], bytes], cheat: Seat) -> None:
    """The server that checked nothing finds out by the accusation; the next deal goes on; the record proves it all."""
    table = BlindTable((1, 2, 3))
    table.order(resigned(table, until_shuffle(table, cheat), change))
    assert table.game.coming is not None
    assert table.game.coming.wrong is None, "the server has not looked"
    honest = [holder for seat, holder in enumerate((1, 2, 3)) if seat != cheat]
    for holder in honest:
        (entry,) = table.due(holder)
        assert Entry.parse(entry).kind is Kind.ACCUSE
    table.order(table.due(honest[0])[0])
    blame = Blame(deal=1, seat=cheat, kind=Kind.SHUFFLE)
    for view in (table.game, *table.views.values(), table.judged().game):
        assert view.blames == (blame,)
        assert view.coming is not None
        assert (view.coming.number, view.coming.shuffles) == (2, ())
    table.play(in_turn(3, 5))
    assert {card for seat in (ANN, BEN, CID) for card in table.hand(seat).values()} == set(MINIATURE)


def test_a_wrong_shuffle_gets_no_shares() -> None:
    """A server that deals a wrong pack all the same gets accusations, and not a share."""
    table = BlindTable((1, 2))
    table.order(resigned(table, until_shuffle(table, BEN), doubled))
    table.deal(in_turn(2, 4))
    (entry,) = table.due(1)
    assert Entry.parse(entry).kind is Kind.ACCUSE
    table.order(entry)
    assert table.game.playing is None
    several = BlindTable((1, 2, 1))
    several.order(resigned(several, until_shuffle(several, BEN), doubled))
    several.deal(in_turn(3, 3))
    assert [Entry.parse(one).kind for one in several.due(1)] == [Kind.ACCUSE], "not by its other seat either"
    assert [(blame.seat, blame.deal) for blame in table.game.blames] == [(BEN, 1)]


def test_what_is_no_pack_is_accused_and_not_shuffled() -> None:
    """A party whose shuffle is due looks first at what it is to shuffle."""
    table = BlindTable((1, 2))
    table.order(resigned(table, until_shuffle(table, ANN), off_the_curve))
    assert table.parties[2].due(table.game) == []
    (accusation,) = table.due(2)
    assert Entry.parse(accusation).kind is Kind.ACCUSE


def test_a_false_accusation_is_blamed_on_its_author() -> None:
    """An accuser of shuffles that all hold is to blame, and can accuse a deal once only."""
    table = BlindTable((1, 2))
    table.settle()
    entry = table.game.transcript.entry(ANN, Kind.ACCUSE, 1, b"")
    table.order(table.game.transcript.signed(entry, table.party_of(ANN).keys[ANN]))
    assert table.game.blames == (Blame(deal=1, seat=ANN, kind=Kind.ACCUSE),)
    assert table.views[2].blames == table.game.blames == table.judged().game.blames


def test_a_seat_that_gave_its_shares_can_accuse_no_more() -> None:
    """To give shares is to say that the shuffles hold; and afterwards no accusation can stop a hand."""
    table = BlindTable((1, 2))
    table.play(in_turn(2, 4))
    refuse(table, table.game.transcript.entry(ANN, Kind.ACCUSE, 1, b""))


def test_a_pack_that_nobody_checked_is_found_out_when_it_opens() -> None:
    """If every client is careless, the server lets nobody show what is no card. In the record of a server that did, it
    shows that a shuffle is wrong, and whose."""
    table = BlindTable((1, 2))
    table.views.clear()

    def foreign(body: bytes) -> bytes:
        points = [base(1000 + number).encoded for number in range(2 * len(MINIATURE))]
        return b"".join(points) + body[PLACE_BYTES * len(MINIATURE) :]

    while table.game.awaits():
        seat, _, _ = table.game.awaits()[0]
        entry = table.party_of(seat).due(careless(table.game))[0]
        table.order(resigned(table, entry, foreign) if entry[:2] == bytes([BEN, Kind.SHUFFLE]) else entry)
    table.deal(in_turn(2, 4))
    for seat in (ANN, BEN):
        table.order(table.party_of(seat).due(careless(table.game))[0])
    assert table.party_of(ANN).hand(table.game, ANN) == {0: None, 2: None}
    shown = table.party_of(ANN).show(table.game, ANN, 0)
    with pytest.raises(ProofError, match="no card of the pack"):
        table.game.taken(shown, SERVER_KEY)
    transcript = table.game.transcript
    table.told.append((shown, transcript.receipt(transcript.next_head(shown), SERVER_KEY)))
    assert table.judged().game.blames == (Blame(deal=1, seat=BEN, kind=Kind.SHUFFLE),)
    assert table.judged().fault is None


def test_a_missing_part_is_the_servers_word() -> None:
    """Who gave no key, shuffle or shares is blamed by a ruling that says that it is one; the next deal begins."""
    table = BlindTable((1, 2))
    table.missing(BEN, 0)
    assert table.game.blames[-1] == Blame(deal=0, seat=BEN, kind=Kind.KEY, is_ruling=True)
    table = BlindTable((1, 2))
    until_shuffle(table, BEN)
    table.missing(BEN, 1)
    assert table.game.blames[-1] == Blame(deal=1, seat=BEN, kind=Kind.SHUFFLE, is_ruling=True)
    table.settle()
    table.deal(in_turn(2, 4))
    table.missing(ANN, 2)
    assert table.game.blames[-1] == Blame(deal=2, seat=ANN, kind=Kind.SHARES, is_ruling=True)
    table.play(in_turn(2, 4))
    assert table.game.playing is not None
    assert table.game.playing.number == 3
    assert table.judged().game.blames == table.game.blames


def test_who_keeps_back_shares_of_a_wrong_pack_is_not_blamed() -> None:
    """A server that suppresses an accusation, and rules that the accuser's part is missing, blames the cheat."""
    for is_dealt in (False, True):
        table = BlindTable((1, 2, 3))
        table.order(resigned(table, until_shuffle(table, ANN), doubled))
        if is_dealt:
            for holder in (2, 3):
                table.order(table.parties[holder].due(careless(table.game))[0])
            table.deal(in_turn(3, 3))
        table.missing(BEN, 1)
        blame = Blame(deal=1, seat=ANN, kind=Kind.SHUFFLE)
        assert {table.game.blames, *[view.blames for view in table.views.values()]} == {(blame,)}
        assert table.judged().game.blames == (blame,)


@pytest.mark.parametrize(("seat", "deal"), [(BEN, 0), (ANN, 1), (BEN, 2), (Seat(7), 1)])
def test_nothing_is_missing_that_was_not_due(seat: Seat, deal: int) -> None:
    """The server cannot rule that a seat missed what nobody waited for."""
    table = BlindTable((1, 2))
    until_shuffle(table, BEN)
    with pytest.raises(ProofError):
        table.missing(seat, deal)


def receipt_of(table: BlindTable, entry: bytes) -> bytes:
    """The server's receipt for any entry."""
    return table.game.transcript.receipt(table.game.transcript.next_head(entry), table.server)


def refuse(table: BlindTable, entry: Entry | bytes, *, signed_by: Seat | None = None) -> None:
    """The server refuses this; and if it does not, its clients convict it."""
    if isinstance(entry, Entry):
        author = entry.author if signed_by is None else signed_by
        key = SERVER_KEY if author == SERVER else table.party_of(author).keys[author]
        entry = table.game.transcript.signed(entry, key)
    with pytest.raises(ProofError):
        table.game.taken(entry, table.server)
    receipt = receipt_of(table, entry)
    for view in table.views.values():
        with pytest.raises((ServerFault, ProofError)) as caught:
            view.told((entry, receipt))
        if isinstance(caught.value, ServerFault):
            assert table.judged((entry, receipt)).fault == caught.value.reason


def playing() -> BlindTable:
    """Two players in the middle of a hand, of which Ann has shown a card."""
    table = BlindTable((1, 2))
    table.play(in_turn(2, 4))
    table.show(ANN, 0)
    return table


def of(table: BlindTable, author: Seat, kind: Kind, deal: int, body: bytes = b"") -> Entry:
    return table.game.transcript.entry(author, kind, deal, body)


NOT_DUE: dict[str, Callable[[BlindTable], Entry]] = {
    "a second key": lambda table: of(table, ANN, Kind.KEY, 0, base(5).encoded),
    "a shuffle of a deal that is played": lambda table: of(table, ANN, Kind.SHUFFLE, 1, bytes(5 * 66 + 5 * 130 + 160)),
    "a shuffle that is too short": lambda table: of(table, ANN, Kind.SHUFFLE, 2, bytes(5 * 66 + 5 * 130 + 159)),
    "shares before the deal": lambda table: of(table, ANN, Kind.SHARES, 2, bytes(66)),
    "an act of no deal": lambda table: of(table, ANN, Kind.ACT, 7, b"put"),
    "an act of the next deal": lambda table: of(table, ANN, Kind.ACT, 2, b"put"),
    "a long act": lambda table: of(table, ANN, Kind.ACT, 1, bytes(513)),
    "a deal by a player": lambda table: of(table, ANN, Kind.DEAL, 2, bytes([0, 1])),
    "a ruling by a player": lambda table: of(table, ANN, Kind.MISSING, 2, bytes([1])),
    "a deal that is played dealt again": lambda table: of(table, SERVER, Kind.DEAL, 1, bytes([0, 1])),
    "a deal of no places": lambda table: of(table, SERVER, Kind.DEAL, 2),
    "a deal of six places of five": lambda table: of(table, SERVER, Kind.DEAL, 2, bytes([0, 1, 0, 1, 0, 1])),
    "a deal to a seat that is not there": lambda table: of(table, SERVER, Kind.DEAL, 2, bytes([0, 2])),
    "a key of the server": lambda table: of(table, SERVER, Kind.KEY, 0, base(5).encoded),
    "an accusation by the server": lambda table: of(table, SERVER, Kind.ACCUSE, 2),
    "an accusation of nothing": lambda table: of(table, ANN, Kind.ACCUSE, 7),
    "an accusation with a body": lambda table: of(table, ANN, Kind.ACCUSE, 2, b"\x00"),
}


@pytest.mark.parametrize("name", NOT_DUE)
def test_an_entry_that_is_not_due_is_refused(name: str) -> None:
    """It changes nothing; and a server that lets it through is convicted by its receipt."""
    table = playing()
    table.settle()
    refuse(table, NOT_DUE[name](table))
    assert table.next() is None


def test_a_part_is_given_once() -> None:
    """A second key, signed by itself, and shares that hold but were given already are refused."""
    table = playing()
    other = key_of_seed(bytes(32))
    entry = of(table, ANN, Kind.KEY, 0, other.point.encoded)
    refuse(table, table.game.transcript.signed(entry, other))
    early = BlindTable((1, 2))
    early.order(early.due(1)[0])
    again = of(early, ANN, Kind.KEY, 0, other.point.encoded)
    refuse(early, early.game.transcript.signed(again, other))
    assert table.game.playing is not None
    before = structs.replace(table.game, playing=structs.replace(table.game.playing, shares={}))
    refuse(table, table.party_of(ANN).due(careless(before))[0])


def test_nothing_is_dealt_before_it_is_shuffled_by_all() -> None:
    """A server cannot deal a pack that a seat has not shuffled."""
    table = BlindTable((1, 2))
    for seat in (ANN, BEN):
        until_shuffle(table, seat)
        refuse(table, of(table, SERVER, Kind.DEAL, 1, bytes([0, 1, 0, 1])))
    refuse(table, of(table, ANN, Kind.MISSING, 1, bytes([BEN])))
    refuse(table, of(table, SERVER, Kind.MISSING, 1, bytes([BEN, BEN])))


def test_a_card_is_shown_once_by_its_owner_alone() -> None:
    """Nobody shows a card that was not dealt to them, twice, before its time, or another than lies there."""
    table = playing()
    ann, ben = table.party_of(ANN), table.party_of(BEN)
    refuse(table, ann.show(table.game, ANN, 0))
    refuse(table, ann.show(table.game, ANN, 1))
    refuse(table, ann.show(table.game, ANN, 4))
    impostor = Party({ANN: ben.keys[BEN]})
    refuse(table, impostor.show(table.game, ANN, 2))
    entry = ann.show(table.game, ANN, 2)
    other = Entry.parse(ben.show(table.game, BEN, 1)).body
    refuse(table, replace(Entry.parse(entry), body=bytes([2]) + other[1:]))
    early = BlindTable((1, 2))
    early.settle()
    early.deal(in_turn(2, 4))
    refuse(early, early.party_of(ANN).show(early.game, ANN, 0))


def test_any_byte_altered_of_any_entry_is_refused() -> None:
    """The proof of an entry signs every byte of it."""
    table = BlindTable((1, 2))
    table.play(in_turn(2, 4))
    table.show(ANN, 0)
    game = BlindGame.begun(table.terms)
    for number, told in enumerate(table.told):
        entry, _ = told
        for at in {*range(0, len(entry), 61), *range(43), len(entry) - 1, len(entry) - 40}:
            altered = entry[:at] + bytes([entry[at] ^ 1 << number % 8]) + entry[at + 1 :]
            with pytest.raises(ProofError):
                game.taken(altered, table.server)
        for length in (0, 1, 105, 169, len(entry) - 1):
            with pytest.raises(ProofError):
                game.taken(entry[:length], table.server)
        with pytest.raises(ProofError):
            game.taken(entry + b"\x00", table.server)
        game = game.told(told)


@pytest.mark.parametrize("other", [{"table": 2}, {"game": 2}, {"cards": MINIATURE[::-1]}])
def test_nothing_holds_in_another_game(other: dict[str, int]) -> None:
    """Keys and entries of one game are refused in every other, at another table or under other terms."""
    table = BlindTable((1, 2))
    table.play(in_turn(2, 4))
    game = BlindGame.begun(replace(table.terms, **other))  # type: ignore[arg-type] # a field by its name
    for entry, receipt in table.told:
        with pytest.raises(ProofError):
            game.taken(entry, table.server)
        with pytest.raises(ProofError):
            game.told((entry, receipt))


def test_an_old_entry_comes_never_again() -> None:
    """An entry that was ordered once, or that was signed before its author's last one, is refused."""
    table = playing()
    early = table.party_of(ANN).act(table.game, ANN, 1, b"put")
    table.order(table.party_of(ANN).act(table.game, ANN, 1, b"see"))
    refuse(table, early)
    for entry, _ in list(table.told):
        refuse(table, entry)


def test_a_rogue_key_is_refused() -> None:
    """The last seat cannot tell the key that would leave it alone with the joint secret."""
    table = BlindTable((1, 2))
    table.order(table.due(1)[0])
    ann = table.game.keys[0]
    assert ann is not None
    rogue = of(table, BEN, Kind.KEY, 0, (base(77) - ann).encoded)
    refuse(table, rogue)
    copied = replace(Entry.parse(table.told[0][0]), author=BEN)
    refuse(table, copied.encoded)


@pytest.mark.parametrize(
    ("holders", "seats"), [((1, 1), [ANN]), ((1, 2, 1), [ANN]), ((1, 2), [ANN, CID]), ((1,), [BEN])]
)
def test_terms_that_would_spare_a_shuffle_are_refused(holders: tuple[int, ...], seats: list[Seat]) -> None:
    """A server that calls two players one party, so that only one of them shuffles, gets no key."""
    terms = Terms(table=1, game=1, holders=holders, cards=MINIATURE, server=SERVER_KEY.point)
    with pytest.raises(ProofError):
        Party.holding(bytes(32), terms, seats)


def test_the_joint_key_of_opposite_keys_is_refused() -> None:
    """Keys that sum to nothing encrypt nothing. Who tells the second of them is refused."""
    table = BlindTable((1, 2))
    table.order(table.due(1)[0])
    key = table.party_of(ANN).keys[ANN]
    opposite = replace(key, secret=-key.secret % (2**256), point=-key.point)
    entry = of(table, BEN, Kind.KEY, 0, opposite.point.encoded)
    with pytest.raises(ProofError):
        table.game.taken(table.game.transcript.signed(entry, opposite), table.server)


def two_stories() -> tuple[BlindTable, bytes, bytes]:
    """A server tells Ben of a put, and Ann of none. Ann's next entry, and its receipt for Ben."""
    table = playing()
    anns = table.views[1]
    ruling, other = (ruling_entry(table.game, table.server, 1, said) for said in (b"Ann ran out of time", b"Ben did"))
    forked = BlindGame.begun(table.terms)
    for told in table.told:
        forked = forked.told(told)
    forked, receipt = forked.taken(other, table.server)
    anns = anns.told((other, receipt))
    del table.views[1]
    table.order(ruling)
    entry = table.party_of(ANN).act(anns, ANN, 1, b"put")
    return table, entry, receipt_of(table, entry)


def test_two_stories_come_out_at_the_next_message() -> None:
    """Ben finds a head in Ann's entry that is not the one told to Ben; with the server's receipt it convicts the
    server."""
    table, entry, receipt = two_stories()
    with pytest.raises(ServerFault):
        table.views[2].told((entry, receipt))
    assert table.judged((entry, receipt)).fault is not None
    with pytest.raises(ProofError):
        table.game.taken(entry, table.server)


def test_an_entry_moved_before_what_its_author_saw_convicts_the_server() -> None:
    """Ann answered Ben's act. Told to Ben as if before it, her entry shows that the server had signed it already."""
    table = playing()
    before = table.views[2]
    table.order(ruling_entry(table.game, table.server, 1, b"told to Ann alone"))
    entry = table.party_of(ANN).act(table.views[1], ANN, 1, b"put")
    receipt = before.transcript.receipt(before.transcript.next_head(entry), table.server)
    with pytest.raises(ServerFault):
        before.told((entry, receipt))


def test_a_player_who_makes_up_a_history_is_refused() -> None:
    """A head without the server's receipt is the player's own invention."""
    table = playing()
    honest = of(table, ANN, Kind.ACT, 1, b"put")
    for invented in (
        replace(honest, head=bytes(32)),
        replace(honest, seen=honest.seen + 1),
        replace(honest, receipt=table.game.transcript.receipts[-2]),
    ):
        refuse(table, invented)


def test_a_receipt_by_another_key_is_refused() -> None:
    """A client takes nothing that its server did not sign, and convicts nobody for it."""
    table = playing()
    entry = table.party_of(BEN).act(table.game, BEN, 1, b"see")
    other = table.party_of(BEN).keys[BEN]
    with pytest.raises(ProofError):
        table.views[1].told((entry, table.game.transcript.receipt(table.game.transcript.next_head(entry), other)))


def test_the_server_cannot_deal_in_a_players_name() -> None:
    """Entries in a seat's name need the seat's key, whoever the server is."""
    table = playing()
    refuse(table, of(table, ANN, Kind.ACT, 1, b"throw in"), signed_by=SERVER)
    refuse(table, of(table, SERVER, Kind.DEAL, 2, bytes([0, 1])), signed_by=ANN)
    refuse(table, of(table, Seat(9), Kind.ACT, 1, b"put"), signed_by=ANN)


def test_a_hand_thrown_in_is_never_opened() -> None:
    """No byte of the record holds the share that Ann kept, and no later deal needs it."""
    table = playing()
    deal = table.game.playing
    assert deal is not None
    kept = (deal.pack.a(2) * table.party_of(ANN).keys[ANN].secret).encoded
    table.order(table.party_of(ANN).act(table.game, ANN, 1, b"throw in"))
    table.play(in_turn(2, 4))
    table.settle()
    assert kept not in table.record()
    assert kept[1:] not in table.record()
    assert table.game.playing is not None
    assert table.game.playing.number == 2


def test_a_refused_entry_changes_nothing() -> None:
    """The game after a refusal is the game before it."""
    table = playing()
    before = table.game
    with pytest.raises(ProofError):
        table.game.taken(missing_entry(table.game, table.server, ANN, 1), table.server)
    with pytest.raises(ProofError):
        table.game.taken(deal_entry(table.game, table.server, in_turn(2, 9)), table.server)
    assert table.game == before


@pytest.mark.parametrize(("piece", "rows"), [(1, struct.pack(">I", 9) * 300), (3, bytes(7) * 30_000)])
def test_state_with_more_than_a_game_has_is_refused(piece: int, rows: bytes) -> None:
    """Before it is read: with megabytes of deals, or of blames, a server could keep a client busy for minutes."""
    table = BlindTable((0, 1))
    table.settle()
    pieces = [*split_pieces(table.game.span())]
    pieces[piece] += rows
    with pytest.raises(ProofError, match="a span is malformed"):
        BlindGame.resumed(join_pieces(pieces))


def test_terms_are_read_as_they_were_written() -> None:
    """Malformed ones are refused."""
    table = playing()
    assert Terms.parse(table.terms.encoded) == table.terms
    assert table.judged().fault is None
    assert table.judged().game.transcript == table.game.transcript
    encoded = table.terms.encoded
    for wrong in (b"", encoded[:20], encoded + b" As", encoded[:-1], encoded.replace(b"2s", b"3s")):
        with pytest.raises(ProofError):
            Terms.parse(wrong)
    long = replace(table.terms, cards=(*FULL_PACK, Card("0t")))
    assert Terms.parse(long.encoded) == long
