"""The Put family as numbers.

Suits do not matter here, so a card is only its rank, and cards of one rank are one action.
"""

from array import array
from collections.abc import Sequence

from msgspec.structs import replace

from put_env.families.codec import ViewCodec, crossed
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.put import Moment, PutView
from put_protocol.seats import GALLERY, Seat
from put_rules.facts import Fact
from put_rules.put.machine import PutGame
from put_rules.put.rules import DOUBLE, PASS, PUT, THROW_IN
from put_rules.put.state import PutState, Terms


class PutCodec(ViewCodec):
    """The codec of a table of Put or a related game. The rules of the table determine the blocks."""

    hand_ends = (put.HandEnded, put.GameEnded)

    def __init__(self, game: PutGame) -> None:
        self.terms = terms = game.terms
        super().__init__(terms.seats, terms.ranks)
        self._rank_of = {card: self.places[card[:-1]] for card in terms.deck.cards}
        codes = _codes(terms)
        self._code_of = codes.__getitem__
        self.actions = tuple(dict.fromkeys(map(_name, codes)))
        rules, length = terms.rules, terms.cards_each(terms.seats)
        tricks = tuple(map(str, range(1, length + 1)))
        hand = self.add_block("hand", "own cards of each rank", terms.ranks, self._fill_cards, most=4)
        self._in_hand = {card: hand + rank for card, rank in self._rank_of.items()}
        self.add_choice("moment", "what the seat to move is asked for", _moments(terms))
        self.add_seat("to_move", "whose decision it is")
        self.add_by_seat("score", "points of each seat's side", "scores", most=rules.target)
        self.add_seat("dealer", "who dealt; none between hands")
        self.add_seat("eldest", "who is first to play")
        self.add_by_seat("playing", "who is still in the hand")
        self.add_by_seat("count", "cards each holds", "counts", most=length + 1)
        self.add_by_seat("tricks", "tricks each has taken", most=length)
        self._leader = self.layout.add("leader", "who led the trick on the table", self.seat_labels)
        places = crossed(self.seat_labels, terms.ranks)
        at = self.layout.add("table", "the card of each in the trick on the table", places)
        self._on_table = self._places_seen(at)
        places = crossed(tricks, self.seat_labels)
        taker = self.layout.add("taker", "who took each trick; none a tied one", places)
        self._takers = [taker + terms.seats * number for number in range(length)]
        places = crossed(tricks, self.seat_labels, terms.ranks)
        at = self.layout.add("past", "the card of each in each complete trick", places)
        by_trick = [self._places_seen(at + terms.seats * len(terms.ranks) * number) for number in range(length)]
        self._in_past = list(zip(*by_trick, strict=True))
        self.add_seat("putter", "who put, or doubled last")
        self.add_seats("saw", "who accepted that", "seen_by")
        if rules.is_doubling:
            self.add_number("value", "points the hand is worth", most=2 * rules.target)
        if rules.is_rubber:
            self.add_by_seat("rubber", "games each has won in the rubber", most=rules.rubber)
        if rules.is_partnership:
            means = "own cards of each rank thrown away"
            self._thrown = self.add_block("thrown", means, terms.ranks, self._fill_thrown, most=4)
            self._gave = self.add_block("gave", "the card given to the partner", terms.ranks, self._fill_gift)
            self.add_seats("giver", "who gave their best card to the partner", "givers")
        if rules.misdeals:
            laws = ("1", "2", "3", "4", "5")
            self._law = self.add_block("accident.law", "the law of an accident in the dealing", laws, self._fill_law)
            means = "whose card was seen, or who has one too many"
            self.add_seat("accident.seat", means, lambda view: None if view.accident is None else view.accident.seat)
            self._seen = self.add_block("accident.card", "the card that was seen", terms.ranks, self._fill_seen)

    def _places_seen(self, at: int) -> list[list[dict[Card, int]]]:
        """Places of the cards of a trick, by viewer, player and card, in a block that begins at this place."""
        by_place = [
            {card: at + len(self.places) * place + rank for card, rank in self._rank_of.items()}
            for place in range(self.seats)
        ]
        return [[by_place[(player - seat) % self.seats] for player in range(self.seats)] for seat in range(self.seats)]

    def _fill_cards(self, numbers: "array[float]", view: PutView, seat: Seat) -> None:
        """The cards in the hand, on the table and in complete tricks, with the leader and the winner of each trick."""
        in_hand = self._in_hand
        for card in view.cards:
            numbers[in_hand[card]] += 1.0
        trick = view.trick
        if trick.seats:
            numbers[self._leader + (trick.seats[0] - seat) % self.seats] = 1.0
            places = self._on_table[seat]
            for player, card in zip(trick.seats, trick.cards):  # noqa: B905 - as long, and `strict` costs as much again
                numbers[places[player][card]] = 1.0
        for trick, places, taker in zip(view.past, self._in_past[seat], self._takers):  # noqa: B905
            for player, card in zip(trick.seats, trick.cards):  # noqa: B905
                numbers[places[player][card]] = 1.0
            if trick.winner is not None:
                numbers[taker + (trick.winner - seat) % self.seats] = 1.0

    def _fill_thrown(self, numbers: "array[float]", view: PutView, _: Seat) -> None:
        for card in view.thrown:
            numbers[self._thrown + self._rank_of[card]] += 1.0

    def _fill_gift(self, numbers: "array[float]", view: PutView, _: Seat) -> None:
        if view.gave is not None:
            numbers[self._gave + self._rank_of[view.gave]] = 1

    def _fill_law(self, numbers: "array[float]", view: PutView, _: Seat) -> None:
        if view.accident is not None:
            numbers[self._law + view.accident.law - 1] = 1

    def _fill_seen(self, numbers: "array[float]", view: PutView, _: Seat) -> None:
        if view.accident is not None and view.accident.card is not None:
            numbers[self._seen + self._rank_of[view.accident.card]] = 1

    def codes(self, view: PutView, legal: Sequence[put.PutAction]) -> list[int]:
        return list(map(self._code_of, legal))

    def points(self, before: PutState, facts: Sequence[Fact]) -> tuple[float, ...]:
        gained, scores = [0] * self.terms.seats, before.scores
        for fact in facts:
            match fact.seen_by(GALLERY):
                case put.HandEnded(scores=after) | put.FreshDeal(scores=after) if after:
                    gained = [points + new - old for points, new, old in zip(gained, after, scores, strict=True)]
                    scores = after
                case put.GameEnded(winners=winners):
                    for winner in winners:
                        gained[winner] += self.terms.rules.target - scores[winner]
                    scores = (0,) * self.terms.seats
                case _:
                    pass
        return self._against_others(gained)

    def _against_others(self, gained: Sequence[int]) -> tuple[float, ...]:
        """Points of a side less the mean of the other sides."""
        allies = self.terms.allies
        sides = self.terms.seats / len(allies[0])
        every = sum(gained) / len(allies[0])
        return tuple([points - (every - points) / (sides - 1) for points in gained])

    def with_scores(self, state: PutState, scores: Sequence[int]) -> PutState:
        wanted = tuple(scores)
        target = self.terms.rules.target
        allies = self.terms.allies
        if len(wanted) != self.terms.seats or not all(0 <= score < target for score in wanted):
            raise ValueError(f"scores must be {self.terms.seats} numbers from 0 to {target - 1}, not {wanted}")
        if any(wanted[ally] != wanted[seat] for seat in self.terms.everyone for ally in allies[seat]):
            raise ValueError(f"partners have one score: {wanted} gives them two")
        return replace(state, scores=wanted)


def _moments(terms: Terms) -> tuple[Moment, ...]:
    """The moments that can occur, in the order of the enumeration."""
    rules = terms.rules
    asked = {Moment.ANSWER, *rules.play.may}
    if rules.is_partnership:
        asked |= {Moment.GIVE, Moment.DISCARD}
    if rules.misdeals:
        asked.add(Moment.ACCIDENT)
    return tuple([moment for moment in Moment if moment in asked])


def _codes(terms: Terms) -> dict[put.PutAction, int]:
    """The number of each action: playing each rank, the best first; then what is said; then throwing each rank away."""
    rules, deck = terms.rules, terms.deck
    allowed = {put.See(), THROW_IN} | {action for said in rules.play.may.values() for action in said}
    said: list[put.PutAction] = [action for action in (PUT, DOUBLE, put.See(), THROW_IN, PASS) if action in allowed]
    said += [put.Give(), put.Let()] if rules.is_partnership else []
    said += [put.Redeal(), put.Abide()] if rules.misdeals else []
    place = {rank: number for number, rank in enumerate(terms.ranks)}
    cards = sorted(deck.cards, key=lambda card: place[card[:-1]])
    count = len(terms.ranks)
    codes: dict[put.PutAction, int] = {deck.plays[card]: place[card[:-1]] for card in cards}
    codes |= {action: count + number for number, action in enumerate(said)}
    if rules.is_partnership:
        first = count + len(said)
        codes |= {deck.discards[card]: first + place[card[:-1]] for card in cards}
    return codes


def _name(action: put.PutAction) -> str:
    """The action's name on the wire, with the rank of a card."""
    word = str(action.__struct_config__.tag)
    return f"{word} {action.card[:-1]}" if isinstance(action, put.Play | put.Discard) else word
