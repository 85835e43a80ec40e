"""A plugin of pytest: tests written for a server by itself, run at a gateway and a shard in memory.

python -m pytest -p tests.cluster.at_gateway tests/transport tests/web/test_websocket.py ...

`scripts/soak gateway` runs all of `MODULES`. A new game, message or test in them joins by itself. A new module that
drives a server must be here or among `ELSEWHERE`: a test asks for that.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

REPLACED = frozenset(
    (
        "put_conformance.suite.run_suite",
        "put_server.app",
        "put_server.app.Server",
        "tests.serving.serving",
        "tests.transport.dispatcher_harness.DispatcherHarness",
    )
)
"""What has a dispatcher; of a cluster, a gateway."""

MODULES = (
    "tests/transport",
    "tests/web/test_browser.py",
    "tests/web/test_http.py",
    "tests/web/test_page_blind.py",
    "tests/web/test_websocket.py",
    "tests/client_conformance",
    "tests/client/test_blind.py",
    "tests/client/test_blind_analysis.py",
    "tests/client/test_blind_tables.py",
    "tests/client/test_late_hello.py",
    "tests/client/test_line_french.py",
    "tests/client/test_never_lost.py",
    "tests/client/test_older_program.py",
    "tests/client/test_own_page.py",
    "tests/client/test_unknown_family.py",
    "tests/client/test_table_views.py",
    "tests/client/tui/test_evening.py",
    "tests/analysis/test_solved_oracle.py",
    "tests/docs/test_promises.py",
    "tests/docs/test_reference.py",
    "tests/fairness",
    "tests/journal/test_restart.py",
    "tests/server/test_analyse.py",
    "tests/server/test_studies.py",
)

_OPERATOR = "the operator asks a cluster by NATS, and reads other metrics; tests/cluster has tests of both"
_PROCESS = "its servers are processes; tests/cluster and `scripts/soak cluster` have such"
_FILE = "it is about the file of a journal"
_PUSH = "a gateway pushes nothing: its page gets no key"
_PAGE = "it is about what the page draws, and passed at a gateway once; tests/web/test_browser.py always does"

ELSEWHERE: Mapping[str, str] = {
    "tests/abuse": _PROCESS,
    "tests/arena": "a match counts its games by every change of the lobby, which a gateway tells at most so often",
    "tests/client/test_blind_adjourned.py": _PROCESS,
    "tests/client/test_blind_takeover.py": "it looks at what the dispatcher refused",
    "tests/client/test_mcp_guest.py": _PROCESS,
    "tests/client/test_restarts.py": _PROCESS,
    "tests/client/tui/test_tmux.py": _PROCESS,
    "tests/cluster": "it makes gateways itself",
    "tests/crashes/simulation": "the cluster has a simulation of its own, of gateways and shards",
    "tests/journal/test_full_disk.py": _FILE,
    "tests/journal/test_loss.py": _FILE,
    "tests/journal/test_retention.py": _FILE,
    "tests/env/test_training.py": "a network that plays is a bot as any other",
    "tests/server/test_admin.py": _OPERATOR,
    "tests/server/test_admin_by_tcp.py": _OPERATOR,
    "tests/server/test_audit.py": _OPERATOR,
    "tests/server/test_commands.py": _OPERATOR,
    "tests/server/test_forget.py": _OPERATOR,
    "tests/server/test_metrics.py": _OPERATOR,
    "tests/server/test_process.py": _PROCESS,
    "tests/server/test_upgrade.py": _PROCESS,
    "tests/server/test_thrown_in.py": _PROCESS,
    "tests/server/test_turn_notices.py": _PUSH,
    "tests/web/test_faults.py": _PAGE,
    "tests/web/test_first_table.py": _PAGE,
    "tests/web/test_layout.py": _PAGE,
    "tests/web/test_push.py": _PUSH,
    "tests/web/test_scenes.py": _PAGE,
    "tests/web/test_showdowns.py": _PAGE,
    "tests/web/test_files.py": "it reads the files of the page, and drives no server",
}
"""Modules and folders that drive a server, and why not at a gateway."""

_BUG = "the bug is put where a gateway and a shard do not pass; tests/cluster/test_town.py has one of a shard"

_HOUSES = "house players are at shards, and it asks the dispatcher what they take"

_COSTS = "a newcomer costs a gateway and a shard, and sixty at one moment use up what all have"

LEFT_OUT: Mapping[str, str] = {
    "test_house_players_of_an_address_wait_when_too_much_was_done_for_it": _HOUSES,
    "test_house_player_is_charged_for_as_if_its_choices_took_equally_long": _HOUSES,
    "test_house_that_plays_alone_is_charged_to_a_spectator": _HOUSES,
    "test_bug_in_one_message_closes_that_peer_alone": _BUG,
    "test_bug_in_what_waited_for_the_journal_closes_that_peer_alone": _BUG,
    "test_bug_on_one_line_closes_that_line_alone": _BUG,
    "test_crowd_that_waits_is_not_looked_at_without_room_and_the_look_is_paid": _COSTS,
    "test_what_is_done_behind_a_commit_is_charged_to_who_asked": "a shard charges connections that there are",
    "test_crowd_waits_and_players_do_not": "it says who of a crowd is first; at a gateway those of one codec are",
    "test_end_of_a_game_is_told_to_the_lobby_with_its_last_move": "a gateway tells the lobby's news a little later",
    "test_kick_from_an_address_reaches_everybody_there_and_nobody_else": "the operator's, who asks gateways otherwise",
    "test_move_costs_what_is_written_down": "it counts the calls of a server by itself",
    "test_name_out_of_time_is_erased_though_nobody_else_goes": "a shard does not hear of who only looks",
    "test_table_keeps_what_is_written_down": "it counts the objects of a server by itself",
    "test_records_bring_the_lobby_back_after_quiet_hours": "it compares subscribers, and a gateway is one more",
}
"""Tests that say nothing of a gateway, or something that is otherwise there, each with why."""


_IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (?:\(([^)]*)\)|(.*))", re.MULTILINE)


def imported(path: Path) -> Iterator[str]:
    """The full names of all that a module imports."""
    for origin, inside, beside in _IMPORT.findall(path.read_text("utf-8")):
        for word in re.sub(r"#.*", "", inside or beside).split(","):
            if word.strip():
                name = word.split()[0]
                yield f"{origin}.{name}" if origin else name


def driving() -> set[str]:
    """The test modules that import what is replaced, themselves or by other modules of the tests."""
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in ROOT.glob("tests/**/*.py")}
    names = {module: set(imported(path)) for module, path in files.items()}
    modules = {module: {name.rpartition(".")[0] for name in names[module]} | names[module] for module in files}
    found = {module for module in files if names[module] & REPLACED}
    while more := {module for module in files if module not in found and modules[module] & found}:
        found |= more
    return {str(files[module].relative_to(ROOT)) for module in found if files[module].name.startswith("test_")}


def pytest_sessionstart() -> None:
    """Before any module of tests is imported."""
    from tests.cluster.in_one_process import put_everywhere  # noqa: PLC0415  # pytest rewrites what comes later

    put_everywhere(setattr)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if getattr(item, "originalname", "") not in LEFT_OUT]
