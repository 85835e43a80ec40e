"""The law of hidden information in a cluster, on bytes: of what clients are sent, and of what gateways are.

A game is played twice at a table of two gateways. In the second only what one viewer may not know is dealt otherwise;
their gateway has none of the others. Everything that is published for that gateway and for all gateways is the same
then, and every byte that its clients are sent, in its pieces: so whoever holds that gateway learns no more than its
clients may know. Every registered rule set joins, with each number of seats.
"""

import logging
import re
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Put
from put_protocol.messages import Act, Decision, Goodbye, Look, Ok, OpenTable, Refused, Say, Sit, Watch
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.game import Turn
from put_server.cluster.status import gateway_status
from put_server.lobby.inputs import Secret, Shuffled
from put_server.table.table_effects import WantPack, WantSecret
from tests.cluster.town import Town, named
from tests.conformance import random_games
from tests.conformance.random_games import Pack, Setup, Step, random_game, random_setup, random_temper
from tests.conformance.secrets import SECRETS
from tests.conformance.tables import TABLES, Played, Table, rng_of
from tests.repetitions import TURN
from tests.transport.dispatcher_harness import PLAIN, Peer, ScriptedShuffler, TypingPeer

A_CARD = re.compile(r"\b(?:10|[2-9AKQJC])[shdcbtwuo]\b")

MOST = 60
"""Steps of a game that are played."""

FIRST_GAME = int(TURN or 0)

GAMES_AT_A_TABLE = 8
"""Tried for one in which something can be dealt otherwise, and somebody else sees it."""


class Dealer(ScriptedShuffler):
    """Deals the packs of a game that was played."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        super().__init__(1)
        self._given = [step.given for step in steps if isinstance(step.given, Pack)]

    def draw(self, want: WantPack | WantSecret) -> Shuffled | Secret:
        if isinstance(want, WantSecret) or not self._given:  # behind the part of the game that is played
            return super().draw(want)
        cards, luck = self._given.pop(0)
        assert set(cards) == set(want.cards)
        return Shuffled(want.table, cards, (luck or 0) if want.has_accidents else None)


class Evening:
    """A game in a town. The viewer is alone at the second gateway, with somebody who watches."""

    def __init__(self, setup: Setup, steps: tuple[Step, ...], viewer: Viewer, codec: Codec | None) -> None:
        self.town = Town(shuffler=Dealer(steps))
        self._dice = Random(7)
        self._seats = [self._guest(f"S{seat}", Seat(seat), viewer, codec) for seat in range(setup.seats)]
        watcher = self._guest("W", GALLERY, viewer, codec)
        self.there = [watcher] if viewer == GALLERY else [self._seats[viewer], watcher]
        self._elsewhere = self._guest("E", None, viewer, codec)
        opening = OpenTable(1, setup.name, seats=setup.seats, options=setup.options, turn=0, bank=86_400)
        answer = self._elsewhere.ask(lambda _: opening)
        assert isinstance(answer, Ok), answer
        assert answer.table is not None
        self.table = answer.table
        watcher.send(Watch(1_000, self.table))
        self.there[0].send(Look(1_001))
        for seat, peer in enumerate(self._seats):
            peer.send(Sit(1_002, self.table, Seat(seat)))
        self._play(setup, steps)

    def _guest(self, name: str, place: Viewer | None, viewer: Viewer, codec: Codec | None) -> Peer:
        """Each has another home; the table is in the shard of `E`."""
        is_viewer = place in (viewer, GALLERY)
        gateway = self.town.gateways[int(is_viewer)]
        who = named(0 if place is None else 1 + (place == viewer), name)
        if place == viewer and codec is PLAIN:
            typist: Peer = gateway.typist(f"name {who}", "ask off")
            return typist
        return gateway.guest(who, (codec or FRAMES) if is_viewer else FRAMES)

    def _play(self, setup: Setup, steps: tuple[Step, ...]) -> None:
        game: Any = setup.game()
        for number, (before, step) in enumerate(pairwise(steps)):
            for peer in (*self._seats, *self.there):
                peer.receive()
            if isinstance(step.given, Pack):
                continue
            assert isinstance(step.given, random_games.Act)
            there = game.awaits(before.state)
            assert isinstance(there, Turn)
            self._pry(number)
            mover = self._seats[there.seat]
            decision = mover.told(Decision)[-1]
            if isinstance(mover, TypingPeer):
                place = [legal.action for legal in decision.legal].index(step.given.action)
                mover.type(f"#{place + 1}")
            else:
                mover.send(Act(2_000 + number, self.table, decision.decision, step.given.action))
                assert not [m for m in mover.told(Refused) if m.id == 2_000 + number], (number, step.given)

    def _pry(self, number: int) -> None:
        """Who is at the second gateway does what they may not, and comes and goes."""
        peer = self._dice.choice(self.there)
        match self._dice.randrange(12):
            case 0 if not isinstance(peer, TypingPeer):  # whose word may be just what is asked of them
                peer.send(Act(5_000 + number, self.table, 1, Put()))
            case 1:
                peer.send(Say(5_000 + number, self.table, "and you"))
            case 2:
                peer.send(Watch(5_000 + number, self.table))
            case 3 if not isinstance(peer, TypingPeer):
                peer.drop()
                back = self.town.gateways[1].peer(peer.codec)
                back.resume(peer)
                before = [*peer.transport.written, b"-- lost --"]
                back.transport.written[:0] = before
                back._read = len(before)
                back.messages[:0] = peer.messages
                back.receive()
                for group in (self.there, self._seats):
                    for place, known in enumerate(group):
                        if known is peer:
                            group[place] = back
            case _:
                self.town.tick(250)

    @property
    def seen(self) -> list[object]:
        """All that the second gateway has, and its clients."""
        gateway = self.town.gateways[1].gateway
        return [
            self.town.carried.get("gate1"),
            self.town.carried.get(""),
            [peer.transport.written for peer in self.there],
            gateway_status(gateway, "there"),
            gateway.meters.refused,
        ]

    @property
    def words(self) -> str:
        """Every refusal and goodbye at either gateway."""
        told = [m for peer in (*self._seats, *self.there) for m in peer.messages if isinstance(m, Refused | Goodbye)]
        return "\n".join([message.says for message in told])


def game_at(table: Table, seed: int) -> Played:
    """The beginning of a random game that begins with a draw; nobody leaves, and no time runs out."""
    rng = rng_of(table, seed)
    setup = random_setup(rng, table.name, table.seats, short=1)
    options = {**setup.options, "arranged": ""}
    setup = Setup(name=table.name, seats=table.seats, options=options, dealer=None)
    temper = random_temper(rng, accidents=False)
    temper = random_games.Temper(liking=temper.liking, expires=0, leaves=0, has_luck=True)
    return Played(seed, setup, setup.game(), tuple(random_game(rng, setup, temper))[:MOST])


def check(table: Table, viewer: Viewer, codec: Codec | None, caplog: pytest.LogCaptureFixture) -> None:
    """:raises AssertionError: a byte tells what the viewer may not know."""
    caplog.set_level(logging.DEBUG)
    for seed in range(FIRST_GAME, FIRST_GAME + GAMES_AT_A_TABLE):
        played = game_at(table, seed)
        again = SECRETS[table.family].redealt(Random(seed), played, played.steps, viewer)
        if [step.given for step in again] == [step.given for step in played.steps]:
            continue
        caplog.clear()
        first = Evening(played.setup, played.steps, viewer, codec)
        second = Evening(played.setup, tuple(again), viewer, codec)
        for true, other in zip(first.seen, second.seen, strict=True):
            assert true == other
        assert sum(map(len, first.town.carried["gate1"])) > 5_000
        assert not A_CARD.search(caplog.text)
        assert not A_CARD.search(first.words + second.words)
        if first.town.carried["gate0"] != second.town.carried["gate0"]:
            return  # so the test would notice
    raise AssertionError("in none of these games was anybody told what was hidden from them")


def viewers(table: Table) -> tuple[Viewer, ...]:
    return (*map(Seat, range(table.seats)), GALLERY)


EVERYWHERE = [
    (table, viewer, codec) for table in TABLES for viewer in viewers(table) for codec in (FRAMES, LINES, PLAIN)
]

SLICE = [
    (table, viewers(table)[number % (table.seats + 1)], (FRAMES, LINES, PLAIN)[number % 3])
    for number, table in enumerate(TABLES)
    if table.seats == min(other.seats for other in TABLES if other.name == table.name)
]
"""Every rule set once."""


@pytest.mark.parametrize(
    ("table", "viewer", "codec"),
    EVERYWHERE if TURN else SLICE,
    ids=lambda given: "plain" if given is PLAIN else given.name if isinstance(given, Codec) else str(given),
)
def test_a_gateway_gets_no_card_that_its_clients_may_not_see(
    table: Table, viewer: Viewer, codec: Codec | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Dealt otherwise where they may not see, all that is published for their gateway is the same, and all its clients
    are sent."""
    check(table, viewer, codec, caplog)
