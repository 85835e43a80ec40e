"""The Put family as numbers.

Suits do not matter here, so a card is its rank, and cards of one rank are one action.
"""

from array import array
from collections.abc import Sequence

from msgspec.structs import replace

from put_env.families.codec import NUMBER, Codec, Layout, crossed, seat_labels
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.put import Moment, PutView
from put_protocol.seats import GALLERY, Seat
from put_rules.facts import Fact
from put_rules.put.machine import PutGame
from put_rules.put.rules import Offer
from put_rules.put.state import PutState, Terms

Places = tuple[int, ...]
"""Places of numbers by seat."""


def _fill(numbers: "array[float]", places: Places, values: tuple[int, ...]) -> None:
    """A number for each seat; none where the view has none."""
    for place, value in zip(places, values):  # noqa: B905 - a view between hands has fewer
        numbers[place] = value


class PutCodec(Codec):
    """The codec of a table of Put or a relative. Which blocks there are follows from its rules."""

    hand_ends = (put.HandEnded, put.GameEnded)

    def __init__(self, game: PutGame) -> None:
        self.terms = terms = game.terms
        self._code_of = _codes(terms)
        self.actions = tuple(dict.fromkeys(_name(action) for action in self._code_of))
        self._rank_of = {card: terms.ranks.index(card[:-1]) for card in terms.deck.cards}
        self._relative = tuple(
            [tuple([(seat - viewer) % terms.seats for seat in range(terms.seats)]) for viewer in range(terms.seats)]
        )
        self._lay_out(terms)

    def _lay_out(self, terms: Terms) -> None:
        # What is told of a seat has a table of places for each viewer; what is told of a card, for each card.
        rules, ranks = terms.rules, terms.ranks
        seats, length = seat_labels(terms.seats), terms.cards_each(terms.seats)
        tricks = tuple(map(str, range(1, length + 1)))
        add, by_seat, by_card = (layout := Layout()).add, self._by_seat, self._by_card
        self.layout = layout
        hand = add("hand", "own cards of each rank", ranks, most=4)
        self._hand = {card: hand + rank for card, rank in self._rank_of.items()}
        moment = add("moment", "what the seat to move is asked for", _moments(terms))
        self._moments = {each: moment + place for place, each in enumerate(_moments(terms))}
        self._to_move = by_seat(add("to_move", "whose decision it is", seats))
        self._score = by_seat(add("score", "points of each seat's side", seats, most=rules.target))
        self._dealer = by_seat(add("dealer", "who dealt; none between hands", seats))
        self._eldest = by_seat(add("eldest", "who is first to play", seats))
        self._playing = by_seat(add("playing", "who is still in the hand", seats))
        self._count = by_seat(add("count", "cards each holds", seats, most=length + 1))
        self._tricks = by_seat(add("tricks", "tricks each has taken", seats, most=length))
        self._leader = by_seat(add("leader", "who led the trick on the table", seats))
        self._table = by_card(add("table", "the card of each in the trick on the table", crossed(seats, ranks)))
        taker = add("taker", "who took each trick; none a tied one", crossed(tricks, seats))
        self._taker = [by_seat(taker + terms.seats * trick) for trick in range(length)]
        past = add("past", "the card of each in each complete trick", crossed(tricks, seats, ranks))
        self._past = [by_card(past + terms.seats * len(ranks) * trick) for trick in range(length)]
        self._putter = by_seat(add("putter", "who put, or doubled last", seats))
        self._saw = by_seat(add("saw", "who accepted that", seats))
        self._value = self._thrown = self._law = -1
        self._rubber: tuple[Places, ...] = ((),) * terms.seats
        if rules.is_doubling:
            self._value = add("value", "points the hand is worth", most=2 * rules.target)
        if rules.is_rubber:
            self._rubber = by_seat(add("rubber", "games each has won in the rubber", seats, most=rules.rubber))
        if rules.is_partnership:
            self._thrown = add("thrown", "own cards of each rank thrown away", ranks, most=4)
            self._gave = add("gave", "the card given to the partner", ranks)
            self._giver = by_seat(add("giver", "who gave their best card to the partner", seats))
        if rules.misdeals:
            self._law = add("accident.law", "the law of an accident in the dealing", ("1", "2", "3", "4", "5"))
            self._accident = by_seat(add("accident.seat", "whose card was seen, or who has one too many", seats))
            self._seen_card = add("accident.card", "the card that was seen", ranks)
        self._is_plain = max(self._value, self._thrown, self._law) < 0 and not rules.is_rubber
        self._blank = layout.blank()

    def _by_seat(self, first: int) -> tuple[Places, ...]:
        """The places of a block by viewer and seat."""
        return tuple([tuple([first + place for place in relative]) for relative in self._relative])

    def _by_card(self, first: int) -> tuple[tuple[dict[Card, int], ...], ...]:
        """The places of a block by viewer, seat and card."""
        ranks = len(self.terms.ranks)
        return tuple(
            [
                tuple(
                    [{card: first + ranks * place + rank for card, rank in self._rank_of.items()} for place in relative]
                )
                for relative in self._relative
            ]
        )

    def encode(self, view: PutView, seat: Seat) -> "array[float]":
        # Tables of places in the place of sums: this is asked at every step.
        numbers = array(NUMBER, self._blank)
        hand = self._hand
        for card in view.cards:
            numbers[hand[card]] += 1
        if view.moment is not None:
            numbers[self._moments[view.moment]] = 1
        if view.to_move is not None:
            numbers[self._to_move[seat][view.to_move]] = 1
        if view.dealer is not None:
            numbers[self._dealer[seat][view.dealer]] = 1
        if view.eldest is not None:
            numbers[self._eldest[seat][view.eldest]] = 1
        for place, score in zip(self._score[seat], view.scores):  # noqa: B905 - as long, and `strict` costs as much again
            numbers[place] = score
        for place, count in zip(self._count[seat], view.counts):  # noqa: B905 - none between hands
            if count:
                numbers[place] = count
        for place, is_in in zip(self._playing[seat], view.playing):  # noqa: B905 - none before the first deal
            if is_in:
                numbers[place] = 1
        past = view.past
        if past:
            for place, taken in zip(self._tricks[seat], view.tricks):  # noqa: B905 - as long
                numbers[place] = taken
            for number, trick in enumerate(past):
                cards = self._past[number][seat]
                for player, card in zip(trick.seats, trick.cards):  # noqa: B905 - as long
                    numbers[cards[player][card]] = 1
                if trick.winner is not None:
                    numbers[self._taker[number][seat][trick.winner]] = 1
        trick = view.trick
        if trick.seats:
            numbers[self._leader[seat][trick.seats[0]]] = 1
            for player, card in zip(trick.seats, trick.cards):  # noqa: B905 - as long
                numbers[self._table[seat][player][card]] = 1
        if view.putter is not None:
            numbers[self._putter[seat][view.putter]] = 1
            for player in view.seen_by:
                numbers[self._saw[seat][player]] = 1
        if self._is_plain:
            return numbers
        if self._value >= 0:
            numbers[self._value] = view.value
        _fill(numbers, self._rubber[seat], view.rubber)
        if self._thrown >= 0:
            self._encode_gifts(numbers, view, seat)
        if self._law >= 0 and view.accident is not None:
            self._encode_accident(numbers, view.accident, seat)
        return numbers

    def _encode_gifts(self, numbers: "array[float]", view: PutView, seat: Seat) -> None:
        for card in view.thrown:
            numbers[self._thrown + self._rank_of[card]] += 1
        if view.gave is not None:
            numbers[self._gave + self._rank_of[view.gave]] = 1
        for giver in view.givers:
            numbers[self._giver[seat][giver]] = 1

    def _encode_accident(self, numbers: "array[float]", accident: put.AccidentView, seat: Seat) -> None:
        numbers[self._law + accident.law - 1] = 1
        numbers[self._accident[seat][accident.seat]] = 1
        if accident.card is not None:
            numbers[self._seen_card + self._rank_of[accident.card]] = 1

    def coded(self, view: PutView, legal: Sequence[put.PutAction]) -> dict[int, put.PutAction]:
        code_of = self._code_of
        return {code_of[action]: action for action in reversed(legal)}

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
        """Points of a side, less what the other sides have on the average."""
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
    """The moments that can come, in the order of the enumeration."""
    rules = terms.rules
    asked = {Moment.ANSWER, *rules.play.may}
    if rules.is_partnership:
        asked |= {Moment.GIVE, Moment.DISCARD}
    if rules.misdeals:
        asked.add(Moment.ACCIDENT)
    return tuple([moment for moment in Moment if moment in asked])


def _codes(terms: Terms) -> dict[put.PutAction, int]:
    """The number of each action: to play each rank, the best first; then what is said; then to throw each rank away."""
    rules, deck = terms.rules, terms.deck
    offered = {offer for offers in rules.play.may.values() for offer in offers}
    said: list[put.PutAction] = []
    said += [put.Put()] if Offer.PUT in offered else []
    said += [put.Double()] if Offer.DOUBLE in offered else []
    said += [put.See(), put.ThrowIn()]
    said += [put.Pass()] if Offer.PASS in offered else []
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
    """Its word on the wire, and the rank of a card."""
    word = str(action.__struct_config__.tag)
    return f"{word} {action.card[:-1]}" if isinstance(action, put.Play | put.Discard) else word
