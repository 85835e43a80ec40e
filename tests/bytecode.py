"""Bytecode made before the workers start: each of them imports everything at the same moment, and what is not compiled
yet every one of them would compile.

It is made for a run with workers only, by a process a core, and where all is compiled it costs a look at each file.
"""

import importlib.util
import os
import py_compile
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.assertion import rewrite

ROOT = Path(__file__).parents[1]

OURS = ("protocol", "server", "client", "scripts", "tests")
"""Folders of modules that tests import."""


def compile_ahead(config: pytest.Config) -> None:
    """Everything that is out of date, by as many processes as there are cores."""
    if hasattr(config, "workerinput") or config.getoption("dist", "no") == "no":
        return
    if sys.pycache_prefix is not None:
        _link_installed(Path(sys.pycache_prefix))
    tests = {test for argument in config.args for test in _tests(Path(argument.partition("::")[0]))}
    others = {module for folder in OURS for module in (ROOT / folder).rglob("*.py")} - set(_tests(ROOT / "tests"))
    modules = [module for module in sorted(tests | others) if not _is_compiled(module, rewritten=module in tests)]
    if not modules:
        return
    processes = os.cpu_count() or 1
    started = []
    for share in range(processes):
        process = os.fork()
        if process == 0:
            try:
                _compile(modules[share::processes], tests, config)
            finally:
                os._exit(0)  # whatever failed: the workers compile it, and say what is wrong with it
        started.append(process)
    for process in started:
        os.waitpid(process, 0)


def _tests(folder: Path) -> Iterable[Path]:
    """Modules whose assertions pytest rewrites."""
    absolute = folder.resolve()
    if absolute.is_file():
        return [absolute]
    return [*absolute.rglob("test_*.py"), *absolute.rglob("conftest.py")]


def _is_compiled(module: Path, *, rewritten: bool) -> bool:
    try:
        return _bytecode(module, rewritten=rewritten).stat().st_mtime >= module.stat().st_mtime
    except OSError:
        return False


def _bytecode(module: Path, *, rewritten: bool) -> Path:
    if rewritten:
        return rewrite.get_cache_dir(module) / (module.stem + rewrite.PYC_TAIL)
    return Path(importlib.util.cache_from_source(str(module)))


def _compile(modules: Sequence[Path], tests: Iterable[Path], config: pytest.Config) -> None:
    """In a process of its own, which ends then."""
    for module in modules:
        bytecode = _bytecode(module, rewritten=module in tests)
        if module in tests:
            bytecode.parent.mkdir(parents=True, exist_ok=True)
            hashed, code = rewrite._rewrite_test(module, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, hashed, bytecode)
        else:
            py_compile.compile(str(module), str(bytecode), quiet=2)
    # Hypothesis reads the constants of our modules, and keeps what it found: that, too, each worker would do.
    from hypothesis.internal import constants_ast  # noqa: PLC0415 - takes a while, and few runs come here

    for module in modules:
        if module not in tests and ROOT / "tests" not in module.parents:
            named = ModuleType(module.stem)
            named.__file__ = str(module)
            constants_ast.constants_from_module(named)


def _link_installed(prefix: Path) -> None:
    """Bytecode of installed packages, which is beside them: Python looks for it under `prefix` alone."""
    for site in {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}:
        here = prefix.joinpath(*site.parts[1:])
        if here.is_dir():
            continue
        for bytecode in site.rglob(f"__pycache__/*.{sys.implementation.cache_tag}.pyc"):
            link = here / bytecode.parent.parent.relative_to(site) / bytecode.name
            link.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                link.symlink_to(bytecode)
