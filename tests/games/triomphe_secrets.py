"""Secrets of Triomphe Forcée: what a viewer may know of a game."""

from put_protocol.cards import Card
from put_protocol.games.triomphe import Dealt, Declared, LaMortShown, Played, TriompheView, TurnedUp
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Viewer
from tests.conformance import tables
from tests.conformance.random_games import Step
from tests.conformance.scopes import own_cards


def learns(played: tables.Played, step: Step, viewer: Viewer) -> set[Card]:
    """Their own hand, what was turned up for the deal, declared, or played."""
    view = played.game.view(step.state, viewer)
    cards = set() if viewer == GALLERY else set(view.cards)
    for event in step.seen_by(GALLERY):
        match event:
            case Dealt(eldest=eldest, counts=counts):
                cards.update(own_cards(step, viewer, eldest, counts))
            case TurnedUp(cards=shown) | Declared(cards=shown):
                cards.update(shown)
            case LaMortShown(card=card) | Played(card=card):
                cards.add(card)
            case _:
                pass
    return cards


def stays(played: tables.Played) -> set[Card]:
    """Whoever holds one of these shows it before a card is played, so that they lie where they are."""
    view = played.game.view(played.steps[0].state, GALLERY)
    assert isinstance(view, TriompheView)
    return {Card("13t"), Card("0t"), Card("1t"), view.force}


def by_rule(event: Event) -> object:
    """The lowest legal card is played for a player who does not play."""
    return (event.seat, event.card) if isinstance(event, Played) else None
