"""Limits of invitations: how many reach one guest in a minute, from one host, from one address, and from all.

They are in no checkpoint. What they decide is only that an invitation is refused, and what is refused is not recorded.
"""

from typing import NamedTuple

from put_protocol.refusals import RefusalCode
from put_server.lobby.people import Person
from put_server.table.refusal import RequestRefused
from put_server.table.table_effects import PersonId

MINUTE_MS = 60_000

FROM_ONE = 3
"""That one person may send another in a minute: to a table, and to the next."""

FROM_AN_ADDRESS = 6
"""That all who come from one address may send one person in a minute."""

FROM_ALL = 20
"""Invitations that one person gets in a minute from all: as many as a person reads."""

BOT_FACTOR = 30
"""The factor for bots: a host may ask one to every table that it can be at."""


class _Sent(NamedTuple):
    at: int
    by: PersonId
    origin: str


class Invitations:
    """The invitations of the last minute, by guest."""

    def __init__(self) -> None:
        self._sent: dict[PersonId, list[_Sent]] = {}

    def note(self, host: Person, guest: Person, now: int) -> None:
        """Another one is about to be sent.

        :raises RequestRefused: it is one too many.
        """
        sent = [one for one in self._sent.get(guest.id, ()) if now - one.at < MINUTE_MS]
        of_host = [one.at for one in sent if one.by == host.id]
        of_address = [one.at for one in sent if host.origin and one.origin == host.origin]
        factor = BOT_FACTOR if guest.is_bot else 1
        of_all = [one.at for one in sent]
        for found, few in ((of_host, FROM_ONE), (of_address, FROM_AN_ADDRESS), (of_all, FROM_ALL)):
            most = few * factor
            if len(found) >= most:
                wait, often = found[-most] + MINUTE_MS - now, "refused-invited-often"
                raise RequestRefused(RefusalCode.TOO_FAST, often, field="person", retry_after_ms=wait, name=guest.name)
        self._sent[guest.id] = [*sent, _Sent(now, host.id, host.origin)]

    def forget(self, guest: PersonId) -> None:
        self._sent.pop(guest, None)
