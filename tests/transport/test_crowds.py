"""Attacks on places, passcodes and guests, as bytes through a real server with the usual settings, from an address that
is not exempt."""

from pathlib import Path
from typing import Any

from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_server.lobby.policy import EDITION
from put_server.settings import Settings
from put_server.table.table_effects import TableId
from tests.transport.sockets import SocketPeer, running_server

OPEN_TO_ALL: dict[str, Any] = {"exempt": Settings().exempt}
"""As usual: nobody is exempt, on loopback neither."""


async def pair_up(one: SocketPeer, two: SocketPeer, **fields: Any) -> int:
    """Open a table and sit down at it."""
    answer = await one.ask(lambda n: messages.OpenTable(n, "put-1674", **fields))
    assert isinstance(answer, messages.Ok), answer
    table = answer.table
    assert table is not None
    for player in (one, two):
        assert isinstance(await player.ask(lambda n: messages.Sit(n, table)), messages.Ok)
    return table


async def test_crowd_that_hangs_up_keeps_nobody_out(tmp_path: Path) -> None:
    """Guests with banks of a day fill people and tables and hang up. Whoever comes gets in, opens a table and plays;
    also when the server was killed and restarted in between."""
    settings: dict[str, Any] = {"most_people": 16, "most_tables": 6, "exempt": "127.0.0.1", "data": str(tmp_path)}
    async with running_server(**settings) as harness:
        for number in range(6):
            left, right = await harness.guest(f"Left {number}"), await harness.guest(f"Right {number}")
            await pair_up(left, right, bank=86_400)
            left.cut()
            right.cut()
        await harness.guest("Looker")
        harness.advance(3_600_000)
        assert len(harness.server.dispatcher.lobby.tables) == 6
    async with running_server(**settings) as harness:
        harness.advance(1)
        for number in range(6):
            one, two = await harness.guest(f"One {number}"), await harness.guest(f"Two {number}")
            table = await pair_up(one, two)
            assert harness.server.dispatcher.lobby.tables[TableId(table)].model.is_playing
        names = {person.name for person in harness.server.dispatcher.lobby.people.values() if person.is_here}
        assert len(names) == 12


async def test_people_from_one_address_stop_at_their_quota() -> None:
    """One more is told why; and once somebody hangs up, there is room again."""
    async with running_server(most_people_per_address=3, **OPEN_TO_ALL) as harness:
        guests = [await harness.guest(f"Guest {number}") for number in range(3)]
        late = await harness.call()
        late.send(messages.Hello(2, "Late"))
        goodbye = await late.over()
        assert goodbye is not None
        assert goodbye.refusal == RefusalCode.SERVER_FULL
        assert "from your address" in goodbye.says
        guests[0].send(messages.Bye())
        await guests[0].over()
        await harness.guest("Later")
        back = await harness.call()
        await back.hello(token=guests[1].token)


async def test_most_crowded_network_gives_up_a_place(tmp_path: Path) -> None:
    """A full server sends away one of its most crowded /24, who sits at no game in play, with a goodbye; the newcomer
    is in, and those who play go on."""
    async with running_server(most_people=6, data=str(tmp_path), **OPEN_TO_ALL) as harness:
        pair = [await harness.guest(f"Player {number}", address=f"127.5.5.{number + 1}") for number in range(2)]
        await pair_up(*pair)
        crowd = [await harness.guest(f"Crowd {number}", address=f"127.5.5.{number + 7}") for number in range(4)]
        late = await harness.guest("Late", address="127.6.6.1")
        assert await crowd[0].over() == messages.Goodbye(
            "kicked", "the server is full, and your place went to a person from a network with fewer people here"
        )
        for peer in (*pair, *crowd[1:], late):
            assert isinstance(await peer.ask(messages.Look), messages.Ok)
        assert harness.server.dispatcher.lobby.tables[TableId(1)].model.is_playing


async def test_tables_from_one_address_stop_at_their_quota() -> None:
    """However many people open them."""
    async with running_server(most_tables_per_address=2, **OPEN_TO_ALL) as harness:
        guests = [await harness.guest(f"Guest {number}") for number in range(3)]
        answers = [await guest.ask(lambda n: messages.OpenTable(n, "put-1674")) for guest in guests]
        assert [isinstance(answer, messages.Ok) for answer in answers] == [True, True, False]
        assert isinstance(answers[2], messages.Refused)
        assert answers[2].code == RefusalCode.SERVER_FULL


async def test_passcode_is_not_in_any_file_and_does_not_fall(tmp_path: Path) -> None:
    """Neither while the server runs nor after; a guesser is shut out before the right one, and a friend who knows it
    sits down, also after a restart."""
    async with running_server(data=str(tmp_path), **OPEN_TO_ALL) as harness:
        host, friend = await harness.guest("Host"), await harness.guest("Friend")
        opened = await host.ask(lambda n: messages.OpenTable(n, "put-1674", seats=4, passcode="sesame-4711"))
        assert isinstance(opened, messages.Ok)
        await host.ask(lambda n: messages.Sit(n, 1))
        sat = await friend.ask(lambda n: messages.Sit(n, 1, passcode="sesame-4711"))
        assert isinstance(sat, messages.Ok), sat
        assert not _files_with(tmp_path, b"sesame-4711")
        guesser = await harness.guest("Guesser")
        answers = [await guesser.ask(lambda n: messages.Watch(n, 1, f"sesame-{4707 + i}")) for i in range(8)]  # noqa: B023
        assert all(isinstance(a, messages.Refused) and a.code == RefusalCode.WRONG_PASSCODE for a in answers[:4])
    async with running_server(data=str(tmp_path), **OPEN_TO_ALL) as harness:
        other = await harness.guest("Other")
        assert isinstance(await other.ask(lambda n: messages.Watch(n, 1, "sesame-4711")), messages.Ok)
    assert not _files_with(tmp_path, b"sesame-4711")


def _files_with(folder: Path, text: bytes) -> list[Path]:
    return [file for file in folder.iterdir() if file.is_file() and text in file.read_bytes()]


async def test_guesser_is_shut_out_and_the_host_is_warned() -> None:
    """After some wrong passcodes the right one is refused, too, to whoever comes from that address."""
    async with running_server(**OPEN_TO_ALL) as harness:
        host, guesser, another = [await harness.guest(name) for name in ("Host", "Guesser", "Another")]
        await host.ask(lambda n: messages.OpenTable(n, "put-1674", passcode="4711"))
        for wrong in range(5):
            await guesser.ask(lambda n: messages.Watch(n, 1, f"000{wrong}"))  # noqa: B023
        for peer in (guesser, another):
            refused = await peer.ask(lambda n: messages.Watch(n, 1, "4711"))
            assert isinstance(refused, messages.Refused)
            assert refused.retry_after_ms
        notice = await host.until(messages.Notice)
        assert "table 1" in notice.says


def test_settings_have_quotas_unless_told_otherwise() -> None:
    """A server that is just started is guarded."""
    policy = Settings().policy
    assert 0 < policy.people_per_origin < policy.people
    assert 0 < policy.tables_per_origin < policy.tables
    assert policy.patience
    assert policy.edition == EDITION
