"""Parts of sentences: seats, cards, counts and lengths of time in words. No game is known here."""

from collections.abc import Iterable, Sequence

from put_protocol.cards import Card, name_of
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat, Viewer
from put_protocol.text import listed, printable

Names = Sequence[str | None]
"""Players' names by seat. Where one is missing, the seat is named by its number."""

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Speaker:
    """Names seats as one reader knows them."""

    def __init__(self, names: Names, you: Viewer, owner: Seat | None = None, *, is_brief: bool = False) -> None:
        """`owner`: the player whose cards the reader is shown; None: the reader. `is_brief`: the reader knows the game
        and wants few words, so a clause that only says what follows from others is empty."""
        self.is_brief = is_brief
        self._names = names
        self._owner = owner
        self.you = you

    @property
    def seats(self) -> int:
        return len(self._names)

    def name(self, seat: Seat) -> str:
        """`you`, `Moll`, or `seat 3`: people count seats from one."""
        if seat == self.you:
            return "you"
        name = self._names[seat] if seat < len(self._names) else None
        return printable(name or "") or f"seat {seat + 1}"

    def verb(self, seat: Seat, you_do: str, another_does: str = "") -> str:
        return you_do if seat == self.you else another_does or f"{you_do}s"

    def does(self, seat: Seat, you_do: str, another_does: str = "") -> str:
        """Subject and verb: `you lead`, `Moll leads`."""
        return f"{self.name(seat)} {self.verb(seat, you_do, another_does)}"

    def names(self, seats: Iterable[Seat]) -> str:
        """Seats in words: `you and Moll`."""
        return listed([self.name(seat) for seat in seats])

    def counted(self, numbers: Sequence[int]) -> str:
        """A number for each seat, the reader's first: `you 2, Moll 3`."""
        seats = sorted(range(len(numbers)), key=lambda seat: seat != self.you)
        return ", ".join(f"{self.name(Seat(seat))} {format_number(numbers[seat])}" for seat in seats)

    def gains(self, numbers: Sequence[int], *, so_far: bool = False) -> str:
        """The gain of each purse, the reader's first: `you win 3, Moll loses 3`, or so far `you have won 3, ...`."""
        seats = sorted(map(Seat, range(len(numbers))), key=lambda seat: seat != self.you)
        return ", ".join(self._gain(seat, numbers[seat], so_far=so_far) for seat in seats)

    def _gain(self, seat: Seat, amount: int, *, so_far: bool) -> str:
        if not amount:
            return f"{self.does(seat, 'are', 'is')} even" if so_far else f"{self.does(seat, 'break')} even"
        present, past = ("win", "won") if amount > 0 else ("lose", "lost")
        verb = f"{self.does(seat, 'have', 'has')} {past}" if so_far else self.does(seat, present)
        return f"{verb} {abs(amount)}"

    def to_move(self, seat: Seat | None, task: str) -> str:
        """The player whose move it is, and what they are to do: `you are to lead`."""
        return "no player is to move" if seat is None else f"{self.does(seat, 'are', 'is')} {task}"

    def possessive(self, seat: Seat) -> str:
        """A seat as a possessive: `your`, `Moll's`."""
        return "your" if seat == self.you else f"{self.name(seat)}'s"

    def holding(self, cards: Sequence[Card], verb: str = "hold") -> str:
        """The cards that only one viewer sees: `you hold the 3 of spades`."""
        holds = f"you {verb}" if self._owner is None else self.does(self._owner, verb)
        return f"{holds} {self.cards(cards)}"

    def card(self, card: Card) -> str:
        """`the 3 of spades`, or in brief `3 of spades`."""
        return card_in_brief(card) if self.is_brief else format_card(card)

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards in words; in brief suit by suit: `king and 3 of spades, 4 of clubs`."""
        return _by_suit(cards) if self.is_brief and cards else format_cards(cards)

    def plays(self, seat: Seat, card: Card, *, leads: bool) -> str:
        """A card played: `Moll leads the 3 of spades`; in brief `Moll leads 3 of spades`, `Ned: 4 of clubs`."""
        if self.is_brief and not leads:
            return f"{self.name(seat)}: {self.card(card)}"
        return f"{self.does(seat, 'lead' if leads else 'play')} {self.card(card)}"

    def others(self, seat: Seat) -> str:
        """The opponents of this seat."""
        return self.name(Seat(1 - seat)) if len(self._names) == 2 else "the opponents"


def format_card(card: Card) -> str:
    """A card in words: `the 3 of spades`."""
    return printable(name_of(card))


def format_cards(cards: Sequence[Card]) -> str:
    """Cards in their order: `the 3 of spades and the knave of clubs`."""
    return listed([format_card(card) for card in cards]) if cards else "no cards"


def card_in_brief(card: Card) -> str:
    """A card in few words: `3 of spades`, `trump XXI`; a trump with a name of its own is called by that."""
    return format_card(card).removeprefix("the ").rpartition(", ")[2]


def _by_suit(cards: Sequence[Card]) -> str:
    """Cards suit by suit, each suit said once."""
    suits: dict[str, list[str]] = {}
    for card in cards:
        said = card_in_brief(card)
        rank, _, suit = said.partition(" of ") if " of " in said else said.partition("trump ")
        suits.setdefault("" if rank == said else suit if rank else "trump", []).append(rank or suit)
    return ", ".join(_of_suit(suit, ranks) for suit, ranks in suits.items())


def _of_suit(suit: str, ranks: Sequence[str]) -> str:
    if suit == "trump":
        return f"trump{'s' if len(ranks) > 1 else ''} {listed(ranks)}"
    return f"{listed(ranks)} of {suit}" if suit else ", ".join(ranks)


def format_trick(trick: TrickView, who: Speaker) -> str:
    """The cards of a trick: `you led the 3 of spades and Moll played the 4 of clubs`."""
    verbs = ("led", *("played" for _ in trick.seats[1:]))
    played = zip(trick.seats, verbs, trick.cards, strict=False)
    return listed([f"{who.name(seat)} {verb} {format_card(card)}" for seat, verb, card in played])


def format_tricks(past: Sequence[TrickView], taken: Sequence[int], who: Speaker) -> Iterable[str]:
    """The tricks of a hand, a clause each, and how many each player has taken."""
    for number, trick in enumerate(past, 1):
        took = "it was tied, and no player took it" if trick.winner is None else f"{who.name(trick.winner)} took it"
        yield f"trick {number}: {format_trick(trick, who)}; {took}"
    if any(taken):
        yield f"tricks taken so far: {who.counted(taken)}"


def format_seats(seats: Iterable[Seat], names: Names, you: Viewer) -> str:
    return Speaker(names, you).names(seats)


def format_scores(scores: Sequence[int], names: Names, you: Viewer) -> str:
    """Scores, the reader's first: `you 2, Moll 3`."""
    return Speaker(names, you).counted(scores)


def format_number(number: int) -> str:
    """A number as it is heard: many a screen reader passes over the sign in `-2`."""
    return f"minus {-number}" if number < 0 else str(number)


def format_count(count: int, thing: str) -> str:
    """A count in words: `one card`, `three tricks`."""
    number = NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)
    return f"{number} {thing}{'' if count == 1 else 's'}"


def format_minutes(minutes: int) -> str:
    """A time in the largest unit that is exact, such as `two days`."""
    for unit, size in (("day", 24 * 60), ("hour", 60)):
        if minutes >= size and minutes % size == 0:
            return format_count(minutes // size, unit)
    return format_count(minutes, "minute")


def format_time_left(ms: int) -> str:
    """A long time that is left, rounded up to the unit that people would use."""
    minutes = max(1, -(-ms // 60_000))
    unit = 24 * 60 if minutes > 2 * 24 * 60 else 60 if minutes > 2 * 60 else 1
    return format_minutes(-(-minutes // unit) * unit)


def format_seconds(ms: int) -> str:
    """A short time, exactly: `30 seconds`, `2 minutes and 5 seconds`."""
    seconds = ms // 1000
    if seconds >= 120:
        return f"{seconds // 60} minutes" + (f" and {seconds % 60} seconds" if seconds % 60 else "")
    return f"{seconds} second{'' if seconds == 1 else 's'}"
