"""Blind deals of one table: the game of entries, and what the server makes of its secret for it.

Everything that the server contributes follows from one secret a game, its `Chance`: its own key, which signs receipts,
and the keys of the seats that it holds. It cannot read the hand of any other seat. What it makes of the secret is kept
in order, as a *tape*. When the game is over the secret is erased, and the tape remains: a journal whose inputs are
replayed reads from it what can be made no more. A tape has no secret: it has what everybody was told, and the cards
that the players of held seats saw.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Final, NamedTuple

from msgspec import Struct

from put_protocol.blind.blind_game import NOTHING_CHECKED, BlindGame
from put_protocol.blind.group import Point, digest
from put_protocol.blind.keys import SecretKey, key_of_seed
from put_protocol.blind.party import Party, deal_entry, missing_entry, ruling_entry
from put_protocol.blind.same_secret import derived
from put_protocol.blind.transcript import Entry, Kind, Terms
from put_protocol.blind_acts import Ruling, RulingKind, act_body
from put_protocol.blind_events import BlindEntry
from put_protocol.cards import Card, in_order, place_card
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.game import NotAwaited, Purpose, Shuffle
from put_rules.record import Chance, Tape
from put_server.table.step_waits import StepWait, StepWaits

SERVERS: Final = 255
"""The holder of all keys that the server holds."""

STEP_MS = 10_000
"""For a part of a client whose connection stands: a phone needs seconds for a shuffle."""

DRAWS = 4
"""Cards that are turned up for each player who draws for the deal; if those who are tied need more, the pack is
shuffled again."""


class BlindCheckpoint(Struct, frozen=True):
    """The blind game of a table at rest, without its secret."""

    number: int
    span: bytes
    in_play: int
    made: int
    waits: dict[Seat, StepWait]
    work: int
    worked_from: int
    is_working: bool


class Source:
    """Pieces that the server makes of the secret of a game, or made of it."""

    __slots__ = ("_first", "_pieces", "chance", "made")

    def __init__(self, chance: Chance, made: int = 0) -> None:
        """`made`: how many pieces were made before."""
        self.chance = chance
        self.made = self._first = made
        self._pieces: list[bytes] = []

    def make(self, piece: Callable[[], bytes]) -> bytes:
        """The next piece; from the tape, if the secret is erased."""
        tape = self.chance.tape
        if tape is None:
            found = piece()
            self._pieces.append(found)
        elif 0 <= (at := self.made - tape.first) < len(tape.pieces):
            found = tape.pieces[at]
        else:
            raise NotAwaited("more was made of the secret of a blind game than is kept")
        self.made += 1
        return found

    @contextmanager
    def unless_refused(self) -> Iterator[None]:
        """Pieces made in here count for nothing if an error ends it."""
        made = self.made
        try:
            yield
        except BaseException:
            self.made = made
            del self._pieces[made - self._first :]
            raise

    def remains(self) -> Chance:
        """The tape that is kept in place of the secret."""
        return Chance(tape=Tape(self._first, tuple(self._pieces))) if self.chance.tape is None else self.chance


class BlindStep(NamedTuple):
    """An entry that comes next, and the game after it."""

    game: BlindGame
    told: BlindEntry


class BlindPlay:
    """A blind game in play at a table, under one set of keys."""

    def __init__(self, source: Source, game: BlindGame, server: SecretKey | None, in_play: int = 0) -> None:
        """`server`: None, if its secret is erased."""
        self.source = source
        self.game = game
        self._server = server
        self.in_play = in_play
        """The number of the last deal that the rules were given."""
        held = [Seat(seat) for seat, holder in enumerate(game.terms.holders) if holder == SERVERS]
        self.held = frozenset(held)
        """Seats whose keys the server holds."""
        is_known = server is not None and held
        self.party = Party.holding(source.chance.secret, game.terms, held) if is_known else None

    @classmethod
    def begun(
        cls, chance: Chance, *, table: int, number: int, holders: tuple[int, ...], wanted: Shuffle
    ) -> "BlindPlay":
        source, server = Source(chance), _server_key(chance)
        point = source.make(lambda: _known(server).point.encoded)
        cards = in_order(wanted.cards)
        terms = Terms(table=table, game=number, holders=holders, cards=cards, server=Point.parse(point))
        return cls(source, BlindGame.begun(terms), server)

    @classmethod
    def restored(cls, checkpoint: BlindCheckpoint, chance: Chance) -> "BlindPlay":
        game = BlindGame.resumed(checkpoint.span)
        return cls(Source(chance, checkpoint.made), game, _server_key(chance), checkpoint.in_play)

    @property
    def is_in_play(self) -> bool:
        """True if the hand of the deal in play was given to the rules."""
        return self.game.playing is not None and self.game.playing.number == self.in_play

    def ordered(self, data: bytes) -> BlindStep:
        """The entry as the next of the transcript.

        :raises ProofError: it has to be refused.
        """
        if self._server is None:
            receipt = self.source.make(bytes)
            return BlindStep(self.game.told((data, receipt), NOTHING_CHECKED), BlindEntry(data, receipt))
        game, receipt = self.game.taken(data, self._server)
        self.source.make(lambda: receipt)
        return BlindStep(game, BlindEntry(data, receipt))

    def dealt(self, wanted: Shuffle) -> BlindStep:
        """The coming deal, dealt by the server."""
        owners = owners_of(wanted)
        return self.ordered(self.source.make(lambda: deal_entry(self.game, _known(self._server), owners)))

    def missed(self, seat: Seat, deal: int) -> BlindStep:
        """The server says that a seat did not do its part."""
        return self.ordered(self.source.make(lambda: missing_entry(self.game, _known(self._server), seat, deal)))

    def ruled(self, kind: RulingKind, seat: Seat) -> BlindStep:
        """The server decides something by itself."""
        deal = self.in_play if self.is_in_play else 0
        body = act_body(Ruling(kind, seat))
        return self.ordered(self.source.make(lambda: ruling_entry(self.game, _known(self._server), deal, body)))

    def acted(self, seat: Seat, action: Action) -> bytes:
        """The entry of a player whose key the server holds."""
        card: Card | None = getattr(action, "card", None)

        def entry() -> bytes:
            assert self.party is not None
            if card is None:
                return self.party.act(self.game, seat, self.in_play, act_body(action))
            hand = self.party.hand(self.game, seat)
            return self.party.show(self.game, seat, next(place for place, held in hand.items() if held == card))

        return self.source.make(entry)

    def pack(self) -> tuple[Card, ...]:
        """The pack of the deal in play as the server can read it."""
        deal = self.game.playing
        assert deal is not None
        known: dict[int, Card] = dict(deal.shown)
        places = [place for place, owner in enumerate(deal.owners) if owner in self.held]
        if places:
            read = self.source.make(lambda: " ".join(map(self._read().__getitem__, places)).encode())
            known.update(zip(places, map(Card, read.decode().split()), strict=True))
        return tuple([known.get(place, place_card(place)) for place in range(len(deal.cards))])

    def _read(self) -> Mapping[int, Card]:
        """Cards of the held seats by place."""
        assert self.party is not None
        hands = [self.party.hand(self.game, seat).items() for seat in self.held]
        return {place: card for hand in hands for place, card in hand if card is not None}


class BlindDeals:
    """Blind deals of one table, of one game after another."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the last blind game at the table. A change of hands begins another."""
        self.play: BlindPlay | None = None
        self.waits = StepWaits()
        """Parts of clients that the table waits for."""
        self.work = 0
        """The number of the last work that was wanted beside the loop."""
        self.worked_from = 0
        """The number of entries that there were then."""
        self.is_working = False

    def checkpoint(self) -> BlindCheckpoint | None:
        """None: no game is in play, and none was."""
        if not self.number:
            return None
        play = self.play
        return BlindCheckpoint(
            self.number,
            b"" if play is None else play.game.span(),
            0 if play is None else play.in_play,
            0 if play is None else play.source.made,
            deepcopy(dict(self.waits)),
            self.work,
            self.worked_from,
            self.is_working,
        )

    def restore(self, checkpoint: BlindCheckpoint, chance: Chance | None) -> None:
        self.number = checkpoint.number
        self.waits = StepWaits(checkpoint.waits)
        self.work, self.worked_from, self.is_working = checkpoint.work, checkpoint.worked_from, checkpoint.is_working
        if chance is not None:
            self.play = BlindPlay.restored(checkpoint, chance)

    @property
    def chance(self) -> Chance | None:
        """The source of the game in play."""
        return None if self.play is None else self.play.source.chance

    def due(self, *, is_dealing: bool) -> frozenset[Seat]:
        """Seats that hold their keys and whose part the table waits for. `is_dealing`: no hand is in play."""
        play = self.play
        if play is None or not is_dealing:
            return frozenset()
        game = play.game
        first = game.playing if game.playing is not None and not play.is_in_play else game.coming
        number = 0 if first is None else first.number
        return frozenset([seat for seat, _, deal in game.awaits() if deal == number and seat not in play.held])


def owners_of(wanted: Shuffle) -> tuple[Seat | None, ...]:
    """The owners of the places of a deal, from the first; None: the table."""
    if wanted.purpose is Purpose.DRAW:
        return (None,) * min(len(wanted.cards), DRAWS * len(wanted.to))
    return wanted.to


def parts_due(game: BlindGame, party: Party) -> tuple[bytes, ...]:
    """The entries that are due from the seats whose keys the server holds. It checks the shuffles of a deal before it
    does its part. That takes up to a tenth of a second, so it is done beside the loop."""
    due = {number for seat, _, number in game.awaits() if seat in party.seats}
    for deal in game.unexamined():
        if deal.number in due:
            game = game.with_examined(deal.examined(party.seats))
    return tuple(party.due(game))


def is_part(entry: Entry) -> bool:
    """True if an entry is a part of the dealing, and no act of the game."""
    return entry.kind in (Kind.KEY, Kind.SHUFFLE, Kind.SHARES, Kind.ACCUSE)


def _server_key(chance: Chance) -> SecretKey | None:
    return key_of_seed(derived(chance.secret, digest("server key"))) if chance.secret else None


def _known(key: SecretKey | None) -> SecretKey:
    assert key is not None
    return key
