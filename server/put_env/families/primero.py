"""Primero as numbers. Every card of the pack has its own place, in the canonical order. A trade names cards by their
places in the hand, in the order of the view."""

from array import array
from collections.abc import Sequence
from itertools import combinations

from put_env.families.codec import ViewCodec, action_name, crossed
from put_protocol.cards import PACKS
from put_protocol.games import primero
from put_protocol.games.primero import Category, Moment, PrimeroAction, PrimeroView
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.betting import MOST_RAISES
from put_rules.primero.machine import PrimeroGame
from put_rules.primero.rules import MOST_THROWN_IN

_HELD = 4
TRADES = (*combinations(range(_HELD), 1), *combinations(range(_HELD), 2))
"""Places of cards that may be traded together."""


class PrimeroCodec(ViewCodec):
    hand_ends = (primero.HandEnded, GameOver)

    def __init__(self, game: PrimeroGame) -> None:
        self.terms = game.terms
        terms, seats = game.terms, game.terms.seats
        super().__init__(seats, PACKS["french-40"])
        self._code_of, self._trade = _codes(terms.limit)
        trades = ["trade " + " ".join(str(place + 1) for place in places) for places in TRADES]
        self.actions = (*[action_name(action) for action in self._code_of], *trades)
        pack = tuple(self.places)
        a_round = terms.limit * (1 + MOST_RAISES * seats)
        paid = terms.hands * (1 + 2 * a_round)
        self.add_cards("hand", "own cards", "cards")
        held = crossed(("1", "2", "3", "4"), pack)
        self._own = self.add_block("place", "own cards in the order held, as a trade names them", held, self._fill_own)
        self.add_choice("moment", "what the seat to move is asked for", Moment)
        self.add_seat("to_move", "whose decision it is")
        self.add_number("number", "which hand of the sitting, from 1", "hand", most=terms.hands)
        means = "what each purse gained since the sitting began"
        self.add_by_seat("gain", means, "gains", least=-paid, most=seats * paid)
        self.add_seat("dealer", "who dealt")
        self.add_seat("eldest", "who speaks first")
        self.add_by_seat("count", "cards each holds", "counts", most=_HELD)
        self.add_by_seat("playing", "who is still in the hand")
        self.add_number("pot", "what the pot holds", most=seats * (1 + 2 * a_round))
        self.add_number("level", "what it takes to see the bet, in this round", most=a_round)
        self.add_seat("bettor", "who made the bet that is to be answered")
        self.add_by_seat("put_in", "what each has put in in this round", most=a_round)
        self.add_seats("refused", "who refused that bet")
        self.add_seats("barred", "who had a bet withdrawn, and may raise no more")
        self.add_by_seat("raises", "raises each has made in this round", most=MOST_RAISES)
        self.add_choices("announced", "what each has announced", tuple(Category))
        self.add_by_seat("traded", "cards each has traded since the deal", most=_HELD)
        self.add_cards("thrown", "own cards laid down since the deal")
        self.add_number("stock", "cards left in the pack", most=len(pack))
        self.add_number("running", "deals thrown in running", most=MOST_THROWN_IN)
        self.add_seat("vada", "who called the last showdown")
        means = "the hands of the last showdown"
        self.add_items("shown", means, pack, lambda view: [(hand.seat, hand.cards) for hand in view.shown])

    def _fill_own(self, numbers: "array[float]", view: PrimeroView, _: Seat) -> None:
        for place, card in enumerate(view.cards):
            numbers[self._own + len(self.places) * place + self.places[card]] = 1

    def codes(self, view: PrimeroView, legal: Sequence[PrimeroAction]) -> list[int]:
        place, trade, code_of = view.cards.index, self._trade, self._code_of
        return [
            trade[tuple(map(place, action.cards))] if isinstance(action, primero.Trade) else code_of[action]
            for action in legal
        ]


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
    return codes, {places: len(said) + number for number, places in enumerate(TRADES)}
