"""Subcommands of `put-server`, for a running server and for its records.

A command is a function from settings and arguments to the lines it prints, and an entry of the table `COMMANDS`.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from put_conformance import cli as rehearsal
from put_protocol.seats import GALLERY
from put_runtime import exit_codes
from put_runtime.command_line import Argument, CommandFailed, argument, utf8, whole_number
from put_server.admin import admin_calls
from put_server.admin.admin_client import ANSWER_SECONDS, A, CallFailed, NobodyAnswers, ask
from put_server.admin.audit import note_command
from put_server.admin.format import status_lines
from put_server.in_cluster import in_cluster
from put_server.settings import READY_SECONDS, SETTINGS, Settings

FORGET_SECONDS = 600
"""Time limit of an answer after the journal was rewritten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subcommand:
    meaning: str
    example: str
    settings: tuple[str, ...]
    """Settings that the command reads, and has flags for."""
    arguments: tuple[Argument, ...]
    run: Callable[[Settings, Namespace], Iterator[str]]
    reads: bool = False
    """It reads stored data, so the audit log records it."""


def run_command(name: str, settings: Settings, arguments: Namespace) -> Iterator[str]:
    """:raises CommandFailed: the command failed."""
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


def _asked(
    settings: Settings, call: admin_calls.Call, kind: type[A], declined: int, seconds: float = ANSWER_SECONDS
) -> A:
    """The answer of the server or cluster; `declined` is the exit code if it declines."""
    if settings.nats:
        answer = in_cluster("ask", settings, call)
        if isinstance(answer, admin_calls.CallDeclined):
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
    status = _asked(settings, admin_calls.AskStatus(), admin_calls.ServerStatus, exit_codes.UNAVAILABLE)
    yield from (msgspec.json.encode(status).decode(),) if arguments.json else status_lines(status)


def _says(
    call: Callable[[Namespace], admin_calls.Call], declined: int, seconds: float = ANSWER_SECONDS
) -> Callable[[Settings, Namespace], Iterator[str]]:
    """A command that prints the answer to a call; `declined` is the exit code if the server declines."""

    def run(settings: Settings, arguments: Namespace) -> Iterator[str]:
        yield _asked(settings, call(arguments), admin_calls.CallDone, declined, seconds).says

    return run


def _kick(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if bool(arguments.person) == bool(arguments.address):
        raise CommandFailed(exit_codes.USAGE, "give either a name or --address")
    call = admin_calls.AskKick(arguments.person, arguments.because, arguments.address)
    yield _asked(
        settings, call, admin_calls.CallDone, exit_codes.DATAERR if arguments.address else exit_codes.NOUSER
    ).says


def _bans(settings: Settings, _: Namespace) -> Iterator[str]:
    yield from _asked(settings, admin_calls.AskBans(), admin_calls.BanList, exit_codes.UNAVAILABLE).bans


def _cluster_status(settings: Settings, *, as_json: bool) -> Iterator[str]:
    from put_server.cluster.status import lines  # noqa: PLC0415  # an extra

    found = in_cluster("status", settings)
    yield from (msgspec.json.encode(found).decode(),) if as_json else lines(found)
    if not found.ok:
        raise CommandFailed(exit_codes.UNAVAILABLE, "not every shard is open to every gateway")


def _shard(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if not settings.nats:
        raise CommandFailed(exit_codes.USAGE, "name the NATS servers of the cluster with --nats")
    if (arguments.action == "restore") != (arguments.file is not None):
        raise CommandFailed(exit_codes.USAGE, "restore needs the file of a backup, and nothing else takes one")
    yield in_cluster("shard", settings, arguments.action, arguments.shard, arguments.file)


def _migrate(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if not settings.nats:
        raise CommandFailed(exit_codes.USAGE, "name the NATS servers of the cluster with --nats")
    if settings.journal is None:
        raise CommandFailed(exit_codes.USAGE, "name the directory of the journal with --data")
    yield in_cluster("migrate", settings, settings.journal, to=arguments.to, replaces=arguments.replace)


def _of_kept(name: str) -> Callable[[Settings, Namespace], Iterator[str]]:
    """A command that reads stored data. It imports the rules and the lobby when it runs."""

    def run(settings: Settings, arguments: Namespace) -> Iterator[str]:
        from put_server import record_commands  # noqa: PLC0415

        command: Callable[[Settings, Namespace], Iterator[str]] = getattr(record_commands, name)
        return command(settings, arguments)

    return run


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
        run=_of_kept("games"),
        reads=True,
    ),
    "show": Subcommand(
        meaning="print a finished game in the notation, as one of those at the table saw it",
        example="17 --as Ann > game.put",
        settings=("data", "name", *_NATS),
        arguments=(_GAME, argument("--as", _AS_VIEWER, dest="viewer", default=GALLERY, metavar="VIEWER")),
        run=_of_kept("show"),
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
        run=_of_kept("analyse"),
        reads=True,
    ),
    "check": Subcommand(
        meaning="check that everything kept follows from the rules",
        example="--data /var/lib/put-server",
        settings=("data",),
        arguments=(),
        run=_of_kept("check"),
        reads=True,
    ),
    "backup": Subcommand(
        meaning="copy what is kept, also while the server runs",
        example="/srv/backup/put.sqlite3",
        settings=("data", *_NATS),
        arguments=(
            argument("file", "the copy; must not exist yet", type=lambda name: Path(utf8(name)), metavar="FILE"),
        ),
        run=_of_kept("backup"),
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
        run=_says(lambda given: admin_calls.AskAnnounce(given.text), exit_codes.DATAERR),
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
        run=_says(lambda given: admin_calls.AskForget(given.person), exit_codes.NOUSER, FORGET_SECONDS),
    ),
    "ban": Subcommand(
        meaning="refuse connections from an address or prefix, and send away the people from there",
        example="203.0.113.9",
        settings=_ADMIN,
        arguments=(argument("address", "an address, or a prefix as 203.0.113.0/24", metavar="ADDRESS"),),
        run=_says(lambda given: admin_calls.AskBan(given.address), exit_codes.DATAERR),
    ),
    "unban": Subcommand(
        meaning="lift a ban",
        example="203.0.113.9",
        settings=_ADMIN,
        arguments=(argument("address", "as put-server bans lists it", metavar="ADDRESS"),),
        run=_says(lambda given: admin_calls.AskUnban(given.address), exit_codes.DATAERR),
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
        run=_says(lambda given: admin_calls.AskDrain(given.seconds, given.back, given.process), exit_codes.TEMPFAIL),
    ),
    "upgrade": Subcommand(
        meaning="let the installed version take over from the running one without a noticeable pause",
        example="--data /var/lib/put-server",
        settings=_ADMIN,
        arguments=(),
        run=_says(lambda _: admin_calls.AskUpgrade(), exit_codes.TEMPFAIL, READY_SECONDS + ANSWER_SECONDS),
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
        meaning=rehearsal.MEANING,
        example=rehearsal.EXAMPLE,
        settings=(),
        arguments=rehearsal.ARGUMENTS,
        run=lambda _, arguments: rehearsal.run(arguments),
    ),
}
