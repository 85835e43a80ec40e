"""Tampering with what a viewer was told, in one place: any field of any message, or the order they come in."""

from random import Random
from typing import Any

import msgspec

from tests.seal.viewings import Snapshot, Step


def tampered(rng: Random, steps: list[Step]) -> list[Step]:
    """The steps with one of them altered, left out, told twice or told late."""
    steps = list(steps)
    at = rng.randrange(len(steps))
    kind = rng.random()
    if kind < 0.1:
        del steps[at]
    elif kind < 0.2:
        steps.insert(at + 1, steps[rng.randrange(len(steps))])
    elif kind < 0.3:
        steps.insert(min(at + rng.randint(1, 3), len(steps) - 1), steps.pop(at))
    elif kind < 0.36:
        steps.insert(at, rng.choice(("dropped", "renew", "withdraw", "counted")))
    else:
        steps[at] = _altered(rng, steps[at])
    return steps


def _altered(rng: Random, step: Step) -> Step:
    if isinstance(step, str):
        return step
    if isinstance(step, Snapshot):
        return Snapshot(step.sealed, step.links[1:], not step.is_in_play)
    plain = msgspec.to_builtins(step, builtin_types=(bytes,))
    while True:
        other = _changed(rng, plain)
        try:
            return msgspec.convert(other, type(step))
        except msgspec.ValidationError:  # as no connection would have passed it on
            continue


def _changed(rng: Random, plain: Any) -> Any:
    """The same with one value in it changed for another of its kind."""
    match plain:
        case dict():
            name = rng.choice(list(plain))
            return plain | {name: _changed(rng, plain[name])}
        case list() | tuple():
            return _changed_list(rng, list(plain))
        case bool():
            return not plain
        case int():
            return plain + rng.choice((-1, 1, rng.randrange(20)))
        case bytes():
            at = rng.randrange(len(plain))
            return plain[:at] + bytes([plain[at] ^ 1 << rng.randrange(8)]) + plain[at + 1 :]
        case str():
            return rng.choice(("3s", "Ad", "10h", "7c", plain))
        case _:
            return rng.choice((None, rng.randbytes(32), "2h"))


def _changed_list(rng: Random, items: list[Any]) -> list[Any]:
    if not items or rng.random() < 0.3:
        if len(items) > 1 and rng.random() < 0.5:
            rng.shuffle(items)
        elif items and rng.random() < 0.5:
            items.pop(rng.randrange(len(items)))
        else:
            items.append(items[0] if items else rng.randrange(3))
        return items
    at = rng.randrange(len(items))
    items[at] = None if rng.random() < 0.1 else _changed(rng, items[at])
    return items
