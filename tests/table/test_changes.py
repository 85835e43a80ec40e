"""Changes in place of whole views: who is sent which, and when the whole view comes all the same."""

from typing import Any

import pytest

from put_protocol.folding import folded
from put_protocol.games.unions import GameView
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameStarted, Paused
from put_protocol.table_info import ClockInfo
from put_rules.registry import GAMES
from put_server.lobby.options import checked_options
from put_server.table.publisher import MessageForm, ViewsToSend
from put_server.table.seating import Sitter
from put_server.table.table import Table
from put_server.table.table_effects import PersonId, RequestRefused, TableId
from put_server.table.table_model import TableModel
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, TableHarness

ASKING = frozenset((ANN, CAT))
"""Who asked for changes: a player, and one of the gallery."""


def playing(game: str = "put-1674", seats: int = 2) -> TableHarness:
    """Some at a table, and two who watch; of each some asked for changes, and know no family but Put."""
    rule_set = GAMES[game]
    model = TableModel(
        id=TableId(7),
        owner_id=ANN,
        rule_set=rule_set,
        options=checked_options(rule_set.offer, {}),
        seats=seats,
        clock=ClockInfo(turn=0, bank=300),
        passcode="",
        is_gallery_open=True,
        is_exhibition=False,
    )
    table = Table(
        model,
        lambda _: Sitter(PersonId(99), "Doll", house="steady"),
        lambda person, family: MessageForm(
            ViewsToSend.CHANGES if person in ASKING and family == "put" else ViewsToSend.WHOLE
        ),
    )
    harness = TableHarness(table)
    harness.watch(CAT, DAN)
    harness.sit(*(ANN, BEN, EVE)[:seats])
    return harness


def pause_and_go_on(harness: TableHarness) -> None:
    for person in (ANN, BEN):
        harness.do(harness.table.pause(person, 10, harness.now))
    for person in (ANN, BEN):
        harness.do(harness.table.go_on(person, harness.now))


def told(harness: TableHarness, person: PersonId) -> list[Events]:
    return [message for message in harness.mail[person] if isinstance(message, Events)]


def moves(message: Events) -> bool:
    """Whether a message tells of a game that went on."""
    return message.view is not None or message.turn is not None or bool(message.moment)


def test_view_is_left_out_for_whoever_asked_for_changes() -> None:
    """But the first of a game; the others get each as before, and no `moment`."""
    harness = playing()
    harness.play_game()
    for person, other in ((CAT, DAN), (ANN, BEN)):
        first, *rest = [message for message in told(harness, person) if moves(message)]
        assert isinstance(first.events[0], GameStarted)
        assert first.view is not None
        assert rest
        assert all(message.view is None for message in rest)
        assert all(bool(message.moment) == (message.turn is not None) for message in rest)
        assert all(
            message.view is not None and not message.moment for message in told(harness, other) if moves(message)
        )


def test_view_of_an_unknown_family_is_sent_whole() -> None:
    """Whoever asked for changes could not apply them."""
    harness = playing("primero", 3)
    harness.resign(BEN)
    for person in ASKING:
        assert all(message.view is not None for message in told(harness, person) if moves(message))
        assert not any(message.moment for message in told(harness, person))


def test_folding_gives_the_same_views() -> None:
    """Message by message, from the snapshot on, what one of the gallery makes of it is what the other is sent."""
    harness = playing()
    pause_and_go_on(harness)
    harness.play_game()
    view: Any = None
    changes, wholes = told(harness, CAT), told(harness, DAN)
    changes = changes[-len(wholes) :]  # the first there hears the second come
    for change, whole in zip(changes, wholes, strict=True):
        assert (change.events, change.info, change.turn) == (whole.events, whole.info, whole.turn)
        view = folded(view, change, GALLERY)
        assert whole.view in (None, view)
    assert view == harness.table.publisher._view(GALLERY)


def test_pause_leaves_the_turn_where_it_is() -> None:
    """It comes with a `turn`, as everything that has to do with the clock."""
    harness = playing()
    pause_and_go_on(harness)
    (paused,) = [message for message in told(harness, CAT) if any(isinstance(e, Paused) for e in message.events)]
    assert paused.turn is not None
    assert paused.turn.paused_ms is not None
    assert paused.moment


@pytest.mark.parametrize("person", [ANN, CAT])
def test_whole_view_comes_with_a_table_and_with_what_was_missed(person: PersonId) -> None:
    """Whoever comes back starts from a whole view, however little they missed."""
    harness = playing()
    number = told(harness, person)[-1].first + len(told(harness, person)[-1].events) - 1
    viewer = harness.table.seating.viewer_of(person)
    assert viewer is not None
    now = harness.table.publisher._view(viewer)
    last = next(message for message in harness.reconnect(person, number) if isinstance(message, Events))
    assert last.view == now
    snapshot = next(message for message in harness.reconnect(person, None) if isinstance(message, TableSnapshot))
    assert snapshot.view == now


def test_refresh_brings_the_table_as_it_is() -> None:
    """Without any event, and with the number that the next one will have; a stranger is refused."""
    harness = playing()
    before = told(harness, ANN)[-1]
    harness.do(harness.table.refresh(ANN, harness.now))
    whole = told(harness, ANN)[-1]
    assert whole == Events(
        7,
        before.first + len(before.events),
        (),
        info=harness.table.info,
        view=harness.table.publisher._view(Seat(0)),
        turn=harness.table.model.turn_message(harness.now),
    )
    with pytest.raises(RequestRefused) as refused:
        harness.table.refresh(EVE, harness.now)
    assert refused.value.code == "not_there"


def test_view_that_nobody_is_sent_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all who are a viewer asked for changes."""
    harness = playing()
    harness.leave(DAN)
    computed: list[Viewer] = []
    game = harness.table.model.game
    own_view = game.own_view

    def noted(state: Any, seat: Seat, public: Any) -> GameView:
        computed.append(seat)
        return own_view(state, seat, public)

    monkeypatch.setattr(game, "own_view", noted)
    harness.play_game()
    assert set(computed) == {Seat(1)}
