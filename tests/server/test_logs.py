"""The log tells of a bug where it was, and nothing of the cards it met."""

import asyncio
import logging
import os

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
