"""Triomphe as numbers. Every card of the tarot pack has its own place, in the canonical order."""

from array import array
from collections.abc import Sequence

from put_env.families.codec import ViewCodec, crossed
from put_protocol.cards import FOOL, LA_MORT, LE_BASTELEUR, TAROT_PACK
from put_protocol.games import triomphe
from put_protocol.games.triomphe import Moment, TriompheView
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.triomphe.machine import TriompheGame
from put_rules.triomphe.rules import CARDS_EACH


class TriompheCodec(ViewCodec):
    hand_ends = (triomphe.HandEnded, GameOver)

    def __init__(self, game: TriompheGame) -> None:
        self.terms = terms = game.terms
        super().__init__(terms.seats, TAROT_PACK)
        self.actions = tuple([f"play {card}" for card in TAROT_PACK])
        most = 2 * terms.stake * terms.seats * terms.hands
        self.add_cards("hand", "own cards", "cards")
        self.add_choice("moment", "what the seat to move is asked for", Moment)
        self.add_seat("to_move", "whose decision it is")
        self.add_number("number", "which hand of the sitting, from 1", "hand", most=terms.hands)
        self.add_by_seat("gain", "what each purse gained since the sitting began", "gains", least=-most, most=most)
        self.add_number("pool", "what is left of the stakes", most=terms.stake * terms.seats)
        self.add_seat("dealer", "who dealt")
        self.add_seat("eldest", "who leads first")
        self.add_by_seat("count", "cards each holds", "counts", most=CARDS_EACH)
        self.add_by_seat("tricks", "tricks each has taken", most=CARDS_EACH)
        self.add_seat("leader", "who led the trick on the table", lambda view: next(iter(view.trick.seats), None))
        tricks = crossed(tuple(map(str, range(1, CARDS_EACH + 1))), self.seat_labels)
        self._taker = self.add_block("taker", "who took each trick", tricks, self._fill_takers)
        shown = (LA_MORT, FOOL, LE_BASTELEUR, terms.force)
        means = "what each has shown: La Mort, or the cards declared"
        self.add_items("declared", means, shown, lambda view: enumerate(view.declared))
        means = "the trick, from 1, to which each played each card; 0: it was not played"
        cards = crossed(self.seat_labels, TAROT_PACK)
        self._played = self.add_block("played", means, cards, self._fill_played, most=CARDS_EACH)

    def _fill_takers(self, numbers: "array[float]", view: TriompheView, seat: Seat) -> None:
        for number, trick in enumerate(view.past):
            if trick.winner is not None:
                numbers[self._taker + self.seats * number + (trick.winner - seat) % self.seats] = 1

    def _fill_played(self, numbers: "array[float]", view: TriompheView, seat: Seat) -> None:
        for number, trick in enumerate((*view.past, view.trick), 1):
            for player, card in zip(trick.seats, trick.cards, strict=True):
                place = len(self.places) * ((player - seat) % self.seats) + self.places[card]
                numbers[self._played + place] = number

    def codes(self, view: TriompheView, legal: Sequence[triomphe.Play]) -> list[int]:
        return [self.places[action.card] for action in legal]
