"""A hand of Triomphe Forcée and one of Primero, taken down as JSON lines at one player's connection.

What the others do is in the events that the player gets. A seed is one that deals a hand in which there is something to
see. If the rules or the shuffling change, `transcripts.TranscriptError` says where the hand took another way.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count

from scripts.reference.transcripts import REPEATED, ClockedServer, Connection, Page, TranscriptError, clocked_server

NAMES = ("Moll", "Ned", "Oll", "Peg")

TRIOMPHE_SEED = 4
"""One from which Moll holds the Fool, and nobody La Mort."""
PRIMERO_SEED = 4
"""One from which two players hold no more than a Numerus, and may announce anything."""


@dataclass(slots=True)
class Company:
    """The players of one table, by seat. The first is the one whose connection is taken down."""

    page: Page
    connections: list[Connection]
    ids: Iterator[int]
    """Of requests; each is used once, whoever asks."""

    async def acts(self, seat: int, says: str) -> None:
        """This player is asked, and answers with the action that the server words so, but for what follows a colon.

        :raises TranscriptError: they have no such action.
        """
        connection = self.connections[seat]
        asked = await connection.hears_until("decision")
        said = {choice["says"].partition(":")[0]: choice["action"] for choice in asked["legal"]}
        if says not in said:
            raise TranscriptError(f"{NAMES[seat]} may not {says}: {[*said]}")
        connection.says(type="act", id=next(self.ids), table=1, decision=asked["decision"], action=said[says])
        await connection.hears_until("ok")

    async def hears(self, event: str) -> None:
        """The first player gets this event; those before it are not looked at."""
        while event not in [told["event"] for told in (await self.connections[0].hears_until("events"))["events"]]:
            pass


async def _company(server: ClockedServer, page: Page, game: str, seats: int) -> Company:
    moll = await server.call(page)
    page.note("Moll comes in, opens a table for a sitting of one hand, and sits down.")
    family = game.partition("-")[0]
    moll.says(type="hello", version=2, name="Moll", is_bot=True, knows=[family])
    await moll.hears("welcome")
    moll.says(type="open", id=1, game=game, seats=seats, options={"hands": 1})
    await moll.hears("ok")
    moll.says(type="sit", id=2, table=1)
    await moll.hears("ok", "table")
    company = Company(page, [moll], count(3))
    for name in NAMES[1:seats]:
        connection = await server.call()
        company.connections.append(connection)
        connection.says(type="hello", version=2, name=name, knows=[family])
        connection.says(type="sit", id=1, table=1)
        await connection.hears("welcome", "ok")
    return company


async def _triomphe(server: ClockedServer, page: Page) -> None:
    company = await _company(server, page, "triomphe-forcee", 4)
    moll, ned, oll, peg = range(4)
    page.note(
        "The table is full, and the sitting begins: cards are turned up until the first trump finds the dealer. Each "
        "player stakes 2 and is dealt five cards. Nobody holds La Mort. Moll holds the Fool, which the server declares "
        "for her; she is paid a stake for it."
    )
    await company.hears("triomphe.turned_up")
    page.shows_again("view")
    await company.hears("triomphe.declared")
    page.note("Peg, at the dealer's right, leads a sword. Moll could play the Fool at any time, and does.")
    await company.acts(peg, "lead the 3 of swords")
    await company.acts(moll, "play the Fool")
    page.note("Ned has no swords, and must play a trump: it takes the trick.")
    await company.acts(ned, "play trump XXI")
    await company.acts(oll, "play the queen of swords")
    await company.hears("triomphe.trick")
    page.note("Nobody else has batons either, so everyone plays a trump, and the highest takes the trick.")
    await company.acts(ned, "lead the 8 of batons")
    await company.acts(oll, "play trump XX")
    await company.acts(peg, "play trump XVI")
    await company.acts(moll, "play trump VI")
    page.note("In cups the queen is above the numbers, as in every suit.")
    await company.acts(oll, "lead the 5 of cups")
    await company.acts(peg, "play the 4 of cups")
    await company.acts(moll, "play the 9 of cups")
    await company.acts(ned, "play the queen of cups")
    page.note("Moll trumps the fourth trick, and leads to the last.")
    await company.acts(ned, "lead the 10 of coins")
    await company.acts(oll, "play the 9 of swords")
    await company.acts(peg, "play the 6 of coins")
    await company.acts(moll, "play trump VII")
    await company.acts(moll, "lead the 2 of swords")
    await company.acts(ned, "play the 2 of coins")
    await company.acts(oll, "play the 1 of swords")
    for _ in range(3):
        await company.hears("triomphe.played")
    page.shows_again("view")
    page.note(
        "Ned has the most tricks and takes the rest of the pool. The sitting is over: `over` says what each purse "
        "gained."
    )
    await company.acts(peg, "play the 5 of swords")
    await company.hears("over")


async def _primero(server: ClockedServer, page: Page) -> None:
    company = await _company(server, page, "primero", 3)
    moll, ned, oll = range(3)
    page.note(
        "The table is full, and the sitting begins: cards are turned up until the first ace finds the dealer. Each "
        "player pays 1 into the pot, and gets two cards."
    )
    await company.hears("primero.turned_up")
    page.shows_again("view")
    await company.hears("primero.dealt")
    page.note("Ned bets 2, Oll refuses. Moll sees the bet and raises it: it is taken, so Oll is out.")
    await company.acts(ned, "bet 2")
    await company.acts(oll, "refuse the bet")
    await company.acts(moll, "raise by 3")
    await company.hears("primero.out")
    page.shows_again("view")
    page.note("Ned sees the raise: the round is over, and two more cards are dealt to each player who is still in.")
    await company.acts(ned, "see the bet")
    await company.hears("primero.more_dealt")
    page.note("Everyone is asked whether they call vada, whatever they hold.")
    await company.acts(ned, "go on")
    await company.acts(moll, "go on")
    page.note("Ned announces a category, and passes. Moll announces more than she holds, which is allowed, and bets.")
    await company.acts(ned, "announce a Numerus")
    await company.acts(ned, "pass")
    await company.acts(moll, "announce a Fluxus")
    await company.acts(moll, "bet 4")
    await company.hears("primero.bid")
    await company.acts(ned, "see the bet")
    page.note("Ned sees it. Then each may trade: the others are told how many cards, and only Moll what she drew.")
    await company.acts(ned, "stand")
    await company.hears("primero.stood")
    page.shows_again("view")
    await company.acts(moll, "trade the 4 of diamonds and the 5 of hearts")
    page.note("All hands are shown, and the better one takes the pot: `over` says what each purse gained.")
    await company.hears("over")


_CONVERSATIONS: Mapping[str, tuple[int, Callable[[ClockedServer, Page], Awaitable[None]]]] = {
    "triomphe": (TRIOMPHE_SEED, _triomphe),
    "primero": (PRIMERO_SEED, _primero),
}


@cache
def family_transcript(family: str) -> tuple[str, ...]:
    """A sitting of this family, as lines of text.

    :raises TranscriptError: the server said something that was not expected.
    """
    seed, conversation = _CONVERSATIONS[family]
    page = Page(is_framed=False, once=REPEATED)

    async def take_down() -> None:
        async with clocked_server(seed) as server:
            await conversation(server, page)

    asyncio.run(take_down())
    return tuple(page.lines)


def triomphe_transcript() -> list[str]:
    """A hand of Triomphe Forcée."""
    return ["```text", *family_transcript("triomphe"), "```"]


def primero_transcript() -> list[str]:
    """A hand of Primero."""
    return ["```text", *family_transcript("primero"), "```"]
