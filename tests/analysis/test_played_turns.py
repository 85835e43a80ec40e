"""Turns handed on for evaluation: exactly what a player saw at each of their turns, and not a card more."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from put_client.fairness.referee import turns_of
from put_client.fairness.replay import RulesReplay
from put_protocol.analysis import PlayedTurn
from put_protocol.messages import Analysis
from put_protocol.seats import Seat
from put_rules.game import Turn
from put_rules.record import GameRecord, Move, Player, SeatTurns, StandIn
from put_rules.registry import GAMES
from put_rules.steps import Steps
from put_server.analysis.analysis_worker import Advise, EvaluateHand, packed
from put_server.analysis.evaluation import analysis_messages, by_hand, pending_situation, played_turns, review_hand
from put_server.game_sheet import sheet_of
from tests.analysis.toy_oracle import ToyOracle
from tests.conformance.random_games import Act, Setup, Step, encode, record_of
from tests.conformance.secrets import SECRETS
from tests.conformance.tables import TRIED, Played, Table, games_at, rng_of
from tests.games import put_secrets
from tests.games.put_tables import PUT_TABLES, at_every_put_table


def record(played: Played) -> GameRecord:
    return record_of(played.setup, [step.given for step in played.steps if step.given is not None])


def turns(setup: Setup, kept: GameRecord, seat: Seat) -> tuple[tuple[PlayedTurn, ...], ...]:
    return played_turns(kept, GAMES[setup.name], seat)


@at_every_put_table
def test_turns_are_what_each_seat_saw_and_did(table: Table) -> None:
    """Every move of a seat, with the view, the choices and the events of the hand that it had; and no other's."""
    count = 0
    for played in games_at(table, share=0.3):
        kept = record(played)
        for seat in map(Seat, range(table.seats)):
            situation = [taken for hand in turns(played.setup, kept, seat) for taken in hand]
            expected = [
                (before, step)
                for before, step in pairwise(played.steps)
                if isinstance(step.given, Act) and played.game.awaits(before.state) == Turn(seat)
            ]
            assert len(situation) == len(expected)
            for taken, (before, step) in zip(situation, expected, strict=True):
                assert isinstance(step.given, Act)
                assert taken.situation.view == played.game.view(before.state, seat)
                assert taken.situation.legal == played.game.choices(before.state)
                assert taken.done == step.given.action
                at = played.steps.index(before)
                told = [event for one in played.steps[: at + 1] for event in one.seen_by(seat)]
                assert taken.situation.seen == tuple(told[len(told) - len(taken.situation.seen) :])
                count += 1
    assert count > 20


@at_every_put_table
def test_client_that_follows_a_game_notes_the_same_turns(table: Table) -> None:
    """By what it was told alone, to the last event and choice: so it weighs a game that was dealt blind as the server
    would, had it seen the hands."""
    count = 0
    for played in games_at(table, share=0.3):
        kept = record(played)
        for seat in map(Seat, range(table.seats)):
            replay, noted = RulesReplay(played.game, seat, played.setup.dealer), SeatTurns(played.game, seat)
            for step in played.steps:
                for followed in replay.follow(step.seen_by(seat)):
                    noted.take(followed.before, followed.given, followed.told)
            assert by_hand(noted.turns) == turns(played.setup, kept, seat)
            recorded = turns_of(sheet_of(kept, GAMES[kept.rule_set], seat, date="", server=""))
            if table.seats == 2:  # among more, the game may go on although a player left before it was told who deals
                assert (() if recorded is None else recorded.turns) == tuple(noted.turns), "nor is more needed"
            count += len(noted.turns)
    assert count > 20


@at_every_put_table
def test_turns_are_told_from_their_deal_on(table: Table) -> None:
    """What was told of a hand begins with its deal, or with what came before the first."""
    for played in games_at(table, share=0.02):
        for hand in turns(played.setup, record(played), Seat(0)):
            numbers = {taken.situation.put.hand for taken in hand}
            assert len(numbers) == 1
            told = hand[0].situation.seen
            tags = [event.__struct_config__.tag for event in told]
            assert tags.count("dealt") == 1
            assert tags[0] == "dealt"


@at_every_put_table
def test_unseen_cards_change_no_byte_that_is_handed_on(table: Table) -> None:
    """Two games that differ only in cards a seat never saw give the same bytes to the worker, and the same analysis."""
    differ = same = 0
    for played in games_at(table, share=0.3):
        rng = rng_of(table, -played.seed)
        for seat in map(Seat, range(table.seats)):
            other = record_of(played.setup, put_secrets.redealt(rng, played, played.steps, seat))
            ours, theirs = turns(played.setup, record(played), seat), turns(played.setup, other, seat)
            assert jobs(played.setup, ours) == jobs(played.setup, theirs)
            assert told(ours) == told(theirs)
            same += 1
            adversary = Seat((seat + 1) % table.seats)
            differ += told(turns(played.setup, other, adversary)) != told(
                turns(played.setup, record(played), adversary)
            )
    assert same >= 5
    assert differ > same / 3, "the cards of others were to be changed, or nothing is shown by this"


@pytest.mark.parametrize("table", TRIED, ids=str)
def test_unseen_cards_change_no_byte_of_what_the_coach_is_asked(table: Table) -> None:
    """At decisions of a game in play, with the rest of it not yet played: two games that differ only in cards that the
    seat has not seen give the same bytes to the worker, and so the same advice, in every family."""
    asked = 0
    for played in games_at(table, share=0.3):
        rng = rng_of(table, -played.seed)
        for before, step in pairwise(played.steps):
            awaited = played.game.awaits(before.state)
            if not isinstance(step.given, Act) or not isinstance(awaited, Turn) or rng.random() < 0.6:
                continue
            seat, so_far = awaited.seat, played.steps[: played.steps.index(before) + 1]
            again = SECRETS[table.family].redealt(rng, played, so_far, seat)
            assert question(played.setup, so_far, seat) == question(played.setup, again, seat)
            asked += 1
    assert asked > 4


def question(setup: Setup, steps: Sequence[Step], seat: Seat) -> bytes:
    """What the worker is asked."""
    kept = record_of(setup, [step.given for step in steps if step.given is not None])
    situation = pending_situation(kept, GAMES[setup.name], seat)
    assert situation is not None
    return packed(Advise(1, 1, 1, setup.name, setup.options, len(kept.players), situation))


def jobs(setup: Setup, hands: tuple[tuple[PlayedTurn, ...], ...]) -> list[bytes]:
    return [packed(EvaluateHand(setup.name, setup.options, hand)) for hand in hands]


def told(hands: tuple[tuple[PlayedTurn, ...], ...]) -> list[bytes]:
    """The analysis as it travels."""
    reviewed = [one for hand in hands for one in review_hand(hand, ToyOracle())]
    parts: tuple[Analysis, ...] = analysis_messages(7, 2, Seat(0), reviewed)
    return [encode(part) for part in parts]


@pytest.mark.parametrize("place", [1, 5, 12])
def test_turns_end_where_somebody_else_took_the_seat(place: int) -> None:
    """What a stand-in did and saw is their own; the other seat's turns go on."""
    for_two = (table for table in PUT_TABLES if table.seats == 2)
    played = next(one for table in for_two for one in games_at(table) if len(one.steps) > 30)
    kept = record(played)
    whole, parted = kept.steps, Steps()
    for number, step in enumerate(Steps(whole).read()):
        if number == place:
            parted.add(step.at, StandIn(Seat(0), Player("Doll", is_house=True)))
        parted.add(step.at, step.input)
    changed = GameRecord(**{**{f: getattr(kept, f) for f in kept.__struct_fields__}, "steps": parted.packed()})
    own = [taken for hand in turns(played.setup, changed, Seat(0)) for taken in hand]
    before = sum(isinstance(step.input, Move) for step in Steps(whole).read()[:place])
    all_of_them = [taken for hand in turns(played.setup, kept, Seat(0)) for taken in hand]
    assert len(own) <= before
    assert own == all_of_them[: len(own)]
    assert len(own) < len(all_of_them)
    other = [len(hand) for hand in turns(played.setup, changed, Seat(1))]
    assert other == [len(hand) for hand in turns(played.setup, kept, Seat(1))]
