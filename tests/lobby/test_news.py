"""The lobby as those who look are told it: whole at first, then each change, at once or together, and never wrong."""

from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from put_protocol import messages
from put_protocol.cards import RANKS, pack_of
from put_protocol.codecs import FRAMES, LINES
from put_protocol.limits import FRAME_BYTES
from put_protocol.messages import Events, LobbySize, LobbyState
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.lobby import inputs
from put_server.lobby import news as news_module
from put_server.lobby.inputs import Arrive, Ask
from put_server.lobby.news import KEPT_CHANGES, PAGE, LobbyNews
from put_server.lobby.subscribers import ALL_TABLES
from put_server.table.clock import NEWS_MS
from put_server.table.table_effects import PersonId, TableId, Tell
from tests.lobby.lobby_harness import LobbyHarness, apply_news, new_lobby

ARRANGED = " ".join(pack_of(RANKS))
"""The longest arrangement there is."""


def news(harness: LobbyHarness, person: PersonId) -> list[LobbyState]:
    return [message for message in harness.mail[person] if isinstance(message, LobbyState)]


def counts(harness: LobbyHarness, person: PersonId) -> list[int]:
    """How many watch, as a person was told it without any event."""
    told = [message for message in harness.mail[person] if isinstance(message, Events) and not message.events]
    return [message.info.watchers for message in told if message.info is not None]


def test_lookers_are_told_every_change_once_and_nothing_else() -> None:
    """After the whole picture each change comes once; what changed nothing is silent."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    harness.ok(ann, messages.Look(1))
    assert [len(m.people) for m in news(harness, ann)] == [2]
    assert news(harness, ann)[0].begins
    steps: list[Callable[[], object]] = [
        lambda: harness.open(ben, seats=3),
        lambda: harness.sit(1, ben),
        lambda: harness.arrive("Cat"),
        lambda: harness.lose(ben),
        lambda: harness.come_back(ben),
        lambda: harness.ok(ben, messages.Leave(harness.request_id(), 1)),
        lambda: harness.depart(ben),
    ]
    for step in steps:
        had = len(news(harness, ann))
        harness.now += NEWS_MS
        step()
        assert len(news(harness, ann)) == had + 1
    had = len(news(harness, ann))
    harness.tick(1)
    harness.refused(ann, messages.Sit(90, 1))
    harness.ok(ann, messages.LookAway(91))
    harness.arrive("Dan")
    assert len(news(harness, ann)) == had


def test_lookers_are_told_where_people_are() -> None:
    """Who comes to a table or leaves it is told with their tables, as when one looks anew."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    harness.ok(ann, messages.Look(1))
    table = harness.open(ben)
    harness.now += NEWS_MS
    harness.sit(table, ben)
    (told,) = news(harness, ann)[-1].people
    assert (told.name, told.tables) == ("Ben", (table,))
    harness.now += NEWS_MS
    harness.ok(ben, messages.Stand(harness.request_id(), table))
    assert news(harness, ann)[-1].closed == (table,)
    assert news(harness, ann)[-1].people[0].tables == ()


def test_looking_ends_with_the_connection() -> None:
    """Who comes back must look again to be told."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    harness.ok(ann, messages.Look(1))
    harness.lose(ann)
    harness.come_back(ann)
    had = len(news(harness, ann))
    harness.arrive("Ben")
    assert len(news(harness, ann)) == had


def test_look_at_the_largest_lobby_fits_frames() -> None:
    """However full of the longest names and busiest people, each message of the lobby stays below a frame."""
    lobby = new_lobby(people=70, tables=70, each=64)
    people, wide = [], "\U00020000" * 22
    for number in range(70):
        lobby.handle(Arrive(f"{wide}{chr(0x2F00 + number)}", is_bot=True, token=bytes([number])), 0)
        people.append(PersonId(number + 1))
    for person in people[:64]:
        lobby.tables.last_id += 10**9  # as after years
        opening = messages.OpenTable(1, "put-1674", 4, {"arranged": ARRANGED}, turn=86_400, bank=86_400, passcode="x")
        lobby.handle(ask_of(person, opening), 0)
    for number, table in enumerate(sorted(lobby.tables)):
        for place in range(3):
            lobby.handle(ask_of(people[(number + place) % 70], messages.Sit(1, table, passcode="x")), 0)
    for person in people:
        for table in lobby.tables:
            lobby.handle(ask_of(person, messages.Watch(2, table, passcode="x")), 0)
    effects = lobby.handle(ask_of(people[0], messages.Look(3)), 0).effects
    pages = [e.message for e in effects if isinstance(e, Tell) and isinstance(e.message, messages.LobbyState)]
    assert sum(len(page.tables) for page in pages) == 64
    assert sum(len(page.people) for page in pages) == 70
    assert max(len(person.tables) for page in pages for person in page.people) == 64
    assert max(len(page.tables) for page in pages) == PAGE
    for page in pages:
        assert len(FRAMES.encode(page)) <= FRAME_BYTES
        assert len(LINES.encode(page)) <= FRAME_BYTES


def ask_of(person: PersonId, request: object) -> Ask:
    return Ask(person, request)  # type: ignore[arg-type]  # callers give requests


def test_first_news_after_a_quiet_time_is_told_at_once_and_the_rest_together() -> None:
    """One message for the first arrival, none for the next ten, and one for them all when time is up."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    harness.ok(ann, messages.Look(1))
    harness.now += NEWS_MS
    harness.arrive("First")
    assert [person.name for person in news(harness, ann)[-1].people] == ["First"]
    had = len(news(harness, ann))
    for number in range(10):
        harness.now += 5
        harness.arrive(f"Guest {number}")
        harness.tell_news()
    assert len(news(harness, ann)) == had
    harness.now += NEWS_MS - 50
    harness.tell_news()
    assert len(news(harness, ann)) == had + 1
    assert len(news(harness, ann)[-1].people) == 10
    harness.now += NEWS_MS
    harness.tell_news()
    assert len(news(harness, ann)) == had + 1


def test_what_came_and_went_in_between_is_not_told() -> None:
    """A guest and a table that nobody could have heard of are not mentioned; a name that was taken over is."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    harness.ok(ann, messages.Look(1))
    harness.now += NEWS_MS
    harness.arrive("First")
    had = len(news(harness, ann))
    cat = harness.arrive("Cat")
    harness.sit(harness.open(cat), cat)
    harness.depart(cat)
    harness.depart(ben)
    harness.arrive("Ben", is_bot=True)
    harness.now += NEWS_MS
    harness.tell_news()
    (told,) = news(harness, ann)[had:]
    assert told == LobbyState(people=told.people)
    assert [(person.name, person.is_bot) for person in told.people] == [("Ben", True)]


def test_news_never_mentions_a_table_before_it_is_known() -> None:
    """Where people are is told in the same message as the tables, or after."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    harness.ok(ann, messages.Look(1))
    for _ in range(3):
        harness.sit(harness.open(ben), ben)
        harness.now += 40
        harness.tell_news()
    known: set[int] = set()
    for message in news(harness, ann):
        known |= {table.id for table in message.tables}
        assert {table for person in message.people for table in person.tables} <= known


def test_who_begins_to_look_while_news_waits_has_the_lobby_right() -> None:
    """What they are told twice changes nothing, and nobody misses anything because another looked."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    harness.ok(ann, messages.Look(1))
    harness.now += NEWS_MS
    table = harness.open(ben)
    harness.sit(table, ben)
    cat = harness.arrive("Cat")
    harness.ok(cat, messages.Look(1))
    harness.ok(ben, messages.Leave(harness.request_id(), table))  # as Ann knows them, and not as Cat does
    harness.depart(ben)
    harness.arrive("Ben")
    harness.now += NEWS_MS
    harness.tell_news()
    assert harness.lobby_seen[ann] == harness.lobby_seen[cat]
    assert set(harness.lobby_seen[ann][1]) == {"Ann", "Ben", "Cat"}
    assert not harness.lobby_seen[cat][0]


def test_news_of_a_crowd_comes_in_pages() -> None:
    """However much waited, no message has more than a page of each; together they are one piece of news."""
    harness = LobbyHarness(new_lobby(people=200, tables=200, each=64))
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    harness.ok(ann, messages.Look(1))
    harness.now += NEWS_MS
    harness.arrive("First")
    had = len(news(harness, ann))
    gone = [harness.arrive(f"Guest {number}") for number in range(2 * PAGE + 1)]
    for _ in range(PAGE + 1):
        harness.open(ben)
    harness.now += NEWS_MS
    harness.tell_news()
    told = news(harness, ann)[had:]
    assert [len(message.people) for message in told] == [PAGE, PAGE, 1]
    assert [len(message.tables) for message in told] == [PAGE, 1, 0]
    for person in gone:
        harness.depart(person)
    harness.now += NEWS_MS
    harness.tell_news()
    assert all(len(message.departed) <= PAGE for message in news(harness, ann))


@pytest.mark.parametrize("seed", range(6))
def test_news_that_was_put_off_gives_the_same_lobby_as_all_of_it(seed: int) -> None:
    """Two subscribers of the same evening, one told every change and one told only the news of each tenth of a second,
    end with one picture, which is the lobby as it is. (The harness holds it after every input, too.)"""
    harness = LobbyHarness(seed=seed)
    ann = harness.arrive("Watcher")
    harness.ok(ann, messages.Look(harness.request_id()))
    for _ in range(400):
        harness.random_step()
        person = harness.lobby.people.get(ann)
        if person is None:
            break
        if not person.is_here:
            harness.come_back(ann)
        if ann not in harness.lobby.subscribers._news[ALL_TABLES].readers:
            harness.ok(ann, messages.Look(harness.request_id()))
        harness.tick(0)
    if ann in harness.lobby.people and harness.lobby.people[ann].is_here:
        harness.tick(10_000)
        known: tuple[dict, dict] = ({}, {})  # type: ignore[type-arg]
        for message in news(harness, ann):
            if message.begins:
                known = ({}, {})
            apply_news(known, message)
        assert known[0] == {table.id: table.info for table in harness.lobby.tables.values()}
        assert known[1] == {person.name: person.info() for person in harness.lobby.people.values()}


# --- galleries ---


def test_gallery_that_fills_is_told_in_tenths_of_a_second() -> None:
    """200 arrivals in a second are some ten messages to each who is there, not one for each arrival; and the last count
    is the right one."""
    harness = LobbyHarness(new_lobby(people=300))
    ann = harness.arrive("Ann")
    table = harness.open(ann, seats=3)
    harness.sit(table, ann)
    guests = [harness.arrive(f"Guest {number}") for number in range(200)]
    had = len(counts(harness, ann))
    for guest in guests:
        harness.now += 5
        harness.watch(table, guest)
        harness.tell_news()
    told = counts(harness, ann)[had:]
    assert told[0] == 1, "the first is told at once"
    assert len(told) <= 1 + 1_000 // NEWS_MS
    assert told == sorted(told)
    harness.now += 200
    harness.tell_news()
    assert counts(harness, ann)[-1] == 200
    assert counts(harness, guests[0])[-1] == 200
    harness.now += 1_000
    harness.tell_news()
    assert counts(harness, ann)[-1] == 200


def test_game_is_told_at_once_while_news_of_the_gallery_waits() -> None:
    """Nothing that a player needs waits for it, and it follows with the game or after."""
    harness = LobbyHarness()
    ann, ben, cat = harness.arrive("Ann"), harness.arrive("Ben"), harness.arrive("Cat")
    table = harness.open(ann, options={"target": 1})
    harness.sit(table, ann)
    harness.watch(table, cat)
    harness.ok(cat, messages.Leave(harness.request_id(), table))
    harness.watch(table, cat)
    harness.sit(table, ben)
    assert any(isinstance(message, messages.Decision) for message in harness.mail[ann] + harness.mail[ben])
    harness.ok(cat, messages.Leave(harness.request_id(), table))
    harness.now += NEWS_MS
    harness.tell_news()
    assert counts(harness, ann)[-1] == 0


def test_news_that_waits_is_nothing_to_keep() -> None:
    """Telling it is no record, and a lobby that was brought back owes nobody any."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, seats=3)
    harness.sit(table, ann)
    harness.watch(table, ben)
    harness.ok(ben, messages.Leave(harness.request_id(), table))
    assert harness.lobby.tables[TableId(table)].is_gallery_waiting
    assert inputs.changes_nothing(inputs.News())
    records = len(harness.records)
    harness.now += NEWS_MS
    harness.tell_news()
    assert len(harness.records) == records


def test_large_lobby_is_told_in_parts_and_ends_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins to look is told a few pages at a time, and what changes meanwhile to all: in the end everybody
    knows the same, which is the lobby as it is. Here a page has two tables and two people, and a part two pages."""
    monkeypatch.setattr(news_module, "PAGE", 2)
    monkeypatch.setattr(news_module, "AT_ONCE", 2)
    info = new_table_info()
    parts = 0
    for seed in range(60):
        random = Random(seed)
        tables = {number: info(number, 0) for number in range(1, 30)}
        people = {f"Guest {number}": PersonInfo(f"Guest {number}", False) for number in range(20)}
        told: LobbyNews[int] = LobbyNews(
            3 * NEWS_MS,
            table=tables.get,
            person=people.get,
            everything=lambda: (tables, people),  # noqa: B023 - at once
        )
        known: dict[int, tuple[dict[int, TableInfo], dict[str, PersonInfo]]] = {}
        for step in range(90):
            now = step * NEWS_MS // 2
            for _ in range(random.randrange(4)):
                number = random.randrange(1, 32)
                if random.random() < 0.2:
                    tables.pop(number, None)
                else:
                    tables[number] = info(number, random.randrange(3))
                told.note_table(number)
                name = f"Guest {random.randrange(22)}"
                if people.pop(name, None) is None:
                    people[name] = PersonInfo(name, False)
                told.note_person(name)
            if step in {3, 4, 20} or step == 7 + seed % 5:
                known[step] = {}, {}
                first = told.begin(step, now)
                assert [page.begins for page in first] == [True, False]
                for page in first:
                    apply_news(known[step], page)
            taken = list(told.take(now))
            rests = [one for readers, _ in taken if isinstance(readers, tuple) for one in readers]
            parts += len(rests) > 0
            assert all(rests.count(reader) <= 2 for reader in known)
            for readers, page in taken:
                for reader in readers:
                    apply_news(known[reader], page)
        for readers, page in told.take(10**6):
            for reader in readers:
                apply_news(known[reader], page)
        assert not told.is_due(10**6)
        assert all(picture == (tables, people) for picture in known.values())
    assert parts > 500


def test_readers_of_pages_are_told_what_is_on_them_and_of_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever comes and goes, a reader of some pages knows what is on these as it is, and how large the lobby is; a
    reader of two knows an entry that went from one to the other. Here a page has two tables and two people."""
    monkeypatch.setattr(news_module, "PAGE", 2)
    info = new_table_info()
    for seed in range(60):
        random = Random(seed)
        tables = {number: info(number, 0) for number in range(1, 15)}
        people = {f"Guest {number}": PersonInfo(f"Guest {number}", False) for number in range(8)}
        told: LobbyNews[int] = LobbyNews(
            0,
            table=tables.get,
            person=people.get,
            everything=lambda: (tables, people),  # noqa: B023 - at once
        )
        spans = [range(first, first + random.randrange(1, 4)) for first in range(6)]
        known: list[tuple[dict[int, TableInfo], dict[str, PersonInfo]]] = [({}, {}) for _ in spans]
        size = None
        for reader, span in enumerate(spans):
            for page in told.begin(reader, 0, span):
                assert page.page in span
                apply_news(known[reader], page)
        for step in range(1, 60):
            for _ in range(random.randrange(6)):
                number, name = random.randrange(1, 25), f"Guest {random.randrange(14)}"
                tables[number] = info(number, random.randrange(3))
                if random.random() < 0.5:
                    del tables[number]
                told.note_table(number)
                if people.pop(name, None) is None:
                    people[name] = PersonInfo(name, False)
                told.note_person(name)
            for readers, page in told.take(step):
                size = page.size
                for reader in readers:
                    assert page.page in spans[reader]
                    apply_news(known[reader], page)
            for span, picture in zip(spans, known, strict=True):
                assert picture[0] == {n: one for at in span for n, one in _on(told._tables.pages, at).items()}
                assert picture[1] == {n: one for at in span for n, one in _on(told._people.pages, at).items()}
            assert {n: one for page in told._tables.pages for n, one in page.items()} == tables
        assert size is not None
        assert (size.tables, size.people) == (len(tables), len(people))


Listed = TypeVar("Listed")


def _on(pages: list[dict[Any, Listed]], number: int) -> dict[Any, Listed]:
    return pages[number] if number < len(pages) else {}


def test_a_change_on_one_page_is_told_to_its_readers_alone() -> None:
    """And a filter has pages of its own: a table that no longer waits for players is gone from them."""
    lobby, now = new_lobby(people=200, tables=200, each=64), 0
    ann, ben, cat = PersonId(1), PersonId(2), PersonId(3)
    mail: dict[PersonId, list[LobbyState]] = {ann: [], ben: [], cat: []}

    def ask(person: PersonId, request: messages.Request) -> object:
        nonlocal now
        now += NEWS_MS
        outcome = lobby.handle(ask_of(person, request), now)
        for effect in outcome.effects:
            if isinstance(effect, Tell) and isinstance(effect.message, LobbyState):
                for reader in effect.people:
                    mail[reader].append(effect.message)
        return outcome.answer

    for number, name in enumerate(("Ann", "Ben", "Cat")):
        lobby.handle(Arrive(name, is_bot=False, token=bytes([number])), 0)
    for number in range(PAGE + 1):
        ask(ben, messages.OpenTable(number, "put-1674"))
    *_, last = lobby.tables
    ask(ann, messages.Look(1, page=0))
    assert mail[ann][0].size == LobbySize(PAGE + 1, 3, 2)
    assert sum(len(page.tables) for page in mail[ann]) == PAGE
    had = len(mail[ann])
    ask(ben, messages.Look(90, page=1))
    ask(cat, messages.Look(1, page=0, pages=2, game="put-1674", free=True))
    assert sum(len(page.tables) for page in mail[cat]) == PAGE + 1
    ask(ben, messages.Sit(91, last))
    ask(cat, messages.Sit(2, last))
    assert [table.id for page in mail[ann][had:] for table in page.tables] == []
    assert [table.id for page in mail[ben] for table in page.tables] == [last, last, last]
    assert (last,) in [page.closed for page in mail[cat]]
    refused = ask(cat, messages.Look(3, page=0, game="whist"))
    assert isinstance(refused, messages.Refused)
    assert refused.code == RefusalCode.UNKNOWN_GAME


def test_who_looks_is_sent_the_pages_of_those_before() -> None:
    """A table is described once for all who begin to look; a page is made anew only when something on it changed."""
    info = new_table_info()
    tables = {number: info(number, 0) for number in range(1, 2 * PAGE + 1)}
    described: list[int] = []

    def describe(number: int) -> TableInfo | None:
        described.append(number)
        return tables.get(number)

    told: LobbyNews[int] = LobbyNews(0, table=describe, person=lambda _: None, everything=lambda: (tables, ()))
    first = told.begin(1, 0)
    assert described == list(tables)
    told.forget(1)
    assert all(again is before for again, before in zip(told.begin(2, 0), first, strict=True))
    assert len(described) == len(tables)
    tables[2] = info(2, 1)
    told.note_table(2)
    changed, same = told.begin(3, 0)
    assert described[len(tables) :] == [2]
    assert changed.tables[1].watchers == 1
    assert same is first[1]


def test_pages_without_a_reader_are_kept_until_much_has_changed() -> None:
    """What changes while nobody looks takes no more room than some changes, and who looks then has the lobby right."""
    harness = LobbyHarness(new_lobby(people=2_000))
    ann = harness.arrive("Ann")
    harness.ok(ann, messages.Look(1))
    harness.ok(ann, messages.LookAway(2))
    told = harness.lobby.subscribers._news[ALL_TABLES]
    for number in range(KEPT_CHANGES + 50):
        harness.depart(harness.arrive(f"Guest {number}"))
        assert len(told._people.noted) <= KEPT_CHANGES
    assert not told._is_kept
    harness.arrive("Ben")
    harness.ok(ann, messages.Look(3))
    assert [person.name for person in news(harness, ann)[-1].people] == ["Ann", "Ben"]


def new_table_info() -> Callable[[int, int], TableInfo]:
    """Makes what the lobby says of a table with a number and so many spectators."""
    harness = LobbyHarness()
    harness.open(harness.arrive("Ann"))
    (table,) = harness.lobby.tables.values()
    return lambda number, watchers: replace(table.info, id=number, watchers=watchers)
