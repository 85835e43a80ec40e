"""Events: what happened, as one viewer sees it. Each says its whole outcome, so nobody has to know a rule to follow.

On the wire an event is a map whose `event` names it. `seat` is always the seat it is about.
"""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import WireCard
from put_protocol.seal.events import SealEvent
from put_protocol.seats import Seat, Viewer
from put_protocol.shown import Shown, ShowsNoCard, own_hand

FACED_CARD = 3
"""The law of an accident whose card lay face up in the pack; by the others it is in a hand."""


class Drawn(Struct, frozen=True, tag_field="event", tag="drawn"):
    """Cards drawn face up for the deal, one a player, in the order they were drawn."""

    seats: tuple[Seat, ...]
    """Who drew."""
    cards: tuple[WireCard, ...]
    """What each of them drew."""
    tied: tuple[Seat, ...] = ()
    """Who must draw again; empty when the draw is decided."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return tuple([Shown(card, seat) for seat, card in zip(self.seats, self.cards, strict=False)])


class DealerFound(ShowsNoCard, frozen=True, tag_field="event", tag="dealer"):
    """The draw is decided: this seat deals first."""

    seat: Seat


class Dealt(Struct, frozen=True, tag_field="event", tag="dealt"):
    """A hand was dealt."""

    hand: int
    """Which hand of the game this is, from 1."""
    dealer: Seat
    """Who dealt it."""
    eldest: Seat
    """Who plays first."""
    counts: tuple[int, ...]
    """Cards each seat holds."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards in the order dealt; empty for the gallery and, where an `accident` follows, for everybody:
    `taken_up` brings them."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return own_hand(self.cards, viewer)


class Accident(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="accident"):
    """Something went wrong in the dealing. Nobody looks at their hand until it is settled."""

    law: int
    """Which of the Laws of Put it falls under: 1 another's card seen, 2 the dealer's own card seen, 3 a faced card in
    the pack, 4 another has a card too many, 5 the dealer has."""
    seat: Seat
    """Whose card was seen, or who has one too many; by law 3 the dealer."""
    card: WireCard | None = None
    """The card that was seen."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return () if self.card is None else (Shown(self.card, None if self.law == FACED_CARD else self.seat),)


class FreshDeal(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="fresh_deal"):
    """The deal does not count; the same dealer deals again, this time without an accident."""

    seat: Seat | None
    """Who called it; None: the cards themselves did (law 3)."""
    points: int = 0
    """Points it brings them (law 5)."""
    scores: tuple[int, ...] = ()
    """Scores by seat after it, where it brings points."""


class ExtraDrawn(ShowsNoCard, frozen=True, tag_field="event", tag="extra_drawn"):
    """The card too many was drawn, unseen, out of this hand and out of play."""

    seat: Seat


class TakenUp(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="taken_up"):
    """The accident is settled, and everyone takes up their hand."""

    counts: tuple[int, ...]
    """Cards each seat holds."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own; empty for the gallery."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return own_hand(self.cards, viewer)


class LetGive(ShowsNoCard, frozen=True, tag_field="event", tag="let"):
    """A player lets their partner give."""

    seat: Seat


class Gave(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="gave"):
    """A player gave their partner their best card and threw the others away."""

    seat: Seat
    to: Seat
    """Whom they gave it to."""
    card: WireCard | None = None
    """For the two of them only."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return () if self.card is None else (Shown(self.card, self.seat),)


class Discarded(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="discarded"):
    """Who was given a card threw one away."""

    seat: Seat
    card: WireCard | None = None
    """For themselves only."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return () if self.card is None else (Shown(self.card, self.seat),)


class Passed(ShowsNoCard, frozen=True, tag_field="event", tag="passed"):
    """A player said nothing before the first trick."""

    seat: Seat


class Doubled(ShowsNoCard, frozen=True, tag_field="event", tag="doubled"):
    """A player offered to double the hand's value."""

    seat: Seat
    value: int
    """The points it will be worth if taken."""


class Played(Struct, frozen=True, tag_field="event", tag="played"):
    """A card was led or played."""

    seat: Seat
    card: WireCard
    leads: bool = False
    """It is the first card of its trick."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return (Shown(self.card, self.seat),)


class DidPut(ShowsNoCard, frozen=True, tag_field="event", tag="put"):
    """A player said "I put"."""

    seat: Seat


class Saw(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="saw"):
    """A player accepted the put, or took the double."""

    seat: Seat
    value: int = 0
    """Points the hand is worth now that it was doubled; 0 for a put."""


class Cause(StrEnum):
    """Why a player gave something up."""

    CHOICE = "choice"
    """they chose to"""
    TIME = "time"
    """their time ran out"""
    LEFT = "left"
    """they resigned, or left the table"""


class ThrewIn(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="threw_in"):
    """A player gave up their hand; the cards go away unseen."""

    seat: Seat
    cause: Cause = Cause.CHOICE
    """Why."""


class TrickEnded(ShowsNoCard, frozen=True, tag_field="event", tag="trick"):
    """A trick is complete and laid aside."""

    number: int
    """From 1."""
    winner: Seat | None
    """None: tied, and nobody's."""
    leader: Seat
    """Who leads next, if the hand goes on."""
    tricks: tuple[int, ...]
    """Tricks taken in this hand, by seat."""


class HandWon(StrEnum):
    """How a hand ended."""

    TRICKS = "tricks"
    """somebody took most tricks"""
    THROWN_IN = "thrown_in"
    """everyone else gave up"""
    DRAWN = "drawn"
    """trick and tie, or nothing but ties"""


class HandEnded(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="hand"):
    """A hand is over and scored."""

    how: HandWon
    """What ended it."""
    winner: Seat | None
    """None: it was drawn."""
    points: int
    """Points added to the winner's score: 0 when the hand was drawn, or decided the game by itself."""
    scores: tuple[int, ...]
    """Scores by seat after it."""
    anew: bool = False
    """The scores were set back to nothing, because an accepted put was drawn."""


class GameWon(StrEnum):
    """How a game ended."""

    POINTS = "points"
    """somebody reached the target"""
    PUT = "put"
    """by an accepted put"""
    OUTRIGHT = "outright"
    """by winning a hand, where that wins the game"""
    FORFEIT = "forfeit"
    """by time or departure"""


class GameEnded(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="game"):
    """A game is over and paid. A rubber has several of these."""

    how: GameWon
    """What ended it."""
    winners: tuple[Seat, ...]
    """One seat, or both of the side that won."""
    scores: tuple[int, ...]
    """Scores by seat as they stood at the end."""
    paid: tuple[int, ...]
    """What each seat's purse gained (or, below 0, lost) by it."""
    rubber: tuple[int, ...] = ()
    """Games won in the rubber by each seat, where one is played; it goes on until somebody has enough."""
    goes_on: bool = False
    """The rubber goes on: its next game begins, the scores at nothing and the hands counted anew."""


class Sat(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="sat"):
    """Somebody took a seat."""

    seat: Seat
    name: str
    """Whose it is now."""
    is_house: bool = False
    is_bot: bool = False


class Stood(ShowsNoCard, frozen=True, tag_field="event", tag="stood"):
    """Somebody gave up a seat."""

    seat: Seat
    name: str
    """Whose it was."""


class GameStarted(ShowsNoCard, frozen=True, tag_field="event", tag="started"):
    """A game begins, or a rubber where one is played: its games after the first begin without this."""

    game: int
    """Which game at this table, from 1."""
    names: tuple[str, ...]
    """Who plays, by seat."""


class Agreed(ShowsNoCard, frozen=True, tag_field="event", tag="agreed"):
    """A player is ready for another game; it starts when all are."""

    seat: Seat


class PresenceChanged(ShowsNoCard, frozen=True, tag_field="event", tag="presence"):
    """A seated player's connection was lost (away) or came back."""

    seat: Seat
    away: bool
    """Lost; or else, back."""


class PauseAsked(ShowsNoCard, frozen=True, tag_field="event", tag="pause_asked"):
    """A player asks for a pause; it begins when all who are here have."""

    seat: Seat
    minutes: int
    """How long it may be at most."""


class Paused(ShowsNoCard, frozen=True, tag_field="event", tag="paused"):
    """Everyone agreed: clocks stand still and nobody may play, until all are ready to go on or the time is over."""

    minutes: int
    """How long it may be at most."""


class GoOnAsked(ShowsNoCard, frozen=True, tag_field="event", tag="go_on_asked"):
    """A player is ready to go on."""

    seat: Seat


class WentOn(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="went_on"):
    """The pause is over."""

    by_time: bool = False
    """Its time was over, whoever is ready."""


class Said(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="said"):
    """Talk. What the gallery says during a game reaches the gallery only (Law 6: "No bystander must interfere")."""

    name: str
    """Who said it."""
    text: str
    """What was said."""
    seat: Seat | None = None
    """None: from the gallery."""


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
TableEvent = Sat | Stood | GameStarted | Agreed | PresenceChanged | PauseAsked | Paused | GoOnAsked | WentOn | Said
Event = PutEvent | TableEvent | SealEvent
