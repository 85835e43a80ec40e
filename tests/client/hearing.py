"""Helpers of line mode's tests: the sentences for given messages, and the requests that typed lines come to."""

from dataclasses import replace
from functools import partial

from msgspec.structs import replace as altered

from put_client.line import line_state
from put_client.line.line_state import LineState
from put_client.sdk.traffic import Message
from put_protocol.cards import Card
from put_protocol.games.put import Moment, PutView
from put_protocol.messages import (
    TableSnapshot,
)
from put_protocol.offers import GameOffer, HouseOffer
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import PauseInfo, TableState
from put_text.plain import interpreter
from put_text.plain.text_state import Asks, Outcome, TextState
from tests.client.scripted_server import OFFER, decision, info, welcome

YOU, NAN = Seat(0), Seat(1)
PLAYING = info(TableState.PLAYING, games=1)
RESTING = info(TableState.PAUSED, games=1, pause=PauseInfo(120))
VIEW = PutView(
    target=5,
    scores=(1, 2),
    hand=1,
    cards=(Card("3s"), Card("10h")),
    counts=(2, 2),
    playing=(True, True),
    tricks=(0, 0),
    to_move=YOU,
    moment=Moment.LEAD,
)
SNAPSHOT = TableSnapshot(table=7, viewer=YOU, number=3, info=PLAYING, view=VIEW)
MOVE = 'Your move. Lead to trick 1. You can: 1 and 2 lead the 3 of spades or the 10 of hearts; 3 say "I put".'
EVERY_MOVE = 'Your move. Lead to trick 1. You can: 1 lead the 3 of spades; 2 lead the 10 of hearts; 3 say "I put".'
"""As an empty line tells it."""


def listened(*messages: Message, heard: LineState, now: int = 0) -> tuple[LineState, tuple[str, ...]]:
    """All that is remembered after these messages, and what is said of the last."""
    said: tuple[str, ...] = ()
    for message in messages:
        heard, said = line_state.apply_message(heard, message, now)
    return heard, said


def heard(*messages: Message, known: TextState | None = None, now: int = 0) -> tuple[TextState, tuple[str, ...]]:
    """What is known after these messages, and what is said of the last."""
    after, said = listened(*messages, heard=LineState(text=known or TextState()), now=now)
    return after.text, said


def unlogged(state: TextState) -> TextState:
    """The state without what was said."""
    return replace(state, log=(), fresh=0, has_typed=False)


OTHER = GameOffer(name="put-1800", title="Later Put", source="Hoyle", summary="Stages.", seats=(2,), options=())
OFFERED = altered(
    welcome(), games=(OFFER, OTHER), houses=(HouseOffer("steady", "plays well"), HouseOffer("random", "plays anything"))
)


def understand(text: str, known: TextState, now: int = 0) -> Outcome:
    """What a line comes to at a server that offers these."""
    return seals(text, LineState(text=known), now)


def seals(text: str, heard: LineState, now: int = 0) -> Outcome:
    """The same for somebody who has deals to ask about."""
    return interpreter.interpret(text, heard.text, now, OFFERED, partial(line_state.proof, heard))[1]


AT_MOVE, _ = heard(SNAPSHOT, decision())
SEATED, _ = heard(altered(SNAPSHOT, info=info(TableState.BETWEEN, games=1)))
UNASKED = replace(AT_MOVE, asks=Asks.NOTHING)
"""The same for a program, which is asked no questions back."""
WATCHING, _ = heard(altered(SNAPSHOT, viewer=GALLERY))
