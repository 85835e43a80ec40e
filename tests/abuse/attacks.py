"""Attacks on a server, each in a process of its own: `python -m tests.abuse.attacks NAME PORT`.

The process reads words from its standard input. After `attack` it does one thing as hard as it can. After `rest` it
only counts, which takes the same part of the machine and leaves the server alone. What an attack gets that it never may
get is a line of its output.
"""

import asyncio
import os
import sys
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from random import Random

from websockets.frames import Frame, Opcode

from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Put
from put_protocol.messages import (
    Act,
    Again,
    Analyse,
    Block,
    Bye,
    ClientMessage,
    Coach,
    Dismiss,
    Drill,
    Events,
    Grade,
    Hello,
    Invite,
    Leave,
    Look,
    Mute,
    OpenTable,
    Ping,
    Recall,
    Refresh,
    Request,
    Resign,
    Say,
    ServerMessage,
    Sit,
    Watch,
)
from put_protocol.seats import Seat
from put_protocol.table_events import Said
from tests.abuse.honest import Address, Line, Player
from tests.abuse.ways import (
    Doing,
    First,
    Where,
    alone,
    asking,
    coming,
    crowd,
    drain,
    each,
    guest,
    here,
    network,
    numbers,
    open_and,
    pour,
    provider,
    sites,
    spread,
    staying,
    stranger,
    unread,
)
from tests.protocol import samples
from tests.web.browserless import request, trusting, upgrade

PASSWORD = "1674"
"""Of the server, in the attack that guesses at it; and of the table, in the one that guesses at that."""

FIRST = "Honest 0 0"
"""A player at an honest table."""

CROWD = 940
"""Tables of a crowded lobby, besides those of the honest players."""

SMALL = ("--most-people", "300", "--most-tables", "120")
"""A server that is soon full."""

READY = "ready"
"""What it says before it begins."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to harm a server."""

    begin: Doing
    tables: int = 0
    """In the lobby, besides those of the honest players."""
    settings: tuple[str, ...] = ()
    """Of the server."""
    seconds: float = 3.0
    """How long it needs to do harm."""


def got(what: str) -> None:
    """Say what the attack got that it never may get."""
    print(what, flush=True)


def number_of(line: Line) -> int:
    """Of the next request."""
    return line.client.next_id()


# --- people who come and go ---


async def lock_out(server: Address) -> None:
    """Guests who open tables with a bank of a day, sit, and hang up."""

    async def one(place: int) -> None:
        async with guest(server, spread(place)) as line:
            await line.opened(bank=86_400)

    await each(40, one)


async def lookers_hang_up(server: Address) -> None:
    """A crowd looks at the lobby, and all hang up at once; again and again."""
    while True:
        async with AsyncExitStack() as all_of_them:
            people = [guest(server, crowd(place)) for place in range(1_000)]
            came = await asyncio.gather(*map(all_of_them.enter_async_context, people), return_exceptions=True)
            for line in came:
                if isinstance(line, Line):
                    line.send(Look(number_of(line)))
            await asyncio.sleep(0.5)
        await asyncio.sleep(0.1)


async def resuming(server: Address) -> None:
    """Ten people who come back again and again, each time with sixty looks."""

    async def one(place: int) -> None:
        async with guest(server, spread(place)) as line:
            token = line.token
        while True:
            async with guest(server, spread(place), token=token) as line:
                line.send(*(Look(number) for number in range(1, 61)))
                await asyncio.sleep(0.02)

    await each(10, one)


async def guess_password(server: Address) -> None:
    """All passwords of four digits but the right one."""

    async def one(place: int) -> None:
        for number in range(place, 10_000, 64):
            async with guest(server, alone(place), password=f"{number:04}x"):
                pass

    await each(64, one)


async def guess_token(server: Address) -> None:
    """Tokens that are nobody's."""

    async def one(place: int) -> None:
        async with guest(server, alone(place), token=f"guess {place} {time.monotonic_ns()}"):
            pass

    await each(64, one)


async def handshakes(server: Address) -> None:
    """Connections that are encrypted, and closed."""

    async def one(place: int) -> None:
        async with stranger(server, spread(place), trusting()):
            pass

    await each(20, one)


# --- work for the house ---


def sharp_house(tables: int) -> Doing:
    """One guest who plays the sharp house at so many tables, at once and without a pause."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            player = Player([], Random(place), pause=0.0)
            async with guest(server, alone(place), hear=player.hear) as player.line:
                try:
                    for _ in range(tables):
                        await against_house(player.line, "sharp")
                    await player.line.over.wait()
                finally:
                    await player.close()

        await each(1, one)

    return attack


async def against_house(line: Line, house: str) -> int:
    """A table with a game against the house; 0: there is none to be had."""
    if table := await line.opened():
        await line.ask_patiently(lambda number: Invite(number, table, house=house))
    return table


async def flat_out(server: Address) -> None:
    """Two guests who play each other at sixty tables without a pause."""

    async def one(place: int) -> None:
        first, second = (Player([], Random(seat), pause=0.0) for seat in range(2))
        async with (
            guest(server, alone(place), hear=first.hear) as first.line,
            guest(server, alone(place), hear=second.hear) as second.line,
        ):
            try:
                for _ in range(60):
                    table = await first.line.opened(options={"target": 3})
                    await second.line.ask_patiently(lambda number: Sit(number, table))  # noqa: B023 - asked at once
                await first.line.over.wait()
            finally:
                await first.close()
                await second.close()

    await each(1, one)


async def house_in_and_out(server: Address) -> None:
    """House players who are asked to a table, and sent away at once."""

    async def one(place: int) -> None:
        async with guest(server, spread(place)) as line:
            table = await line.opened()
            while not line.is_over:
                for _ in range(30):
                    line.send(
                        Invite(number_of(line), table, Seat(1), "sharp"), Dismiss(number_of(line), table, Seat(1))
                    )
                await asyncio.sleep(0.25)

    await each(20, one)


def study(peers: int, where: Where) -> Doing:
    """Guests who play a game, and then ask for all that takes long: analyses, advice, recalls and positions."""

    async def attack(server: Address) -> None:
        async def one(place: int) -> None:
            async with guest(server, where(place)) as line:
                table = await against_house(line, "beginner")
                await line.ask(lambda number: Resign(number, table))
                while not line.is_over:
                    for kind in (Analyse, Recall, Again, Coach, Resign):
                        line.send(kind(number_of(line), table))
                    line.send(*solved(line, place))
                    await asyncio.sleep(0.3)

        await each(peers, one)

    return attack


def solved(line: Line, _: int) -> list[ClientMessage]:
    """Positions of a game that is solved."""
    return [Drill(number_of(line), "put-1674"), Grade(number_of(line), "put-1674", 1674, Put())]


UNSOLVED = ("put-1674", "put-1800", "put-parlett", "put-tavern", "truc", "primero", "triomphe-forcee", "put-partners")


def unsolved(line: Line, _: int) -> list[ClientMessage]:
    """A position of a game that is not solved, or of one that is with options that are not."""
    number = number_of(line)
    game = UNSOLVED[number % len(UNSOLVED)]
    return [Drill(number, game, options_of(number) if game.startswith("put") else {})]


def unsolved_of_all_kinds(line: Line, place: int) -> list[ClientMessage]:
    """The same, and all else that asks whether a game is solved."""
    number = number_of(line)
    game, options = UNSOLVED[number % 5], options_of(number)
    return [
        OpenTable(number, game, seats=2, options=options),
        *unsolved(line, place),
        Grade(number_of(line), game, number, Put(), options),
        Analyse(number_of(line), number % 20 + 1),
        Coach(number_of(line), number % 20 + 1),
    ]


def options_of(number: int) -> dict[str, int | str]:
    return {"target": 6 + number % 10}


# --- what a name is worth ---


async def take_names(server: Address) -> None:
    """Guests drop, and a stranger at another address takes their names."""

    async def one(place: int) -> None:
        name = f"Owner {next(numbers)}"
        async with guest(server, spread(place), name):
            pass
        for _ in range(20):
            await asyncio.sleep(0.1)
            with suppress(ConnectionError):
                async with guest(server, crowd(next(numbers)), name):
                    got("the name of a guest who dropped")
                    return

    await each(20, one)


DISGUISES = (
    "The table",
    "the tab1e",
    "Mo\u1e37l",
    "Mol\u1e37",
    "M\u1ecdll",
    "\u1d0dOLL",
    "\u1d0d\u1d0f\u029f\u029f",
    "M\u043ell",
)
"""Names like `Moll`, with a dot below or in small capitals, and like that of the table itself."""


async def disguised(server: Address) -> None:
    """Guests who take names that look like another's."""

    async def one(place: int) -> None:
        async with guest(server, alone(place), "Moll") as owner:
            for name in DISGUISES * 5:
                with suppress(ConnectionError, TimeoutError):
                    async with guest(server, crowd(next(numbers)), name):
                        got(f"a name that looks like another's: {name!a}")
            owner.send(Bye())

    await each(1, one)


async def stacked_marks(server: Address) -> None:
    """Talk that covers the lines above and below it."""

    def hear(message: ServerMessage) -> None:
        if isinstance(message, Events):
            said = [event.text for event in message.events if isinstance(event, Said)]
            if any("\u0301" * 4 in text for text in said):
                got("talk with more than three marks on a letter")

    async def one(place: int) -> None:
        async with guest(server, spread(place), hear=hear) as line:
            table = await line.opened()
            while not line.is_over:
                line.send(Say(number_of(line), table, "e" + "\u0301" * 300))
                await asyncio.sleep(0.1)

    await each(20, one)


# --- browsers ---


async def rebinding(server: Address) -> None:
    """A page of a stranger's name that leads to this address: whatever it asks for, it must get nothing."""
    asked = (
        *(request(target, Host="attacker.example") for target in (*PAGES, "/metrics", "/healthz")),
        upgrade(Host="attacker.example", Origin="http://attacker.example"),
    )

    async def one(place: int) -> None:
        for data in asked:
            async with stranger(server, here(place)) as (reader, writer), asyncio.timeout(5):
                writer.write(data)
                if (await reader.readline()).split()[1:2] in ([b"101"], [b"200"], [b"304"]):
                    got(f"{data.split()[1].decode()} by the name of another host")

    await each(4, one)


async def control_characters(server: Address) -> None:
    """Each of `CONTROLS` on a connection of its own, which the server closes."""

    async def one(place: int) -> None:
        for data in CONTROLS:
            async with stranger(server, spread(place)) as (reader, writer), asyncio.timeout(2):
                writer.write(data)
                await drain(reader)

    await each(20, one)


# --- pieces of the streams ---


def frame(opcode: Opcode, data: bytes, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=mask)


def get(*targets: str) -> bytes:
    return b"".join(request(target, Host="127.0.0.1") for target in targets)


def hello(codec: Codec) -> First:
    """Of a guest with a name that no other has."""
    return lambda: codec.encode(Hello(2, f"Guest {next(numbers)}", is_bot=True))


def typed() -> bytes:
    """The same, typed."""
    return f"name Guest {next(numbers)}\n".encode()


def browser() -> bytes:
    """The same of a browser, as a WebSocket."""
    return SOCKET + frame(Opcode.TEXT, LINES.encode(Hello(2, f"Guest {next(numbers)}")))


def everything(codec: Codec) -> bytes:
    """Every request there is, many times over, as one piece."""
    return b"".join(codec.encode(said) for said in samples.REQUESTS if isinstance(said, Request)) * 20


def watch(line: Line, _: int) -> list[ClientMessage]:
    """Come to five tables."""
    return [Watch(number_of(line), table) for table in range(1, 6)]


def watch_and_leave(line: Line, _: int) -> list[ClientMessage]:
    """Come to five tables, and go."""
    return [kind(number_of(line), table) for table in range(1, 6) for kind in (Watch, Leave)]


def look(line: Line, _: int) -> list[ClientMessage]:
    """Look at the lobby."""
    return [Look(number_of(line))]


SOCKET = upgrade(Host="127.0.0.1", Origin="http://127.0.0.1")
"""Asks for a WebSocket, and its frames may follow at once."""

GIANT = b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"mask"
"""The head of a frame of a terabyte."""

PAGES = ("/", "/main.js", "/table.js", "/style.css", "/qr/table/7", "/nowhere", "/table/1")

WORDS = (
    "open put-1674 2 target=7\nhelp all\ntables\nrules triomphe-forcee\nrepeat 9999\ngames\noptions primero\nleave\n"
)
"""Typed lines whose answers are the longest."""

CONTROLS = [
    upgrade(**{"Host": "127.0.0.1", header: f"put{character}1"})
    for header in ("Sec_WebSocket_Key", "Sec_WebSocket_Protocol", "Sec_WebSocket_Extensions", "Origin", "X")
    for character in "\x01\x1f\x7f"
]
"""Requests to upgrade with a control character in a header."""


# --- all of them ---

ATTACKS: Mapping[str, Attack] = {
    "nothing": Attack(lambda _: _count()),
    # WebSocket and HTTP
    "WebSocket, slow to ask": Attack(open_and(SOCKET[:1], peers=1_000, where=spread, drip=SOCKET[1:])),
    "WebSocket, half open": Attack(open_and(SOCKET, peers=2_000, where=spread)),
    "WebSocket, no masks": Attack(
        pour(frame(Opcode.TEXT, b"{}", mask=False) * 1_000, lambda: SOCKET, peers=100, where=spread)
    ),
    "WebSocket, giant frames": Attack(pour(GIANT + b"x" * 60_000, lambda: SOCKET, peers=100, where=spread)),
    "WebSocket, fragments": Attack(
        pour(
            frame(Opcode.CONT, b"", fin=False) * 8_000,
            lambda: browser() + frame(Opcode.TEXT, b"", fin=False),
            peers=20,
            where=spread,
        )
    ),
    "WebSocket, pings": Attack(pour(frame(Opcode.PING, b"p" * 125) * 400, browser, peers=20, where=spread)),
    "WebSocket, control characters": Attack(control_characters),
    "HTTP, requests": Attack(pour(get("/") * 500, peers=20, where=spread)),
    "HTTP, nothing is read": Attack(unread(get("/") * 20, peers=100)),
    "HTTP, QR codes": Attack(pour(get("/qr/table/7") * 200)),
    "HTTP, every page, twenty": Attack(pour(get(*PAGES) * 30, peers=20, where=spread)),
    "HTTP, metrics, of this machine": Attack(pour(get("/metrics") * 20, peers=20, where=here), tables=CROWD),
    "HTTP, the name of another host": Attack(rebinding),
    "TLS handshakes, twenty": Attack(handshakes),
    # bytes that mean nothing
    "empty lines": Attack(pour(b"\n" * 65536)),
    "empty lines, twenty": Attack(pour(b"\n" * 65536, peers=20, where=spread)),
    "empty JSON lines, twenty": Attack(pour(b"\n" * 65536, hello(LINES), peers=20, where=spread)),
    "telnet IAC, twenty": Attack(pour(b"\xff\xf1" * 32768, peers=20, where=spread)),
    "telnet offers, twenty": Attack(pour(b"\xff\xfb\x01" * 20000, peers=20, where=spread)),
    "spaces, twenty": Attack(pour(b"{" + b" " * 60000 + b"}\n", peers=20, where=spread)),
    "pings, twenty": Attack(pour(FRAMES.encode(Ping()) * 3000, hello(FRAMES), peers=20, where=spread)),
    "garbage": Attack(pour(b"\x00\x00\xff\xf0" + b"\xc1" * 60000, peers=100, where=spread)),
    "nested frames": Attack(pour(b"\x00\x00\xff\xf0" + b"\x90" * 65520, peers=20, where=spread)),
    "silent sockets": Attack(open_and(b"", peers=2_256, where=spread)),
    "half a frame": Attack(open_and(b"\x00\x00\x01\x00abc", peers=2_000, where=spread)),
    "slowloris": Attack(
        open_and(b"\x00", peers=1_000, where=spread, drip=FRAMES.encode(Hello(2, "A very long name" * 3))[1:])
    ),
    # people who come and go
    "lock-out": Attack(lock_out),
    "hello and close": Attack(coming(alone)),
    "hello and close, twenty": Attack(coming(spread)),
    "hello and bye, twenty": Attack(coming(spread, goodbye=True)),
    "people of one /24": Attack(staying(network), settings=SMALL, seconds=5),
    "people of one /48": Attack(staying(sites(80)), settings=SMALL, seconds=5),
    "people of one /32": Attack(staying(provider), settings=SMALL, seconds=5),
    "tables of one /48": Attack(staying(sites(11), tables=60), settings=SMALL, seconds=5),
    "resume with sixty looks": Attack(resuming, tables=CROWD),
    "password": Attack(guess_password, settings=("--password", PASSWORD)),
    "tokens": Attack(guess_token),
    # requests
    "looks": Attack(asking(look, peers=16, where=alone), tables=CROWD),
    "looks, sixteen": Attack(asking(look, peers=16, where=spread), tables=CROWD),
    "looks, of this machine": Attack(asking(look, peers=16, where=here), tables=CROWD),
    "looks, nothing is read": Attack(unread(FRAMES.encode(Look(1)) * 20, hello(FRAMES), peers=60), tables=CROWD),
    "lookers hang up": Attack(lookers_hang_up, tables=CROWD),
    "watchers in and out": Attack(asking(watch_and_leave, peers=100, where=spread, pause=0.25)),
    "talk": Attack(
        asking(
            lambda line, _: [Say(number_of(line), table, "\U0001f0a1" * 400) for table in range(1, 6)],
            begin=watch,
            peers=60,
            where=spread,
            pause=0.25,
        )
    ),
    "refresh": Attack(
        asking(
            lambda line, _: [Refresh(number_of(line), table) for table in range(1, 6)],
            begin=watch,
            peers=60,
            where=spread,
            pause=0.25,
        )
    ),
    "passcode": Attack(
        asking(
            lambda line, _: [Sit(number_of(line), 1, passcode=f"{number % 10_000:04}") for number in range(20)],
            peers=60,
            where=spread,
            pause=0.1,
        )
    ),
    "invitations": Attack(
        asking(
            lambda line, _: [Invite(number_of(line), 1, person=FIRST) for _ in range(10)],
            begin=lambda line, _: [OpenTable(number_of(line), "put-1674")],
            peers=60,
            where=spread,
            pause=0.1,
        )
    ),
    "mute, block": Attack(
        asking(
            lambda line, _: [one(number_of(line), FIRST, on=on) for one in (Mute, Block) for on in (True, False)],
            peers=60,
            where=spread,
            pause=0.1,
        )
    ),
    "moves that are refused, twenty": Attack(
        pour(FRAMES.encode(Act(1, 1, 1, Put())) * 1_000, hello(FRAMES), peers=20, where=spread)
    ),
    "every request, frames": Attack(pour(everything(FRAMES), hello(FRAMES), peers=20, where=spread)),
    "every request, JSON": Attack(pour(everything(LINES), hello(LINES), peers=20, where=spread)),
    "every request, WebSocket": Attack(
        pour(
            b"".join(frame(Opcode.TEXT, line) for line in everything(LINES).splitlines()),
            browser,
            peers=20,
            where=spread,
        )
    ),
    "typed commands": Attack(pour(WORDS.encode(), typed, peers=20, where=spread), tables=CROWD),
    "typed commands, in pace": Attack(open_and(b"name Guest\n", drip=WORDS.encode(), peers=60, where=spread)),
    # work for the house
    "sharp house, 64 tables": Attack(sharp_house(64), seconds=12),
    "house in and out": Attack(house_in_and_out),
    "two at sixty tables": Attack(flat_out, seconds=8),
    "drill, not solved": Attack(asking(unsolved, peers=1, where=alone), seconds=6),
    "open, grade, coach, not solved": Attack(asking(unsolved_of_all_kinds, peers=5, where=alone, pause=0.25)),
    "drill, thirty guests": Attack(asking(solved, peers=30, where=alone, pause=0.25), seconds=5),
    "analyse, recall, thirty guests": Attack(study(30, alone), seconds=8),
    # names and talk
    "names after a drop": Attack(take_names, seconds=5),
    "names that look alike": Attack(disguised, seconds=5),
    "marks on a letter": Attack(stacked_marks),
}


async def obey(attack: Attack, server: Address) -> None:
    """Attack and rest as the standard input says, until it ends."""
    words = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(words), sys.stdin)
    print(READY, flush=True)
    doing = asyncio.ensure_future(_count())
    while word := (await words.readline()).strip():
        doing.cancel()
        await asyncio.wait({doing})
        doing = asyncio.ensure_future(attack.begin(server) if word == b"attack" else _count())
        print(word.decode(), flush=True)
    doing.cancel()


async def _count() -> None:
    while True:
        for _ in range(10_000):
            pass
        await asyncio.sleep(0)


if __name__ == "__main__":
    os.nice(5)  # gives way to the server and the honest bots where it can
    asyncio.run(obey(ATTACKS[sys.argv[1]], ("127.0.0.1", int(sys.argv[2]))))
