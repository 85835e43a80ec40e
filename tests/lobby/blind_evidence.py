"""Evidence of blind deals, judged twice: by `put-verify`, and by a program that shares no code with it.

Games are played in `BlindLobby` at random, by clients with keys, people without, and the house. One guest at the table
keeps what they are told, as a client does.
"""

import json
import math
import random
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from put_client.fairness.verify import read_lines
from put_client.sdk.blind_table import BlindTable
from put_client.sdk.evidence import ReceivedTranscript
from put_protocol import messages
from put_protocol.deal_steps import begins_deal
from put_protocol.games.put import Play
from put_protocol.games.unions import Action
from put_rules.registry import GAMES
from tests.client.known_keys import KnownKeys
from tests.lobby.blind_lobby import BlindLobby, Guest

NODE = shutil.which("node")
VERIFIER = Path(__file__).parents[2] / "scripts" / "verify" / "verify.mjs"

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo")

SOME = 3
"""Deals of a game that is broken off."""
WHOLE = 8
"""One game in so many is played to its end."""
TURNS = 20
"""Turns of a campaign in which every mix has its turn once."""


class Keeping(Guest):
    """Keeps what they are told of the table, as a client keeps it."""

    transcript: ReceivedTranscript | None = None
    codec: BlindTable
    deals = 0
    """Deals that they were told of."""

    def hear(self, message: messages.ServerMessage) -> None:
        span = self.span
        super().hear(message)
        match message:
            case messages.TableSnapshot():
                is_first = self.transcript is None
                if self.transcript is None:
                    self.codec = BlindTable(message, KnownKeys(self.secret) if self.holds_key else None)
                    self.transcript = ReceivedTranscript(message)
                else:
                    self.transcript.add_own("dropped")
                if span:
                    self.transcript.add_own("span", data=span)
                    self.codec.resume(span)
                read = self.codec.read(message)
                if not is_first:
                    self.transcript.add(read)
            case messages.Events() if self.transcript is not None:
                for event in self.codec.read(message).events:
                    self.transcript.add(event)
                    self.deals += begins_deal(event.deal_steps())
            case _:
                pass

    def entry_of(self, action: Action) -> bytes:
        assert self.transcript is not None
        named = replace(action, card=self.cards.get(action.card, action.card)) if isinstance(action, Play) else action
        self.transcript.add_own("act", action=named)
        return super().entry_of(action)

    @property
    def lines(self) -> list[bytes]:
        assert self.transcript is not None
        return list(self.transcript.numbered())


class KeepingLobby(BlindLobby):
    guest_type = Keeping


class Found(NamedTuple):
    """What a verifier found in one file."""

    proved: int
    blamed: tuple[tuple[int, int, int], ...]
    """Deal, seat and kind of entry."""
    is_false: bool
    cut: int | None = None
    """The number of the last line before one that is missing."""


def renumbered(lines: Iterable[bytes]) -> list[bytes]:
    """Lines that were cut or altered, as a forger writes them."""
    numbered = [{**json.loads(line), "line": number} for number, line in enumerate(lines, 1)]
    return [json.dumps(line, separators=(",", ":")).encode() for line in numbered]


def by_python(lines: Iterable[bytes]) -> Found:
    (viewer,) = read_lines(lines)
    blamed = tuple([(one.deal, one.seat, one.kind.value) for one in viewer.deals.blames])
    return Found(viewer.deals.counts[None], blamed, bool(viewer.verdict().failures), viewer.cut)


def by_node(files: list[list[bytes]]) -> list[Found]:
    """The same of many files at once."""
    assert NODE is not None
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.jsonl" for number in range(len(files))]
        for path, lines in zip(paths, files, strict=True):
            path.write_bytes(b"\n".join(lines) + b"\n")
        done = subprocess.run([NODE, VERIFIER, *paths], capture_output=True, text=True, timeout=3_600, check=False)
    assert done.stderr == ""
    return [
        Found(one["proved"], tuple(map(tuple, one["blamed"])), bool(one["findings"]), one["cut"])
        for one in json.loads(done.stdout)["viewers"]
    ]


def played(
    game: str, keys: str, seed: int, *, drops: bool = False, deals: float = math.inf, **options: int | str
) -> Keeping:
    """A game from its beginning to its end, or until so many deals are over. `keys`: a letter a seat: k holds a key, n
    is a person who does not, h is the house; and a k or n more looks on. Returns the guest who kept what they were
    told."""
    seats = len(keys.rstrip("*"))
    rig = KeepingLobby(seed)
    guests = [
        rig.arrive(name, holds_key=key == "k") for name, key in zip(NAMES, keys[:seats], strict=False) if key != "h"
    ]
    table = rig.open(guests[0], game, seats, **options)
    witness = guests[0]
    if keys.endswith("*"):
        witness = rig.arrive("Zoe", holds_key=False)
        rig.ask(witness, messages.Watch, table)
    for guest in guests:
        rig.sit(guest, table)
    for _ in range(keys.count("h")):
        rig.ask(guests[0], messages.Invite, table, house="steady")
    assert isinstance(witness, Keeping)
    while witness.deals <= deals and rig.step():
        if drops and rig.random.random() < 0.02:
            rig.lose(witness)
            rig.step()
            rig.come_back(witness, has_lost=rig.random.random() < 0.5)
    assert witness.deals > deals or not rig.table(table).model.is_playing
    return witness


def mixes() -> Iterator[tuple[str, str]]:
    """Every rule set, for each number of seats and each mix of holders of keys in which at least one client holds one;
    and from the gallery."""
    for game, rule_set in GAMES.items():
        for seats in rule_set.offer.seats:
            for held in range(seats):
                keys = "k" * (seats - held) + ("n" + "h" * seats)[:held]
                yield game, keys
            yield game, "k" * seats + "*"


def campaign(seed: int, turn: int) -> int:
    """Some deals of every mix in so many turns, with drops, and later of some mixes a game to its end; both verifiers
    accept them and say the same. Prints the deals of each, and returns the sum."""
    dice, total = random.Random(seed * 1_000_003 + turn), 0
    numbered = list(enumerate(mixes()))
    again, part = divmod(turn, TURNS)
    chosen = random.Random(seed + again).sample(numbered, len(numbered))[part::TURNS]
    files, ours = list[list[bytes]](), list[Found]()
    for number, (game, keys) in chosen:
        deals = math.inf if again and (number + again) % WHOLE == 0 else SOME
        files.append(played(game, keys, dice.randrange(2**32), drops=dice.random() < 0.5, deals=deals).lines)
        ours.append(by_python(files[-1]))
    for (_, (game, keys)), one, other in zip(chosen, ours, by_node(files), strict=True):
        assert one == other, f"{game} {keys}: {one}, {other}"
        assert one.proved > 0, f"{game} {keys}"
        assert not one.is_false, f"{game} {keys}"
        print(f"{game} {keys}: {one.proved} deals", flush=True)
        total += one.proved
    return total
