"""An evening at one table, scripted: everything that a table tells happens in it, in the same way each time."""

from collections.abc import Callable
from typing import Any

from put_protocol.codecs import LINES
from put_protocol.games.put import Put
from put_protocol.messages import (
    Act,
    Again,
    Events,
    GoOn,
    Hello,
    Leave,
    OpenTable,
    Pause,
    Refresh,
    Request,
    Resign,
    Say,
    Sit,
    ViewForm,
    Watch,
)
from put_protocol.seats import Seat
from tests.transport.dispatcher_harness import DispatcherHarness, ManualJournal, Peer, asked

TABLE = 1


class Evening:
    """Two players, the second of whom wants changes, and two spectators."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.harness = DispatcherHarness(journal=ManualJournal())
        self.former: Peer | None = None
        self.ann = self._peer("Ann")
        self.ben = self._peer("Ben", views=ViewForm.CHANGES)
        self.eve = self._peer("Eve", views=ViewForm.CHANGES)
        self.fay = self._peer("Fay", knows=("primero",))

    def _peer(self, name: str, **fields: Any) -> Peer:
        peer = self.harness.peer(LINES)
        peer.send(Hello(self.version, name, **fields))
        peer.receive()
        return peer

    @property
    def peers(self) -> dict[str, Peer]:
        peers = {"ann": self.ann, "ben": self.ben, "eve": self.eve, "fay": self.fay}
        return peers if self.former is None else {**peers, "ben, before the drop": self.former}

    def ask(self, peer: Peer, request: Callable[[int], Request]) -> None:
        """A request."""
        peer.send(request(peer.number()))
        for each in self.peers.values():
            each.receive()

    def move(self) -> None:
        """Whoever is asked does the first thing they may, but puts only once a hand."""
        player, decision = asked([self.ann, self.ben])
        legal = [choice.action for choice in decision.legal]
        action = next((one for one in legal if not isinstance(one, Put)), legal[0])
        self.ask(player, lambda n: Act(n, TABLE, decision.decision, action))

    def put(self) -> None:
        player, decision = asked([self.ann, self.ben])
        self.ask(player, lambda n: Act(n, TABLE, decision.decision, Put()))

    def drop_ben(self) -> None:
        """Ben's connection drops, something is said, and Ben comes back by another, which is `cat` here."""
        former = self.ben
        former.drop()
        self.ask(self.ann, lambda n: Say(n, TABLE, "hm"))
        self.ben = self.harness.peer(LINES)
        self.ben.client.follow_from(former.client.seen)
        seen = former.client.seen
        self.ben.send(Hello(self.version, token=former.token, seen=seen, views=ViewForm.CHANGES))
        self.former, self.ben._last = former, former._last

    def play(self) -> None:
        options: dict[str, int | str] = {"target": 2}
        self.ask(self.ann, lambda n: OpenTable(n, "put-1674", options=options, turn=60))
        self.ask(self.ann, lambda n: Sit(n, TABLE))
        self.ask(self.eve, lambda n: Watch(n, TABLE))
        self.ask(self.ben, lambda n: Sit(n, TABLE, Seat(1)))
        self.ask(self.fay, lambda n: Watch(n, TABLE))
        for _ in range(3):
            self.move()
        self.ask(self.ann, lambda n: Say(n, TABLE, "well"))
        self.ask(self.eve, lambda n: Say(n, TABLE, "hush"))
        self.ask(self.ann, lambda n: Act(n, TABLE, 1, Put()))  # too late
        self.ask(self.ann, lambda n: Pause(n, TABLE, 5))
        self.ask(self.ben, lambda n: Pause(n, TABLE))
        self.ask(self.ann, lambda n: GoOn(n, TABLE))
        self.ask(self.ben, lambda n: GoOn(n, TABLE))
        self.ask(self.ben, lambda n: Refresh(n, TABLE))
        self.put()
        self.move()
        for _ in range(30):
            if self.ended():
                break
            self.move()
        assert self.ended()
        self.ask(self.ann, lambda n: Again(n, TABLE))
        self.ask(self.ben, lambda n: Again(n, TABLE))
        self.move()
        self.drop_ben()
        self.move()
        self.harness.tick(61_000)  # time decides
        self.ask(self.ben, lambda n: Resign(n, TABLE))
        self.ask(self.ann, lambda n: Leave(n, TABLE))

    def ended(self) -> bool:
        """Whether the first game is over."""
        infos = [message.info for message in self.ann.told(Events) if message.info is not None]
        return infos[-1].state == "between"


def transcript(version: int) -> str:
    """All that each peer is sent, but for the welcomes."""
    evening = Evening(version)
    evening.play()
    told: list[str] = []
    for name, peer in evening.peers.items():
        said = b"".join(peer.transport.written).decode().splitlines()
        told += [f"# {name}", *(line for line in said if not line.startswith('{"type":"welcome"'))]
    return "\n".join([*told, ""])
