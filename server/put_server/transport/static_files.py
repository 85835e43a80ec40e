"""Static files of the page: read once, and served by path and by the digest of all files.

Paths are looked up among the files read; a peer's input never becomes a file name. All files except the first page are
in a folder named by the digest of all of them. So browsers may cache them forever, and modules of two releases are
never mixed. The first page includes its style and the script that connects, because separate requests would delay the
rest on a slow network. Modules are sent without comments, which are a fifth of a phone's download; line numbers stay
the same. Each module of `ENTRIES` is sent in one file with all that it imports, because on a slow network a request
takes longer than its data. In that file a module becomes a function, and its exports become a constant, which replaces
imports of the module.
"""

import gzip
import posixpath
import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256

import msgspec

from put_rules.registry import GAMES
from put_runtime.page_files import FIRST, FOLDER_NAME, KINDS, SAFE, kind_of, page_files, safe
from put_server.transport.http_page import HttpPage
from put_text.catalogue import ENGLISH, languages, speaking
from put_text.translated import offer_in_language

_DOCUMENTS = ("html", "svg")

FOR_EVER = ("Cache-Control", "public, max-age=31536000, immutable")

_ROUTES = re.compile(r"/(?:(?:watch|table)/[1-9][0-9]{0,15})?")
"""Paths of the first page: the lobby, a table, and a table on a wall."""

_UNREAD = re.compile(rb"/\*\*.*?\*/ ?|^ *//[^\n]*|^ +", re.DOTALL | re.MULTILINE)
"""Text that a browser ignores: JSDoc, comment lines, and indentation."""

INLINE = {
    "dial.js": (
        b'<script type="module" async src="/web/-/dial.js"></script>',
        b'<script type="module" async>%s</script>',
    ),
    "style.css": (b'<link rel="stylesheet" href="/web/-/style.css">', b"<style>%s</style>"),
}
"""Files included in the first page: the reference to each in the page, and its replacement."""

ENTRIES = ("main.js", "lobby.js", "blind/shown.js", "aside.js")
"""Modules that are sent with their imports. A module that two of them import is sent with the first."""

WORKER = "blind/worker.js"
"""The Worker's module, sent with all its imports: it shares nothing with the page."""

OFFLINE = "offline.js"
"""The service worker, served from the root, because its scope is the folder that it comes from."""

_IMPORT = re.compile(rb'^import (?:\* as (\w+)|(\{[^}]*\})) from "(\.[^"]+)";', re.MULTILINE)
_LATE_IMPORT = re.compile(rb'\bimport\("(\.[^"]+)"\)')
_ANY_IMPORT = re.compile(rb'(?:\bfrom |\bimport[ (])"(\.[^"]+)"')
_EXPORT = re.compile(rb"^export (?=(?:async )?(?:function\*?|class|const) (\w+|\[[\w, ]+))", re.MULTILINE)
_EXPORTS = re.compile(rb"\bexport ?\{([^}]*)\};?\s*$")


class StaticFiles:
    def __init__(self) -> None:
        found = page_files()
        for language in languages():
            with speaking(language):
                offers = [offer_in_language(rule_set.offer) for rule_set in GAMES.values()]
            found["offers.json" if language == ENGLISH else f"offers-{language}.json"] = msgspec.json.encode(offers)
        self.digest = digest = sha256(
            b"".join(name.encode() + b"\0" + found[name] for name in sorted(found))
        ).hexdigest()[:20]
        self.prefix = f"/web/{digest}/"
        """Prefix of the paths of all files except the first page."""
        worker = found.pop(OFFLINE).replace(FOLDER_NAME, self.prefix.encode())
        first, sources = found.pop(FIRST), dict[str, str]()
        for name, (tag, inside) in INLINE.items():
            body = _shortened(name, found.pop(name)).replace(FOLDER_NAME, self.prefix.encode())
            first = first.replace(tag, inside % body)
            sources[name] = f" 'sha256-{b64encode(sha256(body).digest()).decode()}'"
        policy = safe(scripts=sources["dial.js"], styles=sources["style.css"])
        first = first.replace(FOLDER_NAME, self.prefix.encode())
        self._first = _file(FIRST, first, ("Cache-Control", "no-cache"), ("ETag", f'"{digest}"'), *policy)
        self._pages = {
            self.prefix + name: _file(name, body.replace(FOLDER_NAME, self.prefix.encode()), FOR_EVER)
            for name, body in _joined({name: _shortened(name, body) for name, body in found.items()}).items()
        }
        worker = b"const FILES = %s;\n%s" % (msgspec.json.encode(list(self._pages)), _shortened(OFFLINE, worker))
        self._pages[f"/{OFFLINE}"] = _file(OFFLINE, worker, ("Cache-Control", "no-cache"), *SAFE)

    def page(self, path: str) -> HttpPage | None:
        return self._first if _ROUTES.fullmatch(path) else self._pages.get(path)


def _shortened(name: str, body: bytes) -> bytes:
    """A module or a style without its comments; other files unchanged."""
    if not name.endswith((".js", ".css")):
        return body
    return _UNREAD.sub(lambda found: b"\n" * found[0].count(b"\n"), body)


def _joined(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, with each entry's imports included in it, and without modules that only the Worker imports."""
    sent = _with_entries(files, ENTRIES) | {WORKER: _with_entries(files, (WORKER,))[WORKER]}
    reached, rest = set[str](), {ENTRIES[0], WORKER}
    while rest:
        reached.add(name := rest.pop())
        rest |= {_target(name, path) for path in _ANY_IMPORT.findall(sent[name])} - reached
    return {name: body for name, body in sent.items() if name in reached or not name.endswith(".js")}


def _with_entries(files: Mapping[str, bytes], entries: tuple[str, ...]) -> dict[str, bytes]:
    homes: dict[str, str] = {}
    """The entry that includes each module; a module follows those that it imports."""

    def collect(name: str, entry: str) -> None:
        for imported in _IMPORT.finditer(files[name]):
            if (target := _target(name, imported[3])) not in homes:
                collect(target, entry)
        homes[name] = entry

    for entry in entries:
        collect(entry, entry)

    def bound(name: str, body: bytes, own: str) -> tuple[bytes, set[str]]:
        """A module that reads its imports from the entries, and the names of the entries other than its own."""
        used = set[str]()

        def exports_of(path: bytes) -> bytes | None:
            target = _target(name, path)
            if (home := homes.get(target)) is None or home == own:
                return None if home is None else _constant(target)
            used.add(home)
            return _constant(home) + b"." + _constant(target)

        def read(found: re.Match[bytes]) -> bytes:
            exports = exports_of(found[3])
            names = found[1] or found[2].replace(b" as ", b": ")
            return found[0] if exports is None else b"const %s = %s;" % (names, exports)

        def read_late(found: re.Match[bytes]) -> bytes:
            target = _target(name, found[1])
            if target not in homes:
                return found[0]
            return b'import("%s").then((all) => all.%s)' % (_path(name, homes[target]), _constant(target))

        return _LATE_IMPORT.sub(read_late, _IMPORT.sub(read, body)), used

    alone = {name: name for name in files if name.endswith(".js") and name not in homes}
    heads, inside = defaultdict[str, set[str]](set), defaultdict[str, bytes](bytes)
    for name, home in (homes | alone).items():
        body, used = bound(name, files[name], home)
        heads[home] |= used
        if home in entries:
            body = b"export const %s = (() => {\n%s\n})();\n" % (_constant(name), _returning(body))
        inside[home] += body
    modules = {name: _head(name, heads[name]) + body for name, body in inside.items()}
    return {name: body for name, body in files.items() if not name.endswith(".js")} | modules


def _target(name: str, path: bytes) -> str:
    """The file that a relative path in a module refers to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path.decode()))


def _path(name: str, target: str) -> bytes:
    return ("../" * name.count("/") or "./").encode() + target.encode()


def _constant(name: str) -> bytes:
    """Constant with the exports of a module."""
    return b"$" + re.sub(r"\W", "_", name.removesuffix(".js")).encode()


def _head(name: str, entries: set[str]) -> bytes:
    """Imports of entries, on no line of their own."""
    return b"".join(b'import * as %s from "%s";' % (_constant(one), _path(name, one)) for one in sorted(entries))


def _returning(body: bytes) -> bytes:
    """Body of a function that returns a module's exports."""
    exports = [names.lstrip(b"[") for names in _EXPORT.findall(body)]
    if at_end := _EXPORTS.search(body):
        body = body[: at_end.start()]
        pairs = [pair.split() for pair in at_end[1].split(b",") if pair.strip()]
        exports += [b"%s: %s" % (pair[-1], pair[0]) for pair in pairs]
    return _EXPORT.sub(b"", body) + b"\nreturn { %s };" % b", ".join(exports)


def _file(name: str, body: bytes, *headers: tuple[str, str]) -> HttpPage:
    small, kind = gzip.compress(body, 9, mtime=0), kind_of(name)
    policy = SAFE if kind in _DOCUMENTS and name != FIRST else ()
    return HttpPage(
        200,
        body,
        KINDS[kind],
        headers=(*headers, *policy, ("Cross-Origin-Resource-Policy", "same-origin"), ("Vary", "Accept-Encoding")),
        gzipped=small if len(small) < len(body) else b"",
        is_kept=True,
    )
