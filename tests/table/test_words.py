"""The server's words at a table: for whoever's client does not know the family of the game, and for nobody else."""

import msgspec

from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import ClockInfo
from put_rules.registry import GAMES
from put_server.lobby.options import checked_options
from put_server.table.event_log import TAIL
from put_server.table.publisher import MessageForm, ViewsToSend
from put_server.table.seating import Sitter
from put_server.table.table import Table
from put_server.table.table_effects import PersonId, TableId
from put_server.table.table_model import TableModel
from put_text.presenters import format_event, format_view
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, TableHarness

NAMES = ("Ann", "Ben", "Cat", "Dan")
ASKING = frozenset((BEN, EVE))


def form_of(person: PersonId, family: str) -> MessageForm:
    return MessageForm(ViewsToSend.EXPLAINED if person in ASKING and family != "put" else ViewsToSend.WHOLE)


def playing(game: str) -> TableHarness:
    """Four at a table, and two who watch; Ben and one of the gallery do not know any family but Put."""
    rule_set = GAMES[game]
    model = TableModel(
        id=TableId(7),
        owner_id=ANN,
        rule_set=rule_set,
        options=checked_options(rule_set.offer, {}),
        seats=4,
        clock=ClockInfo(turn=0, bank=300),
        passcode="",
        is_gallery_open=True,
        is_exhibition=False,
    )
    table = Table(model, lambda _: Sitter(PersonId(99), "Doll", house="steady"), form_of)
    harness = TableHarness(table)
    harness.watch(EVE)
    harness.sit(ANN, BEN, CAT, DAN)
    return harness


def told(harness: TableHarness, person: PersonId) -> list[Events]:
    return [message for message in harness.mail[person] if isinstance(message, Events)]


def test_words_go_to_whoever_asks_for_them() -> None:
    """A sentence for each event, and the view in sentences, each as its own viewer hears it."""
    harness = playing("triomphe-forcee")
    for person, viewer in ((BEN, Seat(1)), (EVE, GALLERY)):
        heard = told(harness, person)
        assert any(message.board for message in heard)
        for message in heard:
            assert message.says == tuple([format_event(event, NAMES, you=viewer) for event in message.events]) or (
                message.view is None  # before all had come, there were fewer names
            )
            assert message.board == (() if message.view is None else format_view(message.view, NAMES, viewer))
    for person in (ANN, CAT, DAN):
        assert not any(message.says or message.board for message in told(harness, person))


def test_words_are_all_that_differs() -> None:
    """Who asks for words is told the same events, with the same numbers, as who does not."""
    harness = playing("primero")
    harness.do(harness.table.watch(knowing := PersonId(50), "Fay", harness.now))
    harness.say(ANN, "Good luck.")
    *_, asking = told(harness, EVE)
    (other,) = told(harness, knowing)
    assert asking.says == ('Ann says: "Good luck.".',)
    assert msgspec.structs.replace(asking, says=(), first=0) == msgspec.structs.replace(other, first=0)
    snapshot = next(message for message in harness.mail[knowing] if isinstance(message, TableSnapshot))
    assert (snapshot.board, snapshot.view) == ((), harness.table.publisher._view(GALLERY))


def test_words_come_with_a_snapshot_and_with_what_was_missed() -> None:
    """Whoever comes back is told the board as it is now, and what they missed in sentences, in half the pieces."""
    harness = playing("triomphe-forcee")
    harness.mail[BEN].clear()
    harness.do(harness.table.reconnect(BEN, None, harness.now))
    snapshot = next(message for message in harness.mail[BEN] if isinstance(message, TableSnapshot))
    assert snapshot.view is not None
    assert snapshot.board == format_view(snapshot.view, NAMES, Seat(1))
    harness.disconnect(BEN)
    for turn in range(TAIL - 1):
        harness.say(ANN, str(turn))
    harness.mail[BEN].clear()
    harness.do(harness.table.reconnect(BEN, snapshot.number, harness.now))
    missed = told(harness, BEN)
    assert max(len(message.events) for message in missed) == 12
    assert [len(message.says) for message in missed] == [len(message.events) for message in missed]
    assert [bool(message.board) for message in missed] == [message.view is not None for message in missed]
    assert any(message.board for message in missed)


def test_words_are_not_sent_at_a_table_of_a_family_that_is_known() -> None:
    """Put is known to every client there is."""
    harness = playing("put-1674")
    assert not any(message.says or message.board for person in (BEN, EVE) for message in told(harness, person))
