"""Turn notices: who is told by a push message of their move, when, and of what."""

import asyncio
import logging
import time
from pathlib import Path
from typing import Any

import pytest

from put_protocol import messages
from put_protocol.codecs import LINES, decoder_of_requests
from put_protocol.errors import MessageError
from put_rules.registry import GAMES
from put_server.push.turn_notices import AWAY_MS, MESSAGE_GAP_MS, SENDING_AT_ONCE, TurnNotices
from put_server.table.table_effects import PersonId
from tests.lobby.lobby_harness import LobbyHarness, new_lobby
from tests.transport.dispatcher_harness import DispatcherHarness
from tests.web.push_service import HOST, Receiver, push_service

ADDRESS = "https://push.example.org/moll"


class Evening:
    """Two people at a table, and the notices of their server."""

    def __init__(self, harness: LobbyHarness | None = None, **fields: Any) -> None:
        self.harness = harness or LobbyHarness()
        self.notices = TurnNotices(
            self.harness.lobby, lambda: self.harness.now, ["push.example.org", HOST], "https://h/"
        )
        self.notices.key_page()
        self.receiver = Receiver()
        self.people = [self.harness.arrive(name) for name in ("Moll", "Ned")]
        self.table = self.harness.open(self.people[0], **fields)
        self.harness.sit(self.table, *self.people)

    @property
    def mover(self) -> PersonId:
        turn = self.harness.lobby.tables[self.table].model.turn  # type: ignore[index]  # a number is a number
        assert turn.seat is not None
        return self.people[turn.seat]

    @property
    def other(self) -> PersonId:
        return self.people[1 - self.people.index(self.mover)]

    def asks(self, person: PersonId, address: str = ADDRESS, *, is_seen: bool = False) -> bool:
        return self.notices.note(person, self.receiver.push(address, is_seen=is_seen))

    def told(self, milliseconds: int = 0) -> list[tuple[PersonId, int, int]]:
        """Who is to be told when so much time has passed, of which table, and the time left."""
        self.harness.tick(milliseconds)
        found: list[tuple[PersonId, int, int]] = [
            (person, table, left) for person, _, table, left in self.notices.due()
        ]
        self.notices._sending = 0
        return found


def test_player_is_told_once_when_nothing_is_seen_for_a_while() -> None:
    """Not while the page is seen, not at once, and not again before they were back."""
    evening = Evening(turn=600)
    mover = evening.mover
    assert evening.asks(mover, is_seen=True)
    assert evening.told() == evening.told(AWAY_MS) == []
    evening.asks(mover)
    assert evening.told() == evening.told(AWAY_MS - 1) == []
    assert evening.told(1) == [(mover, evening.table, 600_000 - 2 * AWAY_MS)]
    assert evening.told(MESSAGE_GAP_MS) == []
    evening.asks(mover)  # the page is loaded, and hidden again
    assert evening.told(MESSAGE_GAP_MS) == []
    evening.asks(mover, is_seen=True)
    evening.asks(mover)
    assert evening.told() == []
    assert evening.told(AWAY_MS) == [(mover, evening.table, 600_000 - 3 * AWAY_MS - 2 * MESSAGE_GAP_MS)]


def test_messages_to_a_person_keep_their_distance() -> None:
    """However often the page is hidden and seen."""
    evening = Evening(turn=600)
    mover, told = evening.mover, []
    for _ in range(30):
        evening.asks(mover, is_seen=True)
        evening.asks(mover)
        assert evening.told() == []
        told += evening.told(AWAY_MS)
    assert len(told) == 30 * AWAY_MS // MESSAGE_GAP_MS


def test_connection_that_is_lost_is_a_page_that_is_closed() -> None:
    """Be it seen before; the time left is then that of the bank."""
    evening = Evening(turn=600, bank=300)
    mover = evening.mover
    evening.asks(mover, is_seen=True)
    evening.harness.lose(mover)
    assert evening.told() == []
    assert evening.told(AWAY_MS) == [(mover, evening.table, 300_000 - AWAY_MS)]


def test_only_the_player_to_move_is_told() -> None:
    """A subscription is its person's own: of another's seat, or from the gallery, it tells nothing."""
    evening = Evening(turn=600)
    watcher = evening.harness.arrive("Kit")
    evening.harness.watch(evening.table, watcher)
    for person in (evening.other, watcher):
        evening.asks(person)
    assert evening.told() == evening.told(10 * AWAY_MS) == []


@pytest.mark.parametrize("field", ["person", "seat", "table", "token"])
def test_message_names_no_other_person(field: str) -> None:
    """With a field for that it is none."""
    with pytest.raises(MessageError):
        decoder_of_requests(LINES)._converted({"type": "push", "endpoint": ADDRESS, field: 1})


def test_paused_game_waits_for_nobodys_move() -> None:
    """Its clocks stand still, and so does this."""
    evening = Evening(turn=600)
    for person in evening.people:
        evening.asks(person)
        evening.harness.ok(person, messages.Pause(evening.harness.request_id(), evening.table, 30))
    assert evening.told() == evening.told(10 * AWAY_MS) == []


def test_subscription_is_forgotten_when_its_person_says_so_or_leaves() -> None:
    """At once, and with the next look."""
    evening = Evening(turn=600)
    for person in evening.people:
        evening.asks(person)
    evening.notices.note(evening.people[0], messages.Push())
    assert {*evening.notices.kept} == {evening.people[1]}
    evening.harness.depart(evening.people[1])
    assert evening.told(AWAY_MS) == []
    assert evening.notices.kept == {}


def test_ten_thousand_subscriptions_of_a_person_are_one() -> None:
    """The latest; its size is bounded by the type of the message."""
    evening = Evening(turn=600)
    for number in range(10_000):
        assert evening.asks(evening.mover, f"{ADDRESS}/{number}")
    assert [one.browser.path for one in evening.notices.kept.values()] == ["/moll/9999"]
    for field, length in (("endpoint", 1_025), ("p256dh", 129), ("auth", 129)):
        with pytest.raises(MessageError):
            decoder_of_requests(LINES)._converted({"type": "push", field: "x" * length})


def test_no_more_messages_are_on_their_way_than_may_be() -> None:
    """Whoever is due later has their turn at a later look; none is lost, and none is queued."""
    harness = LobbyHarness(new_lobby(people=200, tables=200, each=4))
    evening = Evening(harness, turn=600)
    evening.asks(evening.mover)
    for number in range(SENDING_AT_ONCE):
        pair = [harness.arrive(f"{side}{number}") for side in ("left", "right")]
        harness.sit(harness.open(pair[0], turn=600), *pair)
        for person in pair:
            evening.asks(person)
    assert evening.told() == []
    harness.tick(AWAY_MS)
    first = list(evening.notices.due())
    assert len(first) == SENDING_AT_ONCE
    assert list(evening.notices.due()) == []
    evening.notices._sending = 0
    assert len({person for person, *_ in first} | {person for person, *_ in evening.told()}) == SENDING_AT_ONCE + 1


def test_nothing_is_kept_where_nothing_is_pushed() -> None:
    """Without hosts, and before a page has asked for the key; and no address is kept that may not be asked."""
    evening = Evening()
    lobby = evening.harness.lobby
    off = TurnNotices(lobby, lambda: 0, [], "https://h/")
    assert off.key_page().body == b""
    fresh = TurnNotices(lobby, lambda: 0, ["push.example.org"], "https://h/")
    for notices in (off, fresh):
        assert not notices.note(evening.mover, evening.receiver.push(ADDRESS))
    assert not evening.asks(evening.mover, "https://192.168.1.1/admin")
    assert [one.kept for one in (off, fresh, evening.notices)] == [{}, {}, {}]


def test_page_is_told_that_no_message_is_sent_there() -> None:
    """By a notice, and its moves go on; one that may be asked is not answered."""
    heard = list[messages.Push]()

    def note(_: PersonId, request: messages.Push) -> bool:
        heard.append(request)
        return request.endpoint == ADDRESS

    harness = DispatcherHarness()
    harness.dispatcher.note_push = note
    ann = harness.guest("Ann")
    ann.receive()
    ann.send(messages.Push(ADDRESS))
    assert ann.receive() == []
    ann.send(messages.Push("https://10.0.0.1/"))
    assert ann.receive() == [messages.Notice("this server sends no push messages there")]
    assert [request.endpoint for request in heard] == [ADDRESS, "https://10.0.0.1/"]
    assert isinstance(ann.ask(messages.LookAway), messages.Ok)


@pytest.mark.parametrize("status", [201, 404, 410, 413, 429, 500])
async def test_address_that_its_service_does_not_know_is_forgotten(
    status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And no other; the log has the service, and never the address, which is a secret."""
    caplog.set_level(logging.DEBUG)
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        evening = Evening(turn=600)
        service.answer = f"HTTP/1.1 {status} So\r\n\r\n".encode()
        evening.asks(evening.mover, service.address("secret-of-moll"))
        assert evening.told() == []
        evening.harness.tick(AWAY_MS)
        for due in evening.notices.due():
            await evening.notices._tell(*due)
        assert service.pushed.qsize() == 1
        assert (evening.mover in evening.notices.kept) is (status not in (404, 410))
        assert ("answered" in caplog.text) is (status != 201)
        assert "secret-of-moll" not in caplog.text
        assert evening.notices._sending == 0


async def test_service_that_is_not_reached_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged by its name, and counts as told."""
    caplog.set_level(logging.DEBUG)
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        address = service.address("secret-of-moll")
    evening = Evening(turn=600)
    evening.asks(evening.mover, address)
    assert evening.told() == []
    evening.harness.tick(AWAY_MS)
    for due in evening.notices.due():
        await evening.notices._tell(*due)
    assert f"{HOST} was not reached" in caplog.text
    assert "secret-of-moll" not in caplog.text
    assert evening.notices._sending == 0
    assert evening.mover in evening.notices.kept


@pytest.mark.parametrize("game", GAMES)
async def test_message_holds_a_table_and_a_time_and_nothing_else(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No card, no name, no choice, whatever is played."""
    monkeypatch.setattr(time, "time", lambda: 1_000.0)
    async with asyncio.timeout(20), push_service(tmp_path, monkeypatch) as service:
        harness = LobbyHarness()
        evening = Evening(harness)
        seats = GAMES[game].offer.seats[0]
        players = [harness.arrive(f"Player {number}") for number in range(seats)]
        table = harness.open(players[0], game=game, seats=seats, turn=600)
        harness.sit(table, *players)
        for player in players:
            evening.asks(player, service.address())
        assert evening.told() == []
        harness.tick(AWAY_MS)
        (due,) = evening.notices.due()
        await evening.notices._tell(*due)
        message = evening.receiver.opened(service.pushed.get_nowait().body)
        assert message == {"table": table, "until": 1_000_000 + 600_000 - AWAY_MS}
