"""Listeners at games that are played for purses: Triomphe Forcée and Primero."""

import re
from collections import Counter
from collections.abc import Sequence

from tests.client.listener import CARD, Listener, Taken


def cards_in(words: str) -> list[str]:
    """The cards named, in their order, as they are named."""
    return re.findall(CARD, words)


def counted(words: str) -> dict[str, int]:
    """Numbers by player, as in `you -2, Doll 3`."""
    parts = [part.replace(" minus ", " -").rpartition(" ") for part in words.split(", ")]
    return {name: int(number) for name, _, number in parts}


def gained(words: str) -> dict[str, int]:
    """Gains by player, as in `you have lost 2, Doll wins 3, Ned is even`."""
    found = re.findall(r"(\w+)(?: (?:have|has))? (won|wins?|lost|loses?|breaks?|are|is) (\d+|even)", words)
    return {
        name: 0 if amount == "even" else int(amount) * (1 if verb[0] == "w" else -1) for name, verb, amount in found
    }


class _PurseListener(Listener):
    """Keeps the own hand, everyone's purse, and what is left to win."""

    _players: Sequence[str] = ()
    _middle = 0
    """What the pool or the pot holds."""

    def _sentences(self) -> Sequence[Taken]:
        return (
            (r"You hold (.+)\.", lambda said: self._check(cards_in(said[1]), self._hand)),
            (r"In this sitting (.+?)(?:; the (?:pool|pot) holds (\d+))?; the purses, .+\.", self._checks_score),
            (r"The game is over(?:, won by [^:]+)?: (.+)\.", self._checks_purses),
        )

    def _begins(self, said: re.Match[str]) -> None:
        self._players = said[1].replace(" and ", ", ").split(", ")
        self._purses = dict.fromkeys(self._players, 0)
        self._middle = 0

    def _checks_score(self, said: re.Match[str]) -> None:
        self._checks_purses(said)
        self._check(int(said[2] or 0), self._middle)

    def _checks_purses(self, said: re.Match[str]) -> None:
        self._check(gained(said[1]), self._purses)

    def _pay(self, player: str, amount: int) -> None:
        """Into the middle; or out of it, if below nothing."""
        self._purses["you" if player == "You" else player] -= amount
        self._middle += amount

    def _pays(self, said: re.Match[str]) -> None:
        self._pay(said[1], int(said[2]))

    def _gets(self, said: re.Match[str]) -> None:
        self._pay(said[1], 0 if said[2] == "nothing" else -int(said[2]))

    def _lose(self, cards: Sequence[str]) -> None:
        assert set(cards) <= set(self._hand)
        self._hand = [card for card in self._hand if card not in cards]


class TriompheListener(_PurseListener):
    """Counts tricks as well."""

    news = re.compile(
        r"""The\ sitting\ is\ of\ \w+\ hands,\ and\ each\ player\ stakes\ \d+\ on\ a\ hand\.
        |   Trumps\ rank\ from\ XXI,\ .*
        |   Swords\ and\ batons\ rank\ .*
        |   La\ Force\ is\ trump\ [IVX]+\.
        |   Cards\ are\ turned\ up\ for\ the\ deal,\ until\ .*
        |   (You\ show|\w+\ shows)\ trump\ XIII,\ La\ Mort\.
        |   The\ hand\ is\ over,\ because\ nothing\ is\ left\ of\ the\ pool\.
        """,
        re.VERBOSE,
    )
    _tricks: Counter[str]

    def _sentences(self) -> Sequence[Taken]:
        deal = r"\w+ deals? hand \d+, \w+ cards each; each stakes (\d+), so the pool holds (\d+)"
        return (
            *super()._sentences(),
            (rf"{deal}; (?:you are|\w+ is) the first to play; you hold (.+)\.", self._dealt),
            (r"(\w+) declares? .+, and gets? (nothing|\d+) from the pool\.", self._gets),
            (rf"(\w+) (?:lead|play)s? ({CARD})\.", self._played),
            (r"(\w+) takes? trick \d; tricks taken so far: (.+)\.", self._took),
            (r"(\w+) wins? the hand.*,(?: as .+,| with .+,)? and takes? (nothing|\d+) from the pool\.", self._gets),
            (r"(\w+) wins? the hand with La Mort, and takes? the stakes, (\d+)\.", self._gets),
            (r"The declarations have .+ is over; (\w+) takes? (nothing|\d+) from the pool\.", self._gets_last),
        )

    def _dealt(self, said: re.Match[str]) -> None:
        self._hand = cards_in(said[3])
        self._tricks = Counter()
        for player in self._players:
            self._pay(player, int(said[1]))
        self._check(int(said[2]), self._middle)

    def _gets_last(self, said: re.Match[str]) -> None:
        self._pay(said[1].replace("you", "You"), 0 if said[2] == "nothing" else -int(said[2]))

    def _played(self, said: re.Match[str]) -> None:
        if said[1] == "You":
            self._lose([said[2]])

    def _took(self, said: re.Match[str]) -> None:
        self._tricks["you" if said[1] == "You" else said[1]] += 1
        self._check(counted(said[2]), {player: self._tricks[player] for player in self._players})

    def _choose(self, choices: Sequence[str]) -> str:
        """A trump if there is one, else the first card; the card's name alone will do."""
        playable = [card for choice in choices for card in cards_in(choice)]
        assert len(playable) == len(choices)
        assert set(playable) <= set(self._hand)
        return next((card for card in playable if card.startswith("trump")), playable[0])


class PrimeroListener(_PurseListener):
    """Bets, trades, and shows."""

    news = re.compile(
        r"""The\ sitting\ is\ \w+\ hands,\ and\ a\ bet\ or\ a\ raise\ is\ \d+\ at\ most\.
        |   The\ pack\ has\ 40\ cards,\ .*
        |   The\ turn\ passes\ to\ the\ right,\ counter-clockwise\.
        |   Cards\ are\ turned\ up\ for\ the\ deal:\ .*
        |   Two\ more\ cards\ are\ dealt\ to\ [^;]*
        |   \w+\ lays\ down\ (one\ card|two\ cards),\ unseen\.
        |   \w+\ draws\ (one\ card|two\ cards),\ unseen;\ .*\ left\ in\ the\ stock\.
        |   The\ stock\ has\ run\ out:\ .*
        |   (You\ refuse|\w+\ refuses)\ the\ bet\.
        |   (You\ pass|\w+\ passes)\.
        |   .*\ (are|is)\ out\ of\ the\ hand,\ and\ the\ cards\ go\ away\ unseen\.
        |   (You\ call|\w+\ calls)\ vada:\ everyone\ shows\ at\ once\.
        |   (You\ go|\w+\ goes)\ on\.
        |   (You\ announce|\w+\ announces)\ a\ (Numerus|Primero|Supremus|Fluxus|Chorus)\.
        |   (You\ stand|\w+\ stands)\ and\ keeps?\ all\ cards\.
        |   This\ round\ of\ betting\ is\ over\.
        |   No\ player\ has\ bet,\ so\ the\ cards\ are\ thrown\ in\ and\ dealt\ again.*
        """,
        re.VERBOSE,
    )

    def _sentences(self) -> Sequence[Taken]:
        deal = r"\w+ deals? hand \d+( again)?, two cards each"
        return (
            *super()._sentences(),
            (rf"{deal}(?:; everyone .+ pot)?; \w+ speaks? first; you hold (.+)\.", self._dealt),
            (r"Two more cards are dealt to .+; you hold (.+) besides\.", self._takes),
            (r"You draw (.+); .+ left in the stock\.", self._takes),
            (r"You lay down (.+)\.", lambda said: self._lose(cards_in(said[1]))),
            (r"(\w+) bets? (\d+)\.", self._pays),
            (r"(\w+) raises? the bet by \d+ and pays? (\d+): to see it takes \d+ in all\.", self._pays),
            (r"(\w+) sees? the bet and pays? (\d+)\.", self._pays),
            (
                r"No player takes the bet, so (\w+) takes? back (\d+) and may raise no more in this round.*\.",
                self._gets,
            ),
            (r"\w+ shows? .+, an? \w+ of \w+ points?.*\.", self._shown),
            (r"(\w+) takes? the pot of (\d+), (?:for the best hand|as the only one left)\.", self._wins),
        )

    def _dealt(self, said: re.Match[str]) -> None:
        self._hand = cards_in(said[2])
        if not said[1]:
            for player in self._players:
                self._pay(player, 1)

    def _takes(self, said: re.Match[str]) -> None:
        self._hand = [*self._hand, *cards_in(said[1])]

    def _shown(self, said: re.Match[str]) -> None:
        for own in re.findall(r"(?:^|; )[Yy]ou show ([^;]+)", said[0]):
            self._check(cards_in(own), self._hand)

    def _wins(self, said: re.Match[str]) -> None:
        self._check(int(said[2]), self._middle)
        self._gets(said)

    def _choose(self, choices: Sequence[str]) -> str:
        """Announces what is held; bets with two cards of a suit, and trades the first card without."""
        assert {card for choice in choices for card in cards_in(choice)} <= set(self._hand)
        suits = Counter(card.rpartition(" ")[2] for card in self._hand)
        is_good = max(suits.values()) > 1
        said = [choice.partition(":")[0] for choice in choices]
        announced = [choice.partition(":")[0] for choice in choices if re.match(r"announce .+: you hold", choice)]
        wished = ("call vada", *announced, *(("bet 2", "see the bet") if is_good else ()), "pass", "refuse the bet")
        trades = (choice for choice in said if choice.startswith("trade "))
        return next((wish for wish in wished if wish in said), next(trades, said[0]))
