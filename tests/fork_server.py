"""A fork server: the Python programs that tests start are forked off a process which has imported ours already.

A program needs most of half a second of the processor to start, nearly all of it to import its modules, and the suite
starts hundreds. What is forked is a process like any other, with arguments, an environment, a folder, open files and a
session of its own, and it is a child of who started it: only its modules are loaded before. So it is `__main__` that
runs, as `python -m`, `python -c` or a file would run it.

`install` has `subprocess`, and asyncio with it, ask the server. Started anew as ever is what asks more than a fork can
give: other flags of the interpreter, another locale, other folders for modules, and code of a test (`-c`), unless it is
the `main` of a program. So is everything within `new_interpreters`, and where there is no `clone` as Linux has it.
"""

import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import platform
import re
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGES = ("put_protocol", "put_text", "put_runtime", "put_server", "put_conformance", "put_client", "put_arena")
"""Imported before anything is asked for, with all that is in them."""

LATER = ("cryptography.x509", "encodings.idna", "platformdirs.unix")
"""Of others, what most programs import when they need it."""

MOST_BYTES = 128 * 1024
"""Of a request: the arguments and the environment."""

CLONE_PARENT = 0x8000
"""The new process is a child of the parent of who makes it."""

CLONE = {"x86_64": 56, "aarch64": 220}
"""The number of the system call, where the order of its arguments is known."""

MAIN = re.compile(
    r"(import [\w., ]+[;\n] ?|[\w.]+\([\w., ]+\)[;\n] ?|\n)*from put_\w+(\.\w+)* import main[;\n] ?main\(\)"
)
"""Code after `-c` that is a program."""

SETTLED = re.compile("PYTHON(?!PATH$|WARNINGS$|ASYNCIODEBUG$)|LANG|LC_")
"""Variables that an interpreter reads when it starts. PYTHONPATH and PYTHONWARNINGS are seen to."""


# --- of the process that tests run in --------------------------------------------------------------------------------


class ForkServer:
    """The server, started when it is first needed, which ends with this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None
        self._popen: subprocess.Popen[bytes] | None = None
        self._settled: dict[str, str] = {}
        self._new_interpreter = subprocess._fork_exec  # type: ignore[attr-defined]
        self.is_open = False
        """It is asked."""

    @property
    def pid(self) -> int | None:
        """Its process id; None: it has not been started."""
        return None if self._popen is None else self._popen.pid

    def fork_exec(self, *given: Any) -> int:
        """In place of `subprocess._fork_exec`, with its arguments: the process id."""
        if not self.is_open or len(given) != 23:
            return int(self._new_interpreter(*given))
        words, _, close_fds, kept, folder, environment = given[:6]
        reading, writing, saying, failing = given[6], given[9], given[11], given[13]
        restored, session, group, *strange = given[14:22]
        strings = [os.fsdecode(word) for word in words]
        variables = dict(os.environ)
        if environment is not None:
            variables = dict(os.fsdecode(variable).split("=", 1) for variable in environment)
        if not (
            strings[0] == sys.executable
            and len(strings) > 1
            and close_fds
            and restored
            and strange == [None, None, None, -1, None]
            and self._can_run(strings[1:])
            and self._has_same_interpreter(variables)
            and (folder is None or Path(os.fsdecode(folder)).is_dir())
        ):
            return int(self._new_interpreter(*given))
        files = {0: reading, 1: writing, 2: saying}
        files = {number: number if ours == -1 else ours for number, ours in files.items()}
        files.update({number: number for number in kept if number != failing})
        request = {
            "words": strings[1:],
            "environment": variables,
            "folder": os.fsdecode(folder) if folder is not None else str(Path.cwd()),
            "files": list(files),
            "session": bool(session),
            "group": group,
        }
        data = json.dumps(request).encode()
        if len(data) > MOST_BYTES:
            return int(self._new_interpreter(*given))
        with self._lock:
            return self._ask(data, list(files.values()))

    @staticmethod
    def _can_run(words: Sequence[str]) -> bool:
        if words[0] == "-m":
            return len(words) > 1
        if words[0] == "-c":
            return len(words) > 1 and MAIN.fullmatch(words[1]) is not None
        return words[0].endswith(".py") and Path(words[0]).is_file()

    def _has_same_interpreter(self, variables: Mapping[str, str]) -> bool:
        if self._popen is None:
            self._settled = _settled(os.environ)
        folders = filter(None, variables.get("PYTHONPATH", "").split(os.pathsep))
        return _settled(variables) == self._settled and set(folders) <= set(sys.path)

    def _ask(self, request: bytes, files: Sequence[int]) -> int:
        if self._connection is None:
            self._connection, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MOST_BYTES)
            with its:
                os.set_inheritable(its.fileno(), True)
                self.is_open = False
                self._popen = subprocess.Popen(
                    [sys.executable, __file__, str(its.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[its.fileno()],
                )
                self.is_open = True
        socket.send_fds(self._connection, [request], files)
        told = self._connection.recv(16)
        assert told, "the fork server has ended"
        return int(told)


def _settled(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if SETTLED.match(name)}


SERVER = ForkServer()


def install() -> None:
    """Have programs forked, where that can be done."""
    if sys.platform == "linux" and platform.machine() in CLONE:
        SERVER.is_open = True
        subprocess._fork_exec = SERVER.fork_exec  # type: ignore[attr-defined]


@contextmanager
def new_interpreters() -> Iterator[None]:
    """Programs that are started within the block are started anew."""
    was, SERVER.is_open = SERVER.is_open, False
    try:
        yield
    finally:
        SERVER.is_open = was


# --- of the server ----------------------------------------------------------------------------------------------------


def serve(connection: socket.socket) -> Mapping[str, Any]:
    """Fork until who started this is gone; comes back in each process that is forked, with what it was asked to run."""
    fork = _clone()
    while True:
        request, files, _, _ = socket.recv_fds(connection, MOST_BYTES, 64)
        if not request:
            os._exit(0)
        child = fork()
        if child == 0:
            asked: dict[str, Any] = json.loads(request)
            if asked["session"]:
                os.setsid()
            if asked["group"] >= 0:
                os.setpgid(0, asked["group"])
            connection.send(str(os.getpid()).encode())  # from now on its whole group can be signalled
            connection.close()
            _place(files, asked["files"])
            _become(asked)
            return asked
        for file in files:
            os.close(file)


def _clone() -> Callable[[], int]:
    """`os.fork`, but the new process is a sister. What Python does about a fork is done."""
    python, c = ctypes.pythonapi, ctypes.PyDLL(None)  # which keeps the interpreter's lock
    c.syscall.restype = ctypes.c_long
    number = ctypes.c_long(CLONE[platform.machine()])
    flags = ctypes.c_long(CLONE_PARENT | signal.SIGCHLD)
    nothing = ctypes.c_long(0)

    def clone() -> int:
        python.PyOS_BeforeFork()
        child = int(c.syscall(number, flags, nothing, nothing, nothing, nothing))
        if child == 0:
            python.PyOS_AfterFork_Child()
        else:
            python.PyOS_AfterFork_Parent()
        if child < 0:
            raise OSError("it cannot be forked")
        return child

    return clone


def _place(files: Sequence[int], numbers: Sequence[int]) -> None:
    """The files that came have these numbers."""
    high = max((*files, *numbers)) + 1
    moved: list[int] = []
    for file in files:
        os.dup2(file, high + len(moved), inheritable=False)
        moved.append(high + len(moved))
        os.close(file)
    for file, number in zip(moved, numbers, strict=True):
        os.dup2(file, number)
        os.close(file)


def _become(asked: Mapping[str, Any]) -> None:
    """The process has the environment, the folder and the streams that were asked for."""
    os.chdir(asked["folder"])
    given = asked["environment"]
    os.environ.clear()
    os.environ.update(given)
    time.tzset()
    options = list(filter(None, given.get("PYTHONWARNINGS", "").split(",")))
    sys.warnoptions[:] = options
    warnings._processoptions(options)  # type: ignore[attr-defined]
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        was = getattr(sys, f"__{name}__")
        direct = was.write_through and mode == "w"
        raw = open(number, f"{mode}b", buffering=0 if direct else -1, closefd=False)  # noqa: SIM115
        stream = type(was)(
            raw,
            encoding=was.encoding,
            errors=was.errors,
            newline="\n",
            line_buffering=not was.write_through and (name == "stderr" or os.isatty(number)),
            write_through=was.write_through,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run(words: Sequence[str], folders: Sequence[str]) -> None:
    """Run a program as an interpreter with these arguments does. `folders`: where modules are, without PYTHONPATH."""
    own = [*filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), *folders]
    main = sys.modules["__main__"] = ModuleType("__main__")
    importlib.invalidate_caches()
    sys.orig_argv[:] = [sys.executable, *words]
    match words:
        case ["-m", module, *arguments]:
            sys.path[:] = [str(Path.cwd()), *own]
            sys.argv[:] = ["-m", *arguments]
            for name in (module, f"{module}.__main__"):  # it is imported already: who is run is no module
                if not hasattr(sys.modules.get(name), "__path__"):
                    sys.modules.pop(name, None)
            runpy._run_module_as_main(module)  # type: ignore[attr-defined]
        case ["-c", code, *arguments]:
            sys.path[:] = ["", *own]
            sys.argv[:] = ["-c", *arguments]
            exec(compile(code, "<string>", "exec"), main.__dict__)
        case _:
            file, *arguments = words
            sys.path[:] = [str(Path(file).resolve().parent), *own]
            sys.argv[:] = [file, *arguments]
            main.__file__ = file
            exec(compile(Path(file).read_bytes(), file, "exec"), main.__dict__)


def end(error: BaseException | None) -> None:
    """End the process as the interpreter does after this, without taking apart all that is loaded."""
    code = 0
    match error:
        case None:
            pass
        case SystemExit(code=None):
            pass
        case SystemExit(code=int(number)):
            code = number & 0xFF
        case SystemExit(code=told):
            print(told, file=sys.stderr)
            code = 1
        case _:
            sys.excepthook(type(error), error, error.__traceback__)
            code = 1
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    except BaseException:  # noqa: BLE001  # as the interpreter does
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            code = code or 120  # as Python says it
    if isinstance(error, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(code)


def _main() -> None:
    """The server."""
    folders = sys.path[1 + len([*filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]) :]
    gc.disable()
    for package in PACKAGES:
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not found.name.endswith(".__main__"):
                importlib.import_module(found.name)
    for module in LATER:
        importlib.import_module(module)
    catalogue = sys.modules["put_text.catalogue"]
    for sentences in (Path(str(catalogue.__file__)).parent / "languages/en").iterdir():
        catalogue.has_message(f"{sentences.stem}-")
        list(catalogue.every_message("en", sentences.stem).values())  # each is parsed then
    gc.freeze()
    gc.enable()
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        asked = serve(connection)
    try:
        run(asked["words"], folders)
    except BaseException as error:  # noqa: BLE001  # as the interpreter does
        end(error)
    end(None)


if __name__ == "__main__":
    _main()
