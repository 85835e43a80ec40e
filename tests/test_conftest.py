"""What the suite changes around every test: asyncio's debug mode keeps shorter stacks, and the home is another."""

import asyncio
import subprocess
import sys
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import FRAMES, LONG, pytest_collection_modifyitems


async def test_debug_mode_keeps_where_a_future_was_made() -> None:
    """The end of the stack, whose last line is the one that is asked about."""
    loop = asyncio.get_running_loop()
    assert loop.get_debug()
    stack = getattr(loop.create_future(), "_source_traceback", None)
    assert stack is not None
    assert len(stack) <= FRAMES
    assert test_debug_mode_keeps_where_a_future_was_made.__name__ in [frame.name for frame in stack]


async def test_debug_mode_still_checks() -> None:
    """What is called from another thread that may not be is an error."""
    loop = asyncio.get_running_loop()
    with pytest.raises(RuntimeError, match="Non-thread-safe"):
        await asyncio.to_thread(loop.call_soon, print)


def test_long_modules_are_the_first_of_each_worker() -> None:
    """No test is left out, and each worker has as many as the others; without workers they are the first of all."""
    modules = [*LONG, *[f"tests/test_{number}.py" for number in range(100)]]
    names = [f"{module}::test_{number}" for module in reversed(modules) for number in range(4)]
    for workers in (1, 4):
        items: list[Any] = [SimpleNamespace(nodeid=name) for name in names]
        config: Any = SimpleNamespace(workerinput={"workercount": workers})
        pytest_collection_modifyitems(config, items)
        assert sorted(item.nodeid for item in items) == sorted(names)
        share = len(items) // workers
        begun = [items[at].nodeid.partition("::")[0] for at in range(0, share * workers, share)]
        assert begun == list(LONG[:workers])


def test_long_modules_are_there() -> None:
    """A module that was renamed is found here."""
    assert [name for name in LONG if not (Path(__file__).parents[1] / name).is_file()] == []


def test_stack_of_a_given_frame_is_whole() -> None:
    """As whoever looks for what hangs wants it."""
    whole = traceback.extract_stack(sys._getframe())
    assert len(whole) > 3 * FRAMES
    assert whole[-1].name == test_stack_of_a_given_frame_is_whole.__name__
    assert len(traceback.format_stack()) == len(whole)


def test_programs_keep_nothing_in_the_real_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Not those of this process, nor those that it starts."""
    code = "from put_client.places import state_folder; print(state_folder())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert Path(found).is_relative_to(tmp_path_factory.getbasetemp())
