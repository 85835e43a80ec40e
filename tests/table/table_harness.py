"""A table under a test's hand: commands go in by name, packs are shuffled from a seed, and every message is kept."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from put_protocol.cards import Card
from put_protocol.games.put import Play
from put_protocol.games.unions import Action, Event
from put_protocol.messages import Decision, Events, ServerMessage, TableSnapshot
from put_protocol.parts import parts
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import ClockInfo, TableState
from put_rules.game import LUCK
from put_rules.record import Chance, Pack
from put_rules.registry import GAMES
from put_server.lobby.options import checked_options
from put_server.table.publisher import MessageForm
from put_server.table.seating import Sitter
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, TableId, Tell, WantPack, WantPulse, WantSecret
from put_server.table.table_model import TableModel

M = TypeVar("M")

ANN, BEN, CAT, DAN, EVE = (PersonId(number) for number in range(1, 6))
PROVERS = frozenset((ANN, CAT, EVE))
"""Who ask for proofs of sealed deals."""

NAMES = {ANN: "Ann", BEN: "Ben", CAT: "Cat", DAN: "Dan", EVE: "Eve"}


def new_table(
    seats: int = 2, *, turn: int = 0, bank: int = 300, gallery: bool = True, target: int = 5, abandoned: str = "forfeit"
) -> Table:
    """An empty table of Put."""
    rule_set = GAMES["put-1674"]
    return Table(
        TableModel(
            id=TableId(7),
            owner_id=ANN,
            rule_set=rule_set,
            options=checked_options(rule_set.offer, {"target": target, "abandoned": abandoned}),
            seats=seats,
            clock=ClockInfo(turn=turn, bank=bank),
            passcode="",
            is_gallery_open=gallery,
            is_exhibition=False,
        ),
        hire=lambda _: Sitter(PersonId(99), "Doll", house="steady"),
        form_of=lambda *_: MessageForm(),
    )


def state_of(table: Table, now: int) -> Any:
    """Everything anyone could learn of a table at this time; tables of which this is equal are equal."""
    model, play = table.model, table.model.play
    viewers: list[Viewer] = [*map(Seat, range(len(model.seating.chairs))), GALLERY]
    return (
        model.info,
        model.seating.people,
        model.seating.is_empty,
        [(viewer, model.event_log.number(viewer), table.publisher._view(viewer)) for viewer in viewers],
        [table.publisher._question(Seat(seat), MessageForm()) for seat in range(len(model.seating.chairs))],
        model.turn_message(now),
        [(c.bank.remaining(now), c.bank.since is None) for c in model.seating.chairs],
        model.deals.misses,
        model.turn.decision,
        model.pause,
        model.deals.packs,
        None if play is None else play.people,
        model.next_dealer,
        model.deals.deals_name,
        tuple(model.seating.invited.items()),
        model.seating.kept_out,
    )


class TableHarness:
    """The table, its people's mail, and the time."""

    def __init__(self, table: Table, *, seed: int = 1) -> None:
        self.table = table
        self.now = 1_000
        self.mail: dict[PersonId, list[ServerMessage]] = defaultdict(list)
        self.wanted: list[tuple[Card, ...]] = []
        """Every pack that was wanted."""
        self.tops: list[Sequence[str]] = []
        """Cards to put on top of the packs to come."""
        self.stalled: set[PersonId] = set()
        """Whose connections stand, and carry nothing."""
        self._random = random.Random(seed)

    def do(self, effects: Iterable[Effect]) -> None:
        """Carry out what the table wants."""
        effects = list(effects)
        for effect in effects:
            if isinstance(effect, Tell):
                for person in effect.people:
                    self.mail[person] += parts(effect.message)
        for effect in effects:
            if isinstance(effect, WantSecret):
                self.do(self.table.runner.begin_blind(Chance(self._random.randbytes(32)), self.now))
            if isinstance(effect, WantPack):
                self.wanted.append(effect.cards)
                luck = self._random.randrange(LUCK) if effect.has_accidents else None
                self.do(self.table.runner.deal(Pack(self._pack(effect.cards), luck=luck), self.now))
            if isinstance(effect, WantPulse):
                for person in effect.people:
                    if person not in self.stalled:
                        self.do(self.table.answer_ping(person, self.now))

    def _pack(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        top = [Card(card) for card in self.tops.pop(0)] if self.tops else []
        rest = [card for card in cards if card not in top]
        self._random.shuffle(rest)
        return (*top, *rest)

    # --- commands ---

    def sit(self, *people: PersonId) -> None:
        for person in people:
            self.do(self.table.sit(Sitter(person, NAMES[person]), None, self.now)[1])

    def watch(self, *people: PersonId) -> None:
        for person in people:
            self.do(self.table.watch(person, NAMES[person], self.now))

    def stand(self, person: PersonId) -> None:
        self.do(self.table.stand(person, self.now))

    def leave(self, person: PersonId) -> None:
        self.do(self.table.leave(person, self.now))

    def disconnect(self, person: PersonId) -> None:
        self.do(self.table.disconnect(person, self.now))

    def reconnect(self, person: PersonId, number: int | None) -> list[ServerMessage]:
        """The person is back; returns what they were sent."""
        had = len(self.mail[person])
        self.do(self.table.reconnect(person, number, self.now))
        return self.mail[person][had:]

    def resign(self, person: PersonId) -> None:
        self.do(self.table.resign(person, self.now))

    def again(self, *people: PersonId) -> None:
        for person in people:
            self.do(self.table.again(person, self.now))

    def say(self, person: PersonId, text: str) -> None:
        self.do(self.table.say(person, NAMES[person], text, self.now))

    def tick(self, now: int) -> int:
        """Let it be that time; returns how many things time decided."""
        self.now = now
        decided = 0
        while effects := self.table.tick(now):
            self.do(effects)
            decided += 1
        return decided

    def act(self, action: Action) -> None:
        """The player to move does this."""
        self.do(self.table.act(self.mover, self.decision.decision, action, self.now))

    # --- what is known ---

    def state(self) -> TableState:
        """How far the table is now."""
        return self.table.state

    @property
    def mover(self) -> PersonId:
        """The person to move."""
        turn = self.table.model.turn_message(self.now)
        assert turn is not None
        sitter = self.table.seating.chairs[turn.seat].sitter
        assert sitter is not None
        return sitter.id

    @property
    def waiter(self) -> PersonId:
        """With two players, the one who is not to move."""
        mover = self.mover
        return next(
            person
            for person in self.table.seating.people
            if person != mover and self.table.seating.seat_of(person) is not None
        )

    @property
    def decision(self) -> Decision:
        """What the player to move was asked last."""
        return self.last(self.mover, Decision)

    def last(self, person: PersonId, kind: type[M]) -> M:
        """The last message of a kind that a person was sent."""
        return self.sent(person, kind)[-1]

    def sent(self, person: PersonId, kind: type[M]) -> list[M]:
        """All messages of a kind that a person was sent."""
        return [message for message in self.mail[person] if isinstance(message, kind)]

    def events(self, person: PersonId) -> list[Event]:
        """All events that a person was sent since the last snapshot."""
        events: list[Event] = []
        for message in self.mail[person]:
            if isinstance(message, TableSnapshot):
                events.clear()
            elif isinstance(message, Events):
                events += message.events
        return events

    def play_game(self) -> None:
        """Play whatever is listed first until the game is over."""
        while self.table.model.turn_message(self.now) is not None:
            self.act(self.decision.legal[0].action)

    def cards_of(self, person: PersonId) -> tuple[Card, ...]:
        """What a player holds, by their own view."""
        views = [m.view for m in self.mail[person] if isinstance(m, Events | TableSnapshot) and m.view is not None]
        return views[-1].cards


def play(card: str) -> Play:
    return Play(Card(card))


def playing(seats: int = 2, **settings: Any) -> TableHarness:
    """A table where a game has just been dealt."""
    harness = TableHarness(new_table(seats, **settings))
    harness.sit(*(ANN, BEN, CAT, DAN)[:seats])
    return harness


def gap_in(messages: Iterable[ServerMessage], known: int = 0) -> str | None:
    """The first gap in the numbers of one person's events at one table, or None."""
    for message in messages:
        if isinstance(message, TableSnapshot):
            known = message.number
        elif isinstance(message, Events):
            if message.first != known + 1:
                return f"event {message.first} came where {known + 1} was due"
            known += len(message.events)
    return None
