"""QR codes as the page draws them, held against those of another program."""

import re
from typing import Any
from unittest.mock import patch

import segno
import segno.encoder

BORDER = 4


def _pad(buff: Any, _version: object, length: int) -> None:
    """To the end of a codeword, and not by a whole one more, as segno does: readers take both, but it is not equal."""
    buff.extend([0] * (-length % 8))


def is_code_of(path: str, size: int, text: str) -> bool:
    """Whether the squares of a path in SVG are a code of this text. A program may choose any of the eight masks."""
    found = re.findall(r"M(\d+) (\d+)h1v1h-1z", path)
    assert "".join(f"M{x} {y}h1v1h-1z" for x, y in found) == path
    dark = {(int(x), int(y)) for x, y in found}
    return any(dark == _drawn(text, mask, size) for mask in range(8))


def _drawn(text: str, mask: int, size: int) -> set[tuple[int, int]]:
    with patch.object(segno.encoder, "write_padding_bits", _pad):
        rows = segno.make(text, error="m", micro=False, mask=mask, boost_error=False).matrix
    assert len(rows) + 2 * BORDER == size
    return {(x + BORDER, y + BORDER) for y, row in enumerate(rows) for x, module in enumerate(row) if module}
