"""The page's files as they are: their types, and their size."""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from put_server.transport.static_files import INLINE, MAIN, OFFLINE, WORKER, StaticFiles
from tests.web.browser import TOOLS
from tests.web.codes import is_code_of

FOLDER = Path(__file__).parents[2] / "server" / "put_server" / "web"
NODE = shutil.which("node")
TSC = TOOLS / ".bin" / "tsc"

FIRST_TABLE = 41_000
"""Most bytes of it, without the games that the server offers."""


@pytest.mark.skipif(not TSC.exists() or NODE is None, reason="tsc is not installed (scripts/browser installs it)")
@pytest.mark.timeout(120)
def test_types_of_the_page_fit() -> None:
    """As JSDoc says them, checked by TypeScript."""
    run = subprocess.run(
        [TSC, "-p", Path(__file__).parent / "tsconfig.json"], capture_output=True, text=True, timeout=110, check=False
    )
    assert run.stdout == ""
    assert run.returncode == 0


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@pytest.mark.timeout(90)  # a process for each file, and more than what is given to Node
def test_modules_without_a_screen_pass_their_own_tests() -> None:
    """Those in `unit`, by Node's test runner."""
    files = sorted((Path(__file__).parent / "unit").glob("*.test.mjs"))
    run = subprocess.run([str(NODE), "--test", *files], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout
    assert "# fail 0" in run.stdout
    assert "# pass 0" not in run.stdout


def test_first_table_loads_little() -> None:
    """For a phone on a bad network: the bytes of all that is asked for, as they are sent. At once it is one page, and
    one module beside it, for each more would take a connection of its own."""
    files = StaticFiles()
    first = files.page("/")
    assert first is not None
    asked = re.findall(rb'(?:"stylesheet" href|"module".* src)="(.+?)"', first.body)
    assert [path.decode() for path in asked] == [f"{files.prefix}{MAIN}"]
    pages = [files.page(path) for path in ("/", *(files.prefix + name for name in (MAIN, "lobby.js", "late.css")))]
    assert sum(len(page.gzipped) for page in pages if page is not None) < FIRST_TABLE
    assert None not in pages


def test_first_table_waits_for_no_chain_of_modules() -> None:
    """What it needs, and what is loaded while the player says who they are, imports what is there already."""
    files = StaticFiles()
    for name in (MAIN, "lobby.js"):
        page = files.page(files.prefix + name)
        assert page is not None
        imported = re.findall(rb'(?:^|;)import [^"(]+"(.+?)"', page.body, re.MULTILINE)
        assert set(imported) <= ({b"./main.js"} if name != MAIN else set())


def test_policy_names_what_stands_in_the_page() -> None:
    """The style and the script that dials, by their digests, and nothing else inline."""
    first = StaticFiles().page("/")
    assert first is not None
    policy = dict(first.headers)["Content-Security-Policy"]
    inside = re.findall(rb"<(?:style|script type=\"module\" async)>(.*?)</(?:style|script)>", first.body, re.DOTALL)
    named = [f"'sha256-{b64encode(sha256(body).digest()).decode()}'" for body in inside]
    assert len(named) == len(INLINE)
    assert sorted(re.findall(r"'sha256-[^']+'", policy)) == sorted(named)
    assert "unsafe" not in policy


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_modules_are_sent_without_comments_and_mean_the_same(tmp_path: Path) -> None:
    """Each is a module that Node can read, and imports only what is sent. Those that are sent by themselves have as
    many lines as before; the others are where the page begins, once, or inside the Worker."""
    files = StaticFiles()
    names = [
        path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js") if path.name not in (OFFLINE, *INLINE)
    ]
    sent = {name: page.body for name in names if (page := files.page(files.prefix + name)) is not None}
    for name, body in sent.items():
        if name not in (MAIN, WORKER):
            assert body.count(b"\n") == (FOLDER / name).read_bytes().count(b"\n")
        assert not re.search(rb"/\*\*|^ *//", body, re.MULTILINE)
        for path in re.findall(rb'(?:from |import\()"(\.[^"]+)"', body):
            assert (FOLDER / name).parent.joinpath(path.decode()).resolve().relative_to(FOLDER).as_posix() in sent
        (tmp_path / f"{len(body)}-{Path(name).stem}.mjs").write_bytes(body)
    constants = Counter(re.findall(rb"\bexport const (\$\w+) =", sent[MAIN]))
    assert set(constants.values()) == {1}
    inside = set(constants) | set(re.findall(rb"\bexport const (\$\w+) =", sent[WORKER]))
    assert {b"$" + re.sub(r"\W", "_", name.removesuffix(".js")).encode() for name in set(names) - set(sent)} <= inside
    script = """for (const path of process.argv.slice(1)) {
        new (require("vm").SourceTextModule)(require("fs").readFileSync(path, "utf8"));
    }"""
    run = subprocess.run(
        [str(NODE), "--experimental-vm-modules", "--no-warnings", "-e", script, *tmp_path.iterdir()],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stderr == ""


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_page_draws_the_code_that_another_program_draws() -> None:
    """Of addresses of every kind and length, as bytes: a phone reads them."""
    addresses = [
        "http://put.local:1674/table/3",
        "http://[fe80::1]:1674/table/9999999999999999",
        "https://put/table/1",
        *(f"https://{'long-name.' * times}example.org/table/12" for times in (1, 4, 9, 24)),
    ]
    script = f"""
        import {{ codeOf }} from {json.dumps((FOLDER / "share.js").as_uri())};
        console.log(JSON.stringify({json.dumps(addresses)}.map(codeOf)));
    """
    run = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script], capture_output=True, text=True, timeout=60, check=True
    )
    for address, code in zip(addresses, json.loads(run.stdout), strict=True):
        assert is_code_of(code["path"], code["size"], address)


def test_libraries_come_with_their_licences() -> None:
    """Each of them."""
    licences = (FOLDER / "vendor" / "LICENSES.txt").read_text()
    for name in ("preact", "htm", "@noble/hashes", "@noble/secp256k1", "uqr"):
        assert f"{name}: " in licences
    assert licences.count("Permission is hereby granted") == 4
    assert "Apache License" in licences
