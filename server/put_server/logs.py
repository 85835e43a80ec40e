"""The operator's log: one line for each event, as text or as JSON. No card, passcode or token is ever passed to it.

An exception's message could contain one (`KeyError: '3s'`), and so could asyncio's report of a failed callback, with
its arguments. So for a bug the log has only its type and its place.
"""

import asyncio
import json
import logging
import os
import select
import sys
import traceback
from types import TracebackType
from typing import Any, TextIO

log = logging.getLogger(__name__)

PART = getattr(select, "PIPE_BUF", 512) // len(r"\U0010ffff")
"""Characters that a pipe accepts all at once or not at all, if each is escaped with the longest name."""

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def traceback_lines(error: BaseException, indent: str = "") -> str:
    """Types of an exception, of grouped exceptions and causes, with their lines of code."""
    lines = [f"{indent}{type(error).__name__}, from:"]
    lines += [f"{indent}  {at.filename}:{at.lineno} in {at.name}" for at in traceback.extract_tb(error.__traceback__)]
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    lines += [traceback_lines(part, indent + "  ") for part in inner]
    if error.__cause__ is not None:
        lines.append(f"{indent}caused by {traceback_lines(error.__cause__, indent)}")
    return "\n".join(lines)


class TextFormatter(logging.Formatter):
    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802  # logging's name
        return "" if ei[1] is None else traceback_lines(ei[1])


class JsonFormatter(TextFormatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class UnblockedHandler(logging.StreamHandler[TextIO]):
    """Writes lines as far as the reader accepts them, so a reader that hangs, such as a pager or a supervisor, stops no
    game. The next line then reports the lines that were left out or cut.

    A writable pipe or socket accepts `PART` characters in any encoding without blocking, but not more. So a line is
    written in parts. A terminal may accept only one character: it is set to non-blocking mode.
    """

    left_out = 0
    is_cut = False
    """The last line written is incomplete."""

    def emit(self, record: logging.LogRecord) -> None:
        if self.left_out and _is_writable(self.stream):
            says, self.left_out = f"{self.left_out} lines were left out, for the log was not read", 0
            self._write(log.makeRecord(log.name, logging.WARNING, __file__, 0, says, (), None))
        self._write(record)

    def _write(self, record: logging.LogRecord) -> None:
        try:
            line = "\n" * self.is_cut + self.format(record) + self.terminator
            for at in range(0, len(line), PART):
                if not self._put(line[at : at + PART]):
                    self.left_out += 1
                    self.is_cut = self.is_cut or at > 0
                    return
            self.is_cut = False
        except Exception:  # noqa: BLE001  # as logging itself does
            self.handleError(record)

    def _put(self, part: str) -> bool:
        """Returns true if all of it was accepted."""
        if not _is_writable(self.stream):
            return False
        if sys.platform != "win32" and self.stream.isatty():
            terminal, data = self.stream.fileno(), part.encode(self.stream.encoding, "backslashreplace")
            os.set_blocking(terminal, False)
            try:
                taken = os.write(terminal, data)
            except BlockingIOError:
                taken = 0
            finally:
                os.set_blocking(terminal, True)  # other programs write to it, too
            self.is_cut = self.is_cut or 0 < taken < len(data)
            return taken == len(data)
        self.stream.write(part)
        self.stream.flush()
        return True


def _is_writable(stream: TextIO) -> bool:
    try:
        return bool(select.select([], [stream], [], 0)[1])
    except (OSError, ValueError):  # Windows polls only sockets; or the file is closed
        return True


def start_logging(level: str, form: str) -> None:
    """Log to standard error from now on, an end by a bug included."""
    handler = UnblockedHandler(sys.stderr)
    text = TextFormatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    handler.setFormatter(JsonFormatter() if form == "json" else text)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    sys.excepthook = _log_the_end


def _log_the_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("the server ends by a bug", exc_info=(kind, error, trace))


def log_stray(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:  # noqa: ARG001  # asyncio's signature
    """The event loop's handler of errors that no task caught."""
    log.error("something failed outside of any connection", exc_info=context.get("exception"))
