"""The game machine of Put and its relatives: what each state awaits, its legal actions, and the transition for each
input. The transitions are in `dealing` and `hand`."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec.structs import replace

from put_protocol.cards import Card, place_card
from put_protocol.games import put
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_rules.facts import Cards, Fact, Hidden, Open
from put_rules.game import Game, IllegalAction, NotAwaited, Purpose, RuleSet, Shuffle
from put_rules.prose import Wording
from put_rules.put import dealing, hand, words
from put_rules.put.dealing import ANOTHERS_CARD, OWN_CARD
from put_rules.put.hand import Result
from put_rules.put.rules import DOUBLE, THROW_IN, PutRules
from put_rules.put.state import ACCIDENT, DEAL, DISCARD, DRAW, PLAY, Mishap, PutState, Terms

_REPLY: Final = put.Moment.REPLY
_CHOICE: Final = put.Cause.CHOICE
_NO_TRICK: Final = TrickView()


class PutGame(Game[PutState, put.PutAction]):
    def __init__(self, rules: PutRules, seats: int) -> None:
        self.rules = rules
        self.terms = Terms(rules, seats)
        self._play_of = self.terms.deck.choices.__getitem__
        self._discard_of = self.terms.deck.discards.__getitem__
        self._said: Mapping[put.Moment, tuple[put.PutAction, ...]] = {
            **rules.play.may,
            ACCIDENT: (put.Redeal(), put.Abide()),
            put.Moment.GIVE: (put.Give(), put.Let()),
            put.Moment.ANSWER: (put.See(), THROW_IN),
        }
        """Legal words in phases without cards to play or throw away."""
        self._doubles = DOUBLE in self.terms.lead
        self._pack_to_deal = cache(self._to_deal)
        self._wordings: dict[tuple[object, ...], Wording] = {}
        """Cached texts of decisions, which are few."""

    def begin(self, dealer: Seat | None) -> PutState:
        members = self.terms.everyone
        nothing = (0,) * self.terms.seats
        return PutState(
            phase=DRAW if dealer is None else DEAL,
            members=members,
            drawing=members if dealer is None else (),
            dealer=Seat(0) if dealer is None else dealer,
            scores=nothing,
            paid=nothing,
            rubber=nothing if self.rules.is_rubber else (),
        )

    def wanted(self, state: PutState) -> Shuffle | None:
        if state.phase is DEAL:
            return self._pack_to_deal(state.dealer, state.members, state.is_fresh)
        if state.phase is DRAW:
            return Shuffle(self.terms.deck.cards, Purpose.DRAW, state.drawing)
        return None

    def _to_deal(self, dealer: Seat, members: tuple[Seat, ...], is_fresh: bool) -> Shuffle:
        deal = self.terms.dealing(dealer, members)
        to = deal.players * deal.cards_each
        if not self.rules.misdeals or is_fresh:
            return Shuffle(self.terms.deck.cards, Purpose.HAND, to, most=len(to))
        return Shuffle(self.terms.deck.cards, Purpose.HAND, to, self.rules.misdeals, deal.adversaries, len(to) + 1)

    def legal(self, state: PutState) -> tuple[put.PutAction, ...]:
        seat = state.to_move
        if seat is None:
            return ()
        phase = state.phase
        if phase is PLAY:
            plays: tuple[put.PutAction, ...] = tuple(map(self._play_of, state.hands.unseal()[seat]))
            if state.is_bound:
                return plays
            said = self.terms.reply if state.trick_seats else self.terms.lead
            return plays + (self._doubling(state, said) if self._doubles else said)
        if phase is DISCARD:
            return tuple(map(self._discard_of, state.hands.unseal()[seat]))
        assert isinstance(phase, put.Moment)
        return self._said[phase]

    def _doubling(self, state: PutState, said: tuple[put.PutAction, ...]) -> tuple[put.PutAction, ...]:
        """The legal words, including a double if allowed."""
        if self.rules.is_worth_doubling(state.value, state.scores):
            return said
        return tuple([action for action in said if not isinstance(action, put.Double)])

    def moment(self, state: PutState) -> put.Moment | None:
        return None if state.to_move is None else moment_of(state)

    def choices(
        self, state: PutState, legal: tuple[put.PutAction, ...] | None = None, *, in_phrases: bool = True
    ) -> tuple[Choice, ...]:
        legal = self.legal(state) if legal is None else legal
        return words.choices(self.terms, state, legal, in_phrases=in_phrases)

    def _choice(self, state: PutState, action: put.PutAction) -> Choice:
        return words.choices(self.terms, state, (action,), in_phrases=True)[0]

    def wording(self, state: PutState) -> Wording:
        if self._doubles:  # it depends on the scores
            return words.wording(self.terms, state, moment_of(state))
        seers, answering = len(state.seers) > 0, len(state.asked) > 1
        about = (state.phase, len(state.trick_seats) > 0, len(state.past), state.is_bound, seers, answering)
        known = self._wordings.get(about)
        if known is None:
            known = self._wordings[about] = words.wording(self.terms, state, moment_of(state))
        return known

    def public_view(self, state: PutState) -> put.PutView:
        hands, rules, trick = state.hands.unseal(), self.rules, _NO_TRICK
        if state.trick_seats:
            trick = TrickView(state.trick_seats, state.trick_cards)
        return put.PutView(  # positional: keywords cost ten times as much
            rules.target,
            state.scores,
            state.hand,
            state.dealer if hands else None,
            state.eldest if hands else None,
            (),  # cards
            tuple(map(len, hands)),  # counts
            state.playing,
            state.tricks,
            trick,
            state.past,
            None if state.mishap is None else _accident(state.mishap),
            None,  # gave
            (),  # thrown
            state.givers,
            state.to_move,
            None if state.to_move is None else moment_of(state),
            state.putter,
            state.seers,  # seen_by
            state.value,
            rules.play.plain,
            rules.play.accepted,
            state.rubber,
            self.terms.ranks,
            self.terms.sides,
        )

    def own_view(self, state: PutState, seat: Seat, public: put.PutView) -> put.PutView:
        hands = state.hands.unseal()
        if not hands:
            return public
        # Until an accident is settled no player looks at their hand.
        cards = () if state.phase is ACCIDENT else hands[seat]
        if not state.givers:  # no card was given or thrown away
            return replace(public, cards=cards)
        return replace(public, cards=cards, thrown=state.thrown.unseal()[seat], gave=state.gifts.unseal()[seat])

    def _act(self, state: PutState, seat: Seat, action: put.PutAction) -> Result:
        match action:
            case put.Play(card=card):
                # Not the copy that came with the action: a state lives on, and need not keep it.
                known = self.terms.deck.plays.get(card)
                if known is None:  # it is to be named first
                    raise IllegalAction(action)
                return hand.play(self.terms, state, seat, known.card)
            case put.See():
                return hand.see(self.terms, state, seat)
            case put.ThrowIn():
                return hand.throw_in(self.terms, state, seat, _CHOICE)
            case put.Put():
                return hand.put(self.terms, state, seat)
            case put.Double():
                return hand.double(self.terms, state, seat)
            case put.Discard(card=card):
                return dealing.discard(self.terms, state, seat, self.terms.deck.discards[card].card)
            case put.Give():
                return dealing.give(self.terms, state, seat, [])
            case put.Let():
                return dealing.let_give(self.terms, state, seat)
            case put.Pass():
                return hand.say_nothing(self.terms, state, seat)
            case put.Redeal():
                return dealing.deal_afresh(self.terms, state, [], seat)
            case put.Abide():
                return dealing.abide(self.terms, state, [])

    def needs_hands(self) -> bool:
        return self.rules.is_partnership  # a partner gives their best card

    def why_plain(self) -> str:
        return "accidents" if self.rules.misdeals else ""

    def name(self, state: PutState, place: int, card: Card) -> PutState:
        token, hands = place_card(place), state.hands.unseal()
        lying = [*hands, state.trick_cards, *[trick.cards for trick in state.past]]
        if not any(token in held for held in hands) or card not in self.terms.deck.plays:
            raise NotAwaited("no hand has the card of this place")
        if any(card in cards for cards in lying):
            raise NotAwaited("the card lies elsewhere")
        named = tuple([tuple([card if one == token else one for one in held]) for held in hands])
        return replace(state, hands=Hidden(named))

    def _deal(self, state: PutState, purpose: Purpose, pack: Cards, luck: int | None) -> Result:
        if purpose is Purpose.HAND:
            return dealing.deal(self.terms, state, pack, luck)
        return dealing.draw(self.terms, state, pack)

    def _expire(self, state: PutState, seat: Seat) -> Result:
        if state.phase is ACCIDENT and not self.terms.is_one_side(_others_in(self.terms, state, seat)):
            # No new deal is called, the extra card is drawn, and the others play.
            return dealing.abide(
                self.terms, hand.out(self.terms, state, seat), [Open(put.ThrewIn(seat, put.Cause.TIME))]
            )
        return hand.throw_in(self.terms, state, seat, put.Cause.TIME)

    def _leave(self, state: PutState, seat: Seat) -> Result:
        gone = self.terms.allies[seat]
        members = tuple([member for member in state.members if member not in gone])
        facts: list[Fact] = [Open(put.ThrewIn(seat, put.Cause.LEFT))]
        state = replace(state, members=members)
        if self.terms.is_one_side(members):
            payers = hand.payers(self.terms, state) if hand.is_put_accepted(state) else self.terms.everyone
            if state.to_move is not None:
                state = hand.out(self.terms, state, seat)
            return hand.end_game(self.terms, state, facts, members[0], payers, put.GameWon.FORFEIT, is_last=True)
        if state.phase is DRAW:
            # Who has lost the draw stays out of it; if all who were tied are gone, those who remain draw.
            drawing = tuple([drawer for drawer in state.drawing if drawer != seat])
            state = replace(state, drawing=drawing or members)
        elif state.phase is DEAL and state.dealer == seat:
            state = replace(state, dealer=next(left for left in self.terms.left_of[seat] if left in members))
        if state.phase is ACCIDENT and state.to_move == seat:
            return dealing.abide(self.terms, hand.out(self.terms, state, seat), facts)
        return hand.leave_hand(self.terms, state, seat, facts)


def put_rule_set(rules: PutRules) -> RuleSet:
    return RuleSet(
        offer=rules.offer(),
        make=lambda seats, options: PutGame(rules.under(options), seats),
        has_opening=put.Moment.OPENING in rules.play.may,
    )


def _accident(mishap: Mishap) -> put.AccidentView:
    is_seen = mishap.law in (ANOTHERS_CARD, OWN_CARD)
    return put.AccidentView(mishap.law, mishap.seat, mishap.card.unseal() if is_seen else None)


def moment_of(state: PutState) -> put.Moment:
    """The decision of the seat to move; call only while there is one."""
    if state.phase is PLAY and state.trick_seats:
        return _REPLY
    assert isinstance(state.phase, put.Moment)
    return state.phase


def _others_in(terms: Terms, state: PutState, seat: Seat) -> tuple[Seat, ...]:
    return tuple([other for other in terms.everyone if state.playing[other] and other not in terms.allies[seat]])
