"""The admin socket where the system has no Unix sockets: the same calls by a port, for who has the key."""

import asyncio
import logging
import stat
from pathlib import Path

import msgspec
import pytest

from put_runtime import exit_codes
from put_server.admin import loopback
from put_server.admin.admin_calls import Answer, AskAnnounce, AskStatus, Call, CallDone, ServerStatus
from put_server.admin.admin_client import NobodyAnswers, ask
from put_server.admin.loopback import LoopbackKey, read_key
from put_server.admin.socket import AdminSocket, NoAdminSocket
from put_server.settings import Settings
from tests.server.test_process import failed, run, started
from tests.serving import serving


async def _done(_: Call) -> Answer:
    return CallDone("done")


async def _said(key: LoopbackKey, data: bytes) -> bytes:
    """What comes out of the port until it closes."""
    reader, writer = await asyncio.open_connection(loopback.HOST, key.port)
    writer.write(data)
    try:
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.transport.abort()


async def test_commands_find_the_port_by_the_key(tmp_path: Path) -> None:
    """Whatever the server listens by, the command line is the same."""
    path = tmp_path / "admin.sock"
    settings = Settings(host="127.0.0.1", port=0, data=":memory:", admin=str(path), admin_by="tcp", name="The Swan")
    async with serving(settings, thinks=False):
        assert not path.is_socket()
        assert (await asyncio.to_thread(ask, path, AskStatus(), ServerStatus)).name == "The Swan"
        assert (await asyncio.to_thread(ask, path, AskAnnounce("Last orders."), CallDone)).says
    assert not path.exists()


async def test_programs_talk_by_the_port(tmp_path: Path) -> None:
    """The processes themselves: a server that is started so, asked and drained by commands."""
    async with started("--data", str(tmp_path), "--admin-by", "tcp") as (server, _):
        status = await asyncio.to_thread(run, "status", "--json", "--data", str(tmp_path))
        assert '"name":"The Put Table"' in status.stdout
        drained = await asyncio.to_thread(run, "drain", "--data", str(tmp_path))
        assert "stopping" in drained.stdout
        assert await server.wait() == 0
    assert "no server listens" in failed(exit_codes.UNAVAILABLE, "status", "--data", str(tmp_path))


async def test_connection_without_the_key_is_told_and_does_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Any program of this machine can reach the port. The token stands in no log."""
    caplog.set_level(logging.DEBUG)
    path = tmp_path / "admin.sock"
    called: list[Call] = []

    async def answer(call: Call) -> Answer:
        called.append(call)
        return CallDone("done")

    admin_socket = AdminSocket(path, answer, by_tcp=True)
    admin_socket.open()
    key = read_key(path)
    assert key is not None
    status = msgspec.json.encode(AskStatus()) + b"\n"
    async with asyncio.TaskGroup() as tasks:
        await admin_socket.serve(tasks)
        for first in (b"", b"\n", key.token[:-1].encode() + b"\n", b"\xff\n", b"x" * 100_000 + b"\n", status):
            assert b"done" not in await _said(key, first + status)
        assert not called
        assert await _said(key, key.line + status) == b'{"says":"done","ok":true}\n'
        admin_socket.close()
    assert key.token not in caplog.text


def test_key_is_its_owners_alone(tmp_path: Path) -> None:
    """Whoever can read it can stop the server. It goes with the socket."""
    path = tmp_path / "admin.sock"
    admin_socket = AdminSocket(path, _done, by_tcp=True)
    admin_socket.open()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    admin_socket.close()
    assert not path.exists()


def test_key_of_a_killed_server_is_replaced_and_one_in_use_is_not(tmp_path: Path) -> None:
    """By either kind of socket; and a file that is something else stays as it is."""
    path = tmp_path / "admin.sock"
    running = AdminSocket(path, _done, by_tcp=True)
    running.open()
    before = path.read_bytes()
    for by_tcp in (True, False):
        with pytest.raises(NoAdminSocket, match="another server listens"):
            AdminSocket(path, _done, by_tcp=by_tcp).open()
    assert path.read_bytes() == before
    running.close()
    for by_tcp in (True, False):
        path.write_bytes(before)
        with pytest.raises(NobodyAnswers, match="no server listens"):
            ask(path, AskStatus(), ServerStatus)
        after = AdminSocket(path, _done, by_tcp=by_tcp)
        after.open()
        assert path.is_socket() is not by_tcp
        after.close()
    path.write_text("my notes")
    for by_tcp in (True, False):
        with pytest.raises(NoAdminSocket):
            AdminSocket(path, _done, by_tcp=by_tcp).open()
    assert path.read_text() == "my notes"
