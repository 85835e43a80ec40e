"""Hellos that arrive late: sent on a connection that its client gave up, and overtaken by that of the next."""

from pathlib import Path

import pytest

from put_protocol.codecs import FRAMES
from put_protocol.messages import Events, Goodbye, Hello, Ok, Refused, Say, ServerMessage, Welcome
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import Said
from tests.transport.sockets import ServerHarness, SocketPeer, running_server

JOURNALS = pytest.mark.parametrize("is_kept", [False, True])


def place(tmp_path: Path, is_kept: bool) -> str:
    return str(tmp_path) if is_kept else ":memory:"


def said(peer: SocketPeer) -> list[str]:
    """Everything said at the table, as this peer was told."""
    events = [event for message in peer.messages if isinstance(message, Events) for event in message.events]
    return [event.text for event in events if isinstance(event, Said)]


def answers(messages: list[ServerMessage], request: int) -> list[Ok | Refused]:
    return [message for message in messages if isinstance(message, Ok | Refused) and message.id == request]


async def back(harness: ServerHarness, token: str, incarnation: int, asked: tuple[int, ...] = ()) -> SocketPeer:
    """Somebody comes back by a new connection."""
    peer = await harness.call()
    welcome = await peer.hello(token=token, incarnation=incarnation, asked=asked)
    assert welcome.incarnation == incarnation
    return peer


@JOURNALS
async def test_late_hello_leaves_the_live_connection_alone(tmp_path: Path, is_kept: bool) -> None:
    """A connects in silence, B comes back, A's hello arrives: A is refused, and B plays on."""
    async with running_server(data=place(tmp_path, is_kept)) as harness:
        ann, ben = await harness.game(FRAMES, FRAMES)
        late = await harness.call()
        ann.cut()
        live = await back(harness, ann.token, 3)
        late.send(Hello(2, token=ann.token, incarnation=2))
        goodbye = await late.over()
        assert goodbye == Goodbye("taken_over", "a later hello of yours came before this one")
        assert isinstance(await live.ask(lambda n: Say(n, 1, "still here")), Ok)
        await ben.until(Events, lambda m: any(isinstance(e, Said) for e in m.events))
        assert not [message for message in live.messages if isinstance(message, Goodbye)]


@JOURNALS
async def test_request_behind_a_late_hello_is_not_carried_out(tmp_path: Path, is_kept: bool) -> None:
    """B was told that it was not, and asked again. So it may not be carried out when A's bytes arrive after all."""
    async with running_server(data=place(tmp_path, is_kept)) as harness:
        ann, ben = await harness.game(FRAMES, FRAMES)
        late = await harness.call()
        ann.cut()
        live = await back(harness, ann.token, 3, asked=(7,))
        (refused,) = answers([await live.until(Refused)], 7)
        assert isinstance(refused, Refused)
        assert refused.code == RefusalCode.NOT_CARRIED_OUT
        live.send(Say(8, 1, "good evening"))
        late.send(Hello(2, token=ann.token, incarnation=2), Say(7, 1, "good evening"))
        await late.over()
        live.send(Say(9, 1, "that was all"))
        await ben.until(Events, lambda m: any(isinstance(e, Said) and e.text == "that was all" for e in m.events))
        assert said(ben) == ["good evening", "that was all"]


@JOURNALS
async def test_late_hello_forgets_no_answer(tmp_path: Path, is_kept: bool) -> None:
    """What was carried out on B's connection is answered with its ok when C asks after it, though A's hello came in
    between, which did not."""
    async with running_server(data=place(tmp_path, is_kept)) as harness:
        ann, ben = await harness.game(FRAMES, FRAMES)
        late = await harness.call()
        ann.cut()
        live = await back(harness, ann.token, 3)
        live.send(Say(8, 1, "once"))
        await ben.until(Events, lambda m: any(isinstance(e, Said) for e in m.events))
        late.send(Hello(2, token=ann.token, incarnation=2))
        await late.over()
        live.cut()
        again = await back(harness, ann.token, 4, asked=(8,))
        assert await again.until(Ok) == Ok(8)
        assert said(ben) == ["once"]


@JOURNALS
@pytest.mark.parametrize("incarnation", [1, 2])
async def test_incarnation_survives_a_restart(tmp_path: Path, is_kept: bool, incarnation: int) -> None:
    """The greatest number is part of what is kept: a hello that is late by a whole restart is late."""
    async with running_server(data=str(tmp_path)) as harness:
        ann, _ = await harness.game(FRAMES, FRAMES)
        live = await back(harness, ann.token, 2)
        if is_kept:  # in a checkpoint; else in records
            harness.server.dispatcher.compact()
        await live.ask(lambda n: Say(n, 1, "on disk"))
    async with running_server(data=str(tmp_path)) as harness:
        late = await harness.call()
        late.send(Hello(2, token=ann.token, incarnation=incarnation))
        goodbye = await late.over()
        assert goodbye is not None
        assert goodbye.code == "taken_over"
        await back(harness, ann.token, 3)


async def test_who_does_not_count_takes_over_as_ever() -> None:
    """The hello that arrives last wins, and gets the next number, from which a client that counts goes on."""
    async with running_server() as harness:
        ann = await harness.guest("Ann")
        assert (await ann.until(Welcome)).incarnation == 1
        for number in (2, 3):
            peer = await harness.call()
            assert (await peer.hello(token=ann.token)).incarnation == number
        assert (await ann.over()) == Goodbye("taken_over", "you came back by another connection")
        await back(harness, ann.token, 4)
