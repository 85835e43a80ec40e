"""The recording of a game as its viewer saw it, for saving in notation; and its analysis, joined from parts."""

from typing import get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from put_protocol.games.families import opening_of
from put_protocol.games.unions import Event, GameEvent, GameView, ending_of
from put_protocol.messages import Analysis, Events
from put_protocol.seats import Viewer
from put_protocol.table_events import GameOver, GameStarted, LeftGame, Sat, TimedOut
from put_protocol.table_info import TableInfo
from put_text.notation import Sheet, SheetPlayer, SheetStep

_KEPT = (*get_args(GameEvent), Sat, TimedOut, LeftGame, GameOver)
"""Events to record: the game's, and changes of players. Talk, absences and steps of blind deals are left out: those of
one deal are longer than the rest of a game."""


MOST_STEPS = 20_000
"""Most steps of a game: a hundred times a long one. Longer games are not recorded."""

MOST_JSON_BYTES = 8 * 1024 * 1024


class Recording(Struct, frozen=True, kw_only=True):
    """A game from its start."""

    number: int
    viewer: Viewer
    players: tuple[SheetPlayer, ...]
    began: int
    """Milliseconds of the clock for the steps' times."""
    steps: tuple[SheetStep, ...] = ()
    is_over: bool = False
    size: int = 0
    """Bytes of the steps as JSON."""


def recorded(recording: Recording | None, news: Events, info: TableInfo, viewer: Viewer, now: int) -> Recording | None:
    """The recording after what happened; None while no game was seen from its start, or if it is too long."""
    kept: list[Event] = []
    for event in news.events:
        if isinstance(event, GameStarted):
            if len(event.names) != len(info.seats):
                return None  # no server that keeps the protocol tells it so
            players = tuple(
                [
                    SheetPlayer(name, is_bot=seat.is_bot, is_house=seat.is_house)
                    for name, seat in zip(event.names, info.seats, strict=True)
                ]
            )
            recording = Recording(number=event.game, viewer=viewer, players=players, began=now)
            kept.clear()
        elif isinstance(event, _KEPT) and recording is not None and not recording.is_over:
            kept.append(event)
            if ending_of(event) is not None:
                recording = replace(recording, is_over=True)
    if recording is None or not kept:
        return recording
    size = recording.size + len(msgspec.json.encode(kept))
    if size > MOST_JSON_BYTES or len(recording.steps) >= MOST_STEPS:
        return None
    step = SheetStep(now - recording.began, tuple(kept))
    return replace(recording, size=size, steps=(*recording.steps, step))


def still_whole(recording: Recording | None, info: TableInfo) -> Recording | None:
    """The recording, unless we may have missed a part of its game."""
    return recording if recording is not None and recording.is_over and recording.number == info.games else None


def joined(before: Analysis | None, analysis: Analysis) -> Analysis:
    if before is None or before.game != analysis.game or not analysis.reviewed or analysis.reviewed[0].number == 1:
        return analysis
    return replace(analysis, reviewed=(*before.reviewed[: analysis.reviewed[0].number - 1], *analysis.reviewed))


def sheet_of(recording: Recording, info: TableInfo, view: GameView, server: str) -> Sheet:
    """The game so far. `view`: any view of it; only constants are used."""
    return Sheet(
        game=info.game,
        options=info.options,
        table=info.id,
        number=recording.number,
        server=server,
        viewer=recording.viewer,
        players=recording.players,
        is_exhibition=info.is_exhibition,
        is_assisted=info.is_assisted,
        opening=opening_of(view),
        steps=recording.steps,
    )
