"""Blind deals of one table: the game of entries, and what the server makes of its secret for it.

Everything that the server contributes follows from one secret a game, its `Chance`: its own key, which signs receipts,
and the keys of the seats that it holds. It cannot read the hand of any other seat. What it makes of the secret is kept
in order, as a *tape*. When the game is over the secret is erased, and the tape remains: a journal whose inputs are
replayed reads from it what can be made no more. A tape has no secret: it has what everybody was told, and the cards
that the players of held seats saw.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Final, NamedTuple

from msgspec import Struct

from put_protocol.blind.blind_game import NOTHING_CHECKED, BlindGame
from put_protocol.blind.deal import READ, Deal
from put_protocol.blind.group import Point, digest
from put_protocol.blind.keys import SecretKey, key_of_seed
from put_protocol.blind.party import (
    Party,
    deal_entry,
    missing_entry,
    renew_entry,
    ruling_entry,
    wrong_shares_entry,
)
from put_protocol.blind.reading import Reading, shared_point
from put_protocol.blind.same_secret import derived
from put_protocol.blind.transcript import Entry, Kind, Terms
from put_protocol.blind_acts import Ruling, RulingKind, UnseenAct, act_body, read_act, read_action, unseen_body
from put_protocol.blind_events import BlindEntry, OpenedPlace, PartMissed
from put_protocol.cards import Card, in_order, place_card
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.game import NotAwaited, Purpose, Shuffle
from put_rules.record import Chance, Pack, Tape
from put_server.table.step_waits import MISSES, Misses, StepWait, StepWaits
from put_server.table.table_effects import TableId, WantParts

SERVERS: Final = 255
"""The holder of all keys that the server holds."""

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
    read: int = 0
    packs: dict[int, int] = {}
    misses: dict[Seat, Misses] = {}
    charge: bytes = b""


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
        source, server = Source(chance), _server_key(chance)
        point = source.make(lambda: _known(server).point.encoded)
        cards = in_order(wanted.cards)
        terms = Terms(table=table, game=number, holders=holders, cards=cards, server=Point.parse(point))
        return cls(source, BlindGame.begun(terms), server)

    @classmethod
    def restored(cls, checkpoint: BlindCheckpoint, chance: Chance) -> "BlindPlay":
        game = BlindGame.resumed(checkpoint.span)
        play = cls(Source(chance, checkpoint.made), game, _server_key(chance), checkpoint.in_play)
        play.read, play.packs = checkpoint.read, dict(checkpoint.packs)
        return play

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

    def dealt(self, wanted: Shuffle, *, is_read: bool) -> BlindStep:
        """The coming deal, dealt by the server."""
        owners = owners_of(wanted, is_read=is_read)
        return self.ordered(self.source.make(lambda: deal_entry(self.game, _known(self._server), owners)))

    def renewed(self, wanted: Shuffle, takers: tuple[Seat, ...]) -> BlindStep:
        """The coming deal is a stock of the cards that came back."""
        return self.ordered(
            self.source.make(lambda: renew_entry(self.game, _known(self._server), takers, wanted.cards))
        )

    def missed(self, seat: Seat, deal: int) -> bytes:
        """The server's entry that a seat did not do its part."""
        return self.source.make(lambda: missing_entry(self.game, _known(self._server), seat, deal))

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
            if card is None or self.is_reading:
                return self.party.act(self.game, seat, self.in_play, self.act_body(seat, action))
            hand = self.party.hand(self.game, seat)
            return self.party.show(self.game, seat, next(place for place, held in hand.items() if held == card))

        return self.source.make(entry)

    def pack(self) -> tuple[Card, ...]:
        """The pack of the deal in play as the server can read it."""
        deal = self.game.playing
        assert deal is not None
        if deal.is_read:
            self.packs[deal.number] = self.source.made
            read = self.source.make(lambda: " ".join([card or "" for card in self.reading(deal).read]).encode())
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
        return unseen_body(deal.unseen_key(seat, shared_point(deal, seat, _known(self._server))), action)

    def is_act(self, seat: Seat, action: Action, body: bytes) -> bool:
        """True if this is the body of an act; where the secret is erased it was checked before."""
        if self._server is None and isinstance(read_act(body), UnseenAct):
            return action.IS_UNSEEN
        return body == self.act_body(seat, action) or (not action.IS_UNSEEN and read_action(body) == action)

    @property
    def is_reading(self) -> bool:
        """True if the server reads the deal in play."""
        return self.game.playing is not None and self.game.playing.is_read

    def reading(self, deal: Deal) -> Reading:
        """The server's reading of a deal that all shared."""
        found = self._readings.get(deal.number)
        if found is None:
            found = self._readings[deal.number] = Reading.of(deal, _known(self._server))
        return found

    def opened(self, number: int, place: int) -> OpenedPlace:
        """A place of a read deal, with what proves its card."""
        deals = [deal for deal in (*self.game.beside, self.game.playing) if deal is not None]
        (deal,) = [deal for deal in deals if deal.number == number]
        return OpenedPlace(number, place, self.source.make(lambda: self.reading(deal).opening(place)))

    def read_again(self) -> list[Pack]:
        """The packs of the hand in play that the server read, as far as they are known."""
        packs = []
        for number, piece in self.packs.items():
            kept = self.source.kept(piece)
            deals = (*self.game.beside, self.game.playing)
            (deal,) = [deal for deal in deals if deal is not None and deal.number == number]
            cards = self.reading(deal).read if kept is None else kept.decode().split(" ")
            packs.append(Pack(tuple([Card(card or "") for card in cards]), is_stock=deal.is_stock))
        return packs

    def finish_hand(self, remains: Sequence[Pack]) -> None:
        """The hand in play is over: of the packs that were read this is kept."""
        for piece, pack in zip(self.packs.values(), remains, strict=True):
            self.source.replace(piece, " ".join(pack.cards).encode())
        self.packs.clear()
        self._readings.clear()

    @property
    def wanted_reading(self) -> Reading | None:
        """The reading of the deal whose pack is to be read next; None: none is, or the secret is erased."""
        deal = self.game.playing
        return self.reading(deal) if deal is not None and self.is_unread and self._server is not None else None

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
        )

    def packs(self) -> list[Pack]:
        """The packs of the hand in play that the server read."""
        return [] if self.play is None else self.play.read_again()

    def restore(self, checkpoint: BlindCheckpoint, chance: Chance | None) -> None:
        self.number = checkpoint.number
        self.waits, self.misses, self.charge = StepWaits(checkpoint.waits), dict(checkpoint.misses), checkpoint.charge
        self.work, self.worked_from, self.is_working = checkpoint.work, checkpoint.worked_from, checkpoint.is_working
        if chance is not None:
            self.play = BlindPlay.restored(checkpoint, chance)

    @property
    def chance(self) -> Chance | None:
        """The source of the game in play."""
        return None if self.play is None else self.play.source.chance

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
        return frozenset([seat for seat, _, deal in game.awaits() if deal == number and seat not in play.held])


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
        _accuse(wanted.game, Entry.parse(wanted.charge).deal)
        return Worked((wanted.charge,), 0)
    if reading is None:
        return Worked(() if wanted.party is None else _parts_due(wanted.game, wanted.party), 0)
    if (wrong := reading.wrong) is None:
        return Worked((), reading.deal.number)
    _accuse(wanted.game, reading.deal.number)
    return Worked((wrong_shares_entry(wanted.game, wanted.server, reading.deal, wrong),), 0)


def _accuse(game: BlindGame, number: int) -> None:
    """Have the shuffles of a deal looked at. What is found is remembered (`deal.holds`) for when the entry comes."""
    for deal in (game.playing, game.coming):
        if deal is not None and deal.number == number:  # it may be over
            deal.accused()


def _parts_due(game: BlindGame, party: Party) -> tuple[bytes, ...]:
    """The entries that are due from the seats whose keys the server holds. It checks the shuffles of a deal before it
    does its part."""
    due = {number for seat, _, number in game.awaits() if seat in party.seats}
    for deal in game.unexamined():
        if deal.number in due:
            game = game.with_examined(deal.examined(party.seats))
    return tuple(party.due(game))


def is_part(entry: Entry) -> bool:
    """True if an entry is a part of the dealing, and no act of the game."""
    return entry.kind in (Kind.KEY, Kind.SHUFFLE, Kind.SHARES)


def is_accusation(data: bytes) -> bool:
    """True if an entry, which may be malformed, accuses a shuffle."""
    return data[1:2] == bytes([Kind.ACCUSE])


def _server_key(chance: Chance) -> SecretKey | None:
    return key_of_seed(derived(chance.secret, digest("server key"))) if chance.secret else None


def _known(key: SecretKey | None) -> SecretKey:
    assert key is not None
    return key
