"""The tables of docs/env.md: what an agent observes and may do, from the codecs."""

from put_env.families import codec_of
from put_env.layout import Block
from put_env.table import Table
from put_protocol.offers import GameOffer


def observations_table(offer: GameOffer) -> list[str]:
    """The observation of a rule set's smallest table, block by block, and its actions."""
    codec = codec_of(Table(rule_set=offer.name))
    return [
        f"{codec.layout.size} numbers with {min(offer.seats)} seats:",
        "",
        "| numbers | names | from | to | meaning |",
        "|---|---|---|---|---|",
        *[_row(block) for block in codec.layout.blocks],
        "",
        f"{len(codec.actions)} actions: {', '.join(_shortened(codec.actions, 36))}.",
    ]


def _row(block: Block) -> str:
    first, last = block.at, block.at + len(block.labels) - 1
    numbers = f"{first}" if first == last else f"{first} to {last}"
    names = ", ".join(_shortened(block.names, 13))
    return f"| {numbers} | {names} | {block.least:g} | {block.most:g} | {block.means} |"


def _shortened(names: tuple[str, ...], most: int) -> list[str]:
    """Every name, or where there are many the first ones and the last."""
    shown = [f"`{name}`" for name in names]
    return shown if len(shown) <= most else [*shown[:3], "...", shown[-1]]
