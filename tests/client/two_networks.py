"""Two network namespaces with a wire between them: a server in one, a player in the other, and a tap on the wire.

Run inside a user, network and mount namespace of its own (`unshare`), where this process may make a network:

    unshare --map-root-user --net --mount python -m tests.client.two_networks FOLDER

Prints what happened as JSON.
"""

import asyncio
import json
import os
import pty
import select
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from put_client import Bot, RandomBot, Security, connect, play, play_invited
from put_client.discovery import FoundServer, look
from put_protocol.games.put import Play, Played, See
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_runtime.child_process import PUT_SERVER, listening

SERVER, PLAYER, NAME = "10.77.0.1", "10.77.0.2", "Mistress Moll"

PATIENCE_S = 30.0


def main(folder: Path) -> None:
    """Make the wire, start a server at one end, and be the player at the other."""
    os.environ.update(XDG_STATE_HOME=str(folder / "state"), XDG_CONFIG_HOME=str(folder / "config"))
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    _ip("link set lo up")
    _ip("netns add player")
    _ip("link add to-player type veth peer name to-server netns player")
    _ip(f"address add {SERVER}/24 dev to-player")
    _ip("link set to-player up")
    _ip(f"-n player address add {PLAYER}/24 dev to-server")
    _ip("-n player link set lo up")
    _ip("-n player link set to-server up")
    words = [*PUT_SERVER, "--name", "The Swan", "--data", str(folder / "data"), "--log-level", "warning"]
    with listening([*words, "--port", "1674"], folder=None) as (server, _):
        assert server.stdout is not None
        said = [server.stdout.readline().strip() for _ in range(3)]
        told = subprocess.run(
            ["ip", "netns", "exec", "player", sys.executable, "-m", "tests.client.two_networks", "--player"],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
    print(json.dumps({"server": said, **json.loads(told)}))


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


async def player() -> dict[str, Any]:
    """Find the server, play with and without encryption while the wire is tapped, and use the program."""
    found = await _found()
    with Tap() as encrypted:
        encrypted_game = await _play(found, Security.AUTO)
    with Tap() as plain:
        plain_game = await _play(found, Security.PLAIN)
    return {
        "found": [found.name, found.host, found.port, found.fingerprint],
        "encrypted": {**encrypted_game, **encrypted.seen(encrypted_game)},
        "plain": {**plain_game, **plain.seen(plain_game)},
        "screen": await asyncio.to_thread(_program),
    }


async def _found() -> FoundServer:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            for found in await look():
                return found


class _Noting(Bot):
    """Remembers the cards that were played: what it holds is in no message of a blind table. It never puts, and never
    throws in, so every hand shows cards."""

    def __init__(self) -> None:
        self.cards: set[str] = set()

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return next(one.action for one in legal if isinstance(one.action, Play | See))

    def saw(self, event: Event, view: GameView | None) -> None:
        if isinstance(event, Played):
            self.cards.add(event.card)


async def _play(found: FoundServer, security: Security) -> dict[str, Any]:
    bot = _Noting()
    async with (
        connect(found.host, found.port, name=NAME, security=security) as client,
        connect(found.host, found.port, name="Nan", security=security) as nan,
        asyncio.TaskGroup() as tasks,
    ):
        invited = tasks.create_task(play_invited(RandomBot, nan))
        record = await play(bot, client, guests=["Nan"], games=2, options={"pack": 28, "target": 2})
        invited.cancel()
        return {
            "games": record.games,
            "is_encrypted": client.dialler.is_encrypted,
            "key": client.dialler.fingerprint,
            "notice": client.dialler.notice,
            "token": client.token,
            "cards": sorted(bot.cards),
        }


class Tap:
    """Every packet on the wire, as long as the block runs."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self._socket.bind(("to-server", 0))
        self._socket.settimeout(0.2)
        self._packets: list[bytes] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._record)

    def __enter__(self) -> "Tap":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._socket.close()

    def _record(self) -> None:
        while True:
            try:
                self._packets.append(self._socket.recv(65536))
            except TimeoutError:
                if self._is_over.is_set():  # nothing came for a while
                    return

    def seen(self, game: dict[str, Any]) -> dict[str, Any]:
        """What of a game was there to read."""
        data = b"".join(self._packets)
        # As msgpack writes a field with a card: two or three letters alone are in any noise.
        cards = [card for card in game["cards"] if b"\xa4card" + bytes([0xA0 + len(card)]) + card.encode() in data]
        texts = {"name": NAME, "token": game["token"], "game": "put-1674", "act": "act", "legal": "legal"}
        return {
            "bytes": len(data),
            "seen": sorted(what for what, text in texts.items() if text.encode() in data and len(text) > 4),
            "cards_seen": len(cards),
        }


def _program() -> str:
    """What `put-client` shows to a person who names no server, chooses the first, and quits."""
    keyboard, terminal = pty.openpty()
    program = "from put_client.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "--line", "--name", "Ann"], stdin=terminal, stdout=terminal, stderr=terminal
    )
    os.close(terminal)
    shown = ""
    deadline = time.monotonic() + PATIENCE_S
    answers = [("[1]: ", "1\n"), ("You are Ann", "quit\n")]
    while time.monotonic() < deadline:
        if not select.select([keyboard], [], [], 0.5)[0]:
            continue
        try:
            shown += os.read(keyboard, 4096).decode(errors="replace")
        except OSError:  # it has ended
            break
        if answers and answers[0][0] in shown:
            os.write(keyboard, answers.pop(0)[1].encode())
    process.kill()
    process.wait()
    return shown


if __name__ == "__main__":
    if sys.argv[1] == "--player":
        print(json.dumps(asyncio.run(player())))
    else:
        main(Path(sys.argv[1]))
