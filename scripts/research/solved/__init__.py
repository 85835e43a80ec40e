"""Counting of what a solved game's table says, over all deals: `counts` walks, `figures` sums up."""
