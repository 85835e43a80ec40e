"""The record in use: opened with its complaint, and kept up to date while a connection is open."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, tzinfo

from put_client.places import state_folder
from put_client.record.game_recorder import GameRecorder
from put_client.record.store import LocalRecord, RecordError
from put_client.sdk.client import Client
from put_runtime.private_files import make_private_folder

FILE = "record.sqlite3"


def wall_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def own_zone() -> tzinfo:
    """The time zone of this machine."""
    return datetime.now().astimezone().tzinfo or UTC


def own_record() -> LocalRecord:
    """This user's, which may not exist yet."""
    return LocalRecord(state_folder() / FILE)


def opened() -> tuple[LocalRecord | None, str]:
    """This user's record or, if it cannot be used, None and why, as a sentence. Where no files can be written at all,
    nothing is kept and nothing is said, as with sessions."""
    record = own_record()
    with suppress(OSError):
        make_private_folder(record.path.parent)
    if not record.path.parent.is_dir():
        return None, ""
    try:
        record.check()
    except RecordError as error:
        return None, str(error)
    return record, ""


@asynccontextmanager
async def keeping(client: Client, record: LocalRecord | None) -> AsyncIterator[list[str]]:
    """While inside, what is played over this connection is recorded. Gives a list that is empty at first; a sentence
    is added if nothing could be recorded any more."""
    flaws: list[str] = []
    if record is None:
        yield flaws
        return
    welcome = client.welcome
    recorder = GameRecorder(
        record, server=welcome.server, clock=wall_ms, complain=flaws.append, tables=tuple(welcome.tables)
    )
    client.observer = recorder.take
    asking = asyncio.create_task(recorder.run(), name="recorder")
    try:
        yield flaws
    finally:
        asking.cancel()
        await asyncio.wait({asking})
