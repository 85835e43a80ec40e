"""The parts of a game in which one pack is in play."""

from collections.abc import Iterator

from put_protocol.cards import Card
from put_protocol.seats import Seat, Viewer
from put_rules.game import Purpose, Shuffle
from tests.conformance.random_games import Pack, Step
from tests.conformance.tables import Played


def purpose_of(played: Played, before: Step, step: Step) -> Purpose | None:
    """What the pack of a step was for; None: it has none."""
    awaits = played.game.awaits(before.state)
    return awaits.purpose if isinstance(step.given, Pack) and isinstance(awaits, Shuffle) else None


def scopes(played: Played, steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """The steps cut where a pack is supplied, to draw or to deal from; the first piece has none. A renewed stock is in
    play beside the pack that was dealt."""
    start = 0
    for place in range(1, len(steps)):
        if purpose_of(played, steps[place - 1], steps[place]) in (Purpose.DRAW, Purpose.HAND):
            yield steps[start:place]
            start = place
    yield steps[start:]


def own_cards(step: Step, viewer: Viewer, eldest: Seat, counts: tuple[int, ...]) -> set[Card]:
    """What a seat got of the pack of this step, dealt one at a time from eldest to everyone who gets cards."""
    assert isinstance(step.given, Pack)
    seats = len(counts)
    to = [seat for seat in (Seat((eldest + place) % seats) for place in range(seats)) if counts[seat]]
    dealt = step.given.cards[: sum(counts)]
    return {card for place, card in enumerate(dealt) if to[place % len(to)] == viewer}
