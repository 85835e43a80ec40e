"""Sentences on the smallest usual screen, in whole games at every table: each is whole, or ends where a clause does."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import put_text
from put_client.tui.widgets.canvas import whole_clauses
from put_protocol.messages import Decision, Events
from put_protocol.messages import Turn as TurnTold
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.game import Turn
from put_text.catalogue import ENGLISH, languages, speaking, translated
from tests.client.tui.sample_models import TABLE, after, arrive, screen
from tests.conformance.random_games import NAMES
from tests.conformance.tables import TRIED, Table, games_at
from tests.text.english_words import english_in

LATER_MS = 100_000
"""Between two steps: whatever moved on the screen has come to rest."""

CUT = re.compile(r"[a-zà-ÿ]{3,}[.,;:]?[ \u00a0]?…(?! \()")
"""A word before the sign of what was left out. A name may be short where it has a mark behind it."""


CUT_REASON = re.compile(r"^   \S.*\w… *$", re.MULTILINE)
"""The line below the question; the one of choices, which may go on, has a space before its sign."""

PARTS = Path(put_text.__file__).parent / "languages"
SPOKEN = [(table, one) for table in TRIED for one in languages() if (PARTS / one / f"{table.family}.ftl").is_file()]
"""Tables, and the languages that their games are told in."""


@pytest.mark.parametrize(("table", "language"), SPOKEN, ids=str)
def test_no_sentence_is_cut_on_a_small_screen(table: Table, language: str) -> None:
    """Whatever happens and is asked, at 80 by 24; nor is any English in another language."""
    with speaking(language):
        for text in _screens(table):
            assert CUT.search(text) is None, text
            assert CUT_REASON.search(text) is None, text
            assert language == ENGLISH or not english_in(text), text


def _screens(table: Table) -> Iterator[str]:
    played = next(iter(games_at(table)))
    names = NAMES[: table.seats]
    seats = tuple([SeatInfo(name) for name in names])
    info = TableInfo(TABLE, table.name, played.setup.options, seats, ClockInfo(), TableState.PLAYING, games=1)
    model = arrive(*names, info=info)
    number, viewer = 11, Seat(0)
    for place, step in enumerate(played.steps):
        now = place * LATER_MS
        events = (*([] if place else [GameStarted(1, names)]), *step.seen_by(viewer))
        awaits, view = played.game.awaits(step.state), played.game.view(step.state, viewer)
        turn = TurnTold(awaits.seat) if isinstance(awaits, Turn) else None
        model = after(model, Events(TABLE, number, events, info, view, turn), now=now)
        number += len(events)
        if turn is not None and turn.seat == viewer:
            asks, why = played.game.wording(step.state).spoken()
            choices = [replace(one, says=translated(one.phrase, one.says)) for one in played.game.choices(step.state)]
            asked = Decision(TABLE, place + 1, asks, tuple(choices), why=why)
            model = after(model, asked, now=now)
        yield screen(model, now=now + LATER_MS // 2)


def test_sentence_that_is_too_long_ends_with_a_clause() -> None:
    """As much of it as fits; without articles, where not even the first clause does."""
    says = "Nan takes trick 1; tricks taken so far: you 0, Nan 1."
    assert whole_clauses(says, 60, 1, "…") == (says,)
    assert whole_clauses(says, 40, 1, "…") == ("Nan takes trick 1; tricks taken so far",)
    assert whole_clauses(says, 30, 1, "…") == ("Nan takes trick 1",)
    assert whole_clauses(says, 30, 2, "…") == ("Nan takes trick 1; tricks", "taken so far: you 0, Nan 1.")
    assert whole_clauses("You lay down the 6 of clubs.", 25, 1, "…") == ("You lay down 6 of clubs.",)
    assert whole_clauses("You lay down the 6 of clubs.", 10, 1, "…") == ("You lay d…",)
