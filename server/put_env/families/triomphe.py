"""Triomphe as numbers. Every card of the tarot pack has a place of its own, in the canonical order."""

from array import array
from collections.abc import Sequence

from put_env.families.codec import Codec
from put_env.layout import NUMBER, Layout, crossed, seat_labels
from put_protocol.cards import FOOL, LA_MORT, LE_BASTELEUR, TAROT_PACK
from put_protocol.games import triomphe
from put_protocol.games.triomphe import Moment, TriompheView
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.triomphe.machine import TriompheGame
from put_rules.triomphe.rules import CARDS_EACH

_MOMENTS = {moment: place for place, moment in enumerate(Moment)}
_PLACES = {card: place for place, card in enumerate(TAROT_PACK)}
_CARDS = len(TAROT_PACK)


class TriompheCodec(Codec):
    """The codec of a table of Triomphe."""

    hand_ends = (triomphe.HandEnded, GameOver)

    def __init__(self, game: TriompheGame) -> None:
        terms = game.terms
        self.actions = tuple([f"play {card}" for card in TAROT_PACK])
        self._seats = terms.seats
        shown = (LA_MORT, FOOL, LE_BASTELEUR, terms.force)
        self._shown = {card: place for place, card in enumerate(shown)}
        seats = seat_labels(terms.seats)
        most = 2 * terms.stake * terms.seats * terms.hands
        add = (layout := Layout()).add
        self.layout = layout
        self._hand = add("hand", "own cards", TAROT_PACK)
        self._moment = add("moment", "what the seat to move is asked for", tuple(Moment))
        self._to_move = add("to_move", "whose decision it is", seats)
        self._number = add("number", "which hand of the sitting, from 1", most=terms.hands)
        self._gain = add("gain", "what each purse gained since the sitting began", seats, least=-most, most=most)
        self._pool = add("pool", "what is left of the stakes", most=terms.stake * terms.seats)
        self._dealer = add("dealer", "who dealt", seats)
        self._eldest = add("eldest", "who leads first", seats)
        self._count = add("count", "cards each holds", seats, most=CARDS_EACH)
        self._tricks = add("tricks", "tricks each has taken", seats, most=CARDS_EACH)
        self._leader = add("leader", "who led the trick on the table", seats)
        tricks = tuple(map(str, range(1, CARDS_EACH + 1)))
        self._taker = add("taker", "who took each trick", crossed(tricks, seats))
        self._declared = add("declared", "what each has shown: La Mort, or the cards declared", crossed(seats, shown))
        means = "the trick, from 1, to which each played each card; 0: it was not played"
        self._played = add("played", means, crossed(seats, TAROT_PACK), most=CARDS_EACH)
        self._blank = layout.blank()

    def encode(self, view: TriompheView, seat: Seat) -> "array[float]":
        numbers = array(NUMBER, self._blank)
        seats = self._seats
        for card in view.cards:
            numbers[self._hand + _PLACES[card]] = 1
        if view.moment is not None:
            numbers[self._moment + _MOMENTS[view.moment]] = 1
        for first, who in (
            (self._to_move, view.to_move),
            (self._dealer, view.dealer),
            (self._eldest, view.eldest),
            (self._leader, view.trick.seats[0] if view.trick.seats else None),
        ):
            if who is not None:
                numbers[first + (who - seat) % seats] = 1
        numbers[self._number] = view.hand
        numbers[self._pool] = view.pool
        for first, values in ((self._gain, view.gains), (self._count, view.counts), (self._tricks, view.tricks)):
            for other, value in enumerate(values):
                numbers[first + (other - seat) % seats] = value
        for other, cards in enumerate(view.declared):
            for card in cards:
                numbers[self._declared + len(self._shown) * ((other - seat) % seats) + self._shown[card]] = 1
        for number, trick in enumerate((*view.past, view.trick), 1):
            for player, card in zip(trick.seats, trick.cards, strict=True):
                numbers[self._played + _CARDS * ((player - seat) % seats) + _PLACES[card]] = number
            if trick.winner is not None:
                numbers[self._taker + seats * (number - 1) + (trick.winner - seat) % seats] = 1
        return numbers

    def coded(self, view: TriompheView, legal: Sequence[triomphe.Play]) -> dict[int, triomphe.Play]:
        return {_PLACES[action.card]: action for action in legal}
