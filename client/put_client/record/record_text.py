"""The record in sentences, for line mode and pipes, and its export to files."""

import re
from collections.abc import Iterator
from datetime import UTC, tzinfo
from pathlib import Path

import msgspec

from put_client.record.entries import PlayedGame
from put_client.record.store import LocalRecord
from put_client.record.summary import Summary, WinTally, moment_of
from put_protocol.text import counted, printable
from put_text.notation import write

LATEST = 10
"""Games that are named one by one."""


def percent(share: float | None) -> str:
    """`87%`; what is neither nothing nor all never looks so."""
    if share is None:
        return "-"
    whole = round(share * 100)
    if share not in (0, 1):
        whole = min(max(whole, 1), 99)
    return f"{whole}%"


def cost_each(tally: WinTally) -> str:
    """Average cost of a decision: `0.4%`."""
    return f"{tally.cost / tally.decisions / 100:.1f}%" if tally.decisions else "-"


def in_sentences(summary: Summary, latest: tuple[PlayedGame, ...], zone: tzinfo = UTC) -> Iterator[str]:
    """The whole record, a sentence a line."""
    total = summary.total
    if not total.games and not summary.answers:
        yield "Nothing is recorded yet. Games are recorded when they end."
        return
    yield f"{counted(total.games, 'game')}: {total.won} won, {total.lost} lost, {total.even} even."
    if summary.streak or summary.best_streak:
        yield f"{streak_in_words(summary)} The longest run of wins: {summary.best_streak}."
    if summary.assisted:
        yield f"{counted(summary.assisted, 'game')} with the coach: not counted for streaks and accuracy."
    if total.decisions:
        yield (
            f"Against perfect play: {percent(total.accuracy)} of {counted(total.decisions, 'decision')} fine, "
            f"{cost_each(total)} of a game lost by each on the average."
        )
    if summary.answers:
        yield f"Practice: {counted(summary.answers, 'answer')}, {summary.right} of them right."
    for title, tallies in (("By rules", summary.rule_sets), ("Against", summary.opponents)):
        for tally in tallies:
            yield f"{title} {printable(tally.label)}: {tally_in_words(tally)}."
    for month in summary.months:
        accuracy = f", {percent(month.accuracy)} of {counted(month.decisions, 'decision')} fine"
        drill = f", practice {percent(month.drill_score)} right of {month.answers}"
        yield (
            f"{month.label}: {counted(month.games, 'game')}, {month.won} won{accuracy if month.decisions else ''}"
            f"{drill if month.answers else ''}."
        )
    for game in latest[:LATEST]:
        yield f"{game_in_words(game, zone)}."


def streak_in_words(summary: Summary) -> str:
    if summary.streak == 0:
        return "No run of wins or losses."
    wins = summary.streak > 0
    return f"{counted(abs(summary.streak), 'win' if wins else 'loss', 'wins' if wins else 'losses')} in a row."


def tally_in_words(tally: WinTally) -> str:
    """`7 games, 4 won, 2 lost, 1 even; 93% of 80 decisions fine`"""
    says = f"{counted(tally.games, 'game')}, {tally.won} won, {tally.lost} lost"
    says += f", {tally.even} even" if tally.even else ""
    if tally.decisions:
        says += f"; {percent(tally.accuracy)} of {counted(tally.decisions, 'decision')} fine"
    return says


def game_in_words(game: PlayedGame, zone: tzinfo = UTC) -> str:
    """A game in a line, without its stop."""
    against = ", ".join(printable(one.label) for one in game.opponents) or "nobody"
    says = f"Game {game.id}, {moment_of(game.ended, zone):%Y-%m-%d %H:%M}: {printable(game.rule_set)} against {against}"
    says += f", {game.outcome} ({game.gain:+d})"
    if game.weighed is not None:
        says += f", {counted(game.weighed.decisions, 'decision')} cost {game.weighed.cost / 100:.1f}%"
    return says + (", with the coach" if game.is_assisted else "")


INDEX = "record.json"

FORMAT = "put-client record 1"


def export(record: LocalRecord, folder: Path) -> int:
    """Write every game into a folder: each that can be shown again in Put notation, and all of it as JSON. Files of an
    earlier export are replaced. Returns how many games were written.

    :raises RecordError: the record cannot be read.
    :raises OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for game in reversed(record.games()):
        entry = msgspec.to_builtins(game)
        kept = record.sheet(game.id) if game.has_sheet else None
        if kept is not None:
            sheet, review = kept
            entry |= {"file": file_name(game), "decisions": msgspec.to_builtins(review)}
            (folder / entry["file"]).write_text(write(sheet), "utf-8")
        entries.append(entry)
    answers = msgspec.to_builtins(record.answers())
    whole = {"format": FORMAT, "games": entries, "answers": answers}
    (folder / INDEX).write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")
    return len(entries)


def file_name(game: PlayedGame) -> str:
    """File name of an exported game: its end, its rule set, and its number in the record."""
    kind = re.sub(r"[^a-z0-9-]+", "-", game.rule_set.casefold())[:40]
    return f"{moment_of(game.ended):%Y%m%d-%H%M%S}-{kind}-{game.id}.put"
