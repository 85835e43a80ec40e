"""Terminal: how long it takes to draw the table anew, from the model to what is written to the terminal.

A model is one of a real game, in the midst of it and with a long log. What is drawn alternates between two moments of
it, so that there is always something to write. A second is one of processor time.
"""

import io
import random
import time
from itertools import cycle

from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.output.vt100 import Vt100_Output

from put_client.settings import DEFAULTS
from put_client.tui.model import Model
from put_client.tui.terminal import Painter
from put_client.tui.update.dispatch import update
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import UNICODE
from put_protocol import messages
from put_protocol.messages import Decision, Events, TableSnapshot, Welcome
from put_protocol.offers import Limits
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.driver import Driver, shuffled_by
from put_rules.facts import Fact
from put_rules.game import Over, Shuffle, Turn
from put_rules.registry import GAMES
from scripts.benches import first_paint
from scripts.benches.harness import Report

GAME, SEATS, YOU = "put-1674", 4, Seat(0)
NAMES = ("Will", "Moll", "Ned", "Doll")
TURNS = 300
"""Played before anything is measured."""

CARDS = 0.9
"""Share of the turns in which a card is played; in the others a player puts now and then."""

SIZES = (Size(80, 24), Size(120, 40), Size(200, 60))
AIMED_AT = Size(120, 40)
AIM_MS = 5
DRAWINGS = 40
"""Drawings in a round."""


def measure(report: Report, *, is_quick: bool) -> None:
    """The table in play, at several sizes."""
    report.section("Terminal: a table of four drawn anew and written, one core")
    models = _models()
    for size in SIZES:
        taken = [_drawn(models, size) for _ in range(5 if is_quick else 15)]
        aim = AIM_MS if size == AIMED_AT else None
        report.figure(f"{size.width} by {size.height}", taken, "ms", at_most=aim, decimals=2)
    first_paint.measure(report, is_quick=is_quick)


def _models() -> list[Model]:
    """Two moments of a game, one after the other; in both it is ours to decide."""
    rule_set = GAMES[GAME]
    options = {option.name: option.default for option in rule_set.offer.options} | {"target": 21}
    chance = random.Random(1674)
    driver, shuffled = Driver(rule_set.make(SEATS, options)), shuffled_by(chance)
    info = TableInfo(
        id=1,
        game=GAME,
        options=options,
        seats=tuple([SeatInfo(name=name) for name in NAMES]),
        clock=ClockInfo(turn=30),
        state=TableState.PLAYING,
        games=1,
    )
    welcome = Welcome(
        version=2,
        server="The Mermaid",
        name=NAMES[0],
        token="t",
        limits=Limits(65_536, 20, 40, 8, 30_000, 75_000),
        games=tuple([offered.offer for offered in GAMES.values()]),
        houses=(),
    )
    model, _ = update(Model(welcome=welcome), TableSnapshot(1, YOU, 0, info, view=driver.view(YOU)), 0)
    model, _ = update(model, Events(1, 1, (GameStarted(1, NAMES),)), 0)
    moments: list[Model] = []
    turns = 0
    while len(moments) < 2:
        facts: tuple[Fact, ...] = ()
        match driver.awaits:
            case Over(dealer=dealer):
                driver.start(driver.game.begin(dealer))
            case Shuffle() as wanted:
                facts = driver.deal(shuffled(wanted))
            case Turn():
                choices = driver.choices()
                turns += 1
                facts = driver.act(choices[0 if chance.random() < CARDS else -1].action)
        told = tuple([event for fact in facts if (event := fact.seen_by(YOU)) is not None])
        model, _ = update(model, Events(1, 1, told, view=driver.view(YOU), turn=messages.Turn(YOU, 20_000)), 0)
        if turns > TURNS and driver.awaits == Turn(YOU):
            state, game = driver.state, driver.game
            asked = Decision(1, turns, game.asks(state), driver.choices(), 20_000, why=game.why(state))
            moments.append(update(model, asked, 0)[0])
    return moments


def _drawn(models: list[Model], size: Size) -> float:
    """Milliseconds a drawing."""
    shown = cycle(models)
    output = Vt100_Output(io.StringIO(), lambda: TerminalSize(rows=size.height, columns=size.width), term="xterm")
    painter = Painter(output, DEFAULTS)

    def paint() -> None:
        painter.paint(lambda size: draw(next(shown), size, UNICODE, 0))

    paint()  # the first writes every line
    begun = time.process_time()
    for _ in range(DRAWINGS):
        paint()
    return (time.process_time() - begun) * 1_000 / DRAWINGS
