"""The course of a sitting: every transition, from the draw for the deal to the showdown.

Each question to a player has a method for its answer; `time_out` answers for a silent player.
"""

from put_protocol.games import primero
from put_protocol.games.primero import Category, HandWon, Moment
from put_protocol.seats import Seat
from put_rules import betting
from put_rules.facts import NO_CARDS, NO_HANDS, Cards, HandsDealt, Hidden, Private, dealt_by_one
from put_rules.game import Purpose
from put_rules.primero.rules import CARDS_FIRST, MOST_THROWN_IN, ORDER, worth_of
from put_rules.primero.state import PrimeroState, Terms
from put_rules.sitting import SittingCourse

REPEATED = (Category.PRIMERO, Category.SUPREMUS, Category.FLUXUS)
"""Categories that a Chorus may announce if another player has announced them."""

MAY_CALL = (Category.PRIMERO, Category.FLUXUS)
"""Categories of hands that may call vada."""

_GONE = {"stock": NO_CARDS, "away": NO_CARDS, "laying": NO_CARDS, "drawing": 0, "thrown": NO_HANDS, "asked": ()}
"""The cards of a state between hands."""


def may_call_vada(state: PrimeroState, seat: Seat) -> bool:
    return worth_of(state.hands.unseal()[seat]).category in MAY_CALL


def announceable(state: PrimeroState, seat: Seat) -> tuple[Category, ...]:
    """Categories that this player may announce, the lowest first: none below the hand, except that a Chorus may repeat
    an announced Primero, Supremus or Fluxus."""
    own = worth_of(state.hands.unseal()[seat]).category
    least = ORDER[own]
    repeated = [said for said in state.view.announced if said in REPEATED] if own is Category.CHORUS else []
    return tuple([category for category, place in ORDER.items() if place >= least or category in repeated])


class PrimeroCourse(SittingCourse[PrimeroState, Terms]):
    def deal(self, pack: Cards) -> None:
        """Deal two cards each. Everyone pays 1, unless the same hand is dealt again: then the money is in the pot."""
        terms, view, dealer = self.terms, self.state.view, self.state.dealer
        to = self.in_turn(dealer)
        hands = dealt_by_one(pack, to, CARDS_FIRST, terms.seats)
        stock = pack[CARDS_FIRST * len(to) :]
        is_again = view.running > 0
        dealt = primero.Dealt(
            hand=view.hand + (not is_again),
            dealer=dealer,
            eldest=to[0],
            counts=tuple(map(len, hands)),
            stock=len(stock),
            antes=() if is_again else tuple([int(seat in to) for seat in terms.everyone]),
        )
        own = Hidden(hands)
        self.show(
            HandsDealt(dealt, own),
            hands=own,
            stock=Hidden(stock),
            away=NO_CARDS,
            thrown=terms.none_thrown,
            levels=(),
            is_first_round=True,
        )
        self._ask_all(to, Moment.OPEN)

    def _players(self) -> tuple[Seat, ...]:
        """Players who are in, from the dealer's right."""
        dealer = self.state.view.dealer
        assert dealer is not None
        return tuple([seat for seat in self.terms.right_of[dealer] if self.state.view.playing[seat]])

    def _ask_all(self, asked: tuple[Seat, ...], moment: Moment) -> None:
        self.ask(asked[0], moment, asked=asked)

    def _deal_more(self) -> None:
        """Deal two more cards to each player who is in, from the same pack; then ask each about vada."""
        players = self._players()
        to = players * CARDS_FIRST
        stock = self.state.stock.unseal()
        cards, rest = stock[: len(to)], stock[len(to) :]
        held, own = list(self.state.hands.unseal()), {}
        for place, seat in enumerate(players):
            own[seat] = cards[place :: len(players)]
            held[seat] += own[seat]
        dealt = Private(primero.MoreDealt(to, len(rest)), Hidden(own))
        self.show(dealt, hands=Hidden(tuple(held)), stock=Hidden(rest))
        self._ask_all(players, Moment.VADA)

    def bet(self, seat: Seat, amount: int) -> None:
        """Bet; or raise, which takes the bet below, so that players who refused it are out."""
        view, levels = self.state.view, betting.bid(self.state.levels, seat, amount)
        seen = levels[-1].amount
        self.tell(primero.Bid(seat, amount, seen - view.put_in[seat], seen), levels=levels)
        self._go_out(view.refused)
        self._ask_about_bet(seat)

    def see(self, seat: Seat) -> None:
        """Take the bet: players who refused it are out."""
        refused = self.state.view.refused
        self.tell(primero.Saw(seat, self.state.due_of(seat)), levels=betting.take(self.state.levels, seat))
        self._go_out(refused)
        self._ask_about_bet(seat)

    def refuse(self, seat: Seat) -> None:
        """Refuse the bet. The player is out at once if another has already taken it."""
        is_taken = self.state.levels[-1].took
        self.tell(primero.Refused(seat))
        if is_taken:
            self._go_out((seat,))
        else:
            self.set(levels=betting.refuse(self.state.levels, seat))
        self._ask_about_bet(seat)

    def pass_by(self, seat: Seat) -> None:
        """No bet, in the second round."""
        self.tell(primero.Passed(seat), levels=betting.take(self.state.levels, seat))
        self._ask_about_bet(seat)

    def _ask_about_bet(self, after: Seat) -> None:
        """Ask the next player about the bet. A bet that all refused is withdrawn, and the one below is answered. The
        round ends when no player must answer."""
        while True:
            levels, view = self.state.levels, self.state.view
            seat = betting.next_to_answer(levels, view.playing, self.terms.right_of[after])
            if seat is not None:
                self._ask_to_bet(seat)
                return
            *below, top = levels
            if top.maker is None or top.took:
                self._end_betting()
                return
            lower, after = below[-1], top.maker
            withdrawn = primero.Withdrawn(after, top.amount - lower.amount, lower.amount, lower.maker)
            self.tell(withdrawn, levels=tuple(below))

    def _ask_to_bet(self, seat: Seat) -> None:
        """Begin a player's turn in a round of betting. On their first turn in the second round they announce first."""
        state = self.state
        if not state.is_first_round and state.view.announced[seat] is None:
            moment = Moment.ANNOUNCE
        else:
            moment = Moment.BET if state.levels[-1].maker is None else Moment.ANSWER
        self.ask(seat, moment, asked=())

    def _end_betting(self) -> None:
        self.tell(primero.BettingOver(), levels=())
        if self.state.is_first_round:
            self._deal_more()
        else:
            self._ask_all(self._players(), Moment.TRADE)

    def call_vada(self, seat: Seat) -> None:
        """Call vada: all players who are in show their hands at once."""
        self.tell(primero.CalledVada(seat))
        self._show_hands()

    def go_on(self, seat: Seat) -> None:
        """Go on without a showdown: ask the next player. After the last one the second betting begins."""
        self.tell(primero.WentOn(seat))
        asked = self.state.asked[1:]
        if asked:
            self._ask_all(asked, Moment.VADA)
        else:
            self.set(is_first_round=False, levels=betting.SECOND_ROUND)
            self._ask_to_bet(self._players()[0])

    def announce(self, seat: Seat, category: Category) -> None:
        """Announce a category. The same player continues: bet or pass, or answer the bet."""
        self.tell(primero.Announced(seat, category))
        self._ask_to_bet(seat)

    def trade(self, seat: Seat, cards: Cards) -> None:
        """Lay one or two cards down, and draw the same number, as far as the stock has cards until it is renewed."""
        held, thrown = list(self.state.hands.unseal()), list(self.state.thrown.unseal())
        # Not the copies that came with the action: a state lives on, and need not keep them.
        cards = tuple([card for card in held[seat] if card in cards])
        held[seat] = tuple([card for card in held[seat] if card not in cards])
        thrown[seat] += cards
        self.show(
            Private(primero.Traded(seat, len(cards)), Hidden({seat: cards})),
            hands=Hidden(tuple(held)),
            thrown=Hidden(tuple(thrown)),
            laying=Hidden(cards),
            drawing=len(cards),
        )
        self._draw_cards(seat)

    def renew_stock(self, pack: Cards) -> None:
        """Make the shuffled discards the stock; the player who was drawing continues."""
        self.tell(primero.StockRenewed(len(pack)), due=None, stock=Hidden(pack), away=NO_CARDS)
        self._draw_cards(self.state.asked[0])

    def _draw_cards(self, seat: Seat) -> None:
        state, stock = self.state, self.state.stock.unseal()
        drawn, rest = stock[: state.drawing], stock[state.drawing :]
        if drawn:
            held = list(state.hands.unseal())
            held[seat] += drawn
            drew = Private(primero.Drew(seat, len(drawn), len(rest)), Hidden({seat: drawn}))
            left = state.drawing - len(drawn)
            self.show(drew, hands=Hidden(tuple(held)), stock=Hidden(rest), drawing=left)
        if self.state.drawing:
            self.wait(Purpose.STOCK)
            return
        # Only now do they join the cards of which a new stock is made: no player draws back what they laid down.
        self.set(away=Hidden(state.away.unseal() + state.laying.unseal()), laying=NO_CARDS)
        self._ask_next_to_trade()

    def stand(self, seat: Seat) -> None:
        self.tell(primero.Stood(seat))
        self._ask_next_to_trade()

    def _ask_next_to_trade(self) -> None:
        """Ask the next player: before the first bet to bet or trade, otherwise to trade. After the last one the cards
        are thrown in, or shown."""
        asked = self.state.asked[1:]
        if asked:
            self._ask_all(asked, Moment.OPEN if self.state.is_first_round else Moment.TRADE)
        elif self.state.is_first_round:
            running = self.state.view.running + 1
            self.tell(primero.ThrownIn(running, ends_trading=running >= MOST_THROWN_IN), hands=NO_HANDS, **_GONE)
            # The same dealer deals again, or the next player if the dealer has gone.
            dealer = self.state.dealer
            self.wait(Purpose.HAND, dealer=dealer if dealer in self.state.members else self.in_turn(dealer)[0])
        else:
            self._show_hands()

    def _show_hands(self) -> None:
        """All players who are in show. The best hand takes the pot; among equal ones, that of the first from the
        dealer's right."""
        held = self.state.hands.unseal()
        worths = {seat: worth_of(held[seat]) for seat in self._players()}
        shown = [primero.ShownHand(seat, held[seat], *worth) for seat, worth in worths.items()]
        self.tell(primero.Showdown(tuple(shown)))
        self._pay_out(max(worths, key=lambda seat: worths[seat].strength), HandWon.SHOWDOWN)

    def _pay_out(self, winner: Seat, how: HandWon) -> None:
        self.end_hand(primero.HandEnded(how, winner, self.state.pot), levels=(), **_GONE)

    def win_alone(self, seat: Seat) -> None:
        self._pay_out(seat, HandWon.ALONE)

    def time_out(self, seat: Seat) -> None:
        match self.state.view.moment:
            case Moment.OPEN:
                self._go_out((seat,))
                if sum(self.state.view.playing) == 1:
                    self.win_alone(Seat(self.state.view.playing.index(True)))
                else:
                    self._ask_next_to_trade()
            case Moment.ANSWER if self.state.must_take:
                self.see(seat)
            case Moment.ANSWER:
                self.refuse(seat)
            case Moment.VADA:
                self.go_on(seat)
            case Moment.ANNOUNCE:
                self.announce(seat, worth_of(self.state.hands.unseal()[seat]).category)
                self.time_out(seat)
            case Moment.BET:
                self.pass_by(seat)
            case Moment.TRADE:
                self.stand(seat)
            case None:
                raise AssertionError("no player is asked anything")

    def _go_out(self, seats: tuple[Seat, ...]) -> None:
        """Put players out; their cards are removed unseen."""
        if seats:
            held, away = list(self.state.hands.unseal()), self.state.away.unseal()
            for seat in seats:
                away += held[seat]
                held[seat] = ()
            self.tell(primero.WentOut(seats), hands=Hidden(tuple(held)), away=Hidden(away))
