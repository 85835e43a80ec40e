"""Primero as numbers. Every card of the pack has a place of its own, in the canonical order; a trade names cards by
their places in the hand, in the order in which the view shows them."""

from array import array
from collections.abc import Sequence
from itertools import combinations

from put_env.families.codec import Codec
from put_env.layout import NUMBER, Layout, crossed, seat_labels
from put_protocol.cards import PACKS
from put_protocol.games import primero
from put_protocol.games.primero import Category, Moment, PrimeroAction, PrimeroView
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.betting import MOST_RAISES
from put_rules.primero.machine import PrimeroGame
from put_rules.primero.rules import MOST_THROWN_IN

_PACK = PACKS["french-40"]
_MOMENTS = {moment: place for place, moment in enumerate(Moment)}
_PLACES = {card: place for place, card in enumerate(_PACK)}
_CATEGORIES = {category: place for place, category in enumerate(Category)}
_HELD = 4
_TRADES = (*combinations(range(_HELD), 1), *combinations(range(_HELD), 2))
"""Places of the cards that may be traded together."""


class PrimeroCodec(Codec):
    """The codec of a table of Primero."""

    hand_ends = (primero.HandEnded, GameOver)

    def __init__(self, game: PrimeroGame) -> None:
        terms = game.terms
        limit = terms.rules.limit
        self._seats = terms.seats
        self._code_of, self._trade = _codes(limit)
        trades = ["trade " + " ".join(str(place + 1) for place in places) for places in _TRADES]
        self.actions = (*[_name(action) for action in self._code_of], *trades)
        self._lay_out(terms.seats, limit, terms.rules.hands)

    def _lay_out(self, number: int, limit: int, hands: int) -> None:
        seats, categories = seat_labels(number), tuple(Category)
        add = (layout := Layout()).add
        self.layout = layout
        a_round = limit * (1 + MOST_RAISES * number)
        paid = hands * (1 + 2 * a_round)
        self._hand = add("hand", "own cards", _PACK)
        self._own = add(
            "place", "own cards in the order held, as a trade names them", crossed(("1", "2", "3", "4"), _PACK)
        )
        self._moment = add("moment", "what the seat to move is asked for", tuple(Moment))
        self._to_move = add("to_move", "whose decision it is", seats)
        self._number = add("number", "which hand of the sitting, from 1", most=hands)
        self._gain = add(
            "gain", "what each purse gained since the sitting began", seats, least=-paid, most=number * paid
        )
        self._dealer = add("dealer", "who dealt", seats)
        self._eldest = add("eldest", "who speaks first", seats)
        self._count = add("count", "cards each holds", seats, most=_HELD)
        self._playing = add("playing", "who is still in the hand", seats)
        self._pot = add("pot", "what the pot holds", most=number * (1 + 2 * a_round))
        self._level = add("level", "what it takes to see the bet, in this round", most=a_round)
        self._bettor = add("bettor", "who made the bet that is to be answered", seats)
        self._put_in = add("put_in", "what each has put in in this round", seats, most=a_round)
        self._refused = add("refused", "who refused that bet", seats)
        self._barred = add("barred", "who had a bet withdrawn, and may raise no more", seats)
        self._raises = add("raises", "raises each has made in this round", seats, most=MOST_RAISES)
        self._announced = add("announced", "what each has announced", crossed(seats, categories))
        self._traded = add("traded", "cards each has traded since the deal", seats, most=_HELD)
        self._thrown = add("thrown", "own cards laid down since the deal", _PACK)
        self._stock = add("stock", "cards left in the pack", most=len(_PACK))
        self._running = add("running", "deals thrown in running", most=MOST_THROWN_IN)
        self._vada = add("vada", "who called the last showdown", seats)
        self._shown = add("shown", "the hands of the last showdown", crossed(seats, _PACK))
        self._blank = layout.blank()

    def encode(self, view: PrimeroView, seat: Seat) -> "array[float]":
        numbers = array(NUMBER, self._blank)
        seats = self._seats
        for place, card in enumerate(view.cards):
            numbers[self._hand + _PLACES[card]] = 1
            numbers[self._own + len(_PACK) * place + _PLACES[card]] = 1
        for card in view.thrown:
            numbers[self._thrown + _PLACES[card]] = 1
        if view.moment is not None:
            numbers[self._moment + _MOMENTS[view.moment]] = 1
        for first, who in (
            (self._to_move, view.to_move),
            (self._dealer, view.dealer),
            (self._eldest, view.eldest),
            (self._bettor, view.bettor),
            (self._vada, view.vada),
        ):
            if who is not None:
                numbers[first + (who - seat) % seats] = 1
        numbers[self._number] = view.hand
        numbers[self._pot] = view.pot
        numbers[self._level] = view.level
        numbers[self._stock] = view.stock
        numbers[self._running] = view.running
        for first, values in (
            (self._gain, view.gains),
            (self._count, view.counts),
            (self._playing, view.playing),
            (self._put_in, view.put_in),
            (self._raises, view.raises),
            (self._traded, view.traded),
        ):
            for other, value in enumerate(values):
                numbers[first + (other - seat) % seats] = value
        for first, who_did in ((self._refused, view.refused), (self._barred, view.barred)):
            for other in who_did:
                numbers[first + (other - seat) % seats] = 1
        for other, category in enumerate(view.announced):
            if category is not None:
                numbers[self._announced + len(_CATEGORIES) * ((other - seat) % seats) + _CATEGORIES[category]] = 1
        for hand in view.shown:
            for card in hand.cards:
                numbers[self._shown + len(_PACK) * ((hand.seat - seat) % seats) + _PLACES[card]] = 1
        return numbers

    def coded(self, view: PrimeroView, legal: Sequence[PrimeroAction]) -> dict[int, PrimeroAction]:
        codes: dict[int, PrimeroAction] = {}
        for action in legal:
            if isinstance(action, primero.Trade):
                code = self._trade[tuple([view.cards.index(card) for card in action.cards])]
            else:
                code = self._code_of[action]
            codes[code] = action
        return codes


def _codes(limit: int) -> tuple[dict[PrimeroAction, int], dict[tuple[int, ...], int]]:
    """The number of each action, and of each trade by the places of its cards."""
    amounts = range(1, limit + 1)
    said: list[PrimeroAction] = [
        *map(primero.Bet, amounts),
        *map(primero.Raise, amounts),
        primero.See(),
        primero.Refuse(),
        primero.Pass(),
        primero.Stand(),
        primero.Vada(),
        primero.GoOn(),
        *map(primero.Announce, Category),
    ]
    codes = {action: code for code, action in enumerate(said)}
    return codes, {places: len(said) + number for number, places in enumerate(_TRADES)}


def _name(action: PrimeroAction) -> str:
    """Its word on the wire without the family's, and its amount or category."""
    word = str(action.__struct_config__.tag).partition(".")[2]
    match action:
        case primero.Bet(amount=amount) | primero.Raise(amount=amount):
            return f"{word} {amount}"
        case primero.Announce(category=category):
            return f"{word} {category}"
        case _:
            return word
