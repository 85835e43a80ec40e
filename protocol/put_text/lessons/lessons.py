"""Lessons as they come due: those of one player, at one table after another."""

from collections.abc import Iterable

from put_protocol.games import put
from put_protocol.games.families import family_of
from put_protocol.games.unions import GameView, ending_of
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted
from put_protocol.text import capitalized
from put_text.lessons.lesson import Lesson, Sight
from put_text.lessons.registry import AT_EVENTS, LESSONS


class Lessons:
    """Those of one player at one table after another. `known`: what is not said any more."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = set(known)
        self._table = 0
        self._sight: Sight | None = None

    def take(self, message: object) -> tuple[Lesson, ...]:
        """The lessons due after a message; they count as given."""
        match message:
            case TableSnapshot(viewer=viewer, info=info, view=view):
                names = tuple([seat.name or "" for seat in info.seats])
                self._table = message.table
                self._sight = None if viewer == GALLERY else Sight(Seat(viewer), names, view, has_put=False)
            case Events() if message.table == self._table and self._sight is not None:
                return self._after(self._sight, message)
            case Decision() if message.table == self._table and self._sight is not None:
                return self._asked(self._sight, message)
            case _:
                pass
        return ()

    def _after(self, sight: Sight, news: Events) -> tuple[Lesson, ...]:
        due: list[Lesson] = []
        for event in news.events:
            match event:
                case GameStarted(names=names):
                    sight = sight._replace(names=names)
                case put.DidPut():
                    sight = sight._replace(has_put=True)
                case put.Dealt() | put.HandEnded():
                    sight = sight._replace(has_put=False)
                case _:
                    pass
            if type(event) in AT_EVENTS and not (isinstance(event, put.GameEnded) and ending_of(event) is None):
                name, words = AT_EVENTS[type(event)]
                due += self._learned(name, "" if name in self.known else words(event, sight))
        self._sight = sight if news.view is None else sight._replace(view=news.view)
        return tuple(due)

    def _asked(self, sight: Sight, decision: Decision) -> tuple[Lesson, ...]:
        view: GameView | None = sight.view
        if view is None:
            return ()
        family = LESSONS.get(family_of(view).name)
        for name, words in () if family is None else family.AT_DECISIONS:
            if due := self._learned(name, "" if name in self.known else words(decision, sight)):
                return due
        return ()

    def _learned(self, name: str, says: str) -> tuple[Lesson, ...]:
        if not says:
            return ()
        self.known.add(name)
        return (Lesson(name, capitalized(says.strip())),)
