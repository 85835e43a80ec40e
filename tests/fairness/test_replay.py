"""Replays of random games by what one viewer was told: every event is followed, and every view is the one shown."""

from itertools import combinations

import pytest

from put_client.fairness import replay
from put_client.fairness.replay import NotByRules, RulesReplay
from put_protocol.folding import may_follow
from put_protocol.seats import Viewer
from put_rules.game import Turn
from tests.conformance.tables import Played, Table, at_every_table, games_at
from tests.repetitions import TURN, some

ENOUGH = 40
"""Guesses of the suite about events that no input has; a campaign makes all of them."""


def follow(played: Played, viewer: Viewer) -> None:
    """Follow a whole game, and compare it with what happened after each input."""
    game, rules = played.game, RulesReplay(played.game, viewer, played.setup.dealer)
    for step in played.steps:
        assert len(list(rules.follow(step.seen_by(viewer)))) == (step.given is not None), (played.seed, step.given)
        assert rules.missing is None
        assert rules.view() == game.view(step.state, viewer), (played.seed, step.given)
        awaits = game.awaits(step.state)
        assert type(rules.awaits()) is type(awaits)
        if isinstance(awaits, Turn):
            assert rules.awaits() == awaits
            if awaits.seat == viewer:
                assert rules.game.legal(rules.state) == game.legal(step.state)
        assert rules.game.paid(rules.state) == game.paid(step.state)


@at_every_table
def test_every_viewer_can_follow_an_honest_game(table: Table) -> None:
    """Whatever is hidden from them, with time-outs, departures, accidents and cards thrown away unseen."""
    for played in games_at(table, share=0.2):
        for viewer in played.setup.viewers:
            follow(played, viewer)


@at_every_table
def test_events_all_at_once_are_followed_too(table: Table) -> None:
    """As after a drop: the end of a hand is known before its beginning is looked at."""
    for played in games_at(table, share=0.1):
        for viewer in some(played.setup.viewers, 2):
            rules = RulesReplay(played.game, viewer, played.setup.dealer)
            told = [event for step in played.steps for event in step.seen_by(viewer)]
            assert len(list(rules.follow(told))) == len(played.steps) - 1
            assert rules.view() == played.game.view(played.steps[-1].state, viewer)


@at_every_table
def test_view_may_follow_from_any_before_it(table: Table) -> None:
    """So a snapshot that stands for events that were missed is never taken for a forged one."""
    for played in games_at(table, share=0.1):
        for viewer in played.setup.viewers:
            views = [played.game.view(step.state, viewer) for step in played.steps]
            for before, after in some([*combinations(views, 2)], 7):
                assert may_follow(before, after, is_same_game=True), (played.seed, before, after)


@at_every_table
def test_event_left_out_is_missed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any of the last game's that came with others, but talk of cards that anybody may have."""
    monkeypatch.setattr(replay, "GUESSES", replay.GUESSES if TURN else ENOUGH)
    played = next(games_at(table, share=0.1))
    viewer = played.setup.viewers[0]
    for at, step in enumerate(played.steps):
        told = step.seen_by(viewer)
        if len(told) < 2:
            continue
        rules = RulesReplay(played.game, viewer, played.setup.dealer)
        for before in played.steps[:at]:
            list(rules.follow(before.seen_by(viewer)))
        try:
            list(rules.follow(told[:-1]))
        except NotByRules:
            continue
        assert rules.missing is not None or told[-1].shows(viewer), "nobody knows who has a card that is not shown"
        return
    pytest.skip("no input of this game was told in two events")
