"""What line mode knows beyond what the server told, and what it says of that. Pure.

What the server tells becomes sentences in `put_protocol.plain`; here is what only a client can know: whether its
connection stands, and whether the deals are fair.
"""

from dataclasses import dataclass, field, replace

from put_client.client import ConnectionBack, ConnectionLost, Message
from put_client.sealed import DealChecked, SealBroken, Standing
from put_client.verdicts import Deals, at_hand, in_sentences, with_deal
from put_protocol import english
from put_protocol.plain import spoken
from put_protocol.plain.spoken import Known, Sentences
from put_protocol.text import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """All that line mode remembers."""

    known: Known = field(default_factory=Known)
    standing: Standing | None = None
    """Of the deal in play."""
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
            if message.table == known.table:
                heard = replace(heard, standing=message.standing, deals=with_deal(heard.deals, message.deal))
            return heard, ()  # who wants to know asks
        case SealBroken(error=error):
            kept = f" All that was told of it is kept in {error.evidence}." if error.evidence is not None else ""
            return heard.at(replace(known, decision=None)), (f"{error}{kept}", at_hand(Standing.BROKEN))
        case ConnectionLost():
            return heard.at(replace(known, decision=None)), (_lost(message),)
        case ConnectionBack(tables=tables):
            if known.table is None or known.table in tables:
                return heard, ("The connection is back.",)
            gone = f"The connection is back, but table {known.table} has gone on without you."
            return heard.at(spoken.nowhere(known)), (gone,)
        case _:
            known, said = spoken.hear(known, message, now)
            return heard.at(known), said


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
        return spoken.table(known)
    said = at_hand(heard.standing)
    if heard.standing in (None, Standing.UNSEALED, Standing.UNCHECKED):
        return (said,)
    return (said, *in_sentences(heard.deals[-1], known.names, known.viewer)) if heard.deals else (said,)
