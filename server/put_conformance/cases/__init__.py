"""All cases: a module for each family of them. A rule set that is registered gets its cases by itself."""

from collections.abc import Iterator, Mapping

from put_conformance.case import Case
from put_conformance.cases import (
    absences,
    decisions,
    goodbyes,
    heartbeats,
    lost_requests,
    reconnects,
    refused_requests,
    robustness,
    sealed_deals,
    table_changes,
)
from put_rules.game import RuleSet


def all_cases(games: Mapping[str, RuleSet]) -> dict[str, Case]:
    """Every case by name, in the order they run: first games without faults, then faults of the connection, which are
    tried with the first rule set for two."""
    found = list(decisions.cases(games))
    for_two = [name for name, rule_set in games.items() if 2 in rule_set.offer.seats]
    if for_two:
        found += _connection_cases(for_two[0])
    return {case.name: case for case in found}


def _connection_cases(game: str) -> Iterator[Case]:
    yield from robustness.cases(game)
    yield from lost_requests.cases(game)
    yield from reconnects.cases(game)
    yield from absences.cases(game)
    yield from refused_requests.cases(game)
    yield from heartbeats.cases(game)
    yield from sealed_deals.cases(game)
    yield from table_changes.cases(game)
    yield from goodbyes.cases(game)
