"""Every command of line mode in one table, from which `help` is made; and what a typed line comes to. Pure.

Laws: what is no command is a move, and the server's list of choices alone says whether it is a legal one. The server's
own phrase for a choice always means that choice, also where it begins like a command.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from put_client import offers, spoken
from put_client.client import Client
from put_client.spoken import Known
from put_protocol import typed
from put_protocol.messages import Decision, GameOffer, Welcome
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.text import printable
from put_protocol.typed import minutes_of

Then = Callable[[Known, object], tuple[Known, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Do:
    """A request to make."""

    request: Callable[[Client], Awaitable[object]]
    then: Then | None = None
    """When it was carried out: what is known after its result, and what to say; None: as before, and nothing."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Close the connection and end."""


USUAL_HOUSE = "steady"
"""Whom an invitation is for that names nobody."""

Order = tuple[str, ...] | Do | Quit
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


def understand(text: str, known: Known, now: int, welcome: Welcome) -> Order:
    """What a line comes to."""
    words = printable(text.expandtabs(1)).split()
    if not words:
        return ()
    command = _command(words)
    if command is None or " ".join(words).casefold() in _phrases(known):
        return _move(" ".join(words), known)
    if not command.takes(len(words) - 1):
        return (f'Say it as "{command.usage}": {command.meaning}.',)
    return command.order(Typed(known, words[1:], now, welcome))


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
    action = typed.parse(text, decision.legal)
    if isinstance(action, str):
        return (action,)
    return Do(
        lambda client: client.act(decision.table, decision.decision, action),
        lambda known, _: (_decided(known, decision), ()),
    )


def _decided(known: Known, decision: Decision) -> Known:
    """The answer was taken; the next question may have come before we heard so."""
    return replace(known, decision=None) if known.decision == decision else known


# --- where we are ---


def arrived(known: Known, table: int, viewer: Viewer) -> Known:
    """The server says we are at this table; its picture of it comes behind, if it has not come already."""
    if known.table != table or known.viewer != viewer:
        known = Known(table=table, viewer=viewer)
    return replace(known, has_agreed=viewer != GALLERY)


def _here(typed: Typed, request: Callable[[Client, int], Awaitable[object]], then: Then | None = None) -> Order:
    """A request about the table we are at."""
    table = typed.known.table
    return spoken.table(typed.known) if table is None else Do(lambda client: request(client, table), then)


def _gone(known: Known, _: object) -> tuple[Known, tuple[str, ...]]:
    return Known(), (f"You have left table {known.table}.",)


def _elsewhere(known: Known) -> tuple[str, ...]:
    return (f'You are at table {known.table}. Say "leave" first.',)


def _whole(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else None


# --- the commands that need more than a line ---


def _help(_: Typed) -> Order:
    moves = "a card (3s, or the 3 of spades), put, see, throw in, or #1 for the first choice"
    return (*(f"{command.usage}: {command.meaning}." for command in COMMANDS), f"Anything else is your move: {moves}.")


def _look(_: Typed) -> Order:
    async def look(client: Client) -> None:
        await client.look()
        await client.look_away()

    return Do(look)


def _who(typed: Typed) -> Order:
    return _look(typed) if typed.known.table is None else spoken.who(typed.known)


def _open(typed: Typed) -> Order:
    if typed.known.table is not None:
        return _elsewhere(typed.known)
    wanted = offers.wanted(typed.words, typed.welcome)
    if isinstance(wanted, str):
        return (wanted,)

    async def open_and_sit(client: Client) -> tuple[int, Seat]:
        table = await client.open_table(
            wanted.game,
            seats=wanted.seats,
            options=wanted.options,
            turn=wanted.turn,
            bank=wanted.bank,
            passcode=wanted.passcode,
            gallery=wanted.gallery,
            admits=wanted.admits,
        )
        return table, await client.sit(table, passcode=wanted.passcode)

    def opened(known: Known, place: object) -> tuple[Known, tuple[str, ...]]:
        assert isinstance(place, tuple)
        table, seat = place
        others = f'Others come with "sit {table}"; "invite" asks a house player.'
        return arrived(known, table, seat), (f"Table {table} is open. {others}",)

    return Do(open_and_sit, opened)


def _about(typed: Typed, says: Callable[[GameOffer], tuple[str, ...]]) -> Order:
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

    def seated(known: Known, seat: object) -> tuple[Known, tuple[str, ...]]:
        assert isinstance(seat, int)
        return arrived(known, table, Seat(seat)), ()

    return Do(lambda client: client.sit(table, seat, passcode), seated)


def _watch(typed: Typed) -> Order:
    table = _whole(typed.words[0])
    passcode = typed.words[1] if len(typed.words) > 1 else ""
    if typed.known.table is not None:
        return _elsewhere(typed.known)
    if table is None:
        return ('Which table? For example: "watch 1".',)
    return Do(lambda client: client.watch(table, passcode), lambda known, _: (arrived(known, table, GALLERY), ()))


def _invite(typed: Typed) -> Order:
    seat = _whole(typed.words[0]) if typed.words else None
    rest = typed.words[1:] if seat is not None else typed.words
    known = [house.name for house in typed.welcome.houses]
    who = " ".join(rest) or USUAL_HOUSE
    if who in known:
        return _here(typed, lambda client, table: client.invite(table, seat, who))
    return _here(typed, lambda client, table: client.invite(table, seat, person=who))


def _dismiss(typed: Typed) -> Order:
    seat = _whole(typed.words[0])
    if seat is None:
        return ('Out of which seat? For example: "dismiss 1".',)
    return _here(typed, lambda client, table: client.dismiss(table, seat))


def _again(typed: Typed) -> Order:
    def agreed(known: Known, _: object) -> tuple[Known, tuple[str, ...]]:
        return replace(known, has_agreed=known.is_seated), ()

    return _here(typed, lambda client, table: client.again(table), agreed)


def _pause(typed: Typed) -> Order:
    minutes = minutes_of(typed.words[0]) if typed.words else 0
    if isinstance(minutes, str):
        return (minutes,)
    return _here(typed, lambda client, table: client.pause(table, minutes))


def _go_on(typed: Typed) -> Order:
    if typed.words and typed.words != ["on"]:
        return ('Say "go on" when you are ready to go on after a pause.',)
    return _here(typed, lambda client, table: client.go_on(table))


def _seal(typed: Typed) -> Order:
    number = _whole(typed.words[0]) if typed.words else None
    if typed.words and number is None:
        return ('Which deal? For example: "seal", or "seal 3".',)
    return spoken.seal(typed.known, number)


def _say(typed: Typed) -> Order:
    return _here(typed, lambda client, table: client.say(table, " ".join(typed.words)))


COMMANDS: tuple[Command, ...] = (
    Command("hand", "hear the cards you hold", lambda typed: spoken.hand(typed.known)),
    Command("legal", "hear every move you may make now", lambda typed: spoken.legal(typed.known)),
    Command("why", "hear why it is these moves and no others", lambda typed: spoken.why(typed.known)),
    Command("table", "hear the whole table", lambda typed: spoken.table(typed.known)),
    Command("score", "hear the score and the purses", lambda typed: spoken.score(typed.known)),
    Command("clock", "hear how long there is to decide", lambda typed: spoken.clock(typed.known, typed.now)),
    Command("seal [DEAL]", "hear whether the deal is fair: its words, its cuts and its proofs", _seal),
    Command("who", "hear who is here", _who),
    Command("rules [GAME]", "hear how this game is played, or another", lambda typed: _about(typed, offers.rules)),
    Command("options [GAME]", "hear what was agreed for this game, or may be for another", _options),
    Command("say TEXT", "talk to the table; from the gallery, to the gallery until the game is over", _say),
    Command("again", "ask for another game", _again),
    Command("pause [LENGTH]", "let the game rest, for 30m, 2h or 7d at most, when everyone agrees", _pause),
    Command("go on", "be ready to go on after a pause", _go_on),
    Command("goon", "the same", _go_on),
    Command(
        "resign",
        "give the game up and keep your seat",
        lambda typed: _here(typed, lambda client, table: client.resign(table)),
    ),
    Command(
        "stand",
        "give up your seat, between games",
        lambda typed: _here(typed, lambda client, table: client.stand(table), _gone),
    ),
    Command(
        "leave",
        "go away from the table; during a game this gives it up",
        lambda typed: _here(typed, lambda client, table: client.leave(table), _gone),
    ),
    Command("tables", "hear which tables are open, and who is here", _look),
    Command("lobby", "the same", _look),
    Command("games", "hear which games there are", lambda typed: offers.games(typed.welcome)),
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
