"""The page's files as they are: their types, and their size."""

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from put_server.transport.static_files import ENTRIES, OFFLINE, WORKER, StaticFiles
from tests.web.browser import TOOLS
from tests.web.codes import is_code_of

FOLDER = Path(__file__).parents[2] / "server" / "put_server" / "web"
NODE = shutil.which("node")
TSC = TOOLS / ".bin" / "tsc"

FIRST_TABLE = 33_000
"""Most bytes of it."""


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
def test_modules_without_a_screen_pass_their_own_tests() -> None:
    """Those in `unit`, by Node's test runner."""
    files = sorted((Path(__file__).parent / "unit").glob("*.test.mjs"))
    run = subprocess.run([str(NODE), "--test", *files], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout
    assert "# fail 0" in run.stdout
    assert "# pass 0" not in run.stdout


def test_first_table_loads_little() -> None:
    """For a phone on a bad network: the bytes of all that is asked for at once, as they are sent. None of it asks for
    more."""
    files = StaticFiles()
    first = files.page("/")
    assert first is not None
    asked = re.findall(rb'(?:"stylesheet" href|"module".* src)="(.+?)"', first.body)
    pages = [files.page(path.decode()) for path in asked]
    assert len(pages) == 3
    assert sum(len(page.gzipped) for page in (first, *pages) if page is not None) < FIRST_TABLE
    assert not any(page is None or re.search(rb"^import ", page.body, re.MULTILINE) for page in pages)


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_modules_are_sent_without_comments_and_mean_the_same(tmp_path: Path) -> None:
    """Each is a module that Node can read, and imports only what is sent. Those that are sent by themselves have as
    many lines as before; the others are inside an entry, once."""
    files = StaticFiles()
    names = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js") if path.name != OFFLINE]
    sent = {name: page.body for name in names if (page := files.page(files.prefix + name)) is not None}
    for name, body in sent.items():
        if name not in (*ENTRIES, WORKER):
            assert body.count(b"\n") == (FOLDER / name).read_bytes().count(b"\n")
        assert not re.search(rb"/\*\*|^ *//", body, re.MULTILINE)
        for path in re.findall(rb'(?:from |import\()"(\.[^"]+)"', body):
            assert (FOLDER / name).parent.joinpath(path.decode()).resolve().relative_to(FOLDER).as_posix() in sent
        (tmp_path / f"{len(body)}-{Path(name).stem}.mjs").write_bytes(body)
    constants = Counter(re.findall(rb"\bexport const (\$\w+) =", b"\n".join(sent[name] for name in ENTRIES)))
    assert len(constants) == len(names) - len(sent) + len(ENTRIES)
    assert set(constants.values()) == {1}
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
