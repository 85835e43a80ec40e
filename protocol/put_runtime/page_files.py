"""The page's installed files, with their headers for browsers.

Used by the server, and by `put-client --page`, which imports nothing from the server.
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
"""Content types by file extension; other files are not served."""


def safe(scripts: str = "", styles: str = "") -> tuple[tuple[str, str], ...]:
    """Headers of a document; browsers ignore them on modules and styles. `scripts`, `styles`: policy sources of inline
    ones.

    They forbid foreign sources, unlisted inline code, text that becomes markup, and frames of other sites around the
    page.
    """
    policy = (
        "default-src 'none'",
        f"script-src 'self'{scripts}",
        f"style-src 'self'{styles}",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types put",  # of the address of the Worker (blind/keeper.js)
    )
    return (
        ("Content-Security-Policy", "; ".join(policy)),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    )


SAFE = safe()
"""Headers of a document with nothing inline."""

FIRST = "index.html"
FOLDER_NAME = b"/web/-/"


def kind_of(name: str) -> str:
    return name.rpartition(".")[2]


def page_files() -> dict[str, bytes]:
    return dict(_walk(resources.files("put_server") / "web"))


def _walk(folder: Traversable, inside: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{inside}{entry.name}/")
        elif kind_of(entry.name) in KINDS:
            yield inside + entry.name, entry.read_bytes()
