"""Terminal: time to redraw the table, from the model to the terminal's bytes; and time to start.

The models are from the middle of a real game with a long log. Drawing alternates between two of its moments, so that
there is always something to write. Times are processor times.

The start is from `put-client HOST:PORT` to its first complete screen, on a separate terminal. Loading only asyncio and
prompt_toolkit is measured in turns with it, so that the ratio is comparable between machines.
"""

import io
import os
import random
import select
import signal
import sys
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence
from itertools import count, cycle

from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.output.vt100 import Vt100_Output

from put_client.settings import DEFAULTS
from put_client.tui.model import Model
from put_client.tui.terminal import Painter
from put_client.tui.update.dispatch import update
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import UNICODE
from put_conformance.fake_server import FakeServer, SuiteState
from put_protocol import PROTOCOL_VERSION, messages
from put_rules.registry import GAMES
from put_runtime.child_process import PUT_SERVER, listening
from scripts.benches.harness import Report

GAME, SEATS = "put-1674", 4
TURNS_BEFORE = 75

CARDS = 0.9
"""Share of turns in which a card is played; otherwise a player may put."""

SIZE = Size(120, 40)
AIM_MS = 5
DRAWINGS_A_ROUND = 40


def measure(report: Report, *, is_quick: bool) -> None:
    report.section("Terminal: a table of four drawn anew and written, one core")
    models = _models()
    taken = [_drawing_ms(models) for _ in range(5 if is_quick else 15)]
    report.figure(f"{SIZE.width} by {SIZE.height}", taken, "ms", at_most=AIM_MS, decimals=2)
    _measure_start(report, is_quick=is_quick)


def _models() -> list[Model]:
    """Two successive moments of a game, both with our decision."""
    server = FakeServer(GAMES, seed="1674", now=lambda: 0, state=SuiteState())
    asked: list[messages.Decision] = []
    model: Model

    def receive(message: messages.ServerMessage) -> None:
        nonlocal model
        if isinstance(message, messages.Welcome):
            model = Model(welcome=message)
        elif isinstance(message, messages.TableSnapshot | messages.Events | messages.Decision):
            model, _ = update(model, message, 0)
        if isinstance(message, messages.Decision):
            asked.append(message)

    peer = server.connect(receive, lambda _: None)
    server.hello(peer, messages.Hello(PROTOCOL_VERSION, "Will"))
    _, table = server.open_table(GAME, SEATS, {"target": 21, "dealing": "plain"}, 30)
    server.ask(peer, messages.Sit(1, table))
    chance = random.Random(1674)
    moments: list[Model] = []
    for turn in count(2):
        if not asked:
            server.ask(peer, messages.Again(turn, table))
            continue
        if turn > TURNS_BEFORE:
            moments.append(model)
        if len(moments) == 2:
            break
        decision = asked.pop()
        action = decision.legal[0 if chance.random() < CARDS else -1].action
        server.ask(peer, messages.Act(turn, table, decision.decision, action))
    return moments


def _drawing_ms(models: list[Model]) -> float:
    shown = cycle(models)
    output = Vt100_Output(io.StringIO(), lambda: TerminalSize(rows=SIZE.height, columns=SIZE.width), term="xterm")
    painter = Painter(output, DEFAULTS)

    def paint() -> None:
        painter.paint(lambda size: draw(next(shown), size, UNICODE, 0))

    paint()  # the first writes every line
    begun = time.process_time()
    for _ in range(DRAWINGS_A_ROUND):
        paint()
    return (time.process_time() - begun) * 1_000 / DRAWINGS_A_ROUND


BASE = (sys.executable, "-c", "import asyncio, prompt_toolkit")

CLIENT = (sys.executable, "-c", "from put_client.start import main; main()", "--name", "Will")

DRAWN = b"No table is open"
"""Stands on the first screen of a server without tables."""

PATIENCE_S = 30.0

START_AIM_MS = 300


def _measure_start(report: Report, *, is_quick: bool) -> None:
    """The client in turns with its libraries alone."""
    report.section("First paint: from the start of put-client to its first screen, one core")
    bases, clients, walls = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [*PUT_SERVER, "--host", "127.0.0.1", "--port", "0", "--data", ":memory:", "--log-level", "error"]
        with listening(command) as (_, port):
            client = (*CLIENT, f"127.0.0.1:{port}")
            _run(client, environment, DRAWN)  # bytecode is written, and files are in memory
            for _ in range(7 if is_quick else 21):
                bases.append(_run(BASE, environment, b"")[0])
                took, wall = _run(client, environment, DRAWN)
                clients.append(took)
                walls.append(wall)
    report.figure("asyncio and prompt_toolkit, loaded", bases, "ms", decimals=0)
    report.figure("first screen, processor time", clients, "ms", at_most=START_AIM_MS, decimals=0)
    report.figure("first screen, by the clock", walls, "ms", decimals=0)
    report.ratio("first screen to what was loaded alone", clients, bases, "times")


def _run(words: Sequence[str], environment: Mapping[str, str], drawn: bytes) -> tuple[float, float]:
    """Milliseconds of processor time and of real time until this is drawn, or until the end if nothing is given."""
    terminal, inside = os.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    began = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, inside, number) for number in range(3)]
    process = os.posix_spawn(words[0], list(words), environment, file_actions=actions, setsid=True)
    os.close(inside)
    said = b""
    try:
        while not drawn or drawn not in said:
            if not select.select([terminal], [], [], PATIENCE_S)[0]:
                raise TimeoutError(said[-500:])
            said += os.read(terminal, 65_536)
    except OSError:
        if drawn:  # it ended before
            raise
    finally:
        os.kill(process, signal.SIGKILL)
        usage = os.wait4(process, 0)[2]
        wall = time.perf_counter() - began
        os.close(terminal)
    return (usage.ru_utime + usage.ru_stime) * 1_000, wall * 1_000
