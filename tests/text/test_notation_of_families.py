"""Games of every family as text: what each viewer was told can be written, read again, and shown again."""

import random
from typing import Any

import pytest

from put_client.sheet_replay import Replay
from put_protocol.games.families import deals_hand, opening_of
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.facts import Fact
from put_rules.game import Over, Shuffle, Turn
from put_rules.registry import GAMES
from put_text.notation import Sheet, SheetPlayer, SheetStep, read, write

OF_FAMILIES = {rule_set.offer.family: name for name, rule_set in GAMES.items()}


def sheet_of(game: str, seats: int, viewer: Viewer) -> Sheet:
    """A random game of two hands, as a viewer was told it."""
    rule_set = GAMES[game]
    options: dict[str, Any] = rule_set.offer.defaults
    machine = rule_set.make(seats, options | ({"hands": 2} if "hands" in options else {}))
    dice = random.Random(f"{game} {seats}")
    state: Any = machine.begin(None)
    steps: list[SheetStep] = []
    facts: tuple[Fact, ...] = ()
    while not isinstance(awaits := machine.awaits(state), Over):
        match awaits:
            case Shuffle(cards=pack):
                state, facts = machine.deal(state, tuple(dice.sample(pack, len(pack))))
            case Turn():
                state, facts = machine.act(state, dice.choice(machine.legal(state)))
        events = tuple([event for fact in facts if (event := fact.seen_by(viewer)) is not None])
        steps.append(SheetStep(len(steps) * 1_250, events))
    return Sheet(
        game=game,
        options=options,
        table=7,
        number=1,
        viewer=viewer,
        players=tuple([SheetPlayer(f"SheetPlayer {seat}") for seat in range(seats)]),
        opening=opening_of(machine.view(state, viewer)),
        steps=tuple(steps),
    )


@pytest.mark.parametrize("game", OF_FAMILIES.values())
@pytest.mark.parametrize("viewer", [Seat(0), GALLERY])
def test_sheet_of_a_game_reads_back_as_what_was_written(game: str, viewer: Viewer) -> None:
    """With the fewest seats and with the most, for a player and for the gallery; and it can be shown again, hand by
    hand."""
    for seats in (GAMES[game].offer.seats[0], GAMES[game].offer.seats[-1]):
        sheet = sheet_of(game, seats, viewer)
        assert read(write(sheet)) == sheet
        shown = Replay.of(sheet)
        assert shown.hands == sum(any(map(deals_hand, step.events)) for step in sheet.steps) > 0
        assert shown.at_next_hand().hand == 1
        assert all(sentence.endswith((".", "!", '"')) for said in shown.sentences for sentence in said)
