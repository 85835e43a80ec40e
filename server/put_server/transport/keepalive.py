"""Kernel keepalive for connections of people who type, because they cannot answer a ping."""

import asyncio
import socket
from typing import Final

from put_protocol.limits import DEAD_MS, QUIET_MS

PROBES: Final = 3
"""Unanswered probes until the connection is dead, spread over the time from a ping to giving up."""


def keep_alive(transport: asyncio.BaseTransport | None) -> None:
    """Have the kernel probe a silent peer, and give up, after the same times as for a program's ping.

    The table's clock limits a person's thinking. If the system cannot set these times, its own apply, usually two
    hours.
    """
    sock = transport.get_extra_info("socket") if transport is not None else None
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    times = {
        "TCP_KEEPIDLE": QUIET_MS // 1000,
        "TCP_KEEPINTVL": (DEAD_MS - QUIET_MS) // 1000 // PROBES,
        "TCP_KEEPCNT": PROBES,
        "TCP_USER_TIMEOUT": DEAD_MS,  # for what was sent and is not acknowledged, when the kernel does not ask
    }
    for name, value in times.items():
        option = getattr(socket, name, None)
        if option is not None:
            sock.setsockopt(socket.IPPROTO_TCP, option, value)
