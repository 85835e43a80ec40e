"""Calls: what rings, notifies and stands in the title, when, and that nobody's name is ever more than text."""

import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from msgspec.structs import replace as altered
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.output.vt100 import Vt100_Output

from put_client.settings import Settings
from put_client.tui.model import Clock, Model
from put_client.tui.ringing import (
    BUSY_MS,
    GAP_MS,
    OSC_9,
    OSC_99,
    OSC_777,
    Abilities,
    Attention,
    Call,
    abilities,
    call_of,
    hurry_of,
    note_sequence,
    title_of,
    title_sequence,
)
from put_client.tui.terminal import Painter
from put_protocol.messages import Events, Invited
from put_protocol.seats import Seat
from put_protocol.table_events import Sat
from put_protocol.table_info import PauseInfo, SeatInfo, TableState
from tests.client.tui.sample_models import (
    TABLE,
    WELCOME,
    after,
    arrive,
    dealt,
    info_of,
    led,
    put_to,
    send_keys,
    table_of,
    taken,
    with_decision,
    your_lead,
)
from tests.client.tui.test_app import DECISION, SNAPSHOT, running
from tests.repetitions import often

TURN = Call("Your move at table 3.", is_urgent=True)
INVITATION = Call("Moll asks you to table 4, put-1674.")
EVIL = "\x1b]0;owned\x07\x9d2;x\x9c\x1b[2J\u202e;9;4;Moll\x00\x7f\u2028"


def invited(by: str = "Moll") -> Model:
    return after(Model(welcome=WELCOME), Invited(4, by, info_of(by, None, number=4)))


# --- what calls ---


def test_turn_and_put_call_once() -> None:
    """When the decision comes, and not when it comes again after a drop, nor for what we do ourselves."""
    assert call_of(dealt("Will", "Moll"), your_lead()) == TURN
    assert call_of(your_lead(), with_decision(your_lead())) is None
    assert call_of(led(), taken()) == TURN
    assert call_of(led(), put_to()) == Call("Moll has put: see it, or throw in.", is_urgent=True)
    assert call_of(your_lead(), send_keys(your_lead(), "1")[0]) is None


def test_invitation_and_arrival_call() -> None:
    """Who asks us where; who sits down at our table, but for the house, and not while we only watch."""
    assert call_of(Model(welcome=WELCOME), invited()) == INVITATION
    info = info_of("Will", None, state=TableState.FILLING)
    alone = arrive(info=info)
    sat = altered(info, seats=(info.seats[0], SeatInfo(name="Moll")))
    joined = after(alone, Events(TABLE, 1, (Sat(Seat(1), "Moll"),), info=sat))
    assert call_of(alone, joined) == Call("Moll sits down at table 3.")
    house = altered(info, seats=(info.seats[0], SeatInfo(name="Doll", is_house=True)))
    assert call_of(alone, after(alone, Events(TABLE, 1, (Sat(Seat(1), "Doll", is_house=True),), info=house))) is None
    watching = arrive(info=info, viewer="gallery")
    assert call_of(watching, after(watching, Events(TABLE, 1, (Sat(Seat(1), "Moll"),), info=sat))) is None


def test_person_who_waits_for_our_agreement_calls() -> None:
    """Another game, a pause and its end; not the house, and not when we have agreed ourselves."""
    over = arrive(info=info_of("Will", "Moll", state=TableState.BETWEEN), is_back=True)
    mine, hers = table_of(over).info.seats

    def told(model: Model, **changes: Any) -> Model:
        return after(model, Events(TABLE, 1, (), info=altered(table_of(model).info, **changes)))

    again = told(over, seats=(mine, altered(hers, agrees=True)))
    assert call_of(over, again) == Call("Moll wants another game at table 3.")
    assert call_of(over, told(over, seats=(mine, altered(hers, agrees=True, is_house=True)))) is None
    agreed = told(over, seats=(altered(mine, agrees=True), hers))
    assert call_of(agreed, told(agreed, seats=(altered(mine, agrees=True), altered(hers, agrees=True)))) is None
    asked = told(your_lead(), pause=PauseInfo(60, (Seat(1),)))
    call = call_of(your_lead(), asked)
    assert call is not None
    assert call.says.startswith("Moll asks for a pause of one hour")
    assert call_of(your_lead(), told(your_lead(), pause=PauseInfo(60, (Seat(0),)))) is None
    resting = told(your_lead(), pause=PauseInfo(60), state=TableState.PAUSED)
    ready = told(resting, pause=PauseInfo(60, (Seat(1),)))
    assert call_of(resting, ready) == Call("Moll is ready to go on at table 3.")


def test_clock_calls_when_our_time_is_nearly_up() -> None:
    """Ours alone, and while we are still to decide."""
    clock = Clock(seat=Seat(0), turn_ms=30_000, bank_ms=300_000, since=0)
    model = your_lead()
    model = replace(model, table=replace(table_of(model), clock=clock))
    assert hurry_of(model, 19_000) is None
    assert hurry_of(model, 20_000) == Call("Your time is nearly up at table 3.", is_urgent=True)
    assert hurry_of(send_keys(model, "1")[0], 25_000) is None
    other = replace(model, table=replace(table_of(model), clock=replace(clock, seat=Seat(1))))
    assert hurry_of(other, 25_000) is None


def test_title_says_whose_move_it_is() -> None:
    """And where we are, when it is not ours."""
    assert title_of(your_lead(), is_ascii=False) == "▶ your move · Put"
    assert title_of(put_to(), is_ascii=False) == "▶ Moll has put · Put"
    assert title_of(led(), is_ascii=False) == "table 3 · Put"
    assert title_of(Model(welcome=WELCOME), is_ascii=False) == "Put"
    assert title_of(invited(), is_ascii=False) == "▶ Moll asks you to table 4 · Put"
    assert title_of(your_lead(), is_ascii=True) == "> your move - Put"


# --- when ---


def test_nobody_is_called_who_is_here() -> None:
    """By the focus, where the terminal tells of it; else by the last key."""
    attention = Attention(0)
    assert not attention.lets(TURN, BUSY_MS - 1)
    assert attention.lets(TURN, BUSY_MS)
    attention.note_key(BUSY_MS)
    assert not attention.lets(TURN, BUSY_MS + 1)
    attention.note_focus(has_focus=False)
    assert attention.lets(TURN, BUSY_MS + 2)
    attention.note_focus(has_focus=True)
    assert not attention.lets(TURN, 100 * BUSY_MS)


def test_a_seat_that_changes_quickly_is_no_alarm() -> None:
    """One call, then none for a while; but a turn is never kept from anybody."""
    attention = Attention(0)
    attention.note_focus(has_focus=False)
    assert attention.lets(INVITATION, 0)
    assert not attention.lets(INVITATION, GAP_MS - 1)
    assert attention.lets(TURN, GAP_MS - 1)
    assert not attention.lets(INVITATION, GAP_MS)
    assert attention.lets(INVITATION, 2 * GAP_MS)


# --- nobody's name is more than text ---

SEQUENCES = (
    re.compile(r"\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x07"),
    re.compile(r"\x1b\]9;Put: [^\x00-\x1f\x7f-\x9f;]*\x07"),
    re.compile(r"\x1b\]777;notify;Put;[^\x00-\x1f\x7f-\x9f;]*\x07"),
    re.compile(r"\x1b\]99;;Put: [^\x00-\x1f\x7f-\x9f;]*\x1b\\"),
)


@often(40)
@given(st.one_of(st.just(EVIL), st.text(max_size=200)), st.booleans())
def test_names_are_text_in_titles_and_notifications(name: str, is_ascii: bool) -> None:  # drawn
    """Whatever a server says somebody is called: no control, no separator, nothing that is longer than a line."""
    model = invited(name)
    title, call = title_of(model, is_ascii=is_ascii), call_of(Model(welcome=WELCOME), model)
    assert call is not None
    assert SEQUENCES[0].fullmatch(title_sequence(title))
    assert len(title) <= 100
    for note, sequence in zip((OSC_9, OSC_777, OSC_99), SEQUENCES[1:], strict=True):
        written = note_sequence(call, Abilities(note=note), is_ascii=is_ascii)
        assert sequence.fullmatch(written), written
        in_tmux = note_sequence(call, Abilities(note=note, is_in_tmux=True), is_ascii=is_ascii)
        assert in_tmux == "\x1bPtmux;" + written.replace("\x1b", "\x1b\x1b") + "\x1b\\"
        assert not is_ascii or written.isascii()
    assert note_sequence(call, Abilities(), is_ascii=is_ascii) == ""


@pytest.mark.parametrize(
    ("environment", "able"),
    [
        ({"TERM": "xterm-256color"}, Abilities()),
        ({"TERM": "linux"}, Abilities(has_title=False)),
        ({"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, Abilities(note=OSC_99)),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, Abilities(note=OSC_9)),
        ({"TERM": "foot-extra"}, Abilities(note=OSC_777)),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, Abilities(note=OSC_777)),
        (
            {"TERM": "tmux-256color", "TMUX": "/tmp/x", "VTE_VERSION": "7"},
            Abilities(note=OSC_777, is_in_tmux=True),
        ),
    ],
)
def test_terminal_gets_what_it_is_known_to_understand(environment: dict[str, str], able: Abilities) -> None:
    """An unknown one gets no notification, a console no title."""
    assert abilities(environment) == able


# --- what is written ---


def painter(settings: Settings, able: Abilities) -> tuple[Painter, io.StringIO]:
    written = io.StringIO()
    output = Vt100_Output(written, lambda: TerminalSize(rows=24, columns=80), term="xterm")
    painter = Painter(output, settings, able)
    painter.begin()
    return painter, written


def test_title_is_put_back_at_the_end() -> None:
    """The one before is put away before the first, and taken back after the last; the same one is written once."""
    shown, written = painter(Settings(), Abilities())
    shown.set_title("one")
    shown.set_title("one")
    shown.set_title("two")
    shown.end()
    text = written.getvalue()
    assert re.findall(r"\x1b\]2;[^\x07]*\x07|\x1b\[2[23];2t", text) == [
        "\x1b[22;2t",
        "\x1b]2;one\x07",
        "\x1b]2;two\x07",
        "\x1b]2;\x07",
        "\x1b[23;2t",
    ]
    assert text.index("\x1b[?1004h") < text.index("\x1b[?1004l")


def test_each_can_be_turned_off() -> None:
    """The bell, the title and the notification, one by one."""
    able = Abilities(note=OSC_777)
    for settings, expected in (
        (Settings(), ["\x1b]2;t\x07", "\x07\x1b]777;notify;Put;Your move at table 3.\x07"]),
        (Settings(bell=False), ["\x1b]2;t\x07", "\x1b]777;notify;Put;Your move at table 3.\x07"]),
        (Settings(title=False), ["\x07\x1b]777;notify;Put;Your move at table 3.\x07"]),
        (Settings(notify=False), ["\x1b]2;t\x07", "\x07"]),
        (Settings(bell=False, title=False, notify=False), []),
    ):
        shown, written = painter(settings, able)
        begun = len(written.getvalue())
        shown.set_title("t")
        shown.call(TURN, is_ascii=False)
        assert written.getvalue()[begun:].removeprefix("\x1b[22;2t") == "".join(expected)
        shown.end()
        after_end = len(written.getvalue())
        shown.set_title("late")
        shown.call(TURN, is_ascii=False)
        assert len(written.getvalue()) == after_end


def test_mouse_can_be_turned_off() -> None:
    """Then the terminal selects text as ever."""
    _, written = painter(Settings(mouse=False), Abilities())
    assert "\x1b[?1000h" not in written.getvalue()
    _, written = painter(Settings(), Abilities())
    assert "\x1b[?1000h" in written.getvalue()


async def test_application_rings_for_who_looks_elsewhere() -> None:
    """The terminal says that its window has lost the focus; then the decision comes. It is no key to anybody."""
    async with running(SNAPSHOT) as it:
        await it.screen.shows("Table 3")
        it.keys.send_text("\x1b[I\x1b[O")
        it.keys.send_text("?")
        await it.screen.shows("Help")
        assert "\x07" not in _without_titles(it.screen.getvalue())
        it.client.deliver(DECISION)
        await it.screen.until(lambda: "your move · Put" in it.screen.getvalue())
        await it.screen.until(lambda: "\x07" in _without_titles(it.screen.getvalue()))


async def test_application_does_not_ring_for_who_is_here() -> None:
    """The window has the focus."""
    async with running(SNAPSHOT) as it:
        await it.screen.shows("Table 3")
        it.keys.send_text("\x1b[O\x1b[I?")
        await it.screen.shows("Help")
        it.client.deliver(DECISION)
        await it.screen.until(lambda: "your move · Put" in it.screen.getvalue())
        it.keys.send_text("?")
        await it.screen.shows("p put")
        assert "\x07" not in _without_titles(it.screen.getvalue())


def _without_titles(written: str) -> str:
    return re.sub(r"\x1b\]2;[^\x07]*\x07", "", written)
