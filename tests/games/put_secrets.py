"""Secrets of Put: what a viewer may know of a game, and the same game with everything else in other places.

Of each pack the cards that the viewer has not seen change places among all places they cannot see into - other hands
and the undealt stock alike. Where an input of others names a card they have not seen, as a discard does, it is renamed
along with the packs.

Two things that happen in the open hang on hidden cards, and stay as they were, so that the course is the same one:
which of their cards a player gave a partner (the best, the first dealt of equals), and the accident in a deal without a
luck (the order of the undealt cards makes it). That is all that anybody may conclude from them.
"""

import itertools
from collections.abc import Sequence
from random import Random

import msgspec

from put_protocol.cards import Card, rank_of
from put_protocol.games.put import Accident, Dealt, Drawn, Gave, Moment, Play
from put_protocol.seats import GALLERY, Viewer
from tests.conformance.random_games import Act, Input, Pack, Step, shuffled
from tests.conformance.scopes import scopes
from tests.conformance.tables import Played
from tests.games.put_tables import view_of


def learns(played: Played, step: Step, viewer: Viewer) -> set[Card]:
    """The cards that a viewer may know from this step on, as long as this pack is in play."""
    view = view_of(played.game, step.state, viewer)
    is_blind = viewer == GALLERY or view.moment is Moment.ACCIDENT
    cards = set() if is_blind else set(view.cards)
    if isinstance(step.given, Act) and isinstance(step.given.action, Play):
        cards.add(step.given.action.card)
    for event in step.seen_by(GALLERY):
        if isinstance(event, Drawn):
            cards.update(event.cards)
        elif isinstance(event, Accident) and event.law in (1, 2, 3):
            assert event.card is not None
            cards.add(event.card)
    return cards


def redealt(rng: Random, played: Played, steps: tuple[Step, ...], viewer: Viewer) -> list[Input]:
    """The inputs of these steps, with all that the viewer has not seen in them in other places."""
    inputs: list[Input] = []
    for piece in scopes(played, steps):
        renamed: dict[Card, Card] = {}
        match piece[0].given:
            case Pack(cards=pack):
                known = set().union(*(learns(played, step, viewer) for step in piece))
                known.update(map(Card, str(played.setup.options["arranged"]).split()))
                renamed = dict(zip(pack, another_pack(rng, played, piece, pack, known), strict=True))
            case _:
                pass
        inputs += [renamed_input(step.given, renamed) for step in piece if step.given is not None]
    return inputs


def another_pack(
    rng: Random, played: Played, piece: tuple[Step, ...], pack: tuple[Card, ...], known: set[Card]
) -> tuple[Card, ...]:
    """The pack with its unknown cards in other places: givers give from the same place in their hands, and the stock
    below its first card has the same order."""
    stock = len(pack)
    for event in piece[0].seen_by(GALLERY):
        match event:
            case Dealt(counts=counts):
                stock = sum(counts) + 1
            case Accident(law=law):
                stock -= law in (4, 5)  # the first card of the stock is in somebody's hand
            case _:
                pass
    assert known.isdisjoint(pack[stock:]), "nobody has seen the stock"
    strength = {rank: -place for place, rank in enumerate(view_of(played.game, piece[0].state, GALLERY).ranking)}
    givings = giving_hands(played, piece)
    for tries in range(300):
        if tries == 250:  # a gift so low that hardly anything is below it: those hands stay as they are
            known = known.union(*givings)
        unknown = shuffled(rng, sorted(set(pack) - known))
        others = iter(unknown)
        above = [card if card in known else next(others) for card in pack[:stock]]
        below = sorted(set(pack) - set(above))
        order = sorted(pack[stock:])
        renamed = dict(zip(pack, (*above, *(below[order.index(card)] for card in pack[stock:])), strict=True))
        if all(best(hand, strength) == best([renamed[card] for card in hand], strength) for hand in givings):
            return tuple(renamed.values())
    raise AssertionError("the true pack at least is such a one")


def giving_hands(played: Played, piece: tuple[Step, ...]) -> list[tuple[Card, ...]]:
    """The hands out of which a best card was given."""
    hands: list[tuple[Card, ...]] = []
    for before, step in itertools.pairwise(piece):
        givers = [event.seat for event in step.seen_by(GALLERY) if isinstance(event, Gave)]
        hands += [played.game.view(before.state, giver).cards for giver in givers]
    return hands


def best(hand: Sequence[Card], strength: dict[str, int]) -> int:
    """The place of the best card in a hand, the first of equals."""
    values = [strength[rank_of(card)] for card in hand]
    return values.index(max(values))


def renamed_input(given: Input, renamed: dict[Card, Card]) -> Input:
    """An input with its cards renamed."""
    match given:
        case Pack(cards=cards, luck=luck):
            return Pack(tuple(renamed.get(card, card) for card in cards), luck)
        case Act(action=action) if "card" in action.__struct_fields__:
            fields = msgspec.structs.asdict(action)
            return Act(type(action)(**{**fields, "card": renamed.get(fields["card"], fields["card"])}))
        case _:
            return given
