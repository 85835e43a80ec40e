"""What an operator asks reaches everybody, at whichever gateway and shard they are, and a ban holds at all of them."""

import asyncio
import logging
from argparse import Namespace
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from put_protocol.messages import Goodbye, Notice
from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed
from put_server.admin.admin_calls import (
    AskAnnounce,
    AskBan,
    AskBans,
    AskDrain,
    AskKick,
    AskUnban,
    AskUpgrade,
    BanList,
    Call,
    CallDeclined,
    CallDone,
)
from put_server.admin.audit import operator
from put_server.cluster import cluster_commands, cluster_config, roles, status
from put_server.cluster.broker import BrokerNames, connected
from put_server.cluster.cluster_commands import ClusterCalls
from put_server.cluster.member_calls import GATEWAYS, WORKERS, decode_part
from put_server.cluster.roles import Member
from put_server.cluster.shared_value import SharedBans
from put_server.settings import Settings
from put_server.subcommands import COMMANDS
from put_server.transport.origins import parse_network
from tests.cluster.members import cluster, named, opened, seat, settings, until
from tests.cluster.nats_server import needs_nats
from tests.cluster.serving import serving
from tests.transport.sockets import BACKSTOP

pytestmark = needs_nats


async def test_an_operator_reaches_everybody_wherever_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Guests at two gateways and two homes, at one table: one is kicked by name, all by a ban that a new gateway knows,
    too; then the processes are drained. The log of each says who asked for it."""
    caplog.set_level(logging.INFO, "put_server.cluster.member_calls")
    monkeypatch.setattr(status, "QUIET_S", 0.2)
    monkeypatch.setattr(roles, "BANS_INTERVAL_S", 0.1)
    async with cluster(tmp_path) as town, AsyncExitStack() as stack:
        client = await stack.enter_async_context(connected(settings(town.broker.url, "both"), "test"))
        made = await cluster_config.found(client, "test")
        assert made is not None
        calls = ClusterCalls(client, "test", made)

        async def done(call: Call) -> str:
            answer = await calls.answer(call)
            assert isinstance(answer, CallDone), answer
            return answer.says

        ann = await town.guest(named(0, "Ann"), 0)
        bill = await town.guest(named(1, "Bill"), 1)
        table = await opened(ann)
        for guest in (ann, bill):
            await seat(guest, table)

        assert await done(AskAnnounce("At ten we stop.")) == "told to 2 people"
        for guest in (ann, bill):
            assert (await guest.until(Notice)).says == "At ten we stop."
        answer = await calls.answer(AskAnnounce("two\nlines"))
        assert isinstance(answer, CallDeclined)

        unknown = await calls.answer(AskKick("Nobody"))
        assert unknown == CallDeclined(f"no one is called 'Nobody'; here are {named(0, 'Ann')}, {named(1, 'Bill')}")
        caplog.clear()
        assert await done(AskKick(named(1, "bill"), because="Enough.")) == f"{named(1, 'Bill')} was sent away"
        noted = [record.getMessage() for record in caplog.records if "asked for" in record.getMessage()]
        assert len(noted) >= 1
        assert all(line.startswith(f'operator \'{operator()}\' asked for {{"ask":"kick"') for line in noted)
        assert all(line.endswith(": done") for line in noted)
        assert await bill.until(Goodbye) == Goodbye("kicked", "you were sent away by the operator: Enough.")
        assert town.worker.worker is not None
        shards = [there.dispatcher for there in town.worker.worker.served.values()]
        await until(lambda: all(shard.lobby.people.named(named(1, "Bill")) is None for shard in shards))

        away = await town.guest(named(2, "Cat"), 1)
        away.cut()
        stranger = await town.call(1)
        at_second = town.gateways[1].server
        assert at_second is not None
        await until(lambda: at_second.gateway.connections == 1)
        nets = ("192.0.2.0/24", "2001:db8::/32")
        says = await asyncio.gather(*[done(AskBan(net)) for net in nets])
        assert says == [f"{net} is banned; sent away: 0 people; closed: 0 other connections" for net in nets]
        assert await done(AskBan("127.0.0.1")) == "127.0.0.1 is banned; sent away: 1 person; closed: 1 other connection"
        assert (await ann.until(Goodbye)).code == "kicked"
        assert await stranger.reader.read() == b""
        later = await stack.enter_async_context(serving(settings(town.broker.url, "gateway")))
        for member in (*town.gateways, later):
            assert await _is_refused(member)
        listed = await calls.answer(AskBans())
        assert isinstance(listed, BanList)
        assert sorted(listed.bans) == ["127.0.0.1", *nets]
        assert await done(AskUnban("127.0.0.1")) == "127.0.0.1 is no longer banned"
        assert isinstance(await calls.answer(AskUnban("127.0.0.1")), CallDeclined)
        for place in range(2):
            await town.guest(named(3, f"Dora {place}"), place)

        # A gateway that was not asked hears of it by itself.
        unheard = parse_network("198.51.100.7")
        await SharedBans(client, "test").change(unheard, is_banned=True)
        servers = [member.server for member in town.gateways if member.server is not None]
        await until(lambda: all(server.front.bans.has(unheard) for server in servers))
        await SharedBans(client, "test").change(unheard, is_banned=False)

        # The same by the command line, in a thread of its own.
        there = settings(town.broker.url, "both")
        assert await asyncio.to_thread(_said, "bans", there) == list(listed.bans[:2])
        with pytest.raises(CommandFailed, match="no one is called 'Ann'") as failed:
            await asyncio.to_thread(_said, "kick", there, person="Ann", address="", because="")
        assert failed.value.code == exit_codes.NOUSER

        for role, garbage in ((GATEWAYS, b"\xff"), (WORKERS, b'{"ask":"unknown"}')):
            answered = await client.request(BrokerNames("test").subject("calls", role), garbage, timeout=BACKSTOP)
            assert decode_part(answered.data).says.startswith("this is no call of this version of put-server")

        with pytest.raises(CommandFailed, match="process by process") as upgrade:
            await calls.answer(AskUpgrade())
        assert upgrade.value.code == exit_codes.USAGE
        worker, gateway = town.worker.worker, later.server
        assert worker is not None
        assert gateway is not None
        with pytest.raises(
            CommandFailed, match=f"there is no worker or gateway 'x'; there are worker {worker.name}, gateway"
        ):
            await calls.answer(AskDrain(process="x"))
        assert (
            await done(AskDrain(process=gateway.gateway.name))
            == f"{gateway.gateway.name} says goodbye to everybody there, and ends"
        )
        assert gateway.is_stopping
        assert (await done(AskDrain(process=worker.name))).endswith("so all games stop until one starts")
        await until(lambda: not worker.shards)
        monkeypatch.setattr(cluster_commands, "REOPEN_S", 0.0)
        with pytest.raises(
            CommandFailed, match="no player was sent away in shards 0 1 2 3, which are not open"
        ) as closed:
            await calls.answer(AskKick("Ann"))
        assert closed.value.code == exit_codes.TEMPFAIL


async def _is_refused(member: Member) -> bool:
    """Whether a connection is closed at once, without a hello."""
    assert member.server is not None
    reader, writer = await asyncio.open_connection("127.0.0.1", member.server.front.port)
    try:
        writer.write(b"x")
        return await reader.read(1) == b""
    except ConnectionError:
        return True
    finally:
        writer.transport.abort()


def _said(command: str, settings: Settings, **arguments: object) -> list[str]:
    return list(COMMANDS[command].run(settings, Namespace(**arguments)))
