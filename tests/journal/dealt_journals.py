"""Recordings of people who play, as a journal is handed them, and what of them may not be stored."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import msgspec

from put_protocol.cards import Card
from put_protocol.games import primero
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Action, Choice
from put_protocol.messages import Act, Again, Decision, ViewForm
from put_rules.record import Pack
from put_server.lobby.inputs import Admit, Arrive, Input, InputOutcome, Shuffled, Tick, changes_nothing
from put_server.lobby.lobby import Lobby
from put_server.lobby.settling import Entry
from put_server.table.table_effects import DealOver, GameConcluded, PersonId, TableId
from tests.journal.recorded_journals import RecordedBatch
from tests.lobby.lobby_harness import LobbyHarness, new_lobby, token_of

WINDOW = 7
"""Cards that nobody was shown, side by side in a shuffled pack: as bytes they are found nowhere by chance."""


class FinishedDeal(NamedTuple):
    """A deal that is over."""

    dealt: Shuffled
    remains: Pack

    def traces(self) -> Iterator[bytes]:
        """Bytes that must not be left of it."""
        yield from _runs(self.dealt.pack, self.remains.cards)


def _runs(dealt: tuple[Card, ...], stored: tuple[Card, ...]) -> Iterator[bytes]:
    """Pieces of the pack as it was dealt that are others in what is kept."""
    for place in range(len(dealt) - WINDOW + 1):
        piece = dealt[place : place + WINDOW]
        if all(card != now for card, now in zip(piece, stored[place : place + WINDOW], strict=True)):
            yield b"".join(map(msgspec.msgpack.encode, piece))


class DealingHarness(LobbyHarness):
    """A lobby whose deals are noted. What is handed in is kept until it is taken."""

    def __init__(self, lobby: Lobby | None = None, *, seed: int) -> None:
        super().__init__(lobby or new_lobby(), seed=seed)
        self.over: list[FinishedDeal] = []
        self.games_over: list[GameConcluded] = []
        self._batches: list[RecordedBatch] = []
        self._batch = RecordedBatch([], [])
        self._dealt: dict[TableId, list[Shuffled]] = {}

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
                for brought, chance in zip(self._dealt[entry.table], entry.remains, strict=False):
                    assert chance.pack is not None
                    self.over.append(FinishedDeal(brought, chance.pack))
            elif isinstance(dealt := entry[1], Shuffled):
                self._dealt[dealt.table] = [*self._dealt.get(dealt.table, ())[: dealt.beside], dealt]
        return outcome, entries

    def welcome(self, name: str) -> PersonId:
        """Somebody new, who needs no sentences from the server: they take it longer than all else."""
        arrival = Arrive(name, False, token_of(name), knows=(*FAMILIES,), views=ViewForm.CHANGES)
        answer = self.handle(arrival).answer
        assert isinstance(answer, Admit)
        return answer.person

    def move(self) -> None:
        """At each table whoever is asked answers, or all agree to another game."""
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


def chosen(dice: Random, legal: tuple[Choice, ...]) -> Action:
    """A random action; in Primero one that keeps players in and cards moving, so that the stock runs out."""
    actions = [choice.action for choice in legal]
    return dice.choices(actions, [_liking(action) for action in actions])[0]


def _liking(action: Action) -> float:
    match action:
        case primero.Trade(cards=cards):
            return 30 if len(cards) == 2 else 1
        case primero.See() | primero.GoOn() | primero.Pass():
            return 50
        case primero.Refuse():
            return 4
        case primero.Vada() | primero.Stand():
            return 3
        case primero.Bet() | primero.Raise():
            return 1
        case _:
            return 6


class PrimeroHarness(DealingHarness):
    """Players who trade as much as they can, so that the stock runs out."""

    def choose(self, legal: tuple[Choice, ...]) -> Action:
        return chosen(self.random, legal)


def dealt_tables(
    *,
    seed: int,
    tables: tuple[dict[str, int | str], ...],
    seats: int = 2,
    kind: type[DealingHarness] = DealingHarness,
) -> DealingHarness:
    """People at each table, who play each its own game."""
    harness = kind(seed=seed)
    for place, options in enumerate(tables):
        people = [harness.welcome(f"{name} {place}") for name in ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")[:seats]]
        game = str(options.get("game", "put-1674"))
        rest = {name: value for name, value in options.items() if name != "game"}
        number = harness.open(people[0], game=game, options=rest, seats=seats)
        harness.sit(number, *people)
    return harness
