"""Subcommands of `put-server` that read stored data."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.text import Phrase, counted, same_name
from put_rules.game import BadOption, RuleSet
from put_rules.record import GameRecord
from put_rules.registry import GAMES
from put_rules.steps import BadRecord, hides_hands
from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed
from put_server.analysis.evaluation import analysis_messages, played_turns, review_hand
from put_server.analysis.solved_oracle import is_solved, oracle_of
from put_server.app import new_lobby
from put_server.game_sheet import sheet_of
from put_server.in_cluster import in_cluster
from put_server.journal.archive import Archive
from put_server.journal.journal_check import check as checked
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import FinishedGame, GameRow
from put_server.lobby.analysis_requests import why_unsolved
from put_server.settings import Settings
from put_text.analysis_text import format_full_analysis
from put_text.catalogue import in_english
from put_text.notation import write
from put_text.presenters import format_event


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


def games(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if settings.nats:
        rows, flaws = in_cluster("games", settings, arguments.limit, arguments.table)
    else:
        with _archive(settings) as archive:
            rows, flaws = archive.latest(arguments.limit, table=arguments.table)
    for row in rows:
        yield msgspec.json.encode(row).decode() if arguments.json else _game_told(row)
    if flaws:
        raise CommandFailed(exit_codes.DATAERR, "; ".join(flaws))


def _game_told(row: GameRow) -> str:
    names = [player.name for player in row.players]
    result = "no player stayed to the end" if row.result is None else format_event(row.result, names, you=GALLERY)
    players = ", ".join(f"{player.name} (house)" if player.is_house else player.name for player in row.players)
    return f"{row.id:>6}  {row.ended}  table {row.table}, game {row.number}: {row.rule_set}; {players}. {result}"


def show(settings: Settings, arguments: Namespace) -> Iterator[str]:
    game, rule_set = _finished(settings, arguments.id)
    record = game.record
    viewer = _viewer(arguments.viewer, record)
    with _must_follow(arguments.id):
        sheet = sheet_of(record, rule_set, viewer, date=game.row.ended, server=settings.name)
    yield write(sheet).rstrip("\n")


def _finished(settings: Settings, number: int) -> tuple[FinishedGame, RuleSet]:
    if settings.nats:
        game = in_cluster("game", settings, number)
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
    """:raises CommandFailed: the game's record is not valid by its rules."""
    try:
        yield
    except (BadRecord, BadOption) as error:
        raise CommandFailed(exit_codes.DATAERR, f"game {number} does not follow from its rules: {error}") from None


def analyse(settings: Settings, arguments: Namespace) -> Iterator[str]:
    game, rule_set = _finished(settings, arguments.id)
    record = game.record
    viewer = _viewer(arguments.viewer or _only_guest(record), record)
    if viewer == GALLERY:
        raise CommandFailed(exit_codes.DATAERR, "the gallery decides nothing; name a player with --as")
    why = why_unsolved(GAMES, is_solved, record.rule_set, record.options, len(record.players))
    if hides_hands(record):
        why = Phrase("refused-analysis-blind")
    if why is not None:
        raise CommandFailed(exit_codes.DATAERR, in_english(why))
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
    """The default player: the only guest in the game."""
    guests = [seat for seat, player in enumerate(record.players) if not player.is_house]
    if len(guests) == 1:
        return str(guests[0] + 1)
    names = _seats([player.name for player in record.players])
    raise CommandFailed(exit_codes.DATAERR, f"whose decisions? Name one with --as: {names}")


def _viewer(said: str, record: GameRecord) -> Viewer:
    """The named viewer: `gallery`, `seat 1` or `1` for the first seat, or a player's name."""
    if said == GALLERY:
        return GALLERY
    number = said.removeprefix("seat").strip()
    if number.isdecimal() and 1 <= int(number) <= len(record.players):
        return Seat(int(number) - 1)
    names = [player.name for player in record.players]
    for seat, name in enumerate(names):
        if same_name(name) == same_name(said):
            return Seat(seat)
    raise CommandFailed(
        exit_codes.DATAERR, f"{said!r} did not play in this game; it can be shown as gallery, {_seats(names)}"
    )


def _seats(names: Sequence[str]) -> str:
    return ", ".join(f"seat {seat} ({name})" for seat, name in enumerate(names, 1))


def check(settings: Settings, _: Namespace) -> Iterator[str]:
    with _archive(settings) as archive:
        report = checked(archive, new_lobby(settings, archive.passcode_key), GAMES)
    yield from report.findings
    looked = f"{counted(report.records, 'record')} and {counted(report.games, 'finished game')} were looked at"
    if report.findings:
        raise CommandFailed(exit_codes.DATAERR, f"{looked}; not all is well")
    yield f"{looked}; all is well"


def backup(settings: Settings, arguments: Namespace) -> Iterator[str]:
    if settings.nats:
        yield _cluster_backup(settings, arguments.file)
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


def _cluster_backup(settings: Settings, file: Path) -> str:
    why = "there is a file of that name already"
    try:
        if not file.exists():
            return str(in_cluster("backup", settings, file))
    except OSError as error:
        why = error.strerror or str(error)
    raise CommandFailed(exit_codes.CANTCREAT, f"the cluster {settings.cluster} cannot be copied to {file}: {why}")
