"""Answers to a person at a table: their cards, choices, and knowledge, one sentence each. Pure."""

from collections.abc import Sequence

from put_protocol import messages
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import GameView
from put_protocol.games.unknown import UnknownView
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import Admits, SeatInfo, TableInfo, TableState
from put_protocol.text import capitalized, clause, printable, sentence, uncapitalized
from put_text import phrases, presenters
from put_text.catalogue import say
from put_text.choices_text import choices_in_brief, format_choices, grouped_choices
from put_text.parse_action import minutes_of
from put_text.plain.offers_text import whole_number
from put_text.plain.text_state import Sentences, TextState, moment


def table(state: TextState) -> Sentences:
    if state.info is None:
        return (say("heard-nowhere"),)
    said = [table_in_words(state.info, state.viewer), *_pause(state)]
    if state.view is not None and state.info.is_in_play:
        said.extend(_view(state, state.view))
    return tuple(said)


def _view(state: TextState, view: GameView) -> Sentences:
    """The game, in the server's words if it sends them, otherwise in ours."""
    if state.board:
        return tuple(map(sentence, state.board))
    return presenters.format_view(view, state.names, state.viewer)


def _pause(state: TextState) -> Sentences:
    """Players who ask for a pause, or how to end the current one."""
    assert state.info is not None
    pause = state.info.pause
    if pause is None:
        return ()
    seats = state.speaker.names(pause.seats)
    if state.info.state is TableState.PAUSED:
        ready = [say("heard-pause-ready", seats=seats)] if seats else []
        return (" ".join([*ready, say("heard-pause-ends")]),)
    asked = say("heard-pause-asked", time=phrases.format_minutes(pause.minutes), seats=seats)
    awaited = [
        Seat(place)
        for place, seat in enumerate(state.info.seats)
        if seat.name is not None and not seat.is_house and not seat.is_gone and place not in pause.seats
    ]
    if not awaited:
        return (asked,)
    who = "ours" if state.viewer in awaited else "one" if len(awaited) == 1 else "many"
    names = state.speaker.names(awaited)
    return (f"{asked} {say('heard-pause-awaits', who=who, names=names)}",)


def hand(state: TextState) -> Sentences:
    if not state.is_seated or state.view is None:
        return (say("heard-no-cards"),)
    if isinstance(state.view, UnknownView) and not state.view.cards:
        return _view(state, state.view)
    return (say("heard-hold", cards=state.view.cards),)


def last_trick(state: TextState) -> TrickView | None:
    """The current trick, otherwise the last one; None: no card was played, or the game has no tricks."""
    trick = getattr(state.view, "trick", None)
    past = getattr(state.view, "past", ())
    return trick if trick is not None and trick.cards else past[-1] if past else None


def asked(state: TextState, decision: messages.Decision, now: int) -> str:
    """Our new decision: the question, the choices in groups and the time; in brief only the kinds of choices."""
    if state.is_brief:
        return say("heard-move", choices=choices_in_brief(decision.legal))
    return _asked(state, decision, grouped_choices(decision.legal, state.told), now)


def _asked(state: TextState, decision: messages.Decision, choices: str, now: int) -> str:
    said = [say("heard-asked", asks=sentence(decision.asks)), _partner(state, decision)]
    said += [say("heard-can", choices=choices), _time(state, decision, now)]
    return " ".join(filter(None, said))


def _partner(state: TextState, decision: messages.Decision) -> str:
    sides: Sequence[int] = getattr(state.view, "sides", ())
    if "partner" not in decision.asks or state.viewer == GALLERY or state.viewer >= len(sides):
        return ""
    partners = [Seat(seat) for seat, side in enumerate(sides) if side == sides[state.viewer] and seat != state.viewer]
    names = state.speaker.names(partners)
    return say("heard-partner", names=names) if partners else ""


_UNHURRIED_MS = 120_000


def time_left(state: TextState, now: int) -> int | None:
    """Milliseconds left for the current decision; None: no limit is known, or no clock runs."""
    turn = state.turn
    if turn is None or turn.turn_ms is None or turn.paused_ms is not None:
        return None
    return max(0, turn.turn_ms - (now - state.turn_at))


def _time(state: TextState, decision: messages.Decision, now: int) -> str:
    left = time_left(state, now)
    is_told = decision.turn_ms is not None and left is not None and is_timed(state)
    return say("heard-have-time", time=phrases.format_seconds(left or 0)) if is_told else ""


def is_timed(state: TextState) -> bool:
    """True if the time for a decision is announced. The server's own limit is long, so it is left to `clock`, unless
    little time was given."""
    has_own = state.info is not None and state.info.clock.turn
    given = None if state.turn is None else state.turn.turn_ms
    return given is not None and (bool(has_own) or given <= _UNHURRIED_MS)


def awaited(state: TextState, now: int) -> Sentences:
    """The action that the table waits for: our confirmation, our move with every choice, or another player's."""
    if state.question is not None and state.question.about == moment(state):
        return (state.question.says,)
    if state.info is not None and state.info.state is TableState.PAUSED:
        return _pause(state)
    if state.decision is not None:
        return (_asked(state, state.decision, format_choices(state.decision.legal), now),)
    if state.info is None:
        return (say("heard-nowhere"),)
    if state.view is not None and state.info.is_in_play:
        return (*_pause(state), _view(state, state.view)[-1])
    seats = state.info.seats
    empty = [place for place, seat in enumerate(seats) if seat.name is None]
    if empty:
        number = say("words-players", count=len(empty))
        return (say("heard-waits", players=number, table=state.info.id),)
    unready = [Seat(place) for place, seat in enumerate(seats) if not seat.agrees and not seat.is_house]
    if not unready:
        return (say("heard-about-to-begin"),)
    wanted = state.speaker.names(unready)
    who = "many" if len(unready) > 1 else "you" if unready[0] == state.viewer else "one"
    return (say("heard-next-game", who=who, names=wanted),)


def repeated(state: TextState, count: int | None) -> Sentences:
    """The last sentences of the table, or all since we typed something."""
    wanted = state.fresh if count is None else count
    said = [heard.says for heard in state.log if heard.says]
    return tuple(said[-max(1, wanted) :]) or (say("heard-nothing-said"),)


LOG_AT_ONCE = 100
"""Most log sentences for one request; more are available hand by hand."""


def log(state: TextState, about: str, now: int) -> Sentences:
    """The table's log in full: of this hand, of another hand, of the game, or of the last minutes; or a sentence that
    helps to correct the request."""
    last = state.log[-1] if state.log else None
    number, minutes = whole_number(about), minutes_of(about)
    if last is None:
        return (say("heard-nothing-said"),)
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
            return (say("heard-log-how"),)
    return tuple([heard.full for heard in wanted[-LOG_AT_ONCE:]]) or (say("heard-nothing-kept"),)


def kept(state: TextState) -> str:
    """Time that our seat is kept if we leave without giving it up."""
    assert state.info is not None
    return seat_kept(state.info, state.bank_ms, is_part=state.is_bank_part)


def score(state: TextState) -> Sentences:
    if state.info is None:
        return (say("heard-nowhere"),)
    purses = state.speaker.counted([seat.purse for seat in state.info.seats])
    purse = say("heard-purses", purses=purses)
    if state.view is None:
        return (sentence(f"{say('heard-no-game')}{say('words-semicolon')}{purse}"),)
    return (presenters.format_score(state.view, state.names, state.viewer, purse),)


def mine(state: TextState) -> Sentences:
    """Our cards, and the tricks that we have taken in the hand."""
    (holds, *others) = hand(state)
    tricks: Sequence[int] = getattr(state.view, "tricks", ())
    if others or state.viewer == GALLERY or state.viewer >= len(tricks):
        return (holds, *others)
    return (say("heard-hold-taken", holds=clause(holds), tricks=say("words-tricks", count=tricks[state.viewer])),)


def trick(state: TextState) -> Sentences:
    """The current trick, or the last one."""
    found = last_trick(state)
    if found is None:
        has_tricks = hasattr(state.view, "trick")
        return (say("heard-no-card-yet" if has_tricks or state.view is None else "heard-no-tricks"),)
    who = state.speaker
    played = phrases.format_trick(found, who)
    if found is getattr(state.view, "trick", None):
        return (sentence(say("heard-on-table", played=played)),)
    return (sentence(who.say("heard-last-trick", played=played, winner=found.winner)),)


def time(state: TextState, now: int) -> Sentences:
    left, turn = time_left(state, now), state.turn
    if left is None or turn is None:
        return (say("heard-no-clock"),) if turn is None or turn.paused_ms is None else clock(state, now)[-1:]
    who = state.speaker
    return (capitalized(who.say("heard-time-left", seat=turn.seat, time=phrases.format_seconds(left))),)


def clock(state: TextState, now: int) -> Sentences:
    """The limit of a turn, and the time left for this one."""
    if state.info is None:
        return (say("heard-nowhere"),)
    limit = state.info.clock.turn
    bank, time_ = phrases.format_seconds(state.info.clock.bank * 1000), phrases.format_seconds(limit * 1000)
    said = [say("heard-limits", time=time_, bank=bank) if limit else say("heard-no-limit", bank=bank)]
    turn = state.turn
    if turn is not None and turn.paused_ms is not None:
        left = phrases.format_time_left(max(0, turn.paused_ms - (now - state.turn_at)))
        said.append(say("heard-paused-for", time=left))
    elif time_left(state, now) is not None:
        said.extend(time(state, now))
    return tuple(said)


def who(state: TextState) -> Sentences:
    if state.info is None:
        return (say("heard-nowhere"),)
    seats = []
    for place, seat in enumerate(state.info.seats):
        message = "heard-in-seat-ready" if _waits(state, seat) else "heard-in-seat"
        seats.append(say(message, who=_sitter(seat, place, state.viewer), number=place + 1))
    watchers = say("words-spectators", count=state.info.watchers)
    if state.viewer == GALLERY:
        watchers = say("heard-among-them", watchers=watchers)
    heard_by = clause(who_hears(state.info, state.viewer))
    here = say("words-semicolon").join([", ".join(seats), watchers, uncapitalized(heard_by)])
    return (sentence(here), *_pause(state))


def why(state: TextState) -> Sentences:
    """The reason why we may do this and no more."""
    if state.decision is None:
        return legal(state)
    return (sentence(state.decision.why or state.decision.asks),)


def legal(state: TextState) -> Sentences:
    if state.decision is None:
        return (say("plain-not-your-move"),)
    return (say("heard-can", choices=format_choices(state.decision.legal)),)


def table_in_words(info: TableInfo, viewer: Viewer = GALLERY) -> str:
    sitters = [_sitter(seat, place, viewer) for place, seat in enumerate(info.seats)]
    seats = [say("heard-in-seat", who=who, number=number) for number, who in enumerate(sitters, 1)]
    is_first = info.state is TableState.BETWEEN and not info.games
    said = [say(f"heard-table-{'begins' if is_first else info.state}", game=info.games)]
    if info.clock.turn:
        said.append(say("heard-table-turn", time=phrases.format_seconds(info.clock.turn * 1000)))
    about = (
        (info.is_locked, "locked"),
        (not info.is_gallery_open, "no-spectators"),
        (info.admits is not Admits.ALL, f"for-{info.admits}"),
        (info.is_assisted, "assisted"),
        (info.is_exhibition, "exhibition"),
    )
    said += [say(f"heard-table-{about}") for is_so, about in about if is_so]
    game = printable(info.game)
    return say("heard-table", table=info.id, game=game, seats=", ".join(seats), about=", ".join(said))


def _sitter(seat: SeatInfo, place: int, viewer: Viewer) -> str:
    if seat.name is None:
        return say("heard-no-player")
    if place == viewer:
        return say("words-you")  # here, even if the server said "away" a moment before we came back
    house = say("heard-house-named", name=seat.house) if seat.house else say("heard-house")
    about = (
        (seat.is_house, house),
        (seat.is_bot, say("heard-bot")),
        (seat.is_away, say("heard-away")),
        (seat.is_gone, say("heard-gone")),
    )
    return printable(seat.name) + marks(*about)


def marks(*about: tuple[bool, str]) -> str:
    """The words that apply, in brackets."""
    words = [word for is_so, word in about if is_so]
    return f" ({', '.join(words)})" if words else ""


def _waits(state: TextState, seat: SeatInfo) -> bool:
    return seat.agrees and state.info is not None and not state.info.is_in_play


def who_hears(info: TableInfo, viewer: Viewer) -> str:
    if viewer == GALLERY and info.is_in_play:
        return say("heard-gallery-only")  # law 6: "No bystander must interfere"
    if viewer != GALLERY and not info.watchers:
        return say("heard-by-table")
    return say("heard-by-all")


def keeps_nothing(info: TableInfo) -> bool:
    """True if closing the connection gives the game up at once, because the table has no bank."""
    return info.state is TableState.PLAYING and info.clock.bank == 0


def seat_kept(info: TableInfo, bank_ms: int | None = None, *, is_part: bool = False) -> str:
    """Time that a player's seat is kept after they close the connection, as a sentence.

    `bank_ms`: the player's remaining bank, if known; None: the whole bank. `is_part`: an unknown part of it is used.
    """
    bank = phrases.format_seconds(info.clock.bank * 1000 if bank_ms is None else bank_ms)
    time = say("heard-rest-of", time=bank) if is_part and bank_ms is None else bank
    if keeps_nothing(info):
        return say("heard-keeps-nothing")
    if info.state is TableState.PAUSED and info.pause is not None:
        rest = phrases.format_minutes(info.pause.minutes)
        return say("heard-kept-paused", table=info.id, rest=rest, time=time)
    message = "heard-kept-or-given-up" if info.state is TableState.PLAYING else "heard-kept"
    return say(message, table=info.id, time=time)


def giving_up(info: TableInfo, *, stays: bool) -> str:
    """Consequence of giving up the game in play, as a sentence. `stays`: the player keeps the seat."""
    if not stays and info.options.get("abandoned") == "house":
        return say("heard-house-plays-on")
    return say("heard-resigns" if stays else "heard-leaves")


def purse_ends(info: TableInfo, viewer: Viewer) -> str:
    """Treatment of a purse when its player gives up the seat, as a sentence; empty: the purse is empty, or a game in
    play will change it."""
    if viewer == GALLERY or viewer >= len(info.seats) or not info.seats[viewer].purse or info.is_in_play:
        return ""
    return say("heard-purse-ends", purse=info.seats[viewer].purse)
