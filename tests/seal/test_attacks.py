"""Cheats, each with who catches it, by what, and when. The honest table, which nobody may accuse: test_campaign."""

from collections.abc import Callable
from random import Random

import pytest

from put_protocol.cards import FULL_PACK
from put_protocol.games.put import Dealt, Drawn, ExtraDrawn, FreshDeal, GameEnded, GameWon, Gave, Played
from put_protocol.games.unions import Event
from put_protocol.seal.accidents import Misdeal
from put_protocol.seal.checker import Checker
from put_protocol.seal.cuts import draw
from put_protocol.seal.findings import Fault, Proof, Unproved
from put_protocol.seal.terms import SealTerms
from put_protocol.seal_events import Sealed
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted, PresenceChanged, Sat
from tests.seal import cheats, family_cheats
from tests.seal.miniature_table import ENDED, Dealer
from tests.seal.viewings import Viewing

TRIALS = 200
HALF = range(72, 129)
"""Of 200 trials with an even chance: four standard deviations about 100."""

ALWAYS = 60
"""Trials of what happens every time."""


def played_by(cheat: type[Dealer], seed: int = 1, *, hands: int = 2, **terms: object) -> Dealer:
    """A table of this dealer after some hands."""
    dealer = cheat(Random(seed), **terms)  # type: ignore[arg-type]  # a test's terms are the dealer's
    for _ in range(hands):
        dealer.plain_hand()
    return dealer


def first_caught(viewing: Viewing) -> tuple[str, str] | None:
    return viewing.caught[0] if viewing.caught else None


@pytest.mark.parametrize(
    ("cheat", "told", "fault"),
    [
        (family_cheats.LeavesACardOut, "Sealed", "stock"),
        (family_cheats.AddsAStrangeCard, "Sealed", "cards"),
        (family_cheats.TellsWhoLaidThemAway, "Sealed", "cards"),
        (family_cheats.RenewsTooEarly, "Sealed", "stock"),
        (family_cheats.SealsTheStockForAnother, "Sealed", "stock"),
        (family_cheats.TellsAnotherCount, "StockRenewed", "stock"),
        (family_cheats.ShowsAnothersHand, "Showdown", "holder"),
        (cheats.SealsAStockWhereNoneIs, "Sealed", "terms"),
        (cheats.BlamesWhoHasLeft, "DealVoided", "blame"),
        (family_cheats.AddsATrump, "Sealed", "cards"),
        (family_cheats.TurnsUpOutOfOrder, "TurnedUp", "holder"),
        (family_cheats.TurnsUpFromAnotherSeat, "TurnedUp", "to"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_cheat_at_another_game_is_caught_by_all_at_once(cheat: type[Dealer], told: str, fault: str, seed: int) -> None:
    """At Primero, where the stock is renewed, and at Triomphe: everyone catches it with what gives it away."""
    dealer = played_by(cheat, seed, hands=4)
    for viewing in dealer.viewings.values():
        assert first_caught(viewing) == (told, fault)


@pytest.mark.parametrize(
    ("cheat", "told", "fault"),
    [
        (family_cheats.DealsMoreToTheNext, "MoreDealt", "holder"),
        (family_cheats.DrawsALaterCard, "Drew", "holder"),
        (family_cheats.DrawsBackWhatIsLaidDown, "Drew", "repeated"),
        (family_cheats.RenewsWithoutASeal, "StockRenewed", "not_sealed"),
    ],
)
def test_card_of_primero_that_was_not_drawn_is_caught_by_who_gets_it(
    cheat: type[Dealer], told: str, fault: str
) -> None:
    """At once: who draws it sees that it is not the next one, or that it is one which they had before."""
    dealer = played_by(cheat, 2, hands=4)
    assert (told, fault) in [first_caught(dealer.viewings[seat]) for seat in dealer.seats]


def test_card_that_is_exchanged_in_the_stock_is_caught_by_who_holds_it() -> None:
    """Its holder sees it in the seal; so does who laid the missing one away."""
    dealer = played_by(family_cheats.ExchangesACard, 2, hands=4)
    assert first_caught(dealer.viewings[Seat(0)]) == ("Sealed", "stock")


def test_trump_that_is_there_twice_is_caught_half_the_time() -> None:
    """As any pack that is none: when it is turned up."""
    caught = [
        all(viewing.caught for viewing in played_by(family_cheats.RepeatsATrump, seed, hands=1).viewings.values())
        for seed in range(60)
    ]
    assert 18 < sum(caught) < 54


def test_mort_shown_by_who_was_not_dealt_it_is_caught_by_all() -> None:
    """The card was dealt to somebody else."""
    dealer = played_by(family_cheats.ShowsAnothersMort, 2, hands=8)
    for viewing in dealer.viewings.values():
        assert first_caught(viewing) == ("LaMortShown", "holder")


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
        (cheats.VoidsAfterTheLastCut, 1, "DealVoided", "voided"),
        (cheats.BlamesNobody, 1, "DealVoided", "blame"),
        (cheats.BlamesWhoHasCut, 1, "DealVoided", "blame"),
        (cheats.BlamesAnEmptyChair, 1, "DealVoided", "blame"),
        (cheats.HidesTheVoid, 1, "DealVoided", "not_turned"),
        (cheats.TurnsUpOthersInAVoid, 1, "DealVoided", "turned"),
        (cheats.TurnsUpNothing, 1, "Dealt", "not_turned"),
        (cheats.PlaysWithAShortPack, 1, "Sealed", "cards"),
        (cheats.ProvesLate, 1, "Sealed", "terms"),
        (cheats.SealsAnotherChance, 1, "Sealed", "terms"),
        (cheats.ShowsTheTableAnew, 1, "Snapshot", "snapshot"),
        (cheats.ShowsAnotherSeal, 1, "Snapshot", "changed"),
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
    """Who is dealt such a card catches it at once, before they play; the gallery with the first card that is played."""
    dealer = played_by(cheat, hands=1)
    for seat in dealer.seats:
        assert first_caught(dealer.viewings[seat]) == (told, fault)
    assert first_caught(dealer.viewings[GALLERY]) == ("Played" if told == "Dealt" else told, fault)


def test_card_that_is_not_in_the_pack_is_caught_by_who_gets_it() -> None:
    """Whatever opening comes with it."""
    dealer = played_by(cheats.DealsAStrangeCard, hands=1)
    assert {fault for seat in dealer.seats for _, fault in dealer.viewings[seat].caught[:1]} <= {"strange", "repeated"}
    assert all(("Dealt", "strange") in dealer.viewings[seat].caught for seat in dealer.seats)


def test_place_opened_as_two_cards_is_caught() -> None:
    """Who has seen a place opened never takes it for another card's."""
    dealer = cheats.OpensTwice(Random(2))
    assert dealer.seal_deal([0, 1])
    for _ in range(8):
        dealer.open(GALLERY, [0])
    assert {fault for _, fault in dealer.viewings[GALLERY].caught} in ({"position"}, {"leaf", "position"})


@pytest.mark.parametrize("cheat", [cheats.DropsACut, cheats.AltersACut])
def test_cut_dropped_or_altered_is_caught_by_all(cheat: type[Dealer]) -> None:
    """The others see that it is not the one promised; whose it is sees that it is not theirs."""
    dealer = played_by(cheat, hands=1)
    own, *others = [[fault for _, fault in viewing.caught[:2]] for viewing in dealer.viewings.values()]
    assert own == ["own_link", "link"]
    assert [caught[0] for caught in others] == ["link"] * 2


def test_cut_made_in_anothers_name_is_caught_by_them_alone() -> None:
    """A chain that is not theirs deceives the others, whom it costs nothing; they give no link of their own for it."""
    dealer = played_by(cheats.CutsForAnother)
    own, *others = dealer.viewings.values()
    assert [fault for _, fault in own.caught] == ["own_link"] * 2
    assert own.checker.own.links_left == own.setting.checker().own.links_left
    assert not any(viewing.caught for viewing in others)


def test_seat_left_out_of_the_cutting_catches_it_with_the_seal() -> None:
    """Who took part in the deal before is named by the next seal."""
    own, *others = played_by(cheats.LeavesOut).viewings.values()
    assert first_caught(own) == ("Sealed", "own_link")
    assert not any(viewing.caught for viewing in others)


def test_cut_that_was_given_is_never_given_again() -> None:
    """Asked again for a link that the server may know, a client cuts nothing."""
    dealer = cheats.AsksForAnOldCut(Random(5))
    dealer.plain_hand()
    own = dealer.viewings[Seat(0)]
    left = own.checker.own.links_left
    assert dealer.seal_deal(dealer.rounds(3))
    assert own.checker.own.links_left == left
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


@pytest.mark.parametrize("seats", [2, 3])
def test_void_that_blames_who_has_cut_is_caught_by_them(seats: int) -> None:
    """Whose cut was kept back knows that they gave it; the others cannot know, and count that it was called off."""
    dealer = played_by(cheats.BlamesAnHonestCutter, hands=1, seats=seats)
    own = dealer.viewings.pop(Seat(1))
    assert own.caught == [("DealVoided", "blame")]
    for viewing in dealer.viewings.values():
        assert viewing.caught == []
        tally = viewing.checker.tally
        assert (tally.deals_called_off, [(one.seat, one.deals) for one in tally.called_off]) == (1, [(1, 1)])


def test_void_that_blames_who_takes_no_part_is_caught_by_all() -> None:
    """They were not asked to cut."""
    dealer = played_by(cheats.BlamesWhoTakesNoPart, hands=1, seats=3, cutters=(0, 1))
    assert all(viewing.caught == [("DealVoided", "blame")] for viewing in dealer.viewings.values())


def test_voids_that_nothing_explains_are_told() -> None:
    """One void for a seat is let pass, and one for each time that its connection was lost; any more are suspect."""
    dealer = cheats.OftenLacksACut(Random(3), seats=3)
    suspects = []
    gallery = dealer.viewings[GALLERY].checker
    for _ in range(6):
        dealer.ends[1] = dealer.viewings[Seat(1)].checker.own.end
        dealer.plain_hand()
        suspects.append([one.seat for one in gallery.tally.suspects])
    assert suspects == [[], [], [1], [1], [1], [1]]
    assert not any(viewing.caught for viewing in dealer.viewings.values())
    for _ in range(2):
        dealer.send_all(PresenceChanged(Seat(1), away=True))
        dealer.send_all(PresenceChanged(Seat(1), away=False))
    assert gallery.tally.suspects == ()
    dealer.send_all(Sat(Seat(1), "somebody else"))
    assert gallery.tally.called_off == ()
    assert gallery.tally.deals_called_off == 3


def test_who_did_not_cut_twice_running_and_plays_on_is_caught() -> None:
    """By everyone, with the seal that deals to them again: no player of the server's can go on choosing among deals."""
    dealer = cheats.NeverHasACut(Random(3), seats=3)
    for _ in range(3):
        dealer.ends[1] = dealer.viewings[Seat(1)].checker.own.end
        dealer.plain_hand()
    for viewing in dealer.viewings.values():
        assert first_caught(viewing) == ("Sealed", "let_off")


def test_cards_for_somebody_who_left_are_caught() -> None:
    """For whose leaving a deal was voided, they get no card of that game; whoever sits there next may."""
    dealer = played_by(cheats.DealsToWhoLeft)
    assert all(first_caught(viewing) == ("Sealed", "gone") for viewing in dealer.viewings.values())
    for after in (Sat(Seat(0), "somebody else"), GameStarted(2, ("one", "two"))):
        dealer = cheats.DealsToWhoLeft(Random(1))
        dealer.plain_hand()
        dealer.send_all(after)
        dealer.plain_hand()
        assert all(viewing.caught == [] for viewing in dealer.viewings.values())


def test_cut_told_as_another_is_caught() -> None:
    """Told one by one, a cut must be the one that was promised, and stay it."""
    for viewing in played_by(cheats.TellsAnotherCut, hands=1).viewings.values():
        assert viewing.caught[0] in {("CutMade", "link"), ("CutMade", "own_link")}
    for viewing in played_by(cheats.TellsACutTwice, hands=1).viewings.values():
        assert ("CutMade", "changed") in viewing.caught[:2]


def test_cuts_shown_must_be_those_that_were_told_one_by_one() -> None:
    """None of them can be left out."""
    dealer = cheats.ShowsNoCuts(Random(4))
    gallery = dealer.viewings[GALLERY].checker
    assert dealer.seal_deal(dealer.rounds(3))
    assert {failure.seat for failure in gallery.deals[0].failures if failure.fault is Fault.LINK} == {0, 1}


# --- accidents -------------------------------------------------------------------------------------------------------


def hand_with(
    cheat: type[Dealer], is_it: Callable[[Misdeal | None], bool], *, is_held: bool = False, **terms: object
) -> Dealer:
    """A table of this dealer after a hand whose accident, as it is decided, is such. `is_held`: the hand was taken up,
    and not played yet."""
    for seed in range(500):
        dealer = cheat(Random(seed), misdeals=50, **terms)  # type: ignore[arg-type]  # a test's terms are the dealer's
        is_taken_up = dealer.hand()
        if is_taken_up and not is_held:
            dealer.play_out(0.8)
        if is_it(dealer.decided) and (is_taken_up or not is_held):
            return dealer
    raise AssertionError("no such accident")


def by_law(*laws: int) -> Callable[[Misdeal | None], bool]:
    """Whether it falls under one of these."""
    return lambda found: found is not None and found.law in laws


@pytest.mark.parametrize(
    ("cheat", "is_it", "told"),
    [
        (cheats.InventsAccidents, lambda found: found is None, "Accident"),
        (cheats.HidesAccidents, by_law(1, 2, 3), "Dealt"),
        (cheats.ChoosesTheLaw, by_law(1, 2, 3), "Accident"),
        (cheats.ChoosesTheVictim, by_law(1), "Accident"),
        (cheats.ChoosesTheCardSeen, by_law(1, 2), "Accident"),
        (cheats.KeepsTheLeaf, lambda _: True, "Dealt"),
        (cheats.SealsNoChance, lambda _: True, "Dealt"),
    ],
)
@pytest.mark.parametrize("seats", [2, 3])
def test_accident_that_is_not_the_one_decided_is_caught_by_all(
    cheat: type[Dealer], is_it: Callable[[Misdeal | None], bool], told: str, seats: int
) -> None:
    """One that is made up, left out or altered, or whose leaf is kept back. Whoever is dealt no card at once catches
    an accident that was left out with the next event."""
    for viewing in hand_with(cheat, is_it, seats=seats).viewings.values():
        assert viewing.caught[0][1] == "accident"
        if cheat is not cheats.HidesAccidents or viewing.setting.viewer != GALLERY:
            assert viewing.caught[0][0] == told


def test_accident_where_none_was_agreed_is_caught() -> None:
    """At a table without a chance of accidents there is no leaf that could decide on one."""
    for viewing in played_by(cheats.InventsAccidents, hands=1).viewings.values():
        assert first_caught(viewing) == ("Accident", "accident")


@pytest.mark.parametrize("law", [4, 5])
@pytest.mark.parametrize("cheat", [cheats.HidesAccidents, cheats.ChoosesTheLaw])
def test_card_too_many_that_is_not_dealt_is_caught(cheat: type[Dealer], law: int) -> None:
    """The counts are those that the accident makes; whatever else is told of it ends no check."""
    for viewing in hand_with(cheat, by_law(law)).viewings.values():
        assert first_caught(viewing) == ("Dealt", "to")
        assert "accident" in {fault for _, fault in viewing.caught}


def test_card_too_many_without_an_accident_is_caught() -> None:
    """A seat gets as many cards as the seal says."""
    for viewing in played_by(cheats.DealsOneMore, hands=1).viewings.values():
        assert first_caught(viewing) == ("Dealt", "to")


def test_card_too_many_is_drawn_as_decided() -> None:
    """Whoever keeps the card that was to be drawn cannot show it: they catch it when they take up their hand."""
    dealer = hand_with(cheats.ChoosesTheCardDrawn, by_law(4, 5), is_held=True)
    assert dealer.decided is not None
    assert dealer.viewings[dealer.decided.seat].caught == [("TakenUp", "holder")]


def test_card_drawn_out_of_a_hand_without_one_too_many_is_caught() -> None:
    """Also where the hand has had an accident of another kind, or none."""
    dealer = hand_dealt()
    dealer.send_all(ExtraDrawn(Seat(0)))
    assert all(viewing.caught == [("ExtraDrawn", "accident")] for viewing in dealer.viewings.values())
    dealer = hand_with(Dealer, by_law(2))
    seat = dealer.to[-1]
    dealer.send_all(ExtraDrawn(seat))
    assert all(viewing.caught == [("ExtraDrawn", "accident")] for viewing in dealer.viewings.values())


def test_leaf_that_was_not_sealed_is_caught() -> None:
    """With the opening or, where that came first, with the cuts."""
    for viewing in played_by(cheats.OpensAnotherLeaf, hands=1, misdeals=50).viewings.values():
        assert viewing.caught[0] in {("Openings", "leaf"), ("CutsShown", "leaf")}
        assert viewing.caught[1] == ("Dealt", "accident")


def test_hand_that_was_called_afresh_has_no_accident() -> None:
    """A seal that has a chance of one is caught with the hand."""
    dealer = cheats.NeverDealsAfresh(Random(2), misdeals=100)
    while not dealer.is_fresh:
        dealer.plain_hand()
    assert not any(viewing.caught for viewing in dealer.viewings.values())
    dealer.plain_hand()
    assert all(first_caught(viewing) == ("Dealt", "accident") for viewing in dealer.viewings.values())


@pytest.mark.parametrize(("seats", "is_late"), [(3, False), (4, True)])
def test_adversaries_that_are_not_the_dealers_are_caught(seats: int, is_late: bool) -> None:
    """All but the dealer, and not their partner, in the order they are dealt to."""
    dealer = played_by(cheats.SealsOtherAdversaries, hands=1, seats=seats, is_late=is_late, misdeals=50)
    assert all(first_caught(viewing) == ("Sealed", "terms") for viewing in dealer.viewings.values())


@pytest.mark.parametrize(
    ("to", "adversaries"),
    [((), ()), ((0, 0, 0), ()), ((0, 2) * 3, ()), ((0, 2) * 3, (0,)), ((0, 1, 1, 0), (0,)), ((0, 1, 0), (0,))],
)
def test_seal_under_which_an_accident_could_befall_nobody_is_caught(
    to: tuple[Seat, ...], adversaries: tuple[Seat, ...]
) -> None:
    """Without an adversary, or dealt in no order, no law says who it is."""
    checker = Checker(1, GALLERY, terms=SealTerms(FULL_PACK, late=True, misdeals=50))
    roots = (bytes(32), b"2" * 32)
    found = checker.check(Sealed(1, roots, to, (None,) * 4, late=True, misdeals=50, adversaries=adversaries))
    assert [failure.fault for failure in found] == [Fault.TERMS]


# --- packs that are none ---------------------------------------------------------------------------------------------


def caught_by_first(cheat: type[Dealer], trials: int) -> list[list[tuple[str, str]]]:
    """What the first seat finds in each trial, at a table each."""
    return [played_by(cheat, seed, hands=1).viewings[Seat(0)].caught for seed in range(trials)]


def test_pack_with_a_card_twice_is_caught_every_second_time() -> None:
    """It is turned up as often as it is played; played, it passes unless both are seen."""
    trials = caught_by_first(cheats.RepeatsACard, TRIALS)
    turned = sum("turned" in {fault for _, fault in caught} for caught in trials)
    assert turned in HALF
    assert turned <= sum(map(bool, trials)) < TRIALS


def test_pack_with_a_card_twice_is_caught_every_second_time_though_deals_are_called_off() -> None:
    """A deal that is called off lest its bad pack be turned up turns it up all the same."""
    trials = caught_by_first(cheats.VoidsBadPacks, TRIALS)
    assert sum(("DealVoided", "turned") in caught for caught in trials) in HALF


def test_pack_of_one_card_is_caught_every_time() -> None:
    """Turned up it is none; played, its second card is the first one's like."""
    assert {caught[0][1] for caught in caught_by_first(cheats.PlaysThreesOnly, ALWAYS)} == {"turned", "repeated"}


def test_salt_used_again_is_caught_every_time() -> None:
    """In the pack that is turned up it does not come from the seed; in the other, two openings have it."""
    assert {caught[0][1] for caught in caught_by_first(cheats.ReusesSalts, ALWAYS)} == {"turned", "salt"}


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
    assert isinstance(again, Played)
    dealer.send_all(again)
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
        viewing.send(Drawn(dealer.seats, (dealer.card(0), dealer.card(1))))
        assert viewing.caught == [("Drawn", "holder")] * 2


def test_hand_of_another_size_than_sealed_is_caught() -> None:
    """A seat that gets fewer cards than the seal says catches it, and so do all."""
    dealer = Dealer(Random(9))
    assert dealer.seal_deal(dealer.rounds(3))
    dealer.send_all(Dealt(1, Seat(1), Seat(0), (3, 2)))
    assert all(viewing.caught == [("Dealt", "to")] for viewing in dealer.viewings.values())


def test_second_hand_from_the_same_pack_is_caught() -> None:
    """A deal is one hand. Once that is over, whoever cuts misses a seal; to the gallery it is a hand that has none."""
    dealer = hand_dealt()
    dealer.send_all(Dealt(2, Seat(1), Seat(0), (3, 3)))
    assert all(viewing.caught == [("Dealt", "to")] for viewing in dealer.viewings.values())
    dealer = hand_dealt()
    dealer.end(ENDED)
    dealer.send_all(Dealt(2, Seat(1), Seat(0), (3, 3)))
    gallery = dealer.viewings.pop(GALLERY)
    assert all(viewing.caught == [("Dealt", "not_sealed")] for viewing in dealer.viewings.values())
    assert gallery.checker.unproved is Unproved.NOT_SEALED


@pytest.mark.parametrize(
    "over",
    [
        ENDED,
        FreshDeal(None),
        GameEnded(GameWon.FORFEIT, (), (), ()),
        Sealed(2, (bytes(32), b"2" * 32), (), (b"2" * 32, b"2" * 32), late=True),
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
    assert dealer.viewings[Seat(0)].caught == []  # they saw it proved when it was dealt to them


def test_own_card_is_due_when_dealt_also_where_others_are_late() -> None:
    """Who is dealt a card need not wait for its proof; who is not, sees at the end that there is none."""
    dealer = played_by(cheats.OpensNothing, hands=1, is_late=True)
    assert all(first_caught(dealer.viewings[seat]) == ("Dealt", "unopened") for seat in dealer.seats)
    assert first_caught(dealer.viewings[GALLERY]) == ("HandEnded", "unopened")


def test_card_seen_by_accident_may_be_given_away_unseen() -> None:
    """It is played by the partner, though it was seen in another hand; and no other card is."""
    dealer = hand_with(Dealer, by_law(1), seats=4, is_held=True)
    assert dealer.decided is not None
    giver, place = dealer.decided.seat, dealer.decided.card
    assert place is not None
    to = Seat((giver + 2) % 4)
    slot, another = dealer.hands[giver][place], dealer.hands[giver][place - 1]
    dealer.show(slot, Gave(giver, to, dealer.card(slot)), to=(giver, to), blind=Gave(giver, to))
    dealer.show(slot, Played(to, dealer.card(slot)))
    assert not any(viewing.caught for viewing in dealer.viewings.values())
    dealer.show(another, Played(to, dealer.card(another)))
    assert all(viewing.caught == [("Played", "holder")] for viewing in dealer.viewings.values())


def test_gift_serves_for_one_card_and_from_one_hand() -> None:
    """Who was given a card unseen may play one card that was dealt to their partner, and no second."""
    dealer = hand_dealt(seats=4)
    first, second, _ = dealer.hands[Seat(0)]
    dealer.show(first, Gave(Seat(0), Seat(2), dealer.card(first)), to=(Seat(0), Seat(2)), blind=Gave(Seat(0), Seat(2)))
    dealer.show(first, Played(Seat(2), dealer.card(first)))
    assert not any(viewing.caught for viewing in dealer.viewings.values())
    dealer.show(second, Played(Seat(2), dealer.card(second)))
    assert all(viewing.caught == [("Played", "holder")] for viewing in dealer.viewings.values())
