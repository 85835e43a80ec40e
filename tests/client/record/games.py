"""Games to be recorded, and a recorder that is told one."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from put_client.record.game_recorder import GameRecorder
from put_client.record.store import GameCost, GameOutcome, LocalRecord, Opponent, PlayedGame
from put_client.sdk.traffic import Message
from put_protocol.games.families import apply_event
from put_protocol.games.unions import GameView
from put_protocol.messages import Events, Ok, Request, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, PresenceChanged, Said
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_text.notation import Sheet

DAY = 86_400_000
NOW = 1_795_000_000_000
"""In November 2026."""


def game(number: int = 1, **changes: object) -> PlayedGame:
    """A game that was won against the house."""
    usual = PlayedGame(
        server="The Mermaid",
        table=3,
        number=number,
        began=NOW + number * 1000,
        ended=NOW + number * 1000 + 500,
        rule_set="put-1674",
        options={"target": 5, "cut": "high"},
        seat=Seat(0),
        opponents=(Opponent("Doll", is_house=True, house="steady"),),
        outcome=GameOutcome.WON,
        gain=1,
    )
    return structs.replace(usual, **changes)


WEIGHED = GameCost(10, 8, 120, 1)


@dataclass
class Told:
    """A recorder, what it complained of, and what it asked the server for."""

    recorder: GameRecorder
    record: LocalRecord
    flaws: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    now: int = NOW

    def named(self, _: int, sheet: Sheet) -> Sheet:
        return sheet

    async def ask(self, make: object) -> Ok:
        assert callable(make)
        self.requests.append(make(1))
        self.asked.set()
        return Ok(1)

    def tell(self, *messages: Message) -> None:
        for message in messages:
            self.recorder.take(self, message)


def recorder_in(folder: Path, *tables: int) -> Told:
    """One with a file in this folder, of somebody who came back to these tables."""
    flaws: list[str] = []
    record = LocalRecord(folder / "record.sqlite3")
    clock: list[Told] = []
    recorder = GameRecorder(
        record, server="The Mermaid", clock=lambda: clock[0].now, complain=flaws.append, tables=tables
    )
    clock.append(Told(recorder, record, flaws))
    return clock[0]


def messages_of(sheet: Sheet, *, is_solved: bool = True) -> Iterator[tuple[int, Message]]:
    """What whoever this sheet was written for was told, and when: as a server sends it, with talk in between."""
    info = TableInfo(
        id=sheet.table,
        game=sheet.game,
        options=dict(sheet.options),
        seats=tuple([SeatInfo(name=p.name, is_house=p.is_house, is_bot=p.is_bot) for p in sheet.players]),
        clock=ClockInfo(),
        state=TableState.PLAYING,
        games=sheet.number,
        is_exhibition=sheet.is_exhibition,
        is_solved=is_solved,
    )
    filling = structs.replace(info, state=TableState.FILLING, games=sheet.number - 1)
    yield 0, TableSnapshot(table=info.id, viewer=sheet.viewer, number=0, info=filling)
    began = GameStarted(sheet.number, sheet.names)
    view: GameView = sheet.opening
    yield 0, Events(table=info.id, first=1, events=(began,), info=info, view=view)
    for seen in sheet.steps:
        for event in seen.events:
            view = apply_event(view, event, sheet.viewer)
        talk = (Said("Moll", "Well!", Seat(0)), PresenceChanged(Seat(1), away=True))
        yield seen.at_ms, Events(table=info.id, first=1, events=(*seen.events, *talk), view=view)
