"""Keys of one's own, and colours: what they change, and that a key still means one thing."""

import pytest
from msgspec.structs import replace
from prompt_toolkit.styles import Style

from put_client.keymap import Intent, Keys, Mode, clash, commands, is_key
from put_client.settings import COLOURS, SETTINGS, SUIT_COLOURS, Settings
from put_client.tui.keys import action_keys, explained, intent_of, shown_below
from put_client.tui.model import Model
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ROLES, styles
from tests.client.tui.sample_models import put_to, screen, send_keys, table_of, your_lead

OWN: Keys = (("talk", "f2"), ("put", "x"), ("quit", "c"), ("back", "l"))


def with_keys(model: Model, keys: Keys) -> Model:
    return replace(model, keys=keys)


def test_rebound_key_takes_the_place_of_the_old_one() -> None:
    """What it meant is meant by the new key, and by no other; Esc and the like stay."""
    model = with_keys(your_lead(), OWN)
    assert intent_of(model, "f2") is Intent.TALK
    assert intent_of(model, '"') is None
    assert intent_of(model, "c") is Intent.QUIT
    assert intent_of(model, "q") is None
    assert intent_of(model, "l") is intent_of(model, "escape") is Intent.BACK


def test_rebound_key_is_shown_below_and_in_the_help() -> None:
    """One keymap feeds them all."""
    model = with_keys(your_lead(), OWN)
    assert ("F2", "talk", "f2") in set(shown_below(model))
    shown = dict(explained(Mode.TABLE, OWN))
    assert shown["F2"] == "talk to the table"
    assert shown["l"].endswith("(also Esc)")
    assert "x, s, t" in screen(send_keys(model, "?")[0], Size(80, 40))


def test_rebound_action_is_done_by_its_new_letter() -> None:
    """And no more by the old."""
    model = with_keys(your_lead(), OWN)
    assert [key for key, _ in action_keys(table_of(model), model.keys)] == ["1", "2", "3", "x"]
    assert send_keys(model, "x")[0].overlay is not None
    assert send_keys(model, "p")[0].overlay is None


def test_default_keys_do_not_clash() -> None:
    """As little as with each written down as it is."""
    assert clash(()) is None
    assert clash(tuple((name, key) for name, (key, _) in commands().items())) is None


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ((("talk", "p"),), "p would mean both put and talk"),
        ((("put", "s"),), "s would mean both put and see"),
        ((("watch", "o"),), "o would mean both watch and open"),
        ((("throw", "z"),), "z would mean both throw and pause"),
    ],
)
def test_key_that_would_mean_two_things_is_told(keys: Keys, says: str) -> None:
    """Wherever both could be meant."""
    assert clash(keys) == says


def test_key_may_be_shared_where_nobody_is_asked() -> None:
    """A seat is taken by the letter that sees a put: never at the same time."""
    assert clash((("again", "p"), ("put", "a"))) is None
    assert intent_of(with_keys(put_to(), (("again", "s"),)), "s") is None


@pytest.mark.parametrize(("key", "is_one"), [("x", True), ("é", True), ("f12", True), ("f13", False), ("7", False)])
def test_key_is_a_character_or_a_function_key(key: str, is_one: bool) -> None:
    """Digits play cards; what cannot be seen cannot be found."""
    assert is_key(key) == is_one
    assert not any(map(is_key, ("", " ", "\t", "\x1b", "ab", "c-c", "\u200b", "enter")))


def test_every_colour_is_known_to_the_terminal() -> None:
    """prompt_toolkit accepts each for each suit, and no two are the same to it."""
    looks = [
        Style.from_dict(styles(Settings(suits=tuple(dict.fromkeys(SUIT_COLOURS, colour).items()))))
        for colour in COLOURS
    ]
    assert len({look.get_attrs_for_style_str("class:suit-h").color for look in looks}) == len(COLOURS)


def test_colours_are_those_of_the_suits_alone() -> None:
    """No role has a background, and none but a suit a colour, so light and dark terminals both read."""
    looks = styles()
    assert {role for role, look in looks.items() if "ansi" in look} == {f"suit-{suit}" for suit in "hdcwbuot"}
    assert not any("bg:" in look for look in looks.values())
    assert set(ROLES) == {role for role in looks if not role.startswith("suit-")}
    assert styles(Settings(suits=(("hearts", "none"),)))["suit-h"] == ""


@pytest.mark.parametrize("theme", [theme for theme in SETTINGS.table["theme"].choices if theme != "terminal"])
@pytest.mark.parametrize("deck", SETTINGS.table["deck"].choices)
def test_themes_can_be_read(theme: str, deck: str) -> None:
    """Every role stands out from what is behind it, by the ratio that the guidelines for accessible text ask for."""
    looks = styles(Settings(theme=theme, deck=deck))
    base, card = looks["base"], looks["card"]
    for role, look in looks.items():
        behind = card if role.startswith("card ") or role == "lit" else base
        text, ground = _colours(f"{behind} {look}")
        assert _contrast(text, ground) >= 4.5, (role, text, ground)


def test_deck_of_two_colours_has_two() -> None:
    """Hearts are as diamonds, spades as clubs, in every theme."""
    for theme in SETTINGS.table["theme"].choices:
        looks = styles(Settings(theme=theme, deck="two"))
        for part in ("suit-", "card suit-") if theme != "terminal" else ("suit-",):
            assert looks[f"{part}h"] == looks[f"{part}d"] != looks[f"{part}s"] == looks[f"{part}c"]


def _colours(look: str) -> tuple[str, str]:
    """Of the text and of what is behind it: those named last."""
    parts = look.split()
    return next(part for part in reversed(parts) if part.startswith("#")), next(
        part.removeprefix("bg:") for part in reversed(parts) if part.startswith("bg:")
    )


def _contrast(one: str, other: str) -> float:
    """By the formula of WCAG 2."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
