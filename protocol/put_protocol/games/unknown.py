"""Views, events and actions of a later release, which this release does not know: the tag, and the values as they came.

Only a client meets them: `codecs.ReplyDecoder` makes one wherever a server's message has a tag of none of the unions.
The client shows such a game in the server's words or by its values. It plays it by choosing among the actions offered,
and sends the chosen one back as it came. A server makes none of these, and refuses what it does not know.
"""

from collections.abc import Mapping
from typing import Any

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.games.family import WireAction, WireView
from put_protocol.seats import Seat
from put_protocol.shown import WireEvent


class UnknownView(WireView, frozen=True):
    """A game of a family that is not known here. What views of all families have can be read from it."""

    tag: str
    values: Mapping[str, Any]
    """Its fields, without the tag."""

    @property
    def raw(self) -> dict[str, Any]:
        return {"view": self.tag, **self.values}

    @property
    def to_move(self) -> Seat | None:
        """The player whose decision it is; None: no player's, or it does not say."""
        seat = self.values.get("to_move")
        return Seat(seat) if isinstance(seat, int) else None

    @property
    def moment(self) -> Any:
        """The decision they are asked for, in a word of the family's; None: nothing, or it does not say."""
        return self.values.get("moment")

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards in each hand; empty: it does not say."""
        counts = self.values.get("counts")
        is_known = isinstance(counts, list) and all(isinstance(count, int) for count in counts)
        return tuple(counts or ()) if is_known else ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The viewer's own cards, as far as they are cards of a pack that is known here."""
        cards = self.values.get("cards")
        held = [card for card in cards if isinstance(card, str)] if isinstance(cards, list) else []
        return tuple(Card(card) for card in held if card in CARD_ORDER)


class UnknownEvent(WireEvent, frozen=True):
    """Something that happened, of a kind that is not known here."""

    tag: str
    values: Mapping[str, Any]
    """Its fields, without the tag."""

    @property
    def raw(self) -> dict[str, Any]:
        return {"event": self.tag, **self.values}


class UnknownAction(WireAction, frozen=True):
    """An action that may be chosen, though its effect is not known here: the server says it in its own words."""

    tag: str
    values: Mapping[str, Any]
    """Its fields, without the tag."""

    @property
    def raw(self) -> dict[str, Any]:
        """The map that came, to be sent back."""
        return {"do": self.tag, **self.values}


class UnknownUnseenAction(UnknownAction, frozen=True):
    """The same of one that names cards which the other players do not see, as its choice says."""

    IS_UNSEEN = True
