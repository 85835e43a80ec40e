"""Tables that are dealt blind: games are played to their ends, whoever holds which key, and whatever happens."""

from dataclasses import replace
from typing import Any

import pytest

from put_protocol import messages
from put_protocol.blind import shuffle_proof
from put_protocol.blind.deal import holds
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_acts import act_body
from put_protocol.blind_events import SERVER_HOLDS, PartMissed
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import TimedOut
from put_rules.registry import GAMES
from put_rules.steps import hides_hands
from put_rules.table_options import Dealing
from put_server.journal.records import encode
from put_server.lobby import inputs
from put_server.lobby.policy import EDITION
from put_server.table.blind_deals import worked_out
from put_server.table.table_effects import PersonId, TableId
from tests.lobby.blind_lobby import BlindLobby, Guest
from tests.lobby.lobby_harness import new_lobby
from tests.repetitions import TIMES, TURN, some

BLIND = [
    (name, seats) for name, rules in GAMES.items() for seats in sorted({rules.offer.seats[0], rules.offer.seats[-1]})
]
"""Each rule set with the fewest and the most players."""

IN_SUITE = (("put-1674", 2), ("put-parlett", 2), ("put-partners", 4), ("triomphe-forcee", 4), ("primero", 3))
"""Of each family, with and without partners, and one with a key at the server."""

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim")

SHORT = {"truc": {"rubber": 1}, "triomphe-forcee": {"hands": 2}, "primero": {"hands": 2}}
"""Options of short games."""

SHORTEST = SHORT if TURN else SHORT | {"triomphe-forcee": {"hands": 1}, "primero": {"hands": 1}}

SMALL_PACK = {"pack": 28}
"""Half of what a deal of fifty-two costs; what is claimed here does not hang on the number of cards."""


def seated(game: str, keys: str, seed: int = 1, **options: str | int) -> tuple[BlindLobby, list[Guest], int]:
    """A table; a letter a seat: k holds a key, n is a person who does not, h is the house."""
    return seated_in(BlindLobby(seed), game, keys, **options)


def seated_in(rig: BlindLobby, game: str, keys: str, **options: str | int) -> tuple[BlindLobby, list[Guest], int]:
    guests = [rig.arrive(name, holds_key=key == "k") for name, key in zip(NAMES, keys, strict=False) if key != "h"]
    small = SMALL_PACK if any(option.name == "pack" for option in GAMES[game].offer.options) else {}
    table = rig.open(guests[0], game, len(keys), **small | options)
    for guest in guests:
        rig.sit(guest, table)
    for _ in range(keys.count("h")):
        answer = rig.ask(guests[0], messages.Invite, table, house="steady")
        assert isinstance(answer, messages.Ok), answer
    return rig, guests, table


@pytest.mark.parametrize(("game", "seats"), BLIND if TURN else IN_SUITE)
def test_game_is_played_to_its_end(game: str, seats: int) -> None:
    """With every key at a client, or with some at the server."""
    for turn in range(TIMES):
        keys = ("k" * seats, ("k" + "nhk" * 3)[:seats])[([*GAMES].index(game) + seats + turn) % 2]
        rig, guests, table = seated(game, keys, turn, **SHORTEST.get(game, {"target": 1}))
        rig.run()
        assert rig.table(table).model.play is not None
        assert not rig.table(table).model.is_playing, "the game is over"
        assert all(guest.hands for guest in guests)
        rig.check_told(guests[:1])
        assert not any(guest.refused for guest in guests)


def test_server_that_does_not_know_the_hands_weighs_no_play() -> None:
    rig, (ann,), table = seated("put-1674", "kh")
    assert rig.table(table).info.is_solved, "a client may weigh it"
    answer = rig.ask(ann, messages.Coach, table)
    assert isinstance(answer, messages.Refused)
    assert (answer.code, "dealt blind" in answer.says) == (RefusalCode.NOT_SOLVED, True)


@pytest.mark.parametrize(
    ("game", "keys"),
    some(
        [("put-1674", "kn"), ("put-1674", "kk"), ("put-1674", "khk"), ("put-partners", "kkkh"), ("primero", "kkk")], 2
    ),
)
def test_game_goes_on_after_a_crash(game: str, keys: str) -> None:
    """At any moment, with a checkpoint or without; clients that were killed have their keys again. Where the secret of
    a game that is over is erased, the journal gives the same lobby without it."""
    for seed in range(TIMES):
        rig, guests, table = seated(game, keys, seed, **SHORT.get(game, {"target": 2}))
        for _ in range(12):
            for _ in range(rig.random.randrange(12)):
                rig.step()
            if rig.random.random() < 0.4:
                rig.note_checkpoint()
            else:
                rig.restart()
            rig.check()
        rig.run()
        rig.restart()
        assert rig.table(table).model.games == 1
        assert not rig.table(table).model.is_playing
        assert rig.erased == rig.secrets
        assert all("are being checked" in refused.says for guest in guests for refused in guest.refused)


@pytest.mark.parametrize("game", some(["primero", "put-partners"], 2))
def test_deal_of_an_earlier_edition_is_read_to_its_end(game: str) -> None:
    """By the game's key, as it was told then; the next deal of the same game has a key of its own."""
    former = BlindLobby(lobby=new_lobby(edition=2))
    rig, guests, table = seated_in(former, game, "kkkk", **SHORT.get(game, {"target": 3}))
    rig.run_until(lambda: guests[0].hands > 0)
    play = rig.table(table).model.deals.blind.play
    assert play is not None
    assert (play.is_reading, play.readers) == (True, {})
    rig.restart(EDITION)
    rig.note_checkpoint()

    def has_reader() -> bool:
        play = rig.table(table).model.deals.blind.play
        return play is not None and bool(play.readers)

    rig.run_until(has_reader)
    rig.restart()
    rig.run()
    assert not rig.table(table).model.is_playing
    assert rig.erased == rig.secrets
    rig.check_told(guests[1:])


def test_dropped_client_goes_on() -> None:
    """Whether it followed, or lost all but its key. Who comes to watch is told what the game follows from."""
    rig, guests, table = seated("put-1674", "kkk", target=2)
    spectators = [rig.arrive(name, holds_key=False) for name in ("Eve", "Fay")]
    for turn in range(25):
        if turn in (2, 11):
            rig.ask(spectators.pop(), messages.Watch, table)
        for _ in range(rig.random.randrange(8)):
            rig.step()
        guest = rig.random.choice(guests)
        rig.lose(guest)
        for _ in range(rig.random.randrange(4)):
            rig.step()
        rig.come_back(guest, has_lost=turn % 2 == 0)
    rig.run()
    assert not rig.table(table).model.is_playing
    assert not any(guest.refused for guest in guests)


MISSED = [
    (0, "put-1674", False),
    (2, "put-1674", True),
    (4, "put-1674", True),
    (8, "triomphe-forcee", True),
]
"""Steps before a part that is missed, and whether the server is killed. The last has five hands of four, and is for
campaigns."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("steps", "game", "is_killed"), MISSED if TURN else MISSED[:-1])
def test_missed_part_costs_the_hand_and_the_second_running_the_seat(steps: int, game: str, is_killed: bool) -> None:
    """Whichever part it is. At each of their turns in the hand their time is over; then they play on. Everybody is told
    who, and how often: it is counted for the game, also when the server is killed at any point."""
    is_put = game == "put-1674"
    rig, guests, table = seated(game, "kk" if is_put else "kkkk", **{"target" if is_put else "hands": 5})
    ann, ben = guests[:2]
    restart = rig.restart if is_killed else rig.note_checkpoint

    def miss(times: int) -> None:
        ben.is_silent = True
        for _ in range(times):
            rig.run()
            restart()
            rig.wait_out()
            restart()
            rig.run()
            rig.tick(0)
        ben.is_silent = False

    for _ in range(steps):
        one = next(guest for guest in guests if guest.next_part)
        assert isinstance(rig.ask(one, messages.Blind, table, one.due()[0]), messages.Ok)
    miss(1)
    rig.run_until(lambda: TimedOut(Seat(1)) in ann.lost and rig.table(table).model.turn.seat is None)
    assert ben.seat is not None
    assert ann.lost == [PartMissed(ben.seat, 1), *[TimedOut(ben.seat)] * (1 if is_put else 5)]
    assert [seat.missed for seat in rig.table(table).info.seats][:2] == [0, 1]
    miss(2)
    assert [event for event in ann.lost if isinstance(event, PartMissed)][1:] == [
        PartMissed(ben.seat, 2),
        PartMissed(ben.seat, 3, is_dismissed=True),
    ]
    assert (ann.left, ben.left) == ([], ["your client did not do its part of a deal"])
    assert rig.table(table).info.seats[ben.seat].missed == 3
    rig.run()
    assert not rig.table(table).model.is_playing
    assert rig.erased == rig.secrets
    assert not any(guest.refused for guest in guests)


def test_part_that_comes_while_it_is_found_missing_is_taken() -> None:
    """Nobody is named, also not for the part that is due next."""
    rig, guests, table = seated("put-1674", "kk", target=2)
    for one in (*guests, guests[0]):
        rig.ask(one, messages.Blind, table, one.due()[0])
    rig.wait_out()
    assert rig.works, "the shuffles are looked at first"
    rig.ask(guests[1], messages.Blind, table, guests[1].due()[0])
    assert guests[1].next_part, "shares are due at once"
    while rig.works:
        wanted = rig.works.pop()
        rig.handle(inputs.Parts(wanted.table, wanted.task, *worked_out(wanted)))
    assert guests[0].lost == []
    rig.run()
    assert not rig.table(table).model.is_playing


@pytest.mark.parametrize("is_false", [False, True])
def test_accusation_is_looked_at_beside_the_loop(is_false: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One at a time, and not by who is not at the table, nor of another deal; it costs the shuffler or the accuser a
    hand. It is not lost with the server."""
    rig, (ann, ben), table = seated("put-1674", "kk", target=3)
    for one in (ann, ben, ann):
        shuffle = one.due()[0]
        if one is ann and Entry.parse(shuffle).kind is Kind.SHUFFLE and not is_false:
            entry = Entry.parse(shuffle)
            forged = replace(entry, body=entry.body[:-1] + bytes([entry.body[-1] ^ 1]))
            assert ann.game is not None
            assert ann.party is not None
            shuffle = ann.game.transcript.signed(forged, ann.party.keys[Seat(0)])
        rig.ask(one, messages.Blind, table, shuffle)
    assert ben.game is not None
    assert ben.party is not None
    game, key = ben.game, ben.party.keys[Seat(1)]

    def accusation(deal: int, by: int = 1) -> bytes:
        return game.transcript.signed(game.transcript.entry(Seat(by), Kind.ACCUSE, deal, b""), key)

    for flawed in (accusation(2), accusation(1, 0), accusation(1)[:-1], accusation(1)[:-64] + bytes(64)):
        assert isinstance(rig.ask(ben, messages.Blind, table, flawed), messages.Refused)
    checked: list[shuffle_proof.Statement] = []

    def check(statement: shuffle_proof.Statement, proof: bytes) -> None:
        checked.append(statement)
        shuffle_proof.check(statement, proof)

    monkeypatch.setattr("put_protocol.blind.deal.check", check)
    holds.cache_clear()
    assert isinstance(rig.ask(ben, messages.Blind, table, accusation(1)), messages.Ok)
    assert isinstance(rig.ask(ben, messages.Blind, table, accusation(1)), messages.Refused)
    assert not checked
    rig.restart()
    (wanted,) = rig.works
    done = worked_out(wanted)
    assert len(checked) == 1
    rig.handle(inputs.Parts(wanted.table, wanted.task, *done))
    rig.works.clear()
    assert len(checked) == 1, "it is remembered"
    assert isinstance(rig.ask(ben, messages.Blind, table, accusation(1)), messages.Refused)
    assert ann.lost == [PartMissed(Seat(1 if is_false else 0), 1)]
    rig.run()
    assert not rig.table(table).model.is_playing
    rig.check_told([ann])


def test_private_shares_are_checked_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that do not hold; their seat is named, and the deal that was read is forgotten."""
    rig, guests, table = seated("put-partners", "kkkk", target=3)
    ann = guests[0]
    while ann.next_part is not Kind.SHARES or not ann.is_read:
        one = next((guest for guest in (*guests[1:], ann) if guest.next_part), None)
        if one is None:
            rig.work(rig.works.pop())
        else:
            rig.give(one, one.due()[0])
    entry = Entry.parse(ann.due()[0])
    assert ann.game is not None
    assert ann.party is not None
    forged = replace(entry, body=entry.body[:-1] + bytes([entry.body[-1] ^ 1]))
    shares = ann.game.transcript.signed(forged, ann.party.keys[entry.author])
    assert isinstance(rig.ask(ann, messages.Blind, table, shares), messages.Ok)
    for one in guests[1:]:
        assert isinstance(rig.ask(one, messages.Blind, table, one.due()[0]), messages.Ok)
    (wanted,) = rig.works
    done = worked_out(wanted)
    rig.works.clear()
    told: list[tuple[PersonId, messages.ServerMessage]] = []
    with monkeypatch.context() as patch:
        patch.setattr("put_protocol.blind.shares.check", None)
        patch.setattr("put_protocol.blind.deal.check", None)
        patch.setattr(rig, "_tell", lambda *one: told.append(one))
        rig.handle(inputs.Parts(wanted.table, wanted.task, *done))
    for person, message in told:
        rig._tell(person, message)
    assert ann.lost == [PartMissed(entry.author, 1)]
    play = rig.table(table).model.deals.blind.play
    assert play is not None
    assert not play.readers
    rig.restart()
    rig.run()
    assert not rig.table(table).model.is_playing
    assert rig.erased == rig.secrets
    rig.check_told(guests)


@pytest.mark.parametrize("is_dealing", [False, True])
def test_game_goes_on_without_who_left(is_dealing: bool) -> None:
    """The hand in play by the keys there are, the next by those of who stays."""
    rig, (ann, _, cat), table = seated("put-tavern", "knk", 3 if is_dealing else 1, target=4)
    model = rig.table(table).model
    rig.run_until(lambda: ann.hands > 0 and (model.turn.seat is None) == is_dealing)
    assert model.is_playing
    rig.ask(ann, messages.Leave, table)
    rig.run()
    assert not rig.table(table).model.is_playing
    rig.check_told([cat])
    assert rig.erased == rig.secrets


def test_entry_that_does_not_fit_changes_nothing() -> None:
    """One of another seat, of another action, twice, or none at all, is refused by name of what was wrong."""
    rig, (ann, ben), table = seated("put-1674", "kk", target=2)
    rig.run_until(lambda: ann.decision is not None)
    decision = ann.decision
    assert decision is not None
    chosen = decision.legal[0].action
    other = decision.legal[1].action
    assert ben.party is not None
    assert ben.game is not None
    assert ben.seat is not None
    foreign = ben.party.act(ben.game, ben.seat, 1, act_body(chosen))
    before = encode(rig.lobby.checkpoint())
    for entry in (b"", b"x" * 300, foreign, ann.entry_of(other)):
        answer = rig.ask(ann, messages.Act, table, decision.decision, chosen, entry=entry)
        assert isinstance(answer, messages.Refused), entry
        assert answer.code is RefusalCode.BAD_ENTRY
    act = ann.entry_of(other)
    assert isinstance(rig.ask(ann, messages.Blind, table, act), messages.Refused), "an act goes with its decision"
    assert encode(rig.lobby.checkpoint()) == before
    ann.refused.clear()
    rig.run()
    assert not rig.table(table).model.is_playing


@pytest.mark.parametrize(
    ("keys", "options", "why"),
    [
        ("nh", {}, "nobody here keeps the key of their cards"),
        ("kk", {"dealing": "plain"}, "the table asks for it"),
        ("kk", {"misdeals": 10}, "accident"),
        ("kk", {"arranged": "3s"}, "arranged"),
        ("kk", {"abandoned": "house"}, "the house may take over a seat"),
    ],
)
def test_game_that_is_dealt_plain_says_why(keys: str, options: dict[str, Any], why: str) -> None:
    """Before its first hand. It costs nothing of a blind deal, and its decisions can be weighed."""
    rig, guests, table = seated("put-1674", keys, target=1, **options)
    rig.run()
    model = rig.table(table).model
    assert model.play is not None
    assert not model.is_playing
    assert why in model.info.plain
    assert all(why in guest.told_plain for guest in guests)
    assert not any(guest.told for guest in guests)
    assert not hides_hands(model.record(model.play))
    assert rig.replayed().tables[TableId(table)].info == model.info


def test_games_against_the_house_are_dealt_plain_beyond_what_the_server_can() -> None:
    """One address leaves half of it to others, and a game of two people is dealt blind at any load. So it is after a
    crash, and until a game is over."""
    rig = BlindLobby(lobby=new_lobby(edition=EDITION, blind_house_seats=4))
    here, there, last = ("192.0.2.1", "198.51.100.2", "203.0.113.3")
    names = iter("ABCDEFGHIJ")

    def plain(origin: str, *, is_pair: bool = False) -> tuple[int, Guest, str]:
        one = rig.arrive(next(names), origin=origin)
        table = rig.open(one, "put-1674", 2, target=1, **SMALL_PACK)
        rig.sit(one, table)
        if is_pair:
            rig.sit(rig.arrive(next(names), origin=origin), table)
        else:
            rig.ask(one, messages.Invite, table, house="steady")
        return table, one, one.told_plain

    full = "too many games against the house are dealt blind now"
    games = [plain(here) for _ in range(3)]
    assert [why for _, _, why in games] == ["", "", full]
    assert rig.table(games[2][0]).info.plain == full
    rig.note_checkpoint()
    rig.restart()
    assert plain(here)[2] == full
    assert [plain(here, is_pair=True)[2], plain(there)[2], plain(last)[2]] == ["", "", full]
    rig.ask(games[0][1], messages.Leave, games[0][0])
    assert [plain(last)[2], plain(here)[2]] == ["", full]
    rig.restart()
    rig.run()
    assert not rig.lobby.tables.blind_house_seats._counts


@pytest.mark.parametrize(("game", "keys"), some([("put-1674", "kkk"), ("primero", "kkk"), ("put-1674", "khk")], 2))
def test_seat_that_is_left_in_a_game_is_taken_when_it_is_over(game: str, keys: str) -> None:
    """By a person, who may have a key, or by the house: until then it is refused, and no terms name their seat as one
    whose player has the key. A table where the house may take over a seat is dealt plain, which is tested above."""
    rig, guests, table = seated(game, keys, **SHORT.get(game, {"target": 1}))
    ann, cat = guests[0], guests[-1]
    eve = rig.arrive("Eve")
    rig.run_until(lambda: ann.hands > 0)
    left = cat.seat
    assert left is not None
    rig.ask(cat, messages.Leave, table)
    for _ in range(20):
        for asker, kind, more in (
            (eve, messages.Sit, {"seat": left, "holds_key": True}),
            (eve, messages.Sit, {}),
            (ann, messages.Invite, {"seat": left, "house": "steady"}),
        ):
            answer = rig.ask(asker, kind, table, **more)
            assert isinstance(answer, messages.Refused)
            assert answer.code == RefusalCode.GAME_IN_PLAY
        if not rig.step() or not rig.table(table).model.is_playing:
            break
        assert ann.game is not None
        if len(ann.told) > 1:
            assert ann.game.terms.holders[left] == SERVER_HOLDS
    ann.refused.clear()
    rig.run()
    assert not rig.table(table).model.is_playing
    rig.sit(eve, table)
    assert rig.table(table).info.seats[left].holds_key
    rig.check_told(guests[:1])


def test_next_game_is_dealt_as_those_who_sit_then_keep_keys() -> None:
    """A game that is begun goes on as it was dealt."""
    rig, (ann, ben), table = seated("put-1674", "kn", target=1)
    model = rig.table(table).model
    rig.run_until(lambda: ann.hands > 0)
    rig.ask(ann, messages.Leave, table)
    assert (model.way.dealing, model.info.plain) == (Dealing.BLIND, "")
    rig.sit(rig.arrive("Cat", holds_key=False), table)
    rig.ask(ben, messages.Again, table)
    assert model.is_playing
    assert (model.way.dealing, ben.told_plain) == (Dealing.PLAIN, "nobody here keeps the key of their cards")
    rig.run()
    assert not model.is_playing


def test_work_that_failed_is_wanted_again_when_time_passes() -> None:
    """And not at once, or a bug would keep the server busy for ever."""
    rig, (ann,), table = seated("put-1674", "kh", target=1)
    rig.ask(ann, messages.Blind, table, ann.due()[0])
    wanted = rig.works[0]
    for is_again in (True, False):
        wanted = rig.works.pop()
        rig.handle(inputs.Parts(wanted.table, wanted.task, ()))
        assert bool(rig.works) == is_again, "it is, if there were entries meanwhile"
    rig.tick(250)
    assert [work.task for work in rig.works] == [wanted.task + 1]
    rig.run()
    assert not rig.table(table).model.is_playing
