"""Decisions before a hand is played (accidents in the dealing, cards to and from partners), and simple mixtures."""

from collections.abc import Callable, Sequence
from random import Random

from put_protocol.cards import pack_of, rank_of
from put_protocol.games.put import Abide, Discard, Give, Let, PutAction, PutView, Redeal, ThrowIn
from put_server.house.put.hand_evaluation import Cards, strength

Mixture = dict[PutAction, float]
"""Probability of each action; they sum to 1. Actions that are never taken are left out."""

_PARTNER_HANDS = 64
_DEALER_HAS_MORE = 5
"""The law under which a fresh deal also brings a point."""


def before_play(
    view: PutView, actions: Sequence[PutAction], give_or_let: Callable[[PutView], Give | Let]
) -> PutAction | None:
    """The action for one of these decisions, which may not be legal; None: another kind of decision."""
    discards = [action for action in actions if isinstance(action, Discard)]
    if discards:  # the worst card: a higher one wins everything that a lower one wins
        strengths = _strengths(view)
        return min(discards, key=lambda each: strengths.get(rank_of(each.card), 0))
    if Redeal() in actions:
        return redeal_or_abide(view)
    if (Give() in actions or Let() in actions) and view.cards and view.ranking:
        return give_or_let(view)
    return None


def redeal_or_abide(view: PutView) -> Redeal | Abide:
    """Ask for a fresh deal if it brings a point, or is probably better than this one.

    A card of our own that all players have seen keeps almost all its worth, because it stays in the hand. A card drawn
    unseen from an unseen hand changes nothing, so a fresh deal would not be better.
    """
    accident = view.accident
    if accident is None:
        return Abide()
    if accident.law == _DEALER_HAS_MORE:
        return Redeal()
    if accident.card is None or accident.card not in pack_of(view.ranking):
        return Abide()
    return Abide() if 2 * view.ranking.index(rank_of(accident.card)) < len(view.ranking) - 1 else Redeal()


def give_or_let(view: PutView, dice: Random) -> Give | Let:
    """Give the partner the best card, or take theirs, whichever leaves the better hand in play. The receiver throws
    away the worst of four cards."""
    strengths = _strengths(view)
    own = [strengths[rank_of(card)] for card in view.cards]
    pack = [strengths[rank_of(card)] for card in pack_of(view.ranking) if card not in view.cards]
    gain = 0.0
    for _ in range(_PARTNER_HANDS):
        partners = dice.sample(pack, len(own))
        given, received = _kept(partners, max(own)), _kept(own, max(partners))
        gain += strength(given, 0, None, len(strengths)) - strength(received, 0, None, len(strengths))
    return Give() if gain > 0 else Let()


def uniform(actions: Sequence[PutAction]) -> Mixture:
    """All actions except giving up, equally likely."""
    some = [action for action in actions if not isinstance(action, ThrowIn)] or actions
    return dict.fromkeys(some, 1 / len(some))


def _strengths(view: PutView) -> dict[str, int]:
    return {rank: place for place, rank in enumerate(reversed(view.ranking))}


def _kept(cards: Sequence[int], gift: int) -> Cards:
    return tuple(sorted((*cards, gift), reverse=True)[: len(cards)])
