"""Budgets: what peers make the server do, who has to wait for it, and who never does."""

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES, Codec
from put_protocol.refusals import RefusalCode
from put_server.table.effects import Tell
from put_server.transport import budgets
from put_server.transport.admission import NEWCOMERS_AT_ONCE
from put_server.transport.budgets import Account, Budgets, Standing, cost_of
from put_server.transport.guesses import FIRST_MS, FREE, LONGEST_MS, Guesses
from tests.lobby.lobby_harness import new_lobby
from tests.transport.dispatcher_harness import CODECS, DispatcherHarness, Peer, TypingPeer, asked


def come(harness: DispatcherHarness, address: str, codec: Codec = FRAMES) -> Peer:
    """Somebody connects from an address that has quotas."""
    return Peer(harness, codec, harness.caller(address))


def guest(harness: DispatcherHarness, address: str, name: str) -> Peer:
    peer = come(harness, address)
    peer.hello(name)
    return peer


# --- accounts ---


def test_debt_is_paid_by_time_alone() -> None:
    """At a rate, down to nothing and no further; more slowly while all together owe too much."""
    account = Account(0, rate=1_000)
    account.debt = 500.0
    assert account.settle(100) == 400.0
    assert account.settle(100) == 400.0
    assert account.settle(1_100, pace=0.1) == 300.0
    assert account.settle(9_999) == 0.0


def test_who_owes_more_than_their_credit_waits_and_nobody_else_does() -> None:
    """Neither somebody at another address, nor anybody once it is paid."""
    kept = Budgets(0)
    here, there = Account(0, budgets.ORIGIN_RATE), Account(0, budgets.ORIGIN_RATE)
    ann, ben = Standing(0), Standing(0)
    kept.charge(0, budgets.PERSON_CREDIT + 1_000, ann, here)
    later = 10_000
    kept.charge(later, budgets.PERSON_CREDIT + 1_000, ann, here)
    assert kept.must_wait(later, ann, here)
    assert not kept.must_wait(later, ben, there)
    assert not kept.must_wait(later + 6_000, ann, here)


def test_while_all_owe_too_much_who_owes_a_trifle_is_served() -> None:
    """But for what is heavy everybody waits; and when the total is paid nobody does."""
    kept = Budgets(0)
    crowd = Account(0, budgets.ORIGIN_RATE)
    for _ in range(20):
        kept.charge(0, budgets.TRIFLE + 500, Standing(0), crowd)
    ann, alone = Standing(0), Account(0, budgets.ORIGIN_RATE)
    kept.charge(0, budgets.REQUEST_COST, ann, alone)
    assert not kept.must_wait(0, ann, alone)
    assert kept.must_wait(0, ann, alone, for_heavy=True)
    assert kept.must_wait(0, Standing(0), crowd)
    kept.let_heavy(1)
    assert [kept.must_wait(0, ann, alone, for_heavy=True) for _ in range(3)] == [False, True, True]
    assert not kept.must_wait(1_000, ann, alone, for_heavy=True)


def test_however_many_owe_together_their_part_of_the_time_is_bounded() -> None:
    """A thousand people at a thousand addresses who ask without end get what is meant for all, and no more: what they
    are let do in ten seconds beyond their first trifles is what is paid in that time."""
    kept = Budgets(0)
    crowd = [(Standing(0), Account(0, budgets.ORIGIN_RATE)) for _ in range(1_000)]
    work = 0.0
    for now in range(0, 10_000, 25):
        for standing, origin in crowd:
            if not kept.must_wait(now, standing, origin):
                kept.charge(now, 500.0, standing, origin)
                work += 500.0
    assert work <= 1_000 * (budgets.TRIFLE + 500.0) + 10 * budgets.TOTAL_RATE


def test_newcomer_is_served_while_a_crowd_asks_without_end() -> None:
    """Who owes nothing, from an address that owes nothing, is the next."""
    harness = DispatcherHarness(lobby=new_lobby(people=500))
    crowd = [come(harness, f"192.0.2.{place}") for place in range(100)]
    for place, peer in enumerate(crowd):
        peer.send(messages.Hello(2, f"Guest {place}"), *(messages.Look(number) for number in range(1, 40)))
    ann = come(harness, "198.51.100.1")
    ann.send(messages.Hello(2, "Ann"), messages.Look(1))
    for _ in range(3):
        harness.now += 10
        harness.dispatcher.resume()
    assert [type(message) for message in ann.receive()][:1] == [messages.Welcome]


def test_budgets_are_kept_only_of_people_who_are_known() -> None:
    """The server's memory does not grow with all who ever came."""
    kept = Budgets(0)
    standings = [kept.of(person, 0) for person in (1, 2, 3)]  # type: ignore[arg-type]  # a number is a number
    kept.keep([2])  # type: ignore[list-item]
    assert kept.of(2, 0) is standings[1]  # type: ignore[arg-type]
    assert kept.of(1, 0) is not standings[0]  # type: ignore[arg-type]


# --- sessions ---


def _flood(ann: Peer, requests: int) -> None:
    ann.send(*(messages.Look(ann.number()) for _ in range(requests)))


def test_who_asks_too_much_is_read_no_further_until_it_is_paid() -> None:
    """Nothing is lost or refused: it waits, and is answered when it is paid for; others are served meanwhile."""
    harness = DispatcherHarness(lobby=new_lobby(tables=1_000, each=64))
    owners = [guest(harness, f"192.0.2.{place}", f"Owner {place}") for place in range(6)]
    for owner in owners:
        for _ in range(50):
            assert isinstance(owner.ask(lambda n: messages.OpenTable(n, "put-1674")), messages.Ok | messages.Refused)
            harness.tick(100)
        owner.receive()
    harness.tick(20_000)
    ann, ben = guest(harness, "198.51.100.1", "Ann"), guest(harness, "198.51.100.2", "Ben")
    _flood(ann, 40)
    assert ann.transport.is_paused
    answered = len(ann.told(messages.Ok))
    assert answered < 40
    assert isinstance(ben.ask(messages.LookAway), messages.Ok)
    assert not ben.transport.is_paused
    for _ in range(600):
        harness.tick(100)
    assert len(ann.told(messages.Ok)) == 40


def test_moves_are_never_waited_for() -> None:
    """A player plays on whatever others owe, and whatever they owe together."""
    harness = DispatcherHarness()
    players = [guest(harness, f"192.0.2.{place}", f"Player {place}") for place in range(2)]
    players[0].ask(lambda n: messages.OpenTable(n, "put-1674"))
    for player in players:
        player.ask(lambda n: messages.Sit(n, 1))
        player.receive()
    attacker = TypingPeer(harness, harness.caller("198.51.100.1"))
    for _ in range(200):
        if not attacker.transport.is_paused:
            attacker.feed(b"\xff\xf1" * 128)
    assert attacker.transport.is_paused
    for _ in range(30):
        mover, decision = asked(players)
        assert isinstance(mover.act(decision), messages.Ok)
        assert not mover.transport.is_paused


@pytest.mark.parametrize("data", [b"\n" * 256, b"\xff\xf1" * 128, b" " * 256, b"\xff\xfb\x01" * 85])
def test_bytes_that_come_to_nothing_are_charged(data: bytes) -> None:
    """Empty lines, commands of telnet and spaces, which no rate limit counts."""
    harness = DispatcherHarness()
    attacker = TypingPeer(harness, harness.caller("198.51.100.1"))
    for _ in range(2_000):
        if attacker.transport.is_paused or attacker.transport.is_closed:
            break
        attacker.feed(data)
    assert attacker.transport.is_paused or attacker.transport.is_closed


def test_who_is_exempt_is_never_read_more_slowly() -> None:
    """Their rate limit holds all the same."""
    harness = DispatcherHarness()
    typist = harness.typist("name Ann")
    for _ in range(2_000):
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


def test_cost_grows_with_what_a_request_makes_the_server_send() -> None:
    """By the messages, and by those who are told."""
    few, many = ([messages.LobbyState()], (1,)), ([messages.LobbyState()], tuple(range(100)))
    costs = [
        cost_of([Tell(people, message) for message in told])  # type: ignore[arg-type]  # numbers are numbers
        for told, people in (([], ()), few, many)
    ]
    assert costs[0] == budgets.REQUEST_COST
    assert costs[0] < costs[1] < costs[2] / 5


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


# --- guesses ---


def test_guesses_wait_longer_and_longer() -> None:
    """A few mistakes are free; then each doubles the delay, up to a minute; a quarter of an hour forgives them."""
    guesses = Guesses()
    waits = []
    for _ in range(FREE + 10):
        waits.append(guesses.wait("here", 0))
        guesses.note("here", 0)
    assert waits[: FREE + 3] == [*([0] * FREE), FIRST_MS, 2 * FIRST_MS, 4 * FIRST_MS]
    assert waits[-1] == LONGEST_MS
    assert guesses.wait("there", 0) == 0
    guesses.note("here", 20 * 60_000)
    assert guesses.wait("here", 20 * 60_000) == 0


@pytest.mark.parametrize("password", ["wrong again", "sesame"])
@pytest.mark.parametrize("address", ["198.51.100.1", ""])
def test_password_after_guesses_is_not_looked_at_at_once(password: str, address: str) -> None:
    """Be it right or wrong, and also from who is exempt; meanwhile others come in as ever."""
    harness = DispatcherHarness(password="sesame")
    for _ in range(FREE):
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
    harness.tick(FIRST_MS - 1)
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
    for _ in range(FREE + 2):
        come(harness, "198.51.100.1").send(messages.Hello(2, "", token="a guess", password="sesame"))
    back = come(harness, "198.51.100.1")
    back.resume(ann, password="sesame")
    assert back.told(messages.Welcome)


@pytest.mark.parametrize("codec", CODECS)
def test_waiting_for_a_guess_takes_nothing_that_was_said_behind_it(codec: Codec) -> None:
    """What a program asks with its hello is answered after the welcome, however long that takes."""
    harness = DispatcherHarness(password="sesame")
    for _ in range(FREE):
        come(harness, "198.51.100.1").send(messages.Hello(2, "Guesser", password="wrong"))
    ann = come(harness, "198.51.100.1", codec)
    ann.send(messages.Hello(2, "Ann", password="sesame"), messages.LookAway(1))
    assert not ann.receive()
    harness.tick(FIRST_MS)
    assert [type(message) for message in ann.receive()] == [messages.Welcome, messages.Ok]
