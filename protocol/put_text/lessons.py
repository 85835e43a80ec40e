"""Notes for beginners: a few sentences each, at the moment they matter, in games of every family that has any. Pure.

A family has a table of lessons; each says when it is due, and its words are taken from the view, the event or the
server's own words for the choices, so that they are true under every rule set. `Lessons` follows one table and gives
those that are due and not yet known.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from put_protocol.cards import RANK_NAMES
from put_protocol.games import primero, put, triomphe
from put_protocol.games.families import family_of
from put_protocol.games.unions import Choice, GameView, ending_of
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted
from put_protocol.text import capitalized, printable


class Lesson(NamedTuple):
    """One note."""

    name: str
    """`put.tie`: by it a lesson is known."""
    says: str
    """Sentences."""


class Sight(NamedTuple):
    """What one player sees when something happened or is asked of them."""

    seat: Seat
    names: tuple[str, ...]
    view: Any
    """The family's."""
    has_put: bool
    """Somebody has put, and this hand is not over."""

    def name(self, seat: Seat) -> str:
        return printable(self.names[seat]) if seat < len(self.names) and self.names[seat] else "the other"


AtEvent = Callable[[Any, Sight], str]
AtDecision = Callable[[Decision, Sight], str]
"""The words of a lesson; empty: it is not due."""


# --- Put and its relatives -------------------------------------------------------------------------------------------


def _choice(decision: Decision, kind: type) -> Choice | None:
    return next((choice for choice in decision.legal if isinstance(choice.action, kind)), None)


def _meaning(choice: Choice) -> str:
    """What comes of a choice, in the server's words, or else what it is."""
    head, _, rest = printable(choice.says).partition(": ")
    return rest or head


def _lead(decision: Decision, sight: Sight) -> str:
    view: put.PutView = sight.view
    if view.trick.cards or _choice(decision, put.Play) is None:
        return ""
    eldest = "You are eldest: you play first. " if view.eldest == sight.seat else ""
    best = ", ".join([RANK_NAMES.get(rank, rank) for rank in map(printable, view.ranking[:4])])
    order = f" {best} are the best, in that order." if best else ""
    return f"{eldest}Lead any card: the highest takes the trick, whatever its suit.{order}"


def _may_put(decision: Decision, _: Sight) -> str:
    choice = _choice(decision, put.Put)
    if choice is None:
        return ""
    return f"You may put: {_meaning(choice)}. With good cards, hope to be seen; with bad ones, to be believed."


def _other_put(decision: Decision, sight: Sight) -> str:
    see, throw = _choice(decision, put.See), _choice(decision, put.ThrowIn)
    if see is None or throw is None or not sight.has_put:
        return ""
    return f"A put may be good cards, or nothing. See it: {_meaning(see)}. Or {_meaning(throw)}."


def _tie(event: put.TrickEnded, sight: Sight) -> str:
    if event.winner is not None or sight.view is None or sight.view.is_doubling:
        return ""  # the French may give tied tricks to somebody later
    leads = "You lead" if event.leader == sight.seat else f"{sight.name(event.leader)} leads"
    return f"A tie of the highest: nobody takes this trick. {leads} the next. One trick may now be enough for the hand."


def _seen(event: put.Saw, sight: Sight) -> str:
    if event.value or sight.view is None or sight.view.plain is put.Worth.GAME:
        return ""  # a double; or every hand decides the game here
    return "The put is seen: this hand now decides the whole game, whatever the score; unless it is drawn."


def _purse(event: put.GameEnded, sight: Sight) -> str:
    if sight.seat >= len(event.paid):
        return ""
    gain = event.paid[sight.seat]
    return f"Your purse at this table changes by {gain:+d}: it counts stakes won less stakes lost, and is no money."


# --- the others ------------------------------------------------------------------------------------------------------


def _first_trick(decision: Decision, sight: Sight) -> str:
    view: triomphe.TriompheView = sight.view
    if view.to_move != sight.seat or not decision.why:
        return ""
    return f"Here you are not free in what you play. {printable(decision.why)}"


def _first_bet(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Bet) for choice in decision.legal):
        return ""
    return (
        "A bet is put to the others in turn: each sees it, raises it or refuses, and who refuses is out if anybody "
        "takes it. The purse may go below nothing."
    )


def _announced(decision: Decision, _: Sight) -> str:
    if not any(isinstance(choice.action, primero.Announce) for choice in decision.legal):
        return ""
    return f"What you announce is not checked in the end: it may be more than you hold. {printable(decision.why)}"


AT_EVENTS: Mapping[type, tuple[str, AtEvent]] = {
    put.TrickEnded: ("put.tie", _tie),
    put.Saw: ("put.seen", _seen),
    put.GameEnded: ("put.purse", _purse),
}

AT_DECISIONS: Mapping[str, tuple[tuple[str, AtDecision], ...]] = {
    "put": (("put.answer", _other_put), ("put.lead", _lead), ("put.put", _may_put)),
    "triomphe": (("triomphe.play", _first_trick),),
    "primero": (("primero.bet", _first_bet), ("primero.announce", _announced)),
}
"""By family, the most pressing first: one at a decision is enough."""

NAMES = frozenset(
    [name for name, _ in AT_EVENTS.values()] + [name for table in AT_DECISIONS.values() for name, _ in table]
)
"""Of all lessons."""


class Lessons:
    """Those of one player at one table after another. `known`: what is not said any more."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.known = set(known)
        self._table = 0
        self._sight: Sight | None = None

    def take(self, message: object) -> tuple[Lesson, ...]:
        """What is due after a message; from now on it is known."""
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
        for name, words in AT_DECISIONS.get(family_of(view).name, ()):
            if due := self._learned(name, "" if name in self.known else words(decision, sight)):
                return due
        return ()

    def _learned(self, name: str, says: str) -> tuple[Lesson, ...]:
        if not says:
            return ()
        self.known.add(name)
        return (Lesson(name, capitalized(says.strip())),)
