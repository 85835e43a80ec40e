"""A seat at a scripted server, and sealed deals for the server to tell, message by message."""

import asyncio
from typing import NamedTuple

from put_client.sdk.traffic import Message
from put_protocol.cards import FULL_PACK
from put_protocol.games.put import Dealt, Played
from put_protocol.messages import Cut, LookAway, Notice, Ok, Promise, ServerMessage, Sit, TableSnapshot
from put_protocol.seal.cuts import Chain
from put_protocol.seal.packs import Sealing, seal
from put_protocol.seal_events import CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import Seat
from put_protocol.table_info import TableState
from put_rules.live_deal import LiveDeal, unsealed
from put_rules.record import Seal
from tests.client.checking_players import Noting, soon
from tests.client.scripted_server import Peer, info
from tests.client.scripted_server import Server as Scripted

THEIRS = Chain(b"theirs".ljust(32), 8)
"""Of whoever sits opposite."""

OPEN = info(TableState.BETWEEN, games=1)
PLAYING = info(TableState.PLAYING, games=1)
MOLL = Seat(0)
TO = (MOLL, Seat(1)) * 3


class Seated(NamedTuple):
    """A client in a seat of table 7, and the server's end of it."""

    client: Noting
    peer: Peer
    end: bytes
    seat: Seat


async def seated(server: Scripted, seat: int = 0) -> Seated:
    """Who sat down with the end of a chain."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, name=f"P{seat}", waits=soon))
    peer = await server.arrival()
    await peer.welcome()
    client = await connecting
    sitting = asyncio.ensure_future(client.sit(7))
    asked = await peer.hear(Sit)
    peer.say(TableSnapshot(7, Seat(seat), 0, OPEN), Ok(id=asked.id, table=7, seat=Seat(seat)))
    await sitting
    assert asked.end is not None
    return Seated(client, peer, asked.end, Seat(seat))


def packs_of(number: int) -> Sealing:
    return seal(number.to_bytes(32), 7, number, FULL_PACK)


def sealed(number: int, *ends: bytes | None, packs: Sealing | None = None) -> Sealed:
    return Sealed(number, (packs or packs_of(number)).roots, TO, ends)


def void(number: int, *seats: int) -> DealVoided:
    """Called off because of these, with both packs turned up."""
    first, second = packs_of(number).packs
    return DealVoided(number, tuple(map(Seat, seats)), seeds=(first.seed, second.seed))


class Dealing(NamedTuple):
    """A deal that an honest server has dealt."""

    cut: CutsShown
    hand: Dealt
    """As seat 0 sees it."""
    openings: Openings
    """For seat 0, ahead of it."""
    live: LiveDeal


def dealing(seal: Sealed, *links: bytes | None) -> Dealing:
    """With these cuts."""
    cut = CutsShown(seal.deal, links)
    live = unsealed(7, Seal(seal.deal.to_bytes(32), seal, cut), opens_after=False)
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), live.pack.cards[0:6:2])
    assert live.prover is not None
    openings = live.prover.openings_due(Seat(0), (hand,))
    assert openings is not None
    return Dealing(cut, hand, openings, live)


def led(dealt: Dealing) -> tuple[Openings, Played]:
    """The other's first card, and its proof."""
    played = Played(Seat(1), dealt.live.pack.cards[1], leads=True)
    assert dealt.live.prover is not None
    openings = dealt.live.prover.openings_due(Seat(0), (played,))
    assert openings is not None
    return openings, played


async def heard(who: Seated, *messages: ServerMessage) -> list[Message]:
    """What the client made of it."""
    who.peer.say(*messages, Notice("that is all"))
    came: list[Message] = []
    async for message in who.client:
        if isinstance(message, Notice):
            break
        came.append(message)
    return came


async def dropped(who: Seated, server: Scripted, *then: ServerMessage) -> Seated:
    """The connection is lost, and this is told on the next one."""
    who.peer.drop()
    back = who._replace(peer=await server.arrival())
    await back.peer.welcome_back(*then, tables=(7,))
    return back


async def cut_of(who: Seated) -> Cut:
    cut = await who.peer.hear_cut()
    assert isinstance(cut, Cut)
    return cut


async def promise_of(who: Seated) -> bytes | None:
    promise = await who.peer.hear_cut()
    assert isinstance(promise, Promise)
    return promise.end


async def sent_by(who: Seated) -> list[Cut | Promise]:
    """What else was cut and promised, up to a request that is made now."""
    asking = asyncio.ensure_future(who.client.look_away())
    asked = await who.peer.hear(LookAway)
    who.peer.say(Ok(id=asked.id))
    await asking
    return [who.peer.cuts.get_nowait() for _ in range(who.peer.cuts.qsize())]
