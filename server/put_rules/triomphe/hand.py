"""A hand from the deal to the payment: stakes, La Mort, declarations, five tricks, and the pool.

All payments between purses and pool are public: `paid` and `pool` of a state sum to 0 after every transition, and its
facts include every amount.
"""

from msgspec.structs import replace

from put_protocol.cards import LA_MORT, Card, is_trump
from put_protocol.games.tricks import TrickView
from put_protocol.games.triomphe import Dealt, Declared, HandEnded, HandWon, LaMortShown, Played, TrickEnded, TurnedUp
from put_protocol.seats import Seat, added
from put_protocol.table_events import GameOver
from put_rules.facts import NO_HANDS, Fact, HandsDealt, Hidden, Open, dealt_by_one
from put_rules.triomphe.rules import CARDS_EACH, DEAL, PLAY, Phase, Terms, TriompheState, lowest, playable, taker

Result = tuple[TriompheState, tuple[Fact, ...]]


def draw(state: TriompheState, pack: tuple[Card, ...]) -> Result:
    """Turn up cards one at a time. The first trump finds the dealer; the Fool is no trump."""
    number = next(number for number, card in enumerate(pack, 1) if is_trump(card))
    rounds = -(-number // len(state.members))
    seats = (state.members * rounds)[:number]
    fact = Open(TurnedUp(seats, pack[:number], seats[-1]))
    return replace(state, phase=DEAL, dealer=seats[-1]), (fact,)


def dealing_order(terms: Terms, state: TriompheState) -> tuple[Seat, ...]:
    """Players who get a card in each round of a deal, from the dealer's right."""
    return tuple([seat for seat in terms.right_of[state.dealer] if seat in state.members])


def deal(terms: Terms, state: TriompheState, pack: tuple[Card, ...]) -> Result:
    """Everyone stakes and gets five cards. Then follow La Mort, or the declarations, or the first lead."""
    players = dealing_order(terms, state)
    hands = dealt_by_one(pack, players, CARDS_EACH, terms.seats)
    stakes = tuple([terms.stake if seat in players else 0 for seat in terms.everyone])
    hidden = Hidden(hands)
    nothing = (0,) * terms.seats
    state = replace(
        state,
        phase=PLAY,
        paid=tuple([gained - staked for gained, staked in zip(state.paid, stakes, strict=True)]),
        dealt=state.dealer,
        hand=state.hand + 1,
        players=players,
        hands=hidden,
        pool=sum(stakes),
        declared=((),) * terms.seats,
        tricks=nothing,
        past=(),
    )
    dealt = Dealt(
        hand=state.hand,
        dealer=state.dealer,
        eldest=players[0],
        stakes=stakes,
        counts=tuple(map(len, hands)),
    )
    return _declare(terms, state, [HandsDealt(dealt, hidden)])


def _declare(terms: Terms, state: TriompheState, facts: list[Fact]) -> Result:
    hands = state.hands.unseal()
    for seat in state.players:
        if LA_MORT in hands[seat]:
            facts.append(Open(LaMortShown(seat, LA_MORT)))
            return _end_hand(terms, _shown(state, seat, (LA_MORT,)), facts, HandWon.LA_MORT, seat)
    for seat in state.players:
        if not terms.dues.keys().isdisjoint(hands[seat]):
            cards = tuple([card for card in terms.dues if card in hands[seat]])
            paid = min(state.pool, sum([terms.dues[card] for card in cards]))
            facts.append(Open(Declared(seat, cards, paid)))
            state = _pay(_shown(state, seat, cards), seat, paid)
            if not state.pool:
                return _end_hand(terms, state, facts, HandWon.EMPTIED, None)
    return replace(state, to_move=state.players[0]), tuple(facts)


def _shown(state: TriompheState, seat: Seat, cards: tuple[Card, ...]) -> TriompheState:
    return replace(state, declared=(*state.declared[:seat], cards, *state.declared[seat + 1 :]))


def play(terms: Terms, state: TriompheState, seat: Seat, card: Card) -> Result:
    """Lead a card, or play one to the trick. Absent players next in turn play their lowest card at once."""
    facts: list[Fact] = []
    state = _play(terms, state, seat, card, facts)
    if len(state.members) < len(state.players):
        state = _play_for_absent(terms, state, facts)
    return state, tuple(facts)


def _play(terms: Terms, state: TriompheState, seat: Seat, card: Card, facts: list[Fact]) -> TriompheState:
    hands = list(state.hands.unseal())
    place = hands[seat].index(card)
    hands[seat] = hands[seat][:place] + hands[seat][place + 1 :]
    seats, cards, players = (*state.trick_seats, seat), (*state.trick_cards, card), state.players
    facts.append(Open(Played(seat, card, not state.trick_seats)))
    after = Hidden(tuple(hands))
    if len(seats) < len(players):
        mover = players[(players.index(seat) + 1) % len(players)]
        return replace(state, hands=after, trick_seats=seats, trick_cards=cards, to_move=mover)
    winner = taker(seats, cards)
    tricks = added(state.tricks, winner, 1)
    past = (*state.past, TrickView(seats, cards, winner))
    facts.append(Open(TrickEnded(number=len(past), winner=winner, tricks=tricks)))
    state = replace(state, hands=after, tricks=tricks, trick_seats=(), trick_cards=(), past=past, to_move=winner)
    if len(past) < CARDS_EACH:
        return state
    how, winner = won(past)
    state, _ = _end_hand(terms, state, facts, how, winner)
    return state


def won(past: tuple[TrickView, ...]) -> tuple[HandWon, Seat]:
    """The winner of a hand of five tricks, and the reason.

    Three tricks win, and so do two if no other player has two. If two players have two tricks, the first with a second
    trick wins. If five players have one each, the first trick wins.
    """
    takers = [trick.winner for trick in past]
    counts = {seat: takers.count(seat) for seat in takers if seat is not None}
    most = max(counts.values())
    ahead = [seat for seat, count in counts.items() if count == most]
    if len(ahead) == 1:
        return HandWon.MOST, ahead[0]
    if most == 1:
        return HandWon.FIRST_TRICK, ahead[0]
    second = {seat: [place for place, taken in enumerate(takers) if taken == seat][1] for seat in ahead}
    return HandWon.SECOND_FIRST, min(ahead, key=second.__getitem__)


def _play_for_absent(terms: Terms, state: TriompheState, facts: list[Fact]) -> TriompheState:
    while state.to_move is not None and state.to_move not in state.members:
        card = lowest(playable(state.hands.unseal()[state.to_move], state.trick_cards))
        state = _play(terms, state, state.to_move, card, facts)
    return state


def _pay(state: TriompheState, seat: Seat, amount: int) -> TriompheState:
    return replace(state, paid=added(state.paid, seat, amount), pool=state.pool - amount)


def _end_hand(terms: Terms, state: TriompheState, facts: list[Fact], how: HandWon, winner: Seat | None) -> Result:
    """Pay out the pool; then the next hand is dealt, or the sitting is over."""
    facts.append(Open(HandEnded(how=how, winner=winner, paid=state.pool)))
    if winner is not None:
        state = _pay(state, winner, state.pool)
    is_last = how is HandWon.ALONE or state.hand == terms.hands
    # The next sitting is between all seats again, those that left included.
    dealer = (terms.right_of[state.dealer] if is_last else dealing_order(terms, state))[0]
    state = replace(
        state,
        phase=DEAL,
        dealer=dealer,
        hands=NO_HANDS,
        trick_seats=(),
        trick_cards=(),
        to_move=None,
    )
    return end_sitting(state, facts) if is_last else (state, tuple(facts))


def end_sitting(state: TriompheState, facts: list[Fact]) -> Result:
    """End the sitting: the purses count, and no winner is named."""
    facts.append(Open(GameOver(gains=state.paid)))
    return replace(state, phase=Phase.OVER), tuple(facts)


def leave(terms: Terms, state: TriompheState, seat: Seat, facts: list[Fact]) -> Result:
    """A player leaves: their cards are played for them, in turn. The last player left takes the pool."""
    members = tuple([member for member in state.members if member != seat])
    state = replace(state, members=members)
    if len(members) == 1:
        if state.phase is PLAY:
            return _end_hand(terms, state, facts, HandWon.ALONE, members[0])
        return end_sitting(state, facts)
    if state.phase is DEAL and state.dealer == seat:
        state = replace(state, dealer=dealing_order(terms, state)[0])
    return _play_for_absent(terms, state, facts), tuple(facts)
