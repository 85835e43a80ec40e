"""Recorder: fills the record from the messages of one connection.

It is handed every message, as the screen and line mode are, and keeps what it needs itself. A game is written when it
ends, and again when late proofs of its deals come. Then the server is asked what the decisions cost; where that is not
known, or nobody answers, the game stays without. Only games in which we have a seat are kept.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial
from typing import Protocol

from msgspec import structs

from put_client.record.entries import Opponent, Outcome, PlayedGame
from put_client.record.store import Record, RecordError
from put_client.record.summary import moment_of
from put_client.recording import Recording, recorded, sheet_of, with_proofs
from put_client.sdk.client import Message
from put_client.sdk.errors import ClientError, Refusal
from put_protocol.games.unions import GameView, ending_of
from put_protocol.games.unknown import UnknownView
from put_protocol.messages import Analyse, Analysis, Events, Left, Ok, Request, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seal_events import Openings
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameOver, GameStarted
from put_protocol.table_info import TableInfo
from put_text.notation import Sheet

WAITING = 32
"""Games whose analysis may wait to be asked for; of more, some are not weighed."""

NEVER = frozenset({RefusalCode.NOT_SOLVED, RefusalCode.BAD_REQUEST})
"""Refusals after which a rule set is not asked about again on this connection."""

TABLES = 8
"""Followed at once; of more, the first are forgotten. A person plays at one or two."""


class Asker(Protocol):
    """What of a `Client` is needed here."""

    async def ask(self, make: Callable[[int], Request]) -> Ok: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Followed:
    """A table at which we sit."""

    info: TableInfo
    seat: Seat
    view: GameView | None
    recording: Recording | None = None
    began: int = 0
    """When the game in play began, or when we came back into it."""
    saved: PlayedGame | None = None
    """The last game that ended."""
    analysis: Analysis | None = None
    """Of that game, as far as it has come."""


def _analyse(table: int, number: int) -> Analyse:
    return Analyse(number, table)


class Recorder:
    """Of one connection. `clock` gives milliseconds since 1970; `complain` is told once why nothing is recorded."""

    def __init__(
        self, record: Record, *, server: str, clock: Callable[[], int], complain: Callable[[str], None]
    ) -> None:
        self._record: Record | None = record
        self._server = server
        self._clock = clock
        self._complain = complain
        self._client: Asker | None = None
        """The last that got a message."""
        self._tables: dict[int, _Followed] = {}
        self._unsolved: set[str] = set()
        self._wanted: asyncio.Queue[tuple[int, str]] = asyncio.Queue(WAITING)
        """Tables, and their rule sets."""

    def take(self, client: Asker, message: Message) -> None:
        """Note a message of this client. Never raises: a game goes on without its record."""
        self._client = client
        if self._record is None:
            return
        try:
            self._take(message, self._record)
        except RecordError as error:
            self._record = None
            self._tables.clear()
            self._complain(str(error))

    async def run(self) -> None:
        """Have games weighed, one after another, until cancelled."""
        while True:
            table, rule_set = await self._wanted.get()
            if rule_set in self._unsolved or self._client is None:
                continue
            try:
                await self._client.ask(partial(_analyse, table))
            except Refusal as refusal:
                if refusal.code in NEVER:
                    self._unsolved.add(rule_set)
            except ClientError:
                pass  # the game stays without

    def _take(self, message: Message, record: Record) -> None:
        match message:
            case TableSnapshot(table=number, viewer=viewer, info=info, view=view):
                if viewer == GALLERY:
                    self._tables.pop(number, None)
                    return
                before = self._tables.get(number)
                still = before if before is not None and before.seat == viewer else None
                recording = None if still is None else _still_whole(still.recording, info)
                began = self._clock() if still is None or still.info.games != info.games else still.began
                fresh = _Followed(info=info, seat=Seat(viewer), view=view, recording=recording, began=began)
                if still is not None and still.info.games == info.games:
                    fresh = replace(fresh, saved=still.saved, analysis=still.analysis)
                self._tables[number] = fresh
                if len(self._tables) > TABLES:
                    del self._tables[next(iter(self._tables))]
            case Events(table=number) if number in self._tables:
                self._tables[number] = self._after(self._tables[number], message, record)
            case Openings(table=number) if number in self._tables:
                self._tables[number] = _with_late_proofs(self._tables[number], message, record, self._server)
            case Analysis(table=number) if number in self._tables:
                self._tables[number] = _weighed(self._tables[number], message, record)
            case Left(table=number):
                self._tables.pop(number, None)
            case _:
                pass

    def _after(self, table: _Followed, news: Events, record: Record) -> _Followed:
        now = self._clock()
        info = news.info or table.info
        recording = recorded(table.recording, news, info, table.seat, now)
        view = news.view if news.view is not None else table.view
        table = replace(table, info=info, recording=recording, view=view)
        for event in news.events:
            if isinstance(event, GameStarted):
                table = replace(table, began=now, saved=None, analysis=None)
            ending = ending_of(event)
            if ending is not None and table.saved is None and table.seat < len(ending.gains):
                table = self._save(table, ending, now, record)
        return table

    def _save(self, table: _Followed, ending: GameOver, now: int, record: Record) -> _Followed:
        info = table.info
        game = PlayedGame(
            server=self._server,
            table=info.id,
            number=info.games,
            began=table.began,
            ended=now,
            rule_set=info.game,
            options=dict(info.options),
            seat=table.seat,
            opponents=_opponents(info, table.seat),
            outcome=_outcome(ending, table.seat),
            gain=ending.gains[table.seat],
            is_exhibition=info.is_exhibition,
            is_assisted=info.is_assisted,
        )
        sheet = _sheet(table, self._server)
        number = record.save(game, sheet)
        with suppress(asyncio.QueueFull):
            self._wanted.put_nowait((info.id, info.game))
        return replace(table, saved=structs.replace(game, id=number, has_sheet=sheet is not None))


def _sheet(table: _Followed, server: str) -> Sheet | None:
    """The game as it was shown; None: it was not seen from its start, or this client cannot write it down."""
    recording, view = table.recording, table.view
    if recording is None or not recording.is_over or recording.viewer != table.seat or view is None:
        return None
    if isinstance(view, UnknownView):
        return None
    date = moment_of(recording.began, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    sheet = sheet_of(recording, table.info, view, server)
    return structs.replace(sheet, date=date)


def _still_whole(recording: Recording | None, info: TableInfo) -> Recording | None:
    """The recording, if what we may have missed was not of its game."""
    return recording if recording is not None and recording.is_over and recording.number == info.games else None


def _with_late_proofs(table: _Followed, openings: Openings, record: Record, server: str) -> _Followed:
    """Proofs of the last deal may come behind the end of its game."""
    after = replace(table, recording=with_proofs(table.recording, openings))
    if after.saved is not None and after.saved.has_sheet and after.recording != table.recording:
        record.save(after.saved, _sheet(after, server))
    return after


def _weighed(table: _Followed, analysis: Analysis, record: Record) -> _Followed:
    """What a game cost, as far as it has come; it is kept when it is whole."""
    saved = table.saved
    if saved is None or analysis.flaw or (analysis.game, analysis.seat) != (saved.number, saved.seat):
        return table
    whole = joined(table.analysis, analysis)
    if len(whole.reviewed) == whole.decisions:
        record.save_analysis(saved.id, whole)
    return replace(table, analysis=whole)


def joined(before: Analysis | None, analysis: Analysis) -> Analysis:
    """An analysis with the part of it that has just come."""
    if before is None or before.game != analysis.game or not analysis.reviewed or analysis.reviewed[0].number == 1:
        return analysis
    return structs.replace(analysis, reviewed=(*before.reviewed[: analysis.reviewed[0].number - 1], *analysis.reviewed))


def _opponents(info: TableInfo, seat: Seat) -> tuple[Opponent, ...]:
    return tuple(
        [
            Opponent(chair.name, is_bot=chair.is_bot, is_house=chair.is_house, house=chair.house)
            for place, chair in enumerate(info.seats)
            if place != seat and chair.name is not None
        ]
    )


def _outcome(ending: GameOver, seat: Seat) -> Outcome:
    """By the purse; where nothing was paid, by who won."""
    gain = ending.gains[seat]
    if gain == 0 and ending.winners:
        return Outcome.WON if seat in ending.winners else Outcome.LOST
    return Outcome.WON if gain > 0 else Outcome.LOST if gain < 0 else Outcome.EVEN
