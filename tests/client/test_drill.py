"""Practice at a line: positions, answers, judgements, and a server that fails in between."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from put_client.line.drill import HELP, LineDrill
from put_client.line.line_mode import Lines
from put_client.record.store import LocalRecord
from put_client.record.trainer import Score, ServerPositions, Trainer
from put_client.sdk.client import Client
from put_protocol.analysis import Judged, Quality, Weighed, quality_of
from put_protocol.cards import Card
from put_protocol.games.put import Moment, Play, Put, PutView
from put_protocol.games.unions import Choice
from put_protocol.messages import Drill as Wanted
from put_protocol.messages import Grade, Judgement, Ok, Position, Refused
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_runtime import exit_codes
from put_text.catalogue import say
from tests.client.record.test_trainer import Person
from tests.client.scripted_server import PATIENCE_S, Peer, Server, scripted_server

VIEW = PutView(
    target=5,
    scores=(2, 3),
    hand=1,
    dealer=Seat(0),
    eldest=Seat(1),
    cards=(Card("3s"), Card("4c")),
    counts=(2, 2),
    playing=(True, True),
    tricks=(1, 0),
    to_move=Seat(1),
    moment=Moment.LEAD,
    ranking=("3", "2", "4"),
)
LEGAL = (
    Choice(Play(Card("3s")), "lead the 3 of spades"),
    Choice(Play(Card("4c")), "lead the 4 of clubs"),
    Choice(Put(), 'say "I put": they throw in for a point'),
)
NAMES = ("your opponent", "you")


def position(request: int, number: int = 7) -> Position:
    return Position(request, "put-1674", number, Seat(1), NAMES, VIEW, "Lead to trick 2.", LEGAL, "It is your lead.")


def judged(place: int) -> Judged:
    """The third choice is right, and the first costs the most."""
    chances = (4000, 5900, 6000)
    choices = tuple(
        Weighed(choice.action, choice.says, chance, share)
        for choice, chance, share in zip(LEGAL, chances, (0, 1000, 9000), strict=True)
    )
    cost = max(chances) - chances[place]
    return Judged(6000, chances[place], quality_of(cost), LEGAL[place].action, choices)


class BotSession:
    """Somebody practising: what they type, what they read, and the server's end."""

    def __init__(
        self, client: Client, peer: Peer, record: Path, keyboard: int, descriptor: int, *, is_patient: bool
    ) -> None:
        self.client = client
        self.peer = peer
        self.said: list[str] = []
        trainer = Trainer(LocalRecord(record), "put-1674", lambda: 0, ServerPositions(client))
        self.drill = LineDrill(trainer, Lines(descriptor), self.said.append, game="put-1674", is_patient=is_patient)
        self._keyboard = keyboard

    def type(self, *lines: str) -> None:
        os.write(self._keyboard, "".join(f"{line}\n" for line in lines).encode())

    def hang_up(self) -> None:
        os.close(self._keyboard)

    async def deal(self, number: int = 7) -> None:
        """A position is asked for, and told."""
        wanted = await self.peer.hear(Wanted)
        assert wanted.game == "put-1674"
        self.peer.say(Ok(wanted.id), position(wanted.id, number))

    async def judge(self, place: int) -> None:
        """An answer comes, and is judged."""
        grade = await self.peer.hear(Grade)
        assert (grade.game, grade.number, grade.action) == ("put-1674", 7, LEGAL[place].action)
        self.peer.say(Ok(grade.id), Judgement(grade.id, grade.number, judged(place)))


@asynccontextmanager
async def sitting(*, is_patient: bool = False) -> AsyncIterator[tuple[BotSession, "asyncio.Task[int]", Server]]:
    """Somebody who practises as long as the block runs."""
    descriptor, keyboard = os.pipe()
    with TemporaryDirectory() as folder:
        async with asyncio.timeout(PATIENCE_S), scripted_server() as server:
            dialling = asyncio.ensure_future(
                Client.connect("127.0.0.1", server.port, name="Moll", waits=lambda: [0.0] * 5)
            )
            peer = await server.arrival()
            await peer.welcome()
            async with await dialling as client:
                there = BotSession(client, peer, Path(folder) / "record", keyboard, descriptor, is_patient=is_patient)
                running = asyncio.create_task(there.drill.run())
                try:
                    yield there, running, server
                finally:
                    running.cancel()
                    await asyncio.wait({running})
    # The descriptor stays the reading thread's: another pipe of its number would have its lines taken by that thread.


async def test_whole_sitting_can_be_piped_in() -> None:
    """A position in sentences, questions about it, an answer, its judgement, and the score at the end."""
    async with sitting() as (there, running, _):
        there.type("why", "legal", "score", "help", "table", "the 9 of clubs", "3s", "put", "quit")
        await there.deal()
        await there.judge(0)
        await there.deal()
        await there.judge(2)
        await there.deal()
        await running
        said = there.said
        assert said[:3] == [
            "A position is being looked for ...",
            "Practice at put-1674: your answers are judged against perfect play.",
            'Say your move, or "why", "skip", "score", "help" or "quit".',
        ]
        assert "The game is to five points, and the score is you 3, your opponent 2." in said
        assert "You hold the 3 of spades and the 4 of clubs." in said
        choices = '1 lead the 3 of spades; 2 lead the 4 of clubs; 3 say "I put": they throw in for a point'
        assert said.count(f"Lead to trick 2. You can: {choices}.") == 4
        assert f"You can: {choices}." in said
        assert "It is your lead." in said
        assert "You have answered nothing yet." in said
        assert all(say(f"client-drill-help-{word}") in said for word in HELP)
        assert any(line.startswith("You cannot play the 9 of clubs now.") for line in said)
        assert any(line.startswith("A blunder: you lead the 3 of spades. It took your chance") for line in said)
        assert "So far: one answer, 0 of them right, 20% of a game lost on the average." in said
        assert any(line.startswith('Right: you say "I put".') for line in said)
        assert said[-1] == "So far: 2 answers, 1 of them right, 10% of a game lost on the average."
        there.hang_up()


async def test_judgement_stays_until_it_was_read() -> None:
    """At a terminal: `why` explains every choice, and only Enter deals the next position."""
    async with sitting(is_patient=True) as (there, running, _):
        there.type("4c", "why", "put", "score", "", "skip")
        await there.deal()
        await there.judge(1)
        await there.deal()
        await there.deal()
        there.type("quit")
        await running
        said = there.said
        at = said.index('Press Enter for the next position, or say "why".')
        assert said[at - 1] == "So far: one answer, 0 of them right, 1% of a game lost on the average."
        assert said[at + 1] == 'Say "I put": 60% to win the game; perfect play does it 90% of the time.'
        assert said[at + 4].startswith("This one is judged")
        assert said.count("You hold the 3 of spades and the 4 of clubs.") == 3
        assert there.drill.score == Score(answered=1, right=0, cost=100)
        there.hang_up()


async def test_end_of_input_is_the_end() -> None:
    """Also in the midst of a position."""
    async with sitting() as (there, running, _):
        await there.deal()
        there.hang_up()
        await running
        assert there.said[-1] == "You have answered nothing yet."


async def test_line_that_drops_is_asked_again() -> None:
    """The position, and the judgement, come over the next line."""
    async with sitting() as (there, running, server):
        wanted = await there.peer.hear(Wanted)
        there.peer.say(Ok(wanted.id))
        await there.peer.hear_bytes(b"drill")
        while there.client.waiting or there.client._traffic.in_flight:  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0)
        there.peer.drop()
        there.peer = await server.arrival()
        await there.peer.welcome_back()
        await there.deal()
        there.type("put")
        grade = await there.peer.hear(Grade)
        there.peer.drop()  # before its answer
        there.peer = await server.arrival()
        await there.peer.welcome_back()
        again = await there.peer.hear(Grade)
        assert (again.number, again.action) == (grade.number, grade.action)
        there.peer.say(Ok(again.id), Judgement(again.id, 7, judged(2)))
        sent_again = await there.peer.hear(Grade)  # the connection was back: it might have been lost
        there.peer.say(Ok(sent_again.id), Judgement(sent_again.id, 7, judged(2)))
        await there.deal()
        there.type("quit")
        await running
        assert there.drill.score.answered == 1
        there.hang_up()


async def test_game_that_is_not_solved_is_refused() -> None:
    """With the server's sentence, as the end of it."""
    async with sitting() as (there, running, _):
        wanted = await there.peer.hear(Wanted)
        assert there.said == ["A position is being looked for ..."]
        there.peer.say(Refused(wanted.id, RefusalCode.NOT_SOLVED, "perfect play is not known for put-1674"))
        assert await running == exit_codes.UNAVAILABLE
        assert there.said[1].startswith("Perfect play is not known")
        there.hang_up()


async def test_server_that_fails_is_a_sentence() -> None:
    """No position is the end; no judgement is said, and the next position comes."""
    async with sitting() as (there, running, _):
        await there.deal()
        there.type("put")
        grade = await there.peer.hear(Grade)
        there.peer.say(Ok(grade.id), Judgement(grade.id, 7, flaw="the analysis failed; ask again"))
        wanted = await there.peer.hear(Wanted)
        there.peer.say(Ok(wanted.id), Position(wanted.id, "put-1674", flaw="the house is busy"))
        await running
        assert "The house is busy." in there.said
        assert "The analysis failed; ask again." in there.said
        assert there.drill.score.answered == 0
        there.hang_up()


def test_score_counts_what_is_right() -> None:
    """What costs nothing worth a word is right; all costs count."""
    score = Score()
    for place in (2, 2, 1, 0):
        score.count(judged(place))
    assert (score.answered, score.right, score.cost) == (4, 2, 2100)
    assert judged(2).quality is Quality.FINE


async def test_mistake_that_is_skipped_does_not_come_at_once_again(tmp_path: Path) -> None:
    """It stays due; here there is no other position."""
    person = Person(tmp_path)
    person.played()
    descriptor, keyboard = os.pipe()
    os.write(keyboard, b"skip\nquit\n")
    os.close(keyboard)
    said: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        await LineDrill(person.trainer, Lines(descriptor), said.append, game="put-1674", is_patient=False).run()
    assert said.count(say("client-drill-own")) == 1
    assert say("record-no-solutions") in said
