"""Blind deals of one table: the game of entries, and what the server makes of its secret for it.

Everything that the server contributes follows from one secret a game, its `Chance`: its own key, which signs receipts,
and the keys of the seats that it holds. It cannot read the hand of any other seat. What it makes of the secret is kept
in order, as a *tape*. When the game is over the secret is erased, and the tape remains: a journal whose inputs are
replayed reads from it what can be made no more. A tape has no secret: it has what everybody was told, and the cards
that the players of held seats saw.

Where the rules have to see hands, each deal has a secret of its own beside that of the game. Of it follows the key by
which the server reads the deal. It is erased when the hand is over, or the deal is made again; its tape has the cards
that some player saw.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import Final, NamedTuple

from msgspec import Struct

from put_protocol.blind.blind_game import NOTHING_CHECKED, BlindGame
from put_protocol.blind.deal import READ, Deal
from put_protocol.blind.group import Point, digest
from put_protocol.blind.keys import SecretKey, key_of_seed
from put_protocol.blind.party import Party, deal_entry, missing_entry, renew_entry, ruling_entry, wrong_shares_entry
from put_protocol.blind.reading import Reading
from put_protocol.blind.same_secret import derived
from put_protocol.blind.transcript import Entry, Kind, Terms
from put_protocol.blind_acts import Ruling, RulingKind, UnseenAct, act_body, read_act, read_action, unseen_body
from put_protocol.blind_events import BlindEntry, OpenedPlace, PartMissed
from put_protocol.cards import Card, in_order, place_card
from put_protocol.errors import ProofError
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.game import NotAwaited, Purpose, Shuffle
from put_rules.record import Chance, Pack, Tape
from put_rules.steps import BadRecord
from put_server.table.step_waits import MISSES, Misses, StepWait, StepWaits
from put_server.table.table_effects import TableId, WantParts

SERVERS: Final = 255
"""The holder of all keys that the server holds."""

DRAWS = 4
"""Cards turned up for each player who draws for the deal; if a tie needs more, the pack is shuffled again."""


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
    read: int = 0
    packs: dict[int, int] = {}
    misses: dict[Seat, Misses] = {}
    charge: bytes = b""
    readers: dict[int, int] = {}
    """The deals that have a secret to be read by, and how many pieces were made of it."""
    long_shares: dict[Seat, bytes] = {}


class Source:
    """Pieces that the server makes of the secret of a game, or made of it."""

    __slots__ = ("_before", "_first", "_pieces", "chance", "made")

    def __init__(self, chance: Chance, made: int = 0) -> None:
        """`made`: how many pieces were made before."""
        self.chance = chance
        self.made = self._first = made
        self._pieces: list[bytes] = []
        self._before: dict[int, bytes] = {}

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

    def replace(self, number: int, piece: bytes) -> None:
        """Keep this in place of a piece that was made."""
        if self.chance.tape is None and number >= self._first:
            self._pieces[number - self._first] = piece
        elif self.chance.tape is None:
            self._before[number] = piece

    def kept(self, number: int) -> bytes | None:
        """A piece that was made, where the secret is erased; None: it is not."""
        tape = self.chance.tape
        if tape is None:
            return None
        return tape.pieces[number - tape.first] if number >= tape.first else tape.before[number]

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
        if self.chance.tape is not None:
            return self.chance
        return Chance(tape=Tape(self._first, tuple(self._pieces), self._before))


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
        self.read = 0
        """The number of the last deal that the server has read, where the rules have to see hands."""
        self.readers: dict[int, Source] = {}
        """The sources of the keys by which the deals of the hand in play are read, the oldest first. A deal of an
        earlier edition has none: it is read by the game's key."""
        self.packs: dict[int, int] = {}
        """The deals of the hand in play that it read, and the number of the piece that each pack is."""
        self._readings: dict[int, Reading] = {}
        held = [Seat(seat) for seat, holder in enumerate(game.terms.holders) if holder == SERVERS]
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
        """:raises BadRecord: it is the state of no blind game."""
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
        """The entry as the next of the transcript. `is_checked`: we made it, or have checked its proof before."""
        if self._server is None:
            receipt = self.source.make(bytes)
            return BlindStep(self.game.told((data, receipt), NOTHING_CHECKED), BlindEntry(data, receipt))
        game, receipt = self.game.taken(data, self._server, is_checked=is_checked)
        self.source.make(lambda: receipt)
        return BlindStep(game, BlindEntry(data, receipt))

    def dealt(self, wanted: Shuffle, *, is_read: bool) -> BlindStep:
        """The coming deal, dealt by the server."""
        owners, reader = owners_of(wanted, is_read=is_read), b""
        assert self.game.coming is not None
        if (number := self.game.coming.number) in self.readers:
            reader = self.readers[number].make(lambda: _known(self._reader(number)).point.encoded)
        data = self.source.make(lambda: deal_entry(self.game, _known(self._server), owners, reader))
        return self.ordered(data, is_checked=True)

    def renewed(self, wanted: Shuffle, takers: tuple[Seat, ...]) -> BlindStep:
        """The coming deal is a stock of the cards that came back."""
        data = self.source.make(lambda: renew_entry(self.game, _known(self._server), takers, wanted.cards))
        return self.ordered(data, is_checked=True)

    def missed(self, seat: Seat, deal: int) -> bytes:
        """The server's entry that a seat did not do its part."""
        return self.source.make(lambda: missing_entry(self.game, _known(self._server), seat, deal))

    def ruled(self, kind: RulingKind, seat: Seat) -> BlindStep:
        """The server decides something by itself."""
        deal = self.in_play if self.is_in_play else 0
        body = act_body(Ruling(kind, seat))
        data = self.source.make(lambda: ruling_entry(self.game, _known(self._server), deal, body))
        return self.ordered(data, is_checked=True)

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
        """The pack of the deal in play as the server can read it."""
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
            read = self.source.make(lambda: " ".join(map(self._read().__getitem__, places)).encode())
            known.update(zip(places, map(Card, read.decode().split()), strict=True))
        return tuple([known.get(place, place_card(place)) for place in range(len(deal.cards))])

    def act_body(self, seat: Seat, action: Action) -> bytes:
        """The body of an act of the deal in play."""
        deal = self.game.playing
        if deal is None or not deal.is_read or not action.IS_UNSEEN:
            return act_body(action)
        reading = self.reading(deal)
        return unseen_body(deal.unseen_key(seat, reading.shared(seat)), action)

    def is_act(self, seat: Seat, action: Action, body: bytes) -> bool:
        """True if this is the body of an act; where the secret is erased it was checked before."""
        if isinstance(read_act(body), UnseenAct) and self._reader(self.in_play) is None:
            return action.IS_UNSEEN
        return body == self.act_body(seat, action) or (not action.IS_UNSEEN and read_action(body) == action)

    @property
    def is_reading(self) -> bool:
        return self.game.playing is not None and self.game.playing.is_read

    def reading(self, deal: Deal) -> Reading:
        """The server's reading of a deal that all shared."""
        found = self._readings.get(deal.number)
        if found is None:
            found = self._readings[deal.number] = Reading(deal, _known(self._reader(deal.number)))
        return found

    def _reader(self, number: int) -> SecretKey | None:
        """The key by which a deal is read; None: its secret is erased."""
        source = self.readers.get(number)
        return self._server if source is None else _key_of(source.chance, "reading key")

    def _source_of(self, number: int) -> Source:
        return self.readers.get(number, self.source)

    @contextmanager
    def unless_refused(self) -> Iterator[None]:
        """Pieces made in here count for nothing if an error ends it."""
        with ExitStack() as stack:
            for source in (self.source, *self.readers.values()):
                stack.enter_context(source.unless_refused())
            yield

    def opened(self, number: int, place: int) -> OpenedPlace:
        """A place of a read deal, with what proves its card."""
        deals = [deal for deal in (*self.game.beside, self.game.playing) if deal is not None]
        (deal,) = [deal for deal in deals if deal.number == number]
        opening = self._source_of(number).make(lambda: self.reading(deal).opening(place))
        return OpenedPlace(number, place, opening)

    def read_again(self) -> list[Pack]:
        """The packs of the hand in play that the server read, as far as they are known."""
        packs = []
        for number, piece in self.packs.items():
            kept = self._source_of(number).kept(piece)
            deals = (*self.game.beside, self.game.playing)
            (deal,) = [deal for deal in deals if deal is not None and deal.number == number]
            cards = self.reading(deal).read if kept is None else kept.decode().split(" ")
            packs.append(Pack(tuple([Card(card or "") for card in cards]), is_stock=deal.is_stock))
        return packs

    def finish_hand(self, remains: Sequence[Pack]) -> tuple[Chance, ...]:
        """The hand in play is over: keep this of the packs that were read. Returns what remains of their secrets."""
        for (number, piece), pack in zip(self.packs.items(), remains, strict=True):
            self._source_of(number).replace(piece, " ".join(pack.cards).encode())
        self.packs.clear()
        return self._forget(tuple(self.readers))

    def finish_undone(self) -> tuple[Chance, ...]:
        deals = {deal.number for deal in (*self.game.beside, self.game.playing, self.game.coming) if deal is not None}
        return self._forget(tuple([number for number in self.readers if number not in deals]))

    def _forget(self, numbers: tuple[int, ...]) -> tuple[Chance, ...]:
        for number in numbers:
            self._readings.pop(number, None)
        return tuple([self.readers.pop(number).remains() for number in numbers])

    def lacks_reader(self, wanted: Shuffle, *, is_read: bool) -> bool:
        """True if the coming deal is read, and there is no secret yet that it is to be read by."""
        assert self.game.coming is not None
        return is_read and wanted.purpose is not Purpose.DRAW and self.game.coming.number not in self.readers

    def add_reader(self, chance: Chance) -> None:
        """The secret by which the coming deal is to be read, or what remains of it."""
        assert self.game.coming is not None
        self.readers[self.game.coming.number] = Source(chance)

    @property
    def wanted_reading(self) -> Reading | None:
        """The reading of the deal whose pack is to be read next; None: none is, or the secret is erased."""
        deal = self.game.playing
        if deal is None or not self.is_unread or self._reader(deal.number) is None:
            return None
        return self.reading(deal)

    @property
    def is_unread(self) -> bool:
        """True if a pack is to be read."""
        deal = self.game.playing
        return deal is not None and deal.is_read and deal.is_shared and deal.number > max(self.read, self.in_play)

    def want(self, table: int, work: int, charge: bytes) -> WantParts | None:
        """The work that is wanted beside the loop; None: the secret is erased, and it comes from the journal."""
        if self._server is None:
            return None
        return WantParts(TableId(table), work, self.game, self._server, self.party, self.wanted_reading, charge)

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
        self.misses: dict[Seat, Misses] = {}
        """Parts that were missed in the game in play, or the last one. Nothing resets it before the next."""
        self.charge = b""
        """An entry that ends a deal: the shuffles before it are checked beside the loop, and then it comes next."""
        self.long_shares: dict[Seat, bytes] = {}
        """Entries with shares of many places: each is checked beside the loop, and then it comes next."""
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
            0 if play is None else play.read,
            {} if play is None else dict(play.packs),
            deepcopy(self.misses),
            self.charge,
            {} if play is None else {number: source.made for number, source in play.readers.items()},
            dict(self.long_shares),
        )

    def packs(self) -> list[Pack]:
        return [] if self.play is None else self.play.read_again()

    def restore(self, checkpoint: BlindCheckpoint, chances: Sequence[Chance]) -> None:
        """`chances`: those of the game in play and of its deals that are read; none, if no game is.

        :raises BadRecord: one is missing, or it is the state of no blind game.
        """
        if len(chances) != (1 + len(checkpoint.readers) if checkpoint.span else 0):
            raise BadRecord("what a blind deal was made from is missing")
        self.number = checkpoint.number
        self.waits, self.misses, self.charge = StepWaits(checkpoint.waits), dict(checkpoint.misses), checkpoint.charge
        self.long_shares = dict(checkpoint.long_shares)
        self.work, self.worked_from, self.is_working = checkpoint.work, checkpoint.worked_from, checkpoint.is_working
        if chances:
            self.play = BlindPlay.restored(checkpoint, chances[0], chances[1:])

    @property
    def chances(self) -> list[Chance]:
        """The sources of the game in play, and of the deals of its hand that are read."""
        play = self.play
        return [] if play is None else [source.chance for source in (play.source, *play.readers.values())]

    def note_miss(self, seat: Seat) -> PartMissed:
        """A seat did not do its part of a deal, or did it wrongly."""
        misses = self.misses.setdefault(seat, Misses())
        misses.missed += 1
        misses.running += 1
        misses.owes += 1
        return PartMissed(seat, misses.missed, is_dismissed=misses.running >= MISSES)

    def note_play(self, *, is_draw: bool) -> None:
        """A deal came into play: that of a hand or its stock, or of a draw, in which no hand can be lost."""
        for misses in self.misses.values():
            misses.running = 0
            misses.loses_hand = misses.loses_hand or (misses.owes > 0 and not is_draw)

    def lose_turn(self, seat: Seat) -> bool:
        """True if a seat loses the hand in play, and so this turn."""
        misses = self.misses.get(seat)
        if misses is None or not misses.loses_hand:
            return False
        misses.turns += 1
        return True

    def note_hand_over(self) -> None:
        """A hand without a turn of a seat cost it nothing: it still owes one."""
        for misses in self.misses.values():
            misses.owes -= misses.turns > 0
            misses.loses_hand, misses.turns = False, 0

    def due(self, *, is_dealing: bool) -> frozenset[Seat]:
        """Seats that hold their keys and whose part the table waits for. `is_dealing`: no hand is in play."""
        play = self.play
        if play is None or not is_dealing:
            return frozenset()
        game = play.game
        first = game.playing if game.playing is not None and not play.is_in_play else game.coming
        number = 0 if first is None else first.number
        done = {*play.held, *self.long_shares}
        return frozenset([seat for seat, _, deal in game.awaits() if deal == number and seat not in done])


def owners_of(wanted: Shuffle, *, is_read: bool) -> tuple[Seat | None, ...]:
    """The owners of the places of a deal, from the first; None: the table."""
    if wanted.purpose is Purpose.DRAW:
        return (None,) * (len(wanted.cards) if is_read else min(len(wanted.cards), DRAWS * len(wanted.to)))
    return (*wanted.to, *(READ,) * (len(wanted.cards) - len(wanted.to))) if is_read else wanted.to


class Worked(NamedTuple):
    """The parts that were wanted of the server."""

    entries: tuple[bytes, ...]
    read: int
    """The number of the deal that it has read; 0: of none."""


def worked_out(wanted: WantParts) -> Worked:
    """The work that is wanted, done beside the loop: it takes up to a tenth of a second."""
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
    """The entry that was to be looked at; or, if its shares do not hold, one that its author did not do their part."""
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
    """Have the shuffles of a deal looked at. What is found is remembered (`deal.holds`) for when the entry comes."""
    for deal in (game.playing, game.coming):
        if deal is not None and deal.number == number:  # it may be over
            deal.accused()


def _parts_due(game: BlindGame, party: Party) -> tuple[bytes, ...]:
    """The entries due from the seats whose keys the server holds, after a check of the deal's shuffles."""
    due = {number for seat, _, number in game.awaits() if seat in party.seats}
    for deal in game.unexamined():
        if deal.number in due:
            game = game.with_examined(deal.examined(party.seats))
    return tuple(party.due(game))


def is_part(entry: Entry) -> bool:
    return entry.kind in (Kind.KEY, Kind.SHUFFLE, Kind.SHARES)


def is_accusation(data: bytes) -> bool:
    """True if an entry, which may be malformed, accuses a shuffle."""
    return data[1:2] == bytes([Kind.ACCUSE])


def _key_of(chance: Chance, label: str) -> SecretKey | None:
    """A key that follows from a secret; None: it is erased."""
    return key_of_seed(derived(chance.secret, digest(label))) if chance.secret else None


def _known(key: SecretKey | None) -> SecretKey:
    assert key is not None
    return key
