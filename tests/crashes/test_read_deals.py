"""A server killed, and taken over from, at each step of a deal that it reads: in a hand, and in a renewed stock."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_events import BlindEntry
from put_protocol.games import primero
from put_protocol.games.unions import Action, Choice, Event
from tests.crashes.campaigns import recorded_games, secrets_left
from tests.crashes.disturbances import ServerProcess
from tests.crashes.scripted_bots import Programme, Progress, check, play, seat_bots

SEED = 1674
HAND = 2
"""The number of its deal; the first is the draw for the deal."""

STEPS = (Kind.SHUFFLE, Kind.DEAL, Kind.SHARES)
SEATS = 6

FOND_OF = (primero.See, primero.GoOn, primero.Announce, primero.Pass, primero.Trade, primero.Bet)
"""What a player does whenever it can be done, the first before the others."""


class Traders(Programme):
    """Everyone trades as much as they may. The last to speak bets, or the cards would be thrown in. So the 40 cards run
    out: six players hold 24 of them, 10 are laid down at first, and 12 in the end."""

    def choice(self, table: int, decision: int, legal: Sequence[Choice]) -> Action:
        actions = [choice.action for choice in legal]
        fond_of = (primero.Bet,) if decision == SEATS else FOND_OF
        for kind in fond_of:
            if found := [action for action in actions if isinstance(action, kind)]:
                return found[-1]  # the last trade is of two cards
        return actions[0]


class Steps(Progress):
    """Waits for steps of deals."""

    def __init__(self) -> None:
        super().__init__()
        self.told: set[tuple[Kind, int]] = set()

    def hear(self, events: Sequence[Event]) -> None:
        entries = [Entry.parse(event.entry) for event in events if isinstance(event, BlindEntry)]
        self.told |= {(entry.kind, entry.deal) for entry in entries}
        super().hear(events)

    async def until_told(self, kind: Kind, deal: int = 0) -> int:
        """The number of the first deal from this one on of which somebody was told such a step."""
        while not (found := [number for one, number in self.told if one is kind and number >= deal]):
            assert not self.is_over, f"{kind.name} never came"
            self._moved.clear()
            await self._moved.wait()
        return min(found)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "programme",
    [
        Programme(seed=SEED, tables=(("put-partners", 4),), games=1, holds_keys=True, options={"target": 1}),
        Programme(seed=SEED, tables=(("triomphe-forcee", 4),), games=1, holds_keys=True, options={"hands": 1}),
        Traders(seed=SEED, tables=(("primero", SEATS),), games=1, holds_keys=True, options={"hands": 1}),
    ],
    ids=lambda programme: programme.tables[0][0],
)
async def test_crash_at_each_step_of_a_read_deal_leaves_no_doubt(programme: Programme, tmp_path: Path) -> None:
    """By turns by SIGKILL, and by another process that takes over: the game ends, nobody finds anything wrong, every
    player finds deals proved, and no secret stays on the disk."""
    server = ServerProcess(tmp_path, SEED)
    await server.start()
    disturbed = 0

    async def disturb() -> None:
        nonlocal disturbed
        disturbed += 1
        if disturbed % 2:
            await server.kill()
            await server.start()
        else:
            await server.upgrade()

    try:
        async with AsyncExitStack() as stack:
            progress = Steps()
            bots = await seat_bots(programme, server.port, progress, stack)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play(bots, progress))
                for kind in (Kind.KEY, *STEPS):
                    await progress.until_told(kind, 0 if kind is Kind.KEY else HAND)
                    await disturb()
                if isinstance(programme, Traders):
                    stock = await progress.until_told(Kind.RENEW)
                    for kind in (Kind.RENEW, *STEPS):
                        await progress.until_told(kind, stock)
                        await disturb()
        await server.stop()
    finally:
        await server.kill()
    check(programme, bots, recorded_games(tmp_path))
    assert not secrets_left(SEED, tmp_path)
