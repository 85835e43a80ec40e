"""Analyses in English: what a player hears of their decisions, and nothing that a terminal would obey."""

import pytest
from msgspec.structs import replace

from put_protocol.analysis import Judged, Reviewed, Weighed, quality_of
from put_protocol.cards import Card
from put_protocol.games.put import Moment, Play, Put, See
from put_protocol.messages import Analysis
from put_protocol.seats import Seat
from put_text.analysis_text import (
    format_analysis,
    format_full_analysis,
    format_judged,
    format_perfect_play,
    format_reviewed,
    format_reviewed_line,
    format_totals,
    format_weighed,
    percent,
)

LEAD = Weighed(Play(Card("4c")), "lead the 4 of clubs", 5500, 2_500)
PUT = Weighed(Put(), 'say "I put": they throw in for a point, or this hand decides the game', 6180, 7_500)
NEVER = Weighed(Play(Card("3s")), "lead the 3 of spades", 4920, 0)


def judged(done: Weighed, *choices: Weighed) -> Judged:
    before = max(choice.chance for choice in choices)
    return Judged(
        before=before,
        after=done.chance,
        quality=quality_of(before - done.chance),
        done=done.action,
        choices=choices,
    )


def reviewed(done: Weighed, number: int = 3) -> Reviewed:
    cards = (Card("3s"), Card("Kd"), Card("4c"))
    return Reviewed(number, 2, 1, Moment.LEAD, (1, 3), cards, judged(done, LEAD, PUT, NEVER))


def analysis(*parts: Reviewed, worst: tuple[int, ...] = (), flaw: str = "") -> Analysis:
    cost = sum(one.judged.cost for one in parts)
    costly = sum(one.judged.cost >= 100 for one in parts)
    return Analysis(7, 4, Seat(0), len(parts), cost, costly, worst, parts, flaw)


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (0, "0%"),
        (1, "under 0.1%"),
        (5, "0.1%"),
        (50, "0.5%"),
        (100, "1%"),
        (6180, "61.8%"),
        (9994, "99.9%"),
        (9999, "over 99.9%"),
        (10_000, "100%"),
        (12_345, "123.5%"),
    ],
)
def test_chance_is_said_in_a_hundred(chance: int, said: str) -> None:
    """Nothing and certainty are said of nothing else."""
    assert percent(chance) in (said, said.replace("123.5", "123.4"))


def test_verdict_names_the_place_the_cards_the_deed_and_the_cost() -> None:
    """In the server's words without what may come of them."""
    assert format_reviewed(reviewed(NEVER), Seat(1)) == (
        "A blunder in hand 2, trick 1, to lead, the score being you 3, your opponent 1: you held the 3 of spades, "
        "the king of diamonds and the 4 of clubs, and chose to lead the 3 of spades. It took your chance of winning "
        'the game from 61.8% to 49.2%, which costs 12.6%. Perfect play is to say "I put" 75%, lead the 4 of clubs 25%.'
    )
    fine = format_reviewed(reviewed(PUT), Seat(1))
    assert fine.startswith("Well played in hand 2")
    assert 'chose to say "I put". That costs nothing' in fine


@pytest.mark.parametrize(("cost", "name"), [(50, "A slip"), (100, "A mistake"), (700, "A blunder")])
def test_verdict_has_a_word_for_every_cost(cost: int, name: str) -> None:
    """Said, never only coloured."""
    worse = Weighed(See(), "see the put", 6180 - cost, 0)
    one = Reviewed(1, 1, 1, Moment.ANSWER, (0, 0), (Card("3s"),), judged(worse, PUT, worse))
    assert format_reviewed(one, Seat(1)).startswith(f"{name} in hand 1, trick 1, to see the put, or throw in")


def test_mixture_names_what_is_done_often_enough() -> None:
    """The most usual first; one alone needs no number; what is hardly ever done is left out."""
    assert format_perfect_play((LEAD, PUT, NEVER)) == 'say "I put" 75%, lead the 4 of clubs 25%'
    always = Weighed(PUT.action, PUT.says, 6180, 9_960)
    hardly = Weighed(LEAD.action, LEAD.says, 5500, 40)
    assert format_perfect_play((hardly, always)) == 'say "I put"'


def test_totals_count_decisions_and_cost() -> None:
    """One, many, none; nothing, a little, much."""
    assert format_totals(analysis()) == "In game 4 nothing was left for you to decide."
    assert format_totals(analysis(reviewed(PUT))) == "Your one decision in game 4 cost nothing against perfect play."
    assert format_totals(analysis(reviewed(NEVER), reviewed(PUT))) == (
        "Your 2 decisions in game 4 cost 12.6% of a game against perfect play; one of them costs 1% or more."
    )
    assert format_totals(analysis(reviewed(NEVER), reviewed(LEAD))).endswith("2 of them cost 1% or more each.")


def test_lines_tell_what_a_screen_would_show() -> None:
    """The totals, the dearest by number, and every decision that cost something; a later part has no totals."""
    whole = analysis(reviewed(NEVER, 1), reviewed(PUT, 2), reviewed(LEAD, 3), worst=(1, 3))
    said = format_analysis(whole)
    assert said[0] == format_totals(whole)
    assert said[1] == "The dearest: number 1 and number 3."
    assert [line.partition(". ")[0] for line in said[2:]] == ["1", "3"]
    assert format_analysis(analysis(reviewed(LEAD, 33)))[0].startswith("33. ")
    assert format_analysis(analysis(flaw="the analysis failed; ask again")) == ("The analysis failed; ask again.",)
    full = format_full_analysis(whole)
    assert full[0] == format_totals(whole)
    assert [line for line in full if "; perfect play: " in line] == [
        format_reviewed_line(one) for one in whole.reviewed
    ]
    assert format_reviewed_line(reviewed(NEVER)) == (
        "3. hand 2, trick 1, to lead (3s Kd 4c): lead the 3 of spades; 61.8% to 49.2%, cost 12.6%, a blunder; "
        'perfect play: say "I put" 75%, lead the 4 of clubs 25%'
    )


def test_answer_to_a_position_is_judged_in_words() -> None:
    """And every choice is explained, the best first."""
    said = format_judged(judged(LEAD, LEAD, PUT, NEVER))
    assert said.startswith("A blunder: you lead the 4 of clubs. It took your chance")
    said = format_judged(judged(PUT, LEAD, PUT, NEVER))
    assert said.startswith('Right: you say "I put". That costs nothing')
    why = replace(judged(LEAD, LEAD, PUT, NEVER), reason='Say "I put": it wins 61.8% of games.')
    assert format_judged(why).endswith('Perfect play is to say "I put": it wins 61.8% of games.')
    assert format_weighed(judged(PUT, LEAD, PUT, NEVER).choices) == (
        'Say "I put": 61.8% to win the game; perfect play does it 75% of the time.',
        "Lead the 4 of clubs: 55% to win the game; perfect play does it 25% of the time.",
        "Lead the 3 of spades: 49.2% to win the game; perfect play never does it here.",
    )


def test_words_of_a_server_cannot_speak_to_a_terminal() -> None:
    """Control and bidi characters are left out, whatever the server says."""
    evil = Weighed(Play(Card("\x1b[2J")), "\x1b[2Jlead\u202e it: x", 10, 10_000)
    one = Reviewed(1, 1, 1, Moment.LEAD, (0, 0), (Card("\x1b]0;"),), judged(evil, evil))
    said = [
        format_reviewed(one, Seat(1)),
        format_reviewed_line(one),
        *format_analysis(analysis(one, flaw="\x1b[31mno")),
        format_judged(one.judged),
        *format_weighed(one.judged.choices),
    ]
    assert all(line.isprintable() for line in said)
