"""Static files of the page: read once, and then told by their path and the digest of all.

A path is looked up among those that were read; nothing that a peer sends ever becomes the name of a file. All files but
the first page lie below a folder that is named by the digest of all of them. So what a browser has may be kept for
ever, and modules of two releases are never mixed. Modules are sent without their comments, which are a fifth of what
a phone would load; their lines keep their numbers.
"""

import gzip
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable

from put_server.transport.http_page import HttpPage

KINDS: Mapping[str, str] = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
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
        "trusted-types 'none'",
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

_DOCUMENTS = ("html", "svg")

FOR_EVER = ("Cache-Control", "public, max-age=31536000, immutable")

_FIRST = "index.html"
_ROUTES = re.compile(r"/(?:(?:watch|table)/[1-9][0-9]{0,15})?")
"""Addresses of the first page: the lobby, a table, and a table on a wall."""

_UNREAD = re.compile(rb"/\*\*.*?\*/ ?|^ *//[^\n]*|^ +", re.DOTALL | re.MULTILINE)
"""Text that a browser does not read: JSDoc, a line that is a comment, and the indentation of a line."""

_HERE = b"/web/-/"
"""How the files name their folder."""


class StaticFiles:
    def __init__(self) -> None:
        found = dict(_walk(resources.files("put_server") / "web"))
        digest = sha256(b"".join(name.encode() + b"\0" + found[name] for name in sorted(found))).hexdigest()[:20]
        self.prefix = f"/web/{digest}/"
        """Of the paths of all files but the first page."""
        first = found.pop(_FIRST).replace(_HERE, self.prefix.encode())
        self._first = _file(_FIRST, first, ("Cache-Control", "no-cache"), ("ETag", f'"{digest}"'))
        self._pages = {
            self.prefix + name: _file(name, _shortened(name, body).replace(_HERE, self.prefix.encode()), FOR_EVER)
            for name, body in found.items()
        }

    def page(self, path: str) -> HttpPage | None:
        """The file at a path; None: there is none."""
        return self._first if _ROUTES.fullmatch(path) else self._pages.get(path)


def _walk(folder: Traversable, inside: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{inside}{entry.name}/")
        elif entry.name.rpartition(".")[2] in KINDS:
            yield inside + entry.name, entry.read_bytes()


def _shortened(name: str, body: bytes) -> bytes:
    """A module or a style of ours without its comments; other files as they are."""
    if name.startswith("vendor/") or not name.endswith((".js", ".css")):
        return body
    return _UNREAD.sub(lambda found: b"\n" * found[0].count(b"\n"), body)


def _file(name: str, body: bytes, *headers: tuple[str, str]) -> HttpPage:
    small, kind = gzip.compress(body, 9, mtime=0), name.rpartition(".")[2]
    safe = SAFE if kind in _DOCUMENTS else ()
    return HttpPage(
        200,
        body,
        KINDS[kind],
        headers=(*headers, *safe, ("Cross-Origin-Resource-Policy", "same-origin"), ("Vary", "Accept-Encoding")),
        gzipped=small if len(small) < len(body) else b"",
        is_kept=True,
    )
