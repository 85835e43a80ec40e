"""Server's end of a plain connection, where a person types. It has the methods of `ServerConnection`.

Laws, for every peer: `receive` raises nothing. Lines before the welcome identify the peer. After it, each line is a
command or a move, and results in sentences or requests, whose ids are made here. Only one request is open at a time; a
limited number of lines waits for its answer. Messages become sentences, one per line, safe to print. A browser's input
is refused unread. A person is not pinged: the socket shows whether they are there.
"""

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from put_protocol import messages
from put_protocol.blind_events import BlindSpan
from put_protocol.codecs import LINES, decoder_of_requests
from put_protocol.errors import FramingError, MessageError, ProtocolError
from put_protocol.limits import PLAIN_HELLO_MS, PLAIN_LINES, PLAIN_TRIES
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY
from put_protocol.text import printable, uncapitalized
from put_text.catalogue import say, speaking
from put_text.plain import answers, telling
from put_text.plain.interpreter import interpret
from put_text.plain.login import LoginState, log_in, prompt
from put_text.plain.telnet import TypedLines
from put_text.plain.text_state import Asks, EndSession, SendRequest, TextState, only_choice
from put_text.translated import in_language

_REQUEST_LINE = re.compile(r"[A-Z]+ \S+ HTTP/")

_TRY_AGAIN = frozenset({RefusalCode.BAD_NAME, RefusalCode.NAME_TAKEN, RefusalCode.BAD_TOKEN})
"""Refusals of a hello after which the peer may try again. Each guess of a password costs a connection."""

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _spoken(
    method: Callable[Concatenate["PlainConnection", _P], _R],
) -> Callable[Concatenate["PlainConnection", _P], _R]:
    """The method, with all its texts in the person's language."""

    @wraps(method)
    def run(connection: "PlainConnection", /, *arguments: _P.args, **named: _P.kwargs) -> _R:
        with speaking(connection.language):
            return method(connection, *arguments, **named)

    return run


class Parted(ProtocolError):
    """The peer leaves and keeps their seat: no fault, but the end of their input."""


class PlainConnection:
    """The server's end of a connection whose first byte shows that a person types."""

    def __init__(self, now: int, *, spend: Callable[[], int], asks_password: bool = False) -> None:
        """`spend`: counts a line answered here as a request, and returns milliseconds to wait if there were too many.
        `asks_password`: the server has a password, which follows the name as the last word."""
        self.is_closed = False
        """No more lines are taken."""
        self.pending = 0
        """Bytes waiting to be taken."""
        self._is_mute = False
        """A goodbye was sent, and nothing may follow."""
        self._spend = spend
        self._since = self._now = now
        self._lines = TypedLines()
        self._queued: deque[str | MessageError] = deque()
        """Lines that wait for the answer to an earlier one."""
        self._out: list[bytes] = []
        self._requests: list[messages.ClientMessage | ProtocolError] = []
        self._login = LoginState(asks_password=asks_password)
        self._awaits_welcome = False
        self._is_greeted = False
        """The peer was sent a text, so they know where they are."""
        self._tries = PLAIN_TRIES
        self._welcome: messages.Welcome | None = None
        self._asked: messages.Decision | None = None
        """The last decision, as the server sent it."""
        self._state = TextState(is_unchecked=True)
        self._last_id = 0
        self._in_flight: SendRequest | None = None
        """The request without an answer; its id is the last."""

    @property
    def language(self) -> str:
        return self._state.language

    @_spoken
    def receive(self, data: bytes, now: int) -> list[messages.ClientMessage | ProtocolError]:
        """The requests from these bytes, and possibly an error that ends the connection."""
        self._now = now
        for line in self._lines.feed(data):
            if not self.is_closed:
                self._accept(line)
        if self._is_logging_in and not self._is_greeted and not self._lines.is_midway:
            self._say(prompt())
        if not self._is_mute and (replies := self._lines.take_replies()):
            self._out.insert(0, replies)
            self.pending += len(replies)
        return self.take_requests()

    def _accept(self, line: str | MessageError) -> None:
        if self._lines.is_over and self._is_logging_in and not self._queued:
            self._end(say("command-line-first"))  # if a browser sent it, we cannot see its end
        elif len(self._queued) < PLAIN_LINES:
            self._queued.append(line)
        else:
            self._end(say("command-lines-ahead"))
        while self._is_next_due:
            self._process(self._queued.popleft())

    @property
    def has_next(self) -> bool:
        """True if `take_requests` has something."""
        return bool(self._requests) or self._is_next_due

    @property
    def _is_next_due(self) -> bool:
        is_answered = self._in_flight is None and not self._awaits_welcome
        return bool(self._queued) and is_answered and not self.is_closed

    def take_requests(self) -> list[messages.ClientMessage | ProtocolError]:
        """The requests so far; otherwise those of the next waiting line. Answers lead to more requests, so call this
        after sending, too, until it returns none; but only after all results of a request were sent, because the next
        line may ask about them."""
        if not self._requests and self._is_next_due:
            self._process(self._queued.popleft())
        requests, self._requests = self._requests, []
        return requests

    @property
    def _is_logging_in(self) -> bool:
        return not (self.is_closed or self._awaits_welcome or self._welcome is not None)

    @_spoken
    def _process(self, line: str | MessageError) -> None:
        if isinstance(line, MessageError):
            self._answer((telling.refusal(line.reason),))
        elif _REQUEST_LINE.match(line) or (self._welcome is None and " HTTP/" in line):
            self._end(say("command-no-web"))
        elif self._welcome is None:
            self._log_in(line)
        else:
            self._run_line(line, self._welcome)

    def _log_in(self, line: str) -> None:
        result = log_in(self._login, line)
        match result:
            case LoginState(is_numbered=is_numbered, language=language):
                self._login = result
                self._state = replace(self._state, is_numbered=is_numbered, language=language)
                with speaking(language):
                    self._answer((say("plain-noted"),))
            case messages.Hello():
                asks = Asks.NOTHING if result.is_bot else Asks.ALL
                self._state = replace(self._state, asks=asks)
                if self._request(result):
                    self._awaits_welcome = True
            case EndSession():
                self._quit()
            case _:
                self._answer(result)

    def _run_line(self, line: str, welcome: messages.Welcome) -> None:
        words = printable(line.expandtabs(1)).split()
        if words and words[0].casefold() in ("name", "bot", "password"):
            self._answer((say("plain-you-are-already", name=printable(welcome.name)),))
            return
        if [word.casefold() for word in words] == ["back"]:
            self._answer((_return_words(welcome),))
            return
        unchecked, language = (say("plain-unchecked"), say("plain-unchecked-client")), self.language
        self._state, outcome = interpret(line, self._state, self._now, welcome, lambda _: unchecked)
        if self.language != language and self._state.decision is not None and self._asked is not None:
            with speaking(self.language):
                self._state = replace(self._state, decision=in_language(self._asked))
        match outcome:
            case SendRequest():
                self._ask(outcome)
            case EndSession() if self._state.is_seated:
                self.part()
                self._requests.append(Parted("goodbye"))
                self.is_closed = True
            case EndSession():
                self._quit()
            case _:
                self._answer(outcome)

    def _ask(self, ask: SendRequest) -> None:
        if self._request(ask.make(self._last_id + 1)):
            self._last_id += 1
            self._in_flight = ask

    def _request(self, request: messages.ClientMessage) -> bool:
        """Queue a request if it fits the schema."""
        try:
            self._requests.append(decoder_of_requests(LINES).decode(LINES.encode(request)))
        except MessageError as error:
            self._answer((_misfit(error),))
            return False
        return True

    @_spoken
    def part(self) -> None:
        """Tell a leaving person how long their seat is kept, and how to come back."""
        if self._welcome is not None and self._state.is_seated and self._state.info is not None:
            self._say((answers.kept(self._state), say("plain-to-come-back", token=self._welcome.token)))

    def _quit(self) -> None:
        self._requests.append(messages.Bye())
        self.is_closed = True

    def _end(self, why: str) -> None:
        self._requests.append(FramingError(why))
        self.is_closed = True

    @_spoken
    def send(self, message: messages.ServerMessage, now: int) -> None:
        """Queue a message, as sentences. After a goodbye nothing more is said."""
        if self._is_mute:
            return
        self._now = now
        if isinstance(message, messages.Decision):
            self._asked = message
        if not isinstance(message, messages.Welcome):  # its offers are translated when they are told
            message = in_language(message)
        match message:
            case messages.Welcome():
                self._awaits_welcome = False
                self._welcome = message
                self._say((telling.greeting(message), _return_words(message)))
                if not message.tables:
                    self._say(answers.table(self._state))
            case messages.Ok():
                self._complete(message)
            case messages.Refused():
                self._in_flight = None
                self._say((telling.refusal(message.says, message.retry_after_ms),))
            case messages.Goodbye():
                self._say_goodbye(message)
            case messages.Ping() | messages.Pong() | BlindSpan():
                pass
            case _:
                self._state, said = telling.apply_message(self._state, message, now)
                self._say(said)
                if isinstance(message, messages.Decision):
                    self._move_alone()
                elif isinstance(message, messages.TableSnapshot) and _is_of_bot(message):  # they may have come back
                    self._state = replace(self._state, asks=Asks.NOTHING)

    def _complete(self, answer: messages.Ok) -> None:
        ask, self._in_flight = self._in_flight, None
        if ask is None or ask.then is None:
            return
        self._state, step = ask.then(self._state, answer)
        if isinstance(step, SendRequest):
            self._ask(step)
        else:
            self._say(step)
            self._move_alone()

    def _move_alone(self) -> None:
        """Make a forced move, if wanted. Typed lines come first."""
        if self._in_flight is None and not self._queued and (move := only_choice(self._state)) is not None:
            self._ask(move)

    def _say_goodbye(self, goodbye: messages.Goodbye) -> None:
        self._say((telling.refusal(goodbye.says),))
        if self._welcome is not None and goodbye.code in ("draining", "too_slow", "too_fast", "protocol"):
            self._say((_return_words(self._welcome),))
        self.is_closed = self._is_mute = True

    @_spoken
    def is_let_try_again(self, goodbye: messages.Goodbye) -> bool:
        """After a refused login, explain and let the peer try again, if allowed. Returns whether it is."""
        if self.is_closed or goodbye.refusal not in _TRY_AGAIN or self._tries <= 1:
            return False
        self._tries -= 1
        self._awaits_welcome = False
        self._say((telling.refusal(goodbye.says), say("plain-say-otherwise")))
        return True

    def take(self) -> bytes:
        """Everything queued, for the socket."""
        data = b"".join(self._out)
        self._out.clear()
        self.pending = 0
        return data

    @_spoken
    def tick(self, now: int) -> messages.Goodbye | None:
        """Check the timers, at least every few seconds. Returns the reason to close if the peer never logged in."""
        self._now = now
        if not self._is_mute:
            self._state, said = telling.warn(self._state, now)
            self._say(said)
        if self._welcome is not None or now - self._since < PLAIN_HELLO_MS:
            return None
        return messages.Goodbye(code="idle", says=say("command-late", minutes=PLAIN_HELLO_MS // 60_000))

    def _answer(self, sentences: tuple[str, ...]) -> None:
        """Answer a line without a request; the line counts as one."""
        if not sentences:
            return
        wait = self._spend()
        self._say((telling.refusal("", wait),) if wait else sentences)

    def _say(self, sentences: Sequence[str]) -> None:
        if not sentences:
            return
        self._is_greeted = True
        if not self._is_mute:
            end = "\r\n" if self._lines.is_telnet else "\n"
            said = "".join(f"{printable(sentence)}{end}" for sentence in sentences).encode()
            self._out.append(said)
            self.pending += len(said)


def _return_words(welcome: messages.Welcome) -> str:
    return say("plain-if-it-drops", token=welcome.token)


def _misfit(error: MessageError) -> str:
    """The fault of a request, for the person who typed it."""
    field = (error.field or "").removeprefix("$").removeprefix(".") or "line"
    return say("plain-misfit", field=field, reason=uncapitalized(error.reason.partition(" - at ")[0]))


def _is_of_bot(snapshot: messages.TableSnapshot) -> bool:
    return snapshot.viewer != GALLERY and snapshot.info.seats[snapshot.viewer].is_bot
