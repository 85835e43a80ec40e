"""Blind deals judged by others: two verifiers on the same evidence, and a server that guesses what it cannot read."""

import json
import re
from collections.abc import Callable

import pytest

from put_protocol.blind import party
from tests.lobby import blind_guesses
from tests.lobby.blind_evidence import NODE, by_node, by_python, played
from tests.lobby.blind_guesses import guesses, unmoved

CHANCE = 1 / 49
"""Of 52 cards the server can name the three of its own player."""

Lines = list[bytes]


def altered_entry(lines: Lines) -> Lines:
    """One byte of a shuffle's body."""
    at = [number for number, line in enumerate(lines) if b'"blind_entry"' in line and len(line) > 3_000][1]
    line = lines[at]
    return [*lines[:at], line[:3_000] + (b"A" if line[3_000:3_001] != b"A" else b"B") + line[3_001:], *lines[at + 1 :]]


def dropped_entry(lines: Lines) -> Lines:
    at = [number for number, line in enumerate(lines) if b'"blind_entry"' in line][-3]
    return [*lines[:at], *lines[at + 1 :]]


def other_card(lines: Lines) -> Lines:
    """A player is said to have played another card than they showed."""
    at = next(number for number, line in enumerate(lines) if b'"event":"played"' in line)
    card = "2s" if b'"2s"' not in lines[at] else "3s"
    return [*lines[:at], re.sub(rb'"card":"\w+"', f'"card":"{card}"'.encode(), lines[at]), *lines[at + 1 :]]


def other_pack(lines: Lines) -> Lines:
    """The table plays with another pack than was dealt."""
    return [line.replace(b'"pack":28', b'"pack":32') for line in lines]


def more_cards(lines: Lines) -> Lines:
    """A hand is said to have a card more than was dealt."""
    at = next(number for number, line in enumerate(lines) if b'"event":"dealt"' in line)
    event = json.loads(lines[at])
    event["counts"][0] += 1
    return [*lines[:at], json.dumps(event).encode(), *lines[at + 1 :]]


TAMPERINGS = (altered_entry, dropped_entry, other_card, other_pack, more_cards)


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_tampering_is_found(tamper: Callable[[Lines], Lines]) -> None:
    honest = played("put-1674", "kk", 4, target=1, pack=28).lines
    assert not by_python(honest).is_false
    assert by_python(tamper(honest)).is_false


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_two_verifiers_come_to_the_same() -> None:
    """An honest game, seen from the gallery over a connection that drops, is proved deal by deal; forgeries are
    found."""
    honest = played("put-1674", "kh*", 5, drops=True, target=1, pack=28).lines
    files = [honest, altered_entry(honest), other_card(honest), other_pack(honest)]
    ours, theirs = [by_python(lines) for lines in files], by_node(files)
    assert [one.is_false for one in ours] == [one.is_false for one in theirs] == [False, True, True, True]
    assert ours[0] == theirs[0]
    assert ours[0].proved > 1


def test_server_that_uses_all_it_knows_guesses_as_if_it_knew_nothing() -> None:
    """Some of the thousand deals of the campaign."""
    for count in guesses(7, 8).values():
        assert count.made == 24
        assert abs(count.deviation(CHANCE)) < 5


def test_the_guesser_reads_the_hand_of_a_client_that_moves_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """So what it lacks is that client's shuffle alone."""

    for module in (party, blind_guesses):
        monkeypatch.setattr(module, "order_of", unmoved)
    count = guesses(7, 2)["followed"]
    assert count.right == count.made == 6
