"""Terminal: how long it takes to draw it anew, from the model to what is written to the terminal.

A model is one of a real game, in the midst of it and with a long log. What is drawn alternates between two moments of
it, so that there is always something to write. Beside it stands an empty screen of the same size, drawn in the same
way: what is left when nothing of ours is drawn. A second is one of processor time.

The same table is drawn by prompt_toolkit's own renderer, too, and the bytes are counted that each of them writes: what
`put_client.tui.terminal` says of its painter is measured here.
"""

import io
import random
import time
from collections.abc import Callable
from itertools import cycle

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from put_client.settings import DEFAULTS
from put_client.tui.model import Model
from put_client.tui.terminal import Painter, style_of_roles
from put_client.tui.update.dispatch import KeyPress, update
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import Canvas, Frame, Size
from put_client.tui.widgets.theme import UNICODE
from put_protocol.messages import Decision, Events, TableSnapshot, Welcome
from put_protocol.messages import Turn as Told
from put_protocol.offers import Limits
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
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
    """The table in play, the rules over it, and the empty screen, at several sizes."""
    report.section("Terminal: a screen drawn anew and written, one core")
    at_table = _models()
    with_rules = [update(model, KeyPress("r"), 0)[0] for model in at_table]
    rounds = 5 if is_quick else 15
    for size in SIZES:
        name = f"{size.width} by {size.height}"
        aim = AIM_MS if size == AIMED_AT else None
        for what, drawing, most in (
            ("nothing", _empty(), None),
            ("a table of four", _drawn(at_table), aim),
            ("the rules over it", _drawn(with_rules), None),
        ):
            report.figure(
                f"{name}: {what}", _timed(_painter(drawing, size, Written()), rounds), "ms", at_most=most, decimals=2
            )
        library = _renderer(_drawn(at_table), size, Written())
        report.figure(f"{name}: a table of four, by prompt_toolkit", _timed(library, rounds), "ms", decimals=2)
        for by, made in (("us", _painter), ("prompt_toolkit", _renderer)):
            written = Written()
            paint = made(_drawn(at_table), size, written)
            written.count = 0
            _timed(paint, 1)
            report.figure(f"{name}: a table of four, written by {by}", [written.count / DRAWINGS], "bytes")

    first_paint.measure(report, is_quick=is_quick)


def _models() -> list[Model]:
    """Two moments of a game, one after the other; in both it is ours to decide."""
    rule_set = GAMES[GAME]
    options = {option.name: option.default for option in rule_set.offer.options} | {"target": 21}
    game = rule_set.make(SEATS, options)
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
    chance = random.Random(1674)
    state = game.begin(None)
    model, _ = update(Model(welcome=welcome), TableSnapshot(1, YOU, 0, info, view=game.view(state, YOU)), 0)
    model, _ = update(model, Events(1, 1, (GameStarted(1, NAMES),)), 0)
    moments: list[Model] = []
    turns = 0
    while len(moments) < 2:
        facts: tuple[Fact, ...] = ()
        match game.awaits(state):
            case Over(dealer=dealer):
                state = game.begin(dealer)
            case Shuffle(cards=cards):
                state, facts = game.deal(state, tuple(chance.sample(cards, len(cards))))
            case Turn():
                legal = game.legal(state)
                turns += 1
                state, facts = game.act(state, legal[0] if chance.random() < CARDS else legal[-1])
        told = tuple([event for fact in facts if (event := fact.seen_by(YOU)) is not None])
        model, _ = update(model, Events(1, 1, told, view=game.view(state, YOU), turn=Told(YOU, 20_000)), 0)
        if turns > TURNS and game.awaits(state) == Turn(YOU):
            asked = Decision(1, turns, game.asks(state), game.choices(state), 20_000, why=game.why(state))
            moments.append(update(model, asked, 0)[0])
    return moments


Drawing = Callable[[Size], Frame]


def _drawn(models: list[Model]) -> Drawing:
    shown = cycle(models)
    return lambda size: draw(next(shown), size, UNICODE, 0)


def _empty() -> Drawing:
    """A blank, but for a mark that changes."""
    marks = cycle("ab")

    def blank(size: Size) -> Frame:
        canvas = Canvas(size, UNICODE)
        canvas.put(0, 0, next(marks))
        return canvas.frame()

    return blank


class Written(io.StringIO):
    """A terminal that counts what is written to it."""

    count = 0

    def write(self, text: str) -> int:
        self.count += len(text.encode())
        return len(text)


Paint = Callable[[], None]


def _output(size: Size, written: Written) -> Vt100_Output:
    return Vt100_Output(written, lambda: TerminalSize(rows=size.height, columns=size.width), term="xterm")


def _painter(drawing: Drawing, size: Size, written: Written) -> Paint:
    painter = Painter(_output(size, written), DEFAULTS)
    painter.paint(drawing)  # the first writes every line
    return lambda: painter.paint(drawing)


def _renderer(drawing: Drawing, size: Size, written: Written) -> Paint:
    """The same frames in a control of prompt_toolkit, drawn by its renderer."""

    class Control(UIControl):
        def create_content(self, width: int, height: int) -> UIContent:
            lines = drawing(Size(width, height)).lines
            return UIContent(get_line=lambda y: list(lines[y]), line_count=len(lines))

    app: Application[None] = Application(
        layout=Layout(Window(Control())),
        input=DummyInput(),
        output=_output(size, written),
        style=style_of_roles(DEFAULTS),
        full_screen=True,
        include_default_pygments_style=False,
    )

    def paint() -> None:
        with set_app(app):
            app.renderer.render(app, app.layout)

    paint()
    return paint


def _timed(paint: Paint, rounds: int) -> list[float]:
    """Milliseconds a drawing, of each round."""
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        for _ in range(DRAWINGS):
            paint()
        taken.append((time.process_time() - begun) * 1_000 / DRAWINGS)
    return taken
