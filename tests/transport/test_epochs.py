"""A journal put back to an earlier moment: who was told more proves it, is told so, and is shown everything anew."""

import logging
import shutil
from pathlib import Path

import pytest

from put_protocol.codecs import FRAMES
from put_protocol.messages import Events, Goodbye, Hello, Notice, Ok, Say, TableSnapshot, Welcome
from put_server.lobby.presence import REMEMBERED, Epochs
from tests.transport.sockets import ServerHarness, SocketPeer, running_server


async def returned(harness: ServerHarness, was: SocketPeer) -> SocketPeer:
    """Somebody comes back with all they know of their former connection."""
    back = await harness.call()
    back.client.follow_from(was.client.seen)
    welcome = await was.until(Welcome)
    await back.hello(token=was.token, seen=was.client.seen, epoch=welcome.epoch)
    return back


async def say(peer: SocketPeer, *texts: str) -> None:
    for text in texts:
        assert isinstance(await peer.ask(lambda n, text=text: Say(n, 1, text)), Ok)  # type: ignore[misc]


async def test_restart_without_a_loss_is_nothing_to_tell(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each start has a greater number; what was missed comes as ever."""
    async with running_server(data=str(tmp_path)) as harness:
        ann, _ = await harness.game(FRAMES, FRAMES)
        await say(ann, "one")
        first = (await ann.until(Welcome)).epoch
        assert first
    async with running_server(data=str(tmp_path)) as harness:
        back = await returned(harness, ann)
        assert (await back.until(Welcome)).epoch > first
        await back.until(Events)
        await say(back, "two")
        assert not [message for message in back.messages if isinstance(message, Notice | TableSnapshot)]
    assert "lost" not in caplog.text


@pytest.mark.parametrize("goes_on", [False, True])
async def test_lost_play_is_proved_by_who_saw_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, goes_on: bool
) -> None:
    """Also when the numbers were used again meanwhile, for other events, so that they prove nothing by themselves."""
    kept, lost = tmp_path / "kept", tmp_path / "lost"
    async with running_server(data=str(kept)) as harness:
        players = await harness.game(FRAMES, FRAMES)
        token = players[0].token
    async with running_server(data=str(kept)) as harness:
        pass
    shutil.copytree(kept, lost)
    async with running_server(data=str(lost)) as harness:
        ann = await harness.call()
        await ann.hello(token=token)
        await ann.until(TableSnapshot)
        await say(ann, "one", "two", "three")
    caplog.set_level(logging.ERROR)
    async with running_server(data=str(kept)) as harness:
        if goes_on:
            ben = await harness.call()
            await ben.hello(token=players[1].token)
            await ben.until(TableSnapshot)
            await say(ben, *"abcdefgh")
        back = await harness.call()
        back.client.follow_from(ann.client.seen)
        epoch = (await ann.until(Welcome)).epoch
        await back.hello(token=token, seen=ann.client.seen, epoch=epoch)
        assert "lost" in (await back.until(Notice)).says
        await back.until(TableSnapshot)
        await say(back, "going on")
    assert "acknowledged play was lost: Player 0 was told" in caplog.text


async def test_person_who_was_lost_is_told_why(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Their token is unknown because the start in which they got it is."""
    async with running_server(data=str(tmp_path)) as harness:
        await harness.guest("Ann")
    async with running_server(data=str(tmp_path)) as harness:
        known = harness.server.dispatcher.lobby.epochs.current
        stranger = await harness.call()
        stranger.send(Hello(2, token="another", epoch=known - 1))
        goodbye = await stranger.over()
        assert isinstance(goodbye, Goodbye)
        assert "ended" in goodbye.says or "lost" in goodbye.says
        lost = await harness.call()
        lost.send(Hello(2, token="another", epoch=known + 1))
        goodbye = await lost.over()
        assert isinstance(goodbye, Goodbye)
        assert goodbye.refusal == "bad_token"
        assert "the server has lost a part of what it kept" in goodbye.says
    assert f"a client has a token of start {known + 1}" in caplog.text


def test_only_a_start_that_ought_to_be_known_is_lost() -> None:
    """One that is too long ago is not; nor is any where starts are not counted."""
    epochs = Epochs()
    assert not epochs.is_lost(7)
    for epoch in range(100, 100 + 2 * REMEMBERED, 2):
        epochs.begin(epoch)
    assert epochs.current == 98 + 2 * REMEMBERED
    assert not epochs.is_lost(99)
    assert not epochs.is_lost(102)
    assert epochs.is_lost(103)
    assert epochs.is_lost(10_000)
    assert epochs.is_last(98 + 2 * REMEMBERED)
    assert epochs.is_last(96 + 2 * REMEMBERED)
    assert not epochs.is_last(100)
