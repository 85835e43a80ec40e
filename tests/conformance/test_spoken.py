"""Whole games by ear: of every rule set, whatever a viewer may know is said to them, and nothing else is.

Random games are told by the text session as line mode and plain English tell them. What must be said follows from the
types of events and views (`spoken`), so that a new family is tried by being registered.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import pytest

from put_protocol.cards import FOOL, Card
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.messages import Turn as TurnTold
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.game import Turn
from put_text.plain import answers
from put_text.plain.telling import apply_message
from put_text.plain.text_state import TextState
from tests.conformance.random_games import NAMES
from tests.conformance.spoken import Fact, cards_named, facts_in, flaws_by_ear, unsaid
from tests.conformance.tables import Played, Table, at_every_table, games_at
from tests.repetitions import TIMES

GAMES_EACH = 1 * TIMES
"""Random games at each table: every sentence of them is made, for a player and the gallery."""

IMPLIED: Mapping[str, str] = {
    "Accident.law": "what happened is said in place of the law's number",
    "PutView.accident.law": "the same",
    "FreshDeal.scores": "said where they changed",
    "Dealt.stock": "what is left of the pack when the cards told were dealt; `table` says it",
    "MoreDealt.stock": "the same",
    "TakenUp.counts": "those of the deal, which were said, less a card whose drawing was said",
    "Drew.count": "of one's own the cards are named; of others' the number is said",
    "ThrownIn.running": "each of these deals was told as it was thrown in; `table` says how many",
    "Traded.count": "of one's own the cards are named; of others' the number is said",
}
"""Fields whose facts follow for every listener from what is said, and how."""

SAID_ABOVE_ZERO = ("counts", "stakes", "antes", "put_in", "traded", "points")
"""Numbers of which nothing is said where they are 0: a player has nothing, or a hand counts nothing."""

SAID_IN_PLAY = ("PutView.value", "PrimeroView.traded")
"""Facts of a hand that nobody asks for once it is over."""


class Heard(NamedTuple):
    """A step as one viewer hears it."""

    events: tuple[Any, ...]
    view: Any
    said: tuple[str, ...]
    state: TextState
    decision: Decision | None


def listening(played: Played, viewer: Viewer, *, is_brief: bool = False) -> Iterator[Heard]:
    """A game step by step, as the text session of this viewer tells it."""
    names = NAMES[: played.setup.seats]
    seats = tuple([SeatInfo(name) for name in names])
    info = TableInfo(7, played.setup.name, played.setup.options, seats, ClockInfo(), TableState.PLAYING, games=1)
    state = TextState(is_brief=is_brief)
    first = TableSnapshot(table=7, viewer=viewer, number=0, info=info, view=None)
    state, _ = apply_message(state, first, 0)
    number = 1
    for place, step in enumerate(played.steps):
        events: tuple[Any, ...] = step.seen_by(viewer)
        if place == 0:
            events = (GameStarted(1, names), *events)
        awaits = played.game.awaits(step.state)
        view = played.game.view(step.state, viewer)
        turn = TurnTold(awaits.seat) if isinstance(awaits, Turn) else None
        state, said = apply_message(state, Events(7, number, events, info, view, turn), 0)
        number += len(events)
        decision = None
        if isinstance(awaits, Turn) and awaits.seat == viewer:
            (asks, why, *_), choices = played.game.wording(step.state), played.game.choices(step.state)
            decision = Decision(7, place + 1, asks, choices, why=why)
            state, asked = apply_message(state, decision, 0)
            said = (*said, *asked)
        yield Heard(events, view, said, state, decision)


def _games(table: Table) -> Iterator[Played]:
    return islice(games_at(table), GAMES_EACH)


def viewers(played: Played) -> tuple[Viewer, ...]:
    """Somebody who plays, and the gallery: each seat in some game."""
    return Seat(played.seed % played.setup.seats), GALLERY


def left_out(facts: Iterator[Fact], said: tuple[str, ...], played: Played, viewer: Viewer) -> list[Fact]:
    names = NAMES[: played.setup.seats]
    return [fact for fact in unsaid(facts, said, names, viewer) if not _is_implied(fact, viewer)]


def _is_implied(fact: Fact, viewer: Viewer) -> bool:
    field = fact.field.rpartition(".")[2]
    is_own_count = field == "counts" and fact.place == viewer  # whose own cards are named
    return fact.field in IMPLIED or is_own_count or (field in SAID_ABOVE_ZERO and fact.value == 0)


@at_every_table
def test_events_say_all_that_they_show(table: Table) -> None:
    """Who did it, every card of it, and every number: stakes, tricks, scores, what is left."""
    for played in _games(table):
        for viewer in viewers(played):
            for heard in listening(played, viewer):
                for event in heard.events:
                    missed = left_out(facts_in(event), heard.said, played, viewer)
                    assert not missed, (viewer, event, heard.said, missed)


@at_every_table
@pytest.mark.parametrize("is_brief", [False, True])
def test_view_can_be_heard_at_any_time(table: Table, is_brief: bool) -> None:
    """`table` says all that a screen would show: cards, tricks, scores, stakes, and whose turn it is."""
    for played in _games(table):
        for viewer in viewers(played):
            for heard in listening(played, viewer, is_brief=is_brief):
                said = (*answers.table(heard.state), *answers.hand(heard.state), *answers.score(heard.state))
                facts = (
                    fact
                    for fact in facts_in(heard.view)
                    if heard.view.to_move is not None or fact.field not in SAID_IN_PLAY
                )
                missed = left_out(facts, said, played, viewer)
                assert not missed, (viewer, heard.view, said, missed)


@at_every_table
def test_choices_are_said_at_every_move(table: Table) -> None:
    """Each with its number, behind an empty line."""
    for played in _games(table):
        for is_brief in (False, True):
            for heard in listening(played, Seat(0), is_brief=is_brief):
                if heard.decision is None:
                    continue
                (asked,) = answers.awaited(heard.state, 0)
                for number, choice in enumerate(heard.decision.legal, 1):
                    assert f"{number} {choice.says}" in asked


@at_every_table
def test_no_sentence_names_a_card_that_was_not_shown(table: Table) -> None:
    """What is said is what the viewer was sent, and no more."""
    for played in _games(table):
        for viewer in viewers(played):
            for heard in listening(played, viewer):
                facts = [fact for event in heard.events for fact in facts_in(event)] + [*facts_in(heard.view)]
                shown = {Card(str(fact.value)) for fact in facts if fact.kind is Card}
                if heard.decision is not None:
                    shown |= cards_named(choice.says for choice in heard.decision.legal)
                assert cards_named((*heard.said, *answers.table(heard.state))) - {FOOL} <= shown  # rules name the Fool


@at_every_table
def test_every_sentence_can_be_heard_alone(table: Table) -> None:
    """Whole sentences with plain signs, no figures for cards, and nothing that rests on the sentence before."""
    for played in _games(table):
        for is_brief in (False, True):
            for heard in listening(played, Seat(0), is_brief=is_brief):
                answered = (*answers.table(heard.state), *answers.awaited(heard.state, 0), *answers.why(heard.state))
                for sentence in (*heard.said, *answered):
                    assert not flaws_by_ear(sentence), sentence
