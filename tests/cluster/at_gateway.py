"""A plugin of pytest: tests written for a server by itself, run at a gateway and a shard in memory.

python -m pytest -p tests.cluster.at_gateway tests/transport tests/web/test_websocket.py ...

`scripts/soak gateway` runs all of `MODULES`. A new game, message or test in them joins by itself.
"""

from collections.abc import Mapping

import pytest

MODULES = (
    "tests/transport",
    "tests/web/test_http.py",
    "tests/web/test_websocket.py",
    "tests/client_conformance",
    "tests/client/test_blind.py",
    "tests/client/test_cheating_server.py",
    "tests/client/test_drops.py",
    "tests/client/test_fair_server.py",
    "tests/client/test_late_hello.py",
    "tests/client/test_line_deals.py",
    "tests/client/test_never_lost.py",
    "tests/client/test_unknown_family.py",
    "tests/client/test_whole_views.py",
    "tests/client/tui/test_evening.py",
    "tests/analysis/test_solved_oracle.py",
    "tests/docs/test_promises.py",
    "tests/docs/test_reference.py",
    "tests/journal/test_restart.py",
    "tests/server/test_analyse.py",
    "tests/server/test_studies.py",
)

# Not among them: tests/server/test_metrics.py, test_commands.py and test_admin*.py, for the operator reads metrics of a
# gateway elsewhere and asks a cluster by NATS (test_status.py and test_calls.py here).

_BUG = "the bug is put where a gateway and a shard do not pass; tests/cluster/test_town.py has one of a shard"

LEFT_OUT: Mapping[str, str] = {
    "test_bug_in_one_message_closes_that_peer_alone": _BUG,
    "test_bug_in_what_waited_for_the_journal_closes_that_peer_alone": _BUG,
    "test_bug_on_one_line_closes_that_line_alone": _BUG,
    "test_crowd_waits_and_players_do_not": "it says who of a crowd is first; at a gateway those of one codec are",
    "test_kick_from_an_address_reaches_everybody_there_and_nobody_else": "the operator's, who asks gateways otherwise",
    "test_records_bring_the_lobby_back_after_quiet_hours": "it compares subscribers, and a gateway is one more",
}
"""Tests that say nothing of a gateway, or something that is otherwise there, each with why."""


def pytest_sessionstart() -> None:
    """Before any module of tests is imported."""
    from tests.cluster.in_one_process import put_everywhere  # noqa: PLC0415  # pytest rewrites what comes later

    put_everywhere(setattr)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if getattr(item, "originalname", "") not in LEFT_OUT]
