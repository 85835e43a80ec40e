"""Reasons of the coach: in every family a legal choice, with a number that is right by what the player sees."""

import re
from importlib.resources import files
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.analysis import Weighed
from put_protocol.cards import Card
from put_protocol.games.put import Moment, Play, Put, PutView
from put_protocol.games.tricks import TrickView
from put_protocol.messages import Advice
from put_protocol.seats import Seat
from put_rules.game import Turn
from put_rules.record import SeatTurns
from put_server.analysis.analysis_worker import Advise, JobHandler
from put_server.analysis.evaluation import reason_by_chances
from put_server.analysis.solved_oracle import oracle_of
from put_server.house.put.action_values import count
from put_text.presenters import PRESENTERS
from tests.conformance.tables import TRIED, Table, games_at
from tests.text.english_words import english_in

PARTS = files("put_text") / "languages"
WORKER = JobHandler(oracle_of)

MOST_WORDS = 50

RANKS = ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
HAND = tuple([Card(card) for card in ("Ks", "2c", "7d")])
LEAD = PutView(
    target=5,
    scores=(3, 4),
    hand=4,
    eldest=Seat(0),
    cards=HAND,
    counts=(3, 3),
    playing=(True, True),
    tricks=(0, 0),
    to_move=Seat(0),
    moment=Moment.LEAD,
    ranking=RANKS,
)


@pytest.mark.parametrize("table", [table for table in TRIED if table.family in PRESENTERS], ids=str)
def test_reason_is_for_a_legal_choice_in_every_family(table: Table) -> None:
    """It begins with the server's words for one, has a number wherever cards are held, and is short. In French it has
    no English."""
    turns = [
        (played, before.state, awaited.seat)
        for played in games_at(table, share=0.2)
        for before, _ in pairwise(played.steps)
        if isinstance(awaited := played.game.awaits(before.state), Turn)
    ]
    numbers = 0
    for played, state, seat in turns[:: max(len(turns) // 12, 1)]:
        situation = SeatTurns(played.game, seat).situation(state)
        told_of = (played.setup.name, dict(played.setup.options), table.seats, situation)
        told = WORKER.handle(Advise(1, 1, 1, *told_of))
        assert isinstance(told, Advice), told
        assert bool(told.reason) == situation.is_choice
        if told.reason:
            if (PARTS / "fr" / f"{table.family}.ftl").is_file():
                french = WORKER.handle(Advise(1, 1, 1, *told_of, language="fr"))
                assert isinstance(french, Advice)
                assert not english_in(french.reason), french.reason
            heads = [choice.says.partition(":")[0].casefold() for choice in situation.legal]
            assert told.reason.casefold().startswith(tuple(heads))
            assert len(told.reason.split()) <= MOST_WORDS
            assert re.fullmatch(r"[A-Z].*[^.]\.", told.reason)
            numbers += bool(re.search(r"\d", told.reason))
    assert numbers


def test_cards_that_beat_one_are_counted() -> None:
    """Of the 49 that were not seen: threes, twos but our own, and aces beat a king; and none beats the last card of a
    trick."""
    king, two = Play(HAND[0]), Play(HAND[1])
    assert count(LEAD, king, Seat(0), None)[2:4] == (4 + 3 + 4, 49)
    assert count(LEAD, two, Seat(0), None)[2:4] == (4, 49)
    reply = replace(LEAD, moment=Moment.REPLY, counts=(3, 2), trick=TrickView((Seat(1),), (Card("Qs"),)))
    assert count(reply, king, Seat(0), None).above is None


def test_deals_that_are_won_are_counted() -> None:
    """All of them with three threes."""
    threes = tuple([Card(card) for card in ("3s", "3h", "3d")])
    assert count(replace(LEAD, cards=threes), Put(), Seat(0), Random(1)).wins == pytest.approx(1)


def test_reason_has_the_chance_and_the_next_best() -> None:
    """The next best in the figures shown; and what is at stake, at the score, behind a choice with consequences."""
    lead = Weighed(Play(HAND[0]), "lead the king of spades", 6180, 10_000)
    other = Weighed(Play(HAND[2]), "lead the 7 of diamonds", 5000, 0)
    same = Weighed(Play(HAND[1]), "lead the 2 of clubs", 6179, 0)
    put = Weighed(Put(), 'say "I put": this hand decides the game', 5920, 0)
    assert reason_by_chances(LEAD, Seat(0), (other, same, put, lead)) == (
        "Lead the king of spades: 11 of the 49 cards that the others may hold beat it; it wins 61.8% of games, "
        'and to say "I put" wins 59.2%.'
    )
    lead, put = replace(lead, share=2_500), replace(put, share=7_500)
    assert reason_by_chances(LEAD, Seat(0), (lead, put)) == (
        'Say "I put" 75%, lead the king of spades 25%: at 3 to 4 this hand decides the game; it wins 59.2% of games, '
        "and to lead the king of spades wins 61.8%."
    )
