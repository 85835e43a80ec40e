"""Honest tables of Primero and Triomphe Forcée in miniature: what their games do to deals, and nothing else of them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from put_protocol.cards import PACKS, Card, in_order
from put_protocol.games import primero, triomphe
from put_protocol.games.unions import Event
from put_protocol.seal.cuts import Draw
from put_protocol.seal.packs import SealedPack
from put_protocol.seal_events import Opening, Openings
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameStarted
from tests.seal.miniature_table import Dealer

Told = Callable[[tuple[Card, ...]], Event]
"""An event, by the cards that its viewer sees."""


class Place(NamedTuple):
    """A slot of a deal, and so a card."""

    deal: int
    slot: int


class FamilyTable(Dealer):
    """A hand may have several deals, whose cards are told apart by their places."""

    def __init__(
        self,
        rng: Random,
        *,
        seats: int,
        pack: str,
        cutters: Iterable[int] | None = None,
        renews: bool = False,
    ) -> None:
        super().__init__(rng, seats=seats, cutters=cutters, cards=PACKS[pack], renews=renews)
        self.in_play: dict[int, tuple[SealedPack, Draw]] = {}
        """The deals of the hand, by number."""
        self.held: dict[Seat, list[Place]] = {}
        self.next = 0
        """The next slot of the newest deal."""
        self.has_begun = False
        """An event of it was told."""

    def seal_hand(self, to: Iterable[int]) -> bool:
        """A hand sealed and cut; False: it was voided."""
        self.cards, self.is_stock = self.terms.cards, False
        if not self.seal_deal(to):
            return False
        self.in_play = {self.deal: (self.pack, self.drawn)}
        self.held = {seat: [] for seat in self.seats}
        self.next, self.has_begun = 0, False
        return True

    def card_at(self, place: Place) -> Card:
        pack, drawn = self.in_play[place.deal]
        return pack.cards[drawn.order[place.slot]]

    def cards_at(self, places: Iterable[Place]) -> tuple[Card, ...]:
        return tuple(map(self.card_at, places))

    def opening_at(self, place: Place) -> Opening:
        pack, drawn = self.in_play[place.deal]
        return pack.opening(drawn.order[place.slot])

    def taken(self, count: int) -> list[Place]:
        """The next slots of the newest deal."""
        places = [Place(self.deal, slot) for slot in range(self.next, self.next + count)]
        self.next += count
        return places

    @property
    def stock(self) -> int:
        """Cards left in the newest deal."""
        return len(self.cards) - self.next

    def open_at(self, viewer: Viewer, places: Sequence[Place]) -> None:
        for deal in dict.fromkeys(place.deal for place in places):
            openings = tuple([self.opening_at(place) for place in places if place.deal == deal])
            self.viewings[viewer].send(Openings(self.table, deal, openings))

    def tell(self, events: dict[Viewer, tuple[Event, Sequence[Place]]]) -> None:
        """To each viewer an event, behind the proofs of these cards. The first event of a deal comes with its cuts."""
        if self.has_begun:
            self.disturb()
        self.has_begun = True
        for viewer, (event, places) in events.items():
            self.open_at(viewer, places)
            self.viewings[viewer].send(event)

    def tell_all(self, event: Event, places: Sequence[Place] = ()) -> None:
        self.tell(dict.fromkeys(self.viewings, (event, places)))

    def turned_up(self) -> tuple[tuple[Seat, ...], list[Place]]:
        """Cards turned up one at a time round the players."""
        count = self.rng.randint(1, 12)
        return tuple([self.to[place % len(self.to)] for place in range(count)]), self.taken(count)


class PrimeroTable(FamilyTable):
    """Two cards each, trades, two more, trades until the stock is renewed, and a showdown."""

    def __init__(self, rng: Random, *, seats: int = 6, cutters: Iterable[int] | None = None, misdeals: int = 0) -> None:
        super().__init__(rng, seats=seats, pack="french-40", cutters=cutters, renews=True)
        self.away: list[Place] = []
        """Cards that came back."""

    # --- what a cheat may do otherwise ---

    def drawn_places(self, count: int) -> list[Place]:
        """The cards that somebody draws."""
        return self.taken(count)

    def more_places(self, count: int) -> list[Place]:
        """The cards of the second dealing."""
        return self.taken(count)

    @property
    def is_exhausted(self) -> bool:
        """Whether the stock has run out."""
        return not self.stock

    def seal_stock(self, seat: Seat, owed: int) -> bool:
        """Whether the new stock is sealed and cut."""
        return self.seal_deal([seat] * owed)

    def stock_told(self) -> int:
        """How many cards are said to be in it."""
        return len(self.cards)

    def stock_cards(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Those of the new stock."""
        return cards

    def shown_places(self, seat: Seat) -> list[Place]:
        """The hand of a player at the showdown."""
        return self.held[seat]

    # --- the course of a hand ---

    def draw_for_deal(self) -> None:
        if not self.seal_hand(self.playing):
            return
        seats, places = self.turned_up()
        self.tell_all(primero.TurnedUp(seats, self.cards_at(places), seats[-1]), places)

    def plain_hand(self) -> None:
        players = list(self.playing)
        if not self.seal_hand(players * 2):
            return
        self.away = []
        places = self.taken(2 * len(players))
        for place, seat in zip(places, players * 2, strict=True):
            self.held[seat].append(place)
        counts = tuple([len(self.held[seat]) for seat in self.seats])
        self.tell(
            {
                viewer: (
                    primero.Dealt(1, players[-1], players[0], counts, self.stock, (), self.cards_at(own)),
                    own,
                )
                for viewer, own in ((viewer, self.own(viewer)) for viewer in self.viewings)
            }
        )
        for seat in players[:-1]:
            self.trade(seat, 2)
        if self.rng.random() < 0.3:
            self.tell_all(primero.ThrownIn(1))
            return
        if len(players) > 5 and self.rng.random() < 0.2:
            self.go_out(players.pop())
        self.deal_more(players)
        for seat in players:
            if not self.trade(seat, self.rng.choice((1, 2, 2, 2, 2, 2))):
                return
        hands = []
        shown: list[Place] = []
        for seat in players:
            hand = self.shown_places(seat)
            shown += hand
            hands.append(primero.ShownHand(seat, self.cards_at(hand), primero.Category.NUMERUS, 0))
        self.tell_all(primero.Showdown(tuple(hands)), shown)
        self.tell_all(primero.HandEnded(primero.HandWon.SHOWDOWN, players[0], 0))

    def own(self, viewer: Viewer) -> list[Place]:
        return [] if viewer == GALLERY else self.held[viewer]

    def go_out(self, seat: Seat) -> None:
        self.away += self.held[seat]
        self.held[seat] = []
        self.tell_all(primero.WentOut((seat,)))

    def deal_more(self, players: Sequence[Seat]) -> None:
        to = (*players, *players)
        places = self.more_places(len(to))
        by_seat: dict[Viewer, list[Place]] = {viewer: [] for viewer in self.viewings}
        for place, seat in zip(places, to, strict=True):
            by_seat[seat].append(place)
            self.held[seat].append(place)
        self.tell(
            {viewer: (primero.MoreDealt(to, self.stock, self.cards_at(own)), own) for viewer, own in by_seat.items()}
        )

    def trade(self, seat: Seat, count: int) -> bool:
        """Cards laid down and drawn; False: the game was broken off meanwhile."""
        laid = self.rng.sample(self.held[seat], count)
        self.held[seat] = [place for place in self.held[seat] if place not in laid]
        self.tell_one(seat, laid, partial(primero.Traded, seat, count))
        owed = count
        while owed:
            if self.is_exhausted and not self.renew(seat, owed):
                return False
            number = min(owed, self.stock)
            places = self.drawn_places(number)
            owed -= number
            self.held[seat] += places
            self.tell_one(seat, places, partial(primero.Drew, seat, number, self.stock))
        self.away += laid
        return True

    def tell_one(self, seat: Seat, places: Sequence[Place], event: Told) -> None:
        """An event whose cards one player sees."""
        self.tell(
            {
                viewer: (event(self.cards_at(places)), places) if viewer == seat else (event(()), [])
                for viewer in self.viewings
            }
        )

    def renew(self, seat: Seat, owed: int) -> bool:
        """A new stock of the cards that came back; False: nobody is left to play."""
        self.cards = self.stock_cards(in_order(self.cards_at(self.away)))
        self.is_stock = True
        games = sum(isinstance(step, GameStarted) for step in self.viewings[GALLERY].steps)
        while not self.seal_stock(seat, owed):
            if sum(isinstance(step, GameStarted) for step in self.viewings[GALLERY].steps) > games:
                return False
        self.in_play[self.deal] = (self.pack, self.drawn)
        self.next, self.has_begun, self.away = 0, False, []
        self.tell_all(primero.StockRenewed(self.stock_told()))
        return True


class TriompheTable(FamilyTable):
    """Five cards each; La Mort is shown, or others are declared and all are played."""

    def __init__(self, rng: Random, *, seats: int = 4, cutters: Iterable[int] | None = None, misdeals: int = 0) -> None:
        super().__init__(rng, seats=seats, pack="tarot-78", cutters=cutters)

    def mort(self) -> tuple[Seat, Place]:
        """Who shows La Mort, and the card."""
        seat = self.rng.choice(self.playing)
        return seat, self.rng.choice(self.held[seat])

    def draw_for_deal(self) -> None:
        if not self.seal_hand(self.playing):
            return
        seats, places = self.turned_up()
        self.tell_all(triomphe.TurnedUp(seats, self.cards_at(places), seats[-1]), places)

    def plain_hand(self) -> None:
        players = list(self.playing)
        if not self.seal_hand(players * 5):
            return
        for place, seat in zip(self.taken(5 * len(players)), players * 5, strict=True):
            self.held[seat].append(place)
        counts = tuple([len(self.held[seat]) for seat in self.seats])
        stakes = (2,) * len(self.seats)
        events: dict[Viewer, tuple[Event, Sequence[Place]]] = {}
        for viewer in self.viewings:
            own = [] if viewer == GALLERY else self.held[viewer]
            events[viewer] = (triomphe.Dealt(1, players[-1], players[0], stakes, counts, self.cards_at(own)), own)
        self.tell(events)
        if self.rng.random() < 0.3:
            seat, place = self.mort()
            self.tell_all(triomphe.LaMortShown(seat, self.card_at(place)), [place])
        else:
            self.play_hands(players)
        self.tell_all(triomphe.HandEnded(triomphe.HandWon.MOST))

    def play_hands(self, players: Sequence[Seat]) -> None:
        shown = {seat: self.rng.sample(self.held[seat], self.rng.randint(1, 3)) for seat in players[:2]}
        for seat, places in shown.items():
            self.tell_all(triomphe.Declared(seat, self.cards_at(places), 0), places)
        for _ in range(5):
            for seat in players:
                place = self.held[seat].pop(self.rng.randrange(len(self.held[seat])))
                self.tell_all(triomphe.Played(seat, self.card_at(place)), [place])
