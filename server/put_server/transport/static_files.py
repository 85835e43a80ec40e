"""Static files of the page: read once, and served by path and by the digest of all files.

Paths are looked up among the files read; a peer's input never becomes a file name. All files except the first page are
in a folder named by the digest of all of them. So browsers may cache them forever, and modules of two releases are
never mixed. The first page includes its style and the script that connects, because separate requests would delay the
rest on a slow network. Modules are sent without comments, which are a fifth of a phone's download; line numbers stay
the same. Where the page begins, and in its Worker, modules are sent in one file with all that they import, because on a
slow network a request takes longer than its data. In that file a module becomes a function, and its exports become a
constant, which replaces imports of the module.
"""

import gzip
import posixpath
import re
from base64 import b64encode
from collections.abc import Collection, Mapping
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

MAIN = "main.js"
"""The file in which the page begins."""

WITH_MAIN = (MAIN, "forms.js")
"""Modules that are sent there with all their imports. Without the second the lobby would be two requests."""

WORKER = "blind/worker.js"
"""The Worker's module, sent with all its imports: it shares nothing with the page."""

OFFLINE = "offline.js"
"""The service worker, served from the root, because its scope is the folder that it comes from."""

_IMPORT = re.compile(rb'^import (?:\* as (\w+)|(\{[^}]*\})) from "(\.[^"]+)";', re.MULTILINE)
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
    """The files: the modules where the page begins are in one, the others import them from there. Without modules that
    only the Worker imports."""
    in_main, in_worker = _with_imports(files, *WITH_MAIN), _with_imports(files, WORKER)
    modules = {name: _bound(name, body, in_main) for name, body in files.items() if name.endswith(".js")}
    modules |= {MAIN: _bundle(files, in_main), WORKER: _bundle(files, in_worker)}
    reached, rest = set[str](), {MAIN, WORKER}
    while rest:
        reached.add(name := rest.pop())
        rest |= {_target(name, path) for path in _ANY_IMPORT.findall(modules[name])} - reached
    return {name: modules.get(name, body) for name, body in files.items() if name in reached or name not in modules}


def _with_imports(files: Mapping[str, bytes], *names: str) -> list[str]:
    """Modules with all that they import; each follows its imports."""
    found: list[str] = []

    def collect(name: str) -> None:
        for imported in _IMPORT.finditer(files[name]):
            if (target := _target(name, imported[3])) not in found:
                collect(target)
        found.append(name)

    for name in names:
        if name not in found:
            collect(name)
    return found


def _bundle(files: Mapping[str, bytes], inside: Collection[str]) -> bytes:
    """One file with these modules."""
    return b"".join(
        b"export const %s = (() => {\n%s\n})();\n"
        % (_constant(name), _returning(_read_from(name, files[name], inside)))
        for name in inside
    )


def _bound(name: str, body: bytes, in_main: Collection[str]) -> bytes:
    """A module that is sent alone, and reads these imports from the file where the page begins."""
    read = _read_from(name, body, in_main, b"$.")
    path = ("../" * name.count("/") or "./") + MAIN
    return read if read == body else b'import * as $ from "%s";%s' % (path.encode(), read)  # on no line of its own


def _read_from(name: str, body: bytes, inside: Collection[str], place: bytes = b"") -> bytes:
    """A module that reads imports of these modules from constants."""

    def read(found: re.Match[bytes]) -> bytes:
        names, target = found[1] or found[2].replace(b" as ", b": "), _target(name, found[3])
        return b"const %s = %s%s;" % (names, place, _constant(target)) if target in inside else found[0]

    return _IMPORT.sub(read, body)


def _target(name: str, path: bytes) -> str:
    """The file that a relative path in a module refers to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path.decode()))


def _constant(name: str) -> bytes:
    """Constant with the exports of a module."""
    return b"$" + re.sub(r"\W", "_", name.removesuffix(".js")).encode()


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
