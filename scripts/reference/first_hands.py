"""The page's lessons of Put: hands played by the rules, as messages of a table.

A lesson has the cards of both players and their actions in order. At the learner's turn, the page offers all actions
that the server would, waits for the lesson's action, and explains why others are wrong.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.put import Play, Put, PutAction, See, ThrowIn
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.messages import Turn as Clocks
from put_protocol.seats import Seat
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_rules.driver import Driver
from put_rules.facts import seen_by
from put_rules.game import Shuffle, Turn
from put_rules.registry import GAMES
from put_text.catalogue import ENGLISH, say, speaking
from put_text.presenters import format_event, format_view
from put_text.translated import said_choices

_LEARNER = Seat(0)
_RULE_SET = GAMES["put-1674"]
_SAID: Mapping[str, PutAction] = {"put": Put(), "see": See(), "throw": ThrowIn()}


class _Lesson(NamedTuple):
    name: str
    """Name of its sentences in the catalogue: a title; and for each action of the learner a text before it, and one for
    each other action, a card or a word."""
    scores: tuple[int, int]
    cards: str
    """The learner's cards (the learner dealt), then those of the house."""
    actions: str
    """Actions of both."""


_LESSONS = (
    _Lesson("trick", (0, 0), "3s Ah 4d Kc 9d 5h", "Kc Ah 3s 9d"),
    _Lesson("see", (2, 3), "3h 2c Ad As Kd 6h", "put see As 2c 3h 6h"),
    _Lesson("throw", (2, 2), "7c 6d 4h 3c Qs 8d", "put throw"),
)


def first_hands(language: str = ENGLISH) -> str:
    with speaking(language):
        lines = [f"    {json.dumps(_told(lesson), ensure_ascii=False)}," for lesson in _LESSONS]
    head = ("// Written by scripts/docs from the rules of the game. Do not edit it.\n", "export const HANDS = [")
    return "\n".join([*head, *lines, "];\n"])


def _told(lesson: _Lesson) -> dict[str, Any]:
    """A lesson as messages, a step for each decision of the learner, and one for the end."""
    driver = Driver(_RULE_SET.make(2, _RULE_SET.offer.defaults), _LEARNER)
    driver.start(replace(driver.state, scores=lesson.scores))
    names = (say("hands-you"), "Doll")
    seats = tuple([SeatInfo(name=name) for name in names])
    info = TableInfo(1, _RULE_SET.offer.name, {}, seats, ClockInfo(), TableState.PLAYING)
    messages: list[Any] = [TableSnapshot(1, _LEARNER, 0, info, view=driver.view(_LEARNER))]
    steps: list[dict[str, Any]] = []
    number = 0

    def tell() -> None:
        nonlocal number
        events = seen_by(driver.facts, _LEARNER)
        says = tuple([format_event(event, names, you=_LEARNER) for event in events])
        view = driver.view(_LEARNER)
        turn = Clocks(driver.awaits.seat) if isinstance(driver.awaits, Turn) else None
        board = format_view(view, names, _LEARNER)
        messages.append(Events(1, number + 1, events, view=view, turn=turn, says=says, board=board))
        number += len(events)

    driver.deal(_pack(driver, [Card(card) for card in lesson.cards.split()]))
    tell()
    for word in lesson.actions.split():
        action = _SAID.get(word) or Play(card=Card(word))
        if driver.awaits == Turn(_LEARNER):
            choices = said_choices(driver.choices())
            asks, why = driver.game.wording(driver.state).spoken()
            messages.append(Decision(1, number, asks, choices, why=why))
            tip = f"hands-{lesson.name}-{len(steps) + 1}"
            others = [other for choice in choices if (other := _word(choice.action)) != word]
            instead = {other: say(f"{tip}-{other}") for other in others}
            steps.append({"messages": messages, "tip": say(tip), "action": word, "instead": instead})
            messages = []
        driver.act(action)
        tell()
    steps.append({"messages": messages, "tip": say(f"hands-{lesson.name}-ends")})
    told: dict[str, Any] = msgspec.to_builtins({"title": say(f"hands-{lesson.name}-title"), "steps": steps})
    return told


def _pack(driver: Driver, cards: list[Card]) -> tuple[Card, ...]:
    wanted = driver.awaits
    assert isinstance(wanted, Shuffle)
    hands = (cards[:3], cards[3:])
    dealt = [hands[seat].pop(0) for seat in wanted.to]
    return (*dealt, *[card for card in wanted.cards if card not in dealt])


def _word(action: Any) -> str:
    return action.card if isinstance(action, Play) else next(word for word, said in _SAID.items() if said == action)
