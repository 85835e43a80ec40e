"""A chain to try one's hashing on: its first links, in both ways of writing bytes."""

from base64 import b64encode

from put_protocol.seal.cuts import Chain
from scripts.reference import tables as markdown

SECRET = bytes(range(32))
"""No secret, of course: a program makes its own."""


def chain_table() -> list[str]:
    """The links that follow from it."""
    chain = Chain(SECRET)
    rows = [
        [f"`x[{k}]`", f"`{chain.link(k).hex()}`", f"`{b64encode(chain.link(k)).decode()}`"] for k in (0, 1, 2, 4096)
    ]
    return markdown.table(["link", "hexadecimal", "base64"], rows)
