"""The laws of scores, stakes and the deal in Put and its relatives, over random games of every rule set."""

from put_protocol.games.put import Dealt, DidPut, FreshDeal, GameEnded, GameWon, HandEnded, Saw, Worth
from put_protocol.seats import GALLERY, Seat
from put_rules.game import Over
from tests.conformance.random_games import Leave, Setup
from tests.conformance.tables import Table, games_at
from tests.games.put_tables import allies, at_every_put_table, games_in, opening_view, view_of


@at_every_put_table
def test_scores_are_bounded(table: Table) -> None:
    """Scores lie between nothing and the target; who reaches it has won; partners have theirs together; hands are
    scored as they are told; and in a rubber each game begins from nothing."""
    for played in games_at(table):
        target = played.setup.options.get("target")
        for step in played.steps:
            view = view_of(played.game, step.state, GALLERY)
            is_over = isinstance(played.game.awaits(step.state), Over)
            assert target in (None, view.target)
            assert all(0 <= score <= view.target for score in view.scores)
            assert is_over or max(view.scores) < view.target
            for seat, score in enumerate(view.scores):
                assert {view.scores[ally] for ally in allies(played.setup, Seat(seat))} == {score}
            told = [event for event in step.seen_by(GALLERY) if isinstance(event, HandEnded | GameEnded | FreshDeal)]
            for event in told:
                assert event.scores == told[-1].scores
                if is_over or not isinstance(told[-1], GameEnded):
                    assert event.scores == view.scores
                else:
                    assert max(event.scores) == view.target, "a game of a rubber was won"
                    assert not any(view.scores)
                    assert view.hand == 0


def ways_to_win(setup: Setup) -> set[GameWon]:
    """How games can be won at a table: by points, by giving up, and by what a hand is worth."""
    view = opening_view(setup)
    hand_wins = {Worth.GAME: GameWon.OUTRIGHT}.get(view.plain)
    put_wins = None if view.accepted is Worth.VALUE else GameWon.PUT
    return {GameWon.POINTS, GameWon.FORFEIT} | {way for way in (hand_wins or put_wins,) if way is not None}


@at_every_put_table
def test_stakes_are_paid_by_the_liable(table: Table) -> None:
    """What purses gain sums to nothing; the winners share it; and who pays is who played on after an accepted put, even
    to the last one there, everyone on points, everyone who left to the last one there, and always the other of two
    sides."""
    ways = set()
    for played in games_at(table):
        everyone = set(map(Seat, range(played.setup.seats)))
        putting: list[Seat] = []
        there = set(everyone)
        paid = (0,) * played.setup.seats
        is_hand_over = False
        for step in played.steps:
            if is_hand_over:
                putting, is_hand_over = [], False
            for event in step.seen_by(GALLERY):
                match event:
                    case HandEnded():
                        is_hand_over = True
                    case DidPut(seat=seat) | Saw(seat=seat):
                        putting.append(seat)
                    case GameEnded():
                        if isinstance(step.given, Leave):
                            there.discard(step.given.seat)
                        is_last = event.how is GameWon.FORFEIT and len(there) == 1 and len(putting) < 2
                        is_between_two = len(allies(played.setup, Seat(0))) * 2 == played.setup.seats
                        is_everyone = event.how is GameWon.POINTS or is_last or is_between_two
                        check_payment(played.setup, event, everyone if is_everyone else set(putting))
                        ways.add(event.how)
                        paid = tuple(sum(both) for both in zip(paid, event.paid, strict=True))
                    case _:
                        pass
            assert played.game.paid(step.state) == paid
            if isinstance(step.given, Leave):
                there.discard(step.given.seat)
        last = played.steps[-1].seen_by(GALLERY)[-1]
        assert isinstance(last, GameEnded)
        assert isinstance(played.game.awaits(played.steps[-1].state), Over)
        assert sum(paid) == 0
        assert max(map(abs, paid)) <= (games_in(played.setup) + 1) * (played.setup.seats - 1), "no purse runs away"
    assert ways == ways_to_win(played.setup), "all of these are to be seen, and no other"


def check_payment(setup: Setup, event: GameEnded, liable: set[Seat]) -> None:
    """The winners are one side; the liable losers pay a stake each, nobody else pays, and the winners share it. Only
    cards win a double stake."""
    assert event.winners == allies(setup, event.winners[0])
    assert sum(event.paid) == 0
    losers = liable - set(event.winners)
    assert losers, "nobody wins from nobody"
    stake = 2 if event.how is GameWon.OUTRIGHT and setup.options.get("outright") == "double" else 1
    for seat, gain in enumerate(event.paid):
        if seat in event.winners:
            assert gain == stake * len(losers) // len(event.winners)
        else:
            assert gain == (-stake if seat in losers else 0)


@at_every_put_table
def test_rubber_goes_to_who_wins_its_games(table: Table) -> None:
    """Every game of a rubber is told with the games won so far, and it is over as soon as one has enough of them, or
    somebody gave it up."""
    for played in games_at(table):
        if "rubber" not in played.setup.options:
            assert all(not view_of(played.game, step.state, GALLERY).rubber for step in played.steps)
            continue
        games = [0] * played.setup.seats
        for step in played.steps:
            for event in step.seen_by(GALLERY):
                if isinstance(event, GameEnded):
                    for seat in event.winners:
                        games[seat] += 1
                    assert event.rubber == tuple(games)
                    is_over = isinstance(played.game.awaits(step.state), Over)
                    is_given_up = event.how is GameWon.FORFEIT
                    assert is_over == (max(games) == games_in(played.setup) or is_given_up)
            assert view_of(played.game, step.state, GALLERY).rubber == tuple(games)


@at_every_put_table
def test_deal_passes_on(table: Table) -> None:
    """After every hand, drawn or thrown in or played, the next player at the dealer's left deals, over those who left;
    eldest sits at the dealer's left; and the next game goes on where this one ends."""
    for played in games_at(table):
        seats = played.setup.seats
        due: Seat | None = played.setup.dealer
        left: set[Seat] = set()
        for step in played.steps:
            if isinstance(step.given, Leave):
                left.add(step.given.seat)
            for event in step.seen_by(GALLERY):
                if isinstance(event, Dealt):
                    if due is not None:
                        assert event.dealer == next_there(due, left, seats)
                    assert event.eldest == next_there(Seat((event.dealer + 1) % seats), left, seats)
                    due = event.dealer
                elif isinstance(event, HandEnded):
                    assert due is not None
                    due = Seat((due + 1) % seats)
        awaits = played.game.awaits(played.steps[-1].state)
        assert isinstance(awaits, Over)
        assert awaits.dealer in range(seats)


def next_there(seat: Seat, left: set[Seat], seats: int) -> Seat:
    """This seat, or the first to its left who has not left the game."""
    return next(s for s in (Seat((seat + step) % seats) for step in range(seats)) if s not in left)


@at_every_put_table
def test_next_game_is_dealt_at_the_left_of_the_last_dealer(table: Table) -> None:
    """The deal passes to the left after a finished game as well, whoever left it."""
    for played in games_at(table):
        last: Seat | None = None
        is_hand_on = False
        for step in played.steps:
            for event in step.seen_by(GALLERY):
                if isinstance(event, Dealt):
                    last, is_hand_on = event.dealer, True
                elif isinstance(event, HandEnded | FreshDeal):
                    is_hand_on = False
        ended_by_hand = any(isinstance(e, HandEnded | FreshDeal) for e in played.steps[-1].seen_by(GALLERY))
        if last is not None and (is_hand_on or ended_by_hand):
            awaits = played.game.awaits(played.steps[-1].state)
            assert isinstance(awaits, Over)
            assert awaits.dealer == (last + 1) % played.setup.seats
