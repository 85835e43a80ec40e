"""Presenters: a family that no module here knows is told all the same, in plain values."""

import pytest

from put_protocol.cards import Card
from put_protocol.games import primero
from put_protocol.games.families import FAMILIES
from put_protocol.games.put import DidPut, PutView, Worth
from put_protocol.games.unknown import UnknownEvent, UnknownView
from put_protocol.seats import Seat
from put_text import presenters
from put_text.catalogue import speaking
from put_text.phrases import Speaker
from put_text.presenters import _FAMILY_OF, PRESENTERS, plain_values, presenter_of, put

WHO = Speaker(("Jack", "Moll"), Seat(0))


def test_presenter_of_a_family_tells_its_events_its_view_and_its_actions() -> None:
    """Every one of them, by its type."""
    for name, presenter in PRESENTERS.items():
        family = FAMILIES[name]
        assert {_FAMILY_OF[kind] for kind in (family.view, *family.events, *family.actions)} == {name}
        assert presenter is not plain_values
    assert presenter_of(DidPut(Seat(1))) is put


def test_family_without_a_presenter_is_told_by_the_names_of_its_fields() -> None:
    """Seats by their players, cards by their names, lists of all seats by who has what."""
    bid = primero.Bid(seat=Seat(1), amount=2, paid=2, level=2)
    assert plain_values.event_clause(bid, WHO) == "primero bid: Moll, amount 2, paid 2, level 2"
    dealt = primero.Dealt(
        hand=1, dealer=Seat(1), eldest=Seat(0), counts=(2, 2), stock=36, antes=(1, 1), cards=(Card("7h"), Card("Ks"))
    )
    assert plain_values.event_clause(dealt, WHO) == (
        "primero dealt: hand 1, dealer Moll, eldest you, counts you 2, Moll 2, stock 36, antes you 1, Moll 1, "
        "cards the 7 of hearts and the king of spades"
    )
    shown = (primero.ShownHand(Seat(1), (Card("7h"), Card("6h")), primero.Category.NUMERUS, 39),)
    assert plain_values.event_clause(primero.Showdown(shown), WHO) == (
        "primero showdown: hands seat Moll, cards the 7 of hearts and the 6 of hearts, category numerus, points 39"
    )
    view = primero.PrimeroView(
        hands=12, limit=6, gains=(0, 0), pot=2, to_move=Seat(1), moment=primero.Moment.OPEN, playing=(True, False)
    )
    assert list(plain_values.view_clauses(view, WHO)) == [
        "hands: 12",
        "limit: 6",
        "gains: you 0, Moll 0",
        "playing: you yes, Moll no",
        "pot: 2",
        "Moll is to move (open)",
    ]
    assert list(plain_values.score_clauses(view, WHO)) == ["gains: you 0, Moll 0", "pot: 2"]


def test_unknown_event_and_view_are_told_by_their_names_and_values() -> None:
    """Of a later release nothing is known but what came; nothing of it reaches a terminal that would obey it."""
    event = UnknownEvent("whist.knocked", {"seat": 1, "card": "3s", "with": [1, 2], "says": "\x1b[2J", "won": True})
    assert plain_values.event_clause(event, WHO) == (
        "whist knocked: Moll, card the 3 of spades, with you 1, Moll 2, says [2J, won yes"
    )
    view = UnknownView("whist", {"to_move": 0, "trick": {"cards": ["3s"]}, "pot": 3, "names": ["a", None, {}]})
    assert list(plain_values.view_clauses(view, WHO)) == [
        "trick: cards the 3 of spades",
        "pot: 3",
        "names: a, nothing, ",
        "you are to move",
    ]
    assert list(plain_values.introduction_clauses(view, WHO)) == []
    assert plain_values.event_clause(UnknownEvent("wait", {}), WHO) == "wait"


def test_table_of_primero_says_how_much_may_be_bet() -> None:
    """Who asks how it stands has not heard the beginning, and no list of choices where another is to move."""
    for hand in (0, 1):
        view = primero.PrimeroView(hands=2, limit=17, hand=hand, gains=(0, 0))
        told = "; ".join(presenter_of(view).view_clauses(view, WHO))
        assert "two hands, and a bet or a raise is 17 at most" in told


@pytest.mark.parametrize(("language", "worth"), [("en", "worth four points so far"), ("fr", "vaut quatre points pour")])
def test_table_of_truc_says_what_the_hand_is_worth_while_an_offer_waits(language: str, worth: str) -> None:
    """The player who has to answer would otherwise not hear what they may throw in."""
    view = PutView(
        target=12, scores=(0, 0), hand=1, counts=(2, 2), putter=Seat(1), value=4, accepted=Worth.VALUE, to_move=Seat(0)
    )
    with speaking(language):
        assert worth in " ".join(put.view_clauses(view, WHO))


def test_families_are_named_in_their_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """`knows` depends on the families, and not on the order in which presenters were loaded."""
    monkeypatch.setattr(presenters, "PRESENTERS", dict(reversed(PRESENTERS.items())))
    assert presenters.families_in_words() == tuple(FAMILIES)
