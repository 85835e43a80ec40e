"""Listener: accepts connections, and passes each to a session when its first byte has arrived.

A silent connection costs a socket and an entry here, but no session. The first byte is only peeked at: a TLS handshake
goes to a session behind TLS, anything else to the session itself, which finds the codec.

An attacker can neither stop the accepting nor flood the log: each turn accepts a limited number, a reserved descriptor
is used to refuse connections when the system has no other, and then the listener pauses for a moment.
"""

import asyncio
import errno
import logging
import os
import socket
import ssl
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress

from put_protocol.connection import TLS_FIRST_BYTE
from put_protocol.limits import GREETING_MS, LATE_GREETING_MS, STRANGER_MS
from put_protocol.messages import Goodbye
from put_server.transport.admission import Admission, Caller
from put_server.transport.encryption import HANDSHAKE_SECONDS, SHUTDOWN_SECONDS, BadCertificate, Encryption
from put_server.transport.origins import Address, Networks, origin_of, parse_address
from put_server.transport.proxy_header import HEADER_BYTES, parse_proxy_header
from put_server.transport.web_pages import WebPages
from put_text.catalogue import say_in_english
from put_text.plain.login import prompt

log = logging.getLogger(__name__)

BACKLOG = 4096
"""Connections that may wait in the kernel, if it allows so many. If there are more, the kernel drops the next one,
which tries again after one second, then three, then seven."""

ADMITTED_AT_ONCE = 8
"""Connections accepted before other work continues; the rest wait in the kernel."""

ACCEPTED_AT_ONCE = 100
"""The same including refused connections, which take some 20 us each: a flood of them must not fill the queue."""

REST_SECONDS = 1.0
"""Pause in accepting when the system has no descriptor left."""

WARNING_INTERVAL_MS = 60_000

PLAIN_REFUSED = (
    "this server takes no connection without encryption from your address: connect with put-client, or with any "
    "program that speaks TLS (openssl s_client -quiet -connect HOST:PORT), or through ssh"
)

PROXY_MS = 3_000
"""Time for a proxy's header, which proxies send at once."""

_NO_DESCRIPTOR = frozenset(
    getattr(errno, name, errno.EMFILE) for name in ("EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "WSAEMFILE")
)


async def bind(host: str | None, port: int, backlog: int = BACKLOG) -> list[socket.socket]:
    """Listening sockets on every address of a host; None: on every interface.

    :raises OSError: no socket can be opened, or one of several is in use.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    failure = OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    with ExitStack() as opened:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            try:
                sockets.append(opened.enter_context(_bound(family, kind, protocol, address, backlog)))
            except OSError as error:
                if error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                    raise
                failure = error  # a system without IPv6 may still list such addresses
        if not sockets:
            raise failure
        opened.pop_all()
    return sockets


def _bound(family: int, kind: int, protocol: int, address: tuple[object, ...], backlog: int) -> socket.socket:
    # With the protocol, which `socket.create_server` leaves out: without it asyncio does not turn off Nagle's delay.
    listening = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let another program take the port away
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind(address)
        listening.listen(backlog)
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening


class Listener:
    """Listening sockets, its own or inherited, and the connections that have sent nothing yet."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        admission: Admission,
        session: Callable[[Caller], asyncio.BaseProtocol],
        *,
        now: Callable[[], int],
        exempt: Networks | None = None,
        proxies: Networks | None = None,
        encryption: Encryption | None = None,
        web: WebPages | None = None,
    ) -> None:
        """`session` makes the protocol of a connection. `encryption` is for connections that begin with a TLS
        handshake, and decides which peers may omit it. `proxies` send a PROXY header first. `web` answers HTTP."""
        self.sockets = tuple(sockets)
        self._encryption = encryption
        self._web = web
        self._admission = admission
        self._session = session
        self._now = now
        self._exempt = exempt or Networks()
        self._proxies = proxies or Networks()
        self._waiting: dict[_Waiting, None] = {}
        """Connections without a session, the oldest first."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._group: asyncio.TaskGroup | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._reserve = _spare()
        self._warned_at: int | None = None
        self._is_closed = False

    def serve(self, tasks: asyncio.TaskGroup) -> None:
        """Start accepting; connections are passed on in tasks of this group."""
        self._group = tasks
        self._resume()

    def _resume(self) -> None:
        self._resting = None
        loop = asyncio.get_running_loop()
        for listening in self.sockets:
            loop.add_reader(listening.fileno(), self._accept, listening)

    def _stop_for_a_moment(self) -> None:
        loop = asyncio.get_running_loop()
        for listening in self.sockets:
            loop.remove_reader(listening.fileno())
        now = self._now()
        if self._warned_at is None or now - self._warned_at >= WARNING_INTERVAL_MS:
            self._warned_at = now
            log.warning("no file descriptor is left: connections are turned away until some are closed")
        if self._resting is None:
            self._resting = loop.call_later(REST_SECONDS, self._resume)

    def _accept(self, listening: socket.socket) -> None:
        admitted = 0
        for _ in range(ACCEPTED_AT_ONCE):
            if admitted == ADMITTED_AT_ONCE:
                return
            try:
                sock, peer = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in _NO_DESCRIPTOR:
                    self._turn_away(listening)
                else:
                    log.warning("a connection could not be accepted: %s", error.strerror)
                return
            sock.setblocking(False)
            admitted += self._meet(sock, peer)

    def _turn_away(self, listening: socket.socket) -> None:
        """No descriptor is left: close a stranger's connection for the next peer, or close the waiting ones and
        pause."""
        if self._admission.make_room():
            return
        if self._reserve is not None:
            os.close(self._reserve)
            with suppress(OSError):
                while True:
                    listening.accept()[0].close()
            self._reserve = _spare()
        self._stop_for_a_moment()

    def _meet(self, sock: socket.socket, peer: tuple[object, ...]) -> bool:
        """Decide on a connection before anything is created for it. Returns true if it is accepted."""
        address: Address | None
        try:
            address = parse_address(str(peer[0]))
        except (ValueError, IndexError):  # an inherited socket of another family
            address = None
        if address is not None and address in self._proxies:
            proxy = Caller(str(address), origin_of(address), is_exempt=True)
            return self._hold(_Waiting(self, sock, proxy, behind_proxy=True))
        return self._hold(_Waiting(self, sock, self._caller(address)))

    def _caller(self, address: Address | None) -> Caller:
        if address is None:
            return Caller()
        text, origin = str(address), origin_of(address)
        text = origin if text == origin else text  # mostly they are equal, and one string will do
        return Caller(text, origin, is_exempt=address in self._exempt)

    def _hold(self, waiting: "_Waiting") -> bool:
        self._waiting[waiting] = None
        waiting.caller.holder = waiting
        is_refused = bool(self._admission.enter(waiting.caller))
        if is_refused:
            waiting.cut()
        else:
            waiting.begin()
        return not is_refused

    def name(self, waiting: "_Waiting", address: Address | None) -> bool:
        """A proxy has named its peer; None: the proxy itself. Returns false if the peer is refused."""
        self._admission.leave(waiting.caller)
        if address is not None:
            waiting.caller = self._caller(address)
        waiting.caller.holder = waiting
        return not self._admission.enter(waiting.caller)

    def refuse(self, waiting: "_Waiting", why: str) -> None:
        """A proxy sent no valid header."""
        self._admission.log.refused(waiting.caller.address, why)
        waiting.cut()

    def forget(self, waiting: "_Waiting") -> None:
        """A connection ended before it sent anything."""
        self._waiting.pop(waiting, None)
        self._admission.leave(waiting.caller)

    def hand_over(self, waiting: "_Waiting", first: int) -> None:
        """The first byte has arrived: pass the connection to a session."""
        del self._waiting[waiting]
        assert self._group is not None
        tls = self._context() if first == TLS_FIRST_BYTE else None
        waiting.caller.is_encrypted = tls is not None
        if tls is None and self._encryption is not None and not self._encryption.admits_plain(waiting.caller.address):
            waiting.caller.refusal = PLAIN_REFUSED
        task = self._group.create_task(self._hand_over(waiting.sock, waiting.caller, tls))
        waiting.caller.holder = _Handshake(task)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _context(self) -> ssl.SSLContext | None:
        try:
            return None if self._encryption is None else self._encryption.context
        except BadCertificate as error:
            log.error("no connection can be encrypted: %s", error)
            return None

    async def _hand_over(self, sock: socket.socket, caller: Caller, tls: ssl.SSLContext | None) -> None:
        loop = asyncio.get_running_loop()
        is_made = False
        try:
            session = self._session(caller)
            if tls is None:
                await loop.connect_accepted_socket(lambda: session, sock)
            else:
                await loop.connect_accepted_socket(
                    lambda: session,
                    sock,
                    ssl=tls,
                    ssl_handshake_timeout=HANDSHAKE_SECONDS,
                    ssl_shutdown_timeout=SHUTDOWN_SECONDS,
                )
            is_made = True
        except OSError:
            pass  # it broke, or its TLS did
        except Exception:  # the boundary: a bug while serving a peer ends only this peer
            log.exception("a connection could not be begun")
        finally:
            if not is_made:
                self._admission.leave(caller)

    def tick(self, now: int) -> None:
        """Close connections that have been silent for too long; call every second or so."""
        for waiting in list(self._waiting):
            age = now - waiting.caller.accepted_at
            if waiting.is_behind_proxy:
                if age >= PROXY_MS:
                    waiting.cut()
            elif age >= STRANGER_MS:
                waiting.dismiss(Goodbye(code="idle", says=say_in_english("refused-no-hello")))
            elif not waiting.is_greeted and age >= GREETING_MS:
                self._greet(waiting, age, now)

    def _greet(self, waiting: "_Waiting", age: int, now: int) -> None:
        """Greet a silent peer, if it may be a person with a bare connection."""
        caller = waiting.caller
        is_of_this_machine = not caller.address or parse_address(caller.address).is_loopback
        may_encrypt = self._encryption is not None and not is_of_this_machine
        admits = self._encryption is None or self._encryption.admits_plain(caller.address)
        has_page = self._web is not None and self._web.has_page
        if self._web is not None and self._web.may_be_browser(caller.site, now):
            return
        if admits and age >= (LATE_GREETING_MS if may_encrypt or has_page else GREETING_MS):
            waiting.greet()

    def stop(self) -> None:
        """Stop accepting; may be called again."""
        if self._is_closed:
            return
        self._is_closed = True
        loop = asyncio.get_running_loop()
        if self._resting is not None:
            self._resting.cancel()
        for listening in self.sockets:
            if self._group is not None:
                loop.remove_reader(listening.fileno())
            listening.close()
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None

    def close(self, goodbye: Goodbye | None = None) -> None:
        """Close the sockets and all silent connections, with a goodbye if there is one; may be called again."""
        self.stop()
        for waiting in list(self._waiting):
            waiting.dismiss(goodbye)
        for task in list(self._tasks):
            task.cancel()


class _Handshake:
    """Holder of a connection that is being passed to a session."""

    def __init__(self, task: asyncio.Task[None]) -> None:
        self._task = task

    def cut(self) -> None:
        self._task.cancel()


class _Waiting:
    """A connection before its first byte."""

    __slots__ = ("_header", "_listener", "_loop", "caller", "is_behind_proxy", "is_greeted", "sock")

    def __init__(self, listener: Listener, sock: socket.socket, caller: Caller, *, behind_proxy: bool = False) -> None:
        self.sock = sock
        self.caller = caller
        self.is_behind_proxy = behind_proxy
        """A proxy's header is to come first."""
        self.is_greeted = False
        self._header = b""
        self._listener = listener
        self._loop: asyncio.AbstractEventLoop | None = None
        """Set while it waits for a byte."""

    def begin(self) -> None:
        """Look at once, because many peers have sent `hello` before they are accepted; otherwise wait for a byte."""
        if not self._look() and self.caller.holder is self:
            self._loop = asyncio.get_running_loop()
            self._loop.add_reader(self.sock.fileno(), self._look)

    def _look(self) -> bool:
        """Look at the received bytes. Returns true if the wait is over."""
        try:
            while self.is_behind_proxy:
                if not self._read_header():
                    return False
            first = self.sock.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return False
        except (OSError, EOFError):
            self.cut()
            return True
        except ValueError as error:
            self._listener.refuse(self, str(error))
            return True
        if not first:
            self.cut()
            return True
        self._stop()
        self._listener.hand_over(self, first[0])
        return True

    def _read_header(self) -> bool:
        """Read a part of a proxy's header, and no byte more. Returns true if anything was read."""
        data = self.sock.recv(HEADER_BYTES, socket.MSG_PEEK)
        if not data:
            raise EOFError
        header = parse_proxy_header(self._header + data)
        if header is None:  # then all of it belongs to the header
            self._header += self.sock.recv(len(data))
            return True
        self.sock.recv(header.size - len(self._header))
        self.is_behind_proxy = False
        if not self._listener.name(self, header.address):
            raise EOFError
        return True

    def _stop(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self.sock.fileno())
            self._loop = None

    def greet(self) -> None:
        """Send the greeting, as far as the kernel takes it: two lines, and never more."""
        self.is_greeted = True
        with suppress(OSError):
            self.sock.send("".join(f"{line}\n" for line in prompt()).encode())

    def dismiss(self, goodbye: Goodbye | None) -> None:
        """Send the reason, as far as the kernel takes it, and close. Only greeted peers can be people; other codecs are
        unknown."""
        if self.is_greeted and goodbye is not None:
            with suppress(OSError):
                self.sock.send(f"{goodbye.says}\n".encode())
        self.cut()

    def cut(self) -> None:
        """Close; may be called again."""
        self._stop()
        self.sock.close()
        self._listener.forget(self)


def _spare() -> int | None:
    """A descriptor kept in reserve."""
    try:
        return os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return None
