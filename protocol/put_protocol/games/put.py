"""The Put family on the wire: its actions, its events, the view of a viewer, and how an event changes a view.

On the wire an action is a map whose `do` names it, `{"do": "play", "card": "3s"}`, and an event one whose `event` names
it; its `seat` is always the seat it is about. Events say their whole outcome, so no rule is needed to follow.

`apply_event` folds events into a view: what one viewer sees of a game follows from the events they were sent, and from
nothing else. What differs between games stands in the first view (sides, ranking, what a hand is worth); what an event
changes stands in the event. No event tells `to_move` and `moment`, so they are None in the result. A message tells them
beside its events (`families.with_turn`); in a recorded game the mover is `mover_of` the events that come next. Events
in an order that no game has make a view of no game, but no error.

Longer than other modules, because it is one idea to a reader: an action, the event that comes of it, and what that
event changes in the view.
"""

from enum import StrEnum
from typing import assert_never, get_args

from msgspec import Struct
from msgspec.structs import replace

from put_protocol import deal_steps
from put_protocol.cards import Card, WireCard
from put_protocol.deal_steps import HAND_OVER, Step
from put_protocol.games.family import Family, WireAction, WireView
from put_protocol.games.tricks import CardPlayed, TrickOver, TrickView, with_card_played, with_trick_ended
from put_protocol.seats import Seat, Viewer, added
from put_protocol.shown import OWN_HAND, Shows, WireEvent


class Play(WireAction, frozen=True, tag_field="do", tag="play"):
    """Lead a card, or play one to the trick."""

    card: WireCard

    TOLD_BY = "played"


class Put(WireAction, frozen=True, tag_field="do", tag="put"):
    """Say "I put": the others throw in their cards or see."""

    TOLD_BY = "put"


class See(WireAction, frozen=True, tag_field="do", tag="see"):
    """Accept a put: the hand is played out for what the rule set says."""

    TOLD_BY = "saw"


class ThrowIn(WireAction, frozen=True, tag_field="do", tag="throw"):
    """Lay the cards away unseen and give up the hand."""

    TOLD_BY = "threw_in"


class Pass(WireAction, frozen=True, tag_field="do", tag="pass"):
    """Say nothing, where a put is asked for before the first trick."""

    TOLD_BY = "passed"


class Double(WireAction, frozen=True, tag_field="do", tag="double"):
    """Offer to double the hand's value: the other takes it, by `see`, or throws in."""

    TOLD_BY = "doubled"


class Give(WireAction, frozen=True, tag_field="do", tag="give"):
    """Give your partner your best card and throw the others away; your partner plays for both."""

    TOLD_BY = "gave"


class Let(WireAction, frozen=True, tag_field="do", tag="let"):
    """Let your partner give to you; you play for both."""


class Discard(WireAction, frozen=True, tag_field="do", tag="discard"):
    """Throw a card away, having been given one."""

    card: WireCard

    IS_UNSEEN = True
    TOLD_BY = "discarded"


class Redeal(WireAction, frozen=True, tag_field="do", tag="redeal"):
    """Call a fresh deal after an accident in the dealing (Laws 1, 4 and 5)."""


class Abide(WireAction, frozen=True, tag_field="do", tag="abide"):
    """Let the deal stand; a card too many is drawn, unseen, out of the hand that has it."""


PutAction = Play | Put | See | ThrowIn | Pass | Double | Give | Let | Discard | Redeal | Abide

FACED_CARD = 3
"""The law of an accident whose card lay face up in the pack; by the others it is in a hand."""


class Drawn(WireEvent, frozen=True, tag_field="event", tag="drawn"):
    """Cards drawn face up for the deal, one a player, in the order they were drawn."""

    seats: tuple[Seat, ...]
    """Each player who drew."""
    cards: tuple[WireCard, ...]
    """The card that each of them drew."""
    tied: tuple[Seat, ...] = ()
    """Each player who must draw again; empty when the draw is decided."""

    SHOWS = Shows(cards="cards", by="seats")
    STEPS = (Step(deal_steps.TurnedUp),)


class DealerFound(WireEvent, frozen=True, tag_field="event", tag="dealer"):
    """The draw is decided: this seat deals first."""

    seat: Seat

    STEPS = (Step(deal_steps.DrawDecided),)


class Dealt(WireEvent, frozen=True, tag_field="event", tag="dealt"):
    """A hand was dealt."""

    hand: int
    """Number of this hand of the game, from 1."""
    dealer: Seat
    """The player who dealt it."""
    eldest: Seat
    """The player who plays first."""
    counts: tuple[int, ...]
    """Cards each seat holds."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards in the order dealt; empty for the gallery and, where an `accident` follows, for everybody:
    `taken_up` brings them."""

    SHOWS = OWN_HAND
    STEPS = (Step(deal_steps.HandsDealt, counts="counts"),)


class Accident(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="accident"):
    """Something went wrong in the dealing. No player looks at their hand until it is settled."""

    law: int
    """The Law of Put it falls under: 1 another's card seen, 2 the dealer's own card seen, 3 a faced card in
    the pack, 4 another has a card too many, 5 the dealer has."""
    seat: Seat
    """The player whose card was seen, or who has one too many; by law 3 the dealer."""
    card: WireCard | None = None
    """The card that was seen."""

    SHOWS = Shows(cards="card", by="seat", loose_if=("law", FACED_CARD))
    STEPS = (
        Step(deal_steps.AccidentTold, law="law", seat="seat", card="card"),
        Step(deal_steps.TurnedUp, when=("law", FACED_CARD), is_draw=False),
    )


class FreshDeal(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="fresh_deal"):
    """The deal does not count; the same dealer deals again, this time without an accident."""

    seat: Seat | None
    """The player who called it; None: the cards themselves did (law 3)."""
    points: int = 0
    """Points it brings them (law 5)."""
    scores: tuple[int, ...] = ()
    """Scores by seat after it, where it brings points."""

    STEPS = (*HAND_OVER, Step(deal_steps.CalledAfresh))


class ExtraDrawn(WireEvent, frozen=True, tag_field="event", tag="extra_drawn"):
    """The card too many was drawn, unseen, out of this hand and out of play."""

    seat: Seat

    STEPS = (Step(deal_steps.ExtraTaken, seat="seat"),)


class TakenUp(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="taken_up"):
    """The accident is settled, and everyone takes up their hand."""

    counts: tuple[int, ...]
    """Cards each seat holds."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own; empty for the gallery."""

    SHOWS = OWN_HAND


class LetGive(WireEvent, frozen=True, tag_field="event", tag="let"):
    """A player lets their partner give."""

    seat: Seat


class Gave(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="gave"):
    """A player gave their partner their best card and threw the others away."""

    seat: Seat
    to: Seat
    """Whom they gave it to."""
    card: WireCard | None = None
    """Sent to the two of them only."""

    SHOWS = Shows(cards="card", by="seat")
    STEPS = (Step(deal_steps.PassedOn, seat="seat", to="to", card="card"),)


class Discarded(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="discarded"):
    """A player who was given a card threw one away."""

    seat: Seat
    card: WireCard | None = None
    """Sent to themselves only."""

    SHOWS = Shows(cards="card", by="seat")
    STEPS = (Step(deal_steps.Gone),)


class Passed(WireEvent, frozen=True, tag_field="event", tag="passed"):
    """A player said nothing before the first trick."""

    seat: Seat


class Doubled(WireEvent, frozen=True, tag_field="event", tag="doubled"):
    """A player offered to double the hand's value."""

    seat: Seat
    value: int
    """The points it will be worth if taken."""


class Played(CardPlayed, frozen=True, tag_field="event", tag="played"):
    """A card was led or played."""

    seat: Seat
    card: WireCard
    leads: bool = False
    """It is the first card of its trick."""

    SHOWS = Shows(cards="card", by="seat")
    STEPS = (Step(deal_steps.Gone),)


class DidPut(WireEvent, frozen=True, tag_field="event", tag="put"):
    """A player said "I put"."""

    seat: Seat


class Saw(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="saw"):
    """A player accepted the put, or took the double."""

    seat: Seat
    value: int = 0
    """Points the hand is worth now that it was doubled; 0 for a put."""


class Cause(StrEnum):
    """The reason a player gave something up."""

    CHOICE = "choice"
    """they chose to"""
    TIME = "time"
    """their time ran out"""
    LEFT = "left"
    """they resigned, or left the table"""


class ThrewIn(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="threw_in"):
    """A player gave up their hand; the cards go away unseen."""

    seat: Seat
    cause: Cause = Cause.CHOICE
    """The reason."""


class TrickEnded(TrickOver, frozen=True, tag_field="event", tag="trick"):
    """A trick is complete and laid aside."""

    number: int
    """Counted from 1."""
    winner: Seat | None
    """None: tied, and no player's."""
    leader: Seat
    """The player who leads next, if the hand goes on."""
    tricks: tuple[int, ...]
    """Tricks taken in this hand, by seat."""


class HandWon(StrEnum):
    """The way a hand ended."""

    TRICKS = "tricks"
    """a player took most tricks"""
    THROWN_IN = "thrown_in"
    """everyone else gave up"""
    DRAWN = "drawn"
    """trick and tie, or nothing but ties"""


class HandEnded(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="hand"):
    """A hand is over and scored."""

    how: HandWon
    """The reason it ended."""
    winner: Seat | None
    """None: it was drawn."""
    points: int
    """Points added to the winner's score: 0 when the hand was drawn, or decided the game by itself."""
    scores: tuple[int, ...]
    """Scores by seat after it."""
    anew: bool = False
    """The scores were set back to nothing, because an accepted put was drawn."""

    STEPS = HAND_OVER


class GameWon(StrEnum):
    """The way a game ended."""

    POINTS = "points"
    """a player reached the target"""
    PUT = "put"
    """by an accepted put"""
    OUTRIGHT = "outright"
    """by winning a hand, where that wins the game"""
    FORFEIT = "forfeit"
    """by time or departure"""


class GameEnded(WireEvent, frozen=True, omit_defaults=True, tag_field="event", tag="game"):
    """A game is over and paid. A rubber has several of these."""

    how: GameWon
    """The reason it ended."""
    winners: tuple[Seat, ...]
    """One seat, or both of the side that won."""
    scores: tuple[int, ...]
    """Scores by seat as they stood at the end."""
    paid: tuple[int, ...]
    """The amount each seat's purse gained (or, below 0, lost) by it."""
    rubber: tuple[int, ...] = ()
    """Games won in the rubber by each seat, where one is played; it goes on until a player has enough."""
    goes_on: bool = False
    """The rubber goes on: its next game begins, the scores at nothing and the hands counted anew."""

    STEPS = (*HAND_OVER, Step(deal_steps.GameClosed))


PutEvent = (
    Drawn
    | DealerFound
    | Dealt
    | Accident
    | FreshDeal
    | ExtraDrawn
    | TakenUp
    | LetGive
    | Gave
    | Discarded
    | Passed
    | Played
    | DidPut
    | Doubled
    | Saw
    | ThrewIn
    | TrickEnded
    | HandEnded
    | GameEnded
)


class Moment(StrEnum):
    """The decision the seat to move is asked for."""

    ACCIDENT = "accident"
    """to say what becomes of a deal with an accident in it"""
    GIVE = "give"
    """to give the partner their best card, or let the partner give"""
    DISCARD = "discard"
    """to throw a card away, having been given one"""
    OPENING = "opening"
    """to put, or say nothing, before the first trick"""
    LEAD = "lead"
    """to lead a trick"""
    REPLY = "reply"
    """to play to a trick that was led"""
    ANSWER = "answer"
    """to throw in to a put or a double, or see it"""
    LAST_SAY = "last_say"
    """to throw in or put, the first trick being over"""


class Worth(StrEnum):
    """The points that a hand won by tricks brings its winner."""

    VALUE = "value"
    """its value in points: 1, unless it was doubled"""
    TO_TARGET = "to_target"
    """as many points as bring the winner to the target"""
    GAME = "game"
    """the game, and the scores stay as they stood"""


class AccidentView(Struct, frozen=True, omit_defaults=True, gc=False):
    """An accident in the dealing."""

    law: int
    """The same as in the event."""
    seat: Seat
    """The same as in the event."""
    card: WireCard | None = None
    """The same as in the event."""


class PutView(WireView, frozen=True, omit_defaults=True, tag_field="view", tag="put"):
    """A game of the Put family as one viewer sees it. Lists of numbers, and of true or false, have an item a seat."""

    target: int
    """Points that win the game."""
    scores: tuple[int, ...]
    """Listed by seat."""
    hand: int = 0
    """Number of the hand of the game, from 1; 0 before the first deal."""
    dealer: Seat | None = None
    """The player who dealt the hand in play; None between hands."""
    eldest: Seat | None = None
    """The player who is first to play in it, or will be when all partners have given."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery, and for everybody until an accident is settled."""
    counts: tuple[int, ...] = ()
    """Cards in each hand."""
    playing: tuple[bool, ...] = ()
    """Each player who is still in the hand."""
    tricks: tuple[int, ...] = ()
    """Tricks each has taken in this hand."""
    trick: TrickView = TrickView()
    """The trick on the table."""
    past: tuple[TrickView, ...] = ()
    """The complete tricks of this hand, first to last."""
    accident: AccidentView | None = None
    """The accident in the dealing of this hand, if there was one; it is settled unless that is what is asked."""
    gave: WireCard | None = None
    """The card the viewer gave their partner."""
    thrown: tuple[WireCard, ...] = ()
    """The viewer's own cards that they threw away this hand, giving or discarding."""
    givers: tuple[Seat, ...] = ()
    """Each player who gave their partner a card."""
    to_move: Seat | None = None
    """The player whose decision it is; None: no player's."""
    moment: Moment | None = None
    """The decision they are asked for."""
    putter: Seat | None = None
    """The player who put in this hand, or doubled last."""
    seen_by: tuple[Seat, ...] = ()
    """Each player who accepted that."""
    value: int = 1
    """Points the hand is worth."""
    plain: Worth = Worth.VALUE
    """The points the hand brings if it is played out without a put."""
    accepted: Worth = Worth.GAME
    """The points it brings after an accepted put; `value`: here one does not put, but offers to double."""
    rubber: tuple[int, ...] = ()
    """Games each has won, where a rubber is played."""
    ranking: tuple[str, ...] = ()
    """The ranks, best first."""
    sides: tuple[int, ...] = ()
    """The side of each seat, where partners play; empty: each plays alone."""

    def are_partners(self, seat: Seat, other: Seat) -> bool:
        """True if two different seats win and lose together."""
        return bool(self.sides) and seat != other and self.sides[seat] == self.sides[other]

    @property
    def is_doubling(self) -> bool:
        """True if one does not put here, but offers to double."""
        return self.accepted is Worth.VALUE


def opening_of(view: PutView) -> PutView:
    """Any view of a game as it was before anything happened."""
    return PutView(
        target=view.target,
        scores=(0,) * len(view.scores),
        plain=view.plain,
        accepted=view.accepted,
        rubber=(0,) * len(view.rubber),
        ranking=view.ranking,
        sides=view.sides,
    )


def apply_event(view: PutView, event: PutEvent, viewer: Viewer) -> PutView:
    """The viewer's view after an event of the game."""
    view = replace(view, to_move=None, moment=None)
    match event:
        case Dealt():
            return _dealt(view, event)
        case Accident(law=law, seat=seat, card=card):
            return replace(view, accident=AccidentView(law, seat, card))
        case ExtraDrawn(seat=seat):
            return replace(view, counts=added(view.counts, seat, -1))
        case TakenUp(counts=counts, cards=cards):
            return replace(view, counts=counts, cards=cards)
        case FreshDeal(scores=scores):
            return _laid_away(view, scores)
        case Gave():
            return _gave(view, event, viewer)
        case Discarded(seat=seat, card=card):
            view = replace(view, counts=added(view.counts, seat, -1))
            if card is None:
                return view
            return replace(view, cards=_without(view.cards, card), thrown=(card,))
        case Played(seat=seat, card=card):
            moved: PutView = with_card_played(view, seat, card)
            return moved
        case DidPut(seat=seat) | Doubled(seat=seat):
            return replace(view, putter=seat, seen_by=())
        case Saw(seat=seat, value=value):
            return replace(view, seen_by=(*view.seen_by, seat), value=value or view.value)
        case ThrewIn(seat=seat):
            return _threw_in(view, seat, viewer)
        case TrickEnded(winner=winner, tricks=tricks):
            ended: PutView = with_trick_ended(view, winner, tricks)
            return ended
        case HandEnded(scores=scores):
            return _laid_away(view, scores)
        case GameEnded(scores=scores, rubber=rubber, goes_on=goes_on):
            view = replace(_laid_away(view, scores), rubber=rubber)
            return replace(view, scores=(0,) * len(scores), hand=0) if goes_on else view
        case Drawn() | DealerFound() | LetGive() | Passed():
            return view  # what comes of them is told by the next event
        case _:
            assert_never(event)


_MOVES = Played | DidPut | Doubled | Saw | ThrewIn | Passed | LetGive | Gave | Discarded | FreshDeal


def mover_of(first: object) -> Seat | None:
    """The player whose move an event came of; None: no player's, or a player left on the move of any."""
    if isinstance(first, ThrewIn) and first.cause is Cause.LEFT:
        return None
    return first.seat if isinstance(first, _MOVES) else None


def _dealt(view: PutView, event: Dealt) -> PutView:
    return replace(
        view,
        hand=event.hand,
        dealer=event.dealer,
        eldest=event.eldest,
        cards=event.cards,
        counts=event.counts,
        playing=tuple([count > 0 for count in event.counts]),
        tricks=(0,) * len(event.counts),
        trick=TrickView(),
        past=(),
        accident=None,
        gave=None,
        thrown=(),
        givers=(),
        putter=None,
        seen_by=(),
        value=1,
    )


def _gave(view: PutView, event: Gave, viewer: Viewer) -> PutView:
    giver, card = event.seat, event.card
    view = replace(
        view,
        givers=(*view.givers, giver),
        playing=tuple([is_in and seat != giver for seat, is_in in enumerate(view.playing)]),
        counts=added(tuple([0 if seat == giver else n for seat, n in enumerate(view.counts)]), event.to, 1),
        eldest=event.to if giver == view.eldest else view.eldest,
    )
    if card is None:
        return view
    if viewer == giver:
        return replace(view, gave=card, thrown=_without(view.cards, card), cards=())
    return replace(view, cards=(*view.cards, card))


def _threw_in(view: PutView, seat: Seat, viewer: Viewer) -> PutView:
    """A side is out of the hand in play; between hands there is none to be out of."""
    if not view.counts:
        return view
    out = {other for other in range(len(view.playing)) if other == seat or view.are_partners(seat, Seat(other))}
    return replace(
        view,
        playing=tuple([is_in and other not in out for other, is_in in enumerate(view.playing)]),
        counts=tuple([0 if other in out else count for other, count in enumerate(view.counts)]),
        cards=() if viewer in out else view.cards,
    )


def _laid_away(view: PutView, scores: tuple[int, ...]) -> PutView:
    """The hand is over, and its cards are gone; what was taken and said stands until the next."""
    return replace(
        view,
        scores=scores,
        dealer=None,
        eldest=None,
        cards=(),
        counts=(),
        trick=TrickView(),
        accident=None,
        gave=None,
        thrown=(),
    )


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple([held for held in cards if held != card])


FAMILY = Family(
    name="put",
    view=PutView,
    events=get_args(PutEvent),
    actions=get_args(PutAction),
    moment=Moment,
    apply_event=apply_event,
    mover_of=mover_of,
    opening_of=opening_of,
    place=0,
)
