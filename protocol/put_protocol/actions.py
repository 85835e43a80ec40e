"""All that a player may do. On the wire an action is a map whose `do` names it: `{"do": "play", "card": "3s"}`."""

from msgspec import Struct

from put_protocol.cards import WireCard


class Play(Struct, frozen=True, tag_field="do", tag="play"):
    """Lead a card, or play one to the trick."""

    card: WireCard


class Put(Struct, frozen=True, tag_field="do", tag="put"):
    """Say "I put": the others throw in their cards or see."""


class See(Struct, frozen=True, tag_field="do", tag="see"):
    """Accept a put: the hand is played out for what the rule set says."""


class ThrowIn(Struct, frozen=True, tag_field="do", tag="throw"):
    """Lay the cards away unseen and give up the hand."""


class Pass(Struct, frozen=True, tag_field="do", tag="pass"):
    """Say nothing, where a put is asked for before the first trick."""


class Double(Struct, frozen=True, tag_field="do", tag="double"):
    """Offer to double the hand's value: the other takes it, by `see`, or throws in."""


class Give(Struct, frozen=True, tag_field="do", tag="give"):
    """Give your partner your best card and throw the others away; your partner plays for both."""


class Let(Struct, frozen=True, tag_field="do", tag="let"):
    """Let your partner give to you; you play for both."""


class Discard(Struct, frozen=True, tag_field="do", tag="discard"):
    """Throw a card away, having been given one."""

    card: WireCard


class Redeal(Struct, frozen=True, tag_field="do", tag="redeal"):
    """Call a fresh deal after an accident in the dealing (Laws 1, 4 and 5)."""


class Abide(Struct, frozen=True, tag_field="do", tag="abide"):
    """Let the deal stand; a card too many is drawn, unseen, out of the hand that has it."""


Action = Play | Put | See | ThrowIn | Pass | Double | Give | Let | Discard | Redeal | Abide


class Choice(Struct, frozen=True):
    """A legal action with the server's own words for it."""

    action: Action
    """As `act` takes it."""
    says: str
    """A phrase to show or say, such as `lead the 3 of spades`. For people; a program looks at the action."""
