"""Events, views and choices as English sentences, and typed words as actions: for whoever has no screen to draw on.

Laws: an event is one sentence, and the sentences alone let a listener follow a game to its end, without having heard
of it before. The reader's own seat is "you". Names, talk and every phrase of the server's are made safe to print.
Nothing is worked out by a rule: all that is said stands in the event, the view, or the list of legal actions.
"""

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from put_protocol.actions import Action, Choice, Play, Put, See, ThrowIn
from put_protocol.cards import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS, Card, name_of, rank_of, suit_of
from put_protocol.events import (
    Agreed,
    Cause,
    DealerFound,
    Dealt,
    DidPut,
    Drawn,
    Event,
    GameEnded,
    GameStarted,
    GameWon,
    HandEnded,
    HandWon,
    Played,
    PresenceChanged,
    Said,
    Sat,
    Saw,
    Stood,
    ThrewIn,
    TrickEnded,
)
from put_protocol.seats import Seat, Viewer
from put_protocol.text import printable
from put_protocol.views import GameView, Moment

Names = Sequence[str | None]
"""Players' names by seat. Where one is missing, the seat is named by its number."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


# --- parts of sentences ---


class _Speaker:
    """Names seats as one reader knows them."""

    def __init__(self, names: Names, you: Viewer) -> None:
        self._names = names
        self._you = you

    def name(self, seat: Seat) -> str:
        """`you`, `Moll`, or `seat 3`."""
        if seat == self._you:
            return "you"
        name = self._names[seat] if seat < len(self._names) else None
        return printable(name or "") or f"seat {seat}"

    def verb(self, seat: Seat, you_do: str, he_does: str = "") -> str:
        return you_do if seat == self._you else he_does or f"{you_do}s"

    def does(self, seat: Seat, you_do: str, he_does: str = "") -> str:
        """Subject and verb: `you lead`, `Moll leads`."""
        return f"{self.name(seat)} {self.verb(seat, you_do, he_does)}"

    def all(self, seats: Iterable[Seat]) -> str:
        return _and([self.name(seat) for seat in seats])

    def counted(self, numbers: Sequence[int]) -> str:
        """A number for each seat, the reader's first: `you 2, Moll 3`."""
        seats = sorted(range(len(numbers)), key=lambda seat: seat != self._you)
        return ", ".join(f"{self.name(Seat(seat))} {numbers[seat]}" for seat in seats)

    def others(self, seat: Seat) -> str:
        return self.name(Seat(1 - seat)) if len(self._names) == 2 else "the others"


def _and(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _number(count: int) -> str:
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def _count(count: int, thing: str) -> str:
    """`one card`, `three tricks`."""
    return f"{_number(count)} {thing}{'' if count == 1 else 's'}"


def _card(card: Card) -> str:
    return printable(name_of(card))


def hand_in_words(cards: Sequence[Card]) -> str:
    """Cards as they are said aloud, in their order: `the 3 of spades and the knave of clubs`."""
    return _and([_card(card) for card in cards]) if cards else "no cards"


def score_in_words(scores: Sequence[int], names: Names, you: Viewer) -> str:
    """Scores, the reader's first: `you 2, Moll 3`."""
    return _Speaker(names, you).counted(scores)


def choices_in_words(legal: Sequence[Choice]) -> str:
    """Every choice behind its number, as `parse` takes it: `1 lead the 3 of spades, 2 say "I put"`."""
    return ", ".join(f"{number} {printable(choice.says)}" for number, choice in enumerate(legal, 1))


# --- events ---


def tell(event: Event, names: Names, *, you: Viewer) -> str:
    """One sentence that says all the event does."""
    who = _Speaker(names, you)
    match event:
        case Drawn(seats=seats, cards=cards, tied=again):
            draws = [f"{who.does(seat, 'draw')} {_card(card)}" for seat, card in zip(seats, cards, strict=False)]
            said = f"for the deal {_and(draws)}"
            if again:
                said += f"; {who.all(again)} are tied and must draw again"
        case DealerFound(seat=seat):
            said = f"{who.does(seat, 'deal')} first"
        case Dealt():
            said = _deal(event, who)
        case Played(seat=seat, card=card, leads=leads):
            said = f"{who.does(seat, 'lead' if leads else 'play')} {_card(card)}"
        case DidPut(seat=seat):
            said = f"{who.does(seat, 'put')}: {who.others(seat)} must see it or throw in"
        case Saw(seat=seat):
            said = f"{who.does(seat, 'see')} the put and {who.verb(seat, 'play')} on"
        case ThrewIn(seat=seat, cause=cause):
            said = _throwing_in(seat, cause, who)
        case TrickEnded(number=number, winner=winner, tricks=tricks):
            tied = f"trick {number} is tied: nobody takes it"
            taken = tied if winner is None else f"{who.does(winner, 'take')} trick {number}"
            said = f"{taken}; tricks taken so far: {who.counted(tricks)}"
        case HandEnded():
            said = _end_of_hand(event, who)
        case GameEnded():
            said = _end_of_game(event, who, you)
        case Sat(seat=seat, name=name, is_house=is_house):
            sitter = "you sit" if seat == you else f"{_named(name)}{', of the house,' if is_house else ''} sits"
            said = f"{sitter} down in seat {seat}"
        case Stood(seat=seat, name=name):
            said = f"{'you give' if seat == you else f'{_named(name)} gives'} up seat {seat}"
        case GameStarted(game=game, names=players):
            seated = _Speaker(players, you)
            said = f"game {game} begins: {seated.all(Seat(seat) for seat in range(len(players)))} play"
        case Agreed(seat=seat):
            said = f"{who.does(seat, 'are', 'is')} ready for another game"
        case PresenceChanged(seat=seat, away=away):
            said = (
                f"{who.does(seat, 'have', 'has')} lost the connection"
                if away
                else f"{who.does(seat, 'are', 'is')} back"
            )
        case Said(name=name, text=text, seat=seat):
            sayer = "you say" if seat is not None and seat == you else f"{_named(name)} says"
            said = f'{sayer}{" from the gallery" if seat is None else ""}: "{printable(text)}"'
        case _:
            assert_never(event)
    return _sentence(said)


def _named(name: str) -> str:
    return printable(name) or "somebody"


def _deal(event: Dealt, who: _Speaker) -> str:
    dealt = [Seat(seat) for seat, count in enumerate(event.counts) if count]
    sizes = sorted({count for count in event.counts if count})
    if len(sizes) == 1:
        cards = f"{_count(sizes[0], 'card')} each"
        if len(dealt) < len(event.counts):
            cards += f" to {who.all(dealt)}"
    else:
        cards = _and([f"{_count(event.counts[seat], 'card')} to {who.name(seat)}" for seat in dealt]) or "no cards"
    eldest = f"{who.does(event.eldest, 'are', 'is')} eldest, first to play"
    said = f"{who.does(event.dealer, 'deal')} hand {event.hand}, {cards}; {eldest}"
    if event.cards:
        said += f"; you hold {hand_in_words(event.cards)}"
    return said


def _throwing_in(seat: Seat, cause: Cause, who: _Speaker) -> str:
    match cause:
        case Cause.CHOICE:
            return f"{who.does(seat, 'throw')} in, and the cards go away unseen"
        case Cause.TIME:
            return f"{who.does(seat, 'run')} out of time and so {who.verb(seat, 'throw')} in"
        case Cause.LEFT:
            return f"{who.does(seat, 'give')} up the game"
        case _:
            assert_never(cause)


def _end_of_hand(event: HandEnded, who: _Speaker) -> str:
    scores = who.counted(event.scores)
    if event.winner is None or event.how is HandWon.DRAWN:
        drawn = "the hand is drawn: nobody wins it"
        return f"{drawn}, and all scores go back to nothing" if event.anew else f"{drawn}, and the score stays {scores}"
    match event.how:
        case HandWon.TRICKS:
            won = f"{who.does(event.winner, 'win')} the hand by tricks"
        case HandWon.THROWN_IN:
            won = f"{who.does(event.winner, 'win')} the hand, as everyone else has thrown in"
        case _:
            assert_never(event.how)
    points = "a point" if event.points == 1 else _count(event.points, "point")
    return f"{won}, for {points}: the score is {scores}" if event.points else won


def _end_of_game(event: GameEnded, who: _Speaker, you: Viewer) -> str:
    match event.how:
        case GameWon.POINTS:
            how = "on points"
        case GameWon.PUT:
            how = "by the put"
        case GameWon.FORFEIT:
            how = "by forfeit"
        case _:
            assert_never(event.how)
    verb = "wins" if len(event.winners) == 1 and event.winners[0] != you else "win"
    said = f"{who.all(event.winners) or 'nobody'} {verb} the game {how}, with the score at {who.counted(event.scores)}"
    flows = [(Seat(seat), amount) for seat, amount in enumerate(event.paid) if amount]
    flows.sort(key=lambda flow: flow[1])
    paid = [
        f"{who.does(seat, 'pay') if amount < 0 else who.does(seat, 'receive')} {_count(abs(amount), 'stake')}"
        for seat, amount in flows
    ]
    return f"{said}; {_and(paid)}" if paid else said


# --- views ---


def describe(view: GameView, names: Names, you: Viewer) -> tuple[str, ...]:
    """The whole table, a sentence each: the score, the hand, your cards, the tricks, the put, and whose move it is."""
    who = _Speaker(names, you)
    said = [f"the game is to {_count(view.target, 'point')}, and the score is {who.counted(view.scores)}"]
    if not view.hand:
        said.append("no hand has been dealt yet")
        return tuple(map(_sentence, said))
    if not any(view.counts) and view.to_move is None:
        said.append(f"hand {view.hand} is over")
        return tuple(map(_sentence, said))
    dealt = f"this is hand {view.hand}"
    if view.dealer is not None:
        dealt += f", dealt by {who.name(view.dealer)}"
    if view.eldest is not None:
        dealt += f"; {who.does(view.eldest, 'are', 'is')} eldest"
    said.append(dealt)
    said.extend(_holdings(view, who, you))
    said.extend(
        f"trick {number}: {_cards_played(trick.seats, trick.cards, who)}; "
        + ("it was tied: nobody took it" if trick.winner is None else f"{who.does(trick.winner, 'took', 'took')} it")
        for number, trick in enumerate(view.past, 1)
    )
    if any(view.tricks):
        said.append(f"tricks taken so far: {who.counted(view.tricks)}")
    if view.trick.cards:
        said.append(f"on the table {_cards_played(view.trick.seats, view.trick.cards, who)}")
    elif view.to_move is not None:
        said.append("no card is on the table")
    if view.putter is not None:
        seen = f", and {who.all(view.seen_by)} saw it" if view.seen_by else ""
        said.append(f"{who.does(view.putter, 'put', 'put')}{seen}")
    said.append(_whose_move(view, who))
    return tuple(map(_sentence, said))


def _holdings(view: GameView, who: _Speaker, you: Viewer) -> Iterable[str]:
    for place, count in enumerate(view.counts):
        seat = Seat(place)
        if place < len(view.playing) and not view.playing[place]:
            yield f"{who.does(seat, 'are', 'is')} out of this hand"
        elif seat == you:
            yield f"you hold {hand_in_words(view.cards)}"
        else:
            yield f"{who.does(seat, 'hold')} {_count(count, 'card')}"


def _cards_played(seats: Sequence[Seat], cards: Sequence[Card], who: _Speaker) -> str:
    verbs = ("led", *("played" for _ in seats[1:]))
    parts = zip(seats, verbs, cards, strict=False)
    return _and([f"{who.name(seat)} {verb} {_card(card)}" for seat, verb, card in parts])


def _whose_move(view: GameView, who: _Speaker) -> str:
    if view.to_move is None:
        return "nobody is to move"
    mover = who.does(view.to_move, "are", "is")
    match view.moment:
        case Moment.LEAD:
            return f"{mover} to lead"
        case Moment.REPLY:
            return f"{mover} to play to the trick"
        case Moment.ANSWER:
            return f"{mover} to see the put or throw in"
        case None:
            return f"{mover} to move"
        case _:
            assert_never(view.moment)


# --- typed words ---

_RANK_WORDS = {
    **{str(number): str(number) for number in range(2, 11)},
    **{_NUMBERS[number]: str(number) for number in range(2, 11)},
    **{name: rank for rank, name in RANK_NAMES.items()},
    **{rank.casefold(): rank for rank in RANK_NAMES},
    "jack": "J",
}
_SUIT_WORDS = {
    **{suit: suit for suit in SUIT_NAMES},
    **{name: suit for suit, name in SUIT_NAMES.items()},
    **{name.removesuffix("s"): suit for suit, name in SUIT_NAMES.items()},
    **{sign: suit for suit, sign in SUIT_SIGNS.items()},
}
_SAYINGS: dict[type[Put | See | ThrowIn], frozenset[str]] = {
    Put: frozenset({"put", "i put", 'say "i put"', "say i put"}),
    See: frozenset({"see", "i see", "see it", "see the put", "i see it"}),
    ThrowIn: frozenset({"throw", "throw in", "i throw in", "throw it in", "throw in my cards", "throw in your cards"}),
}
_INDEX = re.compile(r"(#|number |choice )? ?(\d{1,3})")
_CARD = re.compile(
    r"(?:(?:i )?(?P<verb>play|lead) )?(?:the )?"
    rf"(?P<rank>{'|'.join(sorted(_RANK_WORDS, key=len, reverse=True))})"
    # A letter may follow a figure at once, but a word only after a space: "threes" is not the 3 of spades.
    rf"(?:(?:(?<![a-z]{{3}}) ?| )(?:of )?(?P<suit>{'|'.join(sorted(_SUIT_WORDS, key=len, reverse=True))}))?"
)


def parse(text: str, legal: Sequence[Choice]) -> Action | str:
    """The legal action meant by typed words, or a sentence that helps to say it better.

    Takes a card (`3s`, `play 3s`, `the 3 of spades`, and `play 3` when there is but one), `put`, `see`, `throw in`, the
    server's own phrase, or a number in the list of choices. An action cannot be taken back, so what could mean two
    things is asked about.
    """
    if not legal:
        return "It is not your move."
    words = " ".join(printable(text.expandtabs(1)).casefold().rstrip(" .!").split())
    index, card = _INDEX.fullmatch(words), _CARD.fullmatch(words)
    meant = [choice for choice in legal if _is_meant(choice, words, card)]
    if index is not None and 1 <= int(index[2]) <= len(legal):
        numbered = legal[int(index[2]) - 1]
        if index[1] or not meant or meant == [numbered]:
            return numbered.action
        return (
            f'{index[2]} could be a number in the list or a card: say "#{index[2]}" for '
            f'"{printable(numbered.says)}", or "play {index[2]}" for the card.'
        )
    if len(meant) == 1:
        return meant[0].action
    if meant:
        cards = [choice.action.card for choice in meant if isinstance(choice.action, Play)]
        return f"Which one: {' or '.join(map(printable, cards))}?"
    return f"{_why_not(words, card)} You can: {choices_in_words(legal)}."


def _is_meant(choice: Choice, words: str, card: re.Match[str] | None) -> bool:
    if words == printable(choice.says).casefold():
        return True
    match choice.action:
        case Play(card=held):
            if card is None or _RANK_WORDS[card["rank"]] != rank_of(held):
                return False
            return card["suit"] is None or _SUIT_WORDS[card["suit"]] == suit_of(held)
        case Put() | See() | ThrowIn():
            return words in _SAYINGS[type(choice.action)]
        case _:
            assert_never(choice.action)


def _why_not(words: str, card: re.Match[str] | None) -> str:
    if card is not None:
        rank = _RANK_WORDS[card["rank"]]
        name = RANK_NAMES.get(rank, rank)
        if card["suit"] is None:
            return f"You can play no {name} now."
        return f"You cannot play {name_of(Card(rank + _SUIT_WORDS[card['suit']]))} now."
    if words in _SAYINGS[Put]:
        return "You cannot put now."
    if words in _SAYINGS[See]:
        return "There is no put for you to see now."
    if words in _SAYINGS[ThrowIn]:
        return "You cannot throw in now."
    return f'"{words[:40]}" is no choice of yours.'
