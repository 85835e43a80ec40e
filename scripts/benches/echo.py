"""Baselines: asyncio servers that decode a request and answer with a message, and nothing else.

They know no game, session, rate limit, outbox or viewer: each `act` is decoded with every check of the decoder, encoded
again and sent back. Run as `python -m scripts.benches.echo KIND`:

`plain`  an `asyncio.Protocol`, as in every tutorial. asyncio reads it with `recv` of 256 KiB, and in a fresh process
         glibc maps and unmaps memory for each of these, so it runs at half speed;
`warm`   the same in a process whose allocator has seen a large block and keeps its memory;
`table`  no echo, but the most a table could do: connections are paired in the order they come, and each act is
         answered by encoding and sending what a move causes at a table of two: `ok` and `events` to the one,
         `events` and a `decision` to the other, with no game behind them.
"""

import asyncio
import sys
from typing import ClassVar

from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, decoder_of_requests
from put_protocol.games.put import Moment, Play, Played, Put, PutView
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.messages import Decision, Events, Ok, ServerMessage, Turn
from put_protocol.seats import Seat


class Plain(asyncio.Protocol):
    """A connection."""

    def __init__(self) -> None:
        self._split = FRAMES.splitter().feed
        self._decode = decoder_of_requests(FRAMES).decode
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for piece in self._split(data):
            self._transport.write(FRAMES.encode(self._decode(piece)))


def _seen(cards: tuple[Card, ...]) -> Events:
    """What one player is told of a move in the middle of a hand."""
    view = PutView(
        target=5,
        scores=(2, 3),
        hand=7,
        dealer=Seat(0),
        eldest=Seat(1),
        cards=cards,
        counts=(2, 2),
        playing=(True, True),
        tricks=(0, 1),
        past=(TrickView((Seat(1), Seat(0)), (Card("10h"), Card("4c")), Seat(1)),),
        to_move=Seat(1),
        moment=Moment.LEAD,
        ranking=("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"),
    )
    return Events(100, 1000, (Played(Seat(0), Card("4c")),), view=view, turn=Turn(Seat(1), bank_ms=300_000))


_CHOICES = (
    Choice(Play(Card("3s")), "lead the 3 of spades"),
    Choice(Play(Card("Kd")), "lead the king of diamonds"),
    Choice(Put(), 'say "I put"'),
)
TO_MOVER: tuple[ServerMessage, ...] = (Ok(100_000), _seen((Card("7h"), Card("9c"))))
TO_OTHER: tuple[ServerMessage, ...] = (
    _seen((Card("3s"), Card("Kd"))),
    Decision(100, 1000, "Lead to trick 2.", _CHOICES, bank_ms=300_000),
)


class Paired(Plain):
    """One of the two at a table."""

    waiting: ClassVar["list[Paired]"] = []
    """The connection that came last, if it has no partner yet."""

    def __init__(self) -> None:
        super().__init__()
        self._partner = self
        if self.waiting:
            self._partner = self.waiting.pop()
            self._partner._partner = self
        else:
            self.waiting.append(self)

    def data_received(self, data: bytes) -> None:
        for piece in self._split(data):
            self._decode(piece)
            self._transport.write(b"".join([FRAMES.encode(message) for message in TO_MOVER]))
            self._partner._transport.write(b"".join([FRAMES.encode(message) for message in TO_OTHER]))


async def main(kind: str) -> None:
    """Serve until killed."""
    if kind != "plain":
        bytearray(8 * 1024 * 1024)  # freed at once: glibc's threshold for mapping memory rises above every read
    protocol = Paired if kind == "table" else Plain
    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0, backlog=512)
    print(f"echo listens on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
