"""Waits of a table: in no state does a game wait for nothing, and time alone brings it to its end."""

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from put_protocol.table_info import ClockInfo
from put_rules.registry import GAMES
from put_server.lobby.policy import EDITION
from put_server.table.clock import TableTerms
from put_server.table.seating import Sitter
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, RequestRefused, TableId, WaitEnded, WaitFor
from put_server.table.table_model import TableModel
from put_server.table.waits import waits
from tests.conformance.random_games import random_action, random_options, random_temper
from tests.repetitions import TIMES, TURN
from tests.table.table_harness import TableHarness

TABLES = [(name, seats) for name, rule_set in GAMES.items() for seats in rule_set.offer.seats]

STEPS = 40
"""That people make before all of them fall silent."""

MOST_WAITS = 2_000
"""That time ends, one after another, before a game is over in which nobody does anything."""


class WaitingTable(TableHarness):
    """A table of any game, and the waits that time ended at it."""

    def __init__(self, name: str, seats: int, rng: Random, *, edition: int = EDITION) -> None:
        rule_set, numbers = GAMES[name], count(200)
        options = random_options(rng, rule_set.offer, seats)
        if rng.random() < 0.9 and "arranged" in options:
            options["arranged"] = ""
        model = TableModel(
            id=TableId(7),
            owner_id=PersonId(1),
            rule_set=rule_set,
            options=options,
            seats=seats,
            clock=ClockInfo(turn=rng.choice((0, 5)), bank=rng.choice((0, 8))),
            passcode="",
            is_gallery_open=True,
            is_exhibition=False,
            terms=TableTerms(patience=900, edition=edition),
        )
        super().__init__(Table(model, lambda _: Sitter(PersonId(next(numbers)), "Doll", house="steady")))
        self.rng, self.temper = rng, random_temper(rng)
        self.leaving = rng.choice((1, 8, 25))
        self.people = [PersonId(number) for number in range(1, seats + 1)]
        self.ended: list[WaitEnded] = []

    def do(self, effects: Iterator[Effect] | list[Effect]) -> None:  # type: ignore[override]  # read twice
        effects = list(effects)
        self.ended += [effect for effect in effects if isinstance(effect, WaitEnded)]
        super().do(effects)

    def take_seats(self) -> None:
        """Everyone sits down, in place of the house."""
        for sitter in self.table.seating.house_players:
            self.stand(sitter.id)
        for person in self.people:
            if self.table.seating.seat_of(person) is None:
                self.do(self.table.sit(Sitter(person, f"Nan {person}"), None, self.now)[1])

    def move(self) -> None:
        """The player to move does something."""
        seat, play = self.table.model.turn.seat, self.table.model.play
        if seat is None or play is None or not self.table.model.is_playing:
            return
        sitter = self.table.seating.chairs[seat].sitter
        assert sitter is not None
        legal = tuple([choice.action for choice in play.question(1, in_words=True).legal])
        action = random_action(self.rng, legal, self.temper)
        self.do(self.table.act(sitter.id, self.table.model.turn.decision, action, self.now))

    def random_step(self) -> None:
        """Somebody does something, allowed or not, or time passes."""
        table, person = self.table, self.rng.choice(self.people)
        what = self.rng.choices(
            ("move", "leave", "resign", "lose", "back", "pause", "go_on", "again", "silent", "wait"),
            (30, self.leaving, 2, 4, 4, 2, 3, 6, 2, 3),
        )[0]
        self.now += self.rng.choice((1, 400))
        try:
            match what:
                case "move":
                    self.move()
                case "lose" if table.seating.viewer_of(person) is not None:
                    self.disconnect(person)
                case "back" if table.seating.viewer_of(person) is not None:
                    self.reconnect(person, None)
                case "pause" | "go_on":
                    for each in self.people:
                        self.do(table.pause(each, 1, self.now) if what == "pause" else table.go_on(each, self.now))
                case "again":
                    self.again(*self.people)
                case "leave" | "resign":
                    getattr(self, what)(person)
                case "silent":
                    self.stalled ^= {person}
                case "wait":
                    self.tick(max(self.now, table.quiet_until(self.now) or self.now))
                case _:
                    pass
        except RequestRefused:
            pass

    def check(self) -> None:
        """The law: a game in play waits for people who are there, and some clock ends that."""
        if not self.table.model.is_playing:
            return
        all_waits = list(waits(self.table.model, self.now))
        assert WaitFor.NOTHING not in [wait.what for wait in all_waits]
        assert any(wait.end is not None for wait in all_waits), f"no clock ends any of {all_waits}"
        for wait in all_waits:
            assert wait.seat is None or self.table.seating.chairs[wait.seat].sitter is not None


def rng_of(name: str, seats: int, number: int) -> Random:
    return Random(f"{TURN} {name} {seats} {number}")


@pytest.mark.parametrize(("name", "seats"), TABLES, ids=str)
def test_game_never_waits_for_nothing(name: str, seats: int) -> None:
    """Whatever people do, a game in play waits for a player who is there until a clock ends it; and when all of them
    fall silent, the clocks alone end the game."""
    for number in range(2 * TIMES):
        rng = rng_of(name, seats, number)
        harness = WaitingTable(name, seats, rng)
        for _ in range(STEPS):
            if not harness.table.model.is_playing:
                harness.take_seats()
            harness.random_step()
            harness.check()
        for _ in range(MOST_WAITS):
            if not harness.table.model.is_playing:
                break
            until = harness.table.quiet_until(harness.now)
            assert until is not None
            harness.tick(max(harness.now, until))
            harness.check()
        assert not harness.table.model.is_playing, "the game goes on"
        assert WaitFor.NOTHING not in {wait.what for wait in harness.ended}
