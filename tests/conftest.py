"""Settings of every test: work that makes a run slow and shows nothing is left out."""

import fcntl
import gc
import os
import sys
import traceback
from asyncio import constants, format_helpers
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import FrameType

import pytest

from put_protocol.blind import IS_AVAILABLE
from put_protocol.blind.group import Point
from tests import bytecode, fork_server

collect_ignore_glob = [] if IS_AVAILABLE else ["*blind*"]

BYTECODE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"

NEW_OBJECTS = 100_000
"""After which garbage is looked for; Python's own number is 700."""

PRODUCTS = 20_000
"""Of points, and points of encodings, that are kept: some deals of a pack."""

LONG = (
    "tests/scripts/test_solution.py",
    "tests/env/test_training.py",
    "tests/scripts/test_adding_a_family.py",
    "tests/web/test_browser.py",
    "tests/crashes/test_read_deals.py",
    "tests/web/test_page_blind.py",
    "tests/crashes/test_crashes.py",
    "tests/web/test_layout.py",
    "tests/client/test_two_networks.py",
    "tests/arena/test_sandbox.py",
    "tests/web/test_files.py",
    "tests/web/test_showdowns.py",
    "tests/journal/test_retention.py",
    "tests/server/test_house_runner.py",
)
"""Modules with a test that takes ten seconds, or waits as long, the longest first."""

FRAMES = 3
"""Of the stack that asyncio's debug mode keeps with each callback, future and coroutine."""


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The solver's kernels, compiled, which takes some ten seconds."""
    pytest.importorskip("numba")
    from put_server.house.put.solved.payoffs import Variant  # noqa: PLC0415
    from put_solver.game_solver import GameSolver  # noqa: PLC0415 - needs numba

    with _one_at_a_time("kernels"):
        GameSolver(Variant(game="put-1674", pack=12, target=1), tmp_path_factory.mktemp("kernels"), 0.05).solve()


@pytest.fixture(scope="session")
def vectors() -> None:
    """The kernels of the environments, compiled, which takes some fifteen seconds."""
    vector = pytest.importorskip("put_env.vector")
    for name in ("put-1674", "triomphe-forcee", "primero"):
        with _one_at_a_time(name):
            vector.VectorEnv(name, tables=1)


@contextmanager
def _one_at_a_time(name: str) -> Iterator[None]:
    """The worker who needs kernels first compiles them. The others wait, and find what it has kept. Meanwhile numba
    makes millions of objects, and next to no garbage."""
    BYTECODE.parent.mkdir(exist_ok=True)
    with (BYTECODE.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        gc.disable()
        try:
            yield
        finally:
            gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The programs that tests run leave no session, key or record in the home of the person who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("STATE", "CONFIG", "DATA"):
            patch.setenv(f"XDG_{kind}_HOME", str(tmp_path_factory.mktemp(kind.lower())))
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Before anything is collected, in every worker."""
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's other threads spin while they wait, and save nothing
    os.environ.setdefault(
        "PUT_SERVER_EXEMPT", "127.0.0.1 ::1"
    )  # for servers in processes; in this one: `sockets.EXEMPT`
    if sys.version_info < (3, 11, 5):
        # `ast` may fail there for no reason, and the report of one failure with it, and then the whole run.
        config.option.tbstyle = "native"
    _keep_short_stacks()
    if IS_AVAILABLE:
        _keep_products()
    _keep_bytecode()
    bytecode.compile_ahead(config)
    fork_server.install()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker begins with some of the long modules: the others wait for none of them at the end. xdist gives each
    worker as many tests, one after another, and whoever is done takes some of the last of another's."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    modules = [item.nodeid.partition("::")[0] for item in items]
    first = [[item for item, one in zip(items, modules, strict=True) if one == name] for name in LONG]
    others = iter([item for item, one in zip(items, modules, strict=True) if one not in LONG])
    left = len(items)
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        own = [item for module in first[worker::workers] for item in module]
        size = left // (workers - worker)
        left -= size
        ordered += [*own, *islice(others, max(0, size - len(own)))]
    items[:] = [*ordered, *others]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """The ten thousand tests and all modules are there to stay: garbage is looked for among what comes later."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def _keep_short_stacks() -> None:
    """asyncio's debug mode checks as ever, but it keeps only the end of the stack, and looks at no file for it: whole
    stacks, which are shown only when something is wrong, took half of the time of all that plays over sockets."""
    constants.DEBUG_STACK_DEPTH = FRAMES  # type: ignore[misc]  # ours to say for the tests
    format_helpers.extract_stack = _short  # of callbacks
    # Of futures and tasks, which are in C and have the function itself. Who gives a frame gets its whole stack.
    traceback.extract_stack.__code__ = _short_unless_given.__code__


def _short(f: FrameType | None = None, limit: int | None = None) -> traceback.StackSummary:
    """The end of a stack."""
    frame = f if f is not None else sys._getframe().f_back
    stack = traceback.StackSummary()
    while frame is not None and len(stack) < FRAMES:
        code = frame.f_code
        stack.insert(0, traceback.FrameSummary(code.co_filename, frame.f_lineno, code.co_name, lookup_line=False))
        frame = frame.f_back
    return stack


def _short_unless_given(f: FrameType | None = None, limit: int | None = None) -> traceback.StackSummary:
    """`traceback.extract_stack`; its code runs in that module, where nothing of this one is known."""
    from asyncio.format_helpers import extract_stack  # noqa: PLC0415
    from traceback import StackSummary, walk_stack  # noqa: PLC0415

    if f is None and limit is None:
        return extract_stack(sys._getframe().f_back)
    stack = StackSummary.extract(walk_stack(f if f is not None else sys._getframe().f_back), limit=limit)
    stack.reverse()
    return stack


def _keep_products() -> None:
    """All parties of a blind deal are in one process here: what one has multiplied the others need not, who check it.
    A product follows from its factors alone."""
    keep = lru_cache(PRODUCTS)
    Point.parse = keep(Point.parse)  # type: ignore[method-assign]
    Point.__mul__ = keep(Point.__mul__)  # type: ignore[method-assign]
    Point.times_plus_base = keep(Point.times_plus_base)  # type: ignore[method-assign]


def _keep_bytecode() -> None:
    """The hundreds of programs that tests start compile nothing twice. Where Python is told to leave no bytecode beside
    the code, it is kept elsewhere."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.dont_write_bytecode = False
        sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(BYTECODE))
