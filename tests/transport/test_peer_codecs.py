"""Peers of protocol version 2: they are told what they were always told.

`evening-2.txt` is what the last release that sealed deals told each peer of a scripted evening, in which nobody sealed
any. `version-2.schema.json` is the JSON Schema that a server of version 2 published, without its descriptions. Neither
changes any more. A deal is told in one message with what it follows, as it always was to who came back: but for that
they are told the same bytes.
"""

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from put_protocol.codecs import LINES, Codec, decoder_of_replies
from put_protocol.folding import folded
from put_protocol.games.put import DealerFound, Dealt, Drawn
from put_protocol.messages import (
    Act,
    Decision,
    Events,
    Goodbye,
    Hello,
    Notice,
    Ok,
    OpenTable,
    ServerMessage,
    Sit,
    Welcome,
)
from put_protocol.parts import parts
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY
from put_protocol.table_events import Agreed, GameStarted
from put_server.transport.peer_codecs import of_version_2
from tests.docs.validating import is_valid
from tests.transport.dispatcher_harness import CODECS, DispatcherHarness, Peer, raw
from tests.transport.evening import transcript

EVENING = Path(__file__).with_name("evening-2.txt").read_text()
LINES_DECODER = decoder_of_replies(LINES)
SCHEMA = json.loads(Path(__file__).with_name("version-2.schema.json").read_text())


_TEXT = r'"(?:[^"\\]|\\.)*"'
_SENTENCES = re.compile(rf'"(says|board|asks|why)":(?:\[(?:{_TEXT},?)*\]|{_TEXT})')


_DEALING = re.compile(r',?"(dealing|open|plain)":"[^"]*"')


def without_words(text: str) -> str:
    """A transcript without the sentences for people, which any release may change, and how cards are dealt."""
    return _DEALING.sub("", _SENTENCES.sub(r'"\1":...', text))


def lines_of(text: str) -> list[str]:
    """The messages of a transcript."""
    return [line for line in text.splitlines() if not line.startswith("#")]


def with_deals_joined(text: str) -> str:
    """A transcript with each deal in the message of what it follows."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and (joined := _joined(lines[-1], line)):
            lines[-1] = joined
        else:
            lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _joined(line: str, later: str) -> str:
    """Two messages as one; nothing, where the second does not follow from the first by itself."""
    if not (line.startswith('{"type":"events"') and later.startswith('{"type":"events"')):
        return ""
    first, second = (LINES_DECODER.decode(one.encode()) for one in (line, later))
    match first, second:
        case Events(events=(*_, Agreed())), Events(events=(GameStarted(), *_)):
            pass
        case Events(), Events(events=(Drawn() | DealerFound() | Dealt(), *_)):
            pass
        case _:
            return ""
    if first.view is not None and second.view is None:  # who follows the changes is a spectator here
        second = replace(second, view=folded(first.view, second, GALLERY), moment="")
    both = replace(second, first=first.first, events=first.events + second.events, info=second.info or first.info)
    return LINES.encode(both).decode().rstrip("\n")


def came_in(version: int, name: str, codec: Codec = LINES, harness: DispatcherHarness | None = None) -> Peer:
    peer = (harness or DispatcherHarness()).peer(codec)
    peer.send(Hello(version, name))
    return peer


def test_version_2_is_told_the_same_bytes() -> None:
    """Whatever the server is inside, a client of version 2 is told the same by it as by one of its own version."""
    assert without_words(transcript(2)) == without_words(with_deals_joined(EVENING))


def test_version_2_is_told_nothing_that_it_does_not_know() -> None:
    """Every message of the evening, and the welcome, are in the schema of version 2."""
    welcome = b"".join(came_in(2, "Ann").transport.written).decode()
    for line in (*lines_of(EVENING), *lines_of(transcript(2)), *lines_of(welcome)):
        message = json.loads(line)
        assert is_valid(message, {"$ref": "#/$defs/server"}, SCHEMA), message
        assert message["type"] not in ("events", "table") or not message.keys() & {"id", "decision", "openings"}


def test_version_3_says_the_same_in_fewer_messages() -> None:
    """The parts of what a client of version 3 is told are what one of version 2 is told. A question never comes by
    itself, nor an answer to a request that had an effect."""
    heard = [decoder_of_replies(LINES).decode(line.encode()) for line in lines_of(transcript(3))]
    again = [LINES.encode(part).decode().rstrip("\n") for message in heard for part in parts(message)]
    assert [*map(without_words, again)] == lines_of(without_words(with_deals_joined(EVENING)))
    assert not any(isinstance(message, Decision) for message in heard)
    alone = sum(isinstance(message, Ok) for message in heard)
    assert (len(again), len(heard), alone) == (149, 114, 2), "of an opened table, and of a request that changed nothing"


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("version", [2, 3])
def test_welcome_says_the_version_that_was_asked_for(version: int, codec: Codec) -> None:
    assert [welcome.version for welcome in came_in(version, "Ann", codec).told(Welcome)] == [version]


@pytest.mark.parametrize("version", [0, 1, 4])
def test_other_versions_are_turned_away(version: int) -> None:
    """They are told which are spoken here, in the form of version 2, which they can read best."""
    goodbye = came_in(version, "Ann").goodbye
    assert (goodbye.code, goodbye.refusal) == ("refused", RefusalCode.VERSION)
    assert "2 and 3" in goodbye.says


@pytest.mark.parametrize("codec", CODECS)
def test_move_is_one_message_to_each(codec: Codec) -> None:
    """In version 3 a move is told each player in one message: the one who made it has the answer in it, the other
    their decision."""
    harness = DispatcherHarness()
    peers = [came_in(3, name, codec, harness) for name in ("Ann", "Ben")]
    peers[0].send(OpenTable(1, "put-1674"))
    for number, peer in enumerate(peers, 2):
        peer.send(Sit(number, 1))
    whole: list[list[ServerMessage]] = [raw(peer) for peer in peers]
    asked = [told[-1] for told in whole]
    mover = next(n for n, told in enumerate(asked) if isinstance(told, Events) and told.decision is not None)
    question = asked[mover]
    assert isinstance(question, Events)
    assert question.decision is not None
    peers[mover].send(Act(9, 1, question.decision.number, question.decision.legal[0].action))
    (mine,), (others,) = raw(peers[mover]), raw(peers[1 - mover])
    assert isinstance(mine, Events)
    assert isinstance(others, Events)
    assert (mine.id, mine.decision) == (9, None)
    assert others.id == 0
    assert others.decision is not None
    assert others.turn is not None


def test_codec_of_version_2_tells_all_parts_at_once() -> None:
    """A message without parts is told as it is, by the very same bytes."""
    old = of_version_2(LINES)
    assert old.encode(Notice("hm")) == LINES.encode(Notice("hm"))
    assert old.encode(Goodbye("bye", "goodbye")) == LINES.encode(Goodbye("bye", "goodbye"))
    assert of_version_2(LINES) is old
