"""Tables, hands and whole games as the tests of rules want them."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from put_protocol.cards import Card
from put_protocol.games.put import Dealt
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Over, Turn
from put_rules.registry import GAMES
from put_server.lobby.options import checked_options
from tests.conformance.random_games import Input, Pack, Setup, Step, random_game, random_setup, random_temper, replayed
from tests.games.vectors import filled_up


def table(seats: int = 2, dealer: int | None = 0, game: str = "put-1674", **options: str | int) -> Setup:
    """A table with the usual options but these."""
    return Setup(
        name=game,
        seats=seats,
        options=checked_options(GAMES[game].offer, options),
        dealer=None if dealer is None else Seat(dealer),
    )


def after(setup: Setup, *inputs: Input | str) -> list[Step]:
    """The steps of a game; a pack may be given as its first cards."""
    cards = setup.game().awaits(setup.game().begin(setup.dealer))
    assert not isinstance(cards, Turn | Over)
    given = [
        Pack(filled_up(tuple(map(Card, item.split())), cards.cards)) if isinstance(item, str) else item
        for item in inputs
    ]
    return list(replayed(setup, given))


def events(steps: list[Step]) -> list[Event]:
    """What the gallery saw of all of it."""
    return [event for step in steps for event in step.seen_by(GALLERY)]


def random_games(
    number: int, game: str = "put-1674", *, seats: int | None = None, accidents: bool = True, **options: str | int
) -> Iterator[tuple[Setup, list[Step]]]:
    """Games of a rule set, whole, under random options but these; without accidents nobody goes away or sleeps. Only
    those with that number of seats, if one is given."""
    for seed in range(number):
        rng = Random(seed)
        setup = random_setup(rng, game)
        if seats not in (None, setup.seats):
            continue
        setup = replace(setup, options=setup.options | options)
        yield setup, list(random_game(rng, setup, random_temper(rng, accidents=accidents)))


def game_cards(setup: Setup) -> tuple[Card, ...]:
    """The pack of a table, fresh from its wrapper."""
    game = setup.game()
    awaits = game.awaits(game.begin(setup.dealer))
    assert not isinstance(awaits, Turn | Over)
    return awaits.cards


def hands_of(steps: list[Step]) -> Iterator[list[Event]]:
    """The events of each hand that was dealt, as the gallery saw them."""
    hand: list[Event] = []
    for event in events(steps):
        if isinstance(event, Dealt):
            if hand:
                yield hand
            hand = []
        if isinstance(event, Dealt) or hand:
            hand.append(event)
    if hand:
        yield hand
