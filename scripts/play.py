"""Play in this terminal: on a temporary server on a free loopback port, against a house player; everything is removed
when you quit. With --watch house players play over real sockets, and a spectator describes the game in English."""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

if __name__ == "__main__":  # started by any Python: what is imported below is in .venv
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # nothing is begun yet
    from scripts.environment import enter

    enter("play")

import argparse
import asyncio
import random
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from put_client import Bot, play
from put_client.arguments import LocalizedParser, Options, language_flag
from put_client.cli import exit_code, login_name, play_at_table, practise
from put_client.line import line_mode
from put_client.record.game_recorder import keeping, opened
from put_client.sdk.client import Client
from put_client.sdk.errors import ClientError
from put_client.settings import Settings, settle, spoken
from put_client.teaching import teacher_for
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.messages import LobbyState, Watch
from put_protocol.table_info import TableInfo
from put_runtime import exit_codes
from put_runtime.child_process import PUT_SERVER, CannotStart, listening
from put_runtime.settings import SettingsError
from put_runtime.system_errors import unwrapped
from put_server.house import registry
from put_server.house.player import Player
from put_server.house_runner import terms_at
from put_text.catalogue import LANGUAGE, languages, say

NAMES = ("Doll", "Ned", "Peg", "Hal", "Kit", "Meg", "Wat", "Sib", "Jack", "Bess")

START_SECONDS = 20
"""Time limit for the server to listen; it needs a fraction of a second."""

MOST_GAMES = 999


class HouseBot(Bot):
    """A house player at the far end of a socket."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        assert view.to_move is not None
        action: Action = self._player.choose(view, legal, view.to_move)
        return action


def main() -> int:
    LANGUAGE.set(spoken(language_flag(None), os.environ))  # for the help, and for mistakes
    parser = _parser()
    options = parser.parse_args()
    if not 1 <= options.games <= MOST_GAMES:
        parser.error(say("refused-value", option="--games", kind="number", least=1, most=MOST_GAMES))
    at_ends = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(exit_codes.TERMINATED))
    if hasattr(signal, "SIGHUP"):  # which Windows lacks
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(exit_codes.HUNG_UP))
    try:
        settings = _settings(options)
        LANGUAGE.set(spoken(settings.language, os.environ))
        if options.drill:
            return asyncio.run(practise(settings, options.game))  # needs no server
        # Windows removes no file that another program, such as a virus scanner, has open.
        folder = tempfile.TemporaryDirectory(prefix="put-play-", ignore_cleanup_errors=True)
        with folder as data, _server(data, options.seed) as port:
            return asyncio.run(_watch(port, options) if options.watch else _play(port, options, settings))
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    except SettingsError as error:
        print(f"scripts/play: {error}.", file=sys.stderr)
        return exit_codes.CONFIG
    except CannotStart as error:
        print(f"scripts/play: {error}", file=sys.stderr)
        return exit_codes.UNAVAILABLE
    except ClientError as error:
        print(f"scripts/play: {error}", file=sys.stderr)
        return exit_code(error)
    finally:
        signal.signal(signal.SIGINT, at_ends)


def _settings(options: argparse.Namespace) -> Settings:
    """:raises SettingsError: the settings file, or a variable, is invalid."""
    flags = {name: getattr(options, name) for name in ("ascii", "language", "line") if getattr(options, name)}
    return settle(flags, os.environ)


def _parser() -> LocalizedParser:
    parser = LocalizedParser(prog="scripts/play", description=say("play-about"))
    parser.add_argument("--watch", action="store_true", help=say("play-watch"))
    parser.add_argument("--drill", action="store_true", help=say("play-drill"))
    parser.add_argument("--games", type=int, default=1, metavar="N", help=say("play-games"))
    parser.add_argument("--seed", type=int, metavar="S", help=say("play-seed"))
    parser.add_argument("--game", default="put-1674", metavar="NAME", help=say("play-game"))
    parser.add_argument("--seats", type=int, metavar="N", help=say("play-seats"))
    parser.add_argument("--house", default="steady", choices=sorted(registry.HOUSES), help=say("play-house"))
    parser.add_argument("--name", help=say("play-name"))
    parser.add_argument("--line", action="store_true", help=say("play-line"))
    parser.add_argument("--language", choices=languages(), help=say("play-language"))
    parser.add_argument("--ascii", action="store_true", help=say("play-ascii"))
    return parser


@contextmanager
def _server(data: str, seed: int | None) -> Iterator[int]:
    command = [*PUT_SERVER, "--host", "127.0.0.1", "--port", "0", "--data", data, "--drain-seconds", "0"]
    command += ["--log-level", "warning", "--name", say("client-own-table")]
    command += ["--exempt", "127.0.0.1"]  # house players and bots come from this machine
    command += ["--at-eof", "stop"]  # should this program be killed, the server's input ends
    if seed is not None:
        command += ["--seed", str(seed)]
    with listening(command, stdin=subprocess.PIPE) as (_, port):
        yield port


async def _play(port: int, options: argparse.Namespace, settings: Settings) -> int:
    name = options.name or settings.name or login_name() or "Player"
    async with await Client.connect("127.0.0.1", port, name=name) as client:
        seats = _seats(client, options)
        table = await client.open_table(options.game, seats=seats, options=_table_options(options))
        for seat in range(1, seats):
            await client.invite(table, seat, options.house)
        record, flaw = opened() if settings.keep_record else (None, "")
        if flaw:
            print(f"scripts/play: {flaw}", file=sys.stderr)
        async with keeping(client, record):
            teacher = teacher_for(record, teaches=settings.teach)
            return await play_at_table(client, Options(table=table, settings=settings), record, teacher, notice=flaw)


async def _watch(port: int, options: argparse.Namespace) -> int:
    keyboard = os.open(os.devnull, os.O_RDONLY)
    try:
        connect = partial(Client.connect, "127.0.0.1", port)
        async with (
            await connect(name="Host", is_bot=True) as host,
            await connect(name=say("client-onlooker")) as gallery,
        ):
            seats = _seats(host, options)
            table = await host.open_table(options.game, seats=seats, options=_table_options(options))
            await host.look()
            watch = line_mode.run(gallery, Watch(0, table), descriptor=keyboard)
            async with unwrapped(ClientError), asyncio.TaskGroup() as tasks:
                told = tasks.create_task(watch)
                await _until(host, lambda info: info.watchers == 1)
                for seat in range(seats):  # one after another, so that a seed repeats everything
                    if seat:  # and no player waits for the last: their game may be over before the lobby tells of it
                        await _until(host, partial(_is_taken, seat - 1))
                    tasks.create_task(_house_bot(port, table, seat, options))
                return await told
    finally:
        os.close(keyboard)


async def _house_bot(port: int, table: int, seat: int, options: argparse.Namespace) -> None:
    dice = random.Random(None if options.seed is None else f"{options.seed} {seat}")
    async with await Client.connect("127.0.0.1", port, name=NAMES[seat], is_bot=True) as client:
        await play(
            HouseBot(registry.player(options.house, dice, terms_at(options.game, {}))),
            client,
            table=table,
            games=options.games,
        )


def _table_options(options: argparse.Namespace) -> dict[str, int | str]:
    """A repeatable exhibition is not dealt blind, because players' shuffles also depend on their timing."""
    return {} if options.seed is None else {"dealing": "plain"}


async def _until(host: Client, is_so: Callable[[TableInfo], bool]) -> None:
    """Follow the lobby until its only table is as wanted."""
    async with asyncio.timeout(START_SECONDS):
        async for message in host:
            if isinstance(message, LobbyState) and any(is_so(info) for info in message.tables):
                return


def _is_taken(seat: int, info: TableInfo) -> bool:
    return info.seats[seat].name is not None


def _seats(client: Client, options: argparse.Namespace) -> int:
    """Number of players: as requested, or the fewest of the rule set; the server refuses invalid numbers."""
    offered = {offer.name: offer.seats for offer in client.welcome.games}
    chosen: int | None = options.seats
    return chosen if chosen is not None else min(offered.get(options.game, (2,)))


if __name__ == "__main__":
    sys.exit(main())
