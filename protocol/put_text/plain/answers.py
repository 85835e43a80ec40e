"""Answers to a person at a table: what they hold, may do, and can know of it, a sentence an item. Pure."""

from collections.abc import Sequence
from typing import assert_never

from put_protocol import messages
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import GameView
from put_protocol.games.unknown import UnknownView
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import Admits, SeatInfo, TableInfo, TableState
from put_protocol.text import clause, printable, sentence, uncapitalized
from put_text import english, phrases
from put_text.choices_text import choices_in_brief, format_choices, grouped_choices
from put_text.parse_action import minutes_of
from put_text.plain.offers_text import whole_number
from put_text.plain.text_state import Sentences, TextState, moment

NOWHERE = 'You are at no table. Say "tables" to hear which there are, "games" what is played here, "open" to open one.'

GALLERY_ONLY = "While a game is played, only the gallery hears what the gallery says."
"""Law 6: "No bystander must interfere"."""


def table(state: TextState) -> Sentences:
    """The table and the game on it."""
    if state.info is None:
        return (NOWHERE,)
    said = [table_in_words(state.info, state.viewer), *_pause(state)]
    if state.view is not None and state.info.is_in_play:
        said.extend(_view(state, state.view))
    return tuple(said)


def _view(state: TextState, view: GameView) -> Sentences:
    """The game, in the server's words if it gives them, else in our own."""
    if state.board:
        return tuple(map(sentence, state.board))
    return english.format_view(view, state.names, state.viewer)


def _pause(state: TextState) -> Sentences:
    """The players who ask for a pause, or the way to end the one that is on."""
    assert state.info is not None
    pause = state.info.pause
    if pause is None:
        return ()
    seats = phrases.format_seats(pause.seats, state.names, state.viewer)
    if state.info.state is not TableState.PAUSED:
        asked = f"A pause of at most {phrases.format_minutes(pause.minutes)} is asked for by {seats}"
        awaited = [
            Seat(place)
            for place, seat in enumerate(state.info.seats)
            if seat.name is not None and not seat.is_house and not seat.is_gone and place not in pause.seats
        ]
        if not awaited:
            return (f"{asked}.",)
        how = ': say "pause"' if state.viewer in awaited else ""
        agree = "agrees" if len(awaited) == 1 and awaited[0] != state.viewer else "agree"
        return (f"{asked}. It begins when {phrases.format_seats(awaited, state.names, state.viewer)} {agree}{how}.",)
    ready = f"Ready to go on: {seats}. " if seats else ""
    return (f'{ready}The game goes on when every player has said "go on", or when the time is up.',)


def hand(state: TextState) -> Sentences:
    if not state.is_seated or state.view is None:
        return ("You hold no cards.",)
    if isinstance(state.view, UnknownView) and not state.view.cards:
        return _view(state, state.view)
    return (f"You hold {phrases.format_cards(state.view.cards)}.",)


def last_trick(state: TextState) -> TrickView | None:
    """The trick on the table, or the last where none is; None: no card was played, or the game has no tricks."""
    trick = getattr(state.view, "trick", None)
    past = getattr(state.view, "past", ())
    return trick if trick is not None and trick.cards else past[-1] if past else None


def asked(state: TextState, decision: messages.Decision, now: int) -> str:
    """Our decision as it comes: the question, the choices in groups and the time; in brief the kinds of choices."""
    if state.is_brief:
        return f"Your move: {choices_in_brief(decision.legal)}."
    return _asked(state, decision, grouped_choices(decision.legal, state.kinds_heard), now)


def _asked(state: TextState, decision: messages.Decision, choices: str, now: int) -> str:
    question = f"Your move. {sentence(decision.asks)}{_partner(state, decision)}"
    return f"{question} You can: {choices}.{_time(state, decision, now)}"


def _partner(state: TextState, decision: messages.Decision) -> str:
    """The partner that a question is about."""
    sides: Sequence[int] = getattr(state.view, "sides", ())
    if "partner" not in decision.asks or state.viewer == GALLERY or state.viewer >= len(sides):
        return ""
    partners = [Seat(seat) for seat, side in enumerate(sides) if side == sides[state.viewer] and seat != state.viewer]
    return f" Your partner is {phrases.format_seats(partners, state.names, state.viewer)}." if partners else ""


_UNHURRIED_MS = 120_000


def time_left(state: TextState, now: int) -> int | None:
    """Milliseconds left for the decision of whose turn it is; None: no limit is known, or no clock runs."""
    turn = state.turn
    return None if turn is None or turn.turn_ms is None else max(0, turn.turn_ms - (now - state.turn_at))


def _time(state: TextState, decision: messages.Decision, now: int) -> str:
    left = time_left(state, now)
    is_told = decision.turn_ms is not None and left is not None and is_timed(state)
    return f" You have {phrases.format_seconds(left or 0)}." if is_told else ""


def is_timed(state: TextState) -> bool:
    """The time for a decision is told. The server's own limit is long, so it is left to `clock` unless little of it was
    given."""
    has_own = state.info is not None and state.info.clock.turn
    given = None if state.turn is None else state.turn.turn_ms
    return given is not None and (bool(has_own) or given <= _UNHURRIED_MS)


def awaited(state: TextState, now: int) -> Sentences:
    """The action that the table waits for: our answer to a question, our move, with every choice, or that of others."""
    if state.question is not None and state.question.about == moment(state):
        return (state.question.says,)
    if state.decision is not None:
        return (_asked(state, state.decision, format_choices(state.decision.legal), now),)
    if state.info is None:
        return (NOWHERE,)
    pause = _pause(state)
    if state.info.state is TableState.PAUSED:
        return pause
    if state.view is not None and state.info.is_in_play:
        return (*pause, _view(state, state.view)[-1])
    seats = state.info.seats
    empty = [place for place, seat in enumerate(seats) if seat.name is None]
    if empty:
        number = phrases.format_count(len(empty), "players")
        return (f'The table waits for {number}. Others come with "sit {state.info.id}"; "invite" asks a house player.',)
    unready = [Seat(place) for place, seat in enumerate(seats) if not seat.agrees and not seat.is_house]
    if not unready:
        return ("A game is about to begin.",)
    wanted = phrases.format_seats(unready, state.names, state.viewer)
    have = "has" if len(unready) == 1 and unready[0] != state.viewer else "have"
    return (f'The next game begins when {wanted} {have} said "again".',)


def repeated(state: TextState, count: int | None) -> Sentences:
    """The last sentences of the table, or all since we typed something."""
    wanted = state.fresh if count is None else count
    said = [heard.says for heard in state.log if heard.says]
    return tuple(said[-max(1, wanted) :]) or ("Nothing was said yet.",)


LOG_AT_ONCE = 100
"""Sentences of the log that are told for one line; hand by hand there are more."""


def log(state: TextState, about: str, now: int) -> Sentences:
    """Sentences of the table in full: of this hand, of another of this game, of the game, or of the last minutes; or a
    sentence that helps to say it better."""
    last = state.log[-1] if state.log else None
    number, minutes = whole_number(about), minutes_of(about)
    if last is None:
        return ("Nothing was said yet.",)
    match about:
        case "" | "hand":
            wanted = [heard for heard in state.log if (heard.game, heard.hand) == (last.game, last.hand)]
        case "game":
            wanted = [heard for heard in state.log if heard.game == last.game]
        case _ if number is not None:
            wanted = [heard for heard in state.log if (heard.game, heard.hand) == (last.game, number)]
        case _ if isinstance(minutes, int):
            wanted = [heard for heard in state.log if now - heard.at <= minutes * 60_000]
        case _:
            return ('Say "log" for this hand, "log 2" for the second, "log game", or "log 10m" for ten minutes.',)
    return tuple([heard.full for heard in wanted[-LOG_AT_ONCE:]]) or ("Nothing is kept of that.",)


def kept(state: TextState) -> str:
    """Time for which our seat is kept when we leave without giving it up."""
    assert state.info is not None
    return seat_kept(state.info, state.bank_ms, is_part=state.is_bank_part)


def score(state: TextState) -> Sentences:
    """The score of the game, and the purses."""
    if state.info is None:
        return (NOWHERE,)
    purses = phrases.format_scores([seat.purse for seat in state.info.seats], state.names, state.viewer)
    purse = f"the purses, in stakes won less stakes lost, are {purses}"
    if state.view is None:
        return (sentence(f"no game has begun; {purse}"),)
    return (english.format_score(state.view, state.names, state.viewer, purse),)


def mine(state: TextState) -> Sentences:
    """Our cards, and the tricks that we have taken in the hand."""
    (holds, *others) = hand(state)
    tricks: Sequence[int] = getattr(state.view, "tricks", ())
    if others or state.viewer == GALLERY or state.viewer >= len(tricks):
        return (holds, *others)
    return (f"{clause(holds)}, and have taken {phrases.format_count(tricks[state.viewer], 'tricks')}.",)


def trick(state: TextState) -> Sentences:
    """The trick on the table, or the last one."""
    found = last_trick(state)
    if found is None:
        has_tricks = hasattr(state.view, "trick")
        return ("No card was played yet." if has_tricks or state.view is None else "This game has no tricks.",)
    who = phrases.Speaker(state.names, state.viewer)
    played = phrases.format_trick(found, who)
    if found is getattr(state.view, "trick", None):
        return (sentence(f"on the table {played}"),)
    took = "it was tied" if found.winner is None else f"{who.name(found.winner)} took it"
    return (sentence(f"in the last trick {played}, and {took}"),)


def time(state: TextState, now: int) -> Sentences:
    """The time that is left, in a sentence."""
    left, turn = time_left(state, now), state.turn
    if left is None or turn is None:
        return ("No clock runs now.",) if turn is None or turn.paused_ms is None else clock(state, now)[-1:]
    mover = "You have" if turn.seat == state.viewer else f"{_name(state, turn.seat)} has"
    return (f"{mover} {phrases.format_seconds(left)} left.",)


def clock(state: TextState, now: int) -> Sentences:
    """The limits of a turn, and what is left of this one."""
    if state.info is None:
        return (NOWHERE,)
    limit = state.info.clock.turn
    bank = f"{phrases.format_seconds(state.info.clock.bank * 1000)} a game for being disconnected"
    said = [f"There are {phrases.format_seconds(limit * 1000)} for each decision, and {bank}."]
    if not limit:
        said = [f"This table has no limit of its own for a decision, but {bank}."]
    turn = state.turn
    if turn is not None and turn.paused_ms is not None:
        left = phrases.format_time_left(max(0, turn.paused_ms - (now - state.turn_at)))
        said.append(f"The game is paused, and goes on in {left} at most. No clock runs until then.")
    elif time_left(state, now) is not None:
        said.extend(time(state, now))
    return tuple(said)


def who(state: TextState) -> Sentences:
    if state.info is None:
        return (NOWHERE,)
    seats = [
        f"{_sitter(seat, is_you=place == state.viewer)} in seat {place + 1}"
        f"{' and ready for another game' if _waits(state, seat) else ''}"
        for place, seat in enumerate(state.info.seats)
    ]
    watchers = phrases.format_count(state.info.watchers, "spectators")
    among = ", you among them" if state.viewer == GALLERY else ""
    heard_by = clause(who_hears(state.info, state.viewer))
    here = f"{', '.join(seats)}; {watchers}{among}; {uncapitalized(heard_by)}"
    return (sentence(here), *_pause(state))


def why(state: TextState) -> Sentences:
    """The reason why we may do this and no more."""
    if state.decision is None:
        return legal(state)
    return (sentence(state.decision.why or state.decision.asks),)


def legal(state: TextState) -> Sentences:
    """Every action we may choose now."""
    if state.decision is None:
        return ("It is not your move.",)
    return (f"You can: {format_choices(state.decision.legal)}.",)


def table_in_words(info: TableInfo, viewer: Viewer = GALLERY) -> str:
    """A table as the lobby lists it, in a sentence."""
    seats = ", ".join(
        f"{_sitter(seat, is_you=place == viewer)} in seat {place + 1}" for place, seat in enumerate(info.seats)
    )
    match info.state:
        case TableState.FILLING:
            state = "it waits for players"
        case TableState.PLAYING:
            state = f"game {info.games} is in play"
        case TableState.PAUSED:
            state = f"game {info.games} is paused"
        case TableState.BETWEEN:
            state = "it is between games" if info.games else "its first game is about to begin"
        case _:
            assert_never(info.state)
    said = [state]
    if info.clock.turn:
        said.append(f"{phrases.format_seconds(info.clock.turn * 1000)} a turn")
    if info.is_locked:
        said.append("a passcode is asked")
    if not info.is_gallery_open:
        said.append("no spectators")
    if info.admits is not Admits.ALL:
        said.append(f"for {info.admits} only")
    if info.is_assisted:
        said.append("played with the coach")
    if info.is_exhibition:
        said.append("an exhibition, where nothing counts")
    return f"Table {info.id}, {printable(info.game)}: {seats}; {', '.join(said)}."


def _sitter(seat: SeatInfo, *, is_you: bool = False) -> str:
    if seat.name is None:
        return "no player"
    if is_you:
        return "you"  # here, even if the server said "away" a moment before we came back
    about = (
        (seat.is_house, f"of the house, {seat.house}" if seat.house else "of the house"),
        (seat.is_bot, "a bot"),
        (seat.is_away, "away"),
        (seat.is_gone, "gone"),
    )
    return printable(seat.name) + marks(*about)


def marks(*about: tuple[bool, str]) -> str:
    """The words that hold, in brackets."""
    words = [word for is_so, word in about if is_so]
    return f" ({', '.join(words)})" if words else ""


def _waits(state: TextState, seat: SeatInfo) -> bool:
    return seat.agrees and state.info is not None and not state.info.is_in_play


def _name(state: TextState, seat: Seat) -> str:
    name = state.names[seat] if seat < len(state.names) else None
    return printable(name or "") or f"Seat {seat + 1}"


def who_hears(info: TableInfo, viewer: Viewer) -> str:
    """The people who hear this viewer now, in a sentence."""
    if viewer == GALLERY and info.is_in_play:
        return GALLERY_ONLY
    if viewer != GALLERY and not info.watchers:
        return "Everyone at the table hears what you say."
    return "Everyone at the table and in the gallery hears what you say."


def keeps_nothing(info: TableInfo) -> bool:
    """Closing the connection gives the game up at once, because the table has no time for being away."""
    return info.state is TableState.PLAYING and info.clock.bank == 0


def seat_kept(info: TableInfo, bank_ms: int | None = None, *, is_part: bool = False) -> str:
    """Time for which the seat of a player who closes the connection is kept, as a sentence.

    `bank_ms`: what the player has left for being away, where it is known; None: all that the table gives. `is_part`:
    some of that is spent, and it is not known how much.
    """
    bank = phrases.format_seconds(info.clock.bank * 1000 if bank_ms is None else bank_ms)
    time = f"what is left of {bank}" if is_part and bank_ms is None else bank
    if keeps_nothing(info):
        return "This table has no time for being away: to go now gives the game up."
    if info.state is TableState.PAUSED and info.pause is not None:
        rest = phrases.format_minutes(info.pause.minutes)
        return f"Your seat at table {info.id} is kept while the game rests, {rest} at most, and then for {time}."
    after = ". After that the game is given up" if info.state is TableState.PLAYING else ""
    return f"Your seat at table {info.id} is kept for {time}{after}."


def giving_up(info: TableInfo, *, stays: bool) -> str:
    """Consequence of giving up the game in play, as a sentence. `stays`: the player keeps the seat."""
    if not stays and info.options.get("abandoned") == "house":
        return "To leave now lets the house play on in your place: you are out of this game and its stakes."
    return f"To {'resign' if stays else 'leave'} now gives this game up: you lose it, and pay what is due."


def purse_ends(info: TableInfo, viewer: Viewer) -> str:
    """End of a purse when its player gives up the seat, as a sentence; empty: there is nothing in it."""
    if viewer == GALLERY or viewer >= len(info.seats) or not info.seats[viewer].purse:
        return ""
    purse = phrases.format_number(info.seats[viewer].purse)
    return f"Your purse of {purse} ends with your seat: when you sit down again it begins at nothing."
