"""The reason for the best choice at a decision: one sentence with its number, made of what its player sees.

Where perfect play is known, the number is the chance that it gives; elsewhere the sharp house player chooses, and the
house counts. Neither is given more than the view of the seat.
"""

from collections.abc import Mapping, Sequence
from random import Random

from put_protocol.analysis import Weighed
from put_protocol.games.families import family_of
from put_protocol.games.unions import Choice, GameView
from put_protocol.seats import Seat
from put_protocol.text import capitalized
from put_rules.game import OptionValue
from put_rules.registry import GAMES
from put_server.house.player import Count, Terms
from put_server.house.registry import COUNTERS, player
from put_text.analysis_text import best_choices, choice_phrase, format_perfect_play, percent
from put_text.catalogue import say

_SEED = 1
"""The seed of the deals that are sampled: the same question has the same answer."""


def reason_by_chances(view: GameView, seat: Seat, choices: Sequence[Weighed]) -> str:
    """The reason where every choice has its chance in perfect play."""
    best = best_choices(choices)[0]
    others = [one for one in choices if one.chance != best.chance]
    chances = say("review-wins", chance=percent(best.chance))
    if others:
        after = max(others, key=lambda one: one.chance)
        less = percent(after.chance)
        chances = say("review-wins-more", chance=percent(best.chance), next=choice_phrase(after.says), less=less)
    return _sentence(view, seat, Choice(best.action, best.says), format_perfect_play(choices), chances)


def reason_by_counting(
    game: str, options: Mapping[str, OptionValue], view: GameView, legal: tuple[Choice, ...], seat: Seat
) -> str:
    """The reason for what the sharp house player would do most often."""
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
    """The consequence of the choice in the words of the server, and between two the score at which it comes."""
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
