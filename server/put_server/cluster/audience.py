"""Audience of a gateway: guests who get the same message, encoded once for each codec.

It is the guests that a shard names, those who look at a page of the lobby, or all guests.
"""

from collections.abc import Callable, Collection

from put_protocol.messages import LobbyState, Notice
from put_server.cluster.guests import Guest, Guests
from put_server.transport.interfaces import Unsent
from put_server.transport.page_encodings import PageEncodings
from put_server.transport.reception import AT_ONCE


class Audience:
    def __init__(self, guests: Guests, unsent: Unsent, crowd: Unsent) -> None:
        """`unsent`: peers that are written to at once; `crowd`: peers that are written to bit by bit."""
        self._guests = guests
        self._unsent = unsent
        self._crowd = crowd
        self._encodings = PageEncodings()

    def deliver(self, shard: int, connections: tuple[int, ...], data: bytes) -> None:
        """Deliver a shard's bytes to these connections."""
        unsent = self._unsent if len(connections) <= AT_ONCE else self._crowd
        known = self._guests.by_number
        reframed: dict[Callable[[bytes], bytes], bytes] = {}
        """The bytes in each other form that guests take."""
        for number in connections:
            guest = known.get(number)
            if guest is None or shard not in guest.visits:
                continue  # the guest left, and the shard did not know yet
            own, reframe = data, guest.reframe
            if reframe is not None:
                own = reframed.get(reframe) or reframed.setdefault(reframe, reframe(data))
            if guest.greeting is None:
                guest.session.deliver(own)
                unsent[guest.session] = ()
            else:
                guest.greeting.held.append(own)

    def announce(self, says: str) -> int:
        """Send a notice to all guests; returns their number."""
        guests = [guest for guest in self._guests if guest.greeting is None]
        self.tell(guests, Notice(says))
        return len(guests)

    def tell(self, guests: Collection[Guest], message: LobbyState | Notice) -> None:
        unsent = self._unsent if len(guests) <= AT_ONCE else self._crowd
        encoded = self._encodings.of(message) if isinstance(message, LobbyState) else {}
        for guest in guests:
            session, codec = guest.session, guest.session.codec
            if codec is None:
                session.send(message)
            else:
                if (data := encoded.get(codec)) is None:
                    data = encoded[codec] = codec.encode(message)
                session.deliver(data)
            unsent[session] = ()
