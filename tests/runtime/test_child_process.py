"""Child processes: started with what they need, read without being waited for, and gone with all they started."""

import asyncio
import os
import sys
from contextlib import suppress
from typing import Any

import pytest

from put_runtime.child_process import CannotStart, ChildProcess, Tail, listening, port_in, running

STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def is_alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_program_that_is_not_there_cannot_be_started() -> None:
    """The error names the program and the reason."""
    with pytest.raises(CannotStart, match="/no/such/program cannot be started: No such file") as caught:
        await ChildProcess.start(["/no/such/program"])
    assert caught.value.program == "/no/such/program"


async def test_process_that_ignores_sigterm_is_killed() -> None:
    """And ending it again does nothing."""
    process = await ChildProcess.start(python(STUBBORN))
    await process.stdout.readline()
    await process.end(terminate_s=0.1)
    assert process.returncode == -9
    await process.end()


async def test_what_a_process_started_ends_with_it() -> None:
    """Also when the process itself has ended before."""
    program = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {STUBBORN!r}]).pid, flush=True)"
    async with running(python(program)) as process:
        grandchild = int(await process.stdout.readline())
        await process.stdout.readline()  # it is up
        assert is_alive(grandchild)
    async with asyncio.timeout(10):
        while is_alive(grandchild):  # noqa: ASYNC110  # the system reaps it in its own time
            await asyncio.sleep(0.01)


async def test_process_that_is_cancelled_as_it_starts_is_gone_with_what_it_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sandbox is a program that starts another, which has our pipes: asyncio kills the first, and waits for ever."""
    start, has_begun, may_go_on = asyncio.create_subprocess_exec, asyncio.Event(), asyncio.Event()
    grandchildren: list[int] = []

    async def slow(*words: str, **options: Any) -> asyncio.subprocess.Process:
        process = await start(*words, **options)
        assert process.stdout is not None
        grandchildren.append(int(await process.stdout.readline()))
        has_begun.set()
        await may_go_on.wait()
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slow)
    program = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {STUBBORN!r}]).pid, flush=True)"
    starting = asyncio.create_task(ChildProcess.start(python(program)))
    await has_begun.wait()
    starting.cancel()
    await asyncio.sleep(0)
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await starting
    async with asyncio.timeout(10):
        while is_alive(*grandchildren):  # noqa: ASYNC110  # the system reaps it in its own time
            await asyncio.sleep(0.01)


FLOOD = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_DFL)\nwhile True: sys.stdout.write('y' * 65536)"


async def test_process_that_nobody_reads_is_ended() -> None:
    """Its pipe is full, and asyncio takes it for running until that was read to its end."""
    process = await ChildProcess.start(python(FLOOD))
    while not process.stdout._paused:  # type: ignore[attr-defined]  # noqa: ASYNC110  # until it is full
        await asyncio.sleep(0)
    await process.end()
    assert process.returncode == -15
    assert process._process._transport._closed  # type: ignore[attr-defined]  # else its descriptors leak


async def test_process_is_ended_though_its_block_is_cancelled_again() -> None:
    """A second cancellation may come while the process is still going."""
    began = asyncio.Event()
    children = []

    async def block() -> None:
        async with running(python(STUBBORN)) as process:
            children.append(process)
            await process.stdout.readline()
            began.set()
            await process.wait()

    task = asyncio.create_task(block())
    await began.wait()
    task.cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()
    assert children[0].returncode == -9


async def test_end_of_standard_error_is_kept() -> None:
    """However much there is: nobody waits to be read."""
    program = "import sys; sys.stderr.write('x' * 1_000_000 + '\\nlast words'); sys.stdout.write('y' * 1_000_000)"
    process = await ChildProcess.start(python(program), tail_bytes=100)
    process.discard_output()
    assert await process.wait() == 0
    await process.read_rest()
    assert process.stderr.lines[-1] == "last words"
    assert sum(map(len, process.stderr.lines)) < 100
    await process.end()


async def test_tail_of_a_short_stream_is_all_of_it() -> None:
    """Bytes that are no UTF-8 are replaced."""
    stream, tail = asyncio.StreamReader(), Tail(100)
    stream.feed_data(b"one\ntw\xff")
    stream.feed_eof()
    await tail.follow(stream)
    assert tail.lines == ["one", "tw\ufffd"]


@pytest.mark.parametrize(
    ("line", "port"),
    [
        ("put-server 1 listens on 127.0.0.1:1674.", 1674),
        ("listens on [::1]:80.", 80),
        ("listens on port 7 of every interface", 7),
        ("no", None),
        ("", None),
        ("Who listens on port 5 listens on 127.0.0.1:1674. Connect with: put-client 127.0.0.1:1674", 1674),
    ],
)
def test_port_is_read_from_the_line(line: str, port: int | None) -> None:
    """None if the server does not say that it listens."""
    assert port_in(line) == port


def test_listening_server_ends_with_its_block() -> None:
    """It is asked to end, and killed if it does not."""
    program = STUBBORN.replace("'up'", "'it listens on 127.0.0.1:7.'")
    with listening(python(program), stop_s=0.1) as (process, port):
        assert port == 7
        assert process.poll() is None
    assert process.returncode == -9


def test_server_that_does_not_listen_is_an_error_with_what_it_said() -> None:
    """And it does not stay behind."""
    with (
        pytest.raises(CannotStart, match="the server cannot be started: I will not"),
        listening(python("print('I will not')")),
    ):
        pass
