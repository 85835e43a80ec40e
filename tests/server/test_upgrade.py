"""Upgrades: a server starts its successor with its listening sockets, and systemd starts one with its own."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from put_client import connect
from put_client.sdk.client import Client
from put_client.sdk.errors import ClientError
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_protocol.messages import Decision
from put_runtime.child_process import port_in
from put_server.admin.admin_calls import AskStatus, AskUpgrade, CallDone, ServerStatus
from put_server.admin.admin_client import CallFailed, NobodyAnswers, ask
from put_server.handover import BadSockets, NotReady, inherited, start_successor
from tests.server.test_process import failed

BACKSTOP_S = 60


@asynccontextmanager
async def serving(data: Path, *flags: str) -> AsyncIterator[int]:
    """A server and all its successors; they hold our pipe until the last of them is gone. Gives the port."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "put_server", "--host", "127.0.0.1", "--port", "0", "--data", str(data)),
        *("--log-level", "warning", *flags),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        port = port_in((await process.stdout.readline()).decode())
        assert port is not None
        yield port
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # whoever took over is of the same group
        await process.communicate()


async def upgraded(data: Path) -> str:
    return (await asyncio.to_thread(ask, data / "admin.sock", AskUpgrade(), CallDone, BACKSTOP_S)).says


async def status(data: Path) -> ServerStatus:
    """Of the server that runs now, when it answers."""
    while True:
        with suppress(NobodyAnswers):
            return await asyncio.to_thread(ask, data / "admin.sock", AskStatus(), ServerStatus)
        await asyncio.sleep(0)


async def until(client: Client, kind: type[object]) -> object:
    async for message in client:
        if isinstance(message, kind):
            return message
    raise AssertionError("closed")


@pytest.mark.timeout(120)
async def test_upgrade_keeps_everybody(tmp_path: Path) -> None:
    """Another process has the tables, on the same port; who played plays on, and who asks meanwhile is answered."""
    async with asyncio.timeout(BACKSTOP_S), serving(tmp_path) as port, connect("127.0.0.1", port, name="Ann") as ann:
        table = await ann.open_table("put-1674")
        await ann.sit(table)
        await ann.invite(table)
        decision = await until(ann, Decision)
        for _ in range(2):
            asking = asyncio.ensure_future(_talk(ann))
            says = await upgraded(tmp_path)
            assert says.endswith("takes over")
            lost = await until(ann, ConnectionLost)
            assert isinstance(lost, ConnectionLost)
            assert lost.back_s == 0
            await until(ann, ConnectionBack)
            asking.cancel()
        assert isinstance(decision, Decision)
        await ann.act(table, decision.decision, decision.legal[0].action)
        assert (await status(tmp_path)).people.here == 1


async def _talk(client: Client) -> None:
    while True:
        await client.look()
        await client.look_away()


@pytest.mark.timeout(120)
async def test_upgrade_that_cannot_be_changes_nothing(tmp_path: Path) -> None:
    """A successor that would not start is not waited for: the server says so, and goes on with everybody."""
    config = tmp_path / "put.toml"
    config.write_text("")
    data = tmp_path / "data"
    async with (
        asyncio.timeout(BACKSTOP_S),
        serving(data, "--config", str(config)) as port,
        connect("127.0.0.1", port, name="Ann", resume=False) as ann,
    ):
        config.write_text(f'certificate = "{tmp_path / "none.pem"}"')
        with pytest.raises(CallFailed) as caught:
            await upgraded(data)
        assert "ended before it was ready" in str(caught.value)
        assert await ann.open_table("put-1674") == 1
        config.write_text("")
        await upgraded(data)
        with pytest.raises(ClientError):
            await until(ann, Decision)


@pytest.mark.timeout(120)
async def test_server_takes_the_sockets_of_systemd(tmp_path: Path) -> None:
    """It listens where they do, whatever its settings say; who connects before it runs is answered when it does."""
    with socket.create_server(("127.0.0.1", 0), backlog=5) as listening:
        port = listening.getsockname()[1]
        connecting = asyncio.ensure_future(_welcomed(port))
        program = (
            f"import os; os.dup2({listening.fileno()}, 3); os.environ['LISTEN_PID'] = str(os.getpid());"
            "os.execv(os.sys.executable, [os.sys.executable, '-m', 'put_server', *os.sys.argv[1:]])"
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", program, "--host", "127.0.0.1", "--port", "1", "--data", str(tmp_path)),
            pass_fds=(listening.fileno(),),
            env={**os.environ, "LISTEN_FDS": "1"},
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(BACKSTOP_S):
                assert await connecting == "Ann"
                assert process.stdout is not None
                assert port_in((await process.stdout.readline()).decode()) == port
            process.send_signal(signal.SIGTERM)
            await process.communicate()
            assert process.returncode == os.EX_OK
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


async def _welcomed(port: int) -> str:
    async with connect("127.0.0.1", port, name="Ann", connect_timeout=BACKSTOP_S) as ann:
        return ann.name


def test_sockets_for_another_process_are_left_alone() -> None:
    """And so are variables that are not set."""
    assert inherited({}) == []
    environment = {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getppid())}
    assert inherited(environment) == []
    assert environment == {}


@pytest.mark.parametrize("count", ["many", "-1"])
def test_number_of_sockets_must_be_one(count: str) -> None:
    """A clear sentence, as everywhere."""
    with pytest.raises(BadSockets):
        inherited({"LISTEN_FDS": count})


def test_what_is_no_listening_socket_is_refused(tmp_path: Path) -> None:
    """The program ends with a sentence, and has opened nothing."""
    assert "is not a socket" in failed_with_file_three(tmp_path)
    assert not (tmp_path / "put.sqlite3").exists()


def failed_with_file_three(data: Path) -> str:
    program = (
        "import os; os.dup2(os.open('/dev/null', 0), 3);"
        "os.execv(os.sys.executable, [os.sys.executable, '-m', 'put_server', '--data', os.sys.argv[1]])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(data)],
        check=False,
        capture_output=True,
        text=True,
        timeout=BACKSTOP_S,
        env={**os.environ, "LISTEN_FDS": "1"},
    )
    assert ended.returncode == os.EX_UNAVAILABLE
    assert ended.stderr.startswith("put-server: ")
    return ended.stderr


@pytest.mark.parametrize("words", [["--seed", "-"], ["--seed=-"], ["--see", "-"]])
async def test_server_whose_seed_came_by_its_input_hands_nothing_over(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one would not have it."""
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "put_server", *words])
    with pytest.raises(NotReady, match="the seed came by standard input"):
        await start_successor([], {})


def test_server_that_keeps_nothing_hands_nothing_over(tmp_path: Path) -> None:
    """There is no server either, so that is what is said."""
    assert "no server listens" in failed(os.EX_UNAVAILABLE, "upgrade", "--data", str(tmp_path))
