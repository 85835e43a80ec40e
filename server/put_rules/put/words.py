"""Words for a decision: the question, the choices, and why these, so that a newcomer knows what follows."""

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from put_protocol.cards import name_of
from put_protocol.games import put
from put_protocol.games.unions import Choice
from put_rules.put.rules import Offer
from put_rules.put.state import ANSWER, PLAY, PutState, Terms

_BOUND_TO_LEAD = "Your put was seen: now you must lead."
_ONES = {1: "a point", 2: "two points", 3: "three points", 4: "four points", 8: "eight points"}

QUESTIONS: Mapping[put.Moment, str] = {
    put.Moment.ACCIDENT: "An accident in the dealing: what is to become of it?",
    put.Moment.GIVE: "Do you give your partner your best card, or let them give you theirs?",
    put.Moment.DISCARD: "You have four cards: throw one away.",
    put.Moment.OPENING: "Before the first trick: put, or say nothing.",
    put.Moment.LEAD: "Lead to trick",
    put.Moment.REPLY: "Play to trick",
    put.Moment.LAST_SAY: "The first trick is over, and you have the last say: put, or throw in.",
    put.Moment.ANSWER: "Do you see the put, or throw in?",
}
"""The question to the seat to move; to lead and to play, the beginning of it."""

DOUBLING: Mapping[put.Moment, str] = {put.Moment.ANSWER: "Do you take the double, or throw in?"}
"""Questions that differ where a hand's value is doubled."""

REASONS: Mapping[put.Moment, str] = {
    put.Moment.ACCIDENT: "The Laws of Put leave it to you, before anybody looks at their cards.",
    put.Moment.GIVE: "One of each side plays for both; who gives throws their other cards away.",
    put.Moment.DISCARD: "Your partner gave you their best card, and you play for both with three.",
    put.Moment.OPENING: "Now or never: nobody may put once the first card is led.",
    put.Moment.LAST_SAY: "No second trick is played unless a put is seen: put, or give up a point.",
}
"""The reason the seat to move may do this and no more, at the moments at which it is always the same."""


class Words:
    """The words of one table's rules."""

    __slots__ = ("_bound", "_is_doubling", "_is_inviting", "_more", "_questions", "_reasons", "_terms")

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._is_inviting = terms.rules.play.plain is put.Worth.GAME
        self._is_doubling = terms.rules.is_doubling
        self._questions = {**QUESTIONS, **(DOUBLING if self._is_doubling else {})}
        self._more = {moment: _more(offers) for moment, offers in terms.rules.play.may.items()}
        self._reasons = {
            **REASONS,
            **{moment: _why_play(terms.rules.play.may, moment) for moment in (put.Moment.LEAD, put.Moment.REPLY)},
        }
        self._bound = "Your double was taken: now you must play." if self._is_doubling else _BOUND_TO_LEAD
        if terms.is_final:
            self._bound = "The put was seen: whoever wins this hand wins the game."

    def choice(self, state: PutState, action: put.PutAction) -> Choice:
        """The action with its words."""
        match action:
            case put.Play():
                return _play(action, bool(state.trick_seats))
            case put.Discard(card=card):
                return Choice(action, f"throw away {name_of(card)}")
            case _:
                if isinstance(action, put.ThrowIn) and len(state.seers) + len(state.answering) > 1:
                    return _choice_among_many(action, bool(state.seers))
                law = state.mishap.law if state.mishap is not None else 0
                return _choice(action, state.value, law, self._is_inviting, self._is_doubling)

    def question(self, state: PutState, moment: put.Moment) -> str:
        """The question to the seat to move."""
        question = self._questions[moment]
        if state.phase is not PLAY:
            return question
        if state.is_bound or (self._is_doubling and not self._terms.rules.is_worth_doubling(state.value, state.scores)):
            return f"{question} {len(state.past) + 1}."
        return f"{question} {len(state.past) + 1}{self._more[moment]}."

    def why(self, state: PutState, moment: put.Moment) -> str:
        """The reason the seat to move may do this and no more. Short enough for one line of a terminal."""
        if state.phase is ANSWER:
            return self._why_answer(state)
        if state.phase is PLAY:
            if state.is_bound:
                return self._bound
            if self._is_doubling:
                return self._why_double(state)
        return self._reasons[moment]

    def _why_double(self, state: PutState) -> str:
        if self._terms.rules.is_worth_doubling(state.value, state.scores):
            return f"The hand is worth {_points(state.value)}; who is to play may offer to double that."
        return "The hand is worth all that anybody needs, so nobody may double it."

    def _why_answer(self, state: PutState) -> str:
        if self._is_doubling:
            return f"Throw in, and give {_points(state.value)}; take it, and you play for {_points(2 * state.value)}."
        if self._is_inviting:
            return "Throw in: the other has a point. See: they must lead, and you play on."
        if state.seers:
            return "The put is seen: see it, too, and play for the game, or throw in and be out."
        if len(state.answering) > 1:
            return "If all throw in, they have a point; if any sees, this hand decides the game."
        return "Throw in, and the other has a point; see, and this hand decides the game."


def _more(offers: tuple[Offer, ...]) -> str:
    """The choices that may be made beside playing a card."""
    if Offer.DOUBLE in offers:
        return ", or double first"
    if Offer.PUT not in offers:
        return ""
    return ", or put, or throw in" if Offer.THROW_IN in offers else ", or put first"


def _why_play(may: Mapping[put.Moment, tuple[Offer, ...]], moment: put.Moment) -> str:
    """The reason who leads or plays may do so and no more, unless they are bound to, or may double."""
    if Offer.PUT not in may[moment]:
        if put.Moment.OPENING in may:
            return "Nobody put before the first card, so the hand is played out for a point."
        return "Only who leads may put or throw in; whoever follows must play."
    if Offer.THROW_IN not in may[moment]:
        return "Nobody has put: the hand is for a point, until somebody does."
    if put.Moment.LAST_SAY not in may:
        return "Only who leads may put or throw in. Who wins this hand wins the game."
    if moment is put.Moment.LEAD:
        return "You speak first; if you lead, the other may put or throw in before playing."
    return "Your only chance to put or throw in: if you play, eldest has the last say."


@cache
def _choice_among_many(action: put.ThrowIn, is_seen: bool) -> Choice:
    """The choice to throw in with three or more, which gives a point only if all do."""
    return Choice(action, "throw in your cards: " + ("the others play for the game" if is_seen else _IF_ALL_DO))


_IF_ALL_DO = "if all do, the putter has a point"


@cache
def _play(action: put.Play, is_led: bool) -> Choice:
    return Choice(action, f"{'play' if is_led else 'lead'} {name_of(action.card)}")


@cache
def _choice(action: put.PutAction, value: int, law: int, is_inviting: bool, is_doubling: bool) -> Choice:
    return Choice(action, _phrase(action, value, law, is_inviting=is_inviting, is_doubling=is_doubling))


def _phrase(action: put.PutAction, value: int, law: int, *, is_inviting: bool, is_doubling: bool) -> str:
    match action:
        case put.Put() if is_inviting:
            return 'say "I put": invite the other to throw in for a point'
        case put.Put():
            return 'say "I put": they throw in for a point, or this hand decides the game'
        case put.Double():
            return f"offer to double: the hand to be worth {_points(2 * value)}"
        case put.See() if is_doubling:
            return f"take the double: the hand is worth {_points(2 * value)}"
        case put.See() if is_inviting:
            return "see the put and play on"
        case put.See():
            return "see the put: this hand decides the game"
        case put.ThrowIn():
            return f"throw in your cards and give up {_points(value)}"
        case put.Pass():
            return "say nothing"
        case put.Give():
            return "give your partner your best card, and let them play for both"
        case put.Let():
            return "let your partner give you their best card, and play for both"
        case put.Redeal():
            return "score a point and call a fresh deal" if law == 5 else "call a fresh deal"
        case put.Abide():
            return "let the deal stand" if law == 1 else "have the card too many drawn, unseen, and play on"
        case put.Play() | put.Discard():
            raise AssertionError("cards have words of their own")
        case _:
            assert_never(action)


def _points(count: int) -> str:
    return _ONES.get(count, f"{count} points")
