"""Studies: requests whose answers take long to work out and change nothing. Here they are only checked."""

from collections.abc import Callable, Mapping

from put_protocol.messages import Drill, Grade
from put_protocol.refusals import RefusalCode
from put_server.games.game import OptionValue, RuleSet
from put_server.lobby.options import checked_game, checked_options
from put_server.table.effects import PersonId, WantAnalysis, WantJudgement, WantPosition
from put_server.table.refusal import Refusal
from put_server.table.table import Table

PAIR = 2
"""Positions to practise on are of games between two."""


class Studies:
    """Wants a study only of games whose perfect play is known."""

    def __init__(
        self, games: Mapping[str, RuleSet], is_solved: Callable[[str, Mapping[str, OptionValue], int], bool]
    ) -> None:
        self._games = games
        self._is_solved = is_solved

    def analysis(self, person: PersonId, table: Table) -> WantAnalysis:
        """:raises Refusal: they have no game there to study, or its perfect play is not known."""
        info = table.info
        want = table.analyse(person)
        self._solution_needed(info.game, info.options, len(info.seats))
        return want

    def practice(self, person: PersonId, request: Drill | Grade) -> WantPosition | WantJudgement:
        """:raises Refusal: there is no such game, or its perfect play is not known."""
        rule_set = checked_game(self._games, request.game)
        if PAIR not in rule_set.offer.seats:
            raise Refusal(RefusalCode.NOT_SOLVED, f"{request.game} is not played by two", field="game")
        options = checked_options(rule_set.offer, request.options)
        self._solution_needed(request.game, options, PAIR)
        if isinstance(request, Drill):
            return WantPosition(person, request.id, request.game, options)
        return WantJudgement(person, request.id, request.game, options, request.number, request.action)

    def _solution_needed(self, game: str, options: Mapping[str, OptionValue], seats: int) -> None:
        if not self._is_solved(game, options, seats):
            defaults = {option.name: option.default for option in self._games[game].offer.options}
            for_all = " with these options" if self._is_solved(game, defaults, seats) else ""
            says = f"perfect play is not known for {game}{for_all}, so nothing can be weighed against it"
            raise Refusal(RefusalCode.NOT_SOLVED, says)
