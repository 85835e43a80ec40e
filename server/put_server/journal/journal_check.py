"""Check of a whole journal: each record and each finished game must follow from the rules."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from put_protocol.games.unions import Ending
from put_protocol.seats import GALLERY
from put_rules.game import BadOption, Over, RuleSet
from put_rules.record import GameRecord
from put_rules.steps import BadRecord, fold
from put_server.journal.archive import Archive
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import FinishedGame
from put_server.journal.lobby_replay import DoesNotFollow, bring_back
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import GameConcluded


class JournalReport(Struct, frozen=True):
    records: int
    """Valid records since the checkpoint."""
    games: int
    """Finished games checked."""
    findings: tuple[str, ...]
    """A sentence for each fault; empty: no fault."""


class _Ending(NamedTuple):
    number: int
    over: GameConcluded


def check(archive: Archive, lobby: Lobby, games: Mapping[str, RuleSet]) -> JournalReport:
    """Replay everything: the lobby (passed in empty) from the checkpoint through every record, and each finished game.

    The first invalid record ends the replay, because later ones cannot be judged. Each game is judged by itself.
    """
    findings: list[str] = []
    try:
        archive.check_pages()
    except JournalError as error:
        return JournalReport(0, 0, (str(error),))
    endings: dict[tuple[int, int], _Ending | None] = {}
    """Games that records ended, in order; None: found among the finished games."""
    records = 0
    try:
        kept = archive.kept
        for record, effects in bring_back(lobby, kept.lobby(), kept.inputs()):
            records += 1
            for effect in effects:
                if isinstance(effect, GameConcluded):
                    endings[effect.record.table, effect.record.number] = _Ending(record.number, effect)
    except DoesNotFollow as error:
        findings.append(f"{error} (put-server {archive.written_by} wrote last)")
    except JournalError as error:
        findings.append(str(error))
    ids = archive.ids()
    has_exhibitions = False
    for number in ids:
        try:
            game = archive.game(number)
        except JournalError as error:
            findings.append(str(error))
            continue
        assert game is not None
        key = (game.record.table, game.record.number)
        ending = endings.get(key)
        has_exhibitions |= game.record.is_exhibition
        flaw = _flaw(game, games) or _difference(game, ending)
        if flaw:
            findings.append(f"game {number} {flaw}")
        if ending is not None:
            endings[key] = None
    findings += [
        f"record {ending.number} ended game {game} of table {table}, which is not among the finished games"
        for (table, game), ending in _missing(
            endings, max(ids, default=0), last_removed=archive.last_removed, has_exhibitions=has_exhibitions
        )
    ]
    return JournalReport(records, len(ids), tuple(findings))


def _missing(
    ended: Mapping[tuple[int, int], _Ending | None], last: int, *, last_removed: int, has_exhibitions: bool
) -> list[tuple[tuple[int, int], _Ending]]:
    """Games that should be among the finished games, but are not. Without exhibitions, exhibition games need not be
    stored; and games up to the last removed one may be removed too. `last`: number of the last stored game."""
    missing: list[tuple[tuple[int, int], _Ending]] = []
    for key, ending in reversed(list(ended.items())):
        if ending is None:
            last -= 1
        elif has_exhibitions or not ending.over.record.is_exhibition:
            if last > last_removed or not last:
                missing.append((key, ending))
            last = max(0, last - 1)
    return missing[::-1]


def _flaw(game: FinishedGame, games: Mapping[str, RuleSet]) -> str:
    """Fault in a finished game itself; empty: none."""
    row, record = game
    if (row.table, row.number, row.rule_set, row.players) != (
        record.table,
        record.number,
        record.rule_set,
        record.players,
    ):
        return "is listed as another than it is"
    rule_set = games.get(record.rule_set)
    if rule_set is None:
        return f"is of the rule set {record.rule_set}, which is not played here"
    try:
        is_over, end = _ended(record, rule_set)
    except (BadRecord, BadOption) as error:
        return f"does not follow from its rules: {error}"
    if not is_over:
        return "does not come to its end"
    return "" if end == row.result else "ends otherwise than it is listed"


def _ended(record: GameRecord, rule_set: RuleSet) -> tuple[bool, Ending | None]:
    """True if the game is over after its last step, and how it ended."""
    game = rule_set.make(len(record.players), record.options)
    end: Ending | None = None
    at, is_over = 0, False
    for played in fold(record, game):
        if played.at < at:
            raise BadRecord("its time goes back")
        at = played.at
        is_over = isinstance(game.awaits(played.state), Over)
        for fact in played.facts:
            if isinstance(event := fact.seen_by(GALLERY), Ending):
                end = event
    return is_over, end


def _difference(game: FinishedGame, ending: _Ending | None) -> str:
    """Difference between a stored game and the ending in the records, if those still exist."""
    if ending is None or (game.record, game.row.result) == (ending.over.record, ending.over.end):
        return ""
    return f"is another than record {ending.number} ended"
