"""Presence: people arrive, disconnect, return and depart. A person who is away for too long departs."""

from collections.abc import Mapping
from functools import reduce

from msgspec.structs import replace

from put_protocol import PROTOCOL_VERSION
from put_protocol.messages import Goodbye, Notice, Refused, Welcome
from put_protocol.refusals import RefusalCode
from put_protocol.text import NAME_LENGTH, flaw_of_name
from put_rules.game import RuleSet
from put_server.lobby.capacity import Capacity
from put_server.lobby.config import LobbyConfig
from put_server.lobby.inputs import Admit, Arrive, InputOutcome, Return, TurnAway
from put_server.lobby.names import flaw_of_look
from put_server.lobby.open_tables import OpenTables
from put_server.lobby.people import MOST_HUSHED, People, Person
from put_server.lobby.policy import EDITION
from put_server.lobby.recent_responses import each, noted
from put_server.lobby.table_access import Invitations
from put_server.table.table_effects import Effect, LossFound, RecordInput, RequestRefused, SentAway, TableId, Tell
from put_text.catalogue import ENGLISH, languages, say_in_english

GRACE_MS = 120_000
"""Time in which a disconnected person without a seat may return; a player has their table's bank. For as long, the name
of a person who sent no request is kept from other origins too: they may not have received their token."""

LOSS_NOTICE = Notice(say_in_english("refused-loss"))
_GAVE_WAY = Goodbye(code="kicked", says=say_in_english("refused-gave-way"))
_LATE = Goodbye(code="taken_over", says=say_in_english("refused-late-hello"))

REMEMBERED = 16
"""Number of starts remembered. A client that was away for more gets everything anew, and can prove nothing."""


class Epochs:
    """Numbers of the server's last starts, the oldest first. With them a returning client can prove a loss.

    A client is sent only what is on disk. If it knows a start that the journal does not know, or more events than there
    were at the next start, then the journal has lost acknowledged data: a disk or an operator restored an earlier
    state. The client's event numbers then refer to other events. Without the epoch, its last number would look normal,
    and the client would get events that do not follow.

    An epoch is never used twice, even after a loss, because it is derived from the date of the start.
    """

    def __init__(self) -> None:
        self.known: tuple[int, ...] = ()

    @property
    def current(self) -> int:
        """Current epoch; 0: the server does not count starts."""
        return self.known[-1] if self.known else 0

    def begin(self, epoch: int) -> None:
        if epoch > self.current:
            self.known = (*self.known, epoch)[-REMEMBERED:]

    def is_lost(self, told: int) -> bool:
        """True if this epoch is lost from the journal."""
        return bool(told and self.known) and told > self.known[0] and told not in self.known

    def is_last(self, told: int) -> bool:
        """True for the current or the previous epoch, or 0."""
        return not told or told in self.known[-2:]


class Presence:
    """Arrivals and departures. A person and their name outlive a connection, and so does a player's seat."""

    def __init__(
        self,
        games: Mapping[str, RuleSet],
        config: LobbyConfig,
        people: People,
        tables: OpenTables,
        capacity: Capacity,
        epochs: Epochs,
    ) -> None:
        self._games = games
        self._config = config
        self._people = people
        self._tables = tables
        self._capacity = capacity
        self.invitations = Invitations()
        self._epochs = epochs
        self._subscribers = tables.subscribers

    def arrive(self, hello: Arrive, now: int) -> InputOutcome:
        """Admit a newcomer. A disconnected spectator does not keep their name from a newcomer, but a player, or the
        opener of a waiting table, does."""
        try:
            holders = self._holders_of(hello, now)
            cleared = self._capacity.room_for_person(hello.origin, [one for one in holders if not one.is_kept])
        except RequestRefused as refusal:
            return turned_away(refusal.code, refusal.says)
        effects = self._clear(cleared, now)
        for person in holders:
            effects += self.depart(person, now)
        person = Person(
            self._people.next_id,
            hello.name,
            hello.is_bot,
            hello.token,
            knows=hello.knows,
            views=hello.views,
            words=hello.words,
            language=_known(hello.language),
            origin=hello.origin,
            incarnation=hello.incarnation or 1,
            muted=tuple(hello.muted[-MOST_HUSHED:]),
            blocked=tuple(hello.blocked[-MOST_HUSHED:]),
            epoch=self._epochs.current,
            is_visitor=hello.is_visitor,
            is_heard=not self._config.is_whole,  # elsewhere they may have asked for much
        )
        self._people.add(person)
        self._subscribers.note(person)
        return InputOutcome(Admit(person.id, self._welcome(person)), effects)

    def _holders_of(self, hello: Arrive, now: int) -> list[Person]:
        """Holders of this or a look-alike name who lose it to the newcomer. A visitor's home has already checked the
        look of their name.

        :raises RequestRefused: the name is reserved, or its holder keeps it.
        """
        name, edition = hello.name, 0 if hello.is_visitor else self._capacity.policy.edition
        # Whom an earlier edition refused is in no journal.
        flaw = flaw_of_name(name)
        about = {"flaw": flaw, "most": NAME_LENGTH} if flaw else flaw_of_look(name) if edition >= EDITION else None
        if about is not None:
            raise RequestRefused(RefusalCode.BAD_NAME, "refused-name", **about)
        named = self._people.holder_of_name(name)
        holders = self._people.alike(name, edition) if edition else [] if named is None else [named]
        for holder in holders:
            is_same = not holder.is_heard and holder.origin == hello.origin  # probably: their welcome was lost
            is_kept = not (hello.is_visitor or is_same) and self._keeps_name(holder, now)
            if holder.is_here or is_kept or self._tables.sits(holder) or self._tables.fresh_of(holder.id):
                if not holder.is_here and is_kept:
                    days, same = (
                        -(-self._capacity.policy.name_seconds // 86_400),
                        "same" if holder is named else "alike",
                    )
                    raise RequestRefused(RefusalCode.NAME_TAKEN, "refused-name-kept", likeness=same, days=days)
                if holder is named:
                    raise RequestRefused(RefusalCode.NAME_TAKEN, "refused-name-here")
                raise RequestRefused(RefusalCode.NAME_TAKEN, "refused-name-looks", name=holder.name)
        return holders

    def _keeps_name(self, person: Person, now: int) -> bool:
        policy = self._capacity.policy
        kept_ms = policy.name_seconds * 1000 if person.is_heard else min(GRACE_MS, policy.name_seconds * 1000)
        return now - person.lost_at < kept_ms

    def come_back(self, hello: Return, now: int) -> InputOutcome:
        """A known person returns, perhaps while their former connection is still open.

        A `hello` may arrive late: its client gave the connection up, and the `hello` of the next connection arrived
        first. Accepting the late one would close the live connection and lose the requests made there. So each `hello`
        has a number, and only the latest is accepted.
        """
        person = self._people.with_token(hello.token)
        if person is None or (person.is_kept and not self._keeps_name(person, now)):
            return self._unknown(hello)
        if hello.incarnation and hello.incarnation <= person.incarnation:
            return InputOutcome(TurnAway(_LATE), [])
        effects: list[Effect] = []
        if person.is_kept:
            try:
                effects += self._clear(self._capacity.room_for_person(hello.origin, []), now)
            except RequestRefused as refusal:
                return turned_away(refusal.code, refusal.says)
            self._people.bring_back(person, hello.origin)
        person.is_heard = True
        if person.incarnation < hello.fresh_since:  # this shard has not seen that hello
            person.responses = ()
        person.incarnation = hello.incarnation or person.incarnation + 1
        if not hello.asked:
            person.fresh_since = person.incarnation
        self._note(person, is_here=True)
        person.knows = hello.knows
        person.views = hello.views
        person.words = hello.words
        person.language = _known(hello.language)
        self._people.note_origin(person, hello.origin)
        self._subscribers.discard(person.id)
        answer = Admit(person.id, self._welcome(person))
        found = {ok.id: ok for ok in each(person.responses)}
        effects += [Tell((person.id,), found.get(request) or _not_carried_out(request)) for request in hello.asked]
        # If the connection drops again before these arrive, the client asks for them again; it has the others.
        person.responses = reduce(noted, [found[request] for request in hello.asked if request in found], ())
        numbers, lost = self._proved(hello, person)
        person.epoch = self._epochs.current
        if lost:
            effects += [
                LossFound(f"{person.name} was told {lost}, of which nothing is kept"),
                Tell((person.id,), LOSS_NOTICE),
            ]
        for table in self._tables.of(person):
            effects += self._tables.after(table, table.reconnect(person.id, numbers.get(table.id), now), now)
        for table in self._tables.values():  # an invitation may have gone to the lost connection
            effects += table.invitation(person.id)
        return InputOutcome(answer, effects)

    def _proved(self, hello: Return, person: Person) -> tuple[dict[TableId, int], str]:
        """Number of the last event that a person has of each table, if the number still means the same, and the loss
        that they prove. Without an epoch, their last known one is assumed."""
        numbers = {TableId(seen.table): seen.number for seen in hello.seen}
        if not self._config.is_whole and (never := self._tables.never_opened(numbers)):
            return {}, f"of table {never}, and {self._tables.last_id} was the last"
        epoch = hello.epoch or person.epoch
        if epoch in (0, self._epochs.current):
            return numbers, ""
        lost = [f"of start {hello.epoch} of this server"] if self._epochs.is_lost(hello.epoch) else []
        for table in self._tables.of(person):
            viewer = table.seating.viewer_of(person.id)
            number = numbers.get(table.id)
            if viewer is None or number is None:
                continue
            if number > (kept := table.model.event_log.number_at_start(viewer)):
                lost.append(f"event {number} of table {table.id}, where {kept} were kept")
                del numbers[table.id]
        return ({} if lost or not self._epochs.is_last(epoch) else numbers), " and ".join(lost)

    def _unknown(self, hello: Return) -> InputOutcome:
        if not self._epochs.is_lost(hello.epoch):
            return turned_away(RefusalCode.BAD_TOKEN, say_in_english("refused-token"))
        says = say_in_english("refused-token-lost")
        loss = f"a client has a token of start {hello.epoch} of this server, of which nothing is kept"
        return turned_away(RefusalCode.BAD_TOKEN, says, LossFound(loss))

    def _welcome(self, person: Person) -> Welcome:
        """Without the token, because the lobby has only its digest. The dispatcher adds the token."""
        policy = self._capacity.policy
        return Welcome(
            version=PROTOCOL_VERSION,
            server=self._config.server_name,
            name=person.name,
            token="",
            limits=replace(
                self._config.limits,
                longest_turn=policy.longest_turn,
                longest_bank=policy.longest_bank,
                patience=policy.patience,
                first_move=policy.first_move,
            ),
            games=tuple(rule_set.offer for rule_set in self._games.values()),
            houses=self._config.houses,
            tables=person.tables,
            incarnation=person.incarnation,
            epoch=self._epochs.current,
        )

    def lose(self, person: Person, now: int) -> list[Effect]:
        self._note(person, is_here=False)
        person.lost_at = now
        self._subscribers.discard(person.id)
        effects: list[Effect] = []
        for table in self._tables.of(person):
            effects += self._tables.after(table, table.disconnect(person.id, now), now)
        return effects

    def keep(self, person: Person, now: int) -> None:
        """Their connection here is lost, and they are expected back as long as they have a seat in another lobby."""
        if not person.is_here:
            person.lost_at = now

    def _clear(self, people: list[Person], now: int) -> list[Effect]:
        """These people lose their places. An absent person keeps their name; a present one learns that their token
        ended."""
        effects: list[Effect] = [SentAway(person.id, _GAVE_WAY) for person in people if person.is_here]
        for person in people:
            effects += self.depart(person, now, keeps_name=not person.is_here)
        return effects

    def depart(self, person: Person, now: int, *, keeps_name: bool = False) -> list[Effect]:
        """They leave their tables, and their token ends, unless their name is kept."""
        if person.is_kept:
            self._people.drop_name(person)
            return [RecordInput()]
        effects: list[Effect] = []
        tables, person.tables = self._tables.of(person), ()
        for table in tables:
            effects += self._tables.after(table, table.leave(person.id, now), now)
        self._subscribers.discard(person.id)
        if keeps_name and not person.is_visitor and person.is_heard and self._keeps_name(person, now):
            policy = self._capacity.policy
            self._people.keep_name(person, policy.names, now - policy.name_seconds * 1000)
        else:
            self._people.remove(person)
        self.invitations.forget(person.id)
        self._subscribers.note(person)
        return [*effects, RecordInput()]

    def forget(self, name: str, now: int) -> list[Effect]:
        """Erase a person: they depart, if known, and all mentions of their name are removed."""
        person = self._people.holder_of_name(name)
        effects = [] if person is None else self.depart(person, now)
        self._people.forget(name)
        for table in self._tables.values():
            table.model.forget(name)
            if person is not None and table.owner_id == person.id:
                self._tables.forget_origin(table)
        return effects

    def tick(self, now: int) -> list[Effect]:
        lost = [p for p in self._people.values() if not p.is_here and now - p.lost_at >= GRACE_MS]
        effects: list[Effect] = []
        for person in lost:
            if not self._tables.sits(person):
                effects += self.depart(person, now, keeps_name=True)
        return effects

    def _note(self, person: Person, *, is_here: bool) -> None:
        if person.is_here != is_here:
            person.is_here = is_here
            self._subscribers.note(person)


def turned_away(code: RefusalCode, says: str, *effects: Effect) -> InputOutcome:
    return InputOutcome(TurnAway(Goodbye(code="refused", says=says, refusal=code)), list(effects))


def _known(language: str) -> str:
    """The language of a client's text: one that there is, so that clients of any other share their messages."""
    return language if not language or language in languages() else ENGLISH


def _not_carried_out(request: int) -> Refused:
    return Refused(request, RefusalCode.NOT_CARRIED_OUT, say_in_english("refused-changed-nothing"))
