"""Adapter for one peer of protocol version 1, which knows no family but Put.

A client of version 1 ends the connection at a view or an action that it does not know. So at a table of another family
it is told what it does know, one for one:

- An event of the family becomes talk, in the server's words, which are there because a `hello` of version 1 says that
  its client knows Put alone. Numbers stay as they are.
- The view becomes one of Put, with whose move it is and what else has the same meaning in every game. The rest is told
  in sentences, behind the reason for the choices (`why`).
- An action becomes a discard, with the server's words, and is translated back: of its card, or of a card `see`, `b3`
  or `#7` that there is not, so that a screen which shows cards shows what it is.
- Seals are left out, and a player with version 1 takes no part in the cutting there: that client would check packs
  that it does not know, and find fault with honest ones.

At tables of Put everything is as it was. An event that version 1 does not have is passed over by its clients, which
count it all the same.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import get_args

from msgspec import structs
from msgspec.structs import replace

from put_protocol import messages
from put_protocol.cards import Card
from put_protocol.errors import ProtocolError
from put_protocol.games.put import Discard, PutView
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.messages import ServerMessage
from put_protocol.seal_events import Openings
from put_protocol.table_events import GameOver, LeftGame, Said, TableEvent, TimedOut

VERSION = 1

_KNOWN = tuple(kind for kind in get_args(TableEvent) if kind not in (TimedOut, LeftGame, GameOver))
"""Events of a table that version 1 has."""

_SPEAKER = "The table"
"""Who says the server's sentences."""

Received = messages.ClientMessage | ProtocolError


class OlderPeer:
    """Messages to and from one peer, in terms of version 1."""

    def __init__(self, family_at: Callable[[int], str]) -> None:
        """`family_at`: the family of the game at a table; of one that is unknown, Put's."""
        self._family_at = family_at
        self._boards: dict[int, tuple[str, ...]] = {}
        """By table: the view in sentences."""
        self._decisions: dict[int, tuple[int, dict[Card, Action]]] = {}
        """By table: the last decision, and its actions by the cards that stand for them."""

    def told(self, message: ServerMessage) -> ServerMessage | None:
        """The message as version 1 has it; None: it has none like it."""
        match message:
            case messages.Welcome():
                return replace(message, version=VERSION)
            case messages.Left(table=table):
                self._boards.pop(table, None)
                self._decisions.pop(table, None)
                return message
            case (
                messages.TableSnapshot(table=table) | messages.Events(table=table) | messages.Decision(table=table)
            ) if self._family_at(table) != "put":
                return self._adapted(message)
            case Openings(table=table) if self._family_at(table) != "put":
                return None
            case _:
                return message

    def _adapted(self, message: messages.TableSnapshot | messages.Events | messages.Decision) -> ServerMessage:
        match message:
            case messages.TableSnapshot():
                self._boards[message.table] = message.board
                return replace(message, view=_as_put(message.view), sealed=None, links=(), board=())
            case messages.Events():
                if message.board:
                    self._boards[message.table] = message.board
                said = message.says or ("",) * len(message.events)
                events = tuple([_as_known(event, says) for event, says in zip(message.events, said, strict=True)])
                return replace(message, events=events, view=_as_put(message.view), says=(), board=())
            case messages.Decision(table=table, decision=decision, legal=legal):
                cards = _cards_for([choice.action for choice in legal])
                self._decisions[table] = decision, cards
                known = tuple([Choice(Discard(card), choice.says) for card, choice in zip(cards, legal, strict=True)])
                why = " ".join([message.why or message.asks, *self._boards.get(table, ())])
                return replace(message, legal=known, why=why)

    def asked(self, received: Received) -> Received:
        """Request of a peer, in terms of this version."""
        match received:
            case messages.Act(table=table, decision=decision, action=Discard(card=card)):
                number, actions = self._decisions.get(table, (0, {}))
                return replace(received, action=actions[card]) if number == decision and card in actions else received
            case messages.Sit(table=table) | messages.Promise(table=table) if self._family_at(table) != "put":
                return replace(received, end=None)
            case _:
                return received


def _cards_for(actions: Iterable[Action]) -> dict[Card, Action]:
    """The actions by what is to stand for them: each has the length of a card, and no two are the same."""
    cards: dict[Card, Action] = {}
    for place, action in enumerate(actions, 1):
        card = _card_for(action)
        cards[card if card is not None and card not in cards else Card(f"#{place}")] = action
    return cards


def _card_for(action: Action) -> Card | None:
    """The card of the action, or a few letters and figures that say what it is."""
    name, values = str(action.__struct_config__.tag).rpartition(".")[2], structs.astuple(action)
    match values:
        case ():
            word = name.replace("_", "")[:4]
        case (Enum() as value,):
            word = str(value.value)[:4]
        case (str() as value,):
            word = value
        case (int() as value,):
            word = f"{name[:1]}{value}"
        case _:
            return None
    return Card(word) if 2 <= len(word) <= 4 else None


def _as_known(event: Event, says: str) -> Event:
    return event if isinstance(event, _KNOWN) else Said(_SPEAKER, says)


def _as_put(view: GameView | None) -> PutView | None:
    """Parts of the view that mean the same in Put."""
    if view is None:
        return None
    return PutView(
        target=1,
        scores=tuple([0 for _ in view.counts]),
        hand=getattr(view, "hand", 0),
        dealer=getattr(view, "dealer", None),
        eldest=getattr(view, "eldest", None),
        cards=view.cards,
        counts=view.counts,
        playing=getattr(view, "playing", ()) or tuple([True for _ in view.counts]),
        tricks=getattr(view, "tricks", ()) or tuple([0 for _ in view.counts]),
        to_move=view.to_move,
    )
