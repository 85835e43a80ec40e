"""House players: their names and ids, for tables that seat them. Their play is decided elsewhere."""

from put_protocol.messages import USUAL_HOUSE
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableInfo
from put_protocol.text import same_name
from put_server.lobby.config import LobbyConfig
from put_server.lobby.people import People
from put_server.table.seating import Sitter
from put_server.table.table_effects import RequestRefused

HOUSE_NAMES = ("Doll", "Ned", "Peg", "Hal", "Kit", "Meg", "Wat", "Sib", "Jack", "Bess")
"""Names of house players. `is_house` tells them apart from guests."""


class HousePlayers:
    """Creates house players. Their ids and those of people come from one sequence."""

    def __init__(self, config: LobbyConfig, people: People) -> None:
        self._config = config
        self._people = people

    def candidate(self, table: TableInfo, house: str) -> Sitter:
        """A house player for this table. Its id stays free until the caller takes it, because the table may refuse.

        :raises RequestRefused: the kind of house player is unknown.
        """
        kinds = [offer.name for offer in self._config.houses]
        if house not in kinds:
            raise RequestRefused(RefusalCode.UNKNOWN_HOUSE, "refused-house", field="house", kinds=", ".join(kinds))
        return self._candidate(table, house)

    def _candidate(self, table: TableInfo, house: str) -> Sitter:
        taken = {same_name(seat.name) for seat in table.seats if seat.name is not None and not seat.is_gone}
        plays_as = self._config.plays_as(house, table.game, table.options, len(table.seats))
        return Sitter(self._people.next_id, _free_name(taken), house=house, plays_as=plays_as)

    def hire(self, table: TableInfo) -> Sitter:
        """A house player for the seat of a person who left during a game."""
        sitter = self._candidate(table, USUAL_HOUSE)
        self._people.last_id = sitter.id
        return sitter


def _free_name(taken: set[str]) -> str:
    for turn in range(1, 10):
        for name in HOUSE_NAMES:
            full = name if turn == 1 else f"{name} {turn}"
            if same_name(full) not in taken:
                return full
    raise AssertionError("a table has at most ten seats")
