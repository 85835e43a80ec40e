"""Places: quotas by address, who gives up a place for whom, and what the operator allows."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState
from put_server.lobby.inputs import Admit, Arrive, Ask, Restart, Return
from put_server.lobby.lobby import Lobby
from put_server.lobby.policy import Policy
from put_server.lobby.settling import settle
from put_server.settings import Settings
from put_server.table.table_effects import PersonId, SentAway, TableId
from tests.lobby.lobby_harness import LobbyHarness, checkpointed, folded, lobby_snapshot, new_lobby, token_of

OURS, THEIRS = "192.0.2.1", "203.0.113.9"


def harness_with(*, each: int = 64, **allowed: int) -> LobbyHarness:
    return LobbyHarness(new_lobby(each=each, **allowed))


def turned_away(harness: LobbyHarness, name: str, origin: str = "") -> messages.Goodbye:
    return harness.turned_away(Arrive(name, is_bot=False, token=token_of(name), origin=origin))


def pair(harness: LobbyHarness, number: int, origin: str = "", **fields: object) -> tuple[int, PersonId, PersonId]:
    """A table with a game in play, and its players."""
    one, two = (harness.arrive(f"{side} {number}", origin=origin) for side in ("left", "right"))
    table = harness.open(one, **fields)
    harness.sit(table, one, two)
    return table, one, two


# --- quotas by address ---


def test_people_from_one_address_have_a_quota() -> None:
    """One more is refused and told why; others come in, and whoever has no origin always does."""
    harness = harness_with(people_per_origin=2)
    harness.arrive("Ann", origin=OURS)
    ben = harness.arrive("Ben", origin=OURS)
    goodbye = turned_away(harness, "Cat", OURS)
    assert goodbye.refusal == RefusalCode.SERVER_FULL
    assert "from your address" in goodbye.says
    harness.arrive("Dan", origin=THEIRS)
    for number in range(5):
        harness.arrive(f"Exempt {number}")
    harness.depart(ben)
    harness.arrive("Cat", origin=OURS)


def test_whoever_comes_back_is_not_counted_again() -> None:
    """A token brings its person back from any address, full or not, and they count where they came from first."""
    harness = harness_with(people_per_origin=1)
    ann, ben = harness.arrive("Ann", origin=OURS), harness.arrive("Ben", origin=THEIRS)
    harness.lose(ann)
    known = harness.lobby.people[ann]
    harness.handle(return_of(known.token, THEIRS))
    assert known.is_here
    assert turned_away(harness, "Cat", OURS).refusal == RefusalCode.SERVER_FULL
    harness.depart(ben)
    harness.arrive("Dan", origin=THEIRS)


def test_two_addresses_do_not_fill_a_server() -> None:
    """Who arrives from one and comes back from the other still counts for the first."""
    harness = harness_with(people_per_origin=3)
    for number in range(3):
        person = harness.arrive(f"Crowd {number}", origin=OURS)
        harness.lose(person)
        harness.handle(return_of(harness.lobby.people[person].token, THEIRS))
    assert turned_away(harness, "One more", OURS).refusal == RefusalCode.SERVER_FULL
    harness.arrive("Another", origin=THEIRS)


def test_who_came_before_there_were_origins_counts_where_they_come_back_from() -> None:
    """People of a former release have none until then."""
    harness = harness_with(people_per_origin=1)
    ann = harness.arrive("Ann")
    harness.lose(ann)
    harness.handle(return_of(harness.lobby.people[ann].token, OURS))
    assert turned_away(harness, "Ben", OURS).refusal == RefusalCode.SERVER_FULL


def return_of(token: bytes, origin: str) -> Return:
    return Return(token, (), origin=origin)


def test_tables_opened_from_one_address_have_a_quota() -> None:
    """They count for their address also when whoever opened them has gone."""
    harness = harness_with(tables_per_origin=2)
    ann, ben, cat = (harness.arrive(name, origin=OURS) for name in ("Ann", "Ben", "Cat"))
    dan = harness.arrive("Dan", origin=THEIRS)
    table = harness.open(ann, seats=3)
    harness.sit(table, ann, ben)
    harness.open(ben)
    refusal = harness.refused(cat, messages.OpenTable(1, "put-1674"))
    assert refusal.code == RefusalCode.SERVER_FULL
    assert "from your address" in refusal.says
    harness.depart(ann)
    assert table in harness.lobby.tables
    assert harness.refused(cat, messages.OpenTable(2, "put-1674")).code == RefusalCode.SERVER_FULL
    harness.open(dan)
    harness.depart(ben)
    harness.open(cat)


def test_quotas_survive_a_restart() -> None:
    """Origins of people and tables are kept, from records and from a checkpoint."""
    harness = harness_with(people_per_origin=2, tables_per_origin=1)
    harness.handle(Restart(policy=harness.lobby.policy))
    ann, ben = harness.arrive("Ann", origin=OURS), harness.arrive("Ben", origin=OURS)
    table = harness.open(ann, seats=3)
    harness.sit(table, ann, ben)
    again = folded(harness.records, new_lobby(each=64))
    assert lobby_snapshot(again.lobby, harness.now) == lobby_snapshot(harness.lobby, harness.now)
    harness.lobby = checkpointed(harness.lobby, harness.now)
    for known in (again, harness):
        assert known.lobby.tables[harness.lobby.tables[table].id].model.origin == OURS  # type: ignore[index]
        assert turned_away(known, "Cat", OURS).refusal == RefusalCode.SERVER_FULL
        assert known.refused(ben, messages.OpenTable(1, "put-1674")).code == RefusalCode.SERVER_FULL


def test_nobody_is_told_an_origin() -> None:
    """Not in the lobby, not at a table, not in an invitation."""
    harness = harness_with()
    ann, ben = harness.arrive("Ann", origin=OURS), harness.arrive("Ben", origin=THEIRS)
    harness.ok(ann, messages.Look(harness.request_id()))
    table = harness.open(ann)
    harness.ok(ann, messages.Invite(harness.request_id(), table, person="Ben"))
    harness.sit(table, ann, ben)
    assert not [m for mail in harness.mail.values() for m in mail if OURS in repr(m) or THEIRS in repr(m)]


# --- room is made ---


def test_day_long_banks_lock_nobody_out() -> None:
    """Pairs that sat down with a bank of a day and hung up fill people and tables; whoever comes gets in and plays,
    one after another, until nobody is left of those who hung up. So it goes after a restart."""
    harness = harness_with(people=40, tables=20)
    harness.handle(Restart(policy=harness.lobby.policy))
    for number in range(20):
        _, one, two = pair(harness, number, f"10.0.0.{number}", bank=86_400)
        harness.now += 10
        harness.lose(one, two)
    harness.tick(200_000)
    assert len(harness.lobby.tables) == 20
    harness.restart()
    guests = [harness.arrive(f"Guest {number}", origin=OURS) for number in range(40)]
    for one, two in zip(guests[::2], guests[1::2], strict=True):
        table = harness.open(one)
        harness.sit(table, one, two)
        assert harness.lobby.tables[table].state is TableState.PLAYING  # type: ignore[index]
    assert set(harness.lobby.people) == set(guests)
    assert turned_away(harness, "One more").refusal == RefusalCode.SERVER_FULL


def test_who_sits_nowhere_gives_up_their_place_first() -> None:
    """The longest away of them, before any player is looked at."""
    harness = harness_with(people=4)
    table, one, two = pair(harness, 1)
    harness.lose(one, two)
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    harness.now += 1_000
    harness.lose(ben)
    harness.now += 1_000
    harness.lose(ann)
    harness.arrive("Cat")
    assert ben not in harness.lobby.people
    harness.arrive("Dan")
    assert ann not in harness.lobby.people
    assert table in harness.lobby.tables
    harness.arrive("Eve")
    assert one not in harness.lobby.people
    assert two in harness.lobby.people


def test_who_never_played_gives_up_their_place_before_a_player() -> None:
    """Though the player went first: a game in play is missed more than a chair."""
    harness = harness_with(people=3)
    _, one, two = pair(harness, 1)
    ann = harness.arrive("Ann")
    harness.sit(harness.open(ann), ann)
    harness.lose(one, two)
    harness.now += 5_000
    harness.lose(ann)
    harness.arrive("Ben")
    assert ann not in harness.lobby.people
    assert {one, two} <= set(harness.lobby.people)


def test_place_opposite_somebody_who_is_here_is_kept() -> None:
    """Their bank is what they have; a full server takes nothing from who plays with somebody present."""
    harness = harness_with(people=2, tables=1)
    table, one, two = pair(harness, 1)
    harness.lose(one)
    assert turned_away(harness, "Cat").refusal == RefusalCode.SERVER_FULL
    assert harness.refused(two, messages.OpenTable(1, "put-1674")).code == RefusalCode.SERVER_FULL
    harness.come_back(one)
    assert harness.lobby.tables[table].state is TableState.PLAYING  # type: ignore[index]


def test_tables_give_way_in_the_order_of_how_much_they_are_missed() -> None:
    """A table whose opener hung up; one where nobody ever played; one that is over; one in play; one at rest."""
    harness = harness_with(tables=5)
    resting, *two = pair(harness, 1)
    for person in two:
        harness.ok(person, messages.Pause(harness.request_id(), resting, 60))
    harness.lose(*two)
    playing, *two = pair(harness, 2)
    harness.lose(*two)
    over, *two = pair(harness, 3)
    harness.ok(two[0], messages.Resign(harness.request_id(), over))
    harness.lose(*two)
    ann, ben, cat = harness.arrive("Ann"), harness.arrive("Ben"), harness.arrive("Cat")
    never = harness.open(ann)
    harness.sit(never, ann)
    fresh = harness.open(ben)
    harness.lose(ann, ben)
    for expected in (fresh, never, over, playing, resting):
        assert expected in harness.lobby.tables
        harness.open(cat)
        assert expected not in harness.lobby.tables
    assert harness.refused(cat, messages.OpenTable(1, "put-1674")).code == RefusalCode.SERVER_FULL


def test_table_that_is_watched_by_its_only_players_stays() -> None:
    """Where only the house plays, its spectators are who would miss it; at other tables they are not."""
    harness = harness_with(tables=2)
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann)
    harness.watch(table, ann)
    for _ in range(2):
        harness.ok(ann, messages.Invite(harness.request_id(), table))
    played, one, two = pair(harness, 1)
    harness.watch(played, ben)
    harness.lose(one, two)
    harness.open(ben)
    assert table in harness.lobby.tables
    assert played not in harness.lobby.tables
    left = harness.mail[ben][-1]
    assert isinstance(left, messages.Left), left
    assert left.table == played


def test_waiting_tables_give_way_to_an_address_with_fewer() -> None:
    """Whoever fills the server with tables that wait gives up the oldest, until all addresses have as many."""
    harness = harness_with(tables=6)
    crowd = harness.arrive("Crowd", origin=THEIRS)
    opened = [harness.open(crowd) for _ in range(6)]
    harness.sit(opened[1], crowd)
    ann = harness.arrive("Ann", origin=OURS)
    for gone in range(3):
        harness.open(ann)
        assert opened[gone] not in harness.lobby.tables
    assert harness.refused(ann, messages.OpenTable(1, "put-1674")).code == RefusalCode.SERVER_FULL
    assert harness.refused(crowd, messages.OpenTable(1, "put-1674")).code == RefusalCode.SERVER_FULL


def test_own_away_people_make_room_within_a_quota() -> None:
    """A client that forgot its token comes in anew, as often as it likes; nobody else gives up a place for it."""
    harness = harness_with(people_per_origin=2, people=50)
    other = harness.arrive("Other", origin=THEIRS)
    harness.lose(other)
    for number in range(10):
        harness.lose(harness.arrive(f"Forgetful {number}", origin=OURS))
    assert sum(person.origin == OURS for person in harness.lobby.people.values()) == 2
    assert other in harness.lobby.people


def test_cleared_lobby_folds_to_the_same() -> None:
    """Who gave up a place is decided again by the same records, also under another policy of today."""
    harness = harness_with(people=6, tables=3)
    harness.handle(Restart(policy=harness.lobby.policy))
    for number in range(8):
        _, one, two = pair(harness, number, OURS, bank=86_400)
        harness.lose(one, two)
    assert len(harness.lobby.people) == 6
    again = folded(harness.records, new_lobby(each=64, people=9, tables=9))
    assert lobby_snapshot(again.lobby, harness.now) == lobby_snapshot(harness.lobby, harness.now)


# --- networks ---


def of_48(number: int, network: int = 0) -> str:
    """A /64 of a /48, each in a /56 of its own."""
    return f"2001:db8:{network + 1:x}:{number + 1:x}00::/64"


def filled(origins: Iterable[str], policy: Policy, lobby: Lobby | None = None) -> Lobby:
    """A lobby to which as many came from each of these origins as were let in, 20 at most."""
    lobby = lobby or new_lobby()
    lobby.handle(Restart(policy=policy), 0)
    for origin in origins:
        for number in range(20):
            name = f"{origin[8:].replace(':', '').replace('/', '')} {number}"
            lobby.handle(Arrive(name, is_bot=False, token=name.encode(), origin=origin), 0)
    return lobby


def test_eighty_sites_of_one_network_are_a_hundred_and_twenty_eight_people() -> None:
    """With the usual settings: not 2,500. A newcomer comes in, from there too, for the site with most gives way. Those
    of one /56 are two that crowd."""
    lobby = filled([of_48(number) for number in range(80)], Settings().policy)
    assert Counter(person.origin for person in lobby.people.values()).total() == 128
    for name, origin in (("Ann", OURS), ("Ben", of_48(0xFE))):
        assert isinstance(lobby.handle(Arrive(name, is_bot=False, token=name.encode(), origin=origin), 0).answer, Admit)
    assert sum(person.origin.startswith("2001") for person in lobby.people.values()) == 128
    within = filled([f"2001:db8:0:{number + 1:x}::/64" for number in range(8)], Settings().policy)
    assert len(within.people) == 64


def test_crowds_give_up_places_until_all_networks_have_as_many() -> None:
    """Ten /48s fill a server. Whoever comes from elsewhere gets in; who sits at a game in play stays."""
    policy = replace(Settings().policy, people=200)
    lobby = filled([of_48(site, network) for network in range(10) for site in range(1)], policy)
    assert len(lobby.people) == 200
    one, two = list(lobby.people)[:2]
    opened = lobby.handle(Ask(one, messages.OpenTable(1, "put-1674")), 0).answer
    assert isinstance(opened, messages.Ok)
    for player in (one, two):
        settle(lobby, Ask(player, messages.Sit(2, opened.table or 0)), 0, LobbyHarness(lobby)._draw)
    for number in range(50):
        name, origin = f"Guest {number}", f"192.{number}.2.1"
        came = lobby.handle(Arrive(name, is_bot=False, token=name.encode(), origin=origin), 0)
        admit, effects = came.answer, came.effects
        assert isinstance(admit, Admit)
        (gone,) = [effect for effect in effects if isinstance(effect, SentAway)]
        assert gone.goodbye.code == "kicked"
        assert gone.person not in lobby.people
    assert len(lobby.people) == 200
    assert {one, two} <= set(lobby.people)
    networks = Counter(person.origin.split(":")[2] for person in lobby.people.values() if ":" in person.origin)
    assert set(networks.values()) == {15}
    assert lobby.tables[TableId(opened.table or 0)].state is TableState.PLAYING


def test_provider_does_not_fill_a_server_with_a_guest_of_each_of_its_networks() -> None:
    """A /32 has 65,536 /48s: whoever comes from elsewhere gets in, and with the usual settings they are 512 people of
    2,500."""
    lobby = new_lobby()
    lobby.handle(Restart(policy=replace(Settings().policy, people=300)), 0)
    for number in range(400):
        theirs = Arrive(f"Theirs {number}", is_bot=False, token=b"%d" % number, origin=f"2001:db8:{number + 1:x}::/64")
        lobby.handle(theirs, 0)
    assert len(lobby.people) == 300
    for number in range(50):
        ours = Arrive(f"Ours {number}", is_bot=False, token=b"our %d" % number, origin=f"2001:{number + 1:x}::/64")
        assert isinstance(lobby.handle(ours, 0).answer, Admit)
    assert sum(person.name.startswith("Ours") for person in lobby.people.values()) == 50
    within = filled([of_48(0, network) for network in range(100)], Settings().policy)
    assert len(within.people) == 512


def test_who_sits_at_a_game_in_play_gives_way_to_nobody() -> None:
    """A crowd that plays keeps its places; of one that does not, who is at no table goes first."""
    harness = harness_with(people=5, edition=2)
    _, one, two = pair(harness, 1, THEIRS)
    ann, ben, cat = (harness.arrive(name, origin=THEIRS) for name in ("Ann", "Ben", "Cat"))
    harness.sit(harness.open(ann), ann)
    harness.watch(1, ben)
    for gone, origin in ((cat, OURS), (ben, "198.51.100.1"), (ann, "198.51.99.1")):
        harness.arrive(f"from {origin}", origin=origin)
        assert gone not in harness.lobby.people
    assert {one, two} <= set(harness.lobby.people)
    assert turned_away(harness, "One more", "10.0.0.1").refusal == RefusalCode.SERVER_FULL


def test_network_has_a_quota_within_which_the_most_crowded_origin_gives_way() -> None:
    """Four times that of an address, for a /24; the sentence says that it is the network's."""
    harness = harness_with(people_per_origin=2, edition=2)
    crowd = [harness.arrive(f"Guest {number}", origin=f"192.0.2.{10 + number // 2}") for number in range(8)]
    harness.arrive("Elsewhere", origin=THEIRS)
    harness.arrive("Alone", origin="192.0.2.1")
    assert crowd[0] not in harness.lobby.people
    harness.arrive("Second", origin="192.0.2.2")
    harness.arrive("Third", origin="192.0.2.3")
    harness.arrive("Fourth", origin="192.0.2.4")
    goodbye = turned_away(harness, "Fifth", "192.0.2.5")
    assert goodbye.refusal == RefusalCode.SERVER_FULL
    assert "8 people are here from your network" in goodbye.says


def test_sites_of_one_network_do_not_take_all_tables() -> None:
    """Eleven /64s of a /48 open what all its people may, and no more; of networks that fill the server, those with the
    most tables that are not in play give way."""
    policy = replace(Settings().policy, people_per_origin=3, tables=100, tables_per_origin=10)
    origins = [of_48(number, network) for network in range(3) for number in range(11)]
    lobby = filled(origins, policy, new_lobby(each=64))
    for person in list(lobby.people):
        for number in range(9):
            lobby.handle(Ask(person, messages.OpenTable(number, "put-1674")), 0)
    by_network = Counter(table.model.origin.split(":")[2] for table in lobby.tables.values())
    assert sorted(by_network.values()) == [33, 33, 34]
    ann = lobby.handle(Arrive("Ann", is_bot=False, token=b"Ann", origin=OURS), 0).answer
    assert isinstance(ann, Admit)
    for number in range(10):
        assert isinstance(lobby.handle(Ask(ann.person, messages.OpenTable(number, "put-1674")), 0).answer, messages.Ok)
    assert len(lobby.tables) == 100


def test_table_between_games_gives_way_before_a_newcomer_is_refused() -> None:
    """Though people sit at it; one that only waits goes first, and one in play never."""
    harness = harness_with(tables=3, edition=2)
    playing, *_ = pair(harness, 1, THEIRS)
    over, one, _ = pair(harness, 2, THEIRS)
    harness.ok(one, messages.Resign(harness.request_id(), over))
    waiting = harness.open(one)
    ann = harness.arrive("Ann", origin=OURS)
    harness.open(ann)
    assert waiting not in harness.lobby.tables
    ben = harness.arrive("Ben", origin="198.51.100.1")
    harness.open(ben)
    assert over not in harness.lobby.tables
    assert harness.refused(ben, messages.OpenTable(1, "put-1674")).code == RefusalCode.SERVER_FULL
    assert playing in harness.lobby.tables


@pytest.mark.parametrize("edition", [0, 1, 2])
def test_older_journals_are_folded_by_the_rules_of_their_time(edition: int) -> None:
    """Before edition 2 nobody who is here gave way, and a /24 had no quota."""
    policy = replace(Policy(people=9, people_per_origin=2), edition=edition)
    lobby = filled([f"192.0.2.{number}" for number in range(5)], policy)
    admitted = lobby.handle(Arrive("Ann", is_bot=False, token=b"Ann", origin=THEIRS), 0).answer
    assert isinstance(admitted, Admit) == (edition == 2)
    assert len(lobby.people) == 9


# --- what the operator allows ---


@pytest.mark.parametrize("name", ["turn", "bank"])
def test_clock_has_the_ceiling_that_is_told(name: str) -> None:
    """`welcome` tells it; what is above is refused by name and bounds, what is at it is not."""
    harness = harness_with(longest_turn=600, longest_bank=600)
    ann = harness.arrive("Ann")
    limits = harness.come_back(ann).limits
    assert (limits.longest_turn, limits.longest_bank) == (600, 600)
    refusal = harness.refused(ann, messages.OpenTable(1, "put-1674", **{name: 601}))  # type: ignore[arg-type]
    assert (refusal.code, refusal.field) == (RefusalCode.BAD_OPTION, name)
    assert "600" in refusal.says
    harness.open(ann, **{name: 600})


def test_tables_from_before_a_lower_ceiling_go_on() -> None:
    """A journal with larger values is folded and goes on; only new tables are bound."""
    harness = harness_with()
    harness.handle(Restart(policy=harness.lobby.policy))
    table, one, _ = pair(harness, 1, bank=86_400, turn=86_400)
    again = folded(harness.records, new_lobby(longest_turn=60, longest_bank=300))
    again.handle(Restart(policy=replace(again.lobby.policy, longest_turn=60, longest_bank=300)))
    again.come_back(one)
    assert again.lobby.tables[harness.lobby.tables[table].id].info.clock.turn == 86_400  # type: ignore[index]
    assert again.refused(one, messages.OpenTable(1, "put-1674", bank=86_400)).code == RefusalCode.BAD_OPTION


def test_patience_ends_a_decision_without_a_limit() -> None:
    """A player who is here and does not move loses by the clock, when the time they were told is over."""
    harness = harness_with(patience=900)
    table, one, two = pair(harness, 1)
    mover = [person for person in (one, two) if isinstance(harness.mail[person][-1], messages.Decision)]
    decision = harness.mail[mover[0]][-1]
    assert isinstance(decision, messages.Decision)
    assert decision.turn_ms == 900_000
    assert harness.lobby.tables[table].info.clock.turn == 0  # type: ignore[index]
    harness.tick(899_999)
    assert harness.lobby.tables[table].model.turn.decision == decision.decision  # type: ignore[index]
    harness.tick(1)
    model = harness.lobby.tables[table].model  # type: ignore[index]
    assert model.turn.decision > decision.decision or not model.is_playing


def test_stranger_who_has_not_moved_has_two_minutes_for_a_decision() -> None:
    """At a public table without a limit, until they have made a move themselves in the game: time does not count."""
    harness = harness_with(patience=900, first_move=120)
    table, _, _ = pair(harness, 1)
    model = harness.lobby.tables[TableId(table)].model
    first = model.turn.decision
    assert model.turn.left == 120_000
    harness.tick(120_000)
    assert model.turn.decision > first
    assert model.turn.left == 120_000
    assert model.play is not None
    assert list(model.play.moved) == []
    while len(model.play.moved) < 2:
        assert model.turn.left == (900_000 if model.turn.seat in model.play.moved else 120_000)
        again = checkpointed(harness.lobby, harness.now).tables[TableId(table)].model
        assert again.play is not None
        assert again.play.moved == model.play.moved
        harness.random_move()
    assert model.turn.seat is None or model.turn.left == 900_000


@pytest.mark.parametrize("fields", [{"passcode": "plume"}, {"turn": 300}, {"house": "steady"}])
def test_first_move_among_friends_is_as_any_other(fields: dict[str, Any]) -> None:
    """Where a passcode is asked for, the table has a limit of its own, or only the house waits."""
    harness = harness_with(patience=900, first_move=120)
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    house = fields.get("house", "")
    table = harness.open(ann, **{name: value for name, value in fields.items() if name != "house"})
    harness.sit(table, ann)
    if house:
        harness.ok(ann, messages.Invite(harness.request_id(), table, house=house))
    else:
        harness.sit(table, ben, passcode=fields.get("passcode", ""))
    limit = harness.lobby.tables[TableId(table)].model.turn.left
    assert limit == (300_000 if "turn" in fields else 900_000)


def test_patience_applies_to_a_game_that_stalls_since_before_it() -> None:
    """The operator may set it at a restart: the decision that waits gets that time, once its player is back."""
    harness = harness_with()
    table, one, two = pair(harness, 1)
    before = harness.lobby.tables[table].model.turn.decision  # type: ignore[index]
    harness.tick(10**8)
    assert harness.lobby.tables[table].model.turn.decision == before  # type: ignore[index]
    harness.handle(Restart(policy=Policy(patience=60)))
    harness.come_back(one)
    harness.come_back(two)
    harness.tick(60_000)
    model = harness.lobby.tables[table].model  # type: ignore[index]
    assert model.turn.decision > before or not model.is_playing
