"""Every scene there is. A rule set that is registered joins by itself."""

from collections.abc import Iterator, Mapping

from put_conformance.case import Scene
from put_conformance.cases import (
    decisions,
    goodbyes,
    heartbeats,
    reconnects,
    refused_requests,
    robustness,
    table_changes,
)
from put_server.games.game import RuleSet


def all_scenes(games: Mapping[str, RuleSet]) -> dict[str, Scene]:
    """By name, in the order they are played: games as they are, and then what may happen to a connection. That is tried
    with the first rule set for two."""
    found = list(decisions.scenes(games))
    for_two = [name for name, rule_set in games.items() if 2 in rule_set.offer.seats]
    if for_two:
        found += _of_lines(for_two[0], games[for_two[0]])
    return {scene.name: scene for scene in found}


def _of_lines(game: str, rule_set: RuleSet) -> Iterator[Scene]:
    yield from robustness.scenes(game)
    yield from reconnects.scenes(game)
    yield from refused_requests.scenes(game)
    yield from heartbeats.scenes(game)
    yield from table_changes.scenes(game, has_target=any(option.name == "target" for option in rule_set.offer.options))
    yield from goodbyes.scenes(game)
