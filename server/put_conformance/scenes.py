"""Scenes of each family of games: decisions that a client is checked at, and how opponents lead to them.

A *scene* is a kind of decision with its own check. The moments of a rule set are scenes, found by playing
(`cases.decisions`), so that a new rule set needs no list. A family may add scenes that its view shows. With random
play, opponents often prevent a scene: they bet first although the client should, or throw in although they should see.
So a family lists the actions that lead to a scene, and those that end a hand. Otherwise its games are played at random,
and its moments have generic names.
"""

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from msgspec import Struct

from put_protocol.games import primero, put
from put_protocol.games.families import FAMILIES, family_of
from put_protocol.games.unions import Action, GameView
from put_protocol.seats import Seat
from put_text.catalogue import has_message
from put_text.phrases import task_at

_BRINGS_ABOUT, _RAISES_ANYWAY = 0.6, 0.1
"""Probability of an opponent's action that leads to a wanted scene, and of a raise that no scene needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A scene other than a moment."""

    asked: str
    """The client's decision, as a clause after "when it"."""
    is_on: Callable[[Any, Seat], bool]
    """True if the scene applies to the view of the player at this seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyScenes:
    """Scenes of one family, and effects of its actions on a hand."""

    others: Mapping[str, Scene] = field(default_factory=dict)
    """Scenes other than moments, by the names of their checks."""
    brought_by: Mapping[str, frozenset[type[Struct]]] = field(default_factory=dict)
    """Opponents' actions that lead to a scene."""
    raises: frozenset[type[Struct]] = frozenset()
    """Actions that ask more of the others."""
    takes: frozenset[type[Struct]] = frozenset()
    """Actions that accept what another player asked."""
    retreats: frozenset[type[Struct]] = frozenset()
    """Actions that end the hand for the player who takes them."""
    retreats_often: float = 0.0
    """Probability that an opponent retreats if they could take."""

    def quiet(self, kinds: Iterable[type[Struct]]) -> list[type[Struct]]:
        """The actions that neither raise nor retreat."""
        return [kind for kind in kinds if kind not in self.raises | self.retreats]


_PUT = FamilyScenes(
    brought_by={put.Moment.ANSWER: frozenset({put.Put, put.Double})},
    raises=frozenset({put.Put, put.Double}),
    takes=frozenset({put.See}),
    retreats=frozenset({put.ThrowIn}),
    retreats_often=0.7,  # a put that is seen ends the game; one that is not costs a point
)

_TRIOMPHE = FamilyScenes(
    others={
        "declared": Scene(
            asked="is asked for a card after a player declared cards",
            is_on=lambda view, _: any(view.declared),
        ),
    },
)

_PRIMERO = FamilyScenes(
    others={
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
    brought_by={
        primero.Moment.OPEN: frozenset({primero.Trade}),
        primero.Moment.ANSWER: frozenset({primero.Bet}),
        "raised": frozenset({primero.Bet, primero.Raise}),
        primero.Moment.VADA: frozenset({primero.See}),
        primero.Moment.ANNOUNCE: frozenset({primero.See, primero.GoOn}),
        "announced": frozenset({primero.See, primero.GoOn}),
        primero.Moment.BET: frozenset({primero.See, primero.GoOn, primero.Pass}),
        primero.Moment.TRADE: frozenset({primero.See, primero.GoOn, primero.Pass}),
    },
    raises=frozenset({primero.Raise}),
    takes=frozenset({primero.See}),
    retreats=frozenset({primero.Refuse}),
    retreats_often=0.3,
)

SCENES: Mapping[str, FamilyScenes] = {"put": _PUT, "triomphe": _TRIOMPHE, "primero": _PRIMERO}
"""Scenes by family. A family without an entry is played at random."""

NO_SCENES = FamilyScenes()

_SCENES_OF_ACTION = {
    action: SCENES.get(family.name, NO_SCENES) for family in FAMILIES.values() for action in family.actions
}


def scenes_of(family: str) -> FamilyScenes:
    return SCENES.get(family, NO_SCENES)


def asked_at(family: str, moment: StrEnum) -> str:
    """The client's decision at this moment, as a clause after "when it"."""
    has_words = has_message(f"{family}-task-{moment.replace('_', '-')}")  # not every family has tasks in words
    return f"is asked {task_at(family, moment) if has_words else f'at the moment {moment.value}'}"


def scenes_on(view: GameView) -> tuple[str, ...]:
    """Scenes of the current decision of the player with this view."""
    if view.moment is None or view.to_move is None:
        return ()
    others = scenes_of(family_of(view).name).others
    return (view.moment.value, *[name for name, scene in others.items() if scene.is_on(view, view.to_move)])


def choose(rng: random.Random, legal: Sequence[Action], wanted: Collection[str]) -> Action:
    """An opponent's action: one that leads to a wanted scene, otherwise one that prolongs the hand."""
    scenes = _SCENES_OF_ACTION.get(type(legal[0]), NO_SCENES)
    kinds: dict[type[Struct], list[Action]] = {}
    for action in legal:
        kinds.setdefault(type(action), []).append(action)

    def pick(among: Collection[type[Struct]]) -> Action:
        return rng.choice(kinds[rng.choice([kind for kind in kinds if kind in among])])

    helpful = frozenset().union(*[actions for scene, actions in scenes.brought_by.items() if scene in wanted])
    can_take, can_retreat = kinds.keys() & scenes.takes, kinds.keys() & scenes.retreats
    if kinds.keys() & helpful and rng.random() < _BRINGS_ABOUT:
        return pick(helpful)
    if kinds.keys() & scenes.raises and rng.random() < _RAISES_ANYWAY:
        return pick(scenes.raises)
    if can_take and can_retreat and rng.random() < scenes.retreats_often:
        return pick(scenes.retreats)
    return pick(scenes.quiet(kinds) or can_retreat or kinds)
