"""All typed commands in one table, from which `help` is made. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs

from put_protocol import messages
from put_protocol.messages import Ok, Request, Welcome
from put_protocol.offers import GameOffer
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import TableInfo
from put_text.catalogue import language_named, languages, listed, say, speaking
from put_text.parse_action import command_in_english, command_in_own_words, minutes_of
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
    state: TextState
    words: Sequence[str]
    """Words after the first."""
    now: int
    """Milliseconds."""
    welcome: Welcome
    proof: "Proof"


Proof = Callable[[int | None], Sentences]
"""Sentences on the fairness of the deal with this number, or of the deal in play."""


@dataclass(frozen=True, slots=True)
class TextCommand:
    usage: str
    """The word and its arguments, optional parts in brackets; TEXT, NAME and dots are any number of words."""
    run: Callable[[TypedCommand], Outcome]

    @property
    def meaning(self) -> str:
        return say(f"command-{self.word}")

    @property
    def spoken(self) -> str:
        """The usage without signs, for reading aloud: `sit TABLE, perhaps SEAT, perhaps PASSCODE`."""
        usage = re.sub("[A-Z]+", lambda name: say("command-argument", name=name[0]), command_in_own_words(self.usage))
        words = usage.replace("|", f" {say('command-or')} ").split(" [")
        return f"{say('command-perhaps')} ".join(word.rstrip("]").removesuffix("...") for word in words)

    @property
    def word(self) -> str:
        return self.usage.split()[0]

    def completed(self, words: Sequence[str]) -> list[str]:
        """The words after the first, with abbreviated keywords completed."""
        rest = self.usage.split()[1:]
        known = [part.strip("[]").split("|") if part.islower() else [] for part in rest]
        return [*(offers_text.whole(word, part) for word, part in zip(words, known, strict=False)), *words[len(rest) :]]

    def takes(self, words: Sequence[str]) -> bool:
        """True if these words are valid arguments: their number, and the lower-case keywords of the usage."""
        rest = self.usage.split()[1:]
        least = sum(not word.startswith("[") for word in rest)
        is_open = bool(rest) and rest[-1].endswith(("TEXT", "NAME", "...]"))
        if not (least <= len(words) and (is_open or len(words) <= len(rest))):
            return False
        return all(word in wanted.split("|") for wanted, word in zip(rest, words, strict=False) if wanted.islower())


def _repeat(call: TypedCommand) -> Outcome:
    count = whole_number(call.words[0]) if call.words else None
    if call.words and not count:
        return (say("command-say-repeat"),)
    return answers.repeated(call.state, count)


def _here(call: TypedCommand, make: Callable[[int, int], Request], then: Then | None = None) -> Outcome:
    """A request about our table, made from its id and the table's number."""
    table = call.state.table
    return answers.table(call.state) if table is None else SendRequest(lambda request: make(request, table), then)


def _gone(state: TextState, _: Ok) -> Step:
    purse = answers.purse_ends(state.info, state.viewer) if state.info is not None else ""
    return text_state.nowhere(state), (say("plain-left", table=state.table or 0), *((purse,) if purse else ()))


def _game_to_lose(state: TextState) -> TableInfo | None:
    """The table with a game of ours in play, if we are asked before we give it up."""
    is_asked = state.is_seated and state.asks is not Asks.NOTHING
    return state.info if is_asked and state.info is not None and state.info.is_in_play else None


def _give_up(
    call: TypedCommand, make: Callable[[int, int], Request], then: Then | None = None, *, stays: bool
) -> Outcome:
    """Resign or leave, after a confirmation if that gives a game up."""
    request, info = _here(call, make, then), _game_to_lose(call.state)
    if info is None or not isinstance(request, SendRequest):
        return request
    means = answers.giving_up(info, stays=stays)
    keeps = call.state.is_kept and not answers.keeps_nothing(info)
    return ask_first(call.state, say("command-to-do-it", means=means, keeps=keeps), request)


def _quit(call: TypedCommand) -> Outcome:
    state, info = call.state, _game_to_lose(call.state)
    if info is None or (state.is_kept and not answers.keeps_nothing(info)):
        return EndSession()
    why = answers.kept(state) if state.is_kept else say("command-ends-table")
    return ask_first(state, say("command-to-quit", why=why), EndSession())


def _elsewhere(state: TextState) -> Sentences:
    return (say("plain-leave-first", table=state.table),)


_ALL = "all"


def _help(call: TypedCommand) -> Outcome:
    """A few commands at first; the others by topic, because fifty sentences are too many at once."""
    if call.words:
        return _help_about(call.words[0].casefold())
    begin = say("command-help-lobby" if call.state.table is None else "command-help-table")
    return begin, say("command-help-moves"), say("command-help-lines"), say("command-help-more", **_topics())


def _topics() -> dict[str, Any]:
    return {
        "topics": ", ".join([say("command-topic", topic=topic) for topic in TOPICS]),
        "all": say("command-topic", topic=_ALL),
    }


def _help_about(typed: str) -> Sentences:
    named = {say("command-topic", topic=topic): topic for topic in [*TOPICS, _ALL]}
    known = {**{topic: topic for topic in named.values()}, **named}
    word = command_in_english(typed)
    is_word = any(command.word == word for command in COMMANDS)
    topic = word if is_word and typed not in known else known.get(whole(typed, known), typed)
    words = TOPICS.get(topic, (topic,))
    found = [command for command in COMMANDS if topic == _ALL or command.word in words]
    if not found:
        return (say("command-help-none", topic=topic, **_topics()),)
    told = [say("command-house", name=command.spoken, meaning=command.meaning) for command in found]
    return (*told, *([say("command-help-moves")] if topic == _ALL else []))


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
            return state, (say("command-table-lost"),)
        return state, SendRequest(
            lambda request: messages.Sit(request, table, passcode=wanted.passcode),
            lambda state, answer: (_seated(state, answer, table), (say("plain-others-come", table=table),)),
        )

    return SendRequest(lambda request: structs.replace(wanted, id=request), opened)


def _seated(state: TextState, answer: Ok, table: int) -> TextState:
    """The state after taking the seat that the server names. If it names none, the table's snapshot shows it."""
    return state if answer.seat is None else text_state.arrived(state, table, answer.seat)


def _about(call: TypedCommand, says: Callable[[GameOffer], Sentences]) -> Outcome:
    """Sentences about a rule set: the named one, or the table's."""
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
    """The seat with a typed number, counted from one."""
    number = whole_number(typed)
    return Seat(number - 1) if number else None


def _sit(call: TypedCommand) -> Outcome:
    table = whole_number(call.words[0])
    seat = _seat(call.words[1]) if len(call.words) > 1 else None
    passcode = call.words[2] if len(call.words) > 2 else ""
    if call.state.is_seated or call.state.table not in (None, table):
        return _elsewhere(call.state)
    if table is None or (seat is None and call.words[1:2] not in ([], ["any"])):
        return (say("command-say-seat"),)

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
        return (say("command-say-table"),)
    return SendRequest(
        lambda request: messages.Watch(request, table, passcode),
        lambda state, _: (text_state.arrived(state, table, GALLERY), ()),
    )


def _invite(call: TypedCommand) -> Outcome:
    seat = _seat(call.words[0]) if call.words else None
    rest = call.words[1:] if seat is not None else call.words
    houses = [house.name for house in call.welcome.houses]
    who = " ".join(rest) or messages.USUAL_HOUSE
    fitting = [who] if who in houses else [name for name in houses if name.startswith(who.casefold()) and len(who) > 1]
    if len(fitting) > 1:
        return (say("heard-say-more", word=who, words=listed(fitting, "or")),)
    if fitting:
        return _here(call, lambda request, table: messages.Invite(request, table, seat, fitting[0]))
    return _here(
        call,
        lambda request, table: messages.Invite(request, table, seat, person=who),
        lambda state, _: (state, (say("command-invited", name=who),)),
    )


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
            return (say("command-no-house"),)
        seat = Seat(named[-1])
    return _here(call, lambda request, table: messages.Dismiss(request, table, seat))


def _send_away(call: TypedCommand) -> Outcome:
    who = " ".join(call.words[1:])
    said = (say("command-sent-away", name=who),)
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
        return (say("command-say-deal"),)
    return call.proof(number)


def _say(call: TypedCommand) -> Outcome:
    def heard(state: TextState, _: Ok) -> Step:
        is_hidden = state.viewer == GALLERY and state.info is not None and state.info.is_in_play
        return state, (say("heard-gallery-only"),) if is_hidden else ()

    return _here(call, lambda request, table: messages.Say(request, table, " ".join(call.words)), heard)


def _hush(kind: type[messages.Mute | messages.Block], word: str) -> Callable[[TypedCommand], Outcome]:
    """A command to stop or start hearing a person."""
    on = not word.startswith("un")

    def run(call: TypedCommand) -> Outcome:
        who = " ".join(call.words)
        return SendRequest(
            lambda request: kind(request, who, on), lambda state, _: (state, (say("command-heard-no-more", kind=word),))
        )

    return run


def _brief(call: TypedCommand, *, on: bool) -> Outcome:
    return Noted(replace(call.state, is_brief=on, has_chosen_words=True), (say("command-few-words", on=on),))


def _switch(message: str, **values: tuple[Any, Any]) -> Callable[[TypedCommand], Outcome]:
    """A command that switches a field of the state, with its value for each word."""

    def run(call: TypedCommand) -> Outcome:
        on = call.words == ["on"]
        return Noted(replace(call.state, **{name: pair[on] for name, pair in values.items()}), (say(message, on=on),))

    return run


def _language(call: TypedCommand) -> Outcome:
    """Use another language, given by its code or its own name."""
    found = language_named(call.words[0])
    if found is None:
        return (say("plain-languages", languages=", ".join(languages())),)
    with speaking(found):
        return Noted(replace(call.state, language=found), (say("plain-language-now"),))


def _log(call: TypedCommand) -> Outcome:
    return answers.log(call.state, whole(" ".join(call.words).casefold(), ("hand", "game")), call.now)


COMMANDS: tuple[TextCommand, ...] = (
    TextCommand("hand", lambda call: answers.hand(call.state)),
    TextCommand("legal", lambda call: answers.legal(call.state)),
    TextCommand("why", lambda call: answers.why(call.state)),
    TextCommand("table", lambda call: answers.table(call.state)),
    TextCommand("score", lambda call: answers.score(call.state)),
    TextCommand("mine", lambda call: answers.mine(call.state)),
    TextCommand("trick", lambda call: answers.trick(call.state)),
    TextCommand("time", lambda call: answers.time(call.state, call.now)),
    TextCommand("clock", lambda call: answers.clock(call.state, call.now)),
    TextCommand("proof [DEAL]", _proof),
    TextCommand("who", _who),
    TextCommand("rules [GAME]", lambda call: _about(call, offers_text.rules)),
    TextCommand("options [GAME]", _options),
    TextCommand("repeat [COUNT]", _repeat),
    TextCommand("log [WHAT]", _log),
    TextCommand("save [FILE]", lambda _: (say("command-no-files"),)),
    TextCommand("brief", lambda call: _brief(call, on=True)),
    TextCommand("full", lambda call: _brief(call, on=False)),
    TextCommand("ask on|off", _switch("command-asked", asks=(Asks.GIVING_UP, Asks.ALL))),
    TextCommand("alone on|off", _switch("command-played-alone", plays_forced_moves=(False, True))),
    TextCommand("yes", lambda _: ()),  # `interpret` takes it itself
    TextCommand("language NAME", _language),
    TextCommand("numbers on|off", _switch("command-numbered", is_numbered=(False, True))),
    TextCommand("say TEXT", _say),
    TextCommand("mute NAME", _hush(messages.Mute, "mute")),
    TextCommand("unmute NAME", _hush(messages.Mute, "unmute")),
    TextCommand("block NAME", _hush(messages.Block, "block")),
    TextCommand("unblock NAME", _hush(messages.Block, "unblock")),
    TextCommand("again", _again),
    TextCommand("analyse", lambda call: _here(call, messages.Analyse)),
    TextCommand("coach", lambda call: _here(call, messages.Coach)),
    TextCommand("pause [LENGTH]", _pause),
    TextCommand("go on", _go_on),
    TextCommand("goon", _go_on),
    TextCommand("resign", lambda call: _give_up(call, messages.Resign, stays=True)),
    TextCommand("stand", lambda call: _here(call, messages.Stand, _gone)),
    TextCommand("leave", lambda call: _give_up(call, messages.Leave, _gone, stays=False)),
    TextCommand("tables", _look),
    TextCommand("lobby", _look),
    TextCommand("games", lambda call: offers_text.games(call.welcome)),
    TextCommand("houses", lambda call: offers_text.houses(call.welcome)),
    TextCommand("open [GAME] [SEATS] [OPTION=VALUE...]", _open),
    TextCommand("sit TABLE [SEAT] [PASSCODE]", _sit),
    TextCommand("watch TABLE [PASSCODE]", _watch),
    TextCommand("invite [SEAT] [WHO]", _invite),
    TextCommand("dismiss [WHO...]", _dismiss),
    TextCommand("send away NAME", _send_away),
    TextCommand("help [TOPIC]", _help),
    TextCommand("quit", _quit),
    TextCommand("exit", _quit),
)

TOPICS: Mapping[str, tuple[str, ...]] = {
    "game": ("hand", "mine", "trick", "legal", "why", "table", "score", "time", "clock", "proof", "rules", "options"),
    "after": ("again", "analyse", "coach", "pause", "go", "goon"),
    "people": ("who", "say", "mute", "unmute", "block", "unblock"),
    "tables": ("tables", "lobby", "games", "houses", "open", "sit", "watch", "invite", "dismiss", "send"),
    "hearing": ("repeat", "log", "save", "brief", "full", "ask", "alone", "yes", "numbers", "language", "help"),
    "leaving": ("quit", "exit", "stand", "resign", "leave"),
}
"""First words of the commands of each topic of `help`; each is in one topic."""
