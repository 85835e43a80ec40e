"""A server of the same version may have more than this library knows; a client passes over it and loses no count."""

import msgspec
import pytest

from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.connection import ClientConnection
from put_protocol.errors import ProtocolError
from put_protocol.framing import frame, line
from put_protocol.games.unknown import UnknownEvent
from put_protocol.messages import Events, Notice, Seen, Welcome
from put_protocol.offers import Limits
from put_protocol.seats import Seat
from put_protocol.table_events import Agreed, PresenceChanged

CODECS = (FRAMES, LINES)

_LIMITS = Limits(frame_bytes=1, requests_per_second=1, requests_at_once=1, tables=1, quiet_ms=1, dead_ms=1)
_WELCOME = Welcome(version=1, server="s", name="Moll", token="t", limits=_LIMITS, games=(), houses=())


def _sent(codec: Codec, body: object) -> bytes:
    return frame(msgspec.msgpack.encode(body)) if codec is FRAMES else line(msgspec.json.encode(body))


def _welcomed(codec: Codec) -> ClientConnection:
    client = ClientConnection(0, codec)
    assert client.receive(codec.encode(_WELCOME), 0) == [_WELCOME]
    return client


@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_unknown_message_is_passed_over(codec: Codec) -> None:
    """What comes before and behind it is heard."""
    client = _welcomed(codec)
    data = codec.encode(Notice("one")) + _sent(codec, {"type": "weather", "says": "rain"}) + codec.encode(Notice("two"))
    assert client.receive(data, 0) == [Notice("one"), Notice("two")]
    assert not client.is_closed


@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_unknown_events_are_kept_and_counted(codec: Codec) -> None:
    """They stand between the others of the message, and `seen` is as the server counts."""
    client = _welcomed(codec)
    client.follow_from((Seen(7, 0),))
    strange = {"event": "bell", "seat": 0}
    known = {"event": "agreed", "seat": 1}
    bell = UnknownEvent("bell", {"seat": 0})
    body = {"type": "events", "table": 7, "first": 1, "events": [strange, known, strange]}
    assert client.receive(_sent(codec, body), 0) == [Events(7, 1, (bell, Agreed(Seat(1)), bell))]
    assert client.seen == (Seen(7, 3),)
    after = Events(7, 4, (PresenceChanged(Seat(1), away=True),))
    assert client.receive(codec.encode(after), 0) == [after]


@pytest.mark.parametrize(
    "body",
    [
        {"type": "events", "table": 7, "first": 1, "events": [{"event": "agreed"}]},
        {"type": "events", "table": 7, "first": 1, "events": [{"event": "bell"}, {"event": "agreed"}]},
        {"type": "events", "table": 7, "first": 1, "events": [{"event": 7}]},
        {"type": "events", "table": 7, "first": 1, "events": "none"},
        {"type": 7},
        {"says": "nothing"},
        ["notice"],
    ],
)
@pytest.mark.parametrize("codec", CODECS, ids=repr)
def test_known_words_that_do_not_fit_are_errors_all_the_same(codec: Codec, body: object) -> None:
    """Only what has a name of its own is passed over: a broken message ends the connection."""
    client = _welcomed(codec)
    (error,) = client.receive(_sent(codec, body), 0)
    assert isinstance(error, ProtocolError)
    assert client.is_closed
