"""Audience of a gateway: guests who are told something together, which is encoded once for all who speak alike.

They are those that a shard names, those who look at the lobby, and everybody.
"""

from collections.abc import Callable, Collection

from put_protocol.codecs import Codec
from put_protocol.messages import LobbyState, Look, Notice, Ok
from put_server.cluster.desk import Desk
from put_server.cluster.guests import Guest, Guests
from put_server.cluster.shared_lobby import SharedLobby
from put_server.transport.neighbours import Unsent
from put_server.transport.reception import AT_ONCE


class Audience:
    """All guests, and which of them look."""

    def __init__(
        self,
        desk: Desk,
        guests: Guests,
        lobby: SharedLobby,
        unsent: Unsent,
        crowd: Unsent,
    ) -> None:
        """`unsent`, `crowd`: who is written to at once, and who by and by, as at any reception."""
        self._desk = desk
        self._guests = guests
        self._lobby = lobby
        self._unsent = unsent
        self._crowd = crowd
        self._lookers: dict[Guest, None] = {}

    def deliver(self, shard: int, connections: tuple[int, ...], data: bytes) -> None:
        """Bytes of a shard for these connections."""
        unsent = self._unsent if len(connections) <= AT_ONCE else self._crowd
        known = self._guests.by_number
        reframed: dict[Callable[[bytes], bytes], bytes] = {}
        """Once for all who take it so."""
        for number in connections:
            guest = known.get(number)
            if guest is None or shard not in guest.visits:
                continue  # they went, and the shard did not know yet
            own, reframe = data, guest.reframe
            if reframe is not None:
                own = reframed.get(reframe) or reframed.setdefault(reframe, reframe(data))
            if guest.greeting is None:
                guest.session.deliver(own)
                unsent[guest.session] = ()
            else:
                guest.greeting.held.append(own)

    def announce(self, says: str) -> int:
        """Send a notice to everyone; returns how many they are."""
        guests = [guest for guest in self._guests if guest.greeting is None]
        self._tell(guests, Notice(says))
        return len(guests)

    def _tell(self, guests: Collection[Guest], message: LobbyState | Notice) -> None:
        unsent = self._unsent if len(guests) <= AT_ONCE else self._crowd
        encoded: dict[Codec, bytes] = {}
        for guest in guests:
            session, codec = guest.session, guest.session.codec
            if codec is None:
                session.send(message)
            else:
                if (data := encoded.get(codec)) is None:
                    data = encoded[codec] = codec.encode(message)
                session.deliver(data)
            unsent[session] = ()

    # --- who looks at the lobby ---

    def look(self, guest: Guest, request: Look, now: int) -> None:
        """Somebody looks from now on."""
        pages = self._lobby.begin(guest, now, is_first=not self._lookers)
        self._lookers[guest] = None
        self._desk.answer(guest, Ok(request.id))
        for page in pages:
            self._desk.answer(guest, page)

    def look_away(self, guest: Guest) -> None:
        """They do not look any more; may be called again."""
        self._lookers.pop(guest, None)
        self._lobby.forget(guest)

    def tell_news(self, now: int) -> None:
        """Tell those who look what is new, if it may be told now."""
        for page in self._lobby.news(now, len(self._lookers)):
            self._tell(self._lookers, page)
        for guest, page in self._lobby.rests(now):
            assert isinstance(guest, Guest)
            self._desk.answer(guest, page)
