"""Bodies of the acts in the transcript of a blind game: an action of a player, or a ruling of the server.

A body is one msgpack map. An action is the map that `act` has. A ruling is a decision of the server, which signs it:
`{"ruling": "timed_out", "seat": 1}`. An act that names cards hidden from other players is 0xc1 and the HMAC of its map.
Only its player and the server can compute the key.
"""

import hmac
from enum import StrEnum

import msgspec
from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.errors import ProofError
from put_protocol.games.unions import Action
from put_protocol.games.unknown import UnknownAction
from put_protocol.seats import Seat


class ShownCard(Struct, frozen=True, gc=False):
    """A player showed a card. The rules decide whether they led it or played it to a trick."""

    card: Card


class RulingKind(StrEnum):
    """Decisions of the server alone."""

    TIMED_OUT = "timed_out"
    """The player's time was over."""
    LEFT = "left"
    """The player left the game."""
    MISSED = "missed"
    """The player did not do their part of this deal. They time out at each of their turns."""


class Ruling(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A decision of the server about a player."""

    ruling: RulingKind
    seat: Seat


class UnseenAct(Struct, frozen=True, gc=False):
    """An act that names cards hidden from other players. Only its player and the server can read it."""


SignedAct = Action | Ruling | ShownCard | UnseenAct

_UNSEEN = b"\xc1"
"""The one byte that begins no msgpack value."""

_UNSEEN_BYTES = 33

_ACTIONS: msgspec.msgpack.Decoder[Action] = msgspec.msgpack.Decoder(Action)
_RULINGS = msgspec.msgpack.Decoder(Ruling)


def act_body(act: Action | Ruling) -> bytes:
    return msgspec.msgpack.encode(act.raw if isinstance(act, UnknownAction) else act)


def unseen_body(key: bytes, action: Action) -> bytes:
    """The body of an act that other players may not read. `key`: from `unseen_key`, secret to player and server."""
    return _UNSEEN + hmac.digest(key, act_body(action), "sha256")


def read_act(body: bytes) -> Action | UnseenAct:
    """:raises ProofError: no action of any game."""
    return UnseenAct() if body[:1] == _UNSEEN and len(body) == _UNSEEN_BYTES else read_action(body)


def read_action(body: bytes) -> Action:
    """:raises ProofError: no action of any game."""
    try:
        action = _ACTIONS.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        raise ProofError("an act is no action of a game") from None
    return action


def read_ruling(body: bytes) -> Ruling:
    """:raises ProofError: no ruling."""
    try:
        return _RULINGS.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        raise ProofError("an act of the server is no ruling") from None


def is_of_action(signed: SignedAct, action: Action) -> bool:
    """True if an act of the transcript can be this action. An unseen act or a shown card determines it only in part."""
    if isinstance(signed, UnseenAct):
        return action.IS_UNSEEN
    return signed == action or (isinstance(signed, ShownCard) and getattr(action, "card", None) == signed.card)
