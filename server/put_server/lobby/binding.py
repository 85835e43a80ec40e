"""Binding of a person to a table at which they sit or watch. Their actions go through it straight to the table.

Sitting down makes it and standing up ends it; the session of the person has all of theirs. So an action needs no
search, and the lobby hears of it only where the table describes itself otherwise than before. A binding gives no
rights: whose turn it is, and who sits where, the table alone knows. One that is kept for too long is refused there.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from put_protocol.messages import Act, Ok
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, TableId

if TYPE_CHECKING:
    from put_server.lobby.people import Person


class Binding:
    __slots__ = ("_id", "_news", "_person", "_table")

    def __init__(
        self, id: PersonId, person: "Person | None", table: Table, news: Callable[[Table, int], list[Effect]]
    ) -> None:
        """`person`: None for a house player. `news`: tells those who look at the lobby that the table describes itself
        otherwise, at once where it may: the end of a game is not to come together with what follows it."""
        self._id = id
        self._person = person
        self._table = table
        self._news = news

    @property
    def is_awaited(self) -> bool:
        """True if other people wait for a move of this one. A bot may be deaf while it thinks."""
        if self._person is None or self._person.is_bot:
            return False
        return self._table.awaits(self._id)

    def act(self, act: Act, now: int) -> list[Effect]:
        """Answer a decision. The response is in what the table tells the person.

        :raises RequestRefused: it is not theirs to answer, or not so.
        """
        table = self._table
        known = table.model.info_number
        effects = table.act(self._id, act.decision, act.action, now, answers=act.id, entry=act.entry)
        table.next_look = 0
        if table.model.info_number != known:
            effects = effects + self._news(table, now)
        if self._person is not None:
            self._person.note_response(Ok(act.id))
        return effects


Bindings = Mapping[TableId, Binding]

UNBOUND: Bindings = {}
"""Bindings of a peer that is no person yet."""
