"""A lobby with tables that are dealt blind: clients with keys, people without, the house, and the journal.

Clients check all that they are told, and play at random.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from put_protocol import messages
from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.party import Party
from put_protocol.blind.transcript import Kind, Terms, Told
from put_protocol.blind_acts import act_body, unseen_body
from put_protocol.blind_events import BlindBegun, BlindEntry, BlindOpened, BlindSpan, PartMissed
from put_protocol.cards import Card, place_card, place_of
from put_protocol.deal_steps import begins_deal, is_draw
from put_protocol.games.put import Dealt, GameEnded, Play, Played
from put_protocol.games.unions import Action, Event
from put_protocol.parts import parts
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameOver, GameStarted, TimedOut
from put_server.journal.records import decode_lobby, encode, join_chances, split_chances, with_chance, without_chance
from put_server.lobby import inputs
from put_server.lobby.inputs import Admit
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.lobby.policy import EDITION
from put_server.lobby.settling import Entry, settle
from put_server.table.blind_deals import worked_out
from put_server.table.step_waits import PULSE_MS
from put_server.table.table import Table
from put_server.table.table_effects import (
    DealOver,
    HouseGone,
    HouseSat,
    PersonId,
    TableId,
    Tell,
    WaitFor,
    WantPack,
    WantParts,
    WantPulse,
    WantSecret,
)
from put_server.table.waits import waits
from tests.lobby.lobby_harness import new_lobby, token_of
from tests.protocol.blind.blind_table import judged


class Guest:
    """A person at a table. `holds_key`: their client keeps its key."""

    def __init__(self, person: PersonId, name: str, *, holds_key: bool) -> None:
        self.person = person
        self.name = name
        self.holds_key = holds_key
        self.secret = name.encode().ljust(32, b"!")
        self.seat: Seat | None = None
        self.number = 0
        self.decision: messages.Decision | None = None
        self.game: BlindGame | None = None
        self.party: Party | None = None
        self.told: list[tuple[Terms, list[Told]]] = []
        """All that they were told of each blind game, from its beginning."""
        self.is_whole = True
        """False: they were told a state in place of some entries."""
        self.span = b""
        self.refused: list[messages.Refused] = []
        self.left: list[str] = []
        self.told_plain = ""
        """Why the last game was dealt plain."""
        self.lost: list[Event] = []
        """Parts that were missed, and what it cost."""
        self.is_silent = False
        """They play, and take no part in the dealing."""
        self.hands = 0
        self.opened: list[Card | None] = []
        """The cards that were proved for the next event."""
        self.sent = b""
        """Our part that the server has taken and not told yet."""
        self.cards: dict[Card, Card] = {}
        """The cards of our places, which nobody else can read."""

    def hear(self, message: messages.ServerMessage) -> None:
        match message:
            case BlindSpan(part=part, data=data):
                self.span = data if part == 1 else self.span + data
            case messages.TableSnapshot(viewer=viewer, number=number):
                self.seat = None if viewer == GALLERY else viewer
                self.number, self.decision, self.sent = number, None, b""
                self.game, self.is_whole = (BlindGame.resumed(self.span) if self.span else None), not self.span
                self._take_up()
                self.span = b""
            case messages.Events(first=first, events=events):
                assert first == self.number + 1
                self.number += len(events)
                for event in events:
                    self._note(event)
            case messages.Decision():
                self.decision = message
            case messages.Refused():
                self.refused.append(message)
            case messages.Left(says=says):
                self.left.append(says)
            case _:
                pass

    def _note(self, event: Event) -> None:
        match event:
            case PartMissed() | TimedOut():
                self.lost.append(event)
            case GameStarted(plain=plain):
                self.decision, self.told_plain = None, plain
            case BlindBegun(terms=encoded):
                terms = Terms.parse(encoded)
                self.game, self.is_whole, self.sent = BlindGame.begun(terms), True, b""
                self.told.append((terms, []))
                self._take_up()
            case BlindEntry(entry=entry, receipt=receipt):
                assert self.game is not None
                blames = self.game.blames
                self.game = self.game.told((entry, receipt), None)
                if entry[0] == self.seat or blames != self.game.blames:  # a part given again may be another entry
                    self.sent = b""
                if self.is_whole:
                    self.told[-1][1].append((entry, receipt))
            case GameEnded(goes_on=False) | GameOver():
                self.game = self.party = None
            case BlindOpened(places=places):
                assert self.game is not None
                deals = {deal.number: deal for deal in (*self.game.beside, self.game.playing) if deal is not None}
                self.opened = [deals[one.deal].opened_by(one.place, one.shares) for one in places]
            case _ if self.is_read and self.game is not None and event.SHOWS is not None:
                shown = event.SHOWS.cards_in(event)
                self.hands += begins_deal(event.deal_steps())
                assert is_draw(event.deal_steps()) or set(shown) <= set(self.opened)
            case Dealt(cards=cards) if self.seat is not None and cards:
                self.hands += 1
                self._read(cards)
            case Played(seat=seat, card=card) if self.party is not None and seat == self.seat:
                assert card in self.cards.values()
            case _:
                pass

    def _take_up(self) -> None:
        self.party = None
        if self.game is not None and self.seat is not None and self.holds_key:
            terms = self.game.terms
            if terms.holders[self.seat] == self.seat:
                self.party = Party.holding(self.secret, terms, [self.seat])
                if self.game.playing is not None and self.game.playing.is_shared and not self.is_read:
                    self._read(())

    @property
    def is_read(self) -> bool:
        """The server reads the deal in play."""
        return self.game is not None and self.game.playing is not None and self.game.playing.is_read

    def _read(self, cards: Sequence[Card]) -> None:
        if self.party is None or self.game is None or self.seat is None:
            assert all(place_of(card) is None for card in cards)
            return
        hand = self.party.hand(self.game, self.seat)
        assert not cards or [place_of(card) for card in cards] == list(hand)
        self.cards = {place_card(place): card for place, card in hand.items() if card is not None}
        assert len(self.cards) == len(hand)

    @property
    def next_part(self) -> Kind | None:
        """The part that is awaited of this client."""
        if self.party is None or self.game is None or self.is_silent or self.sent:
            return None
        for deal in self.game.unexamined():
            self.game = self.game.with_examined(deal.examined(self.party.seats))
        return next((kind for kind, _ in self.party.awaited(self.game).values()), None)

    def due(self) -> list[bytes]:
        """That part, if there is one. A shuffle takes long."""
        if self.next_part is None:
            return []
        assert self.game is not None
        assert self.party is not None
        return self.party.due(self.game)

    def entry_of(self, action: Action) -> bytes:
        """The entry of an action."""
        if self.party is None or self.game is None or self.seat is None:
            return b""
        if isinstance(action, Play) and (place := place_of(action.card)) is not None:
            return self.party.show(self.game, self.seat, place)
        deal = self.game.playing
        assert deal is not None
        body = act_body(action)
        if deal.is_read and action.IS_UNSEEN:
            body = unseen_body(deal.unseen_key(self.seat, deal.shared_secret(self.party.keys[self.seat])), action)
        return self.party.act(self.game, self.seat, deal.number, body)


class BlindLobby:
    """Everything around a lobby."""

    guest_type = Guest

    def __init__(self, seed: int = 1, lobby: Lobby | None = None) -> None:
        self.lobby = lobby or new_lobby(edition=EDITION)
        self.random = random.Random(seed)
        self.now = 1_000
        self.guests: dict[PersonId, Guest] = {}
        self.houses: dict[PersonId, messages.Decision | None] = {}
        self.works: list[WantParts] = []
        self.pulses: list[PersonId] = []
        self.entries: list[Entry] = []
        """What a journal keeps."""
        self.drawn: list[bytes] = []
        """The secrets of all games."""
        self._request = 1_000
        self.note_checkpoint()

    # --- inputs ---

    def handle(self, event: inputs.Input) -> Any:
        outcome, entries = settle(self.lobby, event, self.now, self._draw)
        if not outcome.is_refused:
            self.entries += entries
        for effect in outcome.effects:
            match effect:
                case Tell(people=people, message=message):
                    for part in parts(message):
                        for person in people:
                            self._tell(person, part)
                case WantParts():
                    self.works.append(effect)
                case WantPulse(people=people):
                    self.pulses += people
                case HouseSat(person=person):
                    self.houses[person] = None
                case HouseGone(person=person):
                    del self.houses[person]
                case _:
                    pass
        if isinstance(outcome.answer, messages.Refused) and isinstance(event, inputs.Ask):
            self._tell(event.person, outcome.answer)
        return outcome.answer

    def _tell(self, person: PersonId, message: messages.ServerMessage) -> None:
        if person in self.guests:
            self.guests[person].hear(message)
        elif isinstance(message, messages.Decision):
            self.houses[person] = message

    def _draw(self, want: WantPack | WantSecret) -> inputs.Shuffled | inputs.Secret:
        if isinstance(want, WantPack):
            rest = [card for card in want.cards if card not in want.top]
            return inputs.Shuffled(want.table, (*want.top, *self.random.sample(rest, len(rest))))
        self.drawn.append(self.random.randbytes(32))
        return inputs.Secret(want.table, self.drawn[-1])

    def ask(self, guest: Guest, kind: type[Any], *fields: Any, **more: Any) -> Any:
        self._request += 1
        return self.handle(inputs.Ask(guest.person, kind(self._request, *fields, **more)))

    def arrive(self, name: str, *, holds_key: bool = True, is_bot: bool = False, origin: str = "") -> Guest:
        answer = self.handle(inputs.Arrive(name, is_bot, token_of(name), origin=origin))
        assert isinstance(answer, Admit)
        guest = self.guests[answer.person] = self.guest_type(answer.person, name, holds_key=holds_key)
        return guest

    def open(self, guest: Guest, game: str, seats: int, **options: Any) -> int:
        answer = self.ask(guest, messages.OpenTable, game, seats=seats, options={"dealing": "blind", **options})
        assert isinstance(answer, messages.Ok), answer
        assert answer.table is not None
        return answer.table

    def sit(self, guest: Guest, table: int) -> None:
        answer = self.ask(guest, messages.Sit, table, holds_key=guest.holds_key)
        assert isinstance(answer, messages.Ok), answer

    def table(self, number: int) -> Table:
        return self.lobby.tables[TableId(number)]

    def lose(self, guest: Guest) -> None:
        guest.decision = None
        self.handle(inputs.Lose(guest.person))

    def come_back(self, guest: Guest, *, has_lost: bool = False) -> None:
        """They say hello with their token; `has_lost`: their client was killed, and knows nothing but its secret."""
        seen = (
            () if has_lost else (messages.Seen(table, guest.number) for table in self.lobby.people[guest.person].tables)
        )
        self.handle(inputs.Return(token_of(guest.name), tuple(seen)))

    def tick(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.handle(inputs.Tick())

    # --- what everybody does ---

    def step(self) -> bool:
        """One thing that somebody is to do, at random; False: nothing is."""
        choices: list[Any] = [*self.works]
        choices += [(guest, kind) for guest in self._here if (kind := guest.next_part) is not None]
        choices += [guest for guest in self._here if guest.decision is not None]
        choices += [person for person, decision in self.houses.items() if decision is not None]
        if not choices:
            return False
        match self.random.choice(choices):
            case WantParts() as wanted:
                self.works.remove(wanted)
                self.work(wanted)
            case (Guest() as guest, _):
                self.give(guest, *guest.due())
            case Guest() as guest:
                self.act(guest)
            case person:
                decision = self.houses[person]
                assert decision is not None
                self.houses[person] = None
                action = self.random.choice(decision.legal).action
                self.handle(inputs.Ask(person, messages.Act(1, decision.table, decision.decision, action)))
        return True

    def give(self, guest: Guest, entry: bytes) -> None:
        """A guest does a part, and no other before it is told. One who comes back does it again while it is checked."""
        guest.sent = entry
        answer = self.ask(guest, messages.Blind, self._table_of(guest), entry)
        is_again = isinstance(answer, messages.Refused) and "the shares of this seat are being checked" in answer.says
        assert is_again or isinstance(answer, messages.Ok), answer

    def act(self, guest: Guest, action: Action | None = None) -> Any:
        decision, guest.decision = guest.decision, None
        assert decision is not None
        chosen = action or self.random.choice(decision.legal).action
        entry = guest.entry_of(chosen)
        answer = self.ask(guest, messages.Act, decision.table, decision.decision, chosen, entry=entry)
        assert isinstance(answer, messages.Ok), answer
        return answer

    def work(self, wanted: WantParts) -> None:
        """Work is done that was wanted."""
        self.handle(inputs.Parts(wanted.table, wanted.task, *worked_out(wanted)))

    @property
    def _here(self) -> list[Guest]:
        return [guest for guest in self.guests.values() if guest.person in self.lobby.people and self._is_here(guest)]

    def _is_here(self, guest: Guest) -> bool:
        return self.lobby.people[guest.person].is_here and bool(self.lobby.people[guest.person].tables)

    def _table_of(self, guest: Guest) -> int:
        (table,) = self.lobby.people[guest.person].tables
        return table

    def run_until(self, is_so: Callable[[], bool]) -> None:
        """Everybody goes on until something is so."""
        while not is_so():
            assert self.step()

    def run(self, most: int = 5_000) -> None:
        """Everybody goes on until nobody is to do anything; time passes where only that helps."""
        for _ in range(most):
            if not self.step():
                return
            self.check()
        raise AssertionError("the game does not end")

    def wait_out(self) -> None:
        """Time passes until it has decided something about a part that is waited for; pings are answered."""
        self.tick(15_000)
        while self.pulses:
            self.handle(inputs.Pulse(self.pulses.pop()))
        self.tick(PULSE_MS + 1)
        self.tick(0)

    # --- laws ---

    def check(self) -> None:
        """What the server has of a hand whose key it does not hold are places. Whoever is here has the transcript.
        No table stands still."""
        for table in self.lobby.tables.values():
            play, blind = table.model.play, table.model.deals.blind
            assert WaitFor.NOTHING not in [wait.what for wait in waits(table.model, self.now)]
            if play is None or blind.play is None:
                continue
            hands = () if table.model.deals.way.is_read else play.state.hands.unseal()
            for seat, hand in enumerate(hands):
                is_read = seat in blind.play.held
                assert all((place_of(card) is None) == is_read for card in hand)
            heads = blind.play.game.transcript.heads
            for guest in self._here:
                if guest.person in table.seating.people:
                    assert guest.game is not None
                    assert guest.game.transcript.heads[-1] == heads[-1]

    def check_told(self, guests: Iterable[Guest]) -> None:
        """Whoever was told a whole game can prove it to others, and finds no fault with the server."""
        for guest in guests:
            assert guest.told
            for terms, told in guest.told:
                assert judged(terms, told).fault is None

    # --- the journal ---

    @property
    def secrets(self) -> int:
        """Secrets that were drawn."""
        return sum(isinstance(entry, tuple) and isinstance(entry[1], inputs.Secret) for entry in self.entries)

    @property
    def erased(self) -> int:
        """Those that are over."""
        return sum([len(entry.remains) for entry in self.entries if isinstance(entry, DealOver)])

    def note_checkpoint(self) -> None:
        self._checkpoint, self._kept_from = self.lobby.checkpoint(), len(self.entries)

    def stored(self) -> tuple[LobbyCheckpoint, list[tuple[int, inputs.Input]]]:
        """A checkpoint and inputs as a journal has them: the secrets of blind games, and of deals that were read, are
        erased when those are over, and there is what was made of them."""
        kept: list[tuple[int, inputs.Input]] = []
        lobby, chances = split_chances(self._checkpoint)
        remain = {table: list(found) for table, found in chances.items()}
        live = {table: [(found, at) for at in range(len(found))] for table, found in remain.items()}
        """Where the chances of each table are: in the checkpoint, or among the inputs."""
        for entry in self.entries[self._kept_from :]:
            if isinstance(entry, DealOver):
                places = live[entry.table]
                live[entry.table] = places[: entry.kept]
                for (found, at), chance in zip(places[entry.kept :], entry.remains, strict=True):
                    if found is remain.get(entry.table):
                        found[at] = chance
                    else:
                        event = kept[at][1]
                        assert isinstance(event, inputs.Secret | inputs.Shuffled)
                        kept[at] = kept[at][0], with_chance(without_chance(event), chance)
                continue
            if isinstance(event := entry[1], inputs.Secret | inputs.Shuffled):
                places = live.get(event.table, [])
                assert isinstance(event, inputs.Shuffled) or len(places) == event.beside
                live[event.table] = [*places[: event.beside], ([], len(kept))]
            kept.append(entry)
        return join_chances(lobby, remain), kept

    def replayed(self) -> Lobby:
        """The lobby that a journal brings back."""
        checkpoint, kept = self.stored()
        again = new_lobby(edition=self.lobby.policy.edition)
        again.restore(decode_lobby(encode(checkpoint)))
        for at, event in kept:
            again.handle(event, at)
        return again

    def restart(self, edition: int | None = None) -> None:
        """The server is killed and comes back with its journal, as one of this edition; nobody is connected, and no
        work is remembered."""
        before = encode(self.lobby.checkpoint())
        again = self.replayed()
        assert encode(again.checkpoint()) == before
        self.lobby = again
        self.works.clear()
        self.houses = dict.fromkeys(self.houses)
        for guest in self.guests.values():
            guest.decision = None
        policy = self.lobby.policy
        self.handle(inputs.Restart(policy=policy if edition is None else replace(policy, edition=edition)))
        for guest in self.guests.values():
            if guest.person in self.lobby.people:
                self.come_back(guest, has_lost=self.random.random() < 0.5)
