"""Trainer: chooses the next exercise: a position that is due, a mistake from one's own games, or a new position.

New positions come from another process or a server, which also judges the answers. A position with a wrong answer is
stored with its solution, and repeated. Positions are in boxes, each due later than the previous one (Leitner's method):
a right answer moves a position to the next box, a wrong one back to the first. Days are counted from 1970.

Mistakes are found by matching an analysis to its game: the step and the position of each analysed decision. Only games
of the Put family are analysed. A decision is identified by the event of its action, in its hand, after the earlier
decisions; a card is played once in a hand.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from put_client.fairness.referee import turns_of
from put_client.record.store import Answer, Exercise, ExerciseKind, LocalRecord, PlayedGame, Review
from put_client.sdk.client import Client
from put_client.sdk.errors import ClientError, Unanswered
from put_client.sdk.lasting_wire import ConnectionBack
from put_client.sdk.weigher import COMMAND, weighed
from put_client.sheet_replay import Replay
from put_protocol.analysis import Judged, Quality, Reviewed, quality_of
from put_protocol.games import put
from put_protocol.games.put import PutView
from put_protocol.games.unions import Action, Choice, Event
from put_protocol.messages import Drill, Grade, Judgement, Position, Refused
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import sentence
from put_runtime.child_process import CannotStart, ChildProcess
from put_text.analysis_text import percent
from put_text.catalogue import LANGUAGE, say
from put_text.notation import Sheet
from put_text.phrases import task_at

WAIT_S: Final = 90.0
"""Time to wait for a position or a judgement: a server computes one after another, and others may be first."""

M = TypeVar("M", Position, Judgement)

_Answer = Position | Judgement | Refused

_answer_of: Callable[[bytes], _Answer] = msgspec.json.Decoder(_Answer).decode


class NothingToPractise(Exception):
    """No position is available now; the message is a sentence."""


class Positions(Protocol):
    """:raises NothingToPractise: by both methods, if there is no answer."""

    async def position(self, game: str) -> Position: ...
    async def judgement(self, game: str, number: int, action: Action) -> Judgement: ...
    async def end(self) -> None:
        """End; may be called again."""


class PracticeProcess:
    """Positions from a process with the solutions, without a server. It starts on first use."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._process: ChildProcess | None = None

    async def position(self, game: str) -> Position:
        return await self._ask(Drill(1, game), Position)

    async def judgement(self, game: str, number: int, action: Action) -> Judgement:
        return await self._ask(Grade(1, game, number, action), Judgement)

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stdin.close()
            await process.end(terminate_s=0)

    async def _ask(self, request: Drill | Grade, kind: type[M]) -> M:
        try:
            async with asyncio.timeout(WAIT_S):
                if self._process is None:
                    self._process = await ChildProcess.start((*self._command, LANGUAGE.get()))
                self._process.stdin.write(msgspec.json.encode(request) + b"\n")
                await self._process.stdin.drain()
                answer = _answer_of(await self._process.stdout.readuntil(b"\n"))
        except (CannotStart, OSError, EOFError, asyncio.LimitOverrunError, ValueError, msgspec.DecodeError):
            await self.end()
            raise NothingToPractise(say("record-no-solutions")) from None
        return _found(answer, kind)


class ServerPositions:
    """Positions of the server that a client is connected to. No other task may iterate over the client meanwhile."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def position(self, game: str) -> Position:
        return await self._ask(lambda: self._client.drill(game), Position)

    async def judgement(self, game: str, number: int, action: Action) -> Judgement:
        return await self._ask(lambda: self._client.grade(game, number, action), Judgement)

    async def end(self) -> None:
        pass  # the caller owns the connection

    async def _ask(self, ask: Callable[[], Awaitable[int]], kind: type[M]) -> M:
        """The message that follows a request. After a lost connection the request is repeated, because the message may
        be lost; repeating does no harm."""
        try:
            async with asyncio.timeout(WAIT_S):
                request = await ask()
                async for message in self._client:
                    if isinstance(message, ConnectionBack):
                        request = await ask()
                    elif isinstance(message, kind) and message.id == request:
                        return _found(message, kind)
        except TimeoutError:
            why = say("record-nothing-came", seconds=round(WAIT_S))
            raise NothingToPractise(str(Unanswered(kind.__name__.casefold(), why))) from None
        except ClientError as error:
            raise NothingToPractise(str(error)) from None
        raise NothingToPractise(say("record-closed"))


def _found(answer: _Answer, kind: type[M]) -> M:
    if isinstance(answer, Refused):
        raise NothingToPractise(sentence(answer.says))
    if answer.flaw or not isinstance(answer, kind):
        raise NothingToPractise(sentence(answer.flaw or "there is no such position"))
    return answer


KINDS: Mapping[put.Moment, ExerciseKind] = {
    put.Moment.LEAD: ExerciseKind.LEAD,
    put.Moment.REPLY: ExerciseKind.FOLLOW,
    put.Moment.ANSWER: ExerciseKind.ANSWER,
    put.Moment.LAST_SAY: ExerciseKind.LAST_SAY,
    put.Moment.OPENING: ExerciseKind.OPENING,
}


def _is_done_by(event: Event, action: Action, seat: Seat) -> bool:
    told_by = action.TOLD_BY or action.__struct_config__.tag  # to let give has an event of its own
    card = getattr(action, "card", None)
    is_card = card is None or getattr(event, "card", None) == card
    return event.__struct_config__.tag == told_by and getattr(event, "seat", None) == seat and is_card


def decisions_at(replay: Replay, review: Review) -> dict[int, Reviewed]:
    """Decisions by the position in the replay after each; unmatched ones are left out."""
    seat = replay.sheet.viewer
    found: dict[int, Reviewed] = {}
    if seat == GALLERY:
        return found
    waiting, hand = list(review), 0
    for position, step in enumerate(replay.sheet.steps, 1):
        for event in step.events:
            if isinstance(event, put.Dealt):
                hand = event.hand
                while waiting and waiting[0].hand < hand:
                    del waiting[0]
            elif waiting and waiting[0].hand == hand and _is_done_by(event, waiting[0].judged.done, seat):
                found[position] = waiting.pop(0)
    return found


def exercises_of(game: PlayedGame, sheet: Sheet, review: Review) -> tuple[Exercise, ...]:
    """The mistakes of a game as positions to practise, with known solutions."""
    replay = Replay.of(sheet)
    return tuple(
        [
            _exercise(game, replay.to(position - 1), reviewed)
            for position, reviewed in decisions_at(replay, review).items()
            if reviewed.judged.quality is not Quality.FINE and reviewed.moment in KINDS
        ]
    )


def _exercise(game: PlayedGame, before: Replay, reviewed: Reviewed) -> Exercise:
    view = replace(before.view, to_move=game.seat, moment=reviewed.moment)
    assert isinstance(view, put.PutView)
    position = Position(
        id=1,
        game=game.rule_set,
        seat=game.seat,
        names=before.sheet.names,
        view=view,
        asks=sentence(say("words-is-to", seat="you", task=task_at("put", reviewed.moment))),
        legal=tuple([Choice(choice.action, choice.says) for choice in reviewed.judged.choices]),
        why=say("record-from-yours", date=before.sheet.date[:10] or "none"),
    )
    source = f"game {game.id}, decision {reviewed.number}"
    kind = KINDS[reviewed.moment]
    return Exercise(rule_set=game.rule_set, source=source, kind=kind, position=position, judged=reviewed.judged)


GAMES_SEARCHED: Final = 200

WEIGHED: Final = 10
"""Games that are weighed before a practice; others, before the next."""

TRIES: Final = 3
"""New positions to request until one is of the player's weakest kind."""

RECENT: Final = 3
"""Number of other positions before one is repeated."""

DAY_MS: Final = 86_400_000

WAITS: Final = (0, 1, 3, 7, 16, 35, 90)
"""Days until a position is due, by its new box; 0: in the same sitting."""


def after_answer(box: int, day: int, *, is_right: bool) -> tuple[int, int]:
    """New box of a position, and the day when it is due."""
    box = min(box + 1, len(WAITS) - 1) if is_right else 0
    return box, day + WAITS[box]


def judged_anew(judged: Judged, action: Action) -> Judged:
    """The same decision with another action as `done`. It contains the worth of every choice."""
    after = next(choice.chance for choice in judged.choices if choice.action == action)
    return replace(judged, done=action, after=after, quality=quality_of(judged.before - after))


@dataclass(slots=True)
class Score:
    answered: int = 0
    right: int = 0
    """Fine answers."""
    cost: int = 0
    """Cost of all answers, in ten-thousandths of a game."""

    def count(self, judged: Judged) -> None:
        self.answered += 1
        self.right += judged.quality is Quality.FINE
        self.cost += judged.cost

    def in_words(self) -> str:
        if not self.answered:
            return say("client-drill-nothing")
        each = percent(round(self.cost / self.answered))
        return say("client-drill-score", count=self.answered, right=self.right, each=each)


class Trainer:
    """One person's practice at one rule set. `clock`: milliseconds since 1970; `positions`: source of new ones."""

    def __init__(
        self, record: LocalRecord, rule_set: str, clock: Callable[[], int], positions: Positions | None = None
    ) -> None:
        self._record = record
        self._rule_set = rule_set
        self._clock = clock
        self._positions = PracticeProcess() if positions is None else positions
        self._recent: deque[str] = deque(maxlen=RECENT)
        self.score = Score()

    async def weigh(self) -> None:
        """Weigh games that were not weighed when they ended: their player was gone too soon, or the server was.

        :raises RecordError: the record cannot be used.
        """
        tried, unsolved = 0, list[Mapping[str, str | int]]()
        for game in self._record.games(GAMES_SEARCHED):
            is_unweighed = game.weighed is None and game.has_sheet and len(game.opponents) == 1
            if not is_unweighed or game.rule_set != self._rule_set or game.options in unsolved or tried == WEIGHED:
                continue
            kept = self._record.sheet(game.id)
            turns = None if kept is None else turns_of(kept[0])
            if turns is None:
                continue
            tried += 1
            analysis = await weighed(turns)
            if analysis.flaw:
                unsolved.append(game.options)
            else:
                self._record.save_analysis(game.id, analysis)

    def gather(self) -> int:
        """Add mistakes from recorded games to the exercises. Returns the number of new ones.

        :raises RecordError: the record is unusable.
        """
        known, count, today = self._record.sources(), 0, self._clock() // DAY_MS
        for game in self._record.games(GAMES_SEARCHED):
            is_worth_it = game.weighed is not None and game.weighed.fine < game.weighed.decisions
            if not (game.has_sheet and is_worth_it and game.rule_set == self._rule_set):
                continue
            kept = self._record.sheet(game.id)
            for exercise in () if kept is None else exercises_of(game, *kept):
                if exercise.source not in known:
                    count += self._record.add_exercise(replace(exercise, due=today))
        return count

    async def next(self) -> Exercise:
        """A position that is due, otherwise a new one.

        :raises RecordError: the record is unusable.
        :raises NothingToPractise: nothing is due, and there is no new position.
        """
        for exercise in self._record.due(self._rule_set, self._clock() // DAY_MS, RECENT + 1):
            if exercise.source not in self._recent:
                return exercise
        weak = self._weakest()
        for tried in range(TRIES):
            exercise = await self._new()
            if weak is None or exercise.kind is weak or tried == TRIES - 1:
                return exercise
        raise AssertionError("the last try is taken")

    async def answer(self, exercise: Exercise, action: Action) -> Judged:
        """Judge an answer, count it, and schedule the position.

        :raises RecordError: the record cannot be written.
        :raises NothingToPractise: the answer cannot be judged.
        """
        if exercise.judged.choices:
            judged = judged_anew(exercise.judged, action)
        else:
            judged = await self._graded(exercise, action)
        now = self._clock()
        today = now // DAY_MS
        is_right = judged.quality is Quality.FINE
        self._recent.append(exercise.source)
        kept = Answer(at=now, rule_set=self._rule_set, kind=exercise.kind, cost=judged.cost, is_right=is_right)
        self._record.save_answer(kept)
        if exercise.id:
            box, due = after_answer(exercise.box, today, is_right=is_right)
            self._record.schedule(exercise.id, box=box, due=due)
        elif not is_right:
            self._record.add_exercise(replace(exercise, judged=judged, due=today))
        self.score.count(judged)
        return judged

    def skip(self, exercise: Exercise) -> None:
        """Leave a position unanswered. It stays due, and others come before it."""
        self._recent.append(exercise.source)

    async def end(self) -> None:
        """Nothing more is asked; may be called again."""
        await self._positions.end()

    def _weakest(self) -> ExerciseKind | None:
        """The kind of decision with the highest average cost, among those answered at least three times."""
        costs: dict[ExerciseKind, list[int]] = {}
        for answer in self._record.answers():
            costs.setdefault(answer.kind, []).append(answer.cost)
        means = {kind: sum(each) / len(each) for kind, each in costs.items() if len(each) >= RECENT and any(each)}
        return max(means, key=lambda kind: means[kind], default=None)

    async def _new(self) -> Exercise:
        position = await self._positions.position(self._rule_set)
        if not isinstance(position.view, PutView):
            raise NothingToPractise(say("record-no-position"))
        moment = position.view.moment
        kind = ExerciseKind.LEAD if moment is None else KINDS.get(moment, ExerciseKind.LEAD)
        unknown = Judged(before=0, after=0, quality=Quality.FINE, done=position.legal[0].action, choices=())
        source = f"position {position.number}"
        return Exercise(rule_set=self._rule_set, source=source, kind=kind, position=position, judged=unknown)

    async def _graded(self, exercise: Exercise, action: Action) -> Judged:
        judgement = await self._positions.judgement(self._rule_set, exercise.position.number, action)
        if judgement.judged is None:
            raise NothingToPractise(say("record-no-judgement"))
        return judgement.judged
