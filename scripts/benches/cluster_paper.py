"""A cluster on paper: what so many tables need, from what was measured of a few.

It is arithmetic, no measurement: each figure of `Measured` is scaled by what it grows with. It shows which part grows
faster than the tables, and so breaks first.
"""

from typing import NamedTuple

from put_server.lobby.news import AT_ONCE, PAGE, REST_MS


class Measured(NamedTuple):
    """Of a small cluster."""

    worker_us: float
    """Processor time of a worker a move, where most commits hold one move, as they do where people play."""
    gateway_us: float
    nats_us: float
    """Of all NATS nodes together a move, with as many replicas as they are to keep."""
    link_worker_us: float
    """A second for each link of a gateway with a shard on which nothing is said, at the worker."""
    link_gateway_us: float
    link_nats_us: float
    lobby_us: float = 6.0
    """At a gateway for each table that is described anew: decoding, comparing, encoding once for all who look."""
    table_bytes: float = 211.0
    """A table in the list of the lobby, without its options."""
    person_bytes: float = 27.0
    fold_ms: float = 5.7
    """For each table in play that a worker takes over: docs/performance.md, recovery."""
    table_kb: float = 15.0
    person_kb: float = 3.4


TABLES = (1_000, 10_000, 100_000)

PACE_S = 3.0
"""Between two moves at a table of people."""

GAME_MOVES = 13
"""Each end of a game changes what the list says of its table, and so does its beginning."""

BUSY = 0.6
"""Of its core, at most, so that a peak is served and another's shards can be taken over."""

TABLES_A_SHARD = 200
"""At most: taking one over then takes little more than a second."""

PEOPLE_A_GATEWAY = 2_500
"""What one process admits."""


class Need(NamedTuple):
    """What so many tables of two need."""

    tables: int
    moves: float
    """A second."""
    shards: int
    workers: int
    gateways: int
    nats_cores: float
    link_cores: float
    """Of that and of the workers and gateways: for links on which nothing is said."""
    lobby_share: float
    """Of a gateway's core, to follow the tables of all shards."""
    news_kb: float
    """A second to each person who looks at the list."""
    first_mb: float
    """Sent to each person who begins to look."""
    first_s: float
    """How long that takes."""


def need(tables: int, known: Measured) -> Need:
    """What so many tables of two people need."""
    moves = tables / PACE_S
    shards = max(8, -(-tables // TABLES_A_SHARD))
    gateways = -(-2 * tables // PEOPLE_A_GATEWAY)
    links = shards * gateways
    workers = max(2, round(0.5 + (moves * known.worker_us + links * known.link_worker_us) / 1e6 / BUSY))
    changes = 2 * moves / GAME_MOVES
    link_us = known.link_worker_us + known.link_gateway_us + known.link_nats_us
    return Need(
        tables=tables,
        moves=moves,
        shards=shards,
        workers=workers,
        gateways=gateways,
        nats_cores=(moves * known.nats_us + links * known.link_nats_us) / 1e6,
        link_cores=links * link_us / 1e6,
        lobby_share=(changes * known.lobby_us + moves / gateways * known.gateway_us) / 1e6,
        news_kb=changes * known.table_bytes / 1e3,
        first_mb=tables * (known.table_bytes + 2 * known.person_bytes) / 1e6,
        first_s=2 * tables // (AT_ONCE * PAGE) * REST_MS / 1e3,  # there are more people than tables
    )


def page(known: Measured) -> list[str]:
    """A table in Markdown, a column for each size."""
    needs = [need(tables, known) for tables in TABLES]
    rows = [
        ("moves a second", [f"{one.moves:,.0f}" for one in needs]),
        ("shards", [f"{one.shards:,}" for one in needs]),
        ("workers, each a core", [f"{one.workers:,}" for one in needs]),
        (f"gateways, each of {PEOPLE_A_GATEWAY:,} people", [f"{one.gateways:,}" for one in needs]),
        ("    of its core a gateway needs", [f"{100 * one.lobby_share:,.0f} %" for one in needs]),
        ("cores for NATS", [f"{one.nats_cores:,.1f}" for one in needs]),
        ("cores of all for links that say nothing", [f"{one.link_cores:,.1f}" for one in needs]),
        ("the list of tables, to each who begins to look", [f"{one.first_mb:,.1f} MB" for one in needs]),
        ("    told in parts, for", [f"{one.first_s:,.0f} s" for one in needs]),
        ("news of it, to each who looks", [f"{one.news_kb:,.0f} kB/s" for one in needs]),
    ]
    lines = [f"| tables | {' | '.join([f'{tables:,}' for tables in TABLES])} |", "|---|" + "---|" * len(TABLES)]
    lines += [f"| {name} | {' | '.join(cells)} |" for name, cells in rows]
    return lines
