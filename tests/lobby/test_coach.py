"""The coach advises who plays against the house alone, at their own decision, and the game is marked for everybody."""

import pytest

from put_protocol.messages import Again, Coach, Invite, Leave, Pause, Resign
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_rules.record import Assist
from put_rules.registry import GAMES
from put_rules.steps import fold
from put_server.analysis.evaluation import pending_situation
from put_server.lobby.inputs import Ask, changes_nothing
from put_server.table.table_effects import GameStudy, PersonId, Tell
from tests.lobby.lobby_harness import LobbyHarness, checkpointed, folded, new_lobby


def against_house(harness: LobbyHarness, **fields: object) -> tuple[PersonId, int]:
    """Ann plays against a house player, and it is her turn."""
    ann = harness.arrive("Ann")
    table = harness.open(ann, **fields)
    harness.sit(table, ann)
    harness.ok(ann, Invite(harness.request_id(), table, house="steady"))
    until_turn(harness, table)
    return ann, table


def until_turn(harness: LobbyHarness, table: int) -> None:
    """The house moves until it is Ann's turn."""
    while harness.lobby.tables[table].model.turn.seat != 0:  # type: ignore[index]  # a number is a number
        assert harness.house_moves()


def advice(harness: LobbyHarness, person: PersonId, table: int) -> GameStudy:
    effects = harness.handle(Ask(person, Coach(harness.request_id(), table))).effects
    (want,) = [effect for effect in effects if isinstance(effect, GameStudy)]
    return want


def is_marked(harness: LobbyHarness, table: int) -> bool:
    return harness.lobby.tables[table].info.is_assisted  # type: ignore[index]  # a number is a number


def refusal(harness: LobbyHarness, person: PersonId, table: int) -> RefusalCode:
    return harness.refused(person, Coach(harness.request_id(), table)).code


def test_coach_is_asked_at_ones_own_decision_against_the_house() -> None:
    """About what this seat sees now; and the table says so to everybody, in the lobby too, from the first time on."""
    harness = LobbyHarness()
    ann, table = against_house(harness)
    watcher = harness.arrive("Wat")
    harness.watch(table, watcher)
    assert not is_marked(harness, table)
    effects = harness.handle(Ask(ann, Coach(harness.request_id(), table))).effects
    want = effects[-1]
    assert isinstance(want, GameStudy)
    assert (want.person, want.seat, want.record.number) == (ann, 0, 1)
    model = harness.lobby.tables[table].model  # type: ignore[index]  # a number is a number
    assert want.decision == model.turn.decision
    situation = pending_situation(want.record, GAMES["put-1674"], want.seat)
    assert situation is not None
    assert model.play is not None
    assert situation.view == model.game.view(model.play.state, Seat(0))
    assert situation.legal == model.play.question(1, in_words=True, in_phrases=True).legal
    told = {person for effect in effects if isinstance(effect, Tell) for person in effect.people}
    assert {ann, watcher} <= told
    assert is_marked(harness, table)
    again = harness.handle(Ask(ann, Coach(harness.request_id(), table))).effects
    assert [type(effect) for effect in again] == [GameStudy], "it is told once"


def test_mark_is_of_a_game_and_stays_with_its_record() -> None:
    """The next game begins without; the record of the one that is over keeps it."""
    harness = LobbyHarness()
    ann, table = against_house(harness)
    advice(harness, ann, table)
    harness.ok(ann, Resign(harness.request_id(), table))
    assert is_marked(harness, table)
    play = harness.lobby.tables[table].model.play  # type: ignore[index]  # a number is a number
    assert play is not None
    record = harness.lobby.tables[table].model.record(play)  # type: ignore[index]  # a number is a number
    steps = [played.input for played in fold(record, GAMES["put-1674"].make(2, record.options))]
    assert [step for step in steps if isinstance(step, Assist)] == [Assist(Seat(0))]
    harness.ok(ann, Again(harness.request_id(), table))
    assert not is_marked(harness, table)


def test_mark_survives_a_crash() -> None:
    """By the records, and by a checkpoint."""
    harness = LobbyHarness()
    ann, table = against_house(harness)
    request = Coach(harness.request_id(), table)
    assert not changes_nothing(Ask(ann, request))
    harness.ok(ann, request)
    assert is_marked(folded(harness.records, new_lobby()), table)
    assert checkpointed(harness.lobby, harness.now).tables[table].info.is_assisted  # type: ignore[index]  # the same


def test_nobody_is_advised_against_people() -> None:
    """Neither in a game between two, nor once the house has taken the place of somebody who began it."""
    harness = LobbyHarness()
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, options={"abandoned": "house"})
    harness.sit(table, ann, ben)
    assert {refusal(harness, person, table) for person in (ann, ben)} == {RefusalCode.AGAINST_PEOPLE}
    harness.ok(ben, Leave(harness.request_id(), table))
    until_turn(harness, table)
    assert refusal(harness, ann, table) == RefusalCode.AGAINST_PEOPLE
    assert not is_marked(harness, table)


def test_bot_at_the_table_is_nobody_of_the_house() -> None:
    """A program of somebody's is as good as the somebody."""
    harness = LobbyHarness()
    ann, bot = harness.arrive("Ann"), harness.arrive("Robin", is_bot=True)
    table = harness.open(ann)
    harness.sit(table, ann, bot)
    assert refusal(harness, ann, table) == RefusalCode.AGAINST_PEOPLE


def test_nobody_else_is_advised() -> None:
    """Who watches or is elsewhere, whose turn it is not, in a pause, and when no game is in play; and nothing is marked
    by what is refused."""
    harness = LobbyHarness()
    ann, table = against_house(harness)
    wat = harness.arrive("Wat")
    assert refusal(harness, wat, table) == RefusalCode.NOT_THERE
    harness.watch(table, wat)
    assert refusal(harness, wat, table) == RefusalCode.NOT_THERE
    assert refusal(harness, ann, table + 1) == RefusalCode.UNKNOWN_TABLE
    harness.ok(ann, Pause(harness.request_id(), table, 60))
    assert refusal(harness, ann, table) == RefusalCode.PAUSED
    assert not is_marked(harness, table)
    other = harness.open(wat)
    harness.sit(other, wat)
    assert refusal(harness, wat, other) == RefusalCode.NO_GAME


@pytest.mark.parametrize("fields", [{"game": "truc"}, {"options": {"target": 3}}, {"seats": 3}])
def test_coach_is_asked_in_what_is_not_solved(fields: dict[str, object]) -> None:
    """Other games, other options, more players; there it counts."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    table = harness.open(ann, **fields)
    harness.sit(table, ann)
    while not harness.lobby.tables[table].seating.is_full:  # type: ignore[index]  # a number is a number
        harness.ok(ann, Invite(harness.request_id(), table, house="steady"))
    until_turn(harness, table)
    assert advice(harness, ann, table).seat == 0
