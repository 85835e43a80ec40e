"""Laws of every house player in every rule set: it plays legally and reads nothing but its view. And who bluffs."""

from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.cards import Card, pack_of, rank_of
from put_protocol.games import put
from put_protocol.games.put import PutAction
from put_protocol.games.unions import Action, Choice
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.facts import Hidden
from put_rules.put.rule_sets import PUT_1674, PUT_1800, PUT_PARLETT, PUT_TAVERN, TRUC
from put_rules.put.rules import PutRules
from put_rules.put.state import PutState
from put_server.house import registry
from put_server.house.player import Player, Terms
from put_server.house.put.perfect import is_solved
from put_server.house.put.steady import Steady
from put_server.house_runner import terms_at
from tests.house.sample_hands import TABLES, Table, leading, play_game, plays, tables_with, under
from tests.repetitions import TIMES, TURN, some

OPTIONED = (
    *tables_with({"misdeals": 50, "pack": 28, "target": 3}),
    Table("put-1674", 3, {"pack": 32, "drawn_put": "anew"}),
    Table("put-1800", 2, {"target": 1}),
    Table("put-partners", 4, {"two_handed": "put-1674"}),
    Table("put-partners", 4, {"two_handed": "put-1674", "misdeals": 50, "drawn_put": "anew"}),
    Table("put-parlett", 2, {"outright": "double", "target": 21}),
    Table("truc", 2, {"ranking": "printed", "tied_trick": "first_winner"}),
    Table("truc", 2, {"rubber": 1}),
)
"""Tables with options that change what is asked, or of whom, or with what cards."""


def everyone(*tables: Table) -> list[tuple[str, Table]]:
    """Every kind at each table; those who are another where nothing is solved, only where they are themselves."""
    return [
        (kind, table)
        for table in tables
        for kind in registry.HOUSES
        if kind not in ("perfect", "student") or is_solved(Terms(game=table.name, options=table.options), table.seats)
    ]


def seated(kind: str, table: Table, dice: Random) -> Player:
    """A house player for one seat of this table."""
    return registry.player(kind, dice, terms_at(table.name, table.options))


EITHER = everyone(*TABLES, *OPTIONED)
"""Players and tables, of which the suite tries some in one way and others in the other."""

UNDER_EACH = everyone(*TABLES)
"""The same, where no option is set."""


@pytest.mark.parametrize(("kind", "table"), some(EITHER, 4), ids=str)
def test_house_plays_whole_games_legally(kind: str, table: Table) -> None:
    """Every choice of every game is a legal one, and the games end."""
    decisions = 0

    def watch(state: PutState, legal: tuple[Action, ...], action: Action) -> None:
        nonlocal decisions
        decisions += 1
        assert action in legal, state.past

    dice, games = Random(f"{table}{TURN}"), 4 * TIMES // table.seats
    for _ in range(games):
        paid = play_game(table.game, [seated(kind, table, dice) for _ in range(table.seats)], dice, watch)
        assert sum(paid) == 0
    assert decisions > games


@pytest.mark.parametrize(("kind", "table"), some(EITHER[2:], 4), ids=str)
def test_house_copes_with_whatever_the_others_do(kind: str, table: Table) -> None:
    """Among players who do anything at all, who leave and run out of time, its choice is still a legal one."""
    game, dice, decisions = table.game, Random(f"{table}{TURN}"), 0
    player = seated(kind, table, dice)
    for _ in range(2 * TIMES):
        driver = Driver(game, Seat(0))
        for seat in driver.turns(shuffled_by(dice)):
            legal, view = game.legal(driver.state), game.view(driver.state, seat)
            action = player.choose(view, driver.choices(), seat)
            decisions += 1
            assert action in legal
            what = dice.random()
            if what < 0.02:
                driver.expire()
            elif what < 0.03:
                driver.leave(dice.choice(driver.state.members))
            else:
                driver.act(action if what < 0.3 else dice.choice(legal))
    assert decisions > 2


@pytest.mark.parametrize(("kind", "table"), some(UNDER_EACH, 2), ids=str)
def test_house_copes_with_any_part_of_the_choices(kind: str, table: Table) -> None:
    """Whatever part of its usual choices a rule set leaves it, or adds of the others, its choice is among them."""
    game, dice = table.game, Random(7)
    player = seated(kind, table, dice)
    extra: tuple[Action, ...] = (
        put.Put(),
        put.See(),
        put.ThrowIn(),
        put.Double(),
        put.Pass(),
        put.Give(),
        put.Let(),
        put.Redeal(),
        put.Abide(),
        put.Discard(Card("3s")),
    )

    def watch(state: PutState, legal: tuple[Action, ...], action: Action) -> None:
        assert state.to_move is not None
        usual = [Choice(a, "") for a in dict.fromkeys((*legal, *dice.sample(extra, 3)))]
        some = tuple(dice.sample(usual, dice.randint(1, len(usual))))
        view = game.view(state, state.to_move)
        assert player.choose(view, some, state.to_move) in [choice.action for choice in some]

    for _ in range(TIMES):
        play_game(game, [Steady(dice) for _ in range(table.seats)], dice, watch)


# --- the dice, and nothing but the view -------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "table"), some(UNDER_EACH[1:], 2), ids=str)
def test_house_chooses_as_its_mixture_says_whatever_is_hidden(kind: str, table: Table) -> None:
    """The mixture is of legal actions and adds up to 1, and what is chosen is in it. Deals that differ only in what the
    seat may not see give the same choice with the same dice. So it is at every turn of a game among such players."""
    game, dice, compared = table.game, Random(str(table)), 0
    driver = Driver(game)
    for seat in driver.turns(shuffled_by(dice)):
        state = driver.state
        view, choices, seed = game.view(state, seat), game.choices(state), dice.random()
        mixture = seated(kind, table, Random(seed)).mixture(view, choices, seat)
        assert sum(mixture.values()) == pytest.approx(1)
        assert min(mixture.values()) >= 0
        assert set(mixture) <= set(game.legal(state))
        chosen = seated(kind, table, Random(seed)).choose(view, choices, seat)
        assert isinstance(chosen, PutAction)
        assert mixture[chosen] > 0
        other = _with_others_dealt_anew(state, seat, dice, view.ranking)
        assert game.legal(other) == game.legal(state)
        compared += other.hands != state.hands
        player = seated(kind, table, Random(seed))
        assert player.choose(game.view(other, seat), game.choices(other), seat) == chosen
        driver.act(chosen)
    assert compared > 0


def _with_others_dealt_anew(state: PutState, seat: Seat, dice: Random, ranking: tuple[str, ...]) -> PutState:
    hands, thrown = state.hands.unseal(), state.thrown.unseal()
    known = {*hands[seat], *thrown[seat], *state.trick_cards, *(card for trick in state.past for card in trick.cards)}
    pack = [card for card in pack_of(ranking) if card not in known]
    dice.shuffle(pack)
    others = tuple(held if s == seat else tuple(pack.pop() for _ in held) for s, held in enumerate(hands))
    return replace(state, hands=Hidden(others))


# --- bluffs -----------------------------------------------------------------------------------------------------------


def _opening(rules: PutRules, held: str) -> tuple[put.PutView, tuple[Choice, ...]]:
    """Seat 0 is the first to speak, and may do what the rules allow."""
    view = under(rules, leading(held))
    if put.Moment.OPENING in rules.play.may:
        return replace(view, moment=put.Moment.OPENING), (Choice(put.Pass(), ""), Choice(put.Put(), ""))
    says: list[Action] = [put.Double() if rules.is_doubling else put.Put()]
    if rules is PUT_1800 or rules is PUT_PARLETT:
        says.append(put.ThrowIn())
    return view, (*plays(held), *(Choice(action, "") for action in says))


@pytest.mark.parametrize("rules", [PUT_1674, PUT_TAVERN, TRUC], ids=lambda rules: rules.name)
def test_steady_bluffs_now_and_then(rules: PutRules) -> None:
    """Of weak hands some put, or offer to double, but not many: what is said is not always what it seems."""
    dice = Random(1674)
    low = [card for card in pack_of(rules.ranks) if rank_of(card) in rules.ranks[len(rules.ranks) // 2 :]]
    said, hands = 0.0, 40
    for _ in range(hands):
        view, choices = _opening(rules, " ".join(dice.sample(low, 3)))
        mixture = Steady(dice).mixture(view, choices, Seat(0))
        said += sum(often for action, often in mixture.items() if isinstance(action, put.Put | put.Double))
    assert 0.01 < said / hands < 0.2


@pytest.mark.parametrize(
    ("name", "high"), [("put-1800", "3 2 A K Q J"), ("put-partners", "3 2 A"), ("put-parlett", "3 2 A K Q J")]
)
def test_steady_bluffs_where_it_may_throw_in(name: str, high: str) -> None:
    """Where throwing in is the honest end of a weak hand, some of them put all the same, and most do not."""
    table = next(table for table in TABLES if table.name == name)
    game, dice, shares = table.game, Random(name), list[float]()

    def watch(state: PutState, legal: tuple[Action, ...], action: Action) -> None:
        seat = state.to_move
        assert seat is not None
        ranks = {rank_of(card) for card in state.hands.unseal()[seat]}
        is_weak = not ranks & set(high.split()) and not state.tricks[seat]
        if put.Put() in legal and put.ThrowIn() in legal and is_weak:
            mixture = Steady(dice).mixture(game.view(state, seat), game.choices(state), seat)
            shares.append(mixture.get(put.Put(), 0.0))

    for _ in range(6):
        play_game(game, [Steady(dice) for _ in range(table.seats)], dice, watch)
    assert any(0 < share < 0.5 for share in shares)
    assert sum(shares) < 0.2 * len(shares)


@pytest.mark.parametrize("rules", [PUT_1674, PUT_1800, PUT_PARLETT, PUT_TAVERN, TRUC], ids=lambda rules: rules.name)
def test_steady_is_not_the_same_player_with_other_dice(rules: PutRules) -> None:
    """There are hands that it opens in two ways, as the dice fall, so that nobody can read it."""
    dice = Random(rules.name)
    for _ in range(60):
        view, choices = _opening(rules, " ".join(dice.sample(pack_of(rules.ranks), 3)))
        mixture = Steady(dice).mixture(view, choices, Seat(0))
        opens = sum(often for action, often in mixture.items() if isinstance(action, put.Play | put.Pass))
        if 0.05 < opens < 0.95:
            break
    else:
        pytest.fail("every hand was opened in one way")
