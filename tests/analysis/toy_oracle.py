"""Toy oracle: bad and fast. Its evaluation follows from every bit of the situation, and from nothing else."""

from collections.abc import Mapping
from zlib import crc32

import msgspec

from put_protocol.analysis import Situation, action_kind
from put_protocol.games.put import PutAction
from put_rules.game import OptionValue
from put_server.analysis.evaluation import Evaluation
from tests.house.sample_hands import put_actions


class ToyOracle:
    """It takes its best action seven times in ten, and the second best three times."""

    def policy(self, situation: Situation) -> Mapping[PutAction, float]:
        values = self.evaluation(situation).values
        first, *others = sorted(values, key=lambda action: -values[action])
        return {first: 0.7, others[0]: 0.3} if others else {first: 1.0}

    def evaluation(self, situation: Situation) -> Evaluation:
        known = msgspec.msgpack.encode(situation)
        kinds: dict[object, PutAction] = {}
        for action in put_actions(situation.legal):
            kinds.setdefault(action_kind(action), action)
        values = {action: crc32(known + msgspec.msgpack.encode(action)) / 2**32 for action in kinds.values()}
        ordered = sorted(values, key=lambda action: -values[action])
        policy = {ordered[0]: 0.7, ordered[1]: 0.3} if len(ordered) > 1 else {ordered[0]: 1.0}
        return Evaluation(values, policy)


def toy_oracle(game: str, options: Mapping[str, OptionValue]) -> ToyOracle:
    """The same for every game."""
    assert game, options
    return ToyOracle()
