"""A message in the parts of which version 2 of the protocol makes messages of their own.

From version 3 on, a table tells each viewer one message for an input: what it answers, the proofs of what it shows, the
events, and the decision that follows. `parts` takes it apart, in the order in which it is to be read.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from put_protocol.messages import Decision, Events, Ok, Question, ServerMessage, TableSnapshot, Turn
from put_protocol.seats import GALLERY


def parts(message: ServerMessage) -> Iterator[ServerMessage]:
    """The message, as version 2 tells it."""
    kind = type(message)
    if kind is Events:
        assert isinstance(message, Events)
        if message.id:
            yield Ok(message.id)
        yield from message.openings
        if message.id or message.decision is not None or message.openings:
            # Where nothing of the game is new, the time stands beside the decision alone.
            turn = message.turn if message.view is not None or message.moment else None
            yield replace(message, turn=turn, id=0, decision=None, openings=())
        else:
            yield message
    elif kind is TableSnapshot:
        assert isinstance(message, TableSnapshot)
        if message.id:
            yield Ok(message.id, message.table, None if message.viewer == GALLERY else message.viewer)
        yield replace(message, id=0, decision=None)
    else:
        yield message
        return
    if (question := message.decision) is not None:
        yield _decision(message.table, question, message.turn)


def _decision(table: int, question: Question, turn: Turn | None) -> Decision:
    turn_ms, bank_ms = (None, None) if turn is None else (turn.turn_ms, turn.bank_ms)
    return Decision(table, question.number, question.asks, question.legal, turn_ms, bank_ms, question.why)
