"""Teach a network to play as a house player does: see `scripts.research.learn`.

python -m scripts.research.imitate doubling steady --out rival.npz
"""

import argparse
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.registry import GAMES
from put_server.house import registry
from put_server.house.put import rank_hand as by_ranks
from put_server.house.put.score_values import stake_rule_of
from put_server.house.put.sharp import win_probabilities
from put_server.house.put.view_reading import read_view
from put_server.house_runner import terms_at
from scripts.research.learn import HIDDEN, Net, policy

TABLES: dict[str, list[tuple[str, int, dict[str, str | int]]]] = {
    "any_turn": [
        ("put-1674", 2, {}), ("put-1674", 3, {}), ("put-1674", 4, {}), ("put-partners", 4, {"two_handed": "put-1674"}),
    ],
    "stages": [("put-1800", 2, {}), ("put-partners", 4, {}), ("put-1800", 2, {"pack": 32})],
    "concessions": [("put-parlett", 2, {}), ("put-parlett", 2, {"outright": "double"})],
    "opening": [("put-tavern", 2, {}), ("put-tavern", 3, {}), ("put-tavern", 4, {})],
    "doubling": [("truc", 2, {}), ("truc", 2, {}), ("truc", 2, {"ranking": "printed", "tied_trick": "first_winner"})],
}  # fmt: skip
"""Tables at which each kind of play is played."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Teach a network to play as a house player does.")
    parser.add_argument("kind", choices=sorted(TABLES))
    parser.add_argument("house", choices=sorted(registry.HOUSES))
    parser.add_argument("--choices", type=int, default=12_000, help="to learn from")
    parser.add_argument("--seats", type=int, nargs="+", help="only at tables of so many")
    parser.add_argument("--seed", type=int, default=1674)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    x, y, may = observed(options.kind, options.house, options.seats, options.choices, Random(options.seed))
    dice = np.random.default_rng(options.seed)
    kept = len(x) // 10
    net = Net((by_ranks.FEATURES, *HIDDEN, by_ranks.ACTIONS), dice)
    for at in range(rounds := 20):
        for part in np.array_split(dice.permutation(np.arange(kept, len(x))), max(1, len(x) // 256)):
            layers = net(x[part])
            net.learn(layers, (policy(layers[-1], may[part]) - y[part]) / len(part), 2e-3 * (1 - at / rounds))
            net.average(0.99)
    p = policy(net(x[:kept], net.mean)[-1], may[:kept])
    off = float(np.abs(p - y[:kept]).sum(1).mean() / 2)
    print(f"{options.kind}: {len(x)} choices of {options.house}; on others it differs by {off:.1%}")
    np.savez(options.out, *net.mean)


def observed(kind: str, house: str, only: list[int] | None, choices: int, dice: Random) -> tuple[Any, Any, Any]:
    """Views of the house player, and how often it then does what, in games in which everyone errs now and then."""
    tables = [table for table in TABLES[kind] if only is None or table[1] in only]
    seen_all: list[list[float]] = []
    mixtures: list[list[float]] = []
    may_all: list[list[int]] = []
    while len(seen_all) < choices:
        name, seats, chosen = dice.choice(tables)
        rule_set = GAMES[name]
        game: Any = rule_set.make(seats, {offer.name: offer.default for offer in rule_set.offer.options} | chosen)
        player: Any = registry.player(house, dice, terms_at(name, chosen))
        driver = Driver(game, Seat(0))
        for seat in driver.turns(shuffled_by(dice)):
            legal = driver.choices()
            view: Any = driver.view(seat)
            mixture = player.mixture(view, legal, seat)
            actions: Any = [choice.action for choice in legal]
            rank_view = read_view(view, actions, seat, chosen, opens=rule_set.has_opening)
            if rank_view is not None and len(rank_view.actions) > 1:
                seen, done, may = [0.0] * by_ranks.FEATURES, [0.0] * by_ranks.ACTIONS, [0] * by_ranks.ACTIONS
                by_ranks.fill_features(rank_view.hand, win_probabilities(stake_rule_of(view)), seen)
                for number, same in rank_view.actions.items():
                    done[number], may[number] = sum(mixture.get(action, 0.0) for action in same), 1
                seen_all.append(seen)
                mixtures.append(done)
                may_all.append(may)
            action = dice.choice(actions)
            if dice.random() > 0.1:
                action = dice.choices(list(mixture), list(mixture.values()))[0]
            driver.act(action)
    return (
        np.array(seen_all, np.float32),
        np.array(mixtures, np.float32),
        np.array(may_all, np.int8),
    )


if __name__ == "__main__":
    main()
