"""A blind game as a third party without a key checks it: from a file, with every proof.

The player whose file it is has seen their own cards, and no others; they stand in it as cards. All that is shown to
others has to be opened by the transcript.
"""

from put_client.sdk.blind_table import BlindTable, Unsound, wrong_shuffle
from put_protocol.blind.deal import READ
from put_protocol.blind_events import SERVER_HOLDS, BlindBegun, BlindEntry
from put_protocol.games.unions import Event
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seal.terms import terms_of
from put_protocol.seats import Seat, Viewer
from put_protocol.table_events import GameStarted, seated_names
from put_protocol.text import counted, listed, printable
from put_text.phrases import format_seats


class BlindWitness:
    def __init__(self, begun: TableSnapshot, *, has_steps: bool = True) -> None:
        """`has_steps`: the file has the steps of its deals, if there were any; a sheet has none."""
        self._has_steps = has_steps
        terms = terms_of(begun.info.game, begun.info.options)
        self.table = BlindTable(begun, None, None if terms is None else terms.cards)
        self.flaw: Unsound | None = None
        self.deals = 0
        """Deals of which the cards were given to their owners."""
        self._viewer: Viewer = begun.viewer
        self._names = tuple([seat.name or f"seat {place}" for place, seat in enumerate(begun.info.seats)])
        self._said: list[str] = []
        self._counted = (0, 0)
        self._is_read = begun.info.is_read
        self._blames = 0

    def take(self, event: Event) -> None:
        """Check an event."""
        if self.flaw is not None or not self._has_steps:
            return
        self._names = seated_names(self._names, event)
        if isinstance(event, GameStarted) and event.plain:
            self._said.append(f"Game {event.game} was dealt by the server alone: {printable(event.plain)}.")
        try:
            self.table.read(Events(table=self.table.table, first=1, events=(event,)))
            self._examine()
        except Unsound as flaw:
            self.flaw = flaw
        if isinstance(event, BlindBegun | BlindEntry):
            self._note()

    def resume(self, span: bytes) -> None:
        """Go on from the state of a game, as the viewer did."""
        try:
            self.table.resume(span)
            self._examine()
        except Unsound as flaw:
            self.flaw = self.flaw or flaw

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
        game, deal = self.table.game, self.table.playing
        for blame in self.table.blames[self._blames :]:
            who = format_seats([blame.seat], self._names, self._viewer)
            word = ", as the server says" if blame.is_ruling else ", which is proved"
            self._said.append(f"Deal {blame.deal} was made anew because of {who}{word}.")
        self._blames = len(self.table.blames)
        if game is None or deal is None or not deal.is_shared or (game.terms.game, deal.number) == self._counted:
            return
        self._counted = (game.terms.game, deal.number)
        self.deals += 1
        who = format_seats(deal.shufflers, self._names, self._viewer)
        owned = sum(owner is not None and owner != READ for owner in deal.owners)
        cards = (
            f"{counted(owned, 'card')} dealt to players{', the rest in order' * deal.is_read}"
            if owned
            else "cards turned up for all"
        )
        self._said.append(f"Deal {deal.number}: shuffled by {who}, every shuffle proved; {cards}.")

    def says(self) -> list[str]:
        """A sentence for each deal, and who held keys."""
        game = self.table.game
        if game is None and not self._said:
            return ["This game was dealt blind, and the steps that prove its deals are not in this file."]
        holders = () if game is None else game.terms.holders
        if self._is_read:
            self._said.append("The rules had to see hands: the server could read them all, and choose none.")
            return self._said
        held = [Seat(seat) for seat, holder in enumerate(holders) if holder == SERVER_HOLDS]
        if held:
            names = listed([format_seats([seat], self._names, self._viewer) for seat in held])
            self._said.append(f"The server held the keys of {names}, and could see their cards.")
        return self._said
