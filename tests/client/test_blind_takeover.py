"""Two connections of one player in a blind game: the older one sleeps while the newer one plays, and wakes up late."""

import asyncio
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from put_client.places import state_folder
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import CheckFailed, DealWarning, ElapsedClock, News
from put_client.sdk.errors import ClientError, Disconnected
from put_client.sdk.session_store import GameKey, KeyMemory, SessionLock
from put_client.sdk.table_check import TableCheck
from put_client.sdk.wire import Received, Wire
from put_protocol.blind.party import deal_entry
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_events import BlindBegun, BlindEntry, PartMissed
from put_protocol.games.put import GameEnded, Play
from put_protocol.messages import Act, Blind, ClientMessage, Decision, Events, Ok, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import LeftGame, TimedOut
from put_server.table import blind_runner
from put_server.table.table_effects import RequestRefused
from tests.client.checking_players import Noting, close, guest, house, look_on, soon
from tests.client.test_blind_attacks import ANN, INFO, Told
from tests.client.test_blind_tables import assert_proved
from tests.protocol.blind.blind_table import SERVER_KEY, in_turn, secret_of
from tests.repetitions import some

MOLL = Seat(0)

STEPS = {"shuffle": (Kind.SHUFFLE,), "shares": (Kind.SHARES,), "act": (Kind.ACT, Kind.SHOW)}

WAKINGS = [*product(STEPS, ("late", "unheard", "repeated"))]
"""The suite tries each step, and each way to wake, once."""


class Sleeper:
    """The older connection of a client. It falls asleep as it sends a step: from then on it hears nothing."""

    def __init__(self, client: Client, kinds: tuple[Kind, ...], waking: str, patch: pytest.MonkeyPatch) -> None:
        """`waking`: "late": the step leaves it only when it wakes; "unheard": it left, and was not answered;
        "repeated": the same, and its connection is lost, so that it asks again."""
        self.asleep, self.awake = asyncio.Event(), asyncio.Event()
        self.step: Any = None
        self.shares: dict[int, set[bytes]] = defaultdict(set)
        """Shares of each deal that any connection of this player sent."""
        self._wire = client._wire.current
        self._kinds, self._waking = kinds, waking
        self._kept: list[Received | None] = []
        self._send, self._receive = Wire.send, Wire.receive
        # A bound method would not be given the wire.
        patch.setattr(Wire, "send", lambda wire, message: self._sending(wire, message))  # noqa: PLW0108
        patch.setattr(Wire, "receive", lambda wire: self._receiving(wire))  # noqa: PLW0108

    def _sending(self, wire: Wire, message: ClientMessage) -> None:
        if isinstance(message, Act | Blind) and message.entry:
            entry = Entry.parse(message.entry)
            if entry.author == MOLL and entry.kind is Kind.SHARES:
                self.shares[entry.deal].add(entry.body)
            if wire is self._wire and entry.kind in self._kinds and not self.asleep.is_set():
                self.step = message
                self.asleep.set()
                if self._waking == "late":
                    return
        self._send(wire, message)

    async def _receiving(self, wire: Wire) -> Received | None:
        if wire is not self._wire:
            return await self._receive(wire)
        if not self._kept:
            self._kept.append(await self._receive(wire))
        if self.asleep.is_set():
            await self.awake.wait()
            if self._waking == "repeated":
                return None
        return self._kept.pop()

    def wake(self) -> None:
        if self._waking == "late":
            self._send(self._wire, self.step)
        self.awake.set()


async def play_on(client: Noting, table: int, at: int) -> None:
    """Play the first card, or the last, until the game is over."""
    async for message in client:
        if isinstance(message, Decision):
            actions = [choice.action for choice in message.legal]
            cards = [action for action in actions if isinstance(action, Play)]
            await client.act(table, message.decision, (cards or actions)[at])
        if client.all_of(GameEnded):
            return


async def has_heard_after(client: Noting, seen: int) -> None:
    """Moll's next entry, after so many others."""
    while not any(
        (entry := Entry.parse(event.entry)).author == MOLL and entry.seen >= seen for event in client.all_of(BlindEntry)
    ):
        client._came.clear()
        await client._came.wait()


def refused_entries(patch: pytest.MonkeyPatch) -> list[str]:
    """The reasons for which the server refuses entries from now on, by their names in the catalogue."""
    reasons: list[str] = []
    refused = blind_runner._bad_entry

    def note(message: str, **arguments: Any) -> RequestRefused:
        reasons.append(message)
        return refused(message, **arguments)

    patch.setattr(blind_runner, "_bad_entry", note)
    return reasons


@pytest.mark.parametrize(("step", "waking"), some(WAKINGS, 4))
async def test_older_connection_that_wakes_late_takes_no_part(
    step: str, waking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its step comes after the newer one has done it; or it was taken before, and the newer one is told so. Either way
    it is taken once, the game goes on to its end, no player has missed anything, and the older one is told why it ends.
    """
    async with house() as server:
        older, nan = await guest(server, "Moll"), await guest(server, "Nan")
        table = await older.open_table("put-1674", options={"dealing": "blind", "pack": 28, "target": 3})
        sleeper, reasons = Sleeper(older, STEPS[step], waking, monkeypatch), refused_entries(monkeypatch)
        sleeping, playing = [asyncio.ensure_future(play_on(client, table, 0)) for client in (older, nan)]
        await older.sit(table)
        await nan.sit(table)
        await sleeper.asleep.wait()
        seen = Entry.parse(sleeper.step.entry).seen
        if waking != "late":
            await has_heard_after(nan, seen)
        newer = await Noting.connect(
            "127.0.0.1",
            server.port,
            token=older.token,
            incarnation=older.incarnation,
            keys=KeyMemory(dict(older.keys.games)),
            is_bot=True,
            waits=soon,
        )
        playing_on = asyncio.ensure_future(play_on(newer, table, -1))
        await has_heard_after(nan, seen)
        sleeper.wake()
        with pytest.raises(ClientError):
            await sleeping
        with pytest.raises(Disconnected, match=r"came back by another connection|a later hello of yours") as ended:
            await look_on(older)
        assert ended.value.code == "taken_over"
        await asyncio.gather(playing, playing_on)
        entries = [Entry.parse(event.entry) for event in nan.all_of(BlindEntry)]
        parts = [
            (one.author, one.kind, one.deal) for one in entries if one.kind in (Kind.KEY, Kind.SHUFFLE, Kind.SHARES)
        ]
        assert len(parts) == len(set(parts))
        assert all(len(bodies) == 1 for bodies in sleeper.shares.values())
        assert len(sleeper.shares) > 1
        for client in (newer, nan):
            assert_proved(client)
            assert client.all_of(PartMissed) == client.all_of(TimedOut) == client.all_of(LeftGame) == []
        # The shuffle of a deal that is to come may cross the end of the game, which then awaits none.
        assert set(reasons) <= {"refused-entry-no-deal"}
        assert server.dispatcher.meters.refused.keys() <= {RefusalCode.BAD_ENTRY}
        await close(newer, nan)


class Connection:
    """What a client makes of one connection of Ann's, and asks for on it."""

    def __init__(self, memory: KeyMemory, *, ends_by_warning: bool = False) -> None:
        self.asked: list[bytes] = []
        self.failed: list[str] = []
        self.warned: list[str] = []
        self._ends_by_warning = ends_by_warning
        self._done = asyncio.Event()
        self.check = TableCheck(
            TableSnapshot(1, ANN, 0, INFO),
            "here",
            memory,
            ask=self._ask,
            deliver=self._note,
            clock=ElapsedClock(),
            before=Counter(),
        )

    async def _ask(self, make: Any) -> Ok:
        if isinstance(request := make(1), Blind):
            self.asked.append(request.entry)
        self._done.set()
        return Ok(1)

    def _note(self, news: tuple[News, ...]) -> None:
        for one in news:
            match one:
                case CheckFailed(error=error):
                    self.failed.append(str(error))
                    self._done.set()
                case DealWarning(says=says):
                    self.warned.append(says)
                    if self._ends_by_warning:
                        self._done.set()
                case _:
                    pass

    async def hear(self, told: Told, owners: list[Seat | None]) -> None:
        """All up to the deal, at once; returns when it has done something."""
        server = told.fork()
        server.order(deal_entry(server.game, SERVER_KEY, owners))
        events = (BlindBegun(server.terms.encoded), *[BlindEntry(*one) for one in server.told])
        self.check.read(Events(1, 1, events))
        async with asyncio.timeout(30):
            await self._done.wait()
        self.check.stop()


@pytest.mark.parametrize("is_other", [False, True])
async def test_newer_connection_gives_shares_of_no_other_deal(*, is_other: bool) -> None:
    """The older one gave its shares of a deal. The newer one, of a program that has only the file, gives the same
    again; told the same deal with the places of others, it gives none, and says why."""
    told = Told()
    told.begin()
    told.settle()
    owners = in_turn(2, 6)
    lock = SessionLock.take("here", "Ann")
    assert lock is not None
    lock.leave("a token", 1, memory_of(told))
    older = Connection(lock.keys)
    await older.hear(told, owners)
    lock.let_go()
    again = SessionLock.take("here", "Ann")
    assert again is not None
    newer = Connection(again.keys)
    await newer.hear(told, owners[::-1] if is_other else owners)
    again.let_go()
    assert [Entry.parse(entry).kind for entry in older.asked] == [Kind.SHARES]
    assert older.failed == []
    if is_other:
        assert newer.asked == []
        (says,) = newer.failed
        assert "Deal 1 was told otherwise before, when you gave your part of it." in says
    else:
        assert (newer.asked, newer.failed) == (older.asked, [])


def memory_of(told: Told) -> KeyMemory:
    """Ann's, when she has told her key."""
    return KeyMemory({1: GameKey(told.server.terms.hash, secret_of(0))})


def disk_is_full() -> Path:
    """The file of the one session cannot be replaced from now on; returns it."""
    (path,) = state_folder().glob("*.json")
    path.with_suffix(".new").mkdir()  # so it cannot be written
    return path


def before_deal() -> tuple[Told, SessionLock]:
    told = Told()
    told.begin()
    told.settle()
    lock = SessionLock.take("here", "Ann")
    assert lock is not None
    lock.leave("a token", 1, memory_of(told))
    return told, lock


async def test_client_whose_disk_is_full_leaves_no_key_to_the_next() -> None:
    """It plays on, and says so. The next program, told the same deal with the places of others, has no key to give
    shares with. When there is room the whole is kept again."""
    told, lock = before_deal()
    owners = in_turn(2, 6)
    path = disk_is_full()
    older = Connection(lock.keys)
    await older.hear(told, owners)
    assert [Entry.parse(entry).kind for entry in older.asked] == [Kind.SHARES]
    assert older.warned == ["Your session can no longer be stored here. If this program ends, your hand is lost."]
    assert not path.exists()
    lock.let_go()
    after = SessionLock.take("here", "Ann")
    assert after is not None
    newer = Connection(after.keys)
    after.let_go()
    server = told.fork()
    server.order(deal_entry(server.game, SERVER_KEY, owners[::-1]))
    newer.check.read(Events(1, 1, (BlindBegun(server.terms.encoded), *[BlindEntry(*one) for one in server.told])))
    assert newer.check._blind.has_lost_key
    newer.check.stop()
    path.with_suffix(".new").rmdir()
    game = lock.keys.games[1].game
    assert lock.keys.keep(1, game, 2, "the next")
    assert lock.keys.is_kept
    again = SessionLock.take("here", "Ann")
    assert again is not None
    assert again.keys.games == {1: GameKey(game, secret_of(0), 2, "the next")}
    again.let_go()


async def test_client_that_can_note_nothing_gives_no_shares() -> None:
    """Its file can be neither replaced nor removed: a later program would have the key, and not know the deal."""
    told, lock = before_deal()
    path = disk_is_full()
    path.unlink()
    path.mkdir()  # so it cannot be removed
    client = Connection(lock.keys, ends_by_warning=True)
    await client.hear(told, in_turn(2, 6))
    assert (client.asked, client.failed, lock.keys.games) == ([], [], memory_of(told).games)
    assert client.warned == [
        "Your part of the deal is not given: it cannot be noted here, so a later program might give another."
    ]
    lock.let_go()


async def test_copy_of_the_memory_knows_what_was_shared_before_it_was_made() -> None:
    """A later copy gives no other shares. An earlier one does: nothing that it is told could tell it better, as
    docs/fair-dealing.md says."""
    told, lock = before_deal()
    owners = in_turn(2, 6)
    before = KeyMemory(dict(lock.keys.games))
    first = Connection(lock.keys)
    await first.hear(told, owners)
    later = Connection(KeyMemory(dict(lock.keys.games)))
    await later.hear(told, owners[::-1])
    assert later.asked == []
    assert "told otherwise before" in later.failed[0]
    earlier = Connection(before)
    await earlier.hear(told, owners[::-1])
    assert [Entry.parse(entry).kind for entry in earlier.asked] == [Kind.SHARES]
    lock.let_go()
