"""Scenes: kinds of decision that a client is checked at.

A *scene* has a check of its own. The moments of a rule set are scenes, found by playing (`cases.decisions`), so that a
new rule set needs no list. A family may add scenes that its view shows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from put_protocol.games import primero
from put_protocol.games.families import family_of
from put_protocol.games.unions import GameView
from put_protocol.seats import Seat
from put_text.catalogue import has_message
from put_text.phrases import task_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A scene other than a moment."""

    asked: str
    """The client's decision, as a clause after "when it"."""
    is_on: Callable[[Any, Seat], bool]
    """True if the scene applies to the view of the player at this seat."""


_SCENES: Mapping[str, Mapping[str, Scene]] = {
    "triomphe": {
        "declared": Scene(
            asked="is asked for a card after a player declared cards",
            is_on=lambda view, _: any(view.declared),
        ),
    },
    "primero": {
        "raised": Scene(
            asked="is asked to answer a bet that another player has raised",
            is_on=lambda view, seat: (
                view.moment == primero.Moment.ANSWER
                and any(raises for other, raises in enumerate(view.raises) if other != seat)
            ),
        ),
        "announced": Scene(
            asked="is asked for something after another player announced a category",
            is_on=lambda view, seat: any(said for other, said in enumerate(view.announced) if other != seat),
        ),
    },
}
"""Scenes other than moments, by family and by the names of their checks."""


def scenes_of(family: str) -> Mapping[str, Scene]:
    """The scenes that a family adds to the moments of its rule sets."""
    return _SCENES.get(family, {})


def asked_at(family: str, moment: StrEnum) -> str:
    """The client's decision at this moment, as a clause after "when it"."""
    has_words = has_message(f"{family}-task-{moment.replace('_', '-')}")  # not every family has tasks in words
    return f"is asked {task_at(family, moment) if has_words else f'at the moment {moment.value}'}"


def scenes_on(view: GameView) -> tuple[str, ...]:
    """Scenes of the current decision of the player with this view."""
    if view.moment is None or view.to_move is None:
        return ()
    others = scenes_of(family_of(view).name)
    return (view.moment.value, *[name for name, scene in others.items() if scene.is_on(view, view.to_move)])
