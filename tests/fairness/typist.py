"""A person who types at `put-client --line`."""

import asyncio
import re
from asyncio.subprocess import Process
from contextlib import suppress


class Typist:
    """`put-client --line`, and somebody who types."""

    def __init__(self, process: Process, until: str) -> None:
        """`until`: the sentence at which there is no more to hear."""
        self._process = process
        self._until = re.compile(until)
        self.said: list[str] = []
        self.sits = asyncio.Event()
        self.has_heard = asyncio.Event()

    async def play(self) -> None:
        """Answer what is asked, to the end of the output."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            sentence = line.decode().rstrip("\n")
            self.said.append(sentence)
            if sentence.startswith("You are in seat") or " you sit in seat" in sentence:
                self.sits.set()
            if self._until.search(sentence):
                self.has_heard.set()
            if sentence.startswith("Your move."):
                self.type("1")  # the first choice: a card, where one may be played
            if sentence.startswith('Say "again"'):
                self.type("again")

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(f"{line}\n".encode())

    async def end(self) -> None:
        self._process.terminate()  # a move that was typed may wait for a turn that does not come
        await self._process.wait()
