"""The remains of a deal that is over: everything that happened follows from them, and nothing that nobody saw."""

from collections.abc import Iterator
from functools import lru_cache, partial
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from put_protocol.cards import FULL_PACK, Card, in_order
from put_protocol.games.primero import Category, Showdown, ShownHand
from put_protocol.seal import packs
from put_protocol.seal.accidents import LUCK
from put_protocol.seal_events import HASH_BYTES, PackOpening
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.game import Game, Shuffle
from put_rules.live_deal import CardProver, DealFollower, follows_from_seal, reduced
from put_rules.record import GameRecord, Pack, Step
from put_rules.registry import GAMES
from put_rules.steps import Steps, fold, packed_steps
from put_rules.table_options import TableOptions
from put_server.game_sheet import sheet_of
from put_server.journal import records
from tests.conformance.random_games import SHORT, Setup, encode, random_setup, record_of, shuffled
from tests.conformance.tables import TABLES, Table, at_every_table, games_at, rng_of
from tests.games.sealed_games import sealed_record
from tests.repetitions import TIMES

SEALED = 10 * TIMES
"""Games with seals at each table."""


class Reduced(NamedTuple):
    """A record with everything in it, and what is kept of it."""

    setup: Setup
    whole: GameRecord
    kept: GameRecord

    @property
    def game(self) -> Game[Any, Any]:
        return self.setup.game()


def plain(table: Table) -> Iterator[Reduced]:
    """Games without seals, some with cards arranged, and some of them left in the middle."""
    for played in games_at(table, share=0.3):
        inputs = [step.given for step in played.steps if step.given is not None]
        rng = rng_of(table, played.seed)
        for most in {len(inputs), rng.randint(0, len(inputs))}:
            whole = record_of(played.setup, inputs[:most])
            yield Reduced(played.setup, whole, reduced(whole, played.setup.game()))


def sealed(table: Table, games: int = SEALED) -> Iterator[Reduced]:
    """Games of which most deals are sealed, some of them left in the middle."""
    return map(partial(_sealed, table), range(games))


def some_sealed(table: Table) -> Iterator[Reduced]:
    """Fewer of them, for what is looked at by every viewer."""
    return sealed(table, 4 * TIMES)


@lru_cache(maxsize=SEALED)
def _sealed(table: Table, seed: int) -> Reduced:
    rng = rng_of(table, seed)
    setup = random_setup(rng, table.name, table.seats, short=SHORT)
    setup.options["arranged"] = ""
    whole = sealed_record(rng, setup, most=rng.choice((20_000, rng.randint(0, 60))))
    return Reduced(setup, whole, reduced(whole, setup.game()))


def dealt(record: GameRecord) -> list[Pack]:
    return [step.input for step in Steps(record.steps).read() if isinstance(step.input, Pack)]


def viewers(record: GameRecord) -> list[Viewer]:
    return [*map(Seat, range(len(record.players))), GALLERY]


def told(record: GameRecord, game: Game[Any, Any], viewer: Viewer) -> list[bytes]:
    """What a viewer is told at each step, as bytes."""
    events = []
    for played in fold(record, game):
        seen = [fact.seen_by(viewer) for fact in played.facts]
        events.append(encode([event for event in seen if event is not None]))
    return events


def decided_by_cards(record: GameRecord, game: Game[Any, Any]) -> list[bool]:
    """Of each pack, whether the order of its unseen cards decides on an accident."""
    found, awaits = [], game.awaits(game.begin(record.dealer))
    for played in fold(record, game):
        if isinstance(played.input, Pack):
            found.append(isinstance(awaits, Shuffle) and awaits.misdeals > 0 and played.input.luck is None)
        awaits = game.awaits(played.state)
    return found


def shown_of(record: GameRecord, game: Game[Any, Any]) -> list[set[Card]]:
    """Of each pack, the cards that any viewer was shown."""
    shown: list[set[Card]] = []
    hand: list[tuple[set[Card], set[Card]]] = []
    """The packs of the last hand, and what was shown of each. A card is of the newest that has it."""
    for played in fold(record, game):
        if isinstance(played.input, Pack):
            if not played.input.is_stock:
                hand.clear()
            hand.append((set(played.input.cards), set()))
            shown.append(hand[-1][1])
        for viewer in viewers(record):
            for event in [fact.seen_by(viewer) for fact in played.facts]:
                for card, _, _ in () if event is None else event.shows(viewer):
                    next(seen for cards, seen in reversed(hand) if card in cards).add(card)
    return shown


@at_every_table
@pytest.mark.parametrize("games", [plain, some_sealed])
def test_everyone_is_told_the_same_by_what_is_kept(table: Table, games: Any) -> None:
    """The events of each step, to each viewer, to the byte; and it is kept as it is if it is reduced again."""
    count = 0
    for made in games(table):
        for viewer in viewers(made.whole):
            assert told(made.kept, made.game, viewer) == told(made.whole, made.game, viewer), made.setup
        assert records.encode(reduced(made.kept, made.game)) == records.encode(made.kept)
        assert records.decode_game(records.encode(made.kept)) == made.kept
        count += len(dealt(made.whole))
    assert count > 5


@at_every_table
def test_packs_that_differ_in_unseen_cards_leave_the_same(table: Table) -> None:
    """The cards that nobody was shown change places at random, and not a byte of what is kept changes."""
    differ = 0
    for made in plain(table):
        rng = rng_of(table, differ)
        top = str(made.setup.options.get("arranged", "")).split()
        steps = Steps(made.whole.steps).read()
        shown = iter(shown_of(made.whole, made.game))
        stays = iter(decided_by_cards(made.whole, made.game))
        for number, step in enumerate(steps):
            if isinstance(step.input, Pack):
                pack = step.input.cards
                known = next(shown) | ({*top} if list(pack[: len(top)]) == top else set())
                known |= {*pack} if next(stays) else set()
                others = iter(shuffled(rng, [card for card in pack if card not in known]))
                another = tuple([card if card in known else next(others) for card in pack])
                steps[number] = Step(step.at, replace(step.input, cards=another))
        twin = replace(made.whole, steps=packed_steps(steps))
        differ += twin != made.whole
        assert records.encode(reduced(twin, made.game)) == records.encode(made.kept), made.setup
    assert differ > 2


@at_every_table
def test_of_a_sealed_deal_is_kept_what_was_shown_and_its_proofs(table: Table) -> None:
    """Cards that nobody saw lie in their canonical order. The proofs verify, and are those of the cards shown, each
    once. No secret, no seed of the pack that was played and no salt of another card is in it, unless the table opens
    its packs; then the seed is. Of the deals that were called off nothing is taken."""
    proofs = accidents = late = 0
    for made in sealed(table):
        bytes_kept = records.encode(made.kept)
        shown = shown_of(made.whole, made.game)
        is_opened = TableOptions.of(made.whole.options).opens_packs
        for whole, kept, seen in zip(dealt(made.whole), dealt(made.kept), shown, strict=True):
            unseen = [card for card in kept.cards if card not in seen]
            assert tuple(unseen) == in_order(unseen)
            assert [card for card in kept.cards if card in seen] == [card for card in whole.cards if card in seen]
            assert kept.seal is None
            assert kept.luck == whole.luck
            assert follows_from_seal(made.whole.table, kept)
            if whole.seal is None:
                assert kept.proofs is None
                continue
            assert kept.proofs is not None
            assert {opening.card for opening in kept.proofs.openings} == seen
            assert len(kept.proofs.openings) == len(seen)
            dealing = whole.seal.sealed
            cards, has_accidents = dealing.cards or FULL_PACK, bool(dealing.misdeals)
            made_of = packs.seal(whole.seal.secret, 7, dealing.deal, cards, has_accidents=has_accidents)
            pack = made_of.packs[1 - kept.proofs.turned.pack]
            assert whole.seal.secret not in bytes_kept
            assert (pack.seed in bytes_kept) == is_opened
            for place, card in enumerate(pack.cards):
                assert (pack.salts[place * HASH_BYTES : (place + 1) * HASH_BYTES] in bytes_kept) == (card in seen)
            proofs += len(seen)
            accidents += kept.proofs.accident is not None
            late += dealing.late
    assert proofs > 50
    assert accidents or "misdeals" not in [option.name for option in GAMES[table.name].offer.options]
    assert bool(late) == GAMES[table.name].opens_late


@at_every_table
def test_proofs_that_were_changed_are_noticed(table: Table) -> None:
    """Another card, place, salt, pack or luck than those of the seal do not follow from it."""
    changed = 0
    for made in sealed(table):
        for pack in dealt(made.kept):
            proofs = pack.proofs
            if proofs is None or not proofs.openings:
                continue
            first, *others = proofs.openings
            seen = {opening.card for opening in proofs.openings}
            another = next(card for card in pack.cards if card not in seen)
            for opening in (
                replace(first, card=another),
                replace(first, salt=bytes(HASH_BYTES)),
                replace(first, position=(first.position + 1) % len(pack.cards)),
            ):
                assert not follows_from_seal(7, replace(pack, proofs=replace(proofs, openings=(opening, *others))))
            for wrong in (
                replace(proofs, turned=replace(proofs.turned, seed=bytes(HASH_BYTES))),
                replace(proofs, turned=replace(proofs.turned, pack=1 - proofs.turned.pack)),
                replace(proofs, played=proofs.turned),
            ):
                assert not follows_from_seal(7, replace(pack, proofs=wrong))
            swapped = {first.card: another, another: first.card}
            cards = tuple([swapped.get(card, card) for card in pack.cards])
            assert not follows_from_seal(7, replace(pack, cards=cards))
            if proofs.accident is not None:
                assert pack.luck is not None
                assert not follows_from_seal(7, replace(pack, luck=(pack.luck + 1) % LUCK))
            changed += 1
    assert changed > 5


@at_every_table
def test_sheets_are_the_same_by_what_is_kept(table: Table) -> None:
    """What `put-server show` writes down for each viewer has the same proofs at the same steps, before and after."""
    for made in some_sealed(table):
        for viewer in viewers(made.whole):
            before, after = [
                encode(sheet_of(record, GAMES[table.name], viewer, date="", server="").steps)
                for record in (made.whole, made.kept)
            ]
            assert before == after


def test_pack_whose_accidents_its_cards_decide_stays_as_it_is() -> None:
    """As earlier versions dealt: with the unseen cards in another order the accidents would be others."""
    table = next(table for table in TABLES if table.name == "put-1674")
    stayed = 0
    for made in plain(table):
        packs_of = zip(dealt(made.whole), dealt(made.kept), decided_by_cards(made.whole, made.game), strict=True)
        for whole, kept, stays in packs_of:
            assert (whole == kept) or not stays
            stayed += stays
    assert stayed > 1


def test_deal_that_is_followed_ends_with_the_next() -> None:
    """Of a deal that is over its prover knows the cards that somebody was shown, and no others."""
    rng = Random(3)
    setup = Setup(name="put-1674", seats=2, options=random_setup(rng, "put-1674", 2).options, dealer=Seat(0))
    setup.options.update(arranged="", target=21)
    record = max([sealed_record(rng, setup) for _ in range(9)], key=lambda record: len(record.steps.unseal()))
    follower = DealFollower(record, viewers(record))
    for played in fold(record, setup.game()):
        follower.follow(played)
    over = [prover for hand in follower.proved for prover in hand]
    assert len(over) > 3
    for prover in over:
        assert prover.pack is None


def test_card_that_was_given_back_is_proved_in_its_deal_no_more() -> None:
    """It is of the new stock then, and its place in the first pack would tell who had laid it away."""
    played, other = packs.seal(bytes(HASH_BYTES), 7, 1, FULL_PACK).packs
    prover = CardProver(
        *(7, 1),
        cards=played.cards,
        pack=played,
        openings=(),
        turned=PackOpening(other.number, bytes(HASH_BYTES)),
        played=None,
        accident=None,
        is_late=False,
    )
    prover.openings_due(GALLERY, ())
    before, given_back = FULL_PACK[:2]
    prover.give_back((given_back,))
    shown = Showdown(hands=(ShownHand(Seat(0), (before, given_back), Category.NUMERUS, 0),))
    due = prover.openings_due(GALLERY, (shown,))
    assert due is not None
    assert [opening.card for opening in due.openings] == [before]
