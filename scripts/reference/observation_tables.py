"""The tables of docs/env.md: what an agent observes and may do, from the codecs."""

from put_env.env_table import Table
from put_env.families import codec_of
from put_env.layout import Block
from put_protocol.offers import GameOffer
from scripts.reference.tables import table


def observations_table(offer: GameOffer) -> list[str]:
    """The observation of a rule set's smallest table, block by block, and its actions."""
    codec = codec_of(Table(rule_set=offer.name))
    return [
        f"{codec.layout.size} numbers with {min(offer.seats)} seats:",
        "",
        *table(["numbers", "names", "from", "to", "meaning"], map(_row, codec.layout.blocks)),
        "",
        f"{len(codec.actions)} actions: {', '.join(_shortened(codec.actions, 36))}.",
    ]


def _row(block: Block) -> list[str]:
    first, last = block.at, block.at + len(block.labels) - 1
    numbers = f"{first}" if first == last else f"{first} to {last}"
    names = ", ".join(_shortened(block.names, 13))
    return [numbers, names, f"{block.least:g}", f"{block.most:g}", block.means]


def _shortened(names: tuple[str, ...], most: int) -> list[str]:
    """Every name, or where there are many the first ones and the last."""
    shown = [f"`{name}`" for name in names]
    return shown if len(shown) <= most else [*shown[:3], "...", shown[-1]]
