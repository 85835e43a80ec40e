"""A house player who takes the place of one who gave up: what it does there is not told of as theirs."""

import asyncio

import pytest

from put_client import play
from put_client.sdk.deal_checks import CheckFailed
from put_protocol.messages import Decision
from put_protocol.table_events import Sat
from tests.client.checking_players import Calm, close, guest, house, look_on


@pytest.mark.parametrize(("rules", "names"), [("put-1674", ("Moll", "Nan")), ("primero", ("Moll", "Nan", "Ned"))])
async def test_acts_of_a_stand_in_are_no_alarm(rules: str, names: tuple[str, ...]) -> None:
    """To those who play on with it."""
    async with house() as server:
        moll, *others = [await guest(server, name) for name in names]
        table = await moll.open_table(rules, seats=len(names), options={"abandoned": "house"})
        await moll.sit(table)
        looking = asyncio.ensure_future(look_on(moll))
        playing = [play(Calm(seat, 0.2), other, table=table, games=1) for seat, other in enumerate(others, 1)]
        games = asyncio.gather(*playing)
        await moll.has_heard(Decision)
        await moll.leave(table)
        await games
        await close(moll, *others)
        await looking
    for other in others:
        assert any(sat.is_house for sat in other.all_of(Sat))
        assert other.all_of(CheckFailed) == []
