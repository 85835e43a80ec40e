"""Settings of a program. Priority: flag, environment variable, file, default.

A program's settings are the fields of a dataclass, each made by `setting`. The command line, the example file, the
manual page, the completions and the documentation's tables are all made from it. The type of a field determines how its
value is read: `int` as a whole number, `bool` as true or false, `str` as text.
"""

from argparse import SUPPRESS, ArgumentParser, BooleanOptionalAction
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from put_runtime.command_line import Later

S = TypeVar("S")
T = TypeVar("T")

Check = Callable[[Any, str, str], Any]
"""Gets a value, its source and the setting's name; returns the value to use, or raises a SettingsError."""

MOST_BYTES = 2**20
"""Longest file; a longer one is no file of settings."""

_REQUIREMENTS: Mapping[type, str] = {bool: "true or false", str: "text", int: "a whole number"}

_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class SettingsError(Exception):
    """A setting is invalid; the sentence names its source."""


class FlagError(SettingsError):
    """A flag is invalid: the command is wrong, not the configuration."""


def must_be(source: str, name: str, requirement: str, value: object) -> SettingsError:
    return SettingsError(f"{source}: {name} must be {requirement}, not {value!r}")


@dataclass(frozen=True, slots=True)
class Setting:
    """Description of a setting. Type and default are those of the field."""

    says: str
    """Its meaning as a clause, or the name of its message."""
    least: int | None = None
    most: int | None = None
    """Bounds of a number: both, or none."""
    choices: tuple[str, ...] = ()
    """All values of a text."""
    check: Check | None = None
    """Parses a setting whose type is not enough."""
    is_secret: bool = False
    """Errors must not contain its value."""
    is_only_in_file: bool = False
    """Without flag and environment variable."""
    default_says: str = ""
    """Text for a computed default."""
    see: str = ""
    """Link to more documentation."""

    @property
    def bounds(self) -> tuple[int, int]:
        return -(2**63) if self.least is None else self.least, 2**63 if self.most is None else self.most


_ENGLISH = {
    "help-choices": "{says}: {most} or {last}",
    "help-bounds": "{says}; from {least} to {most}",
    "help-setting": "{says} (default: {default}; environment: {variable})",
}


def _in_english(message: str, **given: object) -> str:
    """Texts about settings without a catalogue."""
    return _ENGLISH[message].format(**given) if message in _ENGLISH else message


def setting(default: T, says: str, least: int | None = None, most: int | None = None, **more: Any) -> T:
    """A field of a dataclass of settings, with its default. Other arguments as in `Setting`."""
    about = Setting(says, least, most, **more)
    made: Any = field(default=default, repr=not about.is_secret, metadata={Setting: about})
    return made  # type: ignore[no-any-return]  # dataclasses puts the default in its place


class SettingsReader(Generic[S]):
    def __init__(
        self,
        kind: type[S],
        program: str,
        adapt: Callable[[dict[str, Any]], dict[str, Any]] = lambda read: read,
        words: Callable[..., str] = _in_english,
    ) -> None:
        """`kind`: a dataclass with a default for every field. `adapt` converts an older file to current names. `words`:
        renders a message of a catalogue, if there is one."""
        known = fields(kind)  # type: ignore[arg-type]  # it is a dataclass
        self.table: Mapping[str, Setting] = {one.name: one.metadata[Setting] for one in known}
        self.flags = {name: setting for name, setting in self.table.items() if not setting.is_only_in_file}
        """Settings that are also flags and environment variables."""
        self._kind = kind
        self._types = {one.name: one.type for one in known}
        self._defaults = kind()
        self._program = program
        self._adapt = adapt
        self._words = words

    def meaning(self, name: str) -> str:
        one = self.table[name]
        says = self._words(one.says)
        if one.choices:
            return self._words("help-choices", says=says, most=", ".join(one.choices[:-1]), last=one.choices[-1])
        return says if one.least is None else self._words("help-bounds", says=says, least=one.least, most=one.most)

    def variable(self, name: str) -> str:
        return f"{self._program}_{name}".upper().replace("-", "_")

    def default(self, name: str) -> str:
        value = getattr(self._defaults, name)
        if isinstance(value, bool):
            value = "on" if value else "off"
        return self.table[name].default_says or ("none" if value in ("", None) else str(value))

    def add_flags(self, parser: ArgumentParser, names: Iterable[str] | None = None) -> None:
        """Add flags for these settings, or for all, to a command line. A missing flag sets no attribute."""
        for name in self.flags if names is None else names:
            setting, kind = self.table[name], self._types[name]
            takes: dict[str, Any] = {"metavar": "N" if kind is int else name.rpartition("_")[2].upper()}
            if setting.choices:
                takes = {"choices": setting.choices}
            elif kind is bool:
                takes = {"action": BooleanOptionalAction}
            told: Any = Later(partial(self._told, name))
            parser.add_argument(f"--{name.replace('_', '-')}", default=SUPPRESS, help=told, **takes)

    def _told(self, name: str) -> str:
        """The help on a flag."""
        says = self._words(self.table[name].says) if self.table[name].choices else self.meaning(name)
        about = {"default": self.default(name), "variable": self.variable(name)}
        return self._words("help-setting", says=says, **about).replace("%", "%%")

    def settle(
        self, flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None, *, must_exist: bool = True
    ) -> S:
        """The settings from all sources; `flags` has only given ones.

        :raises SettingsError: a file is unreadable, or a setting is unknown or invalid.
        """
        types = self._types
        chosen: dict[str, Any] = {}
        for name, value in self._adapt(_read(file, must_exist=must_exist)).items():
            if name not in types:
                raise SettingsError(f"{file}: there is no setting {name!r}; there are {', '.join(types)}")
            chosen[name] = self._checked(name, value, str(file))
        for name in self.flags:
            text = environment.get(self.variable(name))
            if text is not None:
                value = _BOOLEANS.get(text.casefold(), text) if types[name] is bool else text
                chosen[name] = self._checked(name, value, f"the environment variable {self.variable(name)}")
        for name, value in flags.items():
            try:
                chosen[name] = self._checked(name, value, f"--{name.replace('_', '-')}")
            except SettingsError as error:
                raise FlagError(*error.args) from None
        return self._kind(**chosen)

    def _checked(self, name: str, value: Any, source: str) -> Any:
        setting = self.table[name]
        if setting.check is not None:
            return setting.check(value, source, name)
        kind = next((one for one in (bool, str) if self._types[name] is one), int)
        if kind is int and isinstance(value, str):
            with suppress(ValueError):
                value = int(value)
        if type(value) is not kind:
            if setting.is_secret:
                raise SettingsError(f"{source}: {name} must be text")
            raise must_be(source, name, _REQUIREMENTS[kind], value)
        if setting.choices and value not in setting.choices:
            raise must_be(source, name, " or ".join(setting.choices), value)
        least, most = setting.bounds
        if kind is int and not least <= int(value) <= most:
            raise must_be(source, name, f"from {least} to {most}", value)
        return value


def _read(file: Path | None, *, must_exist: bool) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        if not must_exist and not file.exists():
            return {}
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise SettingsError(f"{file} cannot be read: it is longer than {MOST_BYTES:,} bytes")
        import tomllib  # noqa: PLC0415  # most have no file, and a client's user waits for the screen

        return tomllib.loads(data.decode())
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file} cannot be read: it is not in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file} is not TOML: {error}") from None
