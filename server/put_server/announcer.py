"""Announcer: announces the server on the local network (DNS-SD), so that players need not type an address.

It announces only private addresses, because clients elsewhere cannot receive it. It sends the server's name, version,
key fingerprint, and number of tables and people, at most every `REFRESH_SECONDS`.
"""

import asyncio
import importlib
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from put_protocol.text import printable
from put_runtime.dns_service import KEY, PEOPLE, SERVICE, TABLES, VERSION
from put_runtime.system_errors import reason_of
from put_server.greeting import is_for_this_machine, private_addresses
from put_server.settings import Settings

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

log = logging.getLogger(__name__)

REFRESH_SECONDS = 15.0
"""Shortest interval between changes of the counts. Approximate counts are enough, and save network traffic."""

HEAR_SECONDS = 1.0
"""Time for servers to announce their names: most need a fifth of it."""

GOODBYE_SECONDS = 2.0
NAME_BYTES = 50
"""Longest name in a DNS label of 63 bytes, with room for a number if two servers have the same name."""

Counts = Callable[[], tuple[int, int]]
"""Tables and people."""


def wants_announcing(settings: Settings) -> bool:
    """True if a server is meant for others on this network. False if only this machine can reach it, or if it stores
    nothing: then it is a trial, with a new key each time."""
    return settings.announce == "yes" and settings.journal is not None and not is_for_this_machine(settings)


class Announcer:
    def __init__(self, settings: Settings, port: int, fingerprint: str, version: str, counts: Counts) -> None:
        self._settings = settings
        self._port = port
        self._fingerprint = fingerprint
        self._version = version
        self._counts = counts
        self.has_successor = False
        """Another process now announces this server, so its end is not announced."""
        self._told: tuple[int, int] | None = None
        self._label = _label(settings.name)

    async def run(self) -> None:
        """Announce the server. If the network does not allow it, the server continues without."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, importlib.import_module, "zeroconf.asyncio")
        from zeroconf import Error, InterfaceChoice  # noqa: PLC0415  # loaded just now, in a thread
        from zeroconf._services.registry import ServiceRegistry  # noqa: PLC0415
        from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415

        addresses = private_addresses(self._settings.host)
        if not addresses:
            log.info("not announced: this machine has no address on a local network")
            return
        host = self._settings.host
        try:
            network = AsyncZeroconf(interfaces=InterfaceChoice.All if host == "*" else [host])
        except OSError as error:
            log.warning("not announced on the local network: %s", error.strerror or error)
            return
        try:
            await self._announce(network, addresses)
        except (OSError, Error) as error:
            log.warning("no longer announced on the local network: %s", reason_of(error))
        finally:
            if self.has_successor:
                network.zeroconf.registry = ServiceRegistry()  # nothing is taken back
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await network.async_close()

    async def _announce(self, network: "AsyncZeroconf", addresses: list[str]) -> None:
        await self._hear_names(network)
        self._told = self._counts()
        info = self._info(addresses)
        await (await network.async_register_service(info, allow_name_change=True))
        self._label = info.name.removesuffix(f".{SERVICE}")
        log.info("announced on the local network")
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            if (counts := self._counts()) != self._told:
                self._told = counts
                await (await network.async_update_service(self._info(addresses)))

    async def _hear_names(self, network: "AsyncZeroconf") -> None:
        """Learn which names are taken. The library asks too, but requests answers to this machine's address. There
        they reach only one of the listening programs, so a second server on the machine took the name of the first.
        Answers to this question are multicast."""
        from zeroconf import DNSQuestionType  # noqa: PLC0415  # loaded by now
        from zeroconf.asyncio import AsyncServiceBrowser  # noqa: PLC0415

        ask = DNSQuestionType.QM
        browser = AsyncServiceBrowser(network.zeroconf, SERVICE, handlers=[lambda **_: None], question_type=ask)
        await asyncio.sleep(HEAR_SECONDS)
        await browser.async_cancel()

    def _info(self, addresses: list[str]) -> "AsyncServiceInfo":
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415  # loaded by now

        tables, people = self._told or (0, 0)
        said = {VERSION: self._version, KEY: self._fingerprint, TABLES: str(tables), PEOPLE: str(people)}
        name = f"{self._label}.{SERVICE}"
        return AsyncServiceInfo(
            SERVICE, name, parsed_addresses=addresses, port=self._port, properties=said, server=name
        )


def _label(name: str) -> str:
    """A server's name as a DNS label: without dots, and not too long."""
    text = printable(name).replace(".", " ").strip() or "put-server"
    return text.encode()[:NAME_BYTES].decode(errors="ignore").strip() or "put-server"
