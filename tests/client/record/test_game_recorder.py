"""The recorder: every game of ours that ended is recorded as we were shown it, with what it cost."""

import asyncio
from itertools import islice
from pathlib import Path

from msgspec import structs

from put_client.record.store import GameOutcome, Opponent
from put_protocol.games.put import GameEnded, GameWon
from put_protocol.messages import Analyse, Events, Left, Recall, Recalled, Request, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import TableState
from put_rules.registry import GAMES
from put_server.game_sheet import sheet_of as server_sheet_of
from put_text.notation import write
from tests.client.record.games import NOW, Told, messages_of, recorder_in
from tests.client.sample_sheet import sheet
from tests.client.tui.sample_models import TABLE, info_of
from tests.client.tui.test_analysis_view import analysis, reviewed
from tests.conformance.random_games import record_of
from tests.conformance.tables import Table, at_every_table, games_at
from tests.repetitions import TIMES


def played(told: Told) -> Told:
    """The sample game, told to the recorder of its first player."""
    for at, message in messages_of(sheet()):
        told.now = NOW + at
        told.tell(message)
    return told


def test_game_is_recorded_when_it_ends(tmp_path: Path) -> None:
    """With who played, what it came to, and the sheet."""
    told = played(recorder_in(tmp_path))
    (game,) = told.record.games()
    assert (game.server, game.table, game.number, game.rule_set) == ("The Mermaid", 3, 2, "put-1674")
    assert (game.outcome, game.gain, game.seat) == (GameOutcome.WON, 1, Seat(0))
    assert game.opponents == (Opponent("Nan", is_bot=True),)
    assert (game.began, game.ended) == (NOW, NOW + sheet().steps[-1].at_ms)
    kept = told.record.sheet(game.id)
    assert kept is not None
    assert kept[0].steps == sheet().steps
    assert told.flaws == []


@at_every_table
def test_sheet_recorded_is_what_the_player_was_shown(table: Table, tmp_path: Path) -> None:
    """Of every rule set and every seat: the sheet that the server itself would give this player, and nothing else. From
    the gallery nothing is recorded."""
    for played_game in islice(games_at(table), TIMES):
        kept = record_of(played_game.setup, [made.given for made in played_game.steps if made.given is not None])
        for viewer in played_game.setup.viewers:
            told = recorder_in(tmp_path / f"{id(played_game)}-{viewer}")
            given = server_sheet_of(kept, GAMES[kept.rule_set], viewer, date="", server="The Mermaid")
            for at, message in messages_of(given):
                told.now = NOW + at
                told.tell(message)
            if viewer == GALLERY:
                assert told.record.games() == ()
                continue
            (game,) = told.record.games()
            found = told.record.sheet(game.id)
            assert found is not None
            assert structs.replace(found[0], date="") == given
            assert game.gain == played_game.setup.game().paid(played_game.steps[-1].state)[viewer]


def test_game_we_came_back_into_is_recorded_without_its_sheet(tmp_path: Path) -> None:
    """What it came to is known, how it was played is not."""
    told = recorder_in(tmp_path)
    told.tell(TableSnapshot(TABLE, Seat(0), 9, info_of("Will", "Moll", games=4)))
    ended = GameEnded(GameWon.POINTS, (Seat(1),), (3, 5), (-1, 1))
    told.tell(Events(table=TABLE, first=10, events=(ended,)))
    (game,) = told.record.games()
    assert (game.number, game.outcome, game.has_sheet) == (4, GameOutcome.LOST, False)


def test_same_end_told_twice_is_one_game(tmp_path: Path) -> None:
    """As after a drop, when a snapshot of the table comes again."""
    told = played(recorder_in(tmp_path))
    last = [message for _, message in messages_of(sheet())][-1]
    info = info_of("Moll", "Nan", games=2, state=TableState.BETWEEN)
    told.tell(TableSnapshot(TABLE, Seat(0), 40, info), last)
    assert len(told.record.games()) == 1


async def test_server_is_asked_what_the_game_cost(tmp_path: Path) -> None:
    """Once a game; what comes, in however many parts, is kept with it."""
    told = played(recorder_in(tmp_path))
    asking = asyncio.create_task(told.recorder.run())
    await told.asked.wait()
    asking.cancel()
    await asyncio.wait({asking})
    assert told.requests == [Analyse(1, TABLE)]
    whole = analysis(0, 150, 30, game=2)
    first = structs.replace(whole, reviewed=whole.reviewed[:2])
    told.tell(first)
    (game,) = told.record.games()
    assert game.weighed is None
    told.tell(structs.replace(whole, reviewed=whole.reviewed[2:]))
    (game,) = told.record.games()
    assert game.weighed is not None
    assert (game.weighed.decisions, game.weighed.fine, game.weighed.cost) == (3, 1, 180)
    kept = told.record.sheet(game.id)
    assert kept is not None
    assert kept[1] == (reviewed(1), reviewed(2, 150), reviewed(3, 30))


def test_analysis_of_another_game_changes_nothing(tmp_path: Path) -> None:
    """Nor one that failed."""
    told = played(recorder_in(tmp_path))
    told.tell(analysis(0, 150, game=1), structs.replace(analysis(game=2), flaw="the analysis failed; ask again"))
    (game,) = told.record.games()
    assert game.weighed is None


def test_analysis_that_comes_late_is_kept(tmp_path: Path) -> None:
    """The next game is in play by then, or we have left the table."""
    for late in (Events(table=TABLE, first=50, events=(GameStarted(3, ("Moll", "Nan")),)), Left(TABLE, "")):
        told = played(recorder_in(tmp_path / type(late).__name__))
        told.tell(late, analysis(0, 150, 30, game=2))
        (game,) = told.record.games()
        assert game.weighed is not None
        assert game.weighed.decisions == 3


async def asked_for(told: Told) -> list[Request]:
    """What the server is asked for by then."""
    asking = asyncio.create_task(told.recorder.run())
    for _ in range(20):
        await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait({asking})
    return told.requests


async def test_game_that_is_not_solved_is_not_asked_about(tmp_path: Path) -> None:
    """The table says that it is not."""
    told = recorder_in(tmp_path)
    told.tell(*[message for _, message in messages_of(sheet(), is_solved=False)])
    assert len(told.record.games()) == 1
    assert await asked_for(told) == []


def recalled(parts: int = 3, game: int = 2, seat: int = 0, **changes: object) -> list[Recalled]:
    """The sample game as the server sends it, which does not know what day it is."""
    text = write(structs.replace(sheet(), date="", server="", **changes))
    size = -(-len(text) // parts)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [Recalled(TABLE, game, Seat(seat), piece, part, parts) for part, piece in enumerate(pieces, 1)]


BETWEEN = info_of("Moll", "Nan", games=2, state=TableState.BETWEEN)


async def test_game_that_ended_while_we_were_away_is_recalled(tmp_path: Path) -> None:
    """It is recorded whole, and weighed, as if we had been there."""
    told = recorder_in(tmp_path, TABLE)
    told.tell(TableSnapshot(TABLE, Seat(0), 40, BETWEEN))
    assert await asked_for(told) == [Recall(1, TABLE)]
    told.tell(*recalled())
    (game,) = told.record.games()
    assert (game.number, game.outcome, game.gain, game.opponents) == (2, GameOutcome.WON, 1, (Opponent("Nan", True),))
    assert (game.began, game.ended) == (NOW - sheet().steps[-1].at_ms, NOW)
    kept = told.record.sheet(game.id)
    assert kept is not None
    assert kept[0].steps == sheet().steps
    assert await asked_for(told) == [Recall(1, TABLE), Analyse(1, TABLE)]


async def test_game_that_is_recorded_already_is_not_recorded_again(tmp_path: Path) -> None:
    """As by who quits between two games and comes back: nobody says when the game was, but it went the same way."""
    played(recorder_in(tmp_path))
    told = recorder_in(tmp_path, TABLE)
    told.tell(TableSnapshot(TABLE, Seat(0), 40, BETWEEN), *recalled())
    assert len(told.record.games()) == 1
    other = recalled(steps=sheet().steps[1:])
    again = recorder_in(tmp_path, TABLE)
    again.tell(TableSnapshot(TABLE, Seat(0), 40, BETWEEN), *other)
    assert len(told.record.games()) == 2, "another game has the same number after a new start of the server"


async def test_game_we_came_back_into_gets_its_sheet_when_it_ends(tmp_path: Path) -> None:
    """The part of it that we had not seen, too."""
    told = recorder_in(tmp_path, TABLE)
    told.tell(TableSnapshot(TABLE, Seat(0), 9, structs.replace(BETWEEN, state=TableState.PLAYING)))
    assert await asked_for(told) == []
    told.tell(Events(table=TABLE, first=10, events=sheet().steps[-1].events))
    assert await asked_for(told) == [Recall(1, TABLE), Analyse(1, TABLE)]
    told.tell(*recalled())
    (game,) = told.record.games()
    assert game.has_sheet


async def test_who_sits_down_anew_recalls_nothing(tmp_path: Path) -> None:
    """The last game at the table was not theirs."""
    told = recorder_in(tmp_path)
    told.tell(TableSnapshot(TABLE, Seat(0), 40, BETWEEN))
    assert await asked_for(told) == []


def test_what_is_recalled_and_is_no_game_of_ours_is_not_recorded(tmp_path: Path) -> None:
    """Another game, another seat, half of a game, one that is not over, and what is no notation."""
    told = recorder_in(tmp_path, TABLE)
    told.tell(TableSnapshot(TABLE, Seat(0), 40, BETWEEN))
    told.tell(*recalled(game=1), *recalled(seat=1), *recalled()[1:], *recalled(viewer=Seat(1)))
    told.tell(*recalled(steps=sheet().steps[:-1]), Recalled(TABLE, 2, Seat(0), "Put"))
    assert told.record.games() == ()
    assert told.flaws == []


def test_record_that_breaks_is_said_once_and_the_game_goes_on(tmp_path: Path) -> None:
    """No message is an error, and nothing is said again and again."""
    told = recorder_in(tmp_path)
    told.record.path.write_bytes(b"no record" * 1000)
    played(played(told))
    assert len(told.flaws) == 1
    assert "cannot be used" in told.flaws[0]
