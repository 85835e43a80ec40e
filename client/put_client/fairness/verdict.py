"""Verdict on all that one viewer was told of a table: each deal in words, and everything that does not hold.

A third party has no key. The player whose file it is has seen their own cards, and no others; they stand in it as
cards. All that is shown to others has to be opened by the transcript of the deal.
"""

from typing import NamedTuple

from msgspec.structs import replace

from put_client.fairness.fairness_text import in_sentences
from put_client.fairness.referee import Referee
from put_client.sdk.blind_table import BlindTable, Unsound, wrong_shuffle
from put_client.sdk.findings import DealSummary, Objection
from put_protocol.blind import IS_AVAILABLE
from put_protocol.deal_steps import begins_deal
from put_protocol.games.unions import Event
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.seats import Viewer
from put_protocol.table_events import GameStarted, seated_names
from put_protocol.text import printable
from put_text.catalogue import say
from put_text.translated import in_own_words


class FairnessVerdict(NamedTuple):
    says: tuple[str, ...]
    """A sentence or more for each deal, in their order, and one for all of them."""
    failures: tuple[Objection, ...]
    is_proved: bool
    """True if there were deals and every one is proved."""


class Witnessed:
    """Everything that a viewer was told, checked as it is taken."""

    def __init__(self, begun: TableSnapshot, *, knows_acts: bool, has_steps: bool = True) -> None:
        """`begun`: the table as the viewer came to it. `knows_acts`: what the viewer did is told as well. `has_steps`:
        the file has the steps of its deals; a sheet has none.

        :raises ValueError: such deals cannot be checked here.
        """
        self.table = BlindTable(begun, None)
        is_blind = begun.info.options.get("dealing") == "blind"
        if is_blind and has_steps and not IS_AVAILABLE:
            raise ValueError("this game was dealt blind, and coincurve, which checks that, is not installed")
        self._has_steps = has_steps
        signed = self.table.signed_acts if is_blind and has_steps else None
        self.referee = Referee(begun, knows_acts=knows_acts, signed=signed)
        self.failures: list[Objection] = []
        self.cut: int | None = None
        """The number of the last line before one that is missing: the viewer's file is not whole."""
        self.proved = 0
        """Deals of which cards were told, with all that proves them."""
        self.unproved = 0
        self._viewer: Viewer = begun.viewer
        self._names = tuple([seat.name or "" for seat in begun.info.seats])
        self._said: list[str] = []
        self._deal: DealSummary | None = None
        self._counted: tuple[int, int] | None = None
        """The last deal that was counted, by the numbers of its keys' game and its own."""
        self._blames = 0
        self._has_begun = False
        self._is_partial = False
        """The first game goes on from a state."""

    def take(self, event: Event) -> None:
        """Check what an event tells of the deals."""
        if self.failures or not self._has_steps:
            return
        self._names = seated_names(self._names, event)
        self._has_begun = self._has_begun or isinstance(event, GameStarted)
        if isinstance(event, GameStarted) and event.plain:
            self._said.append(say("verify-plain", game=event.game, why=printable(in_own_words(event.plain))))
        try:
            self.table.read(Events(table=self.table.table, first=1, events=(event,)))
            self._examine()
        except Unsound as flaw:
            self.failures.append(Objection(str(flaw), self.table.number))
            return
        self._note()
        if begins_deal(event.deal_steps()):
            self._count()

    def _count(self) -> None:
        """A deal of which cards are told; again, where equal cards were drawn for the deal, is no further one."""
        game, deal = self.table.game, self.table.playing
        at = None if game is None or deal is None else (game.terms.game, deal.number)
        if at is not None and at == self._counted:
            return
        self._counted = at
        if self.table.unproved is None and deal is not None and deal.is_shared:
            self.proved += 1
        else:
            self.unproved += 1

    def resume(self, span: bytes) -> None:
        """Go on from the state of a game, as the viewer did."""
        if self.failures:
            return
        self._is_partial = self._is_partial or not self._has_begun
        try:
            self.table.resume(span)
            self._examine()
        except Unsound as flaw:
            self.failures.append(Objection(str(flaw)))

    def come_back(self, snapshot: TableSnapshot) -> None:
        """Take the table as it was when the viewer came back. Events have no numbers in a file, so what came between
        counts as missed."""
        if self.failures:
            return
        try:
            self.table.read(snapshot)
        except Unsound as flaw:
            self.failures.append(Objection(str(flaw), self.table.number))
        self.compare(replace(snapshot, number=-1))

    def _examine(self) -> None:
        game = self.table.game
        for deal in () if game is None else game.unexamined():
            assert game is not None
            game = game.with_examined(deal.examined())
        self.table.game = game
        playing = self.table.playing
        if playing is not None and playing.is_shared and playing.wrong is not None:
            raise Unsound(wrong_shuffle(playing.number, playing.wrong))

    def _note(self) -> None:
        """Keep what is known of the deal in play, and say what was known of the one before it."""
        for deal in self.table.summaries(self._blames):
            if self._deal is not None and self._deal.key != deal.key:
                self._tell_deal()
            if deal.blamed is not None:
                self._said += in_sentences(deal, self._names, self._viewer)
            elif not deal.awaited and deal.shufflers:
                self._deal = deal
        self._blames = len(self.table.blames)

    def _tell_deal(self) -> None:
        if self._deal is not None:
            self._said += in_sentences(self._deal, self._names, self._viewer)
        self._deal = None

    def compare(self, message: TableSnapshot | Events | Decision, now: float = 0.0) -> None:
        """Compare what a message tells of the game with its rules. `now`: as for the referee."""
        if self.failures:
            return
        if any(blame.seat == self._viewer for blame in self.table.blames):
            self.referee.may_leave = True
        flaw = self.referee.receive(message, now)
        if flaw is not None:
            self.failures.append(Objection(flaw, self.table.number))

    def verdict(self) -> FairnessVerdict:
        self._tell_deal()
        before = [say("verify-partial")] if self._is_partial else []
        said = [*before, *self._said, *[say("verify-fault", fault=failure.says) for failure in self.failures]]
        is_proved = not self.failures and self.proved > 0 and not self.unproved and self.cut is None
        if self.cut is not None:
            said.append(say("verify-cut", line=self.cut))
        dealt = self.proved + self.unproved
        if self.failures:
            said.append(say("verify-unfair"))
        elif not self._has_steps:
            said.append(say("verify-by-rules"))
        elif not dealt:
            said.append(say("verify-nothing"))
        elif is_proved:
            said.append(say("verify-proved"))
        else:
            said.append(say("verify-some-proved", proved=self.proved, dealt=dealt))
        return FairnessVerdict(tuple(said), tuple(self.failures), is_proved)
