"""Recorder: fills the record from the messages of one connection.

It gets every message, like the screen and line mode, and stores what it needs. A game is written when it ends. Then the
server is asked for an analysis, if it can make one; without an answer, the game has none. Only games in which we have a
seat are recorded.

A game that the program did not see completely is recalled: the server sends it from our seat's view.

`opened` opens the record, or returns the reason why it cannot; `keeping` keeps it up to date during a connection.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, tzinfo
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from put_client.places import state_folder
from put_client.record.store import GameOutcome, LocalRecord, Opponent, PlayedGame, RecordError, wall_ms
from put_client.record.summary import moment_of
from put_client.recording import Recording, joined, recorded, sheet_of, still_whole
from put_client.sdk.client import Client
from put_client.sdk.errors import ClientError
from put_client.sdk.traffic import Message
from put_protocol.games.unions import Event, GameView, ending_of, gains_after
from put_protocol.games.unknown import UnknownView
from put_protocol.messages import Analyse, Analysis, Events, Left, Ok, Recall, Recalled, Request, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameOver, GameStarted
from put_protocol.table_info import SeatInfo, TableInfo
from put_runtime.private_files import make_private_folder
from put_text.notation import FILE_LENGTH, NotationError, Sheet, SheetPlayer, read

WAITING = 32
"""Most games waiting for an analysis; further ones get none."""

LOOKED_AT = 200
"""Number of latest games among which a recalled one is searched."""

TABLES = 8
"""Most tables followed at once; then the first are dropped. A person plays at one or two."""


DATE = "%Y-%m-%dT%H:%M:%SZ"


class AskingClient(Protocol):
    async def ask(self, make: Callable[[int], Request]) -> Ok: ...

    def named(self, table: int, sheet: Sheet) -> Sheet: ...


class _Followed(Struct, frozen=True, kw_only=True):
    """A table at which we sit."""

    info: TableInfo
    seat: Seat
    view: GameView | None
    recording: Recording | None = None
    gains: tuple[int, ...] = ()
    """Gains of each seat in the rubber's finished games."""
    began: int = 0
    """Time when the game in play began, or when we returned to it."""
    saved: PlayedGame | None = None
    """The last game that ended."""
    recalled: tuple[str, ...] = ()
    """Parts of that game in notation, as received so far."""


class GameRecorder:
    """Recorder of one connection. `clock`: milliseconds since 1970. `complain`: called once if recording fails.
    `tables`: our tables at the start."""

    def __init__(
        self,
        record: LocalRecord,
        *,
        server: str,
        clock: Callable[[], int],
        complain: Callable[[str], None],
        tables: tuple[int, ...] = (),
    ) -> None:
        self._record: LocalRecord | None = record
        self._server = server
        self._clock = clock
        self._complain = complain
        self._client: AskingClient | None = None
        self._tables: dict[int, _Followed] = {}
        self._weighed: dict[tuple[int, int], tuple[PlayedGame, Analysis | None]] = {}
        """The latest games by table and number, and their analyses, as far as they have arrived."""
        self._kept = frozenset(tables)
        self._wanted: asyncio.Queue[Callable[[int], Request]] = asyncio.Queue(WAITING)

    def take(self, client: AskingClient, message: Message) -> None:
        """Note a message of this client. Never raises: games continue even if recording fails."""
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
        """Have games analysed and recalled, one after another, until cancelled."""
        while True:
            make = await self._wanted.get()
            if self._client is not None:
                with suppress(ClientError):  # the game stays without
                    await self._client.ask(make)

    def _want(self, make: Callable[[int], Request]) -> None:
        with suppress(asyncio.QueueFull):
            self._wanted.put_nowait(make)

    def _take(self, message: Message, record: LocalRecord) -> None:
        match message:
            case TableSnapshot(table=number, viewer=viewer, info=info, view=view):
                if viewer == GALLERY:
                    self._tables.pop(number, None)
                    return
                before = self._tables.get(number)
                still = before if before is not None and before.seat == viewer else None
                recording = None if still is None else still_whole(still.recording, info)
                began = self._clock() if still is None or still.info.games != info.games else still.began
                fresh = _Followed(info=info, seat=Seat(viewer), view=view, recording=recording, began=began)
                if still is not None and still.info.games == info.games:
                    fresh = replace(fresh, saved=still.saved)
                is_missed = info.games > 0 and not info.is_in_play and fresh.saved is None
                if is_missed and (still is not None or number in self._kept):
                    self._want(lambda request: Recall(request, number))
                self._tables[number] = fresh
                if len(self._tables) > TABLES:
                    del self._tables[next(iter(self._tables))]
            case Events(table=number) if number in self._tables:
                self._tables[number] = self._after(self._tables[number], message, record)
            case Analysis():
                self._weigh(message, record)
            case Recalled(table=number) if number in self._tables:
                self._tables[number] = self._recalled(self._tables[number], message, record)
            case Left(table=number):
                self._tables.pop(number, None)
            case _:
                pass

    def _after(self, table: _Followed, news: Events, record: LocalRecord) -> _Followed:
        now = self._clock()
        info = news.info or table.info
        recording = recorded(table.recording, news, info, table.seat, now)
        view = news.view if news.view is not None else table.view
        table = replace(table, info=info, recording=recording, view=view)
        for event in news.events:
            if isinstance(event, GameStarted):
                table = replace(table, began=now, gains=(), saved=None, recalled=())
            ending, gains = ending_of(event), gains_after(event, table.gains)
            table = replace(table, gains=gains)
            if ending is not None and table.saved is None and table.seat < len(gains):
                table = self._save(table, replace(ending, gains=gains), now, record)
        return table

    def _save(self, table: _Followed, ending: GameOver, now: int, record: LocalRecord) -> _Followed:
        info, game, sheet = table.info, self._played(table, ending, now), _sheet(table, self._server)
        number = record.save(game, sheet)
        if sheet is None:
            self._want(lambda request: Recall(request, info.id))
        if info.is_solved:
            self._want(lambda request: Analyse(request, info.id))
        return replace(table, saved=self._noted(replace(game, id=number, has_sheet=sheet is not None)))

    def _noted(self, saved: PlayedGame) -> PlayedGame:
        """A game that is in the record, and may be weighed."""
        self._weighed[saved.table, saved.number] = saved, None
        if len(self._weighed) > WAITING:
            del self._weighed[next(iter(self._weighed))]
        return saved

    def _weigh(self, analysis: Analysis, record: LocalRecord) -> None:
        """Add a part of an analysis, and save the whole once it is complete. The next game may have begun meanwhile, or
        the table been left."""
        key = (analysis.table, analysis.game)
        saved, before = self._weighed.get(key, (None, None))
        if saved is None or analysis.flaw or analysis.seat != saved.seat:
            return
        whole = joined(before, analysis)
        if len(whole.reviewed) == whole.decisions:
            record.save_analysis(saved.id, whole)
        self._weighed[key] = saved, whole

    def _played(self, table: _Followed, ending: GameOver, now: int) -> PlayedGame:
        info = table.info
        return PlayedGame(
            server=self._server,
            table=info.id,
            number=info.games,
            began=table.began,
            ended=now,
            rule_set=info.game,
            options=dict(info.options),
            seat=table.seat,
            opponents=_opponents(table, info.seats),
            outcome=_outcome(ending, table.seat),
            gain=ending.gains[table.seat],
            is_exhibition=info.is_exhibition,
            is_assisted=info.is_assisted,
        )

    def _recalled(self, table: _Followed, told: Recalled, record: LocalRecord) -> _Followed:
        saved = table.saved
        if told.seat != table.seat or told.part != len(table.recalled) + 1 or told.flaw:
            return table
        if told.game != (table.info.games if saved is None else saved.number):
            return table
        parts = (*table.recalled, told.text)
        if sum(map(len, parts)) > FILE_LENGTH:
            return replace(table, recalled=())
        if told.part < told.parts:
            return replace(table, recalled=parts)
        table = replace(table, recalled=())
        try:
            sheet = read("".join(parts))
        except NotationError:
            return table  # of a family that is not known here
        if self._client is not None:
            sheet = self._client.named(table.info.id, sheet)
        last = sheet.steps[-1].events if sheet.steps else ()
        ended = next((ending for event in last if (ending := ending_of(event)) is not None), None)
        gains: tuple[int, ...] = ()
        for event in _happened(sheet):
            gains = gains_after(event, gains)
        if ended is None or sheet.viewer != table.seat or table.seat >= len(gains):
            return table
        ended = replace(ended, gains=gains)
        if saved is None:
            saved = self._missed(table, sheet, ended, record)
            if saved.weighed is None and table.info.is_solved:
                self._want(lambda request: Analyse(request, table.info.id))
        elif saved.has_sheet:
            return table
        date = moment_of(saved.began, UTC).strftime(DATE)
        saved = replace(saved, id=record.save(saved, replace(sheet, date=date, server=self._server)))
        return replace(table, saved=self._noted(replace(saved, has_sheet=True)))

    def _missed(self, table: _Followed, sheet: Sheet, ended: GameOver, record: LocalRecord) -> PlayedGame:
        """A game that ended while we were away: the one already in the record, or a new one from its sheet. Its time is
        unknown, so it gets the current time."""
        now = self._clock()
        game = replace(
            self._played(table, ended, now),
            number=sheet.number,
            began=now - sheet.steps[-1].at_ms,
            opponents=_opponents(table, sheet.players),
            is_exhibition=sheet.is_exhibition,
            is_assisted=sheet.is_assisted,
        )
        for known in record.games(LOOKED_AT):
            is_alike = (known.server, known.table, known.number) == (game.server, game.table, game.number)
            kept = record.sheet(known.id) if is_alike and known.has_sheet else None
            if kept is not None and _happened(kept[0]) == _happened(sheet):
                return known
        return game


def _sheet(table: _Followed, server: str) -> Sheet | None:
    """The game as shown; None: it was not seen from its start, or this client has no notation for it."""
    recording, view = table.recording, table.view
    if recording is None or not recording.is_over or recording.viewer != table.seat or view is None:
        return None
    if isinstance(view, UnknownView):
        return None
    date = moment_of(recording.began, UTC).strftime(DATE)
    sheet = sheet_of(recording, table.info, view, server)
    return replace(sheet, date=date)


def _happened(sheet: Sheet) -> tuple[Event, ...]:
    return tuple([event for step in sheet.steps for event in step.events])


def _opponents(table: _Followed, players: Sequence[SeatInfo | SheetPlayer]) -> tuple[Opponent, ...]:
    """All these players except us. The style of a house player is known only while they sit there."""
    houses = {chair.name: chair.house for chair in table.info.seats if chair.is_house}
    return tuple(
        [
            Opponent(one.name, is_bot=one.is_bot, is_house=one.is_house, house=houses.get(one.name, ""))
            for place, one in enumerate(players)
            if place != table.seat and one.name is not None
        ]
    )


def _outcome(ending: GameOver, seat: Seat) -> GameOutcome:
    """Outcome by the purse; without payments, by the winners."""
    gain = ending.gains[seat]
    if gain == 0 and ending.winners:
        return GameOutcome.WON if seat in ending.winners else GameOutcome.LOST
    return GameOutcome.WON if gain > 0 else GameOutcome.LOST if gain < 0 else GameOutcome.EVEN


FILE = "record.sqlite3"


def own_zone() -> tzinfo:
    return datetime.now().astimezone().tzinfo or UTC


def own_record() -> LocalRecord:
    """This user's record, which may not exist yet."""
    return LocalRecord(state_folder() / FILE)


def opened() -> tuple[LocalRecord | None, str]:
    """This user's record; or None with the reason as a sentence. If files cannot be written at all, nothing is stored,
    without a message, as with sessions."""
    record = own_record()
    with suppress(OSError):
        make_private_folder(record.path.parent)
    if not record.path.parent.is_dir():
        return None, ""
    try:
        record.check()
    except RecordError as error:
        return None, str(error)
    return record, ""


@asynccontextmanager
async def keeping(client: Client, record: LocalRecord | None) -> AsyncIterator[list[str]]:
    """Record the games of this connection during the block. Yields an empty list, to which a sentence is added if
    recording fails."""
    flaws: list[str] = []
    if record is None:
        yield flaws
        return
    welcome = client.welcome
    recorder = GameRecorder(
        record, server=welcome.server, clock=wall_ms, complain=flaws.append, tables=tuple(welcome.tables)
    )
    client.observer = recorder.take
    asking = asyncio.create_task(recorder.run(), name="recorder")
    try:
        yield flaws
    finally:
        asking.cancel()
        await asyncio.wait({asking})
