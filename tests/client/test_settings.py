"""Settings: where they come from, which goes before which, and what is said of one that cannot be used."""

import re
from pathlib import Path
from typing import Any

import pytest

from put_client.arguments import parser
from put_client.keymap import action_letters, keymap
from put_client.settings import DEFAULTS, SETTINGS, Settings, config_file, example, settle
from put_client.tui.widgets.theme import styles
from put_runtime.settings import SettingsError
from put_text.catalogue import speaking
from tests.text.english_words import english_in


def settled(text: str, tmp_path: Path, flags: dict[str, Any] | None = None, **environment: str) -> Settings:
    """The settings with this file, these flags and variables."""
    file = tmp_path / "its.toml"
    file.write_text(text, "utf-8")
    return settle(flags or {}, environment, file)


def test_settings_without_a_file_are_the_defaults() -> None:
    """Nobody needs one."""
    assert settle({}, {}) == DEFAULTS


def test_settings_are_read_from_the_users_file(config_home: Path) -> None:
    """It is found by the XDG rules."""
    config_home.mkdir(parents=True)
    assert config_file() == config_home / "config.toml"
    config_file().write_text('name = "Moll"\nask_before_deciding = false\n[keys]\ntalk = "f2"\n')
    assert settle({}, {}) == Settings(name="Moll", ask_before_deciding=False, keys=(("talk", "f2"),))


def test_settings_home_that_is_no_absolute_path_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the XDG rules want it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert config_file() == Path.home() / ".config" / "put-client" / "config.toml"


def test_settings_of_a_flag_go_before_a_variable_and_that_before_the_file(tmp_path: Path) -> None:
    """Each can be overruled nearer to the person."""
    text = 'name = "File"\nascii = true\n'
    assert settled(text, tmp_path).name == "File"
    assert settled(text, tmp_path, PUT_CLIENT_NAME="Variable").name == "Variable"
    assert settled(text, tmp_path, {"name": "Flag"}, PUT_CLIENT_NAME="Variable").name == "Flag"
    assert not settled(text, tmp_path, PUT_CLIENT_ASCII="no").ascii
    assert settled(text, tmp_path, {"ascii": True}, PUT_CLIENT_ASCII="0").ascii


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "colour = 1",
            f"there is no setting 'colour'; there are {', '.join(SETTINGS.table)}",
        ),
        ("ascii = 1", "ascii must be true or false, not 1"),
        ("name = 7", "name must be text, not 7"),
        ('name = "a very long name that nobody takes"', "name must be one that a server takes, and"),
        ('theme = "dark"', "theme must be terminal or felt or light or contrast, not 'dark'"),
        ("theme = 1", "theme must be text, not 1"),
        ('deck = "three"', "deck must be four or two, not 'three'"),
        ('suits = "red"', "suits must be a table, with a line [suits] above it, not 'red'"),
        ('[suits]\nspade = "red"', "there is no suits.spade; there are spades, hearts, diamonds, clubs"),
        ('[suits]\nspades = "pink"', "suits.spades must be one of none, black, red, "),
        ("[suits]\nspades = 3", "suits.spades must be text, not 3"),
        ("[theme]\nspades = 3", "suits.spades must be text, not 3"),
        ('[keys]\ndance = "d"', "there is no keys.dance; there are put, see, throw, pass, "),
        ('[keys]\ntalk = "7"', "keys.talk must be one character that is neither a digit nor a space, or one of f1 to"),
        ('[keys]\ntalk = " "', "keys.talk must be one character"),
        ('[keys]\ntalk = "f13"', "keys.talk must be one character"),
        ('[keys]\ntalk = "\\u001b"', "keys.talk must be one character"),
        ('[keys]\ntalk = "p"', "every key in keys must mean one thing, and p would mean both put and talk"),
        ('[keys]\nwatch = "o"', "every key in keys must mean one thing, and o would mean both watch and open"),
        ("name", "is not TOML: "),
    ],
)
def test_setting_that_cannot_be_used_is_named_with_what_is_allowed(text: str, says: str, tmp_path: Path) -> None:
    """File, setting and what may be there, in one clause."""
    with pytest.raises(SettingsError) as caught:
        settled(text, tmp_path)
    said = str(caught.value)
    assert said.startswith(str(tmp_path / "its.toml"))
    assert says in said
    assert "\n" not in said


def test_setting_in_the_environment_is_named_by_its_variable() -> None:
    """And a file that was asked for must be there."""
    with pytest.raises(SettingsError, match="the environment variable PUT_CLIENT_LINE: line must be true or false"):
        settle({}, {"PUT_CLIENT_LINE": "perhaps"})
    with pytest.raises(SettingsError, match=r"none\.toml cannot be read: No such file"):
        settle({}, {}, Path("none.toml"))


def test_keys_may_change_places(tmp_path: Path) -> None:
    """Only what results of all of them must be without doubt."""
    text = '[keys]\ntalk = "q"\nquit = "c"\nput = "x"\nwatch = "p"\n'
    assert dict(settled(text, tmp_path).keys)["put"] == "x"


def test_colours_of_suits_of_an_older_file_are_read(tmp_path: Path) -> None:
    """They stood in a table `theme`, whose name is that of the theme now."""
    assert settled('[theme]\nhearts = "magenta"\n', tmp_path).suits == (("hearts", "magenta"),)
    assert settled('[theme]\nhearts = "magenta"\n', tmp_path, {"theme": "felt"}).theme == "felt"


def test_example_is_what_there_is_without_it(tmp_path: Path) -> None:
    """It holds every setting; as it is, and with every setting uncommented, it changes nothing."""
    assert settled(example(), tmp_path) == DEFAULTS
    uncommented = re.sub(r"^#(?! )", "", example(), flags=re.MULTILINE)
    full = settled(uncommented, tmp_path)
    assert {name: getattr(full, name) for name in SETTINGS.flags} == {
        name: getattr(DEFAULTS, name) for name in SETTINGS.flags
    }
    assert all(SETTINGS.variable(name) in example() for name in SETTINGS.flags)
    assert styles(full) == styles()
    assert action_letters(full.keys) == action_letters()
    changed = {b.intent for a, b in zip(keymap(), keymap(full.keys), strict=True) if a.keys[0] != b.keys[0]}
    assert changed == set()


def test_help_and_example_speak_the_language() -> None:
    """`--help` and the file that `--print-config` writes, but for what is typed."""
    with speaking("fr"):
        told = f"{parser().format_help()}{example()}"
    assert "usage\u00a0: put-client" in told
    assert {line: found for line in told.splitlines() if (found := english_in(re.sub("^#.* = ", "", line)))} == {}
