"""Whole views made of changes, for one person at all their tables.

Laws: the program receives what a client that asked for whole views receives, and never a view that may be wrong. The
view of a message is not taken but compared with the one that follows from the events, which are proved. A
change that cannot be folded, because the server is of a later release, leads to a request for the whole view. Until
that comes, every message of the table is held back, so that no decision meets a view from before it.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from put_client.sdk.deal_checks import News
from put_client.sdk.errors import BadServer
from put_client.sdk.wire import Wire
from put_protocol.folding import CannotFold, followed, is_alike
from put_protocol.games.unions import GameView
from put_protocol.messages import Decision, Events, Left, Ok, Refresh, Refused, TableSnapshot
from put_protocol.seal_events import Openings

MOST_HELD = 1_000
"""Messages held back for one table, at most: the answer to `refresh` is a few behind it."""

HELD_BYTES = 1024 * 1024
"""The same for all tables, in bytes as they came."""

TableMessage = TableSnapshot | Events | Openings | Decision | Left
Told = TableMessage | News


class WholeViews:
    """The views of every table, as they are known."""

    def __init__(self) -> None:
        self._tables: dict[int, _TableView] = {}  # as many as a connection follows

    def forged_by(self, message: TableMessage) -> GameView | None:
        """The view of a message, if it is not the one that follows from the events."""
        table = self._tables.get(message.table)
        if table is None or not isinstance(message, Events | TableSnapshot) or message.view is None:
            return None
        return message.view if table.is_forged(message) else None

    def receive(
        self, message: TableMessage, news: tuple[News, ...], wire: Wire, size: int = 0, *, is_fair: bool = True
    ) -> tuple[Told, ...]:
        """Messages to deliver now: those held back, and this one with the news that it brings. It came in so many
        bytes. `is_fair`: no check has failed; or else the view stays as it was.

        :raises BadServer: it does not show a table that it was asked for.
        """
        table = self._tables.get(message.table)
        match message:
            case TableSnapshot() if table is not None and (not is_fair or table.is_forged(message)):
                message = replace(message, view=table.view, turn=None)
            case TableSnapshot():
                self._tables[message.table] = _TableView(message)
            case Left():
                self._tables.pop(message.table, None)
            case Events() if not is_fair:
                message = replace(message, view=None, turn=None, moment="")
            case _ if table is not None:
                told = table.receive(message, news, wire)
                table.held_bytes = table.held_bytes + size if table.is_holding else 0
                if sum(one.held_bytes for one in self._tables.values() if one.is_holding) > HELD_BYTES:
                    raise BadServer("it does not show the tables that it was asked for")
                return told
            case _:
                pass
        return (message, *news) if table is None else table.release(message, *news)

    def has_refused(self, answer: Ok | Refused) -> bool:
        """The server has answered that it will not show a table; after a drop it shows them all unasked."""
        return isinstance(answer, Refused) and any(table.asked == answer.id for table in self._tables.values())

    def lose(self) -> None:
        """Note that the connection dropped."""
        for table in self._tables.values():
            table.lose()

    def come_back(self, tables: Iterable[int]) -> None:
        """The connection is back, and we are still at these tables."""
        for gone in self._tables.keys() - set(tables):
            del self._tables[gone]


class _TableView:
    """One table, from a seat or from the gallery."""

    def __init__(self, snapshot: TableSnapshot) -> None:
        self.asked: int | None = None
        """The request to show it whole, on this connection."""
        self.held_bytes = 0
        self.view = snapshot.view
        self.viewer = snapshot.viewer
        self._number = snapshot.number
        """Of the last event."""
        self._held: list[Told] | None = None
        """Messages held back; None: the view is known."""

    @property
    def is_holding(self) -> bool:
        return self._held is not None

    def is_forged(self, message: Events | TableSnapshot) -> bool:
        """True if its view is not the one that follows from the events. Nothing is known of events that were missed."""
        if self.is_holding:
            return False
        if isinstance(message, Events):
            return followed(self.view, message, self.viewer)[1]
        if self.view is None or message.view is None:
            return False
        is_known = (message.viewer, message.number) == (self.viewer, self._number)
        return is_known and not is_alike(self.view, message.view)

    def receive(self, message: Events | Openings | Decision, news: tuple[News, ...], wire: Wire) -> tuple[Told, ...]:
        if isinstance(message, Events):
            self._number = message.first + len(message.events) - 1
        elif self._held is None:
            return (message, *news)
        if self._held is None and isinstance(message, Events):
            try:
                after, _ = followed(self.view, message, self.viewer)
            except CannotFold:
                self._held = []
                self.asked = wire.connection.next_id()
                wire.send(Refresh(self.asked, message.table))
            else:
                is_told = after is not self.view or message.moment != "" or message.view is not None
                self.view = after
                return (replace(message, view=after, moment="") if is_told else message, *news)
        elif isinstance(message, Events) and message.view is not None:
            self.view = message.view
            return self.release(message, *news)
        assert self._held is not None
        self._held += (message, *news)
        if len(self._held) > MOST_HELD:
            raise BadServer("it does not show a table that it was asked for")
        return ()

    def release(self, *last: Told) -> tuple[Told, ...]:
        """Messages that were held back, and behind them these, which tell the whole view. The decision comes last."""
        held, self._held, self.asked = self._held or [], None, None
        told = [message for message in held if not isinstance(message, Decision)]
        decisions = [message for message in held if isinstance(message, Decision)]
        return (*told, *last, *decisions[-1:])

    def lose(self) -> None:
        """The connection dropped: what was missed ends with the whole view, and the decision comes again behind it."""
        self.asked = None
        if self._held is not None:
            self._held = [message for message in self._held if not isinstance(message, Decision)]
