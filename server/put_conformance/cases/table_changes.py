"""Events at a table beside the play: pauses, another game, and a table that is no more."""

from collections.abc import Iterable, Iterator, Sequence

from put_conformance.case import Mischief, Play, Scene
from put_conformance.checks import Check, Section
from put_conformance.fault_injector import Line, Told
from put_protocol.games.put import (
    GameEnded,
)
from put_protocol.messages import (
    Act,
    Again,
    Bye,
    ClientMessage,
    Decision,
    Events,
    GoOn,
    Leave,
    Left,
    Pause,
    ServerMessage,
    Sit,
    Stand,
    Watch,
)
from put_protocol.table_info import (
    TableState,
)
from put_server.table.table import Table

RESTS_MS = 600
"""For the client to agree to a pause, and to be ready again; then the time of the pause is over."""

PAUSE_MINUTES = 1

QUIET_MS = 700
"""After a table is gone: an answer sent on the way would have come by then."""

PLAYS_ON = Check(
    name="plays_on",
    should="Plays on when others ask for a pause, whether it agrees to it or not.",
    section=Section.PAUSES,
)
LETS_GO = Check(name="lets_go", should="Asks for nothing more at a table that it has left.", section=Section.SITTING)
AGAIN = Check(
    name="again",
    should="Asks for another game when one is over, or leaves: others wait for its word.",
    section=Section.GAME,
)


class Paused(Mischief):
    """An opponent asks for a pause while the client is asked to move."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0
        self._table: int | None = None
        self._since = 0
        self._is_asked = False
        self._is_ready = False
        self._until = 0
        self._is_over = False

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Decision) and self._moves and self._table is None:
            self._table = message.table
        return (message,)

    def tick(self, now: int) -> None:
        table = None if self._table is None else self.play.stage.table(self._table)
        if table is None or self._is_over:
            return
        if not self._is_asked:
            self._ask(table, now)
        elif table.state is not TableState.PAUSED:
            self._is_over = now >= self._until
        elif not self._is_ready:
            self.play.progress()
            self._is_ready, self._until = True, now + RESTS_MS
            for person, actor in self.play.stage.opponents_at(table):
                self.play.stage.wish(person, GoOn(actor.next_id(), table.id))
        elif now >= self._until:
            self.play.stage.skip(PAUSE_MINUTES * 60_000 + 1)
            self._is_over = True

    def _ask(self, table: Table, now: int) -> None:
        """Between two games nobody may."""
        if table.state is TableState.PLAYING:
            self.marks.begin(PLAYS_ON)
            for person, actor in self.play.stage.opponents_at(table):
                self.play.stage.wish(person, Pause(actor.next_id(), table.id, minutes=PAUSE_MINUTES))
            self._is_asked, self._until = True, now + RESTS_MS

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1
        self._since += self._is_over
        if self._since >= 2:
            self.marks.passed(PLAYS_ON)


class Cleared(Mischief):
    """The client is away from a table from one moment to the next."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._moves = 0
        self._table: int | None = None
        self._since = 0

    @property
    def may_end(self) -> bool:
        return self._table is not None

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if not isinstance(message, Decision) or not self._moves or self._table is not None:
            return (message,)
        self._table, self._since = message.table, self.play.now
        self.marks.begin(LETS_GO)
        self.play.withdraw(line, message.table)
        return (Left(message.table, "the table was cleared away"),)

    def heard(self, line: Line, message: ClientMessage) -> bool:
        if self._table is None or getattr(message, "table", None) != self._table:
            return True
        if isinstance(message, Act) and not self.marks.is_decided(LETS_GO):
            self.marks.failed(LETS_GO, f"It answered decision {message.decision} of a table that it had left.")
        elif isinstance(message, Sit | Watch):  # it comes anew, as anybody may
            self.marks.passed(LETS_GO)
        elif not self.marks.is_decided(LETS_GO) and not isinstance(message, Leave | Stand):
            kind = message.__struct_config__.tag
            self.marks.failed(LETS_GO, f"It asked for {kind} at a table that it had left.")
        return True

    def tick(self, now: int) -> None:
        if self._table is not None:
            self.play.progress()
            if now - self._since >= QUIET_MS:
                self.marks.passed(LETS_GO)

    def moved(self, decision: tuple[int, int]) -> None:
        self._moves += 1


class AnotherGame(Mischief):
    """A game to one point is soon over."""

    def __init__(self, play: Play, checks: Sequence[Check]) -> None:
        super().__init__(play, checks)
        self._table: int | None = None

    @property
    def may_end(self) -> bool:
        return self.marks.is_decided(AGAIN)

    def told(self, line: Line, message: ServerMessage) -> Iterable[Told]:
        if isinstance(message, Events) and any(isinstance(e, GameEnded) and not e.goes_on for e in message.events):
            self._table = message.table
            self.marks.begin(AGAIN)
            self.play.progress()
        return (message,)

    def heard(self, line: Line, message: ClientMessage) -> bool:
        if self._table is None:
            return True
        leaves_or_stays = isinstance(message, Again | Leave | Stand) and message.table == self._table
        if leaves_or_stays or isinstance(message, Bye):
            self.marks.passed(AGAIN)
        return True


def scenes(game: str, *, has_target: bool) -> Iterator[Scene]:
    """All of one rule set, for nothing in them is a matter of rules."""
    yield Scene(
        name="pause",
        tries="An opponent asks for a pause while the client is to move; if it agrees, he is soon ready again.",
        game=game,
        checks=(PLAYS_ON,),
        mischief=Paused,
    )
    yield Scene(
        name="another-game",
        tries="A game comes to its end.",
        game=game,
        options={"target": 1} if has_target else {},
        checks=(AGAIN,),
        mischief=AnotherGame,
    )
    yield Scene(
        name="left",
        tries="The client hears, in the middle of a game, that it is no longer at the table.",
        game=game,
        checks=(LETS_GO,),
        mischief=Cleared,
    )
