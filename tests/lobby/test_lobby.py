"""The lobby: names, tables, passcodes, limits, and what those who look are told."""

from collections.abc import Callable

import pytest

from put_protocol.cards import RANKS, pack_of
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import (
    GameEnded,
    Put,
    ThrowIn,
)
from put_protocol.limits import FRAME_BYTES
from put_protocol.messages import (
    Act,
    Again,
    Decision,
    Dismiss,
    Events,
    Invite,
    Leave,
    Left,
    LobbyState,
    Look,
    LookAway,
    OpenTable,
    Resign,
    Say,
    Seen,
    Sit,
    Stand,
    TableSnapshot,
    Watch,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import (
    TableState,
)
from put_protocol.text import TALK_LENGTH
from put_server.games.registry import GAMES
from put_server.lobby.inputs import Arrive, Ask, Return, Tick
from put_server.lobby.lobby import FRESH_MS, GRACE_MS, PAGE
from put_server.table.effects import Keep, PersonId, TableId
from put_server.table.event_log import TAIL
from tests.lobby.lobby_harness import TABLES, Tavern, folded, lobby_picture, new_lobby, token_of


def news(tavern: Tavern, person: PersonId) -> list[LobbyState]:
    return [message for message in tavern.mail[person] if isinstance(message, LobbyState)]


ARRANGED = " ".join(pack_of(RANKS))
"""The longest arrangement there is."""


def busy(tavern: Tavern) -> bool:
    return tavern.lobby.is_busy


# --- names ---


@pytest.mark.parametrize("name", ["", "   ", " Ann", "Ann ", "x" * 25, "A\x1b[2J", "A\u202eB", "A\u200bB", "A\nB"])
def test_name_that_cannot_be_shown_is_turned_away(name: str) -> None:
    """Empty, padded, overlong and unprintable names do not come in."""
    tavern = Tavern()
    goodbye = tavern.turned_away(Arrive(name, is_bot=False, token=token_of(name)))
    assert (goodbye.code, goodbye.refusal) == ("refused", RefusalCode.BAD_NAME)
    assert not tavern.lobby.people


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "\uff21\uff4e\uff4e"])
def test_name_that_looks_the_same_is_taken(name: str) -> None:
    """Case and width do not make another person."""
    tavern = Tavern()
    tavern.arrive("Ann")
    goodbye = tavern.turned_away(Arrive(name, is_bot=False, token=token_of("other")))
    assert goodbye.refusal == RefusalCode.NAME_TAKEN


def test_name_composed_otherwise_is_taken() -> None:
    """An accent written apart from its letter does not make another person."""
    tavern = Tavern()
    tavern.arrive("Zo\u00eb")
    goodbye = tavern.turned_away(Arrive("Zoe\u0308", is_bot=False, token=token_of("other")))
    assert goodbye.refusal == RefusalCode.NAME_TAKEN


def test_name_is_free_again_after_departure() -> None:
    """A wilful end frees the name at once, and ends the token."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    tavern.depart(ann)
    assert tavern.turned_away(Return(token_of("Ann"), ())).refusal == RefusalCode.BAD_TOKEN
    assert tavern.arrive("ann") != ann


def test_name_of_a_lost_player_is_kept_and_of_a_lost_guest_given_away() -> None:
    """Who is lost keeps the name while he sits; who only looked on loses it to whoever asks."""
    tavern = Tavern()
    ann, ben, cat = map(tavern.arrive, ("Ann", "Ben", "Cat"))
    table = tavern.open(ann)
    tavern.sit(table, ann)
    tavern.watch(table, ben)
    tavern.lose(ann, ben, cat)
    assert tavern.turned_away(Arrive("Ann", is_bot=False, token=b"a")).refusal == RefusalCode.NAME_TAKEN
    tavern.handle(Arrive("Ben", is_bot=False, token=b"b"))
    assert tavern.turned_away(Return(token_of("Ben"), ())).refusal == RefusalCode.BAD_TOKEN
    assert ben not in tavern.lobby.people
    assert tavern.lobby.tables[TableId(table)].viewer_of(ben) is None


def test_name_of_a_lost_guest_is_kept_while_the_table_he_opened_waits() -> None:
    """He is about to sit at it; and once somebody else has, it waits for him no more."""
    tavern = Tavern()
    ann, ben = map(tavern.arrive, ("Ann", "Ben"))
    table = tavern.open(ann)
    tavern.lose(ann)
    assert tavern.turned_away(Arrive("Ann", is_bot=False, token=b"a")).refusal == RefusalCode.NAME_TAKEN
    assert ann in tavern.lobby.people
    tavern.sit(table, ben)
    tavern.handle(Arrive("Ann", is_bot=False, token=b"a"))
    assert ann not in tavern.lobby.people


def test_name_of_a_lost_guest_is_free_after_his_grace() -> None:
    """Nobody is expected back for ever."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    tavern.lose(ann)
    tavern.tick(GRACE_MS - 1)
    assert ann in tavern.lobby.people
    tavern.tick(1)
    assert not tavern.lobby.people


def test_house_names_are_unlike_those_at_the_table() -> None:
    """A house player never sits beside its own name."""
    tavern = Tavern()
    doll = tavern.arrive("doll")
    table = tavern.open(doll, seats=4)
    tavern.sit(table, doll)
    for _ in range(3):
        tavern.ok(doll, Invite(tavern.request_id(), table))
    names = [seat.name or "" for seat in tavern.lobby.tables[TableId(table)].info.seats]
    assert len({name.casefold() for name in names}) == 4


# --- opening ---


def test_open_tells_the_number_and_every_option() -> None:
    """A table has all options of its rule set, chosen or by default, and its opener is not yet at it."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    table = tavern.open(ann, options={"target": 3, "pack": 32}, turn=20, bank=60, gallery=False, passcode="x")
    info = tavern.lobby.tables[TableId(table)].info
    defaults = {option.name: option.default for option in GAMES["put-1674"].offer.options}
    assert info.options == {**defaults, "target": 3, "pack": 32}
    assert (info.clock.turn, info.clock.bank, info.is_gallery_open, info.is_locked) == (20, 60, False, True)
    assert tavern.lobby.people[ann].tables == set()
    assert tavern.open(ann) == table + 1


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
    tavern = Tavern()
    refusal = tavern.refused(tavern.arrive("Ann"), OpenTable(1, "put-1674", options=options))
    assert (refusal.code, refusal.field) == (RefusalCode.BAD_OPTION, name)
    assert bounds in refusal.says
    assert len(refusal.says) < 200


def test_open_with_a_bad_game_or_number_of_seats_says_what_there_is() -> None:
    """The refusal names the rule sets, or the numbers of seats."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    game = tavern.refused(ann, OpenTable(1, "whist"))
    assert (game.code, game.field) == (RefusalCode.UNKNOWN_GAME, "game")
    assert "put-1674" in game.says
    seats = tavern.refused(ann, OpenTable(2, "put-1674", seats=9))
    assert (seats.code, seats.field) == (RefusalCode.BAD_OPTION, "seats")
    assert "2 or 3 or 4" in seats.says


def test_open_has_a_limit_for_each_person() -> None:
    """Fresh tables count, so nobody opens more than he may be at; each gets his own allowance."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    for _ in range(TABLES):
        tavern.open(ann)
    assert tavern.refused(ann, OpenTable(99, "put-1674")).code == RefusalCode.TOO_MANY_TABLES
    tavern.open(ben)


def test_open_has_a_limit_for_all() -> None:
    """The server holds so many tables and no more, until one is cleared away."""
    tavern = Tavern(new_lobby(tables=2))
    ann = tavern.arrive("Ann")
    tavern.open(ann)
    tavern.open(ann)
    assert tavern.refused(ann, OpenTable(99, "put-1674")).code == RefusalCode.SERVER_FULL
    tavern.tick(FRESH_MS)
    tavern.open(ann)


def test_arriving_has_a_limit() -> None:
    """A full server says so, and has room again when somebody goes."""
    tavern = Tavern(new_lobby(people=2))
    ann, _ = tavern.arrive("Ann"), tavern.arrive("Ben")
    assert tavern.turned_away(Arrive("Cat", is_bot=False, token=b"c")).refusal == RefusalCode.SERVER_FULL
    tavern.depart(ann)
    tavern.arrive("Cat")


# --- being at tables ---


def test_being_at_tables_has_a_limit() -> None:
    """One sits at and watches so many tables; to sit where one watches is no more than one."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    tables = [tavern.open(ann, seats=3) for _ in range(TABLES)] + [tavern.open(ben, seats=3)]
    for table in tables[:TABLES]:
        tavern.watch(table, ben)
    assert tavern.refused(ben, Watch(90, tables[-1])).code == RefusalCode.TOO_MANY_TABLES
    assert tavern.refused(ben, Sit(91, tables[-1])).code == RefusalCode.TOO_MANY_TABLES
    tavern.sit(tables[0], ben)
    assert tavern.lobby.people[ben].tables == set(tables[:TABLES])


def test_passcode_is_asked_of_whoever_comes() -> None:
    """Without the passcode nobody sits or watches; with it, and for its opener, the door is open."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann, seats=3, passcode="sesame")
    for request in (
        Sit(1, table),
        Watch(2, table),
        Sit(3, table, passcode="Sesame"),
        Watch(4, table, passcode="sesam"),
    ):
        refusal = tavern.refused(ben, request)
        assert (refusal.code, refusal.field) == (RefusalCode.WRONG_PASSCODE, "passcode")
        assert "sesame" not in refusal.says
    tavern.sit(table, ann)
    tavern.watch(table, ben, passcode="sesame")
    tavern.sit(table, ben)  # he is inside


def test_passcode_is_asked_again_of_who_left() -> None:
    """Having been inside once, or being named like the opener, opens no door."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann, seats=3, passcode="sesame")
    tavern.watch(table, ben, passcode="sesame")
    tavern.ok(ben, Leave(tavern.request_id(), table))
    assert tavern.refused(ben, Watch(90, table)).code == RefusalCode.WRONG_PASSCODE
    tavern.watch(table, ben, passcode="sesame")
    tavern.depart(ann)
    again = tavern.arrive("Ann")
    assert tavern.refused(again, Sit(91, table)).code == RefusalCode.WRONG_PASSCODE
    assert tavern.refused(again, Invite(92, table)).code == RefusalCode.NOT_THERE


def test_passcode_is_not_passed_by_coming_back() -> None:
    """A token, whatever tables it claims to have seen, opens no table."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann, passcode="sesame")
    tavern.sit(table, ann)
    welcome = tavern.come_back(ben, [Seen(table, 0)])
    assert welcome.tables == ()
    assert not [m for m in tavern.mail[ben] if isinstance(m, TableSnapshot | Events)]
    assert tavern.refused(ben, Sit(90, table)).code == RefusalCode.WRONG_PASSCODE


def test_requests_about_tables_that_are_not_there_are_refused() -> None:
    """Every request that names a table is refused when there is none, and when it is somebody else's business."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann, seats=3)
    tavern.sit(table, ann)
    for number, code in ((999, RefusalCode.UNKNOWN_TABLE), (table, RefusalCode.NOT_THERE)):
        requests = (
            Stand(1, number),
            Leave(2, number),
            Resign(3, number),
            Invite(4, number),
            Dismiss(5, number, Seat(0)),
            Again(6, number),
            Act(7, number, 1, Put()),
            Say(8, number, "hm"),
        )
        for request in requests:
            assert tavern.refused(ben, request).code == code


def test_talk_that_cannot_be_shown_is_refused() -> None:
    """Talk is printable, not empty, and not endless."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    table = tavern.open(ann)
    tavern.sit(table, ann)
    for text in ("", "  ", "x" * (TALK_LENGTH + 1), "a\x07", "\u202egnol"):
        assert tavern.refused(ann, Say(1, table, text)).code == RefusalCode.BAD_TALK


# --- tables that nobody needs ---


def test_fresh_table_waits_for_its_first_sitter() -> None:
    """A table nobody sat at yet is cleared away after a while, and not while somebody watches it."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    first, second = tavern.open(ann), tavern.open(ann)
    tavern.watch(second, ben)
    tavern.tick(FRESH_MS - 1)
    assert set(tavern.lobby.tables) == {first, second}
    tavern.tick(1)
    assert set(tavern.lobby.tables) == {second}
    tavern.ok(ben, Leave(tavern.request_id(), second))
    assert not tavern.lobby.tables


def test_deserted_table_is_cleared_away_with_its_gallery() -> None:
    """When the last sitter goes the gallery is told, and the table is no more."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann)
    tavern.sit(table, ann)
    tavern.watch(table, ben)
    tavern.ok(ann, Stand(tavern.request_id(), table))
    left = tavern.mail[ben][-1]
    assert isinstance(left, Left)
    assert left.table == table
    assert tavern.lobby.people[ben].tables == set()
    assert tavern.refused(ben, Watch(90, table)).code == RefusalCode.UNKNOWN_TABLE


def test_deserted_table_of_the_house_is_cleared_away() -> None:
    """House players do not go on without any guest."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    table = tavern.open(ann, seats=3)
    tavern.sit(table, ann)
    tavern.ok(ann, Invite(tavern.request_id(), table))
    assert len(tavern.houses) == 1
    tavern.ok(ann, Leave(tavern.request_id(), table))
    assert (tavern.lobby.tables, tavern.houses) == ({}, {})


def test_deserted_table_that_wanted_a_pack_needs_none() -> None:
    """The last guest's leaving may end a hand and clear the table away at once: then nothing is dealt at it."""
    for seed in range(40):
        tavern = Tavern(seed=seed)
        ann = tavern.arrive("Ann")
        table = tavern.open(ann, seats=3)
        tavern.sit(table, ann)
        tavern.ok(ann, Invite(tavern.request_id(), table))
        tavern.ok(ann, Invite(tavern.request_id(), table))
        found = tavern.lobby.tables[TableId(table)]
        mover = found.chairs[found._mover or 0].sitter
        if mover is None or mover.id == ann:
            continue
        # One house player puts, the other throws in, and she who is to answer leaves.
        decisions = {person: asked for person, asked in tavern.houses.items() if asked is not None}
        for person, asked in decisions.items():
            tavern.house_answers(person, Put(), asked)
        answering = found.chairs[found._mover or 0].sitter
        if answering is None or answering.id == ann:
            continue
        asked_next = tavern.houses[answering.id]
        assert asked_next is not None
        tavern.house_answers(answering.id, ThrowIn(), asked_next)
        tavern.depart(ann)
        assert (tavern.lobby.tables, tavern.houses) == ({}, {})
        return
    raise AssertionError("no deal had her answer last")


def test_invited_house_waits_for_the_opener_who_is_on_his_way() -> None:
    """The opener may invite before he sits; the table is not cleared away under him."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    table = tavern.open(ann)
    tavern.ok(ann, Invite(tavern.request_id(), table))
    assert table in tavern.lobby.tables
    tavern.sit(table, ann)
    assert tavern.lobby.tables[TableId(table)].state is TableState.PLAYING
    other = tavern.open(ann)
    tavern.ok(ann, Invite(tavern.request_id(), other))
    tavern.tick(FRESH_MS)
    assert other not in tavern.lobby.tables
    assert len(tavern.houses) == 1


# --- the house ---


def test_house_is_invited_and_dismissed_by_who_sits_or_opened() -> None:
    """Only they may, only known house players come, and only they can be sent away."""
    tavern = Tavern()
    ann, ben, cat = map(tavern.arrive, ("Ann", "Ben", "Cat"))
    table = tavern.open(ann, seats=4)
    tavern.sit(table, ben)
    tavern.watch(table, cat)
    unknown = tavern.refused(ben, Invite(1, table, house="nobody"))
    assert unknown.code == RefusalCode.UNKNOWN_HOUSE
    assert "steady" in unknown.says
    assert tavern.refused(cat, Invite(2, table)).code == RefusalCode.NOT_THERE
    tavern.ok(ben, Invite(tavern.request_id(), table))
    assert tavern.ok(ann, Invite(tavern.request_id(), table, seat=Seat(3), house="rash")).seat == 3
    info = tavern.lobby.tables[TableId(table)].info
    assert [seat.is_house for seat in info.seats] == [False, True, False, True]
    assert tavern.refused(cat, Dismiss(3, table, Seat(1))).code == RefusalCode.NOT_THERE
    assert tavern.refused(ann, Dismiss(4, table, Seat(0))).code == RefusalCode.NO_SUCH_SEAT
    tavern.ok(ben, Dismiss(tavern.request_id(), table, Seat(3)))
    assert len(tavern.houses) == 1


def test_house_plays_to_the_end_and_is_ready_for_more() -> None:
    """A game against the house ends, and the guest's word starts the next."""
    tavern = Tavern(seed=3)
    ann = tavern.arrive("Ann")
    table = tavern.open(ann)
    tavern.sit(table, ann)
    tavern.ok(ann, Invite(tavern.request_id(), table))
    for _ in range(2_000):
        if tavern.lobby.tables[TableId(table)].state is TableState.BETWEEN:
            break
        tavern.house_moves()
        tavern.random_move()
    events = [event for m in tavern.mail[ann] if isinstance(m, Events) for event in m.events]
    assert [event for event in events if isinstance(event, GameEnded)]
    tavern.ok(ann, Again(tavern.request_id(), table))
    assert tavern.lobby.tables[TableId(table)].info.games == 2


# --- looking ---


def test_lookers_are_told_every_change_once_and_nothing_else() -> None:
    """After the whole picture each change comes once; what changed nothing is silent."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    tavern.ok(ann, Look(1))
    assert [len(m.people) for m in news(tavern, ann)] == [2]
    assert news(tavern, ann)[0].begins
    steps: list[Callable[[], object]] = [
        lambda: tavern.open(ben, seats=3),
        lambda: tavern.sit(1, ben),
        lambda: tavern.arrive("Cat"),
        lambda: tavern.lose(ben),
        lambda: tavern.come_back(ben),
        lambda: tavern.ok(ben, Leave(tavern.request_id(), 1)),
        lambda: tavern.depart(ben),
    ]
    for step in steps:
        had = len(news(tavern, ann))
        step()
        assert len(news(tavern, ann)) == had + 1
    had = len(news(tavern, ann))
    tavern.tick(1)
    tavern.refused(ann, Sit(90, 1))
    tavern.ok(ann, LookAway(91))
    tavern.arrive("Dan")
    assert len(news(tavern, ann)) == had


def test_lookers_are_told_where_people_are() -> None:
    """Who comes to a table or leaves it is told with his tables, as when one looks anew."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    tavern.ok(ann, Look(1))
    table = tavern.open(ben)
    tavern.sit(table, ben)
    (told,) = news(tavern, ann)[-1].people
    assert (told.name, told.tables) == ("Ben", (table,))
    tavern.ok(ben, Stand(tavern.request_id(), table))
    assert news(tavern, ann)[-1].closed == (table,)
    assert news(tavern, ann)[-1].people[0].tables == ()


def test_looking_ends_with_the_connection() -> None:
    """Who comes back must look again to be told."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    tavern.ok(ann, Look(1))
    tavern.lose(ann)
    tavern.come_back(ann)
    had = len(news(tavern, ann))
    tavern.arrive("Ben")
    assert len(news(tavern, ann)) == had


def test_look_at_the_largest_lobby_fits_frames() -> None:
    """However full of the longest names and busiest people, each message of the lobby stays below a frame."""
    lobby = new_lobby(people=70, tables=70, each=64)
    people, wide = [], "\U00020000" * 22
    for number in range(70):
        lobby.handle(Arrive(f"{wide}{chr(0x2F00 + number)}", is_bot=True, token=bytes([number])), 0)
        people.append(PersonId(number + 1))
    for person in people[:64]:
        lobby._last_table += 10**9  # as after years
        opening = OpenTable(1, "put-1674", 4, {"arranged": ARRANGED}, turn=86_400, bank=86_400, passcode="x")
        lobby.handle(ask_of(person, opening), 0)
    for number, table in enumerate(sorted(lobby.tables)):
        for place in range(3):
            lobby.handle(ask_of(people[(number + place) % 70], Sit(1, table, passcode="x")), 0)
    for person in people:
        for table in lobby.tables:
            lobby.handle(ask_of(person, Watch(2, table, passcode="x")), 0)
    told = [effect.message for effect in lobby.handle(ask_of(people[0], Look(3)), 0) if hasattr(effect, "message")]
    pages = [message for message in told if isinstance(message, LobbyState)]
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
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    tables = [tavern.open(ann, seats=3) for _ in range(3)]
    for table in tables:
        tavern.sit(table, ann, ben)
    tavern.lose(ann)
    for table in tables:
        tavern.ok(ben, Say(tavern.request_id(), table, f"at {table}"))
    had = len(tavern.mail[ann])
    welcome = tavern.come_back(ann)
    assert welcome.tables == tuple(tables)
    told = [m for m in tavern.mail[ann][had:] if isinstance(m, Events)]
    assert sorted({m.table for m in told}) == tables
    assert not [m for m in tavern.mail[ann][had:] if isinstance(m, TableSnapshot)]


def test_coming_back_with_numbers_of_the_future_brings_the_whole_table() -> None:
    """A number that cannot be, or a table one is not at, is as if it had not been said."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table, other = tavern.open(ann), tavern.open(ben)
    tavern.sit(table, ann)
    tavern.sit(other, ben)
    tavern.come_back(ann, [Seen(table, 2**53 - 1), Seen(other, 0), Seen(999, 5)])
    assert isinstance(tavern.mail[ann][-1], TableSnapshot)
    assert not [m for m in tavern.mail[ann] if getattr(m, "table", None) == other]


def test_coming_back_a_hundred_times_while_here_changes_nothing() -> None:
    """Coming back without having been lost is no event to anybody, and leaves nothing behind."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann)
    tavern.sit(table, ann, ben)
    *before, _ = lobby_picture(tavern.lobby, tavern.now)  # but for the answers he had on the connection before
    had = len(tavern.mail[ben])
    for _ in range(100):
        tavern.come_back(ann)
    *after, _ = lobby_picture(tavern.lobby, tavern.now)
    assert after == before
    assert len(tavern.mail[ben]) == had


def test_coming_back_to_the_longest_talk_fits_frames() -> None:
    """A tail of nothing but the longest talk comes in messages that each stay below a frame."""
    tavern = Tavern()
    name = "\U00020000" * 24
    ann, ben = tavern.arrive("Ann"), tavern.arrive(name)
    table = tavern.open(ann, seats=4)
    tavern.sit(table, ann, ben)
    tavern.lose(ann)
    for _ in range(TAIL - 1):
        tavern.ok(ben, Say(tavern.request_id(), table, "\U00020001" * TALK_LENGTH))
    had = len(tavern.mail[ann])
    tavern.come_back(ann)
    told = [m for m in tavern.mail[ann][had:] if isinstance(m, Events)]
    assert sum(len(m.events) for m in told) >= TAIL
    for message in told:
        assert len(FRAMES.encode(message)) <= FRAME_BYTES
        assert len(LINES.encode(message)) <= FRAME_BYTES


# --- the end ---


def test_draining_begins_nothing_new_and_lets_games_end() -> None:
    """No guest, table, seat or game is new; who is lost may come back, and moves are carried out."""
    tavern = Tavern()
    ann, ben, cat = map(tavern.arrive, ("Ann", "Ben", "Cat"))
    table, half = tavern.open(ann), tavern.open(ann)
    tavern.sit(table, ann, ben)
    tavern.sit(half, ann)
    tavern.drain()
    assert busy(tavern)
    assert tavern.turned_away(Arrive("Dan", is_bot=False, token=b"d")).refusal == RefusalCode.DRAINING
    for request in (OpenTable(1, "put-1674"), Sit(2, half), Invite(3, half)):
        person = ann if isinstance(request, Invite) else cat
        assert tavern.refused(person, request).code == RefusalCode.DRAINING
    tavern.lose(ann)
    tavern.come_back(ann)
    tavern.random_move()
    tavern.ok(ann, Resign(tavern.request_id(), table))
    assert not busy(tavern)
    assert tavern.refused(ann, Again(4, table)).code == RefusalCode.DRAINING


def test_restart_asks_the_house_again_and_nobody_is_here() -> None:
    """After a restart everyone is away, banks run, house players are told all, and the game goes on."""
    tavern = Tavern(seed=5)
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann, seats=3)
    tavern.sit(table, ann, ben)
    tavern.ok(ann, Invite(tavern.request_id(), table))
    tavern.restart()
    info = tavern.lobby.tables[TableId(table)].info
    assert [seat.is_away for seat in info.seats] == [True, True, False]
    tavern.come_back(ann)
    tavern.come_back(ben)
    assert sum(isinstance(m, Decision) for m in tavern.mail[ann]) + len(tavern.houses) > 0
    for _ in range(50):
        tavern.house_moves()
        tavern.random_move()
    assert tavern.lobby.tables[TableId(table)].state in (TableState.PLAYING, TableState.BETWEEN)


def test_tick_that_changes_anything_says_so() -> None:
    """A tick by which somebody departs or a table is cleared away has an effect, even when nobody is told."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    tavern.open(ann)
    tavern.lose(ann)
    tavern.now += max(FRESH_MS, GRACE_MS)
    assert tavern.handle(Tick()) == [Keep(), Keep()]
    assert (tavern.lobby.tables, tavern.lobby.people) == ({}, {})
    again = folded(tavern.records, new_lobby())
    assert lobby_picture(again.lobby, tavern.now) == lobby_picture(tavern.lobby, tavern.now)


def test_memory_is_given_back_when_everyone_has_gone() -> None:
    """Opening and closing tables, coming and going, leave nothing in the lobby."""
    tavern = Tavern()
    for turn in range(50):
        ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
        tavern.ok(ann, Look(1))
        table = tavern.open(ann)
        tavern.sit(table, ann, ben)
        tavern.lose(ben)
        tavern.come_back(ben, [Seen(table, turn)])
        tavern.depart(ann)
        tavern.depart(ben)
    kept = {
        name: value
        for name, value in vars(tavern.lobby).items()
        if isinstance(value, dict | set) and name != "_games" and value
    }
    assert kept == {}


def test_table_left_to_the_house_and_its_spectators_is_cleared_away() -> None:
    """When the last guest has gone nobody can play with the house, so who watches is told that it is over."""
    tavern = Tavern()
    ann, ben = tavern.arrive("Ann"), tavern.arrive("Ben")
    table = tavern.open(ann)
    tavern.sit(table, ann)
    tavern.watch(table, ben)
    tavern.ok(ann, Invite(1, table))
    tavern.ok(ann, Leave(2, table))
    assert TableId(table) not in tavern.lobby.tables
    assert isinstance(tavern.mail[ben][-1], Left)


def test_table_its_opener_watches_waits_for_the_house() -> None:
    """Who opened a table may watch the house fill it, seat by seat."""
    tavern = Tavern()
    ann = tavern.arrive("Ann")
    table = tavern.open(ann)
    tavern.watch(table, ann)
    tavern.ok(ann, Invite(1, table))
    assert TableId(table) in tavern.lobby.tables
