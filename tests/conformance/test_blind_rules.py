"""Games that can be dealt blind are the same games when the server knows most cards by their places alone."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from put_protocol.cards import Card, place_card
from put_protocol.games.put import Play
from put_protocol.rule_sets import has_hands
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo
from put_rules import record
from put_rules.facts import seen_by
from put_rules.game import IllegalAction, NotAwaited, OptionValue, Purpose, Shuffle
from put_rules.live_deal import reduced
from put_rules.record import GameRecord
from put_rules.registry import GAMES
from put_rules.steps import Steps, fold, with_shown
from put_server.table.blind_deals import owners_of
from tests.conformance import random_games
from tests.conformance.random_games import Setup, Step, encode, random_game, random_setup, random_temper
from tests.conformance.tables import TRIED, Table, rng_of
from tests.repetitions import TIMES


def blind_setup(rng: Random, table: Table) -> Setup:
    """A random table at which no accident, and no arrangement, shows cards."""
    setup = random_setup(rng, table.name, table.seats, short=1.0)
    plain: dict[str, OptionValue] = {"misdeals": 0, "arranged": ""}
    options = {name: plain.get(name, value) for name, value in setup.options.items()}
    return Setup(name=setup.name, seats=setup.seats, options=options, dealer=setup.dealer)


def is_blind(table: Table) -> bool:
    return not blind_setup(Random(0), table).game().needs_hands()


at_every_blind_table = pytest.mark.parametrize("table", [table for table in TRIED if is_blind(table)], ids=str)


@at_every_blind_table
def test_each_deal_has_hands_of_the_size_that_clients_expect(table: Table) -> None:
    """After players have left, too. A client gives no shares of another deal."""
    for setup, played, _, _ in blind_games(table):
        info = TableInfo(1, setup.name, setup.options, (SeatInfo(),) * setup.seats, ClockInfo())
        game = setup.game()
        for step in played:
            wanted = game.awaits(step.state)
            if isinstance(wanted, Shuffle):
                assert has_hands(info, owners_of(wanted, is_read=False)), (setup, wanted)


def blind_record(setup: Setup, played: list[Step], readable: frozenset[Seat]) -> GameRecord:
    """The record of a game in which the server can read the hands of these seats alone."""
    game, steps, places = setup.game(), Steps(), dict[Card, int]()
    before = played[0].state
    for at, step in enumerate(played[1:], 1):
        given: record.Input
        match step.given:
            case random_games.Pack(cards=cards):
                wanted = game.awaits(before)
                assert isinstance(wanted, Shuffle)
                is_hidden = wanted.purpose is Purpose.HAND
                to = wanted.to if is_hidden else ()
                places = {cards[place]: place for place, seat in enumerate(to) if seat not in readable}
                given = record.Pack(
                    tuple(
                        place_card(place) if is_hidden and (place >= len(to) or card in places) else card
                        for place, card in enumerate(cards)
                    )
                )
            case random_games.Act(action=Play(card=card) as action):
                given = record.Move(action, places.get(card))
            case random_games.Act(action=action):
                given = record.Move(action)
            case random_games.Expire():
                given = record.Expiry()
            case random_games.Leave(seat=seat):
                given = record.Departure(seat)
            case None:
                raise AssertionError("only the beginning has no input")
        steps.add(at, given)
        before = step.state
    told = random_games.record_of(setup, [])
    return replace(told, steps=steps.packed())


def blind_games(table: Table) -> Iterator[tuple[Setup, list[Step], frozenset[Seat], GameRecord]]:
    for seed in range(4 * TIMES):
        rng = rng_of(table, seed)
        setup = blind_setup(rng, table)
        played = list(random_game(rng, setup, random_temper(rng)))
        readable = frozenset(seat for seat in map(Seat, range(table.seats)) if seed and rng.random() < 0.3)
        yield setup, played, readable, blind_record(setup, played, readable)


def with_cards(data: bytes, names: dict[Card, Card]) -> object:
    """What was encoded, with the cards of places in their stead."""

    def named(value: object) -> object:
        match value:
            case str():
                return names.get(Card(value), value)
            case dict():
                return {key: named(one) for key, one in value.items()}
            case list():
                return [named(one) for one in value]
            case _:
                return value

    return named(msgspec.msgpack.decode(data))


@at_every_blind_table
def test_blind_game_is_the_same_game(table: Table) -> None:
    """Each viewer is told the same, and may do the same; but the player of a hand that the server cannot read is told
    its places, and nobody else is told any place."""
    for setup, played, readable, blind in blind_games(table):
        game, names = setup.game(), dict[Card, Card]()
        for step, known in zip(fold(blind, game), played, strict=True):
            if isinstance(known.given, random_games.Pack):
                names = {place_card(place): card for place, card in enumerate(known.given.cards)}
            for viewer in setup.viewers:
                told = encode((seen_by(step.facts, viewer), game.view(step.state, viewer)))
                heard = encode((known.seen_by(viewer), game.view(known.state, viewer)))
                assert with_cards(told, names) == with_cards(heard, {})
                if viewer == GALLERY or viewer in readable:
                    assert b"#" not in told
            legal = encode(game.legal(step.state))
            assert with_cards(legal, names) == with_cards(encode(game.legal(known.state)), {})


@at_every_blind_table
def test_nothing_more_is_known_when_the_game_is_over(table: Table) -> None:
    """What is kept of a blind game tells the same of it to all viewers as the game did. On its sheet a card that was
    shown has its name from the beginning; all others are places still."""
    for setup, _, _, blind in blind_games(table):
        game = setup.game()
        kept = reduced(blind, game)
        for first, again in zip(fold(blind, game), fold(kept, game), strict=True):
            viewers: list[Viewer] = list(setup.viewers)
            assert [seen_by(again.facts, viewer) for viewer in viewers] == [
                seen_by(first.facts, viewer) for viewer in viewers
            ]
        sheet = with_shown(blind)
        for first, again in zip(fold(blind, game), fold(sheet, game), strict=True):
            assert seen_by(again.facts, GALLERY) == seen_by(first.facts, GALLERY)
            if isinstance(again.input, record.Move):
                assert again.input.place is None


def test_card_is_played_by_its_name_alone() -> None:
    """A card that was not shown cannot be played, nor one named that lies on the table, or in no hand."""
    game = GAMES["put-1674"].make(2, {})
    state, _ = game.deal(game.begin(Seat(0)), tuple(map(place_card, range(52))))
    first = game.legal(state)[0]
    with pytest.raises(IllegalAction):
        game.act(state, first)
    place = 0 if first == Play(place_card(0)) else 1
    state, _ = game.act(game.name(state, place, Card("3s")), Play(Card("3s")))
    for other, card in ((1 - place, Card("3s")), (place, Card("2s")), (40, Card("2s")), (1 - place, Card("0t"))):
        with pytest.raises(NotAwaited):
            game.name(state, other, card)
