"""A recorded game as one viewer saw it: the fold again, and of each fact what it lets them see."""

from collections.abc import Iterator, Sequence

from put_protocol.seats import Viewer
from put_rules.game import RuleSet
from put_rules.record import Assist, GameRecord
from put_rules.steps import Played, fold, with_shown
from put_text.notation import Sheet, SheetPlayer, SheetStep, write

PART = 12_000
"""Characters in a message: of four bytes each, and with what JSON adds, they fit in a frame."""

PARTS = 24
"""Messages of a game at most: a third of what may wait for a peer. A game of Put takes three to twelve."""


def sheet_of(record: GameRecord, rule_set: RuleSet, viewer: Viewer, *, date: str, server: str) -> Sheet:
    """The sheet of a game, for a seat or the gallery. A card of a blind deal that was not shown is its place.

    :raises BadRecord: a step of the record does not follow.
    """
    record = with_shown(record)
    game = rule_set.make(len(record.players), record.options)
    begun, *played = fold(record, game)
    return Sheet(
        game=record.rule_set,
        options=record.options,
        table=record.table,
        number=record.number,
        date=date,
        server=server,
        viewer=viewer,
        players=tuple([SheetPlayer(player.name, player.is_bot, player.is_house) for player in record.players]),
        is_exhibition=record.is_exhibition,
        is_assisted=any(isinstance(step.input, Assist) for step in played),
        opening=game.view(begun.state, viewer),
        steps=tuple(_steps(played, viewer)),
    )


def parts_of(sheet: Sheet) -> tuple[str, ...]:
    """The sheet as text, in pieces for messages; none if it is too long to be sent."""
    text = write(sheet)
    return tuple([text[at : at + PART] for at in range(0, len(text), PART)]) if len(text) <= PART * PARTS else ()


def _steps(played: Sequence[Played], viewer: Viewer) -> Iterator[SheetStep]:
    for step in played:
        events = tuple([event for fact in step.facts if (event := fact.seen_by(viewer)) is not None])
        if events:
            yield SheetStep(step.at, events)
