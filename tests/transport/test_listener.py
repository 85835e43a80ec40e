"""Connections before a session has them: who is accepted, who is cut for whom, and what a proxy says."""

import asyncio
import os
import resource
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES
from put_protocol.limits import GREETING_MS, LATE_GREETING_MS, STRANGER_MS
from put_server.transport import listener as listening
from put_server.transport.admission import (
    ARRIVALS_AT_ONCE,
    ASIDE,
    NEWCOMERS_AT_ONCE,
    STRANGERS_AN_ORIGIN,
    Admission,
    Caller,
)
from put_server.transport.bans import Bans
from put_server.transport.encryption import Encryption, Plain
from put_server.transport.listener import ACCEPTED_AT_ONCE, ADMITTED_AT_ONCE, BACKLOG, PROXY_MS, Listener, bind
from put_server.transport.origins import Networks, origin_of, parse_address, parse_network, parse_networks
from put_server.transport.proxy_header import HEADER_BYTES, parse_proxy_header
from put_text.plain.login import prompt
from tests.transport.sockets import BACKSTOP, running_server

V2 = b"\r\n\r\n\0\r\nQUIT\n"


def v2(command: int, family: int, body: bytes) -> bytes:
    return V2 + struct.pack(">BBH", command, family, len(body)) + body


OVER_IPV4 = v2(0x21, 0x11, socket.inet_aton("203.0.113.9") + bytes(4) + struct.pack(">HH", 4_000, 1674))
OVER_IPV6 = v2(0x21, 0x21, ip_address("2001:db8::7").packed + bytes(16) + struct.pack(">HH", 4_000, 1674))
OF_ITSELF = v2(0x20, 0x00, b"")


class Held:
    """Holder of a connection without a socket."""

    def __init__(self, admission: Admission, origin: str) -> None:
        self.is_cut = False
        self.caller = Caller(origin.partition("/")[0], origin)
        self.caller.holder = self
        assert not admission.enter(self.caller)

    def cut(self) -> None:
        self.is_cut = True


# --- origins ---


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_origin_is_an_address_or_the_site_of_one(address: str, origin: str) -> None:
    """A /64 is one origin, for a customer has all of it; IPv4 is the same whichever way it comes."""
    assert origin_of(parse_address(address)) == origin


def test_networks_hold_their_addresses_and_no_others() -> None:
    """Prefixes of either version, and single addresses; a prefix is not taken for one of the other version."""
    networks = Networks(parse_networks("10.0.0.0/8, 192.0.2.7 2001:db8::/32 ::ffff:198.51.100.0/120"))
    inside = ("10.255.0.1", "192.0.2.7", "2001:db8:ffff::1", "198.51.100.9", "::ffff:10.1.1.1")
    outside = ("11.0.0.1", "192.0.2.8", "2001:db9::", "::1", "198.51.101.1", "::a00:1")
    assert all(parse_address(address) in networks for address in inside)
    assert not any(parse_address(address) in networks for address in outside)


def test_ban_of_an_ipv6_address_is_of_its_site() -> None:
    """The host makes up the rest of the address as it likes; a ban of another address of the site stands by itself."""
    bans = Bans()
    for text in ("2001:db8:1:2::5", "2001:db8:1:2::6", "192.0.2.7"):
        bans.add(parse_network(text))
    assert bans.all == ("2001:db8:1:2::5", "2001:db8:1:2::6", "192.0.2.7")
    bans.discard(parse_network("2001:db8:1:2::5"))
    found = ["2001:db8:1:2:ffff::1", "2001:db8:1:3::5", "192.0.2.8"]
    assert [parse_address(address) in bans for address in found] == [True, False, False]


# --- strangers ---


def test_newcomer_takes_the_place_of_the_origin_with_the_most_strangers() -> None:
    """Where all places of strangers are taken, the crowd loses its oldest, and who came alone keeps theirs."""
    admission = Admission(lambda: 0, strangers=4)
    alone = Held(admission, "192.0.2.1")
    crowd = [Held(admission, "192.0.2.2") for _ in range(3)]
    late = Held(admission, "192.0.2.3")
    assert [held.is_cut for held in (alone, *crowd, late)] == [False, True, False, False, False]
    assert admission.connections == 4


def test_strangers_of_one_origin_crowd_out_themselves() -> None:
    """Long before the places of all are taken."""
    admission = Admission(lambda: 0)
    crowd = [Held(admission, "192.0.2.2") for _ in range(STRANGERS_AN_ORIGIN + 3)]
    assert [held.is_cut for held in crowd[:4]] == [True, True, True, False]
    assert admission.connections == STRANGERS_AN_ORIGIN


def test_many_origins_of_one_network_are_one_crowd() -> None:
    """Strangers of a /48 from sixty-four of its /64s give way to one from elsewhere; among themselves the /64 with the
    most gives way, though a busier one of another network is in the places, too."""
    admission = Admission(lambda: 0, strangers=70)
    pair = [Held(admission, "203.0.113.9") for _ in range(2)]
    crowd = [Held(admission, f"2001:db8:0:{number * 3:x}::/64") for number in range(64)]
    busiest = [Held(admission, "2001:db8:0:5::/64") for _ in range(4)]
    late = Held(admission, "192.0.2.1")
    assert [held.is_cut for held in busiest] == [True, False, False, False]
    for number in range(60):
        Held(admission, f"198.51.{number}.1")
    assert not any(held.is_cut for held in (*pair, late))
    assert sum(not held.is_cut for held in (*crowd, *busiest)) == 7


def test_network_has_a_multiple_of_the_quotas_of_an_origin() -> None:
    """A /56 has those of two, a /48 and a /24 those of four; an origin that is refused costs its neighbours nothing."""
    admission = Admission(lambda: 0)

    def arrived(*origins: str) -> int:
        return sum(not admission.enter(Caller(site=origin)) for origin in origins for _ in range(ARRIVALS_AT_ONCE + 9))

    def newcomers(*origins: str) -> int:
        callers = [Held(admission, origin).caller for origin in origins]
        return sum(not admission.newcomer(caller) for caller in callers for _ in range(NEWCOMERS_AT_ONCE + 9))

    assert arrived(*[f"192.0.2.{number}" for number in range(9)]) == 4 * ARRIVALS_AT_ONCE
    assert arrived(*[f"2001:db8:1:{number:x}::/64" for number in range(9)]) == 2 * ARRIVALS_AT_ONCE
    assert arrived(*[f"2001:db8:2:{number:x}00::/64" for number in range(9)]) == 4 * ARRIVALS_AT_ONCE
    assert newcomers(*[f"198.51.100.{number}" for number in range(9)]) == 4 * NEWCOMERS_AT_ONCE
    assert newcomers("203.0.113.9") == NEWCOMERS_AT_ONCE


def test_people_keep_their_places_whatever_strangers_do() -> None:
    """Who was let in is cut for nobody; a connection that is nobody's any more is a stranger's again."""
    admission = Admission(lambda: 0, strangers=2)
    ann, ben = Held(admission, "192.0.2.1"), Held(admission, "192.0.2.1")
    for held in (ann, ben):
        admission.trust(held.caller)
    crowd = [Held(admission, "192.0.2.1") for _ in range(5)]
    assert [held.is_cut for held in (ann, ben, *crowd)] == [False, False, True, True, True, False, False]
    admission.distrust(ben.caller)
    Held(admission, "192.0.2.4")
    Held(admission, "192.0.2.5")
    assert (ann.is_cut, ben.is_cut) == (False, True)
    admission.leave(ann.caller)
    admission.leave(ann.caller)
    assert admission.connections == 2


def test_few_descriptors_are_shared_and_some_kept_for_who_comes_back() -> None:
    """A quarter is for strangers; newcomers leave one in eight of the others to people who come back."""
    admission = Admission(lambda: 0)
    admission.fit(ASIDE + 64)
    for number in range(42):
        assert admission.has_room_for_newcomers
        admission.trust(Held(admission, f"192.0.2.{number}").caller)
    assert not admission.has_room_for_newcomers
    for number in range(40):
        Held(admission, f"198.51.100.{number}")
    assert admission.connections == 42 + 16
    admission.trust(Held(admission, "203.0.113.1").caller)
    assert admission.connections == 43 + 15
    ample = Admission(lambda: 0)
    ample.fit(1_000_000)
    assert ample.has_room_for_newcomers


async def test_silent_connections_have_no_session_and_are_ended() -> None:
    """They cost an entry in the listener, until the time of strangers is over; those greeted are told in words."""
    async with running_server() as harness:
        crowd = [await harness.call(LINES) for _ in range(100)]
        await harness.guest("Ann")
        assert len(harness.server.dispatcher._sessions) == 1
        harness.advance(LATE_GREETING_MS)
        harness.advance(STRANGER_MS)
        for stranger in crowd:
            assert (await stranger.reader.read()).decode().splitlines() == [*prompt(), "no hello came"]
        await harness.guest("Ben")


async def test_peer_that_says_nothing_for_seconds_is_told_how_to_begin() -> None:
    """A person with a bare connection cannot know it. They are told once; a program that was late is not disturbed."""
    async with running_server() as harness:
        person, program, late = await harness.call(), await harness.call(LINES), await harness.call(FRAMES)
        await harness.guest("Ann")  # by now all are accepted
        harness.advance(LATE_GREETING_MS)
        harness.advance(LATE_GREETING_MS)
        assert [(await person.reader.readline()).decode().rstrip("\n") for _ in prompt()] == list(prompt())
        person.writer.write(b"name Moll\n")
        assert (await person.reader.readline()).startswith(b"You are Moll, at ")
        assert (await program.hello("Ben")).name == "Ben"
        assert (await late.hello("Cis")).name == "Cis"


@pytest.mark.parametrize(
    ("address", "plain", "after_ms"),
    [
        ("127.0.0.1", Plain.PRIVATE, GREETING_MS),
        ("192.168.1.7", Plain.PRIVATE, LATE_GREETING_MS),
        ("198.41.0.4", Plain.PRIVATE, None),
        ("198.41.0.4", Plain.ALL, LATE_GREETING_MS),
        ("192.168.1.7", Plain.NONE, None),
    ],
)
async def test_peer_that_may_be_about_to_encrypt_is_greeted_late_or_never(
    address: str, plain: Plain, after_ms: int | None
) -> None:
    """Never where it would have to be sent away for typing."""
    now = 0
    encryption = Encryption(plain=plain)
    admission = Admission(lambda: now)
    listener = Listener([], admission, lambda _: asyncio.Protocol(), now=lambda: now, encryption=encryption)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    listener._meet(ours, (address, 0))
    heard: dict[int, bytes] = {}
    for now in (GREETING_MS - 1, GREETING_MS, LATE_GREETING_MS - 1, LATE_GREETING_MS, STRANGER_MS - 1):
        listener.tick(now)
        with suppress(BlockingIOError):
            heard[now] = theirs.recv(1_000)
    assert list(heard) == ([] if after_ms is None else [after_ms])
    listener.close()
    theirs.close()


async def test_newcomer_does_not_wait_behind_a_flood_of_connections_that_are_refused() -> None:
    """They are all looked at before others are served again, and few of those that are let in."""
    admission = Admission(lambda: 0)
    while not admission.enter(Caller("127.0.0.2", "127.0.0.2")):
        pass
    listener = Listener(await bind("127.0.0.1", 0), admission, lambda _: asyncio.Protocol(), now=lambda: 0)
    (listening,) = listener.sockets
    came: list[socket.socket] = []

    def connect(address: str) -> None:
        came.append(socket.create_connection(listening.getsockname(), source_address=(address, 0)))

    try:
        for _ in range(ACCEPTED_AT_ONCE - 1):
            connect("127.0.0.2")
        connect("127.0.0.1")
        listener._accept(listening)
        assert len(listener._waiting) == 1
        for _ in range(2 * ADMITTED_AT_ONCE):
            connect("127.0.0.1")
        listener._accept(listening)
        assert len(listener._waiting) == 1 + ADMITTED_AT_ONCE
    finally:
        listener.close()
        for sock in (listening, *came):
            sock.close()


async def test_connection_closed_before_it_said_anything_leaves_nothing() -> None:
    """Neither an entry nor a descriptor."""
    async with running_server() as harness:
        open_before = len(_open_files())
        for _ in range(20):
            (await harness.call()).cut()
        await harness.guest("Ann")
        while harness.server.dispatcher.connections > 1:  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0)
        assert len(_open_files()) <= open_before + 3  # Ann's two ends, and what a timer may hold


def _open_files() -> list[int]:
    return [int(file.name) for file in Path("/proc/self/fd").iterdir()]


# --- descriptors ---


@contextmanager
def no_descriptors() -> Iterator[None]:
    """No file can be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(_open_files())
    gaps: list[int] = []
    while not gaps or gaps[-1] < highest:
        gaps.append(os.open(os.devnull, os.O_RDONLY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (gaps[-1] + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for gap in gaps:
            os.close(gap)


async def test_listener_without_descriptors_turns_away_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who comes is turned away at once, in one line of the log; people who are here are served; later others come."""
    monkeypatch.setattr(listening, "REST_SECONDS", 0.0)
    async with running_server() as harness:
        ann = await harness.guest("Ann")
        sockets = [socket.socket() for _ in range(40)]
        for one in sockets:
            one.setblocking(False)
        with no_descriptors():
            for one in sockets:
                await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", harness.server.port))
            for one in sockets:
                await _gone(one)
            assert isinstance(await ann.ask(messages.LookAway), messages.Ok)
        for one in sockets:
            one.close()
        assert (await (await harness.call()).hello("Ben")).name == "Ben"
    told = [record for record in caplog.records if record.name == "put_server.transport.listener"]
    assert len(told) == 1


async def _gone(one: socket.socket) -> None:
    with suppress(ConnectionError):
        assert await asyncio.wait_for(asyncio.get_running_loop().sock_recv(one, 1), BACKSTOP) == b""


# --- proxies ---


@pytest.mark.parametrize(
    ("header", "address"),
    [
        (b"PROXY TCP4 203.0.113.9 192.0.2.1 4000 1674\r\n", "203.0.113.9"),
        (b"PROXY TCP6 2001:db8::7 ::1 4000 1674\r\n", "2001:db8::7"),
        (b"PROXY UNKNOWN\r\n", None),
        (b"PROXY UNKNOWN whatever comes\r\n", None),
        (OVER_IPV4, "203.0.113.9"),
        (OVER_IPV6, "2001:db8::7"),
        (OF_ITSELF, None),
        (v2(0x21, 0x31, bytes(216)), None),
        (OVER_IPV4[:14] + struct.pack(">H", 12 + 7) + OVER_IPV4[16:] + bytes(7), "203.0.113.9"),
    ],
)
def test_proxy_header_is_read_to_its_end_and_no_further(header: bytes, address: str | None) -> None:
    """However it is cut; what follows it is not looked at."""
    for end in range(len(header)):
        assert parse_proxy_header(header[:end]) is None
    for rest in (b"", b"\0", b"hello", b"\r\n"):
        found = parse_proxy_header(header + rest)
        assert found is not None
        assert (found.size, None if found.address is None else str(found.address)) == (len(header), address)


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n",
        b"PROXY TCP4 nobody 192.0.2.1 4000 1674\r\n",
        b"PROXY TCP4 203.0.113.9\r\n",
        b"PROXY " + b"x" * 200,
        V2 + b"\x31\x11\0\x0c" + bytes(12),
        V2 + b"\x22\x11\0\x0c" + bytes(12),
        v2(0x21, 0x11, bytes(8)),
        V2 + b"\x21\x11" + struct.pack(">H", HEADER_BYTES),
    ],
)
def test_proxy_header_that_is_none_is_refused(data: bytes) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match=r"PROXY|address"):
        parse_proxy_header(data)


@pytest.mark.parametrize("header", [b"PROXY TCP4 203.0.113.9 192.0.2.1 4000 1674\r\n", OVER_IPV4])
async def test_peer_behind_a_proxy_is_who_the_proxy_says(header: bytes) -> None:
    """In however many pieces header and hello come."""
    async with running_server(proxies="127.0.0.0/8") as harness:
        peer = await harness.call()
        for byte in header:
            peer.writer.write(bytes((byte,)))
            await asyncio.sleep(0)
        await peer.hello("Ann")
        (session,) = harness.server.dispatcher._sessions
        assert (session.caller.address, session.caller.origin) == ("203.0.113.9", "203.0.113.9")
        both = await harness.call()
        both.writer.write(OF_ITSELF)
        await both.hello("Ben")
        assert {session.caller.address for session in harness.server.dispatcher._sessions} == {
            "203.0.113.9",
            "127.0.0.1",
        }


async def test_proxy_that_sends_no_header_is_cut() -> None:
    """Whether it sends something else, or nothing in time."""
    async with running_server(proxies="127.0.0.1") as harness:
        bare, silent = await harness.call(), await harness.call()
        bare.send(messages.Hello(2, "Ann"))
        assert await bare.over() is None
        harness.advance(PROXY_MS)
        await silent.over()
        assert not harness.server.dispatcher.lobby.people


# --- the sockets ---


async def test_listener_serves_sockets_it_was_given() -> None:
    """Such as a predecessor left; and takes every address of a host."""
    sockets = await bind("127.0.0.1", 0)
    assert [one.getsockname()[0] for one in sockets] == ["127.0.0.1"]
    met, delays = list[Caller](), list[int]()

    class Met(asyncio.Protocol):
        def __init__(self, caller: Caller) -> None:
            met.append(caller)

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            delays.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async with asyncio.timeout(BACKSTOP), asyncio.TaskGroup() as tasks:
        listener = Listener(sockets, Admission(lambda: 0), Met, now=lambda: 0)
        listener.serve(tasks)
        _, writer = await asyncio.open_connection(*sockets[0].getsockname())
        writer.write(b"{")
        while not delays:  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0)
        writer.close()
        await writer.wait_closed()
        listener.close()
        listener.close()
    assert [(caller.address, caller.origin, caller.is_encrypted) for caller in met] == [
        ("127.0.0.1", "127.0.0.1", False)
    ]
    assert delays == [1], "without it a message may wait for the acknowledgement of the last"


async def test_port_on_both_families_is_closed_again_if_one_is_taken() -> None:
    """Of several addresses all are had, or none."""
    taken = await bind("127.0.0.1", 0)
    port = taken[0].getsockname()[1]
    with pytest.raises(OSError, match="in use"):
        await bind(None, port, BACKLOG)
    taken[0].close()
    for one in await bind(None, port):
        one.close()
