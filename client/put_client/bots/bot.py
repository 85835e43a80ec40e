"""Interface of a bot, its record, and the error for an illegal choice."""

import random
from collections.abc import Awaitable
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from put_client.sdk.deal_checks import DealChecked
from put_client.sdk.errors import Cheated
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.seats import Seat
from put_protocol.table_info import TableInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Results of a bot at one table."""

    table: int
    seat: Seat
    games: int
    """Played to their end."""
    won: int
    purse: int
    """Stakes won less stakes lost."""
    deals: int = 0
    """Finished deals, except those that failed a check."""
    proved: int = 0
    """Number of proved deals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One finished game."""

    table: int
    won: bool
    paid: int
    """Stakes won by it; below 0: lost."""


class Bot:
    """A player at one table. Override `choose`; everything else is optional.

    A bot's methods are called one at a time. Plain methods run in a thread of this bot, so they may use the whole time
    of the turn's clock while the connection stays alive. If `choose` is a coroutine, all methods run in the
    connection's event loop: that is a tenth of a millisecond faster, but a blocking method blocks everything.
    """

    table: int
    """Number of the table; like `seat` and `info` set before any call."""
    seat: Seat
    info: TableInfo
    """The current table: seats, rule set, options, purses and clocks."""
    checked: DealChecked | None = None
    """Last report of the checks on this table; None: there was no deal yet, or checks are off."""

    @property
    def is_proved(self) -> bool:
        """All holders of keys shuffled the deal in play, and all that was shown of it is proved."""
        return self.checked is not None and self.checked.is_proved

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action | Awaitable[Action]:
        """Return the action of one of these choices; there is at least one. `view` has all that this seat may see."""
        raise NotImplementedError

    def saw(self, event: Event, view: GameView | None) -> None:
        """Take an event, which may be about this bot. `view`: the state after the last event of its message; None: no
        game has begun."""

    def game_over(self, record: Record) -> None:
        """A game ended. `record`: all games so far at this table."""

    def on_fault(self, error: Cheated) -> None:
        """The table does not deal fairly; see the error. The bot does not play there any more, and its runner raises
        the error."""


class RandomBot(Bot):
    """Chooses any legal action at random."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self._dice = dice or random.Random()

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return self._dice.choice(legal).action


class OnError(StrEnum):
    """Policy for a bot that raises an error or makes an illegal choice."""

    END = "end"
    """the error ends everything, and the games in play are given up"""
    FIRST = "first"
    """log the error with its traceback, and take the first legal action"""


class IllegalChoice(ValueError):
    """The bot chose an illegal action."""

    def __init__(self, bot: Bot, chosen: object, legal: tuple[Choice, ...]) -> None:
        what = "nothing (did it forget to return?)" if chosen is None else action_in_words(chosen)
        there = "; ".join(action_in_words(choice.action) for choice in legal)
        hint = " Return choice.action, not the choice." if isinstance(chosen, Choice) else ""
        super().__init__(f"{type(bot).__name__} chose {what}, which is none of the legal actions: {there}.{hint}")
        self.chosen = chosen
        self.legal = legal


def action_in_words(action: object) -> str:
    """An action by its tag and fields: `play 3s`, `put`."""
    if not isinstance(action, msgspec.Struct) or action.__struct_config__.tag_field != "do":
        return repr(action)
    return " ".join([str(action.__struct_config__.tag), *map(str, msgspec.structs.astuple(action))])
