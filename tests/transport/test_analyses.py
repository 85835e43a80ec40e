"""Requests for an analysis: they wait for the journal like all others, and are never in it."""

import pytest

from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Play
from put_protocol.messages import Again, Analyse, Analysis, Drill, Grade, Ok, Position, Refused, Resign
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_server.table.table_effects import GameStudy, PersonId, Study
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from tests.transport.dispatcher_harness import DispatcherHarness, ManualJournal

TABLE = 1


class Desk:
    """An analyst that only notes what is wanted."""

    def __init__(self) -> None:
        self.wanted: list[Study] = []

    def study(self, wanted: Study) -> None:
        self.wanted.append(wanted)


def test_nothing_is_weighed_before_the_end_of_the_game_is_kept() -> None:
    """A crash might take the end back, and the game would be in play again."""
    gate, desk = ManualJournal(), Desk()
    harness = DispatcherHarness(journal=gate, studies=desk)
    ann, _ = harness.game(FRAMES, FRAMES)
    gate.is_open = False
    ann.send(Resign(ann.number(), TABLE), Analyse(ann.number(), TABLE))
    assert ann.receive() == []
    assert desk.wanted == []
    gate.commit()
    told = ann.receive()
    assert [message.id for message in told if isinstance(message, Ok)] == [ann._last - 1, ann._last]
    (wanted,) = desk.wanted
    assert isinstance(wanted, GameStudy)
    assert (wanted.seat, wanted.record.number) == (0, 1)


def test_studies_are_not_kept() -> None:
    """The journal has nothing of them, whatever came of them."""
    gate, desk = ManualJournal(), Desk()
    harness = DispatcherHarness(journal=gate, studies=desk)
    ann, _ = harness.game(FRAMES, LINES)
    ann.ask(lambda n: Resign(n, TABLE))
    kept = len(gate.records)
    for request in (
        lambda n: Analyse(n, TABLE),
        lambda n: Drill(n, "put-1674"),
        lambda n: Grade(n, "put-1674", 1, Play(Card("3s"))),
    ):
        assert isinstance(ann.ask(request), Ok)
    assert isinstance(ann.ask(lambda n: Drill(n, "truc")), Refused)
    assert len(gate.records) == kept
    assert [type(one.request) for one in desk.wanted] == [Analyse, Drill, Grade]


@pytest.mark.parametrize("codec", [FRAMES, LINES])
def test_what_came_of_it_is_told_to_who_asked_alone(codec: Codec) -> None:
    """In their own codec; who is away, or was never here, hears nothing, and nobody else does."""
    harness = DispatcherHarness(studies=Desk())
    ann, ben = harness.game(codec, codec)
    analysis = Analysis(TABLE, 1, Seat(0), flaw="the analysis failed; ask again")
    person = ann.session.person
    assert person is not None
    ben.receive()
    harness.dispatcher.tell(person, analysis)
    harness.dispatcher.tell(PersonId(99), Position(1, "put-1674"))
    assert ann.told(Analysis) == [analysis]
    assert ben.receive() == []
    ann.drop()
    harness.dispatcher.tell(person, analysis)
    back = harness.peer(codec)
    back.resume(ann)
    assert back.told(Analysis) == []


def test_nothing_is_wanted_during_a_game() -> None:
    """It is refused, and nobody weighs anything."""
    desk = Desk()
    harness = DispatcherHarness(studies=desk)
    ann, ben = harness.game(FRAMES, FRAMES)
    for peer in (ann, ben):
        refused = peer.ask(lambda n: Analyse(n, TABLE))
        assert isinstance(refused, Refused)
        assert refused.code == RefusalCode.GAME_IN_PLAY
    ann.ask(lambda n: Resign(n, TABLE))
    for peer in (ann, ben):
        peer.ask(lambda n: Again(n, TABLE))
    refused = ann.ask(lambda n: Analyse(n, TABLE))
    assert isinstance(refused, Refused)
    assert refused.code == RefusalCode.GAME_IN_PLAY
    assert desk.wanted == []


def test_studies_count_as_requests() -> None:
    """Who asks and asks is told to wait."""
    harness = DispatcherHarness(studies=Desk())
    ann = harness.guest("Ann")
    answers = [ann.ask(lambda n: Drill(n, "put-1674")) for _ in range(2 * REQUESTS_AT_ONCE)]
    codes = [answer.code for answer in answers if isinstance(answer, Refused)]
    assert set(codes) == {RefusalCode.TOO_FAST}
    assert len(codes) >= REQUESTS_AT_ONCE / 2
