"""Peers at the dispatcher that send too much, say nothing or read too slowly: each is ended alone."""

from collections import deque
from collections.abc import Callable

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Put
from put_protocol.limits import DEAD_MS, FRAME_BYTES, QUIET_MS
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Said
from put_server.transport import dispatcher, reception
from put_server.transport.rate_limit import REFUSALS_BEFORE_CLOSING, REQUESTS_AT_ONCE, REQUESTS_PER_SECOND
from put_server.transport.session import CLOSING_MS, OUTBOX_BYTES
from tests.transport.dispatcher_harness import CODECS, DispatcherHarness, Peer, asked
from tests.transport.test_dispatcher import TABLE

# --- asking too much ---


@pytest.mark.parametrize("codec", CODECS)
def test_flood_of_requests_is_told_to_wait_then_sent_away(codec: Codec) -> None:
    """Beyond the burst each request is refused with how long to wait; who never waits is sent away, and only they."""
    harness = DispatcherHarness()
    ann, ben = harness.guest("Ann", codec), harness.guest("Ben", codec)
    for _ in range(REQUESTS_AT_ONCE + REFUSALS_BEFORE_CLOSING + 5):
        if not ann.transport.is_closed:
            ann.send(messages.LookAway(ann.number()))
    oks, refusals = ann.told(messages.Ok), ann.told(messages.Refused)
    assert (len(oks), len(refusals)) == (REQUESTS_AT_ONCE, REFUSALS_BEFORE_CLOSING - 1)
    assert {refusal.code for refusal in refusals} == {RefusalCode.TOO_FAST}
    assert all(refusal.retry_after_ms for refusal in refusals)
    assert ann.goodbye.code == "too_fast"
    assert ann.transport.is_closed
    assert isinstance(ben.ask(messages.Look), messages.Ok)


def test_flood_stopped_for_as_long_as_told_is_forgiven() -> None:
    """After the time that was named the next request is carried out."""
    harness = DispatcherHarness()
    ann = harness.guest("Ann")
    answers = [ann.ask(messages.LookAway) for _ in range(REQUESTS_AT_ONCE + 1)]
    last = answers[-1]
    assert isinstance(last, messages.Refused)
    assert last.retry_after_ms == 1000 // REQUESTS_PER_SECOND
    harness.now += last.retry_after_ms
    assert isinstance(ann.ask(messages.LookAway), messages.Ok)


def test_flood_in_one_read_is_one_flood() -> None:
    """Thousands of requests that come in one go are counted like any others, and those after the goodbye unread."""
    harness = DispatcherHarness()
    ann = harness.guest("Ann")
    ann.send(*(messages.LookAway(ann.number()) for _ in range(3_000)))
    assert len(ann.told(messages.Ok)) == REQUESTS_AT_ONCE
    assert ann.goodbye.code == "too_fast"


@pytest.mark.parametrize("beat", [messages.Ping(), messages.Pong()])
def test_flood_of_heartbeats_is_a_flood(beat: messages.Ping | messages.Pong) -> None:
    """Heartbeats are answered; hundreds at once are sent away, however they are packed."""
    harness = DispatcherHarness()
    for alone in (False, True):
        peer = harness.guest(f"Guest {alone}")
        beats = [beat] * (REQUESTS_AT_ONCE + REFUSALS_BEFORE_CLOSING + 1)
        if alone:
            for one in beats:
                peer.send(one)
        else:
            peer.send(*beats)
        assert peer.goodbye.code == "too_fast"


def test_flood_of_garbage_is_a_flood() -> None:
    """Messages that do not fit the schema count like requests."""
    harness = DispatcherHarness()
    ann = harness.guest("Ann", LINES)
    ann.feed(b'{"type":"dance"}\n' * 1_000)
    assert ann.goodbye.code == "too_fast"


def test_flood_of_refused_moves_is_a_flood() -> None:
    """A move that the table refuses counts; one that it accepts never does."""
    harness = DispatcherHarness()
    ann, _ = harness.game(FRAMES, FRAMES)
    for _ in range(REQUESTS_AT_ONCE + REFUSALS_BEFORE_CLOSING + 5):
        if not ann.transport.is_closed:
            ann.send(messages.Act(ann.number(), TABLE, 10**6, Put()))
    assert ann.goodbye.code == "too_fast"


def test_moves_are_never_too_fast() -> None:
    """Whole games played within one millisecond are nobody's flood."""
    harness = DispatcherHarness()
    players = harness.game(FRAMES, LINES)
    for _ in range(400):
        mover, decision = asked(players)
        number = mover.number()
        mover.send(messages.Act(number, TABLE, decision.decision, decision.legal[0].action))
        if harness.dispatcher.lobby.tables[TABLE].model.turn.seat is None:
            break
    assert not any(player.told(messages.Refused) for player in players)
    assert not any(player.transport.is_closed for player in players)


# --- silence and slowness ---


def test_silence_is_asked_then_ended() -> None:
    """A silent peer is pinged, and after two unanswered is taken for gone; one who answers stays."""
    harness = DispatcherHarness()
    dead, alive = harness.guest("Dead"), harness.guest("Alive")
    harness.tick(QUIET_MS)
    assert b"ping" in dead.transport.written[-1]
    alive.send(messages.Pong())
    harness.tick(DEAD_MS - QUIET_MS)
    assert b"goodbye" in dead.transport.written[-1]
    assert dead.transport.is_closed
    assert not alive.transport.is_closed


def test_slow_reader_is_dropped_and_the_table_goes_on() -> None:
    """Who does not read loses the connection when too much waits; the others notice nothing, and they may come back."""
    harness = DispatcherHarness()
    ann, ben = harness.game(FRAMES, LINES)
    cat = harness.guest("Cat")
    cat.ask(lambda n: messages.Watch(n, TABLE))
    ann.receive()
    ann.transport.is_read = False
    said = 0
    while not ann.transport.is_closed:
        harness.now += 1_000
        assert isinstance(ben.ask(lambda n: messages.Say(n, TABLE, "\U0001f0a1" * 400)), messages.Ok)
        ben.send(messages.Pong())
        said += 1
        assert said < 1_000
    assert ann.transport.is_aborted
    assert ann.transport.unread < OUTBOX_BYTES + FRAME_BYTES
    ann.drop()
    presence = PresenceChanged(Seat(0), away=True)
    for other in (ben, cat):
        events = [event for message in other.told(messages.Events) for event in message.events]
        assert sum(isinstance(event, Said) for event in events) == said
        assert events[-1] == presence
    back = harness.peer(LINES)
    back.token = ann.token
    back.send(messages.Hello(2, token=ann.token))
    assert back.told(messages.Welcome)[0].tables == (TABLE,)
    assert back.told(messages.TableSnapshot)[0].viewer == 0


def test_crowd_waits_and_players_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said reaches the players at once. A gallery is told by and by, everyone everything and in order; and what
    goes on elsewhere meanwhile does not wait for it."""
    for module in (dispatcher, reception):
        monkeypatch.setattr(module, "AT_ONCE", 4)
    later: deque[Callable[[], None]] = deque()
    harness = DispatcherHarness(call_soon=later.append)
    players, others = harness.game(FRAMES, LINES), [harness.guest("Carl"), harness.guest("Dora")]
    others[0].ask(lambda n: messages.OpenTable(n, "put-1674"))
    gallery = [harness.guest(f"Watcher {place}", CODECS[place % 2]) for place in range(14)]
    for peer, request in [*((other, messages.Sit) for other in others), *((peer, messages.Watch) for peer in gallery)]:
        table = 2 if peer in others else 1
        peer.ask(lambda n, request=request, table=table: request(n, table))  # type: ignore[misc]  # as above
    while later:
        later.popleft()()
    for peer in (*players, *others, *gallery):
        heard(peer)

    players[0].ask(lambda n: messages.Say(n, 1, "one"))
    assert heard(players[1]) == ["one"]
    first = [heard(watcher) for watcher in gallery]
    assert first == [["one"]] * 4 + [[]] * 10
    players[1].send(messages.Say(players[1].number(), 1, "two"))
    others[0].ask(lambda n: messages.Say(n, 2, "elsewhere"))
    players[0].ask(lambda n: messages.Say(n, 1, "three"))
    assert heard(players[1]) == ["two", "three"]
    assert heard(others[1]) == ["elsewhere"]
    assert len(later) == 1  # however much was said meanwhile

    gallery[-1].drop()
    later.popleft()()
    second = [heard(watcher) for watcher in gallery]
    assert second[4:8] == [["one", "two", "three"]] * 4
    assert second[8:] == [[]] * 6
    while later:
        later.popleft()()
    for watcher, *before in zip(gallery[:-1], first, second, strict=False):
        assert [*before[0], *before[1], *heard(watcher)] == ["one", "two", "three"]


def heard(peer: Peer) -> list[str]:
    """What was said at a peer's tables and came since they were asked last."""
    events = [event for message in peer.receive() if isinstance(message, messages.Events) for event in message.events]
    return [event.text for event in events if isinstance(event, Said)]


def test_closing_peer_that_does_not_read_is_cut() -> None:
    """Last words have a deadline."""
    harness = DispatcherHarness()
    ann = harness.guest("Ann")
    ann.transport.is_read = False
    ann.send(messages.Bye())
    aborted = [ann.transport.is_aborted]
    for milliseconds in (CLOSING_MS - 1, 1):
        harness.tick(milliseconds)
        aborted.append(ann.transport.is_aborted)
    assert aborted == [False, False, True]
    ann.session.cut()
    ann.drop()
    ann.session.cut()
    ann.session.farewell(messages.Goodbye(code="bye", says="again"))
    assert harness.dispatcher.is_empty


def test_closing_is_said_once_and_is_the_last_word() -> None:
    """After a goodbye nothing more is sent, whatever happens at the peer's tables."""
    harness = DispatcherHarness()
    ann, ben = harness.game(FRAMES, LINES)
    ann.send(*(messages.LookAway(ann.number()) for _ in range(REQUESTS_AT_ONCE + REFUSALS_BEFORE_CLOSING)))
    harness.dispatcher.dismiss_all(messages.Goodbye(code="draining", says="the server stops"))
    words = len(ann.transport.written)
    ben.session.send(messages.Ping())
    harness.dispatcher.announce("late news")
    harness.tick(1)
    assert len(ann.transport.written) == words
    assert isinstance(ann.receive()[-1], messages.Goodbye)
    assert len(ann.told(messages.Goodbye)) == len(ben.told(messages.Goodbye)) == 1
