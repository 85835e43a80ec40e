"""Gateways of a real cluster: people play across shards and gateways as at one server."""

import asyncio
from pathlib import Path

from put_protocol.codecs import LINES
from put_protocol.games.put import GameEnded
from put_protocol.messages import Act, Decision, Events, Ok, OpenTable, Sit
from tests.cluster.members import SHARDS, cluster, named
from tests.cluster.nats_server import needs_nats
from tests.transport.sockets import SocketPeer

pytestmark = needs_nats


async def seat(guest: SocketPeer, table: int) -> None:
    answer = await guest.ask(lambda number: Sit(number, table))
    assert isinstance(answer, Ok), answer


async def play(guest: SocketPeer) -> None:
    """Answer every decision with the first choice, until the game is over."""
    place = 0
    while True:
        while place == len(guest.messages):
            await guest.read()
        message = guest.messages[place]
        place += 1
        if isinstance(message, Decision):
            guest.send(Act(1000 + message.decision, message.table, message.decision, message.legal[0].action))
        if isinstance(message, Events) and any(isinstance(event, GameEnded) for event in message.events):
            return


async def play_out(*guests: SocketPeer) -> None:
    async with asyncio.TaskGroup() as tasks:
        for guest in guests:
            tasks.create_task(play(guest))


async def test_two_people_at_two_gateways_play_at_a_table_in_the_home_of_one(tmp_path: Path) -> None:
    async with cluster(tmp_path) as town:
        host = await town.guest(named(0, "Ann"))
        guest = await town.guest(named(1, "Bob"), gateway=1, codec=LINES)
        opened = await host.ask(lambda number: OpenTable(number, "put-1674"))
        assert isinstance(opened, Ok)
        assert opened.table is not None
        assert opened.table % SHARDS == 0
        await seat(guest, opened.table)
        await seat(host, opened.table)
        await play_out(host, guest)
