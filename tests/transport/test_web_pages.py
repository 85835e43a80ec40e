"""Hosts: which names in a request are this server's."""

import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from put_runtime.settings import SettingsError
from put_server.settings import settle
from put_server.transport.encryption import CertificateFiles, Encryption
from put_server.transport.web_pages import Hosts
from tests.transport.sockets import running_server
from tests.web.browserless import ask, request, upgrade, visit

OURS = (
    "127.0.0.1:1674 192.0.2.7 [::1] [2001:db8::7]:80 localhost LOCALHOST.:5 swan.local x.localhost "
    f"{socket.gethostname()} put.example.org:443 a.example.net"
).split()
THEIRS = [
    "attacker.example",
    "localhost.attacker.example",
    "put.example.org.attacker.example",
    "a.b.example.net",
    "example.net",
    "127.0.0.1.attacker.example",
    "127.0.0.1@attacker.example",
    "[attacker.example]",
    "localhost:",
    ":80",
    "local",
    "127.1",
    "attackerlocal",
    "put.example.org\x00",
    "café.example",
]


@pytest.mark.parametrize("host", OURS)
def test_address_and_own_name_are_hosts_of_ours(host: str) -> None:
    """Addresses, names that no site can have, the machine's, and what the operator allows."""
    assert host in Hosts(["put.example.org", "*.example.net"])


@pytest.mark.parametrize("host", THEIRS)
def test_name_that_a_site_may_have_is_none_of_ours(host: str) -> None:
    """Whatever stands before or behind a name of ours."""
    assert host not in Hosts(["put.example.org", "*.example.net"])


def test_names_of_the_certificate_are_ours(tmp_path: Path) -> None:
    """Those of the operator's certificate, with wildcards; after it is renewed, those of the new one."""
    files = CertificateFiles(tmp_path / "cert.pem", tmp_path / "key.pem")
    write_certificate(files, "put.example.org", "*.example.net")
    encryption = Encryption(files=files)
    hosts = Hosts(certified=lambda: encryption.names)
    assert encryption.fingerprint
    assert [name in hosts for name in ("put.example.org", "a.example.net", "example.com")] == [True, True, False]
    write_certificate(files, "example.com")
    encryption.reload()
    assert [name in hosts for name in ("put.example.org", "a.example.net", "example.com")] == [False, False, True]


def write_certificate(files: CertificateFiles, *names: str) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(9))
    alternative = x509.SubjectAlternativeName([x509.DNSName(one) for one in names])
    certificate = made.add_extension(alternative, critical=False).sign(key, hashes.SHA256())
    files.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


async def test_page_by_another_name_is_misdirected(caplog: pytest.LogCaptureFixture) -> None:
    """Every page, the WebSocket, metrics and what there is none of: 421, with a sentence, and a line in the log."""
    caplog.set_level("INFO")
    async with running_server() as server:
        for asked in (
            *[request(target, Host="attacker.example") for target in ("/", "/metrics", "/healthz", "/address", "/x")],
            request("/", "POST", Host="attacker.example"),
            upgrade(Host="attacker.example", Origin="http://attacker.example"),
            b"NAME / HTTP/1.1\r\nHost: attacker.example\r\n\r\nname Eve\n",
        ):
            caller = await visit(server)
            answer = await caller.ask(asked)
            assert answer.status == 421
            assert b"by its address" in answer.body
            assert await caller.is_closed()
        assert not server.server.dispatcher.lobby.people
    assert "refused 127.0.0.1: another host" in caplog.messages


async def test_operator_allows_a_name() -> None:
    """By the setting; then the page and its WebSocket are served by it."""
    async with running_server(allowed_host="put.example.org") as server:
        caller = await visit(server)
        assert (await caller.ask(request("/", Host="put.example.org:1674"))).status == 200
        asked = upgrade(Host="put.example.org:1674", Origin="http://put.example.org:1674")
        assert (await (await visit(server)).ask(asked)).status == 101


async def test_request_of_the_first_version_need_not_name_a_host() -> None:
    """As the checks of a proxy are; no browser speaks it. Where it names one, that one counts."""
    async with running_server() as server:
        for host, status in (("", 200), ("attacker.example", 421)):
            assert (await ask(server, request("/healthz", version="1.0", Host=host))).status == status


@pytest.mark.parametrize("value", ["http://put.example.org", "put.example.org:80", "*", "a b*c"])
def test_setting_of_names_is_checked(value: str) -> None:
    """An address, a port or a lone `*` is no name of a host."""
    with pytest.raises(SettingsError, match="allowed_host"):
        settle({}, {"PUT_SERVER_ALLOWED_HOST": value}, None)
