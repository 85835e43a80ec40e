"""Replay of what was kept: nothing is accepted that a server would not have written after what is before it."""

from collections.abc import Iterable, Iterator

from put_protocol.messages import Act
from put_server.journal.reading import Record
from put_server.lobby.folding import DoesNotFollow, fold
from put_server.lobby.inputs import Ask, Input, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.table.effects import Effect, WantPack, WantSecret

Want = WantPack | WantSecret


def replay(lobby: Lobby, since: int, records: Iterable[Record]) -> Iterator[tuple[Record, list[Effect]]]:
    """Fold records into a lobby as it was at `since`; each with what came of it then.

    :raises DoesNotFollow: one would not have been kept; the sentence names it.
    """
    wanted: list[Want] = []
    number, at = 0, since
    for number, now, event in records:
        if now < at:
            raise DoesNotFollow(f"record {number} was kept {at - now} ms before the one before it")
        at = now
        _take_pack(wanted, number, event)
        # What a house player does may come too late for its seat, and is kept all the same.
        if isinstance(event, Ask) and event.person not in lobby.people and not isinstance(event.request, Act):
            raise DoesNotFollow(f"record {number} is a request of somebody who is not here")
        try:
            effects = fold(lobby, event, at)
        except DoesNotFollow as error:
            raise DoesNotFollow(f"record {number} is {error}") from None
        # A pack that is dealt may want another, which is dealt before what waited already.
        wanted[:0] = [effect for effect in effects if isinstance(effect, WantPack | WantSecret)]
        yield Record(number, at, event), effects
    if wanted:
        raise DoesNotFollow(f"record {number} is the last, and table {wanted[0].table} has not got the pack it wants")


def _take_pack(wanted: list[Want], number: int, event: Input) -> None:
    """Packs are kept together with the input that wants them, and in the order they are wanted."""
    if not isinstance(event, Shuffled | Secret):
        if wanted:
            raise DoesNotFollow(f"record {number} is in the place of the pack that table {wanted[0].table} wants")
        return
    if not wanted or wanted[0].table != event.table:
        raise DoesNotFollow(f"record {number} is a pack that table {event.table} did not want")
    want = wanted.pop(0)
    if isinstance(event, Secret) != isinstance(want, WantSecret):
        raise DoesNotFollow(f"record {number} deals otherwise, sealed or not, than table {event.table} wanted")
    if isinstance(event, Secret) or isinstance(want, WantSecret):
        return
    if sorted(event.pack) != sorted(want.cards) or event.pack[: len(want.top)] != want.top:
        raise DoesNotFollow(f"record {number} is a pack of other cards than table {event.table} wanted")
