"""Random games as tables deal them: sealed, cut by everybody or by some, with deals that were called off."""

from random import Random

from put_protocol.seal.accidents import LUCK
from put_protocol.seal.cuts import after
from put_protocol.seats import Seat
from put_rules.game import Over, Purpose, Shuffle
from put_rules.record import Chance, Departure, Expiry, GameRecord, Input, Move, Pack, Player, Void
from put_rules.registry import GAMES
from put_rules.steps import Steps
from put_rules.table_options import TableOptions
from put_server.table.sealed_deal import SealedDeal
from tests.conformance.random_games import NAMES, Act, Expire, Leave, Setup, random_input, random_temper, shuffled
from tests.conformance.random_games import Pack as Shuffled

TABLE = 7


def sealed_record(rng: Random, setup: Setup, *, most: int = 20_000) -> GameRecord:
    """A random game of so many steps at most, as its table records it with everything in it; some of its deals are
    sealed and some are not. `setup` arranges no cards."""
    game, temper, steps = setup.game(), random_temper(rng), Steps()
    state, deals = game.begin(setup.dealer), 0
    given: Input
    for number in range(most):
        at = number * 1_500
        awaits = game.awaits(state)
        if isinstance(awaits, Over):
            break
        chosen = random_input(rng, game, state, temper, setup)
        match chosen:
            case Shuffled():
                assert isinstance(awaits, Shuffle)
                if rng.random() < 0.7:
                    while (deal := _cut_deal(rng, setup, awaits, deals := deals + 1)).waits:
                        deal.spoil(tuple(deal.waits))
                        steps.add(at, Void(deal.sealed, deal.voided()))
                    given = deal.dealt(TABLE, opens_after=TableOptions.of(setup.options).opens_packs).pack
                else:
                    luck = rng.randrange(LUCK) if awaits.misdeals else None
                    given = Pack(shuffled(rng, awaits.cards), luck=luck, is_stock=awaits.purpose is Purpose.STOCK)
                state, _ = game.deal(state, given.cards, given.luck)
            case Act(action=action):
                given, (state, _) = Move(action), game.act(state, action)
            case Expire():
                given, (state, _) = Expiry(), game.expire(state)
            case Leave(seat=seat):
                given, (state, _) = Departure(seat), game.leave(state, seat)
            case _:
                raise AssertionError(chosen)
        steps.add(at, given)
    return GameRecord(
        table=TABLE,
        number=2,
        rule_set=setup.name,
        options=setup.options,
        players=tuple([Player(name) for name in NAMES[: setup.seats]]),
        dealer=setup.dealer,
        steps=steps.packed(),
    )


def _cut_deal(rng: Random, setup: Setup, awaits: Shuffle, number: int) -> SealedDeal:
    """A deal that some take part in, with the cuts that were made; sometimes one is missing."""
    cutters = rng.sample(range(setup.seats), rng.randint(1, setup.seats))
    links = {seat: rng.randbytes(32) for seat in cutters}
    deal = SealedDeal.begun(
        Chance(rng.randbytes(32)),
        awaits,
        table=TABLE,
        deal=number,
        ends=tuple([after(links[seat]) if seat in links else None for seat in range(setup.seats)]),
        is_late=GAMES[setup.name].opens_late,
    )
    made = links if rng.random() < 0.9 else dict(list(links.items())[1:])
    for seat, link in made.items():
        deal.cut(Seat(seat), number, link)
    return deal
