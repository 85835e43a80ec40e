"""Analyses in sentences: the cost of decisions against perfect play, and its choices. Pure.

Law: actions have the server's names, made safe to print; no rules are needed.
"""

from collections.abc import Sequence

from put_protocol.analysis import CERTAIN, Judged, Quality, Reviewed, Weighed
from put_protocol.messages import Advice, Analysis
from put_protocol.seats import Seat
from put_protocol.text import capitalized, clause, printable, sentence, uncapitalized
from put_text.catalogue import say
from put_text.phrases import Speaker, task_at

SELDOM = 50
"""Drop choices that perfect play makes less often than this, in ten-thousandths."""


def percent(chance: int) -> str:
    """Ten-thousandths as a percentage: `61.8%`; only exact 0 and 1 appear as 0% and 100%."""
    whole, _, tenth = f"{chance / 100:.1f}".partition(".")
    limit = "low" if 0 < chance < 5 else "high" if CERTAIN - 5 < chance < CERTAIN else "none"
    return say("review-percent", limit=limit, whole=whole, tenth=tenth)


def figure(number: float) -> str:
    """A number with one decimal, in the format of the language."""
    whole, _, tenth = f"{number:.1f}".partition(".")
    return say("words-decimal", whole=whole, tenth=tenth)


def choice_phrase(says: str) -> str:
    """The action, in the server's words, without its consequence."""
    return printable(says).partition(":")[0].strip() or say("review-nothing")


def format_done(judged: Judged) -> str:
    """The action of a decision, in the past tense."""
    said = [choice_phrase(choice.says) for choice in judged.choices if choice.action == judged.done]
    return said[0] if said else say("review-something-else")


def best_choices(choices: Sequence[Weighed]) -> tuple[Weighed, ...]:
    """The choices of perfect play, the most usual first."""
    named = [choice for choice in choices if choice.share >= SELDOM]
    return tuple(sorted(named, key=lambda choice: -choice.share))


def format_perfect_play(choices: Sequence[Weighed]) -> str:
    """`lead the 3 of spades`, or for a mixed strategy `say "I put" 70%, lead the 4 of clubs 30%`."""
    done = best_choices(choices)
    if len(done) == 1:
        return choice_phrase(done[0].says)
    return ", ".join(f"{choice_phrase(choice.says)} {percent(choice.share)}" for choice in done)


def format_place(reviewed: Reviewed) -> str:
    """`hand 3, trick 2, to lead`."""
    return say("review-at", hand=reviewed.hand, trick=reviewed.trick, task=task_at("put", reviewed.moment))


def format_reviewed(reviewed: Reviewed, seat: Seat) -> str:
    """One decision of this seat in a sentence or two: `A blunder in hand 3, trick 1, to lead, ...`."""
    judged = reviewed.judged
    decision = say(
        "review-decision",
        quality=judged.quality.value,
        place=format_place(reviewed),
        scores=Speaker((say("review-opponent"),) * len(reviewed.scores), seat).counted(reviewed.scores),
        cards=reviewed.cards,
        done=format_done(judged),
    )
    return f"{decision} {_format_cost(judged)}"


def _format_cost(judged: Judged) -> str:
    """The cost, and the choice of perfect play, with the server's reason if there is one."""
    best = clause(judged.reason) if judged.reason else format_perfect_play(judged.choices)
    return f"{_format_chances(judged)} {say('review-best', best=uncapitalized(best))}"


def _format_chances(judged: Judged) -> str:
    if judged.quality is Quality.FINE:
        return say("review-fine", after=percent(judged.after))
    before, after, cost = percent(judged.before), percent(judged.after), percent(judged.cost)
    return say("review-lost", before=before, after=after, cost=cost)


def format_totals(analysis: Analysis) -> str:
    count, game = analysis.decisions, analysis.game
    if not count:
        return say("review-undecided", game=game)
    if not analysis.cost:
        return say("review-free", count=count, game=game)
    return say("review-total", count=count, game=game, cost=percent(analysis.cost), costly=analysis.costly)


def format_analysis(analysis: Analysis) -> tuple[str, ...]:
    """An analysis, or a part of one, for a person without a screen: with the first part the totals and the worst
    decisions, and a sentence for every costly decision."""
    if analysis.flaw:
        return (sentence(analysis.flaw),)
    first = not analysis.reviewed or analysis.reviewed[0].number == 1
    said = [format_totals(analysis)] if first else []
    if first and analysis.worst:
        said.append(say("review-dearest", numbers=[say("review-number", number=number) for number in analysis.worst]))
    said += [
        f"{one.number}. {format_reviewed(one, analysis.seat)}"
        for one in analysis.reviewed
        if one.judged.quality is not Quality.FINE
    ]
    return tuple(said)


def format_full_analysis(analysis: Analysis) -> tuple[str, ...]:
    """A complete analysis as lines: the totals, the worst decisions in sentences, and a line for every decision."""
    if analysis.flaw:
        return (sentence(analysis.flaw),)
    said = [format_totals(analysis)]
    known = {one.number: one for one in analysis.reviewed}
    worst = [known[number] for number in analysis.worst if number in known]
    said += [f"{one.number}. {format_reviewed(one, analysis.seat)}" for one in worst]
    return (*said, *map(format_reviewed_line, analysis.reviewed))


def format_reviewed_line(reviewed: Reviewed) -> str:
    """`4. hand 2, trick 1, to lead (3s Kd 4c): lead the 4 of clubs; 61.8% to 60.1%, cost 1.7%, a mistake; perfect
    play: ...`, in one line."""
    judged = reviewed.judged
    cards = " ".join(map(printable, reviewed.cards))
    return say(
        "review-line",
        number=reviewed.number,
        place=format_place(reviewed),
        held=cards,
        done=format_done(judged),
        before=percent(judged.before),
        after=percent(judged.after),
        loses=bool(judged.cost),
        cost=percent(judged.cost),
        quality=judged.quality.value,
        best=format_perfect_play(judged.choices),
    )


def format_advice(advice: Advice) -> str:
    if advice.flaw:
        return sentence(advice.flaw)
    if not advice.reason and not advice.choices:
        return say("review-no-choice")
    best = clause(advice.reason) if advice.reason else format_perfect_play(advice.choices)
    return say("review-coach", best=uncapitalized(best))


def format_judged(judged: Judged) -> str:
    return f"{_format_named(judged)} {_format_cost(judged)}"


def format_verdict(judged: Judged) -> str:
    """The verdict without the choices of perfect play, for a screen that shows them beside it."""
    return f"{_format_named(judged)} {_format_chances(judged)}"


def _format_named(judged: Judged) -> str:
    return say("review-judged", quality=judged.quality.value, done=format_done(judged))


def format_weighed(choices: tuple[Weighed, ...]) -> tuple[str, ...]:
    """Every choice with its chance to win and its frequency in perfect play, best first."""
    ordered = sorted(choices, key=lambda choice: (-choice.chance, -choice.share))
    return tuple([_format_weighed(choice) for choice in ordered])


def _format_weighed(choice: Weighed) -> str:
    share = choice.share
    often = "never" if not share else "hardly" if share < SELDOM else "always" if share == CERTAIN else "share"
    says, chance = capitalized(choice_phrase(choice.says)), percent(choice.chance)
    return say("review-weighed", choice=says, chance=chance, often=often, share=percent(share))
