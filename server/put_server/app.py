"""Composition root: turns settings into a running server. No other module knows all parts.

One TaskGroup owns every task. A signal begins the drain, and a second one ends it. In both cases the port is closed,
peers get a goodbye, and the journal is complete.
"""

import asyncio
import gc
import logging
import os
import secrets
import socket
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial

from put_protocol.messages import Goodbye
from put_rules.game import BadOption
from put_rules.live_deal import reduced
from put_rules.record import GameRecord
from put_rules.registry import GAMES
from put_rules.steps import BadRecord
from put_runtime.settings import SettingsError
from put_runtime.signals import handling
from put_runtime.system_errors import unwrapped
from put_server.admin import audit
from put_server.admin.handler import AdminHandler
from put_server.admin.socket import HAS_UNIX_SOCKETS, AdminSocket, NoAdminSocket
from put_server.analysis.solved_oracle import is_solved
from put_server.front import Front
from put_server.greeting import greeting
from put_server.handover import WAIT_SECONDS, NotReady, inherited, say_ready, start_successor, tell_systemd
from put_server.house import registry
from put_server.house_runner import terms_at
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError
from put_server.journal.lobby_replay import DoesNotFollow
from put_server.lobby.config import LobbyConfig
from put_server.lobby.lobby import Lobby
from put_server.lobby_runners import LobbyRunners
from put_server.logs import log_stray
from put_server.push.turn_notices import TurnNotices
from put_server.settings import Settings, listed
from put_server.table.clock import NEWS_MS
from put_server.ticks import milliseconds, telling, ticking
from put_server.transport import rate_limit
from put_server.transport.dispatcher import Dispatcher
from put_server.transport.encryption import Encryption
from put_server.transport.http_page import HttpPage
from put_server.transport.shuffler import Shuffler
from put_text.catalogue import say_in_english
from put_text.phrases import time_in_units

log = logging.getLogger(__name__)

FAREWELL_SECONDS = 5
"""Time for goodbyes to reach everyone before connections are cut."""

HAND_OVER_SECONDS = 0.25
"""Time for goodbyes when all peers wait for the next server. Peers who have not read theirs by then are cut off."""


class DiskFailed(Exception):
    """The journal cannot be written. It still has everything that was sent to players."""


def new_lobby(settings: Settings, passcode_key: bytes, *, shard: int = 0, shards: int = 1) -> Lobby:
    """An empty lobby. `passcode_key` is the journal's. `shard`: its number among `shards`."""
    config = LobbyConfig(
        server_name=settings.name,
        limits=rate_limit.WELCOME_LIMITS,
        houses=tuple(registry.HOUSES.values()),
        plays_as=lambda house, game, options, seats: registry.kind_at(house, terms_at(game, options), seats),
        is_solved=is_solved,
        passcode_key=passcode_key,
        news_ms=settings.news_ms,
        first_table=shard or shards,
        table_stride=shards,
        is_whole=shards == 1,
    )
    return Lobby(GAMES, config)


def _reduced_record(record: GameRecord) -> GameRecord:
    """A finished game's record in its stored form; unchanged if it cannot be replayed here."""
    rule_set = GAMES.get(record.rule_set)
    if rule_set is None:
        return record
    try:
        return reduced(record, rule_set.make(len(record.players), record.options))
    except (BadRecord, BadOption):
        return record


class Server:
    def __init__(
        self,
        settings: Settings,
        *,
        thinks: bool = True,
        sockets: Sequence[socket.socket] = (),
        accepts_loss: bool = False,
    ) -> None:
        """`sockets`: listen on these, not on the settings' address. Another server may still use the journal: it is
        told that this one is ready, when only the journal is missing.

        :raises BadCertificate: the key or the certificate is unusable.
        :raises JournalError: the journal is unreadable.
        """
        self.settings = settings
        self.front = Front(
            settings,
            self._now,
            is_healthy=lambda: not self.is_stopping,
            metrics=lambda: self._metrics_page(),  # noqa: PLW0108  # it is made at the first request
            sockets=sockets,
            push_key=lambda: self.notices.key_page(),  # noqa: PLW0108  # they are made below
        )
        say_ready(os.environ)
        wait_s = WAIT_SECONDS if sockets else 0
        self.journal = (
            Journal(settings.journal, wait_s=wait_s, accepts_loss=accepts_loss)
            if settings.journal is not None
            else None
        )
        if self.journal is not None:
            self.journal.retention = settings.retention
            self.journal.reduce_games(_reduced_record)
        lobby = new_lobby(settings, secrets.token_bytes(32) if self.journal is None else self.journal.passcode_key)
        self._runners = LobbyRunners(lobby, settings, thinks=thinks)
        name = (*listed(settings.allowed_host), socket.gethostname())[0]
        self.notices = TurnNotices(lobby, self._now, listed(settings.push_hosts.lower()), f"https://{name}/")
        self.dispatcher = self._runners.dispatcher = Dispatcher(
            lobby,
            shuffler=Shuffler(settings.seed),
            now=clock_from(0 if self.journal is None else self.journal.last_time),
            houses=self._runners.houses,
            admission=self.front.admission,
            password=settings.password,
            journal=self.journal,
            studies=self._runners.analysis,
            want_parts=self._runners.parts.want,
            call_later=lambda seconds, call: asyncio.get_running_loop().call_later(seconds, call),
        )
        self.dispatcher.note_push = self.notices.note
        self.front.reception = self.dispatcher
        self._admin_socket: AdminSocket | None = None
        self._stop = asyncio.Event()
        self._stop_now = asyncio.Event()
        self._starting: asyncio.Task[int] | None = None
        self._is_handing_over = False
        self._drain_seconds = settings.drain_seconds
        self._back_seconds = settings.back_seconds

    @property
    def port(self) -> int:
        return self.front.port

    async def listen(self) -> None:
        """Restore the tables, then open the port.

        :raises CannotListen: the address cannot be opened.
        :raises JournalError: the journal is unreadable.
        """
        if self.journal is not None:
            self._bring_back(self.journal)
        self._runners.begin()
        self.dispatcher.compact()
        await self.front.listen()
        self._open_admin_socket()

    def _now(self) -> int:
        return self.dispatcher.now()

    @cached_property
    def _metrics_page(self) -> Callable[[], HttpPage]:
        from put_server.metrics import ServerCollector, page_of  # noqa: PLC0415  # loaded by now, only if needed

        return page_of(ServerCollector(self))

    def _bring_back(self, journal: Journal) -> None:
        begun = time.monotonic()
        kept = journal.kept
        try:
            count = sum(1 for _ in journal.bring_back(self.dispatcher.lobby, kept))
        except DoesNotFollow as error:
            raise JournalError(
                f"{journal.path}: {error}. It was written by put-server {journal.written_by}: start that one with it, "
                "or move it away, or choose another --data"
            ) from None
        if kept.checkpoint is not None or count:
            tables = len(self.dispatcher.lobby.tables)
            log.info("tables back: %d, from %d records, in %.2f s", tables, count, time.monotonic() - begun)

    def _open_admin_socket(self) -> None:
        if (path := self.settings.admin_path) is None:
            return
        by_tcp = not HAS_UNIX_SOCKETS if self.settings.admin_by == "auto" else self.settings.admin_by == "tcp"
        folder = None if self.settings.journal is None else self.settings.journal.parent
        note = partial(audit.note_call, folder)
        admin_socket = AdminSocket(path, AdminHandler(self).answer, by_tcp=by_tcp, note=note)
        try:
            admin_socket.open()
            if folder is not None:
                audit.begin(folder)
            self._admin_socket = admin_socket
        except NoAdminSocket as error:
            log.warning("no admin socket, so put-server status, announce, kick and drain will not work: %s", error)

    @property
    def is_stopping(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        """Begin to end, according to the settings; a second call ends at once."""
        if self.is_stopping:
            self._stop_now.set()
        else:
            self.drain()

    def drain(self, seconds: int | None = None, back: int | None = None) -> str:
        """Begin to end. `seconds`: for games in play; `back`: until the return; None: from the settings. Returns the
        notice."""
        if seconds is not None:
            self._drain_seconds = seconds
        if back is not None:
            self._back_seconds = back
        if self._starting is not None:
            self._starting.cancel()
        self._stop.set()
        return self._stopping_notice()

    async def upgrade(self) -> str:
        """Start the currently installed server with our sockets, and end when it is ready. Returns a sentence about the
        result.

        :raises NotReady: it cannot take over, and this server continues.
        """
        if self.journal is None:
            raise NotReady("a server that keeps nothing has nothing to hand over")
        if self._starting is not None:
            raise NotReady("the next server is starting already")
        self._starting = asyncio.create_task(start_successor(self.front.listener.sockets, os.environ))
        try:
            process = await self._starting
        except asyncio.CancelledError:
            raise NotReady("the server is stopping") from None
        finally:
            self._starting = None
        tell_systemd(os.environ, f"MAINPID={process}")
        log.info("process %d takes over", process)
        self._is_handing_over = True
        self._stop.set()
        return f"process {process} takes over"

    def _stopping_notice(self) -> str:
        seconds = self._drain_seconds if self.dispatcher.lobby.is_busy else 0
        return say_in_english("refused-will-stop", seconds=seconds, **self._back())

    def _back(self) -> dict[str, int | str]:
        """Time until the return, as arguments; `none`: unknown."""
        count, unit = time_in_units(self._back_seconds * 1000) if self._back_seconds else (0, "none")
        return {"count": count, "unit": unit}

    async def run(self) -> None:
        """Serve until stopped, and end in good order."""
        try:
            async with unwrapped(sqlite3.Error), asyncio.TaskGroup() as tasks:
                keeping = tasks.create_task(self.journal.run()) if self.journal is not None else None
                dispatcher = self.dispatcher
                works = [
                    tasks.create_task(work)
                    for work in (
                        ticking(dispatcher.tick, self._look_around),
                        telling(dispatcher.tell_news, lambda: dispatcher.is_empty, NEWS_MS / 1000),
                        self.notices.run(),
                        *self._runners.works(),
                    )
                ]
                if self._admin_socket is not None:
                    await self._admin_socket.serve(tasks)
                lobby = dispatcher.lobby
                announcing = self.front.serve(tasks, lambda: (len(lobby.tables), len(lobby.people)))
                await self._stop.wait()
                if self._is_handing_over:
                    self.front.note_successor()
                announcing.cancel()
                await (self._hand_over() if self._is_handing_over else self._drain())
                for work in works:
                    work.cancel()
                if self._admin_socket is not None:
                    self._admin_socket.close()
                if self.journal is not None and keeping is not None:
                    self.dispatcher.compact()  # the next server need not fold what this one did
                    self.journal.finish()
        except sqlite3.Error as error:
            self.front.dismiss_all(Goodbye(code="draining", says=say_in_english("refused-disk")))
            await self._wait(lambda: self.dispatcher.is_empty, FAREWELL_SECONDS)
            raise DiskFailed(f"the journal cannot be written: {error}") from None
        finally:
            self._close()

    def _look_around(self) -> None:
        if self.journal is not None:
            self.journal.must_be_in_place()
        self.front.tick()

    async def _drain(self) -> None:
        """Begin nothing new, let games end, say goodbye. Meanwhile disconnected players may still return."""
        self.dispatcher.drain()
        if self.dispatcher.lobby.is_busy and self._drain_seconds:
            self.dispatcher.announce(self._stopping_notice())
            await self._wait(lambda: not self.dispatcher.lobby.is_busy, self._drain_seconds)
        says = say_in_english("refused-stops", kept=self.journal is not None, **self._back())
        await self._say_goodbye(
            Goodbye(code="draining", says=says, back_s=self._back_seconds or None), FAREWELL_SECONDS
        )

    async def _hand_over(self) -> None:
        """Say goodbye at once. The peers reconnect to the next server, and wait in the kernel until then."""
        says = say_in_english("refused-hands-over")
        await self._say_goodbye(Goodbye(code="draining", says=says, back_s=0), HAND_OVER_SECONDS)

    async def _say_goodbye(self, goodbye: Goodbye, seconds: float) -> None:
        """Say goodbye to all peers, after the last outcomes: after a goodbye nothing is sent."""
        self.front.stop()
        await self._wait(lambda: self.journal is None or not self.journal.uncommitted, FAREWELL_SECONDS)
        self.front.dismiss_all(goodbye)
        await self._wait(lambda: self.dispatcher.is_empty, seconds)

    async def _wait(self, until: Callable[[], bool], seconds: float) -> None:
        """Poll until true, timed out, or told to stop at once."""
        deadline = time.monotonic() + seconds
        while not until() and not self._stop_now.is_set() and time.monotonic() < deadline:  # noqa: ASYNC110  # none has an event
            await asyncio.sleep(0.02)

    def _close(self) -> None:
        if self._admin_socket is not None:
            self._admin_socket.close()
        self._runners.houses.close()
        self.front.close()
        if self.journal is not None:
            self.journal.close()


async def serve(settings: Settings, announce: Callable[[str], None], *, accepts_loss: bool = False) -> None:
    """Run a server until a signal ends it; announces its address when it listens."""
    sockets = inherited(os.environ)
    # A server that is stopped while it starts has the journal already, and ends in good order. The loop does not turn,
    # and calls none of these, until the server is made.
    with following_signals(settings, lambda: server.stop(), lambda: server.front.encryption):  # noqa: PLW0108  # made below
        server = Server(settings, sockets=sockets, accepts_loss=accepts_loss)
        try:
            if settings.at_eof == "stop":
                follow_input(server.stop)
            await server.listen()
        except BaseException:
            if server.journal is not None:
                server.journal.close()
            raise
        for line in greeting(settings, server.port, server.front.encryption, is_terminal=sys.stdout.isatty()):
            announce(line)
        note_ready()
        await server.run()


@contextmanager
def following_signals(
    settings: Settings, stop: Callable[[], object], encryption: Callable[[], Encryption | None]
) -> Iterator[None]:
    """Handle signals, and errors that no task awaits, during the block."""
    is_at_terminal = sys.stdin is not None and sys.stdin.isatty()

    def hang_up() -> None:
        used = encryption()
        if settings.certificate and used is not None:
            used.reload()
        elif is_at_terminal:  # which was closed, and its programs are to end
            stop()
        else:
            log.info("SIGHUP loads a certificate again, and this server was given none")

    asyncio.get_running_loop().set_exception_handler(log_stray)
    with handling({"SIGTERM": stop, "SIGINT": stop, "SIGBREAK": stop, "SIGHUP": hang_up}):
        yield


def note_ready() -> None:
    tell_systemd(os.environ, "READY=1", f"MAINPID={os.getpid()}")
    _collect_seldom()


def _collect_seldom() -> None:
    """Make Python's garbage collector run less often, and exclude objects from the start.

    A move makes no cycles. But to the collector, records that wait for the disk look like growth, so it searches every
    table in vain: at 300 tables with a journal that took a fifth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def follow_input(ended: Callable[[], None]) -> None:
    """:raises SettingsError: the end of standard input cannot be detected."""
    # The end of a file means nothing, and the system does not report it.
    mode = 0 if sys.stdin is None else os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or (mode and sys.stdin.isatty())):
        raise SettingsError("at_eof: stop follows standard input, which must be a pipe, a socket or a terminal")
    # By a thread: not every loop reads what is no socket. It waits for as long as the process lives, and ends with it.
    arguments = (sys.stdin.fileno(), asyncio.get_running_loop(), ended)
    threading.Thread(target=_read_to_end, args=arguments, name="input", daemon=True).start()


def _read_to_end(descriptor: int, loop: asyncio.AbstractEventLoop, ended: Callable[[], None]) -> None:
    """Wait for the end of standard input. The process that started the server holds it open, so this is the end of that
    process."""
    with suppress(OSError):
        while os.read(descriptor, 4096):
            pass
    with suppress(RuntimeError):  # the loop is closed: the server has ended meanwhile
        loop.call_soon_threadsafe(ended)


def clock_from(start: int) -> Callable[[], int]:
    """Milliseconds that continue from `start` and never go back."""
    offset = start - milliseconds()
    return lambda: milliseconds() + offset
