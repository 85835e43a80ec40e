"""What a table of two keeps in memory, with its people and their sessions, is what `tests/budget.toml` says."""

import gc
import random
import sys
import tomllib
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from put_protocol.codecs import FRAMES
from put_protocol.messages import Act, Again, Hello, OpenTable, Refused, Sit
from put_rules.put import dealing
from put_server.table import event_log
from put_server.table.table_effects import TableId
from tests.transport.dispatcher_harness import DispatcherHarness, FakeTransport, Peer, asked

KEPT = tomllib.loads((Path(__file__).parents[1] / "budget.toml").read_text())["kept"]
MOVES = 100
"""Some games: the tail of a table's events is full."""

_NOT_KEPT = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType, FakeTransport)


class Found:
    """Objects that were reached, each once."""

    def __init__(self) -> None:
        self._by_id: dict[int, Any] = {}

    def add(self, roots: Iterable[Any]) -> dict[str, int]:
        """Go on from these. Returns how many further objects that found, and their bytes."""
        waiting, count, size = list(roots), 0, 0
        while waiting:
            reached = waiting.pop()
            if id(reached) in self._by_id or isinstance(reached, _NOT_KEPT) or _is_of_all(reached):
                continue
            self._by_id[id(reached)] = reached
            count += 1
            size += sys.getsizeof(reached)
            waiting += gc.get_referents(reached)
            waiting += [getattr(reached, name) for name in getattr(type(reached), "__struct_fields__", ())]
        return {"objects": count, "bytes": size}


def _is_of_all(reached: Any) -> bool:
    """True for what Python itself keeps once, and for caches of functions."""
    if isinstance(reached, int):
        return -5 <= reached <= 256
    return (isinstance(reached, str | bytes) and len(reached) < 2) or type(reached).__name__ == "_lru_cache_wrapper"


class Room:
    """A table of two, played by chance from a seed."""

    def __init__(self, harness: DispatcherHarness, number: int) -> None:
        self.harness = harness
        self.number = number
        self.peers = [Peer(harness, FRAMES) for _ in range(2)]
        for peer, name in zip(self.peers, ("Ann", "Ben"), strict=True):
            peer.send(Hello(3, f"{name} {number}"))
        self.peers[0].send(OpenTable(1, "put-1674"))
        for at, peer in enumerate(self.peers, 2):
            peer.send(Sit(at, number))

    def play(self, moves: int) -> None:
        chance = random.Random(self.number)
        for _ in range(moves):
            player, decision = asked(self.peers)
            choice = decision.legal[chance.randrange(len(decision.legal))]
            player.send(Act(player.number(), self.number, decision.decision, choice.action))
            if not self.harness.dispatcher.lobby.tables[TableId(self.number)].model.is_playing:
                for peer in self.peers:
                    peer.send(Again(peer.number(), self.number))
            for peer in self.peers:
                assert not peer.told(Refused)
                del peer.messages[:-20]

    def kept(self, known: Found) -> dict[str, dict[str, int]]:
        """What the table, its people and their sessions keep beside what was known."""
        lobby, sessions = self.harness.dispatcher.lobby, [peer.session for peer in self.peers]
        people = [lobby.people[session.person] for session in sessions if session.person is not None]
        roots: dict[str, list[Any]] = {
            "table": [lobby.tables[TableId(self.number)]],
            "people": people,
            "sessions": sessions,
        }
        return {of: known.add(some) for of, some in roots.items()}


def measured(moves: int) -> dict[str, dict[str, int]]:
    """What the second table keeps after so many moves: with the first comes what is kept once for all."""
    for shared in (event_log._shared, dealing._dealt):  # else some of it would be of other tests
        shared.cache_clear()
    harness = DispatcherHarness()
    Room(harness, 1).play(MOVES)
    known = Found()
    known.add([harness.dispatcher])
    room = Room(harness, 2)
    room.play(moves)
    return room.kept(known)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions have objects of other sizes")
@pytest.mark.parametrize(("when", "moves"), [("seated", 0), ("in play", MOVES)])
def test_table_keeps_what_is_written_down(when: str, moves: int) -> None:
    """Not more, and not less: a gain is written down, too, so that it is kept."""
    assert measured(moves) == KEPT[when]
