"""A round of betting: a stack of bets, the answers to each, and the next player to answer.

Theory. The round is a stack of levels. Each bet or raise is a level: the amount each player must have put in to see it,
its maker, and the players who took or refused it. A raise takes the level below and adds its own on top. Only the top
level is answered. As soon as a player takes it, it is final, and so are all levels below; players who refused it are
out. If all other players refuse it, it is removed from the stack, and those who have not yet answered the level below
do so. Refusing a removed level puts no player out. The round is over when everyone still in has answered the top.

The second round starts with a level that costs nothing: passing answers it, and betting raises it. In the first round
the first bet is the lowest level, and the last player to answer must take it if no other has; so the stack is never
empty.

Players who refused a final level are out of the hand. So `refused` has seats only while no player has taken the level.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.seats import Seat

MOST_RAISES = 3
"""Most raises of a player in a round of betting. The source sets no limit; without a limit a round might never end."""


class Level(Struct, frozen=True, gc=False):
    """A bet or a raise, or the free level at the start of the second round."""

    amount: int
    """The amount a player must have put in during this round to see it."""
    maker: Seat | None
    """None: the free level."""
    took: tuple[Seat, ...] = ()
    """Players who have seen or raised it; at the free level, who passed or bet."""
    refused: tuple[Seat, ...] = ()
    """Players who refused it; empty after a player has taken it."""


NO_BET = Level(0, None)
"""The level below all bets of the second round."""


class Betting(Struct, frozen=True, gc=False):
    """A round of betting. Lists have an item a seat."""

    levels: tuple[Level, ...] = ()
    """The lowest first; empty before the first bet of the first round, and between rounds."""
    put_in: tuple[int, ...] = ()
    """The amount each has put in during this round."""
    raises: tuple[int, ...] = ()
    barred: tuple[Seat, ...] = ()
    """Players whose bet was withdrawn; they may not raise again."""

    @property
    def top(self) -> Level:
        return self.levels[-1]

    def due(self, seat: Seat) -> int:
        """Cost for this player of seeing the top level."""
        return self.levels[-1].amount - self.put_in[seat]

    def may_raise(self, seat: Seat) -> bool:
        """True if this player may add a level, by a bet or a raise."""
        return seat not in self.barred and self.raises[seat] < MOST_RAISES


def no_betting(seats: int) -> Betting:
    nothing = (0,) * seats
    return Betting(put_in=nothing, raises=nothing)


def second_round(seats: int) -> Betting:
    """A round in which players may pass."""
    nothing = (0,) * seats
    return Betting((NO_BET,), put_in=nothing, raises=nothing)


def bid(betting: Betting, seat: Seat, amount: int) -> Betting:
    """A player takes the top level, if there is one, and adds a bet or a raise."""
    levels, raises, below = betting.levels, betting.raises, 0
    if levels:
        below = levels[-1].amount
        levels = (*levels[:-1], _with_taker(levels[-1], seat))
    if below:
        raises = _put(raises, seat, raises[seat] + 1)
    return replace(
        betting,
        levels=(*levels, Level(below + amount, seat)),
        put_in=_put(betting.put_in, seat, below + amount),
        raises=raises,
    )


def take(betting: Betting, seat: Seat) -> Betting:
    """A player sees the top level, or passes at the free level."""
    levels = betting.levels
    top = _with_taker(levels[-1], seat)
    return replace(betting, levels=(*levels[:-1], top), put_in=_put(betting.put_in, seat, top.amount))


def refuse(betting: Betting, seat: Seat) -> Betting:
    """A player refuses the top level, which no player has taken yet."""
    levels = betting.levels
    top = levels[-1]
    return replace(betting, levels=(*levels[:-1], replace(top, refused=(*top.refused, seat))))


def withdraw(betting: Betting) -> tuple[Betting, Seat, int]:
    """Remove the top level, which all others refused. Returns the round, the maker, and the amount that they get
    back."""
    *below, top = betting.levels
    maker = top.maker
    assert maker is not None
    amount = below[-1].amount
    betting = replace(
        betting, levels=tuple(below), put_in=_put(betting.put_in, maker, amount), barred=(*betting.barred, maker)
    )
    return betting, maker, top.amount - amount


def next_to_answer(betting: Betting, playing: Sequence[bool], turns: Sequence[Seat]) -> Seat | None:
    """The first player in turn who is in and has not answered the top level; None: all have."""
    top = betting.levels[-1]
    answered = (top.maker, *top.took, *top.refused)
    for seat in turns:
        if playing[seat] and seat not in answered:
            return seat
    return None


def must_take(betting: Betting, playing: Sequence[bool]) -> bool:
    """True if the player to answer must take the bet, because all others have refused the first bet of the hand."""
    lowest = betting.levels[0]
    # The others are all who are in, except its maker and the player who has to answer.
    return len(betting.levels) == 1 and lowest.maker is not None and len(lowest.refused) == sum(playing) - 2


def _with_taker(level: Level, seat: Seat) -> Level:
    return Level(level.amount, level.maker, (*level.took, seat))


def _put(numbers: tuple[int, ...], seat: Seat, number: int) -> tuple[int, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])
