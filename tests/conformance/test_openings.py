"""The law of openings, on bytes: nobody is sent the proof of a card that no event has shown to them.

A sealed pack's proofs are all in the server's hands, so one that is sent too many discloses a card for good: a hand
that was thrown in, or the stock. Whatever is sent to each person is encoded, decoded again, and read as a client reads
it: which cards its events have shown of which deal, reckoned here from the rules' own words, and which were proved.

People drop and come back, with the number of their last event or without; servers restart; seats change hands between
games and in the middle of one; spectators come and go; some take no part in the cutting, or stop in the middle.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import msgspec
import pytest

from put_protocol.cards import FULL_PACK, Card
from put_protocol.codecs import FRAMES
from put_protocol.games.unions import Event
from put_protocol.messages import Events, Left, ServerMessage, TableSnapshot
from put_protocol.parts import parts
from put_protocol.seal.cuts import Chain
from put_protocol.seal_events import DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.shown import Shown
from put_protocol.table_info import ClockInfo
from put_rules.live_deal import CardProver
from put_rules.registry import GAMES
from put_server.journal import records
from put_server.table.chair import Sitter
from put_server.table.game_runner import GameRunner
from put_server.table.publisher import MessageForm
from put_server.table.refusal import RequestRefused
from put_server.table.sealed_deal import CUT_MS
from put_server.table.step_waits import PULSE_MS
from put_server.table.table import Table
from put_server.table.table_checkpoint import TableCheckpoint
from put_server.table.table_deals import Deals
from put_server.table.table_effects import Effect, PersonId, TableId, Tell
from put_server.table.table_model import TableModel
from tests.conformance.random_games import random_options
from tests.conformance.tables import Table as TableOf
from tests.conformance.tables import at_every_table, rng_of
from tests.repetitions import TIMES
from tests.table.table_harness import TableHarness

STEPS = 220
"""Things that happen at a table."""

ROOMS = range(2 * TIMES, 6 * TIMES)
"""Of each kind of table, so many at least, and then until all that is to happen there has happened twice."""

WANTED = ("openings", "CutsShown", "DealVoided", "dropped", "found", "restarted", "left", "stood")

decode: Callable[[bytes], ServerMessage] = msgspec.msgpack.Decoder(ServerMessage).decode
decode_kept = msgspec.msgpack.Decoder(TableCheckpoint, dec_hook=records._decode_hidden).decode

HOUSE = 1_000
"""House players have numbers from here on."""


def cards_shown(event: Event) -> tuple[Card, ...]:
    """By the protocol's page: the cards in an event that a player holds, throws away or turns up."""
    if isinstance(event, Sealed):
        return ()
    card: Card | None = getattr(event, "card", None)
    cards: tuple[Card, ...] = getattr(event, "cards", ())
    in_hands = [card for hand in getattr(event, "hands", ()) for card in hand.cards]
    return (*(() if card is None else (card,)), *cards, *in_hands)


def agrees(event: Event, viewer: Viewer, cards: tuple[Card, ...]) -> bool:
    """Whether these are the cards that the event itself says it shows."""
    return cards == tuple([card for card, _, _ in event.shows(viewer)])


class BotSession:
    """One person in one place at the table, from sitting down to leaving it."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.shown: set[tuple[int, Card]] = set()
        self.proved: set[tuple[int, Card]] = set()
        self.hand: tuple[Sealed, ...] = ()
        """The last deals of one hand of which they know, the oldest first."""

    def deal_of(self, card: Card) -> int:
        """A card is of the newest deal that has it."""
        return next((seal.deal for seal in reversed(self.hand) if card in (seal.cards or FULL_PACK)), 0)


class Room(TableHarness):
    """A table where anything happens, and what each of its people was sent."""

    def __init__(self, rng: Random, name: str, seats: int) -> None:
        rule_set = GAMES[name]
        options = random_options(rng, rule_set.offer, seats)
        options["arranged"] = ""
        self._houses = itertools.count(HOUSE)
        self.rng = rng
        self.seats = seats
        table = Table(
            TableModel(
                id=TableId(7),
                owner_id=PersonId(1),
                rule_set=rule_set,
                options=options,
                seats=seats,
                clock=ClockInfo(bank=60),
                passcode="",
                is_gallery_open=True,
                is_exhibition=False,
            ),
            hire=self._hire,
            form_of=lambda *_: MessageForm(openings=True),
        )
        super().__init__(table, seed=rng.randrange(2**32))
        self.sittings: dict[PersonId, BotSession] = {}
        self.numbers: dict[PersonId, int] = {}
        """The last event each person has, if their connection carries what they are sent."""
        self.cutters: dict[PersonId, tuple[Chain, int]] = {}
        self.away: set[PersonId] = set()
        self.did: Counter[str] = Counter()
        self._newcomers = itertools.count(2)
        self.first = PersonId(1)
        """A spectator, who never goes: what they were shown the gallery was."""
        self.come(self.first)

    def _hire(self, _: object) -> Sitter:
        number = next(self._houses)
        return Sitter(PersonId(number), f"House {number}", house="steady")

    # --- what is sent ---

    def do(self, effects: list[Effect]) -> None:  # type: ignore[override]  # it is read twice
        for effect in effects:
            if isinstance(effect, Tell):
                message = decode(FRAMES.encode(effect.message)[4:])
                assert message == effect.message
                for part in parts(message):
                    shown = tuple(map(cards_shown, part.events)) if isinstance(part, Events) else ()
                    for person in effect.people:
                        self.read(person, part, shown)
        super().do(effects)

    def read(self, person: PersonId, message: ServerMessage, shown: tuple[tuple[Card, ...], ...]) -> None:
        """`shown`: the cards in each event of the message."""
        if isinstance(message, Left):
            self.sittings.pop(person, None)
            self.away.discard(person)
        viewer = self.table.seating.viewer_of(person)
        if viewer is None:
            return
        sitting = self.sittings.get(person)
        if sitting is None or sitting.viewer != viewer:
            sitting = self.sittings[person] = BotSession(viewer)
            sitting.hand = self.sittings[self.first].hand
        match message:
            case TableSnapshot():
                sitting.hand = self.sittings[self.first].hand  # they may have missed its seals
            case Openings(deal=deal, openings=openings):
                sitting.proved |= {(deal, opening.card) for opening in openings}
                self.did["openings"] += len(openings)
            case Events(events=events, first=first):
                if person not in self.away:
                    self.numbers[person] = first + len(events) - 1
                for event, cards in zip(events, shown, strict=True):
                    if isinstance(event, Sealed):
                        sitting.hand = (*(sitting.hand if event.stock else ()), event)
                    elif isinstance(event, DealVoided):
                        sitting.hand = tuple([seal for seal in sitting.hand if seal.deal != event.deal])
                    assert agrees(event, viewer, cards), f"{type(event).__name__} says that it shows others"
                    sitting.shown |= {(sitting.deal_of(card), card) for card in cards}
                    self.did[type(event).__name__] += 1
            case _:
                pass

    def check(self, when: str) -> None:
        """Nobody has a proof of what they were not shown. Of a spectator the gallery is asked: it sees what it sees."""
        shown_there = self.sittings[self.first].shown
        for person, sitting in self.sittings.items():
            shown = shown_there if sitting.viewer == GALLERY else sitting.shown
            over = sitting.proved - shown
            assert not over, f"{when}: person {person} in place {sitting.viewer} has a proof of {over}"

    # --- what happens ---

    def come(self, person: PersonId) -> None:
        self.do(self.table.watch(person, f"P{person}", self.now))

    def step(self) -> None:
        """One thing, and everybody who should cuts."""
        rng = self.rng
        people = [person for person in self.table.seating.people if person < HOUSE]
        players = [person for person in people if self.table.seating.seat_of(person) is not None]
        free = [seat for seat, chair in enumerate(self.table.seating.chairs) if chair.sitter is None]
        kind = rng.random()
        try:
            if kind < 0.04:
                self.restart()
            elif kind < 0.09 and players:
                self.drop(rng.choice(people))
            elif kind < 0.18 and self.away:
                self.return_(rng.choice(sorted(self.away)))
            elif kind < 0.19 and len(people) < 12:
                self.come(PersonId(next(self._newcomers)))
            elif free and not self.table.model.is_playing:
                self.sit_down(rng.choice(free))
            elif not self.table.model.is_playing:
                self.between(rng, players)
            elif kind < 0.20 and players:
                self.did["left"] += 1
                self.do(self.table.leave(rng.choice(players), self.now))
            elif kind < 0.21 and players:
                self.did["resigned"] += 1
                self.do(self.table.resign(rng.choice(players), self.now))
            elif kind < 0.5 and self.table.model.deals.cutting is not None:
                self.tick(self.now + CUT_MS)
                self.tick(self.now + PULSE_MS)
            elif self.table.model.turn.seat is not None:
                self.move()
            else:
                self.tick(self.now + rng.choice((10, CUT_MS, 20_000)))
        except RequestRefused:
            self.did["refused"] += 1
        self.forget_who_left()
        self.cut()

    def sit_down(self, seat: int) -> None:
        """A newcomer, or a spectator, or somebody who sat here before; or a house player."""
        spectators = [p for p in self.table.seating.watchers if p != self.first]
        person = self.rng.choice([PersonId(next(self._newcomers)), *spectators])
        chain = Chain(self.rng.randbytes(32), 128)
        self.cutters[person] = (chain, 128)
        end = chain.link(128) if self.rng.random() < 0.8 else None
        sitter = self._hire(None) if self.rng.random() < 0.1 else Sitter(person, f"P{person}")
        self.do(self.table.sit(sitter, Seat(seat), self.now, None if sitter.is_house else end)[1])

    def between(self, rng: Random, players: list[PersonId]) -> None:
        """Between games somebody stands up, and another sits down there; or all agree to another game."""
        if players and rng.random() < 0.3:
            self.did["stood"] += 1
            self.do(self.table.stand(rng.choice(players), self.now))
        elif not players:
            house = next(chair.sitter for chair in self.table.seating.chairs if chair.sitter is not None)
            self.do(self.table.stand(house.id, self.now))
        else:
            for person in players:
                if person in self.away:
                    self.return_(person)
                if not self.table.model.is_playing:
                    self.do(self.table.again(person, self.now))

    def drop(self, person: PersonId) -> None:
        if person in self.away or person == self.first:
            return
        self.did["dropped"] += 1
        self.away.add(person)
        if self.rng.random() < 0.3:
            self.tick(self.now + 100)  # what was sent meanwhile is lost
        self.do(self.table.disconnect(person, self.now))

    def return_(self, person: PersonId) -> None:
        """With the number of the last event they have, with none, or with one they make up."""
        known = self.numbers.get(person)
        if known is not None and self.rng.random() < 0.15:
            known = self.rng.randrange(known + 1)
        self.away.discard(person)
        self.did["found"] += 1
        self.do(self.table.reconnect(person, known if self.rng.random() < 0.7 else None, self.now))

    def restart(self) -> None:
        """The table comes back from what is kept of it; everybody's connection is lost."""
        self.did["restarted"] += 1
        kept = decode_kept(records.encode(self.table.model.checkpoint()))  # type: ignore[arg-type]  # as a part of a lobby
        model = TableModel.restored(kept, GAMES[kept.rule_set])
        self.table = Table(model, self._hire, lambda *_: MessageForm(openings=True))
        for person in [person for person in self.table.seating.people if person < HOUSE]:
            self.do(self.table.disconnect(person, self.now))
            self.return_(person)
        self.away.clear()
        self.do(self.table.reseat_house_players(self.now))

    def move(self) -> None:
        table = self.table
        assert table.model.play is not None
        mover = table.seating.chairs[table.model.turn.seat or 0].sitter
        assert mover is not None
        if mover.id in self.away:
            self.return_(mover.id)
        if self.rng.random() < 0.03:
            self.do(table.runner.advance(table.model.play, table.model.play.expire(self.now), self.now))
            return
        action = self.rng.choice(table.model.play.question(1, in_words=True).legal).action
        self.do(table.act(mover.id, table.model.turn.decision, action, self.now))

    def forget_who_left(self) -> None:
        for person in [person for person in self.sittings if self.table.seating.viewer_of(person) is None]:
            del self.sittings[person]
        self.away &= set(self.table.seating.people)

    def cut(self) -> None:
        """Who is here cuts; one in ten forgets to."""
        while (deal := self.table.model.deals.cutting) is not None:
            waiting = [seat for seat in deal.waits if not self.table.seating.chairs[seat].is_away]
            if not waiting or self.rng.random() < 0.1:
                break
            sitter = self.table.seating.chairs[waiting[0]].sitter
            assert sitter is not None
            chain, left = self.cutters[sitter.id]
            self.cutters[sitter.id] = chain, left - 1
            self.do(self.table.cut(sitter.id, deal.sealed.deal, chain.link(left - 1), self.now))


def rooms(table: TableOf, seeds: Iterable[int]) -> Counter[str]:
    """Tables of this kind, under random options; what happened at them."""
    did: Counter[str] = Counter()
    for seed in seeds:
        room = Room(rng_of(table, seed), table.name, table.seats)
        for number in range(STEPS):
            room.step()
            room.check(f"table {seed}, step {number}")
        did += room.did
    return did


@pytest.mark.timeout(90)  # ten seats are many viewers
@at_every_table
def test_no_card_is_opened_to_who_was_not_shown_it(table: TableOf) -> None:
    """Every rule set, number of seats and option, at random."""
    did = rooms(table, range(ROOMS.start))
    for seed in ROOMS:
        if all(did[what] > 1 for what in WANTED):
            break
        did += rooms(table, [seed])
    assert all(did[what] > 1 for what in WANTED), did
    assert did["Played"] + did["Drew"] > 5, did


# --- the law finds what breaks it ---

TRUC = TableOf("truc", 2)
PARTNERS = TableOf("put-partners", 4)


@pytest.mark.parametrize("table", [TRUC, PARTNERS], ids=str)
def test_prover_that_opens_one_card_more_is_found(table: TableOf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once in thirty messages, the card that lies first in the sealed pack."""
    opened, count = CardProver._opened, itertools.count(1)

    def generous(prover: CardProver, cards: Iterable[Card], *, is_first: bool) -> Openings:
        made = opened(prover, cards, is_first=is_first)
        if prover.pack is None or next(count) % 30:
            return made
        return msgspec.structs.replace(made, openings=(*made.openings, prover.pack.opening(0)))

    monkeypatch.setattr(CardProver, "_opened", generous)
    with pytest.raises(AssertionError, match="has a proof of"):
        rooms(table, range(3))


def test_prover_that_outlives_its_deal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next seal's list of cards, taken for cards shown, once opened the whole pack of the deal before."""

    def shows(event: Sealed, viewer: Viewer) -> tuple[Shown, ...]:
        return tuple([Shown(card, None) for card in event.cards])

    monkeypatch.setattr(Sealed, "shows", shows)
    monkeypatch.setattr(GameRunner, "finish_deals", lambda _: [])
    monkeypatch.setattr("tests.conformance.test_openings.agrees", lambda *_: True)
    with pytest.raises(AssertionError, match="has a proof of"):
        rooms(TRUC, range(3))


def test_event_that_shows_what_its_fields_do_not_say_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event's own word for the cards it shows is held against the protocol's."""
    monkeypatch.setattr(Sealed, "shows", lambda event, _: tuple([Shown(card, None) for card in event.cards]))
    with pytest.raises(AssertionError, match="Sealed says that it shows"):
        rooms(TRUC, range(3))


def test_seat_that_changes_hands_keeps_what_was_shown_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sits down where somebody else sat before gets no proof of that one's hand, after a restart either."""
    monkeypatch.setattr(Deals, "forget_proofs", lambda *_: None)
    with pytest.raises(AssertionError, match="has a proof of"):
        rooms(TRUC, range(12))
