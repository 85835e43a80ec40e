"""Views of hands as a test describes them, and games that house players play among themselves."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.put import Moment, Play, Put, PutAction, PutView, See, ThrowIn
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.game import OptionValue
from put_rules.put.machine import PutGame
from put_rules.put.rule_sets import RULE_SETS
from put_rules.put.rules import RANKINGS, PutRules
from put_rules.put.state import PutState
from put_rules.registry import GAMES
from put_server.house.player import Player

ANSWERS: tuple[Choice, ...] = (Choice(See(), "see"), Choice(ThrowIn(), "throw in"))


def cards(text: str) -> tuple[Card, ...]:
    """`3s 3h 2d` as cards."""
    return tuple(Card(card) for card in text.split())


def asked(held: str, *, scores: tuple[int, ...] = (0, 0), target: int = 5, seen_by: tuple[Seat, ...] = ()) -> PutView:
    """Seat 0 holds these and is asked to see the put of the last seat, who is to lead the first trick."""
    seats = len(scores)
    return PutView(
        target=target,
        scores=scores,
        hand=1,
        dealer=Seat(0),
        eldest=Seat(seats - 1),
        cards=cards(held),
        counts=(len(held.split()),) * seats,
        playing=(True,) * seats,
        tricks=(0,) * seats,
        to_move=Seat(0),
        moment=Moment.ANSWER,
        putter=Seat(seats - 1),
        seen_by=seen_by,
        ranking=RANKINGS["put"],
    )


def leading(
    held: str,
    *,
    scores: tuple[int, ...] = (0, 0),
    tricks: tuple[int, ...] | None = None,
    past: Sequence[TrickView] = (),
    putter: Seat | None = None,
) -> PutView:
    """Seat 0 holds these and is to lead."""
    seats = len(scores)
    return PutView(
        target=5,
        scores=scores,
        hand=1,
        dealer=Seat(seats - 1),
        eldest=Seat(0),
        cards=cards(held),
        counts=(len(held.split()),) * seats,
        playing=(True,) * seats,
        tricks=tricks or (0,) * seats,
        past=tuple(past),
        to_move=Seat(0),
        moment=Moment.LEAD,
        putter=putter,
        seen_by=() if putter is None else (Seat(1),),
        ranking=RANKINGS["put"],
    )


def turns(held: str) -> tuple[Choice, ...]:
    """To play one of these, or to put."""
    return (*plays(held), Choice(Put(), 'say "I put"'))


def put_actions(legal: Sequence[Choice]) -> list[PutAction]:
    """The actions of a list of choices, which are of Put."""
    actions = [choice.action for choice in legal]
    assert all(isinstance(action, PutAction) for action in actions)
    return [action for action in actions if isinstance(action, PutAction)]


def plays(held: str) -> tuple[Choice, ...]:
    """To play one of these."""
    return tuple(Choice(Play(card), f"play {card}") for card in cards(held))


def play_game(
    game: PutGame,
    players: Sequence[Player],
    dice: Random,
    watch: Callable[[PutState, tuple[PutAction, ...], PutAction], None],
) -> tuple[int, ...]:
    """A whole game; `watch` gets every state in which somebody was to move, what was legal and what they did."""
    driver = Driver(game)
    for seat in driver.turns(shuffled_by(dice)):
        action = players[seat].choose(driver.view(seat), driver.choices(), seat)
        assert isinstance(action, PutAction)
        watch(driver.state, game.legal(driver.state), action)
        driver.act(action)
    return game.paid(driver.state)


class Table(NamedTuple):
    """A rule set, its seats, and the options that are not the usual ones."""

    name: str
    seats: int
    options: Mapping[str, OptionValue] = {}

    @property
    def game(self) -> PutGame:
        rule_set = GAMES[self.name]
        usual = rule_set.offer.defaults
        game = rule_set.make(self.seats, {**usual, **self.options})
        assert isinstance(game, PutGame)
        return game

    def __str__(self) -> str:
        return " ".join([self.name, str(self.seats), *(f"{name}={value}" for name, value in self.options.items())])


TABLES = tuple(Table(rules.name, seats) for rules in RULE_SETS for seats in rules.seats)
"""Every rule set with every number of seats."""


def tables_with(options: Mapping[str, OptionValue]) -> tuple[Table, ...]:
    """Every rule set with every number of seats, under those of these options that it has."""
    tables = []
    for table in TABLES:
        offered = {option.name for option in GAMES[table.name].offer.options}
        if had := {name: value for name, value in options.items() if name in offered}:
            tables.append(table._replace(options=had))
    return tuple(tables)


def game_of(seats: int) -> PutGame:
    """The seventeenth-century game."""
    return Table("put-1674", seats).game


def under(rules: PutRules, view: PutView) -> PutView:
    """The same view in another rule set."""
    return replace(view, plain=rules.play.plain, accepted=rules.play.accepted, target=rules.target, ranking=rules.ranks)
