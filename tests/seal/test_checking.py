"""A viewer's checker: when they cut, what is not proved and why, and what a screen is told."""

from collections.abc import Callable
from random import Random

import pytest

from put_protocol.cards import FULL_PACK, Card
from put_protocol.games.put import Accident, DealerFound, Dealt, FreshDeal, HandEnded, HandWon, Played
from put_protocol.seal.accidents import Misdeal
from put_protocol.seal.checker import KEPT, Checker
from put_protocol.seal.cuts import Chain, after
from put_protocol.seal.findings import Failure, Fault, Proof, Stage, Unproved
from put_protocol.seal.packs import Sealing, seal
from put_protocol.seal.terms import SealTerms
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, PackOpening, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from tests.seal.cheats import KeepsItsSalts
from tests.seal.miniature_table import ENDED, Dealer
from tests.seal.viewings import Snapshot

CHAIN = Chain(bytes(32), 8)
OTHERS = Chain(b"2" * 32, 8)
TERMS = SealTerms(FULL_PACK, late=False, misdeals=0)
ME, OTHER = Seat(0), Seat(1)
HAND = Dealt(1, Seat(1), Seat(0), (3, 3))


def sealed(deal: int, end: bytes | None, root: int = 0, others: bytes | None = None) -> Sealed:
    return Sealed(deal, _packs(deal, root).roots, (Seat(0), Seat(1)), (end, others))


def voided(deal: int, *seats: Seat, left: tuple[Seat, ...] = (), root: int = 0) -> DealVoided:
    first, second = _packs(deal, root).packs
    return DealVoided(deal, seats, left, (first.seed, second.seed))


def _packs(deal: int, root: int) -> Sealing:
    return seal(bytes([root]) * 32, 1, deal, FULL_PACK)


def faults(found: tuple[Failure, ...]) -> list[Fault]:
    return [failure.fault for failure in found]


def caught(dealer: Dealer) -> list[list[tuple[str, str]]]:
    return [viewing.caught for viewing in dealer.viewings.values()]


# --- cutting ---------------------------------------------------------------------------------------------------------


def test_cut_is_the_link_before_the_one_named() -> None:
    """A seal names where their chain stands, and what they cut hashes to it; then the next seal names that."""
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    for deal in (1, 2, 3):
        end = checker.own.end
        assert checker.check(sealed(deal, end)) == ()
        link = checker.cut()
        assert link is not None
        assert after(link) == end
        assert checker.cut() == link  # asked again, as after a drop
        assert checker.check(CutsShown(deal, (link, None))) == ()
        assert checker.own.end == link


def test_cut_is_never_given_for_two_seals() -> None:
    """Whether a deal is sealed again, voided or missed: a link that was given is spent, and asked for again in vain."""
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    end = checker.own.end
    checker.check(sealed(1, end))
    first = checker.cut()
    checker.check(sealed(1, end, root=9))
    assert checker.cut() == first  # for the seal that they were shown first, and by which they will check
    checker.check(voided(1, left=(OTHER,)))
    assert checker.cut() is None
    checker.check(sealed(2, end))
    assert checker.cut() is None
    assert checker.check_snapshot(sealed(4, end), (None, None), is_in_play=True, has_dropped=True) == ()
    assert checker.cut() is None
    checker.check(voided(4, ME))
    checker.check(sealed(5, first))
    assert checker.cut() == CHAIN.link(6) != first


def test_cut_that_was_lost_on_the_way_is_given_again_for_the_same_seal() -> None:
    """After a drop the deal goes on; a table that is shown anew with the same seal changes nothing of that."""
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    told = sealed(1, checker.own.end, others=OTHERS.link(8))
    checker.check(told)
    link = checker.cut()
    assert checker.cut() == link
    assert checker.check_snapshot(told, (None, OTHERS.link(7)), is_in_play=True, has_dropped=True) == ()
    assert checker.cut() == link
    assert checker.check(CutsShown(1, (link, OTHERS.link(7)))) == ()


def test_link_that_is_spent_is_not_given_again_until_the_end_is_named() -> None:
    """A server that asks for it again gets nothing; told where the chain stands, it goes on."""
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    old = checker.own.end
    checker.check(sealed(1, old, others=OTHERS.link(8)))
    checker.cut()
    assert checker.check(voided(1, OTHER)) == ()
    assert checker.check(sealed(2, old)) == ()
    assert checker.cut() is None
    assert checker.check(voided(2, ME)) == ()
    assert checker.check(sealed(3, None)) == ()  # they are left out until they say where they stand
    assert checker.cut() is None
    assert checker.check(CutsShown(3, (None, None))) == ()
    assert checker.check(sealed(4, checker.own.end)) == ()
    assert checker.cut() is not None


def test_chain_that_ran_out_cuts_nothing_until_it_is_renewed() -> None:
    """The last link is the secret; another chain begins at its own end."""
    checker = Checker(1, ME, terms=TERMS, chain=Chain(bytes(32), 1))
    checker.check(sealed(1, checker.own.end))
    assert checker.cut() == bytes(32)
    assert checker.own.links_left == 0
    assert checker.check(CutsShown(1, (bytes(32), None))) == ()
    checker.check(sealed(2, checker.own.end))
    assert checker.cut() is None
    assert checker.check(voided(2, ME)) == ()
    checker.own.renew(CHAIN)
    assert checker.check(sealed(3, CHAIN.link(8))) == ()
    assert checker.cut() == CHAIN.link(7)


def test_cut_of_the_former_chain_counts_though_it_was_renewed_meanwhile() -> None:
    """Whoever takes another chain while others have yet to cut is not told that their cut was made for them."""
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    checker.check(sealed(1, CHAIN.link(8), others=OTHERS.link(8)))
    link = checker.cut()
    checker.own.renew(Chain(b"3" * 32, 8))
    assert checker.cut() == link
    assert checker.check(CutMade(1, ME, CHAIN.link(7))) == ()
    assert checker.check(CutsShown(1, (link, OTHERS.link(7)))) == ()


def test_who_withdraws_may_be_named_once_more_and_then_not() -> None:
    """A seal that crosses their word on the way they still cut, or all would wait; the next need not name them."""
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    checker.own.withdraw()
    assert checker.check(sealed(1, checker.own.end)) == ()
    link = checker.cut()
    assert link == CHAIN.link(7)
    assert checker.check(CutsShown(1, (link, None))) == ()
    assert checker.check(sealed(2, None)) == ()


@pytest.mark.parametrize("viewer", [ME, GALLERY])
def test_viewer_without_a_chain_cuts_nothing(viewer: Viewer) -> None:
    """They may check all the same; and a cut in their name is noticed."""
    checker = Checker(1, viewer, terms=TERMS)
    assert checker.own.end is None
    found = checker.check(sealed(1, CHAIN.link(8)))
    assert checker.cut() is None
    assert [failure.fault for failure in found] == ([Fault.OWN_LINK] if viewer == ME else [])


# --- what is not proved ----------------------------------------------------------------------------------------------


def reasons(checker: Checker) -> dict[Unproved, int]:
    return dict(checker.tally.unproved)


def test_deal_in_the_middle_of_which_one_comes_is_not_proved() -> None:
    """Neither its cuts nor its proofs nor its cards are checked, and it is counted; the next is, to the last card."""
    dealer = Dealer(Random(1))
    late = {at: Checker(dealer.table, GALLERY, terms=TERMS, joins=True) for at in range(12)}
    dealer.plain_hand()
    first = len(dealer.viewings[GALLERY].steps)
    dealer.plain_hand()
    steps = dealer.viewings[GALLERY].steps
    for at, checker in late.items():
        for step in steps[min(at, first) :]:
            assert not isinstance(step, str | Snapshot)
            assert checker.check(step) == ()
        assert checker.deals[-1].deal == 2
        assert all(card.proof is Proof.PROVED for card in checker.deals[-1].cards)
        assert (reasons(checker), checker.tally.proved) in [({}, 2), ({Unproved.JOINED: 1}, 1), ({}, 1)]
    assert reasons(late[5]) == {Unproved.JOINED: 1}


def test_deal_that_is_being_cut_is_proved_to_whoever_comes() -> None:
    """They are shown its seal and the cuts so far; but not a cut of their own that another process must make."""
    told = sealed(3, CHAIN.link(8), others=OTHERS.link(8))
    gallery = Checker(1, GALLERY, terms=TERMS, joins=True)
    assert gallery.join(told, (CHAIN.link(7), None)) == ()
    assert gallery.unproved is None
    assert gallery.check(CutsShown(3, (CHAIN.link(7), OTHERS.link(7)))) == ()
    wrong = Checker(1, GALLERY, terms=TERMS, joins=True)
    assert faults(wrong.join(told, (CHAIN.link(6), None))) == [Fault.LINK]
    own = Checker(1, ME, terms=TERMS, joins=True)
    assert own.join(told, (None, None)) == ()
    assert own.check(CutsShown(3, (CHAIN.link(7), OTHERS.link(7)))) == ()
    assert own.unproved is Unproved.JOINED


def test_table_shown_anew_makes_the_deal_in_play_unproved() -> None:
    """After a drop that is no fault, and is counted; without one it is a fault. The next deal is proved."""
    for has_dropped in (True, False):
        dealer = Dealer(Random(2))
        assert dealer.seal_deal(dealer.rounds(3))
        dealer.deal_hands()
        for viewing in dealer.viewings.values():
            if has_dropped:
                viewing.take("dropped")
            viewing.take(Snapshot())
            assert viewing.checker.unproved is Unproved.MISSED
        dealer.play_out()
        dealer.plain_hand()
        assert caught(dealer) == [[] if has_dropped else [("Snapshot", "snapshot")]] * 3
        for viewing in dealer.viewings.values():
            assert reasons(viewing.checker) == {Unproved.MISSED: 1}
            assert viewing.checker.tally.proved == 1
            assert viewing.checker.unproved is None


def test_table_shown_anew_before_a_card_was_dealt_makes_unproved_what_is_dealt() -> None:
    """Of a deal whose seal was missed nothing can be checked; it is counted with the first thing told of it."""
    checker = Checker(1, GALLERY, terms=TERMS)
    assert checker.check_snapshot(None, (), is_in_play=True, has_dropped=True) == ()
    assert checker.check(CutsShown(5, (None, None))) == ()
    assert checker.check(Played(ME, Card("3s"))) == ()
    assert reasons(checker) == {Unproved.MISSED: 1}
    checker = Checker(1, GALLERY, terms=TERMS)
    assert checker.check_snapshot(None, (), is_in_play=False, has_dropped=True) == ()
    assert faults(checker.check(CutsShown(5, (None, None)))) == [Fault.NOT_SEALED]


class DropsTheGallery(Dealer):
    """The gallery's connection does not last."""

    def disturb(self) -> None:
        if self.rng.random() < 0.2:
            self.viewings[GALLERY].drop()


def test_drop_makes_nothing_unproved() -> None:
    """What was missed is told again with its proofs, wherever the connection dropped."""
    for seed in range(40):
        dealer = DropsTheGallery(Random(seed), is_late=bool(seed % 2), misdeals=50)
        viewing = dealer.viewings[GALLERY]
        for _ in range(3):
            dealer.plain_hand()
            dealer.come_back(GALLERY)
        assert caught(dealer) == [[], [], []]
        assert reasons(viewing.checker) == {}
        assert viewing.checker.tally.proved == 3


def test_proof_that_comes_late_is_not_missed_by_who_was_away() -> None:
    """Where openings wait for the end of the hand, it may have ended while they were."""
    dealer = Dealer(Random(10), seats=4, is_late=True)
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.deal_hands()
    dealer.play(Seat(1))
    checker = dealer.viewings[ME].checker
    assert checker.deals[0].cards[-1].proof is Proof.AWAITED
    assert checker.check_snapshot(None, (), is_in_play=True, has_dropped=True) == ()
    assert checker.check(ENDED) == ()
    assert checker.deals[0].cards[-1].proof is Proof.AWAITED


@pytest.mark.parametrize("later", [None, sealed(3, None)], ids=["no seal", "another seal"])
def test_deal_that_was_dropped_while_it_was_cut_counts_as_missed(later: Sealed | None) -> None:
    """A server cannot be rid of a deal by dropping connections: either it is told how it ended, or it is counted."""
    checker = Checker(1, GALLERY, terms=TERMS)
    checker.check(sealed(1, CHAIN.link(8)))
    assert checker.check_snapshot(later, (), is_in_play=True, has_dropped=True) == ()
    assert reasons(checker) == {Unproved.MISSED: 1}
    assert checker.deals[0].unproved is Unproved.MISSED


def test_pack_that_is_not_known_is_not_proved() -> None:
    """Of a game that is unknown nobody can tell whether its pack is the right one."""
    dealer = Dealer(Random(4))
    dealer.plain_hand()
    checker = Checker(dealer.table, GALLERY)
    for step in dealer.viewings[GALLERY].steps:
        assert not isinstance(step, str | Snapshot)
        assert checker.check(step) == ()
    assert (reasons(checker), checker.tally.proved) == ({Unproved.PACK: 1}, 0)
    assert checker.deals[0].unproved is Unproved.PACK


def test_hand_without_a_seal_is_noticed_by_who_takes_part() -> None:
    """The first hand, or one after a deal that was voided by another's fault."""
    assert faults(Checker(1, ME, chain=CHAIN).check(HAND)) == [Fault.NOT_SEALED]
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    checker.check(sealed(1, checker.own.end, others=OTHERS.link(8)))
    checker.check(voided(1, OTHER))
    assert checker.check(HAND) == (Failure(1, Fault.NOT_SEALED),)


@pytest.mark.parametrize("viewer", [ME, GALLERY])
def test_hand_without_a_seal_is_nobodys_fault_where_the_viewer_takes_no_part(viewer: Viewer) -> None:
    """A deal for which nobody cuts is not sealed, which is told and counted, and no cheating."""
    checker = Checker(1, viewer, terms=TERMS)
    assert checker.check(HAND) == ()
    assert checker.unproved is Unproved.NOT_SEALED
    assert checker.deal is None
    checker.check(sealed(1, None))
    assert checker.deals[-1].unproved is None
    assert reasons(checker) == {Unproved.NOT_SEALED: 1}
    exhibition = Checker(1, viewer, terms=TERMS, is_exhibition=True)
    assert exhibition.check(HAND) == ()
    assert reasons(exhibition) == {Unproved.EXHIBITION: 1}


def test_hand_without_a_seal_is_no_fault_in_an_exhibition() -> None:
    """Also for a viewer who takes part: where cards are arranged, or repeat, nothing is sealed."""
    checker = Checker(1, ME, terms=TERMS, is_exhibition=True, chain=Chain(bytes(32), 8))
    assert checker.check(HAND) == ()
    assert checker.unproved is Unproved.EXHIBITION


@pytest.mark.parametrize("deal", [Dealer.plain_hand, Dealer.draw_for_deal])
def test_hand_without_a_seal_may_follow_one_that_had_one(deal: Callable[[Dealer], None]) -> None:
    """Where whoever cut has gone: it is not of the deal before, and no card of it is asked of that."""
    dealer = Dealer(Random(11))
    deal(dealer)
    dealer.end(DealerFound(ME) if deal is Dealer.draw_for_deal else ENDED)
    checker = dealer.viewings[GALLERY].checker
    assert checker.check(HAND) == ()
    assert checker.check(Played(ME, Card("3s"), leads=True)) == ()
    assert checker.unproved is Unproved.NOT_SEALED
    own = dealer.viewings[ME].checker
    assert faults(own.check(HAND)) == [Fault.NOT_SEALED]


def test_hand_without_a_seal_may_follow_where_one_did_not_cut_in_time() -> None:
    """Who is left out by their own fault has no claim, until the server has heard from them again."""
    checker = Checker(1, ME, terms=TERMS, chain=CHAIN)
    checker.check(sealed(1, checker.own.end))
    assert checker.check(voided(1, ME)) == ()
    assert checker.check(HAND) == ()
    assert reasons(checker) == {Unproved.NOT_COUNTED: 1}
    checker.own.count()
    assert checker.check(HAND) == (Failure(1, Fault.NOT_SEALED),)


def test_seal_that_leaves_out_who_takes_part_is_noticed() -> None:
    """The first, or the next after the server has answered that it knows their end."""
    assert faults(Checker(1, ME, chain=CHAIN).check(sealed(1, None))) == [Fault.OWN_LINK]
    checker = Checker(1, ME, joins=True)
    checker.own.renew(CHAIN)
    assert checker.check(sealed(1, None)) == ()
    checker.own.count()
    assert faults(checker.check(sealed(2, None))) == [Fault.LEFT_OPEN, Fault.OWN_LINK]


def test_witness_accuses_nobody_for_a_chain_they_do_not_know() -> None:
    """They check all that the viewer was told, and of the viewer's own cut what they can of any."""
    dealer = Dealer(Random(9))
    dealer.plain_hand()
    witness = Checker(dealer.table, ME, is_witness=True)
    steps = [step for step in dealer.viewings[ME].steps if not isinstance(step, str | Snapshot)]
    assert [witness.check(step) for step in steps] == [()] * len(steps)
    assert {card.proof for card in witness.deals[0].cards} == {Proof.PROVED}
    assert ME in [card.seat for card in witness.deals[0].cards]
    wrong = Checker(dealer.table, ME, is_witness=True)
    told = [CutsShown(1, (bytes(32), *step.links[1:])) if isinstance(step, CutsShown) else step for step in steps]
    found = [failure for step in told for failure in wrong.check(step)]
    assert {(failure.fault, failure.seat) for failure in found} >= {(Fault.LINK, ME)}


def test_proofs_told_twice_change_nothing() -> None:
    """As they are when a connection comes back."""
    dealer = Dealer(Random(3))
    dealer.plain_hand()
    for viewing in dealer.viewings.values():
        for step in [step for step in viewing.steps if isinstance(step, Openings)]:
            viewing.send(step)
    assert caught(dealer) == [[], [], []]


@pytest.mark.parametrize(
    "cards", [("3s",), ("3s", "3s"), ("3s", "1s"), ("3s", "3x"), (*FULL_PACK, *FULL_PACK)], ids=lambda cards: cards[:2]
)
def test_seal_of_what_is_no_pack_is_noticed(cards: tuple[Card, ...]) -> None:
    """Fewer cards than slots, a card twice, or what is no card; and nothing of such a deal is checked any further."""
    checker = Checker(1, GALLERY)
    odd = Sealed(1, sealed(1, None).roots, (Seat(0), Seat(1)), (None, None), cards)
    assert checker.check(odd) == (Failure(1, Fault.CARDS),)
    assert checker.check(CutsShown(1, (None, None))) == ()
    assert checker.check(Dealt(1, Seat(1), Seat(0), (1, 1))) == ()


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
    checker.check(sealed(1, CHAIN.link(8)))
    assert checker.deals[0].stage is Stage.SEALED
    assert checker.check(voided(1, ME)) == ()
    assert checker.check(Openings(1, 1, turned=PackOpening(0, bytes(32)))) == ()
    deal = checker.deals[0]
    assert (deal.stage, deal.words, deal.is_turned, deal.blamed) == (Stage.VOID, None, True, (ME,))


def test_pack_opened_after_the_game_is_checked() -> None:
    """The one that was played, and as it was sealed, is whole; any other is noticed."""
    dealer = Dealer(Random(5))
    dealer.plain_hand()
    good, turned = dealer.pack.whole(), dealer.sealing.packs[1 - dealer.drawn.pack].whole()
    dealer.plain_hand()
    own = dealer.viewings[ME]
    own.send(Openings(dealer.table, 1, played=turned))
    own.send(Openings(dealer.table, 1, played=PackOpening(good.pack, bytes(32))))
    assert own.caught == [("Openings", "pack"), ("Openings", "turned")]
    assert [deal.is_whole for deal in own.checker.deals] == [False, False]
    own.send(Openings(dealer.table, 1, played=good))
    assert [deal.is_whole for deal in own.checker.deals] == [True, False]
    assert len(own.caught) == 2


def test_faced_card_is_proved_and_is_nobodys() -> None:
    """The card after all the hands, turned up by the third law, is the next slot's and no other's."""
    dealer = hand_with_faced_card()
    dealer.show(6, Accident(3, Seat(1), dealer.card(6)))
    dealer.end(FreshDeal(None))
    assert caught(dealer) == [[], [], []]
    assert dealer.viewings[ME].checker.deals[-1].cards[0].seat is None
    dealer = hand_with_faced_card()
    dealer.show(7, Accident(3, Seat(1), dealer.card(7)))
    assert caught(dealer) == [[("Accident", "holder")]] * 3


def hand_with_faced_card() -> Dealer:
    """A hand dealt, of which an accident by the third law is to be told."""
    for seed in range(100):
        dealer = Dealer(Random(seed), misdeals=100)
        assert dealer.seal_deal(dealer.rounds(3), misdeals=100)
        dealer.deal_hands(is_face_down=True)
        if dealer.decided == Misdeal(3, Seat(1), None):
            return dealer
    raise AssertionError("no such accident")


def test_tally_has_every_deal() -> None:
    """Proved ones, and those that were called off, by who is named for them."""
    checker = Checker(1, GALLERY, terms=TERMS)
    checker.check(sealed(1, CHAIN.link(8), others=OTHERS.link(8)))
    checker.check(voided(1, OTHER, left=(ME,)))
    tally = checker.tally
    assert (tally.dealt, tally.deals_called_off) == (0, 1)
    assert [(one.seat, one.deals, one.drops) for one in tally.called_off] == [(ME, 1, 0), (OTHER, 1, 0)]
    dealer = Dealer(Random(12))
    dealer.draw_for_deal()
    for _ in range(3):
        dealer.plain_hand()
    assert [viewing.checker.tally.proved for viewing in dealer.viewings.values()] == [4, 4, 4]


def test_tally_counts_no_deal_that_is_at_fault() -> None:
    """What is wrong with it is said."""
    dealer = Dealer(Random(13))
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.send_all(Dealt(1, Seat(1), Seat(0), (3, 2)))
    dealer.end(HandEnded(HandWon.TRICKS, None, 0, ()))
    assert [viewing.checker.tally.dealt for viewing in dealer.viewings.values()] == [0, 0, 0]


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
