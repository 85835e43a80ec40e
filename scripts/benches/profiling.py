"""The layers in which a served move spends the server's time: its own time in each, from samples of the running server.

The server runs as `python -m scripts.benches.profiling FILE`, followed by its flags. SIGUSR1 begins the sampling and,
sent again, ends it and writes what was found to FILE. A timer of processor time interrupts the main thread some 250
times a second, which changes the speed by less than the noise (a tracing profiler would make calls look several times
as dear as they are). A sample counts for the processor time that the main thread used since the one before, and goes
to the innermost frame that is the project's own or asyncio's; what a C function uses goes to its caller. Python looks
for signals at calls, so a line can be taken for its neighbour; layers are wide enough for that. The garbage collector
is timed by its own callbacks, and taken from the layer that happened to start it.
"""

import gc
import json
import runpy
import signal
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType

from scripts.benches import harness
from scripts.benches.harness import Report
from scripts.benches.load import Tables

TABLES = 200

INTERVAL_S = 0.004
"""Of processor time: what the kernel's clock can tell apart."""

LAYERS: tuple[tuple[str, str, str], ...] = (
    # The layer, the end of the module's path or a folder of it, and the functions; the first that fits.
    ("write and send", "asyncio/selector_events.py", "write _write_ready _write_send writelines get_write_buffer_size"),
    ("write and send", "put_server/transport/session.py", "flush"),
    ("write and send", "put_server/transport/dispatcher.py", "flush"),
    ("write and send", "put_protocol/connection.py", "take"),
    ("read and poll", "asyncio/", ""),
    ("read and poll", "/selectors.py", ""),
    ("read and poll", "put_server/transport/session.py", "get_buffer"),
    ("decode", "put_protocol/connection.py", "receive _check_order note_byte"),
    ("encode", "put_protocol/connection.py", ""),
    ("decode", "put_protocol/framing.py", "feed _length"),
    ("encode", "put_protocol/framing.py", ""),
    ("encode", "put_protocol/codecs.py", "encode <lambda>"),
    ("decode", "put_protocol/codecs.py", ""),
    ("seals, and cards shown", "put_protocol/seal/", ""),
    ("seals, and cards shown", "put_rules/live_deal.py", ""),
    ("seals, and cards shown", "put_server/table/sealing.py", ""),
    ("words", "/words.py", ""),
    ("words", "put_text/", ""),
    ("event log and redaction", "put_rules/facts.py", ""),
    ("event log and redaction", "put_server/table/event_log.py", ""),
    ("views", "/visibility.py", ""),
    ("rules", "put_rules/", ""),
    ("table", "put_server/table/", ""),
    ("lobby", "put_server/lobby/", ""),
    ("journal", "put_server/journal/", ""),
    ("dealing", "put_server/transport/shuffler.py", ""),
    ("dispatcher and session", "put_server/transport/", ""),
    ("messages and games of the wire", "put_protocol/", ""),
    ("other", "put_server/", ""),
)

JOURNAL_THREAD = "journal: its thread"
"""All threads but the main one."""

COLLECTOR = "garbage collector"


def layer_of(path: str, function: str) -> str | None:
    """The layer of a frame; None: it is a library's, and its time its caller's."""
    for layer, place, functions in LAYERS:
        if place in path and (not functions or function in functions.split()):
            return layer
    return None


class Sampler:
    """Samples of this process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds: dict[str, float] = defaultdict(float)
        self._is_on = False
        self._last = self._began = self._all_began = self._collecting_since = 0.0
        gc.callbacks.append(self._collect)

    def toggle(self, *_: object) -> None:
        """Begin, or end and write the seconds of each layer."""
        self._is_on = not self._is_on
        if self._is_on:
            self._seconds.clear()
            self._last = self._began = time.thread_time()
            self._all_began = time.process_time()
            signal.signal(signal.SIGPROF, self._sample)
            signal.setitimer(signal.ITIMER_PROF, INTERVAL_S, INTERVAL_S)
        else:
            signal.setitimer(signal.ITIMER_PROF, 0)
            main = time.thread_time() - self._began
            self._seconds[JOURNAL_THREAD] = max(0.0, time.process_time() - self._all_began - main)
            written = self._path.with_suffix(".part")
            written.write_text(json.dumps(self._seconds))
            written.rename(self._path)

    def _collect(self, phase: str, _: object) -> None:
        now = time.thread_time()
        if phase == "start":
            self._collecting_since = now
        elif self._is_on:
            self._seconds[COLLECTOR] += now - self._collecting_since
            self._last += now - self._collecting_since

    def _sample(self, _: int, frame: FrameType | None) -> None:
        now = time.thread_time()
        layer = None
        while frame is not None and layer is None:
            layer = layer_of(frame.f_code.co_filename, frame.f_code.co_name)
            frame = frame.f_back
        self._seconds[layer or "other"] += now - self._last
        self._last = now


def measure(report: Report, *, is_quick: bool) -> None:
    """The server without a journal, with it, and with sealed deals and their openings besides."""
    seconds = 4.0 if is_quick else 12.0
    report.section(f"Where a served move spends its time, in microseconds of processor time: {TABLES} tables of two")
    columns = {
        "no journal": sampled(seconds, is_on_disk=False, is_sealed=False),
        "journal": sampled(seconds, is_on_disk=True, is_sealed=False),
        "journal, sealed": sampled(seconds, is_on_disk=True, is_sealed=True),
    }
    for line in table_of(columns):
        report.note(line)


def sampled(seconds: float, *, tables: int = TABLES, is_on_disk: bool, is_sealed: bool) -> dict[str, float]:
    """Microseconds of each layer in a move. Sealed deals come with their openings."""
    with tempfile.TemporaryDirectory(prefix="put-bench-") as folder:
        path = Path(folder, "samples.json")
        with harness.server(data=folder if is_on_disk else ":memory:", samples=path) as process:
            load = Tables(process.port, tables, is_sealed=is_sealed, openings=is_sealed)
            load.run(min(1.0, seconds))
            process.signal(signal.SIGUSR1)
            before = load.moves
            load.run(seconds)
            process.signal(signal.SIGUSR1)
            moves = load.moves - before
            while not path.exists():
                time.sleep(0.01)
            load.close()
        return {layer: 1e6 * spent / moves for layer, spent in json.loads(path.read_text()).items()}


def table_of(columns: dict[str, dict[str, float]]) -> list[str]:
    """Lines of a table: a row a layer, the dearest first, with microseconds and shares in each column."""
    layers = dict.fromkeys([layer for layer, _, _ in LAYERS] + [JOURNAL_THREAD, COLLECTOR])
    ordered = sorted(layers, key=lambda layer: -max(column.get(layer, 0) for column in columns.values()))
    lines = [f"{'':<34}" + "".join(f"{name:>20}" for name in columns)]
    totals = {name: sum(column.values()) or 1 for name, column in columns.items()}
    for layer in ordered:
        if any(column.get(layer, 0) for column in columns.values()):
            spent = [(column.get(layer, 0), totals[name]) for name, column in columns.items()]
            lines.append(f"{layer:<34}" + "".join(f"{us:>12.1f} {us / total:>6.1%}" for us, total in spent))
    return [*lines, f"{'all':<34}" + "".join(f"{total:>12.1f}{'':>7}" for total in totals.values())]


if __name__ == "__main__":
    sampler = Sampler(Path(sys.argv.pop(1)))
    signal.signal(signal.SIGUSR1, sampler.toggle)
    runpy.run_module("put_server", run_name="__main__")
