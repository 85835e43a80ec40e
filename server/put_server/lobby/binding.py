"""Binding of a person to a table where they sit or watch. Their actions go through it directly to the table.

Sitting down creates it and standing up ends it; the person's session has all of their bindings. So an action needs no
search, and the lobby hears of it only if the table's description changes. A binding gives no rights: the table alone
knows whose turn it is and who sits where, and refuses an outdated binding.
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
        """`person`: None for a house player. `news`: reports a change of the table's description to those who look at
        the lobby. It may be sent at once, except at the end of a game, whose follow-up would come right after it."""
        self._id = id
        self._person = person
        self._table = table
        self._news = news

    @property
    def is_awaited(self) -> bool:
        """True if other people wait for a move of this person. A bot may not answer while it thinks."""
        if self._person is None or self._person.is_bot:
            return False
        return self._table.awaits(self._id)

    def act(self, act: Act, now: int) -> list[Effect]:
        """Answer a decision. The table's message to the person contains the response.

        :raises RequestRefused: the decision is not theirs, or the answer is not legal.
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
"""Bindings of a peer that has not been admitted."""
