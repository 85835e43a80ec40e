"""A plugin of pytest: tests written for a server of one process, run against a gateway and a shard in memory.

python -m pytest -p tests.cluster.at_gateway tests/transport/test_dispatcher.py ...
"""

import pytest

MODULES = (
    "tests/conformance/test_openings.py",
    "tests/transport/test_budgets.py",
    "tests/transport/test_crowds.py",
    "tests/transport/test_dispatcher.py",
    "tests/transport/test_epochs.py",
    "tests/transport/test_fuzz.py",
    "tests/transport/test_incarnations.py",
    "tests/transport/test_older.py",
    "tests/transport/test_plain.py",
    "tests/transport/test_secrecy.py",
)

INSIDE = frozenset(
    {
        # They reach into the dispatcher itself: its notices, its queues, a bug put into it, its journal.
        "test_bug_in_one_message_closes_that_peer_alone",
        "test_bug_in_what_waited_for_the_journal_closes_that_peer_alone",
        "test_crowd_waits_and_players_do_not",
        "test_newcomer_is_served_while_a_crowd_asks_without_end",
        "test_notice_reaches_everyone",
        "test_records_bring_the_lobby_back_after_quiet_hours",
        # At a gateway news of the lobby comes with the next tick, and so who has just come is known a tick later.
        "test_lobby_news_is_sent_once_to_each",
        "test_muted_person_is_heard_no_more_in_sentences",
    }
)
"""Tests that say nothing of a gateway."""


def pytest_sessionstart() -> None:
    """Before any module of tests is imported."""
    from tests.cluster.gateway_harness import GatewayHarness  # noqa: PLC0415  # pytest rewrites what comes later
    from tests.transport import dispatcher_harness  # noqa: PLC0415

    dispatcher_harness.DispatcherHarness = GatewayHarness  # type: ignore[misc,assignment]  # that is what this is for


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if getattr(item, "originalname", "") not in INSIDE]
