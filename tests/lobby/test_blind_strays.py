"""Entries of blind deals where none belongs: by other people, at other tables, twice, too late, in a pause, after a
kill. Each is refused, nothing has changed, and the games go on as if it had not been.
"""

from typing import Any

import pytest

from put_protocol import messages
from put_protocol.blind.transcript import SERVER, Entry, Kind
from put_protocol.blind_acts import act_body
from put_protocol.blind_events import BlindEntry
from put_protocol.games.put import Put
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_server.journal.records import encode
from tests.lobby.blind_lobby import BlindLobby, Guest
from tests.lobby.test_blind_conspiracies import blamed
from tests.lobby.test_blind_tables import NAMES
from tests.repetitions import TIMES, some


class Strays(BlindLobby):
    """Two tables, a spectator, a person in the lobby, and one who left a table. All that is ever told is kept."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        self.heard: dict[bytes, None] = {}
        self.strays = 0
        self.acts: dict[Guest, list[tuple[Action, bytes]]] = {}
        super().__init__(seed)
        watcher, left, _ = [self.arrive(name) for name in ("Xan", "Yul", "Zoe")]
        self.tables = []
        for at in (0, 1):
            guests = [self.arrive(name) for name in NAMES[at * seats : (at + 1) * seats]]
            table = self.open(guests[0], game, seats, **{"hands": 1} if game == "primero" else {"target": 1})
            self.tables.append(table)
            self.sit(guests[0], table)
            if seats > 2:
                self.sit(left, table)
                self.ask(left, messages.Leave, table)
            for guest in guests[1:]:
                self.sit(guest, table)
        self.ask(watcher, messages.Watch, self.tables[0])

    def _tell(self, person: Any, message: Any) -> None:
        super()._tell(person, message)
        if isinstance(message, messages.Events):
            self.heard |= {event.entry: None for event in message.events if isinstance(event, BlindEntry)}

    def act(self, guest: Guest, action: Action | None = None) -> Any:
        assert guest.decision is not None
        chosen = action or self.random.choice(guest.decision.legal).action
        self.acts.setdefault(guest, []).append((chosen, guest.entry_of(chosen)))
        return super().act(guest, chosen)

    def players(self, table: int) -> list[Guest]:
        return [guest for guest in self._here if guest.person in self.table(table).seating.people and guest.party]

    def stray(self) -> None:
        """An entry that was told before, or in the name of another, comes from any person; or their own act for a
        decision before."""
        guest, table = self.random.choice(list(self.guests.values())), self.random.choice(self.tables)
        entry = self.random.choice([*self.heard, *self._forged(table)])
        before, decision = encode(self.lobby.checkpoint()), guest.decision
        if decision is None or self.random.random() < 0.3:
            answer = self.ask(guest, messages.Blind, table, entry)
        else:
            legal = [choice.action for choice in decision.legal]
            again = [(action, sent) for action, sent in self.acts.get(guest, []) if action in legal]
            action, entry = self.random.choice(again or [(one, entry) for one in legal])
            number = decision.decision + self.random.choice((-1, 0, 0, 1))
            answer = self.ask(guest, messages.Act, decision.table, number, action, entry=entry)
        told = f"{guest.name} at table {table}: {Entry.parse(entry)}"
        assert isinstance(answer, messages.Refused), told
        assert encode(self.lobby.checkpoint()) == before, told
        guest.refused.clear()
        self.strays += 1

    def _forged(self, table: int) -> list[bytes]:
        """An entry of any kind and deal by a player, in the name of another or of the server."""
        players = self.players(table)
        one = self.random.choice(players) if players else None
        if one is None or one.game is None or one.party is None or one.seat is None:
            return []
        names = [SERVER, *[Seat(seat) for seat in range(len(one.game.keys)) if seat != one.seat]]
        live = [deal.number for deal in (one.game.playing, one.game.coming) if deal is not None]
        deal = self.random.choice([0, *[number + more for number in live for more in (-1, 0, 1) if number + more >= 0]])
        body = self.random.choice((b"", act_body(Put()), bytes([one.seat]), self.random.randbytes(34)))
        transcript = one.game.transcript
        entry = transcript.entry(self.random.choice(names), self.random.choice(list(Kind)), deal, body)
        return [transcript.signed(entry, one.party.keys[one.seat])]

    def rest(self, table: int) -> None:
        """A pause of a table."""
        players = self.players(table)
        for guest in players:
            self.ask(guest, messages.Pause, table, 60)
        assert self.table(table).model.is_paused
        for _ in range(3):
            self.stray()
        for guest in players:
            self.ask(guest, messages.GoOn, table)


@pytest.mark.timeout(120)  # two games, with all of the lobby compared at every stray
@pytest.mark.parametrize(("game", "seats"), some([("primero", 3), ("put-1674", 2)], 2))
def test_stray_entry_is_refused(game: str, seats: int) -> None:
    for seed in range(TIMES):
        rig = Strays(game, seats, seed)
        tables = [rig.table(table) for table in rig.tables]
        assert all(table.model.is_playing for table in tables)
        while rig.step():
            for _ in range(2):
                rig.stray()
            chance, (first, _) = rig.random.random(), rig.tables
            if chance < 0.02:
                rig.restart()
            elif chance < 0.05 and rig.table(first).model.is_playing and len(rig.players(first)) == seats:
                rig.rest(first)
        for _ in range(40):
            rig.stray()
        assert rig.strays > 80
        for table in rig.tables:
            assert not rig.table(table).model.is_playing
        for guest in rig.guests.values():
            assert not blamed(guest)
            assert not guest.left
