"""Blind tables that are adjourned: a pause of weeks, in which all players are gone and the server is killed."""

from collections.abc import Callable

import pytest

from put_protocol import messages
from put_protocol.blind.transcript import Kind
from put_protocol.blind_events import PartMissed
from put_server.lobby.policy import EDITION
from tests.lobby.blind_lobby import BlindLobby, Guest
from tests.lobby.lobby_harness import new_lobby
from tests.lobby.test_blind_tables import SHORT, seated_in
from tests.repetitions import TURN

DAY_MS = 24 * 60 * 60_000
MONTH = 31 * 24 * 60
"""The longest pause, in minutes."""


class Adjourned(BlindLobby):
    """A lobby whose people stay away for a while, whatever becomes of the server."""

    are_away = False

    def come_back(self, guest: Guest, *, has_lost: bool = False) -> None:
        if not self.are_away:
            super().come_back(guest, has_lost=has_lost)

    def adjourn(self, guests: list[Guest], table: int) -> None:
        """All agree to a pause, and go."""
        for guest in guests:
            assert isinstance(self.ask(guest, messages.Pause, table, MONTH), messages.Ok)
        assert self.table(table).model.is_paused
        self.are_away = True
        for guest in guests:
            self.lose(guest)

    def assemble(self, guests: list[Guest], table: int) -> None:
        """All come back, with nothing but their secrets, and go on."""
        self.are_away = False
        for guest in guests:
            self.come_back(guest, has_lost=True)
        for guest in guests:
            assert isinstance(self.ask(guest, messages.GoOn, table), messages.Ok)
        assert not self.table(table).model.is_paused


def shape(rig: BlindLobby, guests: list[Guest], table: int) -> tuple[object, ...]:
    """The game, its deals, the cards of each player, and the time that they may still be away."""
    play = rig.table(table).model.deals.blind.play
    assert play is not None
    game = play.game
    deals = [None if deal is None else (deal.number, deal.pack, deal.owners) for deal in (game.playing, game.coming)]
    banks = [chair.bank.left for chair in rig.table(table).model.seating.chairs]
    return game.terms, game.transcript.heads[-1], deals, [guest.cards for guest in guests], banks


def has_dealt(rig: BlindLobby, guests: list[Guest]) -> bool:
    return all(guest.hands for guest in guests)


Moment = Callable[[BlindLobby, list[Guest]], bool]


def waits_for(kind: Kind) -> Moment:
    """A part of this kind is due from a player."""

    def waits(rig: BlindLobby, guests: list[Guest]) -> bool:
        return any(guest.next_part is kind for guest in guests)

    return waits


MOMENTS: dict[str, Moment] = {
    "keys": waits_for(Kind.KEY),
    "shuffles": waits_for(Kind.SHUFFLE),
    "shares": waits_for(Kind.SHARES),
    "hand": has_dealt,
}


TABLES = [("put-1674", "kk", moment) for moment in MOMENTS] + [("put-partners", "kkkh", moment) for moment in MOMENTS]
IN_SUITE = [*TABLES[: len(MOMENTS)], ("put-partners", "kkkh", "shares")]


@pytest.mark.parametrize(("game", "keys", "moment"), TABLES if TURN else IN_SUITE)
def test_adjourned_game_goes_on_with_the_same_deal(game: str, keys: str, moment: str) -> None:
    """At whatever step of the deal: four weeks later, after two kills and an upgrade, every client has its keys and its
    cards again, and no player has missed a part or a turn."""
    former = Adjourned(lobby=new_lobby(edition=EDITION - 1))
    rig, guests, table = seated_in(former, game, keys, **SHORT.get(game, {"target": 2}))
    rig.run_until(lambda: MOMENTS[moment](rig, guests))
    former.adjourn(guests, table)
    before, hands = shape(rig, guests, table), [guest.hands for guest in guests]
    for restart in (None, None, EDITION):
        rig.tick(9 * DAY_MS)
        rig.restart(restart)
        rig.note_checkpoint()
        rig.tick(0)
        assert rig.table(table).model.is_paused
    former.assemble(guests, table)
    assert shape(rig, guests, table) == before
    assert [guest.hands for guest in guests] == hands
    rig.run()
    assert not rig.table(table).model.is_playing
    assert has_dealt(rig, guests)
    rig.check_told(guests)
    for guest in guests:
        assert (guest.lost, guest.left, guest.refused) == ([], [], [])
    assert rig.erased == rig.secrets


def test_player_who_comes_back_without_their_key_loses_alone() -> None:
    """In the middle of a deal: it is made anew, they miss their part of that one, too, and leave with the sentence that
    says so. The others play on, and nothing is held against them."""
    rig = Adjourned()
    _, guests, table = seated_in(rig, "put-tavern", "kkk", target=1)
    ann, ben, cat = guests
    rig.run_until(lambda: waits_for(Kind.SHARES)(rig, guests))
    rig.adjourn(guests, table)
    rig.tick(9 * DAY_MS)
    rig.restart()
    ben.holds_key = False
    rig.assemble(guests, table)
    for _ in range(2):
        rig.run()
        rig.wait_out()
        rig.run()
        rig.tick(0)
    rig.run()
    assert not rig.table(table).model.is_playing
    assert ben.seat is not None
    missed = [PartMissed(ben.seat, 1), PartMissed(ben.seat, 2, is_dismissed=True)]
    assert ann.lost == cat.lost == missed
    assert ben.left == ["your client did not do its part of a deal"]
    assert (ann.left, cat.left, ann.refused, cat.refused) == ([], [], [], [])
    assert ann.hands == cat.hands == 1
    rig.check_told(guests)
