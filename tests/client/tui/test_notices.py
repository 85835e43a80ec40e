"""Notices: each is there long enough to be read, whole, and then it goes; and what the screen waits for meanwhile."""

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from put_client.sdk.deal_checks import DealWarning
from put_client.tui.model import Model
from put_client.tui.moments import LEAST_NOTICE_MS, until_next
from put_client.tui.update.dispatch import TimeTick
from put_client.tui.widgets.canvas import Size
from put_protocol.games.put import PutView
from put_protocol.messages import Decision, Notice
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import SeatInfo
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
    view_of,
    your_lead,
)

LONG = "The server stops at midnight for an upgrade that takes a quarter of an hour; every table is kept, and THE END."
SIZES = [Size(60, 16), Size(60, 20), Size(80, 24), Size(120, 40), Size(200, 60)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("model", [Model(welcome=WELCOME), your_lead()], ids=["lobby", "table"])
def test_long_notice_keeps_its_end(model: Model, size: Size) -> None:
    """Every word is on the screen, and what is asked is, too."""
    text = screen(after(model, Notice(LONG)), size)
    assert "THE END." in text
    if model.table is not None:
        assert "Lead to trick 1." in text
        assert "1 3♠" in text


def test_notice_goes_when_there_was_time_to_read_it() -> None:
    """A long one later than a short one; any key takes it away at once."""
    for says in ("Back at nine.", LONG):
        model = after(Model(welcome=WELCOME), Notice(says), now=1_000)
        wait = until_next(model, 1_000)
        assert wait is not None
        assert wait >= max(LEAST_NOTICE_MS, 60 * len(says))
        assert after(model, TimeTick(), now=1_000 + wait - 1).notice == f"The operator says: {says}"
        gone = after(model, TimeTick(), now=1_000 + wait)
        assert gone.notice == ""
        assert until_next(gone, 1_000 + wait) is None
        assert send_keys(model, "?")[0].notice == ""


def test_warning_of_this_program_is_not_put_into_a_servers_mouth() -> None:
    """What a server says is always named as that."""
    says = "Your session can no longer be stored here. If this program ends, your hand is lost."
    for message, shown in ((DealWarning(7, says), says), (Notice(says), f"The operator says: {says}")):
        assert after(your_lead(), message).notice == shown


def test_notice_from_before_the_first_frame_stays_until_a_key() -> None:
    """It may be the key of a server that is met for the first time, which is compared letter by letter."""
    model = replace(Model(welcome=WELCOME), notice="New server, key k3vq7.")
    assert until_next(model, 10**9) is None
    assert after(model, TimeTick(), now=10**9).notice
    assert send_keys(model, "?")[0].notice == ""


def test_notice_that_comes_again_has_its_time_again() -> None:
    """The same words after another key are news."""
    model = after(arrive("Will", "Moll", view=view_of(2, Seat(0))), Notice("Back at nine."))
    again = after(model, Notice("Back at nine."), now=4_000)
    assert again.noticed == 0  # the same words, which nobody has taken away
    assert after(send_keys(model, "?", "?")[0], Notice("Back at nine."), now=4_000).noticed == 4_000


def test_nothing_is_waited_for_where_nothing_moves() -> None:
    """In the lobby, at a table without a clock, and where the time left is not shown."""
    assert until_next(Model(welcome=WELCOME), 0) is None
    assert until_next(your_lead(), 0) is None
    unhurried = Decision(table=TABLE, decision=9, asks="?", legal=choices(HAND[:3]), turn_ms=600_000)
    assert until_next(after(your_lead(), unhurried), 0) == 480_000  # then it is shown


def test_deal_that_waits_for_somebody_says_for_whom() -> None:
    """No deal is made while somebody is away who would cut it."""
    view = replace_view(view_of(2, Seat(0)))
    info = info_of("Will", "Moll")
    away = altered(info, seats=(info.seats[0], SeatInfo(name="Moll", is_away=True)))
    assert "The cards are being dealt ..." in screen(arrive(info=info, view=view))
    text = screen(arrive(info=away, view=view))
    assert "Moll is away; the deal waits." in text
    assert "being dealt" not in text


def replace_view(view: PutView) -> PutView:
    """Between two hands."""
    return altered(view, to_move=None, moment=None, counts=(), cards=(), dealer=None, eldest=None)


@pytest.mark.parametrize("size", SIZES)
def test_partner_is_named_at_the_table(size: Size) -> None:
    """Whatever else there is to say of them, and however little room: a house player, too."""
    names = ("Will", "Doll", "Marmaduke the Elder", "Ned")
    view = altered(view_of(4, Seat(0)), sides=(0, 1, 0, 1))
    info = info_of(*names)
    house = tuple(
        SeatInfo(name=name, is_house=place > 0, house="steady" if place else "") for place, name in enumerate(names)
    )
    text = screen(arrive(info=altered(info, seats=house), view=view), size)
    assert text.count("(partner") == 1
    at = next(row for row in text.split("\n") if "(partner" in row)
    assert "Ma" in at.partition("(partner")[0][-20:]
    assert "(partner" not in screen(arrive(info=info, view=view, viewer=GALLERY), size)


def test_who_hears_what_is_said_stands_beside_it() -> None:
    """The people at the table and the gallery; in the gallery, during a game, only the gallery."""
    assert "Heard by Moll and 2 in the gallery." in screen(send_keys(your_lead(), "c")[0])
    watching = arrive("Will", "Moll", viewer=GALLERY, view=view_of(2, GALLERY))
    assert "Only the gallery hears you while they play: 1 more." in screen(send_keys(watching, "c")[0], Size(100, 24))
    info = info_of("Will", "Doll")
    house = altered(info, watchers=0, seats=(info.seats[0], SeatInfo(name="Doll", is_house=True)))
    assert "Nobody hears this but the house." in screen(send_keys(arrive(info=house), "c")[0], Size(100, 24))


def test_size_of_the_screen_changes_nothing_that_is_drawn() -> None:
    """The model knows it to turn pages, and for nothing else."""
    for size in SIZES:
        assert screen(replace(your_lead(), size=size)) == screen(your_lead())
