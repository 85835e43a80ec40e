"""Whole games by somebody who has nothing but the sentences, in line mode and on a typed connection: no events, no
views, no rules.

The reader keeps count of what they were told, checks it now and then, and fails at the first sentence that they cannot
understand. They type what a person would type.
"""

import asyncio
import os
import re
from collections.abc import Callable, Iterable

import pytest

from put_client.line.line_mode import run
from put_client.sdk.client import Client
from put_server.app import serving
from put_server.games.registry import GAMES
from put_server.settings import Settings
from tests.seal.known_games import KNOWN

BACKSTOP_S = 25
"""For a whole game: never waited out by one that ends."""

SETTINGS = Settings(host="127.0.0.1", port=0, data=":memory:", seed=1674)

RANKS = {"ace": "A", "king": "K", "queen": "Q", "knave": "J"}
CARD = r"the (\w+) of (spades|hearts|diamonds|clubs)"


def cards_in(words: str) -> list[str]:
    """The cards named, in letters, in their order."""
    return [RANKS.get(rank, rank) + suit[0] for rank, suit in re.findall(CARD, words)]


NEWS = re.compile(
    r"""You\ are\ \w+,\ at\ .*
    |   You\ are\ in\ seat\ \d\ at\ table\ \d\.
    |   Table\ \d.*
    |   (You\ sit|\w+,\ of\ the\ house,\ sits)\ down\ in\ seat\ \d\.
    |   Say\ "rules"\ .*
    |   The\ game\ is\ to\ \w+\ points\.
    |   .*\ are\ partners\.
    |   For\ the\ deal\ .*
    |   (You\ deal|\w+\ deals)\ first\.
    |   (You\ put|\w+\ puts):\ .*
    |   (You\ see|\w+\ sees)\ the\ put\ and\ plays?\ on\.
    |   (You\ offer|\w+\ offers)\ to\ double\ .*
    |   (You\ take|\w+\ takes)\ the\ double:\ .*
    |   (You\ say|\w+\ says)\ nothing\.
    |   \w+\ throws\ in,\ .*
    |   (You\ let|\w+\ lets)\ the\ partner\ give\.
    |   \w+\ gives\ \w+\ the\ best\ card\ and\ throws\ the\ others\ away\.
    |   \w+\ throws\ away\ a\ card,\ unseen\.
    |   (You\ win|\w+\ wins)\ the\ hand\ by\ tricks\.
    |   [\w, ]+\ wins?\ the\ game\ .*
    |   The\ purses,\ .*
    |   \w+\ says:\ ".*"
    |   (You\ are|\w+\ is)\ ready\ for\ another\ game\.
    |   If\ your\ connection\ drops,\ .*
    |   (All\ \d+|\d+\ of\ \d+)\ deals\ so\ far\ were\ proved\.
    |   This\ deal\ is\ not\ proved\ to\ you:\ nothing\ checks\ it\ on\ a\ typed\ connection\.
    |   Goodbye\.
    """,
    re.VERBOSE,
)
"""What needs no answer, and goes into no books."""


class Reader:
    """One who listens, keeps books, and answers."""

    def __init__(self, game: str, seats: int, answer: Callable[[str], object], *, doubts: int = 10_000) -> None:
        """`doubts`: how often they check their count."""
        self._doubts = doubts
        self.heard: list[str] = []
        self.checks = 0
        """How often the books were found right."""
        self.is_over = False
        self._opening = (f"open {game} {seats}", *["invite"] * (seats - 1))
        self._answer = answer
        self._ranking: list[str] = []
        self._hand: list[str] = []
        self._table: list[str] = []
        self._score = ""
        self._patterns: tuple[tuple[str, Callable[[re.Match[str]], None]], ...] = (
            (r"You are at no table\. .*", lambda _: self._open()),
            (r"Cards rank, the best first, (.+)\.", self._rank),
            (r"\w+ deals? hand \d+, .*; (?:you are|\w+ is) eldest, first to play; you hold (.+)\.", self._take),
            (rf"(You|\w+) (?:lead|play)s? {CARD}\.", self._played),
            (r"(?:You take|\w+ takes) trick \d.*|Trick \d is tied: .*", lambda _: self._table.clear()),
            (r"You give \w+ the best card, .*|You throw in, .*", lambda _: self._hand.clear()),
            (r"\w+ gives you the best card, (.+), and throws the others away\.", self._given),
            (rf"You throw away {CARD}\.", lambda thrown: self._hand.remove(cards_in(thrown[0])[0])),
            (r"(?:You win|\w+ wins) the hand.*: the score is (.+)\.", self._scored),
            (r"The hand is drawn: .*, and the score stays (.+)\.", self._scored),
            (r"Your move\. .+ You can: (.+)\.", self._move),
            (r"You hold (.+)\.", self._checks_hand),
            (r"The score is (.+)\.", self._checks_score),
            (r"(?:[\w ,]+) wins? the game .*, and the next one begins\.", lambda _: self._begins()),
            (r"Game \d+ begins: .* play\.", lambda _: self._begins()),
            (r'Say "again" for another game, or "leave"\.', lambda _: self._end()),
        )

    def hear(self, sentence: str) -> None:
        """Take it in, and answer if an answer is due."""
        self.heard.append(sentence)
        for pattern, take in self._patterns:
            if (said := re.fullmatch(pattern, sentence)) is not None:
                take(said)
                return
        assert NEWS.fullmatch(sentence), f"what is to be made of this? {sentence}"

    def _open(self) -> None:
        for line in self._opening:
            self._answer(line)

    def _begins(self) -> None:
        self._score = ""

    def _rank(self, said: re.Match[str]) -> None:
        names = said[1].replace(" and ", ", ").split(", ")
        self._ranking = [RANKS.get(name, name) for name in names]

    def _take(self, said: re.Match[str]) -> None:
        self._hand = cards_in(said[1])
        self._table.clear()

    def _given(self, said: re.Match[str]) -> None:
        self._hand += cards_in(said[1])

    def _played(self, said: re.Match[str]) -> None:
        (card,) = cards_in(said[0])
        self._table.append(card)
        if said[1] == "You":
            self._hand.remove(card)

    def _scored(self, said: re.Match[str]) -> None:
        self._score = said[1]

    def _checks_hand(self, said: re.Match[str]) -> None:
        assert cards_in(said[1]) == self._hand
        self.checks += 1

    def _checks_score(self, said: re.Match[str]) -> None:
        assert said[1] == self._score or not self._score
        self.checks += 1

    def _end(self) -> None:
        self.is_over = bool(self.checks)  # among partners a game may end without a decision for them
        self._answer("quit" if self.is_over else "again")

    def _strength(self, card: str) -> int:
        return -self._ranking.index(card[:-1])

    def _move(self, said: re.Match[str]) -> None:
        """Bold with good cards, else timid; plays the least card that takes the trick, or the least."""
        for question in ("hand", "score"):  # while it is our move nothing else happens
            if self._doubts:
                self._doubts -= 1
                self._answer(question)
        choices = [choice.partition(" ")[2].partition(":")[0] for choice in said[1].split("; ")]
        is_good = sum(self._ranking.index(card[:-1]) for card in self._hand) <= 4 * len(self._hand)
        bold = {'say "I put"': "put", "offer to double": "double", "see the put": "see", "take the double": "take it"}
        playable = [card for choice in choices for card in cards_in(choice)]
        if is_good and (words := [bold[choice] for choice in choices if choice in bold]):
            self._answer(words[0])
        elif playable:
            assert set(playable) <= set(self._hand)
            best = max(map(self._strength, self._table), default=-len(self._ranking))
            taking = [card for card in playable if self._strength(card) > best]
            self._answer(min(taking or playable, key=self._strength))
        elif "say nothing" in choices:
            self._answer("say nothing")
        elif any(choice.startswith("throw in") for choice in choices):
            self._answer("throw in")
        else:
            self._answer("give" if is_good else "let him give")


def every_table(games: Iterable[str]) -> pytest.MarkDecorator:
    """Each of these rule sets for each number of seats."""
    return pytest.mark.parametrize(
        ("game", "seats"), [(name, seats) for name in games for seats in GAMES[name].offer.seats]
    )


@every_table(KNOWN)
async def test_game_is_played_with_nothing_but_the_sentences(game: str, seats: int) -> None:
    """Every sentence is understood, every answer taken, the books are right, and the game comes to its end."""
    reading, writing = os.pipe()
    reader = Reader(game, seats, lambda line: os.write(writing, f"{line}\n".encode()))
    async with (
        asyncio.timeout(BACKSTOP_S),
        serving(SETTINGS, thinks=False) as server,
        await Client.connect("127.0.0.1", server.port, name="Moll") as client,
    ):
        await run(client, table=None, watch=None, passcode="", descriptor=reading, say=reader.hear)
    os.close(writing)  # the other end stays the reading thread's
    assert reader.is_over
    assert reader.checks
    assert not any("not proved" in said for said in reader.heard)
    assert any(re.fullmatch(r"All \d+ deals so far were proved\.", said) for said in reader.heard)


@every_table(GAMES)
async def test_game_is_played_on_a_bare_line(game: str, seats: int) -> None:
    """The same with no client at all: a socket, and the words of whoever calls by `nc`."""
    async with asyncio.timeout(BACKSTOP_S), serving(SETTINGS, thinks=False) as server:
        lines, writer = await asyncio.open_connection("127.0.0.1", server.port)
        # No more doubts than a person may have at once: lines that ask for nothing are counted, moves are not.
        reader = Reader(game, seats, lambda line: writer.write(f"{line}\n".encode()), doubts=40)
        writer.write(b"name Moll\n")
        while line := await lines.readline():
            reader.hear(line.decode().removesuffix("\n"))
        writer.close()
        await writer.wait_closed()
    assert reader.heard[-1] == "Goodbye."
    assert reader.is_over
    assert reader.checks
    hands = [place for place, said in enumerate(reader.heard) if re.match(r"\w+ deals? hand \d+, ", said)]
    assert hands
    assert all(reader.heard[place + 1].startswith("This deal is not proved to you: ") for place in hands)
