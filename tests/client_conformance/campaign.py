"""Conformance suite under test: every correct client in every case, and every fault, with other packs each turn."""

import asyncio
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from put_conformance.cases import absences
from put_conformance.checks import CheckStatus
from tests.client_conformance.in_process import CASES, ROOT, TIMEOUT_S, find_check, format_failures, run_cases, stdlib

RESUMING = [sys.executable, str(ROOT / "docs/examples/protocol/resuming.py"), "{host}", "{port}", "{name}"]
"""Bot of docs/reference.md that loses nothing."""


FORGETS_PARTS = [
    *(sys.executable, str(Path(__file__).parent / "forgetful_client.py")),
    *(str(ROOT / "docs/examples/random_bot.py"), "{host}:{port}", "--name", "{name}", "--invited"),
]
"""The SDK, but that it does a part of a deal once, whether it was heard or not."""


def small_bot() -> list[str]:
    """Command of the small bot of docs/protocol.md, which takes no care of its connection."""
    page = (ROOT / "docs/protocol.md").read_text("utf-8")
    found = re.search(r"<!-- the tests run this bot -->\n```python\n(.*?)```", page, re.DOTALL)
    assert found is not None
    return [sys.executable, "-c", found[1], "{host}", "{port}", "{name}"]


CLIENTS = {
    "right": stdlib(),
    "page": RESUMING,
    "sdk": [
        *(sys.executable, "-c", "from put_client.bots.cli import main; main()"),
        *(str(ROOT / "docs/examples/random_bot.py"), "{host}:{port}", "--name", "{name}", "--invited"),
    ],
    "stdlib": [sys.executable, str(ROOT / "docs/examples/bot_stdlib.py"), "{host}", "{port}", "{name}", "--invited"],
    "node": ["node", str(ROOT / "docs/examples/bot.mjs"), "{host}", "{port}", "{name}", "--invited"],
}
"""Those without a fault."""

SMALL = small_bot()

SMALL_PASSES = (
    *("put-1674-2", "put-1674-4", "unknown-fields", "unknown-messages", "bytewise", "batched", "longest", "too-late"),
    *("ping", "silence", "pause", "another-game", "left"),
    *("opponent-leaves", "opponent-away", "wide-names"),
    *("goodbye-bye", "goodbye-kicked", "goodbye-taken-over", "goodbye-too-fast"),
)
"""The cases that need no care."""

CAUGHT = {
    "answers_twice": [("put-1674-2", "once")],
    "ignores_pings": [("ping", "pong")],
    "loops_on_goodbye": [
        ("goodbye-bye", "stays_away"),
        ("goodbye-kicked", "stays_away"),
        ("goodbye-too-fast", "stays_away"),
        ("refused-for-good", "stays_away"),
    ],
    "returns_once": [
        ("goodbye-bye", "stays_away"),
        ("goodbye-kicked", "stays_away"),
        ("goodbye-taken-over", "stays_away"),
    ],
    "opens_twice": [("drop-after-seat", "one_table")],
    "forgets_again": [("drop-before-again", "again_after_all")],
    "insists_when_illegal": [("illegal", "illegal")],
    "illegal_card": [("put-1674-2", "legal")],
    "forgets_seen": [("drop-in-message", "seen")],
    "counts_messages": [("drop-in-message", "seen")],
    "forgets_token": [("drop-in-message", "token")],
    "never_returns": [("drop-in-message", "returns")],
    "repeats_after_drop": [("drop-before-ok", "once")],
    "counts_back": [("drop-in-message", "incarnation")],
    "asks_strangely": [("drop-before-act", "asked")],
    "chokes_on_fields": [("unknown-fields", "ignores_fields")],
    "chokes_on_messages": [("unknown-messages", "ignores_messages")],
    "chokes_on_events": [("unknown-events", "ignores_events")],
    "skips_unknown_events": [("unknown-events", "counts_events")],
    "guesses_views": [("unknown-events", "asks_whole")],
    "reads_whole_pieces": [("bytewise", "joins")],
    "reads_one_message": [("batched", "splits")],
    "short_lines": [("longest", "reads_long")],
    "does_not_wait": [("too-fast", "waits")],
    "gives_up_when_too_fast": [("too-fast", "asks_again")],
    "dies_of_illegal": [("illegal", "illegal")],
    "insists_when_late": [("too-late", "once")],
    "same_ids": [("put-1674-2", "ids")],
    "extra_field": [("put-1674-2", "schema")],
    "no_hello": [("put-1674-2", "hello")],
    "is_person": [("put-1674-2", "is_bot")],
    "wrong_version": [("put-1674-2", "version")],
    "hangs": [("unknown-fields", "in_time")],
    "floods": [("put-1674-2", "pace")],
    "dies": [("unknown-fields", "stays")],
    "impatient": [("silence", "bears_silence")],
    "ignores_left": [("left", "lets_go")],
    "gives_up_in_pause": [("pause", "plays_on")],
    "sits_on_result": [("another-game", "again")],
    "speaks_garbage": [("put-1674-2", "hello")],
    "wants_anything": [("put-1674-2", "own_decision")],
    "hammers": [("goodbye-draining", "patient")],
    "stays_away": [("goodbye-draining", "comes_back"), ("goodbye-idle", "comes_back")],
    "says_nothing": [("put-1674-2", "hello")],
    "endless_line": [("put-1674-2", "hello")],
    "never_sits": [("put-1674-2", "sits")],
    "trusts_its_seat": [("table-gone", "goes_elsewhere")],
    "gives_up_without_token": [("token-ended", "begins_anew")],
    "gives_up_when_full": [("full-for-now", "comes_later")],
    "waits_for_ever": [("half-open", "notices")],
    "gives_up_its_name": [("drop-before-welcome", "comes_in")],
    "never_asks_after": [("drop-before-seat", "sits_after_all")],
    "mistakes_fields": [("unknown-fields", "schema")],
    "ends_with_the_game": [("opponent-leaves", "outlives")],
    "plays_alone_not": [("opponent-away", "bears_absence")],
    "short_names": [("wide-names", "reads_names")],
    "one_table_only": [("second-table", "plays_beside")],
    "pairs_in_order": [("second-table", "pairs_by_id")],
}
"""By fault: the cases that find it, and by which check."""

MANNERS = {"never_asks_after": "opens"}
"""How the client of a fault comes to a table, where it does not wait to be invited."""

WAYS_IN = ("opens", "hosts", "looks")
"""The manners of a client that plays on, besides waiting to be invited."""

WAYS_IN_CASES = (
    *("put-1800", "drop-before-ok", "too-late", "left", "drop-before-seat", "drop-after-seat"),
    *("drop-after-again", "table-gone"),
)
"""In which it may matter how a client came to its table."""

AT_ONCE = 10
"""Faults looked for at once: what their clients do most is wait."""

WAITED_OUT = 2.0
"""Seconds, where the client does nothing: the check that is asked about fails all the same if the machine is busy."""


LONG_MS = 20_000
"""For which who comes back after a final goodbye is watched for, where that they do is known."""


def can_run(client: str) -> bool:
    """What runs it is installed."""
    return shutil.which(CLIENTS[client][0]) is not None


async def caught(fault: str, seed: int = 1674) -> None:
    """The suite reports the fault, in the case and by the check where it belongs, with a detail.

    :raises AssertionError: it does not.
    """
    names = [case for case, _ in CAUGHT[fault]]
    report = await run_cases(stdlib(fault, MANNERS.get(fault, "invited")), *names, timeout_s=WAITED_OUT, seed=seed)
    assert report.status is CheckStatus.FAIL, fault
    for case, check in CAUGHT[fault]:
        wrong = find_check(report, case, check)
        assert wrong.status is CheckStatus.FAIL, f"{fault}: {format_failures(report)}"
        assert wrong.detail, f"{fault}: without a word about it"


@contextmanager
def watched_for_long() -> Iterator[None]:
    """Who comes back after a final goodbye is seen to, however late a busy machine lets them."""
    with patch.object(absences, "WATCHED_MS", LONG_MS):
        yield


async def caught_all(faults: Iterable[str], seed: int = 1674) -> None:
    """Every one of them, at once.

    :raises ExceptionGroup: of AssertionError, for those that were not.
    """
    with watched_for_long():
        async with asyncio.TaskGroup() as group:
            for fault in faults:
                group.create_task(caught(fault, seed))


async def right_clients(seed: int) -> int:
    """Every client without a fault in every case, with packs of this seed. Returns how many cases were run."""
    clients = [client for client in CLIENTS if can_run(client)]
    for client in clients:
        report = await run_cases(CLIENTS[client], *CASES, timeout_s=TIMEOUT_S, seed=seed)
        assert report.is_passed, f"{client}: {format_failures(report)}"
    return len(clients) * len(CASES)


async def ways_in(seed: int) -> int:
    """A client of every manner in the cases where that may matter. Returns how many cases were run."""
    for manner in WAYS_IN:
        report = await run_cases(stdlib(manner=manner), *WAYS_IN_CASES, seed=seed)
        assert report.is_passed, f"{manner}: {format_failures(report)}"
    return len(WAYS_IN) * len(WAYS_IN_CASES)


async def everything(seed: int) -> int:
    """Every client and every fault. Returns how many cases were run."""
    cases = await right_clients(seed) + await ways_in(seed)
    for at in range(0, len(CAUGHT), AT_ONCE):
        await caught_all([*CAUGHT][at : at + AT_ONCE], seed)
    return cases + sum(map(len, CAUGHT.values()))
