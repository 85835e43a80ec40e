"""The game machine of Triomphe Forcée: stakes, La Mort, declarations, five tricks and the pool, with the texts of
decisions.

All payments between purses and pool are public: every event that moves money states the amount.
"""

from functools import cache

from msgspec.structs import replace

from put_protocol.cards import FOOL, LA_MORT, TAROT_PACK, Card, is_trump
from put_protocol.games.triomphe import (
    Dealt,
    Declared,
    HandEnded,
    HandWon,
    LaMortShown,
    Moment,
    Play,
    Played,
    TrickEnded,
    TriompheView,
    TurnedUp,
)
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat, added
from put_protocol.text import Phrase
from put_rules.facts import Cards, Fact, HandsDealt, Hidden, dealt_by_one
from put_rules.game import Purpose, RuleSet
from put_rules.prose import Wording, choice_in_words, wording_of
from put_rules.sitting import SittingCourse, SittingGame, SittingState
from put_rules.triomphe.rules import CARDS_EACH, OFFER, PLAYS, Terms, lowest, playable, suit_led, taker

State = SittingState[TriompheView]
Result = tuple[State, tuple[Fact, ...]]


@cache
def words_of(action: Play, is_led: bool) -> Choice:
    fool = "-fool" if action.card == FOOL else ""
    return choice_in_words(action, f"triomphe-{'play' if is_led else 'lead'}{fool}", card=action.card)


class TriompheCourse(SittingCourse[State, Terms]):
    def deal(self, pack: Cards) -> None:
        """Everyone stakes and gets five cards. Then follow La Mort, or the declarations, or the first lead."""
        terms, dealer = self.terms, self.state.dealer
        players = self.in_turn(dealer)
        hands = dealt_by_one(pack, players, CARDS_EACH, terms.seats)
        dealt = Dealt(
            hand=self.state.view.hand + 1,
            dealer=dealer,
            eldest=players[0],
            stakes=tuple([terms.stake if seat in players else 0 for seat in terms.everyone]),
            counts=tuple(map(len, hands)),
        )
        hidden = Hidden(hands)
        self.show(HandsDealt(dealt, hidden), hands=hidden)
        self._declare(players, hands)

    def _declare(self, players: tuple[Seat, ...], hands: tuple[Cards, ...]) -> None:
        for seat in players:
            if LA_MORT in hands[seat]:
                self.tell(LaMortShown(seat, LA_MORT))
                self._pay_out(HandWon.LA_MORT, seat)
                return
        for seat in players:
            cards = tuple([card for card in self.terms.dues if card in hands[seat]])
            if cards:
                due = sum([self.terms.dues[card] for card in cards])
                self.tell(Declared(seat, cards, min(self.state.pot, due)))
                if not self.state.pot:
                    self._pay_out(HandWon.EMPTIED, None)
                    return
        self.ask(players[0], Moment.LEAD)

    def play(self, seat: Seat, card: Card) -> None:
        """Lead a card, or play one to the trick."""
        hands = list(self.state.hands.unseal())
        hands[seat] = tuple([held for held in hands[seat] if held != card])
        self.tell(Played(seat, card, not self.state.view.trick.seats), hands=Hidden(tuple(hands)))
        for other in self.terms.right_of[seat]:
            if len(hands[other]) > len(hands[seat]):
                self.ask(other, Moment.FOLLOW)
                return
        view = self.state.view
        winner = taker(view.trick.seats, view.trick.cards)
        self.tell(TrickEnded(number=len(view.past) + 1, winner=winner, tricks=added(view.tricks, winner, 1)))
        if len(self.state.view.past) < CARDS_EACH:
            self.ask(winner, Moment.LEAD)
        else:
            self._pay_out(*won([trick.winner for trick in self.state.view.past]))

    def time_out(self, seat: Seat) -> None:
        """Play the lowest card."""
        self.play(seat, lowest(playable(self.state.hands.unseal()[seat], self.state.view.trick.cards)))

    def win_alone(self, seat: Seat) -> None:
        self._pay_out(HandWon.ALONE, seat)

    def _pay_out(self, how: HandWon, winner: Seat | None) -> None:
        self.end_hand(HandEnded(how=how, winner=winner, paid=self.state.pot))


def won(takers: list[Seat | None]) -> tuple[HandWon, Seat]:
    """The winner of a hand by the takers of its five tricks, and the reason.

    Three tricks win, and so do two if no other player has two. If two players have two tricks, the first with a second
    trick wins. If five players have one each, the first trick wins.
    """
    counts = {seat: takers.count(seat) for seat in takers if seat is not None}
    most = max(counts.values())
    ahead = [seat for seat, count in counts.items() if count == most]
    if len(ahead) == 1:
        return HandWon.MOST, ahead[0]
    if most == 1:
        return HandWon.FIRST_TRICK, ahead[0]
    second = {seat: [place for place, taken in enumerate(takers) if taken == seat][1] for seat in ahead}
    return HandWon.SECOND_FIRST, min(ahead, key=second.__getitem__)


class TriompheGame(SittingGame[State, Play, Terms]):
    pack = TAROT_PACK
    first_cards = CARDS_EACH

    def __init__(self, terms: Terms) -> None:
        view = TriompheView(hands=terms.hands, stake=terms.stake, force=terms.force, gains=(0,) * terms.seats)
        super().__init__(terms, SittingState(None, terms.everyone, Seat(0), view))

    def course(self, state: State) -> TriompheCourse:
        return TriompheCourse(self.terms, state)

    def legal(self, state: State) -> tuple[Play, ...]:
        seat = state.to_move
        if seat is None:
            return ()
        return tuple(map(PLAYS.__getitem__, playable(state.hands.unseal()[seat], state.view.trick.cards)))

    def _choice(self, state: State, action: Play) -> Choice:
        return words_of(action, bool(state.view.trick.cards))

    def wording(self, state: State) -> Wording:
        number = len(state.view.past) + 1
        if not state.view.trick.cards:
            return wording_of(Phrase("triomphe-asks-lead", {"number": number}), Phrase("triomphe-why-lead"))
        led = suit_led(state.view.trick.cards)
        why = Phrase("triomphe-why-follow", {"suit": led}) if led else Phrase("triomphe-why-fool")
        return wording_of(Phrase("triomphe-asks-play", {"number": number}), why)

    def _act(self, state: State, seat: Seat, action: Play) -> Result:
        course = self.course(state)
        # Not the copy that came with the action: a state lives on, and need not keep it.
        course.play(seat, PLAYS[action.card].card)
        return course.result()

    def _deal(self, state: State, purpose: Purpose, pack: Cards, luck: int | None) -> Result:
        course = self.course(state)
        if purpose is Purpose.HAND:
            course.deal(pack)
        else:
            course.turn_up(pack, TurnedUp, is_trump)
        return course.result()

    def own_view(self, state: State, seat: Seat, public: TriompheView) -> TriompheView:
        hands = state.hands.unseal()
        return replace(public, cards=hands[seat]) if hands else public


TRIOMPHE_FORCEE = RuleSet(offer=OFFER, make=lambda seats, options: TriompheGame(Terms(seats, options)))
