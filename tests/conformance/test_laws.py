"""The laws that every game keeps, over random games of every registered rule set."""

from collections.abc import Iterator
from typing import Any

import pytest

from put_protocol.actions import Action
from put_protocol.cards import RANKS, Card, pack_of
from put_protocol.events import Dealt, DidPut, GameEnded, GameWon, HandEnded, Saw, ThrewIn
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.views import PutView
from put_server.games.game import Awaits, Game, GameError, IllegalAction, NotAwaited, Over, Shuffle, Turn
from tests.conformance.random_games import (
    Act,
    Expire,
    Leave,
    Pack,
    Setup,
    Sight,
    Step,
    accepts,
    apply,
    kinds,
    replayed,
    shuffled,
    sight,
)
from tests.conformance.tables import Table, at_every_table, games_at, rng_of
from tests.games.follower import Follower

CARDS = (*pack_of(RANKS), Card("1s"), Card("Cb"), Card("XXI"))
"""All cards of a pack, and some that are in none."""


def every_action() -> Iterator[Action]:
    """Every action there is, with every card."""
    for kind in kinds():
        make: Any = kind
        match make.__struct_fields__:
            case ():
                yield make()
            case ("card",):
                yield from map(make, CARDS)
            case fields:
                raise AssertionError(f"{kind} has fields this test knows nothing of: {fields}")


EVERY_ACTION = tuple(every_action())


def sights(game: Game[Any], setup: Setup, step: Step) -> dict[Viewer, Sight]:
    """What everybody gets of a step."""
    return {viewer: sight(game, step, viewer) for viewer in setup.viewers}


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
        for first, again in zip(played.steps, replayed(played.setup, inputs), strict=True):
            assert again.state == first.state
            for viewer in played.setup.viewers:
                assert again.seen_by(viewer) == first.seen_by(viewer)


@at_every_table
def test_states_are_immutable(table: Table) -> None:
    """When the game is over every state it went through still says what it said, and no field of it can be set."""
    for played in games_at(table, share=0.25):
        before: list[object] = []
        inputs = [step.given for step in played.steps if step.given is not None]
        kept: list[Step] = []
        for step in replayed(played.setup, inputs):
            kept.append(step)
            before.append((sights(played.game, played.setup, step), played.game.legal(step.state)))
        after = [(sights(played.game, played.setup, step), played.game.legal(step.state)) for step in kept]
        assert after == before
        with pytest.raises(AttributeError):
            kept[0].state.scores = (9,) * played.setup.seats


@at_every_table
def test_sleepers_end_the_game(table: Table) -> None:
    """From any moment, if every player lets his time run out for good, the game ends, and before long."""
    for played in games_at(table, share=0.1):
        rng = rng_of(table, -played.seed)
        state = rng.choice(played.steps).state
        for _ in range(2_000):
            awaits: Awaits = played.game.awaits(state)
            match awaits:
                case Over():
                    break
                case Shuffle(cards=cards):
                    state, _ = played.game.deal(state, shuffled(rng, cards))
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
            if accepts(played.game, state, Leave(Seat(seat))):
                state, _ = played.game.leave(state, Seat(seat))
                assert not accepts(played.game, state, Leave(Seat(seat))), "nobody leaves twice"
        assert isinstance(played.game.awaits(state), Over)


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
            before = sights(played.game, played.setup, step), legal
            for action in rng.sample(others, 6):
                with pytest.raises(IllegalAction):
                    played.game.act(step.state, action)
                refused += 1
            assert (sights(played.game, played.setup, step), played.game.legal(step.state)) == before
    assert refused > 500


@at_every_table
def test_every_other_action_is_refused(table: Table) -> None:
    """The same at a few moments for each action there is, whatever its card."""
    for played in games_at(table, share=0.02):
        for step in played.steps:
            legal = played.game.legal(step.state)
            for action in EVERY_ACTION:
                assert accepted(played.game, step.state, action) == (action in legal)


def accepted(game: Game[Any], state: Any, action: Action) -> bool:
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
            before = sights(played.game, played.setup, step)
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
            assert sights(played.game, played.setup, step) == before


@at_every_table
def test_refusals_are_game_errors(table: Table) -> None:
    """Every refusal is a `GameError`, so that one handler catches all."""
    assert issubclass(IllegalAction, GameError)
    assert issubclass(NotAwaited, GameError)
    for played in games_at(table, share=0.01):
        last = played.steps[-1].state
        for given in (Expire(), Leave(Seat(0)), Act(EVERY_ACTION[0]), Pack(())):
            with pytest.raises(GameError):
                apply(played.game, last, given)


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


@at_every_table
def test_cards_are_conserved(table: Table) -> None:
    """From deal to deal no card is twice anywhere or comes from nowhere; cards go out of sight only with a player who
    gives up his hand, or when the hand is over; and a card played is one the player held."""
    for played in games_at(table):
        pack: frozenset[Card] = frozenset()
        before: dict[Seat, set[Card]] = {Seat(seat): set() for seat in range(played.setup.seats)}
        shown_before: list[Card] = []
        for step in played.steps:
            views = [played.game.view(step.state, Seat(seat)) for seat in range(played.setup.seats)]
            held = {Seat(seat): set(view.cards) for seat, view in enumerate(views)}
            shown = [card for trick in (*views[0].past, views[0].trick) for card in trick.cards]
            everywhere = [card for view in views for card in view.cards] + shown
            seen = step.seen_by(GALLERY)
            if isinstance(step.given, Pack):
                pack = frozenset(step.given.cards)
            assert len(set(everywhere)) == len(everywhere)
            assert set(everywhere) <= pack or not pack
            assert all(view.counts == tuple(map(len, held.values())) for view in views if view.counts)
            if any(isinstance(event, HandEnded | GameEnded) for event in seen):
                assert not any(held.values()), "a hand that is over is laid away"
            elif not any(isinstance(event, Dealt) for event in seen):
                out = {event.seat for event in seen if isinstance(event, ThrewIn)}
                for seat, cards in held.items():
                    assert cards <= before[seat]
                    gone = before[seat] - cards
                    assert gone <= set(shown) or (seat in out and not cards)
                assert shown[: len(shown_before)] == shown_before
                assert set(shown[len(shown_before) :]) <= set().union(*before.values())
            before, shown_before = held, shown


@at_every_table
def test_view_follows_from_the_events(table: Table) -> None:
    """Whoever reads only the events he is sent knows all that his view says of the table, his cards included."""
    for played in games_at(table, share=0.5):
        for viewer in played.setup.viewers:
            follower = Follower(viewer, played.setup.seats)
            for step in played.steps:
                follower.follow(step.seen_by(viewer))
                view = played.game.view(step.state, viewer)
                assert isinstance(view, PutView)
                follower.check(view)


@at_every_table
def test_scores_are_bounded(table: Table) -> None:
    """Scores lie between nothing and the target; who reaches it has won; and hands are scored as they are told."""
    for played in games_at(table):
        target = played.setup.options.get("target")
        for step in played.steps:
            view = played.game.view(step.state, GALLERY)
            is_over = isinstance(played.game.awaits(step.state), Over)
            assert target in (None, view.target)
            assert all(0 <= score <= view.target for score in view.scores)
            assert is_over or max(view.scores) < view.target
            for event in step.seen_by(GALLERY):
                if isinstance(event, HandEnded | GameEnded):
                    assert event.scores == view.scores


@at_every_table
def test_stakes_are_paid_by_the_liable(table: Table) -> None:
    """What purses gain sums to nothing; the winners share it; and who pays is who played on after an accepted put,
    everyone on points, and everyone who left to the last one there."""
    ways = set()
    for played in games_at(table):
        putting: list[Seat] = []
        there = set(range(played.setup.seats))
        for step in played.steps:
            for event in step.seen_by(GALLERY):
                match event:
                    case Dealt():
                        putting = []
                    case DidPut(seat=seat) | Saw(seat=seat):
                        putting.append(seat)
                    case GameEnded():
                        if isinstance(step.given, Leave):
                            there.discard(step.given.seat)
                        is_last = event.how is GameWon.FORFEIT and len(there) == 1
                        everyone = event.how is GameWon.POINTS or is_last
                        liable = set(map(Seat, range(played.setup.seats))) if everyone else set(putting)
                        check_payment(event, liable)
                        ways.add(event.how)
                        awaits = played.game.awaits(step.state)
                        assert isinstance(awaits, Over)
                        assert awaits.paid == event.paid
                    case _:
                        pass
            if isinstance(step.given, Leave):
                there.discard(step.given.seat)
        assert isinstance(played.steps[-1].seen_by(GALLERY)[-1], GameEnded)
    assert len(ways) == len(GameWon), "every way to win a game was to be seen"


def check_payment(event: GameEnded, liable: set[Seat]) -> None:
    """The liable losers pay alike, nobody else pays, and the winners get it."""
    assert sum(event.paid) == 0
    losers = liable - set(event.winners)
    assert losers, "nobody wins from nobody"
    (stake,) = {-event.paid[seat] for seat in losers}
    assert stake >= 1
    for seat, gain in enumerate(event.paid):
        if seat in event.winners:
            assert gain == stake * len(losers) // len(event.winners)
        elif seat not in losers:
            assert gain == 0


@at_every_table
def test_deal_passes_on(table: Table) -> None:
    """After every hand, drawn or thrown in or played, the next player at the dealer's left deals, over those who left;
    eldest sits at the dealer's left; and the next game goes on where this one ends."""
    for played in games_at(table):
        seats = played.setup.seats
        due: Seat | None = played.setup.dealer
        left: set[Seat] = set()
        for step in played.steps:
            if isinstance(step.given, Leave):
                left.add(step.given.seat)
            for event in step.seen_by(GALLERY):
                if isinstance(event, Dealt):
                    if due is not None:
                        assert event.dealer == next_there(due, left, seats)
                    assert event.eldest == next_there(Seat((event.dealer + 1) % seats), left, seats)
                    due = event.dealer
                elif isinstance(event, HandEnded):
                    assert due is not None
                    due = Seat((due + 1) % seats)
        awaits = played.game.awaits(played.steps[-1].state)
        assert isinstance(awaits, Over)
        assert awaits.dealer in range(seats)


def next_there(seat: Seat, left: set[Seat], seats: int) -> Seat:
    """This seat, or the first to its left who has not left the game."""
    return next(s for s in (Seat((seat + step) % seats) for step in range(seats)) if s not in left)


@at_every_table
def test_next_game_is_dealt_at_the_left_of_the_last_dealer(table: Table) -> None:
    """The deal passes to the left after a finished game as well, whoever left it."""
    for played in games_at(table):
        last: Seat | None = None
        is_hand_on = False
        for step in played.steps:
            for event in step.seen_by(GALLERY):
                if isinstance(event, Dealt):
                    last, is_hand_on = event.dealer, True
                elif isinstance(event, HandEnded):
                    is_hand_on = False
        ended_by_hand = any(isinstance(e, HandEnded) for e in played.steps[-1].seen_by(GALLERY))
        if last is not None and (is_hand_on or ended_by_hand):
            awaits = played.game.awaits(played.steps[-1].state)
            assert isinstance(awaits, Over)
            assert awaits.dealer == (last + 1) % played.setup.seats


# --- accidents ---


@at_every_table
def test_random_games_are_full_of_accidents(table: Table) -> None:
    """The games that these laws are tried on have time-outs, leavings and all kinds of moves in them."""
    given = {type(step.given) for played in games_at(table, share=0.5) for step in played.steps}
    assert given == {type(None), Pack, Act, Expire, Leave}
