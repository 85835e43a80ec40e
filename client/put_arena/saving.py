"""Files of games as the gallery saw them, for `put-client --replay` and `put-verify`."""

from pathlib import Path

from put_arena.schedule import Round
from put_client.recording import Recording, recorded, sheet_of
from put_client.sdk.wire import now_ms
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import GALLERY
from put_protocol.table_info import TableInfo
from put_text.notation import write


class Saving:
    """A folder of games: `match-1-round-2-game-03-seating-1.put`."""

    def __init__(self, folder: Path) -> None:
        """:raises OSError: there can be no such folder."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._infos: dict[int, TableInfo] = {}
        self._games: dict[int, Recording | None] = {}

    def take(self, message: Events | TableSnapshot, round_: Round, seating: int) -> None:
        """Add a message that the gallery of a table received; writes the file when the game is over.

        :raises OSError: a file cannot be written.
        """
        number = message.table
        info = message.info or self._infos[number]
        self._infos[number] = info
        if isinstance(message, TableSnapshot):
            self._games[number] = None
            return
        game = recorded(self._games.get(number), message, info, GALLERY, now_ms())
        self._games[number] = game
        if game is None or not game.is_over or message.view is None or game.number > round_.games:
            return
        self._games[number] = None
        name = f"{round_.name.replace(', ', '-').replace(' ', '-')}-game-{game.number:02}-seating-{seating + 1}.put"
        sheet = sheet_of(game, info, message.view, "The arena")
        (self.folder / name).write_text(write(sheet), "utf-8")
