"""Thousands of tables of one rule set at once, compiled: two million steps a second on a core.

    env = VectorEnv("put-1674", tables=4096, seed=1)
    while learning:
        actions = choose(env.observations, env.masks)     # a row for each table, of the seat to move there
        rewards, ends = env.step(actions)                 # rewards by table and seat

`movers` has the seat that is to move at each table. When an episode ends, the next one begins in the same step:
`rewards` and `ends` are of the one that ended, and `observations` of the one that begins. Arrays are written anew at
each step, so copy what you keep.

For Put and its relatives with the standard options, without partners and without accidents; observations, actions,
episodes and rewards are those of `put_env.aec`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from put_env import vector_kernels
from put_env.env_table import Rewards, Table, Unit
from put_env.families import codec_of
from put_env.families.put import PutCodec
from put_protocol.games.put import Moment, Worth
from put_rules.game import OptionValue
from put_rules.put.rules import Offer, PutRules


class VectorEnv:
    """So many tables of one rule set.

    :raises ValueError: there is no such table, or no vectorised form of it.
    """

    def __init__(
        self,
        rule_set: str = "put-1674",
        seats: int = 0,
        *,
        tables: int = 1024,
        seed: int | None = None,
        unit: Unit | str = Unit.GAME,
        rewards: Rewards | str = Rewards.PURSE,
        **options: OptionValue,
    ) -> None:
        if tables < 1:
            raise ValueError(f"there must be a table at least, not {tables}")
        self.table = Table(rule_set=rule_set, seats=seats, options=options)
        self.codec = _checked(self.table)
        self._rules = _rules(self.codec, Unit(unit), Rewards(rewards))
        self._places = _places(self.codec)
        count, actions = self.table.seats, len(self.codec.actions)
        self.observations = np.zeros((tables, self.codec.layout.size), np.float32)
        """Observation of the seat to move at each table."""
        self.masks = np.zeros((tables, actions), np.int8)
        """1 for each legal action."""
        self.movers = np.zeros(tables, np.int8)
        """The seat to move at each table."""
        self.rewards = np.zeros((tables, count), np.float32)
        """Rewards of the last step, by seat."""
        self.ends = np.zeros(tables, np.bool_)
        """The last step ended an episode."""
        self._sampled = np.zeros(tables, np.int64)
        self._tables = vector_kernels.TableStates(
            hands=np.zeros((tables, vector_kernels.SIZE), np.int8),
            past=np.zeros((tables, count + 1, count), np.int8),
            takers=np.zeros((tables, count + 1), np.int8),
            scores=np.zeros((tables, count), np.int8),
            games=np.zeros((tables, count), np.int8),
            dealers=np.zeros(tables, np.int8),
            dealt=np.zeros((tables, count * (count + 1)), np.int8),
            pack=np.zeros(0, np.int8),
            chance=np.zeros(1, np.uint64),
        )
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """A new game at every table, with this seed's cards; None: with any."""
        drawn = np.random.default_rng(seed).integers(2**63, size=2, dtype=np.uint64)
        strengths = vector_kernels.BEST - np.arange(self._rules.ranks, dtype=np.int8).repeat(4)
        self._tables = self._tables._replace(pack=strengths.astype(np.int8), chance=drawn[:1].copy())
        self._own_chance = drawn[1:].copy()
        self._play(np.zeros(0, np.int64))

    def step(self, actions: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """One action at every table; gives `rewards` and `ends`.

        :raises ValueError: one is not legal, or there are not as many as tables; nothing changed.
        """
        if actions.shape != (len(self.movers),) or actions.dtype != np.int64:
            raise ValueError(f"actions must be {len(self.movers)} of int64, not {actions.shape} of {actions.dtype}")
        wrong = vector_kernels.first_illegal(self.masks, actions)
        if wrong >= 0:
            raise ValueError(f"action {actions[wrong]} at table {wrong} is not legal there now")
        self._play(actions)
        return self.rewards, self.ends

    def _play(self, actions: npt.NDArray[Any]) -> None:
        results = vector_kernels.Results(self.observations, self.masks, self.movers, self.rewards, self.ends)
        vector_kernels.step_all(self._tables, self._rules, self._places, actions, results)

    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action for each table, all equally likely; written anew at each call."""
        vector_kernels.sample_all(self.masks, self._own_chance, self._sampled)
        return self._sampled

    def dealt(self, table: int) -> tuple[int, tuple[tuple[str, ...], ...]]:
        """Dealer of the last deal at a table, and the ranks that each seat was dealt."""
        count, ranks = self.table.seats, self._rules.ranks
        dealer = int(self._tables.dealers[table])
        names = self.codec.actions[:ranks]
        cards = [names[vector_kernels.BEST - strength].partition(" ")[2] for strength in self._tables.dealt[table]]
        each = count + 1
        from_eldest = [tuple(cards[each * seat : each * (seat + 1)]) for seat in range(count)]
        return dealer, tuple([from_eldest[(seat - dealer - 1) % count] for seat in range(count)])

    def scores(self) -> npt.NDArray[np.int8]:
        """The score of each seat at each table, as it stands."""
        return self._tables.scores.copy()


def _checked(table: Table) -> PutCodec:
    """Codec of a table.

    :raises ValueError: there is no vectorised form of it.
    """
    codec = codec_of(table)
    if not isinstance(codec, PutCodec):
        raise ValueError(f"{table.rule_set} has no vectorised form: only Put and its relatives have one")
    rules = codec.terms.rules
    if rules.is_partnership:
        raise ValueError(f"{table.rule_set} has no vectorised form: games in partnerships have none")
    if rules.misdeals or table.options["arranged"]:
        raise ValueError("misdeals and arranged packs have no vectorised form")
    return codec


def _kind(rules: PutRules) -> int:
    """The name in `rank_hand` for what these rules let a player do."""
    may, kinds = rules.play.may, vector_kernels.rank_hand
    if rules.is_doubling:
        return int(kinds.DOUBLING)
    if Moment.OPENING in may:
        return int(kinds.OPENING_ONLY)
    if Moment.LAST_SAY in may:
        return int(kinds.STAGES)
    if rules.play.plain is Worth.GAME:
        return int(kinds.CONCESSIONS)
    assert may[Moment.REPLY] == (Offer.PLAY, Offer.PUT)
    return int(kinds.ANY_TURN)


def _rules(codec: PutCodec, unit: Unit, rewards: Rewards) -> vector_kernels.TableRules:
    rules = codec.terms.rules
    codes = {name: code for code, name in enumerate(codec.actions)}
    return vector_kernels.TableRules(
        kind=_kind(rules),
        seats=codec.terms.seats,
        ranks=len(codec.terms.ranks),
        target=rules.target,
        ties_go=int(rules.tied_trick == "first_winner"),
        rubber=rules.rubber if rules.is_rubber else 0,
        outright=2 if rules.outright == "double" else 1,
        is_anew=int(rules.drawn_put == "anew"),
        is_hand=int(unit is Unit.HAND),
        is_points=int(rewards is Rewards.POINTS),
        put=codes.get("put", codes.get("double", -1)),
        see=codes["see"],
        throw=codes["throw"],
        say_nothing=codes.get("pass", -1),
    )


def _places(codec: PutCodec) -> vector_kernels.Places:
    at = {block.name: block.at for block in codec.layout.blocks}
    at["held"] = at["count"]
    moments = next(block.labels for block in codec.layout.blocks if block.name == "moment")
    at |= {name: place for place, name in enumerate(moments)}
    return vector_kernels.Places(*[at.get(name, -1) for name in vector_kernels.Places._fields])
