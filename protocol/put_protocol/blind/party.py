"""A holder of keys: what it has to do next, and the cards that it can read.

A party is a client with the key of its seat, or the server with the keys of house players and of programs that take no
part. All that a party does follows from its secret and the transcript. So after a crash it repeats the same steps. A
server that shows it another transcript gets another shuffle, never two answers from one secret.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from put_protocol.blind.blind_game import TABLES_PLACE, BlindGame, renewed_body, shuffle_context
from put_protocol.blind.deal import Deal
from put_protocol.blind.group import digest, join_points
from put_protocol.blind.keys import SecretKey, key_for
from put_protocol.blind.reading import Reading
from put_protocol.blind.same_secret import Pair, derived
from put_protocol.blind.shares import masked, private_shares, shares_of, weighed
from put_protocol.blind.shuffle import order_of, shuffle
from put_protocol.blind.shuffle_proof import Statement, prove
from put_protocol.blind.transcript import SERVER, Kind, Terms
from put_protocol.cards import Card
from put_protocol.errors import ProofError
from put_protocol.seats import Seat


@dataclass(frozen=True, slots=True)
class Party:
    """Keys by seat."""

    keys: Mapping[Seat, SecretKey] = field(repr=False)

    @classmethod
    def holding(cls, secret: bytes, terms: Terms, seats: Iterable[Seat]) -> Self:
        """The party that holds these seats. `secret`: 32 bytes of system randomness, from which its keys follow.

        :raises ProofError: the terms give other seats the same holder, so our shuffle might not be requested.
        """
        own, hashed = frozenset(seats), terms.hash
        held = {holder for seat, holder in enumerate(terms.holders) if seat in own}
        if own != {seat for seat, holder in enumerate(terms.holders) if holder in held}:
            raise ProofError("the terms give the seats to other holders")
        return cls({seat: key_for(secret, hashed, seat) for seat in own})

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset(self.keys)

    def awaited(self, game: BlindGame) -> dict[Seat, tuple[Kind, int]]:
        """The step, and the number of its deal, that each of our seats is to do next.

        A deal gets a shuffle or a share only after all its shuffles are checked, because only a valid pack can be
        shuffled. A deal with a wrong shuffle gets an accusation, and nothing else.
        """
        steps: dict[Seat, tuple[Kind, int]] = {}
        for deal in game.deals:
            if deal.wrong is not None and not deal.is_shared:
                steps.setdefault(min(self.keys), (Kind.ACCUSE, deal.number))
        for seat, kind, number in game.awaits():
            if seat in self.keys and (kind is Kind.KEY or game.deal(number).is_checked):
                steps.setdefault(seat, (kind, number))
        return steps

    def due(self, game: BlindGame) -> list[bytes]:
        """The entries that the game awaits from this party, at most one a seat. Call again when the game has them."""
        return [self._step(game, seat, kind, number) for seat, (kind, number) in self.awaited(game).items()]

    def show(self, game: BlindGame, seat: Seat, place: int) -> bytes:
        """An entry that shows a card of the seat's hand to everybody."""
        deal = _playing(game)
        key = self.keys[seat]
        bases = deal.bases((place,))
        shares = shares_of(key.secret, bases)
        body = bytes([place]) + join_points(shares)
        return self._signed(game, seat, Kind.SHOW, deal.number, body, (bases[0], shares[0]))

    def act(self, game: BlindGame, seat: Seat, deal: int, body: bytes) -> bytes:
        """An entry with an act of the game that shows no card."""
        return self._signed(game, seat, Kind.ACT, deal, body)

    def hand(self, game: BlindGame, seat: Seat) -> dict[int, Card | None]:
        """The seat's own cards by place, which no other party can read. None: no card of the pack."""
        deal = _playing(game)
        places = deal.hand(seat)
        shares = shares_of(self.keys[seat].secret, deal.bases(places))
        return {place: deal.card(place, (share,)) for place, share in zip(places, shares, strict=True)}

    def _step(self, game: BlindGame, seat: Seat, kind: Kind, number: int) -> bytes:
        if kind is Kind.KEY:
            return self._signed(game, seat, kind, number, self.keys[seat].point.encoded)
        if kind is Kind.ACCUSE:
            return self._signed(game, seat, kind, number)
        deal = game.deal(number)
        if kind is Kind.SHUFFLE:
            return self._signed(game, seat, kind, number, self._shuffle(game, seat, deal))
        key = self.keys[seat]
        if deal.is_read:
            given = private_shares(key, deal.bases(range(len(deal.cards))))
            return self._signed(
                game, seat, kind, deal.number, masked(given, deal.shared_secret(key), deal.context(seat))
            )
        bases = deal.bases(deal.others(seat))
        shares = shares_of(key.secret, bases)
        body = join_points(shares)
        entry = game.transcript.entry(seat, kind, deal.number, body)
        pair = weighed(bases, shares, entry.message(game.transcript.terms_hash))
        return game.transcript.signed(entry, key, (pair,))

    def _shuffle(self, game: BlindGame, seat: Seat, deal: Deal) -> bytes:
        entry = game.transcript.entry(seat, Kind.SHUFFLE, deal.number, b"")
        context = shuffle_context(game.transcript.terms_hash, entry)
        before = deal.pack
        seed = derived(self.keys[seat].seed, digest("shuffle seed", context, before.data))
        order = order_of(derived(seed, digest("order")), len(deal.cards))
        after = shuffle(before, deal.joint, order)
        statement = Statement(context=context, joint=deal.joint, before=before, after=after)
        return after.data + prove(statement, order, derived(seed, digest("proof")))

    def _signed(self, game: BlindGame, seat: Seat, kind: Kind, deal: int, body: bytes = b"", *pairs: Pair) -> bytes:
        return game.transcript.signed(game.transcript.entry(seat, kind, deal, body), self.keys[seat], pairs)


def deal_entry(game: BlindGame, server: SecretKey, owners: Iterable[Seat | None], reader: bytes = b"") -> bytes:
    """The server's entry that deals the coming deal. `owners`: the owner of each place, None for the table. `reader`:
    the point of the server's key, if the server reads the pack."""
    assert game.coming is not None
    body = bytes([TABLES_PLACE if owner is None else owner for owner in owners])
    return _by_server(game, server, Kind.DEAL, game.coming.number, body + reader)


def missing_entry(game: BlindGame, server: SecretKey, seat: Seat, deal: int) -> bytes:
    """The server's entry that a seat did not do its part of a deal in time; deal 0: the seat sent no key."""
    return _by_server(game, server, Kind.MISSING, deal, bytes([seat]))


def wrong_shares_entry(game: BlindGame, server: SecretKey, reading: Reading, seat: Seat) -> bytes:
    """The server's entry that a seat's private shares do not hold, with the proof."""
    body = bytes([seat]) + reading.shared(seat).encoded + reading.proof(seat)
    return _by_server(game, server, Kind.MISSING, reading.deal.number, body)


def renew_entry(game: BlindGame, server: SecretKey, takers: tuple[Seat, ...], cards: tuple[Card, ...]) -> bytes:
    """The server's entry that renews the stock: these seats shuffle these cards, which came back."""
    assert game.coming is not None
    return _by_server(game, server, Kind.RENEW, game.coming.number + 1, renewed_body(takers, cards))


def ruling_entry(game: BlindGame, server: SecretKey, deal: int, body: bytes) -> bytes:
    """The server's entry for a ruling of its own during play, such as a time-out or a departure."""
    return _by_server(game, server, Kind.ACT, deal, body)


def _by_server(game: BlindGame, server: SecretKey, kind: Kind, deal: int, body: bytes) -> bytes:
    return game.transcript.signed(game.transcript.entry(SERVER, kind, deal, body), server)


def _playing(game: BlindGame) -> Deal:
    assert game.playing is not None
    return game.playing
