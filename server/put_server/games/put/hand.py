"""The play of a hand, from its first question to its score: cards, the challenge and its answers, tricks, and the game
that the hand may decide.

Every transition ends in `go_on`, which finds from the state alone who moves next or what has been decided; so it does
not matter whether a player went out by throwing in, by time, or by leaving.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.put import (
    Cause,
    DidPut,
    Doubled,
    GameEnded,
    GameWon,
    HandEnded,
    HandWon,
    Passed,
    Played,
    Saw,
    ThrewIn,
    TrickEnded,
    Worth,
)
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_server.games.facts import Fact, Hidden, Open
from put_server.games.put.rules import Offer
from put_server.games.put.state import Phase, PutState, Terms

Result = tuple[PutState, tuple[Fact, ...]]

# Asked at every turn, and until Python 3.12 a member asked of its class costs six times what a name does.
_PLAY: Final = Phase.PLAY
_ANSWER: Final = Phase.ANSWER

_ASKED_IN_TURN = frozenset({Phase.ACCIDENT, Phase.GIVE, Phase.DISCARD, Phase.OPENING, Phase.LAST_SAY})

Drawn = Literal["drawn"]
DRAWN: Final[Drawn] = "drawn"


# --- beginning ---


def begin(terms: Terms, state: PutState, facts: list[Fact]) -> Result:
    """The hands are taken up: partners give, or the play opens."""
    if terms.rules.is_partnership:
        return go_on(terms, replace(state, phase=Phase.GIVE, asked=(state.eldest, state.dealer)), facts)
    return open_play(terms, state, facts)


def open_play(terms: Terms, state: PutState, facts: list[Fact]) -> Result:
    """The round of puts before the first trick, where there is one, or the first lead."""
    if terms.has_opening:
        asked = tuple([seat for seat in terms.round_from(state.eldest) if state.playing[seat]])
        return go_on(terms, replace(state, phase=Phase.OPENING, asked=asked), facts)
    if state.playing[state.leader]:
        return replace(state, phase=_PLAY, to_move=state.leader), tuple(facts)
    return go_on(terms, replace(state, phase=_PLAY), facts)


# --- a card ---


def play(terms: Terms, state: PutState, seat: Seat, card: Card) -> Result:
    """Lead a card, or play one to the trick."""
    hands = list(state.hands.unseal())
    hands[seat] = tuple([held for held in hands[seat] if held != card])
    fact = Open(Played(seat, card, leads=not state.trick_seats))
    state = replace(
        state,
        hands=Hidden(tuple(hands)),
        trick_seats=(*state.trick_seats, seat),
        trick_cards=(*state.trick_cards, card),
        has_spoken=False,
    )
    mover = next_to_play(state)
    if mover is not None:
        return replace(state, to_move=mover), (fact,)
    return go_on(terms, state, [fact])


def next_to_play(state: PutState) -> Seat | None:
    """Clockwise from the leader, the first still in who has no card in the trick; None: it is complete."""
    playing, played, seats = state.playing, state.trick_seats, len(state.playing)
    seat = state.leader
    for _ in range(seats):
        if playing[seat] and seat not in played:
            return seat
        seat = Seat((seat + 1) % seats)
    return None


# --- the challenge ---


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
    return go_on(terms, replace(state, asked=state.asked[1:]), [Open(Passed(seat))])


def see(terms: Terms, state: PutState, seat: Seat) -> Result:
    """The put is accepted, or the double taken: what the hand is worth now is for the rules to say."""
    state = replace(state, seers=(*state.seers, seat), answering=state.answering[1:])
    value = 2 * state.value if terms.rules.is_doubling else 0
    return go_on(terms, state, [Open(Saw(seat, value))])


def throw_in(terms: Terms, state: PutState, seat: Seat, cause: Cause) -> Result:
    """By choice, by time or by departure a player is out of the hand, and in a partnership their side with them."""
    hangs = cause is not Cause.CHOICE and is_game_at_stake(terms, state)
    return go_on(terms, out(terms, state, seat), [Open(ThrewIn(seat, cause))], hangs=hangs)


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
    hangs = is_game_at_stake(terms, state)
    if state.to_move is not None and state.playing[seat]:
        state = out(terms, state, seat)
    return go_on(terms, state, facts, hangs=hangs)


# --- what follows ---


def go_on(terms: Terms, state: PutState, facts: list[Fact], *, hangs: bool = False) -> Result:
    """Decide whatever is decided, else find who moves. `hangs`: who just went out was bound to play for the game."""
    still_in = tuple([Seat(seat) for seat, is_in in enumerate(state.playing) if is_in])
    while True:
        phase = state.phase
        if phase is _PLAY:
            if terms.is_one_side(still_in):
                return _last_left(terms, state, facts, still_in[0], hangs=hangs)
            result = decided(state.tricks, state.playing, state.length - len(state.past))
            if result == DRAWN:
                return end_hand(terms, state, facts, None, HandWon.DRAWN)
            if result is not None:
                return end_hand(terms, state, facts, result, HandWon.TRICKS)
            mover = next_to_play(state)
            if mover is not None:
                leader = state.leader if state.trick_seats else mover
                return replace(state, to_move=mover, leader=leader), tuple(facts)
            state = _end_trick(terms, state, facts)
        elif phase is _ANSWER:
            assert state.putter is not None
            if terms.is_one_side(still_in):
                if state.playing[state.putter] and not state.seers:
                    return end_hand(terms, state, facts, state.putter, HandWon.THROWN_IN)
                return end_game(terms, state, facts, still_in[0], _liable(terms, state), GameWon.FORFEIT)
            if state.answering:
                return replace(state, to_move=state.answering[0]), tuple(facts)
            state = _accepted(terms, state)
        elif phase in _ASKED_IN_TURN:
            if terms.is_one_side(still_in):
                return _last_left(terms, state, facts, still_in[0], hangs=hangs)
            if state.asked:
                return replace(state, to_move=state.asked[0]), tuple(facts)
            state = replace(state, phase=_PLAY)
        else:  # a pack comes first, or nothing more
            return state, tuple(facts)


def _accepted(terms: Terms, state: PutState) -> PutState:
    """All have answered and somebody plays on: the putter goes on with their turn, and may not raise again in it."""
    value = 2 * state.value if terms.rules.is_doubling else state.value
    return replace(state, phase=Phase.PLAY, value=value, has_spoken=True)


def _last_left(terms: Terms, state: PutState, facts: list[Fact], seat: Seat, *, hangs: bool) -> Result:
    if hangs:
        return end_game(terms, state, facts, seat, _liable(terms, state), GameWon.FORFEIT)
    return end_hand(terms, state, facts, seat, HandWon.THROWN_IN)


def _end_trick(terms: Terms, state: PutState, facts: list[Fact]) -> PutState:
    winner = taker(state.trick_seats, state.trick_cards, state.playing, terms.deck.strength)
    past = (*state.past, TrickView(state.trick_seats, state.trick_cards, winner))
    leader, tricks = winner, state.tricks
    if leader is None:
        leader = next(seat for seat in terms.round_from(state.leader) if state.playing[seat])
    else:
        tricks = tuple([taken + (seat == winner) for seat, taken in enumerate(tricks)])
    if terms.rules.tied_trick == "first_winner":
        tricks = _with_ties(tricks, past, winner)
    facts.append(Open(TrickEnded(number=len(past), winner=winner, leader=leader, tricks=tricks)))
    state = replace(state, tricks=tricks, leader=leader, trick_seats=(), trick_cards=(), past=past)
    if terms.has_last_say and state.putter is None:
        return replace(state, phase=Phase.LAST_SAY, asked=(state.eldest,))
    return state


def _with_ties(tricks: tuple[int, ...], past: tuple[TrickView, ...], winner: Seat | None) -> tuple[int, ...]:
    """The French habit: tied tricks are the first winner's, those before that player's first trick included."""
    first = first_taker(past)
    if first is None:
        return tricks
    are_earlier_tied = all(trick.winner is None for trick in past[:-1])
    gained = 1 if winner is None else len(past[:-1]) * are_earlier_tied
    return tuple([taken + gained * (seat == first) for seat, taken in enumerate(tricks)])


# --- tricks: suits do not matter, and any card may be played ---


def taker(
    seats: Sequence[Seat], cards: Sequence[Card], playing: Sequence[bool], strength: Mapping[Card, int]
) -> Seat | None:
    """Who takes a complete trick; None when the best rank was played twice. Cards of those out of the hand are dead."""
    best, winner = 0, None
    for seat, card in zip(seats, cards, strict=True):
        if playing[seat]:
            value = strength[card]
            if value > best:
                best, winner = value, seat
            elif value == best:
                winner = None
    return winner


def decided(tricks: Sequence[int], playing: Sequence[bool], left: int) -> Seat | Drawn | None:
    """The winner of a hand as soon as trick counts make it certain, `DRAWN`, or None while it is open.

    `left` tricks are still to come, and each might fall to anyone still in, or tie. Most tricks win; a tie for most
    is a draw, which is certain only at the end.
    """
    ahead, most, second = Seat(0), -1, -1
    for seat, taken in enumerate(tricks):
        if not playing[seat]:
            continue
        if taken > most:
            ahead, most, second = Seat(seat), taken, most
        elif taken > second:
            second = taken
    if most > second + left:
        return ahead
    return DRAWN if left == 0 else None


def first_taker(past: Sequence[TrickView]) -> Seat | None:
    """Who took the first trick that was not tied."""
    return next((trick.winner for trick in past if trick.winner is not None), None)


# --- the end of a hand ---


def end_hand(terms: Terms, state: PutState, facts: list[Fact], winner: Seat | None, how: HandWon) -> Result:
    """Score the hand, and the game if it decides it."""
    worth = _worth(terms, state) if how is HandWon.TRICKS else Worth.VALUE
    points = 0
    scores = state.scores
    if winner is not None and worth is not Worth.GAME:
        missing = terms.rules.target - scores[winner]
        points = missing if worth is Worth.TO_TARGET else min(state.value, missing)
        scores = scores_with(terms, state, winner, points)
    anew = how is HandWon.DRAWN and state.putter is not None and terms.rules.drawn_put == "anew"
    if anew:
        scores = (0,) * terms.seats
    facts.append(Open(HandEnded(how=how, winner=winner, points=points, scores=scores, anew=anew)))
    state = replace(state, scores=scores)
    if winner is not None and worth is not Worth.VALUE:
        won = GameWon.OUTRIGHT if terms.rules.play.plain is Worth.GAME else GameWon.PUT
        return end_game(terms, state, facts, winner, _liable(terms, state), won)
    if winner is not None and scores[winner] >= terms.rules.target:
        return end_game(terms, state, facts, winner, terms.everyone, GameWon.POINTS)
    return _next_deal(terms, state), tuple(facts)


def scores_with(terms: Terms, state: PutState, seat: Seat, points: int) -> tuple[int, ...]:
    """The scores with these points for a seat's side."""
    side = terms.allies(seat)
    return tuple([score + points * (s in side) for s, score in enumerate(state.scores)])


def _worth(terms: Terms, state: PutState) -> Worth:
    return terms.rules.play.plain if state.putter is None else terms.rules.play.accepted


def is_game_at_stake(terms: Terms, state: PutState) -> bool:
    """Whether who does not play now loses more than a hand: they are bound to play, and the hand may win the game."""
    if state.phase is not Phase.PLAY or _worth(terms, state) is Worth.VALUE:
        return False
    return Offer.THROW_IN not in offers(terms, state)


def offers(terms: Terms, state: PutState) -> tuple[Offer, ...]:
    """What the rules let the seat to move do in the play."""
    if is_bound(terms, state):
        return (Offer.PLAY,)
    return terms.reply if state.trick_seats else terms.lead


def is_bound(terms: Terms, state: PutState) -> bool:
    """Whether the seat to move in the play has nothing to say: they have said it, or an accepted put is final."""
    return state.has_spoken or (terms.is_final and state.putter is not None)


def _liable(terms: Terms, state: PutState) -> tuple[Seat, ...]:
    """Who pays a game that a hand decided: where a put was accepted only those who played on, out by now or not."""
    if terms.rules.is_partnership or state.putter is None:
        return terms.everyone
    return (state.putter, *state.seers)


# --- the end of a game ---


def end_game(
    terms: Terms,
    state: PutState,
    facts: list[Fact],
    winner: Seat,
    liable: tuple[Seat, ...],
    how: GameWon,
    *,
    is_last: bool = False,
) -> Result:
    """Every loser who is liable pays a stake, in a rubber for each of its games. `is_last`: no further game comes."""
    winners = terms.allies(winner)
    stake = 2 if how is GameWon.OUTRIGHT and terms.rules.outright == "double" else 1
    paid = [-stake if seat in liable and seat not in winners else 0 for seat in terms.everyone]
    share = -sum(paid) // len(winners)
    for seat in winners:
        paid[seat] = share
    rubber = tuple([games + (seat in winners) for seat, games in enumerate(state.rubber)])
    goes_on = not is_last and bool(rubber) and rubber[winner] < terms.rules.rubber
    ended = GameEnded(how=how, winners=winners, scores=state.scores, paid=tuple(paid), rubber=rubber, goes_on=goes_on)
    facts.append(Open(ended))
    state = replace(state, paid=tuple([sum(both) for both in zip(state.paid, paid, strict=True)]), rubber=rubber)
    if goes_on:
        return replace(_next_deal(terms, state), scores=(0,) * terms.seats, hand=0), tuple(facts)
    # Whoever left, the next game is between all seats again.
    dealer = terms.left_of(state.dealer)[0] if state.hands.unseal() else state.dealer
    return replace(laid_away(state), phase=Phase.OVER, dealer=dealer), tuple(facts)


def _next_deal(terms: Terms, state: PutState) -> PutState:
    """The deal passes left, over those who have left the game, after drawn hands and finished games too."""
    dealer = next(seat for seat in terms.left_of(state.dealer) if seat in state.members)
    return replace(laid_away(state), phase=Phase.DEAL, dealer=dealer)


def laid_away(state: PutState) -> PutState:
    """The hand is done: what was not played goes away unseen."""
    return replace(
        state,
        hands=Hidden(()),
        thrown=Hidden(()),
        gifts=Hidden(()),
        mishap=None,
        to_move=None,
        asked=(),
        answering=(),
        trick_seats=(),
        trick_cards=(),
    )
