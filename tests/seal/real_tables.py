"""Real tables whose people check everything, as both verifiers see them: every rule set, with drops, misses and voids.

`campaign` plays them and holds the checker in Python against the verifier in JavaScript, which reads what each person
was told as it was told.
"""

import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from put_protocol.messages import Events
from put_protocol.seal.checker import Checker
from put_protocol.seal.cuts import Chain
from put_protocol.seal.findings import Unproved
from put_protocol.seal_events import Sealed
from put_protocol.seats import Seat
from put_rules.registry import GAMES
from put_server.table.chair import Sitter
from put_server.table.table_effects import Effect, PersonId
from tests.seal.test_verifiers import verified
from tests.table.table_harness import EVE
from tests.table.test_sealing import PLAYERS, SealedTableHarness, chosen, names_of


class Accused(AssertionError):
    """An honest table was accused, did not get its proofs through, or opened a card that was not shown."""


class RecordingTableHarness(SealedTableHarness):
    """A table that notes what each person is told and asks, as it travels, for the other verifier."""

    def __init__(self, game: str, seats: int, **options: int | str) -> None:
        self.lines: dict[PersonId, list[Any]] = defaultdict(lambda: [{"type": "welcome"}])
        self._noted: dict[PersonId, int] = defaultdict(int)
        self._id = 0
        super().__init__(game, seats, **options)  # type: ignore[arg-type]  # `bank` is no option

    def look_on(self, person: PersonId) -> None:
        self.lines[person]
        super().look_on(person)
        self.note()

    def join(self, person: PersonId, seat: Seat, *, takes_part: bool = True) -> None:
        chain = Chain(bytes([seat + 1]) * 32, 1_024) if takes_part else None
        self.checkers[person] = checker = Checker(7, seat, chain=chain, terms=self.terms)
        self.ask(person, "sit", end=checker.own.end)
        self.do(self.table.sit(Sitter(person, names_of(person)), seat, self.now, checker.own.end)[1])
        self.listen()

    def ask(self, person: PersonId, kind: str, **fields: Any) -> None:
        """A request that is carried out, and its answer."""
        self.note()
        self._id += 1
        self.lines[person] += [
            {"type": kind, "id": self._id, "table": self.table.id, **fields},
            {"type": "ok", "id": self._id},
        ]

    def do(self, effects: list[Effect]) -> None:  # type: ignore[override]  # a list, for it is read twice
        super().do(effects)
        self.note()

    def note(self) -> None:
        """Add what each was told since."""
        for person in self.lines.keys() - self.lost:
            mail, self._noted[person] = self.mail[person][self._noted[person] :], len(self.mail[person])
            self.lines[person] += mail

    def cuts(self, person: PersonId, link: bytes) -> None:
        deal = self.table.model.deals.cutting
        assert deal is not None
        self.ask(person, "cut", deal=deal.sealed.deal, link=link)

    def promises(self, person: PersonId) -> None:
        if (end := self.checkers[person].own.end) is not None:
            self.ask(person, "promise", end=end)
            self.do(self.table.promise(person, end, self.now))
            self.checkers[person].own.count()

    def drop(self, dice: random.Random, person: PersonId) -> None:
        """Lose a connection; others may play on a little; then it is back, and what was missed is told, or not."""
        self.note()
        number = self.number(person)
        self.disconnect(person)
        self.listen()
        for _ in range(dice.randrange(4)):
            if self.table.model.turn.seat is not None and self.mover != person:
                self.act(chosen(dice, self.decision.legal))
                self.listen()
        self.lines[person].append({"type": "welcome"})
        self._noted[person] = len(self.mail[person])
        self.reconnect(person, None if dice.random() < 0.2 else number)
        self.listen()

    def resign(self, person: PersonId) -> None:
        """Give the game up and keep the seat: also while a deal is being cut."""
        play = self.table.model.play
        seat = self.table.seating.seat_of(person)
        if seat is not None and play is not None and not play.is_over and seat not in play.resigned:
            self.do(self.table.resign(person, self.now))
            self.listen()

    def miss(self, person: PersonId) -> None:
        """Do not cut in time, once, and promise again."""
        self.idle.add(person)
        self.wait_out(person)
        self.listen()
        self.idle.discard(person)
        if self.table.seating.seat_of(person) is not None:
            self.promises(person)
            self.listen()


def options_of(dice: random.Random, game: str) -> Mapping[str, int | str]:
    """Random options that change what is sealed."""
    offered = {option.name for option in GAMES[game].offer.options}
    options: dict[str, int | str] = {"open": dice.choice(("played", "after_game"))}
    if "pack" in offered:
        options["pack"] = dice.choice((52, 32, 28))
    if "misdeals" in offered:
        options["misdeals"] = dice.choice((0, 0, 25))
    if "ranking" in offered:
        options["ranking"] = dice.choice(("french", "printed"))
    return options


def evening(dice: random.Random, game: str, seats: int, moves: int) -> RecordingTableHarness:
    """Random play at one table, with a spectator, and with drops and missed cuts."""
    harness = RecordingTableHarness(game, seats, **options_of(dice, game))
    harness.look_on(EVE)
    for seat, person in enumerate(PLAYERS[:seats]):
        harness.join(person, Seat(seat), takes_part=seat == 0 or dice.random() < 0.8)
    for _ in range(moves):
        if not harness.table.model.is_playing and any(chair.sitter is None for chair in harness.table.seating.chairs):
            break  # somebody missed two cuts running, and nobody takes the seat
        chance = dice.random()
        person = dice.choice([EVE, *PLAYERS[:seats]])
        if harness.table.seating.viewer_of(person) is None:
            pass  # they missed two cuts running
        elif chance < 0.08:
            harness.drop(dice, person)
        elif chance < 0.12:
            harness.idle.add(person)  # from the next seal on
        elif chance < 0.125:
            harness.resign(person)
        harness.play_on(dice, 1)
        deal = harness.table.model.deals.cutting
        for idle in [
            idle for idle in harness.idle if deal is not None and harness.table.seating.seat_of(idle) in deal.waits
        ]:
            if dice.random() < 0.2:
                harness.resign(idle)
                harness.idle.discard(idle)
            else:
                harness.miss(idle)
    return harness


def check(harness: RecordingTableHarness, others: Mapping[PersonId, dict[str, Any]]) -> Counter[str]:
    """What both verifiers make of a table; how many deals were proved, missed and called off, viewer by viewer.

    :raises Accused: anything but an honest table, or the two do not agree.
    """
    tally: Counter[str] = Counter()
    for person, checker in harness.checkers.items():
        other, mine = others[person], checker.tally
        unproved = dict(mine.unproved)
        if harness.failures or other["findings"]:
            raise Accused(f"{person}: {harness.failures} {other['findings']}")
        if set(unproved) - {Unproved.MISSED, Unproved.NOT_COUNTED, Unproved.NOT_SEALED}:
            raise Accused(f"{person}: {unproved}")
        counts = mine.proved, sum(unproved.values()), mine.deals_called_off
        if counts != (other["proved"], other["unproved"], other["called_off"]):
            raise Accused(f"{person}: the two count otherwise: {mine}, {other}")
        tally += Counter(proved=counts[0], missed=counts[1], called_off=counts[2])
    tally["stocks"] = sum(isinstance(line, Events) and _stocks(line) for line in harness.lines[EVE])
    return tally


def _stocks(message: Events) -> int:
    """Stocks that were sealed."""
    return sum(isinstance(event, Sealed) and event.stock for event in message.events)


def campaign(seed: int, turn: int, *, moves: int = 120, games: Iterable[str] = GAMES) -> Counter[str]:
    """A table of each rule set and number of seats; what was proved, missed and called off, and how many were dealt.

    :raises Accused: with the table it happened at.
    """
    tally: Counter[str] = Counter()
    harnesses = [
        (game, seats, evening(random.Random(f"{seed} {turn} {game} {seats}"), game, seats, moves))
        for game in games
        for seats in GAMES[game].offer.seats
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = [_write(Path(folder), harness) for _, _, harness in harnesses]
        viewers = iter(verified(*[file for by_person in files for file in by_person.values()])["viewers"])
        for (game, seats, harness), by_person in zip(harnesses, files, strict=True):
            try:
                tally += check(harness, dict(zip(by_person, viewers, strict=False)))
            except Accused as error:
                raise Accused(f"{game}, {seats} seats, {harness.table.info.options}: {error}") from None
            tally["dealt"] += max(checker.tally.dealt for checker in harness.checkers.values())
    return tally


def _write(folder: Path, harness: RecordingTableHarness) -> dict[PersonId, Path]:
    """A file for each person."""
    files = {}
    for person in harness.checkers:
        files[person] = file = folder / f"{id(harness)}-{person}.jsonl"
        file.write_bytes(b"".join([msgspec.json.encode(line) + b"\n" for line in harness.lines[person]]))
    return files
