"""Mute and block: what somebody hears no more, and what is kept from them; nobody else notices."""

import pytest

from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import Said
from put_server.lobby.inputs import Ask
from put_server.lobby.people import MOST_HUSHED
from put_server.table.table_effects import PersonId, TableId, Tell
from tests.lobby.lobby_harness import LobbyHarness, checkpointed, new_lobby


def talk(harness: LobbyHarness, person: PersonId) -> list[tuple[str, str, bool]]:
    """What somebody was told of what people said."""
    told = [message for message in harness.mail[person] if isinstance(message, messages.Events)]
    return [(e.name, e.text, e.muted) for message in told for e in message.events if isinstance(e, Said)]


def room() -> tuple[LobbyHarness, int, list[PersonId]]:
    """A table with Ann and Ben in its seats, and Cat and Dan in its gallery."""
    harness = LobbyHarness()
    people = [harness.arrive(name) for name in ("Ann", "Ben", "Cat", "Dan")]
    table = harness.open(people[0], seats=3)
    harness.sit(table, *people[:2])
    harness.watch(table, *people[2:])
    return harness, table, people


def say(harness: LobbyHarness, person: PersonId, table: int, text: str) -> None:
    harness.ok(person, messages.Say(harness.request_id(), table, text))


@pytest.mark.parametrize("kind", [messages.Mute, messages.Block])
@pytest.mark.parametrize("reader", [0, 2])
def test_talk_of_who_is_muted_reaches_nobody_who_muted_them(
    kind: type[messages.Mute | messages.Block], reader: int
) -> None:
    """From a seat and from the gallery, in a seat and in the gallery; others hear it, and the numbers go on. (The
    harness holds that no event is missing.)"""
    harness, table, people = room()
    me, other = people[reader], people[3]
    harness.ok(me, kind(harness.request_id(), "BEN"))
    say(harness, people[1], table, "hm")
    assert talk(harness, me) == [("Ben", "", True)]
    assert talk(harness, other) == [("Ben", "hm", False)]
    say(harness, other, table, "ah")
    assert talk(harness, me)[-1] == ("Dan", "ah", False)
    harness.ok(me, kind(harness.request_id(), "Ben", on=False))
    say(harness, people[1], table, "so")
    assert talk(harness, me)[-1] == ("Ben", "so", False)


def test_muted_talk_is_made_once_for_all_who_muted() -> None:
    """Else a gallery that mutes a player makes every word of theirs as dear as one for each spectator."""
    harness = LobbyHarness(new_lobby(people=100))
    ann = harness.arrive("Ann")
    table = harness.open(ann)
    harness.sit(table, ann)
    deaf = [harness.arrive(f"Guest {number}") for number in range(50)]
    harness.watch(table, *deaf)
    for person in deaf:
        harness.ok(person, messages.Mute(harness.request_id(), "Ann"))
    effects = harness.handle(Ask(ann, messages.Say(harness.request_id(), table, "hm"))).effects
    told = [effect.people for effect in effects if isinstance(effect, Tell) and set(effect.people) & set(deaf)]
    forms = {(person.views, "put" in person.knows) for person in map(harness.lobby.people.__getitem__, deaf)}
    assert len(told) <= len(forms) < len(deaf)
    assert [talk(harness, person) for person in deaf] == [[("Ann", "", True)]] * len(deaf)


def test_muted_talk_is_not_told_by_coming_back_either() -> None:
    """What was missed holds its place without its text; also after a restart, for the token is the same."""
    harness, table, (ann, ben, *_) = room()
    harness.ok(ann, messages.Mute(harness.request_id(), "Ben"))
    harness.lose(ann)
    say(harness, ben, table, "behind your back")
    harness.come_back(ann)
    assert talk(harness, ann) == [("Ben", "", True)]
    harness.lobby = checkpointed(harness.lobby, harness.now)
    say(harness, ben, table, "still here")
    assert talk(harness, ann)[-1] == ("Ben", "", True)


def test_who_is_blocked_neither_invites_nor_comes() -> None:
    """They are told so, and may do all else; a mute alone keeps nobody away."""
    harness = LobbyHarness(new_lobby(edition=1))
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    mine, theirs = harness.open(ann, seats=3), harness.open(ben, seats=3)
    harness.ok(ann, messages.Mute(harness.request_id(), "Ben"))
    harness.ok(ben, messages.Invite(harness.request_id(), theirs, person="Ann"))
    harness.watch(mine, ben)
    harness.ok(ann, messages.Block(harness.request_id(), "Ben"))
    other = harness.open(ben, seats=3)
    last = harness.open(ann, seats=3)
    for request in (
        messages.Invite(harness.request_id(), other, person="Ann"),
        messages.Sit(harness.request_id(), last),
        messages.Watch(harness.request_id(), last),
    ):
        assert harness.refused(ben, request).code == RefusalCode.NOT_ADMITTED
    harness.sit(theirs, ben, ann)
    harness.ok(ann, messages.Block(harness.request_id(), "Ben", on=False))
    harness.sit(last, ben)


def test_who_is_at_a_table_already_stays_when_they_are_blocked() -> None:
    """A block is no way to send an opponent away."""
    harness, table, (ann, ben, *_) = room()
    harness.ok(ann, messages.Block(harness.request_id(), "Ben"))
    assert ben in harness.lobby.tables[TableId(table)].seating.guests
    harness.lose(ben)
    harness.come_back(ben)
    assert ben in harness.lobby.tables[TableId(table)].seating.guests


def test_nobody_can_be_hushed_who_is_not_here_and_nobody_themselves() -> None:
    """To hear somebody again they need not be here any more."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    for kind in (messages.Mute, messages.Block):
        assert harness.refused(ann, kind(1, "Nemo")).code == RefusalCode.UNKNOWN_PERSON
        assert harness.refused(ann, kind(2, "Ann")).code == RefusalCode.ALREADY_THERE
        harness.ok(ann, kind(harness.request_id(), "Ben"))
    harness.depart(ben)
    harness.ok(ann, messages.Mute(harness.request_id(), "Ben", on=False))
    assert list(harness.lobby.people[ann].muted) == []
    assert list(harness.lobby.people[ann].blocked) == ["ben"]


def test_lists_are_bounded_and_end_with_the_token() -> None:
    """The first make room for more; who comes anew has empty ones."""
    harness = LobbyHarness(new_lobby(people=200))
    ann = harness.arrive("Ann")
    for number in range(MOST_HUSHED + 5):
        harness.arrive(f"Guest {number}")
        harness.ok(ann, messages.Mute(harness.request_id(), f"Guest {number}"))
    assert len(harness.lobby.people[ann].muted) == MOST_HUSHED
    harness.depart(ann)
    assert not harness.lobby.people[harness.arrive("Ann")].muted
