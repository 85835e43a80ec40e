"""A prover that claims a shuffle by any matrix, and follows the algorithm in all else.

With the matrix of a permutation it is a second implementation of the proof. With another it fulfils as many of the
equations as the matrix lets it, so that each equation can be tried alone: the new pack is what the matrix asks for.
"""

from collections.abc import Sequence

from put_protocol.blind.group import (
    Point,
    Q,
    base,
    combined,
    digest_scalar,
    drawn,
    generator,
    join_points,
    scalar_bytes,
    total,
)
from put_protocol.blind.shuffle import Pack
from put_protocol.blind.shuffle_proof import Statement

G = base(1)

Matrix = Sequence[Sequence[int]]
"""Rows by the new place i, columns by the old place j: a permutation has a 1 where place i gets what lay at j."""


def inverse(matrix: Matrix) -> list[list[int]]:
    """The inverse modulo Q, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *[int(i == j) for j in range(size)]] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = next(k for k in range(i, size) if rows[k][i] % Q)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        by = pow(rows[i][i], -1, Q)
        rows[i] = [one * by % Q for one in rows[i]]
        for k in range(size):
            if k != i:
                rows[k] = [(one - rows[k][i] * other) % Q for one, other in zip(rows[k], rows[i], strict=True)]
    return [row[size:] for row in rows]


def _linear(scalars: Sequence[int], points: Sequence[Point]) -> Point:
    used = [(scalar, point) for scalar, point in zip(scalars, points, strict=True) if scalar % Q]
    return combined([scalar for scalar, _ in used], [point for _, point in used])


def new_pack(before: Pack, joint: Point, matrix: Matrix, factors: Sequence[int]) -> Pack:
    """The pack of which the matrix, transposed, makes the old one; encrypted anew."""
    a, b = before.halves()
    solved = inverse(matrix)
    columns = [[row[i] for row in solved] for i in range(len(matrix))]
    return Pack.of(
        [
            (_linear(column, a).plus_base(factor), _linear(column, b) + joint * factor)
            for column, factor in zip(columns, factors, strict=True)
        ]
    )


def cheat(statement: Statement, matrix: Matrix, factors: Sequence[int], seed: bytes) -> bytes:
    """The proof that an honest prover's steps give for this matrix."""
    size = len(matrix)
    secrets = iter(drawn(seed, 4 * size + 4))
    r, x, w_x, w_u = ([next(secrets) for _ in range(size)] for _ in range(4))
    w1, w2, w3, w4 = secrets
    h = [generator(number) for number in range(1, size + 1)]
    commitments = [
        total([G * r[j], *[h[i] * matrix[i][j] for i in range(size) if matrix[i][j] % Q]]) for j in range(size)
    ]
    fixed, u = statement.weights(join_points(commitments))
    v = [sum([row[j] * u[j] for j in range(size)]) % Q for row in matrix]
    chain, link, behind = [], generator(0), 0
    for x_i, v_i in zip(x, v, strict=True):
        link = link * v_i + G * x_i
        behind = x_i + v_i * behind
        chain.append(link)
    a, b = statement.after.halves()
    singles = (
        G * w1,
        G * w2,
        total([G * w3, _linear(w_u, h)]),
        total([G * -w4, _linear(w_u, a)]),
        total([statement.joint * -w4, _linear(w_u, b)]),
    )
    steps = [G * w_x[i] + (chain[i - 1] if i else generator(0)) * w_u[i] for i in range(size)]
    e = digest_scalar("shuffle challenge", fixed, join_points(chain), join_points(singles), join_points(steps))
    responses = [
        w1 + e * sum(r),
        w2 + e * behind,
        w3 + e * sum([one * weight for one, weight in zip(r, u, strict=True)]),
        w4 + e * sum([one * weight for one, weight in zip(factors, v, strict=True)]),
        *[w + e * one for w, one in zip(w_x, x, strict=True)],
        *[w + e * one for w, one in zip(w_u, v, strict=True)],
    ]
    scalars = b"".join([scalar_bytes(one % Q) for one in (e, *responses)])
    return join_points(commitments) + join_points(chain) + scalars
