"""The Put family on the wire: its actions, its events, the view of a viewer, and how an event changes a view.

On the wire an action is a map with its name in `do`, `{"do": "play", "card": "3s"}`, and an event a map with its name
in `event`. The `seat` of an event is always its subject. Events contain their whole outcome, so a client needs no
rules.

`apply_event` folds events into a view: what one viewer sees of a game follows from the events they were sent, and from
nothing else. The first view has the constants of a game (sides, ranking, the worth of a hand). No event contains
`to_move` or `moment`, so both are None in the result. A message has them beside its events (`families.with_turn`). In a
recorded game the mover is `mover_of` the next events. Events in an impossible order give an impossible view, but no
error.

Longer than other modules, because readers need an action, its event, and the event's effect on the view together.
"""

from enum import StrEnum
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from put_protocol import deal_steps
from put_protocol.cards import Card, WireCard
from put_protocol.deal_steps import HAND_OVER, Step
from put_protocol.games.family import Family, WireAction, WireView
from put_protocol.games.tricks import CardPlayed, TrickOver, TrickView, with_card_played, with_trick_ended
from put_protocol.seats import Seat, Viewer, added
from put_protocol.shown import OWN_HAND, SeatEvent, Shows, WireEvent


class Play(WireAction, frozen=True, tag="play"):
    """Lead a card, or play one to the trick."""

    card: WireCard

    TOLD_BY = "played"


class Put(WireAction, frozen=True, tag="put"):
    """Say "I put": the others must throw in their cards or see."""

    TOLD_BY = "put"


class See(WireAction, frozen=True, tag="see"):
    """Accept a put: the hand is played for the stake that the rule set names."""

    TOLD_BY = "saw"


class ThrowIn(WireAction, frozen=True, tag="throw"):
    """Lay the cards away unseen and give up the hand."""

    TOLD_BY = "threw_in"


class Pass(WireAction, frozen=True, tag="pass"):
    """Decline to put, before the first trick."""

    TOLD_BY = "passed"


class Double(WireAction, frozen=True, tag="double"):
    """Offer to double the hand's value. The other player accepts by `see`, or throws in."""

    TOLD_BY = "doubled"


class Give(WireAction, frozen=True, tag="give"):
    """Give your partner your best card and throw the others away; your partner plays for both."""

    TOLD_BY = "gave"


class Let(WireAction, frozen=True, tag="let"):
    """Let your partner give to you; you play for both."""


class Discard(WireAction, frozen=True, tag="discard"):
    """Throw away one of your cards after your partner gave you one."""

    card: WireCard

    IS_UNSEEN = True
    TOLD_BY = "discarded"


class Redeal(WireAction, frozen=True, tag="redeal"):
    """Call a fresh deal after an accident in the dealing (Laws 1, 4 and 5)."""


class Abide(WireAction, frozen=True, tag="abide"):
    """Let the deal stand. If a hand has a card too many, one is drawn from it, unseen."""


PutAction = Play | Put | See | ThrowIn | Pass | Double | Give | Let | Discard | Redeal | Abide

FACED_CARD = 3
"""The law of an accident in which a card lay face up in the pack. Under the other laws the card is in a hand."""


class Drawn(WireEvent, frozen=True, tag="drawn"):
    """Cards drawn face up for the deal, one for each player, in order."""

    seats: tuple[Seat, ...]
    """Players who drew."""
    cards: tuple[WireCard, ...]
    """The card that each of them drew."""
    tied: tuple[Seat, ...] = ()
    """Players who must draw again; empty when the draw is decided."""

    SHOWS = Shows(cards="cards", by="seats")
    STEPS = (Step(deal_steps.TurnedUp),)


class DealerFound(SeatEvent, frozen=True, tag="dealer"):
    """The draw is decided: this seat deals first."""


class Dealt(WireEvent, frozen=True, tag="dealt"):
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
    """The viewer's own cards in the order dealt. Empty for the gallery. If an `accident` follows, empty for everyone;
    `taken_up` then brings the cards."""

    SHOWS = OWN_HAND
    STEPS = (Step(deal_steps.HandsDealt, counts="counts"),)


class Accident(WireEvent, frozen=True, omit_defaults=True, tag="accident"):
    """Something went wrong in the dealing. No player looks at their hand until it is settled."""

    law: int
    """Number of the Law of Put: 1 another player's card seen, 2 the dealer's own card seen, 3 a faced card in the pack,
    4 another player has a card too many, 5 the dealer has a card too many."""
    seat: Seat
    """The player whose card was seen, or who has a card too many; under law 3 the dealer."""
    card: WireCard | None = None
    """The card that was seen."""

    SHOWS = Shows(cards="card", by="seat", loose_if=("law", FACED_CARD))
    STEPS = (Step(deal_steps.AccidentTold),)


class FreshDeal(WireEvent, frozen=True, omit_defaults=True, tag="fresh_deal"):
    """The deal does not count; the same dealer deals again, this time without an accident."""

    seat: Seat | None
    """The player who called it; None: automatic (law 3)."""
    points: int = 0
    """Points for that player (law 5)."""
    scores: tuple[int, ...] = ()
    """Scores by seat after the call."""

    STEPS = (*HAND_OVER, Step(deal_steps.CalledAfresh))


class ExtraDrawn(SeatEvent, frozen=True, tag="extra_drawn"):
    """The card too many was drawn, unseen, out of this hand and out of play."""


class TakenUp(WireEvent, frozen=True, omit_defaults=True, tag="taken_up"):
    """The accident is settled, and everyone takes up their hand."""

    counts: tuple[int, ...]
    """Cards each seat holds."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery."""

    SHOWS = OWN_HAND


class LetGive(SeatEvent, frozen=True, tag="let"):
    """A player lets their partner give."""


class Gave(SeatEvent, frozen=True, omit_defaults=True, tag="gave"):
    """A player gave their partner their best card and threw the others away."""

    to: Seat
    """The partner who received it."""
    card: WireCard | None = None
    """Shown to the two partners only."""

    SHOWS = Shows(cards="card", by="seat")
    STEPS = (Step(deal_steps.PassedOn, seat="seat", to="to", card="card"),)


class Discarded(SeatEvent, frozen=True, omit_defaults=True, tag="discarded"):
    """A player who was given a card threw one away."""

    card: WireCard | None = None
    """Sent to themselves only."""

    SHOWS = Shows(cards="card", by="seat")
    STEPS = (Step(deal_steps.Gone),)


class Passed(SeatEvent, frozen=True, tag="passed"):
    """A player did not put before the first trick."""


class Doubled(SeatEvent, frozen=True, tag="doubled"):
    """A player offered to double the hand's value."""

    value: int
    """Points that the hand will be worth if the offer is accepted."""


class Played(CardPlayed, frozen=True, tag="played"):
    """A card was led or played."""


class DidPut(SeatEvent, frozen=True, tag="put"):
    """A player said "I put"."""


class Saw(SeatEvent, frozen=True, omit_defaults=True, tag="saw"):
    """A player accepted the put, or took the double."""

    value: int = 0
    """Points of the hand after a double; 0 for a put."""


class Cause(StrEnum):
    """The reason a player gave something up."""

    CHOICE = "choice"
    """they chose to"""
    TIME = "time"
    """their time ran out"""
    LEFT = "left"
    """they resigned, or left the table"""


class ThrewIn(SeatEvent, frozen=True, omit_defaults=True, tag="threw_in"):
    """A player gave up their hand; the cards go away unseen."""

    cause: Cause = Cause.CHOICE
    """The reason."""


class TrickEnded(TrickOver, frozen=True, tag="trick"):
    """A trick is complete and laid aside."""

    number: int
    """Counted from 1."""
    winner: Seat | None
    """None: the trick was tied."""
    leader: Seat
    """The player who leads next, if the hand continues."""
    tricks: tuple[int, ...]
    """Tricks taken in this hand, by seat."""


class HandWon(StrEnum):
    """The way a hand ended."""

    TRICKS = "tricks"
    """a player took most tricks"""
    THROWN_IN = "thrown_in"
    """all other players gave up"""
    DRAWN = "drawn"
    """one trick each with a tie, or only ties"""


class HandEnded(WireEvent, frozen=True, omit_defaults=True, tag="hand"):
    """A hand is over and scored."""

    how: HandWon
    """The way the hand ended."""
    winner: Seat | None
    """None: the hand was drawn."""
    points: int
    """Points added to the winner's score; 0 if the hand was drawn, or won the game outright."""
    scores: tuple[int, ...]
    """Scores by seat after the hand."""
    anew: bool = False
    """The scores were reset to 0, because an accepted put was drawn."""

    STEPS = HAND_OVER


class GameWon(StrEnum):
    """The way a game ended."""

    POINTS = "points"
    """a player reached the target"""
    PUT = "put"
    """by an accepted put"""
    OUTRIGHT = "outright"
    """by winning a hand, under a rule that this wins the game"""
    FORFEIT = "forfeit"
    """by time or departure"""


class GameEnded(WireEvent, frozen=True, omit_defaults=True, tag="game"):
    """A game is over and paid. A rubber has several of these."""

    how: GameWon
    """The way the game ended."""
    winners: tuple[Seat, ...]
    """One seat, or both seats of the winning side."""
    scores: tuple[int, ...]
    """Final scores by seat."""
    paid: tuple[int, ...]
    """The amount each seat's purse gained by the game; below 0: lost."""
    rubber: tuple[int, ...] = ()
    """Games won by each seat, in a rubber. The rubber continues until a player has won enough games."""
    goes_on: bool = False
    """The rubber continues: its next game begins, with scores at 0 and hands counted from 1."""

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
    """to decide about a deal with an accident"""
    GIVE = "give"
    """to give the partner their best card, or let the partner give"""
    DISCARD = "discard"
    """to throw away a card after receiving one"""
    OPENING = "opening"
    """to put or pass, before the first trick"""
    LEAD = "lead"
    """to lead a trick"""
    REPLY = "reply"
    """to play to the trick"""
    ANSWER = "answer"
    """to throw in or see, after a put or a double"""
    LAST_SAY = "last_say"
    """to throw in or put, after the first trick"""


class Worth(StrEnum):
    """The points that a hand won by tricks brings its winner."""

    VALUE = "value"
    """its value in points: 1, unless it was doubled"""
    TO_TARGET = "to_target"
    """the points that the winner needs to reach the target"""
    GAME = "game"
    """the game; the scores stay"""


class AccidentView(Struct, frozen=True, omit_defaults=True, gc=False):
    """An accident in the dealing."""

    law: int
    """Same as in the event."""
    seat: Seat
    """Same as in the event."""
    card: WireCard | None = None
    """Same as in the event."""


class PutView(WireView, frozen=True, tag="put"):
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
    """The player who plays first in that hand, or will do so after all partners have given."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery, and for everyone until an accident is settled."""
    counts: tuple[int, ...] = ()
    """Cards in each hand."""
    playing: tuple[bool, ...] = ()
    """True for each player who is still in the hand."""
    tricks: tuple[int, ...] = ()
    """Tricks each has taken in this hand."""
    trick: TrickView = TrickView()
    """The trick on the table."""
    past: tuple[TrickView, ...] = ()
    """The complete tricks of this hand, first to last."""
    accident: AccidentView | None = None
    """The accident in the dealing of this hand, if any. It is settled unless it is the current decision."""
    gave: WireCard | None = None
    """The card the viewer gave their partner."""
    thrown: tuple[WireCard, ...] = ()
    """The viewer's own cards that they threw away in this hand."""
    givers: tuple[Seat, ...] = ()
    """Players who gave their partner a card."""
    to_move: Seat | None = None
    """The player who is to move; None: no player is."""
    moment: Moment | None = None
    """The decision they are asked for."""
    putter: Seat | None = None
    """The player who put in this hand, or doubled last."""
    seen_by: tuple[Seat, ...] = ()
    """Players who accepted that put or double."""
    value: int = 1
    """Points the hand is worth."""
    plain: Worth = Worth.VALUE
    """Worth of the hand if it is played without a put."""
    accepted: Worth = Worth.GAME
    """Worth of the hand after an accepted put; `value`: players do not put here, but offer to double."""
    rubber: tuple[int, ...] = ()
    """Games won by each seat, in a rubber."""
    ranking: tuple[str, ...] = ()
    """The ranks, best first."""
    sides: tuple[int, ...] = ()
    """The side of each seat, in a game of partners; empty: each player plays alone."""

    def are_partners(self, seat: Seat, other: Seat) -> bool:
        """True if two different seats win and lose together."""
        return bool(self.sides) and seat != other and self.sides[seat] == self.sides[other]

    @property
    def is_doubling(self) -> bool:
        """True if players offer to double here, and do not put."""
        return self.accepted is Worth.VALUE


def opening_of(view: PutView) -> PutView:
    """The view at the start of the game, made from any view of it."""
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
    match event:  # the usual events first: each case that fails takes 0.1 us
        case Played(seat=seat, card=card):
            moved: PutView = with_card_played(view, seat, card)
            return moved
        case TrickEnded(winner=winner, tricks=tricks):
            ended: PutView = with_trick_ended(view, winner, tricks)
            return ended
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
        case DidPut(seat=seat) | Doubled(seat=seat):
            return replace(view, putter=seat, seen_by=())
        case Saw(seat=seat, value=value):
            return replace(view, seen_by=(*view.seen_by, seat), value=value or view.value)
        case ThrewIn(seat=seat):
            return _threw_in(view, seat, viewer)
        case HandEnded(scores=scores):
            return _laid_away(view, scores)
        case GameEnded(scores=scores, rubber=rubber, goes_on=goes_on):
            view = replace(_laid_away(view, scores), rubber=rubber)
            return replace(view, scores=(0,) * len(scores), hand=0) if goes_on else view
        case Drawn() | DealerFound() | LetGive() | Passed():
            return view  # what comes of them is told by the next event


_MOVES = Played | DidPut | Doubled | Saw | ThrewIn | Passed | LetGive | Gave | Discarded | FreshDeal


def mover_of(first: object) -> Seat | None:
    """The player whose move caused an event; None: no player, or a departure that may come at any move."""
    if isinstance(first, ThrewIn) and first.cause is Cause.LEFT:
        return None
    return first.seat if isinstance(first, _MOVES) else None


def _dealt(view: PutView, event: Dealt) -> PutView:
    return replace(
        opening_of(view),
        scores=view.scores,
        rubber=view.rubber,
        hand=event.hand,
        dealer=event.dealer,
        eldest=event.eldest,
        cards=event.cards,
        counts=event.counts,
        playing=tuple([count > 0 for count in event.counts]),
        tricks=(0,) * len(event.counts),
        trick=TrickView(),  # an item of the view: a default would be left out
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
    """Take a side out of the hand in play, if there is one."""
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
    """End the hand: remove its cards. What was taken and said stays until the next hand."""
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
