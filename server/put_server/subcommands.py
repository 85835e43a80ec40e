"""Subcommands of `put-server`, for a running server and for what it recorded.

A command is a function from settings and arguments to the lines it prints, and an entry of the table `COMMANDS`.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from put_conformance import cli as conformance
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.text import same_name
from put_rules.game import BadOption, RuleSet
from put_rules.record import GameRecord
from put_rules.registry import GAMES
from put_rules.steps import BadRecord
from put_runtime import exit_codes
from put_runtime.command_line import Argument, CommandFailed, argument, whole_number
from put_server.admin.admin_calls import (
    AskAnnounce,
    AskBan,
    AskBans,
    AskDrain,
    AskForget,
    AskKick,
    AskStatus,
    AskUnban,
    AskUpgrade,
    BanList,
    Call,
    CallDeclined,
    CallDone,
    ServerStatus,
)
from put_server.admin.admin_client import ANSWER_SECONDS, A, CallFailed, NobodyAnswers, ask
from put_server.admin.audit import note_command
from put_server.admin.format import status_lines
from put_server.analysis.evaluation import analysis_messages, played_turns, review_hand
from put_server.analysis.solved_oracle import is_solved, oracle_of
from put_server.app import new_lobby
from put_server.game_sheet import sheet_of
from put_server.handover import READY_SECONDS
from put_server.journal.archive import Archive
from put_server.journal.journal_check import check
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import FinishedGame, GameRow
from put_server.lobby.analysis_requests import why_unsolved
from put_server.settings import SETTINGS, Settings
from put_text.analysis_text import format_full_analysis
from put_text.english import format_event
from put_text.notation import write

T = TypeVar("T")

FORGET_SECONDS = 600
"""Time limit of an answer after the journal was written anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subcommand:
    meaning: str
    example: str
    """Example arguments."""
    settings: tuple[str, ...]
    """Settings it reads, and so has flags for."""
    arguments: tuple[Argument, ...]
    run: Callable[[Settings, Namespace], Iterator[str]]
    reads: bool = False
    """It tells of what is kept, and so is noted in the audit log."""


def run_command(name: str, settings: Settings, arguments: Namespace) -> Iterator[str]:
    """The lines that a command prints.

    :raises CommandFailed: it cannot be done.
    """
    command, is_done = COMMANDS[name], False
    try:
        yield from command.run(settings, arguments)
        is_done = True
    finally:
        if command.reads and not settings.nats and settings.journal is not None:
            about = {
                one: value
                for one, value in vars(arguments).items()
                if one not in {"command", "config", *SETTINGS.flags}
            }
            note_command(settings.journal.parent, name, about, done=is_done)


def _asked(settings: Settings, call: Call, kind: type[A], declined: int, seconds: float = ANSWER_SECONDS) -> A:
    """The answer of the server or cluster; `declined` is the exit code if it will not do it."""
    if settings.nats:
        answer = _in_cluster("ask", settings, call)
        if isinstance(answer, CallDeclined):
            raise CommandFailed(declined, answer.says)
        assert isinstance(answer, kind)
        return answer
    if settings.admin_path is None:
        raise CommandFailed(exit_codes.USAGE, "a server that keeps nothing has an admin socket only where --admin says")
    try:
        return ask(settings.admin_path, call, kind, seconds)
    except NobodyAnswers as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except CallFailed as error:
        raise CommandFailed(declined, str(error)) from None


def _status(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if settings.nats:
        yield from _cluster_status(settings, as_json=arguments.json)
        return
    status = _asked(settings, AskStatus(), ServerStatus, exit_codes.UNAVAILABLE)
    yield from (msgspec.json.encode(status).decode(),) if arguments.json else status_lines(status)


def _says(
    call: Callable[[Namespace], Call], declined: int, seconds: float = ANSWER_SECONDS
) -> Callable[[Settings, Namespace], Iterator[str]]:
    """A command that prints the answer to a call; `declined` is the exit code if it will not be done."""

    def run(settings: Settings, arguments: Namespace) -> Iterator[str]:
        yield _asked(settings, call(arguments), CallDone, declined, seconds).says

    return run


def _kick(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if bool(arguments.person) == bool(arguments.address):
        raise CommandFailed(exit_codes.USAGE, "give either a name or --address")
    call = AskKick(arguments.person, arguments.because, arguments.address)
    yield _asked(settings, call, CallDone, exit_codes.DATAERR if arguments.address else exit_codes.NOUSER).says


def _bans(settings: Settings, _: Namespace) -> Iterator[str]:
    yield from _asked(settings, AskBans(), BanList, exit_codes.UNAVAILABLE).bans


def _archive(settings: Settings) -> Archive:
    if settings.journal is None:
        raise CommandFailed(
            exit_codes.USAGE, "a server that keeps nothing has no journal; name its directory with --data"
        )
    if not settings.journal.exists():
        raise CommandFailed(
            exit_codes.NOINPUT, f"there is no {settings.journal}; name the server's directory with --data"
        )
    return Archive(settings.journal)


def _games(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if settings.nats:
        rows, flaws = _in_cluster("games", settings, arguments.limit, arguments.table)
    else:
        with _archive(settings) as archive:
            skipped: list[JournalError] = []
            rows = list(archive.games(arguments.limit, table=arguments.table, skip=skipped.append))
            flaws = list(map(str, skipped))
    for row in rows:
        yield msgspec.json.encode(row).decode() if arguments.json else _game_told(row)
    if flaws:
        raise CommandFailed(exit_codes.DATAERR, "; ".join(flaws))


def _game_told(row: GameRow) -> str:
    names = [player.name for player in row.players]
    result = "no player stayed to the end" if row.result is None else format_event(row.result, names, you=GALLERY)
    players = ", ".join(f"{player.name} (house)" if player.is_house else player.name for player in row.players)
    return f"{row.id:>6}  {row.ended}  table {row.table}, game {row.number}: {row.rule_set}; {players}. {result}"


def _show(settings: Settings, arguments: Namespace) -> Iterator[str]:
    game, rule_set = _finished(settings, arguments.id)
    record = game.record
    viewer = _viewer(arguments.viewer, record)
    with _must_follow(arguments.id):
        sheet = sheet_of(record, rule_set, viewer, date=game.row.ended, server=settings.name)
    yield write(sheet).rstrip("\n")


def _finished(settings: Settings, number: int) -> tuple[FinishedGame, RuleSet]:
    """A finished game, and the rules it was played by."""
    if settings.nats:
        game = _in_cluster("game", settings, number)
    else:
        with _archive(settings) as archive:
            game = archive.game(number)
    if game is None:
        raise CommandFailed(exit_codes.DATAERR, f"no game {number} is kept; put-server games lists them")
    rule_set = GAMES.get(game.record.rule_set)
    if rule_set is None:
        raise CommandFailed(exit_codes.DATAERR, f"game {number} is of {game.record.rule_set}, which is not played here")
    return game, rule_set


@contextmanager
def _must_follow(number: int) -> Iterator[None]:
    """:raises CommandFailed: the game's record is not what its rules allow."""
    try:
        yield
    except (BadRecord, BadOption) as error:
        raise CommandFailed(exit_codes.DATAERR, f"game {number} does not follow from its rules: {error}") from None


def _analyse(settings: Settings, arguments: Namespace) -> Iterator[str]:
    game, rule_set = _finished(settings, arguments.id)
    record = game.record
    viewer = _viewer(arguments.viewer or _only_guest(record), record)
    if viewer == GALLERY:
        raise CommandFailed(exit_codes.DATAERR, "the gallery decides nothing; name a player with --as")
    says = why_unsolved(GAMES, is_solved, record.rule_set, record.options, len(record.players))
    if says is not None:
        raise CommandFailed(exit_codes.DATAERR, says)
    with _must_follow(arguments.id):
        hands = played_turns(record, rule_set, viewer)
    oracle = oracle_of(record.rule_set, record.options)
    reviewed = [one for hand in hands for one in review_hand(hand, oracle)]
    told = analysis_messages(record.table, record.number, viewer, reviewed)
    whole = msgspec.structs.replace(told[0], reviewed=tuple([one for part in told for one in part.reviewed]))
    if arguments.json:
        yield msgspec.json.encode(whole).decode()
        return
    yield f"{record.players[viewer].name}, in game {record.number} at table {record.table}, {record.rule_set}:"
    yield from format_full_analysis(whole)


def _only_guest(record: GameRecord) -> str:
    """The default player: the only one who was not of the house."""
    guests = [seat for seat, player in enumerate(record.players) if not player.is_house]
    if len(guests) == 1:
        return str(guests[0])
    names = _seats([player.name for player in record.players])
    raise CommandFailed(exit_codes.DATAERR, f"whose decisions? Name one with --as: {names}")


def _viewer(said: str, record: GameRecord) -> Viewer:
    """The viewer that is named: `gallery`, `seat 1` or `1`, or a player's name."""
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
        exit_codes.DATAERR, f"{said!r} did not play in this game; it can be shown as gallery, {_seats(names)}"
    )


def _seats(names: Sequence[str]) -> str:
    return ", ".join(f"seat {seat} ({name})" for seat, name in enumerate(names))


def _check(settings: Settings, _: Namespace) -> Iterator[str]:
    with _archive(settings) as archive:
        report = check(archive, new_lobby(settings, archive.passcode_key), GAMES)
    yield from report.findings
    looked = f"{report.records:,} records and {report.games:,} finished games were looked at"
    if report.findings:
        raise CommandFailed(exit_codes.DATAERR, f"{looked}; not all is well")
    yield f"{looked}; all is well"


def _backup(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if settings.nats:
        yield _in_cluster("backup", settings, arguments.file)
        return
    with _archive(settings) as archive:
        try:
            archive.backup(arguments.file)
        except JournalError as error:
            raise CommandFailed(exit_codes.CANTCREAT, str(error)) from None
    with Archive(arguments.file) as made:
        flaws = made.flaws()
    if flaws:
        more = f", and {len(flaws) - 1} more" if len(flaws) > 1 else ""
        raise CommandFailed(exit_codes.DATAERR, f"what was copied is damaged: {flaws[0]}{more}")
    yield f"{arguments.file} is a copy of {settings.journal}"


def _cluster_status(settings: Settings, *, as_json: bool) -> Iterator[str]:
    from put_server.cluster.status import lines  # noqa: PLC0415  # an extra

    found = _in_cluster("status", settings)
    yield from (msgspec.json.encode(found).decode(),) if as_json else lines(found)
    if not found.ok:
        raise CommandFailed(exit_codes.UNAVAILABLE, "not every shard is open to every gateway")


def _shard(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if not settings.nats:
        raise CommandFailed(exit_codes.USAGE, "name the NATS servers of the cluster with --nats")
    if (arguments.action == "restore") != (arguments.file is not None):
        raise CommandFailed(exit_codes.USAGE, "restore needs the file of a backup, and nothing else takes one")
    yield _in_cluster("shard", settings, arguments.action, arguments.shard, arguments.file)


def _migrate(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if not settings.nats:
        raise CommandFailed(exit_codes.USAGE, "name the NATS servers of the cluster with --nats")
    if settings.journal is None:
        raise CommandFailed(exit_codes.USAGE, "name the directory of the journal with --data")
    yield _in_cluster("migrate", settings, settings.journal, to=arguments.to, replaces=arguments.replace)


def _in_cluster(command: str, *arguments: object, **options: object) -> Any:
    """Result of a function of `cluster_commands`, which is an extra."""
    try:
        from put_server.cluster import cluster_commands  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise CommandFailed(
            exit_codes.USAGE, f"a cluster needs what is installed with put-cards[cluster] ({error.name} is missing)"
        ) from None
    return getattr(cluster_commands, command)(*arguments, **options)


def _rehearse(_: Settings, arguments: Namespace) -> Iterator[str]:
    return conformance.run(arguments)


_ID = whole_number(1, 2**63 - 1)

_JSON = argument("--json", "as JSON, an object a line", action="store_true", default=False)

_GAME = argument("id", "the game, by its number in put-server games", type=_ID, metavar="ID")

_AS_VIEWER = "gallery, a seat's number or a player's name (default: gallery)"

_AS_PLAYER = "a seat's number or a player's name (default: the only player who is not of the house)"

_PROCESS = "of a cluster: the worker or gateway, by its name in put-server status"

_DRAIN = "for games in play (default: the server's own drain_seconds)"

_BACK = "from its end to its return, as everyone is told (default: the server's own back_seconds)"

_TO = "where to: to a new cluster, or to a new journal in the directory of --data"

_REPLACE = "remove what is left of a cluster of this name that was moved away or not written to its end"

_NATS = ("nats", "cluster", "nats_creds", "nats_ca", "nats_certificate", "nats_key")

_ADMIN = ("data", "admin", *_NATS)

COMMANDS: Mapping[str, Subcommand] = {
    "games": Subcommand(
        meaning="list finished games, the latest first",
        example="--table 3 --limit 10",
        settings=("data", *_NATS),
        arguments=(
            argument("--table", "of this table only", type=_ID, metavar="NUMBER"),
            argument("--limit", "so many at most (default: 20)", type=_ID, default=20, metavar="NUMBER"),
            _JSON,
        ),
        run=_games,
        reads=True,
    ),
    "show": Subcommand(
        meaning="print a finished game in the notation, as one of those at the table saw it",
        example="17 --as Ann > game.put",
        settings=("data", "name", *_NATS),
        arguments=(_GAME, argument("--as", _AS_VIEWER, dest="viewer", default=GALLERY, metavar="VIEWER")),
        run=_show,
        reads=True,
    ),
    "analyse": Subcommand(
        meaning="weigh a player's decisions in a finished game against perfect play",
        example="17 --as Ann",
        settings=("data", *_NATS),
        arguments=(
            _GAME,
            argument("--as", _AS_PLAYER, dest="viewer", default="", metavar="PLAYER"),
            argument("--json", "as one JSON object", action="store_true", default=False),
        ),
        run=_analyse,
        reads=True,
    ),
    "check": Subcommand(
        meaning="check that everything kept follows from the rules",
        example="--data /var/lib/put-server",
        settings=("data",),
        arguments=(),
        run=_check,
        reads=True,
    ),
    "backup": Subcommand(
        meaning="copy what is kept, also while the server runs",
        example="/srv/backup/put.sqlite3",
        settings=("data", *_NATS),
        arguments=(argument("file", "the copy; must not exist yet", type=Path, metavar="FILE"),),
        run=_backup,
        reads=True,
    ),
    "shard": Subcommand(
        meaning="show how far a shard of a cluster can be read, go back to there, or take it from a backup",
        example="show 3",
        settings=_NATS,
        arguments=(
            argument("action", "show, repair or restore", choices=("show", "repair", "restore")),
            argument("shard", "the shard's number", type=whole_number(0, 255), metavar="SHARD"),
            argument("file", "with restore: the backup", type=Path, metavar="FILE", nargs="?"),
        ),
        run=_shard,
        reads=True,
    ),
    "status": Subcommand(
        meaning="ask the running server how it is",
        example="--json",
        settings=_ADMIN,
        arguments=(_JSON,),
        run=_status,
    ),
    "announce": Subcommand(
        meaning="say something to everyone at the running server",
        example="'At ten the server is stopped for an hour.'",
        settings=_ADMIN,
        arguments=(argument("text", "one line", metavar="TEXT"),),
        run=_says(lambda given: AskAnnounce(given.text), exit_codes.DATAERR),
    ),
    "kick": Subcommand(
        meaning="send a person away from the running server for good",
        example="'Black Bill' --because 'You were asked not to shout.'",
        settings=_ADMIN,
        arguments=(
            argument("person", "who", metavar="NAME", nargs="?", default=""),
            argument("--address", "or everybody from an address or prefix", default="", metavar="ADDRESS"),
            argument("--because", "why, as they are told", default="", metavar="TEXT"),
        ),
        run=_kick,
    ),
    "forget": Subcommand(
        meaning="erase a person from all that the running server keeps; finished games name them by their seat",
        example="'Black Bill'",
        settings=_ADMIN,
        arguments=(argument("person", "who", metavar="NAME"),),
        run=_says(lambda given: AskForget(given.person), exit_codes.NOUSER, FORGET_SECONDS),
    ),
    "ban": Subcommand(
        meaning="refuse connections from an address or prefix, and send away the people from there",
        example="203.0.113.9",
        settings=_ADMIN,
        arguments=(argument("address", "an address, or a prefix as 203.0.113.0/24", metavar="ADDRESS"),),
        run=_says(lambda given: AskBan(given.address), exit_codes.DATAERR),
    ),
    "unban": Subcommand(
        meaning="lift a ban",
        example="203.0.113.9",
        settings=_ADMIN,
        arguments=(argument("address", "as put-server bans lists it", metavar="ADDRESS"),),
        run=_says(lambda given: AskUnban(given.address), exit_codes.DATAERR),
    ),
    "bans": Subcommand(
        meaning="list the addresses and prefixes that are banned",
        example="--data /var/lib/put-server",
        settings=_ADMIN,
        arguments=(),
        run=_bans,
    ),
    "drain": Subcommand(
        meaning="stop the running server in good order, or one process of a cluster",
        example="--seconds 600 --back 300",
        settings=_ADMIN,
        arguments=(
            argument("process", _PROCESS, metavar="PROCESS", nargs="?", default=""),
            argument("--seconds", _DRAIN, type=whole_number(*SETTINGS.table["drain_seconds"].bounds), metavar="NUMBER"),
            argument("--back", _BACK, type=whole_number(*SETTINGS.table["back_seconds"].bounds), metavar="SECONDS"),
        ),
        run=_says(lambda given: AskDrain(given.seconds, given.back, given.process), exit_codes.TEMPFAIL),
    ),
    "upgrade": Subcommand(
        meaning="let the installed version take over from the running one without a noticeable pause",
        example="--data /var/lib/put-server",
        settings=_ADMIN,
        arguments=(),
        run=_says(lambda _: AskUpgrade(), exit_codes.TEMPFAIL, READY_SECONDS + ANSWER_SECONDS),
    ),
    "migrate": Subcommand(
        meaning="move everything kept from a journal to a cluster, or back; no server may run there",
        example="--to cluster --data /var/lib/put-server --nats nats://one:4222",
        settings=("data", *_NATS, "shards", "replicas"),
        arguments=(
            argument("--to", _TO, choices=("cluster", "journal"), required=True),
            argument("--replace", _REPLACE, action="store_true", default=False),
        ),
        run=_migrate,
    ),
    "rehearse": Subcommand(
        meaning=conformance.MEANING,
        example=conformance.EXAMPLE,
        settings=(),
        arguments=conformance.ARGUMENTS,
        run=_rehearse,
    ),
}
