"""Splitter of bytes into typed lines, from `nc` or telnet.

Laws: any chunking of the same bytes gives the same lines; at most one line is buffered between two reads; no input is
fatal. A line ends with LF, CR LF, CR NUL or CR. Telnet commands are removed, and every option is declined (RFC 854),
because a client may wait for an answer.
"""

import re
from collections.abc import Iterator

from put_protocol.errors import MessageError
from put_protocol.limits import PLAIN_BYTES
from put_text.catalogue import say

IAC = 255
"""First byte of a telnet command; it never occurs in UTF-8."""

_SE, _SB, _WILL, _WONT, _DO, _DONT = 240, 250, 251, 252, 253, 254
_DECLINED = {_WILL: _DONT, _DO: _WONT}
_END = re.compile(rb"\r[\n\0]?|\n")


class TypedLines:
    __slots__ = ("_command", "_is_after_cr", "_replies", "_rest", "is_over", "is_telnet")

    def __init__(self) -> None:
        self.is_telnet = False
        """The peer ends lines with CR, or uses telnet, and so needs CR LF in our output."""
        self.is_over = False
        """The current line is too long: its error was reported, and its rest is dropped."""
        self._rest = bytearray()
        self._command = bytearray()
        self._replies = bytearray()
        self._is_after_cr = False

    @property
    def is_midway(self) -> bool:
        return bool(self._rest) or self.is_over

    def take_replies(self) -> bytes:
        """Answers to telnet, since the last call."""
        replies = bytes(self._replies)
        self._replies.clear()
        return replies

    def feed(self, data: bytes) -> Iterator[str | MessageError]:
        """The lines completed by this data, without line ends; an error for each invalid line.

        Must be exhausted before the next call.
        """
        if self._command or IAC in data:
            self.is_telnet = True
            data = self._without_commands(data)
        if not data:
            return
        if self._is_after_cr and data[:1] in (b"\n", b"\0"):
            data = data[1:]
        self._is_after_cr = data.endswith(b"\r")
        self.is_telnet = self.is_telnet or b"\r" in data
        *pieces, rest = _END.split(data)
        for piece in pieces:
            yield from self._add(piece)
            if not self.is_over:
                yield self._line()
            self.is_over = False
            self._rest.clear()
        yield from self._add(rest)

    def _add(self, piece: bytes) -> Iterator[MessageError]:
        if self.is_over:
            return
        self._rest += piece
        if len(self._rest) > PLAIN_BYTES:
            self.is_over = True
            self._rest.clear()
            yield MessageError(say("command-line-long", most=PLAIN_BYTES))

    def _line(self) -> str | MessageError:
        try:
            return self._rest.decode()
        except UnicodeDecodeError:
            return MessageError(say("command-line-bytes"))

    def _without_commands(self, data: bytes) -> bytes:
        """The text without telnet commands. Up to three bytes of an incomplete command are buffered."""
        text = bytearray()
        command = self._command
        for byte in data:
            if not command:
                (command if byte == IAC else text).append(byte)
            elif len(command) == 1:
                if byte == IAC:
                    text.append(byte)
                    command.clear()
                elif byte in (_WILL, _WONT, _DO, _DONT, _SB):
                    command.append(byte)
                else:
                    command.clear()
            elif command[1] != _SB:
                if command[1] in _DECLINED:
                    self._replies += bytes((IAC, _DECLINED[command[1]], byte))
                command.clear()
            elif len(command) == 2:
                if byte == IAC:
                    command.append(byte)
            elif byte == _SE:
                command.clear()
            else:
                command.pop()
        return bytes(text)
