"""A table at which a game is dealt blind: a server, parties with keys, and what each of them was told."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.deal import READ
from put_protocol.blind.keys import SecretKey, key_of_seed
from put_protocol.blind.party import Party, deal_entry, missing_entry
from put_protocol.blind.reading import Reading
from put_protocol.blind.transcript import ServerFault, Terms, Told
from put_protocol.cards import FULL_PACK, Card
from put_protocol.seats import Seat

SERVER_KEY = key_of_seed(b"server" + bytes(26))
MINIATURE = FULL_PACK[:5]


def reader_of(deal: int) -> SecretKey:
    """The key by which the server reads a deal."""
    return key_of_seed(b"reader" + deal.to_bytes(26, "big"))


def secret_of(holder: int) -> bytes:
    return b"holder" + bytes(25) + bytes([holder])


def in_turn(seats: int, places: int) -> list[Seat | None]:
    """Owners of places that are dealt one by one."""
    return [Seat(place % seats) for place in range(places)]


def careless(game: BlindGame) -> BlindGame:
    """The game as a party has it that takes every shuffle to be right."""
    for deal in game.unexamined():
        game = game.with_examined(replace(deal, checked=len(deal.shuffles)))
    return game


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings of a third party that has a record and nothing else."""

    game: BlindGame
    """The game before the server's fault, or at the end."""
    fault: str | None
    """The reason if the server is convicted."""


def judged(terms: Terms, told: Iterable[Told]) -> Judgement:
    """The judgement of a game by all that was told, every proof checked.

    :raises ProofError: the server did not sign it.
    """
    game = BlindGame.begun(terms)
    for one in told:
        try:
            game = game.told(one)
        except ServerFault as fault:
            return Judgement(game, fault.reason)
    return Judgement(game, None)


class BlindTable:
    """Every entry is ordered by the server and told to every party, which checks all of it."""

    def __init__(
        self, holders: Sequence[int], cards: tuple[Card, ...] = MINIATURE, *, table: int = 1, game: int = 1
    ) -> None:
        self.terms = Terms(table=table, game=game, holders=tuple(holders), cards=cards, server=SERVER_KEY.point)
        self.server: SecretKey = SERVER_KEY
        self.parties = {
            holder: Party.holding(
                secret_of(holder), self.terms, [Seat(seat) for seat, one in enumerate(holders) if one == holder]
            )
            for holder in sorted(set(holders))
        }
        self.game = BlindGame.begun(self.terms)
        """As the server has it: it checks no shuffle."""
        self.views = dict.fromkeys(self.parties, self.game)
        self.told: list[Told] = []

    def order(self, entry: bytes) -> None:
        self.game, receipt = self.game.taken(entry, self.server)
        self.told.append((entry, receipt))
        for holder, view in self.views.items():
            self.views[holder] = view.told((entry, receipt), self.parties[holder].seats)

    def next(self) -> bytes | None:
        """The next entry that is due from any party."""
        return next((entry for holder in self.parties for entry in self.due(holder)), None)

    def due(self, holder: int) -> list[bytes]:
        return self.parties[holder].due(self.views[holder])

    def settle(self) -> None:
        """Every party does what is due, until nothing is."""
        while (entry := self.next()) is not None:
            self.order(entry)

    def deal(self, owners: Iterable[Seat | None]) -> None:
        coming, owners = self.game.coming, tuple(owners)
        assert coming is not None
        is_read = coming.is_stock or READ in owners
        self.order(deal_entry(self.game, self.server, owners, reader_of(coming.number).point.encoded * is_read))

    @property
    def reading(self) -> Reading:
        """The server's, of the deal in play."""
        assert self.game.playing is not None
        return Reading(self.game.playing, reader_of(self.game.playing.number))

    def play(self, owners: Iterable[Seat | None]) -> None:
        """A deal up to its first act."""
        self.settle()
        self.deal(owners)
        self.settle()

    def missing(self, seat: Seat, deal: int) -> None:
        self.order(missing_entry(self.game, self.server, seat, deal))

    def holder_of(self, seat: Seat) -> int:
        return self.terms.holders[seat]

    def party_of(self, seat: Seat) -> Party:
        return self.parties[self.holder_of(seat)]

    def view_of(self, seat: Seat) -> BlindGame:
        return self.views[self.holder_of(seat)]

    def hand(self, seat: Seat) -> dict[int, Card | None]:
        return self.party_of(seat).hand(self.view_of(seat), seat)

    def show(self, seat: Seat, place: int) -> None:
        self.order(self.party_of(seat).show(self.view_of(seat), seat, place))

    def record(self) -> bytes:
        """All that was told."""
        return b"".join([piece for told in self.told for piece in told])

    def judged(self, *more: Told) -> Judgement:
        """What the record of the game says, with these entries behind it."""
        return judged(self.terms, [*self.told, *more])
