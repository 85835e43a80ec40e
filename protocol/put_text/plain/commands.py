"""Commands of plain English in one table, from which `help` is made. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from put_protocol import messages
from put_protocol.messages import Ok, Request, Welcome
from put_protocol.offers import GameOffer
from put_protocol.seats import GALLERY, Seat
from put_text.catalogue import language_named, languages, say, speaking
from put_text.parse_action import minutes_of
from put_text.plain import answers, offers_text, text_state
from put_text.plain.offers_text import whole, whole_number
from put_text.plain.text_state import (
    Asks,
    EndSession,
    Noted,
    Outcome,
    SendRequest,
    Sentences,
    Step,
    TextState,
    Then,
    ask_first,
)


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command as it was typed, with all that it may need."""

    state: TextState
    words: Sequence[str]
    """Those after the first."""
    now: int
    """Milliseconds."""
    welcome: Welcome
    proof: "Proof"


Proof = Callable[[int | None], Sentences]
"""Says whether a deal is fair: the deal of this number, or the deal in play."""


@dataclass(frozen=True, slots=True)
class TextCommand:
    """A word one may type."""

    usage: str
    """The word and what may follow it, optional parts in brackets; TEXT and NAME are any number of words, and so are
    dots."""
    meaning: str
    run: Callable[[TypedCommand], Outcome]

    @property
    def spoken(self) -> str:
        """The usage as it is heard, without signs: `sit TABLE, perhaps SEAT, perhaps PASSCODE`."""
        words = self.usage.replace("|", " or ").split(" [")
        return ", perhaps ".join(word.rstrip("]").removesuffix("...") for word in words)

    @property
    def word(self) -> str:
        return self.usage.split()[0]

    def completed(self, words: Sequence[str]) -> list[str]:
        """The words after the first, those of small letters in the usage whole where only their beginning was typed."""
        rest = self.usage.split()[1:]
        known = [part.strip("[]").split("|") if part.islower() else [] for part in rest]
        return [*(offers_text.whole(word, part) for word, part in zip(words, known, strict=False)), *words[len(rest) :]]

    def takes(self, words: Sequence[str]) -> bool:
        """These words may follow: as many as the usage says, and its small letters as they are."""
        rest = self.usage.split()[1:]
        least = sum(not word.startswith("[") for word in rest)
        is_open = bool(rest) and rest[-1].endswith(("TEXT", "NAME", "...]"))
        if not (least <= len(words) and (is_open or len(words) <= len(rest))):
            return False
        return all(word in wanted.split("|") for wanted, word in zip(rest, words, strict=False) if wanted.islower())


def _repeat(call: TypedCommand) -> Outcome:
    count = whole_number(call.words[0]) if call.words else None
    if call.words and not count:
        return ('Say "repeat", or "repeat 5" for the last five sentences.',)
    return answers.repeated(call.state, count)


def _here(call: TypedCommand, make: Callable[[int, int], Request], then: Then | None = None) -> Outcome:
    """A request about the table we are at, made by its id and the table's number."""
    table = call.state.table
    return answers.table(call.state) if table is None else SendRequest(lambda request: make(request, table), then)


def _gone(state: TextState, _: Ok) -> Step:
    purse = answers.purse_ends(state.info, state.viewer) if state.info is not None else ""
    return text_state.nowhere(state), (say("plain-left", table=state.table or 0), *((purse,) if purse else ()))


def _plays(state: TextState) -> bool:
    """A game is in play that we may give up."""
    return state.is_seated and state.info is not None and state.info.is_in_play


def _give_up(
    call: TypedCommand, make: Callable[[int, int], Request], then: Then | None = None, *, stays: bool
) -> Outcome:
    """Resign or leave, after a confirmation if that gives a game up."""
    state = call.state
    request = _here(call, make, then)
    if not _plays(state) or state.asks is Asks.NOTHING or state.info is None or not isinstance(request, SendRequest):
        return request
    means = answers.giving_up(state.info, stays=stays)
    stop = (
        ""
        if answers.keeps_nothing(state.info) or not state.is_kept
        else ' To stop for now and keep your seat, say "quit".'
    )
    return ask_first(state, f'{means} Say "yes" to do it.{stop}', request)


def _quit(call: TypedCommand) -> Outcome:
    state = call.state
    if not _plays(state) or state.asks is Asks.NOTHING or state.info is None:
        return EndSession()
    if state.is_kept and not answers.keeps_nothing(state.info):
        return EndSession()
    why = answers.kept(state) if state.is_kept else "This table ends with the program, and the game with it."
    return ask_first(state, f'{why} Say "yes" to quit.', EndSession())


def _elsewhere(state: TextState) -> Sentences:
    return (say("plain-leave-first", table=state.table),)


_MOVES = "At your move say the number of a choice, or a card, such as 3s or the 3 of spades, or put, see or throw in."

_ALL = "all"


def _help(call: TypedCommand) -> Outcome:
    """A few words to begin with; the others by topic, because fifty sentences are too many at once."""
    if call.words:
        return _help_about(call.words[0].casefold())
    begin = (
        'To play against the house say "open", then "invite". To join others say "tables", then "sit" and a number.'
        if call.state.table is None
        else '"hand", "table" and "score" say how things stand, "why" what you may do, and "rules" how it is played.'
    )
    return (
        begin,
        _MOVES,
        'An empty line says what is asked of you, and "repeat" what was said. "quit" stops for now.',
        f'There is more: say "help" and {", ".join(TOPICS)} or {_ALL}; or "help" and a word.',
    )


def _help_about(topic: str) -> Sentences:
    topic = whole(topic, [*TOPICS, _ALL]) if all(command.word != topic for command in COMMANDS) else topic
    words = TOPICS.get(topic, (topic,))
    found = [command for command in COMMANDS if topic == _ALL or command.word in words]
    if not found:
        return (f'There is no help about {topic}. Say "help" and {", ".join(TOPICS)} or {_ALL}.',)
    return (*[f"{command.spoken}: {command.meaning}." for command in found], *([_MOVES] if topic == _ALL else []))


def _look(_: TypedCommand) -> Outcome:
    return SendRequest(messages.Look, lambda state, _: (state, SendRequest(messages.LookAway)))


def _who(call: TypedCommand) -> Outcome:
    return _look(call) if call.state.table is None else answers.who(call.state)


def _open(call: TypedCommand) -> Outcome:
    if call.state.table is not None:
        return _elsewhere(call.state)
    wanted = offers_text.wanted(call.words, call.welcome)
    if isinstance(wanted, str):
        return (wanted,)

    def opened(state: TextState, answer: Ok) -> Step:
        table = answer.table
        if table is None:
            return state, ("The server opened a table and did not say which.",)
        return state, SendRequest(
            lambda request: messages.Sit(request, table, passcode=wanted.passcode),
            lambda state, answer: (_seated(state, answer, table), (_others_come(table),)),
        )

    return SendRequest(lambda request: structs.replace(wanted, id=request), opened)


def _others_come(table: int) -> str:
    return say("plain-others-come", table=table)


def _seated(state: TextState, answer: Ok, table: int) -> TextState:
    """The state in the seat that the server names. If it names none, the snapshot of the table shows it."""
    return state if answer.seat is None else text_state.arrived(state, table, answer.seat)


def _about(call: TypedCommand, says: Callable[[GameOffer], Sentences]) -> Outcome:
    """Sentences about a rule set: the one named, or that of the table."""
    info = call.state.info
    if not call.words and info is None:
        return offers_text.games(call.welcome)
    game = call.words[0] if call.words or info is None else info.game
    offer = offers_text.offer_of(call.welcome, game)
    if offer is None:
        return offers_text.games(call.welcome)
    return says(offer if call.words or info is None else offer.under(info.options))


def _options(call: TypedCommand) -> Outcome:
    chosen = call.state.info.options if call.state.info is not None and not call.words else None
    return _about(call, lambda offer: offers_text.options(offer, chosen))


def _seat(typed: str) -> Seat | None:
    """The seat of a typed number: people count from one."""
    number = whole_number(typed)
    return Seat(number - 1) if number else None


def _sit(call: TypedCommand) -> Outcome:
    table = whole_number(call.words[0])
    seat = _seat(call.words[1]) if len(call.words) > 1 else None
    passcode = call.words[2] if len(call.words) > 2 else ""
    if call.state.is_seated or call.state.table not in (None, table):
        return _elsewhere(call.state)
    if table is None or (seat is None and call.words[1:2] not in ([], ["any"])):
        return ('Which seat? For example "sit 1 2" for the second at table 1, or "sit 1" for any.',)

    return SendRequest(
        lambda request: messages.Sit(request, table, seat, passcode),
        lambda state, answer: (_seated(state, answer, table), ()),
    )


def _watch(call: TypedCommand) -> Outcome:
    table = whole_number(call.words[0])
    passcode = call.words[1] if len(call.words) > 1 else ""
    if call.state.table is not None:
        return _elsewhere(call.state)
    if table is None:
        return ('Which table? For example: "watch 1".',)
    return SendRequest(
        lambda request: messages.Watch(request, table, passcode),
        lambda state, _: (text_state.arrived(state, table, GALLERY), ()),
    )


def _invite(call: TypedCommand) -> Outcome:
    seat = _seat(call.words[0]) if call.words else None
    rest = call.words[1:] if seat is not None else call.words
    houses = [house.name for house in call.welcome.houses]
    who = " ".join(rest) or messages.USUAL_HOUSE
    if len(who) > 1 and whole(who, houses) in houses:
        who = whole(who, houses)
        return _here(call, lambda request, table: messages.Invite(request, table, seat, who))
    return _here(call, lambda request, table: messages.Invite(request, table, seat, person=who))


def _dismiss(call: TypedCommand) -> Outcome:
    info, who = call.state.info, " ".join(call.words).casefold()
    if info is None:
        return answers.table(call.state)
    houses = {seat: (one.name or "").casefold() for seat, one in enumerate(info.seats) if one.is_house}
    who = whole(who, houses.values())
    named = [seat for seat, name in houses.items() if who in ("", name)]
    seat = _seat(who)
    if seat is None:
        if not named:
            return ("No such house player sits here.",)
        seat = Seat(named[-1])
    return _here(call, lambda request, table: messages.Dismiss(request, table, seat))


def _send_away(call: TypedCommand) -> Outcome:
    who = " ".join(call.words[1:])
    said = (f"{who} is sent away, and comes back only if you invite them.",)
    return _here(
        call, lambda request, table: messages.Dismiss(request, table, person=who), lambda state, _: (state, said)
    )


def _again(call: TypedCommand) -> Outcome:
    return _here(call, messages.Again, lambda state, _: (replace(state, has_agreed=state.is_seated), ()))


def _pause(call: TypedCommand) -> Outcome:
    minutes = minutes_of(call.words[0]) if call.words else 0
    if isinstance(minutes, str):
        return (minutes,)
    return _here(call, lambda request, table: messages.Pause(request, table, minutes))


def _go_on(call: TypedCommand) -> Outcome:
    return _here(call, messages.GoOn)


def _proof(call: TypedCommand) -> Outcome:
    number = whole_number(call.words[0]) if call.words else None
    if call.words and number is None:
        return ('Which deal? For example: "proof", or "proof 3".',)
    return call.proof(number)


def _say(call: TypedCommand) -> Outcome:
    def heard(state: TextState, _: Ok) -> Step:
        is_hidden = state.viewer == GALLERY and state.info is not None and state.info.is_in_play
        return state, (say("heard-gallery-only"),) if is_hidden else ()

    return _here(call, lambda request, table: messages.Say(request, table, " ".join(call.words)), heard)


def _hush(kind: type[messages.Mute | messages.Block], *, on: bool, says: str) -> Callable[[TypedCommand], Outcome]:
    """A command to hear no more of a person, or to hear them again."""

    def run(call: TypedCommand) -> Outcome:
        who = " ".join(call.words)
        return SendRequest(lambda request: kind(request, who, on), lambda state, _: (state, (says,)))

    return run


def _brief(call: TypedCommand, *, on: bool) -> Outcome:
    says = "You hear few words. An empty line tells your choices." if on else "You hear everything."
    return Noted(replace(call.state, is_brief=on, has_chosen_words=True), (says,))


def _ask(call: TypedCommand) -> Outcome:
    on = call.words == ["on"]
    says = "You are asked" if on else "You are no longer asked"
    asks = Asks.ALL if on else Asks.GIVING_UP
    return Noted(replace(call.state, asks=asks), (f"{says} before a move that decides a hand or a game.",))


def _alone(call: TypedCommand) -> Outcome:
    on = call.words == ["on"]
    says = "are played by themselves" if on else "wait for you"
    return Noted(replace(call.state, plays_only_choices=on), (f"Moves without a choice {says}.",))


def _numbers(call: TypedCommand) -> Outcome:
    return Noted(replace(call.state, is_numbered=call.words == ["on"]), (f"Numbers are {call.words[0]}.",))


def _language(call: TypedCommand) -> Outcome:
    """Say everything in this language from now on; it is named by its code or in its own words."""
    found = language_named(call.words[0])
    if found is None:
        return (say("plain-languages", languages=", ".join(languages())),)
    with speaking(found):
        return Noted(replace(call.state, language=found), (say("plain-language-now"),))


_NO_FILES = 'Here nothing can be written: keep what your terminal shows, or play with put-client, which takes "save".'


def _never(_: TypedCommand) -> Outcome:
    """Command whose words `interpret` takes itself."""
    return ()


COMMANDS: tuple[TextCommand, ...] = (
    TextCommand("hand", "hear the cards you hold", lambda call: answers.hand(call.state)),
    TextCommand("legal", "hear every move you may make now", lambda call: answers.legal(call.state)),
    TextCommand("why", "hear why it is these moves and no others", lambda call: answers.why(call.state)),
    TextCommand("table", "hear the whole table", lambda call: answers.table(call.state)),
    TextCommand("score", "hear the score and the purses", lambda call: answers.score(call.state)),
    TextCommand("mine", "hear your cards, and the tricks you have taken", lambda call: answers.mine(call.state)),
    TextCommand("trick", "hear the cards on the table, or the last trick", lambda call: answers.trick(call.state)),
    TextCommand("time", "hear how much time is left", lambda call: answers.time(call.state, call.now)),
    TextCommand("clock", "hear how long there is to decide", lambda call: answers.clock(call.state, call.now)),
    TextCommand("proof [DEAL]", "hear whether the deal is fair: who shuffled it, and what is proved", _proof),
    TextCommand("who", "hear who is here", _who),
    TextCommand(
        "rules [GAME]", "hear how this game is played, or another", lambda call: _about(call, offers_text.rules)
    ),
    TextCommand("options [GAME]", "hear what was agreed for this game, or may be for another", _options),
    TextCommand(
        "repeat [COUNT]", "hear again what the table said since you last typed, or its last sentences", _repeat
    ),
    TextCommand(
        "log [WHAT]",
        "hear what was said in this hand, in another by its number, in the game, or in the last 10m",
        lambda call: answers.log(call.state, whole(" ".join(call.words).casefold(), ("hand", "game")), call.now),
    ),
    TextCommand("save [FILE]", "write the log to a file", lambda _: (_NO_FILES,)),
    TextCommand(
        "brief", "hear few words: choices only when you ask, with an empty line", lambda call: _brief(call, on=True)
    ),
    TextCommand("full", "hear everything", lambda call: _brief(call, on=False)),
    TextCommand("ask on|off", "be asked before a move that decides a hand or a game, or not", _ask),
    TextCommand("alone on|off", "have moves that leave no choice, as a last card, made by themselves, or not", _alone),
    TextCommand("yes", "do what you were asked about; anything else does not", _never),
    TextCommand("language NAME", "hear everything in another language: en, or fr for French", _language),
    TextCommand("numbers on|off", "hear every event with its number, or without", _numbers),
    TextCommand("say TEXT", "talk to the table; from the gallery, to the gallery until the game is over", _say),
    TextCommand(
        "mute NAME",
        "hear no more of what a person says",
        _hush(messages.Mute, on=True, says="You hear no more of what they say."),
    ),
    TextCommand("unmute NAME", "hear them again", _hush(messages.Mute, on=False, says="You hear them again.")),
    TextCommand(
        "block NAME",
        "the same, and they can neither invite you nor come to tables you open",
        _hush(messages.Block, on=True, says="You hear no more of them, and they of you only where others play."),
    ),
    TextCommand("unblock NAME", "no more of that", _hush(messages.Block, on=False, says="They may invite you again.")),
    TextCommand("again", "ask for another game", _again),
    TextCommand(
        "analyse",
        "hear what your decisions in the last game cost, against perfect play",
        lambda call: _here(call, messages.Analyse),
    ),
    TextCommand(
        "coach",
        "hear what is best now, and why, in a game against the house alone; it is marked as assisted",
        lambda call: _here(call, messages.Coach),
    ),
    TextCommand("pause [LENGTH]", "let the game rest, for 30m, 2h or 7d at most, when everyone agrees", _pause),
    TextCommand("go on", "be ready to go on after a pause", _go_on),
    TextCommand("goon", "the same", _go_on),
    TextCommand(
        "resign",
        "give the game up and keep your seat; you are asked first",
        lambda call: _give_up(call, messages.Resign, stays=True),
    ),
    TextCommand("stand", "give up your seat, between games", lambda call: _here(call, messages.Stand, _gone)),
    TextCommand(
        "leave",
        "go away from the table; during a game this gives it up, and you are asked first",
        lambda call: _give_up(call, messages.Leave, _gone, stays=False),
    ),
    TextCommand("tables", "hear which tables are open, and who is here", _look),
    TextCommand("lobby", "the same", _look),
    TextCommand("games", "hear which games there are", lambda call: offers_text.games(call.welcome)),
    TextCommand("houses", "hear which house players there are", lambda call: offers_text.houses(call.welcome)),
    TextCommand(
        "open [GAME] [SEATS] [OPTION=VALUE...]",
        "open a table and sit down at it, put-1674 for two if you name nothing; "
        "options of a table are turn and bank in seconds, passcode, gallery=shut, and admits=people or admits=bots",
        _open,
    ),
    TextCommand("sit TABLE [SEAT] [PASSCODE]", "take that seat, or any", _sit),
    TextCommand("watch TABLE [PASSCODE]", "join the gallery", _watch),
    TextCommand("invite [SEAT] [WHO]", "ask a house player to your table, or a person who is here", _invite),
    TextCommand("dismiss [WHO...]", "send a house player away, between games: by seat or name, or the last", _dismiss),
    TextCommand(
        "send away NAME",
        "send a guest away from a table that you opened, between games, and keep them out until you invite them",
        _send_away,
    ),
    TextCommand("help [TOPIC]", "hear the words to begin with, or those of a topic, or what one word does", _help),
    TextCommand("quit", "stop for now: your seat is kept for a time, and you are told how to come back", _quit),
    TextCommand("exit", "the same", _quit),
)

TOPICS: Mapping[str, tuple[str, ...]] = {
    "game": ("hand", "mine", "trick", "legal", "why", "table", "score", "time", "clock", "proof", "rules", "options"),
    "after": ("again", "analyse", "coach", "pause", "go", "goon"),
    "people": ("who", "say", "mute", "unmute", "block", "unblock"),
    "tables": ("tables", "lobby", "games", "houses", "open", "sit", "watch", "invite", "dismiss", "send"),
    "hearing": ("repeat", "log", "save", "brief", "full", "ask", "alone", "yes", "numbers", "language", "help"),
    "leaving": ("quit", "exit", "stand", "resign", "leave"),
}
"""The first words of the commands that `help` tells together; each is in one topic."""
