"""Games of every rule set, played until the client has been asked every possible decision."""

import random
from collections.abc import Iterator, Mapping
from enum import StrEnum

from put_conformance.case import Case, FaultInjector
from put_conformance.case_runner import CaseRunner
from put_conformance.checks import Check, Section
from put_conformance.client_connection import Outgoing
from put_conformance.scenes import asked_at, scenes_of, scenes_on
from put_protocol.messages import Decision, ServerMessage, TableSnapshot
from put_protocol.seats import GALLERY
from put_rules.driver import Driver, shuffled_by
from put_rules.game import OptionValue, RuleSet

STEPS_IN_VAIN = 400
"""Inputs of random games without a new moment after which all moments count as found: the rarest comes once in
fifty."""

_OPTIONS: Mapping[str, int] = {"misdeals": 50, "target": 21}
"""Options of the table, if the rule set has them: accidents in half the deals, and long games."""


class AskInEveryScene(FaultInjector):
    """Injects no fault: waits until the client has been asked in every scene."""

    waits_for_moves = True

    def __init__(self, runner: CaseRunner) -> None:
        super().__init__(runner)
        self._checks = {check.name: check for check in self.checks}
        self._asked: dict[tuple[int, int], tuple[str, ...]] = {}

    def outgoing(self, message: ServerMessage) -> tuple[Outgoing, ...]:
        game = self.runner.case.game
        if isinstance(message, TableSnapshot) and message.viewer != GALLERY and message.info.game != game:
            self.skipped = f"It opened a table of {message.info.game}, so nothing of {game} could be asked."
        if isinstance(message, Decision) and (view := self.runner.view(message.table)) is not None:
            asked = tuple([scene for scene in scenes_on(view) if scene in self._checks])
            self._asked[message.table, message.decision] = asked
            for scene in asked:
                self.results.begin(self._checks[scene])
        return (message,)

    def move_accepted(self, decision: tuple[int, int]) -> None:
        for scene in self._asked.get(decision, ()):
            self.results.passed(self._checks[scene])


def options_of(rule_set: RuleSet) -> dict[str, OptionValue]:
    """Options of a table where every decision is possible."""
    known = {option.name: option for option in rule_set.offer.options}
    return {name: min(value, known[name].most or value) for name, value in _OPTIONS.items() if name in known}


def moments_of(rule_set: RuleSet, seats: int) -> tuple[StrEnum, ...]:
    """Moments of decisions under these options. They are found by random games, so a new rule set needs no
    list."""
    options = rule_set.offer.defaults | options_of(rule_set)
    game = rule_set.make(seats, options)
    rng = random.Random(f"{rule_set.offer.name} {seats}")
    found: dict[StrEnum, None] = {}
    in_vain = 0
    while in_vain < STEPS_IN_VAIN:
        driver = Driver(game)
        for _ in driver.turns(shuffled_by(rng)):
            in_vain += 1
            moment = game.moment(driver.state)
            if moment is not None and moment not in found:
                found[moment], in_vain = None, 0
            driver.act(rng.choice(game.legal(driver.state)))
    return tuple(sorted(found, key=list(type(next(iter(found)))).index))


def _checks(rule_set: RuleSet, seats: int) -> tuple[Check, ...]:
    """The moments of the rule set, and the other scenes of its family."""
    family = rule_set.offer.family
    asked = {moment.value: asked_at(family, moment) for moment in moments_of(rule_set, seats)}
    asked |= {name: scene.asked for name, scene in scenes_of(family).items()}
    said = {name: f"Answers with a legal action when it {clause}." for name, clause in asked.items()}
    return tuple([Check(name, should, Section.DECISIONS) for name, should in said.items()])


def cases(games: Mapping[str, RuleSet]) -> Iterator[Case]:
    """Two cases for each rule set: with the fewest seats and with the most."""
    for name, rule_set in games.items():
        fewest, most = min(rule_set.offer.seats), max(rule_set.offer.seats)
        for seats in (fewest, most) if fewest < most else (fewest,):
            yield Case(
                name=f"{name}-{seats}" if fewest < most else name,
                summary=f"{rule_set.offer.title}, {seats} at the table, until everything has been asked.",
                game=name,
                seats=seats,
                options=options_of(rule_set),
                checks=_checks(rule_set, seats),
                fault_injector=AskInEveryScene,
            )
