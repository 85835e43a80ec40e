"""Whole games by line mode in French: at a table, in the gallery, and with whatever is asked on the way."""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from put_client.line.line_mode import run
from put_client.sdk.client import Client
from put_client.teaching import Teacher
from put_protocol.messages import Sit, Watch
from put_text.catalogue import speaking
from tests.client.checking_players import BACKSTOP_S, house
from tests.text.french_said import FrenchSaid

ASKED = (
    *("main", "table", "points", "mes cartes", "levée", "temps", "horloge", "qui", "pourquoi", "choix", "donne"),
    *("jouer 99", "blurp", "journal", "journal partie", "journal x", "répéter 3", "lever", "reprendre", "encore"),
    *("inviter 1 sharp", "inviter Personne", "asseoir 9", "ouvrir whist", "conseil", "analyser", "règles", "options"),
    *("aide", "jeux", "tables", "maisons", "bref", "complet", "donne 1", "donne 99", "dire Bonjour", "confirmer off"),
    *("enregistrer", "notes", "notes non", "notes encore", "seul non", "aide tout"),
)
"""Commands, sensible ones and others, typed before the moves of a game."""


class Seated:
    """A person at a line, who hears, and answers what is asked of them."""

    def __init__(self, asked: tuple[str, ...] = ()) -> None:
        self.said: list[str] = []
        self.descriptor, self._keyboard = os.pipe()
        self._asked = list(asked)
        self.moves = 0
        self.is_over = asyncio.Event()

    def hear(self, sentence: str) -> None:
        self.said.append(sentence)
        if re.match("«.#..» n'est pas un de tes choix", sentence):  # it was of a decision that was told twice
            self.type("#1")
        if re.match(r"À toi(\.|.:) ", sentence):
            self.moves += 1
            self.type(*self._asked[:4], "#2" if re.search("; 2 |1 et 2 |1 à ", sentence) else "#1")
            del self._asked[:4]
        if sentence.startswith("Dis «\u00a0encore\u00a0»"):
            self.is_over.set()

    def type(self, *lines: str) -> None:
        os.write(self._keyboard, "".join(f"{line}\n" for line in lines).encode())

    def hang_up(self) -> None:
        os.close(self._keyboard)


@asynccontextmanager
async def at_line(client: Client, person: Seated, first: Sit | Watch) -> AsyncIterator[None]:
    """The person plays or watches for the block, and then quits."""
    playing = asyncio.create_task(
        run(
            client,
            first,
            descriptor=person.descriptor,
            say=person.hear,
            teacher=Teacher(None),
        )
    )
    yield
    person.type("quitter", "fin")
    await playing
    person.hang_up()


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("put-1674", 2, {"pack": 28}),
        ("truc", 2, {"rubber": 1, "dealing": "plain"}),
        ("triomphe-forcee", 4, {"dealing": "plain"}),
        ("primero", 3, {"dealing": "plain"}),
    ],
)
async def test_whole_game_by_the_line_is_french(
    game: str, seats: int, options: Mapping[str, int | str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All that a player and a spectator hear comes from the French catalogue, and none of it is English."""
    monkeypatch.chdir(tmp_path)
    french, player, gallery = FrenchSaid(monkeypatch), Seated(ASKED), Seated()
    async with asyncio.timeout(BACKSTOP_S), house() as server:
        with speaking("fr"):
            async with (
                await Client.connect("127.0.0.1", server.port, name="Pilou", waits=tuple) as client,
                await Client.connect("127.0.0.1", server.port, name="Rosa", waits=tuple) as other,
            ):
                table = await client.open_table(game, seats=seats, options=options)
                async with (
                    at_line(other, gallery, Watch(0, table)),
                    at_line(client, player, Sit(0, table)),
                ):
                    for seat in range(1, seats):
                        await client.invite(table, seat, "steady")
                    await player.is_over.wait()
                    player.type(*ASKED[player.moves * 4 :])
    assert player.moves > 3
    assert len(player.said) > 60
    assert len(gallery.said) > 20  # a game may be short
    wrong = {line: others for line in (*player.said, *gallery.said) if (others := french.others(line))}
    assert wrong == {}
