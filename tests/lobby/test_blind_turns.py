"""Work that the server's loop does in one turn for blind deals: counted, not timed."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from coincurve import PublicKey

from put_protocol import messages
from put_protocol.blind.deal import holds
from put_protocol.blind.group import Point, base
from put_protocol.blind.shuffle import PLACE_BYTES
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_events import PartMissed
from put_protocol.cards import FULL_PACK
from put_protocol.seats import Seat
from put_rules.registry import GAMES
from put_server.lobby import inputs
from put_server.table.blind_runner import MOST_SHARES
from tests.lobby.blind_lobby import BlindLobby
from tests.lobby.test_blind_conspiracies import blamed, do_until, forged, give, work
from tests.lobby.test_blind_tables import SHORT, seated, seated_in
from tests.protocol.blind.blind_table import careless
from tests.repetitions import TURN, some

MOST = 2 * MOST_SHARES + 8
"""Multiplications in a turn: 2 ms where one takes 25 microseconds. A share is checked by two of them. A draw of four
players from 28 cards has 60."""

LARGEST = [(name, rules.offer.seats[-1], mix) for mix in ("k", "kh") for name, rules in GAMES.items()]
"""The largest table of each rule set, with every key at a client and with one."""

IN_SUITE = [("primero", 6, "k"), ("put-1674", 4, "k"), ("triomphe-forcee", 10, "kh")]

MULTIPLICATIONS = (
    (Point, "__mul__"),
    (Point, "plus_base"),
    (Point, "times_plus_base"),
    (PublicKey, "from_valid_secret"),
)


class Counted(BlindLobby):
    """Counts the multiplications of the server alone, by turns of its loop."""

    def __init__(self, seed: int = 1) -> None:
        self.count, self.is_counting = 0, False
        self.most = Counter[str]()
        super().__init__(seed)

    def handle(self, event: inputs.Input) -> Any:
        self.count, self.is_counting = 0, True
        try:
            return super().handle(event)
        finally:
            self.is_counting = False
            name = type(event.request if isinstance(event, inputs.Ask) else event).__name__
            self.most[name] = max(self.most[name], self.count)

    def _tell(self, person: Any, message: Any) -> None:
        self.is_counting = False
        super()._tell(person, message)
        self.is_counting = True


def counted(rig: Counted, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """The lobby, which counts from now on."""

    def counting(done: Callable[..., Any]) -> Callable[..., Any]:
        def once(*args: Any, **names: Any) -> Any:
            rig.count += rig.is_counting
            return done(*args, **names)

        return once

    for owner, name in MULTIPLICATIONS:
        monkeypatch.setattr(owner, name, counting(getattr(owner, name)))
    return rig


@pytest.mark.parametrize(("game", "seats", "mix"), LARGEST if TURN else IN_SUITE)
def test_turn_of_the_loop_has_few_multiplications(
    game: str, seats: int, mix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever comes, also the draw for the deal, which opens the whole pack: what takes longer is done beside it."""
    rig = counted(Counted(), monkeypatch)
    keys = mix[0] + mix[-1] * (seats - 1)
    _, (ann, *_), table = seated_in(rig, game, keys, **SHORT.get(game, {"target": 1}))
    rig.run_until(lambda: ann.hands > 0 and rig.table(table).model.turn.seat is None)
    assert max(rig.most.values()) <= MOST, rig.most
    assert rig.most["Blind"] > 1


def drawing(seed: int = 1) -> tuple[BlindLobby, list[Any], int, bytes]:
    """A table of which Ann has long shares to give, of the draw; and these."""
    rig, guests, table = seated("primero", "kkkk", seed, hands=1)
    return rig, guests, table, do_until(rig, guests, table, Kind.SHARES, guests[0])


def test_long_shares_are_taken_when_they_are_checked() -> None:
    """Once, and also by a server that was killed meanwhile. Nobody is waited for whose shares wait."""
    rig, guests, table, shares = drawing()
    ann = guests[0]
    assert give(rig, ann, table, shares)
    assert not give(rig, ann, table, shares)
    assert "are being checked" in ann.refused[-1].says
    for guest in guests[1:]:
        assert give(rig, guest, table, do_until(rig, guests, table, Kind.SHARES, guest))
    rig.restart()
    rig.wait_out()
    assert not give(rig, ann, table, shares)
    for _ in guests:
        work(rig)
    assert not give(rig, ann, table, shares)
    play = rig.table(table).model.deals.blind.play
    assert play is not None
    assert play.is_in_play
    for guest in guests:
        guest.refused.clear()
    rig.run()
    assert not rig.table(table).model.is_playing
    assert not blamed(ann)
    rig.check_told(guests)


@pytest.mark.parametrize("has_lost", [False, True], ids=["dropped", "killed"])
def test_client_that_comes_back_while_its_long_shares_are_checked_goes_on(*, has_lost: bool) -> None:
    """It is not told that the server has them: it gives the same again, is refused, and waits."""
    rig, (ann, *_), _, shares = drawing()
    rig.give(ann, shares)
    rig.lose(ann)
    rig.come_back(ann, has_lost=has_lost)
    assert ann.due() == ([shares] if has_lost else [])
    ann.sent = b""
    rig.give(ann, *ann.due())
    assert "are being checked" in ann.refused[-1].says
    assert ann.next_part is None
    work(rig)
    assert list(ann.game.playing.shares) == [ann.seat]
    assert not ann.sent


def test_long_shares_that_do_not_hold_cost_the_hand() -> None:
    """Their author is named at once, by the server's word, also by one that was killed before it found out; what is no
    point is told in the same way."""
    for at, is_killed in ((-1, False), (0, True)):
        rig, guests, table, shares = drawing()
        entry = Entry.parse(shares)
        body = forged(guests[0], shares) if at else forged_point(guests[0], entry)
        assert give(rig, guests[0], table, body)
        if is_killed:
            rig.restart()
        work(rig)
        assert blamed(guests[1]) == [PartMissed(Seat(0), 1)]
        rig.run()
        assert not rig.table(table).model.is_playing
        rig.check_told(guests[1:])


def forged_point(guest: Any, entry: Entry) -> bytes:
    """The shares, the first of which is no point."""
    signed: bytes = guest.game.transcript.signed(
        replace(entry, body=bytes([9]) + entry.body[1:]), guest.party.keys[entry.author]
    )
    return signed


@pytest.mark.parametrize("end", some(["accused", "left", "left by another"], 2))
def test_long_shares_of_a_deal_that_is_over_come_to_nothing(end: str) -> None:
    """Whoever ended it, and wherever they wait."""
    rig, guests, table, shares = drawing()
    ann, ben, cat, dan = guests
    rig.give(cat, do_until(rig, guests, table, Kind.SHARES, cat))
    first = rig.works.pop()
    rig.give(ann, shares)
    if end == "accused":
        entry = dan.game.transcript.entry(dan.seat, Kind.ACCUSE, 1, b"")
        rig.give(dan, dan.game.transcript.signed(entry, dan.party.keys[dan.seat]))
    else:
        rig.ask(ann if end == "left" else ben, messages.Leave, table)
    rig.work(first)
    rig.run()
    assert not rig.table(table).model.is_playing
    assert blamed(cat) == ([PartMissed(dan.seat, 1)] if end == "accused" else [])
    rig.check_told([cat])


@pytest.mark.parametrize("deal", [1, 2], ids=["in the draw", "in a hand"])
def test_card_that_is_none_is_not_let_through(deal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All players conspire: one shuffles in what is no card, none accuses, and they share it and play it. The server
    looks at no shuffle on its loop, meets no error, and the players have only themselves to wait for."""
    rig, guests, table = seated("put-1674", "kk", target=3)
    for guest in guests:
        monkeypatch.setattr(guest, "due", partial(careless_due, guest))
        monkeypatch.setattr(guest, "_read", lambda _: None)
    monkeypatch.setattr("put_server.table.blind_deals._accuse", holds.cache_clear)
    checked: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr("put_protocol.blind.deal.check", lambda *shuffle: checked.append(shuffle))
        refused = play_spoilt(rig, guests, table, deal)
    assert refused == "this entry cannot be taken: what lies at a place is no card of the pack"
    assert not checked


def careless_due(guest: Any) -> list[bytes]:
    """Parts of a client that checks no shuffle."""
    if guest.party is None or guest.game is None:
        return []
    due: list[bytes] = guest.party.due(careless(guest.game))
    return due


def play_spoilt(rig: BlindLobby, guests: list[Any], table: int, deal: int) -> str:
    """Ann spoils this deal, and everybody goes on as if nothing were; returns the first refusal."""
    while not any(guest.refused for guest in guests):
        for guest in guests:
            for part in guest.due():
                entry = Entry.parse(part)
                is_spoilt = entry.kind is Kind.SHUFFLE and (entry.deal, entry.author) == (deal, Seat(0))
                give(rig, guest, table, spoilt(guest, entry) if is_spoilt else part)
            if guest.decision is not None:
                decision, guest.decision = guest.decision, None
                action = decision.legal[0].action
                rig.ask(guest, messages.Act, table, decision.decision, action, entry=guest.entry_of(action))
    (refused,) = [str(guest.refused[0].says) for guest in guests if guest.refused]
    return refused


def spoilt(guest: Any, entry: Entry) -> bytes:
    """A shuffle with what is no card at each place."""
    places = len(FULL_PACK) * PLACE_BYTES
    body = b"".join([base(1000 + number).encoded for number in range(2 * len(FULL_PACK))]) + entry.body[places:]
    signed: bytes = guest.game.transcript.signed(replace(entry, body=body), guest.party.keys[entry.author])
    return signed
