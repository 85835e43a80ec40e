"""Two programs of one player: the older one, whose connection was lost unheard, comes back after the newer one."""

import asyncio

import pytest

from put_client.sdk.client import Client
from put_client.sdk.errors import Refusal
from put_client.sdk.wire import Received, Wire
from put_protocol.games.put import GameEnded
from put_protocol.messages import Again, ClientMessage, Say, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import Agreed, Said
from put_server.app import Server
from tests.client.checking_players import Noting, close, guest, house, look_on, soon

MISSED = 5
"""Attempts of the older one to come back that reached no server: its next hello has the greater number."""


class Sleeper:
    """The older connection: a request of this kind does not leave it, and it does not know so."""

    def __init__(self, client: Client, kind: type, patch: pytest.MonkeyPatch) -> None:
        self.client, self.wire, self.kind = client, client._wire.current, kind
        self.asleep = asyncio.Event()
        self.asked: list[ClientMessage] = []
        self._woken = asyncio.Event()
        send, receive = Wire.send, Wire.receive

        def sending(wire: Wire, message: ClientMessage) -> None:
            if isinstance(message, kind):
                self.asked.append(message)
                if wire is self.wire:
                    self.asleep.set()
                    return
            send(wire, message)

        async def receiving(wire: Wire) -> Received | None:
            if wire is not self.wire:
                return await receive(wire)
            received = await receive(wire)
            if not self.asleep.is_set():
                return received
            await self._woken.wait()
            return None

        patch.setattr(Wire, "send", sending)
        patch.setattr(Wire, "receive", receiving)

    def wake(self) -> None:
        """Its connection is found to be lost, and it comes back."""
        self.client._wire.incarnation += MISSED
        self._woken.set()


async def newer_of(older: Client, server: Server) -> Noting:
    """A program that knows the token alone: the server numbers its hello."""
    return await Noting.connect("127.0.0.1", server.port, token=older.token, is_bot=True, waits=soon, keys=older.keys)


async def test_older_program_is_not_answered_for_a_request_of_the_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both number their requests; what the older one asks after was never carried out, and is asked again."""
    async with house() as server:
        older, nan = await guest(server, "Moll"), await guest(server, "Nan")
        sleeper = Sleeper(older, Say, monkeypatch)
        table = await older.open_table("put-1674")
        await older.sit(table)
        await nan.watch(table)
        listening = asyncio.ensure_future(look_on(nan))
        saying = asyncio.ensure_future(older.say(table, "the older one"))
        await sleeper.asleep.wait()
        (asked,) = sleeper.asked
        newer = await newer_of(older, server)
        looking = [asyncio.ensure_future(look_on(newer))]
        for number in range(asked.id):  # type: ignore[union-attr]  # a request has one
            await newer.mute("Nan", on=number % 2 == 0)
        looking.append(asyncio.ensure_future(look_on(older)))
        sleeper.wake()
        await saying
        await nan.say(table, "over")
        while (texts := [said.text for said in nan.all_of(Said)])[-1:] != ["over"]:
            await nan.has_heard(Said, len(texts) + 1)
        assert texts == ["the older one", "over"]
        await close(older, newer, nan)
        await asyncio.gather(listening, *looking, return_exceptions=True)


async def test_older_program_agrees_to_no_later_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newer one agreed to the second game, and played it; the older one's agreement to that comes after it."""
    async with house() as server:
        older, nan = await guest(server, "Moll"), await guest(server, "Nan")
        looking = [asyncio.ensure_future(look_on(client)) for client in (older, nan)]
        sleeper = Sleeper(older, Again, monkeypatch)
        table = await older.open_table("put-1674")
        await older.sit(table)
        await nan.sit(table)
        await nan.resign(table)
        await older.has_heard(GameEnded)
        agreeing = asyncio.ensure_future(older.again(table))
        await sleeper.asleep.wait()
        newer = await newer_of(older, server)
        looking.append(asyncio.ensure_future(look_on(newer)))
        await newer.has_heard(TableSnapshot)
        await newer.again(table)
        await nan.again(table)
        await nan.resign(table)
        await nan.has_heard(GameEnded, 2)
        sleeper.wake()
        with pytest.raises(Refusal, match="the next, which is number 3") as refused:
            await agreeing
        assert refused.value.code == RefusalCode.TOO_LATE
        games = [request.game for request in sleeper.asked if isinstance(request, Again)]
        assert games == [2, 2, 2, 2]
        assert not any(event.seat == 0 for event in nan.all_of(Agreed)[2:])
        await close(older, newer, nan)
        await asyncio.gather(*looking, return_exceptions=True)
