"""The line being typed: editing, and its effect when entered."""

import dataclasses
from collections.abc import Mapping

from msgspec.structs import replace

from put_client.keymap import Intent
from put_client.recording import sheet_of
from put_client.tui.effects import NO_ID, Save, Teach
from put_client.tui.model import AtTable, Model, Step, Typing
from put_client.tui.update.departure import leave, resign
from put_protocol.games.unions import GameView
from put_protocol.games.unknown import UnknownView
from put_protocol.messages import Say, Sit
from put_protocol.seats import Seat
from put_protocol.text import TALK_LENGTH, flaw_of_talk, printable
from put_text.catalogue import say
from put_text.parse_action import command_in_english, parse
from put_text.plain import offers_text

LINE_LENGTH = TALK_LENGTH
"""Longest input: that of talk."""


def cleaned(text: str) -> str:
    return printable(text.replace("\n", " ").replace("\t", " "))


def insert(typing: Typing, text: str) -> tuple[Typing, str]:
    """The line with text inserted at the cursor, without what is unprintable or too long; and a sentence if it was too
    long."""
    text = cleaned(text)
    room = LINE_LENGTH - len(typing.text)
    notice = "" if len(text) <= room else say("screen-line-full", most=LINE_LENGTH)
    text = text[:room]
    whole = typing.text[: typing.at] + text + typing.text[typing.at :]
    return replace(typing, text=whole, at=typing.at + len(text)), notice


def edit(typing: Typing, intent: Intent) -> Typing:
    before, after = typing.text[: typing.at], typing.text[typing.at :]
    match intent:
        case Intent.LEFT:
            before, after = before[:-1], before[-1:] + after
        case Intent.RIGHT:
            before, after = before + after[:1], after[1:]
        case Intent.HOME:
            before, after = "", typing.text
        case Intent.END:
            before, after = typing.text, ""
        case Intent.ERASE:
            before = before[:-1]
        case Intent.ERASE_NEXT:
            after = after[1:]
        case Intent.ERASE_WORD:
            before = "".join(before.rstrip().rpartition(" ")[:2])
        case Intent.ERASE_LINE:
            before = ""
        case _:
            pass
    return replace(typing, text=before + after, at=len(before))


Entered = Step | str
"""The next model and its effects, or a sentence about a mistake."""


def talk(model: Model, table: AtTable, text: str) -> Entered:
    flaw = flaw_of_talk(text)
    if flaw is not None:
        return say("screen-talk-flawed", flaw=say("refused-flaw", flaw=flaw, most=TALK_LENGTH))
    return model, (Say(NO_ID, table.id, text.strip()),)


_COMMANDS_THAT_ARE_KEYS: Mapping[str, Intent] = {
    "help": Intent.HELP,
    "rules": Intent.RULES,
    "hands": Intent.STORY,
    "deal": Intent.DEAL,
    "analyse": Intent.ANALYSIS,
    "mistakes": Intent.ANALYSIS,
    "coach": Intent.COACH,
    "quit": Intent.QUIT,
}

_REQUESTS = frozenset(
    {*("again", "pause", "go", "goon", "stand", "invite", "dismiss", "send"), *("mute", "unmute", "block", "unblock")}
)
"""Commands of a text connection that are only requests to the server; they are the same here."""


def command(model: Model, text: str) -> Entered | Intent | int:
    """A command: carried out, or equal to a key, or the index of a legal action."""
    text, table = command_in_english(text.strip()), model.table
    word, _, rest = text.partition(" ")
    word, rest = word.lower(), rest.strip()
    if table is None:
        return _in_lobby(model, text, word, has_more=bool(rest))
    if word in _COMMANDS_THAT_ARE_KEYS:
        return _COMMANDS_THAT_ARE_KEYS[word]
    if word in _REQUESTS:
        return _asked_for(model, table, text)
    match word:
        case "say":
            return talk(model, table, rest)
        case "teach":
            return model, (Teach(rest),)
        case "save":
            return _save(model, table, rest)
        case "detach" if model.back and table.seat is not None:
            return Intent.DETACH
        case "resign":
            return resign(model, table)
        case "leave" | "lobby":
            return leave(model, table)
        case "sit":
            seat = _seat(table, rest) if rest else None
            return seat if isinstance(seat, str) else (model, (Sit(NO_ID, table.id, seat),))
        case _:
            return _action(table, text, word)


_OF_TABLES: Mapping[str, Intent] = {"open": Intent.OPEN, "sit": Intent.SIT, "watch": Intent.WATCH}
"""Commands of the lobby that are keys, too, if without arguments."""


def _asked_for(model: Model, table: AtTable | None, text: str) -> Entered:
    """Carry out the request of a text connection's command, or return a sentence about a mistake."""
    from put_text.plain.interpreter import interpret  # noqa: PLC0415  # the first screen does not wait for it
    from put_text.plain.text_state import Asks, SendRequest, TextState  # noqa: PLC0415  # as above

    state = TextState(asks=Asks.NOTHING)
    if table is not None:
        state = dataclasses.replace(state, table=table.id, viewer=table.viewer, info=table.info)
    _, outcome = interpret(text, state, 0, model.welcome, lambda _: ())
    match outcome:
        case SendRequest(make=make):
            return model, (make(NO_ID),)
        case (says, *_):
            return says
        case _:
            return model, ()


def _in_lobby(model: Model, text: str, word: str, *, has_more: bool) -> Entered | Intent:
    if word in _OF_TABLES and has_more:
        return _asked_for(model, None, text)
    if word in ("sit", "watch") and model.lobby.table is None:
        return say("screen-no-table-open")
    found = _OF_TABLES.get(word) or (_COMMANDS_THAT_ARE_KEYS[word] if word in ("help", "rules", "quit") else None)
    return found or say("screen-no-command-lobby", word=repr(word))


def _save(model: Model, table: AtTable, path: str) -> Entered:
    """Save the game in play or, between games, the last one."""
    recording = table.recording
    view = table.view
    if isinstance(view, UnknownView):
        # Its events have no line in the notation, and a sheet without them could not be followed.
        return say("screen-newer-game", game=printable(table.info.game))
    if recording is None or not isinstance(view, GameView):
        return say("screen-not-whole")
    if not path:
        return say("screen-which-file")
    return model, (Save(path, sheet_of(recording, table.info, view, model.welcome.server)),)


def _action(table: AtTable, text: str, word: str) -> Entered | Intent | int:
    if not table.legal:
        is_watching = table.seat is None
        if is_watching or not table.info.is_in_play:
            return say("screen-no-command", word=repr(word))
        return say("screen-game-paused" if table.is_paused else "screen-not-your-turn")
    parsed = parse(text, table.legal)
    if isinstance(parsed, str):
        return parsed
    return next(place for place, choice in enumerate(table.legal) if choice.action == parsed)


def _seat(table: AtTable, text: str) -> Seat | str:
    number = offers_text.whole_number(text)
    if number and number <= len(table.info.seats):
        return Seat(number - 1)
    return say("screen-seats-numbered", count=len(table.info.seats))
