"""`put-client` with its record: shown, exported, and played without where it is broken."""

import os
from pathlib import Path

import pytest

from put_client.record.store import LocalRecord
from tests.client.record.games import game
from tests.client.sample_sheet import sheet
from tests.client.scripted_server import Server
from tests.client.test_cli import is_welcome, meet, start


@pytest.fixture
def file(state_home: Path) -> Path:
    """Where the program keeps it."""
    return state_home / "record.sqlite3"


@pytest.fixture
def broken(file: Path) -> Path:
    """The same, with something else in it."""
    file.parent.mkdir(parents=True)
    file.write_bytes(b"nonsense" * 1000)
    return file


async def test_record_is_shown_and_exported_without_a_server(file: Path, tmp_path: Path) -> None:
    """In sentences, and as files."""
    LocalRecord(file).save(game(), sheet())
    code, out, complaint = await (await start("--record")).ends()
    assert (code, complaint) == (os.EX_OK, "")
    assert out.startswith("1 game: 1 won, 0 lost, 0 even.\n")
    folder = tmp_path / "out"
    written = await start("--export", str(folder))
    assert await written.ends() == (os.EX_OK, f"1 game written to {folder}.\n", "")
    assert len(list(folder.glob("*.put"))) == 1


@pytest.mark.usefixtures("broken")
async def test_broken_record_is_said() -> None:
    """With a code of its own."""
    code, out, complaint = await (await start("--record")).ends()
    assert (code, out) == (os.EX_DATAERR, "")
    assert "cannot be used" in complaint


@pytest.mark.usefixtures("broken")
async def test_program_whose_record_is_broken_plays_all_the_same(server: Server) -> None:
    """It says so, and goes on; with the record turned off it does not look."""
    for arguments, complains in (((), True), (("--no-keep-record",), False)):
        run, peer = await meet(server, *arguments)
        await peer.welcome()
        await is_welcome(run)
        code, _, complaint = await run.ends()
        assert code == os.EX_OK
        assert ("Nothing is recorded; move the file away" in complaint) == complains
