"""A shard that was put back to an earlier moment: whoever saw more there is told so, whatever their home still has."""

import pytest

from put_protocol.messages import Events, Notice, Ok, Say, TableSnapshot, Welcome
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from tests.cluster.town import Town, opened, seated, sit
from tests.transport.dispatcher_harness import Peer, asked


def kept(town: Town, shard: int) -> LobbyCheckpoint:
    return town.shards[shard].dispatcher.lobby.checkpoint()


def back(town: Town, former: Peer) -> Peer:
    again = town.gateways[0].peer()
    again.resume(former, epoch=former.told(Welcome)[0].epoch)
    return again


@pytest.mark.parametrize("is_new_start", [False, True])
def test_who_saw_more_at_a_table_than_its_shard_has_kept_is_told_and_shown_it_anew(
    is_new_start: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Their home has lost nothing. It makes no difference whether the start in which they saw it is lost, too."""
    town = Town()
    host, guest, table = seated(town)
    before = kept(town, 0)
    if is_new_start:
        town.replace(0)
        host, guest = back(town, host), back(town, guest)
    for _ in range(3):
        mover, decision = asked([host, guest])
        mover.act(decision)
    town.replace(0, 3, before)
    again = back(town, guest)
    assert ["lost" in notice.says for notice in again.told(Notice)] == [True]
    assert [message.table for message in again.told(TableSnapshot)] == [table]
    assert "acknowledged play was lost: Guest" not in caplog.text
    assert "acknowledged play was lost" in caplog.text
    later = back(town, host)
    mover, decision = asked([again, later])
    assert isinstance(mover.act(decision), Ok)


def test_who_came_back_in_time_is_not_sent_the_rest_of_another_story() -> None:
    """They saw nothing that is lost, but the numbers of what follows were used twice meanwhile."""
    town = Town()
    host, guest, table = seated(town)
    before = kept(town, 0)
    guest.drop()
    host.drop()
    town.replace(0, 2, before)
    later = back(town, host)
    for text in "abcdef":
        assert isinstance(later.ask(lambda number, text=text: Say(number, table, text)), Ok)  # type: ignore[misc]
    again = back(town, guest)
    assert not again.told(Notice)
    assert again.told(Events) + again.told(TableSnapshot)


def test_who_had_a_seat_at_a_table_that_is_lost_altogether_is_told() -> None:
    """Also where the shard does not know any more that they ever came."""
    town = Town()
    nothing = kept(town, 0)
    host, guest, table = seated(town)
    town.replace(0, 2, nothing)
    again = back(town, guest)
    assert ["lost" in notice.says for notice in again.told(Notice)] == [True]
    assert again.told(Welcome)[0].tables == ()
    del host, table


def test_takeovers_without_a_loss_are_nothing_to_tell() -> None:
    """However many there were while somebody was away, whatever was played meanwhile, and whatever day it is where the
    worker runs."""
    town = Town()
    host, guest, table = seated(town)
    mover, decision = asked([host, guest])
    mover.act(decision)
    guest.drop()
    hour = 3_600_000
    for worker, today in enumerate((2 * hour, 1, hour), 2):
        town.replace(0, worker, today=today)
        host = back(town, host)
        host.ask(lambda number: Say(number, table, "still here"))
        other = opened(host)
        assert isinstance(sit(host, other), Ok)
    again = back(town, guest)
    assert not again.told(Notice) + host.told(Notice)
    assert again.told(TableSnapshot) + again.told(Events)
    assert asked([again, host])[1].table == table
