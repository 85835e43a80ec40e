"""Bots that tell their copies in other seatings of a deal what they were dealt, each by one channel.

A copy that is told the other's cards plays as `cheats.Cheat` does. As long as no copy has told it anything, it plays
card by card as `Honest`.

    put-arena tests/arena/colluders.py:ByLocks tests/arena/colluders.py:Honest --games 2000
"""

import fcntl
import hashlib
import os
import random
import socket
import struct
from pathlib import Path
from typing import ClassVar

from put_protocol.cards import Card
from put_protocol.games.put import PutView
from put_protocol.games.unions import Event, GameView
from tests.arena.cheats import PACK, Cheat, Honest

__all__ = ["ByAll", "ByFiles", "ByLocks", "BySockets", "Honest"]

NOTE = "put-colluders"

FOLDERS = (Path(__file__).parent, Path.cwd(), Path("/var/tmp"), Path("/tmp"), Path("/dev/shm"))

CODES = 1 << 18
"""More than there are ways to hold three cards."""


class Colluder(Cheat):
    """It tells every hand of its own, and asks for every hand of the other."""

    seeds: ClassVar[tuple[int, ...] | None] = ()

    def __init__(self, dice: random.Random | None = None) -> None:
        super().__init__(dice)
        self._drawn = ""

    def saw(self, event: Event, view: GameView | None) -> None:
        super().saw(event, view)
        if type(event).__name__ == "Drawn":
            self._drawn = f"{event}"  # the same in all seatings of a set

    def _recognise(self, view: PutView) -> tuple[Card, ...] | None:
        tricks = (*view.past, view.trick)
        own = {*view.cards, *(c for t in tricks for s, c in zip(t.seats, t.cards, strict=True) if s == self.seat)}
        code = 0
        for card in sorted(own):
            code = code * len(PACK) + PACK.index(card)
        try:
            self.tell(self._deal(view, self.seat), code)
            found = self.ask(self._deal(view, 1 - self.seat))
        except OSError:
            return None
        if found is None:
            return None
        return tuple([PACK[found // len(PACK) ** place % len(PACK)] for place in range(3)])

    def _deal(self, view: PutView, seat: int) -> int:
        words = f"{self._drawn} {view.hand} {seat}".encode()
        return int.from_bytes(hashlib.sha256(words).digest()[:5], "big")

    def tell(self, deal: int, code: int) -> None:
        """Leave it where a copy finds it."""
        raise NotImplementedError

    def ask(self, deal: int) -> int | None:
        """What a copy has left."""
        raise NotImplementedError


class ByLocks(Colluder):
    """A lock on a byte of a file that all copies can read."""

    file = os.open(__file__, os.O_RDONLY)

    def tell(self, deal: int, code: int) -> None:
        fcntl.lockf(self.file, fcntl.LOCK_SH, 1, deal * CODES + code)

    def ask(self, deal: int) -> int | None:
        asked = struct.pack("@hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, deal * CODES, CODES, 0)
        kind, _, start, _, _ = struct.unpack("@hhqqi0q", fcntl.fcntl(self.file, fcntl.F_GETLK, asked))
        return None if kind == fcntl.F_UNLCK else start % CODES


class BySockets(Colluder):
    """The name of a socket without a path, in the list of all of them."""

    sockets: ClassVar[list[socket.socket]] = []

    def tell(self, deal: int, code: int) -> None:
        self.sockets.append(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self.sockets[-1].bind(f"\0{NOTE}-{deal}-{code}")

    def ask(self, deal: int) -> int | None:
        _, found, rest = Path("/proc/net/unix").read_text().partition(f"@{NOTE}-{deal}-")
        return int(rest.split()[0]) if found else None


class ByFiles(Colluder):
    """A file in any folder that can be written to."""

    def tell(self, deal: int, code: int) -> None:
        for folder in FOLDERS:
            try:
                (folder / f"{NOTE}-{deal}").write_text(f"{code}")
            except OSError:
                continue

    def ask(self, deal: int) -> int | None:
        for folder in FOLDERS:
            if (note := folder / f"{NOTE}-{deal}").exists():
                return int(note.read_text() or 0)
        return None


class ByAll(Colluder):
    """Every channel of these."""

    channels = (ByLocks, BySockets, ByFiles)

    def tell(self, deal: int, code: int) -> None:
        for channel in self.channels:
            try:
                channel.tell(self, deal, code)
            except OSError:
                continue

    def ask(self, deal: int) -> int | None:
        for channel in self.channels:
            try:
                found = channel.ask(self, deal)
            except OSError:
                continue
            if found is not None:
                return found
        return None

    file, sockets = ByLocks.file, BySockets.sockets
