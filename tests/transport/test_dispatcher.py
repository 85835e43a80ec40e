"""The dispatcher and its sessions: hello, takeovers, bugs, and who is told what. No socket, no clock."""

import logging

import pytest
from msgspec.structs import replace

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.limits import FRAME_BYTES, HELLO_MS, STRANGER_MS
from put_protocol.messages import Refused
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import PresenceChanged, Said
from put_protocol.table_info import TableState
from put_server.journal.lobby_replay import fold
from put_server.lobby.policy import EDITION
from put_server.lobby.presence import GRACE_MS
from put_server.lobby.subscribers import Subscribers
from put_server.table.clock import NEWS_MS
from put_server.table.table_effects import TableId
from put_server.transport.rate_limit import TABLES_A_PERSON
from tests.lobby.lobby_harness import new_lobby
from tests.transport.dispatcher_harness import CODECS, DispatcherHarness, ManualJournal, asked

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


def test_name_out_of_time_is_erased_though_nobody_else_goes() -> None:
    """Each when its days are over, and not a moment before; what was recorded gives the same lobby."""
    policy = {"name_seconds": 86_400, "names": 10, "edition": EDITION}
    journal = ManualJournal()
    journal.is_open = True
    harness = DispatcherHarness(lobby=new_lobby(**policy), journal=journal)
    for name, later in (("Ann", 3_600_000), ("Ben", GRACE_MS)):
        peer = harness.guest(name)
        peer.ask(messages.Look)
        peer.drop()
        harness.tick(later)
    kept = harness.dispatcher.lobby.people.kept
    harness.tick(86_400_000 - GRACE_MS - 3_600_000 - 1)
    assert [person.name for person in kept.values()] == ["Ann", "Ben"]
    harness.tick(1)
    assert [person.name for person in kept.values()] == ["Ben"]
    harness.tick(3_600_000)
    assert not kept
    again = new_lobby(**policy)
    for at, event in journal.records:
        fold(again, event, at)
    assert not again.people.kept


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


# --- actions ---


def test_action_of_another_seat_is_refused_and_told_to_no_player() -> None:
    """Only the seat that is asked may answer: no other player, spectator or passer-by."""
    harness = DispatcherHarness()
    players = harness.game(FRAMES, FRAMES)
    mover, decision = asked(players)
    (other,) = [player for player in players if player is not mover]
    watcher, stranger = harness.guest("Watcher"), harness.guest("Stranger")
    watcher.ask(lambda n: messages.Watch(n, TABLE))
    everybody = (*players, watcher, stranger)
    for peer in everybody:
        peer.receive()
    codes = [refused.code for peer in (other, watcher, stranger) if isinstance(refused := peer.act(decision), Refused)]
    assert codes == [RefusalCode.NOT_YOUR_TURN, RefusalCode.NOT_THERE, RefusalCode.NOT_THERE]
    assert not [message for peer in everybody for message in peer.receive()]
    assert isinstance(mover.act(decision), messages.Ok)


def test_action_behind_leaving_is_refused_and_behind_sitting_down_is_heard() -> None:
    """What comes in one go is looked at in its order: a player is at the table from the one to the other."""
    harness = DispatcherHarness()
    players = harness.game(FRAMES, FRAMES)
    mover, decision = asked(players)
    action, numbers = decision.legal[0].action, [mover.number() for _ in range(4)]
    mover.send(
        messages.Leave(numbers[0], TABLE),
        messages.Act(numbers[1], TABLE, decision.decision, action),
        messages.Sit(numbers[2], TABLE),
        messages.Act(numbers[3], TABLE, decision.decision, action),
    )
    answers = {answer.id: answer for answer in mover.told(messages.Ok) + mover.told(Refused)}
    left, gone, sat, late = [answers[number] for number in numbers]
    assert isinstance(left, messages.Ok)
    assert isinstance(sat, messages.Ok)
    assert isinstance(gone, Refused)
    assert isinstance(late, Refused)
    assert (gone.code, late.code) == (RefusalCode.NOT_THERE, RefusalCode.NO_GAME)


def test_action_on_a_former_connection_is_not_heard() -> None:
    """Who has come back answers on the new connection; what is sent on the old one changes nothing."""
    harness = DispatcherHarness()
    players = harness.game(FRAMES, FRAMES)
    mover, decision = asked(players)
    (other,) = [player for player in players if player is not mover]
    back = harness.peer()
    back.resume(mover)
    other.receive()
    number = mover.number()
    mover.client.send(messages.Act(number, TABLE, decision.decision, decision.legal[0].action))
    data = mover.client.take()
    mover.session.get_buffer(-1)[: len(data)] = data
    mover.session.buffer_updated(len(data))
    assert not other.receive()
    assert isinstance(back.act(decision), messages.Ok)


def test_actions_at_two_tables_keep_apart() -> None:
    """An action belongs to the table that it names, also while the server drains."""
    harness = DispatcherHarness()
    players = harness.game(FRAMES, FRAMES)
    opened = players[0].ask(lambda n: messages.OpenTable(n, "put-1674"))
    assert isinstance(opened, messages.Ok)
    assert opened.table is not None
    second = opened.table
    for player in players:
        player.ask(lambda n: messages.Sit(n, second))
    harness.dispatcher.drain()
    decisions = {decision.table: decision for player in players for decision in player.told(messages.Decision)}
    movers = {
        table: next(p for p in players if decision in p.told(messages.Decision))
        for table, decision in decisions.items()
    }
    first = replace(decisions[TABLE], decision=decisions[TABLE].decision + 1)
    assert isinstance(movers[TABLE].act(first), Refused)
    for table, decision in decisions.items():
        assert isinstance(movers[table].act(decision), messages.Ok)
    turns = [harness.dispatcher.lobby.tables[TableId(table)].model.turn.decision for table in decisions]
    assert turns == [decision.decision + 1 for decision in decisions.values()]


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


# --- time ---


def test_wait_that_time_ends_is_counted_and_a_wait_for_nothing_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    """A move that does not come is counted; of a game that stood still the log says so, and it goes on."""
    harness = DispatcherHarness(lobby=new_lobby(edition=2, patience=60))
    harness.game(FRAMES, FRAMES, FRAMES)
    (table,) = harness.dispatcher.lobby.tables.values()
    with caplog.at_level(logging.INFO):
        harness.tick(60_000)
        assert +harness.dispatcher.meters.waits == {"move": 1}
        assert not caplog.messages
        table.model.turn.clear()  # a bug: no turn, and nothing else
        harness.tick(60_000)
    assert +harness.dispatcher.meters.waits == {"move": 1, "nothing": 1}
    assert caplog.messages == [f"table {table.id} waited for nothing (seat None); it goes on"]
    assert table.model.turn.seat is not None


# --- the journal ---


def test_garbage_for_a_hello_is_answered_by_goodbye_alone() -> None:
    """Before the welcome nothing but a goodbye is ever said."""
    harness = DispatcherHarness()
    peer = harness.peer(LINES)
    peer.feed(b"{}\n")
    assert [type(message) for message in peer.receive()] == [messages.Goodbye]


def test_lobby_news_is_sent_once_to_each() -> None:
    """A subscriber who asked twice is told twice what there is, and once what changes."""
    harness = DispatcherHarness()
    ann, ben = harness.guest("Ann"), harness.guest("Ben")
    ann.ask(messages.Look)
    ann.ask(messages.Look)
    had = len(ann.told(messages.LobbyState))
    assert had == 2
    ben.ask(lambda n: messages.OpenTable(n, "put-1674"))
    harness.tick(NEWS_MS)
    assert len(ann.told(messages.LobbyState)) == had + 1


def test_end_of_a_game_is_told_to_the_lobby_with_its_last_move() -> None:
    """Not together with what a player does next: the arena, which counts games there, takes them for leavers."""
    harness = DispatcherHarness()
    players, cat = harness.game(FRAMES, FRAMES), harness.guest("Cat")
    cat.ask(messages.Look)
    table, had = harness.dispatcher.lobby.tables[TABLE], 0
    while table.state is TableState.PLAYING:
        had = len(cat.told(messages.LobbyState))
        harness.now += NEWS_MS  # no news has to wait
        player, decision = asked(players)
        player.act(decision)
    (news,) = cat.told(messages.LobbyState)[had:]
    assert [(info.id, info.state, info.games) for info in news.tables] == [(TABLE, TableState.BETWEEN, 1)]
