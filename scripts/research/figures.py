"""Figures of the paper, from the tables alone. Chances are of 1; scores are eldest's points first.

If every game is for one stake, worths are chances to win the game; otherwise they are stakes.
"""

from collections.abc import Callable, Mapping
from math import comb
from typing import Any

import numpy as np

from put_protocol.games.put import Moment
from put_server.house.put.solved.payoffs import Score, Worths
from put_server.house.put.solved.rank_sets import COPIES, Ranks, hands_of, ways_dealt
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, TRICKS, End, PublicState, Say
from put_solver.flat import Doubles
from scripts.research.counts import CountedAct, Counter, Counts, DecisionKind, Habit, PutResult

Figures = dict[str, Any]

_NAMES = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "3")


def hand_name(hand: Ranks, ranks: int) -> str:
    names = _NAMES[-ranks:]
    return " ".join(names[rank] for rank in reversed(hand))


def counted(table: Table, report: Callable[[str], None]) -> Figures:
    """All numbers that must be counted. `report` gets the current step."""
    counter = Counter(table.tree)
    worths = {score: part.worth for score, part in table.parts.items()}
    at: dict[Score, Counts] = {}
    first: Figures = {}
    for score in sorted(table.parts):
        report(f"{table.variant} {score[0]}-{score[1]}")
        at[score] = counter.counted(table, score, worths)
        if score == (0, 0):
            first = _first(table, counter, at[score], worths)
    visits = _visits(table, at)
    whole = sum(visits.values())
    summaries = {score: _summary(counts) for score, counts in at.items()}
    average = {
        name: sum(visits[score] / whole * each[name] for score, each in summaries.items()) for name in summaries[0, 0]
    }
    return {
        "at": {f"{eldest}-{dealer}": each for (eldest, dealer), each in summaries.items()},
        "average": average,
        "moments": {"0-0": _moments({(0, 0): 1.0}, at), "average": _moments(visits, at)},
        "game": _game(table, at, visits),
        **first,
    }


def _summary(counts: Counts) -> dict[str, float]:
    """Chances of events in a hand. A put is the first in the hand; `tricks` is a point decided by cards."""
    put, bluffs, seen, thrown = [0.0, 0.0], [0.0, 0.0], 0.0, 0.0
    refused = 0.0
    for place, (_, puts, sees, throws) in counts.done.items():
        if place.is_answer:
            refused += throws
            seen += 0.0 if place.is_later else sees
        else:
            thrown += throws
            if not place.is_later:
                put[place.actor] += puts
                bluffs[place.actor] += counts.puts[place][PutResult.LOSES]
    ends = counts.ends
    return {
        "put": sum(put),
        "put_eldest": put[ELDEST],
        "put_dealer": put[DEALER],
        "bluff": sum(bluffs),
        "seen": seen,
        "refused": refused,
        "thrown": thrown,
        "drawn": ends[End.DRAWN] + ends[End.DRAWN_PUT],
        "tricks": ends[End.ELDEST_POINT] + ends[End.DEALER_POINT] - refused - thrown,
        "game": ends[End.ELDEST_GAME] + ends[End.DEALER_GAME],
        "game_eldest": ends[End.ELDEST_GAME],
        "again": sum(row[CountedAct.PUT] for place, row in counts.done.items() if place.is_later),
    }


def _moments(weights: Mapping[Score, float], at: Mapping[Score, Counts]) -> list[Figures]:
    """Moments at which a first put is possible: how often, how often it is made, and its results; at several scores
    with weights."""
    whole = sum(weights.values())
    rows: dict[tuple[int, int, int], Figures] = {}
    for score, weight in weights.items():
        for place, done in at[score].done.items():
            if place.is_answer or place.is_later or place not in at[score].puts:
                continue
            key = place.trick, _ORDER[place.moment], place.lead_in_tricks
            row = rows.setdefault(
                key, {"moment": _moment(place), **dict.fromkeys(("asked", "put", "seen", *_CALLED), 0.0)}
            )
            answer = place._replace(actor=1 - place.actor, lead_in_tricks=-place.lead_in_tricks, is_answer=True)
            share = weight / whole
            row["asked"] += share * sum(done)
            row["put"] += share * done[CountedAct.PUT]
            row["seen"] += share * at[score].done.get(answer, (0.0,) * len(CountedAct))[CountedAct.SEE]
            for name, chance in zip(_CALLED, at[score].puts[place], strict=True):
                row[name] += share * chance
    return [rows[key] for key in sorted(rows, key=lambda key: (key[0], key[1], -key[2])) if rows[key]["put"] > _RARE]


_ORDER = {Moment.LEAD: 0, Moment.REPLY: 1, Moment.LAST_SAY: 2}
_CALLED = tuple(result.name.lower() for result in PutResult)
_RARE = 1e-5


def _moment(place: DecisionKind) -> str:
    if place.trick == 0:
        return "eldest, before the first card" if place.moment is Moment.LEAD else "dealer, to the first card"
    trick = ("second", "third")[place.trick - 1]
    lead_in_tricks = {1: "ahead", 0: "level", -1: "behind"}[place.lead_in_tricks]
    if place.moment is Moment.LAST_SAY:
        return f"eldest, after the first trick, {lead_in_tricks}"
    return f"before {'leading to' if place.moment is Moment.LEAD else 'playing to'} the {trick} trick, {lead_in_tricks}"


def _visits(table: Table, at: Mapping[Score, Counts]) -> dict[Score, float]:
    """Frequency of each score in a game of two players by the table, including the first deal."""
    scores, target = table.variant.scores(), table.variant.target
    number = {score: n for n, score in enumerate(scores)}
    leads = np.zeros((len(scores), len(scores)))
    for (eldest, dealer), counts in at.items():
        after = {
            End.ELDEST_POINT: (dealer, eldest + 1),
            End.DEALER_POINT: (dealer + 1, eldest),
            End.DRAWN: (dealer, eldest),
            End.DRAWN_PUT: (0, 0) if table.variant.is_anew else (dealer, eldest),
        }
        for end, score in after.items():
            if max(score) < target:
                leads[number[score], number[eldest, dealer]] += counts.ends[end]
    begun = np.zeros(len(scores))
    begun[number[0, 0]] = 1.0
    found = np.linalg.solve(np.eye(len(scores)) - leads, begun)
    return {score: float(found[n]) for score, n in number.items()}


def _game(table: Table, at: Mapping[Score, Counts], visits: Mapping[Score, float]) -> dict[str, float]:
    """Length of a game, and how it ends."""
    target = table.variant.target
    by_hand = sum(
        visits[score] * (counts.ends[End.ELDEST_GAME] + counts.ends[End.DEALER_GAME]) for score, counts in at.items()
    )
    by_refusal = by_throwing = 0.0
    for score, counts in at.items():
        for place, row in counts.done.items():
            if score[1 - place.actor] + 1 >= target:  # throwing in gives the other their last point
                if place.is_answer:
                    by_refusal += visits[score] * row[CountedAct.THROW]
                else:
                    by_throwing += visits[score] * row[CountedAct.THROW]
    return {
        "hands": sum(visits.values()),
        "by_hand": by_hand,
        "by_refusal": by_refusal,
        "by_throwing": by_throwing,
        "by_tricks": 1 - by_hand - by_refusal - by_throwing,
        "puts": sum(visits[score] * _summary(counts)["put"] for score, counts in at.items()),
        "seen": sum(visits[score] * _summary(counts)["seen"] for score, counts in at.items()),
    }


def _first(table: Table, counter: Counter, counts: Counts, worths: Worths) -> Figures:
    """Figures of the score 0-0: the worth of every hand, and its first actions."""
    tree, variant = table.tree, table.variant
    strategy = counter.hand_tree.probabilities(table.entries((0, 0)))
    answer, answer_at = tree.step(FIRST, 0, Say.PUT)
    assert isinstance(answer, PublicState)
    hands, rows = hands_of(tree.ranks, TRICKS).hands, []
    for n, hand in enumerate(hands):
        done = dict(zip(tree.moves_of(FIRST, hand), strategy[list(tree.places(FIRST, hand))].tolist(), strict=True))
        see = strategy[answer_at + tree.places(answer, hand)[0]]
        rows.append(
            {
                "hand": hand_name(hand, tree.ranks),
                "dealt": dealt(hand, tree.ranks),
                "eldest": variant.shown(float(counts.worths[ELDEST][n])),
                "dealer": variant.shown(float(counts.worths[DEALER][n])),
                "put": done.get(Say.PUT, 0.0),
                "throw": done.get(Say.THROW, 0.0),
                "leads": [0.0 if rank in hand[:at] else done.get(rank, 0.0) for at, rank in enumerate(hand)],
                "see": float(see),
            }
        )
    return {"hands": rows, "replies": _replies(table, counts, strategy), "habits": _habits(table, counter, worths)}


def dealt(hand: Ranks, ranks: int) -> float:
    return ways_dealt(hand) / comb(COPIES * ranks, TRICKS)


def _replies(table: Table, counts: Counts, strategy: Doubles) -> list[Figures]:
    """Replies of the dealer to a led card of each rank, without words: its frequency, and how many hands that can beat
    it put, beat it with the lowest card, with a higher card, or not at all."""
    tree, rows = table.tree, []
    for led in range(tree.ranks):
        public, at = tree.step(FIRST, 0, led)
        assert isinstance(public, PublicState)
        row = dict.fromkeys(("led", "put", "can", "can_put", "least", "more", "tie", "under"), 0.0)
        for hand, heavy in zip(hands_of(tree.ranks, TRICKS).hands, counts.led[led].tolist(), strict=True):
            if not heavy:
                continue
            done = zip(
                tree.moves_of(public, hand), strategy[[at + place for place in tree.places(public, hand)]], strict=True
            )
            above = [rank for rank in hand if rank > led]
            row["led"] += heavy
            row["can"] += heavy if above else 0.0
            for move, chance in done:
                if move is Say.PUT:
                    row["put"] += heavy * chance
                    row["can_put"] += heavy * chance if above else 0.0
                elif isinstance(move, int) and above:
                    how = "least" if move == above[0] else "more" if move > led else "tie" if move == led else "under"
                    row[how] += heavy * chance
        rows.append({"rank": _NAMES[-tree.ranks :][led], **row})
    return rows


def _habits(table: Table, counter: Counter, worths: Worths) -> Figures:
    """Costs of habits in the first hand of a game: against an opponent who knows them, and one who does not."""
    unit, found = table.variant.unit, {}
    for habit in Habit:
        costs = [counter.cost(table, (0, 0), worths, side, habit) for side in (ELDEST, DEALER)]
        found[habit.name.lower()] = {
            side: [unit * cost for cost in each] for side, each in zip(("eldest", "dealer"), costs, strict=True)
        }
    return found
