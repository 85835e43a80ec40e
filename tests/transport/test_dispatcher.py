"""The dispatcher and its sessions: answers, floods, takeovers, and what waits for the journal. No socket, no clock."""

import logging
from collections import deque
from collections.abc import Callable

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Put
from put_protocol.limits import DEAD_MS, FRAME_BYTES, HELLO_MS, QUIET_MS, STRANGER_MS
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Said
from put_server.app import TABLES_A_PERSON
from put_server.lobby.checkpoint import LobbyCheckpoint
from put_server.lobby.presence import GRACE_MS
from put_server.lobby.subscribers import Subscribers
from put_server.lobby.tables import FRESH_MS
from put_server.table.effects import TableId
from put_server.transport import dispatcher, reception
from put_server.transport.dispatcher import CHECKPOINT_MS, CHECKPOINT_RECORDS, FEW_RECORDS
from put_server.transport.rate_limit import REFUSALS_BEFORE_CLOSING, REQUESTS_AT_ONCE, REQUESTS_PER_SECOND
from put_server.transport.session import CLOSING_MS, OUTBOX_BYTES
from tests.lobby.lobby_harness import folded, lobby_snapshot, new_lobby
from tests.transport.dispatcher_harness import CODECS, DispatcherHarness, ManualJournal, Peer, asked

TABLE = TableId(1)


# --- coming in ---


@pytest.mark.parametrize("codec", CODECS)
def test_hello_is_answered_by_welcome(codec: Codec) -> None:
    """Who says hello gets a name, a token of their own and the limits."""
    harness = DispatcherHarness()
    ann, ben = harness.peer(codec), harness.peer(codec)
    assert ann.hello("Ann").name == "Ann"
    ben.hello("Ben")
    assert ann.token
    assert ann.token != ben.token


@pytest.mark.parametrize("codec", CODECS)
def test_hello_can_name_as_many_tables_as_one_may_be_at(codec: Codec) -> None:
    """Who was at all the tables the server allows can come back to them."""
    harness = DispatcherHarness(lobby=new_lobby(tables=TABLES_A_PERSON, each=TABLES_A_PERSON))
    ann = harness.guest("Ann", codec)
    for table in range(1, TABLES_A_PERSON + 1):
        harness.now += 1_000
        ann.ask(lambda n: messages.OpenTable(n, "put-1674"))
        ann.ask(lambda n, t=table: messages.Sit(n, t))  # type: ignore[misc]  # an argument with a default
    ann.drop()
    back = harness.peer(codec)
    back.resume(ann)
    assert len(ann.client.seen) == TABLES_A_PERSON
    assert back.told(messages.Welcome)[0].tables == tuple(range(1, TABLES_A_PERSON + 1))
    assert not back.told(messages.TableSnapshot)


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        (messages.Hello(99, "Ann"), RefusalCode.VERSION),
        (messages.Hello(0, "Ann"), RefusalCode.VERSION),
        (messages.Hello(2, "Ann"), RefusalCode.WRONG_PASSWORD),
        (messages.Hello(2, "Ann", password="Sesame"), RefusalCode.WRONG_PASSWORD),
        (messages.Hello(2, "Ann", password="\u00e9"), RefusalCode.WRONG_PASSWORD),
        (messages.Hello(2, token="any"), RefusalCode.WRONG_PASSWORD),
        (messages.Hello(2, "", password="sesame"), RefusalCode.BAD_NAME),
        (messages.Hello(2, "Ann", password="sesame", token="none"), RefusalCode.BAD_TOKEN),
    ],
)
def test_hello_that_will_not_do_is_turned_away(hello: messages.Hello, code: RefusalCode) -> None:
    """A goodbye says why, nothing follows it, and the connection is closed."""
    harness = DispatcherHarness(password="sesame")
    peer = harness.peer()
    peer.send(hello)
    assert (peer.goodbye.code, peer.goodbye.refusal) == ("refused", code)
    assert peer.transport.is_closed
    assert "sesame" not in peer.goodbye.says
    assert not harness.dispatcher.lobby.people


def test_hello_must_come_in_time() -> None:
    """Who says half a hello is sent away after ten seconds and not before; who says nothing, after two minutes."""
    harness = DispatcherHarness()
    silent, half = harness.peer(), harness.peer()
    half.feed(FRAMES.encode(messages.Hello(2, "Ann"))[:-1])
    harness.tick(HELLO_MS - 1)
    assert not half.transport.written
    harness.tick(1)
    assert half.goodbye.code == "idle"
    assert not silent.transport.written
    harness.tick(STRANGER_MS - HELLO_MS)
    assert silent.transport.is_closed


@pytest.mark.parametrize("first", [b"\x16\x03\x01", b"\x05\x01\x00", b"\x01\x00\x00\x00"])
def test_first_byte_of_no_language_closes(first: bytes) -> None:
    """What is neither a frame, a JSON line nor typed is told what this is, in a line, and closed."""
    harness = DispatcherHarness()
    peer = harness.peer(LINES)
    peer.feed(first)
    assert peer.goodbye.code == "protocol"
    assert peer.transport.is_closed


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01\x00\x01" + b"x" * 100,
        b"\x00\x00\x00\x00",
        b"{" + b" " * (FRAME_BYTES + 1),
        b"\x00\x00\x00\x01\xc1",
        b"\x00\x00\x00\x02\x81\xa1",
        b"{}\n",
        b'{"type":"ping"}\n',
        b'{"type":"hello","version":2,"name":"Ann","nonsense":1}\n',
        b'{"type":"hello","version":"1","name":"Ann"}\n',
        b"\x00\x00\x00\x05\xdd\xff\xff\xff\xff",
        b"\x00\x00\x00\x05\xdb\xff\xff\xff\xff",
        b'{"type":"hello","version":2,"name":"\\ud800"}\n',
        b"[" * 60_000 + b"\n",
    ],
)
def test_garbage_closes_only_who_sent_it(data: bytes) -> None:
    """Bytes that are no hello, or no frames at all, end their own connection and touch nobody else's."""
    harness = DispatcherHarness()
    ann = harness.guest("Ann")
    before = len(ann.transport.written)
    peer = harness.peer()
    peer.feed(data)
    assert peer.transport.is_closed
    assert (ann.transport.is_closed, len(ann.transport.written)) == (False, before)


def test_garbage_after_hello_is_refused_and_the_next_is_heard() -> None:
    """A message that does not fit the schema is refused with the path of what does not; the connection stands."""
    harness = DispatcherHarness()
    ann = harness.guest("Ann", LINES)
    ann.client._waiting.update({7, 8})
    ann.feed(b'{"type":"sit","id":7,"table":"one"}\n{"type":"look","id":8}\n{"type":"dance"}\n')
    refused, ok, _, nameless = ann.receive()
    assert isinstance(refused, messages.Refused)
    assert isinstance(nameless, messages.Refused)
    assert isinstance(ok, messages.Ok)
    assert (refused.id, refused.code, refused.field) == (7, RefusalCode.BAD_REQUEST, "$.table")
    assert (ok.id, nameless.id) == (8, 0)


def test_hello_said_twice_closes() -> None:
    """One hello a connection."""
    harness = DispatcherHarness()
    ann = harness.guest("Ann")
    ann.send(messages.Hello(2, "Anna"))
    assert ann.goodbye.code == "protocol"


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


# --- coming back ---


def test_cut_player_comes_back_to_what_they_missed() -> None:
    """With token and numbers one is back in the seat, gets the tail, and is asked again."""
    harness = DispatcherHarness()
    players = harness.game(FRAMES, FRAMES)
    mover, decision = asked(players)
    (other,) = [player for player in players if player is not mover]
    mover.drop()
    other.ask(lambda n: messages.Say(n, TABLE, "gone?"))
    back = harness.peer(LINES)
    back.resume(mover)
    told = back.receive()
    assert isinstance(told[0], messages.Welcome)
    assert not back.told(messages.TableSnapshot)
    said = [event.text for message in back.told(messages.Events) for event in message.events if isinstance(event, Said)]
    assert said == ["gone?"]
    assert back.told(messages.Decision)[-1].decision == decision.decision
    action = decision.legal[0].action
    assert isinstance(back.ask(lambda n: messages.Act(n, TABLE, decision.decision, action)), messages.Ok)


def test_second_connection_takes_over_and_the_first_is_told() -> None:
    """Two connections are never one person: the later has them, and nothing more is heard from the first."""
    harness = DispatcherHarness()
    ann, ben = harness.game(FRAMES, FRAMES)
    back = harness.peer()
    back.resume(ann)
    assert ann.goodbye.code == "taken_over"
    assert ann.transport.is_closed
    assert back.told(messages.Welcome)
    ann.drop()
    assert not [event for m in ben.told(messages.Events) for event in m.events if isinstance(event, PresenceChanged)]
    assert isinstance(back.ask(lambda n: messages.Say(n, TABLE, "here")), messages.Ok)


def test_hundred_connections_with_one_token_leave_one() -> None:
    """Each takes over from the one before; the person stays one, and here."""
    harness = DispatcherHarness()
    last, ben = harness.game(FRAMES, FRAMES)
    for _ in range(100):
        back = harness.peer()
        back.resume(last)
        last.drop()
        last, back.token = back, last.token
    assert isinstance(last.ask(lambda n: messages.Say(n, TABLE, "here")), messages.Ok)
    assert len(harness.dispatcher._sessions) == 2
    assert not [event for m in ben.told(messages.Events) for event in m.events if isinstance(event, PresenceChanged)]


def test_bye_ends_the_token_and_leaves_the_tables() -> None:
    """A wilful end is final."""
    harness = DispatcherHarness()
    ann, ben = harness.game(FRAMES, FRAMES)
    ann.send(messages.Bye())
    assert ann.goodbye.code == "bye"
    ann.drop()
    assert harness.dispatcher.lobby.tables[TABLE].info.seats[0].name is None
    ghost = harness.peer()
    ghost.send(messages.Hello(2, token=ann.token))
    assert ghost.goodbye.refusal == RefusalCode.BAD_TOKEN
    assert not ben.transport.is_closed


def test_notice_reaches_everyone() -> None:
    """The operator's word goes to all who are in, in their own codec."""
    harness = DispatcherHarness()
    ann, ben, stranger = harness.guest("Ann"), harness.guest("Ben", LINES), harness.peer()
    harness.dispatcher.announce("closing time")
    assert ann.told(messages.Notice) == ben.told(messages.Notice) == [messages.Notice("closing time")]
    assert not stranger.transport.written


@pytest.mark.parametrize("seats", [2, 4])
def test_codecs_say_the_same(seats: int) -> None:
    """Frames and lines carry the same messages of the same evening."""
    told = []
    for codec in CODECS:
        harness = DispatcherHarness()
        players = harness.game(*[codec] * seats)
        for _ in range(40):
            mover, decision = asked(players)
            mover.act(decision, decision.legal[-1].action)
            if harness.dispatcher.lobby.tables[TABLE].model.turn.seat is None:
                break
        told.append([(player.receive(), player.messages)[1] for player in players])
    assert told[0] == told[1]
    assert sum(map(len, told[0])) > 20


# --- bugs ---


def test_bug_in_one_message_closes_that_peer_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A bug met on one peer's account is logged and ends their connection; everyone else goes on."""
    harness = DispatcherHarness()
    ann, ben = harness.game(FRAMES, FRAMES)

    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(Subscribers, "add", broken)
        ann.send(messages.Look(1))
    assert ann.transport.is_aborted
    assert "a bug" in caplog.text
    ann.drop()
    assert not ben.transport.is_closed
    assert isinstance(ben.ask(messages.Look), messages.Ok)


def test_bug_in_what_waited_for_the_journal_closes_that_peer_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The same when the bug shows itself only after the record was committed: the journal goes on."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, ben = harness.game(FRAMES, FRAMES)
    gate.is_open = False
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(Subscribers, "add", lambda *_: [messages.Ok])
        ann.send(messages.Look(ann.number()))
        ben.send(messages.LookAway(ben.number()))
        gate.commit()
    assert ann.transport.is_aborted
    assert "could not be answered" in caplog.text
    assert isinstance(ben.receive()[-1], messages.Ok)


# --- the journal ---


def test_nothing_is_told_before_its_record_is_committed() -> None:
    """Neither answer nor event nor welcome leaves before its input is kept; then all do, in order."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, ben = harness.game(FRAMES, FRAMES)
    gate.is_open = False
    written = len(ann.transport.written), len(ben.transport.written)
    mover, decision = asked([ann, ben])
    mover.send(messages.Act(mover.number(), TABLE, decision.decision, Put()))
    cat = harness.peer()
    cat.send(messages.Hello(2, "Cat"))
    assert (len(ann.transport.written), len(ben.transport.written), cat.transport.written) == (*written, [])
    gate.commit()
    assert isinstance(mover.receive()[0], messages.Ok)
    assert asked([ann, ben])[1].decision == decision.decision + 1
    assert cat.told(messages.Welcome)


def test_player_lost_while_they_come_back_is_lost() -> None:
    """A connection that is gone before its welcome was committed leaves the player away, not half here."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, ben = harness.game(FRAMES, FRAMES)
    ann.drop()
    gate.is_open = False
    back = harness.peer()
    back.resume(ann)
    back.drop()
    gate.commit()
    gate.commit()
    assert harness.dispatcher.lobby.tables[TABLE].info.seats[0].is_away
    assert not ben.transport.is_closed
    gate.is_open = True
    again = harness.peer()
    again.resume(ann)
    assert again.told(messages.Welcome)


def test_connection_lost_while_its_successor_waits_is_not_the_person_lost() -> None:
    """The old connection may break before the new one's welcome is committed: the person is here all the while."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, ben = harness.game(FRAMES, FRAMES)
    gate.is_open = False
    back = harness.peer()
    back.resume(ann)
    ann.drop()
    gate.is_open = True
    gate.commit()
    assert back.told(messages.Welcome)
    assert not harness.dispatcher.lobby.tables[TABLE].info.seats[0].is_away
    harness.now += GRACE_MS
    harness.dispatcher.tick()
    assert isinstance(back.ask(lambda n: messages.Say(n, TABLE, "here")), messages.Ok)
    assert ben.told(messages.Events)


def test_connections_that_race_for_one_person_leave_the_last() -> None:
    """Of two that come with one token before either is welcome, the later has the person, whatever breaks."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, _ = harness.game(FRAMES, FRAMES)
    gate.is_open = False
    first, last = harness.peer(), harness.peer()
    first.resume(ann)
    last.resume(ann)
    gate.is_open = True
    gate.commit()
    assert first.transport.is_closed
    first.drop()
    ann.drop()
    assert last.told(messages.Welcome)
    assert not harness.dispatcher.lobby.tables[TABLE].info.seats[0].is_away
    assert isinstance(last.ask(lambda n: messages.Say(n, TABLE, "here")), messages.Ok)


def test_answers_of_a_former_connection_do_not_reach_its_successor() -> None:
    """What the old connection asked is not answered on the new one, which never asked it."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, _ = harness.game(FRAMES, FRAMES)
    gate.is_open = False
    ann.send(messages.Say(ann.number(), TABLE, "before"))
    back = harness.peer()
    back.resume(ann)
    ann.send(messages.Say(ann.number(), TABLE, "after"))
    gate.is_open = True
    gate.commit()
    back.receive()  # the client would complain of an answer it does not wait for
    assert back.told(messages.Welcome)
    assert not back.told(messages.Ok)


def test_request_before_the_welcome_is_answered_after_it() -> None:
    """Who sends everything in one go is welcome first, then answered in order; too much of it is sent away."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    gate.is_open = False
    ann, ben = harness.peer(), harness.peer()
    ann.send(
        messages.Hello(2, "Ann"),
        messages.OpenTable(1, "put-1674"),
        messages.Sit(2, TABLE),
        messages.Sit(3, TABLE),
        messages.Look(4),
    )
    ben.send(messages.Hello(2, "Ben"), *(messages.LookAway(n) for n in range(1, REQUESTS_AT_ONCE + 2)))
    assert not ann.transport.written
    while gate.commit():
        pass
    told = [
        message for message in ann.receive() if isinstance(message, messages.Welcome | messages.Ok | messages.Refused)
    ]
    assert isinstance(told[0], messages.Welcome)
    # A refusal waits for no record, so it may come before an answer that does.
    assert sorted((m.id, type(m)) for m in told[1:] if isinstance(m, messages.Ok | messages.Refused)) == [
        (1, messages.Ok),
        (2, messages.Ok),
        (3, messages.Refused),
        (4, messages.Ok),
    ]
    assert ben.goodbye.code == "protocol"


def test_garbage_for_a_hello_is_answered_by_goodbye_alone() -> None:
    """Before the welcome nothing but a goodbye is ever said."""
    harness = DispatcherHarness()
    peer = harness.peer(LINES)
    peer.feed(b"{}\n")
    assert [type(message) for message in peer.receive()] == [messages.Goodbye]


def test_refusals_and_idle_ticks_are_not_kept() -> None:
    """Only what changed something is in the journal."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, ben = harness.game(FRAMES, FRAMES)
    kept = len(gate.records)
    for _ in range(5):
        harness.tick(1)
        ann.ask(lambda n: messages.Sit(n, TABLE))
        ben.ask(lambda n: messages.Watch(n, 999))
    assert len(gate.records) == kept


def test_records_bring_the_lobby_back_after_quiet_hours() -> None:
    """Tables and people that a tick let go without telling anybody are gone from the records too."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann = harness.guest("Ann")
    for _ in range(3):
        ann.ask(lambda n: messages.OpenTable(n, "put-1674"))
    ann.drop()
    harness.tick(max(FRESH_MS, GRACE_MS))
    assert (harness.dispatcher.lobby.tables, harness.dispatcher.lobby.people) == ({}, {})
    ben = harness.guest("Ben")
    ben.ask(lambda n: messages.OpenTable(n, "put-1674"))
    again = folded(gate.records, new_lobby())
    assert lobby_snapshot(again.lobby, harness.now) == lobby_snapshot(harness.dispatcher.lobby, harness.now)


def test_lobby_news_is_sent_once_to_each() -> None:
    """A subscriber who asked twice is told twice what there is, and once what changes."""
    harness = DispatcherHarness()
    ann, ben = harness.guest("Ann"), harness.guest("Ben")
    ann.ask(messages.Look)
    ann.ask(messages.Look)
    had = len(ann.told(messages.LobbyState))
    assert had == 2
    ben.ask(lambda n: messages.OpenTable(n, "put-1674"))
    assert len(ann.told(messages.LobbyState)) == had + 1


def test_bye_and_kick_are_answered_once_they_are_safe() -> None:
    """A crash in between takes back what nobody was told."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann, ben = harness.peer(), harness.peer()
    ann.hello("Ann")
    ben.hello("Ben")
    gate.is_open = False
    told: list[str] = []
    ann.send(messages.Bye())
    person = harness.dispatcher.lobby.named("Ben")
    assert person is not None
    harness.dispatcher.kick(person.id, messages.Goodbye("kicked", "away"), lambda: told.append("the operator"))
    assert not ann.told(messages.Goodbye)
    assert not ben.told(messages.Goodbye)
    assert not told
    while gate.waiting:
        gate.commit()
    assert ann.goodbye.code == "bye"
    assert ben.goodbye.code == "kicked"
    assert told == ["the operator"]


def test_checkpoint_is_made_when_it_is_due() -> None:
    """By many records at once, and by some of them after a while; an idle server makes none."""
    made: list[int] = []

    class Counting(ManualJournal):
        count = 0

        @property
        def since_checkpoint(self) -> int:
            return self.count

        def compact_behind(self, at: int, take: Callable[[], LobbyCheckpoint]) -> None:
            assert take().people == ()
            made.append(self.count)
            self.count = 0

    journal = Counting()
    harness = DispatcherHarness(journal=journal)
    harness.now += CHECKPOINT_MS
    for count, so_many in (
        (0, 0),
        (FEW_RECORDS - 1, 0),
        (FEW_RECORDS, 1),
        (FEW_RECORDS, 1),
        (CHECKPOINT_RECORDS, 2),
    ):
        journal.count = count
        harness.dispatcher.tick()
        assert len(made) == so_many
    harness.now += CHECKPOINT_MS
    journal.count = FEW_RECORDS
    harness.dispatcher.tick()
    assert made == [FEW_RECORDS, CHECKPOINT_RECORDS, FEW_RECORDS]
