"""The laws of environments for learning: an observation is a function of what the server sends, and hides what that
hides. A registered family joins by having a codec."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from put_protocol.games.unions import GameView
from put_protocol.messages import Decision, TableSnapshot
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Turn
from tests.conformance.random_games import Step, encode
from tests.conformance.secrets import SECRETS
from tests.conformance.tables import Played, Table, at_every_table, games_at, rng_of

families = pytest.importorskip("put_env.families")


def _codec(played: Played) -> Any:
    return families.new_codec(played.setup.family.name, played.game)


def _sights(played: Played, steps: tuple[Step, ...]) -> Iterator[tuple[Step, Seat]]:
    return ((step, Seat(seat)) for step in steps for seat in range(played.setup.seats))


@at_every_table
def test_observation_follows_from_the_bytes_that_the_server_sends(table: Table) -> None:
    """The codec is given nothing but what a client decodes: the view, and the legal actions of the decision."""
    seen = 0
    for played in games_at(table, share=0.3):
        codec = _codec(played)
        view_type = played.setup.family.view
        for step, seat in _sights(played, played.steps):
            view = played.game.view(step.state, seat)
            sent = msgspec.msgpack.decode(encode(view), type=view_type)
            numbers = codec.encode(sent, seat)
            assert numbers.tobytes() == codec.encode(view, seat).tobytes()
            if played.game.awaits(step.state) == Turn(seat):
                legal = played.game.legal(step.state)
                codes = codec.codes(sent, legal)
                assert codes == codec.codes(view, legal)
                assert set(codes) <= set(range(len(codec.actions)))
                alike = {(code, _without_suits(table, action)) for code, action in zip(codes, legal, strict=True)}
                assert len(alike) == len(set(codes)) == len({action for _, action in alike})
                seen += 1
    assert seen > 15


@at_every_table
def test_what_a_seat_may_not_know_changes_no_number_it_observes(table: Table) -> None:
    """The same games with all that a viewer may not know in other places: every number stays the same, while the
    others' change."""
    others_differ, runs = 0, 0
    redealt = SECRETS[table.family].redealt
    for played in games_at(table, share=0.2):
        codec, rng = _codec(played), rng_of(table, -played.seed)
        held = [
            number for number, step in enumerate(played.steps, 1) if any(played.game.view(step.state, GALLERY).counts)
        ]
        for viewer in map(Seat, range(played.setup.seats)):
            steps = played.steps[: rng.choice(held or [1])]
            again = redealt(rng, played, steps, viewer)
            for true, other in zip(steps, again, strict=True):
                told = [codec.encode(played.game.view(step.state, viewer), viewer) for step in (true, other)]
                assert told[0] == told[1], f"{played.setup}, seed {played.seed}, {viewer}"
            runs += 1
            others_differ += any(
                codec.encode(played.game.view(true.state, seat), seat)
                != codec.encode(played.game.view(other.state, seat), seat)
                for true, other in zip(steps, again, strict=True)
                for seat in map(Seat, range(played.setup.seats))
                if seat != viewer
            )
    assert others_differ > runs / (3 if table.seats < 9 else 8)


@at_every_table
def test_observation_tells_apart_what_the_view_does(table: Table) -> None:
    """Two views with the same numbers differ in nothing but suits where these do not matter, and the number of the
    hand: the observation leaves nothing out."""
    views: dict[tuple[int, bytes, str], bytes] = {}
    for played in games_at(table, share=0.1):
        codec = _codec(played)
        for step, seat in _sights(played, played.steps):
            view = played.game.view(step.state, seat)
            key = (seat, codec.encode(view, seat).tobytes(), str(sorted(played.setup.options.items())))
            told = msgspec.json.encode(_told(table, view))
            assert views.setdefault(key, told) == told
    assert len(views) > 20


def _told(table: Table, view: GameView) -> Any:
    """What a view tells, in an order of its own."""
    told = msgspec.to_builtins(view)
    told["cards"] = sorted(told.get("cards", ()), key=str) if table.family != "primero" else told.get("cards", ())
    for name in ("thrown", "refused", "barred", "seen_by", "givers"):
        if name in told:
            told[name] = sorted(told[name], key=str)
    if table.family == "put":
        told.pop("hand", None)
        told = _ranks_only(told)
    return told


def _ranks_only(told: Any, name: str = "") -> Any:
    match told:
        case dict():
            return {key: _ranks_only(value, key) for key, value in told.items()}
        case list() | tuple() if name in ("cards", "thrown"):
            return [card[:-1] for card in told]
        case list() | tuple():
            return [_ranks_only(each, name) for each in told]
        case str() if name in ("card", "gave"):
            return told[:-1]
        case _:
            return told


def _without_suits(table: Table, action: Any) -> Any:
    """An action as the codec counts it: in the Put family a card is its rank."""
    if table.family != "put" or not hasattr(action, "card"):
        return action
    return (type(action).__name__, action.card[:-1])


def test_messages_that_bring_them_hold_what_the_codec_is_given() -> None:
    """A seat's view and its legal actions are fields of messages: the snapshot, the events and the decision."""
    assert {"viewer", "view"} <= set(TableSnapshot.__struct_fields__)
    assert "legal" in Decision.__struct_fields__
