"""The packs a table's deals must be sealed as, by its rule set and options: a table is held to what it says it plays.

A server that says 52 cards and seals 28 proves every card that it shows. So a client knows the packs of the games that
it knows by name; of any other it says that nobody can tell. `RULE_SETS` is the whole of that knowledge, and a rule set
is a line of it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from put_protocol.cards import CARD_ORDER, PACKS, Card
from put_protocol.seal_events import MOST_CARDS, Sealed
from put_protocol.seats import Seat

Choice = str | int


class SealTerms(NamedTuple):
    """The terms."""

    cards: tuple[Card, ...]
    """Of the pack, in canonical order."""
    late: bool = False
    """Whether what others play is proved when the hand is over: where partners give each other cards."""
    misdeals: int = 0
    """The chance of an accident, in hundredths."""
    renews: bool = False
    """Whether cards that came back in the middle of a hand may be sealed again, and drawn from."""


class KnownRuleSet(NamedTuple):
    """How the deals of a rule set follow from its options."""

    packs: Mapping[Choice, str]
    """The name of its pack in `PACKS`, by the value of the option that chooses it."""
    option: str = ""
    """That option; empty: nothing chooses, and the one pack stands under the empty value."""
    default: Choice = ""
    """The value where the table gives none."""
    late: bool = False
    renews: bool = False


def _only(pack: str) -> Mapping[Choice, str]:
    return {"": pack}


_OF_PUT: Mapping[Choice, str] = {52: "french-52", 32: "put-32", 28: "put-28"}
_PUT = KnownRuleSet(_OF_PUT, "pack", 52)

RULE_SETS: Mapping[str, KnownRuleSet] = {
    "put-1674": _PUT,
    "put-1800": _PUT,
    "put-partners": _PUT._replace(late=True),
    "put-parlett": _PUT,
    "put-tavern": _PUT,
    "truc": KnownRuleSet({"french": "truc-32", "printed": "truc-28"}, "ranking", "french"),
    "triomphe-forcee": KnownRuleSet(_only("tarot-78")),
    "primero": KnownRuleSet(_only("french-40"), renews=True),
}
"""By name. A rule set adds a line here, and one to the second verifier; docs/fair-dealing.md has them in a table."""


def terms_of(game: str, options: Mapping[str, Choice]) -> SealTerms | None:
    """The terms of a rule set under these options; None: it, or its pack, is not known here."""
    known = RULE_SETS.get(game)
    if known is None:
        return None
    pack = known.packs.get(options.get(known.option, known.default) if known.option else "")
    if pack is None:
        return None
    misdeals = options.get("misdeals", 0)
    return SealTerms(PACKS[pack], known.late, misdeals if isinstance(misdeals, int) else 0, known.renews)


def is_pack(cards: tuple[Card, ...], to: tuple[Seat, ...]) -> bool:
    """Whether these are cards, each there once, and enough for the slots."""
    each = set(cards)
    return max(1, len(to)) <= len(cards) == len(each) <= MOST_CARDS and each <= CARD_ORDER.keys()


def is_of_terms(sealed: Sealed, terms: SealTerms | None) -> bool:
    """Whether late proofs, the chance of accidents and the renewing of a stock are as the rules of the table have them;
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
