"""Settings: where they come from, and what is said of bad ones."""

from dataclasses import fields
from pathlib import Path

import pytest

from put_runtime.settings import MOST_BYTES, SettingsError
from put_server.settings import SETTINGS, Settings, settle

NAMES = list(SETTINGS.table)
TEXTS = {
    "allowed_host": "put.example.org, *.example.net",
    "push_hosts": "push.example.org",
    "nats": "nats://one:4222, tls://two",
    "cluster": "a-1",
}
TEXTS["nats_monitor"] = "http://one:8222 http://two:8222"
NUMBERS = {field.name for field in fields(Settings) if field.type is not str}


def file_of(folder: Path, text: str) -> Path:
    file = folder / "put.toml"
    file.write_text(text, "utf-8")
    return file


def test_settings_flag_goes_before_environment_before_file_before_default(tmp_path: Path) -> None:
    """The nearest source wins, for each setting by itself."""
    file = file_of(tmp_path, 'port = 2001\nname = "File"\nhost = "10.0.0.1"\n')
    environment = {"PUT_SERVER_PORT": "2002", "PUT_SERVER_NAME": "Environment"}
    settings = settle({"port": "2003"}, environment, file)
    assert (settings.port, settings.name, settings.host) == (2003, "Environment", "10.0.0.1")
    assert settings.drain_seconds == Settings().drain_seconds


@pytest.mark.parametrize("name", NAMES)
def test_settings_can_each_be_set_from_every_source(name: str, tmp_path: Path) -> None:
    """No setting is forgotten by a source."""
    known = SETTINGS.table[name]
    number = max(4, known.least or 0)
    value = str(number) if name in NUMBERS else (*known.choices, TEXTS.get(name, "10.0.0.0/8, ::1"))[0]
    expected = number if name in NUMBERS else value
    shown = value if name in NUMBERS else f'"{value}"'
    for settings in (
        settle({name: value}, {}, None),
        settle({}, {SETTINGS.variable(name): value}, None),
        settle({}, {}, file_of(tmp_path, f"{name} = {shown}\n")),
    ):
        assert getattr(settings, name) == expected
    assert known.says


@pytest.mark.parametrize("name", [name for name, known in SETTINGS.table.items() if known.least is not None])
def test_settings_out_of_bounds_are_refused_by_their_bounds(name: str) -> None:
    """The sentence names source, setting and bounds, at either end."""
    least, most = SETTINGS.table[name].bounds
    assert getattr(settle({name: str(least)}, {}, None), name) == least
    assert getattr(settle({name: str(most)}, {}, None), name) == most
    for value in (least - 1, most + 1):
        with pytest.raises(SettingsError, match=f"from {least} to {most}"):
            settle({name: str(value)}, {}, None)


@pytest.mark.parametrize(
    ("flags", "environment", "text", "says"),
    [
        ({"port": "many"}, {}, "", "--port: port must be a whole number, not 'many'"),
        ({"drain_seconds": "1.5"}, {}, "", "--drain-seconds: "),
        ({"name": "Swan\nThe Swan listens on port 1"}, {}, "", "--name: name must be a line of characters"),
        ({"name": " "}, {}, "", "--name: name must be a line of characters"),
        ({}, {"PUT_SERVER_PORT": ""}, "", "the environment variable PUT_SERVER_PORT: "),
        ({}, {"PUT_SERVER_LOG_LEVEL": "loud"}, "", "debug or info or warning or error"),
        ({}, {}, "port = true", "put.toml: port must be a whole number"),
        ({}, {}, "port = 1.0", "put.toml: port must be a whole number"),
        ({}, {}, "name = 5", "put.toml: name must be text"),
        (
            {},
            {"PUT_SERVER_NAME": "Caf\udce9"},
            "",
            "the environment variable PUT_SERVER_NAME: name must be text in UTF-8",
        ),
        ({"name": "T" * 129}, {}, "", "--name: name must be text in UTF-8, of at most 128 characters"),
        ({"password": "p" * 129}, {}, "", "--password: password must be text in UTF-8, of at most 128 characters"),
        ({}, {}, "colour = 'red'", "put.toml: there is no setting 'colour'"),
        ({}, {}, "port = ", "put.toml is not TOML"),
        ({}, {}, f"port = {'[' * 5_000}", "put.toml is not TOML"),
        ({}, {}, f"port = {'1' * 5_000}", "put.toml is not TOML"),
        ({"nats": "http://one"}, {}, "", "--nats: nats must be addresses, as nats://one:4222"),
        ({"nats": "nats://one:0"}, {}, "", "--nats: nats must be addresses"),
        ({"cluster": "a.b"}, {}, "", "--cluster: cluster must be 1 to 32 letters"),
    ],
)
def test_settings_that_will_not_do_name_their_source(
    flags: dict[str, str], environment: dict[str, str], text: str, says: str, tmp_path: Path
) -> None:
    """One knows where to mend it."""
    with pytest.raises(SettingsError) as caught:
        settle(flags, environment, file_of(tmp_path, text))
    assert says in str(caught.value)


def test_settings_take_no_password_of_nats_in_an_address() -> None:
    """It would be seen by whoever lists processes; and the error does not show it either."""
    with pytest.raises(SettingsError, match="put them into the file of nats_creds") as caught:
        settle({"nats": "nats://ann:sesame@one:4222"}, {}, None)
    assert "sesame" not in str(caught.value)


def test_settings_never_show_the_password(tmp_path: Path) -> None:
    """A password that was written as a number is refused without being printed."""
    with pytest.raises(SettingsError) as caught:
        settle({}, {}, file_of(tmp_path, "password = 31337\n"))
    assert "31337" not in str(caught.value)
    assert "31337" not in repr(settle({"password": "31337"}, {}, None))


@pytest.mark.parametrize(
    "make",
    [
        str,
        Path.mkdir,
        lambda file: file.write_bytes(b"\xff\xfe"),
        lambda file: file.write_bytes(b"\n" * (MOST_BYTES + 1)),
    ],
)
def test_settings_file_that_cannot_be_read_is_named(make: object, tmp_path: Path) -> None:
    """Missing, a directory, no text, or too long."""
    file = tmp_path / "put.toml"
    assert callable(make)
    make(file)
    with pytest.raises(SettingsError, match="cannot be read") as caught:
        settle({}, {}, file)
    assert str(file) in str(caught.value)


def test_journal_is_where_data_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the directory that was named, in the user's own by default, or nowhere."""
    assert Settings(data=str(tmp_path)).journal == tmp_path / "put.sqlite3"
    assert Settings(data=":memory:").journal is None
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert Settings().journal == tmp_path / "xdg" / "put-server" / "put.sqlite3"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().journal == tmp_path / ".local" / "share" / "put-server" / "put.sqlite3"
