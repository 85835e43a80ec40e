"""Put and its relatives: the arguments of their messages, and notes for beginners.

No rules are used: all content comes from the event or the view.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from put_protocol.games import put
from put_protocol.games.put import Moment, PutView
from put_protocol.games.unions import Choice
from put_protocol.messages import Decision
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import bare_tag, capitalized, printable
from put_text.catalogue import listed, say
from put_text.phrases import Speaker, format_hands, format_trick, format_tricks, task_at

if TYPE_CHECKING:
    from put_text.lessons import AtEvent, Sight


def event_clause(event: put.PutEvent, who: Speaker) -> str:
    return who.tell(event, f"put-{bare_tag(event)}", **_arguments(event, who))


def _arguments(event: put.PutEvent, who: Speaker) -> Mapping[str, Any]:
    """Arguments that are no fields of the event."""
    match event:
        case put.Drawn(seats=seats, cards=cards):
            return {"draws": who.each("put-draws", seats, cards)}
        case put.Dealt(cards=cards):
            return {"dealt": _dealt(event, who), "own": who.holding(cards)}
        case put.TakenUp(cards=cards):
            return {"own": who.holding(cards)}
        case put.LetGive(seat=seat):
            return {"partner": _partner(seat, who)}
        case put.Doubled(seat=seat) | put.DidPut(seat=seat):
            return who.person("to", who.other(seat))
        case put.HandEnded(winner=winner, scores=scores):
            return {"players": who.seats, "score": 0 if winner is None or winner >= len(scores) else scores[winner]}
        case put.GameEnded(paid=paid, rubber=rubber):
            flows = sorted([(amount, Seat(seat)) for seat, amount in enumerate(paid) if amount])
            payments = [
                who.say("put-pays" if amount < 0 else "put-receives", seat=seat, count=abs(amount))
                for amount, seat in flows
            ]
            return {"flows": len(flows), "payments": payments, "games": len(rubber)}
        case _:
            return {}


def _partner(seat: Seat, who: Speaker) -> str:
    """The player opposite: partnerships have four players."""
    return who.name(Seat((seat + 2) % 4)) if who.seats == 4 else say("put-the-partner")


def _dealt(event: put.Dealt, who: Speaker) -> str:
    dealt = [Seat(seat) for seat, count in enumerate(event.counts) if count]
    sizes = {event.counts[seat] for seat in dealt}
    if len(sizes) == 1:
        message = "put-dealt-each-to" if len(dealt) < len(event.counts) else "put-dealt-each"
        return say(message, count=sizes.pop(), players=who.names(dealt))
    each = [who.say("put-dealt-to", count=event.counts[seat], seat=seat) for seat in dealt]
    return listed(each) or say("words-no-cards")


def view_clauses(view: PutView, who: Speaker) -> Iterable[str]:
    yield say("put-to-points-score", count=view.target, scores=who.counted(view.scores))
    if view.rubber:
        yield say("put-rubber", rubber=who.counted(view.rubber))
    tricks = list(format_tricks(view.past, view.tricks, who))
    if not view.hand or (not any(view.counts) and view.to_move is None):
        yield from tricks
        yield say("put-over", hand=view.hand) if view.hand else say("put-undealt")
        return
    yield who.say("put-dealing", hand=view.hand, dealer=view.dealer, eldest=view.eldest)
    for seat in map(Seat, range(len(view.sides)) if who.you != GALLERY else ()):
        if who.you != GALLERY and view.are_partners(who.you, seat):
            yield who.say("put-your-partner", seat=seat)
    if view.accident is not None:
        yield who.tell(view.accident, "put-accident")
    for giver in view.givers:
        yield who.say("put-given", seat=giver, partner=_partner(giver, who))
    yield from format_hands(
        view, who, "put-out", lambda seat, count: who.say("words-holds-count", seat=seat, count=count)
    )
    if view.gave is not None:
        yield say("put-you-gave", card=view.gave)
    if view.thrown:
        yield say("put-you-threw", cards=view.thrown)
    yield from tricks
    if view.trick.cards:
        yield say("put-on-the-table", played=format_trick(view.trick, who))
    elif view.to_move is not None:
        yield say("put-empty-table")
    if view.putter is not None:
        message = "put-has-doubled" if view.is_doubling else "put-has-put"
        seen = {"seers": len(view.seen_by), "seen": who.names(view.seen_by)}
        yield who.say(message, seat=view.putter, count=view.value, **seen)
    yield who.to_move(view.to_move, task_of(view))


def task_of(view: PutView) -> str:
    if view.moment is Moment.ANSWER and view.is_doubling:
        return say("put-task-answer-double")
    return task_at("put", view.moment)


def introduction_clauses(view: PutView, who: Speaker) -> Iterable[str]:
    yield say("put-to-points", count=view.target)
    if view.ranking:
        yield say("put-ranks", ranks=[say("words-rank", rank=rank) for rank in view.ranking])
    for side in dict.fromkeys(view.sides):
        partners = [Seat(seat) for seat, its in enumerate(view.sides) if its == side]
        yield say("put-partners", names=who.names(partners))


def score_clauses(view: PutView, who: Speaker) -> Iterable[str]:
    yield say("put-score", scores=who.counted(view.scores))
    if view.rubber:
        yield say("put-rubber", rubber=who.counted(view.rubber))


GRAVE: tuple[type[Struct], ...] = (put.Put, put.See, put.ThrowIn, put.Double)
"""They decide a hand or a game."""


PAIR = 2


def _choice(decision: Decision, kind: type) -> Choice | None:
    return next((choice for choice in decision.legal if isinstance(choice.action, kind)), None)


def _meaning(choice: Choice) -> str:
    """Consequence of a choice in the server's words, otherwise the choice."""
    head, _, rest = printable(choice.says).partition(": ")
    return (rest or head).strip()


def _lead(decision: Decision, sight: "Sight") -> str:
    """The aim of the game, at the player's first card."""
    view: put.PutView = sight.view
    if _choice(decision, put.Play) is None:
        return ""
    is_eldest = view.eldest == sight.seat and not view.trick.cards
    is_by_points = view.plain is put.Worth.VALUE and view.value == 1
    aim = say("lesson-put-aim-points", target=view.target) if is_by_points else say("lesson-put-aim")
    said = [say("lesson-put-eldest")] if is_eldest else []
    said += [aim, say("lesson-put-any-card")]
    if best := ", ".join([say("words-rank", rank=rank) for rank in map(printable, view.ranking[:4])]):
        said.append(say("lesson-put-best", ranks=best))
    return " ".join(said)


def _nothing_to_lose(decision: Decision, sight: "Sight") -> str:
    """Putting costs nothing in a game of two if the hand may end the game in any case."""
    view: put.PutView = sight.view
    if _choice(decision, put.Put) is None or len(view.scores) != PAIR or view.plain is not put.Worth.VALUE:
        return ""
    other = Seat(1 - sight.seat)
    if view.scores[other] + view.value < view.target:
        return ""
    return say("lesson-put-last", name=sight.name(other))


def _may_put(decision: Decision, _: "Sight") -> str:
    choice = _choice(decision, put.Put)
    if choice is None:
        return ""
    return say("lesson-put-put", meaning=_meaning(choice))


def _other_put(decision: Decision, sight: "Sight") -> str:
    see, throw = _choice(decision, put.See), _choice(decision, put.ThrowIn)
    if see is None or throw is None or sight.view.is_doubling:
        return ""
    answer = say("lesson-put-answer", see=capitalized(printable(see.says)), throw=printable(throw.says))
    return " ".join([answer, *_when_to_see(sight)])


def _when_to_see(sight: "Sight") -> tuple[str, ...]:
    """The score after throwing in, as a help to judge the cards."""
    view: put.PutView = sight.view
    if len(view.scores) != PAIR or view.plain is not put.Worth.VALUE or view.accepted is not put.Worth.GAME:
        return ()
    theirs = view.scores[1 - sight.seat] + view.value
    if theirs >= view.target:
        return (say("lesson-put-see-any"),)
    return (say("lesson-put-see-if", yours=view.scores[sight.seat], theirs=theirs),)


def _tie(event: put.TrickEnded, sight: "Sight") -> str:
    if event.winner is not None or sight.view is None or sight.view.is_doubling:
        return ""  # the French may give tied tricks to a player later
    return Speaker(sight.names, sight.seat).say("lesson-put-tie", leader=event.leader)


def _seen(event: put.Saw, sight: "Sight") -> str:
    if event.value or sight.view is None or sight.view.plain is put.Worth.GAME:
        return ""  # a double; or every hand decides the game here
    return say("lesson-put-seen")


def _purse(event: put.GameEnded, sight: "Sight") -> str:
    if event.goes_on or sight.seat >= len(event.paid):
        return ""
    return say("lesson-put-purse", gain=f"{event.paid[sight.seat]:+d}")


LESSONS_AT_EVENTS: dict[type, tuple[str, "AtEvent"]] = {
    put.TrickEnded: ("put.tie", _tie),
    put.Saw: ("put.seen", _seen),
    put.GameEnded: ("put.purse", _purse),
}

LESSONS_AT_DECISIONS = (
    ("put.answer", _other_put),
    ("put.lead", _lead),
    ("put.put", _may_put),
    ("put.last", _nothing_to_lose),
)
