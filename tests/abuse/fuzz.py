"""Fuzzers of the four front ends: conversations that begin well and go wrong, with a server over its socket.

`python -m tests.abuse.fuzz FRONT SECONDS [SEED]`. A conversation follows from its front end, its seed and its number,
and from what the server says: it comes in, opens tables, plays, and now and then says what no client says. What a
server may never do for that is in `checked`.
"""

import asyncio
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol as Frames
from websockets.protocol import Side, State

from put_text.plain.commands import COMMANDS
from tests.abuse.campaign import FAULTS, own_megabytes, real_server
from tests.abuse.honest import PATIENCE, Address, Evening, Visit
from tests.protocol import samples
from tests.protocol.fuzz import mutated
from tests.transport.test_fuzz import message, value
from tests.web.browserless import request, upgrade

AT_ONCE = 24
BATCH = 100
"""Conversations between two checks."""

CONVERSATIONS = 2_000
"""With one server: what it keeps of each would be seen."""

MOST_MB = 40.0
"""That a server may grow by, from the end of the first batches."""

WARM_BATCHES = 3
"""In which the server fills with people and tables, of which it has few here."""

ROOM = ("--most-people", "200", "--most-tables", "60", "--history-megabytes", "1", "--exempt", "127.5.0.0/16")

SAMPLES = [msgspec.to_builtins(said, builtin_types=(bytes,)) for said in samples.REQUESTS]

Said = dict[str, Any]


@dataclass
class Knowledge:
    """What a conversation has been told."""

    number: int
    is_hostile: bool
    """It says what no client says."""
    name: str = ""
    token: str = ""
    tables: list[int] = field(default_factory=lambda: [1])
    decisions: list[Said] = field(default_factory=list)
    ids: Iterator[int] = field(default_factory=lambda: count(1))
    plan: list[Said] = field(default_factory=list)
    """Requests that lead to a game, in their order."""
    people: list[str] = field(default_factory=lambda: ["Moll"])

    def hear(self, told: Said) -> None:
        self.token = told.get("token") or self.token
        if isinstance(table := told.get("table"), int):
            self.tables = [*self.tables[-5:], table]
        if told.get("type") == "lobby":
            self.tables = [*self.tables, *[info["id"] for info in told.get("tables", ())]][-6:]
            self.people = [*self.people, *[person["name"] for person in told.get("people", ())]][-20:]
        if told.get("type") == "decision":
            self.decisions = [*self.decisions[-3:], told]


# --- what is said, whatever the front end ---


def hello(dice: Random, known: Knowledge) -> Said:
    known.name = known.name or dice.choice(
        (f"Guest {known.number}", f"G\u00fcnther {known.number}", "Moll", "\u0430" * 30)
    )
    said: Said = {
        "type": "hello",
        "version": dice.choice((2, 2, 2, 1)),
        "name": known.name,
        "is_bot": dice.random() < 0.8,
    }
    if dice.random() < 0.5:
        said |= {
            "openings": True,
            "views": "changes",
            "knows": dice.choice(([], ["put"], ["put", "primero", "triomphe"])),
        }
    if known.token and dice.random() < 0.7:
        seen = [{"table": table, "number": dice.choice((0, 3, 40, 2**53 - 1))} for table in known.tables]
        said |= {"token": known.token, "seen": seen, "asked": [1, 2, 3], "incarnation": dice.randrange(4)}
    return _spoilt(dice, said) if known.is_hostile and dice.random() < 0.1 else said


def wanted(dice: Random, known: Knowledge) -> Said:
    """A request: one that belongs here, or anything."""
    number, table = next(known.ids), known.tables[-1]
    if known.decisions and dice.random() < 0.6:
        asked = known.decisions.pop() if dice.random() < 0.8 else known.decisions[0]
        action = dice.choice(asked["legal"])["action"]
        said: Said = {"type": "act", "table": asked["table"], "decision": asked["decision"], "action": action}
    elif known.plan and dice.random() < 0.8:
        said = known.plan.pop(0)
    elif known.is_hostile and dice.random() < 0.2:
        return message(dice, number)
    else:
        said = dict(dice.choice(SAMPLES))
        table = dice.choice(known.tables)
        if said["type"] in ("bye", "leave", "resign") and dice.random() < 0.9:
            said = {"type": "refresh", "table": table}
    said = {**said, "id": number, **({"table": table} if "table" in said else {})}
    if "options" in said and dice.random() < 0.5:
        said["options"] = {}
    if "person" in said:
        said["person"] = dice.choice(known.people)
    if said["type"] in ("ping", "pong", "bye"):
        del said["id"]
    return _spoilt(dice, said) if known.is_hostile and dice.random() < 0.15 else said


def plan(dice: Random) -> list[Said]:
    """What leads to a game, against the house or others, and to another."""
    game, seats = dice.choice((("put-1674", 2), ("put-tavern", 3), ("truc", 2), ("primero", 3), ("triomphe-forcee", 4)))
    passcode = dice.choice(({}, {}, {"passcode": "sesame"}, {"passcode": "wrong"}))
    sit = {"type": "sit", "table": 1, **passcode}
    if dice.random() < 0.4:
        here = [{"type": kind, "table": 1} for kind in ("pause", "again", "go_on")]
        return [{"type": "look"}, dice.choice((sit, {"type": "watch", "table": 1, **passcode})), *here]
    opening = {
        "type": "open",
        "game": game,
        "seats": seats,
        **dice.choice(({}, {}, {"passcode": "sesame", "gallery": False})),
    }
    house = {"type": "invite", "table": 1, "house": dice.choice(("beginner", "steady", "sharp", "perfect"))}
    asked = dice.choice((house, house, {"type": "invite", "table": 1, "person": ""}))
    last = dice.choice((("resign", "analyse", "recall", "again"), ("leave",), ()))
    return [opening, sit, asked, *[house] * (seats - 1), *[{"type": kind, "table": 1} for kind in ("coach", *last)]]


def _spoilt(dice: Random, said: Said) -> Said:
    """With another value somewhere, a field too many, or one too few."""
    said = json.loads(json.dumps(said, default=lambda _: "ab" * 32))
    at: Any = said
    while True:
        key = dice.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if not (isinstance(at[key], dict | list) and at[key] and dice.random() < 0.7):
            break
        at = at[key]
    match dice.randrange(4):
        case 0:
            del at[key]
        case 1 if isinstance(at, dict):
            at[dice.choice(("table", "id", "x", "seat", "token", "\x00"))] = value(dice)
        case _:
            at[key] = value(dice)
    return said


# --- how it is said: a front end each ---


class FrontEnd:
    """One way to speak with the server: what to send next, and what is learnt from what comes."""

    def __init__(self, dice: Random, known: Knowledge) -> None:
        self.dice = dice
        self.known = known
        self.came = b""

    def first(self) -> bytes:
        return self._piece(hello(self.dice, self.known))

    def next(self) -> bytes:
        return b"".join(
            self._piece(wanted(self.dice, self.known)) for _ in range(self.dice.choice((1, 1, 1, 1, 2, 20)))
        )

    def hear(self, data: bytes) -> None:
        self.came += data
        with suppress(ValueError, TypeError, KeyError):  # it is only to learn from; clients are tested elsewhere
            self.learn()

    def learn(self) -> None:
        raise NotImplementedError

    def encode(self, said: Said) -> bytes:
        raise NotImplementedError

    def _piece(self, said: Said) -> bytes:
        piece = self.encode(said)
        is_broken = self.known.is_hostile and self.dice.random() < 0.05
        return mutated(self.dice, piece) if is_broken else piece


class MsgpackFrames(FrontEnd):
    def encode(self, said: Said) -> bytes:
        body: bytes = msgpack.packb(said, default=bytes)
        return len(body).to_bytes(4, "big") + body

    def learn(self) -> None:
        while len(self.came) > 4 and len(self.came) >= (size := 4 + int.from_bytes(self.came[:4], "big")):
            body, self.came = self.came[4:size], self.came[size:]
            self.known.hear(msgpack.unpackb(body))


class JsonLines(FrontEnd):
    def encode(self, said: Said) -> bytes:
        return msgspec.json.encode(said) + b"\n"

    def learn(self) -> None:
        while b"\n" in self.came:
            line, _, self.came = self.came.partition(b"\n")
            self.known.hear(json.loads(line))


class Typed(FrontEnd):
    """A person who types, in any words and signs."""

    SHARDS = (
        *(b"\xff\xfb\x01", b"\xff\xf4", b"\xff\xff", b"\x04", b"\x1b[A", b"\xe2\x80\xae", b"\xf0\x9f", b"\r\0", b"\0"),
        *(b"\x7f", b"x" * 5_000, b"9" * 400, "\u0301".encode() * 50),
    )
    WORDS = (
        *(
            "1",
            "0",
            "-1",
            "9" * 20,
            "on",
            "off",
            "all",
            "put-1674",
            "primero",
            "3",
            "any",
            "yes",
            "steady",
            "sharp",
            "2h",
        ),
        *("7d", "target=3", "turn=5", "passcode=x", "Moll", "\u0661", "\u00b2", "=", "\u202e"),
    )
    MOVES = ("1", "1", "2", "put", "see", "throw in", "3s", "the 3 of spades", "yes", "no", "", "vie 5", "pass")

    def first(self) -> bytes:
        self._plan = ["open", *self.dice.choice((["primero 3", "invite", "invite"], ["", "invite"])), "coach"]
        self._plan[:2] = [" ".join(self._plan[:2])]
        if self.known.token and self.dice.random() < 0.7:
            return f"back {self.known.token}\n".encode()
        verb = self.dice.choice(("name", "bot", "bot", "bot", "BOT", "numbers on\nbot", "help\nname"))
        return f"{verb} Guest {self.known.number}\n".encode()

    def next(self) -> bytes:
        line = self._line().encode()
        if self.known.is_hostile and self.dice.random() < 0.1:
            at = self.dice.randrange(len(line) + 1)
            line = line[:at] + self.dice.choice(self.SHARDS) + line[at:]
        return line + self.dice.choice((b"\n", b"\n", b"\r\n", b"\r\0", b"\n\n\n"))

    def _line(self) -> str:
        dice = self.dice
        if self._plan and dice.random() < 0.5:
            return self._plan.pop(0)
        if dice.random() < 0.5:
            return dice.choice(self.MOVES)
        some = (*self.WORDS, str(dice.choice(self.known.tables)))
        return " ".join((dice.choice(COMMANDS).word, *dice.choices(some, k=dice.choice((0, 1, 1, 2, 3, 30)))))

    def learn(self) -> None:
        text = self.came.decode("utf-8", "replace")
        self.came = self.came[-200:]
        found = [int(number) for number in re.findall(r"[Tt]able (\d{1,9})", text)]
        self.known.tables = [*self.known.tables[-5:], *found[-3:]]
        if back := re.search(r"back ((?:[a-z]{5} ){4}[a-z]{5})", text):
            self.known.token = back[1]


class Web(FrontEnd):
    """A browser: pages, or a WebSocket, in whose frames is JSON."""

    TARGETS = (
        "/",
        "/main.js",
        "/style.css",
        "/qr/table/7",
        "/table/1",
        "/ws",
        "/metrics",
        "/healthz",
        "/nowhere",
        "/%2e%2e/",
    )
    METHODS = ("GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "PUT", "TRACE")
    WORDS = (
        "",
        "127.0.0.1",
        "gzip",
        "close",
        "keep-alive",
        "100-continue",
        "chunked",
        "5",
        "-1",
        "\u00e9",
        "a,b",
        "put.json.1",
        "13",
        "websocket",
        "attacker.example",
        "x" * 9_000,
        "\x01",
        "\t",
        'W/"1"',
        "bytes=0-5",
    )
    HEADERS = (
        "Host",
        "Connection",
        "Upgrade",
        "Origin",
        "Content_Length",
        "Transfer_Encoding",
        "Expect",
        "If_None_Match",
        "Accept_Encoding",
        "Range",
        "Cookie",
        "Sec_WebSocket_Key",
        "Sec_WebSocket_Version",
        "Sec_WebSocket_Protocol",
        "Sec_WebSocket_Extensions",
        "X\x01",
        "",
    )

    def __init__(self, dice: Random, known: Knowledge) -> None:
        super().__init__(dice, known)
        self._is_socket = dice.random() < 0.6
        self._frames = Frames(Side.CLIENT, state=State.OPEN, max_size=None)
        self._is_open = False

    def first(self) -> bytes:
        if not self._is_socket:
            return self.next()
        fields = {"Host": "127.0.0.1", "Origin": "http://127.0.0.1"}
        return upgrade(**fields, **self._headers()) + super().first()

    def _headers(self) -> dict[str, str]:
        dice = self.dice
        if not self.known.is_hostile or dice.random() < 0.6:
            return {}
        names = [name for name in dice.choices(self.HEADERS, k=dice.randrange(4)) if name not in ("Host", "Origin")]
        return {name: dice.choice(self.WORDS) for name in names}

    def next(self) -> bytes:
        if self._is_socket:
            return super().next()
        dice = self.dice
        pieces = []
        for _ in range(dice.choice((1, 1, 2, 10))):
            target = dice.choice(self.TARGETS) + dice.choice(("", "", "?x=1", "/", "\u00e9"))
            asked = request(
                target,
                dice.choice(self.METHODS),
                dice.choice(("1.1", "1.1", "1.0", "2.0")),
                **{"Host": dice.choice(("127.0.0.1", "localhost", "attacker.example"))} | self._headers(),
            )
            pieces.append(mutated(dice, asked) if self.known.is_hostile and dice.random() < 0.2 else asked)
        return b"".join(pieces)

    def encode(self, said: Said) -> bytes:
        dice, data = self.dice, msgspec.json.encode(said)
        if not self.known.is_hostile or dice.random() < 0.8:
            return Frame(Opcode.TEXT, data).serialize(mask=True)
        match dice.randrange(8):
            case 0:
                cut = dice.randrange(len(data) + 1)
                parts = ((Opcode.TEXT, data[:cut], False), (Opcode.PING, b"p", True), (Opcode.CONT, data[cut:], True))
                return b"".join(Frame(*part).serialize(mask=True) for part in parts)
            case 1:
                return Frame(Opcode.BINARY, data).serialize(mask=True)
            case 2:
                return Frame(Opcode.TEXT, data).serialize(mask=False)
            case 3:
                return Frame(
                    Opcode.CLOSE, dice.choice((b"", b"\x03", b"\x03\xe8", b"\x00\x00bad", b"\x03\xe8\xff"))
                ).serialize(mask=True)
            case 4:
                whole = Frame(Opcode.TEXT, data).serialize(mask=True)
                return bytes((whole[0] | dice.choice((0x10, 0x40, 0x02)),)) + whole[1:]
            case 5:
                return Frame(Opcode.CONT, data).serialize(mask=True)
            case 6:
                return Frame(dice.choice((Opcode.PING, Opcode.PONG)), data[: dice.choice((0, 9, 125))]).serialize(
                    mask=True
                )
            case _:
                return Frame(Opcode.TEXT, b"\xed\xa0\x80" + data).serialize(mask=True)

    def learn(self) -> None:
        if not self._is_open:
            if b"\r\n\r\n" not in self.came or b" 101 " not in self.came[:20]:
                return
            self._is_open, self.came = True, self.came.partition(b"\r\n\r\n")[2]
        data, self.came = self.came, b""
        self._frames.receive_data(data)
        for frame in self._frames.events_received():
            if isinstance(frame, Frame) and frame.opcode is Opcode.TEXT:
                self.known.hear(json.loads(bytes(frame.data)))


FRONT_ENDS: Mapping[str, Callable[[Random, Knowledge], FrontEnd]] = {
    "frames": MsgpackFrames,
    "lines": JsonLines,
    "typed": Typed,
    "web": Web,
}


# --- conversations ---


async def converse(server: Address, front: str, seed: int, number: int) -> None:
    """One conversation, over up to three connections of one guest."""
    dice = Random(f"{seed}/{front}/{number}")
    known = Knowledge(number, is_hostile=dice.random() < 0.8)
    address = f"127.{dice.choice((5, 5, 6))}.{number % 250}.{dice.randrange(1, 5)}"
    for _ in range(dice.choice((1, 1, 2, 3))):
        known.decisions, known.ids, known.plan = [], count(1), plan(dice)
        speaker = FRONT_ENDS[front](dice, known)
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE / 2):
                await _speak(server, address, dice, speaker)


async def _speak(server: Address, address: str, dice: Random, speaker: FrontEnd) -> None:
    reader, writer = await asyncio.open_connection(*server, local_addr=(address, 0))
    try:
        await _send(dice, writer, speaker.first())
        for _ in range(dice.choice((3, 10, 40))):
            with suppress(TimeoutError):
                async with asyncio.timeout(
                    dice.choice((0.001, 0.02, 0.2) if speaker.known.plan else (0.001, 0.003, 0.02))
                ):
                    if not (data := await reader.read(65536)):
                        return
                    speaker.hear(data)
            await _send(dice, writer, speaker.next())
        if dice.random() < 0.3:
            writer.write_eof()
            while await reader.read(65536):
                pass
    finally:
        writer.transport.abort()


async def _send(dice: Random, writer: asyncio.StreamWriter, data: bytes) -> None:
    """In pieces, now and then."""
    cuts = sorted(dice.randrange(len(data) + 1) for _ in range(dice.choice((0, 0, 0, 1, 3))))
    for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
        writer.write(data[start:stop])
        await writer.drain()
        await asyncio.sleep(0)


async def _batch(server: Address, front: str, seed: int, numbers: Iterator[int]) -> None:
    async def one() -> None:
        for number in numbers:
            await converse(server, front, seed, number)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(one())


class LawBroken(AssertionError):
    """The server did what no peer may make it do."""


def _fault(log: Path) -> str:
    """The first in a log, with what stands around it; empty: there is none."""
    found = FAULTS.search(text := log.read_bytes())
    return "" if found is None else text[max(0, found.start() - 200) :][:5_000].decode("utf-8", "replace")


async def checked(server: Address, log: Path, evening: Evening) -> None:
    """After a batch the server is well, and so are the people on it.

    :raises LawBroken: they are not.
    """
    if fault := _fault(log):
        raise LawBroken(fault)
    reader, writer = await asyncio.open_connection(*server, local_addr=("127.0.0.1", 0))
    try:
        writer.write(request("/healthz", Host="127.0.0.1"))
        async with asyncio.timeout(PATIENCE):
            if b" 200 " not in (answer := await reader.readline()):
                raise LawBroken(f"the server is not well: {answer!r}")
    finally:
        writer.transport.abort()
    visit = await Visit.made(server, "127.201.1.1", f"Newcomer {time.monotonic_ns()}")
    if max(visit.welcome, visit.table, visit.study) >= PATIENCE:
        raise LawBroken(f"a newcomer was kept out: {visit}")
    if evening.lost or not evening.times or max(evening.times) >= PATIENCE:
        raise LawBroken(f"honest players were disturbed: {evening.lost} lost, {len(evening.times)} moves")
    evening.times.clear()


async def fuzz(front: str, seed: int, data: Path, *, start: int, conversations: int) -> float:
    """So many conversations with one server. Returns by how many megabytes it grew.

    :raises LawBroken: with the number of the first conversation of the batch.
    """
    async with real_server(data, *ROOM) as (server, process, log):
        evening = Evening(server)
        try:
            await evening.begin(2, seed=seed)
            warm = 0.0
            for number in range(start, start + conversations, BATCH):
                await _batch(server, front, seed, iter(range(number, number + BATCH)))
                try:
                    await checked(server, log, evening)
                except LawBroken as broken:
                    raise LawBroken(f"conversations from {number} of seed {seed}: {broken}") from None
                if number <= start + BATCH * WARM_BATCHES:
                    warm = own_megabytes(process)
            grown = own_megabytes(process) - warm
            if grown > MOST_MB:
                raise LawBroken(f"the server grew by {grown:.0f} MB, from {warm:.0f}")
            return grown
        finally:
            await evening.end()


def campaign(front: str, seed: int, turn: int, conversations: int = CONVERSATIONS) -> int:
    """A turn of the soak. Returns how many conversations it had."""
    with tempfile.TemporaryDirectory(prefix="put-fuzz-") as data:
        start = turn * conversations
        grown = asyncio.run(fuzz(front, seed, Path(data), start=start, conversations=conversations))
    print(f"{front}: {conversations} conversations, memory {grown:+.1f} MB", flush=True)
    return conversations


if __name__ == "__main__":
    end, turn = time.monotonic() + float(sys.argv[2]), 0
    while time.monotonic() < end:
        campaign(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1674, turn)
        turn += 1
