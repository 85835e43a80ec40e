"""A lobby that is one of several: its tables' numbers, visitors, and who follows it from elsewhere."""

import pytest

from put_protocol.messages import Block, LobbyState, Look, Mute, Ok
from put_server.lobby.inputs import Admit, Arrive, Keep
from put_server.lobby.news import EVERY_PAGE
from put_server.lobby.presence import GRACE_MS
from put_server.lobby.subscribers import ALL_TABLES
from put_server.table.table_effects import PersonId, Tell
from tests.lobby.lobby_harness import LobbyHarness, checkpointed, new_lobby, token_of


def one_of(shards: int, shard: int) -> LobbyHarness:
    numbers = {"first_table": shard or shards, "table_stride": shards}
    return LobbyHarness(new_lobby(shard={**numbers, "is_whole": False}))


@pytest.mark.parametrize(("shards", "shard", "numbers"), [(1, 0, [1, 2, 3]), (8, 0, [8, 16, 24]), (8, 5, [5, 13, 21])])
def test_number_of_a_table_tells_its_shard(shards: int, shard: int, numbers: list[int]) -> None:
    """Also after a restart, and when the last table is gone."""
    harness = one_of(shards, shard)
    ann = harness.arrive("Ann")
    assert [harness.open(ann) for _ in range(2)] == numbers[:2]
    again = one_of(shards, shard).lobby
    again.restore(harness.lobby.checkpoint())
    assert LobbyHarness(again).open(ann) == numbers[2]


def test_visitor_comes_with_whom_they_muted_and_blocked() -> None:
    """And mutes people whom this lobby does not know."""
    harness = one_of(8, 3)
    outcome = harness.handle(
        Arrive("Ann", is_bot=False, token=token_of("Ann"), is_visitor=True, muted=("ben",), blocked=("kit",))
    )
    assert isinstance(outcome.answer, Admit)
    ann = outcome.answer.person
    harness.ok(ann, Mute(harness.request_id(), "Nan", on=True))
    harness.ok(ann, Block(harness.request_id(), "Kit", on=False))
    person = checkpointed(harness.lobby, harness.now).people[ann]
    assert (tuple(person.muted), tuple(person.blocked)) == (("ben", "nan"), ())


def test_person_who_has_a_seat_elsewhere_is_expected_back() -> None:
    """As long as it is said; then they depart as everybody does."""
    harness = one_of(8, 3)
    ann = harness.arrive("Ann")
    harness.lose(ann)
    for _ in range(3):
        harness.tick(GRACE_MS - 1)
        harness.handle(Keep(ann))
    assert ann in harness.lobby.people
    harness.tick(GRACE_MS)
    assert ann not in harness.lobby.people


def test_reader_who_is_nobody_follows_the_lobby() -> None:
    """They get all of it and then what changes, and nothing that is kept knows of them."""
    harness = one_of(8, 3)
    ann = harness.arrive("Ann")
    before = harness.lobby.checkpoint()
    begins, page = harness.lobby.subscribers.add(PersonId(-1), 0, EVERY_PAGE, ALL_TABLES)
    assert isinstance(begins, Tell)
    assert isinstance(begins.message, LobbyState)
    assert (begins.people, begins.message.begins) == ((-1,), True)
    assert isinstance(page, Tell)
    assert isinstance(page.message, LobbyState)
    assert [person.name for person in page.message.people] == ["Ann"]
    assert harness.lobby.checkpoint() == before
    harness.lobby.subscribers.discard(PersonId(-1))
    assert isinstance(harness.ask(ann, Look(harness.request_id())), Ok)
