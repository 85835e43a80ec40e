"""The packs a table's deals must be sealed as, by its rule set and options: a table is held to what it says it plays.

A server that says 52 cards and seals 28 proves every card that it shows. So a client knows the packs of the games that
it knows by name; of any other it says that it cannot tell. `RULE_SETS` is the whole of that knowledge. `scripts/docs`
writes its file from the rules, which the clients do not have.
"""

from collections.abc import Mapping
from importlib import resources
from typing import NamedTuple

import msgspec
from msgspec import Struct

from put_protocol.cards import CARD_ORDER, PACKS, Card
from put_protocol.seal_events import MOST_CARDS, Sealed
from put_protocol.seats import Seat

Choice = str | int


class SealTerms(NamedTuple):
    cards: tuple[Card, ...]
    """Of the pack, in canonical order."""
    late: bool = False
    """True if what others play is proved when the hand is over: where partners give each other cards."""
    misdeals: int = 0
    """The chance of an accident, in hundredths."""
    renews: bool = False
    """True if cards that came back in the middle of a hand may be sealed again, and drawn from."""


class KnownRuleSet(Struct, frozen=True, omit_defaults=True):
    """The way the deals of a rule set follow from its options."""

    packs: tuple[tuple[Choice, str], ...]
    """The name of its pack in `PACKS`, by the value of the option that chooses it; the default first."""
    option: str = ""
    """That option; empty: nothing chooses, and there is one pack."""
    late: bool = False
    renews: bool = False


RULE_SETS: Mapping[str, KnownRuleSet] = msgspec.json.decode(
    resources.files(__package__).joinpath("rule_sets.json").read_bytes(), type=dict[str, KnownRuleSet]
)
"""Rule sets by name."""


def terms_of(game: str, options: Mapping[str, Choice]) -> SealTerms | None:
    """The terms of a rule set under these options; None: it, or its pack, is not known here."""
    known = RULE_SETS.get(game)
    if known is None:
        return None
    default, _ = known.packs[0]
    pack = dict(known.packs).get(options.get(known.option, default) if known.option else default)
    if pack is None:
        return None
    misdeals = options.get("misdeals", 0)
    return SealTerms(PACKS[pack], known.late, misdeals if isinstance(misdeals, int) else 0, known.renews)


def is_pack(cards: tuple[Card, ...], to: tuple[Seat, ...]) -> bool:
    """True if these are cards, each there once, and enough for the slots."""
    each = set(cards)
    return max(1, len(to)) <= len(cards) == len(each) <= MOST_CARDS and each <= CARD_ORDER.keys()


def is_of_terms(sealed: Sealed, terms: SealTerms | None) -> bool:
    """True if late proofs, the chance of accidents and the renewing of a stock are as the rules of the table have them;
    None: as any rules could.

    By the laws an accident befalls the dealer, who is dealt to last, or an adversary; a partner is none.
    """
    if terms is not None and (sealed.late != terms.late or sealed.misdeals not in (0, terms.misdeals)):
        return False
    if sealed.stock and (sealed.misdeals or (terms is not None and not terms.renews)):
        return False
    if not sealed.misdeals:
        return True
    players = tuple(dict.fromkeys(sealed.to))
    if len(players) < 2 or players * (len(sealed.to) // len(players)) != sealed.to:
        return False
    *others, dealer = players
    adversaries = tuple([seat for seat in others if not sealed.late or (seat - dealer) % 2])
    return bool(adversaries) and sealed.adversaries == adversaries
