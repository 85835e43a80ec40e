"""Terms and state of a sitting of Primero."""

from collections.abc import Mapping

from put_protocol.cards import PACKS
from put_protocol.games.primero import Bet, PrimeroAction, PrimeroView, Raise, Refuse, See
from put_protocol.seats import Seat
from put_rules import betting, sitting
from put_rules.betting import Levels
from put_rules.facts import NO_CARDS, NO_HANDS, Cards, Hands, Hidden
from put_rules.game import OptionValue
from put_rules.sitting import SittingState

PACK = PACKS["french-40"]


class Terms(sitting.Terms):
    """Constants of a table, and cached lists of answers."""

    def __init__(self, seats: int, options: Mapping[str, OptionValue]) -> None:
        super().__init__(seats, options)
        self.limit = int(options["limit"])
        self.none_thrown: Hands = Hidden(((),) * seats)
        amounts = range(1, self.limit + 1)
        self.bets: tuple[PrimeroAction, ...] = tuple(map(Bet, amounts))
        raises = tuple(map(Raise, amounts))
        self.answers: Mapping[tuple[bool, bool], tuple[PrimeroAction, ...]] = {
            (False, False): (See(), Refuse()),
            (False, True): (See(),),
            (True, False): (See(), *raises, Refuse()),
            (True, True): (See(), *raises),
        }
        """Answers to a bet, by whether the player may raise, and whether they must take it."""


class PrimeroState(SittingState[PrimeroView], frozen=True, gc=False):
    levels: Levels = ()
    """Bets of the current round."""
    is_first_round: bool = True
    asked: tuple[Seat, ...] = ()
    """Players still to be asked in turn, the seat to move first. (For bets, see `betting`.)"""
    stock: Hidden[Cards] = NO_CARDS
    """The rest of the pack, the next card first."""
    away: Hidden[Cards] = NO_CARDS
    """Traded cards, and those of players who are out, from which a new stock is made."""
    laying: Hidden[Cards] = NO_CARDS
    """While a new stock is awaited: cards that the drawing player has laid down."""
    drawing: int = 0
    """Number of cards that they must still draw."""
    thrown: Hands = NO_HANDS
    """The cards each has laid down since the deal."""

    def may_raise(self, seat: Seat) -> bool:
        """True if this player may add a level, by a bet or a raise."""
        return seat not in self.view.barred and self.view.raises[seat] < betting.MOST_RAISES

    def due_of(self, seat: Seat) -> int:
        """Cost for this player of seeing the top level."""
        return self.view.level - self.view.put_in[seat]

    @property
    def must_take(self) -> bool:
        """True if the player to answer a bet must take it."""
        return betting.must_take(self.levels, self.view.playing)
