"""Blind deals of one table: the transcript game, and the server's contribution to it.

All that the server contributes follows from one secret for each game, its `Chance`: the server's key, which signs
receipts, and the keys of the seats that it holds. It cannot read the hand of any other seat. Pieces made from the
secret are stored in order, as a *tape*. After the game the secret is erased, and the tape remains for replays of the
journal, which can no longer make the pieces. A tape contains no secret: only what everyone was sent, and the cards that
the players of held seats saw.

If the rules must see hands, each deal has its own secret too. The key with which the server reads the deal follows from
it. This secret is erased when the hand is over or the deal is repeated; its tape has the cards that a player saw.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.blind.blind_game import NOTHING_CHECKED, BlindGame
from put_protocol.blind.deal import READ, Deal
from put_protocol.blind.group import Point, digest
from put_protocol.blind.keys import SecretKey, key_of_seed
from put_protocol.blind.missed_parts import MissedParts, Misses
from put_protocol.blind.party import Party, deal_entry, missing_entry, renew_entry, ruling_entry, wrong_shares_entry
from put_protocol.blind.reading import Reading
from put_protocol.blind.same_secret import derived
from put_protocol.blind.transcript import Entry, Kind, Terms
from put_protocol.blind_acts import Ruling, RulingKind, UnseenAct, act_body, read_act, read_action, unseen_body
from put_protocol.blind_events import SERVER_HOLDS, BlindEntry, OpenedPlace
from put_protocol.cards import Card, in_order, place_card
from put_protocol.errors import ProofError
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.game import NotAwaited, Purpose, Shuffle
from put_rules.record import Chance, Pack, Tape
from put_rules.steps import BadRecord
from put_server.table.step_waits import StepWait, StepWaits
from put_server.table.table_effects import TableId, WantParts

DRAWS = 4
"""Cards turned up for each player in a draw for the deal; if ties need more, the pack is shuffled again."""


class BlindCheckpoint(Struct, frozen=True):
    """Checkpoint of a table's blind game, without its secret."""

    number: int
    span: bytes
    in_play: int
    made: int
    waits: dict[Seat, StepWait]
    work: int
    worked_from: int
    is_working: bool
    read: int = 0
    packs: dict[int, int] = {}
    misses: dict[Seat, Misses] = {}
    charge: bytes = b""
    readers: dict[int, int] = {}
    """Deals with a secret for reading, and the number of pieces made from each secret."""
    long_shares: dict[Seat, bytes] = {}


class Source:
    """The pieces made from a game's secret, or read from its tape."""

    __slots__ = ("_before", "_first", "_pieces", "chance", "made")

    def __init__(self, chance: Chance, made: int = 0) -> None:
        """`made`: number of pieces made before."""
        self.chance = chance
        self.made = self._first = made
        self._pieces: list[bytes] = []
        self._before: dict[int, bytes] = {}

    def make(self, piece: Callable[[], bytes]) -> bytes:
        """The next piece; read from the tape if the secret is erased."""
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

    def replace(self, number: int, piece: bytes) -> None:
        """Store this in place of a piece that was made."""
        if self.chance.tape is None and number >= self._first:
            self._pieces[number - self._first] = piece
        elif self.chance.tape is None:
            self._before[number] = piece

    def kept(self, number: int) -> bytes | None:
        """A stored piece, if the secret is erased; None: it is not erased."""
        tape = self.chance.tape
        if tape is None:
            return None
        return tape.pieces[number - tape.first] if number >= tape.first else tape.before[number]

    def discard(self, made: int) -> None:
        """Discard pieces, so that this number of them is left."""
        self.made = made
        del self._pieces[made - self._first :]

    def remains(self) -> Chance:
        """The tape that replaces the secret."""
        if self.chance.tape is not None:
            return self.chance
        return Chance(tape=Tape(self._first, tuple(self._pieces), self._before))


class BlindStep(NamedTuple):
    """The next entry, and the game after it."""

    game: BlindGame
    told: BlindEntry


class BlindPlay:
    """A blind game in play at a table, under one set of keys."""

    def __init__(self, source: Source, game: BlindGame, server: SecretKey | None, in_play: int = 0) -> None:
        """`server`: None if its secret is erased."""
        self.source = source
        self.game = game
        self._server = server
        self.in_play = in_play
        """Number of the last deal that the rules received."""
        self.read = 0
        """Number of the last deal that the server read, if the rules must see hands."""
        self.readers: dict[int, Source] = {}
        """Sources of the keys that read the deals of the hand in play, the oldest first. A deal of an earlier edition
        has none: the game's key reads it."""
        self.packs: dict[int, int] = {}
        """The deals read in this hand, and the piece number of each pack."""
        self._readings: dict[int, Reading] = {}
        held = [Seat(seat) for seat, holder in enumerate(game.terms.holders) if holder == SERVER_HOLDS]
        self.held = frozenset(held)
        """Seats whose keys the server holds."""
        is_known = server is not None and held
        self.party = Party.holding(source.chance.secret, game.terms, held) if is_known else None

    @classmethod
    def begun(
        cls, chance: Chance, *, table: int, number: int, holders: tuple[int, ...], wanted: Shuffle
    ) -> "BlindPlay":
        source, server = Source(chance), _key_of(chance, "server key")
        point = source.make(lambda: _known(server).point.encoded)
        cards = in_order(wanted.cards)
        terms = Terms(table=table, game=number, holders=holders, cards=cards, server=Point.parse(point))
        return cls(source, BlindGame.begun(terms), server)

    @classmethod
    def restored(cls, checkpoint: BlindCheckpoint, chance: Chance, readers: Sequence[Chance]) -> "BlindPlay":
        """:raises BadRecord: not a valid blind game."""
        try:
            game = BlindGame.resumed(checkpoint.span)
        except ProofError as error:  # such as one of a later release, which deals otherwise
            raise BadRecord(f"the state of a blind deal cannot be read: {error.reason}") from None
        play = cls(Source(chance, checkpoint.made), game, _key_of(chance, "server key"), checkpoint.in_play)
        play.read, play.packs = checkpoint.read, dict(checkpoint.packs)
        for (number, made), one in zip(checkpoint.readers.items(), readers, strict=True):
            play.readers[number] = Source(one, made)
        return play

    @property
    def is_in_play(self) -> bool:
        """True if the hand of the deal in play was given to the rules."""
        return self.game.playing is not None and self.game.playing.number == self.in_play

    def ordered(self, data: bytes, *, is_checked: bool = False) -> BlindStep:
        """The entry as the next of the transcript. `is_checked`: the server made or has already checked it."""
        if self._server is None:
            receipt = self.source.make(bytes)
            return BlindStep(self.game.told((data, receipt), NOTHING_CHECKED), BlindEntry(data, receipt))
        game, receipt = self.game.taken(data, self._server, is_checked=is_checked)
        self.source.make(lambda: receipt)
        return BlindStep(game, BlindEntry(data, receipt))

    def _made(self, entry: Callable[..., bytes], *values: object) -> bytes:
        """An entry of the server, the next piece."""
        return self.source.make(lambda: entry(self.game, _known(self._server), *values))

    def dealt(self, owners: tuple[Seat | None, ...]) -> BlindStep:
        """The coming deal, dealt by the server."""
        reader = b""
        assert self.game.coming is not None
        if (number := self.game.coming.number) in self.readers:
            reader = self.readers[number].make(lambda: _known(self._reader(number)).point.encoded)
        return self.ordered(self._made(deal_entry, owners, reader), is_checked=True)

    def renewed(self, wanted: Shuffle, takers: tuple[Seat, ...]) -> BlindStep:
        """Make the coming deal a stock of the cards that came back."""
        return self.ordered(self._made(renew_entry, takers, wanted.cards), is_checked=True)

    def missed(self, seat: Seat, deal: int) -> bytes:
        """The server's entry that a seat did not do its part."""
        return self._made(missing_entry, seat, deal)

    def ruled(self, kind: RulingKind, seat: Seat) -> BlindStep:
        """A ruling of the server."""
        deal = self.in_play if self.is_in_play else 0
        return self.ordered(self._made(ruling_entry, deal, act_body(Ruling(kind, seat))), is_checked=True)

    def acted(self, seat: Seat, action: Action) -> BlindStep:
        """The act of a player whose key the server holds."""
        card: Card | None = getattr(action, "card", None)
        reader = self.readers.get(self.in_play)
        body = None if reader is None else reader.make(lambda: self.act_body(seat, action))

        def entry() -> bytes:
            assert self.party is not None
            if card is None or self.is_reading:
                said = self.act_body(seat, action) if body is None else body
                return self.party.act(self.game, seat, self.in_play, said)
            hand = self.party.hand(self.game, seat)
            return self.party.show(self.game, seat, next(place for place, held in hand.items() if held == card))

        return self.ordered(self.source.make(entry), is_checked=True)

    def pack(self) -> tuple[Card, ...]:
        """The pack of the deal in play. Cards that the server cannot read are places."""
        deal = self.game.playing
        assert deal is not None
        if deal.is_read:
            source = self._source_of(deal.number)
            self.packs[deal.number] = source.made
            read = source.make(lambda: " ".join([card or "" for card in self.reading(deal).read]).encode())
            return tuple(map(Card, read.decode().split(" ")))
        known: dict[int, Card] = dict(deal.shown)
        places = [place for place, owner in enumerate(deal.owners) if owner in self.held]
        if places:
            read = self.source.make(lambda: " ".join(map(self._held_cards().__getitem__, places)).encode())
            known.update(zip(places, map(Card, read.decode().split()), strict=True))
        return tuple([known.get(place, place_card(place)) for place in range(len(deal.cards))])

    def act_body(self, seat: Seat, action: Action) -> bytes:
        deal = self.game.playing
        if deal is None or not deal.is_read or not action.IS_UNSEEN:
            return act_body(action)
        reading = self.reading(deal)
        return unseen_body(deal.unseen_key(seat, reading.shared(seat)), action)

    def is_act(self, seat: Seat, action: Action, body: bytes) -> bool:
        """True if this is the body of the act. If the secret is erased, the body was checked before."""
        if isinstance(read_act(body), UnseenAct) and self._reader(self.in_play) is None:
            return action.IS_UNSEEN
        return body == self.act_body(seat, action) or (not action.IS_UNSEEN and read_action(body) == action)

    @property
    def is_reading(self) -> bool:
        return self.game.playing is not None and self.game.playing.is_read

    def reading(self, deal: Deal) -> Reading:
        """The server's reading of a fully shared deal."""
        found = self._readings.get(deal.number)
        if found is None:
            found = self._readings[deal.number] = Reading(deal, _known(self._reader(deal.number)))
        return found

    def _reader(self, number: int) -> SecretKey | None:
        """The key that reads a deal; None: its secret is erased."""
        source = self.readers.get(number)
        return self._server if source is None else _key_of(source.chance, "reading key")

    def _source_of(self, number: int) -> Source:
        return self.readers.get(number, self.source)

    @contextmanager
    def unless_refused(self) -> Iterator[None]:
        """Discard pieces made in this block if it raises."""
        made = [(source, source.made) for source in (self.source, *self.readers.values())]
        try:
            yield
        except BaseException:
            for source, number in made:
                source.discard(number)
            raise

    def opened(self, number: int, place: int) -> OpenedPlace:
        """A place of a read deal, with the proof of its card."""
        opening = self._source_of(number).make(lambda: self.reading(self._deal(number)).opening(place))
        return OpenedPlace(number, place, opening)

    def _deal(self, number: int) -> Deal:
        (deal,) = [deal for deal in self.game.hand if deal.number == number]
        return deal

    def read_again(self) -> list[Pack]:
        """The packs that the server read in this hand, with the cards that are still known."""
        packs = []
        for number, piece in self.packs.items():
            kept, deal = self._source_of(number).kept(piece), self._deal(number)
            cards = self.reading(deal).read if kept is None else kept.decode().split(" ")
            packs.append(Pack(tuple([Card(card or "") for card in cards]), is_stock=deal.is_stock))
        return packs

    def finish_hand(self, remains: Sequence[Pack]) -> tuple[Chance, ...]:
        """End the hand: replace the packs that were read by these remains. Returns the remains of their secrets."""
        for (number, piece), pack in zip(self.packs.items(), remains, strict=True):
            self._source_of(number).replace(piece, " ".join(pack.cards).encode())
        self.packs.clear()
        return self._forget(tuple(self.readers))

    def finish_undone(self) -> tuple[Chance, ...]:
        deals = {deal.number for deal in (*self.game.beside, *self.game.deals)}
        return self._forget(tuple([number for number in self.readers if number not in deals]))

    def _forget(self, numbers: tuple[int, ...]) -> tuple[Chance, ...]:
        for number in numbers:
            self._readings.pop(number, None)
        return tuple([self.readers.pop(number).remains() for number in numbers])

    def lacks_reader(self, owners: tuple[Seat | None, ...]) -> int:
        """Number of the coming deal, if it will be read and has no secret for that yet; otherwise 0."""
        coming = self.game.coming
        assert coming is not None
        is_read = coming.is_stock or READ in owners
        return coming.number if is_read and coming.number not in self.readers else 0

    def add_reader(self, chance: Chance) -> None:
        """Add the secret that will read the coming deal, or the remains of this secret."""
        assert self.game.coming is not None
        self.readers[self.game.coming.number] = Source(chance)

    @property
    def wanted_reading(self) -> Reading | None:
        """The reading of the next pack; None: there is none, or the secret is erased."""
        deal = self.game.playing
        if deal is None or not self.is_unread or self._reader(deal.number) is None:
            return None
        return self.reading(deal)

    @property
    def is_unread(self) -> bool:
        """True if a pack is to be read."""
        deal = self.game.playing
        return deal is not None and deal.is_read and deal.is_shared and deal.number > max(self.read, self.in_play)

    def want(self, table: int, task: int, charge: bytes) -> WantParts | None:
        """The next task outside the event loop; None: the secret is erased, and a replay has the result."""
        if self._server is None:
            return None
        return WantParts(TableId(table), task, self.game, self._server, self.party, self.wanted_reading, charge)

    def _held_cards(self) -> Mapping[int, Card]:
        assert self.party is not None
        hands = [self.party.hand(self.game, seat).items() for seat in self.held]
        return {place: card for hand in hands for place, card in hand if card is not None}


class BlindDeals:
    """Blind deals of one table, for all its games."""

    def __init__(self) -> None:
        self.number = 0
        """Number of the last blind game at the table. It counts up also when a key changes hands."""
        self.play: BlindPlay | None = None
        self.waits = StepWaits()
        """Clients' parts that the table waits for."""
        self.misses = MissedParts()
        """Reset when the next game begins."""
        self.charge = b""
        """An entry that ends a deal. It is taken after the earlier shuffles are checked outside the event loop."""
        self.long_shares: dict[Seat, bytes] = {}
        """Entries with shares of many places. Each is taken after a check outside the event loop."""
        self.last_task = 0
        """Number of the last task outside the event loop."""
        self.task_from = 0
        """Number of entries when that task began."""
        self.is_working = False

    def checkpoint(self) -> BlindCheckpoint | None:
        """None: no blind game is or was in play."""
        if not self.number:
            return None
        checkpoint = BlindCheckpoint(
            self.number,
            b"",
            0,
            0,
            deepcopy(dict(self.waits)),
            self.last_task,
            self.task_from,
            self.is_working,
            misses=deepcopy(dict(self.misses)),
            charge=self.charge,
            long_shares=dict(self.long_shares),
        )
        if (play := self.play) is None:
            return checkpoint
        return replace(
            checkpoint,
            span=play.game.span(),
            in_play=play.in_play,
            made=play.source.made,
            read=play.read,
            packs=dict(play.packs),
            readers={number: source.made for number, source in play.readers.items()},
        )

    def restore(self, checkpoint: BlindCheckpoint, chances: Sequence[Chance]) -> None:
        """`chances`: the sources of the game in play and of its read deals; empty if no game is in play.

        :raises BadRecord: a source is missing, or the checkpoint is invalid.
        """
        if len(chances) != (1 + len(checkpoint.readers) if checkpoint.span else 0):
            raise BadRecord("what a blind deal was made from is missing")
        self.number = checkpoint.number
        self.waits, self.misses = StepWaits(checkpoint.waits), MissedParts(checkpoint.misses)
        self.charge, self.long_shares = checkpoint.charge, dict(checkpoint.long_shares)
        self.last_task, self.task_from, self.is_working = checkpoint.work, checkpoint.worked_from, checkpoint.is_working
        if chances:
            self.play = BlindPlay.restored(checkpoint, chances[0], chances[1:])

    @property
    def chances(self) -> list[Chance]:
        """Sources of the game in play and of the read deals of its hand."""
        play = self.play
        return [] if play is None else [source.chance for source in (play.source, *play.readers.values())]

    def due(self, *, is_dealing: bool) -> frozenset[Seat]:
        """Seats that hold their keys and must do a part now. `is_dealing`: no hand is in play."""
        play = self.play
        if play is None or not is_dealing:
            return frozenset()
        game = play.game
        first = game.playing if game.playing is not None and not play.is_in_play else game.coming
        number = 0 if first is None else first.number
        done = {*play.held, *self.long_shares}
        return frozenset([seat for seat, _, deal in game.awaits() if deal == number and seat not in done])


def owners_of(wanted: Shuffle, *, is_read: bool) -> tuple[Seat | None, ...]:
    """Owner of each place of a deal, in order; None: the table."""
    if wanted.purpose is Purpose.DRAW:
        return (None,) * (len(wanted.cards) if is_read else min(len(wanted.cards), DRAWS * len(wanted.to)))
    return (*wanted.to, *(READ,) * (len(wanted.cards) - len(wanted.to))) if is_read else wanted.to


class Worked(NamedTuple):
    """Results of a task outside the event loop."""

    entries: tuple[bytes, ...]
    read: int
    """Number of the deal that was read; 0: none."""


def worked_out(wanted: WantParts) -> Worked:
    """Carry out a task outside the event loop: it takes up to a tenth of a second."""
    reading = wanted.reading
    if wanted.charge:
        return Worked((_looked_at(wanted),), 0)
    if reading is None:
        return Worked(() if wanted.party is None else _parts_due(wanted.game, wanted.party), 0)
    if (wrong := reading.wrong) is None:
        return Worked((), reading.deal.number)
    _accuse(wanted.game, reading.deal.number)
    return Worked((wrong_shares_entry(wanted.game, wanted.server, reading, wrong),), 0)


def _looked_at(wanted: WantParts) -> bytes:
    """The entry to check; if its shares do not hold, an entry that its author missed their part."""
    entry = Entry.parse(wanted.charge)
    if entry.kind is Kind.SHARES:
        try:
            wanted.game.taken(wanted.charge, wanted.server)
        except ProofError:
            _accuse(wanted.game, entry.deal)
            return missing_entry(wanted.game, wanted.server, entry.author, entry.deal)
    else:
        _accuse(wanted.game, entry.deal)
    return wanted.charge


def _accuse(game: BlindGame, number: int) -> None:
    """Check the shuffles of a deal. The result is cached (`deal.holds`) for the coming entry."""
    for deal in game.deals:
        if deal.number == number:  # it may be over
            deal.accused()


def _parts_due(game: BlindGame, party: Party) -> tuple[bytes, ...]:
    """The entries due from the seats that the server holds, after a check of the deal's shuffles."""
    due = {number for seat, _, number in game.awaits() if seat in party.seats}
    for deal in game.unexamined():
        if deal.number in due:
            game = game.with_examined(deal.examined(party.seats))
    return tuple(party.due(game))


def _key_of(chance: Chance, label: str) -> SecretKey | None:
    """A key derived from a secret; None: the secret is erased."""
    return key_of_seed(derived(chance.secret, digest(label))) if chance.secret else None


def _known(key: SecretKey | None) -> SecretKey:
    assert key is not None
    return key
