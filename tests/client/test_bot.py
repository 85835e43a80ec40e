"""Bots: one method, and a loop that sits, answers, asks again and leaves."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from msgspec.structs import replace

from put_client import Bot, RandomBot, Record, play
from put_client.sdk.client import Client, patiently
from put_client.sdk.errors import BadServer, Refusal
from put_protocol import messages
from put_protocol.games.put import DidPut, GameEnded, GameWon, Moment, Put, PutView, See
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import PauseAsked
from put_protocol.table_info import PauseInfo, TableState
from tests.client.scripted_server import CHOICES, Peer, Server, decision, info

pytestmark = pytest.mark.usefixtures("no_referee")

VIEW = PutView(target=5, scores=(0, 0), putter=Seat(1), to_move=Seat(0), moment=Moment.ANSWER)
SNAPSHOT = messages.TableSnapshot(table=7, viewer=Seat(0), number=0, info=info(), view=PutView(5, (0, 0)))
WON = GameEnded(how=GameWon.PUT, winners=(Seat(0),), scores=(0, 0), paid=(1, -1))


class Putter(Bot):
    """Puts, and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Event] = []
        self.asked: list[tuple[GameView, tuple[Choice, ...]]] = []

    async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        self.asked.append((view, legal))
        return Put()

    def saw(self, event: Event, view: GameView | None) -> None:
        self.seen.append(event)


@asynccontextmanager
async def playing(server: Server, bot: Bot, games: int = 1) -> AsyncIterator[tuple[Peer, "asyncio.Future[Record]"]]:
    """A bot that has been let in and is about to open a table."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Bot", waits=lambda: (0.0,)))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        yield peer, asyncio.ensure_future(play(bot, client, house="steady", games=games))


async def grant(peer: Peer, kind: type[messages.Request], *then: messages.ServerMessage) -> messages.Request:
    """Hear a request of this kind, carry it out, and say more."""
    request = await peer.hear(kind)
    peer.say(messages.Ok(id=request.id, table=7, seat=Seat(0)), *then)
    return request


async def seat(peer: Peer) -> None:
    await grant(peer, messages.OpenTable)
    await grant(peer, messages.Sit, SNAPSHOT)
    await grant(peer, messages.Invite)


def started(number: int, games: int) -> messages.Events:
    return messages.Events(
        7,
        number,
        (DidPut(Seat(1)),),
        info=info(TableState.PLAYING, games=games),
        turn=messages.Turn(Seat(0)),
        moment="answer",
    )


def resting(number: int, state: TableState, *seats: Seat) -> messages.Events:
    """News of a pause these seats ask for, or in which they are ready to go on."""
    return messages.Events(7, number, (PauseAsked(Seat(1), 60),), info=info(state, games=1, pause=PauseInfo(60, seats)))


def ended(number: int, games: int, purse: int) -> messages.Events:
    return messages.Events(7, number, (WON,), info=info(TableState.BETWEEN, games=games, purses=(purse, -purse)))


async def test_bot_plays_the_games_it_was_asked_for_and_leaves(server: Server) -> None:
    """It opens, sits, invites, answers decisions, asks for another game, leaves, and tells how it did."""
    bot = Putter()
    async with playing(server, bot, games=2) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        act = await grant(peer, messages.Act, ended(2, 1, -1))
        assert isinstance(act, messages.Act)
        assert (act.decision, act.action) == (1, Put())
        await grant(peer, messages.Again, started(3, 2), decision(2))
        await grant(peer, messages.Act, ended(4, 2, 0))
        await grant(peer, messages.Leave)
        assert await result == Record(table=7, seat=Seat(0), games=2, won=1, purse=0)
    assert bot.seen == [DidPut(Seat(1)), WON, DidPut(Seat(1)), WON]
    assert bot.asked == [(VIEW, CHOICES), (VIEW, CHOICES)]


async def test_bot_goes_on_after_a_late_answer(server: Server) -> None:
    """Time that ran out decides one move, not the sitting."""
    async with playing(server, Putter()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        late = await peer.hear(messages.Act)
        peer.say(messages.Refused(id=late.id, code=RefusalCode.TOO_LATE, says="too late"), decision(2))
        await grant(peer, messages.Act, ended(2, 1, 1))
        await grant(peer, messages.Leave)
        assert (await result).games == 1


async def test_bot_waits_and_answers_again_when_it_was_too_fast(server: Server) -> None:
    """A refusal for haste is obeyed, and the same answer given again."""
    async with playing(server, Putter()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        hasty = await peer.hear(messages.Act)
        peer.say(messages.Refused(id=hasty.id, code=RefusalCode.TOO_FAST, says="wait", retry_after_ms=1))
        again = await grant(peer, messages.Act, ended(2, 1, 1))
        assert isinstance(again, messages.Act)
        assert again.decision == hasty.decision
        await grant(peer, messages.Leave)
        await result


async def test_requests_that_were_too_fast_come_back_one_at_a_time() -> None:
    """Tables that wait do not ask again together: the server takes that for a program that does not wait."""
    line, hasty, asking, most = asyncio.Lock(), set(range(20)), 0, 0

    async def ask(number: int) -> int:
        nonlocal asking, most
        if number in hasty:
            hasty.remove(number)
            raise Refusal(RefusalCode.TOO_FAST, "wait", retry_after_ms=1)
        asking += 1
        most = max(most, asking)
        await asyncio.sleep(0)
        asking -= 1
        return number

    assert await asyncio.gather(*[patiently(partial(ask, number), line) for number in range(20)]) == list(range(20))
    assert most == 1


async def test_bot_chooses_once_across_a_drop(server: Server) -> None:
    """An answer that was lost with the connection is sent again, though the decision comes again too."""
    bot = Putter()
    async with playing(server, bot) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        await peer.hear(messages.Act)
        peer.drop()
        back = await server.arrival()
        await back.welcome_back(decision(1), tables=(7,))
        await grant(back, messages.Act, ended(2, 1, 1))
        await grant(back, messages.Leave)
        assert (await result).won == 1
    assert len(bot.asked) == 1


async def test_bot_agrees_to_a_pause_and_answers_when_it_is_over(server: Server) -> None:
    """It asks for the pause others ask for, is ready to go on at once, and takes its turn afterwards."""
    async with playing(server, Putter()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        hasty = await peer.hear(messages.Act)
        peer.say(resting(2, TableState.PLAYING, Seat(1)))
        peer.say(messages.Refused(id=hasty.id, code=RefusalCode.PAUSED, says="the game is paused"))
        await grant(
            peer, messages.Pause, resting(3, TableState.PLAYING, Seat(0), Seat(1)), resting(4, TableState.PAUSED)
        )
        await grant(peer, messages.GoOn, resting(5, TableState.PAUSED, Seat(0)), started(6, 1), decision(1))
        await grant(peer, messages.Act, ended(7, 1, 1))
        await grant(peer, messages.Leave)
        assert (await result).games == 1


@pytest.mark.parametrize("code", [RefusalCode.ALREADY_THERE, RefusalCode.GAME_IN_PLAY])
async def test_bot_that_asks_for_a_game_twice_plays_it(server: Server, code: RefusalCode) -> None:
    """A table that had heard it before, when its word of it was lost, is no reason to stop."""
    async with playing(server, Putter(), games=2) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), ended(2, 1, 1))
        again = await peer.hear(messages.Again)
        peer.say(messages.Refused(id=again.id, code=code, says="you have asked already"), started(3, 2), ended(4, 2, 2))
        await grant(peer, messages.Leave)
        assert (await result).games == 2


async def test_bot_makes_sure_that_it_has_left(server: Server) -> None:
    """Leaving whose answer was lost is asked for again, and may turn out to have been done."""
    async with playing(server, Putter()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), ended(2, 1, 1))
        await peer.hear(messages.Leave)
        peer.drop()
        back = await server.arrival()
        await back.welcome_back()
        leave = await back.hear(messages.Leave)
        back.say(messages.Refused(id=leave.id, code=RefusalCode.NOT_THERE, says="you are not at this table"))
        assert (await result).won == 1


async def test_bot_that_is_sent_away_tells_how_it_did(server: Server) -> None:
    """A table that sends it away ends the sitting, not the program."""
    async with playing(server, Putter(), games=3) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), ended(2, 1, -1))
        await grant(peer, messages.Again, messages.Left(7, "the table was cleared away"))
        assert await result == Record(table=7, seat=Seat(0), games=1, won=0, purse=-1)


@pytest.mark.parametrize("code", [RefusalCode.NOT_THERE, RefusalCode.UNKNOWN_TABLE])
async def test_bot_that_is_sent_away_while_it_thinks_tells_how_it_did(server: Server, code: RefusalCode) -> None:
    """Its answer is refused, since it is no longer at the table; that is no error of the bot's."""
    async with playing(server, Putter()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        act = await peer.hear(messages.Act)
        gone = "the table was cleared away"
        peer.say(messages.Left(7, gone), messages.Refused(id=act.id, code=code, says=gone))
        assert (await result).games == 0


async def test_bot_with_an_illegal_choice_is_told(server: Server) -> None:
    """A choice that is not in the list is the bot's mistake and never travels."""

    class Seer(Bot):
        def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
            return See()

    async with playing(server, Seer()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        with pytest.raises(ValueError, match="none of the legal actions"):
            await result


@pytest.mark.parametrize(
    "told",
    [
        (replace(SNAPSHOT, view=None), decision(1)),
        (SNAPSHOT, started(1, 1), replace(decision(1), legal=())),
    ],
)
async def test_decision_about_nothing_is_the_servers_fault(
    server: Server, told: tuple[messages.ServerMessage, ...]
) -> None:
    """Not the bot's, which would be said to have failed."""
    async with playing(server, Putter()) as (peer, result):
        await grant(peer, messages.OpenTable)
        await grant(peer, messages.Sit, *told)
        await grant(peer, messages.Invite)
        with pytest.raises(BadServer, match="gave no game or no choice"):
            await result


async def test_bot_at_a_table_that_refuses_it_is_told(server: Server) -> None:
    """What is refused for good is raised."""
    async with playing(server, Putter()) as (peer, result):
        opening = await peer.hear(messages.OpenTable)
        peer.say(messages.Refused(id=opening.id, code=RefusalCode.UNKNOWN_GAME, says="no such game"))
        with pytest.raises(Refusal, match="No such game"):
            await result


def test_random_bot_chooses_any_legal_action() -> None:
    """Every choice is made some time, and the same dice make the same choices."""
    one, other = (RandomBot(random.Random(1)) for _ in range(2))
    chosen = [one.choose(VIEW, CHOICES) for _ in range(50)]
    assert chosen == [other.choose(VIEW, CHOICES) for _ in range(50)]
    assert {repr(action) for action in chosen} == {repr(choice.action) for choice in CHOICES}
