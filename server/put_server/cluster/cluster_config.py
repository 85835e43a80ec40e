"""Configuration of a cluster: values fixed at its creation. They are stored in a bucket of the broker, and every
process reads them first.

The number of shards determines the shard of a table or of a person, and a key seals the passcodes. Both must be the
same in all processes for the whole life of the cluster, so a process with another number of shards is refused.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from nats.aio.client import Client
from nats.js.errors import NoStreamResponseError

from put_runtime.command_line import installed_version
from put_server.cluster.broker import BadCluster, BrokerNames, OutOfReach
from put_server.cluster.shared_value import SharedValue
from put_server.journal.journal_schema import SCHEMA
from put_server.settings import Settings

log = logging.getLogger(__name__)

T = TypeVar("T")

SHARDS = 8
"""Default number of shards: more than the workers of most clusters."""

REPLICAS = 3
"""Default number of copies of all data: one machine may fail."""

_KEY = "charter"

START_ATTEMPTS = 4
"""Attempts at a start, each with the time limit of an answer: an election takes up to 9 s."""

LEADERLESS_S = 3.0
"""Pause after a refusal because the broker has no leader."""

FORMAT = SCHEMA + 1
"""Format of a shard: that of a journal, and one change of its own."""


class ClusterConfig(Struct, frozen=True, kw_only=True):
    shards: int
    replicas: int
    """Copies of each stream and bucket."""
    passcode_key: str
    """Key that seals the passcodes of all tables; hexadecimal."""
    made_by: str
    """Version of put that made it."""
    is_moving: bool = False
    """`put-server migrate` is writing the cluster, or was interrupted: no process may serve it."""
    is_moved: bool = False
    """`put-server migrate` has moved the cluster to a journal: no process may serve it any more."""
    format: int = 0
    """Greatest format that shards may have: that of the latest version of any worker so far."""


_decode = msgspec.json.Decoder(ClusterConfig).decode
_encode = msgspec.json.Encoder().encode


def new_config(settings: Settings, *, passcode_key: bytes | None = None, is_moving: bool = False) -> ClusterConfig:
    """A configuration from the settings. `passcode_key`: that of the journal from which the cluster continues."""
    return ClusterConfig(
        shards=settings.shards or SHARDS,
        replicas=settings.replicas or REPLICAS,
        passcode_key=(passcode_key or secrets.token_bytes(32)).hex(),
        made_by=installed_version(),
        is_moving=is_moving,
        format=FORMAT,
    )


async def settled(client: Client, settings: Settings) -> ClusterConfig:
    """Read the configuration of the cluster, or create the cluster.

    :raises BadCluster: the cluster has another number of shards or replicas, or is being moved.
    :raises OutOfReach: the broker is silent for long, or cannot store the configuration.
    """
    return await patiently(lambda: _settled(client, settings))


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """Ask the broker, several times if needed, and return the result. A broker that has just started, or has lost a
    node, does not answer while it elects leaders.

    :raises OutOfReach: the broker is silent for long, or refuses.
    """
    for _ in range(START_ATTEMPTS - 1):
        try:
            return await ask()
        except OutOfReach as error:
            if not isinstance(error.__context__, TimeoutError | NoStreamResponseError):
                raise
            log.warning("%s; trying again", error)
            if isinstance(error.__context__, NoStreamResponseError):  # at once: the bucket is made and has no leader
                await asyncio.sleep(LEADERLESS_S)
    return await ask()


async def _settled(client: Client, settings: Settings) -> ClusterConfig:
    config = await found(client, settings.cluster)
    if config is None:
        try:
            await write(client, settings.cluster, config := new_config(settings), is_new=True)
        except BadCluster:  # another process was quicker
            config = await found(client, settings.cluster)
            assert config is not None
    check(config, settings)
    if settings.role in ("worker", "both"):
        if config.format > FORMAT:
            raise BadCluster(_too_new(config.format))
        if config.format < FORMAT:
            config = replace(config, format=FORMAT)
            with suppress(BadCluster):  # another worker was quicker
                await write(client, settings.cluster, config, is_new=False)
    return config


def _too_new(format_: int) -> str:
    says = f"a later put-server writes this cluster, in format {format_}, and this one writes format {FORMAT}"
    return f"{says}: start that one"


def why_ended(config: ClusterConfig | None, ours: ClusterConfig, settings: Settings) -> str:
    """Reason why a process that serves `ours` must end, as a sentence; empty: it may go on. None: there is none."""
    if config is None:
        return f"NATS keeps nothing of the cluster {settings.cluster} any more: restore a backup, or start all anew"
    if config.format > FORMAT and settings.role != "gateway":
        return _too_new(config.format)
    if (config.shards, config.passcode_key) != (ours.shards, ours.passcode_key):
        return f"the cluster {settings.cluster} was made anew: start this process again"
    return why_closed(config, settings.cluster)


def why_closed(config: ClusterConfig, cluster: str) -> str:
    """Reason why the cluster is not in use, as a sentence; empty: it is."""
    if config.is_moving:
        return (
            f"the cluster {cluster} is being written by put-server migrate; if that was ended before it was done, run "
            "it again with --replace"
        )
    if config.is_moved:
        return (
            f"the cluster {cluster} was moved to a journal, which may have gone on since; to move that here again, run "
            "put-server migrate with --replace"
        )
    return ""


def check(config: ClusterConfig, settings: Settings) -> None:
    """:raises BadCluster: the configuration contradicts the settings, or the cluster may not be served."""
    if why := why_closed(config, settings.cluster):
        raise BadCluster(why)
    if settings.shards and settings.shards != config.shards:
        raise BadCluster(
            f"the cluster {settings.cluster} has {config.shards} shards and not {settings.shards}, for ever: leave "
            "--shards out, or take another --cluster"
        )
    if settings.replicas and settings.replicas != config.replicas:
        raise BadCluster(
            f"the cluster {settings.cluster} keeps {config.replicas} replicas of everything and not "
            f"{settings.replicas}: leave --replicas out, or move it to a journal and to a cluster again"
        )


async def found(client: Client, cluster: str) -> ClusterConfig | None:
    """The stored configuration; None: the cluster does not exist.

    :raises BadCluster: the configuration is unreadable.
    """
    stored = await _value(client, cluster).read()
    if not stored.number:
        return None
    try:
        return _decode(stored.value)
    except msgspec.DecodeError as error:
        raise BadCluster(f"the configuration of the cluster {cluster} cannot be read ({error})") from None


async def write(client: Client, cluster: str, config: ClusterConfig, *, is_new: bool) -> None:
    """Write the configuration. `is_new`: fail if there is one.

    :raises BadCluster: there is one.
    :raises OutOfReach: the broker does not answer, or cannot store it.
    """
    value = _value(client, cluster, config.replicas)
    revision = 0 if is_new else (await value.read()).number
    if not await value.write(_encode(config), revision):
        raise BadCluster(f"there is a cluster {cluster} already")


def _value(client: Client, cluster: str, replicas: int | None = None) -> SharedValue:
    named = f"the cluster {cluster}" if replicas is None else f"the cluster {cluster} with {replicas} replicas"
    return SharedValue(client, BrokerNames(cluster).config, _KEY, named=named, replicas=replicas)
