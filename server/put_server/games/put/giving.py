"""Four-handed Put before the play: one of each side gives the partner their best card (Enquire Within 1856)."""

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.put import (
    LetGive,
)
from put_protocol.seats import Seat
from put_server.games.facts import Fact, Open
from put_server.games.hidden import Hidden
from put_server.games.put import hand
from put_server.games.put.facts import CardDiscarded, CardGiven
from put_server.games.put.hand import Result
from put_server.games.put.state import Phase, PutState
from put_server.games.put.terms import Terms


def give(terms: Terms, state: PutState, giver: Seat, facts: list[Fact]) -> Result:
    """The best card, the first dealt of equals, goes to the partner, the others away."""
    partner = next(seat for seat in terms.allies(giver) if seat != giver)
    hands = list(state.hands.unseal())
    thrown = list(state.thrown.unseal())
    gift = max(hands[giver], key=terms.deck.strength.__getitem__)
    thrown[giver] = tuple([card for card in hands[giver] if card != gift])
    hands[giver], hands[partner] = (), (*hands[partner], gift)
    facts.append(CardGiven(giver, partner, Hidden(gift)))
    first = partner if giver == state.eldest else state.eldest
    state = replace(
        state,
        eldest=first,
        leader=first,
        hands=Hidden(tuple(hands)),
        thrown=Hidden(tuple(thrown)),
        gifts=Hidden(tuple([gift if seat == giver else known for seat, known in enumerate(state.gifts.unseal())])),
        givers=(*state.givers, giver),
        playing=tuple([is_in and seat != giver for seat, is_in in enumerate(state.playing)]),
        asked=state.asked[1:],
    )
    if not state.asked:
        other = next(seat for seat in terms.round_from(first) if seat != first and state.playing[seat])
        state = replace(state, phase=Phase.DISCARD, asked=(first, other))
    return hand.go_on(terms, state, facts)


def let_give(terms: Terms, state: PutState, seat: Seat) -> Result:
    """The partner is bound to give."""
    partner = next(ally for ally in terms.allies(seat) if ally != seat)
    return give(terms, state, partner, [Open(LetGive(seat))])


def discard(terms: Terms, state: PutState, seat: Seat, card: Card) -> Result:
    """One of four goes away."""
    hands = list(state.hands.unseal())
    thrown = list(state.thrown.unseal())
    hands[seat] = tuple([held for held in hands[seat] if held != card])
    thrown[seat] = (card,)
    state = replace(state, hands=Hidden(tuple(hands)), thrown=Hidden(tuple(thrown)), asked=state.asked[1:])
    facts: list[Fact] = [CardDiscarded(seat, Hidden(card))]
    if not state.asked:
        return hand.open_play(terms, state, facts)
    return hand.go_on(terms, state, facts)
