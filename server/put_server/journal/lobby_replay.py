"""Replay of a journal: recorded inputs are folded into a lobby, and each must be carried out now as it was then.

A journal holds only inputs that were carried out, in the order in which they were. The lobby asks no clock and no
source of chance, so the same inputs give the same lobby, card for card. Hence an input that is refused, that is of
a person unknown, or that deals a pack no table waits for shows that the records before it are not the ones it was
recorded after. To skip it and go on would bring back a lobby that never was, with purses and hands that no player was
ever told of. So replay is strict: it stops there, and the server does not start until an operator has decided.
"""

from collections.abc import Iterable, Iterator

from put_rules.game import GameError
from put_server.journal.journal_reader import Checkpoint, JournalRecord
from put_server.lobby.inputs import Input, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.lobby.people import UnknownPerson
from put_server.lobby.settling import Want
from put_server.table.table_effects import Effect, WantSecret


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
        raise DoesNotFollow(f"an input ({kind}) of a person who is not here") from None
    except GameError as error:
        raise DoesNotFollow(f"a pack that was not awaited ({error})") from None
    if outcome.is_refused:
        raise DoesNotFollow(f"an input ({kind}) that is refused")
    return outcome.effects


def replay(lobby: Lobby, since: int, records: Iterable[JournalRecord]) -> Iterator[tuple[JournalRecord, list[Effect]]]:
    """Fold records into a lobby as it was at `since`; each with its effects.

    :raises DoesNotFollow: one would not have been recorded; the sentence names it.
    """
    wanted: list[Want] = []
    number, at = 0, since
    for number, now, event in records:
        if now < at:
            raise DoesNotFollow(f"record {number} was kept {at - now} ms before the one before it")
        at = now
        _take_want(wanted, number, event)
        try:
            effects = fold(lobby, event, at)
        except DoesNotFollow as error:
            raise DoesNotFollow(f"record {number} is {error}") from None
        # What a dealt pack wants is dealt before what waited already, as `settle` does.
        wanted[:0] = [effect for effect in effects if isinstance(effect, Want)]
        yield JournalRecord(number, at, event), effects
    if wanted:
        raise DoesNotFollow(f"record {number} is the last, and table {wanted[0].table} has not got the pack it wants")


def bring_back(
    lobby: Lobby, checkpoint: Checkpoint | None, records: Iterable[JournalRecord]
) -> Iterator[tuple[JournalRecord, list[Effect]]]:
    """Fold what a journal has into a lobby in which nothing has happened; each record with its effects.

    :raises BadRecord: the checkpoint does not hold.
    :raises DoesNotFollow: a record would not have been kept; the sentence names it.
    """
    if checkpoint is not None:
        lobby.restore(checkpoint.lobby)
    yield from replay(lobby, 0 if checkpoint is None else checkpoint.at, records)


def _take_want(wanted: list[Want], number: int, event: Input) -> None:
    """Packs are recorded together with the input that wants them, and in the order in which they are wanted."""
    if not isinstance(event, Shuffled | Secret):
        if wanted:
            raise DoesNotFollow(f"record {number} is in the place of the pack that table {wanted[0].table} wants")
        return
    if not wanted or wanted[0].table != event.table:
        raise DoesNotFollow(f"record {number} is a pack that table {event.table} did not want")
    want = wanted.pop(0)
    if isinstance(event, Secret) != isinstance(want, WantSecret):
        raise DoesNotFollow(f"record {number} deals otherwise, blind or not, than table {event.table} wanted")
    if isinstance(event, Secret) or isinstance(want, WantSecret):
        return
    if sorted(event.pack) != sorted(want.cards):
        raise DoesNotFollow(f"record {number} is a pack of other cards than table {event.table} wanted")
    if event.pack[: len(want.top)] != want.top:
        raise DoesNotFollow(f"record {number} is a pack in another order than table {event.table} has arranged")
