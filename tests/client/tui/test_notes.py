"""Notes over the table: for beginners, and of the coach. What is shown, what closes it, and whom it is for."""

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from put_client.settings import Settings
from put_client.tui.effects import NO_ID, TaskDone, TaskFailed, Teach
from put_client.tui.model import Confirm, Model
from put_client.tui.update.dispatch import begin
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, UNICODE
from put_protocol.analysis import Weighed
from put_protocol.games.put import Put
from put_protocol.messages import Act, Advice, Coach, Leave, OpenTable
from put_protocol.offers import OptionOffer
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import SeatInfo
from put_text.lessons import Lesson
from tests.client.tui.sample_models import (
    HAND,
    TABLE,
    WELCOME,
    after,
    arrive,
    choices,
    info_of,
    screen,
    send_keys,
    step,
    table_of,
    typed,
    view_of,
    with_decision,
)

SIZES = [Size(60, 16), Size(60, 20), Size(80, 24), Size(120, 40), Size(200, 60)]
TIE = Lesson("put.tie", "The best cards are tied, so no player takes this trick.")
WORTH = ((4900, 0), (4100, 2500), (3000, 0), (6180, 7500))
ADVICE = Advice(
    5,
    TABLE,
    9,
    tuple([Weighed(c.action, c.says, *worth) for c, worth in zip(choices(HAND[:3]), WORTH, strict=True)]),
    reason='Say "I put": at 2 to 3 they throw in for a point, or this hand decides the game; it wins 61.8% of games.',
)


def against_house(*, coaches: bool = False) -> Model:
    """Our lead in a game against the house."""
    info = altered(info_of("Will", "Doll"), seats=(SeatInfo("Will"), SeatInfo("Doll", is_house=True, house="steady")))
    model = arrive("Will", "Doll", info=info, view=view_of(2, Seat(0)))
    return with_decision(replace(model, coaches=coaches))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [UNICODE, ASCII])
def test_lesson_is_shown_with_our_cards_and_the_question(size: Size, theme: object) -> None:
    """On every screen, and it says how it is closed."""
    shown = screen(after(against_house(), TIE), size, theme)  # type: ignore[arg-type]  # one of the two
    assert "The best cards are tied" in shown
    assert "Enter goes on" in shown
    assert "Lead to trick 1" in shown
    assert "1 3" in shown, "what may be done is in sight"


def test_typed_command_to_leave_is_not_spent_on_a_note() -> None:
    """The player has named what they want; only a key may mean the note."""
    noted = after(against_house(), TIE)
    leaving = send_keys(typed(send_keys(noted, "/")[0], "leave"), "enter")[0]
    assert isinstance(leaving.overlay, Confirm)
    assert send_keys(leaving, "y")[1] == (Leave(NO_ID, TABLE),)


@pytest.mark.parametrize("key", ["enter", "escape"])
def test_key_closes_one_note_at_a_time(key: str) -> None:
    """And does nothing else: nobody leaves the table by it."""
    model = after(against_house(), TIE, Lesson("put.put", "You may put."))
    model, effects = send_keys(model, key)
    assert effects == ()
    assert [lesson.name for lesson in table_of(model).lessons] == ["put.put"]
    model, effects = send_keys(model, key)
    assert (effects, table_of(model).lessons) == ((), ())


def test_note_is_no_hindrance_to_playing() -> None:
    """A card is played as ever, and what was said of the decision goes with it."""
    model, effects = send_keys(after(against_house(), TIE), "1")
    assert isinstance(effects[0], Act)
    assert table_of(model).lessons == ()


def test_coach_is_asked_with_a_key_and_shown() -> None:
    """Every choice with its chance, the best first; the key again closes it, and so does the answer."""
    model = against_house()
    model, effects = send_keys(model, "w")
    assert effects == (Coach(NO_ID, TABLE),)
    model = after(model, ADVICE)
    lines = screen(model, Size(80, 24), UNICODE).splitlines()
    rows = [line for line in lines if "%" in line]
    assert "61.8%" in rows[0]
    assert "put" in rows[0]
    assert "perfect play: 75%" in rows[0]
    assert ["61.8" in rows[0], "49%" in rows[1], "41%" in rows[2], "30%" in rows[3]] == [True] * 4
    said = " ".join(" ".join(lines).replace("│", " ").split())
    assert 'The coach would say "I put": at 2 to 3 they' in said
    assert "counts for no streak" in said
    assert table_of(send_keys(model, "w")[0]).advice is None
    assert table_of(send_keys(model, "1")[0]).advice is None


def test_coach_is_not_offered_against_people() -> None:
    """Nor in the gallery, nor when nothing is asked."""
    people = with_decision(arrive("Will", "Moll", view=view_of(2, Seat(0))))
    assert send_keys(people, "w")[1] == ()
    assert "coach" not in screen(people, Size(120, 40), UNICODE)
    idle = arrive("Will", "Doll", view=view_of(2, Seat(0)))
    assert send_keys(idle, "w")[1] == ()


def dealt_blind(model: Model) -> Model:
    """The same at a table where the server cannot see our hand."""
    table = table_of(model)
    return replace(model, table=replace(table, info=altered(table.info, options={"dealing": "blind"})))


def test_coach_is_offered_where_the_server_sees_our_cards() -> None:
    """Elsewhere it could only refuse: the key is not shown, nothing is asked by itself, and the key gets the reason."""
    blind, below = dealt_blind(against_house(coaches=True)), "w coach"
    assert below in screen(against_house(), Size(80, 24), UNICODE)
    assert below not in screen(blind, Size(80, 24), UNICODE)
    decision = table_of(blind).decision
    assert decision is not None
    assert step(blind, altered(decision, decision=10))[1] == ()
    assert send_keys(blind, "w")[1] == (Coach(NO_ID, TABLE),)


@pytest.mark.parametrize("coaches", [True, False])
def test_game_against_the_house_has_the_coach_that_the_settings_ask_for(*, coaches: bool) -> None:
    """It is dealt so that the coach can see our cards; without it nobody can."""
    dealing = OptionOffer("dealing", "who deals", "blind", values=("blind", "plain"))
    model = Model(welcome=WELCOME)
    offers = (altered(model.welcome.games[0], options=(dealing,)), *model.welcome.games[1:])
    model = replace(model, coaches=coaches, welcome=altered(model.welcome, games=offers))
    opened = next(effect for effect in send_keys(model, "h", "enter")[1] if isinstance(effect, OpenTable))
    assert opened.options == ({"dealing": "plain"} if coaches else {})


def test_advice_on_a_decision_that_is_over_is_not_shown() -> None:
    """It would be taken for advice on the next."""
    late = altered(ADVICE, decision=8)
    assert table_of(after(against_house(), late)).advice is None
    answered, _ = send_keys(against_house(), "1")
    assert table_of(after(answered, ADVICE)).advice is None


def test_refusal_of_the_coach_is_said() -> None:
    """As by a server that advises where a game was solved alone."""
    says = "Perfect play is not known for truc."
    model = after(against_house(), TaskFailed(Coach(NO_ID, TABLE), says, RefusalCode.NOT_SOLVED))
    assert model.notice == says


@pytest.mark.parametrize("size", SIZES)
def test_reason_stands_alone_where_perfect_play_is_not_known(size: Size) -> None:
    """And our choices stay in sight."""
    counted = altered(ADVICE, choices=(), reason="Lead the king of spades: nine of the 43 cards ... beat it.")
    shown = screen(after(against_house(), counted), size, UNICODE)
    assert "The coach would lead the king of spades: nine" in shown
    assert "1 3" in shown


def test_setting_asks_the_coach_at_every_decision() -> None:
    """Once each, and against the house only."""
    model, _ = begin(WELCOME, settings=Settings(coach=True))
    assert model.coaches
    model = against_house(coaches=True)
    decision = table_of(model).decision
    assert decision is not None
    assert step(model, altered(decision, decision=10))[1] == (Coach(NO_ID, TABLE),)
    assert step(model, decision)[1] == (), "it came again after a drop"


def test_notes_are_turned_off_and_on_with_a_command() -> None:
    """And what came of it is said."""
    model, effects = send_keys(typed(send_keys(against_house(), "/")[0], "teach off"), "enter")
    assert effects == (Teach("off"),)
    assert after(model, TaskDone(Teach("off"), says="No more.")).notice == "No more."


def test_put_is_still_asked_about() -> None:
    """The note is no question, and no answer to one."""
    model = after(against_house(), TIE)
    model, effects = send_keys(model, "p")
    assert effects == ()
    assert model.overlay is not None
    model, effects = send_keys(model, "y")
    assert [effect.action for effect in effects if isinstance(effect, Act)] == [Put()]
