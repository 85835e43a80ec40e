"""Writes docs/fair-dealing-vectors.json: the sealed deal by example, for whoever writes a verifier of their own.

The same file every time. With --check nothing is written, and the exit status is 1 if the file is stale.
"""

import argparse
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import json

from put_protocol.cards import FULL_PACK, RANKS, Card, pack_of
from put_protocol.seal.accidents import LUCK, UniformNumber, luck, misdeal
from put_protocol.seal.cuts import Chain, basis, draw, words_of
from put_protocol.seal.packs import SealedPack, accident_leaf, leaf_of, seal
from put_protocol.seal_events import HASH_BYTES, Opening
from put_protocol.seats import Seat

FILE = Path(__file__).parents[2] / "docs" / "fair-dealing-vectors.json"

_NAMED = (0, 1, 2, 63, 64, 65, 128)
_EIGHTS = ("0000000000000000", "ffffffffffffffff", "0123456789abcdef", "0001000200040008")


def vectors() -> dict[str, Any]:
    """Bytes are written in hexadecimal."""
    chain = Chain(_secret("chain"), 128)
    return {
        "chain": {
            "secret": chain.link(0).hex(),
            "links": {str(number): chain.link(number).hex() for number in _NAMED},
        },
        "words": {eight: words_of(bytes.fromhex(eight)) for eight in _EIGHTS},
        "deals": [
            _deal("two hands", 1, 1, to=(0, 1) * 3, cards=FULL_PACK, absent=()),
            _deal("four hands, one uncut", 77, 12, to=(1, 2, 3, 0) * 3, cards=pack_of(RANKS[5:]), absent=(2,)),
            _deal("nobody cuts", 2**53 - 1, 2**53 - 1, to=(0, 1), cards=FULL_PACK[:13], absent=(0, 1)),
            _deal("a single card", 3, 2, to=(0,), cards=FULL_PACK[:1], absent=()),
        ],
        "accidents": {
            "deal": _deal(
                "a leaf for accidents", 5, 9, to=(1, 0) * 3, cards=pack_of(RANKS[6:]), absent=(), misdeals=50
            ),
            "lucks": _lucks(),
        },
    }


def _secret(purpose: str) -> bytes:
    return sha256(f"a vector of no table: {purpose}".encode()).digest()


def _deal(
    about: str,
    table: int,
    deal: int,
    *,
    to: tuple[int, ...],
    cards: tuple[Card, ...],
    absent: tuple[int, ...],
    misdeals: int = 0,
) -> dict[str, Any]:
    secret = _secret(about)
    slots = tuple(map(Seat, to))
    links = tuple([None if seat in absent else _secret(f"{about} {seat}") for seat in range(1 + max(to))])
    sealing = seal(secret, table, deal, cards, has_accidents=bool(misdeals))
    drawn = draw(table, deal, sealing.roots, slots, cards, links)
    played = sealing.packs[drawn.pack]
    return {
        "about": about,
        "table": table,
        "deal": deal,
        "secret": secret.hex(),
        "cards": cards if cards != FULL_PACK else (),
        "to": slots,
        "packs": [
            {
                "seed": pack.seed.hex(),
                "cards": pack.cards,
                "first_salt": pack.salts[:HASH_BYTES].hex(),
                "root": pack.root.hex(),
            }
            for pack in sealing.packs
        ],
        "links": [link and link.hex() for link in links],
        "words": drawn.words,
        "pack": drawn.pack,
        "order": drawn.order,
        "openings": [
            _opening(slot, played.opening(drawn.order[slot]), table, deal, drawn.pack)
            for slot in sorted({0, len(slots) - 1, len(cards) - 1})
        ],
        **_accident(played, table, deal, basis(table, deal, sealing.roots, slots, cards, links)),
    }


def _accident(pack: SealedPack, table: int, deal: int, drawn_from: bytes) -> dict[str, Any]:
    opening = pack.accident()
    if opening is None:
        return {}
    position = len(pack.cards)
    return {
        "accident": {
            "position": position,
            "salt": opening.salt.hex(),
            "leaf": accident_leaf(opening.salt, table, deal, pack.number, position).hex(),
            "path": [beside.hex() for beside in opening.path],
            "luck": _luck(luck(opening.salt, drawn_from)),
        }
    }


def _lucks() -> list[dict[str, Any]]:
    """Every law and none, by a chance of each kind, and the limits between them."""
    tables = (
        (1, Seat(1), (Seat(0),), 3),
        (50, Seat(0), (Seat(1), Seat(2)), 3),
        (100, Seat(3), (Seat(0), Seat(2)), 3),
    )
    found = []
    for misdeals, dealer, adversaries, cards_each in tables:
        limit = LUCK * misdeals // 100
        fifths = [limit * fifth // 5 for fifth in range(5)]
        numbers = [*fifths, *[fifth + 1 for fifth in fifths], *[fifth + limit // 7 for fifth in fifths], limit - 1]
        for number in numbers + [number for number in (limit, LUCK - 1) if limit <= number < LUCK]:
            decided = misdeal(
                UniformNumber(number, LUCK), misdeals, dealer=dealer, adversaries=adversaries, cards_each=cards_each
            )
            found.append(
                {
                    "luck": _luck(number),
                    "misdeals": misdeals,
                    "dealer": dealer,
                    "adversaries": adversaries,
                    "cards_each": cards_each,
                    "decides": decided and decided._asdict(),
                }
            )
    return found


def _luck(number: int) -> str:
    return f"{number:016x}"


def _opening(slot: int, opening: Opening, table: int, deal: int, pack: int) -> dict[str, Any]:
    return {
        "slot": slot,
        "position": opening.position,
        "card": opening.card,
        "salt": opening.salt.hex(),
        "leaf": leaf_of(opening, table, deal, pack).hex(),
        "path": [beside.hex() for beside in opening.path],
    }


def text() -> str:
    """The file."""
    return json.format(json.encode(vectors()), indent=1).decode() + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.seal.vectors", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the file is stale")
    is_check = parser.parse_args(arguments).check
    wanted = text()
    is_stale = not FILE.exists() or FILE.read_text("utf-8") != wanted
    if is_stale:
        print(f"{'stale' if is_check else 'written'}: {FILE.name}")
        if not is_check:
            FILE.write_text(wanted, "utf-8")
    return 1 if is_check and is_stale else 0


if __name__ == "__main__":
    sys.exit(main())
