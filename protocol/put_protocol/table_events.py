"""Events of a table outside its games: arrivals and departures, pauses, and talk.

On the wire an event is a map with its name in `event`. `seat` is always the subject.
"""

from msgspec.structs import replace

from put_protocol import deal_steps
from put_protocol.deal_steps import HAND_OVER, Step
from put_protocol.seats import Seat
from put_protocol.shown import SeatEvent, WireEvent
from put_protocol.table_info import SeatInfo, TableInfo


class Sat(SeatEvent, frozen=True, omit_defaults=True, tag="sat"):
    """A player took a seat."""

    name: str
    """Name of the player."""
    is_house: bool = False
    is_bot: bool = False
    holds_key: bool = False
    """True if games are dealt blind and only this player can read their cards."""


class Stood(SeatEvent, frozen=True, tag="stood"):
    """A player gave up their seat."""

    name: str
    """Name of the player."""


class GameStarted(WireEvent, frozen=True, omit_defaults=True, tag="started"):
    """A game or a rubber begins. Later games of a rubber begin without this event."""

    game: int
    """Number of the game at this table, from 1."""
    names: tuple[str, ...]
    """The players, by seat."""
    plain: str = ""
    """Reason why the game is not dealt blind, as the end of a sentence; empty: it is dealt blind."""


class Agreed(SeatEvent, frozen=True, tag="agreed"):
    """A player wants another game, which starts when all players do."""


class PresenceChanged(SeatEvent, frozen=True, tag="presence"):
    """A seated player's connection was lost (away) or came back."""

    away: bool
    """True: the connection is lost. False: the player is back."""


class PauseAsked(SeatEvent, frozen=True, tag="pause_asked"):
    """A player asks for a pause, which begins when all connected players have asked."""

    minutes: int
    """Maximum length of the pause."""


class Paused(WireEvent, frozen=True, tag="paused"):
    """All players agreed: clocks stop and no player may move, until all want to continue or the time is over."""

    minutes: int
    """Maximum length of the pause."""


class GoOnAsked(SeatEvent, frozen=True, tag="go_on_asked"):
    """A player is ready to go on."""


class WentOn(WireEvent, frozen=True, omit_defaults=True, tag="went_on"):
    """The pause is over."""

    by_time: bool = False
    """The time of the pause was over, even if not all players were ready."""


class Said(WireEvent, frozen=True, omit_defaults=True, tag="said"):
    """Talk. During a game, spectators reach only the gallery (Law 6: "No bystander must interfere")."""

    name: str
    """Name of the speaker."""
    text: str
    """The text; empty if `muted`."""
    seat: Seat | None = None
    """Seat of the speaker; None: the gallery."""
    muted: bool = False
    """You have muted the speaker."""


class TimedOut(SeatEvent, frozen=True, tag="timed_out"):
    """A player's time ran out. The effect by the rules of the game follows."""


class LeftGame(SeatEvent, frozen=True, tag="left_game"):
    """A player gave up the game, or was away for too long. The game continues without them, or is over."""


class GameOver(WireEvent, frozen=True, omit_defaults=True, tag="over"):
    """A game is over and paid. Games of the Put family send `game` instead."""

    gains: tuple[int, ...]
    """The amount each seat's purse gained by the whole game; below 0: lost. The sum is 0."""
    winners: tuple[Seat, ...] = ()
    """Empty if the game has no winner, and the purses count."""

    STEPS = (*HAND_OVER, Step(deal_steps.GameClosed))


TableEvent = (
    Sat
    | Stood
    | GameStarted
    | Agreed
    | PresenceChanged
    | PauseAsked
    | Paused
    | GoOnAsked
    | WentOn
    | Said
    | TimedOut
    | LeftGame
    | GameOver
)


def seated_names(names: tuple[str, ...], event: object) -> tuple[str, ...]:
    """The players' names by seat, after an event that may replace a player."""
    if not isinstance(event, Sat):
        return names
    return tuple([event.name if seat == event.seat else name for seat, name in enumerate(names)])


def info_after(info: TableInfo, event: object) -> TableInfo:
    """The table after an event. Only seats and the number of games change."""
    match event:
        case GameStarted(plain=plain):
            return replace(info, games=info.games + 1, plain=plain)
        case Sat(seat=seat):
            sitter = SeatInfo(event.name, is_house=event.is_house, is_bot=event.is_bot, holds_key=event.holds_key)
        case Stood(seat=seat):
            sitter = SeatInfo()
        case _:
            return info
    return replace(info, seats=tuple([sitter if at == seat else one for at, one in enumerate(info.seats)]))
