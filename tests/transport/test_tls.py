"""TLS on the port of everything else, and who may go without it."""

import asyncio
import json
import logging
import os
import socket
import ssl
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from unittest.mock import Mock

import pytest

from put_client import RandomBot, Security, connect, play
from put_client.sdk.errors import NotEncrypted, Rejected
from put_conformance.case_runner import CaseRunner
from put_conformance.client_connection import CandidateConnection
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Played
from put_protocol.games.unions import Event, GameView
from put_protocol.messages import Goodbye, Hello, Refused, Say
from put_server.app import Server
from put_server.transport import encryption
from put_server.transport.budgets import CONNECTION_COST, HANDSHAKE_COST, Budgets
from put_server.transport.listener import PLAIN_REFUSED
from tests.transport.sockets import ServerHarness, SocketPeer, running_server

SHORT: dict[str, str | int] = {"pack": 28, "target": 3}
"""Options of a short game."""


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def _trusting() -> ssl.SSLContext:
    """Of a client that takes any key: what clients check is tested with them."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def _call(server: ServerHarness, codec: Codec = FRAMES, context: ssl.SSLContext | None = None) -> SocketPeer:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port, ssl=context or _trusting())
    caller = SocketPeer(codec, reader, writer)
    server.callers.append(caller)
    return caller


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_every_format_is_spoken_inside_tls(version: ssl.TLSVersion) -> None:
    """Frames, JSON and plain English, on one port, beside connections without TLS."""
    context = _trusting()
    context.minimum_version = context.maximum_version = version
    async with running_server() as server:
        for name, codec in (("Moll", FRAMES), ("Nan", LINES)):
            caller = await _call(server, codec, context)
            assert (await caller.hello(name)).name == name
        plain = await server.guest("Peg")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port, ssl=context)
        writer.write(b"name Kit\n")
        await reader.readuntil(b'say "back')
        assert len(server.server.dispatcher.lobby.people) == 4
        writer.transport.abort()
        assert not plain.is_over


async def test_old_tls_and_garbage_end_that_connection_alone() -> None:
    """TLS 1.1, a handshake of noise, and one that stops in the middle; then others still get in."""
    async with running_server() as server:
        old = _trusting()
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await _call(server, context=old)
        for noise in (b"\x16", b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", b"\x16" + os.urandom(2_000)):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
            writer.write(noise)
            writer.write_eof()
            assert b"{" not in await reader.read()
            writer.close()
        assert (await (await _call(server)).hello("Moll")).name == "Moll"


async def test_connection_that_stops_in_its_handshake_holds_up_nothing() -> None:
    """The server ends all the same: the block of `running_server` has a deadline."""
    async with running_server() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
        writer.write(b"\x16\x03\x01")
        await writer.drain()
        await server.guest("Moll")
    assert await reader.read() == b""
    writer.close()


async def test_a_connection_reserves_four_kilobytes_and_not_a_quarter_of_a_megabyte() -> None:
    """asyncio's own default times a few hundred people would be most of the server's memory."""
    async with running_server() as server:
        caller = await _call(server)
        await caller.hello("Moll")
        (session,) = server.server.dispatcher._sessions
        protocol = session._transport._ssl_protocol  # type: ignore[attr-defined]  # what asyncio reserved
        assert len(protocol._ssl_buffer) == encryption.BUFFER_BYTES
    assert encryption.BUFFER_BYTES <= 4 * 1024


async def test_reader_that_is_too_slow_is_dropped_behind_tls_too(caplog: pytest.LogCaptureFixture) -> None:
    """What waits for a peer is counted behind the encryption as before it."""
    caplog.set_level(logging.INFO)
    async with running_server() as server:
        slow = await _call(server)
        await slow.hello("Moll")
        slow.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads
        (session,) = server.server.dispatcher._sessions
        for _ in range(2_000):
            server.server.dispatcher.announce("x" * 30_000)
            if session not in server.server.dispatcher._sessions:
                break
            await asyncio.sleep(0)
        assert session not in server.server.dispatcher._sessions
    assert "a slow reader is dropped" in caplog.text


async def test_peer_that_is_not_read_just_now_fills_no_memory() -> None:
    """What it sends meanwhile stays with the system, and comes when it is read again."""
    async with running_server() as server:
        caller = await _call(server)
        await caller.hello("Moll")
        (session,) = server.server.dispatcher._sessions
        transport = session._transport  # type: ignore[attr-defined]  # a session
        transport.pause_reading()
        for number in range(2_000):
            caller.send(Say(number + 1, 1, "x" * 200))
        for _ in range(200):
            await asyncio.sleep(0)
        pending = transport._ssl_protocol._incoming.pending
        assert 0 < pending <= encryption.UNREAD_BYTES + encryption.BUFFER_BYTES
        transport.resume_reading()
        await caller.until(Refused, lambda refused: refused.id == 1)


async def test_handshake_is_charged_to_who_connects(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the dearest thing that a stranger can ask for."""
    costs: list[float] = []
    monkeypatch.setattr(Budgets, "charge_arrival", lambda *given: costs.append(given[2]))
    async with running_server(exempt="") as server:
        await server.call()
        await (await _call(server)).hello("Moll")
        await server.guest("Nan")
    assert CONNECTION_COST + HANDSHAKE_COST in costs
    assert CONNECTION_COST in costs


# --- who may go without ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("codec", [FRAMES, LINES])
async def test_plain_connection_is_told_what_to_do_where_it_is_refused(codec: Codec) -> None:
    """One goodbye in its own format, to programs; nobody has arrived."""
    async with running_server(plain="none") as server:
        caller = await server.call(codec)
        caller.send(Hello(2, "Moll"))
        goodbye = await caller.over()
        assert goodbye == Goodbye(code="protocol", says=PLAIN_REFUSED)
        assert not server.server.dispatcher.lobby.people
        encrypted = await _call(server, codec)
        assert (await encrypted.hello("Moll")).name == "Moll"


async def test_person_who_types_is_told_what_to_do_where_they_are_refused() -> None:
    """In a sentence, at the first line they type."""
    async with running_server(plain="none") as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
        writer.write(b"Moll\r\n")
        said = (await reader.read()).decode()
        writer.close()
    assert "put-client" in said
    assert "openssl s_client" in said


@pytest.mark.parametrize(("source", "is_refused"), [("8.8.8.8", True), ("192.168.1.5", False)])
async def test_policy_goes_by_the_address_of_the_peer(source: str, is_refused: bool) -> None:
    """Private addresses go without encryption, those of the internet do not; a proxy's header says which it is, and TLS
    passes through the proxy."""
    header = f"PROXY TCP4 {source} 10.0.0.1 5000 1674\r\n".encode()
    hello = LINES.encode(Hello(2, "Moll"))

    def connect_by_proxy(*, with_tls: bool) -> bytes:
        with socket.create_connection(("127.0.0.1", server.server.port), timeout=10) as raw:
            raw.sendall(header)
            peer = _trusting().wrap_socket(raw) if with_tls else raw
            peer.sendall(hello)
            answer = peer.recv(65536)
            peer.close()
            return answer

    async with running_server(proxies="127.0.0.1") as server:
        assert b'"welcome"' in await asyncio.to_thread(connect_by_proxy, with_tls=True)
        answer = await asyncio.to_thread(connect_by_proxy, with_tls=False)
        assert (PLAIN_REFUSED.encode() in answer) == is_refused


async def test_server_without_tls_says_so_and_clients_know() -> None:
    """As servers of 0.2 do."""
    async with running_server(tls="off") as server:
        with pytest.raises(NotEncrypted):
            await connect("127.0.0.1", server.server.port, name="Moll", security=Security.TLS)
        async with connect("127.0.0.1", server.server.port, name="Moll") as client:
            assert not client.dialler.is_encrypted


async def test_client_that_is_refused_without_encryption_says_why() -> None:
    """The server's sentence reaches the person."""
    async with running_server(plain="none") as server:
        with pytest.raises(Rejected, match="no connection without encryption"):
            await connect("127.0.0.1", server.server.port, name="Moll", security=Security.PLAIN)


# --- whole programs --------------------------------------------------------------------------------------------------


async def test_game_is_played_by_the_sdk_over_tls() -> None:
    """From the welcome to the reckoning, with blind deals."""
    async with (
        running_server() as server,
        connect("127.0.0.1", server.server.port, name="Moll", security=Security.TLS) as moll,
    ):
        assert (await play(RandomBot(), moll, house="steady", games=1, options=SHORT)).games == 1
        assert moll.dialler.is_encrypted
        assert moll.dialler.fingerprint == _fingerprint(server.server)


def _fingerprint(server: Server) -> str:
    assert server.front.encryption is not None
    return server.front.encryption.fingerprint


async def test_put_bot_plays_over_tls_and_stops_at_another_key(tmp_path: Path) -> None:
    """A fingerprint in the address is the only key it trusts."""
    bot = tmp_path / "bold.py"
    bot.write_text("from put_client import RandomBot\nclass Bold(RandomBot): pass\n")
    async with running_server() as server:
        address = f"127.0.0.1:{server.server.port}"
        good = await _run("put_client.bots.cli", str(bot), f"{address}#{_fingerprint(server.server)}", "--json")
        assert (good[0], json.loads(good[1])["games"]) == (0, 1)
        wrong = await _run("put_client.bots.cli", str(bot), f"{address}#aaaaa-bbbbb-ccccc-ddddd-eeeee")
    assert wrong[0] == os.EX_NOPERM
    assert "WARNING" in wrong[2]


async def _run(module: str, *arguments: str) -> tuple[int, str, str]:
    short = [word for name, value in SHORT.items() for word in ("--option", f"{name}={value}")]
    house = ("--house", "steady", *short) if module.endswith("bots.cli") else ()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, *house, stdout=PIPE, stderr=PIPE
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


# --- what travels ----------------------------------------------------------------------------------------------------


class Wiretap:
    """A recorder between a client and a server."""

    def __init__(self, port: int) -> None:
        self.recorded = bytearray()
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            await asyncio.gather(self._copy(reader, to_server), self._copy(from_server, writer))
        finally:
            to_server.close()
            writer.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                self.recorded += data
                writer.write(data)
            writer.write_eof()
        except (OSError, NotImplementedError):
            pass


@pytest.mark.parametrize(("security", "codec"), [(Security.TLS, FRAMES), (Security.PLAIN, LINES)])
async def test_recorded_table_shows_no_card_token_or_name(security: Security, codec: Codec) -> None:
    """Everything that passes between a player and the server, whole games long: without TLS all of it is there to
    read, with it none of it is."""
    secrets: set[bytes] = set()

    class Noting(RandomBot):
        def saw(self, event: Event, view: GameView | None) -> None:
            if isinstance(event, Played):
                secrets.add(event.card.encode())

    async with running_server() as server:
        tap = Wiretap(server.server.port)
        tapped = await asyncio.start_server(tap.accept, "127.0.0.1", 0)
        port = tapped.sockets[0].getsockname()[1]
        async with connect("127.0.0.1", port, name="Mistress Moll", security=security, codec=codec) as moll:
            await play(Noting(), moll, house="steady", games=1, options=SHORT)
            token = moll.token.encode()
        tapped.close()
        await tapped.wait_closed()
    texts = {b"Mistress Moll", token, b"put-1674", b"legal", b'"hello"' if codec is LINES else b"hello"}
    assert len(tap.recorded) > 10_000
    found = {text for text in texts if text in tap.recorded}
    assert found == (set() if security is Security.TLS else texts)
    # A card is two or three letters, which noise of this length has by chance: it is looked for as it is written.
    assert secrets
    written = {(b'"%s"' if codec is LINES else b"\xa2%s" if len(card) == 2 else b"\xa3%s") % card for card in secrets}
    shown = sum(card in tap.recorded for card in written)
    expected_by_chance = len(written) * len(tap.recorded) / 256**3
    if security is Security.PLAIN:
        assert shown == len(written)
    else:
        assert shown <= expected_by_chance * 10 + 3


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (b"\x16\x03\x01", "it began as TLS does, which the suite does not speak: start the client without"),
        (b"GET /ws", "it began as WebSocket does, which the suite does not speak: have it send lines"),
    ],
)
async def test_suite_for_clients_says_what_it_does_not_speak(first: bytes, says: str) -> None:
    """A client that tries all the same reads why in the report."""
    runner = Mock(spec=CaseRunner)
    connection = CandidateConnection(runner)
    connection.data_received(first)
    ((_, error),) = [call.args for call in runner.invalid.call_args_list]
    assert error.reason == says
