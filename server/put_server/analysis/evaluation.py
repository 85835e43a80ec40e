"""Evaluation of a player's decisions: each situation, the action taken, and its cost against perfect play.

A record is replayed here, and cards that the player did not see never leave this module. The oracle gets only what the
player could have written down. Chances are returned in whole ten-thousandths.

The reason for the best choice is one sentence with a figure, made from the view of the seat alone. If perfect play is
known, the figure is its chance to win. Otherwise the sharp house player chooses, and the figure is a count.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from random import Random
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from put_protocol.analysis import (
    CERTAIN,
    Judged,
    PlayedTurn,
    Quality,
    Reviewed,
    Situation,
    Weighed,
    action_kind,
    quality_of,
)
from put_protocol.games.families import family_of
from put_protocol.games.put import Moment, PutAction
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.messages import Analysis
from put_protocol.seats import Seat
from put_protocol.text import capitalized
from put_rules.facts import seen_by
from put_rules.game import OptionValue, RuleSet, Turn
from put_rules.record import GameRecord, SeatTurns
from put_rules.registry import GAMES
from put_rules.steps import fold
from put_server.house.player import Count, Terms
from put_server.house.registry import COUNTERS, player
from put_text.analysis_text import best_choices, choice_phrase, format_perfect_play, percent
from put_text.catalogue import say
from put_text.translated import said_choices

PAGE = 32
"""Decisions in one message. The longest takes 1.4 KiB, so a message stays below a frame."""

WORST = 3
"""Costliest decisions, which are also described in words."""

COSTLY = 100
"""Least cost of a decision that counts as costly, in ten-thousandths."""


def played_turns(record: GameRecord, rule_set: RuleSet, seat: Seat) -> tuple[tuple[PlayedTurn, ...], ...]:
    """A seat's turns, one tuple per hand, until another person took the seat. Time-outs do not count.

    :raises BadRecord: a step of the record is not valid.
    :raises BadOption: the options of the record are not the rule set's.
    """
    game = rule_set.make(len(record.players), record.options)
    before, turns = None, SeatTurns(game, seat)
    for played in fold(record, game):
        turns.take(before, played.input, seen_by(played.facts, seat))
        before = played.state
    return by_hand(turns.turns)


def by_hand(turns: Iterable[PlayedTurn]) -> tuple[tuple[PlayedTurn, ...], ...]:
    return tuple([tuple(hand) for _, hand in groupby(turns, key=lambda turn: turn.situation.put.hand)])


def pending_situation(record: GameRecord, rule_set: RuleSet, seat: Seat) -> Situation | None:
    """The current decision of a seat, as its player sees it; None: there is none.

    :raises BadRecord: a step of the record is not valid.
    :raises BadOption: the options of the record are not the rule set's.
    """
    game = rule_set.make(len(record.players), record.options)
    state, turns = None, SeatTurns(game, seat)
    for played in fold(record, game):
        state = played.state
        turns.see(seen_by(played.facts, seat))
    return turns.situation(state) if game.awaits(state) == Turn(seat) else None


class Evaluation(NamedTuple):
    """Value and frequency of each action in perfect play. Of several cards of one rank, each mapping has one."""

    values: Mapping[PutAction, float]
    """Chance of winning the game after each action."""
    policy: Mapping[PutAction, float]
    """Frequency of each in perfect play."""


class Oracle(Protocol):
    """Perfect play of one rule set with its options."""

    def policy(self, situation: Situation) -> Mapping[PutAction, float]:
        """Probability of each action in perfect play, given the play so far. May be called at any turn."""

    def evaluation(self, situation: Situation) -> Evaluation | None:
        """Evaluation of a decision; None: decisions of this kind are not evaluated."""


def judge(situation: Situation, done: Action, evaluation: Evaluation) -> Judged:
    choices = weighed_choices(situation, evaluation)
    best = max(choice.chance for choice in choices)
    after = next(choice.chance for choice in choices if action_kind(choice.action) == action_kind(done))
    reason = reason_by_chances(situation.view, situation.seat, choices)
    return Judged(before=best, after=after, quality=quality_of(best - after), done=done, choices=choices, reason=reason)


def weighed_choices(situation: Situation, evaluation: Evaluation) -> tuple[Weighed, ...]:
    """Value of every legal action, in the order offered."""
    kinds = [action_kind(choice.action) for choice in situation.legal]
    values = {action_kind(action): value for action, value in evaluation.values.items()}
    shares = dict.fromkeys(kinds, 0.0)
    for action, share in evaluation.policy.items():
        shares[action_kind(action)] += share
    split = rounded_shares([shares[kind] / kinds.count(kind) for kind in kinds])
    return tuple(
        [
            Weighed(choice.action, choice.says, _chance(values[kind]), share)
            for choice, kind, share in zip(said_choices(situation.legal), kinds, split, strict=True)
        ]
    )


def _chance(value: float) -> int:
    return min(max(round(value * CERTAIN), 0), CERTAIN)


def rounded_shares(shares: Sequence[float]) -> list[int]:
    """Shares in ten-thousandths that sum to the whole: the largest rounding losses are rounded up."""
    total = sum(shares)
    exact = [share / total * CERTAIN for share in shares]
    rounded = [int(share) for share in exact]
    for place in sorted(range(len(exact)), key=lambda at: rounded[at] - exact[at])[: CERTAIN - sum(rounded)]:
        rounded[place] += 1
    return rounded


def review_hand(hand: Iterable[PlayedTurn], oracle: Oracle) -> list[Reviewed]:
    """The decisions of a hand, evaluated. They have no numbers yet."""
    reviewed = []
    for situation, done in [(turn.situation, turn.done) for turn in hand if turn.situation.is_choice]:
        evaluation = oracle.evaluation(situation)
        if evaluation is None:
            continue
        view = situation.put
        assert view.moment is not None
        # The last say comes after a trick, which is already in the past then.
        trick = max(len(view.past), 1) if view.moment is Moment.LAST_SAY else len(view.past) + 1
        reviewed.append(
            Reviewed(
                number=0,
                hand=view.hand,
                trick=trick,
                moment=view.moment,
                scores=view.scores,
                cards=view.cards,
                judged=judge(situation, done, evaluation),
                led=view.trick.cards[0] if view.trick.cards else None,
            )
        )
    return reviewed


def whole_analysis(table: int, game: int, seat: Seat, reviewed: Sequence[Reviewed]) -> Analysis:
    numbered = tuple([replace(one, number=number) for number, one in enumerate(reviewed, 1)])
    costly = [one for one in numbered if one.judged.quality is not Quality.FINE]
    costliest = sorted(costly, key=lambda one: -one.judged.cost)
    return Analysis(
        table=table,
        game=game,
        seat=seat,
        decisions=len(numbered),
        cost=sum(one.judged.cost for one in numbered),
        costly=sum(one.judged.cost >= COSTLY for one in numbered),
        worst=tuple([one.number for one in costliest[:WORST]]),
        reviewed=numbered,
    )


def analysis_messages(table: int, game: int, seat: Seat, reviewed: Sequence[Reviewed]) -> tuple[Analysis, ...]:
    """The analysis in parts, each of which fits a message."""
    whole = whole_analysis(table, game, seat, reviewed)
    pages = range(0, max(whole.decisions, 1), PAGE)
    return tuple([replace(whole, reviewed=whole.reviewed[at : at + PAGE]) for at in pages])


_SEED = 1
"""Fixed seed of the sampled deals, so that the same question has the same answer."""


def reason_by_chances(view: GameView, seat: Seat, choices: Sequence[Weighed]) -> str:
    """The reason, if perfect play has a chance for every choice."""
    best = best_choices(choices)[0]
    wins = percent(best.chance)
    others = [one for one in choices if percent(one.chance) != wins]
    chances = say("review-wins", chance=wins)
    if others:
        after = max(others, key=lambda one: one.chance)
        chances = say("review-wins-more", chance=wins, next=choice_phrase(after.says), less=percent(after.chance))
    return _sentence(view, seat, Choice(best.action, best.says), format_perfect_play(choices), chances)


def reason_by_counting(
    game: str, options: Mapping[str, OptionValue], view: GameView, legal: tuple[Choice, ...], seat: Seat
) -> str:
    """The reason for the most likely choice of the sharp house player."""
    rule_set = GAMES[game]
    terms = Terms(game=game, options=options, family=rule_set.offer.family, has_opening=rule_set.has_opening)
    mixture = player("sharp", Random(_SEED), terms).mixture(view, legal, seat)
    best = max(legal, key=lambda choice: mixture.get(choice.action, 0.0))
    return _sentence(view, seat, best, choice_phrase(best.says), None)


def _sentence(view: GameView, seat: Seat, best: Choice, says: str, chances: str | None) -> str:
    """`Lead the king of spades: nine of the 43 cards the others may hold beat it; ...`."""
    counter = COUNTERS.get(family_of(view).name)
    dice = Random(_SEED) if chances is None else None
    count = Count() if counter is None else counter(view, best.action, seat, dice)
    clauses = [_consequence(view, seat, best), _beaten(count), chances or _won(count)]
    why = say("words-semicolon").join(filter(None, clauses))
    return capitalized(say("review-reason", best=says, why=why) if why else f"{says}.")


def _consequence(view: GameView, seat: Seat, choice: Choice) -> str:
    """The server's words for the consequence of the choice; for two players with the score."""
    means = choice.says.partition(":")[2].strip()
    scores: Sequence[int] = getattr(view, "scores", ())
    if not means or len(scores) != 2:
        return means
    return say("review-score", own=scores[seat], other=scores[1 - seat], means=means)


def _beaten(count: Count) -> str:
    return "" if count.above is None else say("review-beaten", count=count.above, of=count.of)


def _won(count: Count) -> str:
    if count.wins is None:
        return ""
    return say("review-won", prize=count.prize, worth=count.worth, times=round(100 * count.wins))
