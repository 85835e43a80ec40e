"""Kernel keepalive for silent connections: the network is asked, where a person cannot be."""

import asyncio
import socket
from typing import Final

from put_protocol.limits import DEAD_MS, QUIET_MS

PROBES: Final = 3
"""Unanswered ones after which the connection is dead: as many as fit between a ping and being taken for gone."""


def keep_alive(transport: asyncio.BaseTransport | None) -> None:
    """Have the kernel ask after so much silence as a program would be pinged after, and give up as soon.

    Nobody pings a person, who would have to type the answer; the table's clock limits how long they think.
    Where a system cannot be told the times, it asks after its own, mostly two hours.
    """
    line = transport.get_extra_info("socket") if transport is not None else None
    if line is None or line.family not in (socket.AF_INET, socket.AF_INET6):
        return
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    times = {
        "TCP_KEEPIDLE": QUIET_MS // 1000,
        "TCP_KEEPINTVL": (DEAD_MS - QUIET_MS) // 1000 // PROBES,
        "TCP_KEEPCNT": PROBES,
        "TCP_USER_TIMEOUT": DEAD_MS,  # for what was sent and is not acknowledged, when the kernel does not ask
    }
    for name, value in times.items():
        option = getattr(socket, name, None)
        if option is not None:
            line.setsockopt(socket.IPPROTO_TCP, option, value)
