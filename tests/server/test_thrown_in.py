"""A hand that was thrown in, searched for in all that a real server has and says: its log at its most talkative, every
byte on its sockets, the files of its journal, and its memory.
"""

import asyncio
import os
import random
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path

import pytest

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.party import Party
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_events import BlindEntry
from put_protocol.cards import Card
from put_protocol.games.put import Put, ThrewIn, ThrowIn
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.seats import Seat
from put_runtime.child_process import PUT_SERVER, port_in
from tests.client.checking_players import BACKSTOP_S, Noting, close
from tests.crashes.campaigns import files
from tests.crashes.disturbances import CuttableProxy

from put_client import Bot, play  # isort: skip

needs_memory = pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs /proc")
PRIVATE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw")
"""A part of a process's memory that it can write to."""

PAGE, LONGEST = 4_096, 256
"""Bytes of memory that are looked at together, and of what is looked for there in any form."""


def forms(secret: bytes) -> Iterable[bytes]:
    """The bytes as they may stand in a file, a log or a message: as they are, in hexadecimal, as a number, in base64
    from any of its bytes on, and as Python writes them."""
    yield secret
    yield secret.hex().encode()
    yield str(int.from_bytes(secret, "big")).encode()
    for skip in range(3):
        yield b64encode(secret[skip:])[: (len(secret) - skip) // 3 * 4]
    yield repr(secret)[2:-1].encode()


def found_in(place: bytes, secrets: Iterable[bytes], most: int | None = None) -> list[bytes]:
    """The secrets of which a form is there; `most`: of so many forms."""
    return [secret for secret in secrets if any(form in place for form in islice(forms(secret), most))]


def test_secret_is_found_in_any_form() -> None:
    secret = os.urandom(32)
    for form in forms(secret):
        assert found_in(b"more " + form + b" and more", [secret]) == [secret]
    for skip in range(3):
        assert found_in(b64encode(bytes(skip) + secret), [secret]) == [secret]
    assert found_in(repr({"entry": b"it's \x00" + secret}).encode(), [secret]) == [secret]


class Tap(CuttableProxy):
    """Keeps every byte that passes."""

    def __init__(self, to: int | Callable[[], int], rng: random.Random, *, pieces: Sequence[int] = ()) -> None:
        super().__init__(to, rng, pieces=pieces)
        self.passed = bytearray()

    async def _pass(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            self.passed += data
            to.write(data)
            await to.drain()
        raise ConnectionResetError


class Thrower(Bot):
    """Plays a card, or puts now and then; who is put to throws in."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        kinds = {type(choice.action): choice.action for choice in reversed(legal)}
        puts = Put in kinds and self._dice.random() < 0.4
        return kinds.get(ThrowIn) or (kinds[Put] if puts else legal[0].action)


class Hands:
    """The secrets of all players, and the shares that would open their cards."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.keys: set[bytes] = set()
        self.points: set[bytes] = set()
        self.shares: set[bytes] = set()
        hand = Party.hand

        def noted(party: Party, game: BlindGame, seat: Seat) -> dict[int, Card | None]:
            key, deal = party.keys[seat], game.playing
            assert deal is not None
            self.keys |= {key.seed, key.secret.to_bytes(32, "big")}
            self.points.add(key.point.encoded)
            self.shares |= {(base * key.secret).encoded for base in deal.bases(deal.hand(seat))}
            return hand(party, game, seat)

        patch.setattr(Party, "hand", noted)


def memory_of(process: int) -> set[bytes]:
    """All that a process can write to: each page, and as much of the next as begins in it. Most are equal to others."""
    pages: set[bytes] = set()
    with Path(f"/proc/{process}/mem").open("rb", buffering=0) as memory:
        for begin, end in PRIVATE.findall(Path(f"/proc/{process}/maps").read_text()):
            memory.seek(int(begin, 16))
            with_holes = int(end, 16) - int(begin, 16)
            try:
                piece = memory.read(with_holes)
            except OSError:  # a part that is the kernel's
                continue
            pages.update(piece[at : at + PAGE + LONGEST] for at in range(0, len(piece), PAGE))
    return pages


@asynccontextmanager
async def operated(data: Path, log: Path) -> AsyncIterator[tuple[int, int]]:
    """A server as an operator starts it, with all of its log; gives its process and its port."""
    with log.open("wb") as said:
        process = await asyncio.create_subprocess_exec(
            *PUT_SERVER,
            *("--host", "127.0.0.1", "--port", "0", "--data", str(data), "--log-level", "debug"),
            stdout=asyncio.subprocess.PIPE,
            stderr=said,
        )
    try:
        assert process.stdout is not None
        port = port_in((await process.stdout.readline()).decode())
        assert port is not None
        yield process.pid, port
        process.terminate()
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def hands_thrown_in(port: int, processes: Callable[[], Iterable[int]]) -> tuple[Noting, set[bytes], bytes]:
    """A game in which hands are thrown in. Gives what a player was told, the secrets that both clients keep, and the
    memory of these processes in the middle of the game and behind it."""

    def memories() -> set[bytes]:
        return set[bytes]().union(*map(memory_of, processes()))

    ann, ben = [await Noting.connect("127.0.0.1", port, name=name, is_bot=True) for name in ("Annabel", "Benedict")]
    table = await ann.open_table("put-1674", seats=2, options={"dealing": "blind", "target": 2})
    bots = [play(Thrower(seat), one, table=table, games=1) for seat, one in enumerate((ann, ben))]
    playing = [asyncio.ensure_future(bot) for bot in bots]
    await ann.has_heard(ThrewIn)
    held = memories()
    secrets = {key.secret for one in (ann, ben) for key in one.keys.games.values()}
    assert len(secrets) == 2
    await asyncio.gather(*playing)
    held |= memories()
    assert not ann.keys.games
    await close(ann, ben)
    return ann, secrets, b"".join(held)


def search(hands: Hands, told: Noting, secrets: set[bytes], places: Mapping[str, bytes], forms_in_memory: int) -> None:
    """No place has a share of a card that was never shown, or what makes one. What was shown is found there in the same
    way."""
    entries = [Entry.parse(event.entry) for event in told.all_of(BlindEntry)]
    shown = {entry.body[1:] for entry in entries if entry.kind is Kind.SHOW}
    assert shown < hands.shares
    for place, held in places.items():
        known = [b"Annabel"] if place.startswith("the log") else [*hands.points, *shown]
        most = forms_in_memory if place == "the memory" else None  # it is large
        assert found_in(held, {*secrets, *hands.keys, *hands.shares - shown}, most) == [], place
        assert found_in(held, known, most), place


@needs_memory
@pytest.mark.timeout(150)  # a process that starts, and two games of it in memory
async def test_hand_that_was_thrown_in_is_nowhere_at_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a share that would open a card of it, nor what makes one. What was shown is found in the same way."""
    hands, log = Hands(monkeypatch), tmp_path / "log"
    async with asyncio.timeout(2 * BACKSTOP_S), operated(tmp_path, log) as (process, port):
        tap = Tap(port, random.Random(0))
        told, secrets, memory = await hands_thrown_in(await tap.start(), lambda: [process])
        on_disk = files(tmp_path)
        await tap.stop()
    places = {
        "the log": log.read_bytes(),
        "the sockets": bytes(tap.passed),
        "the journal": on_disk + files(tmp_path),
        "the memory": memory,
    }
    search(hands, told, secrets, places, forms_in_memory=3)
