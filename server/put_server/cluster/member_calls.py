"""Operator's calls at one process of a cluster, which does its part and answers.

Gateways send announcements and close connections. Workers send people away at all gateways, because every visit
includes the person's address. The calls are those of the admin socket. Anyone with the broker's credentials may call.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from put_server.admin.admin_calls import AskAnnounce, AskBan, AskDrain, AskKick, AskStatus, AskUnban, Call
from put_server.admin.handler import SentAway, kicked, kicked_from
from put_server.admin.sentences import NAMES_SHOWN, flaw_of
from put_server.cluster.broker import BadCluster, OutOfReach, heed_cancellation
from put_server.cluster.home_shards import home_of_name
from put_server.cluster.shared_value import SharedBans
from put_server.transport.bans import Bans
from put_server.transport.dispatcher import Dispatcher
from put_server.transport.origins import parse_network

if TYPE_CHECKING:
    from put_server.cluster.gateway import Gateway
    from put_server.cluster.shard import ServedShard
    from put_server.cluster.shard_worker import ShardWorker

log = logging.getLogger(__name__)

SAFE_S: Final = 4.0
"""Time limit for a shard to store that a person was sent away."""

BANS_S: Final = 2.0
"""Time limit for a gateway to read a new ban: the answering replica may lag behind."""

BANS_PAUSE_S: Final = 0.05

SENDER: Final = "Put-Operator"
"""Header of a call with the caller's name, as they state it. NATS knows its users, but does not reveal them to us."""

NAMED: Final = 80

GATEWAYS, WORKERS = "gateways", "workers"
"""Roles that take calls; a part of the subject of a call."""


class MemberAnswer(Struct, frozen=True, kw_only=True):
    process: str
    """Name of the gateway or worker."""

    shards: tuple[int, ...] = ()
    """Shards that carried out the call."""
    kicked: tuple[str, ...] = ()
    """Names of people sent away; each shard lists those whom it knows, residents and visitors."""
    people: int = 0
    """People who got the announcement; from a worker that kicked no person: people at home there."""
    some: tuple[str, ...] = ()
    """Names of some of the people at home."""

    connections: int = 0
    """Strangers' connections that were closed."""
    says: str = ""
    """Reason why the call was not carried out; empty: it was."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Call).decode
decode_part: Callable[[bytes], MemberAnswer] = msgspec.json.Decoder(MemberAnswer).decode

Carry = Callable[[Call], Awaitable[MemberAnswer | None]]


async def answer(message: Msg, process: str, carry: Carry) -> None:
    """Carry out our part of a call, and answer, unless `carry` returns None because the call is for another process."""
    part: MemberAnswer | None
    try:
        call: Call = _decode(message.data)
        flaw = flaw_of(call)
        part = MemberAnswer(process=process, says=flaw) if flaw else await carry(call)
        if part is not None and not isinstance(call, AskStatus):
            sender, asked = (message.headers or {}).get(SENDER, "")[:NAMED], msgspec.json.encode(call).decode()
            log.info("operator %r asked for %s: %s", sender, asked, f"refused: {part.says}" if part.says else "done")
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        part = MemberAnswer(process=process, says=f"this is no call of this version of put-server: {error}")
    except Exception:  # the boundary: a call of an operator never ends a process
        log.exception("a call of an operator could not be carried out")
        part = MemberAnswer(process=process, says="it met a bug; its log says more")
    if part is not None:
        with suppress(NatsError):
            await message.respond(_encode(part))


class GatewayCalls:
    def __init__(self, gateway: "Gateway", bans: Bans, shared: SharedBans, drain: Callable[[], None]) -> None:
        self._gateway = gateway
        self._bans = bans
        self._shared = shared
        self._drain = drain
        self._logged_flaw = ""

    async def take(self, message: Msg) -> None:
        await answer(message, self._gateway.name, self._carry)

    async def _carry(self, call: Call) -> MemberAnswer | None:
        name = self._gateway.name
        match call:
            case AskAnnounce(text=text):
                return MemberAnswer(process=name, people=self._gateway.announce(text))
            case AskKick(address=address) if address:
                return MemberAnswer(process=name, connections=self._cut(address))
            case AskBan(address=address) | AskUnban(address=address):
                is_banned = isinstance(call, AskBan)
                if not await self._heed(address, is_banned=is_banned):
                    return MemberAnswer(process=name, says="it cannot read the bans")
                return MemberAnswer(process=name, connections=self._cut(address) if is_banned else 0)
            case AskDrain(process=process):
                return drained(process, name, self._drain)
            case _:
                return MemberAnswer(process=name, says="no gateway does this")

    def _cut(self, address: str) -> int:
        """Close strangers' connections; shards send known people away. Returns the number closed."""
        return self._gateway.admission.cut_strangers(parse_network(address))

    async def _heed(self, address: str, *, is_banned: bool) -> bool:
        """Read the bans until they show the operator's change. Returns true if they do."""
        network = parse_network(address)
        with suppress(TimeoutError):
            async with asyncio.timeout(BANS_S):
                while True:
                    heed_cancellation()
                    await self.read_bans()
                    if self._bans.has(network) == is_banned:
                        return True
                    await asyncio.sleep(BANS_PAUSE_S)
        return False

    async def read_bans(self) -> bool:
        """Read the cluster's bans. Returns false if they were unreadable; then the known ones stay in force."""
        try:
            self._bans.replace(await self._shared.read())
        except (OutOfReach, BadCluster) as error:
            if str(error) != self._logged_flaw:
                self._logged_flaw = str(error)
                log.warning("%s; the known bans stay in force", error)
            return False
        self._logged_flaw = ""
        return True


class WorkerCalls:
    def __init__(self, worker: "ShardWorker", shards: int, drain: Callable[[], None]) -> None:
        """`shards`: number of shards of the cluster."""
        self._worker = worker
        self._count = shards
        self._drain = drain

    async def take(self, message: Msg) -> None:
        await answer(message, self._worker.name, self._carry)

    async def _carry(self, call: Call) -> MemberAnswer | None:
        name = self._worker.name
        match call:
            case AskKick(name=person, address="", because=because):
                return await self._everywhere(lambda there: kicked(there, person, because))
            case AskKick(address=address, because=because):
                return await self._everywhere(lambda there: kicked_from(there, address, because))
            case AskBan(address=address):
                return await self._everywhere(lambda there: kicked_from(there, address))
            case AskDrain(process=process):
                return drained(process, name, self._drain)
            case _:
                return MemberAnswer(process=name, says="no worker does this")

    async def _everywhere(self, work: Callable[[Dispatcher], Awaitable[SentAway]]) -> MemberAnswer:
        """Do the work in all open shards at the same time. Shards that miss the deadline are not reported as done."""
        done: list[int] = []
        names: list[str] = []

        async def do(shard: int, dispatcher: Dispatcher) -> None:
            with suppress(TimeoutError):
                async with asyncio.timeout(SAFE_S):
                    names.extend((await work(dispatcher))[0])
                    done.append(shard)

        served = self._worker.served
        await asyncio.gather(*[do(number, there.dispatcher) for number, there in served.items()])
        here = [] if names else sorted(name for shard in self._worker.served.values() for name in self._home(shard))
        return MemberAnswer(
            process=self._worker.name,
            shards=tuple(sorted(done)),
            kicked=tuple(names),
            people=len(here),
            some=tuple(here[:NAMES_SHOWN]),
        )

    def _home(self, shard: "ServedShard") -> list[str]:
        names = [person.name for person in shard.dispatcher.lobby.people.values()]
        return [name for name in names if home_of_name(name, self._count) == shard.number]


def drained(process: str, name: str, drain: Callable[[], None]) -> MemberAnswer | None:
    """End this process if the operator named it; None: the operator named another."""
    if process != name:
        return None
    log.info("an operator ends this process in good order")
    drain()
    return MemberAnswer(process=name)
