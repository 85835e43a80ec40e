"""The server's own key, an operator's certificate, and who may go without encryption."""

import logging
import os
import ssl
import stat
import subprocess
import threading
from pathlib import Path

import pytest
from cryptography import x509

from put_runtime.fingerprint import fingerprint, parse_fingerprint, public_key
from put_server.settings import KEY_FILE
from put_server.transport import encryption
from put_server.transport.encryption import BadCertificate, CertificateFiles, Encryption, Plain, is_private


def _der(path: Path) -> bytes:
    text = path.read_text()
    return ssl.PEM_cert_to_DER_cert(text[text.index(ssl.PEM_HEADER) :])


def _files(folder: Path, made: bytes) -> CertificateFiles:
    """What ACME leaves: a key and a certificate, a file each."""
    key, begin, certificate = made.partition(b"-----BEGIN CERTIFICATE-----")
    (folder / "privkey.pem").write_bytes(key)
    (folder / "fullchain.pem").write_bytes(begin + certificate)
    return CertificateFiles(folder / "fullchain.pem", folder / "privkey.pem")


def test_key_is_made_once_for_its_owner_alone_and_kept(tmp_path: Path) -> None:
    """The first start makes a file of mode 600; every later start has the same key."""
    path = tmp_path / "data" / KEY_FILE
    first = Encryption(own_key=path)
    pinned = first.fingerprint
    assert first.is_new
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == [KEY_FILE]
    again = Encryption(own_key=path)
    assert (again.fingerprint, again.is_new) == (pinned, False)


def test_certificate_is_valid_whatever_clocks_say(tmp_path: Path) -> None:
    """A key that was made while the clock was years ahead is of use when it was set back."""
    Encryption(own_key=tmp_path / "tls.pem").fingerprint  # noqa: B018  # it makes the file
    (made,) = x509.load_pem_x509_certificates((tmp_path / "tls.pem").read_bytes())
    assert (made.not_valid_before_utc.year, made.not_valid_after_utc.year) == (2000, 9999)


def test_fingerprint_is_of_the_key_and_not_of_the_certificate(tmp_path: Path) -> None:
    """A renewed certificate with the same key keeps its pin; the key is found as OpenSSL finds it."""
    path = tmp_path / "tls.pem"
    pinned = Encryption(own_key=path).fingerprint
    renewed = tmp_path / "renewed.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-key", path, "-subj", "/CN=another", "-days", "1", "-out", renewed],
        check=True,
        capture_output=True,
    )
    assert _der(renewed) != _der(path)
    assert fingerprint(_der(renewed)) == pinned
    spki = subprocess.run(
        ["openssl", "pkey", "-in", path, "-pubout", "-outform", "DER"], check=True, capture_output=True
    ).stdout
    assert public_key(_der(path)) == spki


def test_fingerprint_is_read_as_people_type_it(tmp_path: Path) -> None:
    """With hyphens or without, in any case; nothing that is shorter, longer or has other letters."""
    pinned = Encryption().fingerprint
    assert parse_fingerprint(pinned.upper()) == parse_fingerprint(pinned.replace("-", "")) == pinned
    for wrong in ("", pinned[:-1], pinned + "a", pinned[:-1] + "1", pinned[:-1] + "\u0131"):
        assert parse_fingerprint(wrong) is None


@pytest.mark.parametrize("keep", [0, 1, 40, 100, 150])
def test_certificate_cut_anywhere_is_an_error_and_no_crash(keep: int) -> None:
    """Bytes of a peer that are no certificate raise what the caller expects."""
    made = encryption._made().decode()
    der = ssl.PEM_cert_to_DER_cert(made[made.index(ssl.PEM_HEADER) :])
    with pytest.raises(ValueError, match="certificate"):
        public_key(der[:keep])


def test_key_file_that_is_damaged_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    """A new key in its place would be an alarm for everyone who knows the old one."""
    path = tmp_path / "tls.pem"
    Encryption(own_key=path).fingerprint  # noqa: B018  # it makes the file
    damaged = path.read_bytes()[:100]
    path.write_bytes(damaged)
    with pytest.raises(BadCertificate, match=r"tls\.pem"):
        _ = Encryption(own_key=path).context
    assert path.read_bytes() == damaged


def test_key_that_others_can_read_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Once a start, with the remedy."""
    path = tmp_path / "tls.pem"
    _ = Encryption(own_key=path).context
    path.chmod(0o644)
    _ = Encryption(own_key=path).context
    assert "chmod 600" in caplog.text


def test_key_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    """A directory in its place, for example."""
    (tmp_path / "file").write_text("")
    with pytest.raises(BadCertificate, match=r"file.tls\.pem cannot be written"):
        _ = Encryption(own_key=tmp_path / "file" / "tls.pem").context


def test_certificate_that_changes_is_loaded_and_a_bad_one_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The next connection has the new one. Half of a file leaves the old one in use, and the log says so."""
    caplog.set_level(logging.INFO)
    files = _files(tmp_path, encryption._made())
    chosen = Encryption(files=files)
    before, first = chosen.context, chosen.fingerprint
    chosen.reload_if_changed()
    assert chosen.context is before
    _files(tmp_path, encryption._made())
    chosen.reload_if_changed()
    assert chosen.context is not before
    assert chosen.fingerprint != first
    kept = chosen.context
    files.certificate.write_bytes(files.certificate.read_bytes()[:200])
    chosen.reload_if_changed()
    assert chosen.context is kept
    assert "the certificate in use stays" in caplog.text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
def test_certificate_that_becomes_a_pipe_is_not_waited_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Its reading would end when somebody writes to it, and no peer be served before."""
    files = _files(tmp_path, encryption._made())
    chosen = Encryption(files=files)
    kept = chosen.context
    files.certificate.unlink()
    os.mkfifo(files.certificate)
    loading = threading.Thread(target=chosen.reload, daemon=True)
    loading.start()
    loading.join(10)
    assert not loading.is_alive()
    assert chosen.context is kept
    assert "no regular file" in caplog.text


def test_certificate_of_another_key_is_refused(tmp_path: Path) -> None:
    """By both names."""
    files = _files(tmp_path, encryption._made())
    other = tmp_path / "other"
    other.mkdir()
    mixed = CertificateFiles(files.certificate, _files(other, encryption._made()).key)
    with pytest.raises(BadCertificate, match=r"fullchain\.pem and .*privkey\.pem"):
        _ = Encryption(files=mixed).context


def test_locked_key_is_an_error_and_no_question(tmp_path: Path) -> None:
    """OpenSSL would ask at the terminal, and the server would hang."""
    files = _files(tmp_path, encryption._made())
    locked = tmp_path / "locked.pem"
    subprocess.run(
        ["openssl", "pkcs8", "-topk8", "-in", files.key, "-passout", "pass:secret", "-out", locked],
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    with pytest.raises(BadCertificate, match="encrypted with a password"):
        _ = Encryption(files=CertificateFiles(files.certificate, locked)).context


def test_missing_file_is_named(tmp_path: Path) -> None:
    """And its reason."""
    with pytest.raises(BadCertificate, match=r"nowhere.*No such file"):
        _ = Encryption(files=CertificateFiles(tmp_path / "nowhere", tmp_path / "nowhere")).context


@pytest.mark.parametrize(
    ("host", "private"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.1.5", True),
        ("10.0.0.1", True),
        ("172.31.0.1", True),
        ("100.64.0.1", True),
        ("169.254.1.1", True),
        ("fe80::1%eth0", True),
        ("fd00::1", True),
        ("::ffff:192.168.1.5", True),
        ("8.8.8.8", False),
        ("::ffff:8.8.8.8", False),
        ("2001:4860:4860::8888", False),
        ("2001:4860:4860::/64", False),
        ("nonsense", False),
    ],
)
def test_plain_connections_are_for_private_addresses(host: str, private: bool) -> None:
    """Where nothing else is set; and for all or nobody where that is."""
    assert is_private(host) == private
    assert Encryption(plain=Plain.PRIVATE).admits_plain(host) == private
    assert Encryption(plain=Plain.ALL).admits_plain(host)
    assert not Encryption(plain=Plain.NONE).admits_plain(host)


def test_context_speaks_nothing_older_than_tls_1_2() -> None:
    """And resumes no session, so that it keeps none."""
    context = Encryption().context
    assert context.minimum_version is ssl.TLSVersion.TLSv1_2
    assert context.num_tickets == 0
    assert os.environ.get("SSLKEYLOGFILE") is None or context.keylog_filename is None
