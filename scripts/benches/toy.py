"""Toy server of two-handed put-1674: what a good engineer writes in an afternoon, as the ceiling for a real server.

It plays the same game over the same wire: it decodes requests by their types, deals from the system's randomness,
knows every legal action, refuses others, shows each player only what that player may see, and sends the same `events`
with the answer, the view and the decision. It has no lobby, journal, clocks, spectators, reconnects, rate limits,
blind deals or other games, and a peer that misbehaves may break its own connection. A test plays it in step with the
server's own rules.

Run as `python -m scripts.benches.toy`.
"""

import asyncio
import random
from collections.abc import Sequence

import msgspec

from put_protocol.cards import FULL_PACK, RANKS, Card, name_of
from put_protocol.games.put import (
    DealerFound,
    Dealt,
    DidPut,
    Drawn,
    GameEnded,
    GameWon,
    HandEnded,
    HandWon,
    Moment,
    Play,
    Played,
    Put,
    PutEvent,
    PutView,
    Saw,
    See,
    ThrewIn,
    ThrowIn,
    TrickEnded,
)
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Action, Choice, Event
from put_protocol.limits import FRAME_BYTES
from put_protocol.messages import (
    Act,
    Again,
    Events,
    Hello,
    Ok,
    OpenTable,
    Pong,
    Question,
    Refused,
    ServerMessage,
    Sit,
    TableSnapshot,
    Turn,
    Welcome,
)
from put_protocol.offers import Limits
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo

# --- the game --------------------------------------------------------------------------------------------------------

TARGET = 5
_BOTH = Seat(0), Seat(1)
_NO_TRICK = TrickView()
BEST_FIRST = ("3", "2", *reversed(RANKS[2:]))
_STRENGTH = {card: len(BEST_FIRST) - BEST_FIRST.index(card[:-1]) for card in FULL_PACK}

# The choices of a turn are made once, not at every turn.
_LEADS = {card: Choice(Play(card), f"lead {name_of(card)}") for card in FULL_PACK}
_REPLIES = {card: Choice(Play(card), f"play {name_of(card)}") for card in FULL_PACK}
_PUT = Choice(Put(), 'say "I put": they throw in for a point, or this hand decides the game')
_ANSWERS = (
    Choice(See(), "see the put: this hand decides the game"),
    Choice(ThrowIn(), "throw in your cards and give up a point"),
)
_FREE = "Nobody has put: the hand is for a point, until somebody does."
_BOUND = "The put was seen: whoever wins this hand wins the game."
_CHALLENGED = "Throw in, and the other has a point; see, and this hand decides the game."


class Illegal(Exception):
    """Not an action of the player to move."""


class ToyGame:
    """A game of two. `deal` begins each hand; `act` plays it."""

    def __init__(self, dealer: Seat | None) -> None:
        """`dealer` of the first hand; None: the first `deal` is a draw for it."""
        self.dealer = dealer
        self.scores = (0, 0)
        self.hand = 0
        self.is_over = False
        self.mover: Seat | None = None
        """None: a pack is wanted, or the game is over."""
        self.choices: tuple[Choice, ...] = ()
        """Every legal action of the mover."""
        self.hands: list[list[Card]] = [[], []]
        self.playing: tuple[bool, ...] = ()
        self.tricks: tuple[int, ...] = ()
        self.leader = Seat(0)
        self.led: Card | None = None
        self.past: tuple[TrickView, ...] = ()
        self.putter: Seat | None = None
        self.is_seen = False
        """The put is."""

    def deal(self, pack: Sequence[Card]) -> tuple[tuple[PutEvent, ...], ...]:
        """Draw for the deal, or deal a hand: the events that each player sees."""
        if self.dealer is None:
            return (self._draw(pack),) * 2
        eldest = _other(self.dealer)
        self.hands[eldest], self.hands[self.dealer] = list(pack[0:6:2]), list(pack[1:6:2])
        self.hand += 1
        self.playing, self.tricks, self.past = (True, True), (0, 0), ()
        self.putter, self.is_seen = None, False
        self.leader = eldest
        self._turn_to(eldest)
        return tuple([(Dealt(self.hand, self.dealer, eldest, (3, 3), tuple(hand)),) for hand in self.hands])

    def _draw(self, pack: Sequence[Card]) -> tuple[PutEvent, ...]:
        events: list[PutEvent] = []
        for cards in zip(pack[::2], pack[1::2], strict=False):
            one, other = (_STRENGTH[card] for card in cards)
            events.append(Drawn(_BOTH, cards, _BOTH if one == other else ()))
            if one != other:
                self.dealer = Seat(int(other > one))
                events.append(DealerFound(self.dealer))
                break
        return tuple(events)

    def _turn_to(self, seat: Seat) -> None:
        self.mover = seat
        if self.is_asked_to_see:
            self.choices = _ANSWERS
            return
        known = _LEADS if self.led is None else _REPLIES
        choices = [known[card] for card in self.hands[seat]]
        if self.putter is None:
            choices.append(_PUT)
        self.choices = tuple(choices)

    @property
    def is_asked_to_see(self) -> bool:
        """The mover must see a put, or throw in."""
        return self.putter is not None and not self.is_seen

    def question(self) -> tuple[str, str]:
        """The question to the mover, and why it is asked."""
        if self.is_asked_to_see:
            return "Do you see the put, or throw in?", _CHALLENGED
        verb = "Lead" if self.led is None else "Play"
        if self.is_seen:
            return f"{verb} to trick {len(self.past) + 1}.", _BOUND
        return f"{verb} to trick {len(self.past) + 1}, or put first.", _FREE

    def act(self, action: Action) -> tuple[PutEvent, ...]:
        """The mover's action: the events, which both players see alike.

        :raises Illegal: it is not among the choices.
        """
        seat = self.mover
        if seat is None or all(action != choice.action for choice in self.choices):
            raise Illegal(action)
        match action:
            case Play(card=card):
                return self._play(seat, card)
            case Put():
                self.putter = seat
                self._turn_to(_other(seat))
                return (DidPut(seat),)
            case See():
                self.is_seen = True
                self._turn_to(_other(seat))
                return (Saw(seat),)
            case _:
                self.playing = (seat != 0, seat != 1)
                return ThrewIn(seat), *self._end_hand(_other(seat), HandWon.THROWN_IN)

    def _play(self, seat: Seat, card: Card) -> tuple[PutEvent, ...]:
        self.hands[seat].remove(card)
        if self.led is None:
            self.led = card
            self._turn_to(_other(seat))
            return (Played(seat, card, leads=True),)
        played, led, replied = Played(seat, card), _STRENGTH[self.led], _STRENGTH[card]
        winner = None if led == replied else self.leader if led > replied else seat
        self.past = (*self.past, TrickView((self.leader, seat), (self.led, card), winner))
        self.led = None
        if winner is not None:
            one, other = self.tricks
            self.tricks = (one + (winner == 0), other + (winner == 1))
            self.leader = winner
        ended = TrickEnded(len(self.past), winner, self.leader, self.tricks)
        ahead, left = self.tricks[0] - self.tricks[1], 3 - len(self.past)
        if abs(ahead) > left:
            return played, ended, *self._end_hand(Seat(int(ahead < 0)), HandWon.TRICKS)
        if not left:
            return played, ended, *self._end_hand(None, HandWon.DRAWN)
        self._turn_to(self.leader)
        return played, ended

    def _end_hand(self, winner: Seat | None, how: HandWon) -> tuple[PutEvent, ...]:
        assert self.dealer is not None
        self.mover = self.led = None
        self.choices = ()
        self.hands = [[], []]
        self.dealer = _other(self.dealer)
        if winner is None:
            return (HandEnded(how, None, 0, self.scores),)
        points = 0 if self.is_seen else 1
        one, other = self.scores
        self.scores = (one + points * (winner == 0), other + points * (winner == 1))
        ended = HandEnded(how, winner, points, self.scores)
        if self.scores[winner] < TARGET and not self.is_seen:
            return (ended,)
        self.is_over = True
        won = GameWon.PUT if self.is_seen else GameWon.POINTS
        return ended, GameEnded(won, (winner,), self.scores, (1, -1) if winner == 0 else (-1, 1))

    def view(self, seat: Seat) -> PutView:
        """All that a player may know."""
        if self.mover is None or self.dealer is None:
            return PutView(
                target=TARGET,
                scores=self.scores,
                hand=self.hand,
                playing=self.playing,
                tricks=self.tricks,
                past=self.past,
                putter=self.putter,
                seen_by=self._seers(),
                ranking=BEST_FIRST,
            )
        moment = Moment.ANSWER if self.is_asked_to_see else Moment.LEAD if self.led is None else Moment.REPLY
        return PutView(
            target=TARGET,
            scores=self.scores,
            hand=self.hand,
            dealer=self.dealer,
            eldest=_other(self.dealer),
            cards=tuple(self.hands[seat]),
            counts=(len(self.hands[0]), len(self.hands[1])),
            playing=self.playing,
            tricks=self.tricks,
            trick=_NO_TRICK if self.led is None else TrickView((self.leader,), (self.led,)),
            past=self.past,
            to_move=self.mover,
            moment=moment,
            putter=self.putter,
            seen_by=self._seers(),
            ranking=BEST_FIRST,
        )

    def _seers(self) -> tuple[Seat, ...]:
        return (_other(self.putter),) if self.putter is not None and self.is_seen else ()


def _other(seat: Seat) -> Seat:
    return Seat(1 - seat)


# --- the table -------------------------------------------------------------------------------------------------------


class ToyTable:
    """Two players, and one game after another."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.players: list[Connection] = []
        self.game = ToyGame(None)
        self._games = 0
        self._agreed: set[Seat] = set()
        self._events = 0
        self._decision = 0
        self._chance = random.SystemRandom()

    def sit(self, player: "Connection") -> Seat:
        """Take the next seat; the game begins when both are taken."""
        self.players.append(player)
        return Seat(len(self.players) - 1)

    def agree(self, seat: Seat) -> None:
        """Ask for a game; it begins when both have asked."""
        self._agreed.add(seat)
        if len(self._agreed) < 2:
            return
        self._agreed.clear()
        self._games += 1
        if self._games > 1:
            self.game = ToyGame(self.game.dealer)
        started = GameStarted(self._games, tuple([player.name for player in self.players]))
        self._tell([(started,)] * 2)
        self._go_on()

    def _go_on(self) -> None:
        """Deal, if a hand is over."""
        while self.game.mover is None and not self.game.is_over:
            self._tell(self.game.deal(self._chance.sample(FULL_PACK, 52 if self.game.dealer is None else 6)))

    def act(self, seat: Seat, request: Act) -> None:
        """Carry out an action, or say why not."""
        mover = self.players[seat]
        if seat != self.game.mover or request.decision != self._decision:
            mover.send(Refused(request.id, RefusalCode.TOO_LATE, "that decision is no longer open", field="decision"))
            return
        try:
            events = self.game.act(request.action)
        except Illegal:
            mover.send(Refused(request.id, RefusalCode.ILLEGAL, "that is not legal now", field="action"))
            return
        self._tell((events, events), request.id, seat)
        self._go_on()

    def _tell(self, seen: Sequence[tuple[Event, ...]], request: int = 0, asker: Seat | None = None) -> None:
        """`request`: of the asker, which this answers."""
        first, game = self._events + 1, self.game
        self._events += len(seen[0])
        turn, question = None, None
        if game.mover is not None:
            self._decision += 1
            asks, why = game.question()
            turn, question = Turn(game.mover, bank_ms=BANK_MS), Question(self._decision, game.choices, asks, why)
        for seat, player, events in zip(_BOTH, self.players, seen, strict=True):
            answered, asked = request if seat == asker else 0, question if seat == game.mover else None
            message = Events(self.number, first, events, view=game.view(seat), turn=turn, id=answered, decision=asked)
            player.send(message)

    def snapshot(self, seat: Seat, request: int) -> TableSnapshot:
        """The table whole, for who sits down by this request."""
        chairs = tuple([SeatInfo(name=player.name) for player in self.players])
        info = TableInfo(self.number, "put-1674", {}, chairs, ClockInfo())
        return TableSnapshot(self.number, seat, self._events, info, id=request)

    def flush(self) -> None:
        """Send what is queued, in one write a player."""
        for player in self.players:
            player.flush()


# --- connections -----------------------------------------------------------------------------------------------------

BANK_MS = 300_000
_LIMITS = Limits(
    frame_bytes=FRAME_BYTES, requests_per_second=20, requests_at_once=60, tables=64, quiet_ms=30_000, dead_ms=75_000
)
_decode = msgspec.msgpack.Decoder(Hello | OpenTable | Sit | Again | Act | Pong).decode
_encode = msgspec.msgpack.Encoder().encode
_READ = memoryview(bytearray(64 * 1024))
"""All connections read into it; what is read is copied before the next read."""


class Connection(asyncio.BufferedProtocol):
    __slots__ = ("_out", "_rest", "_seats", "_tables", "_transport", "name")

    _transport: asyncio.Transport

    def __init__(self, tables: list[ToyTable]) -> None:
        self.name = ""
        self._tables = tables
        self._seats: dict[int, Seat] = {}
        """The seat of this player, by table."""
        self._rest = b""
        self._out: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        data = self._rest + _READ[:nbytes] if self._rest else bytes(_READ[:nbytes])
        at, end = 0, len(data)
        while end - at > 4:
            length = int.from_bytes(data[at : at + 4], "big")
            if length > FRAME_BYTES:
                self._transport.abort()
                return
            stop = at + 4 + length
            if stop > end:
                break
            self._handle(_decode(data[at + 4 : stop]))
            at = stop
        self._rest = data[at:]
        self.flush()

    def _handle(self, message: Hello | OpenTable | Sit | Again | Act | Pong) -> None:
        match message:
            case Act():
                table = self._tables[message.table - 1]
                table.act(self._seats[message.table], message)
                table.flush()
            case Again():
                table = self._tables[message.table - 1]
                self.send(Ok(message.id))
                table.agree(self._seats[message.table])
                table.flush()
            case Hello():
                self.name = message.name
                self.send(Welcome(message.version, "toy", message.name, "no token", _LIMITS, (), ()))
            case OpenTable():
                self._tables.append(ToyTable(len(self._tables) + 1))
                self.send(Ok(message.id, table=len(self._tables)))
            case Sit():
                table = self._tables[message.table - 1]
                seat = self._seats[message.table] = table.sit(self)
                self.send(table.snapshot(seat, message.id))
                table.agree(seat)
                table.flush()
            case Pong():
                pass

    def send(self, message: ServerMessage) -> None:
        body = _encode(message)
        self._out.append(len(body).to_bytes(4, "big") + body)

    def flush(self) -> None:
        if self._out:
            self._transport.write(b"".join(self._out))
            self._out.clear()


async def main() -> None:
    tables: list[ToyTable] = []
    server = await asyncio.get_running_loop().create_server(lambda: Connection(tables), "127.0.0.1", 0, backlog=512)
    print(f"toy listens on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
