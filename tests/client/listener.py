"""A player who has nothing but the sentences: no events, no views, no rules. Here, what is said at every game's table.

They keep count of what they are told, check it now and then, and fail at the first sentence that they cannot
understand. They type what a person would type.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeAlias

CARD = r"the Fool|the \w+ of \w+|trump [IVX]+(?:, (?:Le Basteleur|La Mort))?"
"""The name of a card."""

Taken: TypeAlias = tuple[str, Callable[[re.Match[str]], None]]
"""A sentence that goes into the books or needs an answer, and what takes it in."""

_NEWS_OF_TABLE = re.compile(
    r"""    You\ are\ \w+,\ at\ .*
    |   You\ are\ in\ seat\ \d+\ at\ table\ \d\.
    |   Table\ \d.*
    |   (You\ sit|\w+,\ of\ the\ house,\ sits)\ down\ in\ seat\ \d+\.
    |   Say\ "rules"\ .*
    |   The\ purses,\ .*
    |   \w+\ says:\ ".*"
    |   (You\ are|\w+\ is)\ ready\ for\ another\ game\.
    |   If\ your\ connection\ drops,\ .*
    |   Your\ seat\ at\ table\ \d+\ is\ kept\ for\ .*
    |   To\ come\ back,\ .*
    |   (Both|All\ \d+|\d+\ of\ \d+)\ deals\ so\ far\ were\ proved\.
    |   The\ cards\ are\ dealt\ blind:\ .*
    |   This\ deal\ is\ not\ proved:\ the\ server\ deals\ alone\.
    |   (The\ one\ deal|None\ of\ \d+\ deals|0\ of\ \d+\ deals)\ so\ far\ .*
    |   \d+\ (was|were)\ not:\ the\ server\ deals\ alone\.
    |   \d+\ deals\ are\ not\ proved:\ the\ server\ deals\ alone\.
    |   No\ deal\ here\ is\ proved\ to\ you:\ nothing\ checks\ them\ on\ a\ typed\ connection\.
    |   Goodbye\.
    """,
    re.VERBOSE,
)
"""What needs no answer, and goes into no books."""


class Listener(ABC):
    """One who listens, keeps books, and answers."""

    _hand: Sequence[str] = ()

    news: re.Pattern[str]
    """What needs no answer and goes into no books, in games of this family."""

    def __init__(self, opening: Sequence[str], answer: Callable[[str], object], *, doubts: int = 10_000) -> None:
        """`opening`: what they type to have a table; `doubts`: how often they check their count."""
        self._opening = opening
        self._answer = answer
        self._doubts = doubts
        self.heard: list[str] = []
        self.checks = 0
        """How often the books were found right."""
        self.is_over = False
        self._was_asked = False
        self._patterns: Sequence[Taken] = (
            (r"You are at no table\. .*", lambda _: self._open()),
            (r"Game \d+ begins: (.+) play\.(?: The server deals alone: .*)?", self._begins),
            (r"Your move\. .+ You can: (.+)\.", self._move),
            (r'You are about to .+\. Say "yes" to do it, or make another move\..*', lambda _: self._agree()),
            (
                r'Say "again" for another game, ("analyse" to hear what your decisions cost, )?or "leave"\.',
                lambda _: self._end(),
            ),
            (r'Say "analyse" to hear what your decisions cost\.', lambda _: None),
            *self._sentences(),
        )

    def hear(self, sentence: str) -> None:
        """Take it in, and answer if an answer is due."""
        self.heard.append(sentence)
        for pattern, take in self._patterns:
            if (said := re.fullmatch(pattern, sentence)) is not None:
                take(said)
                return
        is_news = self.news.fullmatch(sentence) or _NEWS_OF_TABLE.fullmatch(sentence)
        assert is_news, f"what is to be made of this? {sentence}"

    @abstractmethod
    def _sentences(self) -> Sequence[Taken]:
        """What goes into the books in games of this family."""

    @abstractmethod
    def _begins(self, said: re.Match[str]) -> None:
        """New books."""

    @abstractmethod
    def _choose(self, choices: Sequence[str]) -> str:
        """What to type for one of these."""

    def _open(self) -> None:
        for line in self._opening:
            self._answer(line)

    def _move(self, said: re.Match[str]) -> None:
        self._was_asked = True
        for question in ("hand", "score"):  # while it is our move nothing else happens
            if self._doubts:
                self._doubts -= 1
                self._answer(question)
        self._answer(self._choose([choice for group in said[1].split("; ") for choice in self._choices(group)]))

    def _choices(self, group: str) -> Sequence[str]:
        """The choices that are told together, each as it may be said."""
        alike = re.fullmatch(r"\d+ (?:and|to) \d+ ((\w+) .+)", group)
        if alike is None:
            return [group.partition(" ")[2]]
        if amounts := re.fullmatch(r"(.* )(\d+) to (\d+)", alike[1]):
            return [f"{amounts[1]}{amount}" for amount in range(int(amounts[2]), int(amounts[3]) + 1)]
        verb, rest = alike[2], alike[1]
        if cards := re.findall(CARD, rest):
            return [f"{rest.partition(cards[0])[0]}{card}" for card in cards]
        return [f"{verb} {card}" for card in self._hand]

    def _agree(self) -> None:
        self._answer("yes")

    def _check(self, said: object, kept: object) -> None:
        assert said == kept
        self.checks += 1

    def _end(self) -> None:
        self.is_over = self._was_asked  # a game may end without a decision for them, as among partners
        self._answer("quit" if self.is_over else "again")
