"""Blind deals judged by others: two verifiers on the same evidence, and a server that guesses what it cannot read."""

import base64
import gc
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest
from msgspec import Struct

from put_protocol import messages
from put_protocol.blind import party
from put_protocol.blind.group import Point
from put_protocol.blind.reading import Reading
from put_protocol.blind.shares import SHARE_BYTES
from put_protocol.blind.transcript import Entry, Kind, Terms
from put_protocol.blind_events import BlindOpened
from put_server.journal.records import decode_lobby, encode
from put_server.table.blind_deals import _key_of
from tests.lobby import blind_guesses
from tests.lobby.blind_evidence import NODE, Keeping, KeepingLobby, by_node, by_python, played, renumbered
from tests.lobby.blind_guesses import guesses, unmoved
from tests.lobby.blind_lobby import BlindLobby
from tests.repetitions import some

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


def early_hand(lines: Lines) -> Lines:
    """A hand is told before the last seat gave its shares."""
    at = next(number for number, line in enumerate(lines) if b'"event":"dealt"' in line)
    entries = [(number, json.loads(line)) for number, line in enumerate(lines[:at]) if b'"blind_entry"' in line]
    shares = [number for number, line in entries if base64.b64decode(line["entry"])[1] == Kind.SHARES]
    return [*lines[: shares[-1]], lines[at], *lines[shares[-1] : at], *lines[at + 1 :]]


TAMPERINGS = (altered_entry, dropped_entry, other_card, other_pack, more_cards)


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_tampering_is_found(tamper: Callable[[Lines], Lines]) -> None:
    honest = played("put-1674", "kk", 4, target=1, pack=28).lines
    assert not by_python(honest).is_false
    assert by_python(renumbered(tamper(honest))).is_false


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


@pytest.mark.skipif(NODE is None, reason="needs Node")
@pytest.mark.parametrize(("game", "keys"), [("put-1674", "kk*"), ("put-partners", "kkkk*")])
def test_hand_told_before_all_shares_is_not_proved(game: str, keys: str) -> None:
    """Also where the server reads the deal, and the viewer sees no card of the hand."""
    lines = renumbered(early_hand(played(game, keys, 5, deals=3, pack=28).lines))
    (theirs,) = by_node([lines])
    assert by_python(lines).is_false
    assert theirs.is_false


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_deals_that_were_shared_for_nothing_are_found() -> None:
    """The server deals again and again, and tells of no hand."""
    lines = played("put-1674", "kk*", 5, deals=3, pack=28).lines
    steps = (b'"viewer"', b'"sat"', b'"started"', b'"drawn"', b'"blind_begun"', b'"blind_entry"')
    cut = renumbered([line for line in lines if any(step in line for step in steps)])
    assert by_python(cut).is_false
    assert [one.is_false for one in by_node([lines, cut])] == [False, True]


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_keys_begun_again_within_a_game_are_found() -> None:
    """A server that reads its own hand could deal again until it likes the cards."""
    lines = played("put-1674", "kk*", 5, deals=1, pack=28).lines
    begun = next(json.loads(line) for line in lines if b'"blind_begun"' in line)
    terms = Terms.parse(base64.b64decode(begun["terms"]))
    again = {**begun, "terms": base64.b64encode(replace(terms, game=terms.game + 1).encoded).decode()}
    files = [renumbered([*lines, json.dumps(line).encode()]) for line in (again, {"type": "dropped"})]
    assert [one.is_false for one in by_node(files)] == [True, False]
    assert [one.is_false for one in map(by_python, files)] == [True, False]


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_plain_game_after_a_drop_is_not_taken_for_the_blind_one_before() -> None:
    """The next game may be dealt alone; the same may not."""
    lines = played("put-1674", "kk*", 5, deals=1).lines
    head = json.loads(lines[0])
    plain = {"state": "playing", "plain": "nobody here keeps the key of their cards"}
    dealt = {"event": "dealt", "hand": 1, "dealer": 0, "eldest": 1, "counts": [3, 3], "cards": []}
    shown = {"event": "played", "seat": 1, "card": "3d", "leads": True}

    def back(games: int) -> Lines:
        info = head["info"] | plain | {"games": games}
        table = {"type": "table", "table": 1, "viewer": "gallery", "number": 900, "info": info}
        return renumbered([*lines, *[json.dumps(line).encode() for line in ({"type": "dropped"}, table, dealt, shown)]])

    files = [back(2), back(1)]
    assert [one.is_false for one in by_node(files)] == [False, True]
    assert [one.is_false for one in map(by_python, files)] == [False, True]


def test_acts_of_a_game_that_was_missed_are_not_asked_for_in_the_next() -> None:
    """Also where the keys of that game were given twice, because a player had left it."""
    rig = KeepingLobby(4)
    ann, ben, cat, dan = guests = [rig.arrive(name) for name in ("Ann", "Ben", "Cat", "Dan")]
    table = rig.open(ann, "put-tavern", 3, target=2, pack=28)
    for guest in guests[:3]:
        rig.sit(guest, table)
    model = rig.table(table).model
    rig.run_until(lambda: cat.hands > 0)
    rig.ask(cat, messages.Leave, table)
    terms = len(ben.told)
    rig.run_until(lambda: len(ben.told) > terms and model.turn.seat is not None)
    rig.lose(ben)
    rig.come_back(ben, has_lost=True)
    rig.run()
    assert not model.is_playing
    rig.sit(dan, table)
    for guest in (ann, ben):
        rig.ask(guest, messages.Again, table)
    rig.run_until(lambda: dan.hands > 1)
    assert isinstance(ben, Keeping)
    assert not by_python(ben.lines).is_false


def test_server_that_uses_all_it_knows_guesses_as_if_it_knew_nothing() -> None:
    """Some of the thousand deals of the campaign."""
    for count in guesses(7, 4).values():
        assert count.made == 12
        assert abs(count.deviation(CHANCE)) < 5


def test_the_guesser_reads_the_hand_of_a_client_that_moves_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """So what it lacks is that client's shuffle alone."""

    for module in (party, blind_guesses):
        monkeypatch.setattr(module, "order_of", unmoved)
    count = guesses(7, 2)["followed"]
    assert count.right == count.made == 6


def reachable(*roots: Any) -> Iterator[bytes]:
    """The bytes of everything that these have or refer to; a number of a key's size is as its bytes."""
    known, left = set[int](), list(roots)
    while left:
        one = left.pop()
        if id(one) in known or isinstance(one, type | ModuleType | FunctionType | BuiltinFunctionType):
            continue
        known.add(id(one))
        match one:
            case bytes():
                yield one
            case int() if one.bit_length() > 64:
                yield one.to_bytes(-(-one.bit_length() // 256) * 32, "big")
            case Point():
                yield one.encoded
            case Struct():  # the search for cycles passes over some
                left += [getattr(one, name) for name in one.__struct_fields__]
            case _:
                left += gc.get_referents(one)


class Heard(BlindLobby):
    """Keeps all that anybody was told, as the streams of a cluster do."""

    def __init__(self, seed: int) -> None:
        self.told: list[Any] = []
        super().__init__(seed)

    def _tell(self, person: Any, message: Any) -> None:
        self.told.append(message)
        super()._tell(person, message)


def test_hand_that_was_thrown_in_is_nowhere_but_with_its_player() -> None:
    """Neither the server's memory, nor what its journal keeps, nor all that was told has a share that would open a card
    which was never shown, or the secret that makes it. Those of cards that were shown are found so."""
    rig = Heard(3)
    guests = [rig.arrive(name) for name in ("Ann", "Ben")]
    table = rig.open(guests[0], "put-1674", 2)
    for guest in guests:
        rig.sit(guest, table)
    shares, keys, hands = set[bytes](), set[bytes](), [0, 0]
    while rig.step():
        for seat, guest in enumerate(guests):
            if (
                guest.hands > hands[seat]
                and guest.game is not None
                and guest.game.playing
                and guest.party
                and guest.seat is not None
            ):
                hands[seat] = guest.hands
                key, deal = guest.party.keys[guest.seat], guest.game.playing
                assert key.point.encoded in {*reachable(rig.lobby)}, "what it knows is found in its memory"
                keys |= {guest.secret, key.seed, key.secret.to_bytes(32, "big")}
                shares |= {(base * key.secret).encoded for base in deal.bases(deal.hand(guest.seat))}
    found = b"|".join({*reachable(rig.lobby, rig.entries, rig.told)})
    entries = [Entry.parse(data) for _, told in guests[0].told for data, _ in told]
    shown = {entry.body[1:] for entry in entries if entry.kind is Kind.SHOW}
    assert shown & shares
    assert all(share in found for share in shown)
    assert shares - shown
    assert not [secret for secret in (*keys, *shares - shown) if secret in found]


@pytest.mark.parametrize("is_killed", some([True, False], 2), ids=lambda killed: "killed at each step" * killed)
def test_deal_that_was_read_is_read_no_more_when_its_hand_is_over(is_killed: bool) -> None:
    """Neither the server's memory, nor what its journal keeps, nor all that was told has a share that would open a
    card which no player saw, or what makes or unmasks one, with every other secret of the game in hand. Those of cards
    that were seen are found so. Killed: the server starts again from its journal after each step of the deal."""
    rig = Heard(5)
    guests = [rig.arrive(name) for name in ("Ann", "Ben", "Cat")]
    table = rig.open(guests[0], "triomphe-forcee", 4, hands=2)
    for guest in guests:
        rig.sit(guest, table)
    rig.ask(guests[0], messages.Invite, table, house="steady")
    secrets, shares = set[bytes](), dict[tuple[int, int], set[bytes]]()
    steps = set[tuple[int, int, int]]()
    while True:
        assert rig.step()
        play = rig.table(table).model.deals.blind.play
        if play is None:
            continue
        deal = play.game.playing
        step = (deal.number, len(deal.private), play.in_play) if deal else (0, len(play.game.keys), 0)
        if is_killed and step not in steps:
            steps.add(step)
            rig.restart()
            play = rig.table(table).model.deals.blind.play
            assert play is not None
        if not play.readers.keys() >= {deal for deal, _ in shares}:
            break
        deal = play.game.playing
        if deal is None or not deal.is_read or not deal.is_shared:
            continue
        key = _key_of(play.readers[deal.number].chance, "reading key")
        assert key is not None
        reading = Reading(deal, key)
        points = [reading.shared(seat) for seat in deal.takers]
        unseen = [deal.unseen_key(seat, point) for seat, point in zip(deal.takers, points, strict=True)]
        secrets |= {play.readers[deal.number].chance.secret, key.seed, key.secret.to_bytes(32, "big"), *unseen}
        secrets |= {point.encoded for point in points}
        for place in range(len(deal.cards)):
            opening = reading.opening(place)
            shares[deal.number, place] = {opening[at : at + 33] for at in range(0, len(opening), SHARE_BYTES)}
    stored = decode_lobby(encode(rig.stored()[0])), [encode(event) for _, event in rig.stored()[1]]
    found = b"|".join({*reachable(rig.lobby, stored, rig.told)})
    assert not is_killed or len(steps) > 8
    assert rig.table(table).model.is_playing
    told = [event for message in rig.told if isinstance(message, messages.Events) for event in message.events]
    opened = {(one.deal, one.place) for event in told if isinstance(event, BlindOpened) for one in event.places}
    assert len(opened) >= 12
    assert all(share in found for place in opened for share in shares[place])
    assert play.source.chance.secret in found
    hidden = set[bytes]().union(*[shares[place] for place in shares.keys() - opened])
    assert len(hidden) > 100
    assert not [secret for secret in (*secrets, *hidden) if secret in found]
