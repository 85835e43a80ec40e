"""The greeting of a server when it listens."""

from pathlib import Path

import pytest

from put_client.arguments import parse_address
from put_server import greeting as module
from put_server.greeting import greeting, qr_code
from put_server.settings import Settings
from put_server.transport.encryption import CertificateFiles, Encryption, Plain

FRIEND = "A friend on this network types: "


@pytest.fixture(autouse=True)
def _lan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "lan_address", lambda: "192.168.1.5")


def said(
    settings: Settings, encryption: Encryption | None, *, port: int = 1674, is_terminal: bool = False
) -> list[str]:
    return list(greeting(settings, port, encryption, is_terminal=is_terminal))


def test_friend_is_told_address_and_fingerprint() -> None:
    """What is to be typed, quoted for any shell; the port where it is not the usual one."""
    own = Encryption()
    lines = said(Settings(), own)
    assert lines[0].endswith("Connect with: put-client THIS-MACHINE:1674")
    assert lines[-1] == f"{FRIEND}put-client '192.168.1.5#{own.fingerprint}'"
    assert said(Settings(), own, port=7)[-1] == f"{FRIEND}put-client '192.168.1.5:7#{own.fingerprint}'"
    assert said(Settings(host="fe80::1"), own)[-1] == f"{FRIEND}put-client '[fe80::1]#{own.fingerprint}'"


def test_address_of_ipv6_is_told_as_a_client_takes_it() -> None:
    """In brackets, which a shell would take for a pattern."""
    (line,) = said(Settings(host="::1"), Encryption())
    assert line == "The Put Table listens on [::1]:1674. Connect with: put-client '[::1]:1674'"
    assert parse_address(line.split("'")[1]).host == "::1"


def test_first_start_at_a_terminal_shows_a_qr_code(tmp_path: Path) -> None:
    """Once: the key is kept then."""
    first = Encryption(own_key=tmp_path / "tls.pem")
    assert first.fingerprint
    assert "\u2580" in said(Settings(), first, is_terminal=True)[-1]
    assert said(Settings(), first)[-1].startswith(FRIEND)
    again = Encryption(own_key=tmp_path / "tls.pem")
    assert said(Settings(), again, is_terminal=True)[-1].startswith(FRIEND)


def test_qr_code_fits_on_a_terminal() -> None:
    """Of 80 by 24, below what is said above it."""
    lines = qr_code(f"192.168.100.100:65535#{Encryption().fingerprint}").splitlines()
    assert len(lines) <= 20


def test_server_for_this_machine_says_one_line() -> None:
    """As programs that start one read it; no key is made for that."""
    own = Encryption()
    assert len(said(Settings(host="127.0.0.1"), own)) == 1
    assert own._context is None
    assert len(said(Settings(host="127.0.0.1", proxies="127.0.0.1"), own)) == 2


def test_certificate_needs_no_fingerprint() -> None:
    """Its name is enough; nothing that changes with each renewal is told."""
    files = CertificateFiles(Path("/nowhere"), Path("/nowhere"))
    lines = said(Settings(certificate="/nowhere"), Encryption(files=files))
    assert "as browsers do" in lines[-1]
    assert len(lines) == 2


def test_server_without_encryption_says_so() -> None:
    """With what is to be typed all the same."""
    lines = said(Settings(tls="off"), None)
    assert lines[2] == f"{FRIEND}put-client 192.168.1.5"
    assert "Nothing is encrypted" in lines[3]


def test_friend_with_a_phone_is_told_the_address_of_the_page() -> None:
    """By `https` where nothing else is admitted; and not at all where there is no page."""
    assert "opens http://192.168.1.5:1674/ in a browser" in said(Settings(), Encryption())[1]
    assert "opens https://192.168.1.5:1674/ in" in said(Settings(plain="none"), Encryption(plain=Plain.NONE))[1]
    assert not [line for line in said(Settings(web="no"), Encryption()) if "browser" in line]
