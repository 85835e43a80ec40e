"""Settings of a program. A flag goes before its environment variable, that before the file, and the file before the
default.

A program's settings are the fields of a dataclass. The type of a field says how its value is read: `int` as a whole
number, `bool` as true or false, `str` as text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Generic, TypeVar

S = TypeVar("S")

Check = Callable[[Any, str], Any]
"""Takes a value and its source; returns the value to use, or raises a SettingsError."""

_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""What an environment variable may say of a setting that is true or false."""


class SettingsError(Exception):
    """A setting cannot be used; the sentence names its source."""


class FlagError(SettingsError):
    """The same of a flag: the command was wrong, not what is configured."""


def must_be(source: str, name: str, requirement: str, value: object) -> SettingsError:
    """The error of a value that does not meet a requirement."""
    return SettingsError(f"{source}: {name} must be {requirement}, not {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsReader(Generic[S]):
    """Reads the settings of one program from all their sources."""

    kind: type[S]
    """A dataclass with a default for every field."""
    program: str
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The least and the most of a number."""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """All values of a text."""
    secrets: frozenset[str] = frozenset()
    """Settings whose value no error may show."""
    checks: Mapping[str, Check] = field(default_factory=dict)
    """For settings that their type does not describe."""
    only_in_file: frozenset[str] = frozenset()
    """Settings without an environment variable."""
    adapt: Callable[[dict[str, Any]], dict[str, Any]] = field(default=lambda read: read)
    """Brings what an older file says to the names of today."""

    def variable(self, name: str) -> str:
        """The environment variable of a setting."""
        return f"{self.program}_{name}".upper().replace("-", "_")

    def settle(
        self, flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None, *, must_exist: bool = True
    ) -> S:
        """The settings from all their sources; `flags` holds only those that were given.

        :raises SettingsError: a file cannot be read, or a setting is unknown or has no such value.
        """
        types = {known.name: known.type for known in fields(self.kind)}  # type: ignore[arg-type]  # it is a dataclass
        chosen: dict[str, Any] = {}
        for name, value in self.adapt(_read(file, must_exist=must_exist)).items():
            if name not in types:
                raise SettingsError(f"{file}: there is no setting {name!r}; there are {', '.join(types)}")
            chosen[name] = self._checked(types[name], name, value, str(file))
        for name, kind in types.items():
            text = environment.get(self.variable(name))
            if text is not None and name not in self.only_in_file:
                value = _BOOLEANS.get(text.casefold(), text) if kind is bool else text
                chosen[name] = self._checked(kind, name, value, f"the environment variable {self.variable(name)}")
        for name, value in flags.items():
            try:
                chosen[name] = self._checked(types[name], name, value, f"--{name.replace('_', '-')}")
            except SettingsError as error:
                raise FlagError(*error.args) from None
        return self.kind(**chosen)

    def _checked(self, kind: object, name: str, value: Any, source: str) -> Any:
        if name in self.checks:
            return self.checks[name](value, source)
        if kind is bool:
            if not isinstance(value, bool):
                raise must_be(source, name, "true or false", value)
        elif kind is str:
            if not isinstance(value, str):
                if name in self.secrets:
                    raise SettingsError(f"{source}: {name} must be text")
                raise must_be(source, name, "text", value)
            if value not in self.choices.get(name, (value,)):
                raise must_be(source, name, " or ".join(self.choices[name]), value)
        else:
            return self._number(name, value, source)
        return value

    def _number(self, name: str, value: Any, source: str) -> int:
        try:
            if isinstance(value, bool | float):
                raise ValueError
            number = int(value)
        except (TypeError, ValueError):
            raise must_be(source, name, "a whole number", value) from None
        least, most = self.bounds.get(name, (-(2**63), 2**63))
        if not least <= number <= most:
            raise must_be(source, name, f"from {least} to {most}", number)
        return number


def _read(file: Path | None, *, must_exist: bool) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError as error:
        if not must_exist:
            return {}
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from None
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file} cannot be read: it is not in UTF-8") from None
    import tomllib  # noqa: PLC0415  # most have no file, and a client's user waits for the screen

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not TOML: {error}") from None
