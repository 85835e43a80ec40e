"""Replay of a journal: recorded inputs are applied to a lobby, and each must succeed again.

A journal contains only inputs that were carried out, in order. The lobby uses no clock and no source of chance, so the
same inputs give the same lobby, card for card. So if an input is refused, has an unknown person, or deals a pack that
no table waits for, then the records before it are not the original ones. Skipping it would restore a lobby that never
existed, with purses and hands that no player ever saw. So the replay is strict: it stops there, and the server does not
start until an operator has decided.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from put_rules.game import GameError
from put_rules.steps import BadRecord
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import Checkpoint, JournalRecord, JournalRows
from put_server.lobby.inputs import Input, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.lobby.people import UnknownPerson
from put_server.lobby.settling import Want
from put_server.table.table_effects import Effect, WantSecret


class DoesNotFollow(JournalError):
    """A checkpoint that is invalid, or an input that could not have been recorded after the earlier ones. The sentence
    says why, and names no card."""


def fold(lobby: Lobby, event: Input, at: int) -> list[Effect]:
    """Apply a recorded input again. Callers must not perform its effects.

    :raises DoesNotFollow: the input cannot be carried out, so it was never recorded here.
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
    """Apply records to a lobby in its state at `since`; yields each with its effects.

    :raises DoesNotFollow: a record could not have been recorded; the sentence names it.
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
        # Packs wanted by a dealt pack come before those that already waited, as in `settle`.
        wanted[:0] = [effect for effect in effects if isinstance(effect, Want)]
        yield JournalRecord(number, at, event), effects
    if wanted:
        raise DoesNotFollow(f"record {number} is the last, and table {wanted[0].table} has not got the pack it wants")


def bring_back(
    lobby: Lobby, checkpoint: Checkpoint | None, records: Iterable[JournalRecord]
) -> Iterator[tuple[JournalRecord, list[Effect]]]:
    """Replay a journal into an empty lobby; yields each record with its effects.

    :raises DoesNotFollow: the checkpoint is invalid, or a record could not have been recorded; the sentence names it.
    """
    if checkpoint is not None:
        try:
            lobby.restore(checkpoint.lobby)
        except BadRecord as error:
            raise DoesNotFollow(f"the checkpoint does not hold: {error}") from None
    yield from replay(lobby, 0 if checkpoint is None else checkpoint.at, records)


def after_all(lobby: Lobby, kept: JournalRows) -> Checkpoint:
    """Replay a whole journal into an empty lobby. Returns the checkpoint that would replace it.

    :raises JournalError: a row is unreadable, or does not follow.
    """
    deque(bring_back(lobby, kept.lobby(), kept.inputs()), maxlen=0)
    return Checkpoint(*kept.last, lobby.checkpoint())


def _take_want(wanted: list[Want], number: int, event: Input) -> None:
    """Packs are recorded together with the input that wants them, in the order of the wants."""
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
