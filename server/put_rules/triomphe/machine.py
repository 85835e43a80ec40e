"""The game machine of Triomphe Forcée: what each state awaits, its legal actions with texts, and the transition for
each input."""

from functools import cache

from msgspec.structs import replace

from put_protocol.cards import FOOL, TAROT_PACK
from put_protocol.games.tricks import TrickView
from put_protocol.games.triomphe import Moment, Play, TriompheView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_protocol.table_events import LeftGame
from put_protocol.text import Phrase
from put_rules.facts import Cards, Fact, Open
from put_rules.game import Game, Purpose, RuleSet, Shuffle
from put_rules.prose import choice_in_words
from put_rules.triomphe import hand
from put_rules.triomphe.hand import Result
from put_rules.triomphe.rules import (
    CARDS_EACH,
    DEAL,
    DRAW,
    OFFER,
    PLAYS,
    Terms,
    TriompheState,
    lowest,
    playable,
    suit_led,
)


@cache
def words_of(action: Play, is_led: bool) -> Choice:
    fool = "-fool" if action.card == FOOL else ""
    return choice_in_words(action, f"triomphe-{'play' if is_led else 'lead'}{fool}", card=action.card)


_PLAY_OF = PLAYS.__getitem__


class TriompheGame(Game[TriompheState, Play]):
    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    def begin(self, dealer: Seat | None) -> TriompheState:
        return TriompheState(
            phase=DRAW if dealer is None else DEAL,
            members=self.terms.everyone,
            dealer=Seat(0) if dealer is None else dealer,
            paid=(0,) * self.terms.seats,
        )

    def wanted(self, state: TriompheState) -> Shuffle | None:
        if state.phase is DEAL:
            return Shuffle(TAROT_PACK, Purpose.HAND, hand.dealing_order(self.terms, state) * CARDS_EACH)
        if state.phase is DRAW:
            return Shuffle(TAROT_PACK, Purpose.DRAW, state.members)
        return None

    def legal(self, state: TriompheState) -> tuple[Play, ...]:
        seat = state.to_move
        if seat is None:
            return ()
        return tuple(map(_PLAY_OF, playable(state.hands.unseal()[seat], state.trick_cards)))

    def moment(self, state: TriompheState) -> Moment | None:
        if state.to_move is None:
            return None
        return Moment.FOLLOW if state.trick_cards else Moment.LEAD

    def _choice(self, state: TriompheState, action: Play) -> Choice:
        return words_of(action, bool(state.trick_cards))

    def asks_phrase(self, state: TriompheState) -> Phrase:
        message = "triomphe-asks-play" if state.trick_cards else "triomphe-asks-lead"
        return Phrase(message, {"number": len(state.past) + 1})

    def why_phrase(self, state: TriompheState) -> Phrase:
        if not state.trick_cards:
            return Phrase("triomphe-why-lead")
        led = suit_led(state.trick_cards)
        return Phrase("triomphe-why-follow", {"suit": led}) if led else Phrase("triomphe-why-fool")

    def _act(self, state: TriompheState, seat: Seat, action: Play) -> Result:
        # Not the copy that came with the action: a state lives on, and need not keep it.
        return hand.play(self.terms, state, seat, PLAYS[action.card].card)

    def _deal(self, state: TriompheState, purpose: Purpose, pack: Cards, luck: int | None) -> Result:
        return hand.deal(self.terms, state, pack) if purpose is Purpose.HAND else hand.draw(state, pack)

    def _expire(self, state: TriompheState, seat: Seat) -> Result:
        card = lowest(playable(state.hands.unseal()[seat], state.trick_cards))
        return hand.play(self.terms, state, seat, card)

    def _leave(self, state: TriompheState, seat: Seat) -> Result:
        facts: list[Fact] = [Open(LeftGame(seat))]
        return hand.leave(self.terms, state, seat, facts)

    def pot(self, state: TriompheState) -> int:
        return state.pool

    def public_view(self, state: TriompheState) -> TriompheView:
        return TriompheView(
            hands=self.terms.hands,
            stake=self.terms.stake,
            force=self.terms.force,
            gains=state.paid,
            hand=state.hand,
            dealer=state.dealt,
            eldest=state.players[0] if state.players else None,
            counts=tuple(map(len, state.hands.unseal())),
            pool=state.pool,
            declared=state.declared,
            tricks=state.tricks,
            trick=TrickView(state.trick_seats, state.trick_cards),
            past=state.past,
            to_move=state.to_move,
            moment=self.moment(state),
        )

    def own_view(self, state: TriompheState, seat: Seat, public: TriompheView) -> TriompheView:
        hands = state.hands.unseal()
        return replace(public, cards=hands[seat]) if hands else public


TRIOMPHE_FORCEE = RuleSet(offer=OFFER, make=lambda seats, options: TriompheGame(Terms(seats, options)))
