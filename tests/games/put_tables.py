"""Tables of Put and its relatives, for the laws of that family alone."""

from typing import Any

import pytest

from put_protocol.games.put import PutView
from put_protocol.seats import GALLERY, Seat, Viewer
from tests.conformance.random_games import Setup
from tests.conformance.tables import TRIED

PUT_TABLES = tuple(table for table in TRIED if table.family == "put")

at_every_put_table = pytest.mark.parametrize("table", PUT_TABLES, ids=str)


def view_of(game: Any, state: Any, viewer: Viewer) -> PutView:
    """What a viewer sees of a game of Put."""
    view = game.view(state, viewer)
    assert isinstance(view, PutView)
    return view


def opening_view(setup: Setup) -> PutView:
    """What everyone sees before the first deal."""
    game = setup.game()
    return view_of(game, game.begin(setup.dealer), GALLERY)


def allies(setup: Setup, seat: Seat) -> tuple[Seat, ...]:
    """Who wins and loses with a seat, itself included: partners sit opposite."""
    step = 2 if opening_view(setup).sides else setup.seats
    return tuple(Seat(ally) for ally in range(seat % step, setup.seats, step))


def games_in(setup: Setup) -> int:
    """Games that end the play: more than one in a rubber."""
    return int(setup.options.get("rubber", 1))
