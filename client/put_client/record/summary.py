"""Statistics of the record: games, streaks, and cost of decisions by month; in sentences, and exported to files.

Accuracy is the share of fine decisions. A game with the coach counts as a game, but not for streaks or accuracy,
because its decisions were not the player's own. The same holds for games of an exhibition.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from put_client.record.store import Answer, GameOutcome, LocalRecord, PlayedGame
from put_protocol.text import printable
from put_text.analysis_text import figure
from put_text.catalogue import say
from put_text.notation import write


class WinTally(Struct, frozen=True):
    """Games of one kind, against one opponent, in one month, or in total."""

    label: str
    """A month, such as `2026-11`."""
    won: int = 0
    lost: int = 0
    even: int = 0
    decisions: int = 0
    fine: int = 0
    cost: int = 0
    """Cost of the decisions, in ten-thousandths of a game."""

    @property
    def games(self) -> int:
        return self.won + self.lost + self.even

    @property
    def accuracy(self) -> float | None:
        """Share of fine decisions; None: no decision was analysed."""
        return self.fine / self.decisions if self.decisions else None


class Month(WinTally, frozen=True):
    answers: int = 0
    right: int = 0

    @property
    def drill_score(self) -> float | None:
        return self.right / self.answers if self.answers else None


class Summary(Struct, frozen=True):
    total: WinTally
    streak: int
    """Current streak of wins; below 0: of losses."""
    best_streak: int
    assisted: int
    """Games with the coach."""
    rule_sets: tuple[WinTally, ...]
    """Most games first."""
    opponents: tuple[WinTally, ...]
    months: tuple[Month, ...]
    """Months without gaps, from the first with an entry; at most twelve, the latest last."""
    answers: int
    right: int


MONTHS = 12


def summarize(games: Iterable[PlayedGame], answers: Iterable[Answer], now: int, zone: tzinfo = UTC) -> Summary:
    """`games` and `answers` in any order; `now` and `zone` determine the player's current month."""
    ordered = sorted(games, key=lambda game: (game.ended, game.id))
    answered = list(answers)
    counted = [game for game in ordered if _is_counted(game)]
    streak, best = _streaks(counted)
    return Summary(
        total=_tally("all", ordered),
        streak=streak,
        best_streak=best,
        assisted=sum(game.is_assisted for game in ordered),
        rule_sets=_tallies_by(ordered, lambda game: (game.rule_set,)),
        opponents=_tallies_by(ordered, lambda game: tuple(dict.fromkeys([one.label for one in game.opponents]))),
        months=_months(ordered, answered, now, zone),
        answers=len(answered),
        right=sum(answer.is_right for answer in answered),
    )


def _is_counted(game: PlayedGame) -> bool:
    return not game.is_assisted and not game.is_exhibition


def _streaks(games: list[PlayedGame]) -> tuple[int, int]:
    """The current streak (below 0: of losses), and the longest streak of wins."""
    streak = best = 0
    for game in games:
        match game.outcome:
            case GameOutcome.WON:
                streak = max(streak, 0) + 1
            case GameOutcome.LOST:
                streak = min(streak, 0) - 1
            case GameOutcome.EVEN:
                streak = 0
        best = max(best, streak)
    return streak, best


def _tally(label: str, games: list[PlayedGame]) -> WinTally:
    weighed = [game.weighed for game in games if game.weighed is not None and _is_counted(game)]
    return WinTally(
        label,
        won=sum(game.outcome is GameOutcome.WON for game in games),
        lost=sum(game.outcome is GameOutcome.LOST for game in games),
        even=sum(game.outcome is GameOutcome.EVEN for game in games),
        decisions=sum(one.decisions for one in weighed),
        fine=sum(one.fine for one in weighed),
        cost=sum(one.cost for one in weighed),
    )


def _tallies_by(games: list[PlayedGame], labels: Callable[[PlayedGame], tuple[str, ...]]) -> tuple[WinTally, ...]:
    found: dict[str, list[PlayedGame]] = {}
    for game in games:
        for label in labels(game):
            found.setdefault(label, []).append(game)
    return tuple(sorted([_tally(*one) for one in found.items()], key=lambda tally: (-tally.games, tally.label)))


def _months(games: list[PlayedGame], answers: list[Answer], now: int, zone: tzinfo) -> tuple[Month, ...]:
    first = min([*[game.ended for game in games], *[answer.at for answer in answers], now])
    names = _latest_months(month_of(first, zone), month_of(now, zone))
    months = []
    for name in names:
        then = [game for game in games if month_of(game.ended, zone) == name]
        tally = _tally(name, then)
        done = [answer for answer in answers if month_of(answer.at, zone) == name]
        right = sum(answer.is_right for answer in done)
        months.append(Month(**asdict(tally), answers=len(done), right=right))
    return tuple(months)


_LATEST_MS = 253_370_764_800_000
"""The year 9999, where `datetime` ends."""


def moment_of(at: int, zone: tzinfo = UTC) -> datetime:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=min(max(at, 0), _LATEST_MS))).astimezone(zone)


def month_of(at: int, zone: tzinfo = UTC) -> str:
    """`2026-11`"""
    moment = moment_of(at, zone)
    return f"{moment.year:04d}-{moment.month:02d}"


def _latest_months(first: str, last: str) -> list[str]:
    year, month = map(int, last.split("-"))
    names = [last]
    while names[0] > first and len(names) < MONTHS:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
        names.insert(0, f"{year:04d}-{month:02d}")
    return names


GAMES_LISTED = 10


def percent(share: float | None) -> str:
    """`87%`; only exact 0 and 1 appear as 0% and 100%."""
    if share is None:
        return "-"
    whole = round(share * 100)
    if share not in (0, 1):
        whole = min(max(whole, 1), 99)
    return say("record-percent", whole=whole)


def in_sentences(summary: Summary, latest: tuple[PlayedGame, ...], zone: tzinfo = UTC) -> Iterator[str]:
    total = summary.total
    if not total.games and not summary.answers:
        yield say("record-none-yet")
        return
    yield say("record-all", count=total.games, won=total.won, lost=total.lost, even=total.even)
    if summary.streak or summary.best_streak:
        yield f"{streak_in_words(summary)} {say('record-longest-run', count=summary.best_streak)}"
    if summary.assisted:
        yield say("record-assisted", count=summary.assisted)
    if total.decisions:
        share, each = percent(total.accuracy), figure(total.cost / total.decisions / 100)
        yield say("record-against-perfect", share=share, decisions=total.decisions, each=each)
    if summary.answers:
        yield say("record-practice-all", count=summary.answers, right=summary.right)
    for by, tallies in (("rules", summary.rule_sets), ("opponents", summary.opponents)):
        for tally in tallies:
            yield say("record-by", by=by, label=printable(tally.label), tally=tally_in_words(tally))
    for month in summary.months:
        yield say(
            "record-in-month",
            label=month.label,
            count=month.games,
            won=month.won,
            decisions=month.decisions,
            share=percent(month.accuracy),
            answers=month.answers,
            right=percent(month.drill_score),
        )
    for game in latest[:GAMES_LISTED]:
        yield f"{game_in_words(game, zone)}."


def streak_in_words(summary: Summary) -> str:
    which = "none" if not summary.streak else "wins" if summary.streak > 0 else "losses"
    return say("record-run", which=which, count=abs(summary.streak))


def tally_in_words(tally: WinTally) -> str:
    """`7 games, 4 won, 2 lost, 1 even; 93% of 80 decisions fine`"""
    return say(
        "record-tally",
        count=tally.games,
        won=tally.won,
        lost=tally.lost,
        even=tally.even,
        decisions=tally.decisions,
        share=percent(tally.accuracy),
    )


def game_in_words(game: PlayedGame, zone: tzinfo = UTC) -> str:
    """A game in one line, without a full stop."""
    return say(
        "record-game",
        number=game.id,
        ended=f"{moment_of(game.ended, zone):%Y-%m-%d %H:%M}",
        game=printable(game.rule_set),
        against=", ".join(printable(one.label) for one in game.opponents) or "none",
        outcome=str(game.outcome),
        gain=f"{game.gain:+d}",
        decisions=0 if game.weighed is None else game.weighed.decisions,
        cost="" if game.weighed is None else figure(game.weighed.cost / 100),
        assisted=game.is_assisted,
    )


INDEX = "record.json"

FORMAT = "put-client record 1"


def export(record: LocalRecord, folder: Path) -> int:
    """Write every game to a folder: replayable ones in Put notation, and everything as JSON. Replaces earlier exports.
    Returns the number of games.

    :raises RecordError: the record is unreadable.
    :raises OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for game in reversed(record.games()):
        entry = msgspec.to_builtins(game)
        kept = record.sheet(game.id) if game.has_sheet else None
        if kept is not None:
            sheet, review = kept
            kind = re.sub(r"[^a-z0-9-]+", "-", game.rule_set.casefold())[:40]
            file = f"{moment_of(game.ended):%Y%m%d-%H%M%S}-{kind}-{game.id}.put"
            entry |= {"file": file, "decisions": msgspec.to_builtins(review)}
            (folder / file).write_text(write(sheet), "utf-8")
        entries.append(entry)
    answers = msgspec.to_builtins(record.answers())
    whole = {"format": FORMAT, "games": entries, "answers": answers}
    (folder / INDEX).write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n")
    return len(entries)
