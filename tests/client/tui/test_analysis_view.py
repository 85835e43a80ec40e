"""The page of what a game's decisions cost: when it can be had, what is on it, and what happens when it is not."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.tui.boards.put.pages import analysis_page
from put_client.tui.effects import NO_ID, TaskFailed
from put_client.tui.model import Help, Model, PageKind
from put_client.tui.widgets.canvas import Size, width_of
from put_client.tui.widgets.theme import ASCII, UNICODE
from put_protocol.analysis import Judged, Reviewed, Weighed, quality_of
from put_protocol.cards import Card
from put_protocol.games.put import Moment, Play, Put
from put_protocol.messages import Analyse, Analysis, Events
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import TableState
from tests.client.tui.sample_models import (
    LARGE,
    SMALL,
    TABLE,
    after,
    arrive,
    info_of,
    screen,
    send_keys,
    step,
    table_of,
    typed,
)

CARDS = (Card("10h"), Card("10s"), Card("4c"))


def reviewed(number: int, cost: int = 0, moment: Moment = Moment.LEAD) -> Reviewed:
    """A decision that cost so much."""
    choices = (
        Weighed(Play(CARDS[0]), "lead the 10 of hearts", 6000 - cost, 0 if cost else 10_000),
        Weighed(Play(CARDS[2]), "lead the 4 of clubs", 6000, 4_000 if cost else 0),
        Weighed(Put(), 'say "I put": they throw in for a point', 6000, 6_000 if cost else 0),
    )
    judged = Judged(before=6000, after=6000 - cost, quality=quality_of(cost), done=Play(CARDS[0]), choices=choices)
    return Reviewed(number, 2, 1, moment, (1, 3), CARDS, judged)


def analysis(*costs: int, worst: tuple[int, ...] = (), game: int = 1) -> Analysis:
    given = tuple([reviewed(number, cost) for number, cost in enumerate(costs, 1)])
    costly = sum(cost >= 100 for cost in costs)
    return Analysis(TABLE, game, Seat(0), len(costs), sum(costs), costly, worst, given)


def over(games: int = 1) -> Model:
    """We sit, and a game is over."""
    info = info_of("Will", "Moll", state=TableState.BETWEEN, games=games)
    return arrive("Will", "Moll", info=info, is_back=True)


def weighed(*costs: int, worst: tuple[int, ...] = ()) -> Model:
    """The page, with all there is to know."""
    return after(send_keys(over(), "m")[0], analysis(*costs, worst=worst))


def page(model: Model, width: int) -> list[str]:
    """The lines of the page."""
    return ["".join(text for _, text in line).strip() for line in analysis_page(table_of(model), width, UNICODE)]


def test_page_is_asked_for_when_it_is_opened() -> None:
    """Once; until it comes it says so, and then it shows what came. Closed and opened again it is still there."""
    model, effects = send_keys(over(), "m")
    assert effects == (Analyse(NO_ID, TABLE),)
    assert "being weighed" in screen(model)
    assert send_keys(send_keys(model, "m")[0], "m")[1] == ()
    model = after(model, analysis(0, 730, 40, worst=(2, 3)))
    text = " ".join(page(model, 80))
    assert "Your 3 decisions in game 1 cost 7.7% of a game against perfect play" in text
    assert "one of them costs 1% or more" in text
    assert "2. A blunder in hand 2, trick 1, to lead, the score being you 1, your opponent 3" in text
    closed = send_keys(model, "m")[0]
    assert closed.overlay is None
    again, effects = send_keys(closed, "m")
    assert effects == ()
    assert "A blunder" in screen(again, LARGE)


def test_every_decision_is_a_line() -> None:
    """With the cards, what was done, the chances, the cost, its name, and what perfect play does where that differs."""
    rows = page(weighed(0, 730, worst=(2,)), 80)
    (fine,) = [row for row in rows if row.startswith("1. 2.1 lead")]
    assert fine.split() == ["1.", "2.1", "lead", "10♥", "10♠", "4♣", "10♥", "60.0", "60.0", "-"]
    (bad,) = [row for row in rows if row.startswith("2. 2.1 lead")]
    assert bad.split()[-4:] == ["60.0", "52.7", "7.3", "blunder"]
    assert 'Perfect play: say "I put" 60%, lead the 4 of clubs 40%.' in rows
    assert sum(row.startswith("Perfect play: ") for row in rows) == 1
    told = analysis(730)
    (one,) = told.reviewed
    why = replace(one, judged=replace(one.judged, reason='Say "I put": it wins 60% of games.'))
    assert 'Say "I put": it wins 60% of games.' in page(
        after(send_keys(over(), "m")[0], replace(told, reviewed=(why,))), 80
    )


@pytest.mark.parametrize("width", [54, 65, 66, 74, 80, 116])
@pytest.mark.parametrize("theme", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_page_fits_its_width(width: int, theme: object) -> None:
    """On any screen, in any signs; and in plain characters there are no others."""
    chosen = ASCII if theme is ASCII else UNICODE
    table = table_of(weighed(0, 730, 40, 12, worst=(2, 3, 4)))
    lines = analysis_page(table, width, chosen)
    assert all(sum(width_of(text) for _, text in line) <= width for line in lines)
    text = "\n".join("".join(text for _, text in line) for line in lines)
    assert text.count("Perfect play: ") == 3
    assert text.isascii() == (chosen is ASCII)


@pytest.mark.parametrize("size", [Size(60, 16), SMALL, LARGE])
def test_page_can_be_scrolled_to_its_end(size: Size) -> None:
    """Line by line and page by page, and back to the totals."""
    model = replace(weighed(*([730] * 40), worst=(1, 2, 3)), size=size)
    assert "against perfect play" in screen(model, size)
    down = send_keys(model, *(["pagedown"] * 60))[0]
    end = " ".join(screen(down, size).replace("─", "").replace("│", "").split())
    assert "they would have played them." in end
    up = send_keys(down, *(["pageup"] * 120))[0]
    assert "Your 40 decisions" in screen(up, size)


def test_long_game_comes_in_parts() -> None:
    """What has come is shown; the parts are put together in their order, and a part that comes twice is one."""
    whole = analysis(*([0] * 70), worst=())
    parts = [Analysis(TABLE, 1, Seat(0), 70, 0, 0, (), whole.reviewed[at : at + 32]) for at in range(0, 70, 32)]
    model = after(send_keys(over(), "m")[0], parts[0])
    assert "More is being weighed." in screen(model, LARGE)
    model = after(model, parts[1], parts[0], parts[1], parts[2])
    table = table_of(model)
    assert table.analysis is not None
    assert [one.number for one in table.analysis.reviewed] == list(range(1, 71))
    assert not table.awaits_analysis


def test_refusal_closes_the_page_and_is_said() -> None:
    """Where perfect play is not known there is no page, and the key is offered no more."""
    model, _ = send_keys(over(), "m")
    model = after(
        model, TaskFailed(Analyse(NO_ID, TABLE), "Perfect play is not known for truc.", RefusalCode.NOT_SOLVED)
    )
    assert model.overlay is None
    assert "! Perfect play is not known for truc." in screen(model)
    model, effects = send_keys(model, "m")
    assert effects == ()
    assert "mistakes" not in screen(model, LARGE)


def test_page_is_not_offered_where_it_would_be_refused() -> None:
    """To who has just sat down, and has played no game here; and where nobody has solved what is played."""
    between = info_of("Will", "Moll", state=TableState.BETWEEN)
    assert send_keys(arrive(info=between), "m")[1] == ()
    assert send_keys(arrive(info=between, is_back=True), "m")[1] == (Analyse(NO_ID, TABLE),)
    unsolved = structs.replace(between, is_solved=False)
    assert send_keys(arrive(info=unsolved, is_back=True), "m")[1] == ()
    for info, requests in ((between, (Analyse(NO_ID, TABLE),)), (unsolved, ())):
        started = after(arrive(info=info), Events(TABLE, 1, (GameStarted(2, ("Will", "Moll")),)))
        assert send_keys(started, "m")[1] == requests
        assert ("mistakes" in screen(started, LARGE)) == bool(requests)


def test_failure_is_said_and_may_be_asked_again() -> None:
    """The server's own words for what went wrong."""
    model = after(send_keys(over(), "m")[0], Analysis(TABLE, 1, Seat(0), flaw="the analysis failed; ask again"))
    assert model.overlay is None
    assert "! The analysis failed; ask again." in screen(model)
    assert send_keys(model, "m")[1] == (Analyse(NO_ID, TABLE),)


def test_next_game_has_its_own_page() -> None:
    """The page of the game before may be read while the next is played; when that is over it is weighed in turn."""
    model = send_keys(weighed(0, 730, worst=(2,)), "m")[0]
    playing = after(model, Events(TABLE, 11, (), info=info_of("Will", "Moll", games=2)))
    shown, effects = send_keys(playing, "m")
    assert effects == ()
    assert "in game 1" in screen(shown, LARGE)
    done = after(shown, Events(TABLE, 11, (), info=info_of("Will", "Moll", state=TableState.BETWEEN, games=2)))
    assert send_keys(send_keys(done, "m")[0], "m")[1] == (Analyse(NO_ID, TABLE),)
    newer = after(done, analysis(0, game=2))
    assert "in game 2" in screen(newer, LARGE)


def test_line_that_dropped_asks_again() -> None:
    """What was ready meanwhile nobody heard."""
    model = after(send_keys(over(), "m")[0], ConnectionLost("it dropped"))
    assert step(model, ConnectionBack((TABLE,)))[1] == (Analyse(NO_ID, TABLE),)
    done = after(model, ConnectionBack((TABLE,)), analysis(0), ConnectionLost("it dropped"))
    assert step(done, ConnectionBack((TABLE,)))[1] == ()


def test_gallery_and_players_in_a_game_have_no_page() -> None:
    """There is nothing of theirs to weigh, or not yet."""
    for model in (
        arrive("Ann", "Moll", viewer=GALLERY, info=info_of("Ann", "Moll", state=TableState.BETWEEN)),
        arrive("Will", "Moll"),
        arrive("Will", "Moll", info=info_of("Will", "Moll", state=TableState.BETWEEN, games=0)),
    ):
        after_it, effects = send_keys(model, "m")
        assert (after_it.overlay, effects) == (None, ())
        assert " mistakes" not in screen(model, LARGE)
    assert " mistakes" in screen(over(), LARGE)


def test_command_opens_the_page() -> None:
    """Typed, it is the same."""
    model, effects = send_keys(typed(send_keys(over(), "/")[0], "analyse"), "enter")
    assert model.overlay == Help(page=PageKind.ANALYSIS)
    assert effects == (Analyse(NO_ID, TABLE),)


def test_analysis_of_another_table_is_not_ours() -> None:
    """Nothing of it is shown."""
    model = send_keys(over(), "m")[0]
    assert after(model, Analysis(TABLE + 1, 1, Seat(0))) == model
