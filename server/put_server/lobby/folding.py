"""Folding of recorded inputs into a lobby: each must be carried out now as it was then.

A journal holds only inputs that were carried out, in the order in which they were. The lobby asks no clock and no
source of chance, so the same inputs give the same lobby, card for card. Hence an input that is refused, that is of
somebody unknown, or that deals a pack nobody waits for is no matter of taste: the records before it are not the ones
it was recorded after. To skip it and go on would bring back a lobby that never was, with purses and hands that nobody
was ever told of. So the fold is strict: it stops, and the server does not start until an operator has decided.
"""

from put_server.games.game import GameError
from put_server.lobby.inputs import Input
from put_server.lobby.lobby import Lobby
from put_server.lobby.people import UnknownPerson
from put_server.table.effects import Effect


class DoesNotFollow(ValueError):
    """An input that would not have been recorded after those before it; the sentence says why, and names no card."""


def fold(lobby: Lobby, event: Input, at: int) -> list[Effect]:
    """Hand a recorded input in again; its effects are history.

    :raises DoesNotFollow: only inputs that are carried out are recorded, and this one cannot be.
    """
    kind = event.__struct_config__.tag
    try:
        outcome = lobby.handle(event, at)
    except UnknownPerson:
        raise DoesNotFollow(f"an input ({kind}) of somebody who is not here") from None
    except GameError as error:
        raise DoesNotFollow(f"a pack that was not awaited ({error})") from None
    if outcome.is_refused:
        raise DoesNotFollow(f"an input ({kind}) that is refused")
    return outcome.effects
