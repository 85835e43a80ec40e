"""Games dealt blind are weighed by the client that played them: the server does not know what its player held."""

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from put_client.record.game_recorder import keeping
from put_client.record.store import LocalRecord
from put_client.record.trainer import Trainer
from put_client.sdk.errors import Refusal
from put_client.sdk.weigher import COMMAND, Weigher
from put_protocol.analysis import PlayedTurn, Reviewed, WeighGame, action_kind
from put_protocol.games.put import PutView
from put_protocol.games.unions import Action, ending_of
from put_protocol.messages import Analysis, Decision, Events, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from tests.client.checking_players import Noting, close, guest, house
from tests.client.record.games import NOW

BLIND: dict[str, int | str] = {"dealing": "blind"}

NO_ANSWER = (sys.executable, "-c", "import sys; sys.stdin.readline()")


class Player:
    """Plays what may be played, the bolder the more at random, and keeps what they faced and did. If none is bold,
    nobody puts, and a game has hand after hand."""

    def __init__(self, client: Noting, table: int, seed: int, boldness: float) -> None:
        self.client = client
        self.table = table
        self._boldness = boldness
        self.faced: list[tuple[PutView, Decision, Action]] = []
        self._dice = random.Random(seed)
        self._view: object = None

    async def play(self, *, stops_after: int | None = None) -> None:
        """To the end of a game, or up to a decision."""
        async for message in self.client:
            if isinstance(message, Events | TableSnapshot) and message.view is not None:
                self._view = message.view
            if isinstance(message, Events) and any(ending_of(event) is not None for event in message.events):
                return
            if isinstance(message, Decision):
                assert isinstance(self._view, PutView)
                is_bold = self._dice.random() < self._boldness
                action = (self._dice.choice(message.legal) if is_bold else message.legal[0]).action
                self.faced.append((self._view, message, action))
                try:
                    await self.client.act(self.table, message.decision, action)
                except Refusal as refused:
                    if refused.code != RefusalCode.NO_GAME:  # the other resigned meanwhile
                        raise
                if len(self.faced) == stops_after:
                    return

    async def analysis(self) -> tuple[Analysis, tuple[Reviewed, ...]]:
        """The first message, and the decisions of all."""
        await self.client.analyse(self.table)
        return await self.told_analysis()

    async def told_analysis(self) -> tuple[Analysis, tuple[Reviewed, ...]]:
        parts: list[Analysis] = []
        async for message in self.client:
            if isinstance(message, Analysis):
                parts.append(message)
                reviewed = tuple([one for part in parts for one in part.reviewed])
                if message.flaw or len(reviewed) == message.decisions:
                    return parts[0], reviewed
        raise AssertionError("the connection ended")


@asynccontextmanager
async def at_blind_table(boldness: float = 0.0) -> AsyncIterator[tuple[Player, Player]]:
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan")
        table = await moll.open_table("put-1674", options=BLIND)
        for client in (moll, nan):
            await client.sit(table)
        yield Player(moll, table, 7, boldness), Player(nan, table, 8, boldness)
        await close(moll, nan)


async def test_each_player_hears_what_their_own_decisions_cost() -> None:
    """All that they faced where there was anything to choose, with what they held and did; and no other's."""
    async with at_blind_table(0.3) as players:
        await asyncio.gather(*[player.play() for player in players])
        for player in players:
            analysis, reviewed = await player.analysis()
            assert analysis.flaw == ""
            assert (analysis.table, analysis.game) == (player.table, 1)
            chosen = [
                (view, action)
                for view, decision, action in player.faced
                if len({action_kind(choice.action) for choice in decision.legal}) > 1
            ]
            told = [(one.hand, one.cards, one.scores, one.judged.done) for one in reviewed]
            assert told == [(view.hand, view.cards, view.scores, action) for view, action in chosen]
            assert told
            assert all("#" not in card for one in reviewed for card in one.cards)
            assert player.client.checks[-1].is_weighable


async def test_nothing_is_weighed_where_a_check_failed() -> None:
    """What cannot be believed is no game. The server is asked, and it saw no hands."""
    async with at_blind_table(0.3) as (moll, nan):
        await asyncio.gather(moll.play(), nan.play())
        check = moll.client._traffic.checks.of(moll.table)
        assert check is not None
        assert check.played is not None
        check._stop("the deal is not the one that was proved")
        with pytest.raises(Refusal) as refused:
            await moll.analysis()
        assert refused.value.code == RefusalCode.NOT_SOLVED


async def test_accuracy_and_mistakes_come_into_the_record(tmp_path: Path) -> None:
    """As of a game that the server weighs: the drill asks for what was done wrong."""
    record, decisions, fine = LocalRecord(tmp_path / "record.sqlite3"), 0, 0
    async with at_blind_table(0.5) as (moll, nan), keeping(moll.client, record) as flaws:
        while fine == decisions:  # who does whatever comes makes mistakes
            await asyncio.gather(moll.play(), nan.play())
            analysis, reviewed = await moll.told_analysis()
            game = record.games()[0]
            assert (game.number, game.has_sheet, flaws) == (analysis.game, True, [])
            assert game.weighed is not None
            assert game.weighed.decisions == len(reviewed)
            decisions, fine = decisions + game.weighed.decisions, fine + game.weighed.fine
            for player in (moll, nan):
                await player.client.again(player.table)
    trainer = Trainer(record, "put-1674", lambda: NOW)
    assert trainer.gather() == decisions - fine
    position = (await trainer.next()).position
    assert isinstance(position.view, PutView)
    assert all("#" not in card for card in position.view.cards)


async def test_drill_weighs_games_whose_player_was_gone_too_soon(tmp_path: Path) -> None:
    """From the record alone, and to the same end; of a game that cannot be weighed nothing comes."""
    async with at_blind_table(0.3) as (moll, nan):
        record, later = LocalRecord(tmp_path / "record.sqlite3"), LocalRecord(tmp_path / "later.sqlite3")
        async with keeping(moll.client, record):
            await asyncio.gather(moll.play(), nan.play())
            _, reviewed = await moll.told_analysis()
    (game,) = record.games()
    kept = record.sheet(game.id)
    assert kept is not None
    unweighed = replace(game, id=0, weighed=None)
    later.save(unweighed, kept[0])
    cut = replace(unweighed, number=2, began=game.began + 1, ended=game.ended + 1)
    later.save(cut, replace(kept[0], number=2, steps=kept[0].steps[:-1]))
    trainer = Trainer(later, "put-1674", lambda: NOW)
    assert trainer.gather() == 0
    await trainer.weigh()
    weighed = {one.number: one.weighed for one in later.games()}
    assert weighed == {1: game.weighed, 2: None}
    sheets = {one.number: later.sheet(one.id) for one in later.games()}
    assert sheets[1] is not None
    assert sheets[1][1] == reviewed


async def test_game_that_was_not_seen_whole_is_refused_in_a_sentence() -> None:
    """The person comes back in the middle, as with another program; the other player hears theirs."""
    async with at_blind_table() as (moll, nan):
        playing = asyncio.ensure_future(nan.play())
        await moll.play(stops_after=3)
        gone = moll.client
        await gone.close(keep=True)
        again = await Noting.connect(
            gone.host, gone.port, token=gone.token, incarnation=gone.incarnation, keys=gone.keys
        )
        await again.resign(moll.table)
        await playing
        with pytest.raises(Refusal, match="if it saw all of it") as refused:
            await again.analyse(moll.table)
        assert refused.value.code == RefusalCode.NOT_SOLVED
        assert not any(told.is_weighable for told in again.checks)
        analysis, _ = await nan.analysis()
        assert (analysis.flaw, analysis.decisions > 0) == ("", True)
        await close(again)


async def test_nothing_is_weighed_while_a_game_is_in_play() -> None:
    async with at_blind_table() as (moll, nan):
        playing = asyncio.ensure_future(nan.play())
        await moll.play(stops_after=3)
        with pytest.raises(Refusal):
            await moll.client.analyse(moll.table)
        await moll.client.resign(moll.table)
        await playing


def weighing(player: Player) -> list["asyncio.Task[None]"]:
    """What its client has weighed."""
    weigher = player.client._traffic._weigher
    assert weigher is not None
    return [*weigher._tasks.values()]


async def test_other_messages_are_told_while_a_game_is_weighed() -> None:
    """And asking twice begins nothing anew."""
    async with at_blind_table(0.3) as (moll, nan):
        await asyncio.gather(moll.play(), nan.play())
        await moll.client.analyse(moll.table)
        await moll.client.analyse(moll.table)
        assert len(weighing(moll)) == 1
        await nan.client.say(nan.table, "Well played.")
        kinds = []
        async for message in moll.client:
            kinds.append(type(message))
            if isinstance(message, Analysis):
                break
        assert Events in kinds
        await moll.client.leave(moll.table)


async def test_process_ends_with_the_client() -> None:
    """However little of its work is done; and who listens to the client hears of its end, and nothing else."""
    async with at_blind_table(0.3) as (moll, nan):
        await asyncio.gather(moll.play(), nan.play())
        await moll.client.analyse(moll.table)
        (task,) = weighing(moll)
        listening = asyncio.ensure_future(moll.told_analysis())
        await moll.client.close()
        assert task.cancelled()
        assert weighing(moll) == []
        with pytest.raises(AssertionError, match="the connection ended"):
            await listening


def game_of(*turns: PlayedTurn, rule_set: str = "put-1674", number: int = 1) -> WeighGame:
    return WeighGame(rule_set, {}, 5, number, Seat(1), turns)


async def told_of(game: WeighGame, command: tuple[str, ...] = COMMAND) -> list[Analysis]:
    told: list[Analysis] = []
    weigher = Weigher(told.append, command)
    weigher.weigh(game)
    await asyncio.gather(*weigher._tasks.values())
    return told


@pytest.mark.parametrize(
    ("command", "flaw"),
    [
        (("no-such-program",), "does not run here"),
        (NO_ANSWER, "failed"),
        ((sys.executable, "-c", "import os; input(); os.kill(os.getpid(), 9)"), "failed"),
        ((sys.executable, "-c", "input(); print('{}')"), "failed"),
        ((sys.executable, "-c", "input()\nwhile True: print('x' * 1_000_000)"), "failed"),
        ((sys.executable, "-c", "input(); print('x' * 100)"), "failed"),
        ((sys.executable, "-c", 'input(); print(\'{"type":"analysis","table":6,"game":1,"seat":1}\')'), "failed"),
        (
            (sys.executable, "-c", 'input(); print(\'{"type":"analysis","table":5,"game":1,"seat":1,"decisions":2}\')'),
            "failed",
        ),
    ],
)
async def test_process_that_does_not_answer_is_a_flaw(command: tuple[str, ...], flaw: str) -> None:
    """It is not there, is lost, or tells something else."""
    (answer,) = await told_of(game_of(), command)
    assert flaw in answer.flaw
    assert (answer.table, answer.game, answer.seat) == (5, 1, Seat(1))


async def test_what_is_not_solved_is_a_flaw() -> None:
    """As where the server is newer than the client."""
    (answer,) = await told_of(game_of(rule_set="truc"))
    assert "perfect play is not known for truc" in answer.flaw
    (answer,) = await told_of(game_of(rule_set="whist"))
    assert answer.flaw


async def test_games_wait_for_one_another_within_a_bound() -> None:
    """All are answered; of too many, the last at once with a flaw."""
    told: list[Analysis] = []
    weigher = Weigher(told.append, NO_ANSWER)
    for number in range(1, 21):
        weigher.weigh(game_of(number=number))
    assert [one.game for one in told] == [17, 18, 19, 20]
    assert all("too many" in one.flaw for one in told)
    await weigher.end()
    assert not weigher._tasks
