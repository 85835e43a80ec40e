"""Conversion of a view to a hand by ranks (`rank_hand`), and of its legal actions to numbers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from put_protocol.cards import rank_of
from put_protocol.games.put import Double, Moment, Pass, Play, Put, PutAction, PutView, See, ThrowIn
from put_protocol.seats import Seat
from put_server.house.put import rank_hand as by_ranks
from put_server.house.put.observation import Observation, leader_of, observe
from put_server.house.put.score_values import StakeRule, stake_rule_of

_PHASES: Mapping[Moment, int] = {
    Moment.OPENING: by_ranks.OPENING,
    Moment.LEAD: by_ranks.PLAY,
    Moment.REPLY: by_ranks.PLAY,
    Moment.ANSWER: by_ranks.ANSWER,
    Moment.LAST_SAY: by_ranks.LAST_SAY,
}

KINDS: Mapping[StakeRule, int] = {
    StakeRule.PLAYED_OUT: by_ranks.ANY_TURN,
    StakeRule.GIVEN_UP: by_ranks.STAGES,
    StakeRule.OUTRIGHT: by_ranks.CONCESSIONS,
    StakeRule.DOUBLED: by_ranks.DOUBLING,
}


class RankView(NamedTuple):
    """A hand by ranks, as the seat to move knows it."""

    hand: list[int]
    """The other seats hold nothing in it, because their cards are unknown."""
    actions: dict[int, tuple[PutAction, ...]]
    """Legal actions by number; cards of one rank share a number."""
    seats: tuple[Seat, ...]
    """Players from eldest, in the order of seats in `hand`."""
    observation: Observation


def read_view(
    view: PutView, legal: Sequence[PutAction], seat: Seat, options: Mapping[str, str | int], *, opens: bool
) -> RankView | None:
    """The hand in play; None: there is none, or it is of another family. `opens`: puts are made only before the first
    trick."""
    phase = None if view.moment is None else _PHASES.get(view.moment)
    observation = observe(view, seat)
    if phase is None or view.eldest is None or observation is None:
        return None
    seats = _seats(view, view.eldest)
    strengths = {rank: by_ranks.RANKS - 1 - place for place, rank in enumerate(view.ranking)}
    left = len(view.cards) + (seat in view.trick.seats)
    hand = [0] * by_ranks.SIZE
    place_of = {s: place for place, s in enumerate(seats)}
    kind = by_ranks.OPENING_ONLY if opens else KINDS[stake_rule_of(view.plain, view.accepted)]
    hand[by_ranks.KIND], hand[by_ranks.COUNT] = kind, len(seats)
    hand[by_ranks.PACK], hand[by_ranks.LEFT] = len(strengths), left
    hand[by_ranks.MOVER], hand[by_ranks.PHASE] = place_of[seat], phase
    hand[by_ranks.VALUE] = view.value
    hand[by_ranks.PUTTER] = -1 if view.putter is None else place_of.get(view.putter, -1)
    hand[by_ranks.RECEIVED] = int(bool(view.givers))
    hand[by_ranks.STAKE] = 2 if options.get("outright") == "double" else 1
    hand[by_ranks.ANEW] = int(options.get("drawn_put") == "anew")
    hand[by_ranks.TIES_GO] = int(options.get("tied_trick") == "first_winner")
    first = next((trick.winner for trick in view.past if trick.winner is not None), None)
    hand[by_ranks.FIRST] = -1 if first is None else place_of[first]
    hand[by_ranks.LEADER] = place_of[leader_of(view, view.eldest)]
    for place, s in enumerate(seats):
        hand[by_ranks.IN + place] = int(view.playing[s])
        hand[by_ranks.TRICKS + place] = view.tricks[s]
        hand[by_ranks.TABLE + place] = -1
        hand[by_ranks.SEES + place] = int(s in view.seen_by)
        hand[by_ranks.NEEDS + place] = min(max(1, view.target - view.scores[s]), by_ranks.CHANCES - 1)
        if phase == by_ranks.ANSWER and view.playing[s] and s != view.putter:
            hand[by_ranks.YET + place] = int(s not in view.seen_by)
    for trick in (*view.past, view.trick):
        for s, card in zip(trick.seats, trick.cards, strict=True):
            hand[by_ranks.SHOWN + by_ranks.RANKS * place_of[s] + strengths[rank_of(card)]] += 1
    for s, card in zip(view.trick.seats, view.trick.cards, strict=True):
        hand[by_ranks.TABLE + place_of[s]] = strengths[rank_of(card)]
    for card in view.cards:
        hand[by_ranks.HELD + by_ranks.RANKS * place_of[seat] + strengths[rank_of(card)]] += 1
    for card in view.thrown:
        hand[by_ranks.THROWN + by_ranks.RANKS * place_of[seat] + strengths[rank_of(card)]] += 1

    says = any(isinstance(action, Put | Double) for action in legal)
    if phase == by_ranks.PLAY and not says and by_ranks.may_put(hand):
        hand[by_ranks.SPOKEN] = 1
    return RankView(hand, _numbered(legal, strengths), seats, observation)


def _numbered(legal: Sequence[PutAction], strengths: Mapping[str, int]) -> dict[int, tuple[PutAction, ...]]:
    held = sorted({strengths[rank_of(a.card)] for a in legal if isinstance(a, Play)}, reverse=True)
    actions: dict[int, tuple[PutAction, ...]] = {}
    for action in legal:
        number = None
        match action:
            case Play(card=card):
                number = held.index(strengths[rank_of(card)])
            case Put() | Double():
                number = by_ranks.PUT
            case See():
                number = by_ranks.SEE
            case ThrowIn():
                number = by_ranks.THROW
            case Pass():
                number = by_ranks.PASS
            case _:
                continue
        actions[number] = (*actions.get(number, ()), action)
    return actions


def _seats(view: PutView, eldest: Seat) -> tuple[Seat, ...]:
    """Seats from eldest; of partners, only those who play."""
    count = len(view.scores)
    around = [Seat((eldest + place) % count) for place in range(count)]
    return tuple(s for s in around if not view.sides or s not in view.givers)
