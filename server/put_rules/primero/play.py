"""The course of a sitting: every transition, from the draw for the deal to the showdown.

Each question to a player has a function for its answer; `time_out` answers for a silent player. Money is in the pot
from the moment of the bet; `paid` and `pot` change together, in `_pay`.
"""

from msgspec.structs import replace

from put_protocol.cards import rank_of
from put_protocol.games import primero
from put_protocol.games.primero import Category, HandWon, Moment
from put_protocol.seats import Seat, added
from put_protocol.table_events import GameOver, LeftGame
from put_rules import betting
from put_rules.betting import Betting
from put_rules.facts import NO_CARDS, NO_HANDS, Cards, Fact, HandsDealt, Hidden, Open, Private, dealt_by_one
from put_rules.primero.rules import CARDS_FIRST, MOST_THROWN_IN, ORDER, worth_of
from put_rules.primero.state import ANNOUNCE, ANSWER, BET, DEAL, OPEN, STOCK, TRADE, VADA, Phase, PrimeroState, Terms

Facts = list[Fact]
"""Facts of the current input; transitions append to it."""

REPEATED = (Category.PRIMERO, Category.SUPREMUS, Category.FLUXUS)
"""Categories that a Chorus may announce if another player has announced them."""

MAY_CALL = (Category.PRIMERO, Category.FLUXUS)
"""Categories of hands that may call vada."""


def draw(state: PrimeroState, pack: Cards, facts: Facts) -> PrimeroState:
    """Cards are turned up one at a time from the first seat, until an ace finds the dealer."""
    members = state.members
    count = 1 + next(place for place, card in enumerate(pack) if rank_of(card) == "A")
    seats = tuple([members[place % len(members)] for place in range(count)])
    dealer = seats[-1]
    facts.append(Open(primero.TurnedUp(seats, pack[:count], dealer)))
    return replace(state, phase=DEAL, dealer=dealer)


def dealt_to(terms: Terms, state: PrimeroState) -> tuple[Seat, ...]:
    """Players who get cards, one at a time from the dealer's right."""
    return tuple([seat for seat in terms.right_of[state.dealer] if seat in state.members])


def deal(terms: Terms, state: PrimeroState, pack: Cards, facts: Facts) -> PrimeroState:
    """Deal two cards each. Everyone pays 1, unless the same hand is dealt again: then the money is in the pot."""
    to = dealt_to(terms, state)
    dealt = dealt_by_one(pack, to, CARDS_FIRST, terms.seats)
    stock = pack[CARDS_FIRST * len(to) :]
    is_again = state.running > 0
    antes = () if is_again else tuple([int(seat in to) for seat in terms.everyone])
    own = Hidden(dealt)
    state = replace(
        state,
        phase=OPEN,
        paid=tuple([paid - ante for paid, ante in zip(state.paid, antes, strict=True)]) if antes else state.paid,
        pot=state.pot + sum(antes),
        hand=state.hand + (not is_again),
        dealt_by=state.dealer,
        eldest=to[0],
        hands=own,
        stock=Hidden(stock),
        away=NO_CARDS,
        thrown=terms.none_thrown,
        playing=tuple([seat in to for seat in terms.everyone]),
        asked=to,
        to_move=to[0],
        betting=betting.no_betting(terms.seats),
        is_first_round=True,
        announced=(None,) * terms.seats,
        traded=(0,) * terms.seats,
        vada=None,
        shown=(),
    )
    event = primero.Dealt(
        hand=state.hand,
        dealer=state.dealer,
        eldest=to[0],
        counts=tuple(map(len, dealt)),
        stock=len(stock),
        antes=antes,
    )
    facts.append(HandsDealt(event, own))
    return state


def _deal_more(terms: Terms, state: PrimeroState, facts: Facts) -> PrimeroState:
    """Deal two more cards to each player who is in, from the same pack; then ask each about vada."""
    players = players_in_turn(terms, state)
    to = players * CARDS_FIRST
    stock = state.stock.unseal()
    cards, rest = stock[: len(to)], stock[len(to) :]
    held, own = list(state.hands.unseal()), {}
    for place, seat in enumerate(players):
        own[seat] = cards[place :: len(players)]
        held[seat] += own[seat]
    facts.append(Private(primero.MoreDealt(to, len(rest)), Hidden(own)))
    return replace(
        state,
        phase=VADA,
        hands=Hidden(tuple(held)),
        stock=Hidden(rest),
        asked=players,
        to_move=players[0],
    )


def players_in_turn(terms: Terms, state: PrimeroState) -> tuple[Seat, ...]:
    """Players who are in, from the dealer's right."""
    assert state.dealt_by is not None
    return tuple([seat for seat in terms.right_of[state.dealt_by] if state.playing[seat]])


def open_trade(terms: Terms, state: PrimeroState, seat: Seat, cards: Cards, facts: Facts) -> PrimeroState:
    """Before the first bet: trade one or two cards. The stock cannot run out here."""
    return _next_to_open(terms, trade(state, seat, cards, facts), facts)


def bet(terms: Terms, state: PrimeroState, seat: Seat, amount: int, facts: Facts) -> PrimeroState:
    """Bet; or raise, which takes the bet below, so that players who refused it are out."""
    refused = state.betting.top.refused if state.betting.levels else ()
    after = betting.bid(state.betting, seat, amount)
    seen = after.top.amount
    paid = seen - state.betting.put_in[seat]
    facts.append(Open(primero.Bid(seat, amount, paid, seen)))
    state = _pay(state, after, seat, paid)
    return _ask_next(terms, _go_out(state, refused, facts), seat, facts)


def out_of_deal(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """A player who had to bet or trade did neither, and is out of this deal. The last player left takes the pot."""
    state = _go_out(state, (seat,), facts)
    if sum(state.playing) == 1:
        return _end_hand(terms, state, Seat(state.playing.index(True)), HandWon.ALONE, facts)
    return _next_to_open(terms, state, facts)


def _next_to_open(terms: Terms, state: PrimeroState, facts: Facts) -> PrimeroState:
    asked = state.asked[1:]
    if asked:
        return replace(state, asked=asked, to_move=asked[0])
    running = state.running + 1
    facts.append(Open(primero.ThrownIn(running, ends_trading=running >= MOST_THROWN_IN)))
    # The same dealer deals again, or the next player if the dealer has gone.
    dealer = state.dealer if state.dealer in state.members else dealt_to(terms, state)[0]
    return replace(_laid_away(state), phase=DEAL, dealer=dealer, running=running)


def see(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """Take the bet: players who refused it are out."""
    refused = state.betting.top.refused
    due = state.betting.due(seat)
    facts.append(Open(primero.Saw(seat, due)))
    state = _pay(state, betting.take(state.betting, seat), seat, due)
    return _ask_next(terms, _go_out(state, refused, facts), seat, facts)


def refuse(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """Refuse the bet. The player is out at once if another has already taken it."""
    facts.append(Open(primero.Refused(seat)))
    if state.betting.top.took:
        state = _go_out(state, (seat,), facts)
    else:
        state = replace(state, betting=betting.refuse(state.betting, seat))
    return _ask_next(terms, state, seat, facts)


def pass_by(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """No bet, in the second round."""
    facts.append(Open(primero.Passed(seat)))
    return _ask_next(terms, replace(state, betting=betting.take(state.betting, seat)), seat, facts)


def _ask_next(terms: Terms, state: PrimeroState, after: Seat, facts: Facts) -> PrimeroState:
    """Ask the next player about the bet. A bet that all refused is withdrawn, and the one below is answered. The round
    ends when no player must answer."""
    while True:
        seat = betting.next_to_answer(state.betting, state.playing, terms.right_of[after])
        if seat is not None:
            return _asked(state, seat)
        top = state.betting.top
        if top.maker is None or top.took:
            return _end_betting(terms, state, facts)
        lower, maker, amount = betting.withdraw(state.betting)
        state = _pay(state, lower, maker, -amount)
        facts.append(Open(primero.Withdrawn(maker, amount, lower.top.amount, lower.top.maker)))
        after = maker


def _asked(state: PrimeroState, seat: Seat) -> PrimeroState:
    """Begin a player's turn in a round of betting. On their first turn in the second round they announce first."""
    if not state.is_first_round and state.announced[seat] is None:
        return replace(state, phase=ANNOUNCE, asked=(), to_move=seat)
    return replace(state, phase=BET if state.betting.top.maker is None else ANSWER, asked=(), to_move=seat)


def _end_betting(terms: Terms, state: PrimeroState, facts: Facts) -> PrimeroState:
    facts.append(Open(primero.BettingOver()))
    state = replace(state, betting=betting.no_betting(terms.seats))
    if state.is_first_round:
        return _deal_more(terms, state, facts)
    players = players_in_turn(terms, state)
    return replace(state, phase=TRADE, asked=players, to_move=players[0])


def may_call_vada(state: PrimeroState, seat: Seat) -> bool:
    return worth_of(state.hands.unseal()[seat]).category in MAY_CALL


def call_vada(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """Call vada: all players who are in show their hands at once."""
    facts.append(Open(primero.CalledVada(seat)))
    return _show(terms, replace(state, vada=seat), facts)


def go_on(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """Go on without a showdown: ask the next player. After the last one the second betting begins."""
    facts.append(Open(primero.WentOn(seat)))
    asked = state.asked[1:]
    if asked:
        return replace(state, asked=asked, to_move=asked[0])
    state = replace(state, is_first_round=False, betting=betting.second_round(terms.seats))
    return _asked(state, players_in_turn(terms, state)[0])


def announceable(state: PrimeroState, seat: Seat) -> tuple[Category, ...]:
    """Categories that this player may announce, the lowest first: none below the hand, except that a Chorus may repeat
    an announced Primero, Supremus or Fluxus."""
    own = worth_of(state.hands.unseal()[seat]).category
    least = ORDER[own]
    repeated = [said for said in state.announced if said in REPEATED] if own is Category.CHORUS else []
    return tuple([category for category, place in ORDER.items() if place >= least or category in repeated])


def announce(state: PrimeroState, seat: Seat, category: Category, facts: Facts) -> PrimeroState:
    """Announce a category. The same player continues: bet or pass, or answer the bet."""
    facts.append(Open(primero.Announced(seat, category)))
    announced = (*state.announced[:seat], category, *state.announced[seat + 1 :])
    return _asked(replace(state, announced=announced), seat)


def last_trade(terms: Terms, state: PrimeroState, seat: Seat, cards: Cards, facts: Facts) -> PrimeroState:
    """Before the showdown: trade one or two cards, as far as the stock has cards until it is renewed."""
    state = trade(state, seat, cards, facts)
    return state if state.drawing else _next_to_trade(terms, state, facts)


def stand(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    facts.append(Open(primero.Stood(seat)))
    return _next_to_trade(terms, state, facts)


def trade(state: PrimeroState, seat: Seat, cards: Cards, facts: Facts) -> PrimeroState:
    """Lay cards down, and draw the same number. If the stock runs out, a new one is awaited."""
    held, thrown = list(state.hands.unseal()), list(state.thrown.unseal())
    held[seat] = tuple([card for card in held[seat] if card not in cards])
    thrown[seat] += cards
    facts.append(Private(primero.Traded(seat, len(cards)), Hidden({seat: cards})))
    state = replace(
        state,
        hands=Hidden(tuple(held)),
        thrown=Hidden(tuple(thrown)),
        traded=added(state.traded, seat, len(cards)),
        laying=Hidden(cards),
        drawing=len(cards),
    )
    return _draw_cards(state, seat, facts)


def renew_stock(terms: Terms, state: PrimeroState, pack: Cards, facts: Facts) -> PrimeroState:
    """Make the shuffled discards the stock; the player who was drawing continues."""
    facts.append(Open(primero.StockRenewed(len(pack))))
    state = replace(state, phase=TRADE, stock=Hidden(pack), away=NO_CARDS)
    return _next_to_trade(terms, _draw_cards(state, state.asked[0], facts), facts)


def _draw_cards(state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    stock = state.stock.unseal()
    drawn, rest = stock[: state.drawing], stock[state.drawing :]
    if drawn:
        held = list(state.hands.unseal())
        held[seat] += drawn
        facts.append(Private(primero.Drew(seat, len(drawn), len(rest)), Hidden({seat: drawn})))
        state = replace(state, hands=Hidden(tuple(held)), stock=Hidden(rest), drawing=state.drawing - len(drawn))
    if state.drawing:
        return replace(state, phase=STOCK, to_move=None)
    # Only now do they join the cards of which a new stock is made: no player draws back what they laid down.
    return replace(state, away=Hidden(state.away.unseal() + state.laying.unseal()), laying=NO_CARDS)


def _next_to_trade(terms: Terms, state: PrimeroState, facts: Facts) -> PrimeroState:
    asked = state.asked[1:]
    if asked:
        return replace(state, asked=asked, to_move=asked[0])
    return _show(terms, state, facts)


def _show(terms: Terms, state: PrimeroState, facts: Facts) -> PrimeroState:
    """All players who are in show. The best hand takes the pot; among equal ones, that of the first from the dealer's
    right."""
    held = state.hands.unseal()
    best: tuple[int, int] | None = None
    winner = Seat(0)
    shown: list[primero.ShownHand] = []
    for seat in players_in_turn(terms, state):
        worth = worth_of(held[seat])
        shown.append(primero.ShownHand(seat, held[seat], worth.category, worth.points))
        if best is None or worth.strength > best:
            best, winner = worth.strength, seat
    facts.append(Open(primero.Showdown(tuple(shown))))
    return _end_hand(terms, replace(state, shown=tuple(shown)), winner, HandWon.SHOWDOWN, facts)


def _end_hand(terms: Terms, state: PrimeroState, winner: Seat, how: HandWon, facts: Facts) -> PrimeroState:
    """The winner takes the pot, and the deal passes to the right; after the last hand the sitting is over."""
    pot = state.pot
    facts.append(Open(primero.HandEnded(how, winner, pot)))
    state = _pay(replace(_laid_away(state), running=0), betting.no_betting(terms.seats), winner, -pot)
    right = terms.right_of[state.dealer]
    if state.hand == terms.hands or len(state.members) == 1:
        # The next sitting is between all seats again, those that left included.
        return _end_sitting(replace(state, dealer=right[0]), facts)
    return replace(state, phase=DEAL, dealer=next(seat for seat in right if seat in state.members))


def _end_sitting(state: PrimeroState, facts: Facts) -> PrimeroState:
    facts.append(Open(GameOver(state.paid)))
    return replace(state, phase=Phase.OVER)


def time_out(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """Play the turn of a silent player."""
    match state.phase:
        case Moment.OPEN:
            return out_of_deal(terms, state, seat, facts)
        case Moment.ANSWER:
            if betting.must_take(state.betting, state.playing):
                return see(terms, state, seat, facts)
            return refuse(terms, state, seat, facts)
        case Moment.VADA:
            return go_on(terms, state, seat, facts)
        case Moment.ANNOUNCE:
            own = worth_of(state.hands.unseal()[seat]).category
            return time_out(terms, announce(state, seat, own, facts), seat, facts)
        case Moment.BET:
            return pass_by(terms, state, seat, facts)
        case Moment.TRADE:
            return stand(terms, state, seat, facts)
        case _:
            raise AssertionError(f"no player is asked anything in {state.phase}")


def leave(terms: Terms, state: PrimeroState, seat: Seat, facts: Facts) -> PrimeroState:
    """A player gives up the sitting. Their hand stays in play without decisions. The last player left takes the pot,
    and the sitting ends."""
    facts.append(Open(LeftGame(seat)))
    members = tuple([member for member in state.members if member != seat])
    is_due = state.phase in (Phase.DRAW, Phase.DEAL)
    if len(members) > 1:
        if is_due and state.dealer == seat:
            state = replace(state, dealer=next(other for other in terms.right_of[seat] if other in members))
        return replace(state, members=members)
    state = replace(state, members=members)
    if not state.pot:
        return _end_sitting(state, facts)
    due = state.dealer
    state = _end_hand(terms, state, members[0], HandWon.ALONE, facts)
    # A hand that was due and not dealt is due in the next sitting.
    return replace(state, dealer=due) if is_due else state


def _pay(state: PrimeroState, after: Betting, seat: Seat, amount: int) -> PrimeroState:
    """Move an amount from a purse to the pot; below 0, from the pot to the purse. `after`: the betting afterwards."""
    return replace(state, betting=after, paid=added(state.paid, seat, -amount), pot=state.pot + amount)


def _go_out(state: PrimeroState, seats: tuple[Seat, ...], facts: Facts) -> PrimeroState:
    """Put players out; their cards are removed unseen."""
    if not seats:
        return state
    facts.append(Open(primero.WentOut(seats)))
    held, playing, away = list(state.hands.unseal()), list(state.playing), state.away.unseal()
    for seat in seats:
        away += held[seat]
        held[seat] = ()
        playing[seat] = False
    return replace(state, hands=Hidden(tuple(held)), playing=tuple(playing), away=Hidden(tuple(away)))


def _laid_away(state: PrimeroState) -> PrimeroState:
    """Remove the cards. Announcements and shown cards stay until the next deal."""
    return replace(
        state,
        hands=NO_HANDS,
        stock=NO_CARDS,
        away=NO_CARDS,
        laying=NO_CARDS,
        drawing=0,
        thrown=NO_HANDS,
        asked=(),
        to_move=None,
    )
