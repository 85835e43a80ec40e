"""The record of a game: its inputs, from which `steps` plays it again, to bring it back, to show it and to check it.

The record holds every card. It never travels: what a viewer gets of it is what the facts of the fold let them see.
"""

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.facts import Hidden
from put_rules.game import OptionValue


class Player(Struct, frozen=True, omit_defaults=True, gc=False):
    """The player who played, as they were known."""

    name: str
    is_bot: bool = False
    is_house: bool = False


class Pack(Struct, frozen=True, tag_field="step", tag="pack", omit_defaults=True, gc=False):
    """The shuffled pack the game awaited, top card first."""

    cards: tuple[Card, ...]
    """Those that a viewer was shown lie where they lay; after the deal the others do not (`live_deal`)."""
    luck: int | None = None
    """The number that decided on an accident; None: the order of the unseen cards, or nothing had to."""
    is_stock: bool = False
    """It was shuffled in the middle of a hand, of cards that came back; the hand's packs before it stayed in play."""


class Tape(Struct, frozen=True, omit_defaults=True):
    """All that the server made of the secret of a blind game, in order. No secret is in it."""

    first: int
    """Pieces that were made before these."""
    pieces: tuple[bytes, ...]
    before: dict[int, bytes] = {}
    """Those of earlier pieces, by their numbers, that a deal which was in play then follows from."""


class Chance(Struct, frozen=True, omit_defaults=True, gc=False):
    """The source of a deal, or of all deals of a blind game. It is stored apart from all else, so that it can be erased
    when the deal, or that game, is over."""

    secret: bytes = b""
    """Kept of a blind game in play."""
    pack: Pack | None = None
    """Kept of a deal of the server's own."""
    tape: Tape | None = None
    """Kept of a blind game that is over."""


class Move(Struct, frozen=True, tag_field="step", tag="move", omit_defaults=True, gc=False):
    """The seat to move did this."""

    action: Action
    place: int | None = None
    """The place of its card, which the server could not name before."""


class Expiry(Struct, frozen=True, tag_field="step", tag="expiry", gc=False):
    """The time of the seat to move was spent."""


class Departure(Struct, frozen=True, tag_field="step", tag="departure", gc=False):
    """A player gave up the game."""

    seat: Seat


class StandIn(Struct, frozen=True, tag_field="step", tag="stand_in", gc=False):
    """Another person took a player's place; the game goes on as it was."""

    seat: Seat
    player: Player


class Assist(Struct, frozen=True, tag_field="step", tag="assist", gc=False):
    """A player asked the coach what their choices are worth, for the first time in the game."""

    seat: Seat


Input = Pack | Move | Expiry | Departure | StandIn | Assist


class Step(Struct, frozen=True, gc=False, array_like=True):
    """An input and when it came."""

    at: int
    """Milliseconds since the game began."""
    input: Input


class GameRecord(Struct, frozen=True):
    """One game, from its beginning; over, or as far as it got."""

    table: int
    number: int
    """Number of the game at the table, from 1."""
    rule_set: str
    options: dict[str, OptionValue]
    players: tuple[Player, ...]
    """Listed by seat, as they began."""
    dealer: Seat | None
    """None: they drew for the deal."""
    steps: Hidden[bytes]
    is_exhibition: bool = False
