"""Admin handler: carries out calls from the admin socket, and answers them.

It only counts, and never looks at a hand: it uses a table's state and sitters, and a peer's unread bytes.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from put_protocol.table_info import TableState
from put_protocol.text import TALK_LENGTH, counted
from put_runtime.command_line import installed_version
from put_server.admin import admin_calls, sentences
from put_server.handover import NotReady
from put_server.journal.journal import Journal
from put_server.lobby.lobby import Lobby
from put_server.settings import Settings
from put_server.transport.bans import BadBans
from put_server.transport.dispatcher import Dispatcher
from put_server.transport.origins import parse_network, site_of
from put_server.transport.reception import Reception


class RunningServer(Protocol):
    settings: Settings
    dispatcher: Dispatcher
    journal: Journal | None

    @property
    def is_stopping(self) -> bool: ...

    async def upgrade(self) -> str:
        """:raises NotReady: the next server cannot take over."""

    def drain(self, seconds: int | None = None, back: int | None = None) -> str:
        """Begin to stop; returns the announcement to everyone."""


class AdminHandler:
    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self._version = installed_version()
        self._began = time.monotonic()

    async def answer(self, call: admin_calls.Call) -> admin_calls.Answer:
        if flaw := sentences.flaw_of(call):
            return admin_calls.CallDeclined(flaw)
        match call:
            case admin_calls.AskStatus():
                return self.status()
            case admin_calls.AskAnnounce(text=text):
                self._server.dispatcher.announce(text)
                return admin_calls.CallDone(sentences.announced(people_of(self._server.dispatcher.lobby).here))
            case admin_calls.AskKick(name=name, because=because, address=address):
                if address:
                    return admin_calls.CallDone(await self._sent_away(address, because))
                return await self._kick(name, because)
            case admin_calls.AskForget(name=name):
                return await self._forget(name)
            case admin_calls.AskBan(address=address):
                return await self._ban(address)
            case admin_calls.AskUnban(address=address):
                return self._unban(address)
            case admin_calls.AskBans():
                return admin_calls.BanList(self._server.dispatcher.admission.bans.all)
            case admin_calls.AskUpgrade():
                if self._server.is_stopping:
                    return admin_calls.CallDeclined("the server is stopping already")
                try:
                    return admin_calls.CallDone(await self._server.upgrade())
                except NotReady as error:
                    return admin_calls.CallDeclined(str(error))
            case admin_calls.AskDrain(process=process) if process:
                return admin_calls.CallDeclined(
                    f"there is no process {process[:TALK_LENGTH]!r}: this is a server by itself"
                )
            case admin_calls.AskDrain(seconds=seconds, back=back):
                if self._server.is_stopping:
                    return admin_calls.CallDeclined("the server is stopping already; a signal ends it at once")
                return admin_calls.CallDone(self._server.drain(seconds, back))

    def status(self) -> admin_calls.ServerStatus:
        server = self._server
        lobby = server.dispatcher.lobby
        return admin_calls.ServerStatus(
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
            games_finished=server.dispatcher.games_finished,
        )

    async def _kick(self, name: str, because: str) -> admin_calls.Answer:
        dispatcher = self._server.dispatcher
        found, _ = await kicked(dispatcher, name, because)
        if found:
            return admin_calls.CallDone(sentences.person_sent_away(found[0]))
        names = sorted(person.name for person in dispatcher.lobby.people.values())
        return admin_calls.CallDeclined(sentences.nobody_called(name, names, len(names)))

    async def _forget(self, name: str) -> admin_calls.Answer:
        dispatcher, journal, shown = self._server.dispatcher, self._server.journal, name[:TALK_LENGTH]
        if tables := dispatcher.lobby.games_of(name):
            where = ", ".join(map(str, tables))
            says = f"{shown!r} is in a game in play, at table {where}; kick them, or wait until it is over"
            return admin_calls.CallDeclined(says)
        is_known = dispatcher.lobby.people.holder_of_name(name) is not None
        is_known |= dispatcher.forget(name, sentences.kicked())
        forgotten = None
        if journal is not None:  # in one commit with that
            forgotten = journal.forget(name)
            dispatcher.compact()
        await _committed(dispatcher)
        if forgotten is not None and forgotten.left:
            says = (
                f"{shown!r} is forgotten, but traces may be left ({forgotten.left}); mend that, and forget them again"
            )
            return admin_calls.CallDeclined(says)
        games = 0 if forgotten is None else forgotten.games
        if not (is_known or games):
            return admin_calls.CallDeclined(f"nothing is kept about {shown!r}")
        where = counted(games, "finished game")
        return admin_calls.CallDone(f"{name} is forgotten, and named by their seat in {where}")

    async def _sent_away(self, address: str, because: str = "") -> str:
        people, connections = await kicked_from(self._server.dispatcher, address, because)
        return sentences.sent_away(len(people), connections)

    async def _ban(self, address: str) -> admin_calls.Answer:
        try:
            self._server.dispatcher.admission.bans.add(parse_network(address))
        except BadBans as error:
            return admin_calls.CallDeclined(str(error))
        return admin_calls.CallDone(sentences.banned(address, await self._sent_away(address)))

    def _unban(self, address: str) -> admin_calls.Answer:
        bans, network = self._server.dispatcher.admission.bans, parse_network(address)
        try:
            if not bans.has(network):
                return admin_calls.CallDeclined(sentences.not_banned(address))
            bans.discard(network)
        except BadBans as error:
            return admin_calls.CallDeclined(str(error))
        return admin_calls.CallDone(sentences.no_longer_banned(address))


SentAway = tuple[list[str], int]
"""Names of people sent away, and number of other connections closed."""


async def kicked(dispatcher: Dispatcher, name: str, because: str) -> SentAway:
    """Send away the person of this name, if any, for good; returns after that is stored."""
    person = dispatcher.lobby.people.holder_of_name(name)
    if person is None:
        return [], 0
    dispatcher.kick(person.id, sentences.kicked(because))
    await _committed(dispatcher)
    return [person.name], 0


async def kicked_from(dispatcher: Dispatcher, address: str, because: str = "") -> SentAway:
    """Send away everyone from an address or prefix; returns after that is stored."""
    found = dispatcher.kick_from(site_of(parse_network(address)), sentences.kicked(because))
    await _committed(dispatcher)
    return found


async def _committed(dispatcher: Dispatcher) -> None:
    safe = asyncio.Event()
    dispatcher.when_committed(safe.set)
    await safe.wait()


def tables_of(lobby: Lobby) -> admin_calls.TableCounts:
    tables = lobby.tables.values()
    states = Counter(table.state for table in tables)
    return admin_calls.TableCounts(
        total=len(tables),
        playing=states[TableState.PLAYING],
        paused=states[TableState.PAUSED],
        filling=states[TableState.FILLING],
        between=states[TableState.BETWEEN],
        spectators=sum(len(table.seating.watchers) for table in tables),
    )


def people_of(lobby: Lobby, counts: Callable[[str], bool] = lambda _: True) -> admin_calls.PeopleCounts:
    """Counts of one lobby's people whose names `counts` accepts."""
    people = [person for person in lobby.people.values() if counts(person.name)]
    here = sum(person.is_here for person in people)
    return admin_calls.PeopleCounts(here=here, away=len(people) - here, bots=sum(person.is_bot for person in people))


def house_players_of(lobby: Lobby) -> int:
    chairs = (chair for table in lobby.tables.values() for chair in table.seating.chairs)
    return sum(chair.sitter is not None and chair.sitter.is_house for chair in chairs)


def outboxes_of(reception: Reception) -> admin_calls.Outboxes:
    waiting = [count for count in reception.outboxes if count]
    return admin_calls.Outboxes(bytes=sum(waiting), largest=max(waiting, default=0), waiting=len(waiting))


def _journal(journal: Journal) -> admin_calls.JournalNumbers:
    p50, p99 = journal.latency
    return admin_calls.JournalNumbers(
        path=str(journal.path),
        records=journal.since_checkpoint,
        bytes=journal.file_bytes,
        commit_p50_ms=p50,
        commit_p99_ms=p99,
    )
