"""A listener at Put and Truc."""

import re
from collections.abc import Sequence

from tests.client.listener import Listener, Taken

RANKS = {"ace": "A", "king": "K", "queen": "Q", "knave": "J"}
CARD = r"the (\w+) of (spades|hearts|diamonds|clubs)"


def cards_in(words: str) -> list[str]:
    """The cards named, in letters, in their order."""
    return [RANKS.get(rank, rank) + suit[0] for rank, suit in re.findall(CARD, words)]


class PutListener(Listener):
    """Keeps the own hand, the table's cards, the score and that of the rubber."""

    news = re.compile(
        r"""The\ game\ is\ to\ \w+\ points\.
        |   .*\ are\ partners\.
        |   For\ the\ deal\ .*
        |   (You\ deal|\w+\ deals)\ first\.
        |   (You\ put|\w+\ puts):\ .*
        |   (You\ see|\w+\ sees)\ the\ put\ and\ plays?\ on\.
        |   (You\ offer|\w+\ offers)\ to\ double\ .*
        |   (You\ take|\w+\ takes)\ the\ double:\ .*
        |   (You\ say|\w+\ says)\ nothing\.
        |   \w+\ throws\ in,\ .*
        |   (You\ let|\w+\ lets)\ \w+\ give\.
        |   \w+\ gives\ \w+\ the\ best\ card,\ and\ throws\ the\ others\ away\.
        |   \w+\ throws\ away\ a\ card,\ unseen\.
        |   (You\ win|\w+\ wins)\ the\ hand\ by\ tricks\.
        |   [\w, ]+\ wins?\ the\ game\ .*
        """,
        re.VERBOSE,
    )
    _ranking: Sequence[str] = ()
    _table: Sequence[str] = ()
    _score = ""
    _rubber = ""

    def _sentences(self) -> Sequence[Taken]:
        return (
            (r"Cards rank, the best first, (.+)\.", self._rank),
            (r"\w+ deals? hand \d+, .*; (?:you are|\w+ is) eldest, first to play; you hold (.+)\.", self._take),
            (rf"(You|\w+) (?:lead|play)s? {CARD}\.", self._played),
            (r"(?:You take|\w+ takes) trick \d.*|Trick \d is tied, .*", lambda _: self._clear_table()),
            (r"You give \w+ the best card, .*|You throw in, .*", lambda _: self._give_all()),
            (r"\w+ gives you the best card, (.+), and throws the others away\.", self._given),
            (rf"You throw away ({CARD})\.", self._thrown),
            (r"(?:You win|\w+ wins) the hand.*: the score is (.+)\.", self._scored),
            (r"The hand is drawn, .*, and the score stays (.+)\.", self._scored),
            (r"You hold (.+)\.", lambda said: self._check(cards_in(said[1]), self._hand)),
            (r"The score is (.+?)(?:; games won in the rubber: (.+?))?; the purses, .+\.", self._checks_score),
            (r"[\w ,]+ wins? the game .*?(?:; games won in the rubber: (.+))?, and the next one begins\.", self._won),
        )

    def _begins(self, said: re.Match[str]) -> None:
        self._score = self._rubber = ""

    def _won(self, said: re.Match[str]) -> None:
        self._score = ""
        self._rubber = said[1] or ""

    def _rank(self, said: re.Match[str]) -> None:
        names = said[1].replace(" and ", ", ").split(", ")
        self._ranking = [RANKS.get(name, name) for name in names]

    def _take(self, said: re.Match[str]) -> None:
        self._hand = cards_in(said[1])
        self._clear_table()

    def _clear_table(self) -> None:
        self._table = ()

    def _give_all(self) -> None:
        self._hand = []

    def _given(self, said: re.Match[str]) -> None:
        self._hand = [*self._hand, *cards_in(said[1])]

    def _thrown(self, said: re.Match[str]) -> None:
        (card,) = cards_in(said[1])
        self._lose(card)

    def _lose(self, card: str) -> None:
        assert card in self._hand
        self._hand = [held for held in self._hand if held != card]

    def _played(self, said: re.Match[str]) -> None:
        (card,) = cards_in(said[0])
        self._table = [*self._table, card]
        if said[1] == "You":
            self._lose(card)

    def _scored(self, said: re.Match[str]) -> None:
        self._score = said[1]

    def _checks_score(self, said: re.Match[str]) -> None:
        self._check(said[1], self._score or said[1])
        if said[2] is not None:  # before its first game is won, nothing is said of a rubber: everybody has none
            self._check(said[2], self._rubber or re.sub(r"\d+", "0", said[2]))

    def _strength(self, card: str) -> int:
        return -self._ranking.index(card[:-1])

    def _choose(self, choices: Sequence[str]) -> str:
        """Bold with good cards, else timid; plays the least card that takes the trick, or the least."""
        choices = [choice.partition(":")[0] for choice in choices]
        is_good = sum(self._ranking.index(card[:-1]) for card in self._hand) <= 4 * len(self._hand)
        bold = {'say "I put"': "put", "offer to double": "double", "see the put": "see", "take the double": "take it"}
        playable = [card for choice in choices for card in cards_in(choice)]
        if is_good and (words := [bold[choice] for choice in choices if choice in bold]):
            return words[0]
        if playable:
            assert set(playable) <= set(self._hand)
            best = max(map(self._strength, self._table), default=-len(self._ranking))
            taking = [card for card in playable if self._strength(card) > best]
            return min(taking or playable, key=self._strength)
        if "say nothing" in choices:
            return "say nothing"
        if any(choice.startswith("throw in") for choice in choices):
            return "throw in"
        return "give" if is_good else "let them give"
