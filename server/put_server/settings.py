"""The operator's settings: a flag over the environment over the file over the default, all from one table."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from put_protocol import DEFAULT_PORT


class SettingsError(Exception):
    """A setting cannot be used; the sentence names where it came from."""


class FlagError(SettingsError):
    """The same of a flag: the command was wrong, not what is configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything set."""

    host: str = "*"
    port: int = DEFAULT_PORT
    name: str = "The Put Table"
    data: str = ""
    password: str = field(default="", repr=False)
    seed: int | None = None
    drain_seconds: int = 20
    back_seconds: int = 0
    admin: str = ""
    log_level: str = "info"
    log_format: str = "text"
    at_eof: str = "stay"

    @property
    def journal(self) -> Path | None:
        """The journal's file; None: nothing is kept."""
        if self.data == ":memory:":
            return None
        folder = Path(self.data).expanduser() if self.data else default_data()
        return folder / "put.sqlite3"

    @property
    def door(self) -> Path | None:
        """The admin socket; None: there is none."""
        if self.admin:
            return Path(self.admin).expanduser()
        return None if self.journal is None else self.journal.with_name("admin.sock")


HELP: Mapping[str, str] = {
    "host": "address to listen on; * for every interface",
    "port": "port to listen on; 0 for any that is free",
    "name": "what the server calls itself",
    "data": "directory that keeps the tables; :memory: to keep nothing",
    "password": "asked of everyone who connects; better set by environment or file, for flags can be read by others",
    "seed": "repeat packs and house players exactly from this number; every table is marked as an exhibition",
    "drain_seconds": "how long games in play may go on once the server is told to stop",
    "back_seconds": "how long it will be away once it stopped, as everyone is then told; 0: nobody knows",
    "admin": "socket for the operator's commands; needed where nothing is kept",
    "log_level": "what to log: debug, info, warning or error",
    "log_format": "how to log: text, or json with an object a line",
    "at_eof": "when standard input ends: stay, or stop, as a server that another program starts and may not outlive it",
}

CHOICES: Mapping[str, tuple[str, ...]] = {
    "log_level": ("debug", "info", "warning", "error"),
    "log_format": ("text", "json"),
    "at_eof": ("stay", "stop"),
}

BOUNDS: Mapping[str, tuple[int, int]] = {"port": (0, 65535), "drain_seconds": (0, 86_400), "back_seconds": (0, 86_400)}

NUMBERS = frozenset({"port", "seed", "drain_seconds", "back_seconds"})


def default_data() -> Path:
    """Where tables are kept when nobody says otherwise, by the XDG rules."""
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "put-server"


def default_shown(name: str) -> str:
    """A default for `--help`."""
    if name == "data":
        return str(default_data())
    if name == "admin":
        return "admin.sock in the directory of --data"
    default = next(known.default for known in fields(Settings) if known.name == name)
    return "none" if default in ("", None) else str(default)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"PUT_SERVER_{name.upper()}"


def settle(flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None) -> Settings:
    """The settings from all their sources; `flags` holds only what was given.

    :raises SettingsError: a file cannot be read, or a value is unknown or out of its bounds.
    """
    names = [known.name for known in fields(Settings)]
    chosen: dict[str, Any] = {}
    if file is not None:
        for name, value in _read(file).items():
            if name not in names:
                raise SettingsError(f"{file}: there is no setting {name!r}; there are {', '.join(names)}")
            chosen[name] = _checked(name, value, str(file))
    for name in names:
        if (text := environment.get(variable(name))) is not None:
            chosen[name] = _checked(name, text, f"the environment variable {variable(name)}")
    for name, value in flags.items():
        try:
            chosen[name] = _checked(name, value, f"--{name.replace('_', '-')}")
        except SettingsError as error:
            raise FlagError(*error.args) from None
    return Settings(**chosen)


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not TOML: {error}") from None


def _checked(name: str, value: Any, source: str) -> Any:
    if name in NUMBERS:
        try:
            if isinstance(value, bool | float):
                raise ValueError
            value = int(value)
        except (TypeError, ValueError):
            raise SettingsError(f"{source}: {name} must be a whole number, not {value!r}") from None
        least, most = BOUNDS.get(name, (-(2**63), 2**63))
        if not least <= value <= most:
            raise SettingsError(f"{source}: {name} must be from {least} to {most}, not {value}")
    elif not isinstance(value, str):
        shown = "" if name == "password" else f", not {value!r}"
        raise SettingsError(f"{source}: {name} must be text{shown}")
    elif name in CHOICES and value not in CHOICES[name]:
        raise SettingsError(f"{source}: {name} must be {' or '.join(CHOICES[name])}, not {value!r}")
    return value
