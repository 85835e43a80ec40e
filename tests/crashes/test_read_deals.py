"""A server killed, and taken over from, at each step of a deal that it reads: in a hand, and in a renewed stock."""

import asyncio
from collections.abc import Callable, Container, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_events import BlindEntry
from put_protocol.games import primero
from put_protocol.games.unions import Action, Choice, Event
from put_rules.record import Chance
from put_server.table.blind_deals import _key_of
from put_server.transport.shuffler import Shuffler
from tests.crashes.campaigns import files, recorded_games, secrets_left
from tests.crashes.disturbances import ServerProcess
from tests.crashes.scripted_bots import Programme, Progress, check, play, seat_bots
from tests.repetitions import some

SEED = 1674
HAND = 2
"""The number of its deal; the first is the draw for the deal."""

STEPS = (Kind.SHUFFLE, Kind.DEAL, Kind.SHARES)
OF_HAND = (Kind.DEAL, Kind.SHARES)
"""Those at which the server has the secret by which the deal is read."""
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

    def stocks(self) -> set[int]:
        return {deal for kind, deal in self.told if kind is Kind.RENEW}

    async def until_told(self, kind: Kind, deal: int = 0, *, but: Callable[[], Container[int]] = tuple) -> int:
        """The number of the first deal from this one on, not among `but`, of which somebody was told such a step."""
        while not (
            found := [number for one, number in self.told if one is kind and number >= deal and number not in but()]
        ):
            assert not self.is_over, f"{kind.name} never came"
            self._moved.clear()
            await self._moved.wait()
        return min(found)


def reading_secrets(deal: int) -> set[bytes]:
    """The secret by which the server reads a deal of the first game, and what its key is made of."""
    chance = Chance(Shuffler(SEED).secret(deal=(1, 1, deal)))
    key = _key_of(chance, "reading key")
    assert key is not None
    return {chance.secret, key.seed, key.secret.to_bytes(32, "big")}


def is_on_disk(deal: int, data: Path) -> bool:
    raw = files(data)
    return any(secret in raw for secret in reading_secrets(deal))


PROGRAMMES = (
    Programme(seed=SEED, tables=(("put-partners", 4),), games=1, holds_keys=True, options={"target": 3, "pack": 28}),
    Programme(seed=SEED, tables=(("triomphe-forcee", 4),), games=1, holds_keys=True, options={"hands": 2}),
    Traders(seed=SEED, tables=(("primero", SEATS),), games=1, holds_keys=True, options={"hands": 2}),
)
CASES = [(programme, is_killed) for is_killed in (False, True) for programme in PROGRAMMES]
"""The suite tries the first, taken over from, and the last, killed."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("programme", "is_killed"),
    some(CASES, len(CASES) - 1),
    ids=lambda given: ("killed" if given else "taken over from") if isinstance(given, bool) else given.tables[0][0],
)
async def test_crash_at_each_step_of_a_read_deal_leaves_no_doubt(
    programme: Programme, is_killed: bool, tmp_path: Path
) -> None:
    """By SIGKILL, or by another process that takes over: the game ends, nobody finds anything wrong, every player finds
    deals proved. What a deal is read by is on the disk while its hand is in play, and not when the next is dealt."""
    server = ServerProcess(tmp_path, SEED)
    await server.start()

    async def disturb(*in_play: int) -> None:
        if is_killed:
            await server.kill()
            assert all(is_on_disk(deal, tmp_path) for deal in in_play)
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
                    await disturb(*[HAND] * (kind in OF_HAND))
                if isinstance(programme, Traders):
                    stock = await progress.until_told(Kind.RENEW)
                    for kind in (Kind.RENEW, *STEPS):
                        await progress.until_told(kind, stock)
                        await disturb(HAND, *[stock] * (kind in OF_HAND))
                later = await progress.until_told(Kind.DEAL, HAND + 1, but=progress.stocks)
                await disturb(later)
                await progress.until_told(Kind.SHARES, later)
                over = {HAND, *progress.stocks()}
                assert not is_killed or not any(is_on_disk(deal, tmp_path) for deal in over)
        await server.stop()
    finally:
        await server.kill()
    check(programme, bots, recorded_games(tmp_path))
    assert not secrets_left(SEED, tmp_path)
    assert not any(is_on_disk(deal, tmp_path) for _, deal in progress.told)
