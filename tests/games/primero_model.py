"""An independent model of Primero, written from the rules alone: a sitting is a coroutine that asks questions.

It shares nothing with the server but the notation of cards. A bet is a call: it asks the others in turn, and a raise is
a call within that call, so that a bet nobody takes is withdrawn by returning. The machine keeps a stack of levels
instead; the tests play both and compare them at every step.
"""

from collections.abc import Generator, Iterable
from itertools import combinations
from typing import NamedTuple

POINTS = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "Q": 10, "K": 10}
PACK = frozenset(rank + suit for rank in POINTS for suit in "shdc")
CATEGORIES = ("numerus", "primero", "supremus", "fluxus", "chorus")
TIME = "time"


class Pack(NamedTuple):
    """These cards are wanted, shuffled."""

    cards: frozenset[str]


class Ask(NamedTuple):
    """A player may do any of these, in the words of the vectors."""

    seat: int
    may: frozenset[str]


class End(NamedTuple):
    """The sitting is over."""

    dealer: int


Question = Pack | Ask | End
Play = Generator[Question, str, None]
Answered = Generator[Question, str, str]
Fate = Generator[Question, str, bool]


def worth(cards: Iterable[str]) -> tuple[int, int]:
    """The category's number, and the points: every reading of the hand is tried, and the best is taken."""
    held = list(cards)
    readings = []
    for size in (2, 3, 4):
        for some in combinations(held, size):
            ranks, suits = sorted(card[0] for card in some), {card[1] for card in some}
            points = sum(POINTS[rank] for rank in ranks)
            if size < 4 and len(suits) == 1:
                readings.append((2 if ranks == ["6", "7", "A"] else 0, points))
            if size == 4 and len(suits) == 4:
                readings.append((4 if len(set(ranks)) == 1 else 1, points))
            if size == 4 and len(suits) == 1:
                readings.append((3, points))
    return max(readings)


def trades(cards: list[str]) -> set[str]:
    return {f"trade {' '.join(some)}" for size in (1, 2) for some in combinations(cards, size)}


class Model:
    """A sitting, and what it asks."""

    def __init__(self, seats: int, limit: int, hands: int, dealer: int | None) -> None:
        self.seats = seats
        self.limit = limit
        self.hands = hands
        self.dealer = dealer
        self.left: set[int] = set()
        self.purses = [0] * seats
        self.pot = 0
        self.cards: dict[int, list[str]] = {}
        """Of those who are in."""
        self.stock: list[str] = []
        self.gone: list[str] = []
        self.is_dealt = False
        self._play = self._sitting()
        self.asks: Question = next(self._play)

    def give(self, answer: str) -> None:
        """What a player does, or a pack."""
        self.asks = self._play.send(answer)

    def leave(self, seat: int) -> None:
        remaining = [other for other in range(self.seats) if other not in self.left and other != seat]
        if len(remaining) == 1:
            self._play.close()
            self.purses[remaining[0]] += self.pot
            self.pot = 0
            due = 0 if self.dealer is None else self.dealer
            while due in self.left and not self.is_dealt:
                due = (due + 1) % self.seats
            self.asks = End((due + 1) % self.seats if self.is_dealt else due)
            return
        self.left.add(seat)
        if isinstance(self.asks, Ask) and self.asks.seat == seat:
            self.give(TIME)

    # --- the sitting ---

    def _turn(self, seat: int, may: set[str]) -> Answered:
        if seat in self.left:
            return TIME
        answer = yield Ask(seat, frozenset(may))
        assert answer == TIME or answer in may
        return answer

    def _round(self, after: int) -> list[int]:
        """Who is in, in turn after a seat."""
        return [seat for step in range(1, self.seats + 1) if (seat := (after + step) % self.seats) in self.cards]

    def _sitting(self) -> Play:
        if self.dealer is None:
            pack = (yield Pack(PACK)).split()
            drawing = [seat for seat in range(self.seats) if seat not in self.left]
            aces = [place for place, card in enumerate(pack) if card[0] == "A"]
            self.dealer = drawing[aces[0] % len(drawing)]
        for number in range(1, self.hands + 1):
            yield from self._hand()
            self.is_dealt = False
            self.dealer = (self.dealer + 1) % self.seats
            if number < self.hands:
                self._pass_over()
        yield End(self.dealer)

    def _pass_over(self) -> None:
        assert self.dealer is not None
        while self.dealer in self.left:
            self.dealer = (self.dealer + 1) % self.seats

    def _hand(self) -> Play:
        thrown_in = 0
        while True:
            pack = (yield Pack(PACK)).split()
            self._pass_over()
            assert self.dealer is not None
            self.is_dealt = True
            self.cards = {seat: [] for seat in range(self.seats) if seat not in self.left}
            players = self._round(self.dealer)
            if not thrown_in:
                for seat in players:
                    self._pay(seat, 1)
            self.stock, self.gone = pack, []
            for seat in players * 2:
                self.cards[seat].append(self.stock.pop(0))
            outcome = yield from self._first_betting(players, may_trade=thrown_in < 3)
            if outcome == "bet":
                break
            if outcome == "alone":
                return self._take_pot(next(iter(self.cards)))
            thrown_in += 1
            self.is_dealt = False
            self.cards = {}
        for seat in self._round(self.dealer) * 2:
            self.cards[seat].append(self.stock.pop(0))
        for seat in self._round(self.dealer):
            may = {"go_on"} | ({"vada"} if worth(self.cards[seat])[0] in (1, 3) else set())
            if (yield from self._turn(seat, may)) == "vada":
                return self._showdown()
        yield from self._second_betting()
        for seat in self._round(self.dealer):
            answer = yield from self._turn(seat, trades(self.cards[seat]) | {"stand"})
            if answer.startswith("trade"):
                yield from self._trade(seat, answer.split()[1:])
        return self._showdown()

    def _pay(self, seat: int, amount: int) -> None:
        self.purses[seat] -= amount
        self.pot += amount

    def _take_pot(self, seat: int) -> None:
        self._pay(seat, -self.pot)
        self.cards = {}

    def _showdown(self) -> None:
        assert self.dealer is not None
        # max takes the first of equals, who is the nearest to the dealer's right
        self._take_pot(max(self._round(self.dealer), key=lambda seat: worth(self.cards[seat])))

    def _out(self, seats: Iterable[int]) -> None:
        for seat in seats:
            self.gone += self.cards.pop(seat)

    def _trade(self, seat: int, cards: list[str]) -> Play:
        for card in cards:
            self.cards[seat].remove(card)
        for _ in cards:
            if not self.stock:
                self.stock = (yield Pack(frozenset(self.gone))).split()
                self.gone = []
            self.cards[seat].append(self.stock.pop(0))
        self.gone += cards

    # --- betting ---

    def _amounts(self, verb: str) -> set[str]:
        return {f"{verb} {amount}" for amount in range(1, self.limit + 1)}

    def _begin_round(self) -> None:
        self.put_in = dict.fromkeys(range(self.seats), 0)
        self.raises = dict.fromkeys(range(self.seats), 3)

    def _first_betting(self, players: list[int], *, may_trade: bool) -> Answered:
        self._begin_round()
        for seat in players:
            answer = yield from self._turn(
                seat, self._amounts("bet") | (trades(self.cards[seat]) if may_trade else set())
            )
            if answer.startswith("bet"):
                yield from self._bet(seat, int(answer.split()[1]), 0, must_be_taken=True)
                return "bet"
            if answer.startswith("trade"):
                yield from self._trade(seat, answer.split()[1:])
            else:
                self._out([seat])
                if len(self.cards) == 1:
                    return "alone"
        return "thrown in"

    def _second_betting(self) -> Play:
        self._begin_round()
        self.announced: dict[int, int] = {}
        assert self.dealer is not None
        for seat in self._round(self.dealer):
            is_timed_out = yield from self._announce(seat)
            answer = TIME
            if not is_timed_out:
                answer = yield from self._turn(seat, self._amounts("bet") | {"pass"})
            if answer.startswith("bet") and (yield from self._bet(seat, int(answer.split()[1]), 0)):
                return

    def _announce(self, seat: int) -> Generator[Question, str, bool]:
        """A player's first turn in the second round; whether their time ran out, and with it the whole turn."""
        if seat in self.announced:
            return False
        own = worth(self.cards[seat])[0]
        may = set(range(own, 5)) | ({1, 2, 3}.intersection(self.announced.values()) if own == 4 else set())
        answer = yield from self._turn(seat, {f"announce {CATEGORIES[category]}" for category in may})
        self.announced[seat] = own if answer == TIME else CATEGORIES.index(answer.split()[1])
        return answer == TIME

    def _bet(self, maker: int, amount: int, below: int, *, must_be_taken: bool = False) -> Fate:
        """A bet on top of what everyone has to have put in: whether it was taken, by anybody, so that it stands."""
        level = below + amount
        self._put(maker, level)
        refused: list[int] = []
        is_taken = False
        others = self._round(maker)[:-1]
        for place, seat in enumerate(others):
            may = {"see"} | (self._amounts("raise") if self.raises[seat] else set())
            is_forced = must_be_taken and not is_taken and place == len(others) - 1
            if not is_forced:
                may.add("refuse")
            answer = TIME
            if not self._is_second() or not (yield from self._announce(seat)):
                answer = yield from self._turn(seat, may)
            if answer == TIME:
                answer = "see" if is_forced else "refuse"
            if answer == "refuse":
                if is_taken:
                    self._out([seat])
                else:
                    refused.append(seat)
                continue
            self._out(refused)
            refused, is_taken = [], True
            self._put(seat, level)
            if answer.startswith("raise"):
                self.raises[seat] -= 1
                if (yield from self._bet(seat, int(answer.split()[1]), level)):
                    return True
        if not is_taken:
            self._put(maker, below)
            self.raises[maker] = 0
        return is_taken

    def _is_second(self) -> bool:
        return all(len(cards) == 4 for cards in self.cards.values())

    def _put(self, seat: int, level: int) -> None:
        self._pay(seat, level - self.put_in[seat])
        self.put_in[seat] = level
