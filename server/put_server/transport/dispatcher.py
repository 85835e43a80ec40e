"""The hall: hands what peers ask to the lobby, and carries out what the lobby wants.

One thread, one order: an input is handled whole before the next. With a journal, effects wait until the record of
the input is committed, so nobody is ever told what a crash could take back.
"""

import hashlib
import hmac
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, assert_never

from msgspec.structs import replace

from put_protocol import ACCEPTED_VERSIONS
from put_protocol.codecs import Codec
from put_protocol.limits import HELLO_MS
from put_protocol.messages import Goodbye, Hello, Notice, Request, ServerMessage
from put_protocol.refusals import RefusalCode
from put_server.journal.reading import Record
from put_server.journal.replay import replay
from put_server.lobby.checkpoint import LobbyCheckpoint
from put_server.lobby.folding import is_refused
from put_server.lobby.inputs import (
    Arrive,
    Ask,
    Depart,
    Drain,
    Input,
    Lose,
    Pulse,
    Restart,
    Return,
    Secret,
    Shuffled,
    Tick,
    changes_nothing,
)
from put_server.lobby.lobby import Lobby
from put_server.table.effects import (
    Admit,
    DealOver,
    Effect,
    GameOver,
    HouseGone,
    HouseSat,
    Keep,
    PersonId,
    Study,
    Tell,
    TurnAway,
    WantAnalysis,
    WantJudgement,
    WantPack,
    WantPosition,
    WantPulse,
    WantSecret,
)
from put_server.transport.session import Session
from put_server.transport.shuffler import Shuffler

log = logging.getLogger(__name__)

STRANGERS = 256
"""Connections beyond the people a lobby holds: those who have not said hello yet, and those about to be refused."""


CHECKPOINT_RECORDS = 50_000
"""Records between two checkpoints: a few seconds to fold at a start, and a checkpoint's pause in play seldom."""


_TAKEN_OVER = Goodbye(code="taken_over", says="you came back by another connection")


class Houses(Protocol):
    """Whoever plays for the house."""

    def seat(self, person: PersonId, house: str) -> None: ...

    def tell(self, person: PersonId, message: ServerMessage) -> bool:
        """Whether this person is of the house; then it has heard the message."""
        ...

    def dismiss(self, person: PersonId) -> None: ...


class Studies(Protocol):
    """Whoever weighs decisions."""

    def study(self, wanted: Study) -> None:
        """Work it out, and tell whoever wants it when it is done. Must not block."""
        ...


class NoStudies:
    """Nothing is weighed here."""

    def study(self, wanted: Study) -> None:
        raise AssertionError("the lobby says that something is solved, and nobody is there to look it up")


Kept = tuple[int, Input] | DealOver
"""An input with its time, or what came of it for the secret of a deal; in order."""


class Journal(Protocol):
    """Where inputs are kept."""

    @property
    def since_checkpoint(self) -> int:
        """Records that a restart would have to fold."""
        ...

    def record(self, records: list[Kept], then: Callable[[], None], games: Sequence[GameOver] = ()) -> None:
        """Keep these inputs, each with its time, and the games they ended, and call back once all is safe. Where a deal
        is over, erase what it was made from."""
        ...

    def compact(self, at: int, kept: LobbyCheckpoint) -> None:
        """Keep the lobby as it is after what was recorded so far, instead of all that."""
        ...


class Dispatcher:
    """Everything connected, around one lobby."""

    def __init__(
        self,
        lobby: Lobby,
        *,
        shuffler: Shuffler,
        now: Callable[[], int],
        houses: Houses,
        most_people: int,
        password: str = "",
        journal: Journal | None = None,
        studies: Studies | None = None,
    ) -> None:
        self.now = now
        """Milliseconds of the server's own clock, which never goes back."""
        self.lobby = lobby
        self._shuffler = shuffler
        self._houses = houses
        self._studies = NoStudies() if studies is None else studies
        self._password = password.encode()
        self._most_sessions = most_people + STRANGERS
        self._journal = journal
        self._sessions: set[Session] = set()
        self._seated: dict[PersonId, Session] = {}
        self._coming: dict[PersonId, Session] = {}
        """Who is let in as soon as the record of it is committed."""
        self._unsent: dict[Session, None] = {}
        self.games = 0
        """Played to their end since the start."""

    # --- what sessions call ---

    def enter(self, session: Session) -> bool:
        """A connection was made. False: there is no room even to say so."""
        if len(self._sessions) >= self._most_sessions and not self._make_room():
            return False
        self._sessions.add(session)
        return True

    def _make_room(self) -> bool:
        """End the connection that has been silent the longest, if that is long enough for a program to say hello."""
        now = self.now()
        silent = max(self._sessions, key=lambda session: session.silence(now))
        if silent.silence(now) < HELLO_MS:
            return False
        self._sessions.discard(silent)
        silent.cut()
        return True

    @property
    def asks_password(self) -> bool:
        """Whether there is one."""
        return bool(self._password)

    def exit(self, session: Session) -> None:
        """A connection is lost."""
        self._sessions.discard(session)
        self._unsent.pop(session, None)
        person = session.person
        if person is not None and self._seated.get(person) is session:
            del self._seated[person]
            self.submit(Lose(person))
            self.flush()

    def hello(self, session: Session, hello: Hello) -> None:
        """The first message: version, password, and then who it is."""
        if hello.version not in ACCEPTED_VERSIONS:
            spoken = " and ".join(map(str, ACCEPTED_VERSIONS))
            session.farewell(_refused(RefusalCode.VERSION, f"this server speaks protocol version {spoken}"))
        elif not hmac.compare_digest(hello.password.encode(), self._password):
            session.farewell(_refused(RefusalCode.WRONG_PASSWORD, "this server asks for a password"))
        elif hello.token:
            self.submit(Return(_digest(hello.token), hello.seen, hello.asked, hello.openings), session, hello.token)
        else:
            token = self._shuffler.token()
            self.submit(Arrive(hello.name, hello.is_bot, _digest(token), hello.openings), session, token)

    def bye(self, session: Session) -> None:
        """A wilful end."""
        person, session.person = session.person, None
        if person is not None:
            del self._seated[person]
            self.submit(Depart(person))
        session.farewell(Goodbye(code="bye", says="goodbye"))

    def ask(self, session: Session, request: Request) -> bool:
        """A request of one who is welcome. Returns whether it was carried out."""
        assert session.person is not None
        return self.submit(Ask(session.person, request))

    def answer_ping(self, session: Session) -> None:
        """A ping that was wanted is answered."""
        if session.person is not None:
            self.submit(Pulse(session.person))

    # --- inputs and effects ---

    def submit(self, event: Input, session: Session | None = None, token: str = "") -> bool:
        """Hand an input to the lobby and see to its effects. Returns whether it was carried out."""
        now = self.now()
        records: list[Kept] = []
        effects = self._handle(event, now, records)
        if session is not None:
            self._expect(session, effects)
        is_carried_out = not is_refused(effects)
        is_idle = isinstance(event, Tick | Pulse) and not effects
        if self._journal is None or not is_carried_out or is_idle:
            self._perform(effects, session, token)
        else:
            if changes_nothing(event):
                records.clear()  # it waits behind what was asked before it all the same: no crash may take that back
            games = [effect for effect in effects if isinstance(effect, GameOver)]
            self._journal.record(records, lambda: self._perform_kept(event, effects, session, token), games)
            if self._journal.since_checkpoint >= CHECKPOINT_RECORDS:
                self.compact()
        return is_carried_out

    def _handle(self, event: Input, now: int, records: list[Kept]) -> list[Effect]:
        """The effects of an input, and of the packs that are wanted on the way."""
        records.append((now, event))
        came = self.lobby.handle(event, now)
        records += [effect for effect in came if isinstance(effect, DealOver)]
        effects: list[Effect] = [effect for effect in came if not isinstance(effect, WantPack | WantSecret)]
        if len(effects) < len(came):
            for want in came:
                if isinstance(want, WantSecret):
                    secret = self._shuffler.secret(deal=(want.table, want.deal))
                    effects += self._handle(Secret(want.table, secret), now, records)
                elif isinstance(want, WantPack):
                    deal = (want.deals or want.table, want.deal)
                    pack = self._shuffler.shuffled(want.cards, want.top, deal=deal)
                    luck = self._shuffler.luck(deal=deal) if want.has_accidents else None
                    effects += self._handle(Shuffled(want.table, pack, luck), now, records)
        return effects

    def _perform(self, effects: list[Effect], session: Session | None, token: str) -> None:
        for effect in effects:
            match effect:
                case Tell(people=people, message=message):
                    self._tell(people, message)
                case HouseSat(person=person, house=house):
                    self._houses.seat(person, house)
                case HouseGone(person=person):
                    self._houses.dismiss(person)
                case Admit(person=person, welcome=welcome):
                    assert session is not None
                    self._admit(session, person, replace(welcome, token=token))
                case TurnAway(goodbye=goodbye):
                    assert session is not None
                    session.farewell(goodbye)
                case GameOver():
                    self.games += 1
                case WantAnalysis() | WantPosition() | WantJudgement():
                    self._studies.study(effect)
                case WantPulse(people=people):
                    for person in people:
                        if (pinged := self._seated.get(person)) is not None:
                            pinged.ping()
                case Keep() | DealOver():
                    pass  # for the journal
                case WantPack() | WantSecret():
                    raise AssertionError("packs are dealt before effects are performed")
                case _:
                    assert_never(effect)
        if self._journal is not None:
            self.flush()

    def tell(self, person: PersonId, message: ServerMessage) -> None:
        """Send somebody what came of their request, after its answer. Who is away hears nothing."""
        self._tell((person,), message)
        self.flush()

    def _tell(self, people: tuple[PersonId, ...], message: ServerMessage) -> None:
        """Encode once for all who speak alike. Who is away hears nothing and will ask again."""
        encoded: dict[Codec, bytes] = {}
        for person in people:
            session = self._seated.get(person)
            if session is None:
                self._houses.tell(person, message)
                continue
            codec = session.codec
            if codec is None:
                session.send(message)  # in sentences, which are for this session alone
            else:
                data = encoded.get(codec)
                if data is None:
                    data = encoded[codec] = codec.encode(message)
                session.deliver(data)
            self._unsent[session] = None

    def _perform_kept(self, event: Input, effects: list[Effect], session: Session | None, token: str) -> None:
        """What waited for its record. The session boundary is not above us here, so it is drawn here once more."""
        try:
            self._perform(effects, session, token)
            if session is not None:
                session.begin()
        except Exception:  # a bug met on one peer's account ends that peer alone
            peer = self._seated.get(event.person) if isinstance(event, Ask) else session
            if peer is None:
                raise
            log.exception("a message could not be answered; its connection is closed")
            peer.cut()

    def _expect(self, session: Session, effects: list[Effect]) -> None:
        """If the lobby lets somebody in, their former connection ends now: from here on the lobby means the new one."""
        for effect in effects:
            if isinstance(effect, Admit):
                former = self._seated.pop(effect.person, None)
                if former is not None:
                    former.person = None
                    former.farewell(_TAKEN_OVER)
                self._coming[effect.person] = session

    def _admit(self, session: Session, person: PersonId, welcome: ServerMessage) -> None:
        if self._coming.get(person) is not session:  # they took yet another connection, or were kicked
            session.farewell(_TAKEN_OVER)
            return
        del self._coming[person]
        if session not in self._sessions:  # it was lost while its record was being committed
            self.submit(Lose(person))
            return
        session.person = person
        self._seated[person] = session
        session.send(welcome)
        self._unsent[session] = None

    def restart(self, checkpoint: tuple[int, LobbyCheckpoint] | None, inputs: Iterable[tuple[int, Input]]) -> int:
        """Bring back what a journal kept, before it begins. Returns how many inputs were folded.

        :raises BadRecord: the game of a table does not follow.
        :raises DoesNotFollow: an input does not.
        """
        number = 0
        if checkpoint is not None:
            number, kept = checkpoint
            self.lobby.restore(kept)
        records = (Record(number, at, event) for number, (at, event) in enumerate(inputs, number + 1))
        return sum(1 for _ in replay(self.lobby, 0, records))

    def begin(self, *, is_exhibition: bool = False) -> None:
        """The server is about to listen, whatever it brought back."""
        self.submit(Restart(is_exhibition))

    def compact(self) -> None:
        """Let the journal keep the lobby as it is now instead of how it came to be so."""
        if self._journal is not None:
            self._journal.compact(self.now(), self.lobby.kept())

    def flush(self) -> None:
        """Send what is queued, a peer at a time: everything one input caused goes out in one write each."""
        while self._unsent:
            session, _ = self._unsent.popitem()
            session.flush()

    # --- time and the end ---

    def tick(self) -> None:
        """Let time pass for tables."""
        self.submit(Tick())
        self.flush()

    def tick_sessions(self) -> None:
        """Let time pass for connections."""
        now = self.now()
        for session in list(self._sessions):
            session.tick(now)

    def announce(self, says: str) -> None:
        """A word to everyone."""
        self._tell(tuple(self._seated), Notice(says))
        self.flush()

    def drain(self) -> None:
        """Begin nothing new."""
        self.submit(Drain())

    @property
    def is_empty(self) -> bool:
        return not self._sessions

    def dismiss_all(self, goodbye: Goodbye) -> None:
        """Say goodbye to every peer and close; their seats and tokens stand."""
        for session in list(self._sessions):
            session.farewell(goodbye)

    def cut_all(self) -> None:
        """Close every connection now."""
        for session in list(self._sessions):
            session.cut()

    # --- what the operator asks ---

    def kick(self, person: PersonId, goodbye: Goodbye) -> None:
        """Send somebody away for good, wherever they are: connected, coming in, or lost and expected back."""
        for session in (self._seated.pop(person, None), self._coming.pop(person, None)):
            if session is not None:
                session.person = None
                session.farewell(goodbye)
        self.submit(Depart(person))
        self.flush()

    @property
    def connections(self) -> int:
        return len(self._sessions)

    @property
    def outboxes(self) -> list[int]:
        """How many bytes wait for each peer."""
        return [session.pending for session in self._sessions]


def _refused(code: RefusalCode, says: str) -> Goodbye:
    return Goodbye(code="refused", says=says, refusal=code)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
