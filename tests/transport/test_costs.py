"""Costs: nothing that a peer may ask for takes more of the server's time than it is charged for.

Every request, page and typed command is in a table here, with the worst that can be asked of it: one that is not fails
a test. The time that all of it takes, later work included, is compared with what is charged for it, both of this run.
"""

import time
from collections.abc import Callable, Mapping
from typing import get_args

import pytest

from put_protocol import messages
from put_protocol.codecs import LINES
from put_protocol.games.put import Put
from put_protocol.limits import FRAME_BYTES
from put_protocol.seats import Seat
from put_server.app import Server
from put_server.settings import Settings
from put_server.table.table_effects import Study
from put_server.transport.budgets import MOVES
from put_server.transport.http import HttpConnection
from put_server.transport.web_pages import WebPages
from put_text.plain.commands import COMMANDS
from tests.lobby.lobby_harness import new_lobby
from tests.transport.dispatcher_harness import DispatcherHarness, FakeTransport, ManualJournal, Peer, TypingPeer, asked

MOST = 10
"""Times its charge that anything may take."""

TABLE, OTHER = 1, 2
CROWD = 8
"""People who are here, who watch and who look at the lobby."""

LONG = "\U0001f0a1" * 400
LONG_NAME = "W" * 128
OPTIONS: dict[str, str | int] = {f"option-{number}": "x" * 100 for number in range(60)}

Make = Callable[[int], messages.ClientMessage]

WORST: Mapping[type[messages.ClientMessage], Make] = {
    messages.Hello: lambda _: messages.Hello(2, LONG_NAME),
    messages.Look: messages.Look,
    messages.LookAway: messages.LookAway,
    messages.OpenTable: lambda n: messages.OpenTable(n, "put-1674", options=OPTIONS),
    messages.Sit: lambda n: messages.Sit(n, OTHER, passcode="x" * 100),
    messages.Stand: lambda n: messages.Stand(n, TABLE),
    messages.Watch: lambda n: messages.Watch(n, OTHER),
    messages.Leave: lambda n: messages.Leave(n, TABLE),
    messages.Resign: lambda n: messages.Resign(n, TABLE),
    messages.Invite: lambda n: messages.Invite(n, TABLE, person=LONG_NAME),
    messages.Dismiss: lambda n: messages.Dismiss(n, TABLE, Seat(1)),
    messages.Again: lambda n: messages.Again(n, TABLE),
    messages.Pause: lambda n: messages.Pause(n, TABLE, 60),
    messages.GoOn: lambda n: messages.GoOn(n, TABLE),
    messages.Blind: lambda n: messages.Blind(n, TABLE, b"0" * 16_000),
    messages.Refresh: lambda n: messages.Refresh(n, TABLE),
    messages.Act: lambda n: messages.Act(n, TABLE, 10**6, Put()),
    messages.Say: lambda n: messages.Say(n, TABLE, LONG),
    messages.Mute: lambda n: messages.Mute(n, LONG_NAME, True),
    messages.Block: lambda n: messages.Block(n, LONG_NAME, True),
    messages.Analyse: lambda n: messages.Analyse(n, TABLE),
    messages.Recall: lambda n: messages.Recall(n, TABLE),
    messages.Coach: lambda n: messages.Coach(n, TABLE),
    messages.Drill: lambda n: messages.Drill(n, "put-1674", OPTIONS),
    messages.Grade: lambda n: messages.Grade(n, "put-1674", 7, Put(), OPTIONS),
    messages.Push: lambda _: messages.Push(f"https://{'x' * 1_000}", LONG_NAME, LONG_NAME),
    messages.Ping: lambda _: messages.Ping(),
    messages.Pong: lambda _: messages.Pong(),
    messages.Bye: lambda _: messages.Bye(),
}
"""By its id."""

TYPED: Mapping[str, str] = {
    **dict.fromkeys(("hand", "legal", "why", "table", "score", "clock", "who", "brief", "full", "yes"), ""),
    **dict.fromkeys(("mine", "trick", "time"), ""),
    "log": "game",
    "save": "x" * 200,
    **dict.fromkeys(("again", "analyse", "coach", "go", "goon", "resign", "stand", "leave"), ""),
    **dict.fromkeys(("tables", "lobby", "games", "houses", "quit", "exit"), ""),
    **dict.fromkeys(("say", "mute", "unmute", "block", "unblock"), "x" * 500),
    **dict.fromkeys(("ask", "numbers", "alone"), "on"),
    "language": "fr",
    "proof": "99999",
    "rules": "put-1674",
    "options": "put-1674",
    "repeat": "99999",
    "pause": "60m",
    "open": "put-1674 2 " + " ".join(f"{name}={value}" for name, value in list(OPTIONS.items())[:20]),
    "sit": f"{OTHER} 1 {'x' * 200}",
    "watch": f"{OTHER} {'x' * 200}",
    "invite": f"2 {'x' * 200}",
    "dismiss": "2",
    "help": "all",
    "send": f"away {'x' * 200}",
}
"""What follows the word."""

PAGES = (
    "/",
    "/table/1",
    "/nowhere",
    "/ws",
    "/healthz",
    "/metrics",
    "/address",
    "/push-key",
    "/web/x.js",
    "/web/largest",
)
"""The largest file stands for all of them."""


class _Studies:
    """Takes what is wanted; its own queue is fair, and tested by itself."""

    def study(self, wanted: Study) -> None: ...


class Town:
    """A server with people who watch and who look, and a table where Ann and Ben play."""

    def __init__(self) -> None:
        self.soon: list[Callable[[], None]] = []
        self.journal = ManualJournal()
        lobby = new_lobby(people=500, tables=100, each=64)
        self.harness = DispatcherHarness(
            lobby=lobby, journal=self.journal, studies=_Studies(), call_soon=self.soon.append
        )
        self.budgets = self.harness.dispatcher.budgets
        self.ann, self.ben = self._peer("Ann"), self._peer("Ben")
        for table in (TABLE, OTHER):
            self.ann.ask(lambda n: messages.OpenTable(n, "put-1674"))
            self.ben.ask(lambda n, table=table: messages.Sit(n, table))  # type: ignore[misc]  # a lambda in a loop
        self.ann.ask(lambda n: messages.Sit(n, TABLE))
        for place in range(CROWD):
            peer = self.harness.guest(f"Guest {place}")
            peer.ask(lambda n: messages.Watch(n, TABLE))
            peer.ask(messages.Look)
        self.run()
        self.journal.is_open = False

    def _peer(self, name: str) -> Peer:
        peer = Peer(self.harness, LINES, self.harness.caller("192.0.2.1"))
        if name:
            peer.hello(name)
        return peer

    def run(self) -> None:
        """All that is still to be done."""
        while self.soon or self.journal.waiting:
            if self.soon:
                self.soon.pop(0)()
            else:
                self.journal.commit()

    def measure(self, peer: Peer, do: Callable[[], None]) -> tuple[float, float]:
        """Microseconds that something takes, and those charged."""
        accounts = [place.account for place in peer.session.caller.places]
        self.budgets.clock, self.budgets.wall_clock = time.thread_time_ns, time.perf_counter_ns
        self.budgets.charged = 0
        for account in accounts:
            account.debt = 0.0
        self.budgets._total.debt = peer.session.standing.played = 0.0
        begun = time.thread_time_ns()
        do()
        self.run()
        taken = (time.thread_time_ns() - begun) / 1000
        return taken, accounts[0].debt + peer.session.standing.played


def _check(name: str, taken: float, charged: float) -> None:
    assert taken <= MOST * charged, f"{name} takes {taken:.0f} us and is charged {charged:.0f}"


def test_worst_of_every_request_is_known() -> None:
    """A new one needs a line in the table."""
    assert set(WORST) == set(get_args(messages.ClientMessage))
    assert set(WORST) >= MOVES


def test_worst_of_every_typed_command_is_known() -> None:
    """A new one needs a line in the table."""
    assert set(TYPED) == {command.word for command in COMMANDS}


@pytest.mark.parametrize("kind", WORST, ids=lambda kind: kind.__name__)
def test_request_takes_what_it_is_charged(kind: type[messages.ClientMessage]) -> None:
    """With its worst arguments, and all that is done because of it."""
    town = Town()
    peer = town._peer("") if kind is messages.Hello else town.ann
    data = LINES.encode(WORST[kind](1_000))
    taken, charged = town.measure(peer, lambda: peer.feed(data))
    _check(kind.__name__, taken, charged)


def test_move_takes_what_it_is_charged() -> None:
    """One that is carried out, before a gallery."""
    town = Town()
    mover, decision = asked([town.ann, town.ben])
    act = messages.Act(1_000, TABLE, decision.decision, decision.legal[0].action)
    _check("a move", *town.measure(mover, lambda: mover.feed(LINES.encode(act))))


def test_garbage_takes_what_it_is_charged() -> None:
    """What is no message, and what is as deep or as long as can be."""
    town = Town()
    for name, data in {
        "short lines": b"{}\n" * 1_000,
        "deep": b'{"type":' + b"[" * 30_000 + b"\n",
        "long": b'{"type":"say","text":"' + b"x" * (FRAME_BYTES - 100) + b'"}\n',
    }.items():
        peer = town._peer("")
        _check(name, *town.measure(peer, lambda peer=peer, data=data: peer.feed(data)))  # type: ignore[misc]


@pytest.mark.parametrize("word", TYPED)
def test_typed_command_takes_what_it_is_charged(word: str) -> None:
    """With the most that may follow it."""
    town = Town()
    typist = TypingPeer(town.harness, town.harness.caller("192.0.2.1"))
    typist.feed(b"name Cat\n")
    town.run()
    typist.feed(f"watch {TABLE}\n".encode())
    town.run()
    line = f"{word} {TYPED[word]}\n".encode()
    _check(word, *town.measure(typist, lambda: typist.feed(line)))


@pytest.fixture(autouse=True)
def _http_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTP answers at once, without a thread."""
    monkeypatch.setattr(
        "put_server.transport.session.load_http",
        lambda pages, _, caller, then: then(HttpConnection(pages, caller)),
    )


@pytest.fixture(scope="module")
def web() -> WebPages:
    """Pages of a server, its own files included."""
    web = Server(Settings(data=":memory:")).front.web
    web.load()
    assert web._files is not None
    pages = web._files._pages
    pages["/web/largest"] = max(pages.values(), key=lambda page: len(page.body))
    return web


def test_worst_of_every_page_is_known(web: WebPages) -> None:
    """A new one needs a line in the table."""
    assert set(PAGES) >= set(web._routes)


@pytest.mark.parametrize("path", PAGES)
def test_page_takes_what_it_is_charged(path: str, web: WebPages) -> None:
    """With headers as long as they may be."""
    town = Town()
    peer = Peer(town.harness, LINES, town.harness.caller("127.0.0.1"))
    peer.session._web = web
    assert isinstance(peer.transport, FakeTransport)
    headers = "X: y\r\n" * 100
    data = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()
    _check(path, *town.measure(peer, lambda: peer.feed(data)))
    is_there = path not in ("/nowhere", "/web/x.js", "/ws")
    assert peer.transport.written[0].startswith(b"HTTP/1.1 200 ") == is_there
