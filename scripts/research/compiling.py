"""Compilation by numba: of a function, and of a whole module."""

import importlib.util
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def fast(function: F) -> F:
    """The function, compiled."""
    return cast(F, numba.njit(function))


def compiled(name: str) -> ModuleType:
    """A copy of this module, each of its functions compiled."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for key, function in list(vars(module).items()):
        if isinstance(function, FunctionType) and function.__name__ != "category_of":
            setattr(module, key, numba.njit(function))
    return module
