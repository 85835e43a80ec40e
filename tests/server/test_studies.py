"""Analysis and practice of games whose perfect play is not known, asked for over the wire."""

import pytest

from put_protocol.codecs import FRAMES, LINES
from put_protocol.messages import Analyse, Drill, Ok, OpenTable, Refused, Sit
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState
from tests.transport.sockets import ServerHarness, SocketPeer, running_server

KNOWN = "put-1674, put-1800, put-parlett"
OTHERS = {"triomphe-forcee": 4, "primero": 3}


async def played(harness: ServerHarness, game: str, seats: int) -> list[SocketPeer]:
    """The players of a sitting of one hand, in which everyone takes what is listed first, to its end."""
    players = [await harness.guest(f"Player {seat}", (FRAMES, LINES)[seat % 2]) for seat in range(seats)]
    await players[0].ask(lambda n: OpenTable(n, game, seats=seats, options={"hands": 1}))
    for player in players:
        assert isinstance(await player.ask(lambda n: Sit(n, 1)), Ok)
    table = harness.server.dispatcher.lobby.tables[1]  # type: ignore[index]  # a number is a number
    while table.state is TableState.PLAYING:
        mover, decision = await harness.asked(players)
        assert isinstance(await mover.act(decision), Ok)
    return players


@pytest.mark.parametrize(("game", "seats"), OTHERS.items())
async def test_analysis_of_another_family_is_refused_in_a_clear_sentence(game: str, seats: int) -> None:
    """It names the game, and those of which perfect play is known; everyone stays."""
    async with running_server() as harness:
        for player in await played(harness, game, seats):
            refused = await player.ask(lambda n: Analyse(n, 1))
            assert isinstance(refused, Refused)
            assert refused.code is RefusalCode.NOT_SOLVED
            assert refused.says == f"perfect play is not known for {game}; it is known, for two players, for {KNOWN}"
            assert isinstance(await player.ask(lambda n: Drill(n, "put-1674")), Ok)


@pytest.mark.parametrize("game", [*OTHERS, "put-partners", "truc"])
async def test_practice_of_what_is_not_solved_is_refused_in_a_clear_sentence(game: str) -> None:
    """The same, whether it is ever played by two or not."""
    async with running_server() as harness:
        ann = await harness.guest("Ann")
        refused = await ann.ask(lambda n: Drill(n, game))
        assert isinstance(refused, Refused)
        assert refused.code is RefusalCode.NOT_SOLVED
        assert refused.says == f"perfect play is not known for {game}; it is known, for two players, for {KNOWN}"


async def test_number_of_players_is_the_reason_where_it_is() -> None:
    """Put of three is not solved; Put of two is."""
    async with running_server() as harness:
        players = await harness.game(FRAMES, FRAMES, FRAMES, options={"target": 1})
        table = harness.server.dispatcher.lobby.tables[1]  # type: ignore[index]  # a number is a number
        while table.state is TableState.PLAYING:
            mover, decision = await harness.asked(players)
            assert isinstance(await mover.act(decision), Ok)
        refused = await players[0].ask(lambda n: Analyse(n, 1))
        assert isinstance(refused, Refused)
        assert refused.says == "perfect play is not known for put-1674 with 3 players, only with two"
