"""Bytecode made ahead is what pytest and Python look for."""

import importlib.util
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from tests import bytecode


def test_bytecode_made_ahead_is_found(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """By pytest where it rewrites assertions, by Python elsewhere; and it is out of date when the module changes."""
    test, other = tmp_path / "test_this.py", tmp_path / "other.py"
    for module in (test, other):
        module.write_text("assert True\n", "utf-8")
        assert not bytecode._is_compiled(module, rewritten=module == test)
    bytecode._compile([test, other], {test}, pytestconfig)
    assert bytecode._is_compiled(test, rewritten=True)
    assert bytecode._is_compiled(other, rewritten=False)
    made = rewrite.get_cache_dir(test) / f"test_this{rewrite.PYC_TAIL}"
    assert rewrite._read_pyc(test, made) is not None
    assert Path(importlib.util.cache_from_source(str(other))).exists()
    test.write_text("assert False\n", "utf-8")
    assert rewrite._read_pyc(test, made) is None
