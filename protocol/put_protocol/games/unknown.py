"""Views, events and actions of a later release: the tag, and the values as received.

Only clients use them: `codecs.ReplyDecoder` makes one for each unknown tag in a server's message. The client shows such
a game in the server's words, or by its values. To play, it chooses among the offered actions, and sends the chosen
action back unchanged. A server never makes these types, and refuses unknown tags.
"""

from collections.abc import Mapping
from typing import Any

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.games.family import WireAction, WireView
from put_protocol.seats import Seat
from put_protocol.shown import WireEvent


class UnknownView(WireView, frozen=True):
    """A game of an unknown family. The fields that all views share can be read from it."""

    tag: str
    values: Mapping[str, Any]
    """Its fields, without the tag."""

    @property
    def raw(self) -> dict[str, Any]:
        return {"view": self.tag, **self.values}

    @property
    def to_move(self) -> Seat | None:
        """The player who is to move; None: no player, or not stated."""
        seat = self.values.get("to_move")
        return Seat(seat) if isinstance(seat, int) else None

    @property
    def moment(self) -> Any:
        """The current decision, in a word of the family; None: none, or not stated."""
        return self.values.get("moment")

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards in each hand; empty: not stated."""
        counts = self.values.get("counts")
        is_known = isinstance(counts, list) and all(isinstance(count, int) for count in counts)
        return tuple(counts or ()) if is_known else ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The viewer's own cards, without those of an unknown pack."""
        cards = self.values.get("cards")
        held = [card for card in cards if isinstance(card, str)] if isinstance(cards, list) else []
        return tuple(Card(card) for card in held if card in CARD_ORDER)


class UnknownEvent(WireEvent, frozen=True):
    """An event of an unknown kind."""

    tag: str
    values: Mapping[str, Any]
    """Its fields, without the tag."""

    @property
    def raw(self) -> dict[str, Any]:
        return {"event": self.tag, **self.values}


class UnknownAction(WireAction, frozen=True):
    """An action that the player can choose, although its effect is unknown here. The server supplies its text."""

    tag: str
    values: Mapping[str, Any]
    """Its fields, without the tag."""

    @property
    def raw(self) -> dict[str, Any]:
        """The map as received, to be sent back."""
        return {"do": self.tag, **self.values}


class UnknownUnseenAction(UnknownAction, frozen=True):
    """An unknown action that names cards hidden from the other players, as its choice says."""

    IS_UNSEEN = True
