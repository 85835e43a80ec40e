"""Texts of a decision, as messages: the question, the choices, and the reason."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, assert_never

from put_protocol.games import put
from put_protocol.games.unions import Choice
from put_protocol.text import Phrase
from put_rules.prose import Wording, choice_in_words, wording_of
from put_rules.put.rules import DOUBLE, PUT, THROW_IN
from put_rules.put.state import ANSWER, PLAY, PutState, Terms


def choices(
    terms: Terms, state: PutState, actions: tuple[put.PutAction, ...], *, in_phrases: bool
) -> tuple[Choice, ...]:
    others = "" if len(state.seers) + len(state.asked) < 2 else "seen" if state.seers else "all"
    law = state.mishap.law if state.mishap is not None else 0
    about = (terms.is_inviting, terms.is_doubling, len(state.trick_seats) > 0, state.value, law, others, in_phrases)
    return tuple(map(_choices(*about), actions))


def wording(terms: Terms, state: PutState, moment: put.Moment) -> Wording:
    return wording_of(_question(terms, state, moment), _why(terms, state, moment))


def _question(terms: Terms, state: PutState, moment: put.Moment) -> Phrase:
    if state.phase is not PLAY:
        is_double = terms.is_doubling and moment is put.Moment.ANSWER
        return Phrase("put-asks-answer-double" if is_double else f"put-asks-{moment.replace('_', '-')}")
    may_speak = not state.is_bound and (not terms.is_doubling or _may_double(terms, state))
    more = _more(terms.rules.play.may[moment]) if may_speak else "none"
    return Phrase(f"put-asks-{moment}", {"number": len(state.past) + 1, "more": more})


def _why(terms: Terms, state: PutState, moment: put.Moment) -> Phrase:
    """The reason, short enough for one line of a terminal."""
    if state.phase is ANSWER and terms.is_doubling:
        return Phrase("put-why-take", {"points": state.value, "taken": 2 * state.value})
    if state.phase is ANSWER:
        among = "-inviting" if terms.is_inviting else "-too" if state.seers else ""
        return Phrase(f"put-why-see{among or '-among-many' * (len(state.asked) > 1)}")
    if state.phase is not PLAY:
        return Phrase(f"put-why-{moment.replace('_', '-')}")
    if state.is_bound:
        return Phrase(f"put-why-bound{'-final' if terms.is_final else '-double' if terms.is_doubling else ''}")
    if terms.is_doubling:
        may_double = _may_double(terms, state)
        return Phrase("put-why-double", {"points": state.value}) if may_double else Phrase("put-why-no-double")
    return Phrase(_why_play(terms, moment))


def _may_double(terms: Terms, state: PutState) -> bool:
    return terms.rules.is_worth_doubling(state.value, state.scores)


def _more(said: tuple[put.PutAction, ...]) -> str:
    """The choices besides playing a card."""
    if DOUBLE in said:
        return "double"
    if PUT not in said:
        return "none"
    return "throw" if THROW_IN in said else "put"


def _why_play(terms: Terms, moment: put.Moment) -> str:
    """Reason why the player may lead or play in this way, unless they must, or may double."""
    said = terms.rules.play.may[moment]
    if PUT not in said:
        return "put-why-nobody-put" if terms.has_opening else "put-why-follow"
    if THROW_IN not in said:
        return "put-why-put"
    if not terms.has_last_say:
        return "put-why-lead-final"
    return "put-why-lead" if moment is put.Moment.LEAD else "put-why-reply"


@cache
def _choices(*about: Any) -> Callable[[put.PutAction], Choice]:
    """The choice of each action in a situation. A lookup by the action alone takes half the time."""
    return cache(partial(_choice, *about))


def _choice(
    is_inviting: bool,
    is_doubling: bool,
    is_led: bool,
    value: int,
    law: int,
    others: str,
    in_phrases: bool,
    action: put.PutAction,
) -> Choice:
    """`others`: the players whose answers decide, if several are asked: those who have seen the put, or all."""
    arguments: dict[str, str | int] = {}
    match action:
        case put.Play(card=card):
            message, arguments = "put-play" if is_led else "put-lead", {"card": card}
        case put.Discard(card=card):
            message, arguments = "put-throw-away", {"card": card}
        case put.ThrowIn() if others:
            message = f"put-throw-in-if-{others}"
        case put.ThrowIn():
            message, arguments = "put-throw-in", {"points": value}
        case put.Put():
            message = "put-say-put-inviting" if is_inviting else "put-say-put"
        case put.Double():
            message, arguments = "put-offer-to-double", {"points": 2 * value}
        case put.See() if is_doubling:
            message, arguments = "put-take-double", {"points": 2 * value}
        case put.See():
            message = "put-see-inviting" if is_inviting else "put-see-put"
        case put.Pass():
            message = "put-say-nothing"
        case put.Give():
            message = "put-give"
        case put.Let():
            message = "put-let-give"
        case put.Redeal():
            message = "put-redeal-for-a-point" if law == 5 else "put-redeal"
        case put.Abide():
            message = "put-abide" if law == 1 else "put-abide-drawn"
        case _:
            assert_never(action)
    choice = choice_in_words(action, message, **arguments)
    return choice if in_phrases else Choice(action, choice.says, None, choice.is_unseen)
