"""Mutations: faults put into the code of the cluster, each of which the simulation must find.

The seeds that each took, by `scripts/soak simulation-mutations`, counted while the evening grew, so a few more or fewer
today: 1 a forgotten answer, a commit too many tidied, a game told twice, the fold that leaves out a record, a former
worker believed, an answer of a gateway that comes too early, what goes to all guests; 6 a wrong compare, a lost erase,
a claim believed, told before it is stored, a lobby that changes by itself, chances of deals that are over, a lost
packet ignored; 11 games that a repair forgets, a clock that begins anew; 13 a count trusted; 15 no checkpoint at a
takeover; 21 a request refused too early, which needs a shard that falls silent just after an answer is lost; 73 chances
beside a new stock; 152 chances that a repair leaves; 248 a stream read by its subjects, in a long evening.

What the rules themselves tell is told by the laws, too: a mutation of them finds nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace
from nats.js.api import Header
from nats.js.client import JetStreamContext

from put_protocol.messages import Refused
from put_protocol.refusals import RefusalCode
from put_server.cluster.broker import OutOfReach
from put_server.cluster.gateway import Gateway
from put_server.cluster.greetings import Greetings
from put_server.cluster.guests import Guest, Guests
from put_server.cluster.link import GatewayLink, _Ways
from put_server.cluster.link_messages import Packet
from put_server.cluster.shard import ShardClock
from put_server.cluster.shard_stream import Overtaken, ShardStream, StreamRequest, StreamRequests
from put_server.cluster.stream_journal import Kept, StreamJournal
from put_server.journal.commit_queue import CommitQueue
from put_server.lobby import lobby
from put_server.lobby.lobby import Lobby
from put_server.transport.dispatcher import FEW_RECORDS
from tests.cluster.simulation.broker import _JetStream

Mutation = Callable[[], Any]

NOT_CARRIED_OUT = RefusalCode.NOT_CARRIED_OUT


def changed(owner: object, name: str, mutant: Callable[..., Any]) -> Mutation:
    """`mutant`: gets the method, and then what the method gets."""

    @contextmanager
    def mutation() -> Iterator[None]:
        whole = getattr(owner, name)
        with patch.object(owner, name, lambda *given, **named: mutant(whole, *given, **named)):
            yield

    return mutation


async def _none(*_: Any, **__: Any) -> None:
    """Do nothing."""


async def _without_compare(whole: Any, self: StreamRequests, asked: Sequence[StreamRequest], seconds: float) -> Any:
    """What asks for the last sequence still compares: else nothing could be read."""
    dropped = (Header.EXPECTED_LAST_SEQUENCE.value, Header.EXPECTED_LAST_MSG_ID.value)
    return await whole(
        self,
        [
            one
            if one.subject.endswith(".never")
            else one._replace(headers={key: value for key, value in (one.headers or {}).items() if key not in dropped})
            for one in asked
        ],
        seconds,
    )


async def _insisting(whole: Any, self: ShardStream, messages: Any) -> Any:
    while True:
        with suppress(Overtaken):
            return await whole(self, messages)
        self._last = (await self._stream.stream_info(self.name)).state.last_seq


def early(whole: Any, self: CommitQueue, entries: Any, then: Any, games: Any = ()) -> None:
    then()
    whole(self, entries, lambda: None, games)


async def _told_again(whole: Any, self: StreamJournal, games: Any) -> None:
    self._last_told_game = 0
    await whole(self, games)


def _later(whole: Any, self: StreamJournal, at: int, take: Any) -> None:
    if self.since_checkpoint >= FEW_RECORDS:
        whole(self, at, take)


def forgetful(whole: Any, self: Lobby, *given: Any) -> Any:
    """What no record says: a person is no bot any more once a gateway looks."""
    for person in self.people.values():
        person.is_bot = False
    return whole(self, *given)


def _shortened(whole: Any, self: Kept) -> Kept:
    kept: Kept = whole(self)
    del kept.records[-1:]
    return kept


async def _too_tidy(whole: Any, self: StreamJournal, compacted: Any, sequence: int) -> None:
    await whole(self, compacted, sequence)
    await self._stream.remove([sequence for _, sequence in self._stored[:1]])


async def _of_subject(whole: Any, self: JetStreamContext, subject: str, **more: Any) -> Any:
    return await whole(self, subject or f"{more['stream']}.>", **more)


async def _counted(whole: Any, self: ShardStream) -> Any:
    found = await whole(self)
    if len(found) != (await self._stream.stream_info(self.name)).state.messages:
        raise OutOfReach(f"stream {self.name} changes whenever it is read")
    return found


def _all_live(whole: Any, self: StreamJournal, *given: Any) -> Any:
    """The live chances are taken from the rows that are kept, which have what remains of deals that are over, too."""
    yield from whole(self, *given)
    self._live.clear()
    for number, table in sorted(self.kept.chances):
        self._live.setdefault(table, []).append(number)


def _alone_live(whole: Any, self: StreamJournal, *given: Any) -> Any:
    yield from whole(self, *given)
    self._live = {table: numbers[-1:] for table, numbers in self._live.items()}


async def _forgetting_games(whole: Any, *given: Any) -> Any:
    journal, why = await whole(*given)
    journal._left.games = []
    return journal, why


async def _leaving_chances(whole: Any, *given: Any) -> Any:
    journal, why = await whole(*given)
    journal._stored = sorted(journal._stored + [(0, sequence) for sequence in journal._left.erased])
    journal._left.erased = []
    return journal, why


def _to_all(whole: Any, self: Guests, shard: int, connections: Any, data: bytes) -> None:
    whole(self, shard, tuple([guest.number for guest in self.at(shard)]), data)


def _believing(whole: Any, self: GatewayLink, packet: Packet, now: int) -> None:
    self._worker = 0
    whole(self, packet, now)


def _gap_ignored(whole: Any, self: _Ways, packet: Packet, now: int) -> bytes:
    self._received = packet.number - 1
    return bytes(whole(self, packet, now))


def _hasty(whole: Any, self: Greetings, guest: Guest, greeting: Any, welcome: Any) -> None:
    if greeting.unasked | greeting.awaited:
        answers = [greeting.answers.get(one, Refused(one, NOT_CARRIED_OUT, "")) for one in greeting.hello.asked]
        greeting.held[:0] = answers
        greeting.hello = replace(greeting.hello, asked=())
    whole(self, guest, greeting, welcome)


MUTATIONS: Mapping[str, Mutation] = {
    "a wrong compare: a stream takes what another worker writes": changed(StreamRequests, "send", _without_compare),
    "a lost erase": changed(ShardStream, "erase", lambda _, *given: _none(*given)),
    "an answer is forgotten": changed(lobby, "noted", lambda _, responses, __: responses),
    "a claim believed: a worker that was overtaken goes on": changed(ShardStream, "append", _insisting),
    "told before it is stored": changed(CommitQueue, "record", early),
    "a finished game told twice": changed(StreamJournal, "_tell_games", _told_again),
    "a checkpoint tidies a commit too many": changed(StreamJournal, "_tidy", _too_tidy),
    "no checkpoint at a takeover": changed(StreamJournal, "compact_behind", _later),
    "a lobby changes by itself": changed(Lobby, "follow", forgetful),
    "the fold beside a shard leaves out a record": changed(Kept, "copy", _shortened),
    "a count of the broker trusted": changed(ShardStream, "read", _counted),
    "a stream read by its subjects": changed(_JetStream, "subscribe", _of_subject),
    "chances of deals that are over count as live": changed(StreamJournal, "bring_back", _all_live),
    "chances of deals beside a new stock are forgotten": changed(StreamJournal, "bring_back", _alone_live),
    "a repair forgets games that no worker told": changed(StreamJournal, "taken", _forgetting_games),
    "a repair leaves chances on the disks": changed(StreamJournal, "taken", _leaving_chances),
    "what one is told goes to all guests of the shard": changed(Guests, "deliver", _to_all),
    "a former worker of a shard believed": changed(GatewayLink, "receive", _believing),
    "a lost packet of a link ignored": changed(_Ways, "receive", _gap_ignored),
    "a request refused before every shard has answered": changed(Greetings, "_let_in", _hasty),
    "a gateway answers before what was asked earlier": changed(Gateway, "in_turn", lambda _, *given: given[-1]()),
    "the clock of a shard begins anew": changed(
        ShardClock, "__init__", lambda whole, self, start, *rest: whole(self, start - start, *rest)
    ),
}
