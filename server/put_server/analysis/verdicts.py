"""Opinions made verdicts: chances in whole ten-thousandths, and what they come to over a game."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from put_protocol.analysis import CERTAIN, Judged, Reviewed, Weighed, quality_of
from put_protocol.games.put import (
    Moment,
)
from put_protocol.games.unions import (
    Action,
)
from put_protocol.messages import Analysis
from put_protocol.seats import Seat
from put_server.analysis.turns import Faced, Taken, essence

PAGE = 32
"""Decisions in one message: the longest takes 1.4 KiB, so a message stays below a frame."""

WORST = 3
"""Decisions that are named in words."""

COSTLY = 100
"""From which cost a decision is counted, in ten-thousandths."""


class Opinion(NamedTuple):
    """What perfect play thinks of a decision. Of several cards of one rank, one is enough in either mapping."""

    values: Mapping[Action, float]
    """The chance of winning the game after each action."""
    mixture: Mapping[Action, float]
    """How often it does each."""


class Master(Protocol):
    """Perfect play of one rule set with its options."""

    def mixture(self, faced: Faced) -> Mapping[Action, float]:
        """How often it does what, for whoever plays as it does. To be called at any turn."""
        ...

    def opinion(self, faced: Faced) -> Opinion | None:
        """What it thinks of a decision; None: of one of this kind, nothing."""
        ...


def judged(faced: Faced, done: Action, opinion: Opinion) -> Judged:
    """The verdict on one decision."""
    kinds = [essence(choice.action) for choice in faced.legal]
    values = {essence(action): value for action, value in opinion.values.items()}
    shares = dict.fromkeys(kinds, 0.0)
    for action, share in opinion.mixture.items():
        shares[essence(action)] += share
    split = whole([shares[kind] / kinds.count(kind) for kind in kinds])
    best, after = max(_chance(values[kind]) for kind in kinds), _chance(values[essence(done)])
    choices = [
        Weighed(choice.action, choice.says, _chance(values[kind]), share)
        for choice, kind, share in zip(faced.legal, kinds, split, strict=True)
    ]
    return Judged(before=best, after=after, quality=quality_of(best - after), done=done, choices=tuple(choices))


def _chance(value: float) -> int:
    return min(max(round(value * CERTAIN), 0), CERTAIN)


def whole(shares: Sequence[float]) -> list[int]:
    """Shares of a whole in ten-thousandths that add up to it: what rounding leaves over goes where most was lost."""
    total = sum(shares)
    exact = [share / total * CERTAIN for share in shares]
    rounded = [int(share) for share in exact]
    for place in sorted(range(len(exact)), key=lambda at: rounded[at] - exact[at])[: CERTAIN - sum(rounded)]:
        rounded[place] += 1
    return rounded


def review(hand: Iterable[Taken], master: Master) -> list[Reviewed]:
    """The decisions of a hand. They have no numbers yet."""
    reviewed = []
    for faced, done in [(taken.faced, taken.done) for taken in hand if taken.faced.is_choice]:
        opinion = master.opinion(faced)
        if opinion is None:
            continue
        view = faced.view
        assert view.moment is not None
        # What comes after a trick is asked when it lies aside already.
        trick = max(len(view.past), 1) if view.moment is Moment.LAST_SAY else len(view.past) + 1
        reviewed.append(
            Reviewed(
                number=0,
                hand=view.hand,
                trick=trick,
                moment=view.moment,
                scores=view.scores,
                cards=view.cards,
                judged=judged(faced, done, opinion),
                led=view.trick.cards[0] if view.trick.cards else None,
            )
        )
    return reviewed


def analyses(table: int, game: int, seat: Seat, reviewed: Sequence[Reviewed]) -> tuple[Analysis, ...]:
    """All that is told of a game, in as many messages as it takes; at least one."""
    told = tuple([replace(one, number=number) for number, one in enumerate(reviewed, 1)])
    dearest = sorted((one for one in told if one.judged.cost > 0), key=lambda one: -one.judged.cost)
    whole_of_it = Analysis(
        table=table,
        game=game,
        seat=seat,
        decisions=len(told),
        cost=sum(one.judged.cost for one in told),
        costly=sum(one.judged.cost >= COSTLY for one in told),
        worst=tuple([one.number for one in dearest[:WORST]]),
    )
    return tuple([replace(whole_of_it, reviewed=told[at : at + PAGE]) for at in range(0, max(len(told), 1), PAGE)])
