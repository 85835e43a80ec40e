"""Matching of analyses to games: the step of each weighed decision, and the position it was taken in. Pure.

Only games of the Put family are weighed. A decision is found by what was done: its event, in its hand, behind the
decisions before it; a card is played once in a hand.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from put_client.record.entries import Exercise, ExerciseKind, PlayedGame, Review
from put_client.replay import Replay
from put_protocol.analysis import Quality, Reviewed
from put_protocol.games import put
from put_protocol.games.unions import Action, Choice, Event
from put_protocol.messages import Position
from put_protocol.seats import GALLERY, Seat
from put_text.notation import Sheet
from put_text.presenters.put import TASKS

KINDS: Mapping[put.Moment, ExerciseKind] = {
    put.Moment.LEAD: ExerciseKind.LEAD,
    put.Moment.REPLY: ExerciseKind.FOLLOW,
    put.Moment.ANSWER: ExerciseKind.ANSWER,
    put.Moment.LAST_SAY: ExerciseKind.LAST_SAY,
    put.Moment.OPENING: ExerciseKind.OPENING,
}

_DONE: Mapping[type, type] = {
    put.Put: put.DidPut,
    put.See: put.Saw,
    put.ThrowIn: put.ThrewIn,
    put.Pass: put.Passed,
    put.Double: put.Doubled,
    put.Let: put.LetGive,
    put.Give: put.Gave,
}


def _is_done_by(event: Event, action: Action, seat: Seat) -> bool:
    """True if an event comes of this action of a seat."""
    if getattr(event, "seat", None) != seat:
        return False
    match action:
        case put.Play(card=card):
            return isinstance(event, put.Played) and event.card == card
        case put.Discard(card=card):
            return isinstance(event, put.Discarded) and event.card == card
        case _:
            return isinstance(event, _DONE.get(type(action), ()))


def decisions_at(replay: Replay, review: Review) -> dict[int, Reviewed]:
    """Decisions by the position of the replay that each led to; those that are not found are left out."""
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
    """The decisions of a game that cost something worth a word, as positions to practise; their solution is known."""
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
        asks=f"You are {TASKS[reviewed.moment]}.",
        legal=tuple([Choice(choice.action, choice.says) for choice in reviewed.judged.choices]),
        why=f"From your game of {before.sheet.date[:10]}." if before.sheet.date else "From a game of yours.",
    )
    source = f"game {game.id}, decision {reviewed.number}"
    kind = KINDS[reviewed.moment]
    return Exercise(rule_set=game.rule_set, source=source, kind=kind, position=position, judged=reviewed.judged)
