"""A game that nobody drew a board for can be seen and played."""

import pytest
from msgspec import Struct
from msgspec.structs import replace
from msgspec.structs import replace as struct_replace

from put_client.tui.effects import NO_ID
from put_client.tui.model import Model
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII
from put_protocol.cards import Card
from put_protocol.games.put import Double, Let, Pass, Redeal
from put_protocol.games.unions import Choice
from put_protocol.messages import Act
from put_protocol.seats import Seat
from tests.client.tui.sample_models import LARGE, SMALL, TABLE, arrive, screen, send_keys, table_of, with_decision


class Layout(Struct, frozen=True):
    """A part of the view below."""

    rows: int
    open: tuple[Card, ...] = ()


class MadeUpView(Struct, frozen=True, tag_field="view", tag="made_up"):
    """Of a game that there is not."""

    pool: int
    bids: tuple[int, ...]
    has_passed: tuple[bool, ...]
    cards: tuple[Card, ...]
    layout: Layout
    announced: dict[str, int]
    to_move: Seat | None = None
    winner: Seat | None = None
    remarks: str = ""


VIEW = MadeUpView(
    pool=12,
    bids=(3, 40),
    has_passed=(False, True),
    cards=(Card("10h"), Card("As")),
    layout=Layout(rows=2, open=(Card("Kd"),)),
    announced={"primero": 40},
    to_move=Seat(0),
)
LEGAL = (
    Choice(Pass(), "bet 1 from the purse"),
    Choice(Double(), "raise by 2: it is taken or refused"),
    Choice(Let(), ""),
    Choice(Redeal(), "trade two cards"),
)


def at_it() -> Model:
    """It is ours to decide in a game of that kind."""
    model = arrive("Will", "Moll")
    return with_decision(replace(model, table=replace(table_of(model), view=VIEW)), LEGAL, asks="Bet or trade.")


@pytest.mark.parametrize("size", [Size(60, 16), SMALL, LARGE, Size(200, 60)])
def test_unknown_view_is_told_in_sentences(size: Size) -> None:
    """The players and our cards are drawn; the values are told by name, those of each seat by its player."""
    text = screen(at_it(), size)
    assert "▶ Will (you)" in text
    assert "  Moll" in text
    assert "10♥" in text or "│10" in text
    assert "Pool: 12." in text
    assert "Bids: you 3, Moll 40." in text
    assert "Has passed: you no, Moll yes." in text
    assert "winner" not in text.casefold()
    assert "▶ Your move. Bet or trade." in text


def test_unknown_game_is_played_by_letters_and_the_servers_words() -> None:
    """Every action has a letter, and what it is called."""
    model = at_it()
    assert "n bet 1 from the purse   d raise by 2   l let   a trade two cards" in screen(model)
    assert send_keys(model, "a")[1] == (Act(NO_ID, TABLE, 9, Redeal()),)
    assert send_keys(model, "right", "enter")[1] == (Act(NO_ID, TABLE, 9, Pass()),)


def test_unknown_view_larger_than_the_screen_is_cut() -> None:
    """Its end is left out, and that it is shows."""
    model = at_it()
    many = {f"seat {number}": number for number in range(200)}
    long = replace(model, table=replace(table_of(model), view=struct_replace(VIEW, announced=many)))
    text = screen(long, Size(60, 16))
    assert "10♥" in text
    assert "Pool: 12." in text
    assert "…" in text
    assert "▶ Your move. Bet or trade." in text


def test_unknown_view_in_ascii_is_ascii() -> None:
    """Cards too."""
    text = screen(at_it(), SMALL, ASCII)
    assert text.isascii()
    assert "10h" in text or "|10" in text
