"""Loading of a bot's class by name: `my_bot.py`, `my_bot.py:Bold`, `my_module` or `my_package.mine:Bold`.

The folder of the file, or for a module the current folder, comes first in `sys.path`, as for a script: a bot may import
its neighbours.
"""

import importlib
import importlib.util
import inspect
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from put_client.bots.bot import Bot
from put_protocol.text import printable


class LoadError(Exception):
    """The bot was not found; the sentence says what was looked for and where. `__cause__` is the bot's own error, if
    any."""


_METHOD = "a method choose(self, view, legal)"


def load(typed: str) -> type[Bot]:
    """The class of the bot.

    :raises LoadError: there is no class, or several without a name given.
    """
    where, _, name = typed.rpartition(":") if ":" in typed else (typed, "", "")
    if not where:
        raise LoadError(f"{printable(typed)} names no module: say my_bot.py, my_bot.py:MyBot or my_module:MyBot")
    is_file = where.endswith(".py") or "/" in where
    module = _from_file(Path(where)) if is_file else _from_path(where)
    return _named(module, where, name) if name else _only(module, where)


def maker(kind: type[Bot], seed: int | None = None) -> Callable[[], Bot]:
    """A factory of bots, each with its own random generator if `__init__` takes `dice`.

    With a seed the generators are reproducible, in the order of creation.

    :raises LoadError: the class cannot be instantiated.
    """
    dice = random.Random() if seed is None else random.Random(seed)
    parameters = inspect.signature(kind).parameters
    needed = [
        name
        for name, one in parameters.items()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and name != "dice"
    ]
    if needed:
        wants = ", ".join(needed)
        raise LoadError(f"{kind.__name__} cannot be made: its __init__ needs {wants}, and is given nothing but dice")

    def make() -> Bot:
        return kind(dice=random.Random(dice.getrandbits(64))) if "dice" in parameters else kind()  # type: ignore[call-arg]  # a parameter of its own

    return make


def _from_file(file: Path) -> ModuleType:
    if not file.is_file():
        raise LoadError(f"there is no file {printable(str(file))} (looked for it in {printable(str(Path.cwd()))})")
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    if file.stem in sys.modules and getattr(sys.modules[file.stem], "__file__", None) == str(file.resolve()):
        return sys.modules[file.stem]
    # Under its own name, so that what it imports and what imports it see one module; but never in another's place.
    name = file.stem if file.stem.isidentifier() and importlib.util.find_spec(file.stem) is None else ""
    name = name or f"put_bot_{abs(hash(folder)):x}_{file.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file.resolve())
    if spec is None or spec.loader is None:
        raise LoadError(f"{printable(str(file))} is no Python: its name should end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise _broken(str(file), error) from error
    return module


def _from_path(name: str) -> ModuleType:
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise _broken(name, error) from error  # it is there; something it wants is not
        raise LoadError(
            f"there is no module {printable(name)} (looked for it in {printable(here)}, then where Python does)"
        ) from None
    except Exception as error:
        raise _broken(name, error) from error


def _named(module: ModuleType, where: str, name: str) -> type[Bot]:
    found = getattr(module, name, None)
    if found is None:
        there = ", ".join(kind.__name__ for kind in _bots(module))
        bots = f"its bots are {there}" if there else "it has no bot at all"
        raise LoadError(f"{printable(where)} has no {printable(name)}; {bots}")
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise LoadError(
            f"{printable(name)} in {printable(where)} is no bot: it should be a class derived from put_client.Bot"
        )
    if found.choose is Bot.choose:
        raise LoadError(f"{printable(name)} in {printable(where)} does not choose: it should have {_METHOD}")
    return found


def _only(module: ModuleType, where: str) -> type[Bot]:
    match _bots(module):
        case [kind]:
            return kind
        case []:
            raise LoadError(f"{printable(where)} has no bot: no class derived from put_client.Bot that has {_METHOD}")
        case several:
            names = ", ".join(kind.__name__ for kind in several)
            example = f"{printable(where)}:{several[0].__name__}"
            raise LoadError(f"{printable(where)} has {len(several)} bots, {names}: say which, as in {example}")


def _bots(module: ModuleType) -> list[type[Bot]]:
    return [
        kind
        for kind in dict.fromkeys(one for one in vars(module).values() if isinstance(one, type))
        if issubclass(kind, Bot)
        and kind.choose is not Bot.choose
        and kind.__module__ == module.__name__
        and not kind.__name__.startswith("_")
    ]


def _broken(where: str, error: Exception) -> LoadError:
    return LoadError(f"{printable(where)} cannot be imported: {type(error).__name__}: {printable(str(error))}")
