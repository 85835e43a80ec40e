"""Access to tables: by passcode or by a rate-limited invitation, unless the opener keeps the person out.

Checks of the table itself, such as for a taken seat, are in `table`.
"""

from typing import NamedTuple

from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_protocol.text import same_name
from put_server.lobby.open_tables import OpenTables
from put_server.lobby.passcodes import Passcodes, is_same
from put_server.lobby.people import People, Person
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, RequestRefused, Tell
from put_text.catalogue import say_in_english

MINUTE_MS = 60_000

FROM_ONE = 3
"""Invitations from one person to another in a minute: to a table, and to the next."""

FROM_AN_ADDRESS = 6
"""Invitations to one person in a minute from all people of one address."""

FROM_ALL = 20
"""Invitations to one person in a minute in total: as many as a person reads."""

BOT_FACTOR = 30
"""Factor for bots: a host may invite a bot to every table where it can be."""


class _Sent(NamedTuple):
    at: int
    by: PersonId
    origin: str


class Invitations:
    """Invitations of the last minute by guest, for the rate limit.

    Not in a checkpoint: they only cause refusals, and refusals are not recorded.
    """

    def __init__(self) -> None:
        self._sent: dict[PersonId, list[_Sent]] = {}

    def note(self, host: Person, guest: Person, now: int) -> None:
        """Note an invitation before it is sent.

        :raises RequestRefused: it exceeds the limit.
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


class TableAccess:
    """The checks raise `RequestRefused` before any change, except that wrong passcodes are counted."""

    def __init__(self, people: People, tables: OpenTables, invitations: Invitations, passcode_key: bytes) -> None:
        self._people = people
        self._tables = tables
        self._invitations = invitations
        self._guesses = tables.guesses
        self.passcodes = Passcodes(passcode_key)

    def seal_passcodes(self) -> None:
        """Seal the passcodes of an earlier release, which stored them unsealed."""
        for table in self._tables.values():
            table.model.passcode = self.passcodes.resealed(table.model.passcode)

    def entered(self, person: Person, request: messages.Sit | messages.Watch, now: int) -> Table:
        """The table that a person wants to enter, if they may."""
        table = self._tables.find(request.table)
        is_inside = table.id in person.tables or table.owner_id == person.id or person.id in table.seating.invited
        if table.model.passcode and not is_inside:
            self._passcode_needed(person, table, request.passcode, now)
        if table.id not in person.tables and self._is_kept_out(person, table):
            raise RequestRefused(RefusalCode.NOT_ADMITTED, "refused-kept-out", field="table")
        return table

    def _is_kept_out(self, person: Person, table: Table) -> bool:
        """True if the opener blocked them, or sent them away from this table."""
        opener = self._people.get(table.owner_id)
        is_blocked = opener is not None and opener.has_blocked(person)
        return is_blocked or same_name(person.name) in table.seating.kept_out

    def sent_away(self, opener: Person, table: Table, name: str) -> Person:
        """The guest whom the opener sends away from a table. From now on the guest is kept out."""
        if table.owner_id != opener.id:
            raise RequestRefused(RefusalCode.NOT_THERE, "refused-opener")
        guest = self._people.named(name)
        if guest is opener:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-yourself-away", field="person")
        if guest is None or table.seating.viewer_of(guest.id) is None:
            raise RequestRefused(RefusalCode.UNKNOWN_PERSON, "refused-person-here", field="person")
        if table.model.is_playing:
            raise RequestRefused(RefusalCode.GAME_IN_PLAY, "refused-guest-in-play")
        table.seating.keep_out(same_name(guest.name))
        return guest

    def _passcode_needed(self, person: Person, table: Table, passcode: str, now: int) -> None:
        """During a wait the right passcode is refused too. Otherwise the refusals would reveal it."""
        if not passcode:
            raise RequestRefused(RefusalCode.WRONG_PASSCODE, "refused-passcode-needed", field="passcode")
        warns: tuple[Effect, ...] = ()
        if not self._guesses.wait(table.id, person, now):
            if is_same(passcode, table.model.passcode):
                return
            if self._guesses.note(table.id, person, now):
                notice = messages.Notice(say_in_english("refused-passcodes-tried", table=table.id))
                warns = (Tell((table.owner_id,), notice),)
        if not (wait := self._guesses.wait(table.id, person, now)):
            raise RequestRefused(RefusalCode.WRONG_PASSCODE, "refused-passcode", field="passcode")
        says, seconds = "refused-passcodes", -(-wait // 1000)
        raise RequestRefused(
            RefusalCode.WRONG_PASSCODE, says, field="passcode", retry_after_ms=wait, warns=warns, seconds=seconds
        )

    def invite(
        self, host: Person, table: Table, request: messages.Invite, now: int, *, is_limited: bool
    ) -> list[Effect]:
        """Invite a guest to a table. An invitation that they already have is not repeated."""
        guest = self._people.named(request.person)
        if guest is None or not guest.is_here:
            raise RequestRefused(RefusalCode.UNKNOWN_PERSON, "refused-person", field="person")
        table.require_place_for(guest.id, guest.name, request.seat, is_bot=guest.is_bot)
        if guest.has_blocked(host):
            raise RequestRefused(RefusalCode.NOT_ADMITTED, "refused-not-invited", field="person", name=guest.name)
        if is_limited:
            standing = table.seating.invited.get(guest.id)
            if standing is not None and standing.seat == request.seat:
                return []
            self._invitations.note(host, guest, now)
        if table.owner_id == host.id:
            table.seating.let_in(same_name(guest.name))
        return table.invite(guest.id, request.seat, host.name)
