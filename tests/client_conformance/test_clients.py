"""Clients that are right pass every scene; those with one mistake are caught, each where it was made."""

import sys

import pytest

from put_conformance.marks import Mark
from tests.client_conformance.campaign import AT_ONCE, CAUGHT, CLIENTS, can_run, caught_all
from tests.client_conformance.faulty_client import FAULTS
from tests.client_conformance.in_process import PATIENCE_S, SCENES, found, rehearsed, stdlib, told

NAMES = list(SCENES)
GROUPS = [NAMES[at : at + 4] for at in range(0, len(NAMES), 4)]
"""A test for each: below the time a test may take on a busy machine."""

FAULTY = [list(CAUGHT)[at : at + AT_ONCE] for at in range(0, len(CAUGHT), AT_ONCE)]


def _named(group: list[str]) -> str:
    return f"{group[0]}..{group[-1]}"


@pytest.mark.parametrize("group", GROUPS, ids=_named)
@pytest.mark.parametrize("client", ["right", "sdk"])
async def test_right_client_passes_every_scene(client: str, group: list[str]) -> None:
    """In JSON lines, with nothing but the standard library; or in frames, and cutting sealed deals on the way."""
    report = await rehearsed(CLIENTS[client], *group)
    assert report.is_right, told(report)


@pytest.mark.parametrize("place", range(len(GROUPS)), ids=lambda place: _named(GROUPS[place]))
async def test_examples_pass_every_scene(place: int) -> None:
    """What a stranger copies is right. They take turns here; the campaign has each of them pass all."""
    client = ("stdlib", "node")[place % 2]
    if not can_run(client):
        pytest.skip(f"{CLIENTS[client][0]} is not installed")
    report = await rehearsed(CLIENTS[client], *GROUPS[place])
    assert report.is_right, told(report)


@pytest.mark.parametrize("manner", ["opens", "hosts", "looks"])
async def test_client_may_come_to_a_table_in_any_way(manner: str) -> None:
    """At a table of its own, with the house or with company, or at one it found, it is put through the same."""
    report = await rehearsed(stdlib(manner=manner), "put-1800", "drop-before-ok", "too-late", "left")
    assert report.is_right, told(report)


async def test_other_packs_change_nothing() -> None:
    """A right client is right whatever it is dealt."""
    report = await rehearsed(stdlib(), "put-partners", "put-tavern-4", "pause", "drop-again", seed=0)
    assert report.is_right, told(report)


def test_every_fault_is_to_be_caught() -> None:
    """None was forgotten."""
    assert CAUGHT.keys() == FAULTS.keys()


@pytest.mark.parametrize("faults", FAULTY, ids=_named)
async def test_fault_is_caught(faults: list[str]) -> None:
    """Each in the scene that is about it, by the check that names it; and the right client passes that check there."""
    await caught_all(faults)


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
