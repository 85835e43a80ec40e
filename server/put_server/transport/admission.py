"""Admission: which connections there are, from where, and which are cut when there is no room.

A connection is a *stranger's* until the lobby has let its peer in. Strangers have places of their own, and never take
those of people: so whoever comes back to a seat finds a place, however many strangers there are. A new stranger is let
in even when all places of strangers are taken. Then another is cut: of the origin with the most strangers the one who
has been here longest. So an origin that fills the places crowds out itself, and a program that says its hello at once
is not a stranger for long.
"""

from collections.abc import Callable
from typing import Protocol

STRANGERS = 256
"""Connections of strangers: those who have not said hello yet, and those about to be refused."""

STRANGERS_AN_ORIGIN = 64
"""Enough for the bots of one machine that all connect at once."""


class Holder(Protocol):
    """Whoever holds a connection: the listener, and then a session."""

    def cut(self) -> None: ...


class Caller:
    """One connection, from its being accepted to its end."""

    __slots__ = ("address", "holder", "is_encrypted", "is_stranger", "origin", "refusal", "since")

    def __init__(self, address: str = "", origin: str = "", since: int = 0) -> None:
        self.address = address
        """As text, for the log; empty where there is no socket."""
        self.origin = origin
        """What quotas are kept under; empty: exempt."""
        self.since = since
        """When it was accepted."""
        self.holder: Holder | None = None
        self.is_encrypted = False
        self.refusal = ""
        """Why the peer is sent away, to be said as soon as it has shown how it speaks; empty: it is not."""
        self.is_stranger = False


class Admission:
    """The connections of a server."""

    def __init__(self, now: Callable[[], int], *, strangers: int = STRANGERS) -> None:
        self._now = now
        self._most_strangers = strangers
        self._callers: set[Caller] = set()
        self._strangers: dict[str, dict[Caller, None]] = {}
        """By origin, the oldest first."""
        self._stranger_count = 0

    @property
    def connections(self) -> int:
        return len(self._callers)

    def enter(self, caller: Caller) -> None:
        """A connection was made; another may be cut for it."""
        caller.since = self._now()
        self._callers.add(caller)
        self.distrust(caller)

    def distrust(self, caller: Caller) -> None:
        """Count a connection as a stranger's, be it new or no longer anybody's."""
        if caller.is_stranger or caller not in self._callers:
            return
        mine = self._strangers.get(caller.origin, {})
        if caller.origin and len(mine) >= STRANGERS_AN_ORIGIN:
            self._cut_oldest(mine)
        elif self._stranger_count >= self._most_strangers:
            self.make_room()
        caller.is_stranger = True
        self._strangers.setdefault(caller.origin, {})[caller] = None
        self._stranger_count += 1

    def make_room(self) -> bool:
        """Cut a stranger. False: there is none."""
        if not self._strangers:
            return False
        self._cut_oldest(max(self._strangers.values(), key=len))
        return True

    def _cut_oldest(self, strangers: dict[Caller, None]) -> None:
        caller = next(iter(strangers))
        holder = caller.holder
        self.leave(caller)
        if holder is not None:
            holder.cut()

    def trust(self, caller: Caller) -> None:
        """The lobby let the peer in."""
        if not caller.is_stranger:
            return
        caller.is_stranger = False
        mine = self._strangers[caller.origin]
        del mine[caller]
        if not mine:
            del self._strangers[caller.origin]
        self._stranger_count -= 1

    def leave(self, caller: Caller) -> None:
        """A connection ended; may be called again."""
        self.trust(caller)
        caller.holder = None
        self._callers.discard(caller)
