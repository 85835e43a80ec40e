"""The steps of a game: their packed form, and their replay."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from put_protocol.cards import Card, place_of
from put_protocol.games.unions import Action
from put_protocol.table_events import Sat
from put_protocol.text import same_name
from put_rules.facts import Fact, Hidden, Open
from put_rules.game import Game, GameError, NotAwaited
from put_rules.record import Assist, Departure, Expiry, GameRecord, Input, Move, Pack, Player, StandIn, Step


class Played(NamedTuple):
    """A step of the fold."""

    at: int
    input: Input | None
    """None: the beginning of the game."""
    state: Any
    facts: tuple[Fact, ...]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Step]).decode


class Steps:
    """The inputs of a game, packed: a long game takes a few kilobytes.

    Those of the last hand are packed only on request, because their packs are usually replaced before.
    """

    __slots__ = ("_count", "_hand", "_packed")

    def __init__(self, packed: Hidden[bytes] | None = None) -> None:
        self._packed = b""
        """Steps before the last hand; all steps if there is none."""
        self._hand: list[tuple[Step, bytearray]] = []
        """Packs of the last hand, usually one, with the steps after each."""
        self._count = 0
        if packed is not None:
            for step in _decode(packed.unseal()):
                self.add(step.at, step.input)

    def add(self, at: int, given: Input) -> None:
        self._count += 1
        step = Step(at, given)
        if type(given) is Pack:  # a failing `isinstance` is slow, and most structs here have another type
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
        """Replace the packs of the last hand."""
        first = len(self._hand) - len(packs)
        assert first >= 0
        for place, pack in enumerate(packs, first):
            step, behind = self._hand[place]
            self._hand[place] = Step(step.at, pack), behind

    def read(self) -> list[Step]:
        return _decode(self.packed().unseal())

    def packed(self) -> Hidden[bytes]:
        """All steps as one msgpack array."""
        return _steps(self._packed + self._packed_hand(), self._count)


def _steps(packed: bytes, count: int) -> Hidden[bytes]:
    return Hidden(b"\xdd" + count.to_bytes(4, "big") + packed)


def packed_steps(steps: Sequence[Step]) -> Hidden[bytes]:
    """Steps in the form of a record."""
    return _steps(b"".join(map(_encode, steps)), len(steps))


def replace_live(record: GameRecord, packs: Sequence[Pack]) -> GameRecord:
    """The record with these packs of the last hand."""
    if not packs:
        return record
    steps = Steps(record.steps)
    steps.replace_live(packs)
    return msgspec.structs.replace(record, steps=steps.packed())


def with_shown(record: GameRecord) -> GameRecord:
    """The record with the shown cards of blind deals at their places, as if known from the beginning. Other cards stay
    places."""
    steps = Steps(record.steps).read()
    pack = 0
    for at, step in enumerate(steps):
        match step.input:
            case Pack(is_stock=False):
                pack = at
            case Move(action=action, place=int() as place):
                dealt = steps[pack].input
                assert isinstance(dealt, Pack)
                card = getattr(action, "card", dealt.cards[place])
                cards = (*dealt.cards[:place], card, *dealt.cards[place + 1 :])
                steps[pack] = Step(steps[pack].at, msgspec.structs.replace(dealt, cards=cards))
                steps[at] = Step(step.at, Move(action))
            case _:
                pass
    return msgspec.structs.replace(record, steps=packed_steps(steps))


def hides_hands(record: GameRecord) -> bool:
    """True if the server knew some dealt cards only by their places."""
    packs = [step.input.cards for step in Steps(record.steps).read() if isinstance(step.input, Pack)]
    return any(place_of(card) is not None for cards in packs for card in cards)


def forget_player(players: Sequence[Player], steps: Sequence[Step], name: str) -> tuple[tuple[Player, ...], list[Step]]:
    """Players and steps with a guest's name replaced by one made from their seat."""

    def forgotten(player: Player, seat: int) -> Player:
        if player.is_house or same_name(player.name) != same_name(name):
            return player
        return msgspec.structs.replace(player, name=f"Forgotten {seat + 1}")

    return tuple([forgotten(player, seat) for seat, player in enumerate(players)]), [
        Step(step.at, StandIn(given.seat, forgotten(given.player, given.seat)))
        if isinstance(given := step.input, StandIn)
        else step
        for step in steps
    ]


class BadRecord(ValueError):
    """A step that is not valid after the earlier ones; the sentence names it."""


def fold(record: GameRecord, game: Game[Any, Any]) -> Iterator[Played]:
    """Replay the game, yielding each step, the beginning first.

    :raises BadRecord: a step is not valid, or unreadable.
    """
    try:
        steps = _decode(record.steps.unseal())
    except msgspec.DecodeError as error:
        raise BadRecord(f"its steps cannot be read ({error})") from None
    state = game.begin(record.dealer)
    yield Played(0, None, state, ())
    for number, step in enumerate(steps, 1):
        try:
            state, facts = take(game, state, step.input)
        except GameError as error:
            if isinstance(step.input, Pack) and not step.input.cards:
                raise BadRecord(f"what step {number} was dealt from is missing") from None
            raise BadRecord(f"step {number} does not follow: {type(error).__name__}") from None
        yield Played(step.at, step.input, state, facts)


def named(game: Game[Any, Any], state: Any, place: int, action: Action) -> Any:
    """The state after naming the card of an action, which only had a place before.

    :raises NotAwaited: the card was not at this place.
    """
    card: Card | None = getattr(action, "card", None)
    if card is None:
        raise NotAwaited("an action without a card names none")
    return game.name(state, place, card)


def take(game: Game[Any, Any], state: Any, given: Input) -> tuple[Any, tuple[Fact, ...]]:
    match given:
        case Pack(cards=cards, luck=luck):
            return game.deal(state, cards, luck)
        case Move(action=action, place=place):
            return game.act(state if place is None else named(game, state, place, action), action)
        case Expiry():
            return game.expire(state)
        case Departure(seat=seat):
            return game.leave(state, seat)
        case StandIn(seat=seat, player=player):
            return state, (Open(Sat(seat, player.name, player.is_house, player.is_bot)),)
        case Assist():
            return state, ()  # it changes nothing in the game, and the table sends it in addition to the events
