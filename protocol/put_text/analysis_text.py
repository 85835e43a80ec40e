"""Analyses in English sentences: what decisions cost against perfect play, and what it would have done. Pure.

Law: actions are named in the server's words, made safe to print; no rule is known here.
"""

from collections.abc import Sequence

from put_protocol.analysis import CERTAIN, Judged, Quality, Reviewed, Weighed
from put_protocol.messages import Advice, Analysis, Judgement
from put_protocol.seats import Seat
from put_protocol.text import capitalized, clause, listed, printable, sentence, uncapitalized
from put_text.phrases import format_cards, format_scores, task_at

SELDOM = 50
"""Drop choices that perfect play makes less often than this, in ten-thousandths."""


def percent(chance: int) -> str:
    """Ten-thousandths as people read them: `61.8%`; what is neither nothing nor certain never looks so."""
    if 0 < chance < 5:
        return "under 0.1%"
    if CERTAIN - 5 < chance < CERTAIN:
        return "over 99.9%"
    return f"{chance / 100:.1f}%".replace(".0%", "%")


def choice_phrase(says: str) -> str:
    """The action, in the server's words, without its consequence."""
    return printable(says).partition(":")[0].strip() or "nothing"


def format_done(judged: Judged) -> str:
    """The action of a decision, in the past tense."""
    return next(
        (choice_phrase(choice.says) for choice in judged.choices if choice.action == judged.done), "something else"
    )


def best_choices(choices: Sequence[Weighed]) -> tuple[Weighed, ...]:
    """The choices of perfect play, the most usual first."""
    named = [choice for choice in choices if choice.share >= SELDOM]
    return tuple(sorted(named, key=lambda choice: -choice.share))


def format_perfect_play(choices: Sequence[Weighed]) -> str:
    """`lead the 3 of spades`, or where it does now this and now that, `say "I put" 70%, lead the 4 of clubs 30%`."""
    done = best_choices(choices)
    if len(done) == 1:
        return choice_phrase(done[0].says)
    return ", ".join(f"{choice_phrase(choice.says)} {percent(choice.share)}" for choice in done)


def format_place(reviewed: Reviewed) -> str:
    """`hand 3, trick 2, to lead`."""
    return f"hand {reviewed.hand}, trick {reviewed.trick}, {task_at('put', reviewed.moment)}"


def format_reviewed(reviewed: Reviewed, seat: Seat) -> str:
    """One decision of that seat's in a sentence or two: `A blunder in hand 3, trick 1, to lead, ...`."""
    judged = reviewed.judged
    scores = format_scores(reviewed.scores, ("your opponent",) * len(reviewed.scores), seat)
    place = f"{_named(judged, 'Well played')} in {format_place(reviewed)}, the score being {scores}"
    chosen = f"you held {format_cards(reviewed.cards)}, and chose to {format_done(judged)}"
    return f"{place}: {chosen}. {_format_cost(judged)}"


def _format_cost(judged: Judged) -> str:
    """The cost, and what perfect play does, with the server's reason where it gives any."""
    best = clause(judged.reason) if judged.reason else format_perfect_play(judged.choices)
    return f"{_format_chances(judged)} Perfect play is to {uncapitalized(best)}."


def _format_chances(judged: Judged) -> str:
    if judged.quality is Quality.FINE:
        return f"That costs nothing: your chance of winning the game is {percent(judged.after)}."
    return (
        f"It took your chance of winning the game from {percent(judged.before)} to {percent(judged.after)}, "
        f"which costs {percent(judged.cost)}."
    )


def format_totals(analysis: Analysis) -> str:
    """Totals of a game's decisions, in sentences."""
    count = analysis.decisions
    if not count:
        return f"In game {analysis.game} nothing was left for you to decide."
    decisions = "one decision" if count == 1 else f"{count} decisions"
    if not analysis.cost:
        return f"Your {decisions} in game {analysis.game} cost nothing against perfect play."
    cost = f"cost {percent(analysis.cost)} of a game against perfect play"
    over = {0: "none of them costs 1% or more", 1: "one of them costs 1% or more"}
    costly = over.get(analysis.costly, f"{analysis.costly} of them cost 1% or more each")
    return f"Your {decisions} in game {analysis.game} {cost}; {costly}."


def format_analysis(analysis: Analysis) -> tuple[str, ...]:
    """An analysis, or a part of one, for a person without a screen: the totals and the worst with the first part, and a
    sentence for every decision in it that cost something."""
    if analysis.flaw:
        return (sentence(analysis.flaw),)
    first = not analysis.reviewed or analysis.reviewed[0].number == 1
    said = [format_totals(analysis)] if first else []
    if first and analysis.worst:
        said.append(f"The dearest: {listed([f'number {number}' for number in analysis.worst])}.")
    said += [
        f"{one.number}. {format_reviewed(one, analysis.seat)}"
        for one in analysis.reviewed
        if one.judged.quality is not Quality.FINE
    ]
    return tuple(said)


def format_full_analysis(analysis: Analysis) -> tuple[str, ...]:
    """A whole analysis as lines: the totals, the worst in words, and a line for every decision."""
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
    cost = f"cost {percent(judged.cost)}" if judged.cost else "cost nothing"
    named = "" if judged.quality is Quality.FINE else f", a {judged.quality}"
    return (
        f"{reviewed.number}. {format_place(reviewed)} ({cards}): {format_done(judged)}; {percent(judged.before)} to "
        f"{percent(judged.after)}, {cost}{named}; perfect play: {format_perfect_play(judged.choices)}"
    )


def format_advice(advice: Advice) -> str:
    """The best choice at a decision, and why."""
    if advice.flaw:
        return sentence(advice.flaw)
    if not advice.reason and not advice.choices:
        return "There is nothing to choose here."
    best = clause(advice.reason) if advice.reason else format_perfect_play(advice.choices)
    return f"The coach would {uncapitalized(best)}."


def format_judgement(message: Judgement) -> tuple[str, ...]:
    """The worth of an answer to a position."""
    return (sentence(message.flaw),) if message.judged is None else (format_judged(message.judged),)


def format_judged(judged: Judged) -> str:
    return f"{_named(judged, 'Right')}: you {format_done(judged)}. {_format_cost(judged)}"


def format_verdict(judged: Judged) -> str:
    """The same without the choices of perfect play, for a screen that shows them beside it."""
    return f"{_named(judged, 'Right')}: you {format_done(judged)}. {_format_chances(judged)}"


def _named(judged: Judged, fine: str) -> str:
    return fine if judged.quality is Quality.FINE else f"A {judged.quality}"


def format_weighed(choices: tuple[Weighed, ...]) -> tuple[str, ...]:
    """Every choice with the chance it leaves and how often perfect play makes it, the best first."""
    ordered = sorted(choices, key=lambda choice: (-choice.chance, -choice.share))
    return tuple(
        f"{capitalized(choice_phrase(choice.says))}: {percent(choice.chance)} to win the game; perfect play "
        f"{_how_often(choice.share)}."
        for choice in ordered
    )


def _how_often(share: int) -> str:
    if share < SELDOM:
        return "never does it here" if not share else "hardly ever does it here"
    return "always does it here" if share == CERTAIN else f"does it {percent(share)} of the time"
