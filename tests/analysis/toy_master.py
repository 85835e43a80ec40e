"""A master that plays badly and fast: what he thinks follows from every bit of what he is given, and nothing else."""

from collections.abc import Mapping
from zlib import crc32

import msgspec

from put_protocol.games.unions import (
    Action,
)
from put_server.analysis.turns import Faced, essence
from put_server.analysis.verdicts import Opinion
from put_server.games.game import OptionValue


class Toy:
    """The second of two things that he is torn between he does three times in ten."""

    def mixture(self, faced: Faced) -> Mapping[Action, float]:
        values = self.opinion(faced).values
        first, *others = sorted(values, key=lambda action: -values[action])
        return {first: 0.7, others[0]: 0.3} if others else {first: 1.0}

    def opinion(self, faced: Faced) -> Opinion:
        known = msgspec.msgpack.encode(faced)
        kinds: dict[object, Action] = {}
        for choice in faced.legal:
            kinds.setdefault(essence(choice.action), choice.action)
        values = {action: crc32(known + msgspec.msgpack.encode(action)) / 2**32 for action in kinds.values()}
        ordered = sorted(values, key=lambda action: -values[action])
        mixture = {ordered[0]: 0.7, ordered[1]: 0.3} if len(ordered) > 1 else {ordered[0]: 1.0}
        return Opinion(values, mixture)


def toys(game: str, options: Mapping[str, OptionValue]) -> Toy:
    """For every game."""
    assert game, options
    return Toy()
