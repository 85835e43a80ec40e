"""`put-bot`: plays a number of games with a bot from a file, and prints one line of results. Every failure has an exit
code."""

import argparse
import asyncio
import contextlib
import json
import logging
import math
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from put_client.arguments import add_login, add_secret, table_number
from put_client.bots.bot import Bot, IllegalChoice, OnError, Played
from put_client.bots.loading import LoadError, load, maker
from put_client.bots.playing import BadTerms, Terms, play, play_invited, play_tables
from put_client.cli import exit_code
from put_client.sdk.client import Client, connect
from put_client.sdk.errors import ClientError, Disconnected, Rejected, address
from put_client.sdk.session_store import SessionLock
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import Admits
from put_protocol.text import NAME_LENGTH, printable
from put_runtime import exit_codes, system_errors
from put_runtime.command_line import Parser, Version, named_value, whole_number
from put_runtime.signals import handling

_log = logging.getLogger("put_client.bots")

COUNT = whole_number(1, 999_999_999)

SIGMAS = 1.96
"""Half the width of a 95% interval, in standard deviations."""


@dataclass(slots=True)
class GameCounts:
    games: int = 0
    won: int = 0
    purse: int = 0
    tables: set[int] = field(default_factory=set)

    def count(self, game: Played) -> None:
        self.games += 1
        self.won += game.won
        self.purse += game.paid
        self.tables.add(game.table)

    def interval(self) -> tuple[float, float]:
        """Wilson's, 95%, of the share of games won; there must be at least one."""
        n, share, z = self.games, self.won / self.games, SIGMAS
        middle, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))

    def in_words(self, name: str) -> str:
        if not self.games:
            return f"{name} played no game to its end."
        low, high = self.interval()
        share = f"{self.won / self.games:.1%} (95%: {low:.1%} to {high:.1%})"
        games = "1 game" if self.games == 1 else f"{self.games:,} games"
        return f"{name} played {games} and won {self.won:,}: {share}, purse {self.purse:+,}."

    def as_json(self, name: str) -> str:
        low, high = self.interval() if self.games else (0.0, 1.0)
        said = {"name": name, "games": self.games, "won": self.won, "purse": self.purse}
        return json.dumps({**said, "low": round(low, 4), "high": round(high, 4), "tables": sorted(self.tables)})


def parser() -> argparse.ArgumentParser:
    flags = Parser(
        prog="put-bot",
        description="Play Put with a bot of your own: a class in Python with one method, choose(view, legal).",
        epilog="The bot opens a table and waits for company, unless --house, --table or --invited says otherwise. "
        "It is interrupted with ^C, or SIGTERM, and then gives up the games in play.",
    )
    flags.add_argument(
        "bot", metavar="BOT", help="my_bot.py, my_bot.py:MyBot or my_module:MyBot; without a name the only one in it"
    )
    add_login(flags, says="that of the class")
    flags.add_argument("--games", type=COUNT, metavar="N", help="games to play (default: 1; with --invited no end)")
    flags.add_argument("--tables", type=COUNT, default=1, metavar="N", help="tables to play at once (default: 1)")
    place = flags.add_mutually_exclusive_group()
    place.add_argument("--house", default="", metavar="NAME", help="play against this house player, such as steady")
    flags.add_argument(
        "--guest", action="append", default=[], metavar="NAME", help="invite a person who is here; may be repeated"
    )
    place.add_argument("--table", type=table_number, metavar="NUMBER", help="sit down at this table")
    place.add_argument("--invited", action="store_true", help="wait for invitations, and play wherever it is invited")
    flags.add_argument("--game", metavar="NAME", help="the rule set of the table it opens (default: put-1674)")
    flags.add_argument("--seats", type=COUNT, metavar="N", help="seats of that table (default: as few as the game has)")
    flags.add_argument(
        "--option",
        action="append",
        default=[],
        type=named_value,
        metavar="NAME=VALUE",
        help="of the rule set; may be repeated",
    )
    flags.add_argument("--turn", type=COUNT, metavar="SECONDS", help="time for each decision there (default: no limit)")
    flags.add_argument("--admits", choices=[*Admits], metavar="WHO", help="who may sit there: all, people or bots")
    add_secret(flags, "passcode")
    flags.add_argument(
        "--seed", type=int, metavar="NUMBER", help="seed of the dice for a bot whose __init__ takes dice"
    )
    flags.add_argument(
        "--on-error",
        choices=[*OnError],
        default=OnError.END,
        metavar="WHAT",
        help="what becomes of an error of the bot's, or an illegal choice: end, with its traceback; "
        "or log it and take the first legal action (default: end)",
    )
    flags.add_argument(
        "--key",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep the key of its cards and check all deals (default), or leave both to the server",
    )
    flags.add_argument("--json", action="store_true", help="tell how it did as JSON")
    flags.add_argument(
        "--log-level",
        choices=LEVELS,
        default="warning",
        metavar="LEVEL",
        help="on standard error: debug (every event and choice), info (games), warning or error (default: warning)",
    )
    flags.add_argument("--version", action=Version, nargs=0, help="show the program's version number and end")
    return flags


LEVELS = ("debug", "info", "warning", "error")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    flags = parser()
    given = flags.parse_intermixed_args(arguments)
    opened = {name: getattr(given, name) for name in ("game", "seats", "turn", "admits")}
    misplaced = [f"--{name}" for name, value in opened.items() if value is not None] + ["--option"] * bool(given.option)
    misplaced += ["--guest"] * bool(given.guest)
    if misplaced and (given.invited or given.table is not None):
        flags.error(f"{misplaced[0]} is for a table that the bot opens, not for one that is there")
    if given.tables > 1 and (given.invited or given.table is not None):
        flags.error("--tables is for tables that the bot opens; invited, it sits at as many as it is asked to")
    given.terms = Terms(house=given.house, guests=given.guest, options=dict(given.option))
    given.terms.update(
        {name: value for name, value in opened.items() if value is not None}
    )  # the flags are named as the terms are
    return given


async def run(given: argparse.Namespace, name: str, make: Callable[[], Bot], tally: GameCounts) -> None:
    """Connect and play, counting in the tally. SIGTERM ends it like ^C.

    :raises ClientError: as in the client.
    :raises ValueError: the server cannot play this, or the bot's choice was illegal.
    :raises Exception: the bot's own error.
    """
    this = asyncio.current_task()
    assert this is not None
    with handling({"SIGTERM": this.cancel}):
        while True:
            # Apart from the sessions of people, which put-client takes up.
            server = f"put-bot at {address(given.address.host, given.address.port)}"
            lock = SessionLock.take(server, name) or SessionLock()
            try:
                return await _connect_and_play(given, name, make, tally, lock)
            except (Rejected, Disconnected) as error:
                if error.code != RefusalCode.BAD_TOKEN or (given.games or math.inf) <= tally.games:
                    raise
                _log.warning("the server knows this bot no more, and the bot begins anew: %s", error.says)
                lock.forget()
            finally:
                lock.let_go()


async def _connect_and_play(
    given: argparse.Namespace, name: str, make: Callable[[], Bot], tally: GameCounts, lock: SessionLock
) -> None:
    """Play with the token of a killed bot, if one is saved, because the server reserves its name for that token. Games
    that it left are given up."""
    client = await connect(
        given.address.host,
        given.address.port,
        fingerprint=given.address.fingerprint,
        security=given.security,
        name=name,
        password=given.password,
        token=lock.token,
        incarnation=lock.incarnation,
        note_incarnation=lock.note_incarnation,
        is_bot=True,
        client="put-bot",
        checked=given.key,
    )
    try:
        async with client:
            lock.leave(client.token, client.incarnation)
            for table in client.welcome.tables:
                await client.leave(table)
            await _play(given, make, tally, client)
    finally:
        if not client.token:
            lock.forget()


async def _play(given: argparse.Namespace, make: Callable[[], Bot], tally: GameCounts, client: Client) -> None:
    if client.dialler.notice:
        _complain(client.dialler.notice)
    left = None if given.games is None else given.games - tally.games
    games, passcode = left or 1, given.passcode
    always: Any = {"on_error": OnError(given.on_error), "on_game": tally.count}
    if given.invited:
        await play_invited(make, client, games=left, **always)
    elif given.table is not None:
        await play(make(), client, table=given.table, games=games, passcode=passcode, **always)
    else:
        await play_tables(make, client, tables=given.tables, games=games, passcode=passcode, **always, **given.terms)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    given = parse(arguments)
    logging.basicConfig(
        level=given.log_level.upper(), format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr, force=True
    )
    try:
        kind = load(given.bot)
        make = maker(kind, given.seed)
    except LoadError as error:
        _complain(f"{error}.", error.__cause__)
        sys.exit(exit_codes.NOINPUT)
    name = given.name or printable(kind.__name__)[:NAME_LENGTH]
    tally = GameCounts()
    code = _played(given, name, make, tally)
    if tally.games or code == exit_codes.OK:
        print(tally.as_json(name) if given.json else tally.in_words(name), flush=True)
    sys.exit(code)


def _played(given: argparse.Namespace, name: str, make: Callable[[], Bot], tally: GameCounts) -> int:
    # Only the operator ends a bot that waits to be invited, so that is no failure.
    has_no_end = given.invited and given.games is None
    try:
        asyncio.run(run(given, name, make, tally))
    except ClientError as error:
        _complain(str(error))
        return exit_code(error)
    except IllegalChoice as error:
        _complain(str(error))
        return exit_codes.SOFTWARE
    except BadTerms as error:
        _complain(f"{error}.")
        return exit_codes.USAGE
    except asyncio.CancelledError:
        return exit_codes.OK if has_no_end else exit_codes.TERMINATED
    except KeyboardInterrupt:
        return exit_codes.OK if has_no_end else exit_codes.INTERRUPTED
    except Exception as error:  # noqa: BLE001  # a bot may raise what it likes; it ends here
        _complain(f"{name} failed, and the games in play are given up. --on-error first would have played on.", error)
        return exit_codes.SOFTWARE
    return exit_codes.OK


def _complain(says: str, error: BaseException | None = None) -> None:
    if error is not None:
        traceback.print_exception(type(error), error, _from_bots_frame(error.__traceback__))
    print(f"put-bot: {says}", file=sys.stderr, flush=True)


_NOT_THEIRS = (
    str(Path(__file__).parents[1]),
    system_errors.__file__,
    contextlib.__file__,
    str(Path(asyncio.__file__).parent),
    "<frozen importlib",
)


def _from_bots_frame(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_NOT_THEIRS):
        trace = trace.tb_next
    return trace


if __name__ == "__main__":
    main()
