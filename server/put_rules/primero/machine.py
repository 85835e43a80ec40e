"""The game machine of Primero: what each state awaits, its legal actions, and the transition for each input. The
transitions are in `play`."""

from itertools import combinations

from msgspec.structs import replace

from put_protocol.cards import in_order, rank_of
from put_protocol.games import primero
from put_protocol.games.primero import Moment, PrimeroView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_rules.facts import Cards, Fact
from put_rules.game import Purpose, RuleSet, Shuffle
from put_rules.primero import words
from put_rules.primero.play import PrimeroCourse, announceable, may_call_vada
from put_rules.primero.rules import CARDS_FIRST, MOST_THROWN_IN, OFFER
from put_rules.primero.state import PACK, PrimeroState, Terms
from put_rules.prose import Wording
from put_rules.sitting import SittingGame

Result = tuple[PrimeroState, tuple[Fact, ...]]

Actions = tuple[primero.PrimeroAction, ...]

_PASS: Actions = (primero.Pass(),)
_STAND: Actions = (primero.Stand(),)
_GO_ON: Actions = (primero.GoOn(),)
_VADA_OR_GO_ON: Actions = (primero.Vada(), primero.GoOn())


class PrimeroGame(SittingGame[PrimeroState, primero.PrimeroAction, Terms]):
    pack = PACK
    first_cards = CARDS_FIRST

    def __init__(self, terms: Terms) -> None:
        view = PrimeroView(hands=terms.hands, limit=terms.limit, gains=(0,) * terms.seats)
        super().__init__(terms, PrimeroState(None, terms.everyone, Seat(0), view))

    def course(self, state: PrimeroState) -> PrimeroCourse:
        return PrimeroCourse(self.terms, state)

    def wanted(self, state: PrimeroState) -> Shuffle | None:
        if state.due is Purpose.STOCK:
            return Shuffle(in_order(state.away.unseal()), Purpose.STOCK, (state.asked[0],) * state.drawing)
        return super().wanted(state)

    def legal(self, state: PrimeroState) -> Actions:
        seat = state.to_move
        if seat is None:
            return ()
        terms, hand = self.terms, state.hands.unseal()[seat]
        match state.view.moment:
            case Moment.OPEN:
                return terms.bets + (() if state.view.running >= MOST_THROWN_IN else _trades(hand))
            case Moment.ANSWER:
                return terms.answers[state.may_raise(seat), state.must_take]
            case Moment.VADA:
                return _VADA_OR_GO_ON if may_call_vada(state, seat) else _GO_ON
            case Moment.ANNOUNCE:
                return tuple(map(primero.Announce, announceable(state, seat)))
            case Moment.BET:
                return terms.bets + _PASS if state.may_raise(seat) else _PASS
            case _:
                return _trades(hand) + _STAND

    def _choice(self, state: PrimeroState, action: primero.PrimeroAction) -> Choice:
        return words.choice(state, action)

    def wording(self, state: PrimeroState) -> Wording:
        return words.wording(state)

    def own_view(self, state: PrimeroState, seat: Seat, public: PrimeroView) -> PrimeroView:
        hands = state.hands.unseal()
        return replace(public, cards=hands[seat], thrown=state.thrown.unseal()[seat]) if hands else public

    def _act(self, state: PrimeroState, seat: Seat, action: primero.PrimeroAction) -> Result:
        course = self.course(state)
        match action:
            case primero.Bet(amount=amount) | primero.Raise(amount=amount):
                course.bet(seat, amount)
            case primero.See():
                course.see(seat)
            case primero.Refuse():
                course.refuse(seat)
            case primero.Pass():
                course.pass_by(seat)
            case primero.Trade(cards=cards):
                course.trade(seat, cards)
            case primero.Stand():
                course.stand(seat)
            case primero.Vada():
                course.call_vada(seat)
            case primero.GoOn():
                course.go_on(seat)
            case primero.Announce(category=category):
                course.announce(seat, category)
        return course.result()

    def _deal(self, state: PrimeroState, purpose: Purpose, pack: Cards, luck: int | None) -> Result:
        course = self.course(state)
        match purpose:
            case Purpose.HAND:
                course.deal(pack)
            case Purpose.STOCK:
                course.renew_stock(pack)
            case Purpose.DRAW:
                course.turn_up(pack, primero.TurnedUp, lambda card: rank_of(card) == "A")
        return course.result()


def _trades(cards: Cards) -> Actions:
    """All choices of one or two of these cards, in the order held."""
    return tuple(map(primero.Trade, (*combinations(cards, 1), *combinations(cards, 2))))


PRIMERO = RuleSet(offer=OFFER, make=lambda seats, options: PrimeroGame(Terms(seats, options)))
