"""Small games are solved here, and on one core: what several would save is less than they cost each other."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def one_core() -> Iterator[None]:
    """One thread for the kernels, unless a test wants more."""
    numba = pytest.importorskip("numba")
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(threads)
