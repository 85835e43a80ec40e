"""Decisions are weighed after the game, for whoever took them, and for nobody else; and asking changes nothing."""

import pytest

from put_protocol.cards import Card
from put_protocol.games.put import Play
from put_protocol.messages import (
    Again,
    Analyse,
    Dismiss,
    Drill,
    Grade,
    Leave,
    Ok,
    Recall,
    Refused,
    Resign,
    Sit,
    Stand,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_rules.registry import GAMES
from put_server.analysis.evaluation import played_turns
from put_server.lobby.inputs import Arrive, Ask, changes_nothing
from put_server.lobby.recent_responses import each
from put_server.table.table_effects import Effect, GameStudy, PersonId, Practice, TableId
from tests.lobby.lobby_harness import LobbyHarness, checkpointed, folded, lobby_snapshot, new_lobby


def played(harness: LobbyHarness, game: str = "put-1674", **fields: object) -> tuple[PersonId, PersonId, int]:
    """Ann and Ben have played at a table, and Ann gave the game up."""
    ann, ben = harness.arrive("Ann"), harness.arrive("Ben")
    table = harness.open(ann, game=game, **fields)
    harness.sit(table, ann, ben)
    harness.ok(ann, Resign(harness.request_id(), table))
    return ann, ben, table


def analyse(harness: LobbyHarness, person: PersonId, table: int) -> list[Effect]:
    return harness.handle(Ask(person, Analyse(harness.request_id(), table))).effects


def wanted(effects: list[Effect]) -> GameStudy:
    (want,) = effects
    assert isinstance(want, GameStudy)
    return want


def refusal(harness: LobbyHarness, person: PersonId, table: int) -> RefusalCode:
    return harness.refused(person, Analyse(harness.request_id(), table)).code


def test_player_may_ask_when_the_game_is_over() -> None:
    """It is answered, and their own seat in that game is wanted, and nothing else."""
    harness = LobbyHarness()
    ann, ben, table = played(harness)
    for seat, person in enumerate((ann, ben)):
        want = wanted(analyse(harness, person, table))
        assert (want.person, want.seat) == (person, seat)
        assert (want.record.table, want.record.number) == (table, 1)
        played_turns(want.record, GAMES["put-1674"], want.seat)


def test_nothing_is_weighed_during_a_game() -> None:
    """Neither the game in play nor the one before it."""
    harness = LobbyHarness()
    ann, ben, table = played(harness)
    for person in (ann, ben):
        harness.ok(person, Again(harness.request_id(), table))
    for person in (ann, ben):
        assert refusal(harness, person, table) == RefusalCode.GAME_IN_PLAY
    harness.ok(ben, Resign(harness.request_id(), table))
    assert wanted(analyse(harness, ann, table)).record.number == 2


def test_table_says_whether_its_game_is_solved() -> None:
    """To everybody, from the beginning, and after a new start of the server, so that nobody asks in vain."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    for game, fields, is_solved in (
        ("put-1674", {"options": {"dealing": "plain"}}, True),
        ("put-1674", {"options": {"dealing": "plain", "target": 3}}, False),
    ):
        table = harness.open(ann, game=game, **fields)
        for lobby in (harness.lobby, checkpointed(harness.lobby, harness.now)):
            assert lobby.tables[TableId(table)].info.is_solved is is_solved


def recall(harness: LobbyHarness, person: PersonId, table: int) -> GameStudy:
    (want,) = harness.handle(Ask(person, Recall(harness.request_id(), table))).effects
    assert isinstance(want, GameStudy)
    return want


def test_player_may_have_a_game_that_is_over_as_they_saw_it() -> None:
    """Their own seat's sheet, of a game that is not solved, too; not while it is played, and nobody else's."""
    harness = LobbyHarness()
    ann, ben, table = played(harness, "put-1800")
    for seat, person in enumerate((ann, ben)):
        want = recall(harness, person, table)
        assert (want.person, want.seat, want.record.number) == (person, seat, 1)
    cat = harness.arrive("Cat")
    assert harness.refused(cat, Recall(harness.request_id(), table)).code == RefusalCode.NOT_THERE
    for person in (ann, ben):
        harness.ok(person, Again(harness.request_id(), table))
    assert harness.refused(ann, Recall(harness.request_id(), table)).code == RefusalCode.GAME_IN_PLAY


def test_player_who_left_is_not_told_what_was_seen_in_their_place() -> None:
    """Somebody else played on with their seat, and so with other cards; and after a new start of the server, too."""
    harness = LobbyHarness()
    ann, ben, cat = harness.arrive("Ann"), harness.arrive("Ben"), harness.arrive("Cat")
    table = harness.open(ann, game="put-tavern", seats=3, options={"abandoned": "house"})
    harness.sit(table, ann, ben, cat)
    harness.ok(ann, Leave(harness.request_id(), table))
    for person in (ben, cat):
        harness.ok(person, Resign(harness.request_id(), table))
    at = harness.lobby.tables[TableId(table)]
    assert not at.model.is_playing
    harness.ok(ben, Dismiss(harness.request_id(), table, Seat(0)))
    harness.ok(ann, Sit(harness.request_id(), table, Seat(0)))
    assert harness.refused(ann, Recall(harness.request_id(), table)).code == RefusalCode.NO_GAME
    again = checkpointed(harness.lobby, harness.now)
    assert again.tables[TableId(table)].model.play.relieved == (0,)  # type: ignore[union-attr]  # there is a game
    assert recall(harness, ben, table).seat == 1


def test_spectators_and_strangers_are_refused() -> None:
    """Who watches, who is elsewhere, who stood up, and who sits where somebody else played."""
    harness = LobbyHarness()
    ann, ben, table = played(harness)
    cat = harness.arrive("Cat")
    assert refusal(harness, cat, table) == RefusalCode.NOT_THERE
    harness.watch(table, cat)
    assert refusal(harness, cat, table) == RefusalCode.NOT_THERE
    assert refusal(harness, cat, table + 1) == RefusalCode.UNKNOWN_TABLE
    harness.ok(ann, Stand(harness.request_id(), table))
    assert refusal(harness, ann, table) == RefusalCode.NOT_THERE
    harness.sit(table, cat)
    assert refusal(harness, cat, table) == RefusalCode.NO_GAME
    assert wanted(analyse(harness, ben, table)).seat == 1
    harness.ok(ben, Again(harness.request_id(), table))
    harness.ok(ben, Resign(harness.request_id(), table))
    assert wanted(analyse(harness, cat, table)).seat == 0


def test_player_who_stood_up_may_ask_once_they_sit_again() -> None:
    """What they saw was theirs; and a table without a game has nothing to weigh."""
    harness = LobbyHarness()
    ann, _, table = played(harness)
    harness.ok(ann, Stand(harness.request_id(), table))
    other = harness.open(ann)
    harness.sit(other, ann)
    assert refusal(harness, ann, other) == RefusalCode.NO_GAME
    harness.ok(ann, Sit(harness.request_id(), table, Seat(0)))
    assert wanted(analyse(harness, ann, table)).seat == 0


@pytest.mark.parametrize(
    ("game", "fields"),
    [("put-1674", {"options": {"target": 3}}), ("put-1800", {}), ("truc", {"options": {"rubber": 1}})],
)
def test_what_is_not_solved_is_refused(game: str, fields: dict[str, object]) -> None:
    """With a sentence that names the game."""
    harness = LobbyHarness()
    ann, _, table = played(harness, game, **fields)
    refused = harness.refused(ann, Analyse(harness.request_id(), table))
    assert refused.code == RefusalCode.NOT_SOLVED
    assert game in refused.says
    assert ("options" in refused.says) == (game == "put-1674")


def test_positions_are_wanted_of_what_is_solved() -> None:
    """With every option of the rule set, chosen or by default; the answer is for whoever asked, by their request."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    drill = Drill(5, "put-1674")
    (position,) = harness.handle(Ask(ann, drill)).effects
    assert isinstance(position, Practice)
    assert (position.person, position.request) == (ann, drill)
    assert set(position.options) == {option.name for option in GAMES["put-1674"].offer.options}
    action = Play(Card("3s"))
    grade = Grade(6, "put-1674", 1674, action, {"target": 5})
    (judgement,) = harness.handle(Ask(ann, grade)).effects
    assert judgement == Practice(ann, grade, position.options)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Drill(5, "whist"), RefusalCode.UNKNOWN_GAME),
        (Drill(5, "put-partners"), RefusalCode.NOT_SOLVED),
        (Drill(5, "put-1800"), RefusalCode.NOT_SOLVED),
        (Drill(5, "put-1674", {"target": 4}), RefusalCode.NOT_SOLVED),
        (Drill(5, "put-1674", {"target": 0}), RefusalCode.BAD_OPTION),
        (Drill(5, "put-1674", {"goal": 5}), RefusalCode.BAD_OPTION),
        (Grade(5, "whist", 1, Play(Card("3s"))), RefusalCode.UNKNOWN_GAME),
        (Grade(5, "put-1674", 1, Play(Card("3s")), {"target": 4}), RefusalCode.NOT_SOLVED),
    ],
)
def test_positions_that_cannot_be_are_refused(request_: Drill | Grade, code: RefusalCode) -> None:
    """Each with its code and a sentence."""
    harness = LobbyHarness()
    refused = harness.refused(harness.arrive("Ann"), request_)
    assert (refused.code, bool(refused.says)) == (code, True)


def test_asking_changes_nothing() -> None:
    """The lobby is as it was, the recent responses included: asked after, such a request may be asked again."""
    harness = LobbyHarness()
    ann, _, table = played(harness)
    before = lobby_snapshot(harness.lobby, harness.now)
    for request in (
        Analyse(901, table),
        Recall(904, table),
        Drill(902, "put-1674"),
        Grade(903, "put-1674", 1, Play(Card("3s"))),
    ):
        asked = Ask(ann, request)
        assert changes_nothing(asked)
        assert isinstance(harness.ok(ann, request), Ok)
        assert lobby_snapshot(harness.lobby, harness.now) == before
        kept = each(harness.lobby.people[ann].responses)
        assert request.id not in [response.id for response in kept]
    assert not changes_nothing(Ask(ann, Again(904, table)))
    assert not changes_nothing(Arrive("Dan", is_bot=False, token=b""))


def test_game_that_was_brought_back_can_be_weighed() -> None:
    """After a crash, from the records and from a checkpoint."""
    harness = LobbyHarness()
    ann, _, table = played(harness)
    first = wanted(analyse(harness, ann, table))
    again = folded(harness.records, new_lobby())
    again.come_back(ann)
    second = wanted(analyse(again, ann, table))
    assert isinstance(again.refused(ann, Analyse(77, table + 1)), Refused)
    assert second.record == first.record
    assert second.seat == first.seat
