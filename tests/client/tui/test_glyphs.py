"""Signs by the terminal: what it cannot show is not written, and nobody has to say so."""

import pytest

from put_client.settings import Settings
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, CONSOLE, UNICODE, Theme, glyphs_for
from tests.client.tui.sample_models import put_to, screen, send_keys, taken, your_lead


@pytest.mark.parametrize(
    ("environment", "encoding", "theme"),
    [
        ({"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}, "utf-8", UNICODE),
        ({"TERM": "xterm-256color"}, "utf-8", UNICODE),
        ({"TERM": "xterm-256color", "LC_ALL": "C"}, "utf-8", ASCII),
        ({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}, "utf-8", UNICODE),
        ({"TERM": "xterm-256color", "LANG": "POSIX"}, "utf-8", ASCII),
        ({"TERM": "xterm-256color", "LC_ALL": "en_US.ISO-8859-1"}, "iso8859-1", ASCII),
        # Where the locale is not installed, Python takes UTF-8; the terminal is what the variable says.
        ({"TERM": "xterm-256color", "LC_ALL": "en_US.ISO-8859-1"}, "utf-8", ASCII),
        ({"TERM": "xterm", "LC_ALL": "", "LC_CTYPE": "de_DE.ISO-8859-15@euro", "LANG": "de_DE.UTF-8"}, "utf-8", ASCII),
        ({"TERM": "xterm", "LC_ALL": "en_US.UTF-8", "LANG": "de_DE.ISO-8859-1"}, "utf-8", UNICODE),
        ({"TERM": "xterm-256color"}, "ascii", ASCII),
        ({"TERM": "linux", "LANG": "en_GB.UTF-8"}, "utf-8", CONSOLE),
        ({"TERM": "linux-16color", "LANG": "en_GB.UTF-8"}, "utf-8", CONSOLE),
        ({"TERM": "screen.linux", "LANG": "en_GB.UTF-8"}, "utf-8", CONSOLE),
        ({"TERM": "linux", "LANG": "en_GB.ISO-8859-1"}, "iso8859-1", ASCII),
        ({"TERM": "vt220", "LANG": "en_GB.UTF-8"}, "utf-8", ASCII),
        ({}, None, UNICODE),
    ],
)
def test_signs_follow_the_encoding_and_the_kind_of_terminal(
    environment: dict[str, str], encoding: str | None, theme: Theme
) -> None:
    """By the locale's encoding, Python's, and TERM."""
    assert glyphs_for(Settings(), environment, encoding) is theme
    assert glyphs_for(Settings(ascii=True), environment, encoding) is ASCII


def test_console_gets_no_sign_that_its_fonts_lack() -> None:
    """Lines, shades and blocks are in every font of a console; suits, rounded corners and dots are not."""
    can = set("─│┌┐└┘├┤┬┴┼░▒▓█▀▄═║╔╗╚╝·")
    for model in (your_lead(), put_to(), taken(), send_keys(your_lead(), "?")[0], send_keys(your_lead(), "u")[0]):
        for size in (Size(60, 20), Size(80, 24), Size(120, 40), Size(200, 60)):
            signs = {sign for sign in screen(model, size, CONSOLE) if not sign.isascii()}
            assert signs <= can


def test_card_back_is_chosen_where_the_terminal_has_it() -> None:
    """A console has the shades, an ASCII terminal its own."""
    modern = {"TERM": "xterm"}
    assert glyphs_for(Settings(card_back="lattice"), modern, "utf-8").card_back == "\u2573"
    assert glyphs_for(Settings(card_back="shade"), {"TERM": "linux"}, "utf-8").card_back == "▒"
    assert glyphs_for(Settings(card_back="lattice"), {"TERM": "linux"}, "utf-8") is CONSOLE
    assert glyphs_for(Settings(card_back="lattice"), {"TERM": "vt100"}, "utf-8") is ASCII
