"""The customs by which sensible people put and see at a score, whatever becomes of a hand in which nobody does.

The model of one hand between two, from which everything here follows: each holds a strength, drawn evenly from 0 to 1,
and the higher wins. Let `won` and `lost` be the chances in the game of the player who may put, after the hand's points
to that player and to the other; `high` and `low` those after an accepted put that this player wins, or loses. Then
- the other sees above that strength at which a putter who must lose if seen does no better by putting;
- a putter of real strength begins where being seen by those pays;
- and bluffs come in such proportion that a player who is asked, and only just would see, does not care.
At the edges it is simpler: who is far behind, or ruined by this hand anyhow, puts with everything, for it costs them
next to nothing, and is seen by what wins as often as the point is worth; whom a point brings home never puts while they
may be silent, for they would be seen by everything.
"""

from dataclasses import dataclass
from enum import Enum

from put_protocol.games.put import (
    Worth,
)
from put_protocol.games.unions import (
    GameView,
)

_INVITES_FROM = 0.6
_INVITES_BELOW = 0.1
"""Where a put is but an invitation to concede, the model has nobody put: the strong would rather play. People do."""


class Contest(Enum):
    """What becomes of a hand in which nobody puts."""

    PLAYED_OUT = "played out"
    """it is played out for its points, and only a put makes it worth the game"""
    GIVEN_UP = "given up"
    """somebody has the last say, and throws it in if they do not put"""
    OUTRIGHT = "outright"
    """it is played out for the game, and only throwing in makes it worth less"""
    DOUBLED = "doubled"
    """it is played out for its points, which may be doubled and doubled again"""


def contest_of(view: GameView) -> Contest:
    """What this game's hands are like."""
    if view.plain is Worth.GAME:
        return Contest.OUTRIGHT
    match view.accepted:
        case Worth.VALUE:
            return Contest.DOUBLED
        case Worth.TO_TARGET:
            return Contest.GIVEN_UP
        case Worth.GAME:
            return Contest.PLAYED_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Custom:
    """How one player puts and the other answers, as strengths from 0 to 1 among what they may hold."""

    puts_from: float
    bluffs_below: float
    sees_from: float

    @property
    def bluffs(self) -> float:
        """How many of those too weak to put for gain put all the same."""
        return self.bluffs_below / self.puts_from if self.puts_from > 0 else 1.0


def custom(won: float, lost: float, *, high: float = 1.0, low: float = 0.0, gives_up: bool = False) -> Custom:
    """The custom between two. `gives_up`: whoever is silent has thrown in."""
    if won >= high:
        return Custom(puts_from=(lost - low) / (high - low) if gives_up else 1.0, bluffs_below=0.0, sees_from=0.0)
    even = (high - won) / (high - low)
    if lost <= even * won + (1 - even) * low:
        return Custom(puts_from=0.0, bluffs_below=0.0, sees_from=even)
    sees = (lost - low) / (won - low)
    puts = sees if gives_up else sees * (high - low) / (high - low - won + lost)
    return Custom(puts_from=puts, bluffs_below=(1 - puts) * (high - won) / (won - low), sees_from=sees)


def invitation(won: float, lost: float) -> Custom:
    """The custom where the hand wins the game in any case: who is asked plays on with an even chance of it."""
    ruined = lost <= 0
    return Custom(
        puts_from=0.0 if ruined else _INVITES_FROM, bluffs_below=0.0 if ruined else _INVITES_BELOW, sees_from=1 - won
    )
