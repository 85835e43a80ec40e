"""Compilation of the kernels: at their first call, and kept beside the module for the next run."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """To machine code."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """Into whatever calls it: a call with a score of arrays would take longer than most nodes do."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")(function))
