"""Primero in English: every event and view has its sentences, and every legal action can be typed."""

from pathlib import Path
from typing import Any

import pytest

from put_protocol.cards import Card
from put_protocol.games import primero
from put_protocol.games.unions import Choice
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.text import is_printable
from put_rules.game import Game, Turn
from put_text.catalogue import has_message
from put_text.parse_action import parse
from put_text.presenters import format_event, format_introduction, format_score, format_view
from tests.games.vectors import FOLDER, notation, read, steps

NAMES = ("Alberto", "Bartolomeo", "Constanza", "Fiametta", "Giulia", "Ippolita")
FILES = tuple(sorted((FOLDER / "primero").glob("*.txt")))


def told(name: str, you: Viewer) -> list[str]:
    """Every sentence of a vector, as one viewer reads them."""
    vector = read(FOLDER / "primero" / f"{name}.txt")
    names = NAMES[: vector.setup.seats]
    return [format_event(event, names, you=you) for _, step in steps(vector) for event in step.seen_by(you)]


def test_worked_example_is_told() -> None:
    """The Oak 5, as Fiametta hears it."""
    assert told("worked-example", Seat(3)) == [
        (
            "Alberto deals hand 1, two cards each; everyone who plays pays one into the pot; Bartolomeo speaks first; "
            "you hold the 2 of diamonds and the 3 of clubs."
        ),
        "Bartolomeo bets 2.",
        "Constanza raises the bet by 6 and pays 8: to see it takes 8 in all.",
        "You refuse the bet.",
        "Alberto refuses the bet.",
        "Bartolomeo refuses the bet.",
        (
            "No player takes the bet, so Constanza takes back 6 and may raise no more in this round; Bartolomeo's bet "
            "stands again, 2 in all."
        ),
        "You see the bet and pay 2.",
        "Alberto refuses the bet.",
        "Alberto is out of the hand, and the cards go away unseen.",
        "This round of betting is over.",
        (
            "Two more cards are dealt to Bartolomeo, Constanza and you; you hold the queen of diamonds and the 5 of "
            "clubs besides."
        ),
    ]


def test_trade_is_told_to_who_trades_and_to_others() -> None:
    """With the cards to one, without them to all others."""
    own = told("last-trades", Seat(2))
    assert "You lay down the 6 of diamonds and the 5 of diamonds." in own
    assert any(said.startswith("You draw the ") for said in own)
    others = told("last-trades", GALLERY)
    assert "Constanza lays down two cards, unseen." in others
    assert not any("the 6 of diamonds and the 5 of diamonds" in said for said in others)


def test_first_ace_is_told() -> None:
    """Who got which card, and who deals."""
    assert told("first-ace-deals", GALLERY)[0] == (
        "Cards are turned up for the deal: Alberto the 7 of hearts, Bartolomeo the king of clubs, Constanza the 2 of "
        "diamonds, Alberto the 3 of spades and Bartolomeo the ace of clubs; Bartolomeo has the first ace and deals "
        "first."
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_event_and_view_is_told(path: Path) -> None:
    """In sentences that can be printed, to every viewer; and each action can be typed by its words on the wire and by
    the server's phrase."""
    vector = read(path)
    game, names = vector.setup.game(), NAMES[: vector.setup.seats]
    kinds = set()
    for _, step in steps(vector):
        for viewer in vector.setup.viewers:
            view = game.view(step.state, viewer)
            said = [format_event(event, names, you=viewer) for event in step.seen_by(viewer)]
            said += [*format_view(view, names, viewer), format_score(view, names, viewer)]
            said += format_introduction(view, names, viewer)
            kinds |= {type(event) for event in step.seen_by(viewer)}
            assert all(is_printable(line) and line.endswith(".") and len(line) < 1_000 for line in said)
            assert not any("primero." in line or "None" in line or "Seat" in line for line in said)
        check_typing(game, step.state)
    assert kinds


def check_typing(game: Game[Any, Any], state: Any) -> None:
    """Each choice of the seat to move can be typed."""
    if not isinstance(game.awaits(state), Turn):
        return
    legal: tuple[Choice, ...] = game.choices(state)
    for choice in legal:
        words = notation(choice.action).replace("_", " ")
        for typed in (choice.says, choice.says.upper(), words, f"I {words}"):
            assert parse(typed, legal) == choice.action, typed


def test_cards_to_trade_may_be_typed_in_any_order() -> None:
    """And with or without `and`."""
    legal = [Choice(primero.Trade((Card("7h"), Card("2c"))), "trade the 7 of hearts and the 2 of clubs")]
    for typed in ("trade 2c 7h", "trade 7h, 2c", "trade the 2 of clubs and the 7 of hearts"):
        assert parse(typed, legal) == legal[0].action


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("raise 2", "You cannot raise now."),
        ("see", "There is no bet for you to see now."),
        ("trade 7h", "You cannot trade now."),
        ("vada", "You cannot call vada: only a Primero or a Fluxus may, and only when you are asked."),
        ("sing", '"sing" is no choice of yours.'),
    ],
)
def test_what_may_not_be_done_is_answered(typed: str, answer: str) -> None:
    """With the reason, and then with what may be done."""
    legal = [Choice(primero.Pass(), "pass")]
    assert parse(typed, legal) == f"{answer} You can pass."


def test_every_moment_has_a_task() -> None:
    """What the player to move is to do is told to the others for every moment there is."""
    assert all(has_message(f"primero-task-{moment}") for moment in primero.Moment)
