"""Subcommands of `put-server` for a cluster, and operator's calls: each connects to the broker, asks, and ends.

A call goes to all processes that it concerns, and gets one answer, as from a single server. The processes are listed
first. So every answer is awaited, silent processes are named, and a shard that is changing hands is asked again.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from nats.aio.client import Client

from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed
from put_server.admin import admin_calls, sentences
from put_server.admin.audit import operator
from put_server.cluster import cluster_config
from put_server.cluster.broker import BadCluster, BrokerNames, OutOfReach, asking, connected
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.finished_games import FinishedGames
from put_server.cluster.member_calls import GATEWAYS, SENDER, WORKERS, MemberAnswer, decode_part
from put_server.cluster.migration import StoredCluster, backup, to_cluster, to_journal
from put_server.cluster.shard_repair import ShardRepair
from put_server.cluster.shard_stream import Overtaken
from put_server.cluster.shared_value import SharedBans
from put_server.cluster.status import MemberStatus, answers_to, asked, members_of
from put_server.journal.journal_errors import JournalError
from put_server.settings import Settings
from put_server.transport.bans import written
from put_server.transport.origins import parse_network

CALL_S: Final = 6.0
"""Time limit for the answers of all processes: a worker answers after its work is stored."""

REOPEN_S: Final = 6.0
REASK_S: Final = 0.25

UPGRADE: Final = (
    "a cluster is upgraded process by process: install the new version on every machine, then restart all workers, one "
    "at a time, and then all gateways (systemctl restart put-worker@1, and so on); games go on meanwhile"
)

_ENDS: Final = {"gateway": "says goodbye to everybody there", "worker": "gives its shards away, one at a time"}

_ALONE: Final = {"gateway": "no player can connect", "worker": "all games stop"}

FORGET: Final = (
    "a cluster cannot forget a player: move it to a journal (put-server migrate --to journal), forget them there, and "
    "move it back with --replace"
)


class ClusterCalls:
    def __init__(self, client: Client, cluster: str, config: ClusterConfig) -> None:
        self._client = client
        self._cluster = cluster
        self._names = BrokerNames(cluster)
        self._config = config

    async def answer(self, call: admin_calls.Call) -> admin_calls.Answer:
        """Carry out a call in the whole cluster.

        :raises CommandFailed: no process answers, or some did not do their part.
        :raises BadCluster: the broker's data cannot be read, or there are too many bans.
        """
        if flaw := sentences.flaw_of(call):
            return admin_calls.CallDeclined(flaw)
        match call:
            case admin_calls.AskBans():
                bans = await SharedBans(self._client, self._cluster).read()
                return admin_calls.BanList(tuple(map(written, bans)))
            case admin_calls.AskAnnounce():
                parts = await self._at_gateways(call, await self._members())
                return admin_calls.CallDone(sentences.announced(sum(part.people for part in parts)))
            case admin_calls.AskKick(address=address) if address:
                return admin_calls.CallDone(await self._sent_away(call))
            case admin_calls.AskKick(name=name):
                return await self._kick(call, name)
            case admin_calls.AskBan(address=address):
                await SharedBans(self._client, self._cluster).change(parse_network(address), is_banned=True)
                done = await self._sent_away(call, f"{address} is banned; but ")
                return admin_calls.CallDone(sentences.banned(address, done))
            case admin_calls.AskUnban(address=address):
                return await self._unban(call, address)
            case admin_calls.AskDrain(process=process):
                return await self._drain(call, process)
            case admin_calls.AskForget():
                return admin_calls.CallDeclined(FORGET)
            case admin_calls.AskUpgrade():
                raise CommandFailed(exit_codes.USAGE, UPGRADE)
            case admin_calls.AskStatus():
                says = "the status of a cluster is asked of each process: put-server status does so"
                return admin_calls.CallDeclined(says)

    async def _members(self) -> list[MemberStatus]:
        """:raises CommandFailed: no process answers."""
        with asking(f"NATS cannot be asked for the cluster {self._cluster}"):
            members = await members_of(self._client, self._names)
        if not members:
            raise CommandFailed(
                exit_codes.UNAVAILABLE, f"no process of the cluster {self._cluster} answers; does one run?"
            )
        return members

    async def _kick(self, call: admin_calls.Call, name: str) -> admin_calls.Answer:
        parts = await self._in_shards(call, await self._members())
        if names := [name for part in parts for name in part.kicked]:
            return admin_calls.CallDone(sentences.person_sent_away(names[0]))
        latest = {part.process: part for part in parts}.values()
        people = sum(part.people for part in latest)
        some = sorted(name for part in latest for name in part.some)
        return admin_calls.CallDeclined(sentences.nobody_called(name, some, people))

    async def _sent_away(self, call: admin_calls.Call, done: str = "") -> str:
        """Send away all people from an address. Gateways come first, so that no banned peer is admitted meanwhile.
        `done`: beginning of an error's sentence, which says what was done before."""
        try:
            members = await self._members()
            connections = sum(part.connections for part in await self._at_gateways(call, members))
            parts = await self._in_shards(call, members)
        except CommandFailed as error:
            raise CommandFailed(error.code, f"{done}{error}") from None
        return sentences.sent_away(len({name for part in parts for name in part.kicked}), connections)

    async def _unban(self, call: admin_calls.Call, address: str) -> admin_calls.Answer:
        if not await SharedBans(self._client, self._cluster).change(parse_network(address), is_banned=False):
            return admin_calls.CallDeclined(sentences.not_banned(address))
        with suppress(CommandFailed):  # a gateway that does not answer reads the bans later itself
            await self._at_gateways(call, await self._members())
        return admin_calls.CallDone(sentences.no_longer_banned(address))

    async def _drain(self, call: admin_calls.AskDrain, process: str) -> admin_calls.Answer:
        if call.seconds is not None or call.back is not None:
            says = "--seconds and --back are for a server by itself: in a cluster games go on at other processes"
            raise CommandFailed(exit_codes.USAGE, says)
        members = await self._members()
        found = next((member for member in members if process in _roles(member).values()), None)
        if found is None:
            says = f"there is no worker or gateway {process!r}" if process else "name the process that is to end"
            names = [" with ".join(f"{role} {name}" for role, name in _roles(member).items()) for member in members]
            raise CommandFailed(exit_codes.USAGE, f"{says}; there are {', '.join(sorted(names, reverse=True))}")
        if found.is_draining:
            return admin_calls.CallDeclined(f"{process} is stopping already")
        roles = _roles(found)
        await self._asked(WORKERS if roles.get("worker") == process else GATEWAYS, call, [process])
        left = [member for member in members if member is not found and not member.is_draining]
        does = ", ".join([_ENDS[role] for role in reversed(roles)])
        return admin_calls.CallDone(f"{process} {does}, and ends{_warned(found, left)}")

    async def _at_gateways(self, call: admin_calls.Call, members: Sequence[MemberStatus]) -> list[MemberAnswer]:
        """:raises CommandFailed: there is no gateway, or one failed."""
        names = [member.gateway.name for member in members if member.gateway is not None]
        if not names:
            raise CommandFailed(exit_codes.UNAVAILABLE, f"no gateway of the cluster {self._cluster} answers")
        return await self._asked(GATEWAYS, call, names)

    async def _in_shards(self, call: admin_calls.Call, members: Sequence[MemberStatus]) -> list[MemberAnswer]:
        """Ask workers until every shard has done it at least once, because a shard may be changing hands.

        :raises CommandFailed: some are not open.
        """
        parts: list[MemberAnswer] = []
        deadline = time.monotonic() + REOPEN_S
        while True:
            workers = [member.worker.name for member in members if member.worker is not None]
            if workers:
                parts += await self._asked(WORKERS, call, workers)
            done = {shard for part in parts for shard in part.shards}
            left = [shard for shard in range(self._config.shards) if shard not in done]
            if not left:
                return parts
            if time.monotonic() >= deadline:
                says = f"no player was sent away in shards {' '.join(map(str, left))}, which are not open; try again"
                raise CommandFailed(exit_codes.TEMPFAIL, says)
            await asyncio.sleep(REASK_S)
            members = await self._members()

    async def _asked(self, role: str, call: admin_calls.Call, names: Collection[str]) -> list[MemberAnswer]:
        """:raises CommandFailed: one of these gateways or workers does not answer, or failed."""
        left, parts = set(names), []
        question, sender = msgspec.json.encode(call), {SENDER: operator()}
        answers = answers_to(
            self._client, self._names.subject("calls", role), question, decode_part, seconds=CALL_S, headers=sender
        )
        with asking(f"NATS cannot be asked for the cluster {self._cluster}"):
            async with aclosing(answers):
                async for part in answers:
                    parts.append(part)
                    left.discard(part.process)
                    if not left:
                        break
        if flaws := [f"{part.process}: {part.says}" for part in parts if part.says]:
            raise CommandFailed(exit_codes.TEMPFAIL, f"not everywhere: {'; '.join(flaws)}")
        if left:
            says = f"{', '.join(sorted(left))} did not do it: no answer came within {CALL_S:.0f} seconds"
            raise CommandFailed(exit_codes.UNAVAILABLE, says)
        return parts


def _roles(member: MemberStatus) -> dict[str, str]:
    parts = {"worker": member.worker, "gateway": member.gateway}
    return {role: part.name for role, part in parts.items() if part is not None}


def _warned(member: MemberStatus, left: Sequence[MemberStatus]) -> str:
    """A warning if this is the last process of its role; otherwise empty."""
    alone = [role for role in _roles(member) if not any(role in _roles(other) for other in left)]
    return "".join([f"; there is no other {role}, so {_ALONE[role]} until one starts" for role in alone])


async def _shard(
    client: Client, settings: Settings, config: ClusterConfig, action: str, number: int, file: Path | None
) -> str:
    repair = ShardRepair(StoredCluster(client, settings, config), number)
    try:
        if file is not None:
            return await repair.restore(file)
        return await (repair.show() if action == "show" else repair.repair())
    except JournalError as error:
        raise CommandFailed(exit_codes.DATAERR, str(error)) from None


_COMMANDS: Final[Mapping[str, Callable[..., Awaitable[Any]]]] = {
    "games": lambda client, settings, config, limit, table: FinishedGames(client, settings.cluster, config).latest(
        limit, table=table
    ),
    "game": lambda client, settings, config, number: FinishedGames(client, settings.cluster, config).game(number),
    "status": lambda client, settings, config: asked(client, settings.cluster, config),
    "ask": lambda client, settings, config, call: ClusterCalls(client, settings.cluster, config).answer(call),
    "backup": backup,
    "shard": _shard,
}


def run(command: str, settings: Settings, *arguments: Any, **options: Any) -> Any:
    """Connect to the broker, and return the result of a command.

    :raises CommandFailed: the cluster does not exist, NATS does not answer, or the command failed.
    :raises JournalError: a game is unreadable.
    """

    async def work() -> Any:
        async with connected(settings, "put-server command") as client:
            if command == "migrate":
                return await _migrate(client, settings, *arguments, **options)
            if (config := await cluster_config.found(client, settings.cluster)) is None:
                raise BadCluster(f"there is no cluster {settings.cluster}")
            if why := cluster_config.why_closed(config, settings.cluster):
                raise BadCluster(why)
            return await _COMMANDS[command](client, settings, config, *arguments)

    # Its client ends TLS in a way that asyncio warns of.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    try:
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            return runner.run(work())
    except OutOfReach as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except Overtaken as error:
        raise CommandFailed(exit_codes.TEMPFAIL, f"{error}: try again, or stop all workers first") from None
    except BadCluster as error:
        raise CommandFailed(exit_codes.DATAERR, str(error)) from None


def _migrate(client: Client, settings: Settings, journal: Path, *, to: str, replaces: bool) -> Awaitable[str]:
    if to == "journal":
        return to_journal(client, settings, journal)
    if not journal.exists():
        raise CommandFailed(exit_codes.NOINPUT, f"there is no {journal}; name the server's directory with --data")
    return to_cluster(client, settings, journal, replaces=replaces)
