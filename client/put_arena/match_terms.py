"""Terms of a match: rule set, seats and options from the rules of the match, checked before the start."""

from collections.abc import Sequence
from dataclasses import dataclass

from put_arena.competitors import Competitor, Kind
from put_arena.contest import BadMatch, Rules
from put_protocol.games.families import family_of
from put_protocol.games.put import PutView
from put_protocol.seats import GALLERY
from put_rules.game import BadOption, OptionValue, RuleSet
from put_rules.registry import GAMES
from put_rules.table_options import TableOptions
from put_server.house import registry
from put_server.house.player import Terms
from put_server.house.put.perfect import is_solved
from put_server.house.put.solved.hand_worths import HandWorths, hand_worths
from put_server.lobby.options import checked_clock, checked_game, checked_options, checked_seats
from put_server.lobby.policy import Policy
from put_server.table.table_effects import RequestRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTerms:
    rule_set: RuleSet
    options: dict[str, OptionValue]
    """All options, chosen or default."""
    sides: tuple[int, ...]
    by_purse: bool
    """The game has no winner."""
    worths: HandWorths | None
    """Measure of the luck of deals; None: it is not measured."""


def match_terms(rules: Rules, competitors: Sequence[Competitor], *, removes_luck: bool) -> MatchTerms:
    """:raises BadMatch: a server would refuse the terms."""
    for one in competitors:
        if one.kind is Kind.HOUSE and one.what not in registry.HOUSES:
            raise BadMatch(f"there is no house player {one.what!r}; there are {', '.join(registry.HOUSES)}")
    try:
        rule_set = checked_game(GAMES, rules.game)
        seats = checked_seats(rule_set.offer, rules.seats or min(rule_set.offer.seats))
        options = checked_options(rule_set.offer, rules.options)
        game = rule_set.make(seats, options)
        TableOptions.of(options).check(game)
        checked_clock(rules.turn, rules.bank, Policy())
    except RequestRefused as refusal:
        raise BadMatch(f"{rules.game} cannot be played so: {refusal.says}") from None
    except BadOption as error:
        raise BadMatch(f"{rules.game} cannot be played so: {error}") from None
    worths = (
        hand_worths(rules.game) if removes_luck and is_solved(Terms(game=rules.game, options=options), seats) else None
    )
    if removes_luck and worths is None:
        raise BadMatch(
            f"{rules.game} cannot be played so: with these options it is not solved, so nothing tells its luck"
        )
    view = game.view(game.begin(None), GALLERY)
    return MatchTerms(
        rule_set=rule_set,
        options=options,
        sides=(view.sides if isinstance(view, PutView) else ()) or tuple(range(seats)),
        by_purse=not family_of(view).has_winner,
        worths=worths,
    )
