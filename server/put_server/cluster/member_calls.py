"""Operator's calls at one process of a cluster, which does its part and answers.

Gateways send announcements and close connections. Workers send people away at all gateways, because every visit
includes the person's address. The calls are those of the admin socket. Anyone with the broker's credentials may call.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
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


class MemberCalls(ABC):
    """Calls at one role of this process, its gateway or its worker."""

    def __init__(self, process: str, drain: Callable[[], None]) -> None:
        """`drain`: starts the end of the process."""
        self._process = process
        self._drain = drain
        self._part = partial(MemberAnswer, process=process)

    @abstractmethod
    async def _carry(self, call: Call) -> MemberAnswer:
        """Carry out our part of a call."""

    async def take(self, message: Msg) -> None:
        """Carry out our part of a call, and answer, unless an operator ends another process."""
        try:
            call: Call = _decode(message.data)
            if isinstance(call, AskDrain) and call.process != self._process:
                return
            if flaw := flaw_of(call):
                part = self._part(says=flaw)
            elif isinstance(call, AskDrain):
                self._drain()
                part = self._part()
            else:
                part = await self._carry(call)
            if not isinstance(call, AskStatus):
                sender, asked = (message.headers or {}).get(SENDER, "")[:NAMED], msgspec.json.encode(call).decode()
                log.info(
                    "operator %r asked for %s: %s", sender, asked, f"refused: {part.says}" if part.says else "done"
                )
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            part = self._part(says=f"this is no call of this version of put-server: {error}")
        except Exception:  # the boundary: a call of an operator never ends a process
            log.exception("a call of an operator could not be carried out")
            part = self._part(says="it met a bug; its log says more")
        with suppress(NatsError):
            await message.respond(_encode(part))


class GatewayCalls(MemberCalls):
    def __init__(self, gateway: "Gateway", bans: Bans, shared: SharedBans, drain: Callable[[], None]) -> None:
        super().__init__(gateway.name, drain)
        self._gateway = gateway
        self._bans = bans
        self._shared = shared
        self._logged_flaw = ""

    async def _carry(self, call: Call) -> MemberAnswer:
        match call:
            case AskAnnounce(text=text):
                return self._part(people=self._gateway.announce(text))
            case AskKick(address=address) if address:
                return self._part(connections=self._cut(address))
            case AskBan(address=address) | AskUnban(address=address):
                is_banned = isinstance(call, AskBan)
                if not await self._heed(address, is_banned=is_banned):
                    return self._part(says="it cannot read the bans")
                return self._part(connections=self._cut(address) if is_banned else 0)
            case _:
                return self._part(says="no gateway does this")

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


class WorkerCalls(MemberCalls):
    def __init__(self, worker: "ShardWorker", shards: int, drain: Callable[[], None]) -> None:
        """`shards`: number of shards of the cluster."""
        super().__init__(worker.name, drain)
        self._worker = worker
        self._count = shards

    async def _carry(self, call: Call) -> MemberAnswer:
        match call:
            case AskKick(name=person, address="", because=because):
                return await self._everywhere(lambda there: kicked(there, person, because))
            case AskKick(address=address, because=because):
                return await self._everywhere(lambda there: kicked_from(there, address, because))
            case AskBan(address=address):
                return await self._everywhere(lambda there: kicked_from(there, address))
            case _:
                return self._part(says="no worker does this")

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
        here = [
            person.name
            for number, there in served.items()
            for person in there.dispatcher.lobby.people.values()
            if not names and home_of_name(person.name, self._count) == number
        ]
        some = tuple(sorted(here)[:NAMES_SHOWN])
        return self._part(shards=tuple(sorted(done)), kicked=tuple(names), people=len(here), some=some)
