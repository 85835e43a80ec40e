"""Recordings of people who cut, as a journal is handed them, and what of them may not be stored."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from put_protocol.cards import FULL_PACK, Card
from put_protocol.games.unions import Action, Choice
from put_protocol.messages import Act, Again, Cut, Decision, Promise, Sit
from put_protocol.seal import packs
from put_protocol.seal.cuts import Chain, draw
from put_protocol.seal_events import HASH_BYTES
from put_rules.record import Pack
from put_server.lobby.inputs import Arrive, Input, Secret, Shuffled, Tick, changes_nothing
from put_server.lobby.lobby import Lobby
from put_server.lobby.outcome import Admit, InputOutcome
from put_server.lobby.settling import Entry
from put_server.table.table_effects import DealOver, GameConcluded, PersonId, TableId
from tests.journal.recorded_journals import RecordedBatch
from tests.lobby.lobby_harness import LobbyHarness, new_lobby, token_of
from tests.table.test_sealing import chosen

LINKS = 512
WINDOW = 7
"""Cards that nobody was shown, side by side in a shuffled pack: as bytes they are found nowhere by chance."""


class FinishedDeal(NamedTuple):
    """A deal that is over."""

    dealt: Secret | Shuffled
    remains: Pack
    opens_after: bool

    @property
    def is_sealed(self) -> bool:
        return isinstance(self.dealt, Secret)

    def traces(self) -> Iterator[bytes]:
        """Bytes that must not be left of it."""
        if isinstance(self.dealt, Shuffled):
            yield from _runs(self.dealt.pack, self.remains.cards)
            return
        proofs = self.remains.proofs
        assert proofs is not None
        sealed = proofs.sealed
        cards = sealed.cards or FULL_PACK
        made = packs.seal(self.dealt.secret, self.dealt.table, sealed.deal, cards, has_accidents=bool(sealed.misdeals))
        drawn = draw(self.dealt.table, sealed.deal, sealed.roots, sealed.to, cards, proofs.cut.links)
        pack = made.packs[drawn.pack]
        yield self.dealt.secret
        if not self.opens_after:
            yield pack.seed
        shown = {opening.card for opening in proofs.openings}
        for place, card in enumerate(pack.cards):
            if card not in shown:
                yield pack.salts[place * HASH_BYTES : (place + 1) * HASH_BYTES]
        yield from _runs(tuple([pack.cards[place] for place in drawn.order]), self.remains.cards)


def _runs(dealt: tuple[Card, ...], stored: tuple[Card, ...]) -> Iterator[bytes]:
    """Pieces of the pack as it was dealt that are others in what is kept."""
    for place in range(len(dealt) - WINDOW + 1):
        piece = dealt[place : place + WINDOW]
        if all(card != now for card, now in zip(piece, stored[place : place + WINDOW], strict=True)):
            yield b"".join(map(msgspec.msgpack.encode, piece))


class SealingHarness(LobbyHarness):
    """A lobby whose guests take part in the cutting, or some of them. What is handed in is kept until it is taken."""

    def __init__(self, lobby: Lobby | None = None, *, seed: int) -> None:
        super().__init__(lobby or new_lobby(), seed=seed)
        self.over: list[FinishedDeal] = []
        self.games_over: list[GameConcluded] = []
        self._batches: list[RecordedBatch] = []
        self._batch = RecordedBatch([], [])
        self._dealt: dict[TableId, list[Secret | Shuffled]] = {}
        self._links: dict[tuple[PersonId, int], tuple[Chain, int]] = {}

    def take(self) -> list[RecordedBatch]:
        """What was handed in since the last time."""
        handed, self._batches = self._batches, []
        return handed

    def handle(self, event: Input, *, must_succeed: bool = False) -> InputOutcome:
        self._batch = handed = RecordedBatch([], [])
        outcome = super().handle(event, must_succeed=must_succeed)
        handed.games.extend(effect for effect in outcome.effects if isinstance(effect, GameConcluded))
        self.games_over += handed.games
        is_idle = isinstance(event, Tick) and not outcome.effects
        if not outcome.is_refused and not changes_nothing(event) and not is_idle:
            self._batches.append(handed)
        return outcome

    def _settled(self, event: Input) -> tuple[InputOutcome, list[Entry]]:
        outcome, entries = super()._settled(event)
        self._batch.records.extend(entries)
        for entry in entries:
            if isinstance(entry, DealOver):
                options = self.lobby.tables[entry.table].info.options if entry.table in self.lobby.tables else {}
                opens_after = options.get("open") == "after_game"
                for brought, chance in zip(self._dealt[entry.table], entry.remains, strict=False):
                    assert chance.pack is not None
                    self.over.append(FinishedDeal(brought, chance.pack, opens_after))
            elif isinstance(dealt := entry[1], Secret | Shuffled):
                self._dealt[dealt.table] = [*self._dealt.get(dealt.table, ())[: dealt.beside], dealt]
        return outcome, entries

    def welcome(self, name: str) -> PersonId:
        """Somebody new, who asks for proofs."""
        answer = self.handle(Arrive(name, False, token_of(name), True)).answer
        assert isinstance(answer, Admit)
        return answer.person

    def sit_down(self, table: int, person: PersonId, *, cuts: bool) -> None:
        chain = Chain(self.random.randbytes(32), LINKS)
        self._links[person, table] = (chain, LINKS)
        self.ok(person, Sit(self.request_id(), table, end=chain.link(LINKS) if cuts else None))

    def cut(self, *, but: frozenset[PersonId] = frozenset()) -> None:
        """Everyone who has yet to cut does, but these."""
        is_done = False
        while not is_done:
            is_done = True
            for number, table in list(self.lobby.tables.items()):
                deal = table.model.deals.cutting
                for seat in () if deal is None else tuple(deal.waits):
                    sitter = table.seating.chairs[seat].sitter
                    assert sitter is not None
                    assert deal is not None
                    if (
                        sitter.id not in but
                        and self.lobby.people[sitter.id].is_here
                        and table.model.deals.cutting is deal
                    ):
                        self._cut(sitter.id, number, deal.sealed.deal)
                        is_done = False

    def _cut(self, person: PersonId, table: TableId, deal: int) -> None:
        chain, left = self._links[person, table]
        self._links[person, table] = chain, left - 1
        self.ok(person, Cut(self.request_id(), table, deal, chain.link(left - 1)))

    def move(self, *, cuts: bool = True) -> None:
        """At each table whoever is asked answers, or all agree to another game; then everybody cuts."""
        for number, table in list(self.lobby.tables.items()):
            if table.model.turn.seat is None:
                self._agree(number)
                continue
            sitter = table.seating.chairs[table.model.turn.seat].sitter
            assert sitter is not None
            if sitter.is_house:
                self.house_moves()
            elif self.lobby.people[sitter.id].is_here:
                asked = [m for m in self.mail[sitter.id] if isinstance(m, Decision) and m.table == number][-1]
                action = self.choose(asked.legal)
                self.ok(sitter.id, Act(self.request_id(), number, asked.decision, action))
        if cuts:
            self.cut()

    def choose(self, legal: tuple[Choice, ...]) -> Action:
        """What somebody does."""
        return self.random.choice(legal).action

    def _agree(self, number: TableId) -> None:
        table = self.lobby.tables[number]
        for chair in table.seating.chairs:
            sitter = chair.sitter
            if table.model.is_playing or sitter is None or chair.agrees or not self.lobby.people[sitter.id].is_here:
                continue
            self.ok(sitter.id, Again(self.request_id(), number))

    def promise_again(self, table: int, person: PersonId) -> None:
        chain, left = self._links[person, table]
        self.ok(person, Promise(self.request_id(), table, chain.link(left)))


class PrimeroHarness(SealingHarness):
    """Players who trade as much as they can, so that the stock runs out."""

    def choose(self, legal: tuple[Choice, ...]) -> Action:
        return chosen(self.random, legal)


def sealed_tables(
    *,
    seed: int,
    tables: tuple[dict[str, int | str], ...],
    cut: tuple[bool, ...] = (True, True),
    kind: type[SealingHarness] = SealingHarness,
) -> SealingHarness:
    """Two people at each table, who play each its own game and take part in the cutting as `cut` says."""
    harness = kind(seed=seed)
    for place, options in enumerate(tables):
        people = [harness.welcome(f"{name} {place}") for name in ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")[: len(cut)]]
        game = str(options.get("game", "put-1674"))
        rest = {name: value for name, value in options.items() if name != "game"}
        number = harness.open(people[0], game=game, options=rest, seats=len(cut))
        for person, cuts in zip(people, cut, strict=True):
            harness.sit_down(number, person, cuts=cuts)
    harness.cut()
    return harness
