"""Clients that are right pass every scene; those with one mistake are caught, each where it was made."""

import shutil
import sys

import pytest

from put_server.rehearsal.marks import Mark
from tests.rehearsal.client import FAULTS
from tests.rehearsal.playing import PATIENCE_S, ROOT, SCENES, found, rehearsed, stdlib, told

NAMES = list(SCENES)
GROUPS = [NAMES[at : at + 4] for at in range(0, len(NAMES), 4)]
"""A test for each: below the time a test may take on a busy machine."""

SDK = [
    *(sys.executable, "-c", "from put_client.bot_cli import main; main()"),
    *(str(ROOT / "docs/examples/random_bot.py"), "{host}:{port}", "--name", "{name}", "--invited"),
]
EXAMPLES = {
    "stdlib": [sys.executable, str(ROOT / "docs/examples/bot_stdlib.py"), "{host}", "{port}", "{name}", "--invited"],
    "node": ["node", str(ROOT / "docs/examples/bot.mjs"), "{host}", "{port}", "{name}", "--invited"],
}


def _named(group: list[str]) -> str:
    return f"{group[0]}..{group[-1]}"


@pytest.mark.parametrize("group", GROUPS, ids=_named)
async def test_right_client_passes_every_scene(group: list[str]) -> None:
    """In JSON lines, with nothing but the standard library."""
    report = await rehearsed(stdlib(), *group)
    assert report.is_right, told(report)


@pytest.mark.parametrize("group", GROUPS, ids=_named)
async def test_bot_of_the_sdk_passes_every_scene(group: list[str]) -> None:
    """In frames, and cutting sealed deals on the way."""
    report = await rehearsed(SDK, *group)
    assert report.is_right, told(report)


@pytest.mark.parametrize("group", GROUPS, ids=_named)
@pytest.mark.parametrize("bot", EXAMPLES)
async def test_examples_pass_every_scene(bot: str, group: list[str]) -> None:
    """What a stranger copies is right."""
    if bot == "node" and shutil.which("node") is None:
        pytest.skip("node is not installed")
    report = await rehearsed(EXAMPLES[bot], *group)
    assert report.is_right, told(report)


@pytest.mark.parametrize("manner", ["opens", "hosts", "looks"])
async def test_client_may_come_to_a_table_in_any_way(manner: str) -> None:
    """At a table of its own, with the house or with company, or at one it found, it is put through the same."""
    report = await rehearsed(stdlib(manner=manner), "put-1800", "drop-before-ok", "too-late", "left")
    assert report.is_right, told(report)


@pytest.mark.parametrize("seed", range(3))
async def test_other_packs_change_nothing(seed: int) -> None:
    """A right client is right whatever it is dealt."""
    report = await rehearsed(stdlib(), "put-partners", "put-tavern-4", "pause", "drop-again", seed=seed)
    assert report.is_right, told(report)


CAUGHT = {
    "answers_twice": [("put-1674-2", "once")],
    "ignores_pings": [("ping", "pong")],
    "loops_on_goodbye": [("goodbye-bye", "stays_away"), ("goodbye-kicked", "stays_away")],
    "illegal_card": [("put-1674-2", "legal")],
    "forgets_seen": [("drop-in-message", "seen")],
    "counts_messages": [("drop-in-message", "seen")],
    "forgets_token": [("drop-in-message", "token")],
    "never_returns": [("drop-in-message", "returns")],
    "repeats_after_drop": [("drop-before-ok", "once")],
    "asks_strangely": [("drop-before-act", "asked")],
    "chokes_on_fields": [("unknown-fields", "ignores_fields")],
    "chokes_on_messages": [("unknown-messages", "ignores_messages")],
    "chokes_on_events": [("unknown-events", "ignores_events")],
    "skips_unknown_events": [("unknown-events", "counts_events")],
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
    "stays_away": [("goodbye-draining", "comes_back")],
    "says_nothing": [("put-1674-2", "hello")],
    "endless_line": [("put-1674-2", "hello")],
    "never_sits": [("put-1674-2", "sits")],
}
"""By fault, the scenes that find it, and by which check."""

WAITED_OUT = 2.0
"""Seconds, where the client does nothing: the check that is asked about fails all the same if the machine is busy."""


def test_every_fault_is_to_be_caught() -> None:
    """None was forgotten."""
    assert CAUGHT.keys() == FAULTS.keys()


@pytest.mark.parametrize("fault", CAUGHT)
async def test_fault_is_caught(fault: str) -> None:
    """In the scene that is about it, by the check that names it; and the right client passes that check there."""
    names = [scene for scene, _ in CAUGHT[fault]]
    report = await rehearsed(stdlib(fault), *names, timeout_s=WAITED_OUT)
    assert report.status is Mark.FAIL
    for scene, check in CAUGHT[fault]:
        wrong = found(report, scene, check)
        assert wrong.status is Mark.FAIL, told(report)
        assert wrong.did, "a fault without a word about it"


@pytest.mark.parametrize(
    "command",
    [["true"], ["false"], [sys.executable, "-c", "raise SystemExit('I will not')"]],
    ids=["ends", "ends badly", "complains"],
)
async def test_client_that_never_comes_fails(command: list[str]) -> None:
    """A program that ends at once is no client, and the rest of the rehearsal goes on."""
    report = await rehearsed(command, "ping", "silence")
    assert [scene.status for scene in report.scenes] == [Mark.FAIL, Mark.FAIL]
    assert "exit code" in found(report, "ping", "stays").did
    if len(command) > 1:
        assert report.scenes[0].said == ("I will not",)


async def test_scene_ends_whatever_the_client_does() -> None:
    """One that ignores every signal it can is gone afterwards."""
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    report = await rehearsed([sys.executable, "-c", stubborn], "ping", timeout_s=1.0)
    assert found(report, "ping", "hello").status is Mark.FAIL
    assert report.scenes[0].seconds < PATIENCE_S
