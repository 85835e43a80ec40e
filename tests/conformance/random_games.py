"""Seeded random games of any registered rule set: the same seed gives the same game, on every machine.

`random_setup` draws seats, options and dealer; `random_game` plays such a table to its end, a step at a time, with a
temper of its own (how fond its players are of each kind of action, and how often one runs out of time or leaves).
`replayed` is the fold that every test compares with. For the laws in this folder, and for soaking.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, assert_never

import msgspec
from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.families import FAMILIES
from put_protocol.games.family import Family
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules import record
from put_rules.facts import Fact
from put_rules.game import LUCK, Game, NotAwaited, OptionValue, Over, Purpose, Shuffle, Turn
from put_rules.record import GameRecord, Player
from put_rules.registry import GAMES
from put_rules.steps import Steps
from put_rules.table_options import TableOptions

MOST_STEPS = 20_000
"""No game may take more: over ten times what the longest of 60,000 random games took (1,507)."""


SHORT = 0.95
"""For laws, what part of the sittings is of three hands at most: one more of the same sitting tries little new."""


class Pack(NamedTuple):
    """A shuffled pack was supplied."""

    cards: tuple[Card, ...]
    luck: int | None = None
    """What decides on an accident, as at every table today; None: as where an earlier version dealt."""


class Act(NamedTuple):
    """The seat to move did this."""

    action: Action


class Expire(NamedTuple):
    """The time of the seat to move ran out."""


class Leave(NamedTuple):
    """A player left the game."""

    seat: Seat


Input = Pack | Act | Expire | Leave


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A table: a rule set, its seats, all its options, and who deals first (None: they draw)."""

    name: str
    seats: int
    options: dict[str, OptionValue]
    dealer: Seat | None

    @property
    def family(self) -> Family:
        """The family of games it belongs to."""
        return FAMILIES[GAMES[self.name].offer.family]

    def game(self) -> Game[Any, Any]:
        return GAMES[self.name].make(self.seats, self.options)

    def top(self, awaits: Shuffle) -> tuple[Card, ...]:
        """The cards that the table lays on top of the pack: in an exhibition, of every hand's."""
        return TableOptions.of(self.options).arranged if awaits.purpose is Purpose.HAND else ()

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (*map(Seat, range(self.seats)), GALLERY)


class Step(NamedTuple):
    """An input, what came of it, and the state after it."""

    given: Input | None
    """None: the game began."""
    facts: tuple[Fact, ...]
    state: Any

    def seen_by(self, viewer: Viewer) -> tuple[Event, ...]:
        """The events of this step for one viewer."""
        seen = [fact.seen_by(viewer) for fact in self.facts]
        return tuple([event for event in seen if event is not None])


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """How the players of a random game behave."""

    liking: dict[type[Action], float]
    """How likely each kind of action is, against the others; a kind not named here counts 1."""
    expires: float
    """The chance that a turn runs out of time."""
    leaves: float
    """The chance, before any input, that somebody leaves."""
    has_luck: bool = True
    """Accidents are decided by a luck that comes with each pack; else by its cards."""


def kinds(action_type: Any = Action) -> tuple[type[Action], ...]:
    """Every kind of action there is."""
    found: tuple[type[Action], ...] = action_type.__args__
    return found


def random_value(rng: Random, option: OptionOffer) -> OptionValue:
    """A value of an option; of whole numbers oftener a low one, since games to 21 are long. How cards are dealt is the
    table's affair."""
    if option.name == "dealing":
        return option.default
    if option.values:
        return rng.choice(option.values)
    if option.longest is not None:
        return option.default
    assert option.least is not None
    if option.name == "misdeals":
        return rng.choice((0, 0, 20, 50))
    most = option.least + 20 if option.most is None else option.most
    span = rng.choice((0, 1, 2, 2, most - option.least) if rng.random() < 0.3 else (0, 1, 2, 3))
    return rng.randint(option.least, min(most, option.least + span))


def random_options(rng: Random, offer: GameOffer, seats: int) -> dict[str, OptionValue]:
    """A value for every option of a rule set; some tables are exhibitions, with a few cards arranged."""
    options = {option.name: random_value(rng, option) for option in offer.options}
    if "arranged" in options and rng.random() < 0.2:
        game = GAMES[offer.name].make(seats, options)
        awaits = game.awaits(game.begin(None))
        assert isinstance(awaits, Shuffle)
        options["arranged"] = " ".join(rng.sample(awaits.cards, rng.randint(1, 5)))
    return options


def random_setup(rng: Random, name: str, seats: int | None = None, *, short: float = 0.0) -> Setup:
    """A table for a rule set; for so many seats, or any number that it allows. `short`: the part of the sittings that
    is of three hands at most."""
    offer = GAMES[name].offer
    number = rng.choice(offer.seats) if seats is None else seats
    dealer = None if rng.random() < 0.5 else Seat(rng.randrange(number))
    options = random_options(rng, offer, number)
    if "hands" in options and rng.random() < short:
        options["hands"] = rng.randint(1, 3)
    return Setup(name=name, seats=number, options=options, dealer=dealer)


def random_temper(rng: Random, *, accidents: bool = True) -> Temper:
    """From games that are all put and see to games that are all cards; in some of them time runs out and people leave.

    Without accidents nobody runs out of time and nobody leaves.
    """
    liking = {kind: rng.choice((0.01, 0.1, 1.0, 3.0)) for kind in kinds()}
    expires, leaves = 0.0, 0.0
    if accidents:
        expires, leaves = rng.choice((0.0, 0.02, 0.2)), rng.choice((0.0, 0.01, 0.1))
    return Temper(liking=liking, expires=expires, leaves=leaves, has_luck=rng.random() < 0.8)


def random_action(rng: Random, legal: tuple[Action, ...], temper: Temper) -> Action:
    """One of the legal actions: a kind by liking, then any of that kind."""
    by_kind: dict[type[Action], list[Action]] = {}
    for action in legal:
        by_kind.setdefault(type(action), []).append(action)
    likings = [temper.liking.get(kind, 1.0) for kind in by_kind]
    (kind,) = rng.choices(list(by_kind), likings)
    return rng.choice(by_kind[kind])


def shuffled(rng: Random, cards: Iterable[Card], top: tuple[Card, ...] = ()) -> tuple[Card, ...]:
    """The cards in an order of the seed's choosing; those of the top first, as they were arranged."""
    pack = [card for card in cards if card not in top]
    rng.shuffle(pack)
    return (*top, *pack)


def random_input(rng: Random, game: Game[Any, Any], state: Any, temper: Temper, setup: Setup) -> Input | None:
    """An input that the state accepts, or None when the game is over."""
    awaits = game.awaits(state)
    if isinstance(awaits, Over):
        return None
    if rng.random() < temper.leaves:
        leaver = Leave(Seat(rng.randrange(setup.seats)))
        if accepts(game, state, leaver):
            return leaver
    match awaits:
        case Shuffle(cards=cards, misdeals=misdeals):
            luck = rng.randrange(LUCK) if misdeals and temper.has_luck else None
            return Pack(shuffled(rng, cards, setup.top(awaits)), luck)
        case Turn():
            if rng.random() < temper.expires:
                return Expire()
            return Act(random_action(rng, game.legal(state), temper))
        case _:
            assert_never(awaits)


def accepts(game: Game[Any, Any], state: Any, given: Input) -> bool:
    """Whether an input is one that the state awaits; a leave is, while the game goes on, from whoever has not left."""
    try:
        apply(game, state, given)
    except NotAwaited:
        return False
    return True


def apply(game: Game[Any, Any], state: Any, given: Input) -> tuple[Any, tuple[Fact, ...]]:
    """One step of the fold."""
    match given:
        case Pack(cards=cards, luck=luck):
            return game.deal(state, cards, luck)
        case Act(action=action):
            return game.act(state, action)
        case Expire():
            return game.expire(state)
        case Leave(seat=seat):
            return game.leave(state, seat)
        case _:
            assert_never(given)


def random_game(rng: Random, setup: Setup, temper: Temper, *, most: int = MOST_STEPS) -> Iterator[Step]:
    """A game from its beginning to its end, a step at a time.

    :raises AssertionError: it did not end within so many steps.
    """
    game = setup.game()
    state = game.begin(setup.dealer)
    yield Step(None, (), state)
    for _ in range(most):
        given = random_input(rng, game, state, temper, setup)
        if given is None:
            return
        state, facts = apply(game, state, given)
        yield Step(given, facts, state)
    raise AssertionError(f"{setup} did not end within {most} steps")


def replayed(setup: Setup, inputs: Iterable[Input]) -> Iterator[Step]:
    """The same game again, from its inputs alone."""
    game = setup.game()
    state = game.begin(setup.dealer)
    yield Step(None, (), state)
    for given in inputs:
        state, facts = apply(game, state, given)
        yield Step(given, facts, state)


NAMES = ("Moll", "Nan", "Jack", "Hal", "Will", "Ned", "Bess", "Kit", "Sue", "Tom")
"""None of them has the notation of a card in it."""


def record_of(setup: Setup, inputs: Iterable[Input]) -> GameRecord:
    """The game of these inputs as a table keeps it, an input every second and a half."""
    steps = Steps()
    game = setup.game()
    awaits = game.awaits(game.begin(setup.dealer))
    assert isinstance(awaits, Shuffle)
    for number, given in enumerate(inputs, 1):
        step = _recorded(given)
        if isinstance(step, record.Pack):  # a stock has only the cards that came back
            step = replace(step, is_stock=len(step.cards) < len(awaits.cards))
        steps.add(number * 1_500, step)
    return GameRecord(
        table=7,
        number=2,
        rule_set=setup.name,
        options=setup.options,
        players=tuple([Player(name) for name in NAMES[: setup.seats]]),
        dealer=setup.dealer,
        steps=steps.packed(),
    )


def _recorded(given: Input) -> record.Input:
    match given:
        case Pack(cards=cards, luck=luck):
            return record.Pack(cards, luck=luck)
        case Act(action=action):
            return record.Move(action)
        case Expire():
            return record.Expiry()
        case Leave(seat=seat):
            return record.Departure(seat)
        case _:
            assert_never(given)


Encode = Callable[[Any], bytes]
encode: Encode = msgspec.msgpack.Encoder().encode
"""What travels, to bytes, exactly as a frame holds it."""


class Observation(NamedTuple):
    """Everything one viewer gets of a step, as bytes: what the law of secrecy is about."""

    events: bytes
    view: bytes
    turn: bytes
    """Who is to move, or that a pack is wanted, or that the game is over."""
    decision: bytes
    """The question and the choices, for the seat to move; empty for all others."""


def observe(game: Game[Any, Any], step: Step, viewer: Viewer) -> Observation:
    """What this viewer gets of a step."""
    view: GameView = game.view(step.state, viewer)
    awaits = game.awaits(step.state)
    decision = b""
    match awaits:
        case Turn(seat=seat):
            turn = encode(("turn", seat))
            if seat == viewer:
                decision = encode((game.wording(step.state)[:2], game.choices(step.state)))
        case Shuffle():
            turn = encode(("shuffle",))
        case Over(dealer=dealer):
            turn = encode(("over", game.paid(step.state), dealer))
        case _:
            assert_never(awaits)
    return Observation(encode(step.seen_by(viewer)), encode(view), turn, decision)
