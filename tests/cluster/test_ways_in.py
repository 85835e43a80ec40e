"""Ways into a cluster on a real broker that other tests do not take: by TLS, by a browser, by typing, where one process
is all, and by a node of the broker that is cut off."""

import asyncio
import logging
import random
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import nats.aio.client
import pytest
from nats.aio.msg import Msg

from put_protocol.codecs import FRAMES
from put_protocol.games.put import Put, ThrowIn
from put_protocol.messages import Act, Decision, Events, Invite, Ok
from put_server.cluster import broker, roles
from put_server.cluster.broker import BrokerNames
from put_server.cluster.roles import Member
from tests.cluster.members import SHARDS, Cluster, cluster, named, opened, play, seat, settings, until
from tests.cluster.nats_server import connected, nats_server, needs_nats
from tests.cluster.nodes import ready
from tests.cluster.serving import serving
from tests.crashes.disturbances import CuttableProxy, free_port
from tests.transport.sockets import BACKSTOP, SocketPeer
from tests.web.browserless import Visit, trusting, upgrade

pytestmark = needs_nats

PACKED_CARD = re.compile(rb"(?:\xa2[2-9AKQJ]|\xa310)[shdc]|\"(?:10|[2-9AKQJ])[shdc]\"")
"""In bytes, as msgpack and JSON have it."""

STREAMS = 'default_js_domain { "$G": "" }\n'
"""For a leaf node that passes on what is asked of JetStream."""

A_CARD = re.compile(r"\b(?:10|[2-9AKQJ])[shdc]\b")


def cards_in(data: bytes) -> set[str]:
    return {found.strip(b'"\xa2\xa3').decode() for found in PACKED_CARD.findall(data)}


async def browser(town: Cluster, gateway: int, name: str) -> Visit:
    visit = Visit(*await asyncio.open_connection("127.0.0.1", town.port(gateway)))
    assert (await visit.ask(upgrade())).status == 101
    visit.say(type="hello", version=2, name=name, knows=["put"])
    assert (await visit.hear())["name"] == name
    return visit


async def test_nats_carries_a_hand_to_its_own_gateway_and_into_the_journal_and_nowhere_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One plays by TLS at a gateway, one in a browser at another, where somebody who types watches. Every hand is given
    up before a card is played, so none of it is ever shown. Nothing of it is in the log, metrics or status of any
    process either; and a text that was typed goes through it all."""
    caplog.set_level(logging.DEBUG)
    heard: dict[str, bytearray] = {}

    async def note(message: Msg) -> None:
        heard.setdefault(message.subject, bytearray()).extend(message.data)

    async with cluster(tmp_path, tls="on", metrics_from="127.0.0.1") as town, connected(town.broker) as spy:
        await spy.subscribe(">", cb=note)
        await spy.flush()
        host = await town.call(0, FRAMES, trusting())
        await host.hello(named(0, "Ann"))
        guest = await browser(town, 1, named(1, "Bob"))
        table = await opened(host)
        reader, writer = await asyncio.open_connection("127.0.0.1", town.port(1))
        writer.write(f"name {named(2, 'Wat')}\nwatch {table}\n".encode())
        await seat(host, table)
        await reader.readuntil(b"Ann")
        await guest.ask_for("sit", table=table)
        hands: list[set[str]] = [set(), set()]
        shown = await _throw_in(host, guest, hands)
        writer.write(b"say well played\n")
        await reader.readuntil(b"well played")
        gates = [
            BrokerNames("test").to_gateway(gateway.server.gateway.name) for gateway in town.gateways if gateway.server
        ]
        await until(lambda: b"well played" in heard[gates[1]])
        pages = await _pages(town)
        writer.close()
        guest.cut()
    assert all(3 <= len(hand) <= 6 for hand in hands), "two deals, which may have cards in common"
    secret = (hands[0] | hands[1]) - shown
    for subject, hand in zip(gates, hands, strict=True):
        assert cards_in(bytes(heard[subject])) & secret == hand & secret, "its own, and no other"
    journal = [subject for subject in heard if subject.startswith(BrokerNames("test").stream(table % SHARDS))]
    assert any(cards_in(bytes(heard[subject])) & secret for subject in journal), "the test would notice"
    for subject in heard.keys() - {*gates, *journal}:
        assert not cards_in(bytes(heard[subject])) & secret, subject
    assert not A_CARD.search(caplog.text)
    for page in pages:
        assert not A_CARD.search(page)


async def _throw_in(host: SocketPeer, guest: Visit, hands: list[set[str]]) -> set[str]:
    """Give the first hand up, and note what both have in it and in the next. Returns the cards that were drawn for the
    deal, which everybody saw."""
    shown: set[str] = set()

    def note(hand: set[str], event: dict[str, Any]) -> bool:
        """Whether it was a deal."""
        if event["event"] == "dealt":
            hand.update(event["cards"])
        elif event["event"] == "drawn":
            shown.update(event["cards"])
        return bool(event["event"] == "dealt")

    async def play_host() -> None:
        place = deals = 0
        while deals < 2:
            while place == len(host.messages):
                await host.read()
            message = host.messages[place]
            place += 1
            if isinstance(message, Events):
                deals += sum(note(hands[0], msgspec.to_builtins(event)) for event in message.events)
            elif isinstance(message, Decision):
                throws = any(legal.action == ThrowIn() for legal in message.legal)
                action = ThrowIn() if throws else Put()
                host.send(Act(1_000 + place, message.table, message.decision, action))

    async def play_guest() -> None:
        deals = 0
        while deals < 2:
            message = await guest.hear("events", "decision")
            if message["type"] == "events":
                deals += sum(note(hands[1], event) for event in message["events"])
            else:
                asked = {key: message[key] for key in ("table", "decision")}
                throws = any(legal["action"] == {"do": "throw"} for legal in message["legal"])
                action = {"do": "throw" if throws else "put"}
                guest.say(type="act", id=1_000 + message["decision"], action=action, **asked)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(play_host())
        tasks.create_task(play_guest())
    return shown


async def _pages(town: Cluster) -> list[str]:
    """Metrics and status of every process."""
    pages = [msgspec.json.encode(member.status).decode() for member in (town.worker, *town.gateways)]
    for gateway in range(len(town.gateways)):
        reader, writer = await asyncio.open_connection("127.0.0.1", town.port(gateway))
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: here.local\r\nConnection: close\r\n\r\n")
        pages.append((await reader.read()).decode())
        assert "put_move_seconds" in pages[-1] or "put_gateway_linked" in pages[-1]
        writer.close()
    return pages


async def test_one_process_is_worker_and_gateway_and_the_house_plays_there(tmp_path: Path) -> None:
    """`--role both`, as for trying a cluster out: a guest plays a game to its end, and comes back to a second process
    of the kind, which has the shards when the first ends."""
    async with asyncio.timeout(3 * BACKSTOP), nats_server(tmp_path) as broker_, AsyncExitStack() as stack:
        whole = settings(broker_.url, "both")
        first = await stack.enter_async_context(serving(whole, thinks=False))
        second = await stack.enter_async_context(serving(whole, thinks=False))
        town = Cluster(broker_, first, [first, second])
        guest = await town.guest(named(0, "Ann"))
        table = await opened(guest, options={"target": 1})
        await seat(guest, table)
        assert isinstance(await guest.ask(lambda number: Invite(number, table)), Ok)
        await play(guest)
        first.stop()
        assert await guest.over() is not None
        assert (await town.back(guest, 1)).tables == (table,)
        town.hang_up()


def ports(members: list[Member]) -> set[int | None]:
    """Of the nodes that they are connected to."""
    return {url.port for member in members if (url := member._client.connected_url) is not None}


async def test_who_is_at_a_node_that_is_cut_off_goes_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gateway and a worker are at a node that reaches the streams by another one. The way between the two is cut, and
    both stay connected to a node that brings nobody's word; so they try the other one, and people come back there."""
    monkeypatch.setattr(nats.aio.client, "shuffle", lambda _: None)  # else they may begin at any of the two
    port = free_port()
    async with asyncio.timeout(3 * BACKSTOP), AsyncExitStack() as stack:
        way = CuttableProxy(port, random.Random(1), pieces=(65_536,))
        door = f"127.0.0.1:{await way.start()}"
        stack.push_async_callback(way.stop)
        listens = f'{STREAMS} leafnodes {{ listen: 127.0.0.1:{port}, advertise: "{door}" }}'  # else it is told our own
        main = await stack.enter_async_context(nats_server(tmp_path / "main", listens))
        remote = f"{STREAMS} leafnodes {{ remotes = [{{ url: nats://{door} }}] }}"
        leaf = await stack.enter_async_context(nats_server(tmp_path / "leaf", remote, keeps=False))
        await ready([leaf.url])
        both = f"{leaf.url} {main.url}"
        at_leaf: list[Member] = [
            await stack.enter_async_context(serving(settings(both, role), thinks=False))
            for role in ("worker", "gateway")
        ]
        town = Cluster(main, at_leaf[0], at_leaf[1:])
        guest = await town.guest(named(0, "Ann"))
        table = await opened(guest)
        await seat(guest, table)
        assert ports(at_leaf) == {leaf.port}
        monkeypatch.setattr(broker, "ALONE_S", 1.0)  # not before: a busy machine lets a second pass in silence
        monkeypatch.setattr(roles, "CUT_OFF_S", 1.0)
        way.cut()
        assert await guest.over() is not None
        await until(lambda: ports(at_leaf) == {main.port})
        assert (await town.back(guest)).tables == (table,)
        town.hang_up()
