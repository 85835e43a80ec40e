"""The lobby: names, tables, passcodes, limits, and what those who look are told."""

from collections.abc import Callable

import pytest

from put_protocol import messages
from put_protocol.cards import RANKS, pack_of
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import GameEnded, Put, ThrowIn
from put_protocol.limits import FRAME_BYTES
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import TableState
from put_protocol.text import TALK_LENGTH
from put_server.games.registry import GAMES
from put_server.lobby.inputs import Arrive, Ask, Return, Tick
from put_server.lobby.news import PAGE
from put_server.lobby.presence import GRACE_MS
from put_server.lobby.tables import FRESH_MS
from put_server.table.effects import PersonId, RecordInput, TableId, Tell
from put_server.table.event_log import TAIL
from put_server.table.publisher import NEWS_MS
from tests.lobby.lobby_harness import TABLES, LobbyHarness, folded, lobby_snapshot, new_lobby, token_of


def news(harness: LobbyHarness, person: PersonId) -> list[messages.LobbyState]:
    return [message for message in harness.mail[person] if isinstance(message, messages.LobbyState)]


ARRANGED = " ".join(pack_of(RANKS))
"""The longest arrangement there is."""


def busy(harness: LobbyHarness) -> bool:
    return harness.lobby.is_busy


# --- names ---


@pytest.mark.parametrize("name", ["", "   ", " Ann", "Ann ", "x" * 25, "A\x1b[2J", "A\u202eB", "A\u200bB", "A\nB"])
def test_name_that_cannot_be_shown_is_turned_away(name: str) -> None:
    """Empty, padded, overlong and unprintable names do not come in."""
    harness = LobbyHarness()
    goodbye = harness.turned_away(Arrive(name, is_bot=False, token=token_of(name)))
    assert (goodbye.code, goodbye.refusal) == ("refused", RefusalCode.BAD_NAME)
    assert not harness.lobby.people


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "\uff21\uff4e\uff4e"])
def test_name_that_looks_the_same_is_taken(name: str) -> None:
    """Case and width do not make another person."""
    harness = LobbyHarness()
    harness.arrive("Ann")
    goodbye = harness.turned_away(Arrive(name, is_bot=False, token=token_of("other")))
    assert goodbye.refusal == RefusalCode.NAME_TAKEN


def test_name_composed_otherwise_is_taken() -> None:
    """An accent written apart from its letter does not make another person."""
    harness = LobbyHarness()
    harness.arrive("Zo\u00eb")
    goodbye = harness.turned_away(Arrive("Zoe\u0308", is_bot=False, token=token_of("other")))
    assert goodbye.refusal == RefusalCode.NAME_TAKEN


def test_name_is_free_again_after_departure() -> None:
    """A wilful end frees the name at once, and ends the token."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    harness.depart(ann)
    assert harness.turned_away(Return(token_of("Ann"), ())).refusal == RefusalCode.BAD_TOKEN
    assert harness.arrive("ann") != ann


def test_name_of_a_lost_player_is_kept_and_of_a_lost_guest_given_away() -> None:
    """Who is lost keeps the name while they sit; who only looked on loses it to whoever asks."""
    harness = LobbyHarness()
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    table = harness.open(ann)
    harness.sit(table, ann)
    harness.watch(table, ben)
    harness.lose(ann, ben, cat)
    assert harness.turned_away(Arrive("Ann", is_bot=False, token=b"a")).refusal == RefusalCode.NAME_TAKEN
    harness.handle(Arrive("Ben", is_bot=False, token=b"b"))
    assert harness.turned_away(Return(token_of("Ben"), ())).refusal == RefusalCode.BAD_TOKEN
    assert ben not in harness.lobby.people
    assert harness.lobby.tables[TableId(table)].seating.viewer_of(ben) is None


def test_name_of_a_lost_guest_is_kept_while_their_table_waits() -> None:
    """Its owner is about to sit at it; and once somebody else has, it waits for them no more."""
    harness = LobbyHarness()
    ann, ben = map(harness.arrive, ("Ann", "Ben"))
    table = harness.open(ann)
    harness.lose(ann)
    assert harness.turned_away(Arrive("Ann", is_bot=False, token=b"a")).refusal == RefusalCode.NAME_TAKEN
    assert ann in harness.lobby.people
    harness.sit(table, ben)
    harness.handle(Arrive("Ann", is_bot=False, token=b"a"))
    assert ann not in harness.lobby.people


def test_name_of_a_lost_guest_is_free_after_the_grace() -> None:
    """Nobody is expected back for ever."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    harness.lose(ann)
    harness.tick(GRACE_MS - 1)
    assert ann in harness.lobby.people
    harness.tick(1)
    assert not harness.lobby.people


def test_house_names_are_unlike_those_at_the_table() -> None:
    """A house player never sits beside its own name."""
    harness = LobbyHarness()
    doll = harness.arrive("doll")
    table = harness.open(doll, seats=4)
    harness.sit(table, doll)
    for _ in range(3):
        harness.ok(doll, messages.Invite(harness.request_id(), table))
    names = [seat.name or "" for seat in harness.lobby.tables[TableId(table)].info.seats]
    assert len({name.casefold() for name in names}) == 4


# --- opening ---


def test_open_tells_the_number_and_every_option() -> None:
    """A table has all options of its rule set, chosen or by default, and its owner is not yet at it."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann, options={"target": 3, "pack": 32}, turn=20, bank=60, gallery=False, passcode="x")
    info = harness.lobby.tables[TableId(table)].info
    defaults = {option.name: option.default for option in GAMES["put-1674"].offer.options}
    assert info.options == {**defaults, "target": 3, "pack": 32}
    assert (info.clock.turn, info.clock.bank, info.is_gallery_open, info.is_locked) == (20, 60, False, True)
    assert harness.lobby.people[ann].tables == set()
    assert harness.open(ann) == table + 1


@pytest.mark.parametrize(
    ("options", "name", "bounds"),
    [
        ({"target": 0}, "target", "from 1 to 21"),
        ({"target": 22}, "target", "from 1 to 21"),
        ({"target": 10**30}, "target", "from 1 to 21"),
        ({"target": "5"}, "target", "from 1 to 21"),
        ({"pack": 40}, "pack", "52 or 32 or 28"),
        ({"pack": "52"}, "pack", "52 or 32 or 28"),
        ({"cut": "middle"}, "cut", "high or low"),
        ({"cheat": 1}, "cheat", "drawn_put"),
        ({f"o{n}": n for n in range(5_000)}, "o0", "drawn_put"),
    ],
)
def test_open_with_a_bad_option_names_it_and_its_bounds(options: dict[str, int | str], name: str, bounds: str) -> None:
    """The refusal says which option was wrong and what may be chosen."""
    harness = LobbyHarness()
    refusal = harness.refused(harness.arrive("Ann"), messages.OpenTable(1, "put-1674", options=options))
    assert (refusal.code, refusal.field) == (RefusalCode.BAD_OPTION, name)
    assert bounds in refusal.says
    assert len(refusal.says) < 200


def test_open_with_a_bad_game_or_number_of_seats_says_what_there_is() -> None:
    """The refusal names the rule sets, or the numbers of seats."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    game = harness.refused(ann, messages.OpenTable(1, "whist"))
    assert (game.code, game.field) == (RefusalCode.UNKNOWN_GAME, "game")
    assert "put-1674" in game.says
    seats = harness.refused(ann, messages.OpenTable(2, "put-1674", seats=9))
    assert (seats.code, seats.field) == (RefusalCode.BAD_OPTION, "seats")
    assert "2 or 3 or 4" in seats.says


def test_open_has_a_limit_for_each_person() -> None:
    """Fresh tables count, so nobody opens more than they may be at; each has an own allowance."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    for _ in range(TABLES):
        harness.open(ann)
    assert harness.refused(ann, messages.OpenTable(99, "put-1674")).code == RefusalCode.TOO_MANY_TABLES
    harness.open(ben)


def test_open_has_a_limit_for_all() -> None:
    """The server holds so many tables and no more, until one is cleared away."""
    harness = LobbyHarness(new_lobby(tables=2))
    ann = harness.arrive("Ann")
    harness.open(ann)
    harness.open(ann)
    assert harness.refused(ann, messages.OpenTable(99, "put-1674")).code == RefusalCode.SERVER_FULL
    harness.tick(FRESH_MS)
    harness.open(ann)


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
    assert harness.lobby.people[ben].tables == set(tables[:TABLES])


def test_passcode_is_asked_of_whoever_comes() -> None:
    """Without the passcode nobody sits or watches; with it, and for its owner, the table is open."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, seats=3, passcode="sesame")
    for request in (
        messages.Sit(1, table),
        messages.Watch(2, table),
        messages.Sit(3, table, passcode="Sesame"),
        messages.Watch(4, table, passcode="sesam"),
    ):
        refusal = harness.refused(ben, request)
        assert (refusal.code, refusal.field) == (RefusalCode.WRONG_PASSCODE, "passcode")
        assert "sesame" not in refusal.says
    harness.sit(table, ann)
    harness.watch(table, ben, passcode="sesame")
    harness.sit(table, ben)  # Ben is inside


def test_passcode_is_asked_again_of_who_left() -> None:
    """Having been inside once, or being named like the owner, opens no table."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, seats=3, passcode="sesame")
    harness.watch(table, ben, passcode="sesame")
    harness.ok(ben, messages.Leave(harness.request_id(), table))
    assert harness.refused(ben, messages.Watch(90, table)).code == RefusalCode.WRONG_PASSCODE
    harness.watch(table, ben, passcode="sesame")
    harness.depart(ann)
    again = harness.arrive("Ann")
    assert harness.refused(again, messages.Sit(91, table)).code == RefusalCode.WRONG_PASSCODE
    assert harness.refused(again, messages.Invite(92, table)).code == RefusalCode.NOT_THERE


def test_passcode_is_not_passed_by_coming_back() -> None:
    """A token, whatever tables it claims to have seen, opens no table."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, passcode="sesame")
    harness.sit(table, ann)
    welcome = harness.come_back(ben, [messages.Seen(table, 0)])
    assert welcome.tables == ()
    assert not [m for m in harness.mail[ben] if isinstance(m, messages.TableSnapshot | messages.Events)]
    assert harness.refused(ben, messages.Sit(90, table)).code == RefusalCode.WRONG_PASSCODE


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


# --- tables that nobody needs ---


def test_fresh_table_waits_for_its_first_sitter() -> None:
    """A table nobody sat at yet is cleared away after a while, and not while somebody watches it."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    first, second = harness.open(ann), harness.open(ann)
    harness.watch(second, ben)
    harness.tick(FRESH_MS - 1)
    assert set(harness.lobby.tables) == {first, second}
    harness.tick(1)
    assert set(harness.lobby.tables) == {second}
    harness.ok(ben, messages.Leave(harness.request_id(), second))
    assert not harness.lobby.tables


def test_deserted_table_is_cleared_away_with_its_gallery() -> None:
    """When the last sitter goes the gallery is told, and the table is no more."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann)
    harness.sit(table, ann)
    harness.watch(table, ben)
    harness.ok(ann, messages.Stand(harness.request_id(), table))
    left = harness.mail[ben][-1]
    assert isinstance(left, messages.Left)
    assert left.table == table
    assert harness.lobby.people[ben].tables == set()
    assert harness.refused(ben, messages.Watch(90, table)).code == RefusalCode.UNKNOWN_TABLE


def test_deserted_table_of_the_house_is_cleared_away() -> None:
    """House players do not go on without any guest."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann, seats=3)
    harness.sit(table, ann)
    harness.ok(ann, messages.Invite(harness.request_id(), table))
    assert len(harness.houses) == 1
    harness.ok(ann, messages.Leave(harness.request_id(), table))
    assert (harness.lobby.tables, harness.houses) == ({}, {})


def test_deserted_table_that_wanted_a_pack_needs_none() -> None:
    """The last guest's leaving may end a hand and clear the table away at once: then nothing is dealt at it."""
    for seed in range(40):
        harness = LobbyHarness(seed=seed)
        ann = harness.arrive("Ann")
        table = harness.open(ann, seats=3)
        harness.sit(table, ann)
        harness.ok(ann, messages.Invite(harness.request_id(), table))
        harness.ok(ann, messages.Invite(harness.request_id(), table))
        found = harness.lobby.tables[TableId(table)]
        mover = found.seating.chairs[found.model.turn.seat or 0].sitter
        if mover is None or mover.id == ann:
            continue
        # One house player puts, the other throws in, and Ann, who is to answer, leaves.
        decisions = {person: asked for person, asked in harness.houses.items() if asked is not None}
        for person, asked in decisions.items():
            harness.house_answers(person, Put(), asked)
        answering = found.seating.chairs[found.model.turn.seat or 0].sitter
        if answering is None or answering.id == ann:
            continue
        asked_next = harness.houses[answering.id]
        assert asked_next is not None
        harness.house_answers(answering.id, ThrowIn(), asked_next)
        harness.depart(ann)
        assert (harness.lobby.tables, harness.houses) == ({}, {})
        return
    raise AssertionError("no deal had Ann answer last")


def test_invited_house_waits_for_the_opener_who_is_on_their_way() -> None:
    """The owner may invite before they sit; the table is not cleared away under them."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann)
    harness.ok(ann, messages.Invite(harness.request_id(), table))
    assert table in harness.lobby.tables
    harness.sit(table, ann)
    assert harness.lobby.tables[TableId(table)].state is TableState.PLAYING
    other = harness.open(ann)
    harness.ok(ann, messages.Invite(harness.request_id(), other))
    harness.tick(FRESH_MS)
    assert other not in harness.lobby.tables
    assert len(harness.houses) == 1


# --- the house ---


def test_house_is_invited_and_dismissed_by_who_sits_or_opened() -> None:
    """Only they may, only known house players come, and only they can be sent away."""
    harness = LobbyHarness()
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    table = harness.open(ann, seats=4)
    harness.sit(table, ben)
    harness.watch(table, cat)
    unknown = harness.refused(ben, messages.Invite(1, table, house="nobody"))
    assert unknown.code == RefusalCode.UNKNOWN_HOUSE
    assert "steady" in unknown.says
    assert harness.refused(cat, messages.Invite(2, table)).code == RefusalCode.NOT_THERE
    harness.ok(ben, messages.Invite(harness.request_id(), table))
    assert harness.ok(ann, messages.Invite(harness.request_id(), table, seat=Seat(3), house="rash")).seat == 3
    info = harness.lobby.tables[TableId(table)].info
    assert [seat.is_house for seat in info.seats] == [False, True, False, True]
    assert harness.refused(cat, messages.Dismiss(3, table, Seat(1))).code == RefusalCode.NOT_THERE
    assert harness.refused(ann, messages.Dismiss(4, table, Seat(0))).code == RefusalCode.NO_SUCH_SEAT
    harness.ok(ben, messages.Dismiss(harness.request_id(), table, Seat(3)))
    assert len(harness.houses) == 1


def test_house_plays_to_the_end_and_is_ready_for_more() -> None:
    """A game against the house ends, and the guest's word starts the next."""
    harness = LobbyHarness(seed=3)
    ann = harness.arrive("Ann")
    table = harness.open(ann)
    harness.sit(table, ann)
    harness.ok(ann, messages.Invite(harness.request_id(), table))
    for _ in range(2_000):
        if harness.lobby.tables[TableId(table)].state is TableState.BETWEEN:
            break
        harness.house_moves()
        harness.random_move()
    events = [event for m in harness.mail[ann] if isinstance(m, messages.Events) for event in m.events]
    assert [event for event in events if isinstance(event, GameEnded)]
    harness.ok(ann, messages.Again(harness.request_id(), table))
    assert harness.lobby.tables[TableId(table)].info.games == 2


# --- looking ---


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
        lobby._tables.last_id += 10**9  # as after years
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


# --- coming back ---


def test_coming_back_brings_what_was_missed_at_every_table() -> None:
    """With a token and numbers one gets the tail of each table; the tavern sees that no number is skipped."""
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
    assert harness.handle(Tick()) == (None, [RecordInput(), RecordInput()])
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


def test_table_left_to_the_house_and_its_spectators_is_cleared_away() -> None:
    """When the last guest has gone nobody can play with the house, so who watches is told that it is over."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann)
    harness.sit(table, ann)
    harness.watch(table, ben)
    harness.ok(ann, messages.Invite(1, table))
    harness.ok(ann, messages.Leave(2, table))
    assert TableId(table) not in harness.lobby.tables
    assert isinstance(harness.mail[ben][-1], messages.Left)


def test_table_its_opener_watches_waits_for_the_house() -> None:
    """Who opened a table may watch the house fill it, seat by seat."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann)
    harness.watch(table, ann)
    harness.ok(ann, messages.Invite(1, table))
    assert TableId(table) in harness.lobby.tables
