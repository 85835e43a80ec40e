"""A lobby taken apart into shards, and put together, is the lobby it was."""

from collections.abc import Callable
from zlib import crc32

import pytest

from put_server.cluster.broker import BadCluster
from put_server.cluster.partition import in_order, merge, split
from put_server.journal.journal_reader import Checkpoint
from put_server.journal.lobby_replay import fold
from put_server.journal.records import encode
from put_server.lobby.inputs import Arrive, Restart
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.lobby.open_tables import FRESH_MS
from put_server.lobby.policy import Policy
from tests.journal.dealt_journals import DealingHarness, dealt_tables
from tests.lobby.lobby_harness import LobbyHarness, new_lobby

SHARDS = 3

LATER = 98_765


def home_of(name: str) -> int:
    return crc32(name.encode()) % SHARDS


def at_every_game(seed: int) -> DealingHarness:
    """People in the middle of a game of each family."""
    tables: tuple[dict[str, int | str], ...] = tuple(
        [{"game": game} for game in ("put-1674", "primero", "triomphe-forcee")]
    )
    harness = dealt_tables(seed=seed, tables=tables, seats=4)
    for _ in range(6 + seed):
        harness.move()
    return harness


def anything(seed: int) -> LobbyHarness:
    """A lobby in which much has happened."""
    harness = LobbyHarness(seed=seed)
    for _ in range(250 + 50 * seed):
        harness.random_step()
    return harness


def restored(checkpoint: LobbyCheckpoint) -> Lobby:
    lobby = new_lobby()
    lobby.restore(checkpoint)
    return lobby


def parts_of(lobby: LobbyCheckpoint, at: int) -> list[Checkpoint]:
    """Its shards, each as the journal of one brings it back."""
    return [Checkpoint(7, at, restored(part).checkpoint()) for part in split(lobby, SHARDS, home_of)]


@pytest.mark.parametrize(
    ("play", "seed"), [(at_every_game, 1), (at_every_game, 2), (anything, 1), (anything, 3), (anything, 5)]
)
def test_moving_a_lobby_there_and_back_changes_nothing(play: Callable[[int], LobbyHarness], seed: int) -> None:
    """Every person, table, hand and answer is where it was, whoever restores it."""
    harness = play(seed)
    before = harness.lobby.checkpoint()
    parts = parts_of(before, harness.now)
    assert [[table.id % SHARDS for table in part.lobby.tables] for part in parts] == [
        [shard] * len(part.lobby.tables) for shard, part in enumerate(parts)
    ]
    merged = merge(parts, home_of)
    assert encode(merged.lobby) == encode(in_order(before))
    assert merged.at == harness.now
    assert encode(restored(merged.lobby).checkpoint()) == encode(merged.lobby)


def test_moving_brings_people_of_several_shards_together() -> None:
    """Who plays at tables of several shards is one person again; ids that clash are told apart."""
    ours, theirs = LobbyHarness(seed=1), LobbyHarness(seed=2)
    ann, bill = ours.arrive("Ann"), ours.arrive("Bill")
    ours.sit(ours.open(ann), ann, bill)
    cat, also_ann = theirs.arrive("Cat"), theirs.arrive("Ann")
    theirs.open(cat)
    theirs.tick(FRESH_MS)  # that table is gone, and the next has another number
    theirs.sit(theirs.open(cat), cat)
    theirs.watch(2, also_ann)
    parts = [Checkpoint(1, ours.now, ours.lobby.checkpoint()), Checkpoint(9, theirs.now, theirs.lobby.checkpoint())]
    merged = merge(parts, lambda _: 0)
    assert (merged.number, merged.at) == (9, theirs.now)
    lobby = merged.lobby
    ids = {person.name: person.id for person in lobby.people}
    assert sorted(ids) == ["Ann", "Bill", "Cat"]
    assert len(set(ids.values())) == len(ids)
    first, second = lobby.tables
    assert [chair.sitter.id for chair in first.chairs if chair.sitter] == [ids["Ann"], ids["Bill"]]
    assert [chair.sitter.id for chair in second.chairs if chair.sitter] == [ids["Cat"]]
    assert second.watchers == ((ids["Ann"], "Ann"),)
    assert [person.tables for person in lobby.people if person.name == "Ann"] == [(1, 2)]
    assert max(ids.values()) <= lobby.last_person
    assert encode(restored(lobby).checkpoint()) == encode(lobby)


def test_moving_refuses_two_people_with_one_name() -> None:
    """A name belongs to one person: nobody guesses which of them."""
    ours, theirs = LobbyHarness(seed=1), LobbyHarness(seed=2)
    ours.arrive("Ann")
    theirs.handle(Arrive("ann", False, b"another token"))
    parts = [Checkpoint(1, one.now, one.lobby.checkpoint()) for one in (ours, theirs)]
    with pytest.raises(BadCluster, match="two people are called"):
        merge(parts, lambda _: 0)


@pytest.mark.parametrize("seed", [1, 2])
def test_moving_to_a_later_clock_leaves_everyone_as_much_time(seed: int) -> None:
    """A shard whose clock is earlier comes out as if all had happened on the later clock."""
    harness = LobbyHarness(seed=seed)
    for _ in range(400):
        harness.random_step()
    later = new_lobby()
    later.handle(Restart(policy=harness.lobby.policy), LATER)
    for at, event in harness.records:
        fold(later, event, at + LATER)
    empty = Checkpoint(1, harness.now + LATER, new_lobby(people=harness.lobby.policy.people).checkpoint())
    merged = merge([Checkpoint(1, harness.now, harness.lobby.checkpoint()), empty], lambda _: 0)
    assert merged.at == harness.now + LATER
    assert encode(merged.lobby) == encode(in_order(later.checkpoint()))


def test_moving_keeps_the_starts_that_prove_a_loss() -> None:
    """Starts of all shards are known; none that one of them may have forgotten is taken for a loss."""

    def starting(*epochs: int) -> Checkpoint:
        lobby = new_lobby()
        for epoch in epochs:
            lobby.handle(Restart(policy=Policy(), epoch=epoch), 0)
        return Checkpoint(1, 0, lobby.checkpoint())

    assert merge([starting(3, 7), starting(3, 5)], lambda _: 0).lobby.epochs == (3, 5, 7)
    many = tuple(range(10, 40))
    assert merge([starting(3, 7, 27), starting(*many)], lambda _: 0).lobby.epochs == many[-16:]
