"""Lessons of Put and its relatives."""

from put_protocol.cards import RANK_NAMES
from put_protocol.games import put
from put_protocol.games.unions import Choice
from put_protocol.messages import Decision
from put_protocol.seats import Seat
from put_protocol.text import printable
from put_text.lessons.lesson import AtEvent, Sight

PAIR = 2


def _choice(decision: Decision, kind: type) -> Choice | None:
    return next((choice for choice in decision.legal if isinstance(choice.action, kind)), None)


def _meaning(choice: Choice) -> str:
    """Consequence of a choice, in the server's words, or else the choice."""
    head, _, rest = printable(choice.says).partition(": ")
    return rest or head


def _lead(decision: Decision, sight: Sight) -> str:
    """The aim of the game, at the player's first card."""
    view: put.PutView = sight.view
    if _choice(decision, put.Play) is None:
        return ""
    eldest = "You are eldest: you play first. " if view.eldest == sight.seat and not view.trick.cards else ""
    aim = "The most tricks win the hand"
    if view.plain is put.Worth.VALUE and view.value == 1:
        aim += f" and a point, and {view.target} points the game"
    best = ", ".join([RANK_NAMES.get(rank, rank) for rank in map(printable, view.ranking[:4])])
    order = f" {best} are the best, in that order." if best else ""
    return f"{eldest}{aim}. Play any card: the highest takes the trick, of any suit.{order}"


def _nothing_to_lose(decision: Decision, sight: Sight) -> str:
    """Putting costs nothing between two players when the hand in play may end the game anyway."""
    view: put.PutView = sight.view
    if _choice(decision, put.Put) is None or len(view.scores) != PAIR or view.plain is not put.Worth.VALUE:
        return ""
    other = Seat(1 - sight.seat)
    if view.scores[other] + view.value < view.target:
        return ""
    return (
        f"{sight.name(other)} needs one more point: if they win this hand they win the game, put or no put. "
        "So a put costs you nothing. Thrown in, it is a point; seen, it may win you the game."
    )


def _may_put(decision: Decision, _: Sight) -> str:
    choice = _choice(decision, put.Put)
    if choice is None:
        return ""
    return f"You may put: {_meaning(choice)}. With good cards, hope to be seen; with bad ones, to be believed."


def _other_put(decision: Decision, sight: Sight) -> str:
    see, throw = _choice(decision, put.See), _choice(decision, put.ThrowIn)
    if see is None or throw is None or not sight.has_put:
        return ""
    return f"A put may be good cards, or nothing. See it: {_meaning(see)}. Or {_meaning(throw)}.{_when_to_see(sight)}"


def _when_to_see(sight: Sight) -> str:
    """The score that throwing in would bring, to hold the cards against."""
    view: put.PutView = sight.view
    if len(view.scores) != PAIR or view.plain is not put.Worth.VALUE or view.accepted is not put.Worth.GAME:
        return ""
    theirs = view.scores[1 - sight.seat] + view.value
    if theirs >= view.target:
        return " Thrown in, the game is lost: so see with any hand."
    score = f"{view.scores[sight.seat]} to {theirs}"
    return f" Thrown in, it is {score}: see if your cards win the hand more often than you would the game from there."


def _tie(event: put.TrickEnded, sight: Sight) -> str:
    if event.winner is not None or sight.view is None or sight.view.is_doubling:
        return ""  # the French may give tied tricks to a player later
    leads = "You lead" if event.leader == sight.seat else f"{sight.name(event.leader)} leads"
    return f"The best cards are tied, so no player takes this trick. {leads} the next. One trick may now win the hand."


def _seen(event: put.Saw, sight: Sight) -> str:
    if event.value or sight.view is None or sight.view.plain is put.Worth.GAME:
        return ""  # a double; or every hand decides the game here
    return "The put is seen: this hand now decides the whole game at any score, unless it is drawn."


def _purse(event: put.GameEnded, sight: Sight) -> str:
    if sight.seat >= len(event.paid):
        return ""
    gain = event.paid[sight.seat]
    return f"Your purse at this table changes by {gain:+d}: it counts stakes won less stakes lost, and is no money."


AT_EVENTS: dict[type, tuple[str, AtEvent]] = {
    put.TrickEnded: ("put.tie", _tie),
    put.Saw: ("put.seen", _seen),
    put.GameEnded: ("put.purse", _purse),
}

AT_DECISIONS = (
    ("put.answer", _other_put),
    ("put.lead", _lead),
    ("put.put", _may_put),
    ("put.last", _nothing_to_lose),
)
