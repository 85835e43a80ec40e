"""Secrets of each family: what a viewer may know, and the same game with all that they may not know in other places.

A family says in `learns` what a viewer gets to know at a step, from the rules' own words and not from what they were
sent, or a leak would hide itself. Put deals again in a way of its own; for the others `Worlds` does it: it moves the
cards of each pack that the viewer has not seen, plays the same inputs again - a card of somebody else's hand is named
by its place in that hand - and takes the outcome if the viewer could not tell it from the true course by the rules:
every input is accepted, the same cards are in each renewed stock (it is public which), and what the rules themselves
did for a player who ran out of time or left is the same.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import msgspec

from put_protocol.cards import Card
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Action, Event
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.game import GameError, Purpose, Shuffle, Turn
from tests.conformance.random_games import Act, Input, Pack, Step, apply, replayed
from tests.conformance.scopes import scopes
from tests.conformance.tables import Played
from tests.games import primero_secrets, put_secrets, triomphe_secrets

Learns = Callable[[Played, Step, Viewer], set[Card]]


class Secrets(NamedTuple):
    """A family's."""

    learns: Learns
    """The cards that a viewer may know from a step on, as long as this pack is in play."""
    redealt: Callable[[Random, Played, tuple[Step, ...], Viewer], list[Step]]
    """These steps again, with all that the viewer has not seen in them in other places."""


def _put(rng: Random, played: Played, steps: tuple[Step, ...], viewer: Viewer) -> list[Step]:
    return list(replayed(played.setup, put_secrets.redealt(rng, played, steps, viewer)))


TRIES = (1.0, 1.0, 0.5, 0.5, 0.25, 0.25, 0.12, 0.12, *(0.06,) * 6)
"""What share of the unknown cards is moved; the next is tried when the viewer could tell."""


class Worlds(NamedTuple):
    """Games that a viewer cannot tell from the true one."""

    learns: Learns
    stays: Callable[[Played], set[Card]]
    """Cards that would be shown, or make something happen, in another place."""
    by_rule: Callable[[Event], object]
    """What of an event the rules chose by hidden cards, where they act for a player; None: nothing."""

    def redealt(self, rng: Random, played: Played, steps: tuple[Step, ...], viewer: Viewer) -> list[Step]:
        made: list[Step] = []
        state = played.game.begin(played.setup.dealer)
        before: Step | None = None
        for piece in scopes(played, steps):
            again = next(self._tries(rng, played, before, piece, viewer, state))
            made += again
            state, before = again[-1].state, piece[-1]
        return made

    def _tries(
        self, rng: Random, played: Played, before: Step | None, piece: tuple[Step, ...], viewer: Viewer, state: Any
    ) -> Iterator[list[Step]]:
        known = set().union(self.stays(played), *(self.learns(played, step, viewer) for step in piece))
        for share in (*TRIES, 0.0):
            packs = [
                self._another_pack(rng, number, piece, known, share)
                for number, step in enumerate(piece)
                if isinstance(step.given, Pack)
            ]
            again = self._played(played, before, piece, viewer, state, packs)
            if again is not None:
                yield again
        raise AssertionError("the true packs at least are such a world")

    def _another_pack(
        self, rng: Random, number: int, piece: tuple[Step, ...], known: set[Card], share: float
    ) -> tuple[Card, ...]:
        """The pack of a step with a share of its unknown cards in other places. Those that come into the same renewed
        stocks change places among each other."""
        given = piece[number].given
        assert isinstance(given, Pack)
        later = [set(step.given.cards) for step in piece[number + 1 :] if isinstance(step.given, Pack)]
        classes: dict[tuple[bool, ...], list[int]] = {}
        for place, card in enumerate(given.cards):
            if card not in known and rng.random() < share:
                classes.setdefault(tuple(card in stock for stock in later), []).append(place)
        pack = list(given.cards)
        for places in classes.values():
            moved = rng.sample(places, len(places))
            for place, other in zip(places, moved, strict=True):
                pack[place] = given.cards[other]
        return tuple(pack)

    def _played(
        self,
        played: Played,
        before: Step | None,
        piece: tuple[Step, ...],
        viewer: Viewer,
        state: Any,
        packs: list[tuple[Card, ...]],
    ) -> list[Step] | None:
        """The steps again with these packs; None: they could be told apart by the rules."""
        game, supply, made = played.game, iter(packs), list[Step]()
        for step in piece:
            given: Input | None = step.given
            if given is None:
                made.append(Step(None, (), state))
                before = step
                continue
            assert before is not None
            match given:
                case Pack(luck=luck):
                    given = Pack(next(supply), luck)
                    if not _is_same_want(game.awaits(before.state), game.awaits(state)):
                        return None
                case Act(action=action):
                    there = game.awaits(before.state)
                    if not isinstance(there, Turn) or game.awaits(state) != there:
                        return None
                    given = Act(_renamed(game, before.state, state, there.seat, action))
                case _:
                    pass
            try:
                state, facts = apply(game, state, given)
            except GameError:
                return None
            again = Step(given, facts, state)
            if self._by_rule(step) != self._by_rule(again):
                return None
            made.append(again)
            before = step
        return made

    def _by_rule(self, step: Step) -> list[object]:
        return [done for event in step.seen_by(GALLERY) if (done := self.by_rule(event)) is not None]


def _is_same_want(true: object, other: object) -> bool:
    """Whether the same pack is wanted; of a renewed stock it is public what it is made of."""
    if not isinstance(true, Shuffle) or not isinstance(other, Shuffle) or true.purpose is not other.purpose:
        return False
    return true.purpose is not Purpose.STOCK or set(true.cards) == set(other.cards)


def _renamed(game: Any, true: Any, other: Any, seat: Seat, action: Action) -> Action:
    """The action with the cards that lie in the same places of the mover's hand."""
    hand, theirs = game.view(true, seat).cards, game.view(other, seat).cards
    renamed = dict(zip(hand, theirs, strict=True))
    fields = msgspec.structs.asdict(action)
    for name, value in fields.items():
        if name == "card":
            fields[name] = renamed[value]
        elif name == "cards":
            fields[name] = tuple([card for card in theirs if card in [renamed[each] for each in value]])
    changed: Action = type(action)(**fields)
    return changed


def _worlds(module: Any) -> Secrets:
    return Secrets(module.learns, Worlds(module.learns, module.stays, module.by_rule).redealt)


def _learns(played: Played, step: Step, viewer: Viewer) -> set[Card]:
    """Own cards, and all that the events show everyone or tell a player of their own hand."""
    view = played.game.view(step.state, viewer)
    cards = set() if viewer == GALLERY else set(view.cards)
    for event in step.seen_by(GALLERY):
        cards.update(shown.card for shown in event.shows(GALLERY))
    for event in step.seen_by(viewer):
        cards.update(shown.card for shown in event.shows(viewer) if shown.seat == viewer)
    return cards


def _by_rule(event: Event) -> object:
    """The kind of an event and whom it is about are as they were."""
    return type(event), getattr(event, "seat", getattr(event, "winner", None))


OWN: Mapping[str, Secrets] = {
    "put": Secrets(put_secrets.learns, _put),
    "triomphe": _worlds(triomphe_secrets),
    "primero": _worlds(primero_secrets),
}
"""Secrets that families say themselves."""

SECRETS: Mapping[str, Secrets] = {
    name: OWN.get(name, Secrets(_learns, Worlds(_learns, lambda _: set(), _by_rule).redealt)) for name in FAMILIES
}
"""By family. Where a family says nothing itself, the cards that its events declare to be shown are known."""
