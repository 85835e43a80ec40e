"""What a move costs is what `tests/budget.toml` says."""

import random
import sys
import tomllib
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from put_protocol.codecs import FRAMES
from put_protocol.games.put import GameEnded, Play, Put, PutView, ThrowIn
from put_protocol.messages import Act, Again, Events, Hello, OpenTable, Sit, ViewForm
from put_protocol.seats import GALLERY
from put_server.journal.commit_queue import CommitQueue
from put_server.table.table_effects import TableId
from tests.transport.dispatcher_harness import DispatcherHarness, Peer, asked

BUDGET = tomllib.loads((Path(__file__).parents[1] / "budget.toml").read_text())
FORMS: dict[str, dict[str, Any]] = {
    "version 3, changes, no words": {"version": 3, "views": ViewForm.CHANGES, "words": False},
    "version 3, whole views": {"version": 3},
    "version 2, whole views": {"version": 2},
}
MOST_WRITES = 1_000
GAMES = 20
_INLINED = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
"""Comprehensions, which have no frame from Python 3.12 on, and generators, whose frames 3.13 enters less often."""


class Cost(NamedTuple):
    calls: int
    writes: int
    messages: int
    bytes: int
    rows: int


class QueuedJournal(CommitQueue):
    """A real queue of commits, which are made when the test says so."""

    def commit(self) -> int:
        """Commits everything that waits; returns the number of rows."""
        batch = self._take()
        self._call_back(batch)
        return len(batch.records) + len(batch.games) + len(batch.changes)


class Counter:
    """Counts calls of Python functions."""

    def __init__(self) -> None:
        self.calls = 0

    def note(self, frame: FrameType, event: str, _: object) -> None:
        is_ours = str(frame.f_globals.get("__name__")).startswith("put_")
        self.calls += event == "call" and is_ours and frame.f_code.co_name not in _INLINED


class Moves:
    """A table of two, where moves are weighed."""

    def __init__(self, version: int, **hello: Any) -> None:
        self.journal = QueuedJournal()
        self.harness = DispatcherHarness(journal=self.journal)  # type: ignore[arg-type]  # as much of one as is asked for
        self.peers = [self._guest(version, name, hello) for name in ("Ann", "Ben")]
        self._tell(self.peers[0], OpenTable(1, "put-1674"))
        for number, peer in enumerate(self.peers, 2):
            self._tell(peer, Sit(number, 1))

    def _guest(self, version: int, name: str, hello: dict[str, Any]) -> Peer:
        peer = Peer(self.harness, FRAMES, self.harness.caller("192.0.2.1"))
        self._tell(peer, Hello(version, name, **hello))
        return peer

    def _tell(self, peer: Peer, message: Any) -> None:
        peer.send(message)
        self.journal.commit()

    def weighed(self) -> dict[str, Cost]:
        """Costs in the second game: in the first, sentences are made that are kept."""
        self._game()
        return self._game()

    def _game(self) -> dict[str, Cost]:
        """The last cost of each kind in a game in which every hand is put behind its second lead, and thrown in."""
        table = self.harness.dispatcher.lobby.tables[TableId(1)]
        costs: dict[str, Cost] = {}
        while len(self.peers[0].transport.written) < MOST_WRITES:
            player, decision = asked(self.peers)
            view = table.publisher._view(GALLERY)
            assert isinstance(view, PutView)
            legal = [choice.action for choice in decision.legal]
            wanted = ThrowIn if view.putter is not None else Put if view.past and view.trick.cards else Play
            action = next(one for one in legal if isinstance(one, wanted))
            cost = self._weigh(player, Act(player.number(), 1, decision.decision, action))
            if view.past and isinstance(action, Play):
                assert asked(self.peers)[0] is not player
                costs["card"] = cost
            elif isinstance(action, ThrowIn) and table.model.is_playing:
                costs["hand"] = cost
            elif isinstance(action, ThrowIn):
                again = [self._weigh(peer, Again(peer.number(), 1)) for peer in self.peers]
                return costs | {"game": Cost(*map(sum, zip(cost, *again, strict=True)))}
        raise AssertionError("the game does not end")

    def weighed_whole(self) -> dict[str, dict[str, int]]:
        """The costs of some moves, and of whole games."""
        return {kind: cost._asdict() for kind, cost in self.weighed().items()} | {"games": self.evening()}

    def evening(self) -> dict[str, int]:
        """Cost of whole games of players at random, all that is asked for between them included. The chance is from a
        seed."""
        chance = random.Random(GAMES)
        costs: list[Cost] = []
        moves = games = 0
        while games < GAMES:
            player, decision = asked(self.peers)
            action = decision.legal[chance.randrange(len(decision.legal))].action
            costs.append(self._weigh(player, Act(player.number(), 1, decision.decision, action)))
            moves += 1
            for peer in self.peers:
                peer.messages.clear()
            if any(isinstance(event, GameEnded) for told in player.told(Events) for event in told.events):
                games += 1
                costs += [self._weigh(peer, Again(peer.number(), 1)) for peer in self.peers]
        return {"moves": moves} | Cost(*map(sum, zip(*costs, strict=True)))._asdict()

    def _weigh(self, player: Peer, act: Act | Again) -> Cost:
        before = [len(peer.transport.written) for peer in self.peers]
        player.client.send(act)
        data = player.client.take()
        player.session.get_buffer(-1)[: len(data)] = data
        counter = Counter()
        sys.setprofile(counter.note)
        player.session.buffer_updated(len(data))
        rows = self.journal.commit()
        sys.setprofile(None)
        told = [b"".join(peer.transport.written[at:]) for peer, at in zip(self.peers, before, strict=True)]
        messages = sum(len(list(FRAMES.splitter().feed(data))) for data in told)
        writes = sum(len(peer.transport.written) for peer in self.peers) - sum(before)
        return Cost(counter.calls, writes, messages, sum(map(len, told)), rows)


@pytest.mark.parametrize("form", FORMS)
def test_move_costs_what_is_written_down(form: str) -> None:
    """Not more, and not less: a gain is written down, too, so that it is kept."""
    Moves(**FORMS[form]).weighed_whole()  # what is kept of what was said is made
    assert Moves(**FORMS[form]).weighed_whole() == BUDGET[form]
