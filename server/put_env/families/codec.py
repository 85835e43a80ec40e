"""Interface of a family's codec: its observations and actions as numbers."""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from typing import Any

from put_env.layout import Layout
from put_protocol.seats import Seat
from put_rules.facts import Fact


class Codec(ABC):
    """Translation of views into numbers, and of numbers into actions.

    The law: an observation is a function of the view and the seat it is for, and the mask beside it of the legal
    actions of the decision: of what the server sends to that seat, and of nothing else.
    """

    layout: Layout
    actions: tuple[str, ...]
    """The name of every action, by its number."""
    hand_ends: tuple[type, ...]
    """The events that end a hand; a deal that is called afresh or thrown in goes on as the same hand."""

    @abstractmethod
    def encode(self, view: Any, seat: Seat) -> "array[float]":
        """The observation of a seat from its view."""

    @abstractmethod
    def coded(self, view: Any, legal: Sequence[Any]) -> dict[int, Any]:
        """The legal actions of a decision by their numbers. Several that no rule tells apart have one number, which
        stands for the first of them."""

    def points(self, before: Any, facts: Sequence[Fact]) -> tuple[float, ...] | None:
        """Points that facts which end a hand bring each seat; None: this family has no points.

        `before`: the state they came from.
        """
        return None

    def with_scores(self, state: Any, scores: Sequence[int]) -> Any:
        """A game that is about to begin, at these scores.

        :raises ValueError: this family has no scores, or not these.
        """
        raise ValueError("games of this family have no scores to begin at")
