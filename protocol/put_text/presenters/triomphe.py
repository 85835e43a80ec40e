"""Triomphe Forcée in English: its events and views as clauses, and the words typed for its action.

Nothing is worked out by a rule: all that is said stands in the event or the view.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec import Struct

from put_protocol.cards import FOOL, LE_BASTELEUR, Card
from put_protocol.games import triomphe
from put_protocol.games.triomphe import HandWon, Moment, TriompheView
from put_protocol.seats import Seat
from put_protocol.text import listed
from put_text.phrases import Speaker, format_card, format_count, format_trick, format_tricks

TASKS: Mapping[Moment, str] = {Moment.LEAD: "to lead", Moment.FOLLOW: "to play to the trick"}
"""The task of the player to move."""


def event_clause(event: triomphe.TriompheEvent, who: Speaker) -> str:
    """One clause that says all the event does."""
    match event:
        case triomphe.TurnedUp(dealer=dealer) if who.is_brief:
            return f"{who.does(dealer, 'deal')} first"
        case triomphe.TurnedUp(seats=seats, cards=cards, dealer=dealer):
            turned = [f"{format_card(card)} for {who.name(seat)}" for seat, card in zip(seats, cards, strict=False)]
            first = f"{who.does(dealer, 'deal')} first"
            return f"cards are turned up for the deal, until the first trump: {listed(turned)}; {first}"
        case triomphe.Dealt():
            return _deal(event, who)
        case triomphe.LaMortShown(seat=seat, card=card):
            return f"{who.does(seat, 'show')} {who.card(card)}"
        case triomphe.Declared(seat=seat, cards=cards) if who.is_brief:
            return f"{who.does(seat, 'declare')} {listed([_declared(card, who) for card in cards])}"
        case triomphe.Declared(seat=seat, cards=cards, paid=paid):
            gets = f"{who.verb(seat, 'get')} {paid or 'nothing'} from the pool"
            return f"{who.does(seat, 'declare')} {listed([_declared(card, who) for card in cards])}, and {gets}"
        case triomphe.Played(seat=seat, card=card, leads=leads):
            return who.plays(seat, card, leads=leads)
        case triomphe.TrickEnded(number=number, winner=winner, tricks=tricks):
            taken = f"{who.does(winner, 'take')} trick {number}"
            return taken if who.is_brief else f"{taken}; tricks taken so far: {who.counted(tricks)}"
        case triomphe.HandEnded():
            return _end_of_hand(event, who)
        case _:
            assert_never(event)


def _deal(event: triomphe.Dealt, who: Speaker) -> str:
    dealt = [Seat(seat) for seat, count in enumerate(event.counts) if count]
    sizes = {event.counts[seat] for seat in dealt}
    stakes = {stake for stake in event.stakes if stake}
    cards = (
        f"{format_count(min(sizes), 'card')} each" if len(sizes) == 1 else f"cards dealt: {who.counted(event.counts)}"
    )
    if 0 < len(dealt) < len(event.counts):
        cards += f" to {who.names(dealt)}"
    staked = f"each stakes {min(stakes)}" if len(stakes) == 1 else f"the stakes are {who.counted(event.stakes)}"
    own = f"; {who.holding(event.cards)}" if event.cards else ""
    pool = f"{staked}, so the pool holds {sum(event.stakes)}"
    first = f"{who.does(event.eldest, 'are', 'is')} the first to play"
    if who.is_brief:
        lead = "; you lead" if event.eldest == who.you else ""  # another's lead is heard at once
        return f"hand {event.hand}{lead}{own}"
    return f"{who.does(event.dealer, 'deal')} hand {event.hand}, {cards}; {pool}; {first}{own}"


def _declared(card: Card, who: Speaker) -> str:
    if card in (FOOL, LE_BASTELEUR):
        return "the Fool" if card == FOOL else who.card(card)
    return "La Force" if who.is_brief else f"La Force, {format_card(card)}"


def _end_of_hand(event: triomphe.HandEnded, who: Speaker) -> str:
    if event.winner is None:
        return "the hand is over, because nothing is left of the pool"
    winner = event.winner
    if who.is_brief:
        return f"{who.does(winner, 'win')} the hand: {event.paid or 'nothing'}"
    wins = f"{who.name(winner)} {who.verb(winner, 'win')} the hand"
    takes = f"{who.verb(winner, 'take')} {event.paid or 'nothing'} from the pool"
    match event.how:
        case HandWon.LA_MORT:
            return f"{wins} with La Mort, and {who.verb(winner, 'take')} the stakes, {event.paid}"
        case HandWon.EMPTIED:
            return f"the declarations have emptied the pool, so the hand is over; {who.name(winner)} {takes}"
        case HandWon.MOST:
            return f"{wins} with the most tricks, and {takes}"
        case HandWon.SECOND_FIRST:
            return f"{wins}, as the first of two players to have two tricks, and {takes}"
        case HandWon.FIRST_TRICK:
            return f"{wins}, with the first of five tricks to five players, and {takes}"
        case HandWon.ALONE:
            return f"{wins}, as everyone else has left, and {takes}"
        case _:
            assert_never(event.how)


def view_clauses(view: TriompheView, who: Speaker) -> Iterable[str]:
    """The whole table, a clause each; the last says whose move it is."""
    yield f"the sitting is of {format_count(view.hands, 'hand')}, and each player stakes {view.stake} on a hand"
    yield f"La Force is {format_card(view.force)}"
    yield from score_clauses(view, who)
    if not view.hand:
        yield "no hand has been dealt yet"
        return
    if not any(view.counts) and view.to_move is None:
        yield from _course(view, who)
        yield f"hand {view.hand} is over"
        return
    dealt = f"this is hand {view.hand}"
    if view.dealer is not None:
        dealt += f", dealt by {who.name(view.dealer)}"
    if view.eldest is not None:
        dealt += f"; {who.does(view.eldest, 'were', 'was')} the first to play"
    yield dealt
    for place, count in enumerate(view.counts):
        seat = Seat(place)
        own = seat == who.you and view.cards
        yield who.holding(view.cards) if own else f"{who.does(seat, 'hold')} {format_count(count, 'card')}"
    yield from _course(view, who)
    yield f"on the table {format_trick(view.trick, who)}" if view.trick.cards else "no card is on the table"
    yield who.to_move(view.to_move, "to move" if view.moment is None else TASKS[view.moment])


def _course(view: TriompheView, who: Speaker) -> Iterable[str]:
    """The cards shown and played in the hand so far."""
    for seat, shown in enumerate(view.declared):
        if shown:
            yield f"{who.does(Seat(seat), 'showed', 'showed')} {listed([format_card(card) for card in shown])}"
    yield from format_tricks(view.past, view.tricks, who)


def introduction_clauses(view: TriompheView, who: Speaker) -> Iterable[str]:  # noqa: ARG001  # as in every presenter
    """Facts to know before the first card: the length of the sitting, and the order of the cards."""
    yield f"the sitting is of {format_count(view.hands, 'hand')}, and each player stakes {view.stake} on a hand"
    yield "trumps rank from XXI, the best, down to I, and beat every suit; the Fool beats nothing"
    yield (
        "swords and batons rank king, queen, cavalier, knave, and from 10 down to 1; "
        "cups and coins king, queen, cavalier, knave, and from 1 down to 10"
    )
    yield f"La Force is {format_card(view.force)}"


def score_clauses(view: TriompheView, who: Speaker) -> Iterable[str]:
    """The gains of the purses, and what is left to win."""
    yield f"in this sitting {who.gains(view.gains, so_far=True)}"
    if view.pool:
        yield f"the pool holds {view.pool}"


TYPED: Mapping[type[Struct], frozenset[str]] = {triomphe.Play: frozenset({"play", "lead"})}
"""Words typed before a card; the card alone will do, too."""

GRAVE: tuple[type[Struct], ...] = ()
"""No card decides a deal by itself."""


def why_not(words: str) -> str | None:  # noqa: ARG001  # as in every presenter
    """All that is typed here is cards."""
    return None
