"""A table as its players see it."""

import re

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as struct_replace

from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.tui.model import LogEntry, Model
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, UNICODE, Theme
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.tricks import TrickView
from put_protocol.messages import Events, Turn
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Said
from put_protocol.table_info import SeatInfo, TableState
from tests.client.tui.sample_models import (
    HAND,
    LARGE,
    SMALL,
    TABLE,
    after,
    arrive,
    dealt,
    info_of,
    led,
    put_to,
    screen,
    send_keys,
    table_of,
    taken,
    view_of,
    view_of_put,
    with_decision,
    with_events,
    your_lead,
)

SIZES = (Size(60, 16), Size(64, 20), SMALL, Size(90, 30), LARGE, Size(200, 60))
OTHERS = "░▒"
"""What the backs of cards are drawn with."""


def said(text: str) -> Events:
    return Events(table=TABLE, first=20, events=(Said("Moll", text, Seat(1)),))


@pytest.mark.parametrize("size", SIZES)
def test_own_cards_are_face_up_at_every_size(size: Size) -> None:
    """Rank, suit and digit of every card in the hand."""
    text = screen(your_lead(), size)
    for rank, sign in (("3", "♠"), ("10", "♥"), ("K", "♦")):
        assert rank in text
        assert sign in text
    assert "1 3♠   2 10♥   3 K♦   p put" in text


@pytest.mark.parametrize("size", SIZES)
def test_cards_of_others_are_backs_at_every_size(size: Size) -> None:
    """The gallery, who holds nothing, sees no face at all before a card is led, and backs for both players."""
    text = screen(dealt("Will", "Moll", viewer="gallery"), size)
    assert not set("♠♥♦♣") & set(text)
    assert set(OTHERS) & set(text)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [UNICODE, ASCII])
def test_what_is_asked_is_always_said(size: Size, theme: Theme) -> None:
    """One line tells what is expected of whom."""
    pointer = theme.pointer
    assert f"{pointer} Your move. Lead to trick 1." in screen(your_lead(), size, theme)
    assert f"{pointer} Your move. Do you see the put, or throw in?" in screen(put_to(), size, theme)
    assert "Moll is thinking: to play to the trick ..." in screen(led(), size, theme)


def test_what_is_asked_between_games() -> None:
    """Empty seats, another game, and whom it waits for."""
    filling = arrive(info=info_of("Will", None, state=TableState.FILLING, games=0))
    assert "▶ A seat is empty: wait, or press h to invite the house." in screen(filling)
    over = arrive(info=info_of("Will", "Moll", state=TableState.BETWEEN))
    assert "▶ The game is over: a for another, b for the lobby." in screen(over)
    agreed = struct_replace(
        info_of("Will", "Moll", state=TableState.BETWEEN),
        seats=(SeatInfo(name="Will", agrees=True), SeatInfo(name="Moll")),
    )
    assert "Waiting for Moll to want another game ..." in screen(arrive(info=agreed))


def test_what_is_asked_while_the_connection_is_lost() -> None:
    """It says so, and offers nothing that cannot be done."""
    lost = after(your_lead(), ConnectionLost("the connection dropped"))
    assert "The connection is lost" in screen(lost)
    assert "p put" not in screen(lost)
    back = after(lost, ConnectionBack((TABLE,)))
    assert "Your move. Lead to trick 1." in screen(back)


def test_trick_shows_who_played_what() -> None:
    """The card led with its player's name under it, and a place for the one to come."""
    rows = screen(led()).split("\n")
    top = next(line for line, row in enumerate(rows) if "│3  │" in row)
    assert "│ ♠ │" in rows[top + 1]
    assert rows[top + 3].split("│")[0].strip() == "you"
    assert "╎" in rows[top]


def test_last_trick_lies_until_the_next_lead() -> None:
    """What became of it is said above, its winner stands in brackets; the next lead clears it away."""
    text = screen(taken())
    assert "You take trick 1." in text
    assert "[you]" in text
    view = view_of_put(taken())
    assert view is not None
    view = struct_replace(view, cards=HAND[2:3], trick=TrickView((Seat(0),), (HAND[1],)), to_move=Seat(1))
    field = [
        row.split("│ ")[0]
        for row in screen(with_events(taken(), put.Played(Seat(0), HAND[1], leads=True), view=view)).split("\n")
    ]
    assert not any("[you]" in row for row in field)


def test_past_tricks_name_their_winner() -> None:
    """In the pane the card that took the trick is in brackets."""
    assert "1        [3♠]      Q♥" in screen(taken())


def test_put_and_who_saw_it_are_marked() -> None:
    """A word, not a colour, at the seat and over the trick."""
    assert "Moll   PUT   dealer" in screen(put_to())
    assert "Trick 1: Moll has put" in screen(put_to())
    view = view_of_put(put_to())
    assert view is not None
    seen = with_events(put_to(), view=struct_replace(view, seen_by=(Seat(0),)))
    assert "Trick 1, for the game: Moll put, you saw it" in screen(seen)
    assert "sees  eldest" in screen(seen)
    assert "Will (you)  ○○○○○ 0/5  sees  eldest, first to play" in screen(seen, LARGE)


def test_scores_are_pips_and_numbers() -> None:
    """Points won, points to win, and both as numbers; the purse with its sign, once anybody has won a stake here, and
    with what it counts where there is room."""
    view = struct_replace(view_of(2, Seat(0)), scores=(3, 0))
    info = struct_replace(info_of(), seats=(SeatInfo(name="Will", purse=2), SeatInfo(name="Moll", purse=-2)))
    text = screen(arrive(info=info, view=view))
    assert "●●●○○ 3/5  eldest  purse +2" in text
    assert "○○○○○ 0/5  purse -2 stakes" in text
    assert "purse" not in screen(your_lead())
    assert "Will (you)  ○○○○○ 0/5  eldest, first to play" in screen(your_lead(), LARGE)
    long = screen(arrive(info=info, view=struct_replace(view, target=21, scores=(13, 0))))
    assert "13/21" in long


def test_ranking_is_shown_as_told() -> None:
    """Best first, from the view."""
    assert "best 3 2 A K Q J 10 9 8 7 6 5 4 last" in screen(your_lead())
    short = struct_replace(view_of(2, Seat(0)), ranking=("7", "8", "A"))
    assert "best 7 8 A last" in screen(arrive("Will", "Moll", view=short))


def test_dealer_eldest_house_bot_and_away_are_words() -> None:
    """Each mark can be read."""
    info = struct_replace(info_of(), seats=(SeatInfo(name="Will"), SeatInfo(name="Moll", is_house=True, is_away=True)))
    text = screen(arrive(info=info, view=view_of(2, Seat(0))))
    assert "Moll (house) away   dealer" in text
    assert "○○○○○ 0/5  eldest" in text
    bot = struct_replace(info, seats=(SeatInfo(name="Will"), SeatInfo(name="Hal", is_bot=True)))
    assert "Hal (bot)" in screen(arrive(info=bot, view=view_of(2, Seat(0))))


def test_clock_counts_down_and_calls_at_the_end() -> None:
    """Seconds left of the turn, whose they are, and a mark for the last ten."""
    model = with_decision(dealt("Will", "Moll"), turn_ms=30_000)
    assert "your time  0:30" in screen(model, now=0)
    assert "your time  0:18" in screen(model, now=12_500)
    assert "your time !0:09!" in screen(model, now=21_000)
    assert "your time !0:00!" in screen(model, now=99_000)


def test_clock_of_a_player_who_is_away_is_their_bank() -> None:
    """Their turn clock stands while they are away, and goes on when they are back."""
    model = with_events(dealt("Will", "Moll"), view=view_of(2, Seat(1)), turn=Turn(Seat(0), 20_000, 300_000))
    model = after(model, Events(table=TABLE, first=30, events=(PresenceChanged(Seat(0), away=True),)), now=5_000)
    assert "0:15" not in screen(model, now=65_000)
    assert "4:00" in screen(model, now=65_000)
    model = after(model, Events(table=TABLE, first=31, events=(PresenceChanged(Seat(0), away=False),)), now=65_000)
    assert "0:14" in screen(model, now=66_000)


def test_gallery_size_is_shown() -> None:
    """How many watch, and whether one is oneself among them."""
    assert "2 watching" in screen(your_lead())
    assert "2 watching (you)" in screen(dealt("Will", "Moll", viewer="gallery"))


def test_chosen_action_is_in_brackets_and_its_card_raised() -> None:
    """The choice can be seen without colours, in the list and in the hand."""
    model, _ = send_keys(your_lead(), "right", "right")
    text = screen(model)
    assert "[2 10♥]" in text
    assert "1   [2]    3" in text
    assert "Enter: lead the 10 of hearts" in text


def test_question_hides_no_card() -> None:
    """Asked whether one means to put, one still sees the hand, the trick, and the clock."""
    model, _ = send_keys(with_decision(dealt("Will", "Moll"), turn_ms=30_000), "p")
    text = screen(model)
    assert '▶ Say "I put"?' in text
    assert "yes" in text
    assert "no" in text
    assert "your time  0:30" in text
    before = screen(with_decision(dealt("Will", "Moll"), turn_ms=30_000)).split("\n")
    assert text.split("\n")[:-4] == before[:-4]


def test_log_follows_its_end() -> None:
    """The last thing that happened is in sight, the first no more."""
    model = after(your_lead(), *(said(f"word {number}") for number in range(60)))
    text = screen(model, Size(80, 20))  # too low for a pane of talk
    assert "Moll: word 59" in text
    assert "Moll: word 1 " not in text


@pytest.mark.parametrize("size", [Size(60, 20), Size(80, 24), Size(120, 40), Size(200, 60)])
def test_log_and_talk_can_be_read_to_their_beginning_at_any_size(size: Size) -> None:
    """PgUp opens them and turns a page; what happens meanwhile does not move what is read; End goes to the end, and
    there it stays."""
    model = replace(your_lead(), size=size)
    model = after(model, *(said(f"word {number}.") for number in range(200)))
    assert "word 199." in screen(send_keys(model, "u")[0], size)
    model, _ = send_keys(model, "pageup")
    for _ in range(40):
        if "word 0." in screen(model, size):
            break
        before = screen(model, size)
        model = after(model, said("something new"))
        assert words(screen(model, size)) == words(before)
        model, _ = send_keys(model, "pageup")
    assert "word 0." in screen(model, size)
    model, _ = send_keys(model, "end")
    model = after(model, said("the last of all"))
    assert "the last of all" in screen(model, size)
    assert "You sit at table 3." in screen(send_keys(model, "home")[0], size)


def words(text: str) -> list[str]:
    """What stands on a page of the log, and not beside it."""
    return re.findall(r"│ (Moll: word \d+\.)(?= +│)", text)


def test_unread_talk_is_counted_until_it_is_read() -> None:
    """Where no pane shows it: how much, and on the page where it begins. What we say ourselves is not counted."""
    small = Size(60, 20)
    model = replace(your_lead(), size=small)
    model = after(model, said("one"), said("two"), Events(table=TABLE, first=1, events=(Said("Will", "I", Seat(0)),)))
    assert "2 unread: u" in screen(model, small)
    page, _ = send_keys(model, "u")
    rows = screen(page, small).split("\n")
    mark = next(number for number, row in enumerate(rows) if " unread " in row)
    assert "Moll: one" in rows[mark + 1]
    assert "unread" not in screen(send_keys(page, "escape")[0], small)
    assert "unread" not in screen(send_keys(page, "escape", "u")[0], small)


def test_small_windows_lose_talk_first_then_the_log_never_the_table() -> None:
    """Talk moves into the log; then only its last line is left; hand, trick and question are always there."""
    model = after(your_lead(), said("well?"))
    assert "─ Talk ─" in screen(model, SMALL)
    assert "─ Log ─" in screen(model, SMALL)
    low = screen(model, Size(80, 20))
    assert "─ Talk ─" not in low
    assert "Moll: well?" in low
    least = screen(model, Size(60, 16))
    assert "─ Log ─" not in least
    assert "Moll: well?" in least
    assert "│ 3♠│10♥│ K♦│" in least


def test_too_small_a_window_says_what_to_do() -> None:
    """It names what is needed and the other way to play, and still what is asked."""
    text = screen(your_lead(), Size(50, 12))
    assert "60 by 16" in text
    assert "press L to go on in line mode" in text
    assert "Your move. Lead to trick 1." in text


def test_nothing_moves_when_a_card_is_played() -> None:
    """Names, places and panes stay where they were: only what changed changes."""
    before, now = screen(your_lead()).split("\n"), screen(led()).split("\n")
    for mark in ("Moll ", "Will (you)", "─ Log ─", "best 3 2", "╭────╭"):
        places = [
            next((line, row.find(mark)) for line, row in enumerate(rows) if mark in row) for rows in (before, now)
        ]
        assert places[0] == places[1]


def test_end_of_a_game_is_clear() -> None:
    """Who won, how, and what was paid; and what can be done now."""
    view = struct_replace(view_of(2, Seat(0)), counts=(), cards=(), to_move=None, moment=None, scores=(5, 4))
    ended = put.GameEnded(how=put.GameWon.POINTS, winners=(Seat(0),), scores=(5, 4), paid=(1, -1))
    hand = put.HandEnded(how=put.HandWon.TRICKS, winner=Seat(0), points=1, scores=(5, 4))
    info = info_of("Will", "Moll", state=TableState.BETWEEN)
    model = after(taken(), Events(table=TABLE, first=30, events=(hand, ended), view=view, info=info))
    text = screen(model)
    assert "You win the hand" in text
    assert "  You win the game on points, with the score" in text
    assert "a another game" in text


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("size", SIZES)
def test_every_player_is_seen(seats: int, size: Size) -> None:
    """Two to four, each with name and score; the viewer below all others."""
    names = ("Will", "Moll", "Ann", "Bess")[:seats]
    text = screen(dealt(*names), size)
    for seat, name in enumerate(names):
        assert name in text
        assert f"{seat}/5" in text
    rows = text.split("\n")
    own = next(line for line, row in enumerate(rows) if "Will (you)" in row)
    assert all(next(line for line, row in enumerate(rows) if name in row) < own for name in names[1:])


def test_players_sit_clockwise_from_the_left() -> None:
    """The next seat is at the left, so the others stand in turn from left to right."""
    text = screen(dealt("Ann", "Will", "Moll", "Bess", viewer=Seat(1)))
    row = next(row for row in text.split("\n") if "Moll" in row)
    assert row.find("Moll") < row.find("Bess") < row.find("Ann")


def test_wide_names_are_aligned() -> None:
    """A name of wide characters pushes no border out of line."""
    text = screen(dealt("Will", "李小龍"))
    columns = {len(row.encode("utf-16-le")) for row in text.split("\n") if row.lstrip().startswith("李小龍")}
    assert columns
    for row in text.split("\n")[1:-5]:
        plain = row.replace("李小龍", "XXXXXX")
        assert plain[51] in "│├"


def test_control_characters_of_strangers_are_not_drawn() -> None:
    """Names and talk cannot steer the terminal."""
    model = dealt("Will", "Mo\x1b[31mll\u202e")
    model = after(model, said("a\x07b\x1b]0;title\x07c"))
    text = screen(model)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x07" not in text


def test_notice_stands_until_the_next_key() -> None:
    """A refusal is read before it goes."""
    model = replace(your_lead(), notice="That is not among the legal actions.")
    assert "! That is not among the legal actions." in screen(model)
    assert "! That" not in screen(send_keys(model, "left")[0])


def test_a_person_who_left_keeps_their_name_in_the_log() -> None:
    """The seat is empty, but the log still says who it was."""
    model: Model = dealt("Will", "Moll")
    table = table_of(model)
    empty = struct_replace(table.info, seats=(table.info.seats[0], SeatInfo()), state=TableState.FILLING)
    model = after(model, Events(table=TABLE, first=40, events=(put.Played(Seat(1), Card("4c")),), info=empty))
    assert table_of(model).log.entries[-1] == LogEntry("Moll plays the 4 of clubs.")
    assert "(empty seat)" in screen(model)


# --- other rule sets -------------------------------------------------------------------------------------------------


def test_double_is_no_put() -> None:
    """Where one doubles, the words are others, and what the hand is worth is told."""
    view = struct_replace(view_of(2, Seat(0)), putter=Seat(1), accepted=put.Worth.VALUE, moment=put.Moment.ANSWER)
    assert "Moll   DOUBLES   dealer" in screen(arrive("Will", "Moll", view=view))
    assert "Trick 1: Moll has doubled" in screen(arrive("Will", "Moll", view=view))
    taken_up = struct_replace(view, seen_by=(Seat(0),), value=2, to_move=Seat(1))
    text = screen(arrive("Will", "Moll", view=taken_up))
    assert "takes it  eldest" in text
    assert "Trick 1, for 2 points: Moll doubled, you took it" in screen(arrive("Will", "Moll", view=taken_up), LARGE)
    waiting = struct_replace(view, putter=Seat(0), to_move=Seat(1))
    assert "Moll is thinking: to take the double, or throw in ..." in screen(arrive("Will", "Moll", view=waiting))


def test_rubber_counts_games() -> None:
    """Beside the points."""
    view = struct_replace(view_of(2, Seat(0)), target=12, scores=(3, 0), rubber=(1, 0))
    text = screen(arrive("Will", "Moll", view=view))
    assert "3/12, 1 won" in text
    assert "0/12, 0 won" in text


def test_partners_see_what_they_gave_and_threw_away() -> None:
    """Who gave is marked so, and is not called out of the hand; one's own cards that went away are told."""
    view = struct_replace(
        view_of(4, Seat(0)), cards=HAND[:3], counts=(3, 4, 0, 0), playing=(True, True, False, False), thrown=HAND[3:4]
    )
    view = struct_replace(view, givers=(Seat(2), Seat(3)))
    text = screen(arrive("Will", "Moll", "Ann", "Bess", view=view))
    assert text.count("gave") == 2
    assert "out" not in text
    assert "threw 7♣" in text
    giver = struct_replace(view, cards=(), counts=(0, 4, 3, 0), gave=HAND[0], thrown=HAND[1:3])
    text = screen(arrive("Will", "Moll", "Ann", "Bess", view=giver))
    assert "gave 3♠" in text
    assert "threw 10♥ K♦" in text


def test_partner_is_marked() -> None:
    """Opposite sits the partner, and is called so; the adversaries are not."""
    view = struct_replace(view_of(4, Seat(0)), sides=(0, 1, 0, 1))
    text = screen(arrive("Will", "Moll", "Ann", "Bess", view=view))
    assert "Ann (partner" in text
    assert text.count("partner") == 1


def test_hand_not_taken_up_yet_is_face_down() -> None:
    """After an accident in the dealing nobody has seen their cards."""
    view = struct_replace(
        view_of(2, Seat(0)), cards=(), accident=put.AccidentView(4, Seat(0)), moment=put.Moment.ACCIDENT
    )
    model = with_events(dealt("Will", "Moll"), put.Accident(4, Seat(0)), view=view)
    text = screen(model)
    assert "You were dealt a card too many." in text
    assert not set("♠♥♦♣") & set(text)
    assert text.count("░░░") > 3


def test_put_before_the_first_trick_clears_the_last_hand_away() -> None:
    """What lies there of the hand before is not mistaken for this one's."""
    view = struct_replace(view_of(2, Seat(0)), putter=Seat(1), moment=put.Moment.ANSWER)
    text = screen(with_events(taken(), view=view, turn=Turn(Seat(0))))
    assert "[you]" not in text
    assert "╌╌╌" in text


@pytest.mark.parametrize(
    "moment", [moment for moment in put.Moment if moment not in (put.Moment.LEAD, put.Moment.REPLY)]
)
def test_every_moment_is_said(moment: put.Moment) -> None:
    """What another is asked for, in words."""
    view = struct_replace(view_of(2, Seat(0)), to_move=Seat(1), moment=moment)
    assert "Moll is thinking: " in screen(arrive("Will", "Moll", view=view))


def test_long_question_is_whole_where_it_can_be() -> None:
    """It loses what is said before it first."""
    asks = "Do you give your partner your best card, or let them give you theirs?"
    assert f"▶ {asks}" in screen(with_decision(dealt("Will", "Moll"), asks=asks))


# --- many players ----------------------------------------------------------------------------------------------------

CROWD = ("Will", "Moll", "Ned", "Barbara-Anne", "Doll", "Peg", "Hal", "Kit", "Meg", "Wat")


def crowded(seats: int) -> Model:
    """So many play, each with a card more than there are players; all have played but us, and the second has put."""
    faces = tuple(map(Card, ("3s", "10h", "Kd", "7c", "Ah", "4d", "5d", "6d", "9h", "Jc", "Qc")))[: seats + 1]
    trick = TrickView(tuple(Seat(seat) for seat in range(1, seats)), faces[: seats - 1])
    whole = TrickView(tuple(Seat(seat) for seat in range(seats)), faces[:seats], Seat(2))
    view = struct_replace(view_of(seats, Seat(0)), cards=faces, counts=(seats + 1,) * seats, trick=trick, past=(whole,))
    return with_decision(arrive(*CROWD[:seats], view=struct_replace(view, putter=Seat(1))))


@pytest.mark.parametrize("seats", range(5, 11))
@pytest.mark.parametrize("size", SIZES)
def test_up_to_ten_players_find_room(size: Size, seats: int) -> None:
    """Every name, score and card, the trick, the put, what is asked, and the action that is no card."""
    text = screen(crowded(seats), size)
    for seat, name in enumerate(CROWD[:seats]):
        assert name[:5] in text
        assert f"{seat}/5" in text
    for face in ("3", "10", "K", "7", "A", "4"):
        assert face in text
    assert "Trick 2: Moll has put" in text
    assert "Lead to trick 1." in text
    assert "p put" in text
    assert "Will (you)" in text


@pytest.mark.parametrize("size", SIZES)
def test_seats_of_many_players_do_not_overlap(size: Size) -> None:
    """What each is said to have stands whole behind their own name, and the border beside them all is whole."""
    rows = screen(crowded(10), size).split("\n")
    field = rows[1 : rows.index(next(row for row in rows if " best 3" in row))]
    side = field[0].index("│") if size.width >= 80 else size.width
    assert all(row[side : side + 1] in ("│", "├", "") for row in field)
    for name in ("Ned", "Peg", "Wat"):
        assert next(row[:side] for row in field if name in row[:side]).count(name) == 1


def test_tricks_of_many_players_have_a_column_each_where_they_fit() -> None:
    """Of more players, the first; no rule set of Put has them."""
    for model, size in ((crowded(10), SMALL), (crowded(5), LARGE)):
        assert "[K♦]" in "".join(row[size.width * 6 // 10 :] for row in screen(model, size).split("\n"))


@pytest.mark.parametrize("size", [Size(60, 16), SMALL])
def test_the_choice_the_arrows_stand_on_is_in_sight(size: Size) -> None:
    """Also where there are more than fit in the line."""
    model = crowded(10)
    for _ in range(12):
        model, _ = send_keys(model, "right")
        chosen = table_of(model).chosen
        assert chosen is not None
        line = screen(model, size).split("\n")[-2]
        assert line.count("[") == line.count("]") == 1


# --- why -------------------------------------------------------------------------------------------------------------


def because(why: str, *, chosen: tuple[str, ...] = ()) -> Model:
    model = with_decision(dealt("Will", "Moll"))
    decision = table_of(model).decision
    assert decision is not None
    return send_keys(after(model, struct_replace(decision, why=why)), *chosen)[0]


@pytest.mark.parametrize("size", SIZES)
def test_why_the_choices_are_what_they_are_is_said_under_the_question(size: Size) -> None:
    """In the server's words, wherever the screen has 24 lines; never in place of the table."""
    text = screen(because("Nobody has put: the hand is for a point."), size).split("\n")
    question = next(number for number, row in enumerate(text) if "Your move. Lead to trick 1." in row)
    assert ("Nobody has put" in text[question + 1]) == (size.height >= 24)


def test_why_is_gone_with_the_question() -> None:
    """Once it is answered, or while the connection is lost."""
    model = because("Nobody has put.")
    assert "Nobody has put." not in screen(send_keys(model, "1")[0])
    assert "Nobody has put." not in screen(after(model, ConnectionLost("the connection dropped")))


def test_what_an_action_brings_is_told_where_there_is_room() -> None:
    """Of a put or an answer, from 30 lines on; smaller screens tell it of what the arrows stand on."""
    assert "p see the put" not in screen(put_to(), SMALL)
    large = screen(put_to(), Size(80, 30))
    assert "s see the put and play for the game" in large
    assert "t throw in your cards" in large
    assert "Enter: throw in your cards" in screen(send_keys(put_to(), "right", "right")[0], SMALL)


def test_what_the_hand_is_played_for_is_always_said() -> None:
    """A point, several, or the game; and when a put is not yet answered, that."""
    assert "Trick 1, for a point" in screen(dealt("Will", "Moll"))
    doubled = struct_replace(view_of(2, Seat(0)), value=4)
    assert "Trick 1, for 4 points" in screen(arrive("Will", "Moll", view=doubled))
    outright = struct_replace(view_of(2, Seat(0)), plain=put.Worth.GAME)
    assert "Trick 1, for the game" in screen(arrive("Will", "Moll", view=outright))
    last_say = struct_replace(view_of(2, Seat(0)), moment=put.Moment.LAST_SAY)
    assert "The first trick is over" in screen(arrive("Will", "Moll", view=last_say))


def test_widest_window_has_the_rules_and_the_game_so_far() -> None:
    """Beside the field, which has no empty half then; the rules as far as there is room."""
    played = with_events(your_lead(), put.Dealt(7, Seat(1), Seat(0), (3, 3), cards=HAND[:3]))
    text = screen(played, Size(200, 60))
    assert "The rules" in text
    assert "Hand by hand" in text
    assert "The rules" not in screen(played, Size(169, 60))
