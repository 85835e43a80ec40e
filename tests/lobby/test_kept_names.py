"""Names kept for whoever has their token: how long, against whom, how many, and over a restart."""

import random
from typing import Any

import pytest

from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_server.journal.lobby_replay import fold
from put_server.journal.records import decode_lobby, encode
from put_server.lobby.inputs import Arrive, Depart, Forget, Restart, Return
from put_server.lobby.people import AT_ONCE, ORIGIN_PART
from put_server.lobby.policy import EDITION
from put_server.lobby.presence import GRACE_MS
from put_server.table.table_effects import PersonId
from tests.lobby.lobby_harness import LobbyHarness, folded, new_lobby, token_of

DAY_MS = 86_400_000
WEEK = {"name_seconds": 7 * 86_400, "names": 1_000, "edition": EDITION}


def harness_with(**policy: Any) -> LobbyHarness:
    return LobbyHarness(new_lobby(**{**WEEK, **policy}))


def gone(harness: LobbyHarness, name: str, origin: str = "") -> PersonId:
    """Somebody who came, looked at the lobby, and is away for so long that they have no place any more."""
    person = away(harness, name, origin)
    harness.tick(GRACE_MS)
    assert person not in harness.lobby.people
    return person


def away(harness: LobbyHarness, name: str, origin: str = "") -> PersonId:
    """Somebody who came, looked at the lobby, and was disconnected just now."""
    person = harness.arrive(name, origin=origin)
    harness.ok(person, messages.Look(harness.request_id()))
    harness.lose(person)
    return person


def refusal(harness: LobbyHarness, name: str, origin: str = "") -> tuple[RefusalCode | None, str]:
    goodbye = harness.turned_away(Arrive(name, is_bot=False, token=token_of(f"another {name}"), origin=origin))
    return goodbye.refusal, goodbye.says


def test_name_is_its_holders_for_a_week() -> None:
    """At once after the drop, when they have no place any more, and to the last second; then it is free."""
    harness = harness_with()
    moll = harness.arrive("Moll")
    harness.ok(moll, messages.Look(harness.request_id()))
    harness.lose(moll)
    for passed in (300, GRACE_MS, 6 * DAY_MS, DAY_MS - GRACE_MS - 301):
        harness.tick(passed)
        for name in ("Moll", "M0ll", "ᴍᴏʟʟ"):
            code, says = refusal(harness, name)
            assert code == RefusalCode.NAME_TAKEN
            assert "until 7 days" in says
            assert name == "Moll" or "Moll" not in says
    harness.tick(1)
    assert harness.turned_away(Return(token_of("Moll"), ())).refusal == RefusalCode.BAD_TOKEN
    assert harness.arrive("Moll") in harness.lobby.people


def test_names_out_of_time_are_found_some_at_a_time() -> None:
    """In whatever order they were kept; none is found early, and none is passed over."""
    harness = harness_with()
    people = [gone(harness, f"Guest {number}") for number in range(2 * AT_ONCE + 1)]
    last = harness.now - GRACE_MS
    assert not harness.lobby.names_out_of_time(last)
    found: list[PersonId] = []
    while some := harness.lobby.names_out_of_time(last + 7 * DAY_MS):
        assert len(some) <= AT_ONCE
        found += some
        for person in some:
            harness.depart(person)
    assert found == people


def test_token_brings_a_name_back() -> None:
    """As the same person, with those whom they muted, and the week begins anew when they go."""
    harness = harness_with()
    ned = harness.arrive("Ned")
    moll = harness.arrive("Moll")
    harness.ok(moll, messages.Mute(harness.request_id(), "Ned"))
    harness.lose(moll)
    harness.tick(5 * DAY_MS)
    harness.come_back(moll)
    assert harness.lobby.people[moll].muted == ("ned",)
    harness.lose(moll)
    harness.tick(5 * DAY_MS)
    assert refusal(harness, "Moll")[0] == RefusalCode.NAME_TAKEN
    assert ned in harness.lobby.people


def test_kept_names_outlive_a_restart() -> None:
    """By the records, and by the checkpoint; a lobby that keeps none any more gives them away."""
    harness = harness_with()
    moll = gone(harness, "Moll")
    again = folded(harness.records, harness_with().lobby)
    for lobby in (again.lobby, harness.lobby):
        copy = new_lobby(**WEEK)
        copy.restore(lobby.checkpoint())
        restarted = LobbyHarness(copy)
        restarted.now = harness.now
        restarted.handle(Restart(policy=harness.lobby.policy))
        assert refusal(restarted, "moll")[0] == RefusalCode.NAME_TAKEN
        restarted.come_back(moll)
        assert restarted.lobby.people[moll].name == "Moll"
    harness.handle(Restart())
    assert harness.arrive("Moll") != moll


def test_kept_name_takes_no_place() -> None:
    """Those who are gone leave a full server to others, are in no list, and wait for a place when they come back."""
    harness = harness_with(people=2)
    moll, ned = gone(harness, "Moll"), gone(harness, "Ned")
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    assert [*harness.lobby.people] == [ann, ben]
    assert harness.lobby.people.named("Moll") is None
    assert harness.turned_away(Return(token_of("Moll"), ())).refusal == RefusalCode.SERVER_FULL
    harness.ok(ann, messages.Look(harness.request_id()))
    harness.lose(ann)
    harness.come_back(moll)  # of whoever is away, the place is given up and the name is not
    assert [*harness.lobby.people] == [ben, moll]
    assert refusal(harness, "Ann")[0] == RefusalCode.NAME_TAKEN
    assert refusal(harness, "Ned")[0] == RefusalCode.NAME_TAKEN
    harness.depart(ben)
    harness.come_back(ned)


@pytest.mark.parametrize("is_away", [False, True])
def test_name_is_free_after_bye_or_when_the_operator_says_so(is_away: bool) -> None:
    """At once: whoever ends their token has no use for the name."""
    harness = harness_with()
    moll = gone(harness, "Moll") if is_away else harness.arrive("Moll")
    harness.handle(Depart(moll))
    harness.arrive("Moll")
    assert harness.turned_away(Return(token_of("nobody"), ())).refusal == RefusalCode.BAD_TOKEN


def test_forgotten_name_is_kept_no_longer() -> None:
    """Nor by the lists of those who would not hear them, be they gone themselves."""
    harness = harness_with()
    moll, ned = harness.arrive("Moll"), harness.arrive("Ned")
    harness.ok(moll, messages.Mute(harness.request_id(), "Ned"))
    harness.ok(ned, messages.Look(harness.request_id()))
    harness.lose(moll, ned)
    harness.tick(GRACE_MS)
    harness.handle(Forget("ned"))
    assert [(person.name, person.muted) for person in harness.lobby.people.kept.values()] == [("Moll", ())]
    assert harness.arrive("Ned") != ned


def test_name_of_one_who_may_not_have_their_token_is_kept_for_minutes() -> None:
    """A connection that dropped before the welcome costs its guest the name for two minutes, and not a week."""
    harness = harness_with()
    harness.lose(harness.arrive("Moll", origin="198.51.100.1"))
    assert refusal(harness, "Moll", "203.0.113.1")[0] == RefusalCode.NAME_TAKEN
    harness.tick(GRACE_MS)
    harness.arrive("Moll", origin="203.0.113.1")


def test_name_of_one_whose_welcome_was_lost_is_theirs_at_once() -> None:
    """From where they came, and while they are gone; if they did anything, it is for whoever has the token."""
    harness = harness_with()
    origin = "198.51.100.1"
    moll = harness.arrive("Moll", origin=origin)
    assert refusal(harness, "Moll", origin)[0] == RefusalCode.NAME_TAKEN
    harness.lose(moll)
    again = harness.arrive("Moll", origin=origin)
    assert [*harness.lobby.people] == [again]
    harness.ok(again, messages.Look(harness.request_id()))
    harness.lose(again)
    assert refusal(harness, "Moll", origin)[0] == RefusalCode.NAME_TAKEN
    harness.come_back(again)


def test_origin_that_makes_many_names_pushes_out_its_own() -> None:
    """An address, and the network around it, are bounded; the names of others stay."""
    harness = harness_with(names=2 * ORIGIN_PART, people=5_000)
    gone(harness, "Moll", "198.51.100.1")
    for number in range(12):
        gone(harness, f"Crowd {number}", "192.0.2.1")
    for number in range(12):
        gone(harness, f"Rack {number}", f"203.0.113.{number}")
    kept = {person.name for person in harness.lobby.people.kept.values()}
    assert kept == {"Moll", "Crowd 10", "Crowd 11", *[f"Rack {number}" for number in range(4, 12)]}


def test_most_crowded_network_gives_way_where_all_places_are_taken() -> None:
    """In it the narrowest crowd, and of that who was here least recently."""
    harness = harness_with(names=6)
    gone(harness, "Moll", "198.51.100.1")
    for name, origin in (("A", "2001:db8:0:1::/64"), ("B", "2001:db8:0:100::/64"), ("C", "2001:db8:0:101::/64")):
        gone(harness, name, origin)
    gone(harness, "Ned", "192.0.2.1")
    gone(harness, "Doll", "203.0.113.1")
    gone(harness, "Kate", "233.252.0.1")
    assert {person.name for person in harness.lobby.people.kept.values()} == {"Moll", "A", "C", "Ned", "Doll", "Kate"}


def test_lobby_without_kept_names_is_as_before() -> None:
    """As the operator set it, and as in journals of former releases."""
    harness = harness_with(name_seconds=0)
    moll = harness.arrive("Moll")
    harness.ok(moll, messages.Look(harness.request_id()))
    harness.lose(moll)
    assert harness.arrive("Moll") != moll


def test_name_that_gives_way_is_the_same_after_a_restart() -> None:
    """Where several networks are equally crowded it is of the person who was here least recently, although others of
    a network were kept before them: a server that takes up a checkpoint replays what a running one decided."""
    harness = harness_with(names=3)
    moll = gone(harness, "Moll", "198.51.100.1")
    gone(harness, "Ned", "203.0.113.1")
    gone(harness, "Ann", "198.51.100.2")
    harness.come_back(moll)
    gone(harness, "Ben", "192.0.2.1")
    again = new_lobby()
    again.restore(harness.lobby.checkpoint())
    restarted = LobbyHarness(again)
    restarted.now = harness.now
    for one in (harness, restarted):
        gone(one, "Cat", "100.64.0.1")
        assert [person.name for person in one.lobby.people.kept.values()] == ["Ann", "Ben", "Cat"]


def test_name_may_give_way_to_that_of_the_person_who_makes_room() -> None:
    """Then its holder, who comes back, has it all the same; and a newcomer may take it if its time is over."""
    harness = harness_with(people=2, names=1)
    moll = gone(harness, "Moll")
    harness.arrive("Ann")
    away(harness, "Ben")
    harness.come_back(moll)
    assert refusal(harness, "Moll")[0] == RefusalCode.NAME_TAKEN
    harness.lose(moll)
    harness.come_back(moll)
    harness = harness_with(people=2)
    gone(harness, "Moll")
    harness.tick(7 * DAY_MS)
    harness.arrive("Ann")
    away(harness, "Ben")
    harness.arrive("Moll")
    assert [person.name for person in harness.lobby.people.kept.values()] == ["Ben"]


@pytest.mark.parametrize("seed", range(3))
def test_checkpoint_and_records_give_the_lobby_of_a_crowd(seed: int) -> None:
    """Of more people than have room, from few networks, who come, go and come back, with more names than are kept."""
    harness, dice = harness_with(people=6, names=4, people_per_origin=3), random.Random(seed)
    tokens: list[bytes] = []
    stored, since = encode(harness.lobby.checkpoint()), 0
    for step in range(400):
        origin = dice.choice(("198.51.100.1", "198.51.100.2", "203.0.113.1", "2001:db8::/64", "2001:db8:0:1::/64", ""))
        here = [person.id for person in harness.lobby.people.values() if person.is_here]
        match dice.randrange(4):
            case 0:
                tokens.append(token_of(f"{step}"))
                arrival = Arrive(dice.choice("ABCDEFGH") + "nn", is_bot=False, token=tokens[-1], origin=origin)
                harness.handle(arrival)
            case 1 if here:
                person = dice.choice(here)
                harness.ok(person, messages.Look(harness.request_id()))
                harness.lose(person)
            case 2 if tokens:
                harness.handle(Return(dice.choice(tokens), (), origin=origin))
            case _:
                harness.tick(dice.choice((1_000, GRACE_MS, DAY_MS)))
        if step % 50 == 49:
            again = new_lobby()
            again.restore(decode_lobby(stored))
            for at, event in harness.records[since:]:
                fold(again, event, at)
            assert encode(again.checkpoint()) == encode(harness.lobby.checkpoint())
            stored, since = encode(harness.lobby.checkpoint()), len(harness.records)
