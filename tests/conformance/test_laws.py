"""The laws that every game keeps, over random games of every registered rule set."""

import itertools
from functools import lru_cache
from typing import Any

import pytest
from msgspec.structs import astuple

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.games import families
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Action, Event
from put_protocol.seats import Seat, Viewer
from put_protocol.table_events import TimedOut
from put_rules.game import (
    Awaits,
    Game,
    GameError,
    IllegalAction,
    NotAwaited,
    Over,
    Purpose,
    Shuffle,
    Turn,
)
from put_rules.registry import GAMES
from tests.conformance import random_games
from tests.conformance.every_action import every_action, of_family
from tests.conformance.tables import Table, at_every_table, games_at, rng_of
from tests.games.event_checks import Follower

LINE = 76
"""Columns of a full screen's line of text, with its margins."""


@lru_cache
def actions_at(table: Table) -> tuple[Action, ...]:
    """Every action of the family that is played at a table, and one of each kind of all others."""
    offer = GAMES[table.name].offer
    pack = {card: None for game in games_at(table, share=0) for card in first_pack(game.game, game.steps[0].state)}
    others = [kind for family in FAMILIES.values() if family.name != offer.family for kind in family.actions]
    strangers = [next(every_action(kind)) for kind in others]
    return (*of_family(FAMILIES[offer.family], tuple(pack)), *strangers)


def first_pack(game: Game[Any, Any], state: Any) -> tuple[Card, ...]:
    """The pack that a game begins with."""
    awaits = game.awaits(state)
    assert isinstance(awaits, Shuffle), "every game begins with a pack"
    return awaits.cards


def observations(
    game: Game[Any, Any], setup: random_games.Setup, step: random_games.Step
) -> dict[Viewer, random_games.Observation]:
    """What everybody gets of a step."""
    return {viewer: random_games.observe(game, step, viewer) for viewer in setup.viewers}


# --- courses ---


@at_every_table
def test_game_ends(table: Table) -> None:
    """Every game ends: its last state is over, and no other is. (The generator bounds the steps.)"""
    for played in games_at(table):
        *before, last = played.steps
        assert isinstance(played.game.awaits(last.state), Over)
        assert not any(isinstance(played.game.awaits(step.state), Over) for step in before)


@at_every_table
def test_replay_equals_play(table: Table) -> None:
    """The recorded inputs alone give the same states and the same facts for every viewer."""
    for played in games_at(table, share=0.5):
        inputs = [step.given for step in played.steps if step.given is not None]
        for first, again in zip(played.steps, random_games.replayed(played.setup, inputs), strict=True):
            assert again.state == first.state
            for viewer in played.setup.viewers:
                assert again.seen_by(viewer) == first.seen_by(viewer)


@at_every_table
def test_cards_below_those_that_may_be_dealt_change_nothing(table: Table) -> None:
    """Where a pack is wanted of which only so many cards may be dealt, the others may lie in any order: every viewer
    sees the same game, and is asked the same."""
    for played in games_at(table, share=0.25):
        inputs: list[random_games.Input] = []
        for before, step in itertools.pairwise(played.steps):
            given, awaits = step.given, played.game.awaits(before.state)
            assert given is not None
            if isinstance(given, random_games.Pack) and isinstance(awaits, Shuffle) and awaits.most:
                if awaits.misdeals and given.luck is None:
                    break  # the order of the unseen cards decides, as in files of earlier versions
                given = given._replace(cards=(*given.cards[: awaits.most], *reversed(given.cards[awaits.most :])))
            inputs.append(given)
        for first, again in zip(played.steps, random_games.replayed(played.setup, inputs), strict=False):
            assert observations(played.game, played.setup, again) == observations(played.game, played.setup, first)


@at_every_table
def test_states_are_immutable(table: Table) -> None:
    """When the game is over every state it went through still says what it said, and no field of it can be set."""
    for played in games_at(table, share=0.25):
        before: list[object] = []
        inputs = [step.given for step in played.steps if step.given is not None]
        kept: list[random_games.Step] = []
        for step in random_games.replayed(played.setup, inputs):
            kept.append(step)
            before.append((observations(played.game, played.setup, step), played.game.legal(step.state)))
        after = [(observations(played.game, played.setup, step), played.game.legal(step.state)) for step in kept]
        assert after == before
        state = kept[0].state
        for name in state.__struct_fields__:
            with pytest.raises(AttributeError):
                setattr(state, name, getattr(state, name))


@at_every_table
def test_sleepers_end_the_game(table: Table) -> None:
    """From any moment, if every player's time runs out for good, the game ends, and before long."""
    for played in games_at(table, share=0.1):
        rng = rng_of(table, -played.seed)
        state = rng.choice(played.steps).state
        for _ in range(2_000):
            awaits: Awaits = played.game.awaits(state)
            match awaits:
                case Over():
                    break
                case Shuffle(cards=cards):
                    top = played.setup.top(awaits)
                    state, _ = played.game.deal(state, random_games.shuffled(rng, cards, top))
                case Turn():
                    state, _ = played.game.expire(state)
        else:
            pytest.fail(f"{played.setup} sleeps on")


@at_every_table
def test_all_may_leave_at_any_moment(table: Table) -> None:
    """At any moment of a game each player may leave, once, in any order; when all but one have, the game is over."""
    for played in games_at(table, share=0.1):
        rng = rng_of(table, -played.seed)
        step = rng.choice(played.steps)
        state = step.state
        for seat in rng.sample(range(played.setup.seats), played.setup.seats):
            if isinstance(played.game.awaits(state), Over):
                break
            if random_games.accepts(played.game, state, random_games.Leave(Seat(seat))):
                state, _ = played.game.leave(state, Seat(seat))
                assert not random_games.accepts(played.game, state, random_games.Leave(Seat(seat))), (
                    "nobody leaves twice"
                )
        assert isinstance(played.game.awaits(state), Over)


@at_every_table
def test_words_of_a_decision_fit_a_line(table: Table) -> None:
    """Of a terminal of 80 columns: the question, and why these are all the choices."""
    for played in games_at(table, share=0.1):
        for step in played.steps:
            if isinstance(played.game.awaits(step.state), Turn):
                assert len(played.game.wording(step.state).asks) <= LINE
                assert len(played.game.wording(step.state).why) <= LINE


@at_every_table
def test_nobody_holds_a_card_when_the_game_is_over(table: Table) -> None:
    """However it ended, the cards are laid away: what a table shows between games covers no hand."""
    for played in games_at(table):
        for viewer in played.setup.viewers:
            view = played.game.view(played.steps[-1].state, viewer)
            assert not view.cards
            assert not any(view.counts)


# --- what is accepted ---


@at_every_table
def test_awaits_agrees_with_legal(table: Table) -> None:
    """A seat is to move iff there is something it may do; the view says the same of whose move it is."""
    for played in games_at(table):
        for step in played.steps:
            awaits = played.game.awaits(step.state)
            legal = played.game.legal(step.state)
            assert isinstance(awaits, Turn) == bool(legal)
            assert len(set(legal)) == len(legal)
            for viewer in played.setup.viewers:
                view = played.game.view(step.state, viewer)
                assert view.to_move == (awaits.seat if isinstance(awaits, Turn) else None)
                assert view.moment == played.game.moment(step.state)
                assert (view.moment is None) == (view.to_move is None)
            if isinstance(awaits, Turn):
                assert awaits.seat in range(played.setup.seats)


@at_every_table
def test_action_is_accepted_iff_listed(table: Table) -> None:
    """What is legal is accepted; of all other actions none is, in turn or between turns or after the end, and a refused
    one changes nothing."""
    refused = 0
    for played in games_at(table, share=0.25):
        rng = rng_of(table, -played.seed)
        for step in played.steps:
            legal = played.game.legal(step.state)
            for action in legal:
                played.game.act(step.state, action)
            others = [action for action in actions_at(table) if action not in legal]
            before = observations(played.game, played.setup, step), legal
            for action in rng.sample(others, 6):
                with pytest.raises(IllegalAction):
                    played.game.act(step.state, action)
                refused += 1
            assert (observations(played.game, played.setup, step), played.game.legal(step.state)) == before
    assert refused > 200


@at_every_table
def test_every_other_action_is_refused(table: Table) -> None:
    """The same at a few moments for each action there is, whatever its card."""
    for played in games_at(table, share=0.02):
        for step in played.steps:
            legal = played.game.legal(step.state)
            for action in actions_at(table):
                assert accepted(played.game, step.state, action) == (action in legal)


def accepted(game: Game[Any, Any], state: Any, action: Action) -> bool:
    """Whether an action is accepted."""
    try:
        game.act(state, action)
    except IllegalAction:
        return False
    return True


@at_every_table
def test_other_inputs_are_refused(table: Table) -> None:
    """A pack is accepted iff one is awaited and it is the pack; time runs out only on a turn; only who is there leaves.
    What is refused changes nothing."""
    for played in games_at(table, share=0.2):
        rng = rng_of(table, -played.seed)
        cards = first_pack(played.game, played.steps[0].state)
        for step in [*rng.sample(played.steps, min(4, len(played.steps))), played.steps[-1]]:
            awaits = played.game.awaits(step.state)
            before = observations(played.game, played.setup, step)
            bad = [cards[1:], (*cards[1:], cards[1]), (*cards[1:], Card("1s")), (*cards, cards[0]), ()]
            if not isinstance(awaits, Shuffle) or awaits.purpose is Purpose.STOCK:
                bad.append(cards)
            for pack in bad:
                with pytest.raises(NotAwaited):
                    played.game.deal(step.state, pack)
            if not isinstance(awaits, Turn):
                with pytest.raises(NotAwaited):
                    played.game.expire(step.state)
            strangers = [-1, played.setup.seats, 99]
            if isinstance(awaits, Over):
                strangers += range(played.setup.seats)
            for seat in strangers:
                with pytest.raises(NotAwaited):
                    played.game.leave(step.state, Seat(seat))
            assert observations(played.game, played.setup, step) == before


@at_every_table
def test_refusals_are_game_errors(table: Table) -> None:
    """Every refusal is a `GameError`, so that one handler catches all."""
    assert issubclass(IllegalAction, GameError)
    assert issubclass(NotAwaited, GameError)
    for played in games_at(table, share=0.01):
        last = played.steps[-1].state
        for given in (
            random_games.Expire(),
            random_games.Leave(Seat(0)),
            random_games.Act(actions_at(table)[0]),
            random_games.Pack(()),
        ):
            with pytest.raises(GameError):
                random_games.apply(played.game, last, given)


@at_every_table
def test_choices_are_the_legal_actions_in_words(table: Table) -> None:
    """Whoever is asked gets words for the question and each choice, no two the same, in the order of `legal`."""
    for played in games_at(table, share=0.25):
        for step in played.steps:
            choices = played.game.choices(step.state)
            assert tuple(choice.action for choice in choices) == played.game.legal(step.state)
            assert all(choice.says.strip() for choice in choices)
            assert len({choice.says for choice in choices}) == len(choices)
            if choices:
                assert played.game.wording(step.state).asks.strip()


# --- what is told ---


@at_every_table
def test_view_follows_from_the_events(table: Table) -> None:
    """A viewer who reads only the events, and is told whose turn it is and for what, knows all that their view says,
    their cards included."""
    for played in games_at(table, share=0.5):
        game = played.game
        turns = [(game.awaits(step.state), game.moment(step.state)) for step in played.steps]
        for viewer in played.setup.viewers:
            follower = Follower(viewer, game.view(played.steps[0].state, viewer))
            for step, turn in zip(played.steps, turns, strict=True):
                follower.apply_event(step.seen_by(viewer))
                follower.check(game.view(step.state, viewer), *turn)


@at_every_table
def test_events_name_no_mover_but_the_one_who_was_asked(table: Table) -> None:
    """Of an action and of a time-out the events name whoever was to move, or nobody; of a pack or of a leaving nobody.
    Every viewer is told the same of it."""
    named = 0
    for played in games_at(table, share=0.2):
        for before, step in itertools.pairwise(played.steps):
            awaits = played.game.awaits(before.state)
            told = {
                families.mover_of(played.game.view(before.state, viewer), step.seen_by(viewer))
                for viewer in played.setup.viewers
            }
            assert len(told) == 1
            may_be = {awaits.seat, None} if isinstance(awaits, Turn) else {None}
            if isinstance(step.given, random_games.Pack | random_games.Leave):
                may_be = {None}
            assert told <= may_be
            named += told != {None}
    assert named > 5


@at_every_table
def test_time_out_is_told_first(table: Table) -> None:
    """Whatever the rules make of it, everyone hears first whose time ran out."""
    for played in games_at(table, share=0.3):
        for before, step in itertools.pairwise(played.steps):
            awaits = played.game.awaits(before.state)
            for viewer in played.setup.viewers:
                late = [event for event in step.seen_by(viewer) if isinstance(event, TimedOut)]
                if isinstance(step.given, random_games.Expire):
                    assert isinstance(awaits, Turn)
                    assert late == [step.seen_by(viewer)[0]] == [TimedOut(awaits.seat)]
                else:
                    assert not late


@at_every_table
def test_leaving_is_told_first(table: Table) -> None:
    """Everyone hears who left before anything that comes of it."""
    for played in games_at(table, share=0.3):
        for step in played.steps:
            if isinstance(step.given, random_games.Leave):
                for viewer in played.setup.viewers:
                    first = step.seen_by(viewer)[0]
                    assert getattr(first, "seat", None) == step.given.seat


# --- accidents ---


@at_every_table
def test_random_games_are_full_of_accidents(table: Table) -> None:
    """The games that these laws are tried on have time-outs, leavings and all kinds of moves in them."""
    given = {type(step.given) for played in games_at(table) for step in played.steps}
    assert given == {type(None), random_games.Pack, random_games.Act, random_games.Expire, random_games.Leave}


@at_every_table
def test_choice_says_if_others_do_not_see_its_cards(table: Table) -> None:
    """So that a client which does not know the family signs it in a way that others cannot read, and no other act."""
    for played in games_at(table, share=0.1):
        for step in played.steps:
            for choice in played.game.choices(step.state):
                _, facts = played.game.act(step.state, choice.action)
                named = {value for value in flat(astuple(choice.action)) if value in CARD_ORDER}
                others = [viewer for viewer in played.setup.viewers if viewer != step.state.to_move]
                seen = [{card for fact in facts for card in cards_in(fact.seen_by(viewer))} for viewer in others]
                assert choice.is_unseen == any(named - one for one in seen), choice.action


def flat(values: Any) -> list[Any]:
    """Values, and those of tuples among them."""
    return [one for value in values for one in (flat(value) if isinstance(value, tuple) else (value,))]


def cards_in(event: Event | None) -> tuple[Card, ...]:
    return () if event is None or event.SHOWS is None else event.SHOWS.cards_in(event)
