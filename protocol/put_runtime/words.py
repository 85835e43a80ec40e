"""Numbers in what the programs say."""


def counted(count: int, one: str, many: str = "") -> str:
    """`1 game`, `2 games`, `1,000 games`; `many` where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
