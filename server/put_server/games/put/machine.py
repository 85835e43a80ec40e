"""The transitions of Put: inputs in, states and facts out.

Every transition ends in `_go_on`, which finds from the state alone who moves next or what has been decided; so it
does not matter whether a player went out by throwing in, by time, or by leaving.
"""

from typing import Final, assert_never

from msgspec.structs import replace

from put_protocol.actions import Action, Choice, Play, Put, See, ThrowIn
from put_protocol.cards import Card
from put_protocol.events import (
    Cause,
    DealerFound,
    DidPut,
    Drawn,
    GameEnded,
    GameWon,
    HandEnded,
    HandWon,
    Played,
    Saw,
    ThrewIn,
    TrickEnded,
)
from put_protocol.seats import Seat, Viewer
from put_protocol.views import Moment, PutView, TrickView
from put_server.games.facts import Fact, HandsDealt, Open
from put_server.games.game import Awaits, Game, IllegalAction, NotAwaited, Over, RuleSet, Shuffle, Turn
from put_server.games.hidden import Hidden
from put_server.games.put import sight, words
from put_server.games.put.deck import deck_of
from put_server.games.put.rules import Offer, PutRules
from put_server.games.put.state import Phase, PutState
from put_server.games.put.tricks import DRAWN, decided, taker

Result = tuple[PutState, tuple[Fact, ...]]

_PUT, _SEE, _THROW_IN = Put(), See(), ThrowIn()
_ANSWERS: tuple[Action, ...] = (_SEE, _THROW_IN)

# Asked at every turn, and until Python 3.12 a member asked of its class costs six times what a name does.
_IN_PLAY: Final = Phase.PLAY
_IN_ANSWER: Final = Phase.ANSWER
_LEAD, _REPLY = Moment.LEAD, Moment.REPLY


class PutGame(Game[PutState]):
    """The rules of Put at one table."""

    def __init__(self, rules: PutRules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        deck = deck_of(rules.ranking)
        self._cards = deck.cards
        self._pack = deck.pack
        self._strength = deck.strength
        self._plays = deck.plays
        self._puts = tuple([moment for moment, offers in rules.may.items() if Offer.PUT in offers])

    # --- the interface ---

    def begin(self, dealer: Seat | None) -> PutState:
        members = tuple(Seat(seat) for seat in range(self.seats))
        return PutState(
            phase=Phase.DRAW if dealer is None else Phase.DEAL,
            members=members,
            drawing=members if dealer is None else (),
            dealer=Seat(0) if dealer is None else dealer,
            scores=(0,) * self.seats,
        )

    def awaits(self, state: PutState) -> Awaits:
        if state.to_move is not None:
            return Turn(state.to_move)
        match state.phase:
            case Phase.PLAY | Phase.ANSWER:
                raise AssertionError("in a hand a seat is to move")
            case Phase.DRAW | Phase.DEAL:
                return Shuffle(self._cards)
            case Phase.OVER:
                return Over(state.paid, state.dealer)
            case _:
                assert_never(state.phase)

    def legal(self, state: PutState) -> tuple[Action, ...]:
        if state.phase is _IN_ANSWER:
            return _ANSWERS
        if state.phase is not _IN_PLAY:
            return ()
        assert state.to_move is not None
        held: tuple[Action, ...] = tuple([self._plays[card] for card in state.hands.unseal()[state.to_move]])
        if state.putter is None and moment_of(state) in self._puts:
            return (*held, _PUT)
        return held

    def choices(self, state: PutState) -> tuple[Choice, ...]:
        leads = not state.trick_seats
        return tuple([words.choice(action, leads=leads) for action in self.legal(state)])

    def asks(self, state: PutState) -> str:
        return words.question(state, moment_of(state))

    def view(self, state: PutState, viewer: Viewer) -> PutView:
        return sight.view(self.rules, state, viewer, moment_of(state) if state.to_move is not None else None)

    def act(self, state: PutState, action: Action) -> Result:
        if action not in self.legal(state):
            raise IllegalAction(action)
        seat = state.to_move
        assert seat is not None
        match action:
            case Play(card=card):
                return self._play(state, seat, self._plays[card].card)  # not the copy that came with the action
            case Put():
                return self._put(state, seat)
            case See():
                state = replace(state, seers=(*state.seers, seat), answering=state.answering[1:])
                return self._go_on(state, [Open(Saw(seat))])
            case ThrowIn():
                return self._go_on(*_throw_in(state, seat, Cause.CHOICE))
            case _:
                assert_never(action)

    def deal(self, state: PutState, pack: tuple[Card, ...]) -> Result:
        if state.phase not in (Phase.DRAW, Phase.DEAL):
            raise NotAwaited("no pack is awaited")
        if len(pack) != len(self._cards) or frozenset(pack) != self._pack:
            raise NotAwaited("these are not the cards of the pack")
        return self._draw(state, pack) if state.phase is Phase.DRAW else self._deal_hand(state, pack)

    def expire(self, state: PutState) -> Result:
        if state.to_move is None:
            raise NotAwaited("no seat is to move")
        return self._go_on(*_throw_in(state, state.to_move, Cause.TIME))

    def leave(self, state: PutState, seat: Seat) -> Result:
        if state.phase is Phase.OVER or seat not in state.members:
            raise NotAwaited(f"seat {seat} is not in the game")
        members = tuple(s for s in state.members if s != seat)
        if state.to_move is not None and state.playing[seat]:
            state, facts = _throw_in(state, seat, Cause.LEFT)
        else:
            facts = [Open(ThrewIn(seat, Cause.LEFT))]
        drawing = tuple(s for s in state.drawing if s != seat)  # who has lost the draw stays out of it
        state = replace(state, members=members, drawing=drawing)
        if len(members) == 1:
            everyone = tuple(Seat(s) for s in range(self.seats))
            return self._end_game(state, facts, members[0], everyone, GameWon.FORFEIT)
        return self._go_on(state, facts)

    # --- dealing ---

    def _draw(self, state: PutState, pack: tuple[Card, ...]) -> Result:
        """The draw for the deal: cards face up, ties drawing again from what is left."""
        facts: list[Fact] = []
        drawing, at = state.drawing, 0
        wanted = max if self.rules.cut == "high" else min
        while len(drawing) > 1 and at + len(drawing) <= len(pack):
            cards = pack[at : at + len(drawing)]
            at += len(drawing)
            values = [self._strength[card] for card in cards]
            best = wanted(values)
            tied = tuple(seat for seat, value in zip(drawing, values, strict=True) if value == best)
            facts.append(Open(Drawn(seats=drawing, cards=cards, tied=tied if len(tied) > 1 else ())))
            drawing = tied
        if len(drawing) > 1:
            return replace(state, drawing=drawing), tuple(facts)
        facts.append(Open(DealerFound(drawing[0])))
        return replace(state, phase=Phase.DEAL, drawing=(), dealer=drawing[0]), tuple(facts)

    def _deal_hand(self, state: PutState, pack: tuple[Card, ...]) -> Result:
        """One card more than there are players (Willughby), one at a time from the dealer's left."""
        order = [s for s in _from_left_of(state.dealer, self.seats) if s in state.members]
        length = len(order) + 1
        hands: list[tuple[Card, ...]] = [()] * self.seats
        for place, seat in enumerate(order):
            hands[seat] = pack[place : length * len(order) : len(order)]
        eldest = order[0]
        hidden = Hidden(tuple(hands))
        state = replace(
            state,
            phase=Phase.PLAY,
            hand=state.hand + 1,
            hands=hidden,
            eldest=eldest,
            playing=tuple([s in state.members for s in range(self.seats)]),
            tricks=(0,) * self.seats,
            length=length,
            leader=eldest,
            to_move=eldest,
            trick_seats=(),
            trick_cards=(),
            past=(),
            putter=None,
            seers=(),
            answering=(),
        )
        return state, (HandsDealt(hand=state.hand, dealer=state.dealer, eldest=eldest, hands=hidden),)

    # --- a turn ---

    def _play(self, state: PutState, seat: Seat, card: Card) -> Result:
        hands = list(state.hands.unseal())
        hands[seat] = tuple([held for held in hands[seat] if held != card])
        state = replace(
            state,
            hands=Hidden(tuple(hands)),
            trick_seats=(*state.trick_seats, seat),
            trick_cards=(*state.trick_cards, card),
        )
        fact = Open(Played(seat, card, leads=len(state.trick_seats) == 1))
        mover = _next_to_play(state)
        if mover is not None:
            return replace(state, to_move=mover), (fact,)
        return self._go_on(state, [fact])

    def _put(self, state: PutState, seat: Seat) -> Result:
        """A put may not be taken back (Law 7, Enquire Within 1856); the others answer from the putter's left."""
        answering = tuple([s for s in _from_left_of(seat, self.seats) if s != seat and state.playing[s]])
        state = replace(state, phase=Phase.ANSWER, putter=seat, answering=answering, to_move=answering[0])
        return state, (Open(DidPut(seat)),)

    # --- what follows ---

    def _go_on(self, state: PutState, facts: list[Fact]) -> Result:
        """Decide whatever is decided, else find who moves."""
        if state.to_move is None:  # a pack comes first
            if state.phase is Phase.DEAL and state.dealer not in state.members:
                dealer = next(s for s in _from_left_of(state.dealer, self.seats) if s in state.members)
                state = replace(state, dealer=dealer)
            return state, tuple(facts)
        still_in = _still_in(state)
        if state.phase is _IN_ANSWER:
            assert state.putter is not None
            is_alone = len(still_in) == 1
            if state.answering and not is_alone:
                return replace(state, to_move=state.answering[0]), tuple(facts)
            if is_alone and not state.seers and state.playing[state.putter]:
                return self._end_hand(state, facts, state.putter, HandWon.THROWN_IN)
            state = replace(state, phase=Phase.PLAY, answering=())
        while True:
            is_accepted = state.putter is not None
            if len(still_in) == 1:
                if is_accepted:
                    return self._end_game(state, facts, still_in[0], _liable(state), GameWon.FORFEIT)
                return self._end_hand(state, facts, still_in[0], HandWon.THROWN_IN)
            left = state.length - len(state.past)
            result = decided(state.tricks, state.playing, left)
            if result == DRAWN:
                return self._end_hand(state, facts, None, HandWon.DRAWN)
            if result is not None:
                return self._end_hand(state, facts, result, HandWon.TRICKS)
            mover = _next_to_play(state)
            if mover is not None:
                leader = state.leader if state.trick_seats else mover
                return replace(state, to_move=mover, leader=leader), tuple(facts)
            state = self._end_trick(state, facts)

    def _end_trick(self, state: PutState, facts: list[Fact]) -> PutState:
        winner = taker(state.trick_seats, state.trick_cards, state.playing, self._strength)
        if winner is None:
            tricks = state.tricks
            leader = next(s for s in _from(state.leader, self.seats) if state.playing[s])
        else:
            tricks = tuple([taken + (seat == winner) for seat, taken in enumerate(state.tricks)])
            leader = winner
        number = len(state.past) + 1
        facts.append(Open(TrickEnded(number=number, winner=winner, leader=leader, tricks=tricks)))
        return replace(
            state,
            tricks=tricks,
            leader=leader,
            trick_seats=(),
            trick_cards=(),
            past=(*state.past, TrickView(state.trick_seats, state.trick_cards, winner)),
        )

    def _end_hand(self, state: PutState, facts: list[Fact], winner: Seat | None, how: HandWon) -> Result:
        by_put = how is HandWon.TRICKS and state.putter is not None
        anew = how is HandWon.DRAWN and state.putter is not None and self.rules.drawn_put == "anew"
        points = 0 if winner is None or by_put else 1
        scores = tuple([score + points * (seat == winner) for seat, score in enumerate(state.scores)])
        if anew:
            scores = (0,) * self.seats
        facts.append(Open(HandEnded(how=how, winner=winner, points=points, scores=scores, anew=anew)))
        state = replace(state, scores=scores)
        if winner is not None and by_put:
            return self._end_game(state, facts, winner, _liable(state), GameWon.PUT)
        if winner is not None and scores[winner] >= self.rules.target:
            everyone = tuple(Seat(s) for s in range(self.seats))
            return self._end_game(state, facts, winner, everyone, GameWon.POINTS)
        return self._lay_away(state, Phase.DEAL), tuple(facts)

    def _end_game(
        self, state: PutState, facts: list[Fact], winner: Seat, liable: tuple[Seat, ...], how: GameWon
    ) -> Result:
        """Every loser who is liable pays the winner one stake."""
        paid = [-1 if seat in liable else 0 for seat in range(self.seats)]
        paid[winner] = 0
        paid[winner] = -sum(paid)
        facts.append(Open(GameEnded(how=how, winners=(winner,), scores=state.scores, paid=tuple(paid))))
        return replace(self._lay_away(state, Phase.OVER), paid=tuple(paid)), tuple(facts)

    def _lay_away(self, state: PutState, phase: Phase) -> PutState:
        """The hand is done: what was not played goes away unseen, and the deal passes left.

        Within a game it passes over who has left; the next game is between all seats again.
        """
        dealer = state.dealer
        if state.eldest is not None:
            is_over = phase is Phase.OVER
            dealer = next(s for s in _from_left_of(dealer, self.seats) if is_over or s in state.members)
        return replace(
            state,
            phase=phase,
            dealer=dealer,
            hands=Hidden(()),
            eldest=None,
            to_move=None,
            answering=(),
            trick_seats=(),
            trick_cards=(),
        )


def put_rule_set(rules: PutRules) -> RuleSet:
    """A rule set of this family, for the registry."""
    return RuleSet(offer=rules.offer(), make=lambda seats, options: PutGame(rules.under(options), seats))


def moment_of(state: PutState) -> Moment:
    """What the seat to move is asked for; only while one is."""
    if state.phase is _IN_ANSWER:
        return Moment.ANSWER
    return _REPLY if state.trick_seats else _LEAD


def _throw_in(state: PutState, seat: Seat, cause: Cause) -> tuple[PutState, list[Fact]]:
    """Out of the hand: his tricks no longer count, and a card of his on the table is dead."""
    hands = list(state.hands.unseal())
    hands[seat] = ()
    state = replace(
        state,
        hands=Hidden(tuple(hands)),
        playing=tuple([is_in and s != seat for s, is_in in enumerate(state.playing)]),
        answering=tuple([s for s in state.answering if s != seat]),
    )
    return state, [Open(ThrewIn(seat, cause))]


def _still_in(state: PutState) -> tuple[Seat, ...]:
    return tuple([Seat(seat) for seat, is_in in enumerate(state.playing) if is_in])


def _liable(state: PutState) -> tuple[Seat, ...]:
    """Who pays a game decided by an accepted put: those who played on, out by now or not."""
    assert state.putter is not None
    return (state.putter, *state.seers)


def _next_to_play(state: PutState) -> Seat | None:
    """Clockwise from the leader, the first still in who has no card in the trick; None: it is complete."""
    seats = len(state.playing)
    for step in range(seats):
        seat = Seat((state.leader + step) % seats)
        if state.playing[seat] and seat not in state.trick_seats:
            return seat
    return None


def _from(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats clockwise, this one first."""
    return tuple([Seat((seat + step) % seats) for step in range(seats)])


def _from_left_of(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats clockwise, this one last."""
    return tuple([Seat((seat + step) % seats) for step in range(1, seats + 1)])
