"""A game as its inputs: what its machine is folded from again, to bring it back, to show it and to check it.

The record holds every card. It never travels: what a viewer gets of it is what the facts of the fold let him see.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, assert_never

import msgspec
from msgspec import Struct

from put_protocol.actions import Action
from put_protocol.cards import Card
from put_protocol.events import Sat
from put_protocol.seal.told import CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat
from put_server.games.facts import Fact, Open
from put_server.games.game import Game, GameError, OptionValue
from put_server.games.hidden import Hidden


class Player(Struct, frozen=True, omit_defaults=True):
    """Who played, as he was known."""

    name: str
    is_bot: bool = False
    is_house: bool = False


class Seal(Struct, frozen=True, gc=False):
    """How a pack was sealed and cut."""

    secret: bytes
    sealed: Sealed
    cut: CutsShown


class Pack(Struct, frozen=True, tag_field="step", tag="pack", omit_defaults=True, gc=False):
    """The shuffled pack the game awaited, top card first."""

    cards: tuple[Card, ...]
    seal: Seal | None = None
    """None: it was not sealed."""


class Void(Struct, frozen=True, tag_field="step", tag="void", gc=False):
    """A deal was sealed and came to nothing."""

    sealed: Sealed
    voided: DealVoided


class Move(Struct, frozen=True, tag_field="step", tag="move", gc=False):
    """The seat to move did this."""

    action: Action


class Expiry(Struct, frozen=True, tag_field="step", tag="expiry", gc=False):
    """The time of the seat to move was spent."""


class Departure(Struct, frozen=True, tag_field="step", tag="departure", gc=False):
    """A player gave up the game."""

    seat: Seat


class StandIn(Struct, frozen=True, tag_field="step", tag="stand_in", gc=False):
    """Somebody took a player's place; the game goes on as it was."""

    seat: Seat
    player: Player


Input = Pack | Void | Move | Expiry | Departure | StandIn


class Step(Struct, frozen=True, gc=False, array_like=True):
    """An input and when it came."""

    at: int
    """Milliseconds since the game began."""
    input: Input


class Played(NamedTuple):
    """A step of the fold."""

    at: int
    input: Input | None
    """None: the beginning."""
    state: Any
    facts: tuple[Fact, ...]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Step]).decode


class Steps:
    """The inputs of a game, packed: a long one takes a few kilobytes."""

    __slots__ = ("_count", "_packed")

    def __init__(self, kept: Hidden[bytes] | None = None) -> None:
        self._packed = bytearray() if kept is None else bytearray(kept.unseal()[5:])
        self._count = 0 if kept is None else int.from_bytes(kept.unseal()[1:5], "big")

    def add(self, at: int, given: Input) -> None:
        self._packed += _encode(Step(at, given))
        self._count += 1

    def read(self) -> list[Step]:
        """All of them, unpacked."""
        return _decode(self.kept().unseal())

    def kept(self) -> Hidden[bytes]:
        """All of them as one msgpack array."""
        return Hidden(b"\xdd" + self._count.to_bytes(4, "big") + bytes(self._packed))


class GameRecord(Struct, frozen=True):
    """One game, from its beginning; over, or as far as it got."""

    table: int
    number: int
    """Which game at the table, from 1."""
    rule_set: str
    options: dict[str, OptionValue]
    players: tuple[Player, ...]
    """By seat, as they began."""
    dealer: Seat | None
    """None: they drew for the deal."""
    steps: Hidden[bytes]
    is_exhibition: bool = False


class BadRecord(ValueError):
    """A step that does not follow from the ones before; the sentence says which."""


def fold(record: GameRecord, game: Game[Any]) -> Iterator[Played]:
    """The game again, a step at a time, the beginning first.

    :raises BadRecord: a step does not follow, or cannot be read.
    """
    try:
        steps = _decode(record.steps.unseal())
    except msgspec.DecodeError as error:
        raise BadRecord(f"its steps cannot be read ({error})") from None
    state = game.begin(record.dealer)
    yield Played(0, None, state, ())
    for number, step in enumerate(steps, 1):
        try:
            state, facts = _take(game, state, step.input)
        except GameError as error:
            raise BadRecord(f"step {number} does not follow: {type(error).__name__}") from None
        yield Played(step.at, step.input, state, facts)


def _take(game: Game[Any], state: Any, given: Input) -> tuple[Any, tuple[Fact, ...]]:
    match given:
        case Pack(cards=cards, seal=seal):
            state, facts = game.deal(state, cards)
            return state, facts if seal is None else (Open(seal.sealed), Open(seal.cut), *facts)
        case Void(sealed=sealed, voided=voided):
            return state, (Open(sealed), Open(voided))
        case Move(action=action):
            return game.act(state, action)
        case Expiry():
            return game.expire(state)
        case Departure(seat=seat):
            return game.leave(state, seat)
        case StandIn(seat=seat, player=player):
            return state, (Open(Sat(seat, player.name, player.is_house, player.is_bot)),)
        case _:
            assert_never(given)
