"""Checks of sealed deals, and the cuts, for one person at all their tables.

Laws: every message of a table is checked before the program receives it, in the order it came; a cut is given at once,
without asking. No deal goes unreported: each is proved, or is reported as unproved with the reason, and both are
counted. A client that is left out of the cutting, or is asked for a cut it gave before, promises the end of its chain
again. At a table where a check failed nothing more is checked, cut or played.

After a drop the missed events come first and are checked as usual. Only after them is it known whether a seal waits for
our cut, so nothing is cut before the message that has the table as it is now. A link that may have been lost with the
connection is given again, for the same seal and no other: a link given for two seals would let the server choose.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from put_client.sdk.errors import BadServer, Cheated
from put_client.sdk.evidence import Transcript, keep
from put_client.sdk.key_memory import KeyMemory
from put_client.sdk.wire import Wire
from put_protocol.blind import IS_AVAILABLE
from put_protocol.blind_events import BlindSpan
from put_protocol.deal_steps import begins_deal
from put_protocol.games.unions import Event, GameView, ending_of
from put_protocol.messages import (
    Act,
    Cut,
    Decision,
    Events,
    Leave,
    Left,
    Notice,
    Ok,
    Promise,
    Refused,
    Request,
    Resign,
    Say,
    Stand,
    TableSnapshot,
)
from put_protocol.seal import cuts
from put_protocol.seal.checker import Checker
from put_protocol.seal.cuts import Chain
from put_protocol.seal.findings import BlindDeal, DealSummary, Failure, Fault, Objection, Proof, Stage, Tally, Unproved
from put_protocol.seal.terms import terms_of
from put_protocol.seal_events import HASH_BYTES, CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted, TimedOut
from put_protocol.table_info import TableInfo

if TYPE_CHECKING:
    from put_client.sdk.blind_check import Ask, BlindCheck


LINKS = cuts.LINKS

TAKEN = 256
"""Tables that a server has taken from us, of which the tally is kept."""

CATCH_UP = 4
"""Messages after a drop in which the missed events must have come; an honest server takes three at most. Then we cut
again, even if more is still to come: no server may keep us out of the cutting by never catching up."""

FEW_LINKS = 16
"""Deals before its end at which a chain is replaced: more than can be sealed while a promise travels."""


class ProofStanding(StrEnum):
    """Proof of the deal in play."""

    AWAITED = "awaited"
    """It is sealed; some cuts, or the proofs that follow the hand, are still to come."""
    PROVED = "proved"
    """Every card shown is proved."""
    UNPROVED = "unproved"
    """It is not and will not be proved, for a reason."""
    BROKEN = "broken"
    """A check failed: the table cheats."""


class DealChecked(Struct, frozen=True):
    """The state of the checks, whenever it has changed."""

    table: int
    standing: ProofStanding | None
    """Standing of the deal in play; None: there was none yet."""
    deal: DealSummary | BlindDeal | None
    """The deal that changed, mostly the one in play; None: no deal was checked yet."""
    unproved: Unproved | None = None
    """Reason why the deal in play is not proved; None unless the standing says so."""
    unproved_deals: int = 0
    """Deals that are not proved, the one in play included."""
    tally: Tally = Tally()
    """Counts of all finished deals since we came to the table."""
    is_game_over: bool = False
    """A game has just ended, and the tally has its last deal."""
    is_blind: bool = False
    """The deals are shuffled by all holders of keys; else they are sealed."""

    @property
    def is_proved(self) -> bool:
        """Every card shown of the deal in play is proved."""
        return self.standing is ProofStanding.PROVED


class SealBroken(Struct, frozen=True):
    """A check failed. Nothing more is played at this table: `Client.act` raises the error."""

    table: int
    error: Cheated


News = DealChecked | SealBroken | Notice

_NOT_BY_RULES = "what I was told of the game does not follow from its rules"


def new_secret() -> bytes:
    """A secret for a chain."""
    return secrets.token_bytes(HASH_BYTES)


class _Taken(NamedTuple):
    """A table that the server has taken from us."""

    tally: Tally = Tally()
    names: tuple[str, ...] = ()
    error: Cheated | None = None
    """The failed check, if one has."""

    def tally_for(self, info: TableInfo) -> Tally:
        """The tally with what is counted of players who still sit where they did."""
        still = {
            Seat(seat) for seat, (name, now) in enumerate(zip(self.names, info.seats, strict=False)) if name == now.name
        }
        return replace(self.tally, called_off=tuple([one for one in self.tally.called_off if one.seat in still]))


class SealChecks:
    """The checks of all tables of one person."""

    def __init__(self, server: str, secret: Callable[[], bytes] | None, keys: KeyMemory | None = None) -> None:
        """`server`: its name in evidence. `secret`: makes one for each chain; None: nothing is cut or checked.
        `keys`: what is remembered of blind deals."""
        self._server = server
        self._secret = secret
        self.keys = keys or KeyMemory()
        self._ask: Ask
        self._deliver: Callable[[News], None]
        self._checks: dict[int, _TableCheck | BlindCheck] = {}
        self._spans: dict[int, list[bytes]] = {}
        """Parts of the states of blind games, whose tables are still to come."""
        self._chains: dict[int, Chain] = {}
        """Chains of seats we have asked for, by table."""
        self._promises: dict[int, int] = {}
        """Tables of promises in flight, by request id."""
        self._taken: dict[int, _Taken] = {}
        """Tables that the server has taken from us."""
        self._fresh: set[int] = set()
        """Blind tables that we have just come to."""

    def anew(self) -> "SealChecks":
        """Those of the same person's next client; these are over."""
        after = SealChecks(self._server, self._secret, self.keys)
        for table in tuple(self._checks):
            self._take(table)
        after._taken = self._taken
        return after

    def attach(self, ask: "Ask", deliver: Callable[[News], None]) -> None:
        """`ask`: makes a request of ours. `deliver`: takes news that come of no message."""
        self._ask, self._deliver = ask, deliver

    def stop(self) -> None:
        """Do no more at any table."""
        for check in self._checks.values():
            check.stop()

    @property
    def holds_keys(self) -> bool:
        """We take part in blind deals."""
        return self._secret is not None and IS_AVAILABLE

    def blind(self, table: int) -> "BlindCheck | None":
        """The checks of a table that is dealt blind."""
        check = self._checks.get(table)
        return None if check is None or isinstance(check, _TableCheck) else check

    def read(self, message: TableSnapshot | Events | Decision | Openings | Left) -> Any:
        """The message as all else is to read it: from a table that is dealt blind, with cards in place of places."""
        if isinstance(message, TableSnapshot) and self.holds_keys and _is_blind(message):
            return self._read_blind(message)
        check = self.blind(message.table)
        if check is None or isinstance(message, Openings | Left):
            return message
        span = self._take_span(message.table) if isinstance(message, Events) else b""
        return check.read(message, span)

    def _read_blind(self, snapshot: TableSnapshot) -> TableSnapshot:
        from put_client.sdk.blind_check import BlindCheck  # noqa: PLC0415  # with coincurve, which may be missing

        span = self._take_span(snapshot.table)
        check = self.blind(snapshot.table)
        if check is None or self._chains.pop(snapshot.table, None) is not None or check.viewer != snapshot.viewer:
            if check is not None:
                check.stop()
            taken = self._taken.pop(snapshot.table, _Taken())
            check = BlindCheck(
                snapshot,
                self._server,
                self.keys,
                ask=self._ask,
                deliver=self._deliver,
                before=taken.tally_for(snapshot.info),
            )
            check.error = taken.error
            self._checks[snapshot.table] = check
            self._fresh.add(snapshot.table)
        read: TableSnapshot = check.read(snapshot, span)
        return read

    def _take_span(self, table: int) -> bytes:
        return b"".join(self._spans.pop(table, ()))

    def add_span(self, span: BlindSpan) -> None:
        """A part of the state of a blind game.

        :raises BadServer: it does not follow the part before.
        """
        if span.part == 1:
            self._spans[span.table] = []
        parts = self._spans.setdefault(span.table, [])
        if span.part != len(parts) + 1 or len(self._spans) > TAKEN:
            raise BadServer("it gave the state of a deal in parts that do not follow one another")
        parts.append(span.data)

    def end_for(self, table: int) -> bytes | None:
        """The end of a new chain, for the request for a seat."""
        if self._secret is None:
            return None
        self._chains[table] = Chain(self._secret(), LINKS)
        return self._chains[table].link(LINKS)

    def is_broken(self, table: int) -> bool:
        """True if a check failed at this table."""
        check = self._checks.get(table)
        return check is not None and check.error is not None

    def asks(self, request: Request) -> None:
        """Note what we ask for at a table, before it is sent.

        :raises Cheated: it is a move, and a check failed at this table.
        """
        if isinstance(request, Act | Leave | Resign | Stand) and (check := self._checks.get(request.table)):
            if isinstance(request, Act) and check.error is not None:
                raise check.error
            check.note(request)

    def receive(
        self,
        message: TableSnapshot | Events | Decision | Openings | Left,
        wire: Wire,
        forged: GameView | None = None,
        *,
        heard: float = 0.0,
    ) -> tuple[News, ...]:
        """Check a message and send our cuts and promises. The news is to be delivered right after the message.

        `forged`: the view that it brings, if it is not the one that follows from the events. `heard`: when, by the
        clock of the loop, the latest of our requests was sent that the server has answered.
        """
        check = self._checks.get(message.table)
        if isinstance(message, Left):
            self._take(message.table)
            return ()
        if isinstance(message, TableSnapshot) and message.table in self._fresh:
            self._fresh.discard(message.table)
            assert check is not None
            news = check.begin(message)
            self._send(check.take_requests(), wire)
            return news
        if isinstance(message, TableSnapshot) and message.table in self._chains:
            check = None  # we asked for a seat there and have it
        if check is None and isinstance(message, TableSnapshot) and _is_blind(message):
            unproved = DealChecked(message.table, ProofStanding.UNPROVED, None, Unproved.BLIND, is_blind=True)
            return () if self._secret is None else (unproved,)
        if check is None and isinstance(message, TableSnapshot) and self._secret is not None:
            check = self._checks[message.table] = self._begin(message, self._secret)
            news = check.begin(message)
        elif check is None:
            return ()
        else:
            news = check.receive(message, forged, heard)
        self._send(check.take_requests(), wire)
        return news

    def in_own_words(self, decision: Decision) -> Decision:
        """The decision as it is to be delivered, after it was checked: the server's words for a choice may be those of
        another."""
        check = self._checks.get(decision.table)
        return decision if check is None else check.in_own_words(decision)

    def _begin(self, snapshot: TableSnapshot, secret: Callable[[], bytes]) -> "_TableCheck":
        asked = self._chains.pop(snapshot.table, None)
        if snapshot.viewer == GALLERY or snapshot.info.options.get("arranged"):
            return self._again(snapshot, secret, None)  # arranged cards are not sealed for any seat
        check = self._again(snapshot, secret, asked)
        if asked is None:  # we had the seat before, in another process
            check.renew()
        return check

    def _take(self, table: int) -> None:
        """The server says that we are no longer there. What was found and counted stays so, if we come back."""
        check = self._checks.pop(table, None)
        if check is not None:
            self._taken[table] = _Taken(check.leave(), check.names, check.error)
            if len(self._taken) > TAKEN:
                del self._taken[next(iter(self._taken))]

    def _again(self, snapshot: TableSnapshot, secret: Callable[[], bytes], chain: Chain | None) -> "_TableCheck":
        taken = self._taken.pop(snapshot.table, _Taken())
        check = _TableCheck(snapshot, self._server, secret, chain, taken.tally_for(snapshot.info))
        check.error = taken.error
        return check

    def answered(self, answer: Ok | Refused, request: Request | None) -> None:
        """A request was answered; None: it was sent from here. A refused promise is made again when the next deal is
        cut without us. A table that we have left is forgotten."""
        if not isinstance(answer, Ok):
            self._promises.pop(answer.id, None)
            return
        if isinstance(request, Stand | Leave) and (left := self._checks.pop(request.table, None)) is not None:
            left.stop()
        check = self._checks.get(self._promises.pop(answer.id, -1))
        if check is not None:
            check.is_promised()

    def lose(self) -> None:
        """Note that the connection dropped."""
        self._promises.clear()
        for check in self._checks.values():
            check.lose()

    def come_back(self, tables: Iterable[int]) -> None:
        """The connection is back, and we are still at these tables."""
        for gone in self._checks.keys() - set(tables):
            self._take(gone)

    def _send(self, requests: Iterable[Promise | Cut | Say], wire: Wire) -> None:
        """Send, and wait for no answers."""
        for request in requests:
            numbered = replace(request, id=wire.connection.next_id())
            if isinstance(numbered, Promise):
                self._promises[numbered.id] = numbered.table
            wire.send(numbered)


class _TableCheck:
    """One table, from a seat or from the gallery."""

    def __init__(
        self,
        snapshot: TableSnapshot,
        server: str,
        secret: Callable[[], bytes],
        chain: Chain | None = None,
        before: Tally = Tally(),  # noqa: B008  # it is frozen
    ) -> None:
        """`before`: deals that were counted before the server took the table from us. `chain`: the chain promised when
        the seat was asked for. No seat can be had during a game: a server that tells a player who just sat down that a
        game is in play has to show its seal all the same."""
        info = snapshot.info
        self.viewer = snapshot.viewer
        self.error: Cheated | None = None
        """The failed check, if one has."""
        self._table = snapshot.table
        self._server = server
        self._secret = secret
        self._checker = Checker(
            self._table,
            self.viewer,
            terms=terms_of(info.game, info.options),
            chain=chain,
            joins=info.is_in_play and chain is None,
            is_exhibition=info.is_exhibition,
            before=before,
        )
        self._transcript = Transcript(snapshot, self._checker.own.end, joins=info.is_in_play and chain is None)
        self._has_dropped = False
        """The connection dropped, and nothing came on the next one yet."""
        self._behind = 0
        """Messages that may still hold missed events; the last of them has the table as it is now."""
        self._requests: list[Promise | Cut | Say] = []
        self._last = 0
        """Number of the last seal."""
        self._tried = 0
        """The seal we have answered on this connection."""
        self._reported: DealChecked | None = None
        from put_client.fairness.referee import Referee  # noqa: PLC0415  # with all rules; no first screen has a table

        self._referee = Referee(snapshot)

    @property
    def names(self) -> tuple[str, ...]:
        """Each player who sits here, or sat here last, by seat."""
        return self._referee.names

    def leave(self) -> Tally:
        """Tally of the deals until here."""
        return self._checker.leave()

    def stop(self) -> None:
        """Nothing runs beside the messages."""

    def take_requests(self) -> list[Promise | Cut | Say]:
        """The requests to send, without ids."""
        requests, self._requests = self._requests, []
        return requests

    def lose(self) -> None:
        """Note that the connection dropped."""
        self._has_dropped = True
        self._behind = CATCH_UP
        self._tried = 0
        self._transcript.add_own("dropped")
        self._referee.lose()

    def note(self, request: Act | Leave | Resign | Stand) -> None:
        """Note what we ask for."""
        self._referee.send(request)
        if isinstance(request, Act):
            self._transcript.add_own("act", action=request.action)
        else:
            self._transcript.add_own("gives_up")

    def promise(self) -> None:
        """Tell the server where our chain stands: it may not know, or has left us out."""
        end = self._checker.own.end
        if end is not None and self.error is None:
            self._transcript.add_own("promise", end=end)
            self._requests.append(Promise(0, self._table, end))

    def is_promised(self) -> None:
        """The server has our promise."""
        self._checker.own.count()
        self._transcript.add_own("counted")

    def renew(self) -> None:
        """Go on with a new chain."""
        self._checker.own.renew(Chain(self._secret(), LINKS))
        self.promise()

    def begin(self, snapshot: TableSnapshot) -> tuple[News, ...]:
        """Begin with the table as it was when we came."""
        if snapshot.sealed is not None:
            self._last = snapshot.sealed.deal
            failures = self._checker.join(snapshot.sealed, snapshot.links)
            if failures:
                return self._stop(failures)
            if self._checker.own.is_counted:  # we sat down, and the connection dropped before we heard of it
                self._cut_what_waits()
        return self._report(())

    def in_own_words(self, decision: Decision) -> Decision:
        """The decision in words that follow from the rules, where they are known."""
        return self._referee.in_own_words(decision)

    def receive(
        self, message: TableSnapshot | Events | Decision | Openings, forged: GameView | None, heard: float
    ) -> tuple[News, ...]:
        news: tuple[News, ...] = ()
        if self.error is None:
            match message:
                case Decision():
                    pass
                case TableSnapshot():
                    news = self._look(message)
                case Openings():
                    self._transcript.add(message, self._checker)
                    failures = self._checker.check(message)
                    news = self._stop(failures) if failures else self._report((message.deal,))
                case Events():
                    self._note_known(message)
                    news = self._follow(message)
        if self.error is not None:
            return news
        if forged is not None:
            self._transcript.add_own("view", view=forged)
            return (*before_end(news), *self._stop((Failure(self._last, Fault.VIEW),)))
        if isinstance(message, Openings):
            return news
        flaw = self._referee.receive(message, asyncio.get_running_loop().time(), heard)
        if flaw is None:
            return news
        self._transcript.add_own(
            "told", message=replace(message, events=()) if isinstance(message, Events) else message
        )
        return (*before_end(news), *self._stop((Objection(flaw, self._last),)))

    def _look(self, snapshot: TableSnapshot) -> tuple[News, ...]:
        """A snapshot of a table we know."""
        has_dropped = self._has_dropped and snapshot.viewer == self.viewer
        self._has_dropped, self._behind = False, 0
        self._transcript.add(snapshot, self._checker)
        is_in_play = snapshot.info.is_in_play
        failures = self._checker.check_snapshot(
            snapshot.sealed, snapshot.links, is_in_play=is_in_play, has_dropped=has_dropped
        )
        if failures:
            return self._stop(failures)
        if snapshot.sealed is not None:
            self._last = snapshot.sealed.deal
        if not self._cut_what_waits():
            self.promise()  # it may not know of us
        return self._report(())

    def _note_known(self, message: Events) -> None:
        """Keep as evidence what a game that begins, or a time-out, is compared with."""
        if any(isinstance(event, GameStarted | TimedOut) for event in message.events):
            now, ends = asyncio.get_running_loop().time(), self._referee.ends
            self._transcript.add_own("known", purses=tuple(self._referee.purses), now=now, ends=ends)

    def _follow(self, message: Events) -> tuple[News, ...]:
        self._has_dropped = False
        deals = [self._last] if self._last else []
        is_game_over = False
        for event in message.events:
            self._transcript.add(event, self._checker)
            failures = self._checker.check(event)
            if failures:
                return self._stop(failures)
            self._answer(event)
            if isinstance(event, Sealed | DealVoided):
                deals.append(event.deal)
            is_game_over = is_game_over or ending_of(event) is not None
        self._behind = max(0, self._behind - 1) if message.info is None else 0
        if not self._behind:
            self._cut_what_waits()
        return self._report(deals, is_game_over=is_game_over)

    def _answer(self, event: Event) -> None:
        match event:
            case Sealed():
                self._last = event.deal
            case CutsShown() if self._checker.own.end is not None and self._checker.own.links_left < FEW_LINKS:
                self.renew()
            case DealVoided(seats=seats) if self.viewer in seats:
                self.promise()
            case _ if begins_deal(event.deal_steps()) and self._checker.unproved is Unproved.NOT_COUNTED:
                self.promise()
            case _:
                pass

    def _cut_what_waits(self) -> bool:
        """Cut the seal that waits for us, once on each connection. If it waits for a link that we must not give,
        promise our end instead. Returns whether a seal waits."""
        waiting = self._checker.waiting
        if waiting is not None and waiting != self._tried:
            self._tried = waiting
            link = self._checker.cut()
            if link is None:
                self.promise()
            else:
                self._transcript.add_own("cut", link=link)
                self._requests.append(Cut(0, self._table, waiting, link))
        return waiting is not None

    def _stop(self, failures: tuple[Failure | Objection, ...]) -> tuple[News, ...]:
        """A check failed: keep the evidence, say so at the table, and take no more part."""
        path = keep(self._transcript, self._server, self._table, failures[0].deal)
        self.error = Cheated(self._table, failures, path)
        says = failures[0].says.removesuffix(".") if isinstance(failures[0], Failure) else _NOT_BY_RULES
        kept = " I keep the evidence." if path is not None else ""
        self._requests = [Say(0, self._table, f"I stop: {says[0].lower()}{says[1:]}.{kept}")]
        if self._checker.own.end is not None:
            self._requests.append(Promise(0, self._table))
        return (*self._report((failures[0].deal,)), SealBroken(self._table, self.error))

    def _report(self, deals: Iterable[int], *, is_game_over: bool = False) -> tuple[DealChecked, ...]:
        """The state of these deals and the one in play, where it has changed; the end of a game is always reported."""
        news = []
        numbers = sorted({*deals, self._last})
        for number in numbers:
            checked = DealChecked(
                self._table,
                self._standing(),
                self._checker.summary(number),
                self._checker.unproved,
                self._checker.unproved_deals,
                self._checker.tally,
            )
            ends = is_game_over and number == numbers[-1]
            if ends or (checked != self._reported and (checked.standing or checked.deal or checked.tally.dealt)):
                news.append(replace(checked, is_game_over=ends))
                self._reported = checked
        return tuple(news)

    def _standing(self) -> ProofStanding | None:
        if self.error is not None:
            return ProofStanding.BROKEN
        if self._checker.unproved is not None:
            return ProofStanding.UNPROVED
        deal = self._checker.deal
        if deal is None:
            return None
        is_open = any(card.proof is Proof.AWAITED for card in deal.cards)
        return ProofStanding.PROVED if deal.stage is Stage.CUT and not is_open else ProofStanding.AWAITED


def _is_blind(snapshot: TableSnapshot) -> bool:
    return snapshot.info.options.get("dealing", "sealed") != "sealed"


def before_end(news: tuple[News, ...]) -> tuple[News, ...]:
    """The news without the end of a game: who waits for that alone, has to hear of a failed check first."""
    return tuple([replace(one, is_game_over=False) if isinstance(one, DealChecked) else one for one in news])
