"""Prompt of line mode at a terminal: typed lines with editing and history, and sentences wrapped between words.

Sentences appear above the line being typed. There are no colours, no queries that a terminal may not answer, and
completions only after Tab. So a screen reader reads the sentences, the keys, and little more. The history is not saved,
because it may contain passcodes.
"""

import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import takewhile
from shutil import get_terminal_size

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.utils import get_cwidth

from put_protocol.text import printable
from put_runtime.signals import handling

PROMPT = "> "

ENDING = ("SIGTERM", "SIGHUP")


class Prompt:
    """Lines typed at the terminal. It has the methods of `Lines`."""

    is_hung_up = False
    """Always false, because the loss of the terminal ends the program by a signal."""

    def __init__(self, completions: Callable[[], Iterable[str]]) -> None:
        """`completions`: all inputs allowed now."""
        output = create_output()
        if hasattr(output, "enable_cpr"):
            output.enable_cpr = False  # avoids a warning if the terminal does not report its cursor
        self._completions = completions
        keys = KeyBindings()
        keys.add("tab")(self._complete)
        keys.add(Keys.Vt100MouseEvent)(lambda _: None)  # no mouse is wanted, and prompt_toolkit trusts its numbers
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            output=output,
            enable_suspend=True,
            key_bindings=keys,
        )
        if hasattr(signal, "SIGWINCH"):  # a signal tells of a new size, so no timer is needed
            self._session.app.terminal_size_polling_interval = None

    async def next(self) -> str | None:
        """The next line; None: the person pressed Ctrl-D or Ctrl-C. A signal ends the program after the terminal is
        restored."""
        came: list[str] = []

        def end(name: str) -> None:
            came.append(name)
            if self._session.app.is_running and not self._session.app.is_done:
                self._session.app.exit(exception=EOFError)

        line: str | None = None
        with suppress(EOFError, KeyboardInterrupt), handling({name: partial(end, name) for name in ENDING}):
            line = await self._session.prompt_async()
        for name in came:  # perhaps after the line was entered
            signal.signal(signal.Signals[name], signal.SIG_DFL)  # `nohup` leaves it ignored
            signal.raise_signal(signal.Signals[name])
        return line

    def _complete(self, event: KeyPressEvent) -> None:
        """Add what all inputs with this beginning share; if that is nothing, say the inputs.

        prompt_toolkit would show them in columns, ask before many of them, and not end by a signal until the answer.
        """
        buffer = event.current_buffer
        typed = buffer.document.text_before_cursor.lstrip()
        found = [words for words in self._completions() if words.casefold().startswith(typed.casefold())]
        shared = [letters[0] for letters in takewhile(lambda each: len(set(each)) == 1, zip(*found, strict=False))]
        if len(found) == 1:
            buffer.delete_before_cursor(len(typed))
            buffer.insert_text(found[0])
        elif len(shared) > len(typed):
            buffer.insert_text("".join(shared[len(typed) :]))
        elif found:
            speak_wrapped(", ".join(found))


def speak_wrapped(sentence: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in wrapped(printable(sentence), get_terminal_size().columns)))
    sys.stdout.flush()


def wrapped(sentence: str, width: int) -> list[str]:
    """The sentence in lines narrower than `width`, broken between words. The terminal breaks longer words.

    The last column stays empty, because some terminals then start a new line.
    """
    lines: list[str] = []
    for word in sentence.split(" "):
        if lines and get_cwidth(f"{lines[-1]} {word}") < width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines
