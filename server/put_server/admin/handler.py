"""Admin handler: carries out calls that come through the admin socket, and answers them.

It counts, and never looks at a hand: of a table it knows its state and who sits there, of a peer how much waits for
them.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol, assert_never

from put_protocol.messages import Goodbye
from put_protocol.table_info import TableState
from put_protocol.text import TALK_LENGTH, flaw_of_talk
from put_server.admin import calls
from put_server.handover import NotReady
from put_server.journal.journal import Journal
from put_server.lobby.lobby import Lobby
from put_server.settings import Settings
from put_server.transport.bans import BadBans
from put_server.transport.dispatcher import Dispatcher
from put_server.transport.origins import Network, parse_network
from put_server.transport.reception import Reception

NAMES_SHOWN = 20
"""Names listed where one was not found."""


class RunningServer(Protocol):
    """The part of the server that the handler needs."""

    settings: Settings
    dispatcher: Dispatcher
    journal: Journal | None

    @property
    def is_stopping(self) -> bool: ...

    async def upgrade(self) -> str:
        """Start the next server and end in its favour; returns what was done.

        :raises NotReady: it cannot take over.
        """
        ...

    def drain(self, seconds: int | None = None, back: int | None = None) -> str:
        """Begin to stop; returns the announcement to everyone."""
        ...


class AdminHandler:
    """Answers calls; one a server, made when it starts."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        from importlib.metadata import version  # noqa: PLC0415  # a tenth of what a command needs to start

        self._version = version("put")
        self._began = time.monotonic()

    async def answer(self, call: calls.Call) -> calls.Answer:
        match call:
            case calls.AskStatus():
                return self.status()
            case calls.Announce(text=text):
                return self._announce(text)
            case calls.Kick(name=name, because=because, address=address):
                return await (self._kick_from(address, because) if address else self._kick(name, because))
            case calls.Ban(address=address):
                return await self._ban(address)
            case calls.Unban(address=address):
                return self._unban(address)
            case calls.AskBans():
                return calls.BanList(self._server.dispatcher.admission.bans.all)
            case calls.Upgrade():
                if self._server.is_stopping:
                    return calls.Declined("the server is stopping already")
                try:
                    return calls.Done(await self._server.upgrade())
                except NotReady as error:
                    return calls.Declined(str(error))
            case calls.Drain(seconds=seconds, back=back):
                if self._server.is_stopping:
                    return calls.Declined("the server is stopping already; a signal ends it at once")
                return calls.Done(self._server.drain(seconds, back))
            case _:
                assert_never(call)

    def status(self) -> calls.Status:
        server = self._server
        lobby = server.dispatcher.lobby
        return calls.Status(
            name=server.settings.name,
            version=self._version,
            uptime_s=int(time.monotonic() - self._began),
            is_draining=server.is_stopping,
            tables=tables_of(lobby),
            people=people_of(lobby),
            connections=server.dispatcher.connections,
            house_players=house_players_of(lobby),
            outboxes=outboxes_of(server.dispatcher),
            journal=None if server.journal is None else _journal(server.journal),
            games_finished=server.dispatcher.games,
        )

    def _announce(self, text: str) -> calls.Answer:
        flaw = flaw_of_talk(text)
        if flaw is not None:
            return calls.Declined(f"the announcement {flaw}")
        self._server.dispatcher.announce(text)
        return calls.Done(f"told to {_count(people_of(self._server.dispatcher.lobby).here, 'person', 'people')}")

    async def _kick(self, name: str, because: str) -> calls.Answer:
        flaw = flaw_of_talk(because) if because else None
        if flaw is not None:
            return calls.Declined(f"the reason {flaw}")
        lobby = self._server.dispatcher.lobby
        person = lobby.named(name)
        if person is not None:
            says = "you were sent away by the operator" + (f": {because}" if because else "")
            safe = asyncio.Event()
            self._server.dispatcher.kick(person.id, Goodbye(code="kicked", says=says), safe.set)
            await safe.wait()
            return calls.Done(f"{person.name} was sent away")
        names = sorted(person.name for person in lobby.people.values())
        more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        here = f"here are {', '.join(names[:NAMES_SHOWN])}{more}" if names else "nobody is here"
        return calls.Declined(f"there is nobody called {name[:TALK_LENGTH]!r}; {here}")

    async def _kick_from(self, address: str, because: str) -> calls.Answer:
        flaw = flaw_of_talk(because) if because else None
        if flaw is not None:
            return calls.Declined(f"the reason {flaw}")
        try:
            network = parse_network(address)
        except ValueError:
            return calls.Declined(_no_address(address))
        says = "you were sent away by the operator" + (f": {because}" if because else "")
        return calls.Done(await self._sent_away(network, says))

    async def _sent_away(self, network: Network, says: str) -> str:
        dispatcher = self._server.dispatcher
        people, connections = dispatcher.kick_from(network, Goodbye(code="kicked", says=says))
        safe = asyncio.Event()
        dispatcher.when_committed(safe.set)
        await safe.wait()
        others = _count(connections, "other connection", "other connections")
        return f"sent away: {_count(people, 'person', 'people')}; closed: {others}"

    async def _ban(self, address: str) -> calls.Answer:
        try:
            network = parse_network(address)
            self._server.dispatcher.admission.bans.add(network)
        except ValueError:
            return calls.Declined(_no_address(address))
        except BadBans as error:
            return calls.Declined(str(error))
        done = await self._sent_away(network, "you were sent away by the operator")
        return calls.Done(f"{address} is banned; {done}")

    def _unban(self, address: str) -> calls.Answer:
        bans = self._server.dispatcher.admission.bans
        try:
            network = parse_network(address)
            if not bans.has(network):
                return calls.Declined(f"{address} is not banned; put-server bans lists those that are")
            bans.discard(network)
        except ValueError:
            return calls.Declined(_no_address(address))
        except BadBans as error:
            return calls.Declined(str(error))
        return calls.Done(f"{address} is no longer banned")


def _no_address(address: str) -> str:
    return f"{address[:TALK_LENGTH]!r} is neither an address nor a prefix of addresses"


def tables_of(lobby: Lobby) -> calls.Tables:
    """Of one lobby, counted."""
    tables = lobby.tables.values()
    states = Counter(table.state for table in tables)
    return calls.Tables(
        total=len(tables),
        playing=states[TableState.PLAYING],
        paused=states[TableState.PAUSED],
        filling=states[TableState.FILLING],
        between=states[TableState.BETWEEN],
        spectators=sum(len(table.seating.watchers) for table in tables),
    )


def people_of(lobby: Lobby, counts: Callable[[str], bool] = lambda _: True) -> calls.People:
    """Of one lobby, counted: those whose names count."""
    people = [person for person in lobby.people.values() if counts(person.name)]
    here = sum(person.is_here for person in people)
    return calls.People(here=here, away=len(people) - here, bots=sum(person.is_bot for person in people))


def house_players_of(lobby: Lobby) -> int:
    """Seated, in one lobby."""
    chairs = (chair for table in lobby.tables.values() for chair in table.seating.chairs)
    return sum(chair.sitter is not None and chair.sitter.is_house for chair in chairs)


def outboxes_of(reception: Reception) -> calls.Outboxes:
    """What waits for peers."""
    waiting = [count for count in reception.outboxes if count]
    return calls.Outboxes(bytes=sum(waiting), largest=max(waiting, default=0), waiting=len(waiting))


def _journal(journal: Journal) -> calls.JournalNumbers:
    latency = journal.latency
    return calls.JournalNumbers(
        path=str(journal.path),
        records=journal.since_checkpoint,
        bytes=journal.file_bytes,
        commit_p50_ms=None if latency is None else round(latency.p50, 3),
        commit_p99_ms=None if latency is None else round(latency.p99, 3),
    )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
