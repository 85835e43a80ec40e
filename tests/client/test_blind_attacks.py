"""What a client says to a server that lies about a blind deal, and what it never gives it."""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from put_client.sdk.blind_table import BlindTable, NoKey, Unsound
from put_client.sdk.deal_checks import Unproved
from put_client.sdk.session_store import TABLES, KeyMemory
from put_protocol.blind.deal import READ
from put_protocol.blind.party import Party, deal_entry, missing_entry, ruling_entry
from put_protocol.blind.transcript import SERVER, Entry, Kind, Terms
from put_protocol.blind_acts import Ruling, RulingKind, act_body
from put_protocol.blind_events import BlindBegun, BlindEntry, PartMissed
from put_protocol.cards import FULL_PACK, Card, place_card
from put_protocol.games.put import Accident, Dealt, Drawn, FreshDeal, Play, Played, Put
from put_protocol.games.unions import Choice, Event
from put_protocol.games.unknown import UnknownAction
from put_protocol.messages import Act, Decision, Events, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, TimedOut
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from tests.client.known_keys import KnownKeys
from tests.protocol.blind import blind_table
from tests.protocol.blind.blind_table import MINIATURE, SERVER_KEY, in_turn, reader_of, secret_of

ANN, BEN = Seat(0), Seat(1)
INFO = TableInfo(
    1,
    "put-1674",
    {"dealing": "blind"},
    (SeatInfo("Ann", holds_key=True), SeatInfo("Ben", holds_key=True)),
    ClockInfo(),
    TableState.PLAYING,
)
OTHER_STORY = "Ben was told another story than this, or a signed step was dropped."


class Told:
    """A server, Ben, and what Ann's client makes of what it is told."""

    def __init__(
        self, holders: tuple[int, ...] = (0, 1), info: TableInfo = INFO, cards: tuple[Card, ...] = FULL_PACK
    ) -> None:
        self.server = blind_table.BlindTable(holders, cards)
        self.ann = BlindTable(TableSnapshot(1, ANN, 0, info), KnownKeys(secret_of(0)))
        self.number = 0

    def tell(self, *events: Event) -> tuple[Event, ...]:
        self.number += len(events)
        read: Events = self.ann.read(Events(1, self.number, events))
        return read.events

    def begin(self) -> None:
        self.tell(BlindBegun(self.server.terms.encoded))

    def order(self, entry: bytes) -> None:
        self.server.order(entry)
        self.tell(BlindEntry(*self.server.told[-1]))

    def force(self, entry: bytes) -> None:
        """The server tells Ann an entry with its receipt, whatever is wrong with it."""
        assert self.ann.game is not None
        transcript = self.ann.game.transcript
        self.tell(BlindEntry(entry, transcript.receipt(transcript.next_head(entry), SERVER_KEY)))

    def settle(self) -> None:
        while (entry := self.server.next()) is not None:
            self.order(entry)

    def deal(self) -> None:
        """Three cards each, up to the first act."""
        self.settle()
        self.order(deal_entry(self.server.game, SERVER_KEY, in_turn(2, 6)))
        self.settle()

    def fork(self) -> blind_table.BlindTable:
        """The server's other story: what comes in it is not told to Ann."""
        other = copy(self.server)
        other.views, other.told = dict(other.views), list(other.told)
        return other

    def signed(self, entry: Entry) -> bytes:
        return self.server.game.transcript.signed(entry, self.server.parties[1].keys[BEN])


def dealt(*places: int, counts: tuple[int, ...] = (3, 3)) -> Dealt:
    return Dealt(1, BEN, ANN, counts, tuple(map(place_card, places)))


def at_hand() -> Told:
    told = Told()
    told.begin()
    told.deal()
    (hand,) = told.tell(dealt(0, 2, 4))
    assert isinstance(hand, Dealt)
    assert hand.cards == tuple(told.server.hand(ANN).values())
    return told


def bens_card(told: Told) -> Card:
    card = told.server.hand(BEN)[1]
    assert card is not None
    return card


def not_dealt_to_ben(told: Told) -> None:
    told.order(told.server.parties[1].show(told.server.game, BEN, 1))
    told.tell(Played(BEN, next(card for card in FULL_PACK if card not in told.server.hand(BEN).values()), leads=True))


def shown_without_a_share(told: Told) -> None:
    told.tell(Played(BEN, bens_card(told), leads=True))


def shown_for_another(told: Told) -> None:
    told.order(told.server.parties[1].show(told.server.game, BEN, 1))
    told.tell(Played(ANN, bens_card(told), leads=True))


def two_stories(told: Told) -> None:
    other = told.fork()
    other.order(ruling_entry(other.game, SERVER_KEY, 1, act_body(Ruling(RulingKind.TIMED_OUT, ANN))))
    told.force(other.parties[1].show(other.game, BEN, 1))


def a_dropped_act(told: Told) -> None:
    other = told.fork()
    other.order(other.parties[1].act(other.game, BEN, 1, act_body(Put())))
    told.force(other.parties[1].show(other.game, BEN, 1))


def shares_given_to_one_only(told: Told) -> None:
    """The server shares the next deal with Ben alone, who then goes on with the hand."""
    told.settle()
    told.order(deal_entry(told.server.game, SERVER_KEY, in_turn(2, 6)))
    other = told.fork()
    other.settle()
    told.force(other.parties[1].act(other.game, BEN, 2, act_body(Put())))


def dealt_again_unused(told: Told) -> None:
    """The server does not like the cards that it can read, and deals again before anybody is told of them."""
    told.deal()
    told.deal()


def dealt_again_before_all_shares(told: Told) -> None:
    """The server holds a seat, whose cards it reads before it gives that seat's shares."""
    told.settle()
    told.order(deal_entry(told.server.game, SERVER_KEY, in_turn(2, 6)))
    for _ in ("shares", "shuffle"):
        told.order(told.server.due(0)[0])
    told.order(told.server.parties[1]._step(told.server.views[1], BEN, Kind.SHUFFLE, 3))
    told.order(deal_entry(told.server.game, SERVER_KEY, in_turn(2, 6)))


def keys_again_unused(told: Told) -> None:
    """Nor may it begin with other keys."""
    told.deal()
    told.server = blind_table.BlindTable((0, 255), FULL_PACK, game=2)
    told.begin()


def acts_in_another_order(told: Told) -> None:
    first = told.server.parties[1].act(told.server.game, BEN, 1, act_body(Put()))
    second = told.server.parties[1].act(told.server.game, BEN, 1, act_body(Play(bens_card(told))))
    told.order(second)
    told.force(first)


def an_old_deal(told: Told) -> None:
    told.force(next(entry for entry, _ in told.server.told if Entry.parse(entry).kind is Kind.DEAL))


def the_next_deal_shared_at_once(told: Told) -> None:
    told.force(deal_entry(told.server.game, SERVER_KEY, in_turn(2, 6)))
    told.force(told.signed(told.server.game.transcript.entry(BEN, Kind.SHARES, 2, bytes(33 * 3))))


def an_act_of_nobody(told: Told) -> None:
    entry = told.server.game.transcript.entry(BEN, Kind.ACT, 1, act_body(Put()))
    told.force(told.server.game.transcript.signed(entry, SERVER_KEY))


def a_card_shown_twice(told: Told) -> None:
    told.order(told.server.parties[1].show(told.server.game, BEN, 1))
    told.force(told.server.parties[1].show(told.server.game, BEN, 1))


def a_share_for_another_place(told: Told) -> None:
    entry = Entry.parse(told.server.parties[1].show(told.server.game, BEN, 1))
    told.force(told.signed(replace(entry, body=bytes([3]) + entry.body[1:], proof=b"")))


def an_entry_of_another_table(told: Told) -> None:
    other = blind_table.BlindTable((0, 1), FULL_PACK, table=7)
    entry = other.next()
    assert entry is not None
    other.order(entry)
    told.tell(BlindEntry(*other.told[0]))


def no_receipt(told: Told) -> None:
    told.tell(BlindEntry(told.server.parties[1].show(told.server.game, BEN, 1), bytes(64)))


def anothers_hand(told: Told) -> None:
    told.tell(dealt(1, 3, 5))


def another_number_of_cards(told: Told) -> None:
    told.tell(dealt(0, 2, counts=(2, 3)))


def cards_that_the_server_chose(told: Told) -> None:
    told.tell(Dealt(1, BEN, ANN, (3, 3), FULL_PACK[:3]))


def a_draw_of_other_cards(told: Told) -> None:
    told.tell(Drawn((ANN, BEN), FULL_PACK[:2]))


def a_second_beginning(told: Told) -> None:
    told.begin()


def a_game_begun_for_nothing(told: Told) -> None:
    """So that its client forgets the deals that it shared: it remembers so many games."""
    told.tell(BlindBegun(replace(told.server.terms, game=2).encoded))


def another_pack(told: Told) -> None:
    told.tell(BlindBegun(replace(told.server.terms, game=2, cards=MINIATURE).encoded))


def another_table(told: Told) -> None:
    told.tell(BlindBegun(replace(told.server.terms, game=2, table=7).encoded))


def our_key_taken(told: Told) -> None:
    told.tell(BlindBegun(replace(told.server.terms, game=2, holders=(SERVER, 1)).encoded))


def our_key_called_the_servers(told: Told) -> None:
    seats = (msgspec.structs.replace(INFO.seats[ANN], holds_key=False), *INFO.seats[1:])
    told.ann.read(Events(1, told.number + 1, (), info=msgspec.structs.replace(INFO, seats=seats)))


def our_key_taken_after_a_time_out(told: Told) -> None:
    """In a later game than that in which it might have been."""
    told.tell(TimedOut(ANN), GameStarted(1, ("Ann", "Ben")))
    our_key_taken(told)


def bens_key_taken(told: Told) -> None:
    told.tell(GameStarted(1, ("Ann", "Ben")))
    told.tell(BlindBegun(replace(told.server.terms, game=2, holders=(0, SERVER)).encoded))


def a_pack_read_without_need(told: Told) -> None:
    """The server says that the rules of its table need it."""
    told.ann.read(Events(1, told.number + 1, (), info=msgspec.structs.replace(INFO, is_read=True)))
    told.settle()
    told.order(deal_entry(told.server.game, SERVER_KEY, [READ] * 52, reader_of(2).point.encoded))


def a_pack_read_without_need_after_a_drop(told: Told) -> None:
    """As its state the server gives the next deal, to be read, of which it has no shares yet."""
    told.settle()
    server = told.fork()
    server.deal([READ] * 52)
    told.ann.resume(server.game.span())


def more_places_than_cards(told: Told) -> None:
    """With all places but three for itself, the server knows which cards Ann holds, when she has given her shares."""
    told.settle()
    told.order(deal_entry(told.server.game, SERVER_KEY, (*in_turn(2, 6), *[BEN] * 46)))


def all_other_places_opened(told: Told) -> None:
    told.settle()
    told.order(deal_entry(told.server.game, SERVER_KEY, (*in_turn(2, 6), *[None] * 46)))


def more_places_than_cards_after_a_drop(told: Told) -> None:
    told.settle()
    server = told.fork()
    server.deal((*in_turn(2, 6), *[BEN] * 46))
    told.ann.resume(server.game.span())


def our_key_taken_while_away(told: Told) -> None:
    """In a later game than that in which it might have been."""
    told.tell(TimedOut(ANN))
    other = blind_table.BlindTable((SERVER, 1), FULL_PACK, game=2)
    told.ann.resume(other.game.span())
    told.ann.read(TableSnapshot(1, ANN, 60, msgspec.structs.replace(INFO, games=1)))


def our_key_shared(told: Told) -> None:
    told.tell(BlindBegun(replace(told.server.terms, game=2, holders=(0, 0)).encoded))


def another_state(told: Told) -> None:
    """After a drop: the same game, and another story."""
    before = told.fork()
    told.order(told.server.parties[0].show(told.server.game, ANN, 0))
    told.ann.resume(before.game.span())


def a_card_taken_back(told: Told) -> None:
    """After a drop: Ben plays another card, in a state that names no head as old as what Ann knows."""
    other = told.fork()
    told.order(told.server.parties[1].show(told.server.game, BEN, 1))
    other.order(other.parties[1].show(other.game, BEN, 3))
    other.order(ruling_entry(other.game, SERVER_KEY, 1, act_body(Ruling(RulingKind.TIMED_OUT, ANN))))
    last = dict.fromkeys((ANN, BEN), other.game.transcript.seen - 1)
    transcript = msgspec.structs.replace(other.game.transcript, last=last)
    told.ann.resume(msgspec.structs.replace(other.game, transcript=transcript).span())


def a_game_that_is_plain_after_all(told: Told) -> None:
    """After a drop: the game that was dealt blind."""
    told.ann.read(TableSnapshot(1, ANN, told.number, msgspec.structs.replace(INFO, plain="there is no room")))


def a_hand_lost_for_nothing(told: Told) -> None:
    told.order(ruling_entry(told.server.game, SERVER_KEY, 1, act_body(Ruling(RulingKind.MISSED, ANN))))


def a_miss_of_nobody(told: Told) -> None:
    told.tell(PartMissed(BEN, 1))


def spoilt_by_ben(told: Told, *missed: PartMissed) -> None:
    told.settle()
    told.order(deal_entry(told.server.game, SERVER_KEY, in_turn(2, 6)))
    told.order(missing_entry(told.server.game, SERVER_KEY, BEN, 2))
    told.tell(*missed)


def a_miss_counted_for_two(told: Told) -> None:
    spoilt_by_ben(told, PartMissed(BEN, 2))


def a_miss_counted_twice(told: Told) -> None:
    spoilt_by_ben(told, PartMissed(BEN, 1), PartMissed(BEN, 1))


def a_seat_lost_for_one_miss(told: Told) -> None:
    spoilt_by_ben(told, PartMissed(BEN, 1, is_dismissed=True))


def a_missed_part_that_costs_nothing(told: Told) -> None:
    spoilt_by_ben(told, PartMissed(BEN, 1))
    told.deal()
    told.tell(dealt(0, 2, 4))
    told.order(told.server.parties[1].show(told.server.game, BEN, 1))


def an_altered_state(told: Told) -> None:
    span = told.server.game.span()
    told.ann.resume(span[:-1] + bytes([span[-1] ^ 1]))


SENTENCES: dict[Callable[[Told], None], str] = {
    not_dealt_to_ben: "was shown, and was not dealt to Ben.",
    shown_without_a_share: "was shown, and was not dealt to Ben.",
    shown_for_another: "was shown, and was not dealt to you.",
    two_stories: OTHER_STORY,
    a_dropped_act: OTHER_STORY,
    shares_given_to_one_only: OTHER_STORY,
    dealt_again_unused: "Deal 2 was not played, and the server deals again.",
    dealt_again_before_all_shares: "Deal 2 was not played, and the server deals again.",
    keys_again_unused: "Deal 2 was not played, and the server deals again.",
    acts_in_another_order: "A step by Ben was let through that does not hold: "
    "an entry was signed before its author saw their last one.",
    an_old_deal: "A step by the server was let through that does not hold: "
    "an entry was signed before its author saw their last one.",
    the_next_deal_shared_at_once: "A step by Ben was let through that does not hold:",
    an_act_of_nobody: "A step by Ben was let through that does not hold:",
    a_card_shown_twice: "A step by Ben was let through that does not hold: "
    "a place is not this seat's to show, or not now.",
    a_share_for_another_place: "A step by Ben was let through that does not hold: a proof does not hold.",
    an_entry_of_another_table: "The server did not sign what it told of the deal:",
    no_receipt: "The server did not sign what it told of the deal:",
    anothers_hand: "the card at place 1 was shown, and was not dealt to you.",
    another_number_of_cards: "Deal 1: it was told to other players than it was dealt to.",
    cards_that_the_server_chose: "was shown, and was not dealt to you.",
    a_draw_of_other_cards: "was shown, and was not dealt to the pack.",
    a_second_beginning: "The server began a deal a second time.",
    a_game_begun_for_nothing: "The server began a deal a second time.",
    another_pack: "The pack is not the one that this table plays with.",
    another_table: "The deal is one of table 7.",
    our_key_taken: "You keep the key of your cards, and the server says that it has it.",
    our_key_called_the_servers: "You keep the key of your cards, and the server says that it has it.",
    our_key_taken_after_a_time_out: "You keep the key of your cards, and the server says that it has it.",
    bens_key_taken: "Ben keeps the key of their cards, and the server says that it has it.",
    a_pack_read_without_need: "The server wants to read the pack, and the rules of this table do not need that.",
    a_pack_read_without_need_after_a_drop: "The server wants to read the pack, and the rules of this table do not need",
    more_places_than_cards: "Deal 2: its hands are not as large as the rules deal them.",
    all_other_places_opened: "Deal 2: its hands are not as large as the rules deal them.",
    more_places_than_cards_after_a_drop: "Deal 2: its hands are not as large as the rules deal them.",
    our_key_taken_while_away: "You keep the key of your cards, and the server says that it has it.",
    our_key_shared: "The server gives your key to other players, too.",
    a_card_taken_back: "After the connection was lost the server told another deal than before.",
    a_game_that_is_plain_after_all: "After the connection was lost the server told another deal than before.",
    another_state: "After the connection was lost the server told another deal than before.",
    a_hand_lost_for_nothing: "The server takes a hand from you, and no part of a deal was missed.",
    a_miss_of_nobody: "The server says that Ben missed a part of a deal, and it is not so.",
    a_miss_counted_for_two: "The server says that Ben missed a part of a deal, and it is not so.",
    a_miss_counted_twice: "The server says that Ben missed a part of a deal, and it is not so.",
    a_seat_lost_for_one_miss: "The server says that Ben missed a part of a deal, and it is not so.",
    a_missed_part_that_costs_nothing: "The server lets Ben play a hand that is lost.",
    an_altered_state: "The state of the deal that the server gave is no good:",
}


@pytest.mark.parametrize("lie", SENTENCES, ids=lambda lie: lie.__name__)
def test_a_lie_of_the_server_is_told_in_a_sentence(lie: Callable[[Told], None]) -> None:
    """Whatever the server, alone or with Ben, tells otherwise than it is signed, Ann's client says so."""
    told = at_hand()
    with pytest.raises(Unsound) as found:
        lie(told)
    assert SENTENCES[lie] in str(found.value)


def test_key_that_we_sat_down_to_keep_is_not_the_servers() -> None:
    """Whatever the server says of the seat from the first."""
    snapshot = TableSnapshot(1, ANN, 0, msgspec.structs.replace(INFO, seats=(SeatInfo("Ann"), INFO.seats[BEN])))
    terms = blind_table.BlindTable((SERVER, 1), FULL_PACK).terms
    begun = Events(1, 1, (BlindBegun(terms.encoded),))
    BlindTable(snapshot, KeyMemory()).read(begun)
    with pytest.raises(Unsound, match="You keep the key of your cards"):
        BlindTable(snapshot, KeyMemory(), keeps_key=True).read(begun)


def test_an_honest_hand_is_told_in_cards() -> None:
    """No place is left in what is above the client, and an act goes out with the place and its entry."""
    told = at_hand()
    first = told.server.hand(ANN)[0]
    assert first is not None
    asked = Decision(1, 1, "Lead?", (Choice(Play(place_card(0)), "lead the card at place 0"), Choice(Put(), "put")))
    read: Decision = told.ann.read(asked)
    assert read.legal[0].action == Play(first)
    assert "place" not in f"{read}"
    assert "#" not in f"{read}"
    sent = told.ann.signed(Act(1, 1, 1, Play(first)))
    assert sent.action == Play(place_card(0))
    told.order(sent.entry)
    assert told.tell(Played(ANN, first, leads=True)) == (Played(ANN, first, leads=True),)
    assert told.ann.pending_entry is None
    with pytest.raises(NoKey, match="you do not hold"):
        told.ann.signed(Act(1, 1, 2, Play(bens_card(told))))
    told.order(told.ann.signed(Act(1, 1, 2, Put())).entry)
    assert [act for _, _, act in told.ann.signed_acts][-1] == Put()


def test_act_of_a_family_that_is_not_known_shows_its_card() -> None:
    """Wherever a place stands in what the server offers, its card is told; the act goes out with the place."""
    told = at_hand()
    first, second = [card for card in told.server.hand(ANN).values() if card is not None][:2]
    offered = UnknownAction("whist.play", {"card": place_card(0), "beside": [{"card": place_card(2)}]})
    read: Decision = told.ann.read(Decision(1, 1, "Lead?", (Choice(offered, ""),)))
    (choice,) = read.legal
    assert choice.action == UnknownAction("whist.play", {"card": first, "beside": [{"card": second}]})
    sent = told.ann.signed(Act(1, 1, 1, UnknownAction("whist.play", {"card": first})))
    assert sent.action == UnknownAction("whist.play", {"card": place_card(0)})
    told.order(sent.entry)
    assert told.server.game.playing is not None
    assert told.server.game.playing.shown == {0: first}


def test_act_is_not_forgotten_for_decisions_of_the_server() -> None:
    """However many it makes, and tells nothing of: the next event has to be that of the act."""
    told = at_hand()
    told.order(told.server.parties[1].act(told.server.game, BEN, 1, act_body(Put())))
    for _ in range(100):
        told.order(ruling_entry(told.server.game, SERVER_KEY, 1, act_body(Ruling(RulingKind.TIMED_OUT, BEN))))
    assert told.ann.signed_acts[0] == (0, BEN, Put())


@pytest.mark.parametrize("is_dealt", [False, True])
def test_a_stacked_pack_gets_an_accusation_in_place_of_shares(is_dealt: bool) -> None:
    """Ben's shuffle has one card twice, and the server lets it pass: Ann accuses, and gives nothing."""
    told = Told()
    told.begin()
    while (entry := told.server.next()) is not None and Entry.parse(entry).kind is not Kind.SHUFFLE:
        told.order(entry)
    while (entry := told.server.next()) is not None and entry[:2] != bytes([BEN, Kind.SHUFFLE]):
        told.order(entry)
    assert entry is not None
    one = Entry.parse(entry)
    told.order(told.signed(replace(one, body=one.body[:66] * 2 + one.body[132:], proof=b"")))
    if is_dealt:
        told.order(deal_entry(told.server.game, SERVER_KEY, in_turn(2, 6)))
    game, party = told.ann.game, told.ann.party
    assert game is not None
    assert party is not None
    assert not [entry for entry in party.due(game) if Entry.parse(entry).kind is Kind.SHARES], "it is not checked yet"
    for deal in game.unexamined():
        told.ann.game = game = game.with_examined(deal.examined(party.seats))
    assert told.ann.is_due()
    (accusation,) = party.due(game)
    assert Entry.parse(accusation).kind is Kind.ACCUSE
    told.order(accusation)
    assert [blame.seat for blame in told.ann.blames] == [BEN]


def test_a_killed_client_gives_no_shares_of_a_second_deal() -> None:
    """A client that remembers nothing but what is kept with its token is told the hand in play with the places dealt
    to others: it would show its own hand."""
    kept: list[dict[str, Any]] = []
    memory = KeyMemory()

    def save() -> bool:
        kept.append(msgspec.to_builtins(memory.games))
        return True

    memory.save = save
    game, other = bytes(32), bytes([1]) * 32
    memory.secret_of(7, game, is_told=False)
    assert memory.keep(7, game)
    assert memory.keep(7, game, 1, "as it lies")
    assert memory.keep(7, game, 1, "as it lies"), "the same again, as after a crash"
    assert not memory.keep(7, game, 1, "dealt to others")
    assert memory.keep(7, game, 2, "dealt to others")
    assert not memory.keep(7, game, 1, "as it lies")
    memory.secret_of(8, game, is_told=False)
    assert memory.keep(8, game, 1, "as it lies"), "another table"
    assert len(kept) == 4, "each is kept before it is given"
    memory.secret_of(7, other, is_told=False)
    with pytest.raises(LookupError):
        memory.keep(7, game, 3, "of a game that is over")
    assert memory.keep(7, other, 1, "as it lies"), "another game"


def test_the_secret_of_a_game_goes_when_the_next_begins() -> None:
    """A server tells a client anew the game before, which it has all of: the client has nothing to open a hand with,
    and loses nothing of the game in play by it."""
    memory, before, now = KeyMemory(), bytes(32), bytes([1]) * 32
    first = memory.secret_of(7, before, is_told=False)
    assert first == memory.secret_of(7, before, is_told=True)
    second = memory.secret_of(7, now, is_told=False)
    assert memory.secret_of(7, before, is_told=True) is None
    assert second == memory.secret_of(7, now, is_told=True)
    assert first not in [key.secret for key in memory.games.values()]
    memory.forget(7)
    assert memory.secret_of(7, now, is_told=True) is None
    for table in range(300):
        memory.secret_of(table, now, is_told=False)
    assert len(memory.games) == TABLES


def test_a_client_without_the_key_signs_nothing() -> None:
    """Who comes back without the secret can look on, and is told why they cannot play."""
    told = at_hand()
    other = BlindTable(TableSnapshot(1, ANN, 0, INFO), KeyMemory())
    other.resume(told.server.game.span())
    assert other.has_lost_key
    with pytest.raises(NoKey, match="another program of yours has it, or it is lost"):
        other.signed(Act(1, 1, 1, Put()))
    again = BlindTable(TableSnapshot(1, ANN, 0, INFO), KnownKeys(secret_of(0)))
    again.resume(told.server.game.span())
    (hand,) = again.read(Events(1, 1, (dealt(0, 2, 4),))).events
    assert hand.cards == tuple(told.server.hand(ANN).values())


def come_anew() -> BlindTable:
    """A game in which the server holds Ann's key, as it may if she gave up."""
    other = blind_table.BlindTable((SERVER, 1), FULL_PACK)
    other.settle()
    snapshot = TableSnapshot(1, ANN, 7, INFO)
    ann = BlindTable(snapshot, KnownKeys(secret_of(0)))
    ann.resume(other.game.span())
    ann.read(snapshot)
    return ann


def test_key_given_up_before_we_came_is_no_lie() -> None:
    """A program that is begun anew does not know that its player resigned, and plays no more in that game."""
    ann = come_anew()
    with pytest.raises(NoKey, match="another program of yours has it, or it is lost"):
        ann.signed(Act(1, 1, 1, Put()))
    with pytest.raises(Unsound, match="You keep the key of your cards"):
        ann.resume(blind_table.BlindTable((SERVER, 1), FULL_PACK, game=2).game.span())


def test_all_others_together_cannot_tell_a_hand() -> None:
    """With the server's key, Ben's key and everything that was told, Ann's cards stay what her share alone opens."""
    told = at_hand()
    deal = told.server.game.playing
    assert deal is not None
    bens = Party({BEN: told.server.parties[1].keys[BEN]})
    for place in deal.hand(ANN):
        assert deal.card(place, ()) is None
        guessed = [bens.keys[BEN].secret * 1, 1]
        assert all(deal.card(place, (deal.bases((place,))[0] * secret,)) is None for secret in guessed)
    assert isinstance(Terms.parse(told.server.terms.encoded), Terms)


def test_keys_may_be_told_while_a_client_is_away() -> None:
    """It knew none, or some, and is told the state with all of them."""
    told = Told()
    told.begin()
    server = told.fork()
    for _ in range(2):
        entry = server.next()
        assert entry is not None
        server.order(entry)
        told.ann.resume(server.game.span())
    assert told.ann.game is not None
    assert None not in told.ann.game.keys


def test_hand_dealt_while_a_client_is_away_is_its_only_one() -> None:
    """A card of the hand before is not played by the place where it was."""
    told = at_hand()
    before = set(told.server.hand(ANN).values())
    server = told.fork()
    for owners in (None, in_turn(2, 6)[::-1]):
        if owners is not None:
            server.order(deal_entry(server.game, SERVER_KEY, owners))
        while (entry := server.next()) is not None:
            server.order(entry)
    told.ann.resume(server.game.span())
    held = {card: place for place, card in server.hand(ANN).items()}
    assert set(held.values()) == {1, 3, 5}
    for card in before - set(held):
        assert card is not None
        with pytest.raises(NoKey, match="you do not hold"):
            told.ann.signed(Act(1, 1, 1, Play(card)))
    for card, place in held.items():
        assert card is not None
        assert told.ann.signed(Act(1, 1, 1, Play(card))).action == Play(place_card(place))


def plain_game_after_ours(told: Told) -> None:
    told.ann.read(TableSnapshot(1, ANN, 60, msgspec.structs.replace(INFO, plain="there is no room", games=1)))
    told.number = 60
    told.tell(Dealt(1, BEN, ANN, (3, 3), (Card("3s"), Card("4s"), Card("5s"))), Played(ANN, Card("3s"), leads=True))


def test_game_dealt_alone_while_a_client_is_away_is_no_lie_and_not_proved() -> None:
    """The server has no room for the next game's keys, as it may."""
    told = at_hand()
    plain_game_after_ours(told)
    assert told.ann.unproved is Unproved.PLAIN
    assert told.ann.playing is None
    act = Act(1, 1, 1, Play(Card("4s")))
    assert told.ann.signed(act) == act


def test_accident_counts_as_no_deal() -> None:
    """Not even a faced card in the pack, which lies there for all to see."""
    told = Told(info=msgspec.structs.replace(INFO, options={"dealing": "plain", "misdeals": 100}, plain="asked for"))
    told.tell(Dealt(1, BEN, ANN, (3, 3)), Accident(law=3, seat=BEN, card=Card("2s")), FreshDeal(seat=None))
    told.tell(Dealt(2, BEN, ANN, (3, 3)))
    assert told.ann.counts == {Unproved.PLAIN: 2}


def test_keys_given_anew_after_a_drop_are_no_honest_servers() -> None:
    """The server knows a hand by then that it does not like."""
    told = at_hand()
    told.ann.resume(told.server.game.span())
    told.ann.read(TableSnapshot(1, ANN, 60, INFO))
    with pytest.raises(Unsound, match=r"The server began a deal a second time\."):
        told.tell(BlindBegun(blind_table.BlindTable((0, 1), FULL_PACK, game=2).terms.encoded))


def test_keys_given_anew_while_a_client_is_away_are_no_honest_servers() -> None:
    """The next game of the table has other keys."""
    told, other = at_hand(), blind_table.BlindTable((0, 1), FULL_PACK, game=2)
    other.settle()
    told.ann.resume(other.game.span())
    copy(told.ann).read(TableSnapshot(1, ANN, 60, msgspec.structs.replace(INFO, games=1)))
    with pytest.raises(Unsound, match=r"The server began a deal a second time\."):
        told.ann.read(TableSnapshot(1, ANN, 60, INFO))


def test_entry_that_will_not_be_told_is_not_waited_for() -> None:
    """Not where the table is told as it stands after a drop: the game may have ended with our entry."""
    table = BlindTable(TableSnapshot(1, ANN, 0, INFO), KnownKeys(secret_of(0)))
    table.pending_entry = b"our entry"
    table.read(TableSnapshot(1, ANN, 5, INFO))
    assert table.pending_entry is None
