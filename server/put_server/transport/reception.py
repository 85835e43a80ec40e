"""Reception: handling of connections that does not depend on the person or the request.

It decides which peers are served, how long they wait, and when their output is written. A subclass knows the people,
and handles their requests.
"""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice

from put_protocol import ACCEPTED_VERSIONS
from put_protocol.messages import Goodbye, Hello, Notice, Push, Refused, Request
from put_protocol.refusals import RefusalCode
from put_runtime.histogram import Histogram
from put_server.lobby.prefixes import Prefix, prefixes_of
from put_server.table.table_effects import PersonId, WaitFor
from put_server.transport.admission import Admission
from put_server.transport.budgets import Budgets
from put_server.transport.interfaces import Peer, Unsent
from put_server.transport.rate_limit import Guesses
from put_text.catalogue import say_in_english

CallLater = Callable[[float, Callable[[], None]], object]

RESUME_SECONDS = 0.01
"""Interval at which waiting peers are resumed. It is short, so that their work is spread evenly."""

AT_ONCE = 64
"""Peers to write to before other input is handled. Each write is a system call, so a gallery of a thousand would take
longer than a player should wait; and a peer who waits gets several messages in one write."""


class Meters:
    """Counts kept while the server runs. Other measures are computed on request."""

    def __init__(self) -> None:
        self.moves = Histogram()
        """Times of accepted moves: from the read until their news is passed to the sockets, including the commit."""
        self.refused: Counter[str] = Counter()
        """Refusals of requests and newcomers by code, including goodbyes for a fault of the peer."""
        self.waits: Counter[str] = Counter(dict.fromkeys(WaitFor, 0))
        """Waits of tables that timed out, by kind."""


class Reception(ABC):
    def __init__(
        self,
        now: Callable[[], int],
        *,
        admission: Admission | None = None,
        password: str = "",
        call_later: CallLater | None = None,
    ) -> None:
        """`call_later`: runs a function after so many seconds and the pending input; without it writes are never
        delayed, and `tick` alone resumes who waits."""
        self.now = now
        """Milliseconds of the server's monotonic clock."""
        self._password = digest_of(password) if password else b""
        """Digest of the password, so that a comparison takes the same time for every guess."""
        self.budgets = Budgets(lambda: self.now())  # noqa: PLW0108  # tests put another clock in its place
        self._guesses = Guesses()
        self._paused: dict[Peer, None] = {}
        """Peers that wait because of their own debts or guesses."""
        self._paused_for_all: dict[Peer, None] = {}
        """Peers that also wait for the total debt."""
        self._will_resume = False
        self.admission = admission or Admission(now)
        self._sessions: dict[Peer, None] = {}
        self._more: dict[Peer, None] = {}
        """Peers with input left after their turn, in the order of their next turns."""
        self._is_going_round = False
        self.unsent: Unsent = {}
        """Peers to write to at once."""
        self.unsent_crowd: Unsent = {}
        """Peers who share a broadcast, to write to gradually."""
        self._call_later = call_later
        self._is_called_soon = False
        self.note_push: Callable[[PersonId, Push], bool] = lambda *_: False
        """Stores a person's push subscription, if valid."""

        self.meters = Meters()
        self.read_at = 0.0
        """Time at which the current input was read, by `time.perf_counter`."""

    @abstractmethod
    def _holder(self, hello: Hello) -> PersonId | None:
        """Person with this token; None: no person."""

    @abstractmethod
    def _people(self) -> Iterable[PersonId]:
        """All people with counts."""

    @abstractmethod
    def is_awaited(self, session: Peer) -> bool:
        """True if other people wait for a move of this peer."""

    @abstractmethod
    def exit(self, session: Peer) -> None: ...
    @abstractmethod
    def _greet(self, session: Peer, hello: Hello) -> None:
        """Identify the person of a hello, or admit a newcomer."""

    @abstractmethod
    def bye(self, session: Peer) -> None: ...
    @abstractmethod
    def ask(self, session: Peer, request: Request) -> bool: ...
    @abstractmethod
    def answer_ping(self, session: Peer) -> None: ...

    def push(self, session: Peer, request: Push) -> None:
        """Store a push subscription, or reply that no message can be sent there."""
        if session.person is not None and not self.note_push(session.person, request):
            session.send(Notice(say_in_english("refused-push")))
            self.unsent[session] = ()

    def refuse_unheard(self, session: Peer, refused: Refused) -> None:
        """Refuse a request without looking at it, in its place among the answers."""
        self.meters.refused[refused.code] += 1
        session.send(refused)
        self.unsent[session] = ()

    def enter(self, session: Peer) -> None:
        self._sessions[session] = None

    def _forget(self, session: Peer) -> None:
        caller = session.caller
        self.admission.leave(caller)
        if caller.name:
            self.admission.log.left(caller.address, caller.name, caller.parting)
        self._sessions.pop(session, None)
        self.unsent.pop(session, None)
        self.unsent_crowd.pop(session, None)
        self._paused.pop(session, None)
        self._paused_for_all.pop(session, None)
        self._more.pop(session, None)

    @property
    def asks_password(self) -> bool:
        return bool(self._password)

    def hello(self, session: Peer, hello: Hello) -> Goodbye | None:
        """Handle the first message. Returns the reason if the peer is refused at once."""
        if hello.version not in ACCEPTED_VERSIONS:
            first, second = map(str, ACCEPTED_VERSIONS)
            return _refused(RefusalCode.VERSION, "refused-version", first=first, second=second)
        if self._password and not hmac.compare_digest(digest_of(hello.password), self._password):
            self._note_guess(session, hello)
            return _refused(RefusalCode.WRONG_PASSWORD, "refused-password")
        if not hello.token:
            if not self.admission.has_room_for_newcomers:
                return _refused(RefusalCode.SERVER_FULL, "refused-full", of="connections")
            if wait := self.admission.newcomer(session.caller):
                return _refused(RefusalCode.TOO_FAST, "refused-newcomers", seconds=-(-wait // 1000))
        self._greet(session, hello)
        return None

    def must_hello_wait(self, session: Peer, hello: Hello) -> bool:
        """True if a `hello` must wait, because of wrong guesses or debts. A person with a token does not wait for the
        guesses or debts of others at their address."""
        if not (self._password or hello.token or session.caller.places):
            return False
        holder = self._holder(hello)
        if any(self._guesses.wait(who, self.now(), share) for who, share in _guessers(session, holder)):
            return True
        if not session.caller.places:
            return False
        if holder is None:
            return self.budgets.must_wait(session, is_play=not self._is_newcomer(hello))
        return self.budgets.owes(self.budgets.of(holder))

    def _is_newcomer(self, hello: Hello) -> bool:
        """True if a newcomer must wait while the total debt is too large."""
        return True

    def _note_guess(self, session: Peer, hello: Hello) -> None:
        """Note a wrong password or token. For a person with a token, a wrong password counts under that person."""
        now, holder = self.now(), self._holder(hello)
        for who, _ in {*_guessers(session, None), *_guessers(session, holder)}:
            self._guesses.note(who, now)

    def note_pause(self, session: Peer) -> None:
        """Stop reading from a session until it is resumed."""
        (self._paused_for_all if session.waits_for_all else self._paused)[session] = None
        self._resume_later()

    @property
    def has_paused(self) -> bool:
        return bool(self._paused or self._paused_for_all)

    def _resume_later(self) -> None:
        if self.has_paused and not self._will_resume and self._call_later is not None:
            self._will_resume = True
            self._call_later(RESUME_SECONDS, self._resume_paused)

    def _resume_paused(self) -> None:
        self._will_resume = False
        self.resume()
        self._resume_later()

    def resume(self) -> None:
        """Serve those whose debts are paid, the least recent work first, because there may not be time for all. Peers
        that wait for the total debt are skipped while it is too large: sorting them costs time for all."""
        budgets = self.budgets
        crowd = () if budgets.is_over else tuple(self._paused_for_all)
        waiting = [*self._paused, *crowd]
        begun = budgets.clock()
        waiting.sort(key=budgets.recent)
        cost = budgets.clock() - begun
        for session in waiting:
            if session in self._paused_for_all:
                if budgets.is_over:
                    continue
                del self._paused_for_all[session]
            else:
                self._paused.pop(session, None)
            if not session.resume():
                self.note_pause(session)
        if crowd:
            budgets.charge_total(cost / 1000)

    def note_more(self, session: Peer) -> None:
        """Queue a session with input left: its next turn comes after the other sessions, and after other input."""
        self._more[session] = None
        if not self._is_going_round:
            self._is_going_round = True
            if self._call_later is None:
                self._go_round()
            else:
                self._call_later(0, self._go_round)

    def _go_round(self) -> None:
        while self._more:
            session = next(iter(self._more))
            del self._more[session]
            if not session.resume():
                self.note_pause(session)
            if self._more and self._call_later is not None:
                self._call_later(0, self._go_round)
                return
        self._is_going_round = False

    def flush(self, *sessions: Peer) -> None:
        """Send all that is queued, for these sessions too: everything that one read or one record caused goes to each
        peer in one write. Of a broadcast some peers get theirs now, and the others after further input."""
        unsent, crowd = self.unsent, self.unsent_crowd
        for session in sessions:
            unsent[session] = ()
        while unsent:
            unsent.popitem()[0].flush()
        if crowd and not self._is_called_soon:
            self._flush_crowd()

    def _flush_crowd(self) -> None:
        self._is_called_soon = False
        crowd = self.unsent_crowd
        for session in list(crowd if self._call_later is None else islice(crowd, AT_ONCE)):
            with self.budgets.work(crowd.pop(session, ())):
                session.flush()
        if crowd and self._call_later is not None:
            self._is_called_soon = True
            self._call_later(0, self._flush_crowd)
        self.flush()  # what they asked for meanwhile, who are read as they are written to

    def tick_sessions(self) -> None:
        now = self.now()
        for session in list(self._sessions):
            session.tick(now, is_awaited=self.is_awaited(session))
        self.admission.tick(now)
        self.budgets.keep(self._people())

    @property
    def is_empty(self) -> bool:
        return not self._sessions

    def dismiss_all(self, goodbye: Goodbye) -> None:
        """Say goodbye to every peer and close. Their seats and tokens stay."""
        for session in list(self._sessions):
            session.farewell(goodbye)

    def cut_all(self) -> None:
        for session in list(self._sessions):
            session.cut()

    @property
    def connections(self) -> int:
        """Number of connections, including silent ones."""
        return self.admission.connections

    @property
    def outboxes(self) -> list[int]:
        """Bytes that wait for each peer."""
        return [session.pending for session in self._sessions]


def _refused(code: RefusalCode, message: str, **arguments: int | str) -> Goodbye:
    return Goodbye(code="refused", says=say_in_english(message, **arguments), refusal=code)


def _guessers(session: Peer, holder: PersonId | None) -> tuple[Prefix, ...]:
    """Keys under which a peer's guesses count: each network around its address, or the token's holder."""
    if holder is not None:
        return (Prefix(f"person {holder}", 1),)
    return prefixes_of(session.caller.site) or (Prefix("", 1),)


def digest_of(secret: str) -> bytes:
    """Digest of a token or a password. The secret itself is not stored."""
    return hashlib.sha256(secret.encode()).digest()
