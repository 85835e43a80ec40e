"""Passcodes of tables: hashed before the lobby sees them, and protected against guessing.

The lobby gets a keyed hash of each passcode, in `open`, `sit` and `watch`, and compares hashes. So no record,
checkpoint or memory dump of the lobby contains a passcode. The hash is fast (BLAKE2b), because the event loop makes one
for every guess. The key is the journal's, so a reader of the whole journal can guess passcodes, just as they can see
every hand. `PasscodeGuesses` stops other guessers. No hash could do that: a passcode of four digits has only 10,000
values.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass

from msgspec.structs import replace

from put_protocol.messages import OpenTable, Request, Sit, Watch
from put_server.lobby.people import Person
from put_server.lobby.prefixes import prefixes_of
from put_server.table.table_effects import PersonId, TableId

FREE_GUESSES = 5
"""Wrong passcodes that a person, or an address, may try at a table before a wait: enough for a slip or two."""

FREE_GUESSES_OF_ALL = 50
"""Wrong passcodes in total before a table admits only invited guests: one in 200 of four digits."""

FIRST_WAIT_MS = 60_000
"""First wait before a table accepts another passcode; each further wrong one doubles it."""

LONGEST_WAIT_MS = 3_600_000
"""Longest wait: 24 guesses a day."""

_WITH_PASSCODE = frozenset((OpenTable, Sit, Watch))
_SEALED = re.compile("blake2b:[0-9a-f]{48}")


class Passcodes:
    def __init__(self, key: bytes) -> None:
        self._key = key

    def sealed(self, passcode: str) -> str:
        """Keyed hash of a passcode; empty for no passcode."""
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
        """Seal a passcode from an old journal, which stored plain passcodes."""
        return kept if _SEALED.fullmatch(kept) else self.sealed(kept)


def is_same(one: str, other: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))


@dataclass(slots=True)
class _Wrong:
    """Wrong passcodes of one person, one network, or all people at one table."""

    count: int = 0
    until: int = 0

    def note(self, free: int, now: int) -> None:
        self.count += 1
        if self.count >= free:
            wait = FIRST_WAIT_MS << min(self.count - free, 12)
            self.until = now + min(wait, LONGEST_WAIT_MS)


class PasscodeGuesses:
    """Wrong passcodes at each table: by person, by each network around their address, and of all. Their number is
    limited by `FREE_GUESSES_OF_ALL`. Not in a checkpoint, because a refused request changes no stored state."""

    def __init__(self) -> None:
        self._tables: dict[TableId, dict[str | PersonId, _Wrong]] = {}

    def wait(self, table: TableId, person: Person, now: int) -> int:
        """Milliseconds until a table accepts a passcode from this person; 0: it does now."""
        wrong = self._tables.get(table, {})
        return max([0, *[wrong[key].until - now for key, _ in _keys(person) if key in wrong]])

    def note(self, table: TableId, person: Person, now: int) -> bool:
        """Note a wrong passcode. Returns true if a person must wait at this table for the first time."""
        wrong = self._tables.setdefault(table, {})
        is_first = not any(one.until for one in wrong.values())
        for key, free in _keys(person):
            wrong.setdefault(key, _Wrong()).note(free, now)
        return is_first and self.wait(table, person, now) > 0

    def forget(self, table: TableId) -> None:
        self._tables.pop(table, None)


def _keys(person: Person) -> list[tuple[str | PersonId, int]]:
    """Keys under which a person's guesses are counted, with the free guesses of each; "" is the key of all."""
    networks = [(network, FREE_GUESSES * share) for network, share in prefixes_of(person.origin)]
    return [(person.id, FREE_GUESSES), *networks, ("", FREE_GUESSES_OF_ALL)]
