"""The knowledge of line mode beyond what the server told, and its sentences about that. Pure.

What the server tells becomes sentences in `put_text.plain`; here is what only a client can know: whether its
connection stands, and whether the deals are fair.
"""

from dataclasses import dataclass, field, replace

from put_client.fairness.deal_checks import DealChecked, SealBroken, Standing
from put_client.fairness.fairness_text import Deals, at_hand, in_sentences, news_of, tally_in_words, with_deal
from put_client.sdk.client import ConnectionBack, ConnectionLost, Message
from put_protocol.text import printable
from put_text import english
from put_text.plain import text_state
from put_text.plain.text_state import Known, Sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """All that line mode remembers."""

    known: Known = field(default_factory=Known)
    checked: DealChecked | None = None
    """The deal in play, and the sitting, as far as they are checked."""
    is_caught: bool = False
    """The table was, so no move is asked for any more."""
    deals: Deals = ()
    """Those that were sealed while we were where we are."""

    def at(self, known: Known) -> "Heard":
        """With what is known now; of deals elsewhere nothing is remembered."""
        is_here = (known.table, known.viewer) == (self.known.table, self.known.viewer)
        return replace(self, known=known) if is_here else Heard(known=known)


def hear(heard: Heard, message: Message, now: int) -> tuple[Heard, Sentences]:
    """What is known after a message, and what to say of it."""
    known = heard.known
    match message:
        case DealChecked():
            return _checked(heard, message) if message.table == known.table else (heard, ())
        case SealBroken(error=error):
            kept = f" All that was told of it is kept in {error.evidence}." if error.evidence is not None else ""
            heard = replace(heard.at(replace(known, decision=None)), is_caught=True)
            return heard, (f"{error}{kept}", at_hand(Standing.BROKEN))
        case ConnectionLost():
            return heard.at(replace(known, decision=None)), (_lost(message),)
        case ConnectionBack(tables=tables):
            if known.table is None or known.table in tables:
                return heard, ("The connection is back.",)
            gone = f"The connection is back, but table {known.table} has gone on without you."
            return heard.at(text_state.nowhere(known)), (gone,)
        case _:
            known, said = text_state.hear(known, message, now)
            return heard.at(known), said


def _checked(heard: Heard, checked: DealChecked) -> tuple[Heard, Sentences]:
    said = news_of(heard.checked, checked, heard.known.names, heard.known.viewer)
    return replace(heard, checked=checked, deals=with_deal(heard.deals, checked.deal)), said


def _lost(message: ConnectionLost) -> str:
    says = printable(message.says).strip().rstrip(".") or "no reason was given"
    if message.back_s is None:
        return f"The connection is lost: {says}. Trying to come back."
    return f"The connection is lost: {says}. It should be back in about {english.about(message.back_s * 1000)}."


def seal(heard: Heard, number: int | None) -> Sentences:
    """How far a deal is proved; the one in play, if none is named."""
    known = heard.known
    deal = next((deal for deal in heard.deals if number in (None, deal.deal)), None)
    if number is not None:
        if deal is None:
            return (f"No deal {number} was sealed here while you were.",)
        return in_sentences(deal, known.names, known.viewer)
    if known.info is None:
        return text_state.table(known)
    checked = heard.checked
    if checked is None or checked.standing is None:
        return (at_hand(None),)
    tally = tally_in_words(checked.tally, known.names, known.viewer)
    said = (at_hand(checked.standing, checked.unproved), *tally)
    if checked.standing is Standing.UNPROVED or not heard.deals:
        return said
    return (*said, *in_sentences(heard.deals[-1], known.names, known.viewer))
