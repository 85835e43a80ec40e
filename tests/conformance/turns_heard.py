"""Games as a player without a screen hears them, turn by turn, against the house: a turn is all that is said from
their last move to their next question. A deal begins a new count, because hands may go by in which they are not asked.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import wrap
from typing import Any

from msgspec.structs import replace

from put_protocol.deal_steps import begins_deal
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.messages import Turn as TurnTold
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.facts import Fact
from put_rules.game import Over, Shuffle, Turn
from put_rules.registry import GAMES
from put_server.house.player import Terms
from put_server.house.registry import player
from put_text.catalogue import speaking, translated
from put_text.plain.interpreter import interpret
from put_text.plain.telling import apply_message
from put_text.plain.text_state import TextState
from tests.conformance.random_games import NAMES
from tests.conformance.tables import Table, rng_of
from tests.protocol.samples import WELCOME

LISTENER = Seat(0)
DEAL = ""
TYPED = "> "

PAGE = Path(__file__).parents[2] / "docs" / "accessibility.md"
EVENINGS = {"en": (Table("put-1674", 3), 2), "fr": (Table("triomphe-forcee", 4), 46)}
"""The games that the page tells, by language: a table, and a seed."""


def evening(language: str) -> str:
    """A game that the page tells, in lines that fit it. `python -m tests.conformance.turns_heard` prints them."""
    table, seed = EVENINGS[language]
    with speaking(language):
        lines = [wrap(line, 116, subsequent_indent="  ") for line in game_heard(table, seed, is_brief=True) if line]
    return "\n".join(line for wrapped in lines for line in wrapped)


def turns_heard(table: Table, seed: int, *, is_brief: bool) -> Iterator[tuple[str, ...]]:
    """Each turn of a game."""
    said: list[str] = []
    for line in game_heard(table, seed, is_brief=is_brief):
        if line == DEAL or line.startswith(TYPED):
            if said:
                yield tuple(said)
            said = []
        else:
            said.append(line)


def game_heard(table: Table, seed: int, *, is_brief: bool) -> Iterator[str]:
    """The sentences of a game, which every player plays as the house's beginner does; what the listener types stands
    behind `TYPED`, and a deal begins with `DEAL`."""
    rng, names = rng_of(table, seed), NAMES[: table.seats]
    rules = GAMES[table.name]
    options = {option.name: 3 if option.name == "hands" else option.default for option in rules.offer.options}
    game: Any = rules.make(table.seats, options)
    house = [player("beginner", Random(rng.random()), Terms(game=table.name, family=table.family)) for _ in names]
    info = TableInfo(
        7, table.name, {}, tuple([SeatInfo(name) for name in names]), ClockInfo(), TableState.PLAYING, games=1
    )
    state, _ = apply_message(
        TextState(is_brief=is_brief), TableSnapshot(table=7, viewer=LISTENER, number=0, info=info, view=None), 0
    )
    position = game.begin(None)
    number, told = 1, [GameStarted(2, names)]
    facts: tuple[Fact, ...] = ()
    while True:
        events = (*told, *[event for fact in facts if (event := fact.seen_by(LISTENER)) is not None])
        awaits, view, told = game.awaits(position), game.view(position, LISTENER), []
        turn = TurnTold(awaits.seat) if isinstance(awaits, Turn) else None
        state, heard = apply_message(state, Events(7, number, events, info, view, turn), 0)
        number += len(events)
        if any(begins_deal(event.deal_steps()) for event in events):
            yield DEAL
        yield from heard
        if isinstance(awaits, Over):
            return
        if isinstance(awaits, Shuffle):
            position, facts = game.deal(position, tuple(rng.sample(awaits.cards, len(awaits.cards))))
            continue
        own = legal = game.choices(position)
        if awaits.seat == LISTENER:
            asks, why = game.wording(position).spoken()
            own = tuple([replace(choice, says=translated(choice.phrase, choice.says)) for choice in legal])
            question = Decision(7, number, asks, own, why=why)
            state, heard = apply_message(state, question, 0)
            yield from heard
        action = house[awaits.seat].choose(game.view(position, awaits.seat), legal, awaits.seat)
        if awaits.seat == LISTENER:
            typed = next(choice.says for choice in own if choice.action == action)
            state, _ = interpret(typed, state, 0, WELCOME, lambda _: ())
            yield f"{TYPED}{typed.partition(':')[0]}"
        position, facts = game.act(position, action)


if __name__ == "__main__":
    print("\n\n".join(map(evening, EVENINGS)))
