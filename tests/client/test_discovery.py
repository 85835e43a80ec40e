"""Servers on the local network: what is made of an announcement, choosing, and real announcements."""

import asyncio
import errno
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from zeroconf import Zeroconf

from put_client import discovery
from put_client.arguments import ServerPlace
from put_client.choosing import choose
from put_client.discovery import FoundServer, look, prove, read
from put_client.sdk.dialler import Dialler
from put_client.sdk.known_servers import KnownServers
from put_runtime.dns_service import SERVICE
from put_server import announcer
from put_server.announcer import Announcer, wants_announcing
from put_server.greeting import private_addresses
from put_server.settings import Settings
from put_server.transport.encryption import Encryption

KEY = "aaaaa-bbbbb-ccccc-ddddd-eeeee"
OTHER = "fffff-ggggg-hhhhh-iiiii-jjjjj"
QUESTION = "A number, or an address, or r to look again [1]: "


def said(**texts: str) -> dict[bytes, bytes | None]:
    return {name.encode(): text.encode() for name, text in texts.items()}


# --- what is announced -----------------------------------------------------------------------------------------------


def test_announcement_is_read() -> None:
    """Name, address, key, tables and people."""
    found = read(f"The Swan.{SERVICE}", ["192.168.1.5"], 1674, said(key=KEY, tables="3", people="5"))
    assert found == FoundServer(name="The Swan", host="192.168.1.5", port=1674, fingerprint=KEY, tables=3, people=5)


def test_address_is_the_shortest_that_works_here() -> None:
    """IPv4 before IPv6, link-local last, with its interface."""
    everything = ["fe80::1%eth0", "fd00::1", "169.254.1.1", "192.168.1.5"]
    found = read(f"x.{SERVICE}", everything, 1, {})
    assert found is not None
    assert found.host == "192.168.1.5"
    only = read(f"x.{SERVICE}", ["fe80::1%eth0"], 1674, {})
    assert only is not None
    assert only.address == "[fe80::1%eth0]:1674"


@pytest.mark.parametrize(
    "addresses",
    [[], ["8.8.8.8"], ["127.0.0.1"], ["::1"], ["224.0.0.1"], ["0.0.0.0"], ["::ffff:8.8.8.8"], ["2001:4860::1"], ["x"]],
)
def test_announcement_that_lies_about_its_address_is_passed_over(addresses: list[str]) -> None:
    """Nobody is sent to the internet, or to their own machine, by what a network says."""
    assert read(f"x.{SERVICE}", addresses, 1674, {}) is None


def test_announcement_of_nonsense_harms_nobody() -> None:
    """Control characters, long texts, numbers that are none."""
    evil = "\x1b[2J" + "\u202e" + "x" * 200
    found = read(
        f"{evil}.{SERVICE}",
        ["8.8.8.8", *["10.0.0.1"] * 500],
        1674,
        {b"key": b"\xff" * 10_000, b"tables": b"-1", b"people": b"9" * 300, b"\x1b": None},
    )
    assert found is not None
    assert "\x1b" not in found.name
    assert "\u202e" not in found.name
    assert len(found.name) <= discovery.NAME_LENGTH
    assert (found.fingerprint, found.tables, found.people) == ("", None, None)
    for port in (None, 0, 65536, -1):
        assert read(f"x.{SERVICE}", ["10.0.0.1"], port, {}) is None


# --- choosing --------------------------------------------------------------------------------------------------------

SWAN = FoundServer(name="The Swan", host="192.168.1.5", port=1674, fingerprint=KEY, key=KEY, tables=3, people=1)
BELL = FoundServer(name="Bell", host="10.0.0.7", port=9, fingerprint=OTHER, key=OTHER, tables=1)
COPY = replace(SWAN, name="A Swan", host="10.0.0.8", key=OTHER)
PLAIN = replace(SWAN, name="A Bell", host="10.0.0.9", key="")


def asked(
    found: tuple[FoundServer, ...], servers: tuple[str, ...], *answers: str
) -> tuple[ServerPlace | None, list[str], list[str]]:
    """The server that comes of these answers, the questions, and the complaints."""
    questions: list[str] = []
    complaints: list[str] = []
    rest = iter(answers)

    def ask(question: str) -> str:
        questions.append(question)
        return next(rest)

    return choose(found, servers, ask, complaints.append), questions, complaints


def test_choice_is_a_number_an_address_or_the_first() -> None:
    """Enter takes the latest; the server of this machine is always offered; a wrong answer is asked again."""
    servers = ("inn.example:1674", "[::1]:5")
    where, questions, _ = asked((), servers, "")
    assert where == ServerPlace("inn.example", 1674)
    (question,) = questions
    assert question.splitlines() == [
        "Servers you have played at, and this machine:",
        "   1  inn.example:1674",
        "   2  [::1]:5",
        "   3  localhost:1674",
        QUESTION,
    ]
    assert asked((), servers, "2")[0] == ServerPlace("::1", 5)
    assert asked((), servers, "3")[0] == ServerPlace("localhost", 1674)
    assert asked((), servers, f"other:7#{KEY}")[0] == ServerPlace("other", 7, KEY)
    where, questions, complaints = asked((), servers, "4", "0", "x:y", "1")
    assert where == ServerPlace("inn.example", 1674)
    assert questions[1:] == [QUESTION] * 3
    assert complaints == [
        "There is no server 4 in the list.",
        "There is no server 0 in the list.",
        "'y' is no port: ports are numbers from 1 to 65535.",
    ]


@pytest.mark.parametrize("servers", [(), ("localhost:1674",)])
def test_choice_is_not_asked_where_there_is_none(servers: tuple[str, ...]) -> None:
    """Who has only ever played at home goes there."""
    assert asked((), servers) == (ServerPlace("localhost", 1674), [], [])


def test_servers_of_the_network_are_listed_first_and_say_whether_their_key_is_known() -> None:
    """A known one is connected to with its key and no other, wherever it is now; a new one as any new one."""
    KnownServers().put("192.168.1.99:1674", KEY)
    where, questions, _ = asked((BELL, SWAN), ("inn.example:1674",), "1")
    assert questions[0].splitlines()[:4] == [
        "Servers on this network:",
        "   1  192.168.1.99:1674  3 tables, 1 person, you know its key, 192.168.1.5:1674",
        "   2  Bell               1 table, ? people, new to you, 10.0.0.7:9",
        "Servers you have played at, and this machine:",
    ]
    assert where == ServerPlace("192.168.1.5", 1674, KEY)
    assert asked((BELL, SWAN), (), "2")[0] == ServerPlace("10.0.0.7", 9)
    assert asked((BELL, SWAN), (), "r")[0] is None


def test_another_key_at_a_known_address_is_not_new() -> None:
    """It is listed as not safe, and Enter does not take it."""
    KnownServers().put(BELL.address, KEY)
    where, questions, _ = asked((BELL,), (), "")
    assert where == ServerPlace("localhost", 1674)
    assert questions[0].splitlines()[-2:] == [
        "   2  Bell  1 table, ? people, another key than you know, 10.0.0.7:9",
        QUESTION,
    ]


def test_copy_of_a_known_key_and_a_plain_server_are_last_and_not_what_enter_takes() -> None:
    """Neither says that it is known; who asks for one all the same trusts no other key than the known one."""
    KnownServers().put("192.168.1.99:1674", KEY)
    where, questions, _ = asked((COPY, PLAIN), ("localhost:1674",), "")
    assert questions[0].splitlines() == [
        "Servers you have played at, and this machine:",
        "   1  localhost:1674",
        "NOT safe:",
        "   2  A Swan  3 tables, 1 person, another key than it says, 10.0.0.8:1674",
        "   3  A Bell  3 tables, 1 person, not encrypted, 10.0.0.9:1674",
        QUESTION,
    ]
    assert where == ServerPlace("localhost", 1674)
    assert asked((COPY, PLAIN), (), "2")[0] == ServerPlace("10.0.0.8", 1674, KEY)
    assert asked((COPY, SWAN, PLAIN), (), "1")[0] == ServerPlace("192.168.1.5", 1674, KEY)


async def test_server_is_listed_by_what_it_proves() -> None:
    """An honest one, a copy of its announcement, one without encryption; and one that is gone is not listed."""
    honest, other = Encryption(), Encryption()
    async with AsyncExitStack() as stack:

        async def announced_by(context: ssl.SSLContext | None, says: str) -> FoundServer:
            async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                writer.write(b"Put" * (context is None))
                writer.close()

            server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
            await stack.enter_async_context(server)
            return FoundServer(name=says, host="127.0.0.1", port=server.sockets[0].getsockname()[1], fingerprint=says)

        swan = await announced_by(honest.context, honest.fingerprint)
        copy = await announced_by(other.context, honest.fingerprint)
        plain = await announced_by(None, honest.fingerprint)
        gone = replace(swan, port=1)
        found = await prove((copy, plain, gone, swan), KnownServers())
    assert {server.port: (server.key, server.is_honest) for server in found} == {
        swan.port: (honest.fingerprint, True),
        copy.port: (other.fingerprint, False),
        plain.port: ("", False),
    }


async def test_flood_of_announcements_pushes_out_no_known_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of one host or of many, and though all say that they have the known key; few are asked, and few at a time."""
    asked_for: list[str] = []
    now = most = 0

    async def offered(self: Dialler) -> str:
        nonlocal now, most
        asked_for.append(self.address)
        now, most = now + 1, max(most, now + 1)
        await asyncio.sleep(0)
        now -= 1
        return KEY if self.address == SWAN.address else OTHER

    monkeypatch.setattr(Dialler, "key_offered", offered)
    known = KnownServers()
    known.put(SWAN.address, KEY)
    flood = [replace(COPY, host=f"10.1.{n // 250}.{n % 250}") for n in range(2_000)]
    flood += [replace(COPY, port=port) for port in range(1, 500)]
    found = await prove((*flood, SWAN), known)
    assert asked_for[0] == SWAN.address
    assert len(asked_for) == discovery.ASKED
    assert most <= discovery.HANDSHAKES_AT_ONCE
    assert [server.host for server in found if server.is_honest] == [SWAN.host]
    asked_for.clear()
    await prove((*flood[2_000:], BELL), KnownServers(tmp_path / "none"))
    assert BELL.address in asked_for[:2]


# --- who announces ---------------------------------------------------------------------------------------------------


def test_only_servers_for_others_are_announced() -> None:
    """Not one of this machine, not one that keeps nothing, and none whose operator says no."""
    assert wants_announcing(Settings())
    assert wants_announcing(Settings(host="192.168.1.5"))
    for settings in (
        Settings(host="127.0.0.1"),
        Settings(host="localhost"),
        Settings(data=":memory:"),
        Settings(announce="no"),
    ):
        assert not wants_announcing(settings)


def test_only_private_addresses_are_announced() -> None:
    """Those of all interfaces, or the one the server listens on."""
    assert private_addresses("8.8.8.8") == []
    assert private_addresses("127.0.0.1") == []
    assert private_addresses("192.168.1.5") == ["192.168.1.5"]
    assert not {"127.0.0.1", "::1"} & set(private_addresses("*"))


async def test_network_that_cannot_be_used_is_told_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And the server serves on: `run` returns."""

    def no_socket(**_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", no_socket)
    await Announcer(Settings(host="192.168.1.5"), 1674, KEY, "0", lambda: (0, 0)).run()
    assert "not announced on the local network: Operation not permitted" in caplog.text


# --- real announcements ----------------------------------------------------------------------------------------------


def _multicast_works() -> str:
    """Why it does not; empty: it does."""
    if not private_addresses("*"):
        return "this machine has no address on a local network"
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
            probe.sendto(b"", ("224.0.0.251", 5353))
    except OSError as error:
        return f"multicast cannot be sent: {error.strerror}"
    return ""


real_network = pytest.mark.skipif(bool(_multicast_works()), reason=_multicast_works())


@asynccontextmanager
async def announced(name: str, port: int, key: str, counts: Callable[[], tuple[int, int]]) -> AsyncIterator[Announcer]:
    made = Announcer(Settings(name=name), port, key, "0.2.0", counts)
    running = asyncio.create_task(made.run())
    try:
        yield made
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def find(name: str, port: int, so: Callable[[FoundServer], bool] = lambda _: True) -> FoundServer:
    """Look until a server is there."""
    while True:
        for found in await look():
            if found.name.startswith(name) and found.port == port and so(found):
                return found


@real_network
async def test_two_servers_of_one_name_are_found_and_told_apart(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """On the real network of this machine; counts that change are told anew; who has ended is gone."""
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(announcer, "REFRESH_SECONDS", 0.05)
    name = f"Test {Path.cwd().name[:10]} {id(caplog) % 100_000}"
    counts = [3, 5]
    async with asyncio.timeout(25):
        async with announced(name, 1674, KEY, lambda: (counts[0], counts[1])):
            first = await find(name, 1674)
            assert (first.fingerprint, first.tables, first.people) == (KEY, 3, 5)
            async with announced(name, 1675, OTHER, lambda: (0, 0)):
                second = await find(name, 1675)
                assert second.name == f"{name}-2"
                counts[0] = 4
                assert (await find(name, 1674, lambda found: found.tables == 4)).name == name
        assert not [found for found in await look() if found.name.startswith(name)]


@real_network
@pytest.mark.parametrize("has_successor", [False, True])
async def test_server_with_a_successor_does_not_say_that_it_is_gone(
    monkeypatch: pytest.MonkeyPatch, has_successor: bool
) -> None:
    """One that ends does; the successor's announcement is of the same name and port."""
    farewells: list[object] = []
    real = Zeroconf.generate_unregister_all_services

    def noted(self: Zeroconf) -> None:
        farewells.append(real(self))

    monkeypatch.setattr(Zeroconf, "generate_unregister_all_services", noted)
    async with announced("Successor", 1674, KEY, lambda: (0, 0)) as made:
        await find("Successor", 1674)
        made.has_successor = has_successor
    assert any(farewell is not None for farewell in farewells) == (not has_successor)
