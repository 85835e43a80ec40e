"""Lessons of Put and its relatives."""

from put_protocol.games import put
from put_protocol.games.unions import Choice
from put_protocol.messages import Decision
from put_protocol.seats import Seat
from put_protocol.text import printable
from put_text.catalogue import say
from put_text.lessons import AtEvent, Sight
from put_text.phrases import Speaker

PAIR = 2


def _choice(decision: Decision, kind: type) -> Choice | None:
    return next((choice for choice in decision.legal if isinstance(choice.action, kind)), None)


def _meaning(choice: Choice) -> str:
    """Consequence of a choice, in the server's words, or else the choice."""
    head, _, rest = printable(choice.says).partition(": ")
    return (rest or head).strip()


def _lead(decision: Decision, sight: Sight) -> str:
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


def _nothing_to_lose(decision: Decision, sight: Sight) -> str:
    """Putting costs nothing between two players when the hand in play may end the game anyway."""
    view: put.PutView = sight.view
    if _choice(decision, put.Put) is None or len(view.scores) != PAIR or view.plain is not put.Worth.VALUE:
        return ""
    other = Seat(1 - sight.seat)
    if view.scores[other] + view.value < view.target:
        return ""
    return say("lesson-put-last", name=sight.name(other))


def _may_put(decision: Decision, _: Sight) -> str:
    choice = _choice(decision, put.Put)
    if choice is None:
        return ""
    return say("lesson-put-put", meaning=_meaning(choice))


def _other_put(decision: Decision, sight: Sight) -> str:
    see, throw = _choice(decision, put.See), _choice(decision, put.ThrowIn)
    if see is None or throw is None or not sight.has_put:
        return ""
    answer = say("lesson-put-answer", see=_meaning(see), throw=_meaning(throw))
    return " ".join([answer, *_when_to_see(sight)])


def _when_to_see(sight: Sight) -> tuple[str, ...]:
    """The score that throwing in would bring, to hold the cards against."""
    view: put.PutView = sight.view
    if len(view.scores) != PAIR or view.plain is not put.Worth.VALUE or view.accepted is not put.Worth.GAME:
        return ()
    theirs = view.scores[1 - sight.seat] + view.value
    if theirs >= view.target:
        return (say("lesson-put-see-any"),)
    return (say("lesson-put-see-if", yours=view.scores[sight.seat], theirs=theirs),)


def _tie(event: put.TrickEnded, sight: Sight) -> str:
    if event.winner is not None or sight.view is None or sight.view.is_doubling:
        return ""  # the French may give tied tricks to a player later
    return Speaker(sight.names, sight.seat).say("lesson-put-tie", leader=event.leader)


def _seen(event: put.Saw, sight: Sight) -> str:
    if event.value or sight.view is None or sight.view.plain is put.Worth.GAME:
        return ""  # a double; or every hand decides the game here
    return say("lesson-put-seen")


def _purse(event: put.GameEnded, sight: Sight) -> str:
    if sight.seat >= len(event.paid):
        return ""
    return say("lesson-put-purse", gain=f"{event.paid[sight.seat]:+d}")


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
