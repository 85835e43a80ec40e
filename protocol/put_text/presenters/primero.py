"""Primero: the arguments of its messages, and notes for beginners.

No rules are used: all content comes from the event or the view.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from put_protocol.games import primero
from put_protocol.games.primero import PrimeroView, ShownHand
from put_protocol.messages import Decision
from put_protocol.seats import Seat
from put_protocol.text import bare_tag, printable
from put_text.catalogue import say
from put_text.phrases import Speaker, format_hands, task_at

if TYPE_CHECKING:
    from put_text.lessons import Sight


def event_clause(event: primero.PrimeroEvent, who: Speaker) -> str:
    match event:
        case primero.MoreDealt(to=to, cards=cards):
            own, gets = (who.holding(cards), who.holding(cards, "primero-gets")) if cards else ("none", "none")
            return who.say("primero-more", names=who.names(dict.fromkeys(to)), own=own, gets=gets)
        case primero.Bid(amount=amount, level=level) if level > amount:
            return who.tell(event, "primero-raised")
        case primero.Showdown(hands=hands):
            return say("words-semicolon").join(_shown(hands, who)) or say("primero-shows-none")
        case _:
            return who.tell(event, f"primero-{bare_tag(event)}", **_arguments(event, who))


def _arguments(event: primero.PrimeroEvent, who: Speaker) -> Mapping[str, Any]:
    """Arguments that are no fields of the event."""
    match event:
        case primero.TurnedUp(seats=seats, cards=cards):
            return {"turned": who.each("primero-turned-card", seats, cards)}
        case primero.Dealt(counts=counts, cards=cards, antes=antes):
            dealt = [Seat(seat) for seat, count in enumerate(counts) if count]
            to = who.names(dealt) if len(dealt) < len(counts) else "everyone"
            return {"to": to, "again": not any(antes), "own": who.holding(cards) if cards else "none"}
        case primero.Drew(stock=stock) | primero.StockRenewed(stock=stock):
            return {"left": say("words-cards", count=stock)}
        case _:
            return {}


def _shown(hands: Iterable[ShownHand], who: Speaker) -> Iterable[str]:
    for hand in hands:
        yield who.tell(hand, "primero-shown", count=hand.points)


def view_clauses(view: PrimeroView, who: Speaker) -> Iterable[str]:
    yield say("primero-sitting", count=view.hands, limit=view.limit)
    yield from score_clauses(view, who)
    if view.running:
        yield say("primero-running", count=view.running)
    if not view.hand:
        yield say("primero-undealt")
        return
    if not any(view.counts):
        yield from _shown(view.shown, who)
        yield say("primero-over", hand=view.hand, hands=view.hands, pot=view.pot)
        return
    yield who.say("primero-this-is", hand=view.hand, hands=view.hands, dealer=view.dealer, eldest=view.eldest)
    yield from format_hands(view, who, "primero-is-out", lambda seat, count: _holds(view, seat, count, who))
    if view.thrown:
        yield say("primero-laid-down", cards=view.thrown)
    yield say("primero-in-stock", stock=view.stock, left=say("words-cards", count=view.stock))
    for seat, category in enumerate(view.announced):
        if category is not None:
            yield who.say("primero-has-announced", seat=Seat(seat), category=category.value)
    yield from _bets(view, who)
    yield who.to_move(view.to_move, task_at("primero", view.moment))


def _holds(view: PrimeroView, seat: Seat, count: int, who: Speaker) -> str:
    traded = view.traded[seat] if seat < len(view.traded) else 0
    return who.say("primero-holds", seat=seat, count=count, traded=traded, trades=say("words-cards", count=traded))


def _bets(view: PrimeroView, who: Speaker) -> Iterable[str]:
    if view.bettor is not None:
        yield who.say("primero-the-bet", seat=view.bettor, level=view.level)
        yield say("primero-put-in", counts=who.counted(view.put_in))
    if view.refused:
        yield say("primero-refused-it", names=who.names(view.refused))
    if view.barred:
        yield say("primero-barred", names=who.names(view.barred))


def introduction_clauses(view: PrimeroView, who: Speaker) -> Iterable[str]:  # noqa: ARG001  # as in every presenter
    yield say("primero-sitting", count=view.hands, limit=view.limit)
    yield say("primero-pack")
    yield say("primero-way-round")


def score_clauses(view: PrimeroView, who: Speaker) -> Iterable[str]:
    yield say("primero-gains", gains=who.gains(view.gains, so_far=True))
    if view.pot:
        yield say("primero-pot", pot=view.pot)


GRAVE: tuple[type[Struct], ...] = (primero.Refuse, primero.Vada)
"""They decide a hand."""


def _first_bet(decision: Decision, _: "Sight") -> str:
    return say("lesson-primero-bet") if _offers(decision, primero.Bet) else ""


def _announced(decision: Decision, _: "Sight") -> str:
    is_asked = _offers(decision, primero.Announce)
    return say("lesson-primero-announce", why=printable(decision.why)) if is_asked else ""


def _offers(decision: Decision, kind: type[Struct]) -> bool:
    return any(isinstance(choice.action, kind) for choice in decision.legal)


LESSONS_AT_DECISIONS = (("primero.bet", _first_bet), ("primero.announce", _announced))
