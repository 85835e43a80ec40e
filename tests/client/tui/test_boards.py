"""The boards of all families over random games: whatever happens, and at whatever size, the screen tells it."""

from collections.abc import Iterator
from itertools import islice

import pytest
from msgspec.structs import replace

from put_client.keymap import action_letters
from put_client.tui.boards import BOARDS, board_of
from put_client.tui.boards.board import Board
from put_client.tui.boards.put import score_of
from put_client.tui.keys import action_keys
from put_client.tui.model import Confirm, Model, hand_of
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import Size, width_of
from put_client.tui.widgets.card_faces import sign_of
from put_client.tui.widgets.theme import ASCII, UNICODE
from put_protocol.cards import rank_of, suit_of
from put_protocol.games.families import FAMILIES
from put_protocol.games.put import PutView
from put_protocol.messages import Act, Decision, Events, TableSnapshot, Turn
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.registry import GAMES
from put_text.presenters import format_view
from tests.client.tui.sample_models import TABLE, WELCOME, after, screen, send_keys, table_of, text_of
from tests.conformance.tables import TABLES, Played, Table, games_at
from tests.repetitions import TIMES

NAMES = ("Will", "Moll", "Ann", "Jack", "Nan", "Tom", "Kate", "Hal", "Peg", "Ned")
SIZES = (Size(60, 16), Size(80, 24), Size(120, 40), Size(200, 60), Size(61, 45))
OFFERS = tuple(rule_set.offer for rule_set in GAMES.values())
WELCOME_TO_ALL = replace(WELCOME, games=OFFERS)

WIDEST = tuple(max((table for table in TABLES if table.name == offer.name), key=lambda t: t.seats) for offer in OFFERS)
"""Each rule set with as many seats as it has."""
at_widest_tables = pytest.mark.parametrize("table", WIDEST, ids=str)


def info_of(played: Played, *, state: TableState = TableState.PLAYING) -> TableInfo:
    return TableInfo(
        id=TABLE,
        game=played.setup.name,
        options=played.setup.options,
        seats=tuple([SeatInfo(name=name) for name in NAMES[: played.setup.seats]]),
        clock=ClockInfo(),
        state=state,
        games=1,
    )


def models_of(played: Played, viewer: Viewer) -> Iterator[Model]:
    """The model after each step of a game, as the viewer's client has it."""
    game = played.game
    names = NAMES[: played.setup.seats]
    info = info_of(played)
    model = Model(welcome=WELCOME_TO_ALL)
    model = after(model, snapshot_of(info, viewer))
    began = GameStarted(1, names)
    for number, step in enumerate(played.steps):
        events = ((began,) if not number else ()) + step.seen_by(viewer)
        view = game.view(step.state, viewer)
        turn = None if view.to_move is None else Turn(view.to_move)
        model = after(model, Events(table=TABLE, first=1, events=events, info=info, view=view, turn=turn))
        if view.to_move is not None and view.to_move == viewer:
            asks, why = game.wording(step.state)[:2]
            legal = game.choices(step.state)
            model = after(model, Decision(table=TABLE, decision=number, asks=asks, legal=legal, why=why))
        yield model
    ended = info_of(played, state=TableState.BETWEEN)
    yield after(model, Events(table=TABLE, first=1, events=(), info=ended, view=table_of(model).view))  # type: ignore[arg-type]  # a view of any family


def snapshot_of(info: TableInfo, viewer: Viewer) -> TableSnapshot:
    waiting = replace(info, state=TableState.FILLING, games=0)
    return TableSnapshot(table=TABLE, viewer=viewer, number=1, info=waiting)


def games(table: Table) -> Iterator[Played]:
    return islice(games_at(table), TIMES)


@at_widest_tables
@pytest.mark.parametrize("viewer", [Seat(1), GALLERY])
def test_every_moment_of_a_game_is_drawn_at_every_size(table: Table, viewer: Viewer) -> None:
    """The screen is full, says what is asked, and shows the viewer's cards with nothing over them."""
    for played in games(table):
        for number, model in enumerate(models_of(played, viewer)):
            size, theme = SIZES[number % len(SIZES)], ASCII if number % 2 else UNICODE
            shown = draw(model, size, theme, 0)
            text = text_of(shown)
            assert len(shown.lines) == size.height
            assert text.isascii() or theme is UNICODE
            at = table_of(model)
            if at.is_asked and at.decision is not None:
                assert at.decision.asks[:20] in text
            for card in hand_of(at):
                assert (rank_of(card) if suit_of(card) in "shdc" else sign_of(theme, card)) in text


@at_widest_tables
def test_plain_board_plays_every_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A family whose board is taken away is told in sentences, and every action has a key or can be chosen."""
    monkeypatch.setattr("put_client.tui.boards.BOARDS", {})
    for played in games(table):
        for number, model in enumerate(models_of(played, Seat(0))):
            at = table_of(model)
            assert type(board_of(at)) is Board
            text = screen(model, SIZES[number % len(SIZES)])
            if at.view is not None and at.info.is_in_play and size_is_large(number):
                assert format_view(at.view, at.names, at.viewer)[0][:40] in text
            assert_every_action_is_reached(model)
        assert board_of(table_of(model)).has_story(table_of(model))
        assert "Nothing has been played" not in screen(send_keys(model, "e")[0])


def size_is_large(number: int) -> bool:
    return SIZES[number % len(SIZES)].height >= 40


@at_widest_tables
def test_every_action_has_its_keys(table: Table) -> None:
    """One that does it or, where several actions share it, one that chooses it, and Enter. The screen shows them."""
    for played in games(table):
        for model in models_of(played, Seat(0)):
            assert_every_action_is_reached(model)


@at_widest_tables
def test_help_explains_the_letters_of_the_actions(table: Table) -> None:
    """Each that the game comes to, or that it stands beside what it does."""
    for played in games(table):
        for model in models_of(played, Seat(0)):
            at = table_of(model)
            keys = ", ".join(key for key, _ in board_of(at).keys_explained(at, action_letters()))
            letters = {key for key, _ in action_keys(at) if key.isalpha()}
            assert "letters" in keys or letters <= set(keys.split(", "))
            assert "p, s, t" not in keys or table.name != "truc"


def assert_every_action_is_reached(model: Model) -> None:
    at = table_of(model)
    if not at.is_asked:
        return
    keyed = action_keys(at)
    assert [choice for _, choice in keyed] == list(at.legal)
    reached = set()
    for key in {key for key, _ in keyed if key}:
        chosen = model
        for _ in range(sum(name == key for name, _ in keyed)):
            chosen, effects = send_keys(chosen, key)
            if isinstance(chosen.overlay, Confirm):
                chosen, effects = send_keys(chosen, "y")
            elif not effects:
                _, effects = send_keys(chosen, "enter")
            reached |= {effect.action for effect in effects if isinstance(effect, Act)}
    keyless = {choice.action for key, choice in keyed if not key}
    assert reached | keyless == {choice.action for choice in at.legal}
    assert len(keyless) <= max(len(at.legal) - 20, 0)


@at_widest_tables
def test_story_tells_a_whole_game(table: Table) -> None:
    """Every page of every board is readable at any width, and names each hand that was played."""
    for played in games(table):
        *_, model = models_of(played, GALLERY)
        at = table_of(model)
        board = board_of(at)
        for width in (54, 76, 120):
            for theme in (UNICODE, ASCII):
                lines = board.story_page(at, width, theme)
                assert lines
                assert all(sum(width_of(text) for _, text in line) <= width for line in lines)


@pytest.mark.parametrize("score", [2**63, -(2**63), 6])
def test_score_that_no_game_has_is_drawn_by_its_number(score: int) -> None:
    """A server may send any; marks for it would fill the memory."""
    view = PutView(target=5, scores=(score, 2), ranking=())
    assert score_of(view, Seat(0), UNICODE) == f"{score}/5"
    assert score_of(view, Seat(1), UNICODE) == "●●○○○ 2/5"


def test_every_family_has_a_board_and_the_board_a_family() -> None:
    """A board of a family that there is not is a slip of the pen."""
    assert set(BOARDS) == set(FAMILIES)
