"""Rights to sit: invitations to guests, tables for people only or for bots only, and named deals."""

import pytest

from put_protocol.messages import Invite, Invited, OpenTable, Sit, Watch
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import Admits, TableState
from put_server.lobby.inputs import Ask, Restart
from put_server.lobby.table_access import FROM_ALL, FROM_AN_ADDRESS, FROM_ONE, MINUTE_MS
from put_server.table.seating import MOST_INVITED
from put_server.table.table_effects import PersonId, TableId, WantPack
from tests.lobby.lobby_harness import LobbyHarness, lobby_snapshot, new_lobby


def invitations(harness: LobbyHarness, person: PersonId) -> list[Invited]:
    return [message for message in harness.mail[person] if isinstance(message, Invited)]


# --- invitations ---


def test_invitation_reaches_the_guest_and_opens_the_door() -> None:
    """They are told who asks, where to and for which seat, and sit down without the passcode; nobody else is told."""
    harness = LobbyHarness()
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    table = harness.open(ann, seats=3, passcode="sesame")
    harness.ok(ann, Invite(harness.request_id(), table, Seat(2), person="ben"))
    (invited,) = invitations(harness, ben)
    assert (invited.table, invited.by, invited.seat) == (table, "Ann", 2)
    assert invited.info == harness.lobby.tables[TableId(table)].info
    assert not invitations(harness, ann)
    assert not invitations(harness, cat)
    assert harness.refused(cat, Sit(90, table)).code == RefusalCode.WRONG_PASSCODE
    assert harness.ok(ben, Sit(harness.request_id(), table, invited.seat)).seat == 2


def test_invitation_is_remembered_by_a_table_at_rest() -> None:
    """A server that was killed after it lets the guest in as well."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, passcode="sesame")
    harness.ok(ann, Invite(harness.request_id(), table, person="Ben"))
    again = new_lobby()
    again.restore(harness.lobby.checkpoint())
    assert lobby_snapshot(again, harness.now) == lobby_snapshot(harness.lobby, harness.now)
    harness.lobby = again
    harness.handle(Restart())
    assert len(invitations(harness, ben)) == 1
    harness.come_back(ben)
    assert invitations(harness, ben)[1] == invitations(harness, ben)[0]
    harness.ok(ben, Sit(harness.request_id(), table))


def test_invitation_is_told_again_after_a_drop_until_they_sit() -> None:
    """It may have gone to the lost connection; who has sat down, or cannot any more, is not asked again."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    tables = [harness.open(ann, passcode="sesame") for _ in range(2)]
    for table in tables:
        harness.ok(ann, Invite(harness.request_id(), table, Seat(1), person="Ben"))
    harness.lose(ben)
    harness.come_back(ben)
    assert [(invited.table, invited.seat) for invited in invitations(harness, ben)] == [(t, 1) for t in tables * 2]
    harness.ok(ben, Sit(harness.request_id(), tables[0]))
    harness.ok(ann, Invite(harness.request_id(), tables[1]))
    harness.sit(tables[1], ann)
    harness.lose(ben)
    harness.come_back(ben)
    assert len(invitations(harness, ben)) == 4


def test_invitation_is_for_hosts_and_for_guests_who_are_here() -> None:
    """Who neither opened the table nor sits there invites nobody; who is away, or unknown, cannot be invited."""
    harness = LobbyHarness()
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    table = harness.open(ann, seats=3)
    assert harness.refused(ben, Invite(1, table, person="Cat")).code == RefusalCode.NOT_THERE
    refused = harness.refused(ann, Invite(2, table, person="Dan"))
    assert (refused.code, refused.field) == (RefusalCode.UNKNOWN_PERSON, "person")
    harness.lose(cat)
    assert harness.refused(ann, Invite(3, table, person="Cat")).code == RefusalCode.UNKNOWN_PERSON
    harness.sit(table, ben)
    assert harness.refused(ann, Invite(4, table, person="Ben")).code == RefusalCode.ALREADY_THERE
    assert harness.refused(ann, Invite(5, table, Seat(0), person="Ann")).code == RefusalCode.SEAT_TAKEN
    assert harness.refused(ann, Invite(6, table, Seat(3), person="Ann")).code == RefusalCode.NO_SUCH_SEAT
    assert not invitations(harness, cat)


def test_invitation_to_a_game_in_play_is_refused() -> None:
    """There is no seat to be had before it is over."""
    harness = LobbyHarness()
    ann, _ = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann)
    harness.sit(table, ann)
    harness.ok(ann, Invite(harness.request_id(), table))
    assert harness.refused(ann, Invite(1, table, person="Ben")).code == RefusalCode.GAME_IN_PLAY


def test_table_remembers_so_many_invitations_and_no_more() -> None:
    """The oldest is forgotten: its guest needs the passcode again."""
    harness = LobbyHarness(new_lobby(people=MOST_INVITED + 5))
    host = harness.arrive("Host")
    guests = [harness.arrive(f"Guest {number}") for number in range(MOST_INVITED + 1)]
    table = harness.open(host, seats=3, passcode="sesame")
    for number in range(MOST_INVITED + 1):
        harness.ok(host, Invite(harness.request_id(), table, person=f"Guest {number}"))
    assert harness.refused(guests[0], Sit(1, table)).code == RefusalCode.WRONG_PASSCODE
    harness.ok(guests[1], Sit(harness.request_id(), table))


# --- people and bots ---


@pytest.mark.parametrize(
    ("admits", "may_people", "may_bots"),
    [(Admits.ALL, True, True), (Admits.PEOPLE, True, False), (Admits.BOTS, False, True)],
)
def test_table_admits_whom_it_says(admits: Admits, may_people: bool, may_bots: bool) -> None:
    """To its seats; anybody may watch, and whoever is not admitted cannot be invited either."""
    harness = LobbyHarness()
    ann, moll, tab = harness.arrive("Ann"), harness.arrive("Moll"), harness.arrive("Tab", is_bot=True)
    table = harness.ok(ann, OpenTable(harness.request_id(), "put-1674", seats=4, admits=admits)).table
    assert table is not None
    assert harness.lobby.tables[TableId(table)].info.admits is admits
    for person, name, may in ((moll, "Moll", may_people), (tab, "Tab", may_bots)):
        harness.watch(table, person)
        if may:
            harness.ok(ann, Invite(harness.request_id(), table, person=name))
            harness.ok(person, Sit(harness.request_id(), table))
        else:
            assert harness.refused(person, Sit(1, table)).code == RefusalCode.NOT_ADMITTED
            refused = harness.refused(ann, Invite(2, table, person=name))
            assert (refused.code, refused.field) == (RefusalCode.NOT_ADMITTED, "table")
            assert name in refused.says


@pytest.mark.parametrize("admits", list(Admits))
def test_house_comes_to_any_table_it_is_invited_to(admits: Admits) -> None:
    """Whom a table is for is about guests: the house sits where those who sit ask it to."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann", is_bot=admits is Admits.BOTS)
    table = harness.ok(ann, OpenTable(harness.request_id(), "put-1674", admits=admits)).table
    assert table is not None
    harness.sit(table, ann)
    harness.ok(ann, Invite(harness.request_id(), table))
    assert harness.lobby.tables[TableId(table)].state is TableState.PLAYING


def test_house_player_is_told_by_its_kind() -> None:
    """Everyone at the table and in the lobby sees how it plays."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann, seats=3)
    harness.sit(table, ann)
    harness.ok(ann, Invite(harness.request_id(), table, house="rash"))
    seats = harness.lobby.tables[TableId(table)].info.seats
    assert [(seat.is_house, seat.house) for seat in seats] == [(False, ""), (True, "rash"), (False, "")]


# --- named deals ---


def test_named_deals_are_refused_where_packs_are_shuffled() -> None:
    """Elsewhere than at an exhibition nobody may ask for packs that others had."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    refused = harness.refused(ann, OpenTable(1, "put-1674", deals="monday"))
    assert (refused.code, refused.field) == (RefusalCode.BAD_OPTION, "deals")


def test_named_deals_are_wanted_by_their_name_at_an_exhibition() -> None:
    """Every pack of the table is asked for by it, and none is sealed, for nobody cuts what is known beforehand."""
    harness = LobbyHarness()
    harness.handle(Restart(is_exhibition=True))
    ann, ben, _ = map(harness.arrive, ("Ann", "Ben", "Cat"))
    table = harness.ok(ann, OpenTable(harness.request_id(), "put-1674", deals="monday")).table
    assert table is not None
    harness.ok(ann, Sit(harness.request_id(), table))
    effects = harness.lobby.handle(Ask(ben, Sit(1, table)), harness.now).effects
    wants = [effect for effect in effects if isinstance(effect, WantPack)]
    assert [(want.deals, want.deal) for want in wants] == [("monday, game 1", 1)]
    assert harness.lobby.tables[TableId(table)].info.is_exhibition


def test_watching_needs_no_admission() -> None:
    """Bots may watch people, and people bots."""
    harness = LobbyHarness()
    ann, tab = harness.arrive("Ann"), harness.arrive("Tab", is_bot=True)
    table = harness.ok(ann, OpenTable(harness.request_id(), "put-1674", admits=Admits.PEOPLE)).table
    assert table is not None
    harness.ok(tab, Watch(harness.request_id(), table))


# --- how many ---


def invite(harness: LobbyHarness, host: PersonId, table: int, name: str, seat: Seat | None = None) -> Invite:
    return Invite(harness.request_id(), table, person=name, seat=seat)


def bounded() -> LobbyHarness:
    return LobbyHarness(new_lobby(people=200, tables=200, each=64, edition=1))


def test_invitation_that_stands_is_not_told_again() -> None:
    """It is answered, and the guest hears nothing; to another seat it is another."""
    harness = bounded()
    host, guest = harness.arrive("Host"), harness.arrive("Guest")
    table = harness.open(host, seats=3)
    for _ in range(10):
        harness.ok(host, invite(harness, host, table, "Guest"))
    assert len(invitations(harness, guest)) == 1
    harness.ok(host, invite(harness, host, table, "Guest", Seat(1)))
    assert len(invitations(harness, guest)) == 2


def test_invitations_of_one_host_to_one_guest_are_few_a_minute() -> None:
    """The next is refused with the time to wait, and then it is sent; another guest may be invited meanwhile."""
    harness = bounded()
    host, guest = harness.arrive("Host"), harness.arrive("Guest")
    harness.arrive("Other")
    tables = [harness.open(host) for _ in range(FROM_ONE + 1)]
    for table in tables[:-1]:
        harness.now += 1_000
        harness.ok(host, invite(harness, host, table, "Guest"))
    refused = harness.refused(host, invite(harness, host, tables[-1], "Guest"))
    assert (refused.code, refused.field) == (RefusalCode.TOO_FAST, "person")
    assert refused.retry_after_ms == MINUTE_MS - 1_000 * (FROM_ONE - 1)
    harness.ok(host, invite(harness, host, tables[-1], "Other"))
    harness.now += refused.retry_after_ms
    harness.ok(host, invite(harness, host, tables[-1], "Guest"))
    assert len(invitations(harness, guest)) == FROM_ONE + 1


def test_bot_may_be_invited_to_every_table_that_it_can_be_at() -> None:
    """At once, by one host; it is a program that asked for it, and still there is a bound."""
    harness = bounded()
    host, guest = harness.arrive("Host"), harness.arrive("Guest", is_bot=True)
    for _ in range(60):
        harness.ok(host, invite(harness, host, harness.open(host), "Guest"))
    assert len(invitations(harness, guest)) == 60


@pytest.mark.parametrize(("origins", "most"), [(1, FROM_AN_ADDRESS), (100, FROM_ALL)])
def test_invitations_of_a_crowd_to_one_guest_are_few_a_minute(origins: int, most: int) -> None:
    """From one address however many its people are, and from all addresses however many they are."""
    harness = bounded()
    guest = harness.arrive("Guest")
    for number in range(60):
        host = harness.arrive(f"Host {number}", origin=f"10.0.0.{number % origins}")
        harness.ask(host, invite(harness, host, harness.open(host), "Guest"))
    assert len(invitations(harness, guest)) == most
    harness.depart(guest)
    assert not harness.lobby._presence.invitations._sent
