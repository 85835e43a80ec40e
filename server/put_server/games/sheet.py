"""A recorded game as one viewer saw it: the fold again, and of each fact what it lets him see."""

from collections.abc import Iterator, Sequence

from put_protocol.notation import Player, Sheet, Step
from put_protocol.seal.told import Openings
from put_protocol.seats import Viewer
from put_server.games.game import RuleSet
from put_server.games.opening import Opener, unsealed
from put_server.games.record import GameRecord, Pack, Played, fold


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
        steps=tuple(_told(record, played, viewer)),
    )


def _told(record: GameRecord, played: Sequence[Played], viewer: Viewer) -> Iterator[Step]:
    opener: Opener | None = None
    seals: list[Opener] = []
    for step in played:
        seen = [fact.seen_by(viewer) for fact in step.facts]
        events = tuple([event for event in seen if event is not None])
        if isinstance(step.input, Pack) and step.input.seal is not None:
            opener = unsealed(record.table, step.input.seal)[1]
            seals.append(opener)
            yield Step(step.at, events[:1])  # proofs come behind the seal
            events = events[1:]
        if not events:
            continue
        openings = opener.openings(viewer, events) if opener is not None else None
        told: tuple[Openings, ...] = () if openings is None else (openings,)
        if step is played[-1] and record.options.get("open") == "after_game":
            told += tuple([seal.whole() for seal in seals])
        yield Step(step.at, events, told)
