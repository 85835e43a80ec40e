"""Clients of a server that cheats: who catches it, what everybody is told, and the evidence that is kept."""

import asyncio
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from put_client import Record, play
from put_client.sdk.deal_checks import ProofStanding, SealBroken
from put_client.sdk.errors import Cheated
from put_protocol.games.put import Put
from put_protocol.games.unions import Event
from put_protocol.seal.findings import Failure, Fault
from put_protocol.seal_events import Openings
from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_events import Said
from put_rules.live_deal import CardProver, LiveDeal
from put_server.table.sealed_deal import SealedDeal
from tests.client.checking_players import Calm, Noting, close, guest, house, look_on, sit_down
from tests.seal.test_verifiers import needs_node, verified

THIRD = 3
"""The deal from which on it cheats."""


def swap_cards(patch: pytest.MonkeyPatch) -> None:
    """The first card dealt is changed for one that nobody was to get, after the cuts."""
    honest = SealedDeal.dealt

    def dealt(deal: SealedDeal, table: int, *, opens_after: bool) -> LiveDeal:
        live = honest(deal, table, opens_after=opens_after)
        if deal.sealed.deal < THIRD:
            return live
        first, *others, last = live.pack.cards
        return LiveDeal(replace(live.pack, cards=(last, *others, first)), live.prover)

    patch.setattr(SealedDeal, "dealt", dealt)


def alter_openings(
    patch: pytest.MonkeyPatch, alter: Callable[[Openings], Openings], *, of: Viewer | None = None
) -> None:
    """Of this viewer, or of everybody."""
    honest = CardProver.openings_due

    def see(prover: CardProver, viewer: Viewer, events: Iterable[Event]) -> Openings | None:
        told = honest(prover, viewer, events)
        is_altered = told is not None and told.deal >= THIRD and of in (None, viewer)
        return alter(told) if is_altered and told is not None else told

    patch.setattr(CardProver, "openings_due", see)


def prove_nothing(patch: pytest.MonkeyPatch) -> None:
    """Cards come without proofs."""
    alter_openings(patch, lambda told: replace(told, openings=()))


def open_with_other_noise(patch: pytest.MonkeyPatch) -> None:
    """Envelopes had other noise in them than is said now."""
    noisy = tuple
    alter_openings(patch, lambda told: replace(told, openings=noisy(replace(o, salt=bytes(32)) for o in told.openings)))


def turn_up_nothing(patch: pytest.MonkeyPatch) -> None:
    """The pack that is not played stays face down."""
    alter_openings(patch, lambda told: replace(told, turned=None))


CHEATS = {
    swap_cards: (Fault.HOLDER, "it was not dealt to the player who showed it"),
    prove_nothing: (Fault.UNOPENED, "it was shown without an opening"),
    open_with_other_noise: (Fault.LEAF, "its opening does not give the root of the pack in play"),
    turn_up_nothing: (Fault.NOT_TURNED, "a pack that was due was not turned up"),
}


@pytest.fixture
async def caught(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Noting, Noting, Cheated]:
    """The player who caught the cheat, the adversary who checks nothing, and what was found."""
    request.param(monkeypatch)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        table = await moll.open_table("put-1674")
        mine, others = sit_down(table, moll, nan)
        with pytest.raises(Cheated) as error:
            await mine
        await nan.has_heard(Said)
        with pytest.raises(Cheated):
            await moll.act(table, 1, Put())
        others.cancel()
        await close(moll, nan)
        return moll, nan, error.value


@pytest.mark.parametrize("caught", CHEATS, indirect=True, ids=lambda cheat: cheat.__name__)
async def test_cheat_is_caught(caught: tuple[Noting, Noting, Cheated], state_home: Path, request: Any) -> None:
    """At the first card that is not as it was sealed: play ends there, the table hears why, and evidence is kept."""
    moll, nan, error = caught
    fault, says = CHEATS[request.node.callspec.params["caught"]]
    first = error.failures[0]
    assert isinstance(first, Failure)
    assert (first.fault, first.deal >= THIRD) == (fault, True)
    assert str(error).startswith("The dealer at table 1 does not deal fairly. Deal ")
    assert says in str(error)
    assert moll.standings[-1] is ProofStanding.BROKEN
    assert [one.error for one in moll.all_of(SealBroken)] == [error]
    (word,) = nan.all_of(Said)
    assert word.name == "Moll"
    assert word.text == f"I stop: d{first.says[1:]} I keep the evidence."
    assert error.evidence is not None
    assert error.evidence.parent == state_home / "evidence"
    assert stat.S_IMODE(error.evidence.stat().st_mode) == 0o600
    assert stat.S_IMODE(error.evidence.parent.stat().st_mode) == 0o700
    assert f"table-1_deal-{first.deal}" in error.evidence.name


@needs_node
@pytest.mark.parametrize("caught", CHEATS, indirect=True, ids=lambda cheat: cheat.__name__)
async def test_evidence_convinces_the_other_verifier(caught: tuple[Noting, Noting, Cheated]) -> None:
    """It finds the same in the file, and nothing else."""
    error = caught[2]
    assert error.evidence is not None
    (viewer,) = verified(error.evidence)["viewers"]
    assert viewer["viewer"] == 0
    assert viewer["findings"] == msgspec.to_builtins(list(error.failures))


async def test_evidence_that_cannot_be_kept_ends_play_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody says that it is."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    prove_nothing(monkeypatch)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        mine, others = sit_down(await moll.open_table("put-1674"), moll, nan)
        with pytest.raises(Cheated) as error:
            await mine
        await nan.has_heard(Said)
        others.cancel()
        await close(moll, nan)
    assert error.value.evidence is None
    assert nan.all_of(Said)[0].text.endswith(": it was shown without an opening.")


class Judging(Calm):
    """Notes the faults that it is told of."""

    def __init__(self) -> None:
        super().__init__(0)
        self.faults: list[Cheated] = []
        self.playing: asyncio.Future[Record] | None = None

    def on_fault(self, error: Cheated) -> None:
        assert self.playing is not None
        assert not self.playing.done(), "the error is raised afterwards"
        self.faults.append(error)


class Confused(Judging):
    """Fails when it hears of a fault."""

    def on_fault(self, error: Cheated) -> None:
        super().on_fault(error)
        raise RuntimeError("what now?")


@pytest.mark.parametrize("kind", [Judging, Confused])
async def test_bot_is_told_of_a_fault_before_it_is_raised(kind: type[Judging], monkeypatch: pytest.MonkeyPatch) -> None:
    """With the error; and it is raised whatever the bot makes of it."""
    prove_nothing(monkeypatch)
    async with house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan", sealed=False)
        table = await moll.open_table("put-1674")
        bot = kind()
        bot.playing = asyncio.ensure_future(play(bot, moll, table=table, games=2))
        (others,) = sit_down(table, nan)
        with pytest.raises(Cheated) as error:
            await bot.playing
        assert bot.faults == [error.value]
        assert not bot.is_proved
        others.cancel()
        await close(moll, nan)


async def test_gallery_catches_a_cheat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where those who sit are told the truth."""
    alter_openings(monkeypatch, lambda told: replace(told, turned=None), of=GALLERY)
    async with house() as server:
        moll, eve = await guest(server, "Moll"), await guest(server, "Eve")
        table = await moll.open_table("put-1674")
        await moll.invite(table)
        await eve.watch(table)
        watching = asyncio.ensure_future(look_on(eve))
        (playing,) = sit_down(table, moll, games=5)
        await eve.has_heard(SealBroken)
        await playing
        await close(moll, eve)
        await watching
    (broken,) = eve.all_of(SealBroken)
    assert broken.error.failures[0].fault is Fault.NOT_TURNED
    assert moll.all_of(SealBroken) == []
