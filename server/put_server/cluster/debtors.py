"""Debtors: the numbers by which a gateway counts what people owe, for a while after they went."""

from collections.abc import Callable, Collection, Iterable

from put_server.table.effects import PersonId

KNOWN_MS = 60_000
"""For which it is remembered whose token somebody had: what they owe is paid long before."""


class Debtors:
    """Everybody who is here, or was lately, by the digest of their token. A gateway knows no other number of theirs."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, PersonId] = {}
        self._left_at: dict[bytes, int] = {}
        """When those were last seen who are not here."""
        self._last = 0

    def find(self, digest: bytes) -> PersonId | None:
        return self._numbers.get(digest)

    def all(self) -> Iterable[PersonId]:
        return self._numbers.values()

    def number_of(self, digest: bytes) -> PersonId:
        """Of somebody who is here."""
        self._left_at.pop(digest, None)
        known = self._numbers.get(digest)
        if known is None:
            self._last += 1
            known = self._numbers[digest] = PersonId(self._last)
        return known

    def note_gone(self, digest: bytes, now: int) -> None:
        """A connection of theirs has ended."""
        if digest in self._numbers:
            self._left_at[digest] = now

    def forget(self, now: int, here: Callable[[], Collection[bytes]]) -> None:
        """Forget who left long ago. `here`: digests of those who are connected."""
        if gone := [digest for digest, left_at in self._left_at.items() if now - left_at >= KNOWN_MS]:
            connected = here()
            for digest in gone:
                del self._left_at[digest]
                if digest not in connected:
                    del self._numbers[digest]
