"""Every command of plain English in one table, from which `help` is made; and what a typed line comes to. Pure.

Laws: what is no command is a move, and the server's list of choices alone says whether it is a legal one. The server's
own phrase for a choice always means that choice, also where it begins like a command. A request is data: whoever heard
the line sends it, under an id of their own, and hands its `ok` to what follows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from put_protocol.messages import (
    USUAL_HOUSE,
    Act,
    Again,
    Analyse,
    Dismiss,
    GoOn,
    Invite,
    Leave,
    Look,
    LookAway,
    Ok,
    OpenTable,
    Pause,
    Request,
    Resign,
    Say,
    Sit,
    Stand,
    Watch,
    Welcome,
)
from put_protocol.offers import GameOffer
from put_protocol.seats import GALLERY, Seat
from put_protocol.text import printable
from put_text import parse_action
from put_text.parse_action import minutes_of
from put_text.plain import offers, text_state
from put_text.plain.text_state import Known, Sentences

Make = Callable[[int], Request]
"""A request by its id."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to send."""

    make: Make
    then: Callable[[Known, Ok], "Step"] | None = None
    """When it was carried out: what is known now, and what to say or to ask for next. None: as before, and nothing."""


Step: TypeAlias = tuple[Known, Sentences | Ask]


@dataclass(frozen=True, slots=True)
class Noted:
    """An answer at once, and what is known with it."""

    known: Known
    says: Sentences


@dataclass(frozen=True, slots=True)
class Quit:
    """Close the connection and end."""


Order: TypeAlias = Sentences | Noted | Ask | Quit
"""What a line comes to: an answer at once, a request, or the end."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A command and when it was given."""

    known: Known
    words: Sequence[str]
    """Those after the first."""
    now: int
    """Milliseconds."""
    welcome: Welcome
    seal: "Seal"


Seal = Callable[[int | None], Sentences]
"""What this end can tell of the fairness of a deal: the one of this number, or the one in play."""


@dataclass(frozen=True, slots=True)
class Command:
    """A word one may type."""

    usage: str
    """The word and what may follow it, optional parts in brackets; TEXT is any number of words, and so are dots."""
    meaning: str
    order: Callable[[Typed], Order]

    @property
    def word(self) -> str:
        return self.usage.split()[0]

    def takes(self, count: int) -> bool:
        """Whether so many words may follow."""
        rest = self.usage.split()[1:]
        least = sum(not word.startswith("[") for word in rest)
        is_open = bool(rest) and rest[-1].endswith(("TEXT", "...]"))
        return least <= count and (is_open or count <= len(rest))


def is_command(text: str) -> bool:
    """Whether a line begins with a command's word."""
    return _command(text.split()) is not None


def understand(text: str, known: Known, now: int, welcome: Welcome, seal: Seal) -> Order:
    """What a line comes to."""
    words = printable(text.expandtabs(1)).split()
    if not words:
        return ()
    command = _command(words)
    if command is None or " ".join(words).casefold() in _phrases(known):
        return _move(" ".join(words), known)
    if not command.takes(len(words) - 1):
        return (f'Say it as "{command.usage}": {command.meaning}.',)
    return command.order(Typed(known, words[1:], now, welcome, seal))


def _command(words: Sequence[str]) -> Command | None:
    first = words[0].casefold() if words else ""
    return next((command for command in COMMANDS if command.word == first), None)


def _phrases(known: Known) -> set[str]:
    """The server's own for our choices, whole and without what it says of their consequence."""
    said = [choice.says.casefold() for choice in known.decision.legal] if known.decision is not None else []
    return {phrase for whole in said for phrase in (whole, whole.partition(":")[0])}


def _move(text: str, known: Known) -> Order:
    decision = known.decision
    if decision is None:
        why = "It is not your move" if known.is_seated else f'"{text[:40]}" is no command'
        return (f'{why}. Say "help" to hear what you can say.',)
    action = parse_action.parse(text, decision.legal)
    if isinstance(action, str):
        return (action,)
    return Ask(
        lambda request: Act(request, decision.table, decision.decision, action),
        lambda known, _: (text_state.decided(known, decision), ()),
    )


# --- where we are ---


def _here(typed: Typed, make: Callable[[int, int], Request], then: Callable[[Known, Ok], Step] | None = None) -> Order:
    """A request about the table we are at, made by its id and the table's number."""
    table = typed.known.table
    return text_state.table(typed.known) if table is None else Ask(lambda request: make(request, table), then)


def _gone(known: Known, _: Ok) -> Step:
    return text_state.nowhere(known), (f"You have left table {known.table}.",)


def _elsewhere(known: Known) -> Sentences:
    return (f'You are at table {known.table}. Say "leave" first.',)


def _whole(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else None


# --- the commands that need more than a line ---


def _help(_: Typed) -> Order:
    moves = "a card (3s, or the 3 of spades), put, see, throw in, or #1 for the first choice"
    return (*(f"{command.usage}: {command.meaning}." for command in COMMANDS), f"Anything else is your move: {moves}.")


def _look(_: Typed) -> Order:
    return Ask(Look, lambda known, _: (known, Ask(LookAway)))


def _who(typed: Typed) -> Order:
    return _look(typed) if typed.known.table is None else text_state.who(typed.known)


def _open(typed: Typed) -> Order:
    if typed.known.table is not None:
        return _elsewhere(typed.known)
    wanted = offers.wanted(typed.words, typed.welcome)
    if isinstance(wanted, str):
        return (wanted,)

    def opened(known: Known, answer: Ok) -> Step:
        table = answer.table
        if table is None:
            return known, ("The server opened a table and did not say which.",)
        return known, Ask(
            lambda request: Sit(request, table, passcode=wanted.passcode),
            lambda known, answer: (_seated(known, answer, table), (_others_come(table),)),
        )

    return Ask(
        lambda request: OpenTable(
            request,
            game=wanted.game,
            seats=wanted.seats,
            options=dict(wanted.options),
            turn=wanted.turn,
            bank=wanted.bank,
            passcode=wanted.passcode,
            gallery=wanted.gallery,
            admits=wanted.admits,
        ),
        opened,
    )


def _others_come(table: int) -> str:
    return f'Table {table} is open. Others come with "sit {table}"; "invite" asks a house player.'


def _seated(known: Known, answer: Ok, table: int) -> Known:
    """In the seat the server names. One that names none shows it with the table."""
    return known if answer.seat is None else text_state.arrived(known, table, answer.seat)


def _about(typed: Typed, says: Callable[[GameOffer], Sentences]) -> Order:
    """What is to be said of a rule set: the one named, or that of the table."""
    info = typed.known.info
    if not typed.words and info is None:
        return offers.games(typed.welcome)
    game = typed.words[0] if typed.words or info is None else info.game
    offer = offers.offer_of(typed.welcome, game)
    return offers.games(typed.welcome) if offer is None else says(offer)


def _options(typed: Typed) -> Order:
    chosen = typed.known.info.options if typed.known.info is not None and not typed.words else None
    return _about(typed, lambda offer: offers.options(offer, chosen))


def _sit(typed: Typed) -> Order:
    table = _whole(typed.words[0])
    seat = _whole(typed.words[1]) if len(typed.words) > 1 and typed.words[1] != "any" else None
    passcode = typed.words[2] if len(typed.words) > 2 else ""
    if typed.known.is_seated or typed.known.table not in (None, table):
        return _elsewhere(typed.known)
    if table is None or (seat is None and typed.words[1:2] not in ([], ["any"])):
        return ('Which seat? For example "sit 1 0" for the first at table 1, or "sit 1" for any.',)

    chosen = None if seat is None else Seat(seat)
    return Ask(
        lambda request: Sit(request, table, chosen, passcode),
        lambda known, answer: (_seated(known, answer, table), ()),
    )


def _watch(typed: Typed) -> Order:
    table = _whole(typed.words[0])
    passcode = typed.words[1] if len(typed.words) > 1 else ""
    if typed.known.table is not None:
        return _elsewhere(typed.known)
    if table is None:
        return ('Which table? For example: "watch 1".',)
    return Ask(
        lambda request: Watch(request, table, passcode),
        lambda known, _: (text_state.arrived(known, table, GALLERY), ()),
    )


def _invite(typed: Typed) -> Order:
    number = _whole(typed.words[0]) if typed.words else None
    rest = typed.words[1:] if number is not None else typed.words
    seat = None if number is None else Seat(number)
    known = [house.name for house in typed.welcome.houses]
    who = " ".join(rest) or USUAL_HOUSE
    if who in known:
        return _here(typed, lambda request, table: Invite(request, table, seat, who))
    return _here(typed, lambda request, table: Invite(request, table, seat, person=who))


def _dismiss(typed: Typed) -> Order:
    seat = _whole(typed.words[0])
    if seat is None:
        return ('Out of which seat? For example: "dismiss 1".',)
    return _here(typed, lambda request, table: Dismiss(request, table, Seat(seat)))


def _again(typed: Typed) -> Order:
    return _here(typed, Again, lambda known, _: (replace(known, has_agreed=known.is_seated), ()))


def _pause(typed: Typed) -> Order:
    minutes = minutes_of(typed.words[0]) if typed.words else 0
    if isinstance(minutes, str):
        return (minutes,)
    return _here(typed, lambda request, table: Pause(request, table, minutes))


def _go_on(typed: Typed) -> Order:
    if typed.words and typed.words != ["on"]:
        return ('Say "go on" when you are ready to go on after a pause.',)
    return _here(typed, GoOn)


def _seal(typed: Typed) -> Order:
    number = _whole(typed.words[0]) if typed.words else None
    if typed.words and number is None:
        return ('Which deal? For example: "seal", or "seal 3".',)
    return typed.seal(number)


def _say(typed: Typed) -> Order:
    return _here(typed, lambda request, table: Say(request, table, " ".join(typed.words)))


def _numbers(typed: Typed) -> Order:
    if typed.words not in (["on"], ["off"]):
        return ('Say "numbers on", or "numbers off".',)
    return Noted(replace(typed.known, is_numbered=typed.words == ["on"]), (f"Numbers are {typed.words[0]}.",))


COMMANDS: tuple[Command, ...] = (
    Command("hand", "hear the cards you hold", lambda typed: text_state.hand(typed.known)),
    Command("legal", "hear every move you may make now", lambda typed: text_state.legal(typed.known)),
    Command("why", "hear why it is these moves and no others", lambda typed: text_state.why(typed.known)),
    Command("table", "hear the whole table", lambda typed: text_state.table(typed.known)),
    Command("score", "hear the score and the purses", lambda typed: text_state.score(typed.known)),
    Command("clock", "hear how long there is to decide", lambda typed: text_state.clock(typed.known, typed.now)),
    Command("seal [DEAL]", "hear whether the deal is fair: its words, its cuts and its proofs", _seal),
    Command("who", "hear who is here", _who),
    Command("rules [GAME]", "hear how this game is played, or another", lambda typed: _about(typed, offers.rules)),
    Command("options [GAME]", "hear what was agreed for this game, or may be for another", _options),
    Command("numbers on|off", "hear every event with its number, seals and cuts too, or without", _numbers),
    Command("say TEXT", "talk to the table; from the gallery, to the gallery until the game is over", _say),
    Command("again", "ask for another game", _again),
    Command(
        "analyse",
        "hear what your decisions in the last game cost, against perfect play",
        lambda typed: _here(typed, Analyse),
    ),
    Command("pause [LENGTH]", "let the game rest, for 30m, 2h or 7d at most, when everyone agrees", _pause),
    Command("go on", "be ready to go on after a pause", _go_on),
    Command("goon", "the same", _go_on),
    Command(
        "resign",
        "give the game up and keep your seat",
        lambda typed: _here(typed, Resign),
    ),
    Command(
        "stand",
        "give up your seat, between games",
        lambda typed: _here(typed, Stand, _gone),
    ),
    Command(
        "leave",
        "go away from the table; during a game this gives it up",
        lambda typed: _here(typed, Leave, _gone),
    ),
    Command("tables", "hear which tables are open, and who is here", _look),
    Command("lobby", "the same", _look),
    Command("games", "hear which games there are", lambda typed: offers.games(typed.welcome)),
    Command("houses", "hear which house players there are", lambda typed: offers.houses(typed.welcome)),
    Command(
        "open [GAME] [SEATS] [OPTION=VALUE...]",
        "open a table and sit down at it, put-1674 for two if you name nothing; "
        "options of a table are turn and bank in seconds, passcode, gallery=shut, and admits=people or admits=bots",
        _open,
    ),
    Command("sit TABLE [SEAT] [PASSCODE]", "take that seat, or any", _sit),
    Command("watch TABLE [PASSCODE]", "join the gallery", _watch),
    Command("invite [SEAT] [WHO]", "ask a house player to your table, or somebody who is here", _invite),
    Command("dismiss SEAT", "send a house player away, between games", _dismiss),
    Command("help", "hear this", _help),
    Command("quit", "leave and end", lambda _: Quit()),
)
