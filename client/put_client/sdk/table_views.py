"""Views of all tables of one person, folded from the events.

Laws: every message that changes a game is delivered with the view after it, in any form of the protocol, and never with
a possibly wrong view. The view in a message is only compared with the one that follows from the events, which are
proved. After a failed check the view and the table stay unchanged. The server's texts are not delivered if we have our
own, because they could contradict the events.

A server of a later release may send unknown events. Then the view is unknown until the server sends one, so the client
reconnects and requests whole views.
"""

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from put_client.sdk.errors import BadServer
from put_protocol.folding import CannotFold, followed, is_alike, may_follow
from put_protocol.games.families import UNKNOWN, family_of
from put_protocol.games.unions import GameView
from put_protocol.messages import Decision, Events, Left, TableSnapshot
from put_protocol.rule_sets import pack_of
from put_protocol.seats import GALLERY, Viewer

TableMessage = TableSnapshot | Events | Decision | Left


class TableViews:
    def __init__(self, knows: Collection[str]) -> None:
        """`knows`: families of games that need no text from the server."""
        self._tables: dict[int, _TableView] = {}  # as many as a connection follows
        self._knows = knows

    def forged_by(self, message: TableMessage) -> GameView | None:
        """The view of a message, if it differs from the one that follows from the events."""
        table = self._tables.get(message.table)
        if table is None or not isinstance(message, Events | TableSnapshot) or message.view is None:
            return None
        return message.view if table.is_forged(message) else None

    def check_seats(self, message: TableMessage) -> None:
        """Refuse a table without seats, another number of them than before, a seat that the table does not have, and
        the description of another table.

        :raises BadServer: it is such a message.
        """
        places: list[Viewer] = []
        match message:
            case TableSnapshot(info=info):
                seats, places = len(info.seats), [message.viewer]
            case Events(table=table, info=info) if table in self._tables:
                seats = self._tables[table].seats
            case _:
                return
        if info is not None and info.id != message.table:
            raise BadServer("it told of a table under the number of another")
        places += [message.turn.seat] if message.turn is not None else []
        if not seats or (info is not None and len(info.seats) != seats):
            raise BadServer("it told of a table without seats, or changed their number")
        if not all(place == GALLERY or 0 <= place < seats for place in places):
            raise BadServer("it told of a seat that the table does not have")

    def _in_own_words(self, message: Events | TableSnapshot) -> Events | TableSnapshot:
        table = self._tables.get(message.table)
        if table is None or table.view is None or family_of(table.view).name not in self._knows:
            return message
        if isinstance(message, TableSnapshot):
            return replace(message, board=()) if message.board else message
        return replace(message, says=(), board=()) if message.says or message.board else message

    def receive(self, message: TableMessage, *, is_fair: bool, is_whole: bool) -> TableMessage:
        """The message for delivery. `is_fair`: no check has failed at its table. `is_whole`: every message that changes
        a game brings its view.

        :raises CannotFold: the view of its table is unknown from now on.
        :raises BadServer: the first view of a table does not match its game.
        """
        table = self._tables.get(message.table)
        match message:
            case TableSnapshot() if table is not None and (not is_fair or table.is_forged(message)):
                return self._in_own_words(replace(message, view=table.view, turn=None))
            case TableSnapshot():
                self._tables[message.table] = table = _TableView(message)
                if table.is_forged(message):
                    raise BadServer("it shows another game than the table plays")
                return self._in_own_words(message)
            case Events() if not is_fair:
                return self._in_own_words(replace(message, info=None, view=None, turn=None, moment=""))
            case Events() if table is not None:
                return self._in_own_words(table.receive(message, is_whole=is_whole))
            case Left():
                self._tables.pop(message.table, None)
            case _:
                pass
        return message

    def next_game(self, table: int) -> int:
        """Number of the next game at a table; 0: unknown."""
        known = self._tables.get(table)
        return 0 if known is None else known.games + 1

    def come_back(self, tables: Iterable[int]) -> None:
        for gone in self._tables.keys() - set(tables):
            del self._tables[gone]


class _TableView:
    def __init__(self, snapshot: TableSnapshot) -> None:
        self.view = snapshot.view
        self.seats = len(snapshot.info.seats)
        self._is_of_known_game = pack_of(snapshot.info.game, snapshot.info.options) is not None
        self._viewer = snapshot.viewer
        self._last_event = snapshot.number
        self.games = snapshot.info.games
        self._is_known = True
        """The view follows from all messages."""

    def is_forged(self, message: Events | TableSnapshot) -> bool:
        """True if its view differs from the one that follows from the events; or, after missed events, from every
        possible one."""
        if self._is_of_known_game and message.view is not None and family_of(message.view) is UNKNOWN:
            return True
        if not self._is_known:
            return False
        if isinstance(message, Events):
            return followed(self.view, message, self._viewer)[1]
        if message.viewer != self._viewer or self.view is None or message.view is None:
            return False
        if message.number == self._last_event:
            return not is_alike(self.view, message.view)
        return not may_follow(self.view, message.view, is_same_game=message.info.games == self.games)

    def receive(self, message: Events, *, is_whole: bool) -> Events:
        self._last_event = message.first + len(message.events) - 1
        self.games = self.games if message.info is None else message.info.games
        if not self._is_known:
            self._is_known = message.view is not None
            self.view = message.view or self.view
            return message
        try:
            after, _ = followed(self.view, message, self._viewer)
        except CannotFold:
            self._is_known = is_whole
            if not is_whole:
                raise
            return message
        is_told = after is not self.view or message.moment != "" or message.view is not None
        self.view = after
        return replace(message, view=after, moment="") if is_told else message
