"""Modules that belong to families: in a package that has some, each is called as its family."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from put_protocol.games.families import FAMILIES


def family_modules(package: str | None) -> dict[str, Any]:
    """The modules of a package by the names of their families; a family may have none."""
    names = {family: f"{package}.{family}" for family in FAMILIES}
    return {family: import_module(name) for family, name in names.items() if find_spec(name) is not None}
