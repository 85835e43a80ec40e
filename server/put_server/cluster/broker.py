"""Connection to the broker: its addresses, who we are there, and TLS, all as the settings say.

Laws: a credential comes from a file and from nowhere else, so no list of processes and no environment shows it; it is
in no log and no error. A connection that drops is made again for as long as the process runs: who cannot wait for that
has a time limit of their own.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError

from put_runtime.settings import SettingsError
from put_server.settings import Settings, urls_in

log = logging.getLogger(__name__)

CONNECT_S = 5.0
"""For each address at the start; one that does not answer is then passed over."""

AGAIN_S = 0.25
"""Between two attempts to connect again."""

PENDING_BYTES = 16 * 2**20
"""What may wait for the broker while it is away; beyond that sending fails."""

ALONE_S = 5.0
"""For which nobody is heard, after which another node is tried: longer than any takeover."""

LONGEST_ALONE_S = 60.0
"""The same, once several were tried for nothing."""

PING_S = 1
"""Between two pings: a broker that hangs, or whose machine is gone, is noticed when three have no answer."""

CREDENTIAL_BYTES = 16 * 1024
"""The longest file of credentials: a JWT has some kilobytes."""

MOST_TOLD = 8
"""Errors that are kept of a connection that is not made."""

_JWT = "-----BEGIN NATS USER JWT-----"


class NoBroker(Exception):
    """No NATS server answers, or it will not have us; the sentence says why."""


@asynccontextmanager
async def connected(settings: Settings, name: str) -> AsyncIterator[Client]:
    """A connection for the block; `name` is what the broker's own tools show.

    :raises SettingsError: a file of credentials or certificates cannot be used.
    :raises NoBroker: no server answers, or it refuses us.
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

    urls = urls_in(settings.nats)
    try:
        # Its client waits for ever for a broker that ends TLS because it wants a certificate of ours.
        async with asyncio.timeout((len(urls) + 1) * CONNECT_S):
            await client.connect(
                urls,
                name=name,
                connect_timeout=CONNECT_S,  # type: ignore[arg-type]  # it takes parts of a second too
                allow_reconnect=True,
                max_reconnect_attempts=1,  # until we were in once
                reconnect_time_wait=AGAIN_S,  # type: ignore[arg-type]
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
        refused = [one for one in told if "uthorization" in one]  # after which it may cut the connection
        why = (refused or told or [_reason(error)])[-1]
        raise NoBroker(f"no NATS server can be used at {settings.nats}: {why}") from None
    client.options["max_reconnect_attempts"] = -1
    try:
        yield client
    finally:
        is_ending = True
        client.options["allow_reconnect"] = False
        # AttributeError: what waits is written once more, and an encrypted connection that is gone takes nothing.
        with suppress(NatsError, TimeoutError, OSError, AttributeError):
            await client.close()


class BrokerWatch:
    """Tells when another node of the broker should be tried: one that is cut off from the others keeps its connection
    with us, and brings nobody's word."""

    def __init__(self, now: float) -> None:
        self._heard_at = now
        self._patience = ALONE_S

    def look(self, now: float, *, is_heard: bool) -> bool:
        """True if to try another one now; asked every second or so. Where nobody answers by any, seldom."""
        if is_heard:
            self._heard_at, self._patience = now, ALONE_S
            return False
        if now - self._heard_at < self._patience:
            return False
        self._heard_at, self._patience = now, min(2 * self._patience, LONGEST_ALONE_S)
        return True


def _reason(error: BaseException) -> str:
    return str(error).removeprefix("nats: ").strip("'") or type(error).__name__


def _noting(told: list[str]) -> Any:
    """Keeps what goes wrong until we are in, and logs it afterwards."""

    async def note(error: Exception) -> None:
        why = _reason(error)
        # What we may not do is said to nobody but us, and whoever waits for an answer waits in vain.
        is_news = "ermissions" in why and why not in told
        told.append(why)
        del told[:-MOST_TOLD]
        log.log(logging.WARNING if is_news else logging.DEBUG, "NATS: %s", why)

    return note


async def _reconnected() -> None:
    log.info("connected to NATS again")


def _identity(settings: Settings) -> dict[str, Any]:
    """Who we are to the broker, as its client takes it.

    :raises SettingsError: the file cannot be used.
    """
    if not settings.nats_creds:
        return {}
    path = Path(settings.nats_creds).expanduser()
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(CREDENTIAL_BYTES)
    except OSError as error:
        raise SettingsError(f"nats_creds: {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"nats_creds: {path} is no file of credentials") from None
    if _JWT in text:
        return {"user_credentials": str(path)}
    lines = text.split()
    match lines:
        case [seed] if seed.startswith("SU"):
            return {"nkeys_seed_str": seed}
        case [user, password]:
            return {"user": user, "password": password}
        case _:
            raise SettingsError(
                f"nats_creds: {path} must be a .creds file of NATS, the seed of a user's nkey, or a user and a password"
            )


def _tls(settings: Settings) -> ssl.SSLContext | None:
    """None: only if an address says so, and then with the authorities that the system trusts.

    :raises SettingsError: a file cannot be used.
    """
    if settings.nats_key and not settings.nats_certificate:
        raise SettingsError("nats_key: there is a key and no certificate; name both files, or neither")
    is_asked = any(url.startswith("tls://") for url in urls_in(settings.nats))
    if not (is_asked or settings.nats_ca or settings.nats_certificate):
        return None
    named = "nats_ca"
    try:
        context = ssl.create_default_context(cafile=_file(settings.nats_ca))
        if settings.nats_certificate:
            named = "nats_certificate"
            context.load_cert_chain(_file(settings.nats_certificate) or "", _file(settings.nats_key))
    except OSError as error:
        path = settings.nats_ca if named == "nats_ca" else settings.nats_certificate
        raise SettingsError(f"{named}: {path} cannot be used: {error.strerror or error}") from None
    return context


def _file(path: str) -> str | None:
    return str(Path(path).expanduser()) if path else None
