"""What a player may do. On the wire an action is a map whose `do` names it: `{"do": "play", "card": "3s"}`."""

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


Action = Play | Put | See | ThrowIn


class Choice(Struct, frozen=True):
    """A legal action with the server's own words for it."""

    action: Action
    says: str
    """A phrase to show or say, such as `lead the 3 of spades`. For people; a program looks at the action."""
