"""The law of hidden information, on the bytes that leave the server.

Two evenings have the same public course; in the second only what one viewer may not know is dealt otherwise. Every
byte that viewer is sent, in its order and its pieces, must be the same.
"""

import itertools
import logging
import random
import re
from dataclasses import dataclass, field

import pytest

from put_protocol import messages
from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.folding import folded
from put_protocol.games.put import Dealt, Play, Played, Put, See, ThrowIn
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.messages import ViewForm
from put_protocol.seats import GALLERY, Viewer
from put_server.table.table_effects import TableId
from tests.repetitions import TURN
from tests.transport.dispatcher_harness import PLAIN, DispatcherHarness, Peer, ScriptedShuffler, TypingPeer

A_CARD = re.compile(r"\b(?:10|[2-9AKQJ])[shdc]\b")

STEPS = 220 if TURN else 120

GALLERY_PLACE = -1


@dataclass(frozen=True)
class Step:
    """Something a peer did."""

    place: int
    message: messages.ClientMessage | None = None
    """None: its connection was lost, and it came back at once."""
    milliseconds: int = 0


@dataclass
class Evening:
    """What was done, what was dealt, and what each was sent."""

    script: list[Step] = field(default_factory=list)
    packs: list[tuple[Card, ...]] = field(default_factory=list)
    plays: list[dict[int, set[Card]]] = field(default_factory=list)
    """For each pack what each seat played of it; for a draw, nothing."""
    deals: list[Dealt | None] = field(default_factory=list)
    """For each pack the deal that came of it, as the gallery saw it; None: it was drawn from."""
    sent: list[list[bytes]] = field(default_factory=list)
    """To each place; the gallery's is last."""
    words: list[str] = field(default_factory=list)
    """Every refusal and goodbye."""


class Room:
    """An evening in the making."""

    def __init__(
        self,
        game: str,
        seats: int,
        codec: Codec | None,
        viewer: int,
        dealer: ScriptedShuffler,
        views: ViewForm,
    ) -> None:
        """`codec`: by which all speak; without one the viewer types, and the others speak frames."""
        self.views = views
        self.harness = DispatcherHarness(dealer=dealer)
        self.codecs: list[Codec | None] = [codec or FRAMES] * (seats + 1)
        if codec is None:
            self.codecs[viewer] = PLAIN
        self.table = TableId(1)
        self.peers: list[Peer] = []
        dealer.table = lambda: self.harness.dispatcher.lobby.tables[self.table]
        self.former: list[list[bytes]] = [[] for _ in range(seats + 1)]
        for place in range(seats + 1):
            peer = self.harness.peer(self.codecs[place])
            peer.send(messages.Hello(2, f"Guest {place}", views=views))
            self._ask_off(peer)
            peer.receive()
            self.peers.append(peer)
        self.peers[0].send(messages.OpenTable(1_000_001, game, seats=seats, options={"target": 2}, turn=20, bank=40))
        self.peers[-1].send(messages.Look(1_000_002))
        self.peers[-1].send(messages.Watch(1_000_003, self.table))
        for peer in self.peers[:-1]:
            peer.send(messages.Sit(1_000_004, self.table))
        for peer in self.peers:
            peer.receive()

    def do(self, step: Step) -> None:
        peer = self.peers[step.place]
        if step.milliseconds:
            self.harness.tick(step.milliseconds)
        elif step.message is not None:
            peer.send(step.message)
        else:
            back = self.harness.peer(self.codecs[step.place])
            back.messages = peer.messages
            peer.drop()
            back.token = peer.token
            back.resume(peer, views=self.views)
            self._ask_off(back)
            self.former[step.place] += peer.transport.written
            self.peers[step.place] = back
        for every in self.peers:
            every.receive()

    def _ask_off(self, peer: Peer) -> None:
        """Who types is not to be asked before a grave move: the evening goes on at once."""
        if isinstance(peer, TypingPeer):
            peer.feed(b"ask off\n")

    def sent(self) -> list[list[bytes]]:
        return [before + peer.transport.written for before, peer in zip(self.former, self.peers, strict=True)]


def first_evening(
    game: str,
    seed: int,
    seats: int,
    viewer: int,
    codec: Codec | None,
    views: ViewForm = ViewForm.WHOLE,
) -> Evening:
    """A random evening, in which the viewer pries wherever they can."""
    dice = random.Random(f"{seed} {seats} {viewer}")
    dealer = ScriptedShuffler(seed)
    room, evening = Room(game, seats, codec, viewer, dealer, views), Evening()
    for number in range(1, STEPS + 1):
        step = _something(room, dice, number, viewer)
        evening.script.append(step)
        room.do(step)
    evening.packs, evening.sent = dealer.dealt, room.sent()
    _note_cards(evening, room)
    _note_words(evening, room)
    return evening


def same_evening(
    game: str,
    evening: Evening,
    packs: list[tuple[Card, ...]],
    seats: int,
    viewer: int,
    codec: Codec | None,
    views: ViewForm = ViewForm.WHOLE,
) -> Evening:
    """The same again from other packs."""
    dealer = ScriptedShuffler(0, packs)
    room, again = Room(game, seats, codec, viewer, dealer, views), Evening()
    for step in evening.script:
        room.do(step)
    again.sent, again.packs = room.sent(), dealer.dealt
    _note_words(again, room)
    return again


def _something(room: Room, dice: random.Random, number: int, viewer: int) -> Step:
    table = room.harness.dispatcher.lobby.tables[room.table]
    place = dice.randrange(len(room.peers))
    turn = table.model.turn.seat
    chance = dice.random()
    if turn is None:
        return Step(dice.randrange(len(room.peers) - 1), messages.Again(number, room.table))
    if chance < 0.05:
        return Step(place, None)
    if chance < 0.1:
        return Step(place, messages.Say(number, room.table, dice.choice(("hm", "I have it all", "put!"))))
    if chance < 0.12:
        return Step(0, milliseconds=dice.choice((100, 3_000, 21_000)))
    if chance < 0.13:
        return Step(dice.randrange(len(room.peers) - 1), messages.Resign(number, room.table))
    if chance < 0.3:
        # The viewer tries every card they do not hold, and whatever else is not theirs to do.
        peer = room.peers[viewer]
        own = _cards_in(peer)
        cards = [card for card in room.harness.dealer.dealt[-1] if card not in own]
        action: Action = Play(dice.choice(cards))
        return Step(viewer, messages.Act(number, room.table, table.model.turn.decision, action))
    if chance < 0.35:
        wrong: Action = dice.choice((See(), Put(), ThrowIn()))
        if dice.random() < 0.5:
            return Step(place, messages.Act(number, room.table, max(1, table.model.turn.decision - 1), wrong))
        if place != turn:
            return Step(place, messages.Act(number, room.table, table.model.turn.decision, wrong))
    decision = room.peers[turn].told(messages.Decision)[-1]
    return Step(turn, messages.Act(number, room.table, decision.decision, dice.choice(decision.legal).action))


def _cards_in(peer: Peer) -> tuple[Card, ...]:
    view: GameView | None = None
    viewer: Viewer = GALLERY
    for message in peer.messages:
        if isinstance(message, messages.TableSnapshot):
            viewer, view = message.viewer, message.view
        elif isinstance(message, messages.Events):
            view = folded(view, message, viewer)
    return () if view is None else view.cards


def _note_cards(evening: Evening, room: Room) -> None:
    """Which pack was dealt and what was played of it, told by what the gallery saw."""
    events: list[Event] = []
    for message in room.peers[-1].messages:
        if isinstance(message, messages.Events):
            events += message.events
    deals = [event for event in events if isinstance(event, Dealt)]
    plays: list[dict[int, set[Card]]] = []
    for event in events:
        if isinstance(event, Dealt):
            plays.append({})
        elif isinstance(event, Played):
            plays[-1].setdefault(event.seat, set()).add(event.card)
    for phase in room.harness.dealer.phases:
        evening.deals.append(deals.pop(0) if phase == "deal" else None)
        evening.plays.append(plays.pop(0) if phase == "deal" else {})
    assert not deals


def _note_words(evening: Evening, room: Room) -> None:
    for peer in room.peers:
        evening.words += [
            message.says for message in peer.messages if isinstance(message, messages.Refused | messages.Goodbye)
        ]
        evening.words += [message.field or "" for message in peer.messages if isinstance(message, messages.Refused)]


def dealt_otherwise(evening: Evening, viewer: int, seats: int, dice: random.Random) -> list[tuple[Card, ...]]:
    """The packs with everything shuffled anew that the viewer may not know and that was not played."""
    packs = []
    for pack, deal, plays in zip(evening.packs, evening.deals, evening.plays, strict=True):
        if deal is None:
            rest = list(pack[24:])  # what was drawn is at the top, in view of all
            dice.shuffle(rest)
            packs.append((*pack[:24], *rest))
            continue
        order = [s % seats for s in range(deal.dealer + 1, deal.dealer + 1 + seats) if deal.counts[s % seats]]
        length = deal.counts[order[0]]
        loose = []
        for place, card in enumerate(pack):
            owner = order[place % len(order)] if place < length * len(order) else None
            if owner is None or (owner != viewer and card not in plays.get(owner, set())):
                loose.append(place)
        cards = [pack[place] for place in loose]
        dice.shuffle(cards)
        other = list(pack)
        for place, card in zip(loose, cards, strict=True):
            other[place] = card
        packs.append(tuple(other))
    return packs


SEEDS = (2 * int(TURN) + 10, 2 * int(TURN) + 11) if TURN else (1,)

SLICE = ((FRAMES, 2), (LINES, 3), (PLAIN, 4))
"""Of the codecs and numbers of seats: those that the suite tries."""

OTHER_GAMES = (("put-1800", 2, PLAIN), ("put-parlett", 2, FRAMES), ("put-tavern", 3, PLAIN))
"""With seats, and the codec of the suite."""

EVENINGS = [
    ("put-1674", codec, seats, viewer, seed)
    for codec, seats in (itertools.product((FRAMES, LINES, PLAIN), (2, 3, 4)) if TURN else SLICE)
    for viewer in (*range(seats), GALLERY_PLACE)
    for seed in SEEDS
] + [
    (game, codec, seats, viewer, 3)
    for game, seats, usual in OTHER_GAMES
    for codec in ((FRAMES, PLAIN) if TURN else (usual,))
    for viewer in (*range(seats), GALLERY_PLACE)
]


IN_CHANGES = [
    ("put-1674", seats, viewer) for seats in ((2, 3, 4) if TURN else (3,)) for viewer in (*range(seats), GALLERY_PLACE)
]


@pytest.mark.parametrize(("game", "seats", "viewer"), IN_CHANGES)
def test_changes_tell_no_more_than_whole_views(game: str, seats: int, viewer: int) -> None:
    """Dealt otherwise where they may not see, who asked for changes is sent the same bytes, too."""
    evening = first_evening(game, 1, seats, viewer, FRAMES, ViewForm.CHANGES)
    packs = dealt_otherwise(evening, viewer, seats, random.Random(1))
    assert packs != evening.packs
    again = same_evening(game, evening, packs, seats, viewer, FRAMES, ViewForm.CHANGES)
    assert again.packs == packs
    assert again.sent[viewer] == evening.sent[viewer]
    others = [place for place in range(seats) if place != viewer % (seats + 1)]
    assert any(again.sent[place] != evening.sent[place] for place in others)
    told = b"".join(evening.sent[viewer])
    assert told.count(b"\xa4view\xa3put") < told.count(b"\xa6moment"), "most came as changes"


@pytest.mark.parametrize(("game", "codec", "seats", "viewer", "seed"), EVENINGS)
def test_secret_cards_leave_no_trace_in_any_byte(
    game: str, codec: Codec | None, seats: int, viewer: int, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Dealt otherwise where they may not see, a viewer is sent the same bytes in the same pieces."""
    leaves_no_trace(game, codec, seats, viewer, seed, caplog)


def leaves_no_trace(
    game: str,
    codec: Codec | None,
    seats: int,
    viewer: int,
    seed: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """:raises AssertionError: a byte tells what the viewer may not know."""
    caplog.set_level(logging.DEBUG)
    evening = first_evening(game, seed, seats, viewer, codec)
    assert sum(deal is not None for deal in evening.deals) >= 3
    packs = dealt_otherwise(evening, viewer, seats, random.Random(seed))
    assert packs != evening.packs
    again = same_evening(game, evening, packs, seats, viewer, codec)
    assert again.packs == packs
    assert again.sent[viewer] == evening.sent[viewer]
    assert sum(map(len, evening.sent[viewer])) > 5_000
    # The test would notice: somebody who may know was sent something else.
    others = [place for place in range(seats) if place != viewer % (seats + 1)]
    assert any(again.sent[place] != evening.sent[place] for place in others)
    # Neither logs nor refusals nor goodbyes name any card.
    assert not A_CARD.search(caplog.text)
    assert evening.words
    assert not [word for word in evening.words + again.words if A_CARD.search(word)]
