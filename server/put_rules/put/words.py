"""Texts of a decision, as messages: the question, the choices, and the reason."""

from collections import defaultdict
from collections.abc import Mapping
from typing import assert_never

from put_protocol.games import put
from put_protocol.games.unions import Choice
from put_protocol.text import Phrase
from put_rules.prose import choice_in_words
from put_rules.put.rules import DOUBLE, PUT, THROW_IN
from put_rules.put.state import ANSWER, PLAY, PutState, Terms


class Words:
    __slots__ = ("_bound", "_choices", "_is_doubling", "_is_inviting", "_more", "_reasons", "_terms")

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        may = terms.rules.play.may
        self._is_inviting = terms.rules.play.plain is put.Worth.GAME
        self._is_doubling = terms.rules.is_doubling
        self._more = {moment: _more(said) for moment, said in may.items()}
        self._reasons = {moment: Phrase(_why_play(may, moment)) for moment in (put.Moment.LEAD, put.Moment.REPLY)}
        self._bound = Phrase("put-why-bound-double" if self._is_doubling else "put-why-bound")
        if terms.is_final:
            self._bound = Phrase("put-why-bound-final")
        self._choices: defaultdict[tuple[object, ...], dict[put.PutAction, Choice]] = defaultdict(dict)
        """Choices by everything else that their texts depend on, and then by action."""

    def choices(self, state: PutState, actions: tuple[put.PutAction, ...], *, in_phrases: bool) -> tuple[Choice, ...]:
        others = "" if len(state.seers) + len(state.answering) < 2 else "seen" if state.seers else "all"
        law = state.mishap.law if state.mishap is not None else 0
        about = (in_phrases, len(state.trick_seats) > 0, state.value, law, others)
        known = self._choices[about]
        try:
            return tuple(map(known.__getitem__, actions))
        except KeyError:  # once for each
            for action in actions:
                choice = _choice(action, self._is_inviting, self._is_doubling, *about[1:])
                known[action] = choice if in_phrases else Choice(action, choice.says, None, choice.is_unseen)
            return self.choices(state, actions, in_phrases=in_phrases)

    def question(self, state: PutState, moment: put.Moment) -> Phrase:
        if state.phase is not PLAY:
            is_double = self._is_doubling and moment is put.Moment.ANSWER
            return Phrase("put-asks-answer-double" if is_double else f"put-asks-{moment.replace('_', '-')}")
        is_free = not state.is_bound and (
            not self._is_doubling or self._terms.rules.is_worth_doubling(state.value, state.scores)
        )
        number = len(state.past) + 1
        return Phrase(f"put-asks-{moment}", {"number": number, "more": self._more[moment] if is_free else "none"})

    def why(self, state: PutState, moment: put.Moment) -> Phrase:
        """The reason, short enough for one line of a terminal."""
        if state.phase is ANSWER:
            return self._why_answer(state)
        if state.phase is PLAY:
            if state.is_bound:
                return self._bound
            if self._is_doubling:
                return self._why_double(state)
            return self._reasons[moment]
        return Phrase(f"put-why-{moment.replace('_', '-')}")

    def _why_double(self, state: PutState) -> Phrase:
        if self._terms.rules.is_worth_doubling(state.value, state.scores):
            return Phrase("put-why-double", {"points": state.value})
        return Phrase("put-why-no-double")

    def _why_answer(self, state: PutState) -> Phrase:
        if self._is_doubling:
            return Phrase("put-why-take", {"points": state.value, "taken": 2 * state.value})
        if self._is_inviting:
            return Phrase("put-why-see-inviting")
        if state.seers:
            return Phrase("put-why-see-too")
        return Phrase("put-why-see-among-many" if len(state.answering) > 1 else "put-why-see")


def _more(said: tuple[put.PutAction, ...]) -> str:
    """The choices besides playing a card."""
    if DOUBLE in said:
        return "double"
    if PUT not in said:
        return "none"
    return "throw" if THROW_IN in said else "put"


def _why_play(may: Mapping[put.Moment, tuple[put.PutAction, ...]], moment: put.Moment) -> str:
    """Reason why the player may lead or play in this way, unless they must, or may double."""
    if PUT not in may[moment]:
        return "put-why-nobody-put" if put.Moment.OPENING in may else "put-why-follow"
    if THROW_IN not in may[moment]:
        return "put-why-put"
    if put.Moment.LAST_SAY not in may:
        return "put-why-lead-final"
    return "put-why-lead" if moment is put.Moment.LEAD else "put-why-reply"


def _choice(
    action: put.PutAction, is_inviting: bool, is_doubling: bool, is_led: bool, value: int, law: int, others: str
) -> Choice:  # positional, as the lookup needs it
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
    return choice_in_words(action, message, **arguments)
