"""Evenings at one table, with all that an honest server and honest players may come to; everybody keeps evidence.

Players lose connections, are killed, pause, resign, leave and miss parts of deals; others sit down in their place; the
server is killed, and comes back as another edition; the next game may be dealt blind or by the server alone.
"""

import random
from typing import Any

from put_protocol import messages
from put_protocol.games.unions import ending_of
from put_protocol.table_events import LeftGame, TimedOut
from put_server.lobby.policy import EDITION
from tests.lobby.blind_evidence import NAMES, Keeping
from tests.lobby.blind_lobby import BlindLobby, Guest
from tests.lobby.lobby_harness import new_lobby

TABLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("put-1674", 2, {"target": 2, "pack": 28}),
    ("put-tavern", 3, {"target": 2, "pack": 28}),
    ("put-partners", 4, {"target": 1, "pack": 28}),
    ("truc", 2, {"rubber": 1}),
    ("triomphe-forcee", 4, {"hands": 1}),
    ("primero", 3, {"hands": 2}),
)


class Diarist(Keeping):
    """Keeps a file of each life of their client at a table."""

    def __init__(self, *fields: Any, **more: Any) -> None:
        super().__init__(*fields, **more)
        self.files: list[list[bytes]] = []

    def hear(self, message: messages.ServerMessage) -> None:
        match message:
            case messages.TableSnapshot(viewer=viewer) if self.transcript and viewer != self.codec.viewer:
                self.end()
            case messages.Left():
                self.end()
            case messages.Events(events=events):
                mine = [event for event in events if isinstance(event, TimedOut | LeftGame) and event.seat == self.seat]
                if self.transcript is not None and mine:
                    self.codec.give_up()
                if any(isinstance(event, LeftGame) or ending_of(event) for event in events):
                    self.decision = None  # it may be of the game that is over
            case _:
                pass
        super().hear(message)

    def end(self) -> None:
        """Their client forgets the table."""
        if self.transcript is not None:
            self.files.append(self.lines)
            self.transcript = None

    def give_up(self) -> None:
        if self.transcript is not None:
            self.transcript.add_own("gives_up")
            self.codec.give_up()


class Evening(BlindLobby):
    guest_type = Diarist

    def __init__(self, seed: int, game: str, seats: int, options: dict[str, Any]) -> None:
        dice = random.Random(seed)
        super().__init__(seed, new_lobby(edition=dice.choice((2, EDITION))))
        people = [self.arrive(name, holds_key=dice.random() < 0.6) for name in NAMES[: seats + 2]]
        self.number = self.open(people[0], game, seats, **options)
        for one in people[:seats]:
            self.sit(one, self.number)
        self.ask(people[seats], messages.Watch, self.number)

    @property
    def model(self) -> Any:
        return self.table(self.number).model

    @property
    def here(self) -> list[Diarist]:
        """Those who are at the table, and not away."""
        return [one for one in self._here if isinstance(one, Diarist)]

    @property
    def people_here(self) -> list[Guest]:
        return [one for one in self.guests.values() if one.person in self.lobby.people]

    def play(self, moves: int) -> None:
        for _ in range(moves):
            if self.number not in self.lobby.tables:
                break
            if self.random.random() < 0.06 or not self.step():
                getattr(self, self.random.choice(INCIDENTS))()
        for one in self.guests.values():
            assert isinstance(one, Diarist)
            one.end()

    # --- incidents ---

    def drop(self) -> None:
        here = [one for one in self.here if one.transcript is not None]
        if here:
            one = self.random.choice(here)
            self.lose(one)
            for _ in range(self.random.choice((0, 2, 60))):
                self.step()
            if one.person in self.lobby.people:
                self.come_back(one, has_lost=self.random.random() < 0.3)

    def kill(self) -> None:
        """A client; its evidence is lost."""
        here = [one for one in self.here if one.transcript is not None]
        if here:
            one = self.random.choice(here)
            self.lose(one)
            self.step()
            one.end()
            if one.person in self.lobby.people:
                self.come_back(one, has_lost=True)

    def crash(self) -> None:
        self.restart()

    def upgrade(self) -> None:
        self.restart(EDITION)

    def checkpoint(self) -> None:
        self.note_checkpoint()

    def pause(self) -> None:
        players = [one for one in self.here if one.seat is not None]
        for one in players:
            self.ask(one, messages.Pause, self.number, 60)
        if self.model.is_paused and self.random.random() < 0.5:
            self.restart()
        for one in players:
            self.ask(one, messages.GoOn, self.number)

    def again(self) -> None:
        for one in self.here:
            if one.seat is not None:
                self.ask(one, messages.Again, self.number)

    def leave(self) -> None:
        players = [one for one in self.here if one.seat is not None]
        if players:
            one = self.random.choice(players)
            one.give_up()
            if isinstance(self.ask(one, messages.Leave, self.number), messages.Ok):
                one.end()
                one.seat = one.decision = one.game = one.party = None

    def resign(self) -> None:
        players = [one for one in self.here if one.seat is not None]
        if players and self.model.is_playing:
            one = self.random.choice(players)
            one.give_up()
            self.ask(one, messages.Resign, self.number)

    def fill(self) -> None:
        """The seats that are free, by people or the house."""
        for one in self.people_here:
            record = self.lobby.people[one.person]
            if record.is_here and (not record.tables or one.seat is None) and self.random.random() < 0.7:
                self.ask(one, messages.Sit, self.number, holds_key=one.holds_key)
        players = [one for one in self.here if one.seat is not None]
        if players and self.random.random() < 0.5:
            self.ask(players[0], messages.Invite, self.number, house="steady")

    def miss(self) -> None:
        """Time passes until somebody has missed a part or a turn."""
        silent = [one for one in self.here if one.party is not None]
        for one in silent[:1]:
            one.is_silent = True
        for _ in range(30):
            self.step()
        self.wait_out()
        for one in silent[:1]:
            one.is_silent = False


INCIDENTS = (
    *("drop", "drop", "kill", "crash", "upgrade", "checkpoint", "pause", "again", "again"),
    *("leave", "resign", "fill", "fill", "fill", "miss"),
)


def evening(seed: int, moves: int) -> list[list[bytes]]:
    """The files of everybody at a table, but for those without a word."""
    game, seats, options = TABLES[seed % len(TABLES)]
    rig = Evening(seed, game, seats, options)
    rig.play(moves)
    files = [file for one in rig.guests.values() if isinstance(one, Diarist) for file in one.files]
    return [file for file in files if len(file) > 1]


def spoilt(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    """Some lines behind the first are cut, doubled, or moved."""
    lines, at = list(lines), dice.randrange(1, len(lines))
    run = lines[at : at + dice.choice((1, 1, 2, 5, 30))]
    how = dice.choice(("cut", "double", "move", "head"))
    if how == "double":
        lines[at:at] = run
    elif how == "head":
        del lines[1 : at + 1]
    else:
        del lines[at : at + len(run)]
    if how == "move":
        to = dice.randrange(1, len(lines) + 1)
        lines[to:to] = run
    return lines
