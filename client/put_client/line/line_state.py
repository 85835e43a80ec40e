"""State of line mode: that of the text session, and the client's own knowledge, with its sentences. Pure.

`put_text.plain` handles the server's messages. Only a client knows the state of its connection, and whether deals are
fair.
"""

from dataclasses import dataclass, field, replace

from put_client.fairness.fairness_text import Deals, at_hand, holders, in_sentences, news_of, tally_in_words, with_deal
from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealWarning, ProofStanding
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.sdk.traffic import Message
from put_protocol.text import clause
from put_text import phrases
from put_text.catalogue import say
from put_text.plain import answers, telling, text_state
from put_text.plain.text_state import Sentences, TextState


@dataclass(frozen=True, slots=True, kw_only=True)
class LineState:
    text: TextState = field(default_factory=TextState)
    checked: DealChecked | None = None
    is_caught: bool = False
    """A check has failed, so no more moves are made."""
    deals: Deals = ()

    def at(self, text: TextState) -> "LineState":
        """The state with this text state; deals of another table are forgotten."""
        is_here = (text.table, text.viewer) == (self.text.table, self.text.viewer)
        return replace(self, text=text) if is_here else LineState(text=text)


def apply_message(state: LineState, message: Message, now: int) -> tuple[LineState, Sentences]:
    state, said = _apply(state, message, now)
    is_own = isinstance(message, DealChecked | CheckFailed | DealWarning | ConnectionLost | ConnectionBack)
    return state.at(text_state.remember(state.text, said, now)) if is_own else state, said


def _apply(state: LineState, message: Message, now: int) -> tuple[LineState, Sentences]:
    text = state.text
    match message:
        case DealChecked() if message.table != text.table:
            return state, ()
        case DealChecked():
            said = news_of(state.checked, message)
            if message.is_weighable and not text.is_brief:
                said = (*said, say("client-weighable"))
            return replace(state, checked=message, deals=with_deal(state.deals, message.deal)), said
        case CheckFailed(error=error):
            kept = [say("screen-evidence", path=str(error.evidence))] if error.evidence is not None else []
            state = replace(state.at(replace(text, decision=None)), is_caught=True)
            return state, (" ".join([str(error), *kept]), at_hand(ProofStanding.BROKEN))
        case DealWarning(says=says):
            return state, (says,)
        case ConnectionLost():
            state, why = state.at(replace(text, decision=None)), clause(message.says)
            if not message.back_s:
                return state, (say("client-lost", why=why),)
            return state, (say("client-lost-for", why=why, time=phrases.format_time_left(message.back_s * 1000)),)
        case ConnectionBack(tables=tables):
            if text.table is None or text.table in tables:
                return state, (say("client-back"),)
            gone = say("client-back-without-you", table=text.table)
            return state.at(text_state.nowhere(text)), (gone,)
        case _:
            text, said = telling.apply_message(text, message, now)
            return state.at(text), said


def proof(state: LineState, number: int | None) -> Sentences:
    """Proof of a deal so far; None: the deal in play."""
    text = state.text
    deal = next((deal for deal in reversed(state.deals) if number in (None, deal.deal)), None)
    if number is not None:
        if deal is None:
            return (say("client-no-such-deal", number=number),)
        return in_sentences(deal, text.names, text.viewer)
    if text.info is None:
        return answers.table(text)
    checked = state.checked
    if checked is None or checked.standing is None:
        return (at_hand(None), *holders(text.info, text.names, text.viewer))
    tally = tally_in_words(checked.tally)
    said = (at_hand(checked.standing, checked.unproved), *tally)
    said += holders(text.info, text.names, text.viewer)
    if checked.standing is ProofStanding.UNPROVED or not state.deals:
        return said
    return (*said, *in_sentences(state.deals[-1], text.names, text.viewer))
