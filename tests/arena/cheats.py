"""A bot that cheats if it can: it looks for the seed of the match, deals the packs again and sees the other's cards.

It plays as `Honest`, which is `docs/examples/bluffing_bot.py`, in all else: with the same dice, so that it does exactly
the same as long as it has found nothing.

    put-arena tests/arena/cheats.py:Cheat tests/arena/cheats.py:Honest --games 2000 --seed 3141592653589793
    PYTHON_SEED=3141592653589793 put-arena ...

In the second match it is told the seed, in a variable that the sandbox lets through.
"""

import gc
import importlib.util
import os
import random
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from put_arena.schedule import derived
from put_protocol.cards import Card, rank_of
from put_protocol.games.put import Moment, Put, PutView, See, ThrowIn
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.seats import Seat
from put_rules.game import Shuffle
from put_rules.registry import GAMES
from put_server.house.put.hand_evaluation import lead_results, reply_results
from put_server.house.put.observation import leader_of
from put_server.transport.shuffler import Shuffler
from tests.arena.spies import memory, read

BLUFFING = Path(__file__).parents[2] / "docs/examples/bluffing_bot.py"
_spec = importlib.util.spec_from_file_location("bluffing_bot", BLUFFING)
assert _spec is not None
assert _spec.loader is not None
bluffing = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(bluffing)
Honest: Any = bluffing.Bluffer

GIVEN = "PYTHON_SEED"
"""A variable in which it is told the seed, to show that it knows what to do with one."""

ROUNDS, FIRST, PACKS = 10, (2, 3), 8
"""Rounds of a match that it tries; packs of a game of which one is the first hand's, for the deal is drawn for; and
packs after the last one it has recognised."""

MOST_SEEDS = 80
"""Numbers that it tries as the seed: in /proc and in its own memory there are always some."""

MACHINE = GAMES["put-1674"].make(2, GAMES["put-1674"].offer.defaults)
SEATS = (Seat(0), Seat(1))


def _pack() -> tuple[Card, ...]:
    awaits = MACHINE.awaits(MACHINE.begin(Seat(0)))
    assert isinstance(awaits, Shuffle)
    return awaits.cards


PACK = _pack()
"""As it is before it is shuffled."""

_NUMBER = re.compile(rb"(?<![0-9])[0-9]{3,20}(?![0-9])")


class Place(NamedTuple):
    """A pack that it can deal."""

    shuffler: Shuffler
    name: str
    game: int
    pack: int

    def dealt(self) -> tuple[Card, ...]:
        """The pack."""
        return self.shuffler.shuffled(PACK, deal=(f"{self.name}, game {self.game}", self.pack))

    def followers(self) -> list["Place"]:
        """Those that may be dealt next."""
        later = [self._replace(pack=pack) for pack in range(self.pack + 1, self.pack + PACKS)]
        return later + [self._replace(game=self.game + 1, pack=pack) for pack in range(1, PACKS)]


class Cheat(Honest):  # type: ignore[misc]  # the example is loaded from its file
    """It looks once, and then tries what it found at every table."""

    seeds: ClassVar[tuple[int, ...] | None] = None
    """What may be the seed; None: it has not looked yet."""

    def __init__(self, dice: random.Random | None = None) -> None:
        super().__init__(dice)
        self._found: list[Place] = []
        """Where the hand before this one may have come from."""
        self._hands = 0
        """Looked at, at this table."""
        self._hand: object = None
        self._theirs: tuple[Card, ...] = ()
        """What the other was dealt in this hand; empty: it is not known."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        if type(self).seeds is None:
            type(self).seeds = tuple(dict.fromkeys(looked_for()))[:MOST_SEEDS]
        if isinstance(view, PutView) and self._hand != (self.info.games, view.hand):
            self._hand = self.info.games, view.hand
            self._theirs = self._recognise(view) or ()
        chosen: Action = super().choose(view, legal)
        return chosen

    def worth(self, view: PutView, action: Action) -> float:
        """As ever; but of a put it knows what comes of it, also whether one who plays as itself would see."""
        if not self._theirs or not isinstance(action, Put):
            honest: float = super().worth(view, action)
            return honest
        rival = Honest(random.Random(0))
        rival.seat = 1 - self.seat
        shown = replace(view, cards=self._left(view), moment=Moment.ANSWER, putter=self.seat, seen_by=())
        if rival.worth(shown, See()) > rival.worth(shown, ThrowIn()):
            return self.chance(view, None)
        need, theirs = (view.target - view.scores[seat] for seat in (self.seat, 1 - self.seat))
        given: float = bluffing.race(need - view.value, theirs)
        return given

    def _left(self, view: PutView) -> tuple[Card, ...]:
        """What the other has still to play."""
        gone = [c for t in (*view.past, view.trick) for s, c in zip(t.seats, t.cards, strict=True) if s != self.seat]
        return tuple([card for card in self._theirs if card not in gone])

    def chance(self, view: PutView, card: Card | None, daring: float = 1.0) -> float:
        """Of most tricks: for certain, where the other's cards are known."""
        if not self._theirs:
            honest: float = super().chance(view, card, daring)
            return honest
        strengths = {rank: -place for place, rank in enumerate(view.ranking)}
        theirs = tuple(sorted([strengths[rank_of(card)] for card in self._left(view)], reverse=True))
        held = sorted(view.cards, key=lambda c: strengths[rank_of(c)], reverse=True)
        mine = tuple([strengths[rank_of(c)] for c in held])
        ahead = view.tricks[self.seat] - view.tricks[1 - self.seat]
        led = [strengths[rank_of(c)] for c in view.trick.cards]
        assert view.eldest is not None
        leads = (leader_of(view, view.eldest) == self.seat) != bool(led)
        results: tuple[int, ...]
        if not leads:
            answers = reply_results(theirs, mine, led[0], -ahead) if led else lead_results(theirs, mine, -ahead)
            results = (-max(answers),)
        elif led:
            results = reply_results(mine, theirs, led[0], ahead)
        else:
            results = lead_results(mine, theirs, ahead)
        result = results[held.index(card)] if card is not None and leads else max(results)
        return (result + 1) / 2

    def _recognise(self, view: PutView) -> tuple[Card, ...] | None:
        """The other's cards, if its own are found in a pack that it can deal."""
        assert view.dealer is not None
        tricks = (*view.past, view.trick)
        own = {*view.cards, *(c for t in tricks for s, c in zip(t.seats, t.cards, strict=True) if s == self.seat)}
        self._hands += 1
        tried = [Place(*source, 1, pack) for source in sources(self.seeds or ()) for pack in FIRST]
        if self._hands > 1:
            tried = [after for place in self._found for after in place.followers()]
        mine, theirs = places(view.dealer)[self.seat], places(view.dealer)[1 - self.seat]
        packs = [(place, place.dealt()) for place in tried]
        packs = [(place, cards) for place, cards in packs if {cards[at] for at in mine} == own]
        self._found = [place for place, _ in packs]
        if self._hands == 1 or not packs:
            return None  # with so many tried, one or two give the right hand by chance
        return tuple([packs[0][1][at] for at in theirs])


@cache
def sources(seeds: tuple[int, ...]) -> tuple[tuple[Shuffler, str], ...]:
    """What may deal: each seed, and each name that packs may have, now or in the old way."""
    rounds = [f"match 1, round {number}" for number in range(1, ROUNDS + 1)]
    return tuple([(Shuffler(seed), name) for seed in seeds for r in rounds for name in (derived(seed, "deals", r), r)])


@cache
def places(dealer: int) -> tuple[tuple[int, ...], ...]:
    """Where in a pack the cards of each seat are."""
    state, _ = MACHINE.deal(MACHINE.begin(Seat(dealer)), PACK, None)
    return tuple([tuple([PACK.index(card) for card in MACHINE.view(state, seat).cards]) for seat in SEATS])


def looked_for() -> Iterator[int]:
    """Numbers that might be the seed: from its arguments and environment, from other processes, from files, and from
    what its own process holds, the orders of the runner among it."""
    if given := os.environ.get(GIVEN):
        yield int(given)
    yield from numbers([" ".join(sys.orig_argv).encode(), *os.environb.values()])
    for proc in Path("/proc").glob("[0-9]*"):
        yield from numbers([read(proc / "cmdline"), read(proc / "environ")])
        if proc.name != str(os.getpid()):
            yield from numbers(islice(memory(proc, 10_000), 100))
    for folder in (Path.cwd(), Path("/tmp"), Path("/dev/shm")):
        yield from numbers(read(path)[:10_000] for path in sorted(folder.glob("*.json*"))[:20])
    for one in gc.get_objects():
        if isinstance(one, dict):
            yield from (value for value in [*one.values()] if type(value) is int and value > 10**6)


def numbers(texts: Iterable[bytes]) -> Iterator[int]:
    """Those written out in texts, the longest first."""
    for text in texts:
        yield from sorted({int(found) for found in _NUMBER.findall(text)}, reverse=True)[:50]
