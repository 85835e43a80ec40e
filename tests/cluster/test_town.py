"""Gateways and shards together, in memory: people play across all of them, and whatever fails harms nobody else."""

from typing import Any

import pytest

from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Put
from put_protocol.messages import (
    Act,
    Block,
    Bye,
    Decision,
    Events,
    Goodbye,
    Hello,
    Invite,
    Invited,
    LobbyState,
    Look,
    LookAway,
    Mute,
    Notice,
    Ok,
    Refused,
    Say,
    Sit,
    TableSnapshot,
    Watch,
    Welcome,
)
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import Said
from put_server.cluster import link_messages as link
from put_server.cluster.greetings import GREETING_MS
from put_server.cluster.link import SILENCE_MS
from put_server.cluster.link_messages import Packet
from put_server.cluster.requests import SEARCH_MS
from put_server.cluster.shard_dispatcher import ShardDispatcher
from put_server.lobby import inputs, news
from put_server.lobby.subscribers import ALL_TABLES
from put_server.table.table_effects import TableId
from put_server.transport.admission import Caller
from put_server.transport.budgets import TURN_COST
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from tests.cluster.town import SHARDS, Town, named, opened, seated, sit
from tests.transport.dispatcher_harness import CODECS, asked, raw

# --- playing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("codec", [FRAMES, LINES])
def test_a_move_at_a_table_of_another_shard_is_seen_at_another_gateway(codec: Codec) -> None:
    town = Town()
    host, guest, table = seated(town, codec=codec)
    assert table % SHARDS == 0
    for _ in range(4):
        mover, decision = asked([host, guest])
        assert isinstance(mover.act(decision), Ok)
    assert host.told(Events)[-1].events == guest.told(Events)[-1].events


@pytest.mark.parametrize("codec", CODECS)
def test_a_gateway_tells_each_in_their_version(codec: Codec) -> None:
    """A guest of version 2 is answered apart from what they are told; one of version 3 by it."""
    town = Town()
    host = town.gateways[0].guest(named(0))
    table = opened(host)
    for place, version in enumerate((2, 3), 1):
        guest = town.gateways[1].peer(codec)
        guest.send(Hello(version, named(place)))
        assert [welcome.version for welcome in guest.told(Welcome)] == [version]
        guest.send(Watch(9, table))
        answer, *rest = raw(guest)
        if version == 2:
            assert answer == Ok(9, table)
            assert [type(message) for message in rest] == [TableSnapshot]
        else:
            assert isinstance(answer, TableSnapshot)
            assert answer.id == 9


def test_a_person_types_at_a_gateway() -> None:
    town = Town()
    host = town.gateways[0].guest(named(0))
    table = opened(host)
    typist = town.gateways[1].typist(f"name {named(1)}", f"sit {table}")
    assert [type(message) for message in typist.session.heard][:2] == [Welcome, Ok]
    assert any(isinstance(message, TableSnapshot | Events) for message in typist.session.heard)


def test_a_refused_move_is_counted_at_the_gateway() -> None:
    town = Town()
    caller = Caller("192.0.2.7", "192.0.2.7")
    gateway = town.gateways[1].gateway
    assert not gateway.admission.enter(caller)
    host = town.gateways[0].guest(named(0))
    guest = town.gateways[1].peer(caller=caller)
    guest.hello(named(1))
    table = opened(host)
    sit(host, table)
    sit(guest, table)
    _mover, decision = asked([host, guest])
    before = guest.session.standing.account.debt
    answer = guest.act(Decision(decision.table, decision.decision + 7, "", decision.legal))
    assert isinstance(answer, Refused)
    assert guest.session.standing.account.debt - before >= TURN_COST


# --- people ----------------------------------------------------------------------------------------------------------


def test_a_name_is_one_persons_whichever_gateway_they_come_by() -> None:
    town = Town()
    town.gateways[0].guest("Maria")
    for like in ("Maria", "maria", "MARIA", "rnaria", "Mar\u0131a"):
        other = town.gateways[1].peer()
        other.send(Hello(2, like))
        assert other.goodbye.refusal in (RefusalCode.NAME_TAKEN, RefusalCode.BAD_NAME), like


def test_of_two_who_claim_a_name_at_once_one_gets_it() -> None:
    town = Town()
    town._settles = True  # nothing arrives yet
    both = [gateway.peer() for gateway in town.gateways]
    for peer in both:
        peer.send(Hello(2, "Ann"))
    town._settles = False
    town.settle()
    assert sorted(len(peer.told(Welcome)) for peer in both) == [0, 1]
    assert sorted(len(peer.told(Goodbye)) for peer in both) == [0, 1]


def test_a_newer_connection_at_another_gateway_ends_the_older_one_everywhere() -> None:
    town = Town()
    host, guest, table = seated(town)
    again = town.gateways[0].peer()
    again.resume(guest)
    assert guest.goodbye.code == "taken_over"
    assert guest.transport.is_closed
    assert again.told(Welcome)[0].tables == (table,)
    for _ in range(3):
        mover, decision = asked([host, again])
        assert isinstance(mover.act(decision), Ok)
    assert not town.gateways[1].gateway._guests.by_number


def test_a_late_hello_with_an_older_number_ends_nothing() -> None:
    town = Town()
    guest = town.gateways[0].peer()
    guest.send(Hello(2, named(0), incarnation=5))
    guest.receive()
    late = town.gateways[1].peer()
    late.resume(guest, incarnation=4)
    assert late.goodbye.code == "taken_over"
    assert isinstance(guest.ask(Look), Ok)


def test_whoever_comes_back_gets_their_tables_of_all_shards_and_the_answers_they_missed() -> None:
    town = Town()
    host, guest, table = seated(town)
    other = town.gateways[0].guest(named(2, "Cid"))
    watched = opened(other)
    assert isinstance(guest.ask(lambda number: Watch(number, watched)), Ok)
    mine = opened(guest)
    lost = guest.number()
    guest.client.send(Say(lost, table, "Good evening"))
    guest.feed(guest.client.take())
    guest.drop()
    again = town.gateways[1].peer()
    again.resume(guest, asked=(lost, lost + 1))
    (welcome,) = again.told(Welcome)
    assert welcome.tables == tuple(sorted((table, watched)))
    answers = [message for message in again.messages if isinstance(message, Ok | Refused)]
    assert [(answer.id, type(answer)) for answer in answers] == [(lost, Ok), (lost + 1, Refused)]
    assert isinstance(sit(again, mine), Ok)
    said = [event for peer in (host,) for m in peer.told(Events) for event in m.events if isinstance(event, Said)]
    assert len(said) == 1


def test_a_token_of_nobody_is_refused_and_counted_as_a_guess() -> None:
    town = Town()
    peer = town.gateways[0].peer()
    peer.send(Hello(2, token="nonsense"))
    assert peer.goodbye.refusal is RefusalCode.BAD_TOKEN


def test_bye_ends_somebody_in_every_shard() -> None:
    town = Town()
    host, guest, table = seated(town)
    guest.send(Bye())
    assert guest.goodbye.code == "bye"
    assert all(
        person.name != guest.told(Welcome)[0].name for s in town.shards for person in s.dispatcher.lobby.people.values()
    )
    assert any(message for message in host.told(Events))
    del table


def test_after_a_bye_a_gateway_answers_nothing_that_came_behind_what_a_shard_leaves_unanswered() -> None:
    """One server answers neither; nor does it say anything while a shard is silent, or once a search has ended."""
    town = Town()
    _, guest, table = seated(town)
    told = len(guest.messages)
    town.stopped.add(2)
    for shard in town.shards:
        shard.journal.is_open = False
    guest.send(Block(7, named(1, "Bob"), on=False), LookAway(8), Say(9, table, "so long"))
    guest.send(Block(10, named(2)), Say(11, table, "again"), Bye())
    town.tick(SEARCH_MS)
    for shard in town.shards:
        shard.journal.commit()
    town.settle()
    assert guest.goodbye.code == "bye"
    assert [message.id for message in guest.messages[told:] if isinstance(message, Ok | Refused)] == []


# --- the lobby -------------------------------------------------------------------------------------------------------


def test_a_look_shows_the_tables_and_people_of_all_shards_each_once() -> None:
    town = Town()
    host, guest, table = seated(town)
    other = opened(guest)
    town.tick(1_000)
    looker = town.gateways[0].guest(named(2))
    assert isinstance(looker.ask(Look), Ok)
    town.tick(1_000)
    pages = looker.told(LobbyState)
    assert [page.begins for page in pages] == [True] + [False] * (len(pages) - 1)
    assert sorted(info.id for page in pages for info in page.tables) == sorted((table, other))
    seen = {person.name: person.tables for state in looker.told(LobbyState) for person in state.people}
    assert seen[guest.told(Welcome)[0].name] == (table,)
    third = opened(host)
    town.tick(1_000)
    assert [info.id for state in looker.told(LobbyState)[1:] for info in state.tables][-1] == third


def test_a_gateway_hears_and_tells_only_of_pages_that_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a page has one table: what happens on another reaches no gateway. Once nobody looks, nothing does."""
    monkeypatch.setattr(news, "PAGE", 1)
    town = Town()
    host, looker = town.gateways[0].guest(named(0)), town.gateways[1].guest(named(1))
    tables = [opened(host) for _ in range(4)]
    assert [table % SHARDS for table in tables] == [0] * 4
    town.tick(1_000)
    assert isinstance(looker.ask(lambda number: Look(number, page=2 * SHARDS)), Ok)
    town.tick(1_000)
    told = looker.told(LobbyState)
    assert [info.id for page in told for info in page.tables] == [tables[2]]
    assert [page.size.tables for page in told if page.size] == [4] * len(told)
    follows = town.gateways[1].gateway.lobby._listings[ALL_TABLES]
    assert set(follows._tables) == {tables[0], tables[2]}, "the first page tells how large the lobby is"
    assert isinstance(sit(host, tables[3]), Ok)
    assert isinstance(sit(host, tables[2]), Ok)
    town.tick(1_000)
    assert [info.id for page in looker.told(LobbyState)[len(told) :] for info in page.tables] == [tables[2]]
    assert isinstance(looker.ask(lambda number: Look(number, page=0, game="put-1674", free=True)), Ok)
    town.tick(1_000)
    assert looker.told(LobbyState)[-1].tables[0].id == tables[0]
    assert isinstance(looker.ask(LookAway), Ok)
    town.settle()
    assert set(follows._tables) == {tables[0]}
    gate = town.gateways[1].gateway.name
    assert {looked.page for name, looked in town.shards[0].dispatcher._followers.values() if name == gate} == {0}
    assert town.gateways[1].gateway.lobby._listings.keys() == {ALL_TABLES}


def test_news_goes_to_lookers_of_each_gateway_once() -> None:
    town = Town()
    lookers = [town.gateways[0].guest(named(0, "L")), town.gateways[1].guest(named(1, "M"))]
    for looker in lookers:
        looker.ask(Look)
    town.tick(1_000)
    for looker in lookers:
        looker.receive()
        looker.messages.clear()
    table = opened(lookers[0])
    town.tick(1_000)
    for looker in lookers:
        assert [info.id for state in looker.told(LobbyState) for info in state.tables] == [table]


# --- invitations and hushing -----------------------------------------------------------------------------------------


def test_somebody_at_another_gateway_and_of_another_shard_is_invited() -> None:
    town = Town()
    host, guest = town.gateways[0].guest(named(0, "Ann")), town.gateways[1].guest(named(1, "Bob"))
    table = opened(host, passcode="secret")
    name = guest.told(Welcome)[0].name
    assert isinstance(host.ask(lambda number: Invite(number, table, person=name)), Ok)
    assert guest.told(Invited)[0].table == table
    assert isinstance(sit(guest, table), Ok), "without the passcode"


def test_nobody_is_invited_who_is_not_here() -> None:
    town = Town()
    host = town.gateways[0].guest(named(0, "Ann"))
    table = opened(host)
    for home in (0, 1):
        answer = host.ask(lambda number: Invite(number, table, person=named(home, "Nobody")))  # noqa: B023  # asked now
        assert isinstance(answer, Refused)
        assert answer.code is RefusalCode.UNKNOWN_PERSON


def test_an_invitation_is_answered_though_the_guest_cannot_be_brought() -> None:
    town = Town()
    host, guest = town.gateways[0].guest(named(0, "Ann")), town.gateways[1].guest(named(1, "Bob"))
    table = opened(host)
    name = guest.told(Welcome)[0].name
    town.cut.add("gate1")
    number = host.number()
    host.send(Invite(number, table, person=name))
    town.tick(SEARCH_MS + 250)
    answers = [answer for answer in host.told(Refused) if answer.id == number]
    assert [answer.code for answer in answers] == [RefusalCode.UNKNOWN_PERSON]


def test_who_blocks_somebody_is_not_invited_by_them_in_any_shard() -> None:
    town = Town()
    host, guest = town.gateways[0].guest(named(0, "Ann")), town.gateways[1].guest(named(1, "Bob"))
    town.tick(1_000)
    hosts, guests = host.told(Welcome)[0].name, guest.told(Welcome)[0].name
    assert isinstance(guest.ask(lambda number: Block(number, hosts)), Ok)
    table = opened(host)
    answer = host.ask(lambda number: Invite(number, table, person=guests))
    assert isinstance(answer, Refused)
    assert answer.code is RefusalCode.NOT_ADMITTED


def test_whom_somebody_mutes_they_hear_no_more_at_tables_of_any_shard() -> None:
    town = Town()
    host, guest, table = seated(town)
    town.tick(1_000)
    name = host.told(Welcome)[0].name
    answers = [guest.ask(lambda number: Mute(number, name))]
    assert [type(answer) for answer in answers] == [Ok]
    assert len([m for m in guest.messages if isinstance(m, Ok) and m.id == answers[0].id]) == 1
    host.ask(lambda number: Say(number, table, "a long story"))
    said = [event for m in guest.told(Events) for event in m.events if isinstance(event, Said)]
    assert [event.muted for event in said] == [True]
    newcomer = town.gateways[0].guest(named(2, "Cid"))  # of whom no gateway has heard yet
    assert isinstance(guest.ask(lambda number: Mute(number, newcomer.told(Welcome)[0].name)), Ok)
    answer = guest.ask(lambda number: Mute(number, "Nobody Here"))
    assert isinstance(answer, Refused)
    assert answer.code is RefusalCode.UNKNOWN_PERSON


# --- what fails ------------------------------------------------------------------------------------------------------


def test_a_shard_that_is_taken_over_cuts_those_whom_it_knows_and_nobody_else() -> None:
    town = Town()
    host, guest, table = seated(town)
    other = town.gateways[1].guest(named(2, "Cid"))
    mover, decision = asked([host, guest])
    town.replace(0)
    assert [peer.goodbye.code for peer in (host, guest)] == ["draining", "draining"]
    assert isinstance(other.ask(Look), Ok)
    back = [town.gateways[place].peer() for place in (1, 0)]
    for peer, former in zip(back, (host, guest), strict=True):
        peer.resume(former)
        assert peer.told(Welcome)[0].tables == (table,)
    mover = back[0] if mover is host else back[1]
    assert mover.told(Decision)[-1].decision == decision.decision
    assert isinstance(mover.act(mover.told(Decision)[-1]), Ok)


def test_a_gateway_that_is_cut_off_is_lost_at_the_shards_and_comes_back() -> None:
    town = Town()
    host, guest, table = seated(town)
    town.cut.add("gate1")
    town.tick(SILENCE_MS + 500)
    assert guest.goodbye.code == "draining"
    info = town.shards[0].dispatcher.lobby.tables[TableId(table)].info
    assert [seat.is_away for seat in info.seats].count(True) == 1
    waiting = town.gateways[1].peer()
    waiting.resume(guest)
    town.tick(1_000)
    assert not waiting.told(Welcome)
    town.cut.clear()
    town.tick(1_000)
    assert waiting.told(Welcome)[0].tables == (table,)
    assert not host.transport.is_closed


def test_a_hello_that_its_shard_does_not_answer_is_sent_away_to_try_again() -> None:
    town = Town()
    town.stopped.add(1)
    town.tick(SILENCE_MS + 500)
    here, there = town.gateways[0].guest(named(0)), town.gateways[0].peer()
    there.send(Hello(2, named(1)))
    town.tick(GREETING_MS + 250)
    assert there.goodbye.code == "draining"
    assert there.goodbye.back_s == 1
    table = 1  # of that shard
    answer = sit(here, table)
    assert isinstance(answer, Refused)
    assert (answer.code, answer.retry_after_ms) == (RefusalCode.TOO_FAST, 1_000)


def test_a_connection_that_is_lost_before_its_welcome_leaves_nobody_behind() -> None:
    town = Town()
    town._settles = True
    peer = town.gateways[0].peer()
    peer.send(Hello(2, "Ann"))
    peer.drop()
    town._settles = False
    town.settle()
    assert not town.gateways[0].gateway._guests.by_number
    assert all(not person.is_here for shard in town.shards for person in shard.dispatcher.lobby.people.values())
    town.gateways[1].guest("Ann")


@pytest.mark.parametrize("is_late", [False, True], ids=["at once", "behind the journal"])
def test_a_bug_of_a_shard_on_somebodys_account_sends_them_away_alone(
    is_late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come back to their seat. They would wait for an answer for ever, if the gateway were not told."""
    town = Town()
    host, guest, table = seated(town)
    town.shards[0].journal.is_open = not is_late
    name = "_perform" if is_late else "submit"
    whole = getattr(ShardDispatcher, name)

    def broken(self: ShardDispatcher, event: inputs.Input, *rest: Any) -> Any:
        outcome = whole(self, event, *rest)
        return 1 / 0 if isinstance(event, inputs.Ask) else outcome

    with monkeypatch.context() as patch:
        patch.setattr(ShardDispatcher, name, broken)
        guest.send(Say(guest.number(), table, "hm"))
        town.shards[0].journal.is_open = True
        town.shards[0].journal.commit()
        town.settle()
    assert (guest.goodbye.code, guest.goodbye.back_s) == ("draining", 0)
    again = town.gateways[1].peer()
    again.resume(guest)
    assert again.told(Welcome)[0].tables == (table,)
    assert isinstance(host.ask(lambda number: Say(number, table, "well")), Ok)


def test_words_of_a_shard_for_connections_that_are_gone_or_never_were_harm_nobody() -> None:
    town = Town()
    host, _, _ = seated(town)
    goodbye = Goodbye(code="kicked", says="go")
    for item in (
        link.Delivered((77, 1_000_000), b"x"),
        link.Told((77,), Notice("x")),
        link.Farewell(77, goodbye),
        link.Absent(77),
        link.Charged(77, 1e9, 5),
        link.Pinged(77),
        link.Found(77, is_there=True),
        link.Summoned(1, 77, 2),
        link.Summoned(2, 1, 99),
    ):
        town.shards[2].links.send("gate0", item)
    town.settle()
    assert isinstance(host.ask(Look), Ok)


def test_garbage_from_a_shard_cuts_only_those_whom_that_shard_knows() -> None:
    town = Town()
    host = town.gateways[0].guest(named(0, "Ann"))
    other = town.gateways[0].guest(named(1, "Bob"))
    gateway = town.gateways[0].gateway
    now = gateway.links[1]
    packet = Packet(link.VERSION, "gate0", 1, now._ways.link, 1, now._ways._received + 1, True, b"\xc1")
    gateway.receive(link.encode(packet))
    assert other.goodbye.code == "draining"
    assert isinstance(host.ask(Look), Ok)


def test_whoever_is_kicked_at_home_departs_everywhere() -> None:
    town = Town()
    host, guest, table = seated(town)
    home = town.shards[1].dispatcher
    (person,) = [person for person in home.lobby.people.values() if person.name.startswith("Bob")]
    home.kick(person.id, Goodbye(code="kicked", says="you were sent away"))
    town.settle()
    assert guest.goodbye.code == "kicked"
    names = [person.name for shard in town.shards for person in shard.dispatcher.lobby.people.values()]
    assert not [name for name in names if name.startswith("Bob")]
    assert not host.transport.is_closed
    del table


def test_who_asks_at_a_table_of_a_shard_where_they_never_were_is_refused_and_not_made_known_there() -> None:
    town = Town()
    host, other = town.gateways[0].guest(named(0, "Ann")), town.gateways[0].guest(named(1, "Bob"))
    table = opened(host)
    town.tick(1_000)
    for number in (table, table + 9 * SHARDS):
        for request in (
            Say(1000 + number, number, "hm"),
            Invite(2000 + number, number),
            Act(3000 + number, number, 1, Put()),
        ):
            other.send(request)
            assert [answer.code for answer in other.told(Refused) if answer.id == request.id] == [RefusalCode.NOT_THERE]
    assert len(town.shards[0].dispatcher.lobby.people) == 1


def test_gateway_says_so_where_it_refuses_a_request_itself() -> None:
    """One that does not fit the schema, and one too many."""
    guest = Town().gateways[0].guest(named(0), LINES)
    guest.client._waiting.add(7)
    guest.feed(b'{"type":"say","id":7,"table":1}\n')
    guest.send(*(Look(number) for number in range(8, 8 + REQUESTS_AT_ONCE)))
    assert {refused.code for refused in guest.told(Refused)} == {RefusalCode.BAD_REQUEST, RefusalCode.TOO_FAST}


def test_what_waits_for_a_visit_is_bounded() -> None:
    """Moves are free of the rate limit, but not of this: a client has no more than 64 requests without an answer."""
    town = Town()
    host, guest, table = town.gateways[0].guest(named(0, "Ann")), town.gateways[1].guest(named(1, "Bob")), 0
    table = opened(host)
    town._settles = True  # the visit is not answered
    guest.send(Sit(1, table), *(Act(number, table, 1, Put()) for number in range(2, 200)))
    town._settles = False
    town.settle()
    assert guest.goodbye.code == "too_fast"


def test_who_comes_from_a_gateway_that_died_is_not_let_in_one_at_a_time() -> None:
    """A newcomer is, where the gateway has much to do."""
    town = Town()
    guest = town.gateways[0].guest(named(1))
    gateway = town.gateways[1].gateway
    callers = [Caller(f"192.0.2.{place}", f"192.0.2.{place}") for place in range(2)]
    assert not any(gateway.admission.enter(caller) for caller in callers)
    back, newcomer = (town.gateways[1].peer(caller=caller) for caller in callers)
    gateway.budgets._total.debt = 1e6
    back.resume(guest)
    newcomer.send(Hello(2, named(2)))
    assert back.told(Welcome)
    assert not newcomer.told(Welcome)
