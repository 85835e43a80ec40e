"""Fingerprint of a server's public key, in a form that people can compare and type.

It is the SHA-256 of the key (the SubjectPublicKeyInfo of the certificate, as DER), in base32, cut to 25 characters:
`k3vq7-2mzap-...`. So a renewed certificate with the same key has the same fingerprint. 25 characters are 125 bits:
finding another key with the same fingerprint is infeasible.
"""

import base64
import hashlib

LENGTH = 25
GROUP = 5

_ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz234567")


def fingerprint(certificate: bytes) -> str:
    """Fingerprint of the key in a DER certificate.

    :raises ValueError: the bytes are no certificate.
    """
    text = base64.b32encode(hashlib.sha256(public_key(certificate)).digest()).decode().lower()[:LENGTH]
    return "-".join(text[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def parse_fingerprint(text: str) -> str | None:
    """A typed fingerprint, with or without hyphens and in any case; None: invalid."""
    plain = text.casefold().replace("-", "")
    if len(plain) != LENGTH or not _ALPHABET.issuperset(plain):
        return None
    return "-".join(plain[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def public_key(certificate: bytes) -> bytes:
    """The SubjectPublicKeyInfo of a certificate, both as DER (RFC 5280, section 4.1).

    :raises ValueError: the bytes are no certificate.
    """
    at, _ = _content(certificate, 0)  # Certificate
    at, end = _content(certificate, at)  # TBSCertificate
    if certificate[at : at + 1] == b"\xa0":  # the version, which may be missing
        at = _content(certificate, at)[1]
    for _ in ("serialNumber", "signature", "issuer", "validity", "subject"):
        at = _content(certificate, at)[1]
    key_end = _content(certificate, at)[1]
    if key_end > end:
        raise ValueError("the certificate is damaged")
    return certificate[at:key_end]


def _content(der: bytes, at: int) -> tuple[int, int]:
    """Bounds of the content of the element at this place."""
    try:
        length = der[at + 1]
        at += 2
        if length >= 0x80:
            size = length & 0x7F
            length = int.from_bytes(der[at : at + size], "big")
            at += size
    except IndexError:
        raise ValueError("the certificate is cut short") from None
    if at + length > len(der):
        raise ValueError("the certificate is cut short")
    return at, at + length
