"""Analysis requests, whose answers take long to work out and change nothing. Here they are only checked."""

from collections.abc import Callable, Mapping

from put_protocol.messages import Drill, Grade
from put_protocol.refusals import RefusalCode
from put_rules.game import OptionValue, RuleSet
from put_rules.steps import hides_hands
from put_server.lobby.options import checked_game, checked_options
from put_server.table.refusal import RequestRefused
from put_server.table.table import Table
from put_server.table.table_effects import PersonId, WantAnalysis, WantJudgement, WantPosition

PAIR = 2
"""Positions to practise on are of games between two."""


DEALT_BLIND = "the cards were dealt blind, so the server does not know what players held"

IsSolved = Callable[[str, Mapping[str, OptionValue], int], bool]
"""A test for whether perfect play is known for a rule set, with these options and so many seats."""


def why_unsolved(
    games: Mapping[str, RuleSet], is_solved: IsSolved, game: str, options: Mapping[str, OptionValue], seats: int
) -> str | None:
    """Reason that such a game cannot be weighed, a sentence without its stop; None: perfect play is known."""
    if is_solved(game, options, seats):
        return None

    def is_known(name: str, seats: int) -> bool:
        return is_solved(name, {option.name: option.default for option in games[name].offer.options}, seats)

    says = f"perfect play is not known for {game}"
    if is_known(game, seats):
        return f"{says} with these options, only with the usual ones"
    if is_known(game, PAIR):
        return f"{says} with {seats} players, only with two"
    known = ", ".join(name for name, rule_set in games.items() if PAIR in rule_set.offer.seats and is_known(name, PAIR))
    return f"{says}; it is known, for two players, for {known}" if known else says


class AnalysisRequests:
    """Wants a study only of games whose perfect play is known."""

    def __init__(self, games: Mapping[str, RuleSet], is_solved: IsSolved) -> None:
        self._games = games
        self._is_solved = is_solved

    def analysis(self, person: PersonId, table: Table) -> WantAnalysis:
        """:raises RequestRefused: they have no game there to study, or its perfect play is not known."""
        info = table.info
        want = table.analyse(person)
        if hides_hands(want.record):
            raise RequestRefused(RefusalCode.NOT_SOLVED, DEALT_BLIND)
        self._solution_needed(info.game, info.options, len(info.seats))
        return want

    def practice(self, person: PersonId, request: Drill | Grade) -> WantPosition | WantJudgement:
        """:raises RequestRefused: there is no such game, or its perfect play is not known."""
        rule_set = checked_game(self._games, request.game)
        options = checked_options(rule_set.offer, request.options)
        self._solution_needed(request.game, options, PAIR)
        if isinstance(request, Drill):
            return WantPosition(person, request.id, request.game, options)
        return WantJudgement(person, request.id, request.game, options, request.number, request.action)

    def _solution_needed(self, game: str, options: Mapping[str, OptionValue], seats: int) -> None:
        says = why_unsolved(self._games, self._is_solved, game, options, seats)
        if says is not None:
            raise RequestRefused(RefusalCode.NOT_SOLVED, says)
