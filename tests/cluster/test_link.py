"""Links: nothing is lost, doubled or out of order on one that stands, and one that does not stand is noticed."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import msgpack
from nats.aio.msg import Msg

from put_server.cluster import link_messages as link
from put_server.cluster.broker import BrokerNames, LinkPublisher
from put_server.cluster.link import FORGOTTEN_MS, MOST_BYTES, OPENING_MS, SILENCE_MS, GatewayLink
from put_server.cluster.link_messages import Delivered, Lost, Packet
from tests.cluster.link_ends import SHARD, Ends
from tests.cluster.nats_server import PROGRAM, connected, nats_server


def test_items_arrive_in_order_on_both_ways() -> None:
    ends = Ends().opened()
    for number in range(3):
        ends.gateway.send(Lost(number))
        ends.worker.send("g", Delivered((number,), b"x"))
    ends.exchange(1)
    assert ends.at_shard == [Lost(0), Lost(1), Lost(2)]
    assert ends.at_gateway == [Delivered((0,), b"x"), Delivered((1,), b"x"), Delivered((2,), b"x")]


def test_what_is_larger_than_a_packet_goes_in_pieces() -> None:
    ends = Ends().opened()
    data = bytes(range(256)) * (3 * link.PIECE_BYTES // 256)
    ends.worker.send("g", Delivered((1,), data))
    packets = ends.down()
    assert len(packets) == 4
    assert max(map(len, packets)) < 512 * 1024
    ends.to_gateway(packets)
    assert ends.at_gateway == [Delivered((1,), data)]


def test_a_link_that_is_idle_stands() -> None:
    ends = Ends().opened()
    ends.wait(10 * SILENCE_MS)
    assert ends.at_gateway == ends.at_shard == []


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_whatever_is_lost_or_doubled_breaks_the_link_and_nothing_arrives_behind_it(data: st.DataObject) -> None:
    ends = Ends().opened()
    packets = []
    for number in range(6):
        ends.gateway.send(Lost(number))
        packets += ends.up()
    at = data.draw(st.integers(0, 5))
    damaged = data.draw(st.sampled_from(["lost", "doubled", "swapped"]))
    match damaged:
        case "lost":
            rest = packets[:at] + packets[at + 1 :]
        case "doubled":
            rest = [*packets[: at + 1], packets[at], *packets[at + 1 :]]
        case _:
            rest = [*packets[:at], *reversed(packets[at:])]
    ends.to_shard(rest)
    came = [item for item in ends.at_shard if isinstance(item, Lost)]
    assert came == [Lost(number) for number in range(len(came))]
    if rest != packets[: len(rest)]:
        assert any(isinstance(item, str) and item.startswith("broken: packet") for item in ends.at_shard)
        ends.to_gateway(ends.down())
        assert ends.at_gateway == ["broken: its worker knows nothing of the link"]
        ends.exchange()
        assert ends.gateway.is_up


def test_both_ends_notice_a_silence_and_a_new_link_is_opened_when_it_is_over() -> None:
    ends = Ends().opened()
    ends.wait(SILENCE_MS - 500, is_cut=True)
    assert ends.at_gateway == ends.at_shard == []
    ends.wait(1_000, is_cut=True)
    assert ends.at_gateway == ends.at_shard == [f"broken: nothing was heard for {SILENCE_MS} ms"]
    ends.wait(500)
    assert ends.at_gateway[1:] == ends.at_shard[1:] == ["opened"]


def test_a_process_that_stood_still_takes_its_own_silence_for_nobodys() -> None:
    ends = Ends().opened()
    ends.now += 60_000
    ends.gateway.tick(ends.now)
    ends.worker.tick(ends.now)
    assert ends.at_gateway == ends.at_shard == []


def test_another_worker_breaks_the_link_at_once_and_the_former_is_not_heard_again() -> None:
    ends = Ends(worker=7).opened()
    former, ends.worker = ends.worker, ends.new_worker(8)
    ends.to_gateway(ends.down())
    assert ends.at_gateway == ["broken: another worker has the shard"]
    ends.to_shard(opening := ends.up())
    ends.to_shard(opening, former)  # both read the subject
    former.send("g", Delivered((1,), b"late"))
    late = ends.down(former)
    ends.exchange()
    ends.to_gateway(late)
    assert ends.at_gateway == ["broken: another worker has the shard", "opened"]
    ends.at_shard.clear()
    ends.gateway.send(Lost(1))
    packets = ends.up()
    ends.to_shard(packets, former)
    assert ends.at_shard == []
    ends.to_shard(packets)
    assert ends.at_shard == [Lost(1)]


def test_a_former_worker_that_answers_first_is_given_up_for_the_later_one() -> None:
    ends = Ends(worker=7)
    later = ends.new_worker(8)
    opening = ends.up()
    ends.to_shard(opening)
    ends.to_shard(opening, later)
    ends.to_gateway(ends.down())
    ends.gateway.send(Lost(1))
    ends.to_shard(ends.up(), later)
    assert Lost(1) not in ends.at_shard, "it was meant for the former worker"
    ends.to_gateway(ends.down(later))
    ends.worker = later
    ends.exchange()
    ends.gateway.send(Lost(2))
    ends.exchange()
    assert ends.at_shard[-1] == Lost(2)


def test_a_link_opens_though_every_answer_takes_long() -> None:
    ends = Ends()
    ends.down()
    underway: list[tuple[int, list[bytes]]] = []
    while not ends.gateway.is_up:
        assert ends.now < 20_000, "it never opens"
        ends.to_shard(ends.up())
        underway.append((ends.now, ends.down()))
        ends.now += 250
        while underway and ends.now - underway[0][0] >= 1_250:
            ends.to_gateway(underway.pop(0)[1])


def test_a_gateway_that_begins_again_under_its_name_breaks_its_former_link() -> None:
    ends = Ends().opened()
    again = Ends()
    again.gateway = GatewayLink(
        "g", SHARD, ends.now, first=10_000, opened=lambda _: None, handle=lambda *_: None, broken=lambda *_: None
    )
    ends.to_shard(again.up())
    assert ends.at_shard == ["broken: the gateway opened another", "opened"]


def test_a_shard_given_away_tells_its_gateways() -> None:
    ends = Ends().opened()
    ends.worker.close()
    ends.to_gateway(ends.down())
    assert ends.at_shard == ["broken: the worker gives the shard away"]
    assert ends.at_gateway == ["broken: its worker knows nothing of the link"]


@given(st.binary(max_size=64))
def test_garbage_is_no_packet(data: bytes) -> None:
    ends = Ends().opened()
    ends.to_shard([data])
    ends.to_gateway([data])
    assert ends.at_gateway == ends.at_shard == []


NO_ITEMS: list[Any] = [["lost"], ["nonsense", 1], ["Visit", 1, "3h"]]


@pytest.mark.parametrize("body", [b"\xc1", *(link.encode([item]) for item in NO_ITEMS), link.encode(7)])
def test_items_that_cannot_be_read_break_their_link_and_nothing_else(body: bytes) -> None:
    """What is said of it goes into the log, so it names no value: that may be a card."""
    ends = Ends().opened()
    up, down = ends.gateway, ends.worker
    ends.to_shard([link.encode(Packet(link.VERSION, "h", SHARD, 5, 0, 1))])
    ends.at_shard.clear()
    ends.to_shard([link.encode(Packet(link.VERSION, "h", SHARD, 5, 7, 2, body=body))])
    assert ends.at_shard == ["broken: what came cannot be read"]
    assert tuple(down._links) == ("g",)
    up.send(Lost(1))
    ends.exchange(1)
    assert ends.at_shard[1:] == [Lost(1)]


def test_pieces_without_end_break_the_link() -> None:
    ends = Ends().opened()
    piece = bytes(MOST_BYTES // 8)
    for number in range(2, 11):
        ends.to_shard([link.encode(Packet(link.VERSION, "g", SHARD, 101, 7, number, False, piece))])
    assert ends.at_shard == [f"broken: more than {MOST_BYTES} bytes came in pieces"]


def as_newer(data: bytes) -> bytes:
    """What a newer release of the same version would publish: a field more in the packet and in every item, an item
    that we do not know, and items with a message in them that we do not know."""
    fields = msgpack.decode(data)
    if fields[7]:
        items = [[*item, "a new field"] for item in msgpack.decode(fields[7])]
        unknown: list[Any] = [["NewItem", 1, 2], ["Asked", 1, {"do": "new_request", "id": 1}]]
        unknown.append(["Told", [1], {"is": "new_message"}])
        fields[7] = msgpack.encode([*unknown, *items, *unknown])
    return msgpack.encode([*fields[:8], link.RELEASE + 1, "a new field"])


def as_older(data: bytes) -> bytes:
    """What was published before there were releases."""
    return msgpack.encode(msgpack.decode(data)[:8])


@pytest.mark.parametrize("other", [as_newer, as_older])
@pytest.mark.parametrize("is_gateway", [True, False])
def test_two_releases_of_a_version_understand_each_other(other: Callable[[bytes], bytes], *, is_gateway: bool) -> None:
    """Whichever end is the other one, what both know arrives in order, and nothing else does."""
    ends = Ends()
    ends.down()
    for number in range(3):
        ends.to_shard([other(data) if is_gateway else data for data in ends.up()])
        ends.to_gateway([data if is_gateway else other(data) for data in ends.down()])
        assert ends.gateway.is_up
        ends.gateway.send(Lost(number))
        ends.worker.send("g", Delivered((number,), b"x"))
    assert ends.at_shard == ["opened", Lost(0), Lost(1)]
    assert ends.at_gateway == ["opened", Delivered((0,), b"x"), Delivered((1,), b"x")]


@pytest.mark.parametrize("body", [b"", msgpack.encode("quite another form")])
def test_two_versions_of_the_link_say_that_they_do_not_go_together(
    body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither end hears the other but for its version, and the gateway says once which of them to upgrade."""
    ends = Ends()
    ends.down()

    def of_version(version: int, data: bytes) -> bytes:
        """As another version would publish it: only how it begins is the same in all of them."""
        return msgpack.encode([version, *msgpack.decode(data)[1:3], *([body] if body else msgpack.decode(data)[3:])])

    with caplog.at_level("ERROR"):
        for _ in range(3):
            ends.to_shard([of_version(link.VERSION + 1, data) for data in ends.up()])
            answers = ends.down()
            assert len(answers) == 1
            ends.to_gateway([of_version(link.VERSION - 1, data) for data in answers])
            ends.now += OPENING_MS * 10
    assert ends.gateway.foreign == link.VERSION - 1
    assert not ends.gateway.is_up
    assert ends.at_shard == ends.at_gateway == []
    assert [record.getMessage() for record in caplog.records] == [
        f"shard {SHARD}: its worker speaks version 0 of the link and this gateway 1: upgrade its worker",
    ]
    ends.now += 10_000
    ends.exchange()
    assert ends.at_gateway == ends.at_shard == ["opened"]
    assert ends.gateway.foreign is None


@pytest.mark.skipif(PROGRAM is None, reason="nats-server is not installed")
async def test_a_link_opens_and_carries_items_over_nats(tmp_path: Path) -> None:
    ends = Ends()
    arrived = asyncio.Event()
    async with nats_server(tmp_path) as server, connected(server) as above, connected(server) as below:

        async def from_gateway(message: Msg) -> None:
            ends.to_shard([message.data])
            below_post.wake()

        async def from_shard(message: Msg) -> None:
            ends.to_gateway([message.data])
            if "opened" in ends.at_gateway:
                ends.worker.send("g", Delivered((1,), b"down"))
                below_post.wake()
            if Delivered((1,), b"down") in ends.at_gateway:
                arrived.set()

        await below.subscribe(BrokerNames("c").subject("shard", SHARD), cb=from_gateway)
        await above.subscribe(BrokerNames("c").to_gateway("g"), cb=from_shard)
        await below.flush()
        await above.flush()
        above_post = LinkPublisher(
            above, lambda: [(BrokerNames("c").subject("shard", SHARD), data) for data in ends.up()]
        )
        below_post = LinkPublisher(
            below, lambda: [(BrokerNames("c").to_gateway(sent.gateway), sent.data) for sent in ends.sent_down()]
        )
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            posts = [tasks.create_task(post.run()) for post in (above_post, below_post)]
            above_post.wake()
            await arrived.wait()
            for task in posts:
                task.cancel()


def test_workers_that_are_numbered_anew_are_heeded_once_nothing_is_heard_of_the_later_one() -> None:
    """As where the stream of a shard was put back to an earlier moment. Until then the later one counts."""
    ends = Ends(worker=70).opened()
    earlier = ends.new_worker(7)
    ends.wait(FORGOTTEN_MS - 500, is_cut=True)
    ends.to_gateway(ends.down(earlier))
    assert len(ends.at_gateway) == 1, "broken"
    ends.wait(500, is_cut=True)
    ends.worker = earlier
    ends.wait(SILENCE_MS)
    assert ends.gateway.is_up
    assert ends.at_gateway[-1] == "opened"
