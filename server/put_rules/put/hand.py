"""The play of a hand, from its first question to its score: cards, the challenge and its answers, tricks, and the game
that the hand may decide.

Every transition ends in `go_on`, which derives from the state alone the next mover or the result. So it makes no
difference whether a player went out by throwing in, by a time-out, or by leaving.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from operator import add
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
    Moment,
    Passed,
    Played,
    PutAction,
    Saw,
    ThrewIn,
    TrickEnded,
    Worth,
)
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_rules.facts import NO_HANDS, Fact, Hidden, Open
from put_rules.game import Purpose
from put_rules.put.rules import THROW_IN
from put_rules.put.state import ANSWER, DEAL, NO_GIFTS, PLAY, PutState, Terms

Result = tuple[PutState, tuple[Fact, ...]]

# Names of members, as in `state`.
_VALUE: Final = Worth.VALUE
_GAME: Final = Worth.GAME
_TRICKS: Final = HandWon.TRICKS
_THROWN_IN: Final = HandWon.THROWN_IN
_CHOICE: Final = Cause.CHOICE

Drawn = Literal["drawn"]
DRAWN: Final[Drawn] = "drawn"


def begin(terms: Terms, state: PutState, facts: list[Fact]) -> Result:
    """Take up the hands: partners give, or the play opens."""
    if terms.rules.is_partnership:
        return go_on(terms, replace(state, phase=Moment.GIVE, asked=(state.eldest, state.dealer)), facts)
    return open_play(terms, state, facts)


def open_play(terms: Terms, state: PutState, facts: list[Fact]) -> Result:
    """Begin the round of puts before the first trick, if any, or the first lead."""
    if terms.has_opening:
        asked = tuple([seat for seat in terms.round_from[state.eldest] if state.playing[seat]])
        return go_on(terms, replace(state, phase=Moment.OPENING, asked=asked), facts)
    if state.playing[state.leader]:
        return replace(state, phase=PLAY, to_move=state.leader), tuple(facts)
    return go_on(terms, replace(state, phase=PLAY), facts)


def play(terms: Terms, state: PutState, seat: Seat, card: Card) -> Result:
    """Lead a card, or play one to the trick, which may complete it."""
    hands = list(state.hands.unseal())
    hands[seat] = without(hands[seat], card)
    fact = Open(Played(seat, card, not state.trick_seats))
    played = (*state.trick_seats, seat)
    mover = next_to_play(terms, state, played)
    state = replace(
        state,
        hands=Hidden(tuple(hands)),
        trick_seats=played,
        trick_cards=(*state.trick_cards, card),
        is_bound=terms.is_final and state.is_bound,
        to_move=mover,
    )
    return (state, (fact,)) if mover is not None else _end_trick(terms, state, [fact])


def next_to_play(terms: Terms, state: PutState, played: tuple[Seat, ...]) -> Seat | None:
    """The first player clockwise from the leader who is in and has not played to the trick; None: the trick is
    complete."""
    playing = state.playing
    for seat in terms.round_from[state.leader]:
        if playing[seat] and seat not in played:
            return seat
    return None


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def put(terms: Terms, state: PutState, seat: Seat) -> Result:
    """Put. This cannot be taken back (Law 7, Enquire Within 1856). The others answer from the putter's left."""
    return _challenged(terms, state, seat), (Open(DidPut(seat)),)


def double(terms: Terms, state: PutState, seat: Seat) -> Result:
    """Offer to double the hand's value (Parlett 1994)."""
    return _challenged(terms, state, seat), (Open(Doubled(seat, 2 * state.value)),)


def _challenged(terms: Terms, state: PutState, seat: Seat) -> PutState:
    asked = tuple([other for other in terms.left_of[seat] if other != seat and state.playing[other]])
    return replace(state, phase=ANSWER, asked=asked, putter=seat, seers=(), to_move=asked[0])


def say_nothing(terms: Terms, state: PutState, seat: Seat) -> Result:
    """The round before the first trick goes on to the next."""
    return go_on(terms, replace(state, asked=state.asked[1:]), [Open(Passed(seat))])


def see(terms: Terms, state: PutState, seat: Seat) -> Result:
    """Accept the put, or the double. The rules determine the new worth of the hand."""
    state = replace(state, seers=(*state.seers, seat), asked=state.asked[1:])
    value = 2 * state.value if terms.rules.is_doubling else 0
    return go_on(terms, state, [Open(Saw(seat, value))])


def throw_in(terms: Terms, state: PutState, seat: Seat, cause: Cause) -> Result:
    """A player is out of the hand, by choice, time-out or departure; in a partnership, with their side."""
    hangs = cause is not _CHOICE and is_game_at_stake(terms, state)
    return go_on(terms, out(terms, state, seat), [Open(ThrewIn(seat, cause))], hangs=hangs)


def out(terms: Terms, state: PutState, seat: Seat) -> PutState:
    """The state without this player: their tricks no longer count, and their card on the table is dead."""
    gone = terms.allies[seat]
    hands, playing = list(state.hands.unseal()), list(state.playing)
    for ally in gone:
        hands[ally], playing[ally] = (), False
    return replace(
        state,
        hands=Hidden(tuple(hands)),
        playing=tuple(playing),
        asked=tuple([s for s in state.asked if s not in gone]),
    )


def leave_hand(terms: Terms, state: PutState, seat: Seat, facts: list[Fact]) -> Result:
    """A player who left the game leaves the hand in play, at any time."""
    hangs = is_game_at_stake(terms, state)
    if state.to_move is not None and state.playing[seat]:
        state = out(terms, state, seat)
    return go_on(terms, state, facts, hangs=hangs)


def go_on(terms: Terms, state: PutState, facts: list[Fact], *, hangs: bool = False) -> Result:
    """Decide what can be decided, otherwise find the next mover. `hangs`: the player just out had to play for the
    game."""
    if not isinstance(state.phase, Moment):  # a pack comes first, or nothing more
        return state, tuple(facts)
    still_in = tuple(compress(terms.everyone, state.playing))
    if terms.is_one_side(still_in):
        winner = still_in[0]
        if state.phase is ANSWER:
            assert state.putter is not None
            hangs = bool(state.seers) or not state.playing[state.putter]
            winner = winner if hangs else state.putter
        if hangs:
            return end_game(terms, state, facts, winner, payers(terms, state), GameWon.FORFEIT)
        return end_hand(terms, state, facts, winner, _THROWN_IN)
    if state.phase is not PLAY:
        if state.asked:
            return replace(state, to_move=state.asked[0]), tuple(facts)
        state = _accepted(terms, state) if state.phase is ANSWER else replace(state, phase=PLAY)
    result = decided(state.tricks, state.playing, state.length - len(state.past))
    if result is not None:
        return _end_decided(terms, state, facts, result)
    mover = next_to_play(terms, state, state.trick_seats)
    if mover is None:
        return _end_trick(terms, state, facts)
    leader = state.leader if state.trick_seats else mover
    return replace(state, to_move=mover, leader=leader), tuple(facts)


def _accepted(terms: Terms, state: PutState) -> PutState:
    """All have answered and at least one plays on: the putter continues their turn, and may not raise again in it."""
    value = 2 * state.value if terms.rules.is_doubling else state.value
    return replace(state, phase=PLAY, value=value, is_bound=True)


def _end_trick(terms: Terms, state: PutState, facts: list[Fact]) -> Result:
    """End a complete trick. Its taker leads the next, unless it decides the hand, or eldest has the last say."""
    winner = taker(state.trick_seats, state.trick_cards, state.playing, terms.deck.strength)
    past = (*state.past, TrickView(state.trick_seats, state.trick_cards, winner))
    tricks = state.tricks
    if winner is not None:
        tricks = (*tricks[:winner], tricks[winner] + 1, *tricks[winner + 1 :])
    leader = next_to_play(terms, state, ()) if winner is None else winner
    assert leader is not None
    if terms.rules.tied_trick == "first_winner":
        tricks = _with_ties(tricks, past, winner)
    facts.append(Open(TrickEnded(number=len(past), winner=winner, leader=leader, tricks=tricks)))
    state = replace(state, tricks=tricks, leader=leader, to_move=leader, trick_seats=(), trick_cards=(), past=past)
    if terms.has_last_say and state.putter is None:
        asked = state.eldest
        return replace(state, phase=Moment.LAST_SAY, asked=(asked,), to_move=asked), tuple(facts)
    result = decided(tricks, state.playing, state.length - len(past))
    if result is not None:
        return _end_decided(terms, state, facts, result)
    return state, tuple(facts)


def _end_decided(terms: Terms, state: PutState, facts: list[Fact], result: Seat | Drawn) -> Result:
    if result == DRAWN:
        return end_hand(terms, state, facts, None, HandWon.DRAWN)
    return end_hand(terms, state, facts, result, _TRICKS)


def _with_ties(tricks: tuple[int, ...], past: tuple[TrickView, ...], winner: Seat | None) -> tuple[int, ...]:
    """The French custom: tied tricks go to the winner of the first untied one, including earlier ties."""
    first = first_taker(past)
    if first is None:
        return tricks
    are_earlier_tied = all(trick.winner is None for trick in past[:-1])
    gained = 1 if winner is None else len(past[:-1]) * are_earlier_tied
    return tuple([taken + gained * (seat == first) for seat, taken in enumerate(tricks)])


def taker(
    seats: Sequence[Seat], cards: Sequence[Card], playing: Sequence[bool], strength: Mapping[Card, int]
) -> Seat | None:
    """The player who takes a complete trick, not counting cards of players who are out; None: tied."""
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

    `left` tricks remain, and each may go to any player who is in, or tie. The player with most tricks wins; a tie for
    most is a draw, which is certain only at the end.
    """
    counts = sorted([-1, *compress(tricks, playing)])
    most, second = counts[-1], counts[-2]
    if most > second + left:
        return next(Seat(seat) for seat, taken in enumerate(tricks) if taken == most and playing[seat])
    return DRAWN if left == 0 else None


def first_taker(past: Sequence[TrickView]) -> Seat | None:
    """The player who took the first untied trick."""
    return next((trick.winner for trick in past if trick.winner is not None), None)


def end_hand(terms: Terms, state: PutState, facts: list[Fact], winner: Seat | None, how: HandWon) -> Result:
    """Score the hand, and the game if the hand decides it."""
    worth = _worth(terms, state) if how is _TRICKS else _VALUE
    points = 0
    scores = state.scores
    if winner is not None and worth is not _GAME:
        missing = terms.rules.target - scores[winner]
        points = min(state.value, missing) if worth is _VALUE else missing
        scores = scores_with(terms, state, winner, points)
    anew = winner is None and state.putter is not None and terms.rules.drawn_put == "anew"
    if anew:
        scores = (0,) * terms.seats
    facts.append(Open(HandEnded(how=how, winner=winner, points=points, scores=scores, anew=anew)))
    if winner is not None and worth is not _VALUE:
        won = GameWon.OUTRIGHT if terms.rules.play.plain is _GAME else GameWon.PUT
        return end_game(terms, replace(state, scores=scores), facts, winner, payers(terms, state), won)
    if winner is not None and scores[winner] >= terms.rules.target:
        return end_game(terms, replace(state, scores=scores), facts, winner, terms.everyone, GameWon.POINTS)
    return _next_deal(terms, state, scores), tuple(facts)


def scores_with(terms: Terms, state: PutState, seat: Seat, points: int) -> tuple[int, ...]:
    scores = list(state.scores)
    for ally in terms.allies[seat]:
        scores[ally] += points
    return tuple(scores)


def _worth(terms: Terms, state: PutState) -> Worth:
    return terms.rules.play.plain if state.putter is None else terms.rules.play.accepted


def is_game_at_stake(terms: Terms, state: PutState) -> bool:
    """True if a player who does not play now loses more than a hand: they must play, and the hand may win the game."""
    if state.phase is not PLAY or _worth(terms, state) is _VALUE:
        return False
    return THROW_IN not in said(terms, state)


def said(terms: Terms, state: PutState) -> tuple[PutAction, ...]:
    """Words that the seat to move may say, besides playing a card."""
    if state.is_bound:
        return ()
    return terms.reply if state.trick_seats else terms.lead


def is_put_accepted(state: PutState) -> bool:
    """True if the hand continues after an accepted put, so that it decides the game."""
    return (state.phase is PLAY and state.putter is not None) or (state.phase is ANSWER and bool(state.seers))


def payers(terms: Terms, state: PutState) -> tuple[Seat, ...]:
    """Players who pay for a decided game: after an accepted put only those who played on, even if they are out now."""
    if terms.rules.is_partnership or state.putter is None:
        return terms.everyone
    return (state.putter, *state.seers)


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
    """Every liable loser pays a stake; in a rubber one for each of its games. `is_last`: no further game follows."""
    winners = terms.allies[winner]
    stake = 2 if how is GameWon.OUTRIGHT and terms.rules.outright == "double" else 1
    paid = [-stake if seat in liable and seat not in winners else 0 for seat in terms.everyone]
    share = -sum(paid) // len(winners)
    for seat in winners:
        paid[seat] = share
    rubber = tuple([games + (seat in winners) for seat, games in enumerate(state.rubber)])
    goes_on = not is_last and bool(rubber) and rubber[winner] < terms.rules.rubber
    ended = GameEnded(how=how, winners=winners, scores=state.scores, paid=tuple(paid), rubber=rubber, goes_on=goes_on)
    facts.append(Open(ended))
    state = replace(state, paid=tuple(map(add, state.paid, paid)), rubber=rubber)
    if goes_on:
        return replace(_next_deal(terms, state, (0,) * terms.seats), hand=0), tuple(facts)
    # The next game is between all seats again, those that left included.
    dealer = terms.left_of[state.dealer][0] if state.hands.unseal() else state.dealer
    return laid_away(state, None, dealer, state.scores), tuple(facts)


def _next_deal(terms: Terms, state: PutState, scores: tuple[int, ...]) -> PutState:
    """The deal passes to the left, past players who have left, also after drawn hands and finished games."""
    return laid_away(state, DEAL, terms.dealing(state.dealer, state.members).players[0], scores)


def laid_away(state: PutState, phase: Purpose | None, dealer: Seat, scores: tuple[int, ...]) -> PutState:
    """End the hand with this next phase; unplayed cards are removed unseen."""
    return replace(
        state,
        phase=phase,
        dealer=dealer,
        scores=scores,
        hands=NO_HANDS,
        thrown=NO_HANDS,
        gifts=NO_GIFTS,
        mishap=None,
        to_move=None,
        asked=(),
        trick_seats=(),
        trick_cards=(),
    )
