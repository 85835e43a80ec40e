"""A round of betting: bets on top of one another, who has answered each, and who is asked next.

Theory. The round is a stack of levels. Each bet or raise is a level: what every player has to have put in to see it,
its maker, and the players who took or refused it. A raise takes the level below it and lays its own on top. Only the
top level is answered. As soon as anybody takes it, it stands for good, and so do all below it: those who refused it are
out. If everyone else refuses it, it is taken off the stack, and the level below is answered by those who have not yet
done so; no player is out by refusing a level that was taken off. The round is over when everyone still in has answered
the top.

In the second round there is a level below all bets, which asks for nothing: to pass is to answer it, to bet is to raise
it. In the first round the first bet is the lowest level, and the last player to answer must take it if no other has; so
the stack never runs empty.

A level that stands and was refused has lost its refusers to the hand. So `refused` has names only while no player has
taken the level.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.seats import Seat

MOST_RAISES = 3
"""Raises that a player may make in a round of betting. The source sets no limit; without one a round need not end."""


class Level(Struct, frozen=True, gc=False):
    """A bet or a raise, or what lies below all bets of the second round."""

    amount: int
    """The amount a player has to have put in during this round in order to see it."""
    maker: Seat | None
    """None: it has none, and asks for nothing."""
    took: tuple[Seat, ...] = ()
    """Each player who has seen or raised it; where it has no maker, who passed or bet."""
    refused: tuple[Seat, ...] = ()
    """Each player who refused it, as long as no player has taken it."""


NO_BET = Level(0, None)
"""The level below all bets of the second round."""


class Betting(Struct, frozen=True, gc=False):
    """A round of betting. Lists have an item a seat."""

    levels: tuple[Level, ...] = ()
    """The lowest first; empty before the first bet of the first round, and when no round is going on."""
    put_in: tuple[int, ...] = ()
    """The amount each has put in during this round."""
    raises: tuple[int, ...] = ()
    barred: tuple[Seat, ...] = ()
    """Each player who had a bet withdrawn, and may raise no more."""

    @property
    def top(self) -> Level:
        return self.levels[-1]

    def due(self, seat: Seat) -> int:
        """The amount it takes this player to see the top level."""
        return self.levels[-1].amount - self.put_in[seat]

    def may_raise(self, seat: Seat) -> bool:
        """True if this player may lay a further level on top, by a bet or a raise."""
        return seat not in self.barred and self.raises[seat] < MOST_RAISES


def no_betting(seats: int) -> Betting:
    nothing = (0,) * seats
    return Betting(put_in=nothing, raises=nothing)


def second_round(seats: int) -> Betting:
    """A round in which one may pass."""
    nothing = (0,) * seats
    return Betting((NO_BET,), put_in=nothing, raises=nothing)


def bid(betting: Betting, seat: Seat, amount: int) -> Betting:
    """A player takes the top level, if there is one, and lays a bet or a raise on it."""
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
    """A player sees the top level, or passes where it asks for nothing."""
    levels = betting.levels
    top = _with_taker(levels[-1], seat)
    return replace(betting, levels=(*levels[:-1], top), put_in=_put(betting.put_in, seat, top.amount))


def refuse(betting: Betting, seat: Seat) -> Betting:
    """A player refuses the top level, which no player has taken yet."""
    levels = betting.levels
    top = levels[-1]
    return replace(betting, levels=(*levels[:-1], replace(top, refused=(*top.refused, seat))))


def withdraw(betting: Betting) -> tuple[Betting, Seat, int]:
    """Everyone has refused the top level: the round without it, its maker, and what goes back to them."""
    *below, top = betting.levels
    maker = top.maker
    assert maker is not None
    amount = below[-1].amount
    betting = replace(
        betting, levels=tuple(below), put_in=_put(betting.put_in, maker, amount), barred=(*betting.barred, maker)
    )
    return betting, maker, top.amount - amount


def next_to_answer(betting: Betting, playing: Sequence[bool], turns: Sequence[Seat]) -> Seat | None:
    """The first in turn who is in and has not answered the top level; None: everyone has."""
    top = betting.levels[-1]
    answered = (top.maker, *top.took, *top.refused)
    for seat in turns:
        if playing[seat] and seat not in answered:
            return seat
    return None


def must_take(betting: Betting, playing: Sequence[bool]) -> bool:
    """True if the player to answer has to take the bet: it is the first of the hand, and all others have refused it."""
    lowest = betting.levels[0]
    # All others are those who are in, but for its maker and who is to answer.
    return len(betting.levels) == 1 and lowest.maker is not None and len(lowest.refused) == sum(playing) - 2


def _with_taker(level: Level, seat: Seat) -> Level:
    return Level(level.amount, level.maker, (*level.took, seat))


def _put(numbers: tuple[int, ...], seat: Seat, number: int) -> tuple[int, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])
