"""A client: one person's connection to a server, which comes back by itself when it drops.

    async with connect("localhost", 1674, name="Moll") as client:
        table = await client.open_table("put-1674")
        await client.sit(table)
        async for message in client:
            if isinstance(message, Decision):
                await client.act(message.table, message.decision, message.legal[0].action)

Laws: messages are delivered in order, those of one table without gaps even across a drop. A request returns after the
server's `ok` or raises, even across a drop; any error other than `Unanswered` means that it was not carried out. Every
wait ends, unless the client is `patient`. `close` (or leaving `async with`) ends the client.

Why nothing is lost or done twice: `hello` lists the last event of each table and every unanswered request
(`lasting_wire`). The server sends missed events, answers the requests that it carried out, and refuses the others as
`not_carried_out`; these are sent again with new ids. A repeated decision whose answer is on its way is held back until
the answer's result.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from put_client.sdk.deal_checks import DealChecks
from put_client.sdk.dialler import Dialler, Security
from put_client.sdk.errors import BadServer, Refusal, address
from put_client.sdk.lasting_wire import Dialling
from put_client.sdk.session_store import KeyMemory
from put_client.sdk.traffic import Message, Traffic
from put_client.sdk.wire import backoff
from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.codecs import FRAMES, Codec
from put_protocol.games.unions import Action
from put_protocol.messages import Ok, Request
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import Admits
from put_text.catalogue import ENGLISH, LANGUAGE
from put_text.presenters import families_in_words

if TYPE_CHECKING:
    from put_text.notation import Sheet

log = logging.getLogger("put_client.bots")

CONNECT_S = 10.0
"""Time to connect, and again to be welcomed. Longer than any round trip, shorter than a person's patience."""

ANSWER_S = 30.0
"""Time limit for the answer to a request, including reconnects; a patient client has no limit."""

P = ParamSpec("P")
T = TypeVar("T")


class Client:
    """A person at a server, created by `connect`. Only one task at a time may iterate; any task may make requests.

    `await` opens a new client and gives it; `async with` opens it and closes it at the end.

    Every request returns after the server's `ok`.

    :raises Refusal: the server refused it.
    :raises Unanswered: it was sent, but no answer came.
    :raises NoServer: the connection was down or full for the whole time; nothing was sent.
    :raises Disconnected: the connection is over; nothing was sent.
    """

    def __init__(self, dialling: Dialling, checks: DealChecks, answer_timeout: float | None) -> None:
        self.host = dialling.dialler.host
        self.port = dialling.dialler.port
        self.dialler = dialling.dialler
        """Knows whether the connection is encrypted, and the server's key."""
        self.observer: Callable[[Client, Message], None] | None = None
        """Called with the client and each message before the iteration yields it. It must neither raise nor wait."""
        self.is_patient = dialling.is_patient
        """A request refused as too fast is repeated after the server's delay."""
        self._line = asyncio.Lock()
        self._traffic = Traffic(dialling, checks, answer_timeout)
        self._wire = self._traffic.wire

    @classmethod
    def connect(
        cls,
        host: str,
        port: int,
        *,
        fingerprint: str = "",
        security: Security = Security.AUTO,
        name: str = "",
        password: str = "",
        token: str = "",
        incarnation: int = 0,
        note_incarnation: Callable[[int], None] = lambda _: None,
        is_bot: bool = False,
        client: str = "put-client",
        knows: tuple[str, ...] | None = None,
        codec: Codec = FRAMES,
        connect_timeout: float = CONNECT_S,
        answer_timeout: float = ANSWER_S,
        patient: bool | None = None,
        resume: bool = True,
        waits: Callable[[], Iterable[float]] = backoff,
        checked: bool = True,
        keys: KeyMemory | None = None,
        dialler: Dialler | None = None,
        views: messages.ViewForm = messages.ViewForm.CHANGES,
        words: bool | None = None,
    ) -> Self:
        """A client that is to be awaited, or entered by `async with`: it then connects, and waits for the server's
        welcome. The caller closes it; `async with` does that.

        The connection is encrypted, and the server's key is remembered on the first connection: see `Dialler`.
        `fingerprint`: of the only trusted key.

        With the `token` of an earlier client it resumes as that person, under any name, and a snapshot of each of their
        tables (`welcome.tables`) follows. `incarnation`: that client's last one, which it passes to `note_incarnation`
        before each use; 0: unknown, and the server chooses the next. `waits` gives the seconds before each attempt to
        reconnect; when it ends, the client gives up. `patient`: requests wait for answers without a time limit, also
        while the server is away; a request refused because the server is stopping is repeated when the server is back,
        and one refused as too fast after the server's delay.
        None: the value of `is_bot`. `knows`: families of games that need no text from the server; None: those with
        sentences here. `checked`: keep the keys of our cards in blind deals, and check all messages. `keys`: this
        person's stored memory of blind deals, for a client that continues with their cards; None: none yet. `dialler`:
        opens the connections; None: one for this host. `views`: form of views on the wire; in any case every message
        that changes a game is delivered with the whole view.
        `words`: decisions have sentences for people; None: true unless `is_bot`.

        :raises NoServer: the server is unreachable.
        :raises CannotTrust: it may be a different server.
        :raises Rejected: the server refused us, for example because the name is taken or the token has ended.
        :raises BadServer: the answer is not from a put server.
        """
        hello = messages.Hello(
            version=PROTOCOL_VERSION,
            name=name,
            password=password,
            is_bot=is_bot,
            knows=families_in_words() if knows is None else knows,
            views=views,
            words=not is_bot if words is None else words,
            language="" if is_bot or LANGUAGE.get() == ENGLISH else LANGUAGE.get(),  # older servers know no such field
            client=client,
            token=token,
            incarnation=incarnation,
        )

        is_patient = is_bot if patient is None else patient
        dialling = Dialling(
            dialler=dialler or Dialler(host, port, fingerprint=fingerprint, security=security),
            hello=hello,
            codec=codec,
            connect_timeout=connect_timeout,
            waits=waits if resume else None,
            is_patient=is_patient,
            note_incarnation=note_incarnation,
        )
        checks = DealChecks(address(host, port), is_checking=checked, keys=keys)
        return cls(dialling, checks, None if is_patient else answer_timeout)

    def __await__(self) -> Generator[Any, None, Self]:
        yield from self._wire.open().__await__()
        return self

    @property
    def welcome(self) -> messages.Welcome:
        """The server's last welcome: games, houses, limits."""
        return self._wire.welcome

    @property
    def token(self) -> str:
        """Token to resume with, in another process too; empty after it has ended."""
        return self._wire.token

    @property
    def keys(self) -> KeyMemory:
        """Secrets to be kept with the token."""
        return self._traffic.checks.keys

    @property
    def incarnation(self) -> int:
        """Number of the last `hello`; 0 before the first."""
        return self._wire.incarnation

    @property
    def is_up(self) -> bool:
        """True while connected. Otherwise requests wait."""
        return self._wire.up.is_set() and self._wire.end is None

    @property
    def name(self) -> str:
        """The name the server knows us by."""
        return self.welcome.name

    @property
    def waiting(self) -> int:
        """Messages received and not yet taken."""
        return self._traffic.inbox.count

    async def __aenter__(self) -> Self:
        return await self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        """The next message.

        :raises Disconnected: the server said goodbye, refused us, or is unreachable.
        :raises BadServer: the server broke the protocol.
        """
        message = await self._traffic.take()
        if self.observer is not None:
            self.observer(self, message)
        return message

    async def look(self, page: int | None = None, **fields: Any) -> None:
        """Subscribe to `LobbyState` messages: the current lobby, then every change, also after a drop. `page`: the
        first page, if the server has `lobby_pages`; None: the whole lobby. `fields`: other fields of `Look`."""
        await self._ask(messages.Look, page=page, **fields)

    async def look_away(self) -> None:
        """Unsubscribe from `LobbyState` messages again."""
        await self._ask(messages.LookAway)

    async def sit(self, table: int, seat: int | None = None, passcode: str = "") -> Seat:
        """Sit down; returns the seat. None: any free seat."""
        chosen = None if seat is None else Seat(seat)
        answer = await self._ask(messages.Sit, table=table, seat=chosen, passcode=passcode)
        if answer.seat is None:
            raise BadServer("it gave a seat and did not say which")
        return answer.seat

    async def act(self, table: int, decision: int, action: Action) -> None:
        """Answer a decision with one of its legal actions. It cannot be taken back.

        :raises Cheated: the table does not deal fairly, so no more moves are made there.
        """
        await self._ask(messages.Act, table=table, decision=decision, action=action)

    async def open_table(
        self,
        game: str,
        *,
        seats: int = 2,
        options: Mapping[str, int | str] | None = None,
        turn: int = 0,
        bank: int = 300,
        passcode: str = "",
        gallery: bool = True,
        admits: Admits = Admits.ALL,
        deals: str = "",
    ) -> int:
        """Open a table; returns its number. You are not at the table yet."""
        answer = await self._ask(
            messages.OpenTable,
            game=game,
            seats=seats,
            options=dict(options or {}),
            turn=turn,
            bank=bank,
            passcode=passcode,
            gallery=gallery,
            admits=admits,
            deals=deals,
        )
        if answer.table is None:
            raise BadServer("it opened a table and did not say which")
        return answer.table

    async def stand(self, table: int) -> None:
        """Give up your seat, between games."""
        await self._ask(messages.Stand, table=table)

    async def watch(self, table: int, passcode: str = "") -> None:
        """Join the gallery of a table."""
        await self._ask(messages.Watch, table=table, passcode=passcode)

    async def leave(self, table: int) -> None:
        """Leave the table. During a game this gives the game up."""
        await self._ask(messages.Leave, table=table)

    async def resign(self, table: int) -> None:
        """Give the game up and keep the seat."""
        await self._ask(messages.Resign, table=table)

    async def invite(self, table: int, seat: int | None = None, house: str = "steady", *, person: str = "") -> None:
        """Invite a house player into an empty seat, or a person who is connected: they receive `Invited`."""
        chosen = None if seat is None else Seat(seat)
        await self._ask(messages.Invite, table=table, seat=chosen, house=house, person=person)

    async def dismiss(self, table: int, seat: int | None = None, *, person: str = "") -> None:
        """Send a house player away, between games; or send a guest away from a table that you opened, until you invite
        them again."""
        chosen = None if seat is None else Seat(seat)
        await self._ask(messages.Dismiss, table=table, seat=chosen, person=person)

    async def again(self, table: int) -> None:
        """Ask for another game; it starts when every seat has asked."""
        await self._ask(messages.Again, table=table)

    async def pause(self, table: int, minutes: int = 0) -> None:
        """Ask for a pause of at most this length, or agree to one; 0: the others' length, or an hour.

        During the pause everyone may disconnect; to come back later, close with `keep`.
        """
        await self._ask(messages.Pause, table=table, minutes=minutes)

    async def go_on(self, table: int) -> None:
        """Agree to end a pause."""
        await self._ask(messages.GoOn, table=table)

    async def say(self, table: int, text: str) -> None:
        """Talk: from a seat to everyone at the table; from the gallery only to the gallery until the game is over."""
        await self._ask(messages.Say, table=table, text=text)

    async def mute(self, person: str, *, on: bool = True) -> None:
        """Stop hearing a person; or hear them again. They are not told."""
        await self._ask(messages.Mute, person=person, on=on)

    async def block(self, person: str, *, on: bool = True) -> None:
        """Mute a person, and refuse their invitations and visits to tables that you opened; or end that."""
        await self._ask(messages.Block, person=person, on=on)

    async def analyse(self, table: int) -> None:
        """Compare your decisions in the last game with perfect play: `Analysis` messages follow. For a blind game a
        local process makes the analysis, if this client saw the whole game."""
        await self._ask(messages.Analyse, table=table)

    async def recall(self, table: int) -> None:
        """Request the last game as you saw it: `Recalled` messages follow."""
        await self._ask(messages.Recall, table=table)

    def named(self, table: int, sheet: "Sheet") -> "Sheet":
        """A recalled game, with our own cards where the server knows only places."""
        check = self._traffic.checks.of(table)
        return sheet if check is None else check.named(sheet)

    async def coach(self, table: int) -> int:
        """Ask for the worth of your choices at the current decision, in a game against house players: an `Advice` with
        the returned id follows."""
        answer = await self._ask(messages.Coach, table=table)
        return answer.id

    async def drill(self, game: str, options: Mapping[str, int | str] | None = None) -> int:
        """Ask for a position to practise on: a `Position` with the returned id follows."""
        answer = await self._ask(messages.Drill, game=game, options=dict(options or {}))
        return answer.id

    async def grade(
        self, game: str, number: int, action: Action, options: Mapping[str, int | str] | None = None
    ) -> int:
        """Answer the position with this number: a `Judgement` with the returned id follows."""
        answer = await self._ask(messages.Grade, game=game, number=number, action=action, options=dict(options or {}))
        return answer.id

    async def ask(self, make: Callable[[int], Request]) -> Ok:
        """Make any request with the id it is given. The methods for requests use this."""
        if not self.is_patient:
            return await self._traffic.ask(make)
        return await patiently(lambda: self._traffic.ask(make), self._line)

    async def _ask(self, kind: Callable[Concatenate[int, P], Request], *values: P.args, **fields: P.kwargs) -> Ok:
        return await self.ask(lambda request: kind(request, *values, **fields))

    async def close(self, *, keep: bool = False) -> None:
        """Say `bye` and end, even if the server does not answer. Requests in flight end as `Unanswered`. Idempotent.

        With `keep` there is no `bye`: the server considers us away, we keep the seats, and can resume with `token`.
        """
        self._traffic.close()
        try:
            await self._wire.close(keep=keep)
        finally:
            await self._traffic.end()


async def patiently(request: Callable[[], Awaitable[T]], line: asyncio.Lock) -> T:
    """Make a request, and after a refusal as too fast again after the server's delay. `line`: one of all requests of a
    connection, so that one is repeated at a time: many that come back together would be too fast again, and the server
    would end the connection."""
    try:
        return await request()
    except Refusal as error:
        delay = _delay(error)
    async with line:
        while True:
            log.debug("asked too fast, and waits %d ms", delay)
            await asyncio.sleep(delay / 1000)
            try:
                return await request()
            except Refusal as error:
                delay = _delay(error)


def _delay(error: Refusal) -> int:
    """Milliseconds; raises any other refusal than one as too fast."""
    if error.code != RefusalCode.TOO_FAST or error.retry_after_ms is None:
        raise error
    return error.retry_after_ms


connect = Client.connect
"""Connect as a person: `async with connect(host, port, name=...) as client`, or `client = await connect(...)`."""
