"""Triomphe Forcée: the arguments of its messages, and notes for beginners.

No rules are used: all content comes from the event or the view.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from put_protocol.cards import FOOL, LE_BASTELEUR, Card
from put_protocol.games import triomphe
from put_protocol.games.triomphe import TriompheView
from put_protocol.messages import Decision
from put_protocol.seats import Seat
from put_protocol.text import bare_tag, printable
from put_text.catalogue import say
from put_text.phrases import Speaker, format_trick, format_tricks, task_at

if TYPE_CHECKING:
    from put_text.lessons import Sight


def event_clause(event: triomphe.TriompheEvent, who: Speaker) -> str:
    return who.tell(event, f"triomphe-{bare_tag(event)}", **_arguments(event, who))


def _arguments(event: triomphe.TriompheEvent, who: Speaker) -> Mapping[str, Any]:
    """Arguments that are no fields of the event."""
    match event:
        case triomphe.TurnedUp(seats=seats, cards=cards):
            return {"turned": who.each("triomphe-turned-card", seats, cards)}
        case triomphe.Dealt():
            return _deal(event, who)
        case triomphe.Declared(cards=cards):
            return {"declared": [_declared(card, who) for card in cards]}
        case _:
            return {}


def _deal(event: triomphe.Dealt, who: Speaker) -> Mapping[str, Any]:
    dealt = [Seat(seat) for seat, count in enumerate(event.counts) if count]
    sizes = {event.counts[seat] for seat in dealt}
    stakes = {stake for stake in event.stakes if stake}
    part = f"triomphe-dealt-{'each' if len(sizes) == 1 else 'uneven'}{'-to' * (0 < len(dealt) < len(event.counts))}"
    counts, players = who.counted(event.counts), who.names(dealt)
    cards = say(part, count=min(sizes, default=0), counts=counts, players=players)
    staked = "triomphe-stakes-each" if len(stakes) == 1 else "triomphe-stakes-uneven"
    return {
        "dealt": cards,
        "staked": say(staked, stake=min(stakes, default=0), stakes=who.counted(event.stakes)),
        "pool": sum(event.stakes),
        "own": who.holding(event.cards),
    }


def _declared(card: Card, who: Speaker) -> str:
    if card == FOOL:
        return say("triomphe-the-fool")
    return who.card(card) if card == LE_BASTELEUR else who.say("triomphe-la-force", card=card)


def view_clauses(view: TriompheView, who: Speaker) -> Iterable[str]:
    yield say("triomphe-sitting", count=view.hands, stake=view.stake)
    yield say("triomphe-force", card=view.force)
    yield from score_clauses(view, who)
    if not view.hand:
        yield say("triomphe-undealt")
        return
    if not any(view.counts) and view.to_move is None:
        yield from _cards_so_far(view, who)
        yield say("triomphe-over", hand=view.hand)
        return
    yield who.say("triomphe-dealing", hand=view.hand, dealer=view.dealer, eldest=view.eldest)
    for place, count in enumerate(view.counts):
        seat = Seat(place)
        own = seat == who.you and view.cards
        yield who.holding(view.cards) if own else who.say("words-holds-count", seat=seat, count=count)
    yield from _cards_so_far(view, who)
    played = format_trick(view.trick, who)
    yield say("triomphe-on-the-table", played=played) if played else say("triomphe-empty-table")
    yield who.to_move(view.to_move, task_at("triomphe", view.moment))


def _cards_so_far(view: TriompheView, who: Speaker) -> Iterable[str]:
    for seat, shown in enumerate(view.declared):
        if shown:
            yield who.say("triomphe-showed", seat=Seat(seat), cards=shown)
    yield from format_tricks(view.past, view.tricks, who)


def introduction_clauses(view: TriompheView, who: Speaker) -> Iterable[str]:  # noqa: ARG001  # as in every presenter
    yield say("triomphe-sitting", count=view.hands, stake=view.stake)
    yield say("triomphe-trumps")
    yield say("triomphe-suits")
    yield say("triomphe-force", card=view.force)


def score_clauses(view: TriompheView, who: Speaker) -> Iterable[str]:
    yield say("triomphe-gains", gains=who.gains(view.gains, so_far=True))
    if view.pool:
        yield say("triomphe-pool", pool=view.pool)


GRAVE: tuple[type[Struct], ...] = ()
"""No single card decides a deal."""


def _first_trick(decision: Decision, sight: "Sight") -> str:
    view: triomphe.TriompheView = sight.view
    if view.to_move != sight.seat or not decision.why:
        return ""
    return say("lesson-triomphe-play", why=printable(decision.why))


LESSONS_AT_DECISIONS = (("triomphe.play", _first_trick),)
