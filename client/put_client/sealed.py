"""What one person checks of sealed deals, and cuts, at all the tables he is at.

Laws: what is told at a table is checked before anybody else hears of it, in the order it came; a cut is given at once,
and nobody is asked. Whoever is left out of the cutting, or is asked for a cut he gave before, names his end again. At a
table that was caught nothing more is checked, cut or played.
"""

import secrets
from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from put_client.errors import Cheated
from put_client.evidence import Transcript, keep
from put_client.wire import Wire
from put_protocol.events import Dealt, Drawn, Event
from put_protocol.messages import Cut, Events, Left, Ok, Promise, Refused, Say, TableSnapshot
from put_protocol.seal import chain
from put_protocol.seal.chain import Chain
from put_protocol.seal.checking import Checker
from put_protocol.seal.findings import DealSummary, Failure, Proof, Stage
from put_protocol.seal.hashing import HASH_BYTES
from put_protocol.seal.told import CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY

LINKS = chain.LINKS

FEW_LINKS = 16
"""Deals before its end at which a chain is replaced: more than can be sealed while a promise travels."""


class Standing(StrEnum):
    """How far the deal in play is proved."""

    AWAITED = "awaited"
    """It is sealed; cuts, or the proofs that come when the hand is over, are still to come."""
    PROVED = "proved"
    """All that was shown of it is."""
    UNSEALED = "unsealed"
    """Nobody cuts here, so it was not sealed and nothing of it can be checked."""
    UNCHECKED = "unchecked"
    """We came in the middle of it, or missed a part."""
    BROKEN = "broken"
    """Something was not as an honest table does it."""


class DealChecked(Struct, frozen=True):
    """A deal is checked as far as it was told; after whatever changed that."""

    table: int
    standing: Standing | None
    """Of the deal in play; None: there was none yet."""
    deal: DealSummary | None
    """What has changed, mostly of the deal in play; None: no deal was checked yet."""


class SealBroken(Struct, frozen=True):
    """A table was caught. Nothing more is played there: `Client.act` raises the error."""

    table: int
    error: Cheated


News = DealChecked | SealBroken


def new_secret() -> bytes:
    """For a chain."""
    return secrets.token_bytes(HASH_BYTES)


class Sealing:
    """All the tables of one person."""

    def __init__(self, server: str, secret: Callable[[], bytes] | None) -> None:
        """`server`: what evidence calls it. `secret`: makes one for each chain; None: nothing is cut nor checked."""
        self._server = server
        self._secret = secret
        self._sittings: dict[int, _Sitting] = {}
        self._chains: dict[int, Chain] = {}
        """Of seats that were asked for, by table."""
        self._promises: dict[int, int] = {}
        """The tables of promises in flight, by the id of the request."""

    def end_for(self, table: int) -> bytes | None:
        """What to ask for a seat with."""
        if self._secret is None:
            return None
        self._chains[table] = Chain(self._secret(), LINKS)
        return self._chains[table].link(LINKS)

    def must_be_fair(self, table: int) -> None:
        """:raises Cheated: this table was caught."""
        sitting = self._sittings.get(table)
        if sitting is not None and sitting.error is not None:
            raise sitting.error

    def hear(self, message: TableSnapshot | Events | Openings | Left, wire: Wire) -> tuple[News, ...]:
        """Check what is told, and answer on the wire. What comes of it is for whoever hears the message, behind it."""
        sitting = self._sittings.get(message.table)
        if isinstance(message, Left):
            self._sittings.pop(message.table, None)
            return ()
        if isinstance(message, TableSnapshot) and self._secret is not None:
            if sitting is None or self._is_new(sitting, message):
                sitting = self._sittings[message.table] = self._sit(message, self._secret)
            else:
                sitting.look_around()
        if sitting is None:
            return ()
        news = sitting.hear(message)
        self._send(sitting.take_requests(), wire)
        return news

    def _is_new(self, sitting: "_Sitting", snapshot: TableSnapshot) -> bool:
        """Whether we sat down, or went to the gallery, since."""
        has_sat = snapshot.viewer != GALLERY and snapshot.table in self._chains
        return has_sat or sitting.viewer != snapshot.viewer

    def _sit(self, snapshot: TableSnapshot, secret: Callable[[], bytes]) -> "_Sitting":
        if snapshot.viewer == GALLERY or snapshot.info.options.get("arranged"):
            return _Sitting(snapshot, self._server, secret)  # an exhibition is not sealed, whoever sits there
        asked = self._chains.pop(snapshot.table, None)
        sitting = _Sitting(snapshot, self._server, secret, asked)
        if asked is None:  # we had the seat before, in another process
            sitting.renew()
        return sitting

    def answered(self, answer: Ok | Refused) -> None:
        """Any request was answered. A promise that was refused is made again when the next deal goes without us."""
        sitting = self._sittings.get(self._promises.pop(answer.id, -1))
        if sitting is not None and isinstance(answer, Ok):
            sitting.is_promised()

    def lose(self) -> None:
        """The line dropped."""
        self._promises.clear()
        for sitting in self._sittings.values():
            sitting.lose()

    def come_back(self, tables: Iterable[int], wire: Wire) -> None:
        """There is another line, and we are still at these tables."""
        for gone in self._sittings.keys() - set(tables):
            del self._sittings[gone]
        for sitting in self._sittings.values():
            sitting.promise()
            self._send(sitting.take_requests(), wire)

    def _send(self, requests: Iterable[Promise | Cut | Say], wire: Wire) -> None:
        """Nobody waits for the answers."""
        for request in requests:
            numbered = replace(request, id=wire.connection.next_id())
            if isinstance(numbered, Promise):
                self._promises[numbered.id] = numbered.table
            wire.send(numbered)


class _Sitting:
    """One table, from a seat or from the gallery."""

    def __init__(
        self, snapshot: TableSnapshot, server: str, secret: Callable[[], bytes], chain: Chain | None = None
    ) -> None:
        """`chain`: with which the seat was asked for."""
        self.viewer = snapshot.viewer
        self.error: Cheated | None = None
        """The table was caught."""
        self._table = snapshot.table
        self._server = server
        self._secret = secret
        is_midway = snapshot.info.is_in_play
        self._checker = Checker(self._table, self.viewer, chain=chain, is_midway=is_midway)
        self._transcript = Transcript(self._table, self.viewer, self._checker.end, is_midway=is_midway)
        self._has_missed = is_midway
        """Of the deal in play, and nothing was sealed since."""
        self._is_catching_up = False
        """What comes now happened while we were away, and its proofs do not come."""
        self._requests: list[Promise | Cut | Say] = []
        self._sealed: int | None = None
        """The last deal that was."""
        self._told = DealChecked(self._table, None, None)

    def take_requests(self) -> list[Promise | Cut | Say]:
        """What is to be sent, without ids."""
        requests, self._requests = self._requests, []
        return requests

    # --- coming and going ---

    def lose(self) -> None:
        """The line dropped. What comes next is what we missed, and ends with the table as it is."""
        self._is_catching_up = True
        self._checker.resume()
        self._transcript.did("resume")

    def look_around(self) -> None:
        """The table is shown anew, in place of what we missed."""
        if not self._is_catching_up:
            self.lose()

    # --- taking part ---

    def promise(self) -> None:
        """Tell the server where our chain stands: it may not know, or have left us out."""
        end = self._checker.end
        if end is not None and self.error is None:
            self._requests.append(Promise(0, self._table, end))

    def is_promised(self) -> None:
        """The server knows."""
        self._checker.count()
        self._transcript.did("counted")

    def renew(self) -> None:
        """Take part with another chain."""
        self._checker.renew(Chain(self._secret(), LINKS))
        self._transcript.did("chain", end=self._checker.end)
        self.promise()

    def _cut(self, sealed: Sealed) -> None:
        link = self._checker.cut()
        if link is not None:
            self._transcript.did("cut", link=link)
            self._requests.append(Cut(0, self._table, sealed.deal, link))
        else:
            self.promise()

    # --- what is told ---

    def hear(self, message: TableSnapshot | Events | Openings) -> tuple[News, ...]:
        """Check it; what comes of that."""
        if self.error is not None:
            return ()
        if self._is_catching_up:
            if isinstance(message, Openings) or message.info is None:
                return ()
            self._is_catching_up = False
            self._has_missed = message.info.is_in_play or self._sealed is not None
            return self._report(())
        if isinstance(message, TableSnapshot):
            return self._report(())
        told = (message,) if isinstance(message, Openings) else message.events
        for one in told:
            self._transcript.told(one, self._checker.end, is_counted=self._checker.is_counted)
            failures = self._checker.take(one)
            if failures:
                return self._stop(failures)
            self._answer(one)
        if isinstance(message, Openings):
            return self._report((message.deal,))
        return self._report([event.deal for event in told if isinstance(event, DealVoided)])

    def _answer(self, told: Event | Openings) -> None:
        match told:
            case Sealed():
                self._sealed, self._has_missed = told.deal, False
                self._cut(told)
            case CutsShown() | DealVoided() if self._checker.end is not None and self._checker.links_left < FEW_LINKS:
                self.renew()
            case DealVoided(seats=seats) if self.viewer in seats:
                self.promise()
            case Dealt() | Drawn() if self._checker.is_unsealed:
                self.promise()
            case _:
                pass

    def _stop(self, failures: tuple[Failure, ...]) -> tuple[News, ...]:
        """The table is caught: say so there, and take no more part."""
        path = keep(self._transcript, self._server, self._table, failures[0].deal)
        self.error = Cheated(self._table, failures, path)
        says = failures[0].says.removesuffix(".")
        kept = " I keep the evidence." if path is not None else ""
        self._requests = [Say(0, self._table, f"I stop: {says[0].lower()}{says[1:]}.{kept}")]
        if self._checker.end is not None:
            self._requests.append(Promise(0, self._table))
        return (*self._report((failures[0].deal,)), SealBroken(self._table, self.error))

    # --- what is found ---

    def _report(self, deals: Iterable[int]) -> tuple[DealChecked, ...]:
        """How these deals stand, and the one in play, as far as that is news."""
        played = self._checker.summary(self._sealed or 0)
        standing = self._standing(played)
        news = []
        for deal in sorted({*deals, self._sealed or 0}):
            summary = played if deal == self._sealed else self._checker.summary(deal)
            told = DealChecked(self._table, standing, summary)
            if told != self._told:
                news.append(told)
                self._told = told
        return tuple(news)

    def _standing(self, deal: DealSummary | None) -> Standing | None:
        if self.error is not None:
            return Standing.BROKEN
        if self._checker.is_unsealed:
            return Standing.UNSEALED
        if self._has_missed:
            return Standing.UNCHECKED
        if deal is None:
            return None
        is_open = any(card.proof is Proof.AWAITED for card in deal.cards)
        return Standing.PROVED if deal.stage is Stage.CUT and not is_open else Standing.AWAITED
