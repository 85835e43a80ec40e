"""`put-server analyse`: what a player's decisions cost in a game that was kept."""

import json
import re
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

import pytest

from put_protocol.codecs import FRAMES, LINES
from put_protocol.messages import Again, Events, Invite, Ok, OpenTable, Resign, Sit
from put_protocol.table_info import TableState
from put_rules.game import OptionValue
from put_runtime.command_line import CommandFailed
from put_server import record_commands
from put_server.settings import Settings
from put_server.subcommands import COMMANDS
from tests.analysis.toy_oracle import toy_oracle
from tests.server.test_commands import EX_DATAERR, EX_NOINPUT
from tests.transport.sockets import ServerHarness, running_server


def is_solved(game: str, options: Mapping[str, OptionValue], seats: int) -> bool:
    return (game, options.get("target"), seats) == ("put-1674", 5, 2)


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Perfect play is the toy oracle."""
    monkeypatch.setattr(record_commands, "is_solved", is_solved)
    monkeypatch.setattr(record_commands, "oracle_of", toy_oracle)


async def played(harness: ServerHarness, moves: int, **fields: object) -> None:
    """A game of so many moves, after which the first player gives it up."""
    players = await harness.game(FRAMES, LINES, **fields)
    for _ in range(moves):
        if harness.server.dispatcher.lobby.tables[1].state is not TableState.PLAYING:  # type: ignore[index]  # a number
            for player in players:
                assert isinstance(await player.ask(lambda n: Again(n, 1)), Ok)
        mover, decision = await harness.asked(players)
        assert isinstance(await mover.act(decision), Ok)
    await players[0].ask(lambda n: Resign(n, 1))


def run(data: Path, number: int = 1, viewer: str = "Player 0", *, as_json: bool = False) -> list[str]:
    """What the command prints."""
    arguments = Namespace(id=number, viewer=viewer, json=as_json)
    return list(COMMANDS["analyse"].run(Settings(data=str(data)), arguments))


def failed(data: Path, number: int = 1, viewer: str = "Player 0") -> tuple[int, str]:
    with pytest.raises(CommandFailed) as error:
        run(data, number, viewer)
    return error.value.code, str(error.value)


@pytest.mark.usefixtures("solved")
async def test_decisions_of_a_kept_game_are_weighed(tmp_path: Path) -> None:
    """The totals, the worst in words, then every decision in its line; or the same as one object."""
    # A game in which decisions cost something.
    async with running_server(data=str(tmp_path), seed=1674, keep_exhibitions="yes") as harness:
        await played(harness, 9)
        who, totals, *lines = run(tmp_path)
        assert who == "Player 0, in game 1 at table 1, put-1674:"
        worst = [line for line in lines if "Perfect play is to " in line]
        every = [line for line in lines if "; perfect play: " in line]
        assert [*worst, *every] == lines
        assert 1 <= len(worst) <= 3
        assert re.match(rf"Your {len(every) if len(every) > 1 else 'one'} decision", totals)
        assert [line.partition(".")[0] for line in every] == [str(number) for number in range(1, len(every) + 1)]
        (line,) = run(tmp_path, as_json=True)
        told = json.loads(line)
        assert (told["type"], told["decisions"], len(told["reviewed"])) == ("analysis", len(every), len(every))
        assert told["cost"] == sum(one["judged"]["before"] - one["judged"]["after"] for one in told["reviewed"])
        assert run(tmp_path, viewer="2") == run(tmp_path, viewer="player 1") != run(tmp_path)


@pytest.mark.usefixtures("solved")
async def test_viewer_is_the_guest_where_there_is_one(tmp_path: Path) -> None:
    """Against the house nobody need be named; between two guests somebody must; the gallery decides nothing."""
    async with running_server(data=str(tmp_path)) as harness:
        await played(harness, 3)
        code, says = failed(tmp_path, viewer="")
        assert (code, "seat 1 (Player 0), seat 2 (Player 1)" in says) == (EX_DATAERR, True)
        assert failed(tmp_path, viewer="gallery")[0] == EX_DATAERR
        assert failed(tmp_path, viewer="Nobody")[0] == EX_DATAERR
        ann = await harness.guest("Ann")
        assert isinstance(await ann.ask(lambda n: OpenTable(n, "put-1674")), Ok)
        await ann.ask(lambda n: Sit(n, 2))
        await ann.ask(lambda n: Invite(n, 2))
        await ann.until(Events, lambda events: events.view is not None)
        await ann.ask(lambda n: Resign(n, 2))
        assert run(tmp_path, 2, "")[0].startswith("Ann, in game 1 at table 2")


@pytest.mark.usefixtures("solved")
async def test_what_cannot_be_weighed_is_a_sentence(tmp_path: Path) -> None:
    """A game that is not kept, a rule set or options without perfect play: by the codes of `show`."""
    assert failed(tmp_path / "none")[0] == EX_NOINPUT
    async with running_server(data=str(tmp_path)) as harness:
        await played(harness, 2, options={"target": 3})
        code, says = failed(tmp_path)
        assert code == EX_DATAERR
        assert says == "perfect play is not known for put-1674 with these options, only with the usual ones"
        assert failed(tmp_path, 2) == (EX_DATAERR, "no game 2 is kept; put-server games lists them")
