"""The laws of the cards in Put and its relatives, over random games of every rule set."""

import itertools
from typing import NamedTuple

from put_protocol.cards import Card
from put_protocol.games import families, put
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Turn
from tests.conformance import random_games
from tests.conformance.tables import Table, games_at
from tests.games.put_tables import allies, at_every_put_table, view_of


class Cards(NamedTuple):
    """Where the cards of a hand are, as the views of all seats together tell."""

    held: dict[Seat, set[Card]]
    thrown: dict[Seat, set[Card]]
    shown: list[Card]

    @property
    def all(self) -> list[Card]:
        seats = [card for where in (self.held, self.thrown) for cards in where.values() for card in cards]
        return seats + self.shown


def cards_of(views: list[put.PutView]) -> Cards:
    """From the views of all seats."""
    return Cards(
        {Seat(seat): set(view.cards) for seat, view in enumerate(views)},
        {Seat(seat): set(view.thrown) for seat, view in enumerate(views)},
        [card for trick in (*views[0].past, views[0].trick) for card in trick.cards],
    )


@at_every_put_table
def test_cards_are_conserved(table: Table) -> None:
    """From deal to deal no card is twice anywhere or comes from nowhere: a card leaves a hand to be shown in a trick,
    to be thrown away, or as a gift to the partner; else only with a player who gives up their hand, or when the hand is
    over."""
    for played in games_at(table):
        pack: frozenset[Card] = frozenset()
        dealt = 0
        before = Cards({}, {}, [])
        for step in played.steps:
            views = [view_of(played.game, step.state, Seat(seat)) for seat in range(played.setup.seats)]
            now = cards_of(views)
            seen = step.seen_by(GALLERY)
            if isinstance(step.given, random_games.Pack):
                pack = frozenset(step.given.cards)
            assert len(set(now.all)) == len(now.all)
            assert set(now.all) <= pack or not pack
            assert all(view.counts == views[0].counts for view in views)
            if views[0].moment is put.Moment.ACCIDENT:
                assert not any(now.held.values()), "nobody has seen their hand"
            else:
                assert views[0].counts in ((), tuple(map(len, now.held.values())))
            if any(isinstance(event, put.HandEnded | put.GameEnded | put.FreshDeal) for event in seen):
                assert not any((*now.held.values(), *now.thrown.values())), "a hand that is over is laid away"
            elif any(isinstance(event, put.Dealt | put.TakenUp) for event in seen):
                dealt = len(now.all)
            elif step.given is not None and views[0].moment is not put.Moment.ACCIDENT:
                check_moves(played.setup, before, now, seen)
                if not any(isinstance(event, put.ThrewIn) for event in seen):
                    assert len(now.all) == len(before.all)
                assert len(now.all) <= dealt
            before = now


def check_moves(setup: random_games.Setup, before: Cards, now: Cards, seen: tuple[Event, ...]) -> None:
    """Cards moved between two states of a hand as the events say, and no others did."""
    out = {ally for event in seen if isinstance(event, put.ThrewIn) for ally in allies(setup, event.seat)}
    givers = {event.to: event.seat for event in seen if isinstance(event, put.Gave)}
    discarders = {event.seat for event in seen if isinstance(event, put.Discarded)}
    for seat, cards in now.held.items():
        came = cards - before.held[seat]
        if seat in givers:
            assert len(came) == 1
            assert came <= before.held[givers[seat]]
        else:
            assert not came
        gone = before.held[seat] - cards
        away = now.thrown[seat] - before.thrown[seat]
        assert away <= gone
        assert len(away) == (2 if seat in givers.values() else 1 if seat in discarders else 0)
        given = set().union(*(now.held[to] for to, giver in givers.items() if giver == seat))
        assert gone - away <= given | set(now.shown) or (seat in out and not cards)
    assert now.shown[: len(before.shown)] == before.shown
    assert set(now.shown[len(before.shown) :]) <= set().union(*before.held.values())


@at_every_put_table
def test_mover_follows_from_what_came_of_their_move(table: Table) -> None:
    """Of every action the events say whose it was, but of one: to let a deal stand. (That they never say anybody
    else's, whatever the input, the follower above sees to.)"""
    for played in games_at(table, share=0.2):
        for before, step in itertools.pairwise(played.steps):
            if isinstance(step.given, random_games.Act) and not isinstance(step.given.action, put.Abide):
                awaits = played.game.awaits(before.state)
                assert isinstance(awaits, Turn)
                for viewer in played.setup.viewers:
                    view = played.game.view(before.state, viewer)
                    assert families.mover_of(view, step.seen_by(viewer)) == awaits.seat


@at_every_put_table
def test_thrown_cards_and_gifts_are_their_owners_alone(table: Table) -> None:
    """A view's own cards are as many as its seat was dealt and in no other seat's view, nor are those they threw away;
    a gift is known to the two partners; the gallery has none; and until an accident is settled nobody has."""
    accidents = 0
    for played in games_at(table, share=0.5):
        for step in played.steps:
            views = [view_of(played.game, step.state, viewer) for viewer in played.setup.viewers]
            *seats, gallery = views
            assert gallery.cards == gallery.thrown == ()
            assert gallery.gave is None
            held = [card for view in seats for card in (*view.cards, *view.thrown)]
            assert len(set(held)) == len(held)
            assert all(
                (view.gave is not None) == (seat in view.givers and bool(view.counts))
                for seat, view in enumerate(seats)
            )
            if gallery.moment is put.Moment.ACCIDENT:
                accidents += 1
                assert not held
            elif gallery.counts:
                assert tuple(len(view.cards) for view in seats) == gallery.counts
            else:
                assert not held
    assert accidents or "misdeals" not in played.setup.options
