"""Inputs that were kept, handed in again: each must be carried out now as it was then."""

from put_protocol.messages import Refused
from put_server.games.game import GameError
from put_server.lobby.inputs import Input
from put_server.lobby.lobby import Lobby
from put_server.table.effects import Effect, Tell, TurnAway


class DoesNotFollow(ValueError):
    """An input that would not have been kept after those before it; the sentence says why, and names no card."""


def fold(lobby: Lobby, event: Input, at: int) -> list[Effect]:
    """Hand a kept input in again; its effects are history.

    :raises DoesNotFollow: only inputs that are carried out are kept, and this one cannot be.
    """
    kind = event.__struct_config__.tag
    try:
        effects = lobby.handle(event, at)
    except KeyError:
        raise DoesNotFollow(f"an input ({kind}) of somebody who is not here") from None
    except GameError as error:
        raise DoesNotFollow(f"a pack that was not awaited ({error})") from None
    if is_refused(effects):
        raise DoesNotFollow(f"an input ({kind}) that is refused")
    return effects


def is_refused(effects: list[Effect]) -> bool:
    """Whether the input changed nothing and was answered so."""
    first = effects[0] if effects else None
    return isinstance(first, TurnAway) or (isinstance(first, Tell) and isinstance(first.message, Refused))
