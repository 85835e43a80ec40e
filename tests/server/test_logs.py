"""The log tells of a bug where it was, and nothing of the cards it met."""

import asyncio
import logging
import os
import random
import select
import threading
from collections.abc import Sequence

import pytest

from put_server.logs import JsonFormatter, TextFormatter, UnblockedHandler, log_stray


def broken(card: str) -> None:
    raise KeyError(card)


def record_of(error: BaseException) -> logging.LogRecord:
    return logging.LogRecord("put", logging.ERROR, __file__, 1, "it failed", None, (type(error), error, None))


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_log_tells_where_a_bug_was_and_not_what_it_held(formatter: logging.Formatter) -> None:
    """The type and the line of code are told, of causes and groups too; a message is not, for it may be a card."""
    said = ""
    try:
        try:
            broken("3s")
        except KeyError as error:
            raise ExceptionGroup("with 10h", [ValueError("Ad")]) from error
    except ExceptionGroup as group:
        said = formatter.format(record_of(group))
    assert "KeyError" in said
    assert "ValueError" in said
    assert "in broken" in said
    assert not any(card in said for card in ("3s", "10h", "Ad"))


async def test_log_of_a_failed_callback_shows_no_argument(capsys: pytest.CaptureFixture[str]) -> None:
    """asyncio would show what a callback was called with; the house's thoughts are called with their choices."""
    told: list[str] = []
    handler = logging.Handler()
    handler.setFormatter(TextFormatter("%(message)s"))
    handler.emit = lambda record: told.append(handler.format(record))  # type: ignore[method-assign]  # a spy
    logger = logging.getLogger("put_server.logs")
    logger.addHandler(handler)
    logger.propagate = False
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_stray)
    try:
        loop.call_soon(broken, "3s")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    finally:
        logger.removeHandler(handler)
        logger.propagate = True
    assert len(told) == 1
    assert "KeyError" in told[0]
    assert "3s" not in told[0]
    assert "3s" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["x" * 100, "x" * 1_000, "x" * 5_000, "x" * 100_000, "\U0001f600" * 5_000])
def test_log_that_is_not_read_holds_nothing_up(text: str) -> None:
    """Its lines are left out, or cut where one is longer than the room there is, and counted once it is read again."""
    reading, writing = os.pipe()
    with (
        os.fdopen(reading, "rb") as read,
        os.fdopen(writing, "w", encoding="ascii", errors="backslashreplace") as stream,
    ):
        handler = UnblockedHandler(stream)
        line = logging.LogRecord("put", logging.INFO, __file__, 1, text, None, None)
        whole = text.encode("ascii", "backslashreplace") + b"\n"
        while not handler.left_out:
            handler.handle(line)
        handler.handle(line)
        kept = os.read(read.fileno(), 2**20)
        assert (whole * (1 + len(kept) // len(whole))).startswith(kept)
        handler.handle(logging.LogRecord("put", logging.INFO, __file__, 1, "short", None, None))
        assert (kept + os.read(read.fileno(), 2**20)).splitlines()[-2:] == [
            b"2 lines were left out, for the log was not read",
            b"short",
        ]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no such terminals")
def test_log_at_a_terminal_that_is_not_read_holds_nothing_up() -> None:
    """As where a terminal's connection hangs: lines are left out, and go on below a whole line once it is read."""
    reading, writing = os.openpty()
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        try:
            handler = UnblockedHandler(stream)
            for number in range(5):  # it is filled in another way each time
                lengths = random.Random(number).choices(range(1, 500), k=1_000)
                logs = threading.Thread(target=log_lines, args=(handler, lengths), daemon=True)
                logs.start()
                logs.join(10)
                assert not logs.is_alive()
                assert os.get_blocking(writing)
                told, left_out = read_all(reading), handler.left_out
                log_lines(handler, [7])
                told += read_all(reading)
                says = b"%d lines were left out, for the log was not read" % left_out
                assert told.splitlines()[-2:] == [says, b"xxxxxxx"]
        finally:
            os.close(reading)


def log_lines(handler: logging.Handler, lengths: Sequence[int]) -> None:
    for length in lengths:
        handler.handle(logging.LogRecord("put", logging.INFO, __file__, 1, "x" * length, None, None))


def read_all(terminal: int) -> bytes:
    told = b""
    while select.select([terminal], [], [], 0.2)[0]:
        told += os.read(terminal, 2**16)
    return told
