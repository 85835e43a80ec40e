"""A recorded game as one viewer saw it: a replay, with each fact as this viewer sees it."""

from put_protocol.seats import Viewer
from put_rules.facts import seen_by
from put_rules.game import RuleSet
from put_rules.record import Assist, GameRecord
from put_rules.steps import fold, with_shown
from put_text.notation import Sheet, SheetPlayer, SheetStep, write

PART = 12_000
"""Characters in a message: with four bytes each and JSON's overhead they fit a frame."""

PARTS = 24
"""Most messages of a game: a third of a peer's outbox. A game of Put takes three to twelve."""


def sheet_of(record: GameRecord, rule_set: RuleSet, viewer: Viewer, *, date: str, server: str) -> Sheet:
    """The sheet of a game, for a seat or the gallery. A hidden card of a blind deal appears as its place.

    :raises BadRecord: a step of the record is not valid.
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
        steps=tuple([SheetStep(step.at, seen) for step in played if (seen := seen_by(step.facts, viewer))]),
    )


def parts_of(sheet: Sheet) -> tuple[str, ...]:
    """The sheet as text, in pieces for messages; empty if it is too long."""
    text = write(sheet)
    return tuple([text[at : at + PART] for at in range(0, len(text), PART)]) if len(text) <= PART * PARTS else ()
