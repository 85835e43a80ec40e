"""A viewer's checker: when he cuts, what is not checked, and what a screen is told."""

from collections.abc import Callable
from random import Random

import pytest

from put_protocol.cards import Card
from put_protocol.events import Accident, DealerFound, Dealt, FreshDeal, Played
from put_protocol.seal.chain import Chain, after
from put_protocol.seal.checking import KEPT, Checker
from put_protocol.seal.findings import Failure, Fault, Proof, Stage
from put_protocol.seal.told import FULL_PACK, CutsShown, DealVoided, Openings, PackOpening, Sealed
from put_protocol.seats import GALLERY, Seat
from tests.seal.cheats import KeepsItsSalts
from tests.seal.dealer import ENDED, Dealer

CHAIN = Chain(bytes(32), 8)
ME = Seat(0)
HAND = Dealt(1, Seat(1), Seat(0), (3, 3))


def sealed(deal: int, end: bytes | None, root: int = 0) -> Sealed:
    roots = (bytes([deal, 1, root]) + bytes(29), bytes([deal, 2, root]) + bytes(29))
    return Sealed(deal, roots, (Seat(0), Seat(1)), (end, None))


def caught(dealer: Dealer) -> list[list[tuple[str, str]]]:
    return [viewing.caught for viewing in dealer.viewings.values()]


# --- cutting ---------------------------------------------------------------------------------------------------------


def test_cut_is_the_link_before_the_one_named() -> None:
    """A seal names where his chain stands, and what he cuts hashes to it; then the next seal names that."""
    checker = Checker(1, ME, chain=CHAIN)
    for deal in (1, 2, 3):
        end = checker.end
        assert checker.take(sealed(deal, end)) == ()
        link = checker.cut()
        assert link is not None
        assert after(link) == end
        assert checker.cut() == link  # asked again, as after a drop
        assert checker.take(CutsShown(deal, (link, None))) == ()
        assert checker.end == link


def test_cut_is_never_given_for_two_seals() -> None:
    """Whether a deal is sealed again, voided or missed: a link that was given is spent, and asked for again in vain."""
    checker = Checker(1, ME, chain=CHAIN)
    end = checker.end
    checker.take(sealed(1, end))
    first = checker.cut()
    checker.take(sealed(1, end, root=9))
    assert checker.cut() == first  # for the seal that he was shown first, and by which he will check
    checker.take(DealVoided(1, (ME,)))
    assert checker.cut() is None
    checker.take(sealed(2, end))
    assert checker.cut() is None
    checker.resume()
    assert checker.take(sealed(4, end)) == ()  # the third may have been missed
    assert checker.cut() is None
    checker.take(DealVoided(4, (ME,)))
    checker.take(sealed(5, first))
    assert checker.cut() == CHAIN.link(6) != first


def test_cut_that_was_lost_on_the_way_is_made_good_by_naming_the_end_again() -> None:
    """The server that never got it asks for it again and gets nothing; told where the chain stands, it goes on."""
    checker = Checker(1, ME, chain=CHAIN)
    old = checker.end
    checker.take(sealed(1, old))
    checker.cut()
    assert checker.take(DealVoided(1, (ME,))) == ()
    assert checker.take(sealed(2, old)) == ()
    assert checker.cut() is None
    assert checker.take(DealVoided(2, (ME,))) == ()
    assert checker.take(sealed(3, None)) == ()  # he is left out until he says where he stands
    assert checker.cut() is None
    assert checker.take(DealVoided(3)) == ()
    assert checker.take(sealed(4, checker.end)) == ()
    assert checker.cut() is not None


def test_chain_that_ran_out_cuts_nothing_until_it_is_renewed() -> None:
    """The last link is the secret; another chain begins at its own end."""
    checker = Checker(1, ME, chain=Chain(bytes(32), 1))
    checker.take(sealed(1, checker.end))
    assert checker.cut() == bytes(32)
    assert checker.links_left == 0
    checker.take(DealVoided(1))
    checker.take(sealed(2, checker.end))
    assert checker.cut() is None
    checker.take(DealVoided(2, (ME,)))
    checker.renew(CHAIN)
    assert checker.take(sealed(3, CHAIN.link(8))) == ()
    assert checker.cut() == CHAIN.link(7)


def test_who_withdraws_may_be_named_once_more_and_then_not() -> None:
    """A seal that crosses his word on the way he still cuts, or all would wait for him; the next need not name him."""
    checker = Checker(1, ME, chain=CHAIN)
    checker.withdraw()
    assert checker.take(sealed(1, checker.end)) == ()
    link = checker.cut()
    assert link == CHAIN.link(7)
    assert checker.take(CutsShown(1, (link, None))) == ()
    assert checker.take(sealed(2, None)) == ()


@pytest.mark.parametrize("viewer", [ME, GALLERY])
def test_viewer_without_a_chain_cuts_nothing(viewer: Seat | str) -> None:
    """He may check all the same; and a cut in his name is noticed."""
    checker = Checker(1, viewer)  # type: ignore[arg-type]  # a viewer is either
    assert checker.end is None
    found = checker.take(sealed(1, CHAIN.link(8)))
    assert checker.cut() is None
    assert [failure.fault for failure in found] == ([Fault.OWN_LINK] if viewer == ME else [])


# --- what is not checked ---------------------------------------------------------------------------------------------


def test_deal_in_the_middle_of_which_one_comes_is_not_checked() -> None:
    """Neither its cuts nor its proofs nor its cards; the next one is, to the last card."""
    dealer = Dealer(Random(1))
    late = {at: Checker(dealer.table, GALLERY, is_midway=True) for at in range(12)}
    dealer.plain_hand()
    first = len(dealer.viewings[GALLERY].steps)
    dealer.plain_hand()
    steps = dealer.viewings[GALLERY].steps
    for at, checker in late.items():
        for step in steps[min(at, first) :]:
            assert not isinstance(step, str)
            assert checker.take(step) == ()
        assert checker.deals[-1].deal == 2
        assert all(card.proof is Proof.PROVED for card in checker.deals[-1].cards)


def test_deal_that_was_missed_in_part_is_not_checked() -> None:
    """After a picture of the table in place of what happened, nothing is known until the next seal."""
    dealer = Dealer(Random(2))
    assert dealer.seal_deal(dealer.rounds(3))
    for viewing in dealer.viewings.values():
        viewing.checker.resume()
        assert not viewing.checker.is_checked
    dealer.deal_hands()
    dealer.play_out()
    dealer.plain_hand()
    assert caught(dealer) == [[], [], []]
    assert [deal.deal for deal in dealer.viewings[ME].checker.deals] == [1, 2]
    assert dealer.viewings[ME].checker.is_checked


def test_proof_that_comes_late_is_not_missed_by_who_was_away() -> None:
    """Where openings wait for the end of the hand, it may have ended while he was."""
    dealer = Dealer(Random(10), seats=4, is_late=True)
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.deal_hands()
    dealer.play(Seat(1))
    checker = dealer.viewings[ME].checker
    assert checker.deals[0].cards[-1].proof is Proof.AWAITED
    checker.resume()
    assert checker.take(ENDED) == ()
    assert checker.deals[0].cards[-1].proof is Proof.AWAITED


def test_one_hand_at_most_goes_without_a_seal() -> None:
    """Who came in the middle may have missed the seal of the next hand dealt, and not of the one after it."""
    checker = Checker(1, ME, chain=CHAIN, is_midway=True)
    checker.count()
    assert checker.take(HAND) == ()
    assert not checker.is_unsealed
    assert [failure.fault for failure in checker.take(HAND)] == [Fault.NOT_SEALED]


def test_hand_without_a_seal_is_noticed_by_who_takes_part() -> None:
    """The first hand, or one after a deal that was voided by nobody's fault."""
    assert [failure.fault for failure in Checker(1, ME, chain=CHAIN).take(HAND)] == [Fault.NOT_SEALED]
    checker = Checker(1, ME, chain=CHAIN)
    checker.take(sealed(1, checker.end))
    checker.take(DealVoided(1))
    assert checker.take(HAND) == (Failure(1, Fault.NOT_SEALED),)


@pytest.mark.parametrize("viewer", [ME, GALLERY])
def test_hand_without_a_seal_is_nobodys_fault_where_the_viewer_takes_no_part(viewer: Seat | str) -> None:
    """A deal for which nobody cuts is not sealed, which is to be told and no cheating."""
    checker = Checker(1, viewer)  # type: ignore[arg-type]  # a viewer is either
    assert checker.take(HAND) == ()
    assert checker.is_unsealed
    checker.take(sealed(1, None))
    assert not checker.is_unsealed


@pytest.mark.parametrize("deal", [Dealer.plain_hand, Dealer.draw_for_deal])
def test_hand_without_a_seal_may_follow_one_that_had_one(deal: Callable[[Dealer], None]) -> None:
    """Where whoever cut has gone: it is not of the deal before, and no card of it is asked of that."""
    dealer = Dealer(Random(11))
    deal(dealer)
    dealer.end(DealerFound(ME) if deal is Dealer.draw_for_deal else ENDED)
    checker = dealer.viewings[GALLERY].checker
    assert checker.take(HAND) == ()
    assert checker.take(Played(ME, Card("3s"), leads=True)) == ()
    assert checker.is_unsealed
    own = dealer.viewings[ME].checker
    assert [failure.fault for failure in own.take(HAND)] == [Fault.NOT_SEALED]


def test_hand_without_a_seal_may_follow_where_one_did_not_cut_in_time() -> None:
    """Who is left out by his own fault has no claim, until the server has heard from him again."""
    checker = Checker(1, ME, chain=CHAIN)
    checker.take(sealed(1, checker.end))
    checker.take(DealVoided(1, (ME,)))
    assert checker.take(HAND) == ()
    checker.count()
    assert checker.take(HAND) == (Failure(1, Fault.NOT_SEALED),)


def test_seal_that_leaves_out_who_takes_part_is_noticed() -> None:
    """The first, or the next after the server has answered that it knows his end."""
    assert [failure.fault for failure in Checker(1, ME, chain=CHAIN).take(sealed(1, None))] == [Fault.OWN_LINK]
    checker = Checker(1, ME, chain=CHAIN, is_midway=True)
    assert checker.take(sealed(1, None)) == ()
    checker.count()
    assert [failure.fault for failure in checker.take(sealed(2, None))] == [Fault.LEFT_OPEN, Fault.OWN_LINK]


def test_witness_accuses_nobody_for_a_chain_he_does_not_know() -> None:
    """He checks all that the viewer was told, and of the viewer's own cut what he can of any."""
    dealer = Dealer(Random(9))
    dealer.plain_hand()
    witness = Checker(dealer.table, ME, is_witness=True)
    steps = [step for step in dealer.viewings[ME].steps if not isinstance(step, str)]
    assert [witness.take(step) for step in steps] == [()] * len(steps)
    assert {card.proof for card in witness.deals[0].cards} == {Proof.PROVED}
    assert ME in [card.seat for card in witness.deals[0].cards]
    wrong = Checker(dealer.table, ME, is_witness=True)
    told = [CutsShown(1, (bytes(32), *step.links[1:])) if isinstance(step, CutsShown) else step for step in steps]
    found = [failure for step in told for failure in wrong.take(step)]
    assert (found[0].fault, found[0].seat) == (Fault.LINK, ME)


def test_proofs_told_twice_change_nothing() -> None:
    """As they are when a connection comes back."""
    dealer = Dealer(Random(3))
    dealer.plain_hand()
    for viewing in dealer.viewings.values():
        for step in [step for step in viewing.steps if isinstance(step, Openings)]:
            viewing.tell(step)
    assert caught(dealer) == [[], [], []]


@pytest.mark.parametrize(
    "cards", [("3s",), ("3s", "3s"), ("3s", "1s"), ("3s", "3x"), (*FULL_PACK, *FULL_PACK)], ids=lambda cards: cards[:2]
)
def test_seal_of_what_is_no_pack_is_noticed(cards: tuple[Card, ...]) -> None:
    """Fewer cards than slots, a card twice, or what is no card; and nothing of such a deal is checked any further."""
    checker = Checker(1, GALLERY)
    odd = Sealed(1, sealed(1, None).roots, (Seat(0), Seat(1)), (None, None), cards)
    assert checker.take(odd) == (Failure(1, Fault.CARDS),)
    assert checker.take(CutsShown(1, (None, None))) == ()
    assert checker.take(Dealt(1, Seat(1), Seat(0), (1, 1))) == ()


# --- what a screen is told -------------------------------------------------------------------------------------------


def test_summary_follows_the_deal() -> None:
    """Sealed, cut and turned up, and each card as it is seen."""
    dealer = Dealer(Random(4), cutters=(1,))
    assert dealer.seal_deal(dealer.rounds(3))
    own = dealer.viewings[ME].checker
    (deal,) = own.deals
    assert own.summary(1) == deal
    assert own.summary(2) is None
    assert (deal.deal, deal.stage, deal.cutters, deal.cards_in_pack) == (1, Stage.CUT, (1,), 52)
    assert (deal.words, deal.pack) == (dealer.drawn.words, dealer.drawn.pack)
    assert (deal.is_turned, deal.is_whole) == (True, False)
    dealer.deal_hands()
    dealer.play(Seat(1))
    cards = own.deals[0].cards
    assert [card.seat for card in cards] == [0, 0, 0, 1]
    assert {card.proof for card in cards} == {Proof.PROVED}
    assert len(dealer.viewings[GALLERY].checker.deals[0].cards) == 1


def test_summary_of_a_voided_deal_is_void() -> None:
    """It has no words and no cards, and proofs of it are not looked at."""
    checker = Checker(1, GALLERY)
    checker.take(sealed(1, None))
    assert checker.deals[0].stage is Stage.SEALED
    checker.take(DealVoided(1))
    assert checker.take(Openings(1, 1, turned=PackOpening(0, bytes(32)))) == ()
    assert (checker.deals[0].stage, checker.deals[0].words) == (Stage.VOID, None)


def test_pack_opened_after_the_game_is_checked() -> None:
    """The one that was played, and as it was sealed, is whole; any other is noticed."""
    dealer = Dealer(Random(5))
    dealer.plain_hand()
    good, turned = dealer.pack.whole(), dealer.sealing.packs[1 - dealer.drawn.pack].whole()
    dealer.plain_hand()
    own = dealer.viewings[ME]
    own.tell(Openings(dealer.table, 1, played=turned))
    own.tell(Openings(dealer.table, 1, played=PackOpening(good.pack, bytes(32))))
    assert own.caught == [("Openings", "pack"), ("Openings", "turned")]
    assert [deal.is_whole for deal in own.checker.deals] == [False, False]
    own.tell(Openings(dealer.table, 1, played=good))
    assert [deal.is_whole for deal in own.checker.deals] == [True, False]
    assert len(own.caught) == 2


def test_faced_card_is_proved_and_is_nobodys() -> None:
    """The card after all the hands, turned up by the third law, is the next slot's and no other's."""
    dealer = Dealer(Random(6))
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.deal_hands(is_face_down=True)
    dealer.show(6, Accident(3, Seat(1), dealer.card(6)))
    dealer.end(FreshDeal(None))
    assert caught(dealer) == [[], [], []]
    assert dealer.viewings[ME].checker.deals[0].cards[0].seat is None
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.deal_hands(is_face_down=True)
    dealer.show(7, Accident(3, Seat(1), dealer.card(7)))
    assert caught(dealer) == [[("Accident", "holder")]] * 3


def test_deals_are_kept_for_a_while() -> None:
    """Long enough for any game; a checker does not grow for ever."""
    dealer = Dealer(Random(7), cards=FULL_PACK[:4])
    for _ in range(KEPT + 3):
        assert dealer.seal_deal([0, 1])
        dealer.deal_hands()
        dealer.end(ENDED)
    kept = dealer.viewings[ME].checker.deals
    assert (kept[0].deal, len(kept)) == (4, KEPT)
    assert caught(dealer) == [[], [], []]


def test_salt_of_another_deal_is_noticed_while_that_is_kept() -> None:
    """In the next deal, and not when the deal it was used in is long gone."""
    gone = KeepsItsSalts(Random(8), cutters=(), cards=FULL_PACK[:2])
    gone.draw_for_deal()
    soon = KeepsItsSalts(Random(8), cutters=(), cards=FULL_PACK[:2])
    soon.draw_for_deal()
    soon.draw_for_deal()
    assert caught(soon) == [[("Openings", "salt")] * 2] * 3
    gone.is_honest = True
    for _ in range(KEPT):
        gone.draw_for_deal()
    gone.is_honest = False
    gone.draw_for_deal()
    assert caught(gone) == [[], [], []]


@pytest.mark.parametrize("fault", Fault)
def test_failure_says_what_was_wrong_with_which_card_of_which_deal(fault: Fault) -> None:
    """A sentence for each fault."""
    says = Failure(7, fault, FULL_PACK[1], Seat(2)).says
    assert says.startswith("Deal 7, the 3 of spades, seat 2: ")
    assert says.endswith(".")


def test_failures_say_different_things() -> None:
    """No two faults are told alike."""
    assert len({Failure(7, fault).says for fault in Fault}) == len(Fault)
