"""Analysis requests: their answers take long to compute, and change nothing. Here they are only checked."""

from collections.abc import Callable, Mapping
from typing import Any

from put_protocol.messages import Analyse, Drill, Grade
from put_protocol.refusals import RefusalCode
from put_protocol.text import Phrase
from put_rules.game import OptionValue, RuleSet
from put_rules.steps import hides_hands
from put_server.lobby.options import checked_game, checked_options
from put_server.table.table import Table
from put_server.table.table_effects import GameStudy, PersonId, Practice, RequestRefused

PAIR = 2
"""Positions to practise on are of games between two."""

IsSolved = Callable[[str, Mapping[str, OptionValue], int], bool]
"""Test whether perfect play is known for a rule set with these options and this number of seats."""


def why_unsolved(
    games: Mapping[str, RuleSet], is_solved: IsSolved, game: str, options: Mapping[str, OptionValue], seats: int
) -> Phrase | None:
    """Reason why such a game cannot be analysed; None: perfect play is known."""
    if is_solved(game, options, seats):
        return None

    def is_known(name: str, seats: int) -> bool:
        return is_solved(name, games[name].offer.defaults, seats)

    known = ", ".join(name for name, rule_set in games.items() if PAIR in rule_set.offer.seats and is_known(name, PAIR))
    why = "options" if is_known(game, seats) else "seats" if is_known(game, PAIR) else "games" if known else "none"
    return Phrase("refused-unsolved", {"game": game, "why": why, "seats": seats, "games": known})


class AnalysisRequests:
    """Requests an analysis only for games whose perfect play is known."""

    def __init__(self, games: Mapping[str, RuleSet], is_solved: IsSolved) -> None:
        self._games = games
        self._is_solved = is_solved

    def analysis(self, person: PersonId, request: Analyse, table: Table, language: str) -> GameStudy:
        """:raises RequestRefused: they have no finished game there, or its perfect play is not known."""
        info = table.info
        want = table.study(person, request, language)
        if hides_hands(want.record):
            raise RequestRefused(RefusalCode.NOT_SOLVED, "refused-analysis-blind")
        self._solution_needed(info.game, info.options, len(info.seats))
        return want

    def practice(self, person: PersonId, request: Drill | Grade, language: str) -> Practice:
        """:raises RequestRefused: the game is unknown, or its perfect play is."""
        rule_set = checked_game(self._games, request.game)
        options = checked_options(rule_set.offer, request.options)
        self._solution_needed(request.game, options, PAIR)
        return Practice(person, request, options, language)

    def _solution_needed(self, game: str, options: Mapping[str, OptionValue], seats: int) -> None:
        why: Any = why_unsolved(self._games, self._is_solved, game, options, seats)
        if why is not None:
            raise RequestRefused(RefusalCode.NOT_SOLVED, why.id, **why.args)
