"""Account numbers: numbers by which a gateway keeps the debts of people, also for a while after they left."""

from collections.abc import Callable, Collection, Iterable

from put_server.table.table_effects import PersonId

KNOWN_MS = 60_000
"""Time for which a token that left is remembered; a debt is paid long before."""


class AccountNumbers:
    """Numbers of all people who are here or were lately, by digest of token. A gateway knows no other number of
    theirs."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, PersonId] = {}
        self._left_at: dict[bytes, int] = {}
        """Time at which each absent person was last seen."""
        self._last = 0

    def find(self, digest: bytes) -> PersonId | None:
        return self._numbers.get(digest)

    def all(self) -> Iterable[PersonId]:
        return self._numbers.values()

    def number_of(self, digest: bytes) -> PersonId:
        """The number of a person who is here; a new one if they have none."""
        self._left_at.pop(digest, None)
        known = self._numbers.get(digest)
        if known is None:
            self._last += 1
            known = self._numbers[digest] = PersonId(self._last)
        return known

    def note_gone(self, digest: bytes, now: int) -> None:
        """Note that a connection of theirs has ended."""
        if digest in self._numbers:
            self._left_at[digest] = now

    def forget(self, now: int, here: Callable[[], Collection[bytes]]) -> None:
        """Forget people who left long ago. `here`: returns the digests of connected people."""
        if gone := [digest for digest, left_at in self._left_at.items() if now - left_at >= KNOWN_MS]:
            connected = here()
            for digest in gone:
                del self._left_at[digest]
                if digest not in connected:
                    del self._numbers[digest]
