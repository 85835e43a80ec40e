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
What each player has put in, and how often they raised, is in the view.
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


Levels = tuple[Level, ...]
"""The lowest first; empty before the first bet of the first round, and between rounds."""

SECOND_ROUND: Levels = (Level(0, None),)
"""A round in which players may pass, before its first bet."""


def bid(levels: Levels, seat: Seat, amount: int) -> Levels:
    """A player takes the top level, if there is one, and adds a bet or a raise."""
    below = levels[-1].amount if levels else 0
    return (*(take(levels, seat) if levels else ()), Level(below + amount, seat))


def take(levels: Levels, seat: Seat) -> Levels:
    """A player sees the top level, or passes at the free level."""
    *below, top = levels
    return (*below, Level(top.amount, top.maker, (*top.took, seat)))


def refuse(levels: Levels, seat: Seat) -> Levels:
    """A player refuses the top level, which no player has taken yet."""
    *below, top = levels
    return (*below, replace(top, refused=(*top.refused, seat)))


def next_to_answer(levels: Levels, playing: Sequence[bool], turns: Sequence[Seat]) -> Seat | None:
    """The first player in turn who is in and has not answered the top level; None: all have."""
    top = levels[-1]
    answered = (top.maker, *top.took, *top.refused)
    return next((seat for seat in turns if playing[seat] and seat not in answered), None)


def must_take(levels: Levels, playing: Sequence[bool]) -> bool:
    """True if the player to answer must take the bet, because all others have refused the first bet of the hand."""
    lowest = levels[0]
    # The others are all who are in, except its maker and the player who has to answer.
    return len(levels) == 1 and lowest.maker is not None and len(lowest.refused) == sum(playing) - 2
