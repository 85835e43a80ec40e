"""Splitting of a message into the separate messages of protocol version 2.

From version 3 on, a table answers an input with one message to each viewer: the response, the events, and the next
decision. `parts` splits it, in reading order."""

from msgspec.structs import replace

from put_protocol.messages import Decision, Events, Ok, Question, ServerMessage, TableSnapshot, Turn
from put_protocol.seats import GALLERY


def parts(message: ServerMessage) -> tuple[ServerMessage, ...]:
    """The messages of version 2 with the same content."""
    if type(message) is Events:
        request, question = message.id, message.decision
        if not request and question is None:
            return (message,)
        # If nothing of the game is new, the time is sent only with the decision.
        turn = message.turn if message.view is not None or message.moment else None
        told: list[ServerMessage] = [Ok(request)] if request else []
        told.append(replace(message, turn=turn, id=0, decision=None))
    elif isinstance(message, TableSnapshot):
        request, question = message.id, message.decision
        seat = None if message.viewer == GALLERY else message.viewer
        told = [Ok(request, message.table, seat)] if request else []
        told.append(replace(message, id=0, decision=None))
    else:
        return (message,)
    if question is not None:
        told.append(_decision(message.table, question, message.turn))
    return tuple(told)


def _decision(table: int, question: Question, turn: Turn | None) -> Decision:
    turn_ms, bank_ms = (None, None) if turn is None else (turn.turn_ms, turn.bank_ms)
    phrases = (question.asks_phrase, question.why_phrase)
    return Decision(table, question.number, question.asks, question.legal, turn_ms, bank_ms, question.why, *phrases)
