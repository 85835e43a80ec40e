"""All cases: a module for each kind. A registered rule set gets its cases automatically."""

from collections.abc import Mapping

from put_conformance.case import Case, FaultInjector
from put_conformance.cases import absences, company, decisions, failed_requests, interruptions, reconnects, robustness
from put_rules.game import RuleSet

FAULTS: tuple[type[FaultInjector], ...] = (
    robustness.UnknownFields,
    robustness.UnknownMessages,
    robustness.UnknownEvents,
    robustness.Bytewise,
    robustness.Batched,
    robustness.Longest,
    failed_requests.LostSeat,
    failed_requests.LostOk,
    failed_requests.LostAgain,
    failed_requests.LostOkOfAgain,
    reconnects.InTheMiddle,
    reconnects.AgainAndAgain,
    reconnects.BeforeOk,
    reconnects.AfterOk,
    reconnects.BeforePart,
    reconnects.HalfOpen,
    reconnects.LostWelcome,
    absences.TableGone,
    absences.FullForNow,
    absences.TokenEnded,
    absences.RefusedForGood,
    failed_requests.RefusedAsTooLate,
    failed_requests.RefusedAsIllegal,
    failed_requests.RefusedAsTooFast,
    interruptions.Pings,
    interruptions.Silence,
    interruptions.PauseInPlay,
    interruptions.AnotherGame,
    interruptions.TableClosed,
    company.OpponentLeaves,
    company.OpponentAway,
    company.WideNames,
    company.SecondTable,
    absences.Draining,
    absences.Idle,
    absences.FinalGoodbye,
    absences.Kicked,
    absences.TakenOver,
    absences.SentAwayAsTooFast,
)
"""Fault injectors of the cases about the connection, in the order they run."""


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
