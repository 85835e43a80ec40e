"""The game just seen, written down: what the client was told makes the sheet that the server itself would give."""

from itertools import islice
from pathlib import Path

import pytest
from msgspec import structs

from put_client.recording import recorded, sheet_of
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.tui.effects import Save, TaskDone
from put_client.tui.model import AtTable, Model
from put_protocol.games.put import Dealt, GameEnded, GameWon
from put_protocol.games.unions import GameView
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, Sat
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.registry import GAMES
from put_server.game_sheet import sheet_of as server_sheet_of
from put_text.notation import Sheet, read, write
from tests.client import sample_sheet
from tests.client.record.games import messages_of
from tests.client.tui.sample_models import (
    HAND,
    TABLE,
    WELCOME,
    after,
    arrive,
    info_of,
    send_keys,
    step,
    table_of,
    typed,
    view_of,
)
from tests.client.tui.test_app import SNAPSHOT, running
from tests.conformance.random_games import record_of
from tests.conformance.tables import Table, at_every_table, games_at
from tests.repetitions import TIMES

WILL, MOLL = Seat(0), Seat(1)
BEGUN = GameStarted(2, ("Will", "Moll"))
DEALT = Dealt(1, MOLL, WILL, (3, 3), HAND[:3])


def told_of(sheet: Sheet) -> AtTable:
    """The table of whoever was told this, message by message, with some talk between."""
    (_, snapshot), *rest = messages_of(sheet)
    assert isinstance(snapshot, TableSnapshot)
    model = arrive(viewer=sheet.viewer, info=snapshot.info)
    for at_ms, message in rest:
        model = after(model, message, now=700 + at_ms)
    return table_of(model)


@at_every_table
def test_recording_is_the_sheet_the_server_would_give(table: Table) -> None:
    """Of every rule set, for every seat and the gallery: the same opening, the same steps at the same times."""
    for played in islice(games_at(table), TIMES):
        kept = record_of(played.setup, [made.given for made in played.steps if made.given is not None])
        for viewer in played.setup.viewers:
            sheet = server_sheet_of(kept, GAMES[kept.rule_set], viewer, date="", server=WELCOME.server)
            at = told_of(sheet)
            assert at.recording is not None
            assert isinstance(at.view, GameView)
            own = sheet_of(at.recording, at.info, at.view, WELCOME.server)
            assert own == sheet
            assert read(write(own)) == own


def seen(*, from_start: bool = True) -> Model:
    """A game that is being played."""
    model = arrive("Will", "Moll", info=info_of("Will", "Moll", state=TableState.FILLING, games=1))
    events = (BEGUN, DEALT) if from_start else (DEALT,)
    now = info_of("Will", "Moll", games=2)
    return after(model, Events(table=TABLE, first=1, events=events, info=now, view=view_of(2, WILL)))


def entered(model: Model, line: str) -> tuple[Model, tuple[object, ...]]:
    model, effects = send_keys(typed(send_keys(model, "/")[0], line), "enter")
    return model, effects


def test_save_asks_for_the_game_to_be_written() -> None:
    """With what was seen so far; and says so when it is."""
    model, (save,) = entered(seen(), "save my game.put")
    assert isinstance(save, Save)
    assert save.path == "my game.put"
    assert [taken.events for taken in save.sheet.steps] == [(DEALT,)]
    done, _ = step(model, TaskDone(save))
    assert done.notice == "The game is written down in my game.put."


def test_save_wants_a_file_and_a_game_seen_from_its_start() -> None:
    """Else it says what is missing, and the line stays."""
    assert entered(seen(), "save")[0].notice == "Which file? For example /save game.put."
    late = entered(seen(from_start=False), "save x")[0]
    assert late.notice == "Only a game that you saw from its start can be written down."


def test_recording_is_dropped_after_a_gap_and_kept_when_its_game_was_over() -> None:
    """A snapshot tells nothing of what was missed."""
    snapshot = TableSnapshot(TABLE, WILL, 9, info_of("Will", "Moll", games=2), view=view_of(2, WILL))
    assert table_of(after(seen(), ConnectionBack((TABLE,)), snapshot)).recording is None
    ended = GameEnded(GameWon.POINTS, (WILL,), (5, 0), (1, -1))
    over = after(seen(), Events(table=TABLE, first=5, events=(ended,)))
    recording = table_of(after(over, ConnectionBack((TABLE,)), snapshot)).recording
    assert recording is not None
    assert recording.is_over


def test_recording_ends_with_its_game() -> None:
    """Who sits down afterwards is in none."""
    ended = GameEnded(GameWon.POINTS, (WILL,), (5, 0), (1, -1))
    over = after(seen(), Events(table=TABLE, first=5, events=(ended, Sat(MOLL, "Ned"))))
    recording = table_of(over).recording
    assert recording is not None
    assert recording.steps[-1].events == (ended,)


def test_recording_goes_on_when_the_connection_drops() -> None:
    """Nothing is written down twice, and nothing is lost."""
    sheet = sample_sheet.sheet()
    for lost_after in range(len(sheet.steps)):
        own = recorded_of(sheet, lost_after=lost_after)
        assert own.steps == sheet.steps


def recorded_of(sheet: Sheet, *, lost_after: int | None = None) -> Sheet:
    """What is written down by who was told this. After so many steps the connection dropped and came back."""
    info = TableInfo(
        id=sheet.table,
        game=sheet.game,
        options=dict(sheet.options),
        seats=tuple([SeatInfo(name=p.name) for p in sheet.players]),
        clock=ClockInfo(),
        state=TableState.PLAYING,
        games=sheet.number,
    )
    waiting = arrive(viewer=sheet.viewer, info=structs.replace(info, state=TableState.FILLING, games=sheet.number - 1))
    began = Events(table=info.id, first=1, events=(GameStarted(sheet.number, sheet.names),), info=info)
    model = after(waiting, structs.replace(began, view=sheet.opening))
    for number, with_events in enumerate(sheet.steps):
        if number == lost_after:
            model = after(model, ConnectionLost("the connection dropped"), ConnectionBack((info.id,)))
        model = after(model, Events(table=info.id, first=1, events=with_events.events), now=with_events.at_ms)
    at = table_of(model)
    assert at.recording is not None
    assert isinstance(at.view, GameView)
    return sheet_of(at.recording, at.info, at.view, sheet.server)


def test_game_of_more_names_than_seats_is_not_recorded() -> None:
    """No server that keeps the protocol tells of one; the recorder is no place to fall over it."""
    news = Events(table=TABLE, first=1, events=(GameStarted(1, ("Will", "Moll", "Ned")),))
    assert recorded(None, news, info_of("Will", "Moll"), Seat(0), now=0) is None


async def test_application_writes_the_game_down(tmp_path: Path) -> None:
    """A sheet with its date that reads back; a file that is there is left alone."""
    path = tmp_path / "game.put"
    start = Events(table=TABLE, first=1, events=(BEGUN, DEALT), info=info_of("Will", "Moll", games=2))
    async with running(SNAPSHOT, start) as it:
        await it.screen.shows("e hands")
        it.keys.send_text(f"/save {path}\r")
        await it.screen.shows("! The game is written down in")
        written = path.read_text()
        sheet = read(written)
        assert sheet.names == ("Will", "Moll")
        assert sheet.date.startswith("20")
        it.keys.send_text(f"/save {path}\r")
        await it.screen.shows("! File exists: ")
        assert path.read_text() == written
        it.keys.send_text(f"/save {tmp_path}/none/game.put\r")
        await it.screen.shows("! No such file or directory: ")
        it.keys.send_text("/save ~no-such-user/game.put\r")
        await it.screen.shows("! No such file or directory: ~no-such-user/game.put")


@pytest.mark.parametrize("key", ["1", "e", "q"])
def test_saving_is_typed_and_never_a_key(key: str) -> None:
    """Nothing is written by a slip of the finger."""
    assert not any(isinstance(effect, Save) for effect in send_keys(seen(), key)[1])
