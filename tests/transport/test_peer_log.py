"""The log of peers, and bans: what the operator hears, and whom they keep out."""

import json
import logging
import re
from pathlib import Path

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES
from put_server.logs import JsonFormatter
from put_server.transport.bans import MOST_BANS, BadBans, Bans
from put_server.transport.origins import parse_address, parse_network
from put_server.transport.peer_log import LINES_A_MINUTE, LINES_AN_ADDRESS, PeerLog
from tests.transport.dispatcher_harness import DispatcherHarness, Peer

FILTER = re.compile(r"^ +failregex = (?P<expression>.+)$", re.MULTILINE)
PAGE = Path(__file__).parents[2] / "docs" / "operating.md"


def fail2ban() -> re.Pattern[str]:
    """The expression of docs/operating.md, for a line of the log as text."""
    found = FILTER.search(PAGE.read_text("utf-8"))
    assert found is not None
    return re.compile(found["expression"].replace("<ADDR>", r"(?P<address>[0-9a-f.:]+)"))


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "put_server.transport.peer_log"]


def come(harness: DispatcherHarness, address: str) -> Peer:
    return Peer(harness, FRAMES, harness.caller(address))


@pytest.fixture(autouse=True)
def at_info(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


def test_log_tells_who_came_from_where_and_how_they_left(caplog: pytest.LogCaptureFixture) -> None:
    """A line for each, with the address; and nothing of tokens."""
    harness = DispatcherHarness()
    ann = come(harness, "198.51.100.1")
    ann.hello("Ann")
    ann.drop()
    back = come(harness, "198.51.100.2")
    back.resume(ann)
    again = come(harness, "198.51.100.3")
    again.resume(back)
    back.drop()
    again.send(messages.Bye())
    again.drop()
    assert told(caplog) == [
        'arrived 198.51.100.1 "Ann"',
        'left 198.51.100.1: lost "Ann"',
        'returned 198.51.100.2 "Ann"',
        'returned 198.51.100.3 "Ann"',
        'left 198.51.100.2: taken_over "Ann"',
        'left 198.51.100.3: bye "Ann"',
    ]
    assert ann.token not in caplog.text


def test_log_tells_what_was_refused_and_why(caplog: pytest.LogCaptureFixture) -> None:
    """In lines that fail2ban can read; what was guessed is not in them."""
    harness = DispatcherHarness(password="sesame")
    for hello in (
        messages.Hello(2, "Ann", password="open barley"),
        messages.Hello(2, "", token="a-token-of-old", password="sesame"),
        messages.Hello(2, "\x1b[31m", password="sesame"),
    ):
        come(harness, "198.51.100.1").send(hello)
    come(harness, "198.51.100.2").feed(b"\x00\xff\xff\xff")
    ann = come(harness, "198.51.100.3")
    ann.hello("Ann", password="sesame")
    ann.ask(lambda n: messages.OpenTable(n, "put-1674", passcode="hush"))
    ben = come(harness, "198.51.100.4")
    ben.hello("Ben", password="sesame")
    ben.ask(lambda n: messages.Sit(n, 1, passcode="guessed"))
    refused = [line for line in told(caplog) if line.startswith("refused")]
    assert refused == [
        "refused 198.51.100.1: wrong_password",
        "refused 198.51.100.1: bad_token",
        "refused 198.51.100.1: bad_name",
        "refused 198.51.100.2: protocol",
        "refused 198.51.100.4: wrong_passcode",
    ]
    lines = [f"2026-11-23 00:00:00,000 INFO    put_server.transport.peer_log: {line}" for line in told(caplog)]
    found = [match["address"] for line in lines if (match := fail2ban().search(line))]
    assert found == ["198.51.100.1", "198.51.100.1", "198.51.100.2", "198.51.100.4"]
    for secret in ("barley", "sesame", "a-token-of-old", "hush", "guessed", "\x1b"):
        assert secret not in caplog.text


def test_log_holds_no_line_that_a_peer_made_up(caplog: pytest.LogCaptureFixture) -> None:
    """A name cannot end its quotes, let alone its line, nor look to fail2ban like somebody's fault."""
    forged = "put_server.transport.peer_log: refused 192.0.2.1: wrong_password"
    names = (f'Ann" {forged}', f"Ann\n{forged}", f"Ann {forged}", "A\u202ennb", "Ann\\")
    log = PeerLog()
    for name in names:
        log.arrived("198.51.100.1", name, is_back=False)
    lines = told(caplog)
    assert all(line.startswith('arrived 198.51.100.1 "') and line.isprintable() for line in lines)
    assert [json.loads(line.partition(" 198.51.100.1 ")[2]) for line in lines] == list(names)
    assert not any(fail2ban().search(f"INFO put_server.transport.peer_log: {line}") for line in lines)


def test_log_is_bounded_and_tells_what_it_left_out(caplog: pytest.LogCaptureFixture) -> None:
    """One address does not take the lines of others; the next minute begins anew."""
    log = PeerLog()
    for _ in range(1_000):
        log.refused("198.51.100.1", "protocol")
    log.refused("198.51.100.2", "protocol")
    assert len(told(caplog)) == LINES_AN_ADDRESS + 1
    for number in range(1_000):
        log.refused(f"192.0.{number // 250}.{number % 250}", "protocol")
    log.arrived("198.51.100.3", "Ann", is_back=False)
    assert len(told(caplog)) == LINES_A_MINUTE + 1
    log.tick(59_999)
    assert len(told(caplog)) == LINES_A_MINUTE + 1
    log.tick(60_000)
    assert told(caplog)[-1] == f"{2_001 - LINES_A_MINUTE} more refused in the last minute"
    log.refused("198.51.100.1", "protocol")
    log.tick(120_000)
    assert told(caplog)[-1] == "refused 198.51.100.1: protocol"


def test_log_as_json_has_the_fields_of_a_peer(caplog: pytest.LogCaptureFixture) -> None:
    """So that nobody needs to take the sentence apart."""
    PeerLog().left("198.51.100.1", "Ann", "bye")
    line = json.loads(JsonFormatter().format(caplog.records[-1]))
    assert {field: line[field] for field in ("event", "address", "reason", "name")} == {
        "event": "left",
        "address": "198.51.100.1",
        "reason": "bye",
        "name": "Ann",
    }


# --- bans ---


def test_bans_are_kept_and_lifted(tmp_path: Path) -> None:
    """In a file of the owner's alone, as addresses and prefixes, from one server to the next."""
    file = tmp_path / "bans"
    bans = Bans(file)
    for text in ("203.0.113.9", "198.51.100.0/24", "2001:db8::/32", "203.0.113.9", "::ffff:192.0.2.1", "fe80::1%\n"):
        bans.add(parse_network(text))
    assert file.stat().st_mode & 0o777 == 0o600
    again = Bans(file)
    assert again.all == ("203.0.113.9", "198.51.100.0/24", "2001:db8::/32", "192.0.2.1", "fe80::1")
    assert parse_address("198.51.100.200") in again
    assert parse_address("203.0.113.8") not in again
    assert not again.has(parse_network("198.51.100.7"))
    again.discard(parse_network("198.51.100.0/24"))
    assert parse_address("198.51.100.200") not in again
    assert Bans(file).all == ("203.0.113.9", "2001:db8::/32", "192.0.2.1", "fe80::1")
    assert list(tmp_path.iterdir()) == [file]


def test_bans_that_cannot_be_read_are_said(tmp_path: Path) -> None:
    """By file and line: a server that let in whom the operator banned would be worse than none."""
    file = tmp_path / "bans"
    file.write_text("203.0.113.9\nBlack Bill\n", "utf-8")
    with pytest.raises(BadBans, match="bans, line 2: "):
        Bans(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadBans, match="cannot be read"):
        Bans(file)


def test_bans_that_cannot_be_kept_are_not_made(tmp_path: Path) -> None:
    """What the operator is told is what holds after a restart; and there is an end to them."""
    bans = Bans(tmp_path / "gone" / "bans")
    with pytest.raises(BadBans, match="cannot be written"):
        bans.add(parse_network("203.0.113.9"))
    assert not bans.all
    full = Bans()
    for number in range(MOST_BANS):
        full.add(parse_network(f"10.0.{number // 250}.{number % 250}"))
    with pytest.raises(BadBans, match="already"):
        full.add(parse_network("203.0.113.9"))


def test_banned_address_is_not_let_in_and_others_are(caplog: pytest.LogCaptureFixture) -> None:
    """Its connections are refused before anything is read."""
    harness = DispatcherHarness()
    harness.dispatcher.admission.bans.add(parse_network("198.51.100.0/24"))
    with pytest.raises(AssertionError):
        come(harness, "198.51.100.1")
    assert come(harness, "192.0.2.1").hello("Ann").name == "Ann"
    assert "refused 198.51.100.1: banned" in told(caplog)


def test_kick_from_an_address_reaches_everybody_there_and_nobody_else() -> None:
    """Who is connected, who was and is expected back, and strangers; their seats are free, and their tokens void."""
    harness = DispatcherHarness()
    ann, ben, cat = (come(harness, f"198.51.100.{place}") for place in (1, 1, 2))
    for peer, name in ((ann, "Ann"), (ben, "Ben"), (cat, "Cat")):
        peer.hello(name)
    stranger = come(harness, "198.51.100.1")
    ben.ask(lambda n: messages.OpenTable(n, "put-1674"))
    ben.ask(lambda n: messages.Sit(n, 1))
    ben.drop()
    away = messages.Goodbye("kicked", "away")
    assert harness.dispatcher.kick_from(parse_network("198.51.100.1"), away) == (["Ann", "Ben"], 1)
    assert ann.goodbye == away
    assert stranger.transport.is_aborted
    assert [person.name for person in harness.dispatcher.lobby.people.values()] == ["Cat"]
    assert isinstance(cat.ask(messages.LookAway), messages.Ok)


def test_false_claims_of_a_loss_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """A client may say that it knows any start of the server, as often as it comes back."""
    harness = DispatcherHarness()
    harness.dispatcher.begin(today=100)
    harness.dispatcher.begin(today=200)
    liar = come(harness, "198.51.100.1")
    token = liar.hello("Ann").token
    for _ in range(3 * LINES_AN_ADDRESS):
        liar = come(harness, "198.51.100.1")
        liar.send(messages.Hello(2, token=token, epoch=150))
        assert liar.told(messages.Notice)
    claims = [line for line in told(caplog) if line.startswith("acknowledged play was lost: Ann was told of start 150")]
    assert len(claims) == LINES_AN_ADDRESS
    harness.tick(60_000)
    assert f"{2 * LINES_AN_ADDRESS} more losses in the last minute" in told(caplog)
