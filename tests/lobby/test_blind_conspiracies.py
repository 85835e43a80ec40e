"""Attacks on a table that is dealt blind: messages in unlikely orders, replays, lies, and players who conspire."""

from dataclasses import replace

import pytest

from put_protocol import messages
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_events import PartMissed
from put_protocol.seats import Seat
from put_server.journal.records import encode
from put_server.lobby import inputs
from put_server.table.blind_deals import worked_out
from put_server.table.table_effects import WantParts
from tests.lobby.blind_lobby import BlindLobby, Guest
from tests.lobby.test_blind_tables import seated
from tests.repetitions import some

ANN, BEN = Seat(0), Seat(1)


def give(rig: BlindLobby, guest: Guest, table: int, entry: bytes) -> bool:
    """True if the server takes an entry."""
    return isinstance(rig.ask(guest, messages.Blind, table, entry), messages.Ok)


def do_until(rig: BlindLobby, guests: list[Guest], table: int, kind: Kind, guest: Guest) -> bytes:
    """Parts are done until one of this kind is due from a guest, which is returned."""
    while guest.next_part is not kind:
        one = next(other for other in guests if other.next_part)
        assert give(rig, one, table, one.due()[0])
    return guest.due()[0]


def forged(guest: Guest, part: bytes) -> bytes:
    """The part with its last byte altered, signed anew."""
    entry = Entry.parse(part)
    assert guest.game is not None
    assert guest.party is not None
    other = replace(entry, body=entry.body[:-1] + bytes([entry.body[-1] ^ 1]))
    return guest.game.transcript.signed(other, guest.party.keys[entry.author])


def work(rig: BlindLobby) -> WantParts:
    """The work that is wanted is done, and returned."""
    wanted = rig.works.pop()
    rig.handle(inputs.Parts(wanted.table, wanted.task, *worked_out(wanted)))
    return wanted


def blamed(guest: Guest) -> list[PartMissed]:
    return [event for event in guest.lost if isinstance(event, PartMissed)]


def test_two_accusations_at_once_cost_the_shuffler_alone() -> None:
    """The second waits for the first, and comes to nothing; who accused rightly loses nothing."""
    rig, guests, table = seated("put-tavern", "kkk", target=1)
    ann, ben, cat = guests
    assert give(rig, ann, table, forged(ann, do_until(rig, guests, table, Kind.SHUFFLE, ann)))
    (first,), (second,) = ben.due(), cat.due()
    assert {Entry.parse(one).kind for one in (first, second)} == {Kind.ACCUSE}
    assert give(rig, ben, table, first)
    assert not give(rig, cat, table, second)
    work(rig)
    assert not give(rig, cat, table, second)
    assert not give(rig, ben, table, first)
    for guest in guests:
        assert blamed(guest) == [PartMissed(ANN, 1)]
        guest.refused.clear()
    rig.run()
    assert not rig.table(table).model.is_playing
    assert blamed(cat) == [PartMissed(ANN, 1)]
    rig.check_told(guests)


@pytest.mark.parametrize("is_killed", [False, True])
def test_part_that_was_taken_is_taken_no_more(is_killed: bool) -> None:
    """Nor one of a deal that is over, be the server another by then. Nothing has changed, and nobody is blamed."""
    rig, guests, table = seated("put-1674", "kk", target=3)
    ann = guests[0]
    shuffle = do_until(rig, guests, table, Kind.SHUFFLE, ann)
    assert give(rig, ann, table, shuffle)
    shares = do_until(rig, guests, table, Kind.SHARES, ann)
    if is_killed:
        rig.restart()
    assert give(rig, ann, table, shares)
    rig.run_until(lambda: ann.hands > 1)
    before = encode(rig.lobby.checkpoint())
    for entry in (shuffle, shares):
        assert not give(rig, ann, table, entry)
        if is_killed:
            rig.note_checkpoint()
            rig.restart()
            before = encode(rig.lobby.checkpoint())
            assert not give(rig, ann, table, entry)
        assert encode(rig.lobby.checkpoint()) == before
    ann.refused.clear()
    rig.run()
    assert not rig.table(table).model.is_playing
    assert not blamed(ann)
    rig.check_told(guests[1:])


def test_work_of_a_server_that_was_killed_is_not_taken_twice() -> None:
    """It is done again, and what was done before comes to nothing."""
    rig, guests, table = seated("put-1674", "kh", target=1)
    ann = guests[0]
    assert give(rig, ann, table, do_until(rig, guests, table, Kind.KEY, ann))
    stale = rig.works[0]
    rig.restart()
    again = work(rig)
    assert again.task != stale.task
    before = encode(rig.lobby.checkpoint())
    rig.handle(inputs.Parts(stale.table, stale.task, *worked_out(stale)))
    assert encode(rig.lobby.checkpoint()) == before
    rig.run()
    assert not rig.table(table).model.is_playing
    rig.check_told(guests)


def test_players_who_spoil_deals_in_turn_hold_up_the_others_for_three() -> None:
    """Each but the last costs a hand, and the second of a player, without a hand between, the seat."""
    rig, guests, table = seated("put-tavern", "kkk", target=3)
    ann, ben, cat = guests
    for turn in range(3):
        spoiler = (ann, ben)[turn % 2]
        spoiler.is_silent = True
        rig.run()
        rig.wait_out()
        rig.run()
        rig.tick(0)
        spoiler.is_silent = False
    assert blamed(cat) == [PartMissed(ANN, 1), PartMissed(BEN, 1), PartMissed(ANN, 2, is_dismissed=True)]
    assert (bool(ann.left), bool(ben.left), bool(cat.left)) == (True, False, False)
    rig.run()
    assert not rig.table(table).model.is_playing
    assert len(blamed(cat)) == 3
    rig.check_told([cat])


@pytest.mark.parametrize("game", some(["primero", "put-partners"], 2))
def test_accusation_comes_too_late_when_the_shares_are_given(game: str) -> None:
    """Also of a deal that is read: who gave their shares may have been read, and may like another deal better."""
    rig, guests, table = seated(game, "kkkk", **({"hands": 1} if game == "primero" else {"target": 1}))
    ben = guests[1]
    rig.run_until(lambda: ben.hands > 0)
    assert ben.game is not None
    assert ben.game.playing is not None
    assert ben.party is not None
    assert ben.seat is not None
    entry = ben.game.transcript.entry(ben.seat, Kind.ACCUSE, ben.game.playing.number, b"")
    assert not give(rig, ben, table, ben.game.transcript.signed(entry, ben.party.keys[ben.seat]))
    ben.refused.clear()
    rig.run()
    assert not rig.table(table).model.is_playing
    assert not blamed(ben)
    rig.check_told(guests)
