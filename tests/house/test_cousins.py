"""Moves that another one beats, in the rule sets that came after put-1674: the steady player makes none of them.

And, where no move beats another, that it does what anybody would.
"""

from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.cards import Card, pack_of
from put_protocol.games import put
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Action, Choice
from put_protocol.seats import Seat
from put_rules.put.rule_sets import PUT_1674, PUT_1800, PUT_PARLETT, PUT_PARTNERS, PUT_TAVERN, TRUC
from put_rules.put.rules import PutRules
from put_server.house.put.steady import Steady
from tests.house.sample_hands import asked, cards, leading, plays, under

DICE = range(3)
"""Seeds for a claim that must hold however the dice fall: with partners, hands are sampled."""

SELDOM = 0.02
"""What is done less often is not done."""

ME, OTHER = Seat(0), Seat(1)


def does(view: put.PutView, *actions: Action) -> set[str]:
    """What seat 0 does of these, besides playing its cards if it may."""
    choices = tuple(Choice(action, "") for action in actions)
    if view.moment in (put.Moment.LEAD, put.Moment.REPLY):
        choices = (*plays(" ".join(view.cards)), *choices)
    done = set()
    for seed in DICE:
        often: dict[str, float] = {}
        for action, share in Steady(Random(seed)).mixture(view, choices, ME).items():
            often[type(action).__name__] = often.get(type(action).__name__, 0.0) + share
        done |= {name for name, share in often.items() if share > SELDOM}
    return done


def led_to(view: put.PutView, card: str) -> put.PutView:
    """The other has led this card."""
    count = len(view.cards)
    trick = TrickView((OTHER,), cards(card))
    return replace(view, moment=put.Moment.REPLY, eldest=OTHER, dealer=ME, trick=trick, counts=(count, count - 1))


def last_say(held: str, winner: Seat | None, scores: tuple[int, int] = (0, 0)) -> put.PutView:
    """Seat 0 is eldest, the first trick is over, and eldest is to put or throw in."""
    past = TrickView((ME, OTHER), cards("9s 9h" if winner is None else "9s 8h" if winner == ME else "8s 9h"), winner)
    tricks = (int(winner == ME), int(winner == OTHER))
    view = under(PUT_1800, leading(held, scores=scores, tricks=tricks, past=(past,)))
    return replace(view, moment=put.Moment.LAST_SAY)


def hands_of_three(rules: PutRules, count: int) -> list[str]:
    dice = Random(rules.name)
    return [" ".join(dice.sample(pack_of(rules.ranks), 3)) for _ in range(count)]


# --- the three stages of put-1800 -------------------------------------------------------------------------------------


@pytest.mark.parametrize("held", ["4s 4h 4d", "5s 4h 4d", "6s 9h 10d", "3s 4h 5d"])
def test_steady_does_not_throw_in_what_waiting_keeps(held: str) -> None:
    """Before the last say a card can be played for nothing, and the hand thrown in later."""
    view = under(PUT_1800, leading(held))
    assert "ThrowIn" not in does(view, put.Put(), put.ThrowIn())
    assert "ThrowIn" not in does(led_to(view, "3c"), put.Put(), put.ThrowIn())


@pytest.mark.parametrize(("held", "winner"), [("3s 3h", ME), ("3s 4h", ME), ("3s 3h", None)])
def test_steady_puts_in_its_last_say_when_it_cannot_lose(held: str, winner: Seat | None) -> None:
    """The first trick won and a three, or tied and two threes: thrown in, that would be a point for nothing."""
    assert does(last_say(held, winner), put.Put(), put.ThrowIn()) == {"Put"}


@pytest.mark.parametrize("scores", [(0, 4), (4, 4)])
def test_steady_puts_in_its_last_say_when_throwing_in_loses_the_game(scores: tuple[int, int]) -> None:
    """With a point missing to the other, even fours put after a trick lost."""
    assert does(last_say("4s 4h", OTHER, scores), put.Put(), put.ThrowIn()) == {"Put"}


def test_steady_mostly_throws_in_a_lost_hand_in_its_last_say() -> None:
    """A trick lost and two fours left: a point is cheaper than the game, but for a bluff now and then."""
    view = last_say("4s 4h", OTHER)
    choices = (Choice(put.Put(), ""), Choice(put.ThrowIn(), ""))
    assert 0 < Steady(Random(1)).mixture(view, choices, ME)[put.Put()] < 1 / 3


def test_steady_keeps_the_choice_at_its_last_point() -> None:
    """Whom a point brings home waits: the other must put or lose, and may lose by putting."""
    for held in hands_of_three(PUT_1800, 8):
        view = under(PUT_1800, leading(held, scores=(4, 0)))
        if does(view, put.Put(), put.ThrowIn()) != {"Play"}:
            pytest.fail(held)


@pytest.mark.parametrize("rules", [PUT_1800, PUT_PARLETT, PUT_TAVERN, TRUC], ids=lambda rules: rules.name)
def test_steady_answers_what_it_must(rules: PutRules) -> None:
    """The best hand sees; the worst throws in, but sees where throwing in would lose the game."""
    ranks = rules.ranks
    best, worst = (" ".join(f"{rank}{suit}" for suit in "shd") for rank in (ranks[0], ranks[-1]))
    ruined = (0, rules.target - 1)
    assert does(under(rules, asked(best)), put.See(), put.ThrowIn()) == {"See"}
    assert does(under(rules, asked(worst)), put.See(), put.ThrowIn()) == {"ThrowIn"}
    assert does(under(rules, asked(worst, scores=ruined)), put.See(), put.ThrowIn()) == {"See"}


# --- partners ---------------------------------------------------------------------------------------------------------


def partners(held: str, moment: put.Moment) -> put.PutView:
    """Seat 0 of four, in partnerships, is asked this before the play."""
    count = len(held.split())
    view = under(PUT_PARTNERS, leading(held, scores=(0, 0, 0, 0)))
    if moment is put.Moment.GIVE:
        return replace(view, moment=moment, counts=(3, 3, 3, 3))
    is_in = (True, True, False, False)
    return replace(view, moment=moment, counts=(count, count, 0, 0), playing=is_in, givers=(Seat(2), Seat(3)))


@pytest.mark.parametrize("held", ["3s 2h Ad", "3s 3h Kd", "2s 2h Kd"])
def test_steady_keeps_a_strong_hand(held: str) -> None:
    """With a strong rest it lets its partner give, and plays itself."""
    assert does(partners(held, put.Moment.GIVE), put.Give(), put.Let()) == {"Let"}


@pytest.mark.parametrize("held", ["3s 4h 4d", "3s 5h 4d", "2s 6h 4d"])
def test_steady_gives_one_strong_card_out_of_a_weak_hand(held: str) -> None:
    """With one good card and nothing else it gives."""
    assert does(partners(held, put.Moment.GIVE), put.Give(), put.Let()) == {"Give"}


@pytest.mark.parametrize(("held", "worst"), [("3s 3h 4d 2c", "4d"), ("10s 4h 3d 3c", "4h"), ("As 3h 2d Kc", "Kc")])
def test_steady_discards_its_worst_card(held: str, worst: str) -> None:
    """Of four cards the lowest goes, wherever it lies."""
    view, choices = partners(held, put.Moment.DISCARD), tuple(Choice(put.Discard(card), "") for card in cards(held))
    assert {Steady(Random(seed)).choose(view, choices, ME) for seed in DICE} == {put.Discard(Card(worst))}


def test_steady_counts_its_partners_points_as_its_own() -> None:
    """The other side at its last point: what is thrown in loses the game; one's own side there: it does not."""
    view = replace(partners("4s 4h 5d", put.Moment.ANSWER), putter=OTHER, eldest=OTHER, dealer=ME)
    assert does(view, put.See(), put.ThrowIn()) == {"ThrowIn"}
    assert does(replace(view, scores=(0, 4, 0, 4)), put.See(), put.ThrowIn()) == {"See"}
    assert does(replace(view, scores=(4, 0, 4, 0)), put.See(), put.ThrowIn()) == {"ThrowIn"}


# --- concessions, put-parlett -----------------------------------------------------------------------------------------


def test_steady_concedes_a_hopeless_hand() -> None:
    """Fours are not led to a hand that wins the game while there are points to spare."""
    assert "Play" not in does(under(PUT_PARLETT, leading("4s 4h 5d")), put.Put(), put.ThrowIn())


def test_steady_does_not_concede_the_game() -> None:
    """With a point missing to the other, conceding is losing: the worst hand is played, or wants a concession."""
    for held in ("4s 4h 5d", "4s 5h 6d", "9s 10h 4d"):
        assert "ThrowIn" not in does(under(PUT_PARLETT, leading(held, scores=(0, 4))), put.Put(), put.ThrowIn())


def test_steady_does_not_offer_to_give_up_a_hand_that_is_won() -> None:
    """A trick ahead and with a three to lead it cannot lose: it leads, and wins the game instead of a point."""
    past = (TrickView((ME, OTHER), cards("2h 4h"), ME),)
    view = under(PUT_PARLETT, leading("3s 3d", tricks=(1, 0), past=past))
    assert does(view, put.Put(), put.ThrowIn()) == {"Play"}


@pytest.mark.parametrize("held", ["3s 3h 2d", "3s 2h Ad"])
def test_steady_leads_a_strong_hand(held: str) -> None:
    """Who is likely to win the game outright does not offer to take a point for it, nor throws in."""
    assert does(under(PUT_PARLETT, leading(held)), put.Put(), put.ThrowIn()) == {"Play"}


def test_steady_asks_for_the_concession_that_wins() -> None:
    """At its own last point a put costs nothing: conceded or seen, it is worth as much as leading."""
    for held in ("3s 3h 3d", "3s 2h Kd"):
        assert does(under(PUT_PARLETT, leading(held, scores=(4, 0))), put.Put(), put.ThrowIn()) == {"Put"}


# --- the round before the first trick, put-tavern ---------------------------------------------------------------------


@pytest.mark.parametrize("is_eldest", [True, False])
def test_steady_speaks_before_the_first_trick(is_eldest: bool) -> None:
    """Eldest or dealer: the best hand puts, and one with nothing to lose; one that a point brings home does not."""

    def view(held: str, scores: tuple[int, int]) -> put.PutView:
        speaking = replace(under(PUT_TAVERN, leading(held, scores=scores)), moment=put.Moment.OPENING)
        return speaking if is_eldest else replace(speaking, eldest=OTHER, dealer=ME)

    assert does(view("3s 3h 3d", (0, 0)), put.Pass(), put.Put()) == {"Put"}
    assert does(view("9s Jh Qd", (4, 0)), put.Pass(), put.Put()) == {"Pass"}
    assert does(view("4s 5h 6d", (0, 4)), put.Pass(), put.Put()) == {"Put"}


# --- doubling, truc ---------------------------------------------------------------------------------------------------


def truc(view: put.PutView, value: int = 1) -> put.PutView:
    return replace(under(TRUC, view), value=value)


@pytest.mark.parametrize("held", ["9s 9h 10d", "As 8h Kd", "Qs Jh 10d"])
def test_steady_does_not_double_what_wins_already(held: str) -> None:
    """Points beyond the target count for nothing, and more could be lost."""
    assert does(truc(leading(held, scores=(10, 0)), value=2), put.Double()) == {"Play"}


@pytest.mark.parametrize("held", ["9s 9h 10d", "As 8h Kd", "Qs Jh 10d"])
def test_steady_doubles_what_loses_the_game_already(held: str) -> None:
    """When the hand lost is the game lost, it may as well be worth more when won."""
    assert does(truc(leading(held, scores=(2, 10)), value=2), put.Double()) == {"Double"}


def test_steady_doubles_what_it_cannot_lose() -> None:
    """Three sevens are worth all there is."""
    assert does(truc(leading("7s 7h 7d")), put.Double()) == {"Double"}


def test_steady_takes_a_double_by_its_chance() -> None:
    """A hand that wins more often than one time in four takes it, also a weak one; one with no chance does not."""
    assert does(truc(asked("8s Ah Kd")), put.See(), put.ThrowIn()) == {"See"}
    assert does(truc(asked("9s 9h 10d")), put.See(), put.ThrowIn()) == {"ThrowIn"}


def test_steady_throws_in_to_a_double_that_is_lost() -> None:
    """A trick lost and the other to lead: nines cannot win any more."""
    past = (TrickView((ME, OTHER), cards("10s 10h"), None), TrickView((ME, OTHER), cards("9c Kh"), OTHER))
    view = replace(asked("9s", scores=(0, 0)), tricks=(0, 1), past=past, putter=OTHER)
    assert does(truc(view), put.See(), put.ThrowIn()) == {"ThrowIn"}


# --- accidents in the dealing -----------------------------------------------------------------------------------------


def accident(law: int, card: str | None = None) -> set[str]:
    """What seat 0, eldest, has become of it; hands are unseen."""
    seen = put.AccidentView(law, ME, None if card is None else Card(card))
    view = replace(leading(""), moment=put.Moment.ACCIDENT, cards=(), accident=seen)
    return does(view, put.Redeal(), put.Abide())


def test_steady_takes_the_point_for_an_accident() -> None:
    """Law 5 (Enquire Within 1856): the dealer has one too many; a fresh deal, and a point with it."""
    assert accident(5) == {"Redeal"}


@pytest.mark.parametrize(("card", "does"), [("3s", "Abide"), ("Kd", "Abide"), ("4s", "Redeal"), ("8c", "Redeal")])
def test_steady_keeps_a_good_card_that_was_seen(card: str, does: str) -> None:
    """Law 1: a card of one's own that all have seen is worth keeping if it is a good one."""
    assert accident(1, card) == {does}


def test_steady_does_not_mind_a_card_too_many() -> None:
    """Law 4: one drawn unseen out of its hand leaves it as good as a fresh deal would."""
    assert accident(4) == {"Abide"}


def test_steady_knows_no_rule_set_by_name() -> None:
    """Views that say the same are played the same: a hand of put-tavern after its round is one of put-1674."""
    view = leading("3s 9h 5d")
    assert under(PUT_TAVERN, view) == under(PUT_1674, view)
    assert {
        type(Steady(Random(1)).choose(under(rules, view), plays("3s 9h 5d"), ME)) for rules in (PUT_1674, PUT_TAVERN)
    } == {put.Play}
