"""Events of a table that are no game's: who came and went, pauses, and talk.

On the wire an event is a map whose `event` names it. `seat` is always the seat it is about.
"""

from msgspec.structs import replace

from put_protocol import deal_steps
from put_protocol.deal_steps import HAND_OVER, Step
from put_protocol.seats import Seat
from put_protocol.shown import WireEvent
from put_protocol.table_info import SeatInfo, TableInfo


class Sat(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="sat"):
    """Somebody took a seat."""

    seat: Seat
    name: str
    """The name of the player who has it now."""
    is_house: bool = False
    is_bot: bool = False
    holds_key: bool = False
    """True where games are dealt blind and this player alone can read their cards."""


class Stood(WireEvent, frozen=True, tag_field="event", tag="stood"):
    """Somebody gave up a seat."""

    seat: Seat
    name: str
    """The name of the player who had it."""


class GameStarted(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="started"):
    """A game begins, or a rubber where one is played: its games after the first begin without this."""

    game: int
    """Number of the game at this table, from 1."""
    names: tuple[str, ...]
    """Each player who plays, by seat."""
    plain: str = ""
    """Reason why the server alone deals the cards, as the end of a sentence; empty: it does not."""


class Agreed(WireEvent, frozen=True, tag_field="event", tag="agreed"):
    """A player is ready for another game; it starts when all are."""

    seat: Seat


class PresenceChanged(WireEvent, frozen=True, tag_field="event", tag="presence"):
    """A seated player's connection was lost (away) or came back."""

    seat: Seat
    away: bool
    """Lost; or else, back."""


class PauseAsked(WireEvent, frozen=True, tag_field="event", tag="pause_asked"):
    """A player asks for a pause; it begins when all who are here have."""

    seat: Seat
    minutes: int
    """The longest it may last."""


class Paused(WireEvent, frozen=True, tag_field="event", tag="paused"):
    """Everyone agreed: clocks stand still and nobody may play, until all are ready to go on or the time is over."""

    minutes: int
    """The longest it may last."""


class GoOnAsked(WireEvent, frozen=True, tag_field="event", tag="go_on_asked"):
    """A player is ready to go on."""

    seat: Seat


class WentOn(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="went_on"):
    """The pause is over."""

    by_time: bool = False
    """Its time was over, whoever is ready."""


class Said(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="said"):
    """Talk. What the gallery says during a game reaches the gallery only (Law 6: "No bystander must interfere")."""

    name: str
    """The player who said it."""
    text: str
    """The text that was said; empty, if it is `muted`."""
    seat: Seat | None = None
    """None: from the gallery."""
    muted: bool = False
    """You have muted who said it."""


class TimedOut(WireEvent, frozen=True, tag_field="event", tag="timed_out"):
    """A player's time ran out. What the rules of the game make of it follows."""

    seat: Seat


class LeftGame(WireEvent, frozen=True, tag_field="event", tag="left_game"):
    """A player gave up the game, or was away for too long. It goes on without them, or is over."""

    seat: Seat


class GameOver(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="over"):
    """A game is over and paid. Put and its relatives tell it by `game` instead."""

    gains: tuple[int, ...]
    """The amount each seat's purse gained (or, below 0, lost) by the whole game; in all, 0."""
    winners: tuple[Seat, ...] = ()
    """The winners; empty where a game has no winner and the purses tell."""

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
    """The players' names, by seat, after an event: somebody may take another's place."""
    if not isinstance(event, Sat):
        return names
    return tuple([event.name if seat == event.seat else name for seat, name in enumerate(names)])


def info_after(info: TableInfo, event: object) -> TableInfo:
    """The table after an event, as far as the event says it: who sits where, and how many games were begun."""
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
