"""The options of all rule sets in one table, for a program that opens tables."""

from put_protocol.offers import OptionOffer
from put_server.games.registry import GAMES


def shown(value: str | int) -> str:
    """A value as it is typed."""
    return f"`{value}`" if value != "" else "none"


def bounds(option: OptionOffer) -> str:
    """What an option may be."""
    if option.values:
        return ", ".join(map(shown, option.values))
    if option.longest is not None:
        return f"text, up to {option.longest} characters"
    most = "up" if option.most is None else f"to {option.most}"
    return f"{option.least or 0} {most}"


def all_options() -> list[str]:
    """Every option once, with the rule sets that have it and its default in each."""
    found: dict[tuple[str, str, str], dict[str | int, list[str]]] = {}
    for name, rule_set in GAMES.items():
        for option in rule_set.offer.options:
            defaults = found.setdefault((option.name, bounds(option), option.meaning.replace("|", "\\|")), {})
            defaults.setdefault(option.default, []).append(name)
    rows = [
        f"| `{name}` | {values} | {_defaults(defaults)} | {meaning} |"
        for (name, values, meaning), defaults in sorted(found.items())
    ]
    return ["| option | values | default | meaning |", "| --- | --- | --- | --- |", *rows]


def _defaults(defaults: dict[str | int, list[str]]) -> str:
    everywhere = len(defaults) == 1 and sum(map(len, defaults.values())) == len(GAMES)
    return "; ".join(
        shown(value) if everywhere else f"{shown(value)} in {', '.join(f'`{name}`' for name in names)}"
        for value, names in defaults.items()
    )
