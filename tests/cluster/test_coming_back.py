"""Whoever comes back while a shard is between two workers: who waits for it, and what they are told when it is back."""

from functools import partial
from typing import Any

import pytest

from put_protocol.messages import (
    Decision,
    Events,
    Hello,
    Leave,
    Left,
    Look,
    Mute,
    Ok,
    OpenTable,
    Refused,
    Request,
    Say,
    TableSnapshot,
    Watch,
    Welcome,
)
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import Said
from put_server.cluster.greetings import GREETING_MS
from put_server.cluster.link import SILENCE_MS
from put_server.lobby.inputs import Depart
from tests.cluster.town import Town, named, opened, seated, sit
from tests.transport.dispatcher_harness import Peer, asked


def stop(town: Town, shard: int) -> None:
    """Its worker dies, and everybody notices."""
    town.tick(1_000)  # gateways have heard who is where
    town.stopped.add(shard)
    town.tick(SILENCE_MS + 500)


def back(town: Town, former: Peer, gateway: int = 0, **fields: object) -> Peer:
    again = town.gateways[gateway].peer()
    again.resume(former, **fields)
    return again


def answers(peer: Peer) -> list[tuple[int, type[Ok] | type[Refused]]]:
    return [(message.id, type(message)) for message in peer.told(Ok) + peer.told(Refused)]


def test_who_is_at_no_table_of_a_shard_that_is_down_is_let_in_at_once() -> None:
    """And comes to it as soon as it is back, as anybody does."""
    town = Town()
    host = town.gateways[0].guest(named(0, "Ann"))
    table = opened(host)
    guest = town.gateways[1].guest(named(1, "Bob"))
    stop(town, 0)
    guest.drop()
    again = back(town, guest, epoch=guest.told(Welcome)[0].epoch)
    assert again.told(Welcome)[0].tables == ()
    answer = sit(again, table)
    assert isinstance(answer, Refused)
    assert answer.retry_after_ms == 1_000
    town.replace(0)
    assert isinstance(sit(again, table), Ok)
    assert again.told(TableSnapshot)


def test_who_has_a_seat_there_waits_a_while_and_is_told_everything_at_once() -> None:
    town = Town()
    host, guest, table = seated(town)
    stop(town, 0)
    again = back(town, guest)
    town.tick(2_000)
    assert not again.told(Welcome)
    town.replace(0)
    assert again.told(Welcome)[0].tables == (table,)
    assert again.told(Events)
    del host


def test_who_has_waited_is_let_in_and_goes_on_in_the_same_deal_when_the_shard_is_back() -> None:
    """Meanwhile they are told that their table does not answer, and play at others."""
    town = Town()
    host, guest, table = seated(town)
    mover, decision = asked([host, guest])
    other = town.gateways[0].guest(named(2, "Cid"))
    elsewhere = opened(other)
    stop(town, 0)
    again = back(town, guest)
    town.tick(GREETING_MS + 250)
    assert again.told(Welcome)[0].tables == (table,)
    assert isinstance(sit(again, elsewhere), Ok)
    answer = again.act(decision)
    assert isinstance(answer, Refused)
    assert (answer.code, answer.retry_after_ms) == (RefusalCode.TOO_FAST, 1_000)
    town.replace(0)
    later = back(town, host)
    assert again.told(Events)
    first = again if mover is guest else later
    assert first.told(Decision)[-1].decision == decision.decision
    for _ in range(3):
        mover, decision = asked([later, again])
        assert isinstance(mover.act(decision), Ok)


def test_who_left_that_table_before_anybody_here_heard_of_it_is_told_so_when_it_is_back() -> None:
    town = Town()
    _, guest, table = seated(town)
    stop(town, 0)
    again = back(town, guest)
    town.tick(GREETING_MS + 250)
    dispatcher = town.shards[0].dispatcher
    (person,) = [person.id for person in dispatcher.lobby.people.values() if person.name == named(1, "Bob")]
    dispatcher.submit(Depart(person))
    town.replace(0)
    assert [message.table for message in again.told(Left)] == [table]
    assert again.told(Welcome)[0].tables == (table,)
    assert isinstance(again.ask(Look), Ok)


def test_a_gateway_that_never_heard_of_the_shard_lets_everybody_wait_and_then_in() -> None:
    """What they have there they are told when it is back, also if they do not know where they were."""
    town = Town()
    _, guest, table = seated(town)
    stop(town, 0)
    again = town.add_gateway().peer()
    again.send(Hello(2, token=guest.token))
    assert not again.told(Welcome)
    town.tick(GREETING_MS)
    assert again.told(Welcome)[0].tables == ()
    town.replace(0)
    assert [message.table for message in again.told(TableSnapshot)] == [table]


def test_a_shard_that_answers_late_goes_on_at_a_table_that_the_welcome_names() -> None:
    """The gateway had no news of it yet, and the shard was asked with what they have of their table."""
    town = Town()
    _, guest, table = seated(town)
    town.tick(1_000)
    town.shards[0].journal.is_open = False
    gateway = town.add_gateway()
    guest.drop()
    again = gateway.peer()
    again.resume(guest)
    town.tick(GREETING_MS)
    assert again.told(Welcome)[0].tables == (table,)
    town.shards[0].journal.is_open = True
    town.shards[0].journal.commit()
    town.settle()
    assert {message.table for message in again.told(Events)} == {table}
    assert not again.told(TableSnapshot)


@pytest.mark.parametrize("is_carried_out", [True, False])
def test_what_they_asked_of_a_shard_that_died_is_answered_once_when_it_is_back(is_carried_out: bool) -> None:
    """Until then nobody knows what came of it: they are told to come back, and no table goes on before the answer."""
    town = Town()
    host, guest, table = seated(town)
    town.tick(1_000)
    lost, never = guest.number(), guest.number()
    if not is_carried_out:
        town.stopped.add(0)
    guest.client.send(Say(lost, table, "Good evening"))
    guest.feed(guest.client.take())
    guest.receive()
    stop(town, 0)
    early = back(town, guest, asked=(lost, never))
    town.tick(GREETING_MS + 250)
    assert (early.goodbye.code, early.goodbye.back_s) == ("draining", 1)
    assert not early.told(Welcome)
    again = back(town, guest, asked=(lost, never))
    town.replace(0)
    assert answers(again) == ([(lost, Ok), (never, Refused)] if is_carried_out else [(lost, Refused), (never, Refused)])
    later = back(town, host)
    said = [event for m in later.told(Events) for event in m.events if isinstance(event, Said)]
    assert len(said) <= is_carried_out
    town.tick(GREETING_MS)
    assert len(answers(again)) == 2


def test_a_newer_connection_ends_the_older_one_while_a_shard_is_down_and_has_its_seat_there() -> None:
    town = Town()
    _, guest, table = seated(town)
    stop(town, 0)
    older = back(town, guest, gateway=0)
    town.tick(GREETING_MS + 250)
    newer = back(town, older, gateway=1)
    assert older.goodbye.code == "taken_over"
    town.tick(GREETING_MS + 250)
    town.replace(0)
    assert newer.told(Welcome)[0].tables == (table,)
    assert newer.told(Events) + newer.told(TableSnapshot)
    lobby = town.shards[0].dispatcher.lobby
    assert [p.is_here for p in lobby.people.values() if p.name == named(1, "Bob")] == [True]
    assert not newer.transport.is_closed


def known_at(town: Town, shard: int) -> list[str]:
    return [person.name for person in town.shards[shard].dispatcher.lobby.people.values()]


def test_whom_they_mute_meanwhile_they_do_not_hear_there() -> None:
    town = Town()
    host, guest, table = seated(town)
    name = host.told(Welcome)[0].name
    stop(town, 0)
    again = back(town, guest)
    town.tick(GREETING_MS + 250)
    for on in (True, False, True):
        assert isinstance(again.ask(partial(Mute, person=name, on=on)), Ok)
    (known,) = [one for one in town.gateways[0].gateway._guests if one.owed is not None]
    assert known.owed is not None
    assert len(known.owed.hushed) == 1, "however often they change their mind"
    town.replace(0)
    later = back(town, host)
    assert isinstance(later.ask(lambda number: Say(number, table, "a long story")), Ok)
    said = [event for m in again.told(Events) for event in m.events if isinstance(event, Said)]
    assert [event.muted for event in said] == [True]
    assert [answer for answer in answers(again) if answer[1] is Refused] == []


def test_whom_they_hear_again_while_a_shard_looks_for_them_is_told_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard that was told twice before its stream took the first would answer twice."""
    town = Town()
    host, guest, table = seated(town)
    name = host.told(Welcome)[0].name
    stop(town, 0)
    again = back(town, guest)
    town.tick(GREETING_MS + 250)
    assert isinstance(again.ask(partial(Mute, person=name, on=True)), Ok)
    town._settles = True
    town.replace(0)
    while not town.gateways[0].gateway.is_linked:
        town.exchange()
    told: list[Request] = []
    dispatcher = town.shards[0].dispatcher
    ask = dispatcher.ask

    def note(session: Any, request: Request) -> bool:
        told.append(request)
        return ask(session, request)

    monkeypatch.setattr(dispatcher, "ask", note)
    again.send(unmute := Mute(again.number(), name, on=False))
    town._settles = False
    town.settle()
    assert told == [unmute]
    later = back(town, host)
    assert isinstance(later.ask(lambda number: Say(number, table, "a long story")), Ok)
    assert [event.muted for m in again.told(Events) for event in m.events if isinstance(event, Said)] == [False]


def test_what_is_asked_of_a_shard_while_it_says_that_they_are_not_known_there_is_carried_out() -> None:
    town = Town()
    host = town.gateways[0].guest(named(0, "Ann"))
    table = opened(host)
    guest = town.gateways[1].guest(named(1, "Bob"))
    stop(town, 0)
    guest.drop()
    again = back(town, guest, gateway=1)
    town._settles = True
    town.replace(0)
    while not town.gateways[1].gateway.is_linked:
        town.exchange()
    again.send(Watch(again.number(), table))
    town._settles = False
    town.settle()
    assert answers(again)[-1][1] is Ok


def test_a_request_that_a_shard_does_not_know_is_not_refused_while_another_may_have_carried_it_out() -> None:
    """Who asks after one is let in when every shard has answered, though they are at no table there."""
    town = Town()
    host = town.gateways[0].guest(named(0, "Ann"))
    table = opened(host)
    guest = town.gateways[1].guest(named(1, "Bob"))
    assert isinstance(guest.ask(lambda number: Watch(number, table)), Ok)
    town.tick(1_000)
    lost = guest.number()
    guest.client.send(Leave(lost, table))
    guest.feed(guest.client.take())
    guest.receive()
    town.stopped.add(2)
    stop(town, 0)
    again = back(town, guest, asked=(lost,))
    town.replace(2)
    assert not again.told(Welcome)
    town.replace(0)
    assert again.told(Welcome)
    assert answers(again) == [(lost, Ok)]


def test_shard_that_answers_a_hello_late_answers_no_request_again() -> None:
    """What they asked is answered with the welcome; from the late shard comes what they missed at its table."""
    town = Town()
    _, guest, table = seated(town)
    town.tick(1_000)
    lost = guest.number()
    guest.client.send(OpenTable(lost, "put-1674"))
    guest.feed(guest.client.take())
    guest.receive()
    guest.drop()
    town.shards[0].journal.is_open = False
    again = back(town, guest, asked=(lost,))
    assert not again.told(Welcome)
    town.tick(GREETING_MS + 250)
    assert again.told(Welcome)
    assert answers(again) == [(lost, Ok)]
    town.shards[0].journal.commit()
    town.settle()
    assert table in [message.table for message in again.told(Events)]
    assert answers(again) == [(lost, Ok)]


def test_response_to_an_older_request_of_the_same_number_is_no_answer() -> None:
    """A client that has all its answers begins to number anew, while a shard is down that remembers the older ones."""
    town = Town()
    host = town.gateways[0].guest(named(0, "Ann"))
    table = opened(host)
    other = opened(town.gateways[0].guest(named(2, "Cid")))
    guest = town.gateways[1].guest(named(1, "Bob"))
    assert isinstance(guest.ask(lambda number: Watch(number, table)), Ok)
    assert isinstance(guest.ask(lambda number: Leave(number, table)), Ok)
    town.tick(1_000)
    town.stopped.add(0)
    town.tick(SILENCE_MS + 500)
    again = back(town, guest)
    town.tick(GREETING_MS + 250)
    assert again.told(Welcome)
    town.stopped.add(2)
    again.client.send(Watch(again.number(), other))
    again.feed(again.client.take())
    again.receive()
    again.drop()
    town.tick(SILENCE_MS + 500)
    later = town.gateways[0].peer()
    later.resume(again, asked=(1,))
    town.replace(0)
    town.replace(2)
    assert later.told(Welcome)
    assert answers(later) == [(1, Refused)]
