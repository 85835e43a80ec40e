"""Blind deals: every party shuffles an encrypted pack, and a hand is read by its player alone.

Idea: a card is encrypted under the keys of all seats. Each holder of keys shuffles the whole pack and proves that it
did nothing else. A place is opened when every seat has given its share of that place. A hand stays secret because its
owner keeps their own shares back. One honest shuffle makes every order equally likely, and no party can open a card
alone.

docs/blind-deal.md has the equations and every byte, and what is not proved.

The modules, each reading only those before it:

    group            points and scalars, checked on arrival; labelled hashes
    same_secret      proofs that one secret is behind several points: possession of a key, signatures, shares
    keys             the key of a seat, and the joint key
    shuffle          packs of encrypted cards; the first one; a shuffle
    shuffle_proof    the proof of a shuffle
    shares           shares of places, and the card that they open; those for the server alone
    transcript       signed entries in one order, with the server's receipts
    deal             one deal: shuffled, dealt, shared, shown
    reading          the server's reading of such a deal
    blind_game       a game: keys, deals, and what each entry changes
    party            what a holder of keys does next
    missed_parts     who missed a part, and loses which hand for it

Import law: the standard library, msgspec, and coincurve, which only `group` imports.
"""

from importlib.util import find_spec
from typing import Final

IS_AVAILABLE: Final = find_spec("coincurve") is not None
"""False if coincurve has no release for this Python. The package still imports, but its functions fail."""
