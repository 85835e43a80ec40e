"""The proof of a shuffle: one pack has the cards of the other, reordered and re-encrypted.

Source: Terelius and Wikstroem, "Proofs of restricted shuffles" (Africacrypt 2010), in the form of Haenni, Locher,
Koenig and Dubuis, "Pseudo-code algorithms for verifiable re-encryption mix-nets" (Financial Cryptography workshops
2017), algorithms GenProof and CheckProof. Names are theirs: h and h_i are generators, c commitments to the permutation,
u challenges of 128 bits (here *weights*), u' the weights in the new order, d the chain (their c with a hat), t
commitments and s responses of one proof of knowledge with the challenge e (their c).

Why it convinces. c commits to a matrix M: c_j = r_j * G + sum over i of M_ij * h_i. M is a permutation if and only if
its rows sum to one (that is t1), and, for weights that were chosen after M, the product of all u' = M u is the product
of all u (t2, which follows the chain d_i = x_i * G + u'_i * d_(i-1), d_0 = h, whose end is then a commitment to the
product); both as polynomials, so a wrong matrix passes only for one in 2**121 choices of weights. t3 proves that c uses
the same u', and t4 that the new pack weighted by u' is the old pack weighted by u, re-encrypted. Nothing else is
revealed: each response masks its secret with its own factor.

The weights hash the context, both packs and the commitments, and the challenge all of these with the chain and every t.
So a proof holds for one game, deal, seat and transcript, and nothing in it or in the packs can be changed.
"""

from dataclasses import dataclass
from itertools import pairwise

from put_protocol.blind.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    Q,
    base,
    combined,
    digest,
    digest_scalar,
    drawn,
    generator,
    generators,
    join_points,
    parse_points,
    parse_scalars,
    scalar_bytes,
    total,
)
from put_protocol.blind.same_secret import derived
from put_protocol.blind.shuffle import Order, Pack
from put_protocol.errors import ProofError

_WEIGHT_BYTES = 16
_SINGLE = 5
"""The challenge and s1 to s4."""


def proof_bytes(cards: int) -> int:
    """The length of a proof: per card two commitments and two responses; five scalars more."""
    return cards * 2 * (POINT_BYTES + SCALAR_BYTES) + _SINGLE * SCALAR_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The claim that `after` is a shuffle of `before`."""

    context: bytes
    """The hash of the game, deal, seat and transcript."""
    joint: Point
    before: Pack
    after: Pack

    def weights(self, commitments: bytes) -> tuple[bytes, list[int]]:
        """The hash of all that is fixed before the weights are drawn, and the weights u_1 to u_N."""
        fixed = digest("shuffle", self.context, self.joint.encoded, self.before.data, self.after.data, commitments)
        numbers = range(len(self.before))
        hashed = [digest("shuffle weight", fixed, number.to_bytes(2, "big")) for number in numbers]
        return fixed, [int.from_bytes(one[:_WEIGHT_BYTES], "big") for one in hashed]


def _challenge(fixed: bytes, chain: bytes, singles: tuple[Point, ...], links: list[Point]) -> int:
    """The challenge, from the points t: t1, t2, t3, t4 for the halves a and b, and those of the chain."""
    return digest_scalar("shuffle challenge", fixed, chain, join_points(singles), join_points(links))


def prove(statement: Statement, order: Order, seed: bytes) -> bytes:
    """Prove a shuffle from its secrets. The seed is secret. Never use it for another statement."""
    joint, cards = statement.joint, len(order.places)
    h = generators(cards)
    seed = derived(seed, digest("shuffle proof", statement.context, statement.before.data, statement.after.data))
    secrets = drawn(seed, 4 * cards + 4)
    r, x, omega_x, omega_u = [secrets[at : at + cards] for at in range(0, 4 * cards, cards)]
    omega1, omega2, omega3, omega4 = secrets[4 * cards :]
    committed: list[Point] = [h[0]] * cards
    for number, place in enumerate(order.places):
        committed[place] = h[number].plus_base(r[place])
    commitments = join_points(committed)
    fixed, u = statement.weights(commitments)
    v = [u[place] for place in order.places]  # their u'
    chain, behind = [], 0
    link = generator(0)
    for x_i, v_i in zip(x, v, strict=True):
        link = link.times_plus_base(v_i, x_i)
        behind = (x_i + v_i * behind) % Q  # the end of the chain is behind * G + product of u * h
        chain.append(link)
    a, b = statement.after.halves()
    t = (
        base(omega1),
        base(omega2),
        combined(omega_u, h).plus_base(omega3),
        combined(omega_u, a).plus_base(-omega4),
        combined(omega_u, b) + joint * -omega4,
    )
    links = [
        before.times_plus_base(w_u, w_x)
        for before, w_u, w_x in zip((generator(0), *chain[:-1]), omega_u, omega_x, strict=True)
    ]
    linked = join_points(chain)
    e = _challenge(fixed, linked, t, links)
    responses = (
        omega1 + e * sum(r),
        omega2 + e * behind,
        omega3 + e * _product(r, u),
        omega4 + e * _product(order.factors, v),
        *[w + e * x_i for w, x_i in zip(omega_x, x, strict=True)],
        *[w + e * v_i for w, v_i in zip(omega_u, v, strict=True)],
    )
    return b"".join([commitments, linked, scalar_bytes(e), *[scalar_bytes(one % Q) for one in responses]])


def check(statement: Statement, proof: bytes) -> None:
    """:raises ProofError: the proof or a pack is malformed, or the proof does not hold."""
    cards = len(statement.before)
    if len(statement.after) != cards or len(proof) != proof_bytes(cards):
        raise ProofError("a proof of a shuffle has the wrong length")
    points = cards * POINT_BYTES
    commitments, linked, numbers = proof[:points], proof[points : 2 * points], proof[2 * points :]
    c, chain = parse_points(commitments), parse_points(linked)
    e, s1, s2, s3, s4, *others = parse_scalars(numbers)
    s_x, s_u = others[:cards], others[cards:]
    a, b = statement.before.halves()
    new_a, new_b = statement.after.halves()
    h, joint = generators(cards), statement.joint
    fixed, u = statement.weights(commitments)
    product = 1
    for weight in u:
        product = product * weight % Q
    minus = Q - e
    t = (
        (total(c) - total(h)).times_plus_base(minus, s1),
        (chain[-1] - generator(0) * product).times_plus_base(minus, s2),
        (combined(u, c) * minus + combined(s_u, h)).plus_base(s3),
        (combined(u, a) * minus + combined(s_u, new_a)).plus_base(-s4),
        total((combined(u, b) * minus, combined(s_u, new_b), joint * -s4)),
    )
    links = [
        link * minus + before.times_plus_base(by_u, by_x)
        for (before, link), by_u, by_x in zip(pairwise((generator(0), *chain)), s_u, s_x, strict=True)
    ]
    if e != _challenge(fixed, linked, t, links):
        raise ProofError("a proof of a shuffle does not hold")


def _product(left: tuple[int, ...], right: list[int]) -> int:
    return sum([one * other for one, other in zip(left, right, strict=True)])
