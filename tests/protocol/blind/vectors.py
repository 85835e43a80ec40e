"""Vectors of blind deals: whole games as readable text, which programs in other languages can check.

    python -m tests.protocol.blind.vectors --write     writes them anew; a change of one is reviewed as a diff

Lines are a word and a value. `secret` and `key` are what the parties' own steps follow from; the others are the record.
"""

import sys
from dataclasses import replace
from pathlib import Path

from put_protocol.blind.deal import READ
from put_protocol.blind.party import renew_entry, wrong_shares_entry
from put_protocol.blind.shuffle import PLACE_BYTES
from put_protocol.blind.transcript import SERVER, Entry, Kind
from put_protocol.cards import FULL_PACK
from put_protocol.seats import Seat
from tests.protocol.blind.blind_table import SERVER_KEY, BlindTable, in_turn, secret_of

FOLDER = Path(__file__).parent / "vectors"


def two_seats() -> BlindTable:
    """Two players with a key each, five cards, two of them for each and one upturned; one is thrown in."""
    table = BlindTable((1, 2), FULL_PACK[:5])
    table.play([*in_turn(2, 4), None])
    table.show(Seat(0), 0)
    table.show(Seat(1), 1)
    table.order(table.party_of(Seat(0)).act(table.game, Seat(0), 1, b"throw in"))
    return table


def three_seats() -> BlindTable:
    """Three seats, two of them held by the server, four cards, all shown; then a second deal."""
    table = BlindTable((0, 1, 0), FULL_PACK[9:13])
    for _ in range(2):
        table.play(in_turn(3, 4))
        for place, seat in ((0, 0), (1, 1), (2, 2), (3, 0)):
            table.show(Seat(seat), place)
    return table


def cheats() -> BlindTable:
    """A shuffle that copies a card, accused; shares that are missing; a false accusation; then a hand."""
    table = BlindTable((1, 2), FULL_PACK[:4])
    while (entry := table.next()) is not None and table.game.coming is None:
        table.order(entry)
    one = Entry.parse(entry or b"")
    copied = replace(one, body=one.body[:PLACE_BYTES] * 2 + one.body[2 * PLACE_BYTES :], proof=b"")
    table.order(table.game.transcript.signed(copied, table.party_of(one.author).keys[one.author]))
    table.order(table.due(2)[0])
    table.settle()
    table.deal(in_turn(2, 2))
    table.missing(Seat(1), 2)
    table.settle()
    false = table.game.transcript.entry(Seat(0), Kind.ACCUSE, 3, b"")
    table.order(table.game.transcript.signed(false, table.party_of(Seat(0)).keys[Seat(0)]))
    table.play(in_turn(2, 2))
    table.show(Seat(1), 1)
    return table


def read() -> BlindTable:
    """Three seats, one of them held by the server, five cards that it reads: first wrong shares, then a hand, and a
    stock of two cards by the two who are left."""
    table = BlindTable((1, 2, 255), FULL_PACK[:5])
    owners = (*map(Seat, range(3)), READ, READ)
    table.settle()
    table.deal(owners)
    one = Entry.parse(table.due(1)[0])
    wrong = replace(one, body=one.body[:40] + bytes([one.body[40] ^ 1]) + one.body[41:], proof=b"")
    table.order(table.game.transcript.signed(wrong, table.party_of(one.author).keys[one.author]))
    table.settle()
    assert table.game.playing is not None
    table.order(wrong_shares_entry(table.game, SERVER_KEY, table.reading, Seat(0)))
    table.play(owners)
    table.order(renew_entry(table.game, SERVER_KEY, (Seat(1), Seat(2)), FULL_PACK[1:3]))
    table.play((Seat(2), READ))
    return table


GAMES = {"cheats": cheats, "read": read, "two-seats": two_seats, "three-seats": three_seats}


def described(entry: bytes) -> str:
    one = Entry.parse(entry)
    author = "server" if one.author == SERVER else f"seat {one.author}"
    return f"# {one.kind.name.lower()} by {author}, deal {one.deal}, after {one.seen} entries"


def written(name: str, table: BlindTable) -> str:
    """A vector's text."""
    lines = [f"# {' '.join((GAMES[name].__doc__ or '').split())}", f"# cards: {' '.join(table.terms.cards)}"]
    for holder, party in table.parties.items():
        lines.append(f"secret {secret_of(holder).hex()} of the holder of {len(party.keys)} keys")
        lines += [f"key {key.secret:064x} of seat {seat}" for seat, key in party.keys.items()]
    lines += [f"terms {table.terms.encoded.hex()}", f"game {table.terms.hash.hex()}"]
    for (entry, receipt), head in zip(table.told, table.game.transcript.heads[1:], strict=True):
        lines += ["", described(entry), f"entry {entry.hex()}", f"receipt {receipt.hex()}", f"head {head.hex()}"]
    assert table.game.playing is not None
    lines += ["", *[f"blame {one.deal} {one.seat} {one.kind.value}" for one in table.game.blames]]
    lines += [*[f"card {place} {card}" for place, card in table.game.playing.shown.items()]]
    return "\n".join(lines) + "\n"


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def values(text: str, word: str) -> list[bytes]:
    """The values of a word in a vector's text, in order."""
    return [bytes.fromhex(line.split()[1]) for line in text.splitlines() if line.startswith(word + " ")]


if __name__ == "__main__":
    assert sys.argv[1:] == ["--write"]
    for name, game in GAMES.items():
        path_of(name).write_text(written(name, game()), "utf-8")
