"""Everything before the play: the draw for the deal, the deal and its accidents, and giving between partners."""

from functools import lru_cache
from itertools import takewhile
from math import factorial

from msgspec.structs import replace

from put_protocol.cards import Card, place_of
from put_protocol.games import put
from put_protocol.seats import Seat
from put_rules.facts import Fact, HandsDealt, Hidden, Open, Private, dealt_by_one
from put_rules.game import LUCK
from put_rules.put import hand
from put_rules.put.hand import Result
from put_rules.put.state import DEAL, Dealing, Mishap, PutState, Terms

ANOTHERS_CARD, OWN_CARD, _, ANOTHER_HAS_MORE, DEALER_HAS_MORE = range(1, 6)
"""The accidents, by their number among the Laws of Put (Enquire Within, 1856); the third is `put.FACED_CARD`."""


class UniformNumber:
    """A uniform number below a size, which decides on the accident of a deal.

    It comes with the pack at a table with `misdeals`. Decisions use parts of it, and the rest stays uniform: whether
    there is an accident, under which of the five laws, for which player, and with which card.
    """

    def __init__(self, value: int, size: int) -> None:
        self._value = value
        self._size = size

    def is_less_than(self, share: int, whole: int) -> bool:
        """True with probability share / whole; the rest of the number stays uniform."""
        limit = self._size * share // whole
        if self._value < limit:
            self._size = limit
            return True
        return False

    def below(self, count: int) -> int:
        """A number from 0 to count - 1, uniformly."""
        found, self._value = divmod(self._value * count, self._size)
        return found


def draw(terms: Terms, state: PutState, pack: tuple[Card, ...]) -> Result:
    """Draw cards face up. Players tied for the best, or the worst, draw again, from the cards left or turned up."""
    facts: list[Fact] = []
    drawing, at = state.drawing, 0
    pack = tuple(takewhile(lambda card: place_of(card) is None, pack))
    wanted = max if terms.rules.cut == "high" else min
    while len(drawing) > 1 and at + len(drawing) <= len(pack):
        cards = pack[at : at + len(drawing)]
        at += len(drawing)
        values = [terms.deck.strength[card] for card in cards]
        best = wanted(values)
        tied = tuple(seat for seat, value in zip(drawing, values, strict=True) if value == best)
        facts.append(Open(put.Drawn(seats=drawing, cards=cards, tied=tied if len(tied) > 1 else ())))
        drawing = tied
    if len(drawing) > 1:  # too few cards are left: the whole pack is shuffled
        return replace(state, drawing=drawing), tuple(facts)
    facts.append(Open(put.DealerFound(drawing[0])))
    return replace(state, phase=DEAL, drawing=(), dealer=drawing[0]), tuple(facts)


def deal(terms: Terms, state: PutState, pack: tuple[Card, ...], luck: int | None) -> Result:
    """Deal to each player, one card at a time from the dealer's left."""
    dealing = terms.dealing(state.dealer, state.members)
    players = dealing.players
    last = dealing.cards_each * len(players)
    hands = list(dealt_by_one(pack, players, dealing.cards_each, terms.seats))
    eldest = players[0]
    mishap = None
    if terms.rules.misdeals and not state.is_fresh:
        mishap = _mishap(terms, dealing, hands, pack[last:], luck)
    hidden = Hidden(tuple(hands))
    state = replace(
        state,
        phase=put.Moment.ACCIDENT,
        is_fresh=False,
        hand=state.hand + (not state.is_fresh),
        hands=hidden,
        thrown=terms.none_thrown,
        gifts=terms.none_given,
        mishap=mishap,
        asked=(),
        givers=(),
        playing=dealing.playing,
        tricks=terms.no_tricks,
        length=dealing.cards_each,
        eldest=eldest,
        leader=eldest,
        past=(),
        value=1,
        putter=None,
        is_bound=False,
        seers=(),
    )
    if mishap is None:
        return hand.begin(
            terms, state, [HandsDealt(_dealt(state.hand, state.dealer, eldest, tuple(map(len, hands))), hidden)]
        )
    return _have_accident(terms, state, mishap)


def _mishap(
    terms: Terms, dealing: Dealing, hands: list[tuple[Card, ...]], stock: tuple[Card, ...], luck: int | None
) -> Mishap | None:
    """The accident of this deal, if any; adds the card too many to its hand.

    Without a luck, the order of the unseen cards (all except the first of the stock) is used as the random number:
    there are at least 5,040 such orders.
    """
    chance = _chance_of(stock[1:]) if luck is None else UniformNumber(luck, LUCK)
    if not chance.is_less_than(terms.rules.misdeals, 100):
        return None
    law = 1 + chance.below(5)
    is_dealers = law in (OWN_CARD, put.FACED_CARD, DEALER_HAS_MORE)
    seat = dealing.players[-1] if is_dealers else dealing.adversaries[chance.below(len(dealing.adversaries))]
    if law == put.FACED_CARD:
        return Mishap(law, seat, Hidden(stock[0]))
    if law in (ANOTHER_HAS_MORE, DEALER_HAS_MORE):
        hands[seat] = (*hands[seat], stock[0])
    return Mishap(law, seat, Hidden(hands[seat][chance.below(len(hands[seat]))]))


def _chance_of(cards: tuple[Card, ...]) -> UniformNumber:
    """A uniform number from the order of some cards."""
    place = {card: n for n, card in enumerate(sorted(cards))}
    rest = [place[card] for card in cards]
    value = 0
    for at, card in enumerate(rest):
        value = value * (len(rest) - at) + sum(later < card for later in rest[at + 1 :])
    return UniformNumber(value, factorial(len(cards)))


_dealt = lru_cache(maxsize=1024)(put.Dealt)
"""The gallery's event of a deal. Cached, because tables store equal ones."""


def _have_accident(terms: Terms, state: PutState, mishap: Mishap) -> Result:
    is_card_seen = mishap.law in (ANOTHERS_CARD, OWN_CARD, put.FACED_CARD)
    facts: list[Fact] = [
        Open(_dealt(state.hand, state.dealer, state.eldest, tuple(map(len, state.hands.unseal())))),
        Open(put.Accident(mishap.law, mishap.seat, mishap.card.unseal() if is_card_seen else None)),
    ]
    if mishap.law == OWN_CARD:
        return _stand(terms, state, facts)
    if mishap.law == put.FACED_CARD:
        return deal_afresh(terms, state, facts, None)
    asked = state.eldest if mishap.law == DEALER_HAS_MORE else mishap.seat
    return replace(state, asked=(asked,), to_move=asked), tuple(facts)


def deal_afresh(terms: Terms, state: PutState, facts: list[Fact], seat: Seat | None) -> Result:
    """Deal again. `seat`: the player who demanded it; against a dealer with a card too many they get a point (Law
    5)."""
    assert state.mishap is not None
    points = 1 if state.mishap.law == DEALER_HAS_MORE else 0
    scores = state.scores
    if seat is not None and points:
        scores = hand.scores_with(terms, state, seat, points)
    facts.append(Open(put.FreshDeal(seat, points, scores)))
    if seat is not None and scores[seat] >= terms.rules.target:
        return hand.end_game(terms, replace(state, scores=scores), facts, seat, terms.everyone, put.GameWon.POINTS)
    # The dealer deals again, or the next player if the dealer has left. It remains the same hand of the game.
    dealer = next(seat for seat in terms.round_from[state.dealer] if seat in state.members)
    return replace(hand.laid_away(state, DEAL, dealer, scores), is_fresh=True), tuple(facts)


def abide(terms: Terms, state: PutState, facts: list[Fact]) -> Result:
    """Let the deal stand; a card too many is drawn, unseen, out of the hand and out of play."""
    assert state.mishap is not None
    seat = state.mishap.seat
    if state.mishap.law in (ANOTHER_HAS_MORE, DEALER_HAS_MORE):
        hands = list(state.hands.unseal())
        drawn = state.mishap.card.unseal()
        if state.playing[seat]:
            hands[seat] = tuple([card for card in hands[seat] if card != drawn])
            state = replace(state, hands=Hidden(tuple(hands)))
            facts.append(Open(put.ExtraDrawn(seat)))
    return _stand(terms, state, facts)


def _stand(terms: Terms, state: PutState, facts: list[Fact]) -> Result:
    facts.append(HandsDealt(put.TakenUp(tuple(map(len, state.hands.unseal()))), state.hands))
    return hand.begin(terms, replace(state, asked=(), to_move=None), facts)


def give(terms: Terms, state: PutState, giver: Seat, facts: list[Fact]) -> Result:
    """Give the best card (the first dealt of equals) to the partner, and throw the others away."""
    partner = terms.partner_of(giver)
    hands, thrown = list(state.hands.unseal()), list(state.thrown.unseal())
    gifts, playing = list(state.gifts.unseal()), list(state.playing)
    gift = max(hands[giver], key=terms.deck.strength.__getitem__)
    thrown[giver] = hand.without(hands[giver], gift)
    hands[giver], hands[partner] = (), (*hands[partner], gift)
    gifts[giver], playing[giver] = gift, False
    facts.append(Private(put.Gave(giver, partner), Hidden({giver: gift, partner: gift}), "card"))
    first = partner if giver == state.eldest else state.eldest
    state = replace(
        state,
        eldest=first,
        leader=first,
        hands=Hidden(tuple(hands)),
        thrown=Hidden(tuple(thrown)),
        gifts=Hidden(tuple(gifts)),
        givers=(*state.givers, giver),
        playing=tuple(playing),
        asked=state.asked[1:],
    )
    if not state.asked:
        other = next(seat for seat in terms.left_of[first] if state.playing[seat])
        state = replace(state, phase=put.Moment.DISCARD, asked=(first, other))
    return hand.go_on(terms, state, facts)


def let_give(terms: Terms, state: PutState, seat: Seat) -> Result:
    """The partner is bound to give."""
    return give(terms, state, terms.partner_of(seat), [Open(put.LetGive(seat))])


def discard(terms: Terms, state: PutState, seat: Seat, card: Card) -> Result:
    """Throw away one of four cards."""
    hands = list(state.hands.unseal())
    thrown = list(state.thrown.unseal())
    hands[seat] = hand.without(hands[seat], card)
    thrown[seat] = (card,)
    state = replace(state, hands=Hidden(tuple(hands)), thrown=Hidden(tuple(thrown)), asked=state.asked[1:])
    facts: list[Fact] = [Private(put.Discarded(seat), Hidden({seat: card}), "card")]
    if not state.asked:
        return hand.open_play(terms, state, facts)
    return hand.go_on(terms, state, facts)
