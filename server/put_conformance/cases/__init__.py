"""All cases: a module for each kind. A registered rule set gets its cases automatically."""

from collections.abc import Mapping

from put_conformance.case import Case, FaultInjector
from put_conformance.cases import absences, company, decisions, failed_requests, interruptions, reconnects, robustness
from put_rules.game import RuleSet

FAULTS = tuple(
    [
        kind
        for module in (robustness, failed_requests, reconnects, absences, interruptions, company)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, FaultInjector)
        if kind.__module__ == module.__name__ and "name" in vars(kind)
    ]
)
"""Fault injectors of the cases about the connection, in the order they run: each class that has a name."""


def all_cases(games: Mapping[str, RuleSet]) -> dict[str, Case]:
    """Every case by name, in order: first games without faults, then faults of the connection. The latter do not depend
    on rules, and use the first rule set for two."""
    found = list(decisions.cases(games))
    for_two = [name for name, rule_set in games.items() if 2 in rule_set.offer.seats]
    if for_two:
        found += [
            Case(
                name=kind.name,
                summary=kind.summary,
                game=for_two[0],
                options=kind.options,
                turn=kind.turn,
                checks=kind.tries,
                fault_injector=kind,
            )
            for kind in FAULTS
        ]
    return {case.name: case for case in found}
