"""Mutations: faults put into the server and its journal, each of which the simulation must find.

The seeds that each took, by `scripts/soak simulation-server-mutations`: 1 told before it is stored, a log that is never
emptied, a game kept twice, a record left out, a lobby that changes by itself, a clock that begins anew; 2 a forgotten
answer, a mark before its commit, an error of the disk that is not heard; 3 a log that is not synced at a start;
4 nothing synced; 8 a lost erase, a checkpoint that takes a record too many. That log was a defect of the server:
the second seed found it.
"""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any
from unittest.mock import patch

from put_server import app
from put_server.journal import journal
from put_server.journal.commit_queue import CommitQueue, Compaction
from put_server.journal.journal import Journal
from put_server.lobby import lobby
from put_server.lobby.inputs import Tick
from put_server.lobby.lobby import Lobby
from tests.cluster.simulation.mutations import changed, early
from tests.crashes.simulation import disk


def _careless(whole: Any, self: Journal, *given: Any, **named: Any) -> Any:
    file = whole(self, *given, **named)
    file.execute("PRAGMA synchronous = OFF")
    return file


def _ahead(whole: Any, self: Journal, batch: Any) -> Any:
    if batch.records:
        self._mark.write(batch.records[-1][0])
    return whole(self, batch)


def _deaf(whole: Any, self: Journal, batch: Any) -> Any:
    """An error of the disk is not heard, and what waited for it is told."""
    try:
        return whole(self, batch)
    except sqlite3.Error:
        return batch


def _greedy(whole: Any, file: Any, batch: Any) -> None:
    """A checkpoint takes a record too many with it."""
    whole(file, batch)
    for change in batch.changes:
        if isinstance(change, Compaction) and change.is_behind:
            file.execute("DELETE FROM records WHERE number = ?", (change.number + 1,))


def _twice(whole: Any, self: CommitQueue, entries: Any, then: Any, games: Any = ()) -> None:
    whole(self, entries, then, [*games, *games])


def _restless(whole: Any, self: Lobby, event: Any, now: int) -> Any:
    """Time passes for a person, of which no record says anything."""
    if isinstance(event, Tick):
        for person in self.people.values():
            person.is_bot = False
    return whole(self, event, now)


def _once_too_few(whole: Any, self: CommitQueue, entries: Any, then: Any, games: Any = ()) -> None:
    """An answer is told, and its input is not recorded: of several at once the last."""
    whole(self, entries[:-1] if len(entries) > 2 else entries, then, games)  # a mutation


MUTATIONS: Mapping[str, Callable[[], AbstractContextManager[Any]]] = {
    "told before it is stored": changed(CommitQueue, "record", early),
    "an answer is forgotten": partial(patch.object, lobby, "noted", lambda responses, _: responses),
    "nothing is synced": changed(Journal, "_open", _careless),
    "the log of a killed server is not synced": partial(patch.object, disk, "sync", lambda _: None),
    "a mark before its commit": changed(Journal, "_commit", _ahead),
    "an error of the disk is not heard": changed(Journal, "_commit", _deaf),
    "a lost erase": changed(CommitQueue, "_erase", lambda *_: []),
    "the log is never emptied": changed(Journal, "_empty_log", lambda *_: None),
    "a checkpoint takes a record too many": changed(journal, "write", _greedy),
    "a finished game is kept twice": changed(CommitQueue, "record", _twice),
    "a record is left out": changed(CommitQueue, "record", _once_too_few),
    "a lobby changes by itself": changed(Lobby, "handle", _restless),
    "the clock begins anew": partial(patch.object, app, "clock_from", lambda _, own=app.clock_from: own(0)),
}
