"""Put and its relatives: the arguments of their messages.

Nothing is worked out by a rule: all that is said stands in the event or the view.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from put_protocol.games import put
from put_protocol.games.put import Moment, PutView
from put_protocol.seats import GALLERY, Seat
from put_text.catalogue import listed, say
from put_text.phrases import Speaker, event_tag, format_trick, format_tricks, task_at


def event_clause(event: put.PutEvent, who: Speaker) -> str:
    return who.tell(event, f"put-{event_tag(event)}", **_arguments(event, who))


def _arguments(event: put.PutEvent, who: Speaker) -> Mapping[str, Any]:
    """Arguments that are not a field of the event."""
    match event:
        case put.Drawn(seats=seats, cards=cards):
            pairs = zip(seats, cards, strict=False)
            return {"draws": [who.say("put-draws", seat=seat, card=card) for seat, card in pairs]}
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
    """The player opposite: partnerships are of four."""
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
    yield from _holdings(view, who)
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


def _holdings(view: PutView, who: Speaker) -> Iterable[str]:
    for place, count in enumerate(view.counts):
        seat = Seat(place)
        if place < len(view.playing) and not view.playing[place]:
            yield who.say("put-out", seat=seat)
        elif seat == who.you:
            yield say("words-holds", seat="you", cards=view.cards)
        else:
            yield who.say("words-holds-count", seat=seat, count=count)


GRAVE: tuple[type[Struct], ...] = (put.Put, put.See, put.ThrowIn, put.Double)
"""They decide a hand or a game."""
