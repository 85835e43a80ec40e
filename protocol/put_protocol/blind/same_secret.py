"""Proofs that one secret is behind several points.

The statement: the prover knows x with X = x * G, and D = x * A for every further pair (A, D). The proof is Schnorr's
(1991) for X alone, and Chaum and Pedersen's (1992) with a pair; a challenge from a hash makes it one message (Fiat and
Shamir 1986). With a message in the hash it is a signature of that message.

    prove:  k secret; T = k * G, U = k * A; c = hash(statement, T, U); s = k + c * x.   The proof is c, s.
    check:  T = s * G - c * X, U = s * A - c * D; c = hash(statement, T, U).

Both halves of a proof are full scalars. A challenge of 128 bits would let a signer search for two messages with one
signature in 2**64 steps, and these signatures are evidence against their signer.

k is derived from the secret and the statement by HMAC, as in RFC 6979. So two statements never share a k, which would
reveal x, and nothing depends on the quality of random numbers.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256

from put_protocol.blind.group import (
    SCALAR_BYTES,
    Point,
    Q,
    base,
    digest,
    digest_scalar,
    drawn,
    join_points,
    parse_scalar,
    scalar_bytes,
)
from put_protocol.errors import ProofError

PROOF_BYTES = 2 * SCALAR_BYTES

Pair = tuple[Point, Point]
"""A point A, and the point D that is claimed to be x * A."""


def derived(secret: bytes, info: bytes) -> bytes:
    """32 bytes derived from a secret for one purpose: HKDF with SHA-256 and no salt (RFC 5869)."""
    extracted = hmac.digest(bytes(sha256().digest_size), secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


def prove(secret: int, point: Point, message: bytes, pairs: Sequence[Pair] = ()) -> bytes:
    """A proof for these pairs that signs the message. `point` is the secret times the base point."""
    statement = _statement(point, message, pairs)
    (nonce,) = drawn(hmac.digest(scalar_bytes(secret), b"put blind nonce" + statement, "sha256"), 1)
    challenge = _challenge(statement, [base(nonce), *[a * nonce for a, _ in pairs]])
    return scalar_bytes(challenge) + scalar_bytes((nonce + challenge * secret) % Q)


def check(proof: bytes, point: Point, message: bytes, pairs: Sequence[Pair] = ()) -> None:
    """:raises ProofError: the proof is malformed, or does not hold."""
    if len(proof) != PROOF_BYTES:
        raise ProofError("a proof has the wrong length")
    challenge, response = parse_scalar(proof[:SCALAR_BYTES]), parse_scalar(proof[SCALAR_BYTES:])
    commitments = [point.times_plus_base(-challenge, response)]
    commitments += [a * response + d * -challenge for a, d in pairs]
    if challenge != _challenge(_statement(point, message, pairs), commitments):
        raise ProofError("a proof does not hold")


def _statement(point: Point, message: bytes, pairs: Sequence[Pair]) -> bytes:
    return digest("same secret", message, point.encoded, join_points([one for pair in pairs for one in pair]))


def _challenge(statement: bytes, commitments: Sequence[Point]) -> int:
    return digest_scalar("same secret challenge", statement, join_points(commitments))
