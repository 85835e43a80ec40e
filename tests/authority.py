"""A certificate authority for tests. Its certificates have all that Python 3.13 and newer ask for."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

SIGNS = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)
"""The use of an authority's key."""


class Authority:
    """An authority with a folder for its files."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._folder = folder
        self.file = folder / "authority.pem"
        """Its own certificate."""
        own = self._signed("the test's authority", self._key.public_key(), is_authority=True).add_extension(
            SIGNS, critical=True
        )
        self.file.write_bytes(self._encoded(own))

    def issue(self, host: str) -> tuple[Path, Path]:
        """A certificate for a name or an address, and its new key."""
        key = ec.generate_private_key(ec.SECP256R1())
        try:
            name: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            name = x509.DNSName(host)
        certificate = self._signed(host, key.public_key(), is_authority=False).add_extension(
            x509.SubjectAlternativeName([name]), critical=False
        )
        files = self._folder / f"{host}.pem", self._folder / f"{host}.key"
        files[0].write_bytes(self._encoded(certificate))
        files[1].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files

    def _signed(self, subject: str, key: ec.EllipticCurvePublicKey, *, is_authority: bool) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        day = datetime.timedelta(days=1)
        issuer = self._key.public_key()
        return (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject)]))
            .issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "the test's authority")]))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - day)
            .not_valid_after(now + day)
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer), critical=False)
        )

    def _encoded(self, certificate: x509.CertificateBuilder) -> bytes:
        return certificate.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
