"""Roster of one server: the players' processes, their connections, and the players that keep others waiting."""

import asyncio
from collections.abc import Iterable, Sequence

from put_arena.competitors import Fault, Kind
from put_arena.contest import Contest
from put_arena.processes import PROCESSES, BotProcess
from put_arena.schedule import copies
from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo

HELLO_SECONDS = 20.0
"""Limit from the start of a process to its `hello`, with time for a bot's imports; and from a lost connection to the
next."""

LIVES = 2
"""Processes of a player in a match: a process that ends is restarted once."""


class Roster:
    def __init__(self, contest: Contest, address: tuple[str, int]) -> None:
        """`address`: host and port of the server."""
        self._contest = contest
        self._people: dict[str, PersonInfo] = {}
        self._processes: dict[str, BotProcess] = {}
        self._news = asyncio.Condition()
        copies_ = copies(len(contest.competitors), contest.sides)
        for number, competitor in enumerate(contest.competitors):
            if (kind := PROCESSES.get(competitor.kind)) is not None:
                for name in map(competitor.person, range(copies_[number])):
                    self._processes[name] = kind(name, number, contest, address)

    @property
    def names(self) -> Iterable[str]:
        """Every player with a process."""
        return self._processes

    def people(self, seats: Sequence[int]) -> tuple[str, ...]:
        """Names of the players of these competitors, by seat; empty for house players."""
        found = []
        for seat, number in enumerate(seats):
            competitor = self._contest.competitors[number]
            is_house = competitor.kind is Kind.HOUSE
            found.append("" if is_house else competitor.person(seats[:seat].count(number)))
        return tuple(found)

    async def run(self, name: str) -> None:
        """Run a player's process. If it ends, restart it once.

        :raises NoBot: there is no such bot.
        """
        player = self._processes[name]
        conduct = player.conduct
        says = ""
        while conduct.ends[name] < LIVES:
            async with self._news:  # the player may still have a seat, disconnected, until its bank is spent
                await self._news.wait_for(lambda: self._is_free(name))
            if not conduct.out:
                says = await player.run()
            if conduct.out:
                return
            conduct.ends[name] += 1
            conduct.note(Fault.CRASHED, f"its process ended: {says}")
        conduct.disqualify(f"its process ended again: {says}")

    def _is_free(self, name: str) -> bool:
        """No player of this name is connected or has a seat."""
        person = self._people.get(name)
        return person is None or (person.is_away and not person.tables)

    async def ready(self, name: str) -> bool:
        """Wait until a player is connected; False: it is disqualified."""
        player = self._processes[name]
        conduct, people = player.conduct, self._people
        async with self._news:
            await self._news.wait_for(
                lambda: conduct.out or (player.began and name in people and not people[name].is_away)
            )
        return not conduct.out

    def go(self, name: str, table: int, games: int, dice: str) -> None:
        self._processes[name].go(table, games, dice)

    def send_away(self, names: Iterable[str], table: int) -> None:
        for name in names:
            if name:
                self._processes[name].go_away(table)

    def has_restarted(self, name: str, since: float) -> bool:
        """Its process was replaced since then, or there is none."""
        began = self._processes[name].began
        return not began or began > since

    async def update(self, news: LobbyState) -> None:
        if news.people or news.departed:
            for person in news.people:
                self._people[person.name] = person
            for name in news.departed:
                self._people.pop(name, None)
            async with self._news:
                self._news.notify_all()

    async def check(self, now: float) -> None:
        """End the processes of disqualified players, and of players that send no `hello`."""
        for name, player in self._processes.items():
            player.check_memory()
            if player.conduct.out:
                player.end()
            elif name in self._people and not self._people[name].is_away:
                player.connected_at = now
            elif player.began and now - max(player.began, player.connected_at) > HELLO_SECONDS:
                what = "come back" if player.connected_at > player.began else "say hello"
                self.blame(name, f"it did not {what} in {HELLO_SECONDS:.0f} seconds")
        async with self._news:
            self._news.notify_all()  # a competitor may be out

    def blame(self, name: str, says: str) -> None:
        """A player kept others from playing, and is disqualified, if it is one of the match's."""
        player = self._processes.get(name)
        if player is not None and not player.conduct.out:
            says += f"; the server refused what it asked last: {player.refusal}" if player.refusal else ""
            player.conduct.note(Fault.IDLE, says)
            player.conduct.disqualify(says)

    def blame_leaver(self, name: str) -> None:
        """A player is no longer at its table. If its process has ended, only the end is a fault."""
        player, person = self._processes[name], self._people.get(name)
        if player.began and not player.conduct.out and person is not None:
            how = "lost its connection to" if person.is_away else "left"
            player.conduct.note(Fault.IDLE, f"{how} a table before its games were played")
