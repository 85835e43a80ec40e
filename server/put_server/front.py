"""Front: the port, TLS, HTTP, admission, and the announcement on the local network.

A `Reception` handles admitted peers: the dispatcher of a lobby, or the gateway of a cluster.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from put_protocol.messages import Goodbye
from put_runtime.command_line import installed_version
from put_runtime.settings import SettingsError
from put_server.announcer import Announcer, Counts, wants_announcing
from put_server.greeting import is_for_this_machine, lan_address
from put_server.settings import Settings, listed
from put_server.transport.admission import ASIDE, KEPT_FOR_RETURNS, STRANGERS, Admission, Caller
from put_server.transport.bans import BadBans, Bans
from put_server.transport.encryption import CertificateFiles, Encryption, Plain, save_memory
from put_server.transport.http_page import NOT_HERE, HttpPage, Route, probe_routes
from put_server.transport.listener import Listener, bind
from put_server.transport.origins import Networks, parse_networks
from put_server.transport.reception import Reception
from put_server.transport.session import Session
from put_server.transport.web_pages import Hosts, WebPages

log = logging.getLogger(__name__)

CERTIFICATE_TICKS = 60
"""Seconds between looks at the files of a certificate."""

SELECTED = 512
"""Sockets that an event loop can handle on Windows, where it uses select()."""


class CannotListen(Exception):
    """The port cannot be opened; the sentence says why."""


class Front:
    """Created first; `reception` must be set before it listens."""

    reception: Reception
    listener: Listener
    """Set by `listen`."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], int],
        *,
        is_healthy: Callable[[], bool],
        metrics: Callable[[], HttpPage],
        sockets: Sequence[socket.socket] = (),
        bans: Bans | None = None,
        push_key: Callable[[], HttpPage] = lambda: HttpPage(200, b""),
    ) -> None:
        """`sockets`: listen on these, not on the settings' address. `bans`: None: read the settings' file.

        :raises SettingsError: the file of bans or of certificates is invalid.
        :raises BadCertificate: the key or the certificate is unusable.
        """
        self._settings = settings
        self._now = now
        try:
            self.bans = Bans(settings.bans) if bans is None else bans
        except BadBans as error:
            raise SettingsError(str(error)) from None
        self.admission = Admission(now, bans=self.bans)
        people = settings.most_people
        self.admission.fit(_allow_files(people + people // (KEPT_FOR_RETURNS - 1) + 1 + STRANGERS + ASIDE))
        self._inherited = tuple(sockets)
        self.encryption = _encryption(settings)
        if self.encryption is not None:
            save_memory()
            # Where only this machine is served no client asks for it, and a key takes a tenth of a second.
            if not is_for_this_machine(settings):
                _ = self.encryption.context
        readers = Networks(parse_networks(settings.metrics_from))
        self.web = WebPages(
            {
                **probe_routes(is_healthy, metrics, readers),
                "/address": Route(
                    partial(_own_address, settings), Networks(parse_networks("127.0.0.0/8 ::1")), NOT_HERE
                ),
                "/push-key": Route(push_key, Networks(parse_networks("0.0.0.0/0 ::/0"))),
            },
            needs=("put_server.metrics", "put_server.push.web_push"),
            has_page=settings.web == "yes",
            hosts=Hosts(
                [settings.host, *listed(settings.allowed_host)],
                lambda: () if self.encryption is None else self.encryption.names,
            ),
            log=self.admission.log,
        )
        self._announcer: Announcer | None = None
        self._ticks = 0

    @property
    def port(self) -> int:
        port: int = self.listener.sockets[0].getsockname()[1]
        return port

    async def listen(self) -> None:
        """:raises CannotListen: the address cannot be opened."""
        self.listener = Listener(
            self._inherited or await self._bind(),
            self.admission,
            self._session,
            now=self._now,
            exempt=Networks(parse_networks(self._settings.exempt)),
            proxies=Networks(parse_networks(self._settings.proxies)),
            encryption=self.encryption,
            web=self.web,
        )

    async def _bind(self) -> list[socket.socket]:
        host: str | None = self._settings.host
        if host == "*":
            # With port 0 every address family would get a port of its own, and only one could be announced.
            host = None if self._settings.port else "0.0.0.0"
        try:
            return await bind(host, self._settings.port)
        except (OSError, UnicodeError) as error:  # the second: what looks like a host's name and cannot be one
            address = f"{self._settings.host}:{self._settings.port}"
            raise CannotListen(f"cannot listen on {address}: {getattr(error, 'strerror', None) or error}") from None

    def _session(self, caller: Caller) -> Session:
        return Session(self.reception, caller, self.web)

    def serve(self, tasks: asyncio.TaskGroup, counts: Counts) -> asyncio.Task[None]:
        """Start accepting. Returns the task of the announcement, to cancel at the end. `counts`: its numbers."""
        self.listener.serve(tasks)
        return tasks.create_task(self._announce(counts))

    async def _announce(self, counts: Counts) -> None:
        if not wants_announcing(self._settings):
            return
        key = "" if self.encryption is None else self.encryption.fingerprint
        try:
            self._announcer = Announcer(self._settings, self.port, key, installed_version(), counts)
            await self._announcer.run()
        except Exception:  # the boundary: what a network says to a library must not end the games
            log.exception("the server is no longer announced on the local network")

    def note_successor(self) -> None:
        """Note that another process now serves the port."""
        if self._announcer is not None:
            self._announcer.has_successor = True

    def tick(self) -> None:
        """Apply time limits of connections; call every second or so."""
        self._ticks += 1
        if self._ticks % CERTIFICATE_TICKS == 0 and self.encryption is not None:
            self.encryption.reload_if_changed()
        self.reception.tick_sessions()
        self.listener.tick(self._now())

    def stop(self) -> None:
        """Stop accepting; may be called again."""
        self.listener.stop()

    def dismiss_all(self, goodbye: Goodbye) -> None:
        self.listener.close(goodbye)
        self.reception.dismiss_all(goodbye)

    def close(self) -> None:
        """Cut all connections; may be called again."""
        self.listener.close()
        self.reception.cut_all()


def _own_address(settings: Settings) -> HttpPage:
    """This machine's address on the local network, for a page; empty: there is none."""
    return HttpPage(200, b"" if is_for_this_machine(settings) else (lan_address() or "").encode())


def _encryption(settings: Settings) -> Encryption | None:
    """:raises SettingsError: there is a key without a certificate, or no peer could connect."""
    if settings.key and not settings.certificate:
        raise SettingsError("key: there is a key and no certificate; name both files, or neither")
    if settings.tls == "off":
        if settings.plain == "none":
            raise SettingsError("plain: none admits no connection without encryption, and tls: off has none with it")
        return None
    files = None
    if settings.certificate:
        certificate = Path(settings.certificate)
        files = CertificateFiles(certificate, Path(settings.key) if settings.key else certificate)
    return Encryption(own_key=settings.own_key, files=files, plain=Plain(settings.plain))


def _allow_files(count: int) -> int:
    """Raise the limit of open files, as far as the system allows, because each connection is one. Returns the limit."""
    try:
        import resource  # noqa: PLC0415  # POSIX only
    except ImportError:
        return min(count, SELECTED)
    if sys.platform == "win32":
        return min(count, SELECTED)
    else:  # noqa: RET505  # what follows a return is unreachable to type checkers on Windows
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
        return count if soft == resource.RLIM_INFINITY else soft
