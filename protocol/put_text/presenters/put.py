"""The Put family in English: its events and views as clauses, and the words typed for its actions.

Nothing is worked out by a rule: all that is said stands in the event or the view.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec import Struct

from put_protocol.cards import RANK_NAMES, Card
from put_protocol.games import put
from put_protocol.games.put import Cause, GameWon, HandWon, Moment, PutView
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import listed
from put_text.phrases import Speaker, format_card, format_cards, format_count, format_trick, format_tricks

TASKS: Mapping[Moment, str] = {
    Moment.ACCIDENT: "to say what becomes of the deal",
    Moment.GIVE: "to give the best card, or be given one",
    Moment.DISCARD: "to throw a card away",
    Moment.OPENING: "to put, or say nothing",
    Moment.LEAD: "to lead",
    Moment.REPLY: "to play to the trick",
    Moment.ANSWER: "to see the put, or throw in",
    Moment.LAST_SAY: "to put, or throw in",
}
"""The task of the player to move. To that player the server says it in its own words (`Decision.asks`)."""


def task_of(view: PutView) -> str:
    """The task of the player to move."""
    if view.moment is Moment.ANSWER and view.is_doubling:
        return "to take the double, or throw in"
    return "to move" if view.moment is None else TASKS[view.moment]


def event_clause(event: put.PutEvent, who: Speaker) -> str:
    """One clause that says all the event does."""
    match event:
        case put.Drawn() if who.is_brief:
            return ""  # who deals is said next
        case put.Drawn(seats=seats, cards=cards, tied=again):
            draws = [f"{who.does(seat, 'draw')} {format_card(card)}" for seat, card in zip(seats, cards, strict=False)]
            tie = f"; {who.names(again)} are tied and must draw again" if again else ""
            return f"for the deal {listed(draws)}{tie}"
        case put.DealerFound(seat=seat):
            return f"{who.does(seat, 'deal')} first"
        case put.Dealt():
            return _deal(event, who)
        case put.Played(seat=seat, card=card, leads=leads):
            return who.plays(seat, card, leads=leads)
        case put.Accident():
            return _accident(event.law, event.seat, event.card, who)
        case put.FreshDeal():
            return _fresh_deal(event, who)
        case put.ExtraDrawn(seat=seat):
            return f"a card is drawn, unseen, out of {who.possessive(seat)} hand and out of play"
        case put.TakenUp(cards=cards) if who.is_brief:
            return f"the deal stands{f'; {who.holding(cards)}' if cards else ''}"
        case put.TakenUp(cards=cards):
            return f"the deal stands, and the hands are taken up{f'; {who.holding(cards)}' if cards else ''}"
        case put.LetGive(seat=seat):
            return f"{who.does(seat, 'let')} {_partner(seat, who)} give"
        case put.Gave(seat=seat, to=partner, card=gift) if who.is_brief:
            best = "the best card" if gift is None else who.card(gift)
            return f"{who.does(seat, 'give')} {who.name(partner)} {best}"
        case put.Gave(seat=seat, to=partner, card=gift):
            best = "the best card" if gift is None else f"the best card, {format_card(gift)},"
            return f"{who.does(seat, 'give')} {who.name(partner)} {best} and {who.verb(seat, 'throw')} the others away"
        case put.Discarded(seat=seat, card=thrown):
            return f"{who.does(seat, 'throw')} away {'a card, unseen' if thrown is None else format_card(thrown)}"
        case put.Passed(seat=seat):
            return f"{who.does(seat, 'say')} nothing"
        case put.Doubled(seat=seat, value=value) if who.is_brief:
            return f"{who.does(seat, 'double')} to {format_count(value, 'point')}"
        case put.Doubled(seat=seat, value=value):
            worth = format_count(value, "point")
            return (
                f"{who.does(seat, 'offer')} to double the hand to {worth}: {who.others(seat)} must take it or throw in"
            )
        case put.DidPut(seat=seat) if who.is_brief:
            return who.does(seat, "put")
        case put.DidPut(seat=seat):
            return f"{who.does(seat, 'put')}: {who.others(seat)} must see it or throw in"
        case put.Saw(seat=seat, value=value) if value and who.is_brief:
            return f"{who.does(seat, 'take')} it"
        case put.Saw(seat=seat, value=value) if value:
            return f"{who.does(seat, 'take')} the double: the hand is worth {format_count(value, 'point')}"
        case put.Saw(seat=seat) if who.is_brief:
            return who.does(seat, "see")
        case put.Saw(seat=seat):
            return f"{who.does(seat, 'see')} the put and {who.verb(seat, 'play')} on"
        case put.ThrewIn(seat=seat, cause=cause):
            return _throwing_in(seat, cause, who)
        case put.TrickEnded(number=number, winner=winner, tricks=tricks):
            if who.is_brief:
                return f"trick {number} is tied" if winner is None else f"{who.does(winner, 'take')} trick {number}"
            tied = f"trick {number} is tied, and no player takes it"
            taken = tied if winner is None else f"{who.does(winner, 'take')} trick {number}"
            return f"{taken}; tricks taken so far: {who.counted(tricks)}"
        case put.HandEnded():
            return _end_of_hand(event, who)
        case put.GameEnded():
            return _end_of_game(event, who)
        case _:
            assert_never(event)


def _partner(seat: Seat, who: Speaker) -> str:
    """The player opposite: partnerships are of four."""
    return who.name(Seat((seat + 2) % 4)) if who.seats == 4 else "the partner"


def _deal(event: put.Dealt, who: Speaker) -> str:
    if who.is_brief:
        own = f"; {who.holding(event.cards)}" if event.cards else ""
        return f"hand {event.hand}; {who.does(event.eldest, 'lead')}{own}"
    dealt = [Seat(seat) for seat, count in enumerate(event.counts) if count]
    sizes = sorted({count for count in event.counts if count})
    if len(sizes) == 1:
        cards = f"{format_count(sizes[0], 'card')} each"
        if len(dealt) < len(event.counts):
            cards += f" to {who.names(dealt)}"
    else:
        cards = (
            listed([f"{format_count(event.counts[seat], 'card')} to {who.name(seat)}" for seat in dealt]) or "no cards"
        )
    eldest = f"{who.does(event.eldest, 'are', 'is')} eldest, first to play"
    own = f"; {who.holding(event.cards)}" if event.cards else ""
    return f"{who.does(event.dealer, 'deal')} hand {event.hand}, {cards}; {eldest}{own}"


def _accident(law: int, seat: Seat, card: Card | None, who: Speaker) -> str:
    seen = "" if card is None else f": {format_card(card)}"
    match law:
        case 1:
            return f"one of {who.possessive(seat)} cards is seen in the dealing{seen}"
        case 2:
            return f"one of the dealer's own cards is seen in the dealing{seen}"
        case 3:
            return f"a faced card is found in the pack{seen}"
        case 4:
            return f"{who.does(seat, 'were', 'was')} dealt a card too many"
        case _:
            return f"{who.name(seat)}, the dealer, {who.verb(seat, 'were', 'was')} dealt a card too many"


def _fresh_deal(event: put.FreshDeal, who: Speaker) -> str:
    if event.seat is None:
        return "the pack is shuffled, and the same dealer deals again"
    gain = ""
    if event.points:
        points = "a point" if event.points == 1 else format_count(event.points, "point")
        gain = f" and {who.verb(event.seat, 'score')} {points}: the score is {who.counted(event.scores)}"
    return f"{who.does(event.seat, 'call')} a fresh deal{gain}; the same dealer deals again"


def _throwing_in(seat: Seat, cause: Cause, who: Speaker) -> str:
    match cause:
        case Cause.CHOICE:
            return who.does(seat, "throw") + (" in" if who.is_brief else " in, and the cards go away unseen")
        case Cause.TIME:
            return f"{who.does(seat, 'run')} out of time and so {who.verb(seat, 'throw')} in"
        case Cause.LEFT:
            return f"{who.does(seat, 'give')} up the game"
        case _:
            assert_never(cause)


def _end_of_hand(event: put.HandEnded, who: Speaker) -> str:
    scores = who.counted(event.scores)
    if who.is_brief and not event.anew:
        if event.winner is None:
            return "the hand is drawn"
        won = f"{who.does(event.winner, 'win')} the hand"
        if who.seats == 2:
            return f"{won}: {scores}"
        return f"{won} and {who.verb(event.winner, 'have', 'has')} {event.scores[event.winner]}"
    if event.winner is None or event.how is HandWon.DRAWN:
        left = "all scores go back to nothing" if event.anew else f"the score stays {scores}"
        return f"the hand is drawn, so no player wins it, and {left}"
    match event.how:
        case HandWon.TRICKS:
            won = f"{who.does(event.winner, 'win')} the hand by tricks"
        case HandWon.THROWN_IN:
            won = f"{who.does(event.winner, 'win')} the hand, as everyone else has thrown in"
        case _:
            assert_never(event.how)
    points = "a point" if event.points == 1 else format_count(event.points, "point")
    return f"{won}, for {points}: the score is {scores}" if event.points else won


def _end_of_game(event: put.GameEnded, who: Speaker) -> str:
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
    winners = who.names(event.winners) or "no player"
    verb = who.verb(event.winners[0], "win") if len(event.winners) == 1 else "win"
    if who.is_brief:
        said = f"{winners} {verb} the game {how}: {who.counted(event.scores)}"
    else:
        said = f"{winners} {verb} the game {how}, with the score at {who.counted(event.scores)}"
    flows = [(Seat(seat), amount) for seat, amount in enumerate(event.paid) if amount]
    flows.sort(key=lambda flow: flow[1])
    paid = [
        f"{who.does(seat, 'pay') if amount < 0 else who.does(seat, 'receive')} {format_count(abs(amount), 'stake')}"
        for seat, amount in flows
    ]
    if paid:
        said += f"; {listed(paid)}"
    if event.rubber:
        said += f"; games won in the rubber: {who.counted(event.rubber)}"
    return f"{said}, and the next one begins" if event.goes_on else said


def view_clauses(view: PutView, who: Speaker) -> tuple[str, ...]:
    """The whole table, a clause each: the score, the hand, your cards, the tricks, the put, and whose move it is."""
    said = [f"the game is to {format_count(view.target, 'point')}, and the score is {who.counted(view.scores)}"]
    if view.rubber:
        said.append(f"games won in the rubber: {who.counted(view.rubber)}")
    tricks = list(format_tricks(view.past, view.tricks, who))
    if not view.hand:
        return (*said, *tricks, "no hand has been dealt yet")
    if not any(view.counts) and view.to_move is None:
        return (*said, *tricks, f"hand {view.hand} is over")
    dealt = f"this is hand {view.hand}"
    if view.dealer is not None:
        dealt += f", dealt by {who.name(view.dealer)}"
    if view.eldest is not None:
        dealt += f"; {who.does(view.eldest, 'are', 'is')} eldest"
    said.append(dealt)
    if who.you != GALLERY:
        partners = [Seat(seat) for seat in range(len(view.sides)) if view.are_partners(who.you, Seat(seat))]
        said.extend(f"{who.name(partner)} is your partner" for partner in partners)
    if view.accident is not None:
        said.append(_accident(view.accident.law, view.accident.seat, view.accident.card, who))
    said.extend(f"{who.does(giver, 'gave', 'gave')} the best card to {_partner(giver, who)}" for giver in view.givers)
    said.extend(_holdings(view, who))
    if view.gave is not None:
        said.append(f"you gave away {format_card(view.gave)}")
    if view.thrown:
        said.append(f"you threw away {format_cards(view.thrown)}")
    said.extend(tricks)
    if view.trick.cards:
        said.append(f"on the table {format_trick(view.trick, who)}")
    elif view.to_move is not None:
        said.append("no card is on the table")
    if view.putter is not None:
        said.append(_challenge(view, view.putter, who))
    said.append(who.to_move(view.to_move, task_of(view)))
    return tuple(said)


def introduction_clauses(view: PutView, who: Speaker) -> tuple[str, ...]:
    """Facts to know of a game before its first card: its length, the order of the cards, who is with whom."""
    said = [f"the game is to {format_count(view.target, 'point')}"]
    if view.ranking:
        said.append(f"cards rank, the best first, {listed([RANK_NAMES.get(rank, rank) for rank in view.ranking])}")
    for side in dict.fromkeys(view.sides):
        partners = [Seat(seat) for seat, its in enumerate(view.sides) if its == side]
        said.append(f"{who.names(partners)} are partners")
    return tuple(said)


def score_clauses(view: PutView, who: Speaker) -> Iterable[str]:
    """The score, and that of the rubber."""
    yield f"the score is {who.counted(view.scores)}"
    if view.rubber:
        yield f"games won in the rubber: {who.counted(view.rubber)}"


def _challenge(view: PutView, putter: Seat, who: Speaker) -> str:
    if not view.is_doubling:
        seen = f", and {who.names(view.seen_by)} saw it" if view.seen_by else ""
        return f"{who.does(putter, 'put', 'put')}{seen}"
    taken = f"took it: the hand is worth {format_count(view.value, 'point')}"
    answer = f", and {who.names(view.seen_by)} {taken}" if view.seen_by else ""
    return f"{who.does(putter, 'offered', 'offered')} to double{answer}"


def _holdings(view: PutView, who: Speaker) -> Iterable[str]:
    for place, count in enumerate(view.counts):
        seat = Seat(place)
        if place < len(view.playing) and not view.playing[place]:
            yield f"{who.does(seat, 'are', 'is')} out of this hand"
        elif seat == who.you:
            yield f"you hold {format_cards(view.cards)}"
        else:
            yield f"{who.does(seat, 'hold')} {format_count(count, 'card')}"


TYPED: Mapping[type[Struct], frozenset[str]] = {
    put.Put: frozenset({"put", "i put", 'say "i put"', "say i put"}),
    put.See: frozenset({"see", "i see", "see it", "see the put", "i see it", "take", "take it", "i take it"}),
    put.ThrowIn: frozenset(
        {"throw", "throw in", "i throw in", "throw it in", "throw in my cards", "throw in your cards"}
    ),
    put.Pass: frozenset({"pass", "nothing", "say nothing", "i pass"}),
    put.Double: frozenset({"double", "i double", "offer to double"}),
    put.Give: frozenset({"give", "i give", "give my best card"}),
    put.Let: frozenset({"let", "let them", "let them give", "let him", "let him give", "let my partner give"}),
    put.Redeal: frozenset({"redeal", "fresh", "fresh deal", "call a fresh deal", "deal again"}),
    put.Abide: frozenset({"abide", "stand", "let it stand", "let the deal stand", "draw", "draw it"}),
}
"""Words typed for an action, beside the server's own phrase for it."""

GRAVE: tuple[type[Struct], ...] = (put.Put, put.See, put.ThrowIn, put.Double)
"""They decide a hand or a game."""

_VERBS: Mapping[type[Struct], str] = {put.ThrowIn: "throw in", put.Redeal: "call a fresh deal"}


def why_not(words: str) -> str | None:
    """The reason words for an action mean none that is legal now; None: they are words for no action."""
    if words in TYPED[put.See]:
        return "There is nothing for you to see now."
    kind = next((kind for kind, phrases in TYPED.items() if words in phrases), None)
    return None if kind is None else f"You cannot {_VERBS.get(kind, kind.__name__.casefold())} now."
