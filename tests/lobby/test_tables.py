"""Tables of the lobby: opened, filled by the house, and cleared away when nobody needs them."""

import pytest

from put_protocol import messages
from put_protocol.games.put import GameEnded, Put, ThrowIn
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import Admits, TableState
from put_rules.registry import GAMES
from put_server.lobby.inputs import Admit, Arrive, Ask, Return
from put_server.lobby.open_tables import FRESH_MS
from put_server.table.table_effects import TableId, Tell
from tests.lobby.lobby_harness import TABLES, LobbyHarness, checkpointed, new_lobby, token_of

# --- opening ---


def test_open_tells_the_number_and_every_option() -> None:
    """A table has all options of its rule set, chosen or by default, and its owner is not yet at it."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann, options={"target": 3, "pack": 32}, turn=20, bank=60, gallery=False, passcode="x")
    info = harness.lobby.tables[TableId(table)].info
    defaults = GAMES["put-1674"].offer.defaults
    assert info.options == {**defaults, "target": 3, "pack": 32}
    assert (info.clock.turn, info.clock.bank, info.is_gallery_open, info.is_locked) == (20, 60, False, True)
    assert harness.lobby.people[ann].tables == ()
    assert harness.open(ann) == table + 1


def test_open_with_a_house_begins_a_game_at_once() -> None:
    """The person who opened the table sits, and the house at every other seat."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann, seats=3, house="steady")
    info = harness.lobby.tables[TableId(table)].info
    assert (info.state, info.seats[0].name) == (TableState.PLAYING, "Ann")
    assert [seat.house for seat in info.seats] == ["", "steady", "steady"]


def test_open_with_an_unknown_house_opens_nothing() -> None:
    """The refusal comes before there is a table."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    assert harness.refused(ann, messages.OpenTable(1, "put-1674", house="nobody")).code == RefusalCode.UNKNOWN_HOUSE
    assert not harness.lobby.tables
    refusal = harness.refused(ann, messages.OpenTable(2, "put-1674", admits=Admits.BOTS, house="steady"))
    assert refusal.code == RefusalCode.NOT_ADMITTED
    assert not harness.lobby.tables


@pytest.mark.parametrize(
    ("options", "name", "bounds"),
    [
        ({"target": 0}, "target", "from 1 to 21"),
        ({"target": 22}, "target", "from 1 to 21"),
        ({"target": 10**30}, "target", "from 1 to 21"),
        ({"target": "5"}, "target", "from 1 to 21"),
        ({"pack": 40}, "pack", "52, 32, 28"),
        ({"pack": "52"}, "pack", "52, 32, 28"),
        ({"cut": "middle"}, "cut", "high, low"),
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
    assert "2, 3, 4" in seats.says


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
    assert harness.lobby.people[ben].tables == ()
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


def test_agreement_to_a_game_that_has_begun_is_refused() -> None:
    """Nor is one to a game after the next; without a number it is to the next, as older clients mean it."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann)
    harness.sit(table, ann, ben)

    def again(game: int) -> messages.Again:
        return messages.Again(harness.request_id(), table, game)

    harness.ok(ben, messages.Resign(harness.request_id(), table))
    harness.ok(ann, again(2))
    harness.ok(ben, again(0))
    assert harness.lobby.tables[TableId(table)].info.games == 2
    for _ in range(2):
        for game in (2, 4):
            late = harness.refused(ann, again(game))
            assert (late.code, late.field) == (RefusalCode.TOO_LATE, "game")
            assert late.says == "you agreed to another game than the next, which is number 3"
        if harness.lobby.tables[TableId(table)].info.is_in_play:
            harness.ok(ben, messages.Resign(harness.request_id(), table))
    harness.ok(ben, again(3))
    assert harness.lobby.tables[TableId(table)].info.games == 2
    harness.ok(ann, again(3))
    assert harness.lobby.tables[TableId(table)].info.games == 3


# --- the end ---


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


def test_opener_sends_guests_away_between_games_and_keeps_them_out() -> None:
    """From a seat and from the gallery; each is told, and does not come back until the opener invites them."""
    harness = LobbyHarness(new_lobby(edition=2))
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    number = harness.open(ann, seats=3)
    harness.sit(number, ann, ben)
    harness.watch(number, cat)
    table = harness.lobby.tables[TableId(number)]
    for guest, name in ((ben, "bEn"), (cat, "Cat")):
        harness.ok(ann, messages.Dismiss(harness.request_id(), number, person=name))
        left = harness.mail[guest][-1]
        assert left == messages.Left(number, "the person who opened this table sent you away")
        assert table.seating.viewer_of(guest) is None
        assert harness.lobby.people[guest].tables == ()
        for request in (messages.Sit(harness.request_id(), number), messages.Watch(harness.request_id(), number)):
            assert harness.refused(guest, request).code == RefusalCode.NOT_ADMITTED
    harness.depart(ben)
    ben = harness.arrive("Ben")
    assert harness.refused(ben, messages.Sit(1, number)).code == RefusalCode.NOT_ADMITTED
    harness.sit(harness.open(ann), ben)
    again = checkpointed(harness.lobby, harness.now)
    assert again.tables[TableId(number)].seating.kept_out == ("ben", "cat")
    harness.ok(ann, messages.Invite(harness.request_id(), number, person="Ben"))
    harness.sit(number, ben)


def test_guest_is_sent_away_by_the_opener_alone_and_never_from_a_game() -> None:
    """Nor themselves, nor who is not there; a refusal keeps nobody out."""
    harness = LobbyHarness(new_lobby(edition=2))
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    number = harness.open(ann)
    harness.sit(number, ann)
    harness.watch(number, cat)
    table = harness.lobby.tables[TableId(number)]
    for person, name, code in (
        (cat, "Ann", RefusalCode.NOT_THERE),
        (ann, "Ann", RefusalCode.ALREADY_THERE),
        (ann, "Ben", RefusalCode.UNKNOWN_PERSON),
        (ann, "Nemo", RefusalCode.UNKNOWN_PERSON),
    ):
        assert harness.refused(person, messages.Dismiss(1, number, person=name)).code == code
    assert harness.refused(ann, messages.Dismiss(1, number)).code == RefusalCode.NO_SUCH_SEAT
    harness.sit(number, ben)
    for name in ("Ben", "Cat"):
        assert harness.refused(ann, messages.Dismiss(1, number, person=name)).code == RefusalCode.GAME_IN_PLAY
    assert table.seating.kept_out == ()


def test_spectators_of_any_unknown_language_share_a_message() -> None:
    """A client may name any language, and each time another: what is made for it is made once and not kept."""
    harness = LobbyHarness()
    host = harness.arrive("Host")
    table = harness.open(host)
    harness.sit(table, host)
    spectators = []
    for number in range(20):
        arrival = Arrive(f"Guest {number}", is_bot=False, token=token_of(f"{number}"), language=f"l{number}")
        answer = harness.handle(arrival).answer
        assert isinstance(answer, Admit)
        spectators.append(answer.person)
        harness.ok(answer.person, messages.Watch(harness.request_id(), table))
        harness.lose(answer.person)
        harness.handle(Return(token_of(f"{number}"), (), language=f"m{number}"))
    said = harness.handle(Ask(host, messages.Say(harness.request_id(), table, "hello"))).effects
    told = [effect.people for effect in said if isinstance(effect, Tell)]
    assert sorted(told) == [(host,), tuple(spectators)]


def test_time_out_looks_at_the_people_of_its_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server has thousands of others, and a thousand tables where time may be up."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, bank=60)
    harness.sit(table, ann, ben)
    harness.lose(ben)
    monkeypatch.setattr(harness.lobby.people, "values", None)
    harness.lobby.tables.tick(harness.now + 60_000)
    assert harness.lobby.people[ben].tables == ()
    assert harness.lobby.people[ann].tables == (table,)
