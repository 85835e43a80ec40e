"""Trust in a server: keys remembered, given, verified, changed and missing."""

import asyncio
import os
import socket
import ssl
import stat
from contextlib import suppress
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from put_client.sdk.client import Client, connect
from put_client.sdk.dialler import Dialler, Security, has_public_name, is_loopback
from put_client.sdk.errors import CannotTrust, KeyChanged, NotEncrypted, NotVerified
from put_client.sdk.known_servers import CERTIFICATE, KnownServers
from put_protocol.messages import Hello
from put_server.transport.encryption import Encryption
from tests.authority import Authority
from tests.client.scripted_server import OldPeer, Peer, Server, scripted_server, welcome
from tests.client.test_cli import start


async def _meet(server: Server, host: str = "127.0.0.1", **terms: Any) -> Dialler:
    """Connect, be welcomed, and leave. Returns what was established."""
    serving = asyncio.create_task(_serve(server))
    try:
        async with connect(host, server.port, **{"name": "Moll", "security": Security.TLS, **terms}) as client:
            return client.dialler
    finally:
        serving.cancel()


async def _serve(server: Server) -> None:
    """Welcome everyone who says hello."""
    async with asyncio.TaskGroup() as tasks:
        while True:
            tasks.create_task(_welcome(await server.arrivals.get()))


async def _welcome(peer: Peer) -> None:
    with suppress(AssertionError):  # it hung up, for it does not trust us
        await peer.hear(Hello)
        peer.say(welcome())


async def test_first_key_is_remembered_and_told(state_home: Path) -> None:
    """With the fingerprint that the operator can confirm; the second time nothing needs to be said."""
    own = Encryption()
    async with scripted_server(own.context) as server:
        first = await _meet(server)
        again = await _meet(server)
    assert own.fingerprint in first.notice
    assert "New server" in first.notice
    assert (again.notice, again.is_encrypted, again.fingerprint) == ("", True, own.fingerprint)
    kept = state_home / "known_servers"
    assert kept.read_text() == f"127.0.0.1:{server.port} {own.fingerprint}\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


async def test_changed_key_is_an_alarm_and_no_connection() -> None:
    """The sentence has both fingerprints and the command that accepts the new one; the server hears nothing."""
    old, new = Encryption(), Encryption()
    async with scripted_server(old.context) as server:
        await _meet(server)
    async with scripted_server(new.context, port=server.port) as other:
        with pytest.raises(KeyChanged) as alarm:
            await _meet(other)
        says = str(alarm.value)
        assert old.fingerprint in says
        assert f"put-client '127.0.0.1:{server.port}#{new.fingerprint}'" in says
        assert says.startswith("WARNING")
        accepted = await _meet(other, fingerprint=new.fingerprint)
        assert accepted.fingerprint == new.fingerprint
        assert (await _meet(other)).notice == ""


async def test_key_that_is_given_is_the_only_one_trusted() -> None:
    """Also at the first connection, and also where the connection would not be encrypted for its own sake."""
    own, other = Encryption(), Encryption()
    async with scripted_server(own.context) as server:
        with pytest.raises(KeyChanged):
            await _meet(server, fingerprint=other.fingerprint, security=Security.AUTO)
        assert KnownServers().get(f"127.0.0.1:{server.port}") is None
        given = await _meet(server, fingerprint=own.fingerprint, security=Security.AUTO)
        assert (given.is_encrypted, given.notice) == (True, "")
        assert (await _meet(server, security=Security.AUTO)).is_encrypted


async def test_server_that_was_encrypted_and_is_not_is_an_alarm() -> None:
    """Whoever sits between could take the encryption away; `--plain` accepts it."""
    own = Encryption()
    async with scripted_server(own.context) as server:
        await _meet(server)
    async with scripted_server(kind=OldPeer, port=server.port) as stripped:
        for security in (Security.AUTO, Security.TLS):
            with pytest.raises(NotEncrypted, match=r"WARNING.*--plain"):
                await _meet(stripped, security=security)
        assert not (await _meet(stripped, security=Security.PLAIN)).is_encrypted
        with pytest.raises(NotEncrypted):
            await _meet(stripped, security=Security.AUTO)


async def test_server_of_the_last_release_is_met_in_the_clear_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, unless encryption is asked for."""
    monkeypatch.setattr("put_client.sdk.dialler.is_loopback", lambda _: False)
    async with scripted_server(kind=OldPeer) as server:
        met = await _meet(server, security=Security.AUTO)
        assert not met.is_encrypted
        assert "NOT encrypted" in met.notice
        with pytest.raises(NotEncrypted) as refused:
            await _meet(server, security=Security.TLS)
        assert not str(refused.value).startswith("WARNING")


async def test_machine_itself_is_not_encrypted_unless_asked_for() -> None:
    """Nothing leaves it; and behind an ssh tunnel is another server every time."""
    async with scripted_server() as server:
        met = await _meet(server, security=Security.AUTO)
    assert (met.is_encrypted, met.notice) == (False, "")
    assert is_loopback("localhost")
    assert is_loopback("::1")
    assert not is_loopback("192.168.1.5")


async def test_reconnecting_keeps_to_what_was_established() -> None:
    """A client that comes back talks to the same key or to nobody, whatever is in the list by then."""
    own, other = Encryption(), Encryption()
    waits = partial(repeat, 0.001, 10_000)
    async with scripted_server(own.context) as server:
        connecting = connect("127.0.0.1", server.port, name="Moll", security=Security.TLS, waits=waits)
        serving = asyncio.create_task(_serve(server))
        client = await connecting
        serving.cancel()
    KnownServers().put(f"127.0.0.1:{server.port}", other.fingerprint)
    async with scripted_server(other.context, port=server.port):
        with pytest.raises(KeyChanged):
            await _last(client)
    await client.close()


async def _last(client: Client) -> None:
    async for _ in client:
        pass


# --- certificates ----------------------------------------------------------------------------------------------------


def _context(authority: Authority, host: str) -> ssl.SSLContext:
    """Of a server with a new key and a certificate for this name."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(*authority.issue(host))
    return made


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """Trusted by this system; and names of the example domain are names of this machine."""
    made = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.file))
    real = socket.getaddrinfo

    def resolve(host: Any, *rest: Any, **more: Any) -> Any:
        return real("127.0.0.1" if str(host).endswith(".example.org") else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return made


async def test_certificate_for_the_host_needs_no_pin_and_may_change(authority: Authority) -> None:
    """As browsers have it: no question, and no alarm when the operator renews it with another key."""
    async with scripted_server(_context(authority, "put.example.org")) as server:
        met = await _meet(server, "put.example.org", security=Security.AUTO)
        assert (met.is_encrypted, met.notice) == (True, "")
    assert KnownServers().get(f"put.example.org:{server.port}") == CERTIFICATE
    async with scripted_server(_context(authority, "put.example.org"), port=server.port) as renewed:
        assert (await _meet(renewed, "put.example.org")).is_encrypted


async def test_certificate_that_is_valid_no_longer_is_an_alarm(authority: Authority) -> None:
    """For another host, or of nobody's; never pinned in silence. The fingerprint accepts it."""
    async with scripted_server(_context(authority, "put.example.org")) as server:
        await _meet(server, "put.example.org")
    own = Encryption()
    for context in (_context(authority, "evil.example.org"), own.context):
        async with scripted_server(context, port=server.port) as other:
            with pytest.raises(NotVerified, match=r"WARNING.*had a valid certificate"):
                await _meet(other, "put.example.org")
    async with scripted_server(own.context, port=server.port) as other:
        met = await _meet(other, "put.example.org", fingerprint=own.fingerprint)
    assert met.fingerprint == own.fingerprint


async def test_public_host_with_a_key_of_its_own_is_remembered_as_any(authority: Authority) -> None:
    """No certificate at the first meeting: the key is pinned and told."""
    own = Encryption()
    async with scripted_server(own.context) as server:
        met = await _meet(server, "put.example.org", security=Security.AUTO)
    assert own.fingerprint in met.notice


def test_only_names_of_the_internet_are_verified() -> None:
    """No authority signs for the others."""
    assert has_public_name("put.example.org")
    for host in ("192.168.1.5", "::1", "localhost", "swan", "swan.local", "fe80::1%eth0"):
        assert not has_public_name(host)


# --- the list --------------------------------------------------------------------------------------------------------

KEY = "aaaaa-bbbbb-ccccc-ddddd-eeeee"
OTHER = "fffff-ggggg-hhhhh-iiiii-jjjjj"


def test_list_keeps_what_other_programs_wrote(tmp_path: Path) -> None:
    """Each change begins with the file as it is; damaged lines do not matter; addresses have no case."""
    path = tmp_path / "state" / "known_servers"
    one, other = KnownServers(path), KnownServers(path)
    assert one.put("Swan:1674", KEY)
    assert other.put("[::1]:1675", CERTIFICATE)
    assert (one.get("swan:1674"), one.get("[::1]:1675")) == (KEY, CERTIFICATE)
    path.write_text(f"\0nonsense\nswan:1674\nswan:1674 short\nrose:1 {OTHER}\n" + path.read_text())
    assert one.get("swan:1674") == KEY
    assert one.name_of(OTHER) == "rose:1"
    assert one.name_of("nonsense") is None


def test_list_is_bounded(tmp_path: Path) -> None:
    """The oldest entries go."""
    path = tmp_path / "known_servers"
    path.write_text("".join(f"host{n}:1 {KEY}\n" for n in range(5_000)))
    KnownServers(path).put("new:1", OTHER)
    assert len(path.read_text().splitlines()) == 1_000
    assert KnownServers(path).get("new:1") == OTHER
    assert KnownServers(path).get("host0:1") is None


def test_list_that_cannot_be_read_trusts_nobody(tmp_path: Path) -> None:
    """A directory in its place, for example: an empty list would trust anybody."""
    (tmp_path / "known_servers").mkdir()
    with pytest.raises(CannotTrust, match="cannot be read"):
        KnownServers(tmp_path / "known_servers").get("swan:1")


def test_list_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    """A file where its folder should be."""
    (tmp_path / "file").write_text("")
    known = KnownServers(tmp_path / "file" / "known_servers")
    assert not known.put("swan:1", KEY)
    assert known.get("swan:1") is None


# --- the programs ----------------------------------------------------------------------------------------------------


async def test_put_client_warns_the_first_time_and_stops_at_another_key() -> None:
    """In line mode, on standard error; the exit code of the alarm is 77."""
    own, other = Encryption(), Encryption()
    async with scripted_server(own.context) as server:
        run = await start("--tls", f"127.0.0.1:{server.port}", "--name", "Moll")
        peer = await server.arrival()
        await peer.welcome()
        code, _, told = await run.ends()
        assert code == os.EX_OK
        assert own.fingerprint in told
    async with scripted_server(other.context, port=server.port):
        run = await start("--tls", f"127.0.0.1:{server.port}", "--name", "Moll")
        code, _, told = await run.ends()
    assert (code, told.count("WARNING"), told.count("put-client:")) == (os.EX_NOPERM, 1, 1)
