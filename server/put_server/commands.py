"""The subcommands of `put-server`: what an operator asks of a running server, and of what it kept.

A command is a function from settings and arguments to the lines it prints, and its place in the table `COMMANDS`.
"""

import asyncio
import os
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from put_conformance.case import Case
from put_conformance.cases import all_cases
from put_conformance.client_process import CannotStart
from put_conformance.report import CaseReport, Report, format_case, format_summary, to_json
from put_conformance.suite import Plan, PortUnavailable, run_suite
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.text import same_name
from put_server.admin.calls import Announce, AskStatus, Call, Done, Drain, Kick, Status
from put_server.admin.client import A, NobodyAnswers, NotDone, ask
from put_server.admin.format import told
from put_server.analysis.perfect_play import is_solved, master_of
from put_server.analysis.turns import turns_of
from put_server.analysis.verdicts import analyses, review
from put_server.app import new_lobby
from put_server.games.game import BadOption, OptionValue, RuleSet
from put_server.games.record import BadRecord, GameRecord
from put_server.games.registry import GAMES
from put_server.games.sheet import sheet_of
from put_server.journal.archive import Archive
from put_server.journal.checking import check
from put_server.journal.errors import JournalError
from put_server.journal.reading import FinishedGame, GameRow
from put_server.settings import BOUNDS, Settings
from put_text.analysis_text import format_full_analysis
from put_text.english import format_event
from put_text.notation import write


class CommandFailed(Exception):
    """The sentence says why, `code` is of sysexits."""

    def __init__(self, code: int, says: str) -> None:
        super().__init__(says)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One subcommand."""

    meaning: str
    example: str
    """Its arguments, as one might give them."""
    settings: tuple[str, ...]
    """Which it reads, and so has flags for."""
    arguments: Mapping[str, Mapping[str, Any]]
    """As argparse takes them."""
    run: Callable[[Settings, Namespace], Iterator[str]]


# --- of a running server ---------------------------------------------------------------------------------------------


def _asked(settings: Settings, call: Call, kind: type[A], declined: int) -> A:
    """The server's answer; `declined` is the exit code if it will not do it."""
    if settings.door is None:
        raise CommandFailed(os.EX_USAGE, "a server that keeps nothing has an admin socket only where --admin says")
    try:
        return ask(settings.door, call, kind)
    except NobodyAnswers as error:
        raise CommandFailed(os.EX_UNAVAILABLE, str(error)) from None
    except NotDone as error:
        raise CommandFailed(declined, str(error)) from None


def _status(settings: Settings, arguments: Namespace) -> Iterator[str]:
    status = _asked(settings, AskStatus(), Status, os.EX_UNAVAILABLE)
    yield from (msgspec.json.encode(status).decode(),) if arguments.json else told(status)


def _announce(settings: Settings, arguments: Namespace) -> Iterator[str]:
    yield _asked(settings, Announce(arguments.text), Done, os.EX_DATAERR).says


def _kick(settings: Settings, arguments: Namespace) -> Iterator[str]:
    yield _asked(settings, Kick(arguments.person, arguments.because), Done, os.EX_NOUSER).says


def _drain(settings: Settings, arguments: Namespace) -> Iterator[str]:
    yield _asked(settings, Drain(arguments.seconds, arguments.back), Done, os.EX_TEMPFAIL).says


# --- of what is kept -------------------------------------------------------------------------------------------------


def _archive(settings: Settings) -> Archive:
    if settings.journal is None:
        raise CommandFailed(os.EX_USAGE, "a server that keeps nothing has no journal; name its directory with --data")
    if not settings.journal.exists():
        raise CommandFailed(os.EX_NOINPUT, f"there is no {settings.journal}; name the server's directory with --data")
    return Archive(settings.journal)


def _games(settings: Settings, arguments: Namespace) -> Iterator[str]:
    with _archive(settings) as archive:
        for row in archive.games(arguments.limit, table=arguments.table):
            yield msgspec.json.encode(row).decode() if arguments.json else _game_told(row)


def _game_told(row: GameRow) -> str:
    names = [player.name for player in row.players]
    result = "nobody stayed to the end" if row.result is None else format_event(row.result, names, you=GALLERY)
    players = ", ".join(f"{player.name} (house)" if player.is_house else player.name for player in row.players)
    return f"{row.id:>6}  {row.ended}  table {row.table}, game {row.number}: {row.rule_set}; {players}. {result}"


def _show(settings: Settings, arguments: Namespace) -> Iterator[str]:
    game, rule_set = _finished(settings, arguments.id)
    record = game.record
    viewer = _viewer(arguments.viewer, record)
    try:
        sheet = sheet_of(record, rule_set, viewer, date=game.row.ended, server=settings.name)
    except (BadRecord, BadOption) as error:
        raise CommandFailed(os.EX_DATAERR, f"game {arguments.id} does not follow from its rules: {error}") from None
    yield write(sheet).rstrip("\n")


def _finished(settings: Settings, number: int) -> tuple[FinishedGame, RuleSet]:
    """A finished game, and the rules it was played by."""
    with _archive(settings) as archive:
        game = archive.game(number)
    if game is None:
        raise CommandFailed(os.EX_DATAERR, f"no game {number} is kept; put-server games lists them")
    rule_set = GAMES.get(game.record.rule_set)
    if rule_set is None:
        raise CommandFailed(os.EX_DATAERR, f"game {number} is of {game.record.rule_set}, which is not played here")
    return game, rule_set


def _analyse(settings: Settings, arguments: Namespace) -> Iterator[str]:
    game, rule_set = _finished(settings, arguments.id)
    record = game.record
    viewer = _viewer(arguments.viewer or _only_guest(record), record)
    if viewer == GALLERY:
        raise CommandFailed(os.EX_DATAERR, "the gallery decides nothing; name a player with --as")
    if not is_solved(record.rule_set, record.options, len(record.players)):
        options = " with the options of this game" if is_solved(record.rule_set, _defaults(rule_set), 2) else ""
        says = f"perfect play is not known for {record.rule_set}{options}, so nothing can be weighed against it"
        raise CommandFailed(os.EX_DATAERR, says)
    try:
        hands = turns_of(record, rule_set, viewer)
    except (BadRecord, BadOption) as error:
        raise CommandFailed(os.EX_DATAERR, f"game {arguments.id} does not follow from its rules: {error}") from None
    master = master_of(record.rule_set, record.options)
    reviewed = [one for hand in hands for one in review(hand, master)]
    told = analyses(record.table, record.number, viewer, reviewed)
    whole = msgspec.structs.replace(told[0], reviewed=tuple([one for part in told for one in part.reviewed]))
    if arguments.json:
        yield msgspec.json.encode(whole).decode()
        return
    yield f"{record.players[viewer].name}, in game {record.number} at table {record.table}, {record.rule_set}:"
    yield from format_full_analysis(whole)


def _only_guest(record: GameRecord) -> str:
    """Who is meant where nobody is named: the one player who was not of the house."""
    guests = [seat for seat, player in enumerate(record.players) if not player.is_house]
    if len(guests) == 1:
        return str(guests[0])
    names = _seats([player.name for player in record.players])
    raise CommandFailed(os.EX_DATAERR, f"whose decisions? Name one with --as: {names}")


def _defaults(rule_set: RuleSet) -> dict[str, OptionValue]:
    return {option.name: option.default for option in rule_set.offer.options}


def _viewer(said: str, record: GameRecord) -> Viewer:
    """Whom a game is shown as: `gallery`, `seat 1` or `1`, or a player's name."""
    if said == GALLERY:
        return GALLERY
    number = said.removeprefix("seat").strip()
    if number.isdecimal() and int(number) < len(record.players):
        return Seat(int(number))
    names = [player.name for player in record.players]
    for seat, name in enumerate(names):
        if same_name(name) == same_name(said):
            return Seat(seat)
    raise CommandFailed(
        os.EX_DATAERR, f"{said!r} did not play in this game; it can be shown as gallery, {_seats(names)}"
    )


def _seats(names: Sequence[str]) -> str:
    return ", ".join(f"seat {seat} ({name})" for seat, name in enumerate(names))


def _check(settings: Settings, _: Namespace) -> Iterator[str]:
    with _archive(settings) as archive:
        report = check(archive, new_lobby(settings), GAMES)
    yield from report.findings
    looked = f"{report.records:,} records and {report.games:,} finished games were looked at"
    if report.findings:
        raise CommandFailed(os.EX_DATAERR, f"{looked}; not all is well")
    yield f"{looked}; all is well"


def _backup(settings: Settings, arguments: Namespace) -> Iterator[str]:
    with _archive(settings) as archive:
        try:
            archive.backup(arguments.file)
        except JournalError as error:
            raise CommandFailed(os.EX_CANTCREAT, str(error)) from None
    yield f"{arguments.file} is a copy of {settings.journal}"


# --- of a client -----------------------------------------------------------------------------------------------------


def _rehearse(_: Settings, arguments: Namespace) -> Iterator[str]:
    cases = _cases(arguments.game, arguments.scene)
    if arguments.list:
        yield from (f"{case.name:20}  {case.summary}" for case in cases)
        return
    to_stdout = arguments.json == "-"
    out = sys.stderr if to_stdout else sys.stdout

    def say(line: str) -> None:
        print(line, file=out, flush=True)

    def finished(case: CaseReport) -> None:
        for line in format_case(case):
            say(line)

    plan = Plan(
        cases=cases,
        command=arguments.client,
        host=arguments.at,
        port=arguments.on_port,
        seed=arguments.packs,
        timeout_s=arguments.timeout,
        at_once=arguments.at_once,
    )
    try:
        report = asyncio.run(run_suite(plan, GAMES, announce=say, finished=finished))
    except (PortUnavailable, CannotStart) as error:
        raise CommandFailed(os.EX_UNAVAILABLE, str(error)) from None
    yield from _kept(report, arguments.json)
    if not to_stdout:
        yield format_summary(report)
    if not report.is_passed:
        raise CommandFailed(os.EX_PROTOCOL, "not all cases passed")


def _cases(games: Sequence[str] | None, names: Sequence[str] | None) -> list[Case]:
    """Those asked for, in the order they run."""
    known = all_cases({name: rule_set for name, rule_set in GAMES.items() if not games or name in games})
    chosen = [case for case in known.values() if not names or any(fnmatchcase(case.name, name) for name in names)]
    for name in names or ():
        if not any(fnmatchcase(case.name, name) for case in chosen):
            raise CommandFailed(os.EX_USAGE, f"there is no case {name!r}; --list names them")
    return chosen


def _kept(report: Report, file: str | None) -> Iterator[str]:
    if file == "-":
        yield to_json(report)
    elif file is not None:
        try:
            Path(file).write_text(f"{to_json(report)}\n", "utf-8")
        except OSError as error:
            raise CommandFailed(os.EX_CANTCREAT, f"{file} cannot be written: {error.strerror or error}") from None


# --- all of them -----------------------------------------------------------------------------------------------------


def _whole(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
            raise ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")
        return int(text)

    return number


_ID = _whole(1, 2**63 - 1)

_JSON = {"action": "store_true", "default": False, "help": "as JSON, an object a line"}

_DOOR = ("data", "admin")

COMMANDS: Mapping[str, Command] = {
    "games": Command(
        meaning="list finished games, the latest first",
        example="--table 3 --limit 10",
        settings=("data",),
        arguments={
            "--table": {"type": _ID, "default": None, "metavar": "NUMBER", "help": "of this table only"},
            "--limit": {"type": _ID, "default": 20, "metavar": "NUMBER", "help": "so many at most (default: 20)"},
            "--json": _JSON,
        },
        run=_games,
    ),
    "show": Command(
        meaning="print a finished game in the notation, as one of those at the table saw it",
        example="17 --as Ann > game.put",
        settings=("data", "name"),
        arguments={
            "id": {"type": _ID, "metavar": "ID", "help": "the game, by its number in put-server games"},
            "--as": {
                "dest": "viewer",
                "default": GALLERY,
                "metavar": "VIEWER",
                "help": "gallery, a seat's number or a player's name (default: gallery)",
            },
        },
        run=_show,
    ),
    "analyse": Command(
        meaning="weigh a player's decisions in a finished game against perfect play",
        example="17 --as Ann",
        settings=("data",),
        arguments={
            "id": {"type": _ID, "metavar": "ID", "help": "the game, by its number in put-server games"},
            "--as": {
                "dest": "viewer",
                "default": "",
                "metavar": "PLAYER",
                "help": "a seat's number or a player's name (default: the one who was not of the house)",
            },
            "--json": {**_JSON, "help": "as one JSON object"},
        },
        run=_analyse,
    ),
    "check": Command(
        meaning="look whether everything kept follows from the rules",
        example="--data /var/lib/put-server",
        settings=("data",),
        arguments={},
        run=_check,
    ),
    "backup": Command(
        meaning="copy what is kept, also while the server runs",
        example="/srv/backup/put.sqlite3",
        settings=("data",),
        arguments={"file": {"type": Path, "metavar": "FILE", "help": "the copy; must not exist yet"}},
        run=_backup,
    ),
    "status": Command(
        meaning="ask the running server how it is",
        example="--json",
        settings=_DOOR,
        arguments={"--json": _JSON},
        run=_status,
    ),
    "announce": Command(
        meaning="say something to everyone at the running server",
        example="'At ten the server is stopped for an hour.'",
        settings=_DOOR,
        arguments={"text": {"metavar": "TEXT", "help": "one line"}},
        run=_announce,
    ),
    "kick": Command(
        meaning="send somebody away from the running server, for good",
        example="'Black Bill' --because 'You were asked not to shout.'",
        settings=_DOOR,
        arguments={
            "person": {"metavar": "NAME", "help": "who"},
            "--because": {"default": "", "metavar": "TEXT", "help": "why, as he is told"},
        },
        run=_kick,
    ),
    "drain": Command(
        meaning="stop the running server in good order",
        example="--seconds 600 --back 300",
        settings=_DOOR,
        arguments={
            "--seconds": {
                "type": _whole(*BOUNDS["drain_seconds"]),
                "default": None,
                "metavar": "NUMBER",
                "help": "for games in play (default: the server's own drain_seconds)",
            },
            "--back": {
                "type": _whole(*BOUNDS["back_seconds"]),
                "default": None,
                "metavar": "SECONDS",
                "help": "from its end to its return, as everyone is told (default: the server's own back_seconds)",
            },
        },
        run=_drain,
    ),
    "rehearse": Command(
        meaning="test whether a client keeps to the protocol, case by case",
        example="--game put-1674 -- python my_bot.py {host} {port} {name}",
        settings=(),
        arguments={
            "client": {
                "nargs": "*",
                "default": [],
                "metavar": "WORD",
                "help": "after --, the command that starts the client, anew for each case; {host}, {port}, {name}, "
                "{game}, {seats} and {scene} in it are filled in. Without one the suite says where it listens, and the "
                "client connects by itself",
            },
            "--host": {
                "dest": "at",
                "default": "127.0.0.1",
                "metavar": "HOST",
                "help": "address to listen on (default: 127.0.0.1)",
            },
            "--port": {
                "dest": "on_port",
                "type": _whole(*BOUNDS["port"]),
                "default": 0,
                "metavar": "PORT",
                "help": "port to listen on (default: any that is free)",
            },
            "--game": {
                "action": "append",
                "choices": list(GAMES),
                "default": None,
                "help": "only this rule set; may be given again",
            },
            "--scene": {
                "action": "append",
                "default": None,
                "metavar": "SCENE",
                "help": "only this case, or those like drop-*; may be given again",
            },
            "--json": {
                "default": None,
                "metavar": "FILE",
                "help": "write the report as JSON too; - is standard output, and the text then goes to standard error",
            },
            "--seed": {
                "dest": "packs",
                "type": _whole(0, 2**63 - 1),
                "default": 1674,
                "metavar": "NUMBER",
                "help": "of packs and opponents (default: 1674)",
            },
            "--timeout": {
                "type": _whole(1, 3600),
                "default": 10,
                "metavar": "SECONDS",
                "help": "for any one thing the client must do (default: 10)",
            },
            "--at-once": {
                "type": _whole(1, 64),
                "default": 4,
                "metavar": "NUMBER",
                "help": "cases run at the same time, if the suite starts the client on free ports (default: 4)",
            },
            "--list": {"action": "store_true", "default": False, "help": "name the cases, and end"},
        },
        run=_rehearse,
    ),
}
