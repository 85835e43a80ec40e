"""Checks of one table, and our part in its blind deals, for one person.

`read` first folds each message and replaces places by cards (`blind_table`); then `receive` plays the game along by its
rules (`Referee`). A task for each table does slow work in threads: it checks proofs of shuffles, and makes our shuffles
and shares. The event loop never waits for them.

The transcript requires that we sign an entry only after our last one came back. So only one entry is on its way, an act
or a part of a deal, and others wait for it (`_pen`).
"""

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from put_client.fairness.referee import Referee
from put_client.sdk.blind_table import BlindTable, NoKey, Unsound
from put_client.sdk.deal_checks import (
    Ask,
    CheckFailed,
    DealChecked,
    DealCounts,
    DealWarning,
    ElapsedClock,
    News,
    ProofStanding,
    Tally,
)
from put_client.sdk.errors import Cheated, ClientError, Objection, Refusal
from put_client.sdk.evidence import ReceivedTranscript, keep
from put_client.sdk.session_store import KeyMemory
from put_protocol.analysis import WeighGame
from put_protocol.blind.blind_game import TABLES_PLACE, BlindGame
from put_protocol.blind.party import Party
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.games.unions import GameView, ending_of
from put_protocol.messages import (
    Act,
    Blind,
    Decision,
    Events,
    Leave,
    Ok,
    Resign,
    Say,
    Stand,
    TableSnapshot,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, TimedOut
from put_text.catalogue import say

if TYPE_CHECKING:
    from put_text.notation import Sheet

TOLD_S = 10.0
"""Time for our entry to come back after the server accepted it; it comes in the same message."""

REFUSED_S = 1.0
"""Time after which a refused part of ours is made again, without news from the server."""


class TableCheck:
    def __init__(
        self,
        snapshot: TableSnapshot,
        server: str,
        keys: KeyMemory,
        *,
        ask: Ask,
        deliver: Callable[[tuple[News, ...]], None],
        clock: ElapsedClock,
        before: DealCounts,
        keeps_key: bool = False,
    ) -> None:
        """`ask`: makes a request. `deliver`: gets news that do not come from a message. `before`: deals counted
        before the server took the table from us. `keeps_key`: we asked for that when we sat down."""
        self.viewer = snapshot.viewer
        self.error: Cheated | None = None
        self._table = snapshot.table
        self._server = server
        self._keys = keys
        self._clock = clock
        self._ask = ask
        self._deliver = deliver
        self._blind = BlindTable(snapshot, keys, keeps_key=keeps_key)
        self._blind.counts.update(before)
        self.referee = Referee(snapshot, signed=self._blind.signed_acts if self._blind.is_checked else None)
        self._transcript = ReceivedTranscript(snapshot)
        self._has_begun = False
        self._flaw: Unsound | None = None
        """Found while reading a message, and not reported yet."""
        self._reported_blames = 0
        self._reported: DealChecked | None = None
        self._warned: set[str] = set()
        self._changed = asyncio.Event()
        self._heard = asyncio.Event()
        self._pen = asyncio.Lock()
        self._task = asyncio.create_task(self._work(), name=f"blind deals at table {self._table}")
        self._task.add_done_callback(_complain)

    def stop(self) -> None:
        self._task.cancel()

    def leave(self) -> DealCounts:
        self.stop()
        return self._blind.counts

    def lose(self) -> None:
        self._transcript.add_own("dropped")
        self.referee.lose()

    def note(self, request: Act | Leave | Resign | Stand) -> None:
        self.referee.send(request)
        if isinstance(request, Act):
            self._transcript.add_own("act", action=request.action)
        else:
            self._blind.give_up()
            self._transcript.add_own("gives_up")

    @property
    def played(self) -> WeighGame | None:
        """Our turns in the last game, if it is over and only we can analyse them."""
        return self.referee.played if self.error is None else None

    def named(self, sheet: "Sheet") -> "Sheet":
        """A game as the server has it, with our own cards where we could read them."""
        return self._blind.named(sheet)

    def read(self, message: TableSnapshot | Events | Decision, span: bytes = b"") -> Any:
        """The message with cards in place of places. A fault of the server is left out, and reported by `receive`."""
        try:
            if self.error is None and self._flaw is None:
                if span:
                    self._transcript.add_own("span", data=span)
                    self._blind.resume(span)
                return self._blind.read(message)
        except Unsound as flaw:
            self._flaw = flaw
        finally:
            self._changed.set()
            self._heard.set()
        match message:
            case Events():
                told = tuple([event for event in message.events if event.SHOWS is None])
                return replace(message, events=told, view=None, turn=None, moment="", says=(), board=())
            case TableSnapshot():
                return replace(message, view=None, turn=None, board=())
            case Decision():
                return message

    def receive(
        self, message: TableSnapshot | Events | Decision, forged: GameView | None, heard: float
    ) -> tuple[News, ...]:
        if not self._has_begun:  # it is the table as it was when we came
            self._has_begun = True
            if self._flaw is not None:
                return self._stop(str(self._flaw))
            return (
                *([DealWarning(self._table, say("client-key-elsewhere"))] if self._blind.has_lost_key else []),
                *self._report(),
            )
        if self.error is not None:
            return ()
        if self._flaw is not None:
            for event in self._flaw.events:
                self._transcript.add(event)
            return self._stop(str(self._flaw))
        self._keep(message)
        if forged is not None:
            self._transcript.add_own("view", view=forged)
            return self._stop(say("client-shown-otherwise"))
        if any(blame.seat == self.viewer for blame in self._blind.blames):
            self.referee.may_leave = True  # who does not do their part of a deal loses the seat
        flaw = self.referee.receive(message, self._clock.now(), heard)
        if flaw is not None:
            told = replace(message, events=()) if isinstance(message, Events) else message
            self._transcript.add_own("told", message=told)
            return self._stop(flaw)
        events = message.events if isinstance(message, Events) else ()
        is_game_over = any(ending_of(event) is not None for event in events)
        return () if isinstance(message, Decision) else self._report(is_game_over=is_game_over)

    async def act(self, act: Act) -> Ok:
        """Send an act of ours, signed if we hold a key. It is signed again if we signed before we heard that another
        entry of ours was accepted, whose answer was lost.

        :raises ClientError: as for any request, or it cannot be signed here.
        """
        async with self._pen:
            while True:
                try:
                    signed = self._blind.signed(act)
                except NoKey as error:
                    raise Refusal("bad_entry", str(error)) from None
                try:
                    ok = await self._ask(partial(_numbered, signed))
                except ClientError as error:
                    self._blind.pending_entry = None
                    is_refused = isinstance(error, Refusal) and error.code == RefusalCode.BAD_ENTRY
                    if not (is_refused and self._blind.is_overtaken(signed.entry)):
                        raise
                else:
                    if signed.entry:
                        await self._until_told(signed.entry)
                    return ok

    def _due(self, party: Party, game: BlindGame) -> bytes | None:
        """The entry due from us. A key, or a deal with our shares, is noted before.

        :raises OSError: it cannot be noted.
        :raises LookupError: another game has begun meanwhile.
        :raises Unsound: these shares may reveal our hand, judging by earlier messages.
        """
        for entry in party.due(game):
            one, noted = Entry.parse(entry), (0, "")
            if one.kind is Kind.SHARES:
                deal = game.deal(one.deal)
                owners = bytes([TABLES_PLACE if owner is None else owner for owner in deal.owners])
                pack = deal.pack.data
                noted = (deal.number, hashlib.sha256(len(pack).to_bytes(4, "big") + pack + owners).hexdigest())
            is_noted = one.kind in (Kind.KEY, Kind.SHARES)
            if is_noted and not self._keys.keep(self._table, game.transcript.terms_hash, *noted):
                raise Unsound(say("fault-told-before", deal=one.deal))
            return entry
        return None

    async def _until_told(self, entry: bytes) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(TOLD_S):
                while self._blind.pending_entry == entry and self.error is None:
                    self._heard.clear()
                    await self._heard.wait()
        if self._blind.pending_entry == entry:
            self._blind.pending_entry = None

    async def _work(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self.error is not None:
                break
            if self._flaw is None:
                await self._check_shuffles()
                await self._give_all_parts()
        says = say("fault-i-stop", keeps=self.error.evidence is not None)
        with suppress(ClientError):
            await self._ask(lambda request: Say(request, self._table, says))

    async def _check_shuffles(self) -> None:
        blind = self._blind
        game = blind.game
        for deal in () if game is None else game.unexamined():
            own = frozenset[Seat]() if blind.party is None else blind.party.seats
            examined = await asyncio.to_thread(deal.examined, own)
            if blind.game is not None and game is not None and blind.game.terms == game.terms:
                blind.game = blind.game.with_examined(examined)
        if self.error is None:
            says = blind.wrong_shuffle()
            self._deliver(self._report() if says is None else self._stop(says))

    async def _give_all_parts(self) -> None:
        blind = self._blind
        while blind.is_due() and self.error is None and self._flaw is None:
            async with self._pen:
                game, party = blind.game, blind.party
                if game is None or party is None or not blind.is_due():
                    return
                try:
                    entry = await asyncio.to_thread(self._due, party, game)
                except OSError:
                    self._warn(say("client-part-withheld"))
                    return
                except LookupError:
                    return
                except Unsound as flaw:
                    self._deliver(self._stop(str(flaw)))
                    return
                if entry is None:
                    return
                if not self._keys.is_kept:
                    self._warn(say("client-keys-not-kept"))
                blind.pending_entry = entry
                try:
                    await self._ask(partial(Blind, table=self._table, entry=entry))
                except ClientError:
                    blind.pending_entry = None
                    break
                await self._until_told(entry)
        else:
            return
        with suppress(TimeoutError):  # refused, because the deal has gone on otherwise; or no answer came
            async with asyncio.timeout(REFUSED_S):
                await self._changed.wait()
        self._changed.set()

    def _warn(self, says: str) -> None:
        if says not in self._warned:
            self._warned.add(says)
            self._deliver((DealWarning(self._table, says),))

    def _keep(self, message: TableSnapshot | Events | Decision) -> None:
        """Add a message to the evidence."""
        if isinstance(message, TableSnapshot):
            self._transcript.add(message)
        if not isinstance(message, Events):
            return
        if any(isinstance(event, GameStarted | TimedOut) for event in message.events):
            # What these are compared with is evidence, too.
            now, ends = self._clock.now(), self.referee.earliest_timeout
            self._transcript.add_own("known", purses=tuple(self.referee.purses), now=now, ends=ends)
        for event in message.events:
            self._transcript.add(event)
        if self._transcript.is_full:
            game = self._blind.game
            self._transcript.begin_anew(b"" if game is None else game.span())

    def _stop(self, says: str) -> tuple[News, ...]:
        """A check failed: save the evidence, say so at the table, and stop taking part."""
        deal = self._blind.number
        path = keep(self._transcript, self._server, self._table, deal)
        self.error = Cheated(self._table, (Objection(says, deal),), path)
        self._heard.set()
        self._changed.set()
        return (*self._report(), CheckFailed(self._table, self.error))

    def _report(self, *, is_game_over: bool = False) -> tuple[DealChecked, ...]:
        """Report repeated deals, the deal in play if it changed, and always the end of a game."""
        tally, standing = Tally.of(self._blind.counts), self._standing()
        unproved = self._blind.unproved if standing is ProofStanding.UNPROVED else None
        checked = DealChecked(self._table, standing, None, unproved, tally)
        deals = self._blind.summaries(self._reported_blames) or (None,)
        self._reported_blames = len(self._blind.blames)
        is_first = self._reported is None and standing is None and not tally.dealt
        if (replace(checked, deal=deals[-1]) == self._reported or is_first) and not is_game_over:
            return ()
        self._reported = replace(checked, deal=deals[-1])
        before = tuple([replace(checked, deal=deal) for deal in deals[:-1]])
        is_weighable = is_game_over and self.played is not None
        return (*before, replace(self._reported, is_game_over=is_game_over, is_weighable=is_weighable))

    def _standing(self) -> ProofStanding | None:
        if self.error is not None:
            return ProofStanding.BROKEN
        deal = self._blind.playing
        if self._blind.unproved is not None:
            return ProofStanding.UNPROVED
        if deal is None:
            return None if self._blind.game is None else ProofStanding.AWAITED
        return ProofStanding.PROVED if deal.is_shared and deal.is_checked else ProofStanding.AWAITED


def _numbered(act: Act, request: int) -> Act:
    return replace(act, id=request)


def _complain(task: asyncio.Task[None]) -> None:
    """Report our own bug to the loop's handler. Nothing more is done at the table."""
    if not task.cancelled() and (error := task.exception()) is not None:
        task.get_loop().call_exception_handler({"message": "the part in a blind deal failed", "exception": error})
