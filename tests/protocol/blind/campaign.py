"""Evenings of blind games in numbers, at random: what the suite runs a slice of, and `scripts/soak` as much as there is
time for.

Parties act in any order, are killed and come back, cheat, accuse falsely and fall silent. Whoever did their part is
never blamed; whoever cheats is, by everybody and by the record alone; nobody's view differs; the cards come out once.
"""

from collections import Counter
from dataclasses import replace
from random import Random

from msgspec import structs

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.deal import Blame
from put_protocol.blind.party import Party
from put_protocol.blind.shuffle import PLACE_BYTES
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.cards import FULL_PACK, PACKS
from put_protocol.errors import ProofError
from put_protocol.seats import Seat
from tests.protocol.blind.blind_table import BlindTable, secret_of

SERVERS = 0


def brief(game: BlindGame) -> BlindGame:
    """The game without what nothing to come depends on."""
    return structs.replace(game, transcript=game.transcript.still_named(), kept=tuple(sorted(game.kept)))


class Evening:
    """A game of several deals at one table."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        seats = rng.randint(2, 6)
        holders = [SERVERS if rng.random() < 0.3 else seat + 1 for seat in range(seats)]
        pack = rng.choice(list(PACKS.values())) if rng.random() < 0.15 else FULL_PACK[: seats * 3 + rng.randint(0, 3)]
        self.table = BlindTable(holders, pack, game=rng.randrange(2**32))
        self.most = len(pack) // seats
        self.expected: list[Blame] = []
        self.counts: Counter[str] = Counter()

    def play(self, deals: int) -> Counter[str]:
        for _ in range(deals):
            while not self._is_ready():
                self._step()
            self.table.deal(self._owners())
            number = self.table.game.playing.number if self.table.game.playing else 0
            while self.table.game.playing is not None and not self.table.game.playing.is_shared:
                self._step()
            if self.table.game.playing is not None:
                assert self.table.game.playing.number == number
                self._hand()
        self._agree()
        judgement = self.table.judged()
        assert judgement.fault is None
        assert judgement.game.blames == tuple(self.expected)
        assert judgement.game.transcript == self.table.game.transcript
        self.counts["entries"] += len(self.table.told)
        return self.counts

    def _is_ready(self) -> bool:
        return self.table.game.coming is not None and self.table.game.coming.is_shuffled

    def _owners(self) -> list[Seat | None]:
        """Each seat as many places as any other, and sometimes one for the table."""
        seats = len(self.table.terms.holders)
        hand = self.rng.randint(1, min(self.most, 3))
        owners: list[Seat | None] = [Seat(place % seats) for place in range(seats * hand)]
        if len(owners) < len(self.table.terms.cards) and self.rng.random() < 0.3:
            owners.append(None)
        return owners

    def _step(self) -> None:
        """Something that any party does, or fails to do."""
        due = {holder: entries for holder in self.table.parties if (entries := self.table.due(holder))}
        holder = self.rng.choice(list(due))
        entry = self.rng.choice(due[holder])
        one = Entry.parse(entry)
        chance = self.rng.random()
        if chance < 0.03 and one.kind in {Kind.SHUFFLE, Kind.SHARES}:
            self.table.missing(one.author, one.deal)
            self._blame(Blame(deal=one.deal, seat=one.author, kind=one.kind, is_ruling=True))
        elif chance < 0.08 and one.kind is Kind.SHUFFLE:
            self._cheat(one)
        elif chance < 0.10 and one.kind is Kind.SHARES:
            self._accuse(one.author, one.deal)
        else:
            if chance < 0.2:
                self._tamper(entry)
            if chance > 0.9:
                self._kill(holder)
            self.table.order(entry)

    def _cheat(self, one: Entry) -> None:
        """A shuffle with one place over another, or another's; another holder accuses, if there is one."""
        accusers = [holder for holder in self.table.parties if holder != self.table.holder_of(one.author)]
        if not accusers:
            return
        begin = self.rng.randrange(len(self.table.terms.cards)) * PLACE_BYTES
        other = self.rng.randrange(len(self.table.terms.cards)) * PLACE_BYTES
        if begin == other:
            return
        place = one.body[other : other + PLACE_BYTES]
        changed = replace(one, body=one.body[:begin] + place + one.body[begin + PLACE_BYTES :], proof=b"")
        key = self.table.party_of(one.author).keys[one.author]
        self.table.order(self.table.game.transcript.signed(changed, key))
        due = self.table.due(self.rng.choice(accusers))  # other seats of a holder may owe shares of the hand in play
        (accusation,) = [entry for entry in due if Entry.parse(entry).kind is Kind.ACCUSE]
        self.table.order(accusation)
        self._blame(Blame(deal=one.deal, seat=one.author, kind=Kind.SHUFFLE))

    def _accuse(self, author: Seat, deal: int) -> None:
        entry = self.table.game.transcript.entry(author, Kind.ACCUSE, deal, b"")
        self.table.order(self.table.game.transcript.signed(entry, self.table.party_of(author).keys[author]))
        self._blame(Blame(deal=deal, seat=author, kind=Kind.ACCUSE))

    def _blame(self, blame: Blame) -> None:
        self.expected.append(blame)
        self.counts[f"blamed for {blame.kind.name.lower()}"] += 1

    def _tamper(self, entry: bytes) -> None:
        """A byte of an entry changed on its way: the server refuses it, and nothing has changed."""
        at = self.rng.randrange(len(entry))
        altered = entry[:at] + bytes([entry[at] ^ self.rng.randrange(1, 256)]) + entry[at + 1 :]
        before = self.table.game
        try:
            before.taken(altered, self.table.server)
        except ProofError:
            self.counts["refused"] += 1
        else:
            raise AssertionError(f"byte {at} of {Entry.parse(entry)} was changed unnoticed")

    def _kill(self, holder: int) -> None:
        """A party that has nothing left but its secret, and the record or what the server gives it to go on from."""
        party = Party.holding(secret_of(holder), self.table.terms, self.table.parties[holder].seats)
        if self.counts["killed"] % 2:
            view = BlindGame.begun(self.table.terms)
            for told in self.table.told:
                view = view.told(told, party.seats)
        else:
            view = BlindGame.resumed(self.table.game.span())
            for deal in view.unexamined():
                view = view.with_examined(deal.examined(party.seats))
        assert brief(view) == brief(self.table.views[holder])
        self.table.parties[holder], self.table.views[holder] = party, view
        self.counts["killed"] += 1

    def _hand(self) -> None:
        """Cards read by their owners, some of them shown, in any order; the rest is thrown in."""
        deal = self.table.game.playing
        assert deal is not None
        seats = [Seat(seat) for seat in range(len(self.table.terms.holders))]
        read = {place: card for seat in seats for place, card in self.table.hand(seat).items()}
        known = read | dict(deal.shown)
        assert len(set(known.values())) == len(known) == len(deal.owners)
        assert set(known.values()) <= set(self.table.terms.cards)
        places = self.rng.sample(sorted(read), self.rng.randint(0, len(read)))
        for place in places:
            owner = deal.owners[place]
            assert owner is not None
            self.table.show(owner, place)
        seat = self.rng.choice(seats)
        self.table.order(self.table.party_of(seat).act(self.table.view_of(seat), seat, deal.number, b"throw in"))
        self._agree()
        after = self.table.game.playing
        assert after is not None
        assert dict(after.shown) == {place: known[place] for place in (*places, *deal.shown)}
        self.counts["deals"] += 1

    def _agree(self) -> None:
        """Everybody has the same transcript, and the same of everything that it says."""
        for view in self.table.views.values():
            assert view.transcript.still_named() == self.table.game.transcript.still_named()
            assert view.blames == tuple(self.expected) == self.table.game.blames
            for ours, theirs in ((self.table.game.playing, view.playing), (self.table.game.coming, view.coming)):
                assert (ours is None) == (theirs is None)
                if ours is not None and theirs is not None:
                    assert (ours.number, ours.shuffles, ours.shown) == (theirs.number, theirs.shuffles, theirs.shown)


def evening(seed: int, deals: int) -> Counter[str]:
    """So many deals of one game that the seed chooses, and how often each thing happened."""
    return Evening(Random(seed)).play(deals)


def campaign(seed: int, turn: int) -> int:
    """Ten evenings of five deals; returns the deals that were played."""
    return sum([evening(seed * 1_000_003 + turn * 10 + number, 5)["deals"] for number in range(10)])
