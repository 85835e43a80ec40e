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
    """Finished deals, without those that failed a check."""
    proved: int = 0
    """Number of those that were proved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One game that was played to its end."""

    table: int
    won: bool
    paid: int
    """Stakes won or, below 0, lost by it."""


class Bot:
    """A player at one table. Override `choose`; everything else is optional.

    A bot's methods are called one at a time. Where they are plain methods they run in a thread that belongs to this
    bot, so they may take as long as the turn's clock allows and the connection lives on. Where `choose` is a coroutine
    they run on the connection's own loop: that is a tenth of a millisecond faster, and a method that blocks there
    blocks everything.
    """

    table: int
    """Its number; like `seat` and `info` set before anything is called."""
    seat: Seat
    info: TableInfo
    """The table as it is now: who sits where, the rule set and its options, purses and clocks."""
    checked: DealChecked | None = None
    """The checks' last report on this table; None: nothing was dealt yet, or nothing is checked."""

    @property
    def is_proved(self) -> bool:
        """All who keep a key shuffled the deal in play, and all that was shown of it is proved."""
        return self.checked is not None and self.checked.is_proved

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action | Awaitable[Action]:
        """Return the action of one of these choices; there is at least one. `view` is all that this seat may see."""
        raise NotImplementedError

    def saw(self, event: Event, view: GameView | None) -> None:
        """Something happened, also to this bot itself. The view is as of the last event that came with it; None: no
        game was begun."""

    def game_over(self, record: Record) -> None:
        """A game ended; the record is of all games so far at this table."""

    def on_fault(self, error: Cheated) -> None:
        """The table does not deal fairly, as the error says. Nothing more is played there, and the error is raised by
        the function that runs the bot."""


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
    """the error is logged with its traceback, and the first of the legal actions taken in its place"""


class IllegalChoice(ValueError):
    """The bot chose what is none of the legal actions."""

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
