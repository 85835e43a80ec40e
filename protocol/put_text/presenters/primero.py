"""Primero in English: its events and views as clauses, and the words typed for its actions.

Nothing is worked out by a rule: all that is said stands in the event or the view.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games import primero
from put_protocol.games.primero import Category, HandWon, Moment, PrimeroView, ShownHand
from put_protocol.seats import Seat
from put_protocol.text import listed
from put_text.phrases import Speaker, format_card, format_cards, format_count, number_word

TASKS: Mapping[Moment, str] = {
    Moment.OPEN: "to bet or trade",
    Moment.ANSWER: "to answer the bet",
    Moment.VADA: "to call vada or go on",
    Moment.ANNOUNCE: "to announce a category",
    Moment.BET: "to bet or pass",
    Moment.TRADE: "to trade or stand",
}
"""The task of the player to move. To that player the server says it in its own words (`Decision.asks`)."""

CATEGORIES: Mapping[Category, str] = {
    Category.NUMERUS: "a Numerus",
    Category.PRIMERO: "a Primero",
    Category.SUPREMUS: "a Supremus",
    Category.FLUXUS: "a Fluxus",
    Category.CHORUS: "a Chorus",
}
"""The words that are said."""


def task_of(view: PrimeroView) -> str:
    """The task of the player to move."""
    return "to move" if view.moment is None else TASKS[view.moment]


def event_clause(event: primero.PrimeroEvent, who: Speaker) -> str:
    """One clause that says all the event does."""
    match event:
        case primero.TurnedUp(dealer=dealer) if who.is_brief:
            return f"{who.does(dealer, 'deal')} first"
        case primero.TurnedUp(seats=seats, cards=cards, dealer=dealer):
            turned = [f"{who.name(seat)} {format_card(card)}" for seat, card in zip(seats, cards, strict=False)]
            dealing = f"{who.does(dealer, 'have', 'has')} the first ace and {who.verb(dealer, 'deal')} first"
            return f"cards are turned up for the deal: {listed(turned)}; {dealing}"
        case primero.Dealt():
            return _deal(event, who)
        case primero.MoreDealt(cards=cards) if who.is_brief:
            return who.holding(cards, "primero-gets") if cards else "two more cards each"
        case primero.MoreDealt(to=to, cards=cards):
            own = f"; {who.holding(cards)} besides" if cards else ""
            return f"two more cards are dealt to {who.names(dict.fromkeys(to))}{own}"
        case primero.ThrownIn(ends_trading=ends_trading) if who.is_brief:
            return f"no bet: the cards are dealt again{', and no player may trade' if ends_trading else ''}"
        case primero.ThrownIn(ends_trading=ends_trading):
            trading = ", and no player may trade in the next deal" if ends_trading else ""
            return f"no player has bet, so the cards are thrown in and dealt again{trading}; the pot stays"
        case primero.Traded(seat=seat, count=count) if who.is_brief:
            return "" if seat == who.you else f"{who.does(seat, 'trade')} {number_word(count)}"
        case primero.Traded(seat=seat, count=count, cards=cards):
            return f"{who.does(seat, 'lay')} down {_cards(cards, count)}"
        case primero.Drew(cards=cards) if who.is_brief:
            return who.holding(cards, "primero-draws") if cards else ""  # how many, the trade has said
        case primero.Drew(seat=seat, count=count, stock=stock, cards=cards):
            left = f"{format_count(stock, 'cards')} {'is' if stock == 1 else 'are'} left in the stock"
            return f"{who.does(seat, 'draw')} {_cards(cards, count)}; {left}"
        case primero.StockRenewed() if who.is_brief:
            return "the stock is shuffled anew"
        case primero.StockRenewed(stock=stock):
            cards_away = "the cards laid down and those of players who are out"
            return f"the stock has run out: {cards_away} are shuffled into a new one of {format_count(stock, 'cards')}"
        case primero.Bid(seat=seat, amount=amount, level=level) if level > amount and who.is_brief:
            return f"{who.does(seat, 'raise')} by {amount}, to {level}"
        case primero.Bid(seat=seat, amount=amount, paid=paid, level=level) if level > amount:
            pays = f"and {who.verb(seat, 'pay')} {paid}"
            return f"{who.does(seat, 'raise')} the bet by {amount} {pays}: to see it takes {level} in all"
        case primero.Bid(seat=seat, amount=amount):
            return f"{who.does(seat, 'bet')} {amount}"
        case primero.Saw(seat=seat) if who.is_brief:
            return who.does(seat, "see")
        case primero.Saw(seat=seat, paid=paid):
            return f"{who.does(seat, 'see')} the bet and {who.verb(seat, 'pay')} {paid}"
        case primero.Refused(seat=seat):
            return who.does(seat, "refuse") + ("" if who.is_brief else " the bet")
        case primero.Withdrawn():
            return _withdrawal(event, who)
        case primero.Passed(seat=seat):
            return f"{who.does(seat, 'pass', 'passes')}"
        case primero.WentOut(seats=seats):
            return f"{_are(seats, who)} out" + ("" if who.is_brief else " of the hand, and the cards go away unseen")
        case primero.CalledVada(seat=seat):
            return f"{who.does(seat, 'call')} vada: everyone shows at once"
        case primero.WentOn() if who.is_brief:
            return ""  # only a vada is news
        case primero.WentOn(seat=seat):
            return f"{who.does(seat, 'go', 'goes')} on"
        case primero.Announced(seat=seat, category=category):
            return f"{who.does(seat, 'announce')} {CATEGORIES[category]}"
        case primero.Stood(seat=seat):
            return who.does(seat, "stand") + ("" if who.is_brief else f" and {who.verb(seat, 'keep')} all cards")
        case primero.BettingOver():
            return "" if who.is_brief else "this round of betting is over"
        case primero.Showdown(hands=hands):
            return "; ".join(_shown(hands, who)) or "no player shows a hand"
        case primero.HandEnded(how=how, winner=winner, paid=paid):
            return f"{who.does(winner, 'take')} the pot of {paid}" + ("" if who.is_brief else f", {_WON[how]}")
        case _:
            assert_never(event)


_WON: Mapping[HandWon, str] = {
    HandWon.SHOWDOWN: "for the best hand",
    HandWon.ALONE: "as the only one left",
}


def _deal(event: primero.Dealt, who: Speaker) -> str:
    dealt = [Seat(seat) for seat, count in enumerate(event.counts) if count]
    to = f" to {who.names(dealt)}" if len(dealt) < len(event.counts) else ""
    again = "" if any(event.antes) else " again"
    antes = "" if again else "; everyone who plays pays one into the pot"
    first = f"{who.does(event.eldest, 'speak')} first"
    own = f"; {who.holding(event.cards)}" if event.cards else ""
    if who.is_brief:
        return f"hand {event.hand}{again}; {first}{own}"
    return f"{who.does(event.dealer, 'deal')} hand {event.hand}{again}, two cards each{to}{antes}; {first}{own}"


def _withdrawal(event: primero.Withdrawn, who: Speaker) -> str:
    seat = event.seat
    if who.is_brief:
        stands = "" if event.bettor is None else f"; {who.possessive(event.bettor)} bet of {event.level} stands"
        return f"no taker: {who.does(seat, 'take')} back {event.paid}{stands}"
    back = f"{who.does(seat, 'take')} back {event.paid} and may raise no more in this round"
    stands = "" if event.bettor is None else f"; {who.possessive(event.bettor)} bet stands again, {event.level} in all"
    return f"no player takes the bet, so {back}{stands}"


def _cards(cards: Sequence[Card], count: int) -> str:
    return format_cards(cards) if cards else f"{format_count(count, 'cards')}, unseen"


def _are(seats: Sequence[Seat], who: Speaker) -> str:
    return who.does(seats[0], "are", "is") if len(seats) == 1 else f"{who.names(seats)} are"


def _shown(hands: Iterable[ShownHand], who: Speaker) -> Iterable[str]:
    for hand in hands:
        if who.is_brief:
            yield f"{who.does(hand.seat, 'show')} {CATEGORIES[hand.category]} of {hand.points}"
            continue
        worth = f"{CATEGORIES[hand.category]} of {format_count(hand.points, 'points')}"
        yield f"{who.does(hand.seat, 'show')} {format_cards(hand.cards)}, {worth}"


def view_clauses(view: PrimeroView, who: Speaker) -> tuple[str, ...]:
    """The whole table, a clause each: the purses, the hand, the bets, the cards, and whose move it is."""
    said = list(score_clauses(view, who))
    if view.running:
        deals = "one deal was" if view.running == 1 else f"{format_count(view.running, 'deals')} running were"
        said.append(f"{deals} thrown in, because everyone traded")
    if not view.hand:
        return (*said, "no hand has been dealt yet")
    if not any(view.counts):
        state = "is to be dealt again" if view.pot else "is over"
        return (*said, *_shown(view.shown, who), f"hand {view.hand} of {view.hands} {state}")
    dealt = f"this is hand {view.hand} of {view.hands}"
    if view.dealer is not None:
        dealt += f", dealt by {who.name(view.dealer)}"
    if view.eldest is not None:
        dealt += f"; {who.does(view.eldest, 'speak')} first"
    said.append(dealt)
    said.extend(_holdings(view, who))
    if view.thrown:
        said.append(f"you laid down {format_cards(view.thrown)}")
    said.append(f"{format_count(view.stock, 'cards')} {'is' if view.stock == 1 else 'are'} left in the stock")
    said.extend(
        f"{who.does(Seat(seat), 'announced', 'announced')} {CATEGORIES[category]}"
        for seat, category in enumerate(view.announced)
        if category is not None
    )
    said.extend(_bets(view, who))
    said.append(who.to_move(view.to_move, task_of(view)))
    return tuple(said)


def _holdings(view: PrimeroView, who: Speaker) -> Iterable[str]:
    for place, count in enumerate(view.counts):
        seat = Seat(place)
        if place < len(view.playing) and not view.playing[place]:
            yield f"{who.does(seat, 'are', 'is')} out of this hand"
        elif seat == who.you:
            yield f"you hold {format_cards(view.cards)}"
        else:
            traded = view.traded[place] if place < len(view.traded) else 0
            trades = f", having traded {format_count(traded, 'cards')}" if traded else ""
            yield f"{who.does(seat, 'hold')} {format_count(count, 'cards')}{trades}"


def _bets(view: PrimeroView, who: Speaker) -> Iterable[str]:
    if view.bettor is not None:
        whose = "yours" if view.bettor == who.you else who.possessive(view.bettor)
        yield f"the bet is {whose}: to see it takes {view.level} in all in this round"
        yield f"put in so far: {who.counted(view.put_in)}"
    if view.refused:
        yield f"{who.names(view.refused)} refused it"
    if view.barred:
        yield f"{who.names(view.barred)} had a bet withdrawn and may raise no more"


def introduction_clauses(view: PrimeroView, who: Speaker) -> tuple[str, ...]:  # noqa: ARG001  # as in every presenter
    """Facts to know of a sitting before its first card: its length, the pack, the limit, and the way round."""
    return (
        f"the sitting is {format_count(view.hands, 'hands')}, and a bet or a raise is {view.limit} at most",
        "the pack has 40 cards, without the eights, nines and tens",
        "the turn passes to the right, counter-clockwise",
    )


def score_clauses(view: PrimeroView, who: Speaker) -> Iterable[str]:
    """The amount each purse has gained, and what the pot holds."""
    yield f"in this sitting {who.gains(view.gains, so_far=True)}"
    if view.pot:
        yield f"the pot holds {view.pot}"


GRAVE: tuple[type[Struct], ...] = (primero.Refuse, primero.Vada)
"""They decide what becomes of a hand."""
