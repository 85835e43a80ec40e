"""`put-server` as a process: help, exit codes, its first line, signals and its log."""

import asyncio
import json
import os
import re
import shlex
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import fields
from pathlib import Path

import pytest

from put_protocol import DEFAULT_PORT
from put_protocol.codecs import LINES
from put_protocol.messages import Hello, Look, Ok
from put_runtime.fingerprint import fingerprint
from put_server.cli import main
from put_server.settings import SETTINGS, Settings
from put_server.transport.encryption import Encryption
from tests.fork_server import new_interpreters
from tests.transport.sockets import SocketPeer

EX_USAGE, EX_DATAERR, EX_UNAVAILABLE, EX_CONFIG = 64, 65, 69, 78


def run(*flags: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program, which must end by itself."""
    return subprocess.run(
        [sys.executable, "-m", "put_server", *flags],
        check=False,
        capture_output=True,
        text=True,
        timeout=20,
        env={**os.environ, "COLUMNS": "200", **environment},
    )


def failed(code: int, *flags: str, **environment: str) -> str:
    """The program fails by this code, with one sentence."""
    ended = run(*flags, **environment)
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stderr.startswith("put-server: ")
    assert ended.stdout == ""
    return ended.stderr


@asynccontextmanager
async def started(
    *flags: str, stdin: int = asyncio.subprocess.PIPE, **environment: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The program, listening, and its first line; killed at the end if it has not ended."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "put_server",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        *flags,
        stdin=stdin,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    try:
        assert process.stdout is not None
        yield process, (await process.stdout.readline()).decode()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def call(line: str) -> SocketPeer:
    port = int(line.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    return SocketPeer(LINES, reader, writer)


def test_help_lists_every_setting_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    """Each flag is there with its meaning, its environment variable and what it is by default."""
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = re.sub(r"\s+", " ", capsys.readouterr().out)
    for field in fields(Settings):
        assert f"--{field.name.replace('_', '-')} " in shown
        assert re.sub(
            r"\s+", "", f"(default:{SETTINGS.default(field.name)};environment:{SETTINGS.variable(field.name)})"
        ) in re.sub(r"\s+", "", shown)
    assert str(DEFAULT_PORT) in shown


def test_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The version and the name of the program."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert re.fullmatch(r"put-server \d+\.\d+\.\d+\n", said), (
        "the environment is older than the name: run scripts/check"
    )


def test_exit_code_of_bad_usage_is_64() -> None:
    """An unknown flag, or one without its value, is a fault of the command line."""
    assert "--nonsense" in failed(EX_USAGE, "--nonsense")
    failed(EX_USAGE, "--port")
    failed(EX_USAGE, "stray")


def test_exit_code_of_a_bad_setting_is_78(tmp_path: Path) -> None:
    """A value that will not do, wherever it comes from."""
    assert "--port" in failed(EX_USAGE, "--port", "99999")
    assert "PUT_SERVER_PORT" in failed(EX_CONFIG, PUT_SERVER_PORT="x")
    assert "none.toml" in failed(EX_CONFIG, "--config", str(tmp_path / "none.toml"))


def test_exit_code_of_an_address_that_cannot_be_had_is_69() -> None:
    """A port in use, or a host that is not here."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = failed(EX_UNAVAILABLE, "--host", "127.0.0.1", "--port", port, "--data", ":memory:")
        assert port in said
    for host in ("192.0.2.1", "x" * 70, "a..b"):
        assert host in failed(EX_UNAVAILABLE, "--host", host, "--data", ":memory:")


def test_exit_code_of_foreign_data_is_65(tmp_path: Path) -> None:
    """A file of another program is refused and left as it was."""
    path = tmp_path / "put.sqlite3"
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE recipes (name)")
    file.close()
    before = path.read_bytes()
    assert str(path) in failed(EX_DATAERR, "--data", str(tmp_path), "--port", "0")
    assert path.read_bytes() == before


async def test_first_line_says_where_it_listens() -> None:
    """The one line on standard output names the server, the address, and how to connect."""
    async with asyncio.timeout(20), started("--data", ":memory:", "--name", "The Swan") as (_, line):
        assert line.startswith("The Swan listens on 127.0.0.1:")
        assert "put-client 127.0.0.1:" in line
        caller = await call(line)
        assert (await caller.hello("Ann")).server == "The Swan"
        caller.cut()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_signal_drains_and_exits_0(number: signal.Signals, tmp_path: Path) -> None:
    """Everyone is told goodbye, the journal is whole, and the process ends well."""
    async with asyncio.timeout(20), started("--data", str(tmp_path)) as (process, line):
        caller = await call(line)
        await caller.hello("Ann")
        process.send_signal(number)
        goodbye = await caller.over()
        assert goodbye is not None
        assert goodbye.code == "draining"
        caller.writer.close()
        assert await process.wait() == 0
    assert sorted(os.listdir(tmp_path)) == ["audit.log", "put.sqlite3", "put.sqlite3-mark"]  # noqa: PTH208  # as a name is all that is wanted
    async with asyncio.timeout(20), started("--data", str(tmp_path)) as (_, line):
        back = await call(line)
        assert (await back.hello(token=caller.token)).name == "Ann"
        back.cut()


async def test_signal_while_it_starts_ends_it_in_good_order(tmp_path: Path) -> None:
    """The journal is open by then: it is closed, and nothing is left in its log."""
    command = [sys.executable, "-m", "put_server", "--port", "0", "--data", str(tmp_path)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    async with asyncio.timeout(20):
        while not (log := tmp_path / "put.sqlite3-wal").exists():  # noqa: ASYNC110  # a file has no event
            await asyncio.sleep(0)
        process.terminate()
        assert await process.wait() == 0
    assert not log.exists()


async def test_log_tells_no_secret(tmp_path: Path) -> None:
    """Neither the password, one that was tried, nor a token is logged or printed; log lines are JSON if asked."""
    flags = ("--data", str(tmp_path), "--log-level", "debug", "--log-format", "json")
    async with asyncio.timeout(20), started(*flags, PUT_SERVER_PASSWORD="sesame-1674") as (process, line):
        guest, thief = await call(line), await call(line)
        token = (await guest.hello("Ann", password="sesame-1674")).token
        thief.send(Hello(2, "Ben", password="tried-this"))
        goodbye = await thief.over()
        assert goodbye is not None
        assert goodbye.refusal == "wrong_password"
        process.terminate()
        await guest.over()
        for caller in (guest, thief):
            caller.writer.close()
        out, err = await process.communicate()
    logged = out.decode() + err.decode() + line
    for secret in ("sesame-1674", "tried-this", token):
        assert secret not in logged
    for written in err.decode().splitlines():
        assert {"at", "level", "logger", "message"} <= json.loads(written).keys()


async def test_server_stops_when_its_input_ends_if_told_to() -> None:
    """However whoever started it has ended, the system closes what they held."""
    async with started("--data", ":memory:", "--drain-seconds", "0", "--at-eof", "stop") as (process, line):
        caller = await call(line)
        assert process.stdin is not None
        process.stdin.write(b"what is said is not listened to")
        await process.stdin.drain()
        await caller.hello("Moll")
        process.stdin.close()
        async with asyncio.timeout(20):
            assert await process.wait() == 0
        caller.cut()


async def test_a_seed_can_come_by_standard_input_and_shows_nowhere() -> None:
    """It is in no argument and no environment; the pipe can still tell the end."""
    seed = "1674000000000001674"
    with new_interpreters():  # one that is forked has not its own arguments where the system shows them
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "put_server", "--host", "127.0.0.1", "--port", "0", "--data", ":memory:"),
            *("--seed", "-", "--at-eof", "stop"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{seed}\n".encode())
    assert b"listens on" in await process.stdout.readline()
    proc = Path(f"/proc/{process.pid}")
    for name in ("cmdline", "environ"):
        with suppress(OSError):  # there is no /proc, or the file is closed to us
            assert seed.encode() not in (proc / name).read_bytes()
    process.stdin.close()
    assert await process.wait() == 0


def test_a_seed_that_does_not_come_is_an_error() -> None:
    """No line, or one that is no number."""
    for given, says in ((b"", "there is no such line"), (b"7", "there is no such line"), (b"x\n", "a whole number")):
        ended = subprocess.run(
            [sys.executable, "-m", "put_server", "--data", ":memory:", "--port", "0", "--seed", "-"],
            input=given,
            capture_output=True,
            check=False,
            timeout=20,
        )
        assert ended.returncode == EX_USAGE
        assert says in ended.stderr.decode()


async def test_server_stays_when_its_input_ends_if_not_told() -> None:
    """As a service has none."""
    async with started("--data", ":memory:") as (process, line):
        assert process.stdin is not None
        process.stdin.close()
        caller = await call(line)
        await caller.hello("Moll")
        assert process.returncode is None
        caller.cut()


@pytest.mark.parametrize("source", ["a-file", os.devnull, None])
def test_input_that_tells_no_end_cannot_be_followed(source: str | None, tmp_path: Path) -> None:
    """A file, nothing, and none at all: the program says so before it listens."""
    (tmp_path / "a-file").write_text("")
    command = [sys.executable, "-m", "put_server", "--port", "0", "--data", ":memory:", "--at-eof", "stop"]
    shell = f"exec {shlex.join(command)} <{'&-' if source is None else shlex.quote(str(tmp_path / source))}"
    ended = subprocess.run(["sh", "-c", shell], check=False, capture_output=True, text=True, timeout=20)
    assert ended.returncode == EX_CONFIG
    assert "must be a pipe" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


async def test_certificate_is_loaded_again_at_sighup(tmp_path: Path) -> None:
    """Who connects then gets the new one, and who is there stays."""
    file = tmp_path / "certificate.pem"

    def renew() -> str:
        made = Encryption(own_key=tmp_path / "made.pem")
        key = made.fingerprint
        (tmp_path / "made.pem").rename(file)
        return key

    async def met(line: str) -> str:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        _, writer = await asyncio.open_connection("127.0.0.1", int(line.rpartition(":")[2]), ssl=context)
        certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.transport.abort()
        return fingerprint(certificate)

    first = renew()
    async with started("--data", ":memory:", "--certificate", str(file)) as (process, line):
        caller = await call(line)
        await caller.hello("Moll")
        assert await met(line) == first
        second = renew()
        process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(20):
            while await met(line) != second:
                pass
        assert process.returncode is None
        caller.cut()


async def test_server_without_a_certificate_goes_on_after_sighup() -> None:
    """The log says that there is none to load again, and the server still answers."""
    async with started("--data", ":memory:") as (process, line):
        caller = await call(line)
        await caller.hello("Moll")
        process.send_signal(signal.SIGHUP)
        assert process.stderr is not None
        async with asyncio.timeout(20):
            while b"SIGHUP loads a certificate again" not in await process.stderr.readline():
                pass
        assert isinstance(await caller.ask(Look), Ok)
        assert process.returncode is None
        caller.cut()


async def test_server_at_a_terminal_that_is_closed_says_goodbye() -> None:
    """SIGHUP stops it in good order, as no terminal is left to stop it from."""
    controller, terminal = os.openpty()
    try:
        async with started("--data", ":memory:", stdin=terminal) as (process, line):
            caller = await call(line)
            await caller.hello("Moll")
            process.send_signal(signal.SIGHUP)
            async with asyncio.timeout(20):
                farewell = await caller.over()
                assert farewell is not None
                assert farewell.code == "draining"
                assert await process.wait() == 0
            caller.cut()
    finally:
        os.close(terminal)
        os.close(controller)


def test_settings_that_admit_no_peer_end_the_start() -> None:
    """They would be taken for encryption that is asked of everybody, and there would be none."""
    assert "plain: none" in failed(EX_CONFIG, "--data", ":memory:", "--tls", "off", "--plain", "none")


def test_certificate_that_cannot_be_used_ends_the_start(tmp_path: Path) -> None:
    """With the name of the file, and the code of a wrong configuration; so does a key without a certificate."""
    assert "nowhere.pem" in failed(EX_CONFIG, "--data", ":memory:", "--certificate", str(tmp_path / "nowhere.pem"))
    assert "no certificate" in failed(EX_CONFIG, "--data", ":memory:", "--key", str(tmp_path / "nowhere.pem"))
    (tmp_path / "tls.pem").touch(mode=0o600)
    (tmp_path / "tls.pem").write_text("damaged")
    assert "tls.pem" in failed(EX_CONFIG, "--data", str(tmp_path), "--port", "0", "--no-announce")
