"""Events, views and choices as English sentences: for whoever has no screen to draw on.

Laws: an event is one sentence, and the sentences alone let a listener follow a game to its end, without having heard
of it before. The reader's own seat is "you". Names, talk and every phrase of the server's are made safe to print.
Nothing is worked out by a rule: all that is said stands in the event, the view, or the list of legal actions.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from put_protocol.cards import RANK_NAMES, Card, name_of
from put_protocol.games.put import (
    Accident,
    Cause,
    DealerFound,
    Dealt,
    DidPut,
    Discarded,
    Doubled,
    Drawn,
    ExtraDrawn,
    FreshDeal,
    GameEnded,
    GameWon,
    Gave,
    HandEnded,
    HandWon,
    LetGive,
    Moment,
    Passed,
    Played,
    PutView,
    Saw,
    TakenUp,
    ThrewIn,
    TrickEnded,
)
from put_protocol.games.unions import (
    Choice,
    Event,
    GameView,
)
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import (
    Agreed,
    GameStarted,
    GoOnAsked,
    PauseAsked,
    Paused,
    PresenceChanged,
    Said,
    Sat,
    Stood,
    WentOn,
)
from put_protocol.text import printable

Names = Sequence[str | None]
"""Players' names by seat. Where one is missing, the seat is named by its number."""

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


# --- parts of sentences ---


class _Speaker:
    """Names seats as one reader knows them."""

    def __init__(self, names: Names, you: Viewer, owner: Seat | None = None) -> None:
        self._names = names
        self._you = you
        self._owner = owner

    def name(self, seat: Seat) -> str:
        """`you`, `Moll`, or `seat 3`."""
        if seat == self._you:
            return "you"
        name = self._names[seat] if seat < len(self._names) else None
        return printable(name or "") or f"seat {seat}"

    def is_you(self, seat: Seat) -> bool:
        return seat == self._you

    def verb(self, seat: Seat, you_do: str, he_does: str = "") -> str:
        return you_do if seat == self._you else he_does or f"{you_do}s"

    def does(self, seat: Seat, you_do: str, he_does: str = "") -> str:
        """Subject and verb: `you lead`, `Moll leads`."""
        return f"{self.name(seat)} {self.verb(seat, you_do, he_does)}"

    def all(self, seats: Iterable[Seat]) -> str:
        return listed([self.name(seat) for seat in seats])

    def counted(self, numbers: Sequence[int]) -> str:
        """A number for each seat, the reader's first: `you 2, Moll 3`."""
        seats = sorted(range(len(numbers)), key=lambda seat: seat != self._you)
        return ", ".join(f"{self.name(Seat(seat))} {numbers[seat]}" for seat in seats)

    def owner(self, seat: Seat) -> str:
        """`your`, `Moll's`."""
        return "your" if seat == self._you else f"{self.name(seat)}'s"

    def holding(self, cards: Sequence[Card]) -> str:
        """The cards that only one viewer sees: `you hold the 3 of spades`."""
        holds = "you hold" if self._owner is None else self.does(self._owner, "hold")
        return f"{holds} {hand_in_words(cards)}"

    def others(self, seat: Seat) -> str:
        return self.name(Seat(1 - seat)) if len(self._names) == 2 else "the adversaries"


def listed(parts: Sequence[str], before_last: str = "and") -> str:
    """`one, two and three`."""
    return f" {before_last} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _number(count: int) -> str:
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def _count(count: int, thing: str) -> str:
    """`one card`, `three tricks`."""
    return f"{_number(count)} {thing}{'' if count == 1 else 's'}"


def _card(card: Card) -> str:
    return printable(name_of(card))


def hand_in_words(cards: Sequence[Card]) -> str:
    """Cards as they are said aloud, in their order: `the 3 of spades and the knave of clubs`."""
    return listed([_card(card) for card in cards]) if cards else "no cards"


def seats_in_words(seats: Iterable[Seat], names: Names, you: Viewer) -> str:
    """`you and Moll`."""
    return _Speaker(names, you).all(seats)


def score_in_words(scores: Sequence[int], names: Names, you: Viewer) -> str:
    """Scores, the reader's first: `you 2, Moll 3`."""
    return _Speaker(names, you).counted(scores)


def choices_in_words(legal: Sequence[Choice]) -> str:
    """Every choice behind its number, as `parse` takes it: `1 lead the 3 of spades; 2 say "I put"`."""
    return "; ".join(f"{number} {printable(choice.says)}" for number, choice in enumerate(legal, 1))


# --- events ---


def tell(event: Event, names: Names, *, you: Viewer, owner: Seat | None = None) -> str:
    """One sentence that says all the event does. `owner`: whose own cards it shows, where they are not the reader's."""
    who = _Speaker(names, you, owner)
    match event:
        case Drawn(seats=seats, cards=cards, tied=again):
            draws = [f"{who.does(seat, 'draw')} {_card(card)}" for seat, card in zip(seats, cards, strict=False)]
            said = f"for the deal {listed(draws)}"
            if again:
                said += f"; {who.all(again)} are tied and must draw again"
        case DealerFound(seat=seat):
            said = f"{who.does(seat, 'deal')} first"
        case Dealt():
            said = _deal(event, who)
        case Played(seat=seat, card=card, leads=leads):
            said = f"{who.does(seat, 'lead' if leads else 'play')} {_card(card)}"
        case Accident():
            said = _accident(event.law, event.seat, event.card, who)
        case FreshDeal():
            said = _fresh_deal(event, who)
        case ExtraDrawn(seat=seat):
            said = f"a card is drawn, unseen, out of {who.owner(seat)} hand and out of play"
        case TakenUp(cards=cards):
            said = "the deal stands, and the hands are taken up"
            if cards:
                said += f"; {who.holding(cards)}"
        case LetGive(seat=seat):
            said = f"{who.does(seat, 'let')} the partner give"
        case Gave(seat=seat, to=partner, card=gift):
            best = "the best card" if gift is None else f"the best card, {_card(gift)},"
            said = f"{who.does(seat, 'give')} {who.name(partner)} {best} and {who.verb(seat, 'throw')} the others away"
        case Discarded(seat=seat, card=thrown):
            said = f"{who.does(seat, 'throw')} away {'a card, unseen' if thrown is None else _card(thrown)}"
        case Passed(seat=seat):
            said = f"{who.does(seat, 'say')} nothing"
        case Doubled(seat=seat, value=value):
            worth = _count(value, "point")
            said = (
                f"{who.does(seat, 'offer')} to double the hand to {worth}: {who.others(seat)} must take it or throw in"
            )
        case DidPut(seat=seat):
            said = f"{who.does(seat, 'put')}: {who.others(seat)} must see it or throw in"
        case Saw(seat=seat, value=value) if value:
            said = f"{who.does(seat, 'take')} the double: the hand is worth {_count(value, 'point')}"
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
        case Sat(seat=seat, name=name, is_house=is_house, is_bot=is_bot):
            kind = ", of the house," if is_house else ", a bot," if is_bot else ""
            sitter = "you sit" if seat == you else f"{_named(name)}{kind} sits"
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
        case PauseAsked(seat=seat, minutes=minutes):
            said = f"{who.does(seat, 'ask')} for a pause of at most {length(minutes)}"
        case Paused(minutes=minutes):
            said = f"all agree to a pause of at most {length(minutes)}: the clocks stand still"
        case GoOnAsked(seat=seat):
            said = f"{who.does(seat, 'are', 'is')} ready to go on"
        case WentOn(by_time=by_time):
            said = "the pause is over, for its time is up" if by_time else "the pause is over, and the game goes on"
        case Sealed(deal=deal, cuts=cuts):
            cutters = [Seat(seat) for seat, end in enumerate(cuts) if end is not None]
            said = f"deal {deal} is sealed, for {who.all(cutters)} to cut"
        case CutMade(deal=deal, seat=seat):
            said = f"{who.does(seat, 'have', 'has')} cut deal {deal}"
        case CutsShown(deal=deal, links=links):
            cutters = [Seat(seat) for seat, link in enumerate(links) if link is not None]
            said = f"deal {deal} is cut by {who.all(cutters)}"
        case DealVoided(deal=deal, seats=seats, left=left):
            reasons = [f"{who.all(seats)} did not cut in time"] * bool(seats)
            reasons += [f"{who.all(left)} left the game"] * bool(left)
            why = f": {' and '.join(reasons)}" if reasons else ""
            said = f"deal {deal} is called off{why}; nothing of it counts"
        case Said(name=name, text=text, seat=seat):
            sayer = "you say" if seat is not None and seat == you else f"{_named(name)} says"
            said = f'{sayer}{" from the gallery" if seat is None else ""}: "{printable(text)}"'
        case _:
            assert_never(event)
    return _sentence(said)


def length(minutes: int) -> str:
    """A time in the largest unit that tells it exactly, such as `two days`."""
    for unit, size in (("day", 24 * 60), ("hour", 60)):
        if minutes >= size and minutes % size == 0:
            return _count(minutes // size, unit)
    return _count(minutes, "minute")


def about(ms: int) -> str:
    """What is left of a long time, rounded up to the unit people would tell it in."""
    minutes = max(1, -(-ms // 60_000))
    unit = 24 * 60 if minutes > 2 * 24 * 60 else 60 if minutes > 2 * 60 else 1
    return length(-(-minutes // unit) * unit)


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
        cards = listed([f"{_count(event.counts[seat], 'card')} to {who.name(seat)}" for seat in dealt]) or "no cards"
    eldest = f"{who.does(event.eldest, 'are', 'is')} eldest, first to play"
    said = f"{who.does(event.dealer, 'deal')} hand {event.hand}, {cards}; {eldest}"
    if event.cards:
        said += f"; {who.holding(event.cards)}"
    return said


def _accident(law: int, seat: Seat, card: Card | None, who: _Speaker) -> str:
    seen = "" if card is None else f": {_card(card)}"
    match law:
        case 1:
            return f"one of {who.owner(seat)} cards is seen in the dealing{seen}"
        case 2:
            return f"one of the dealer's own cards is seen in the dealing{seen}"
        case 3:
            return f"a faced card is found in the pack{seen}"
        case 4:
            return f"{who.does(seat, 'were', 'was')} dealt a card too many"
        case _:
            return (
                f"{who.does(seat, 'have', 'has')} dealt {'yourself' if who.is_you(seat) else 'himself'} a card too many"
            )


def _fresh_deal(event: FreshDeal, who: _Speaker) -> str:
    if event.seat is None:
        return "the pack is shuffled, and the same dealer deals again"
    gain = ""
    if event.points:
        points = "a point" if event.points == 1 else _count(event.points, "point")
        gain = f" and {who.verb(event.seat, 'score')} {points}: the score is {who.counted(event.scores)}"
    return f"{who.does(event.seat, 'call')} a fresh deal{gain}; the same dealer deals again"


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
        case GameWon.OUTRIGHT:
            how = "outright"
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
    if paid:
        said += f"; {listed(paid)}"
    if event.rubber:
        said += f"; games won in the rubber: {who.counted(event.rubber)}"
    return f"{said}, and the next one begins" if event.goes_on else said


# --- views ---


def describe(view: GameView, names: Names, you: Viewer) -> tuple[str, ...]:
    """The whole table, a sentence each: the score, the hand, your cards, the tricks, the put, and whose move it is."""
    who = _Speaker(names, you)
    said = [f"the game is to {_count(view.target, 'point')}, and the score is {who.counted(view.scores)}"]
    if view.rubber:
        said.append(f"games won in the rubber: {who.counted(view.rubber)}")
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
    if you != GALLERY and view.sides:
        said.extend(
            f"{who.name(Seat(s))} is your partner" for s in range(len(view.sides)) if view.are_partners(you, Seat(s))
        )
    if view.accident is not None:
        said.append(_accident(view.accident.law, view.accident.seat, view.accident.card, who))
    said.extend(f"{who.does(giver, 'gave', 'gave')} the best card to the partner" for giver in view.givers)
    said.extend(_holdings(view, who, you))
    if view.gave is not None:
        said.append(f"you gave away {_card(view.gave)}")
    if view.thrown:
        said.append(f"you threw away {hand_in_words(view.thrown)}")
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
        said.append(_challenge(view, view.putter, who))
    said.append(_whose_move(view, who))
    return tuple(map(_sentence, said))


def introduce(view: GameView, names: Names, you: Viewer) -> tuple[str, ...]:
    """What to know of a game before its first card: its length, the order of the cards, who is with whom."""
    who = _Speaker(names, you)
    said = [f"the game is to {_count(view.target, 'point')}"]
    if view.ranking:
        said.append(f"cards rank, the best first, {listed([RANK_NAMES.get(rank, rank) for rank in view.ranking])}")
    for side in dict.fromkeys(view.sides):
        partners = [Seat(seat) for seat, its in enumerate(view.sides) if its == side]
        said.append(f"{who.all(partners)} are partners")
    return tuple(map(_sentence, said))


def _challenge(view: PutView, putter: Seat, who: _Speaker) -> str:
    if not view.is_doubling:
        seen = f", and {who.all(view.seen_by)} saw it" if view.seen_by else ""
        return f"{who.does(putter, 'put', 'put')}{seen}"
    taken = f"took it: the hand is worth {_count(view.value, 'point')}"
    answer = f", and {who.all(view.seen_by)} {taken}" if view.seen_by else ""
    return f"{who.does(putter, 'offered', 'offered')} to double{answer}"


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
    return listed([f"{who.name(seat)} {verb} {_card(card)}" for seat, verb, card in parts])


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
            return f"{mover} to {'take the double' if view.is_doubling else 'see the put'} or throw in"
        case Moment.ACCIDENT:
            return f"{mover} to say what becomes of the deal"
        case Moment.GIVE:
            return f"{mover} to give the partner the best card, or let him give"
        case Moment.DISCARD:
            return f"{mover} to throw a card away"
        case Moment.OPENING:
            return f"{mover} to put, or say nothing, before the first trick"
        case Moment.LAST_SAY:
            return f"{mover} to put or throw in, the first trick being over"
        case None:
            return f"{mover} to move"
        case _:
            assert_never(view.moment)
