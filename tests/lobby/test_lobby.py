"""The lobby: limits, being at tables, coming back, and the end of a server."""

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import Put
from put_protocol.limits import FRAME_BYTES
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import TableState
from put_protocol.text import TALK_LENGTH
from put_server.lobby.inputs import Arrive, Tick
from put_server.lobby.open_tables import FRESH_MS
from put_server.lobby.presence import GRACE_MS
from put_server.table.event_log import TAIL
from put_server.table.table_effects import RecordInput, TableId
from tests.lobby.lobby_harness import TABLES, LobbyHarness, folded, lobby_snapshot, new_lobby


def busy(harness: LobbyHarness) -> bool:
    return harness.lobby.is_busy


# --- opening ---


def test_arriving_has_a_limit() -> None:
    """A full server says so, and has room again when somebody goes."""
    harness = LobbyHarness(new_lobby(people=2))
    ann, _ = harness.arrive("Ann"), harness.arrive("Ben")
    assert harness.turned_away(Arrive("Cat", is_bot=False, token=b"c")).refusal == RefusalCode.SERVER_FULL
    harness.depart(ann)
    harness.arrive("Cat")


# --- being at tables ---


def test_being_at_tables_has_a_limit() -> None:
    """One sits at and watches so many tables; to sit where one watches is no more than one."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    tables = [harness.open(ann, seats=3) for _ in range(TABLES)] + [harness.open(ben, seats=3)]
    for table in tables[:TABLES]:
        harness.watch(table, ben)
    assert harness.refused(ben, messages.Watch(90, tables[-1])).code == RefusalCode.TOO_MANY_TABLES
    assert harness.refused(ben, messages.Sit(91, tables[-1])).code == RefusalCode.TOO_MANY_TABLES
    harness.sit(tables[0], ben)
    assert harness.lobby.people[ben].tables == tuple(tables[:TABLES])


def test_requests_about_tables_that_are_not_there_are_refused() -> None:
    """Every request that names a table is refused when there is none, and when it is somebody else's business."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, seats=3)
    harness.sit(table, ann)
    for number, code in ((999, RefusalCode.UNKNOWN_TABLE), (table, RefusalCode.NOT_THERE)):
        requests = (
            messages.Stand(1, number),
            messages.Leave(2, number),
            messages.Resign(3, number),
            messages.Invite(4, number),
            messages.Dismiss(5, number, Seat(0)),
            messages.Again(6, number),
            messages.Act(7, number, 1, Put()),
            messages.Say(8, number, "hm"),
        )
        for request in requests:
            assert harness.refused(ben, request).code == code


def test_talk_that_cannot_be_shown_is_refused() -> None:
    """Talk is printable, not empty, and not endless."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann)
    harness.sit(table, ann)
    for text in ("", "  ", "x" * (TALK_LENGTH + 1), "a\x07", "\u202egnol"):
        assert harness.refused(ann, messages.Say(1, table, text)).code == RefusalCode.BAD_TALK


# --- coming back ---


def test_coming_back_brings_what_was_missed_at_every_table() -> None:
    """With a token and numbers one gets the tail of each table, and no number is skipped."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    tables = [harness.open(ann, seats=3) for _ in range(3)]
    for table in tables:
        harness.sit(table, ann, ben)
    harness.lose(ann)
    for table in tables:
        harness.ok(ben, messages.Say(harness.request_id(), table, f"at {table}"))
    had = len(harness.mail[ann])
    welcome = harness.come_back(ann)
    assert welcome.tables == tuple(tables)
    told = [m for m in harness.mail[ann][had:] if isinstance(m, messages.Events)]
    assert sorted({m.table for m in told}) == tables
    assert not [m for m in harness.mail[ann][had:] if isinstance(m, messages.TableSnapshot)]


def test_coming_back_with_numbers_of_the_future_brings_the_whole_table() -> None:
    """A number that cannot be, or a table one is not at, is as if it had not been said."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table, other = harness.open(ann), harness.open(ben)
    harness.sit(table, ann)
    harness.sit(other, ben)
    harness.come_back(ann, [messages.Seen(table, 2**53 - 1), messages.Seen(other, 0), messages.Seen(999, 5)])
    assert isinstance(harness.mail[ann][-1], messages.TableSnapshot)
    assert not [m for m in harness.mail[ann] if getattr(m, "table", None) == other]


def test_coming_back_a_hundred_times_while_here_changes_nothing() -> None:
    """Coming back without having been lost is no event to anybody, and leaves nothing behind."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann)
    harness.sit(table, ann, ben)
    *before, _ = lobby_snapshot(harness.lobby, harness.now)  # but for the responses they had on the connection before
    had = len(harness.mail[ben])
    for _ in range(100):
        harness.come_back(ann)
    *after, _ = lobby_snapshot(harness.lobby, harness.now)
    assert after == before
    assert len(harness.mail[ben]) == had


def test_coming_back_to_the_longest_talk_fits_frames() -> None:
    """A tail of nothing but the longest talk comes in messages that each stay below a frame."""
    harness = LobbyHarness()
    name = "\U00020000" * 24
    ann, ben = harness.arrive("Ann"), harness.arrive(name)
    table = harness.open(ann, seats=4)
    harness.sit(table, ann, ben)
    harness.lose(ann)
    for _ in range(TAIL - 1):
        harness.ok(ben, messages.Say(harness.request_id(), table, "\U00020001" * TALK_LENGTH))
    had = len(harness.mail[ann])
    harness.come_back(ann)
    told = [m for m in harness.mail[ann][had:] if isinstance(m, messages.Events)]
    assert sum(len(m.events) for m in told) >= TAIL
    for message in told:
        assert len(FRAMES.encode(message)) <= FRAME_BYTES
        assert len(LINES.encode(message)) <= FRAME_BYTES


# --- the end ---


def test_draining_begins_nothing_new_and_lets_games_end() -> None:
    """No guest, table, seat or game is new; who is lost may come back, and moves are carried out."""
    harness = LobbyHarness()
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    table, half = harness.open(ann), harness.open(ann)
    harness.sit(table, ann, ben)
    harness.sit(half, ann)
    harness.drain()
    assert busy(harness)
    assert harness.turned_away(Arrive("Dan", is_bot=False, token=b"d")).refusal == RefusalCode.DRAINING
    for request in (messages.OpenTable(1, "put-1674"), messages.Sit(2, half), messages.Invite(3, half)):
        person = ann if isinstance(request, messages.Invite) else cat
        assert harness.refused(person, request).code == RefusalCode.DRAINING
    harness.lose(ann)
    harness.come_back(ann)
    harness.random_move()
    harness.ok(ann, messages.Resign(harness.request_id(), table))
    assert not busy(harness)
    assert harness.refused(ann, messages.Again(4, table)).code == RefusalCode.DRAINING


def test_restart_asks_the_house_again_and_nobody_is_here() -> None:
    """After a restart everyone is away, banks run, house players are told all, and the game goes on."""
    harness = LobbyHarness(seed=5)
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, seats=3)
    harness.sit(table, ann, ben)
    harness.ok(ann, messages.Invite(harness.request_id(), table))
    harness.restart()
    info = harness.lobby.tables[TableId(table)].info
    assert [seat.is_away for seat in info.seats] == [True, True, False]
    harness.come_back(ann)
    harness.come_back(ben)
    assert sum(isinstance(m, messages.Decision) for m in harness.mail[ann]) + len(harness.houses) > 0
    for _ in range(50):
        harness.house_moves()
        harness.random_move()
    assert harness.lobby.tables[TableId(table)].state in (TableState.PLAYING, TableState.BETWEEN)


def test_tick_that_changes_anything_says_so() -> None:
    """A tick by which somebody departs or a table is cleared away has an effect, even when nobody is told."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    harness.open(ann)
    harness.lose(ann)
    harness.now += max(FRESH_MS, GRACE_MS)
    assert harness.handle(Tick()).effects == [RecordInput(), RecordInput()]
    assert (harness.lobby.tables, harness.lobby.people) == ({}, {})
    again = folded(harness.records, new_lobby())
    assert lobby_snapshot(again.lobby, harness.now) == lobby_snapshot(harness.lobby, harness.now)


def test_memory_is_given_back_when_everyone_has_gone() -> None:
    """Opening and closing tables, coming and going, leave nothing in the lobby."""
    harness = LobbyHarness()
    for turn in range(50):
        ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
        harness.ok(ann, messages.Look(1))
        table = harness.open(ann)
        harness.sit(table, ann, ben)
        harness.lose(ben)
        harness.come_back(ben, [messages.Seen(table, turn)])
        harness.depart(ann)
        harness.depart(ben)
    kept = {
        name: value
        for name, value in vars(harness.lobby).items()
        if isinstance(value, dict | set) and name != "_games" and value
    }
    assert kept == {}
