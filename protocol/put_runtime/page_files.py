"""Files of the page as they are installed, and the headers that browsers want with them.

The server sends them, and `put-client --page`, which imports nothing of the server.
"""

from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable

KINDS: Mapping[str, str] = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
    "json": "application/json",
}
"""Kinds of files by their endings; others are not served."""

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types put",  # of the address of the Worker (blind/keeper.js)
    )
)
"""Nothing from elsewhere, nothing inline, no text that becomes markup, and no frame of another site around it."""

SAFE = (
    ("Content-Security-Policy", _POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)
"""Headers of a document. On its modules and styles, which are none, browsers do not read them."""

FIRST = "index.html"
HERE = b"/web/-/"
"""The name of the folder in the files."""


def kind_of(name: str) -> str:
    return name.rpartition(".")[2]


def page_files() -> dict[str, bytes]:
    """The files by their paths."""
    return dict(_walk(resources.files("put_server") / "web"))


def _walk(folder: Traversable, inside: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{inside}{entry.name}/")
        elif kind_of(entry.name) in KINDS:
            yield inside + entry.name, entry.read_bytes()
