"""Sheets of recorded games: each viewer's holds what they were shown, and nothing that they may not know."""

import itertools
import re

import pytest
from msgspec.structs import replace

from put_protocol.cards import RANKS, Card, pack_of
from put_protocol.games.families import FAMILIES
from put_protocol.games.put import Play, ThrewIn
from put_protocol.games.put import Played as PlayedCard
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import Sat
from put_rules import record
from put_rules.record import GameRecord
from put_rules.registry import GAMES
from put_rules.steps import BadRecord, Steps
from put_server.game_sheet import sheet_of
from put_text.catalogue import card_in_words
from put_text.notation import Sheet, SheetPlayer, SheetStep, read, write
from tests.conformance.random_games import Pack, encode, record_of
from tests.conformance.scopes import scopes
from tests.conformance.secrets import SECRETS
from tests.conformance.tables import Played, Table, at_every_table, games_at, rng_of
from tests.conformance.test_secrecy import cards_in, text_of
from tests.games.staged_games import table as table_of
from tests.games.vectors import filled_up

DATE, SERVER = "2025-11-21T19:30:00Z", "The Mermaid"


def recorded(played: Played) -> GameRecord:
    return record_of(played.setup, [step.given for step in played.steps if step.given is not None])


def sheet_for(kept: GameRecord, viewer: Viewer) -> Sheet:
    return sheet_of(kept, GAMES[kept.rule_set], viewer, date=DATE, server=SERVER)


def text_for(kept: GameRecord, viewer: Viewer) -> str:
    return write(sheet_for(kept, viewer))


@at_every_table
def test_sheet_is_what_its_viewer_was_told(table: Table) -> None:
    """The opening view, and of every step the events that the viewer saw when it was played; and it reads back."""
    for played in games_at(table, share=0.1):
        kept = recorded(played)
        opening, *steps = played.steps
        for viewer in played.setup.viewers:
            sheet = sheet_for(kept, viewer)
            assert sheet.opening == played.game.view(opening.state, viewer)
            told = [SheetStep(number * 1_500, step.seen_by(viewer)) for number, step in enumerate(steps, 1)]
            assert sheet.steps == tuple(told)
            assert (sheet.game, sheet.options, sheet.viewer) == (table.name, played.setup.options, viewer)
            assert (sheet.table, sheet.number, sheet.date, sheet.server) == (7, 2, DATE, SERVER)
            assert read(write(sheet)) == sheet


@at_every_table
def test_what_a_viewer_may_not_know_changes_no_byte_of_their_sheet(table: Table) -> None:
    """The game played again with other cards wherever the viewer could not see them: their sheet is the same, to the
    byte, and that of somebody else is another."""
    differ = runs = 0
    for played in games_at(table, share=0.15):
        rng = rng_of(table, -played.seed)
        held = [
            number for number, step in enumerate(played.steps, 1) if any(played.game.view(step.state, GALLERY).counts)
        ]
        for viewer in played.setup.viewers:
            steps = played.steps[: rng.choice((*held, len(played.steps)))]
            made = SECRETS[table.family].redealt(rng, played, steps, viewer)
            again, true = [
                record_of(played.setup, [step.given for step in each if step.given is not None])
                for each in (made, steps)
            ]
            assert text_for(again, viewer) == text_for(true, viewer)
            runs += 1
            others = [seat for seat in played.setup.viewers if seat not in (viewer, GALLERY)]
            differ += any(text_for(again, seat) != text_for(true, seat) for seat in others)
    assert differ > runs / (2 if table.seats < 9 else 4), (
        "the cards of others were to be changed, or nothing is shown by this"
    )


@at_every_table
def test_sheet_names_no_card_its_viewer_never_saw(table: Table) -> None:
    """Between one deal and the next no card in a sheet, in notation or in words, is one that its viewer never saw:
    hands that were thrown in are never shown."""
    never_shown = thrown_in = 0
    learns = SECRETS[table.family].learns
    for played in games_at(table, share=0.1):
        of_rules = cards_in(text_of(encode(played.game.view(played.steps[0].state, GALLERY))))
        kept = recorded(played)
        for viewer in played.setup.viewers:
            sheet = sheet_for(kept, viewer)
            told = iter(sheet.steps)
            for piece in scopes(played, played.steps):
                steps = tuple(itertools.islice(told, sum(step.given is not None for step in piece)))
                given = piece[0].given
                hidden = set(given.cards) if isinstance(given, Pack) else set()
                hidden -= set().union(*(learns(played, step, viewer) for step in piece), of_rules)
                _, _, body = write(replace(sheet, steps=steps)).partition("\nview ")
                _, _, lines = body.partition("\n")
                assert cards_in(lines.encode()).isdisjoint(hidden)
                assert not any(re.search(rf"{card_in_words(card)}\b", lines) for card in hidden)
                never_shown += bool(hidden)
                thrown_in += any(isinstance(event, ThrewIn) for step in steps for event in step.events) and bool(hidden)
    assert never_shown > 2
    assert thrown_in > 1 or ThrewIn not in FAMILIES[table.family].events


def test_sheet_tells_who_sat_down_for_whom() -> None:
    """A player is written with their marks; a stand-in is an event, and the game goes on from there as it was."""
    setup = table_of(2)
    steps = Steps()
    steps.add(0, record.Pack(filled_up((Card("3s"), Card("2h")), pack_of(RANKS))))
    steps.add(20, record.StandIn(Seat(1), record.Player("steady", is_house=True)))
    steps.add(3_020, record.Move(Play(Card("3s"))))
    kept = replace(
        record_of(setup, ()),
        players=(record.Player("Moll"), record.Player("Nan", is_bot=True)),
        steps=steps.packed(),
        is_exhibition=True,
    )
    sheet = sheet_for(kept, GALLERY)
    assert sheet.players == (SheetPlayer("Moll"), SheetPlayer("Nan", is_bot=True))
    assert sheet.is_exhibition
    assert sheet.steps[1:] == (
        SheetStep(20, (Sat(Seat(1), "steady", is_house=True),)),
        SheetStep(3_020, (PlayedCard(Seat(1), Card("3s"), leads=True),)),
    )
    assert text_for(kept, GALLERY).endswith("; Steady leads the 3 of spades.\n")


def test_record_that_does_not_follow_makes_no_sheet() -> None:
    """A sheet is of a game that was played, or there is none."""
    steps = Steps()
    steps.add(0, record.Move(Play(Card("3s"))))
    kept = replace(record_of(table_of(2), ()), steps=steps.packed())
    with pytest.raises(BadRecord, match="step 1 does not follow"):
        sheet_for(kept, GALLERY)
