"""The requests a client may make of a server, a method each, whoever carries them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from put_client.sdk.errors import BadServer
from put_protocol.games.unions import (
    Action,
)
from put_protocol.messages import (
    Again,
    Analyse,
    Dismiss,
    Drill,
    GoOn,
    Grade,
    Invite,
    Leave,
    Ok,
    OpenTable,
    Pause,
    Request,
    Resign,
    Say,
    Stand,
    Watch,
)
from put_protocol.seats import Seat
from put_protocol.table_info import (
    Admits,
)


class Asking(ABC):
    """The requests that change nothing in whoever makes them. All raise as `_ask` does."""

    @abstractmethod
    async def _ask(self, make: Callable[[int], Request]) -> Ok:
        """The server's `ok` to the request, which is made by its id."""

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
        """The number of a new table. You are not yet at it."""
        answer = await self._ask(
            lambda request: OpenTable(
                id=request,
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
        )
        if answer.table is None:
            raise BadServer("it opened a table and did not say which")
        return answer.table

    async def stand(self, table: int) -> None:
        """Give up your seat, between games."""
        await self._ask(lambda request: Stand(id=request, table=table))

    async def watch(self, table: int, passcode: str = "") -> None:
        """Join the gallery."""
        await self._ask(lambda request: Watch(id=request, table=table, passcode=passcode))

    async def leave(self, table: int) -> None:
        """Go away from the table. During a game this gives it up."""
        await self._ask(lambda request: Leave(id=request, table=table))

    async def resign(self, table: int) -> None:
        """Give the game up and keep the seat."""
        await self._ask(lambda request: Resign(id=request, table=table))

    async def invite(self, table: int, seat: int | None = None, house: str = "steady", *, person: str = "") -> None:
        """Ask a house player into an empty seat, or somebody who is here to take it: they hear `Invited`."""
        chosen = None if seat is None else Seat(seat)
        await self._ask(lambda request: Invite(id=request, table=table, seat=chosen, house=house, person=person))

    async def dismiss(self, table: int, seat: int) -> None:
        """Send a house player away, between games."""
        await self._ask(lambda request: Dismiss(id=request, table=table, seat=Seat(seat)))

    async def again(self, table: int) -> None:
        """Ask for another game; it starts when every seat has asked."""
        await self._ask(lambda request: Again(id=request, table=table))

    async def pause(self, table: int, minutes: int = 0) -> None:
        """Ask for a pause of the game of at most so long, or agree to one; 0: as the others ask, or an hour.

        While it lasts everyone may go away; who means to come back closes with `keep`.
        """
        await self._ask(lambda request: Pause(id=request, table=table, minutes=minutes))

    async def go_on(self, table: int) -> None:
        """Be ready to go on after a pause."""
        await self._ask(lambda request: GoOn(id=request, table=table))

    async def say(self, table: int, text: str) -> None:
        """Talk: from a seat to everyone at the table, from the gallery to the gallery until the game is over."""
        await self._ask(lambda request: Say(id=request, table=table, text=text))

    async def analyse(self, table: int) -> None:
        """Have your own decisions in the last game there weighed against perfect play: `Analysis` messages follow."""
        await self._ask(lambda request: Analyse(id=request, table=table))

    async def drill(self, game: str, options: Mapping[str, int | str] | None = None) -> int:
        """Ask for a position to practise on: a `Position` with the returned id follows."""
        answer = await self._ask(lambda request: Drill(id=request, game=game, options=dict(options or {})))
        return answer.id

    async def grade(
        self, game: str, number: int, action: Action, options: Mapping[str, int | str] | None = None
    ) -> int:
        """Answer the position of this number: a `Judgement` with the returned id follows."""
        answer = await self._ask(
            lambda request: Grade(id=request, game=game, number=number, action=action, options=dict(options or {}))
        )
        return answer.id
