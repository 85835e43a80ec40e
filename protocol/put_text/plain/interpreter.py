"""Interpreter of typed lines: a line is a command, the beginning of one, or a move. Pure.

Laws: a line that is no command is a move, and only the server's list of choices decides whether it is legal. The
server's phrase for a choice always means that choice, even if it begins like a command. A request is data: the caller
sends it with its own id, and passes the `ok` to `SendRequest.then`.

A move that decides a hand or a game, or gives a game up, needs a confirmation first. Only `yes` confirms, only the last
question, and only while its decision is open. An empty line repeats the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from put_protocol.messages import Welcome
from put_protocol.text import printable
from put_text import parse_action
from put_text.catalogue import listed, say, vocabulary
from put_text.choices_text import choices_in_brief
from put_text.plain import answers, text_state
from put_text.plain.commands import COMMANDS, Proof, TextCommand, TypedCommand
from put_text.plain.text_state import (
    Asks,
    EndSession,
    Noted,
    OpenQuestion,
    Outcome,
    SendRequest,
    Sentences,
    TextState,
    ask_first,
    moment,
)
from put_text.presenters import presenter_of

SCREEN_WORDS: Mapping[str, str] = {
    "?": "help",
    "'": "say",
    "c": "say",
    "h": "hand",
    "q": "quit",
    "r": "rules",
    "w": "watch",
    "o": "open",
    "op": "open",
}
"""Screen keys and common words, with their commands."""


def is_command(text: str, state: TextState) -> bool:
    """True if the line begins with a command's word, or with two or more letters that begin a command and no move."""
    words = text.split()
    return _command(words) is not None or (len(words[0]) > 1 and isinstance(_meant(words, state)[0], TextCommand))


def completions(state: TextState) -> Sequence[str]:
    """All inputs allowed now: phrases of our choices, then commands."""
    legal = () if state.decision is None else state.decision.legal
    phrases = [printable(choice.says).partition(":")[0] for choice in legal]
    return [*phrases, *_own_words()]


def interpret(
    text: str, state: TextState, now: int, welcome: Welcome, proof: Proof
) -> tuple[TextState, Sentences | SendRequest | EndSession]:
    words: Sequence[str] = parse_action.command_in_english(printable(text.expandtabs(1))).split()
    if not words:
        return state, answers.awaited(state, now)
    asked = state.question
    if words[0].casefold() != "repeat":
        state = replace(state, question=None, has_typed=True, named=parse_action.card_named(text))
    line = " ".join(words).casefold()
    is_yes, is_no = line in vocabulary("heard-typed-yes"), line in vocabulary("heard-typed-no")
    is_move = asked is None and state.decision is not None and not is_yes
    if (is_yes or is_no) and not is_move:
        return state, _answer(asked, state, now, is_yes=is_yes)
    if line in _phrases(state) or (is_move and is_no):
        meant: TextCommand | Sentences | None = None
    else:
        meant, words = _meant(words, state)
        if isinstance(meant, TextCommand):
            words = [words[0], *meant.completed(words[1:])]
    if meant is None:
        outcome = _move(" ".join(words), state)
    elif isinstance(meant, tuple):
        outcome = meant
    elif not meant.takes(words[1:]):
        outcome = (say("heard-say-it-as", spoken=meant.spoken, meaning=meant.meaning),)
    else:
        outcome = meant.run(TypedCommand(state, words[1:], now, welcome, proof))
    return (outcome.state, outcome.says) if isinstance(outcome, Noted) else (state, outcome)


def _answer(
    question: OpenQuestion | None, state: TextState, now: int, *, is_yes: bool
) -> Sentences | SendRequest | EndSession:
    if question is None:
        return (say("heard-nothing-asked"),)
    if not is_yes:
        return (say("heard-not-done"), *answers.awaited(state, now))
    if question.about != moment(state):
        return (say("heard-question-over"), *answers.awaited(state, now))
    return question.outcome


def _command(words: Sequence[str]) -> TextCommand | None:
    first = words[0].casefold() if words else ""
    return next((command for command in COMMANDS if command.word == first), None)


def _meant(words: Sequence[str], state: TextState) -> tuple[TextCommand | Sentences | None, Sequence[str]]:
    """The command meant by its word, an abbreviation, or a screen key, with corrected words; a question if ambiguous;
    None: a move."""
    first = words[0].casefold()
    if (command := _command(words)) is not None:
        return command, words
    legal = state.decision.legal if state.decision is not None else ()
    if parse_action.is_known(" ".join(words), legal):
        return None, words
    if first in SCREEN_WORDS:
        typed = [*SCREEN_WORDS[first].split(), *words[1:]]
        return _command(typed), typed
    moves = parse_action.begun(" ".join(words), legal)
    lines = {word: [*english.split(), *words[1:]] for word, english in _begun(first).items()}
    commands = {word: command for word, line in lines.items() if (command := _command(line)) is not None}
    fitting = {word: command for word, command in commands.items() if command.takes(lines[word][1:])} or commands
    if not fitting or (moves and len(first) == 1):
        return None, words
    if moves or len({command.run for command in fitting.values()}) > 1:
        could_be = [choices_in_brief(moves)] if moves else []
        named = {command.run: word for word, command in reversed(fitting.items())}  # the first word for each
        return (say("heard-say-more", word=first, words=listed([*could_be, *reversed(named.values())], "or")),), words
    word, command = next(iter(fitting.items()))
    return command, lines[word]


def _own_words() -> dict[str, str]:
    """English commands by the words for them in the language of this context, each one word."""
    known = parse_action.own_commands()
    own = {word: english for word, english in known.items() if " " not in word}
    return own | {command.word: command.word for command in COMMANDS if command.word not in known.values()}


def _begun(first: str) -> dict[str, str]:
    """English commands by the words for them that begin so: in the language of this context, otherwise in English."""
    own = {word: english for word, english in _own_words().items() if word.startswith(first)}
    return own or {command.word: command.word for command in COMMANDS if command.word.startswith(first)}


def _phrases(state: TextState) -> set[str]:
    """The server's phrases for our choices, each whole, and without the consequence behind a colon."""
    said = [choice.says.casefold() for choice in state.decision.legal] if state.decision is not None else []
    return {phrase for whole in said for phrase in (whole, whole.partition(":")[0])}


def _move(text: str, state: TextState) -> Outcome:
    decision = state.decision
    own = _own_words().items()
    words = [
        word for word, english in own if parse_action.command_in_own_words(english) == word
    ]  # each in one spelling
    if decision is None:
        why = say("plain-not-your-move") if state.is_seated else say("heard-no-command", word=text[:40])
        near = get_close_matches(text.casefold().partition(" ")[0], words, n=1, cutoff=parse_action.NEAR)
        return (f"{why} {say('plain-did-you-mean', word=near[0]) if near else say('heard-say-help')}",)
    action = parse_action.parse(text, decision.legal, words)
    if isinstance(action, str):
        return (action,)
    act = text_state.chosen(decision, action)
    if state.asks is not Asks.ALL or not isinstance(action, presenter_of(action).GRAVE):
        return act
    says = next(choice.says for choice in decision.legal if choice.action == action)
    about = say("heard-about-to", does=printable(says).strip().rstrip("."))
    hint = [] if state.was_asked_to_confirm else [say("heard-ask-off")]
    return ask_first(replace(state, was_asked_to_confirm=True), " ".join([about, *hint]), act)
