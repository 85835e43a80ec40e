"""A server killed in a hand of Primero, when the stock has run out and a new one is being sealed and drawn from."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from put_client.fairness.verify import lines_of, verify
from put_protocol.games import primero
from put_protocol.games.unions import Action, Choice
from put_server.settings import Settings
from put_server.subcommands import COMMANDS
from put_text.notation import Sheet, read
from tests.crashes.campaigns import recorded_games, secrets_left
from tests.crashes.disturbances import ServerProcess
from tests.crashes.scripted_bots import Programme, Progress, check, play, seat_bots
from tests.seal.test_verifiers import needs_node, verified

SEATS = 6
SEED = 1674

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


def sheet_of(data: Path, viewer: str) -> Sheet:
    """The game as this viewer saw it, from what the server has kept."""
    shown = COMMANDS["show"].run(Settings(data=str(data)), Namespace(id=1, viewer=viewer))
    return read("\n".join(shown))


@needs_node
@pytest.mark.timeout(120)
async def test_crash_in_a_renewed_stock_leaves_no_doubt(tmp_path: Path) -> None:
    """Killed as soon as anybody is told of the new stock, and after the next draw: the hand goes on to its end, and to
    each player and the gallery both verifiers prove the draw for the deal, the hand and the stock."""
    programme = Traders(seed=SEED, tables=(("primero", SEATS),), games=1, is_sealed=True, options={"hands": 1})
    data = tmp_path / "data"
    server = ServerProcess(data, SEED)
    await server.start()
    try:
        async with AsyncExitStack() as stack:
            progress = Progress()
            bots = await seat_bots(programme, server.port, progress, stack)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play(bots, progress))
                assert await progress.until(primero.StockRenewed)
                for _ in range(2):
                    await server.kill()
                    await server.start()
                    await progress.after(1)
        await server.stop()
    finally:
        await server.kill()
    check(programme, bots, recorded_games(data))
    assert not secrets_left(SEED, data)
    told = []
    for viewer in ("gallery", *programme.names(1)):
        sheet = sheet_of(data, viewer)
        assert any(isinstance(event, primero.StockRenewed) for step in sheet.steps for event in step.events)
        verdict = verify(sheet)
        assert verdict.is_proved
        assert any(", a new stock: " in says for says in verdict.says)
        told.append(tmp_path / f"{viewer}.jsonl")
        told[-1].write_bytes(b"".join(line + b"\n" for line in lines_of(sheet)))
    other = verified(*told)
    assert other["status"] == 0
    assert [(viewer["findings"], viewer["proved"]) for viewer in other["viewers"]] == [([], 3)] * len(told)
