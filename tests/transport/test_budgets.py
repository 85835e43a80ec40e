"""Budgets: what peers make the server do, who has to wait for it, and who never does."""

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.refusals import RefusalCode
from put_server.transport import budgets
from put_server.transport.admission import NEWCOMERS_AT_ONCE, NetworkUse
from put_server.transport.budgets import READ_NS, Allowance, Budgets
from put_server.transport.http import HttpConnection
from put_server.transport.http_page import HttpPage
from put_server.transport.interfaces import Peer as Payer
from put_server.transport.rate_limit import FIRST_DELAY_MS, FREE_GUESSES, LONGEST_DELAY_MS, Account, Guesses
from put_server.transport.reception import AT_ONCE
from put_server.transport.session import TURN_NS, TURN_STEPS
from put_server.transport.web_pages import Hosts, WebPages
from put_server.transport.websocket import WebSocketConnection
from put_text.plain.plain_connection import PlainConnection
from tests.lobby.lobby_harness import new_lobby
from tests.transport.dispatcher_harness import (
    CODECS,
    DispatcherHarness,
    ManualJournal,
    Peer,
    TypingPeer,
    asked,
)


def come(harness: DispatcherHarness, address: str, codec: Codec = FRAMES) -> Peer:
    """Somebody connects from an address that has quotas."""
    return Peer(harness, codec, harness.caller(address))


def guest(harness: DispatcherHarness, address: str, name: str) -> Peer:
    peer = come(harness, address)
    peer.hello(name)
    return peer


def sitting(table: int) -> Callable[[int], messages.Sit]:
    return lambda number: messages.Sit(number, table)


def payer(*places: NetworkUse) -> Payer:
    """Somebody who connects from there; from nowhere: they are exempt."""
    return cast(Payer, SimpleNamespace(standing=Allowance(0), caller=SimpleNamespace(places=places)))


class Kept:
    """Budgets, their time, the processor's, and what other programs had of it."""

    def __init__(self) -> None:
        self.now = 0
        self.worked = self.others = self.readings = 0
        self.budgets = Budgets(lambda: self.now, self._read, lambda: self.worked + self.others)

    def _read(self) -> int:
        self.readings += 1
        return self.worked


# --- accounts ---


def test_debt_is_paid_by_time_alone() -> None:
    """At a rate, down to nothing and no further."""
    account = Account(0, rate=1_000, credit=300)
    account.charge(0, 500.0)
    assert account.is_over(100)
    assert account.settle(100) == 400.0
    assert account.settle(100) == 400.0
    assert not account.is_over(200)
    assert account.settle(9_999) == 0.0


def test_work_is_charged_by_the_time_it_takes_and_work_within_it_to_those_it_is_for() -> None:
    """Once, in equal parts, an error or not; and those it was for before are those it is for again."""
    kept = Kept()
    ann, ben, cat = [payer(NetworkUse(0)) for _ in range(3)]
    told = []
    with suppress(ZeroDivisionError), kept.budgets.work((ann,), cost=5.0):
        kept.worked += 100_000
        with kept.budgets.work((ben, cat)):
            told.append(kept.budgets.payers)
            kept.worked += 40_000
        told.append(kept.budgets.payers)
        kept.worked += 7_000
        raise ZeroDivisionError
    assert [*told, kept.budgets.payers] == [(ben, cat), (ann,), ()]
    assert [who.standing.account.debt for who in (ann, ben, cat)] == [112.0, 20.0, 20.0]
    assert ann.caller.places[0].account.debt == 112.0


def test_work_costs_no_more_where_other_programs_run() -> None:
    """What they have of the processor is not charged, except for less than the time between two readings."""
    kept = Kept()
    ann, ben, cid = [payer(NetworkUse(0)) for _ in range(3)]
    for who, worked, others in ((ann, READ_NS, 0), (ben, READ_NS, 50 * READ_NS), (cid, 1_000, 50 * READ_NS)):
        kept.worked += 20 * READ_NS  # of nobody
        with kept.budgets.work((who,)):
            kept.worked += worked
            kept.others += others
    assert [who.standing.account.debt for who in (ann, ben, cid)] == [READ_NS / 1_000, READ_NS / 1_000, 1.0]


def test_processor_time_is_read_once_in_a_while() -> None:
    """Not for each move: between two readings the time that passes is charged."""
    kept = Kept()
    ann = payer(NetworkUse(0))
    for _ in range(100):
        with kept.budgets.work((ann,)):
            kept.worked += READ_NS // 10
    assert kept.readings == 10
    assert ann.standing.account.debt == 100 * READ_NS / 10_000


def test_who_owes_more_than_their_credit_waits_and_nobody_else_does() -> None:
    """Neither somebody at another address, nor anybody once it is paid; and who is exempt never."""
    kept = Kept()
    ann, ben, exempt = payer(NetworkUse(0)), payer(NetworkUse(0)), payer()
    kept.budgets.charge((ann, exempt), 2 * (budgets.PERSON_CREDIT + 1_000), is_play=True)
    assert [kept.budgets.must_wait(who, is_play=True) for who in (ann, ben, exempt)] == [True, False, False]
    kept.now += 6_000
    assert not kept.budgets.must_wait(ann)


def test_network_of_many_addresses_has_a_part_of_its_own() -> None:
    """However many people and addresses of it ask, beyond its credit all of them wait."""
    kept = Kept()
    around = NetworkUse(0, share=4)
    while not around.account.is_over(0):
        kept.budgets.charge((payer(NetworkUse(0), around),), budgets.PERSON_CREDIT, is_play=True)
    assert kept.budgets.must_wait(payer(NetworkUse(0), around), is_play=True)
    assert not kept.budgets.must_wait(payer(NetworkUse(0), NetworkUse(0, share=4)), is_play=True)


def test_while_all_owe_too_much_all_but_play_waits() -> None:
    """Also for who owes nothing; and when the total is paid nobody waits."""
    kept = Kept()
    for _ in range(2):
        kept.budgets.charge((payer(NetworkUse(0)),), budgets.TOTAL_CREDIT)
    ann = payer(NetworkUse(0))
    assert kept.budgets.must_wait(ann)
    assert not kept.budgets.must_wait(ann, is_play=True)
    kept.now += 100
    assert not kept.budgets.must_wait(ann)


def test_newcomer_waits_for_a_moment_whatever_was_done_for_others_at_once() -> None:
    """Handshakes that no peer waited with, and news that went to crowds: a minute of the part for all."""
    kept = Kept()
    ann = payer(NetworkUse(0))
    for _ in range(4_000):
        kept.budgets.charge_arrival(payer(NetworkUse(0)), budgets.HANDSHAKE_COST)
    assert not kept.budgets.must_wait(ann)
    for _ in range(4_000):
        kept.budgets.charge((payer(NetworkUse(0)),), 2_000.0)
    waited = 0
    while kept.budgets.must_wait(ann):
        kept.now += 1
        waited += 1
        kept.budgets.charge_arrival(payer(NetworkUse(0)), budgets.HANDSHAKE_COST)
    assert 300 < waited < 800


def test_however_many_owe_together_their_part_of_the_time_is_bounded() -> None:
    """A thousand people at a thousand addresses who ask without end get what is meant for all, and no more."""
    kept = Kept()
    crowd = [payer(NetworkUse(0)) for _ in range(1_000)]
    work = 0.0
    for kept.now in range(0, 10_000, 25):
        for one in crowd:
            if not kept.budgets.must_wait(one):
                kept.budgets.charge((one,), 500.0)
                work += 500.0
    assert work <= budgets.TOTAL_CREDIT + 500.0 + 10 * budgets.TOTAL_RATE


def test_newcomer_is_served_while_a_crowd_asks_without_end() -> None:
    """Who owes nothing, from an address that owes nothing, is the next."""
    harness = DispatcherHarness(lobby=new_lobby(people=500))
    crowd = []
    for place in range(100):
        crowd.append(guest(harness, f"192.0.{place}.1", f"Guest {place}"))
        harness.now += 10
    harness.step = 200_000
    for peer in crowd:
        peer.send(*(messages.Look(number) for number in range(1, 40)))
    assert not all(peer.told(messages.Ok) for peer in crowd)
    ann = come(harness, "198.51.100.1")
    ann.send(messages.Hello(2, "Ann"))
    for _ in range(120):
        harness.now += 10
        harness.dispatcher.resume()
    assert ann.told(messages.Welcome)
    assert sum(len(peer.told(messages.Ok)) for peer in crowd) < 100 * 39


def test_turn_is_next_of_those_for_whom_least_was_done_of_late() -> None:
    """And not of who owes least: what an origin owes is paid in a moment."""
    harness = DispatcherHarness(lobby=new_lobby(people=500))

    def crowd(name: str) -> list[Peer]:
        peers = [come(harness, f"192.0.{place}.1") for place in range(40)]
        for place, peer in enumerate(peers):
            peer.send(messages.Hello(2, f"{name} {place}"))
        return peers

    def served(peer: Peer) -> None:
        for _ in range(1_000):
            harness.now += 10
            harness.dispatcher.resume()
            if peer.told(messages.Welcome):
                return

    harness.step = 20_000_000
    for peer in crowd("Guest"):
        served(peer)
    others = crowd("Another")
    ann = come(harness, "198.51.100.1")
    ann.send(messages.Hello(2, "Ann"))
    served(ann)
    assert sum(bool(peer.told(messages.Welcome)) for peer in others) <= 1


def test_turn_is_not_of_a_crowd_however_little_is_done_for_each_of_it() -> None:
    """Of 250 origins that share what all may have, a millisecond a second each, none goes before a newcomer for whom
    three were done just now; and what came to nothing is soon forgotten."""
    kept = Kept()
    crowd = [payer(NetworkUse(0)) for _ in range(250)]
    for kept.now in range(0, 30_000, 1_000):
        for one in crowd:
            kept.budgets.note_turn(one, budgets.TOTAL_RATE / len(crowd))
    ann = NetworkUse(kept.now)
    kept.budgets.note_turn(payer(ann), 3_000.0)
    assert kept.budgets.recent(payer(ann)) < min(map(kept.budgets.recent, crowd))
    stranger = NetworkUse(kept.now)
    kept.budgets.note_turn(payer(stranger), budgets.CONNECTION_COST)
    assert not stranger.is_idle(kept.now)
    assert stranger.is_idle(kept.now + 3_000)


def test_crowd_that_waits_is_not_looked_at_without_room_and_the_look_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """To put two thousand in order takes milliseconds, a hundred times a second: that, too, is within what all have."""
    harness = DispatcherHarness(lobby=new_lobby(people=500))
    crowd = [guest(harness, f"192.0.{place}.1", f"Guest {place}") for place in range(100)]
    dispatcher = harness.dispatcher
    dispatcher.budgets.charge_total(budgets.TOTAL_MOST)
    for peer in crowd:
        peer.send(messages.Look(1))
    looks: list[Payer] = []
    recent = dispatcher.budgets.recent

    def look(peer: Payer) -> float:
        looks.append(peer)
        return recent(peer)

    monkeypatch.setattr(dispatcher.budgets, "recent", look)
    for _ in range(30):
        harness.now += 10
        dispatcher.resume()
    assert looks == []
    harness.step = 3_000_000  # of each look at the processor's time, so of putting them in order, too
    sweeps = 0
    for _ in range(100):
        had = len(looks)
        harness.now += 10
        dispatcher.resume()
        sweeps += len(looks) > had
    assert 0 < sweeps * 3_000 < budgets.TOTAL_RATE
    harness.step = 0
    for _ in range(500):
        harness.now += 10
        dispatcher.resume()
    assert all(peer.told(messages.Ok) for peer in crowd)


def test_budgets_are_kept_only_of_people_who_are_known() -> None:
    """The server's memory does not grow with all who ever came."""
    kept = Kept().budgets
    standings = [kept.of(person) for person in (1, 2, 3)]  # type: ignore[arg-type]  # a number is a number
    kept.keep([2])  # type: ignore[list-item]
    assert kept.of(2) is standings[1]  # type: ignore[arg-type]
    assert kept.of(1) is not standings[0]  # type: ignore[arg-type]


# --- sessions ---


def test_who_asks_too_much_is_read_no_further_until_it_is_paid() -> None:
    """Nothing is lost or refused: it waits, and is answered when it is paid for; others are served meanwhile."""
    harness = DispatcherHarness()
    ann, ben = guest(harness, "198.51.100.1", "Ann"), guest(harness, "203.0.113.2", "Ben")
    harness.step = 15_000_000
    ann.send(*(messages.LookAway(ann.number()) for _ in range(40)))
    harness.step = 0
    assert ann.transport.is_paused
    assert 0 < len(ann.told(messages.Ok)) < 40
    harness.now += 200  # for what all owe
    assert isinstance(ben.ask(messages.LookAway), messages.Ok)
    assert not ben.transport.is_paused
    for _ in range(600):
        harness.tick(100)
    assert len(ann.told(messages.Ok)) == 40
    assert not ann.transport.is_paused


def test_moves_never_wait_for_what_others_owe() -> None:
    """A player plays on whatever they owe together."""
    harness = DispatcherHarness()
    players = [guest(harness, f"192.0.2.{place}", f"Player {place}") for place in range(2)]
    players[0].ask(lambda n: messages.OpenTable(n, "put-1674"))
    for player in players:
        player.ask(lambda n: messages.Sit(n, 1))
        player.receive()
    harness.step = 100_000
    attackers = [TypingPeer(harness, harness.caller(f"198.51.100.{place}")) for place in range(4)]
    for attacker in attackers * 50:
        if not attacker.transport.is_paused:
            attacker.feed(b"\xff\xf1" * 128)
    assert all(attacker.transport.is_paused for attacker in attackers)
    harness.step = 50_000
    for _ in range(30):
        mover, decision = asked(players)
        assert isinstance(mover.act(decision), messages.Ok)
        assert not mover.transport.is_paused


def test_moves_are_charged_and_wait_where_one_person_plays_for_many() -> None:
    """What exceeds the part of one person is read more slowly; nothing is lost; their adversary plays on."""
    harness = DispatcherHarness()
    players = [guest(harness, f"192.0.{place}.7", f"Player {place}") for place in range(2)]
    players[0].ask(lambda n: messages.OpenTable(n, "put-1674", options={"target": 10}))
    for player in players:
        player.ask(lambda n: messages.Sit(n, 1))
        player.receive()
    harness.step = 40_000_000
    mover, decision = asked(players)
    for _ in range(60):
        if mover.transport.is_paused:
            break
        mover.send(messages.Act(mover.number(), 1, decision.decision, decision.legal[0].action))
        mover, decision = asked(players)
    assert mover.transport.is_paused
    harness.step = 0
    harness.tick(10_000)
    assert not any(player.transport.is_paused for player in players)


@pytest.mark.parametrize("data", [b"\n" * 256, b"\xff\xf1" * 128, b" " * 256, b"\xff\xfb\x01" * 85])
def test_bytes_that_come_to_nothing_are_charged(data: bytes) -> None:
    """Empty lines, commands of telnet and spaces, which no rate limit counts."""
    harness = DispatcherHarness()
    harness.step = 20_000
    attacker = TypingPeer(harness, harness.caller("198.51.100.1"))
    for _ in range(500):
        if attacker.transport.is_paused or attacker.transport.is_closed:
            break
        attacker.feed(data)
    assert attacker.transport.is_paused or attacker.transport.is_closed


def test_newcomer_is_let_in_while_people_send_bytes_that_come_to_nothing() -> None:
    """Twenty at twenty addresses, each of whom pays for all that is done for them, and who together take all the time
    there is: they wait for each other, and a newcomer for none of them."""
    harness = DispatcherHarness()
    crowd = [come(harness, f"192.0.{place}.1", LINES) for place in range(20)]
    for place, peer in enumerate(crowd):
        peer.hello(f"Guest {place}")

    def time_passes(milliseconds: int) -> None:
        end = harness.now + milliseconds
        while harness.now < end:
            begun = harness._worked
            for peer in crowd:
                if not peer.transport.is_paused:
                    peer.feed(b"\n" * 4_000)
            harness.now += max(1, (harness._worked - begun) // 1_000_000)
            harness.dispatcher.resume()

    harness.step = 20_000
    time_passes(300)
    ann = come(harness, "198.51.100.1")
    ann.send(messages.Hello(2, "Ann"))
    time_passes(600)
    assert not any(peer.transport.is_closed for peer in crowd)
    assert ann.told(messages.Welcome)


def test_who_is_exempt_is_never_read_more_slowly() -> None:
    """Their rate limit holds all the same."""
    harness = DispatcherHarness()
    harness.step = 1_000_000
    typist = harness.typist("name Ann")
    for _ in range(500):
        typist.feed(b"\xff\xf1" * 100)
    assert not typist.transport.is_paused


def test_reconnecting_pays_nothing() -> None:
    """The rate limit and what is owed are the person's, on whichever connection."""
    harness = DispatcherHarness()
    ann = guest(harness, "198.51.100.1", "Ann")
    for _ in range(60):
        assert isinstance(ann.ask(messages.LookAway), messages.Ok)
    back = come(harness, "198.51.100.9")
    back.resume(ann)
    answer = back.ask(messages.LookAway)
    assert isinstance(answer, messages.Refused)
    assert answer.code == RefusalCode.TOO_FAST


# --- what is done later ---


def test_what_is_done_behind_a_commit_is_charged_to_who_asked() -> None:
    """Though their connection may be gone by then."""
    journal = ManualJournal()
    harness = DispatcherHarness(journal=journal)
    ann = guest(harness, "198.51.100.1", "Ann")
    journal.is_open = False
    ann.send(messages.OpenTable(1, "put-1674"))
    account = ann.session.caller.places[0].account
    ann.drop()
    before = account.debt
    harness.step = 500_000
    journal.commit()
    assert account.debt >= before + 500.0


def test_writes_to_a_crowd_are_charged_to_who_is_heard() -> None:
    """Each of them, though they are written later."""
    soon: list[Callable[[], None]] = []
    harness = DispatcherHarness(lobby=new_lobby(people=500), call_soon=soon.append)
    crowd = [harness.guest(f"Guest {place}") for place in range(AT_ONCE + 5)]
    ann = guest(harness, "198.51.100.1", "Ann")
    ann.ask(lambda n: messages.OpenTable(n, "put-1674"))
    for peer in crowd:
        peer.ask(lambda n: messages.Watch(n, 1))
    ann.ask(lambda n: messages.Watch(n, 1))
    while soon:
        soon.pop(0)()
    before = ann.session.caller.places[0].account.debt
    harness.step = 10_000
    ann.send(messages.Say(9, 1, "Good evening"))
    assert soon
    while soon:
        soon.pop(0)()
    assert ann.session.caller.places[0].account.debt >= before + 10.0 * AT_ONCE


# --- house players ---


def test_house_players_of_an_address_wait_when_too_much_was_done_for_it() -> None:
    """At all of its tables, and at nobody else's; who plays them is not read more slowly."""
    harness = DispatcherHarness()
    dispatcher = harness.dispatcher
    ann, ben = guest(harness, "198.51.100.1", "Ann"), guest(harness, "203.0.113.2", "Ben")
    for peer, tables in ((ann, (1, 2)), (ben, (3,))):
        for table in tables:
            peer.ask(lambda n: messages.OpenTable(n, "put-1674"))
            peer.ask(sitting(table))
    harness.step = 20_000_000
    while not dispatcher.house_wait(1):
        with dispatcher.house_work(1, "sharp"):
            pass
    harness.step = 0
    assert dispatcher.house_wait(2) == dispatcher.house_wait(1) <= 20_000 / budgets.HOUSE_RATE
    assert not dispatcher.house_wait(3)
    assert not ann.transport.is_paused
    assert ann.session.standing.account.debt < 1_000
    harness.now += 200
    assert not dispatcher.house_wait(2)


def test_house_player_is_charged_for_as_if_its_choices_took_equally_long() -> None:
    """Else the time of its next answer would tell how long it thought about this one."""
    harness = DispatcherHarness()
    ann = guest(harness, "198.51.100.1", "Ann")
    ann.ask(lambda n: messages.OpenTable(n, "put-1674"))
    ann.ask(lambda n: messages.Sit(n, 1))
    account = ann.session.caller.places[0].house
    charged = []
    for step in [10_000_000] * 40 + [30_000_000]:
        harness.step = step
        before = account.debt
        with harness.dispatcher.house_work(1, "sharp"):
            pass
        charged.append(account.debt - before)
    assert charged[-2] == pytest.approx(10_000)
    assert charged[-1] == pytest.approx(10_000 + 20_000 / 32)


def test_house_that_plays_alone_is_charged_to_a_spectator() -> None:
    """One of them asked for the game; and where nobody has quotas, nobody waits."""
    harness = DispatcherHarness()
    ann = guest(harness, "198.51.100.1", "Ann")
    exempt = harness.guest("Ben")
    for peer in (ann, exempt):
        assert isinstance(peer.ask(lambda n: messages.OpenTable(n, "put-1674")), messages.Ok)
    ann.ask(lambda n: messages.Watch(n, 1))
    exempt.ask(lambda n: messages.Sit(n, 2))
    harness.step = 300_000_000
    for table in (1, 2):
        with harness.dispatcher.house_work(table, "sharp"):
            pass
    assert harness.dispatcher.house_wait(1) > 0
    assert harness.dispatcher.house_wait(2) == 0


# --- turns ---


@pytest.fixture(autouse=True)
def _http_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTP answers at once, without a thread."""
    monkeypatch.setattr(
        "put_server.transport.session.load_http",
        lambda pages, _, caller, then: then(HttpConnection(pages, caller)),
    )


class Browser(Peer):
    """A peer that speaks HTTP."""

    def __init__(self, harness: DispatcherHarness) -> None:
        super().__init__(harness)
        web = WebPages({}, hosts=Hosts())
        web.answer = lambda *_: HttpPage(200, b"x", is_kept=True)  # type: ignore[method-assign]
        self.session._web = web

    @property
    def answers(self) -> int:
        return b"".join(self.transport.written).count(b"HTTP/1.1 200")


def _flood(harness: DispatcherHarness, kind: str) -> Callable[[], int]:
    """Somebody sends a hundred requests in one go. Returns what tells how many were answered."""
    if kind == "HTTP":
        browser = Browser(harness)
        browser.feed(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        return lambda: browser.answers
    if kind == "typed":
        typist = harness.typist("name Ann")
        typist.hears()
        typist.feed(b"who\nx\n" * 50)
        return lambda: len(typist.said)
    peer = harness.guest("Ann", LINES if kind == "lines" else FRAMES)
    if kind == "WebSocket":
        socket = WebSocketConnection(0)
        peer.session._framed = peer.session._connection = peer.session._socket = socket
        peer.session._framed.has_hello = True
        peer.session.codec = peer.session._framed.codec
        head = b"\x81\xa0\0\0\0\0"
        pieces = [f'{{"type":"look_away","id":{number}}}'.ljust(32).encode() for number in range(100, 200)]
        peer.feed(b"".join(head + piece for piece in pieces))
        return lambda: b"".join(peer.transport.written).count(b'","id":1')
    peer.send(*(messages.LookAway(peer.number()) for _ in range(100)))
    return lambda: len(peer.told(messages.Ok)) + len(peer.told(messages.Refused))


@pytest.mark.parametrize("kind", ["frames", "lines", "typed", "HTTP", "WebSocket"])
def test_connection_has_a_bounded_piece_of_a_turn_and_others_are_heard_between(kind: str) -> None:
    """However many requests come in one read: after a few the next connection is served."""
    soon: list[Callable[[], None]] = []
    harness = DispatcherHarness(call_soon=soon.append)
    ben = harness.guest("Ben")
    done = _flood(harness, kind)
    counts = [done()]
    while soon:
        (turn,) = soon
        soon.clear()
        assert isinstance(ben.ask(messages.LookAway), messages.Ok | messages.Refused)
        turn()
        counts.append(done())
    pieces = [after - before for before, after in pairwise([0, *counts])]
    assert sum(pieces) >= 90
    assert max(pieces) <= TURN_STEPS + 8
    assert len(pieces) >= 6


def test_turn_ends_when_it_has_taken_long_enough() -> None:
    """Behind the request with which it did."""
    soon: list[Callable[[], None]] = []
    harness = DispatcherHarness(call_soon=soon.append)
    ann = harness.guest("Ann")
    harness.step = TURN_NS
    ann.send(*(messages.LookAway(ann.number()) for _ in range(7)))
    turns = 0
    while soon:
        soon.pop(0)()
        turns += 1
    assert len(ann.told(messages.Ok)) == 7
    assert turns == 2


def test_connections_with_more_have_their_turns_one_after_another() -> None:
    """Each has one before any has its second."""
    soon: list[Callable[[], None]] = []
    harness = DispatcherHarness(call_soon=soon.append)
    guests = [harness.guest(f"Guest {place}") for place in range(3)]
    for peer in guests:
        peer.send(*(messages.LookAway(peer.number()) for _ in range(50)))
    for _ in range(2):
        for place, peer in enumerate(guests):
            before = [len(one.told(messages.Ok)) for one in guests]
            soon.pop(0)()
            after = [len(one.told(messages.Ok)) for one in guests]
            assert [b != a for b, a in zip(before, after, strict=True)] == [place == n for n in range(3)], peer


# --- newcomers ---


def test_newcomers_of_one_address_are_limited_and_no_others() -> None:
    """Beyond a club's worth in a minute they are told to wait; who has a token, and everyone elsewhere, gets in."""
    harness = DispatcherHarness(lobby=new_lobby(people=500))
    crowd = []
    for place in range(NEWCOMERS_AT_ONCE):
        peer = guest(harness, "198.51.100.1", f"Guest {place}")
        crowd.append(peer)
        harness.now += 10  # what it costs is paid
        if place:
            peer.drop()
    late = come(harness, "198.51.100.1")
    late.send(messages.Hello(2, "Late"))
    assert late.goodbye.refusal == RefusalCode.TOO_FAST
    crowd[0].drop()
    back = come(harness, "198.51.100.1")
    back.resume(crowd[0])
    assert back.told(messages.Welcome)
    assert guest(harness, "198.51.100.2", "Elsewhere").told(messages.Welcome)
    harness.tick(1_000)
    assert guest(harness, "198.51.100.1", "Patient").told(messages.Welcome)


def test_sentences_are_paid_by_who_reads_them_and_made_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spectator who types costs more than a move does: many of them stop neither a player nor other peers."""
    soon: list[Callable[[], None]] = []
    harness = DispatcherHarness(lobby=new_lobby(people=500), call_soon=soon.append)
    players = [guest(harness, "198.51.100.1", name) for name in ("Ann", "Ben")]
    players[0].send(messages.OpenTable(1, "put-1674"))
    for number, player in enumerate(players, 2):
        player.send(messages.Sit(number, 1))
    typists = [TypingPeer(harness, harness.caller(f"203.0.113.{number}")) for number in range(AT_ONCE + 6)]
    for number, typist in enumerate(typists):
        typist.type(f"name Guest {number}", "watch 1")
    while soon:
        soon.pop(0)()
    said, send = set[PlainConnection](), PlainConnection.send

    def slow(plain: PlainConnection, message: messages.ServerMessage, now: int) -> None:
        said.add(plain)
        harness._worked += 20_000_000
        send(plain, message, now)

    monkeypatch.setattr(PlainConnection, "send", slow)
    for typist in typists:
        typist.hears()
    harness.now += 60_000
    player, decision = asked(players)
    before = player.session.standing.account.settle(harness.now)
    player.send(messages.Act(player.number(), 1, decision.decision, decision.legal[0].action))
    assert len(said) == AT_ONCE
    while soon:
        soon.pop(0)()
    assert all(typist.hears() for typist in typists)
    assert player.session.standing.account.debt - before < 20_000
    assert all(typist.session.standing.account.debt + typist.session.standing.played >= 20_000 for typist in typists)


# --- guesses ---


def test_guesses_wait_longer_and_longer() -> None:
    """A few mistakes are free; then each doubles the delay, up to a minute; a quarter of an hour forgives them."""
    guesses = Guesses()
    waits = []
    for _ in range(FREE_GUESSES + 10):
        waits.append(guesses.wait("here", 0))
        guesses.note("here", 0)
    assert waits[: FREE_GUESSES + 3] == [*([0] * FREE_GUESSES), FIRST_DELAY_MS, 2 * FIRST_DELAY_MS, 4 * FIRST_DELAY_MS]
    assert waits[-1] == LONGEST_DELAY_MS
    assert guesses.wait("there", 0) == 0
    guesses.note("here", 20 * 60_000)
    assert guesses.wait("here", 20 * 60_000) == 0


def test_network_guesses_as_four_addresses() -> None:
    """Wrong passwords from a /24 are free four times as often as from one address of it, whichever of it they are
    from; then the next from there waits, and none from elsewhere."""
    harness = DispatcherHarness(password="sesame")
    for number in range(4 * FREE_GUESSES):
        guesser = come(harness, f"198.51.100.{number}")
        guesser.send(messages.Hello(2, "Guesser", password="wrong"))
        assert guesser.goodbye.refusal == RefusalCode.WRONG_PASSWORD
    near, far = come(harness, "198.51.100.200"), come(harness, "198.51.101.1")
    for peer, name in ((near, "Near"), (far, "Far")):
        peer.send(messages.Hello(2, name, password="sesame"))
    assert not near.receive()
    assert far.told(messages.Welcome)
    harness.tick(FIRST_DELAY_MS // 4)
    assert near.told(messages.Welcome)


@pytest.mark.parametrize("password", ["wrong again", "sesame"])
@pytest.mark.parametrize("address", ["198.51.100.1", ""])
def test_password_after_guesses_is_not_looked_at_at_once(password: str, address: str) -> None:
    """Be it right or wrong, and also from who is exempt; meanwhile others come in as ever."""
    harness = DispatcherHarness(password="sesame")
    for _ in range(FREE_GUESSES):
        guesser = come(harness, address)
        guesser.send(messages.Hello(2, "Guesser", password="wrong"))
        assert guesser.goodbye.refusal == RefusalCode.WRONG_PASSWORD
    last = come(harness, address)
    last.send(messages.Hello(2, "Guesser", password=password))
    assert not last.receive()
    assert last.transport.is_paused
    ben = come(harness, "198.51.100.2")
    ben.send(messages.Hello(2, "Ben", password="sesame"))
    assert ben.told(messages.Welcome)
    harness.tick(FIRST_DELAY_MS - 1)
    assert not last.receive()
    harness.tick(1)
    if password == "sesame":
        assert last.told(messages.Welcome)
        assert not last.transport.is_paused
    else:
        assert last.goodbye.refusal == RefusalCode.WRONG_PASSWORD


def test_guesses_at_one_address_do_not_keep_out_who_has_a_token_there() -> None:
    """They come back at once, as the address may be that of many."""
    harness = DispatcherHarness(password="sesame")
    ann = come(harness, "198.51.100.1")
    ann.hello("Ann", password="sesame")
    ann.drop()
    for _ in range(FREE_GUESSES + 2):
        come(harness, "198.51.100.1").send(messages.Hello(2, "", token="a guess", password="sesame"))
    back = come(harness, "198.51.100.1")
    back.resume(ann, password="sesame")
    assert back.told(messages.Welcome)


@pytest.mark.parametrize("codec", CODECS)
def test_waiting_for_a_guess_takes_nothing_that_was_said_behind_it(codec: Codec) -> None:
    """What a program asks with its hello is answered after the welcome, however long that takes."""
    harness = DispatcherHarness(password="sesame")
    for _ in range(FREE_GUESSES):
        come(harness, "198.51.100.1").send(messages.Hello(2, "Guesser", password="wrong"))
    ann = come(harness, "198.51.100.1", codec)
    ann.send(messages.Hello(2, "Ann", password="sesame"), messages.LookAway(1))
    assert not ann.receive()
    harness.tick(FIRST_DELAY_MS)
    assert [type(message) for message in ann.receive()] == [messages.Welcome, messages.Ok]
