"""Games of every rule set, until the client has been asked everything that can be asked in them."""

import random
from collections.abc import Iterator, Mapping, Sequence

from put_conformance.case import Mischief, Play, Scene
from put_conformance.checks import Check, Section
from put_conformance.fault_injector import Line, Told
from put_protocol.games.put import (
    Moment,
)
from put_protocol.messages import Decision, ServerMessage
from put_protocol.seats import GALLERY
from put_server.games.game import OptionValue, Over, RuleSet, Shuffle

GAMES_TRIED, STEPS_A_GAME = 12, 600
"""To find what can be asked: the rarest moment comes once in a few games."""

_WISHED: Mapping[str, int] = {"misdeals": 50, "target": 21}
"""Options of the table, where the rule set has them: accidents in half the deals, and long games."""


class Moments(Mischief):
    """Nothing is done to the connection: this is a game as it is."""

    waits_for_moves = True

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._checks = {Moment(check.name): check for check in checks}
        self._asked: dict[tuple[int, int], Moment] = {}

    @property
    def wanted(self) -> frozenset[Moment]:
        return frozenset(moment for moment, check in self._checks.items() if not self.marks.is_decided(check))

    def told(self, line: Line, message: ServerMessage) -> tuple[Told, ...]:
        if isinstance(message, Decision) and (moment := self.play.moment(message.table)) in self._checks:
            self._asked[message.table, message.decision] = moment
            self.marks.begin(self._checks[moment])
        return (message,)

    def moved(self, decision: tuple[int, int]) -> None:
        if (moment := self._asked.get(decision)) is not None:
            self.marks.passed(self._checks[moment])


def options_of(rule_set: RuleSet) -> dict[str, OptionValue]:
    """What a table is opened with, so that everything can come."""
    known = {option.name: option for option in rule_set.offer.options}
    return {name: min(value, known[name].most or value) for name, value in _WISHED.items() if name in known}


def moments_of(rule_set: RuleSet, seats: int) -> tuple[Moment, ...]:
    """What can be asked under these options, found by playing: from the machine itself, so that a new one needs no
    list. Players who raise and retreat seldom see the most."""
    options = {option.name: option.default for option in rule_set.offer.options} | options_of(rule_set)
    game = rule_set.make(seats, options)
    dice = random.Random(f"{rule_set.offer.name} {seats}")
    found: set[Moment] = set()
    for _ in range(GAMES_TRIED):
        state = game.begin(None)
        for _ in range(STEPS_A_GAME):
            awaits = game.awaits(state)
            if isinstance(awaits, Over):
                break
            if isinstance(awaits, Shuffle):
                rest = [card for card in awaits.cards if card not in awaits.top]
                state, _ = game.deal(state, (*awaits.top, *dice.sample(rest, len(rest))))
                continue
            moment = game.view(state, GALLERY).moment
            if moment is not None:
                found.add(moment)
            legal = game.legal(state)
            quiet = [
                action for action in legal if action.__struct_config__.tag not in ("put", "double", "throw", "see")
            ]
            state, _ = game.act(state, dice.choice(quiet if quiet and dice.random() < 0.8 else legal))
    return tuple([moment for moment in Moment if moment in found])


_ASKED: Mapping[Moment, str] = {
    Moment.ACCIDENT: "is asked what becomes of a deal with an accident in it",
    Moment.GIVE: "is asked to give its partner its best card",
    Moment.DISCARD: "is asked to throw a card away, having been given one",
    Moment.OPENING: "is asked for a put before the first trick",
    Moment.LEAD: "is asked to lead",
    Moment.REPLY: "is asked to play to a trick",
    Moment.ANSWER: "is asked to throw in or to see",
    Moment.LAST_SAY: "is asked for its last say, the first trick being over",
}


def _check(moment: Moment) -> Check:
    asked = _ASKED.get(moment, f"is asked at the moment {moment.value}")
    return Check(name=moment.value, should=f"Answers with a legal action when it {asked}.", section=Section.DECISIONS)


def scenes(games: Mapping[str, RuleSet]) -> Iterator[Scene]:
    """For each rule set, with the fewest seats and the most."""
    for name, rule_set in games.items():
        fewest, most = min(rule_set.offer.seats), max(rule_set.offer.seats)
        for seats in (fewest, most) if fewest < most else (fewest,):
            yield Scene(
                name=f"{name}-{seats}" if fewest < most else name,
                tries=f"{rule_set.offer.title}, {seats} at the table, until everything has been asked.",
                game=name,
                seats=seats,
                options=options_of(rule_set),
                checks=tuple([_check(moment) for moment in moments_of(rule_set, seats)]),
                mischief=Moments,
            )
