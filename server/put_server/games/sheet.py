"""A recorded game as one viewer saw it: the fold again, and of each fact what it lets him see."""

from collections.abc import Iterable, Iterator

from put_protocol.notation import Player, Sheet, Step
from put_protocol.seats import Viewer
from put_server.games.game import RuleSet
from put_server.games.record import GameRecord, Played, fold


def sheet_of(record: GameRecord, rule_set: RuleSet, viewer: Viewer, *, date: str, server: str) -> Sheet:
    """The sheet of a game, for a seat or the gallery.

    :raises BadRecord: a step of the record does not follow.
    """
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
        players=tuple([Player(player.name, player.is_bot, player.is_house) for player in record.players]),
        is_exhibition=record.is_exhibition,
        opening=game.view(begun.state, viewer),
        steps=tuple(_told(played, viewer)),
    )


def _told(played: Iterable[Played], viewer: Viewer) -> Iterator[Step]:
    for step in played:
        seen = [fact.seen_by(viewer) for fact in step.facts]
        events = tuple([event for event in seen if event is not None])
        if events:
            yield Step(step.at, events)
