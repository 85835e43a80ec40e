"""The record of a game: its inputs. `steps` replays it, to restore, show or check the game.

The record contains every card, and never travels: a viewer gets only what the facts of a replay let them see.
"""

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.facts import Hidden
from put_rules.game import OptionValue


class Player(Struct, frozen=True, omit_defaults=True, gc=False):
    """A player, as known when they played."""

    name: str
    is_bot: bool = False
    is_house: bool = False


class Pack(Struct, frozen=True, tag_field="step", tag="pack", omit_defaults=True, gc=False):
    """The shuffled pack the game awaited, top card first."""

    cards: tuple[Card, ...]
    """Cards that a viewer saw stay at their places; after the deal the others do not (`live_deal`)."""
    luck: int | None = None
    """Number that decided on an accident; None: the order of unseen cards did, or no accident was possible."""
    is_stock: bool = False
    """True if it was shuffled during a hand, from cards that came back; the hand's earlier packs stayed in play."""


class Tape(Struct, frozen=True, omit_defaults=True):
    """All pieces that the server made from a blind game's secret, in order, without the secret."""

    first: int
    """Number of earlier pieces."""
    pieces: tuple[bytes, ...]
    before: dict[int, bytes] = {}
    """Earlier pieces, by number, that the deals in play then depend on."""


class Chance(Struct, frozen=True, omit_defaults=True, gc=False):
    """Source of a deal, or of all deals of a blind game. Stored separately, so that it can be erased after the deal or
    that game."""

    secret: bytes = b""
    """Kept of a blind game in play."""
    pack: Pack | None = None
    """Kept of a deal of the server's own."""
    tape: Tape | None = None
    """Only for a finished blind game."""


class Move(Struct, frozen=True, tag_field="step", tag="move", omit_defaults=True, gc=False):
    """The seat to move did this."""

    action: Action
    place: int | None = None
    """Place of the card, which the server could not name before."""


class Expiry(Struct, frozen=True, tag_field="step", tag="expiry", gc=False):
    """The time of the seat to move was spent."""


class Departure(Struct, frozen=True, tag_field="step", tag="departure", gc=False):
    """A player gave up the game."""

    seat: Seat


class StandIn(Struct, frozen=True, tag_field="step", tag="stand_in", gc=False):
    """Another person replaced a player; the game continues unchanged."""

    seat: Seat
    player: Player


class Assist(Struct, frozen=True, tag_field="step", tag="assist", gc=False):
    """A player asked the coach, for the first time in the game."""

    seat: Seat


Input = Pack | Move | Expiry | Departure | StandIn | Assist


class Step(Struct, frozen=True, gc=False, array_like=True):
    """An input with its time."""

    at: int
    """Milliseconds since the game began."""
    input: Input


class GameRecord(Struct, frozen=True):
    """One game from its beginning, finished or not."""

    table: int
    number: int
    """Number of the game at the table, from 1."""
    rule_set: str
    options: dict[str, OptionValue]
    players: tuple[Player, ...]
    """Listed by seat, at the beginning."""
    dealer: Seat | None
    """None: the players drew for it."""
    steps: Hidden[bytes]
    is_exhibition: bool = False
