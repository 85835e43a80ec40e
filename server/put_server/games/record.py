"""A game as its inputs: what its machine is folded from again, to bring it back, to show it and to check it.

The record holds every card. It never travels: what a viewer gets of it is what the facts of the fold let them see.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, assert_never

import msgspec
from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games.unions import Action
from put_protocol.seal_events import AccidentOpening, CutsShown, DealVoided, Opening, PackOpening, Sealed
from put_protocol.seats import Seat
from put_protocol.table_events import Sat, TimedOut
from put_server.games.facts import Fact, Hidden, Open
from put_server.games.game import Game, GameError, OptionValue, Turn


class Player(Struct, frozen=True, omit_defaults=True):
    """Who played, as they were known."""

    name: str
    is_bot: bool = False
    is_house: bool = False


class Seal(Struct, frozen=True, gc=False):
    """How a pack was sealed and cut."""

    secret: bytes
    sealed: Sealed
    cut: CutsShown


class Proofs(Struct, frozen=True, omit_defaults=True, gc=False):
    """What remains of a sealed deal that is over: the public events, and the proofs of cards that were shown."""

    sealed: Sealed
    cut: CutsShown
    turned: PackOpening
    """The pack that was not played."""
    openings: tuple[Opening, ...] = ()
    accident: AccidentOpening | None = None
    played: PackOpening | None = None
    """The pack that was played, at a table that opens its packs after the game."""


class Pack(Struct, frozen=True, tag_field="step", tag="pack", omit_defaults=True, gc=False):
    """The shuffled pack the game awaited, top card first."""

    cards: tuple[Card, ...]
    """When the deal is over, only those that somebody was shown lie where they lay; see `live_deal`."""
    seal: Seal | None = None
    """Of a sealed deal in play."""
    luck: int | None = None
    """What decided on an accident; None: the order of the cards nobody saw, or nothing had to."""
    proofs: Proofs | None = None
    """Of a sealed deal that is over."""
    is_stock: bool = False
    """It was shuffled in the middle of a hand, of cards that came back; the hand's packs before it stayed in play."""


class Chance(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a deal was made from. It is stored apart from all else, so that it can be erased when the deal is over."""

    secret: bytes = b""
    """Of a sealed deal in play."""
    pack: Pack | None = None
    """Of a deal that was not sealed, or of one that is over."""


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
    """The inputs of a game, packed: a long one takes a few kilobytes.

    The packs of the last hand are packed only when that is asked for, because mostly something else takes their place
    before.
    """

    __slots__ = ("_count", "_hand", "_packed")

    def __init__(self, packed: Hidden[bytes] | None = None) -> None:
        self._packed = bytearray()
        """Steps before the last hand; all, if there is none."""
        self._hand: list[tuple[Step, bytearray]] = []
        """Its packs, mostly one, and the steps after each."""
        self._count = 0
        if packed is not None:
            for step in _decode(packed.unseal()):
                self.add(step.at, step.input)

    def add(self, at: int, given: Input) -> None:
        self._count += 1
        step = Step(at, given)
        if type(given) is Pack:  # `isinstance` is slow where a struct is of another kind, as most are here
            if not given.is_stock:
                self._packed += self._packed_hand()
                self._hand.clear()
            self._hand.append((step, bytearray()))
        elif not self._hand:
            self._packed += _encode(step)
        else:
            self._hand[-1][1].extend(_encode(step))

    def _packed_hand(self) -> bytes:
        return b"".join([part for pack, behind in self._hand for part in (_encode(pack), behind)])

    def replace_live(self, packs: Sequence[Pack]) -> None:
        """Put something else in place of the last packs, which are of the last hand."""
        first = len(self._hand) - len(packs)
        assert first >= 0
        for place, pack in enumerate(packs, first):
            step, behind = self._hand[place]
            self._hand[place] = Step(step.at, pack), behind

    def read(self) -> list[Step]:
        """All of them, unpacked."""
        return _decode(self.packed().unseal())

    def packed(self) -> Hidden[bytes]:
        """All of them as one msgpack array."""
        return _steps(bytes(self._packed) + self._packed_hand(), self._count)


def _steps(packed: bytes, count: int) -> Hidden[bytes]:
    return Hidden(b"\xdd" + count.to_bytes(4, "big") + packed)


def packed_steps(steps: Sequence[Step]) -> Hidden[bytes]:
    """Steps as a record keeps them."""
    return _steps(b"".join(map(_encode, steps)), len(steps))


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


def last_packs(record: GameRecord, count: int) -> list[Pack]:
    """Of the last deals of a record that has so many."""
    packs = [step.input for step in Steps(record.steps).read() if isinstance(step.input, Pack)]
    return packs[len(packs) - count :]


def replace_live(record: GameRecord, packs: Sequence[Pack]) -> GameRecord:
    """The record with something else in place of its last packs, which are of one hand."""
    steps = Steps(record.steps)
    steps.replace_live(packs)
    return msgspec.structs.replace(record, steps=steps.packed())


class BadRecord(ValueError):
    """A step that does not follow from the ones before; the sentence says which."""


def fold(record: GameRecord, game: Game[Any, Any]) -> Iterator[Played]:
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


def expire(game: Game[Any, Any], state: Any) -> tuple[Any, tuple[Fact, ...]]:
    """The time of the seat to move is spent: in every game this is told as such, ahead of what comes of it.

    :raises NotAwaited: no seat is to move.
    """
    awaits = game.awaits(state)
    state, facts = game.expire(state)
    assert isinstance(awaits, Turn)
    return state, (Open(TimedOut(awaits.seat)), *facts)


def _take(game: Game[Any, Any], state: Any, given: Input) -> tuple[Any, tuple[Fact, ...]]:
    match given:
        case Pack(cards=cards, luck=luck):
            state, facts = game.deal(state, cards, luck)
            seal = given.seal or given.proofs
            return state, facts if seal is None else (Open(seal.sealed), Open(seal.cut), *facts)
        case Void(sealed=sealed, voided=voided):
            return state, (Open(sealed), Open(voided))
        case Move(action=action):
            return game.act(state, action)
        case Expiry():
            return expire(game, state)
        case Departure(seat=seat):
            return game.leave(state, seat)
        case StandIn(seat=seat, player=player):
            return state, (Open(Sat(seat, player.name, player.is_house, player.is_bot)),)
        case _:
            assert_never(given)
