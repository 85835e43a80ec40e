"""The challenge: "I put" or a double, and the answers to it. Here a put is made, and here it is accepted."""

from msgspec.structs import replace

from put_protocol.games.put import (
    Cause,
    DidPut,
    Doubled,
    Passed,
    Saw,
    ThrewIn,
)
from put_protocol.seats import Seat
from put_server.games.facts import Fact, Open
from put_server.games.hidden import Hidden
from put_server.games.put import hand
from put_server.games.put.hand import Result
from put_server.games.put.state import Phase, PutState
from put_server.games.put.terms import Terms


def put(terms: Terms, state: PutState, seat: Seat) -> Result:
    """It cannot be taken back (Law 7, Enquire Within 1856); the others answer from the putter's left."""
    return _challenged(terms, state, seat), (Open(DidPut(seat)),)


def double(terms: Terms, state: PutState, seat: Seat) -> Result:
    """The hand is to be worth twice as much (Parlett 1994)."""
    return _challenged(terms, state, seat), (Open(Doubled(seat, 2 * state.value)),)


def _challenged(terms: Terms, state: PutState, seat: Seat) -> PutState:
    answering = tuple([other for other in terms.left_of(seat) if other != seat and state.playing[other]])
    return replace(
        state, phase=Phase.ANSWER, asked=(), putter=seat, seers=(), answering=answering, to_move=answering[0]
    )


def say_nothing(terms: Terms, state: PutState, seat: Seat) -> Result:
    """The round before the first trick goes on to the next."""
    return hand.go_on(terms, replace(state, asked=state.asked[1:]), [Open(Passed(seat))])


def see(terms: Terms, state: PutState, seat: Seat) -> Result:
    """The put is accepted, or the double taken: what the hand is worth now is for the rules to say."""
    state = replace(state, seers=(*state.seers, seat), answering=state.answering[1:])
    value = 2 * state.value if terms.rules.is_doubling else 0
    return hand.go_on(terms, state, [Open(Saw(seat, value))])


def throw_in(terms: Terms, state: PutState, seat: Seat, cause: Cause) -> Result:
    """By choice, by time or by departure a player is out of the hand, and in a partnership their side with them."""
    hangs = cause is not Cause.CHOICE and hand.is_game_at_stake(terms, state)
    return hand.go_on(terms, out(terms, state, seat), [Open(ThrewIn(seat, cause))], hangs=hangs)


def out(terms: Terms, state: PutState, seat: Seat) -> PutState:
    """Without this player: their tricks no longer count, and a card of theirs on the table is dead."""
    gone = terms.allies(seat)
    return replace(
        state,
        hands=Hidden(tuple([() if s in gone else cards for s, cards in enumerate(state.hands.unseal())])),
        playing=tuple([is_in and s not in gone for s, is_in in enumerate(state.playing)]),
        asked=tuple([s for s in state.asked if s not in gone]),
        answering=tuple([s for s in state.answering if s not in gone]),
    )


def leave_hand(terms: Terms, state: PutState, seat: Seat, facts: list[Fact]) -> Result:
    """A player who has left the game leaves the hand in play, on anybody's turn."""
    hangs = hand.is_game_at_stake(terms, state)
    if state.to_move is not None and state.playing[seat]:
        state = out(terms, state, seat)
    return hand.go_on(terms, state, facts, hangs=hangs)
