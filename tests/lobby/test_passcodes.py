"""Passcodes: whom they keep out, what is kept of them, and what becomes of somebody who guesses."""

from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_rules.registry import GAMES
from put_server.journal.records import encode
from put_server.lobby.inputs import Ask, Restart
from put_server.lobby.lobby import Lobby
from put_server.lobby.passcodes import (
    FIRST_WAIT_MS,
    FREE_GUESSES,
    FREE_GUESSES_OF_ALL,
    LONGEST_WAIT_MS,
    Passcodes,
    is_same,
)
from put_server.lobby.policy import Policy
from put_server.table.table_effects import PersonId, TableId
from tests.lobby.lobby_harness import LobbyHarness, folded, lobby_snapshot, new_lobby

OURS, THEIRS = "192.0.2.1", "203.0.113.9"
SEALED = Policy(people=500, tables=50, edition=1)


def guess(harness: LobbyHarness, person: PersonId, table: int, passcode: str) -> messages.Refused:
    refused = harness.refused(person, messages.Sit(harness.request_id(), table, passcode=passcode))
    assert refused.code == RefusalCode.WRONG_PASSCODE
    assert refused.field == "passcode"
    return refused


def locked_table(harness: LobbyHarness) -> tuple[PersonId, int]:
    host = harness.arrive("Host")
    return host, harness.open(host, seats=4, passcode="4711")


# --- what is kept ---


def test_sealed_passcode_tells_nothing_and_opens_the_table() -> None:
    """The same passcode gives the same seal, another gives another, with another key too; none stays none."""
    passcodes = Passcodes(b"key")
    sealed = passcodes.without(messages.OpenTable(1, "put-1674", passcode="4711"))
    sat = passcodes.without(messages.Sit(1, 1, passcode="4711"))
    watched = passcodes.without(messages.Watch(1, 1, passcode="4712"))
    assert isinstance(sealed, messages.OpenTable)
    assert isinstance(sat, messages.Sit)
    assert isinstance(watched, messages.Watch)
    assert sealed.passcode == sat.passcode != watched.passcode
    assert b"4711" not in encode(Ask(PersonId(1), sealed))
    assert Passcodes(b"other").sealed("4711") != sat.passcode
    assert passcodes.sealed("") == ""
    assert is_same(sealed.passcode, sat.passcode)
    assert not is_same(sealed.passcode, watched.passcode)
    assert passcodes.sealed("pässcode \ud800") != passcodes.sealed("passcode")


def test_passcodes_that_were_kept_clear_are_sealed_by_the_restart() -> None:
    """Records of a former release are folded with theirs; from the restart on the seal opens the table, and nothing
    that is kept has the passcode."""
    harness = LobbyHarness()
    harness.handle(Restart())
    host, table = locked_table(harness)
    ben, cat = harness.arrive("Ben"), harness.arrive("Cat")
    harness.sit(table, ben, passcode="4711")
    again = folded(harness.records, new_lobby())
    again.handle(Restart(policy=SEALED))
    for person in (host, ben, cat):
        again.come_back(person)
    assert b"4711" not in encode(again.lobby.checkpoint())
    sit = again.lobby.without_passcode(messages.Sit(again.request_id(), table, passcode="4711"))
    again.ok(cat, sit)
    again.handle(Restart(policy=SEALED))
    assert again.lobby.tables[TableId(table)].model.passcode == Passcodes(b"").sealed("4711")
    twice = folded(again.records, new_lobby())
    assert lobby_snapshot(twice.lobby, again.now) == lobby_snapshot(again.lobby, again.now)


def test_passcode_that_looks_sealed_is_sealed_all_the_same() -> None:
    """What a client sends is never taken for a seal: to know what is kept opens no table."""
    passcodes = Passcodes(b"key")
    sealed = passcodes.sealed("4711")
    request = passcodes.without(messages.Sit(1, 1, passcode=sealed))
    assert isinstance(request, messages.Sit)
    assert request.passcode != sealed


# --- guesses ---


def test_guesser_is_heard_no_more_after_a_few() -> None:
    """Not by the right passcode either, until the time they were told; the wait doubles with each further one."""
    harness = LobbyHarness()
    _, table = locked_table(harness)
    eve = harness.arrive("Eve", origin=THEIRS)
    for number in range(FREE_GUESSES - 1):
        assert guess(harness, eve, table, f"000{number}").retry_after_ms is None
    assert guess(harness, eve, table, "0009").retry_after_ms == FIRST_WAIT_MS
    refused = guess(harness, eve, table, "4711")
    assert refused.retry_after_ms == FIRST_WAIT_MS
    assert "60 seconds" in refused.says
    harness.now += FIRST_WAIT_MS - 1
    guess(harness, eve, table, "4711")
    harness.now += 1
    for doubled in range(1, 9):
        wait = guess(harness, eve, table, "1000").retry_after_ms
        assert wait == min(FIRST_WAIT_MS << doubled, LONGEST_WAIT_MS)
        harness.now += wait
    harness.sit(table, eve, passcode="4711")


def test_guessing_goes_on_under_no_other_name_and_from_no_other_address() -> None:
    """A new guest from the address is not heard, nor the guesser from another address; a stranger to both is."""
    harness = LobbyHarness()
    _, table = locked_table(harness)
    eve = harness.arrive("Eve", origin=THEIRS)
    for number in range(FREE_GUESSES):
        guess(harness, eve, table, f"000{number}")
    mallory = harness.arrive("Mallory", origin=THEIRS)
    assert guess(harness, mallory, table, "4711").retry_after_ms
    known = harness.lobby.people[eve]
    harness.lobby.people.remove(known)
    known.origin = OURS
    harness.lobby.people.add(known)
    assert guess(harness, eve, table, "4711").retry_after_ms
    ben = harness.arrive("Ben", origin="198.51.100.7")
    harness.sit(table, ben, passcode="4711")


def test_addresses_of_one_network_guess_as_four() -> None:
    """A table hears twenty wrong passcodes from a /24, whatever its addresses, and then none from there."""
    harness = LobbyHarness(new_lobby(people=500))
    _, table = locked_table(harness)
    waits = [
        guess(harness, harness.arrive(f"Eve {number}", origin=f"10.0.0.{number}"), table, "0").retry_after_ms
        for number in range(4 * FREE_GUESSES)
    ]
    assert [bool(wait) for wait in waits] == [*[False] * (4 * FREE_GUESSES - 1), True]
    assert guess(harness, harness.arrive("Mallory", origin="10.0.0.200"), table, "4711").retry_after_ms
    harness.sit(table, harness.arrive("Ben", origin="10.0.1.1"), passcode="4711")


def test_four_digits_do_not_fall_to_a_crowd() -> None:
    """From as many addresses as anybody has, a table hears so many wrong passcodes and then none, for longer each time;
    who was invited comes in all the same."""
    harness = LobbyHarness(new_lobby(people=500))
    host, table = locked_table(harness)
    heard = 0
    for number in range(3 * FREE_GUESSES_OF_ALL):
        person = harness.arrive(f"Eve {number}", origin=f"10.0.{number}.1")
        heard += guess(harness, person, table, f"{number:04}").says == "this is not the table's passcode"
    assert heard < FREE_GUESSES_OF_ALL
    ben = harness.arrive("Ben", origin=OURS)
    guess(harness, ben, table, "4711")
    harness.ok(host, messages.Invite(harness.request_id(), table, person="Ben"))
    harness.sit(table, ben)


def test_host_is_warned_once() -> None:
    """Whoever opened the table hears that somebody guesses, and hears it once however long it goes on."""
    harness = LobbyHarness()
    host, table = locked_table(harness)
    eve = harness.arrive("Eve", origin=THEIRS)
    for _ in range(3):
        for number in range(FREE_GUESSES):
            guess(harness, eve, table, f"000{number}")
        harness.now += LONGEST_WAIT_MS
    notices = [message for message in harness.mail[host] if isinstance(message, messages.Notice)]
    assert len(notices) == 1
    assert f"table {table}" in notices[0].says
    assert "000" not in notices[0].says


def test_asking_without_a_passcode_is_no_guess() -> None:
    """Clients ask without one first, and then their user."""
    harness = LobbyHarness()
    _, table = locked_table(harness)
    ben = harness.arrive("Ben", origin=OURS)
    for _ in range(2 * FREE_GUESSES):
        guess(harness, ben, table, "")
    harness.sit(table, ben, passcode="4711")
    assert harness.lobby.people[ben].tables == (table,)


def test_guesses_are_forgotten_with_their_table() -> None:
    """Nothing of them is left when it is closed."""
    harness = LobbyHarness()
    host, table = locked_table(harness)
    eve = harness.arrive("Eve")
    for number in range(FREE_GUESSES):
        guess(harness, eve, table, f"000{number}")
    harness.sit(table, host)
    harness.ok(host, messages.Leave(harness.request_id(), table))
    assert not harness.lobby.tables.guesses._tables


def test_lobby_config_never_shows_the_key() -> None:
    """Not in a repr, and so in no log."""
    lobby = new_lobby()
    assert "passcode_key" not in repr(lobby._config)
    assert isinstance(Lobby(GAMES, lobby._config), Lobby)


# --- whom they keep out ---


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
