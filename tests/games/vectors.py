"""Vector files: games in readable text, and what everybody saw of them. The format is in tests/vectors/README.md.

    python -m tests.games.vectors --write FILE...

rewrites the expected part of the files from what the machine does: a diff to be reviewed against the sources, line by
line, before it is believed.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from put_protocol.cards import Card
from put_protocol.games import put, triomphe
from put_protocol.games.family import Family
from put_protocol.games.unions import Action, Event, GameView
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import TimedOut
from put_rules.game import Game, Over, Purpose, Shuffle, Turn
from put_rules.registry import GAMES
from put_server.lobby.options import checked_options, checked_seats
from tests.conformance.random_games import Act, Expire, Input, Leave, Pack, Setup, Step, apply
from tests.games.event_checks import Follower

FOLDER = Path(__file__).parents[1] / "vectors"
KEYS = ("source", "claim", "game", "seats", "options", "dealer")


class VectorError(ValueError):
    """A vector file that cannot be read or played; says which line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A vector file: its header, and all its lines."""

    source: str
    claim: str
    setup: Setup
    chosen: tuple[str, ...]
    """The options that the file names."""
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def files() -> tuple[Path, ...]:
    """Every vector file."""
    return tuple(sorted(FOLDER.glob("*/*.txt")))


# --- reading ---


def read(path: Path) -> Vector:
    """A vector file, parsed.

    :raises VectorError: it is not one.
    """
    lines = path.read_text("utf-8").splitlines()
    header: dict[str, str] = {}
    for number, line in enumerate(lines[: len(KEYS)], 1):
        key, colon, value = line.partition(": ")
        if not colon or key != KEYS[number - 1]:
            raise VectorError(f"{path}:{number}: expected `{KEYS[number - 1]}: ...`")
        header[key] = value
    if len(header) < len(KEYS):
        raise VectorError(f"{path}: the header is too short")
    offer = GAMES[header["game"]].offer
    asked: dict[str, str | int] = {}
    if header["options"] != "default":
        for item in header["options"].split(", "):
            name, _, value = item.partition(" ")
            asked[name] = int(value) if value.isdigit() else value
    setup = Setup(
        name=offer.name,
        seats=checked_seats(offer, int(header["seats"])),
        options=checked_options(offer, asked),
        dealer=None if header["dealer"] == "draw" else Seat(int(header["dealer"])),
    )
    return Vector(
        source=header["source"],
        claim=header["claim"],
        setup=setup,
        chosen=tuple(asked),
        lines=tuple(lines),
    )


def given_by(words: str, setup: Setup, game: Game[Any, Any], state: Any) -> Input:
    """What an input line, without its mark, gives.

    :raises VectorError: not an input, or not of the seat to move.
    """
    who, _, what = words.partition(":")
    what = what.strip()
    awaits = game.awaits(state)
    if who == "pack":
        if not isinstance(awaits, Shuffle):
            raise VectorError("no pack is awaited")
        cards, _, accident = what.partition("; ")
        first = (*setup.top(awaits), *map(Card, cards.split()))
        whole = filled_up(first, awaits.cards)
        if accident or awaits.misdeals:
            whole = with_accident(game, state, whole, len(first), accident)
        return Pack(whole)
    seat = Seat(int(who.removeprefix("seat ")))
    if what == "leaves":
        return Leave(seat)
    if not isinstance(awaits, Turn) or awaits.seat != seat:
        raise VectorError(f"seat {seat} is not to move")
    return Expire() if what == "time" else Act(action_of(what, setup.family))


def action_of(words: str, family: Family) -> Action:
    """An action from its notation: its name on the wire without its family's, and its field's value if it has one, such
    as `play 3s`, `trade 3w 4u`, `bet 2`.

    :raises VectorError: the family has no such action.
    """
    name, *values = words.split(" ")
    for kind in family.actions:
        tag = str(kind.__struct_config__.tag)
        if short(tag) != name:
            continue
        fields: dict[str, object] = {"do": tag}
        for field in msgspec.structs.fields(kind):
            is_many = isinstance(msgspec.inspect.type_info(field.type), msgspec.inspect.VarTupleType)
            fields[field.encode_name] = values if is_many else " ".join(values)
        action: Action = msgspec.convert(fields, Action, strict=False)
        if notation(action) == words:
            return action
    raise VectorError(f"{family.name} has no action `{words}`")


def notation(action: Action) -> str:
    """The opposite of `action_of`."""
    tag, *values = msgspec.to_builtins(action).values()
    return " ".join([short(tag), *(worded(value) for value in values)])


def short(tag: str) -> str:
    """A tag without its family's name."""
    return tag.rpartition(".")[2]


def worded(value: object) -> str:
    """The value of a field, as builtins have it, in a vector's line."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case dict():
            return "(" + " ".join(map(worded, value.values())) + ")"
        case list() | tuple():
            return " ".join(map(worded, value)) or "none"
        case _:
            return str(value)


def filled_up(first: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """A whole pack: these cards on top, and below them the others as they come fresh from the wrapper."""
    if len(set(first)) < len(first) or not set(first) <= set(cards):
        raise VectorError("these are not different cards of the pack")
    return first + tuple(card for card in cards if card not in first)


# --- accidents ---

TRIES = 3_000
"""Orders of the undealt cards to look through: where half the deals have an accident, the rarest (by law 4, with four
seats, a certain card of six) is one order in 180."""


def with_accident(
    game: Game[Any, Any], state: Any, pack: tuple[Card, ...], given: int, accident: str
) -> tuple[Card, ...]:
    """The pack with the cards that the file does not name in an order by which this accident befalls the deal: `law 4,
    2s`, or nothing for none.

    :raises VectorError: no such order was found.
    """
    law, _, card = accident.removeprefix("law ").partition(", ")
    rng = Random(0)
    for _ in range(TRIES):
        found = accident_of(game, state, pack)
        if found == (None if not accident else (int(law), card)):
            return pack
        rest = list(pack[given:])
        rng.shuffle(rest)
        pack = (*pack[:given], *rest)
    raise VectorError(f"no pack was found with `{accident}`")


def accident_of(game: Game[Any, Any], state: Any, pack: tuple[Card, ...]) -> tuple[int, str] | None:
    """The law of the accident in this deal, and the card seen, or to be drawn if the deal stands."""
    after, facts = game.deal(state, pack)
    found = [event for event in Step(None, facts, after).seen_by(GALLERY) if isinstance(event, put.Accident)]
    if not found:
        return None
    (accident,) = found
    if accident.card is not None:
        return accident.law, accident.card
    counts = game.view(after, GALLERY).counts
    stands, _ = game.act(after, put.Abide())
    kept = {card for seat in range(len(counts)) for card in game.view(stands, Seat(seat)).cards}
    (drawn,) = set(pack[: sum(counts)]) - kept
    return accident.law, drawn


# --- playing ---


def steps(vector: Vector) -> Iterator[tuple[int, Step]]:
    """The game of a vector: each input's line, from 0, and the step it made. Every viewer's views are checked against
    the events they saw.

    :raises VectorError: an input line cannot be played; the line is named.
    """
    game = vector.setup.game()
    state = game.begin(vector.setup.dealer)
    followers = {viewer: Follower(viewer, game.view(state, viewer)) for viewer in vector.setup.viewers}
    for number, line in enumerate(vector.lines):
        if not line.startswith("> "):
            continue
        try:
            given = given_by(line.removeprefix("> "), vector.setup, game, state)
            state, facts = apply(game, state, given)
        except ValueError as error:
            raise VectorError(f"line {number + 1}, `{line}`: {error!r}") from error
        step = Step(given, facts, state)
        for viewer, follower in followers.items():
            follower.apply_event(step.seen_by(viewer))
            follower.check(game.view(state, viewer), game.awaits(state), game.moment(state))
        yield number, step


def rewritten(vector: Vector) -> str:
    """The text of a vector with its expected part as the machine has it."""
    game = vector.setup.game()
    expected = {number: expectation(game, vector.setup, step) for number, step in steps(vector)}
    lines: list[str] = []
    for number, line in enumerate(vector.lines):
        if not line.startswith("    "):
            lines.append(line)
        lines.extend(f"    {told}" for told in expected.get(number, ()))
    return "".join(f"{line}\n" for line in lines)


def expectation(game: Game[Any, Any], setup: Setup, step: Step) -> list[str]:
    """What follows an input: the events as each viewer sees them, then how things stand."""
    told = {viewer: [rendered(event) for event in step.seen_by(viewer)] for viewer in setup.viewers}
    lines: list[str] = []
    everyone = told[GALLERY]
    if all(seen == everyone for seen in told.values()):
        lines += [f"all: {event}" for event in everyone]
    else:
        lines += [f"{named(viewer)}: {event}" for viewer, seen in told.items() for event in seen]
    return [*lines, standing(game, step.state)]


def named(viewer: Viewer) -> str:
    return viewer if viewer == GALLERY else f"seat {viewer}"


TASKS = {put.Moment.ACCIDENT: "settle", put.Moment.OPENING: "open", put.Moment.LAST_SAY: "say last"}
"""What a seat is to do, where the name of the moment is no verb."""


def standing(game: Game[Any, Any], state: Any) -> str:
    """The scores, whose move it is, and what they may do."""
    view = game.view(state, GALLERY)
    if not isinstance(view, put.PutView):
        return purses_standing(game, state, view)
    scores = f"scores {numbers(view.scores)}" + (
        f"; value {view.value}" if view.value > 1 and view.to_move is not None else ""
    )
    awaits = game.awaits(state)
    match awaits:
        case Turn(seat=seat):
            assert view.moment is not None
            task = TASKS.get(view.moment, view.moment)
            return f"now: {scores}; seat {seat} to {task}: {listed(game.legal(state))}"
        case Shuffle():
            purpose = "draw for the deal" if state.drawing else f"deal, dealer {state.dealer}"
            return f"now: {scores}; a pack to {purpose}"
        case Over(dealer=dealer):
            return f"result: {scores}; paid {payments(game.paid(state))}; next dealer {dealer}"


PACKS = {Purpose.DRAW: "draw for the deal", Purpose.HAND: "deal", Purpose.STOCK: "renew the stock"}


def purses_standing(game: Game[Any, Any], state: Any, view: GameView) -> str:
    """The same of a game that is reckoned in purses."""
    paid = f"purses {payments(game.paid(state))}; pot {game.pot(state)}"
    awaits = game.awaits(state)
    match awaits:
        case Turn(seat=seat):
            return f"now: {paid}; seat {seat} to {view.moment}: {listed(game.legal(state))}"
        case Shuffle(purpose=purpose):
            return f"now: {paid}; a pack to {PACKS[purpose]}"
        case Over(dealer=dealer):
            return f"result: {paid}; next dealer {dealer}"


def listed(legal: tuple[Action, ...]) -> str:
    """Legal actions in their order, the cards of one kind together: `play 3s 2h, put`."""
    kinds: dict[str, list[str]] = {}
    for action in legal:
        name, _, value = notation(action).partition(" ")
        kinds.setdefault(name, []).append(value.replace(" ", "+"))
    return ", ".join(" ".join([name, *values]).strip() for name, values in kinds.items())


def rendered(event: Event) -> str:
    """An event in a line."""
    match event:
        case put.Drawn(seats=seats, cards=cards, tied=tied):
            draws = ", ".join(f"{seat} draws {card}" for seat, card in zip(seats, cards, strict=True))
            return f"{draws}; tied {numbers(tied)}" if tied else draws
        case put.DealerFound(seat=seat):
            return f"{seat} deals first"
        case put.Dealt(hand=hand, dealer=dealer, eldest=eldest, counts=counts, cards=cards):
            own = f", dealt {' '.join(cards)}" if cards else ""
            return f"hand {hand}, dealer {dealer}, eldest {eldest}, counts {numbers(counts)}{own}"
        case put.Played(seat=seat, card=card, leads=leads):
            return f"{seat} {'leads' if leads else 'plays'} {card}"
        case put.DidPut(seat=seat):
            return f"{seat} puts"
        case put.Doubled(seat=seat, value=value):
            return f"{seat} doubles to {value}"
        case put.Saw(seat=seat, value=value):
            return f"{seat} takes it, value {value}" if value else f"{seat} sees"
        case put.Passed(seat=seat):
            return f"{seat} says nothing"
        case put.LetGive(seat=seat):
            return f"{seat} lets the partner give"
        case put.Gave(seat=seat, to=to, card=card):
            return f"{seat} gives {to} {card or 'a card'}"
        case put.Discarded(seat=seat, card=card):
            return f"{seat} discards {card or 'a card'}"
        case put.Accident(law=law, seat=seat, card=card):
            return f"accident, law {law}: {seat} " + (f"shows {card}" if card else "has a card too many")
        case put.FreshDeal(seat=seat, points=points, scores=scores):
            caller = "" if seat is None else f" called by {seat}"
            return f"fresh deal{caller}, points {points}, scores {numbers(scores)}"
        case put.ExtraDrawn(seat=seat):
            return f"{seat} has a card drawn"
        case put.TakenUp(counts=counts, cards=cards):
            own = f", holds {' '.join(cards)}" if cards else ""
            return f"hands taken up, counts {numbers(counts)}{own}"
        case TimedOut(seat=seat):
            return f"{seat} runs out of time"
        case put.ThrewIn(seat=seat, cause=cause):
            return f"{seat} throws in" + ("" if cause is put.Cause.CHOICE else f" ({cause})")
        case put.TrickEnded(number=number, winner=winner, leader=leader, tricks=tricks):
            outcome = "tied" if winner is None else f"to {winner}"
            return f"trick {number} {outcome}, tricks {numbers(tricks)}, next leader {leader}"
        case put.HandEnded(how=how, winner=winner, points=points, scores=scores, anew=anew):
            outcome = str(how) if winner is None else f"to {winner} ({how})"
            return f"hand {outcome}, points {points}, scores {numbers(scores)}{', anew' if anew else ''}"
        case put.GameEnded(how=how, winners=winners, scores=scores, paid=paid, rubber=rubber):
            games = f", rubber {numbers(rubber)}" if rubber else ""
            return f"game to {numbers(winners)} ({how}), scores {numbers(scores)}, paid {payments(paid)}{games}"
        case triomphe.Dealt(hand=hand, dealer=dealer, eldest=eldest, stakes=stakes, counts=counts, cards=cards):
            own = f", dealt {' '.join(cards)}" if cards else ""
            who = f"dealer {dealer}, eldest {eldest}"
            return f"hand {hand}, {who}, stakes {numbers(stakes)}, counts {numbers(counts)}{own}"
        case triomphe.Played(seat=seat, card=card, leads=leads):
            return f"{seat} {'leads' if leads else 'plays'} {card}"
        case triomphe.TrickEnded(number=number, winner=winner, tricks=tricks):
            return f"trick {number} to {winner}, tricks {numbers(tricks)}"
        case triomphe.Declared(seat=seat, cards=cards, paid=paid):
            return f"{seat} declares {' '.join(cards)}, paid {paid}"
        case _:
            return fields_of(event)


def fields_of(event: Event) -> str:
    """An event's name, and its fields but those that have nothing to say."""
    tag, *fields = msgspec.to_builtins(event).items()
    said = [f"{name} {worded(value)}" for name, value in fields]
    return short(tag[1]) + (f": {', '.join(said)}" if said else "")


def numbers(items: tuple[int, ...]) -> str:
    return " ".join(map(str, items))


def payments(paid: tuple[int, ...]) -> str:
    return " ".join(f"{gain:+d}" if gain else "0" for gain in paid)


def main(arguments: list[str]) -> int:
    if arguments[:1] != ["--write"] or len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    for path in map(Path, arguments[1:]):
        vector = read(path)
        text = rewritten(vector)
        if text != vector.text:
            path.write_text(text, "utf-8")
            print(f"rewritten: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
