"""The prompt of line mode: what is typed at a terminal, and sentences wrapped to its width."""

import asyncio
import os
import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.utils import get_cwidth

from put_client.line import prompt
from put_client.line.prompt import Prompt, wrapped


@pytest.mark.parametrize(
    ("sentence", "width", "lines"),
    [
        ("Doll leads the 2 of clubs.", 80, ["Doll leads the 2 of clubs."]),
        ("Doll leads the 2 of clubs.", 12, ["Doll leads", "the 2 of", "clubs."]),
        ("a sesquipedalian word", 8, ["a", "sesquipedalian", "word"]),
        ("\u4e2d\u6587 \u4e2d\u6587", 9, ["\u4e2d\u6587", "\u4e2d\u6587"]),
        ("", 80, [""]),
    ],
)
def test_sentence_is_broken_between_words(sentence: str, width: int, lines: list[str]) -> None:
    """Never within one; wide characters count for two columns, and the last column stays empty."""
    assert wrapped(sentence, width) == lines


@given(st.text("ab c"), st.integers(2, 20))
def test_wrapping_loses_nothing(sentence: str, width: int) -> None:
    """Joined again the lines are the sentence, and only a line of one word may be too long."""
    lines = wrapped(sentence, width)
    assert " ".join(lines) == sentence
    assert all(get_cwidth(line) < width or " " not in line for line in lines)


async def typed(monkeypatch: pytest.MonkeyPatch, keys: str, count: int) -> list[str | None]:
    """What so many calls for a line give, if these keys are pressed."""
    monkeypatch.setattr(prompt, "create_output", DummyOutput)
    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        keyboard.send_text(keys)
        lines = Prompt(lambda: ("lead the 3 of spades", "put", "pause", "table"))
        async with asyncio.timeout(20):
            return [await lines.next() for _ in range(count)]


async def test_inputs_that_differ_at_once_are_said_after_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one sentence, without a question before many, also on a terminal of a single line."""
    said: list[str] = []
    monkeypatch.setattr(prompt, "speak_wrapped", said.append)
    monkeypatch.setattr(DummyOutput, "get_size", lambda _: Size(rows=1, columns=80))
    assert await typed(monkeypatch, "\tp\tut\r", 1) == ["put"]
    assert said == ["lead the 3 of spades, put, pause, table", "put, pause"]


@pytest.mark.parametrize(
    ("keys", "lines"),
    [
        ("put\r", ["put"]),
        ("\r", [""]),
        ("pot\x7f\x7fut\r", ["put"]),
        ("pu\t\rle\t\r", ["put", "lead the 3 of spades"]),
        ("hand\rtable\r", ["hand", "table"]),
        ("\x04", [None]),
        ("half a line\x03", [None]),
        ("\x1b[<;Mpu\x1b[<64;1;1M\x1b[;Mt\r", ["put"]),
    ],
)
async def test_prompt_takes_lines_as_they_were_edited(
    monkeypatch: pytest.MonkeyPatch, keys: str, lines: list[str | None]
) -> None:
    """Ctrl-D and Ctrl-C are the end of the lines, and play nothing."""
    assert await typed(monkeypatch, keys, len(lines)) == lines


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
async def test_signal_between_two_lines_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line was entered, and its prompt is still being cleared away, as it is all the time while lines are pasted."""
    raised: list[int] = []
    monkeypatch.setattr(signal, "raise_signal", raised.append)

    async def entered(_: object) -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(5):
            await asyncio.sleep(0)
        return "put"

    monkeypatch.setattr(PromptSession, "prompt_async", entered)
    await typed(monkeypatch, "", 1)
    assert raised == [signal.SIGTERM]
