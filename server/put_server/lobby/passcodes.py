"""Passcodes of tables: sealed before the lobby sees them, and guarded against guessing.

The lobby is given a keyed hash in place of each passcode, in `open` as in `sit` and `watch`, and compares hashes. So no
record, checkpoint or memory dump of the lobby holds one. The hash is fast (BLAKE2b) because it is made on the server's
loop for every guess, and the key is the journal's own: a reader of the whole journal can try passcodes against it, as
they can see every hand. What stops a guesser is `PasscodeGuesses`, which no hash could: a passcode of four
digits has 10,000 values.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass, field

from msgspec.structs import replace

from put_protocol.messages import OpenTable, Request, Sit, Watch
from put_server.lobby.people import Person
from put_server.lobby.prefixes import prefixes_of
from put_server.table.table_effects import PersonId, TableId

FREE_GUESSES = 5
"""Wrong passcodes that a person, or an address, may try at a table before it stops hearing them: a slip or two."""

FREE_GUESSES_OF_ALL = 50
"""Wrong passcodes that all may try at a table before it hears only who was invited: one in 200 of four digits."""

FIRST_WAIT_MS = 60_000
"""The first time for which a table hears no passcode; each further wrong one doubles it."""

LONGEST_WAIT_MS = 3_600_000
"""The time at which the doubling ends: 24 guesses a day."""

_WITH_PASSCODE = frozenset((OpenTable, Sit, Watch))
_SEALED = re.compile("blake2b:[0-9a-f]{48}")


class Passcodes:
    def __init__(self, key: bytes) -> None:
        self._key = key

    def sealed(self, passcode: str) -> str:
        """Keyed hash of a passcode; empty for none."""
        if not passcode:
            return ""
        digest = hashlib.blake2b(passcode.encode("utf-8", "surrogatepass"), key=self._key, digest_size=24)
        return f"blake2b:{digest.hexdigest()}"

    def without(self, request: Request) -> Request:
        if type(request) in _WITH_PASSCODE:
            assert isinstance(request, OpenTable | Sit | Watch)
            if request.passcode:
                return replace(request, passcode=self.sealed(request.passcode))
        return request

    def resealed(self, kept: str) -> str:
        """Passcode of a journal, sealed: former releases kept the passcode itself."""
        return kept if _SEALED.fullmatch(kept) else self.sealed(kept)


def is_same(one: str, other: str) -> bool:
    """True if two are the same, in a time that tells nothing."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))


@dataclass(slots=True)
class _Wrong:
    """Wrong passcodes of one guesser at one table."""

    count: int = 0
    until: int = 0
    """The time when the table hears them again."""

    def note(self, free: int, now: int) -> None:
        self.count += 1
        if self.count >= free:
            wait = FIRST_WAIT_MS << min(self.count - free, 12)
            self.until = now + min(wait, LONGEST_WAIT_MS)


@dataclass(slots=True)
class _AtTable:
    """Wrong passcodes at one table. There are few: the limit of all bounds them."""

    by: dict[str | PersonId, _Wrong] = field(default_factory=dict)
    """Guesses by person, and by each network around their address."""
    of_all: _Wrong = field(default_factory=_Wrong)


class PasscodeGuesses:
    """Wrong passcodes, by table. They are in no checkpoint: a refused request changes nothing that is kept."""

    def __init__(self) -> None:
        self._tables: dict[TableId, _AtTable] = {}

    def wait(self, table: TableId, person: Person, now: int) -> int:
        """Milliseconds until a table hears a passcode of this person; 0: it does now."""
        at = self._tables.get(table)
        if at is None:
            return 0
        found = [at.by[key].until for key, _ in _keys(person) if key in at.by]
        return max(0, at.of_all.until - now, *[until - now for until in found])

    def note(self, table: TableId, person: Person, now: int) -> bool:
        """A wrong one was tried. Returns whether it is the first time that the table stops hearing a person."""
        at = self._tables.setdefault(table, _AtTable())
        is_first = not at.of_all.until and all(not wrong.until for wrong in at.by.values())
        for key, share in _keys(person):
            at.by.setdefault(key, _Wrong()).note(FREE_GUESSES * share, now)
        at.of_all.note(FREE_GUESSES_OF_ALL, now)
        return is_first and self.wait(table, person, now) > 0

    def forget(self, table: TableId) -> None:
        self._tables.pop(table, None)


def _keys(person: Person) -> tuple[tuple[str | PersonId, int], ...]:
    """Identities under which a person's guesses are counted, and the share of each."""
    return ((person.id, 1), *prefixes_of(person.origin))
