"""Connection to the broker, a cluster's names there, and publishing.

Laws: a credential comes only from a file, so it is in no process list, environment, log or error. A lost connection is
re-established as long as the process runs; callers that cannot wait have their own time limits.
"""

import asyncio
import logging
import os
import re
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import nkeys  # type: ignore[import-untyped]  # it has none
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import APIError, ServiceUnavailableError

from put_runtime.settings import SettingsError
from put_server.cluster.link_messages import PIECE_BYTES
from put_server.settings import Settings, listed

log = logging.getLogger(__name__)

CONNECT_S = 5.0
"""Time limit for each address at the start; a silent address is skipped."""

ANSWER_S = 5.0
"""Time limit for an answer about a stream, bucket or object. A shard has a shorter one for its messages."""

RECONNECT_PAUSE_S = 0.25
PENDING_BYTES = 16 * 2**20
"""Most bytes queued while the broker is away; then sending fails."""

ALONE_S = 5.0
"""Silence of all peers after which another node is tried; longer than any takeover."""

LONGEST_ALONE_S = 60.0
"""Longest such time, after several nodes were tried without success."""

PING_S = 1
"""Interval of pings. After three without an answer the broker counts as gone."""

CREDENTIAL_BYTES = 16 * 1024
"""Bytes read of a file of credentials: a JWT has some kilobytes."""

MOST_CONNECT_ERRORS = 8
_CREDS = re.compile(r"-BEGIN NATS USER JWT-.*-BEGIN USER NKEY SEED-+\s+(\S+)", re.DOTALL)


def heed_cancellation() -> None:
    """Raise a cancellation that was sent to this task but lost. Call it before repeating a loop, and before an
    unlimited wait. `asyncio.wait_for` of Python 3.11 swallows a cancellation that arrives at the same moment as the
    result, and the broker's client calls it everywhere.

    :raises asyncio.CancelledError: the task was cancelled.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


class OutOfReach(Exception):
    """NATS does not answer, or refuses a request; the sentence says why. Raised by all functions that use NATS, unless
    a docstring names another error."""


class BadCluster(Exception):
    """The cluster does not exist, or cannot be used; the sentence says why."""


def reason(error: BaseException) -> str:
    """The broker's reason, as the end of a sentence."""
    if isinstance(error, ServiceUnavailableError) and not error.err_code:
        return "it has no JetStream; start nats-server with -js, or with jetstream in its configuration"
    if isinstance(error, APIError) and (description := getattr(error, "description", "")):  # key errors have none
        return str(description)
    return str(error).removeprefix("nats: ").strip("'") or type(error).__name__


@contextmanager
def asking(failure: str) -> Iterator[None]:
    """Use the broker in the block. `failure`: beginning of an error's sentence.

    :raises OutOfReach: the broker does not answer, or refuses.
    """
    try:
        yield
    except (NatsError, TimeoutError) as error:
        raise OutOfReach(f"{failure}: {reason(error)}") from None


@asynccontextmanager
async def connected(settings: Settings, name: str) -> AsyncIterator[Client]:
    """Connect for the block; the broker's own tools show `name`.

    :raises SettingsError: a file of credentials or certificates is unusable.
    :raises OutOfReach: no server answers, or the connection is refused.
    """
    options = _identity(settings)
    if (context := _tls(settings)) is not None:
        options["tls"] = context
    client = Client()
    told: list[str] = []
    is_ending = False

    async def note_disconnected() -> None:
        if not is_ending:
            log.warning("the connection to NATS is lost; trying again")

    urls = listed(settings.nats)
    try:
        # The client waits for ever for a broker that ends TLS because we sent no certificate.
        async with asyncio.timeout((len(urls) + 1) * CONNECT_S):
            await client.connect(
                urls,
                name=name,
                connect_timeout=CONNECT_S,  # type: ignore[arg-type]  # it takes parts of a second too
                allow_reconnect=True,
                max_reconnect_attempts=1,  # until the first connection
                reconnect_time_wait=RECONNECT_PAUSE_S,  # type: ignore[arg-type]
                ping_interval=PING_S,
                pending_size=PENDING_BYTES,
                error_cb=_noting(told),
                disconnected_cb=note_disconnected,
                reconnected_cb=_reconnected,
                **options,
            )
    except (OSError, NatsError, TimeoutError, ValueError) as error:
        is_ending = True
        with suppress(NatsError, TimeoutError, OSError):
            await client.close()
        refused = [one for one in told if "uthorization" in one]  # a later error may only say that it hung up
        why = (refused or told or [reason(error)])[-1]
        raise OutOfReach(f"no NATS server can be used at {settings.nats}: {why}") from None
    client.options["max_reconnect_attempts"] = -1
    try:
        yield client
    finally:
        is_ending = True
        client.options["allow_reconnect"] = False
        # AttributeError: the client writes what is pending, and a lost encrypted connection has no writer.
        with suppress(NatsError, TimeoutError, OSError, AttributeError):
            await client.close()


class BrokerWatch:
    """Tries another node of the broker when nothing is heard. A node that is cut off from the other nodes
    keeps its connection with us, but delivers no messages from other processes."""

    def __init__(self, now: float, patience_s: float) -> None:
        self._heard_at = now
        self._least_s = self._patience_s = patience_s

    async def look(self, client: Client, now: float, *, is_heard: bool) -> None:
        """Call it about once a second or more. `is_heard`: another process, or the leader of a stream, was heard. The
        pauses grow while nothing is heard through any node."""
        if is_heard or not client.is_connected:
            self._heard_at, self._patience_s = now, self._least_s
        elif now - self._heard_at >= self._patience_s:
            self._heard_at, self._patience_s = now, min(2 * self._patience_s, LONGEST_ALONE_S)
            if len(client.servers) > 1:
                log.warning("nothing is heard by this node of NATS: trying another one")
                await client.force_reconnect()


def _noting(told: list[str]) -> Any:
    """A callback that logs errors of the client, and keeps the last ones in `told`."""

    async def note(error: Exception) -> None:
        why = reason(error)
        # Only this log shows a missing permission; the task that asked just gets no answer.
        is_news = "ermissions" in why and why not in told
        told.append(why)
        del told[:-MOST_CONNECT_ERRORS]
        log.log(logging.WARNING if is_news else logging.DEBUG, "NATS: %s", why)

    return note


async def _reconnected() -> None:
    log.info("connected to NATS again")


def _identity(settings: Settings) -> dict[str, Any]:
    """Credentials, as options of the broker's client.

    :raises SettingsError: the file is unusable.
    """
    if not settings.nats_creds:
        return {}
    path = Path(settings.nats_creds)
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(CREDENTIAL_BYTES)
    except OSError as error:
        raise SettingsError(f"nats_creds: {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"nats_creds: {path} is no file of credentials") from None
    options: dict[str, Any]
    match text.split():
        case [user, password]:
            return {"user": user, "password": password}
        case [seed] if seed.startswith("SU"):
            options = {"nkeys_seed_str": seed}
        case _ if (found := _CREDS.search(text)) is not None:
            seed, options = found[1], {"user_credentials": str(path)}
        case _:
            raise SettingsError(
                f"nats_creds: {path} must be a .creds file of NATS, the seed of a user's nkey, or a user and a password"
            )
    try:
        nkeys.from_seed(bytearray(seed.encode()))
    except (nkeys.NkeysError, ValueError):
        raise SettingsError(f"nats_creds: the seed in {path} is damaged") from None
    return options


def _tls(settings: Settings) -> ssl.SSLContext | None:
    """TLS context of the settings; None: they have neither a TLS address nor a TLS file.

    :raises SettingsError: a file is unusable.
    """
    if settings.nats_key and not settings.nats_certificate:
        raise SettingsError("nats_key: there is a key and no certificate; name both files, or neither")
    is_asked = any(url.startswith("tls://") for url in listed(settings.nats))
    if not (is_asked or settings.nats_ca or settings.nats_certificate):
        return None
    named = "nats_ca"
    try:
        context = ssl.create_default_context(cafile=settings.nats_ca or None)
        if settings.nats_certificate:
            named = "nats_certificate"
            # Without a password OpenSSL would ask for that of an encrypted key at the terminal, and wait.
            context.load_cert_chain(settings.nats_certificate, settings.nats_key or None, password="")
    except OSError as error:
        path = settings.nats_ca if named == "nats_ca" else settings.nats_certificate
        raise SettingsError(f"{named}: {path} cannot be used: {error.strerror or error}") from None
    return context


class BrokerNames(NamedTuple):
    """Names of one cluster, whose own name has only letters, digits, `-` and `_` (see `settings`)."""

    cluster: str

    @property
    def config(self) -> str:
        """Key-value bucket with the configuration, which is fixed when the cluster is created."""
        return f"put-{self.cluster}"

    @property
    def aliases(self) -> str:
        """Object store with the homes of people from `put-server migrate`, whose tokens do not lead to their homes."""
        return f"put-{self.cluster}-aliases"

    def has(self, stream: str) -> bool:
        """True if a stream belongs to this cluster or to one of its buckets. Another cluster may be called `put-2`."""
        buckets = f"KV_{self.config}", f"OBJ_{self.aliases}"
        return stream in buckets or re.fullmatch(rf"put-{self.cluster}-\d+(-games)?", stream) is not None

    def stream(self, shard: int) -> str:
        return f"put-{self.cluster}-{shard}"

    def games(self, shard: int) -> str:
        return f"put-{self.cluster}-{shard}-games"

    def subject(self, *parts: object) -> str:
        """Subject of messages between processes: `status`, a question to all; `calls` and a role, an operator's call;
        `workers`, beats; `kept`, absent players; `shard` and its number, packets of gateways."""
        return ".".join(["put", self.cluster, *map(str, parts)])

    def to_gateway(self, gateway: str) -> str:
        """Subject that one gateway reads; with an empty name, the subject that all gateways read."""
        return self.subject("gate", gateway) if gateway else self.subject("gates")


HEADER_BYTES = 1024
"""Largest size of a packet without its items."""


def process_name() -> str:
    """Unique name of this process, which may be part of names on the broker."""
    return f"{socket.gethostname().split('.')[0]}-{os.getpid()}-{secrets.token_hex(4)}"


class LinkPublisher:
    """Publisher of all links of a process.

    Links queue their items. The publisher collects them once in each turn of the event loop, so that all items of a
    turn go out in one packet for each link. If a packet cannot be published it is dropped: the next packet shows the
    gap, and the link breaks.
    """

    def __init__(self, client: Client, collect: Callable[[], Iterable[tuple[str, bytes]]]) -> None:
        """`collect`: returns packets to publish now, each with its subject.

        :raises BadCluster: packets exceed the largest message of the NATS server.
        """
        if client.max_payload < PIECE_BYTES + HEADER_BYTES:
            says = f"the NATS server carries {client.max_payload} bytes a message: set its max_payload to 1MB"
            raise BadCluster(says)
        self._client = client
        self._collect = collect
        self._is_wanted = asyncio.Event()

    def wake(self) -> None:
        self._is_wanted.set()

    async def run(self) -> None:
        while True:
            heed_cancellation()
            await self._is_wanted.wait()
            self._is_wanted.clear()
            for subject, data in self._collect():
                try:
                    await self._client.publish(subject, data)
                except NatsError as error:
                    log.warning("nothing can be published on NATS: %s", error)
                    break
