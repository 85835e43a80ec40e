"""Secrets of Primero: what a viewer may know of a game."""

from put_protocol.cards import Card
from put_protocol.games.primero import Announced, Dealt, Drew, PrimeroView, Showdown, Traded, TurnedUp
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Viewer
from tests.conformance import tables
from tests.conformance.random_games import Step
from tests.conformance.scopes import own_cards


def learns(played: tables.Played, step: Step, viewer: Viewer) -> set[Card]:
    """Their own hand and what they laid down, what was turned up for the deal, and the hands of a showdown."""
    view = played.game.view(step.state, viewer)
    assert isinstance(view, PrimeroView)
    cards = set() if viewer == GALLERY else {*view.cards, *view.thrown}
    for event in step.seen_by(viewer):
        match event:
            case Dealt(eldest=eldest, counts=counts):
                cards.update(own_cards(step, viewer, eldest, counts))
            case Traded(seat=seat, cards=own) | Drew(seat=seat, cards=own) if seat == viewer:
                cards.update(own)  # the hand may be over before a view shows them
            case TurnedUp(cards=shown):
                cards.update(shown)
            case Showdown(hands=hands):
                cards.update(card for hand in hands for card in hand.cards)
            case _:
                pass
    return cards


def stays(played: tables.Played) -> set[Card]:
    """Every card may lie anywhere."""
    assert played.steps
    return set()


def by_rule(event: Event) -> object:
    """A player who does not announce has their own category announced."""
    return (event.seat, event.category) if isinstance(event, Announced) else None
