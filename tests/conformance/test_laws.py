"""The laws that every game keeps, over random games of every registered rule set."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from put_protocol.cards import RANKS, Card, pack_of
from put_protocol.games import families, put
from put_protocol.games.primero import Category
from put_protocol.games.unions import Action, Event
from put_protocol.seats import GALLERY, Seat, Viewer
from put_server.games.game import Awaits, Game, GameError, IllegalAction, NotAwaited, Over, Shuffle, Turn
from tests.conformance import random_games
from tests.conformance.tables import Table, at_every_table, games_at, rng_of
from tests.games.event_checks import Follower

CARDS = (*pack_of(RANKS), Card("1s"), Card("Cb"), Card("XXI"))
"""All cards of a pack, and some that are in none."""


def every_action() -> Iterator[Action]:
    """Every action there is, with every card."""
    for kind in random_games.kinds():
        make: Any = kind
        match make.__struct_fields__:
            case ():
                yield make()
            case ("card",):
                yield from map(make, CARDS)
            case ("cards",):
                yield from [make((card,)) for card in CARDS]
                yield from [make(pair) for pair in itertools.permutations(CARDS[::4], 2)]
            case ("amount",):
                yield from map(make, (0, 1, 2, 3, 6, 7, 1_000))
            case ("category",):
                yield from map(make, Category)
            case fields:
                raise AssertionError(f"{kind} has fields this test knows nothing of: {fields}")


EVERY_ACTION = tuple(every_action())


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
        with pytest.raises(AttributeError):
            kept[0].state.scores = (9,) * played.setup.seats


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
            others = [action for action in EVERY_ACTION if action not in legal]
            before = observations(played.game, played.setup, step), legal
            for action in rng.sample(others, 6):
                with pytest.raises(IllegalAction):
                    played.game.act(step.state, action)
                refused += 1
            assert (observations(played.game, played.setup, step), played.game.legal(step.state)) == before
    assert refused > 500


@at_every_table
def test_every_other_action_is_refused(table: Table) -> None:
    """The same at a few moments for each action there is, whatever its card."""
    for played in games_at(table, share=0.02):
        for step in played.steps:
            legal = played.game.legal(step.state)
            for action in EVERY_ACTION:
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
        first = played.game.awaits(played.steps[0].state)
        assert isinstance(first, Shuffle), "every game begins with a pack"
        cards = first.cards
        for step in [*rng.sample(played.steps, min(4, len(played.steps))), played.steps[-1]]:
            awaits = played.game.awaits(step.state)
            before = observations(played.game, played.setup, step)
            bad = [cards[1:], (*cards[1:], cards[1]), (*cards[1:], Card("1s")), (*cards, cards[0]), ()]
            if not isinstance(awaits, Shuffle):
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
            random_games.Act(EVERY_ACTION[0]),
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
                assert played.game.asks(step.state).strip()


# --- what is kept ---


class Cards(NamedTuple):
    """Where the cards of a hand are, as the views of all seats together tell."""

    held: dict[Seat, set[Card]]
    thrown: dict[Seat, set[Card]]
    shown: list[Card]

    @property
    def all(self) -> list[Card]:
        seats = [card for where in (self.held, self.thrown) for cards in where.values() for card in cards]
        return seats + self.shown


def cards_of(views: list[put.PutView]) -> Cards:
    """From the views of all seats."""
    return Cards(
        {Seat(seat): set(view.cards) for seat, view in enumerate(views)},
        {Seat(seat): set(view.thrown) for seat, view in enumerate(views)},
        [card for trick in (*views[0].past, views[0].trick) for card in trick.cards],
    )


@at_every_table
def test_cards_are_conserved(table: Table) -> None:
    """From deal to deal no card is twice anywhere or comes from nowhere: a card leaves a hand to be shown in a trick,
    to be thrown away, or as a gift to the partner; else only with a player who gives up their hand, or when the hand is
    over."""
    for played in games_at(table):
        pack: frozenset[Card] = frozenset()
        dealt = 0
        before = Cards({}, {}, [])
        for step in played.steps:
            views = [played.game.view(step.state, Seat(seat)) for seat in range(played.setup.seats)]
            now = cards_of(views)
            seen = step.seen_by(GALLERY)
            if isinstance(step.given, random_games.Pack):
                pack = frozenset(step.given.cards)
            assert len(set(now.all)) == len(now.all)
            assert set(now.all) <= pack or not pack
            assert all(view.counts == views[0].counts for view in views)
            if views[0].moment is put.Moment.ACCIDENT:
                assert not any(now.held.values()), "nobody has seen their hand"
            else:
                assert views[0].counts in ((), tuple(map(len, now.held.values())))
            if any(isinstance(event, put.HandEnded | put.GameEnded | put.FreshDeal) for event in seen):
                assert not any((*now.held.values(), *now.thrown.values())), "a hand that is over is laid away"
            elif any(isinstance(event, put.Dealt | put.TakenUp) for event in seen):
                dealt = len(now.all)
            elif step.given is not None and views[0].moment is not put.Moment.ACCIDENT:
                check_moves(played.setup, before, now, seen)
                if not any(isinstance(event, put.ThrewIn) for event in seen):
                    assert len(now.all) == len(before.all)
                assert len(now.all) <= dealt
            before = now


def check_moves(setup: random_games.Setup, before: Cards, now: Cards, seen: tuple[Event, ...]) -> None:
    """Cards moved between two states of a hand as the events say, and no others did."""
    out = {ally for event in seen if isinstance(event, put.ThrewIn) for ally in setup.allies(event.seat)}
    givers = {event.to: event.seat for event in seen if isinstance(event, put.Gave)}
    discarders = {event.seat for event in seen if isinstance(event, put.Discarded)}
    for seat, cards in now.held.items():
        came = cards - before.held[seat]
        if seat in givers:
            assert len(came) == 1
            assert came <= before.held[givers[seat]]
        else:
            assert not came
        gone = before.held[seat] - cards
        away = now.thrown[seat] - before.thrown[seat]
        assert away <= gone
        assert len(away) == (2 if seat in givers.values() else 1 if seat in discarders else 0)
        given = set().union(*(now.held[to] for to, giver in givers.items() if giver == seat))
        assert gone - away <= given | set(now.shown) or (seat in out and not cards)
    assert now.shown[: len(before.shown)] == before.shown
    assert set(now.shown[len(before.shown) :]) <= set().union(*before.held.values())


@at_every_table
def test_view_follows_from_the_events(table: Table) -> None:
    """A viewer who reads only the events knows all that their view says of the table, their cards included."""
    for played in games_at(table, share=0.5):
        for viewer in played.setup.viewers:
            opening, *steps = played.steps
            follower = Follower(viewer, played.game.view(opening.state, viewer))
            for step in steps:
                follower.apply_event(step.seen_by(viewer))
                follower.check(played.game.view(step.state, viewer))


@at_every_table
def test_mover_follows_from_what_came_of_his_move(table: Table) -> None:
    """Of every action the events say whose it was, but of one: to let a deal stand. (That they never say anybody
    else's, whatever the input, the follower above sees to.)"""
    for played in games_at(table, share=0.2):
        for before, step in itertools.pairwise(played.steps):
            if isinstance(step.given, random_games.Act) and not isinstance(step.given.action, put.Abide):
                awaits = played.game.awaits(before.state)
                assert isinstance(awaits, Turn)
                for viewer in played.setup.viewers:
                    view = played.game.view(before.state, viewer)
                    assert families.mover_of(view, step.seen_by(viewer)) == awaits.seat


# --- accidents ---


@at_every_table
def test_random_games_are_full_of_accidents(table: Table) -> None:
    """The games that these laws are tried on have time-outs, leavings and all kinds of moves in them."""
    given = {type(step.given) for played in games_at(table, share=0.5) for step in played.steps}
    assert given == {type(None), random_games.Pack, random_games.Act, random_games.Expire, random_games.Leave}
