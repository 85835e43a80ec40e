"""The turns of a seat, what it faced and what it did: folded from a record, with nothing that it did not see."""

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from put_protocol.cards import rank_of
from put_protocol.games.put import (
    Dealt,
    Discard,
    Play,
)
from put_protocol.games.unions import (
    Action,
    Choice,
    Event,
    GameView,
)
from put_protocol.seats import Seat
from put_server.games.game import RuleSet, Turn
from put_server.games.record import GameRecord, Move, StandIn, fold


class Faced(Struct, frozen=True):
    """A decision as its player saw it."""

    seat: Seat
    view: GameView
    legal: tuple[Choice, ...]
    told: tuple[Event, ...]
    """All the seat was told of the hand, from its deal to this moment."""

    @property
    def is_choice(self) -> bool:
        """Whether there is anything to choose: which of two cards of one rank is played is nobody's concern."""
        return len({essence(choice.action) for choice in self.legal}) > 1


class Taken(Struct, frozen=True):
    """A turn: what was faced, and what was done."""

    faced: Faced
    done: Action


def essence(action: Action) -> tuple[type, str]:
    """What of an action bears on the game: of a card, its rank."""
    match action:
        case Play(card=card) | Discard(card=card):
            return type(action), rank_of(card)
        case _:
            return type(action), ""


def turns_of(record: GameRecord, rule_set: RuleSet, seat: Seat) -> tuple[tuple[Taken, ...], ...]:
    """A seat's turns, a tuple a hand. They end where somebody else took the seat; what time decided is none.

    :raises BadRecord: a step of the record does not follow.
    :raises BadOption: the options of the record are not the rule set's.
    """
    turns = _turns(record, rule_set, seat)
    return tuple([tuple(hand) for _, hand in groupby(turns, key=lambda taken: taken.faced.view.hand)])


def _turns(record: GameRecord, rule_set: RuleSet, seat: Seat) -> Iterator[Taken]:
    game = rule_set.make(len(record.players), record.options)
    before, told = None, list[Event]()
    for played in fold(record, game):
        match played.input:
            case Move(action=action) if game.awaits(before) == Turn(seat):
                yield Taken(Faced(seat, game.view(before, seat), game.choices(before), tuple(told)), action)
            case StandIn(seat=taken) if taken == seat:
                return
            case _:
                pass
        before = played.state
        for event in [event for fact in played.facts if (event := fact.seen_by(seat)) is not None]:
            if isinstance(event, Dealt):
                told.clear()
            told.append(event)
