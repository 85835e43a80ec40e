"""Runner of blind deals: orders the entries of all parties, deals, names shown cards, and waits for parts.

A hand goes through these steps. Each seat sends its key, once a game. Each holder of keys shuffles the coming deal
during the previous hand. When the game wants a pack, the server deals the places and all seats give their shares. The
rules get the cards that the server can read, and places for all others. When a player shows a card, their entry names
it.

If a player does not do their part in time, or does it wrong, the server names them and repeats the deal. They lose the
next hand in which they have a turn: they time out at once at each turn, with the effect that the rules give a time-out,
such as a hand thrown in. The second time in a row they lose their seat.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, Protocol

from put_protocol.blind.group import POINT_BYTES
from put_protocol.blind.transcript import Entry, Kind
from put_protocol.blind_acts import RulingKind
from put_protocol.blind_events import SERVER_HOLDS, BlindBegun, BlindEntry, BlindOpened, OpenedPlace, PartMissed
from put_protocol.cards import Card, place_of
from put_protocol.errors import ProofError
from put_protocol.games.unions import Action, Event
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_rules.facts import Fact, Hidden, Open, Told
from put_rules.game import IllegalAction, NotAwaited, Purpose, Shuffle, Turn
from put_rules.live_deal import LiveDeal
from put_rules.record import Chance, Pack
from put_server.table.blind_deals import BlindDeals, BlindPlay, BlindStep, owners_of
from put_server.table.clock import TurnClock
from put_server.table.game_in_play import GameInPlay
from put_server.table.publisher import Publisher
from put_server.table.table_effects import DealOver, Effect, RecordInput, RequestRefused, WantSecret
from put_server.table.table_model import TableModel

MOST_SHARES = 32
"""Most places whose shares the event loop checks (two multiplications each). More are checked outside the loop."""

READERS = 3
"""First edition of the rules in which each read deal has its own key."""


class Advance(Protocol):
    def __call__(self, play: GameInPlay, facts: tuple[Fact, ...], now: int) -> list[Effect]: ...


class BlindRunner:
    def __init__(self, model: TableModel, deals: BlindDeals, publisher: Publisher, advance: Advance) -> None:
        """`advance`: publishes the facts of a move, and continues the game."""
        self._model = model
        self._deals = deals
        self._publisher = publisher
        self._advance = advance

    def go_on(self, now: int) -> list[Effect]:
        """Take the server's next steps in the game and its deal."""
        model, deals, play = self._model, self._deals, self._model.play
        wanted = model.awaits
        if play is None or model.deals.is_wanted or model.to_dismiss:
            return []
        effects = self._forget_undone()
        if isinstance(wanted, Shuffle):
            is_stock = wanted.purpose is Purpose.STOCK
            if deals.play is None or (not is_stock and deals.play.game.terms.holders != self._holders(play)):
                deals.number += 1
                return [*self.finish(), self._want_secret(0)]
            blind, owners = deals.play, owners_of(wanted, is_read=model.deals.way.is_read)
            facts = self._renew(blind, wanted) if is_stock else ()
            if self._may_deal(blind, owners):
                if model.terms.edition >= READERS and (read := blind.lacks_reader(owners)):
                    return [*effects, self._want_secret(1 + len(blind.readers), read)]
                facts += self._take(blind, blind.dealt(owners))
            pack = self._pack(blind, owners)
            if pack is not None:
                deals.misses.note_play(is_draw=wanted.purpose is Purpose.DRAW)
                dealt = play.deal(pack, now)
                if blind.is_reading:
                    model.deals.add(LiveDeal(pack))
                return self._advance(play, (*facts, *dealt), now)
            if facts:
                effects += self._publisher.publish(facts, now)
        due = deals.due(is_dealing=isinstance(wanted, Shuffle))
        for seat in sorted(due - deals.waits.keys()):
            deals.waits.begin(seat)
        for seat in deals.waits.keys() - due:
            del deals.waits[seat]
        model.run_clocks(now)
        return effects + self._want_parts()

    def _holders(self, play: GameInPlay) -> tuple[int, ...]:
        chairs = self._model.seating.chairs
        own = [seat for seat, chair in enumerate(chairs) if chair.holds_key and seat not in play.resigned]
        return tuple([seat if seat in own else SERVER_HOLDS for seat in range(len(chairs))])

    def _want_secret(self, beside: int, read: int = 0) -> Effect:
        self._model.deals.is_wanted = True
        return WantSecret(self._model.id, self._deals.number, beside, read)

    def _forget_undone(self) -> list[Effect]:
        """Erase the secrets for reading deals that are being repeated."""
        blind = self._deals.play
        if blind is None or not (remains := blind.finish_undone()):
            return []
        return [DealOver(self._model.id, remains, 1 + len(blind.readers))]

    def _may_deal(self, blind: BlindPlay, owners: tuple[Seat | None, ...]) -> bool:
        game = blind.game
        if game.playing is not None and game.playing.owners != owners:
            blind.in_play = game.playing.number  # a player left before it came into play
        return (game.playing is None or blind.is_in_play) and game.coming is not None and game.coming.is_shuffled

    def _renew(self, blind: BlindPlay, wanted: Shuffle) -> tuple[Fact, ...]:
        """Start the stock that the game wants, shuffled by all who are present, unless it is under way."""
        game, chairs = blind.game, self._model.seating.chairs
        takers = tuple([seat for seat in map(Seat, range(len(chairs))) if seat in blind.held or chairs[seat].sitter])
        newest = game.coming if blind.is_in_play else game.playing
        if newest is not None and newest.is_stock and (newest.takers, newest.cards) == (takers, wanted.cards):
            return ()
        if game.playing is not None:
            blind.in_play = game.playing.number  # a player left before it came into play
        return self._take(blind, blind.renewed(wanted, takers))

    def _pack(self, blind: BlindPlay, owners: tuple[Seat | None, ...]) -> Pack | None:
        """Pack of the deal that the game wants; None: not all shares are given, or it is not read yet."""
        playing = blind.game.playing
        if playing is None or blind.is_in_play or not playing.is_shared or playing.owners != owners or blind.is_unread:
            return None
        pack = Pack(blind.pack(), is_stock=playing.is_stock)
        blind.in_play = playing.number
        return pack

    def _want_parts(self) -> list[Effect]:
        """Have the parts of held seats made, if any is due, or the pack read."""
        deals, blind = self._deals, self._deals.play
        if blind is None or deals.is_working:
            return []
        awaited = blind.game.awaits()
        # Those of a deal that is over are awaited no more.
        shares = [data for data in deals.long_shares.values() if _step_of(data) in awaited]
        entry = deals.charge or next(iter(shares), b"")
        if not entry and not blind.is_unread and not any(seat in blind.held for seat, _, _ in awaited):
            return []
        deals.is_working = True
        deals.last_task += 1
        deals.task_from = blind.game.transcript.seen
        return [blind.want(self._model.id, deals.last_task, entry) or RecordInput()]

    def begin(self, chance: Chance, now: int) -> list[Effect]:
        """Take the wanted secret, of a game or of a read deal, or its remains.

        :raises NotAwaited: no secret was wanted.
        """
        wanted, play = self._model.awaits, self._model.play
        if not self._model.deals.is_wanted or play is None or not isinstance(wanted, Shuffle):
            raise NotAwaited("no blind game is to begin")
        self._model.deals.is_wanted = False
        if self._deals.play is not None:
            self._deals.play.add_reader(chance)
            return self.go_on(now)
        number, holders = self._deals.number, self._holders(play)
        blind = BlindPlay.begun(chance, table=self._model.id, number=number, holders=holders, wanted=wanted)
        self._deals.play, self._deals.is_working, self._deals.charge = blind, False, b""
        begun = Open(BlindBegun(blind.game.terms.encoded, self._model.deals.way.is_read))
        return self._publisher.publish((begun,), now) + self.go_on(now)

    def part(self, seat: Seat, data: bytes, now: int) -> list[Effect]:
        """Take the part of a player who holds their key.

        :raises RequestRefused: the part is invalid.
        """
        blind = self._deals.play
        if blind is None or seat in blind.held:
            raise _bad_entry("refused-entry-server" if blind else "refused-entry-no-deal")
        with _refused():
            entry = _of_seat(data, seat)
            if entry.kind is Kind.ACCUSE:
                if self._deals.charge:
                    raise ProofError("the shuffles of this deal are being checked")
                blind.game.check_accusation(entry)
                return self._charge(data)
            is_long = entry.kind is Kind.SHARES and len(entry.body) > MOST_SHARES * POINT_BYTES
            if is_long and not blind.is_reading:
                if seat in self._deals.long_shares:
                    raise ProofError("the shares of this seat are being checked")
                blind.game.check_shares(entry)
                self._deals.long_shares[seat] = data
                self._deals.waits.pop(seat, None)
                return [*self._want_parts(), RecordInput()]
        facts = self._take(blind, self._ordered(blind, seat, data, _is_part))
        return self._publisher.publish(facts, now, is_info_new=len(facts) > 1) + self.go_on(now)

    def _charge(self, entry: bytes) -> list[Effect]:
        """Start the check of the shuffles before this entry, which ends a deal. The check takes long."""
        self._deals.charge = entry
        return [*self._want_parts(), RecordInput()]

    def parts(self, task: int, entries: tuple[bytes, ...], read: int, now: int) -> list[Effect]:
        """Take the results of a task: entries, or the number of the deal read. The work of late results is repeated."""
        deals, blind = self._deals, self._deals.play
        if blind is None or task != deals.last_task or not deals.is_working:
            return []
        deals.is_working = False
        if deals.charge in entries:
            deals.charge = b""
        effects: list[Effect] = []
        for data in entries:
            try:
                with blind.unless_refused():
                    facts = self._take(blind, blind.ordered(data, is_checked=True))
            except ProofError:  # its seat, or who is said to have missed their part, has acted; or the deal is over
                continue
            # A message each: ten seats' shares are over a frame.
            effects += self._publisher.publish(facts, now, is_info_new=len(facts) > 1)
        if read:
            blind.read = max(blind.read, read)
        elif not effects and blind.game.transcript.seen == deals.task_from:
            return [RecordInput()]  # wanting it again would not help
        return [*effects, *self.go_on(now), RecordInput()]

    def resume(self, now: int) -> list[Effect]:
        """Continue after a restart of the server, which lost its running task."""
        self._deals.is_working = False
        return self.go_on(now)

    def act(self, play: GameInPlay, turn: TurnClock, action: Action, data: bytes, now: int) -> tuple[Fact, ...]:
        """Carry out an action of the seat to move. `data`: its entry, if the seat holds its key.

        :raises IllegalAction: the action is not legal.
        :raises RequestRefused: the entry is invalid.
        """
        blind, seat = self._deals.play, turn.seat
        assert blind is not None
        assert seat is not None
        if not play.is_legal(action):
            raise IllegalAction(action)
        if seat in blind.held:
            if data:
                raise _bad_entry("refused-entry-server")
            with blind.unless_refused():
                step, place = blind.acted(seat, action), None
        else:
            card = getattr(action, "card", None)
            place = None if card is None else place_of(card)
            step = self._ordered(blind, seat, data, lambda entry: _is_for_action(entry, blind, action, place))
        named = action
        if place is not None:
            assert step.game.playing is not None
            named = type(action)(step.game.playing.shown[place])
        facts = play.act(named, now, place)
        return (*self._take(blind, step), *facts)

    def ruled(self, kind: RulingKind, seat: Seat) -> tuple[Fact, ...]:
        """Facts of the transcript entry for a ruling of the server."""
        blind = self._deals.play
        return () if blind is None else self._take(blind, blind.ruled(kind, seat))

    def lose_turns(self, play: GameInPlay, facts: tuple[Fact, ...], now: int) -> tuple[Fact, ...]:
        """The facts, followed by those of the turns of seats that lose the hand, which time out at once."""
        while isinstance(play.awaits, Turn) and self._deals.misses.lose_turn(play.awaits.seat):
            facts += (*self.ruled(RulingKind.MISSED, play.awaits.seat), *play.expire(now))
        return facts

    def _ordered(self, blind: BlindPlay, seat: Seat, data: bytes, fits: Callable[[Entry], bool]) -> BlindStep:
        """The next entry, from a player.

        :raises RequestRefused: it is of another seat, does not fit, or is invalid.
        """
        if not data:
            raise _bad_entry("refused-entry-needed")
        with _refused(), blind.unless_refused():
            if not fits(_of_seat(data, seat)):
                raise ProofError("the entry is another than this")
            return blind.ordered(data)

    def _take(self, blind: BlindPlay, step: BlindStep) -> tuple[Fact, ...]:
        """Take the next entry: its facts, without the effect of the rules."""
        known, blind.game = len(blind.game.blames), step.game
        author = Entry.parse(step.told.entry).author
        self._deals.waits.pop(author, None)
        self._deals.long_shares.pop(author, None)
        facts: tuple[Fact, ...] = (Open(step.told),)
        for blame in step.game.blames[known:]:
            self._deals.waits.clear()
            self._deals.long_shares.clear()
            if blame.seat not in blind.held:
                misses = self._deals.misses.note_miss(blame.seat)
                facts += (Open(PartMissed(blame.seat, misses.missed, is_dismissed=misses.is_dismissed)),)
        return facts

    def opened(self, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
        """The facts, preceded by proofs of the cards that they show, if the server reads the pack."""
        blind, hand = self._deals.play, self._model.deals.hand
        if blind is None or not hand:
            return facts
        shown = {
            viewer: tuple(dict.fromkeys(chain(*[_cards_in(fact.seen_by(viewer)) for fact in facts])))
            for viewer in self._model.event_log.viewers
        }
        known = {card: self._open(blind, card) for card in dict.fromkeys(chain(*shown.values()))}
        if not known:
            return facts
        opened = {viewer: BlindOpened(tuple(map(known.__getitem__, cards))) for viewer, cards in shown.items() if cards}
        first = next(number for number, fact in enumerate(facts) if not isinstance(fact.seen_by(GALLERY), BlindEntry))
        return (*facts[:first], Told(Hidden(opened)), *facts[first:])

    def _open(self, blind: BlindPlay, card: Card) -> OpenedPlace:
        """The proof of a card, from the newest deal that has it."""
        deals = reversed(list(zip(blind.packs, self._model.deals.hand, strict=True)))
        number, deal = next((number, deal) for number, deal in deals if card in deal.pack.cards)
        return blind.opened(number, deal.pack.cards.index(card))

    def miss(self, seats: tuple[Seat, ...], now: int) -> list[Effect]:
        """Note seats that missed their part. The first of them ends the deal."""
        blind = self._deals.play
        if blind is None or not seats:
            return []
        for seat in seats:
            del self._deals.waits[seat]
        deal = next(number for one, _, number in blind.game.awaits() if one == seats[0])
        return self._charge(self._deals.charge or blind.missed(seats[0], deal))

    def finish_hand(self, remains: tuple[Pack, ...]) -> list[Effect]:
        """End the hand: store the remains of the packs that were read, and erase their secrets."""
        blind = self._deals.play
        self._deals.misses.note_hand_over()
        if blind is None or not (secrets := blind.finish_hand(remains)):
            return []
        return [DealOver(self._model.id, secrets, 1)]

    def finish(self) -> list[Effect]:
        """End the blind game: erase its secrets."""
        blind, self._deals.play = self._deals.play, None
        self._deals.waits.clear()
        self._deals.long_shares.clear()
        self._deals.is_working, self._deals.charge = False, b""
        if blind is None:
            return []
        return [DealOver(self._model.id, (blind.source.remains(), *blind.finish_hand(())))]


def _cards_in(event: Event | None) -> tuple[Card, ...]:
    return () if event is None or event.SHOWS is None else event.SHOWS.cards_in(event)


def _is_for_action(entry: Entry, blind: BlindPlay, action: Action, place: int | None) -> bool:
    if entry.deal != blind.in_play:
        return False
    if place is not None:
        return entry.kind is Kind.SHOW and entry.body[:1] == bytes([place])
    return entry.kind is Kind.ACT and blind.is_act(entry.author, action, entry.body)


def _is_part(entry: Entry) -> bool:
    return entry.kind in (Kind.KEY, Kind.SHUFFLE, Kind.SHARES)


def _step_of(data: bytes) -> tuple[Seat, Kind, int]:
    """The step of an entry, in the form in which a game awaits it."""
    entry = Entry.parse(data)
    return entry.author, entry.kind, entry.deal


def _of_seat(data: bytes, seat: Seat) -> Entry:
    """:raises ProofError: the entry is malformed, or of another seat."""
    entry = Entry.parse(data)
    if entry.author != seat:
        raise ProofError("the entry is another than this")
    return entry


@contextmanager
def _refused() -> Iterator[None]:
    """:raises RequestRefused: the entry is invalid."""
    try:
        yield
    except ProofError as error:
        raise _bad_entry("refused-entry", flaw=error.reason) from None


def _bad_entry(message: str, **arguments: Any) -> RequestRefused:
    return RequestRefused(RefusalCode.BAD_ENTRY, message, field="entry", **arguments)


NOT_BLIND = _bad_entry("refused-not-blind")
