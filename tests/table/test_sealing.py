"""A table whose deals are sealed: everyone cuts, everything shown is proved, and nothing else is."""

import random
from collections import defaultdict

import pytest

from put_protocol.cards import Card
from put_protocol.games import primero
from put_protocol.games.put import Dealt, Drawn, Gave, HandEnded, Play
from put_protocol.games.triomphe import TurnedUp
from put_protocol.games.unions import Action, Choice
from put_protocol.messages import Events, ServerMessage, TableSnapshot
from put_protocol.refusals import RefusalCode
from put_protocol.seal.checker import Checker
from put_protocol.seal.cuts import Chain
from put_protocol.seal.findings import Failure, Proof, Stage
from put_protocol.seal.terms import terms_of
from put_protocol.seal_events import CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import ClockInfo, TableState
from put_rules.game import Shuffle
from put_rules.registry import GAMES
from put_server.game_sheet import sheet_of
from put_server.lobby.options import checked_options
from put_server.table.chair import Sitter
from put_server.table.publisher import MessageForm
from put_server.table.sealed_deal import CUT_MS
from put_server.table.step_waits import PULSE_MS
from put_server.table.table import Table
from put_server.table.table_effects import Effect, GameConcluded, PersonId, TableId
from put_server.table.table_model import TableModel
from tests.seal.known_games import fewest_and_most
from tests.table.table_harness import ANN, BEN, CAT, DAN, EVE, NAMES, TableHarness
from tests.table.test_table import refused

PLAYERS = (ANN, BEN, CAT, DAN, *[PersonId(number) for number in range(31, 37)])
"""As many as sit at the largest table."""


def names_of(person: PersonId) -> str:
    """Of the players: those that other tests know, or a number."""
    return NAMES.get(person) or f"Nan {person}"


def chosen(dice: random.Random, legal: tuple[Choice, ...]) -> Action:
    """A random action; in Primero one that keeps players in and cards moving, so that the stock runs out."""
    actions = [choice.action for choice in legal]
    return dice.choices(actions, [_liking(action) for action in actions])[0]


def _liking(action: Action) -> float:
    match action:
        case primero.Trade(cards=cards):
            return 30 if len(cards) == 2 else 1
        case primero.See() | primero.GoOn() | primero.Pass():
            return 50
        case primero.Refuse():
            return 4
        case primero.Vada() | primero.Stand():
            return 3
        case primero.Bet() | primero.Raise():
            return 1
        case _:
            return 6


class SealedTableHarness(TableHarness):
    """A table whose people check everything they are told, and cut."""

    def __init__(self, game: str = "put-1674", seats: int = 2, *, bank: int = 300, **options: int | str) -> None:
        rule_set = GAMES[game]
        super().__init__(
            Table(
                TableModel(
                    id=TableId(7),
                    owner_id=ANN,
                    rule_set=rule_set,
                    options=checked_options(rule_set.offer, options),
                    seats=seats,
                    clock=ClockInfo(bank=bank),
                    passcode="",
                    is_gallery_open=True,
                    is_exhibition=False,
                ),
                hire=lambda _: Sitter(PersonId(99), "Doll", house="steady"),
                form_of=lambda *_: MessageForm(openings=True),
            )
        )
        self.terms = terms_of(game, self.table.info.options)
        self.checkers: dict[PersonId, Checker] = {}
        self.failures: list[Failure] = []
        self.games: list[GameConcluded] = []
        self.idle: set[PersonId] = set()
        """Who does not cut."""
        self.lost: set[PersonId] = set()
        """Whose connections are, so that nothing reaches them."""
        self.dropped: set[PersonId] = set()
        """Whose connections were, and who were told nothing since."""
        self._read: dict[PersonId, int] = defaultdict(int)

    def join(self, person: PersonId, seat: Seat, *, takes_part: bool = True) -> None:
        """Sit down, with a chain of one's own."""
        chain = Chain(bytes([seat + 1]) * 32, 128) if takes_part else None
        self.checkers[person] = checker = Checker(7, seat, chain=chain, terms=self.terms)
        self.do(self.table.sit(Sitter(person, names_of(person)), seat, self.now, checker.own.end)[1])
        self.listen()

    def look_on(self, person: PersonId) -> None:
        self.checkers[person] = Checker(7, GALLERY, terms=self.terms, joins=self.table.model.is_playing)
        self.watch(person)
        (snapshot,) = self.mail[person][self._read[person] :]
        assert isinstance(snapshot, TableSnapshot)
        self._read[person] += 1
        if snapshot.sealed is not None:
            self.failures += self.checkers[person].join(snapshot.sealed, snapshot.links)

    def do(self, effects: list[Effect]) -> None:  # type: ignore[override]  # a list, for it is read twice
        super().do(effects)
        self.games += [effect for effect in effects if isinstance(effect, GameConcluded)]

    def disconnect(self, person: PersonId) -> None:
        self.lost.add(person)
        super().disconnect(person)

    def reconnect(self, person: PersonId, number: int | None) -> list[ServerMessage]:
        self.lost.discard(person)
        self.dropped.add(person)
        self._read[person] = len(self.mail[person])
        return super().reconnect(person, number)

    def number(self, person: PersonId) -> int:
        """Of the last event that a person was told."""
        viewer = self.table.seating.viewer_of(person)
        assert viewer is not None
        return self.table.model.event_log.numbers[viewer]

    def wait_out(self, person: PersonId) -> None:
        """The time in which a person should have cut."""
        self.tick(self.now + CUT_MS)
        self.tick(self.now + PULSE_MS)

    def listen(self) -> None:
        """Everyone hears what was said, checks it, and cuts; until nobody has anything to say."""
        is_quiet = False
        while not is_quiet:
            is_quiet = True
            for person, checker in self.checkers.items():
                if person in self.lost:
                    continue
                mail, self._read[person] = self.mail[person][self._read[person] :], len(self.mail[person])
                for message in mail:
                    is_quiet = False
                    if isinstance(message, Openings):
                        self.failures += checker.check(message)
                    if isinstance(message, TableSnapshot) and person in self.dropped:
                        is_in_play = message.info.is_in_play
                        self.failures += checker.check_snapshot(
                            message.sealed, message.links, is_in_play=is_in_play, has_dropped=True
                        )
                        if checker.own.end is not None:
                            self.do(self.table.promise(person, checker.own.end, self.now))
                    if isinstance(message, TableSnapshot | Events):
                        self.dropped.discard(person)
                    for event in message.events if isinstance(message, Events) else ():
                        self.failures += checker.check(event)
                deal = self.table.model.deals.cutting
                if deal is None or person in self.idle or self.table.seating.seat_of(person) not in deal.waits:
                    continue
                if person not in self.dropped and (link := checker.cut()) is not None:
                    self.cuts(person, link)
                    self.do(self.table.cut(person, deal.sealed.deal, link, self.now))
                    is_quiet = False

    def cuts(self, person: PersonId, link: bytes) -> None:
        """A person is about to cut with this link."""

    def play_on(self, dice: random.Random, moves: int) -> None:
        """Random play, with another game after each."""
        for _ in range(moves):
            if self.table.model.turn.seat is None:
                for person in self.table.seating.people:
                    if self.table.seating.seat_of(person) is not None and not self.table.model.is_playing:
                        self.do(self.table.again(person, self.now))
                        self.listen()
                continue
            self.act(chosen(dice, self.decision.legal))
            self.listen()


@pytest.mark.parametrize(
    ("game", "seats"),
    [(name, seats) for name in GAMES for seats in fewest_and_most(name)],
    ids=str,
)
def test_honest_table_is_believed_by_everyone(game: str, seats: int) -> None:
    """Seats and gallery alike check a long sitting of every rule set: each card shown is proved, nobody is accused."""
    offered = {option.name for option in GAMES[game].offer.options}
    harness = SealedTableHarness(game, seats, **({"misdeals": 30} if "misdeals" in offered else {}))
    harness.look_on(EVE)
    for seat, person in enumerate(PLAYERS[:seats]):
        harness.join(person, Seat(seat), takes_part=seat != 1)  # one takes no part
    harness.play_on(random.Random(seats), 400 if game == "primero" else 250)
    assert harness.failures == []
    for person, checker in harness.checkers.items():
        done = [deal for deal in checker.deals[:-1] if deal.stage is Stage.CUT]
        assert len(done) > 5
        assert all(deal.is_turned for deal in done)
        seen = [card for deal in done for card in deal.cards]
        assert seen, f"{person} saw cards"
        assert all(card.proof is Proof.PROVED for card in seen)
        assert not any(Seat(1) in deal.cutters for deal in done), "who takes no part is named as such"


def test_players_have_the_same_words() -> None:
    """What they read to each other shows that they were told the same."""
    harness = SealedTableHarness()
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    harness.play_on(random.Random(2), 40)
    words = [[deal.words for deal in harness.checkers[person].deals] for person in (ANN, BEN)]
    assert words[0] == words[1]
    assert len(set(words[0])) == len(words[0]) > 3


def test_card_that_nobody_saw_is_never_opened() -> None:
    """Of a hand thrown in, the other side gets no opening, then or later."""
    harness = SealedTableHarness()
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    harness.play_on(random.Random(3), 120)
    for person, other in ((ANN, BEN), (BEN, ANN)):
        opened: set[tuple[int, str]] = set()
        shown: set[tuple[int, str]] = set()
        deal = 0
        for message in harness.mail[person]:
            if isinstance(message, Openings):
                opened |= {(message.deal, opening.card) for opening in message.openings}
            for event in message.events if isinstance(message, Events) else ():
                deal = event.deal if isinstance(event, CutsShown) else deal
                cards = [*getattr(event, "cards", ()), getattr(event, "card", None)]
                shown |= {(deal, card) for card in cards if card is not None}
        assert opened == shown, (
            f"{NAMES[person]} has proofs of what they saw and of nothing else, whatever {other} held"
        )


def test_gift_is_not_betrayed_by_its_place() -> None:
    """With partners, what another plays is proved when the hand is over, for its place tells whose card it was."""
    harness = SealedTableHarness("put-partners", 4)
    for seat, person in enumerate(PLAYERS[:4]):
        harness.join(person, Seat(seat))
    harness.play_on(random.Random(4), 150)
    assert harness.failures == []
    own: set[Card] = set()
    opened: list[Card] = []
    late = 0
    for message in harness.mail[DAN]:
        if isinstance(message, Openings):
            opened += [opening.card for opening in message.openings]
        for event in message.events if isinstance(message, Events) else ():
            if isinstance(event, Drawn):
                opened.clear()
            elif isinstance(event, Dealt):
                own = set(event.cards)
            elif isinstance(event, Gave) and event.card is not None:
                own.add(event.card)
        if isinstance(message, Events):
            is_over = any(isinstance(event, HandEnded) for event in message.events)
            assert is_over or own.issuperset(opened), "nothing of the others' is proved while the hand is on"
            late += len(set(opened) - own)
            opened.clear()
    assert late > 10


def test_nothing_is_sealed_where_nobody_takes_part() -> None:
    """A table of clients that know nothing of seals is dealt as ever, and is told nothing of it."""
    harness = SealedTableHarness()
    harness.join(ANN, Seat(0), takes_part=False)
    harness.join(BEN, Seat(1), takes_part=False)
    assert any(isinstance(event, Drawn) for event in harness.events(ANN))
    assert not any(isinstance(event, Sealed) for event in harness.events(ANN))


def test_cut_withheld_voids_the_deal_in_public() -> None:
    """After its time the deal is void, who did not cut is named, and the next deal is cut without them."""
    harness = SealedTableHarness()
    harness.idle.add(BEN)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    assert not any(isinstance(event, Drawn) for event in harness.events(ANN))
    assert harness.tick(harness.now + CUT_MS - 1) == 0
    assert harness.tick(harness.now + 1) == 1, "a ping is wanted, which is answered at once"
    assert harness.tick(harness.now + PULSE_MS - 1) == 0
    assert harness.tick(harness.now + 1) == 1
    harness.listen()
    events = harness.events(ANN)
    assert [(event.deal, event.seats) for event in events if isinstance(event, DealVoided)] == [(1, (Seat(1),))]
    sealed = [event for event in events if isinstance(event, Sealed)]
    assert [event.deal for event in sealed] == list(range(1, len(sealed) + 1))
    assert sealed[1].cuts[0] is not None
    assert all(event.cuts[1] is None for event in sealed[1:])
    assert any(isinstance(event, Drawn) for event in events)
    assert harness.failures == []


def test_wrong_cut_is_refused_and_changes_nothing() -> None:
    """A link that was not promised, one for another deal, and a second cut."""
    harness = SealedTableHarness()
    harness.idle.update((ANN, BEN))
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    right = harness.checkers[ANN].cut()
    assert right is not None
    assert refused(harness, lambda: harness.table.cut(ANN, 1, bytes(32), harness.now)) is RefusalCode.BAD_CUT
    assert refused(harness, lambda: harness.table.cut(ANN, 2, right, harness.now)) is RefusalCode.TOO_LATE
    harness.do(harness.table.cut(ANN, 1, right, harness.now))
    assert refused(harness, lambda: harness.table.cut(ANN, 1, right, harness.now)) is RefusalCode.BAD_CUT


@pytest.mark.parametrize("is_told", [True, False], ids=["told the rest", "shown anew"])
def test_player_whose_line_drops_is_waited_for(is_told: bool) -> None:
    """The deal that they could not cut waits for them, and they cut it when they are back, shown anew or not."""
    harness = SealedTableHarness()
    harness.idle.add(BEN)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    harness.disconnect(BEN)
    harness.listen()
    assert harness.tick(harness.now + 60_000) == 0
    harness.idle.clear()
    harness.reconnect(BEN, harness.number(BEN) if is_told else None)
    if is_told:
        harness.dropped.clear()
    harness.listen()
    sealed = [event for event in harness.events(ANN) if isinstance(event, Sealed)]
    assert sealed[0].cuts[1] is not None
    assert not any(isinstance(event, DealVoided) for event in harness.events(ANN))
    assert harness.table.model.turn.seat is not None, "the draw and the deal went on"
    assert harness.failures == []


@pytest.mark.parametrize("is_drawn", [False, True])
@pytest.mark.parametrize(("game", "seats"), [("put-1674", 2), ("triomphe-forcee", 4), ("primero", 3)])
def test_draw_that_was_cut_short_is_made_in_the_next_game(game: str, seats: int, is_drawn: bool) -> None:
    """Who would have dealt is not known until the draw was told; from then on the deal is due to who drew it."""
    harness = SealedTableHarness(game, seats)
    company = PLAYERS[:seats]
    harness.idle.add(ANN)
    for seat, person in enumerate(company):
        harness.join(person, Seat(seat))
    assert isinstance(harness.table.model.awaits, Shuffle)
    if is_drawn:
        harness.idle.clear()
        harness.listen()
    for person in company[1:]:
        harness.resign(person)
        harness.listen()
    assert harness.state() is TableState.BETWEEN
    before = len(harness.events(ANN))
    harness.idle.clear()
    harness.again(*company)
    harness.listen()
    kinds = [type(event) for event in harness.events(ANN)[before:]]
    draws = [kind for kind in kinds if kind in (Drawn, TurnedUp, primero.TurnedUp)]
    assert bool(draws) == (not is_drawn), kinds


def test_act_while_the_next_deal_is_cut_is_too_late() -> None:
    """The last decision is over, and it is nobody's turn."""
    harness = SealedTableHarness()
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    harness.listen()
    harness.idle.add(ANN)
    mover, decision = harness.mover, harness.decision.decision
    while harness.table.model.turn.seat is not None:
        mover, decision = harness.mover, harness.decision.decision
        harness.act(harness.decision.legal[0].action)
        harness.listen()
    again = refused(harness, lambda: harness.table.act(mover, decision, Play(Card("3s")), harness.now))
    assert again is RefusalCode.TOO_LATE


def test_player_who_stays_away_leaves_the_deal_to_the_others() -> None:
    """Their bank is spent and they have left the game; with three, the two others cut and play on."""
    harness = SealedTableHarness(seats=3, bank=30)
    for seat, person in enumerate((ANN, BEN, CAT)):
        harness.join(person, Seat(seat))
    harness.idle.add(CAT)
    harness.disconnect(CAT)
    dice = random.Random(1)
    while harness.table.model.turn.seat is not None and harness.table.model.turn.seat != Seat(2):
        harness.act(dice.choice(harness.decision.legal).action)
        harness.listen()
    del harness.checkers[CAT]
    had = len(harness.events(ANN))
    harness.tick(harness.now + 31_000)
    harness.listen()
    while harness.table.model.turn.seat is not None:
        harness.act(dice.choice(harness.decision.legal).action)
        harness.listen()
    assert any(isinstance(event, Dealt) for event in harness.events(ANN)[had:]), "the others were dealt another hand"
    last = [event for event in harness.events(ANN) if isinstance(event, Sealed)][-1]
    assert last.cuts[2] is None
    assert harness.failures == []


def test_player_who_gave_up_and_leaves_is_not_waited_for() -> None:
    """Whoever resigned keeps the seat and takes part in the cutting; when they leave, a deal that waits for their cut
    is void in their name, and the others are dealt the next one."""
    harness = SealedTableHarness(seats=3)
    for seat, person in enumerate((ANN, BEN, CAT)):
        harness.join(person, Seat(seat))
    harness.resign(CAT)
    harness.listen()
    harness.idle.add(CAT)
    dice = random.Random(1)
    while harness.table.model.deals.cutting is None:
        harness.act(dice.choice(harness.decision.legal).action)
        harness.listen()
    had = len(harness.events(ANN))
    del harness.checkers[CAT]
    harness.leave(CAT)
    harness.listen()
    came = harness.events(ANN)[had:]
    assert [event.seats for event in came if isinstance(event, DealVoided)] == [(Seat(2),)]
    assert any(isinstance(event, Dealt) for event in came)
    assert harness.failures == []


def test_new_chain_voids_the_deal_it_cannot_cut() -> None:
    """Who comes back in another process has another chain: the deal that waits for the old one is sealed anew."""
    harness = SealedTableHarness()
    harness.idle.add(BEN)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    fresh = Checker(7, Seat(1), chain=Chain(b"\x09" * 32, 64), terms=harness.terms, joins=True)
    harness.checkers[BEN] = fresh
    harness.idle.clear()
    harness.do(harness.table.promise(BEN, fresh.own.end, harness.now))
    harness.listen()
    assert [event.seats for event in harness.events(ANN) if isinstance(event, DealVoided)] == [(Seat(1),)]
    assert harness.table.model.turn.seat is not None
    assert harness.failures == []


def test_packs_are_opened_after_the_game_where_the_table_wants_it() -> None:
    """With `open = after_game` everyone gets every pack that was played, when the game is over and not before."""
    harness = SealedTableHarness(open="after_game", target=1)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    dice = random.Random(5)
    while not harness.games:
        assert not [m for m in harness.mail[ANN] if isinstance(m, Openings) and m.played is not None]
        harness.act(dice.choice(harness.decision.legal).action)
        harness.listen()
    opened = [m.deal for m in harness.mail[ANN] if isinstance(m, Openings) and m.played is not None]
    cut = [event.deal for event in harness.events(ANN) if isinstance(event, CutsShown)]
    assert opened == cut
    assert all(deal.is_whole for deal in harness.checkers[ANN].deals if deal.stage is Stage.CUT)
    assert harness.failures == []


def test_snapshot_in_the_middle_needs_no_proofs() -> None:
    """Who looks on from the middle of a hand is told the next seal, and checks from there."""
    harness = SealedTableHarness()
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    harness.play_on(random.Random(6), 7)
    harness.look_on(EVE)
    assert isinstance(harness.mail[EVE][0], TableSnapshot)
    harness.play_on(random.Random(7), 60)
    assert harness.failures == []
    assert len(harness.checkers[EVE].deals) > 2


@pytest.mark.parametrize("viewer", [Seat(0), Seat(1), GALLERY])
def test_sheet_of_a_sealed_game_proves_itself(viewer: Viewer) -> None:
    """What is written down of a game holds the proofs of all its viewer saw, voided deals included."""
    harness = SealedTableHarness(target=2)
    harness.idle.add(BEN)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    harness.wait_out(BEN)
    harness.idle.clear()
    harness.listen()
    dice = random.Random(8)
    while not harness.games:
        harness.act(dice.choice(harness.decision.legal).action)
        harness.listen()
    sheet = sheet_of(harness.games[0].record, GAMES["put-1674"], viewer, date="", server="")
    checker = Checker(7, viewer, is_witness=True, terms=harness.terms)
    failures: list[Failure] = []
    for step in sheet.steps:
        for openings in step.openings:
            failures += checker.check(openings)
        for event in step.events:
            failures += checker.check(event)
    assert failures == []
    assert any(deal.stage is Stage.VOID for deal in checker.deals)
    assert all(card.proof is Proof.PROVED for deal in checker.deals for card in deal.cards)
    assert sum(len(deal.cards) for deal in checker.deals) > 5


@pytest.mark.parametrize("is_cut", [True, False], ids=["dealt", "being cut"])
def test_who_missed_the_end_of_the_game_before_a_checkpoint_is_shown_the_table_anew(is_cut: bool) -> None:
    """A checkpoint has the proofs of the game in play alone, so nobody is told of cards that it cannot prove."""
    harness = SealedTableHarness(target=1)
    harness.look_on(EVE)
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    known = harness.number(EVE)
    harness.disconnect(EVE)
    while not harness.games:
        plays = [choice.action for choice in harness.decision.legal if isinstance(choice.action, Play)]
        harness.act(plays[0])
        harness.listen()
    if not is_cut:
        harness.idle.update((ANN, BEN))
    harness.again(ANN, BEN)
    harness.listen()
    assert (harness.table.model.deals.cutting is None) is is_cut
    kept = harness.table.model.checkpoint()
    harness.table = Table(
        TableModel.restored(kept, GAMES[kept.rule_set]), harness.table._hire, lambda *_: MessageForm(openings=True)
    )
    assert any(isinstance(told, TableSnapshot) for told in harness.reconnect(EVE, known))
    harness.idle.clear()
    harness.listen()
    harness.play_on(random.Random(1), 10)
    assert harness.failures == []
