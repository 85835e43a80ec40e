"""The game machine of Primero: what each state awaits, its legal actions, and the transition for each input. The
transitions are in `play`."""

from itertools import combinations

from msgspec.structs import replace

from put_protocol.cards import in_order
from put_protocol.games import primero
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_protocol.text import Phrase
from put_rules import betting
from put_rules.facts import Cards, Fact
from put_rules.game import Game, Purpose, RuleSet, Shuffle
from put_rules.primero import play, words
from put_rules.primero.rules import CARDS_FIRST, MOST_THROWN_IN, OFFER
from put_rules.primero.state import (
    ANNOUNCE,
    ANSWER,
    BET,
    DEAL,
    DRAW,
    OPEN,
    PACK,
    STOCK,
    TRADE,
    VADA,
    Phase,
    PrimeroState,
    Terms,
)

Result = tuple[PrimeroState, tuple[Fact, ...]]

Actions = tuple[primero.PrimeroAction, ...]

_PASS: Actions = (primero.Pass(),)
_STAND: Actions = (primero.Stand(),)
_GO_ON: Actions = (primero.GoOn(),)
_VADA_OR_GO_ON: Actions = (primero.Vada(), primero.GoOn())


class PrimeroGame(Game[PrimeroState, primero.PrimeroAction]):
    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    def begin(self, dealer: Seat | None) -> PrimeroState:
        return PrimeroState(
            phase=DRAW if dealer is None else DEAL,
            members=self.terms.everyone,
            dealer=Seat(0) if dealer is None else dealer,
            paid=(0,) * self.terms.seats,
        )

    def wanted(self, state: PrimeroState) -> Shuffle | None:
        phase = state.phase
        if phase is DEAL:
            return Shuffle(PACK, Purpose.HAND, play.dealt_to(self.terms, state) * CARDS_FIRST)
        if phase is STOCK:
            return Shuffle(in_order(state.away.unseal()), Purpose.STOCK, (state.asked[0],) * state.drawing)
        if phase is DRAW:
            return Shuffle(PACK, Purpose.DRAW, state.members)
        return None

    def legal(self, state: PrimeroState) -> tuple[primero.PrimeroAction, ...]:
        seat = state.to_move
        if seat is None:
            return ()
        terms, phase, hand = self.terms, state.phase, state.hands.unseal()[seat]
        if phase is OPEN:
            return terms.bets + (() if state.running >= MOST_THROWN_IN else _trades(hand))
        if phase is ANSWER:
            return terms.answers[state.betting.may_raise(seat), betting.must_take(state.betting, state.playing)]
        if phase is VADA:
            return _VADA_OR_GO_ON if play.may_call_vada(state, seat) else _GO_ON
        if phase is ANNOUNCE:
            return tuple(map(primero.Announce, play.announceable(state, seat)))
        if phase is BET:
            return terms.bets + _PASS if state.betting.may_raise(seat) else _PASS
        assert phase is TRADE
        return _trades(hand) + _STAND

    def moment(self, state: PrimeroState) -> primero.Moment | None:
        return None if isinstance(state.phase, Phase) else state.phase

    def _choice(self, state: PrimeroState, action: primero.PrimeroAction) -> Choice:
        return words.choice(state, action)

    def asks_phrase(self, state: PrimeroState) -> Phrase:
        return words.question(state)

    def why_phrase(self, state: PrimeroState) -> Phrase:
        return words.why(state)

    def pot(self, state: PrimeroState) -> int:
        return state.pot

    def public_view(self, state: PrimeroState) -> primero.PrimeroView:
        bets = state.betting
        top = bets.top if bets.levels else betting.NO_BET
        return primero.PrimeroView(
            hands=self.terms.hands,
            limit=self.terms.limit,
            gains=state.paid,
            hand=state.hand,
            dealer=state.dealt_by,
            eldest=state.eldest,
            counts=tuple(map(len, state.hands.unseal())),
            playing=state.playing,
            pot=state.pot,
            level=top.amount,
            bettor=top.maker,
            put_in=bets.put_in,
            refused=top.refused,
            barred=bets.barred,
            raises=bets.raises,
            announced=state.announced,
            traded=state.traded,
            stock=len(state.stock.unseal()),
            running=state.running,
            vada=state.vada,
            shown=state.shown,
            to_move=state.to_move,
            moment=self.moment(state),
        )

    def own_view(self, state: PrimeroState, seat: Seat, public: primero.PrimeroView) -> primero.PrimeroView:
        hands = state.hands.unseal()
        return replace(public, cards=hands[seat], thrown=state.thrown.unseal()[seat]) if hands else public

    def _act(self, state: PrimeroState, seat: Seat, action: primero.PrimeroAction) -> Result:
        terms = self.terms
        facts: list[Fact] = []
        match action:
            case primero.Bet(amount=amount) | primero.Raise(amount=amount):
                state = play.bet(terms, state, seat, amount, facts)
            case primero.See():
                state = play.see(terms, state, seat, facts)
            case primero.Refuse():
                state = play.refuse(terms, state, seat, facts)
            case primero.Pass():
                state = play.pass_by(terms, state, seat, facts)
            case primero.Trade(cards=cards):
                trade = play.open_trade if state.phase is OPEN else play.last_trade
                # Not the copies that came with the action: a state lives on, and need not keep them.
                own = tuple([card for card in state.hands.unseal()[seat] if card in cards])
                state = trade(terms, state, seat, own, facts)
            case primero.Stand():
                state = play.stand(terms, state, seat, facts)
            case primero.Vada():
                state = play.call_vada(terms, state, seat, facts)
            case primero.GoOn():
                state = play.go_on(terms, state, seat, facts)
            case primero.Announce(category=category):
                state = play.announce(state, seat, category, facts)
        return self._settled(state, facts)

    def _deal(self, state: PrimeroState, purpose: Purpose, pack: Cards, luck: int | None) -> Result:
        facts: list[Fact] = []
        match purpose:
            case Purpose.HAND:
                state = play.deal(self.terms, state, pack, facts)
            case Purpose.STOCK:
                state = play.renew_stock(self.terms, state, pack, facts)
            case Purpose.DRAW:
                state = play.draw(state, pack, facts)
        return self._settled(state, facts)

    def _expire(self, state: PrimeroState, seat: Seat) -> Result:
        facts: list[Fact] = []
        return self._settled(play.time_out(self.terms, state, seat, facts), facts)

    def _leave(self, state: PrimeroState, seat: Seat) -> Result:
        facts: list[Fact] = []
        return self._settled(play.leave(self.terms, state, seat, facts), facts)

    def _settled(self, state: PrimeroState, facts: list[Fact]) -> Result:
        """Let players who have left pass at once at each of their turns."""
        while state.to_move is not None and state.to_move not in state.members:
            state = play.time_out(self.terms, state, state.to_move, facts)
        return state, tuple(facts)


def _trades(cards: Cards) -> Actions:
    """All choices of one or two of these cards, in the order held."""
    return tuple(map(primero.Trade, (*combinations(cards, 1), *combinations(cards, 2))))


PRIMERO = RuleSet(offer=OFFER, make=lambda seats, options: PrimeroGame(Terms(seats, options)))
