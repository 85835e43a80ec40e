"""Status of a cluster: every process reports its own status, and the asking program combines the answers.

An answer contains counts and names of processes, and no card, token, passcode or talk. A person counts only at their
home shard.
"""

import math
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from put_protocol.text import counted
from put_server.admin.admin_calls import Outboxes, PeopleCounts, TableCounts
from put_server.admin.format import aligned, commits, counts, length_of_time, size_of
from put_server.admin.handler import house_players_of, outboxes_of, people_of, tables_of
from put_server.cluster.broker import BrokerNames, asking
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.home_shards import home_of_name

if TYPE_CHECKING:
    from put_server.cluster.gateway import Gateway
    from put_server.cluster.shard import Shard
    from put_server.cluster.shard_worker import ShardWorker

A = TypeVar("A")
C = TypeVar("C", TableCounts, PeopleCounts)

QUIET_S = 0.7
"""Longest pause between two answers; then the wait ends. Processes answer at once, unless they replay a journal."""

STATUS_S = 5.0


class ShardStatus(Struct, frozen=True, kw_only=True):
    number: int
    is_open: bool
    """False: it is being restored."""
    tables: TableCounts | None = None
    people: PeopleCounts | None = None
    """People at home there."""
    house_players: int = 0
    records: int = 0
    """Records since the checkpoint, which a takeover would replay."""
    uncommitted: int = 0
    """Inputs that wait for the stream."""
    commit_p50_ms: float | None = None
    commit_p99_ms: float | None = None
    """Percentiles of the last 1,000 commits, from the record to the sending of answers; None: no commit yet."""
    games_finished: int = 0
    """Games finished since the shard came to this worker."""
    games_kept: int = 0
    """Finished games in its stream, updated every minute."""
    games_bytes: int = 0


class GatewayStatus(Struct, frozen=True, kw_only=True):
    name: str
    address: str
    connections: int
    outboxes: Outboxes
    unlinked: tuple[int, ...]
    """Shards that do not answer this gateway."""
    foreign: dict[int, int] = {}
    """Shards whose workers have another version of the link, with the version."""


class WorkerStatus(Struct, frozen=True, kw_only=True):
    name: str
    shards: tuple[ShardStatus, ...]
    history_days: int = 0
    """Days for which it stores finished games; 0: for ever."""
    history_megabytes: int = 0
    """Megabytes of finished games stored for all shards together; 0: no limit."""
    may_lose_seconds: int = 0
    """Seconds of acknowledged play that may be lost if power fails."""
    aside: dict[int, str] = {}
    """Shards that it holds but cannot read, with reasons."""


class MemberStatus(Struct, frozen=True, kw_only=True):
    version: str
    link: int = 1
    """Version of the link in this process."""
    link_release: int = 0
    uptime_s: int
    is_draining: bool
    gateway: GatewayStatus | None = None
    worker: WorkerStatus | None = None


class ClusterStatus(Struct, frozen=True, kw_only=True):
    cluster: str
    shards: int
    replicas: int
    members: tuple[MemberStatus, ...]
    """Processes that answered."""
    missing: tuple[int, ...]
    """Shards without an answering process."""
    ok: bool
    """Every shard is open, and every gateway has the link version of its workers."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(MemberStatus).decode


def shard_status(shard: "Shard", shards: int) -> ShardStatus:
    if (served := shard.served) is None:
        return ShardStatus(number=shard.number, is_open=False)
    dispatcher, journal = served.dispatcher, served.journal
    lobby, (p50, p99) = dispatcher.lobby, journal.latency
    return ShardStatus(
        number=shard.number,
        is_open=True,
        tables=tables_of(lobby),
        people=people_of(lobby, lambda name: home_of_name(name, shards) == shard.number),
        house_players=house_players_of(lobby),
        records=journal.since_checkpoint,
        uncommitted=journal.uncommitted,
        commit_p50_ms=p50,
        commit_p99_ms=p99,
        games_finished=dispatcher.games_finished,
        games_kept=served.old_games.games,
        games_bytes=served.old_games.bytes,
    )


def worker_status(worker: "ShardWorker", shards: int) -> WorkerStatus:
    found = [shard_status(shard, shards) for _, shard in sorted(worker.shards.items())]
    retention = worker.settings.retention
    return WorkerStatus(
        name=worker.name,
        shards=tuple(found),
        history_days=retention.days,
        history_megabytes=retention.megabytes,
        may_lose_seconds=worker.settings.may_lose_seconds,
        aside=dict(sorted(worker.aside.items())),
    )


def gateway_status(gateway: "Gateway", address: str) -> GatewayStatus:
    return GatewayStatus(
        name=gateway.name,
        address=address,
        connections=gateway.connections,
        outboxes=outboxes_of(gateway),
        unlinked=tuple([link.shard for link in gateway.links if not link.is_up]),
        foreign={link.shard: link.foreign for link in gateway.links if link.foreign is not None and not link.is_up},
    )


async def answer(message: Msg, status: MemberStatus) -> None:
    with suppress(NatsError):
        await message.respond(_encode(status))


async def asked(client: Client, cluster: str, config: ClusterConfig) -> ClusterStatus:
    """Status of all processes that answer in time."""
    with asking(f"NATS cannot be asked for the cluster {cluster}"):
        members = await members_of(client, BrokerNames(cluster))
    workers = [member.worker for member in members if member.worker is not None]
    shards = [shard for worker in workers for shard in worker.shards]
    heard = {shard.number for shard in shards} | {number for worker in workers for number in worker.aside}
    return ClusterStatus(
        cluster=cluster,
        shards=config.shards,
        replicas=config.replicas,
        members=tuple(members),
        missing=tuple([shard for shard in range(config.shards) if shard not in heard]),
        ok=not any(member.gateway.foreign for member in members if member.gateway)
        and {shard.number for shard in shards if shard.is_open} == set(range(config.shards)),
    )


async def members_of(client: Client, names: BrokerNames) -> list[MemberStatus]:
    """:raises NatsError: the broker does not answer."""
    answers = answers_to(client, names.subject("status"), b"", _decode, seconds=STATUS_S, quiet_s=QUIET_S)
    return [member async for member in answers]


async def answers_to(
    client: Client,
    subject: str,
    question: bytes,
    decode: Callable[[bytes], A],
    *,
    seconds: float,
    quiet_s: float = math.inf,
    headers: dict[str, str] | None = None,
) -> AsyncGenerator[A, None]:
    """Ask all processes that read a subject, and wait `seconds` or until a pause of `quiet_s`.

    :raises NatsError: the broker does not answer.
    """
    inbox = client.new_inbox()
    reading = await client.subscribe(inbox)
    try:
        await client.publish(subject, question, reply=inbox, headers=headers)
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            message = await reading.next_msg(timeout=min(left, quiet_s))
            try:
                found = decode(message.data)
            except msgspec.MsgspecError:  # of another version
                continue
            yield found
    except TimeoutError:
        pass
    finally:
        await reading.unsubscribe()


def lines(status: ClusterStatus) -> list[str]:
    """Lines for an operator: totals as for a single server, then each shard and process."""
    members = status.members
    shards = sorted(
        [(shard, member.worker.name) for member in members if member.worker for shard in member.worker.shards],
        key=lambda one: one[0].number,
    )
    workers = [member.worker for member in members if member.worker is not None]
    gateways = [member.gateway for member in members if member.gateway is not None]
    tables = _total(TableCounts(0, 0, 0, 0, 0, 0), [shard.tables for shard, _ in shards])
    people = _total(PeopleCounts(0, 0, 0), [shard.people for shard, _ in shards])
    house_players = sum(shard.house_players for shard, _ in shards)
    connections = sum(gateway.connections for gateway in gateways)
    rows = [*counts(tables, people, house_players)]
    if workers:  # others do not know what is kept
        rows.append(("games", _kept([shard for shard, _ in shards], workers)))
        rows.append(("kept", _lost(max(worker.may_lose_seconds for worker in workers))))
    rows.append(("connections", f"{connections} at {counted(len(gateways), 'gateway')}"))
    rows += [(f"shard {shard.number}", f"{_shard(shard)}, at {worker}") for shard, worker in shards]
    rows += [
        (f"shard {number}", f"cannot be read: {why}; put-server shard show {number} says more")
        for worker in workers
        for number, why in worker.aside.items()
    ]
    rows += [(f"shard {number}", "no worker that answers has it") for number in status.missing]
    for member in members:
        since = f"put-server {member.version}, up {length_of_time(member.uptime_s)}"
        since += ", stopping" if member.is_draining else ""
        if member.worker is not None:
            names = _listed([shard.number for shard in member.worker.shards])
            rows.append(("worker", f"{member.worker.name}: {since}, shards {names or 'none'}"))
        if member.gateway is not None:
            rows.append(("gateway", f"{_gateway(member.gateway)}, {since}"))
            foreign = member.gateway.foreign
            for theirs in sorted(set(foreign.values())):
                listed = _listed([shard for shard, version in sorted(foreign.items()) if version == theirs])
                speaks = f"{member.gateway.name} speaks version {member.link} of the link"
                others = f"the workers of shards {listed} version {theirs}"
                rows.append(("gateway", f"{speaks} and {others}: they do not go together"))
    is_open = sum(shard.is_open for shard, _ in shards)
    copies = counted(status.replicas, "replica")
    title = f"cluster {status.cluster}: {is_open} of {status.shards} shards are open, {copies} of each"
    return [title, *aligned(rows)]


def _total(zero: C, parts: Iterable[C | None]) -> C:
    """The sum of counts, field by field."""
    columns = zip(*[msgspec.structs.astuple(one) for one in (zero, *parts) if one is not None], strict=True)
    return type(zero)(*map(sum, columns))


def _kept(shards: Sequence[ShardStatus], workers: Sequence[WorkerStatus]) -> str:
    """Number of finished games, and each worker's limits for them, which should be the same."""
    kept, size = sum(shard.games_kept for shard in shards), size_of(sum(shard.games_bytes for shard in shards))
    rules = sorted({_rule(worker.history_days, worker.history_megabytes) for worker in workers})
    return f"{kept:,} finished are kept, {size}; {' or '.join(rules)}"


def _lost(seconds: int) -> str:
    if not seconds:
        return "all that is acknowledged, by a majority of the disks"
    return f"all that is acknowledged, but for {counted(seconds, 'second')} if power fails"


def _rule(days: int, megabytes: int) -> str:
    limits = [f"for {days:,} days"] if days else []
    limits += [f"as far as {megabytes:,} MB hold them"] if megabytes else []
    return " and ".join(limits) or "for ever"


def _shard(shard: ShardStatus) -> str:
    if shard.tables is None or shard.people is None:
        return "is being brought back"
    took = commits(shard.commit_p50_ms, shard.commit_p99_ms)
    return f"{counted(shard.tables.total, 'table')}, {counted(shard.records, 'record')} since the checkpoint, {took}"


def _gateway(gateway: GatewayStatus) -> str:
    links = f"without shards {_listed(gateway.unlinked)}" if gateway.unlinked else "all shards linked"
    waits = f", {size_of(gateway.outboxes.bytes)} wait to be read" if gateway.outboxes.bytes else ""
    return f"{gateway.name} at {gateway.address}: {counted(gateway.connections, 'connection')}{waits}, {links}"


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
