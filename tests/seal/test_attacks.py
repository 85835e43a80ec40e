"""Cheats, each with who catches it, by what, and when. The honest table, which nobody may accuse: test_campaign."""

from collections.abc import Callable
from random import Random

import pytest

from put_protocol.events import Dealt, Drawn, Event, FreshDeal, GameEnded, GameWon, Gave, Played
from put_protocol.seal.findings import Proof
from put_protocol.seal.order import draw
from put_protocol.seal.told import Sealed
from put_protocol.seats import GALLERY, Seat
from tests.seal import cheats
from tests.seal.dealer import ENDED, Dealer, Viewing

TRIALS = 400
HALF = range(160, 241)
"""Of 400 trials with an even chance: four standard deviations about 200."""


def played_by(cheat: type[Dealer], seed: int = 1, *, hands: int = 2, **terms: object) -> Dealer:
    """A table of this dealer after some hands."""
    dealer = cheat(Random(seed), **terms)  # type: ignore[arg-type]  # a test's terms are the dealer's
    for _ in range(hands):
        dealer.plain_hand()
    return dealer


def first_caught(viewing: Viewing) -> tuple[str, str] | None:
    return viewing.caught[0] if viewing.caught else None


@pytest.mark.parametrize(
    ("cheat", "hands", "told", "fault"),
    [
        (cheats.SealsAgain, 1, "Sealed", "changed"),
        (cheats.SealsOnce, 2, "Sealed", "root"),
        (cheats.SealsOnePackTwice, 1, "Sealed", "root"),
        (cheats.LeavesDealsOpen, 2, "Sealed", "left_open"),
        (cheats.ReplaysADeal, 2, "Sealed", "number"),
        (cheats.SkipsNumbers, 2, "Sealed", "number"),
        (cheats.ChangesThePack, 3, "Sealed", "cards"),
        (cheats.PlaysWithTwoAlike, 1, "Sealed", "cards"),
        (cheats.DealsUncut, 1, "CutsShown", "not_sealed"),
        (cheats.VoidsWhatItDislikes, 1, "DealVoided", "voided"),
        (cheats.TurnsUpNothing, 1, "Dealt", "not_turned"),
    ],
)
def test_cheat_that_all_are_told_of_is_caught_by_all_at_once(
    cheat: type[Dealer], hands: int, told: str, fault: str
) -> None:
    """Everyone who checks, seated or not, catches it with the message that gives it away."""
    dealer = played_by(cheat, hands=hands)
    for viewing in dealer.viewings.values():
        assert first_caught(viewing) == (told, fault)


@pytest.mark.parametrize(
    ("cheat", "fault"), [(cheats.TurnsUpTheWrongPack, "pack"), (cheats.TurnsUpAnotherPack, "turned")]
)
@pytest.mark.parametrize("seed", range(4))
def test_wrong_pack_turned_up_is_caught_before_a_card_is_dealt(cheat: type[Dealer], fault: str, seed: int) -> None:
    """In whichever order the cuts and the proof come, all catch it by then; and the deal without its proof after it."""
    for viewing in played_by(cheat, seed, hands=1).viewings.values():
        assert viewing.caught[0] in {("Openings", fault), ("CutsShown", fault)}
        assert viewing.caught[1] == ("Dealt", "not_turned")


@pytest.mark.parametrize(
    ("cheat", "told", "fault"),
    [
        (cheats.StacksThePack, "Openings", "leaf"),
        (cheats.OpensAnotherCard, "Openings", "leaf"),
        (cheats.ShowsAnotherCard, "Dealt", "unopened"),
        (cheats.OpensAnotherPlace, "Dealt", "unopened"),
        (cheats.OpensNothing, "Dealt", "unopened"),
        (cheats.DealsToTheWrongSeats, "Dealt", "holder"),
        (cheats.DealsFromTheBottom, "Dealt", "holder"),
    ],
)
def test_card_that_was_not_sealed_for_its_slot_is_caught_by_who_gets_it_when_dealt(
    cheat: type[Dealer], told: str, fault: str
) -> None:
    """Who is dealt such a card catches it at once, before he plays; the gallery with the first card that is played."""
    dealer = played_by(cheat, hands=1)
    for seat in dealer.seats:
        assert first_caught(dealer.viewings[seat]) == (told, fault)
    assert first_caught(dealer.viewings[GALLERY]) == ("Played" if told == "Dealt" else told, fault)


def test_place_opened_as_two_cards_is_caught() -> None:
    """Who has seen a place opened never takes it for another card's."""
    dealer = cheats.OpensTwice(Random(2))
    assert dealer.seal_deal([0, 1])
    for _ in range(8):
        dealer.open(GALLERY, [0])
    assert {fault for _, fault in dealer.viewings[GALLERY].caught} in ({"position"}, {"leaf", "position"})


@pytest.mark.parametrize("cheat", [cheats.DropsACut, cheats.AltersACut])
def test_cut_dropped_or_altered_is_caught_by_all(cheat: type[Dealer]) -> None:
    """The others see that it is not the one promised; whose it is sees that it is not his."""
    dealer = played_by(cheat, hands=1)
    own, *others = [viewing.caught[:2] for viewing in dealer.viewings.values()]
    assert own == [("CutsShown", "own_link"), ("CutsShown", "link")]
    assert [caught[0] for caught in others] == [("CutsShown", "link")] * 2


def test_cut_made_in_anothers_name_is_caught_by_him_alone() -> None:
    """A chain that is not his deceives the others, whom it costs nothing; and he gives no link of his own for it."""
    dealer = played_by(cheats.CutsForAnother)
    own, *others = dealer.viewings.values()
    assert own.caught == [("CutsShown", "own_link")] * 2
    assert own.checker.links_left == own.setting.checker().links_left
    assert not any(viewing.caught for viewing in others)


def test_seat_left_out_of_the_cutting_catches_it_with_the_seal() -> None:
    """Who took part in the deal before is named by the next seal."""
    own, *others = played_by(cheats.LeavesOut).viewings.values()
    assert first_caught(own) == ("Sealed", "own_link")
    assert not any(viewing.caught for viewing in others)


def test_cut_that_was_given_is_never_given_again() -> None:
    """Asked again for a link that the server may know, a client cuts nothing; used all the same, he says so."""
    dealer = cheats.AsksForAnOldCut(Random(5))
    dealer.plain_hand()
    own = dealer.viewings[Seat(0)]
    left = own.checker.links_left
    assert dealer.seal_deal(dealer.rounds(3))
    assert own.checker.links_left == left
    assert dealer.viewings[GALLERY].caught[0] == ("CutsShown", "link")  # the cut it asked for is not there


def test_players_shown_different_packs_have_different_words() -> None:
    """Nothing else tells them: what each is shown is in order by itself."""
    dealer = cheats.TellsTwoStories(Random(6))
    told = []
    for viewer in dealer.viewings:
        sealed = dealer.seal_for(viewer, honest_seal(dealer))
        told.append(draw(dealer.table, 1, sealed.roots, sealed.to, dealer.cards, (None, None)).words)
    assert told[0] == told[2] != told[1]


def honest_seal(dealer: Dealer) -> Sealed:
    dealer.rng = Random(7)
    return Sealed(1, dealer.sealed_packs().roots, dealer.seats, (None, None))


# --- packs that are none ---------------------------------------------------------------------------------------------


def share_caught(cheat: type[Dealer], is_caught: Callable[[list[tuple[str, str]]], bool]) -> int:
    """In how many trials, a table each, the first seat's findings are such."""
    return sum(is_caught(played_by(cheat, seed, hands=1).viewings[Seat(0)].caught) for seed in range(TRIALS))


def test_pack_with_a_card_twice_is_caught_every_second_time() -> None:
    """It is turned up as often as it is played; played, it passes unless both are seen."""
    turned = share_caught(cheats.RepeatsACard, lambda caught: "turned" in {fault for _, fault in caught})
    either = share_caught(cheats.RepeatsACard, bool)
    assert turned in HALF
    assert turned <= either < TRIALS


def test_pack_of_one_card_is_caught_every_time() -> None:
    """Turned up it is none; played, its second card is the first one's like."""
    assert share_caught(cheats.PlaysThreesOnly, lambda caught: caught[0][1] in {"turned", "repeated"}) == TRIALS


def test_salt_used_again_is_caught_every_time() -> None:
    """In the pack that is turned up it does not come from the seed; in the other, two openings have it."""
    assert share_caught(cheats.ReusesSalts, lambda caught: caught[0][1] in {"turned", "salt"}) == TRIALS


def test_salt_of_the_pack_turned_up_is_not_taken_in_the_one_played() -> None:
    """Whichever of the two is turned up, the other is seen to have its salts or not to be what was sealed."""
    faults = {first_caught(played_by(cheats.BorrowsSalts, seed, hands=1).viewings[Seat(0)]) for seed in range(20)}
    assert {caught[1] for caught in faults if caught is not None} == {"turned", "salt"}
    assert None not in faults


# --- the course of the game ------------------------------------------------------------------------------------------


def hand_dealt(**terms: object) -> Dealer:
    dealer = Dealer(Random(8), **terms)  # type: ignore[arg-type]  # a test's terms are the dealer's
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.deal_hands()
    assert not any(viewing.caught for viewing in dealer.viewings.values())
    return dealer


def test_card_played_twice_is_caught_by_all() -> None:
    """A card that was played is in nobody's hand."""
    dealer = hand_dealt()
    dealer.play(Seat(0))
    again = dealer.viewings[GALLERY].steps[-1]
    assert not isinstance(again, str)
    dealer.tell_all(again)
    assert all(viewing.caught == [("Played", "repeated")] for viewing in dealer.viewings.values())


def test_card_of_ones_own_played_by_another_is_caught() -> None:
    """Whoever holds a card knows that no one else can."""
    dealer = hand_dealt()
    slot = dealer.hands[Seat(0)][0]
    dealer.show(slot, Played(Seat(1), dealer.card(slot)))
    assert all(viewing.caught == [("Played", "holder")] for viewing in dealer.viewings.values())


def test_cards_drawn_out_of_turn_are_caught() -> None:
    """A drawn card is the next slot's, also where a later one is the same seat's."""
    dealer = cheats.SwapsDraws(Random(10))
    assert dealer.seal_deal(dealer.seats)
    for viewing in dealer.viewings.values():
        dealer.open(viewing.setting.viewer, [0, 1])
        viewing.tell(Drawn(dealer.seats, (dealer.card(0), dealer.card(1))))
        assert viewing.caught == [("Drawn", "holder")] * 2


def test_hand_of_another_size_than_sealed_is_caught() -> None:
    """A seat that gets fewer cards than the seal says catches it, and so do all."""
    dealer = Dealer(Random(9))
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.tell_all(Dealt(1, Seat(1), Seat(0), (3, 2)))
    assert all(viewing.caught == [("Dealt", "to")] for viewing in dealer.viewings.values())


def test_second_hand_from_the_same_pack_is_caught() -> None:
    """A deal is one hand. Once that is over, whoever cuts misses a seal; to the gallery it is a hand that has none."""
    dealer = hand_dealt()
    dealer.tell_all(Dealt(2, Seat(1), Seat(0), (3, 3)))
    assert all(viewing.caught == [("Dealt", "to")] for viewing in dealer.viewings.values())
    dealer = hand_dealt()
    dealer.end(ENDED)
    dealer.tell_all(Dealt(2, Seat(1), Seat(0), (3, 3)))
    gallery = dealer.viewings.pop(GALLERY)
    assert all(viewing.caught == [("Dealt", "not_sealed")] for viewing in dealer.viewings.values())
    assert gallery.checker.is_unsealed


@pytest.mark.parametrize(
    "over",
    [
        ENDED,
        FreshDeal(None),
        GameEnded(GameWon.FORFEIT, (), (), ()),
        Sealed(2, (bytes(32), b"2" * 32), (), (b"2" * 32, b"2" * 32)),
    ],
    ids=["hand", "fresh deal", "game", "next seal"],
)
def test_late_opening_is_due_when_the_hand_is_over(over: Event | Sealed) -> None:
    """Where openings come late a card is awaited until then, and no longer, however the hand ends."""
    dealer = hand_dealt(is_late=True)
    dealer.play(Seat(0))
    other = dealer.viewings[Seat(1)]
    assert other.checker.deals[-1].cards[-1].proof is Proof.AWAITED
    dealer.pending.clear()
    dealer.end(over)
    assert other.caught == [(type(over).__name__, "unopened")]
    assert dealer.viewings[Seat(0)].caught == []  # he saw it proved when it was dealt to him


def test_own_card_is_due_when_dealt_also_where_others_are_late() -> None:
    """Who is dealt a card need not wait for its proof; who is not, sees at the end that there is none."""
    dealer = played_by(cheats.OpensNothing, hands=1, is_late=True)
    assert all(first_caught(dealer.viewings[seat]) == ("Dealt", "unopened") for seat in dealer.seats)
    assert first_caught(dealer.viewings[GALLERY]) == ("HandEnded", "unopened")


def test_gift_serves_for_one_card_and_from_one_hand() -> None:
    """Who was given a card he does not show may play one card dealt to his partner, and no second."""
    dealer = hand_dealt(seats=4)
    first, second, _ = dealer.hands[Seat(0)]
    dealer.show(first, Gave(Seat(0), Seat(2), dealer.card(first)), to=(Seat(0), Seat(2)), blind=Gave(Seat(0), Seat(2)))
    dealer.show(first, Played(Seat(2), dealer.card(first)))
    assert not any(viewing.caught for viewing in dealer.viewings.values())
    dealer.show(second, Played(Seat(2), dealer.card(second)))
    assert all(viewing.caught == [("Played", "holder")] for viewing in dealer.viewings.values())
