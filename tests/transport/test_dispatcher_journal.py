"""The dispatcher and its journal: nothing is told before its record is committed, whatever the peer does."""

from collections.abc import Callable

from msgspec import structs

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import Put
from put_protocol.refusals import RefusalCode
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.lobby.open_tables import FRESH_MS
from put_server.lobby.presence import GRACE_MS
from put_server.transport.dispatcher import CHECKPOINT_MS, FEW_RECORDS
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from tests.lobby.lobby_harness import folded, lobby_snapshot, new_lobby
from tests.transport.dispatcher_harness import DispatcherHarness, ManualJournal, asked
from tests.transport.test_dispatcher import TABLE


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
    """Who sends everything in one go is welcome first, then answered in order; too much of it
    is refused, and waits unread until then."""
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
    assert ben.transport.is_paused
    while gate.commit():
        pass
    told = [
        message for message in ann.receive() if isinstance(message, messages.Welcome | messages.Ok | messages.Refused)
    ]
    assert isinstance(told[0], messages.Welcome)
    assert [(m.id, type(m)) for m in told[1:] if isinstance(m, messages.Ok | messages.Refused)] == [
        (1, messages.Ok),
        (2, messages.Ok),
        (3, messages.Refused),
        (4, messages.Ok),
    ]
    answered = messages.Welcome | messages.Ok | messages.Refused
    answers = [message for message in ben.receive() if isinstance(message, answered)]
    assert isinstance(answers[0], messages.Welcome)
    assert [type(answer) for answer in answers[1:]] == [messages.Ok] * REQUESTS_AT_ONCE + [messages.Refused]
    assert isinstance(answers[-1], messages.Refused)
    assert answers[-1].code == RefusalCode.TOO_FAST
    assert not ben.transport.is_paused


def test_bye_behind_a_hello_gives_the_name_back() -> None:
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    gate.is_open = False
    ann = harness.peer()
    ann.send(messages.Hello(2, "Ann"), messages.Bye())
    while gate.commit():
        pass
    assert ann.goodbye.code == "bye"
    assert harness.dispatcher.lobby.people.holder_of_name("Ann") is None


def test_answers_come_in_the_order_of_the_requests() -> None:
    """Also of those that are refused, by the lobby or before anybody looks at what they ask for."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    players = harness.game(LINES, LINES)
    mover, decision = asked(players)
    gate.is_open = False
    written = len(mover.transport.written)
    first = mover.number()
    mover.client._waiting |= {first, first + 1, first + 2, first + 3}
    act = messages.Act(first, TABLE, decision.decision, Put())
    mover.feed(LINES.encode(act))
    mover.feed(LINES.encode(structs.replace(act, id=first + 1)))  # too late
    mover.feed(b'{"type":"say","id":%d,"table":1}\n' % (first + 2))
    mover.feed(LINES.encode(messages.Refresh(first + 3, TABLE)))
    assert len(mover.transport.written) == written
    while gate.commit():
        pass
    told = [m for m in mover.receive() if isinstance(m, messages.Ok | messages.Refused)]
    assert [(m.id - first, getattr(m, "code", "")) for m in told] == [
        (0, ""),
        (1, "too_late"),
        (2, "bad_request"),
        (3, ""),
    ]


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
    person = harness.dispatcher.lobby.people.named("Ben")
    assert person is not None
    harness.dispatcher.kick(person.id, messages.Goodbye("kicked", "away"))
    harness.dispatcher.when_committed(lambda: told.append("the operator"))
    assert not ann.told(messages.Goodbye)
    assert not ben.told(messages.Goodbye)
    assert not told
    while gate.waiting:
        gate.commit()
    assert ann.goodbye.code == "bye"
    assert ben.goodbye.code == "kicked"
    assert told == ["the operator"]


def test_after_a_bye_nothing_is_refused_behind_what_is_not_answered() -> None:
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    ann = harness.peer(LINES)
    ann.hello("Ann")
    gate.is_open = False
    ann.send(messages.OpenTable(7, "put-1674"))
    ann.client._waiting.add(8)
    ann.feed(b'{"type":"say","id":8,"table":1}\n')
    ann.send(messages.Bye())
    while gate.waiting:
        gate.commit()
    assert ann.goodbye.code == "bye"
    assert not [message for message in ann.messages if isinstance(message, messages.Ok | messages.Refused)]


def test_checkpoint_is_made_when_it_is_due() -> None:
    """By many records at once, and by some of them after a while; an idle server makes none."""
    made: list[int] = []

    class Counting(ManualJournal):
        most_records = 900
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
        (Counting.most_records, 2),
    ):
        journal.count = count
        harness.dispatcher.tick()
        assert len(made) == so_many
    harness.now += CHECKPOINT_MS
    journal.count = FEW_RECORDS
    harness.dispatcher.tick()
    assert made == [FEW_RECORDS, Counting.most_records, FEW_RECORDS]
