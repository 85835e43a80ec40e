"""Bots that look for the packs, for the arena's tests. What one finds it raises, so that it shows among the faults."""

import os
import random
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from put_client import Bot
from put_protocol.games.put import PutView
from put_protocol.games.unions import Action, Choice, GameView

SEED = 16740000000000 * 10**5 + 31416
"""The seed of the matches they spy on. It is not written out here, lest they find it in their own text."""

GATHERED_BYTES = 400_000_000
"""Of other processes' memory; more is not looked at."""


NOTE = "of-a-talker"

FOLDERS = (Path(__file__).parent, Path.cwd(), Path("/var/tmp"), Path("/tmp"), Path("/dev/shm"))
"""Where notes can be left; in the sandbox only the last three can be written to, and nobody else reads there."""


class Found(Exception):
    """It has something that no bot should have."""


class Spy(Bot):
    """Looks everywhere for the seed and for other programs, once; then plays on."""

    has_looked: ClassVar[bool] = False

    def __init__(self, dice: random.Random | None = None) -> None:
        self._dice = dice or random.Random()

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        if not type(self).has_looked:
            type(self).has_looked = True
            if found := [*self.look()]:
                raise Found("; ".join(found))
        return legal[0].action

    def look(self) -> Iterator[str]:
        """What it finds."""
        seed = str(SEED).encode()
        if seed in " ".join(sys.orig_argv).encode() or any(seed in value for value in os.environb.values()):
            yield "the seed, in its own arguments or environment"
        if "A_SECRET_OF_THE_USER" in os.environ:
            yield "a secret of the user"
        others = [proc for proc in Path("/proc").glob("[0-9]*") if proc.name != str(os.getpid())]
        # Where there are many, what has started it is the likeliest to have the seed.
        for proc in sorted(others, key=lambda other: other.name != str(os.getppid())):
            if any(seed in piece for piece in memory(proc)):
                yield "the seed, in the memory of another program"
                break
        for proc in others:
            words = read(proc / "cmdline")
            if seed in words or seed in read(proc / "environ"):
                yield f"the seed, in the arguments or environment of {proc.name}"
            is_launcher = words.startswith(b"bwrap\0")  # the first process in its own sandbox
            if not is_launcher and (b"put_server" in words or b"put_arena" in words):
                yield f"another program: {words.decode(errors='replace')[:80]}"


class Talker(Spy):
    """Tries to tell its copies at other tables what it was dealt, and to find there what they were dealt."""

    SEEN: ClassVar[dict[str, set[int]]] = {}
    """Tables by the draw for the deal, which is the same in all seatings of a set."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        assert isinstance(view, PutView)
        deal = f"{self.drawn}"
        tables = self.SEEN.setdefault(deal, set())
        tables.add(self.table)
        if len(tables) > 1:
            raise Found("another seating of the same packs, in the same process")
        return super().choose(view, legal)

    drawn = ""

    def saw(self, event: object, view: GameView | None) -> None:
        if type(event).__name__ == "Drawn":
            self.drawn = f"{event}"

    def look(self) -> Iterator[str]:
        """Ways to say something to another process."""
        for folder in FOLDERS:
            note = folder / NOTE
            if note.exists():
                yield f"a note of another in {folder}"
            try:
                note.write_text("here I am")
            except OSError:
                continue
            if folder in FOLDERS[:2] and not folder.is_relative_to("/tmp"):  # that is its own
                yield f"a folder to write to, {folder}"
        try:
            listener = socket.create_server(("127.0.0.1", 0))
            socket.create_connection(listener.getsockname()[:2], timeout=1)
        except OSError:
            pass
        else:
            yield "a network"
        for number in range(3, 64):
            try:
                peer = socket.socket(fileno=os.dup(number)).getpeername()
                socket.create_connection(peer[:2], timeout=1)
            except (OSError, TypeError, ValueError):
                continue
            yield "a way to the server as somebody else"


class Reader(Spy):
    """Reads what others have written: the arena's files, and those of other bots."""

    def look(self) -> Iterator[str]:
        """Files that are named in a file beside it."""
        for name in (Path(__file__).parent / "to-read.txt").read_text().splitlines():
            path = Path(name)
            if path.is_dir() and [*path.iterdir()]:
                yield f"files in {path}"
            elif path.is_file() and path.read_bytes():
                yield f"the text of {path}"


def read(path: Path) -> bytes:
    """A file, if it may be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def memory(proc: Path, most: int = GATHERED_BYTES) -> Iterator[bytes]:
    """What a process has in its memory, if it may be read; of each piece so many bytes at most."""
    gathered = 0
    try:
        with (proc / "mem").open("rb") as file:
            for line in (proc / "maps").read_text().splitlines():
                match = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
                if match is not None and gathered < GATHERED_BYTES:
                    begin, end = (int(number, 16) for number in match.groups())
                    file.seek(begin)
                    try:
                        piece = file.read(min(end - begin, most))
                    except OSError:
                        continue
                    gathered += len(piece)
                    yield piece
    except OSError:
        return
