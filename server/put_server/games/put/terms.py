"""The terms of one table: a rule set with its options chosen, its seats counted, and what follows from these alone."""

from put_protocol.cards import Card
from put_protocol.games.put import (
    Moment,
)
from put_protocol.seats import Seat
from put_server.games.game import BadOption
from put_server.games.put.deck import deck_of
from put_server.games.put.rules import PutRules


class Terms:
    """What every transition needs to know and none may change."""

    __slots__ = (
        "deck",
        "everyone",
        "has_last_say",
        "has_opening",
        "is_final",
        "lead",
        "reply",
        "rules",
        "seats",
        "sides",
        "top",
    )

    def __init__(self, rules: PutRules, seats: int) -> None:
        """:raises BadOption: the arranged cards are not of the pack, or come twice."""
        self.rules = rules
        self.seats = seats
        self.everyone = tuple(Seat(seat) for seat in range(seats))
        self.sides = tuple(seat % 2 for seat in self.everyone) if rules.is_partnership else ()
        self.deck = deck_of(rules.ranks)
        # What is asked at every turn is found here once.
        self.lead = rules.play.may[Moment.LEAD]
        self.reply = rules.play.may[Moment.REPLY]
        self.has_opening = Moment.OPENING in rules.play.may
        self.has_last_say = Moment.LAST_SAY in rules.play.may
        self.is_final = rules.play.is_final
        self.top = tuple(Card(word) for word in rules.arranged.split())
        for card in self.top:
            if card not in self.deck.pack:
                raise BadOption("arranged", f"{card!r} is no card of this pack")
        if len(set(self.top)) < len(self.top):
            raise BadOption("arranged", "a card is named twice")

    def cards_each(self, players: int) -> int:
        """Cards dealt to each: one more than there are players (Willughby c. 1665); in partnerships two sides play."""
        return 3 if self.rules.is_partnership else players + 1

    def allies(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats that win and lose with this one, itself included."""
        if self.rules.is_partnership:
            return tuple(s for s in self.everyone if s % 2 == seat % 2)
        return (seat,)

    def is_one_side(self, seats: tuple[Seat, ...]) -> bool:
        """Whether nobody of these has an adversary among them."""
        if self.rules.is_partnership:
            return len({seat % 2 for seat in seats}) == 1
        return len(seats) == 1

    def round_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, this one first."""
        return self.everyone[seat:] + self.everyone[:seat]

    def left_of(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise from this one's left, itself last."""
        return self.everyone[seat + 1 :] + self.everyone[: seat + 1]
