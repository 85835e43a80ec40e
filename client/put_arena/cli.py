"""The command `put-arena`: from a command line to a table of results, with exit codes by sysexits."""

import argparse
import asyncio
import json
import math
import os
import secrets
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TextIO

from put_arena.competitors import Competitor, CompetitorError, Kind, parse
from put_arena.contest import ArenaFailed, BadMatch, Contest, NoBot, Rules
from put_arena.match_log import BadLog, MatchLog, Saving
from put_arena.match_play import play
from put_arena.match_report import as_json, as_text, drawings, live_lines, verdict
from put_arena.results import Results, Standing
from put_arena.sandbox import Sandbox
from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed, Parser, Version, named_value, run_program, whole_number
from put_runtime.signals import handling, hide_memory
from put_runtime.system_errors import failure_of

LINE_SECONDS = 5.0
LOOK_SECONDS = 0.1

DRAW_SECONDS = 0.5

SHARE = 20
"""Time between drawings, in multiples of the time of the last drawing: intervals of many games take long to compute."""

_UP, _CLEAR = "\x1b[{}F", "\x1b[J"


async def _show_progress(contest: Contest, out: TextIO) -> None:
    await contest.begun.wait()
    await asyncio.sleep(LOOK_SECONDS)  # other servers are a moment behind the first
    if contest.addresses:
        print(f"Watch at {', '.join([f'put-client {address}' for address in contest.addresses])}", file=out, flush=True)
    began, done = time.monotonic(), contest.done

    def rate() -> float:
        return (contest.done - done) / max(time.monotonic() - began, 0.001)

    if out.isatty():
        await _draw(contest, out, rate)
    while True:
        await asyncio.sleep(LINE_SECONDS)
        print(_line(contest, rate()), file=out, flush=True)


def _line(contest: Contest, rate: float) -> str:
    return f"{contest.done:,} of {contest.games_planned:,} games, {rate:,.0f} a second"


async def _draw(contest: Contest, out: TextIO, rate: Callable[[], float]) -> None:
    """Draw the table until cancelled. Then erase it, because the report follows."""
    drawn = 0
    try:
        while True:
            begun = time.monotonic()
            lines = progress_lines(contest, rate(), shutil.get_terminal_size().columns)
            out.write((_UP.format(drawn) if drawn else "") + _CLEAR + "".join([line + "\n" for line in lines]))
            out.flush()
            drawn = len(lines)
            await asyncio.sleep(max(DRAW_SECONDS, SHARE * (time.monotonic() - begun)))
    finally:
        out.write((_UP.format(drawn) if drawn else "") + _CLEAR)
        out.flush()


def progress_lines(contest: Contest, rate: float, width: int) -> Sequence[str]:
    left = contest.games_planned - contest.done
    to_go = f", {left / rate:,.0f} seconds to go" if rate and left else ""
    lines = [_line(contest, rate) + to_go]
    if contest.results is not None:
        lines += live_lines(contest.results, width - 1)
    return [line[: width - 1] for line in lines]


OUT = 1
"""Exit status if a competitor was disqualified. Then games are missing."""


def parser() -> Parser:
    flags = Parser(
        prog="put-arena",
        description="Let bots play each other, every deal from every seat, and tell who is better and how surely.",
        epilog="A competitor is a Python class (my_bot.py, my_bot.py:MyBot, my_module:MyBot), a command that speaks "
        "JSON lines on its standard input and output (stdio:./mybot --fast), one that connects by itself (dial:node "
        "bot.mjs {host} {port} {name} --invited), or a house player (house:steady). To name it, put the name and = "
        "before it: bold=my_bot.py:MyBot. Quote a competitor of several words. "
        f"The exit status is 0 if all was played, {OUT} if a competitor was put out.",
    )

    def number(name: str, least: int, most: int, default: int | None, meaning: str, metavar: str = "NUMBER") -> None:
        flags.add_argument(name, type=whole_number(least, most), default=default, metavar=metavar, help=meaning)

    def repeated(name: str, metavar: str, meaning: str, kind: Callable[[str], Any] = str) -> None:
        flags.add_argument(name, action="append", default=[], type=kind, metavar=metavar, help=meaning)

    def switch(name: str, meaning: str) -> None:
        flags.add_argument(name, action="store_true", help=meaning)

    flags.add_argument("competitors", nargs="+", metavar="COMPETITOR", help="two or more; all play against all")
    flags.add_argument("--game", default="put-1674", metavar="NAME", help="the rule set (default: put-1674)")
    number("--seats", 1, 10, None, "seats at a table (default: as few as the rule set has)")
    repeated("--option", "NAME=VALUE", "an option of the rule set; may be repeated", named_value)
    games = "games of each match, in whole sets; a match has one competitor for each side of a table (default: 1000)"
    number("--games", 1, 10_000_000, 1_000, games)
    switch(
        "--until-decided",
        "stop earlier, when the two best are told apart with 95%% confidence, however often that was looked at",
    )
    seed = "seed of the packs and of the dice of Python bots (default: another each time; the results name it)"
    number("--seed", 0, 2**63 - 1, None, seed)
    jobs = (
        "servers at work at once, each with players of its own (default: one for two cores; with --in-process, "
        "processes, and one for each core)"
    )
    number("--jobs", 1, 256, None, jobs)
    tables = f"tables at once at each server; 1 for a bot that thinks long (default: {TABLES})"
    number("--tables", 1, 48, TABLES, tables)
    number("--turn", 1, 86_400, 5, "time for a decision; then the hand is thrown in (default: 5)", "SECONDS")
    number("--late", 1, 1_000, 3, "a bot whose time runs out at this many turns in a row is put out (default: 3)")
    slow = "wait before each move, for spectators (default: 0)"
    flags.add_argument("--slow", type=_seconds, default=0.0, metavar="SECONDS", help=slow)
    host = "where spectators can connect; * for every interface (default: 127.0.0.1)"
    flags.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=host)
    for name, metavar, meaning in (
        ("--save", "FOLDER", "write every game there in Put notation, as the gallery saw it"),
        (
            "--resume",
            "FILE",
            "keep the match in this file as it goes, and go on with what it has: for a match that was interrupted",
        ),
        ("--plots", "FOLDER", "draw win rates, ratings and each against each there, as SVG"),
        ("--json", "FILE", "write every game and all results there"),
    ):
        flags.add_argument(name, type=Path, metavar=metavar, help=meaning)
    switch(
        "--in-process",
        "play classes and house players as objects of one process a job, without servers: several times as fast, for "
        "authors who trust each other",
    )
    switch(
        "--remove-luck",
        "with --in-process, and where the game is solved: tell the results without the luck of the deals, too",
    )
    switch(
        "--no-sandbox",
        "let bots do what you may do: see your files and processes, write files, and use the network",
    )
    environment = "a variable of the environment for the bots, beside those that programs need; may be repeated"
    repeated("--env", "NAME", environment)
    shown = "what bots may read, beside the system's programs, this Python and their own folders; may be repeated"
    repeated("--show", "PATH", shown)
    flags.add_argument("--version", action=Version, nargs=0, help="show the program's version number and end")
    return flags


TABLES = 16
"""Default tables. The server never waits for a bot, and a bot of some milliseconds is in time at all of them."""

SEED_BITS = 63
"""Bits of a random seed: too many to find it by trying."""

BANK_SECONDS = 3
"""Time bank of a player whose connection dropped. Here a dropped connection means that the process has ended."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    flags = parser()
    given = flags.parse_intermixed_args(arguments)
    try:
        competitors = parse(given.competitors)
    except CompetitorError as error:
        flags.error(str(error))
    programs = [one.typed for one in competitors if one.kind in (Kind.STDIO, Kind.DIAL)]
    if given.in_process and programs:
        flags.error(f"--in-process plays classes and house players only, and {programs[0]} is a program")
    if given.remove_luck and not given.in_process:
        flags.error("--remove-luck needs --in-process: only there are all cards known")
    if given.in_process and given.slow:
        flags.error("--in-process has no spectators: leave --slow out")
    codes: dict[type[Exception], int] = {
        BadLog: exit_codes.DATAERR,
        BadMatch: exit_codes.DATAERR,
        NoBot: exit_codes.NOINPUT,
    }
    run_program("put-arena", lambda: _play(_contest(competitors, given), given), lambda: codes)


def _contest(competitors: tuple[Competitor, ...], given: argparse.Namespace) -> Contest:
    """The requested match.

    :raises BadLog: the match cannot continue from its log.
    :raises CommandFailed: a file cannot be written.
    """
    try:
        saving = None if given.save is None else Saving(given.save)
        if given.json is not None:
            given.json.touch()
        if given.plots is not None:
            given.plots.mkdir(parents=True, exist_ok=True)
        log = None if given.resume is None else MatchLog(given.resume)
    except OSError as error:
        raise CommandFailed(exit_codes.CANTCREAT, f"{error.filename}: {error.strerror}") from None
    rules = Rules(
        game=given.game,
        seats=given.seats or 0,
        options=dict(given.option),
        turn=given.turn + math.ceil(given.slow),
        bank=BANK_SECONDS,
        late=given.late,
        slow=given.slow,
        seed=_seed(given.seed, log),
        host=given.host,
        tables=given.tables,
    )
    if log is not None:
        log.begin(
            {
                **{name: getattr(rules, name) for name in ("game", "seats", "options", "seed", "turn")},
                "competitors": given.competitors,
                "games": given.games,
                "removes_luck": given.remove_luck,
            }
        )
    # No bot may read what the arena writes: games that are over have the packs of those that are not.
    written = tuple([str(path) for path in (given.save, given.json, given.resume) if path is not None])
    cores = os.cpu_count() or 1
    return Contest(
        competitors,
        rules,
        games=given.games,
        jobs=given.jobs or (cores if given.in_process else max(1, cores // 2)),
        saving=saving,
        until_decided=given.until_decided,
        is_in_process=given.in_process,
        sandbox=Sandbox(
            closed=not (given.no_sandbox or given.in_process),
            hide=written,
            more_variables=tuple(given.env),
            show=tuple(given.show),
        ),
        log=log,
        removes_luck=given.remove_luck,
    )


def _seed(given: int | None, log: MatchLog | None) -> int:
    """Seed: the flag, else the log's, else random."""
    if given is None and log is not None and log.match:
        return int(log.match["seed"])
    return secrets.randbits(SEED_BITS) if given is None else given


def _play(contest: Contest, given: argparse.Namespace) -> Iterator[str]:
    """Play a match and report it.

    :raises CommandFailed: the match could not go on.
    :raises NoBot: a competitor does not exist, and nothing was played.
    :raises SystemExit: the match was stopped, or a competitor is disqualified.
    """
    hide_memory()  # the seed is in it
    began = time.monotonic()
    stopped: list[int] = []
    failure: ArenaFailed | NoBot | None = None
    try:
        asyncio.run(_run(contest, stopped))
    except (ArenaFailed, NoBot) as error:
        if isinstance(error, NoBot) and not contest.done:
            raise
        failure = error  # a file that went away during the match does not take its results along
    seconds = time.monotonic() - began
    results, rules = contest.results, contest.rules
    unwritten = ""
    if results is not None:
        standings = results.standings()
        conditions = {
            **asdict(rules),
            "jobs": contest.jobs,
            "is_in_process": given.in_process,
            "is_sandboxed": contest.sandbox.closed,
            "seconds": round(seconds, 3),
            "is_partial": bool(stopped or failure),
            "is_decided": contest.decided is not None,
        }
        try:  # first, because the reader of the text may go
            _write_files(given, results, standings, conditions)
        except OSError as error:
            unwritten = f"the report cannot be written: {failure_of(error)}"
        options = [f"{name}={value}" for name, value in rules.options.items()]
        what = " ".join([rules.game, f"with {len(results.sides)} seats", *options])
        yield from as_text(results, standings, f"{what}, seed {rules.seed}")
        rate = f", {contest.rate:,.0f} games a second between the first and the last" if contest.rate else ""
        yield f"\n{seconds:.1f} seconds{rate}."
        if contest.decided is not None:
            yield verdict(results, contest.decided)
    if unwritten:
        raise CommandFailed(exit_codes.CANTCREAT, unwritten)
    if stopped:
        yield "\nIt was stopped before its end."
        sys.exit(stopped[0])
    if failure is not None:
        code = exit_codes.NOINPUT if isinstance(failure, NoBot) else exit_codes.UNAVAILABLE
        raise CommandFailed(code, str(failure))
    if any(conduct.out for conduct in contest.conduct):
        sys.exit(OUT)


def _write_files(
    given: argparse.Namespace, results: Results, standings: Sequence[Standing], conditions: Mapping[str, Any]
) -> None:
    """Write the plots and the JSON that were asked for.

    :raises OSError: one of them cannot be written.
    """
    if given.plots is not None and results.sets:
        for name, text in drawings(results).items():
            (given.plots / name).write_text(text, "utf-8")
    if given.json is not None:
        given.json.write_text(json.dumps(as_json(results, standings, conditions), indent=1) + "\n", "utf-8")


async def _run(contest: Contest, stopped: list[int]) -> None:
    def stop(code: int) -> None:
        stopped.append(code)
        contest.end.set()

    ends = {
        "SIGINT": partial(stop, exit_codes.INTERRUPTED),
        "SIGTERM": partial(stop, exit_codes.TERMINATED),
    }
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as `nohup` leaves it, for a match of many hours
        ends["SIGHUP"] = partial(stop, exit_codes.HUNG_UP)
    with handling(ends):
        progress = asyncio.create_task(_show_progress(contest, sys.stderr))
        try:
            await play(contest)
        finally:
            progress.cancel()
            with suppress(asyncio.CancelledError, OSError):  # its reader, or its terminal, may have gone
                await progress


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0 to 60")
    return seconds
