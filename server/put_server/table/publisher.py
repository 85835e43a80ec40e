"""Publisher of a table: messages to each person about events, decisions, and after a reconnect.

Each viewer gets one message: the events, the current view, and, if it is their move, the decision. The view is computed
from the state of the game alone. So a client needs no rules to show the table. An error in the events of one hand does
not spread to the next. And one function decides what a viewer may see, whether they are new, come back, or were there
all the time.

A view is the larger part of a message. A client that asked for changes gets no view if it follows from the previous
view, the events and the turn (`put_protocol.folding`). Only the first view of a game does not. If all people with the
same view asked for changes, the view is not computed.

Events are numbered for each viewer, without gaps (see `event_log`). `publish` numbers the facts and makes the messages
in the same call, so what is recorded is sent. A person who joins, or comes back after too many events, gets a snapshot
with the current number in place of the events.

Facts before a pack are held until the pack deals, and published together with the deal; nothing else comes between. So
the end of a hand and the next deal are one message, and so are the last agreement to another game and its start.

A table changes first and publishes after, and publishing changes only the numbers. The messages are effects: the
dispatcher journals the input before it sends any of them. So everything that a person has received is on disk, and a
restarted server gets the same numbers from the same inputs.

A client that does not know the family of the game gets the server's text beside the events and the view. The text is
made from the same message for the same viewer, so it reveals nothing more.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from operator import add
from typing import NamedTuple

from msgspec.structs import replace

from put_protocol.blind_events import SPAN_PART_BYTES, BlindEntry, BlindOpened, BlindSpan
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Event, GameView
from put_protocol.messages import Events, Question, TableSnapshot
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameOver, GameStarted, LeftGame, Said, TimedOut
from put_rules.facts import Fact
from put_rules.live_deal import SeenByAll
from put_server.table.table_effects import Effect, PersonId, Tell
from put_server.table.table_model import TableModel
from put_text.catalogue import speaking
from put_text.presenters import format_event, format_view
from put_text.translated import asked

EVENTS_A_MESSAGE = 24
"""Most events in a message. The longest talk takes 1.8 KiB, so this many still fit a frame, with the table beside them.
The server's text doubles the size and halves the count."""

EVENT_BYTES = 1_024
"""An event of the usual size has fewer."""

_RULES_EVENTS = frozenset([TimedOut, LeftGame, GameOver, *[event for one in FAMILIES.values() for event in one.events]])


class ViewsToSend(Enum):
    """Ways to send a person the views of a family of games."""

    WHOLE = "whole"
    """whole, after every step"""
    CHANGES = "changes"
    """only views that do not follow from the previous one"""
    EXPLAINED = "explained"
    """whole, with the server's text, because their client does not know the family"""


class MessageForm(NamedTuple):
    """Form of the messages to a person. People with the same view and form get the same messages."""

    views: ViewsToSend = ViewsToSend.WHOLE
    words: bool = True
    language: str = ""
    """Language of the text for clients that have only the server's. Others also get messages of the catalogue."""


class Held(NamedTuple):
    """Numbered facts that wait for the next publication."""

    seen: SeenByAll
    is_info_new: bool
    mover: Seat | None
    answers: int

    def then(self, later: "Held") -> "Held":
        return Held(
            tuple(map(add, self.seen, later.seen)),
            self.is_info_new or later.is_info_new,
            self.mover if later.mover is None else later.mover,
            self.answers or later.answers,
        )


_CHANGES, _EXPLAINED = ViewsToSend.CHANGES, ViewsToSend.EXPLAINED  # a name is asked at every step


class Publisher:
    """Makes the messages of one table. A message is made once for all people who get the same."""

    __slots__ = ("_form_of", "_has_muted", "_held", "_model")

    def __init__(
        self,
        model: TableModel,
        form_of: Callable[[PersonId, str], MessageForm],
        has_muted: Callable[[PersonId, str], bool] = lambda *_: False,
    ) -> None:
        """`form_of`: the message form of a person for a family of games."""
        self._model = model
        self._form_of = form_of
        self._has_muted = has_muted
        self._held: Held | None = None

    def hold(
        self, facts: tuple[Fact, ...], *, is_info_new: bool = False, mover: Seat | None = None, answers: int = 0
    ) -> None:
        """Number the facts, and publish them together with the next ones, in the same step of the lobby."""
        held = Held(self._numbered(facts), is_info_new, mover, answers)
        self._held = held if self._held is None else self._held.then(held)

    def _numbered(self, facts: tuple[Fact, ...]) -> SeenByAll:
        seen = self._model.event_log.record(facts)
        if facts:
            for deal in self._model.deals.hand:
                deal.note_shown(seen)
        return seen

    def publish(
        self,
        facts: tuple[Fact, ...],
        now: int,
        *,
        is_game_new: bool = False,
        is_info_new: bool = False,
        but: PersonId | None = None,
        speaker: str = "",
        asked: Seat | None = None,
        mover: Seat | None = None,
        answers: int = 0,
    ) -> list[Effect]:
        """Number the facts, and send each viewer what they may see of them, with other news.

        `but`: a person who gets a snapshot instead. `speaker`: the facts are only talk by this person. `asked`: the
        seat to send its decision again. `mover`, `answers`: the seat whose request this answers, and the id.
        """
        model, play, family = self._model, self._model.play, self._model.family
        chairs, watchers, event_log = model.seating.chairs, model.seating.watchers, model.event_log
        seen = self._numbered(facts)
        if self._held is not None:
            held, self._held = self._held.then(Held(seen, is_info_new, mover, answers)), None
            seen, is_info_new, mover, answers = held
        follows = is_game_new and not (mover is None and GameStarted in map(type, seen[-1]))
        info = model.renewed_info() if is_info_new else None
        turn = model.turn_message(now) if is_game_new or asked is not None else None
        moment, public = "", None
        effects: list[Effect] = []
        for viewer, events, apart in zip(event_log.viewers, seen, event_log.apart):  # noqa: B905  # asked at every step
            if viewer == GALLERY:
                people = tuple(watchers)
            else:
                sitter = chairs[viewer].sitter
                people = () if sitter is None else (sitter.id,)
            if but in people:
                people = tuple(filter(but.__ne__, people))
            if not people or not (events or is_info_new or is_game_new):
                continue
            first = event_log.count + apart - len(events) + 1
            if speaker and (deaf := dict.fromkeys([one for one in people if self._has_muted(one, speaker)])):
                people = tuple([one for one in people if one not in deaf])
                for _, some in self._by_form(tuple(deaf)):
                    muted = Events(model.id, first, self._as_heard(some[0], events))
                    effects.append(self._tell(some, viewer, muted))
            is_asked = viewer == model.turn.seat and (is_game_new or viewer == asked)
            groups = ((self._form_of(people[0], family), people),) if len(people) == 1 else self._by_form(people)
            for form, some in groups:
                is_folded = follows and form.views is _CHANGES
                view = None
                if is_folded and turn is not None and play is not None:
                    moment = moment or model.game.moment(play.state) or ""
                elif is_game_new and not is_folded and play is not None:
                    public = public or model.game.public_view(play.state)
                    view = public if viewer == GALLERY else model.game.own_view(play.state, viewer, public)
                message = Events(
                    model.id,
                    first,
                    events,
                    info,
                    view,
                    turn if is_game_new or is_asked else None,
                    moment if is_folded else "",
                    id=answers if viewer == mover else 0,
                    decision=self._question(viewer, form) if is_asked else None,
                )
                if form.views is _EXPLAINED:
                    message = self._explained(message, viewer, form.language)
                effects.append(Tell(some, message))
        return effects

    def _by_form(self, people: tuple[PersonId, ...]) -> tuple[tuple[MessageForm, tuple[PersonId, ...]], ...]:
        family = self._model.family
        groups: dict[MessageForm, list[PersonId]] = {}
        for person in people:
            groups.setdefault(self._form_of(person, family), []).append(person)
        return tuple([(form, tuple(some)) for form, some in groups.items()])

    def snapshot(self, person: PersonId, viewer: Viewer, now: int, *, is_last: bool = True) -> list[Effect]:
        """The state of the blind game in play and the whole table, for a person who joins or missed too much; with
        their decision if `is_last`."""
        model = self._model
        form, view = self._form_of(person, model.family), self._view(viewer)
        message = TableSnapshot(
            model.id,
            viewer,
            model.event_log.number(viewer),
            model.info,
            view=view,
            turn=model.turn_message(now),
            board=self._board(viewer, view, form.language) if form.views is _EXPLAINED else (),
            decision=self._question(viewer, form) if is_last else None,
        )
        return [*self._span(person), Tell((person,), message)]

    def _span(self, person: PersonId) -> list[Effect]:
        """The state of the blind game in play, for a person who lacks a part of it."""
        deals = self._model.deals
        data = deals.blind.play.game.span() if deals.is_blind and deals.blind.play is not None else b""
        parts = [data[at : at + SPAN_PART_BYTES] for at in range(0, len(data), SPAN_PART_BYTES)]
        spans = [BlindSpan(self._model.id, n, len(parts), part) for n, part in enumerate(parts, 1)]
        return [Tell((person,), span) for span in spans]

    def refresh(self, person: PersonId, viewer: Viewer, now: int) -> list[Effect]:
        """The current table, for a person who has all its events."""
        number = self._model.event_log.number(viewer)
        return [*self._span(person), *self.catch_up(person, viewer, number, now, is_last=False)]

    def _question(self, viewer: Viewer, form: MessageForm) -> Question | None:
        model, play, pause = self._model, self._model.play, self._model.pause
        if viewer != model.turn.seat or play is None or (pause is not None and pause.is_on):
            return None
        question = play.question(model.turn.decision, in_words=form.words, in_phrases=bool(form.language))
        if form.views is not _EXPLAINED or not form.language:
            return question
        with speaking(form.language):
            return asked(question)

    def catch_up(
        self, person: PersonId, viewer: Viewer, number: int | None, now: int, *, is_last: bool
    ) -> list[Effect]:
        """Events that a person missed after this number, or a snapshot if not kept. `is_last`: see `snapshot`."""
        missed = None if number is None else self._model.event_log.since(viewer, number)
        if number is None or missed is None:
            return self.snapshot(person, viewer, now, is_last=is_last)
        model, form = self._model, self._form_of(person, self._model.family)
        *pages, last = self._pages(person, number + 1, missed)
        decision = self._question(viewer, form) if is_last else None
        view, turn = self._view(viewer), model.turn_message(now)
        last = Events(model.id, last.first, last.events, info=model.info, view=view, turn=turn, decision=decision)
        return [self._tell((person,), viewer, page) for page in (*pages, last)]

    def _pages(self, person: PersonId, first: int, events: tuple[Event, ...]) -> list[Events]:
        """The events from this number on, in one or several messages; the last has the current table."""
        form = self._form_of(person, self._model.family)
        most = EVENTS_A_MESSAGE // 2 if form.views is _EXPLAINED else EVENTS_A_MESSAGE
        pages: list[Events] = []
        for page in _paged(self._as_heard(person, events), most):
            pages.append(Events(self._model.id, first, page))
            first += len(page)
        return pages or [Events(self._model.id, first, ())]

    def _as_heard(self, person: PersonId, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """The events for one person. Talk by people whom they muted stays as a numbered event without text."""

        def heard(event: Event) -> Event:
            if isinstance(event, Said) and self._has_muted(person, event.name):
                return replace(event, text="", muted=True)
            return event

        return tuple([heard(event) for event in events])

    def _tell(self, people: tuple[PersonId, ...], viewer: Viewer, message: Events) -> Tell:
        """The message for people of one form."""
        form = self._form_of(people[0], self._model.family)
        return Tell(people, self._explained(message, viewer, form.language) if form.views is _EXPLAINED else message)

    def _explained(self, message: Events, viewer: Viewer, language: str) -> Events:
        """A message with the server's text added."""
        with speaking(language):
            says = tuple([format_event(event, self._names, you=viewer) for event in message.events])
        return replace(message, says=says, board=self._board(viewer, message.view, language))

    def _board(self, viewer: Viewer, view: GameView | None, language: str) -> tuple[str, ...]:
        with speaking(language):
            return () if view is None else format_view(view, self._names, viewer)

    @property
    def _names(self) -> tuple[str | None, ...]:
        """Names by seat: the sitter, or for an empty seat the player who left the game."""
        chairs, play = self._model.seating.chairs, self._model.play
        players = [player.name for player in play.players] if play is not None else [None] * len(chairs)
        return tuple(
            [
                chair.sitter.name if chair.sitter is not None else chair.gone or player
                for chair, player in zip(chairs, players, strict=True)
            ]
        )

    def _view(self, viewer: Viewer) -> GameView | None:
        model = self._model
        return None if model.play is None else model.game.view(model.play.state, viewer)


def _paged(events: tuple[Event, ...], most: int) -> Iterator[tuple[Event, ...]]:
    """Split events into messages. Each has at most `most` of the usual size, and more if they are of a game: what one
    input revealed stays together, because a viewer could not check a part of it. A single entry of a blind deal may be
    as large as a whole message."""
    page: list[Event] = []
    size = 0
    for event in events:
        more = 1 + _proof_bytes(event) // EVENT_BYTES
        if page and size + more > most and type(event) not in _RULES_EVENTS:
            yield tuple(page)
            page, size = [], 0
        page.append(event)
        size += more
    if page:
        yield tuple(page)


def _proof_bytes(event: Event) -> int:
    match event:
        case BlindEntry(entry=entry):
            return len(entry)
        case BlindOpened(places=places):
            return sum(len(place.shares) for place in places)
        case _:
            return 0
