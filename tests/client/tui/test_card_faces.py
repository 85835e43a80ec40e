"""Cards of every pack, as they are drawn and as they stand in a line."""

import pytest

from put_client.tui.widgets.canvas import Canvas, Size, width_of
from put_client.tui.widgets.card_faces import CardSize, draw_face, sign_of, style_of
from put_client.tui.widgets.theme import ASCII, UNICODE, Theme
from put_protocol.cards import CARD_ORDER, FOOL, PACKS, Card, suit_of
from tests.client.tui.sample_models import text_of

WIDE = (CardSize.WIDE_TINY, CardSize.WIDE_SMALL, CardSize.WIDE_MEDIUM, CardSize.LARGE)


def face(card: Card, size: CardSize, theme: Theme) -> str:
    canvas = Canvas(Size(size.width, size.height), theme)
    draw_face(canvas, 0, 0, card, size)
    return text_of(canvas.frame())


@pytest.mark.parametrize(
    ("card", "sign", "in_ascii"),
    [
        ("21t", "XXI", "XXI"),
        ("18t", "XVIII", "XVIII"),
        ("0t", "Fool", "Fool"),
        ("Kw", "K†", "Kw"),
        ("10o", "10◎", "10o"),
    ],
)
def test_card_of_a_tarot_pack_stands_in_a_line_as_on_its_face(card: str, sign: str, in_ascii: str) -> None:
    """A trump by its number as it is printed; a suit by its sign, or by its letter."""
    assert sign_of(UNICODE, Card(card)) == sign
    assert sign_of(ASCII, Card(card)) == in_ascii


@pytest.mark.parametrize("theme", [UNICODE, ASCII])
def test_no_two_cards_look_the_same(theme: Theme) -> None:
    """Without any colour: in a line, and drawn in every size of their pack."""
    for pack in PACKS.values():
        assert len({sign_of(theme, card) for card in pack}) == len(pack)
        for size in WIDE if FOOL in pack else CardSize:
            assert len({face(card, size, theme) for card in pack}) == len(pack)


@pytest.mark.parametrize("theme", [UNICODE, ASCII])
@pytest.mark.parametrize("size", WIDE)
def test_face_shows_the_whole_sign_where_it_is_not_covered(size: CardSize, theme: Theme) -> None:
    """Also of the longest number, in a fan where the next card covers the rest."""
    for card in PACKS["tarot-78"]:
        rows = face(card, size, theme).splitlines()
        assert len(rows) == size.height
        assert all(width_of(row) <= size.width for row in rows)
        assert rows[1][: size.step].endswith(sign_of(theme, card).ljust(size.step - 1)[: size.step - 1])


def test_every_suit_has_a_colour_and_a_sign() -> None:
    """Nothing is said by the colour alone: each suit has a sign of its own in both themes."""
    suits = {suit_of(card) for card in CARD_ORDER}
    for theme in (UNICODE, ASCII):
        assert len({theme.suits[suit] for suit in suits}) == len(suits)
    assert len({style_of(Card(f"1{suit}")) for suit in suits}) == len(suits)


@pytest.mark.parametrize("card", ["#17", "#3", "11h", "Zé", "xx", "9999"])
@pytest.mark.parametrize("size", CardSize)
def test_card_of_no_pack_is_drawn_within_its_edges(card: str, size: CardSize) -> None:
    """A place whose card is not known, and whatever a server may call a card."""
    canvas = Canvas(Size(size.width + 4, size.height + 1), UNICODE)
    draw_face(canvas, 0, 0, Card(card), size)
    rows = text_of(canvas.frame()).splitlines()
    assert all(width_of(row.rstrip()) <= size.width for row in rows)
    assert not "".join(rows[size.height :]).strip()
