"""Log of peers: arrivals with addresses, departures, and refusals; one line each.

A line begins with the event and the address. A peer's own words, such as their name, come last, quoted and escaped, so
a program that reads the log can trust all before them. Passwords, passcodes and tokens are never logged.

Lines are limited for each address and each kind in a minute. Then one line a minute says how many were left out.
"""

import json
import logging
from collections import Counter

log = logging.getLogger(__name__)

LINES_A_MINUTE = 120
"""The most lines of each kind."""

LINES_AN_ADDRESS = 20
"""Most lines of each kind from one address in a minute: enough for fail2ban, and a limit for one address."""

_MINUTE_MS = 60_000


class PeerLog:
    """Writes the lines. Call `tick` every few seconds."""

    def __init__(self) -> None:
        self._began = 0
        self._told: Counter[tuple[str, ...]] = Counter()
        """Lines of this minute, by kind, and by kind and address."""
        self._left_out: Counter[str] = Counter()

    def arrived(self, address: str, name: str, *, is_back: bool) -> None:
        self._tell("returned" if is_back else "arrived", address, name=name)

    def left(self, address: str, name: str, why: str) -> None:
        self._tell("left", address, why, name)

    def refused(self, address: str, why: str) -> None:
        self._tell("refused", address, why)

    def lost_play(self, says: str) -> None:
        """A peer knows of play that is not kept. They may lie, so these lines are limited, too."""
        if self._has_room("losses", ""):
            log.error("acknowledged play was lost: %s", says)

    def _has_room(self, kind: str, address: str) -> bool:
        if self._told[kind,] >= LINES_A_MINUTE or self._told[kind, address] >= LINES_AN_ADDRESS:
            self._left_out[kind] += 1
            return False
        self._told.update([(kind,), (kind, address)])
        return True

    def _tell(self, kind: str, address: str, why: str = "", name: str = "") -> None:
        if not self._has_room(kind, address):
            return
        known = {"event": kind, "address": address, "reason": why, "name": name}
        fields = {field: value for field, value in known.items() if value}
        reason = f": {why}" if why else ""
        called = f" {json.dumps(name, ensure_ascii=not name.isprintable())}" if name else ""
        log.info("%s %s%s%s", kind, address or "-", reason, called, extra={"fields": fields})

    def tick(self, now: int) -> None:
        """Begin a new minute if it is time, and log what was left out of the last."""
        if now - self._began < _MINUTE_MS:
            return
        self._began = now
        for kind, count in self._left_out.items():
            log.info("%d more %s in the last minute", count, kind, extra={"fields": {"event": kind, "left_out": count}})
        self._told.clear()
        self._left_out.clear()
